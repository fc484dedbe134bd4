/* A large plain file: every byte once, and whoever wants to write to it gets it at once, whatever becomes of our reading. */
#include "gzip_member.h"
#include "tests/unit/unit.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "importers/source.h"

enum { MIB = 1 << 20, FILE_BYTES = 9 * MIB + 123, PAGE = 4096 };

struct file {
	char path[32];
	unsigned char *p;
	size_t n;
};

static bool packed; /* the files are, and are unpacked ahead by a second thread */

static int packed_files(void **state)
{
	(void)state;
	packed = true;
	return 0;
}

static struct file file_of(size_t n)
{
	struct file f = {"/tmp/stepscope-source-XXXXXX", malloc(n), n};
	int fd = mkstemp(f.path);
	size_t room = n + n / 8 + 1000, stored = n;
	unsigned char *gz = malloc(room);
	assert_non_null(f.p);
	assert_non_null(gz);
	for (size_t i = 0; i < n; i++)
		f.p[i] = (unsigned char)((i * 2654435761u) >> 13 | 1);
	if (packed)
		stored = gzip_member(gz, room, f.p, n);
	assert_int_equal(write(fd, packed ? gz : f.p, stored), (ssize_t)stored);
	free(gz);
	close(fd);
	return f;
}

static void file_gone(struct file *f)
{
	unlink(f->path);
	free(f->p);
}

static struct source *opened(const struct file *f, struct progress *p)
{
	struct err e;
	struct source *s = source_open(f->path, p, &e);
	assert_non_null(s);
	source_set_threads(s, packed ? 2 : 1);
	return s;
}

/* Passes over [*at, until) in uneven steps; each step's bytes and zeros after the last ones are checked. False: it ended. */
static bool reads_until(struct source *s, const struct file *f, size_t *at, size_t until)
{
	static const unsigned char zeros[SOURCE_PAD];
	size_t step = 70001, have = 1;
	while (*at < until) {
		const unsigned char *p = source_need(s, step, &have);
		size_t n = have < step ? have : step;
		assert_int_equal(source_at(s), (int64_t)*at);
		assert_true(*at + n <= f->n);
		assert_memory_equal(p, f->p + *at, n);
		if (have < step)
			assert_memory_equal(p + have, zeros, SOURCE_PAD);
		if (!n)
			return false;
		source_skip(s, n);
		*at += n;
		step = step * 3 % 1500007 + 1;
	}
	return true;
}

static void expect_all(size_t n)
{
	struct file f = file_of(n);
	struct progress progress = {0};
	struct source *s = opened(&f, &progress);
	size_t at = 0;
	assert_true(reads_until(s, &f, &at, f.n));
	assert_true(source_ended(s));
	if (!packed)
		assert_int_equal(progress.bytes_done, (int64_t)f.n);
	source_close(s);
	file_gone(&f);
}

static void every_byte_comes_once(void **state)
{
	(void)state;
	expect_all(FILE_BYTES);
	expect_all(5 * MIB);
	expect_all(5 * MIB + PAGE - 1);
	expect_all(5 * MIB + PAGE);
}

static void the_window_before_stays(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	struct source *s = opened(&f, NULL);
	size_t had, have, at = 0;
	for (const unsigned char *p = source_need(s, 1, &had); had > 0; had = have) {
		source_skip(s, had - had / 3);
		size_t left = had / 3;
		const unsigned char *next = source_need(s, left + 1, &have);
		assert_memory_equal(p, f.p + at, had);
		at += had - left;
		p = next;
		if (have == left)
			break;
	}
	source_close(s);
	file_gone(&f);
}

static void a_window_may_be_larger(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	struct source *s = opened(&f, NULL);
	size_t have;
	source_need(s, 10, &have);
	source_skip(s, 10);
	assert_memory_equal(source_need(s, 7 * MIB, &have), f.p + 10, 7 * MIB);
	assert_memory_equal(source_need(s, 8 * MIB, &have), f.p + 10, 8 * MIB);
	source_skip(s, 8 * MIB);
	assert_memory_equal(source_need(s, 2 * MIB, &have), f.p + 10 + 8 * MIB, MIB + 113);
	assert_int_equal(have, MIB + 113);
	source_close(s);
	file_gone(&f);
}

/* Opens for writing without waiting. */
static int writer(const struct file *f, int flags)
{
	return open(f->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | flags);
}

