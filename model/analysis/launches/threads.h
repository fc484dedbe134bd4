/* model/analysis/launches/threads.h - which host thread launches for which device, and how late in its steps.
 * Launches: calls are counted with their first work; a graph's replay is one.
 * Windows:  launches that begin inside. */
#ifndef STEPSCOPE_THREADS_H
#define STEPSCOPE_THREADS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

struct thread_use {
	uint32_t track, device; /* NONE_ID: it launched nothing */
	int64_t launches;
	int64_t first_ns; /* median over its steps; UNKNOWN_I64: no launch in a step */
	int64_t skew_ns;  /* UNKNOWN_I64: one device */
	row_id first;     /* its first launch, NONE_ID = none */
	/* of thread_quiet_fill, else unknown */
	int64_t quiet_ns; /* the device does nothing and no thread that launches for it records anything */
	int64_t input_ns; /* input is prepared meanwhile, by any thread of the host; without a device: by this one */
	int64_t off_cpu_ns, cpus; /* the thread is on no CPU while quiet; CPUs on which it runs */
};
struct thread_uses {
	struct thread_use *at; /* by device, then most launches first; threads without launches last */
	uint32_t n;
};
/* In `mem`. False with `e` on cancel. */
bool thread_uses_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct thread_uses *out, struct err *e);
#endif
