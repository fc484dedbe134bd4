/* model/table: building, nulls, order, what a person reads. */
#include "model/finding.h"
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const struct column cols[] = {
	{"step", CELL_TEXT, UNIT_NONE, "label"},
	{"dur_ns", CELL_INT, UNIT_NS, "duration"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "share"},
};

static struct table *steps(struct arena *mem)
{
	static const struct {
		const char *step;
		int64_t dur_ns;
	} rows[] = {{"10", 5}, {"9", UNKNOWN_I64}, {"8", 7}, {"b", 5}};
	struct table *t = table_bare(mem, "steps", "Steps", cols, 3);
	for (row_id i = 0; i < 4; i++) {
		struct cell *row = table_row(t);
		cell_text(&row[0], rows[i].step);
		cell_int(&row[1], rows[i].dur_ns);
		table_evidence(t, i, i + 1, &i, 1);
	}
	return t;
}

static void check_order(const struct table *t, const char *expected)
{
	char got[64] = "";
	for (uint32_t r = 0; r < t->n_rows; r++)
		strcat(strcat(got, table_cell(t, r, 0)->s), " ");
	assert_string_equal(got, expected);
}

static void a_fresh_row_is_all_null(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_bare(&mem, "steps", "Steps", cols, 3);
	table_row(t);
	for (uint32_t c = 0; c < 3; c++)
		assert_true(table_cell(t, 0, c)->null);
	arena_free(&mem);
}

static void unknown_values_are_null_and_zero_is_not(void **state)
{
	(void)state;
	struct cell c = {0};
	cell_int(&c, UNKNOWN_I64);
	assert_true(c.null);
	cell_int(&c, 0);
	assert_false(c.null);
	cell_real(&c, NAN);
	assert_true(c.null);
	cell_text(&c, NULL);
	assert_true(c.null);
	cell_text(&c, "");
	assert_false(c.null);
}

static void rows_survive_growth(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_bare(&mem, "steps", "Steps", cols, 3);
	for (row_id i = 0; i < 1000; i++) {
		cell_int(&table_row(t)[1], i);
		table_evidence(t, i, i + 1, &i, 1);
	}
	for (row_id i = 0; i < 1000; i++) {
		assert_int_equal(table_cell(t, i, 1)->i, i);
		assert_int_equal(t->evidence[i].rows[0], i);
	}
	arena_free(&mem);
}

static void sorting_ascending_puts_nulls_last_and_keeps_ties_in_order(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = steps(&mem);
	table_sort(t, 1, false);
	check_order(t, "10 b 8 9 ");
	arena_free(&mem);
}

static void sorting_descending_puts_nulls_last_and_keeps_ties_in_order(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = steps(&mem);
	table_sort(t, 1, true);
	check_order(t, "8 10 b 9 ");
	arena_free(&mem);
}

static void numbers_inside_texts_sort_as_numbers(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = steps(&mem);
	table_sort(t, 0, false);
	check_order(t, "8 9 10 b ");
	arena_free(&mem);
}

static void evidence_moves_with_its_row(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = steps(&mem);
	table_sort(t, 1, true);
	assert_int_equal(t->evidence[0].rows[0], 2);
	assert_int_equal(t->evidence[3].rows[0], 1);
	arena_free(&mem);
}

static void top_keeps_the_first_rows_and_zero_keeps_all(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = steps(&mem);
	table_top(t, 0);
	assert_int_equal(t->n_rows, 4);
	table_top(t, 2);
	check_order(t, "10 9 ");
	arena_free(&mem);
}

static void columns_are_found_by_name(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = steps(&mem);
	assert_int_equal(table_column(t, "share_pct"), 2);
	assert_int_equal(table_column(t, "dur"), -1);
	arena_free(&mem);
}

static void a_person_reads_units_and_a_dash_for_unknown(void **state)
{
	(void)state;
	char buf[64];
	struct arena mem = {0};
	struct table *t = table_bare(&mem, "steps", "Steps", cols, 3);
	struct cell *row = table_row(t);
	cell_int(&row[1], 60000000);
	cell_real(&row[2], 37.5);
	assert_string_equal(cell_format(t, 0, 0, buf, sizeof buf), "-");
	assert_string_equal(cell_format(t, 0, 1, buf, sizeof buf), "60.000 ms");
	assert_string_equal(cell_format(t, 0, 2, buf, sizeof buf), "37.5 %");
	cell_unit(&row[1], UNIT_COUNT);
	assert_string_equal(cell_format(t, 0, 1, buf, sizeof buf), "60,000,000");
	arena_free(&mem);
}

static void a_copy_stands_alone(void **state)
{
	(void)state;
	struct arena mem = {0}, other = {0};
	struct column named[3] = {cols[0], cols[1], cols[2]};
	char *name = arena_strdup(&mem, "made for it");
	named[2].name = name;
	struct table *t = table_bare(&mem, "steps", "Steps", named, 3);
	const struct finding_input input = {.name = arena_strdup(&mem, "n"), .value = 3, .table = "steps"};
	struct finding_inputs *inputs = arena_alloc(&mem, sizeof *inputs);
	*inputs = (struct finding_inputs){&input, 1};
	for (int64_t i = 0; i < 40; i++) {
		struct cell *row = table_row(t);
		cell_text(&row[0], arena_printf(&mem, "step %d", (int)i));
		cell_int(&row[1], i % 3 ? i : UNKNOWN_I64);
		table_evidence(t, i, i + 1, (row_id[]){(row_id)i, 7}, 2);
	}
	t->evidence[39].inputs = inputs;
	struct table *copy = table_copy(t, &other);
	memset((char *)t->cells[0].s, 'x', 6);
	memset(name, 'x', 4);
	memset((row_id *)t->evidence[0].rows, 0xff, sizeof(row_id));
	arena_free(&mem);
	assert_int_equal(copy->n_rows, 40);
	assert_string_equal(table_cell(copy, 0, 0)->s, "step 0");
	assert_string_equal(copy->cols[2].name, "made for it");
	assert_int_equal(table_evidence_of(copy, 0)->rows[0], 0);
	for (uint32_t i = 0; i < 40; i++) {
		assert_int_equal(table_cell(copy, i, 1)->null, i % 3 == 0);
		assert_int_equal(table_evidence_of(copy, i)->rows[0], i);
	}
	assert_string_equal(table_evidence_of(copy, 39)->inputs->at[0].name, "n");
	assert_null(table_evidence_of(copy, 38)->inputs);
	arena_free(&other);
}

static void every_unit_has_a_word(void **state)
{
	(void)state;
	for (int u = 0; u < UNIT_UNITS; u++)
		assert_true(strlen(unit_name((enum unit)u)) > 1);
	assert_string_equal(unit_name(UNIT_BYTES_PER_S), "bytes_per_s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fresh_row_is_all_null),
		cmocka_unit_test(unknown_values_are_null_and_zero_is_not),
		cmocka_unit_test(rows_survive_growth),
		cmocka_unit_test(sorting_ascending_puts_nulls_last_and_keeps_ties_in_order),
		cmocka_unit_test(sorting_descending_puts_nulls_last_and_keeps_ties_in_order),
		cmocka_unit_test(numbers_inside_texts_sort_as_numbers),
		cmocka_unit_test(evidence_moves_with_its_row),
		cmocka_unit_test(top_keeps_the_first_rows_and_zero_keeps_all),
		cmocka_unit_test(columns_are_found_by_name),
		cmocka_unit_test(a_person_reads_units_and_a_dash_for_unknown),
		cmocka_unit_test(a_copy_stands_alone),
		cmocka_unit_test(every_unit_has_a_word),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
