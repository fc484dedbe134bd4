/* What the rules say, and when they keep quiet or cannot tell. */
#include "model/analysis/findings/findings.h"
#include "model/analysis/overview/slow_steps.h"
#include "model/finding.h"
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"
#include <math.h>
#include <string.h>

/* Row of the first finding of a rule, NONE_ID = the rule said nothing. */
static uint32_t said(const struct table *t, const char *rule)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (!strcmp(text_of(t, row, "rule"), rule))
			return row;
	return NONE_ID;
}

static const char *state_of(const struct table *t, const char *rule)
{
	uint32_t row = said(t, rule);
	return row == NONE_ID ? "silent" : text_of(t, row, "severity");
}

static uint32_t count_of(const struct table *t, const char *state)
{
	uint32_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++)
		n += !strcmp(text_of(t, row, "severity"), state);
	return n;
}

static void an_ideal_program_is_not_warned(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_int_equal(count_of(t, "warn") + count_of(t, "fail"), 0);
	assert_string_equal(state_of(t, "kernel-launch"), "pass");
	assert_string_equal(state_of(t, "device-busy"), "pass");
	assert_string_equal(state_of(t, "worth-the-device"), "pass");
	assert_string_equal(state_of(t, "step-markers"), "pass");
	assert_string_equal(shown(t, said(t, "kernel-launch"), "value"), "0.5 %");
	ask_done(d);
}

static void the_worst_comes_first(void **state)
{
	(void)state;
	static const char *const order[] = {"fail", "warn", "unknown", "info", "pass"};
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	size_t at = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		while (at < 5 && strcmp(order[at], text_of(t, row, "severity")) != 0)
			at++;
		assert_in_range(at, 0, 4);
	}
	ask_done(d);
}

/* A recorder that knew no time wrote 0: everything else is years away. */
static void events_of_wrong_times_are_told(void **state)
{
	(void)state;
	for (int strays = 0; strays < 2; strays++) {
		struct build b = build_new("chrome");
		double at_us = 1.7e15;
		if (strays)
			op(&b, 1, "aten::mm", 0, 10);
		for (int i = 0; i < 20; i++)
			op(&b, 1, "aten::mm", at_us + 100 * i, 50);
		struct derived *d = derive(&b);
		struct table *t = ask(d, "findings");
		assert_string_equal(state_of(t, "read-whole"), strays ? "fail" : "pass");
		if (strays)
			assert_string_equal(text_of(t, 0, "sentence"),
					    "1 event lies 1700000000.000 s before all others: such times are wrong, "
					    "and shares of the whole trace mean nothing.");
		ask_done(d);
	}
}

/* A build, a browser, a program that was traced by itself: nothing of a GPU program is missing there. */
static void a_trace_of_anything_gets_no_advice_for_devices(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	host_event(&b, KIND_OTHER, 1, "main", 0, 100);
	host_event(&b, KIND_OTHER, 1, "sleep", 10, 60);
	host_event(&b, KIND_OTHER, 2, "sleep", 0, 40);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(text_of(t, 0, "sentence"), "No device, step or framework is recorded; 71.4 % (100.000 us) "
						       "of the time of all threads goes to sleep itself.");
	assert_string_equal(state_of(t, "read-whole"), "pass");
	ask_done(d);
	b = build_new("chrome");
	d = derive(&b);
	t = ask(d, "findings");
	assert_string_equal(text_of(t, 0, "sentence"), "Cannot tell where the time goes: the file holds no event.");
	ask_done(d);
}

static void without_steps_shares_cannot_be_told(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "aten::mm", 0, 10);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_string_equal(state_of(t, "step-markers"), "unknown");
	/* what cannot be told for one reason is said once */
	assert_string_equal(state_of(t, "other"), "silent");
	const char *once = text_of(t, said(t, "input-bound"), "sentence");
	assert_non_null(strstr(once, "Cannot tell whether the program waits for input, "));
	assert_non_null(strstr(once, "what is not recorded: there are no steps"));
	assert_string_equal(state_of(t, "device-busy"), "unknown");
	assert_string_equal(state_of(t, "eager"), "silent"); /* PyTorch is eager by design */
	assert_true(strstr(text_of(t, said(t, "step-markers"), "advice"), "prof.step()") != NULL);
	ask_done(d);
}

