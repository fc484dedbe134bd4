/* Steps: where they come from, what belongs to them, how they are called. One small trace per rule. */
#include "tests/unit/derive_trace.h"

/* ---- PyTorch: a marker owns what starts inside it -------------------------------------------------------------------------- */

static void host_events_belong_to_the_marker_around_their_start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 5, 0, 100);
	profiler_step(&b, 1, 6, 100, 100);
	op(&b, 1, "before the end", 99, 1);
	op(&b, 2, "at the border", 100, 5);
	op(&b, 2, "across", 90, 20);
	op(&b, 2, "after all", 200, 5);
	build_pid(&b, 2);
	op(&b, 9, "another process", 50, 5);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 2);
	assert_string_equal(step_of(d, "before the end"), "5");
	assert_string_equal(step_of(d, "at the border"), "6");
	assert_string_equal(step_of(d, "across"), "5");
	assert_string_equal(step_of(d, "after all"), "-");
	assert_string_equal(step_of(d, "another process"), "-");
	assert_string_equal(step_of(d, "ProfilerStep#6"), "6");
	assert_string_equal(derived_step_name(d, derived_step(d, 0)), "ProfilerStep");
	derived_free(d);
}

static void device_work_belongs_to_the_step_of_its_launch(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 100);
	profiler_step(&b, 1, 2, 100, 100);
	launch(&b, 1, 90, 5, 11);
	launch(&b, 1, 110, 5, 12);
	launch(&b, 1, 250, 5, 13);
	kernel(&b, 0, 7, "late", 150, 30, 11); /* runs inside marker 2, launched by step 1 */
	kernel(&b, 0, 7, "second", 190, 20, 12);
	kernel(&b, 0, 7, "outside", 260, 20, 13);
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "late"), "1");
	assert_string_equal(step_of(d, "second"), "2");
	assert_string_equal(step_of(d, "outside"), "-");
	assert_int_equal(derived_step(d, 0)->end_ns, US(100));
	assert_int_equal(derived_step(d, 0)->members_end_ns, US(180));
	const struct step_device *part = derived_step_device(d, 1, 0);
	assert_non_null(part);
	assert_int_equal(part->first_ns, US(190));
	assert_int_equal(part->last_ns, US(210));
	assert_int_equal(part->n_work, 1);
	assert_null(derived_step_device(d, 1, 1));
	derived_free(d);
}

static void work_without_launch_follows_the_latest_step_begun_on_its_device(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 100);
	profiler_step(&b, 1, 2, 100, 100);
	launch(&b, 1, 10, 5, 11);
	launch(&b, 1, 110, 5, 12);
	kernel(&b, 0, 7, "too early", 5, 5, 0);
	kernel(&b, 0, 7, "first", 20, 10, 11);
	kernel(&b, 0, 8, "orphan 1", 105, 5, 0); /* marker 2 has begun, its work on the device has not */
	kernel(&b, 0, 7, "second", 120, 10, 12);
	kernel(&b, 0, 8, "orphan 2", 130, 5, 999);
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "too early"), "-");
	assert_string_equal(step_of(d, "orphan 1"), "1");
	assert_string_equal(step_of(d, "orphan 2"), "2");
	derived_free(d);
}

static void a_device_without_any_launch_follows_the_markers(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 100);
	profiler_step(&b, 1, 2, 100, 100);
	kernel(&b, 0, 7, "one", 50, 10, 0);
	kernel(&b, 0, 7, "two", 150, 10, 0);
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "one"), "1");
	assert_string_equal(step_of(d, "two"), "2");
	derived_free(d);
}

static void names_that_only_look_like_markers_are_none(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "ProfilerStep", 0, 10);
	op(&b, 1, "ProfilerStep#", 10, 10);
	op(&b, 1, "ProfilerStep#x1", 20, 10);
	device_event(&b, KIND_DEVICE_RANGE, 0, 7, "ProfilerStep#4", 0, 10);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 0);
	derived_free(d);
}

/* ---- TensorFlow: a root owns what it reaches --------------------------------------------------------------------------------- */

