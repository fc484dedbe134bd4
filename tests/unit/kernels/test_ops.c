/* Framework ops: names and types, self time, what counts as running where, and sums that hold. */
#include "model/analysis/names/op_names.h"
#include "tests/unit/ask.h"

static struct span text(const char *z)
{
	return (struct span){z, strlen(z)};
}

static bool is(struct span s, const char *z)
{
	return s.n == strlen(z) && !memcmp(s.p, z, s.n);
}

/* ---- names ---------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *name, *type;
	enum op_category category;
} names[] = {
	{"model/dense/MatMul:MatMul", "model/dense/MatMul", "MatMul", OP_TENSORFLOW},
	{"slow_decode:PyFunc", "slow_decode", "PyFunc", OP_TENSORFLOW},
	{"a/b_2/Conv2D_17:", "a/b_2/Conv2D_17", "Conv2D", OP_TENSORFLOW},
	{"n/_1:_HostRecv", "n/_1", "_HostRecv", OP_TENSORFLOW},
	{"jit(f)/jit(main)/add:add", "jit(f)/jit(main)/add", "add", OP_JAX},
	{"x:dot_general[precision=None]", "x", "dot_general", OP_JAX},
	{"Iterator::Batch::Map::TFRecord", "Iterator::Batch::Map::TFRecord", "Dataset", OP_DATASET},
	{"memcpyhtod", "memcpyhtod", "MemcpyHToD", OP_COPY},
	{"MemcpyH2D", "MemcpyH2D", "", OP_UNKNOWN},
	{"train 12", "train 12", "", OP_UNKNOWN},
	{"aten::mm", "aten::mm", "", OP_UNKNOWN},
	{":MatMul", ":MatMul", "", OP_UNKNOWN},
	{"", "", "", OP_UNKNOWN},
};

static void a_name_is_split_as_the_profiler_splits_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct op_name op = op_name_parse(text(names[i].text));
		if (!is(op.name, names[i].name) || !is(op.type, names[i].type) || op.category != names[i].category)
			fail_msg("'%s': name '%.*s' type '%.*s' category %d", names[i].text, (int)op.name.n, op.name.p,
				 (int)op.type.n, op.type.p, (int)op.category);
	}
}

static void views_and_empty_tensors_compute_nothing(void **state)
{
	(void)state;
	assert_true(op_only_describes(text("aten::view")));
	assert_true(op_only_describes(text("aten::empty_strided")));
	assert_false(op_only_describes(text("aten::mm")));
	assert_false(op_only_describes(text("aten::fill_")));
	assert_false(op_only_describes(text("view")));
}

/* ---- PyTorch: linear calls addmm, which launches; relu launches; a sum on the host --------------------------------- */

static struct derived *two_layers(void)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < 2; i++) {
		double at = i * 100.0;
		op(&b, 1, "aten::linear", at, 40);
		op(&b, 1, "aten::t", at + 2, 3);
		op(&b, 1, "aten::addmm", at + 10, 20);
		launch(&b, 1, at + 15, 5, 1 + (uint64_t)i * 10);
		launch(&b, 1, at + 22, 5, 2 + (uint64_t)i * 10);
		kernel(&b, 0, 7, "splitK_gemm", at + 30, 10, 1 + (uint64_t)i * 10);
		kernel(&b, 0, 7, "reduce", at + 42, 4, 2 + (uint64_t)i * 10);
		op(&b, 1, "aten::sum", at + 50, 30);
	}
	kernel(&b, 0, 8, "nobody's", 300, 7, 0);
	return derive(&b);
}

static uint32_t op_row(const struct table *t, const char *side, const char *name)
{
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!strcmp(text_of(t, r, "operation"), name) && !strcmp(text_of(t, r, "host_or_device"), side))
			return r;
	fail_msg("no op %s on %s", name, side);
	return 0;
}

