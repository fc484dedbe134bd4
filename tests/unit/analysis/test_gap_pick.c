/* gaps/gap_pick: which gaps are judged, against a walk over all of them in order of their length. */
#include "model/analysis/gaps/verdict.h"
#include "tests/unit/derive_trace.h"
#include <stdlib.h>

enum { INSIDE = 300, AMONG = 700, FOREIGN = 10000, GAPS_MOST = 2048 };

/* Lengths in no order, some of them equal. */
static double length(int i)
{
	return 1 + (double)(i * 7919 % 613);
}

/* Two steps of many kernels, and between them copies of no step: they part the time between the steps into idle times that are longer than
 * all in the steps. */
static struct derived *made(void)
{
	struct build b = build_new("xspace");
	double at = 0, begun = 0;
	for (int i = 0; i < AMONG; i++) {
		if (i == AMONG / 2) {
			tf_step(&b, 1, "train", 1, begun, at - begun);
			for (int k = 0; k < INSIDE; k++, at += 1) {
				at += 1000 + length(k);
				launch(&b, 1, at, 0.1, FOREIGN + (uint64_t)k);
				copy(&b, 0, 7, COPY_D2H, 4, at + 0.5, 0.5, FOREIGN + (uint64_t)k);
			}
			begun = at += 2000;
		}
		launch(&b, 1, at, 0.1, (uint64_t)i + 1);
		kernel(&b, 0, 7, "gemm", at + 0.5, 1, (uint64_t)i + 1);
		at += 2 + length(i);
	}
	tf_step(&b, 1, "train", 2, begun, at - begun);
	return derive(&b);
}

static int longest_first(const void *px, const void *py)
{
	const struct gap *x = px, *y = py;
	return x->dur_ns != y->dur_ns ? (x->dur_ns < y->dur_ns) - (x->dur_ns > y->dur_ns)
				      : (x->id > y->id) - (x->id < y->id);
}

/* Of all idle times of the device those outside the gaps between steps, the longest `most`; returns how many are left out. */
static uint32_t pick_slowly(const struct derived *d, uint32_t most, uint32_t *ids)
{
	static struct gap all[GAPS_MOST];
	uint32_t n = 0, kept = 0, at = 0;
	struct gap g;
	for (uint32_t i = 0; derived_gap_at(d, i, &g); i++)
		if (g.scope == GAP_DEVICE && n < GAPS_MOST)
			all[n++] = g;
	assert_in_range(n, AMONG, GAPS_MOST - 1);
	qsort(all, n, sizeof *all, longest_first);
	for (; at < n && kept < most; at++) {
		struct gap_span span = derived_gap_span(d, all[at].id);
		if (gap_in_step_gap(d, &span) == NONE_ID)
			ids[kept++] = all[at].id;
	}
	return n - at;
}

static void the_longest_are_picked_wherever_they_lie(void **state)
{
	(void)state;
	struct derived *d = made();
	struct query q = query_all();
	for (uint32_t most = 1; most <= 400; most = most * 2 + 1) {
		static uint32_t expected[GAPS_MOST];
		uint32_t left_out = pick_slowly(d, most, expected);
		struct arena mem = {0};
		struct gap_pick pick = gap_pick(d, &q, most, &mem);
		uint32_t steps = derived_step_gap_count(d);
		assert_int_equal(steps, 1);
		assert_int_equal(pick.ids[0], 0);
		assert_int_equal(pick.n, steps + most);
		assert_memory_equal(pick.ids + steps, expected, most * sizeof *expected);
		assert_int_equal(pick.left_out, left_out);
		arena_free(&mem);
	}
	derived_free(d);
}

static void where_there_are_few_all_are_picked(void **state)
{
	(void)state;
	struct derived *d = made();
	struct query q = query_all();
	struct arena mem = {0};
	static uint32_t expected[GAPS_MOST];
	uint32_t none_left = pick_slowly(d, GAPS_MOST, expected);
	struct gap_pick pick = gap_pick(d, &q, GAPS_MOST, &mem);
	assert_int_equal(none_left, 0);
	assert_int_equal(pick.left_out, 0);
	assert_int_equal(pick.n, 1 + AMONG - 2);
	arena_free(&mem);
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_are_picked_wherever_they_lie),
		cmocka_unit_test(where_there_are_few_all_are_picked),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
