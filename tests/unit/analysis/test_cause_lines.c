/* Lines of causes are drawn as far as questions go: what they say does not depend on how the questions are cut. */
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/causes/cause_lines.h"
#include "model/analysis/steps/idle.h"
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"
#include "tests/unit/seeded.h"
#include <malloc.h>
#include <stdlib.h>

enum { SPAN_US = 60000, ASK_US = 20000, THREADS = 3, FAR_US = 9000 };

static const char *const names[] = {"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
				    "cudaDeviceSynchronize",
				    "cudaLaunchKernel",
				    "aten::copy_",
				    "my own work",
				    "Callback/on_train_batch_end"};

/* Threads full of nested events and holes, from numbers that are the same every time. One alone has no frames. */
static void fill_threads(struct build *b, unsigned seed, uint32_t threads)
{
	uint32_t x = seed * 2654435761u + 1;
	for (uint32_t tid = 1; tid <= threads; tid++)
		for (uint32_t at_us = 0; at_us < SPAN_US;) {
			x = x * 1664525u + 1013904223u;
			uint32_t dur_us = 1 + (x >> 16) % 700, inner_us = dur_us / 3;
			host_event(b, KIND_OP, tid, names[(x >> 8) % 6], at_us, dur_us);
			if (inner_us)
				host_event(b, threads > 1 && x & 1 ? KIND_PYTHON : KIND_ANNOTATION, tid,
					   names[(x >> 11) % 6], at_us + inner_us, inner_us);
			at_us += dur_us + (x >> 24) % 3 * 40;
		}
}

static struct derived *busy_threads(unsigned seed)
{
	struct build b = build_new("kineto");
	fill_threads(&b, seed, THREADS);
	kernel(&b, 0, 7, "first", 0, 10, 0);
	launch(&b, 1, SPAN_US, 5, 1);
	kernel(&b, 0, 7, "a", SPAN_US + 10, 990, 1);
	return derive(&b);
}

typedef const struct cause_line *line_of(struct cause_lines *x, uint32_t track, struct interval about);

static const struct cause_line *of_host(struct cause_lines *x, uint32_t track, struct interval about)
{
	(void)track;
	return cause_line_host(x, 0, about);
}

static struct interval us(int64_t a_us, int64_t b_us)
{
	return (struct interval){a_us * 1000, b_us * 1000};
}

static void assert_same(const struct cause_line *x, const struct cause_line *y, struct interval about)
{
	struct cause_walk a = cause_walk_at(x, about.a_ns), b = cause_walk_at(y, about.a_ns);
	for (int64_t at_ns = about.a_ns, a_until, b_until; at_ns < about.b_ns; at_ns = a_until) {
		a_until = b_until = about.b_ns;
		struct cause_at p = *cause_walk_to(&a, at_ns, &a_until), q = *cause_walk_to(&b, at_ns, &b_until);
		assert_int_equal(a_until, b_until);
		assert_int_equal(p.cause, q.cause);
		assert_int_equal(p.trust, q.trust);
		assert_int_equal(p.row, q.row);
		assert_int_equal(p.frame, q.frame);
		assert_int_equal(p.hole, q.hole);
	}
}

static void compare(const struct derived *d, line_of *line, uint32_t track, int64_t step_us)
{
	struct cause_lines *little = cause_lines_new(d, NULL, INT64_MIN, INT64_MAX),
			   *whole = cause_lines_new(d, NULL, INT64_MIN, INT64_MAX);
	struct interval first = us(ASK_US, ASK_US + 1);
	line(little, track, first);
	line(whole, track, first);
	const struct cause_line *all = line(whole, track, us(ASK_US, ASK_US + FAR_US));
	for (int64_t a_us = ASK_US; a_us + step_us <= ASK_US + FAR_US; a_us += step_us) {
		struct interval about = us(a_us, a_us + step_us);
		assert_same(line(little, track, about), all, about);
	}
	cause_lines_free(little);
	cause_lines_free(whole);
}

static void little_questions_say_what_a_big_one_says(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 8; seed++) {
		struct derived *d = busy_threads(seed);
		uint32_t track = derived_columns(d)->track[row_named(derived_trace(d), names[0])];
		for (int64_t step_us = 1; step_us < FAR_US; step_us = step_us * 5 + 2) {
			compare(d, cause_line_of, track, step_us);
			compare(d, cause_line_beside, track, step_us);
			compare(d, of_host, track, step_us);
		}
		derived_free(d);
	}
}

