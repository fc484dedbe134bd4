/* tui/report/headline.c - the one sentence a colleague reads. It names what is missing instead of guessing. */
#include "content.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/gaps/idle_advice.h"
#include "model/analysis/names/record_advice.h"
#include "model/analysis/overview/top.h"
#include "model/store/base/units.h"
#include "tui/text/cause_text.h"
#include "tui/text/guide.h"
#include "tui/text/labels.h"
#include "tui/text/utf8.h"
#include "tui/text/verdict_line.h"
#include "tui/text/words.h"
#include "model/columns.h"
#include <ctype.h>
#include <string.h>

enum { NAME_COLS = 60, MARK_COLS = 120 };

const char *verdict_time(struct arena *mem, int64_t ns)
{
	return fmt_ns(arena_alloc(mem, UNITS_BUF), ns);
}

const char *verdict_share(struct arena *mem, int64_t part, int64_t whole)
{
	return whole > 0 ? fmt_pct(arena_alloc(mem, UNITS_BUF), 100.0 * (double)part / (double)whole) : "-";
}

static const struct trace *trace_of(const struct content *c)
{
	return derived_trace(c->req->d);
}

static const char *device_name(struct content *c, uint32_t device)
{
	return device_label(c->req->d, device, c->req->redact, &c->mem);
}

static bool has_work(const struct derived *d)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		if (derived_busy_device(d, i)->n > 0)
			return true;
	return false;
}

static bool same_gap(const struct gap *x, const struct gap *y)
{
	return x->id == y->id && x->scope == y->scope && x->device == y->device && x->track == y->track &&
	       x->start_ns == y->start_ns && x->dur_ns == y->dur_ns && x->before == y->before && x->after == y->after;
}

/* Heading, sentence, cards and picture say the same of one gap. */
static const struct why *gap_why(struct content *c, const struct gap *g)
{
	if (!c->why || !same_gap(&c->why_gap, g)) {
		struct why *why = arena_alloc(&c->mem, sizeof *why);
		*why = why_of(c->req->d, g);
		c->why = why;
		c->why_gap = *g;
	}
	return c->why;
}

struct why told_why(struct content *c, const struct gap *g)
{
	struct why why = *gap_why(c, g);
	if (why.main_event)
		why.main_event = scrub_name(c->scrub, why.main_event, &c->mem);
	return why;
}

/* "the launching thread spends ... of it in X" */
static const char *verdict_cause(struct content *c, const struct gap *g)
{
	return words_clean(&c->mem, gap_verdict_sentence(c->req->d, g, &gap_why(c, g)->verdict, &c->mem));
}

/* "between step 8 and step 9" */
static const char *gap_ends(struct content *c, const struct gap *g)
{
	const struct derived *d = c->req->d;
	const char *place = words_clean(&c->mem, gap_place_text(d, g, &c->mem));
	if (g->scope != GAP_STEP)
		return arena_printf(&c->mem, "%s%sfrom %s to %s", place, *place ? ", " : "",
				    verdict_time(&c->mem, g->start_ns), verdict_time(&c->mem, g->start_ns + g->dur_ns));
	return arena_printf(&c->mem, "between step %s and step %s",
			    words_clean(&c->mem, derived_step(d, g->step_before)->label),
			    words_clean(&c->mem, derived_step(d, g->step_after)->label));
}

/* "between step 8 and step 9 (37.5 % of the 160.000 ms from start to start)" */
static const char *gap_between(struct content *c, const struct gap *g)
{
	const char *ends = gap_ends(c, g);
	if (g->scope != GAP_STEP || g->period_ns == UNKNOWN_I64 || g->period_ns <= 0)
		return ends;
	return arena_printf(&c->mem, "%s (%s of the %s from start to start)", ends,
			    verdict_share(&c->mem, g->dur_ns, g->period_ns), verdict_time(&c->mem, g->period_ns));
}

