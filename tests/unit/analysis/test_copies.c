/* Copies, what they block and which of them a step needs; phases and runs to fuse: one small situation each. */
#include "tests/unit/ask.h"
#include "tests/unit/unit.h"

static struct derived *d;

static int done(void **state)
{
	(void)state;
	ask_done(d);
	d = NULL;
	return 0;
}

/* A copy of 100 us from 100 on; a kernel runs up to 140 and another one from 200 on, launched at `launched_us`. */
static struct table *copy_before(double launched_us)
{
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	launch(&b, 1, 10, 5, 2);
	launch(&b, 1, launched_us, 5, 3);
	kernel(&b, 0, 7, "first", 90, 50, 1);
	copy(&b, 0, 8, COPY_H2D, 4096, 100, 100, 2);
	kernel(&b, 0, 7, "second", 200, 10, 3);
	d = derive(&b);
	return ask(d, "copies");
}

static void test_a_copy_blocks_the_kernel_that_waits_for_it(void **state)
{
	(void)state;
	struct table *t = copy_before(20);
	assert_int_equal(int_of(t, 0, "exposed_ns"), 60000);
	assert_int_equal(int_of(t, 0, "blocking_ns"), 60000);
}

static void test_a_copy_blocks_no_kernel_that_is_not_launched(void **state)
{
	(void)state;
	struct table *t = copy_before(180);
	assert_int_equal(int_of(t, 0, "exposed_ns"), 60000);
	assert_int_equal(int_of(t, 0, "blocking_ns"), 20000);
}

static void test_without_launches_nobody_knows_what_was_blocked(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	copy(&b, 0, 8, COPY_D2H, 4096, 100, 100, 0);
	kernel(&b, 0, 7, "k", 200, 10, 0);
	d = derive(&b);
	struct table *t = ask(d, "copies");
	assert_int_equal(int_of(t, 0, "exposed_ns"), 100000);
	assert_string_equal(shown(t, 0, "blocking_ns"), "-");
}

/* The thread asks for the value and waits: the next kernel could not be launched earlier. */
static void test_a_thread_that_waits_for_the_copy_launches_nothing(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	host_event(&b, KIND_RUNTIME, 1, "cudaStreamSynchronize", 5, 60);
	launch(&b, 1, 80, 5, 2);
	copy(&b, 0, 7, COPY_D2H, 4, 20, 40, 1);
	kernel(&b, 0, 7, "k", 90, 10, 2);
	d = derive(&b);
	assert_int_equal(int_of(ask(d, "copies"), 0, "blocking_ns"), 40000);
}

static void test_two_copies_share_no_moment(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (uint64_t i = 1; i <= 3; i++)
		launch(&b, 1, (double)i, 1, i);
	copy(&b, 0, 8, COPY_H2D, 1 << 20, 100, 100, 1);
	copy(&b, 0, 9, COPY_D2H, 4096, 150, 100, 2);
	kernel(&b, 0, 7, "k", 300, 10, 3);
	d = derive(&b);
	struct table *t = ask(d, "copies");
	assert_int_equal(sum_of(t, "total_ns"), 200000);
	assert_int_equal(sum_of(t, "exposed_ns"), 150000);
	assert_int_equal(sum_of(t, "blocking_ns"), 150000);
}

/* Steps of 1000 us: what comes in before the kernels and goes out after them is needed; what goes out between is not. */
static void test_input_and_output_are_expected(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < 4; i++) {
		double at = i * 1000;
		uint64_t corr = (uint64_t)i * 10;
		profiler_step(&b, 1, i + 1, at, 1000);
		for (uint64_t k = 1; k <= 5; k++)
			launch(&b, 1, at + (double)k * 10, 5, corr + k);
		copy(&b, 0, 8, COPY_H2D, 1 << 20, at + 100, 50, corr + 1);
		kernel(&b, 0, 7, "forward", at + 200, 100, corr + 2);
		copy(&b, 0, 9, COPY_D2H, 4, at + 320, 10, corr + 3);
		kernel(&b, 0, 7, "backward", at + 400, 100, corr + 4);
		copy(&b, 0, 9, COPY_D2H, 4096, at + 600, 10, corr + 5);
	}
	d = derive(&b);
	struct table *t = ask(d, "copies");
	assert_int_equal(t->n_rows, 3);
	for (uint32_t row = 0; row < 3; row++) {
		bool scalar = int_of(t, row, "copy_bytes") == 16;
		assert_string_equal(shown(t, row, "expected"), scalar ? "no" : "yes");
		assert_int_equal(int_of(t, row, "places"), 1);
		assert_int_equal(int_of(t, row, "in_steps"), 4);
	}
}

