/* tui/panes/selection_details.c - what is known about the selected event, gap or step, as pairs of a word and a text. */
#include "kernel_details.h"
#include "pane_timeline.h"
#include "model/analysis/comms/clocks.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/gaps/why.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include "tui/screen/wrap.h"
#include "tui/text/cause_text.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include "tui/timeline/cell_names.h"
#include <inttypes.h>
#include <string.h>

enum { NAME_COLS = 60 }; /* of names below the timeline; Enter's page has all of them */
enum {
	OTHERS_BELOW = 3,
	OTHERS_ALL = 7
}; /* what else the host did in a gap: below the timeline, and on its own page */

/* ---- words -------------------------------------------------------------------------------------------------------- */

const char *gap_name(const struct derived *d, const struct gap *g, char *buf, size_t size)
{
	struct arena mem = {0};
	snprintf(buf, size, "%s", gap_place_short(d, g, "\xe2\x86\x92", &mem));
	arena_free(&mem);
	return buf;
}

static const char *pct(char *buf, int64_t part, int64_t whole)
{
	return fmt_pct(buf, pct_of(part, whole));
}

/* "gap 8->9: 60.000 ms, 37.5 % of 160.000 ms, GPU 0" */
static const char *gap_sentence(const struct derived *d, const struct gap *g, char *buf, size_t size)
{
	const struct trace *t = derived_trace(d);
	char name[64], length[UNITS_BUF], share[UNITS_BUF], period[UNITS_BUF], device[96] = "host";
	if (g->device != NONE_ID)
		trace_device_label(t, g->device, device, sizeof device);
	struct arena mem = {0};
	const char *where = g->scope == GAP_STEP ? gap_name(d, g, name, sizeof name) : gap_place_text(d, g, &mem);
	int n = snprintf(buf, size, "gap %s: %s", *where ? where : "idle", fmt_ns(length, g->dur_ns));
	arena_free(&mem);
	if (g->period_ns != UNKNOWN_I64 && n > 0 && (size_t)n < size)
		n += snprintf(buf + n, size - (size_t)n, ", %s of %s", pct(share, g->dur_ns, g->period_ns),
			      fmt_ns(period, g->period_ns));
	if (n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, ", %s", device);
	return buf;
}

static void add_text(struct reader *r, const char *key, const char *text)
{
	if (text && *text)
		reader_add(r, INK_TEXT, key, text);
}

/* ---- an event ----------------------------------------------------------------------------------------------------- */

static void add_times(const struct state *st, struct reader *out, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	char a[UNITS_BUF], b[UNITS_BUF];
	reader_addf(out, "duration", "%s", fmt_ns(a, c->dur_ns[r]));
	if (st->self_of == r && st->self_ns != c->dur_ns[r])
		reader_addf(out, "self", "%s (%s)", fmt_ns(a, st->self_ns), pct(b, st->self_ns, c->dur_ns[r]));
	reader_addf(out, "start", "%s", fmt_ns(a, c->start_ns[r]));
	uint32_t step = derived_step_of(st->d, r);
	add_text(out, "step", step == NONE_ID ? "none" : derived_step(st->d, step)->label);
}

/* Below the timeline cut, on the page of their own whole. */
static const char *name_shown(const struct state *st, const struct reader *out, uint32_t name, char *buf)
{
	const char *text = trace_str(st->t, name);
	return out == &st->reader ? text : name_fit(text, NAME_COLS, buf);
}

static const char *event_name(const struct state *st, const struct reader *out, row_id r, char *buf)
{
	return name_shown(st, out, trace_columns(st->t)->name[r], buf);
}

/* Time from the launch call's begin to the start of the device work. */
static void add_launch(const struct state *st, struct reader *out, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	char after[UNITS_BUF], name[NAMES_BUF];
	row_id l = c->link[r];
	if (!kind_is_work(c->kind[r]))
		return;
	if (l == NONE_ID)
		reader_add(out, INK_TEXT, "launch", "not in the trace");
	else
		reader_addf(out, "launch [", "%s #%" PRIu32 ", %s before", event_name(st, out, l, name), l,
			    fmt_ns(after, c->start_ns[r] - c->start_ns[l]));
	add_text(out, "op", derived_op(st->d, r));
}