static void a_root_owns_what_is_nested_and_launched(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	tf_step(&b, 1, "train", 7, 0, 100);
	op(&b, 1, "nested", 10, 20);
	launch(&b, 1, 12, 5, 3);
	kernel(&b, 0, 13, "k", 150, 30, 3);
	op(&b, 2, "beside, in the same time", 10, 20);
	launch(&b, 2, 12, 5, 4);
	kernel(&b, 0, 13, "foreign", 190, 30, 4);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 1);
	assert_string_equal(derived_step_name(d, derived_step(d, 0)), "train");
	assert_string_equal(step_of(d, "nested"), "7");
	assert_string_equal(step_of(d, "k"), "7");
	assert_string_equal(step_of(d, "beside, in the same time"), "-");
	assert_string_equal(step_of(d, "foreign"), "-");
	derived_free(d);
}

static void producers_reach_consumers_on_other_threads(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct host_info h;
	tf_step(&b, 1, "train", 1, 0, 100);
	host_info_init(&h);
	h.producer_type = 2;
	h.producer_id = 77;
	fact_event(&b, 1, "FunctionRun", 10, 50, &h);
	host_info_init(&h);
	h.consumer_type = 2;
	h.consumer_id = 77;
	fact_event(&b, 2, "ExecutorState::Process", 20, 50, &h);
	h.consumer_id = 78;
	fact_event(&b, 3, "consumer of another id", 20, 50, &h);
	h.consumer_type = 3;
	h.consumer_id = 77;
	fact_event(&b, 4, "consumer of another type", 20, 50, &h);
	launch(&b, 2, 30, 5, 5);
	kernel(&b, 0, 13, "k", 40, 30, 5);
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "ExecutorState::Process"), "1");
	assert_string_equal(step_of(d, "k"), "1");
	assert_string_equal(step_of(d, "consumer of another id"), "-");
	assert_string_equal(step_of(d, "consumer of another type"), "-");
	derived_free(d);
}

static void executors_reach_their_iterator(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct host_info h;
	tf_step(&b, 1, "train", 1, 0, 100);
	host_info_init(&h);
	h.step_id = 4;
	h.iter_num = 0;
	fact_event(&b, 1, "ExecutorState::Process", 10, 50, &h);
	fact_event(&b, 2, "IteratorGetNextOp::DoCompute", 20, 10, &h);
	h.step_id = 5;
	fact_event(&b, 3, "IteratorGetNextAsOptionalOp::DoCompute", 20, 10, &h);
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "IteratorGetNextOp::DoCompute"), "1");
	assert_string_equal(step_of(d, "IteratorGetNextAsOptionalOp::DoCompute"), "-");
	derived_free(d);
}

static void an_inner_root_of_the_same_level_is_no_step(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	tf_step(&b, 1, "train", 1, 0, 100);
	tf_step(&b, 1, "train", 2, 10, 20);
	tf_step(&b, 1, "train", 3, 200, 20);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 2);
	assert_string_equal(derived_step(d, 0)->label, "1");
	assert_string_equal(derived_step(d, 1)->label, "3");
	derived_free(d);
}

static void a_higher_level_claims_first(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct host_info h;
	tf_step(&b, 1, "outer", 1, 0, 100);
	host_info_init(&h);
	h.root_level = 2;
	h.step_num = 9;
	fact_event(&b, 1, "inner", 10, 20, &h);
	op(&b, 1, "inside the inner", 12, 5);
	op(&b, 1, "inside the outer", 50, 5);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 2);
	assert_string_equal(step_of(d, "inside the inner"), "9");
	assert_string_equal(step_of(d, "inside the outer"), "1");
	derived_free(d);
}

static void markers_written_without_root_level_count(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct host_info h;
	host_info_init(&h);
	for (int i = 0; i < 3; i++) {
		h.step_num = 20 + i;
		fact_event(&b, 1, "train", i * 100.0, 90, &h);
		fact_event(&b, 1, "part of it", i * 100.0 + 10, 20, &h);
	}
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 3);
	assert_string_equal(derived_step(d, 2)->label, "22");
	assert_string_equal(step_of(d, "part of it"), "20");
	derived_free(d);
}

static void trace_context_is_a_root(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	host_event(&b, KIND_ANNOTATION, 1, "TraceContext", 0, 10);
	host_event(&b, KIND_ANNOTATION, 1, "TraceContext", 20, 10);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 2);
	assert_string_equal(derived_step(d, 1)->label, "1"); /* numbered from 0 when nobody else does */
	derived_free(d);
}

