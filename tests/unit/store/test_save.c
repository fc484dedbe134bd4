/* A trace saved and loaded is the same trace, whatever it holds, and its file is large enough for what it may unpack to. */
#include "saved_trace.h"
#include <pthread.h>
#include <sys/stat.h>

static void same_rows(const struct trace *x, const struct trace *y)
{
	const struct columns *a = trace_columns(x), *b = trace_columns(y);
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->start_ns, b->start_ns, a->n * 8);
	assert_memory_equal(a->dur_ns, b->dur_ns, a->n * 8);
	assert_memory_equal(a->name, b->name, a->n * 4);
	assert_memory_equal(a->track, b->track, a->n * 4);
	assert_memory_equal(a->kind, b->kind, a->n);
	assert_memory_equal(a->depth, b->depth, a->n * 2);
	assert_memory_equal(a->disp, b->disp, a->n * 2);
	for (uint64_t r = 0; r < a->n; r++)
		assert_true(number_at(a->corr, (row_id)r) == number_at(b->corr, (row_id)r) &&
			    step_group_at(a->group, (row_id)r) == step_group_at(b->group, (row_id)r));
	assert_memory_equal(a->link, b->link, a->n * 4);
	assert_memory_equal(a->detail, b->detail, a->n * 4);
}

static void same_attributes(const struct trace *x, const struct trace *y)
{
	struct arena mem = {0};
	for (uint64_t r = 0; r < trace_columns(x)->n; r++) {
		struct attr *a, *b;
		size_t n, m;
		assert_true(attrs_read(trace_attrs(x), number_at(trace_columns(x)->attrs, r), &mem, &a, &n));
		assert_true(attrs_read(trace_attrs(y), number_at(trace_columns(y)->attrs, r), &mem, &b, &m));
		assert_int_equal(n, m);
		assert_int_equal(a[0].i, b[0].i);
	}
	arena_free(&mem);
}

static void what_is_saved_comes_back(void **state)
{
	(void)state;
	struct trace *t = made_up(1, 30000);
	struct err e;
	assert_true(trace_save(t, path, OUTPUT_FORCE, &e));
	struct trace *u = trace_load(path, 1, NULL, &e);
	assert_non_null(u);
	same_rows(t, u);
	same_attributes(t, u);
	assert_int_equal(trace_span_ns(t), trace_span_ns(u));
	assert_int_equal(trace_epoch_ns(t), trace_epoch_ns(u));
	assert_string_equal(trace_source(u, 0).path, "some/file.json");
	assert_memory_equal(trace_notes(t)->at, trace_notes(u)->at, sizeof trace_notes(t)->at);
	assert_true(notes_balance(trace_notes(u)));
	const struct flow *f, *g;
	assert_int_equal(trace_flows(t, &f), trace_flows(u, &g));
	const row_id *rows, *again;
	for (row_id r = 0; r < trace_columns(t)->n; r++) {
		uint32_t n = trace_launched(t, r, &rows);
		assert_int_equal(n, trace_launched(u, r, &again));
		if (n)
			assert_memory_equal(rows, again, n * sizeof *rows);
	}
	trace_free(t);
	trace_free(u);
}

/* cmocka speaks for one thread only: the others count. */
struct asking {
	const struct trace *was, *is;
	uint64_t wrong;
};

static void *ask_for_all(void *ctx)
{
	struct asking *a = ctx;
	const struct columns *was = trace_columns(a->was), *is = trace_columns(a->is);
	const struct flow *f, *g;
	a->wrong += trace_flows(a->was, &f) != trace_flows(a->is, &g);
	for (row_id r = 0; r < was->n; r++) {
		a->wrong += number_at(was->corr, r) != number_at(is->corr, r);
		a->wrong += number_at(was->attrs, r) != number_at(is->attrs, r);
		a->wrong += !trace_kernel(a->was, r) != !trace_kernel(a->is, r);
		a->wrong += !trace_kernel_with_op(a->was, r) != !trace_kernel_with_op(a->is, r);
	}
	return NULL;
}

/* What a loaded trace unpacks late comes whole to each of those who ask for it at once. */
static void two_threads_may_ask_for_what_comes_late(void **state)
{
	(void)state;
	struct trace *t = made_up(6, 200000);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 2, NULL, NULL);
	assert_non_null(u);
	struct asking here = {t, u, 0}, there = {t, u, 0};
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, ask_for_all, &there), 0);
	ask_for_all(&here);
	pthread_join(thread, NULL);
	assert_int_equal(here.wrong + there.wrong, 0);
	trace_free(t);
	trace_free(u);
}

