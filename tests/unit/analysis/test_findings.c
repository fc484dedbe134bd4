/* What the rules say, and when they keep quiet or cannot tell. */
#include "model/analysis/findings/findings.h"
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
	assert_non_null(strstr(once, "nothing that was recorded: no steps: mark them"));
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
		strstr(once, ", whether the steps are worth the device: most device work of the steps runs when"));
	assert_string_equal(state_of(t, "device-busy"), "pass");
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

/* Severity is not the order: what waits for an earlier finding comes behind a warning that waits for none. */
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
		cmocka_unit_test(without_steps_shares_cannot_be_told),
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
