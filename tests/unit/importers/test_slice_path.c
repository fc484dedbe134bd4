/* Events of any layout are learned, and read as they are where nothing can be learned; a layout with many ways settles. */
#include "importers/chrome/entry.h"
#include "importers/source.h"
#include "tests/unit/chrome_read.h"
#include <stdlib.h>

/* Each with a time, a thread, a number and blanks; each %s: blanks that differ from entry to entry, or none. */
static const char *const layouts[] = {
	"{%s\"cat\":\"cc,gpu\",\"pid\":%d,\"tid\":7,\"ts\":%d.25,\"ph\":\"X\",\"name\":\"Paint "
	"%d\",\"args\":{\"class\":%d},\"dur\":3,\"tdur\":2,\"tts\":9}",
	"{%s\"name\":\"call\",\"pid\":%d,\"args\":{},\"ts\":%d,\"tid\":\"%d\",\"ph\":\"B\",\"x\":%d}",
	"{%s\"name\":\"\",\"pid\":%d,\"args\":{\"a\":null},\"ts\":%d,\"tid\":\"%d\",\"ph\":\"E\",\"x\":%d}",
	"{%s\"ph\":\"i\",\"pid\":%d,\"ts\":%d,\"name\":\"instant\",\"tid\":%d,\"s\":\"p\",\"args\":{\"src_func\":\"On%"
	"d\"}}",
	"{%s\"ph\":\"b\",\"cat\":\"net\",\"pid\":%d,\"ts\":%d,\"tid\":1,\"id\":\"0x%x\",\"name\":\"request\",\"args\":{"
	"\"n\":%d}}",
	"{%s\"ph\":\"e\",\"cat\":\"net\",\"pid\":%d,\"ts\":%d,\"tid\":1,\"id\":\"0x%x\",\"name\":\"request\",\"n\":%d}",
	"{%s\"ts\":%d,\"dur\":%d,\"ph\":\"X\",\"name\":\"no ids "
	"%d\",\"args\":{\"tf_op\":\"a/b:MatMul\",\"step_num\":%d}}",
	"{%s\"cat\":\"kernel\",\"pid\":%d,\"ts\":-%d,\"ph\":\"X\",\"name\":\"\\u00e9 "
	"%d\",\"dur\":1,\"tid\":2,\"tid\":%d}",
	"{%s\"cat\":\"kernel\",\"pid\":%d,\"ts\":%d,\"ph\":\"X\",\"name\":\"kernel of a host "
	"%d\",\"dur\":1,\"tid\":%d}",
	"{%s\"cat\":\"memory\",\"pid\":%d,\"ts\":%d,\"ph\":\"X\",\"name\":\"[memory]\",\"dur\":\"%d\",\"tid\":3,\"bp\":"
	"\"e\",\"y\":[%d]}",
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], ENTRIES = 900 };

/* apart: no entry is laid out like another one. */
static char *written(bool apart)
{
	char *text, blanks[64];
	size_t n;
	FILE *f = open_memstream(&text, &n);
	fputs("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":3,\"args\":{\"name\":\"renderer\"}}",
	      f);
	for (int i = 0; i < ENTRIES; i++) {
		const char *layout = layouts[(i * 5 + i / 7) % LAYOUTS];
		/* a run of blanks of its own length and kinds: texts of more than STEP_TEXT bytes are never learned */
		snprintf(blanks, sizeof blanks, "%*s", apart ? 60 : 0, "");
		for (int k = 0; apart && k < 10; k++)
			blanks[k] = i >> k & 1 ? '\t' : ' ';
		fputc(',', f);
		fprintf(f, layout, blanks, i % 5, 100 + i * 4, i % 11, i % 3);
	}
	fputs("]}", f);
	fclose(f);
	return text;
}

