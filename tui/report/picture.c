/* tui/report/picture.c - which lanes a picture shows, and how coarse it must be to stay small. */
#include "picture.h"
#include "lane.h"
#include "tui/text/labels.h"
#include "tui/text/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct paint_info paints[] = {
#define ROW(id, css, colour, legend) {css, colour, legend},
	PAINTS(ROW)
#undef ROW
};
/* clang-format on */

const struct paint_info *paint_info(enum paint p)
{
	return &paints[p];
}

enum { DEVICES_IN_FULL = 2, DEVICE_ROWS = 32 };
enum { STREAMS = 6, STREAM_ROWS = 2, LANES_BELOW = 2, LANE_BELOW_ROWS = 3, MARKER_HOSTS = 4 };
enum { THREADS_ALONE = 4, THREADS_BESIDE = 3, BESIDE_ROWS = 3, CONTEXT_PCT = 25 };

struct build {
	const struct picture_req *req;
	struct lane_view v;
	struct picture *p;
	struct lane *lanes;
	uint32_t n, streams_left, threads_shown, n_threads;
	uint32_t shown[PICTURE_LANES]; /* tracks that have a lane */
	uint32_t n_shown;
};
struct ranked {
	uint32_t track;
	int64_t ns;
};

static const struct trace *trace_of(const struct build *b)
{
	return derived_trace(b->req->d);
}

/* The next free lane, NULL when the picture is full. It only counts once keep_lane is called. */
static struct lane *next_lane(struct build *b, const char *group, const char *label)
{
	if (b->n == PICTURE_LANES)
		return NULL;
	struct lane *l = &b->lanes[b->n];
	*l = (struct lane){.group = group, .label = label};
	return l;
}

static bool keep_lane(struct build *b, const struct lane *l)
{
	if (l->n_rows == 0)
		return false;
	b->n++;
	return true;
}

static bool is_shown(const struct build *b, uint32_t track)
{
	for (uint32_t i = 0; i < b->n_shown; i++)
		if (b->shown[i] == track)
			return true;
	return false;
}

static bool add_track(struct build *b, uint32_t track, uint32_t rows, const char *group)
{
	struct lane *l = next_lane(b, group, track_label(b->req->d, track, b->req->scrub, b->v.mem));
	/* a thread may launch for two devices: its lane is drawn once */
	if (!l || is_shown(b, track))
		return false;
	enum track_kind kind = trace_track(trace_of(b), track)->kind;
	l->host = kind != TRACK_STREAM && kind != TRACK_STREAM_LANE;
	lane_of_track(&b->v, track, rows, l);
	if (!keep_lane(b, l))
		return false;
	b->shown[b->n_shown++] = track;
	return true;
}

static int by_time(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->track < b->track ? -1 : a->track > b->track;
}

static int by_track(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	return a->track < b->track ? -1 : a->track > b->track;
}

/* Keeps the `max` with the most time, then puts them back into track order. */
static uint32_t keep_top(struct ranked *r, uint32_t n, uint32_t max)
{
	qsort(r, n, sizeof *r, by_time);
	n = n < max ? n : max;
	qsort(r, n, sizeof *r, by_track);
	return n;
}

static struct ranked *rank_space(const struct build *b)
{
	return arena_alloc(b->v.mem, (trace_tracks(trace_of(b)) + 1) * sizeof(struct ranked));
}

static void add_lanes_below(struct build *b, uint32_t device, int64_t key)
{
	const struct trace *t = trace_of(b);
	uint32_t added = 0;
	for (uint32_t i = 0; i < trace_tracks(t) && added < LANES_BELOW; i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->kind == TRACK_STREAM_LANE && k->device == device && k->key == key)
			added += add_track(b, i, LANE_BELOW_ROWS, NULL);
	}
}

static uint32_t busy_streams(const struct build *b, uint32_t device, struct ranked *out)
{
	const struct trace *t = trace_of(b);
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->kind != TRACK_STREAM || k->device != device)
			continue;
		int64_t ns = intervals_within(derived_busy_track(b->req->d, i), b->v.a_ns, b->v.b_ns);
		if (ns > 0)
			out[n++] = (struct ranked){i, ns};
	}
	return n;
}

static void add_device(struct build *b, uint32_t device)
{
	const struct trace *t = trace_of(b);
	uint32_t first = b->n;
	/* the group's name goes to the first of the device's lanes, whichever that is */
	struct lane *steps = next_lane(b, NULL, "steps on it");
	if (steps) {
		lane_of_device_steps(&b->v, device, steps);
		keep_lane(b, steps);
	}
	struct ranked *r = rank_space(b);
	uint32_t n = busy_streams(b, device, r), kept = keep_top(r, n, STREAMS);
	b->streams_left += n - kept;
	for (uint32_t i = 0; i < kept; i++) {
		add_track(b, r[i].track, STREAM_ROWS, NULL);
		add_lanes_below(b, device, trace_track(t, r[i].track)->key);
	}
	if (b->n > first)
		b->lanes[first].group = device_label(b->req->d, device, b->req->scrub, b->v.mem);
}

