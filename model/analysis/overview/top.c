#include "top.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/gaps/idle_advice.h"
#include "model/analysis/maths/largest.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

#define COLUMNS(x) x, sizeof(x) / sizeof *(x)
/* Spans that describe the recording enclose everything and say nothing about the program. */
#define KINDS_HOST (KINDS_ALL & ~KIND_BIT(KIND_PROFILE))

bool top_has_kernels(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	for (uint32_t i = 0; i < trace_device_tracks(t); i++) {
		struct event_iter it = event_iter(t, i, INT64_MIN, INT64_MAX, KIND_BIT(KIND_KERNEL));
		if (trace_track(t, i)->kind == TRACK_STREAM && event_next(&it))
			return true;
	}
	return false;
}

bool top_from_framework(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	const char *key, *value;
	if (trace_devices(t) || derived_steps(d) || trace_traits(t) & SOURCE_PROFILER ||
	    idle_facts(d)->framework != FRAMEWORK_UNKNOWN)
		return true;
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		trace_fact(t, i, &key, &value);
		if (strcmp(key, "producer") == 0 || strcmp(key, "schemaVersion") == 0)
			return true;
	}
	return false;
}

static bool is_host(const struct trace *t, uint32_t track)
{
	enum track_kind k = trace_track(t, track)->kind;
	return k == TRACK_THREAD || k == TRACK_ASYNC;
}

/* ---- threads ------------------------------------------------------------------------------------------------------ */

static const struct column thread_columns[] = {
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the window's length"},
	{"busy_ns", CELL_INT, UNIT_NS, "time in which any event of the thread runs"},
	{"events", CELL_INT, UNIT_COUNT, "its events in the window"},
	{"name", CELL_TEXT, UNIT_NONE, "thread"},
	{"track", CELL_INT, UNIT_ID, "number of the lane"},
};

/* Events come by start, so the part after the latest end so far is new. */
static int64_t busy_of(const struct top_req *r, uint32_t track, int64_t *events)
{
	const struct columns *c = trace_columns(derived_trace(r->d));
	struct event_iter it = event_iter(derived_trace(r->d), track, r->a_ns, r->b_ns, KINDS_HOST);
	int64_t busy = 0, last = r->a_ns;
	for (*events = 0; event_next(&it); ++*events) {
		int64_t a = c->start_ns[it.row], b = a + c->dur_ns[it.row];
		a = a < last ? last : a;
		b = b > r->b_ns ? r->b_ns : b;
		busy += b > a ? b - a : 0;
		last = b > last ? b : last;
	}
	return busy;
}

struct table *top_threads(const struct top_req *r, struct arena *mem)
{
	const struct trace *t = derived_trace(r->d);
	struct table *out = table_bare(mem, "tracks", "Busiest threads", COLUMNS(thread_columns));
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		int64_t events, busy = is_host(t, i) ? busy_of(r, i, &events) : 0;
		if (!busy)
			continue;
		struct cell *row = table_row(out);
		cell_real(&row[TOP_THREAD_SHARE], pct_of(busy, r->b_ns - r->a_ns));
		cell_int(&row[TOP_THREAD_BUSY], busy);
		cell_int(&row[TOP_THREAD_EVENTS], events);
		cell_text(&row[TOP_THREAD_NAME], r->label(r->d, i, r->redact, mem));
		cell_int(&row[TOP_THREAD_TRACK], i);
		table_evidence(out, r->a_ns, r->b_ns, NULL, 0);
	}
	table_sort(out, TOP_THREAD_BUSY, true);
	table_top(out, TOP_ROWS);
	return out;
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

static const struct column event_columns[] = {
	{"dur_ns", CELL_INT, UNIT_NS, "duration, not clipped to the window"},
	{"name", CELL_TEXT, UNIT_NONE, "host event"},
	{"where", CELL_TEXT, UNIT_NONE, "thread"},
	{"start_ns", CELL_INT, UNIT_NS, "start, since the trace's first event"},
};

struct longest {
	row_id at[TOP_ROWS];
	uint32_t n;
};

/* Keeps the list sorted, longest first; equal ones in row order. */
static void offer(struct longest *l, const struct columns *c, row_id r)
{
	if (c->dur_ns[r] <= 0 || (l->n == TOP_ROWS && c->dur_ns[l->at[l->n - 1]] >= c->dur_ns[r]))
		return;
	uint32_t i = l->n < TOP_ROWS ? l->n++ : l->n - 1;
	for (; i > 0 && c->dur_ns[l->at[i - 1]] < c->dur_ns[r]; i--)
		l->at[i] = l->at[i - 1];
	l->at[i] = r;
}

