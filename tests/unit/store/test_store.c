/* The store: what goes in comes out sorted, nested, paired and linked. */
#include "store_world.h"

static uint32_t track_of(const struct trace *t, enum track_kind kind)
{
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == kind)
			return i;
	fail_msg("no such track");
	return 0;
}

/* "name depth disp" of every row, in order */
static void expect_rows(const struct trace *t, const char *expected)
{
	char text[2000] = "", line[100];
	const struct columns *c = trace_columns(t);
	for (row_id r = 0; r < c->n; r++) {
		snprintf(line, sizeof line, "%s @%lld+%lld d%u r%u\n", trace_str(t, c->name[r]),
			 (long long)c->start_ns[r], (long long)c->dur_ns[r], c->depth[r], c->disp[r]);
		strncat(text, line, sizeof text - strlen(text) - 1);
	}
	assert_string_equal(text, expected);
}

static void rows_are_sorted_nested_and_relative(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.thread, KIND_OP, "inner", 1010, 20, 0);
	add(&w, w.thread, KIND_OP, "outer", 1000, 100, 0);
	add(&w, w.thread, KIND_OP, "deep", 1010, 5, 0);
	add(&w, w.thread, KIND_OP, "touching", 1100, 10, 0);
	struct trace *t = seal(&w);
	expect_rows(t, "outer @0+100 d0 r0\ninner @10+20 d1 r1\ndeep @10+5 d2 r2\ntouching @100+10 d0 r0\n");
	assert_int_equal(trace_base_ns(t), 1000);
	assert_int_equal(trace_span_ns(t), 110);
	assert_int_equal(trace_parent(t, 2), 1);
	assert_int_equal(trace_parent(t, 0), NONE_ID);
	assert_int_equal(trace_innermost(t, 0, 12), 2);
	assert_int_equal(trace_innermost(t, 0, 20), 1);
	assert_int_equal(trace_innermost(t, 0, 110), NONE_ID);
	trace_free(t);
}

static void partial_overlap_goes_to_an_overflow_row(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.stream, KIND_KERNEL, "a", 0, 10, 0);
	add(&w, w.stream, KIND_KERNEL, "b", 5, 10, 0);
	add(&w, w.stream, KIND_KERNEL, "c", 6, 2, 0);
	struct trace *t = seal(&w);
	expect_rows(t, "a @0+10 d0 r0\nb @5+10 d0 r2\nc @6+2 d1 r1\n");
	assert_int_equal(trace_track(t, 0)->n_rows, 3);
	assert_int_equal(trace_track(t, 0)->overlaps, 1);
	assert_int_equal(trace_notes(t)->at[NOTE_OVERLAP].count, 1);
	trace_free(t);
}

static void instants_hold_nothing(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.thread, KIND_INSTANT, "i", 5, 0, 0);
	add(&w, w.thread, KIND_OP, "op", 5, 10, 0);
	add(&w, w.thread, KIND_INSTANT, "j", 15, 0, 0);
	struct trace *t = seal(&w);
	expect_rows(t, "op @0+10 d0 r0\ni @0+0 d1 r1\nj @10+0 d0 r0\n");
	trace_free(t);
}

static void begins_and_ends_pair_by_time(void **state)
{
	(void)state;
	struct world w = world_new();
	point(&w, 'E', 0, w.thread, "", 30);
	point(&w, 'B', 0, w.thread, "outer", 0);
	point(&w, 'B', 0, w.thread, "inner", 10);
	point(&w, 'E', 0, w.thread, "inner", 20);
	point(&w, 'E', 0, w.thread, "lonely", 40);
	point(&w, 'B', 0, w.thread, "open", 35);
	point(&w, 'B', 0, w.thread, "open2", 36);
	struct trace *t = seal(&w);
	expect_rows(t, "outer @0+30 d0 r0\ninner @10+10 d1 r1\nopen @35+5 d0 r0\nopen2 @36+4 d1 r1\n");
	const struct notes *n = trace_notes(t);
	assert_int_equal(n->at[NOTE_END_WITHOUT_BEGIN].count, 0);
	assert_int_equal(n->at[NOTE_BEGIN_WITHOUT_END].count, 1);
	assert_int_equal(n->at[NOTE_END_NAME_DIFFERS].count, 1);
	trace_free(t);
}

