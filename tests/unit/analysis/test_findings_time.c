/* Rules about the time of devices: each speaks where its evidence lies and keeps quiet where it does not. */
#include "model/analysis/gaps/idle_advice.h"
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"
#include <math.h>

static uint32_t said(const struct table *t, const char *rule, const char *words)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (!strcmp(text_of(t, row, "rule"), rule) && strstr(text_of(t, row, "sentence"), words))
			return row;
	return NONE_ID;
}

static const char *state_of(const struct table *t, const char *rule, const char *words)
{
	uint32_t row = said(t, rule, words);
	return row == NONE_ID ? "silent" : text_of(t, row, "severity");
}

/* The state of a rule's finding whose sentence holds the words; the trace ends with it. */
static void assert_state(struct build *b, const char *rule, const char *words, const char *state)
{
	struct derived *d = derive(b);
	const char *got = state_of(ask(d, "findings"), rule, words);
	if (strcmp(got, state) != 0)
		fail_msg("%s (%s): %s instead of %s", rule, words, got, state);
	ask_done(d);
}

static bool advises(struct build *b, const char *rule, const char *words, const char *advice)
{
	struct derived *d = derive(b);
	struct table *t = ask(d, "findings");
	uint32_t row = said(t, rule, words);
	bool found = row != NONE_ID && text_of(t, row, "advice") && strstr(text_of(t, row, "advice"), advice);
	ask_done(d);
	return found;
}

/* `n` kernels of 1 ms each by name in turn, back to back, launched ahead. */
static struct build busy_with(int n, const char *const *names, int n_names)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < n; i++) {
		launch(&b, 1, i * 5.0, 4, (uint64_t)i + 1);
		kernel(&b, 0, 7, names[i % n_names], 1000 + i * 1000.0, 1000, (uint64_t)i + 1);
	}
	return b;
}

static const char *const gemm[] = {"ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_64x3_nn"};
static const char *const norms[] = {
	"void at::native::batch_norm_backward_kernel<float, float, float, int>(int)", "volta_sgemm_128x64_nn",
	"void at::native::batch_norm_collect_statistics_kernel<float, float, float, int>(int)"};

static void kernels_that_move_bytes_are_named_where_they_count(void **state)
{
	(void)state;
	struct build b = busy_with(30, norms, 3);
	assert_state(&b, "memory-bound", "norm", "warn");
	b = busy_with(30, gemm, 1);
	assert_state(&b, "memory-bound", "", "silent");
	b = build_new("kineto"); /* small ones with the host between: launches are what counts */
	for (int i = 0; i < 30; i++) {
		launch(&b, 1, i * 100.0, 4, (uint64_t)i + 1);
		kernel(&b, 0, 7, norms[0], i * 100.0 + 10, 10, (uint64_t)i + 1);
	}
	assert_state(&b, "memory-bound", "", "silent");
}

static void what_dominates_them_is_named(void **state)
{
	(void)state;
	static const char *const lookups[] = {
		"void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<int>(long)>(long)",
		"void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<int>(long)>(long)",
		"volta_sgemm_128x64_nn"};
	struct build b = busy_with(30, lookups, 3);
	assert_state(&b, "memory-bound", "indexing 66.7 %; most in index_elementwise_kernel.", "warn");
	b = busy_with(30, lookups, 3);
	assert_true(advises(&b, "memory-bound", "indexing", "Look up whole rows"));
	static const char *const layouts[] = {"void cudnn::ops::nchwToNhwcKernel<float>(int)", "volta_sgemm_128x64_nn"};
	b = busy_with(30, layouts, 2); /* as the rule about copies by kernels says it */
	assert_true(advises(&b, "memory-bound", "copy/cast 50.0 %", "Keep one layout from the input onwards"));
	b = busy_with(30, norms, 3); /* two kernels of one family, none of which is more than half */
	assert_state(&b, "memory-bound", "norm 66.7 %.", "warn");
}

static void a_device_busy_with_products_is_left_alone(void **state)
{
	(void)state;
	struct build b = busy_with(30, gemm, 1);
	assert_state(&b, "compute-bound", "compute-bound", "pass");
	b = busy_with(30, norms, 3);
	assert_state(&b, "compute-bound", "", "silent");
	b = scene_gap(); /* products, and something to warn of */
	assert_state(&b, "compute-bound", "", "silent");
}

