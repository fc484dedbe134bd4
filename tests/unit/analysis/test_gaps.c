/* Idle time: between steps, on devices, on streams; how long, which share, and what the host did meanwhile. */
#include "model/analysis/derived/gap_place.h"
#include "tests/unit/derive_trace.h"
#include "tests/unit/scenes.h"

static struct query everything(void)
{
	return query_all();
}
static struct query window(int64_t a_ns, int64_t b_ns)
{
	struct query q = query_all();
	q.a_ns = a_ns;
	q.b_ns = b_ns;
	q.windowed = true;
	return q;
}
static uint32_t step_gap_count(const struct derived *d)
{
	uint32_t steps = 0;
	struct gap g;
	for (uint32_t i = 0; derived_gap_at(d, i, &g); i++)
		steps += g.scope == GAP_STEP;
	return steps;
}

/* ---- the guide's large gap ------------------------------------------------------------------------------------------- */

static void the_longest_gap_is_named_with_its_share_and_cause(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_OP, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	struct derived *d = derive(&b);
	struct arena mem = {0};
	struct query q = everything();
	const struct table *t = gaps_desc.run(d, &q, &mem, NULL, NULL);

	assert_string_equal(text_of(t, 0, "before"), "8");
	assert_string_equal(text_of(t, 0, "after"), "9");
	assert_int_equal(int_of(t, 0, "dur_ns"), MS(60));
	assert_string_equal(shown(t, 0, "period_pct"), "37.5 %");
	assert_string_equal(text_of(t, 0, "main_event"), "IteratorGetNext");
	assert_int_equal(int_of(t, 0, "main_event_ns"), MS(55));
	assert_string_equal(shown(t, 0, "main_event_pct"), "91.7 %");
	assert_int_equal(int_of(t, 1, "dur_ns"), MS(2));
	assert_int_equal(int_of(t, 2, "dur_ns"), MS(2));
	assert_string_equal(text_of(t, 2, "scope"), "step");
	assert_string_equal(text_of(t, 3, "scope"), "device");
	assert_int_equal(int_of(t, 0, "marker_gap_ns"), 0); /* the markers hide it */

	t = devices_desc.run(d, &q, &mem, NULL, NULL);
	assert_int_equal(int_of(t, 0, "idle_ns"), MS(64));
	assert_int_equal(int_of(t, 0, "span_ns"), MS(464));
	arena_free(&mem);
	derived_free(d);
}

/* ---- the same gap, other causes ---------------------------------------------------------------------------------------- */

static struct gap_main_event main_event_of_biggest(const struct derived *d)
{
	struct gap_main_event event;
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	assert_non_null(g);
	assert_int_equal(g->dur_ns, MS(60));
	derived_main_event(d, g, &event);
	return event;
}

static void other_threads_are_no_cause(void **state)
{
	(void)state;
	struct build b = scene_gap();
	for (int tid = 10; tid < 18; tid++)
		host_event(&b, KIND_OP, tid, "Iterator::ParallelMap", 203 * MILLI, 55 * MILLI);
	struct derived *d = derive(&b);
	struct gap_main_event event = main_event_of_biggest(d);
	assert_string_equal(event.name,
			    "cudaLaunchKernel"); /* 5 us of 60 ms: the share says that it explains nothing */
	assert_int_equal(event.self_ns, 5000);
	derived_free(d);
}

static void a_marker_is_no_cause(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	tf_step(&b, 1, "train", 1, 0, 20);
	tf_step(&b, 1, "train", 2, 30, 100);
	launch(&b, 1, 1, 1, 1);
	kernel(&b, 0, 7, "a", 2, 10, 1);
	kernel(&b, 0, 7, "b", 72, 10, 2);
	launch(&b, 1, 72, 1, 2);
	struct derived *d = derive(&b);
	struct gap_main_event event;
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	assert_int_equal(g->dur_ns, US(60));
	assert_false(derived_main_event(d, g, &event)); /* it says where the program is, not what it does */
	derived_free(d);
}