static void many_different_kernels_come_back(void **state)
{
	(void)state;
	save_kernels();
	struct trace *t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	assert_false(trace_kernels_may_tell_module(t));
	assert_int_equal(trace_kernel(t, KERNELS - 1)->grid[0], KERNELS - 1);
	trace_check_rest(t);
	assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 0);
	/* who asks for one gets its piece, and a check keeps none */
	enum { PIECES = CODEC_CHUNK >> LAZY_KERNELS_SHIFT, LAST = KERNELS >> LAZY_KERNELS_SHIFT };
	for (uint32_t piece = 0; piece <= LAST; piece++)
		assert_int_equal(atomic_load(&t->lazy->kernels_made)[piece], piece == LAST);
	/* and who comes back to a chunk of the file all that it holds */
	assert_int_equal(trace_kernel(t, 70000)->grid[0], 70000);
	assert_int_equal(trace_kernel(t, 5)->grid[0], 5);
	assert_int_equal(trace_kernel(t, 90000)->grid[0], 90000);
	for (uint32_t piece = 0; piece <= LAST; piece++)
		assert_int_equal(atomic_load(&t->lazy->kernels_made)[piece],
				 piece == 0 || piece / PIECES == 1 || piece == LAST);
	for (row_id r = 0; r < KERNELS; r++)
		assert_int_equal(trace_kernel(t, r)->grid[0], r);
	assert_true(atomic_load(&t->lazy->done[LAZY_KERNELS]));
	trace_free(t);
}

/* Of a window its own pieces, whichever come first in the file, and nothing else. */
static void kernels_of_a_window_come_alone(void **state)
{
	(void)state;
	enum { FIRST = 65000, LAST = 66500 };
	save_kernels();
	struct trace *t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	trace_kernels_want(t, FIRST * 10, LAST * 10 + 1);
	/* facts of row r stand after those of none */
	for (uint32_t piece = 0; piece <= KERNELS >> LAZY_KERNELS_SHIFT; piece++)
		assert_int_equal(atomic_load(&t->lazy->kernels_made)[piece],
				 piece >= (FIRST + 1) >> LAZY_KERNELS_SHIFT &&
					 piece <= (LAST + 1) >> LAZY_KERNELS_SHIFT);
	trace_kernels_want(t, 0, KERNELS * 10);
	assert_true(atomic_load(&t->lazy->done[LAZY_KERNELS]));
	for (row_id r = 0; r < KERNELS; r++)
		assert_int_equal(trace_kernel(t, r)->grid[0], r);
	trace_free(t);
}

static void what_a_source_promises_comes_back(void **state)
{
	(void)state;
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.new", "new");
	ingest_promise(in, SOURCE_OP_PATHS | SOURCE_EDGES, "a new profiler");
	ingest_source(in, "some/other.new", "chrome");
	ingest_promise(in, SOURCE_PROFILER, NULL); /* not what files of old promise by the format's name */
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 1, NULL, NULL);
	assert_non_null(u);
	assert_int_equal(trace_sources(u), 2);
	assert_int_equal(trace_source(u, 0).traits, SOURCE_OP_PATHS | SOURCE_EDGES);
	assert_string_equal(trace_source(u, 0).producer, "a new profiler");
	assert_int_equal(trace_source(u, 1).traits, SOURCE_PROFILER);
	assert_null(trace_source(u, 1).producer);
	assert_int_equal(trace_traits(u), SOURCE_PROFILER | SOURCE_OP_PATHS | SOURCE_EDGES);
	trace_free(t);
	trace_free(u);
}

/* Deeper than a display row can be numbered: the rows beyond share the last one. */
static void calls_nested_without_end_come_back(void **state)
{
	(void)state;
	enum { CALLS = 70000 };
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	for (int i = 0; i < CALLS; i++) {
		struct event_in e = {.start_ns = i, .dur_ns = 3 * CALLS - 2 * i, .track = track, .group = -1};
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 1, NULL, NULL);
	assert_non_null(u);
	assert_int_equal(trace_columns(u)->n, CALLS);
	assert_memory_equal(trace_columns(t)->disp, trace_columns(u)->disp, CALLS * 2);
	trace_free(t);
	trace_free(u);
}