/* "GPU 0 idles 60.000 ms" and where. */
static const char *gap_fact(struct content *c, const struct gap *g, const char *where)
{
	const char *length = verdict_time(&c->mem, g->dur_ns);
	if (g->device == NONE_ID)
		return arena_printf(&c->mem, "%s pass %s", length, where);
	if (g->scope == GAP_STREAM)
		return arena_printf(&c->mem, "%s of %s is empty for %s %s",
				    track_label(c->req->d, g->track, c->req->redact, &c->mem),
				    device_name(c, g->device), length, where);
	return arena_printf(&c->mem, "%s idles %s %s", device_name(c, g->device), length, where);
}

static const char *gap_verdict(struct content *c, const struct gap *g)
{
	return arena_printf(&c->mem, "%s; %s", gap_fact(c, g, gap_between(c, g)), verdict_cause(c, g));
}

struct busy {
	int64_t busy_ns, span_ns;
};

/* Whole trace: of the device's own first to last work, as the table "devices" says; a window: of the window. */
static struct busy busy_of(const struct content *c, uint32_t device)
{
	const struct intervals *v = derived_busy_device(c->req->d, device);
	const struct window *w = &c->req->window;
	if (w->kind == WINDOW_ALL)
		return (struct busy){intervals_total(v),
				     v->n ? derived_watched_ns(c->req->d, device, v->at[0].a_ns, v->at[v->n - 1].b_ns)
					  : 0};
	return (struct busy){intervals_within(v, w->a_ns, w->b_ns),
			     derived_watched_ns(c->req->d, device, w->a_ns, w->b_ns)};
}

static const char *one_device(struct content *c, uint32_t device)
{
	struct busy b = busy_of(c, device);
	return arena_printf(&c->mem, "%s is busy %s of %s (%s)", device_name(c, device),
			    verdict_time(&c->mem, b.busy_ns), verdict_time(&c->mem, b.span_ns),
			    verdict_share(&c->mem, b.busy_ns, b.span_ns));
}

static double share_of(struct busy b)
{
	return b.span_ns > 0 ? (double)b.busy_ns / (double)b.span_ns : 0;
}

static const char *busy_text(struct content *c)
{
	uint32_t n = 0, least = NONE_ID, most = NONE_ID;
	for (uint32_t i = 0; i < trace_devices(trace_of(c)); i++) {
		if (derived_busy_device(c->req->d, i)->n == 0)
			continue;
		n++;
		if (least == NONE_ID || share_of(busy_of(c, i)) < share_of(busy_of(c, least)))
			least = i;
		if (most == NONE_ID || share_of(busy_of(c, i)) > share_of(busy_of(c, most)))
			most = i;
	}
	if (n == 1)
		return one_device(c, least);
	struct busy lo = busy_of(c, least), hi = busy_of(c, most);
	const char *lo_share = verdict_share(&c->mem, lo.busy_ns, lo.span_ns),
		   *hi_share = verdict_share(&c->mem, hi.busy_ns, hi.span_ns);
	if (strcmp(lo_share, hi_share) == 0)
		return arena_printf(&c->mem, "%u devices are each busy %s of the time", n, lo_share);
	return arena_printf(&c->mem, "%u devices are busy from %s (%s) to %s (%s) of the time", n, lo_share,
			    device_name(c, least), hi_share, device_name(c, most));
}

/* Any early work of the device: it names the thread that launches. NONE_ID where there is but one. */
static row_id early_work(const struct derived *d, uint32_t device)
{
	struct gap_iter it = gap_iter(d, INT64_MIN, INT64_MAX);
	struct gap g;
	for (struct gap_span s; gap_next(&it, &s);)
		if (s.scope == GAP_DEVICE && derived_gap_at(d, s.id, &g) && g.device == device)
			return g.before;
	return NONE_ID;
}

/* ": input wait 4.900 ms (98.0 %), ...": what the device waits for in a window before its first work. */
static const char *early_cause(struct content *c, uint32_t device)
{
	const struct window *w = &c->req->window;
	row_id work = early_work(c->req->d, device);
	struct gap g = {.scope = GAP_DEVICE,
			.device = device,
			.track = NONE_ID,
			.before = work,
			.after = work,
			.start_ns = w->a_ns,
			.dur_ns = w->b_ns - w->a_ns};
	if (work == NONE_ID)
		return "";
	struct why why = told_why(c, &g);
	return arena_printf(&c->mem, ": %s%s", cause_text(&c->mem, &g, &why, MARK_COLS),
			    gap_confidence_words(&why.verdict, "; ", &c->mem));
}