static void a_callback_outside_the_markers_is_a_cause(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	for (int i = 0; i < 4; i++) {
		double at = i * 160.0;
		uint64_t corr = 10 * (uint64_t)(i + 1);
		tf_step(&b, 1, "train", i + 1, at * MILLI, 100 * MILLI);
		launch(&b, 1, at * MILLI, 5, corr);
		kernel(&b, 0, 7, "gemm", at * MILLI, 100 * MILLI, corr);
		host_event(&b, KIND_ANNOTATION, 1, "Callback", (at + 101) * MILLI, 55 * MILLI);
		launch(&b, 1, (at + 102) * MILLI, 5, corr + 1);
		copy(&b, 0, 7, COPY_D2H, 4, (at + 103) * MILLI, 1 * MILLI, corr + 1);
	}
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "MemcpyD2H"), "-");
	assert_int_equal(step_gap_count(d), 3); /* the copy belongs to no step and shortens no gap */
	struct gap_main_event event = main_event_of_biggest(d);
	assert_string_equal(event.name, "Callback");
	assert_int_equal(event.self_ns, MS(55) - 5000);
	derived_free(d);
}

static void self_time_decides_not_the_length(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_PYTHON, 1, "train.py(10): fit", 200 * MILLI, 61 * MILLI);
	host_event(&b, KIND_OP, 1, "LossScaleOptimizer/cond:If", 203 * MILLI, 40 * MILLI);
	host_event(&b, KIND_OP, 1, "small", 204 * MILLI, 1 * MILLI);
	struct derived *d = derive(&b);
	struct gap_main_event event = main_event_of_biggest(d);
	assert_string_equal(event.name, "LossScaleOptimizer/cond:If");
	assert_int_equal(event.self_ns, MS(39));
	derived_free(d);
}

static void a_python_frame_is_a_cause_when_it_does_the_work(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_PYTHON, 1, "metrics.py(10): update", 203 * MILLI, 50 * MILLI);
	host_event(&b, KIND_OP, 1, "small", 204 * MILLI, 1 * MILLI);
	struct derived *d = derive(&b);
	struct gap_main_event event = main_event_of_biggest(d);
	assert_string_equal(event.name, "metrics.py(10): update");
	assert_int_equal(event.self_ns, MS(49));
	derived_free(d);
}

static void a_capture_span_is_no_cause(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	host_event(&b, KIND_PROFILE, 1, "PyTorch Profiler (0)", 0, 500);
	for (int i = 0; i < 2; i++) {
		profiler_step(&b, 1, i + 1, i * 200.0, 20);
		launch(&b, 1, i * 200.0, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", i * 200.0 + 5, 20, (uint64_t)i + 1);
	}
	struct derived *d = derive(&b);
	struct gap_main_event event;
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	assert_true(derived_main_event(d, g, &event));
	assert_string_equal(event.name, "cudaLaunchKernel"); /* 5 us of it: all that is known */
	assert_int_equal(event.self_ns, US(5));
	derived_free(d);
}

static void nothing_recorded_is_no_cause(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 7, "b", 70, 10, 0);
	struct derived *d = derive(&b);
	struct gap_main_event event;
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX); /* no steps: the device's idle time */
	assert_int_equal(g->scope, GAP_DEVICE);
	assert_int_equal(g->dur_ns, US(60));
	assert_false(derived_main_event(d, g, &event));
	assert_int_equal(event.row, NONE_ID);
	derived_free(d);
}

/* ---- which gaps there are -------------------------------------------------------------------------------------------------- */

static void overlapped_steps_have_no_gap(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 3; i++) {
		profiler_step(&b, 1, i + 1, i * 100.0, 100);
		launch(&b, 1, i * 100.0 + 1, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", i * 100.0 + 10, i == 0 ? 105 : 100, (uint64_t)i + 1);
	}
	struct derived *d = derive(&b);
	assert_int_equal(step_gap_count(d), 0);
	derived_free(d);
}

