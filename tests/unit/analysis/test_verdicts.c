/* Why a device idles: each verdict given where its evidence lies, and withheld where it does not. */
#include "verdict_scenes.h"

static struct gap_verdict with_event(enum event_kind kind, const char *name, double from_ms, double to_ms)
{
	struct build b = scene_gap();
	host_event(&b, kind, 1, name, from_ms * MILLI, (to_ms - from_ms) * MILLI);
	return judge(&b);
}

/* ---- by name ----------------------------------------------------------------------------------------------------------- */

static const struct {
	enum event_kind kind;
	const char *name;
	enum cause cause;
} known[] = {
	{KIND_OP, "IteratorGetNext", CAUSE_INPUT},
	{KIND_ANNOTATION, "Iterator::Prefetch::ParallelMap", CAUSE_INPUT},
	{KIND_OP, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", CAUSE_INPUT},
	{KIND_PYTHON, "torch/utils/data/dataloader.py(630): __next__", CAUSE_INPUT},
	{KIND_ANNOTATION, "load_batch", CAUSE_INPUT},
	{KIND_ANNOTATION, "Callback/on_train_batch_end", CAUSE_HOST_WORK},
	{KIND_ANNOTATION, "update metrics", CAUSE_HOST_WORK},
	{KIND_ANNOTATION, "save checkpoint", CAUSE_HOST_WORK},
	{KIND_PYTHON, "utils/checkpoint.py(12): save", CAUSE_HOST_WORK},
	{KIND_OP, "WriteScalarSummary", CAUSE_HOST_WORK},
	{KIND_OP, "LossScaleOptimizer/cond:If", CAUSE_LOSS_SCALING},
	{KIND_OP, "aten::_amp_foreach_non_finite_check_and_unscale_", CAUSE_LOSS_SCALING},
	{KIND_PYTHON, "torch/amp/grad_scaler.py(374): step", CAUSE_LOSS_SCALING},
	{KIND_RUNTIME, "cudaDeviceSynchronize", CAUSE_SYNC},
	{KIND_RUNTIME, "hipStreamSynchronize", CAUSE_SYNC},
	{KIND_OP, "aten::_local_scalar_dense", CAUSE_SYNC},
	{KIND_ANNOTATION, "block_until_ready", CAUSE_SYNC},
	{KIND_ANNOTATION, "XlaCompile", CAUSE_COMPILE},
	{KIND_ANNOTATION, "backend_compile", CAUSE_COMPILE},
	{KIND_ANNOTATION, "entire_frame_compile (dynamo_timed)", CAUSE_COMPILE},
	{KIND_RUNTIME, "cuModuleLoadData", CAUSE_COMPILE},
	{KIND_RUNTIME, "cudaMalloc", CAUSE_ALLOCATOR},
	{KIND_RUNTIME, "hipFree", CAUSE_ALLOCATOR},
	{KIND_OP, "c10d::allreduce_", CAUSE_COMMUNICATION},
	{KIND_ANNOTATION, "nccl:all_gather", CAUSE_COMMUNICATION},
	{KIND_PYTHON, "train.py(10): loop", CAUSE_HOST_COMPUTE},
	{KIND_PYTHON, "<built-in function sleep>", CAUSE_HOST_WAIT},
	{KIND_PYTHON, "$callback.py:815 _wrapped_callback", CAUSE_HOST_WORK},
	{KIND_ANNOTATION, "gc", CAUSE_PYTHON},
	{KIND_OVERHEAD, "Resource", CAUSE_PROFILER},
	{KIND_ANNOTATION, "cuptiActivityFlushAll", CAUSE_PROFILER},
};
enum { KNOWN = sizeof known / sizeof *known };

static void what_fills_the_gap_names_the_verdict(void **state)
{
	(void)state;
	for (int i = 0; i < KNOWN; i++) {
		struct gap_verdict v = with_event(known[i].kind, known[i].name, 203, 258);
		if (v.cause != known[i].cause)
			fail_msg("%s: %s", known[i].name, cause_word(v.cause));
		assert_int_equal(v.cause_ns, MS(55));
	}
}

static void less_than_a_tenth_names_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < KNOWN; i++)
		assert_verdict(with_event(known[i].kind, known[i].name, 203, 208.9), CAUSE_UNKNOWN);
}

