/* Launches, queues, tiny ops and synchronisation on traces small enough to be worked out by hand. */
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/quantile.h"
#include "tests/unit/ask.h"
#include <stdlib.h>

/* ---- percentiles ---------------------------------------------------------------------------------------------------- */

static int64_t nearest_rank(int64_t *sorted, uint32_t n, unsigned per_mille)
{
	uint64_t rank = ((uint64_t)n * per_mille + 999) / 1000;
	return sorted[rank ? rank - 1 : 0];
}

static void percentiles_are_values_by_nearest_rank(void **state)
{
	(void)state;
	static const unsigned wanted[] = {500, 950, 990};
	static const uint32_t counts[] = {1, 2, 3, 19, 20, 21, 100, 1999};
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
		for (int kind = 0; kind < 3; kind++) { /* mixed, all alike, sorted */
			int64_t v[2000], sorted[2000], out[3];
			uint32_t n = counts[k];
			for (uint32_t i = 0; i < n; i++)
				sorted[i] = v[i] = kind == 0   ? (int64_t)(i * 2654435761u % 1000)
						   : kind == 1 ? 7
							       : (int64_t)i;
			qsort(sorted, n, sizeof *sorted, i64_order);
			quantiles_of(v, n, wanted, out, 3);
			for (int i = 0; i < 3; i++)
				assert_int_equal(out[i], nearest_rank(sorted, n, wanted[i]));
		}
}

/* ---- findings ------------------------------------------------------------------------------------------------------- */

/* Row of the finding of that rule, NONE_ID = it says nothing. */
static uint32_t finding_of(const struct table *t, const char *rule)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (!strcmp(text_of(t, row, "rule"), rule))
			return row;
	return NONE_ID;
}

static void rated(const struct derived *d, const char *rule, const char *severity)
{
	struct table *t = ask(d, "findings");
	uint32_t row = finding_of(t, rule);
	assert_true(row != NONE_ID);
	assert_string_equal(text_of(t, row, "severity"), severity);
}

/* ---- launches ------------------------------------------------------------------------------------------------------- */

static void runtime(struct build *b, int64_t tid, const char *name, double start_us, double dur_us, uint64_t corr)
{
	struct event_in e = build_event(b, KIND_RUNTIME, build_thread(b, tid), name, start_us, dur_us);
	e.corr = corr;
	build_add(b, &e);
}

static void a_graph_is_one_call_and_all_its_kernels(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	runtime(&b, 1, "cudaGraphLaunch", 0, 10, 5);
	for (int i = 0; i < 4; i++)
		kernel(&b, 0, 7, "k", 30 + 5 * i, 5, 5);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "launches");
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "work"), 4);
	assert_int_equal(int_of(t, 0, "launch_calls"), 1);
	assert_int_equal(int_of(t, 0, "call_ns"), US(10));
	assert_int_equal(int_of(t, 0, "latency_max_ns"), US(30));
	assert_int_equal(int_of(t, 0, "queue_max"), 1);
	assert_string_equal(shown(t, 0, "graph_pct"), "100.0 %");
	assert_string_equal(text_of(t, 0, "api"), "cudaGraphLaunch");
	/* before the device's first work: from the start of the call until 20 us after its end */
	assert_int_equal(int_of(t, 0, "launch_bound_ns"), US(30));
	ask_done(d);
}

static void held_back_work_is_not_launch_bound_for_longer_than_20_us(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 10, 1);
	launch(&b, 1, 50, 5, 2);
	kernel(&b, 0, 7, "b", 200, 10, 2);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "launch_totals");
	assert_int_equal(int_of(t, 0, "launch_bound_ns"), US(10) + US(25));
	assert_int_equal(int_of(t, 0, "not_launched_ns"), US(30)); /* from 20 to 50 */
	ask_done(d);
}

static void clocks_that_disagree_give_no_negative_latency(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 10, 5, 1);
	kernel(&b, 0, 7, "k", 8, 10, 1);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "launches");
	assert_int_equal(int_of(t, 0, "latency_min_ns"), 0);
	assert_int_equal(int_of(t, 0, "early"), 1);
	assert_int_equal(int_of(t, 0, "queue_max"), 1);
	assert_int_equal(int_of(ask(d, "queue"), 0, "waiting_ns"), 0);
	ask_done(d);
}

