/* model/analysis/compare/match.h - rows of two tables that are about the same thing.
 * How: by all keys; what is left by the last key read loosely (loose_name.h); what is left of that, where the table says that the last
 *      key may be another one, by the keys before it alone, then by pairs of last keys that the caller knows of. Rows of one table
 *      with equal keys are one, added up. Where several of a side are alike loosely, they are matched in the order of their first
 *      sums, the largest first. */
#ifndef STEPSCOPE_MATCH_H
#define STEPSCOPE_MATCH_H
#include "model/store/base/arena.h"
#include "model/table.h"

enum match_how { MATCH_SAME, MATCH_NUMBERS, MATCH_OTHER, MATCH_ONLY_A, MATCH_ONLY_B };
const char *match_word(enum match_how m); /* "same", "other numbers", "replaced", "only A", "only B" */

enum { MATCH_SUMS_MAX = 6 };
struct match_row {
	uint32_t row; /* the first of its table's rows; NONE_ID: that side has none */
	double sum[MATCH_SUMS_MAX];
	uint32_t known; /* bits: sums of which a row told a number */
};
struct match {
	enum match_how how;
	struct match_row a, b;
	double change;   /* of the first sum, as compared */
	const char *key; /* all its keys, A's where both have it: the order of what changed alike */
};
struct matches {
	struct match *at;
	uint32_t n;
};
struct match_pair {
	const char *before, *after; /* last keys that stand for each other */
};
struct match_how_to {
	double per
		[2]; /* what the sums of A and of B are divided by where they are compared, for the order of the result */
	bool one_device; /* on both sides, whatever their numbers: rank and device tell nothing apart */
	const struct match_pair *pairs;
	uint32_t n_pairs;
};
/* a, b: tables of `desc`. The result in the order of the changes, the largest first; of
 * equal ones by both sums, then by keys: the same order whatever rows the tables came in. In `mem`. Cost: n log n of their rows. */
struct matches match_rows(const struct table_desc *desc, const struct table *a, const struct table *b,
			  const struct match_how_to *how, struct arena *mem);
#endif
