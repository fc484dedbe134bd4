/* model/analysis/why_empty.c - why a table has no rows, where the whole trace lacks what it is made of. */
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

enum need { DEVICE_WORK, STEPS, OPS, COPIES, ALLOCATIONS, PROGRAMS, NOT_ON_HOST, COLLECTIVES, NEEDS };
static const struct {
	bool (*met)(const struct derived *d);
	const char *lacking;
} needs[NEEDS] = {
	[DEVICE_WORK] = {has_device_work, "the trace holds no work of a device: no kernel, no copy, no memset"},
	[STEPS] = {has_steps, "the trace has no steps, and nothing that repeats: mark them, or name events that stand "
			      "for steps with --steps-by REGEX"},
	[OPS] = {has_ops, "the trace holds no op of a framework"},
	[COPIES] = {has_copies, "the trace holds no copy and no memset"},
	[ALLOCATIONS] = {has_allocations, "no allocation was recorded (PyTorch: profile_memory=True)"},
	[PROGRAMS] = {has_programs, "the trace holds no compiled XLA program"},
	[NOT_ON_HOST] = {has_no_collective_on_host,
			 "NCCL's profiler plugin tells of collectives on the host, not of their time on a device; "
			 "`table events` has them, with --all-columns count, type and ranks"},
	[COLLECTIVES] = {has_collectives,
			 "no kernel and no copy of the trace is known to be communication between devices"},
};

/* What tables are made of; the first that the trace lacks is told. */
#define BIT(need) (1u << (need))
static const struct {
	const char *table;
	uint32_t needs;
} tables[] = {
	{"devices", BIT(DEVICE_WORK)},
	{"streams", BIT(DEVICE_WORK)},
	{"steps", BIT(STEPS)},
	{"iterations", BIT(STEPS)},
	{"graphs", BIT(DEVICE_WORK)},
	{"graph_kernels", BIT(DEVICE_WORK)},
	{"step_parts", BIT(STEPS)},
	{"phases", BIT(DEVICE_WORK)},
	{"idle", BIT(DEVICE_WORK)},
	{"idle_causes", BIT(DEVICE_WORK)},
	{"gaps", BIT(DEVICE_WORK)},
	{"gap_groups", BIT(DEVICE_WORK)},
	{"verdicts", BIT(DEVICE_WORK)},
	{"program_ops", BIT(PROGRAMS)},
	{"ops", BIT(OPS)},
	{"op_types", BIT(OPS)},
	{"op_tree", BIT(OPS)},
	{"roofline", BIT(DEVICE_WORK)},
	{"kernels", BIT(DEVICE_WORK)},
	{"kernel_families", BIT(DEVICE_WORK)},
	{"launches", BIT(DEVICE_WORK)},
	{"launch_order", BIT(DEVICE_WORK)},
	{"launch_totals", BIT(DEVICE_WORK)},
	{"queue", BIT(DEVICE_WORK)},
	{"latency_histogram", BIT(DEVICE_WORK)},
	{"tiny_ops", BIT(DEVICE_WORK)},
	{"fusion", BIT(DEVICE_WORK)},
	{"copies", BIT(COPIES)},
	{"collectives", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES)},
	{"collective_steps", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES)},
	{"collective_sizes", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES)},
	{"comm_groups", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES)},
	{"device_pairs", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK)},
	{"pipeline_stages", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES)},
	{"all_to_all", BIT(NOT_ON_HOST) | BIT(DEVICE_WORK) | BIT(COLLECTIVES)},
	{"memory", BIT(ALLOCATIONS)},
	{"memory_peak", BIT(ALLOCATIONS)},
	{"memory_curve", BIT(ALLOCATIONS)},
	{"memory_steps", BIT(ALLOCATIONS) | BIT(STEPS)},
	{"allocations", BIT(ALLOCATIONS)},
	{"xla_memory", BIT(PROGRAMS)},
	{"xla_buffers", BIT(PROGRAMS)},
	{"xla_heap", BIT(PROGRAMS)},
	{"precisions", BIT(DEVICE_WORK)},
	{"tensor_cores", BIT(DEVICE_WORK)},
};

/* The order in which they are told. */
static const enum need order[NEEDS] = {NOT_ON_HOST, DEVICE_WORK, COPIES, OPS,
				       ALLOCATIONS, PROGRAMS,    STEPS,  COLLECTIVES};

static const char *lacking(const struct derived *d, const char *table)
{
	uint32_t wanted = 0;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		wanted |= strcmp(tables[i].table, table) == 0 ? tables[i].needs : 0;
	for (size_t i = 0; i < NEEDS; i++)
		if (wanted & BIT(order[i]) && !needs[order[i]].met(d))
			return needs[order[i]].lacking;
	return NULL;
}

struct table *analysis_run(const struct table_desc *a, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, struct err *e)
{
	struct table *t = a->run(d, q, mem, p, e);
	if (t && !t->n_rows && !t->why_empty)
		t->why_empty = lacking(d, a->name);
	return t;
}