static void the_same_event_inside_a_step_names_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < KNOWN; i++)
		assert_verdict(with_event(known[i].kind, known[i].name, 110, 165), CAUSE_UNKNOWN);
}

static void the_work_was_launched_before(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 2; i++) {
		profiler_step(&b, 1, i + 1, i * 200.0, 150);
		launch(&b, 1, i * 200.0 + (i ? -100 : 0), 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", i * 200.0 + 5, 120, (uint64_t)i + 1);
	}
	op(&b, 1, "enumerate(DataLoader)", 126, 70); /* in the gap, but the host had done its part */
	struct derived *d = derive(&b);
	struct gap_verdict v = verdict_on(d);
	assert_true(v.evidence.launched_before);
	assert_verdict(v, CAUSE_UNKNOWN);
	derived_free(d);
}

static void other_names_are_left_alone(void **state)
{
	(void)state;
	static const char *const names[] = {
		"ThenExecuteCallback",
		"Torch-Compiled Region: 0/0",
		"## Call CompiledFxGraph fabc ##",
		"torch/_inductor/output_code.py(466): __call__",
		"forward",
		"fine_grained_layer",
		"ExecutorState::Process",
		"model/dense/MatMul:MatMul",
		"ProfilerStep#5",
		"parametrize",
		/* layers computed again, nothing saved */
		"FSDP::pre_forward (blocks.11._checkpoint_wrapped_module)",
		"torch/utils/checkpoint.py(488): checkpoint",
		"CheckpointFunctionBackward",
		"jit(step)/jit(main)/checkpoint/dot_general",
		"_gradient_checkpointing_func",
	};
	struct cause_rules *r = cause_rules_builtin(NULL);
	assert_non_null(r);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint8_t section = cause_rules_ask(r, names[i], false).section;
		if (section != CAUSE_UNKNOWN && section != SAYS_NOTHING)
			fail_msg("%s: section %d", names[i], section);
	}
	cause_rules_free(r);
}

/* ---- who owns the time -------------------------------------------------------------------------------------------------- */

static void what_runs_inside_a_loader_is_input(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_ANNOTATION, 1, "my epoch", 202.5 * MILLI, 56 * MILLI);
	op(&b, 1, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 203 * MILLI, 55 * MILLI);
	op(&b, 1, "aten::stack", 204 * MILLI, 20 * MILLI);
	host_event(&b, KIND_RUNTIME, 1, "cudaHostAlloc", 225 * MILLI, 30 * MILLI);
	struct gap_verdict v = judge(&b);
	assert_verdict(v, CAUSE_INPUT);
	assert_int_equal(v.cause_ns, MS(55));
}

static void a_callback_owns_the_value_it_waits_for(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_ANNOTATION, 1, "LoggingCallback", 203 * MILLI, 55 * MILLI);
	op(&b, 1, "aten::item", 204 * MILLI, 50 * MILLI);
	assert_verdict(judge(&b), CAUSE_HOST_WORK);
}

static void one_long_op_is_no_dispatch(void **state)
{
	(void)state;
	assert_verdict(with_event(KIND_OP, "aten::cudnn_convolution", 203, 258), CAUSE_HOST_COMPUTE);
}

static void many_small_ops_are_dispatch(void **state)
{
	(void)state;
	struct build b = scene_gap();
	for (int i = 0; i < 550; i++)
		op(&b, 1, "aten::add_", (203 + i * 0.1) * MILLI, 0.1 * MILLI);
	struct gap_verdict v = judge(&b);
	assert_verdict(v, CAUSE_LAUNCH);
	assert_true(v.confidence < 0.5);
}

static void many_short_collective_calls_are_dispatch(void **state)
{
	(void)state;
	struct build b = scene_gap();
	for (int i = 0; i < 550; i++)
		op(&b, 1, "c10d::allreduce_", (203 + i * 0.1) * MILLI, 0.1 * MILLI);
	assert_verdict(judge(&b), CAUSE_LAUNCH);
}

