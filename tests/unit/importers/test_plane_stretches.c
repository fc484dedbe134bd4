/* The lines of an XSpace that two threads read in stretches make the trace that one thread makes of them, byte by byte as it is saved,
 * wherever stretches end: in long lines, in many short ones, in events of odd forms, in lines that end in damage. */
#include "importers/source.h"
#include "model/store/saved/save.h"
#include "tests/unit/xspace_write.h"
#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 4 << 20, LONG_EVENTS = 9000, SHORT_LINES = 300 };

static char folder[64];

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/stepscope-plane-XXXXXX");
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
	static char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* ---- what is read ---------------------------------------------------------------------------------------------------- */
/* Bytes of any length, unlike those of xspace_write.h. */
struct text {
	unsigned char *p;
	size_t n;
};

static void append(struct text *t, const void *p, size_t n)
{
	assert_true(t->n + n <= ROOM);
	memcpy(t->p + t->n, p, n);
	t->n += n;
}

static struct text text_new(void)
{
	struct text t = {malloc(ROOM), 0};
	assert_non_null(t.p);
	return t;
}

static void append_message(struct text *t, unsigned field, struct text *inner)
{
	struct bytes head = {0};
	add_varint(&head, field << 3 | 2);
	add_varint(&head, inner->n);
	append(t, head.p, head.n);
	append(t, inner->p, inner->n);
	free(inner->p);
}

/* As most are written; with an odd stat; without metadata; with its name once more, after the stats; of no bytes; none at all. */
static void append_event(struct text *line, int i)
{
	struct bytes e = event_of(1 + i % 3, i * 2000, 1000 + i % 900), field = {0};
	stat_int(&e, 2, i % 50);
	stat_uint(&e, 1, (uint64_t)i);
	if (i % 7 == 0)
		stat_text(&e, 3, i % 2 ? "odd" : "even");
	if (i % 31 == 0)
		stat_int(&e, 90 + i % 4, i);
	if (i % 97 == 0)
		add_number(&e, 1, 1);
	if (i % 501 == 3)
		e.n = 0;
	else if (i % 701 == 5)
		e.p[e.n - 1] |= 0x80;
	add_block(&field, 4, &e);
	append(line, field.p, field.n);
}

static struct text line_with(int id, int events)
{
	struct text l = text_new();
	struct bytes head = line_of(id, "a thread", 1000 + id);
	append(&l, head.p, head.n);
	for (int i = 0; i < events; i++)
		append_event(&l, i + id);
	return l;
}

/* An event larger than a piece, and than most windows. */
static void append_large_event(struct text *line)
{
	struct bytes e = event_of(1, 5, 7), head = {0};
	struct text large = text_new(), stat = text_new(), words = text_new();
	static const char word[] = "0123456789";
	for (int i = 0; i < 10000; i++)
		append(&words, word, 10);
	add_number(&head, 1, 3);
	append(&stat, head.p, head.n);
	append_message(&stat, 5, &words);
	append(&large, e.p, e.n);
	append_message(&large, 4, &stat);
	append_message(line, 4, &large);
}

/* What a line may say behind its events: what it is shown as; a field of a later format; its name once more; all of these. */
static void append_rest(struct text *line, int i)
{
	struct bytes rest = {0};
	if (i % 8 == 1 || i % 8 == 7)
		add_text(&rest, 11, i % 16 == 1 ? "shown as" : "shown otherwise");
	if (i % 8 == 3 || i % 8 == 7)
		add_number(&rest, 14, 5);
	if (i % 8 == 5 || i % 8 == 7)
		add_text(&rest, 2, "renamed");
	if (i % 8 == 6)
		add_number(&rest, 10, 900 - i);
	append(line, rest.p, rest.n);
}

