/* What repeats, and which steps are unlike the others. One small trace per rule. */
#include "model/analysis/maths/period.h"
#include "model/analysis/names/step_marks.h"
#include "model/analysis/steps/step_phase.h"
#include "tests/unit/derive_trace.h"
#include <stdlib.h>

/* One token per letter, 10 ns apart: '<' is a copy, '|' the data loader, '!' the optimizer. */
static bool find_like(const char *text, char like, struct period *p)
{
	struct token tokens[512];
	uint32_t n = (uint32_t)strlen(text);
	assert_in_range(n, 0, 512);
	for (uint32_t i = 0; i < n; i++) {
		char c = text[i];
		uint8_t sign = c == '<' ? SIGN_WEAK : c == '|' ? SIGN_BEGIN : c == '!' ? SIGN_END : SIGN_NONE;
		tokens[i] = (struct token){i * 10, (uint8_t)c, sign};
	}
	return period_find(tokens, n, 128, like ? (uint8_t)like : 128, p);
}

static bool find(const char *text, struct period *p)
{
	return find_like(text, 0, p);
}

static uint32_t steps_in(const char *text)
{
	struct period p;
	if (!find(text, &p))
		return 0;
	free(p.cut);
	return p.n_steps;
}

static void a_loop_of_kernels_is_found(void **state)
{
	(void)state;
	struct period p;
	assert_true(find("abcdabcdabcdabcd", &p));
	assert_int_equal(p.n_steps, 4);
	assert_int_equal(p.cut[0], 0);
	assert_int_equal(p.cut[1], 4);
	assert_int_equal(p.cut[4], 16);
	assert_false(p.told);
	assert_true(p.regularity > 0.999);
	free(p.cut);
}

static char cut_at(const char *text, char like)
{
	struct period p;
	assert_true(find_like(text, like, &p));
	char first = text[p.cut[1]];
	assert_int_equal(p.name, first);
	free(p.cut);
	return first;
}

static void ranks_are_cut_at_one_place(void **state)
{
	(void)state;
	assert_int_equal(cut_at("cdabcdabcdabcdabc", 0), 'a');
	assert_int_equal(cut_at("cdabcdabcdabcdabc", 'c'), 'c');
	assert_int_equal(cut_at("cdabcdabcdabcdabc", 'd'), 'd');
	/* what is not there, or comes another number of times, cuts nothing */
	assert_int_equal(cut_at("cdabcdabcdabcdabc", 'x'), 'a');
	assert_int_equal(cut_at("cdabycdabycdabcdabcdab", 'y'), 'c');
	/* what says "step" by itself on one rank does on the others */
	assert_int_equal(cut_at("|abc|abc|abc|abc", 0), '|');
}

static void what_does_not_repeat_has_no_steps(void **state)
{
	(void)state;
	assert_int_equal(steps_in("abcdefghijklmnop"), 0);
	assert_int_equal(steps_in("ab"), 0);
	assert_int_equal(steps_in(""), 0);
	assert_int_equal(steps_in("aaaaaaaaaaaaaaaa"), 0);
}

static void layers_of_one_step_are_no_steps(void **state)
{
	(void)state; /* an embedding before and a head after show that the layers are less than a step */
	assert_int_equal(steps_in("xyzabcdabcdabcdabcdabcduvw"), 0);
}

static void layers_inside_steps_are_no_steps(void **state)
{
	(void)state;
	assert_int_equal(steps_in("<xabcabcabcabcuv<xabcabcabcabcuv<xabcabcabcabcuv<xabcabcabcabcuv"), 4);
	assert_int_equal(steps_in("exabcabcabcabcuvexabcabcabcabcuvexabcabcabcabcuvexabcabcabcabcuv"), 4);
}

static void the_data_loader_says_where_a_step_begins(void **state)
{
	(void)state;
	struct period p;
	assert_true(find("|abcde|abcde|abcde|", &p)); /* the last call finds the loader empty */
	assert_int_equal(p.n_steps, 3);
	assert_string_equal(p.why, "the data loader's batches");
	free(p.cut);
}

