/* model/analysis/maths/rank: an order that comes without comparing. */
#include "model/analysis/maths/rank.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MANY = 5000 };

/* The same numbers in every run, spread over all sizes. */
static int64_t length_of(uint32_t i)
{
	return (int64_t)((i * 2654435761u) >> (i % 29)) - (i % 7 == 0);
}

static void fill(struct rank *at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		at[i] = (struct rank){rank_size(length_of(i)), i};
}

static void the_largest_comes_first_and_ties_stay_in_order(void **state)
{
	(void)state;
	static const uint32_t counts[] = {1, 2, 63, 64, MANY};
	struct rank at[MANY];
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
		fill(at, counts[k]);
		rank_sort(at, counts[k]);
		for (uint32_t i = 1; i < counts[k]; i++) {
			assert_true(at[i - 1].size >= at[i].size);
			if (at[i - 1].size == at[i].size)
				assert_true(at[i - 1].id < at[i].id);
		}
	}
}

static int by_id(const void *x, const void *y)
{
	const struct rank *a = x, *b = y;
	return (a->id > b->id) - (a->id < b->id);
}

static void the_largest_and_the_rest_make_the_same_order(void **state)
{
	(void)state;
	static const uint32_t least[] = {0, 1, 64, 700, MANY - 1, MANY};
	struct rank all[MANY], at[MANY];
	fill(all, MANY);
	rank_sort(all, MANY);
	for (size_t k = 0; k < sizeof least / sizeof *least; k++) {
		fill(at, MANY);
		uint32_t n = rank_largest(at, MANY, least[k]);
		assert_in_range(n, least[k], MANY);
		assert_true(n < MANY || least[k] > MANY / 2);
		rank_sort(at, n);
		rank_sort(at + n, MANY - n);
		assert_memory_equal(at, all, sizeof all);
	}
	qsort(at, MANY, sizeof *at, by_id);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(at[i].id, i);
}

static void no_length_is_lost_between_the_smallest_and_the_largest(void **state)
{
	(void)state;
	assert_int_equal(rank_size(-5), 0);
	assert_int_equal(rank_size(0), 0);
	assert_int_equal(rank_size(INT64_C(4294967294)), UINT32_MAX - 1);
	assert_int_equal(rank_size(INT64_C(4294967295)), RANK_LARGE);
	assert_int_equal(rank_size(INT64_MAX), RANK_LARGE);
}

static int by_number(const void *x, const void *y, void *arg)
{
	(void)arg;
	const struct rank *a = x, *b = y;
	return (b->id > a->id) - (b->id < a->id);
}

static void ties_are_settled_from_the_least_size_on(void **state)
{
	(void)state;
	struct rank at[] = {{9, 1}, {9, 2}, {9, 3}, {4, 5}, {4, 6}};
	rank_ties(at, 5, 9, by_number, NULL);
	assert_int_equal(at[0].id, 3);
	assert_int_equal(at[2].id, 1);
	assert_int_equal(at[3].id, 5); /* too small: as it was */
	rank_ties(at, 5, 0, by_number, NULL);
	assert_int_equal(at[3].id, 6);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_comes_first_and_ties_stay_in_order),
		cmocka_unit_test(the_largest_and_the_rest_make_the_same_order),
		cmocka_unit_test(no_length_is_lost_between_the_smallest_and_the_largest),
		cmocka_unit_test(ties_are_settled_from_the_least_size_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