static void assert_same_attrs(const struct trace *x, const struct trace *y, row_id r)
{
	struct arena mem = {0};
	struct attr *a, *b;
	size_t n, m;
	attrs_read(trace_attrs(x), number_at(trace_columns(x)->attrs, r), &mem, &a, &n);
	attrs_read(trace_attrs(y), number_at(trace_columns(y)->attrs, r), &mem, &b, &m);
	assert_int_equal(n, m);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(trace_str(x, a[i].key), trace_str(y, b[i].key));
		assert_string_equal(attr_text(&a[i], trace_strings(x), &mem), attr_text(&b[i], trace_strings(y), &mem));
	}
	arena_free(&mem);
}

static void what_is_learned_reads_as_what_is_not(void **state)
{
	(void)state;
	struct err e = {0};
	char *alike = written(false), *apart = written(true), label[2][96];
	struct trace *x = chrome_read_bytes(alike, strlen(alike), "t.json", 0, &e);
	struct trace *y = chrome_read_bytes(apart, strlen(apart), "t.json", 0, &e);
	assert_non_null(x);
	assert_non_null(y);
	const struct columns *c = trace_columns(x), *d = trace_columns(y);
	assert_int_equal(c->n, d->n);
	assert_true(c->n > ENTRIES / 2);
	for (row_id r = 0; r < c->n; r++) {
		assert_int_equal(c->start_ns[r], d->start_ns[r]);
		assert_int_equal(c->dur_ns[r], d->dur_ns[r]);
		assert_int_equal(c->kind[r], d->kind[r]);
		assert_int_equal(c->detail[r], d->detail[r]);
		assert_string_equal(trace_str(x, c->name[r]), trace_str(y, d->name[r]));
		assert_string_equal(trace_track_label(x, c->track[r], label[0], sizeof label[0]),
				    trace_track_label(y, d->track[r], label[1], sizeof label[1]));
		assert_same_attrs(x, y, r);
	}
	for (int i = 0; i < NOTE_COUNT; i++)
		assert_int_equal(noted(x, (enum note_id)i), noted(y, (enum note_id)i));
	trace_free(x);
	trace_free(y);
	free(alike);
	free(apart);
}

static void a_host_event_of_a_learned_layout_keeps_its_facts(void **state)
{
	(void)state;
#define CALL(ts)                                                                                          \
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"record_param_comms\",\"pid\":1,\"tid\":1,\"ts\":" ts \
	",\"dur\":2,\"args\":{\"External id\":1,\"Collective name\":\"allreduce\"}}"
	struct trace *t =
		chrome_read("{\"traceEvents\":[" CALL("10") "," CALL("20") "," CALL("30") "," CALL("40") "]}");
#undef CALL
	const void *rows;
	assert_int_equal(trace_columns(t)->n, 4);
	assert_int_equal(trace_side_rows(t, SIDE_COLLECTIVES, &rows), 4);
	trace_free(t);
}

/* Counters of one name and series, and async events of one category, of several processes, threads and ids in turn. */
static void series_and_lanes_of_one_name_stay_those_of_their_processes(void **state)
{
	(void)state;
	enum { PROCESSES = 5, ROUNDS = 40 };
	char *text;
	size_t n;
	const struct sample *samples;
	FILE *f = open_memstream(&text, &n);
	fputs("[", f);
	for (int i = 0; i < ROUNDS * PROCESSES; i++) {
		int pid = i % PROCESSES;
		fprintf(f,
			"{\"ph\":\"C\",\"name\":\"load\",\"pid\":%d,\"ts\":%d,\"args\":{\"cpu\":%d,\"g\\u0070u\":%d}},",
			pid, i, pid, 10 + pid);
		fprintf(f, "{\"ph\":\"C\",\"name\":\"load\",\"id\":7,\"pid\":%d,\"ts\":%d,\"args\":{\"cpu\":%d}},", pid,
			i, 20 + pid);
		for (int end = 0; end < 2; end++)
			fprintf(f,
				"{\"ph\":\"%c\",\"cat\":\"net\",\"name\":\"get\",\"id\":\"0x%X\",\"pid\":%d,\"ts\":%d}"
				",",
				"be"[end], 0xAB00 + i, pid, i * 2 + end);
	}
	fputs("{}]", f);
	fclose(f);
	struct trace *t = chrome_read(text);
	assert_int_equal(trace_tracks(t), 4 * PROCESSES);
	assert_int_equal(trace_columns(t)->n, ROUNDS * PROCESSES);
	for (uint32_t x = 0; x < trace_tracks(t); x++) {
		uint64_t own = trace_samples(t, x, &samples);
		assert_int_equal(own + trace_track(t, x)->n, ROUNDS);
		for (uint64_t i = 1; i < own; i++)
			assert_true(samples[i].value == samples[0].value);
	}
	trace_free(t);
	free(text);
}