/* Ranges and frames of one thread need not nest: the range here begins inside the loader and goes on long after it. */
static void what_outlives_its_owner_owns_itself(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_PYTHON, 1, "torch/utils/data/dataloader.py(1): __next__", 203 * MILLI, 3 * MILLI);
	host_event(&b, KIND_ANNOTATION, 1, "forward", 204 * MILLI, 54 * MILLI);
	assert_verdict(judge(&b), CAUSE_HOST_COMPUTE);
}

static void frames_of_a_waiting_thread_are_no_cause(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_PYTHON, 9, "tqdm/_monitor.py(60): run", 0, 464 * MILLI);
	assert_verdict(judge(&b), CAUSE_UNKNOWN);
}

static void another_thread_may_hold_the_cause(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 5, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	struct gap_verdict other = judge(&b), own = with_event(KIND_OP, "IteratorGetNext", 203, 258);
	assert_verdict(other, CAUSE_INPUT);
	assert_true(other.confidence < own.confidence);
	b = scene_gap();
	build_pid(&b, 77);
	op(&b, 5, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	assert_verdict(judge(&b), CAUSE_UNKNOWN); /* not of another process */
}

/* The launching thread stays in one frame while another one does the work, as autograd's does: that one's call is the main event, not
 * the short one of the same class that the launching thread has, too. */
static void what_another_thread_did_in_a_waiting_frame_is_named(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_PYTHON, 1, "run_backward", 203 * MILLI, 56 * MILLI);
	host_event(&b, KIND_RUNTIME, 1, "cudaFree", 259.5 * MILLI, 0.5 * MILLI);
	host_event(&b, KIND_RUNTIME, 5, "cudaFree", 203 * MILLI, 30 * MILLI);
	host_event(&b, KIND_RUNTIME, 5, "cudaFree", 234 * MILLI, 25 * MILLI);
	struct gap_verdict v = judge(&b);
	assert_verdict(v, CAUSE_ALLOCATOR);
	assert_int_equal(v.row_ns, MS(30));
	assert_int_not_equal(v.thread, v.evidence.thread);
}

static void confidence_is_trust_times_share(void **state)
{
	(void)state;
	struct gap_verdict v = with_event(KIND_OP, "IteratorGetNext", 203, 258);
	assert_int_equal(llround(v.confidence * 10000), llround(0.97 * 55 / 60 * 10000));
	assert_int_equal(v.lost_ns, MS(55));
}

/* ---- outside the markers ------------------------------------------------------------------------------------------------- */

/* Steps of 100 ms with 60 between their work, `outside` of which lies outside the markers. */
static struct build steps_apart(const char *name, bool outside)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < 3; i++) {
		double at = i * 160.0;
		profiler_step(&b, 1, i + 1, at * MILLI, (outside ? 101 : 160) * MILLI);
		launch(&b, 1, at * MILLI, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "gemm", at * MILLI, 100 * MILLI, (uint64_t)i + 1);
		host_event(&b, KIND_ANNOTATION, 1, name, (at + 102) * MILLI, 50 * MILLI);
	}
	return b;
}

static void work_outside_every_marker_needs_no_name(void **state)
{
	(void)state;
	struct build b = steps_apart("whatever", true), named = steps_apart("Callback", true);
	struct gap_verdict v = judge(&b), w = judge(&named);
	assert_verdict(v, CAUSE_HOST_WORK);
	assert_int_equal(v.lost_ns, MS(60)); /* the device would not have waited at all */
	assert_true(v.confidence < w.confidence);
}

static void work_inside_a_marker_is_host_compute(void **state)
{
	(void)state;
	struct build b = steps_apart("whatever", false);
	assert_verdict(judge(&b), CAUSE_HOST_COMPUTE);
}

static void input_outside_the_markers_is_input(void **state)
{
	(void)state;
	struct build b = steps_apart("next_batch", true);
	assert_verdict(judge(&b), CAUSE_INPUT);
}

/* ---- threads ------------------------------------------------------------------------------------------------------------- */

static void a_hole_while_many_threads_are_busy_is_contention(void **state)
{
	(void)state;
	struct build b = threads_busy(8, KIND_ANNOTATION, "Iterator::ParallelMap");
	struct gap_verdict v = judge(&b);
	assert_verdict(v, CAUSE_CONTENTION);
	assert_int_equal(v.evidence.busy.input, 8);
	assert_int_equal(v.lost_ns, MS(55));
}

