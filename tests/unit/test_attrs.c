/* Attributes come back as they were written: every type, every size, across block borders, from memory and from disk. */
#include "../../model/store/attrs.h"
#include "unit.h"
#include <stdlib.h>
#include <string.h>

static void every_type_round_trips(void **state)
{
	(void)state;
	struct attrs *a = attrs_new(0);
	struct strings *s = strings_new();
	struct arena mem = {0};
	str_id shape = strings_addz(s, "(float[8,32])");
	attrs_begin(a);
	attrs_put_str(a, 0, "", 0);
	attrs_put_int(a, 1, INT64_MIN);
	attrs_put_uint(a, 1, UINT64_MAX);
	attrs_put_double(a, 2, 0.1);
	attrs_put_ref(a, 3, shape);
	attrs_put(a, &(struct attr){.key = 4, .type = ATTR_NUMBER, .p = "1e400", .n = 5});
	attrs_put(a, &(struct attr){.key = 5, .type = ATTR_BOOL, .u = 1});
	attrs_put(a, &(struct attr){.key = 6, .type = ATTR_NULL});
	attrs_put(a, &(struct attr){.key = 7, .type = ATTR_JSON, .p = "[1,2]", .n = 5});
	attrs_put(a, &(struct attr){.key = 8, .type = ATTR_BYTES, .p = "\0\1", .n = 2});
	attr_at at = attrs_end(a);
	assert_true(attrs_seal(a, NULL));
	struct attr *v;
	size_t n;
	assert_true(attrs_read(a, at, &mem, &v, &n));
	static const char *const texts[] = {"",
					    "-9223372036854775808",
					    "18446744073709551615",
					    "0.10000000000000001",
					    "(float[8,32])",
					    "1e400",
					    "true",
					    "null",
					    "[1,2]",
					    "(2 bytes)"};
	assert_int_equal(n, 10);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(attr_text(&v[i], s, &mem), texts[i]);
	assert_int_equal(v[0].key, 0);
	assert_int_equal(v[2].key, 1);
	arena_free(&mem);
	strings_free(s);
	attrs_free(a);
}

static void fill(char *p, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)('a' + (seed = seed * 1664525u + 1013904223u) % 23);
}

static void check_many(size_t memory_cap)
{
	enum { N = 3000, MOST = 5000 };
	struct attrs *a = attrs_new(memory_cap);
	attr_at *at = malloc(N * sizeof *at);
	char *text = malloc(200000);
	for (unsigned i = 0; i < N; i++) {
		size_t n = i == 1500 ? 200000 : i * 37 % MOST;
		fill(text, n, i);
		attrs_begin(a);
		attrs_put_uint(a, 9, i);
		attrs_put_str(a, 10, text, n);
		at[i] = attrs_end(a);
	}
	assert_true(attrs_seal(a, NULL));
	for (unsigned k = 0; k < N; k++) {
		unsigned i = k * 1009 % N;
		struct arena mem = {0};
		struct attr *v;
		size_t n, want = i == 1500 ? 200000 : i * 37 % MOST;
		assert_true(attrs_read(a, at[i], &mem, &v, &n));
		assert_int_equal(n, 2);
		assert_int_equal(v[0].u, i);
		assert_int_equal(v[1].n, want);
		fill(text, want, i);
		assert_memory_equal(v[1].p, text, want);
		arena_free(&mem);
	}
	free(text);
	free(at);
	attrs_free(a);
}

static void records_cross_block_borders(void **state)
{
	(void)state;
	check_many(0);
}

static void a_small_cap_spills_to_disk(void **state)
{
	(void)state;
	check_many(1);
}

static void an_empty_record_is_none(void **state)
{
	(void)state;
	struct attrs *a = attrs_new(0);
	struct arena mem = {0};
	struct attr *v;
	size_t n;
	attrs_begin(a);
	assert_int_equal(attrs_end(a), 0);
	assert_true(attrs_seal(a, NULL));
	assert_false(attrs_read(a, 0, &mem, &v, &n));
	assert_false(attrs_read(a, 12345, &mem, &v, &n));
	attrs_free(a);
	arena_free(&mem);
}

static void equal_texts_share_an_id(void **state)
{
	(void)state;
	struct strings *s = strings_new();
	char text[32];
	for (unsigned i = 0; i < 100000; i++) {
		int n = snprintf(text, sizeof text, "name %u", i);
		assert_int_equal(strings_add(s, text, (size_t)n), i + 1);
	}
	assert_int_equal(strings_addz(s, "name 77"), 78);
	assert_int_equal(strings_find(s, "name 99999", 10), 100000);
	assert_int_equal(strings_find(s, "absent", 6), 0);
	assert_string_equal(strings_z(s, 78), "name 77");
	assert_string_equal(strings_z(s, UINT32_MAX), "");
	assert_int_equal(strings_add(s, "a\0b", 3), 100001);
	assert_int_equal(strings_get(s, 100001).n, 3);
	strings_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_round_trips),     cmocka_unit_test(records_cross_block_borders),
		cmocka_unit_test(a_small_cap_spills_to_disk), cmocka_unit_test(an_empty_record_is_none),
		cmocka_unit_test(equal_texts_share_an_id),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("attrs", tests, NULL, NULL);
}
