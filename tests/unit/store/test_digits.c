/* model/store/base/digits: the same text as printf, for every kind of number. */
#include "model/store/base/digits.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void assert_i64(int64_t v)
{
	char expected[DIGITS_BUF], got[DIGITS_BUF];
	snprintf(expected, sizeof expected, "%" PRId64, v);
	*digits_i64(got, v) = '\0';
	assert_string_equal(got, expected);
	snprintf(expected, sizeof expected, "%" PRIu64, (uint64_t)v);
	*digits_u64(got, (uint64_t)v) = '\0';
	assert_string_equal(got, expected);
}

static void assert_real(double v)
{
	char expected[DIGITS_BUF], got[DIGITS_BUF];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(expected, sizeof expected, "%.*g", digits, v);
		if (strtod(expected, NULL) == v)
			break;
	}
	*digits_real(got, v) = '\0';
	assert_string_equal(got, expected);
}

static void near(double v)
{
	double below = v, above = v;
	assert_real(v);
	for (int i = 0; i < 3; i++) {
		assert_real(below = nextafter(below, -INFINITY));
		assert_real(above = nextafter(above, INFINITY));
		assert_real(-below);
		assert_real(-above);
	}
}

static void whole_numbers_about_every_power_of_ten_and_two(void **state)
{
	(void)state;
	uint64_t ten = 1;
	for (int i = 0; i < 20; i++, ten *= 10)
		for (int64_t off = -2; off <= 2; off++) {
			assert_i64((int64_t)ten + off);
			assert_i64(-(int64_t)ten + off);
		}
	for (int i = 0; i < 64; i++)
		for (int64_t off = -2; off <= 2; off++)
			assert_i64((int64_t)((UINT64_C(1) << i) + (uint64_t)off));
	assert_i64(INT64_MAX);
	assert_i64(INT64_MIN);
	assert_i64(INT64_MIN + 1);
}

static void reals_about_every_power_of_ten_and_two(void **state)
{
	(void)state;
	for (int i = -30; i <= 30; i++)
		near(pow(10, i));
	for (int i = -80; i <= 80; i++)
		near(ldexp(1, i));
	static const double odd[] = {0.1,
				     0.2,
				     0.3,
				     1.0 / 3,
				     2.0 / 3,
				     9.95,
				     99.99999999999999,
				     0.00099999999999999998,
				     5e-324,
				     DBL_MIN,
				     DBL_MAX,
				     DBL_EPSILON,
				     9007199254740993.0,
				     123456789012345680.0,
				     99999999999999.98,
				     9999999999999.998,
				     0.30000000000000004,
				     1e23,
				     1.5,
				     100,
				     37.5};
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		near(odd[i]);
	assert_real(0.0);
	assert_real(-0.0);
	assert_real(INFINITY);
	assert_real(-INFINITY);
}

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Shares, means and rates as tables have them, and any bits at all. */
static void reals_as_they_come(void **state)
{
	(void)state;
	uint64_t x = 88172645463325252u;
	for (int i = 0; i < 200000; i++) {
		uint64_t bits = next(&x), part = next(&x) >> (next(&x) % 60), all = next(&x) >> (next(&x) % 60);
		double any;
		memcpy(&any, &bits, sizeof any);
		if (!isnan(any))
			assert_real(any);
		assert_real(100.0 * (double)part / (double)(all ? all : 1));
		assert_real((double)(part % 1000000) / 1000);
		assert_real(-(double)(part % 1000) / 10);
	}
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_about_every_power_of_ten_and_two),
		cmocka_unit_test(reals_about_every_power_of_ten_and_two),
		cmocka_unit_test(reals_as_they_come),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