/* Before its first and after its last work a device has no gap, and yet may do nothing in the whole window. */
static const char *no_gap_text(struct content *c)
{
	const struct window *w = &c->req->window;
	for (uint32_t i = 0; i < trace_devices(trace_of(c)); i++) {
		const struct intervals *v = derived_busy_device(c->req->d, i);
		if (v->n && v->at[0].a_ns >= w->b_ns)
			return arena_printf(&c->mem, "the first work on %s begins at %s%s", device_name(c, i),
					    verdict_time(&c->mem, v->at[0].a_ns), early_cause(c, i));
		if (v->n && v->at[v->n - 1].b_ns <= w->a_ns)
			return arena_printf(&c->mem, "the last work on %s ended at %s", device_name(c, i),
					    verdict_time(&c->mem, v->at[v->n - 1].b_ns));
	}
	return "no gap of 1 us or more";
}

static const char *longest_gap_text(struct content *c)
{
	const struct gap *g = c->focus;
	if (!g)
		return no_gap_text(c);
	const char *place = g->device == NONE_ID ? "" : arena_printf(&c->mem, " on %s", device_name(c, g->device));
	return arena_printf(&c->mem, "the longest gap%s is %s %s: %s", place, verdict_time(&c->mem, g->dur_ns),
			    gap_between(c, g), verdict_cause(c, g));
}

static const char *step_lead(struct content *c)
{
	const struct window *w = &c->req->window;
	if (w->kind != WINDOW_STEP)
		return "";
	const char *length = verdict_time(&c->mem, w->b_ns - w->a_ns),
		   *name = words_clean(&c->mem, w->text + strlen("step:"));
	return w->step_first == w->step_last ? arena_printf(&c->mem, "step %s takes %s; ", name, length)
					     : arena_printf(&c->mem, "steps %s take %s; ", name, length);
}

/* A trace of a build or a browser has no device to record. */
static const char *host_text(struct content *c)
{
	const struct window *w = &c->req->window;
	struct top_req r = {
		.d = c->req->d, .a_ns = w->a_ns, .b_ns = w->b_ns, .redact = c->req->redact, .label = track_label};
	const struct table *threads = top_threads(&r, &c->mem), *events = top_events(&r, &c->mem);
	if (!threads->n_rows || !events->n_rows)
		return "this trace has no device work and no host event with a duration";
	int64_t busy = column_cell(threads, 0, TOP_THREAD_BUSY)->i;
	return arena_printf(&c->mem,
			    "the busiest thread is %s (%s, %s of the time), the longest event %s (%s); no device work "
			    "is recorded",
			    column_cell(threads, 0, TOP_THREAD_NAME)->s, verdict_time(&c->mem, busy),
			    verdict_share(&c->mem, busy, w->b_ns - w->a_ns),
			    words_name(&c->mem, scrub_cell(c->scrub, events, 0, TOP_EVENT_NAME, &c->mem), NAME_COLS),
			    verdict_time(&c->mem, column_cell(events, 0, TOP_EVENT_DUR)->i));
}

/* What the rules warn of most, as the start of a sentence; "" when they do not. */
static const char *warning_lead(struct content *c)
{
	const struct table *t = content_findings(c, NULL);
	if (!t || t->n_rows == 0)
		return "";
	struct guide_item x = guide_item(t, 0);
	if (!finding_stands(x.state) || !x.sentence || !*x.sentence)
		return "";
	return arena_printf(&c->mem, "%.*s; ", (int)strlen(x.sentence) - 1, words_clean(&c->mem, x.sentence));
}

static const char *how_to_trace_devices(struct content *c)
{
	const struct trace *t = derived_trace(c->req->d);
	const char *how = record_advice(t, idle_facts(c->req->d)->framework, RECORD_DEVICE);
	return arena_strndup(&c->mem, arena_small(&c->mem, how), strlen(how) - 1);
}

