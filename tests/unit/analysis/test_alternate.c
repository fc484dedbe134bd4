/* Two optimizers that take turns make one step, where something tells the two apart. */
#include "model/analysis/maths/alternate.h"
#include "tests/unit/derive_trace.h"
#include <string.h>

/* Parts of five letters each. */
static bool take_turns(const char *text)
{
	struct token tokens[512];
	int64_t begin_ns[64];
	uint32_t n = (uint32_t)strlen(text), parts = n / 5;
	for (uint32_t i = 0; i < n; i++)
		tokens[i] = (struct token){i, (uint8_t)text[i], SIGN_NONE};
	for (uint32_t i = 0; i <= parts; i++)
		begin_ns[i] = i * 5;
	return parts_alternate(tokens, n, 128, begin_ns, parts);
}

static void parts_of_two_sorts_take_turns(void **state)
{
	(void)state;
	assert_true(take_turns("abcx!abcy!abcx!abcy!abcx!abcy!abcx!abcy!"));
	assert_true(take_turns("abcx!abcy!abcx!abcy!abcx!abcy!abcx!abcz!")); /* the last one is cut off */
	assert_false(take_turns("abcd!abcd!abcd!abcd!abcd!abcd!abcd!abcd!"));
	assert_false(take_turns("abcx!abcc!abcx!abcc!abcx!abcc!abcx!abcc!")); /* what is done every second time */
	assert_false(take_turns("abcx!abcy!abcx!abcy!abcx!abcx!abcy!abcy!"));
	assert_false(take_turns("abcx!abcy!abcx!abcy!abcx!abcy!")); /* too few to tell */
}

/* Two networks of one shape: each has an optimizer, and only the frames around them differ. */
static uint32_t steps_of_twins(const char *first, const char *second)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < 20; i++) {
		double at = i * 1000.0;
		host_event(&b, KIND_PYTHON, 1, i % 2 ? second : first, at + 1, 990);
		for (int k = 0; k < 4; k++) {
			uint64_t corr = 1 + (uint64_t)(4 * i + k);
			launch(&b, 1, at + 10 + 100 * k, 5, corr);
			kernel(&b, 0, 7, k == 3 ? "adam" : k ? "gemm" : "conv", at + 20 + 100 * k, 90, corr);
		}
		host_event(&b, KIND_ANNOTATION, 1, "Optimizer.step#Adam.step", at + 305, 50);
	}
	struct derived *d = derive(&b);
	uint32_t n = derived_steps(d);
	derived_free(d);
	return n;
}

static void twins_make_one_step(void **state)
{
	(void)state;
	assert_int_equal(steps_of_twins("gan.py(9): train_d", "gan.py(30): train_g"), 10);
	assert_int_equal(steps_of_twins("train.py(9): step", "train.py(9): step"), 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_two_sorts_take_turns),
		cmocka_unit_test(twins_make_one_step),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