/* How many steps are learned while the entry is scanned. */
static size_t learned(struct scanner *s, struct batch *b, const char *entry)
{
	char window[512 + SOURCE_PAD] = {0};
	enum fault why;
	size_t n = strlen(entry), before = s->layout.n + s->layout.forgotten * STEPS;
	memcpy(window, entry, n);
	assert_non_null(entry_scan(s, b, window, window + n, 0, &why));
	batch_clear(b);
	return s->layout.n + s->layout.forgotten * STEPS - before;
}

/* Threads, processes and categories change from entry to entry, the order of the members, too. */
static size_t learned_in_a_round(struct scanner *s, struct batch *b)
{
	static const char *const orders[] = {
		"{\"cat\":\"c%1$d\",\"pid\":%2$d,\"tid\":%3$d,\"ts\":17,\"ph\":\"X\",\"name\":"
		"\"n\",\"args\":{\"a%4$d\":1},\"dur\":2}",
		"{\"pid\":%2$d,\"tid\":%3$d,\"ts\":17,\"ph\":\"X\",\"cat\":\"c%1$d\","
		"\"name\":\"n\",\"args\":{},\"dur\":2,\"tts\":3}",
		"{\"name\":\"n\",\"args\":{\"b%4$d\":2},\"pid\":%2$d,\"ts\":17,\"dur\":1,"
		"\"cat\":\"c%1$d\",\"tid\":%3$d,\"ph\":\"B\"}"};
	char entry[512];
	size_t n = 0;
	uint32_t x = 1;
	for (int i = 0; i < 20000; i++) {
		x = x * 1664525 + 1013904223;
		snprintf(entry, sizeof entry, orders[i % 3], x >> 28, x >> 26 & 3, x >> 20 & 31, x >> 16 & 7);
		n += learned(s, b, entry);
	}
	return n;
}

static void many_threads_and_categories_settle(void **state)
{
	(void)state;
	struct scanner s = {0};
	struct batch *b = calloc(1, sizeof *b);
	layout_init(&s.layout);
	for (int round = 0; round < 6; round++)
		learned_in_a_round(&s, b);
	assert_true(s.layout.forgotten >= 1);
	assert_int_equal(learned_in_a_round(&s, b), 0);
	batch_free(b);
	free(b);
	layout_free(&s.layout);
}

/* Names that are nearly all different are hashed before they are sought. Told twice, escaped, empty, repeated, absent or no text:
 * each event has the name it was given, with one thread and with two. */
enum { NAMED = 12000, NAME_WAYS = 9 };

static int put_named(char *to, size_t room, int i)
{
	static const char *const forms[NAME_WAYS] = {
		"\"name\":\"first %d\",\"name\":\"n%d\",",
		"\"name\":\"\\u006e%d\",",
		"\"name\":\"\",",
		"\"name\":\"one of all\",",
		"",
		"\"name\":%d,",
		"\"name\":\"n%d\",",
		"\"name\":\"a longer name, as of a file: some/path/to/it%d.c\",",
		"\"name\":\"n%d\",",
	};
	int n = snprintf(to, room, "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%d,\"dur\":1,", 10 * i);
	n += snprintf(to + n, room - (size_t)n, forms[i % NAME_WAYS], i, i);
	return n + snprintf(to + n, room - (size_t)n, "\"args\":{}},\n");
}

