/* model/analysis/tensor_cores: M, N, K of products and what holds them back; which devices have Tensor Cores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "model/analysis/costs/shapes.h"
#include "model/analysis/kernels/tensor_cores.h"
#include "tests/unit/ask.h"

static struct arg_text text_arg(const char *text)
{
	return (struct arg_text){text ? text : "", text ? strlen(text) : 0};
}

static struct shapes shapes_with(const char *dims, const char *strides)
{
	struct shapes s = {.strides = {.n = 0}};
	op_args_torch(&s.args, text_arg(dims), text_arg(NULL), text_arg(NULL));
	if (strides)
		op_args_torch(&s.strides, text_arg(strides), text_arg(NULL), text_arg(NULL));
	return s;
}

static struct tc_dims dims_with(const char *op, const char *dims, const char *strides, enum precision p)
{
	struct shapes s = shapes_with(dims, strides);
	return tc_dims_of(op, &s, p);
}

static void check(const char *op, const char *dims, int64_t m, int64_t n, int64_t k, char wrong)
{
	struct tc_dims d = dims_with(op, dims, NULL, PREC_FP16);
	if (d.m != m || d.n != n || d.k != k || d.wrong != wrong)
		fail_msg("%s %s: %lld x %lld x %lld '%c'", op, dims, (long long)d.m, (long long)d.n, (long long)d.k,
			 d.wrong);
}

static void products_have_m_n_and_k(void **state)
{
	(void)state;
	check("aten::mm", "[[64,512],[512,1024]]", 64, 1024, 512, 0);
	check("aten::addmm", "[[1000],[32,2048],[2048,1000],[],[]]", 32, 1000, 2048, 0);
	check("aten::addmm", "[[32,1000],[32,2048],[2048,1000]]", 32, 1000, 2048, 0);
	check("aten::bmm", "[[12,128,64],[12,64,128]]", 128, 128, 64, 0);
	check("aten::linear", "[[8,16,512],[512,512],[512]]", 16, 512, 512, 0); /* square: the weight is transposed */
	check("dense/MatMul", "[[64,512],[1024,512]]", 64, 1024, 512, 0);
	check("dense/MatMul", "[[512,64],[512,1024]]", 64, 1024, 512, 0);
}

static void a_dimension_that_does_not_fit_is_named(void **state)
{
	(void)state;
	check("aten::mm", "[[64,512],[512,1023]]", 64, 1023, 512, 'n');
	check("aten::mm", "[[64,510],[510,1024]]", 64, 1024, 510, 'k');
	check("aten::mm", "[[63,512],[512,1024]]", 63, 1024, 512, 0); /* rows of the batch begin wherever they end */
	struct tc_dims d = dims_with("aten::mm", "[[64,512],[512,1023]]", NULL, PREC_FP16);
	assert_int_equal(d.factor, 8);
	assert_int_equal(d.rest, 7);
	d = dims_with("aten::_int_mm", "[[64,512],[512,1032]]", NULL, PREC_INT8);
	assert_int_equal(d.factor, 16);
	assert_int_equal(d.rest, 8);
	assert_int_equal(dims_with("aten::mm", "[[64,512],[512,1023]]", NULL, PREC_FP32).wrong, 0);
	d = dims_with("aten::mm", "[[63,512],[512,1024]]", NULL, PREC_FP16);
	tc_dims_blame_m(&d); /* of a product that fell back */
	assert_int_equal(d.wrong, 'm');
	assert_int_equal(d.rest, 7);
}

static void rows_that_begin_between_multiples_are_a_matter_of_layout(void **state)
{
	(void)state;
	struct tc_dims d = dims_with("aten::mm", "[[64,512],[512,1024]]", "[[513,1],[1024,1]]", PREC_BF16);
	assert_int_equal(d.wrong, 's');
	assert_int_equal(d.rest, 1);
	assert_int_equal(dims_with("aten::mm", "[[64,512],[512,1024]]", "[[512,1],[1,512]]", PREC_BF16).wrong, 0);
}

static void what_is_no_product_tells_no_dimensions(void **state)
{
	(void)state;
	static const char *const dims[] = {"[[64],[64]]", "[[64,512]]", "[[2,3],[5,7]]", "[[[2,3]],[5,7]]"};
	for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
		assert_int_equal(dims_with("aten::mm", dims[i], NULL, PREC_FP16).m, UNKNOWN_I64);
	static const char *const ops[] = {"aten::conv2d", "moe::moe_forward", "aten::_flash_attention_forward",
					  "aten::_cudnn_rnn"};
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) /* their first arguments are no two factors */
		assert_int_equal(dims_with(ops[i], "[[8,8],[8,8]]", NULL, PREC_FP16).m, UNKNOWN_I64);
}

static void channels_apart_are_nchw(void **state)
{
	(void)state;
	struct shapes s = shapes_with("[[32,64,56,56],[64,64,3,3]]", "[[200704,3136,56,1],[576,9,3,1]]");
	assert_true(tc_channels_apart(&s));
	s = shapes_with("[[32,64,56,56],[64,64,3,3]]", "[[200704,1,3584,64],[576,1,192,64]]");
	assert_false(tc_channels_apart(&s));
	assert_false(tc_channels_apart(NULL));
}

/* One kernel of 30 us on ordinary units; cc 0: the device does not tell. */
static struct derived *one_sgemm(int64_t cc)
{
	struct build b = build_new("made");
	op(&b, 1, "aten::mm", 0, 10);
	launch(&b, 1, 1, 2, 1);
	kernel(&b, 0, 7, "volta_sgemm_128x64_nn", 20, 30, 1);
	kernel(&b, 0, 7, "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)",
	       60, 10, 0);
	if (cc) {
		struct device *d = ingest_device_info(b.in, ingest_device(b.in, b.host, 0));
		d->cc_major = cc;
		d->cc_minor = 0;
	}
	return derive(&b);
}

static void what_is_at_stake_depends_on_the_device(void **state)
{
	(void)state;
	static const struct {
		int64_t cc;
		const char *reason;
		int64_t stake_ns; /* UNKNOWN_I64: null; 0: not listed at all */
	} cases[] = {{0, "fp32", UNKNOWN_I64}, {6, NULL, 0}, {7, "fp32", 20000}, {8, "fp32 without tf32", 20000}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = one_sgemm(cases[i].cc);
		struct table *t = ask(d, "tensor_cores");
		assert_int_equal(t->n_rows, cases[i].reason ? 2 : 1);
		if (cases[i].reason) {
			assert_string_equal(text_of(t, 0, "reason"), cases[i].reason);
			assert_string_equal(text_of(t, 0, "op"), "aten::mm");
			assert_int_equal(int_of(t, 0, "total_ns"), 30000);
			const struct cell *stake = cell_of(t, 0, "stake_ns");
			assert_int_equal(stake->null ? UNKNOWN_I64 : stake->i, cases[i].stake_ns);
			assert_int_equal(cell_of(t, 0, "advice")->null, cases[i].cc == 0);
		}
		assert_string_equal(text_of(t, t->n_rows - 1, "tc_problem"), "bytes");
		assert_int_equal(int_of(t, t->n_rows - 1, "stake_ns"), 5000);
		ask_done(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_have_m_n_and_k),
		cmocka_unit_test(a_dimension_that_does_not_fit_is_named),
		cmocka_unit_test(rows_that_begin_between_multiples_are_a_matter_of_layout),
		cmocka_unit_test(what_is_no_product_tells_no_dimensions),
		cmocka_unit_test(channels_apart_are_nchw),
		cmocka_unit_test(what_is_at_stake_depends_on_the_device),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
