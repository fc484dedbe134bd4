/* program_ops: the ops of each XLA program, with their work on devices. */
#include "program_ops_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/windowed.h"
#include "model/query.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

TABLE_DECL(program_ops);

static const struct column columns[] = {PROGRAM_OPS_COLUMNS(COLUMN_ROW)};

/* One op of one program. */
struct program_op {
	str_id program, op;
	uint64_t n;
	int64_t ns, program_ns; /* of it; of all ops of its program */
	row_id longest;
};
struct reader {
	const struct derived *d;
	const struct query *q;
	struct program_op *at;
	uint32_t n, cap;
	struct idmap places, programs;   /* of (program, op); of a program: the place of its first op */
	const struct track_info **lanes; /* by device: what programs run on it; NULL: the trace has none */
	const struct track_info *lane;   /* of the device under way */
};

/* ---- which program -------------------------------------------------------------------------------------------------------- */

/* False: there is none. */
static bool find_lanes(struct reader *v)
{
	const struct trace *t = derived_trace(v->d);
	bool any = false;
	v->lanes = must(calloc(trace_devices(t) + (size_t)1, sizeof *v->lanes));
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (strcmp(trace_str(t, k->name), "XLA Modules") != 0)
			continue;
		any = true;
		if (k->device != NONE_ID && !v->lanes[k->device])
			v->lanes[k->device] = k;
	}
	return any;
}

/* Something tells of a program. Most traces need not be walked. */
static bool names_programs(struct reader *v)
{
	const struct trace *t = derived_trace(v->d);
	const void *rows;
	bool lane = find_lanes(v);
	if (trace_side_rows(t, SIDE_HLOS, NULL) > 1 || lane)
		return true;
	if (!trace_kernels_may_tell_module(t))
		return false;
	uint64_t n = trace_side_rows(t, SIDE_KERNELS, &rows);
	const struct kernel_info *kernels = rows;
	for (uint64_t i = 0; i < n; i++)
		if (kernels[i].module)
			return true;
	return false;
}

/* The program that the lane shows at that moment; 0: none. */
static str_id running_at(const struct reader *v, int64_t ts_ns)
{
	const struct columns *c = derived_columns(v->d);
	row_id r = v->lane ? first_row_from(c, v->lane, ts_ns + 1) : 0;
	bool runs = v->lane && r > v->lane->first && row_end(c, r - 1) > ts_ns;
	return runs ? c->name[r - 1] : 0;
}

/* What a capture tells of replayed work is a module of PyTorch. */
static str_id program_of(const struct reader *v, row_id r)
{
	const struct trace *t = derived_trace(v->d);
	const struct hlo_info *h = trace_hlo(t, r);
	const struct kernel_info *k = trace_kernel(t, r);
	if (h && h->module)
		return h->module;
	if (k && k->module && !trace_side(t, SIDE_REPLAYED, r))
		return k->module;
	return running_at(v, derived_columns(v->d)->start_ns[r]);
}

/* ---- sums ----------------------------------------------------------------------------------------------------------------- */

static uint32_t place_of(struct reader *v, row_id r)
{
	str_id program = program_of(v, r), op = op_of_event(v->d, r);
	op = op || !program ? op : derived_columns(v->d)->name[r]; /* an instruction without an op */
	uint32_t at = *idmap_put(&v->places, (uint64_t)program << 32 | op, v->n);
	if (at == v->n) {
		GROW_ARRAY(v->at, v->n, v->cap);
		v->at[v->n++] = (struct program_op){.program = program, .op = op, .longest = r};
	}
	return at;
}

static void piece(void *arg, uint32_t id, int64_t a_ns, int64_t b_ns)
{
	struct reader *v = arg;
	v->at[id].ns += query_clipped_ns(v->q, a_ns, b_ns);
}

static void take(struct reader *v, struct innermost *m, const struct windowed *w)
{
	const struct columns *c = w->c;
	uint32_t at = place_of(v, w->row);
	struct program_op *x = &v->at[at];
	x->n += windowed_starts(w);
	x->longest = c->dur_ns[w->row] > c->dur_ns[x->longest] ? w->row : x->longest;
	innermost_open(m, at, c->start_ns[w->row], row_end(c, w->row));
}

