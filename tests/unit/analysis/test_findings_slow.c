/* What unusually long steps are put down to: what they do beyond the others, on the rank that others wait for, and never a thread
 * that only waits. */
#include "model/analysis/findings/findings.h"
#include "tests/unit/ask.h"
#include <string.h>

enum { STEPS = 12, STEP_US = 1000 };

static bool every_fourth(int step)
{
	return step % 4 == 3;
}

/* One step of 1 ms or, where it is slow, 4 ms, of which `name` fills all that it has more. */
static double a_step(struct build *b, int i, double at, const char *name, double own_us)
{
	double dur = every_fourth(i) ? 4 * STEP_US : STEP_US;
	profiler_step(b, 1, i, at, dur);
	op(b, 1, "aten::mm", at + 10, 500);
	if (name)
		host_event(b, KIND_PYTHON, 1, name, at + 520, own_us + (every_fourth(i) ? 3 * STEP_US : 0));
	return at + dur;
}

static bool speaks(const struct table *t, const char *rule)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (!strcmp(text_of(t, row, "rule"), rule))
			return true;
	return false;
}

/* Steps of 1 ms, and from `from` on of 3 ms. */
static struct derived *slower_from(int from, int steps)
{
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < steps; at += i++ < from ? 1000 : 3000) {
		profiler_step(&b, 1, i, at, i < from ? 1000 : 3000);
		op(&b, 1, "aten::mm", at + 10, i < from ? 900 : 2900);
	}
	return derive(&b);
}

static void steps_that_are_slow_from_one_on_are_a_change_not_slow_again_and_again(void **state)
{
	(void)state;
	struct derived *d = slower_from(30, 44);
	struct table *t = ask(d, "findings");
	assert_false(speaks(t, "slow-steps"));
	assert_non_null(strstr(rule_says(t, "step-change", "sentence"), "From step 30 on steps take 200.0 % longer"));
	ask_done(d);
}

static void in_a_window_of_slow_steps_they_are_what_is_usual(void **state)
{
	(void)state;
	struct derived *d = slower_from(30, 44);
	struct table *t = ask_window(d, "findings", 29000000, 72000000);
	assert_false(speaks(t, "slow-steps"));
	assert_non_null(strstr(rule_says(t, "step-phases", "sentence"),
			       "14 of 15 steps last unusually long, beside all steps of the trace: 30, 31"));
	ask_done(d);
}

static void a_thread_that_waits_meanwhile_is_no_reason(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		if (every_fourth(i))
			host_event(&b, KIND_PYTHON, 2, "threading.py(295): wait", at + 50, 3900);
		at = a_step(&b, i, at, NULL, 0);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_non_null(
		strstr(rule_says(t, "slow-steps", "sentence"), "no recorded event explains half of it in each"));
	ask_done(d);
}

static void the_thread_of_the_steps_goes_before_others(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		if (every_fourth(i))
			host_event(&b, KIND_PYTHON, 2, "logger.py(4): flush", at + 600, 2500);
		at = a_step(&b, i, at, every_fourth(i) ? "train.py(7): report" : NULL, 0);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "slow-steps", "sentence"), "3.000 ms of each in train.py(7): report."));
	assert_non_null(strstr(rule_says(t, "slow-steps", "advice"), "do it less often"));
	ask_done(d);
}

/* Steady steps have that event as often: what a slow step does is not what to leave out. */
static void the_same_work_that_takes_longer_is_told_as_that(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++)
		at = a_step(&b, i, at, "model.py(64): forward", 300);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "slow-steps", "sentence"),
			       "3.000 ms of each in model.py(64): forward, which runs as often in a steady one."));
	assert_non_null(strstr(rule_says(t, "slow-steps", "advice"), "They do what steady steps do"));
	assert_null(strstr(rule_says(t, "slow-steps", "advice"), "less often"));
	ask_done(d);
}

/* A range that slow steps alone have goes before an op that others have, too, and holds the work that is launched in it. */
static void what_slow_steps_alone_do_is_named_with_its_work_on_devices(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	uint64_t corr = 1;
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		double dur = every_fourth(i) ? 4 * STEP_US : STEP_US, work = every_fourth(i) ? 3000 : 0;
		profiler_step(&b, 1, i, at, dur);
		launch(&b, 1, at + 10, 5, corr);
		kernel(&b, 0, 7, "a", at + 20, 900, corr++);
		if (work > 0) {
			host_event(&b, KIND_ANNOTATION, 1, "validate", at + 20, 40);
			launch(&b, 1, at + 30, 5, corr);
			kernel(&b, 0, 7, "a", at + 920, work, corr++);
		}
		host_event(&b, KIND_RUNTIME, 1, "cudaStreamSynchronize", at + 70, 850 + work);
		at += dur;
	}
	struct derived *d = derive(&b);
	assert_non_null(
		strstr(rule_says(ask(d, "findings"), "slow-steps", "sentence"), "3.000 ms of each in validate."));
	ask_done(d);
}

/* Half of the steps wait for the data loader, some of them long: that is how the program runs, so the means hold all of them. */
static void waits_of_uneven_steps_are_no_outliers(void **state)
{
	(void)state;
	static const int steps_ms[] = {1, 1, 5, 3, 1, 8, 2, 4, 1, 9, 1, 3};
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		double dur = steps_ms[i] * STEP_US;
		profiler_step(&b, 1, i, at, dur);
		op(&b, 1, "aten::mm", at + 10, 500);
		if (dur > STEP_US)
			host_event(&b, KIND_ANNOTATION, 1,
				   "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at + 900,
				   dur - STEP_US);
		at += dur;
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	for (uint32_t r = 0; r < t->n_rows; r++)
		assert_string_not_equal(text_of(t, r, "rule"), "slow-steps");
	assert_non_null(strstr(rule_says(t, "input-bound", "sentence"), "highly input-bound"));
	ask_done(d);
}

