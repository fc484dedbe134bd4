/* Mangled names: what kernels of CUDA and ROCm are called in traces, and what nobody should write. */
#include "model/analysis/names/demangle.h"
#include "model/analysis/names/kernel_name.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *mangled, *readable;
} names[] = {
	{"_Z3addPf", "add(float*)"},
	{"_Z3addv", "add()"},
	{"_ZN5aiter3addILi4EEEvPf", "void aiter::add<4>(float*)"},
	{"_Z6kernelIfEvPT_S1_i", "void kernel<float>(float*, float*, int)"},
	{"_Z4copyIKfEvRT_PS0_", "void copy<float const>(float const&, float const*)"},
	{"_Z4sortPFbiiE", "sort(bool (*)(int, int))"},
	{"_Z4takeRA8_f", "take(float (&)[8])"},
	{"_ZN12_GLOBAL__N_14testILb1ELb0EEEvv", "void (anonymous namespace)::test<true, false>()"},
	{"_ZNK4Pair3sumEv", "Pair::sum() const"},
	{"_ZN4PairC2Ei", "Pair::Pair(int)"},
	{"_ZplRK4PairS1_", "operator+(Pair const&, Pair const&)"},
	{"_Z5applyIZ4mainEUliE_EvT_", "void apply<main::{lambda(int)#1}>(main::{lambda(int)#1})"},
	{"_Z4packIJifdEEvDpT_", "void pack<int, float, double>(int, float, double)"},
	{"_Z4packIJEEvDpT_", "void pack<>()"},
	{"_Z4packIJifEEvDpPT_", "void pack<int, float>(int*, float*)"},
	{"_Z1fILj3ELl4ELm5ELin6EEvv", "void f<3u, 4l, 5ul, -6>()"},
	{"_Z1fIL4Mode2EEvv", "void f<(Mode)2>()"},
	{"_Z1fI3BoxI3BoxIiEEEvv", "void f<Box<Box<int> > >()"},
	{"_Z1fSt6vectorIfSaIfEE", "f(std::vector<float, std::allocator<float> >)"},
	{"_Z8relu_f16PDF16_Dv4_f", "relu_f16(_Float16*, float __vector(4))"},
	{"_Z3addOiOT_.kd", NULL}, /* T_ without arguments */
	{"_Z3addPf.kd", "add(float*).kd"},
	/* A function as an argument, with its type written down, as newer compilers do. */
	{"_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i",
	 "void sgl_hip::activation::act_and_mul_kernel<__hip_bfloat16, &silu<__hip_bfloat16> >(__hip_bfloat16*, "
	 "__hip_bfloat16 const*, int)"},
	{"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi64ELi8ELb0ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib",
	 "void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 64, 8, false, false, true, "
	 "1>(std::bfloat16_t*, std::bfloat16_t*, float*, std::bfloat16_t*, std::bfloat16_t*, std::bfloat16_t*, double, "
	 "int, int, int, int, int, int, int, bool)"},
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1_",
	 "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> "
	 ">(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)"},
};

static void kernels_are_readable(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct arena mem = {0};
		const char *got = demangle(&mem, names[i].mangled);
		if (!got != !names[i].readable || (got && strcmp(got, names[i].readable)))
			fail_msg("%s: %s", names[i].mangled, got ? got : "-");
		arena_free(&mem);
	}
}

/* What a function returns and takes is left out as it is read, or cut off after that: both ways the same stays. */
static void bare_names_are_those_of_the_readable_ones(void **state)
{
	static const char *const more[] = {
		"_ZN4PairclEi",       /* Pair::operator()(int) */
		"_Z1fIiEDTcvT__EEvv", /* returns an expression */
		"_Z1fIiEPFviEv",      /* returns a pointer to a function */
		"_ZNK4Pair3sumEv",
		"_Z3addPf.kd",
		"_Z5plain",
		"_ZN4PaircvT_IiEEv",
		"_Z4k$x2IiEvi",
		"_Z1fISt6vectorIiEEvT_",
		"_Znwm",
		"_Z3getIfENSt9enable_ifIXgtstfLi2EEvE4typeEv", /* returns enable_if<(sizeof (float))>(2), void>::type */
	};
	(void)state;
	for (size_t i = 0; i < (sizeof names / sizeof *names) + (sizeof more / sizeof *more); i++) {
		struct arena mem = {0};
		const char *mangled =
			i < sizeof names / sizeof *names ? names[i].mangled : more[i - sizeof names / sizeof *names];
		const char *readable = demangle(&mem, mangled);
		readable = readable ? readable : demangle_begin(&mem, mangled);
		assert_non_null(readable);
		assert_string_equal(kernel_name_bare(&mem, mangled), kernel_name_bare(&mem, readable));
		arena_free(&mem);
	}
}

