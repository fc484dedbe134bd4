/* ops: framework ops on devices and on the host, with the columns of the reference tool's op statistics in its order. */
#include "ops_columns.h"
#include "op_groups.h"
#include "op_placed.h"
#include "roofline.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/rules/op_rules.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

TABLE_DECL(ops);

static const struct column columns[] = {OPS_COLUMNS(COLUMN_ROW)};

enum { XPROF_MOST = 500 };

struct writer {
	const struct derived *d;
	const struct op_stats *s;
	struct table *out;
	bool xprof, idle;
	enum op_by by;
	struct op_rules *rules;
	enum op_place place;
	int64_t whole_ns, sum_ns; /* what percentages are of; shown so far */
	uint32_t shown;           /* rows of this side */
};

/* ---- cells ---------------------------------------------------------------------------------------------------------- */

static const char *text_of(const struct writer *w, struct span s)
{
	return s.n ? arena_strndup(w->out->mem, s.p, s.n) : NULL;
}

static void average(struct cell *c, int64_t sum, int64_t n)
{
	cell_real(c, n > 0 ? (double)sum / (double)n : NAN);
}

static void put_times(struct writer *w, struct cell *row, const struct op_side *x)
{
	cell_int(&row[COL_OPS_OCCURRENCES], x->occurrences);
	cell_int(&row[COL_OPS_TOTAL], x->total_ns);
	average(&row[COL_OPS_AVG], x->total_ns, x->occurrences);
	cell_int(&row[COL_OPS_SELF], x->self_ns);
	average(&row[COL_OPS_AVG_SELF], x->self_ns, x->occurrences);
	w->sum_ns += x->self_ns;
	bool device = w->place == OP_DEVICE;
	cell_pct(&row[device ? COL_OPS_DEVICE_PCT : COL_OPS_HOST_PCT], x->self_ns, w->whole_ns);
	cell_pct(&row[device ? COL_OPS_DEVICE_SUM : COL_OPS_HOST_SUM], w->sum_ns, w->whole_ns);
}

static struct cell *start_row(struct writer *w, const struct op_side *x)
{
	struct cell *row = table_row(w->out);
	w->shown++;
	cell_int(&row[COL_OPS_RANK], w->out->n_rows);
	cell_text(&row[COL_OPS_SIDE], w->place == OP_DEVICE ? "Device" : "Host");
	put_times(w, row, x);
	cell_text(&row[COL_OPS_BOUND_BY], "Unknown");
	return row;
}

static void put_idle(struct writer *w, int64_t idle_ns)
{
	struct op_side idle = {.total_ns = idle_ns, .self_ns = idle_ns};
	struct cell *row = start_row(w, &idle);
	cell_text(&row[COL_OPS_TYPE], "IDLE");
	cell_text(&row[COL_OPS_OPERATION], "IDLE");
	if (w->xprof)
		cell_text(&row[COL_OPS_EAGER], "Function");
	else
		cell_pct(&row[COL_OPS_SELF_PCT], idle_ns, w->whole_ns);
}

/* ---- shapes beside the events, as the producer wrote them ---------------------------------------------------------- */

static const char *const shape_words[] = {"shape", "Input Dims", "Input dims", "input_shapes"};
enum { SHAPE_WORDS = sizeof shape_words / sizeof *shape_words };

static attr_at attrs_of(const struct writer *w, const struct op_group *g)
{
	row_id r = g->sum.longest;
	return g->shape || r == NONE_ID ? 0 : number_at(trace_columns(derived_trace(w->d))->attrs, r);
}

struct wanted_shape {
	attr_at at;
	struct op_group *group;
};

static int by_place(const void *x, const void *y)
{
	const struct wanted_shape *a = x, *b = y;
	return (a->at > b->at) - (a->at < b->at);
}

static void read_shape(const struct writer *w, const struct wanted_shape *x, const str_id keys[SHAPE_WORDS],
		       struct arena *scratch)
{
	const struct trace *t = derived_trace(w->d);
	struct attr *attrs;
	size_t n;
	if (!attrs_read(trace_attrs(t), x->at, scratch, &attrs, &n))
		return;
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < SHAPE_WORDS && !x->group->shape; k++)
			if (keys[k] && attrs[i].key == keys[k])
				x->group->shape =
					arena_strdup(w->out->mem, attr_text(&attrs[i], trace_strings(t), scratch));
	if (scratch->bytes > 1 << 20)
		arena_free(scratch);
}