static void few_or_waiting_threads_are_no_contention(void **state)
{
	(void)state;
	struct build few = threads_busy(3, KIND_ANNOTATION, "Iterator::ParallelMap");
	assert_verdict(judge(&few), CAUSE_UNKNOWN);
	struct build waiting = threads_busy(8, KIND_ANNOTATION, "cond_wait");
	assert_verdict(judge(&waiting), CAUSE_UNKNOWN);
	struct build frames = threads_busy(8, KIND_PYTHON, "threading.py(355): run");
	assert_verdict(judge(&frames), CAUSE_UNKNOWN);
}

/* What TensorFlow's executor ran is drawn in lanes named like threads. */
static void lanes_of_the_executor_are_no_threads(void **state)
{
	(void)state;
	struct build b = threads_busy(8, KIND_ANNOTATION, "Iterator::ParallelMap");
	char name[32];
	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof name, "tf_Compute/%d", i);
		ingest_track_info(b.in, build_thread(&b, 10 + i))->name = build_text(&b, name);
	}
	struct gap_verdict v = judge(&b);
	assert_int_equal(v.evidence.busy.input + v.evidence.busy.other, 0);
	assert_int_not_equal(v.cause, CAUSE_CONTENTION);
}

static void other_threads_contend_only_in_crowds(void **state)
{
	(void)state;
	struct build b = threads_busy(8, KIND_OP, "compute"), crowd = threads_busy(16, KIND_OP, "compute");
	assert_verdict(judge(&b), CAUSE_UNKNOWN);
	assert_verdict(judge(&crowd), CAUSE_CONTENTION);
}

static void a_busy_launching_thread_is_no_contention(void **state)
{
	(void)state;
	struct build b = threads_busy(8, KIND_ANNOTATION, "Iterator::ParallelMap");
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	assert_verdict(judge(&b), CAUSE_INPUT);
}

/* ---- calls that drain the queue -------------------------------------------------------------------------------------------- */

static void a_drained_queue_is_synchronisation(void **state)
{
	(void)state;
	struct build b = short_gap("aten::item", NULL), none = short_gap(NULL, NULL),
		     other = short_gap("aten::mm", NULL);
	assert_verdict(judge(&b), CAUSE_SYNC);
	assert_verdict(judge(&none), CAUSE_UNKNOWN);
	assert_verdict(judge(&other), CAUSE_UNKNOWN);
}

/* torch.cuda.synchronize ends after the call in which it waited: that call is named. */
static void a_wait_is_named_by_the_call_that_waits(void **state)
{
	(void)state;
	struct build b = short_gap("aten::item", NULL);
	host_event(&b, KIND_RUNTIME, 1, "hipDeviceSynchronize", 110, 885);
	host_event(&b, KIND_PYTHON, 1, "<built-in function _cuda_maybeExchangeDevice>", 1002, 6);
	struct derived *d = derive(&b);
	struct gap_verdict v = verdict_on(d);
	assert_verdict(v, CAUSE_SYNC);
	assert_string_equal(trace_str(derived_trace(d), derived_columns(d)->name[v.row]), "hipDeviceSynchronize");
	derived_free(d);
}

static void a_drained_queue_explains_no_long_gap(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_RUNTIME, 1, "cudaStreamSynchronize", 150 * MILLI, 52.01 * MILLI);
	assert_verdict(judge(&b), CAUSE_UNKNOWN);
}

static void the_overflow_flag_is_loss_scaling(void **state)
{
	(void)state;
	struct build b = short_gap("aten::item", "aten::_amp_foreach_non_finite_check_and_unscale_");
	assert_verdict(judge(&b), CAUSE_LOSS_SCALING);
}

/* ---- the device and the profiler --------------------------------------------------------------------------------------------- */

static void a_collective_in_the_gap_is_waited_for(void **state)
{
	(void)state;
	struct build b = scene_gap();
	device_event(&b, KIND_KERNEL, 0, 9, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 203 * MILLI, 55 * MILLI);
	struct derived *d = derive(&b);
	struct gap_verdict v;
	struct gap g = {.scope = GAP_STREAM,
			.device = 0,
			.track = stream_track(d, 7),
			.before = row_named(derived_trace(d), "gemm"),
			.after = row_named(derived_trace(d), "gemm") + 20,
			.start_ns = MS(202),
			.dur_ns = MS(60)};
	gap_verdict_of(d, &g, &v);
	assert_verdict(v, CAUSE_COMMUNICATION);
	assert_int_equal(v.cause_ns, MS(55));
	derived_free(d);
}