static void async_points_pair_by_id(void **state)
{
	(void)state;
	struct world w = world_new();
	uint32_t lane = ingest_track(w.in, TRACK_ASYNC, w.process, 0, strings_addz(ingest_strings(w.in), "io"));
	point(&w, 'b', 1, lane, "read", 0);
	point(&w, 'b', 2, lane, "read", 5);
	point(&w, 'n', 2, lane, "half", 7);
	point(&w, 'e', 1, lane, "read", 10);
	point(&w, 'e', 2, lane, "read", 20);
	point(&w, 'e', 3, lane, "read", 20);
	struct trace *t = seal(&w);
	expect_rows(t, "read @0+10 d0 r0\nread @5+15 d0 r2\nhalf @7+0 d1 r1\n");
	assert_int_equal(trace_notes(t)->at[NOTE_ASYNC_END_WITHOUT_BEGIN].count, 1);
	assert_int_equal(trace_notes(t)->at[NOTE_OVERLAP].count, 0);
	trace_free(t);
}

static void one_launch_owns_many_kernels(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.stream, KIND_KERNEL, "k2", 200, 10, 42);
	add(&w, w.stream, KIND_KERNEL, "k1", 100, 10, 42);
	add(&w, w.stream, KIND_KERNEL, "none", 300, 10, 0);
	add(&w, w.stream, KIND_KERNEL, "lost", 400, 10, UINT64_MAX - 1);
	add(&w, w.thread, KIND_RUNTIME, "cudaGraphLaunch", 50, 5, 42);
	struct trace *t = seal(&w);
	const row_id *rows;
	row_id launch = NONE_ID;
	for (row_id r = 0; r < 5; r++)
		if (trace_columns(t)->kind[r] == KIND_RUNTIME)
			launch = r;
	assert_int_equal(trace_launched(t, launch, &rows), 2);
	assert_string_equal(trace_str(t, trace_columns(t)->name[rows[0]]), "k1");
	assert_int_equal(trace_columns(t)->link[rows[1]], launch);
	assert_int_equal(trace_columns(t)->link[launch], rows[0]);
	assert_int_equal(trace_notes(t)->at[NOTE_KERNEL_NO_LAUNCH].count, 2);
	trace_free(t);
}

static void same_correlation_on_two_hosts_does_not_mix(void **state)
{
	(void)state;
	struct world w = world_new();
	uint32_t host2 = ingest_host(w.in, "other", 1), dev2 = ingest_device(w.in, host2, 0);
	uint32_t stream2 = ingest_track(w.in, TRACK_STREAM, dev2, 7, 0);
	add(&w, w.thread, KIND_RUNTIME, "cudaLaunchKernel", 0, 5, 1);
	add(&w, stream2, KIND_KERNEL, "k", 10, 5, 1);
	struct trace *t = seal(&w);
	assert_int_equal(trace_notes(t)->at[NOTE_KERNEL_NO_LAUNCH].count, 1);
	trace_free(t);
}

/* What pairing, nesting and linking find, when all files are read, is noted of the file it was found in; of none where several make
 * up the host. */
static void what_is_found_at_the_end_is_noted_of_its_file(void **state)
{
	(void)state;
	for (int several = 0; several < 2; several++) {
		struct world w = world_new();
		add(&w, w.thread, KIND_OP, "op", 0, 10, 0);
		ingest_source(w.in, "run/2", "test");
		uint32_t host2 = ingest_host(w.in, "other", 1), dev2 = ingest_device(w.in, host2, 0);
		uint32_t stream2 = ingest_track(w.in, TRACK_STREAM, dev2, 7, 0);
		uint32_t thread2 = ingest_track(w.in, TRACK_THREAD, ingest_process(w.in, host2, 1), 2, 0);
		add(&w, stream2, KIND_KERNEL, "k", 100, 50, 0);
		add(&w, stream2, KIND_KERNEL, "k", 120, 50, 0);
		add(&w, thread2, KIND_RUNTIME, "cudaLaunchKernel", 0, 5, 1);
		add(&w, thread2, KIND_RUNTIME, "cudaLaunchKernel", 6, 5, 1);
		point(&w, 'B', 0, thread2, "begun", 20);
		ingest_source(w.in, several ? "run/3" : "elsewhere/3", "test");
		ingest_host_of_run(w.in, "other", 1);
		struct trace *t = seal(&w);
		const struct note *at = trace_notes(t)->at;
		assert_int_equal(at[NOTE_BEGIN_WITHOUT_END].first_source, 1);
		assert_int_equal(at[NOTE_KERNEL_NO_LAUNCH].first_source, several ? UINT32_MAX : 1);
		assert_int_equal(at[NOTE_CORR_DUPLICATE].first_source, several ? UINT32_MAX : 1);
		assert_int_equal(at[NOTE_OVERLAP].first_source, several ? UINT32_MAX : 1);
		trace_free(t);
	}
}

