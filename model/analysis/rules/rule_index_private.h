/* model/analysis/rules/rule_index_private.h - what the making of an index (rule_index.c) and the asking (rule_index_ask.c) share. */
#ifndef STEPSCOPE_RULE_INDEX_PRIVATE_H
#define STEPSCOPE_RULE_INDEX_PRIVATE_H
#include "rule_index.h"
#include "pattern_class.h"
#include "rules_file.h"

/* A state is what was read last, as far as it begins a word; state 0 is the beginning. */
enum { ROOT = 0 };
/* In `next`, beside the state: that one adds rules. */
enum { ADDS = 1 << 15, STATE = ADDS - 1 };

/* A word of which more is asked than its letters: what was read is compared with it. */
struct exact {
	const char *text; /* NULL: its case does not count */
	uint8_t n;
	uint16_t rule, next;                     /* of the same state; 0 ends the chain */
	const struct word_edge *before, *behind; /* what stands beside it; NULL: anything may */
};

struct kept_text; /* rule_index_ask.c */

struct rule_index {
	/* what it is made of, when it is first asked */
	const struct rule_list *lists[RULE_LISTS_MOST];
	uint32_t n_lists, n_rules;
	enum rule_index_of of;
	struct arena *mem;
	bool made;
	uint8_t letter[256]; /* of a byte; capitals as small ones, 0 is all that no word has */
	uint32_t shift;      /* of a state in `next` */
	uint16_t *next;      /* by state and letter */
	uint8_t *letters;    /* by state: how many it stands for */
	uint16_t *fallback;  /* by state: the longest other beginning of a word that it ends with */
	uint16_t *seen;      /* by state: which row of `rules` it adds; 0 is none */
	uint32_t cells;      /* of such a row that are in use */
	uint64_t (*rules)[RULE_INDEX_CELLS];
	struct exact *exact;   /* from 1 on */
	uint16_t *first_exact; /* by state: in `exact`; 0 is none */
	uint16_t *with_exact;  /* by state: this one or its nearest fallback that has some; ROOT is none */
	uint16_t sure_bytes[RULE_INDEX_RULES]; /* 0 where its words are not all that a rule asks for */
	uint64_t look_behind[RULE_INDEX_CELLS];
	uint64_t always[RULE_INDEX_CELLS]; /* rules without words; all rules where `next` is NULL */
	struct kept_text *kept;            /* texts asked before; NULL: none yet */
};

/* Makes the automaton; once. */
void rule_index_make(struct rule_index *x);
static inline void rule_index_set(uint64_t *cells, uint32_t rule)
{
	cells[rule / 64] |= UINT64_C(1) << rule % 64;
}
#endif
