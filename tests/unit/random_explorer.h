/* tests/unit/random_explorer.h - the explorer over a random trace, at a random place, for tests that compare its picture with what looking
 * at every event for every cell gives. Streams with kernels, copies and overlaps; a thread of nested ops with launches; a thread of
 * specks; one of wrapper frames; instants, events side by side, borders at 0 and at the end. Times are multiples of a scale between 1 ns and
 * 2^43 ns, so the narrowest view is 1 ns per column and the widest trace lasts for years. */
#ifndef RANDOM_EXPLORER_H
#define RANDOM_EXPLORER_H
#include "tests/unit/screen_of.h"
#include "tests/unit/seeded.h"

enum { UNITS = 40000, STEP_UNITS = 9000 };
static int64_t random_scale;
static uint64_t random_corr;

static inline void random_add(struct build *b, enum event_kind kind, uint32_t track, const char *name, int64_t at,
			      int64_t dur, uint64_t corr)
{
	struct event_in e = build_event(b, kind, track, name, 0, 0);
	e.start_ns = at * random_scale;
	e.dur_ns = dur * random_scale;
	e.corr = corr;
	build_add(b, &e);
}
/* Short ones often, long ones and instants now and then. */
static inline int64_t random_length(void)
{
	static const int64_t most[] = {1, 2, 8, 40, 300, 2000};
	return below(12) ? 1 + below(most[below(6)]) : 0;
}
static inline void random_stream(struct build *b, int64_t stream, bool overlaps)
{
	static const char *const names[] = {"gemm_fp16", "relu", "vectorized_add_kernel", "k"};
	uint32_t track = build_stream(b, 0, stream);
	for (int64_t at = below(3) ? below(500) : 0; at < UNITS;) {
		int64_t dur = random_length();
		bool copied = below(4) == 0;
		random_add(b, copied ? KIND_COPY : KIND_KERNEL, track, copied ? "MemcpyH2D" : names[below(4)], at, dur,
			   below(3) ? ++random_corr : 0);
		at += overlaps && !below(5) ? dur / 2 : dur;
		at += below(2) ? 0 : below(10) ? below(60) : below(6000);
	}
}
static inline void random_ops(struct build *b, uint32_t track, int64_t at, int64_t end, int depth)
{
	static const char *const names[] = {"aten::linear", "aten::add", "forward", "loss"};
	while (at < end) {
		int64_t dur = random_length() * (depth ? 1 : 4);
		dur = at + dur > end ? end - at : dur;
		random_add(b, KIND_OP, track, names[below(4)], at, dur, 0);
		if (depth < 4 && dur > 2 && below(2))
			random_ops(b, track, at + below(2), at + dur - below(2), depth + 1);
		at += dur + below(40);
	}
}
/* A launch for each piece of device work that names one, soon enough to be on the thread in its order. */
static inline void random_launches(struct build *b, uint32_t track)
{
	for (uint64_t corr = 1; corr <= random_corr; corr++)
		random_add(b, KIND_RUNTIME, track, "cudaLaunchKernel", (int64_t)(corr * UNITS / (random_corr + 1)),
			   1 + below(3), corr);
}
static inline void random_open(uint64_t seed)
{
	static const int64_t scales[] = {1, 1, 3, 997, 1000000, INT64_C(1) << 43};
	struct build b = build_new("chrome");
	seeded(seed);
	random_corr = 0;
	random_scale = scales[below(6)];
	random_stream(&b, 7, below(2));
	random_stream(&b, 8, false);
	random_ops(&b, build_thread(&b, 1), 0, UNITS, 0);
	random_launches(&b, build_thread(&b, 2));
	for (int64_t at = 0; at < UNITS; at += 12 + below(9)) {
		random_add(&b, KIND_OP, build_thread(&b, 3), "outer", at, 9, 0);
		random_add(&b, KIND_OP, build_thread(&b, 3), "inner", at + below(4), 1 + below(5), 0);
	}
	for (int i = 0; i < 3; i++)
		random_add(&b, KIND_PYTHON, build_thread(&b, 4), "<frozen runpy>(88): _run_code", 5 * i, UNITS - 10 * i,
			   0);
	for (int64_t at = below(STEP_UNITS), n = 0; at < UNITS; at += STEP_UNITS, n++)
		profiler_step(&b, 5, (int)n, (double)(at * random_scale) / 1e3,
			      (double)(STEP_UNITS * random_scale) / 1e3);
	screen_open(&b, (int)(20 + below(45)), (int)(60 + below(150)));
	screen_type("2");
}
static inline void random_zooms(struct viewport *p)
{
	viewport_show(p, 0, p->total_ns, 0);
	for (int64_t n = below(16); n; n--)
		viewport_zoom(p, (uint32_t)below(p->cols), 1 + below(2), 3);
	if (!below(5)) /* the narrowest view there is */
		viewport_show(p, below(p->total_ns), 0, 0);
	viewport_pan(p, below(p->cols) - p->cols / 2);
}
/* Somewhere else: view, cursor, lane, scrolling, size of the screen, selection, range. */
static inline void random_place(void)
{
	struct view *v = &screen_st->view;
	const struct columns *c = trace_columns(screen_st->t);
	state_resize(screen_st, (int)(below(2) ? 20 + below(45) : 70 + below(40)), (int)(60 + below(100)));
	random_zooms(&v->port);
	v->event = NONE_ID;
	v->gap = NULL;
	v->step = NONE_ID;
	v->range = false;
	if (!below(3))
		nav_event(screen_st, (row_id)below((int64_t)c->n));
	random_zooms(&v->port);
	v->cursor_ns = v->port.from_ns + below(v->port.span_ns);
	v->cursor_ns = v->cursor_ns < 0 ? 0 : v->cursor_ns >= v->port.total_ns ? v->port.total_ns - 1 : v->cursor_ns;
	nav_lanes(screen_st);
	v->lane = lanes_step(&screen_st->lanes, (uint32_t)below(screen_st->lanes.n), 1);
	v->top = below(3) ? 0 : (uint32_t)below(1 + screen_st->lanes.n / 2);
	v->range = !below(3);
	v->range_a_ns = below(v->port.total_ns);
	v->range_b_ns = v->range_a_ns + 1 + below(v->port.total_ns - v->range_a_ns);
	int64_t border_ns = viewport_col_start(&v->port, (uint32_t)below(v->port.cols));
	if (border_ns > v->range_a_ns)
		v->range_b_ns = border_ns; /* half-open: the column that begins there is outside */
	else if (border_ns >= 0 && below(2))
		v->range_a_ns = border_ns;
	screen_now.ascii = !below(4);
	screen_draw();
}

