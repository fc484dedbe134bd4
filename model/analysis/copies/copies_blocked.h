/* model/analysis/copies/copies_blocked.h - time in which a device copies and computes nothing, and how much of it a kernel waited.
 * Exposed: no kernel runs on the device. Blocked: moreover the kernel that runs next had been launched already, or its
 *          thread could not launch it because it waited for the copy. A moment with several copies belongs to the one that
 *          began first, so that sums are times.
 * Feed:    copies and kernels of one device in order of start. Life: zero-initialise, set d and done -> copies_blocked_copy,
 *          copies_blocked_kernel -> copies_blocked_end (frees). */
#ifndef STEPSCOPE_COPIES_BLOCKED_H
#define STEPSCOPE_COPIES_BLOCKED_H
#include "model/analysis/derived/derived.h"

struct copy_piece {
	int64_t a_ns, b_ns;
	row_id row;
	uint32_t tag; /* the caller's */
};
struct copies_blocked {
	const struct derived *d;
	void (*found)(void *arg, uint32_t tag, int64_t exposed_ns, int64_t blocked_ns);
	void *arg;
	struct copy_piece *at; /* [head, n): not yet after the last kernel seen */
	uint32_t head, n, cap;
	int64_t covered_ns; /* up to here a copy has been counted */
	int64_t kernels_ns; /* up to here a kernel runs */
	bool begun;
};
void copies_blocked_copy(struct copies_blocked *x, row_id r, int64_t a_ns, int64_t b_ns, uint32_t tag);
void copies_blocked_kernel(struct copies_blocked *x, row_id r);
bool copies_blocked_pending(const struct copies_blocked *x); /* a copy waits for the kernel after it */
void copies_blocked_end(struct copies_blocked *x);
#endif
