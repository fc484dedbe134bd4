/* compiles: what the host compiled or traced, when, and for which shapes. */
#include "compiles_columns.h"
#include "compiles_torch.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(compiles);

static const struct column columns[] = {COMPILES_COLUMNS(COLUMN_ROW)};

static void part_cells(struct cell *row, const struct compile *x)
{
	static const uint32_t columns_of[COMPILE_PARTS] = {
		[COMPILE_TRACES] = COL_COMPILES_TRACES,
		[COMPILE_LOWERS] = COL_COMPILES_LOWERS,
		[COMPILE_BUILDS] = COL_COMPILES_BUILDS,
		[COMPILE_TUNES] = COL_COMPILES_TUNES,
	};
	cell_text(&row[COL_COMPILES_REGION], x->region);
	for (int i = 0; i < COMPILE_PARTS && x->parts_told; i++)
		cell_int(&row[columns_of[i]], x->part_ns[i]);
}

static void compile_row(const struct derived *d, const struct query *q, struct table *out, const struct compile *x)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = trace_columns(t);
	int64_t a_ns = c->start_ns[x->row], b_ns = a_ns + c->dur_ns[x->row];
	char text[128];
	struct cell *row = table_row(out);
	cell_text(&row[COL_COMPILES_COMPILER], x->kind);
	cell_text(&row[COL_COMPILES_NAME], trace_str(t, c->name[x->row]));
	cell_text(&row[COL_COMPILES_STEP], x->step == NONE_ID ? NULL : derived_step(d, x->step)->label);
	cell_int(&row[COL_COMPILES_START_NS], a_ns);
	cell_int(&row[COL_COMPILES_DUR_NS], (b_ns < q->b_ns ? b_ns : q->b_ns) - (a_ns > q->a_ns ? a_ns : q->a_ns));
	if (x->warm_known)
		cell_bool(&row[COL_COMPILES_AFTER_WARMUP], x->after_warmup);
	cell_text(&row[COL_COMPILES_SHAPE], x->shape);
	cell_text(&row[COL_COMPILES_PREVIOUS_SHAPE], x->previous);
	part_cells(row, x);
	cell_text(&row[COL_COMPILES_THREAD],
		  arena_strdup(out->mem, trace_track_label(t, c->track[x->row], text, sizeof text)));
	cell_int(&row[COL_COMPILES_EVENT], x->row);
	table_evidence(out, a_ns, b_ns, &x->row, 1);
}

static struct table *run_compiles(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct compiles v;
	struct table *out = table_new(mem, &compiles_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!compiles_read(d, q, mem, p, &v, e))
		return NULL;
	for (uint32_t i = 0; i < v.n; i++) {
		compile_tell_torch(d, &v.at[i], mem);
		compile_row(d, q, out, &v.at[i]);
	}
	return out;
}

const struct table_desc compiles_desc = {
	.name = "compiles",
	.title = "Compilations",
	.help = "what the host compiled or traced, when and for which shapes",
	TABLE_COLUMNS(columns),
	.run = run_compiles,
	.first = COLUMN_LIST(COL_COMPILES_STEP, COL_COMPILES_DUR_NS, COL_COMPILES_NAME, COL_COMPILES_COMPILER,
			     COL_COMPILES_AFTER_WARMUP, COL_COMPILES_SHAPE, COL_COMPILES_PREVIOUS_SHAPE,
			     COL_COMPILES_REGION, COL_COMPILES_TRACES, COL_COMPILES_LOWERS, COL_COMPILES_BUILDS,
			     COL_COMPILES_TUNES, COL_COMPILES_THREAD),
	.lead = 3,
	.report = {.brief = COLUMN_LIST(COL_COMPILES_COMPILER, COL_COMPILES_NAME, COL_COMPILES_STEP,
					COL_COMPILES_START_NS, COL_COMPILES_DUR_NS, COL_COMPILES_AFTER_WARMUP),
		   .wide = COLUMN_LIST(COL_COMPILES_COMPILER, COL_COMPILES_NAME, COL_COMPILES_STEP,
				       COL_COMPILES_START_NS, COL_COMPILES_DUR_NS, COL_COMPILES_AFTER_WARMUP,
				       COL_COMPILES_SHAPE, COL_COMPILES_PREVIOUS_SHAPE)},
	.vs = {.key = COLUMN_LIST(COL_COMPILES_COMPILER, COL_COMPILES_NAME), .sums = COLUMN_LIST(COL_COMPILES_DUR_NS)},
};