/* Launches at 0, work 63 years later: the sum is more than a number holds. */
static void latencies_of_decades_add_up_to_no_less_than_one(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (uint64_t i = 1; i <= 6; i++) {
		runtime(&b, 1, "cudaLaunchKernel", 10. * (double)i, 5, i);
		kernel(&b, 0, 7, "k", 2e15 + 10. * (double)i, 5, i);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "launch_totals");
	assert_true(int_of(t, 0, "latency_sum_ns") >= US(2000000000000000));
	ask_done(d);
}

static void work_without_a_recorded_launch_has_no_latency(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	kernel(&b, 0, 7, "k", 8, 10, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "launches");
	assert_int_equal(int_of(t, 0, "no_launch"), 1);
	assert_true(cell_of(t, 0, "latency_p50_ns")->null);
	assert_true(cell_of(t, 0, "graph_pct")->null);
	assert_true(cell_of(t, 0, "queue_max")->null);
	assert_int_equal(ask(d, "queue")->n_rows, 0);
	rated(d, "launch-queue", "unknown");
	rated(d, "small-kernels", "unknown"); /* 10 us are short, but what do they cost? */
	ask_done(d);
}

/* Calls begin at 0, 10, 20 on two threads; their work starts in another order: 30, 50, 40. */
static void two_threads_feed_one_queue(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 2, 1);
	launch(&b, 1, 10, 2, 2);
	launch(&b, 2, 20, 2, 3);
	kernel(&b, 0, 7, "first", 30, 5, 1);
	kernel(&b, 0, 7, "second", 50, 5, 2);
	kernel(&b, 0, 7, "third", 40, 5, 3);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "queue");
	assert_int_equal(int_of(t, 0, "depth_max"), 3);
	assert_int_equal(int_of(t, 0, "waiting_ns"), US(50));
	/* one call for 10 + 10 us, two for 10 + 10, three for 10: 90 us of waiting in 55 us */
	assert_true(cell_of(t, 0, "depth_mean")->r > 90.0 / 55 - 1e-9 &&
		    cell_of(t, 0, "depth_mean")->r < 90.0 / 55 + 1e-9);
	assert_int_equal(int_of(t, 0, "begun_calls"), 3);
	ask_done(d);
}

static void a_window_takes_its_part_of_calls_and_idle_time(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 10, 1);
	launch(&b, 1, 40, 20, 2);
	kernel(&b, 0, 7, "b", 70, 10, 2);
	struct derived *d = derive(&b);
	struct table *t = ask_window(d, "launch_totals", US(30), US(50));
	assert_int_equal(int_of(t, 0, "work"), 0);
	assert_int_equal(int_of(t, 0, "call_ns"), US(10));
	assert_int_equal(int_of(t, 0, "not_launched_ns"), US(10));
	assert_int_equal(int_of(t, 0, "launch_bound_ns"), US(10));
	ask_done(d);
}

/* 1,100 calls of 1 us back to back; work of 100 us each begins at 2,000 us. */
static void a_full_queue_blocks_the_calls_that_find_it_full(void **state)
{
	(void)state;
	enum { CALLS = 1100, FIRST_BLOCKED = 992 };
	struct build b = build_new("kineto");
	for (int i = 0; i < CALLS; i++) {
		launch(&b, 1, i, 1, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", 2000 + 100 * i, 100, (uint64_t)i + 1);
	}
	host_event(&b, KIND_OVERHEAD, 9, "Command Buffer Full", 500, 30);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "queue"), *totals = ask(d, "launch_totals");
	assert_int_equal(int_of(t, 0, "depth_max"), CALLS);
	assert_int_equal(int_of(t, 0, "blocked_ns"), US(CALLS - FIRST_BLOCKED + 1));
	assert_int_equal(int_of(t, 0, "full_ns"), US(2000 + 100 * (CALLS - 1024) - 1023));
	assert_int_equal(int_of(totals, 0, "blocked_ns"), US(CALLS - FIRST_BLOCKED + 1));
	assert_int_equal(int_of(totals, 0, "buffer_full_ns"), US(30));
	int64_t blocked_ns = 0, calls = 0;
	for (uint32_t row = 1; row < t->n_rows; row++) {
		blocked_ns += int_of(t, row, "blocked_ns");
		calls += int_of(t, row, "begun_calls");
	}
	assert_int_equal(blocked_ns, int_of(t, 0, "blocked_ns"));
	assert_int_equal(calls, CALLS);
	rated(d, "launch-queue", "pass"); /* the host is ahead of a busy device: nothing to mend */
	ask_done(d);
}

