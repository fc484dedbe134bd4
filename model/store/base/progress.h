/* model/store/base/progress.h - what a long job tells about itself, and how it is stopped.
 * Threads: the worker writes with relaxed atomics, anyone reads; `cancel` goes the other way. NULL means that progress is not
 *          reported. */
#ifndef STEPSCOPE_PROGRESS_H
#define STEPSCOPE_PROGRESS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	_Atomic int64_t bytes_done;  /* of the file(s) as stored (compressed bytes for .gz) */
	_Atomic int64_t bytes_total; /* 0 = unknown (stdin) */
	_Atomic int64_t events;
	_Atomic int phase; /* enum progress_phase */
	_Atomic bool cancel;
};
enum progress_phase { PHASE_READ, PHASE_SORT, PHASE_DERIVE, PHASE_DONE, PHASE_EXPORT, PHASE_WRITE };

static inline bool progress_cancelled(struct progress *p)
{
	return p && atomic_load_explicit(&p->cancel, memory_order_relaxed);
}

/* How much of what is written is done, in any unit: told as bytes are. */
static inline void progress_written(struct progress *p, int64_t done, int64_t total)
{
	if (!p)
		return;
	atomic_store_explicit(&p->bytes_total, total, memory_order_relaxed);
	atomic_store_explicit(&p->bytes_done, done, memory_order_relaxed);
}

/* Of a long loop: asks at every turn, looks once in 4096; once cancelled it stays so. */
struct progress_loop {
	struct progress *progress;
	uint32_t turns;
	bool cancelled;
};
static inline bool progress_loop_cancelled(struct progress_loop *l)
{
	if ((++l->turns & 0xfff) == 0 && progress_cancelled(l->progress))
		l->cancelled = true;
	return l->cancelled;
}
#endif
