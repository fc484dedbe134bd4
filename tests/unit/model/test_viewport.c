/* model/viewport: columns without gaps, zoom that keeps the focus, n in and n out = start. */
#include "model/viewport.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { SECOND = 1000000000 };

static const int64_t totals[] = {1, 7, 200, 999999937, 86400LL * SECOND, INT64_MAX / 4};
static const uint32_t widths[] = {1, 3, 80, 199, 4096};
static const int64_t factors[][2] = {{1, 2}, {2, 3}, {9, 10}, {1, 10}};

static void columns_cover_the_view_without_gap_or_overlap(void **state)
{
	(void)state;
	for (unsigned t = 0; t < 6; t++)
		for (unsigned w = 0; w < 5; w++) {
			struct viewport v = viewport_whole(totals[t], widths[w]);
			assert_int_equal(viewport_col_start(&v, 0), 0);
			assert_int_equal(viewport_col_start(&v, v.cols), totals[t]);
			for (uint32_t c = 0; c < v.cols; c++)
				assert_true(viewport_col_start(&v, c) <= viewport_col_start(&v, c + 1));
		}
}

static void an_instant_lies_in_the_column_that_starts_at_or_before_it(void **state)
{
	(void)state;
	for (unsigned t = 0; t < 6; t++)
		for (unsigned w = 0; w < 5; w++) {
			struct viewport v = viewport_whole(totals[t], widths[w]);
			for (uint32_t c = 0; c < v.cols; c++) {
				int64_t a = viewport_col_start(&v, c), b = viewport_col_start(&v, c + 1);
				if (a == b)
					continue; /* narrower than one ns */
				assert_int_equal(viewport_col_of(&v, a), c);
				assert_int_equal(viewport_col_of(&v, b - 1), c);
			}
		}
}

static void instants_outside_fall_on_the_edge_columns(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(1000, 10);
	assert_int_equal(viewport_col_of(&v, -5), 0);
	assert_int_equal(viewport_col_of(&v, INT64_MAX), 9);
	assert_int_equal(viewport_col_of(&v, INT64_MIN), 0);
	assert_true(viewport_shows(&v, 0));
	assert_true(viewport_shows(&v, 999));
	assert_false(viewport_shows(&v, 1000));
	assert_false(viewport_shows(&v, -1));
}

static void zooming_in_keeps_the_instant_under_the_focus(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 4; f++)
		for (uint32_t focus = 0; focus < 199; focus += 33) {
			struct viewport v = viewport_whole(86399999999999, 199);
			int64_t instant = viewport_col_start(&v, focus);
			for (int i = 0; i < 60; i++) {
				viewport_zoom(&v, focus, factors[f][0], factors[f][1]);
				assert_int_equal(viewport_col_start(&v, focus), instant);
			}
		}
}

static void zooming_out_keeps_the_instant_until_the_whole_trace_shows(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(86399999999999, 199);
	viewport_show(&v, 1000, 2000, 0);
	int64_t instant = viewport_col_start(&v, 150);
	while (v.span_ns < v.total_ns / 2) {
		viewport_zoom(&v, 150, 2, 1);
		assert_int_equal(viewport_col_start(&v, 150), instant);
	}
	viewport_zoom(&v, 150, 2, 1);
	viewport_zoom(&v, 150, 2, 1);
	assert_int_equal(v.from_ns, 0);
	assert_int_equal(v.span_ns, v.total_ns);
}

static void check_in_and_out(struct viewport v, uint32_t focus, int64_t num, int64_t den, int times)
{
	const struct viewport start = v;
	int done = 0;
	for (; done < times && v.span_ns > v.cols; done++)
		viewport_zoom(&v, focus, num, den);
	while (done--)
		viewport_zoom(&v, focus, den, num);
	assert_int_equal(v.from_ns, start.from_ns);
	assert_int_equal(v.span_ns, start.span_ns);
}

static void n_times_in_and_n_times_out_is_the_start(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 4; f++)
		for (uint32_t focus = 0; focus < 80; focus += 13)
			for (int times = 1; times < 300; times = times * 3 + 1) {
				struct viewport v = viewport_whole(123456789012347, 80);
				check_in_and_out(v, focus, factors[f][0], factors[f][1], times);
				viewport_show(&v, 1234567890, 7654321987, 5);
				check_in_and_out(v, focus, factors[f][0], factors[f][1], times);
			}
}