/* Only the call is marked, nobody waits for the device. */
static struct derived *launched_and_left(enum semantics s)
{
	struct build b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 30);
	launch(&b, 1, 5, 20, 1);
	kernel(&b, 0, 7, "a", 28, 400, 1);
	return derive_as(&b, &(struct derived_opts){.semantics = s});
}

static void a_step_that_is_one_launch_lasts_until_its_work_ends(void **state)
{
	(void)state;
	struct derived *d = launched_and_left(SEM_STEPSCOPE);
	struct table *t = ask(d, "findings");
	assert_string_equal(state_of(t, "worth-the-device"), "pass");
	assert_string_equal(state_of(t, "device-busy"), "pass");
	ask_done(d);
}

/* Markers alone: the device is busy all the time, but not inside the step. */
static void steps_that_end_before_their_work_tell_no_shares(void **state)
{
	(void)state;
	struct derived *d = launched_and_left(SEM_HTA);
	struct table *t = ask(d, "findings");
	assert_string_equal(state_of(t, "kernel-launch"), "unknown");
	assert_string_equal(state_of(t, "worth-the-device"), "silent");
	const char *once = text_of(t, said(t, "kernel-launch"), "sentence");
	assert_non_null(
		strstr(once, ", whether the steps are worth the device: most device work of the steps runs after"));
	assert_string_equal(state_of(t, "device-busy"), "pass");
	ask_done(d);
}

/* Twelve steps of 100 us; every fourth saves, which takes `save_us` more, a part of it below the frame that saves. */
static struct derived *savers_with(double save_us, const char *also, double also_part)
{
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < 12; i++) {
		bool saves = i % 4 == 3;
		profiler_step(&b, 1, i, at, saves ? 100 + save_us : 100);
		op(&b, 1, "aten::mm", at + 10, 50);
		if (saves) {
			host_event(&b, KIND_PYTHON, 1, "train.py(7): every_fourth", at + 65, save_us);
			host_event(&b, KIND_PYTHON, 1, "torch/serialization.py(9): save", at + 66, save_us * 0.9);
			host_event(&b, KIND_PYTHON, 1, "torch/serialization.py(20): write", at + 67, save_us * 0.4);
		}
		if (saves && also)
			op(&b, 1, also, at + 68, save_us * also_part);
		at += saves ? 100 + save_us : 100;
	}
	return derive(&b);
}

static struct derived *savers(double save_us, const char *compiles)
{
	return savers_with(save_us, compiles, 0.8);
}

/* A window inside of one of them holds no step as a whole. */
static void a_window_without_a_whole_step_has_no_slow_ones(void **state)
{
	(void)state;
	struct derived *d = savers(200, NULL);
	struct query q = query_all();
	q.a_ns = US(310);
	q.b_ns = US(590);
	assert_int_equal(slow_steps_find(d, &q).n, 0);
	q.b_ns = INT64_MAX;
	q.a_ns = INT64_MAX - 1;
	assert_int_equal(slow_steps_find(d, &q).n, 0);
	derived_free(d);
}

static void steps_that_alone_run_the_optimizer_are_no_warning(void **state)
{
	(void)state;
	struct derived *d = savers(200, "Optimizer.step#AdamW.step");
	struct table *t = ask(d, "findings");
	assert_string_equal(state_of(t, "slow-steps"), "info");
	assert_non_null(strstr(text_of(t, said(t, "slow-steps"), "sentence"), "not every step runs the optimizer"));
	ask_done(d);
	d = savers_with(200, "Optimizer.step#AdamW.step", 0.3); /* it takes little of what these take more */
	t = ask(d, "findings");
	assert_string_equal(state_of(t, "slow-steps"), "fail");
	assert_non_null(strstr(text_of(t, said(t, "slow-steps"), "sentence"), "in torch/serialization.py(9): save"));
	ask_done(d);
}

/* Sixteen steps; the optimizer of every fourth launches work that nobody waits for before the next one does. */
static struct derived *optimizers_not_waited_for(void)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < 16; i++) {
		bool longer = i % 4 == 3 || (i && i % 4 == 0);
		double at = i * 100.0 + 40 * (i / 4 * 2 + (i % 4 == 0 && i ? -1 : 0));
		profiler_step(&b, 1, i, at, longer ? 140 : 100);
		op(&b, 1, "aten::mm", at + 10, 50);
		if (i % 4 == 3) {
			host_event(&b, KIND_ANNOTATION, 1, "Optimizer.step#SGD.step", at + 80, 10);
			launch(&b, 1, at + 81, 5, (uint64_t)i);
			kernel(&b, 0, 7, "multi_tensor_apply", at + 87, 70, (uint64_t)i);
		}
		if (longer)
			op(&b, 1, "aten::item", at + 61, 15);
	}
	return derive(&b);
}

