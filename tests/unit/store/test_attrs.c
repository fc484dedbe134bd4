/* Attributes come back as they were written: every type, every size, across block borders, from memory and from disk. */
#include "model/store/facts/attrs_encode.h"
#include "model/store/facts/attrs_private.h"
#include "tests/unit/unit.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static void check_many(size_t memory_cap, unsigned threads)
{
	enum { N = 3000, MOST = 5000 };
	struct attrs *a = attrs_new(memory_cap);
	attrs_threads(a, threads);
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
	check_many(0, 1);
}

static void a_small_cap_spills_to_disk(void **state)
{
	(void)state;
	check_many(1, 1);
	check_many(1, 2);
}

/* Bytes of it on disk after as much as two caps were written by that many sources. */
static uint64_t spilled_by(unsigned sources)
{
	enum { CAP = 1 << 20, N = 2000 };
	struct attrs *a = attrs_new(CAP);
	char text[1 << 10];
	for (unsigned i = 0; i < N; i++) {
		if (i % (N / sources) == 0)
			attrs_next_source(a);
		fill(text, sizeof text, i);
		attrs_begin(a);
		attrs_put_str(a, 10, text, sizeof text);
		attrs_end(a);
	}
	assert_true(attrs_seal(a, NULL));
	uint64_t spilled = attrs_spilled(a);
	attrs_free(a);
	return spilled;
}

static void each_source_brings_its_cap(void **state)
{
	(void)state;
	assert_true(spilled_by(1) > 0);
	assert_int_equal(spilled_by(2), 0);
	assert_int_equal(spilled_by(4), 0);
}

static void what_is_beyond_the_cap_is_packed(void **state)
{
	(void)state;
	enum { N = 2000000, ALIKE = 30 };
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct attrs *a = attrs_new(0);
		attr_at last = 0;
		attrs_threads(a, threads);
		for (unsigned i = 0; i < N; i++) {
			attrs_begin(a);
			attrs_put_uint(a, 1, i);
			attrs_put_str(a, 2, "the same in each of the records", ALIKE);
			last = attrs_end(a);
		}
		assert_true(attrs_seal(a, NULL));
		assert_true(attrs_total(a) > (uint64_t)N * ALIKE);
		assert_true(a->in_memory < attrs_total(a) / 2);
		assert_int_equal(attrs_spilled(a), 0);
		struct arena mem = {0};
		struct attr *v;
		size_t n;
		assert_true(attrs_read(a, last, &mem, &v, &n));
		assert_true(n == 2 && v[0].u == N - 1 && v[1].n == ALIKE);
		arena_free(&mem);
		attrs_free(a);
	}
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

/* Numbers around every length of a varint. */
static uint64_t odd_number(unsigned i)
{
	return (UINT64_C(1) << i % 64) - i / 64 % 3;
}

static attr_at put_encoded(struct attrs *a, unsigned i, const char *text, size_t n)
{
	unsigned char *from = attrs_reserve(a, 4 * (ATTR_KEY_MAX + ATTR_NUMBER_MAX) + n), *to = from;
	to = attr_put_varint(attr_put_key(to, i % 300, ATTR_UINT), odd_number(i));
	to = attr_put_signed(attr_put_key(to, (str_id)-2, ATTR_INT), (int64_t)(0 - odd_number(i)));
	to = attr_put_real(attr_put_key(to, 0, ATTR_DOUBLE), i / 7.0);
	to = attr_put_text(attr_put_key(to, 9, ATTR_STR), text, n);
	return attrs_advance(a, (size_t)(to - from));
}

static void check_encoded(const struct attr *v, unsigned i, const char *text, size_t n)
{
	assert_true(v[0].key == i % 300 && v[0].type == ATTR_UINT && v[0].u == odd_number(i));
	assert_true(v[1].key == (str_id)-2 && v[1].type == ATTR_INT && v[1].i == (int64_t)(0 - odd_number(i)));
	assert_true(v[2].key == 0 && v[2].type == ATTR_DOUBLE && v[2].d == i / 7.0);
	assert_true(v[3].key == 9 && v[3].type == ATTR_STR && v[3].n == n && !memcmp(v[3].p, text, n));
}

