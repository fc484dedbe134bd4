/* tui/report/cards.c - the numbers that matter: a label, a value, a word beside it. */
#include "content.h"
#include "cut.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/overview/top.h"
#include "model/columns.h"
#include "model/store/base/units.h"
#include "tui/text/cause_text.h"
#include "tui/text/labels.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <string.h>

enum { CAUSE_COLS = 110 };

static void card(struct content *c, const char *label, const char *value, const char *sub)
{
	if (c->n_cards < CARDS_MAX)
		c->cards[c->n_cards++] = (struct card){label, value, sub ? sub : ""};
}

static uint32_t gaps_of_scope(const struct derived *d, enum gap_scope scope, int64_t longer_than)
{
	uint32_t count = 0;
	struct gap_iter it = gap_iter(d, INT64_MIN, INT64_MAX);
	for (struct gap_span g; gap_next(&it, &g);)
		count += g.scope == scope && g.dur_ns > longer_than;
	return count;
}

static const char *scope_word(enum gap_scope s)
{
	return s == GAP_STEP ? "step gaps" : s == GAP_DEVICE ? "idle times of devices" : "idle times of streams";
}

static void gap_cards(struct content *c, const struct gap *g)
{
	struct why why = told_why(c, g);
	struct arena *mem = &c->mem;
	const char *place = words_clean(mem, gap_place_text(c->req->d, g, mem));
	card(c, "gap", verdict_time(mem, g->dur_ns),
	     arena_printf(mem, "%s%sfrom %s", place, *place ? ", " : "", verdict_time(mem, g->start_ns)));
	if (g->period_ns != UNKNOWN_I64 && g->period_ns > 0)
		card(c, "of the period", verdict_share(mem, g->dur_ns, g->period_ns),
		     arena_printf(mem, "%s start to start", verdict_time(mem, g->period_ns)));
	const char *cause = cause_text(mem, g, &why, CAUSE_COLS);
	const char *class = gap_class_words(&why.verdict, mem), *rest = cause + strlen(class);
	card(c, "cause", class,
	     arena_printf(mem, "%s%s", rest + strspn(rest, " ,:"), gap_confidence_words(&why.verdict, "; ", mem)));
	if (g->marker_gap_ns != UNKNOWN_I64)
		card(c, "between markers", verdict_time(mem, g->marker_gap_ns), "host side");
	char count[UNITS_BUF];
	card(c, "rank by length", arena_printf(mem, "%u", 1 + gaps_of_scope(c->req->d, g->scope, g->dur_ns)),
	     arena_printf(mem, "of %s %s", fmt_count(count, gaps_of_scope(c->req->d, g->scope, INT64_MIN)),
			  scope_word(g->scope)));
}

/* NULL where it is not known. */
static const char *number_text(struct content *c, const struct table *overview, const char *key)
{
	const struct cell *v = cut_value(overview, key);
	return v ? verdict_time(&c->mem, cell_whole(v)) : NULL;
}

static bool irregular(const struct table *overview)
{
	const struct cell *lengths = cut_value(overview, "step_lengths");
	return lengths && !strcmp(lengths->s, "irregular");
}

/* Mean and spread as the table "overview" has them: a step's length follows the semantics, not just the marker. */
static void step_card(struct content *c)
{
	struct query q = window_query(&c->req->window, NULL);
	q.all_steps = c->req->all_steps;
	struct answer *same = c->req->filter ? NULL : runs_ask(c->runs, &overview_desc, false, NULL);
	const struct table *t = same ? same->table : overview_desc.run(c->req->d, &q, &c->mem, NULL, NULL);
	const struct cell *steps = cut_value(t, "steps_text");
	if (!steps)
		return;
	struct arena *mem = &c->mem;
	const char *over = words_clean(mem, steps->s);
	if (irregular(t)) {
		card(c, "median step", number_text(c, t, "step_median_ns"),
		     arena_printf(mem, "irregular: %s to %s; %s", number_text(c, t, "step_min_ns"),
				  number_text(c, t, "step_max_ns"), over));
		return;
	}
	const char *mean = number_text(c, t, "step_mean_ns"), *sd = number_text(c, t, "step_sd_ns");
	if (mean)
		card(c, "mean step", mean,
		     sd ? arena_printf(mem, "%s %s over %s", c->req->ascii ? "+-" : "±", sd, over)
		     : strcmp(over, "1 step") ? arena_printf(mem, "over %s", over)
					      : "one step");
}

struct share {
	int64_t busy_ns, span_ns;
};

/* Of the window; over the whole trace of its own first to last work. span_ns 0: it never works. */
static struct share busy_share(const struct content *c, uint32_t device)
{
	const struct window *w = &c->req->window;
	const struct intervals *v = derived_busy_device(c->req->d, device);
	if (v->n == 0)
		return (struct share){0, 0};
	return (struct share){intervals_within(v, w->a_ns, w->b_ns),
			      w->kind == WINDOW_ALL
				      ? derived_watched_ns(c->req->d, device, v->at[0].a_ns, v->at[v->n - 1].b_ns)
				      : derived_watched_ns(c->req->d, device, w->a_ns, w->b_ns)};
}

