/* store/base/first_from: the same place as one after the other, however the moments lie. */
#include "model/store/base/first_from.h"
#include "tests/unit/seeded.h"
#include "tests/unit/unit.h"

enum { MOST = 400, STRIDE = 2 };

static uint64_t one_by_one(const int64_t *at, uint64_t lo, uint64_t end, int64_t ts)
{
	while (lo < end && at[lo * STRIDE] < ts)
		lo++;
	return lo;
}

/* Evenly, in bursts, all at one time, over all the time there is, and near its end, where doubles tell no two moments apart. */
static void fill(int64_t *at, uint64_t n, int how)
{
	int64_t ts = how == 3 ? INT64_MIN : how == 4 ? INT64_MAX - 2 * MOST : 1000;
	for (uint64_t i = 0; i < n; i++) {
		at[i * STRIDE] = ts;
		at[i * STRIDE + 1] = -1;
		ts += how == 0 ? 10 : how == 1 ? (below(40) ? below(3) : below(100000)) : how == 4 ? below(3) : 0;
		if (how == 3)
			ts += INT64_MAX / MOST * 2;
	}
}

static void a_moment_is_found_where_it_lies(void **state)
{
	(void)state;
	int64_t at[MOST * STRIDE];
	uint32_t inside = 0;
	for (int round = 0; round < 400; round++) {
		uint64_t n = (uint64_t)below(MOST), lo = n ? (uint64_t)below((int64_t)n) : 0;
		fill(at, n, round % 5);
		for (uint64_t i = 0; i < n; i += 1 + n / 50)
			for (int64_t off = -1; off <= 1; off++) {
				int64_t ts = at[i * STRIDE] == INT64_MIN ? INT64_MIN : at[i * STRIDE] + off;
				uint64_t found = first_from(at, STRIDE, lo, n, ts);
				assert_int_equal(found, one_by_one(at, lo, n, ts));
				inside += found > lo && found < n;
			}
		assert_int_equal(first_from(at, STRIDE, lo, n, INT64_MIN), lo);
		assert_int_equal(first_from(at, STRIDE, lo, n, INT64_MAX), n);
	}
	assert_in_range(inside, 5000, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_moment_is_found_where_it_lies)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
