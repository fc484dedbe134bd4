#include "tensor_cores.h"
#include "model/store/base/grow.h"
#include "model/analysis/costs/shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"
#include "model/analysis/names/device_vendor.h"
#include "model/analysis/query/windowed.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { TENSOR_CORES_FROM_CC = 7, TF32_FROM_CC = 8, MOST_SHAPES = 250000 };

static const char *const kind_words[TC_KINDS] = {"unused", "inefficient", "bytes"};
static const struct {
	const char *word, *advice;
} reasons[] = {
#define TC_REASON_ROW(id, word, advice) {word, advice},
	TC_REASONS(TC_REASON_ROW)
#undef TC_REASON_ROW
};

const char *tc_kind_word(enum tc_kind k)
{
	return kind_words[k];
}
const char *tc_reason_word(enum tc_reason r)
{
	return reasons[r].word;
}
const char *tc_reason_advice(enum tc_reason r)
{
	return reasons[r].advice;
}

/* ---- devices -------------------------------------------------------------------------------------------------------- */

static enum tc_device device_has(const struct trace *t, const struct device *dev)
{
	const char *name = trace_str(t, dev->name);
	if (device_is_amd(t, dev))
		return strstr(name, "Instinct MI") ? TC_DEVICE_WITH : TC_DEVICE_UNKNOWN;
	if (device_is_other(t, dev))
		return TC_DEVICE_WITHOUT;
	if (dev->cc_major == UNKNOWN_I64)
		return TC_DEVICE_UNKNOWN;
	return dev->cc_major >= TENSOR_CORES_FROM_CC && !strstr(name, "GTX 16") ? TC_DEVICE_WITH : TC_DEVICE_WITHOUT;
}

enum tc_device tc_device_of(const struct derived *d)
{
	enum tc_device best = TC_DEVICE_UNKNOWN;
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++) {
		enum tc_device here = device_has(derived_trace(d), trace_device(derived_trace(d), i));
		best = here > best ? here : best;
	}
	return best;
}

bool tc_no_question(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	uint32_t others = 0;
	for (uint32_t i = 0; i < trace_devices(t); i++)
		others += device_is_other(t, trace_device(t, i));
	return others && others == trace_devices(t);
}

static bool device_has_tf32(const struct derived *d)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++) {
		const struct device *dev = trace_device(derived_trace(d), i);
		if (!device_is_amd(derived_trace(d), dev) && dev->cc_major != UNKNOWN_I64 &&
		    dev->cc_major >= TF32_FROM_CC)
			return true;
	}
	return false;
}

/* ---- what a kernel is ----------------------------------------------------------------------------------------------- */

enum { CLASS_NONE = TC_KINDS, CLASS_USED };
struct finder {
	const struct derived *d;
	const struct columns *c;
	struct shape_reader *shapes;
	struct idmap pairs;        /* name and op -> verdict on the op */
	struct idmap rows;         /* hash of a row's key -> row */
	uint32_t cap, shapes_read; /* of the rows; of the limit */
	bool tf32;
	struct tensor_cores *out;
};

/* With its op; asked once per name and op. */
static enum verdict eligible_with(struct finder *f, str_id name, str_id op, row_id r)
{
	uint32_t *v = idmap_put(&f->pairs, (uint64_t)name << 32 | op, UINT32_MAX);
	if (*v == UINT32_MAX) {
		const struct kernel_info *k = trace_kernel_with_texts(derived_trace(f->d), r);
		const struct trace *t = derived_trace(f->d);
		*v = (uint32_t)kernel_tc_eligible(derived_rules(f->d), derived_kernel_facts(f->d, name),
						  trace_str(t, op), k ? trace_str(t, k->op_type) : "",
						  k ? trace_str(t, k->equation) : "", VERDICT_NO);
	}
	return (enum verdict) * v;
}

