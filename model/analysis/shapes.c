#include "shapes.h"
#include "derived_data.h"
#include <stdlib.h>
#include <string.h>

/* ---- element types -------------------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct { const char *word; enum precision type; } type_words[] = {
	{"c10::Half", PREC_FP16}, {"half", PREC_FP16}, {"float16", PREC_FP16}, {"f16", PREC_FP16},
	{"c10::BFloat16", PREC_BF16}, {"bfloat16", PREC_BF16}, {"bf16", PREC_BF16},
	{"float", PREC_FP32}, {"float32", PREC_FP32}, {"f32", PREC_FP32},
	{"double", PREC_FP64}, {"float64", PREC_FP64}, {"f64", PREC_FP64},
	{"c10::Float8_e4m3fn", PREC_FP8}, {"c10::Float8_e5m2", PREC_FP8}, {"c10::Float8_e4m3fnuz", PREC_FP8},
	{"c10::Float8_e5m2fnuz", PREC_FP8}, {"f8e4m3fn", PREC_FP8}, {"f8e5m2", PREC_FP8},
	{"signed char", PREC_INT8}, {"unsigned char", PREC_INT8}, {"int8", PREC_INT8}, {"uint8", PREC_INT8}, {"s8", PREC_INT8},
	{"u8", PREC_INT8}, {"int", PREC_OTHER}, {"long", PREC_OTHER}, {"long int", PREC_OTHER}, {"short", PREC_OTHER},
	{"bool", PREC_OTHER}, {"int32", PREC_OTHER}, {"int64", PREC_OTHER}, {"s32", PREC_OTHER}, {"s64", PREC_OTHER},
	{"pred", PREC_OTHER}, {"c10::complex<float>", PREC_OTHER}, {"c10::complex<double>", PREC_OTHER},
};
/* clang-format on */

enum precision type_precision(const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
		if (strlen(type_words[i].word) == n && !memcmp(type_words[i].word, p, n))
			return type_words[i].type;
	return PREC_UNKNOWN;
}

/* ---- texts ---------------------------------------------------------------------------------------------------------- */

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* A whole number; NULL when there is none or it is absurd. */
static const char *read_number(const char *p, int64_t *v)
{
	enum { MOST_DIGITS = 18 };
	bool minus = *p == '-';
	size_t digits = strspn(p += minus, "0123456789");
	if (!digits || digits > MOST_DIGITS)
		return NULL;
	*v = strtoll(p, NULL, 10);
	if (minus)
		*v = -*v;
	return p + digits;
}

/* "64,512]" behind the bracket: up to SHAPE_DIMS numbers. *n = SHAPE_NONE when there are more or something else. */
static const char *read_numbers(const char *p, int64_t v[SHAPE_DIMS], uint8_t *n)
{
	*n = 0;
	for (p = skip_space(p); *p && *p != ']'; p = skip_space(p)) {
		int64_t x;
		const char *end = read_number(p, &x);
		if (!end)
			return NULL;
		if (*n < SHAPE_DIMS)
			v[(*n)++] = x;
		else
			*n = SHAPE_NONE;
		p = skip_space(end);
		if (*p == ',')
			p++;
	}
	return *p == ']' ? p + 1 : NULL;
}

/* Behind a list that is no list of numbers (tensors in a list). */
static const char *skip_list(const char *p)
{
	for (int depth = 1; *p; p++) {
		depth += (*p == '[') - (*p == ']');
		if (!depth)
			return p + 1;
	}
	return NULL;
}

/* "[[64,512],[],[[2],[3]],\"\"]": one list per input; whatever else stands there is no tensor. */
static bool read_lists(const char *p, int64_t v[SHAPE_INPUTS][SHAPE_DIMS], uint8_t n_of[SHAPE_INPUTS], uint32_t *n)
{
	*n = 0;
	p = skip_space(p);
	if (*p++ != '[')
		return false;
	for (p = skip_space(p); *p && *p != ']' && *n < SHAPE_INPUTS; p = skip_space(p)) {
		n_of[*n] = SHAPE_NONE;
		if (*p == '[') {
			const char *end = read_numbers(p + 1, v[*n], &n_of[*n]);
			if (!end)
				n_of[*n] = SHAPE_NONE;
			p = end ? end : skip_list(p + 1);
		} else {
			p += strcspn(p, ",]");
		}
		if (!p)
			return false;
		++*n;
		p = skip_space(p);
		p += *p == ',';
	}
	return *n > 0;
}

/* ["c10::Half","","Scalar"] */
static void read_types(const char *p, struct shapes *out)
{
	for (uint32_t i = 0; i < out->n && (p = strchr(p, '"')); i++) {
		size_t n = strcspn(++p, "\"");
		out->at[i].type = type_precision(p, n);
		p += n + (p[n] == '"');
	}
}

