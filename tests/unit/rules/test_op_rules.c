/* Ops worth a device and ops that only the host has; findings about where ops run; the roofline of work of known cost. */
#include "model/analysis/ops/roofline.h"
#include "model/analysis/rules/op_rules.h"
#include "model/analysis/rules/peaks.h"
#include "tests/unit/ask.h"

static struct span text(const char *z)
{
	return (struct span){z, strlen(z)};
}

static void heavy_ops_and_ops_of_the_host_are_known(void **state)
{
	static const struct {
		const char *name, *type;
		enum op_sort sort;
	} ops[] = {
		{"model/dense/MatMul", "MatMul", OP_COMPUTE},
		{"g/Conv2DBackpropFilter", "Conv2DBackpropFilter", OP_COMPUTE},
		{"jit(f)/dot_general", "dot_general", OP_COMPUTE},
		{"aten::addmm", "addmm", OP_COMPUTE},
		{"aten::addmm_x", "addmm_x", OP_ORDINARY},
		{"model/Unique", "Unique", OP_HOST_ONLY},
		{"py", "EagerPyFunc", OP_HOST_ONLY},
		{"decode", "DecodeJpeg", OP_HOST_ONLY},
		{"aten::item", "item", OP_HOST_ONLY},
		{"model/Add", "Add", OP_ORDINARY},
		{"", "", OP_ORDINARY},
	};
	(void)state;
	struct err e = {0};
	struct op_rules *r = op_rules_builtin(&e);
	if (!r)
		fail_msg("%s", e.msg);
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (op_rules_ask(r, text(ops[i].name), text(ops[i].type)) != ops[i].sort)
			fail_msg("%s %s", ops[i].name, ops[i].type);
	op_rules_free(r);
}

static void a_wrong_line_is_named(void **state)
{
	static const char *const bad[] = {"[compute]\nkind is MatMul\n", "[compute]\ntype like MatMul\n", "[slow]\n"};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = {0};
		assert_null(op_rules_read(bad[i], strlen(bad[i]), &e));
		assert_non_null(strstr(e.msg, "rules of ops, line "));
	}
}

/* ---- findings ------------------------------------------------------------------------------------------------------------- */

static uint32_t told_of(const struct table *t, const char *rule, const char *severity)
{
	uint32_t n = 0;
	for (uint32_t r = 0; r < t->n_rows; r++)
		n += !strcmp(text_of(t, r, "rule"), rule) && !strcmp(text_of(t, r, "severity"), severity);
	return n;
}

static struct derived *program(bool matmul_on_host, double us)
{
	struct build b = build_new("chrome");
	op(&b, 1, "aten::relu", 0, 20);
	launch(&b, 1, 5, 5, 1);
	kernel(&b, 0, 7, "relu", 10, 1000, 1);
	if (matmul_on_host)
		op(&b, 1, "aten::mm", 50, us);
	return derive(&b);
}

static void a_heavy_op_on_the_host_is_warned_of(void **state)
{
	(void)state;
	struct derived *d = program(true, 200);
	assert_int_equal(told_of(ask(d, "findings"), "op-placement", "warn"), 1);
	ask_done(d);
}

static void one_that_takes_next_to_nothing_is_not(void **state)
{
	(void)state;
	struct derived *d = program(true, 5);
	assert_int_equal(told_of(ask(d, "findings"), "op-placement", "warn"), 0);
	assert_int_equal(told_of(ask(d, "findings"), "op-placement", "pass"), 1);
	ask_done(d);
}

