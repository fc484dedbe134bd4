/* Where the time of a step went: the guide's ideal program, and one small step per rule. */
#include "model/analysis/steps/step_part.h"
#include <strings.h>
#include "tests/unit/ask.h"
#include "tests/unit/derive_trace.h"
#include "tests/unit/scenes.h"
#include "model/analysis/rules/cause.h"

static const char *const parts[] = {"device_compute_ns", "device_to_device_ns", "collectives_ns",
				    "host_compute_ns",   "kernel_launch_ns",    "input_ns",
				    "output_ns",         "compilation_ns",      "other_ns"};

static int64_t parts_of(const struct table *t, uint32_t row)
{
	int64_t sum = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		sum += int_of(t, row, parts[i]);
	return sum;
}
static struct table *steps_in(const struct derived *d, struct arena *mem, int64_t a_ns, int64_t b_ns)
{
	struct query q = query_all();
	q.a_ns = a_ns;
	q.b_ns = b_ns;
	return steps_desc.run(d, &q, mem, NULL, NULL);
}
static struct table *steps_of(const struct derived *d, struct arena *mem)
{
	return steps_in(d, mem, INT64_MIN, INT64_MAX);
}

/* DistributedDataParallel over gloo: the host waits in backward for what another thread reduces, beside which ops still compute. */
static void collectives_on_the_host(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 100000);
	host_event(&b, KIND_ANNOTATION, 1, "backward", 1000, 95000);
	op(&b, 1, "aten::mm", 2000, 18000);
	op(&b, 1, "c10d::allreduce_", 10000, 60000); /* hands over, computes nothing */
	op(&b, 1, "aten::add", 30000, 5000);
	host_event(&b, KIND_ANNOTATION, 2, "gloo:all_reduce", 10000, 80000);
	host_event(&b, KIND_ANNOTATION, 3, "gloo:all_reduce", 15000, 70000);
	struct derived *d = derive(&b);
	struct arena mem = {0};
	const struct table *t = steps_of(d, &mem);
	assert_int_equal(int_of(t, 0, "collectives_ns"), MS(90 - 20 - 5));
	assert_int_equal(int_of(t, 0, "host_compute_ns"), MS(95 - 65));
	assert_int_equal(parts_of(t, 0), MS(100));
	arena_free(&mem);
	t = ask(d, "findings");
	uint32_t row = row_that_says(t, "rule", "collectives");
	assert_string_equal(text_of(t, row, "severity"), "fail");
	ask_done(d);
}

static void the_ideal_program(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	struct query q = query_all();
	const struct table *t = steps_of(d, &mem);
	assert_int_equal(t->n_rows, 10);
	for (uint32_t i = 0; i < 10; i++) {
		assert_int_equal(int_of(t, i, "dur_ns"), MS(100));
		assert_int_equal(int_of(t, i, "device_compute_ns"), MS(98));
		assert_int_equal(int_of(t, i, "device_to_device_ns"), MS(1));
		assert_int_equal(int_of(t, i, "kernel_launch_ns"), 97 * 5000);
		assert_int_equal(int_of(t, i, "other_ns"), MS(1) - 97 * 5000);
		assert_int_equal(int_of(t, i, "input_ns") + int_of(t, i, "output_ns"), 0); /* under compute */
		assert_int_equal(parts_of(t, i), MS(100));
	}
	assert_string_equal(text_of(t, 9, "step"), "10");
	assert_string_equal(text_of(t, 9, "name"), "train");
	assert_string_equal(text_of(t, 9, "step_source"), "marker");

	t = devices_desc.run(d, &q, &mem, NULL, NULL);
	assert_int_equal(int_of(t, 0, "kernels"), 970);
	assert_int_equal(int_of(t, 0, "busy_ns"), MS(990));
	assert_int_equal(int_of(t, 0, "span_ns"), MS(999));
	assert_string_equal(shown(t, 0, "busy_pct"), "99.1 %");

	t = gaps_desc.run(d, &q, &mem, NULL, NULL);
	for (uint32_t i = 0; i < 9; i++) {
		assert_string_equal(text_of(t, i, "scope"), "step");
		assert_int_equal(int_of(t, i, "dur_ns"), MS(1));
		assert_string_equal(shown(t, i, "period_pct"), "1.0 %");
	}
	t = streams_desc.run(d, &q, &mem, NULL, NULL);
	assert_string_equal(text_of(t, 0, "role"), "compute+D2D");
	assert_string_equal(text_of(t, 1, "role"), "H2D");
	assert_string_equal(text_of(t, 2, "role"), "D2H");
	assert_int_equal(int_of(t, 1, "copy_bytes"), 10 << 20);
	arena_free(&mem);
	derived_free(d);
}