/* Each scope and argument is written once, however many stand in front of it. */
static void a_deep_name_is_readable(void **state)
{
	enum { SCOPES = 1000, BYTES = 8 * SCOPES + 16 };
	static char mangled[BYTES], readable[BYTES];
	struct arena mem = {0};
	(void)state;
	strcpy(mangled, "_ZN");
	for (int i = 0; i < SCOPES; i++) {
		sprintf(mangled + strlen(mangled), "4s%03d", i);
		sprintf(readable + strlen(readable), "%ss%03d", i ? "::" : "", i);
	}
	strcat(mangled, "Ev");
	strcat(readable, "()");
	assert_string_equal(demangle(&mem, mangled), readable);
	arena_free(&mem);
}

static void other_texts_are_not_mangled(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"", "_", "_Z", "_ZN", "_ZE", "_Z99add", "_Z3ad", "add", "volta_sgemm_128x64_nn"};
	struct arena mem = {0};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_null(demangle(&mem, texts[i]));
	assert_string_equal(demangle_begin(&mem, "_ZN5aiter3addILi4"), "aiter::add");
	assert_null(demangle_begin(&mem, "_Z99add"));
	size_t n;
	assert_string_equal(demangle_begin_of_many(&mem, "_ZN5aiter3addILi4EEEvPf", &n), "aiter::add");
	assert_int_equal(n, strlen("_ZN5aiter3addI"));
	assert_string_equal(demangle_begin_of_many(&mem, "_ZN5aiter3addEPf", &n), "aiter::add");
	assert_int_equal(n, 0);
	arena_free(&mem);
}

/* Every beginning and every change of one letter: an answer or none, but no crash and no endless work. */
static void broken_names_do_no_harm(void **state)
{
	(void)state;
	static const char letters[] = "SITNEZ_0JDXLPRKFAMUv";
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *text = strdup(names[i].mangled);
		for (size_t at = 2; text[at]; at++)
			for (size_t k = 0; k < sizeof letters; k++) { /* the last one cuts off */
				char kept = text[at];
				struct arena mem = {0};
				text[at] = letters[k];
				demangle(&mem, text);
				demangle_begin(&mem, text);
				assert_true(mem.bytes < 4 << 20);
				arena_free(&mem);
				text[at] = kept;
			}
		free(text);
	}
}

static void names_that_grow_are_refused(void **state)
{
	(void)state;
	char text[4096] = "_Z1f1AIiE"; /* each argument names the one before twice */
	for (int i = 0; i < 60; i++)
		snprintf(text + strlen(text), 24, "1BIS%.*s_S%.*s_E", i > 0,
			 i ? &"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 36] : "", i > 0,
			 i ? &"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 36] : "");
	struct arena mem = {0};
	demangle(&mem, text);
	assert_true(mem.bytes < 4 << 20);
	char deep[3000];
	memset(deep, 'P', sizeof deep);
	memcpy(deep, "_Z1f", 4);
	deep[sizeof deep - 1] = 0;
	assert_null(demangle(&mem, deep));
	arena_free(&mem);
}

static void short_names_say_what_tells_kernels_apart(void **state)
{
	(void)state;
	static const struct {
		const char *name, *said;
	} shorts[] = {
		{"volta_sgemm_128x64_nn", "volta_sgemm_128x64_nn"},
		{"Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)"},
		{"void at::native::(anonymous namespace)::soft<8>(int, int)", "soft<8>"},
		{"_ZN5aiter3addILi4EEEvPf", "add<4>"},
		{"_ZN5aiter3addILi4", "add"},
		{"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
		 "std::array<char*, 3ul> "
		 ">(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
		 "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char*, 3ul>>"},
		{"void at::native::elementwise_kernel<128, 2, "
		 "at::native::gpu_kernel_impl<at::native::direct_copy_kernel_cuda("
		 "at::TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda()#7}::operator()() "
		 "const::{lambda(float)#1}>(at::TensorIteratorBase&, int const&)::{lambda(int)#1}>(int, int)",
		 "elementwise_kernel<128, 2, direct_copy_kernel_cuda>"},
		{"std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
		 "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long)",
		 "fused_add_rms_norm_kernel<BFloat16, 8>"},
		{"void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, "
		 "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int, float)",
		 "vectorized_elementwise_kernel<4, BinaryFunctor<MulFunctor<float>>, array<char*, 3ul>>"},
		{"void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<"
		 "Eigen::Tensor<Eigen::half, 1, 1, long>, 16, Eigen::MakePointer>, "
		 "Eigen::TensorConversionOp<Eigen::half, "
		 "Eigen::TensorMap<Eigen::Tensor<float const, 1, 1, long>, 16, Eigen::MakePointer> const> const> "
		 "const, "
		 "Eigen::GpuDevice>, long>(long)",
		 "EigenMetaKernel<TensorConversionOp<half, float>, long>"},
	};
	for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
		struct arena mem = {0};
		assert_string_equal(kernel_name_short(&mem, shorts[i].name), shorts[i].said);
		arena_free(&mem);
	}
}

