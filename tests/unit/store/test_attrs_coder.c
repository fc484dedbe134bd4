/* Blocks of the attribute log, coded by the shapes of their records: they come back byte by byte whatever they hold, are small
 * where records are alike, and damaged ones are refused or of the right size. */
#include "model/store/facts/attrs_encode.h"
#include "model/store/facts/attrs_packed.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

/* A log that is made record by record. */
struct log {
	unsigned char bytes[2 * BLOCK];
	size_t n;
};

static void put(struct log *l, str_id key, enum attr_type type, uint64_t v)
{
	unsigned char *to = attr_put_key(l->bytes + l->n, key, type);
	if (type == ATTR_DOUBLE)
		to = attr_put_real(to, (double)v / 7);
	else if (type == ATTR_INT)
		to = attr_put_signed(to, (int64_t)v);
	else if (type != ATTR_NULL)
		to = attr_put_varint(to, v);
	l->n = (size_t)(to - l->bytes);
}

static void put_text(struct log *l, str_id key, enum attr_type type, const char *text, size_t n)
{
	unsigned char *to = attr_put_key(l->bytes + l->n, key, type);
	l->n = (size_t)(attr_put_text(to, text, n) - l->bytes);
}

static void end(struct log *l)
{
	l->bytes[l->n++] = 0;
}

/* How many bytes the log is when coded, 0 when it is not; they are decoded into as many as there were. */
static size_t round_trip(const struct log *l, size_t first)
{
	static unsigned char coded[3 * BLOCK], again[2 * BLOCK];
	struct attrs_coder *k = attrs_coder_new();
	size_t bytes = attrs_code(k, l->bytes, l->n, first, coded, sizeof coded - CODED_SLACK);
	if (bytes) {
		memset(again, 0x55, sizeof again);
		assert_true(attrs_decode(k, coded, bytes, again, l->n));
		assert_memory_equal(again, l->bytes, l->n);
		assert_int_equal(again[l->n], 0x55);
		assert_false(attrs_decode(k, coded, bytes, again, l->n - 1));
		assert_false(attrs_decode(k, coded, bytes, again, l->n + 1));
		assert_false(attrs_decode(k, coded, bytes - 1, again, l->n));
	}
	attrs_coder_free(k);
	return bytes;
}

static void records_that_are_alike_take_little(void **state)
{
	(void)state;
	static struct log l;
	static const char *const grids[] = {"[128, 1, 1]", "[64, 8, 1]", "[16384, 1, 1]"};
	l.n = 0;
	for (unsigned i = 0; l.n < BLOCK - 200; i++) {
		const char *grid = grids[i % 3];
		put(&l, 14, ATTR_REF, 213);
		put(&l, 20, ATTR_INT, 100000 + 2 * i);
		put(&l, 205, ATTR_INT, 0);
		put_text(&l, 219, ATTR_JSON, grid, strlen(grid));
		end(&l);
	}
	size_t bytes = round_trip(&l, 0);
	assert_true(bytes > 0 && bytes < l.n / 10);
}

/* Every length of a varint, values that go up and down, doubles, and no value at all. */
static void every_number_comes_back(void **state)
{
	(void)state;
	static struct log l;
	static const enum attr_type types[] = {ATTR_REF, ATTR_INT, ATTR_UINT, ATTR_BOOL, ATTR_DOUBLE, ATTR_NULL};
	l.n = 0;
	for (unsigned i = 0; i < 700; i++) {
		uint64_t v = (UINT64_C(1) << i * 5 % 64) - i % 3;
		for (unsigned k = 0; k < 6; k++)
			put(&l, k * 40000 + 3, types[k], i % 2 ? v : 0 - v);
		put(&l, (str_id)-2, ATTR_UINT, UINT64_MAX - i);
		end(&l);
	}
	assert_true(round_trip(&l, 0) > 0);
}

static void every_text_comes_back(void **state)
{
	(void)state;
	static struct log l;
	char text[64];
	l.n = 0;
	for (unsigned i = 0; i < 1500; i++) { /* more different ones than are remembered, of each length; and again */
		memset(text, 'a' + (int)(i % 26), sizeof text);
		int n = snprintf(text, sizeof text, "%u", i * 7919 % 1400);
		text[n] = 'x';
		put_text(&l, 1, ATTR_STR, text, i % 40);
		put_text(&l, 2, ATTR_BYTES, "\0\xff", i % 3);
		put_text(&l, 3, ATTR_NUMBER, text, (size_t)n);
		end(&l);
	}
	assert_true(round_trip(&l, 0) > 0);
}

