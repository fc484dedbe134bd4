/* The cache finds what was kept for the same sources, and nothing else; it stays small; damage in it is nobody's trouble. */
#include "importers/cache.h"
#include "importers/open.h"
#include "model/store/ingest/ingest.h"
#include "tests/unit/unit.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/stepscope-test-XXXXXX";
static char source[64], other[64], entries[64];

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

#define EVENTS(name) "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"name\":\"" name "\"}]"

/* Opens `path` with the cache and waits until it is kept. */
static struct trace *open_it(const char *path)
{
	struct err e = {0};
	struct open_opts o = {.cache = true};
	struct trace *t = open_trace(&path, 1, &o, &e);
	assert_non_null(t);
	open_finish(true);
	return t;
}

static const char *first_name(const struct trace *t)
{
	return trace_str(t, trace_columns(t)->name[0]);
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int count_entries(void)
{
	struct dirent **list;
	int n = scandir(entries, &list, visible, NULL);
	for (int i = 0; i < n; i++)
		free(list[i]);
	if (n >= 0)
		free(list);
	return n < 0 ? 0 : n;
}

/* The one entry there is. */
static const char *entry(void)
{
	static char path[512];
	struct dirent **list;
	int n = scandir(entries, &list, visible, NULL);
	assert_int_equal(n, 1);
	snprintf(path, sizeof path, "%s/%s", entries, list[0]->d_name);
	free(list[0]);
	free(list);
	return path;
}

static void a_second_opening_reads_the_entry(void **state)
{
	(void)state;
	write_file(source, EVENTS("first"));
	trace_free(open_it(source));
	struct stat was, is;
	assert_int_equal(stat(entry(), &was), 0);
	struct trace *t = open_it(source);
	assert_string_equal(first_name(t), "first");
	assert_string_equal(trace_source(t, 0).path, source);
	trace_free(t);
	assert_int_equal(stat(entry(), &is), 0);
	assert_int_equal(was.st_ino, is.st_ino); /* a second import would have replaced it */
}

static void a_changed_source_is_imported_again(void **state)
{
	(void)state;
	struct stat st;
	write_file(source, EVENTS("first"));
	trace_free(open_it(source));
	assert_int_equal(stat(source, &st), 0);
	write_file(source, EVENTS("other")); /* as long as before, and dated back: only its bytes tell */
	struct timespec times[2] = {st.st_atim, st.st_mtim};
	assert_int_equal(utimensat(AT_FDCWD, source, times, 0), 0);
	struct trace *t = open_it(source);
	assert_string_equal(first_name(t), "other");
	trace_free(t);
}

static void keys_tell_sources_apart(void **state)
{
	(void)state;
	const char *one[] = {source}, *two[] = {source, other}, *turned[] = {other, source}, *in[] = {"-"},
		   *none[] = {"/tmp/there/is/no/such/file"};
	struct cache_key a, b, c, again;
	write_file(source, EVENTS("x"));
	write_file(other, EVENTS("x"));
	assert_true(cache_key(&a, one, 1) && cache_key(&again, one, 1));
	assert_memory_equal(&a, &again, sizeof a);
	assert_true(cache_key(&b, two, 2) && cache_key(&c, turned, 2));
	assert_memory_not_equal(&a, &b, sizeof a);
	assert_memory_not_equal(&b, &c, sizeof b);
	assert_false(cache_key(&a, in, 1));
	assert_false(cache_key(&a, none, 1));
	unlink(other);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_false(cache_key(&a, (const char *[]){other}, 1));
	unlink(other);
}

static void a_damaged_entry_is_replaced(void **state)
{
	(void)state;
	write_file(source, EVENTS("sound"));
	trace_free(open_it(source));
	char path[512];
	snprintf(path, sizeof path, "%s", entry());
	write_file(path, "STEPSCPE and then nothing that makes sense");
	struct trace *t = open_it(source);
	assert_string_equal(first_name(t), "sound");
	trace_free(t);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > 100);
}

static void short_imports_are_not_kept(void **state)
{
	(void)state;
	setenv("STEPSCOPE_CACHE_AFTER_MS", "600000", 1);
	write_file(source, EVENTS("quick"));
	trace_free(open_it(source));
	assert_int_equal(count_entries(), 0);
	setenv("STEPSCOPE_CACHE_AFTER_MS", "0", 1);
	setenv("STEPSCOPE_CACHE_MIB", "0", 1);
	trace_free(open_it(source));
	assert_int_equal(count_entries(), 0);
	unsetenv("STEPSCOPE_CACHE_MIB");
}