static void read_streams(struct reader *v, struct windowed *w)
{
	const struct trace *t = derived_trace(v->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->kind != TRACK_STREAM || k->device == NONE_ID || k->derived_by_producer)
			continue;
		struct innermost m = {.piece = piece, .arg = v};
		v->lane = v->lanes[k->device];
		windowed_track(w, i, KINDS_WORK);
		while (windowed_next(w))
			take(v, &m, w);
		innermost_close_all(&m);
	}
}

/* ---- rows ----------------------------------------------------------------------------------------------------------------- */

static void add_up_programs(struct reader *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		v->at[*idmap_put(&v->programs, v->at[i].program, i)].program_ns += v->at[i].ns;
	for (uint32_t i = 0; i < v->n; i++)
		v->at[i].program_ns = v->at[idmap_get(&v->programs, v->at[i].program)].program_ns;
}

/* The program with most time first, of it the op with most. */
static int by_time(const void *a, const void *b)
{
	const struct program_op *x = a, *y = b;
	if (x->program != y->program && x->program_ns != y->program_ns)
		return x->program_ns > y->program_ns ? -1 : 1;
	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static bool any_program(const struct reader *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (v->at[i].program)
			return true;
	return false;
}

static void add_row(struct table *out, const struct reader *v, const struct program_op *x, int64_t all_ns)
{
	const struct trace *t = derived_trace(v->d);
	const struct columns *c = derived_columns(v->d);
	struct cell *row = table_row(out);
	cell_text(&row[COL_PROGRAM_OPS_PROGRAM], x->program ? trace_str(t, x->program) : NULL);
	cell_text(&row[COL_PROGRAM_OPS_OP], x->op ? trace_str(t, x->op) : NULL);
	cell_int(&row[COL_PROGRAM_OPS_COUNT], (int64_t)x->n);
	cell_int(&row[COL_PROGRAM_OPS_TIME], x->ns);
	cell_pct(&row[COL_PROGRAM_OPS_SHARE], x->ns, x->program_ns);
	cell_pct(&row[COL_PROGRAM_OPS_ALL], x->ns, all_ns);
	table_evidence(out, c->start_ns[x->longest], row_end(c, x->longest), &x->longest, 1);
}

static void add_rows(struct table *out, struct reader *v)
{
	int64_t all_ns = 0;
	if (!any_program(v))
		return;
	add_up_programs(v);
	qsort(v->at, v->n, sizeof *v->at, by_time);
	for (uint32_t i = 0; i < v->n; i++)
		all_ns += v->at[i].ns;
	for (uint32_t i = 0; i < v->n; i++)
		add_row(out, v, &v->at[i], all_ns);
}

static struct table *run_program_ops(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	struct reader v = {.d = d, .q = q};
	struct windowed w = windowed_open(d, q, p);
	struct table *out = table_new(mem, &program_ops_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (names_programs(&v))
		read_streams(&v, &w);
	bool done = windowed_done(&w, e);
	if (done)
		add_rows(out, &v);
	idmap_free(&v.places);
	idmap_free(&v.programs);
	free(v.at);
	free(v.lanes);
	return done ? out : NULL;
}

const struct table_desc program_ops_desc = {
	.name = "program_ops",
	.title = "Ops of programs",
	.help = "the ops of each XLA program: how often they ran on devices, how long, their share of the program",
	TABLE_COLUMNS(columns),
	.run = run_program_ops,
	.lead = 2,
	.report = {.intro = "by XLA program, the one with most time on devices first",
		   .brief = COLUMN_LIST(COL_PROGRAM_OPS_PROGRAM, COL_PROGRAM_OPS_OP, COL_PROGRAM_OPS_COUNT,
					COL_PROGRAM_OPS_TIME, COL_PROGRAM_OPS_SHARE, COL_PROGRAM_OPS_ALL),
		   .wide = COLUMN_LIST(COL_PROGRAM_OPS_PROGRAM, COL_PROGRAM_OPS_OP, COL_PROGRAM_OPS_COUNT,
				       COL_PROGRAM_OPS_TIME, COL_PROGRAM_OPS_SHARE, COL_PROGRAM_OPS_ALL)},
	.vs = {.key = COLUMN_LIST(COL_PROGRAM_OPS_PROGRAM, COL_PROGRAM_OPS_OP),
	       .sums = COLUMN_LIST(COL_PROGRAM_OPS_TIME, COL_PROGRAM_OPS_COUNT)},
};
