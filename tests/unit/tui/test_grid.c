/* Tables on the screen: the name and what the table is for stay at any width, flags have a word and a colour, a sort can be seen. */
#include "tests/unit/unit.h"
#include "tui/screen/grid.h"
#include "tui/screen/theme.h"
#include "model/analysis/kernels/kernel_names.h"
#include "tui/text/utf8.h"
#include <locale.h>
#include <string.h>

enum { ROWS = 4, WIDEST = 200, NARROWEST = 38 };
static struct arena mem;
static struct table *t;
static struct surface s;

static void add(const char *name, const char *tc)
{
	struct cell *row = table_row(t);
	cell_text(&row[KERNEL_NAMES_NAME], name);
	cell_text(&row[KERNEL_NAMES_TC], tc);
	cell_text(&row[KERNEL_NAMES_PRECISION], "fp32");
	cell_real(&row[KERNEL_NAMES_SHARE], 12.5);
	cell_int(&row[KERNEL_NAMES_TOTAL], 123456789);
	cell_int(&row[KERNEL_NAMES_COUNT], 77);
	cell_int(&row[KERNEL_NAMES_AVG], 1603334);
	cell_int(&row[KERNEL_NAMES_MIN], 1);
	cell_int(&row[KERNEL_NAMES_MAX], 2);
	cell_int(&row[KERNEL_NAMES_FORMS], 3);
	cell_text(&row[KERNEL_NAMES_OP], "aten::mm");
	cell_text(&row[KERNEL_NAMES_FAMILY], "gemm");
}

static int start(void **state)
{
	(void)state;
	t = table_new(&mem, &kernel_names_desc);
	add("volta_scudnn_128x64_relu_xregs_large_nn_v1", "used");
	add("volta_scudnn_128x64_relu_small_large_nn_v1", "could");
	add("relu", "no");
	add("unknown_kernel", NULL);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	arena_free(&mem);
	surface_free(&s);
	s = (struct surface){0};
	return 0;
}

static struct grid grid_of(int w, uint32_t left)
{
	struct grid g;
	grid_init_all(&g, t, false);
	grid_fit(&g, w, left);
	return g;
}

static void draw(const struct grid *g, int w)
{
	surface_resize(&s, ROWS + 1, w);
	grid_head(g, &s, 0, 0, w);
	grid_rows(g, &s, (struct rect){1, 0, ROWS, w}, 0, NONE_ID);
}

static bool line_has(int y, const char *text)
{
	char line[4 * WIDEST + 1] = "", one[5];
	for (int x = 0; x < s.cols; x++) {
		utf8_encode(surface_at(&s, y, x)->cp, one);
		strcat(line, one);
	}
	return strstr(line, text) != NULL;
}

static int ink_at(int y, const char *text)
{
	for (int x = 0; x < s.cols; x++) {
		int n = 0;
		while (text[n] && x + n < s.cols && surface_at(&s, y, x + n)->cp == (uint32_t)text[n])
			n++;
		if (!text[n])
			return surface_at(&s, y, x)->ink;
	}
	fail_msg("no %s in row %d", text, y);
	return -1;
}

static void name_and_flags_stay_at_any_width(void **state)
{
	(void)state;
	for (int w = NARROWEST; w <= WIDEST; w++)
		for (uint32_t left = 0; left < KERNEL_NAMES_COLUMNS; left++) {
			struct grid g = grid_of(w, left);
			draw(&g, w);
			assert_true(line_has(0, "name") && line_has(0, "tc"));
			assert_true(line_has(1, "used") && line_has(2, "could") && line_has(3, "no") &&
				    line_has(4, "?"));
			assert_true(g.n >= 3); /* and something to scroll */
		}
}

static void every_column_can_be_reached(void **state)
{
	(void)state;
	for (int w = NARROWEST; w <= WIDEST; w += 3) {
		bool seen[KERNEL_NAMES_COLUMNS] = {false};
		for (uint32_t left = 0; left < KERNEL_NAMES_COLUMNS; left++) {
			struct grid g = grid_of(w, left);
			for (uint32_t i = 0; i < g.n; i++)
				seen[g.col[i]] = true;
		}
		for (int c = 0; c < KERNEL_NAMES_COLUMNS; c++)
			assert_true(seen[c]);
	}
}

static void a_sorted_column_is_in_view_with_its_mark(void **state)
{
	(void)state;
	for (int w = NARROWEST; w <= WIDEST; w += 3)
		for (uint32_t from = 0; from < KERNEL_NAMES_COLUMNS; from += 4)
			for (uint32_t c = 0; c < KERNEL_NAMES_COLUMNS; c++) {
				struct grid all;
				grid_init_all(&all, t, false);
				struct grid g = grid_of(w, grid_left_for(&all, w, from, c));
				bool there = false;
				for (uint32_t i = 0; i < g.n; i++)
					there = there || g.col[i] == c;
				/* the lead gives way on the narrowest screens */
				if (!there)
					assert_true(c == KERNEL_NAMES_PRECISION && g.lead < all.lead);
				g.sort_col = (int)c;
				g.sort_desc = true;
				draw(&g, w);
				assert_int_equal(line_has(0, "\xe2\x86\x93"), there);
			}
}

static void the_next_column_is_the_one_on_the_right(void **state)
{
	(void)state;
	struct grid g;
	grid_init_all(&g, t, false);
	uint32_t col = g.col[0];
	for (uint32_t i = 1; i < g.n; i++) {
		col = grid_beside(&g, col, 1);
		assert_int_equal(col, g.col[i]);
		assert_int_equal(grid_beside(&g, col, -1), g.col[i - 1]);
	}
	assert_int_equal(grid_beside(&g, col, 1), g.col[0]);
}

static void flags_have_a_word_and_a_colour(void **state)
{
	(void)state;
	struct grid g = grid_of(80, 0);
	draw(&g, 80);
	assert_int_equal(ink_at(1, "used"), INK_GOOD);
	assert_int_equal(ink_at(2, "could"), INK_WARN);
	assert_int_equal(ink_at(3, "no "), INK_QUIET);
	assert_int_equal(ink_at(4, "?"), INK_QUIET);
}

static void names_that_differ_look_different(void **state)
{
	(void)state;
	struct grid g = grid_of(50, 0);
	draw(&g, 50);
	assert_true(line_has(1, "xregs"));
	assert_true(line_has(2, "small"));
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(name_and_flags_stay_at_any_width),         TEST(every_column_can_be_reached),
		TEST(a_sorted_column_is_in_view_with_its_mark), TEST(the_next_column_is_the_one_on_the_right),
		TEST(flags_have_a_word_and_a_colour),           TEST(names_that_differ_look_different),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
