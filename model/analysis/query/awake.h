/* model/analysis/query/awake.h - which of many tracks have events in a time, for questions that follow each other in time: a track that has
 * none sleeps until its next event and is not looked at before.
 * Life: awake_new -> awake_tracks any number of times -> awake_free. One thread.
 * Cost: of the tracks that have events, and of one look at all whenever a question goes back in time. */
#ifndef STEPSCOPE_AWAKE_H
#define STEPSCOPE_AWAKE_H
#include "model/analysis/derived/derived.h"

struct awake;
/* Of these `n` tracks, which are copied. */
struct awake *awake_new(const struct derived *d, const uint32_t *tracks, uint32_t n);
void awake_free(struct awake *w); /* NULL: nothing */
/* Those with events in [a, b), in the order they were given in; valid until the next question. */
const uint32_t *awake_tracks(struct awake *w, int64_t a_ns, int64_t b_ns, uint32_t *n);
/* The device's streams that may have events in [a, b): all of them where they are few, else those that `*kept` tells, which is made when it
 * is NULL and is for awake_free. */
const uint32_t *awake_streams(struct awake **kept, const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns,
			      uint32_t *n);
uint64_t awake_looks(const struct awake *w); /* how often a track was looked at so far */
#endif
