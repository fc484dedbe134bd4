/* model/store/trace/lazy_sections.h - sections of a loaded trace that stay packed until first use: the first
 * screens show none of them, and unpacking and checking them takes half the time of opening a file.
 * Checked when the file is opened: that they are there, fit the rest, and have the checksum written for them. Only a file made
 * wrong on purpose can fail later: its section is then empty, which is noted (NOTE_PART_DAMAGED). When memory runs
 * out the program ends as memory.h says.
 * Threads: any thread may ask for any section; the first one unpacks it, the others wait. */
#ifndef STEPSCOPE_LAZY_SECTIONS_H
#define STEPSCOPE_LAZY_SECTIONS_H
#include "trace_private.h"
#include <pthread.h>

enum lazy_section { LAZY_KERNELS, LAZY_FLOWS, LAZY_CORRS, LAZY_ATTRS, LAZY_SECTIONS };

/* A column of them, for number_at. */
struct lazy_numbers {
	struct lazy *lazy;
	enum lazy_section part;
	uint64_t *const *values; /* NULL when the section is damaged */
};
struct lazy {
	struct trace *t;
	struct reader *r;                                       /* with the packed sections kept; no file */
	void (*unpack)(struct lazy *l, enum lazy_section part); /* the reader's: fills that part of the trace */
	void (*forget)(struct reader *r);
	pthread_mutex_t lock;
	atomic_bool done[LAZY_SECTIONS];
	struct lazy_numbers corrs, attrs;
	pthread_t ahead; /* unpacks in the background what the first screens will need */
	bool has_ahead;
};

void lazy_free(struct lazy *l);                           /* NULL is fine */
void lazy_unpack(struct lazy *l, enum lazy_section part); /* does nothing when it is done */

/* The part is in the trace when this returns. */
static inline void lazy_need(const struct trace *t, enum lazy_section part)
{
	if (t->lazy && !atomic_load_explicit(&t->lazy->done[part], memory_order_acquire))
		lazy_unpack(t->lazy, part);
}
#endif
