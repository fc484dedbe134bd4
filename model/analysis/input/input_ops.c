#include "input_ops.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/names/input_names.h"
#include "model/analysis/ops/op_paired.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

struct track_op {
	row_id row;
	str_id key;
	enum input_class class; /* INPUT_NONE: an op of the program */
	bool loads, infeed;     /* by its name */
	bool loader;            /* a data loader, or what runs inside it */
	int64_t a_ns, b_ns;
};
struct cluster {        /* ops of the track under way that overlap, directly or through others: the last ones */
	uint32_t first; /* index of its first op */
	int64_t end_ns;
	bool input; /* one of them belongs to the input pipeline */
};
struct reader {
	const struct derived *d;
	const struct query *q;
	struct arena *mem, scratch;
	struct input_ops *out;
	struct idmap index; /* key and class -> place in out->at */
	struct input_names names;
	str_id stage_cat, stage_name, stage_id;
	bool xprof;
	struct track_op *ops; /* of the track under way */
	uint32_t n_ops, cap_ops;
	struct op_paired paired;       /* xprof's way: */
	const struct track_op *infeed; /* the infeed enqueue before */
	struct cluster cluster;
	int64_t load_until_ns; /* a batch is loaded until then */
	struct interval_sum waits, busy;
	struct interval_list track_waits, track_busy;
};

/* ---- what an event is ------------------------------------------------------------------------------------------- */

static str_id find_text(const struct derived *d, const char *z)
{
	return strings_find(trace_strings(derived_trace(d)), z, strlen(z));
}

static struct span attr_span(struct reader *r, const struct attr *a)
{
	const char *text = attr_text(a, trace_strings(derived_trace(r->d)), &r->scratch);
	return a->type == ATTR_STR ? (struct span){a->p, a->n} : span_of(text);
}

/* Grain and similar libraries name the stage in an attribute of the event. */
static enum input_class stage_of(struct reader *r, row_id row, str_id *key)
{
	struct attr *attrs;
	size_t n;
	enum input_class class = INPUT_NONE;
	attr_at at = r->stage_cat ? number_at(derived_columns(r->d)->attrs, row) : 0;
	bool id = false;
	if (!at)
		return INPUT_NONE;
	if (r->scratch.bytes > 1 << 20)
		arena_free(&r->scratch);
	if (!attrs_read(trace_attrs(derived_trace(r->d)), at, &r->scratch, &attrs, &n))
		return INPUT_NONE;
	for (size_t i = 0; i < n; i++) {
		if (attrs[i].key == r->stage_cat)
			class = input_class_of_stage(attr_span(r, &attrs[i]));
		if (attrs[i].key == r->stage_name && attrs[i].type == ATTR_REF)
			*key = (str_id)attrs[i].u;
		id |= attrs[i].key == r->stage_id;
	}
	return id ? class : INPUT_NONE;
}

static bool launches_input(const struct derived *d, row_id row)
{
	row_id work = derived_columns(d)->link[row];
	return work != NONE_ID && row_is_work(derived_columns(d), work) && derived_copy_kind(d, work) == COPY_H2D;
}

/* What runs inside a loader is its work: ops, annotations and, where stacks are recorded, Python. */
static enum input_class class_of_load(const struct reader *r, row_id row, const struct input_name *name)
{
	const uint32_t loading = KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_PYTHON);
	if (!(loading >> derived_columns(r->d)->kind[row] & 1))
		return INPUT_NONE;
	r->out->frames |= derived_columns(r->d)->kind[row] == KIND_PYTHON;
	return name->reads ? INPUT_DEMANDED : INPUT_PREPROCESSING;
}

static enum input_class class_beyond_xprof(struct reader *r, row_id row, const struct input_name *name, bool *loader)
{
	int64_t end_ns = row_end(derived_columns(r->d), row);
	*loader = name->loads || end_ns <= r->load_until_ns;
	bool inside = end_ns <= r->load_until_ns;
	if (name->loads && end_ns > r->load_until_ns)
		r->load_until_ns = end_ns;
	if (name->by_name != INPUT_NONE)
		return name->by_name;
	if (launches_input(r->d, row))
		return INPUT_ENQUEUE;
	return inside ? class_of_load(r, row, name) : INPUT_NONE;
}

