#include "rank.h"
#include "order.h"
#include "model/store/base/memory.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3, FEW = 64 };

static uint32_t digit(const struct rank *x, int pass)
{
	return ~x->size >> (pass * DIGIT_BITS) & (DIGITS - 1); /* inverted: the largest comes first */
}

/* How many entries have each digit, for all passes at once. */
static void count_digits(const struct rank *at, uint32_t n, uint32_t count[PASSES][DIGITS])
{
	memset(count, 0, sizeof(uint32_t[PASSES][DIGITS]));
	for (uint32_t i = 0; i < n; i++)
		for (int pass = 0; pass < PASSES; pass++)
			count[pass][digit(&at[i], pass)]++;
}

/* Moves the entries to where their digit belongs; false when all have the same. */
static bool deal(const struct rank *from, struct rank *to, uint32_t n, int pass, uint32_t *count)
{
	if (count[digit(&from[0], pass)] == n)
		return false;
	for (uint32_t i = 0, sum = 0; i < DIGITS; i++) {
		uint32_t here = count[i];
		count[i] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		to[count[digit(&from[i], pass)]++] = from[i];
	return true;
}

/* For short lists counting 2048 digits costs more than comparing. */
static void insert_few(struct rank *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct rank x = at[i];
		uint32_t k = i;
		for (; k && at[k - 1].size < x.size; k--)
			at[k] = at[k - 1];
		at[k] = x;
	}
}

/* Radix sort by three digits, the lowest first: each pass is stable, so ties keep the order given. */
void rank_sort(struct rank *at, uint32_t n)
{
	if (n < FEW) {
		insert_few(at, n);
		return;
	}
	uint32_t(*count)[DIGITS] = must(malloc(PASSES * sizeof *count));
	struct rank *spare = must(malloc(n * sizeof *spare)), *from = at, *to = spare;
	count_digits(at, n, count);
	for (int pass = 0; pass < PASSES; pass++)
		if (deal(from, to, n, pass, count[pass])) {
			struct rank *swap = from;
			from = to;
			to = swap;
		}
	if (from != at)
		memcpy(at, from, n * sizeof *at);
	free(spare);
	free(count);
}

/* A coarse logarithm: sizes of one exponent in 64 parts. */
static uint32_t part_of(uint32_t size)
{
	enum { PART_BITS = 6 };
	int above = size >> PART_BITS ? 31 - __builtin_clz(size) - PART_BITS : -1;
	return above < 0 ? size : ((uint32_t)above << PART_BITS) + (size >> above);
}

/* The part with which the largest begin, and how many these are. */
static uint32_t first_part(const struct rank *at, uint32_t n, uint32_t least, uint32_t *count)
{
	uint32_t parts[DIGITS] = {0}, part = DIGITS - 1;
	for (uint32_t i = 0; i < n; i++)
		parts[part_of(at[i].size)]++;
	for (*count = parts[part]; part && *count < least;)
		*count += parts[--part];
	return part;
}

uint32_t rank_largest(struct rank *at, uint32_t n, uint32_t least)
{
	uint32_t count, part = first_part(at, n, least, &count), left = count, to = n;
	if (count == n)
		return n;
	struct rank *largest = must(malloc((count + (size_t)1) * sizeof *largest));
	for (uint32_t i = n; i-- > 0;)
		if (part_of(at[i].size) >= part)
			largest[--left] = at[i];
		else
			at[--to] = at[i];
	memcpy(at, largest, count * sizeof *at);
	free(largest);
	return count;
}

void rank_ties(struct rank *at, uint32_t n, uint32_t least, int (*compare)(const void *x, const void *y, void *arg),
	       void *arg)
{
	for (uint32_t i = 0, end; i < n && at[i].size >= least; i = end) {
		for (end = i + 1; end < n && at[end].size == at[i].size;)
			end++;
		sort_if_needed_r(at + i, end - i, sizeof *at, compare, arg);
	}
}

uint32_t *rank_ids(struct rank *at, uint32_t n, struct arena *mem)
{
	uint32_t *ids = arena_alloc(mem, (n + (size_t)1) * sizeof *ids);
	for (uint32_t i = 0; i < n; i++)
		ids[i] = at[i].id;
	free(at);
	return ids;
}