static void self_time_leaves_out_the_ops_inside(void **state)
{
	(void)state;
	struct derived *d = two_layers();
	struct table *t = ask(d, "ops");
	uint32_t linear = op_row(t, "Host", "aten::linear"), addmm = op_row(t, "Host", "aten::addmm");
	assert_int_equal(int_of(t, linear, "total_time"), 80000);
	assert_int_equal(int_of(t, linear, "total_self_time"), 80000 - 6000 - 40000);
	assert_int_equal(int_of(t, addmm, "total_self_time"), 40000); /* launch calls are no ops */
	assert_int_equal(int_of(t, addmm, "occurrences"), 2);
	assert_string_equal(text_of(t, addmm, "type"), "addmm");
	ask_done(d);
}

static void device_work_belongs_to_the_innermost_op_of_its_launch(void **state)
{
	(void)state;
	struct derived *d = two_layers();
	struct table *t = ask(d, "ops");
	uint32_t addmm = op_row(t, "Device", "aten::addmm"), nobody = op_row(t, "Device", "(no op)");
	assert_int_equal(int_of(t, addmm, "total_self_time"), 28000);
	assert_int_equal(int_of(t, addmm, "occurrences"), 2); /* two ops, four kernels */
	assert_int_equal(int_of(t, addmm, "pieces"), 4);
	assert_int_equal(int_of(t, nobody, "total_self_time"), 7000);
	ask_done(d);
}

/* One kernel nobody launched, one launched outside of ops, three of a graph. */
static void work_without_an_op_says_why(void **state)
{
	(void)state;
	/* what a graph replays goes by its place, and its type is the kernel's family */
	static const struct {
		const char *name, *why;
		int64_t pieces, self_ns;
	} rows[] = {{"(no op)", "(no launch)", 1, 40000},
		    {"graph/other", "other", 3, 30000},
		    {"(no op)", "(outside ops)", 1, 20000}};
	struct build b = build_new("kineto");
	op(&b, 1, "aten::mm", 0, 10);
	launch(&b, 1, 2, 5, 1);
	kernel(&b, 0, 7, "gemm", 20, 10, 1);
	kernel(&b, 0, 7, "lost", 30, 40, 99);
	launch(&b, 1, 15, 5, 2);
	kernel(&b, 0, 7, "alone", 70, 20, 2);
	struct event_in e = build_event(&b, KIND_RUNTIME, build_thread(&b, 1), "cudaGraphLaunch", 25, 5);
	e.corr = 3;
	build_add(&b, &e);
	for (int i = 0; i < 3; i++)
		kernel(&b, 0, 7, "replayed", 100 + i * 10, 10, 3);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "ops"), *f = ask(d, "findings");
	for (uint32_t i = 0; i < 3; i++) {
		assert_string_equal(text_of(t, i, "operation"), rows[i].name);
		assert_string_equal(text_of(t, i, "type"), rows[i].why);
		assert_int_equal(int_of(t, i, "pieces"), rows[i].pieces);
		assert_int_equal(int_of(t, i, "total_self_time"), rows[i].self_ns);
	}
	assert_string_equal(text_of(t, 3, "operation"), "aten::mm");
	uint32_t row = 0;
	while (strcmp(text_of(f, row, "rule"), "op-share") != 0)
		row++;
	assert_non_null(strstr(text_of(f, row, "sentence"),
			       "60.0 % of the device time belongs to no op: launch not recorded 40.0 % (1 kernel or "
			       "copy), launched outside any op 20.0 % (1 kernel or copy). 30.0 % of the device time is "
			       "named by its place in replayed graphs."));
	assert_string_equal(text_of(f, row, "severity"), "info");
	ask_done(d);
}

static void what_calls_or_launches_does_not_run_on_the_host(void **state)
{
	(void)state;
	struct derived *d = two_layers();
	struct table *t = ask(d, "ops"), *o = ask(d, "overview");
	assert_int_equal(int_of(t, op_row(t, "Host", "aten::linear"), "runs_here"), 0);
	assert_int_equal(int_of(t, op_row(t, "Host", "aten::addmm"), "runs_here"), 0);
	assert_int_equal(int_of(t, op_row(t, "Host", "aten::t"), "runs_here"), 0);
	assert_int_equal(int_of(t, op_row(t, "Host", "aten::sum"), "runs_here"), 2);
	assert_string_equal(told(o, "device_ops_count_pct"), "50.0 %"); /* 2 addmm, 2 sum */
	assert_string_equal(told(o, "host_ops_count_pct"), "50.0 %");
	assert_string_equal(told(o, "host_ops_time_pct"), "68.2 %"); /* 60 of 60 + 28 */
	assert_string_equal(told(o, "top_op_1"), "aten::addmm");
	ask_done(d);
}

