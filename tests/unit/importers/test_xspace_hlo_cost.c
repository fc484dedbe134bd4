/* What one run of an XLA instruction costs, worked out by hand from the shapes in its program. */
#include "tests/unit/xspace_write.h"

enum { DETAILS = 1, HLO_OP, PROGRAM_ID };
enum { U8 = 6, BF16 = 16, F32 = 11, TUPLE = 13 };

/* ---- a program of one computation and at most one fused one ------------------------------------------------------------ */

static void packed(struct bytes *to, unsigned field, const int64_t *v, size_t n)
{
	struct bytes b = {0};
	for (size_t i = 0; i < n; i++)
		add_varint(&b, (uint64_t)v[i]);
	add_block(to, field, &b);
}

struct dims {
	size_t n;
	int64_t at[5];
};

static struct bytes shape_of(int type, struct dims d)
{
	struct bytes s = {0};
	add_number(&s, 2, type);
	packed(&s, 3, d.at, d.n);
	return s;
}

static struct bytes instruction_of(const char *name, const char *opcode, int64_t id, const struct bytes *shape)
{
	struct bytes i = {0};
	add_text(&i, 1, name);
	add_text(&i, 2, opcode);
	add_block(&i, 3, shape);
	add_number(&i, 35, id);
	return i;
}

static void add_parameter(struct bytes *computation, int64_t id, int type, struct dims d)
{
	struct bytes shape = shape_of(type, d), i = instruction_of("p", "parameter", id, &shape);
	add_block(computation, 2, &i);
}

static void operands(struct bytes *instruction, int64_t a, int64_t b)
{
	packed(instruction, 36, (int64_t[]){a, b}, b ? 2 : 1);
}

static void add_computation(struct bytes *module, struct bytes *computation, int64_t id)
{
	add_number(computation, 5, id);
	add_block(module, 3, computation);
}

/* The cost of instruction "x" of the module, as a kernel of it finds it. */
static struct hlo_info cost_of(struct bytes *module)
{
	struct bytes proto = {0}, stat = {0}, meta = {0}, programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0), e = event_of(1, 0, 1000), gpu = plane_of("/device:GPU:0"),
		     space = {0};
	add_number(module, 5, 7);
	add_block(&proto, 1, module);
	add_number(&stat, 1, 1);
	add_block(&stat, 6, &proto);
	add_block(&meta, 5, &stat);
	add_entry(&programs, 4, 7, &meta);
	stat_text(&e, DETAILS, "regs:8 grid:1,1,1 block:1,1,1");
	stat_text(&e, HLO_OP, "x");
	stat_int(&e, PROGRAM_ID, 7);
	line_event(&line, &e);
	plane_line(&gpu, &line);
	name_event(&gpu, 1, "k");
	name_stat(&gpu, DETAILS, "kernel_details");
	name_stat(&gpu, HLO_OP, "hlo_op");
	name_stat(&gpu, PROGRAM_ID, "program_id");
	add_block(&space, 1, &programs);
	add_block(&space, 1, &gpu);
	struct loaded t = load_space(&space);
	const struct hlo_info *h = trace_hlo(t.trace, 0);
	assert_non_null(h);
	assert_int_equal(h->known, 1);
	struct hlo_info out = *h;
	unload(&t);
	return out;
}

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

/* [8,64] x [64,32] */
static struct bytes product(const char *opcode)
{
	struct bytes shape = shape_of(F32, (struct dims){2, {8, 32}}), i = instruction_of("x", opcode, 3, &shape);
	operands(&i, 1, 2);
	return i;
}

static void add_factors(struct bytes *computation)
{
	add_parameter(computation, 1, BF16, (struct dims){2, {8, 64}});
	add_parameter(computation, 2, BF16, (struct dims){2, {64, 32}});
}

static void a_product_adds_up_what_it_contracts(void **state)
{
	(void)state;
	struct bytes main = {0}, module = {0}, i = product("dot"), dot = {0};
	packed(&dot, 1, (int64_t[]){1}, 1);
	packed(&dot, 2, (int64_t[]){0}, 1);
	add_block(&i, 30, &dot);
	add_factors(&main);
	add_block(&main, 2, &i);
	add_computation(&module, &main, 1);
	struct hlo_info h = cost_of(&module);
	assert_int_equal(h.flops, 2 * 8 * 64 * 32);
	assert_int_equal(h.bytes, 2 * 8 * 64 + 2 * 64 * 32 + 4 * 8 * 32);
}

/* A library writes its work space after the result; that is no traffic of the product. */
static void a_library_product_tells_its_dimensions_in_its_settings(void **state)
{
	(void)state;
	static const char settings[] =
		"{\"gemm_backend_config\":{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"1\"],"
		"\"rhs_contracting_dimensions\":[\"0\"]}}}";
	struct bytes main = {0}, module = {0}, tuple = {0};
	struct bytes result = shape_of(F32, (struct dims){2, {8, 32}}), room = shape_of(U8, (struct dims){1, {4096}});
	add_number(&tuple, 2, TUPLE);
	add_block(&tuple, 4, &result);
	add_block(&tuple, 4, &room);
	struct bytes i = instruction_of("x", "custom-call", 3, &tuple);
	operands(&i, 1, 2);
	add_text(&i, 28, "__cublas$gemm");
	add_text(&i, 43, settings);
	add_factors(&main);
	add_block(&main, 2, &i);
	add_computation(&module, &main, 1);
	struct hlo_info h = cost_of(&module);
	assert_int_equal(h.flops, 2 * 8 * 64 * 32);
	assert_int_equal(h.bytes, 2 * 8 * 64 + 2 * 64 * 32 + 4 * 8 * 32);
}

