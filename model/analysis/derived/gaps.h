/* model/analysis/derived/gaps.h - idle time as rows: between steps (per device), per stream, per device.
 * Step gap N->N+1 on a device = start of the first device work of N+1 minus end of the last device work of N, by
 * membership; <= 0 is "overlapped" and no gap. Without device work in the trace: between markers.
 * Ids: "gap:3" everywhere means index 3 of this list, which does not depend on windows or filters: step gaps first (time
 * order, then device), then device idle intervals, then stream idle intervals. */
#ifndef STEPSCOPE_GAPS_H
#define STEPSCOPE_GAPS_H
#include "derived.h"

enum gap_scope { GAP_STEP, GAP_DEVICE, GAP_STREAM, GAP_SCOPES };
struct gap {
	uint32_t id;
	enum gap_scope scope;
	uint32_t device;                  /* NONE_ID: host-only step gap */
	uint32_t track;                   /* stream, GAP_STREAM only */
	uint32_t step_before, step_after; /* GAP_STEP */
	row_id before, after;             /* last event before and first after it */
	int64_t start_ns, dur_ns;
	int64_t period_ns;     /* GAP_STEP: start of N's first device work to start of N+1's first; else UNKNOWN_I64 */
	int64_t marker_gap_ns; /* GAP_STEP: between the markers (may be <= 0); else, and of inferred steps, UNKNOWN_I64 */
};
/* The event that fills most of a gap; what class of cause it is, if any, says verdict.h. */
struct gap_main_event {
	row_id row; /* host event with the largest self time inside the gap on the launching thread */
	const char *name;
	int64_t self_ns; /* clipped to the gap */
};
struct gap_store; /* owned by derived: computed once on first use, thread-safe */
/* One by one: a trace may have millions of idle intervals. */
uint32_t derived_gap_count(const struct derived *d);
uint32_t derived_step_gap_count(const struct derived *d);                   /* their ids are the first */
bool derived_gap_at(const struct derived *d, uint32_t id, struct gap *out); /* false: no such id */
const struct gap *derived_gap_kept(const struct derived *d, uint32_t id);   /* stays as long as d; NULL: no such id */
/* A gap between steps: what every idle time is compared with, and what the rest of it follows from. */
struct step_gap {
	int64_t start_ns, end_ns;
	uint32_t device; /* NONE_ID: between the markers of a host */
	uint32_t step_before, step_after;
	uint32_t
		part; /* place of the step before in derived_step_devices, the one after follows it; NONE_ID: a host's */
};
/* All of them, by id: by start, then device; those of one device do not overlap. They stay as long as d. Of most only which part of a step
 * is before them is kept: there may be one for each. */
struct step_gaps {
	uint32_t n, n_parts;
	uint32_t *at; /* the part; of a host's gap its place in of_hosts + n_parts */
	const struct step_device *parts;
	struct step_gap *of_hosts;
};
/* All of them; found when first asked for. */
struct step_gaps derived_step_gaps(const struct derived *d);
/* The one of an id below n. */
static inline struct step_gap step_gap_of(const struct step_gaps *s, uint32_t id)
{
	uint32_t i = s->at[id];
	if (i >= s->n_parts)
		return s->of_hosts[i - s->n_parts];
	const struct step_device *before = &s->parts[i], *after = before + 1;
	return (struct step_gap){before->last_ns, after->first_ns, before->device, before->step, after->step, i};
}
const uint32_t *derived_step_gaps_of(const struct derived *d, uint32_t device, uint32_t *n); /* the ids of a device's */
/* When they are, without what lies around them, for those that intersect [a, b): in order of their ids, found without a
 * look at the others. */
struct gap_span {
	uint32_t id;
	enum gap_scope scope;
	int64_t start_ns, dur_ns;
};
struct gap_span derived_gap_span(const struct derived *d, uint32_t id); /* id: one that exists */
/* Ids that will be asked for soon, `near` before `far`: fetches what answers will read. */
void derived_gap_ahead(const struct derived *d, uint32_t far, uint32_t near);
/* Where the gap lies; as struct gap has it, and the host. */
struct gap_lane {
	uint32_t device, track, host;
};
struct gap_lane derived_gap_lane(const struct derived *d, uint32_t id); /* id: one that exists */
/* The step gap of its device in which idle time of a device or stream lies, as an id; NONE_ID = none. */
uint32_t gap_in_step_gap(const struct derived *d, const struct gap_span *span);
struct gap_iter {
	const struct gap_store *gaps;
	int64_t a_ns, b_ns;
	uint32_t run, at, end;
	uint32_t left;              /* at most so many in all, told by gap_iter */
	uint32_t step_run, step_at; /* the step gap of the run's device that gap_last_in_step_gap looked at last */
};
struct gap_iter gap_iter(const struct derived *d, int64_t a_ns, int64_t b_ns);
struct gap_iter gap_iter_idle(const struct derived *d, int64_t a_ns, int64_t b_ns); /* without those between steps */
bool gap_next(struct gap_iter *it, struct gap_span *out);
/* Each idle time of a device that is least_ns long or longer lies in a step gap of that device. */
bool gaps_all_in_step_gaps(const struct derived *d, int64_t least_ns);
/* Whether the idle time that gap_next told last lies in a step gap of its device. */
bool gap_last_in_step_gap(struct gap_iter *it, const struct gap_span *last);
/* The gap of rank k by its whole length (0 = biggest) among those that intersect [a, b), over all devices: step gaps, and
 * idle times of devices that lie in no step gap. Of equal ones the earlier first; shorter than 1 us is none. NULL when there
 * are fewer. */
const struct gap *derived_gap_ranked(const struct derived *d, uint32_t k, int64_t a_ns, int64_t b_ns);
/* Which thread launches the work after the gap; NONE_ID when nothing tells. */
uint32_t gap_thread(const struct derived *d, const struct gap *g);
/* The same of the work and its device. */
uint32_t work_thread(const struct derived *d, row_id work, uint32_t device);
/* Records that a live capture lost in the gap come before all else. False (row NONE_ID) when no host event of the launching
 * thread but step markers lies in it. */
bool derived_main_event(const struct derived *d, const struct gap *g, struct gap_main_event *out);
#endif
