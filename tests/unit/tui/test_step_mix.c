/* Bars of steps: columns add up to the bar, nothing that is there gets lost, shares add up to 100, one long step does not
 * flatten the others. */
#include "tui/tables/step_mix.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

TABLE_DECL(steps);

static struct arena mem;
static const struct column columns[] = {
	{"step", CELL_TEXT, UNIT_NONE, ""},
	{"dur_ns", CELL_INT, UNIT_NS, ""},
	{"device_compute_ns", CELL_INT, UNIT_NS, "what computes"},
	{"input_ns", CELL_INT, UNIT_NS, ""},
	{"other_ns", CELL_INT, UNIT_NS, ""},
	{"cut", CELL_BOOL, UNIT_NONE, ""},
};

static struct table *no_steps(void)
{
	return table_with(&mem, &steps_desc, columns, sizeof columns / sizeof *columns);
}

static void add_step(struct table *t, int64_t compute, int64_t input, int64_t other, bool cut)
{
	struct cell *row = table_row(t);
	cell_text(&row[0], "1");
	cell_int(&row[1], compute + input + other);
	cell_int(&row[2], compute);
	cell_int(&row[3], input);
	cell_int(&row[4], other);
	cell_bool(&row[5], cut);
}

static int drop(void **state)
{
	(void)state;
	arena_free(&mem);
	return 0;
}

static int sum_of(const int cols[MIX_PARTS])
{
	int sum = 0;
	for (int i = 0; i < MIX_PARTS; i++)
		sum += cols[i];
	return sum;
}

static void columns_add_up_to_the_bar(void **state)
{
	(void)state;
	for (int64_t input = 0; input <= 1000; input += 7) {
		struct mix_row r = {.ns = {[MIX_COMPUTE] = 1000 - input, [MIX_INPUT] = input}, .dur_ns = 1000};
		int cols[MIX_PARTS];
		assert_int_equal(mix_columns(&r, 1000, 37, cols), 37);
		assert_int_equal(sum_of(cols), 37);
		assert_true(input == 0 || cols[MIX_INPUT] > 0);
	}
}

static void a_short_step_is_seen(void **state)
{
	(void)state;
	struct mix_row r = {.ns = {[MIX_OTHER] = 1}, .dur_ns = 1};
	int cols[MIX_PARTS];
	assert_int_equal(mix_columns(&r, 1000000, 40, cols), 1);
	assert_int_equal(cols[MIX_OTHER], 1);
}

static void what_reads_as_nothing_gets_no_column(void **state)
{
	(void)state;
	struct mix_row r = {.ns = {[MIX_COMPUTE] = 996000, [MIX_LAUNCH] = 400, [MIX_HOST] = 3600}, .dur_ns = 1000000};
	int cols[MIX_PARTS];
	assert_int_equal(mix_columns(&r, 1000000, 40, cols), 40);
	assert_int_equal(cols[MIX_LAUNCH], 0);
	assert_int_equal(cols[MIX_HOST], 1);
}

/* 0.0498 % reads 0.0 %, 0.0502 % reads 0.1 %. */
static void what_reads_as_nothing_in_all_steps_gets_no_column(void **state)
{
	(void)state;
	struct step_mix m = {.n = 1, .pct = {[MIX_COMPUTE] = 99.9, [MIX_LAUNCH] = 0.0498, [MIX_HOST] = 0.0502}};
	int cols[MIX_PARTS];
	assert_int_equal(mix_columns_of_all(&m, 22, cols), 22);
	assert_int_equal(cols[MIX_LAUNCH], 0);
	assert_int_equal(cols[MIX_HOST], 1);
}

static void shares_add_up(void **state)
{
	(void)state;
	struct table *t = no_steps();
	add_step(t, 1, 1, 1, false);
	struct step_mix m = step_mix(t);
	double sum = 0;
	for (int i = 0; i < MIX_PARTS; i++)
		sum += m.pct[i];
	assert_true(fabs(sum - 100) < 1e-9);
	assert_false(m.occurs[MIX_D2D]);
	assert_true(m.occurs[MIX_INPUT]);
}

static void equal_steps_do_not_spread(void **state)
{
	(void)state;
	struct table *t = no_steps();
	for (int i = 0; i < 7; i++)
		add_step(t, 123456789, 987654321, 5, false);
	struct step_mix m = step_mix(t);
	assert_true(m.sd_ns[MIX_COMPUTE] == 0);
	assert_true(m.row_sd_ns == 0);
	assert_true(m.mean_ns[MIX_INPUT] == 987654321);
}

static void the_spread_is_that_of_a_sample(void **state)
{
	(void)state;
	struct table *t = no_steps();
	add_step(t, 10, 0, 0, false);
	assert_true(isnan(step_mix(t).sd_ns[MIX_COMPUTE]));
	add_step(t, 14, 0, 0, false);
	assert_true(fabs(step_mix(t).sd_ns[MIX_COMPUTE] - sqrt(8)) < 1e-9);
}

static void cut_steps_do_not_count(void **state)
{
	(void)state;
	struct table *t = no_steps();
	add_step(t, 10, 0, 0, false);
	add_step(t, 1, 0, 0, true);
	struct step_mix m = step_mix(t);
	assert_int_equal(m.n, 1);
	assert_true(m.mean_ns[MIX_COMPUTE] == 10);
}

static void one_long_step_does_not_flatten_the_others(void **state)
{
	(void)state;
	struct table *t = no_steps();
	for (int i = 0; i < 5; i++)
		add_step(t, 100, 0, 0, false);
	assert_int_equal(step_mix(t).scale_ns, 100);
	add_step(t, 150, 0, 0, false);
	assert_int_equal(step_mix(t).scale_ns, 150);
	add_step(t, 100000, 0, 0, false);
	assert_int_equal(step_mix(t).scale_ns, 200);
}

static void meanings_are_those_of_the_table(void **state)
{
	(void)state;
	struct table *t = no_steps();
	assert_string_equal(mix_help(t, MIX_COMPUTE), "what computes");
	assert_string_equal(mix_help(t, MIX_D2D), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_add_up_to_the_bar),
		cmocka_unit_test(a_short_step_is_seen),
		cmocka_unit_test(what_reads_as_nothing_gets_no_column),
		cmocka_unit_test(what_reads_as_nothing_in_all_steps_gets_no_column),
		cmocka_unit_test(shares_add_up),
		cmocka_unit_test(equal_steps_do_not_spread),
		cmocka_unit_test(the_spread_is_that_of_a_sample),
		cmocka_unit_test(cut_steps_do_not_count),
		cmocka_unit_test(one_long_step_does_not_flatten_the_others),
		cmocka_unit_test(meanings_are_those_of_the_table),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, drop);
}
