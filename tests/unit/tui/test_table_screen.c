/* tui/table_screen: on a terminal, the columns that fit and the names of the others. */
#include "tui/tables/table_screen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct column kernel_cols[] = {
	{"name", CELL_TEXT, UNIT_NONE, "kernel name"},   {"registers", CELL_INT, UNIT_COUNT, "per thread"},
	{"stream", CELL_INT, UNIT_ID, "where"},          {"total_ns", CELL_INT, UNIT_NS, "time"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "share"},
};
/* Name, share and total are looked at first. */
static const struct table_desc kernels = {
	.name = "kernels", .title = "Kernels", TABLE_COLUMNS(kernel_cols), .first = COLUMN_LIST(0, 4, 3)};
static struct arena mem;

static struct table *one_kernel(const char *name)
{
	struct table *t = table_new(&mem, &kernels);
	struct cell *row = table_row(t);
	cell_text(&row[0], name);
	cell_int(&row[1], 128);
	cell_int(&row[3], 60000000);
	cell_real(&row[4], 37.5);
	return t;
}

static const char *on_screen(struct table *t, unsigned width)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	table_screen(t, false, width, out);
	fclose(out);
	char *copy = arena_strndup(&mem, text, n);
	free(text);
	return copy;
}

static int drop(void **state)
{
	(void)state;
	arena_free(&mem);
	return 0;
}

static void everything_that_fits_stands_in_the_tables_own_order(void **state)
{
	(void)state;
	assert_string_equal(on_screen(one_kernel("volta_sgemm"), 80), "name         registers   total_ns  share_pct\n"
								      "volta_sgemm        128  60.000 ms     37.5 %\n");
}

static void without_room_the_first_columns_stay_and_the_others_are_named(void **state)
{
	(void)state;
	assert_string_equal(on_screen(one_kernel("volta_sgemm"), 40), "name         share_pct   total_ns\n"
								      "volta_sgemm     37.5 %  60.000 ms\n"
								      "\n"
								      "1 more column (--all-columns): registers\n");
}

static void no_line_is_wider_than_the_terminal(void **state)
{
	(void)state;
	const char *name = "a_kernel_name_that_is_much_longer_than_any_terminal_of_a_sound_mind_is_wide";
	for (unsigned width = 40; width < 100; width++)
		for (const char *line = on_screen(one_kernel(name), width); *line; line = strchr(line, '\n') + 1)
			assert_in_range(strcspn(line, "\n"), 0, width);
}

static void a_terminal_too_narrow_for_anything_gets_one_column(void **state)
{
	(void)state;
	assert_memory_equal(on_screen(one_kernel("volta"), 3), "name\nvolta\n\n", 12);
}

static void the_value_of_a_key_already_says_its_unit(void **state)
{
	(void)state;
	static const struct column keys[] = {{"key", CELL_TEXT, UNIT_NONE, ""},
					     {"value", CELL_TEXT, UNIT_NONE, ""},
					     {"unit", CELL_TEXT, UNIT_NONE, ""}};
	struct table *t = table_bare(&mem, "trace", "Trace", keys, 3);
	struct cell *row = table_row(t);
	cell_text(&row[0], "span_ns");
	cell_int(&row[1], 1000000);
	cell_unit(&row[1], UNIT_NS);
	cell_text(&row[2], "ns");
	assert_string_equal(on_screen(t, 80), "key      value\nspan_ns  1.000 ms\n");
}

static void an_empty_table_says_so_in_words(void **state)
{
	(void)state;
	struct table *t = table_new(&mem, &kernels);
	assert_string_equal(on_screen(t, 80), "no rows: this trace or window has none\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_that_fits_stands_in_the_tables_own_order),
		cmocka_unit_test(without_room_the_first_columns_stay_and_the_others_are_named),
		cmocka_unit_test(no_line_is_wider_than_the_terminal),
		cmocka_unit_test(a_terminal_too_narrow_for_anything_gets_one_column),
		cmocka_unit_test(the_value_of_a_key_already_says_its_unit),
		cmocka_unit_test(an_empty_table_says_so_in_words),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, drop);
}
