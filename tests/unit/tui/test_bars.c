/* Bars against a painter that looks at every event for every column: what is blank, what is full, how high what is between, and
 * whose ink it has. Random rows of events, random views. */
#include "tests/unit/derive_trace.h"
#include "tui/screen/bars.h"
#include "tui/screen/theme.h"
#include <locale.h>
#include <stdlib.h>

enum { EVENTS = 400, VIEWS = 300, COLS = 73, FULL = 0x2588, DARK = 0x2593, LOWER_EIGHTH = 0x2581, SEAM = 0x258F };

static uint32_t seed = 12345;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

/* Events that follow each other, many of them short, some apart; every third one is a copy. */
static struct derived *random_row(void)
{
	struct build b = build_new("chrome");
	double at = 0;
	for (int i = 0; i < EVENTS; i++) {
		double length = below(5) ? 0.001 * (1 + below(40)) : 0.001 * (1 + below(3000));
		if (i % 3)
			kernel(&b, 0, 7, i % 2 ? "even_kernel" : "another", at, length, 0);
		else
			copy(&b, 0, 7, COPY_H2D, 64, at, length, 0);
		at += length + (below(3) ? 0 : 0.001 * below(200));
	}
	return derive(&b);
}

/* What one column holds, by looking at all events. */
struct seen {
	int64_t busy_ns, most_ns;
	uint32_t count;
	bool kernel, copy; /* which of the kinds cover most of it */
};

static struct seen look(const struct trace *t, int64_t a, int64_t b)
{
	const struct columns *c = trace_columns(t);
	struct seen s = {0};
	for (row_id r = 0; r < c->n; r++) {
		int64_t from = c->start_ns[r] > a ? c->start_ns[r] : a;
		int64_t to = c->start_ns[r] + c->dur_ns[r] < b ? c->start_ns[r] + c->dur_ns[r] : b;
		if (to <= from)
			continue;
		s.busy_ns += to - from;
		s.count++;
		if (to - from > s.most_ns)
			s.kernel = s.copy = false;
		if (to - from >= s.most_ns) {
			s.most_ns = to - from;
			s.kernel |= c->kind[r] == KIND_KERNEL;
			s.copy |= c->kind[r] == KIND_COPY;
		}
	}
	return s;
}

static bool is_kernel_ink(int ink)
{
	return ink >= INK_KERNEL_0 && ink <= INK_KERNEL_5;
}

static void check_column(const struct surface_cell *cell, const struct seen *s, int64_t width_ns, uint32_t col)
{
	if (!s->count) {
		assert_int_equal(cell->cp, ' ');
		return;
	}
	if (cell->cp == ' ')
		fail_msg("column %u is blank and holds %u events", col, s->count);
	assert_true((s->kernel && is_kernel_ink(cell->ink)) || (s->copy && cell->ink == INK_COPY));
	bool named = !(cell->pen & PEN_SHAPE); /* a name, or the seam before it, stands on full columns only */
	uint32_t fill = cell->ink == INK_COPY ? DARK : FULL;
	int64_t sixteenths = s->busy_ns * 16 / width_ns;
	if (s->busy_ns == width_ns)
		assert_true(named || cell->cp == fill);
	else if (sixteenths < 13)
		assert_true(!named && cell->cp != fill);
	if (s->count > 2 && s->busy_ns < width_ns && !named) {
		/* the nearest eighth, but neither nothing nor all */
		int64_t eighth = (s->busy_ns * 16 + width_ns) / (2 * width_ns);
		eighth = eighth < 1 ? 1 : eighth > 7 ? 7 : eighth;
		assert_int_equal(cell->cp, LOWER_EIGHTH + eighth - 1);
	}
}

static void bars_are_what_a_painter_of_every_event_paints(void **state)
{
	(void)state;
	struct derived *d = random_row();
	const struct trace *t = derived_trace(d);
	uint32_t track = stream_track(d, 7), checked = 0;
	struct surface s = {0};
	assert_int_equal(trace_track(t, track)->n_rows, 1);
	for (int i = 0; i < VIEWS; i++) {
		struct viewport v = viewport_whole(trace_span_ns(t), COLS);
		for (uint32_t zooms = below(12); zooms; zooms--)
			viewport_zoom(&v, below(COLS), 1, 2);
		viewport_pan(&v, (int64_t)below(COLS) - COLS / 2);
		struct bars b = {.d = d, .chosen = NONE_ID};
		bool used[COLS];
		surface_resize(&s, 1, COLS);
		bars_draw(&b, &s, 0, 0, &v, track, 0, used);
		for (uint32_t c = 0; c < COLS; c++, checked++) {
			int64_t from = viewport_col_start(&v, c), to = viewport_col_start(&v, c + 1);
			struct seen seen = look(t, from, to);
			assert_int_equal(used[c], seen.count > 0);
			check_column(surface_at(&s, 0, (int)c), &seen, to - from, c);
		}
	}
	assert_int_equal(checked, VIEWS * COLS);
	surface_free(&s);
	derived_free(d);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {cmocka_unit_test(bars_are_what_a_painter_of_every_event_paints)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
