/* Texts over several rows: words stay whole where a row can hold them, names break at their joints, nothing stands alone. */
#include "tests/unit/surface_dump.h"
#include "tui/screen/wrap.h"
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
	surface_resize(&s, 4, 12);
	return 0;
}

static void expect(const char *text, int rows, const char *picture)
{
	assert_int_equal(wrap_text(&s, (struct rect){.w = 12, .h = 4}, 0, text, 0, 4), rows);
	char *shown = surface_dump(&s);
	assert_string_equal(shown, picture);
	free(shown);
}

static void rows_end_at_blanks(void **state)
{
	(void)state;
	expect("the device idles for input", 3, "the device\nidles for\ninput\n\n");
}

static void a_unit_stays_with_its_number(void **state)
{
	(void)state;
	expect("idles 37.8 ms", 2, "idles\n37.8 ms\n\n\n");
	surface_clear(&s);
	expect("99.5 % of it", 1, "99.5 % of it\n\n\n\n");
	surface_clear(&s);
	expect("the first 8 streams", 2, "the first 8\nstreams\n\n\n");
}

static void a_path_breaks_behind_a_slash(void **state)
{
	(void)state;
	expect("of encoder_1/transformer", 3, "of\nencoder_1/\ntransformer\n\n");
}

static void no_full_stop_stands_alone(void **state)
{
	(void)state;
	expect("transformers.", 2, "transformer\ns.\n\n\n");
}

static void an_underscore_of_a_name_parts_no_other_one(void **state)
{
	(void)state;
	expect("Iterator.__next__", 2, "Iterator.\n__next__\n\n\n");
}

static void a_word_without_joints_fills_the_row(void **state)
{
	(void)state;
	expect("abcdefghijklmnopqrst", 2, "abcdefghijkl\nmnopqrst\n\n\n");
}

static void joints_at_the_begin_break_nothing(void **state)
{
	(void)state;
	expect("a/bcdefghijklmnop", 2, "a/bcdefghijk\nlmnop\n\n\n");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rows_end_at_blanks, fresh),
		cmocka_unit_test_setup(a_unit_stays_with_its_number, fresh),
		cmocka_unit_test_setup(a_path_breaks_behind_a_slash, fresh),
		cmocka_unit_test_setup(no_full_stop_stands_alone, fresh),
		cmocka_unit_test_setup(an_underscore_of_a_name_parts_no_other_one, fresh),
		cmocka_unit_test_setup(a_word_without_joints_fills_the_row, fresh),
		cmocka_unit_test_setup(joints_at_the_begin_break_nothing, fresh),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	surface_free(&s);
	return failed;
}
