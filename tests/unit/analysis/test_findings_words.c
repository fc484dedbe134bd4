/* Words of findings: whose framework gives the advice, and where capitals stand. */
#include "model/store/base/arena.h"
#include "tests/unit/ask.h"
#include "tests/unit/derive_trace.h"

static uint32_t of_rule(const struct table *t, const char *rule)
{
	uint32_t row = row_that_says(t, "rule", rule);
	assert_int_not_equal(row, NONE_ID);
	return row;
}

static const char *said_of(const struct table *t, const char *rule, const char *column)
{
	return table_cell(t, of_rule(t, rule), (uint32_t)table_column(t, column))->s;
}

/* A recording of devices alone: one kernel, and what the profiler calls its own span (NULL: nothing). */
static struct derived *device_alone(const char *kernel_name, const char *span)
{
	struct build b = build_new("kineto");
	kernel(&b, 0, 7, kernel_name, 0, 100, 0);
	if (span)
		host_event(&b, KIND_PROFILE, 1, span, 0, 200);
	return derive(&b);
}

static void a_recording_without_the_host_is_known_by_kernels_and_profiler(void **state)
{
	(void)state;
	static const struct {
		const char *kernel, *span, *framework;
	} cases[] = {
		{"void at::native::vectorized_elementwise_kernel<4>()", NULL, "PyTorch"},
		{"gemm", "PyTorch Profiler (0)", "PyTorch"},
		{"gemm", "Some Profiler (0)", NULL},
		{"void cub::at::native::x()", NULL, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = device_alone(cases[i].kernel, cases[i].span);
		const char *framework = told(ask(d, "overview"), "framework");
		if (cases[i].framework)
			assert_string_equal(framework, cases[i].framework);
		else
			assert_true(value_of(ask(d, "overview"), "framework")->null);
		const char *advice = said_of(ask(d, "findings"), "step-markers", "advice");
		assert_int_equal(strstr(advice, "prof.step()") != NULL, cases[i].framework != NULL);
		ask_done(d);
	}
}

static void a_word_in_a_sentence_has_no_capital_but_a_name(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"Record more", "record more"},
					       {"A softmax", "a softmax"},
					       {"PyTorch: more", "PyTorch: more"},
					       {"GPU 0 idles", "GPU 0 idles"},
					       {"TF32 is off", "TF32 is off"},
					       {"Python outside ops", "Python outside ops"},
					       {"Tensor Cores", "Tensor Cores"},
					       {"Pythonic", "pythonic"},
					       {"", ""},
					       {"4 of 5", "4 of 5"}};
	struct arena mem = {0};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(arena_small(&mem, cases[i][0]), cases[i][1]);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_without_the_host_is_known_by_kernels_and_profiler),
		cmocka_unit_test(a_word_in_a_sentence_has_no_capital_but_a_name),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
