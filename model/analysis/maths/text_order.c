#include "text_order.h"
#include "model/store/base/memory.h"
#include "model/store/base/seed.h"
#include "model/store/base/word.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A text and those eight of its bytes that are compared now, the first one highest; zeros from its end on. */
struct keyed {
	uint64_t word;
	str_id id;
};
struct sorter {
	const struct strings *texts;
	uint64_t random;
};
/* Texts that begin with the same `depth` bytes, in which none ends. */
struct part {
	struct keyed *at;
	uint32_t n;
	bool has_words; /* those from `depth` on */
	size_t depth;
};
enum { WORD = sizeof(uint64_t), FEW = 12 };

static bool has_end(uint64_t word)
{
	return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

static uint64_t cut_at_end(uint64_t word)
{
	uint64_t kept = 0;
	for (int shift = 56; shift >= 0 && (word >> shift & 0xff); shift -= 8)
		kept |= word & UINT64_C(0xff) << shift;
	return kept;
}

static uint64_t word_at(struct span text, size_t depth)
{
	unsigned char last[WORD] = {0};
	const unsigned char *from = (const unsigned char *)text.p + depth;
	if (text.n - depth < WORD)
		from = memcpy(last, from, text.n - depth);
	uint64_t word = __builtin_bswap64(load_word(from));
	return has_end(word) ? cut_at_end(word) : word;
}

/* They lie all over memory: who will read on in one soon asks for it. */
static void ahead(const struct sorter *s, const struct part *p, uint32_t i)
{
	enum { AHEAD = 12 };
	if (i + AHEAD < p->n)
		__builtin_prefetch(strings_z(s->texts, p->at[i + AHEAD].id) + p->depth);
}

/* How many bytes all begin with, in whole words more than are known, or where all end. */
static size_t common_depth(const struct sorter *s, const struct part *p)
{
	struct span first = strings_get(s->texts, p->at[0].id);
	size_t until = first.n;
	for (uint32_t i = 1; i < p->n && until >= p->depth + WORD; i++) {
		struct span text = strings_get(s->texts, p->at[i].id);
		size_t k = p->depth, end = text.n < until ? text.n : until;
		ahead(s, p, i);
		while (k + WORD <= end && !memcmp(first.p + k, text.p + k, WORD))
			k += WORD;
		until = k;
	}
	const char *end = memchr(first.p + p->depth, '\0', until - p->depth);
	return end ? (size_t)(end - first.p) : until;
}

/* Whether they are different. */
static bool load_words(const struct sorter *s, struct part *p)
{
	uint64_t others = 0;
	for (uint32_t i = 0; i < p->n; i++) {
		ahead(s, p, i);
		p->at[i].word = word_at(strings_get(s->texts, p->at[i].id), p->depth);
		others |= p->at[i].word ^ p->at[0].word;
	}
	return others;
}

static void read_words(const struct sorter *s, struct part *p)
{
	p->has_words = true;
	if (load_words(s, p) || has_end(p->at[0].word))
		return;
	p->depth = common_depth(s, p);
	load_words(s, p);
}

static bool goes_before(const struct sorter *s, const struct keyed *a, const struct keyed *b, size_t depth)
{
	int order = 0;
	if (a->word != b->word)
		return a->word < b->word;
	if (!has_end(a->word))
		order = strcmp(strings_z(s->texts, a->id) + depth + WORD, strings_z(s->texts, b->id) + depth + WORD);
	return order ? order < 0 : a->id < b->id;
}

static void sort_few(const struct sorter *s, const struct part *p)
{
	for (uint32_t i = 1; i < p->n; i++) {
		struct keyed x = p->at[i];
		uint32_t k = i;
		for (; k && goes_before(s, &x, &p->at[k - 1], p->depth); k--)
			p->at[k] = p->at[k - 1];
		p->at[k] = x;
	}
}

/* The middle one of three, others in each run: no crafted names can make all of them bad ones. */
static uint64_t pivot_of(struct sorter *s, const struct part *p)
{
	uint64_t x[3];
	for (int i = 0; i < 3; i++) {
		s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		x[i] = p->at[(s->random >> 32) % p->n].word;
	}
	uint64_t low = x[0] < x[1] ? x[0] : x[1], high = x[0] < x[1] ? x[1] : x[0];
	return x[2] < low ? low : x[2] > high ? high : x[2];
}

static void swap(struct keyed *a, struct keyed *b)
{
	struct keyed x = *a;
	*a = *b;
	*b = x;
}

static int by_id(const void *x, const void *y)
{
	const struct keyed *a = x, *b = y;
	return (a->id > b->id) - (a->id < b->id);
}

/* Into those before the pivot, those that have its word and those behind it. */
static void divide(struct sorter *s, const struct part *p, struct part out[3])
{
	uint64_t pivot = pivot_of(s, p);
	uint32_t low = 0, high = p->n;
	for (uint32_t i = 0; i < high;) {
		if (p->at[i].word < pivot)
			swap(&p->at[i++], &p->at[low++]);
		else if (p->at[i].word > pivot)
			swap(&p->at[i], &p->at[--high]);
		else
			i++;
	}
	out[0] = (struct part){p->at, low, true, p->depth};
	out[1] = (struct part){p->at + low, high - low, false, p->depth + WORD};
	out[2] = (struct part){p->at + high, p->n - high, true, p->depth};
	if (has_end(pivot)) { /* equal texts */
		qsort(out[1].at, out[1].n, sizeof *out[1].at, by_id);
		out[1].n = 0;
	}
}

/* With the largest part it goes on itself, so that the stack stays small. */
static void sort_part(struct sorter *s, struct part p)
{
	while (p.n > 1) {
		struct part of[3];
		int largest = 0;
		if (!p.has_words)
			read_words(s, &p);
		if (p.n <= FEW) {
			sort_few(s, &p);
			return;
		}
		divide(s, &p, of);
		for (int i = 1; i < 3; i++)
			largest = of[i].n > of[largest].n ? i : largest;
		for (int i = 0; i < 3; i++)
			if (i != largest)
				sort_part(s, of[i]);
		p = of[largest];
	}
}

void text_order_sort(const struct strings *texts, str_id *at, uint32_t n)
{
	struct sorter s = {texts, table_seed};
	struct keyed *keyed = must(malloc((n + (size_t)1) * sizeof *keyed));
	for (uint32_t i = 0; i < n; i++)
		keyed[i].id = at[i];
	sort_part(&s, (struct part){.at = keyed, .n = n});
	for (uint32_t i = 0; i < n; i++)
		at[i] = keyed[i].id;
	free(keyed);
}
