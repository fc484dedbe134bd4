/* model/analysis/maths/period.h - finds what repeats in a sequence of names: where steps begin when the program marks none.
 * Pure: no trace, no time of day. Cost O(n log n); memory about 40 bytes per token, freed before it returns.
 *
 * Method. Runs of one name count as one token. A name that comes back at an even distance (three quarters of the distances
 * within an eighth of their median) votes for its count; names that come once per step agree, those of a layer vote for
 * layers. A count is checked by cutting the sequence at its most even name and comparing every part with the typical part
 * (sum of the smaller counts of each name / sum of the larger ones). Of the counts that hold, the one wins whose parts
 * each hold a sign of a step (input or result copy, optimizer, data loader, graph launch); without signs the longest part,
 * and only when the edges of the sequence consist of the same names: an edge of its own, like an embedding before the
 * layers, shows that the parts are less than a step. A step begins after the longest pause, or where it begins in another
 * sequence of the same program: pauses differ between ranks, and their steps must be cut at one place. */
#ifndef STEPSCOPE_PERIOD_H
#define STEPSCOPE_PERIOD_H
#include <stdbool.h>
#include <stdint.h>

enum token_sign { SIGN_NONE, SIGN_WEAK, SIGN_BEGIN, SIGN_END }; /* SIGN_END: a step ends after this token */
struct token {
	int64_t at_ns;
	uint32_t name; /* below n_names */
	uint8_t sign;
};
struct period {
	uint32_t *
		cut; /* tokens at which steps begin, and the token after the last step: n_steps + 1 entries; free() it */
	uint32_t n_steps;
	uint32_t name;     /* at which it is cut */
	double regularity; /* mean likeness of a step and the typical step, 0..1 */
	const char *why;   /* what the steps follow; on failure: why none are claimed */
	bool told; /* by the data loader or the optimizer, which mark whole steps; work that repeats may be a part of one */
	bool too_few; /* tokens to see anything repeat */
};
/* Fills *out. like: the name at which another rank is cut, taken where it cuts these as often and as evenly; n_names: there is none.
 * False when nothing repeats; out->why then says why. */
bool period_find(const struct token *tokens, uint32_t n, uint32_t n_names, uint32_t like, struct period *out);
#endif
