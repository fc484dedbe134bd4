/* The kernel table: grouping, clipping, what is known and what is not. */
#include "tests/unit/ask.h"

struct launch_shape {
	uint32_t registers, smem, grid, block;
	float occupancy;
};

static void shaped_kernel(struct build *b, const char *name, const char *op, struct launch_shape s, double start_us,
			  double dur_us)
{
	struct kernel_info k;
	kernel_info_init(&k);
	k.registers = s.registers;
	k.dynamic_smem_bytes = s.smem;
	k.grid[0] = s.grid;
	k.block[0] = s.block;
	k.occupancy_pct = s.occupancy;
	k.op = build_text(b, op);
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, 0, 7), name, start_us, dur_us);
	e.detail = ingest_kernel(b->in, &k);
	build_add(b, &e);
}

static const struct launch_shape plain = {32, 1024, 80, 256, 50};

static void equal_launches_are_one_row(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	shaped_kernel(&b, "volta_sgemm_128x32_nn", "dense/MatMul", plain, 0, 10);
	shaped_kernel(&b, "volta_sgemm_128x32_nn", "dense/MatMul", plain, 10, 31);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "kernels"), 2);
	assert_int_equal(int_of(t, 0, "total_ns"), US(41));
	assert_int_equal(int_of(t, 0, "avg_ns"), 20500);
	assert_int_equal(int_of(t, 0, "min_ns"), US(10));
	assert_int_equal(int_of(t, 0, "max_ns"), US(31));
	assert_int_equal(int_of(t, 0, "registers"), 32);
	assert_int_equal(int_of(t, 0, "smem_bytes"), 1024);
	assert_string_equal(text_of(t, 0, "block"), "256,1,1");
	assert_string_equal(text_of(t, 0, "grid"), "80,1,1");
	assert_string_equal(text_of(t, 0, "op"), "dense/MatMul");
	assert_string_equal(shown(t, 0, "kernel_time_pct"), "100.0 %");
	assert_int_equal(table_evidence_of(t, 0)->rows[0], row_named(derived_trace(d), "volta_sgemm_128x32_nn") + 1);
	ask_done(d);
}

static void shared_memory_has_parts_where_both_are_recorded(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	static const uint32_t parts[3][2] = {{512, 1024}, {4096, UNKNOWN_U32}, {UNKNOWN_U32, UNKNOWN_U32}};
	static const char *const names[] = {"both", "sum", "nothing"};
	for (int i = 0; i < 3; i++) {
		struct kernel_info k;
		kernel_info_init(&k);
		k.static_smem_bytes = parts[i][0];
		k.dynamic_smem_bytes = parts[i][1];
		struct event_in e =
			build_event(&b, KIND_KERNEL, build_stream(&b, 0, 7), names[i], i * 100, 30 - i * 10);
		e.detail = ingest_kernel(b.in, &k);
		build_add(&b, &e);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	assert_int_equal(int_of(t, 0, "smem_bytes"), 1536);
	assert_int_equal(int_of(t, 0, "static_smem_bytes"), 512);
	assert_int_equal(int_of(t, 0, "dynamic_smem_bytes"), 1024);
	assert_int_equal(int_of(t, 1, "smem_bytes"), 4096);
	assert_true(cell_of(t, 1, "static_smem_bytes")->null && cell_of(t, 1, "dynamic_smem_bytes")->null);
	assert_true(cell_of(t, 2, "smem_bytes")->null && cell_of(t, 2, "static_smem_bytes")->null);
	ask_done(d);
}

static void every_part_of_the_key_makes_a_row_of_its_own(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct launch_shape registers = plain, smem = plain, grid = plain, block = plain, occupancy = plain;
	registers.registers = 33;
	smem.smem = 2048;
	grid.grid = 81;
	block.block = 128;
	occupancy.occupancy = 51; /* not part of the key */
	shaped_kernel(&b, "k", "op", plain, 0, 10);
	shaped_kernel(&b, "k", "op", registers, 10, 10);
	shaped_kernel(&b, "k", "op", smem, 20, 10);
	shaped_kernel(&b, "k", "op", grid, 30, 10);
	shaped_kernel(&b, "k", "op", block, 40, 10);
	shaped_kernel(&b, "k", "op_1", plain, 50, 10);
	shaped_kernel(&b, "k2", "op", plain, 60, 10);
	shaped_kernel(&b, "k", "op", occupancy, 70, 10);
	struct derived *d = derive(&b);
	assert_int_equal(ask(d, "kernels")->n_rows, 7);
	ask_done(d);
}

static void rows_are_sorted_by_time_and_ties_by_the_key(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	shaped_kernel(&b, "b", "", plain, 0, 10);
	shaped_kernel(&b, "long", "", plain, 10, 90);
	shaped_kernel(&b, "a", "z", plain, 100, 10);
	shaped_kernel(&b, "a", "y", plain, 110, 10);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	char order[64] = "";
	for (uint32_t r = 0; r < t->n_rows; r++)
		snprintf(order + strlen(order), 32, "%s/%s ", text_of(t, r, "name"), text_of(t, r, "op"));
	assert_string_equal(order, "long/- a/y a/z b/- ");
	ask_done(d);
}

static void what_the_trace_does_not_tell_is_null(void **state)
{
	(void)state;
	static const char *const unknown[] = {"registers", "smem_bytes",  "block",   "grid",     "occupancy_pct",
					      "op",        "tc_eligible", "uses_tc", "precision"};
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "mystery", 0, 10, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		assert_true(cell_of(t, 0, unknown[i])->null);
	ask_done(d);
}

static void the_op_is_the_innermost_one_around_the_launch(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "aten::linear", 0, 50);
	op(&b, 1, "aten::mm", 10, 20);
	launch(&b, 1, 15, 5, 77);
	kernel(&b, 0, 7, "gemm", 100, 10, 77);
	kernel(&b, 0, 7, "gemm", 120, 10, 77);
	kernel(&b, 0, 7, "gemm", 140, 10, 0); /* no launch: another row */
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(text_of(t, 0, "op"), "aten::mm");
	assert_int_equal(int_of(t, 0, "kernels"), 2);
	assert_true(cell_of(t, 0, "tc_eligible")->b);
	ask_done(d);
}

