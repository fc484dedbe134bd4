/* model/row_maker: tables whose rows are made when they are read. */
#include "model/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const struct column cols[] = {
	{"n", CELL_INT, UNIT_COUNT, "number of the row"},
	{"mirrored", CELL_INT, UNIT_COUNT, "counts down; unknown in every tenth row"},
	{"word", CELL_TEXT, UNIT_NONE, "even rows have none"},
};
enum { ROWS = 5000 };

static uint32_t made;

static void make(const void *ctx, uint32_t row, struct made_row *out)
{
	made++;
	cell_int(&out->cells[0], row);
	cell_int(&out->cells[1], row % 10 ? ROWS - (int64_t)row : UNKNOWN_I64);
	if (row % 2)
		cell_text(&out->cells[2], ctx);
	out->events[0] = row;
	out->evidence = (struct evidence){row, row + 1, out->events, 1, NULL};
}

static struct table *counted(struct arena *mem)
{
	struct table *t = table_bare(mem, "counted", "Counted", cols, 3);
	table_made(t, ROWS, make, "odd");
	made = 0;
	return t;
}

static void every_row_reads_as_its_maker_says(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem);
	assert_int_equal(t->n_rows, ROWS);
	for (uint32_t r = 0; r < ROWS; r++) {
		assert_int_equal(table_cell(t, r, 0)->i, r);
		assert_int_equal(table_cell(t, r, 2)->null, r % 2 == 0);
		assert_int_equal(table_evidence_of(t, r)->a_ns, r);
		assert_int_equal(table_evidence_of(t, r)->rows[0], r);
	}
	assert_int_equal(made, ROWS);
	arena_free(&mem);
}

static void nothing_is_made_before_somebody_looks(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem);
	assert_int_equal(made, 0);
	assert_int_equal(table_cell(t, 4321, 0)->i, 4321);
	assert_string_equal(table_cell(t, 4321, 2)->s, "odd");
	assert_int_equal(made, 1);
	arena_free(&mem);
}

static void rows_that_were_null_before_do_not_keep_the_values_of_others(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem);
	for (uint32_t r = 1; r < ROWS; r += 2)
		table_cell(t, r, 2);
	for (uint32_t r = 0; r < ROWS; r += 2)
		assert_true(table_cell(t, r, 2)->null);
	arena_free(&mem);
}

static void sorting_moves_rows_and_their_evidence(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem);
	table_cell(t, 0, 0);
	table_sort(t, 1, false);
	assert_int_equal(table_cell(t, 0, 0)->i, ROWS - 1);
	assert_int_equal(table_evidence_of(t, 0)->rows[0], ROWS - 1);
	assert_int_equal(table_cell(t, ROWS - 1, 0)->i, ROWS - 10); /* nulls last, in their old order */
	table_sort(t, 0, true);
	assert_int_equal(table_cell(t, 0, 0)->i, ROWS - 1);
	assert_int_equal(table_cell(t, 7, 0)->i, ROWS - 8);
	arena_free(&mem);
}

static void the_first_rows_stay_when_a_table_is_cut(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem);
	table_sort(t, 0, true);
	table_top(t, 3);
	assert_int_equal(t->n_rows, 3);
	assert_int_equal(table_cell(t, 2, 0)->i, ROWS - 3);
	arena_free(&mem);
}

static uint32_t rest_made;

static void make_early(const void *ctx, uint32_t row, struct made_row *out)
{
	(void)ctx;
	made++;
	cell_int(&out->cells[0], row);
}

static void make_rest(const void *ctx, uint32_t row, struct made_row *out)
{
	rest_made++;
	cell_int(&out->cells[1], ROWS - (int64_t)row);
	cell_text(&out->cells[2], ctx);
	out->evidence = (struct evidence){row, row + 1, NULL, 0, NULL};
}

static struct table *counted_late(struct arena *mem)
{
	struct table *t = table_bare(mem, "counted", "Counted", cols, 3);
	static const struct row_part parts[] = {{make_early, PART_BIT(0), false}, {make_rest, 0, true}};
	table_made_parts(t, ROWS, parts, 2, "late");
	assert_false(table_is_late(t, 0));
	assert_true(table_is_late(t, 2));
	made = rest_made = 0;
	return t;
}

static void late_columns_are_made_when_one_of_them_is_read(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted_late(&mem);
	for (uint32_t r = 0; r < ROWS; r++)
		assert_int_equal(table_cell(t, r, 0)->i, r);
	assert_int_equal(made, ROWS);
	assert_int_equal(rest_made, 0);
	assert_string_equal(table_cell(t, 4999, 2)->s, "late");
	assert_int_equal(table_cell(t, 4999, 1)->i, 1);
	assert_int_equal(table_cell(t, 4999, 0)->i, 4999);
	assert_int_equal(table_evidence_of(t, 4999)->a_ns, 4999);
	assert_int_equal(rest_made, 1);
	assert_int_equal(table_evidence_of(t, 17)->a_ns, 17);
	assert_int_equal(table_cell(t, 17, 0)->i, 17);
	assert_int_equal(rest_made, 2);
	arena_free(&mem);
}

