/* model/store/trace/arrows.h - the arrows of bound flow points, for flows.c. Two threads share the flows by the half of the points
 * that a flow begins in; what they make is what one would.
 * Life: arrows_new -> arrows_chain -> arrows_sort -> arrows_free. */
#ifndef STEPSCOPE_ARROWS_H
#define STEPSCOPE_ARROWS_H
#include "trace_private.h"

/* Points in file order, bound to their rows, and how they follow each other. */
struct flow_chains {
	const struct flow_point *points;
	size_t n;
	const uint32_t *next;   /* point -> the next one of its flow, as index + 1; 0 = it is the last one */
	const uint64_t *begins; /* bit per point: a flow begins with it */
};
struct arrows;
struct arrows *arrows_new(unsigned threads); /* as many as may be used; NULL when memory is out */
/* Makes the arrows, counts their points as merged in the notes of t and the others as unbound. False when memory is out. */
bool arrows_chain(struct arrows *a, struct trace *t, const struct flow_chains *x);
/* They become those of t, by the rows where they start and end. Of the points nothing is needed any more: their memory may be spare.
 * False when memory is out. */
bool arrows_sort(struct arrows *a, struct trace *t, struct spare *spare);
void arrows_free(struct arrows *a); /* NULL is fine */
#endif
