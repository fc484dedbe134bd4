/* A source gives the same bytes whatever the packing and however small the window. */
#include "gzip_member.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include "importers/source.h"

struct bytes {
	unsigned char p[70000];
	size_t n;
};

static struct bytes plain_text(void)
{
	struct bytes b = {.n = 50000};
	for (size_t i = 0; i < b.n; i++)
		b.p[i] = (unsigned char)"the quick brown fox "[i % 20] ^ (unsigned char)(i / 1000);
	return b;
}

static void append_gzip(struct bytes *out, const unsigned char *p, size_t n)
{
	out->n += gzip_member(out->p + out->n, sizeof out->p - out->n, p, n);
}

static void append_zstd(struct bytes *out, const unsigned char *p, size_t n)
{
	size_t k = ZSTD_compress(out->p + out->n, sizeof out->p - out->n, p, n, 3);
	assert_false(ZSTD_isError(k));
	out->n += k;
}

static void append(struct bytes *out, const char *p, size_t n)
{
	memcpy(out->p + out->n, p, n);
	out->n += n;
}

/* Reads to the end in uneven steps and compares with `want`; the position must count along. */
static void assert_reads(struct source *s, const struct bytes *want)
{
	size_t at = 0, have, step = 1;
	while (!source_ended(s)) {
		const unsigned char *p = source_need(s, step, &have);
		size_t n = have < step ? have : step;
		assert_int_equal(source_at(s), (int64_t)at);
		assert_true(at + n <= want->n);
		assert_memory_equal(p, want->p + at, n);
		source_skip(s, n);
		at += n;
		step = step % 977 + 13;
	}
	assert_int_equal(at, want->n);
}

static void assert_gives(const struct bytes *stored, const struct bytes *want, const char *damage)
{
	static const struct {
		size_t window;
		bool ahead, begun; /* unpacked ahead: after the first window, or before it */
	} ways[] = {{0, false, false},   {7, false, false},  {1000, false, false},
		    {4096, true, false}, {4096, true, true}, {0, true, true}};
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		struct source *s = source_memory(stored->p, stored->n, "made");
		source_set_threads(s, ways[i].ahead ? 2 : 1);
		if (ways[i].window)
			source_set_window(s, ways[i].window);
		if (ways[i].begun)
			source_begin(s);
		assert_reads(s, want);
		if (damage)
			assert_string_equal(source_damage(s), damage);
		else
			assert_null(source_damage(s));
		source_close(s);
	}
}

static void plain_bytes_come_as_they_are(void **state)
{
	(void)state;
	struct bytes text = plain_text(), empty = {.n = 0}, one = {.p = "\x1f", .n = 1};
	assert_gives(&text, &text, NULL);
	assert_gives(&empty, &empty, NULL);
	assert_gives(&one, &one, NULL);
}

static void zero_bytes_stand_behind_what_is_at_hand(void **state)
{
	(void)state;
	struct source *s = source_memory("abcdef", 6, "made");
	size_t have;
	source_set_window(s, 3);
	const unsigned char *p = source_need(s, 2, &have);
	for (size_t i = 0; i < SOURCE_PAD; i++)
		assert_int_equal(p[have + i], 0);
	source_close(s);
}

/* What one long token needs is not kept for the short ones after it. */
static void a_window_that_had_to_grow_is_small_again(void **state)
{
	(void)state;
	struct bytes text = plain_text();
	size_t have;
	struct source *s = source_memory(text.p, text.n, "made");
	source_set_window(s, 7);
	assert_memory_equal(source_need(s, 20000, &have), text.p, 20000);
	assert_int_equal(have, 20000);
	source_skip(s, 19999);
	assert_memory_equal(source_need(s, 2, &have), text.p + 19999, 7);
	assert_int_equal(have, 7);
	source_close(s);
}

/* Someone else may still be reading the bytes at hand while the next are fetched. */
static void the_window_before_this_one_stays_readable(void **state)
{
	(void)state;
	struct bytes text = plain_text();
	size_t have, had, want = 1, at = 0;
	struct source *s = source_memory(text.p, text.n, "made");
	source_set_window(s, 61);
	for (const unsigned char *p = source_need(s, 1, &had); had > 0; had = have) {
		source_skip(s, had);
		want = want % 500 + 7;
		const unsigned char *next = source_need(s, want, &have);
		assert_memory_equal(p, text.p + at, had);
		at += had;
		p = next;
	}
	assert_int_equal(at, text.n);
	source_close(s);
}

static void gzip_is_unpacked(void **state)
{
	(void)state;
	struct bytes text = plain_text(), packed = {.n = 0};
	append_gzip(&packed, text.p, text.n);
	assert_gives(&packed, &text, NULL);
}

static void gzip_members_follow_each_other(void **state)
{
	(void)state;
	struct bytes text = plain_text(), packed = {.n = 0};
	append_gzip(&packed, text.p, 1);
	append_gzip(&packed, text.p + 1, 30000);
	append_gzip(&packed, NULL, 0);
	append_gzip(&packed, text.p + 30001, text.n - 30001);
	assert_gives(&packed, &text, NULL);
}

