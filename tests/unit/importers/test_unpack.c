/* Gzip comes out the same by ISA-L and by zlib, in pieces of any size: several members, padding, cut and damaged files. */
#include "gzip_member.h"
#include <stdlib.h>
#include <string.h>
#include "importers/unpack.h"

enum { PLAIN = 3000, MOST = 16384 };
static const char *const ways[] = {"isal", "zlib"};

struct bytes {
	unsigned char p[MOST];
	size_t n;
};

/* Text that packs well, with stretches that do not. */
static void fill(unsigned char *p, size_t n)
{
	uint32_t noise = 7;
	for (size_t i = 0; i < n; i++) {
		noise = noise * 1664525 + 1013904223;
		p[i] = i % 700 < 600 ? (unsigned char)"{\"ph\": \"X\", \"ts\": 1234},\n"[i % 26]
				     : (unsigned char)(noise >> 24);
	}
}

static void pack(struct bytes *out, const unsigned char *p, size_t n)
{
	out->n += gzip_member(out->p + out->n, sizeof out->p - out->n, p, n);
}

/* Unpacks in pieces; the damage that it ends with, "" when it is sound. */
static void unpacked(const char *way, const struct bytes *in, size_t piece, size_t room, struct bytes *out,
		     char damage[96])
{
	setenv("STEPSCOPE_INFLATE", way, 1);
	struct unpack *u = unpack_new(PACKING_GZIP);
	assert_non_null(u);
	size_t at = 0, used, got = 0;
	for (out->n = 0; !unpack_done(u) && (at < in->n || got); out->n += got) {
		size_t n = in->n - at < piece ? in->n - at : piece;
		size_t left = sizeof out->p - out->n;
		got = unpack_some(u, in->p + at, n, &used, out->p + out->n, left < room ? left : room);
		assert_true(used <= n);
		at += used;
	}
	unpack_end_of_input(u);
	snprintf(damage, 96, "%s", unpack_damage(u) ? unpack_damage(u) : "");
	unpack_free(u);
}

static void expect(const struct bytes *in, const struct bytes *plain, bool damaged)
{
	static const size_t sizes[] = {1, 7, 4096, MOST};
	struct bytes out;
	char damage[96];
	for (size_t w = 0; w < 2; w++)
		for (size_t i = 0; i < 16; i++) {
			unpacked(ways[w], in, sizes[i / 4], sizes[i % 4], &out, damage);
			assert_int_equal(*damage != 0, damaged);
			if (!damaged)
				assert_int_equal(out.n, plain->n);
			assert_true(out.n <= plain->n);
			assert_memory_equal(out.p, plain->p, out.n);
		}
}

static void members_and_padding(void **state)
{
	(void)state;
	struct bytes plain = {.n = PLAIN * 2}, in = {0};
	fill(plain.p, plain.n);
	pack(&in, plain.p, PLAIN);
	pack(&in, plain.p + PLAIN, PLAIN);
	expect(&in, &plain, false);
	memset(in.p + in.n, 0, 512);
	in.n += 512;
	expect(&in, &plain, false);
	in.p[in.n++] = 'x';
	expect(&in, &plain, true);
}

static void cut_anywhere(void **state)
{
	(void)state;
	struct bytes plain = {.n = PLAIN}, in = {0};
	fill(plain.p, plain.n);
	pack(&in, plain.p, PLAIN);
	for (size_t whole = in.n, n = 3; n < whole; n += 97) {
		in.n = n;
		expect(&in, &plain, true);
	}
}

/* A bit that is wrong is found at once or by the checksum; what comes before it is the same. */
static void a_wrong_bit(void **state)
{
	(void)state;
	struct bytes plain = {.n = PLAIN}, in = {0}, out[2];
	char damage[2][96];
	fill(plain.p, plain.n);
	pack(&in, plain.p, PLAIN);
	for (size_t at = 10; at < in.n; at += 5) {
		in.p[at] ^= 16;
		for (size_t w = 0; w < 2; w++)
			unpacked(ways[w], &in, 4096, MOST, &out[w], damage[w]);
		assert_int_equal(*damage[0] != 0, *damage[1] != 0);
		assert_memory_equal(out[0].p, out[1].p, out[0].n < out[1].n ? out[0].n : out[1].n);
		in.p[at] ^= 16;
	}
}

static void not_gzip(void **state)
{
	(void)state;
	struct bytes in = {{0x1f, 0x8b, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8}, 12}, none = {.n = 0};
	expect(&in, &none, true);
}

/* A file from fuzzing in which ISA-L takes a byte more than there is. */
static void past_its_end(void **state)
{
	(void)state;
	struct bytes in = {.n = 0}, out;
	char damage[96];
	FILE *f = fopen("tests/fuzz/corpus/archive/past_end", "rb");
	assert_non_null(f);
	in.n = fread(in.p, 1, sizeof in.p, f);
	fclose(f);
	assert_true(in.n > 100);
	for (size_t w = 0; w < 2; w++)
		for (size_t piece = 1; piece <= in.n; piece++) {
			unpacked(ways[w], &in, piece, MOST, &out, damage);
			assert_true(*damage);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(members_and_padding), cmocka_unit_test(cut_anywhere),
					   cmocka_unit_test(a_wrong_bit), cmocka_unit_test(not_gzip),
					   cmocka_unit_test(past_its_end)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
