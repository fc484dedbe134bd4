#include "overview_text.h"
#include "cut.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/analysis.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/serving/iterations.h"
#include "model/store/base/units.h"
#include "model/analysis/kernels/kernel_names.h"
#include "model/analysis/kernels/kernel_stats.h"
#include "model/analysis/kernels/tensor_cores.h"
#include "tui/tables/step_mix.h"
#include "tui/text/cause_text.h"
#include "tui/text/guide.h"
#include "tui/text/labels.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include "model/analysis/ops/ops_columns.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>

enum {
	COLS = 80,
	BAR_COLS = 22,
	LABEL_COLS = 10,
	DEVICES = 8,
	GAPS = 3,
	KERNELS = 4,
	OPS = 3,
	FINDINGS = 3,
	NOTES = 3
};

struct page {
	const struct overview_req *r;
	const struct derived *d;
	const struct trace *t;
	FILE *out;
	struct arena mem;
	struct query q; /* with what is kept of it */
};

/* One line, cut at the page's edge; what comes from the trace is cleaned on the way. */
static void line(struct page *p, const char *label, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void line(struct page *p, const char *label, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fprintf(p->out, "%-*s%s\n", LABEL_COLS, label, words_end(&p->mem, text, COLS - LABEL_COLS));
}

static const char *share(struct page *p, int64_t part, int64_t whole)
{
	return whole > 0 ? fmt_pct(arena_alloc(&p->mem, UNITS_BUF), 100.0 * (double)part / (double)whole) : "-";
}

static const char *time_text(struct page *p, int64_t ns)
{
	return fmt_ns(arena_alloc(&p->mem, UNITS_BUF), ns);
}

static const char *count_text(struct page *p, int64_t n)
{
	return fmt_count(arena_alloc(&p->mem, UNITS_BUF), n);
}

static const char *bar(struct page *p, int64_t part, int64_t whole, int cols)
{
	const char *full = p->r->ascii ? "#" : "█", *rest = p->r->ascii ? "." : "░";
	int n = whole > 0 ? (int)(((__int128)part * cols * 2 + whole) / ((__int128)whole * 2)) : 0;
	char *text = arena_alloc(&p->mem, (size_t)cols * 4 + 1), *at = text;
	for (int i = 0; i < cols; i++)
		at = stpcpy(at, i < n ? full : rest);
	return text;
}

static void put_title(struct page *p)
{
	const char *name = p->r->n_paths ? words_base(p->r->paths[0]) : "";
	name = strcmp(name, "-") == 0 ? "stdin" : name;
	const char *more = p->r->n_paths > 1 ? arena_printf(&p->mem, " and %d more", p->r->n_paths - 1) : "";
	char title[320];
	fprintf(p->out, "%s%s\n", words_middle(&p->mem, name, COLS - (int)strlen(more)), more);
	line(p, "", "%s, %s events, %s", trace_sources(p->t) ? trace_source(p->t, 0).format : "trace",
	     count_text(p, (int64_t)trace_columns(p->t)->n), time_text(p, trace_span_ns(p->t)));
	if (p->r->window.kind != WINDOW_ALL)
		line(p, "window", "%s", window_title(p->d, &p->r->window, title, sizeof title));
	fputc('\n', p->out);
}

enum { DEVICE_COLS = 20 };

static const char *device_name(struct page *p, uint32_t device)
{
	char name[96];
	trace_device_label(p->t, device, name, sizeof name);
	return words_end(&p->mem, name, DEVICE_COLS);
}

/* Of those that are shown, so that bars begin below each other. */
static int device_cols(struct page *p)
{
	int cols = 6;
	for (uint32_t i = 0, shown = 0; i < trace_devices(p->t) && shown < DEVICES; i++) {
		int w = derived_busy_device(p->d, i)->n ? utf8_width(device_name(p, i)) : 0;
		cols = w > cols ? w : cols;
		shown += w > 0;
	}
	return cols;
}

static void put_device(struct page *p, uint32_t device, int cols, const char *label)
{
	enum { ROOM = 34 }; /* of name and bar, so that the times after them are never cut */
	const struct intervals *v = derived_busy_device(p->d, device);
	const struct window *w = &p->r->window;
	int64_t a = w->a_ns, b = w->b_ns;
	if (w->kind == WINDOW_ALL && v->n) {
		a = v->at[0].a_ns;
		b = v->at[v->n - 1].b_ns;
	}
	int64_t busy = intervals_within(v, a, b), watched = derived_watched_ns(p->d, device, a, b);
	const char *name = device_name(p, device);
	line(p, label, "%s%*s %s %7s  %s of %s", name, cols - utf8_width(name), "",
	     bar(p, busy, watched, cols + BAR_COLS < ROOM ? BAR_COLS : ROOM - cols), share(p, busy, watched),
	     time_text(p, busy), time_text(p, watched));
}

static void put_devices(struct page *p)
{
	uint32_t shown = 0, left = 0;
	int cols = device_cols(p);
	for (uint32_t i = 0; i < trace_devices(p->t); i++) {
		if (derived_busy_device(p->d, i)->n == 0)
			continue;
		if (shown == DEVICES)
			left++;
		else
			put_device(p, i, cols, shown++ ? "" : "Busy");
	}
	if (left)
		line(p, "", "and %s more: stepscope table devices", count_text(p, left));
	char text[128];
	if (shown + left > 1 && trace_recorded_again(p->t, text, sizeof text))
		line(p, "", "%s: sums and means mix them", trace_devices_text(p->t, shown + left, text, sizeof text));
	char pauses[128];
	if (*derived_pauses_say(p->d, pauses, sizeof pauses))
		line(p, "", "%s", pauses);
	if (!shown && top_from_framework(p->d))
		line(p, "Busy", "no device work in this trace; record with device tracing on");
}

static struct table *run(struct page *p, const char *name, struct err *e)
{
	const struct table_desc *a = analysis_find(name);
	return a ? shared_table(a, p->d, &p->q, &p->mem, NULL, e) : NULL;
}

/* ---- how far from ideal ------------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct { const char *key, *what, *untold; } ideals[] = {
	{"device_compute_pct",   "of the step time the devices compute", NULL},
	{"device_ops_count_pct", "of the ops run on devices",            NULL},
	{"kernels_16bit_pct",    "of the kernels compute in 16 bit",     "kernels_unknown_precision_pct"},
};
/* clang-format on */

/* ", 34.2 % to go"; ", unknown for 73.0 %" where most names tell nothing. */
static const char *rest_to_go(struct page *p, double pct, const struct cell *untold)
{
	char buf[UNITS_BUF];
	if (untold && untold->r >= PRECISION_UNTOLD_PCT)
		return arena_printf(&p->mem, ", unknown for %s", fmt_pct(buf, untold->r));
	return arena_printf(&p->mem, ", %s to go", fmt_pct(buf, pct < 100 ? 100 - pct : 0));
}

static void put_ideals(struct page *p, const struct table *overview)
{
	const char *label = "Ideal";
	if (trace_devices(derived_trace(p->d)) == 0)
		return;
	for (size_t i = 0; i < sizeof ideals / sizeof *ideals; i++) {
		const struct cell *v = cut_value(overview, ideals[i].key);
		const struct cell *untold = ideals[i].untold ? cut_value(overview, ideals[i].untold) : NULL;
		char now[UNITS_BUF];
		if (!v && !untold)
			continue;
		double pct = v ? v->r : NAN;
		line(p, label, "%7s %s%s", fmt_pct(now, pct), ideals[i].what, rest_to_go(p, pct, untold));
		label = "";
	}
}

/* "72.1 % device compute, 17.0 % other host work, 8.2 % kernel launch" */
static void put_mix(struct page *p)
{
	const struct table *steps = run(p, "steps", NULL);
	const char *text = "";
	char pct[UNITS_BUF];
	if (!steps || !steps->n_rows)
		return;
	struct step_mix m = step_mix(steps);
	bool used[MIX_PARTS] = {false};
	for (int k = 0; k < MIX_PARTS; k++) {
		int best = -1;
		for (int i = 0; i < MIX_PARTS; i++)
			if (!used[i] && m.pct[i] >= 0.05 && (best < 0 || m.pct[i] > m.pct[best]))
				best = i;
		if (best < 0)
			break;
		used[best] = true;
		text = arena_printf(&p->mem, "%s%s%s %s", text, k ? ", " : "", fmt_pct(pct, m.pct[best]),
				    m.words[best]);
	}
	if (*text)
		line(p, "", "%s", text);
}

static bool put_findings(struct page *p, struct err *e)
{
	if (!top_from_framework(p->d))
		return true;
	const struct table *t = run(p, "findings", e);
	if (!t)
		return false;
	for (uint32_t row = 0; row < t->n_rows && row < FINDINGS; row++) {
		struct guide_item item = guide_item(t, row);
		if (item.state == FINDING_PASS)
			break;
		line(p, row ? "" : "Findings", "%s %s", guide_mark(item.state, p->r->ascii), item.sentence);
	}
	return true;
}

static const char *number_text(struct page *p, const struct table *t, const char *key)
{
	const struct cell *v = cut_value(t, key);
	return v ? time_text(p, cell_whole(v)) : NULL;
}

/* " (100.000 ms to 201.000 ms)", of every rank and device; "" of one row alone. */
static const char *step_range(struct page *p)
{
	const struct table *t = run(p, "steps", NULL);
	int64_t least = INT64_MAX, most = INT64_MIN, dur_ns[BLOCK_ROWS], counted[BLOCK_ROWS];
	uint32_t n = 0;
	for (struct row_block b = {.t = t}; t && row_block_next(&b);) {
		row_block_numbers(&b, COL_STEPS_DUR_NS, dur_ns);
		row_block_numbers(&b, COL_STEPS_COUNTED, counted);
		for (uint32_t i = 0; i < b.n; i++) {
			if (dur_ns[i] == UNKNOWN_I64 || !counted[i])
				continue;
			n++;
			least = dur_ns[i] < least ? dur_ns[i] : least;
			most = dur_ns[i] > most ? dur_ns[i] : most;
		}
	}
	return n < 2 ? "" : arena_printf(&p->mem, " (%s to %s)", time_text(p, least), time_text(p, most));
}

/* "mean 160.158 ms ± 19.445 ms (146.095 ms to 193.549 ms)"; of irregular ones the median. */
static const char *length_text(struct page *p, const struct table *t)
{
	const char *mean = number_text(p, t, "step_mean_ns"), *sd = number_text(p, t, "step_sd_ns"),
		   *median = number_text(p, t, "step_median_ns");
	if (!median)
		return "";
	const char *range = step_range(p);
	if (!mean)
		return arena_printf(&p->mem, "irregular, median %s%s", median, range);
	const char *spread = sd ? arena_printf(&p->mem, " %s %s", p->r->ascii ? "+-" : "±", sd) : "";
	return arena_printf(&p->mem, "mean %s%s%s", mean, spread, range);
}

/* A sentence that is too long for one line, a line for each of its parts; NULL: nothing. */
static void put_parts(struct page *p, const char *label, const struct cell *text, const char *between)
{
	for (const char *at = text ? text->s : NULL, *end; at; at = end ? end + strlen(between) : NULL) {
		end = strstr(at, between);
		line(p, at == text->s ? label : "", "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
	}
}

static void put_steps(struct page *p, const struct table *t)
{
	put_parts(p, "Iteration", cut_value(t, "iterations_text"), ": ");
	put_parts(p, "Graphs", cut_value(t, "graphs_text"), "; ");
	if (derived_steps(p->d) == 0 && !top_from_framework(p->d))
		return;
	if (derived_steps(p->d) == 0) {
		line(p, "Steps", "no markers found; --steps-by REGEX takes host events as steps");
		return;
	}
	const struct cell *text = cut_value(t, "steps_text");
	const char *steps = text ? words_clean(&p->mem, text->s) : "none lies inside as a whole";
	const char *length = length_text(p, t);
	bool two_lines = strchr(steps, ';') != NULL;
	bool labels = iterations_are_steps(p->d);
	line(p, labels ? "Labels" : "Steps", "%s%s%s", steps, *length && !two_lines ? ", " : "",
	     two_lines ? "" : length);
	if (two_lines && *length)
		line(p, "", "%s", length);
}

static const char *gap_name(struct page *p, const struct gap *g)
{
	char device[96] = "";
	if (g->device != NONE_ID)
		trace_device_label(p->t, g->device, device, sizeof device);
	return arena_printf(&p->mem, "%s %s", gap_place_short(p->d, g, " -> ", &p->mem), device);
}

static void put_gap(struct page *p, const struct gap *g, const char *label)
{
	struct why w = why_of(p->d, g);
	const char *period = g->scope == GAP_STEP && g->period_ns > 0 ? share(p, g->dur_ns, g->period_ns) : "";
	line(p, label, "%-18s %11s %6s%s", gap_name(p, g), time_text(p, g->dur_ns), period,
	     gap_confidence_words(&w.verdict, "  ", &p->mem));
	line(p, "", "  %s", cause_text(&p->mem, g, &w, COLS - LABEL_COLS - 2));
}

static const struct gap *put_gaps(struct page *p)
{
	const struct window *w = &p->r->window;
	const struct gap *first = NULL, *g;
	for (uint32_t i = 0; i < GAPS && (g = derived_gap_ranked(p->d, i, w->a_ns, w->b_ns)); i++) {
		put_gap(p, g, i ? "" : "Gaps");
		first = first ? first : g;
	}
	if (!first && top_from_framework(p->d))
		line(p, "Gaps", "none of 1 us or more");
	return first;
}

static const char *cell_of(struct page *p, const struct table *t, uint32_t row, uint32_t column)
{
	return column_words(t, row, column, arena_alloc(&p->mem, 64), 64);
}

static struct top_req top_of(const struct page *p)
{
	const struct window *w = &p->r->window;
	return (struct top_req){.d = p->d, .a_ns = w->a_ns, .b_ns = w->b_ns, .label = track_label};
}

/* What a trace without devices can tell. */
static void put_host(struct page *p)
{
	struct top_req r = top_of(p);
	const struct table *threads = top_threads(&r, &p->mem), *events = top_events(&r, &p->mem);
	for (uint32_t i = 0; i < threads->n_rows && i < KERNELS; i++)
		line(p, i ? "" : "Threads", "%7s %11s busy  %s", cell_of(p, threads, i, TOP_THREAD_SHARE),
		     cell_of(p, threads, i, TOP_THREAD_BUSY), cell_of(p, threads, i, TOP_THREAD_NAME));
	for (uint32_t i = 0; i < events->n_rows && i < KERNELS; i++)
		line(p, i ? "" : "Longest", "%11s from %11s  %s", cell_of(p, events, i, TOP_EVENT_DUR),
		     cell_of(p, events, i, TOP_EVENT_START),
		     words_name(&p->mem, cell_of(p, events, i, TOP_EVENT_NAME), COLS - LABEL_COLS - 30));
}

/* The largest ops of devices; without any, nothing. */
static bool put_ops_by_name(struct page *p, struct err *e)
{
	const struct table *t = run(p, "ops", e);
	uint32_t shown = 0;
	for (uint32_t row = 0; t && row < t->n_rows && shown < OPS; row++) {
		const char *side = column_cell(t, row, COL_OPS_SIDE)->s;
		if (strcmp(side, "Device") || !top_has_kernels(p->d))
			break;
		line(p, shown++ ? "" : "Ops", "%7s %10s %7s x  %s", cell_of(p, t, row, COL_OPS_SELF_PCT),
		     cell_of(p, t, row, COL_OPS_SELF), cell_of(p, t, row, COL_OPS_OCCURRENCES),
		     words_name(&p->mem, cell_of(p, t, row, COL_OPS_OPERATION), COLS - LABEL_COLS - 31));
	}
	return t != NULL;
}

/* Devices without kernels run ops. */
static void put_ops(struct page *p)
{
	struct top_req r = top_of(p);
	const struct table *t = top_ops(&r, &p->mem);
	for (uint32_t i = 0; i < t->n_rows && i < KERNELS; i++)
		line(p, i ? "" : "Ops", "%7s %11s %7s x  %s", cell_of(p, t, i, TOP_OP_SHARE),
		     cell_of(p, t, i, TOP_OP_TOTAL), cell_of(p, t, i, TOP_OP_COUNT),
		     words_name(&p->mem, cell_of(p, t, i, TOP_OP_NAME), COLS - LABEL_COLS - 32));
}

static void put_names(struct page *p, const struct table *names)
{
	uint32_t n = names->n_rows;
	for (uint32_t i = 0; i < n && i < KERNELS; i++)
		line(p, i ? "" : "Kernels", "%7s %10s %7s x  %s", cell_of(p, names, i, KERNEL_NAMES_SHARE),
		     cell_of(p, names, i, KERNEL_NAMES_TOTAL), cell_of(p, names, i, KERNEL_NAMES_COUNT),
		     words_name(&p->mem, cell_of(p, names, i, KERNEL_NAMES_NAME), COLS - LABEL_COLS - 31));
	if (n == 0)
		line(p, "Kernels", "none in this window");
	if (n > KERNELS)
		line(p, "", "and %s more names in the table 'kernels'", count_text(p, n - KERNELS));
}

/* There may be as many names and launch shapes as kernels: what these few lines are made of makes room for the findings. */
static bool put_kernels(struct page *p, struct err *e)
{
	if (!top_has_kernels(p->d)) {
		if (trace_devices(p->t))
			put_ops(p);
		else
			put_host(p);
		return true;
	}
	struct table *t = run(p, "kernels", e);
	if (!t)
		return false;
	struct arena mem = {0};
	put_names(p, kernels_by_name(t, &mem));
	arena_free(&mem);
	shared_drop(p->q.shared, &kernels_desc);
	shared_drop(p->q.shared, &kernel_groups_part);
	return true;
}

static void put_notes(struct page *p)
{
	const struct notes *n = trace_notes(p->t);
	uint32_t shown = 0;
	line(p, "Ledger", "%s entries = %s shown + %s merged + %s noted", count_text(p, (int64_t)n->entries),
	     count_text(p, (int64_t)n->shown), count_text(p, (int64_t)n->merged),
	     count_text(p, (int64_t)notes_noted(n)));
	for (int severity = NOTE_LOST; severity >= NOTE_WARN; severity--)
		for (int i = 0; i < NOTE_COUNT && shown < NOTES; i++) {
			const struct note_info *info = note_info((enum note_id)i);
			if (!n->at[i].count || (int)info->severity != severity)
				continue;
			line(p, "", "%s %s x %s", note_severity_name(info->severity),
			     count_text(p, (int64_t)n->at[i].count), info->help);
			shown++;
		}
}

static void put_next(struct page *p, const struct gap *g)
{
	const char *path = p->r->n_paths ? words_quote(&p->mem, p->r->paths[0]) : "TRACE";
	const char *program = p->r->program;
	path = (int)strlen(path) > COLS - 45 ? "TRACE" : path;
	line(p, "Next", "%s %s   on a terminal: the explorer", program, path);
	if (g)
		line(p, "", "%s report %s --gap %u -o gap.html", program, path, g->id);
	line(p, "", "%s table %s %s", program, g ? "gaps" : "tracks", path);
	line(p, "", "%s --help   lists all tables", program);
}

bool overview_text(const struct overview_req *r, FILE *out, struct err *e)
{
	struct page p = {.r = r, .d = r->d, .t = derived_trace(r->d), .out = out, .q = window_query(&r->window, NULL)};
	p.q.all_steps = r->all_steps;
	p.q.shared = shared_new(&p.q);
	put_title(&p);
	const struct table *overview = run(&p, "overview", e);
	put_ideals(&p, overview);
	put_devices(&p);
	put_steps(&p, overview);
	put_mix(&p);
	bool sound = overview && put_ops_by_name(&p, e) && put_kernels(&p, e) && put_findings(&p, e);
	const struct gap *g = put_gaps(&p);
	fputc('\n', out);
	put_notes(&p);
	put_next(&p, g);
	shared_free(p.q.shared);
	arena_free(&p.mem);
	return sound;
}
