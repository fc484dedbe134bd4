/* From what the user names to a trace: files, folders, runs, and clear words for what is none. */
#include "tests/unit/unit.h"
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "importers/database/database.h"
#include "importers/importer.h"
#include "importers/open.h"

static char root[64];

static const char *in_root(const char *name)
{
	static char paths[8][256];
	static int next;
	char *p = paths[next++ % 8];
	snprintf(p, sizeof paths[0], "%s/%s", root, name);
	return p;
}

static void make_dirs(const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%s", in_root(name));
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(path, 0700);
		*p = '/';
	}
}

static void put_bytes(const char *name, const void *bytes, size_t n)
{
	make_dirs(name);
	FILE *f = fopen(in_root(name), "wb");
	assert_non_null(f);
	fwrite(bytes, 1, n, f);
	fclose(f);
}

static void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

static int setup(void **state)
{
	(void)state;
	snprintf(root, sizeof root, "/tmp/stepscope-open-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[100];
	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", root);
	return system(command);
}

static struct trace *open_named(const char *name, struct err *e)
{
	const char *path = in_root(name);
	*e = (struct err){0};
	return open_trace(&path, 1, NULL, e);
}

static const char one_event[] = "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]";
static const char other_event[] = "[{\"ph\":\"X\",\"name\":\"b\",\"ts\":3,\"dur\":2,\"pid\":1,\"tid\":1}]";
/* planes { name: "/host:CPU" }: the smallest XSpace that says what it is */
static const unsigned char xspace[] = {0x0a, 0x0b, 0x12, 0x09, '/', 'h', 'o', 's', 't', ':', 'C', 'P', 'U'};

/* ---- files -------------------------------------------------------------------------------------------------------- */

static void a_file_is_opened_by_what_is_in_it(void **state)
{
	(void)state;
	struct err e;
	put("no-suffix", one_event);
	struct trace *t = open_named("no-suffix", &e);
	assert_non_null(t);
	assert_int_equal(trace_columns(t)->n, 1);
	assert_string_equal(trace_source(t, 0).format, "chrome");
	trace_free(t);
}

static void a_packed_file_is_opened_whatever_its_name(void **state)
{
	(void)state;
	struct err e;
	gzFile z = gzopen(in_root("packed.json"), "wb");
	gzwrite(z, one_event, strlen(one_event));
	gzclose(z);
	struct trace *t = open_named("packed.json", &e);
	assert_non_null(t);
	assert_int_equal(trace_notes(t)->entries, 1);
	trace_free(t);
}

static void a_cut_packed_file_gives_what_can_be_unpacked(void **state)
{
	(void)state;
	struct err e;
	char json[20000] = "[";
	for (int i = 0; i < 200; i++)
		sprintf(json + strlen(json), "{\"ph\":\"X\",\"name\":\"e%d\",\"ts\":%d,\"dur\":1},\n", rand(), i);
	gzFile z = gzopen(in_root("cut.gz"), "wb");
	gzwrite(z, json, (unsigned)strlen(json));
	gzclose(z);
	struct stat st;
	assert_int_equal(stat(in_root("cut.gz"), &st), 0);
	assert_int_equal(truncate(in_root("cut.gz"), st.st_size / 2), 0);
	struct trace *t = open_named("cut.gz", &e);
	assert_non_null(t);
	assert_in_range(trace_columns(t)->n, 20, 199);
	assert_int_equal(trace_notes(t)->at[NOTE_STREAM_DAMAGED].count, 1);
	assert_true(trace_notes(t)->at[NOTE_STREAM_DAMAGED].first_at > 1000);
	trace_free(t);
}

static void several_paths_are_one_trace_of_several_hosts(void **state)
{
	(void)state;
	struct err e;
	put("m/worker0.json", one_event);
	put("m/worker1.json", other_event);
	char first[100], second[100];
	snprintf(first, sizeof first, "%s", in_root("m/worker0.json"));
	snprintf(second, sizeof second, "%s", in_root("m/worker1.json"));
	const char *both[] = {first, second};
	struct trace *t = open_trace(both, 2, NULL, &e);
	assert_non_null(t);
	assert_int_equal(trace_sources(t), 2);
	assert_int_equal(trace_hosts(t), 2);
	assert_int_equal(trace_host(t, 1)->rank, 1);
	assert_int_equal(trace_columns(t)->n, 2);
	trace_free(t);
}

static void one_unreadable_path_among_several_is_an_error(void **state)
{
	(void)state;
	struct err e = {0};
	put("good.json", one_event);
	char good[100], bad[100];
	snprintf(good, sizeof good, "%s", in_root("good.json"));
	snprintf(bad, sizeof bad, "%s", in_root("missing.json"));
	const char *both[] = {good, bad};
	assert_null(open_trace(both, 2, NULL, &e));
	assert_true(e.unreadable);
	assert_string_equal(e.msg, "No such file or directory");
}

static void put_packed(const char *name, const char *text)
{
	put(name, ""); /* makes its folders */
	gzFile z = gzopen(in_root(name), "wb");
	gzwrite(z, text, (unsigned)strlen(text));
	gzclose(z);
}

/* The next file is begun while this one is read: what is wrong with it is still told at its turn, and only then. */
static void packed_files_are_told_apart_though_the_next_one_is_begun(void **state)
{
	(void)state;
	const struct open_opts two = {.threads = 2};
	struct err e = {0};
	char path[3][100];
	const char *all[] = {path[0], path[1], path[2]};
	put_packed("next/worker0.json.gz", one_event);
	put_packed("next/worker1.json.gz", "<html>login first</html>");
	put_packed("next/worker2.json.gz", other_event);
	for (int i = 0; i < 3; i++) {
		char name[40];
		snprintf(name, sizeof name, "next/worker%d.json.gz", i);
		snprintf(path[i], sizeof path[i], "%s", in_root(name));
	}
	assert_null(open_trace(all, 3, &two, &e));
	assert_string_equal(e.file, path[1]);
	struct trace *t = open_trace((const char *[]){in_root("next")}, 1, &two, &e);
	assert_non_null(t);
	assert_int_equal(trace_sources(t), 3);
	assert_int_equal(trace_columns(t)->n, 2);
	assert_int_equal(trace_notes(t)->at[NOTE_FILE_SKIPPED].count, 1);
	trace_free(t);
}

/* ---- folders ------------------------------------------------------------------------------------------------------ */

static void a_folder_of_traces_is_one_trace(void **state)
{
	(void)state;
	struct err e;
	put("ranks/b_rank_1.json", one_event);
	put("ranks/a_rank_0.json", other_event);
	put("ranks/README.md", "# not a trace\n");
	struct trace *t = open_named("ranks", &e);
	assert_non_null(t);
	assert_int_equal(trace_sources(t), 2);
	assert_true(strstr(trace_source(t, 0).path, "a_rank_0.json") != NULL);
	assert_int_equal(trace_notes(t)->at[NOTE_FILE_SKIPPED].count, 0);
	trace_free(t);
}

static void a_bad_file_of_a_folder_is_noted(void **state)
{
	(void)state;
	struct err e;
	put("mixed/a.json", one_event);
	put("mixed/b.json", "<html>login first</html>");
	struct trace *t = open_named("mixed", &e);
	assert_non_null(t);
	assert_int_equal(trace_notes(t)->at[NOTE_FILE_SKIPPED].count, 1);
	trace_free(t);
	put("allbad/b.json", "<html>login first</html>");
	assert_null(open_named("allbad", &e));
	assert_true(strncmp(e.msg, "an HTML page", 12) == 0);
}

static void a_folder_of_two_formats_is_refused(void **state)
{
	(void)state;
	struct err e;
	put("two/a.json", one_event);
	put_bytes("two/b.pb", xspace, sizeof xspace);
	assert_null(open_named("two", &e));
	assert_string_equal(e.msg, "this folder holds traces of several formats: name the files to open");
}

static void the_newest_run_wins(void **state)
{
	(void)state;
	struct err e;
	static const char *const parents[] = {"log", "log/plugins", "log/plugins/profile",
					      "log/plugins/profile/2024_02_01_00_00_00"};
	put_bytes("log/plugins/profile/2024_01_31_23_59_59/old.xplane.pb", xspace, sizeof xspace);
	put_bytes("log/plugins/profile/2024_02_01_00_00_00/one.xplane.pb", xspace, sizeof xspace);
	put_bytes("log/plugins/profile/2024_02_01_00_00_00/two.xplane.pb", xspace, sizeof xspace);
	put("log/plugins/profile/2024_02_01_00_00_00/one.trace.json", one_event);
	put("log/plugins/profile/2024_03_01_00_00_00/empty.txt", "no capture here");
	for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++) {
		struct trace *t = open_named(parents[i], &e);
		if (!t)
			fail_msg("%s: %s", parents[i], e.msg);
		assert_int_equal(trace_sources(t), 2);
		assert_true(strstr(trace_source(t, 0).path, "2024_02_01_00_00_00/one.xplane.pb") != NULL);
		trace_free(t);
	}
}

