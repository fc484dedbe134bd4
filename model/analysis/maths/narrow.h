/* model/analysis/maths/narrow.h - a list of up to 31 times of which most are 0, in the room of the others: bits say which these are, and
 * they stand one after the other in the order of the list, in 32 bits each where all of them fit. Nothing is allocated; any thread. */
#ifndef STEPSCOPE_NARROW_H
#define STEPSCOPE_NARROW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Which of a list some times are of, and how they stand: WIDE: in 64 bits each. One whole number, as fields of bits in fresh memory
 * would be read before they are written, which costs its page a second fault. */
struct narrow {
	uint32_t bits;
};
#define NARROW_WIDE (UINT32_C(1) << 31)

static inline bool narrow_wide(struct narrow n)
{
	return n.bits & NARROW_WIDE;
}

static inline uint32_t narrow_which(struct narrow n)
{
	return n.bits & ~NARROW_WIDE;
}

/* Of times with these bits, of which `all` has every bit. */
static inline struct narrow narrow_made(uint32_t bits, uint64_t all)
{
	return (struct narrow){(bits & ~NARROW_WIDE) | (all > UINT32_MAX ? NARROW_WIDE : 0)};
}

/* Writes the i-th of the times that are kept. */
static inline void narrow_keep(uint32_t *kept, struct narrow n, uint32_t i, int64_t ns)
{
	if (narrow_wide(n))
		memcpy(kept + 2 * (size_t)i, &ns, sizeof ns);
	else
		kept[i] = (uint32_t)ns;
}

/* Of those that `may` have time. */
static inline struct narrow narrow_of(const int64_t *list, uint32_t may)
{
	uint32_t bits = 0;
	uint64_t all = 0;
	for (uint32_t left = may; left; left &= left - 1) {
		int64_t ns = list[__builtin_ctz(left)];
		bits |= ns ? left & -left : 0;
		all |= (uint64_t)ns;
	}
	return narrow_made(bits, all);
}

static inline size_t narrow_bytes(struct narrow n)
{
	size_t each = narrow_wide(n) ? sizeof(int64_t) : sizeof(uint32_t), bytes = 0;
	for (uint32_t left = narrow_which(n); left; left &= left - 1)
		bytes += each;
	return bytes;
}

/* The i-th of the times that are kept. */
static inline int64_t narrow_kept(const uint32_t *kept, struct narrow n, uint32_t i)
{
	int64_t ns;
	if (!narrow_wide(n))
		return kept[i];
	memcpy(&ns, kept + 2 * (size_t)i, sizeof ns);
	return ns;
}

static inline void narrow_put(uint32_t *kept, struct narrow n, const int64_t *list)
{
	for (uint32_t left = narrow_which(n); left; left &= left - 1) {
		int64_t ns = list[__builtin_ctz(left)];
		if (narrow_wide(n))
			memcpy(kept, &ns, sizeof ns);
		else
			*kept = (uint32_t)ns;
		kept += 1 + narrow_wide(n);
	}
}

/* How many times are kept before the i-th one of the list. */
static inline uint32_t narrow_before(struct narrow n, unsigned i)
{
	uint32_t at = 0;
	for (uint32_t before = narrow_which(n) & ((1u << i) - 1); before; before &= before - 1)
		at++;
	return at;
}

/* The i-th one of the list. */
static inline int64_t narrow_get(const uint32_t *kept, struct narrow n, unsigned i)
{
	return n.bits >> i & 1 ? narrow_kept(kept, n, narrow_before(n, i)) : 0;
}

/* The same for who asks for the i-th one of many lists, most of which have the same times as the one before. {0}: none yet. */
struct narrow_place {
	struct narrow of;
	uint32_t at;
};
static inline int64_t narrow_get_again(const uint32_t *kept, struct narrow n, unsigned i, struct narrow_place *place)
{
	if (place->of.bits != n.bits)
		*place = (struct narrow_place){n, narrow_before(n, i)};
	return n.bits >> i & 1 ? narrow_kept(kept, n, place->at) : 0;
}

static inline int64_t narrow_sum(const uint32_t *kept, struct narrow n)
{
	int64_t sum = 0;
	for (uint32_t i = 0, left = narrow_which(n); left; left &= left - 1)
		sum += narrow_kept(kept, n, i++);
	return sum;
}

/* Of all but the first one of the list. */
static inline int64_t narrow_sum_of_rest(const uint32_t *kept, struct narrow n)
{
	int64_t sum = 0;
	for (uint32_t i = n.bits & 1, left = narrow_which(n) & ~UINT32_C(1); left; left &= left - 1)
		sum += narrow_kept(kept, n, i++);
	return sum;
}

/* Into the list as it was; the places of the others stay as they are. */
static inline void narrow_spread(const uint32_t *kept, struct narrow n, int64_t *list)
{
	for (uint32_t i = 0, left = narrow_which(n); left; left &= left - 1)
		list[__builtin_ctz(left)] = narrow_kept(kept, n, i++);
}
#endif