static void every_device_has_its_own_gaps(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int rank = 0; rank < 2; rank++) {
		build_host(&b, rank ? "b" : "a", rank);
		for (int i = 0; i < 2; i++) {
			uint64_t corr = (uint64_t)i + 1;
			profiler_step(&b, 1, i + 1, i * 100.0, 100);
			launch(&b, 1, i * 100.0 + 1, 5, corr);
			kernel(&b, rank, 7, "k", i * 100.0 + 10, 50 + rank * 10, corr);
		}
	}
	struct derived *d = derive(&b);
	assert_int_equal(step_gap_count(d), 2);
	assert_int_equal(derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX)->dur_ns, US(50));
	assert_int_equal(derived_gap_ranked(d, 1, INT64_MIN, INT64_MAX)->dur_ns, US(40));
	assert_null(derived_gap_ranked(d, 2, INT64_MIN, INT64_MAX));
	derived_free(d);
}

static void without_devices_markers_bound_the_gap(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 100);
	profiler_step(&b, 1, 2, 107, 100);
	op(&b, 1, "validate", 101, 5);
	struct derived *d = derive(&b);
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	assert_int_equal(g->device, NONE_ID);
	assert_int_equal(g->dur_ns, US(7));
	assert_int_equal(g->period_ns, US(107));
	struct gap_main_event event;
	assert_true(derived_main_event(d, g, &event));
	assert_string_equal(event.name, "validate");
	derived_free(d);
}

static void idle_time_of_devices_and_streams(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 8, "b", 5, 15, 0);
	kernel(&b, 0, 7, "c", 30, 10, 0);
	kernel(&b, 0, 8, "d", 35, 10, 0);
	struct derived *d = derive(&b);
	struct gap g[3]; /* device, stream 7, stream 8 */
	assert_int_equal(derived_gap_count(d), 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_true(derived_gap_at(d, i, &g[i]));
	assert_int_equal(g[0].start_ns, US(20));
	assert_int_equal(g[0].dur_ns, US(10));
	assert_int_equal(g[0].before, row_named(derived_trace(d), "b"));
	assert_int_equal(g[0].after, row_named(derived_trace(d), "c"));
	assert_int_equal(g[1].dur_ns, US(20));
	assert_int_equal(g[2].dur_ns, US(15));
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(g[i].id, i);
	derived_free(d);
}

static void ranking_looks_at_the_window_only(void **state)
{
	(void)state;
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	const struct gap *g = derived_gap_ranked(d, 0, MS(300), MS(500));
	assert_int_equal(g->dur_ns, MS(2));
	assert_string_equal(derived_step(d, g->step_after)->label, "10");
	assert_null(derived_gap_ranked(d, 1, MS(300), MS(500)));
	assert_int_equal(derived_gap_ranked(d, 0, MS(261), MS(500))->dur_ns, MS(60)); /* reaches into it */
	derived_free(d);
}

static void add_work(struct build *b, double start_us, double end_us, uint64_t correlation)
{
	kernel(b, 0, 7, "k", start_us, end_us - start_us, correlation);
}

/* Idle time of every kind; one of 999 ns and one of 1 us. */
static struct derived *idle_of_every_kind(void)
{
	static const struct {
		double launch_us, start_us, end_us;
	} work[] = {{0, 5, 10},      {110, 130, 150},     {120, 200, 250}, {270, 280, 290},
		    {305, 320, 330}, {310, 330.999, 340}, {315, 341, 350}, {462, 470, 480}};
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 100, 160);
	profiler_step(&b, 1, 2, 300, 160);
	for (uint64_t i = 0; i < sizeof work / sizeof *work; i++) {
		launch(&b, 1, work[i].launch_us, 1, i + 1);
		add_work(&b, work[i].start_us, work[i].end_us, i + 1);
	}
	return derive(&b);
}

static void the_biggest_gaps_lie_anywhere(void **state)
{
	(void)state;
	static const struct {
		int64_t start_us, dur_us;
		const char *place, *brief;
	} expected[] = {{10, 120, "before the first step's work", "before steps"},
			{350, 120, "inside step 2, after its work", "in step 2"},
			{250, 70, "between steps 1 and 2", "1>2"},
			{150, 50, "inside step 1", "in step 1"},
			{340, 1, "inside step 2", "in step 2"}};
	enum { RANKED = sizeof expected / sizeof *expected };
	struct derived *d = idle_of_every_kind();
	struct arena mem = {0};
	for (uint32_t k = 0; k < RANKED; k++) {
		const struct gap *g = derived_gap_ranked(d, k, INT64_MIN, INT64_MAX);
		assert_int_equal(g->start_ns, US(expected[k].start_us));
		assert_int_equal(g->dur_ns, US(expected[k].dur_us));
		assert_string_equal(gap_place_text(d, g, &mem), expected[k].place);
		assert_string_equal(gap_place_short(d, g, ">", &mem), expected[k].brief);
	}
	assert_null(derived_gap_ranked(d, RANKED, INT64_MIN, INT64_MAX)); /* 999 ns are none */
	assert_int_equal(derived_gap_ranked(d, 0, US(200), US(300))->dur_ns, US(70));
	arena_free(&mem);
	derived_free(d);
}