static void windows_clip_time_and_count_what_starts_inside(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 10, 0);
	kernel(&b, 0, 7, "k", 10, 30, 0);
	kernel(&b, 0, 7, "k", 50, 20, 0);
	struct derived *d = derive(&b);
	struct table *t = ask_window(d, "kernels", US(5), US(55));
	assert_int_equal(int_of(t, 0, "total_ns"), US(5 + 30 + 5));
	assert_int_equal(int_of(t, 0, "kernels"), 2);
	assert_int_equal(int_of(t, 0, "max_ns"), US(30)); /* whole lengths */
	assert_int_equal(int_of(t, 0, "min_ns"), US(20));
	struct table *inner = ask_window(d, "kernels", US(15), US(20));
	assert_int_equal(int_of(inner, 0, "total_ns"), US(5));
	assert_int_equal(int_of(inner, 0, "kernels"), 0);
	assert_true(cell_of(inner, 0, "avg_ns")->null);
	assert_int_equal(ask_window(d, "kernels", US(41), US(49))->n_rows, 0);
	ask_done(d);
}

static void sums_over_a_partition_equal_the_whole(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 50; i++)
		kernel(&b, 0, 7 + i % 3, i % 2 ? "odd" : "even", i * 7.123, 9.337, 0);
	struct derived *d = derive(&b);
	struct table *whole = ask(d, "kernels");
	int64_t total = 0, count = 0, span = trace_span_ns(derived_trace(d));
	for (int64_t a = 0; a < span; a += 12345) {
		struct table *part = ask_window(d, "kernels", a, a + 12345);
		total += sum_of(part, "total_ns");
		count += sum_of(part, "kernels");
	}
	assert_int_equal(total, sum_of(whole, "total_ns"));
	assert_int_equal(count, 50);
	ask_done(d);
}

static struct derived *two_occupancies(const char *rules)
{
	struct build b = build_new("xspace");
	struct launch_shape other = plain;
	other.occupancy = 100;
	shaped_kernel(&b, "k", "op", plain, 0, 30);
	shaped_kernel(&b, "k", "op", other, 30, 10);
	return derive_as(&b, &(struct derived_opts){.tc_rules = rules});
}

static void occupancy_is_the_mean_by_duration_or_the_first_with_the_reference_rules(void **state)
{
	(void)state;
	struct derived *ours = two_occupancies(NULL), *xprof = two_occupancies("xprof");
	assert_float_equal(cell_of(ask(ours, "kernels"), 0, "occupancy_pct")->r, 62.5, 1e-9);
	assert_float_equal(cell_of(ask(xprof, "kernels"), 0, "occupancy_pct")->r, 50.0, 1e-9);
	derived_free(xprof);
	ask_done(ours);
}

