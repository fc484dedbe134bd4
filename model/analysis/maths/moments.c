#include "moments.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 64 };

/* What a list spans; false: it stands in order. */
static bool span_of(const struct moment *at, size_t n, uint64_t *first, uint64_t *span)
{
	int64_t least = INT64_MAX, most = INT64_MIN;
	bool in_order = true;
	for (size_t i = 0; i < n; i++) {
		in_order &= at[i].ts_ns >= most;
		least = at[i].ts_ns < least ? at[i].ts_ns : least;
		most = at[i].ts_ns > most ? at[i].ts_ns : most;
	}
	*first = (uint64_t)least;
	*span = (uint64_t)most - (uint64_t)least;
	return !in_order;
}

static void insert_few(struct moment *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct moment x = at[i];
		size_t k = i;
		for (; k && at[k - 1].ts_ns > x.ts_ns; k--)
			at[k] = at[k - 1];
		at[k] = x;
	}
}

static int bits_of(uint64_t span)
{
	return span ? 64 - __builtin_clzll(span) : 0;
}

/* Puts the entries to where their highest digit puts them, those of one digit in their order; place[i] becomes where digit i ends. */
static void deal(const struct moment *from, struct moment *to, size_t n, uint64_t first, int shift, size_t digits,
		 size_t *place)
{
	memset(place, 0, (digits + 1) * sizeof *place);
	for (size_t i = 0; i < n; i++)
		place[1 + (((uint64_t)from[i].ts_ns - first) >> shift)]++;
	for (size_t i = 1; i < digits; i++)
		place[i] += place[i - 1];
	for (size_t i = 0; i < n; i++)
		to[place[((uint64_t)from[i].ts_ns - first) >> shift]++] = from[i];
}

/* Mostly few have the same highest digit; of many the next one is that of what these span. There are no more digits than entries. */
bool moments_sort(struct moment *at, size_t n)
{
	uint64_t first, span;
	if (!span_of(at, n, &first, &span))
		return false;
	if (n < FEW) {
		insert_few(at, n);
		return true;
	}
	struct moment *spare = must(malloc(n * sizeof *spare));
	int bits = bits_of(span), digit_bits = bits_of(n) < DIGIT_BITS ? bits_of(n) : DIGIT_BITS;
	size_t place[DIGITS + 1], digits = (size_t)1 << digit_bits;
	deal(at, spare, n, first, bits > digit_bits ? bits - digit_bits : 0, digits, place);
	memcpy(at, spare, n * sizeof *at);
	free(spare);
	for (size_t i = 0, from = 0; i < digits; from = place[i++])
		if (place[i] - from >= FEW)
			moments_sort(at + from, place[i] - from);
		else if (place[i] - from > 1)
			insert_few(at + from, place[i] - from);
	return true;
}
