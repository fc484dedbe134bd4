/* Ops by type, scope, module, shape and stack: who belongs to which group, and sums that stay the same. */
#include "model/analysis/ops/op_groups.h"
#include "tests/unit/ask.h"

static struct span text(const char *z)
{
	return (struct span){z, strlen(z)};
}

static bool is(struct span s, const char *z)
{
	return s.n == strlen(z) && !memcmp(s.p, z, s.n);
}

static struct table *ask_by(const struct derived *d, const char *by)
{
	struct query q = query_all();
	q.by = by;
	return ask_query(d, "ops", &q);
}

static uint32_t group_row(const struct table *t, const char *side, const char *name)
{
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!strcmp(text_of(t, r, "operation"), name) && !strcmp(text_of(t, r, "host_or_device"), side))
			return r;
	for (uint32_t r = 0; r < t->n_rows; r++)
		print_message("# %s %s\n", text_of(t, r, "host_or_device"), text_of(t, r, "operation"));
	fail_msg("no group %s on %s", name, side);
	return 0;
}

static void python(struct build *b, const char *name, double start_us, double dur_us)
{
	host_event(b, KIND_PYTHON, 1, name, start_us, dur_us);
}

static void op_of_shape(struct build *b, const char *name, const char *dims, double start_us, double dur_us)
{
	struct event_in e = build_event(b, KIND_OP, build_thread(b, 1), name, start_us, dur_us);
	struct attrs *a = ingest_attrs(b->in);
	attrs_begin(a);
	attrs_put(a,
		  &(struct attr){.key = build_text(b, "Input Dims"), .type = ATTR_JSON, .p = dims, .n = strlen(dims)});
	e.attrs = attrs_end(a);
	build_add(b, &e);
}

/* Two layers in a model: a linear of 10 and one of 20 on the device, a relu of 4 outside of any module. */
static struct derived *model(void)
{
	struct build b = build_new("chrome");
	host_event(&b, KIND_ANNOTATION, 1, "forward", 0, 90);
	python(&b, "train.py(3): step", 0, 200);
	python(&b, "nn.Module: Net_0", 1, 80);
	python(&b, "nn.Module: Linear_0", 2, 30);
	op_of_shape(&b, "aten::addmm", "[[8],[4,16],[16,8]]", 5, 20);
	launch(&b, 1, 10, 5, 1);
	python(&b, "nn.Module: Linear_1", 40, 30);
	op_of_shape(&b, "aten::addmm", "[[2],[4,8],[8,2]]", 45, 20);
	launch(&b, 1, 50, 5, 2);
	op_of_shape(&b, "aten::relu", "[[4,2]]", 100, 20);
	launch(&b, 1, 110, 5, 3);
	kernel(&b, 0, 7, "gemm", 100, 10, 1);
	kernel(&b, 0, 7, "gemm", 120, 20, 2);
	kernel(&b, 0, 7, "relu", 150, 4, 3);
	kernel(&b, 0, 7, "lonely", 160, 1, 0);
	return derive(&b);
}

static void a_module_is_named_with_those_around_it(void **state)
{
	(void)state;
	struct derived *d = model();
	struct table *t = ask_by(d, "module");
	assert_int_equal(int_of(t, group_row(t, "Device", "Net_0/Linear_0"), "total_self_time"), 10000);
	assert_int_equal(int_of(t, group_row(t, "Device", "Net_0/Linear_1"), "total_self_time"), 20000);
	assert_int_equal(int_of(t, group_row(t, "Device", "(no module)"), "total_self_time"), 5000);
	assert_int_equal(int_of(t, group_row(t, "Device", "(no module)"), "ops"), 2); /* relu, and no op */
	assert_int_equal(int_of(t, group_row(t, "Host", "Net_0/Linear_1"), "total_self_time"), 20000);
	ask_done(d);
}

static void a_scope_is_what_annotations_say(void **state)
{
	(void)state;
	struct derived *d = model();
	struct table *t = ask_by(d, "scope");
	assert_int_equal(int_of(t, group_row(t, "Device", "forward"), "occurrences"), 2);
	assert_string_equal(text_of(t, group_row(t, "Device", "forward"), "type"), "addmm");
	assert_string_equal(text_of(t, group_row(t, "Device", "(no scope)"), "type"), "-"); /* relu and no op */
	ask_done(d);
}