static void the_optimizer_says_where_a_step_ends(void **state)
{
	(void)state;
	struct period p;
	assert_true(find("abcde!abcde!abcde!", &p));
	assert_int_equal(p.n_steps, 3);
	assert_int_equal(p.cut[1], 6);
	free(p.cut);
}

static void batches_that_the_optimizer_waits_for_are_parts_of_a_step(void **state)
{
	(void)state;
	struct period p;
	assert_true(find("|abcde|abcde|abcde|abcde!|abcde|abcde|abcde|abcde!|abcde|abcde|abcde|abcde!", &p));
	assert_int_equal(p.n_steps, 3);
	assert_string_equal(p.why, "the optimizer's steps");
	assert_true(p.told);
	free(p.cut);
	/* one after each batch, and one of another kind every four, gathers nothing */
	assert_int_equal(steps_in("|abcde!|abcde!|abcde!|abcde!"), 4);
}

static void an_evaluation_behind_some_steps_does_not_join_them(void **state)
{
	(void)state;
#define EPOCH      "|abcde!|abcde!|abcde!|abcde!"
#define EVALUATION "|xy|xy|xy|xy|xy|xy|xy|xy"
	assert_int_equal(steps_in(EPOCH EVALUATION EPOCH EVALUATION EPOCH), 12);
#undef EPOCH
#undef EVALUATION
}

static void a_slow_start_and_an_odd_kernel_do_not_hide_the_steps(void **state)
{
	(void)state;
	assert_int_equal(steps_in("<abqcdef<abcdef<abcdef<abcxdef<abcdef<abcdef"), 6);
}

/* ---- in a trace --------------------------------------------------------------------------------------------------------- */

static void loop_of_steps(struct build *b, int n, int slow)
{
	static const char *const kernels[] = {"embed", "gemm", "softmax", "norm", "head"};
	uint64_t corr = 0;
	double at = 0;
	for (int i = 0; i < n; i++, at += i <= slow ? 300 : 100)
		for (int k = 0; k < 5; k++) {
			launch(b, 1, at + 10 * k, 5, ++corr);
			kernel(b, 0, 7, kernels[k], at + 20 + 10 * k, 8, corr);
		}
}

static void inferred_steps_own_host_and_device_events(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	loop_of_steps(&b, 5, 0);
	op(&b, 2, "other thread", 215, 5);
	struct derived *d = derive(&b);
	const struct step_inference *found = derived_inference(d, 0);
	assert_int_equal(derived_steps(d), 5);
	assert_true(derived_step(d, 0)->inferred);
	assert_true(found->inferred);
	assert_int_equal(found->period_ns, US(100));
	assert_int_equal(found->kernels_per_step, 5);
	assert_string_equal(step_of(d, "other thread"), "2");
	assert_string_equal(derived_steps_source(d, 0), "inferred");
	assert_int_equal(derived_step_device(d, 4, 0)->n_work, 5);
	derived_free(d);
}

/* The host hands over a step of five kernels every 100 us, which take 500; with `waits` once in four it waits for them. */
static struct derived *handed_over(int n, bool waits)
{
	static const char *const kernels[] = {"embed", "gemm", "softmax", "norm", "head"};
	struct build b = build_new("chrome");
	uint64_t corr = 0;
	double at = 0, works = 0;
	for (int i = 0; i < n; i++, at = waits && i % 4 == 0 ? works + 1000 : at + 50)
		for (int k = 0; k < 5; k++, at += 10) {
			launch(&b, 1, at, 5, ++corr);
			works = works > at + 10 ? works : at + 10;
			kernel(&b, 0, 7, kernels[k], works, 100, corr);
			works += 100;
		}
	return derive(&b);
}

