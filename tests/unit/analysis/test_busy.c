/* Busy time: unions of device work, per stream and per device, clipped to windows; what streams are for. */
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/query/awake.h"
#include "tests/unit/derive_trace.h"
#include "tests/unit/seeded.h"

static void overlap_counts_once(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 10, 0);
	kernel(&b, 0, 8, "b", 5, 10, 0); /* overlaps a */
	kernel(&b, 0, 7, "c", 15, 5, 0); /* touches b */
	kernel(&b, 0, 7, "d", 30, 1, 0);
	struct derived *d = derive(&b);

	assert_int_equal(intervals_total(derived_busy_device(d, 0)), US(21));
	assert_int_equal(derived_busy_device(d, 0)->n, 2);
	assert_int_equal(intervals_total(derived_busy_track(d, stream_track(d, 7))), US(16));
	assert_int_equal(intervals_total(derived_busy_track(d, stream_track(d, 8))), US(10));
	derived_free(d);
}

static void windows_add_up(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 10; i++)
		kernel(&b, 0, 7, "k", i * 10.0, 7, 0);
	struct derived *d = derive(&b);
	const struct intervals *v = derived_busy_device(d, 0);

	assert_int_equal(intervals_within(v, US(3), US(12)), US(4 + 2));
	assert_int_equal(intervals_within(v, US(7), US(10)), 0);
	assert_int_equal(intervals_within(v, US(12), US(3)), 0);
	assert_int_equal(intervals_within(v, INT64_MIN, INT64_MAX), US(70));
	int64_t sum = 0;
	for (int64_t at = 0; at < US(97); at += 1237)
		sum += intervals_within(v, at, at + 1237 < US(97) ? at + 1237 : US(97));
	assert_int_equal(sum, US(70));
	derived_free(d);
}

static void first_interval_that_ends_later(void **state)
{
	(void)state;
	struct interval_list l = {0};
	interval_add(&l, 0, 10);
	interval_add(&l, 20, 30);
	struct intervals v = intervals_seal(&l);
	assert_int_equal(intervals_after(&v, -5), 0);
	assert_int_equal(intervals_after(&v, 9), 0);
	assert_int_equal(intervals_after(&v, 10), 1);
	assert_int_equal(intervals_after(&v, 30), 2);
	intervals_free(&v);
}

/* Wherever the one before was found. */
static void questions_that_follow_each_other_say_the_same(void **state)
{
	(void)state;
	struct interval_list l = {0};
	for (int64_t i = 0; i < 100; i++)
		interval_add(&l, 10 * i, 10 * i + 3 + i % 5);
	struct intervals v = intervals_seal(&l);
	for (uint32_t near = 0; near <= v.n + 1; near++)
		for (int64_t at = -7; at < 1010; at += 11)
			assert_int_equal(intervals_after_near(&v, near, at), intervals_after(&v, at));
	intervals_free(&v);
}

/* Whether only what is after the start of the second one is gone through or all of both. */
static void a_list_is_joined_as_it_is_united(void **state)
{
	(void)state;
	struct interval_list room = {0};
	seeded(5);
	for (int round = 0; round < 300; round++) {
		struct interval_list x[2] = {{0}}, both = {0};
		for (int k = 0; k < 2; k++)
			for (int64_t i = 0, at_ns = below(60), n = below(8); i < n; i++, at_ns += below(9))
				interval_add(&x[k], at_ns, at_ns + below(6));
		intervals_unite(&both, &x[0], &x[1]);
		interval_list_join(&x[0], &x[1], &room);
		assert_int_equal(x[0].n, both.n);
		assert_memory_equal(x[0].at, both.at, both.n * sizeof *both.at);
		interval_list_free(&both);
		interval_list_free(&x[0]);
		interval_list_free(&x[1]);
	}
	interval_list_free(&room);
}

enum { MOMENTS = 400 };

static void list_at_random(struct interval_list *l, uint32_t n, bool covers[MOMENTS])
{
	for (int64_t at_ns = (int64_t)below(20); n-- && at_ns + 12 < MOMENTS; at_ns += (int64_t)below(12)) {
		int64_t end_ns = at_ns + (int64_t)below(12);
		interval_add(l, at_ns, end_ns);
		memset(covers + at_ns, true, (size_t)(end_ns - at_ns));
	}
}

/* Every moment that one of them covers and no other one, in intervals that do not touch, whether the lists are alike or one is long. */
static void lists_of_any_length_are_united(void **state)
{
	(void)state;
	seeded(7);
	for (int round = 0; round < 600; round++) {
		struct interval_list x[2] = {{0}}, both = {0};
		bool covers[MOMENTS] = {false}, united[MOMENTS] = {false};
		list_at_random(&x[0], (uint32_t)below(60), covers);
		list_at_random(&x[1], (uint32_t)below(round % 2 ? 60 : 4), covers);
		intervals_unite(&both, &x[round % 3 == 0], &x[round % 3 != 0]);
		for (uint32_t i = 0; i < both.n; i++) {
			assert_true(!i || both.at[i].a_ns > both.at[i - 1].b_ns);
			memset(united + both.at[i].a_ns, true, (size_t)(both.at[i].b_ns - both.at[i].a_ns));
		}
		assert_memory_equal(united, covers, sizeof covers);
		interval_list_free(&both);
		interval_list_free(&x[0]);
		interval_list_free(&x[1]);
	}
}

static void ranges_on_a_device_are_no_work(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 10, 0);
	device_event(&b, KIND_DEVICE_RANGE, 0, 7, "ProfilerStep#1", 0, 100);
	struct derived *d = derive(&b);
	assert_int_equal(intervals_total(derived_busy_device(d, 0)), US(10));
	derived_free(d);
}