static void sorting_by_a_late_column_moves_all_of_the_row(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted_late(&mem);
	table_sort(t, 1, false);
	for (uint32_t r = 0; r < ROWS; r += 7) {
		assert_int_equal(table_cell(t, r, 0)->i, ROWS - 1 - r);
		assert_int_equal(table_cell(t, r, 1)->i, r + 1);
		assert_int_equal(table_evidence_of(t, r)->a_ns, ROWS - 1 - r);
	}
	arena_free(&mem);
}

static void numbers_of(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	(void)ctx;
	for (uint32_t i = 0; i < n; i++)
		out[i] = column == 0 ? rows[i] : rows[i] % 10 ? ROWS - (int64_t)rows[i] : UNKNOWN_I64;
}

static void words_of(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	assert_int_equal(column, 2);
	for (uint32_t i = 0; i < n; i++)
		out[i] = rows[i] % 2 ? ctx : NULL;
}

static void assert_columns_say_what_cells_say(const struct table *t)
{
	struct arena mem = {0};
	uint32_t *rows = arena_alloc(&mem, t->n_rows * sizeof *rows);
	int64_t *v = arena_alloc(&mem, t->n_rows * sizeof *v);
	const char **words = arena_alloc(&mem, t->n_rows * sizeof *words);
	for (uint32_t r = 0; r < t->n_rows; r++)
		rows[r] = t->n_rows - 1 - r;
	for (uint32_t c = 0; c < 2; c++) {
		table_numbers(t, c, rows, t->n_rows, v);
		for (uint32_t r = 0; r < t->n_rows; r++)
			assert_int_equal(v[r], cell_int_known(table_cell(t, rows[r], c)));
	}
	table_texts(t, 2, rows, t->n_rows, words);
	for (uint32_t r = 0; r < t->n_rows; r++)
		assert_ptr_equal(words[r], cell_text_known(table_cell(t, rows[r], 2)));
	arena_free(&mem);
}

static void a_column_at_once_says_what_its_cells_say(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem), *copy = table_copy(t, &mem);
	copy->cells[3] = (struct cell){.b = true, .type = CELL_BOOL};
	assert_int_equal(cell_int_known(&copy->cells[3]), 1);
	assert_columns_say_what_cells_say(copy);
	assert_columns_say_what_cells_say(t);
	table_made_numbers(t, numbers_of, PART_BIT(0) | PART_BIT(1));
	table_made_texts(t, words_of, PART_BIT(2));
	assert_columns_say_what_cells_say(t);
	table_sort(t, 1, true);
	assert_columns_say_what_cells_say(t);
	arena_free(&mem);
}

static void a_column_at_once_makes_no_row(void **state)
{
	(void)state;
	struct arena mem = {0};
	const uint32_t rows[] = {4999, 17};
	int64_t v[2];
	struct table *t = counted(&mem);
	table_made_numbers(t, numbers_of, PART_BIT(0));
	table_numbers(t, 0, rows, 2, v);
	assert_int_equal(v[0] + v[1], 5016);
	assert_int_equal(made, 0);
	table_numbers(t, 1, rows, 2, v);
	assert_int_equal(v[0] + v[1], 1 + ROWS - 17);
	assert_int_equal(made, 2);
	arena_free(&mem);
}

static void ranks_of(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	(void)ctx;
	assert_int_equal(column, 2);
	for (uint32_t i = 0; i < n; i++)
		out[i] = 5 * (rows[i] % 2);
}

/* Equal texts have one number, and those of larger texts are larger, whether the maker knows them or not. */
static void assert_ranks(const struct table *t, int64_t of_null, int64_t of_odd)
{
	static uint32_t rows[ROWS];
	static int64_t ranks[ROWS];
	for (uint32_t r = 0; r < ROWS; r++)
		rows[r] = ROWS - 1 - r;
	table_ranks(t, 2, rows, ROWS, ranks);
	for (uint32_t r = 0; r < ROWS; r++)
		assert_int_equal(ranks[r], table_cell(t, rows[r], 2)->null ? of_null : of_odd);
}

