/* model/analysis/launches/launch_cells.h - the columns that every table of launches has, filled in one place. A table says where
 * they stand in it: static const uint8_t at[] = {LAUNCH_CELLS(PLACE)}, where PLACE(id) is [LAUNCH_CELL_##id] = its column. */
#ifndef STEPSCOPE_LAUNCH_CELLS_H
#define STEPSCOPE_LAUNCH_CELLS_H
#include "launch_groups.h"
#include "model/analysis/query/cells.h"

/* clang-format off */
#define LAUNCH_CELLS(_) \
	_(COUNT) _(CALLS) _(CALL) _(WORK) _(BOUND) _(UNLAUNCHED) _(SHORT) _(GRAPHPCT) _(UNKNOWN) _(EARLY) _(QUEUE) \
	_(LATENCY50) _(LATENCY95) _(LATENCY99) _(LATENCYMAX) _(CALL50) _(CALL99) _(CALLFAR) _(WORK50)
/* clang-format on */
enum launch_cell {
#define LAUNCH_CELL_ENUM(id) LAUNCH_CELL_##id,
	LAUNCH_CELLS(LAUNCH_CELL_ENUM)
#undef LAUNCH_CELL_ENUM
		LAUNCH_CELL_COUNT_
};

/* Those that are sums and counts. The others take time with the number of works: */
void launch_sum_cells(struct cell *row, const uint8_t at[LAUNCH_CELL_COUNT_], const struct launch_groups *all,
		      uint32_t group);
/* LATENCY*: gives the spread, for what a table tells of it beyond. */
struct launch_spread launch_latency_cells(struct cell *row, const uint8_t at[LAUNCH_CELL_COUNT_],
					  const struct launch_groups *all, uint32_t group);
/* CALL50, CALL99, CALLFAR, WORK50. */
void launch_call_cells(struct cell *row, const uint8_t at[LAUNCH_CELL_COUNT_], const struct launch_groups *all,
		       uint32_t group);
#endif