/* Each of 30 ops takes a quarter of a per cent: their type takes 7. */
static void small_ops_of_one_type_add_up(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op(&b, 1, "train/relu:Relu", 0, 20);
	launch(&b, 1, 5, 5, 1);
	kernel(&b, 0, 7, "relu", 10, 1000, 1);
	for (int i = 0; i < 30; i++) {
		char name[40];
		snprintf(name, sizeof name, "embedding_%d/Unique:Unique", i);
		op(&b, 1, name, 50 + i * 4, 2.5);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings"), *types = ask(d, "op_types");
	assert_int_equal(told_of(t, "op-placement", "info"), 1);
	uint32_t r = 0;
	while (strcmp(text_of(t, r, "rule"), "op-placement") != 0 || strcmp(text_of(t, r, "severity"), "info") != 0)
		r++;
	assert_string_equal(text_of(t, r, "sentence"),
			    "30 ops of type Unique run on the host by implementation: 30 times, "
			    "75.000 us, 7.0 % of all op time.");
	for (r = 0; strcmp(text_of(types, r, "type"), "Unique") != 0;)
		r++;
	assert_int_equal(int_of(types, r, "placed_ops"), 30);
	assert_int_equal(int_of(types, r, "placed_runs"), 30);
	assert_int_equal(int_of(types, r, "placed_self_ns"), 75000);
	assert_string_equal(shown(types, r, "placed_pct"), "7.0 %");
	assert_string_equal(text_of(types, r, "placement"), "host only");
	ask_done(d);
}

/* A slow first step is warm-up: what only it does on the host is no advice for the others. */
static void what_only_the_warm_up_does_is_not_told(void **state)
{
	(void)state;
	for (int in_all = 0; in_all < 2; in_all++) {
		struct build b = build_new("kineto");
		for (int i = 0; i < 5; i++) {
			double at = i ? 4000 + i * 1000 : 0;
			profiler_step(&b, 1, i, at, i ? 1000 : 5000);
			op(&b, 1, "aten::relu", at, 20);
			launch(&b, 1, at + 5, 5, (uint64_t)i + 1);
			kernel(&b, 0, 7, "relu", at + 10, 300, (uint64_t)i + 1);
			if (!i || in_all)
				op(&b, 1, "aten::mm", at + 400, 200);
		}
		struct derived *d = derive(&b);
		struct table *t = ask(d, "findings");
		assert_int_equal(told_of(t, "op-placement", "warn"), in_all);
		for (uint32_t r = 0; in_all && r < t->n_rows; r++)
			if (!strcmp(text_of(t, r, "rule"), "op-placement") &&
			    !strcmp(text_of(t, r, "severity"), "warn"))
				assert_non_null(strstr(text_of(t, r, "sentence"),
						       "4 times, 800.000 us, 40.0 % of all op time in "
						       "steady steps."));
		ask_done(d);
	}
}

/* tf.data is where it belongs, and so is what runs inside of it. */
static void ops_of_the_pipeline_are_not_told(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op(&b, 1, "train/relu:Relu", 0, 20);
	launch(&b, 1, 5, 5, 1);
	kernel(&b, 0, 7, "relu", 10, 100, 1);
	op(&b, 2, "Iterator::Root::Map", 0, 90);
	op(&b, 2, "decode:DecodeJpeg", 10, 60);
	struct derived *d = derive(&b);
	assert_int_equal(told_of(ask(d, "findings"), "op-placement", "info"), 0);
	ask_done(d);
}

/* While a graph is captured calls launch work that runs later, elsewhere or not at all. */
static void an_op_that_launches_what_never_ran_is_not_on_the_host(void **state)
{
	(void)state;
	for (int captured = 0; captured < 2; captured++) {
		struct build b = build_new("kineto");
		op(&b, 1, "aten::relu", 0, 20);
		launch(&b, 1, 5, 5, 1);
		kernel(&b, 0, 7, "relu", 10, 100, 1);
		op(&b, 1, "aten::addmm", 30, 90);
		if (captured)
			launch(&b, 1, 35, 5, 2);
		struct derived *d = derive(&b);
		assert_int_equal(told_of(ask(d, "findings"), "op-placement", "warn"), !captured);
		ask_done(d);
	}
}

/* 100 times as long does not fit into 64 bits. */
static void one_of_three_years_is_warned_of_too(void **state)
{
	(void)state;
	struct derived *d = program(true, 1e14);
	assert_int_equal(told_of(ask(d, "findings"), "op-placement", "warn"), 1);
	ask_done(d);
}

static void without_ops_nothing_is_said_about_their_place(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 10, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	assert_int_equal(told_of(t, "op-placement", "unknown"), 0); /* said once, with the share */
	assert_int_equal(told_of(t, "op-share", "unknown"), 1);
	ask_done(d);
}

/* ---- roofline --------------------------------------------------------------------------------------------------------------- */

/* 10 Tops/s and 1 TB/s: the ridge lies at 10 operations per byte. */
static struct op_work work(double flops, double bytes)
{
	enum { NS = 1000 };
	return (struct op_work){.flops = flops,
				.bytes = bytes,
				.all_ns = NS,
				.flops_ns = NS,
				.bytes_ns = NS,
				.roof_flops = 1e13 * NS,
				.roof_bytes = 1e12 * NS};
}

static void little_arithmetic_per_byte_is_bound_by_memory(void **state)
{
	(void)state;
	struct op_work w = work(1e6, 5e5); /* 2 per byte: 2 Tops/s are possible, 1 is reached */
	struct roofline r = roofline_of(&w);
	assert_string_equal(r.bound_by, "HBM");
	assert_true(r.roof_flops == 2e12 && r.flop_rate == 1e12 && r.share_pct == 50 && r.ridge == 10);
	w = work(8e6, 2e5); /* 40 per byte: 8 of 10 Tops/s */
	r = roofline_of(&w);
	assert_string_equal(r.bound_by, "Compute");
	assert_true(fabs(r.share_pct - 80) < 1e-9);
}

static void copies_are_held_against_the_memory(void **state)
{
	(void)state;
	struct op_work w = work(0, 2.5e5);
	struct roofline r = roofline_of(&w);
	assert_string_equal(r.bound_by, "HBM");
	assert_true(r.share_pct == 25 && isnan(r.roof_flops));
}

static void without_peaks_there_is_no_share(void **state)
{
	(void)state;
	struct op_work w = work(1e6, 5e5);
	w.roof_flops = w.roof_bytes = NAN;
	struct roofline r = roofline_of(&w);
	assert_null(r.bound_by);
	assert_true(isnan(r.share_pct) && r.flop_rate == 1e12);
	struct roofline none = roofline_of(&(struct op_work){0});
	assert_true(isnan(none.flop_rate) && isnan(none.share_pct) && !none.bound_by);
}

/* TensorFlow: kernels name op and shape; two kernels of one run are one product. */
static void a_product_of_two_kernels_is_counted_once(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	struct kernel_info k;
	kernel_info_init(&k);
	k.op = build_text(&b, "dense/MatMul");
	k.op_type = build_text(&b, "MatMul");
	k.shape = build_text(&b, "(float[64,512];float[512,1024])");
	for (int i = 0; i < 6; i++) {
		struct event_in e = build_event(&b, KIND_KERNEL, build_stream(&b, 0, 7),
						i % 2 ? "reduce" : "gemm_splitk", i * 10, 5);
		e.detail = ingest_kernel(b.in, &k);
		build_add(&b, &e);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "roofline");
	assert_true(cell_of(t, 0, "flops")->r == 3 * 2.0 * 64 * 512 * 1024);
	assert_int_equal(int_of(t, 0, "time_ns"), 30000);
	assert_true(cell_of(t, 0, "roof_pct")->null); /* nobody knows this device */
	ask_done(d);
}

/* aten::copy_ of 1 MiB each, launched at start_us. */
static void copy_op(struct build *b, double start_us, uint64_t corr)
{
	const char *dims = "[[262144],[262144]]", *types = "[\"float\",\"float\"]";
	const struct attr attrs[] = {
		{.key = build_text(b, "Input Dims"), .type = ATTR_JSON, .p = dims, .n = strlen(dims)},
		{.key = build_text(b, "Input type"), .type = ATTR_JSON, .p = types, .n = strlen(types)}};
	struct event_in e = build_event(b, KIND_OP, build_thread(b, 1), "aten::copy_", start_us, 10);
	attrs_begin(ingest_attrs(b->in));
	for (int i = 0; i < 2; i++)
		attrs_put(ingest_attrs(b->in), &attrs[i]);
	e.attrs = attrs_end(ingest_attrs(b->in));
	build_add(b, &e);
	launch(b, 1, start_us + 1, 5, corr);
}

static void copies_from_the_host_are_not_held_against_the_memory(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	copy_op(&b, 0, 1);
	kernel(&b, 0, 7, "elementwise_kernel", 10, 5, 1);
	copy_op(&b, 20, 2);
	copy(&b, 0, 7, COPY_H2D, 1 << 20, 30, 500, 2);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "roofline");
	assert_string_equal(text_of(t, 0, "op"), "aten::copy_");
	assert_int_equal(int_of(t, 0, "time_ns"), 5000);
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heavy_ops_and_ops_of_the_host_are_known),
		cmocka_unit_test(a_wrong_line_is_named),
		cmocka_unit_test(a_heavy_op_on_the_host_is_warned_of),
		cmocka_unit_test(one_that_takes_next_to_nothing_is_not),
		cmocka_unit_test(small_ops_of_one_type_add_up),
		cmocka_unit_test(ops_of_the_pipeline_are_not_told),
		cmocka_unit_test(what_only_the_warm_up_does_is_not_told),
		cmocka_unit_test(an_op_that_launches_what_never_ran_is_not_on_the_host),
		cmocka_unit_test(one_of_three_years_is_warned_of_too),
		cmocka_unit_test(without_ops_nothing_is_said_about_their_place),
		cmocka_unit_test(little_arithmetic_per_byte_is_bound_by_memory),
		cmocka_unit_test(copies_are_held_against_the_memory),
		cmocka_unit_test(without_peaks_there_is_no_share),
		cmocka_unit_test(a_product_of_two_kernels_is_counted_once),
		cmocka_unit_test(copies_from_the_host_are_not_held_against_the_memory),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
