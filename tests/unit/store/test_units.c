/* Numbers as people read them. */
#include "model/store/base/units.h"
#include "tests/unit/unit.h"
#include <math.h>

static void times_have_three_decimals(void **state)
{
	(void)state;
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {{0, "0 ns"},
		    {5, "5 ns"},
		    {-5, "-5 ns"},
		    {999, "999 ns"},
		    {1000, "1.000 us"},
		    {1204000, "1.204 ms"},
		    {68000, "68.000 us"},
		    {999999, "999.999 us"},
		    {1000000, "1.000 ms"},
		    {1000499, "1.000 ms"},
		    {1000500, "1.001 ms"},
		    {62339000, "62.339 ms"},
		    {999600000, "999.600 ms"},
		    {999999499, "999.999 ms"},
		    {999999500, "1.000 s"},
		    {-999999500, "-1.000 s"},
		    {5547185000, "5.547 s"},
		    {7200000000000, "7200.000 s"},
		    {INT64_MIN, "-9223372036.855 s"}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char buf[UNITS_BUF];
		assert_string_equal(fmt_ns(buf, rows[i].ns), rows[i].text);
	}
}

static void axis_times_fit_their_step(void **state)
{
	(void)state;
	char buf[UNITS_BUF];
	assert_string_equal(fmt_ns_fixed(buf, 1500000000, 500000000), "1.5 s");
	assert_string_equal(fmt_ns_fixed(buf, 12500000, 500000), "12.5 ms");
	assert_string_equal(fmt_ns_fixed(buf, 12000, 1), "12.000 us");
	assert_string_equal(fmt_ns_fixed(buf, 0, 1000000), "0 ms");
}

static void other_units(void **state)
{
	(void)state;
	char buf[UNITS_BUF];
	assert_string_equal(fmt_bytes(buf, 512), "512 B");
	assert_string_equal(fmt_bytes(buf, 64 << 20), "64.0 MiB");
	assert_string_equal(fmt_rate(buf, 8.388608e9), "8.39 GB/s");
	assert_string_equal(fmt_rate(buf, NAN), "-");
	assert_string_equal(fmt_rate(buf, 12.5e3), "12.50 kB/s");
	assert_string_equal(fmt_flops(buf, 12.5e3), "12.5 kFLOP/s");
	assert_string_equal(fmt_flops(buf, 312.5e12), "312.5 TFLOP/s");
	assert_string_equal(fmt_flops(buf, 999), "999 FLOP/s");
	assert_string_equal(fmt_count(buf, 126224), "126,224");
	assert_string_equal(fmt_count(buf, -1000), "-1,000");
	assert_string_equal(fmt_count(buf, 7), "7");
	assert_string_equal(fmt_pct(buf, 37.5), "37.5 %");
	assert_string_equal(fmt_pct(buf, -0.049), "0.0 %");
	assert_string_equal(fmt_pct(buf, -0.051), "-0.1 %");
	assert_string_equal(fmt_pct(buf, NAN), "-");
	assert_int_equal(pct_tenths(60, 160), 375);
	assert_int_equal(pct_tenths(1, 0), -1);
	assert_int_equal(pct_tenths(INT64_MAX / 2, INT64_MAX), 500);
}

static void times_are_read_exactly(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ns;
		const char *rest;
	} rows[] = {{"12.5ms", 12500000, ""},
		    {"3us..", 3000, ".."},
		    {"1.5 s", 1500000000, ""},
		    {"1200", 1200, ""},
		    {"-2ms", -2000000, ""},
		    {"0.0000000014s", 1, ""},
		    {"1234567890.123456789s", 1234567890123456789, ""}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *end;
		int64_t ns;
		assert_true(parse_ns(rows[i].text, &end, &ns));
		assert_int_equal(ns, rows[i].ns);
		assert_string_equal(end, rows[i].rest);
	}
}

static void what_is_no_time_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "ms", ".", "-", "99999999999999999999999999s", "step:3"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const char *end;
		int64_t ns;
		assert_false(parse_ns(bad[i], &end, &ns));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_three_decimals),
		cmocka_unit_test(axis_times_fit_their_step),
		cmocka_unit_test(other_units),
		cmocka_unit_test(times_are_read_exactly),
		cmocka_unit_test(what_is_no_time_is_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