static void steps_last_as_long_as_their_work_where_the_host_is_ahead(void **state)
{
	(void)state;
	for (int waits = 0; waits < 2; waits++) {
		struct derived *d = handed_over(12, waits);
		uint32_t n = derived_steps(d);
		assert_int_equal(n, 12);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(derived_step_phase(d, i), PHASE_UNKNOWN);
		assert_int_equal(derived_step(d, n - 1)->time_end_ns - derived_step(d, 0)->start_ns,
				 waits ? US(12 * 500 + 2 * 1000 + 30) : US(12 * 500 + 10));
		derived_free(d);
	}
	/* one step behind is in step */
	struct build b = build_new("chrome");
	loop_of_steps(&b, 5, 0);
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_phase(d, 2), PHASE_STEADY);
	derived_free(d);
}

/* Five steps of four ops, 100 apart; `name` gives a kernel its name by step and op. */
static struct derived *five_steps(const char *(*name)(int step, int i))
{
	static const char *const ops[] = {"aten::embedding", "aten::mm", "aten::gelu", "aten::softmax"};
	struct build b = build_new("kineto");
	for (int step = 0; step < 5; step++)
		for (int i = 0; i < 4; i++) {
			double at = step * 100 + i * 20;
			op(&b, 1, ops[i], at, 10);
			launch(&b, 1, at + 2, 3, (uint64_t)(step * 4 + i + 1));
			kernel(&b, 0, 7, name(step, i), at + 8, 9, (uint64_t)(step * 4 + i + 1));
		}
	return derive(&b);
}

static const char *hashed(int step, int i)
{
	static char text[40];
	snprintf(text, sizeof text, "triton_%02x%02x", step * 37 + 11, i * 51 + 3);
	return text;
}

/* They come back, and in another order each time. */
static const char *shuffled(int step, int i)
{
	static const char *const names[] = {"acbd", "ddca", "bbac", "cadb", "bdda"};
	static char text[2];
	text[0] = names[step][i];
	return text;
}

static void kernels_that_never_come_back_are_known_by_their_ops(void **state)
{
	(void)state;
	struct derived *d = five_steps(hashed);
	assert_int_equal(derived_steps(d), 5);
	assert_string_equal(derived_inference(d, 0)->names, "ops that launched the work");
	assert_int_equal(derived_step(d, 1)->start_ns, 102000);
	derived_free(d);
}

static void ops_do_not_overrule_kernels_that_come_back(void **state)
{
	(void)state;
	struct derived *d = five_steps(shuffled);
	assert_int_equal(derived_steps(d), 0);
	derived_free(d);
}

static void other_semantics_infer_nothing(void **state)
{
	(void)state;
	static const enum semantics others[] = {SEM_XPROF, SEM_HTA, SEM_KINETO};
	for (int i = 0; i < 3; i++) {
		struct build b = build_new("chrome");
		loop_of_steps(&b, 5, 0);
		struct derived *d = derive_as(&b, &(struct derived_opts){.semantics = others[i]});
		assert_int_equal(derived_steps(d), 0);
		derived_free(d);
	}
}

static void lengths(struct build *b, const double *us, int n)
{
	double at = 0;
	for (int i = 0; i < n; at += us[i++])
		profiler_step(b, 1, i, at, us[i]);
}

static void slow_steps_first_are_warmup_later_ones_outliers(void **state)
{
	(void)state; /* median 101, median distance 1: limit = max(5 * 1.4826, 10.1) = 10.1 */
	static const double us[] = {500, 130, 100, 101, 102, 100, 101, 140, 101, 80};
	struct build b = build_new("chrome");
	lengths(&b, us, 10);
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_phase(d, 0), PHASE_WARMUP);
	assert_int_equal(derived_step_phase(d, 1), PHASE_WARMUP);
	assert_int_equal(derived_step_phase(d, 2), PHASE_STEADY);
	assert_int_equal(derived_step_phase(d, 7), PHASE_LONG);
	assert_int_equal(derived_step_phase(d, 8), PHASE_STEADY);
	assert_int_equal(derived_step_phase(d, 9), PHASE_SHORT);
	derived_free(d);
}