/* What the coded part of a block ends with: shapes, members and tokens too many, and records that are none. */
static void what_cannot_be_coded_stays_as_it_is(void **state)
{
	(void)state;
	static struct log l;
	l.n = 0;
	for (unsigned shape = 0; shape < 200; shape++) {
		for (unsigned k = 0; k < 1 + shape % 7; k++)
			put(&l, shape * 8 + k, ATTR_UINT, shape);
		end(&l);
	}
	assert_true(round_trip(&l, 0) > 0);
	l.n = 0;
	for (unsigned i = 0; i < 300; i++) { /* each mask once: more than there are tokens of a byte */
		for (unsigned k = 0; k < 32; k++)
			put(&l, k, ATTR_UINT, i >> k % 9 & 1);
		end(&l);
	}
	assert_true(round_trip(&l, 0) > 0);
	for (unsigned k = 0; k < 33; k++)
		put(&l, k, ATTR_UINT, k);
	end(&l);
	assert_true(round_trip(&l, 0) > 0);
	l.n = 0;
	for (unsigned i = 0; i < 3000; i++)
		l.bytes[l.n++] = (unsigned char)(i * 2654435761u >> 13);
	round_trip(&l, 0);
	memset(l.bytes, 0xff, l.n);
	assert_true(round_trip(&l, 0) > 0);
	/* numbers longer than they have to be would come back shorter */
	static const unsigned char longer[] = {5,    ATTR_UINT, 0x81, 0x00, 0,    5,    ATTR_INT, 0x80, 0x80,
					       0x80, 0x80,      0x80, 0x80, 0x80, 0x80, 0x80,     2,    0};
	for (l.n = 0; l.n + sizeof longer < 400; l.n += sizeof longer)
		memcpy(l.bytes + l.n, longer, sizeof longer);
	assert_true(round_trip(&l, 0) > 0);
	assert_true(round_trip(&l, 5) > 0);
}

static void a_block_may_begin_inside_a_record(void **state)
{
	(void)state;
	static struct log l;
	memset(l.bytes, 'x', 1000);
	for (l.n = 1000; l.n < BLOCK - 100;) {
		put(&l, 1, ATTR_UINT, l.n);
		end(&l);
	}
	assert_in_range(round_trip(&l, 1000), 1000, l.n / 2);
	assert_int_equal(round_trip(&l, l.n), 0); /* one record fills it */
	assert_int_equal(round_trip(&l, UINT16_MAX), 0);
	unsigned char little[64];
	struct attrs_coder *k = attrs_coder_new();
	assert_int_equal(attrs_code(k, l.bytes, l.n, 0, little, sizeof little), 0);
	assert_int_equal(attrs_code(k, l.bytes, l.n, 1000, little, sizeof little), 0);
	attrs_coder_free(k);
}

static void fill_like_a_trace(struct log *l)
{
	char text[32];
	l->n = 0;
	for (unsigned i = 0; l->n < BLOCK; i++) {
		put(l, 7, ATTR_REF, i % 5);
		put(l, 8, ATTR_INT, i * 3);
		if (i % 3)
			put_text(l, 9, ATTR_NUMBER, text,
				 (size_t)snprintf(text, sizeof text, "%u.%u", i / 9 % 11, i / 30 % 17));
		put(l, 10, ATTR_DOUBLE, i / 50);
		end(l);
	}
	l->n = BLOCK;
}

/* Coded, squeezed and neither: each form is told by its first byte. */
static void every_form_is_unpacked(void **state)
{
	(void)state;
	static struct log l;
	static unsigned char kept[PACKED_MAX + CODED_SLACK], saved[PACKED_MAX + CODED_SLACK], again[BLOCK];
	struct packing *k = packing_new();
	struct unpacking *u = unpacking_new();
	unsigned seed = 1;
	for (int which = 0; which < 3; which++) {
		fill_like_a_trace(&l);
		for (size_t i = 0; which == 2 && i < BLOCK; i++)
			l.bytes[i] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
		size_t n = attrs_pack(k, kept, l.bytes, BLOCK, which == 1 ? BLOCK : 0),
		       m = attrs_pack_saved(k, saved, kept, n);
		assert_true(n > 0 && m > 0 && m <= n && n <= PACKED_MAX);
		if (which == 0)
			assert_true(kept[0] == PACKED_CODED && saved[0] == PACKED_SQUEEZED && m < n);
		assert_true(attrs_unpack(u, kept, n, again, BLOCK));
		assert_memory_equal(again, l.bytes, BLOCK);
		memset(again, 0, BLOCK);
		assert_true(attrs_unpack(u, saved, m, again, BLOCK));
		assert_memory_equal(again, l.bytes, BLOCK);
		assert_false(attrs_unpack(u, saved, m, again, BLOCK - 1));
		assert_false(attrs_unpack(u, saved, 0, again, BLOCK));
	}
	packing_free(k);
	unpacking_free(u);
}

/* Any byte of it changed, and cut anywhere: refused, or another block of the right size. */
static void damaged_blocks_do_no_harm(void **state)
{
	(void)state;
	static struct log l;
	struct attrs_coder *k = attrs_coder_new();
	unsigned char *coded = malloc(BLOCK), *copy, *again = malloc(8192);
	fill_like_a_trace(&l);
	size_t n = attrs_code(k, l.bytes, 8192, 0, coded, BLOCK - CODED_SLACK);
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		copy = malloc(i + CODED_SLACK);
		memcpy(copy, coded, i);
		assert_false(attrs_decode(k, copy, i, again, 8192));
		free(copy);
	}
	unsigned refused = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned char was = coded[i];
		coded[i] ^= (unsigned char)(1u << i % 8);
		refused += !attrs_decode(k, coded, n, again, 8192);
		coded[i] = was;
	}
	assert_true(refused > 0);
	assert_true(attrs_decode(k, coded, n, again, 8192));
	free(coded);
	free(again);
	attrs_coder_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_that_are_alike_take_little),
		cmocka_unit_test(every_number_comes_back),
		cmocka_unit_test(every_text_comes_back),
		cmocka_unit_test(what_cannot_be_coded_stays_as_it_is),
		cmocka_unit_test(a_block_may_begin_inside_a_record),
		cmocka_unit_test(every_form_is_unpacked),
		cmocka_unit_test(damaged_blocks_do_no_harm),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("attrs_coder", tests, NULL, NULL);
}