/* One of enum tc_kind, or CLASS_NONE. Kernels that use them and are not narrow have nothing to be held back by. */
static int class_of(struct finder *f, const struct kernel_facts *x, str_id op, row_id r)
{
	if (x->collective)
		return CLASS_NONE;
	if (x->uses_tc == VERDICT_YES)
		return precision_is_narrow((enum precision)x->precision) ? TC_INEFFICIENT : CLASS_NONE;
	enum verdict eligible = eligible_with(f, f->c->name[r], op, r);
	if (eligible == VERDICT_YES && x->uses_tc == VERDICT_NO)
		return f->out->device == TC_DEVICE_WITHOUT ? CLASS_NONE : TC_UNUSED;
	bool bytes = x->precision == PREC_FP32 && eligible == VERDICT_NO && x->uses_tc == VERDICT_NO;
	return bytes ? TC_BYTES : CLASS_NONE;
}

/* Millions of launches would mean millions of looks into packed records: later ones go without dimensions. */
static const struct shapes *shapes_of(struct finder *f, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_texts(derived_trace(f->d), r);
	if (!(k && k->shape) && f->shapes_read++ >= MOST_SHAPES)
		return NULL;
	return shapes_of_work(f->shapes, r);
}

static enum tc_reason reason_of(const struct finder *f, const struct tc_row *x, const struct shapes *s, const char *op)
{
	if (x->kind == TC_BYTES)
		return TC_HALF_BYTES;
	if (x->precision == PREC_FP32)
		return f->tf32 ? TC_NO_TF32 : TC_FP32;
	if (x->precision == PREC_FP64)
		return TC_FP64;
	if (x->dims.wrong)
		return x->dims.wrong == 's' ? TC_LAYOUT : TC_DIMENSION;
	return tc_op_is_convolution(op) && tc_channels_apart(s) ? TC_LAYOUT : TC_UNKNOWN;
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

static bool same_row(const struct tc_row *a, const struct tc_row *b)
{
	return a->name == b->name && a->op == b->op && a->kind == b->kind && a->reason == b->reason &&
	       a->dims.m == b->dims.m && a->dims.n == b->dims.n && a->dims.k == b->dims.k;
}

static uint64_t key_of(const struct tc_row *x)
{
	uint64_t h = (uint64_t)x->name << 32 | x->op;
	const uint64_t parts[] = {(uint64_t)x->kind << 8 | x->reason, (uint64_t)x->dims.m, (uint64_t)x->dims.n,
				  (uint64_t)x->dims.k};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		h = (h ^ parts[i]) * 0x9E3779B97F4A7C15u;
		h ^= h >> 29;
	}
	return h;
}

static struct tc_row *row_like(struct finder *f, const struct tc_row *like)
{
	struct tensor_cores *o = f->out;
	uint64_t key = key_of(like);
	uint32_t *at = idmap_put(&f->rows, key, o->n);
	while (*at < o->n && !same_row(&o->at[*at], like))
		at = idmap_put(&f->rows, ++key, o->n);
	if (*at == o->n) {
		GROW_ARRAY(o->at, o->n, f->cap);
		o->at[o->n] = *like;
		return &o->at[o->n++];
	}
	return &o->at[*at];
}

static void add(struct finder *f, const struct tc_row *like, const struct windowed *w)
{
	struct tc_row *x = row_like(f, like);
	int64_t dur_ns = f->c->dur_ns[w->row];
	x->total_ns += windowed_clipped(w);
	x->count += windowed_starts(w);
	if (x->longest == NONE_ID || dur_ns > x->longest_ns) {
		x->longest = w->row;
		x->longest_ns = dur_ns;
	}
}

/* A matrix times a vector reads every element once: nothing for Tensor Cores. */
static bool is_vector(const struct tc_dims *x)
{
	return x->m == 1 || x->n == 1 || x->k == 1;
}

static bool asks_for_dims(const struct tc_row *x)
{
	return x->kind != TC_BYTES;
}