bool shapes_from_lists(const char *dims, const char *types, const char *strides, struct shapes *out)
{
	int64_t v[SHAPE_INPUTS][SHAPE_DIMS], s[SHAPE_INPUTS][SHAPE_DIMS];
	uint8_t n_v[SHAPE_INPUTS], n_s[SHAPE_INPUTS];
	uint32_t strided = 0;
	TRY(read_lists(dims, v, n_v, &out->n));
	if (strides && !read_lists(strides, s, n_s, &strided))
		strided = 0;
	for (uint32_t i = 0; i < out->n; i++) {
		struct shape *x = &out->at[i];
		*x = (struct shape){.n_dims = n_v[i],
				    .strided = i < strided && n_s[i] == n_v[i] && n_v[i] != SHAPE_NONE};
		if (x->n_dims != SHAPE_NONE)
			memcpy(x->dim, v[i], sizeof x->dim[0] * x->n_dims);
		if (x->strided)
			memcpy(x->stride, s[i], sizeof x->stride[0] * x->n_dims);
	}
	if (types)
		read_types(types, out);
	return true;
}

bool shapes_from_text(const char *text, struct shapes *out)
{
	out->n = 0;
	const char *p = text + (*text == '(');
	while (out->n < SHAPE_INPUTS) {
		size_t word = strcspn(p, "[;,) ");
		if (p[word] != '[')
			break;
		struct shape *x = &out->at[out->n];
		*x = (struct shape){.type = type_precision(p, word)};
		p = read_numbers(p + word + 1, x->dim, &x->n_dims);
		if (!p)
			return false;
		out->n++;
		if (*p == '{') /* a layout: {1,0} */
			p += strcspn(p, "}");
		p += strcspn(p, ";,)");
		p += strspn(p, ";, ");
	}
	return out->n > 0;
}

/* ---- events --------------------------------------------------------------------------------------------------------- */

enum key { KEY_DIMS, KEY_OLD_DIMS, KEY_TYPES, KEY_STRIDES, KEY_SHAPE, KEY_INPUT_SHAPES, KEY_COUNT };
static const char *const key_words[KEY_COUNT] = {"Input Dims",    "Input dims", "Input type",
						 "Input Strides", "shape",      "input_shapes"};

struct shape_reader {
	const struct derived *d;
	str_id keys[KEY_COUNT]; /* 0: nobody wrote it */
	struct arena scratch;
	row_id last_event; /* NONE_ID = none yet */
	str_id last_text;
	bool told;
	struct shapes shapes;
};

struct shape_reader *shape_reader_new(const struct derived *d)
{
	struct shape_reader *s = calloc(1, sizeof *s);
	if (!s)
		abort();
	s->d = d;
	s->last_event = NONE_ID;
	for (int k = 0; k < KEY_COUNT; k++)
		s->keys[k] = strings_find(trace_strings(d->t), key_words[k], strlen(key_words[k]));
	return s;
}

void shape_reader_free(struct shape_reader *s)
{
	if (!s)
		return;
	arena_free(&s->scratch);
	free(s);
}

/* The record's texts by key; NULL where it has none. */
static bool read_attrs(struct shape_reader *s, row_id r, const char *texts[KEY_COUNT])
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(s->d->c->attrs, r);
	memset(texts, 0, sizeof *texts * KEY_COUNT);
	arena_free(&s->scratch);
	if (!at || !attrs_read(trace_attrs(s->d->t), at, &s->scratch, &attrs, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < KEY_COUNT; k++)
			if (s->keys[k] && attrs[i].key == s->keys[k])
				texts[k] = attr_text(&attrs[i], trace_strings(s->d->t), &s->scratch);
	return true;
}

static bool read_event(struct shape_reader *s, row_id r)
{
	const char *texts[KEY_COUNT];
	if (!read_attrs(s, r, texts))
		return false;
	const char *dims = texts[KEY_DIMS] ? texts[KEY_DIMS] : texts[KEY_OLD_DIMS];
	if (dims)
		return shapes_from_lists(dims, texts[KEY_TYPES], texts[KEY_STRIDES], &s->shapes);
	const char *text = texts[KEY_SHAPE] ? texts[KEY_SHAPE] : texts[KEY_INPUT_SHAPES];
	return text && shapes_from_text(text, &s->shapes);
}

const struct shapes *shapes_of_event(struct shape_reader *s, row_id op)
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
		s->told = shapes_from_text(trace_str(s->d->t, text), &s->shapes);
	}
	return s->told ? &s->shapes : NULL;
}

const struct shapes *shapes_of_work(struct shape_reader *s, row_id work)
{
	const struct kernel_info *k = trace_kernel(s->d->t, work);
	if (k && k->shape)
		return shapes_of_text(s, k->shape);
	row_id at = s->d->c->link[work];
	while (at != NONE_ID && s->d->c->kind[at] != KIND_OP)
		at = parent_of(s->d, at);
	return shapes_of_event(s, at);
}
