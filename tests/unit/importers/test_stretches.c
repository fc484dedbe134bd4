/* A plain file that two threads read in stretches makes the trace that one thread makes of it, byte by byte as it is saved, wherever
 * stretches end: in texts that look like entries, in entries longer than a window, in damage. */
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "importers/open.h"
#include "model/store/saved/save.h"

enum { ENTRIES = 3000 };

static char folder[64];

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/stepscope-stretches-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[100];
	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char paths[2][128];
	static int next;
	char *p = paths[next++ % 2];
	snprintf(p, sizeof paths[0], "%s/%s", folder, name);
	return p;
}

/* What stands at the end of entry i, before its bracket. */
static void put_odd_members(FILE *f, int i)
{
	if (i % 5 == 0) /* objects after commas that begin as entries do */
		fprintf(f,
			",\"args\":{\"of\":[{\"x\":%d},{\"name\":\"no\",\"ph\":\"X\",\"ts\":1}, "
			"{\"ph\":\"B\"}],\"y\":1}",
			i);
	else if (i % 7 == 0) /* a text that holds one */
		fprintf(f, ",\"args\":{\"text\":\"a, {\\\"name\\\": 1},{'ph':2} %d\"}", i);
	else if (i % 3 == 0)
		fprintf(f, ",\"args\":{\"id\":\"0x%x\",\"n\":%d.5}", i / 2, i);
}

static void put_entry(FILE *f, int i)
{
	fprintf(f, "{\"name\":\"%s %d\",\"cat\":\"c%d\",\"ph\":\"%c\",\"pid\":%d,\"tid\":%d,\"ts\":%d.25,\"dur\":%d",
		i % 4 ? "op" : "step", i % 50, i % 3,
		i % 11 == 1   ? 'B'
		: i % 11 == 2 ? 'E'
			      : 'X',
		i % 2, i % 9, i * 3, i % 6);
	put_odd_members(f, i);
	fprintf(f, "}%s", i % 13 ? "" : "\n  ");
}

enum oddity { NOTHING_ODD, LONG_ENTRIES, DAMAGE, CUT };

static void put_oddity(FILE *f, enum oddity odd, int i)
{
	if (odd == LONG_ENTRIES && i % 400 == 7)
		fprintf(f, "{\"name\":\"long\",\"ph\":\"i\",\"ts\":%d,\"args\":{\"text\":\"%0*d\"}},", i * 3,
			5000 + i * 20, i);
	if (odd == DAMAGE && i % 300 == 9)
		fputs(i % 600 == 9 ? "{\"name\" 5}," : i % 900 == 309 ? "17," : ",", f);
}

static const char *written(enum oddity odd)
{
	const char *path = in_folder("made.json");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("{\"first\": 1, \"traceEvents\": [\n", f);
	for (int i = 0; i < ENTRIES; i++) {
		put_oddity(f, odd, i);
		put_entry(f, i);
		if (i + 1 < ENTRIES)
			fputs(i % 17 ? "," : " ,\n\t", f);
	}
	fputs(odd == CUT ? ",{\"name\":\"cut\",\"ph\":\"X\",\"ts\":9000" : "\n], \"baseTimeNanoseconds\": 1000}\n", f);
	fclose(f);
	return path;
}

/* As a saved file. */
static char *saved(const char *path, unsigned threads, size_t window, size_t *n)
{
	struct progress progress = {0};
	struct open_opts o = {.threads = threads, .window_bytes = window, .progress = &progress};
	struct err e = {0};
	struct trace *t = open_trace(&path, 1, &o, &e);
	if (!t)
		fail_msg("refused: %s", e.msg);
	assert_true(notes_balance(trace_notes(t)));
	assert_int_equal(atomic_load(&progress.bytes_done), atomic_load(&progress.bytes_total));
	const char *to = in_folder("saved.stepscope");
	assert_true(trace_save(t, to, OUTPUT_FORCE, &e));
	trace_free(t);
	FILE *f = fopen(to, "r");
	char *bytes = malloc(1 << 22);
	assert_non_null(f);
	assert_non_null(bytes);
	*n = fread(bytes, 1, 1 << 22, f);
	fclose(f);
	return bytes;
}

static void same_by_two(enum oddity odd)
{
	static const size_t windows[] = {1024, 1500, 4096, 40000, 0};
	const char *path = written(odd);
	size_t n, m;
	char *alone = saved(path, 1, 0, &n);
	for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
		char *by_two = saved(path, 2, windows[i], &m);
		assert_int_equal(n, m);
		assert_memory_equal(alone, by_two, n);
		free(by_two);
	}
	free(alone);
}

static void whatever_looks_like_an_entry(void **state)
{
	(void)state;
	same_by_two(NOTHING_ODD);
}

static void entries_longer_than_a_window(void **state)
{
	(void)state;
	same_by_two(LONG_ENTRIES);
}

static void what_is_no_entry(void **state)
{
	(void)state;
	same_by_two(DAMAGE);
}

static void a_file_that_ends_in_an_entry(void **state)
{
	(void)state;
	same_by_two(CUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_looks_like_an_entry),
		cmocka_unit_test(entries_longer_than_a_window),
		cmocka_unit_test(what_is_no_entry),
		cmocka_unit_test(a_file_that_ends_in_an_entry),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