static void short_names_are_short(void **state)
{
	(void)state;
	char text[600];
	struct arena mem = {0};
	memset(text, 'x', sizeof text);
	memcpy(text, "Cijk_", 5);
	text[sizeof text - 1] = 0;
	assert_true(strlen(kernel_name_short(&mem, text)) <= KERNEL_SHORT_BYTES);
	memset(text, '<', sizeof text - 1);
	for (size_t i = 0; i + 20 < sizeof text; i += 20)
		memcpy(text + i, "gpu_kernel_impl<f<4>", 20);
	assert_true(strlen(kernel_name_short(&mem, text)) <= KERNEL_SHORT_BYTES);
	memset(text, '<', sizeof text - 1);
	assert_true(strlen(kernel_name_short(&mem, text)) <= KERNEL_SHORT_BYTES);
	for (size_t i = 0; i + 20 < sizeof text; i += 20)
		memcpy(text + i, "x TensorMap<Tensor<,", 20);
	assert_true(strlen(kernel_name_short(&mem, text)) <= KERNEL_SHORT_BYTES);
	assert_string_equal(kernel_name_short(&mem, "f<Tensor<>>"), "f<Tensor<>>");
	assert_string_equal(kernel_name_short(&mem, ""), "");
	assert_string_equal(kernel_name_short(&mem, ")"), ")");
	arena_free(&mem);
}

/* What it takes to shorten one is not kept. */
static void a_long_name_leaves_little(void **state)
{
	enum { BYTES = 1 << 18 };
	static const char again[] = "void f<int, ns::g<float>, 4> ";
	(void)state;
	static char text[BYTES];
	struct arena mem = {0};
	for (size_t i = 0; i + 1 < BYTES; i++)
		text[i] = again[i % (sizeof again - 1)];
	assert_true(strlen(kernel_name_short(&mem, text)) <= KERNEL_SHORT_BYTES);
	assert_true(mem.bytes <= 2 * KERNEL_SHORT_BYTES);
	arena_free(&mem);
}

static void words_of_readable_names_are_known(void **state)
{
	static const char *const written[] = {"lamb", "LAMBDA", "signed", "half", "std",
					      "bool", "16816",  "3ul",    "u",    "char8_t"};
	static const char *const verbatim[] = {"gemm", "_lamb", "halfs", "nccl", "sort", "float8", "x3", "3ulx"};
	(void)state;
	for (size_t i = 0; i < sizeof written / sizeof *written; i++)
		if (!demangle_may_write(written[i], strlen(written[i])))
			fail_msg("%s", written[i]);
	for (size_t i = 0; i < sizeof verbatim / sizeof *verbatim; i++)
		if (demangle_may_write(verbatim[i], strlen(verbatim[i])))
			fail_msg("%s", verbatim[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_are_readable),
		cmocka_unit_test(bare_names_are_those_of_the_readable_ones),
		cmocka_unit_test(a_deep_name_is_readable),
		cmocka_unit_test(other_texts_are_not_mangled),
		cmocka_unit_test(broken_names_do_no_harm),
		cmocka_unit_test(names_that_grow_are_refused),
		cmocka_unit_test(short_names_say_what_tells_kernels_apart),
		cmocka_unit_test(short_names_are_short),
		cmocka_unit_test(a_long_name_leaves_little),
		cmocka_unit_test(words_of_readable_names_are_known),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