/* The gap's device first, then in order; devices without work in the picture are passed over. In full: how many of them are drawn
 * stream by stream. */
struct picked {
	uint32_t at[DEVICE_ROWS], n, in_full, left;
};
static struct picked pick_devices(const struct build *b)
{
	struct picked p = {.n = 0};
	uint32_t first = b->req->focus ? b->req->focus->device : NONE_ID;
	if (first != NONE_ID)
		p.at[p.n++] = first;
	for (uint32_t i = 0; i < trace_devices(trace_of(b)); i++) {
		if (i == first || !intervals_within(derived_busy_device(b->req->d, i), b->v.a_ns, b->v.b_ns))
			continue;
		if (p.n < DEVICE_ROWS)
			p.at[p.n++] = i;
		else
			p.left++;
	}
	p.in_full = p.n > DEVICES_IN_FULL ? 1 : p.n;
	return p;
}

/* One row for each, in their order. */
static void add_device_rows(struct build *b, const struct picked *p)
{
	const char *group = "devices";
	for (uint32_t i = 0; i < trace_devices(trace_of(b)); i++) {
		bool picked = false;
		for (uint32_t k = 0; k < p->n; k++)
			picked |= p->at[k] == i;
		struct lane *l =
			picked ? next_lane(b, group, device_label(b->req->d, i, b->req->scrub, b->v.mem)) : NULL;
		if (!l)
			continue;
		lane_of_device(&b->v, i, l);
		if (keep_lane(b, l))
			group = NULL;
	}
}

/* Time of the window that outermost events of a thread cover; events that describe the capture do not count. */
static int64_t thread_time(const struct build *b, uint32_t track, int64_t a, int64_t z)
{
	const struct columns *c = trace_columns(trace_of(b));
	struct event_iter it = event_iter(trace_of(b), track, a, z, ~KIND_BIT(KIND_PROFILE));
	int64_t ns = 0;
	while (event_next(&it)) {
		if (c->depth[it.row] > 0)
			continue;
		int64_t s = c->start_ns[it.row], e = s + c->dur_ns[it.row];
		ns += (e < z ? e : z) - (s > a ? s : a);
	}
	return ns;
}

static void add_threads(struct build *b, int64_t a, int64_t z, uint32_t max, uint32_t rows, const char *group)
{
	const struct trace *t = trace_of(b);
	struct ranked *r = rank_space(b);
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		if (trace_track(t, i)->kind != TRACK_THREAD || is_shown(b, i))
			continue;
		int64_t ns = thread_time(b, i, a, z);
		if (ns > 0)
			r[n++] = (struct ranked){i, ns};
	}
	uint32_t kept = keep_top(r, n, max);
	b->n_threads += n - kept;
	for (uint32_t i = 0; i < kept; i++)
		add_track(b, r[i].track, rows, i ? NULL : group);
}

/* What the steps of a host are made of, and with several hosts whose they are. */
static const char *markers_label(const struct build *b, uint32_t host)
{
	const struct host *h = trace_host(trace_of(b), host);
	const char *name = trace_str(trace_of(b), h->name);
	const char *made_of = derived_inference(b->v.d, host)->inferred ? "inferred" : "markers";
	if (trace_hosts(trace_of(b)) < 2)
		return made_of;
	if (h->rank >= 0)
		return arena_printf(b->v.mem, "%s, rank %d", made_of, (int)h->rank);
	return arena_printf(b->v.mem, "%s, %s", made_of,
			    words_clean(b->v.mem, scrub_text(b->req->scrub, "host", name, b->v.mem)));
}

static void add_markers(struct build *b, const struct picked *p)
{
	bool first = true, all = p->in_full == p->n;
	uint32_t only = all ? NONE_ID : trace_device(trace_of(b), p->at[0])->host;
	for (uint32_t h = 0; h < trace_hosts(trace_of(b)) && (h < MARKER_HOSTS || !all); h++) {
		if (only != NONE_ID && h != only)
			continue; /* each device's row says where its steps begin */
		struct lane *l = next_lane(b, first ? "steps" : NULL, markers_label(b, h));
		if (!l)
			return;
		l->host = true;
		lane_of_markers(&b->v, h, l);
		if (keep_lane(b, l))
			first = false;
	}
}

/* Several threads may launch for a device: the one that launched the work after the gap in question and, where more than that
 * gap is shown, the one that launches most. True when a lane was added. */
static bool add_launching(struct build *b, uint32_t device, const char *group)
{
	const struct gap *g = b->req->focus && b->req->focus->device == device ? b->req->focus : NULL;
	uint32_t behind = g ? gap_thread(b->req->d, g) : NONE_ID, most = derived_launch_track(b->req->d, device);
	bool added = behind != NONE_ID && add_track(b, behind, LANE_ROWS, group);
	if (most == NONE_ID || most == behind || (g && b->req->window->kind == WINDOW_GAP && added))
		return added;
	return add_track(b, most, LANE_ROWS, added ? NULL : group) || added;
}