/* Of what is never reached nothing is said. */
static void lines_tell_causes(void **state)
{
	(void)state;
	struct derived *d = busy_threads(1);
	struct cause_lines *x = cause_lines_new(d, NULL, INT64_MIN, INT64_MAX);
	uint32_t track = derived_columns(d)->track[row_named(derived_trace(d), names[0])];
	struct interval about = us(ASK_US, ASK_US + FAR_US);
	uint32_t seen = 0;
	struct cause_walk w = cause_walk_at(cause_line_of(x, track, about), about.a_ns);
	for (int64_t at_ns = about.a_ns, until_ns; at_ns < about.b_ns; at_ns = until_ns) {
		until_ns = about.b_ns;
		seen |= 1u << cause_walk_to(&w, at_ns, &until_ns)->cause;
	}
	assert_true(seen >> CAUSE_INPUT & 1);
	assert_true(seen >> CAUSE_SYNC & 1);
	cause_lines_free(x);
	derived_free(d);
}

/* Wherever a reader stood before, and outside of the list, too. */
static void places_are_found_from_any_hint(void **state)
{
	(void)state;
	struct cause_at at[40];
	struct interval busy[40];
	struct cause_line line = {.at = at, .n = 40};
	for (int i = 0; i < 40; i++) {
		at[i] = (struct cause_at){.at_ns = i * i};
		busy[i] = (struct interval){i * i, i * i + 1};
	}
	for (uint32_t hint = 0; hint < 45; hint++)
		for (int64_t ts_ns = 0; ts_ns < 1700; ts_ns += 3) {
			uint32_t first = 0, from = hint < 40 ? hint : 40;
			while (first < 40 && busy[first].a_ns < ts_ns)
				first++;
			assert_int_equal(cause_walk_from(&line, hint, ts_ns).i, cause_walk_at(&line, ts_ns).i);
			assert_int_equal(intervals_from(busy, from, 40, ts_ns), first > from ? first : from);
		}
}

/* Asked in parts, one after the other, an idle time says what it says as a whole. */
static void parts_of_one_idle_time_add_up(void **state)
{
	(void)state;
	struct derived *d = busy_threads(3);
	struct query q = query_all();
	struct idles *x = idles_new(d, &q, NONE_ID);
	struct idle_split whole, part;
	int64_t end_ns = us(0, SPAN_US + 5).b_ns, sums[CAUSE_COUNT] = {0}, begin_ns = us(0, 10).b_ns;
	idle_between(x, 0, begin_ns, end_ns, &whole);
	assert_true(whole.idle_ns > 0);
	for (int64_t a_ns = begin_ns, b_ns; a_ns < end_ns; a_ns = b_ns) {
		b_ns = earlier(a_ns + us(0, 1733).b_ns, end_ns);
		idle_between(x, 0, a_ns, b_ns, &part);
		for (int i = 0; i < CAUSE_COUNT; i++)
			sums[i] += part.part[i].ns;
	}
	for (int i = 0; i < CAUSE_COUNT; i++)
		assert_int_equal(sums[i], whole.part[i].ns);
	idles_free(x);
	derived_free(d);
}

static void assert_sums(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, const struct idle_kept *kept)
{
	struct idle_split s;
	struct idle_sums got = idle_sums_kept(kept);
	idle_between(x, device, a_ns, b_ns, &s);
	struct idle_sums want = idle_sums_of(&s);
	assert_memory_equal(got.ns, want.ns, sizeof got.ns);
	for (int i = 0; i < CAUSE_COUNT; i++)
		assert_int_equal(idle_kept_ns(kept, (enum cause)i), want.ns[i]);
	assert_int_equal(got.idle_ns, want.idle_ns);
	assert_int_equal(got.latency_ns, want.latency_ns);
	assert_int_equal(got.longest_ns, want.longest_ns);
	assert_int_equal(got.longest_row, want.longest_row);
	assert_int_equal(got.n, want.n);
	assert_int_equal(idle_latency_between(x, device, a_ns, b_ns), want.latency_ns);
}

/* The steps of the device and what is between them, asked one by one, are what the walk over all of its idle times says of them. */
static void assert_steps_alike(const struct derived *d, const struct query *q)
{
	uint32_t n, told = 0;
	struct arena mem = {0};
	const struct step_device *parts = derived_step_devices(d, &n);
	const struct idle_extents *all = shared_part(&idle_extents_part, d, q, &mem, NULL, NULL);
	struct idles *x = idles_new(d, q, NONE_ID);
	assert_non_null(all);
	for (uint32_t i = 0; i < n; i++) {
		int64_t a_ns, b_ns;
		step_time(d, parts[i].step, parts[i].device, &a_ns, &b_ns);
		query_clip(q, &a_ns, &b_ns);
		if (all->steps[i] && a_ns < b_ns)
			assert_sums(x, parts[i].device, a_ns, b_ns, all->steps[i]);
		if (all->between[i])
			assert_sums(x, parts[i].device, parts[i].last_ns, parts[i + 1].first_ns, all->between[i]);
		told += (all->steps[i] != NULL) + (all->between[i] != NULL);
	}
	assert_true(told > 0);
	for (uint32_t i = 1; i < derived_busy_device(d, 0)->n; i++)
		if (i >= all->launches->from && i - all->launches->from < all->launches->n)
			assert_int_equal(all->launches->ns[i - all->launches->from],
					 idle_before(x, 0, i, CAUSE_LAUNCH));
	idles_free(x);
	arena_free(&mem);
}