static void a_step_that_compiles_first_is_warmup(void **state)
{
	(void)state;
	static const double us[] = {100, 100, 100, 100};
	struct build b = build_new("chrome");
	lengths(&b, us, 4);
	op(&b, 1, "backend_compile", 10, 5);
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_phase(d, 0), PHASE_WARMUP);
	assert_int_equal(derived_step_phase(d, 1), PHASE_STEADY);
	derived_free(d);
}

static void what_compiles_in_every_step_does_not_warm_up(void **state)
{
	(void)state;
	static const double us[] = {100, 100, 100, 100, 100};
	struct build b = build_new("chrome");
	lengths(&b, us, 5);
	for (int i = 0; i < 5; i++)
		op(&b, 1, "backend_compile", 100 * i + 10, 5);
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_phase(d, 0), PHASE_WARMUP);
	for (uint32_t i = 1; i < 5; i++)
		assert_int_equal(derived_step_phase(d, i), PHASE_STEADY);
	derived_free(d);
}

static void whatever_the_table_of_compilations_lists_warms_up(void **state)
{
	(void)state;
	static const double us[] = {100, 100, 100, 100};
	struct build b = build_new("chrome");
	lengths(&b, us, 4);
	op(&b, 1, "triton_compile", 10, 5);
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_phase(d, 0), PHASE_WARMUP);
	assert_int_equal(derived_step_phase(d, 1), PHASE_STEADY);
	derived_free(d);
}

static void three_steps_are_too_few_to_judge(void **state)
{
	(void)state;
	static const double us[] = {500, 100, 100};
	struct build b = build_new("chrome");
	lengths(&b, us, 3);
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_phase(d, 0), PHASE_UNKNOWN);
	derived_free(d);
}

/* ---- names -------------------------------------------------------------------------------------------------------------- */

static const char *framework(const char *name, enum event_kind kind)
{
	uint8_t mark = step_mark(name, kind);
	return mark ? step_mark_framework(mark & ~MARK_ENDS) : "none";
}

static void annotations_of_the_field(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum event_kind kind;
		const char *framework;
	} cases[] = {
		{"[pl][profile]run_training_batch", KIND_ANNOTATION, "PyTorch Lightning"},
		{"[pl][profile][Strategy]DDPStrategy.validation_step", KIND_ANNOTATION, "PyTorch Lightning"},
		{"transformers/trainer.py(3579): training_step", KIND_PYTHON, "Hugging Face Trainer"},
		{"transformers/trainer.py(3579): training_step", KIND_OP, "none"},
		{"megatron/training/training.py(812): train_step", KIND_PYTHON, "Megatron-LM"},
		{"NVTX:DeepSpeedEngine.forward", KIND_ANNOTATION, "DeepSpeed"},
		{"execute_context_1(888_788544)_generation_0(0)", KIND_ANNOTATION, "vLLM"},
		{"step[DECODE bs=32]", KIND_ANNOTATION, "SGLang"},
		{"iteration 12", KIND_ANNOTATION, "a range"},
		{"iteration[12,16)", KIND_ANNOTATION, "a range"},
		{"Iteration_12", KIND_ANNOTATION, "a range"},
		{"iteration_3_ga_step_1", KIND_ANNOTATION, "none"},
		{"step", KIND_ANNOTATION, "none"},
		{"stepwise 3", KIND_ANNOTATION, "none"},
		{"iteration 12", KIND_RUNTIME, "none"},
		{"train_epoch 12", KIND_ANNOTATION, "a range"},
		{"my-eval-batch#3", KIND_ANNOTATION, "a range"},
		{"Epoch 2", KIND_ANNOTATION, "a range"},
		{"optimizer_step 3", KIND_ANNOTATION, "none"},
		{"layer_3", KIND_ANNOTATION, "none"},
		{"train_epoch", KIND_ANNOTATION, "none"},
		{"load_batch_3", KIND_ANNOTATION, "none"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(framework(cases[i].name, cases[i].kind), cases[i].framework);
}

/* Evaluation stands between the epochs; the words that mark most are the steps. */
static void the_words_that_mark_most_are_the_steps(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	char name[32];
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof name, "train_epoch %d", 40 + i);
		host_event(&b, KIND_ANNOTATION, 1, name, 1000 * i, 700);
		snprintf(name, sizeof name, "eval_epoch %d", 40 + i);
		if (i < 3)
			host_event(&b, KIND_ANNOTATION, 1, name, 1000 * i + 700, 200);
		launch(&b, 1, 1000 * i + 10, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", 1000 * i + 100, 500, (uint64_t)i + 1);
	}
	struct derived *d = derive(&b);
	assert_int_equal(derived_steps(d), 5);
	for (uint32_t i = 0; i < 5; i++) {
		assert_string_equal(derived_step_name(d, derived_step(d, i)), "train_epoch");
		assert_int_equal(derived_step(d, i)->number, 40 + i);
	}
	derived_free(d);
}