static void panning_between_zooms_does_not_change_the_spans(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(999999937, 100);
	for (int i = 0; i < 9; i++) {
		viewport_zoom(&v, 50, 2, 3);
		viewport_pan(&v, 3);
	}
	for (int i = 0; i < 9; i++)
		viewport_zoom(&v, 50, 3, 2);
	assert_int_equal(v.span_ns, 999999937);
}

static void the_view_stays_between_one_ns_per_column_and_the_whole(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(SECOND, 120);
	for (int i = 0; i < 100; i++)
		viewport_zoom(&v, 60, 1, 2);
	assert_int_equal(v.span_ns, 120);
	for (int i = 0; i < 100; i++)
		viewport_zoom(&v, 60, 3, 2);
	assert_int_equal(v.span_ns, SECOND);
	struct viewport tiny = viewport_whole(5, 120);
	viewport_zoom(&tiny, 60, 1, 2);
	assert_int_equal(tiny.span_ns, 5);
}

static void zooming_out_from_a_few_ns_never_gets_stuck(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(SECOND, 1);
	viewport_show(&v, 10, 11, 0);
	for (int i = 0; i < 400; i++)
		viewport_zoom(&v, 0, 10, 9);
	assert_int_equal(v.span_ns, SECOND);
}

static void panning_right_and_left_comes_back(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(999999937, 77);
	viewport_show(&v, 400000001, 500000011, 0);
	int64_t from = v.from_ns;
	viewport_pan(&v, 5);
	assert_true(v.from_ns > from);
	viewport_pan(&v, -5);
	assert_int_equal(v.from_ns, from);
}

static void panning_never_loses_sight_of_the_trace(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(SECOND, 100);
	viewport_zoom(&v, 0, 1, 4);
	viewport_pan(&v, INT64_MAX);
	assert_true(v.from_ns < SECOND);
	viewport_pan(&v, INT64_MIN);
	assert_true(v.from_ns + v.span_ns > 0);
}

static void showing_an_interval_centres_it_with_its_margin(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(SECOND, 100);
	viewport_show(&v, 1000, 3000, 10);
	assert_int_equal(v.from_ns, 800);
	assert_int_equal(v.span_ns, 2400);
	viewport_show(&v, 5000, 5000, 10); /* an instant: as narrow as a view can be, in the middle */
	assert_int_equal(v.span_ns, 100);
	assert_int_equal(viewport_col_of(&v, 5000), 50);
	viewport_show(&v, INT64_MIN / 4, INT64_MAX / 4, 10);
	assert_int_equal(v.span_ns, SECOND);
	assert_int_equal(v.from_ns, 0);
}

static void resizing_keeps_what_is_shown(void **state)
{
	(void)state;
	struct viewport v = viewport_whole(SECOND, 100);
	viewport_show(&v, 1000, 3000, 0);
	viewport_resize(&v, 37);
	assert_int_equal(v.from_ns, 1000);
	assert_int_equal(v.span_ns, 2000);
	viewport_resize(&v, 5000);
	assert_int_equal(v.span_ns, 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_cover_the_view_without_gap_or_overlap),
		cmocka_unit_test(an_instant_lies_in_the_column_that_starts_at_or_before_it),
		cmocka_unit_test(instants_outside_fall_on_the_edge_columns),
		cmocka_unit_test(zooming_in_keeps_the_instant_under_the_focus),
		cmocka_unit_test(zooming_out_keeps_the_instant_until_the_whole_trace_shows),
		cmocka_unit_test(n_times_in_and_n_times_out_is_the_start),
		cmocka_unit_test(panning_between_zooms_does_not_change_the_spans),
		cmocka_unit_test(the_view_stays_between_one_ns_per_column_and_the_whole),
		cmocka_unit_test(zooming_out_from_a_few_ns_never_gets_stuck),
		cmocka_unit_test(panning_right_and_left_comes_back),
		cmocka_unit_test(panning_never_loses_sight_of_the_trace),
		cmocka_unit_test(showing_an_interval_centres_it_with_its_margin),
		cmocka_unit_test(resizing_keeps_what_is_shown),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
