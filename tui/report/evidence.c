/* tui/report/evidence.c - tables that only make sense for one window: who did what in the gap, what stands at its edges. */
#include "content.h"
#include "tui/text/labels.h"
#include "tui/text/words.h"
#include <stdlib.h>

enum { SELF_ROWS = 12, THREAD_ROWS = 8, LONGEST_ROWS = 20 };

static const struct column self_columns[] = {
	{"name", CELL_TEXT, UNIT_NONE, "host event, summed over all of that name in the window"},
	{"count", CELL_INT, UNIT_COUNT, "how many of them"},
	{"self_ns", CELL_INT, UNIT_NS, "time in them and not in events nested inside, clipped to the window"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "self_ns of the window's length"},
};
static const struct column thread_columns[] = {
	{"thread", CELL_TEXT, UNIT_NONE, "host thread"},
	{"name", CELL_TEXT, UNIT_NONE, "its host event with the largest self time in the window"},
	{"self_ns", CELL_INT, UNIT_NS, "that self time, clipped to the window"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "self_ns of the window's length"},
	{"launching", CELL_BOOL, UNIT_NONE, "the thread that launched the work after the gap"},
};
static const struct column edge_columns[] = {
	{"edge", CELL_TEXT, UNIT_NONE, "last work before the gap, first work after it, and the call that launched it"},
	{"name", CELL_TEXT, UNIT_NONE, "event"},
	{"where", CELL_TEXT, UNIT_NONE, "stream or thread"},
	{"op", CELL_TEXT, UNIT_NONE, "framework op of the work"},
	{"start_ns", CELL_INT, UNIT_NS, "start, since the trace's first event"},
	{"dur_ns", CELL_INT, UNIT_NS, "duration"},
};
static const struct column longest_columns[] = {
	{"name", CELL_TEXT, UNIT_NONE, "device event"},
	{"where", CELL_TEXT, UNIT_NONE, "stream"},
	{"op", CELL_TEXT, UNIT_NONE, "framework op of the work"},
	{"start_ns", CELL_INT, UNIT_NS, "start, since the trace's first event"},
	{"dur_ns", CELL_INT, UNIT_NS, "duration, not clipped"},
};
#define COLUMNS(x) x, sizeof(x) / sizeof *(x)

static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static struct table *table_in(struct content *c, const char *name, const struct column *cols, size_t n, int64_t a,
			      int64_t b)
{
	struct table *t = table_bare(&c->mem, name, name, cols, (uint32_t)n);
	t->window_a_ns = a;
	t->window_b_ns = b;
	return t;
}

struct table *evidence_self(struct content *c, uint32_t track, int64_t a_ns, int64_t b_ns)
{
	struct table *t = table_in(c, "self_times", COLUMNS(self_columns), a_ns, b_ns);
	struct self_time self[SELF_ROWS];
	uint32_t n = track == NONE_ID ? 0 : derived_self_times(c->req->d, track, a_ns, b_ns, SELF_ROWS, self);
	for (uint32_t i = 0; i < n; i++) {
		struct cell *row = table_row(t);
		cell_text(&row[0], trace_str(derived_trace(c->req->d), self[i].name));
		cell_int(&row[1], self[i].count);
		cell_int(&row[2], self[i].self_ns);
		cell_real(&row[3], share(self[i].self_ns, b_ns - a_ns));
		table_evidence(t, a_ns, b_ns, &self[i].row, 1);
	}
	return t;
}

struct table *evidence_threads(struct content *c, const struct gap *g)
{
	const struct derived *d = c->req->d;
	int64_t a = g->start_ns, b = g->start_ns + g->dur_ns;
	struct table *t = table_in(c, "threads_in_gap", COLUMNS(thread_columns), a, b);
	uint32_t launching = g->device == NONE_ID ? NONE_ID : gap_thread(d, g);
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)); i++) {
		struct self_time top;
		if (trace_track(derived_trace(d), i)->kind != TRACK_THREAD || !derived_self_times(d, i, a, b, 1, &top))
			continue;
		struct cell *row = table_row(t);
		cell_text(&row[0], track_label(d, i, c->req->redact, &c->mem));
		cell_text(&row[1], trace_str(derived_trace(d), top.name));
		cell_int(&row[2], top.self_ns);
		cell_real(&row[3], share(top.self_ns, g->dur_ns));
		cell_bool(&row[4], i == launching);
		table_evidence(t, a, b, &top.row, 1);
	}
	table_sort(t, 2, true); /* by self_ns */
	table_top(t, THREAD_ROWS);
	return t;
}

