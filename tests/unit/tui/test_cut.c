/* tui/report/cut: which rows and columns of a table a report shows. */
#include "tui/report/cut.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROWS = 3000, COLS = 4 };
static const struct column cols[COLS] = {
	{"id", CELL_INT, UNIT_ID, "number of the row"},
	{"size", CELL_INT, UNIT_COUNT, "many rows have the same one; some are unknown"},
	{"word", CELL_TEXT, UNIT_NONE, "odd or even"},
	{"never", CELL_INT, UNIT_COUNT, "always unknown"},
};
static const struct table_desc desc = {.name = "t", .title = "T", .cols = cols, .n_cols = COLS};

static struct table *made_up(struct arena *mem, uint32_t n)
{
	struct table *t = table_new(mem, &desc);
	srand(7);
	for (uint32_t i = 0; i < n; i++) {
		struct cell *row = table_row(t);
		cell_int(&row[0], i);
		cell_int(&row[1], rand() % 11 ? rand() % 200 : UNKNOWN_I64);
		cell_text(&row[2], i % 2 ? "odd" : "even");
		table_evidence(t, i, i + 1, NULL, 0);
	}
	return t;
}

static bool keep_word(const struct table *t, uint32_t row, const char *word)
{
	return !strcmp(table_cell(t, row, 2)->s, word);
}

/* The same by sorting all of it. */
static struct table *sorted(struct arena *mem, const struct table *t, const char *word)
{
	struct table *all = table_like(mem, t, t->cols, t->n_cols);
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!word || keep_word(t, r, word)) {
			struct cell *to = table_row(all);
			for (uint32_t c = 0; c < t->n_cols; c++)
				to[c] = *table_cell(t, r, c);
		}
	table_sort(all, 1, true);
	return all;
}

static void assert_largest(uint32_t rows, uint32_t max, uint32_t shown, const char *word)
{
	struct arena mem = {0};
	struct table *t = made_up(&mem, rows);
	const struct cut_choice choice = {
		.sort = COLUMN_LIST(1), .max = max, .keep = word ? keep_word : NULL, .word = word};
	const struct cut_rows *picked = cut_rows(t, &choice, &mem);
	const struct table *cut = cut_table(t, picked, &(struct cut){.rows = shown}, &mem),
			   *all = sorted(&mem, t, word);
	assert_int_equal(cut_total(picked), all->n_rows);
	assert_int_equal(cut->n_rows, shown < all->n_rows ? shown : all->n_rows);
	for (uint32_t r = 0; r < cut->n_rows && shown < all->n_rows; r++) {
		assert_int_equal(table_cell(cut, r, 0)->i, table_cell(all, r, 0)->i);
		assert_int_equal(table_evidence_of(cut, r)->a_ns, table_cell(cut, r, 0)->i);
	}
	for (uint32_t r = 1; r < cut->n_rows && shown >= all->n_rows; r++)
		assert_true(table_cell(cut, r, 0)->i > table_cell(cut, r - 1, 0)->i);
	arena_free(&mem);
}

static void the_largest_rows_stay_as_sorting_would_leave_them(void **state)
{
	(void)state;
	for (uint32_t max = 20; max <= ROWS + 20; max += 373) {
		assert_largest(ROWS, max, 20, NULL);
		assert_largest(ROWS, max, 20, "odd");
		assert_largest(19, max, 20, "even");
		assert_largest(20, max, 20, NULL);
		assert_largest(21, max, 20, NULL);
	}
}

static void without_a_rank_the_first_rows_stay(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = made_up(&mem, ROWS);
	const struct cut_rows *picked = cut_rows(t, &(struct cut_choice){.max = 50}, &mem);
	const struct table *cut = cut_table(t, picked, &(struct cut){.rows = 5}, &mem);
	assert_int_equal(cut_total(picked), ROWS);
	assert_int_equal(cut->n_rows, 5);
	for (uint32_t r = 0; r < 5; r++)
		assert_int_equal(table_cell(cut, r, 0)->i, r);
	arena_free(&mem);
}

static void columns_that_tell_nothing_go_and_are_named(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = made_up(&mem, ROWS);
	const struct cut_rows *picked = cut_rows(t, &(struct cut_choice){.max = 50}, &mem);
	const struct table *cut = cut_table(t, picked, &(struct cut){.rows = 5, .drop_unknown = true}, &mem);
	assert_int_equal(cut->n_cols, COLS - 1);
	assert_int_equal(table_column(cut, "never"), -1);
	assert_string_equal(cut_unknown(picked, (struct column_list){0}, &mem), "never");
	assert_string_equal(cut_unknown(picked, (struct column_list)COLUMN_LIST(0, 1), &mem), "");
	arena_free(&mem);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_rows_stay_as_sorting_would_leave_them),
		cmocka_unit_test(without_a_rank_the_first_rows_stay),
		cmocka_unit_test(columns_that_tell_nothing_go_and_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