static void records_may_come_encoded(void **state)
{
	(void)state;
	enum { N = 2000, MOST = 200000 };
	static attr_at at[N];
	static char text[MOST];
	struct attrs *a = attrs_new(0);
	fill(text, MOST, 1);
#define LENGTH(i) ((i) % 400 == 7 ? MOST : (i) % 100)
	for (unsigned i = 0; i < N; i++) {
		if (i % 3) {
			at[i] = put_encoded(a, i, text, LENGTH(i));
		} else { /* the other way of writing may come in between */
			attrs_begin(a);
			attrs_put_uint(a, i % 300, odd_number(i));
			attrs_put_int(a, (str_id)-2, (int64_t)(0 - odd_number(i)));
			attrs_put_double(a, 0, i / 7.0);
			attrs_put_str(a, 9, text, LENGTH(i));
			at[i] = attrs_end(a);
		}
	}
	memset(attrs_reserve(a, 100), 0xff, 100); /* given up */
	assert_int_equal(attrs_advance(a, 0), 0);
	assert_true(attrs_seal(a, NULL));
	for (unsigned i = 0; i < N; i++) {
		struct arena mem = {0};
		struct attr *v;
		size_t n;
		assert_true(attrs_read(a, at[i], &mem, &v, &n));
		assert_int_equal(n, 4);
		check_encoded(v, i, text, LENGTH(i));
		arena_free(&mem);
	}
#undef LENGTH
	attrs_free(a);
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

/* Two readers on two threads, one with a view of its own: both see what was written, from memory and from disk. */
struct reading {
	struct attrs *a;
	const attr_at *at;
	int n, wrong;
};

static void *read_all(void *arg)
{
	struct reading *x = arg;
	struct arena mem = {0};
	for (int i = 0; i < x->n; i++) {
		struct attr *v;
		size_t n;
		bool sound =
			attrs_read(x->a, x->at[i], &mem, &v, &n) && n == 2 && v[0].i == i && v[1].n == (size_t)i % 3000;
		x->wrong += !sound;
		if (mem.bytes > 1 << 20)
			arena_free(&mem);
	}
	arena_free(&mem);
	return NULL;
}

static void read_beside(size_t memory_cap)
{
	enum { N = 2000 };
	static attr_at at[N];
	char text[3000];
	struct attrs *a = attrs_new(memory_cap);
	fill(text, sizeof text, 7);
	for (int i = 0; i < N; i++) {
		attrs_begin(a);
		attrs_put_int(a, 1, i);
		attrs_put_str(a, 2, text, (size_t)i % sizeof text);
		at[i] = attrs_end(a);
	}
	assert_true(attrs_seal(a, NULL));
	struct attrs *view = attrs_view_new(a);
	assert_non_null(view);
	struct reading here = {a, at, N, 0}, there = {view, at, N, 0};
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, read_all, &there), 0);
	read_all(&here);
	pthread_join(thread, NULL);
	assert_int_equal(here.wrong + there.wrong, 0);
	attrs_view_free(view);
	attrs_view_free(NULL);
	attrs_free(a);
}

static void a_view_reads_beside_the_log(void **state)
{
	(void)state;
	read_beside(0);
	read_beside(1);
}

/* A log as the saved file has it: its packed blocks one after the other, and their sizes. */
enum { SAVED_RECORDS = 4000, SAVED_BLOCKS = 200 };
struct saved {
	int fd;
	uint32_t sizes[SAVED_BLOCKS];
	uint64_t hashes[SAVED_BLOCKS];
	size_t n;
	uint64_t total;
	attr_at at[SAVED_RECORDS];
};

static bool save_block(void *ctx, const void *packed, size_t n, uint64_t hash)
{
	struct saved *s = ctx;
	assert_true(s->n < SAVED_BLOCKS);
	s->hashes[s->n] = hash;
	s->sizes[s->n++] = (uint32_t)n;
	return write(s->fd, packed, n) == (ssize_t)n;
}

static void save_log(struct saved *s, size_t memory_cap)
{
	struct attrs *a = attrs_new(memory_cap);
	char text[1500];
	*s = (struct saved){.fd = memfd_create("log", MFD_CLOEXEC)};
	for (unsigned i = 0; i < SAVED_RECORDS; i++) {
		fill(text, sizeof text, i);
		attrs_begin(a);
		attrs_put_str(a, i, text, i % sizeof text);
		s->at[i] = attrs_end(a);
	}
	assert_true(attrs_seal(a, NULL));
	assert_true(attrs_each_packed(a, save_block, s));
	s->total = attrs_total(a);
	attrs_free(a);
}

static void check_saved(struct attrs *a, const struct saved *s)
{
	char text[1500];
	for (unsigned k = 0; k < SAVED_RECORDS; k++) {
		unsigned i = k * 1009 % SAVED_RECORDS;
		struct arena mem = {0};
		struct attr *v;
		size_t n;
		assert_true(attrs_read(a, s->at[i], &mem, &v, &n));
		fill(text, sizeof text, i);
		assert_true(n == 1 && v[0].key == i && v[0].n == i % sizeof text);
		assert_memory_equal(v[0].p, text, v[0].n);
		arena_free(&mem);
	}
}

static struct attrs *open_log(const struct saved *s, struct notes *notes)
{
	struct attrs *a = attrs_in_file(&(struct attrs_place){.fd = s->fd,
							      .sizes = s->sizes,
							      .hashes = s->hashes,
							      .n_blocks = s->n,
							      .total = s->total,
							      .notes = notes});
	assert_non_null(a);
	return a;
}

/* How many records come back; those that do must be right. */
static unsigned count_sound(struct attrs *a, const struct saved *s)
{
	char text[1500];
	unsigned sound = 0;
	struct arena mem = {0};
	for (unsigned i = 0; i < SAVED_RECORDS; i++) {
		struct attr *v;
		size_t n;
		if (!attrs_read(a, s->at[i], &mem, &v, &n)) {
			assert_int_equal(n, 0);
			continue;
		}
		fill(text, sizeof text, i);
		assert_true(n == 1 && v[0].key == i && v[0].n == i % sizeof text);
		assert_memory_equal(v[0].p, text, v[0].n);
		sound++;
	}
	arena_free(&mem);
	return sound;
}