/* ---- tiny ops ------------------------------------------------------------------------------------------------------- */

/* Two runs of an op with two kernels each: 15 + 10 us per run lie within the latency, 5 us of another op below it. */
static void runs_count_not_kernels(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < 2; i++) {
		double at = 100 * i;
		op(&b, 1, "aten::two", at, 20);
		launch(&b, 1, at + 1, 2, (uint64_t)(10 * i) + 1);
		launch(&b, 1, at + 5, 2, (uint64_t)(10 * i) + 2);
		kernel(&b, 0, 7, "x", at + 10, 15, (uint64_t)(10 * i) + 1);
		kernel(&b, 0, 7, "y", at + 25, 10, (uint64_t)(10 * i) + 2);
		op(&b, 1, "aten::one", at + 40, 10);
		launch(&b, 1, at + 41, 2, (uint64_t)(10 * i) + 3);
		kernel(&b, 0, 7, "z", at + 45, 5, (uint64_t)(10 * i) + 3);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "tiny_ops");
	assert_int_equal(t->n_rows, 2);
	for (uint32_t row = 0; row < 2; row++) {
		bool two = !strcmp(text_of(t, row, "type"), "two");
		assert_int_equal(int_of(t, row, "runs"), 2);
		assert_int_equal(int_of(t, row, "kernels"), two ? 4 : 2);
		assert_string_equal(text_of(t, row, "launch_range"), two ? "within" : "below");
		assert_string_equal(shown(t, row, "avg_ns"), two ? "25.000 us" : "5.000 us");
	}
	ask_done(d);
}

static void large_kernels_are_not_tiny(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	op(&b, 1, "aten::mm", 0, 20);
	launch(&b, 1, 1, 2, 1);
	kernel(&b, 0, 7, "gemm", 10, 40, 1);
	struct derived *d = derive(&b);
	assert_int_equal(ask(d, "tiny_ops")->n_rows, 0);
	rated(d, "small-kernels", "pass");
	assert_int_equal(finding_of(ask(d, "findings"), "synchronisation"), NONE_ID);
	ask_done(d);
}

/* ---- synchronisation ------------------------------------------------------------------------------------------------ */

/* aten::item holds the call that waits from 20 to 60; the device works from 10 to 55 and again from 90. */
static void the_innermost_wait_counts_and_its_idle_time_once(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 45, 1);
	op(&b, 1, "aten::item", 15, 50);
	runtime(&b, 1, "cudaStreamSynchronize", 20, 40, 0);
	runtime(&b, 1, "cudaStreamSynchronize", 70, 5, 0);
	launch(&b, 1, 80, 5, 2);
	kernel(&b, 0, 7, "b", 90, 5, 2);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "syncs");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(text_of(t, 0, "op"), "aten::item");
	assert_int_equal(int_of(t, 0, "syncs"), 1);
	assert_int_equal(int_of(t, 0, "total_ns"), US(40));
	assert_int_equal(int_of(t, 0, "waited_ns"), US(35));
	assert_int_equal(int_of(t, 0, "drained"), 1);
	assert_int_equal(int_of(t, 0, "drained_idle_ns"), US(35));
	assert_true(cell_of(t, 1, "op")->null);
	assert_int_equal(int_of(t, 1, "drained"), 1);
	assert_int_equal(int_of(t, 1, "drained_idle_ns"), 0); /* the same idle time, it has its call */
	rated(d, "synchronisation", "warn");                  /* 35 of 85 us */
	ask_done(d);
}

static void a_wait_that_leaves_work_behind_drains_nothing(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 100, 1);
	runtime(&b, 1, "cudaEventSynchronize", 20, 40, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "syncs");
	assert_int_equal(int_of(t, 0, "drained"), 0);
	assert_int_equal(int_of(t, 0, "waited_ns"), US(40));
	assert_int_equal(int_of(t, 0, "drained_idle_ns"), 0);
	ask_done(d);
}

