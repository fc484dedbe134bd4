/* Numbers from the environment: within their bounds, or not at all. */
#include "tests/unit/unit.h"
#include <stdlib.h>
#include "importers/environment.h"

static int64_t number(const char *text)
{
	setenv("STEPSCOPE_TEST_NUMBER", text, 1);
	return environment_number("STEPSCOPE_TEST_NUMBER", 7, 100, -1);
}

static void a_number_counts_as_it_stands(void **state)
{
	(void)state;
	assert_int_equal(number("7"), 7);
	assert_int_equal(number("61"), 61);
	assert_int_equal(number("100"), 100);
}

static void beyond_a_bound_the_bound_counts(void **state)
{
	(void)state;
	assert_int_equal(number("0"), 7);
	assert_int_equal(number("101"), 100);
}

static void what_is_no_number_does_not_count(void **state)
{
	static const char *const texts[] = {"", "x", "8x", "8 9", "-8", "99999999999999999999"};
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(number(texts[i]), -1);
	unsetenv("STEPSCOPE_TEST_NUMBER");
	assert_int_equal(environment_number("STEPSCOPE_TEST_NUMBER", 7, 100, -1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_counts_as_it_stands),
		cmocka_unit_test(beyond_a_bound_the_bound_counts),
		cmocka_unit_test(what_is_no_number_does_not_count),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
