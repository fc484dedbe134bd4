/* importers/xspace/plane_stretches.h - the events of a plane whose metadata are known, by two threads that each read, decode and take
 * stretches of its lines.
 * Why:    turns.h.
 * Order:  a stretch is taken when the one before it has been, so the trace is made in file order by one thread at a time. */
#ifndef STEPSCOPE_PLANE_STRETCHES_H
#define STEPSCOPE_PLANE_STRETCHES_H

struct xspace;
struct plane_stretches;
/* For the planes of x, one after the other. threads: that may be used, the caller's included. NULL: out of memory. */
struct plane_stretches *plane_stretches_new(struct xspace *x, unsigned threads);
void plane_stretches_free(struct plane_stretches *s); /* NULL is fine */

/* Makes the events of all lines of x->plane those of the trace; when it returns no other thread touches x. */
void plane_stretches_take(struct plane_stretches *s);
#endif