/* Of each, it says: one long call in one of them is none. */
/* Steps of 1 ms of which some, at no even distance, take `more` us longer for the same op. */
static const char *severity_of_late_steps(double more)
{
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		double dur = STEP_US + (i == 3 || i == 5 || i == 10 ? more : 0);
		profiler_step(&b, 1, i, at, dur);
		op(&b, 1, "aten::mm", at + 10, dur - 20);
		at += dur;
	}
	struct derived *d = derive(&b);
	const char *severity = rule_says(ask(d, "findings"), "slow-steps", "severity");
	bool remark = strcmp(severity, "info") == 0;
	ask_done(d);
	return remark ? "info" : "more";
}

static void a_core_given_away_for_a_moment_is_a_remark(void **state)
{
	(void)state;
	assert_string_equal(severity_of_late_steps(3000), "info");
	assert_string_equal(severity_of_late_steps(30000), "more");
}

static void what_only_one_of_them_has_is_not_told_of_all(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		if (i == 3)
			host_event(&b, KIND_PYTHON, 1, "a.py(1): once", at + 520, 8000);
		double dur = i == 3 ? 9000 : i == 9 ? 5000 : STEP_US;
		profiler_step(&b, 1, i, at, dur);
		op(&b, 1, "aten::mm", at + 10, 500);
		at += dur;
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "slow-steps", "sentence"), "2 of 12 steps (3, 9)"));
	assert_null(strstr(rule_says(t, "slow-steps", "sentence"), "once"));
	ask_done(d);
}

/* Rank 1 waits in the collective for rank 0, which sleeps in a frame: the slower sum is rank 1's. */
static void the_rank_that_is_waited_for_is_told(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 2; rank++) {
		build_host(&b, rank ? "h1" : "h0", rank);
		double at = 0;
		for (int i = 0; i < STEPS; i++) {
			double extra = !every_fourth(i) ? 0 : rank ? 3200 : 3000;
			profiler_step(&b, 1, i, at, STEP_US + extra);
			op(&b, 1, "aten::mm", at + 10, 500);
			if (extra > 0)
				host_event(&b, rank ? KIND_OP : KIND_PYTHON, 1,
					   rank ? "gloo:all_reduce" : "train.py(9): report", at + 520, extra);
			at += STEP_US + (every_fourth(i) ? 3200 : 0);
		}
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "slow-steps", "sentence"), "(r0:3, r0:7, r0:11)"));
	assert_non_null(strstr(rule_says(t, "slow-steps", "sentence"), "train.py(9): report"));
	ask_done(d);
}

/* Its 600 us are what a steady step takes, too: the headline names nothing. */
static void the_longest_step_is_not_put_down_to_what_all_do(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < STEPS; i++) {
		double dur = i == 6 ? 4000 : 1000;
		profiler_step(&b, 1, i, at, dur);
		op(&b, 1, "aten::mm", at + 10, 600);
		at += dur;
	}
	struct derived *d = derive(&b);
	assert_string_equal(value_of(ask(d, "overview"), "left_out_text")->s, "step 6 took 4.000 ms");
	ask_done(d);
}

/* A server of 12 iterations of 2 ms, 200 us apart, that waits for requests before two of them. */
static void a_server_without_requests_is_not_told_to_hurry(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < 12; i++) {
		if (i == 4 || i == 9) {
			host_event(&b, KIND_PYTHON, 1, "queue.py(154): get", at, 50000);
			host_event(&b, KIND_PYTHON, 1, "<built-in method acquire of _thread.lock object at 0x7f>",
				   at + 1, 49990);
			at += 50000;
		}
		host_event(&b, KIND_ANNOTATION, 1, "execute_context_0(0)_generation_8(8)", at, 2000);
		launch(&b, 1, at + 10, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "decode", at + 20, 1900, (uint64_t)i + 1);
		at += 2200;
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_string_equal(rule_says(t, "iterations", "severity"), "warn");
	assert_non_null(strstr(rule_says(t, "iterations", "sentence"), "of it in waits of the host, for requests"));
	assert_non_null(strstr(rule_says(t, "iterations", "advice"), "See whether requests wait meanwhile"));
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_that_are_slow_from_one_on_are_a_change_not_slow_again_and_again),
		cmocka_unit_test(in_a_window_of_slow_steps_they_are_what_is_usual),
		cmocka_unit_test(a_thread_that_waits_meanwhile_is_no_reason),
		cmocka_unit_test(the_thread_of_the_steps_goes_before_others),
		cmocka_unit_test(what_slow_steps_alone_do_is_named_with_its_work_on_devices),
		cmocka_unit_test(waits_of_uneven_steps_are_no_outliers),
		cmocka_unit_test(the_same_work_that_takes_longer_is_told_as_that),
		cmocka_unit_test(a_core_given_away_for_a_moment_is_a_remark),
		cmocka_unit_test(what_only_one_of_them_has_is_not_told_of_all),
		cmocka_unit_test(the_rank_that_is_waited_for_is_told),
		cmocka_unit_test(the_longest_step_is_not_put_down_to_what_all_do),
		cmocka_unit_test(a_server_without_requests_is_not_told_to_hurry),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