/* The host launches ahead of kernels of 100 us, waits until the last is done, then launches 20 short ones that the device waits for. */
static struct derived *a_lead_is_lost(const char *before, int pieces)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < 10; i++) {
		launch(&b, 1, i * 10.0, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "a", 10 + i * 100.0, 100, (uint64_t)i + 1);
	}
	if (before)
		op(&b, 1, before, 110, 10);
	op(&b, 1, "aten::item", 200, 815);
	runtime(&b, 1, "cudaStreamSynchronize", 205, 809, 0);
	for (int i = 0; i < pieces; i++) {
		launch(&b, 1, 1020 + i * 30.0, 5, (uint64_t)i + 50);
		kernel(&b, 0, 7, "b", 1030 + i * 30.0, 10, (uint64_t)i + 50);
	}
	return derive(&b);
}

static void the_lead_that_a_wait_costs_is_told(void **state)
{
	(void)state;
	struct derived *d = a_lead_is_lost(NULL, 20);
	struct table *t = ask(d, "syncs");
	assert_int_equal(int_of(t, 0, "waited_ns"), US(805));
	assert_int_equal(int_of(t, 0, "drained_idle_ns"), US(20));
	assert_int_equal(int_of(t, 0, "lost_lead_ns"), US(20 * 20)); /* all idle times after it: less than it waited */
	assert_true(cell_of(t, 0, "asks")->null);
	rated(d, "synchronisation", "warn");
	ask_done(d);
	d = a_lead_is_lost(NULL, 100);
	assert_int_equal(int_of(ask(d, "syncs"), 0, "lost_lead_ns"), US(805)); /* as long as it waited */
	ask_done(d);
}

static void the_overflow_check_of_loss_scaling_is_named(void **state)
{
	(void)state;
	struct derived *d = a_lead_is_lost("aten::_amp_foreach_non_finite_check_and_unscale_", 20);
	struct table *t = ask(d, "findings");
	uint32_t row = finding_of(t, "synchronisation");
	assert_string_equal(text_of(ask(d, "syncs"), 0, "asks"), "overflow check");
	assert_non_null(strstr(text_of(t, row, "sentence"), "the overflow check of loss scaling"));
	assert_non_null(strstr(text_of(t, row, "advice"), "A fused optimizer (fused=True) reads it on the device"));
	row = finding_of(t, "idle"); /* what is launched piece by piece behind it follows from it */
	assert_string_equal(text_of(t, row, "waits_for"), "synchronisation");
	ask_done(d);
}

/* The value is on the host: nothing is called, nothing waits. */
static void an_item_without_a_call_does_not_wait(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 5, 1);
	op(&b, 1, "aten::item", 30, 1);
	launch(&b, 1, 80, 5, 2);
	kernel(&b, 0, 7, "b", 90, 5, 2);
	struct derived *d = derive(&b);
	assert_int_equal(ask(d, "syncs")->n_rows, 0);
	ask_done(d);
}

/* Nobody recorded runtime calls: the op is the only one that tells. */
static void an_item_waits_where_calls_are_not_recorded(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	kernel(&b, 0, 7, "a", 10, 5, 0);
	op(&b, 1, "aten::item", 12, 18);
	kernel(&b, 0, 7, "b", 90, 5, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "syncs");
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "drained_idle_ns"), US(75));
	ask_done(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_are_values_by_nearest_rank),
		cmocka_unit_test(a_graph_is_one_call_and_all_its_kernels),
		cmocka_unit_test(held_back_work_is_not_launch_bound_for_longer_than_20_us),
		cmocka_unit_test(clocks_that_disagree_give_no_negative_latency),
		cmocka_unit_test(latencies_of_decades_add_up_to_no_less_than_one),
		cmocka_unit_test(work_without_a_recorded_launch_has_no_latency),
		cmocka_unit_test(two_threads_feed_one_queue),
		cmocka_unit_test(a_window_takes_its_part_of_calls_and_idle_time),
		cmocka_unit_test(a_full_queue_blocks_the_calls_that_find_it_full),
		cmocka_unit_test(runs_count_not_kernels),
		cmocka_unit_test(large_kernels_are_not_tiny),
		cmocka_unit_test(the_innermost_wait_counts_and_its_idle_time_once),
		cmocka_unit_test(a_wait_that_leaves_work_behind_drains_nothing),
		cmocka_unit_test(the_lead_that_a_wait_costs_is_told),
		cmocka_unit_test(the_overflow_check_of_loss_scaling_is_named),
		cmocka_unit_test(an_item_without_a_call_does_not_wait),
		cmocka_unit_test(an_item_waits_where_calls_are_not_recorded),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
