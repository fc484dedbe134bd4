/* model/analysis/maths/narrow: a list of times comes back as it was, in 4 bytes for each that is not 0 while all of them fit. */
#include "model/analysis/maths/narrow.h"
#include "tests/unit/unit.h"

enum { TIMES = 31, ALL = 0x7fffffff };

static void assert_comes_back(const int64_t list[TIMES], size_t bytes)
{
	uint32_t kept[2 * TIMES + 1];
	int64_t again[TIMES] = {0}, sum = 0;
	struct narrow n = narrow_of(list, ALL);
	assert_int_equal(narrow_bytes(n), bytes);
	memset(kept, 0xaa, sizeof kept);
	narrow_put(kept, n, list);
	assert_int_equal(kept[bytes / sizeof *kept], 0xaaaaaaaa);
	narrow_spread(kept, n, again);
	for (unsigned i = 0; i < TIMES; i++) {
		assert_int_equal(again[i], list[i]);
		assert_int_equal(narrow_get(kept, n, i), list[i]);
		sum += list[i];
	}
	assert_int_equal(narrow_sum(kept, n), sum);
}

static void times_that_fit_take_32_bits_each(void **state)
{
	(void)state;
	assert_comes_back((int64_t[TIMES]){0}, 0);
	assert_comes_back((int64_t[TIMES]){[0] = 1, [7] = UINT32_MAX, [30] = 4000000000}, 12);
}

static void one_that_does_not_makes_all_of_them_wide(void **state)
{
	(void)state;
	assert_comes_back((int64_t[TIMES]){[3] = 1 + (int64_t)UINT32_MAX, [4] = 5, [30] = 9}, 24);
	assert_comes_back((int64_t[TIMES]){[1] = 2, [29] = INT64_MAX - 2}, 16);
	assert_comes_back((int64_t[TIMES]){[2] = -1, [5] = 7}, 16);
}

static void only_those_that_may_have_time_are_kept(void **state)
{
	(void)state;
	uint32_t kept[2];
	const int64_t list[TIMES] = {[1] = 10, [2] = 20, [9] = 1 + (int64_t)UINT32_MAX};
	struct narrow n = narrow_of(list, 1u << 2 | 1u << 3);
	assert_int_equal(narrow_bytes(n), 4);
	narrow_put(kept, n, list);
	assert_int_equal(narrow_get(kept, n, 1), 0);
	assert_int_equal(narrow_get(kept, n, 2), 20);
	assert_int_equal(narrow_get(kept, n, 9), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_that_fit_take_32_bits_each),
		cmocka_unit_test(one_that_does_not_makes_all_of_them_wide),
		cmocka_unit_test(only_those_that_may_have_time_are_kept),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
