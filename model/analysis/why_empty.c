/* model/analysis/why_empty.c - why a table has no rows: the trace lacks what it is made of, else what it would list. */
#include "analysis.h"
#include <string.h>
#include "model/analysis/comms/comms.h"

static bool has_kind(const struct derived *d, enum event_kind k)
{
	return memchr(derived_columns(d)->kind, k, derived_columns(d)->n) != NULL;
}

static bool has_device_work(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == TRACK_STREAM && trace_track(t, i)->n)
			return true;
	return false;
}

static bool has_steps(const struct derived *d)
{
	return derived_steps(d) > 0;
}

static bool has_kernels(const struct derived *d)
{
	return has_kind(d, KIND_KERNEL);
}

static bool has_ops(const struct derived *d)
{
	return has_kind(d, KIND_OP);
}

static bool has_copies(const struct derived *d)
{
	return has_kind(d, KIND_COPY) || has_kind(d, KIND_MEMSET);
}

static bool has_allocations(const struct derived *d)
{
	const void *rows;
	return trace_side_rows(derived_trace(d), SIDE_ALLOCATIONS, &rows) > 0;
}

static bool has_programs(const struct derived *d)
{
	const void *rows;
	return trace_side_rows(derived_trace(d), SIDE_HLOS, &rows) > 0;
}

static bool has_no_collective_on_host(const struct derived *d)
{
	return !trace_notes(derived_trace(d))->at[NOTE_COLLECTIVE_ON_HOST].count;
}

/* The table that asks has found them all, so they are at hand. */
static bool has_collectives(const struct derived *d)
{
	struct err e = {0};
	const struct comms *comms = comms_of(d, NULL, &e);
	return !comms || comms->x.n > 0;
}

enum need { DEVICE_WORK, KERNELS, STEPS, OPS, COPIES, ALLOCATIONS, PROGRAMS, NOT_ON_HOST, COLLECTIVES, NEEDS };
static const struct {
	bool (*met)(const struct derived *d);
	const char *lacking;
} needs[NEEDS] = {
	[DEVICE_WORK] = {has_device_work, "no device work is recorded in this trace: no kernel, copy or memset"},
	[KERNELS] = {has_kernels,
		     "no kernel is recorded in this trace; the tables ops and streams say what its devices did"},
	[STEPS] = {has_steps,
		   "this trace marks no steps, and nothing in it repeats: mark them, or name the events that "
		   "begin one with --steps-by REGEX"},
	[OPS] = {has_ops, "no framework op is recorded in this trace"},
	[COPIES] = {has_copies, "no copy or memset is recorded in this trace"},
	[ALLOCATIONS] = {has_allocations, "no allocation is recorded in this trace"},
	[PROGRAMS] = {has_programs, "no compiled XLA program is recorded in this trace"},
	[NOT_ON_HOST] = {has_no_collective_on_host,
			 "NCCL's profiler plugin records collectives on the host, not their time on a device; "
			 "`table events` lists them, with --all-columns also count, type and ranks"},
	[COLLECTIVES] = {has_collectives,
			 "no kernel or copy in this trace is known to be communication between devices"},
};

#define NO_ITERATION "no iteration of a server is recorded in this trace or window"
#define NO_GRAPH     "no replayed graph is recorded in this trace or window"

/* What tables are made of, and what they list: the first need that the trace does not meet is the reason; where it meets all, that
 * there is nothing to list. */
