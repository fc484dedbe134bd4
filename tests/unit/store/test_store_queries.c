/* Queries of the store agree with counting by hand, on random nests; what is asked of it while it is filled. */
#include "store_world.h"

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

/* Fills [from, to) with events that only nest; some have no length, some start or end where what is around them does. */
static void add_nest(struct world *w, uint32_t track, unsigned *seed, int from, int to, int depth)
{
	for (int at = from; at < to;) {
		int dur = depth > 14 ? 1 : (int)rnd(seed, (unsigned)(to - from) / (depth < 9 ? 1 : 3) + 1);
		dur = at + dur < to ? dur : to - at;
		add(w, track, rnd(seed, 2) ? KIND_KERNEL : KIND_OP, "e", at, dur, 0);
		if (dur > 1 && rnd(seed, 8))
			add_nest(w, track, seed, at + (int)rnd(seed, 2), at + dur - (int)rnd(seed, 2), depth + 1);
		at += dur + (rnd(seed, 3) ? 1 + (int)rnd(seed, 9) : dur == 0);
	}
}

static struct trace *nested_trace(unsigned seed)
{
	struct world w = world_new();
	add_nest(&w, w.thread, &seed, 0, 3000, 0);
	for (int at = 0; at < 400000; at += 5000)
		add_nest(&w, w.thread, &seed, at + 3000, at + 3300, 9);
	add_nest(&w, w.stream, &seed, 1, 30000, 15);
	return seal(&w);
}

static void check_windows(struct trace *t)
{
	unsigned seed = 11;
	const struct columns *c = trace_columns(t);
	for (int turn = 0; turn < 200; turn++) {
		int64_t a = rnd(&seed, turn % 4 ? 400000 : 4000), b = a + 1 + rnd(&seed, turn % 3 ? 3000 : 7);
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

static void windows_list_exactly_what_intersects(void **state)
{
	(void)state;
	check_windows(random_trace(5, 20000, 400000));
	for (unsigned seed = 1; seed < 4; seed++) {
		struct trace *t = nested_trace(seed);
		for (uint32_t i = 0; i < trace_tracks(t); i++)
			assert_int_equal(trace_track(t, i)->overlaps, 0);
		assert_in_range(trace_columns(t)->n, 5000, 100000);
		check_windows(t);
	}
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
	assert_null(strstr(got[0].name, "rank"));
	ingest_free(w.in);
}

static void coverage_names_ranks(void **state)
{
	(void)state;
	struct world w = world_new();
	struct coverage_track got[4];
	int64_t span;
	uint32_t other = ingest_host(w.in, "other", 3);
	uint32_t tracks[] = {ingest_track(w.in, TRACK_STREAM, ingest_device(w.in, other, 0), 9, 0),
			     ingest_track(w.in, TRACK_THREAD, ingest_process(w.in, other, 200), 5, 0), w.stream};
	for (int i = 0; i < 9000; i++) {
		if (i % 5000 == 0)
			ingest_coverage(w.in, got, 4, &span);
		add(&w, tracks[i % 3], KIND_OP, "e", i * 1000, 1000, 0);
	}
	assert_int_equal(ingest_coverage(w.in, got, 4, &span), 3);
	assert_string_equal(got[0].name, "stream 7"); /* of a host without a rank */
	assert_string_equal(got[1].name, "rank 3 stream 9");
	assert_string_equal(got[2].name, "rank 3 thread 5");
	ingest_free(w.in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_equal_counting),
		cmocka_unit_test(rows_of_one_display_row_never_overlap),
		cmocka_unit_test(windows_list_exactly_what_intersects),
		cmocka_unit_test(a_staircase_of_overlaps_ends_in_reasonable_time),
		cmocka_unit_test(coverage_is_published_on_request),
		cmocka_unit_test(coverage_names_ranks),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("store queries", tests, NULL, NULL);
}