static void a_stack_is_read_from_the_inside_out(void **state)
{
	(void)state;
	struct derived *d = model();
	struct table *t = ask_by(d, "stack");
	const char *inside = "nn.Module: Linear_0 < nn.Module: Net_0 < train.py(3): step";
	assert_int_equal(int_of(t, group_row(t, "Device", inside), "total_self_time"), 10000);
	assert_int_equal(int_of(t, group_row(t, "Device", "train.py(3): step"), "total_self_time"), 4000);
	ask_done(d);
}

static void an_op_is_told_apart_by_its_shapes(void **state)
{
	(void)state;
	struct derived *d = model();
	struct table *t = ask_by(d, "shape");
	assert_int_equal(int_of(t, group_row(t, "Device", "aten::addmm [[2],[4,8],[8,2]]"), "total_self_time"), 20000);
	assert_int_equal(int_of(t, group_row(t, "Device", "(no op) (no shapes)"), "total_self_time"), 1000);
	ask_done(d);
}

static void a_group_adds_up_what_its_ops_say(void **state)
{
	static const char *const bys[] = {"op", "type", "scope", "module", "shape", "stack"}, *const columns[] = {
												      "occurrences",
												      "total_time",
												      "total_self_time",
												      "pieces",
												      "runs_here"};
	(void)state;
	struct derived *d = model();
	struct table *ops = ask(d, "ops");
	for (size_t b = 0; b < sizeof bys / sizeof *bys; b++)
		for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
			if (sum_of(ask_by(d, bys[b]), columns[i]) != sum_of(ops, columns[i]))
				fail_msg("by %s: %s", bys[b], columns[i]);
	ask_done(d);
}

/* TensorFlow: the scope is part of the name; kernels of two ops of one type are counted op by op. */
static void names_with_slashes_have_a_scope(void **state)
{
	(void)state;
	assert_true(is(op_scope(text("model/dense/MatMul")), "model/dense"));
	assert_true(is(op_scope(text("MatMul")), ""));
	struct build b = build_new("xspace");
	for (int i = 0; i < 5; i++) {
		struct kernel_info k;
		kernel_info_init(&k);
		k.op = build_text(&b, i < 3 ? "while/mul" : "while/mul_1");
		k.op_type = build_text(&b, "Mul");
		struct event_in e = build_event(&b, KIND_KERNEL, build_stream(&b, 0, 7), "mul_kernel", i * 10, 5);
		e.detail = ingest_kernel(b.in, &k);
		build_add(&b, &e);
	}
	struct derived *d = derive(&b);
	struct table *t = ask_by(d, "scope"), *types = ask_by(d, "type");
	assert_int_equal(int_of(t, group_row(t, "Device", "while"), "occurrences"), 5);
	assert_int_equal(int_of(t, group_row(t, "Device", "while"), "ops"), 2);
	assert_int_equal(int_of(types, group_row(types, "Device", "Mul"), "occurrences"), 5);
	ask_done(d);
}

/* Work on two streams at once leaves idle what no stream works in; nothing is idle twice. */
static void idle_time_is_a_row_when_asked_for(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 8, "b", 5, 15, 0);
	kernel(&b, 0, 7, "c", 50, 50, 0);
	op(&b, 1, "aten::add", 0, 10);
	op(&b, 1, "aten::mul", 30, 10);
	struct derived *d = derive(&b);
	struct query q = query_all();
	q.idle = true;
	struct table *t = ask_query(d, "ops", &q);
	uint32_t device = group_row(t, "Device", "IDLE"), host = group_row(t, "Host", "IDLE");
	assert_int_equal(int_of(t, device, "total_time"), 30000);
	assert_int_equal(int_of(t, host, "total_time"), 20000);
	assert_string_equal(shown(t, host, "host_total_self_time_percent"), "50.0 %");
	assert_int_equal(ask(d, "ops")->n_rows, t->n_rows - 2);
	ask_done(d);
}

static void an_unknown_word_is_refused_with_those_that_exist(void **state)
{
	(void)state;
	struct err e = {0};
	enum op_by by;
	assert_false(op_by_parse("colour", &by, &e));
	assert_non_null(strstr(e.msg, "module"));
	assert_true(op_by_parse(NULL, &by, &e));
	assert_int_equal(by, OP_BY_OP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_is_named_with_those_around_it),
		cmocka_unit_test(a_scope_is_what_annotations_say),
		cmocka_unit_test(a_stack_is_read_from_the_inside_out),
		cmocka_unit_test(an_op_is_told_apart_by_its_shapes),
		cmocka_unit_test(a_group_adds_up_what_its_ops_say),
		cmocka_unit_test(names_with_slashes_have_a_scope),
		cmocka_unit_test(idle_time_is_a_row_when_asked_for),
		cmocka_unit_test(an_unknown_word_is_refused_with_those_that_exist),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