static void busy_card(struct content *c, uint32_t device)
{
	struct share s = busy_share(c, device);
	if (s.span_ns > 0)
		card(c, arena_printf(&c->mem, "%s busy", device_label(c->req->d, device, c->req->redact, &c->mem)),
		     verdict_share(&c->mem, s.busy_ns, s.span_ns),
		     arena_printf(&c->mem, "idle %s of %s (%s)", verdict_time(&c->mem, s.span_ns - s.busy_ns),
				  verdict_time(&c->mem, s.span_ns),
				  verdict_share(&c->mem, s.span_ns - s.busy_ns, s.span_ns)));
}

static bool is_less(struct share a, struct share b)
{
	return (double)a.busy_ns / (double)a.span_ns < (double)b.busy_ns / (double)b.span_ns;
}

/* One number for all of them: "60.6 % to 68.7 %". False: there are no two. */
static bool range_card(struct content *c)
{
	uint32_t n = 0, least = 0;
	struct share lo = {0, 0}, hi = {0, 0};
	for (uint32_t i = 0; i < trace_devices(derived_trace(c->req->d)); i++) {
		struct share s = busy_share(c, i);
		if (s.span_ns <= 0)
			continue;
		if (n == 0 || is_less(s, lo)) {
			lo = s;
			least = i;
		}
		hi = n == 0 || is_less(hi, s) ? s : hi;
		n++;
	}
	if (n < 2)
		return false;
	card(c, arena_printf(&c->mem, "%u devices busy", n),
	     arena_printf(&c->mem, "%s to %s", verdict_share(&c->mem, lo.busy_ns, lo.span_ns),
			  verdict_share(&c->mem, hi.busy_ns, hi.span_ns)),
	     arena_printf(&c->mem, "least: %s", device_label(c->req->d, least, c->req->redact, &c->mem)));
	return true;
}

static void busy_cards(struct content *c)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(c->req->d)); i++)
		busy_card(c, i);
}

static const char *gap_place_or_time(struct content *c, const struct gap *g)
{
	const char *place = words_clean(&c->mem, gap_place_text(c->req->d, g, &c->mem));
	return *place ? place : arena_printf(&c->mem, "from %s", verdict_time(&c->mem, g->start_ns));
}

/* Of a trace of hosts alone, whatever wrote it. */
static void host_cards(struct content *c)
{
	enum { NAME_COLS = 60 };
	const struct window *w = &c->req->window;
	struct top_req r = {
		.d = c->req->d, .a_ns = w->a_ns, .b_ns = w->b_ns, .redact = c->req->redact, .label = track_label};
	if (top_from_framework(c->req->d))
		return;
	const struct table *threads = top_threads(&r, &c->mem), *names = top_names(&r, &c->mem);
	if (threads->n_rows)
		card(c, "busiest thread",
		     verdict_share(&c->mem, column_cell(threads, 0, TOP_THREAD_BUSY)->i, w->b_ns - w->a_ns),
		     column_cell(threads, 0, TOP_THREAD_NAME)->s);
	if (names->n_rows)
		card(c, "most self time", arena_printf(&c->mem, "%.1f %%", column_cell(names, 0, TOP_OP_SHARE)->r),
		     words_name(&c->mem, scrub_cell(c->scrub, names, 0, TOP_OP_NAME, &c->mem), NAME_COLS));
}

static void window_cards(struct content *c)
{
	host_cards(c);
	bool several = range_card(c);
	if (!several)
		busy_cards(c);
	step_card(c);
	const struct gap *g = c->focus;
	if (g)
		card(c, "longest gap", verdict_time(&c->mem, g->dur_ns),
		     g->period_ns > 0 ? arena_printf(&c->mem, "%s of its period",
						     verdict_share(&c->mem, g->dur_ns, g->period_ns))
				      : gap_place_or_time(c, g));
	if (several)
		busy_cards(c); /* as many as have room */
}

const char *cards_line(struct content *c, uint32_t from)
{
	const char *line = "";
	for (uint32_t i = from; i < c->n_cards; i++)
		line = arena_printf(&c->mem, "%s%s%s %s%s%s%s", line, i > from ? "; " : "", c->cards[i].label,
				    c->cards[i].value, *c->cards[i].sub ? " (" : "", c->cards[i].sub,
				    *c->cards[i].sub ? ")" : "");
	return line;
}

void cards_fill(struct content *c)
{
	if (c->req->window.kind == WINDOW_GAP)
		gap_cards(c, c->req->window.gap);
	else
		window_cards(c);
	c->numbers = c->n_cards ? cards_line(c, 0) : "no device work and no steps in this window";
}
