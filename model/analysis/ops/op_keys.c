#include "op_keys.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/names/op_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 1000, FRAMES_MOST = 512 };

/* clang-format off */
static const struct {
	const char *word, *none;
} bys[] = {
#define OP_BY_ROW(id, word, none, help) {word, none},
	OP_BYS(OP_BY_ROW)
#undef OP_BY_ROW
};
/* The inputs' shapes beside an event, as the producer wrote them. */
static const char *const shape_words[] = {"Input Dims", "Input dims", "shape", "input_shapes"};
/* clang-format on */

bool op_by_parse(const char *word, enum op_by *by, struct err *e)
{
	*by = OP_BY_OP;
	for (int i = 0; word && i < OP_BY_COUNT; i++)
		if (!strcmp(bys[i].word, word)) {
			*by = (enum op_by)i;
			return true;
		}
	return !word ||
	       err_usage(e, "ops are grouped by op, type, scope, module, shape or stack, not by '%.40s'", word);
}

const char *op_by_none(enum op_by by)
{
	return bys[by].none;
}

const char *op_by_word(enum op_by by)
{
	return bys[by].word;
}

const char *op_by_at(unsigned i)
{
	return i < OP_BY_COUNT ? bys[i].word : NULL;
}

bool op_by_is_of_op(enum op_by by, bool torch)
{
	return by == OP_BY_OP || by == OP_BY_TYPE || (by == OP_BY_SCOPE && !torch);
}

struct span op_scope(struct span name)
{
	const char *slash = name.n ? memrchr(name.p, '/', name.n) : NULL;
	return (struct span){name.p, slash ? (size_t)(slash - name.p) : 0};
}

/* ---- places ------------------------------------------------------------------------------------------------------- */

static uint32_t add_key(struct op_keys *k, struct span text, uint32_t around)
{
	k->at = arena_next_row(k->mem, k->at, k->n, sizeof *k->at);
	k->at[k->n] = (struct op_key){text, around};
	return k->n++;
}

void op_keys_init(struct op_keys *k, const struct derived *d, enum op_by by, struct arena *mem)
{
	*k = (struct op_keys){.d = d, .mem = mem, .by = by};
	add_key(k, (struct span){"", 0}, NO_KEY);
	for (size_t i = 0; i < sizeof shape_words / sizeof *shape_words; i++)
		k->shape_words[i] =
			strings_find(trace_strings(derived_trace(d)), shape_words[i], strlen(shape_words[i]));
}

void op_keys_free(struct op_keys *k)
{
	idmap_free(&k->by_hash);
	idmap_free(&k->of_row);
	arena_free(&k->scratch);
}

/* The text is copied when it is new. */
static uint32_t place_of(struct op_keys *k, struct span text, uint32_t around)
{
	for (uint64_t h = idmap_hash(text.p, text.n, (uint64_t)around * 0x9e3779b97f4a7c15u);; h++) {
		uint32_t fresh = k->n, i = *idmap_put(&k->by_hash, h, fresh);
		if (i == fresh)
			return add_key(k, (struct span){arena_strndup(k->mem, text.p, text.n), text.n}, around);
		const struct op_key *old = &k->at[i];
		if (old->around == around && span_same(old->text, text))
			return i;
	}
}

/* ---- frames around a call --------------------------------------------------------------------------------------------- */

static const char module_prefix[] = "nn.Module: ";

static bool is_frame(const struct op_keys *k, row_id r)
{
	const struct columns *c = derived_columns(k->d);
	switch (k->by) {
	case OP_BY_SCOPE:
		return c->kind[r] == KIND_ANNOTATION && !row_is_marker(k->d, r);
	case OP_BY_MODULE:
		return c->kind[r] == KIND_PYTHON &&
		       span_starts(strings_get(trace_strings(derived_trace(k->d)), c->name[r]), module_prefix);
	default:
		return c->kind[r] == KIND_PYTHON;
	}
}

static struct span frame_name(const struct op_keys *k, row_id r)
{
	struct span s = strings_get(trace_strings(derived_trace(k->d)), derived_columns(k->d)->name[r]);
	size_t skip = k->by == OP_BY_MODULE ? sizeof module_prefix - 1 : 0;
	return (struct span){s.p + skip, s.n - skip};
}