static void add_all(struct build *b, uint32_t *devices_left)
{
	const struct picked p = pick_devices(b);
	*devices_left = p.left;
	if (p.in_full < p.n)
		add_device_rows(b, &p);
	add_markers(b, &p);
	for (uint32_t i = 0; i < p.in_full; i++)
		add_device(b, p.at[i]);
	const char *group = "launching threads";
	for (uint32_t i = 0; i < p.in_full; i++)
		if (add_launching(b, p.at[i], group))
			group = NULL;
	const struct gap *g = b->req->focus;
	bool alone = group != NULL;
	if (alone)
		add_threads(b, b->v.a_ns, b->v.b_ns, THREADS_ALONE, LANE_ROWS, "host threads");
	else if (g && b->req->window->kind == WINDOW_GAP)
		add_threads(b, g->start_ns, g->start_ns + g->dur_ns, THREADS_BESIDE, BESIDE_ROWS, "busy in the gap");
}

static uint32_t hidden_rows(const struct build *b)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->n; i++)
		n += b->lanes[i].hidden_rows;
	return n;
}

static const char *left_out(const struct build *b, uint32_t devices_left)
{
	char text[256] = "";
	size_t n = 0;
	const struct {
		uint32_t count;
		const char *one, *many;
	} parts[] = {{devices_left, "device", "devices"},
		     {b->streams_left, "stream", "streams"},
		     {b->n_threads, "host thread", "host threads"},
		     {hidden_rows(b), "deeper row", "deeper rows"}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].count)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%u %s", n ? ", " : "", parts[i].count,
					      parts[i].count == 1 ? parts[i].one : parts[i].many);
	return n ? arena_printf(b->v.mem, "not drawn: %s", text) : "";
}

static uint32_t fill(struct build *b, uint32_t cols)
{
	uint32_t devices_left, boxes = 0;
	b->v.cols = cols;
	b->n = b->n_shown = b->streams_left = b->n_threads = 0;
	add_all(b, &devices_left);
	for (uint32_t i = 0; i < b->n; i++)
		boxes += lane_boxes(&b->lanes[i]);
	b->p->left_out = left_out(b, devices_left);
	return boxes;
}

static void note_paints(struct picture *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		for (uint32_t r = 0; r < p->lanes[i].n_rows; r++)
			for (uint32_t k = 0; k < p->lanes[i].rows[r].n; k++)
				p->paints[p->lanes[i].rows[r].at[k].paint] = true;
}

static void set_view(struct picture *p, const struct picture_req *r)
{
	int64_t a = r->window->a_ns, z = r->window->b_ns, span = trace_span_ns(derived_trace(r->d));
	if (r->window->kind == WINDOW_GAP) {
		/* a quarter on both sides; in this order, because 25 times a long window would overflow */
		int64_t context = (z - a) / 100 * CONTEXT_PCT + (z - a) % 100 * CONTEXT_PCT / 100;
		a = a - context < 0 ? 0 : a - context;
		z = z + context > span ? span : z + context;
	}
	p->a_ns = a;
	p->b_ns = z > a ? z : a + 1;
	if (!r->focus)
		return;
	int64_t from = r->focus->start_ns, to = from + r->focus->dur_ns;
	p->mark_a_ns = from < p->a_ns ? p->a_ns : from;
	p->mark_b_ns = to > p->b_ns ? p->b_ns : to;
	p->marked = p->mark_a_ns < p->mark_b_ns;
}

struct picture *picture_new(const struct picture_req *r, struct arena *mem)
{
	struct picture *p = arena_alloc(mem, sizeof *p);
	set_view(p, r);
	p->mark[0] = r->mark[0];
	p->mark[1] = r->mark[1];
	struct build b = {
		.req = r, .p = p, .v = {.d = r->d, .mem = mem, .scrub = r->scrub, .a_ns = p->a_ns, .b_ns = p->b_ns}};
	b.lanes = arena_alloc(mem, PICTURE_LANES * sizeof *b.lanes);
	/* coarser until the file is small enough: short events join those beside them */
	uint32_t cols = PICTURE_COLS, boxes = fill(&b, cols);
	while (boxes > PICTURE_BOXES && cols > 50)
		boxes = fill(&b, cols /= 2);
	/* finer for who can look closer, while it stays small */
	while (r->zooms && boxes < PICTURE_BOXES / 2 && cols < FINE_COLS)
		boxes = fill(&b, cols *= 2);
	if (boxes > PICTURE_BOXES && cols > 50)
		fill(&b, cols /= 2);
	p->cols = cols;
	p->lanes = b.lanes;
	p->n_lanes = b.n;
	note_paints(p);
	return p;
}