static void loop_iterations_are_steps_when_nothing_is_marked(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct host_info h;
	host_info_init(&h);
	for (int i = 0; i < 3; i++) {
		h.step_id = 8;
		h.iter_num = i;
		fact_event(&b, 1, "ExecutorState::Process", i * 100.0, 40, &h);
		fact_event(&b, 1, "ExecutorState::Process", i * 100.0 + 50, 40, &h);
		h.step_id = 100 + i; /* a function that runs once: no loop */
		h.iter_num = 0;
		fact_event(&b, 2, "ExecutorState::Process", i * 100.0, 40, &h);
	}
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 3);
	assert_string_equal(derived_step(d, 2)->label, "2");
	assert_int_equal(derived_step(d, 2)->start_ns, US(200));
	derived_free(d);
}

static void group_event(struct build *b, enum event_kind kind, uint32_t track, const char *name, double start_us,
			double dur_us, int32_t group)
{
	struct event_in e = build_event(b, kind, track, name, start_us, dur_us);
	e.group = group;
	build_add(b, &e);
}

static void the_file_may_say_it_itself(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	group_event(&b, KIND_OP, build_thread(&b, 1), "host of 0", 0, 10, 0);
	group_event(&b, KIND_OP, build_thread(&b, 1), "helper", 20, 10, 3);
	group_event(&b, KIND_KERNEL, build_stream(&b, 0, 7), "k0", 5, 10, 0);
	group_event(&b, KIND_KERNEL, build_stream(&b, 0, 7), "k1", 50, 10, 1);
	kernel(&b, 0, 8, "follows", 60, 5, 0);
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 2); /* group 3 has no device work and no marker */
	assert_string_equal(step_of(d, "host of 0"), "0");
	assert_string_equal(step_of(d, "k1"), "1");
	assert_string_equal(step_of(d, "helper"), "-");
	assert_string_equal(step_of(d, "follows"), "1");
	assert_int_equal(derived_step(d, 0)->marker, NONE_ID);
	assert_int_equal(derived_step(d, 0)->start_ns, 0);
	assert_int_equal(derived_step(d, 0)->end_ns, US(15));
	derived_free(d);
}

static void json_of_tensorflow_falls_back_to_time_between_threads(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	tf_step(&b, 1, "train", 1, 0, 100);
	op(&b, 2, "on another thread", 10, 20);
	launch(&b, 2, 12, 5, 3);
	kernel(&b, 0, 13, "k", 150, 30, 3);
	launch(&b, 2, 112, 5, 4);
	kernel(&b, 0, 13, "outside", 190, 30, 4);
	struct derived *d = derive(&b);
	assert_string_equal(step_of(d, "on another thread"), "1");
	assert_string_equal(step_of(d, "k"), "1");
	assert_string_equal(step_of(d, "outside"), "-");
	derived_free(d);
}

/* ---- the user's pattern ------------------------------------------------------------------------------------------------------- */

static void the_users_pattern_makes_steps(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 5, 0, 300);
	for (int i = 0; i < 3; i++)
		op(&b, 1, "Optimizer.step#SGD.step", i * 100.0, 50);
	op(&b, 1, "inside", 110, 5);
	op(&b, 1, "between", 60, 5);
	struct derived *d = derive_by(&b, "^Optimizer\\.step");
	assert_int_equal(derived_steps(d), 3);
	assert_string_equal(derived_step(d, 0)->label, "0");
	assert_string_equal(step_of(d, "inside"), "1");
	assert_string_equal(step_of(d, "between"), "-");
	derived_free(d);
}

static void nested_markers_the_innermost_owns(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "epoch 1", 0, 100);
	op(&b, 1, "batch 7", 10, 20);
	op(&b, 1, "in the batch", 15, 5);
	op(&b, 1, "behind the batch", 40, 5);
	struct derived *d = derive_by(&b, "^(epoch|batch) ");
	assert_string_equal(step_of(d, "in the batch"), "7");
	assert_string_equal(step_of(d, "behind the batch"), "1");
	derived_free(d);
}

static void a_bad_pattern_is_the_users_mistake(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "a", 0, 1);
	struct trace *t = build_seal(&b);
	struct err e = {0};
	assert_null(derived_new(t, &(struct derived_opts){.steps_by = "step("}, NULL, &e));
	assert_false(e.unreadable);
	assert_non_null(strstr(e.msg, "step("));
	trace_free(t);
}

/* ---- what steps are called ----------------------------------------------------------------------------------------------------- */