/* Most events of PyTorch: told without a look at anything but the columns. */
static bool is_none(const struct reader *r, row_id row)
{
	const struct columns *c = derived_columns(r->d);
	if (c->detail[row] || !input_name_silent(&r->names, c->name[row]) || r->stage_cat)
		return false;
	return r->xprof || (c->start_ns[row] > r->load_until_ns && !launches_input(r->d, row));
}

/* Whether the event is an op at all; fills what is known of it. */
static bool take_op(struct reader *r, row_id row, struct track_op *x)
{
	struct input_name name = input_name_of(&r->names, row);
	*x = (struct track_op){.row = row, .key = name.key, .loads = name.loads, .infeed = name.infeed};
	x->class = stage_of(r, row, &x->key);
	if (x->class == INPUT_NONE)
		x->class = name.by_op;
	if (x->class == INPUT_NONE && !r->xprof)
		x->class = class_beyond_xprof(r, row, &name, &x->loader);
	return x->class != INPUT_NONE || name.op;
}

/* ---- sums --------------------------------------------------------------------------------------------------------- */

static struct input_op *op_of(struct reader *r, const struct track_op *x)
{
	struct input_ops *v = r->out;
	uint32_t i = *idmap_put(&r->index, (uint64_t)x->class << 32 | x->key, v->n);
	if (i < v->n)
		return &v->at[i];
	v->at = arena_next_row(r->mem, v->at, v->n, sizeof *v->at);
	v->at[v->n] = (struct input_op){
		.name = trace_str(derived_trace(r->d), x->key), .class = x->class, .longest = NONE_ID};
	return &v->at[v->n++];
}

static void count_op(struct reader *r, const struct track_op *x, int64_t self_ns)
{
	const int64_t *dur_ns = derived_columns(r->d)->dur_ns, start_ns = derived_columns(r->d)->start_ns[x->row];
	if (x->class == INPUT_NONE)
		return;
	struct input_op *op = op_of(r, x);
	op->count += query_holds(r->q, start_ns);
	op->total_ns += x->b_ns - x->a_ns;
	op->self_ns += self_ns;
	op->loader |= x->loader;
	r->out->self_ns[x->class] += self_ns;
	if (op->longest == NONE_ID || dur_ns[x->row] > dur_ns[op->longest])
		op->longest = x->row;
}

static void take_self(void *arg, uint32_t id, int64_t self_ns)
{
	struct reader *r = arg;
	count_op(r, &r->ops[id], self_ns);
}

static void sum_innermost(struct reader *r)
{
	struct innermost m = {.done = take_self, .arg = r};
	for (uint32_t i = 0; i < r->n_ops; i++)
		innermost_open(&m, i, r->ops[i].a_ns, r->ops[i].b_ns);
	innermost_close_all(&m);
}

static void note_infeed(struct reader *r, const struct track_op *x)
{
	const struct track_op *before = r->infeed;
	r->infeed = x;
	if (!before)
		return;
	r->out->infeed_ns += before->b_ns - before->a_ns;
	r->out->infeed_apart_ns += x->a_ns - before->a_ns;
}

static void take_pair(void *arg, const struct op_pair *pair, int64_t self_ns)
{
	struct reader *r = arg;
	const struct track_op *x = &r->ops[pair->op];
	count_op(r, x, self_ns);
	if (x->infeed)
		note_infeed(r, x);
}

static void sum_pairs(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_ops; i++)
		op_paired_add(&r->paired, r->ops[i].a_ns, r->ops[i].b_ns, r->ops[i].row, i);
	r->infeed = NULL;
	op_paired_sum(&r->paired, take_pair, r);
}

/* ---- tracks ------------------------------------------------------------------------------------------------------- */

/* Ops of the program matter only where they overlap ops of the input pipeline. */
static void end_cluster(struct reader *r)
{
	if (!r->cluster.input)
		r->n_ops = r->cluster.first;
	r->cluster = (struct cluster){.first = r->n_ops, .end_ns = INT64_MIN};
}

