/* The words for a part of the trace: what is read is what was meant, and what is written reads back the same. */
#include "tests/unit/derive_trace.h"
#include "tui/tables/human_table.h"
#include "tui/text/window.h"
#include <stdlib.h>

/* Steps 7 and 8 with a gap of 20 ms between their kernels; the trace is 100 ms long. */
static struct derived *two_steps(void)
{
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 7, 0, 50000);
	profiler_step(&b, 1, 8, 50000, 50000);
	launch(&b, 1, 1000, 10, 1);
	kernel(&b, 0, 7, "gemm", 2000, 38000, 1);
	op(&b, 1, "IteratorGetNext", 41000, 8000);
	launch(&b, 1, 51000, 10, 2);
	kernel(&b, 0, 7, "gemm", 60000, 40000, 2);
	return derive(&b);
}

static struct window parsed(const struct derived *d, const char *text)
{
	struct window w;
	struct err e = {0};
	if (!window_parse(d, text, &w, &e))
		fail_msg("'%s': %s", text, e.msg);
	return w;
}

static void expect_window(const struct derived *d, const char *text, double a_ms, double b_ms, const char *canonical)
{
	struct window w = parsed(d, text);
	assert_int_equal(w.a_ns, MS(a_ms));
	assert_int_equal(w.b_ns, MS(b_ms));
	assert_string_equal(w.text, canonical);
	struct window again = parsed(d, w.text);
	assert_int_equal(again.a_ns, w.a_ns);
	assert_int_equal(again.b_ns, w.b_ns);
}

static void expect_refused(const struct derived *d, const char *text, const char *reason)
{
	struct window w;
	struct err e = {.unreadable = true};
	assert_false(window_parse(d, text, &w, &e));
	assert_false(e.unreadable);
	if (!strstr(e.msg, reason))
		fail_msg("'%s' was refused with: %s", text, e.msg);
}

static void test_times(void **state)
{
	(void)state;
	struct derived *d = two_steps();
	expect_window(d, "12.5ms..20ms", 12.5, 20, "12.5ms..20ms");
	expect_window(d, "..20ms", 0, 20, "0ns..20ms");
	expect_window(d, "20ms..", 20, 100, "20ms..100ms");
	expect_window(d, "1500us..0.05s", 1.5, 50, "1.5ms..50ms");
	expect_window(d, "1ns..2000000ns", 0.000001, 2, "1ns..2ms");
	expect_window(d, "12.345678ms..20ms", 12.345678, 20, "12.345678ms..20ms");
	expect_window(d, "-5ms..20ms", 0, 20, "0ns..20ms");
	expect_window(d, "20ms..9s", 20, 100, "20ms..100ms");
	expect_window(d, "0..20ms", 0, 20, "0ns..20ms"); /* zero is zero */
	derived_free(d);
}

static void test_names(void **state)
{
	(void)state;
	struct derived *d = two_steps();
	expect_window(d, "all", 0, 100, "all");
	expect_window(d, "step:8", 50, 100, "step:8");
	expect_window(d, "step:7..8", 0, 100, "step:7..8");
	expect_window(d, "gap:0", 40, 60, "gap:0");
	expect_window(d, "gap:biggest", 40, 60, "gap:0");
	derived_free(d);
}

static void test_refused(void **state)
{
	(void)state;
	struct derived *d = two_steps();
	expect_refused(d, "", "write 12.5ms..20ms");
	expect_refused(d, "tomorrow", "write 12.5ms..20ms");
	expect_refused(d, "1ms..2parsecs", "write 12.5ms..20ms");
	expect_refused(d, "10..20ms", "needs its unit"); /* not 10 ns to 20 ms */
	expect_refused(d, "10ms..20", "needs its unit");
	expect_refused(d, "10..20", "needs its unit");
	expect_refused(d, "20ms..20ms", "empty");
	expect_refused(d, "20ms..10ms", "empty");
	expect_refused(d, "200ms..300ms", "outside the trace");
	expect_refused(d, "gap:99", "no gap '99'");
	expect_refused(d, "gap:", "no gap ''");
	expect_refused(d, "gap:-1", "no gap '-1'");
	expect_refused(d, "step:99", "99");
	derived_free(d);
}

static void test_titles(void **state)
{
	(void)state;
	struct derived *d = two_steps();
	char title[320];
	struct window w = parsed(d, "gap:0");
	assert_string_equal(window_title(d, &w, title, sizeof title),
			    "gap 0: step 7 -> 8 on GPU 0, 20.000 ms from 40.000 ms");
	w = parsed(d, "step:7..8");
	assert_string_equal(window_title(d, &w, title, sizeof title), "steps 7..8, 100.000 ms from 0 ns");
	w = parsed(d, "all");
	assert_string_equal(window_title(d, &w, title, sizeof title), "the whole trace, 100.000 ms from 0 ns");
	derived_free(d);
}