static void kernels_in_a_window_count_where_they_start_and_last_as_far_as_it_goes(void **state)
{
	(void)state;
	struct derived *d = two_layers();
	struct table *t = ask_window(d, "ops", 35000, 135000);
	uint32_t addmm = op_row(t, "Device", "aten::addmm");
	assert_int_equal(int_of(t, addmm, "total_self_time"), 5000 + 4000 + 5000);
	assert_int_equal(int_of(t, addmm, "pieces"), 2);
	ask_done(d);
}

static void sums_over_windows_are_the_sum_of_the_whole(void **state)
{
	(void)state;
	struct derived *d = two_layers();
	int64_t whole = sum_of(ask(d, "ops"), "total_self_time"), parts = 0;
	for (int64_t a = 0; a < 310000; a += 31000)
		parts += sum_of(ask_window(d, "ops", a, a + 31000), "total_self_time");
	assert_int_equal(parts, whole);
	ask_done(d);
}

static void types_add_up_to_the_ops(void **state)
{
	(void)state;
	struct derived *d = two_layers();
	struct table *ops = ask(d, "ops"), *types = ask(d, "op_types");
	static const char *const columns[] = {"occurrences", "total_time", "total_self_time", "pieces"};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		assert_int_equal(sum_of(ops, columns[i]), sum_of(types, columns[i]));
	assert_int_equal(sum_of(types, "ops"), ops->n_rows);
	ask_done(d);
}

static int64_t device_self(const struct table *t)
{
	int64_t sum = 0;
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!strcmp(text_of(t, r, "host_or_device"), "Device"))
			sum += int_of(t, r, "total_self_time");
	return sum;
}

/* Kernels that overlap on one stream: the moment belongs to what began last, and to one only. */
static void device_self_times_add_up_to_the_busy_time_of_streams(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 7, "b", 5, 10, 0);
	kernel(&b, 0, 7, "c", 6, 2, 0);
	kernel(&b, 0, 8, "d", 0, 12, 0);
	struct derived *d = derive(&b);
	assert_int_equal(device_self(ask(d, "ops")), 15000 + 12000);
	assert_int_equal(sum_of(ask(d, "streams"), "busy_ns"), 15000 + 12000);
	ask_done(d);
}

/* ---- TensorFlow -------------------------------------------------------------------------------------------------------- */

static void an_op_that_runs_on_a_device_does_not_run_on_the_host(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct kernel_info k;
	kernel_info_init(&k);
	k.op = build_text(&b, "dense/MatMul");
	k.op_type = build_text(&b, "MatMul");
	op(&b, 1, "dense/MatMul:MatMul", 0, 5); /* the executor's part of it */
	op(&b, 1, "Unique:Unique", 10, 5);
	struct event_in e = build_event(&b, KIND_KERNEL, build_stream(&b, 0, 7), "gemm", 20, 30);
	e.detail = ingest_kernel(b.in, &k);
	build_add(&b, &e);
	struct derived *d = derive(&b);
	struct table *o = ask(d, "overview");
	assert_int_equal(value_of(o, "device_ops")->i, 1);
	assert_int_equal(value_of(o, "host_ops")->i, 1);
	assert_string_equal(told(o, "host_ops_count_pct"), "50.0 %");
	ask_done(d);
}

static void eager_is_what_no_function_runs(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	host_event(&b, KIND_ANNOTATION, 1, "EagerLocalExecute: Relu", 0, 30);
	host_event(&b, KIND_ANNOTATION, 1, "EagerLocalExecute: __inference_train_7", 100, 70);
	op(&b, 1, "dense/MatMul:MatMul", 110, 50);
	op(&b, 1, "Iterator::Map", 200, 20);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "ops");
	assert_string_equal(text_of(t, op_row(t, "Host", "Relu"), "eager"), "Eager");
	assert_string_equal(text_of(t, op_row(t, "Host", "dense/MatMul"), "eager"), "Function");
	assert_string_equal(told(ask(d, "overview"), "eager_host_pct"), "30.0 %");
	ask_done(d);
}

