/* model/analysis/steps/phases.h - forward, loss, backward, optimizer: which part of a training step device work belongs to.
 * Names:  what its op or something around its launch is called (rules/phases.rules).
 * Links:  PyTorch's arrows from an op to its gradient's: forward at one end, backward at the other.
 * Order:  a kernel that nothing names is forward when it begins before the first backward kernel of its step.
 * Sums:   device work clipped to the window, overlapping work added up: phases and other make all of it.
 * Life:   phases_new -> phase_of_work... -> phases_free. One thread. */
#ifndef STEPSCOPE_PHASES_H
#define STEPSCOPE_PHASES_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/phase_rules.h"
#include "model/analysis/query/shared.h"
#include "model/query.h"

enum phase_by { PHASE_BY_NOTHING, PHASE_BY_NAME, PHASE_BY_LINK, PHASE_BY_ORDER, PHASE_WAYS };
enum { WAYS_THAT_TELL = PHASE_WAYS - PHASE_BY_NAME };
struct work_phase_of {
	enum work_phase phase;
	enum phase_by by;
};
struct phases;
struct phases *phases_new(const struct derived *d, struct err *e);
void phases_free(struct phases *p);
struct work_phase_of phase_of_work(struct phases *p, row_id r); /* by names and links only */
/* Of a host event: what it and everything around it is called. */
struct work_phase_of phase_of_host(struct phases *p, row_id r);
/* For drawing: by order, too, as far as the neighbours on the stream tell it; each row is looked at once. */
enum work_phase phase_shown(struct phases *p, row_id r);

struct phase_sums {
	uint32_t device, step; /* step: NONE_ID for all of the device's work */
	row_id longest;
	int64_t ns[WORK_PHASES], by_ns[WAYS_THAT_TELL]; /* from PHASE_BY_NAME on */
};
struct phase_stats {
	struct phase_sums *at; /* each device, its steps after it */
	uint32_t n;
	int64_t a_ns, b_ns; /* the window */
};
/* Of the step on the device; of the device's work. */
struct interval phase_sums_time(const struct derived *d, const struct phase_stats *stats, const struct phase_sums *s);
extern const struct shared_part phase_stats_part; /* the struct as a part of answers (query/shared.h) */
#endif
