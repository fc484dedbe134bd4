/* model/analysis/maths/largest: the few that come first, against sorting all. */
#include "model/analysis/maths/largest.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct item {
	int32_t size;
	uint32_t id;
	char rest[5]; /* moves along */
};
enum { MOST = 3000 };

static int larger_first(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static struct item item(uint32_t i, int32_t size)
{
	return (struct item){size, i, {(char)i, (char)(i >> 8), 'x', 'y', 'z'}};
}

static void assert_largest(const struct item *all, uint32_t n, uint32_t max)
{
	struct arena mem = {0};
	static struct item sorted[MOST];
	struct largest l = largest_new(&mem, max, sizeof *all, larger_first);
	for (uint32_t i = 0; i < n; i++)
		largest_offer(&l, &all[i]);
	memcpy(sorted, all, n * sizeof *all);
	qsort(sorted, n, sizeof *sorted, larger_first);
	const struct item *got = largest_sorted(&l);
	assert_int_equal(l.n, n < max ? n : max);
	for (uint32_t i = 0; i < l.n; i++) {
		assert_int_equal(got[i].id, sorted[i].id);
		assert_memory_equal(got[i].rest, sorted[i].rest, sizeof got[i].rest);
	}
	arena_free(&mem);
}

static void each_number_of_items_kept_of_each_number_offered(void **state)
{
	(void)state;
	static struct item up[MOST], down[MOST], same[MOST], any[MOST];
	srand(11);
	for (uint32_t i = 0; i < MOST; i++) {
		up[i] = item(i, (int32_t)i);
		down[i] = item(i, -(int32_t)i);
		same[i] = item(i, 7);
		any[i] = item(i, rand() % 100);
	}
	static const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 17, 100, MOST};
	for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
		for (size_t max = 0; max < sizeof counts / sizeof *counts; max++) {
			assert_largest(up, counts[n], counts[max]);
			assert_largest(down, counts[n], counts[max]);
			assert_largest(same, counts[n], counts[max]);
			assert_largest(any, counts[n], counts[max]);
		}
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_number_of_items_kept_of_each_number_offered)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
