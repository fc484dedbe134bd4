#include "kernel_items.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3, KEYS = 3 };

void kernel_items_add(struct kernel_items *v, struct kernel_item x)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = x;
}

/* The least important key comes first: a stable sort by each key in turn. */
static uint32_t key_of(const struct kernel_item *x, int key)
{
	return key == 0 ? x->op : key == 1 ? x->shape : x->name;
}

static uint32_t digit_of(const struct kernel_item *x, int key, int pass)
{
	return key_of(x, key) >> (pass * DIGIT_BITS) & (DIGITS - 1);
}

/* Where the entries of each digit begin; false when all of them have the same one. */
static bool find_places(const struct kernel_items *v, int key, int pass, size_t *place)
{
	memset(place, 0, DIGITS * sizeof *place);
	for (size_t i = 0; i < v->n; i++)
		place[digit_of(&v->at[i], key, pass)]++;
	if (place[digit_of(&v->at[0], key, pass)] == v->n)
		return false;
	size_t sum = 0;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t here = place[i];
		place[i] = sum;
		sum += here;
	}
	return true;
}

static uint32_t largest_key(const struct kernel_items *v, int key)
{
	uint32_t most = 0;
	for (size_t i = 0; i < v->n; i++)
		most |= key_of(&v->at[i], key);
	return most;
}

void kernel_items_sort(struct kernel_items *v)
{
	if (v->n < 2)
		return;
	size_t *place = must(malloc(DIGITS * sizeof *place));
	struct kernel_item *spare = must(malloc(v->n * sizeof *spare));
	for (int key = 0; key < KEYS; key++) {
		uint32_t most = largest_key(v, key);
		for (int pass = 0; pass < PASSES && most >> (pass * DIGIT_BITS); pass++) {
			if (!find_places(v, key, pass, place))
				continue;
			for (size_t i = 0; i < v->n; i++)
				spare[place[digit_of(&v->at[i], key, pass)]++] = v->at[i];
			struct kernel_item *swap = v->at;
			v->at = spare;
			spare = swap;
		}
	}
	v->cap = v->n; /* the spare array may be the larger one */
	free(spare);
	free(place);
}