/* The words of a part go by its column's name: a column without words would be shown by its name. */
static void every_part_has_words(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	struct query q = query_all();
	const struct table *t = step_parts_desc.run(d, &q, &mem, NULL, NULL), *steps = steps_of(d, &mem);
	assert_int_equal(t->n_rows, 1 + 9 + 1 + CAUSE_COUNT); /* the step, its parts, idle time, its causes */
	for (uint32_t i = 0; i < t->n_rows; i++)
		assert_true(text_of(t, i, "label")[0] >= 'A' && text_of(t, i, "label")[0] <= 'Z');
	for (int i = 0; i < STEP_PARTS; i++) { /* as all other faces call it */
		uint32_t row = 0;
		while (row < t->n_rows &&
		       strcasecmp(text_of(t, row, "label"), step_part_words(steps, (enum step_part_id)i)) != 0)
			row++;
		assert_true(row < t->n_rows);
	}
	arena_free(&mem);
	derived_free(d);
}

/* "input" is a word for what waits for input, for what is copied to the device, and for both: people read which. */
static void input_is_called_what_it_is(void **state)
{
	(void)state;
	assert_string_equal(input_words(input_holds(0, 0)), "input");
	assert_string_equal(input_words(input_holds(1000, 0)), "input wait");
	assert_string_equal(input_words(input_holds(1000, 1)), "input + copies");
	assert_string_equal(input_words(input_holds(1000, 999)), "input + copies");
	assert_string_equal(input_words(input_holds(1000, 1000)), "copies to device");
	assert_string_equal(input_words(input_holds(0.1 + 0.2, 0.3)), "copies to device"); /* shares that were added */
	assert_string_equal(input_words(input_holds((double)NAN, (double)NAN)), "input");
}

static void the_most_important_activity_counts(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 100);
	op(&b, 1, "aten::add", 0, 60);
	op(&b, 1, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 70, 10);
	for (uint64_t i = 0; i < 6; i++)
		launch(&b, 1, (double)i, 1, i + 1);
	kernel(&b, 0, 7, "gemm", 10, 10, 1);
	copy(&b, 0, 8, COPY_D2H, 8, 15, 10, 2); /* 5 of it under compute */
	copy(&b, 0, 9, COPY_D2D, 8, 24, 2, 3);  /* 1 of it under the copy to the host */
	copy(&b, 0, 9, COPY_H2D, 8, 55, 10, 4); /* wins over host compute */
	kernel(&b, 0, 10, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", 75, 10, 5); /* 5 of it in the wait */
	device_event(&b, KIND_MEMSET, 0, 7, "Memset (Device)", 90, 1);
	struct derived *d = derive(&b);
	struct arena mem = {0};
	const struct table *t = steps_of(d, &mem);
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "device_compute_ns"), US(11));
	assert_int_equal(int_of(t, 0, "output_ns"), US(5));
	assert_int_equal(int_of(t, 0, "device_to_device_ns"), US(1));
	assert_int_equal(int_of(t, 0, "input_ns"), US(10 + 10));
	assert_int_equal(int_of(t, 0, "collectives_ns"), US(5));
	assert_int_equal(int_of(t, 0, "kernel_launch_ns"), US(5)); /* the sixth launched nothing: host compute */
	assert_int_equal(int_of(t, 0, "host_compute_ns"), US(5 + 29));
	assert_int_equal(int_of(t, 0, "dur_ns"), US(100));
	assert_int_equal(parts_of(t, 0), US(100));
	arena_free(&mem);
	derived_free(d);
}