/* Where the launch stood when the graph was captured. */
static void add_capture(const struct state *st, struct reader *out, row_id r)
{
	const struct replayed_work *x = trace_side(st->t, SIDE_REPLAYED, r);
	const struct kernel_info *k = x ? trace_kernel(st->t, r) : NULL;
	if (!x)
		return;
	add_text(out, "captured",
		 x->match == REPLAY_UNMATCHED  ? "not in the capture that was given"
		 : x->match == REPLAY_BY_PLACE ? "as another kernel, at its place"
					       : trace_str(st->t, x->stack));
	add_text(out, "module", k ? trace_str(st->t, k->module) : "");
}

static void add_launched(const struct state *st, struct reader *out, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	const row_id *rows;
	char after[UNITS_BUF], name[NAMES_BUF];
	uint32_t n = kind_is_work(c->kind[r]) ? 0 : trace_launched(st->t, r, &rows);
	if (n == 1)
		reader_addf(out, "launches ]", "%s #%" PRIu32 ", %s later", event_name(st, out, rows[0], name), rows[0],
			    fmt_ns(after, c->start_ns[rows[0]] - c->start_ns[r]));
	else if (n > 1)
		reader_addf(out, "launches ]", "%" PRIu32 " device events, first %s #%" PRIu32, n,
			    event_name(st, out, rows[0], name), rows[0]);
}

/* Flows, producers and consumers. */
static void add_links(const struct state *st, struct reader *out, row_id r)
{
	enum { SHOWN = 4 };
	struct event_link links[SHOWN];
	char name[NAMES_BUF];
	uint32_t n = event_links_of(timeline_links(st->jobs), st->t, r, links, SHOWN);
	for (uint32_t i = 0; i < n && i < SHOWN; i++)
		if (links[i].kind != LINK_LAUNCH && links[i].kind != LINK_WORK)
			reader_addf(out, link_kind_name(links[i].kind), "%s #%" PRIu32,
				    event_name(st, out, links[i].row, name), links[i].row);
}

/* The other end of a block of memory; its address may be given out again without a free. */
static void add_block_end(const struct state *st, struct reader *out, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	char name[NAMES_BUF], alive[UNITS_BUF];
	const struct allocation *a = trace_side(st->t, SIDE_ALLOCATIONS, r);
	row_id end = a ? timeline_block_end(st->jobs, r) : NONE_ID;
	if (end == NONE_ID)
		return;
	const struct allocation *other = trace_side(st->t, SIDE_ALLOCATIONS, end);
	int64_t ns = c->start_ns[end] - c->start_ns[r];
	reader_addf(out,
		    a->bytes < 0       ? "allocated ["
		    : other->bytes < 0 ? "freed ]"
				       : "press ] again",
		    "%s #%" PRIu32 ", %s %s", event_name(st, out, end, name), end, fmt_ns(alive, ns < 0 ? -ns : ns),
		    ns < 0 ? "before" : "later");
}

/* The instruction of a compiled program that the work belongs to. */
static void add_instruction(const struct state *st, struct reader *out, const struct hlo_info *h)
{
	char n[UNITS_BUF];
	const char *category = trace_str(st->t, h->category);
	reader_addf(out, "instruction", "%s%s%s", trace_str(st->t, h->name), *category ? ", " : "", category);
	add_text(out, "source", trace_str(st->t, h->source));
	if (h->flops >= 0)
		reader_addf(out, "arithmetic", "%s operations a run", fmt_count(n, h->flops));
	if (h->bytes >= 0)
		reader_addf(out, "traffic", "%s a run at least", fmt_bytes(n, h->bytes));
}