/* In the order in which they are kept: each packed block is opened once. */
static void read_shapes(const struct writer *w, struct op_group *at, uint32_t n)
{
	str_id keys[SHAPE_WORDS], any = 0;
	struct arena scratch = {0};
	uint32_t wanted = 0;
	for (int k = 0; k < SHAPE_WORDS; k++)
		any |= keys[k] =
			strings_find(trace_strings(derived_trace(w->d)), shape_words[k], strlen(shape_words[k]));
	if (!any)
		return;
	struct wanted_shape *list = arena_alloc(&scratch, (n + 1u) * sizeof *list);
	for (uint32_t i = 0; i < n; i++)
		if (attrs_of(w, &at[i]))
			list[wanted++] = (struct wanted_shape){attrs_of(w, &at[i]), &at[i]};
	qsort(list, wanted, sizeof *list, by_place);
	struct arena text = {0};
	for (uint32_t i = 0; i < wanted; i++)
		read_shape(w, &list[i], keys, &text);
	arena_free(&text);
	arena_free(&scratch);
}

/* ---- rows of ops ---------------------------------------------------------------------------------------------------- */

static const char *mode(const struct writer *w, const struct op_side *x)
{
	if (!w->xprof && !x->known_ns)
		return NULL;
	return x->eager ? "Eager" : "Function";
}

/* The reference tool looks at which is nearer to its peak; what counts no bytes is bound by nothing. */
static const char *bound_by(const struct writer *w, const struct roofline *r)
{
	if (!w->xprof)
		return r->bound_by;
	bool compute = r->flop_rate / r->peak_flops > r->byte_rate / r->peak_bytes;
	return compute ? "Compute" : r->byte_rate > 0 ? "HBM" : NULL;
}

static void put_work(struct writer *w, struct cell *row, const struct op_work *x)
{
	struct roofline r = roofline_of(x);
	const char *bound = bound_by(w, &r);
	cell_real(&row[COL_OPS_FLOP_RATE], r.flop_rate);
	cell_real(&row[COL_OPS_MODEL_FLOP_RATE], r.flop_rate);
	cell_real(&row[COL_OPS_MEMORY_BW], r.byte_rate);
	cell_real(&row[COL_OPS_INTENSITY], r.intensity);
	cell_real(&row[COL_OPS_FLOPS], x->flops_ns ? x->flops : NAN);
	cell_real(&row[COL_OPS_BYTES], x->bytes_ns ? x->bytes : NAN);
	cell_real(&row[COL_OPS_ROOFLINE], r.share_pct);
	cell_text(&row[COL_OPS_ROOF_NOTE], roofline_note(&r));
	cell_text(&row[COL_OPS_BOUND_BY], bound ? bound : "Unknown");
}

static const char *placement(const struct writer *w, const struct op_group *op)
{
	bool by_op = w->by == OP_BY_OP || w->by == OP_BY_TYPE;
	if (w->place != OP_HOST || !op->sum.placed || !by_op || w->xprof)
		return NULL;
	return op_sort_text(op_rules_ask(w->rules, op->name, op->type));
}