static void what_encloses_the_step_is_nobodys_time(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	host_event(&b, KIND_ANNOTATION, 1, "whole training", 0, 200);
	host_event(&b, KIND_PYTHON, 1, "main.py(3): train", 5, 100);
	profiler_step(&b, 1, 1, 10, 100);
	op(&b, 1, "aten::add", 20, 30);
	op(&b, 2, "on a thread that launches nothing", 60, 30);
	struct derived *d = derive(&b);
	struct arena mem = {0};
	const struct table *t = steps_of(d, &mem);
	assert_int_equal(int_of(t, 0, "host_compute_ns"), US(30));
	assert_int_equal(int_of(t, 0, "other_ns"), US(70));
	assert_true(cell_of(t, 0, "device")->null);
	arena_free(&mem);
	derived_free(d);
}

static void a_step_lasts_until_its_work_on_any_device_ends(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	tf_step(&b, 1, "train", 1, 0, 100);
	launch(&b, 1, 10, 5, 1);
	launch(&b, 1, 20, 5, 2);
	kernel(&b, 0, 7, "k", 30, 40, 1);
	kernel(&b, 1, 7, "k", 50, 80, 2); /* another GPU, longer than the marker */
	struct derived *d = derive(&b);
	struct arena mem = {0};
	const struct table *t = steps_of(d, &mem);
	assert_int_equal(t->n_rows, 2);
	assert_int_equal(int_of(t, 0, "dur_ns"), US(130));
	assert_int_equal(int_of(t, 1, "device"), 1);
	assert_int_equal(int_of(t, 1, "start_ns"), 0);
	assert_int_equal(int_of(t, 1, "dur_ns"), US(130));
	assert_int_equal(int_of(t, 1, "device_compute_ns"), US(80));
	arena_free(&mem);
	derived_free(d);
}

static void a_compiler_is_not_host_compute(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	tf_step(&b, 1, "train", 1, 0, 100);
	op(&b, 1, "XlaCompile", 10, 55);
	op(&b, 1, "Sub:Sub", 70, 5);
	struct derived *d = derive(&b);
	struct arena mem = {0};
	const struct table *t = steps_of(d, &mem);
	assert_int_equal(int_of(t, 0, "compilation_ns"), US(55));
	assert_int_equal(int_of(t, 0, "host_compute_ns"), US(5));
	arena_free(&mem);
	derived_free(d);
}

static void breakdowns_add_up_over_windows(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	const struct table *whole = steps_of(d, &mem);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		int64_t sum = 0;
		for (int64_t at = 0; at < MS(1000); at += 61234567)
			sum += sum_of(steps_in(d, &mem, at, at + 61234567), parts[i]);
		assert_int_equal(sum, sum_of(whole, parts[i]));
	}
	arena_free(&mem);
	derived_free(d);
}

static void devices_and_streams_add_up_over_windows(void **state)
{
	(void)state;
	static const char *const sums[] = {"kernels", "kernel_ns", "busy_ns"};
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	struct query all = query_all(), q = all;
	for (size_t i = 0; i < 3; i++) {
		int64_t devices = 0, streams = 0, idle = 0;
		for (int64_t at = 0; at < MS(1000); at += 61234567) {
			q.a_ns = at;
			q.b_ns = at + 61234567;
			const struct table *t = devices_desc.run(d, &q, &mem, NULL, NULL);
			devices += sum_of(t, sums[i]);
			idle += sum_of(t, "idle_ns");
			streams += sum_of(streams_desc.run(d, &q, &mem, NULL, NULL), sums[i]);
		}
		assert_int_equal(devices, sum_of(devices_desc.run(d, &all, &mem, NULL, NULL), sums[i]));
		assert_int_equal(streams, sum_of(streams_desc.run(d, &all, &mem, NULL, NULL), sums[i]));
		assert_int_equal(idle, MS(9));
	}
	arena_free(&mem);
	derived_free(d);
}

/* A loader that only frames or ranges of the program's own tell: the part of the step is the cause of the idle time, whatever its name is
 * trusted; what is surely something else inside of it is that on both faces. */
