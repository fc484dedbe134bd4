/* The store: what goes in comes out sorted, nested, paired and linked; queries agree with counting by hand. */
#include "model/store/ingest/ingest.h"
#include "model/store/trace/trace.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

struct world {
	struct ingest *in;
	uint32_t host, process, device, thread, stream;
};

static struct world world_new(void)
{
	struct world w = {.in = ingest_new()};
	ingest_source(w.in, "made-up", "test");
	w.host = ingest_host(w.in, "demo", -1);
	w.process = ingest_process(w.in, w.host, 100);
	w.device = ingest_device(w.in, w.host, 0);
	w.thread = ingest_track(w.in, TRACK_THREAD, w.process, 1, 0);
	w.stream = ingest_track(w.in, TRACK_STREAM, w.device, 7, 0);
	return w;
}

static struct event_in event(struct world *w, uint32_t track, enum event_kind kind, const char *name, int64_t start,
			     int64_t dur)
{
	return (struct event_in){.start_ns = start,
				 .dur_ns = dur,
				 .name = strings_addz(ingest_strings(w->in), name),
				 .track = track,
				 .kind = (uint8_t)kind,
				 .group = -1};
}

static void add(struct world *w, uint32_t track, enum event_kind kind, const char *name, int64_t start, int64_t dur,
		uint64_t corr)
{
	struct event_in e = event(w, track, kind, name, start, dur);
	e.corr = corr;
	ingest_notes(w->in)->entries++;
	ingest_event(w->in, &e);
}

static void point(struct world *w, char phase, uint64_t id, uint32_t track, const char *name, int64_t ts)
{
	struct event_in e = event(w, track, KIND_ANNOTATION, name, ts, 0);
	ingest_notes(w->in)->entries++;
	if (phase == 'B')
		ingest_begin(w->in, &e);
	else if (phase == 'E')
		ingest_end(w->in, &e);
	else
		ingest_async(w->in, phase, id, &e);
}

static struct trace *seal(struct world *w)
{
	struct err e;
	struct trace *t = ingest_seal(w->in, &e);
	assert_non_null(t);
	assert_true(notes_balance(trace_notes(t)));
	return t;
}

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

/* ---- queries against counting by hand, on random nests ------------------------------------------------------------ */

