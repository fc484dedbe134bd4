/* Percentiles by nearest rank, against sorting. */
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/quantile.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

static int64_t quantile_of(int64_t *v, uint32_t n, unsigned per_mille)
{
	int64_t out;
	quantiles_of(v, n, &per_mille, &out, 1);
	return out;
}

static void one_value_is_every_percentile(void **state)
{
	(void)state;
	int64_t v = 7;
	assert_int_equal(quantile_of(&v, 1, 1), 7);
	assert_int_equal(quantile_of(&v, 1, 1000), 7);
}

static void the_rank_is_rounded_up(void **state)
{
	(void)state;
	int64_t v[] = {40, 10, 30, 20}, few[] = {3, 1, 2};
	assert_int_equal(quantile_of(v, 4, 500), 20);
	assert_int_equal(quantile_of(v, 4, 950), 40);
	assert_int_equal(quantile_of(v, 4, 250), 10);
	assert_int_equal(quantile_of(v, 4, 251), 20);
	assert_int_equal(quantile_of(few, 3, 500), 2);
}

enum { MANY = 1000 };
static void fill(int64_t *v, int way)
{
	for (int i = 0; i < MANY; i++)
		v[i] = way == 0 ? i : way == 1 ? MANY - i : way == 2 ? rand() % 5 : way == 3 ? 9 : rand();
}

static void any_order_gives_what_sorting_gives(void **state)
{
	(void)state;
	static const unsigned shares[] = {1, 10, 500, 950, 990, 1000};
	srand(1);
	for (int way = 0; way < 5; way++)
		for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
			int64_t v[MANY], sorted[MANY];
			fill(v, way);
			memcpy(sorted, v, sizeof v);
			qsort(sorted, MANY, sizeof *sorted, i64_order);
			assert_int_equal(quantile_of(v, MANY, shares[k]), sorted[shares[k] - 1]);
		}
}

static void several_at_once_are_those_one_by_one(void **state)
{
	(void)state;
	static const unsigned shares[] = {1, 500, 950, 990, 1000};
	srand(2);
	for (int way = 0; way < 5; way++) {
		int64_t v[MANY], together[5];
		fill(v, way);
		quantiles_of(v, MANY, shares, together, 5);
		for (int i = 0; i < 5; i++)
			assert_int_equal(together[i], quantile_of(v, MANY, shares[i]));
	}
}

/* As far apart as numbers can be, and so many that they are counted first. */
static void very_many_are_those_of_sorting(void **state)
{
	(void)state;
	enum { VERY_MANY = 20000, SHARES = 5 };
	static const unsigned shares[SHARES] = {1, 500, 950, 990, 1000};
	static int64_t v[VERY_MANY], sorted[VERY_MANY];
	for (int bits = 1; bits <= 64; bits += 7) {
		int64_t out[SHARES];
		for (int i = 0; i < VERY_MANY; i++)
			v[i] = (int64_t)(((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand()) >>
					 (64 - bits));
		v[7] = bits == 64 ? INT64_MIN : v[7];
		v[8] = bits == 64 ? INT64_MAX : v[8];
		memcpy(sorted, v, sizeof v);
		qsort(sorted, VERY_MANY, sizeof *sorted, i64_order);
		quantiles_of(v, VERY_MANY, shares, out, SHARES);
		for (int i = 0; i < SHARES; i++)
			assert_int_equal(out[i], sorted[VERY_MANY / 1000 * shares[i] - 1]);
		qsort(v, VERY_MANY, sizeof *v, i64_order);
		assert_memory_equal(v, sorted, sizeof v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_value_is_every_percentile),
		cmocka_unit_test(the_rank_is_rounded_up),
		cmocka_unit_test(any_order_gives_what_sorting_gives),
		cmocka_unit_test(several_at_once_are_those_one_by_one),
		cmocka_unit_test(very_many_are_those_of_sorting),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
