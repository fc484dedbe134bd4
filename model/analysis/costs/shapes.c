#include "shapes.h"
#include "model/analysis/derived/climb.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum key { KEY_DIMS, KEY_OLD_DIMS, KEY_STRIDES, KEY_SHAPE, KEY_INPUT_SHAPES, KEY_COUNT };
static const char *const key_words[KEY_COUNT] = {"Input Dims", "Input dims", "Input Strides", "shape", "input_shapes"};

struct shape_reader {
	const struct derived *d;
	str_id keys[KEY_COUNT]; /* 0: the trace does not have it */
	struct arena scratch;
	row_id last_event; /* NONE_ID = none yet */
	str_id last_text;
	struct climb ops;
	bool any; /* the trace has one of the keys */
	bool told;
	struct shapes shapes;
};

struct shape_reader *shape_reader_new(const struct derived *d)
{
	struct shape_reader *s = must(calloc(1, sizeof *s));
	s->d = d;
	s->last_event = NONE_ID;
	for (int k = 0; k < KEY_COUNT; k++)
		s->any |= s->keys[k] =
			strings_find(trace_strings(derived_trace(d)), key_words[k], strlen(key_words[k]));
	return s;
}

void shape_reader_free(struct shape_reader *s)
{
	if (!s)
		return;
	climb_free(&s->ops);
	arena_free(&s->scratch);
	free(s);
}

/* The record's texts by key; NULL where it has none. */
static bool read_attrs(struct shape_reader *s, row_id r, const char *texts[KEY_COUNT])
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(derived_columns(s->d)->attrs, r);
	memset(texts, 0, sizeof *texts * KEY_COUNT);
	arena_free(&s->scratch);
	if (!at || !attrs_read(trace_attrs(derived_trace(s->d)), at, &s->scratch, &attrs, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < KEY_COUNT; k++)
			if (s->keys[k] && attrs[i].key == s->keys[k])
				texts[k] = attr_text(&attrs[i], trace_strings(derived_trace(s->d)), &s->scratch);
	return true;
}

static struct arg_text text_of(const char *text)
{
	return (struct arg_text){text ? text : "", text ? strlen(text) : 0};
}

static bool read_event(struct shape_reader *s, row_id r)
{
	const char *texts[KEY_COUNT];
	const struct arg_text none = {"", 0};
	if (!read_attrs(s, r, texts))
		return false;
	const char *dims = texts[KEY_DIMS] ? texts[KEY_DIMS] : texts[KEY_OLD_DIMS];
	const char *shape = texts[KEY_SHAPE] ? texts[KEY_SHAPE] : texts[KEY_INPUT_SHAPES];
	s->shapes.strides.n = 0;
	if (dims)
		op_args_torch(&s->shapes.args, text_of(dims), none, none);
	else
		op_args_tensorflow(&s->shapes.args, text_of(shape));
	if (dims && texts[KEY_STRIDES])
		op_args_torch(&s->shapes.strides, text_of(texts[KEY_STRIDES]), none, none);
	return s->shapes.args.n > 0;
}

static const struct shapes *shapes_of_event(struct shape_reader *s, row_id op)
{
	if (op == NONE_ID)
		return NULL;
	if (s->last_event != op) {
		s->last_event = op;
		s->last_text = 0;
		s->told = read_event(s, op);
	}
	return s->told ? &s->shapes : NULL;
}

static const struct shapes *shapes_of_text(struct shape_reader *s, str_id text)
{
	if (s->last_text != text) {
		s->last_text = text;
		s->last_event = NONE_ID;
		op_args_tensorflow(&s->shapes.args, text_of(trace_str(derived_trace(s->d), text)));
		s->shapes.strides.n = 0;
		s->told = s->shapes.args.n > 0;
	}
	return s->told ? &s->shapes : NULL;
}

const struct shapes *shapes_of_work(struct shape_reader *s, row_id work)
{
	const struct kernel_info *k = trace_kernel_with_texts(derived_trace(s->d), work);
	if (k && k->shape)
		return shapes_of_text(s, k->shape);
	return !s->any ? NULL : shapes_of_event(s, climb_to_op(&s->ops, s->d, derived_columns(s->d)->link[work]));
}