/* ---- what a column holds, by looking at every event ---------------------------------------------------------------------- */
struct in_cell {
	int64_t a_ns, b_ns, busy_ns, most_ns;
	uint32_t count;
	row_id only; /* the last one that was seen: the only one where count is 1 */
};
static inline int64_t event_end(row_id r)
{
	const struct columns *c = trace_columns(screen_st->t);
	return c->start_ns[r] + c->dur_ns[r];
}
/* Time of the event in [a, b); -1 where it is not in it. An instant lies in what contains it. */
static inline int64_t time_in(row_id r, int64_t a, int64_t b)
{
	int64_t start = trace_columns(screen_st->t)->start_ns[r], end = event_end(r);
	int64_t from = start > a ? start : a, to = end < b ? end : b;
	bool instant = start == end && start >= a && start < b;
	return instant ? 0 : to > from ? to - from : -1;
}
static inline struct in_cell look_at(uint32_t track, uint32_t disp, int64_t a, int64_t b)
{
	const struct columns *c = trace_columns(screen_st->t);
	struct in_cell x = {.a_ns = a, .b_ns = b, .most_ns = -1, .only = NONE_ID};
	for (row_id r = 0; r < c->n; r++) {
		int64_t ns = c->track[r] == track && c->disp[r] == disp ? time_in(r, a, b) : -1;
		if (ns < 0)
			continue;
		x.count++;
		x.busy_ns += ns;
		x.most_ns = ns > x.most_ns ? ns : x.most_ns;
		x.only = r;
	}
	return x;
}
#endif