static void the_profilers_cost_counts_on_any_thread(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_OVERHEAD, 99, "Activity Buffer Request", 203 * MILLI, 55 * MILLI);
	assert_verdict(judge(&b), CAUSE_PROFILER);
}

static void where_records_were_lost_nobody_is_blamed(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_OP, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	lose(&b, 190, 226);
	lose(&b, 220, 232); /* overlaps: 30 of the gap's 60 ms in all */
	struct derived *d = derive(&b);
	struct gap_verdict v = verdict_on(d);
	assert_verdict(v, CAUSE_LOST);
	assert_int_equal(v.cause_ns, MS(30));
	assert_true(v.confidence == 0.5);
	assert_true(v.lost_ns == UNKNOWN_I64 && v.thread == NONE_ID);
	struct table *t = ask(d, "gap_groups");
	assert_string_equal(text_of(t, 0, "cause"), "records lost");
	assert_true(cell_of(t, 0, "lost_ns")->null);
	t = ask(d, "findings");
	uint32_t row = 0;
	while (row < t->n_rows && strncmp(text_of(t, row, "sentence"), "Records were lost", 17) != 0)
		row++;
	assert_in_range(row, 0, t->n_rows - 1);
	assert_string_equal(text_of(t, row, "severity"), "unknown");
	assert_string_equal(text_of(t, row, "rule"), "idle");
	assert_true(cell_of(t, row, "lost_ns")->null);
	ask_done(d);
}

static void a_few_lost_records_explain_no_long_gap(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_OP, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	lose(&b, 203, 208);
	assert_verdict(judge(&b), CAUSE_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fills_the_gap_names_the_verdict),
		cmocka_unit_test(less_than_a_tenth_names_nothing),
		cmocka_unit_test(the_same_event_inside_a_step_names_nothing),
		cmocka_unit_test(the_work_was_launched_before),
		cmocka_unit_test(other_names_are_left_alone),
		cmocka_unit_test(what_runs_inside_a_loader_is_input),
		cmocka_unit_test(a_callback_owns_the_value_it_waits_for),
		cmocka_unit_test(one_long_op_is_no_dispatch),
		cmocka_unit_test(many_small_ops_are_dispatch),
		cmocka_unit_test(many_short_collective_calls_are_dispatch),
		cmocka_unit_test(what_outlives_its_owner_owns_itself),
		cmocka_unit_test(frames_of_a_waiting_thread_are_no_cause),
		cmocka_unit_test(another_thread_may_hold_the_cause),
		cmocka_unit_test(what_another_thread_did_in_a_waiting_frame_is_named),
		cmocka_unit_test(confidence_is_trust_times_share),
		cmocka_unit_test(work_outside_every_marker_needs_no_name),
		cmocka_unit_test(work_inside_a_marker_is_host_compute),
		cmocka_unit_test(input_outside_the_markers_is_input),
		cmocka_unit_test(a_hole_while_many_threads_are_busy_is_contention),
		cmocka_unit_test(few_or_waiting_threads_are_no_contention),
		cmocka_unit_test(lanes_of_the_executor_are_no_threads),
		cmocka_unit_test(other_threads_contend_only_in_crowds),
		cmocka_unit_test(a_busy_launching_thread_is_no_contention),
		cmocka_unit_test(a_drained_queue_is_synchronisation),
		cmocka_unit_test(a_wait_is_named_by_the_call_that_waits),
		cmocka_unit_test(a_drained_queue_explains_no_long_gap),
		cmocka_unit_test(the_overflow_flag_is_loss_scaling),
		cmocka_unit_test(a_collective_in_the_gap_is_waited_for),
		cmocka_unit_test(the_profilers_cost_counts_on_any_thread),
		cmocka_unit_test(where_records_were_lost_nobody_is_blamed),
		cmocka_unit_test(a_few_lost_records_explain_no_long_gap),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
