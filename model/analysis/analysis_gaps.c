/* gaps: idle time between steps, then per device and per stream, the longest first, each with its first cause. */
#include "analysis.h"
#include "cells.h"
#include "gaps.h"
#include "intervals.h"
#include <stdlib.h>

/* clang-format off */
static const struct column columns[] = {
	{"gap", CELL_INT, UNIT_ID, "number of the gap, the same for every window and filter: --gap N, gap:N"},
	{"scope", CELL_TEXT, UNIT_NONE, "step: between the device work of two steps; device, stream: nothing runs there"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"device", CELL_INT, UNIT_ID, "GPU number; empty: between markers of steps without device work"},
	{"stream", CELL_INT, UNIT_ID, "stream number, for scope stream"},
	{"before", CELL_TEXT, UNIT_NONE, "step before the gap; for other scopes the work before it"},
	{"after", CELL_TEXT, UNIT_NONE, "step after the gap; for other scopes the work after it"},
	{"start_ns", CELL_INT, UNIT_NS, "end of the last device work before"},
	{"dur_ns", CELL_INT, UNIT_NS, "start of the first device work after minus end of the last one before, inside the window"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "gap / period, for step gaps"},
	{"marker_gap_ns", CELL_INT, UNIT_NS, "end of the marker before to start of the marker after; zero or less: no time between them"},
	{"cause", CELL_TEXT, UNIT_NONE, "host event with the largest self time inside the gap on the thread that launches the work after it"},
	{"cause_ns", CELL_INT, UNIT_NS, "that self time"},
	{"cause_event", CELL_INT, UNIT_ID, "id of that event"},
	{"cause_pct", CELL_REAL, UNIT_PERCENT, "cause_ns / whole gap"},
	{"period_ns", CELL_INT, UNIT_NS, "start of the first device work of the step before to that of the step after"},
	{"host", CELL_TEXT, UNIT_NONE, "host of the device"},
};
/* clang-format on */
enum {
	GAP,
	SCOPE,
	RANK,
	DEVICE,
	STREAM,
	BEFORE,
	AFTER,
	START_NS,
	DUR_NS,
	SHARE_PCT,
	MARKER_GAP_NS,
	CAUSE,
	CAUSE_NS,
	CAUSE_EVENT,
	CAUSE_PCT,
	PERIOD_NS,
	HOST
};

/* What sorting needs of a gap, so that millions of them sort without being made again and again. */
struct entry {
	int64_t dur_ns;
	uint32_t id;
	uint32_t scope;
};

static int listing_order(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	if (a->scope != b->scope)
		return a->scope < b->scope ? -1 : 1;
	if (a->dur_ns != b->dur_ns)
		return a->dur_ns < b->dur_ns ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static bool listed(const struct derived *d, const struct query *q, const struct gap *g)
{
	return g->dur_ns >= q->min_gap_ns && g->start_ns < q->b_ns && g->start_ns + g->dur_ns > q->a_ns &&
	       (event_wanted(d, q, g->before) || event_wanted(d, q, g->after));
}

static struct entry *list_gaps(const struct derived *d, const struct query *q, uint32_t *n)
{
	struct entry *list = NULL;
	uint32_t cap = 0, all = derived_gap_count(d);
	*n = 0;
	for (uint32_t i = 0; i < all; i++) {
		struct gap g;
		if (!derived_gap_at(d, i, &g) || !listed(d, q, &g))
			continue;
		if (*n == cap) {
			cap = cap ? cap * 2 : 256;
			list = grow_or_abort(list, cap * sizeof *list);
		}
		list[(*n)++] = (struct entry){g.dur_ns, i, g.scope};
	}
	if (*n)
		qsort(list, *n, sizeof *list, listing_order);
	return list;
}

static void neighbour_cells(const struct derived *d, struct cell *row, const struct gap *g)
{
	const struct trace *t = derived_trace(d);
	const str_id *names = trace_columns(t)->name;
	bool steps = g->scope == GAP_STEP;
	cell_text(&row[BEFORE], steps ? derived_step(d, g->step_before)->label : trace_str(t, names[g->before]));
	cell_text(&row[AFTER], steps ? derived_step(d, g->step_after)->label : trace_str(t, names[g->after]));
	cell_int(&row[STREAM], g->track != NONE_ID ? trace_track(t, g->track)->key : UNKNOWN_I64);
	cell_int(&row[MARKER_GAP_NS], g->marker_gap_ns);
	cell_int(&row[PERIOD_NS], g->period_ns);
	cell_pct(&row[SHARE_PCT], g->dur_ns, g->period_ns);
}

static void gap_row(const struct derived *d, const struct query *q, struct table *out, const struct gap *g)
{
	static const char *const scopes[] = {"step", "device", "stream"};
	const struct trace *t = derived_trace(d);
	uint32_t host = trace_track(t, trace_columns(t)->track[g->after])->host;
	int64_t a_ns = g->start_ns > q->a_ns ? g->start_ns : q->a_ns;
	int64_t b_ns = g->start_ns + g->dur_ns < q->b_ns ? g->start_ns + g->dur_ns : q->b_ns;
	struct gap_cause cause;
	bool caused = derived_gap_cause(d, g, &cause);
	struct cell *row = table_row(out);
	cell_int(&row[GAP], g->id);
	cell_text(&row[SCOPE], scopes[g->scope]);
	cell_host(&row[HOST], t, host);
	cell_rank(&row[RANK], t, host);
	cell_device(&row[DEVICE], t, g->device);
	neighbour_cells(d, row, g);
	cell_int(&row[START_NS], a_ns);
	cell_int(&row[DUR_NS], b_ns - a_ns);
	if (caused) {
		cell_text(&row[CAUSE], cause.name);
		cell_int(&row[CAUSE_NS], cause.self_ns);
		cell_int(&row[CAUSE_EVENT], cause.row);
		cell_pct(&row[CAUSE_PCT], cause.self_ns, g->dur_ns);
	}
	row_id rows[3] = {g->before, g->after, cause.row};
	table_evidence(out, g->start_ns, g->start_ns + g->dur_ns, rows, caused ? 3 : 2);
}

struct table *analysis_gaps(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			    struct err *e)
{
	struct table *out = table_new(mem, "gaps", "Gaps", columns, sizeof columns / sizeof *columns);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	uint32_t n;
	struct entry *list = list_gaps(d, q, &n);
	bool cancelled = false;
	for (uint32_t i = 0; i < n && !cancelled; i++) {
		struct gap g;
		derived_gap_at(d, list[i].id, &g);
		gap_row(d, q, out, &g);
		cancelled = progress_cancelled(p);
	}
	free(list);
	if (!cancelled)
		return out;
	err_usage(e, "cancelled");
	return NULL;
}
