/* How the verdict on a gap is worded: its numbers, its doubts, what is missing; and how the file of rules after it is read. */
#include "verdict_scenes.h"

/* ---- sentences -------------------------------------------------------------------------------------------------------------- */

static void expect_sentence(struct build *b, const char *text)
{
	struct derived *d = derive(b);
	struct gap_verdict v = verdict_on(d);
	struct arena mem = {0};
	const char *got = gap_verdict_sentence(d, derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX), &v, &mem);
	assert_string_equal(got, text);
	arena_free(&mem);
	derived_free(d);
}

static void the_sentence_has_the_numbers(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	expect_sentence(
		&b, "input wait 55.000 ms (91.7 %), all in IteratorGetNext, on the launching thread; confidence 0.89");
	b = threads_busy(8, KIND_ANNOTATION, "Iterator::ParallelMap");
	expect_sentence(
		&b, "thread contention 55.000 ms (91.7 %), all in Iterator::ParallelMap: the launching thread records "
		    "nothing for 59.500 ms (99.2 %) of it while 8 other threads are busy (8 of them prepare input); "
		    "confidence 0.64");
	b = short_gap("aten::item", NULL);
	expect_sentence(&b, "synchronisation 300.000 us (100.0 %) after aten::item 10.000 us: it waited for the device "
			    "until 10.000 "
			    "us into the gap, so nothing was queued after the last work; confidence 0.70");
}

/* The class has the time of all its events, the main event its own, in however many pieces that comes. */
static void the_class_and_its_main_event_have_their_own_times(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	op(&b, 1, "aten::cat", 210 * MILLI, 35 * MILLI);
	op(&b, 1, "aten::narrow", 220 * MILLI, 5 * MILLI);
	struct derived *d = derive(&b);
	struct gap_verdict v = verdict_on(d);
	const struct trace *t = derived_trace(d);
	assert_verdict(v, CAUSE_INPUT);
	assert_int_equal(v.cause_ns, MS(55));
	assert_string_equal(trace_str(t, trace_columns(t)->name[v.row]), "aten::cat");
	assert_int_equal(v.row_ns, MS(30));
	assert_string_equal(trace_str(t, trace_columns(t)->name[v.owner]), "IteratorGetNext");
	derived_free(d);
}

static void the_main_event_is_of_the_class(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_RUNTIME, 1, "cudaMalloc", 203 * MILLI, 20 * MILLI);
	for (int i = 0; i < 4; i++)
		op(&b, 1, "IteratorGetNext", (224 + 9 * i) * MILLI, 8 * MILLI);
	expect_sentence(&b, "input wait 32.000 ms (53.3 %), most in IteratorGetNext 8.000 ms, on the launching thread; "
			    "confidence 0.52");
}

static void what_is_not_sure_is_worded_as_a_guess(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 29 * MILLI);
	expect_sentence(&b,
			"maybe input wait 29.000 ms (48.3 %), all in IteratorGetNext, on the launching thread, which "
			"recorded nothing in 50.8 % of it; confidence 0.47");
	b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 32 * MILLI);
	expect_sentence(&b,
			"input wait 32.000 ms (53.3 %), all in IteratorGetNext, on the launching thread; confidence "
			"0.52");
}

static void the_sentence_about_lost_records_blames_nobody(void **state)
{
	(void)state;
	struct build b = scene_gap();
	lose(&b, 202, 232);
	expect_sentence(
		&b, "records lost 30.000 ms (50.0 %), all in lost records: 812 kernel; the device may have been busy");
}

static void the_sentence_says_what_is_missing(void **state)
{
	(void)state;
	struct build b = scene_gap();
	expect_sentence(&b, "cannot tell why: the launching thread recorded nothing in 99.2 % of it (its largest event "
			    "there, cudaLaunchKernel, takes 5.000 us)");
	b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 7, "b", 70, 10, 0);
	expect_sentence(&b, "cannot tell why: this trace has no host threads");
}

/* ---- the rules file ------------------------------------------------------------------------------------------------------------ */

static void expect_refused(const char *text, const char *why)
{
	struct err e = {0};
	assert_null(cause_rules_read(text, strlen(text), &e));
	if (!strstr(e.msg, why))
		fail_msg("%s", e.msg);
}

static void wrong_rules_are_refused_with_their_line(void **state)
{
	(void)state;
	struct err e = {0};
	struct cause_rules *r = cause_rules_builtin(&e);
	if (!r)
		fail_msg("%s", e.msg);
	cause_rules_free(r);
	expect_refused("version 2\n", "line 1: this program cannot read rules of version '2'");
	expect_refused("version 1\n[weather]\n", "line 2: unknown section 'weather'");
	expect_refused("[unknown]\n", "line 1: unknown section");
	expect_refused("[allocator]\n0 has x\n", "line 2: expected a trust of 1 to 100 instead of '0'");
	expect_refused("[allocator]\n50 like x\n", "line 2: expected has, begins, ends, is or find instead of 'like'");
	expect_refused("[allocator]\n50 has\n", "line 2: no pattern after 'has'");
	expect_refused("50 has x\n", "line 1: expected version, name or a [section]");
}

static void the_first_rule_that_matches_decides(void **state)
{
	(void)state;
	const char text[] = "[allocator]\n90 is malloc here\n[synchronisation]\n50 find malloc\n20 ends now\n";
	struct cause_rules *r = cause_rules_read(text, strlen(text), NULL);
	assert_int_equal(cause_rules_ask(r, "malloc here", false).section, CAUSE_ALLOCATOR);
	assert_int_equal(cause_rules_ask(r, "cudaMALLOC", false).section, CAUSE_SYNC);
	assert_int_equal(cause_rules_ask(r, "right now", false).trust, 20);
	assert_int_equal(cause_rules_ask(r, "nowhere", false).section, CAUSE_UNKNOWN);
	cause_rules_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sentence_has_the_numbers),
		cmocka_unit_test(the_class_and_its_main_event_have_their_own_times),
		cmocka_unit_test(the_main_event_is_of_the_class),
		cmocka_unit_test(what_is_not_sure_is_worded_as_a_guess),
		cmocka_unit_test(the_sentence_about_lost_records_blames_nobody),
		cmocka_unit_test(the_sentence_says_what_is_missing),
		cmocka_unit_test(wrong_rules_are_refused_with_their_line),
		cmocka_unit_test(the_first_rule_that_matches_decides),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
