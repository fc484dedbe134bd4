/* A growing array keeps what is in it and hands out zeros, whatever pages it lives on. */
#include "model/store/base/column.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* ---- pages used again --------------------------------------------------------------------------------------------- */
static struct column filled(size_t bytes)
{
	struct column c = {.size = 1};
	/* two steps: columns lie on large pages once they have grown */
	for (size_t n = 1; n; n = n < bytes ? bytes : 0) {
		assert_true(column_grow(&c, n));
		memset(c.p, 7, n);
		c.n = n;
	}
	return c;
}

static size_t pages_there(const void *p, size_t bytes)
{
	static unsigned char there[64 * LARGE_PAGE / PAGE];
	size_t n = 0;
	assert_int_equal(mincore((void *)p, bytes, there), 0);
	for (size_t i = 0; i < bytes / PAGE; i++)
		n += there[i] & 1;
	return n * PAGE;
}

/* Many columns of a small trace fill half of a large page or less. */
static void test_what_fills_no_large_page_takes_none(void **state)
{
	(void)state;
	struct column c = {.size = 1};
	for (size_t used = PAGE; used <= LARGE_PAGE / 2 + PAGE; used += PAGE) {
		assert_true(column_grow(&c, used));
		((char *)c.p)[used - 1] = 1;
		c.n = used;
	}
	assert_int_equal(pages_there(c.p, c.cap), c.n);
	column_free(&c);
}

static void test_spare_pages_are_used_again(void **state)
{
	(void)state;
	struct spare s = {0};
	struct column a = filled(4 * LARGE_PAGE), b = filled(2 * LARGE_PAGE);
	spare_column(&s, &a);
	spare_column(&s, &b);
	assert_null(a.p);
	assert_int_equal(b.cap, 0);
	unsigned char *small = spare_alloc(&s, 3 * LARGE_PAGE), *large = spare_alloc(&s, 6 * LARGE_PAGE);
	assert_int_equal(pages_there(small, 3 * LARGE_PAGE), 3 * LARGE_PAGE); /* nothing is cleared for it */
	assert_int_equal(pages_there(large, 3 * LARGE_PAGE), 3 * LARGE_PAGE);
	memset(small, 1, 3 * LARGE_PAGE);
	memset(large, 2, 6 * LARGE_PAGE); /* the end is fresh, and there */
	assert_int_equal(small[3 * LARGE_PAGE - 1], 1);
	assert_int_equal(large[6 * LARGE_PAGE - 1], 2);
	free(small);
	free(large);
	spare_free(&s);
}

static void test_spare_memory_may_be_little_or_left(void **state)
{
	(void)state;
	struct spare s = {0};
	struct column little = filled(PAGE), rest = filled(4 * LARGE_PAGE), none = {.size = 1};
	spare_column(&s, &little); /* given back: it has no large page */
	spare_column(&s, &none);
	assert_int_equal(s.n, 0);
	void *fresh = spare_alloc(&s, LARGE_PAGE + 1);
	spare_column(&s, &rest);
	void *bytes = spare_alloc(&s, 100); /* less than a page takes none */
	assert_int_equal(s.n, 1);
	assert_non_null(bytes);
	memset(fresh, 3, LARGE_PAGE + 1);
	for (int i = 0; i < SPARE_COLUMNS + 3; i++) { /* more than are kept */
		struct column more = filled(LARGE_PAGE);
		spare_column(&s, &more);
	}
	assert_int_equal(s.n, SPARE_COLUMNS);
	spare_free(&s);
	free(bytes);
	free(fresh);
}

/* Pages of several columns lie in one that grows on, again and again, and is used again itself. */
static void test_a_column_grows_from_spare_pages(void **state)
{
	(void)state;
	struct spare s = {0};
	struct column c = {.size = sizeof(struct odd)}, a = filled(3 * LARGE_PAGE), b = filled(2 * LARGE_PAGE);
	spare_column(&s, &a);
	spare_column(&s, &b);
	for (uint32_t i = 0; i < 10 * LARGE_PAGE / sizeof(struct odd); i++) {
		assert_true(column_grow_from(&c, c.n + 1, &s));
		struct odd *x = column_push(&c);
		x->word[0] = i;
		x->word[6] = ~i;
	}
	expect_counts(&c);
	assert_int_equal(s.n, 0);
	size_t bytes = c.cap * c.size / LARGE_PAGE * LARGE_PAGE;
	size_t there = pages_there(c.p, bytes);
	spare_column(&s, &c);
	char *p = spare_alloc(&s, bytes);
	assert_int_equal(pages_there(p, bytes), there);
	free(p);
	spare_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growing_keeps_elements),
		cmocka_unit_test(test_growing_at_once),
		cmocka_unit_test(test_two_grow_in_turns),
		cmocka_unit_test(test_too_large_is_refused),
		cmocka_unit_test(test_what_fills_no_large_page_takes_none),
		cmocka_unit_test(test_spare_pages_are_used_again),
		cmocka_unit_test(test_spare_memory_may_be_little_or_left),
		cmocka_unit_test(test_a_column_grows_from_spare_pages),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