static void flows_bind_and_lonely_points_are_noted(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.thread, KIND_RUNTIME, "launch", 0, 10, 0);
	add(&w, w.stream, KIND_KERNEL, "kernel", 50, 10, 0);
	add(&w, w.stream, KIND_KERNEL, "next", 70, 10, 0);
	str_id cat = strings_addz(ingest_strings(w.in), "ac2g");
	ingest_notes(w.in)->entries += 5;
	ingest_flow(w.in, 's', w.thread, cat, 1, 0, false, 11);
	ingest_flow(w.in, 'f', w.stream, cat, 1, 50, true, 12);
	ingest_flow(w.in, 's', w.thread, cat, 2, 9, false, 13);
	ingest_flow(w.in, 'f', w.stream, cat, 2, 61, false, 14);
	ingest_flow(w.in, 'f', w.stream, cat, 3, 50, true, 15);
	struct trace *t = seal(&w);
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), 2);
	assert_string_equal(trace_str(t, trace_columns(t)->name[f[0].to]), "kernel");
	assert_string_equal(trace_str(t, trace_columns(t)->name[f[1].to]), "next");
	assert_int_equal(trace_notes(t)->at[NOTE_FLOW_UNBOUND].count, 1);
	assert_int_equal(trace_notes(t)->at[NOTE_FLOW_UNBOUND].first_at, 15);
	trace_free(t);
}

static void one_flow_start_reaches_every_finish(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.thread, KIND_RUNTIME, "cudaGraphLaunch", 0, 10, 0);
	ingest_notes(w.in)->entries += 4;
	ingest_flow(w.in, 's', w.thread, 0, 1, 0, false, 1);
	for (int i = 0; i < 3; i++) {
		add(&w, w.stream, KIND_KERNEL, "kernel", 50 + i * 10, 10, 0);
		ingest_flow(w.in, 'f', w.stream, 0, 1, 50 + i * 10, true, 2);
	}
	struct trace *t = seal(&w);
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), 3);
	assert_int_equal(f[2].from, f[0].from);
	trace_free(t);
}

static void ids_do_not_depend_on_the_order_of_arrival(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct world w = {.in = ingest_new()};
		w.host = ingest_host(w.in, "demo", -1);
		uint32_t dev[2], at[2];
		for (int i = 0; i < 2; i++) {
			int which = turn ? 1 - i : i;
			dev[which] = ingest_device(w.in, w.host, which);
			at[which] = ingest_track(w.in, TRACK_STREAM, dev[which], 9 - which, 0);
		}
		add(&w, at[1], KIND_KERNEL, "on one", 0, 1, 0);
		add(&w, at[0], KIND_KERNEL, "on zero", 5, 1, 0);
		struct trace *t = seal(&w);
		expect_rows(t, "on zero @5+1 d0 r0\non one @0+1 d0 r0\n");
		assert_int_equal(trace_device(t, trace_track(t, 1)->device)->ordinal, 1);
		trace_free(t);
	}
}

/* How far apart threads are brought up: in order, backwards, in many sorted runs, as good as at random. */
static void threads_are_in_order_however_a_file_brings_them_up(void **state)
{
	(void)state;
	enum { THREADS = 1009 };
	static const uint32_t apart[] = {1, THREADS - 1, 100, 617};
	for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
		struct world w = world_new();
		for (uint32_t i = 0; i < THREADS; i++) {
			uint32_t tid = 2 + i * apart[k] % THREADS,
				 process = ingest_process(w.in, w.host, 100 + tid % 3);
			add(&w, ingest_track(w.in, TRACK_THREAD, process, tid, 0), KIND_OP, "op", i, 1, 0);
		}
		struct trace *t = seal(&w);
		assert_int_equal(trace_tracks(t), THREADS);
		for (uint32_t i = 1; i < THREADS; i++) {
			const struct track_info *x = trace_track(t, i - 1), *y = trace_track(t, i);
			assert_true(x->process < y->process || (x->process == y->process && x->key < y->key));
		}
		trace_free(t);
	}
}

