/* Utilization, share of multiprocessors and occupancy of a device, on kernels whose values are worked out by hand. */
#include "tests/unit/ask.h"

struct shape {
	double blocks_per_sm, occupancy_pct; /* NaN = not recorded */
	uint32_t grid, threads;
};

static void shaped(struct build *b, int64_t stream, double start_us, double dur_us, struct shape s)
{
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, 0, stream), "k", start_us, dur_us);
	struct kernel_info k;
	kernel_info_init(&k);
	k.blocks_per_sm = (float)s.blocks_per_sm;
	k.occupancy_pct = (float)s.occupancy_pct;
	if (s.grid)
		k.grid[0] = s.grid, k.grid[1] = k.grid[2] = 1;
	if (s.threads)
		k.block[0] = s.threads, k.block[1] = k.block[2] = 1;
	e.detail = ingest_kernel(b->in, &k);
	build_add(b, &e);
}

static double real_of(const struct table *t, const char *column)
{
	assert_false(cell_of(t, 0, column)->null);
	return cell_of(t, 0, column)->r;
}

static const struct derived_opts kineto = {.semantics = SEM_KINETO};

/* 10 us half a wave, 10 us nothing, 20 us full. */
static void idle_counts_nothing(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	shaped(&b, 7, 0, 10, (struct shape){0.5, 20, 0, 256});
	shaped(&b, 7, 20, 20, (struct shape){3, 80, 0, 256});
	struct derived *d = derive(&b);
	struct table *t = ask(d, "gpu_metrics");
	assert_float_equal(real_of(t, "utilization_pct"), 75, 1e-9);
	assert_float_equal(real_of(t, "sm_efficiency_pct"), 100 * (0.5 * 10 + 20) / 40, 1e-6);
	assert_float_equal(real_of(t, "mean_occupancy_pct"), (20.0 * 10 + 80 * 20) / 30, 1e-6);
	assert_int_equal(int_of(t, 0, "range_ns"), US(40));
	assert_int_equal(int_of(t, 0, "range_kernels"), 2);
	ask_done(d);
}

/* 0.6 for 10 us, 0.6 + 0.6 = 1 for 10 us, 0.6 for 10 us. */
static void kernels_side_by_side_add_up_to_one(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	shaped(&b, 7, 0, 20, (struct shape){0.6, 50, 0, 256});
	shaped(&b, 8, 10, 20, (struct shape){0.6, 50, 0, 256});
	struct derived *d = derive(&b);
	struct table *t = ask(d, "gpu_metrics");
	assert_float_equal(real_of(t, "utilization_pct"), 100, 1e-9);
	assert_float_equal(real_of(t, "sm_efficiency_pct"), 100 * (0.6 + 1 + 0.6) / 3, 1e-4);
	assert_int_equal(int_of(t, 0, "kernel_busy_ns"), US(30));
	ask_done(d);
}

static void a_window_cuts_kernels(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	shaped(&b, 7, 0, 10, (struct shape){0.5, 20, 0, 256});
	shaped(&b, 7, 20, 20, (struct shape){3, 80, 0, 256});
	struct derived *d = derive(&b);
	struct table *t = ask_window(d, "gpu_metrics", US(5), US(25));
	assert_int_equal(int_of(t, 0, "range_ns"), US(20));
	assert_int_equal(int_of(t, 0, "kernel_busy_ns"), US(10));
	assert_float_equal(real_of(t, "sm_efficiency_pct"), 100 * (0.5 * 5 + 5) / 20, 1e-6);
	ask_done(d);
}

static void blocks_come_from_the_grid_when_the_device_is_known(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	shaped(&b, 7, 0, 10, (struct shape){NAN, NAN, 20, 256});
	ingest_device_info(b.in, 0)->sms = 80;
	struct derived *d = derive(&b);
	struct table *t = ask(d, "gpu_metrics");
	assert_float_equal(real_of(t, "sm_efficiency_pct"), 25, 1e-6);
	assert_true(cell_of(t, 0, "mean_occupancy_pct")->null);
	ask_done(d);
}

static void too_few_told_is_not_known(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	shaped(&b, 7, 0, 10, (struct shape){1, 50, 0, 256});
	shaped(&b, 7, 10, 10, (struct shape){NAN, NAN, 0, 0});
	struct derived *d = derive(&b);
	struct table *t = ask(d, "gpu_metrics");
	assert_true(cell_of(t, 0, "sm_efficiency_pct")->null);
	assert_float_equal(real_of(t, "utilization_pct"), 100, 1e-9);
	ask_done(d);
}

/* 3 blocks per SM of 256 threads cannot be 0 %; one block of 128 on a hundred SMs can. */
static void no_occupancy_is_unknown_unless_the_grid_is_tiny(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	shaped(&b, 7, 0, 10, (struct shape){3, 0, 0, 256});
	shaped(&b, 7, 10, 10, (struct shape){0.01, 0, 0, 128});
	shaped(&b, 7, 20, 10, (struct shape){1, 60, 0, 256});
	struct derived *d = derive(&b);
	struct table *t = ask(d, "gpu_metrics");
	assert_int_equal(int_of(t, 0, "occupancy_known"), 2);
	assert_float_equal(real_of(t, "mean_occupancy_pct"), 30, 1e-6);
	ask_done(d);
}

static void the_plugin_looks_from_the_first_step_to_the_last(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 50);
	profiler_step(&b, 1, 2, 50, 50);
	launch(&b, 1, 10, 2, 1);
	launch(&b, 1, 60, 2, 2);
	kernel(&b, 0, 7, "k", 20, 25, 1);
	kernel(&b, 0, 7, "k", 75, 25, 2);
	kernel(&b, 0, 7, "k", 120, 25, 0); /* outside */
	struct derived *d = derive_as(&b, &kineto);
	struct table *t = ask(d, "gpu_metrics");
	assert_int_equal(int_of(t, 0, "range_ns"), US(100));
	assert_float_equal(real_of(t, "utilization_pct"), 50, 1e-9);
	assert_int_equal(int_of(t, 0, "range_kernels"), 2);
	ask_done(d);
}

static void a_device_without_work_has_no_numbers(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "aten::add", 0, 10);
	build_stream(&b, 0, 7);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "gpu_metrics");
	assert_int_equal(t->n_rows, 1);
	assert_true(cell_of(t, 0, "utilization_pct")->null);
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle_counts_nothing),
		cmocka_unit_test(kernels_side_by_side_add_up_to_one),
		cmocka_unit_test(a_window_cuts_kernels),
		cmocka_unit_test(blocks_come_from_the_grid_when_the_device_is_known),
		cmocka_unit_test(too_few_told_is_not_known),
		cmocka_unit_test(no_occupancy_is_unknown_unless_the_grid_is_tiny),
		cmocka_unit_test(the_plugin_looks_from_the_first_step_to_the_last),
		cmocka_unit_test(a_device_without_work_has_no_numbers),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
