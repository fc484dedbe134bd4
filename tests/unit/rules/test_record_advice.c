/* How to record what is missing is told in the words of who recorded: of a PyTorch program that Nsight Systems watched, Nsight's. */
#include "model/analysis/names/record_advice.h"
#include "tests/unit/build_trace.h"
#include "tests/unit/unit.h"

static struct trace *trace_by(const char *format, const char *name)
{
	struct build b = build_new(format);
	kernel(&b, 0, 7, name, 0, 10, 0);
	return build_seal(&b);
}

/* `words` are in the advice, of all that can be missing; `alien` in none. */
static void expect(struct trace *t, const char *words, const char *const *alien)
{
	bool told = false;
	for (enum record_what w = 0; w < RECORD_WHATS; w++) {
		const char *advice = record_advice(t, framework_of(t), w);
		told |= strstr(advice, words) != NULL;
		for (size_t i = 0; alien[i]; i++)
			if (strstr(advice, alien[i]))
				fail_msg("%s", advice);
	}
	assert_true(told);
	trace_free(t);
}

static void in_words_of_the_recorder(void **state)
{
	(void)state;
	const char *const torch[] = {"with_stack", "ProfilerActivity", "profile_memory",
				     "prof.step",  "tracer_level",     NULL},
			  *const others[] = {"nsys", "nvtx", "tracer_level", "tf.", "jax.", NULL},
			  *const tf[] = {"nsys", "with_stack", "ProfilerActivity", "jax.", NULL};
	expect(trace_by("nsys", "void at::native::add"), "--trace=cuda", torch);
	expect(trace_by("nsys", "kernel of nobody"), "--cuda-memory-usage", torch);
	expect(trace_by("chrome", "void at::native::add"), "with_stack", others);
	expect(trace_by("xspace", "IteratorGetNext"), "tracer_level", tf);
}

/* Each framework has its words, and who is unknown gets a sentence, too. */
static void every_sentence_is_there(void **state)
{
	(void)state;
	struct trace *t = trace_by("chrome", "kernel of nobody");
	for (enum record_what w = 0; w < RECORD_WHATS; w++)
		for (enum framework f = 0; f < FRAMEWORKS; f++) {
			const char *advice = record_advice(t, f, w);
			assert_non_null(advice);
			assert_int_equal(advice[strlen(advice) - 1], '.');
		}
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_words_of_the_recorder),
		cmocka_unit_test(every_sentence_is_there),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