static void labels_are_unique(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	tf_step(&b, 1, "train", 5, 0, 10);
	tf_step(&b, 1, "test", 5, 20, 10);
	struct derived *d = derive(&b);
	assert_string_equal(derived_step(d, 0)->label, "train:5");
	assert_string_equal(derived_step(d, 1)->label, "test:5");
	derived_free(d);

	b = build_new("chrome");
	for (int rank = 0; rank < 2; rank++) {
		build_host(&b, rank ? "b" : "a", rank);
		profiler_step(&b, 1, 12, rank * 5.0, 10);
	}
	d = derive(&b);
	assert_string_equal(derived_step(d, 0)->label, "r0:12");
	assert_string_equal(derived_step(d, 1)->label, "r1:12");
	derived_free(d);

	b = build_new("chrome");
	profiler_step(&b, 1, 3, 0, 10);
	profiler_step(&b, 1, 3, 20, 10);
	d = derive(&b);
	assert_string_equal(derived_step(d, 0)->label, "3");
	assert_string_equal(derived_step(d, 1)->label, "3#2");
	derived_free(d);
}

static void steps_are_found_by_label_number_and_range(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	for (int i = 0; i < 4; i++)
		tf_step(&b, 1, "train", i + 7, i * 20.0, 10);
	tf_step(&b, 1, "test", 7, 100, 10);
	struct derived *d = derive(&b);
	uint32_t first, last;
	struct err e = {0};
	assert_true(derived_find_steps(d, "train:8", &first, &last, &e));
	assert_int_equal(first, 1);
	assert_int_equal(last, 1);
	assert_true(derived_find_steps(d, "8..train:10", &first, &last, &e));
	assert_int_equal(last, 3);
	assert_false(derived_find_steps(d, "7", &first, &last, &e)); /* train or test? */
	assert_non_null(strstr(e.msg, "train:7, train:8"));
	assert_false(derived_find_steps(d, "9..8", &first, &last, &e));
	derived_free(d);
}

/* ---- ops ------------------------------------------------------------------------------------------------------------------------ */

static void the_innermost_op_around_the_launch_owns_the_kernel(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "aten::linear", 0, 100);
	op(&b, 1, "aten::addmm", 10, 50);
	host_event(&b, KIND_ANNOTATION, 1, "my range", 12, 40);
	launch(&b, 1, 20, 5, 1);
	launch(&b, 1, 200, 5, 2);
	kernel(&b, 0, 7, "gemm", 30, 10, 1);
	kernel(&b, 0, 7, "nobody's", 230, 10, 2);
	struct derived *d = derive(&b);
	const struct trace *t = derived_trace(d);
	assert_string_equal(derived_op(d, row_named(t, "gemm")), "aten::addmm");
	assert_string_equal(derived_op(d, row_named(t, "nobody's")), "");
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_events_belong_to_the_marker_around_their_start),
		cmocka_unit_test(device_work_belongs_to_the_step_of_its_launch),
		cmocka_unit_test(work_without_launch_follows_the_latest_step_begun_on_its_device),
		cmocka_unit_test(a_device_without_any_launch_follows_the_markers),
		cmocka_unit_test(names_that_only_look_like_markers_are_none),
		cmocka_unit_test(a_root_owns_what_is_nested_and_launched),
		cmocka_unit_test(producers_reach_consumers_on_other_threads),
		cmocka_unit_test(executors_reach_their_iterator),
		cmocka_unit_test(an_inner_root_of_the_same_level_is_no_step),
		cmocka_unit_test(a_higher_level_claims_first),
		cmocka_unit_test(markers_written_without_root_level_count),
		cmocka_unit_test(trace_context_is_a_root),
		cmocka_unit_test(loop_iterations_are_steps_when_nothing_is_marked),
		cmocka_unit_test(the_file_may_say_it_itself),
		cmocka_unit_test(json_of_tensorflow_falls_back_to_time_between_threads),
		cmocka_unit_test(the_users_pattern_makes_steps),
		cmocka_unit_test(nested_markers_the_innermost_owns),
		cmocka_unit_test(a_bad_pattern_is_the_users_mistake),
		cmocka_unit_test(labels_are_unique),
		cmocka_unit_test(steps_are_found_by_label_number_and_range),
		cmocka_unit_test(the_innermost_op_around_the_launch_owns_the_kernel),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
