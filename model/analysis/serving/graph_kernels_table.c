/* graph_kernels: what a replayed graph runs, place by place, with what its capture tells of each. */
#include "graphs.h"
#include "graphs_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

TABLE_DECL(graph_kernels);

static const struct column columns[] = {GRAPH_KERNELS_COLUMNS(COLUMN_ROW)};

static const char *match_word(enum replay_match match)
{
	static const char *const words[REPLAY_MATCHES] = {[REPLAY_UNMATCHED] = "no",
							  [REPLAY_BY_NAME] = "name",
							  [REPLAY_BY_PLACE] = "place",
							  [REPLAY_BY_NODE] = "node"};
	return words[match];
}

static void known_text(struct cell *cell, const struct trace *t, str_id text)
{
	if (text)
		cell_text(cell, trace_str(t, text));
}

static void name_cells(struct cell *row, const struct derived *d, row_id work)
{
	const struct trace *t = derived_trace(d);
	const struct kernel_info *k = trace_kernel(t, work);
	const struct replayed_work *told = trace_side(t, SIDE_REPLAYED, work);
	cell_text(&row[COL_GRAPH_KERNELS_KERNEL], trace_str(t, derived_columns(d)->name[work]));
	known_text(&row[COL_GRAPH_KERNELS_OP], t, op_of_event(d, work));
	known_text(&row[COL_GRAPH_KERNELS_MODULE], t, k ? k->module : 0);
	known_text(&row[COL_GRAPH_KERNELS_STACK], t, told ? told->stack : 0);
	if (told)
		cell_text(&row[COL_GRAPH_KERNELS_MATCH], match_word((enum replay_match)told->match));
}

/* Of one place, over all launches. */
struct place_sum {
	int64_t work_ns, idle_ns;
};

static void add_launch(struct place_sum *sums, const struct columns *c, const struct graph_launch *x)
{
	int64_t end_ns = x->first_ns;
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t start_ns = c->start_ns[x->work[i]], until_ns = row_end(c, x->work[i]);
		sums[i].work_ns += c->dur_ns[x->work[i]];
		sums[i].idle_ns += start_ns > end_ns ? start_ns - end_ns : 0;
		end_ns = until_ns > end_ns ? until_ns : end_ns;
	}
}

static struct cell *add_place(struct table *out, const struct derived *d, int32_t layer, const struct graph_launch *x,
			      uint32_t at)
{
	const struct columns *c = derived_columns(d);
	struct cell *row = table_row(out);
	cell_int(&row[COL_GRAPH_KERNELS_GRAPH], x->graph);
	cell_int(&row[COL_GRAPH_KERNELS_PLACE], at);
	cell_int(&row[COL_GRAPH_KERNELS_LAYER], layer >= 0 ? layer : UNKNOWN_I64);
	name_cells(row, d, x->work[at]);
	table_evidence(out, c->start_ns[x->work[at]], row_end(c, x->work[at]), &x->work[at], 1);
	return row;
}

static void add_one(struct table *out, const struct derived *d, const struct graphs *g, const struct graph_launch *v,
		    uint32_t n)
{
	struct place_sum *sums = must(calloc(v->n, sizeof *sums));
	for (uint32_t i = 0; i < n; i++)
		add_launch(sums, derived_columns(d), &v[i]);
	for (uint32_t at = 0; at < v->n; at++) {
		struct cell *row = add_place(out, d, graph_place_of(g->places, v->work[at]).layer, v, at);
		cell_int(&row[COL_GRAPH_KERNELS_LAUNCHES], n);
		cell_int(&row[COL_GRAPH_KERNELS_TIME], sums[at].work_ns);
		cell_int(&row[COL_GRAPH_KERNELS_BEFORE], sums[at].idle_ns);
	}
	free(sums);
}

static struct table *run_graph_kernels(const struct derived *d, const struct query *q, struct arena *mem,
				       struct progress *p, struct err *e)
{
	return graphs_table(&graph_kernels_desc, add_one, d, q, mem, p, e);
}

const struct table_desc graph_kernels_desc = {
	.name = "graph_kernels",
	.title = "Kernels of graphs",
	.help = "what each replayed graph runs, in order: its layer, and the op, module and stack from the trace of "
		"its capture",
	TABLE_COLUMNS(columns),
	.run = run_graph_kernels,
	.first = COLUMN_LIST(COL_GRAPH_KERNELS_GRAPH, COL_GRAPH_KERNELS_PLACE, COL_GRAPH_KERNELS_KERNEL,
			     COL_GRAPH_KERNELS_TIME, COL_GRAPH_KERNELS_LAYER, COL_GRAPH_KERNELS_OP,
			     COL_GRAPH_KERNELS_MATCH, COL_GRAPH_KERNELS_MODULE, COL_GRAPH_KERNELS_STACK),
	.lead = 3,
	.vs = {.key = COLUMN_LIST(COL_GRAPH_KERNELS_PLACE, COL_GRAPH_KERNELS_KERNEL),
	       .sums = COLUMN_LIST(COL_GRAPH_KERNELS_TIME, COL_GRAPH_KERNELS_BEFORE),
	       .whole = true},
};