/* The next batch is fetched after a step's kernels, two tensors at once; what comes in between is not part of it. */
static void test_input_fetched_ahead_is_one_burst(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < 3; i++) {
		double at = i * 1000;
		uint64_t corr = (uint64_t)i * 10;
		profiler_step(&b, 1, i + 1, at, 1000);
		for (uint64_t k = 1; k <= 5; k++)
			launch(&b, 1, at + (double)k * 10, 5, corr + k);
		kernel(&b, 0, 7, "first", at + 100, 100, corr + 1);
		copy(&b, 0, 8, COPY_H2D, 1 << 20, at + 110, 50, corr + 2); /* images */
		copy(&b, 0, 8, COPY_H2D, 1 << 10, at + 170, 50, corr + 3); /* labels, while kernels run */
		kernel(&b, 0, 7, "second", at + 300, 100, corr + 4);
		copy(&b, 0, 8, COPY_H2D, 16, at + 420, 5, corr + 5);
	}
	d = derive(&b);
	struct table *t = ask(d, "copies");
	assert_int_equal(t->n_rows, 3);
	for (uint32_t row = 0; row < 3; row++)
		assert_string_equal(shown(t, row, "expected"), int_of(t, row, "copy_bytes") == 48 ? "no" : "yes");
}

/* What is copied to the host and back at once comes from the op that asked for it. */
static void test_a_round_trip_is_in_excess(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 1000);
	op(&b, 1, "my::py_func", 10, 20);
	launch(&b, 1, 12, 5, 1);
	launch(&b, 1, 40, 5, 2);
	launch(&b, 1, 50, 5, 3);
	copy(&b, 0, 7, COPY_D2H, 4096, 100, 10, 1);
	copy(&b, 0, 7, COPY_H2D, 4096, 120, 20, 2);
	kernel(&b, 0, 7, "k", 200, 100, 3);
	d = derive(&b);
	struct table *t = ask(d, "copies");
	assert_string_equal(text_of(t, 0, "direction"), "H2D");
	assert_string_equal(text_of(t, 0, "op"), "my::py_func");
	assert_string_equal(text_of(t, 0, "op_by"), "neighbour");
	assert_string_equal(shown(t, 0, "expected"), "no");
	assert_string_equal(text_of(t, 1, "op_by"), "correlation");
}

static void test_phases_follow_what_is_around_the_launch(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	host_event(&b, KIND_PYTHON, 1, "nn.Module: Net_0", 0, 100);
	op(&b, 1, "aten::nll_loss", 50, 20);
	op(&b, 2, "autograd::engine::evaluate_function: NllLossBackward0", 200, 50);
	host_event(&b, KIND_ANNOTATION, 1, "Optimizer.step#SGD.step", 300, 50);
	op(&b, 1, "aten::add_", 310, 10);
	launch(&b, 1, 10, 5, 1);
	launch(&b, 1, 60, 5, 2);
	launch(&b, 2, 210, 5, 3);
	launch(&b, 1, 312, 5, 4);
	launch(&b, 1, 400, 5, 5);
	for (uint64_t i = 1; i <= 5; i++)
		kernel(&b, 0, 7, "k", (double)i * 100, (double)i, i);
	d = derive(&b);
	struct table *t = ask(d, "phases");
	assert_string_equal(text_of(t, 0, "step"), "all");
	assert_int_equal(int_of(t, 0, "forward_ns"), 1000);
	assert_int_equal(int_of(t, 0, "loss_ns"), 2000);
	assert_int_equal(int_of(t, 0, "backward_ns"), 3000);
	assert_int_equal(int_of(t, 0, "optimizer_ns"), 4000);
	assert_int_equal(int_of(t, 0, "no_phase_ns"), 5000);
}

/* add add | gemm | add (pause) add: only the first two are a run. */
static void test_runs_end_at_other_kernels_and_at_pauses(void **state)
{
	static const char add[] = "void at::native::vectorized_elementwise_kernel<4, AddFunctor<float>>";
	(void)state;
	struct build b = build_new("kineto");
	kernel(&b, 0, 7, add, 0, 10, 0);
	kernel(&b, 0, 7, add, 12, 15, 0);
	kernel(&b, 0, 7, "ampere_sgemm_128x64_nn", 30, 10, 0);
	kernel(&b, 0, 7, add, 50, 10, 0);
	kernel(&b, 0, 7, add, 111, 10, 0);
	d = derive(&b);
	struct table *t = ask(d, "fusion");
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "run_kernels"), 2);
	assert_int_equal(int_of(t, 0, "in_ns"), 25000);
	assert_int_equal(int_of(t, 0, "between_ns"), 2000);
	assert_int_equal(int_of(t, 0, "saved_ns"), 12000);
	assert_int_equal(ask_window(d, "fusion", 5000, 200000)->n_rows, 0); /* the run began before */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_a_copy_blocks_the_kernel_that_waits_for_it, done),
		cmocka_unit_test_teardown(test_a_copy_blocks_no_kernel_that_is_not_launched, done),
		cmocka_unit_test_teardown(test_without_launches_nobody_knows_what_was_blocked, done),
		cmocka_unit_test_teardown(test_a_thread_that_waits_for_the_copy_launches_nothing, done),
		cmocka_unit_test_teardown(test_two_copies_share_no_moment, done),
		cmocka_unit_test_teardown(test_input_and_output_are_expected, done),
		cmocka_unit_test_teardown(test_input_fetched_ahead_is_one_burst, done),
		cmocka_unit_test_teardown(test_a_round_trip_is_in_excess, done),
		cmocka_unit_test_teardown(test_phases_follow_what_is_around_the_launch, done),
		cmocka_unit_test_teardown(test_runs_end_at_other_kernels_and_at_pauses, done),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
