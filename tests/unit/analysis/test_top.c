/* What is told of traces without kernels: threads, long events, ops. */
#include "model/analysis/ops/op_index.h"
#include "model/analysis/overview/top.h"
#include "tests/unit/derive_trace.h"
#include "tui/text/labels.h"

/* Thread 1: a of 6 ms around b of 2 ms, then c of 3 ms; thread 2: c of 4 ms. */
static struct derived *host_only(void)
{
	struct build b = build_new("chrome");
	op(&b, 1, "a", 0, 6000);
	op(&b, 1, "b", 1000, 2000);
	op(&b, 1, "c", 7000, 3000);
	op(&b, 2, "c", 0, 4000);
	return derive(&b);
}

static int64_t number(const struct table *t, uint32_t row, const char *column)
{
	return table_cell(t, row, (uint32_t)table_column(t, column))->i;
}

static void threads_are_ranked_by_the_time_they_are_busy(void **state)
{
	(void)state;
	struct derived *d = host_only();
	struct arena mem = {0};
	struct top_req all = {.d = d, .a_ns = 0, .b_ns = MS(10), .label = track_label},
		       part = {.d = d, .a_ns = MS(3), .b_ns = MS(8), .label = track_label};
	const struct table *t = top_threads(&all, &mem);
	assert_int_equal(t->n_rows, 2);
	assert_int_equal(number(t, 0, "busy_ns"), MS(9)); /* b lies inside a */
	assert_int_equal(number(t, 0, "events"), 3);
	assert_int_equal(number(t, 1, "busy_ns"), MS(4));
	t = top_threads(&part, &mem);
	assert_int_equal(number(t, 0, "busy_ns"), MS(4)); /* [3,6) and [7,8) */
	assert_int_equal(number(t, 1, "busy_ns"), MS(1));
	arena_free(&mem);
	derived_free(d);
}

static void the_longest_events_come_first(void **state)
{
	(void)state;
	struct derived *d = host_only();
	struct arena mem = {0};
	const struct table *t =
		top_events(&(struct top_req){.d = d, .a_ns = 0, .b_ns = MS(10), .label = track_label}, &mem);
	assert_int_equal(t->n_rows, 4);
	assert_int_equal(number(t, 0, "dur_ns"), MS(6));
	assert_int_equal(number(t, 1, "dur_ns"), MS(4));
	assert_int_equal(number(t, 3, "dur_ns"), MS(2));
	arena_free(&mem);
	derived_free(d);
}

static void a_chrome_trace_of_anything_gets_no_advice_about_devices(void **state)
{
	(void)state;
	struct derived *d = host_only();
	assert_false(top_has_kernels(d));
	assert_false(top_from_framework(d));
	derived_free(d);
}

/* The format's name says nothing: what its importer promises does. */
static void a_profiler_is_known_by_what_its_importer_promises(void **state)
{
	(void)state;
	for (int promised = 0; promised < 2; promised++) {
		struct build b = build_new("a format of tomorrow");
		if (promised)
			ingest_promise(b.in, SOURCE_PROFILER | SOURCE_OP_PATHS, "a profiler of tomorrow");
		op(&b, 1, "work", 0, 1000);
		struct derived *d = derive(&b);
		assert_int_equal(top_from_framework(d), promised);
		assert_int_equal(ops_are_torch(d), !promised);
		derived_free(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_ranked_by_the_time_they_are_busy),
		cmocka_unit_test(the_longest_events_come_first),
		cmocka_unit_test(a_chrome_trace_of_anything_gets_no_advice_about_devices),
		cmocka_unit_test(a_profiler_is_known_by_what_its_importer_promises),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