#define BIT(need) (1u << (need))
static const struct {
	const char *table;
	uint32_t needs;
	const char *none;
} tables[] = {
	{"devices", BIT(DEVICE_WORK), NULL},
	{"streams", BIT(DEVICE_WORK), NULL},
	{"steps", BIT(STEPS), NULL},
	{"iterations", BIT(STEPS), NO_ITERATION},
	{"iteration_kinds", BIT(STEPS), NO_ITERATION},
	{"attention_context", BIT(STEPS), NO_ITERATION},
	{"graphs", BIT(DEVICE_WORK), NO_GRAPH},
	{"graph_kernels", BIT(DEVICE_WORK), NO_GRAPH},
	{"step_parts", BIT(STEPS), NULL},
	{"phases", BIT(DEVICE_WORK), NULL},
	{"idle", BIT(DEVICE_WORK), NULL},
	{"idle_causes", BIT(DEVICE_WORK), NULL},
	{"gaps", BIT(DEVICE_WORK), NULL},
	{"gap_groups", BIT(DEVICE_WORK), NULL},
	{"verdicts", BIT(DEVICE_WORK), NULL},
	{"program_ops", BIT(PROGRAMS), NULL},
	{"ops", BIT(OPS), NULL},
	{"op_types", BIT(OPS), NULL},
	{"op_tree", BIT(OPS), NULL},
	{"roofline", BIT(DEVICE_WORK), NULL},
	{"kernels", BIT(DEVICE_WORK) | BIT(KERNELS), NULL},
	{"kernel_families", BIT(DEVICE_WORK) | BIT(KERNELS), NULL},
	{"launches", BIT(DEVICE_WORK), NULL},
	{"launch_order", BIT(DEVICE_WORK), NULL},
	{"launch_totals", BIT(DEVICE_WORK), NULL},
	{"queue", BIT(DEVICE_WORK), NULL},
	{"latency_histogram", BIT(DEVICE_WORK), NULL},
	{"tiny_ops", BIT(DEVICE_WORK), NULL},
	{"fusion", BIT(DEVICE_WORK) | BIT(KERNELS),
	 "no element-wise kernels follow each other in this trace or window"},
	{"gpu_metrics", BIT(DEVICE_WORK) | BIT(KERNELS), NULL},
	{"input_ops", 0, "no op of an input pipeline is recorded in this trace or window"},
	{"pipelines", 0, "no input pipeline of tf.data is recorded in this trace or window"},
	{"iterators", 0, "no iterator of tf.data is recorded in this trace or window"},
	{"compiles", 0, "no compilation is recorded in this trace or window"},
	{"compiled_regions", 0, "no region of torch.compile is recorded in this trace or window"},
	{"inductor_kernels", 0, "no kernel written by Inductor is recorded in this trace or window"},
	{"replicas", BIT(DEVICE_WORK), NULL},
	{"syncs", 0, "no call in this trace or window waits for a device"},
	{"copies", BIT(COPIES), NULL},
	{"collectives", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES), NULL},
	{"collective_steps", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES), NULL},
	{"collective_sizes", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES), NULL},
	{"comm_groups", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES), NULL},
	{"device_pairs", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK), NULL},
	{"pipeline_stages", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES), NULL},
	{"all_to_all", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES), NULL},
	{"memory", BIT(ALLOCATIONS), NULL},
	{"memory_peak", BIT(ALLOCATIONS), NULL},
	{"memory_curve", BIT(ALLOCATIONS), NULL},
	{"memory_steps", BIT(ALLOCATIONS) | BIT(STEPS), NULL},
	{"allocations", BIT(ALLOCATIONS), NULL},
	{"xla_memory", BIT(PROGRAMS), NULL},
	{"xla_buffers", BIT(PROGRAMS), NULL},
	{"xla_heap", BIT(PROGRAMS), NULL},
	{"precisions", BIT(DEVICE_WORK) | BIT(KERNELS), NULL},
	{"tensor_cores", BIT(DEVICE_WORK) | BIT(KERNELS),
	 "no product in this trace or window could use Tensor Cores and does not"},
};

/* The order in which they are told. */
static const enum need order[NEEDS] = {NOT_ON_HOST, DEVICE_WORK, KERNELS, COPIES,     OPS,
				       ALLOCATIONS, PROGRAMS,    STEPS,   COLLECTIVES};

static const char *lacking(const struct derived *d, uint32_t wanted)
{
	for (size_t i = 0; i < NEEDS; i++)
		if (wanted & BIT(order[i]) && !needs[order[i]].met(d))
			return needs[order[i]].lacking;
	return NULL;
}

/* What a filter leaves out is not missing in the trace. */
static const char *why_empty(const struct derived *d, const struct query *q, const char *table)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		if (strcmp(tables[i].table, table) != 0)
			continue;
		const char *lacks = lacking(d, tables[i].needs);
		return lacks || (q && q->filter) ? lacks : tables[i].none;
	}
	return NULL;
}

struct table *analysis_run(const struct table_desc *a, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, struct err *e)
{
	struct table *t = a->run(d, q, mem, p, e);
	if (t && !t->n_rows && !t->why_empty)
		t->why_empty = why_empty(d, q, a->name);
	return t;
}