static void few_steps_are_said(void **state)
{
	(void)state;
	for (int n = 1; n <= 4; n++) {
		struct build b = build_new("kineto");
		for (int i = 0; i < n; i++) {
			profiler_step(&b, 1, i + 1, i * 1000.0, 1000);
			launch(&b, 1, i * 1000.0, 5, (uint64_t)i + 1);
			kernel(&b, 0, 7, gemm[0], i * 1000.0 + 10, 980, (uint64_t)i + 1);
		}
		assert_state(&b, "few-steps", "", n < 4 ? "info" : "silent");
	}
}

/* Two kernels of 1 ms, the host's event fills 8 of the 10 ms between; the second is launched at 10.9. */
static struct build apart(enum event_kind kind, const char *name)
{
	struct build b = build_new("kineto");
	op(&b, 1, "aten::mm", 0, 3);
	launch(&b, 1, 0, 2, 1);
	kernel(&b, 0, 7, gemm[0], 10, 990, 1);
	host_event(&b, kind, 1, name, 2000, 8000);
	launch(&b, 1, 10900, 10, 2);
	kernel(&b, 0, 7, gemm[0], 11000, 1000, 2);
	return b;
}

static void each_cause_is_a_finding(void **state)
{
	(void)state;
	struct build b = apart(KIND_RUNTIME, "hipFree");
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	uint32_t row = said(t, "idle", "Allocator:");
	assert_int_not_equal(row, NONE_ID);
	assert_int_equal(row, 0); /* the worst */
	assert_string_equal(text_of(t, row, "severity"), "fail");
	assert_int_equal(int_of(t, row, "claimed_idle_ns"), US(8000));
	assert_int_equal(int_of(t, row, "lost_ns"), US(8000));
	assert_true(strstr(text_of(t, row, "sentence"), "hipFree") != NULL);
	assert_true(strstr(text_of(t, row, "advice"), "caching allocator") != NULL);
	assert_int_not_equal(said(t, "device-busy", "lost to the allocator"), NONE_ID);
	ask_done(d);
	b = apart(KIND_RUNTIME, "hipMemcpyWithStream"); /* waiting, no launch */
	assert_state(&b, "idle", "Synchronisation:", "fail");
	b = apart(KIND_RUNTIME, "hipMemcpyWithStream");
	assert_state(&b, "kernel-launch", "high", "silent");
	b = apart(KIND_PYTHON, "train.py(1): step");
	assert_state(&b, "idle", "Host compute:", "fail");
}

