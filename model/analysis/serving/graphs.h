/* model/analysis/serving/graphs.h - launches of replayed graphs, those that replay the same put together.
 * Life: graphs_find -> read -> graphs_free; rows are in `mem`. */
#ifndef STEPSCOPE_GRAPHS_H
#define STEPSCOPE_GRAPHS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/ops/graph_places.h"
#include "model/query.h"
#include "model/table.h"
#include "model/store/base/arena.h"

struct graph_launch {
	row_id launch;
	const row_id *work; /* in order of time */
	uint32_t n, graph, device;
	int64_t first_ns, last_ns;
	int64_t next_ns; /* first_ns of the graph that begins next on its device; UNKNOWN_I64: none */
};
struct graphs {
	struct graph_places *places;
	struct graph_launch *at; /* by graph, then by first_ns */
	uint32_t n;
};
/* Those whose first work starts inside the window and is wanted. False with `e` on cancel. */
bool graphs_find(const struct derived *d, const struct query *q, struct graphs *out, struct arena *mem,
		 struct progress *p, struct err *e);
void graphs_free(struct graphs *g);
/* Median length of the calls that launch one kernel each, of the process; UNKNOWN_I64: fewer than three. */
int64_t kernel_call_ns(const struct derived *d, uint32_t process);
/* Time of the host that so many works in graphs save at most where the calls of the graphs take `calls_ns`; UNKNOWN_I64: `each_ns` is. */
int64_t graph_calls_saved(int64_t each_ns, uint64_t work, int64_t calls_ns);
/* A table of them: `each` gets each graph's launches, n of them at v. NULL with `e` on cancel. */
typedef void add_graph(struct table *out, const struct derived *d, const struct graphs *g, const struct graph_launch *v,
		       uint32_t n);
struct table *graphs_table(const struct table_desc *desc, add_graph *each, const struct derived *d,
			   const struct query *q, struct arena *mem, struct progress *p, struct err *e);
#endif