static void gzip_padding_is_no_damage_but_garbage_is(void **state)
{
	(void)state;
	struct bytes text = plain_text(), packed = {.n = 0};
	append_gzip(&packed, text.p, text.n);
	append(&packed, "\0\0\0\0\0", 5);
	assert_gives(&packed, &text, NULL);
	append(&packed, "junk", 4);
	assert_gives(&packed, &text, "gzip: other bytes follow the packed data");
}

static void zstd_frames_follow_each_other(void **state)
{
	(void)state;
	struct bytes text = plain_text(), packed = {.n = 0};
	append_zstd(&packed, text.p, 10);
	append(&packed, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11); /* a frame to be skipped */
	append_zstd(&packed, text.p + 10, text.n - 10);
	assert_gives(&packed, &text, NULL);
}

/* The bytes before the damage stand; the rest is told, not invented. */
static void what_is_not_packed_or_has_one_thread_is_not_begun(void **state)
{
	(void)state;
	struct bytes text = plain_text(), packed = {.n = 0};
	append_gzip(&packed, text.p, text.n);
	struct source *plain = source_memory(text.p, text.n, "made"), *one = source_memory(packed.p, packed.n, "made"),
		      *two = source_memory(packed.p, packed.n, "made");
	source_set_threads(plain, 2);
	source_set_threads(two, 2);
	assert_false(source_begin(plain));
	assert_false(source_begin(one));
	assert_true(source_begin(two));
	source_close(plain);
	source_close(one);
	source_close(two); /* while it is filled */
}

static void a_cut_stream_ends_early_and_says_so(void **state)
{
	(void)state;
	struct bytes text = plain_text();
	for (int zstd = 0; zstd < 2; zstd++) {
		struct bytes packed = {.n = 0};
		(zstd ? append_zstd : append_gzip)(&packed, text.p, text.n);
		for (size_t cut = 4; cut < packed.n; cut += 31) {
			struct source *s = source_memory(packed.p, cut, "made");
			size_t have;
			const unsigned char *p = source_need(s, text.n + 1, &have);
			assert_true(have <= text.n);
			assert_memory_equal(p, text.p, have);
			assert_string_equal(source_damage(s), zstd ? "zstd: unexpected end" : "gzip: unexpected end");
			source_close(s);
		}
	}
}

static void a_changed_byte_is_found(void **state)
{
	(void)state;
	struct bytes text = plain_text(), packed = {.n = 0};
	append_gzip(&packed, text.p, text.n);
	packed.p[packed.n - 6] ^= 1; /* in the checksum */
	struct source *s = source_memory(packed.p, packed.n, "made");
	size_t have;
	source_need(s, text.n + 1, &have);
	assert_int_equal(have, text.n);
	assert_string_equal(source_damage(s), "gzip: checksum does not match");
	source_close(s);
}

static void a_file_reports_its_progress(void **state)
{
	(void)state;
	char path[] = "/tmp/stepscope-source-XXXXXX";
	struct bytes text = plain_text();
	struct progress p = {0};
	struct err e;
	int fd = mkstemp(path);
	assert_int_equal(write(fd, text.p, text.n), (ssize_t)text.n);
	close(fd);
	struct source *s = source_open(path, &p, &e);
	assert_non_null(s);
	assert_reads(s, &text);
	assert_int_equal(p.bytes_done, (int64_t)text.n);
	assert_int_equal(p.bytes_total, (int64_t)text.n);
	source_close(s);
	unlink(path);
}

static void what_cannot_be_opened_says_why(void **state)
{
	(void)state;
	struct err e;
	char text[700];
	assert_null(source_open("/nonexistent/trace.json", NULL, &e));
	assert_true(e.unreadable);
	assert_string_equal(err_text(&e, text, sizeof text), "/nonexistent/trace.json: No such file or directory");
	assert_null(source_open("/", NULL, &e));
	assert_string_equal(err_text(&e, text, sizeof text), "/: is a directory");
}

/* A token too large for the memory there is says nothing about the file. */
static void memory_that_is_out_is_told_apart_from_a_bad_disk(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* ends the program where malloc would give NULL */
#endif
	size_t have;
	struct err e;
	struct source *s = source_memory("text", 4, "made-up");
	assert_false(source_out_of_memory(s));
	source_need(s, SIZE_MAX / 4, &have);
	assert_true(source_out_of_memory(s));
	assert_true(source_io_error(s, &e));
	source_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_bytes_come_as_they_are),
		cmocka_unit_test(zero_bytes_stand_behind_what_is_at_hand),
		cmocka_unit_test(a_window_that_had_to_grow_is_small_again),
		cmocka_unit_test(the_window_before_this_one_stays_readable),
		cmocka_unit_test(gzip_is_unpacked),
		cmocka_unit_test(gzip_members_follow_each_other),
		cmocka_unit_test(gzip_padding_is_no_damage_but_garbage_is),
		cmocka_unit_test(zstd_frames_follow_each_other),
		cmocka_unit_test(what_is_not_packed_or_has_one_thread_is_not_begun),
		cmocka_unit_test(a_cut_stream_ends_early_and_says_so),
		cmocka_unit_test(a_changed_byte_is_found),
		cmocka_unit_test(a_file_reports_its_progress),
		cmocka_unit_test(what_cannot_be_opened_says_why),
		cmocka_unit_test(memory_that_is_out_is_told_apart_from_a_bad_disk),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
