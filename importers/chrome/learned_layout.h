/* importers/chrome/learned_layout.h - what stands between two values, learned while reading.
 * Why:    a producer writes all entries of one kind alike, blanks included: after the value of "name" comes
 *         `, "pid": 40960, "tid": 41733,\n    "ts": `, and so on. Such texts are remembered with what was found in them, as a
 *         tree of the ways through an entry. Where one stands again - a comparison of up to 64 bytes - nothing needs to be
 *         scanned, hashed or looked up. A text may hold whole members that seldom change (phase, category, pid, tid); it ends
 *         where a value begins or after the closing bracket.
 * Exact:  a text is learned only from the place in the grammar where it is tried again, only when it was read without any
 *         fault, and only as a whole: equal bytes mean what they meant before. Anything else is scanned as ever.
 * Memory: blocks of STEPS; when one is used up, all is forgotten and learned anew in the next, with shorter texts: a file
 *         where threads and categories change from entry to entry has too many ways otherwise. Steps that cannot be learned
 *         (too long, escaped keys) are made for one batch.
 * Threads: the scanner writes texts and ways; what the keys mean to the trace (`named` and below) is filled in by the consumer
 *         of batches, which sees a step only after it is complete. */
#ifndef STEPSCOPE_LEARNED_LAYOUT_H
#define STEPSCOPE_LEARNED_LAYOUT_H
#include <string.h>
#include "batch.h"
#include "fast_path.h"

enum {
	STEP_TEXT = 64,
	STEP_FIXED = 4,
	STEP_WAYS = 12,
	STEP_FEW_WAYS = 4,
	STEP_TRIES = 16,
	STEPS = 1024,
	GUESS_BITS = 5
};

/* Where a member of an entry goes. */
enum place {
	PLACE_OTHER,
	PLACE_PHASE,
	PLACE_SCOPE,
	PLACE_BINDING,
	PLACE_TS,
	PLACE_DUR,
	PLACE_PID,
	PLACE_TID,
	PLACE_ID,
	PLACE_CAT,
	PLACE_NAME,
	PLACE_BIND_ID, /* of the event itself: an arrow that starts (flow_out) or ends (flow_in) at it */
	PLACE_FLOW_IN,
	PLACE_FLOW_OUT,
	PLACE_ARGS,
	PLACE_ARG, /* inside "args" */
	PLACE_END, /* no key: the entry's closing bracket */
	PLACE_COUNT
};

/* A key as it stands in the step's text. */
struct step_key {
	uint32_t at, n;
	uint8_t flags; /* of the key's value: only keys of steps that are not learned have any */
	uint8_t place;
	/* set by the consumer */
	uint8_t tag; /* enum known_arg, for args */
	struct attr_head head;
};
/* A member whose value is part of the text. */
struct fixed {
	struct step_key key;
	struct value v; /* its `p` is set by the consumer: value_at bytes after the text's start */
	uint32_t value_at;
};
enum { PLAN_PID = 1, PLAN_TID = 2 };
/* What the fixed members of a step mean, worked out once by the consumer. */
struct plan {
	bool usual; /* nothing but this: no member twice, none that is an attribute beside the category */
	bool has_phase, has_category;
	bool category_first; /* it stands before the phase */
	char phase;
	uint8_t ids;    /* PLAN_PID, PLAN_TID: with both, `ident` is theirs */
	uint32_t ident; /* NONE_ID until it was looked up */
	str_id category;
	uint8_t coded_n; /* the category as an attribute */
	unsigned char coded[ATTR_SLACK];
};
/* The text before a value (or the closing bracket), and the key in it. */
struct layout_step {
	char text[STEP_TEXT];
	uint32_t want[2];                   /* a bit per byte of text */
	struct layout_step *way[STEP_WAYS]; /* what followed it, likelier ones first */
	uint8_t tries; /* how often a way was sought since the last one was added, up to STEP_TRIES: then `tells` is found out */
	uint8_t tells; /* where eight bytes tell all ways apart; 0: nowhere, or they are few, or too many to be kept */
	uint8_t guess[1 << GUESS_BITS]; /* the way that was found last, by a hash of these bytes; 0: none */
	uint32_t n, ways; /* `ways`: not beside what the consumer reads, compilers load neighbours together */
	uint8_t n_fixed;
	bool more; /* there is more to it than its key: fixed members, brackets of "args", or the consumer has not named it */
	/* the text opens "args" before its key, closes it before its first member */
	bool opens_args, closes_args;
	uint32_t args_at, args_end; /* where: its opening bracket, and after its closing one */
	bool odd;                   /* not learned: nothing may be learned after it */
	bool flow;                  /* the way to it has the phase of a flow point */
	struct step_key key;
	struct fixed fixed[STEP_FIXED];
	/* the consumer's */
	struct plan plan;
	bool named;
	struct fast_path fast_path; /* of the entries that end here */
};
struct layout {
	struct layout_step root; /* before an entry's opening bracket */
	struct layout_step odd;  /* where what follows has no place in the tree */
	struct layout_step *block;
	size_t n;           /* of the block used */
	unsigned forgotten; /* how many blocks were used up */
};
/* Starts with an empty tree. */
void layout_init(struct layout *s);
void layout_free(struct layout *s);

