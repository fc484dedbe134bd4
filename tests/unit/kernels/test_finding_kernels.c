/* Findings about families of kernels. */
#include "tests/unit/ask.h"
#include <string.h>

static const char half[] =
	"void (anonymous namespace)::softmax_warp_forward<c10::Half, c10::Half, c10::Half, 9, false, false>(float*)";
static const char wide_sums[] =
	"void (anonymous namespace)::softmax_warp_forward<c10::BFloat16, c10::BFloat16, float, 9, false, false>(int)";
static const char single[] =
	"void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, false, false>(float*)";
static const char attention[] = "void pytorch_flash::flash_fwd_kernel<cutlass::bfloat16_t>(int)";

static uint32_t row_of_rule(const struct table *t, const char *rule)
{
	uint32_t row = 0;
	while (row < t->n_rows && strcmp(text_of(t, row, "rule"), rule))
		row++;
	return row;
}

/* What the rule about softmax says of a trace with these kernels, 10 us each. */
static void check(const char *first, const char *second, const char *severity, const char *sentence)
{
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, first, 0, 10, 0);
	kernel(&b, 0, 7, second, 10, 10, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	uint32_t row = row_of_rule(t, "softmax-16bit");
	assert_int_equal(row < t->n_rows, sentence != NULL);
	if (sentence) {
		assert_string_equal(text_of(t, row, "severity"), severity);
		assert_string_equal(text_of(t, row, "sentence"), sentence);
		assert_int_equal(strcmp(text_of(t, row, "advice"), "-") != 0, !strcmp(severity, "info"));
	}
	ask_done(d);
}

static void softmax_in_16_bit_is_told(void **state)
{
	(void)state;
	check(half, single, "info", "Softmax runs on its own in 16 bit: 1 of 2 kernels, 10.000 us.");
}

static void softmax_that_adds_up_in_32_bit_is_fine(void **state)
{
	(void)state;
	check(wide_sums, single, "pass",
	      "Softmax kernels (2, 20.000 us) do not run in 16 bit: what reads or writes 16 bit adds up in 32.");
	check(wide_sums, half, "info", "Softmax runs on its own in 16 bit: 1 of 2 kernels, 10.000 us.");
}

static void softmax_in_32_bit_is_fine(void **state)
{
	(void)state;
	check(single, single, "pass", "Softmax kernels (2, 20.000 us) do not run in 16 bit.");
}

static void names_that_tell_no_numbers_cannot_be_judged(void **state)
{
	(void)state;
	check("softmax_kernel", attention, "unknown",
	      "The names of the softmax kernels (10.000 us) do not tell whether they compute in 16 bit.");
}

static void softmax_inside_attention_does_not_count(void **state)
{
	(void)state;
	check(attention, "volta_sgemm_128x64_nn", "", NULL);
}

/* What the rule about 16 bit says of a device that ran two such kernels. */
static void check_precision(const char *name, const char *severity, const char *sentence)
{
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, name, 0, 10, 0);
	kernel(&b, 0, 7, name, 10, 10, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	uint32_t row = row_of_rule(t, "precision-16bit");
	assert_true(row < t->n_rows);
	assert_string_equal(text_of(t, row, "severity"), severity);
	assert_string_equal(text_of(t, row, "sentence"), sentence);
	ask_done(d);
}

static void a_precision_that_names_do_not_tell_is_no_zero(void **state)
{
	(void)state;
	check_precision("Conv2D", "unknown", "The names of the kernels do not tell whether they compute in 16 bit.");
	check_precision("volta_sgemm_128x64_nn", "unknown",
			"0 of 2 kernels (0.0 % of kernel time) compute in 16 bit; whether more would help depends on "
			"the compute capability, which is not recorded.");
	check_precision("volta_fp16_s884gemm_fp16_128x64_nn", "pass",
			"2 of 2 kernels (100.0 % of kernel time) compute in 16 bit.");
}

/* ---- kernels that only move values ------------------------------------------------------------------------------------ */

static const char gemm[] = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64";
static const char transpose[] = "batched_transpose_32x32_half";
static const char concatenation[] =
	"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 2, 128, 1>(float*)";
static const char conversion[] = "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda("
				 "at::TensorIteratorBase&)::{lambda()#1}, at::native::memory::LoadWithCast<1>>(int)";
static const char fill[] = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
			   "std::array<char*, 1ul> >(int)";
static const char cache[] = "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16>(int)";

/* What the rule about copying says of a kernel of 10 us, one of 20 us, and products for 70 us. NULL: nothing. */
static void copying_is(const char *first, const char *second, const char *sentence)
{
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, first, 0, 10, 0);
	kernel(&b, 0, 7, second, 10, 20, 0);
	kernel(&b, 0, 7, gemm, 30, 70, 0);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "findings");
	uint32_t row = row_of_rule(t, "copying-kernels");
	assert_int_equal(row < t->n_rows, sentence != NULL);
	if (sentence)
		assert_string_equal(text_of(t, row, "sentence"), sentence);
	ask_done(d);
}

static void copying_is_told_by_what_it_changes(void **state)
{
	(void)state;
	copying_is(concatenation, transpose,
		   "Kernels that only move values take 30.000 us (30.0 % of the kernel time): layout 20.0 %, "
		   "concatenation 10.0 %; most in batched_transpose_32x32_half.");
	copying_is(fill, conversion,
		   "Kernels that only move values take 20.000 us (20.0 % of the kernel time): conversion 20.0 %; most "
		   "in unrolled_elementwise_kernel.");
}

static void fills_and_caches_are_work(void **state)
{
	(void)state;
	copying_is(fill, cache, NULL);
	copying_is(cache, gemm, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(softmax_in_16_bit_is_told),
		cmocka_unit_test(softmax_that_adds_up_in_32_bit_is_fine),
		cmocka_unit_test(softmax_in_32_bit_is_fine),
		cmocka_unit_test(names_that_tell_no_numbers_cannot_be_judged),
		cmocka_unit_test(softmax_inside_attention_does_not_count),
		cmocka_unit_test(copying_is_told_by_what_it_changes),
		cmocka_unit_test(fills_and_caches_are_work),
		cmocka_unit_test(a_precision_that_names_do_not_tell_is_no_zero),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