struct table *top_events(const struct top_req *r, struct arena *mem)
{
	const struct trace *t = derived_trace(r->d);
	const struct columns *c = trace_columns(t);
	struct table *out = table_bare(mem, "longest_events", "Longest events", COLUMNS(event_columns));
	struct longest best = {.n = 0};
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		struct event_iter it = event_iter(t, i, r->a_ns, r->b_ns, KINDS_HOST);
		while (is_host(t, i) && event_next(&it))
			offer(&best, c, it.row);
	}
	for (uint32_t i = 0; i < best.n; i++) {
		row_id e = best.at[i];
		struct cell *row = table_row(out);
		cell_int(&row[TOP_EVENT_DUR], c->dur_ns[e]);
		cell_text(&row[TOP_EVENT_NAME], trace_str(t, c->name[e]));
		cell_text(&row[TOP_EVENT_WHERE], r->label(r->d, c->track[e], r->redact, mem));
		cell_int(&row[TOP_EVENT_START], c->start_ns[e]);
		table_evidence(out, c->start_ns[e], c->start_ns[e] + c->dur_ns[e], &e, 1);
	}
	return out;
}

/* ---- by the time of their own: ops of devices without kernels, events of threads ------------------------------------- */

enum { NAMES_MAX = 4096 };
static const struct column op_columns[] = {
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the time of all device work"},
	{"total_ns", CELL_INT, UNIT_NS, "self time, without ops nested inside, on all devices"},
	{"count", CELL_INT, UNIT_COUNT, "how many"},
	{"name", CELL_TEXT, UNIT_NONE, "op"},
};
static const struct column name_columns[] = {
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the time of all events on threads"},
	{"total_ns", CELL_INT, UNIT_NS, "self time, without events nested inside, on all threads"},
	{"count", CELL_INT, UNIT_COUNT, "how many"},
	{"name", CELL_TEXT, UNIT_NONE, "host event"},
};

struct sums {
	struct self_time *at;
	uint32_t n, cap;
};

static void take_track(struct sums *s, const struct top_req *r, uint32_t track)
{
	GROW_ARRAY(s->at, s->n + NAMES_MAX - 1, s->cap);
	s->n += derived_self_times(r->d, track, r->a_ns, r->b_ns, NAMES_MAX, s->at + s->n);
}

static int by_name(const void *pa, const void *pb)
{
	const struct self_time *a = pa, *b = pb;
	return a->name != b->name ? (a->name > b->name) - (a->name < b->name) : (a->row > b->row) - (a->row < b->row);
}

static bool is_work(const struct derived *d, const struct self_time *x)
{
	uint8_t section = cause_of_name(d, x->name).section;
	return section != CAUSE_HOST_WAIT && section != CAUSE_WAITING && !row_is_marker(d, x->row);
}

static void keep_work(struct sums *s, const struct derived *d)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (is_work(d, &s->at[i]))
			s->at[n++] = s->at[i];
	s->n = n;
}

/* Parts of one name become one, the first of them. */
static int64_t merge(struct sums *s)
{
	int64_t all = 0;
	uint32_t n = 0;
	if (s->n)
		qsort(s->at, s->n, sizeof *s->at, by_name);
	for (uint32_t i = 0; i < s->n; i++) {
		all += s->at[i].self_ns;
		if (n && s->at[n - 1].name == s->at[i].name) {
			s->at[n - 1].self_ns += s->at[i].self_ns;
			s->at[n - 1].count += s->at[i].count;
		} else {
			s->at[n++] = s->at[i];
		}
	}
	s->n = n;
	return all;
}

/* A name with what decides its place. */
struct ranked {
	struct self_time of;
	int64_t start_ns;
	const char *name;
};

/* The longest first; of equal ones the one that begins first, then by name: not by the order of the file. */
static int by_time(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	if (a->of.self_ns != b->of.self_ns)
		return a->of.self_ns < b->of.self_ns ? 1 : -1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Of the tracks of one kind. */
static struct table *by_self_time(const struct top_req *r, enum track_kind kind, struct table *out)
{
	const struct trace *t = derived_trace(r->d);
	const struct columns *c = trace_columns(t);
	struct sums s = {0};
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == kind)
			take_track(&s, r, i);
	if (r->works)
		keep_work(&s, r->d);
	int64_t all = merge(&s);
	struct largest first = largest_new(out->mem, TOP_ROWS, sizeof(struct ranked), by_time);
	for (uint32_t i = 0; i < s.n; i++)
		largest_offer(&first, &(struct ranked){s.at[i], c->start_ns[s.at[i].row], trace_str(t, s.at[i].name)});
	const struct ranked *at = largest_sorted(&first);
	for (uint32_t i = 0; i < first.n; i++) {
		struct cell *row = table_row(out);
		row_id e = at[i].of.row;
		cell_real(&row[TOP_OP_SHARE], pct_of(at[i].of.self_ns, all));
		cell_int(&row[TOP_OP_TOTAL], at[i].of.self_ns);
		cell_int(&row[TOP_OP_COUNT], at[i].of.count);
		cell_text(&row[TOP_OP_NAME], at[i].name);
		table_evidence(out, c->start_ns[e], c->start_ns[e] + c->dur_ns[e], &e, 1);
	}
	free(s.at);
	return out;
}

struct table *top_ops(const struct top_req *r, struct arena *mem)
{
	return by_self_time(r, TRACK_STREAM, table_bare(mem, "top_ops", "Top ops", COLUMNS(op_columns)));
}

struct table *top_names(const struct top_req *r, struct arena *mem)
{
	return by_self_time(r, TRACK_THREAD, table_bare(mem, "top_names", "Top events", COLUMNS(name_columns)));
}