static void folders_of_ranks_are_one_run(void **state)
{
	(void)state;
	struct err e;
	static const char *const runs[] = {"flat", "nodes"};
	put("flat/rank_0/profile.json", one_event);
	put("flat/rank_1/profile.json", one_event);
	put("flat/rank_10/profile.json", one_event);
	put("flat/logs/README", "no trace");
	put("nodes/a/worker0/profile.json", one_event);
	put("nodes/a/worker1/profile.json", one_event);
	put("nodes/b/worker10/profile.json", one_event);
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		struct trace *t = open_named(runs[i], &e);
		if (!t)
			fail_msg("%s: %s", runs[i], e.msg);
		assert_int_equal(trace_hosts(t), 3);
		for (uint32_t k = 0; k < 3; k++)
			assert_int_equal(trace_host(t, k)->rank, k < 2 ? (int32_t)k : 10);
		trace_free(t);
	}
	put("steps/iteration_5/rank0.json", one_event);
	put("steps/iteration_10/rank0.json", one_event);
	assert_null(open_named("steps", &e));
	assert_string_equal(e.msg, "no trace in this folder itself, but in folders below it, as iteration_5: open one "
				   "of them, or name the files of one run");
}

static void a_folder_without_traces_says_what_was_looked_for(void **state)
{
	(void)state;
	struct err e;
	put("nothing/README", "hello");
	assert_null(open_named("nothing", &e));
	assert_string_equal(e.msg,
			    "no trace in this folder: no *.xplane.pb, no profiler run, no JSON trace, no *.sqlite");
}

