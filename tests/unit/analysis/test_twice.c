/* How much of each of several lists of intervals others cover, against counting every moment. */
#include "tests/unit/unit.h"
#include <stdbool.h>
#include "model/analysis/maths/twice.h"
#include <stdlib.h>
#include <string.h>

enum { LISTS = 90, FEW = 9, SPAN = 20000 }; /* some thousand intervals: more than are looked at together */

static struct interval_list lists[LISTS];

static uint32_t given[LISTS];

/* Sometimes fewer than there is room for. */
static uint32_t give(void *ctx, uint32_t i, struct interval *to, uint32_t room)
{
	(void)ctx;
	uint32_t left = lists[i].n - given[i], most = left < room ? left : room,
		 n = most > 3 && given[i] % 2 ? 3 : most;
	for (uint32_t k = 0; k < n; k++)
		to[k] = lists[i].at[given[i]++];
	return n;
}

/* How many lists cover each moment. */
static uint8_t count[SPAN + 20];

static void count_all(uint32_t n)
{
	memset(count, 0, sizeof count);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < lists[i].n; k++)
			for (int64_t ts_ns = lists[i].at[k].a_ns; ts_ns < lists[i].at[k].b_ns; ts_ns++)
				count[ts_ns]++;
}

static int64_t rnd(uint32_t *seed, int64_t most)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (int64_t)(*seed >> 8) % most;
}

/* Some of the intervals are empty, some lists have none. */
static void make_lists(uint32_t n, uint32_t seed)
{
	for (uint32_t i = 0; i < n; i++) {
		int64_t at_ns = rnd(&seed, SPAN / 2), apart_ns = i % 3 ? 30 : 300;
		lists[i] = (struct interval_list){0};
		while (at_ns < SPAN) {
			int64_t long_ns = rnd(&seed, 12);
			interval_add(&lists[i], at_ns, at_ns + long_ns);
			at_ns += long_ns + 1 + rnd(&seed, apart_ns);
		}
	}
}

static int64_t counted_ns(uint32_t list)
{
	int64_t sum_ns = 0;
	for (uint32_t k = 0; k < lists[list].n; k++)
		for (int64_t ts_ns = lists[list].at[k].a_ns; ts_ns < lists[list].at[k].b_ns; ts_ns++)
			sum_ns += count[ts_ns] > 1;
	return sum_ns;
}

static void check(uint32_t n)
{
	int64_t shared_ns[LISTS];
	for (uint32_t i = 0; i < n; i++)
		given[i] = 0;
	intervals_shared(n, give, NULL, shared_ns);
	count_all(n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(shared_ns[i], counted_ns(i));
}

static void check_made(uint32_t n, uint32_t seed)
{
	make_lists(n, seed);
	check(n);
	for (uint32_t i = 0; i < n; i++)
		interval_list_free(&lists[i]);
}

static void as_counted(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 60; seed++)
		check_made(seed % (FEW + 1), seed);
}

static void of_very_many_as_counted(void **state)
{
	(void)state;
	for (uint32_t n = 60; n <= LISTS; n += 5)
		check_made(n, n);
}

static void all_alike(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < LISTS; i++) {
		lists[i] = (struct interval_list){0};
		interval_add(&lists[i], 10, 20);
		interval_add(&lists[i], 30, 40);
	}
	for (uint32_t n = 0; n <= LISTS; n++)
		check(n);
	for (uint32_t i = 0; i < LISTS; i++)
		interval_list_free(&lists[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_counted),
		cmocka_unit_test(of_very_many_as_counted),
		cmocka_unit_test(all_alike),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("twice", tests, NULL, NULL);
}