static void a_step_behind_the_optimizer_may_wait_for_its_work(void **state)
{
	(void)state;
	struct derived *d = optimizers_not_waited_for();
	struct query q = query_all();
	struct slow_steps v = slow_steps_find(d, &q);
	assert_int_equal(v.n, 7); /* four with it, three after it */
	assert_int_not_equal(v.event, NONE_ID);
	assert_string_equal(trace_str(derived_trace(d), derived_columns(d)->name[v.event]), "Optimizer.step#SGD.step");
	derived_free(d);
}

/* Three steps of 10 ms that wait 4 ms each; the window lies in the second. */
static void a_part_of_a_step_is_not_called_a_step(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < 3; i++) {
		double at = i * 10000.0;
		profiler_step(&b, 1, i, at, 10000);
		host_event(&b, KIND_ANNOTATION, 1, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at,
			   4000);
		launch(&b, 1, at + 4100, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", at + 4200, 5800, (uint64_t)i + 1);
	}
	struct derived *d = derive(&b);
	struct table *t = ask_window(d, "findings", MS(11), MS(16));
	const char *says = text_of(t, said(t, "input-bound"), "sentence");
	assert_non_null(strstr(says, "60.0 % of the step time in the window waits for input"));
	t = ask(d, "findings");
	assert_non_null(
		strstr(text_of(t, said(t, "input-bound"), "sentence"), "40.0 % of the step time waits for input"));
	ask_done(d);
}

static void what_some_steps_do_beyond_the_others_is_named(void **state)
{
	(void)state;
	struct derived *d = savers(200, NULL);
	struct table *t = ask(d, "findings");
	uint32_t row = said(t, "slow-steps");
	assert_int_not_equal(row, NONE_ID);
	assert_string_equal(text_of(t, row, "severity"), "fail");
	assert_string_equal(
		text_of(t, row, "sentence"),
		"Every 4th step (3, 7, 11) takes 300.000 us on average, a steady one 100.000 us: 600.000 us more in "
		"all, 33.3 % of the time of 12 steps; 180.000 us of each in torch/serialization.py(9): save.");
	assert_non_null(strstr(text_of(t, row, "advice"), "Save checkpoints less often"));
	ask_done(d);
	d = savers(40, NULL); /* 120 of 1,320 us */
	t = ask(d, "findings");
	assert_string_equal(state_of(t, "slow-steps"), "silent");
	assert_string_equal(text_of(t, said(t, "other"), "about"),
			    "Python outside ops"); /* frames tell more than nothing */
	ask_done(d);
	d = savers(200, "backend_compile"); /* another rule's */
	t = ask(d, "findings");
	assert_string_equal(state_of(t, "slow-steps"), "silent");
	assert_string_equal(state_of(t, "recompilation"), "warn");
	ask_done(d);
}

/* Eight steps of 1 ms in which Python sleeps for most of the time; a device may work beside it, or an op of 20 us of that name be in each. */
static struct derived *sleeping(bool device, const char *also)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < 8; i++) {
		double at = i * 1000.0;
		profiler_step(&b, 1, i, at, 1000);
		host_event(&b, KIND_PYTHON, 1, "train.py(3): loop", at + 1, 990);
		host_event(&b, KIND_PYTHON, 1, "<built-in function sleep>", at + 150, 800);
		op(&b, 1, "aten::mm", at + 10, 100);
		host_event(&b, KIND_PYTHON, 1, "ops.py(1): inside", at + 11, 90);
		if (also)
			op(&b, 1, also, at + 120, 20);
		if (device) {
			launch(&b, 1, at + 20, 5, i + 1);
			kernel(&b, 0, 7, "k", at + 30, 100, i + 1);
			copy(&b, 0, 7, COPY_H2D, 4096, at + 131, 4, 0); /* some of it is input: not that alone */
		}
	}
	return derive(&b);
}

static struct derived *sleepers(bool device)
{
	return sleeping(device, NULL);
}

static struct derived *sleepers_with(const char *op)
{
	return sleeping(false, op);
}