/* Climbs to the first frame met before, then comes back down. */
static uint32_t frames_around(struct op_keys *k, row_id r)
{
	row_id fresh[FRAMES_MOST];
	uint32_t n = 0, key = NO_KEY;
	for (; r != NONE_ID && n < FRAMES_MOST; r = parent_of(k->d, r)) {
		if (!is_frame(k, r))
			continue;
		uint32_t known = idmap_get(&k->of_row, r);
		if (known != UINT32_MAX) {
			key = known;
			break;
		}
		fresh[n++] = r;
	}
	while (n) {
		key = place_of(k, frame_name(k, fresh[--n]), key);
		*idmap_put(&k->of_row, fresh[n], key) = key;
	}
	return key;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

static bool is_shape(const struct op_keys *k, const struct attr *a)
{
	for (size_t i = 0; i < sizeof shape_words / sizeof *shape_words; i++)
		if (k->shape_words[i] && a->key == k->shape_words[i])
			return true;
	return false;
}

static uint32_t shape_of(struct op_keys *k, row_id r)
{
	struct attr *attrs;
	size_t n;
	uint32_t key = NO_KEY;
	attr_at at = number_at(derived_columns(k->d)->attrs, r);
	if (!at || !attrs_read(trace_attrs(derived_trace(k->d)), at, &k->scratch, &attrs, &n))
		return NO_KEY;
	for (size_t i = 0; i < n && key == NO_KEY; i++)
		if (is_shape(k, &attrs[i])) {
			const char *text = attr_text(&attrs[i], trace_strings(derived_trace(k->d)), &k->scratch);
			key = place_of(k, span_of(text), NO_KEY);
		}
	if (k->scratch.bytes > 1 << 20)
		arena_free(&k->scratch);
	return key;
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

uint32_t op_key_of_event(struct op_keys *k, row_id r)
{
	if (r == NONE_ID)
		return NO_KEY;
	return k->by == OP_BY_SHAPE ? shape_of(k, r) : frames_around(k, r);
}

/* The frames of work that a graph replays are those of its capture. */
static str_id replayed_stack(const struct op_keys *k, row_id r)
{
	const struct replayed_work *x = trace_side(derived_trace(k->d), SIDE_REPLAYED, r);
	return x ? x->stack : 0;
}

uint32_t op_key_of_work(struct op_keys *k, row_id r)
{
	const struct kernel_info *x = trace_kernel(derived_trace(k->d), r);
	const struct hlo_info *h = trace_hlo(derived_trace(k->d), r);
	str_id text = 0;
	if (k->by == OP_BY_MODULE)
		text = h && h->module ? h->module : x ? x->module : 0;
	else if (k->by == OP_BY_STACK)
		text = h ? h->source : replayed_stack(k, r);
	else if (k->by == OP_BY_SHAPE)
		text = x ? x->shape : 0;
	return text ? place_of(k, strings_get(trace_strings(derived_trace(k->d)), text), NO_KEY) : NO_KEY;
}

/* Outermost first with "/" between; stacks innermost first, as people read them. */
static size_t frame_text(const struct op_keys *k, uint32_t key, char *buf, size_t size)
{
	uint32_t chain[TEXT_MOST]; /* more have no room: each takes at least the byte before it */
	uint32_t n = 0;
	bool stack = k->by == OP_BY_STACK;
	size_t used = 0;
	for (uint32_t at = key; at && !(stack && n == TEXT_MOST); at = k->at[at].around)
		chain[n++ % TEXT_MOST] = at;
	for (uint32_t i = 0; i < n && i < TEXT_MOST && used + 1 < size; i++) {
		const struct span *text = &k->at[chain[(stack ? i : n - 1 - i) % TEXT_MOST]].text;
		const char *between = stack ? i ? " < " : "" : used ? "/" : "";
		int put = snprintf(buf + used, size - used, "%s%.*s", between, (int)text->n, text->p);
		used += put < 0 ? 0 : (size_t)put;
	}
	return used < size ? used : size - 1;
}

struct span op_key_text(const struct op_keys *k, uint32_t key)
{
	char buf[TEXT_MOST];
	if (key == NO_KEY || !k->at[key].around)
		return k->at[key].text;
	size_t n = frame_text(k, key, buf, sizeof buf);
	return (struct span){arena_strndup(k->mem, buf, n), n};
}