static void take(struct finder *f, const struct windowed *w)
{
	row_id r = w->row;
	const struct kernel_facts *x = derived_kernel_facts(f->d, f->c->name[r]);
	f->out->all_ns += windowed_clipped(w);
	if (x->uses_tc == VERDICT_YES)
		f->out->used_ns += windowed_clipped(w);
	else if (x->uses_tc == VERDICT_UNKNOWN)
		f->out->untold_ns += windowed_clipped(w);
	bool by_name = (x->helper || x->eligible == VERDICT_NO) && x->uses_tc != VERDICT_YES;
	if (by_name && x->precision != PREC_FP32)
		return;
	struct tc_row row = {.precision = (enum precision)x->precision, .name = f->c->name[r], .longest = NONE_ID};
	row.op = by_name ? 0 : op_of_event(f->d, r);
	int kind = class_of(f, x, row.op, r);
	if (kind == CLASS_NONE)
		return;
	row.kind = (enum tc_kind)kind;
	row.dims = (struct tc_dims){.m = UNKNOWN_I64, .n = UNKNOWN_I64, .k = UNKNOWN_I64};
	const char *op = trace_str(derived_trace(f->d), row.op);
	const struct shapes *s = asks_for_dims(&row) ? shapes_of(f, r) : NULL;
	row.dims = s ? tc_dims_of(op, s, row.precision) : row.dims;
	if ((kind == TC_INEFFICIENT && !row.dims.wrong) || is_vector(&row.dims))
		return;
	if (kind == TC_UNUSED)
		tc_dims_blame_m(&row.dims);
	row.reason = reason_of(f, &row, s, op);
	add(f, &row, w);
}

/* ---- ranking -------------------------------------------------------------------------------------------------------- */

static void settle_row(const struct finder *f, struct tc_row *x)
{
	bool with = f->out->device == TC_DEVICE_WITH;
	if (x->kind == TC_BYTES && !x->op)
		x->op = op_of_event(f->d, x->longest);
	x->stake_ns = x->kind == TC_BYTES            ? x->total_ns / 2
		      : with && x->kind == TC_UNUSED ? x->total_ns - x->total_ns / 3
						     : UNKNOWN_I64;
}

static int compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct trace *t = arg;
	const struct tc_row *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	int order = strcmp(trace_str(t, a->name), trace_str(t, b->name));
	order = order ? order : strcmp(trace_str(t, a->op), trace_str(t, b->op));
	return order ? order : (a->longest > b->longest) - (a->longest < b->longest);
}

static void settle(struct finder *f, struct arena *mem)
{
	struct tensor_cores *o = f->out;
	for (uint32_t i = 0; i < o->n; i++) {
		settle_row(f, &o->at[i]);
		o->ns[o->at[i].kind] += o->at[i].total_ns;
		if (o->at[i].stake_ns != UNKNOWN_I64)
			o->stake_ns[o->at[i].kind] += o->at[i].stake_ns;
	}
	if (o->n)
		qsort_r(o->at, o->n, sizeof *o->at, compare_rows, (void *)derived_trace(f->d));
	struct tc_row *kept = arena_alloc(mem, (o->n + 1) * sizeof *kept);
	if (o->n)
		memcpy(kept, o->at, o->n * sizeof *kept);
	free(o->at);
	o->at = kept;
}

static bool walk(struct finder *f, const struct query *q, struct progress *p, struct err *e)
{
	struct windowed w = windowed_open(f->d, q, p);
	for (uint32_t track = 0; track < trace_device_tracks(derived_trace(f->d)); track++) {
		const struct track_info *info = trace_track(derived_trace(f->d), track);
		if (info->device == NONE_ID || info->derived_by_producer)
			continue;
		windowed_track(&w, track, KIND_BIT(KIND_KERNEL));
		while (windowed_next(&w)) {
			text_facts_ahead(f->d, w.row);
			take(f, &w);
		}
	}
	return windowed_done(&w, e);
}

bool tensor_cores_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct tensor_cores *out, struct err *e)
{
	*out = (struct tensor_cores){.device = tc_device_of(d)};
	struct finder f = {.d = d, .c = derived_columns(d), .tf32 = device_has_tf32(d), .out = out};
	f.shapes = shape_reader_new(d);
	bool fine = walk(&f, q, p, e);
	if (fine)
		settle(&f, mem);
	else
		free(out->at);
	shape_reader_free(f.shapes);
	idmap_free(&f.pairs);
	idmap_free(&f.rows);
	return fine && kernel_rules_sound(derived_rules(d), e);
}
