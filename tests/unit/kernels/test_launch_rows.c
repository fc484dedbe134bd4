/* Rows of launches: looked up at once or with the event, they are the same ones. */
#include "model/store/ingest/ingest.h"
#include "model/store/trace/trace.h"
#include "tests/unit/unit.h"

enum { LAUNCHES = 20000, SHAPES = 700, OFTEN = 3 };
static const int64_t too_late_ns = INT64_MAX / 2 + 2;

/* Most shapes come now and then; some come again at once, some after a few others. */
static struct kernel_info launch(uint32_t i)
{
	struct kernel_info k;
	kernel_info_init(&k);
	k.grid[0] = i % 5 < 2 ? i % OFTEN : i * 2654435761u % SHAPES;
	k.block[0] = i / 4000;
	return k;
}

static bool every_launch(uint32_t i)
{
	(void)i;
	return true;
}

static bool no_launch(uint32_t i)
{
	(void)i;
	return false;
}

static bool some_launches(uint32_t i)
{
	return i % 7 > 2;
}

static bool absurd(uint32_t i)
{
	return i % 11 == 5;
}

/* A kernel per nanosecond on one stream, those at absurd times left out; with_event: whose shape travels with the event. */
static struct trace *launched(bool (*with_event)(uint32_t i))
{
	struct ingest *in = ingest_new();
	struct err e = {0};
	ingest_source(in, "made.trace", "made");
	uint32_t stream = ingest_track(in, TRACK_STREAM, ingest_device(in, ingest_host(in, "h", -1), 0), 7, 0);
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		struct kernel_info k = launch(i);
		struct event_in event = {.start_ns = i, .dur_ns = 1, .track = stream, .kind = KIND_KERNEL, .group = -1};
		event.start_ns = absurd(i) ? too_late_ns : i;
		if (with_event(i))
			event.kernel = &k;
		else
			event.detail = ingest_kernel(in, &k);
		ingest_notes(in)->entries++;
		ingest_event(in, &event);
		kernel_info_init(&k);
	}
	struct trace *t = ingest_seal(in, &e);
	assert_non_null(t);
	return t;
}

static void each_event_has_the_shape_it_was_launched_with(void **state)
{
	(void)state;
	struct trace *t = launched(every_launch);
	row_id r = 0;
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		if (absurd(i))
			continue;
		struct kernel_info k = launch(i);
		assert_int_equal(trace_kernel(t, r)->grid[0], k.grid[0]);
		assert_int_equal(trace_kernel(t, r)->block[0], k.block[0]);
		r++;
	}
	assert_int_equal(trace_columns(t)->n, r);
	trace_free(t);
}

static void assert_same_rows(bool (*with_event)(uint32_t i))
{
	struct trace *a = launched(no_launch), *b = launched(with_event);
	assert_int_equal(trace_columns(a)->n, trace_columns(b)->n);
	for (row_id r = 0; r < trace_columns(a)->n; r++)
		assert_int_equal(trace_kernel(a, r) - trace_kernel(a, 0), trace_kernel(b, r) - trace_kernel(b, 0));
	trace_free(a);
	trace_free(b);
}

static void rows_are_made_in_order_of_arrival_either_way(void **state)
{
	(void)state;
	assert_same_rows(every_launch);
	assert_same_rows(some_launches);
}

static void counting_the_rows_counts_what_came_before(void **state)
{
	(void)state;
	struct ingest *in = ingest_new();
	for (uint32_t i = 0; i < 3; i++) {
		struct kernel_info k;
		kernel_info_init(&k);
		k.grid[0] = i;
		ingest_event(in, &(struct event_in){.start_ns = i, .kind = KIND_KERNEL, .group = -1, .kernel = &k});
		assert_int_equal(ingest_kernels(in), i + 2);
		assert_int_equal(ingest_kernel_info(in, i + 1)->grid[0], i);
	}
	ingest_free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_has_the_shape_it_was_launched_with),
		cmocka_unit_test(rows_are_made_in_order_of_arrival_either_way),
		cmocka_unit_test(counting_the_rows_counts_what_came_before),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
