/* model/analysis/query/halves.h - work that goes device by device or track by track, shared between two threads: one reads those before a
 * middle, the other one the rest.
 * Readers: each writes only what is its own (rules, memos, sums, memory); READER_APART in front of a reader's first member keeps two of them
 *          in an array off each other's cache lines, without which they are as slow as one.
 * Order:   what the second one found goes after what the first one found: nothing depends on the number of threads.
 * Few:     where one thread is enough the middle is the end, and there is no second reader. */
#ifndef STEPSCOPE_HALVES_H
#define STEPSCOPE_HALVES_H
#include "model/analysis/derived/derived.h"

#define READER_APART _Alignas(128)

struct halves {
	uint32_t middle, end;
};
/* Of all devices, and of all tracks; as many rows of streams on either side as the places allow. */
struct halves halves_of_devices(const struct derived *d);
struct halves halves_of_tracks(const struct derived *d);
/* Of all tracks; as many rows of threads of hosts on either side as the places allow. */
struct halves halves_of_threads(const struct derived *d);
/* Of all steps: as many on either side. */
struct halves halves_of_steps(const struct derived *d);
/* Of a list of n that stands for rows: its middle. */
struct halves halves_of_list(const struct derived *d, uint32_t n);
static inline bool halves_two(const struct halves *h)
{
	return h->middle < h->end;
}
/* Calls `read` with each reader and its [from, to). False when one of them was. */
bool halves_read(const struct halves *h, bool (*read)(void *reader, uint32_t from, uint32_t to), void *first,
		 void *second);
/* The rows that both found, the second one's after the first one's. */
void *halves_joined(struct arena *mem, const void *first, size_t n, const void *second, size_t more, size_t row_bytes);
#endif