/* More of them than are kept beside the ranking of all. */
static void every_rank_can_be_asked_for(void **state)
{
	(void)state;
	enum { GAPS = 150 };
	struct build b = build_new("chrome");
	double at_us = 10;
	for (uint64_t i = 0; i <= GAPS; i++) {
		launch(&b, 1, at_us - 5, 1, i + 1);
		add_work(&b, at_us, at_us + 2, i + 1);
		at_us += 2 + 10 + (double)(i * 67 % GAPS); /* 10 us and more, each length once */
	}
	struct derived *d = derive(&b);
	int64_t middle_ns = US(at_us / 2);
	uint32_t late = 0;
	for (uint32_t k = 0; k < GAPS; k++) {
		const struct gap *g = derived_gap_ranked(d, k, INT64_MIN, INT64_MAX);
		assert_int_equal(g->dur_ns, US(10 + GAPS - 1 - k));
		if (g->start_ns + g->dur_ns > middle_ns)
			assert_ptr_equal(derived_gap_ranked(d, late++, middle_ns, INT64_MAX), g);
	}
	assert_null(derived_gap_ranked(d, GAPS, INT64_MIN, INT64_MAX));
	assert_null(derived_gap_ranked(d, late, middle_ns, INT64_MAX));
	derived_free(d);
}

static const struct table *gaps_by(const struct derived *d, const char *by, struct arena *mem, struct err *e)
{
	struct query q = everything();
	q.by = by;
	return gaps_desc.run(d, &q, mem, NULL, e);
}

/* The marker begins with the host's work, long before anything of it runs on the device. */
static void a_gap_under_a_marker_lies_in_its_step(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	struct arena mem = {0};
	struct err e = {0};
	launch(&b, 1, 5, 1, 1);
	add_work(&b, 10, 30, 1);
	profiler_step(&b, 1, 4, 50, 470);
	launch(&b, 1, 400, 1, 2);
	add_work(&b, 410, 420, 2);
	struct derived *d = derive(&b);
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	assert_string_equal(gap_place_text(d, g, &mem), "inside step 4, before its work");
	assert_string_equal(gap_place_short(d, g, ">", &mem), "in step 4");
	const struct table *t = gaps_by(d, "before", &mem, &e);
	assert_string_equal(text_of(t, 0, "gap_kind"), "before the first step's work");
	assert_string_equal(text_of(t, 0, "gap_place"), "inside step 4, before its work");
	assert_string_equal(text_of(t, 0, "step"), "4");
	arena_free(&mem);
	derived_free(d);
}

static void the_table_tells_the_kinds(void **state)
{
	(void)state;
	struct derived *d = idle_of_every_kind();
	struct arena mem = {0};
	struct err e = {0};
	const struct table *inside = gaps_by(d, "inside", &mem, &e), *between = gaps_by(d, "between", &mem, &e);
	assert_int_equal(inside->n_rows, 3);
	assert_int_equal(sum_of(inside, "dur_ns"), US(50) + US(1) + 999);
	assert_string_equal(text_of(inside, 0, "gap_kind"), "inside a step");
	assert_string_equal(text_of(inside, 0, "step"), "1");
	assert_int_equal(between->n_rows, 1);
	assert_int_equal(int_of(between, 0, "dur_ns"), US(70));
	assert_int_equal(int_of(between, 0, "idle_ns"), US(60)); /* 10 us belong to no step */
	assert_int_equal(gaps_by(d, "before", &mem, &e)->n_rows, 1);
	assert_int_equal(gaps_by(d, "after", &mem, &e)->n_rows, 1);
	assert_int_equal(gaps_by(d, "outside", &mem, &e)->n_rows, 0);
	assert_null(gaps_by(d, "within", &mem, &e));
	arena_free(&mem);
	derived_free(d);
}

