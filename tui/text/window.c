/* tui/text/window.c - the words for a part of the trace, read and written. */
#include "window.h"
#include "model/analysis/derived/gap_place.h"
#include "model/store/base/units.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *word, const char **rest)
{
	size_t n = strlen(word);
	if (strncmp(text, word, n) != 0)
		return false;
	*rest = text + n;
	return true;
}

/* Exact, so that the word gives the same window again: "12.5ms", "203.000001ms", "0ns". */
static const char *exact_time(char *buf, size_t size, int64_t ns)
{
	static const struct {
		const char *word;
		uint64_t ns;
		int places;
	} units[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}, {"ns", 1, 0}};
	uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned u = 0;
	while (u < 3 && v < units[u].ns)
		u++;
	char part[16] = "";
	if (v % units[u].ns) {
		snprintf(part, sizeof part, ".%0*" PRIu64, units[u].places, v % units[u].ns);
		for (char *end = part + strlen(part); end[-1] == '0'; end--)
			end[-1] = '\0';
	}
	snprintf(buf, size, "%s%" PRIu64 "%s%s", ns < 0 ? "-" : "", v / units[u].ns, part, units[u].word);
	return buf;
}

struct window window_all(const struct derived *d)
{
	struct window w = {.kind = WINDOW_ALL, .a_ns = 0, .b_ns = trace_span_ns(derived_trace(d))};
	snprintf(w.text, sizeof w.text, "all");
	return w;
}

static bool reaches_end(const struct derived *d, int64_t b_ns)
{
	return b_ns >= trace_span_ns(derived_trace(d));
}

struct window window_of_gap(const struct derived *d, const struct gap *g)
{
	struct window w = {.kind = WINDOW_GAP,
			   .a_ns = g->start_ns,
			   .b_ns = g->start_ns + g->dur_ns,
			   .to_end = reaches_end(d, g->start_ns + g->dur_ns),
			   .gap = g,
			   .step_first = NONE_ID};
	snprintf(w.text, sizeof w.text, "gap:%" PRIu32, g->id);
	return w;
}

struct window window_of_time(const struct derived *d, int64_t a_ns, int64_t b_ns)
{
	struct window w = {.kind = WINDOW_TIME, .a_ns = a_ns, .b_ns = b_ns, .to_end = reaches_end(d, b_ns)};
	char a[32], b[32];
	snprintf(w.text, sizeof w.text, "%s..%s", exact_time(a, sizeof a, a_ns), exact_time(b, sizeof b, b_ns));
	return w;
}

static struct window window_of_steps(const struct derived *d, uint32_t first, uint32_t last)
{
	struct window w = {
		.kind = WINDOW_STEP, .step_first = first, .step_last = last, .a_ns = INT64_MAX, .b_ns = INT64_MIN};
	for (uint32_t i = first; i <= last; i++) {
		const struct step *s = derived_step(d, i);
		w.a_ns = s->start_ns < w.a_ns ? s->start_ns : w.a_ns;
		w.b_ns = s->members_end_ns > w.b_ns ? s->members_end_ns : w.b_ns;
	}
	w.to_end = reaches_end(d, w.b_ns);
	const char *from = derived_step(d, first)->label, *to = derived_step(d, last)->label;
	if (first == last)
		snprintf(w.text, sizeof w.text, "step:%s", from);
	else
		snprintf(w.text, sizeof w.text, "step:%s..%s", from, to);
	return w;
}

static bool parse_steps(const struct derived *d, const char *text, struct window *out, struct err *e)
{
	uint32_t first, last;
	TRY(derived_find_steps(d, text, &first, &last, e));
	*out = window_of_steps(d, first, last);
	return true;
}

static const struct gap *gap_named(const struct derived *d, const char *text)
{
	if (strcmp(text, "biggest") == 0)
		return derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	char *end;
	unsigned long long id = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && id < NONE_ID ? derived_gap_kept(d, (uint32_t)id) : NULL;
}

const char *window_no_gap(const struct derived *d)
{
	return trace_devices(derived_trace(d)) || derived_steps(d)
		       ? "no device is idle for 1 us or more"
		       : "neither devices nor steps are recorded; --steps-by REGEX makes steps of events";
}

static bool parse_gap(const struct derived *d, const char *text, struct window *out, struct err *e)
{
	uint32_t n = derived_gap_count(d);
	if (n == 0)
		return err_usage(e, "this trace has no gap: %s", window_no_gap(d));
	const struct gap *g = gap_named(d, text);
	if (!g && strcmp(text, "biggest") == 0)
		return err_usage(e, "no device is idle for 1 us or more; this trace has gap 0 to %" PRIu32, n - 1);
	if (!g)
		return err_usage(e, "there is no gap '%.40s'; this trace has gap 0 to %" PRIu32 " and 'biggest'", text,
				 n - 1);
	*out = window_of_gap(d, g);
	return true;
}