static void input_is_one_number(void **state)
{
	static const struct {
		enum event_kind kind;
		const char *name, *inside;
		int input_ms;
	} cases[] = {
		{KIND_PYTHON, "torch/utils/data/dataloader.py(631): __next__", "<built-in method read>", 10},
		{KIND_PYTHON, "torch/utils/data/dataloader.py(631): __next__", "cudaStreamSynchronize", 8},
		{KIND_ANNOTATION, "data", "aten::stack", 10},
		{KIND_ANNOTATION, "## data_load ##", "aten::stack", 10},
		{KIND_ANNOTATION, "dataload", "cudaStreamSynchronize", 8},
		{KIND_ANNOTATION, "train_dataloader_next", "aten::stack", 10},
		{KIND_ANNOTATION, "PrefetchDatasetIterator.__next__", "RangeMapDataset.__getitem__", 10}, /* Grain */
		{KIND_ANNOTATION, "data_dependent_loss", "aten::stack", 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build b = build_new("kineto");
		profiler_step(&b, 1, 1, 0, 20000);
		launch(&b, 1, 900, 5, 1);
		kernel(&b, 0, 7, "a", 1000, 1000, 1);
		host_event(&b, cases[i].kind, 1, cases[i].name, 3000, 10000);
		host_event(&b, cases[i].inside[0] == 'c' ? KIND_RUNTIME : KIND_OP, 1, cases[i].inside, 5000, 2000);
		launch(&b, 1, 15000, 5, 2);
		kernel(&b, 0, 7, "b", 15010, 1000, 2);
		struct derived *d = derive(&b);
		assert_int_equal(int_of(ask(d, "steps"), 0, "input_ns"), MS(cases[i].input_ms));
		assert_int_equal(int_of(ask(d, "idle"), 0, "input_wait_ns"), MS(cases[i].input_ms));
		ask_done(d);
	}
}

/* A call that waits for the device is no work of the host; where what was launched before it does not begin, idle time and the parts of
 * the step agree that the program does nothing then, and nothing of it is overhead. */
static void waits_are_no_work_of_the_host(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 20000);
	launch(&b, 1, 900, 100, 1);
	kernel(&b, 0, 7, "a", 1000, 1000, 1);
	launch(&b, 1, 2000, 100, 2);
	op(&b, 1, "aten::copy_", 3000, 10000);
	host_event(&b, KIND_RUNTIME, 1, "hipMemcpyWithStream", 3500, 9000);
	kernel(&b, 0, 7, "b", 19000, 1000, 2);
	struct derived *d = derive(&b);
	const struct table *t = ask(d, "steps");
	assert_int_equal(int_of(t, 0, "host_compute_ns"), MS(1));
	assert_int_equal(int_of(t, 0, "other_ns"), MS(20 - 2 - 1) - US(200));
	assert_int_equal(int_of(ask(d, "idle"), 0, "held_back_ns"), MS(17) - US(120));
	t = ask(d, "findings");
	uint32_t row = row_that_says(t, "rule", "worth-the-device");
	assert_string_equal(text_of(t, row, "severity"), "pass");
	assert_non_null(strstr(text_of(t, row, "sentence"), "launched work is held back"));
	ask_done(d);
}

static void a_filter_restricts_every_number(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	struct query q = query_all();
	struct filter *f = filter_new("step=2 name=adam", NULL);
	assert_true(filter_bind(f, derived_trace(d), NULL, NULL));
	q.filter = f;
	const struct table *t = devices_desc.run(d, &q, &mem, NULL, NULL);
	assert_int_equal(int_of(t, 0, "kernels"), 6);
	assert_int_equal(int_of(t, 0, "busy_ns"), MS(6));
	t = steps_desc.run(d, &q, &mem, NULL, NULL);
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "device_compute_ns"), MS(6));
	assert_int_equal(int_of(t, 0, "other_ns"), MS(94));
	filter_free(f);
	arena_free(&mem);
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collectives_on_the_host),
		cmocka_unit_test(the_ideal_program),
		cmocka_unit_test(every_part_has_words),
		cmocka_unit_test(input_is_called_what_it_is),
		cmocka_unit_test(the_most_important_activity_counts),
		cmocka_unit_test(what_encloses_the_step_is_nobodys_time),
		cmocka_unit_test(a_step_lasts_until_its_work_on_any_device_ends),
		cmocka_unit_test(a_compiler_is_not_host_compute),
		cmocka_unit_test(input_is_one_number),
		cmocka_unit_test(waits_are_no_work_of_the_host),
		cmocka_unit_test(breakdowns_add_up_over_windows),
		cmocka_unit_test(devices_and_streams_add_up_over_windows),
		cmocka_unit_test(a_filter_restricts_every_number),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