static void texts_have_the_numbers_of_their_order(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = counted(&mem);
	assert_ranks(table_copy(t, &mem), 0, 1);
	assert_ranks(t, 0, 1);
	table_made_ranks(t, ranks_of, PART_BIT(2));
	assert_ranks(t, 0, 5);
	table_sort(t, 1, true);
	assert_ranks(t, 0, 5);
	arena_free(&mem);
}

/* The middle column stands first, in words; the others come from below. */
static void make_over(const void *ctx, uint32_t row, struct made_row *out)
{
	const struct cell *c = table_cell(ctx, row, 1);
	made++;
	cell_text(&out->cells[0], c->null ? NULL : c->i % 2 ? "odd" : "even");
}

static struct table *over(struct arena *mem, const struct table *base)
{
	static const struct column shown[] = {{"parity", CELL_TEXT, UNIT_NONE, "of mirrored"},
					      {"n", CELL_INT, UNIT_COUNT, "number of the row"}};
	static const uint32_t from[] = {NONE_ID, 0};
	struct table *t = table_bare(mem, "over", "Over", shown, 2);
	table_over(t, base, from, make_over, base);
	return t;
}

static void a_table_over_another_makes_its_own_columns_only(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *base = counted_late(&mem), *t = over(&mem, base);
	for (uint32_t r = 0; r < ROWS; r++)
		assert_int_equal(table_cell(t, r, 1)->i, r);
	assert_int_equal(made, ROWS);
	assert_int_equal(rest_made, 0);
	assert_false(table_is_late(t, 1));
	const struct cell *row = table_cells(t, 4998);
	assert_string_equal(row[0].s, "even");
	assert_int_equal(row[1].i, 4998);
	assert_int_equal(table_evidence_of(t, 4998)->a_ns, 4998);
	table_sort(t, 1, true);
	assert_int_equal(table_cell(t, 0, 1)->i, ROWS - 1);
	assert_string_equal(table_cell(t, 0, 0)->s, "odd");
	assert_int_equal(table_cells(t, 0)[1].i, ROWS - 1);
	assert_int_equal(table_evidence_of(t, 0)->a_ns, ROWS - 1);
	arena_free(&mem);
}

static void a_table_in_the_order_of_another_reads_the_same_rows(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *base = counted(&mem), *t = over(&mem, base);
	table_sort(t, 1, true);
	table_top(t, 7);
	struct table *back = table_like(&mem, base, base->cols, base->n_cols);
	table_over_in_order(back, base, table_same_columns(base, &mem), t);
	assert_int_equal(back->n_rows, 7);
	assert_int_equal(table_cell(back, 6, 0)->i, ROWS - 7);
	assert_int_equal(table_cells(back, 6)[1].i, 7);
	assert_int_equal(table_evidence_of(back, 6)->rows[0], ROWS - 7);
	arena_free(&mem);
}

static void columns_of_the_table_below_are_read_there(void **state)
{
	(void)state;
	struct arena mem = {0};
	const uint32_t rows[] = {6, 0};
	int64_t v[2];
	const char *words[2];
	struct table *base = counted(&mem), *t = over(&mem, base);
	table_made_numbers(base, numbers_of, PART_BIT(0) | PART_BIT(1));
	table_made_texts(base, words_of, PART_BIT(2));
	table_sort(t, 1, true);
	struct table *back = table_like(&mem, base, base->cols, base->n_cols);
	table_over_in_order(back, base, table_same_columns(base, &mem), t);
	made = 0;
	table_numbers(back, 0, rows, 2, v);
	assert_int_equal(v[0], ROWS - 7);
	assert_int_equal(v[1], ROWS - 1);
	table_numbers(back, 1, rows, 2, v);
	assert_int_equal(v[0], 7);
	table_texts(back, 2, rows, 2, words);
	assert_string_equal(words[0], "odd");
	assert_int_equal(made, 0);
	arena_free(&mem);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_reads_as_its_maker_says),
		cmocka_unit_test(nothing_is_made_before_somebody_looks),
		cmocka_unit_test(rows_that_were_null_before_do_not_keep_the_values_of_others),
		cmocka_unit_test(sorting_moves_rows_and_their_evidence),
		cmocka_unit_test(the_first_rows_stay_when_a_table_is_cut),
		cmocka_unit_test(late_columns_are_made_when_one_of_them_is_read),
		cmocka_unit_test(sorting_by_a_late_column_moves_all_of_the_row),
		cmocka_unit_test(a_column_at_once_says_what_its_cells_say),
		cmocka_unit_test(a_column_at_once_makes_no_row),
		cmocka_unit_test(texts_have_the_numbers_of_their_order),
		cmocka_unit_test(a_table_over_another_makes_its_own_columns_only),
		cmocka_unit_test(a_table_in_the_order_of_another_reads_the_same_rows),
		cmocka_unit_test(columns_of_the_table_below_are_read_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
