/* model/analysis/causes/cause_sums.h - the pieces of a line of causes (cause_lines.h), added up so that any stretch of them costs the same: where
 * many devices wait for one thread each of their idle times holds thousands of them.
 * Life:   made for a line that nobody changes, in `mem`.
 * Blocks: of CAUSE_BLOCK pieces each, the first from the line's first on; what is after the last whole block is in none. Kept are the sums of
 *         all blocks before each one, and the longest piece of 1, 2, 4, ... blocks from each one on, cause by cause.
 * Memory: of each block 16 bytes and 4 for each power of two, times the causes that the line has; two bytes a piece to find it by. */
#ifndef STEPSCOPE_CAUSE_SUMS_H
#define STEPSCOPE_CAUSE_SUMS_H
#include "cause_lines.h"
#include "model/analysis/query/shared.h"

enum { CAUSE_BLOCK = 16, CAUSE_POWERS = 28 };
struct cause_before {
	int64_t ns, trusted;
};
struct cause_sums {
	const struct cause_line *line;
	uint8_t causes[CAUSE_COUNT], place[CAUSE_COUNT]; /* those of the line; where each stands among them */
	uint32_t n_causes, any;                          /* any: bits of them */
	struct cause_before *before;                     /* [block x n_causes + place]: of all blocks before it */
	uint32_t *longest
		[CAUSE_POWERS]; /* [block x (n_causes + 1) + place]: the piece with a row, the first of equal ones, after the
					    causes the longest hole; UINT32_MAX = none */
	uint32_t *uneven;       /* the first block from this one on that is no good in sums: it has no begin, or a
					    hole right after another one */
	uint32_t *mixed;        /* how many pieces before it are; of a joined line */
	uint32_t n, powers;
	uint32_t *places; /* the last piece that begins by each of as many moments, evenly spaced: */
	uint32_t n_places;
	int shift; /* 2^shift ns, from the start of the second piece on */
};
/* Of one cause in some pieces. */
struct cause_sum {
	int64_t ns, trusted; /* trust (percent) x time */
	row_id row;          /* that of the longest piece with one, of equal ones the first, NONE_ID = none, */
	int64_t row_ns;      /* and how long that is */
};
struct cause_range {
	struct cause_sum at[CAUSE_COUNT]; /* by their places in the sums */
	struct interval
		hole; /* the longest one, of equal ones the first, or that with which the pieces began; a hole right after it
				 makes it longer */
	bool mixed; /* one of its pieces is; told of joined lines */
};
/* False: it is too long, sums would not fit. */
bool cause_sums_make(const struct cause_line *l, struct arena *mem, struct cause_sums *out);
/* The piece that holds at ts_ns; the first one before all. */
uint32_t cause_sums_at(const struct cause_sums *x, int64_t ts_ns);
/* The same, mostly piece `near` or the one after it; near: any number. */
static inline uint32_t cause_sums_near(const struct cause_sums *x, uint32_t near, int64_t ts_ns)
{
	const struct cause_line *l = x->line;
	for (uint32_t i = near; i < l->n - 1 && i - near < 2 && l->at[i].at_ns <= ts_ns; i++)
		if (ts_ns < l->at[i + 1].at_ns)
			return i;
	return cause_sums_at(x, ts_ns);
}
/* Pieces [from, to), each of which has a start and an end. hole: with which they begin; empty: none. */
void cause_sums_of(const struct cause_sums *x, uint32_t from, uint32_t to, struct interval hole,
		   struct cause_range *out);
/* Times alone, of one cause that the line has. from > 0. */
struct cause_before cause_sums_within(const struct cause_sums *x, enum cause cause, uint32_t from, uint32_t to);
/* What each cause of the line has before a moment between the begins of the second piece and the last one, by place in the sums. Zeroed: of no
 * moment. */
struct cause_until {
	const struct cause_sums *of;
	int64_t ts_ns;
	int64_t ns[CAUSE_COUNT];
};
void cause_sums_find_until(const struct cause_sums *x, uint32_t near, int64_t ts_ns, struct cause_until *out);
/* Found anew where `kept` is of another moment; near: as above. */
static inline const int64_t *cause_sums_until(const struct cause_sums *x, uint32_t near, int64_t ts_ns,
					      struct cause_until *kept)
{
	if (kept->of != x || kept->ts_ns != ts_ns)
		cause_sums_find_until(x, near, ts_ns, kept);
	return kept->ns;
}

/* The window and all of the idle times that it cuts; of this device alone, NONE_ID = of all. */
struct interval idle_times_cut(const struct derived *d, const struct query *q, uint32_t device);

/* ---- drawn once ------------------------------------------------------------------------------------------------------ */

/* What threads did that launch for many devices: of each the whole line with its sums, drawn once for all who ask about the same time, and only
 * read from then on. A part of answers (query/shared.h). */
struct drawn_line {
	uint32_t track;
	bool scales;            /* an op of the thread scales losses: what waits may ask whether gradients overflowed */
	bool syncs;             /* the name of one of its events says that it waits for the device */
	struct cause_line line; /* `joined`: others tell some of it; else it is the thread's own line */
	struct cause_sums sums;
};
struct cause_drawn {
	const struct drawn_line *at; /* by track; of those alone that launch often enough, and whose pieces add up */
	uint32_t n;
};
extern const struct shared_part cause_drawn_part;
/* NULL: the track has none. */
const struct drawn_line *cause_drawn_of(const struct cause_drawn *x, uint32_t track);
#endif
