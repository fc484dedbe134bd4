/* How much of each of several lists of intervals no other one covers, against counting every moment. */
#include "tests/unit/unit.h"
#include <stdbool.h>
#include "model/analysis/maths/alone.h"
#include <stdlib.h>
#include <string.h>

/* Some thousand intervals: more than are looked at together. Only what lies from FROM to UNTIL is asked about. */
enum { LISTS = 40, SPAN = 20000, FROM = 105, UNTIL = SPAN - 205, SHIFT = 1000 };

static struct interval_list lists[LISTS];

/* How many lists cover each moment. */
static uint8_t count[SPAN + 300];

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
			sum_ns += ts_ns >= FROM && ts_ns < UNTIL && count[ts_ns] == 1;
	return sum_ns;
}

/* Clocks that differ: each list's has its own shift. */
static int64_t shifted(const void *ctx, uint32_t i, int64_t ts_ns)
{
	(void)ctx;
	return ts_ns - (int64_t)i * SHIFT;
}

static void shift(uint32_t list, int64_t by_ns)
{
	for (uint32_t k = 0; k < lists[list].n; k++) {
		lists[list].at[k].a_ns += by_ns;
		lists[list].at[k].b_ns += by_ns;
	}
}

static void check(uint32_t n, bool by_clocks)
{
	int64_t alone_ns[LISTS];
	struct placed_intervals placed[LISTS];
	for (uint32_t i = 0; i < n; i++) {
		int64_t by_ns = by_clocks ? (int64_t)i * SHIFT : 0;
		shift(i, by_ns);
		placed[i] = (struct placed_intervals){lists[i].at, lists[i].n, FROM + by_ns, UNTIL + by_ns};
	}
	intervals_alone(&(struct placed_lists){placed, n, by_clocks ? shifted : NULL, NULL, NULL}, alone_ns);
	for (uint32_t i = 0; by_clocks && i < n; i++)
		shift(i, -(int64_t)i * SHIFT);
	count_all(n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(alone_ns[i], counted_ns(i));
}

static void free_lists(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		interval_list_free(&lists[i]);
}

static void as_counted(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 80; seed++) {
		uint32_t n = seed % (LISTS + 1);
		make_lists(n, seed);
		check(n, seed % 2);
		free_lists(n);
	}
}

/* One after the other, each for a moment: nobody is ever beside another one. */
static void in_turn(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < LISTS; i++) {
		lists[i] = (struct interval_list){0};
		for (int64_t at_ns = 2 * i; at_ns < SPAN; at_ns += 2 * LISTS)
			interval_add(&lists[i], at_ns, at_ns + 1);
	}
	check(LISTS, false);
	assert_int_equal(counted_ns(0) > SPAN / 2 / LISTS - 10, true);
	free_lists(LISTS);
}

static void all_alike(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < LISTS; i++) {
		lists[i] = (struct interval_list){0};
		interval_add(&lists[i], 10, 20);
		interval_add(&lists[i], 200, 300);
	}
	for (uint32_t n = 0; n <= LISTS; n++)
		check(n, false);
	free_lists(LISTS);
}

static bool at_once(const void *ctx)
{
	return *(const bool *)ctx;
}

static void stopped(void **state)
{
	(void)state;
	int64_t alone_ns;
	bool stop = true;
	struct interval one = {10, 20};
	struct placed_intervals placed = {&one, 1, 0, SPAN};
	struct placed_lists all = {&placed, 1, NULL, at_once, &stop};
	intervals_alone(&all, &alone_ns);
	assert_int_equal(alone_ns, 0);
	stop = false;
	intervals_alone(&all, &alone_ns);
	assert_int_equal(alone_ns, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_counted),
		cmocka_unit_test(in_turn),
		cmocka_unit_test(all_alike),
		cmocka_unit_test(stopped),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("alone", tests, NULL, NULL);
}