static void filters_choose_kernels(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "gemm", 0, 10, 0);
	kernel(&b, 0, 8, "relu", 10, 5, 0);
	kernel(&b, 1, 7, "gemm", 20, 5, 0);
	struct derived *d = derive(&b);
	assert_int_equal(sum_of(ask_filter(d, "kernels", "gemm"), "kernels"), 2);
	assert_int_equal(sum_of(ask_filter(d, "kernels", "gemm device=0"), "total_ns"), US(10));
	assert_int_equal(ask_filter(d, "kernels", "nothing")->n_rows, 0);
	ask_done(d);
}

/* The guide's fp16 model that falls back: which rows use Tensor Cores, which could. */
static void tensor_core_fall_backs_are_told_apart(void **state)
{
	(void)state;
	static const struct {
		const char *kernel, *op;
		bool uses, eligible;
		const char *precision;
	} rows[] = {
		{"volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", "dense/MatMul", true, true, "fp16"},
		{"volta_sgemm_128x64_nn", "dense_1/MatMul", false, true, "fp32"},
		{"volta_fp16_sgemm_fp16_128x64_nn", "dense_2/MatMul", false, true, "fp16"},
		{"turing_fp16_s1688cudnn_fp16_128x128_ldg8_relu_f2f", "conv/Conv2D", true, true, "fp16"},
		{"void at::native::vectorized_elementwise_kernel<4, float>(int)", "activation/Relu", false, false,
		 "fp32"},
	};
	struct build b = build_new("xspace");
	for (int i = 0; i < 5; i++)
		shaped_kernel(&b, rows[i].kernel, rows[i].op, plain, i * 100.0, 90 - i);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	for (uint32_t i = 0; i < 5; i++) {
		assert_string_equal(text_of(t, i, "name"), rows[i].kernel);
		assert_int_equal(cell_of(t, i, "uses_tc")->b, rows[i].uses);
		assert_int_equal(cell_of(t, i, "tc_eligible")->b, rows[i].eligible);
		assert_string_equal(text_of(t, i, "precision"), rows[i].precision);
	}
	ask_done(d);
}

static void percentiles_are_of_whole_kernels_that_start_inside(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 100; i++)
		kernel(&b, 0, 7, "k", i * 200, i + 1, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels"), *cut = ask_window(d, "kernels", US(19850), US(19901));
	assert_int_equal(int_of(t, 0, "p50_ns"), US(50));
	assert_int_equal(int_of(t, 0, "p95_ns"), US(95));
	assert_int_equal(int_of(t, 0, "p99_ns"), US(99));
	assert_true(cell_of(cut, 0, "p50_ns")->null); /* the last one began before */
	ask_done(d);
}

static void launches_are_counted_per_step_that_runs_kernels(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 3; i++) {
		profiler_step(&b, 1, i, i * 100, 90);
		for (int k = 0; k < (i < 2 ? 2 : 0); k++) {
			launch(&b, 1, i * 100 + 5 + k, 1, (uint64_t)(i * 10 + k + 1));
			kernel(&b, 0, 7, "k", i * 100 + 10 + k * 20, 10, (uint64_t)(i * 10 + k + 1));
		}
	}
	struct derived *d = derive(&b);
	assert_float_equal(cell_of(ask(d, "kernels"), 0, "kernels_per_step")->r, 2, 1e-9);
	ask_done(d);
}

static void without_steps_nothing_is_per_step(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 10, 0);
	struct derived *d = derive(&b);
	assert_true(cell_of(ask(d, "kernels"), 0, "kernels_per_step")->null);
	assert_true(cell_of(ask(d, "kernels"), 0, "graph_pct")->null); /* no launch is known */
	ask_done(d);
}

static void graph_launch(struct build *b, double start_us, uint64_t corr)
{
	struct event_in e = build_event(b, KIND_RUNTIME, build_thread(b, 1), "cudaGraphLaunch", start_us, 1);
	e.corr = corr;
	build_add(b, &e);
}

static void kernels_of_a_replayed_graph_are_told(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	graph_launch(&b, 0, 1);
	launch(&b, 1, 2, 1, 2);
	for (int i = 0; i < 3; i++)
		kernel(&b, 0, 7, "k", 10 + i * 10, 5, 1);
	kernel(&b, 0, 7, "k", 100, 5, 2);
	kernel(&b, 0, 7, "k", 200, 5, 0);
	struct derived *d = derive(&b);
	assert_float_equal(cell_of(ask(d, "kernels"), 0, "graph_pct")->r, 75, 1e-9);
	ask_done(d);
}