static void steps_are_told_by_one_walk(void **state)
{
	(void)state;
	struct build ideal = scene_ideal(), gaps = scene_gap();
	struct derived *of[] = {derive(&ideal), derive(&gaps)};
	for (int i = 0; i < 2; i++) {
		struct query q = query_all();
		assert_steps_alike(of[i], &q);
		q.a_ns = us(50000 + i * 70123, 0).a_ns; /* cuts an idle time between steps, too */
		q.b_ns = us(0, 310000).b_ns;
		assert_steps_alike(of[i], &q);
		derived_free(of[i]);
	}
}

static uint32_t causes_in(const struct idle_split *s)
{
	uint32_t bits = 0;
	for (int i = 0; i < CAUSE_COUNT; i++)
		bits |= (uint32_t)(s->part[i].ns > 0) << i;
	return bits;
}

/* Rows that were chosen among events further away may differ. */
static void assert_split(const struct idle_split *want, const struct idle_split *got)
{
	assert_int_equal(got->idle_ns, want->idle_ns);
	assert_int_equal(got->latency_ns, want->latency_ns);
	assert_int_equal(got->wider, want->wider);
	for (int i = 0; i < CAUSE_COUNT; i++) {
		assert_int_equal(got->part[i].ns, want->part[i].ns);
		assert_true(got->part[i].trusted == want->part[i].trusted);
		if (want->wider)
			continue;
		assert_int_equal(got->part[i].row, want->part[i].row);
		assert_int_equal(got->part[i].row_ns, want->part[i].row_ns);
	}
}

/* Threads as above, the first of which launches, in turn, for so many devices that its line is drawn once for all of them. */
static struct derived *many_devices(unsigned seed, uint32_t threads)
{
	enum { DEVICES = 20, EACH_US = 97 };
	struct build b = build_new("kineto");
	fill_threads(&b, seed, threads);
	for (uint32_t i = 1; i * EACH_US < SPAN_US; i++) {
		launch(&b, 1, i * EACH_US, 3, i);
		kernel(&b, i % DEVICES, 7, "k", i * EACH_US + 10, 20, i);
	}
	return derive(&b);
}

static void add_time(void *sums, const struct idle_time *t)
{
	for (int i = 0; i < CAUSE_COUNT; i++)
		((int64_t *)sums)[i] += t->used >> i & 1 ? t->part[i].ns : 0;
}

static uint32_t assert_as_if_alone(const struct derived *d, struct idles *all, uint32_t device, uint32_t i)
{
	struct query q = query_all();
	const struct interval *busy = derived_busy_device(d, device)->at + i;
	int64_t third_ns = (busy->a_ns - busy[-1].b_ns) / 3;
	struct interval of[] = {{busy[-1].b_ns, busy->a_ns}, {busy[-1].b_ns + third_ns, busy->a_ns - third_ns}};
	struct idle_split one, many[2];
	struct idles *alone = idles_new(d, &q, NONE_ID);
	for (int part = 0; part < 2; part++) {
		int64_t sums[CAUSE_COUNT] = {0};
		idle_between(alone, device, of[part].a_ns, of[part].b_ns, &one);
		idle_between(all, device, of[part].a_ns, of[part].b_ns, &many[part]);
		assert_split(&one, &many[part]);
		idle_cut(all, device, i, of[part], add_time, sums);
		for (int c = 0; c < CAUSE_COUNT; c++)
			assert_int_equal(sums[c], one.part[c].ns);
	}
	idles_free(alone);
	return causes_in(many);
}

/* Each idle time, of all devices asked after one another, forwards and backwards, is split as one that nobody else was asked about
 * before. */
