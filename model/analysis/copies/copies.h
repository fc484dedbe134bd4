/* model/analysis/copies/copies.h - copies of a window in groups: direction, ends, memory, size class, op; whether the step needs
 * them, whether they recur at the same place of each step, and what they block.
 * Place: the n-th copy of a group within its step. It recurs when nine steps in ten have it.
 * Sums:  times are clipped to the window; counts, bytes and rates are of copies that start inside. */
#ifndef STEPSCOPE_COPIES_H
#define STEPSCOPE_COPIES_H
#include "copies_source.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/query.h"

enum { SIZE_CLASSES = 13, SIZE_UNKNOWN = SIZE_CLASSES };
/* Each class is four times as wide as the one before: below 1 KiB, 1-4 KiB, ... 1-4 GiB, beyond. */
uint8_t copy_size_class(int64_t bytes);    /* SIZE_UNKNOWN of UNKNOWN_I64 and below 0 */
const char *copy_size_text(uint8_t class); /* "1-4 MiB"; NULL = unknown */

struct copy_key {
	uint32_t device;
	int16_t from_device, to_device; /* ordinals of the devices at both ends, -1 = as the direction says */
	uint8_t kind, src, dst, is_async, size, expected, by;
	uint8_t pad;
	str_id op, caller;
};
struct copy_group {
	struct copy_key key;
	int64_t count, bytes, min_ns, max_ns;
	int64_t rated, rated_ns; /* copies whose size is known, and their whole time */
	int64_t total_ns, exposed_ns, blocked_ns;
	bool launches_known; /* false: blocked time is unknown */
	int64_t in_steps;    /* copies that belong to a step */
	uint32_t steps_with, of_steps, places;
	row_id longest, first;
	int64_t first_ns, last_end_ns;
};
struct copy_stats {
	struct copy_group *at; /* most time first */
	uint32_t n;
	int64_t total_ns;
};
/* False with `e` on cancel. */
bool copy_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		     struct copy_stats *out, struct err *e);
#endif
