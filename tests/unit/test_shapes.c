/* model/analysis/shapes: shapes and types of an op's inputs, in the words of PyTorch and of XSpace. */
#include "../../model/analysis/shapes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void check_dims(const struct shape *x, int n, int64_t a, int64_t b)
{
	assert_int_equal(x->n_dims, n);
	if (n > 0)
		assert_int_equal(x->dim[0], a);
	if (n > 1)
		assert_int_equal(x->dim[1], b);
}

static void pytorch_lists_dims_types_and_strides(void **state)
{
	(void)state;
	struct shapes s;
	assert_true(shapes_from_lists("[[640], [888, 2880], [2880, 640], [], []]",
				      "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::Half\", \"Scalar\", \"\"]",
				      "[[1], [2880, 1], [1, 2880], [], []]", &s));
	assert_int_equal(s.n, 5);
	check_dims(&s.at[0], 1, 640, 0);
	check_dims(&s.at[1], 2, 888, 2880);
	check_dims(&s.at[2], 2, 2880, 640);
	check_dims(&s.at[3], 0, 0, 0);
	assert_int_equal(s.at[1].type, PREC_BF16);
	assert_int_equal(s.at[2].type, PREC_FP16);
	assert_int_equal(s.at[4].type, PREC_UNKNOWN);
	assert_true(s.at[2].strided);
	assert_int_equal(s.at[2].stride[1], 2880);
}

static void what_is_no_tensor_keeps_its_place(void **state)
{
	(void)state;
	struct shapes s;
	assert_true(shapes_from_lists("[[[2,3],[4]],[5,6],\"\",[1,2,3,4,5,6,7,8,9]]", NULL, NULL, &s));
	assert_int_equal(s.n, 4);
	assert_int_equal(s.at[0].n_dims, SHAPE_NONE);
	check_dims(&s.at[1], 2, 5, 6);
	assert_int_equal(s.at[2].n_dims, SHAPE_NONE);
	assert_int_equal(s.at[3].n_dims, SHAPE_NONE);
	assert_false(s.at[1].strided);
}

static void xspace_writes_one_text(void **state)
{
	(void)state;
	struct shapes s;
	assert_true(shapes_from_text("(half[64,512];half[512,1023])", &s));
	assert_int_equal(s.n, 2);
	check_dims(&s.at[0], 2, 64, 512);
	check_dims(&s.at[1], 2, 512, 1023);
	assert_int_equal(s.at[1].type, PREC_FP16);
	assert_true(shapes_from_text("bf16[4096,128]{1,0}, f32[]", &s));
	assert_int_equal(s.n, 2);
	check_dims(&s.at[0], 2, 4096, 128);
	assert_int_equal(s.at[0].type, PREC_BF16);
	check_dims(&s.at[1], 0, 0, 0);
}

static void more_inputs_than_fit_are_left_out(void **state)
{
	(void)state;
	struct shapes s;
	char text[256] = "[[1]";
	for (int i = 0; i < 40; i++)
		strcat(text, ",[2]");
	strcat(text, "]");
	assert_true(shapes_from_lists(text, text, text, &s));
	assert_int_equal(s.n, SHAPE_INPUTS);
}

static void unsound_texts_are_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "[", "[[1,2", "nothing", "{\"a\":1}", "[[[[[[", "]"};
	struct shapes s;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (shapes_from_lists(wrong[i], wrong[i], wrong[i], &s))
			fail_msg("'%s' was taken as lists", wrong[i]);
	static const char *const texts[] = {"", "(", "half", "(half[64", "[[]]", "(half[a])"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (shapes_from_text(texts[i], &s))
			fail_msg("'%s' was taken as shapes", texts[i]);
	assert_true(shapes_from_lists("[[99999999999999999999, 2]]", NULL, NULL, &s)); /* absurd: no tensor */
	assert_int_equal(s.at[0].n_dims, SHAPE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pytorch_lists_dims_types_and_strides),
		cmocka_unit_test(what_is_no_tensor_keeps_its_place),
		cmocka_unit_test(xspace_writes_one_text),
		cmocka_unit_test(more_inputs_than_fit_are_left_out),
		cmocka_unit_test(unsound_texts_are_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
