/* model/store/trace/lazy_sections.h - parts of a loaded trace that stay packed until somebody asks: the first screens show none of them,
 * and unpacking and looking through them is half of opening a file.
 * Checked when the file is opened: that they are there, fit the rest, and have the checksum written for them. Only a file
 * made wrong on purpose can turn out bad later: then the part is empty, which is noted (NOTE_PART_DAMAGED). When memory runs
 * out the program ends as memory.h says.
 * Threads: any may ask for any part; the first one unpacks, the others wait. */
#ifndef STEPSCOPE_LAZY_SECTIONS_H
#define STEPSCOPE_LAZY_SECTIONS_H
#include "trace_private.h"
#include <pthread.h>

enum late_part { LATER_KERNELS, LATER_FLOWS, LATER_CORRS, LATER_ATTRS, LATER_PARTS };

/* A column of them, for number_at. */
struct late_numbers {
	struct late *late;
	enum late_part part;
	uint64_t *const *values; /* NULL when they turned out bad */
};
struct late {
	struct trace *t;
	struct reader *r;                                    /* with the packed sections kept; no file */
	void (*unpack)(struct late *l, enum late_part part); /* the reader's: fills that part of the trace */
	void (*forget)(struct reader *r);
	pthread_mutex_t lock;
	atomic_bool done[LATER_PARTS];
	struct late_numbers corrs, attrs;
	pthread_t ahead; /* unpacks what the first screens do ask for */
	bool has_ahead;
};

void late_free(struct late *l);                        /* NULL is fine */
void late_unpack(struct late *l, enum late_part part); /* does nothing when it is done */

/* The part is in the trace when this returns. */
static inline void late_need(const struct trace *t, enum late_part part)
{
	if (t->late && !atomic_load_explicit(&t->late->done[part], memory_order_acquire))
		late_unpack(t->late, part);
}
#endif
