#include "launch_cells.h"

void launch_sum_cells(struct cell *row, const uint8_t at[LAUNCH_CELL_COUNT_], const struct launch_groups *all,
		      uint32_t group)
{
	const struct launch_group *g = &all->at[group];
	cell_int(&row[at[LAUNCH_CELL_COUNT]], g->count);
	cell_int(&row[at[LAUNCH_CELL_CALLS]], g->calls);
	cell_int(&row[at[LAUNCH_CELL_CALL]], launch_group_ns(all, g, LAUNCH_CALL_NS));
	cell_int(&row[at[LAUNCH_CELL_WORK]], launch_group_ns(all, g, LAUNCH_WORK_NS));
	cell_int(&row[at[LAUNCH_CELL_BOUND]], launch_group_ns(all, g, LAUNCH_BOUND_NS));
	cell_int(&row[at[LAUNCH_CELL_UNLAUNCHED]], launch_group_ns(all, g, LAUNCH_NOT_LAUNCHED_NS));
	cell_int(&row[at[LAUNCH_CELL_SHORT]], g->shorter);
	cell_pct(&row[at[LAUNCH_CELL_GRAPHPCT]], g->graph, g->count - g->no_launch);
	cell_int(&row[at[LAUNCH_CELL_UNKNOWN]], g->no_launch);
	cell_int(&row[at[LAUNCH_CELL_EARLY]], g->early);
	if (g->queue_max)
		cell_int(&row[at[LAUNCH_CELL_QUEUE]], g->queue_max);
}

struct launch_spread launch_latency_cells(struct cell *row, const uint8_t at[LAUNCH_CELL_COUNT_],
					  const struct launch_groups *all, uint32_t group)
{
	struct launch_spread latency = launch_spread(all, group, LAUNCH_LATENCY);
	cell_int(&row[at[LAUNCH_CELL_LATENCY50]], latency.p50_ns);
	cell_int(&row[at[LAUNCH_CELL_LATENCY95]], latency.p95_ns);
	cell_int(&row[at[LAUNCH_CELL_LATENCY99]], latency.p99_ns);
	cell_int(&row[at[LAUNCH_CELL_LATENCYMAX]], latency.max_ns);
	return latency;
}

void launch_call_cells(struct cell *row, const uint8_t at[LAUNCH_CELL_COUNT_], const struct launch_groups *all,
		       uint32_t group)
{
	struct launch_spread call = launch_spread(all, group, LAUNCH_CALL);
	cell_int(&row[at[LAUNCH_CELL_CALL50]], call.p50_ns);
	cell_int(&row[at[LAUNCH_CELL_CALL99]], call.p99_ns);
	cell_int(&row[at[LAUNCH_CELL_CALLFAR]], call.far_ns);
	cell_int(&row[at[LAUNCH_CELL_WORK50]], launch_spread(all, group, LAUNCH_WORK).p50_ns);
}
