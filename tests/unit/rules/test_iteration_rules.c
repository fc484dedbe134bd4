/* Labels of servers and what they tell, by rules/iterations.rules. */
#include "model/analysis/rules/iteration_rules.h"
#include "model/store/facts/facts.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <string.h>

#define NO UNKNOWN_I64
/* clang-format off */
static const struct {
	const char *name, *server;
	enum iteration_kind kind;
	int64_t number, requests, tokens, prefill_tokens, decode_tokens, context_tokens;
} labels[] = {
	/* name, server, kind, number, requests, tokens, prefill tokens, decode tokens, context */
	{"execute_context_1(888_788544)_generation_0(0)", "vLLM", ITERATION_PREFILL, NO, 1, 888, 888, 0, NO},
	{"execute_context_0(0)_generation_17(17)", "vLLM", ITERATION_DECODE, NO, 17, 17, 0, 17, NO},
	{"execute_context_2(512)_generation_30(30)", "vLLM", ITERATION_MIXED, NO, 32, 542, 512, 30, NO},
	{"execute_context_0(0)_generation_8(32)", "vLLM", ITERATION_DECODE, NO, 8, 32, 0, 32, NO}, /* with drafts */
	{"execute_context_0(0)_generation_0(0)", "vLLM", ITERATION_UNKNOWN, NO, 0, 0, 0, 0, NO},
	{"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)", NULL, ITERATION_DECODE, NO, 32, 32, 0, 32, 55086},
	{"execute_5_context_1(sq100sk120sqsq1sqsk2)_generation_4(sq4sk80sqsq4sqsk80)", NULL, ITERATION_MIXED, NO, 5, 104, 100, 4, 200},
	{"[Executor] _forward_step 60000: 0 ctx reqs, 0 ctx tokens, 32 gen reqs", "TensorRT-LLM", ITERATION_DECODE, 60000, 32, 32, 0, 32, NO},
	{"[Executor] _forward_step 7: 2 ctx reqs, 9 gen reqs", "TensorRT-LLM", ITERATION_MIXED, 7, 11, NO, NO, 9, NO},
	{"[Executor] _forward_step: 3 ctx reqs, 0 gen reqs", "TensorRT-LLM", ITERATION_PREFILL, NO, 3, NO, NO, 0, NO},
	{"NVTX:[Executor] _forward_step 8: 1 ctx reqs, 40 ctx tokens, 0 gen reqs", "TensorRT-LLM", ITERATION_PREFILL, 8, 1, 40, 40, 0, NO},
	{"NVTX:TRTLLM:decode 4", NULL, ITERATION_DECODE, 4, NO, NO, NO, NO, NO},
	{"step[DECODE bs=32]", "SGLang", ITERATION_DECODE, NO, 32, 32, NO, 32, NO},
	{"step[EXTEND bs=17 toks=8192]", "SGLang", ITERATION_PREFILL, NO, 17, 8192, 8192, NO, NO},
	{"step[MIXED bs=2 toks=60]", "SGLang", ITERATION_MIXED, NO, 2, 60, NO, NO, NO},
	{"step[TARGET_VERIFY bs=4 toks=20]", "SGLang", ITERATION_VERIFY, NO, 4, 20, NO, NO, NO},
	{"step[DRAFT_EXTEND bs=4]", "SGLang", ITERATION_DRAFT, NO, 4, NO, NO, NO, NO},
	{"execute_diffusion_1_256x256", "xDiT", ITERATION_DIFFUSION, NO, 1, NO, NO, NO, NO},
	{"prefill", NULL, ITERATION_PREFILL, NO, NO, NO, NO, NO, NO},
	{"decode_step 12", NULL, ITERATION_DECODE, 12, NO, NO, NO, NO, NO},
	{"decoding[3]", NULL, ITERATION_DECODE, 3, NO, NO, NO, NO, NO},
	{"denoise_step 4", NULL, ITERATION_DIFFUSION, 4, NO, NO, NO, NO, NO},
};
/* clang-format on */
static const char *const none[] = {"ProfilerStep#3",
				   "step[IDLE bs=0]",
				   "decode_jpeg",
				   "decoder_layer 3",
				   "aten::mm",
				   "execute_model",
				   "execute_context_1(888",
				   "prefilled",
				   "[Executor] _prepare_inputs",
				   "scheduler.run_batch",
				   "## Call CompiledFxGraph abc ##",
				   ""};

static void labels_are_told(void **state)
{
	struct err e;
	struct iteration_label l;
	struct iteration_rules *r = iteration_rules_builtin(&e);
	(void)state;
	assert_non_null(r);
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		if (!iteration_rules_ask(r, labels[i].name, &l))
			fail_msg("%s: no label", labels[i].name);
		bool server = l.server == labels[i].server ||
			      (l.server && labels[i].server && !strcmp(l.server, labels[i].server));
		if (!server || l.kind != labels[i].kind || l.number != labels[i].number ||
		    l.requests != labels[i].requests || l.tokens != labels[i].tokens ||
		    l.prefill_tokens != labels[i].prefill_tokens || l.decode_tokens != labels[i].decode_tokens ||
		    l.context_tokens != labels[i].context_tokens)
			fail_msg("%s: %s, %s, %lld requests, %lld tokens (%lld, %lld), context %lld", labels[i].name,
				 l.server ? l.server : "-", iteration_kind_name(l.kind), (long long)l.requests,
				 (long long)l.tokens, (long long)l.prefill_tokens, (long long)l.decode_tokens,
				 (long long)l.context_tokens);
	}
	assert_true(iteration_rules_sound(r, &e));
	iteration_rules_free(r);
}

static void others_are_none(void **state)
{
	struct err e;
	struct iteration_label l;
	struct iteration_rules *r = iteration_rules_builtin(&e);
	(void)state;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (iteration_rules_ask(r, none[i], &l))
			fail_msg("'%s' is %s", none[i], iteration_kind_name(l.kind));
	iteration_rules_free(r);
}

/* Built in, patterns are compiled when they are first asked; read as a text, all of them are compiled. */
static void built_in_patterns_are_sound(void **state)
{
	static char text[1 << 16];
	struct err e;
	FILE *f = fopen("model/analysis/rules/iterations.rules", "rb");
	(void)state;
	assert_non_null(f);
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	struct iteration_rules *r = iteration_rules_read(text, n, &e);
	if (!r)
		fail_msg("%s", e.msg);
	iteration_rules_free(r);
}

static void a_wrong_line_is_named(void **state)
{
	static const char text[] = "version 1\n[decode]\nvLLM re ^(x\n", way[] = "version 1\n[decode]\nvLLM has x\n";
	struct err e;
	(void)state;
	assert_null(iteration_rules_read(text, sizeof text - 1, &e));
	assert_non_null(strstr(e.msg, "line 3"));
	assert_null(iteration_rules_read(way, sizeof way - 1, &e));
	assert_non_null(strstr(e.msg, "line 3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(labels_are_told), cmocka_unit_test(others_are_none),
					   cmocka_unit_test(a_wrong_line_is_named),
					   cmocka_unit_test(built_in_patterns_are_sound)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
