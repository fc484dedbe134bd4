/* A growing array keeps what is in it and hands out zeros, whatever pages it lives on. */
#include "model/store/base/column.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { PAGE = 4096, LARGE_PAGE = 2 << 20 };

/* Elements that fit no page evenly. */
struct odd {
	uint32_t word[7];
};

static void expect_counts(const struct column *c)
{
	const struct odd *x = c->p;
	for (uint32_t i = 0; i < c->n; i++) {
		assert_int_equal(x[i].word[0], i);
		assert_int_equal(x[i].word[6], ~i);
	}
}

static void push_counts(struct column *c, size_t until)
{
	while (c->n < until) {
		uint32_t i = (uint32_t)c->n;
		struct odd *x = column_push(c);
		assert_non_null(x);
		for (int k = 0; k < 7; k++)
			assert_int_equal(x->word[k], 0);
		x->word[0] = i;
		x->word[6] = ~i;
	}
}

static void test_growing_keeps_elements(void **state)
{
	(void)state;
	struct column c = {.size = sizeof(struct odd)};
	for (size_t bytes = PAGE; bytes < 8 * LARGE_PAGE; bytes *= 3) {
		push_counts(&c, bytes / c.size);
		expect_counts(&c);
	}
	column_free(&c);
}

static void test_growing_at_once(void **state)
{
	(void)state;
	struct column c = {.size = sizeof(struct odd)};
	push_counts(&c, 100);
	assert_true(column_grow(&c, 3 * LARGE_PAGE));
	assert_true(c.cap >= 3 * LARGE_PAGE);
	expect_counts(&c);
	((struct odd *)c.p)[c.cap - 1].word[6] = 1;
	push_counts(&c, 1000);
	expect_counts(&c);
	column_free(&c);
}

static void test_two_grow_in_turns(void **state)
{
	(void)state;
	struct column a = {.size = sizeof(struct odd)}, b = a;
	for (size_t n = 1000; n < 400000; n = n * 3 / 2) {
		push_counts(&a, n);
		push_counts(&b, n / 2);
	}
	expect_counts(&a);
	expect_counts(&b);
	column_free(&a);
	expect_counts(&b);
	column_free(&b);
}

static void test_too_large_is_refused(void **state)
{
	(void)state;
	struct column c = {.size = sizeof(struct odd)};
	push_counts(&c, LARGE_PAGE / sizeof(struct odd) + 1);
	assert_false(column_grow(&c, SIZE_MAX / 2));
	assert_false(column_grow(&c, SIZE_MAX / 8 / c.size));
	expect_counts(&c);
	column_free(&c);
	assert_null(c.p);
	assert_int_equal(c.cap, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growing_keeps_elements),
		cmocka_unit_test(test_growing_at_once),
		cmocka_unit_test(test_two_grow_in_turns),
		cmocka_unit_test(test_too_large_is_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