static void devices_of_one_thread_are_split_as_if_alone(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 6; seed++) {
		struct derived *d = many_devices(seed, seed % 2 ? 1 : THREADS);
		struct query q = query_all();
		struct idles *forwards = idles_new(d, &q, NONE_ID), *backwards = idles_new(d, &q, NONE_ID);
		uint32_t causes = 0;
		for (uint32_t device = 0; device < trace_devices(derived_trace(d)); device++) {
			uint32_t n = derived_busy_device(d, device)->n;
			for (uint32_t i = 1; i < n; i++) {
				causes |= assert_as_if_alone(d, forwards, device, i);
				causes |= assert_as_if_alone(d, backwards, device, n - i);
			}
		}
		assert_true(__builtin_popcount(causes) > 3);
		idles_free(forwards);
		idles_free(backwards);
		derived_free(d);
	}
}

/* Each launches once: what was drawn of all of them is more than what is kept. */
static void of_very_many_threads_few_lines_are_kept(void **state)
{
	(void)state;
	enum { MANY = 12000, MOST_BYTES = 7 << 19 };
	struct build b = build_new("kineto");
	for (uint32_t i = 0; i < MANY; i++) {
		op(&b, i + 1, names[i % 6], i * 20.0, 9);
		launch(&b, i + 1, i * 20.0 + 3, 4, i + 1);
		kernel(&b, 0, 7, "gemm", i * 20.0 + 8, 11, i + 1);
	}
	struct derived *d = derive(&b);
	struct query q = query_all();
	struct idles *x = idles_new(d, &q, NONE_ID);
	struct idle_split all, one;
	int64_t sums[CAUSE_COUNT] = {0};
	uint32_t n = derived_busy_device(d, 0)->n;
	const struct interval *busy = derived_busy_device(d, 0)->at;
	size_t before = mallinfo2().uordblks;
	idle_between(x, 0, busy[0].a_ns, busy[n - 1].b_ns, &all);
	assert_in_range(mallinfo2().uordblks - before, 0, MOST_BYTES);
	for (uint32_t i = 1; i < n; i++) {
		idle_between(x, 0, busy[i - 1].b_ns, busy[i].a_ns, &one);
		for (int c = 0; c < CAUSE_COUNT; c++)
			sums[c] += one.part[c].ns;
	}
	for (int c = 0; c < CAUSE_COUNT; c++)
		assert_int_equal(sums[c], all.part[c].ns);
	assert_int_equal(n, MANY);
	idles_free(x);
	derived_free(d);
}

/* ---- threads as one ----------------------------------------------------------------------------------------------------- */

static struct cause_line line_of_pieces(uint32_t n)
{
	struct cause_line l = {0};
	int64_t at_ns = below(1000);
	cause_line_append(&l, (struct cause_at){.row = NONE_ID, .hole = true}, INT64_MIN);
	for (uint32_t i = 0; i < n; i++, at_ns += 1 + below(300)) {
		struct cause_at piece = {
			.row = (row_id)below(9), .cause = (uint8_t)(1 + below(3)), .trust = (uint8_t)(30 * below(4))};
		cause_line_append(&l, piece, at_ns);
	}
	cause_line_append(&l, (struct cause_at){.row = NONE_ID, .hole = true}, at_ns);
	return l;
}

/* Which event tells may differ where several tell the same, the cause never. */
static void many_are_joined_in_one_walk_as_one_by_one(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct cause_line one = {0}, all = {0};
		struct cause_joining many = {0};
		seeded(seed);
		cause_line_append(&one, (struct cause_at){.row = NONE_ID, .hole = true}, INT64_MIN);
		cause_line_append(&all, one.at[0], INT64_MIN);
		for (int thread = 0; thread < 40; thread++) {
			struct cause_line l = line_of_pieces((uint32_t)below(30));
			cause_line_join(&one, &l);
			cause_joining_add(&many, &l);
			free(l.at);
		}
		cause_joining_end(&many, &all);
		assert_int_equal(all.n, one.n);
		for (uint32_t i = 0; i < one.n; i++) {
			assert_int_equal(all.at[i].at_ns, one.at[i].at_ns);
			assert_int_equal(all.at[i].cause, one.at[i].cause);
			assert_int_equal(all.at[i].trust, one.at[i].trust);
			assert_int_equal(all.at[i].hole, one.at[i].hole);
		}
		free(one.at);
		free(all.at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(little_questions_say_what_a_big_one_says),
		cmocka_unit_test(lines_tell_causes),
		cmocka_unit_test(places_are_found_from_any_hint),
		cmocka_unit_test(parts_of_one_idle_time_add_up),
		cmocka_unit_test(steps_are_told_by_one_walk),
		cmocka_unit_test(devices_of_one_thread_are_split_as_if_alone),
		cmocka_unit_test(of_very_many_threads_few_lines_are_kept),
		cmocka_unit_test(many_are_joined_in_one_walk_as_one_by_one),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