static void advice_needs_evidence(void **state)
{
	(void)state;
	struct build b = apart(KIND_OP, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
	assert_true(advises(&b, "idle", "Input wait:", "num_workers"));
	b = apart(KIND_ANNOTATION, "load_batch"); /* no loader is in the trace */
	assert_false(advises(&b, "idle", "Input wait:", "num_workers"));
	b = apart(KIND_ANNOTATION, "load_batch");
	assert_true(advises(&b, "idle", "Input wait:", "ahead of time"));
}

/* Frames of torch.compile have a word of a server's label in them: its program gets no advice for servers. */
static void only_a_servers_label_tells_a_server(void **state)
{
	(void)state;
	static const char *const texts[] = {"torch/_dynamo/mutation_guard.py(135): install_generation_tagging_init",
					    "execute_context_1(888)_generation_31(31)"};
	for (int serves = 0; serves <= 1; serves++) {
		struct build b = build_new("kineto");
		host_event(&b, KIND_PYTHON, 1, texts[serves], 0, 3);
		struct derived *d = derive(&b);
		assert_int_equal(strstr(idle_advice(d, CAUSE_PYTHON, NONE_ID), "vLLM") != NULL, serves);
		ask_done(d);
	}
}

static void private_threads_are_not_advised_twice(void **state)
{
	(void)state;
	for (int own = 0; own <= 1; own++) {
		struct build b = build_new("xspace");
		op(&b, 1, "ExecutorState::Process", 0, 3);
		if (own)
			host_event(&b, KIND_OTHER, 2, "tf_gpu_private_4", 0, 1);
		struct derived *d = derive(&b);
		const char *advice = idle_advice(d, CAUSE_CONTENTION, NONE_ID);
		assert_int_equal(strstr(advice, "gpu_private") != NULL, !own);
		ask_done(d);
	}
}

static void copies_of_a_checkpoint_are_told_as_saving(void **state)
{
	(void)state;
	static const char *const frames[] = {"torch/serialization.py(943): save", "train.py(31): collect_outputs"};
	for (int saves = 0; saves < 2; saves++) {
		struct build b = build_new("kineto");
		for (int i = 0; i < 6; i++) {
			double at = i * 10000.0;
			profiler_step(&b, 1, i, at, 9990);
			launch(&b, 1, at + 10, 5, 3 * i + 1);
			kernel(&b, 0, 7, gemm[0], at + 20, 4000, 3 * i + 1);
			host_event(&b, KIND_PYTHON, 1, frames[!saves], at + 4100, 5000);
			op(&b, 1, "aten::copy_", at + 4200, 4700);
			launch(&b, 1, at + 4210, 5, 3 * i + 2);
			copy(&b, 0, 7, COPY_D2H, 64 << 20, at + 4300, 4500, 3 * i + 2);
		}
		struct derived *d = derive(&b);
		struct table *t = ask(d, "findings");
		uint32_t row = row_that_says(t, "rule", "output");
		assert_int_equal(strstr(text_of(t, row, "sentence"), "made while a checkpoint is saved") != NULL,
				 saves);
		assert_int_equal(strstr(text_of(t, row, "advice"), "Save checkpoints less often") != NULL, saves);
		ask_done(d);
	}
}

static void who_records_from_outside_has_other_options(void **state)
{
	(void)state;
	static const struct {
		const char *format, *profiler, *unknown;
	} cases[] = {{"nsys", "--sample=none", "--python-sampling=true"},
		     {"kineto", "without stacks", "with_stack=True"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build b = build_new(cases[i].format);
		op(&b, 1, "aten::mm", 0, 10);
		kernel(&b, 0, 7, "a", 20, 10, 0);
		struct derived *d = derive(&b);
		const char *profiler = idle_advice(d, CAUSE_PROFILER, NONE_ID);
		assert_non_null(strstr(profiler, "look at the next longest gap"));
		assert_non_null(strstr(profiler, cases[i].profiler));
		assert_non_null(strstr(idle_advice(d, CAUSE_UNKNOWN, NONE_ID), cases[i].unknown));
		derived_free(d);
	}
}

/* What a framework has of its own is not told to another one's users. */
static void advice_is_for_the_framework(void **state)
{
	(void)state;
	static const struct {
		const char *format, *sign, *own;
	} cases[] = {{"kineto", "aten::mm", "torch"},
		     {"xspace", "ExecutorState::Process", "TF_"},
		     {"xspace", "PjitFunction(f)", "jax"}};
	for (int i = 0; i < 3; i++) {
		struct build b = build_new(cases[i].format);
		op(&b, 1, cases[i].sign, 0, 3);
		struct derived *d = derive(&b);
		bool any = false;
		for (int cause = 0; cause < CAUSE_COUNT; cause++)
			for (int other = 0; other < 3; other++) {
				bool names =
					strstr(idle_advice(d, (enum cause)cause, NONE_ID), cases[other].own) != NULL;
				any |= names && other == i;
				assert_false(names && other != i);
			}
		assert_true(any);
		ask_done(d);
	}
}

/* One step of 1 ms, in which the device works from `from` us on without a pause. */
static struct build works_late(double from)
{
	struct build b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 1000);
	op(&b, 1, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, from - 2);
	launch(&b, 1, from - 1, 1, 1);
	launch(&b, 1, from + 10, 1, 2);
	kernel(&b, 0, 7, gemm[0], from, 100, 1);
	kernel(&b, 0, 7, gemm[0], from + 100, 1000 - from - 100, 2);
	return b;
}

static void what_a_step_waits_before_its_first_work_is_idle_time(void **state)
{
	(void)state;
	struct build b = works_late(600); /* always busy from its first work to its last */
	assert_state(&b, "device-busy", "is busy 40.0 % of the time of its steps (100.0 % from its first work", "warn");
	b = works_late(600);
	assert_state(&b, "device-busy", "599.000 us, most of it lost to input wait", "warn");
	b = works_late(100);
	assert_state(&b, "device-busy", "is busy 90.1 % of the time of its steps", "pass");
	b = works_late(6);
	assert_state(&b, "device-busy", "of its span", "pass");
	/* one kernel in a step of 400 ms, most of which nothing explains: 35 % of a thousandth says nothing */
	b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 400000);
	op(&b, 1, "aten::mm", 360000, 360040);
	launch(&b, 1, 360010, 10, 1);
	kernel(&b, 0, 7, gemm[0], 380000, 45, 1);
	assert_state(&b, "device-busy", "Cannot tell how busy a GPU is", "unknown");
}