/* Six batches of 1 ms each, 0.9 of it marked; after every `per` of them the optimizer for 0.4, `inside` the marker or after it. */
static struct derived *batches(int per, bool inside)
{
	struct build b = build_new("chrome");
	double at = 0;
	for (int i = 0; i < 6; i++, at += 1000) {
		bool last = i % per == per - 1;
		host_event(&b, KIND_ANNOTATION, 1, "training_step", at, last && inside ? 1400 : 900);
		launch(&b, 1, at + 10, 5, (uint64_t)i + 1);
		kernel(&b, 0, 7, "k", at + 100, 500, (uint64_t)i + 1);
		if (!last)
			continue;
		host_event(&b, KIND_ANNOTATION, 1, "Optimizer.step#AdamW.step", at + 950, 400);
		at += 500;
	}
	return derive(&b);
}

static void batches_up_to_the_optimizer_are_one_marked_step(void **state)
{
	(void)state;
	struct derived *d = batches(2, false);
	assert_int_equal(derived_steps(d), 3);
	assert_int_equal(derived_step(d, 1)->start_ns, US(2500));
	assert_int_equal(derived_step(d, 1)->end_ns, US(2500 + 1000 + 950 + 400));
	assert_string_equal(derived_steps_source(d, 0), "annotations: a range, up to the optimizer");
	derived_free(d);
	d = batches(1, false); /* between the steps that the program marks lies what it left out */
	assert_int_equal(derived_steps(d), 6);
	assert_int_equal(derived_step(d, 1)->end_ns, US(1500 + 900));
	derived_free(d);
	d = batches(2, true); /* the optimizer at the end of every second range */
	assert_int_equal(derived_steps(d), 3);
	assert_int_equal(derived_step(d, 1)->start_ns, US(2500));
	assert_int_equal(derived_step(d, 1)->end_ns, US(2500 + 1000 + 1400));
	assert_string_equal(derived_steps_source(d, 0), "annotations: a range, up to the optimizer");
	derived_free(d);
	d = batches(1, true);
	assert_int_equal(derived_steps(d), 6);
	assert_string_equal(derived_steps_source(d, 0), "annotations: a range");
	derived_free(d);
}

/* DeepSpeed's engine is asked for a step after each batch and optimizes in every `per`-th. */
static struct derived *engine_steps(int per)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < 6; i++) {
		double at = i * 1000.0;
		host_event(&b, KIND_ANNOTATION, 1, "DeepSpeedEngine.forward", at, 300);
		host_event(&b, KIND_ANNOTATION, 1, "DeepSpeedEngine.step", at + 600, 300);
		if (i % per == per - 1)
			host_event(&b, KIND_ANNOTATION, 1, "Optimizer.step#FusedAdam.step", at + 610, 200);
	}
	return derive(&b);
}

