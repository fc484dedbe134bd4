/* The overview, the trace's own facts, tracks and notes. */
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"

static void the_ideal_program_in_one_screen(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct table *t = ask(d, "overview");
	assert_int_equal(value_of(t, "steps")->i, 10);
	assert_float_equal(value_of(t, "step_mean_ns")->r, 100e6, 0);
	assert_float_equal(value_of(t, "step_sd_ns")->r, 0, 0);
	assert_int_equal(value_of(t, "busy_ns")->i, MS(990));
	assert_int_equal(value_of(t, "span_ns")->i, MS(999));
	assert_string_equal(told(t, "duty_cycle_pct"), "99.1 %");
	assert_string_equal(told(t, "device_busy_pct:GPU 0"), "99.1 %");
	assert_string_equal(told(t, "device_compute_pct"), "98.0 %");
	assert_string_equal(told(t, "device_to_device_pct"), "1.0 %");
	assert_string_equal(told(t, "kernel_launch_pct"), "0.5 %");
	assert_string_equal(told(t, "other_pct"), "0.5 %");
	assert_int_equal(value_of(t, "kernels")->i, 970);
	assert_int_equal(value_of(t, "kernels_16bit")->i, 900);
	assert_string_equal(told(t, "kernels_16bit_pct"), "92.8 %");
	assert_string_equal(told(t, "kernels_16bit_time_pct"), "91.8 %");
	assert_string_equal(told(t, "tensor_core_time_pct"), "91.8 %");
	assert_string_equal(told(t, "tensor_core_unknown_time_pct"), "8.2 %"); /* "loss" and "adam" tell nothing */
	assert_int_equal(value_of(t, "gap_1_ns")->i, MS(1));
	assert_string_equal(told(t, "top_kernel_1"), "volta_fp16_s884gemm_fp16_64x64_sliced1x2_ldg8_f2f_nt");
	assert_int_equal(value_of(t, "top_kernel_1_ns")->i, MS(500));
	ask_done(d);
}

/* Neither by launch shape nor by op: what takes most time must not look small because it comes in many forms. */
static void top_kernels_are_told_by_name(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	op(&b, 1, "aten::mul", 0, 10);
	launch(&b, 1, 1, 2, 1);
	kernel(&b, 0, 7, "elementwise", 20, 30, 1);
	op(&b, 1, "aten::add", 11, 10);
	launch(&b, 1, 12, 2, 2);
	kernel(&b, 0, 7, "elementwise", 60, 35, 2);
	op(&b, 1, "aten::mm", 22, 10);
	launch(&b, 1, 23, 2, 3);
	kernel(&b, 0, 7, "gemm", 100, 50, 3);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "overview");
	uint32_t row = row_of_key(t, "top_kernel_1");
	assert_string_equal(told(t, "top_kernel_1"), "elementwise");
	assert_int_equal(value_of(t, "top_kernel_1_ns")->i, US(65));
	assert_true(cell_of(t, row, "help")->null); /* several ops */
	assert_int_equal(t->evidence[row].a_ns, US(20));
	assert_int_equal(t->evidence[row].b_ns, US(95));
	assert_string_equal(told(t, "top_kernel_2"), "gemm");
	assert_string_equal(text_of(t, row_of_key(t, "top_kernel_2"), "help"), "aten::mm");
	ask_done(d);
}

static void the_biggest_gap_comes_with_its_place(void **state)
{
	(void)state;
	struct build b = scene_gap();
	host_event(&b, KIND_ANNOTATION, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "overview");
	uint32_t row = row_of_key(t, "gap_1_ns");
	assert_int_equal(value_of(t, "gap_1_ns")->i, MS(60));
	assert_string_equal(text_of(t, row, "help"), "idle between steps 8 and 9, on GPU 0");
	assert_string_equal(told(t, "gap_1_share_pct"), "37.5 %");
	assert_string_equal(told(t, "gap_1_main_event"), "IteratorGetNext");
	assert_int_equal(value_of(t, "gap_1_main_event_ns")->i, MS(55));
	assert_int_equal(t->evidence[row].a_ns, MS(202));
	assert_int_equal(t->evidence[row].b_ns, MS(262));
	assert_int_equal(value_of(t, "gap_2_ns")->i, MS(2));
	assert_int_equal(value_of(t, "idle_ns")->i, MS(64));
	assert_string_equal(told(t, "idle_pct"), "13.8 %");
	ask_done(d);
}

