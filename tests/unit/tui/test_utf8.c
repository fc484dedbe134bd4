/* What is invisible or turns the direction of writing shows; what people write in their languages passes as it is. */
#include "tests/unit/unit.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"

/* How the code point is shown: 0 = not at all. */
static uint32_t shown(uint32_t cp)
{
	char text[5];
	const char *at = text;
	utf8_encode(cp, text);
	uint32_t got = utf8_next(&at);
	assert_string_equal(at, "");
	return got;
}

static void what_is_invisible_shows(void **state)
{
	(void)state;
	static const uint32_t invisible[] = {0x00AD,  0x034F,  0x061C,  0x115F,  0x1160,  0x17B4,  0x180E,
					     0x200B,  0x200C,  0x200D,  0x200E,  0x202A,  0x202E,  0x2060,
					     0x2066,  0x2069,  0x206F,  0x3164,  0xFE00,  0xFEFF,  0xFFA0,
					     0xFFF9,  0xFFFE,  0xFDD0,  0x1BCA0, 0x1D173, 0x1FFFF, 0xE0000,
					     0xE0001, 0xE0020, 0xE0041, 0xE007F, 0xE0100, 0xE0FFF, 0x10FFFF};
	for (size_t i = 0; i < sizeof invisible / sizeof *invisible; i++) {
		assert_int_equal(shown(invisible[i]), UTF8_BAD);
		assert_int_equal(utf8_cols(shown(invisible[i])), 1);
	}
}

static void what_people_write_passes(void **state)
{
	(void)state;
	static const uint32_t plain[] = {'a',    0xAC,   0xAE,   0xE9,   0x301,   0x34E,   0x350,   0x61B,   0x61D,
					 0x5D0,  0x627,  0x915,  0x1161, 0x200A,  0x2010,  0x2026,  0x2030,  0x2070,
					 0x2588, 0x3042, 0x3163, 0x3165, 0x6838,  0xAC00,  0xFDCF,  0xFDF0,  0xFE10,
					 0xFE20, 0xFFA1, 0xFFFC, 0xFFFD, 0x1F469, 0x1F4BB, 0x1F3FD, 0x20000, 0xDFFFD};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		assert_int_equal(shown(plain[i]), plain[i]);
}

/* Each part of an emoji takes its own columns; nothing makes a terminal draw it wider than it is counted. */
static void emoji_are_as_wide_as_they_are_counted(void **state)
{
	(void)state;
	assert_int_equal(utf8_width("\U0001F469\u200D\U0001F4BB"), 2 + 1 + 2);
	assert_int_equal(utf8_width("\u2764\uFE0F!"), utf8_width("\u2764!"));
	const char *at = "\uFE0F\uFE0E";
	assert_int_equal(utf8_next(&at), 0);
	char buf[64];
	assert_string_equal(utf8_cut("\u2764\uFE0F step", 20, buf, sizeof buf), "\u2764 step");
}

/* Runs of plain characters are taken at once: what stands before, between and after them counts as it does alone. */
static void runs_of_plain_characters_change_nothing(void **state)
{
	static const char *const parts[] = {
		"plain",        "",    "~",     "\x7f", "\t", "\u00e9", "e\u0301", "\u6838\u5fc3", "\xff",
		"\u2764\uFE0F", "<&>", "\u200D"};
	enum { PARTS = sizeof parts / sizeof *parts };
	struct arena mem = {0};
	(void)state;
	for (int i = 0; i < PARTS * PARTS; i++) {
		const char *one = parts[i / PARTS], *two = parts[i % PARTS];
		char *text = arena_printf(&mem, "%s%splain", one, two), *clean = words_clean(&mem, text);
		int width = utf8_width(one) + utf8_width(two) + 5;
		assert_string_equal(clean,
				    arena_printf(&mem, "%s%splain", words_clean(&mem, one), words_clean(&mem, two)));
		assert_int_equal(utf8_width(text), width);
		assert_int_equal(utf8_width(clean), width);
		assert_true(utf8_fits(text, width) && !utf8_fits(text, width - 1));
		for (int cols = 0; cols <= width + 1; cols++) {
			const char *end = words_end(&mem, text, cols), *middle = words_middle(&mem, text, cols);
			assert_true(utf8_fits(end, cols) && utf8_fits(middle, cols));
			assert_int_equal(strcmp(end, clean) == 0, cols >= width);
			assert_int_equal(strcmp(middle, clean) == 0, cols >= width);
		}
	}
	assert_int_equal(utf8_plain("ab~\x7f"), 3);
	arena_free(&mem);
}

static void reports_show_it_too(void **state)
{
	(void)state;
	static void (*const puts_text[])(FILE *, const char *) = {put_plain, put_html, put_md};
	for (size_t i = 0; i < sizeof puts_text / sizeof *puts_text; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *f = open_memstream(&text, &size);
		puts_text[i](f, "a\u061C\u00ADb\u3164\U000E0041c");
		fclose(f);
		assert_string_equal(text, "a\uFFFD\uFFFDb\uFFFD\uFFFDc");
		free(text);
	}
}

static void data_stay_exact(void **state)
{
	(void)state;
	const char *at = "\u061C\uFE0F\U000E0041\x1b";
	assert_int_equal(utf8_next_exact(&at), 0x61C);
	assert_int_equal(utf8_next_exact(&at), 0xFE0F);
	assert_int_equal(utf8_next_exact(&at), 0xE0041);
	assert_int_equal(utf8_next_exact(&at), UTF8_BAD);
	assert_int_equal(utf8_next_exact(&at), 0);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_invisible_shows),
		cmocka_unit_test(what_people_write_passes),
		cmocka_unit_test(emoji_are_as_wide_as_they_are_counted),
		cmocka_unit_test(runs_of_plain_characters_change_nothing),
		cmocka_unit_test(reports_show_it_too),
		cmocka_unit_test(data_stay_exact),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
