/* Where a series changes its level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "model/analysis/maths/change_point.h"

enum { LENGTH = 40 };

static void nothing_and_one_value_have_no_place(void **state)
{
	(void)state;
	int64_t one = 5;
	assert_int_equal(change_point_of(&one, 0).at, 0);
	assert_int_equal(change_point_of(&one, 1).at, 0);
	assert_float_equal(change_point_of(&one, 1).p, 1, 0);
}

static void equal_values_do_not_change(void **state)
{
	(void)state;
	int64_t v[LENGTH] = {0};
	assert_float_equal(change_point_of(v, LENGTH).p, 1, 0);
	assert_float_equal(change_point_of(v, 2).p, 1, 0);
}

/* K = 2 * sum of the first ranks - k * (n + 1): for 7 and 7 it is -49, and p = 2 exp(-6 * 49^2 / (14^3 + 14^2)). */
static void two_levels_are_told_apart(void **state)
{
	(void)state;
	int64_t v[14];
	for (int i = 0; i < 14; i++)
		v[i] = i < 7 ? 30050 : 48050;
	struct change_point x = change_point_of(v, 14);
	assert_int_equal(x.at, 7);
	assert_float_equal(x.p, 0.0148930, 1e-6);
}

static void one_value_far_off_is_no_level(void **state)
{
	(void)state;
	int64_t v[LENGTH];
	for (int i = 0; i < LENGTH; i++)
		v[i] = 100 + i % 2 + (i == 20 ? 1000000 : 0);
	assert_true(change_point_of(v, LENGTH).p > 0.05);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_and_one_value_have_no_place),
		cmocka_unit_test(equal_values_do_not_change),
		cmocka_unit_test(two_levels_are_told_apart),
		cmocka_unit_test(one_value_far_off_is_no_level),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