/* Two hosts with two steps each, of 100, 120, 140 and 160 us. */
static struct table *two_hosts(int first_rank, struct derived **d)
{
	struct build b = build_new("chrome");
	for (int host = 0; host < 2; host++) {
		build_host(&b, host ? "b" : "a", first_rank < 0 ? -1 : first_rank + host);
		for (int i = 0; i < 2; i++) {
			uint64_t correlation = (uint64_t)i + 1;
			profiler_step(&b, 1, i + 1, i * 200.0, 100 + host * 40 + i * 20);
			launch(&b, 1, i * 200.0 + 1, 5, correlation);
			kernel(&b, host, 7, "k", i * 200.0 + 10, 50, correlation);
		}
	}
	*d = derive(&b);
	return ask(*d, "overview");
}

static void ranks_are_no_steps(void **state)
{
	(void)state;
	struct derived *d;
	struct table *t = two_hosts(0, &d);
	assert_int_equal(value_of(t, "steps")->i, 2);
	assert_int_equal(value_of(t, "step_ranks")->i, 2);
	assert_float_equal(value_of(t, "step_mean_ns")->r, 130e3, 0);
	assert_float_equal(value_of(t, "step_sd_ns")->r, 14142.1, 0.1); /* of 120 and 140 us */
	ask_done(d);
	t = two_hosts(-1, &d); /* nothing tells that they belong together */
	assert_int_equal(value_of(t, "steps")->i, 4);
	assert_int_equal(value_of(t, "step_ranks")->i, 1);
	ask_done(d);
}

static void a_window_is_its_own_whole(void **state)
{
	(void)state;
	struct build b = scene_gap();
	struct derived *d = derive(&b);
	struct table *t = ask_window(d, "overview", MS(202), MS(272));
	assert_int_equal(value_of(t, "span_ns")->i, MS(70));
	assert_int_equal(value_of(t, "busy_ns")->i, MS(10));
	assert_int_equal(value_of(t, "kernels")->i, 1);
	assert_true(value_of(t, "step_mean_ns")->null); /* no whole step inside */
	ask_done(d);
}

static void without_a_device_its_numbers_are_unknown_and_not_zero(void **state)
{
	(void)state;
	static const char *const unknown[] = {"duty_cycle_pct",
					      "busy_ns",
					      "idle_ns",
					      "kernels_16bit_pct",
					      "tensor_core_time_pct",
					      "tensor_core_unused_ns",
					      "device_ops_count_pct",
					      "host_ops_time_pct",
					      "eager_device_pct",
					      "overhead_mean_ns"};
	struct build b = build_new("chrome");
	op(&b, 1, "aten::mm", 0, 10);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "overview");
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		if (!value_of(t, unknown[i])->null)
			fail_msg("%s is %s", unknown[i], told(t, unknown[i]));
	assert_int_equal(value_of(t, "kernels")->i, 0);
	ask_done(d);
}

static struct table *kernels_called(const char *first, const char *second, struct derived **d)
{
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, first, 0, 10, 1);
	kernel(&b, 0, 7, second, 20, 10, 2);
	*d = derive(&b);
	return ask(*d, "overview");
}

/* "0.0 %" would say that they compute in 32 bit. */
static void kernels_whose_names_tell_no_precision_have_no_share_of_16_bit(void **state)
{
	(void)state;
	struct derived *d;
	struct table *t = kernels_called("Conv2D", "loop_convert_fusion", &d);
	assert_true(value_of(t, "kernels_16bit_pct")->null);
	assert_true(value_of(t, "kernels_16bit_time_pct")->null);
	assert_string_equal(told(t, "kernels_unknown_precision_pct"), "100.0 %");
	ask_done(d);
	t = kernels_called("Conv2D", "volta_sgemm_128x32_nt", &d);
	assert_string_equal(told(t, "kernels_16bit_pct"), "0.0 %");
	assert_string_equal(told(t, "kernels_unknown_precision_pct"), "50.0 %");
	ask_done(d);
}