static void add_copy(struct reader *out, const struct copy_info *k, int64_t dur_ns)
{
	char buf[UNITS_BUF];
	reader_addf(out, "direction", "%s", copy_kind_name(k->kind));
	if (k->kind == COPY_P2P && k->from_device >= 0)
		reader_addf(out, "from device", "%d", k->from_device);
	if (k->kind == COPY_P2P && k->to_device >= 0)
		reader_addf(out, "to device", "%d", k->to_device);
	if (k->bytes != UNKNOWN_I64)
		reader_addf(out, "size", "%s", fmt_bytes(buf, k->bytes));
	if (k->bytes != UNKNOWN_I64 && dur_ns > 0)
		reader_addf(out, "rate", "%s", fmt_rate(buf, (double)k->bytes * 1e9 / (double)dur_ns));
	if (k->src != MEM_UNKNOWN || k->dst != MEM_UNKNOWN)
		reader_addf(out, "memory", "%s to %s", memory_kind_name(k->src), memory_kind_name(k->dst));
}

static bool has_line(const struct reader *out, const char *key)
{
	for (uint32_t i = 0; i < out->n; i++)
		if (out->lines[i].key && strcmp(out->lines[i].key, key) == 0)
			return true;
	return false;
}

/* What the producer wrote and we already say under a name of ours, with its unit. */
static bool said_already(const struct reader *out, const char *key)
{
	static const struct {
		const char *theirs, *ours;
	} names[] = {{"grid", "grid"},
		     {"block", "block"},
		     {"registers per thread", "registers"},
		     {"shared memory", "shared memory"},
		     {"est. achieved occupancy %", "occupancy"},
		     {"blocks per SM", "blocks per SM"},
		     {"bytes", "size"},
		     {"kernel_details", "grid"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(key, names[i].theirs) == 0 && has_line(out, names[i].ours))
			return true;
	return false;
}

static void add_attrs(const struct state *st, struct reader *out, attr_at at, const char *prefix)
{
	struct arena mem = {0};
	struct attr *list;
	size_t n;
	if (at && attrs_read(trace_attrs(st->t), at, &mem, &list, &n)) {
		for (size_t i = 0; i < n; i++) {
			const char *key = trace_str(st->t, list[i].key);
			if (said_already(out, key))
				continue;
			const char *full = *prefix ? arena_printf(&mem, "%s%s", prefix, key) : key;
			reader_add(out, INK_TEXT, full, attr_text(&list[i], trace_strings(st->t), &mem));
		}
	} else if (at)
		reader_add(out, INK_BAD, *prefix ? "end: attributes" : "attributes", "damaged in the file: unknown");
	arena_free(&mem);
}

/* What the call of a collective was on the other devices. */
static void add_call(const struct state *st, struct reader *out, row_id r)
{
	const struct rank_marks *m = timeline_ranks(st->jobs);
	const struct collective *c = rank_marks_call(m, r);
	char wait[UNITS_BUF], by[UNITS_BUF], label[160];
	if (!c || c->match == NONE_ID)
		return;
	const struct collective_match *call = &m->all->matches[c->match];
	const struct collective *last = &m->all->at[call->last];
	int64_t by_ns = collective_last_by_ns(m->all, call);
	if (by_ns > 0)
		reader_addf(out, "last", "%s, by %s", trace_device_label(st->t, last->device, label, sizeof label),
			    fmt_ns(by, by_ns));
	reader_addf(out, "waits", "%s", fmt_ns(wait, collective_wait_ns(m->all, c)));
	reader_addf(out, "transfer", "%s", fmt_ns(wait, c->end_ns - c->start_ns - collective_wait_ns(m->all, c)));
}

static void add_event(const struct state *st, struct reader *out, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	char label[160];
	const struct kernel_info *kernel = trace_kernel(st->t, r);
	const struct copy_info *copy = trace_copy(st->t, r);
	add_times(st, out, r);
	add_call(st, out, r);
	add_launch(st, out, r);
	add_capture(st, out, r);
	add_launched(st, out, r);
	add_links(st, out, r);
	add_block_end(st, out, r);
	if (kernel)
		kernel_details(st, out, r, kernel);
	if (copy)
		add_copy(out, copy, c->dur_ns[r]);
	if (trace_hlo(st->t, r))
		add_instruction(st, out, trace_hlo(st->t, r));
	add_text(out, "lane", trace_track_label(st->t, c->track[r], label, sizeof label));
	add_attrs(st, out, number_at(c->attrs, r), "");
	add_attrs(st, out, trace_end_attrs(st->t, r), "end: ");
}

void event_reader(struct state *st, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	char id[64];
	reader_clear(&st->reader, "Event");
	snprintf(id, sizeof id, "%s #%" PRIu32, kind_name(c->kind[r]), r);
	reader_add(&st->reader, INK_HEAD, NULL, id);
	reader_add(&st->reader, INK_STRONG, NULL, trace_str(st->t, c->name[r]));
	if (c->kind[r] == KIND_KERNEL)
		kernel_details_name(st, &st->reader, r);
	reader_add(&st->reader, INK_TEXT, NULL, "");
	add_event(st, &st->reader, r);
}

/* ---- a gap, a step ------------------------------------------------------------------------------------------------ */

static void add_cause(const struct state *st, struct reader *out, const struct gap *g, const struct why *why)
{
	enum { KEY_COLS = 8, NO_LIMIT = 1 << 20 };
	struct arena mem = {0};
	reader_add(out, why->verdict.cause != CAUSE_UNKNOWN ? INK_STRONG : INK_WARN, "cause",
		   cause_text(&mem, g, why, out == &st->reader ? NO_LIMIT : st->cols - KEY_COLS));
	if (why->verdict.cause != CAUSE_UNKNOWN)
		reader_addf(out, "confidence", "%.2f", why->verdict.confidence);
	arena_free(&mem);
}

/* What else the launching thread spent the gap on: the `most` names beside the main event's and those of step markers. */
static void add_others(const struct state *st, struct reader *out, const struct gap *g, const struct gap_verdict *v,
		       uint32_t most)
{
	enum { SKIPPED = 4 };
	struct self_time times[SKIPPED + OTHERS_ALL];
	char ns[UNITS_BUF], share[UNITS_BUF], name[NAMES_BUF];
	uint32_t track = g->device == NONE_ID ? NONE_ID : gap_thread(st->d, g);
	if (track == NONE_ID || v->cause == CAUSE_LOST)
		return;
	uint32_t n = derived_self_times(st->d, track, g->start_ns, g->start_ns + g->dur_ns, SKIPPED + most, times);
	for (uint32_t i = 0, listed = 0; i < n && listed < most; i++)
		if (times[i].self_ns > 0 && !row_is_marker(st->d, times[i].row) &&
		    (v->row == NONE_ID || times[i].name != trace_columns(st->t)->name[v->row]))
			reader_addf(out, listed++ ? "" : "then", "%s %s (%s)", name_shown(st, out, times[i].name, name),
				    fmt_ns(ns, times[i].self_ns), pct(share, times[i].self_ns, g->dur_ns));
}

/* What to read first comes first: on a small screen the panel ends before its list does. */
static void add_gap(const struct state *st, struct reader *out, const struct gap *g, uint32_t others)
{
	char a[UNITS_BUF], b[UNITS_BUF], name[NAMES_BUF];
	struct why why = why_of(st->d, g);
	add_cause(st, out, g, &why);
	reader_addf(out, "from", "%s to %s", fmt_ns(a, g->start_ns), fmt_ns(b, g->start_ns + g->dur_ns));
	if (g->marker_gap_ns != UNKNOWN_I64)
		reader_addf(out, "between markers", "%s", fmt_ns(a, g->marker_gap_ns));
	if (g->device != NONE_ID || g->scope == GAP_STEP)
		add_text(out, "advice", gap_advice(st->d, g, why.verdict.cause, why.verdict.row));
	if (g->before != NONE_ID)
		add_text(out, "before", event_name(st, out, g->before, name));
	if (g->after != NONE_ID)
		add_text(out, "after", event_name(st, out, g->after, name));
	add_others(st, out, g, &why.verdict, others);
}

void gap_reader(struct state *st, const struct gap *g)
{
	char text[256];
	reader_clear(&st->reader, "Gap");
	reader_add(&st->reader, INK_HEAD, NULL, gap_sentence(st->d, g, text, sizeof text));
	reader_add(&st->reader, INK_TEXT, NULL, "");
	add_gap(st, &st->reader, g, OTHERS_ALL);
}

static void add_step(const struct state *st, struct reader *out, const struct step *s, uint32_t step)
{
	char a[UNITS_BUF], label[96], text[256];
	reader_addf(out, "step time", "%s", fmt_ns(a, s->time_end_ns - s->start_ns));
	reader_addf(out, "start", "%s", fmt_ns(a, s->start_ns));
	reader_addf(out, "last member ends", "%s", fmt_ns(a, s->members_end_ns));
	reader_addf(out, "marker", "%s%s", s->name ? derived_step_name(st->d, s) : "none",
		    s->inferred ? " (inferred)" : "");
	for (uint32_t d = 0; d < trace_devices(st->t); d++) {
		const struct step_device *part = derived_step_device(st->d, step, d);
		if (part)
			reader_addf(out, trace_device_label(st->t, d, label, sizeof label),
				    "%" PRIu32 " device events over %s", part->n_work,
				    fmt_ns(a, part->last_ns - part->first_ns));
	}
	struct gap g;
	const struct step_gaps gaps = derived_step_gaps(st->d);
	for (uint32_t i = 0; i < gaps.n; i++)
		if (step_gap_of(&gaps, i).step_before == step && derived_gap_at(st->d, i, &g))
			reader_addf(out, "then", "%s", gap_sentence(st->d, &g, text, sizeof text));
}

void step_reader(struct state *st, uint32_t step)
{
	const struct step *s = derived_step(st->d, step);
	char text[128];
	reader_clear(&st->reader, "Step");
	snprintf(text, sizeof text, "step %s", s->label);
	reader_add(&st->reader, INK_HEAD, NULL, text);
	reader_add(&st->reader, INK_TEXT, NULL, "");
	add_step(st, &st->reader, s, step);
}

static void add_busy(const struct state *st, struct reader *out, uint32_t track)
{
	char busy[UNITS_BUF], share[UNITS_BUF];
	if (trace_track(st->t, track)->kind != TRACK_STREAM)
		return;
	int64_t ns = intervals_total(derived_busy_track(st->d, track));
	reader_addf(out, "busy", "%s (%s of the trace)", fmt_ns(busy, ns), pct(share, ns, trace_span_ns(st->t)));
}

/* A device that one row stands for. */
static void add_group(const struct state *st, struct reader *out, uint32_t device)
{
	char label[160], busy[UNITS_BUF], share[UNITS_BUF], text[256];
	int64_t ns = intervals_total(derived_busy_device(st->d, device));
	reader_addf(out, trace_device_label(st->t, device, label, sizeof label), "%s",
		    rank_marks_say_device(timeline_ranks(st->jobs), device, text, sizeof text));
	reader_addf(out, "busy", "%s (%s)", fmt_ns(busy, ns), pct(share, ns, trace_span_ns(st->t)));
	reader_addf(out, "host", "%s", trace_str(st->t, trace_host(st->t, trace_device(st->t, device)->host)->name));
	struct host_clock clock = host_clock(st->t, trace_device(st->t, device)->host);
	if (clock.off_ns)
		reader_addf(out, "clock", "%s taken off, %s", fmt_ns(busy, clock.off_ns),
			    clock_method_word(clock.method));
	reader_add(out, INK_TEXT, "z", "its streams and host threads");
	reader_add(out, INK_TEXT, "Tab", "next collective");
	reader_add(out, INK_TEXT, "o", "order");
}

static void add_lane(const struct state *st, struct reader *out)
{
	char label[160], n[UNITS_BUF];
	const struct view *v = &st->view;
	if (v->lane < st->lanes.n && lanes_disp(&st->lanes, v->lane) == DISP_GROUP) {
		add_group(st, out, st->lanes.at[v->lane].owner);
		return;
	}
	if (v->lane < st->lanes.n && st->lanes.at[v->lane].kind == LANE_ROW) {
		uint32_t track = st->lanes.at[v->lane].track;
		reader_addf(out, "lane", "%s", trace_track_label(st->t, track, label, sizeof label));
		reader_addf(out, "events", "%s", fmt_count(n, (int64_t)trace_track(st->t, track)->n));
		add_busy(st, out, track);
	}
	reader_add(out, INK_TEXT, "Tab", "next event on this lane");
	if (frame_offers(st, ACT_GAP_BIGGEST))
		reader_add(out, INK_TEXT, "b", "biggest gap and its cause");
	if (frame_offers(st, ACT_STEP_PREV))
		reader_add(out, INK_TEXT, "}", "next step");
	reader_add(out, INK_TEXT, "/", "search a name");
}

/* ---- the panel ---------------------------------------------------------------------------------------------------- */

static void heading(const struct state *st, char *buf, size_t size)
{
	char name[NAMES_BUF];
	const struct columns *c = trace_columns(st->t);
	const struct view *v = &st->view;
	if (v->event != NONE_ID)
		snprintf(buf, size, "%s #%" PRIu32 "  %s", kind_name(c->kind[v->event]), v->event,
			 name_fit(trace_str(st->t, c->name[v->event]), st->cols - 24, name));
	else if (v->gap)
		gap_sentence(st->d, v->gap, buf, size);
	else if (v->step != NONE_ID)
		snprintf(buf, size, "step %s", derived_step(st->d, v->step)->label);
	else if (!*rank_marks_say(timeline_ranks(st->jobs), st->d, buf, size))
		snprintf(buf, size, "nothing selected");
}

/* Pairs flow from left to right; one that does not fit any more begins the next line. False: not all of them have room. */
static bool flow(struct surface *s, struct rect r, const struct reader *facts)
{
	int y = r.y, x = r.x;
	for (uint32_t i = 0; i < facts->n; i++) {
		const struct reader_line *l = &facts->lines[i];
		const char *key = l->key ? l->key : "";
		int gap = *key ? 1 : 0, need = utf8_width(key) + gap + utf8_width(l->text);
		if (x > r.x && x + need > r.x + r.w) {
			x = r.x;
			y++;
		}
		if (y >= r.y + r.h)
			return false;
		x += surface_text(s, y, x, r.x + r.w - x, INK_QUIET, 0, key) + gap;
		bool last = y + 1 == r.y + r.h;                 /* cut where it ends, not between two words */
		if (need > r.w && x < r.x + r.w / 2 && !last) { /* a sentence */
			struct rect rest = {y, x, 0, r.x + r.w - x};
			y += wrap_text(s, rest, l->ink, l->text, r.y, r.y + r.h);
			x = r.x;
			continue;
		}
		x += surface_text(s, y, x, r.x + r.w - x, l->ink, 0, l->text) + 3;
	}
	return y < r.y + r.h || (y == r.y + r.h && x == r.x);
}

/* The rule above the panel; `more`: Enter shows what has no room below. */
static void draw_heading(const struct state *st, struct surface *s, struct rect r, bool more)
{
	static const char more_words[] = " Enter more ";
	int end = r.w - (more ? (int)sizeof more_words + 1 : 0);
	bool gap = st->view.gap && st->view.event == NONE_ID;
	char head[1024];
	heading(st, head, sizeof head);
	surface_fill(s, (struct rect){r.y, r.x, 1, r.w}, 0x2500, INK_QUIET, 0);
	surface_put(s, r.y, 1, ' ', INK_HEAD, 0);
	int used = surface_text(s, r.y, 2, end - 5, gap ? INK_GAP_CHOSEN : INK_HEAD, 0, head);
	surface_put(s, r.y, 2 + used, ' ', INK_HEAD, 0);
	if (more)
		surface_text(s, r.y, end, (int)sizeof more_words, INK_KEY, 0, more_words);
}

void timeline_panel(const struct state *st, struct surface *s, struct rect r)
{
	struct reader facts = {0};
	const struct view *v = &st->view;
	char cell[256];
	if (!v->gap && v->step == NONE_ID)
		add_text(&facts, "cell", cell_names(st, cell, sizeof cell));
	if (v->event != NONE_ID)
		add_event(st, &facts, v->event);
	else if (v->gap)
		add_gap(st, &facts, v->gap, OTHERS_BELOW);
	else if (v->step != NONE_ID)
		add_step(st, &facts, derived_step(st->d, v->step), v->step);
	else
		add_lane(st, &facts);
	bool fits = flow(s, (struct rect){r.y + 1, r.x + 1, r.h - 1, r.w - 2}, &facts);
	bool opens = v->event != NONE_ID || v->gap || v->step != NONE_ID;
	draw_heading(st, s, r, opens && !fits);
	arena_free(&facts.mem);
}