static void streams_are_named(void **state)
{
	(void)state;
	struct build one = build_new("chrome"), many = build_new("chrome");
	for (int i = 0; i < 5; i++) {
		kernel(&one, 0, 7 + i, "k", i * 10, 5, 0);
		kernel(&many, i % 2, 7, "k", i * 10, 5, 0);
	}
	struct derived *d = derive(&one), *devices = derive(&many);
	struct table *t = ask(d, "kernels");
	assert_string_equal(text_of(t, 0, "on_streams"), "7 8 9 +2");
	assert_int_equal(int_of(t, 0, "streams"), 5);
	assert_string_equal(text_of(ask(devices, "kernels"), 0, "on_streams"), "0:7 1:7");
	derived_free(devices);
	ask_done(d);
}

static struct derived *on_device(float told, const char *semantics)
{
	struct build b = build_new("chrome");
	struct device *v100 = ingest_device_info(b.in, ingest_device(b.in, b.host, 0));
	v100->cc_major = 7;
	v100->cc_minor = 0;
	v100->sms = 80;
	shaped_kernel(&b, "k", "", (struct launch_shape){64, 60000, 100, 256, told}, 0, 10);
	return derive_as(&b, &(struct derived_opts){.semantics = *semantics == 'k' ? SEM_KINETO : SEM_STEPSCOPE});
}

static void a_told_occupancy_of_nothing_is_computed(void **state)
{
	(void)state;
	struct derived *given = on_device(12, ""), *zero = on_device(0, ""), *as_told = on_device(0, "kineto");
	struct table *t = ask(zero, "kernels");
	assert_string_equal(text_of(ask(given, "kernels"), 0, "occupancy_by"), "given");
	assert_string_equal(shown(ask(given, "kernels"), 0, "occupancy_pct"), "12.0 %");
	assert_string_equal(text_of(t, 0, "occupancy_by"), "computed");
	assert_string_equal(shown(t, 0, "occupancy_pct"), "12.5 %"); /* one block of 256 threads fits */
	assert_string_equal(text_of(t, 0, "limited_by"), "shared memory");
	assert_string_equal(shown(t, 0, "tail_pct"), "75.0 %"); /* 100 blocks, 80 at once */
	assert_string_equal(shown(ask(as_told, "kernels"), 0, "occupancy_pct"), "0.0 %");
	derived_free(given);
	derived_free(as_told);
	ask_done(zero);
}

static void many_names_and_ops_stay_apart(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	char name[32], op_name[32];
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "k%d", i % 1000);
		snprintf(op_name, sizeof op_name, "op%d", i % 3);
		shaped_kernel(&b, name, op_name, plain, i * 10.0, 5);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "kernels");
	assert_int_equal(t->n_rows, 3000); /* 1000 and 3 have no common divisor */
	assert_int_equal(sum_of(t, "kernels"), 3000);
	ask_done(d);
}

static void wrong_rules_are_an_error(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 1, 0);
	struct err e = {0};
	struct trace *t = build_seal(&b);
	struct derived *d = derived_new(t, &(struct derived_opts){.tc_rules = "/no/such.rules"}, NULL, &e);
	struct query q = query_all();
	struct arena mem = {0};
	assert_true(!d || !kernels_desc.run(d, &q, &mem, NULL, &e));
	assert_non_null(strstr(e.msg, "/no/such.rules"));
	derived_free(d);
	arena_free(&mem);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_launches_are_one_row),
		cmocka_unit_test(shared_memory_has_parts_where_both_are_recorded),
		cmocka_unit_test(every_part_of_the_key_makes_a_row_of_its_own),
		cmocka_unit_test(rows_are_sorted_by_time_and_ties_by_the_key),
		cmocka_unit_test(what_the_trace_does_not_tell_is_null),
		cmocka_unit_test(the_op_is_the_innermost_one_around_the_launch),
		cmocka_unit_test(windows_clip_time_and_count_what_starts_inside),
		cmocka_unit_test(sums_over_a_partition_equal_the_whole),
		cmocka_unit_test(occupancy_is_the_mean_by_duration_or_the_first_with_the_reference_rules),
		cmocka_unit_test(filters_choose_kernels),
		cmocka_unit_test(tensor_core_fall_backs_are_told_apart),
		cmocka_unit_test(percentiles_are_of_whole_kernels_that_start_inside),
		cmocka_unit_test(launches_are_counted_per_step_that_runs_kernels),
		cmocka_unit_test(without_steps_nothing_is_per_step),
		cmocka_unit_test(kernels_of_a_replayed_graph_are_told),
		cmocka_unit_test(streams_are_named),
		cmocka_unit_test(a_told_occupancy_of_nothing_is_computed),
		cmocka_unit_test(many_names_and_ops_stay_apart),
		cmocka_unit_test(wrong_rules_are_an_error),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
