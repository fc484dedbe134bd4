/* model/analysis/maths/moments: an order that comes without comparing. */
#include "model/analysis/maths/moments.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MANY = 5000 };

/* The same numbers in every run, spread over all sizes, before 0 and after it; some are alike. */
static int64_t moment_of(uint32_t i)
{
	uint64_t mixed = (uint64_t)(i / 2) * 0x9e3779b97f4a7c15u;
	return (int64_t)(mixed >> (i / 2 % 61)) * (i / 2 % 3 ? 1 : -1);
}

static void earlier_ones_come_first_and_ties_stay_in_order(void **state)
{
	(void)state;
	static const uint32_t counts[] = {2, 63, 64, MANY};
	struct moment at[MANY];
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
		uint32_t n = counts[k];
		bool met[MANY] = {false};
		for (uint32_t i = 0; i < n; i++)
			at[i] = (struct moment){moment_of(n - i), i};
		assert_true(moments_sort(at, n));
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(at[i].ts_ns, moment_of(n - at[i].id));
			assert_false(met[at[i].id]);
			met[at[i].id] = true;
			if (i && at[i - 1].ts_ns == at[i].ts_ns)
				assert_true(at[i - 1].id < at[i].id);
			else if (i)
				assert_true(at[i - 1].ts_ns < at[i].ts_ns);
		}
	}
}

static void both_ends_of_time_have_their_places(void **state)
{
	(void)state;
	struct moment at[2 * MANY];
	for (uint32_t i = 0; i < 2 * MANY; i++)
		at[i] = (struct moment){i % 2 ? INT64_MIN : INT64_MAX, i};
	assert_true(moments_sort(at, 2 * MANY));
	for (uint32_t i = 0; i < 2 * MANY; i++) {
		assert_true(at[i].ts_ns == (i < MANY ? INT64_MIN : INT64_MAX));
		assert_int_equal(at[i].id, 2 * (i % MANY) + (i < MANY));
	}
}

static void what_stands_in_order_is_left_alone(void **state)
{
	(void)state;
	struct moment at[] = {{-1, 7}, {3, 9}, {3, 2}, {INT64_MAX, 1}};
	assert_false(moments_sort(at, 0));
	assert_false(moments_sort(at, 1));
	assert_false(moments_sort(at, 4));
	assert_int_equal(at[1].id, 9);
	assert_int_equal(at[2].id, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earlier_ones_come_first_and_ties_stay_in_order),
		cmocka_unit_test(both_ends_of_time_have_their_places),
		cmocka_unit_test(what_stands_in_order_is_left_alone),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
