/* model/analysis/steps/breakdown.h - what the time of a step went to: each moment goes to one class, the most important one active.
 * Step time: from the start of the marker to the later of its end and the end of the last member, but not beyond the next marker
 * of the same name and process (derived/step_times.c); steps without a marker: their work on the device. What runs in that time
 * counts, whichever step launched it; of steps without a marker, of which several may run at once, their members only.
 * Host events count on the marker's thread and on the threads that launched the step's work; without device work, on
 * every thread that the file ties to the step. Collectives that run on the host (gloo, MPI) count on whatever thread of the process, but
 * where ops of the step's threads compute beside them. Waiting for input is what the causes of idle time call so on these threads
 * (thread_causes.h); where they wait for the device or in a call of Python they do no work. Time of other Python frames, of markers and
 * of anything that encloses the whole step counts for no class: it tells where a program is, not what it does.
 * Life: breakdown_new -> breakdown_step any number of times -> breakdown_free. One thread. */
#ifndef STEPSCOPE_BREAKDOWN_H
#define STEPSCOPE_BREAKDOWN_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

/* In order of importance: of several active at one moment the first one counts (SEMANTICS.md, X8.1).
 *   id, what it is */
#define TIME_CLASSES(_)                                     \
	_(COMPUTE, "kernels and memsets on the device")     \
	_(OUTPUT, "copies from the device to the host")     \
	_(D2D, "copies between devices or inside one")      \
	_(INPUT_WAIT, "host waits for the input pipeline")  \
	_(COLLECTIVES, "collective communication")          \
	_(LAUNCH, "host calls that launch device work")     \
	_(INPUT_COPY, "copies from the host to the device") \
	_(COMPILE, "compilation on the host")               \
	_(HOST, "other work on the host")

enum time_class {
#define TIME_ENUM(id, help) TIME_##id,
	TIME_CLASSES(TIME_ENUM)
#undef TIME_ENUM
		TIME_COUNT,
	TIME_NONE = TIME_COUNT
};
struct breakdown {
	int64_t a_ns, b_ns;               /* step time, clipped to the query's window */
	int64_t ns[TIME_COUNT], other_ns; /* add up to b_ns - a_ns */
	uint32_t classes;                 /* bits: no others have time */
	uint32_t n_events;                /* with a filter: those that pass it */
	bool cut;                         /* the window cuts the step, or one that was exported did */
};
struct breakdowns;
struct breakdowns *breakdown_new(const struct derived *d, const struct query *q);
void breakdown_free(struct breakdowns *b); /* NULL: nothing */
const struct derived *breakdowns_derived(const struct breakdowns *b);
/* device: NONE_ID for a step without device work. */
void breakdown_step(struct breakdowns *b, uint32_t step, uint32_t device, struct breakdown *out);
/* The same of one of derived_step_devices. */
void breakdown_part(struct breakdowns *b, const struct step_device *part, struct breakdown *out);
/* The same of [a, b), whatever of it lies in the step: what its threads and the device do, before it and after it, too. */
void breakdown_around(struct breakdowns *b, uint32_t step, uint32_t device, int64_t a_ns, int64_t b_ns,
		      struct breakdown *out);
/* The same of what the device does, without a look at any thread: classes before TIME_INPUT_WAIT, from which nothing that a host does takes
 * time; the others are 0, and all of their time is in other_ns. `device`: not NONE_ID. */
void breakdown_device_around(struct breakdowns *b, uint32_t step, uint32_t device, int64_t a_ns, int64_t b_ns,
			     struct breakdown *out);
/* As the reference tool does: all devices of the host together, host events only where the host has no device work. Step
 * time: the step's longest uninterrupted time on a device (breakdown_spans.h), without device work the marker. False: the
 * step is none for it, because it has no compute (without devices: no host compute), or the window has none of it. */
bool breakdown_pooled(struct breakdowns *b, uint32_t step, struct breakdown *out);
/* step_time of a step without a marker, and where the reference tool's numbers are computed. */
void step_time_by_work(const struct derived *d, uint32_t step, uint32_t device, int64_t *a_ns, int64_t *b_ns);
/* Step time on one device (or of the marker, NONE_ID), not clipped. */
static inline void step_time(const struct derived *d, uint32_t step, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct step *s = derived_step(d, step);
	*a_ns = s->start_ns;
	*b_ns = s->time_end_ns;
	if ((s->marker == NONE_ID && !s->inferred) || derived_public(d)->semantics == SEM_XPROF)
		step_time_by_work(d, step, device, a_ns, b_ns);
}
#endif
