/* model/analysis/gaps/awake.h - which threads have events in a time, for questions that follow each other in time: a thread that has
 * none sleeps until its next event and is not looked at before.
 * Life: awake_new -> awake_threads any number of times -> awake_free. One thread.
 * Cost: of the threads that have events, and of one look at all whenever a question goes back in time. */
#ifndef STEPSCOPE_AWAKE_H
#define STEPSCOPE_AWAKE_H
#include "model/analysis/derived/derived.h"

struct awake;
struct awake *awake_new(const struct derived *d);
void awake_free(struct awake *w); /* NULL: nothing */
/* Host threads with events in [a, b), in order of their tracks; valid until the next question. */
const uint32_t *awake_threads(struct awake *w, uint32_t host, int64_t a_ns, int64_t b_ns, uint32_t *n);
#endif
