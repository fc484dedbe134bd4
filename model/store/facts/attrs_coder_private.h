/* model/store/facts/attrs_coder_private.h - what the two directions of attrs_coder.h have in common: shapes, texts, tokens. Both
 * sides do the same with each record, so that what one expects the other one does, too. */
#ifndef STEPSCOPE_ATTRS_CODER_PRIVATE_H
#define STEPSCOPE_ATTRS_CODER_PRIVATE_H
#include "model/store/base/word.h"
#include "attrs.h"
#include "attrs_coder.h"
#include <string.h>

enum {
	CODED_MEMBERS =
		32, /* of a record; one with more ends the coded part of its block, and so does a shape or token too many */
	CODED_SHAPES = 128,
	CODED_TOKENS = 254,
	CODED_END = 254,
	CODED_TOKEN = 255,
	CODED_TEXTS = 1024, /* later ones are written out each time */
	TEXT_SLOTS = 2 * CODED_TEXTS,
	HEAD_NODES = 2048,
	TOKEN_SLOTS = 1024,
};

/* How a member's value is a number; the integers come first. */
enum value_class { VALUE_NUMBER, VALUE_SIGNED, VALUE_REAL, VALUE_NONE, VALUE_TEXT };

/* Key and type as they stand in the log. */
struct head {
	uint64_t word; /* its bytes, the first one lowest */
	uint8_t size;  /* of them */
	uint8_t class; /* enum value_class */
};
struct member {
	struct head head;
	uint64_t last, step, before; /* before: the last difference */
};
struct shape {
	unsigned n;
	/* of the coding side: the mask that came last, and index + 1 of its token, 0 = none */
	uint32_t mask;
	unsigned token;
	struct member member[CODED_MEMBERS];
};
struct token {
	uint32_t shape, mask; /* bit i: the number of member i comes */
};
struct known_text {
	uint32_t at, n; /* in the block's bytes of the log */
};
/* The heads of all shapes as a tree: one that several shapes begin with is one node. */
struct head_node {
	struct head head;
	uint64_t bits;                   /* of a word that are the head's; the root has all, so that no head is its */
	uint16_t parent, child, sibling; /* index, 0 = none; child: the one that came last */
	uint8_t shape;                   /* index + 1 of the one that ends here, 0 = none */
};
struct attrs_coder {
	unsigned n_shapes, n_tokens, n_texts;
	struct shape shape[CODED_SHAPES];
	struct token token[CODED_TOKENS];
	struct known_text text[CODED_TEXTS];
	/* of the coding side only */
	unsigned n_nodes;
	struct head_node node[HEAD_NODES]; /* the first one is the root */
	uint8_t token_at[TOKEN_SLOTS];     /* index + 1 by hash, 0 = none */
	uint16_t text_at[TEXT_SLOTS];
};

/* The varint at `from`, which has CODED_SLACK bytes to be touched; *size receives its bytes, 0 when it is none or is longer than
 * it has to be: nobody writes such a one, and it would not come back. */
uint64_t coded_long_varint(const unsigned char *from, unsigned *size);
static inline uint64_t coded_varint(const unsigned char *from, unsigned *size)
{
	uint32_t w = (uint32_t)load_word(from), stop = ~w & 0x80808080;
	if (stop & 0x80) { /* half of them */
		*size = 1;
		return w & 0x7f;
	}
	if (!stop)
		return coded_long_varint(from, size);
	unsigned top = (unsigned)__builtin_ctz(stop); /* bit of the last byte */
	*size = (top + 1) / 8;
	if (!(w >> (top - 7) & 0x7f))
		*size = 0;
	w &= stop ^ (stop - 1);
	w = (w & 0x7f007f00) >> 1 | (w & 0x007f007f);
	return (w & 0x3fff0000) >> 2 | (w & 0x3fff);
}

/* Key and type at `from`; false when they are none. */
bool coded_head(struct head *h, const unsigned char *from);
/* The number of a member is v; returns its difference to the last one. */
static inline uint64_t coded_step(struct member *m, uint64_t v)
{
	uint64_t d = v - m->last;
	m->step = d == m->before ? d : m->step;
	m->before = d;
	m->last = v;
	return d;
}
#endif