/* Batch 1, 3 features in, 5 out, 4 places, window of 3 with 1 of padding on each side: the places of the padding cost
 * nothing, so that 10 of 12 pairs count. */
static void padding_of_a_convolution_costs_nothing(void **state)
{
	(void)state;
	struct bytes main = {0}, module = {0}, window = {0}, along = {0}, numbers = {0};
	struct bytes shape = shape_of(F32, (struct dims){3, {1, 4, 5}}),
		     i = instruction_of("x", "convolution", 3, &shape);
	operands(&i, 1, 2);
	add_number(&along, 1, 3);
	add_number(&along, 2, 1);
	add_number(&along, 3, 1);
	add_number(&along, 4, 1);
	add_block(&window, 1, &along);
	add_number(&numbers, 4, 2);  /* features of the result in the kernel */
	add_number(&numbers, 7, 0);  /* batch of the input */
	add_number(&numbers, 8, 2);  /* features of the input */
	add_number(&numbers, 11, 1); /* places of the input: one number, unpacked */
	add_number(&numbers, 12, 1); /* places of the result */
	add_block(&i, 15, &window);
	add_block(&i, 16, &numbers);
	add_parameter(&main, 1, F32, (struct dims){3, {1, 4, 3}});
	add_parameter(&main, 2, F32, (struct dims){3, {3, 3, 5}});
	add_block(&main, 2, &i);
	add_computation(&module, &main, 1);
	struct hlo_info h = cost_of(&module);
	assert_int_equal(h.flops, 2 * 3 * 5 * 10);
	assert_int_equal(h.bytes, 4 * (4 * 3 + 3 * 3 * 5 + 4 * 5));
}

/* Inside: a conversion (nothing), a product of each element with itself (one each), a sum over rows (all but one each). */
static void a_fusion_costs_what_is_in_it(void **state)
{
	(void)state;
	struct bytes fused = {0}, main = {0}, module = {0};
	struct bytes all = shape_of(F32, (struct dims){2, {16, 100}}), sums = shape_of(F32, (struct dims){1, {16}});
	struct bytes convert = instruction_of("c", "convert", 12, &all),
		     square = instruction_of("m", "multiply", 13, &all);
	struct bytes sum = instruction_of("r", "reduce", 15, &sums), fusion = instruction_of("x", "fusion", 3, &sums);
	add_parameter(&fused, 11, BF16, (struct dims){2, {16, 100}});
	operands(&convert, 11, 0);
	add_block(&fused, 2, &convert);
	operands(&square, 12, 12);
	add_block(&fused, 2, &square);
	add_parameter(&fused, 14, F32, (struct dims){0, {0}});
	operands(&sum, 13, 14);
	add_block(&fused, 2, &sum);
	add_computation(&module, &fused, 9);
	add_parameter(&main, 1, BF16, (struct dims){2, {16, 100}});
	operands(&fusion, 1, 0);
	packed(&fusion, 38, (int64_t[]){9}, 1);
	add_block(&main, 2, &fusion);
	add_computation(&module, &main, 1);
	struct hlo_info h = cost_of(&module);
	assert_int_equal(h.flops, 1600 + 1600 - 16);
	assert_int_equal(h.bytes, 2 * 1600 + 4 * 16);
}

static void an_unknown_call_costs_nobody_knows_what(void **state)
{
	(void)state;
	struct bytes main = {0}, module = {0}, i = product("custom-call");
	add_text(&i, 28, "my_kernel");
	add_factors(&main);
	add_block(&main, 2, &i);
	add_computation(&module, &main, 1);
	struct hlo_info h = cost_of(&module);
	assert_int_equal(h.flops, UNKNOWN_I64);
	assert_int_equal(h.bytes, 2 * 8 * 64 + 2 * 64 * 32 + 4 * 8 * 32);
}

/* Sizes whose product leaves 64 bits, and an operand that is not there. */
static void absurd_shapes_are_unknown(void **state)
{
	(void)state;
	struct bytes main = {0}, module = {0};
	struct bytes huge = shape_of(F32, (struct dims){3, {INT64_MAX / 2, 1 << 30, 7}}),
		     i = instruction_of("x", "add", 3, &huge);
	operands(&i, 1, 99);
	add_parameter(&main, 1, F32, (struct dims){1, {4}});
	add_block(&main, 2, &i);
	add_computation(&module, &main, 1);
	struct hlo_info h = cost_of(&module);
	assert_int_equal(h.flops, UNKNOWN_I64);
	assert_int_equal(h.bytes, UNKNOWN_I64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_product_adds_up_what_it_contracts),
		cmocka_unit_test(a_library_product_tells_its_dimensions_in_its_settings),
		cmocka_unit_test(padding_of_a_convolution_costs_nothing),
		cmocka_unit_test(a_fusion_costs_what_is_in_it),
		cmocka_unit_test(an_unknown_call_costs_nobody_knows_what),
		cmocka_unit_test(absurd_shapes_are_unknown),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
