/* tui/tables/rows_ahead: rows that a second thread makes come in their order, with what they hold. */
#include "tui/tables/rows_ahead.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { COLS = 3 };
static const struct column cols[COLS] = {
	{"id", CELL_INT, UNIT_ID, "number of the row"},
	{"square", CELL_INT, UNIT_COUNT, "of the number"},
	{"odd", CELL_TEXT, UNIT_NONE, "of odd rows alone"},
};
static const struct table_desc desc = {.name = "t", .title = "T", .cols = cols, .n_cols = COLS};

static void make(const void *ctx, uint32_t row, struct made_row *out)
{
	(void)ctx;
	cell_int(&out->cells[0], row);
	cell_int(&out->cells[1], (int64_t)row * row);
	if (row % 2)
		cell_text(&out->cells[2], "odd");
}

static struct table *made_of(struct arena *mem, uint32_t n)
{
	struct table *t = table_new(mem, &desc);
	table_made(t, n, make, NULL);
	return t;
}

static void assert_row(const struct cell *row, uint32_t i)
{
	assert_non_null(row);
	assert_int_equal(row[0].i, i);
	assert_int_equal(row[1].i, (int64_t)i * i);
	assert_int_equal(row[2].null, i % 2 == 0);
}

static void rows_come_in_order_however_many(void **state)
{
	static const uint32_t sizes[] = {0, 1, 4095, 4096, 4097, 100000};
	(void)state;
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct arena mem = {0};
		struct rows_ahead *x = rows_ahead_new(made_of(&mem, sizes[s]));
		for (uint32_t i = 0; i < sizes[s]; i++)
			assert_row(rows_ahead_next(x), i);
		assert_null(rows_ahead_next(x));
		rows_ahead_free(x);
		arena_free(&mem);
	}
}

static void who_wants_no_more_need_not_read_on(void **state)
{
	static const uint32_t read[] = {0, 1, 127, 128, 129, 5000};
	(void)state;
	for (size_t s = 0; s < sizeof read / sizeof *read; s++) {
		struct arena mem = {0};
		struct rows_ahead *x = rows_ahead_new(made_of(&mem, 1000000));
		for (uint32_t i = 0; i < read[s]; i++)
			assert_row(rows_ahead_next(x), i);
		rows_ahead_free(x);
		arena_free(&mem);
	}
}

static void rows_that_are_kept_are_read_where_they_lie(void **state)
{
	enum { ROWS = 5000 };
	struct arena mem = {0};
	struct table *t = table_new(&mem, &desc);
	(void)state;
	for (uint32_t i = 0; i < ROWS; i++)
		make(NULL, i, &(struct made_row){.cells = table_row(t)});
	struct rows_ahead *x = rows_ahead_new(t);
	for (uint32_t i = 0; i < ROWS; i++)
		assert_ptr_equal(rows_ahead_next(x), table_cells(t, i));
	assert_null(rows_ahead_next(x));
	rows_ahead_free(x);
	arena_free(&mem);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_in_order_however_many),
		cmocka_unit_test(who_wants_no_more_need_not_read_on),
		cmocka_unit_test(rows_that_are_kept_are_read_where_they_lie),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
