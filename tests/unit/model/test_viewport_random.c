/* The time axis under any sequence of moves: columns cover the view without loss, each instant lies in the column that begins at or before
 * it, the focus of a zoom stays put, moves undo each other. Random totals from 1 ns to 2^61 ns, widths from 1 to 4096 columns. */
#include "model/viewport.h"
#include "tests/unit/seeded.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

enum { AXES = 400, MOVES = 60, INSTANTS = 12 };
static const int64_t LONGEST = INT64_C(1) << 61;

static const int64_t factors[][2] = {{1, 2}, {2, 1}, {2, 3}, {3, 2}, {9, 10}, {10, 9}, {1, 1000}, {1000, 1}};
enum { FACTORS = sizeof factors / sizeof *factors };

static int64_t narrowest(const struct viewport *v)
{
	return v->total_ns < v->cols ? v->total_ns : v->cols;
}

/* By counting: the last column that begins at or before the instant; columns outside are the first and the last one. */
static uint32_t column_by_counting(const struct viewport *v, int64_t ts_ns)
{
	uint32_t found = 0;
	for (uint32_t c = 0; c < v->cols; c++)
		if (viewport_col_start(v, c) <= ts_ns)
			found = c;
	return found;
}

static void columns_are_a_partition(const struct viewport *v)
{
	assert_true(v->span_ns >= narrowest(v) && v->span_ns <= v->total_ns);
	assert_int_equal(viewport_col_start(v, 0), v->from_ns);
	assert_int_equal(viewport_col_start(v, v->cols), v->from_ns + v->span_ns);
	int64_t least = v->span_ns / v->cols;
	for (uint32_t c = 0; c < v->cols; c++) {
		int64_t width = viewport_col_start(v, c + 1) - viewport_col_start(v, c);
		assert_true(width == least || width == least + 1);
	}
}

static void instants_lie_in_their_columns(const struct viewport *v)
{
	for (int i = 0; i < INSTANTS; i++) {
		int64_t ts = v->from_ns - v->span_ns / 4 + below(v->span_ns + v->span_ns / 2 + 1);
		if (i < 4) /* the borders themselves */
			ts = viewport_col_start(v, (uint32_t)below(v->cols + 1)) - (i & 1);
		bool inside = ts >= v->from_ns && ts < v->from_ns + v->span_ns;
		assert_int_equal(viewport_shows(v, ts), inside);
		assert_int_equal(viewport_col_of(v, ts), column_by_counting(v, ts));
	}
}

static void the_trace_is_in_sight(const struct viewport *v)
{
	assert_true(v->from_ns < v->total_ns);
	assert_true(v->from_ns + v->span_ns > 0);
	if (v->span_ns == v->total_ns)
		assert_int_equal(v->from_ns, 0);
}

/* At an end of what can be shown the view cannot go on. */
static bool at_an_end(const struct viewport *v)
{
	int64_t column = v->span_ns / v->cols > 0 ? v->span_ns / v->cols : 1;
	return v->span_ns == v->total_ns || v->span_ns == narrowest(v) || v->from_ns == column - v->span_ns ||
	       v->from_ns == v->total_ns - column;
}

static void zoom(struct viewport *v)
{
	const int64_t *f = factors[below(FACTORS)];
	uint32_t focus = (uint32_t)below(v->cols);
	struct viewport before = *v;
	int64_t instant = viewport_col_start(v, focus);
	viewport_zoom(v, focus, f[0], f[1]);
	assert_true(f[0] < f[1] ? v->span_ns <= before.span_ns : v->span_ns >= before.span_ns);
	if (v->span_ns != before.span_ns && !at_an_end(v))
		assert_int_equal(viewport_col_start(v, focus), instant);
	if (at_an_end(v) || at_an_end(&before))
		return;
	struct viewport again = *v;
	viewport_zoom(&again, focus, f[1], f[0]);
	assert_int_equal(again.span_ns, before.span_ns);
	if (!at_an_end(&again))
		assert_int_equal(again.from_ns, before.from_ns);
}

static void pan(struct viewport *v)
{
	struct viewport before = *v;
	int64_t cols = below(2 * v->cols + 1) - v->cols;
	viewport_pan(v, cols);
	assert_int_equal(v->span_ns, before.span_ns);
	assert_true(cols < 0 ? v->from_ns <= before.from_ns : v->from_ns >= before.from_ns);
	if (at_an_end(v))
		return;
	struct viewport again = *v;
	viewport_pan(&again, -cols);
	if (!at_an_end(&again))
		assert_int_equal(again.from_ns, before.from_ns);
}

static void show(struct viewport *v)
{
	int64_t a = below(v->total_ns), b = a + below(v->total_ns - a) + 1;
	viewport_show(v, a, b, (int)below(30));
	assert_true(viewport_shows(v, a));
	assert_true(viewport_shows(v, b - 1));
}

static void resize(struct viewport *v)
{
	struct viewport before = *v;
	viewport_resize(v, (uint32_t)of_any_size(4096));
	if (before.span_ns >= narrowest(v) && !at_an_end(v))
		assert_int_equal(v->from_ns, before.from_ns);
	assert_true(v->span_ns >= before.span_ns);
}

static void any_sequence_of_moves_keeps_the_axis_sound(void **state)
{
	(void)state;
	static void (*const moves[])(struct viewport *) = {zoom, zoom, zoom, pan, pan, show, resize};
	for (int i = 0; i < AXES; i++) {
		seeded((uint64_t)i + 1);
		int64_t total = of_any_size(LONGEST);
		struct viewport v = viewport_whole(total, (uint32_t)of_any_size(4096));
		for (int k = 0; k < MOVES; k++) {
			moves[below((int64_t)(sizeof moves / sizeof *moves))](&v);
			columns_are_a_partition(&v);
			instants_lie_in_their_columns(&v);
			the_trace_is_in_sight(&v);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_sequence_of_moves_keeps_the_axis_sound)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