static void add_op(struct reader *r, const struct track_op *x)
{
	if (x->a_ns >= r->cluster.end_ns)
		end_cluster(r);
	if (x->b_ns > r->cluster.end_ns)
		r->cluster.end_ns = x->b_ns;
	r->cluster.input |= x->class != INPUT_NONE;
	GROW_ARRAY(r->ops, r->n_ops, r->cap_ops);
	r->ops[r->n_ops++] = *x;
	if (x->class == INPUT_WAIT || x->loads)
		interval_add(&r->track_waits, x->a_ns, x->b_ns);
	if (x->class != INPUT_WAIT && x->class != INPUT_NONE)
		interval_add(&r->track_busy, x->a_ns, x->b_ns);
}

/* Others are no ops, of the host or of anybody. */
#define KINDS_READ (KINDS_ALL & ~(KINDS_WORK | KIND_BIT(KIND_PROFILE) | KIND_BIT(KIND_MEMORY)))
#define KINDS_CALL (KIND_BIT(KIND_RUNTIME) | KIND_BIT(KIND_OVERHEAD))

static void read_row(struct reader *r, row_id row)
{
	struct track_op x;
	if (!take_op(r, row, &x) || !event_wanted(r->d, r->q, row))
		return;
	int64_t a_ns = derived_columns(r->d)->start_ns[row], b_ns = row_end(derived_columns(r->d), row);
	x.a_ns = a_ns > r->q->a_ns ? a_ns : r->q->a_ns;
	x.b_ns = b_ns < r->q->b_ns ? b_ns : r->q->b_ns;
	add_op(r, &x);
}

static void read_track(struct reader *r, uint32_t track)
{
	const struct columns *c = derived_columns(r->d);
	struct event_iter it;
	struct event_rows rows = event_rows_open(&it, derived_trace(r->d), track, r->q->a_ns, r->q->b_ns);
	uint32_t met = 0; /* kinds, as bits */
	r->n_ops = 0;
	r->cluster = (struct cluster){.end_ns = INT64_MIN};
	r->load_until_ns = INT64_MIN;
	for (row_id row; event_next_row(&it, &rows, &row);) {
		met |= KIND_BIT(c->kind[row]);
		if (KINDS_READ >> c->kind[row] & 1 && !is_none(r, row))
			read_row(r, row);
	}
	r->out->host_ops |= (met & KINDS_READ & ~KINDS_CALL) != 0;
	end_cluster(r);
	if (!r->n_ops && !r->track_waits.n)
		return;
	if (r->xprof)
		sum_pairs(r);
	else
		sum_innermost(r);
	interval_sum_add(&r->waits, &r->track_waits);
	interval_sum_add(&r->busy, &r->track_busy);
}

static int more_self(const void *x, const void *y)
{
	const struct input_op *a = x, *b = y;
	if (a->self_ns != b->self_ns)
		return a->self_ns < b->self_ns ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void settle(struct reader *r)
{
	struct interval_list both = {0}, waits = interval_sum_end(&r->waits), busy = interval_sum_end(&r->busy);
	intervals_unite(&both, &waits, &busy);
	r->out->wait_ns = interval_list_total(&waits);
	r->out->wait_alone_ns = interval_list_total(&both) - interval_list_total(&busy);
	if (r->out->n)
		qsort(r->out->at, r->out->n, sizeof *r->out->at, more_self);
	interval_list_free(&both);
	interval_list_free(&waits);
	interval_list_free(&busy);
	idmap_free(&r->index);
	input_names_close(&r->names);
	arena_free(&r->scratch);
	op_paired_free(&r->paired);
	free(r->ops);
}

bool input_ops_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		    struct input_ops *out, struct err *e)
{
	struct reader r = {.d = d, .q = q, .mem = mem, .out = out, .xprof = derived_options(d)->semantics == SEM_XPROF};
	*out = (struct input_ops){0};
	input_names_open(&r.names, derived_trace(d), derived_names_like(d));
	r.stage_cat = find_text(d, "_ipl_stage_cat");
	r.stage_name = r.xprof ? 0 : find_text(d, "_ipl_stage_name");
	r.stage_id = find_text(d, "_ipl_stage_id");
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)) && !progress_cancelled(p); i++)
		if (trace_track(derived_trace(d), i)->kind == TRACK_THREAD &&
		    derived_is_host_track(trace_track(derived_trace(d), i)))
			read_track(&r, i);
	settle(&r);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}
