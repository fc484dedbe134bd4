/* Arrays that grow row by row: rows stay, capacities never wrap, and what cannot be granted leaves everything as it was. */
#include "model/store/base/arena.h"
#include "model/store/base/grow.h"
#include "tests/unit/unit.h"
#include <string.h>

static void test_rows_stay(void **state)
{
	(void)state;
	uint32_t *at = NULL, cap = 0;
	for (uint32_t n = 0; n < 5000; n++) {
		GROW_ARRAY(at, n, cap);
		assert_true(cap > n);
		at[n] = ~n;
	}
	for (uint32_t n = 0; n < 5000; n++)
		assert_int_equal(at[n], ~n);
	free(at);
}

static void test_a_row_far_ahead(void **state)
{
	(void)state;
	char *at = NULL;
	size_t cap = 0;
	GROW_ARRAY(at, 100000, cap);
	assert_int_equal(cap, 100001);
	at[100000] = 'x';
	GROW_ARRAY(at, 7, cap);
	assert_int_equal(cap, 100001);
	free(at);
}

static void test_capacity_never_wraps(void **state)
{
	(void)state;
	uint64_t *at = NULL;
	uint8_t cap = 0;
	for (unsigned n = 0; n < UINT8_MAX; n++) {
		assert_true(TRY_GROW_ARRAY(at, n, cap));
		at[n] = n;
	}
	assert_int_equal(cap, UINT8_MAX);
	uint64_t *before = at;
	assert_false(TRY_GROW_ARRAY(at, UINT8_MAX, cap)); /* one more than the capacity can say */
	assert_ptr_equal(at, before);
	assert_int_equal(cap, UINT8_MAX);
	assert_int_equal(at[254], 254);
	free(at);
	assert_true(grown_capacity(UINT32_C(1) << 31, UINT32_C(1) << 31, UINT32_MAX) == UINT32_MAX);
	assert_true(grown_capacity(UINT32_MAX, UINT32_MAX, UINT32_MAX) == SIZE_MAX);
}

static void test_an_arena_is_used_again(void **state)
{
	(void)state;
	struct arena mem = {0};
	for (size_t n = 1; n < 1 << 20; n *= 3) {
		unsigned char *p = arena_alloc(&mem, n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0); /* whatever stood there */
		memset(p, 0xff, n);
		arena_clear(&mem);
		assert_int_equal(mem.bytes, 0);
	}
	arena_free(&mem);
	arena_clear(&mem);
}

static void test_rows_of_an_arena(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct row {
		uint32_t n, zero;
	} *at = NULL;
	for (uint32_t n = 0; n < 3000; n++) {
		at = arena_next_row(&mem, at, n, sizeof *at);
		assert_int_equal(at[n].zero, 0);
		at[n] = (struct row){n, n};
	}
	for (uint32_t n = 0; n < 3000; n++)
		assert_int_equal(at[n].n, n);
	assert_true(mem.bytes < 3 * 4096 * sizeof *at); /* it doubles, not more */
	arena_free(&mem);
}

/* Small ones stand close together, and what comes after them is aligned for any type again. */
static void test_words_of_an_arena(void **state)
{
	(void)state;
	struct arena mem = {0};
	for (size_t n = 0; n < 5000; n++) {
		uint32_t *words = arena_room_words(&mem, 12), *next = arena_room_words(&mem, 5);
		assert_int_equal((uintptr_t)words % sizeof *words, 0);
		assert_int_equal((uintptr_t)next % sizeof *next, 0);
		memset(words, 0xff, 12);
		memset(next, 0xff, 8);
		unsigned char *any = arena_alloc(&mem, 3);
		assert_int_equal((uintptr_t)any % _Alignof(max_align_t), 0);
		for (int i = 0; i < 16; i++)
			assert_int_equal(any[i], 0);
		memset(any, 0xff, 16);
	}
	assert_int_equal(mem.bytes, 5000 * (12 + 8 + 16));
	arena_free(&mem);
}

/* What an arena took over lies beside what it gives out itself, moves on with it, and goes with it. */
static void test_an_arena_owns(void **state)
{
	(void)state;
	struct arena mem = {0}, half = {0};
	uint32_t *at = NULL, cap = 0;
	assert_null(arena_own(&half, NULL, 0));
	char *small = arena_strdup(&half, "small");
	for (uint32_t n = 0; n < 3000; n++) {
		GROW_ARRAY(at, n, cap);
		at[n] = n;
	}
	at = arena_own(&half, at, 3000 * sizeof *at);
	assert_int_equal(half.bytes, sizeof "small" + 3000 * sizeof *at); /* texts lie close */
	char *beside = arena_strdup(&half, "beside");
	assert_in_range(beside, small + 1, small + 64); /* the block that was being filled still is */
	arena_adopt(&mem, &half);
	for (uint32_t n = 0; n < 3000; n++)
		assert_int_equal(at[n], n);
	arena_clear(&mem); /* AddressSanitizer looks for what is left */
	arena_own(&mem, must(malloc(1)), 1);
	arena_clear(&mem);
	assert_int_equal(mem.bytes, 0);
	assert_string_equal(arena_strdup(&mem, "again"), "again");
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_stay),
		cmocka_unit_test(test_a_row_far_ahead),
		cmocka_unit_test(test_capacity_never_wraps),
		cmocka_unit_test(test_an_arena_is_used_again),
		cmocka_unit_test(test_rows_of_an_arena),
		cmocka_unit_test(test_words_of_an_arena),
		cmocka_unit_test(test_an_arena_owns),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