/* Remembers that `text` followed `from`; found: what it means. sound: it may be learned. Steps that are replaced, or that are
 * not learned, are freed with the batch. Returns the new step. */
struct layout_step *layout_learn(struct layout *s, struct batch *b, struct layout_step *from, const char *text,
				 const struct layout_step *found, bool sound);

/* How many members a new step after `from` may hold: where the ways become many, values are left out of the texts, first
 * the numbers, then all; after a block was used up numbers always, after two categories, too. */
bool layout_takes_numbers(const struct layout *s, const struct layout_step *from);
bool layout_takes_texts(const struct layout_step *from);
bool layout_takes_categories(const struct layout *s);

#ifdef SCAN_VECTORS
/* A bit per byte in which 32 bytes are the same. */
#ifdef STEP_WIDE
static inline uint32_t same_bytes(const char *a, const char *b)
{
	const __m256i *x = (const __m256i *)a, *y = (const __m256i *)b;
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(x), _mm256_loadu_si256(y)));
}
#else
static inline uint32_t same_bytes(const char *a, const char *b)
{
	const __m128i *x = (const __m128i *)a, *y = (const __m128i *)b;
	__m128i low = _mm_cmpeq_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y));
	__m128i high = _mm_cmpeq_epi8(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1));
	return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}
#endif
#endif

static inline bool step_is(const struct layout_step *s, const char *p)
{
#ifdef SCAN_VECTORS
	if (~same_bytes(s->text, p) & s->want[0])
		return false;
	return !s->want[1] || !(~same_bytes(s->text + 32, p + 32) & s->want[1]);
#else
	return memcmp(s->text, p, s->n) == 0;
#endif
}

/* Finds out what tells the ways apart. */
void layout_tell_ways(struct layout_step *from);

/* Where ways come as at random, going through them costs more than looking for what such bytes stood for the last time. */
static inline uint8_t *layout_guess(struct layout_step *from, const char *p)
{
	uint64_t bytes;
	memcpy(&bytes, p + from->tells, sizeof bytes);
	return &from->guess[bytes * 0x9e3779b97f4a7c15u >> (64 - GUESS_BITS)];
}

/* After the likeliest way: the others. Compiled with what follows it, for the vectors that there are. */
static inline struct layout_step *layout_search(struct layout_step *from, const char *p)
{
	uint8_t *guess = layout_guess(from, p);
	if (from->tells && *guess && step_is(from->way[*guess], p))
		return from->way[*guess];
	for (unsigned i = 1; i < from->ways; i++) {
		struct layout_step *s = from->way[i], *before = from->way[i - 1];
		if (!step_is(s, p))
			continue;
		/* one place forward for each hit: frequent ways come first, and a single odd entry moves nothing far */
		from->way[i] = before;
		from->way[i - 1] = s;
		*layout_guess(from, before->text) = (uint8_t)i;
		*guess = (uint8_t)(i - 1);
		if (from->tries < STEP_TRIES && ++from->tries == STEP_TRIES)
			layout_tell_ways(from);
		return s;
	}
	return NULL;
}

/* The step that the text at p continues `from` with, NULL = none known. */
static inline struct layout_step *layout_follow(struct layout_step *from, const char *p)
{
	return from->ways && step_is(from->way[0], p) ? from->way[0] : layout_search(from, p);
}
#endif
