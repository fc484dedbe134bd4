/* A surface takes anything and holds only what a terminal may be given. */
#include "tests/unit/surface_dump.h"
#include "tui/screen/bars.h"
#include "tui/text/utf8.h"
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct surface s;

static int fresh(void **state)
{
	(void)state;
	surface_resize(&s, 2, 10);
	s.ascii = false;
	return 0;
}

static void expect(const char *picture)
{
	char *text = surface_dump(&s);
	assert_string_equal(text, picture);
	free(text);
}

static void text_that_fits_is_shown_whole(void **state)
{
	(void)state;
	assert_int_equal(surface_text(&s, 0, 0, 10, 0, 0, "kernel"), 6);
	expect("kernel\n\n");
}

static void text_that_does_not_fit_ends_in_an_ellipsis(void **state)
{
	(void)state;
	assert_int_equal(surface_text(&s, 0, 2, 5, 0, 0, "volta_sgemm"), 5);
	expect("  volt…\n\n");
}

/* e with an acute, s with dot below and dot above, a letter of another plane with its mark, a mark with nothing to stand on */
static void marks_stay_with_their_letter(void **state)
{
	(void)state;
	static const char text[] = "e\xcc\x81s\xcc\xa3\xcc\x87z";
	assert_int_equal(utf8_width(text), 3);
	assert_int_equal(surface_text(&s, 0, 0, 3, 0, 0, text), 3);
	expect("e\xcc\x81s\xcc\xa3\xcc\x87z\n\n");
	surface_text(&s, 0, 0, 10, 0, 0, "\xe6\xb1\x89\xcc\x81.");
	expect("\xe6\xb1\x89\xcc\x81.\n\n");
	surface_clear(&s);
	assert_int_equal(surface_text(&s, 0, 0, 10, 0, 0, "\xcc\x81x"), 2);
	expect("\xe2\x97\x8c\xcc\x81x\n\n");
	s.ascii = true;
	surface_clear(&s);
	surface_text(&s, 0, 0, 10, 0, 0, text);
	expect("esz\n\n");
}

static void emoji_take_two_columns(void **state)
{
	(void)state;
	static const char text[] = "a\xf0\x9f\x9a\x80z"; /* a rocket */
	assert_int_equal(utf8_width(text), 4);
	assert_int_equal(surface_text(&s, 0, 0, 10, 0, 0, text), 4);
	assert_int_equal(surface_at(&s, 0, 2)->cp, 0);
	assert_int_equal(surface_at(&s, 0, 3)->cp, 'z');
	expect("a\xf0\x9f\x9a\x80z\n\n");
}

/* Idle time is drawn as dots, little load as the lowest block: they may not look alike where both are letters. */
static void idle_and_little_load_differ_in_ascii(void **state)
{
	(void)state;
	assert_int_not_equal(utf8_ascii(0x00B7), utf8_ascii(bars_level(1, 1000)));
	assert_int_not_equal(utf8_ascii(0x00B7), utf8_ascii(bars_level(1, 4)));
	assert_int_not_equal(utf8_ascii(0x00B7), utf8_ascii(bars_level(1, 2)));
}

static void right_aligned_numbers_end_in_the_last_column(void **state)
{
	(void)state;
	surface_text_right(&s, 1, 0, 10, 0, 0, "60.0 ms");
	expect("\n   60.0 ms\n");
}

static void nothing_is_drawn_outside(void **state)
{
	(void)state;
	surface_put(&s, -1, 0, 'x', 0, 0);
	surface_put(&s, 0, 10, 'x', 0, 0);
	surface_put(&s, 2, 0, 'x', 0, 0);
	surface_text(&s, 0, 8, 20, 0, 0, "long text");
	expect("        lo\n\n");
}

static void control_characters_never_arrive(void **state)
{
	(void)state;
	surface_text(&s, 0, 0, 10, 0, 0, "a\033[2Jb\x7f");
	expect("a\xef\xbf\xbd[2Jb\xef\xbf\xbd\n\n");
}

static void broken_utf8_never_arrives(void **state)
{
	(void)state;
	surface_text(&s, 0, 0, 10, 0, 0, "a\xffz\xc0\xaf\xe2\x82");
	for (int x = 0; x < 10; x++) {
		uint32_t cp = surface_at(&s, 0, x)->cp;
		assert_true(cp == 'a' || cp == 'z' || cp == ' ' || cp == UTF8_BAD);
	}
	assert_int_equal(surface_at(&s, 0, 2)->cp, 'z');
}

static void c1_controls_and_direction_overrides_never_arrive(void **state)
{
	(void)state;
	surface_text(&s, 0, 0, 10, 0, 0,
		     "a\xc2\x9b"
		     "b\xe2\x80\xae"
		     "c");
	expect("a\xef\xbf\xbd"
	       "b\xef\xbf\xbd"
	       "c\n\n");
}

static void wide_characters_take_two_columns(void **state)
{
	(void)state;
	assert_int_equal(surface_text(&s, 0, 0, 10, 0, 0, "\xe6\xa0\xb8x"), 3);
	assert_int_equal(surface_at(&s, 0, 1)->cp, 0);
	expect("\xe6\xa0\xb8x\n\n");
}

static void half_a_wide_character_is_a_blank(void **state)
{
	(void)state;
	surface_put(&s, 0, 9, 0x6838, 0, 0);
	expect("\n\n");
}

static void ascii_screens_get_stand_ins(void **state)
{
	(void)state;
	s.ascii = true;
	surface_text(&s, 0, 0, 10, 0, 0,
		     "8\xe2\x86\x92"
		     "9 \xe2\x96\x88\xc3\xa9");
	expect("8>9 #?\n\n");
}

static void a_long_name_loses_its_middle(void **state)
{
	(void)state;
	char buf[64];
	assert_string_equal(utf8_shorten("enumerate(DataLoader).__next__", 16, buf, sizeof buf), "enumerate(…ext__");
	assert_int_equal(utf8_width(buf), 16);
	assert_string_equal(utf8_shorten("short", 16, buf, sizeof buf), "short");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(text_that_fits_is_shown_whole, fresh),
		cmocka_unit_test_setup(text_that_does_not_fit_ends_in_an_ellipsis, fresh),
		cmocka_unit_test_setup(marks_stay_with_their_letter, fresh),
		cmocka_unit_test_setup(emoji_take_two_columns, fresh),
		cmocka_unit_test_setup(idle_and_little_load_differ_in_ascii, fresh),
		cmocka_unit_test_setup(right_aligned_numbers_end_in_the_last_column, fresh),
		cmocka_unit_test_setup(nothing_is_drawn_outside, fresh),
		cmocka_unit_test_setup(control_characters_never_arrive, fresh),
		cmocka_unit_test_setup(broken_utf8_never_arrives, fresh),
		cmocka_unit_test_setup(c1_controls_and_direction_overrides_never_arrive, fresh),
		cmocka_unit_test_setup(wide_characters_take_two_columns, fresh),
		cmocka_unit_test_setup(half_a_wide_character_is_a_blank, fresh),
		cmocka_unit_test_setup(ascii_screens_get_stand_ins, fresh),
		cmocka_unit_test_setup(a_long_name_loses_its_middle, fresh),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	surface_free(&s);
	return failed;
}