static void many_streams_unite(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int s = 0; s < 13; s++)
		for (int i = 0; i < 20; i++)
			kernel(&b, 0, s, "k", i * 100.0 + s * 5.0, 6, 0);
	struct derived *d = derive(&b);
	assert_int_equal(derived_busy_device(d, 0)->n, 20);
	assert_int_equal(intervals_total(derived_busy_device(d, 0)), US(20 * 66));
	derived_free(d);
}

static void streams_have_roles(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	for (int i = 0; i < 97; i++)
		kernel(&b, 0, 118, "volta_sgemm", i * 10.0, 10, 0);
	copy(&b, 0, 118, COPY_D2D, 4096, 970, 10, 0);
	copy(&b, 0, 119, COPY_H2D, 4096, 0, 2, 0);
	copy(&b, 0, 120, COPY_D2H, 4096, 0, 2, 0);
	kernel(&b, 0, 121, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", 0, 5, 0);
	struct derived *d = derive(&b);
	char text[64];
	assert_string_equal(role_text(derived_role(d, stream_track(d, 118)), text, sizeof text), "compute+D2D");
	assert_string_equal(role_text(derived_role(d, stream_track(d, 119)), text, sizeof text), "H2D");
	assert_string_equal(role_text(derived_role(d, stream_track(d, 120)), text, sizeof text), "D2H");
	assert_string_equal(role_text(derived_role(d, stream_track(d, 121)), text, sizeof text), "collective");
	derived_free(d);
}

static void a_stray_copy_makes_no_copy_stream(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 1000; i++)
		kernel(&b, 0, 7, "gemm", i * 10.0, 10, 0);
	copy(&b, 0, 7, COPY_D2H, 4, 10000, 1, 0);
	struct derived *d = derive(&b);
	assert_int_equal(derived_role(d, stream_track(d, 7)), ROLE_COMPUTE);
	derived_free(d);
}

static void copies_are_known_by_any_spelling(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum copy_kind kind;
	} cases[] = {{"Memcpy HtoD (Pageable -> Device)", COPY_H2D},
		     {"MemcpyHToD", COPY_H2D},
		     {"MemcpyD2H", COPY_D2H},
		     {"Memcpy DtoD (Device -> Device)", COPY_D2D},
		     {"CopyDeviceToHost", COPY_D2H},
		     {"[CUDA memcpy DtoH]", COPY_D2H},
		     {"MemcpyP2P", COPY_P2P},
		     {"MemcpyOther", COPY_UNKNOWN},
		     {"copy_kernel_d2d", COPY_UNKNOWN}};
	struct build b = build_new("chrome");
	size_t n = sizeof cases / sizeof *cases;
	for (size_t i = 0; i < n; i++)
		device_event(&b, KIND_DEVICE_OTHER, 0, 7, cases[i].name, (double)i, 1);
	struct derived *d = derive(&b);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(derived_copy_kind(d, row_named(derived_trace(d), cases[i].name)), cases[i].kind);
	derived_free(d);
}

static void of_many_lists_none_is_gone_through_for_every_other_one(void **state)
{
	(void)state;
	enum { LISTS = 1024, LEVELS = 10 };
	struct interval_sum sum = {0};
	for (int64_t i = 0; i < LISTS; i++) {
		struct interval_list one = {0};
		interval_add(&one, i * 10, i * 10 + 5 + i % 2 * 5); /* every other one touches the next */
		interval_sum_add(&sum, &one);
	}
	assert_true(sum.n_taken <= LISTS * LEVELS);
	struct interval_list all = interval_sum_end(&sum);
	assert_int_equal(all.n, LISTS / 2 + 1);
	assert_int_equal(interval_list_total(&all), LISTS / 2 * 15);
	interval_list_free(&all);

	struct interval_list nothing = interval_sum_end(&sum);
	assert_int_equal(nothing.n, 0);
}

static void a_track_without_events_is_not_looked_at(void **state)
{
	(void)state;
	enum { STREAMS = 100 };
	struct build b = build_new("chrome");
	for (int i = 0; i < STREAMS; i++)
		kernel(&b, 0, i + 1, "k", i * 10.0, 4, 0);
	struct derived *d = derive(&b);
	uint32_t n, found;
	const uint32_t *streams = device_streams(d, 0, &n);
	assert_int_equal(n, STREAMS);
	struct awake *w = awake_new(d, streams, n);
	for (int i = 0; i < STREAMS; i++) {
		const uint32_t *got = awake_tracks(w, US(i * 10), US(i * 10 + 10), &found);
		assert_int_equal(found, 1);
		assert_int_equal(got[0], streams[i]);
	}
	assert_true(awake_looks(w) < 4 * STREAMS);
	awake_tracks(w, US(2), US(25), &found); /* back in time */
	assert_int_equal(found, 3);
	awake_tracks(w, US(1000000), INT64_MAX, &found);
	assert_int_equal(found, 0);
	awake_free(w);
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overlap_counts_once),
		cmocka_unit_test(windows_add_up),
		cmocka_unit_test(first_interval_that_ends_later),
		cmocka_unit_test(questions_that_follow_each_other_say_the_same),
		cmocka_unit_test(a_list_is_joined_as_it_is_united),
		cmocka_unit_test(lists_of_any_length_are_united),
		cmocka_unit_test(ranges_on_a_device_are_no_work),
		cmocka_unit_test(many_streams_unite),
		cmocka_unit_test(of_many_lists_none_is_gone_through_for_every_other_one),
		cmocka_unit_test(a_track_without_events_is_not_looked_at),
		cmocka_unit_test(streams_have_roles),
		cmocka_unit_test(a_stray_copy_makes_no_copy_stream),
		cmocka_unit_test(copies_are_known_by_any_spelling),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
