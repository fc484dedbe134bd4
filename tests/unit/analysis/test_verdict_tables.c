/* What the tables about idle time say: its groups and their price, its verdicts in order of the time lost. */
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"

static struct build callback_scene(void)
{
	struct build b = build_new("xspace");
	for (int i = 0; i < 4; i++) {
		double at = i * 160.0;
		uint64_t corr = 10 * (uint64_t)(i + 1);
		tf_step(&b, 1, "train", i + 1, at * MILLI, 101 * MILLI);
		launch(&b, 1, at * MILLI, 5, corr);
		kernel(&b, 0, 7, "gemm", at * MILLI, 100 * MILLI, corr);
		host_event(&b, KIND_ANNOTATION, 1, "Callback/on_train_batch_end", (at + 102) * MILLI, 55 * MILLI);
		if (i == 3)
			continue;
		launch(&b, 2, (at + 119) * MILLI, 5, corr + 1);
		copy(&b, 0, 120, COPY_D2H, 4, (at + 120) * MILLI, 1 * MILLI, corr + 1);
	}
	return b;
}

static void recurring_gaps_have_a_price(void **state)
{
	(void)state;
	struct build b = callback_scene();
	struct derived *d = derive(&b);
	const struct table *t = ask(d, "gap_groups");
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(text_of(t, 0, "place"), "before every step");
	assert_string_equal(text_of(t, 0, "cause"), "host work outside the graph");
	assert_int_equal(int_of(t, 0, "gaps"), 3);
	assert_int_equal(int_of(t, 0, "possible_gaps"), 3);
	assert_int_equal(int_of(t, 0, "avg_ns"), MS(60));
	assert_int_equal(int_of(t, 0, "lost_ns"), MS(180));
	assert_int_equal(int_of(t, 0, "period_ns"), MS(160));
	assert_int_equal(int_of(t, 0, "every_k"), 10);
	assert_int_equal(int_of(t, 0, "period_every_k_ns"), MS(106));
	assert_string_equal(shown(t, 0, "saved_pct"), "33.8 %");
	ask_done(d);
}

/* What a step loses does not depend on how many steps lie outside the window. */
static void a_window_prices_its_own_steps(void **state)
{
	(void)state;
	struct build b = callback_scene();
	struct derived *d = derive(&b);
	struct query q = query_all();
	q.a_ns = MS(90);
	q.b_ns = MS(165);
	const struct table *t = ask_query(d, "gap_groups", &q);
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(text_of(t, 0, "place"), "before every step");
	assert_int_equal(int_of(t, 0, "gaps"), 1);
	assert_int_equal(int_of(t, 0, "possible_gaps"), 1);
	assert_int_equal(int_of(t, 0, "lost_per_step_ns"), MS(60));
	assert_int_equal(int_of(t, 0, "period_ns"), MS(160));
	assert_int_equal(int_of(t, 0, "period_every_k_ns"), MS(106));
	ask_done(d);
}

static void every_k_is_a_parameter(void **state)
{
	(void)state;
	struct build b = callback_scene();
	struct derived *d = derive(&b);
	struct query q = query_all();
	q.every_k = 2;
	assert_int_equal(int_of(ask_query(d, "gap_groups", &q), 0, "period_every_k_ns"), MS(130));
	q.every_k = 1;
	assert_int_equal(int_of(ask_query(d, "gap_groups", &q), 0, "period_every_k_ns"), MS(160));
	ask_done(d);
}

static void idle_time_inside_steps_is_grouped_by_its_place(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 4; i++) {
		double at = i * 200.0;
		uint64_t corr = 10 * (uint64_t)(i + 1);
		profiler_step(&b, 1, i + 1, at, 190);
		launch(&b, 1, at + 1, 2, corr);
		kernel(&b, 0, 7, "first", at + 5, 15, corr);
		host_event(&b, KIND_RUNTIME, 1, "cudaMalloc", at + 20, 50);
		launch(&b, 1, at + 75, 2, corr + 1);
		kernel(&b, 0, 7, "second", at + 80, 115, corr + 1);
	}
	struct derived *d = derive(&b);
	const struct table *t = ask(d, "gap_groups");
	assert_string_equal(text_of(t, 0, "place"), "after first, before second");
	assert_string_equal(text_of(t, 0, "cause"), "allocator");
	assert_int_equal(int_of(t, 0, "gaps"), 4);
	assert_int_equal(int_of(t, 0, "possible_gaps"), 4);
	assert_int_equal(int_of(t, 0, "total_ns"), US(240));
	assert_int_equal(int_of(t, 0, "lost_ns"), US(200));
	ask_done(d);
}

static void verdicts_rank_by_time_lost_and_list_idle_time_once(void **state)
{
	(void)state;
	struct build b = callback_scene();
	struct derived *d = derive(&b);
	const struct table *t = ask(d, "verdicts");
	assert_int_equal(t->n_rows, 3); /* the copy splits the device's idle time, not the gap */
	for (uint32_t r = 0; r < 3; r++) {
		assert_string_equal(text_of(t, r, "scope"), "step");
		assert_int_equal(int_of(t, r, "lost_ns"), MS(60));
		assert_non_null(strstr(text_of(t, r, "advice"), "every k steps"));
		assert_non_null(strstr(text_of(t, r, "what"), "work that belongs to no step takes 1.000 ms"));
	}
	const struct table *gaps = ask(d, "gaps");
	assert_string_equal(text_of(gaps, 0, "cause"), "host work outside the graph");
	assert_int_equal(int_of(gaps, 0, "lost_ns"), MS(60));
	ask_done(d);
}

static void windows_and_lengths_choose_the_gaps(void **state)
{
	(void)state;
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	assert_int_equal(ask_window(d, "verdicts", MS(300), MS(500))->n_rows, 1);
	struct query q = query_all();
	q.min_gap_ns = MS(3);
	assert_int_equal(ask_query(d, "verdicts", &q)->n_rows, 1);
	assert_int_equal(ask_filter(d, "verdicts", "name=nothing")->n_rows, 0);
	ask_done(d);
}

/* A clock that was set in between: trust x time would not fit 64 bits. */
static void gaps_of_years_are_judged_too(void **state)
{
	(void)state;
	const double years_us = 2e14;
	struct build b = build_new("chrome");
	launch(&b, 1, 0, 2, 1);
	kernel(&b, 0, 7, "a", 5, 10, 1);
	host_event(&b, KIND_RUNTIME, 1, "cudaFree", 20, years_us);
	launch(&b, 1, years_us + 30, 2, 2);
	kernel(&b, 0, 7, "b", years_us + 40, 10, 2);
	struct derived *d = derive(&b);
	const struct table *t = ask(d, "verdicts");
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(text_of(t, 0, "cause"), "allocator");
	assert_string_equal(shown(t, 0, "lost_ns"), shown(t, 0, "cause_ns"));
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recurring_gaps_have_a_price),
		cmocka_unit_test(a_window_prices_its_own_steps),
		cmocka_unit_test(every_k_is_a_parameter),
		cmocka_unit_test(idle_time_inside_steps_is_grouped_by_its_place),
		cmocka_unit_test(verdicts_rank_by_time_lost_and_list_idle_time_once),
		cmocka_unit_test(windows_and_lengths_choose_the_gaps),
		cmocka_unit_test(gaps_of_years_are_judged_too),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
