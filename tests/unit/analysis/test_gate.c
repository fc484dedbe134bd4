/* Gates: what they read, and how often they are wrong where runs differ among themselves. */
#include "model/analysis/compare/gate.h"
#include "tests/unit/unit.h"
#include <math.h>
#include <stdlib.h>

enum { STEPS = 12, PAIRS = 2000 };

/* Of mean 0 and deviation 1, by twelve equal ones. */
static double noise(void)
{
	double sum = 0;
	for (int i = 0; i < 12; i++)
		sum += (double)rand() / RAND_MAX;
	return sum - 6;
}

static struct spread run_of(double mean_ns, double sd_pct)
{
	double ns[STEPS];
	for (int i = 0; i < STEPS; i++)
		ns[i] = mean_ns * (1 + sd_pct / 100 * noise());
	return spread_of(ns, STEPS);
}

/* One pair of runs, the second one slower by so much. */
static enum gate_verdict judged(const char *text, double slower_pct, double sd_pct)
{
	struct gate g;
	struct arena mem = {0};
	assert_true(gate_parse(text, &g, NULL));
	struct spread a = run_of(1e8, sd_pct), b = run_of(1e8 * (1 + slower_pct / 100), sd_pct);
	struct step_change step = {.of = CHANGE_OF_STEPS,
				   .a_ns = llround(a.mean),
				   .b_ns = llround(b.mean),
				   .detects_pct = spread_detects_pct(&a, &b)};
	enum gate_verdict v = gate_judge(&g, &(struct gate_facts){.step = &step}, &mem).verdict;
	arena_free(&mem);
	return v;
}

static int count(enum gate_verdict wanted, double slower_pct, double sd_pct)
{
	int n = 0;
	for (int i = 0; i < PAIRS; i++)
		n += judged("step +3%", slower_pct, sd_pct) == wanted;
	return n;
}

static void runs_without_a_change_fail_one_time_in_two_hundred_at_most(void **state)
{
	(void)state;
	srand(1);
	for (double sd_pct = 0.5; sd_pct <= 16; sd_pct *= 2)
		assert_in_range(count(GATE_FAILS, 0, sd_pct), 0, PAIRS / 200);
}

static void of_runs_that_are_five_percent_slower_nearly_all_are_stopped(void **state)
{
	(void)state;
	srand(2);
	for (double sd_pct = 0.5; sd_pct <= 16; sd_pct *= 2)
		assert_in_range(count(GATE_PASSES, 5, sd_pct), 0, PAIRS / 20);
	assert_in_range(count(GATE_FAILS, 5, 1), PAIRS * 95 / 100, PAIRS);
}

static void where_runs_differ_too_much_nothing_is_judged(void **state)
{
	(void)state;
	srand(3);
	assert_in_range(count(GATE_CANNOT_JUDGE, 0, 10), PAIRS * 95 / 100, PAIRS);
	assert_int_equal(judged("step +3%", 80, 10), GATE_FAILS);
	assert_int_equal(judged("step +3%", -60, 10), GATE_PASSES);
}

static void limits_are_read(void **state)
{
	(void)state;
	struct gate g;
	assert_true(gate_parse("step +2.5ms", &g, NULL) && g.kind == GATE_TIME);
	assert_float_equal(g.limit, 2.5e6, 0.5);
	assert_true(gate_parse("device_compute_pct -5", &g, NULL) && g.kind == GATE_POINTS);
	assert_string_equal(g.key, "device_compute_pct");
	assert_float_equal(g.limit, -5, 1e-9);
	assert_true(gate_parse("findings new", &g, NULL) && g.kind == GATE_NEW_FINDINGS);
	static const char *const wrong[] = {"",           "step",     "step 3%", "step +",      "step +0%",
					    "step +nan%", "step +3x", "+3%",     "findings old"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(gate_parse(wrong[i], &g, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_without_a_change_fail_one_time_in_two_hundred_at_most),
		cmocka_unit_test(of_runs_that_are_five_percent_slower_nearly_all_are_stopped),
		cmocka_unit_test(where_runs_differ_too_much_nothing_is_judged),
		cmocka_unit_test(limits_are_read),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
