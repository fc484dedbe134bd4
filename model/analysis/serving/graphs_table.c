/* graphs: the graphs that are replayed, one row for each. */
#include "graphs.h"
#include "graphs_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

TABLE_DECL(graphs);

static const struct column columns[] = {GRAPHS_COLUMNS(COLUMN_ROW)};

/* ---- one graph ---------------------------------------------------------------------------------------------------------- */

/* Its works come in order of time: what is covered grows from the left. */
static int64_t busy_ns(const struct columns *c, const struct graph_launch *x)
{
	int64_t sum_ns = 0, end_ns = x->first_ns;
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t a = c->start_ns[x->work[i]], b = row_end(c, x->work[i]);
		a = a > end_ns ? a : end_ns;
		sum_ns += b > a ? b - a : 0;
		end_ns = b > end_ns ? b : end_ns;
	}
	return sum_ns;
}

static int64_t until_next(const struct graph_launch *x)
{
	return x->next_ns == UNKNOWN_I64 ? UNKNOWN_I64 : x->next_ns > x->last_ns ? x->next_ns - x->last_ns : 0;
}

static int64_t median_between(const struct graph_launch *v, uint32_t n)
{
	int64_t *between = must(malloc(n * sizeof *between)), result = UNKNOWN_I64;
	uint32_t known = 0;
	for (uint32_t i = 0; i < n; i++) {
		between[known] = until_next(&v[i]);
		known += between[known] != UNKNOWN_I64;
	}
	if (known)
		result = median_of(between, known);
	free(between);
	return result;
}

static int64_t median_call(const struct columns *c, const struct graph_launch *v, uint32_t n)
{
	int64_t *calls = must(malloc(n * sizeof *calls));
	for (uint32_t i = 0; i < n; i++)
		calls[i] = c->dur_ns[v[i].launch];
	int64_t result = median_of(calls, n);
	free(calls);
	return result;
}

static void time_cells(struct cell *row, const struct columns *c, const struct graph_launch *v, uint32_t n)
{
	int64_t span = 0, busy = 0;
	for (uint32_t i = 0; i < n; i++) {
		span += v[i].last_ns - v[i].first_ns;
		busy += busy_ns(c, &v[i]);
	}
	cell_int(&row[COL_GRAPHS_SPAN], span / n);
	cell_int(&row[COL_GRAPHS_BUSY], busy / n);
	cell_pct(&row[COL_GRAPHS_IDLE_PCT], span - busy, span);
}

static void call_cells(struct cell *row, const struct derived *d, const struct graph_launch *v, uint32_t n)
{
	const struct columns *c = derived_columns(d);
	uint32_t process = trace_track(derived_trace(d), c->track[v->launch])->process;
	int64_t call_ns = median_call(c, v, n), each_ns = kernel_call_ns(d, process);
	cell_int(&row[COL_GRAPHS_CALL], call_ns);
	cell_int(&row[COL_GRAPHS_EACH], each_ns);
	cell_int(&row[COL_GRAPHS_SAVED], graph_calls_saved(each_ns, v->n, call_ns));
}

static void place_cells(struct cell *row, const struct derived *d, struct graph_places *places,
			const struct graph_launch *x)
{
	int32_t layers = 0;
	uint32_t told = 0, named = 0;
	for (uint32_t i = 0; i < x->n; i++) {
		int32_t layer = graph_place_of(places, x->work[i]).layer;
		const struct replayed_work *known = trace_side(derived_trace(d), SIDE_REPLAYED, x->work[i]);
		layers = layer >= layers ? layer + 1 : layers;
		told += known != NULL;
		named += known && known->match != REPLAY_UNMATCHED;
	}
	cell_int(&row[COL_GRAPHS_WORK], x->n);
	cell_int(&row[COL_GRAPHS_LAYERS], layers ? layers : UNKNOWN_I64);
	cell_pct(&row[COL_GRAPHS_NAMED], named, told);
	if (told)
		cell_int(&row[COL_GRAPHS_UNNAMED], told - named);
}

static void add_one(struct table *out, const struct derived *d, const struct graphs *g, const struct graph_launch *v,
		    uint32_t n)
{
	const struct columns *c = derived_columns(d);
	struct cell *row = table_row(out);
	cell_int(&row[COL_GRAPHS_GRAPH], v->graph);
	cell_rank(&row[COL_GRAPHS_RANK], derived_trace(d), trace_track(derived_trace(d), c->track[v->launch])->host);
	cell_host(&row[COL_GRAPHS_HOST], derived_trace(d), trace_track(derived_trace(d), c->track[v->launch])->host);
	cell_device(&row[COL_GRAPHS_DEVICE], derived_trace(d), v->device);
	cell_int(&row[COL_GRAPHS_LAUNCHES], n);
	place_cells(row, d, g->places, v);
	time_cells(row, c, v, n);
	cell_int(&row[COL_GRAPHS_BETWEEN], median_between(v, n));
	call_cells(row, d, v, n);
	table_evidence(out, v->first_ns, v->last_ns, &v->launch, 1);
}

static struct table *run_graphs(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	return graphs_table(&graphs_desc, add_one, d, q, mem, p, e);
}

const struct table_desc graphs_desc = {
	.name = "graphs",
	.title = "Graphs",
	.help = "replayed graphs: how long they take, what is inside and between them, what their launches save",
	TABLE_COLUMNS(columns),
	.run = run_graphs,
	.first = COLUMN_LIST(COL_GRAPHS_GRAPH, COL_GRAPHS_LAUNCHES, COL_GRAPHS_WORK, COL_GRAPHS_SPAN,
			     COL_GRAPHS_IDLE_PCT, COL_GRAPHS_BETWEEN, COL_GRAPHS_CALL, COL_GRAPHS_SAVED,
			     COL_GRAPHS_LAYERS, COL_GRAPHS_NAMED),
	.report = {.intro = "what replayed graphs take, what lies inside and between them, what their launches save",
		   .brief = COLUMN_LIST(COL_GRAPHS_GRAPH, COL_GRAPHS_LAUNCHES, COL_GRAPHS_WORK, COL_GRAPHS_SPAN,
					COL_GRAPHS_IDLE_PCT, COL_GRAPHS_BETWEEN, COL_GRAPHS_SAVED),
		   .wide = COLUMN_LIST(COL_GRAPHS_GRAPH, COL_GRAPHS_DEVICE, COL_GRAPHS_LAUNCHES, COL_GRAPHS_WORK,
				       COL_GRAPHS_LAYERS, COL_GRAPHS_SPAN, COL_GRAPHS_BUSY, COL_GRAPHS_IDLE_PCT,
				       COL_GRAPHS_BETWEEN, COL_GRAPHS_CALL, COL_GRAPHS_SAVED, COL_GRAPHS_NAMED),
		   .sort = COLUMN_LIST(COL_GRAPHS_SPAN)},
	.vs = {.key = COLUMN_LIST(COL_GRAPHS_RANK, COL_GRAPHS_DEVICE, COL_GRAPHS_WORK, COL_GRAPHS_GRAPH),
	       .sums = COLUMN_LIST(COL_GRAPHS_SPAN, COL_GRAPHS_BUSY, COL_GRAPHS_BETWEEN, COL_GRAPHS_LAUNCHES),
	       .whole = true},
};