/* ---- self time ----------------------------------------------------------------------------------------------------------- */

static void self_times_add_up_by_name(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "outer", 0, 100);
	op(&b, 1, "leaf", 10, 10);
	op(&b, 1, "leaf", 30, 20);
	op(&b, 1, "twig", 35, 5);
	struct derived *d = derive(&b);
	struct self_time out[8];
	uint32_t track = trace_columns(derived_trace(d))->track[row_named(derived_trace(d), "outer")];
	assert_int_equal(derived_self_times(d, track, INT64_MIN, INT64_MAX, 8, out), 3);
	assert_int_equal(out[0].self_ns, US(70));
	assert_int_equal(out[1].self_ns, US(25));
	assert_int_equal(out[1].count, 2);
	assert_int_equal(trace_columns(derived_trace(d))->start_ns[out[1].row], US(30));
	assert_int_equal(out[2].self_ns, US(5));
	int64_t sum = 0; /* windows add up */
	for (int i = 0; i < 100; i += 7) {
		uint32_t n = derived_self_times(d, track, US(i), US(i + 7), 8, out);
		for (uint32_t k = 0; k < n; k++)
			sum += out[k].self_ns;
	}
	assert_int_equal(sum, US(100));
	derived_free(d);
}

/* ---- windows --------------------------------------------------------------------------------------------------------------- */

static int64_t gaps_inside(const struct derived *d, int64_t a_ns, int64_t b_ns)
{
	struct arena mem = {0};
	struct query q = window(a_ns, b_ns);
	int64_t sum = sum_of(gaps_desc.run(d, &q, &mem, NULL, NULL), "dur_ns");
	arena_free(&mem);
	return sum;
}

static void gaps_add_up_over_windows(void **state)
{
	(void)state;
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	int64_t sum = 0, step_ns = 33333333;
	for (int64_t at = 0; at < MS(464); at += step_ns)
		sum += gaps_inside(d, at, at + step_ns);
	assert_int_equal(sum, 3 * MS(64)); /* step, device and stream each see 64 ms */
	assert_int_equal(gaps_inside(d, INT64_MIN, INT64_MAX), sum);
	derived_free(d);
}

static void short_gaps_can_be_left_out(void **state)
{
	(void)state;
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	struct query q = everything();
	q.min_gap_ns = MS(3);
	const struct table *t = gaps_desc.run(d, &q, &mem, NULL, NULL);
	assert_int_equal(t->n_rows, 3);
	assert_int_equal(sum_of(t, "dur_ns"), 3 * MS(60));
	arena_free(&mem);
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_gap_is_named_with_its_share_and_cause),
		cmocka_unit_test(other_threads_are_no_cause),
		cmocka_unit_test(a_marker_is_no_cause),
		cmocka_unit_test(a_callback_outside_the_markers_is_a_cause),
		cmocka_unit_test(self_time_decides_not_the_length),
		cmocka_unit_test(a_python_frame_is_a_cause_when_it_does_the_work),
		cmocka_unit_test(a_capture_span_is_no_cause),
		cmocka_unit_test(nothing_recorded_is_no_cause),
		cmocka_unit_test(the_biggest_gaps_lie_anywhere),
		cmocka_unit_test(a_gap_under_a_marker_lies_in_its_step),
		cmocka_unit_test(every_rank_can_be_asked_for),
		cmocka_unit_test(the_table_tells_the_kinds),
		cmocka_unit_test(overlapped_steps_have_no_gap),
		cmocka_unit_test(every_device_has_its_own_gaps),
		cmocka_unit_test(without_devices_markers_bound_the_gap),
		cmocka_unit_test(idle_time_of_devices_and_streams),
		cmocka_unit_test(ranking_looks_at_the_window_only),
		cmocka_unit_test(self_times_add_up_by_name),
		cmocka_unit_test(gaps_add_up_over_windows),
		cmocka_unit_test(short_gaps_can_be_left_out),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
