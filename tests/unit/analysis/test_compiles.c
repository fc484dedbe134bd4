/* What is a compilation, by its name, and what only lies in a compiler's files. */
#include "model/analysis/names/letter_pairs.h"
#include "model/analysis/names/names_like.h"
#include "model/analysis/steps/compiles.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

static void what_compiles_is_told_from_what_runs_the_compiled(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool compiles;
	} names[] = {
		{"torch/_inductor/compile_fx.py(1767): run", false},
		{"torch/_inductor/compile_fx.py(884): _compile_fx_inner", true},
		{"torch/_inductor/compile_fx.py(1601): fx_codegen_and_compile", true},
		{"triton/compiler/compiler.py(487): launch_metadata", false},
		{"triton/compiler/compiler.py(481): run", false},
		{"triton/compiler/compiler.py(465): __getattribute__", false},
		{"/opt/triton-fork/python/triton/compiler/compiler.py(226): compile", true},
		{"torch/_dynamo/convert_frame.py(1371): __call__", false},
		{"torch/_dynamo/convert_frame.py(750): _compile", true},
		{"torch/_inductor/async_compile.py(360): wait", true},
		{"jax/_src/compiler.py(277): backend_compile", true},
		{"backend_compile", true},
		{"XlaCompile", true},
		{"TorchDynamo Cache Lookup", false},
		{"torch/compiler/__init__.py(12): is_compiling", false},
		{"Torch-Compiled Region: 0/0", false},
		{"torch/_dynamo/eval_frame.py(663): compile_wrapper", false},
		{"torch/_inductor/output_code.py(584): __call__", false},
		{"torch/_inductor/cudagraph_trees.py(391): deferred_cudagraphify", false},
		{"torch/_inductor/standalone_compile.py(65): __call__", false},
		{"torch/_inductor/compile_worker/subproc_pool.py(191): _read_thread", false},
		{"torch/_compile.py(41): inner", false},
		{"## Call CompiledFxGraph f5s7 ##", false},
		{"diffusers/utils/torch_utils.py(187): is_compiled_module", false},
		{"vllm/compilation/decorators.py(281): __call__", false},
		{"vllm/v1/worker/gpu_worker.py(366): compile_or_warm_up_model", false},
		{"triton/backends/amd/compiler.py(61): get_tensor_specialization", false},
		{"flashinfer/autotuner.py(361): choose_one", false},
		{"fbgemm::split_embedding_codegen_lookup_adagrad_function", false},
		{"transformers/configuration_utils.py(207): __getattribute__", false},
		{"aten::mm", false},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (name_compiles(names[i].name) != names[i].compiles)
			fail_msg("%s is %s compilation", names[i].name, names[i].compiles ? "a" : "no");
}

static void letter_pairs_deny_no_word_that_is_there(void **state)
{
	(void)state;
	static const char *const texts[] = {"ProfilerStep#12",
					    "XlaCompile",
					    "a::CompileAndLoad(int)",
					    "",
					    "x",
					    "_inductor/compile_fx.py(12): \xc3\xa4\xc3\xb6"};
	static const char *const words[] = {"STEP#", "xlacompil", "::compile", "", "X", "compile_FX", "\xc3\xb6"};
	uint32_t there = 0, denied = 0;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct letter_pairs p = letter_pairs_of(texts[i]);
		for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
			bool may = letter_pairs_may_hold(&p, words[k]);
			assert_true(may || !strcasestr(texts[i], words[k]));
			there += may;
			denied += !may;
		}
	}
	assert_in_range(there, 10, 40);
	assert_in_range(denied, 10, 40);
}

static void a_name_is_like_the_first_one_with_another_number(void **state)
{
	(void)state;
	static const struct {
		const char *name, *first;
	} names[] = {{"ProfilerStep#9", "ProfilerStep#9"},
		     {"forward", "forward"},
		     {"ProfilerStep#10", "ProfilerStep#9"},
		     {"ProfilerStep#", "ProfilerStep#"},
		     {"profilerStep#12", "profilerStep#12"},
		     {"ProfilerStep#11", "ProfilerStep#9"},
		     {"ProfilerStep#11 ", "ProfilerStep#11 "},
		     {"7", "7"},
		     {"8", "8"},
		     {"step 1234567890123456789", "step 1234567890123456789"},
		     {"step 1", "step 1"},
		     {"step 123456789012345678", "step 1"}};
	struct strings *s = strings_new();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		strings_addz(s, names[i].name);
	str_id *like = names_like(s);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		str_id id = strings_find(s, names[i].name, strlen(names[i].name));
		assert_string_equal(strings_z(s, like[id]), names[i].first);
	}
	assert_int_equal(like[0], 0);
	free(like);
	strings_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(letter_pairs_deny_no_word_that_is_there),
					   cmocka_unit_test(a_name_is_like_the_first_one_with_another_number),
					   cmocka_unit_test(what_compiles_is_told_from_what_runs_the_compiled)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
