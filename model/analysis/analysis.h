/* model/analysis/analysis.h - every question once. What there is to say of a table stands in its descriptor, beside its columns;
 * here is the order in which people meet them. From this list come panes (`:table NAME`), report sections,
 * `stepscope table NAME`, completion and the manual. */
#ifndef STEPSCOPE_ANALYSIS_H
#define STEPSCOPE_ANALYSIS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

/* clang-format off */
#define TABLES(_) \
	_(overview) \
	_(trace) \
	_(devices) \
	_(hosts) \
	_(streams) \
	_(tracks) \
	_(steps) \
	_(iterations) \
	_(iteration_kinds) \
	_(attention_context) \
	_(graphs) \
	_(graph_kernels) \
	_(step_parts) \
	_(phases) \
	_(idle) \
	_(idle_causes) \
	_(gaps) \
	_(verdicts) \
	_(gap_groups) \
	_(input) \
	_(input_ops) \
	_(pipelines) \
	_(iterators) \
	_(compiles) \
	_(compiled_regions) \
	_(inductor_kernels) \
	_(program_ops) \
	_(ops) \
	_(op_types) \
	_(roofline) \
	_(op_tree) \
	_(kernels) \
	_(kernel_families) \
	_(gpu_metrics) \
	_(launches) \
	_(threads) \
	_(launch_order) \
	_(fusion) \
	_(copies) \
	_(collectives) \
	_(collective_steps) \
	_(collective_sizes) \
	_(replicas) \
	_(device_pairs) \
	_(pipeline_stages) \
	_(comm_groups) \
	_(all_to_all) \
	_(memory) \
	_(memory_peak) \
	_(memory_curve) \
	_(memory_steps) \
	_(allocations) \
	_(xla_memory) \
	_(xla_buffers) \
	_(xla_heap) \
	_(launch_totals) \
	_(queue) \
	_(latency_histogram) \
	_(tiny_ops) \
	_(syncs) \
	_(precisions) \
	_(tensor_cores) \
	_(findings) \
	_(events) \
	_(notes)
/* clang-format on */

#define TABLE_DECLARED(id) TABLE_DECL(id);
TABLES(TABLE_DECLARED)
#undef TABLE_DECLARED

#define TABLE_COUNTED(id) +1
enum { TABLE_COUNT = TABLES(TABLE_COUNTED) };
#undef TABLE_COUNTED

/* a->run; of a table without rows `why_empty` tells what the trace lacks, where it lacks what such a table is made of. */
struct table *analysis_run(const struct table_desc *a, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, struct err *e);
const struct table_desc *const *analysis_list(uint32_t *n);
const struct table_desc *analysis_at(uint32_t i);         /* by its place in the list */
const struct table_desc *analysis_find(const char *name); /* NULL when unknown */
uint32_t analysis_index(const char *name);                /* its place in the list; NONE_ID when unknown */
/* As many of their names as there is room for; gives how many. */
uint32_t analysis_names(const char **names, uint32_t room);
/* What query.by knows for this table, for i = 0, 1, ...; NULL after the last, and for a table that is grouped in one way. */
const char *analysis_by(const char *table, unsigned i);
#endif
