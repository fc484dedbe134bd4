/* Sequences aligned: what stands for what rises, is equal, and is as much as can be had; long ones end soon. */
#include "model/analysis/maths/align.h"
#include "tests/unit/unit.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The longest common subsequence by the book. */
static uint32_t longest(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
	static uint32_t t[64][64];
	memset(t, 0, sizeof t);
	for (uint32_t i = 1; i <= n; i++)
		for (uint32_t j = 1; j <= m; j++)
			t[i][j] = a[i - 1] == b[j - 1]        ? t[i - 1][j - 1] + 1
				  : t[i - 1][j] > t[i][j - 1] ? t[i - 1][j]
							      : t[i][j - 1];
	return t[n][m];
}

/* How many stand for one of the other; fails when they do not rise or are not equal. */
static uint32_t aligned(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t *with)
{
	uint32_t found = 0, least = 0;
	align_sequences(a, n, b, m, with);
	for (uint32_t i = 0; i < n; i++) {
		if (with[i] == UINT32_MAX)
			continue;
		assert_true(with[i] < m && with[i] >= least);
		assert_int_equal(a[i], b[with[i]]);
		least = with[i] + 1;
		found++;
	}
	return found;
}

static void short_ones_exactly(void **state)
{
	(void)state;
	uint32_t a[60], b[60], with[60];
	srand(7);
	for (int turn = 0; turn < 3000; turn++) {
		uint32_t n = (uint32_t)rand() % 60, m = (uint32_t)rand() % 60, words = 1 + (uint32_t)rand() % 12;
		for (uint32_t i = 0; i < n; i++)
			a[i] = (uint32_t)rand() % words;
		for (uint32_t i = 0; i < m; i++)
			b[i] = (uint32_t)rand() % words;
		assert_int_equal(aligned(a, n, b, m, with), longest(a, n, b, m));
	}
}

/* A step of n kernels in layers of eight, without every third one of the layer's fifth. */
static uint32_t layers(uint32_t *v, uint32_t n, bool change, bool unique)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!change || i % 8 != 5 || i / 8 % 3)
			v[count++] = unique && i % 100 == 0 ? 1000 + i : i % 8;
	return count;
}

static void long_ones_in_time(void **state)
{
	(void)state;
	enum { N = 60000 };
	uint32_t *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *with = malloc(N * sizeof *with);
	for (int unique = 0; unique < 2; unique++) {
		uint32_t n = layers(a, N, false, unique), m = layers(b, N, true, unique);
		uint32_t found = aligned(a, n, b, m, with);
		assert_true(found > m - m / 50); /* all but a few: m is a part of a */
		assert_int_equal(aligned(b, m, a, n, with) > m - m / 50, true);
	}
	free(a);
	free(b);
	free(with);
}

static void nothing_in_common(void **state)
{
	(void)state;
	uint32_t a[] = {1, 2, 3}, b[] = {4, 5}, with[3];
	assert_int_equal(aligned(a, 3, b, 2, with), 0);
	assert_int_equal(aligned(a, 0, b, 2, with), 0);
	assert_int_equal(aligned(a, 3, b, 0, with), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(short_ones_exactly), cmocka_unit_test(long_ones_in_time),
					   cmocka_unit_test(nothing_in_common)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
