/* tui/tables/window_stats.h - a window in a few lines: how busy, which kernels and ops, copies, idle time by class. Made of the tables
 * of the same names for that window, their rows summed up by name; no number of its own. */
#ifndef STEPSCOPE_WINDOW_STATS_H
#define STEPSCOPE_WINDOW_STATS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/store/base/arena.h"

/* In the order in which they are shown, and made: the cheap ones first. */
enum stats_part { STATS_BUSY, STATS_IDLE, STATS_COPIES, STATS_OPS, STATS_KERNELS, STATS_PARTS };
enum { STATS_ROWS = 12 };
struct stats_row {
	const char *name;         /* device, cause, direction, op, kernel */
	int64_t ns, count, bytes; /* count and bytes: UNKNOWN_I64 where the table does not say */
};
struct stats {
	struct stats_row rows[STATS_ROWS]; /* the longest, devices in their order */
	uint32_t n, n_all;                 /* how many are listed, and how many names there are */
	int64_t total_ns;                  /* of all names */
};
const char *stats_table(enum stats_part part); /* the table it is made of */
const char *stats_title(enum stats_part part); /* "top kernels" */
/* Texts of `out` live in `mem`. False with `e` when the table could not be made or was cancelled. */
bool window_stats_make(const struct derived *d, const struct query *q, enum stats_part part, struct arena *mem,
		       struct progress *p, struct stats *out, struct err *e);
#endif