/* Without a device nothing else tells it; with one the causes of its idle time do, and it is not said twice. */
static void the_frame_that_holds_most_of_the_rest_is_named(void **state)
{
	(void)state;
	struct derived *d = sleepers(false);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(text_of(t, said(t, "other"), "sentence"),
			       "; 800.000 us of each step in <built-in function sleep>."));
	assert_string_equal(state_of(t, "other"), "unknown"); /* no input at all: what else it may be nobody says */
	ask_done(d);
	d = sleepers_with("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
	t = ask(d,
		"findings"); /* some of it is input: the frame is told all the same, with no advice to record frames */
	assert_non_null(strstr(text_of(t, said(t, "other"), "sentence"),
			       "; 800.000 us of each step in <built-in function sleep>."));
	assert_non_null(
		strstr(text_of(t, said(t, "input-bound"), "sentence"),
		       "has no known cause (800.000 us of each step in <built-in function sleep>): potentially"));
	assert_null(strstr(text_of(t, said(t, "input-bound"), "advice"), "with_stack"));
	ask_done(d);
	d = sleepers(true);
	t = ask(d, "findings");
	assert_string_equal(state_of(t, "other"), "silent");
	assert_non_null(strstr(text_of(t, said(t, "idle"), "sentence"), "<built-in function sleep>"));
	ask_done(d);
}

/* A profiler of PyTorch, but neither a device nor anything that repeats: where its threads spend their time is all there is. */
static void without_devices_and_steps_the_longest_name_is_told(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	host_event(&b, KIND_PYTHON, 1, "model.py(4): retry", 0, 900);
	op(&b, 1, "aten::addmm", 950, 50);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	uint32_t row = said(t, "device-busy");
	assert_string_equal(text_of(t, row, "severity"), "unknown");
	assert_string_equal(text_of(t, row, "sentence"),
			    "No device and no step is recorded; 94.7 % (900.000 us) of the time of all threads goes to "
			    "model.py(4): retry itself.");
	ask_done(d);
	d = sleepers(false); /* steps tell more */
	t = ask(d, "findings");
	assert_non_null(strstr(text_of(t, said(t, "device-busy"), "sentence"), "Cannot tell how busy a GPU is"));
	ask_done(d);
}

/* Twelve steps that the host hands over in 50 us each, of 500 us on the device; in some it compiles first. */
static struct derived *compilers(bool (*compiles)(int step))
{
	struct build b = build_new("kineto");
	double at = 0, works = 0;
	for (int i = 0; i < 12; i++) {
		double from = at;
		if (compiles(i)) {
			host_event(&b, KIND_ANNOTATION, 1, "_compile.compile_inner (dynamo_timed)", at + 1, 20000);
			at += 20001;
		}
		launch(&b, 1, at + 5, 10, (uint64_t)i + 1);
		works = works > at + 20 ? works : at + 20;
		kernel(&b, 0, 7, "gemm", works, 500, (uint64_t)i + 1);
		works += 501;
		at += 50;
		profiler_step(&b, 1, i, from, at - from);
	}
	return derive(&b);
}

static bool two_later(int step)
{
	return step == 4 || step == 8;
}

static bool the_first(int step)
{
	return step == 0;
}

static bool each(int step)
{
	return step >= 0;
}

static void some_steps_that_compile_are_no_recording_of_the_warm_up(void **state)
{
	(void)state;
	struct derived *d = compilers(two_later);
	struct table *t = ask(d, "findings");
	assert_string_equal(state_of(t, "warm-up"), "silent");
	assert_string_equal(state_of(t, "idle"), "fail");
	assert_string_equal(state_of(t, "recompilation"), "warn");
	ask_done(d);
	d = compilers(the_first);
	t = ask(d, "findings");
	assert_string_equal(state_of(t, "warm-up"), "silent");
	assert_non_null(strstr(text_of(t, said(t, "idle"), "advice"), "Record later steps"));
	ask_done(d);
	d = compilers(each);
	t = ask(d, "findings");
	assert_string_equal(state_of(t, "warm-up"), "warn");
	ask_done(d);
}