static void an_engine_that_optimizes_in_every_third_call_takes_a_step_then(void **state)
{
	(void)state;
	struct derived *d = engine_steps(3);
	assert_int_equal(derived_steps(d), 2);
	assert_int_equal(derived_step(d, 1)->start_ns, US(3000));
	assert_int_equal(derived_step(d, 1)->end_ns, US(5900));
	derived_free(d);
	d = engine_steps(1);
	assert_int_equal(derived_steps(d), 6);
	assert_int_equal(derived_step(d, 1)->end_ns, US(1900));
	derived_free(d);
}

/* The optimizer after batches as the text says: '.' is a batch, '!' one that the optimizer follows. */
static uint32_t steps_of_batches(const char *text)
{
	struct build b = build_new("chrome");
	for (int i = 0; text[i]; i++) {
		host_event(&b, KIND_ANNOTATION, 1, "training_step", i * 1000.0, 500);
		if (text[i] == '!')
			host_event(&b, KIND_ANNOTATION, 1, "Optimizer.step#AdamW.step", i * 1000.0 + 500, 400);
	}
	struct derived *d = derive(&b);
	uint32_t n = derived_steps(d);
	derived_free(d);
	return n;
}

static void each_optimizer_but_the_first_must_follow_several_batches(void **state)
{
	(void)state;
	assert_int_equal(steps_of_batches("..!..!..!"), 3);
	assert_int_equal(steps_of_batches("!..!..!"), 3);      /* recorded from the middle of a step on */
	assert_int_equal(steps_of_batches("..!..!."), 3);      /* and up to the middle of one */
	assert_int_equal(steps_of_batches("!.!"), 3);          /* twice tells little */
	assert_int_equal(steps_of_batches("!!.......!!"), 11); /* trained, evaluated, trained */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_of_kernels_is_found),
		cmocka_unit_test(ranks_are_cut_at_one_place),
		cmocka_unit_test(batches_up_to_the_optimizer_are_one_marked_step),
		cmocka_unit_test(an_engine_that_optimizes_in_every_third_call_takes_a_step_then),
		cmocka_unit_test(each_optimizer_but_the_first_must_follow_several_batches),
		cmocka_unit_test(what_does_not_repeat_has_no_steps),
		cmocka_unit_test(layers_of_one_step_are_no_steps),
		cmocka_unit_test(layers_inside_steps_are_no_steps),
		cmocka_unit_test(the_data_loader_says_where_a_step_begins),
		cmocka_unit_test(the_optimizer_says_where_a_step_ends),
		cmocka_unit_test(batches_that_the_optimizer_waits_for_are_parts_of_a_step),
		cmocka_unit_test(an_evaluation_behind_some_steps_does_not_join_them),
		cmocka_unit_test(steps_last_as_long_as_their_work_where_the_host_is_ahead),
		cmocka_unit_test(a_slow_start_and_an_odd_kernel_do_not_hide_the_steps),
		cmocka_unit_test(inferred_steps_own_host_and_device_events),
		cmocka_unit_test(kernels_that_never_come_back_are_known_by_their_ops),
		cmocka_unit_test(ops_do_not_overrule_kernels_that_come_back),
		cmocka_unit_test(other_semantics_infer_nothing),
		cmocka_unit_test(slow_steps_first_are_warmup_later_ones_outliers),
		cmocka_unit_test(a_step_that_compiles_first_is_warmup),
		cmocka_unit_test(what_compiles_in_every_step_does_not_warm_up),
		cmocka_unit_test(whatever_the_table_of_compilations_lists_warms_up),
		cmocka_unit_test(three_steps_are_too_few_to_judge),
		cmocka_unit_test(annotations_of_the_field),
		cmocka_unit_test(the_words_that_mark_most_are_the_steps),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