/* ---- what we do not read ------------------------------------------------------------------------------------------- */

static void foreign_files_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t n;
		const char *begins;
	} files[] = {
#define FILE_ROW(bytes, sentence) {bytes, sizeof bytes - 1, sentence}
		FILE_ROW("", "the file is empty"),
		FILE_ROW(" \n", "nothing but blanks"),
		FILE_ROW("<!DOCTYPE html><body>", "an HTML page"),
		FILE_ROW("SQLite format 3\0 and more", "an SQLite database"),
		FILE_ROW("\x83\xaf\x70\xd1\x0d\x88\x4a\x3f\0\0", "a Riegeli record file"),
		FILE_ROW("version https://git-lfs.github.com/spec/v1\noid sha256:7\nsize 9\n", "a pointer of Git LFS"),
		FILE_ROW("PK\3\4....", "a zip or tar archive that cannot be read"),
		FILE_ROW("\x0a\x0c\x32\x0a\x0a\x08\x08\x06\x10\x80\x80\x80\x80\x10", "a Perfetto trace"),
		FILE_ROW("\x0a\x0e\x08\x00\x12\x0a\x0a\x08/host:CP", "a TensorFlow trace of the years before XSpace"),
		FILE_ROW("start,duration\n1,2\n", "a table of text"),
		FILE_ROW("Index,KernelName,gpu-id,SQ_WAVES\n0,k,4,1\n", "a table of rocprof without times"),
		FILE_ROW("{\n  \"rocprofiler-sdk-tool\": [{\"metadata\": {}}]}", "JSON of rocprofv3"),
		FILE_ROW("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"}",
			 "a profile for speedscope"),
		FILE_ROW("{\n  \"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": []}", "an execution trace of PyTorch"),
		FILE_ROW("{\"nodes\":[{\"id\":1,\"callFrame\":{}}]}", "a CPU profile of V8"),
		FILE_ROW("\xff\xfe{\0}\0", "text in UTF-16"),
		FILE_ROW("\xfe\xff\0{\0}", "text in UTF-16"),
		FILE_ROW("\x80\4\x95\0\0\0\0\0\0\0\0", "a Python pickle"),
		FILE_ROW("hello there\n", "plain text"),
		FILE_ROW("\x7f"
			 "ELF\2\1\1\0\0\0\0\0\0",
			 "not a trace in a format"),