static unsigned rnd(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static struct trace *random_trace(unsigned seed, int n, int span)
{
	struct world w = world_new();
	for (int i = 0; i < n; i++) {
		int start = (int)rnd(&seed, (unsigned)span),
		    dur = rnd(&seed, 4) ? (int)rnd(&seed, 30) : (int)rnd(&seed, 2000);
		add(&w, rnd(&seed, 3) ? w.thread : w.stream, rnd(&seed, 2) ? KIND_KERNEL : KIND_OP, "e", start, dur, 0);
	}
	return seal(&w);
}

static int64_t clip(int64_t start, int64_t end, int64_t a, int64_t b)
{
	start = start > a ? start : a;
	end = end < b ? end : b;
	return end > start ? end - start : 0;
}

static bool touches(const struct columns *c, row_id r, int64_t a, int64_t b)
{
	int64_t end = c->start_ns[r] + (c->dur_ns[r] ? c->dur_ns[r] : 1);
	return c->start_ns[r] < b && end > a;
}

static void check_bins(const struct trace *t, uint32_t track, uint32_t disp, int64_t from, int64_t span, uint32_t cols)
{
	struct bin out[64];
	const struct columns *c = trace_columns(t);
	const struct track_info *x = trace_track(t, track);
	trace_bins(t, track, disp, from, span, cols, out);
	for (uint32_t k = 0; k < cols; k++) {
		int64_t a = from + k * span / cols, b = from + (k + 1) * span / cols, busy = 0, best = 0;
		uint32_t count = 0;
		for (uint64_t r = x->first; r < x->first + x->n; r++) {
			if (c->disp[r] != disp || !touches(c, (row_id)r, a, b))
				continue;
			int64_t ns = clip(c->start_ns[r], c->start_ns[r] + c->dur_ns[r], a, b);
			busy += ns;
			count++;
			best = ns > best ? ns : best;
		}
		assert_int_equal(out[k].busy_ns, busy);
		assert_int_equal(out[k].count, count);
		if (count) {
			row_id r = out[k].longest;
			assert_int_equal(clip(c->start_ns[r], c->start_ns[r] + c->dur_ns[r], a, b), best);
		} else
			assert_int_equal(out[k].longest, NONE_ID);
	}
}

static void bins_equal_counting(void **state)
{
	(void)state;
	unsigned seed = 7;
	for (int turn = 0; turn < 30; turn++) {
		struct trace *t = random_trace((unsigned)turn + 1, 400 + turn * 40, 1 + turn * 2000);
		for (uint32_t track = 0; track < trace_tracks(t); track++)
			for (uint32_t disp = 0; disp < trace_track(t, track)->n_rows && disp < 5; disp++) {
				check_bins(t, track, disp, 0, trace_span_ns(t), 60);
				check_bins(t, track, disp, rnd(&seed, (unsigned)trace_span_ns(t)), 1 + rnd(&seed, 500),
					   17);
				check_bins(t, track, disp, -50, 20, 3);
			}
		trace_free(t);
	}
}

static void rows_of_one_display_row_never_overlap(void **state)
{
	(void)state;
	struct trace *t = random_trace(3, 3000, 9000);
	const struct columns *c = trace_columns(t);
	for (uint32_t track = 0; track < trace_tracks(t); track++) {
		int64_t ends[4096];
		for (int i = 0; i < 4096; i++)
			ends[i] = INT64_MIN;
		const struct track_info *x = trace_track(t, track);
		for (uint64_t r = x->first; r < x->first + x->n; r++) {
			assert_true(c->start_ns[r] >= ends[c->disp[r]]);
			ends[c->disp[r]] = c->start_ns[r] + c->dur_ns[r];
			row_id p = trace_parent(t, (row_id)r);
			assert_true((p == NONE_ID) == (c->depth[r] == 0));
			if (p != NONE_ID) {
				assert_true(c->start_ns[p] <= c->start_ns[r]);
				assert_true(c->start_ns[p] + c->dur_ns[p] >= c->start_ns[r] + c->dur_ns[r]);
			}
		}
	}
	trace_free(t);
}

static void windows_list_exactly_what_intersects(void **state)
{
	(void)state;
	unsigned seed = 11;
	struct trace *t = random_trace(5, 20000, 400000);
	const struct columns *c = trace_columns(t);
	for (int turn = 0; turn < 200; turn++) {
		int64_t a = rnd(&seed, 400000), b = a + 1 + rnd(&seed, 3000);
		uint32_t kinds = turn % 2 ? KINDS_ALL : KINDS_WORK;
		for (uint32_t track = 0; track < trace_tracks(t); track++) {
			struct event_iter it = event_iter(t, track, a, b, kinds);
			const struct track_info *x = trace_track(t, track);
			for (uint64_t r = x->first; r < x->first + x->n; r++)
				if (touches(c, (row_id)r, a, b) && (kinds >> c->kind[r] & 1)) {
					assert_true(event_next(&it));
					assert_int_equal(it.row, r);
				}
			assert_false(event_next(&it));
		}
	}
	trace_free(t);
}

static void a_staircase_of_overlaps_ends_in_reasonable_time(void **state)
{
	(void)state;
	struct world w = world_new();
	enum { N = 200000 };
	for (int i = 0; i < N; i++)
		add(&w, w.thread, KIND_OP, "step", i, N + i, 0);
	struct trace *t = seal(&w);
	assert_int_equal(trace_columns(t)->n, N);
	trace_free(t);
}

static void coverage_is_published_on_request(void **state)
{
	(void)state;
	struct world w = world_new();
	struct coverage_track got[4];
	int64_t span;
	assert_int_equal(ingest_coverage(w.in, got, 4, &span), 0);
	for (int i = 0; i < 5000; i++)
		add(&w, i % 2 ? w.thread : w.stream, KIND_OP, "e", i * 1000, 1000, 0);
	ingest_coverage(w.in, got, 4, &span);
	for (int i = 5000; i < 9000; i++)
		add(&w, i % 2 ? w.thread : w.stream, KIND_OP, "e", i * 1000, 1000, 0);
	assert_int_equal(ingest_coverage(w.in, got, 4, &span), 2);
	assert_int_equal(got[0].kind, TRACK_STREAM);
	assert_true(got[0].events > 1000);
	assert_true(span >= 1000000);
	ingest_free(w.in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_correlation_joins_as_a_small_one_does),
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
		cmocka_unit_test(absurd_times_are_noted),
		cmocka_unit_test(durations_that_cannot_be_added_up_are_noted),
		cmocka_unit_test(samples_are_sorted),
		cmocka_unit_test(an_empty_trace_is_a_trace),
		cmocka_unit_test(bins_equal_counting),
		cmocka_unit_test(rows_of_one_display_row_never_overlap),
		cmocka_unit_test(windows_list_exactly_what_intersects),
		cmocka_unit_test(a_staircase_of_overlaps_ends_in_reasonable_time),
		cmocka_unit_test(coverage_is_published_on_request),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
