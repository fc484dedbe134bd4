/* Themes are text: every ink has its line in the built-in ones, mistakes name their line, users can add their own. */
#include "tui/screen/theme.h"
#include <math.h>
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
	static const char *const names[] = {"dark", "light", "mono", "high-contrast", "colorblind"};
	for (size_t i = 0; i < 5; i++) {
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
	static const char *const files[] = {"themes/dark.theme", "themes/light.theme", "themes/mono.theme",
					    "themes/high-contrast.theme", "themes/colorblind.theme"};
	for (size_t f = 0; f < 5; f++) {
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

/* A terminal of 8 colours shows bold as bright: bold black is dark grey, which no ground of the eight lets one read. Neither is a cell that a
 * pane makes bold. */
static void no_theme_makes_black_bold_in_eight_colours(void **state)
{
	(void)state;
	struct err e = {0};
	for (size_t i = 0; theme_built_in(i); i++) {
		struct theme t;
		assert_true(theme_load(&t, theme_built_in(i), &e));
		for (int k = 0; k < INK_COUNT; k++) {
			struct style told = t.basic[k], cell = theme_cell(t.basic, k, PEN_BOLD);
			if ((told.fg == 0 && told.pen & PEN_BOLD) || (cell.fg == 0 && cell.pen & PEN_BOLD))
				fail_msg("%s: ink %d is bold black", t.name, k);
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
	assert_int_equal(theme_names(names, 8, names_buf, sizeof names_buf), 6);
	assert_string_equal(names[5], "mine");
	assert_false(theme_load(&t, "../mine", NULL));
	unlink(path);
	for (int i = 0; i < 3; i++) {
		*strrchr(path, '/') = 0;
		rmdir(path);
	}
}

/* ---- what eyes make of them --------------------------------------------------------------------------------------- */

static double linear(int byte)
{
	double v = byte / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

struct light {
	double r, g, b;
};

static struct light light_of(int32_t color)
{
	int32_t rgb = color_to_rgb(color);
	return (struct light){linear(rgb >> 16 & 0xFF), linear(rgb >> 8 & 0xFF), linear(rgb & 0xFF)};
}

static double luminance(struct light c)
{
	return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

/* As the guidelines for web content define it: 1 to 21. */
static double contrast(int32_t a, int32_t b)
{
	double x = luminance(light_of(a)) + 0.05, y = luminance(light_of(b)) + 0.05;
	return x > y ? x / y : y / x;
}

static double least_contrast(const char *name)
{
	struct theme t;
	double least = 21;
	assert_true(theme_load(&t, name, NULL));
	for (int i = 0; i < INK_COUNT; i++) {
		struct style st = theme_cell(t.rich, i, 0);
		if (i != INK_FILTERED && contrast(st.fg, st.bg) < least)
			least = contrast(st.fg, st.bg);
	}
	return least;
}

static void high_contrast_is_high(void **state)
{
	(void)state;
	assert_true(least_contrast("high-contrast") >= 7);
	assert_true(least_contrast("light") < 7);
	assert_true(least_contrast("colorblind") >= 4.5);
}

/* A colour as people see it who lack one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1. */
static struct light seen_by(const double m[9], struct light c)
{
	struct light s = {m[0] * c.r + m[1] * c.g + m[2] * c.b, m[3] * c.r + m[4] * c.g + m[5] * c.b,
			  m[6] * c.r + m[7] * c.g + m[8] * c.b};
	return (struct light){fmax(s.r, 0), fmax(s.g, 0), fmax(s.b, 0)};
}

static double lab_f(double v)
{
	return v > 0.008856 ? cbrt(v) : 7.787 * v + 16.0 / 116;
}

/* CIE76: about 2 is just seen side by side. */
static double distance(struct light a, struct light b)
{
	double d[2][3];
	const struct light c[2] = {a, b};
	for (int i = 0; i < 2; i++) {
		double x = lab_f((0.4124 * c[i].r + 0.3576 * c[i].g + 0.1805 * c[i].b) / 0.9505);
		double y = lab_f(luminance(c[i]));
		double z = lab_f((0.0193 * c[i].r + 0.1192 * c[i].g + 0.9505 * c[i].b) / 1.089);
		d[i][0] = 116 * y - 16;
		d[i][1] = 500 * (x - y);
		d[i][2] = 200 * (y - z);
	}
	return sqrt(pow(d[0][0] - d[1][0], 2) + pow(d[0][1] - d[1][1], 2) + pow(d[0][2] - d[1][2], 2));
}

static const double cones[][9] = {
	{1, 0, 0, 0, 1, 0, 0, 0, 1},
	{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
};

/* The least distance of two of these inks to the eyes that tell them apart worst. */
static double least_distance(const char *name, int pen, const int *inks, size_t n)
{
	struct theme t;
	double least = 1000;
	assert_true(theme_load(&t, name, NULL));
	for (size_t eye = 0; eye < 4; eye++)
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < i; k++) {
				struct style a = theme_cell(t.rich, inks[i], pen), b = theme_cell(t.rich, inks[k], pen);
				double d = distance(seen_by(cones[eye], light_of(a.fg)),
						    seen_by(cones[eye], light_of(b.fg)));
				least = d < least ? d : least;
			}
	return least;
}

static void colorblind_is_told_apart_by_all(void **state)
{
	(void)state;
	static const int bars[] = {INK_KERNEL_0, INK_COLLECTIVE, INK_COPY, INK_OP_0, INK_RUNTIME};
	static const int words[] = {INK_GOOD, INK_WARN, INK_BAD};
	double told = least_distance("colorblind", PEN_SHAPE, bars, 5),
	       said = least_distance("colorblind", 0, words, 3);
	if (told < 15 || said < 25)
		fail_msg("bars %.1f, words %.1f", told, said);
	assert_true(least_distance("dark", PEN_SHAPE, bars, 5) < told && least_distance("dark", 0, words, 3) < said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(built_in_themes_load),
		cmocka_unit_test(built_in_themes_name_every_ink),
		cmocka_unit_test(no_theme_makes_black_bold_in_eight_colours),
		cmocka_unit_test(mono_uses_no_colour),
		cmocka_unit_test(a_line_sets_both_depths),
		cmocka_unit_test(mistakes_name_their_line),
		cmocka_unit_test(rgb_meets_the_colour_cube),
		cmocka_unit_test(users_themes_are_found),
		cmocka_unit_test(high_contrast_is_high),
		cmocka_unit_test(colorblind_is_told_apart_by_all),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
