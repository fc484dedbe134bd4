/* Names in little room: what goes first, what stays to the end. */
#include "tests/unit/unit.h"
#include "tui/text/short_names.h"
#include <string.h>

static const char add[] =
	"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> "
	">(int, at::native::AddFunctor<float>, at::detail::Array<char*, 3>)";

static void check(const char *name, int cols, const char *want)
{
	char buf[NAMES_BUF];
	assert_string_equal(name_fit(name, cols, buf), want);
}

static void a_kernel_loses_noise_first(void **state)
{
	(void)state;
	check(add, 200, add);
	check(add, 105,
	      "at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> "
	      ">");
	check(add, 74, "vectorized_elementwise_kernel<4, AddFunctor<float>, Array<char*, 3>>");
	/* dozens share the template: its arguments tell them apart */
	check(add, 60, "vectorized_elementwise_\xe2\x80\xa6<4, AddFunctor<float>, Array<char*,\xe2\x80\xa6");
	check(add, 40, "vectorized_elementwise_\xe2\x80\xa6<4, AddFunctor<\xe2\x80\xa6");
	check("Kernel2<cutlass_75_tensorop_bf16_256x128_tn_align1>", 26, "Kernel2<cutlass_7\xe2\x80\xa6_align1>");
	check("void at::native::(anonymous namespace)::soft<8>(int, int)", 7, "soft<8>");
	check("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long)", 40,
	      "ncclKernel_AllReduce_RING_LL_Sum_float");
}

static void a_mangled_name_says_what_it_is(void **state)
{
	(void)state;
	const char *name = "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bLi512EEEvPf";
	check(name, 41, "add_rmsnorm_quant_kernel<bfloat16_t, 512>");
	check(name, 30, "add_rmsnorm_quant\xe2\x80\xa6<bfloat16_t\xe2\x80\xa6");
	check("_ZN5aiter24add_rmsnorm_quant_kernelIDF16bLi512EE", 40, "aiter::add_rmsnorm_quant_kernel"); /* cut off */
	check("_Z3addPf", 4, "add");
	check("_Z99add", 5,
	      "_Z9\xe2\x80\xa6"
	      "d");
	check("_ZNK", 3, "_ZN");
}

static void python_keeps_the_function(void **state)
{
	(void)state;
	check("torch/nn/modules/module.py(1736): _call_impl", 34, "module.py(1736): _call_impl");
	check("<built-in function zoom_shift>", 30, "<built-in function zoom_shift>");
	check("<built-in function zoom_shift>", 20, "zoom_shift");
	check("<built-in method copy_ of Tensor object at 0x7f1a>", 20, "copy_");
}

static void other_parentheses_stay(void **state)
{
	(void)state;
	check("Memcpy HtoD (Pageable -> Device)", 20,
	      "Memcpy HtoD (\xe2\x80\xa6"
	      "evice)");
	check("<string>(1): <module>", 12,
	      "<string>\xe2\x80\xa6"
	      "le>");
}

static void hostile_names_stay_inside(void **state)
{
	(void)state;
	char buf[NAMES_BUF], name[3 * NAMES_BUF];
	memset(name, '<', sizeof name);
	memcpy(name, "a::b::", 6);
	name[sizeof name - 1] = 0;
	assert_true(strlen(name_fit(name, 10, buf)) < 16);
	assert_true(strlen(name_reduce(name, 10, buf)) < sizeof name);
	check("", 5, "");
	check(")", 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_loses_noise_first), cmocka_unit_test(a_mangled_name_says_what_it_is),
		cmocka_unit_test(python_keeps_the_function),  cmocka_unit_test(other_parentheses_stay),
		cmocka_unit_test(hostile_names_stay_inside),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
