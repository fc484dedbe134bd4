/* Themes are text: every ink has its line in the built-in ones, mistakes name their line, users can add their own. */
#include "tui/screen/theme.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void built_in_themes_load(void **state)
{
	(void)state;
	static const char *const names[] = {"dark", "light", "mono"};
	for (size_t i = 0; i < 3; i++) {
		struct theme t;
		struct err e;
		assert_true(theme_load(&t, names[i], &e));
		assert_string_equal(t.name, names[i]);
	}
}

static void built_in_themes_name_every_ink(void **state)
{
	(void)state;
#define INK_WORD(id, word, use) word,
	static const char *const words[] = {INKS(INK_WORD)};
	static const char *const files[] = {"themes/dark.theme", "themes/light.theme", "themes/mono.theme"};
	for (size_t f = 0; f < 3; f++) {
		char text[16384], line[64];
		FILE *in = fopen(files[f], "r");
		assert_non_null(in);
		text[0] = '\n';
		text[1 + fread(text + 1, 1, sizeof text - 2, in)] = 0;
		fclose(in);
		for (int i = 0; i < INK_COUNT; i++) {
			snprintf(line, sizeof line, "\n%s ", words[i]);
			if (!strstr(text, line))
				fail_msg("%s lacks %s", files[f], words[i]);
		}
	}
}

static void mono_uses_no_colour(void **state)
{
	(void)state;
	struct theme t;
	assert_true(theme_load(&t, "mono", NULL));
	for (int i = 0; i < INK_COUNT; i++) {
		assert_int_equal(t.rich[i].fg, COLOR_DEFAULT);
		assert_int_equal(t.basic[i].bg, COLOR_DEFAULT);
	}
}

static void a_line_sets_both_depths(void **state)
{
	(void)state;
	struct theme t = {0};
	assert_true(theme_parse(&t, "# comment\n\nwarn = #ff8700 17 bold / bright-red blue underline\n", "x", NULL));
	assert_int_equal(t.rich[INK_WARN].fg, COLOR_RGB | 0xFF8700);
	assert_int_equal(t.rich[INK_WARN].bg, 17);
	assert_int_equal(t.rich[INK_WARN].pen, PEN_BOLD);
	assert_int_equal(t.basic[INK_WARN].fg, 9);
	assert_int_equal(t.basic[INK_WARN].bg, 4);
	assert_int_equal(t.basic[INK_WARN].pen, PEN_UNDERLINE);
}

static void refused(const char *text, const char *why)
{
	struct theme t = {0};
	struct err e;
	assert_false(theme_parse(&t, text, "mine", &e));
	assert_non_null(strstr(e.msg, why));
}

static void mistakes_name_their_line(void **state)
{
	(void)state;
	refused("text = default default\nnonsense\n", "mine:2");
	refused("no-such-ink = default default\n", "no such ink");
	refused("text = 256 default\n", "mine:1");
	refused("text = default\n", "mine:1");
	refused("text = default default blinking\n", "mine:1");
	refused("text = #12345 default\n", "mine:1");
}

static void rgb_meets_the_colour_cube(void **state)
{
	(void)state;
	assert_int_equal(color_to_256(COLOR_RGB | 0xFF0000), 196);
	assert_int_equal(color_to_256(COLOR_RGB | 0x000000), 16);
	assert_int_equal(color_to_256(COLOR_RGB | 0xFFFFFF), 231);
	assert_int_equal(color_to_256(42), 42);
	assert_int_equal(color_to_rgb(196), 0xFF0000);
	assert_int_equal(color_to_rgb(244), 0x808080);
}

static void users_themes_are_found(void **state)
{
	(void)state;
	char dir[] = "/tmp/theme-test-XXXXXX", path[256], names_buf[512];
	assert_non_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", dir, 1);
	snprintf(path, sizeof path, "%s/stepscope", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/stepscope/themes", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/stepscope/themes/mine.theme", dir);
	FILE *f = fopen(path, "w");
	fputs("text = 200 default\n", f);
	fclose(f);

	struct theme t, dark;
	assert_true(theme_load(&dark, "dark", NULL));
	assert_true(theme_load(&t, "mine", NULL));
	assert_int_equal(t.rich[INK_TEXT].fg, 200);
	assert_int_equal(t.rich[INK_TITLE].bg, dark.rich[INK_TITLE].bg);

	const char *names[8];
	assert_int_equal(theme_names(names, 8, names_buf, sizeof names_buf), 4);
	assert_string_equal(names[3], "mine");
	assert_false(theme_load(&t, "../mine", NULL));
	unlink(path);
	for (int i = 0; i < 3; i++) {
		*strrchr(path, '/') = 0;
		rmdir(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(built_in_themes_load),     cmocka_unit_test(built_in_themes_name_every_ink),
		cmocka_unit_test(mono_uses_no_colour),      cmocka_unit_test(a_line_sets_both_depths),
		cmocka_unit_test(mistakes_name_their_line), cmocka_unit_test(rgb_meets_the_colour_cube),
		cmocka_unit_test(users_themes_are_found),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