static void edge_row(struct content *c, struct table *t, const char *edge, row_id r)
{
	const struct derived *d = c->req->d;
	const struct columns *col = trace_columns(derived_trace(d));
	if (r == NONE_ID)
		return;
	struct cell *row = table_row(t);
	cell_text(&row[0], edge);
	cell_text(&row[1], trace_str(derived_trace(d), col->name[r]));
	cell_text(&row[2], track_label(d, col->track[r], c->req->redact, &c->mem));
	const char *op = kind_is_work((enum event_kind)col->kind[r]) ? derived_op(d, r) : "";
	cell_text(&row[3], *op ? op : NULL);
	cell_int(&row[4], col->start_ns[r]);
	cell_int(&row[5], col->dur_ns[r]);
	table_evidence(t, col->start_ns[r], col->start_ns[r] + col->dur_ns[r], &r, 1);
}

static row_id launch_of(const struct content *c, row_id r)
{
	const struct columns *col = trace_columns(derived_trace(c->req->d));
	if (r == NONE_ID || !col->link || !kind_is_work((enum event_kind)col->kind[r]))
		return NONE_ID;
	return col->link[r];
}

struct table *evidence_edges(struct content *c, const struct gap *g)
{
	struct table *t = table_in(c, "edges_of_gap", COLUMNS(edge_columns), g->start_ns, g->start_ns + g->dur_ns);
	edge_row(c, t, "last before", g->before);
	edge_row(c, t, "launch of the first after", launch_of(c, g->after));
	edge_row(c, t, "first after", g->after);
	return t;
}

struct longest {
	row_id at[LONGEST_ROWS];
	uint32_t n;
};

/* Keeps the list sorted, longest first; equal ones in row order. */
static void offer(struct longest *l, const struct columns *c, row_id r)
{
	if (l->n == LONGEST_ROWS && c->dur_ns[l->at[l->n - 1]] >= c->dur_ns[r])
		return;
	uint32_t i = l->n < LONGEST_ROWS ? l->n++ : l->n - 1;
	for (; i > 0 && c->dur_ns[l->at[i - 1]] < c->dur_ns[r]; i--)
		l->at[i] = l->at[i - 1];
	l->at[i] = r;
}

static bool wanted(const struct content *c, row_id r)
{
	if (!c->req->filter)
		return true;
	uint32_t step = derived_step_of(c->req->d, r);
	const char *label = step == NONE_ID ? NULL : derived_step(c->req->d, step)->label;
	return filter_match(c->req->filter, r, label);
}

struct table *evidence_longest(struct content *c, int64_t a_ns, int64_t b_ns)
{
	const struct trace *t = derived_trace(c->req->d);
	const struct columns *col = trace_columns(t);
	struct longest best = {.n = 0};
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		if (trace_track(t, i)->kind != TRACK_STREAM)
			continue;
		struct event_iter it = event_iter(t, i, a_ns, b_ns, KINDS_WORK);
		while (event_next(&it))
			if (wanted(c, it.row))
				offer(&best, col, it.row);
	}
	struct table *out = table_in(c, "longest_device_events", COLUMNS(longest_columns), a_ns, b_ns);
	for (uint32_t i = 0; i < best.n; i++) {
		row_id r = best.at[i];
		struct cell *row = table_row(out);
		const char *op = derived_op(c->req->d, r);
		cell_text(&row[0], trace_str(t, col->name[r]));
		cell_text(&row[1], track_label(c->req->d, col->track[r], c->req->redact, &c->mem));
		cell_text(&row[2], *op ? op : NULL);
		cell_int(&row[3], col->start_ns[r]);
		cell_int(&row[4], col->dur_ns[r]);
		table_evidence(out, col->start_ns[r], col->start_ns[r] + col->dur_ns[r], &r, 1);
	}
	return out;
}