static void put_op(struct writer *w, const struct op_group *op)
{
	const struct op_side *x = &op->sum;
	const struct columns *c = trace_columns(derived_trace(w->d));
	struct cell *row = start_row(w, x);
	cell_text(&row[COL_OPS_TYPE], w->xprof && !op->type.n ? "" : text_of(w, op->type));
	cell_text(&row[COL_OPS_OPERATION], text_of(w, op->name));
	if (w->place == OP_DEVICE)
		cell_pct(&row[COL_OPS_TENSORCORE], x->tc_ns, x->kernel_ns);
	if (w->place == OP_DEVICE)
		put_work(w, row, &x->work);
	cell_text(&row[COL_OPS_EAGER], mode(w, x));
	cell_pct(&row[COL_OPS_SELF_PCT], x->self_ns, w->xprof ? w->s->self_ns[w->place] : w->whole_ns);
	cell_int(&row[COL_OPS_PIECES], x->pieces);
	cell_int(&row[COL_OPS_RUNS_HERE], x->placed);
	cell_text(&row[COL_OPS_SHAPE], op->shape);
	cell_int(&row[COL_OPS_OPS], op->ops);
	cell_text(&row[COL_OPS_PLACEMENT], placement(w, op));
	if (x->longest != NONE_ID)
		table_evidence(w->out, c->start_ns[x->longest], c->start_ns[x->longest] + c->dur_ns[x->longest],
			       &x->longest, 1);
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

static bool full(const struct writer *w)
{
	return w->xprof && w->shown >= XPROF_MOST;
}

/* IDLE stands among the ops by its time, ties by name, as if it were one. */
static bool idle_first(const struct op_group *op, int64_t idle_ns)
{
	int64_t self_ns = op->sum.self_ns;
	size_t n = op->name.n < 4 ? op->name.n : 4;
	return self_ns != idle_ns ? self_ns < idle_ns : memcmp(op->name.p, "IDLE", n) > 0;
}

static void put_side(struct writer *w, enum op_place place)
{
	const struct op_stats *s = w->s;
	uint32_t n;
	struct op_group *at = op_groups_make(s, w->by, place, w->d, w->out->mem, &n);
	for (uint32_t i = 0; i < n && place == OP_HOST && w->by != OP_BY_SHAPE; i++)
		at[i].shape = NULL; /* what its kernels were given is not what its calls were */
	read_shapes(w, at, n);
	int64_t idle_ns = s->idle_ns[place];
	bool idle = w->idle && (place == OP_HOST || s->tracks[place]);
	w->place = place;
	w->whole_ns = s->self_ns[place] + (w->idle ? idle_ns : 0);
	w->sum_ns = 0;
	w->shown = 0;
	for (uint32_t i = 0; i < n && !full(w); i++) {
		if (idle && idle_first(&at[i], idle_ns)) {
			put_idle(w, idle_ns);
			idle = false;
		}
		if (!full(w))
			put_op(w, &at[i]);
	}
	if (idle && !full(w))
		put_idle(w, idle_ns);
}

static struct table *run_ops(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			     struct err *e)
{
	struct writer w = {.d = d, .xprof = derived_options(d)->semantics == SEM_XPROF};
	w.idle = w.xprof || (q->idle && !q->filter);
	if (!op_by_parse(q->by, &w.by, e) || !(w.s = shared_part(&op_stats_by_part, d, q, mem, p, e)) ||
	    !(w.rules = op_rules_builtin(e)))
		return NULL;
	w.out = table_new(mem, &ops_desc);
	query_bounds(q, derived_trace(d), &w.out->window_a_ns, &w.out->window_b_ns);
	put_side(&w, OP_DEVICE);
	put_side(&w, OP_HOST);
	op_rules_free(w.rules);
	return w.out;
}

const struct table_desc ops_desc = {
	.name = "ops",
	.title = "Ops",
	.help = "framework ops on devices and on the host: how often, how long, and their self time",
	TABLE_COLUMNS(columns),
	.by = op_by_at,
	.run = run_ops,
	.first = COLUMN_LIST(COL_OPS_SIDE, COL_OPS_OPERATION, COL_OPS_SELF_PCT, COL_OPS_SELF, COL_OPS_OCCURRENCES,
			     COL_OPS_AVG, COL_OPS_FLOP_RATE, COL_OPS_ROOFLINE, COL_OPS_BOUND_BY, COL_OPS_TYPE,
			     COL_OPS_EAGER, COL_OPS_PLACEMENT, COL_OPS_TOTAL, COL_OPS_PIECES, COL_OPS_MEMORY_BW),
	.lead = 3,
	.report = {.intro = "self time on devices, then on the host; the table 'ops' groups them by type, scope, "
			    "module, shape or stack",
		   .brief = COLUMN_LIST(COL_OPS_SIDE, COL_OPS_OPERATION, COL_OPS_SELF_PCT, COL_OPS_SELF,
					COL_OPS_OCCURRENCES, COL_OPS_AVG, COL_OPS_BOUND_BY, COL_OPS_PLACEMENT),
		   .wide = COLUMN_LIST(COL_OPS_SIDE, COL_OPS_TYPE, COL_OPS_OPERATION, COL_OPS_OCCURRENCES,
				       COL_OPS_TOTAL, COL_OPS_AVG, COL_OPS_SELF, COL_OPS_SELF_PCT, COL_OPS_FLOP_RATE,
				       COL_OPS_MEMORY_BW, COL_OPS_INTENSITY, COL_OPS_ROOFLINE, COL_OPS_BOUND_BY,
				       COL_OPS_TENSORCORE, COL_OPS_EAGER, COL_OPS_PLACEMENT, COL_OPS_SHAPE)},
	.vs = {.key = COLUMN_LIST(COL_OPS_SIDE, COL_OPS_OPERATION),
	       .sums = COLUMN_LIST(COL_OPS_SELF, COL_OPS_TOTAL, COL_OPS_OCCURRENCES)},
};