static void first_calls_alone_are_no_steady_state(void **state)
{
	(void)state;
	struct build b = apart(KIND_RUNTIME, "cudaLaunchKernel"); /* 8 of 12 ms load code */
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_string_equal(state_of(t, "warm-up", "Warm-up only: 8.0"), "warn");
	assert_true(strstr(text_of(t, said(t, "warm-up", ""), "advice"), "schedule") != NULL);
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (strcmp(text_of(t, row, "rule"), "warm-up") != 0)
			assert_true(strcmp(text_of(t, row, "severity"), "warn") != 0 &&
				    strcmp(text_of(t, row, "severity"), "fail") != 0);
	ask_done(d);
	b = apart(KIND_RUNTIME, "hipFree");
	assert_state(&b, "warm-up", "", "silent");
}

/* Warm-up of 50 ms, then steps of 10: means are over those. */
static void warm_up_carries_no_means(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < 6; i++) {
		double at = i ? 40000 + i * 10000.0 : 0, length = i ? 10000 : 50000;
		profiler_step(&b, 1, i + 1, at, length);
		launch(&b, 1, at, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, gemm[0], at + 10, 9000, (uint64_t)i + 1);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "overview");
	assert_true(fabs(value_of(t, "step_mean_ns")->r - (double)US(10000)) < 1);
	assert_int_equal(value_of(t, "steps")->i, 5);
	t = ask(d, "steps");
	assert_false(cell_of(t, 0, "counted")->b);
	assert_true(cell_of(t, 1, "counted")->b);
	ask_done(d);
}

static void fusion_promises_no_pauses_and_merges_no_equal_outputs(void **state)
{
	(void)state;
	static const char *const add[] = {
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::MulFunctor<float> >(int)"};
	for (int names = 1; names <= 2; names++) {
		struct build b = build_new("kineto");
		for (int i = 0; i < 20; i++) {
			launch(&b, 1, i, 1, (uint64_t)i + 1);
			kernel(&b, 0, 7, add[i % names], 100 + i * 120.0, 100, (uint64_t)i + 1);
		}
		struct derived *d = derive(&b);
		struct table *t = ask(d, "findings");
		uint32_t row = said(t, "fusion", "would save at most");
		assert_int_not_equal(row, NONE_ID);
		assert_int_equal(int_of(t, row, "lost_ns"), names == 1 ? 0 : US(1000));
		ask_done(d);
	}
}

/* ---- hosts ------------------------------------------------------------------------------------------------------------- */

/* Ten steps of the host of 2 ms: an op of 1.7 ms, and `rest` us of a frame. */
static struct derived *of_hosts(const char *frame, double rest)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < 10; i++) {
		double at = i * (1750 + rest);
		profiler_step(&b, 1, i, at, 1750 + rest);
		op(&b, 1, "aten::addmm", at + 10, 1400);
		op(&b, 1, "aten::mul", at + 1420, 300);
		if (frame)
			host_event(&b, KIND_PYTHON, 1, frame, at + 1740, rest);
	}
	return derive(&b);
}

static void steps_of_the_host_are_about_its_ops(void **state)
{
	(void)state;
	struct derived *d = of_hosts(NULL, 150);
	struct table *t = ask(d, "findings");
	assert_string_equal(
		text_of(t, row_that_says(t, "rule", "device-busy"), "sentence"),
		"On the host 82.4 % of the time of ops (14.000 ms) goes to aten::addmm, 17.6 % to aten::mul; no "
		"device work is recorded, so how busy a GPU is cannot be told.");
	assert_string_equal(text_of(t, row_that_says(t, "rule", "other"), "severity"), "info");
	ask_done(d);
}

static void a_frame_that_is_known_has_its_advice(void **state)
{
	(void)state;
	struct derived *d = of_hosts("<built-in function collect>", 3000);
	struct table *t = ask(d, "findings");
	uint32_t row = row_that_says(t, "rule", "other");
	assert_string_equal(text_of(t, row, "severity"), "unknown");
	assert_non_null(strstr(text_of(t, row, "advice"), "Collect garbage outside of the loop"));
	ask_done(d);
}

/* Ten steps of a compiled program on the host: a fused loop of 4 ms on a thread of its own, and a callback into Python that sleeps. */
static struct derived *with_callbacks(double callback_us)
{
	struct build b = build_new("xspace");
	for (int i = 0; i < 10; i++) {
		double at = i * 12000.0;
		tf_step(&b, 1, "train", i, at, 11900);
		host_event(&b, KIND_ANNOTATION, 1, "PjitFunction(step)", at + 10, 11800);
		host_event(&b, KIND_ANNOTATION, 2, "loop_fusion.2", at + 20, 4000);
		host_event(&b, KIND_ANNOTATION, 2, "wait for completion", at + 4100, 7000);
		if (callback_us > 0) {
			host_event(&b, KIND_ANNOTATION, 1, "pure_callback.1", at + 4100, callback_us);
			host_event(&b, KIND_PYTHON, 1, "$time sleep", at + 4200, callback_us - 150);
		}
	}
	return derive(&b);
}