static bool bad_time(struct err *e, const char *text)
{
	return err_usage(e,
			 "'%.60s' is not a window; write 12.5ms..20ms, step:8, step:8..9, gap:3 or all; a time needs "
			 "its unit (ns, us, ms, s)",
			 text);
}

/* One side of "A..B"; an empty side keeps its default. Copied first: in "1..2" the number must not swallow a dot. */
static bool parse_side(const char *text, size_t n, int64_t *ns)
{
	char side[64];
	const char *end;
	if (n >= sizeof side)
		return false;
	memcpy(side, text, n);
	side[n] = '\0';
	return n == 0 || (parse_ns_with_unit(side, &end, ns) && *end == '\0');
}

static bool parse_times(const struct derived *d, const char *text, struct window *out, struct err *e)
{
	int64_t span = trace_span_ns(derived_trace(d)), a = 0, b = span;
	const char *dots = strstr(text, "..");
	if (!dots || !parse_side(text, (size_t)(dots - text), &a) || !parse_side(dots + 2, strlen(dots + 2), &b))
		return bad_time(e, text);
	bool last = a == span && b >= span; /* instants at the end */
	if (a >= b && !last)
		return err_usage(e, "the window '%.60s' is empty: its end is not after its start", text);
	char whole[UNITS_BUF];
	/* parts that reach beyond the trace are cut; a window that holds nothing of it is a mistake */
	if ((b <= 0 || a >= span) && !last)
		return err_usage(e, "the window '%.60s' lies outside the trace, which goes from 0 to %s", text,
				 fmt_ns(whole, span));
	*out = window_of_time(d, a < 0 ? 0 : a, b > span ? span : b);
	return true;
}

bool window_parse(const struct derived *d, const char *text, struct window *out, struct err *e)
{
	const char *rest;
	if (strcmp(text, "all") == 0) {
		*out = window_all(d);
		return true;
	}
	if (starts_with(text, "step:", &rest))
		return parse_steps(d, rest, out, e);
	if (starts_with(text, "gap:", &rest))
		return parse_gap(d, rest, out, e);
	return parse_times(d, text, out, e);
}

static void idle_place(const struct derived *d, const struct gap *g, const char *device, char *buf, size_t size)
{
	struct arena mem = {0};
	const char *place = gap_place_text(d, g, &mem);
	snprintf(buf, size, "idle time of %s%s%s", device, *place ? " " : "", place);
	arena_free(&mem);
}

/* "step 8 -> 9 on GPU 0", "idle time of GPU 0 inside step 4", "idle time of stream 7" */
static void gap_place(const struct derived *d, const struct gap *g, char *buf, size_t size)
{
	const struct trace *t = derived_trace(d);
	char where[64] = "", label[96];
	if (g->device != NONE_ID)
		snprintf(where, sizeof where, "%s", trace_device_label(t, g->device, label, sizeof label));
	if (g->scope == GAP_STEP)
		snprintf(buf, size, "step %s -> %s%s%s", derived_step(d, g->step_before)->label,
			 derived_step(d, g->step_after)->label, *where ? " on " : "", where);
	else if (g->scope == GAP_STREAM && g->track != NONE_ID)
		snprintf(buf, size, "idle time of %s%s%s", trace_track_label(t, g->track, label, sizeof label),
			 *where ? " on " : "", where);
	else
		idle_place(d, g, where, buf, size);
}

static void window_name(const struct derived *d, const struct window *w, char *buf, size_t size)
{
	char place[192];
	switch (w->kind) {
	case WINDOW_ALL:
		snprintf(buf, size, "the whole trace");
		break;
	case WINDOW_TIME:
		snprintf(buf, size, "window %s", w->text);
		break;
	case WINDOW_STEP:
		snprintf(buf, size, "step%s %s", w->step_first == w->step_last ? "" : "s", w->text + strlen("step:"));
		break;
	case WINDOW_GAP:
		gap_place(d, w->gap, place, sizeof place);
		snprintf(buf, size, "gap %" PRIu32 ": %s", w->gap->id, place);
		break;
	}
}

const char *window_title(const struct derived *d, const struct window *w, char *buf, size_t size)
{
	char name[256], span[UNITS_BUF], from[UNITS_BUF];
	window_name(d, w, name, sizeof name);
	snprintf(buf, size, "%s, %s from %s", name, fmt_ns(span, w->b_ns - w->a_ns), fmt_ns(from, w->a_ns));
	return buf;
}

struct query window_query(const struct window *w, const struct filter *f)
{
	struct query q = query_all();
	q.filter = f;
	if (w->kind == WINDOW_ALL)
		return q;
	q.windowed = true;
	q.a_ns = w->a_ns;
	q.b_ns = w->b_ns + w->to_end;
	q.by_step = w->kind == WINDOW_STEP;
	q.step_first = w->step_first;
	q.step_last = w->step_last;
	return q;
}
