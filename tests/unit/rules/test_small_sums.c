/* model/analysis/maths/small_sums: sums add up whether they fit into 32 bits or not, and only those groups take more room that need it. */
#include "model/analysis/maths/small_sums.h"
#include "tests/unit/unit.h"

enum { EACH = 3, GROUPS = 100 };

static void assert_sums(const struct small_sums *s, const uint32_t *ns, int64_t a, int64_t b, int64_t c)
{
	assert_int_equal(small_sums_get(s, ns, 0), a);
	assert_int_equal(small_sums_get(s, ns, 1), b);
	assert_int_equal(small_sums_get(s, ns, 2), c);
}

static void what_fits_stays_in_the_row(void **state)
{
	(void)state;
	struct small_sums s = {.each = EACH};
	uint32_t ns[EACH] = {0};
	assert_sums(&s, ns, 0, 0, 0);
	small_sums_add(&s, ns, 0, UINT32_MAX - 1);
	small_sums_add(&s, ns, 1, 5);
	small_sums_add(&s, ns, 1, 7);
	assert_sums(&s, ns, UINT32_MAX - 1, 12, 0);
	assert_int_equal(s.n, 0);
}

static void one_that_does_not_fit_makes_the_group_wide(void **state)
{
	(void)state;
	const int64_t most = UINT32_MAX;
	struct small_sums s = {.each = EACH};
	uint32_t ns[EACH] = {0};
	small_sums_add(&s, ns, 1, 12);
	small_sums_add(&s, ns, 0, most);
	assert_sums(&s, ns, most, 12, 0);
	small_sums_add(&s, ns, 0, 1);
	small_sums_add(&s, ns, 2, 4 * most);
	assert_sums(&s, ns, most + 1, 12, 4 * most);
	assert_int_equal(s.n, 1);
	small_sums_free(&s);
}

static void what_is_negative_or_too_much_for_64_bits_is_kept(void **state)
{
	(void)state;
	struct small_sums s = {.each = EACH};
	uint32_t ns[EACH] = {0};
	small_sums_add(&s, ns, 0, -3);
	small_sums_add(&s, ns, 1, INT64_MAX);
	small_sums_add(&s, ns, 1, 1);
	assert_sums(&s, ns, -3, INT64_MAX, 0);
	small_sums_free(&s);
}

static void groups_do_not_share_what_they_outgrow(void **state)
{
	(void)state;
	const int64_t most = UINT32_MAX;
	struct small_sums s = {.each = EACH};
	struct arena mem = {0};
	uint32_t ns[GROUPS][EACH] = {0};
	for (uint32_t k = 0; k < 4; k++)
		for (uint32_t i = 0; i < GROUPS; i++)
			small_sums_add(&s, ns[i], 2, i % 2 ? most + i : i);
	assert_int_equal(s.n, GROUPS / 2);
	small_sums_own(&s, &mem);
	for (uint32_t i = 0; i < GROUPS; i++)
		assert_sums(&s, ns[i], 0, 0, 4 * (i % 2 ? most + i : i));
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_stays_in_the_row),
		cmocka_unit_test(one_that_does_not_fit_makes_the_group_wide),
		cmocka_unit_test(what_is_negative_or_too_much_for_64_bits_is_kept),
		cmocka_unit_test(groups_do_not_share_what_they_outgrow),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