static void the_deviation_is_that_of_a_sample(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 10);
	profiler_step(&b, 1, 2, 10, 20);
	profiler_step(&b, 1, 3, 30, 30);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "overview");
	assert_float_equal(value_of(t, "step_mean_ns")->r, 20000, 1e-9);
	assert_float_equal(value_of(t, "step_sd_ns")->r, 10000, 1e-9);
	ask_done(d);
}

static void the_trace_tells_its_counts_and_who_made_it(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	ingest_fact(b.in, "schemaVersion", "1");
	ingest_fact(b.in, "cuda_runtime_version", "12040");
	ingest_fact(b.in, "HF_TOKEN", "hf_live");
	kernel(&b, 0, 7, "k", 0, 10, 0);
	ingest_device_info(b.in, ingest_device(b.in, b.host, 0))->name = build_text(&b, "Tesla V100");
	struct derived *d = derive(&b);
	struct table *t = ask(d, "trace");
	assert_string_equal(told(t, "format"), "chrome");
	assert_string_equal(told(t, "producer"), "PyTorch profiler (Kineto), CUDA runtime 12.4");
	assert_string_equal(told(t, "device"), "GPU 0: Tesla V100");
	assert_int_equal(value_of(t, "entries_in_file")->i, value_of(t, "events_shown")->i +
								    value_of(t, "events_merged")->i +
								    value_of(t, "events_noted")->i);
	assert_int_equal(value_of(t, "span_ns")->i, US(10));
	assert_true(value_of(t, "epoch_ns")->null);
	assert_string_equal(told(t, "fact:HF_TOKEN"), "(not shown)");
	ask_done(d);
}

static void tracks_count_their_events_inside_the_window(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 7, "b", 20, 10, 0);
	op(&b, 12, "mm", 5, 1);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "tracks");
	assert_int_equal(t->n_rows, 2);
	uint32_t stream = stream_track(d, 7);
	assert_int_equal(int_of(t, stream, "track"), stream);
	assert_int_equal(int_of(t, stream, "events"), 2);
	assert_string_equal(text_of(t, stream, "track_group"), "GPU 0");
	assert_string_equal(text_of(t, stream, "name"), "stream 7");
	assert_int_equal(int_of(ask_window(d, "tracks", US(5), US(25)), stream, "events"), 1);
	assert_int_equal(sum_of(ask_filter(d, "tracks", "mm"), "events"), 1);
	ask_done(d);
}

static void notes_come_with_the_worst_first(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	notes_add(ingest_notes(b.in), NOTE_NOT_STRICT_JSON, 12, 1);
	notes_add(ingest_notes(b.in), NOTE_TRUNCATED, 4096, 1);
	op(&b, 1, "mm", 0, 1);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "notes");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(text_of(t, 0, "note"), "truncated");
	assert_string_equal(text_of(t, 0, "note_severity"), "lost");
	assert_int_equal(int_of(t, 0, "first_offset"), 4096);
	assert_string_equal(text_of(t, 1, "note"), "not_strict_json");
	assert_int_equal(value_of(ask(d, "overview"), "notes_lost")->i, 1);
	ask_done(d);
}

static void every_analysis_answers_an_empty_question(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "mm", 0, 1);
	struct derived *d = derive(&b);
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	assert_true(n >= 10);
	for (uint32_t i = 0; i < n; i++) {
		assert_ptr_equal(analysis_find(list[i]->name), list[i]);
		ask_filter(d, list[i]->name, "no_such_event");
		ask_window(d, list[i]->name, 100, 100);
	}
	assert_null(analysis_find("no_such_table"));
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ideal_program_in_one_screen),
		cmocka_unit_test(top_kernels_are_told_by_name),
		cmocka_unit_test(the_biggest_gap_comes_with_its_place),
		cmocka_unit_test(ranks_are_no_steps),
		cmocka_unit_test(a_window_is_its_own_whole),
		cmocka_unit_test(without_a_device_its_numbers_are_unknown_and_not_zero),
		cmocka_unit_test(kernels_whose_names_tell_no_precision_have_no_share_of_16_bit),
		cmocka_unit_test(the_deviation_is_that_of_a_sample),
		cmocka_unit_test(the_trace_tells_its_counts_and_who_made_it),
		cmocka_unit_test(tracks_count_their_events_inside_the_window),
		cmocka_unit_test(notes_come_with_the_worst_first),
		cmocka_unit_test(every_analysis_answers_an_empty_question),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