/* The longest wait for input lies in the warm-up, which the time of the sentence leaves out: the sentence says so. */
static void the_longest_stretch_may_lie_before_the_first_steady_step(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	double at = 0;
	for (int i = 0; i < 8; i++) {
		double loads = i < 2 ? 5000 : 100;
		profiler_step(&b, 1, i, at, loads + 130);
		host_event(&b, KIND_ANNOTATION, 1, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
			   at + 1, loads);
		launch(&b, 1, at + loads + 5, 10, (uint64_t)i + 1);
		kernel(&b, 0, 7, "gemm", at + loads + 20, 100, (uint64_t)i + 1);
		host_event(&b, KIND_RUNTIME, 1, "cudaDeviceSynchronize", at + loads + 20, 105);
		at += loads + 130;
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_non_null(
		strstr(text_of(t, said(t, "idle"), "sentence"),
		       " while the next batch is not ready (the longest stretch of all, 5.000 ms, in "
		       "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__); 10.000 ms more before the first "
		       "steady step"));
	ask_done(d);
}

static void every_finding_says_what_it_is(void **state)
{
	(void)state;
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const char *sentence = text_of(t, row, "sentence");
		assert_true(strlen(sentence) > 10 && sentence[strlen(sentence) - 1] == '.');
		assert_string_not_equal(text_of(t, row, "title"), "-");
	}
	ask_done(d);
}

static void the_list_grows_and_sorts_stably(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct findings f = {.mem = &mem};
	for (int i = 0; i < 100; i++)
		finding_add(&f, i % 2 ? "odd" : "even", "Q1", "t")->value = i;
	f.at[70].state = FINDING_WARN;
	f.at[71].state = FINDING_WARN;
	f.at[71].lost_ns = 5;
	f.at[99].state = FINDING_FAIL;
	findings_sort(&f);
	static const double first[] = {99, 71, 70, 0, 1, 2};
	for (size_t i = 0; i < 6; i++)
		assert_float_equal(f.at[i].value, first[i], 0);
	arena_free(&mem);
}

/* Severity is not the order: what waits for an earlier finding comes after a warning that waits for none. */
static void what_waits_comes_after_what_does_not(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct findings f = {.mem = &mem};
	struct finding *x = finding_add(&f, "fusion", "Q19", "t");
	x->state = FINDING_FAIL;
	x->lost_ns = 100;
	x->waits_for = "idle";
	finding_add(&f, "device-busy", "Q5", "t")->state = FINDING_WARN;
	finding_add(&f, "idle", "Q13", "t")->state = FINDING_FAIL;
	findings_sort(&f);
	assert_string_equal(f.at[0].rule, "idle");
	assert_string_equal(f.at[1].rule, "device-busy");
	assert_string_equal(f.at[2].rule, "fusion");
	arena_free(&mem);
}

static void words_are_states(void **state)
{
	(void)state;
	enum finding_state s = FINDING_PASS;
	for (int i = 0; i < FINDING_STATES; i++) {
		assert_true(finding_state_parse(finding_state_name((enum finding_state)i), &s));
		assert_int_equal(s, i);
	}
	assert_false(finding_state_parse("good", &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ideal_program_is_not_warned),
		cmocka_unit_test(the_worst_comes_first),
		cmocka_unit_test(events_of_wrong_times_are_told),
		cmocka_unit_test(a_trace_of_anything_gets_no_advice_for_devices),
		cmocka_unit_test(without_steps_shares_cannot_be_told),
		cmocka_unit_test(a_window_without_a_whole_step_has_no_slow_ones),
		cmocka_unit_test(the_frame_that_holds_most_of_the_rest_is_named),
		cmocka_unit_test(without_devices_and_steps_the_longest_name_is_told),
		cmocka_unit_test(steps_that_alone_run_the_optimizer_are_no_warning),
		cmocka_unit_test(a_step_behind_the_optimizer_may_wait_for_its_work),
		cmocka_unit_test(a_part_of_a_step_is_not_called_a_step),
		cmocka_unit_test(what_some_steps_do_beyond_the_others_is_named),
		cmocka_unit_test(some_steps_that_compile_are_no_recording_of_the_warm_up),
		cmocka_unit_test(the_longest_stretch_may_lie_before_the_first_steady_step),
		cmocka_unit_test(every_finding_says_what_it_is),
		cmocka_unit_test(a_step_that_is_one_launch_lasts_until_its_work_ends),
		cmocka_unit_test(steps_that_end_before_their_work_tell_no_shares),
		cmocka_unit_test(the_list_grows_and_sorts_stably),
		cmocka_unit_test(what_waits_comes_after_what_does_not),
		cmocka_unit_test(words_are_states),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
