/* model/analysis/launches/first_launches.h - launches for each device, and the first one of each step for each.
 * Launches: calls are counted with their first work; a graph's replay is one.
 * Windows:  launches that begin inside.
 * Life:     zeroes, and d -> first_launches_add any number of times -> first_launches_free. */
#ifndef STEPSCOPE_FIRST_LAUNCHES_H
#define STEPSCOPE_FIRST_LAUNCHES_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

/* A launch and the device that it is for. */
typedef void each_launch_fn(void *arg, row_id launch, uint32_t device);
/* All of the query, device by device and stream by stream. False with `e` on cancel. */
bool each_launch(const struct derived *d, const struct query *q, struct progress *p, each_launch_fn *take, void *arg,
		 struct err *e);

/* The first launch of a step for a device. */
struct device_launch {
	uint32_t step, device;
	row_id launch;
};
struct first_launches {
	const struct derived *d;
	struct device_launch *at; /* in the order met */
	uint32_t n, cap;
	uint32_t *place; /* per step: the place in `at` of what the device met last has of it; NULL: none was met */
};
/* Those of a device come one after the other. Returns the place of the step's first launch in `at`, which stays. */
uint32_t first_launches_add(struct first_launches *f, row_id launch, uint32_t device, uint32_t step);
/* When that launch begins. */
static inline int64_t first_launch_ns(const struct first_launches *f, const struct device_launch *x)
{
	return derived_columns(f->d)->start_ns[x->launch];
}
void first_launches_free(struct first_launches *f);
#endif