static void test_query(void **state)
{
	(void)state;
	struct derived *d = two_steps();
	struct window all = parsed(d, "all"), gap = parsed(d, "gap:0");
	assert_false(window_query(&all, NULL).windowed);
	struct query q = window_query(&gap, NULL);
	assert_true(q.windowed);
	assert_int_equal(q.b_ns - q.a_ns, MS(20));
	derived_free(d);
}

/* Half-open, but for the end of the trace: instants there would be in no window. */
static void test_holds_the_end(void **state)
{
	(void)state;
	struct derived *d = two_steps();
	static const char *const to_end[] = {"90ms..", "0ns..100ms", "90ms..9s", "step:8", "100ms..", "100ms..100ms"};
	for (size_t i = 0; i < sizeof to_end / sizeof *to_end; i++) {
		struct window w = parsed(d, to_end[i]);
		struct query q = window_query(&w, NULL);
		assert_int_equal(w.b_ns, MS(100));
		assert_true(query_holds(&q, MS(100)));
	}
	struct window w = parsed(d, "90ms..99.999999ms");
	struct query q = window_query(&w, NULL);
	assert_false(query_holds(&q, MS(100)) || query_holds(&q, q.b_ns));
	derived_free(d);
}

/* Step 7's kernel runs on into step 8. */
static struct derived *overlapping_steps(void)
{
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 7, 0, 50000);
	profiler_step(&b, 1, 8, 50000, 50000);
	launch(&b, 1, 1000, 10, 1);
	kernel(&b, 3, 7, "gemm", 2000, 68000, 1);
	launch(&b, 1, 51000, 10, 2);
	kernel(&b, 3, 7, "gemm", 70000, 40000, 2);
	return derive(&b);
}

static struct table *steps_in(const struct derived *d, const char *text, struct arena *mem)
{
	struct window w = parsed(d, text);
	struct query q = window_query(&w, NULL);
	struct err e = {0};
	struct table *t = analysis_find("steps")->run(d, &q, mem, NULL, &e);
	assert_non_null(t);
	return human_table(t, d, false, mem);
}

static const char *cell_words(const struct table *t, uint32_t row, const char *column)
{
	static char buf[96];
	return cell_format(t, row, (uint32_t)table_column(t, column), buf, sizeof buf);
}

static void test_a_step_window_lists_its_steps(void **state)
{
	(void)state;
	struct derived *d = overlapping_steps();
	struct arena mem = {0};
	const struct table *t = steps_in(d, "step:7", &mem);
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(cell_words(t, 0, "step"), "7");
	assert_int_equal(steps_in(d, "step:7..8", &mem)->n_rows, 2);
	arena_free(&mem);
	derived_free(d);
}

static void test_people_read_labels_and_cuts(void **state)
{
	(void)state;
	struct derived *d = overlapping_steps();
	struct arena mem = {0};
	const struct table *t = steps_in(d, "0ms..60ms", &mem);
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(cell_words(t, 0, "device"), "GPU 3");
	assert_string_equal(cell_words(t, 0, "cut"), "-");
	assert_string_equal(cell_words(t, 1, "cut"), "part");
	arena_free(&mem);
	derived_free(d);
}

static void test_programs_get_the_numbers_in_the_order_people_chose(void **state)
{
	(void)state;
	struct derived *d = overlapping_steps();
	struct arena mem = {0};
	struct query q = query_all();
	struct err e = {0};
	struct table *raw = analysis_find("steps")->run(d, &q, &mem, NULL, &e);
	struct table *human = human_table(raw, d, false, &mem);
	table_sort(human, table_column(human, "step"), true);
	const struct table *back = machine_table(human, raw, &mem);
	assert_string_equal(cell_words(back, 0, "step"), "8");
	assert_string_equal(cell_words(back, 1, "step"), "7");
	assert_int_equal(table_cell(back, 0, (uint32_t)table_column(back, "device"))->i, 3);
	arena_free(&mem);
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_titles),
		cmocka_unit_test(test_query),
		cmocka_unit_test(test_holds_the_end),
		cmocka_unit_test(test_a_step_window_lists_its_steps),
		cmocka_unit_test(test_people_read_labels_and_cuts),
		cmocka_unit_test(test_programs_get_the_numbers_in_the_order_people_chose),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
