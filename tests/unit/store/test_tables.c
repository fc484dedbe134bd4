/* The two hash tables: numbers by 64-bit keys, rows by the bytes they begin with. */
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/row_index.h"
#include "tests/unit/unit.h"

static void test_keys_have_their_numbers(void **state)
{
	(void)state;
	struct idmap m = {0};
	assert_int_equal(idmap_get(&m, 7), UINT32_MAX);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(*idmap_put(&m, (uint64_t)i << 32, i), i);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(idmap_get(&m, (uint64_t)i << 32), i);
		assert_int_equal(*idmap_put(&m, (uint64_t)i << 32, 1), i); /* met before: the first number stays */
	}
	assert_int_equal(m.n, 5000);
	idmap_free(&m);
}

/* Whatever was moved to a slot after its own is found after the one before it is gone. */
static void test_keys_go(void **state)
{
	(void)state;
	struct idmap m = {0};
	idmap_take(&m, 1);
	for (uint32_t i = 0; i < 3000; i++)
		idmap_put(&m, i * UINT64_C(0x9e3779b97f4a7c15), i);
	for (uint32_t i = 0; i < 3000; i += 3)
		assert_int_equal(idmap_take(&m, i * UINT64_C(0x9e3779b97f4a7c15)), i);
	assert_int_equal(idmap_take(&m, 12345), UINT32_MAX);
	assert_int_equal(m.n, 2000);
	for (uint32_t i = 0; i < 3000; i++)
		assert_int_equal(idmap_get(&m, i * UINT64_C(0x9e3779b97f4a7c15)), i % 3 ? i : UINT32_MAX);
	idmap_clear(&m);
	assert_int_equal(idmap_get(&m, UINT64_C(0x9e3779b97f4a7c15)), UINT32_MAX);
	assert_int_equal(*idmap_put(&m, 5, 6), 6);
	idmap_free(&m);
}

struct row {
	uint32_t key[3], number;
};

static void test_rows_by_their_first_bytes(void **state)
{
	(void)state;
	enum { KEY_BYTES = 12, ROWS = 5000 };
	struct row_index x = {0};
	struct row *rows = NULL;
	uint32_t n = 0, cap = 0;
	for (uint32_t i = 0; i < 2 * ROWS; i++) { /* each key twice */
		struct row r = {{i % ROWS, 1, i % ROWS % 2}, i};
		uint32_t hash = row_index_hash(&r, KEY_BYTES);
		uint32_t found = row_index_find(&x, rows, sizeof r, &r, KEY_BYTES, hash);
		assert_int_equal(found, i < ROWS ? ROW_INDEX_ABSENT : i - ROWS);
		if (found != ROW_INDEX_ABSENT)
			continue;
		GROW_ARRAY(rows, n, cap);
		rows[n] = r;
		assert_true(row_index_add(&x, hash, n++));
	}
	assert_int_equal(n, ROWS);
	row_index_ahead(&x, 1);
	row_index_ahead_row(&x, rows, sizeof *rows, 1);
	row_index_free(&x);
	assert_null(x.slots);
	free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_have_their_numbers),
		cmocka_unit_test(test_keys_go),
		cmocka_unit_test(test_rows_by_their_first_bytes),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
