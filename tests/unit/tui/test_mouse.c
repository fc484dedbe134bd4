/* What terminals write of the mouse, as clicks, double clicks, drags and wheel. */
#include "tui/screen/mouse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct mouse_track track;
static struct mouse seen;

static bool report(const char *text, int64_t at_ms)
{
	return mouse_report(&track, text, at_ms, &seen);
}

static void expect(enum mouse_what what, int y, int x)
{
	assert_int_equal(seen.what, what);
	assert_int_equal(seen.y, y);
	assert_int_equal(seen.x, x);
}

static int fresh(void **state)
{
	(void)state;
	memset(&track, 0, sizeof track);
	return 0;
}

static void a_press_is_a_click(void **state)
{
	(void)state;
	assert_true(report("<0;12;5M", 1000));
	expect(MOUSE_CLICK, 4, 11);
	assert_false(report("<0;12;5m", 1010));
}

static void two_at_one_place_soon_are_a_double_click(void **state)
{
	(void)state;
	report("<0;12;5M", 1000);
	assert_true(report("<0;12;5M", 1300));
	expect(MOUSE_DOUBLE, 4, 11);
	report("<0;12;5M", 1400);
	expect(MOUSE_CLICK, 4, 11);
	report("<0;13;5M", 1500);
	expect(MOUSE_CLICK, 4, 12);
	report("<0;13;5M", 2500);
	expect(MOUSE_CLICK, 4, 12);
}

static void moving_with_the_button_down_is_a_drag(void **state)
{
	(void)state;
	report("<0;12;5M", 1000);
	assert_false(report("<32;12;5M", 1001));
	assert_true(report("<32;20;6M", 1010));
	expect(MOUSE_DRAG, 5, 19);
	assert_true(report("<32;12;5M", 1020));
	expect(MOUSE_DRAG, 4, 11);
	assert_true(report("<0;12;5m", 1030));
	expect(MOUSE_RELEASE, 4, 11);
	assert_false(report("<0;12;5m", 1040));
	report("<0;12;5M", 1050);
	expect(MOUSE_CLICK, 4, 11);
}

static void the_wheel_turns(void **state)
{
	(void)state;
	assert_true(report("<64;1;1M", 0));
	expect(MOUSE_WHEEL_UP, 0, 0);
	assert_true(report("<65;1;1M", 0));
	expect(MOUSE_WHEEL_DOWN, 0, 0);
	assert_true(report("<80;1;1M", 0)); /* with Ctrl */
	expect(MOUSE_WHEEL_UP, 0, 0);
	assert_false(report("<66;1;1M", 0));
}

static void the_older_form_does_not_name_what_went_up(void **state)
{
	(void)state;
	assert_true(mouse_take(&track, 0, 4, 11, false, 1000, &seen));
	expect(MOUSE_CLICK, 4, 11);
	assert_true(mouse_take(&track, 32, 4, 15, false, 1010, &seen));
	expect(MOUSE_DRAG, 4, 15);
	assert_true(mouse_take(&track, 3, 4, 15, false, 1020, &seen));
	expect(MOUSE_RELEASE, 4, 15);
}

static void what_is_none_is_left_alone(void **state)
{
	(void)state;
	static const char *const none[] = {"",          "<",        "<0;12;5",          "<0;12M",
					   "<0;0;5M",   "<2;12;5M", "<1;12;5M",         "0;12;5M",
					   "<0;-3;-5M", "<35;4;4M", "<999999999;12;5M", "<0;12;5~"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(report(none[i], 1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_press_is_a_click, fresh),
		cmocka_unit_test_setup(two_at_one_place_soon_are_a_double_click, fresh),
		cmocka_unit_test_setup(moving_with_the_button_down_is_a_drag, fresh),
		cmocka_unit_test_setup(the_wheel_turns, fresh),
		cmocka_unit_test_setup(the_older_form_does_not_name_what_went_up, fresh),
		cmocka_unit_test_setup(what_is_none_is_left_alone, fresh),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