static void who_wants_to_write_gets_the_file_at_once(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	struct source *s = opened(&f, NULL);
	size_t at = 0;
	assert_true(reads_until(s, &f, &at, 2 * MIB));
	int fd = writer(&f, 0);
	assert_true(fd >= 0);
	assert_true(reads_until(s, &f, &at, f.n));
	assert_int_equal(source_cut_at(s), -1);
	assert_false(source_changed(s));
	close(fd);
	source_close(s);
	file_gone(&f);
}

/* What was at hand, then the end, and no signal: not even for a look at what was read last. */
static void a_cut_file_ends_where_it_was_cut(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	struct source *s = opened(&f, NULL);
	size_t at = 0, had;
	assert_true(reads_until(s, &f, &at, 2 * MIB));
	const unsigned char *before = source_need(s, 1, &had);
	int fd = writer(&f, 0);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 5 * MIB + 7), 0);
	assert_memory_equal(before, f.p + at, had);
	assert_int_equal(source_cut_at(s), -1);
	assert_false(reads_until(s, &f, &at, f.n));
	assert_int_equal(at, 5 * MIB + 7);
	assert_int_equal(source_cut_at(s), 5 * MIB + 7);
	assert_int_equal(source_bytes_now(s), 5 * MIB + 7);
	assert_true(source_changed(s));
	close(fd);
	source_close(s);
	file_gone(&f);
}

/* A profiler that writes its next trace under the same name. */
static void a_file_that_is_emptied_ends_with_what_is_at_hand(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	struct source *s = opened(&f, NULL);
	size_t at = 0;
	assert_true(reads_until(s, &f, &at, 2 * MIB));
	int fd = writer(&f, O_TRUNC);
	assert_true(fd >= 0);
	assert_false(reads_until(s, &f, &at, f.n));
	assert_true(at >= 2 * MIB);
	assert_int_equal(source_cut_at(s), (int64_t)at);
	close(fd);
	source_close(s);
	file_gone(&f);
}

static void a_change_within_a_file_is_noticed(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	struct source *s = opened(&f, NULL);
	size_t at = 0;
	assert_true(reads_until(s, &f, &at, 2 * MIB));
	assert_false(source_changed(s));
	int fd = writer(&f, 0);
	struct timespec later[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
	assert_int_equal(futimens(fd, later), 0); /* as a write does, however coarse the clock of the file system */
	assert_true(source_changed(s));
	assert_int_equal(source_bytes_now(s), (int64_t)f.n);
	assert_true(reads_until(s, &f, &at, f.n));
	assert_int_equal(source_cut_at(s), -1);
	close(fd);
	source_close(s);
	file_gone(&f);
}

/* A new file under the old name is none of ours: what was opened is read to its end. */
static void a_replaced_file_is_read_to_its_end(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES), other = file_of(5 * MIB);
	struct source *s = opened(&f, NULL);
	size_t at = 0;
	assert_true(reads_until(s, &f, &at, 2 * MIB));
	assert_int_equal(rename(other.path, f.path), 0);
	assert_true(reads_until(s, &f, &at, f.n));
	assert_int_equal(source_cut_at(s), -1);
	assert_false(source_changed(s));
	source_close(s);
	file_gone(&f);
	free(other.p);
}

static void a_source_may_be_closed_while_it_is_filled(void **state)
{
	(void)state;
	struct file f = file_of(FILE_BYTES);
	for (size_t until = 1; until < f.n; until = until * 3 + 5) {
		struct source *s = opened(&f, NULL);
		size_t at = 0;
		assert_true(reads_until(s, &f, &at, until));
		source_close(s);
	}
	file_gone(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_comes_once),
		cmocka_unit_test(the_window_before_stays),
		cmocka_unit_test(a_window_may_be_larger),
		cmocka_unit_test(who_wants_to_write_gets_the_file_at_once),
		cmocka_unit_test(a_cut_file_ends_where_it_was_cut),
		cmocka_unit_test(a_file_that_is_emptied_ends_with_what_is_at_hand),
		cmocka_unit_test(a_change_within_a_file_is_noticed),
		cmocka_unit_test(a_replaced_file_is_read_to_its_end),
		cmocka_unit_test_setup(every_byte_comes_once, packed_files),
		cmocka_unit_test(a_source_may_be_closed_while_it_is_filled),
		cmocka_unit_test_setup(the_window_before_stays, packed_files),
		cmocka_unit_test_setup(a_window_may_be_larger, packed_files),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