static void check_name(const char *name, int i)
{
	static const char *const want[NAME_WAYS] = {
		"n%d", "n%d", "", "one of all", "", "%d", "n%d", "a longer name, as of a file: some/path/to/it%d.c",
		"n%d"};
	char text[128];
	snprintf(text, sizeof text, want[i % NAME_WAYS], i);
	assert_string_equal(name, text);
}

static void names_that_are_all_different_stay_theirs(void **state)
{
	(void)state;
	size_t n = 1, room = NAMED * 160 + 64;
	char *json = malloc(room);
	json[0] = '[';
	for (int i = 0; i < NAMED; i++)
		n += (size_t)put_named(json + n, room - n, i);
	n += (size_t)snprintf(json + n, room - n, "{}]");
	for (int threads = 1; threads <= 2; threads++) {
		struct err e = {0};
		struct trace *t = chrome_read_bytes(json, n, "made.json", threads == 1 ? 0 : 1 << 16, &e);
		const struct columns *c = trace_columns(t);
		assert_int_equal(c->n, NAMED);
		for (int i = 0; i < NAMED; i++)
			check_name(trace_str(t, c->name[i]), i);
		trace_free(t);
	}
	free(json);
}

/* Clang's totals, which an event of such a name is not, and collectives on the host, which other async events are not. */
static void what_only_arguments_tell_is_told_of_each_entry(void **state)
{
	(void)state;
	enum { ROUNDS = 60, TOTALS = 1000, OTHERS = 2000 }; /* tids from there on */
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	fputs("[", f);
	for (int i = 0; i < ROUNDS; i++) {
		fprintf(f, "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":0,\"dur\":5,\"name\":\"Total mine\"},",
			OTHERS + i);
		fprintf(f, "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":0,\"dur\":9,\"name\":\"Total Frontend\",",
			TOTALS + i);
		fprintf(f, "\"args\":{\"count\":%d,\"avg ms\":3}},", i);
		fprintf(f, "{\"ph\":\"b\",\"cat\":\"COLL\",\"pid\":1,\"ts\":%d,\"id\":%d,\"name\":\"AllReduce\",",
			i * 9, i);
		fprintf(f, "\"args\":{\"CommHash\":%d}},", i);
		fprintf(f, "{\"ph\":\"e\",\"cat\":\"COLL\",\"pid\":1,\"ts\":%d,\"id\":%d,\"name\":\"AllReduce\"},",
			i * 9 + 4, i);
	}
	fputs("{}]", f);
	fclose(f);
	struct trace *t = chrome_read(text);
	const struct columns *c = trace_columns(t);
	assert_int_equal(c->n, 3 * ROUNDS);
	assert_int_equal(noted(t, NOTE_COLLECTIVE_ON_HOST), ROUNDS);
	for (row_id r = 0; r < c->n; r++) {
		const struct track_info *k = trace_track(t, c->track[r]);
		bool total = strcmp(trace_str(t, c->name[r]), "Total Frontend") == 0;
		assert_int_equal(k->kind == TRACK_OTHER && k->derived_by_producer, total);
	}
	trace_free(t);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_arguments_tell_is_told_of_each_entry),
		cmocka_unit_test(what_is_learned_reads_as_what_is_not),
		cmocka_unit_test(a_host_event_of_a_learned_layout_keeps_its_facts),
		cmocka_unit_test(series_and_lanes_of_one_name_stay_those_of_their_processes),
		cmocka_unit_test(many_threads_and_categories_settle),
		cmocka_unit_test(names_that_are_all_different_stay_theirs),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