static void compiled_regions_of_pytorch_are_not_eager(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	host_event(&b, KIND_ANNOTATION, 1, "## Call CompiledFxGraph fabc ##", 0, 50);
	op(&b, 1, "aten::mm", 10, 30);
	op(&b, 1, "aten::add", 60, 10);
	struct derived *d = derive(&b);
	assert_string_equal(told(ask(d, "overview"), "eager_host_pct"), "25.0 %");
	ask_done(d);
}

/* A CUDA program of whatever sort: nobody recorded who asked for the launches. */
static void without_ops_nothing_is_called_eager(void **state)
{
	(void)state;
	struct build b = build_new("live");
	host_event(&b, KIND_ANNOTATION, 1, "train 5", 0, 60);
	launch(&b, 1, 10, 5, 1);
	kernel(&b, 0, 7, "gemm", 20, 10, 1);
	struct event_in graph = build_event(&b, KIND_RUNTIME, build_thread(&b, 1), "cuGraphLaunch", 30, 5);
	graph.corr = 2;
	build_add(&b, &graph);
	kernel(&b, 0, 7, "gemm", 40, 10, 2);
	struct derived *d = derive(&b);
	assert_true(value_of(ask(d, "overview"), "eager_device_pct")->null);
	struct table *t = ask(d, "ops");
	assert_true(cell_of(t, op_row(t, "Device", "(no op)"), "eager")->null);
	ask_done(d);
}

/* The reference tool: begins and ends paired, kernels of no op not counted, IDLE for each thread. */
static void xprof_counts_idle_and_no_work_without_op(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op(&b, 1, "a:MatMul", 0, 10);
	op(&b, 1, "b:Relu", 2, 4);
	op(&b, 1, "a:MatMul", 30, 10);
	kernel(&b, 0, 7, "k", 0, 10, 0);
	kernel(&b, 0, 7, "k", 50, 10, 0);
	struct derived *d = derive_as(&b, &(struct derived_opts){.semantics = SEM_XPROF});
	struct table *t = ask(d, "ops");
	assert_int_equal(t->n_rows, 4);
	assert_int_equal(int_of(t, op_row(t, "Host", "a"), "total_self_time"), 16000);
	assert_int_equal(int_of(t, op_row(t, "Host", "IDLE"), "total_time"), 20000);
	assert_int_equal(int_of(t, op_row(t, "Device", "IDLE"), "total_time"), 60000);
	assert_string_equal(shown(t, op_row(t, "Host", "a"), "host_total_self_time_percent"), "40.0 %");
	assert_string_equal(shown(t, op_row(t, "Host", "a"), "self_share_pct"), "80.0 %");
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_split_as_the_profiler_splits_it),
		cmocka_unit_test(views_and_empty_tensors_compute_nothing),
		cmocka_unit_test(self_time_leaves_out_the_ops_inside),
		cmocka_unit_test(device_work_belongs_to_the_innermost_op_of_its_launch),
		cmocka_unit_test(work_without_an_op_says_why),
		cmocka_unit_test(what_calls_or_launches_does_not_run_on_the_host),
		cmocka_unit_test(kernels_in_a_window_count_where_they_start_and_last_as_far_as_it_goes),
		cmocka_unit_test(sums_over_windows_are_the_sum_of_the_whole),
		cmocka_unit_test(types_add_up_to_the_ops),
		cmocka_unit_test(device_self_times_add_up_to_the_busy_time_of_streams),
		cmocka_unit_test(an_op_that_runs_on_a_device_does_not_run_on_the_host),
		cmocka_unit_test(eager_is_what_no_function_runs),
		cmocka_unit_test(compiled_regions_of_pytorch_are_not_eager),
		cmocka_unit_test(without_ops_nothing_is_called_eager),
		cmocka_unit_test(xprof_counts_idle_and_no_work_without_op),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