static void absurd_times_are_noted(void **state)
{
	(void)state;
	struct world w = world_new();
	add(&w, w.thread, KIND_OP, "good", 0, 10, 0);
	add(&w, w.thread, KIND_OP, "negative", 5, -3, 0);
	add(&w, w.thread, KIND_OP, "far", INT64_MAX - 5, 10, 0);
	add(&w, w.thread, KIND_OP, "long", 1, INT64_MAX, 0);
	struct trace *t = seal(&w);
	assert_int_equal(trace_columns(t)->n, 2);
	assert_int_equal(trace_notes(t)->at[NOTE_DUR_NEGATIVE].count, 1);
	assert_int_equal(trace_notes(t)->at[NOTE_TIME_OVERFLOW].count, 2);
	trace_free(t);
}

static void durations_that_cannot_be_added_up_are_noted(void **state)
{
	(void)state;
	const int64_t years_60 = INT64_C(60) * 365 * 86400 * 1000000000;
	struct world w = world_new();
	for (int i = 0; i < 4; i++)
		add(&w, w.thread, KIND_OP, "long", i, years_60, 0);
	struct trace *t = seal(&w);
	int64_t sum = 0;
	for (int i = 0; i < 4; i++)
		sum += trace_columns(t)->dur_ns[i];
	assert_int_equal(sum, 2 * years_60);
	assert_int_equal(trace_notes(t)->at[NOTE_DUR_TOO_LONG].count, 2);
	assert_true(notes_balance(trace_notes(t)));
	trace_free(t);
}

/* Numbers of 32 bits come first: the one that needs more must not disturb them. */
static void a_large_correlation_joins_as_a_small_one_does(void **state)
{
	(void)state;
	struct world w = world_new();
	const uint64_t corr[] = {7, UINT64_MAX, UINT32_MAX, UINT64_C(1) << 40};
	for (int i = 0; i < 4; i++) {
		add(&w, w.thread, KIND_RUNTIME, "launch", 100 * i, 10, corr[i]);
		add(&w, w.stream, KIND_KERNEL, "kernel", 100 * i + 20, 10, corr[i]);
	}
	struct trace *t = seal(&w);
	const struct columns *c = trace_columns(t);
	for (row_id k = 0; k < 4; k++) {
		bool none = corr[k] == UINT64_MAX;
		assert_int_equal(number_at(c->corr, k), corr[k]);
		assert_int_equal(number_at(c->corr, k + 4), corr[k]);
		assert_int_equal(c->link[k], none ? NONE_ID : k + 4);
		assert_int_equal(c->link[k + 4], none ? NONE_ID : k);
	}
	trace_free(t);
}

static void samples_are_sorted(void **state)
{
	(void)state;
	struct world w = world_new();
	uint32_t power = ingest_track(w.in, TRACK_COUNTER, w.process, 0, strings_addz(ingest_strings(w.in), "power"));
	ingest_sample(w.in, power, 20, 2.5);
	ingest_sample(w.in, power, 10, 1.5);
	add(&w, w.thread, KIND_OP, "op", 5, 1, 0);
	struct trace *t = seal(&w);
	const struct sample *s;
	assert_int_equal(trace_samples(t, track_of(t, TRACK_COUNTER), &s), 2);
	assert_int_equal(s[0].ts_ns, 5);
	assert_true(s[1].value == 2.5);
	trace_free(t);
}

static void an_empty_trace_is_a_trace(void **state)
{
	(void)state;
	struct ingest *in = ingest_new();
	struct trace *t = ingest_seal(in, NULL);
	assert_int_equal(trace_columns(t)->n, 0);
	assert_int_equal(trace_span_ns(t), 0);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sorted_nested_and_relative),
		cmocka_unit_test(partial_overlap_goes_to_an_overflow_row),
		cmocka_unit_test(instants_hold_nothing),
		cmocka_unit_test(begins_and_ends_pair_by_time),
		cmocka_unit_test(async_points_pair_by_id),
		cmocka_unit_test(one_launch_owns_many_kernels),
		cmocka_unit_test(same_correlation_on_two_hosts_does_not_mix),
		cmocka_unit_test(what_is_found_at_the_end_is_noted_of_its_file),
		cmocka_unit_test(flows_bind_and_lonely_points_are_noted),
		cmocka_unit_test(one_flow_start_reaches_every_finish),
		cmocka_unit_test(ids_do_not_depend_on_the_order_of_arrival),
		cmocka_unit_test(threads_are_in_order_however_a_file_brings_them_up),
		cmocka_unit_test(absurd_times_are_noted),
		cmocka_unit_test(durations_that_cannot_be_added_up_are_noted),
		cmocka_unit_test(a_large_correlation_joins_as_a_small_one_does),
		cmocka_unit_test(samples_are_sorted),
		cmocka_unit_test(an_empty_trace_is_a_trace),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