static void callbacks_of_the_host_are_told(void **state)
{
	(void)state;
	struct derived *d = with_callbacks(5950);
	struct table *t = ask(d, "findings");
	uint32_t row = row_that_says(t, "rule", "host-work");
	assert_string_equal(text_of(t, row, "severity"), "fail");
	assert_string_equal(text_of(t, row, "sentence"),
			    "50.0 % of the step time goes to pure_callback.1, 5.950 ms per "
			    "step: host work outside the graph.");
	assert_non_null(strstr(text_of(t, row, "advice"), "runs one of its callbacks"));
	assert_int_equal(int_of(t, row, "lost_ns"), MS(59.5));
	ask_done(d);
	d = with_callbacks(0);
	assert_string_equal(state_of(ask(d, "findings"), "host-work", ""), "silent");
	ask_done(d);
}

/* Neither a device nor an op is recorded: the threads' own events tell, but for those that wait. */
static void events_tell_where_no_op_is_recorded(void **state)
{
	(void)state;
	struct derived *d = with_callbacks(0);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(text_of(t, row_that_says(t, "rule", "device-busy"), "sentence"),
			       "of the time of events on threads (118.000 ms) goes to PjitFunction(step), 25.3 % to "
			       "loop_fusion.2; no device work is recorded"));
	ask_done(d);
}

/* ---- two devices of one thread ----------------------------------------------------------------------------------------- */

/* One thread launches for two devices; before the second it does `name` for 3 ms. */
static struct derived *one_thread_for_two(const char *name)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < 8; i++) {
		double at = i * 10000.0;
		uint64_t corr = 2 * (uint64_t)i + 1;
		profiler_step(&b, 1, i, at, 9900);
		launch(&b, 1, at + 10, 5, corr);
		kernel(&b, 0, 7, "a", at + 20, 6000, corr);
		op(&b, 1, name, at + 20, 3000);
		launch(&b, 1, at + 3030, 5, corr + 1);
		kernel(&b, 1, 7, "a", at + 3040, 6000, corr + 1);
	}
	return derive(&b);
}

static void who_waits_for_input_needs_no_other_process(void **state)
{
	(void)state;
	struct derived *d = one_thread_for_two("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
	struct table *t = ask(d, "findings");
	uint32_t row = row_that_says(t, "rule", "launch-order");
	assert_non_null(strstr(text_of(t, row, "sentence"), ", most of it lost to input wait where it waits longest"));
	assert_non_null(strstr(text_of(t, row, "advice"), "num_workers > 0"));
	ask_done(d);
	d = one_thread_for_two("model.cpu_part");
	t = ask(d, "findings");
	assert_non_null(
		strstr(text_of(t, row_that_says(t, "rule", "launch-order"), "advice"), "a process for each GPU"));
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_that_move_bytes_are_named_where_they_count),
		cmocka_unit_test(what_dominates_them_is_named),
		cmocka_unit_test(copies_of_a_checkpoint_are_told_as_saving),
		cmocka_unit_test(who_records_from_outside_has_other_options),
		cmocka_unit_test(a_device_busy_with_products_is_left_alone),
		cmocka_unit_test(few_steps_are_said),
		cmocka_unit_test(each_cause_is_a_finding),
		cmocka_unit_test(advice_needs_evidence),
		cmocka_unit_test(only_a_servers_label_tells_a_server),
		cmocka_unit_test(private_threads_are_not_advised_twice),
		cmocka_unit_test(advice_is_for_the_framework),
		cmocka_unit_test(what_a_step_waits_before_its_first_work_is_idle_time),
		cmocka_unit_test(first_calls_alone_are_no_steady_state),
		cmocka_unit_test(warm_up_carries_no_means),
		cmocka_unit_test(fusion_promises_no_pauses_and_merges_no_equal_outputs),
		cmocka_unit_test(steps_of_the_host_are_about_its_ops),
		cmocka_unit_test(a_frame_that_is_known_has_its_advice),
		cmocka_unit_test(callbacks_of_the_host_are_told),
		cmocka_unit_test(events_tell_where_no_op_is_recorded),
		cmocka_unit_test(who_waits_for_input_needs_no_other_process),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
