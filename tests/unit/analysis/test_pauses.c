/* While the profiler was off nobody idles; a stall of which nothing is recorded is idle time. */
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/gaps.h"
#include "tests/unit/derive_trace.h"
#include "tests/unit/scenes.h"

static struct query window(int64_t a_ns, int64_t b_ns)
{
	struct query q = query_all();
	q.a_ns = a_ns;
	q.b_ns = b_ns;
	q.windowed = true;
	return q;
}

/* Steps of 20 us each with one kernel, 80 us between them. */
static void add_three_steps(struct build *b, int first, double from_us)
{
	for (int i = 0; i < 3; i++) {
		uint64_t corr = (uint64_t)(first + i);
		profiler_step(b, 1, first + i, from_us + i * 100.0, 20);
		launch(b, 1, from_us + i * 100.0, 5, corr);
		kernel(b, 0, 7, "k", from_us + i * 100.0 + 5, 20, corr);
	}
}

/* first: of the steps after the stretch; named: two spans of the profiler say what they hold. */
static struct derived *two_spans(int first, bool named, bool host_at_work)
{
	struct build b = build_new("chrome");
	add_three_steps(&b, 1, 0);
	add_three_steps(&b, first, 10000);
	for (int i = 0; named && i < 2; i++)
		host_event(&b, KIND_PROFILE, 9, "PyTorch Profiler (0)", i * 10000, 300);
	if (host_at_work)
		host_event(&b, KIND_OP, 2, "write", 1000, 8000);
	return derive(&b);
}

static void assert_idle_and_span(struct derived *d, int64_t idle_ns, int64_t span_ns, uint32_t gaps, int64_t pauses)
{
	struct arena mem = {0};
	struct query q = query_all();
	const struct table *t = devices_desc.run(d, &q, &mem, NULL, NULL),
			   *causes = idle_causes_desc.run(d, &q, &mem, NULL, NULL);
	int64_t told_ns = 0;
	assert_int_equal(int_of(t, 0, "idle_ns"), idle_ns);
	assert_int_equal(int_of(t, 0, "span_ns"), span_ns);
	for (uint32_t i = 0; i < causes->n_rows; i++)
		told_ns += int_of(causes, i, "idle_ns");
	assert_int_equal(told_ns, idle_ns);
	assert_int_equal(derived_step_gap_count(d), gaps);
	assert_int_equal(derived_pause_sum(d).n, pauses);
	arena_free(&mem);
	derived_free(d);
}

static void a_profiler_that_was_off_is_no_idle_time(void **state)
{
	(void)state;
	assert_idle_and_span(two_spans(11, false, false), US(4 * 80), US(2 * 220), 4, 1);
	assert_idle_and_span(two_spans(4, true, false), US(4 * 80), US(2 * 220), 4, 1);
	assert_idle_and_span(two_spans(11, true, false), US(4 * 80), US(2 * 220), 4, 1);
}

static void a_stall_of_which_nothing_is_recorded_is_idle_time(void **state)
{
	(void)state;
	assert_idle_and_span(two_spans(4, false, false), US(10220 - 6 * 20), US(10220), 5,
			     0); /* no number is left out */
	assert_idle_and_span(two_spans(11, false, true), US(10220 - 6 * 20), US(10220), 5,
			     0); /* somebody was recorded */
	assert_idle_and_span(two_spans(4, true, true), US(10220 - 6 * 20), US(10220), 5, 0);
}

static void steps_that_are_counted_by_tens_are_no_pauses(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 4; i++) {
		profiler_step(&b, 1, 10 * i, 100.0 * i, 99);
		launch(&b, 1, 100.0 * i, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", 100.0 * i + 5, 20, (uint64_t)i + 1);
	}
	assert_idle_and_span(derive(&b), US(3 * 80), US(320), 3, 0);
}

static void windows_that_meet_in_a_pause_add_up(void **state)
{
	(void)state;
	struct derived *d = two_spans(11, false, false);
	struct arena mem = {0};
	struct query all = query_all(),
		     parts[] = {window(0, US(150)), window(US(150), US(5000)), window(US(5000), US(20000))};
	int64_t whole_ns = int_of(devices_desc.run(d, &all, &mem, NULL, NULL), 0, "idle_ns"), sum_ns = 0, causes_ns = 0;
	for (int i = 0; i < 3; i++) {
		const struct table *t = idle_causes_desc.run(d, &parts[i], &mem, NULL, NULL);
		sum_ns += int_of(devices_desc.run(d, &parts[i], &mem, NULL, NULL), 0, "idle_ns");
		for (uint32_t k = 0; k < t->n_rows; k++)
			causes_ns += int_of(t, k, "idle_ns");
	}
	assert_int_equal(sum_ns, whole_ns);
	assert_int_equal(causes_ns, whole_ns);
	arena_free(&mem);
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profiler_that_was_off_is_no_idle_time),
		cmocka_unit_test(a_stall_of_which_nothing_is_recorded_is_idle_time),
		cmocka_unit_test(steps_that_are_counted_by_tens_are_no_pauses),
		cmocka_unit_test(windows_that_meet_in_a_pause_add_up),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