static void flip(const struct saved *s, size_t at, unsigned bit)
{
	unsigned char byte;
	assert_int_equal(pread(s->fd, &byte, 1, (off_t)at), 1);
	byte ^= (unsigned char)(1u << bit);
	assert_int_equal(pwrite(s->fd, &byte, 1, (off_t)at), 1);
}

/* Any bit of any packed block: its records are gone and that is noted once, those of other blocks are right. */
static void a_changed_bit_is_noted_and_never_read(void **state)
{
	(void)state;
	static struct saved s;
	save_log(&s, 0);
	size_t bytes = 0;
	for (size_t i = 0; i < s.n; i++)
		bytes += s.sizes[i];
	for (unsigned i = 0; i < 64; i++) {
		struct notes notes = {0};
		struct saved own = s;
		own.fd = dup(s.fd);
		size_t at = (size_t)i * (bytes - 1) / 63;
		flip(&s, at, i % 8);
		struct attrs *a = open_log(&own, &notes);
		unsigned sound = count_sound(a, &s);
		assert_true(sound > 0 && sound < SAVED_RECORDS);
		assert_int_equal(notes.at[NOTE_ATTRS_DAMAGED].count, 1);
		attrs_check(a);
		assert_int_equal(notes.at[NOTE_ATTRS_DAMAGED].count, 1);
		attrs_free(a);
		own.fd = dup(s.fd);
		notes = (struct notes){0};
		a = open_log(&own, &notes);
		attrs_check(a); /* finds it without anybody having asked for the block */
		assert_int_equal(notes.at[NOTE_ATTRS_DAMAGED].count, 1);
		attrs_free(a);
		flip(&s, at, i % 8);
	}
	close(s.fd);
}

/* Saved again, a damaged block stays one. */
static void a_damaged_block_is_not_made_sound(void **state)
{
	(void)state;
	static struct saved s, again;
	struct notes notes = {0};
	save_log(&s, 0);
	flip(&s, s.sizes[0] + 100, 3);
	struct attrs *a = open_log(&s, &notes);
	again = (struct saved){.fd = memfd_create("again", MFD_CLOEXEC), .total = s.total};
	assert_true(attrs_each_packed(a, save_block, &again));
	assert_int_equal(notes.at[NOTE_ATTRS_DAMAGED].count, 1);
	attrs_free(a);
	notes = (struct notes){0};
	a = open_log(&again, &notes);
	attrs_check(a);
	assert_int_equal(notes.at[NOTE_ATTRS_DAMAGED].count, 1);
	attrs_free(a);
}

/* A log that says more than it has, or a text that does: nothing is taken for what is not there. */
static void lengths_are_those_of_the_blocks(void **state)
{
	(void)state;
	static struct saved s;
	save_log(&s, 0);
	struct attrs_place x = {.sizes = s.sizes, .hashes = s.hashes, .n_blocks = s.n, .total = UINT64_C(1) << 61};
	x.fd = dup(s.fd);
	assert_null(attrs_in_file(&x));
	x.fd = dup(s.fd);
	x.total = s.total - (s.total % (64 << 10));
	assert_null(attrs_in_file(&x));
	close(s.fd);
}

static void a_saved_log_is_the_same_from_memory_and_disk(void **state)
{
	(void)state;
	static struct saved memory, disk, again;
	save_log(&memory, 0);
	save_log(&disk, 1);
	assert_int_equal(memory.n, disk.n);
	assert_memory_equal(memory.sizes, disk.sizes, memory.n * sizeof *memory.sizes);
	struct attrs *a = open_log(&disk, NULL);
	check_saved(a, &disk);
	struct attrs *view = attrs_view_new(a);
	check_saved(view, &disk);
	attrs_view_free(view);
	again = (struct saved){.fd = memory.fd}; /* a log that was read from a saved file is saved as it is */
	assert_true(attrs_each_packed(a, save_block, &again));
	assert_memory_equal(again.sizes, disk.sizes, sizeof disk.sizes);
	attrs_free(a);
	close(memory.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_round_trips),
		cmocka_unit_test(records_cross_block_borders),
		cmocka_unit_test(a_small_cap_spills_to_disk),
		cmocka_unit_test(each_source_brings_its_cap),
		cmocka_unit_test(what_is_beyond_the_cap_is_packed),
		cmocka_unit_test(a_saved_log_is_the_same_from_memory_and_disk),
		cmocka_unit_test(an_empty_record_is_none),
		cmocka_unit_test(equal_texts_share_an_id),
		cmocka_unit_test(records_may_come_encoded),
		cmocka_unit_test(a_view_reads_beside_the_log),
		cmocka_unit_test(a_changed_bit_is_noted_and_never_read),
		cmocka_unit_test(a_damaged_block_is_not_made_sound),
		cmocka_unit_test(lengths_are_those_of_the_blocks),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("attrs", tests, NULL, NULL);
}