#undef FILE_ROW
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		struct err e;
		put_bytes("foreign", files[i].bytes, files[i].n);
		assert_null(open_named("foreign", &e));
		assert_true(e.unreadable);
		if (strncmp(e.msg, files[i].begins, strlen(files[i].begins)))
			fail_msg("row %zu: %s", i, e.msg);
	}
}

static void a_cancelled_import_gives_nothing(void **state)
{
	(void)state;
	struct progress p = {0};
	struct open_opts o = {.progress = &p, .window_bytes = 7};
	struct err e = {0};
	put("c.json", one_event);
	const char *path = in_root("c.json");
	atomic_store(&p.cancel, true);
	assert_null(open_trace(&path, 1, &o, &e));
}

/* Amid a table: SQLite itself is asked to stop, also while it looks for the next row. */
static void a_table_that_is_read_ends_when_cancelled(void **state)
{
	(void)state;
	enum { ROWS = 50000 };
	sqlite3 *made;
	assert_int_equal(sqlite3_open(in_root("rows.db"), &made), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(made,
			     "CREATE TABLE t (a); WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n "
			     "LIMIT 50000) INSERT INTO t SELECT i FROM n",
			     NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(made);
	for (int cancelled = 0; cancelled < 2; cancelled++) {
		struct progress p = {0};
		struct err e;
		struct source *s = source_open(in_root("rows.db"), &p, &e);
		struct database *d = database_open(s, &p, &e);
		struct rows r;
		assert_true(
			rows_begin(&r, d, "t", (const char *const[]){"a"}, 1, cancelled ? "\"a\" % 40000 = 1" : NULL));
		assert_true(rows_next(&r));
		atomic_store(&p.cancel, cancelled);
		while (rows_next(&r))
			;
		assert_int_equal(r.n, cancelled ? 1 : ROWS);
		rows_end(&r);
		assert_int_equal(database_cancelled(d), cancelled);
		database_close(d);
		source_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_opened_by_what_is_in_it),
		cmocka_unit_test(a_packed_file_is_opened_whatever_its_name),
		cmocka_unit_test(a_cut_packed_file_gives_what_can_be_unpacked),
		cmocka_unit_test(several_paths_are_one_trace_of_several_hosts),
		cmocka_unit_test(one_unreadable_path_among_several_is_an_error),
		cmocka_unit_test(packed_files_are_told_apart_though_the_next_one_is_begun),
		cmocka_unit_test(a_folder_of_traces_is_one_trace),
		cmocka_unit_test(a_bad_file_of_a_folder_is_noted),
		cmocka_unit_test(a_folder_of_two_formats_is_refused),
		cmocka_unit_test(the_newest_run_wins),
		cmocka_unit_test(folders_of_ranks_are_one_run),
		cmocka_unit_test(a_folder_without_traces_says_what_was_looked_for),
		cmocka_unit_test(foreign_files_are_named),
		cmocka_unit_test(a_cancelled_import_gives_nothing),
		cmocka_unit_test(a_table_that_is_read_ends_when_cancelled),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
