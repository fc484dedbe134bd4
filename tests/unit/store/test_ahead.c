/* Memory taken ahead of its use: bytes stay as they are, whatever becomes of the column meanwhile. */
#include "model/store/ingest/ahead.h"
#include "tests/unit/unit.h"
#include <stdint.h>

static void one_thread_takes_nothing_ahead(void **state)
{
	(void)state;
	assert_null(ahead_new(0));
	assert_null(ahead_new(1));
	ahead_free(NULL);
}

static void a_column_keeps_its_bytes(void **state)
{
	(void)state;
	enum { N = 12 << 20 };
	struct ahead *a = ahead_new(2);
	struct column c = {.size = sizeof(uint32_t)};
	assert_non_null(a);
	for (uint32_t i = 0; i < N; i++) {
		uint32_t *p = column_push(&c);
		assert_non_null(p);
		assert_int_equal(*p, 0); /* fresh bytes are zero, taken ahead or not */
		*p = i;
		if (i % 1024 == 0)
			ahead_column(a, 0, &c, c.n);
	}
	for (uint32_t i = 0; i < N; i++)
		if (((uint32_t *)c.p)[i] != i)
			fail_msg("element %u is %u", i, ((uint32_t *)c.p)[i]);
	column_free(&c);
	ahead_free(a);
}

static void a_column_may_go_before_its_memory_comes(void **state)
{
	(void)state;
	for (int round = 0; round < 50; round++) {
		struct ahead *a = ahead_new(2);
		struct column c = {.size = 1};
		assert_true(column_grow(&c, 16 << 20));
		ahead_column(a, 3, &c, 3 << 20);
		ahead_column(a, 3, &c, 5 << 20);
		column_free(&c);
		ahead_free(a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_takes_nothing_ahead),
		cmocka_unit_test(a_column_keeps_its_bytes),
		cmocka_unit_test(a_column_may_go_before_its_memory_comes),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