const char *verdict_sentence(struct content *c)
{
	if (c->req->window.kind == WINDOW_GAP)
		return gap_verdict(c, c->req->window.gap);
	if (!has_work(c->req->d) && !top_from_framework(c->req->d))
		return arena_printf(&c->mem, "%s%s", step_lead(c), host_text(c));
	if (!has_work(c->req->d))
		return arena_printf(&c->mem, "%s%scannot tell how busy a device is: this trace has no device work; %s",
				    step_lead(c), warning_lead(c), how_to_trace_devices(c));
	return arena_printf(&c->mem, "%s%s; %s", step_lead(c), busy_text(c), longest_gap_text(c));
}

static void gap_lead(struct content *c, const struct gap *g)
{
	struct why why = told_why(c, g);
	c->heading = arena_printf(&c->mem, "%s: %s%s", gap_fact(c, g, gap_ends(c, g)),
				  why.verdict.cause == CAUSE_UNKNOWN ? "cause " : "",
				  gap_class_words(&why.verdict, &c->mem));
	c->advice = gap_advice(c->req->d, g, why.verdict.cause, why.verdict.row);
}

/* The findings as they may be told; NULL where there are none. */
static const struct table *told_findings(struct content *c)
{
	const struct table *t = c->req->format == REPORT_SVG ? NULL : content_findings(c, NULL);
	return t ? scrub_table(c->scrub, t, &c->mem) : NULL;
}

/* As many clauses of a line as have room, the first ones; all of it where not even the first one has. */
static const char *whole_clauses(const char *line, int cols, struct arena *mem)
{
	static const char *const ends[] = {"; ", ", "};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		char *text = arena_strdup(mem, line);
		for (char *end; utf8_width(text) > cols && (end = strstr(text, ends[i]));) {
			for (char *next; (next = strstr(end + 1, ends[i]));)
				end = next;
			*end = '\0';
		}
		if (utf8_width(text) <= cols)
			return text;
	}
	return line;
}

void verdict_lead(struct content *c)
{
	enum { HEADING_COLS = 86, VERDICT_COLS = 240 };
	enum finding_state state = FINDING_PASS;
	c->facts = c->verdict;
	if (c->req->window.kind == WINDOW_GAP) {
		gap_lead(c, c->req->window.gap);
		return;
	}
	const struct table *t = told_findings(c);
	c->heading = arena_printf(&c->mem, "%.*s", (int)strcspn(c->verdict, ";"), c->verdict);
	if (!t || !t->n_rows || !has_work(c->req->d))
		return;
	const char *line = words_clean(&c->mem, verdict_line(t, HEADING_COLS, &state, &c->mem));
	c->heading = words_end(&c->mem, whole_clauses(line, HEADING_COLS, &c->mem), HEADING_COLS);
	if (!finding_stands(state))
		return;
	c->advice = guide_item(t, 0).advice;
	line = words_end(&c->mem, words_clean(&c->mem, verdict_line(t, VERDICT_COLS, &state, &c->mem)), VERDICT_COLS);
	c->verdict = arena_printf(&c->mem, "%s. %c%s", line, toupper((unsigned char)*c->facts), c->facts + 1);
}

static const char *mark_cause(struct content *c, const struct gap *g)
{
	struct why w = told_why(c, g);
	if (w.kind != WHY_CAUSE)
		return "cause not recorded";
	return arena_printf(&c->mem, "%s%s", cause_text(&c->mem, g, &w, MARK_COLS),
			    gap_confidence_words(&w.verdict, "; ", &c->mem));
}

const char *verdict_mark(struct content *c, int line)
{
	const struct gap *g = c->focus;
	if (!g)
		return NULL;
	if (line == 1)
		return mark_cause(c, g);
	const char *length = verdict_time(&c->mem, g->dur_ns);
	if (g->scope != GAP_STEP)
		return arena_printf(&c->mem, "idle %s %s", length,
				    words_clean(&c->mem, gap_place_text(c->req->d, g, &c->mem)));
	const char *share = g->period_ns > 0 ? arena_printf(&c->mem, ", %s of the period",
							    verdict_share(&c->mem, g->dur_ns, g->period_ns))
					     : "";
	return arena_printf(&c->mem, "gap %s -> %s: %s%s",
			    words_clean(&c->mem, derived_step(c->req->d, g->step_before)->label),
			    words_clean(&c->mem, derived_step(c->req->d, g->step_after)->label), length, share);
}