/* The bytes of all texts are unpacked a piece at a time: texts lie across the borders, and one is longer than several pieces. */
static void texts_of_any_length_come_back(void **state)
{
	(void)state;
	enum { TEXTS = 300, LONG = 2 * CODEC_PIECE + 5 };
	static char text[LONG];
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	for (int i = 0; i < TEXTS; i++) {
		size_t n = i == TEXTS / 2 ? LONG : (size_t)(1 + i * 50);
		memset(text, 'a' + i % 26, n);
		struct event_in e = {.start_ns = i * 10, .dur_ns = 5, .track = track, .group = -1};
		e.name = strings_add(ingest_strings(in), text, n);
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 1, NULL, NULL);
	assert_non_null(u);
	assert_int_equal(strings_count(trace_strings(t)), strings_count(trace_strings(u)));
	for (str_id i = 0; i < strings_count(trace_strings(t)); i++)
		assert_string_equal(trace_str(t, i), trace_str(u, i));
	trace_free(t);
	trace_free(u);
}

static void an_existing_file_is_kept(void **state)
{
	(void)state;
	struct trace *t = made_up(2, 10);
	struct err e;
	assert_true(trace_save(t, path, OUTPUT_FORCE, &e));
	assert_false(trace_save(t, path, 0, &e));
	assert_non_null(strstr(e.msg, "--force"));
	trace_free(t);
}

/* ---- how much a file may unpack to -------------------------------------------------------------------------------- */

static struct save_section made_section(const char *name, uint32_t size, uint64_t count)
{
	struct save_section s = {.size = size, .count = count};
	snprintf(s.name, sizeof s.name, "%s", name);
	return s;
}

static void a_file_needs_bytes_for_what_it_holds(void **state)
{
	(void)state;
	struct save_section s[] = {made_section("kind", 1, 10000000), made_section("start_ns", 8, 10000000)};
	assert_int_equal(save_least_bytes(s, 2), 0); /* ten million events may be in any file */
	s[0].count = s[1].count = UINT64_C(100000000);
	assert_in_range(save_least_bytes(s, 2), 11000000, 12000000);
	s[0].count = UINT32_MAX;
	assert_true(save_least_bytes(s, 2) == UINT64_MAX);
	s[0] = made_section("samples", 16, 1000);
	assert_int_equal(save_least_bytes(s, 1), 0);
	s[0].count = UINT64_C(1) << 61;
	assert_true(save_least_bytes(s, 1) == UINT64_MAX);
	s[0] = made_section("string_bytes", 1, UINT64_C(3) << 30);
	assert_in_range(save_least_bytes(s, 1), 90 << 20, 100 << 20);
	s[0] = made_section("of a later version", 8, UINT64_C(1) << 60); /* is not unpacked */
	assert_int_equal(save_least_bytes(s, 1), 0);
}

static void events_that_are_all_alike_come_back(void **state)
{
	(void)state;
	enum { EVENTS = 1 << 20 };
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	struct event_in e = {.dur_ns = 5, .track = track, .group = -1};
	for (int i = 0; i < EVENTS; i++) {
		e.start_ns = i * 10;
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	assert_int_equal(trace_columns(t)->n, EVENTS);
	trace_free(t);
}

/* What packs better than a file may gets zeros, so that it opens again. */
static void a_file_that_packs_too_well_is_padded(void **state)
{
	(void)state;
	enum { SAMPLES = 6000000 };
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t power = ingest_track(in, TRACK_COUNTER, process, 0, strings_addz(ingest_strings(in), "power"));
	for (int i = 0; i < SAMPLES; i++)
		ingest_sample(in, power, 1000, 1);
	struct trace *t = ingest_seal(in, NULL);
	assert_non_null(t);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	uint64_t above = SAMPLES * sizeof(struct sample) - SAVE_ANY_BYTES;
	assert_in_range((uint64_t)st.st_size, above / SAVE_TIMES_STORED, above / SAVE_TIMES_STORED + 16384);
	struct err e = {0};
	t = trace_load(path, 1, NULL, &e);
	assert_string_equal(e.msg, "");
	assert_non_null(t);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_saved_comes_back),
		cmocka_unit_test(two_threads_may_ask_for_what_comes_late),
		cmocka_unit_test(many_different_kernels_come_back),
		cmocka_unit_test(kernels_of_a_window_come_alone),
		cmocka_unit_test(what_a_source_promises_comes_back),
		cmocka_unit_test(calls_nested_without_end_come_back),
		cmocka_unit_test(texts_of_any_length_come_back),
		cmocka_unit_test(an_existing_file_is_kept),
		cmocka_unit_test(a_file_needs_bytes_for_what_it_holds),
		cmocka_unit_test(events_that_are_all_alike_come_back),
		cmocka_unit_test(a_file_that_packs_too_well_is_padded),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("save", tests, saved_begin, saved_end);
}