static struct text plane_with_lines(const char *name, bool damaged)
{
	struct text p = text_new(), l = line_with(1, LONG_EVENTS);
	struct bytes head = plane_of(name), names = {0};
	append(&p, head.p, head.n);
	append_large_event(&l);
	if (damaged)
		append(&l, "\x07\x07\x07", 3);
	append_message(&p, 3, &l);
	for (int i = 0; i < SHORT_LINES; i++) {
		l = line_with(2 + i, i % 4 ? i % 30 : 0);
		append_rest(&l, i);
		if (damaged && i % 100 == 50)
			append(&l, "\x07\x07\x07", 3);
		append_message(&p, 3, &l);
	}
	l = line_with(2 + SHORT_LINES, LONG_EVENTS);
	append_message(&p, 3, &l);
	name_event(&names, 1, "first");
	name_event(&names, 2, "second");
	name_stat(&names, 1, "key");
	name_stat(&names, 2, "group_id");
	name_stat(&names, 3, "a text");
	append(&p, names.p, names.n);
	return p;
}

static struct text space_of(bool damaged)
{
	struct text space = text_new(), host = plane_with_lines("/host:CPU", damaged),
		    device = plane_with_lines("/device:GPU:0", false);
	append_message(&space, 1, &host);
	append_message(&space, 1, &device);
	return space;
}

/* ---- what is made of it ---------------------------------------------------------------------------------------------- */
/* As a saved file. */
static struct text saved(struct source *src, unsigned threads, size_t window)
{
	struct text t = text_new();
	struct ingest *in = ingest_new();
	struct err e = {0};
	source_set_window(src, window);
	source_set_threads(src, threads);
	ingest_threads(in, threads);
	ingest_source(in, "worker.xplane.pb", "xspace");
	if (!importer_xspace.load(src, in, NULL, &e))
		fail_msg("refused: %s", e.msg);
	struct trace *made = ingest_seal(in, &e);
	assert_non_null(made);
	assert_true(notes_balance(trace_notes(made)));
	assert_true(trace_columns(made)->n > 2 * 2 * (LONG_EVENTS - 100));
	assert_true(trace_save(made, in_folder("saved.stepscope"), OUTPUT_FORCE, &e));
	trace_free(made);
	source_close(src);
	FILE *f = fopen(in_folder("saved.stepscope"), "r");
	assert_non_null(f);
	t.n = fread(t.p, 1, ROOM, f);
	fclose(f);
	return t;
}

static struct source *in_file(const struct text *space)
{
	struct err e = {0};
	FILE *f = fopen(in_folder("worker.xplane.pb"), "w");
	assert_non_null(f);
	assert_int_equal(fwrite(space->p, 1, space->n, f), space->n);
	fclose(f);
	struct source *s = source_open(in_folder("worker.xplane.pb"), NULL, &e);
	assert_non_null(s);
	assert_true(source_file(s) >= 0);
	return s;
}

static struct source *in_memory(const struct text *space)
{
	return source_memory(space->p, space->n, "worker.xplane.pb");
}

static void same_by_two(struct source *(*source)(const struct text *space), bool damaged)
{
	static const size_t windows[] = {1, 1000, 4096, 30000, 1 << 20};
	struct text space = space_of(damaged);
	assert_true(space.n > 20 * 30000);
	struct text alone = saved(source(&space), 1, 1 << 20);
	for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
		for (unsigned threads = 1; threads <= 2; threads++) {
			struct text other = saved(source(&space), threads, windows[i]);
			assert_int_equal(alone.n, other.n);
			assert_memory_equal(alone.p, other.p, alone.n);
			free(other.p);
		}
	free(alone.p);
	free(space.p);
}

static void lines_of_a_file(void **state)
{
	(void)state;
	same_by_two(in_file, false);
}

static void lines_held_in_memory(void **state)
{
	(void)state;
	same_by_two(in_memory, false);
}

static void lines_that_end_in_damage(void **state)
{
	(void)state;
	same_by_two(in_file, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_a_file),
		cmocka_unit_test(lines_held_in_memory),
		cmocka_unit_test(lines_that_end_in_damage),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