/* A file of the cache folder, used `age_s` seconds ago. */
static void made_entry(const char *name, size_t bytes, int age_s)
{
	char path[512];
	struct timespec used[2] = {{.tv_sec = time(NULL) - age_s}, {.tv_sec = time(NULL) - age_s}};
	snprintf(path, sizeof path, "%s/%s", entries, name);
	write_file(path, "");
	assert_int_equal(truncate(path, (off_t)bytes), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
}

static bool exists(const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", entries, name);
	return access(path, F_OK) == 0;
}

static void what_was_used_longest_ago_goes_first(void **state)
{
	(void)state;
	mkdir(entries, 0700);
	made_entry("a.stepscope", 400, 30);
	made_entry("b.stepscope", 400, 10);
	made_entry("c.stepscope", 400, 20);
	made_entry("notes.txt", 4000, 99);
	cache_trim(entries, 800);
	assert_false(exists("a.stepscope"));
	assert_true(exists("b.stepscope") && exists("c.stepscope") && exists("notes.txt"));
	cache_trim(entries, 500);
	assert_true(exists("b.stepscope"));
	assert_false(exists("c.stepscope"));
}

/* What a writer that was killed has left is gone when the next entry is written. */
static void forgotten_pieces_are_removed(void **state)
{
	(void)state;
	mkdir(entries, 0700);
	made_entry(".stepscope-00000001-77-0", 400, 7200);
	made_entry(".stepscope-00000001-77-1", 400, 60); /* someone may be writing it */
	write_file(source, EVENTS("new"));
	trace_free(open_it(source));
	assert_false(exists(".stepscope-00000001-77-0"));
	assert_true(exists(".stepscope-00000001-77-1"));
	assert_int_equal(count_entries(), 1);
}

/* Somebody could put into it what we would take for our own. */
static void a_folder_that_others_may_enter_is_not_used(void **state)
{
	(void)state;
	char dir[512], real[128];
	write_file(source, EVENTS("source"));
	trace_free(open_it(source));
	assert_false(cache_refused(dir, sizeof dir));
	write_file(source, EVENTS("change"));
	assert_int_equal(chmod(entries, 0750), 0);
	assert_true(cache_refused(dir, sizeof dir));
	assert_string_equal(dir, entries);
	trace_free(open_it(source));
	assert_int_equal(count_entries(), 1);
	snprintf(real, sizeof real, "%s/real", folder);
	assert_int_equal(chmod(entries, 0700) | rename(entries, real) | symlink(real, entries), 0);
	assert_true(cache_refused(dir, sizeof dir));
	trace_free(open_it(source));
	assert_int_equal(count_entries(), 1);
	if (geteuid() == 0) { /* only root can give a folder away */
		assert_int_equal(unlink(entries) | rename(real, entries) | chown(entries, 12345, (gid_t)-1), 0);
		assert_true(cache_refused(dir, sizeof dir));
		trace_free(open_it(source));
		assert_int_equal(count_entries(), 1);
	}
	assert_int_equal(unlink(source), 0);
}

static void a_fifo_among_the_entries_does_not_stop_us(void **state)
{
	(void)state;
	char path[512];
	write_file(source, EVENTS("fine"));
	trace_free(open_it(source));
	snprintf(path, sizeof path, "%s", entry());
	assert_int_equal(unlink(path) | mkfifo(path, 0600), 0);
	alarm(20); /* without the check it waits for a writer */
	struct trace *t = open_it(source);
	alarm(0);
	assert_string_equal(first_name(t), "fine");
	trace_free(t);
}

static void an_unusable_place_is_no_error(void **state)
{
	(void)state;
	char no_folder[128];
	write_file(source, EVENTS("fine"));
	snprintf(no_folder, sizeof no_folder, "%s/below", source);
	setenv("XDG_CACHE_HOME", no_folder, 1);
	struct trace *t = open_it(source);
	assert_string_equal(first_name(t), "fine");
	trace_free(t);
}

static int fresh(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s/stepscope %s/real", folder, folder);
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("STEPSCOPE_CACHE_AFTER_MS", "0", 1);
	return system(command);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return 1;
	snprintf(source, sizeof source, "%s/source.json", folder);
	snprintf(other, sizeof other, "%s/other.json", folder);
	snprintf(entries, sizeof entries, "%s/stepscope", folder);
	return 0;
}

static int drop_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_second_opening_reads_the_entry, fresh),
		cmocka_unit_test_setup(a_changed_source_is_imported_again, fresh),
		cmocka_unit_test_setup(keys_tell_sources_apart, fresh),
		cmocka_unit_test_setup(a_damaged_entry_is_replaced, fresh),
		cmocka_unit_test_setup(short_imports_are_not_kept, fresh),
		cmocka_unit_test_setup(what_was_used_longest_ago_goes_first, fresh),
		cmocka_unit_test_setup(forgotten_pieces_are_removed, fresh),
		cmocka_unit_test_setup(a_folder_that_others_may_enter_is_not_used, fresh),
		cmocka_unit_test_setup(a_fifo_among_the_entries_does_not_stop_us, fresh),
		cmocka_unit_test_setup(an_unusable_place_is_no_error, fresh),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("cache", tests, make_folder, drop_folder);
}
