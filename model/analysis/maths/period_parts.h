/* model/analysis/maths/period_parts.h - a sequence of names cut into parts, and how alike the parts are. Used by period.c only. */
#ifndef STEPSCOPE_PERIOD_PARTS_H
#define STEPSCOPE_PERIOD_PARTS_H
#include "period.h"

/* Runs of one name are one token here. */
struct sequence {
	uint32_t n, n_names, n_tokens;
	uint32_t *name, *first; /* per run: name, and the token it begins with */
	int64_t *at_ns;
	uint8_t *sign;
	uint32_t *from, *pos; /* positions of a name: pos[from[name] .. from[name + 1]) */
	uint32_t *signs;      /* prefix sums of tokens with a sign */
};
struct parts_quality {
	bool alike; /* three quarters of the parts are like the typical part, and they fill most of the sequence, unless the name ends steps */
	bool signs; /* nearly every part holds a sign of a step */
	bool strange_edges; /* the edges hold names that the parts do not */
	double regularity;
};
void sequence_make(struct sequence *s, const struct token *tokens, uint32_t n, uint32_t n_names);
void sequence_free(struct sequence *s);
struct parts_quality parts_check(const struct sequence *s, uint32_t name); /* cut at every occurrence of the name */
void parts_cut(const struct sequence *s, uint32_t name, struct period *out);
#endif
