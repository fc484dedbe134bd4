/* model/store/trace/lazy_sections.h - sections of a loaded trace that stay packed until first use: the first
 * screens show none of them, and unpacking and checking them takes half the time of opening a file. Numbers of events and facts of
 * kernels are unpacked piece by piece: what looks at a part of the trace unpacks that part.
 * Checked when the file is opened: that they are there, fit the rest, and have the checksum written for them. Only a file made
 * wrong on purpose can fail later: its section, or its piece of numbers or facts, is then empty, which is noted (NOTE_PART_DAMAGED). When
 * memory runs out the program ends as memory.h says.
 * Threads: any thread may ask for any section; the first one unpacks it, the others wait. */
#ifndef STEPSCOPE_LAZY_SECTIONS_H
#define STEPSCOPE_LAZY_SECTIONS_H
#include "trace_private.h"
#include <pthread.h>

enum lazy_section { LAZY_KERNELS, LAZY_FLOWS, LAZY_CORRS, LAZY_ATTRS, LAZY_SECTIONS };

enum { LAZY_CHUNK_SHIFT = 16, LAZY_KERNELS_SHIFT = 6 };
enum lazy_answer { LAZY_UNASKED, LAZY_NO, LAZY_YES };
/* A column of them, for number_at. */
struct lazy_numbers {
	struct lazy *lazy;
	enum lazy_section part;
	uint64_t **values; /* the trace's; NULL: nobody has asked yet, or the section is damaged */
	_Atomic(_Atomic(uint8_t) *)
		made; /* per chunk of 1 << LAZY_CHUNK_SHIFT rows: it is in `values`; NULL like these */
	/* guarded by the section's lock */
	size_t *at;        /* where each chunk begins in the packed section */
	uint8_t *unpacked; /* per chunk: as far as it needs no others */
};
struct lazy {
	struct trace *t;
	struct reader *r;                                       /* with the packed sections kept; no file */
	void (*unpack)(struct lazy *l, enum lazy_section part); /* the reader's: fills that part of the trace */
	void (*check_numbers)(struct lazy_numbers *x); /* notes what is damaged, keeps nothing of what is not */
	void (*make_chunk)(struct lazy_numbers *x, uint64_t chunk); /* the same of a chunk of numbers, under the lock */
	void (*forget)(struct reader *r);
	/* the same of facts of kernels, 1 << LAZY_KERNELS_SHIFT rows of them at a time; under the section's lock */
	void (*make_kernels)(struct lazy *l, uint64_t piece);
	void (*make_wanted)(struct lazy *l, const unsigned char *wanted); /* the pieces that have a 1 there */
	void (*check_kernels)(struct lazy *l);
	bool (*kernels_tell)(struct lazy *l, size_t member); /* whether any has another value than 0 there */
	void (*forget_kernels)(struct lazy *l);
	struct packed_kernels *kernels;           /* the reader's; NULL: nobody has asked yet, or all are made */
	_Atomic(_Atomic(uint8_t) *) kernels_made; /* per piece; NULL: nobody has asked yet */
	pthread_mutex_t lock[LAZY_SECTIONS];
	atomic_bool done[LAZY_SECTIONS];
	bool checked[LAZY_SECTIONS]; /* what is unpacked by chunks only; guarded by the lock */
	struct lazy_numbers corrs, attrs;
	atomic_int modules, texts; /* enum lazy_answer: do kernels tell modules? what trace_kernel_with_texts reads? */
};

void lazy_free(struct lazy *l);                           /* NULL is fine */
void lazy_unpack(struct lazy *l, enum lazy_section part); /* does nothing when it is done */
void lazy_kernel(struct lazy *l, uint32_t row);           /* one row of the facts of kernels, and its piece */

/* The part is in the trace when this returns. */
static inline void lazy_need(const struct trace *t, enum lazy_section part)
{
	if (t->lazy && !atomic_load_explicit(&t->lazy->done[part], memory_order_acquire))
		lazy_unpack(t->lazy, part);
}
/* That row of the facts of kernels is in the trace when this returns. */
static inline void lazy_need_kernel(const struct trace *t, uint32_t row)
{
	if (t->lazy && row && !atomic_load_explicit(&t->lazy->done[LAZY_KERNELS], memory_order_acquire))
		lazy_kernel(t->lazy, row);
}
#endif
