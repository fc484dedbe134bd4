/* tui/report/sections.c - which tables a report carries, as data. */
#include "content.h"
#include "cut.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/analysis.h"
#include "model/analysis/gaps/gap_groups_columns.h"
#include "model/analysis/gaps/gaps_columns.h"
#include "model/analysis/comms/replicas_columns.h"
#include "model/analysis/kernels/kernel_stats.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/analysis/launches/launch_order_columns.h"
#include "model/analysis/launches/queue_columns.h"
#include "model/analysis/memory/memory_peak_columns.h"
#include "model/analysis/memory/memory_steps_columns.h"
#include "model/analysis/memory/xla_memory_columns.h"
#include "model/analysis/ops/op_tree_columns.h"
#include "model/analysis/ops/roofline_columns.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/recorded/notes_columns.h"
#include "model/analysis/steps/phases_columns.h"
#include "tui/tables/human_table.h"
#include "tui/tables/kernel_names.h"
#include "tui/text/labels.h"
#include <string.h>

enum { FOR_ALL = 1 << WINDOW_ALL, FOR_TIME = 1 << WINDOW_TIME, FOR_STEP = 1 << WINDOW_STEP, FOR_GAP = 1 << WINDOW_GAP };
enum { NOT_GAP = FOR_ALL | FOR_TIME | FOR_STEP, ANY = NOT_GAP | FOR_GAP, NAME_COLS = 56 };

struct spec {
	const struct table_desc *table; /* its columns, its intro, how rows go when there are too many */
	const char *title, *intro;      /* NULL: the table's own */
	unsigned kinds;
	bool whole; /* about the whole trace, whatever the window */
	bool (*keep)(const struct table *t, uint32_t row, const char *word);
	enum { FACE_TABLE, FACE_FINDINGS, FACE_STEP_BARS } face;
	const struct table_desc *drawn; /* what is drawn above it for people */
	const struct shared_part *last; /* this and the sections before it are made of it, no later one */
};

static bool text_is(const struct table *t, uint32_t row, uint32_t column, const char *word)
{
	const char *text = column_text(t, row, column);
	return text && strcmp(text, word) == 0;
}

/* Idle times of devices are the story, without them those of the streams, which stand behind them. */
static const char *story(const struct table *t)
{
	return t->n_rows && text_is(t, 0, COL_GAPS_SCOPE, "stream") ? "stream" : "device";
}

/* Idle time in a gap between steps is that gap once more. */
static bool keep_gap(const struct table *t, uint32_t row, const char *scope)
{
	if (strcmp(scope, "stream") == 0)
		return text_is(t, row, COL_GAPS_SCOPE, scope);
	return text_is(t, row, COL_GAPS_SCOPE, "step") || (text_is(t, row, COL_GAPS_SCOPE, "device") &&
							   !text_is(t, row, COL_GAPS_KIND, gap_kind_word(GAP_BETWEEN)));
}

static const char redacting[] = "redacting";

/* What a producer recorded about its environment stays at home: published traces have carried live tokens. */
static bool keep_fact(const struct table *t, uint32_t row, const char *word)
{
	if (strcmp(word, redacting) == 0 && text_is(t, row, KEYED_KEY, "device"))
		return false; /* with several hosts it begins with a host's name; the table of devices has the rest */
	static const char *const allowed[] = {
		"format",       "producer", "producer_version", "devices",      "hosts",
		"processes",    "tracks",   "streams",          "threads",      "events",
		"steps",        "sources",  "entries_in_file",  "events_shown", "events_merged",
		"events_noted", "span_ns",  "device",           "device_name"};
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (text_is(t, row, KEYED_KEY, allowed[i]))
			return true;
	return false;
}

static bool keep_met(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	const struct cell *count = column_cell(t, row, COL_NOTES_COUNT);
	return count->null || count->i > 0;
}

/* Inside steps there are hundreds of groups; those that cost next to nothing would only fill the page. */
static bool keep_group(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	(void)word;
	const struct cell *saved = column_cell(t, row, COL_GAP_GROUPS_SAVED_PCT);
	return text_is(t, row, COL_GAP_GROUPS_SCOPE, "step") || (!saved->null && saved->r >= WORTH_PCT);
}

/* Where nothing tells forward from backward there is nothing to say. */
static bool keep_phases(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_PHASES_BY)->null;
}

/* Where it is known what fits. */
static bool keep_shape(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_KERNELS_WAVES)->null;
}

/* Hundreds of calls start next to nothing. Where none starts device work, the host's time is the story. */
static bool keep_worth(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	const struct cell *c = column_cell(t, row, COL_OP_TREE_DEVICE_PCT);
	(void)word;
	return c->null || c->r >= WORTH_PCT;
}

/* What neither the roof nor a rate is known of tells nothing here. */
static bool keep_limited(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_ROOFLINE_SHARE)->null || !column_cell(t, row, COL_ROOFLINE_RATE)->null;
}

/* Streams, not their buckets of time. */
static bool keep_whole_queue(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return column_cell(t, row, COL_QUEUE_BUCKET)->null;
}

/* One device alone is beside nobody. */
static bool keep_several(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_REPLICAS_OVERLAP)->null;
}

/* What is worth a hundredth of the peak. */
static bool keep_large(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	const struct cell *c = column_cell(t, row, COL_MEMORY_PEAK_SHARE);
	(void)word;
	return !c->null && c->r >= WORTH_PCT;
}

/* Steps that leave something behind. */
static bool keep_keeping(const struct table *t, uint32_t row, const char *word)
{
	const struct cell *c = column_cell(t, row, COL_MEMORY_STEPS_KEPT);
	(void)word;
	return !c->null && c->i > 0;
}

/* The only device of its host that is launched. */
static bool keep_beside(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_LAUNCH_ORDER_LATE)->null;
}

static bool keep_known(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !table_cell(t, row, 1)->null;
}

static bool no_kernels(const struct table *overview)
{
	const struct cell *n = cut_value(overview, "kernels");
	return !n || n->i == 0;
}

static bool keep_at_peak(const struct table *t, uint32_t row, const char *word)
{
	const struct cell *at_peak = column_cell(t, row, COL_XLA_BUFFERS_AT_PEAK);
	(void)word;
	return !at_peak->null && at_peak->b;
}

/* What the cards, the gaps and the kernels do not say already. */
static bool keep_headline(const struct table *t, uint32_t row, const char *word)
{
	static const char *const elsewhere[] = {
		"gap_", "top_kernel_", "notes_", "device_busy_pct:", "busy_ns", "idle_", "span_ns"};
	const struct cell *key = table_cell(t, row, 0);
	(void)word;
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (key->null || strncmp(key->s, elsewhere[i], strlen(elsewhere[i])) == 0)
			return false;
	if (no_kernels(t) && (strncmp(key->s, "kernel", 6) == 0 || strncmp(key->s, "tensor_core", 11) == 0))
		return false;
	return !table_cell(t, row, 1)->null;
}

static const struct spec specs[] = {
	{&findings_desc, .kinds = NOT_GAP, .face = FACE_FINDINGS},
	{&steps_desc, .title = "Where the step time goes", .kinds = NOT_GAP, .face = FACE_STEP_BARS},
	{&overview_desc, .kinds = NOT_GAP, .keep = keep_headline},
	{&gaps_desc, .title = "Gaps in this window", .kinds = NOT_GAP, .keep = keep_gap},
	{&gaps_desc, .title = "All gaps of this kind", .intro = "whether it is every step or only this one",
	 .kinds = FOR_GAP, .whole = true, .keep = keep_gap},
	{&gap_groups_desc, .kinds = NOT_GAP, .keep = keep_group},
	{&input_desc, .title = "Input pipeline", .kinds = NOT_GAP, .keep = keep_known},
	{&iterators_desc, .title = "Input iterators", .kinds = NOT_GAP},
	{&input_ops_desc, .kinds = NOT_GAP},
	{&compiles_desc, .kinds = NOT_GAP},
	{&iterations_desc, .kinds = NOT_GAP},
	{&steps_desc, .kinds = NOT_GAP},
	{&devices_desc, .kinds = NOT_GAP},
	{&gpu_metrics_desc, .title = "Use of the GPUs", .kinds = NOT_GAP},
	{&devices_desc, .title = "Devices over the whole trace", .kinds = FOR_GAP, .whole = true},
	{&replicas_desc, .title = "Devices beside each other", .kinds = NOT_GAP, .keep = keep_several},
	{&collective_steps_desc, .kinds = NOT_GAP},
	{&collective_sizes_desc, .kinds = NOT_GAP},
	{&comm_groups_desc, .kinds = NOT_GAP},
	{&all_to_all_desc, .kinds = NOT_GAP},
	{&pipeline_stages_desc, .kinds = NOT_GAP},
	{&device_pairs_desc, .kinds = NOT_GAP},
	{&memory_desc, .title = "Memory", .kinds = NOT_GAP, .drawn = &memory_curve_desc},
	{&memory_peak_desc, .kinds = NOT_GAP, .keep = keep_large},
	{&memory_steps_desc, .title = "Steps that keep memory", .kinds = NOT_GAP, .keep = keep_keeping},
	{&xla_memory_desc, .kinds = NOT_GAP},
	{&xla_buffers_desc, .kinds = NOT_GAP, .keep = keep_at_peak},
	{&launch_order_desc, .kinds = NOT_GAP, .keep = keep_beside},
	{&streams_desc, .kinds = NOT_GAP},
	{&ops_desc, .kinds = NOT_GAP, .drawn = &op_types_desc},
	{&op_tree_desc, .title = "Calls of ops", .kinds = NOT_GAP, .keep = keep_worth},
	{&roofline_desc, .kinds = NOT_GAP, .keep = keep_limited},
	{&kernel_families_desc, .kinds = NOT_GAP},
	{&kernel_names_desc, .title = "Kernels", .kinds = NOT_GAP},
	{&kernels_desc, .title = "Launch shapes", .kinds = NOT_GAP, .keep = keep_shape, .last = &kernel_groups_part},
	{&precisions_desc, .kinds = NOT_GAP},
	{&tensor_cores_desc, .kinds = NOT_GAP},
	{&phases_desc, .kinds = NOT_GAP, .keep = keep_phases},
	{&fusion_desc, .kinds = NOT_GAP},
	{&copies_desc, .kinds = NOT_GAP},
	{&launch_totals_desc, .kinds = NOT_GAP},
	{&launches_desc, .kinds = NOT_GAP, .drawn = &latency_histogram_desc},
	{&tiny_ops_desc, .kinds = NOT_GAP},
	{&queue_desc, .kinds = NOT_GAP, .keep = keep_whole_queue},
	{&syncs_desc, .kinds = NOT_GAP},
	{&notes_desc, .kinds = ANY, .whole = true, .keep = keep_met},
	{&trace_desc, .title = "Recording", .kinds = ANY, .whole = true, .keep = keep_fact},
};

static struct section *section_named(struct content *c, const char *title, const char *intro)
{
	if (c->n_sections == SECTIONS_MAX)
		return NULL;
	struct section *s = &c->sections[c->n_sections++];
	*s = (struct section){.title = title, .intro = intro};
	return s;
}

static struct section *next_section(struct content *c, const struct spec *p)
{
	const char *intro = p->intro ? p->intro : p->table->report.intro;
	return section_named(c, p->title ? p->title : p->table->title, intro ? intro : "");
}

enum extent extent_of(enum report_format f)
{
	return f == REPORT_HTML ? WIDE : f == REPORT_JSON ? FULL : BRIEF;
}

/* What is shown of gaps are the rows of a table of its own; machines get all of them. */
static bool is_once(const struct content *c, const struct spec *p)
{
	return p->keep == keep_gap && extent_of(c->req->format) != FULL;
}

static struct cut_choice rows_of(const struct content *c, const struct spec *p, const struct table *t)
{
	struct cut_choice all = {.sort = p->table->report.sort};
	if (is_once(c, p))
		return all;
	all.keep = p->keep;
	all.word = p->keep == keep_gap ? story(t) : c->req->redact ? redacting : "";
	return all;
}

/* Sections that are more than a table. True when this was one. */
static bool add_picture(struct content *c, const struct spec *p, struct table *t)
{
	bool guide = p->face == FACE_FINDINGS;
	if (p->face == FACE_TABLE)
		return false;
	struct table *human = human_table(t, c->req->d, c->req->redact, &c->mem);
	const struct table *numbers = guide ? t : bars_parts(human, &c->mem);
	struct section *s = numbers->n_rows ? next_section(c, p) : NULL;
	if (!s)
		return true;
	bool parts = !guide && extent_of(c->req->format) == FULL;
	struct answer *all = parts ? runs_ask(c->runs, &step_parts_desc, false, NULL) : NULL;
	s->look = guide ? LOOK_GUIDE : LOOK_BARS;
	s->source = guide ? t : human;
	s->table = all && all->table->n_rows ? all->table : numbers;
	s->total = s->table->n_rows;
	s->unknown = "";
	return true;
}

static void add_charts(struct content *c, struct section *s, const struct table *ops, struct answer *types)
{
	struct op_chart *charts = arena_alloc(&c->mem, OP_CHARTS * sizeof *charts);
	op_bars_collect(ops, types ? types->table : NULL, charts);
	if (types)
		runs_drop(c->runs, types);
	s->charts = charts;
	s->look = LOOK_OPS;
}

/* `t`: the section's table as it was made. */
static void draw_above(struct content *c, const struct spec *p, struct section *s, const struct table *t)
{
	struct answer *r = runs_ask(c->runs, p->drawn, false, NULL);
	if (p->table == &ops_desc) {
		add_charts(c, s, t, r);
		return;
	}
	if (!r || !r->table->n_rows)
		return;
	bool curves = p->table == &memory_desc;
	s->source = curves ? human_table(r->table, c->req->d, c->req->redact, &c->mem) : r->table;
	s->look = curves ? LOOK_MEMORY : LOOK_HISTOGRAMS;
}

/* Rows of all columns, for machines. What is private is left out there, too. */
static void cut_full(struct content *c, const struct spec *p, struct section *s, const struct table *t)
{
	bool private = p->keep == keep_fact || (c->req->redact && p->keep == keep_headline);
	bool wide = c->req->redact && p->keep == keep_group; /* sentences name threads */
	struct cut_choice all = {.sort = t->desc->report.sort,
				 .max = ROWS_FULL,
				 .keep = private ? p->keep : NULL,
				 .word = rows_of(c, p, t).word,
				 .all_columns = true};
	struct cut cut = {.redact = c->req->redact};
	cut.columns = wide ? p->table->report.wide : (struct column_list){0};
	const struct cut_rows *rows = cut_rows(t, &all, &c->mem);
	s->table = cut_table(t, rows, &cut, &c->mem);
	s->total = cut_total(rows);
}

/* Rows for people. */
static void cut_shown(struct content *c, const struct spec *p, struct section *s, const struct table *t,
		      const struct cut_choice *kept)
{
	bool wide = extent_of(c->req->format) == WIDE, all_rows = p->table->report.all_rows && !wide;
	struct column_list columns = wide ? p->table->report.wide : p->table->report.brief;
	struct cut_choice choice = *kept;
	choice.max = all_rows ? 0 : wide ? ROWS_WIDE : ROWS_BRIEF;
	choice.columns = columns;
	struct cut cut = {columns, 0, wide || all_rows ? 0 : NAME_COLS, c->req->redact, true};
	const struct cut_rows *rows = cut_rows(t, &choice, &c->mem);
	s->table = cut_table(t, rows, &cut, &c->mem);
	s->total = cut_total(rows);
	s->unknown = wide ? cut_unknown(rows, columns, &c->mem) : "";
}

/* `t` lives in `mem`, and what it is turned into as well. */
static void add_table(struct content *c, const struct spec *p, struct table *t, struct arena *mem)
{
	if (add_picture(c, p, t))
		return;
	bool full = extent_of(c->req->format) == FULL;
	const struct table *human = p->table == &kernel_names_desc ? kernels_by_name(t, mem)
								   : human_table(t, c->req->d, c->req->redact, mem);
	struct cut_choice kept = rows_of(c, p, t);
	struct section *s = cut_any(human, &kept) ? next_section(c, p) : NULL;
	if (!s)
		return;
	if (full)
		cut_full(c, p, s, t);
	else
		cut_shown(c, p, s, human, &kept);
	if (!full && p->drawn)
		draw_above(c, p, s, t);
}

/* A table of our own: already small and redacted. */
static void add_own(struct content *c, const char *title, const char *intro, const struct table *t)
{
	struct section *s = t->n_rows ? section_named(c, title, intro) : NULL;
	if (!s)
		return;
	bool brief = extent_of(c->req->format) == BRIEF;
	struct cut cut = {.rows = brief ? ROWS_BRIEF : 0, .text_cols = brief ? NAME_COLS : 0, .drop_unknown = true};
	const struct cut_rows *rows = cut_rows(t, &(struct cut_choice){0}, &c->mem);
	s->unknown = cut_unknown(rows, (struct column_list){0}, &c->mem);
	s->table = extent_of(c->req->format) == FULL ? t : cut_table(t, rows, &cut, &c->mem);
	s->total = t->n_rows;
}

struct table *content_findings(struct content *c, struct err *e)
{
	struct answer *r = c->findings ? NULL : runs_ask(c->runs, &findings_desc, false, e);
	if (r)
		c->findings = r->table;
	return c->findings;
}

/* Kernels by name are made of the table of kernels. */
static const struct table_desc *source_of(const struct content *c, const struct spec *p)
{
	return p->table == &kernel_names_desc ? &kernels_desc : is_once(c, p) ? &gaps_once_desc : p->table;
}

static bool is_told(const struct content *c, const struct spec *p)
{
	return p->kinds & 1u << c->req->window.kind;
}

static bool needed_later(const struct content *c, const struct spec *p)
{
	const struct spec *end = specs + sizeof specs / sizeof *specs;
	for (const struct spec *x = p + 1; x < end; x++)
		if (is_told(c, x) && source_of(c, x) == source_of(c, p) && x->whole == p->whole)
			return true;
	return false;
}

static bool run_spec(struct content *c, const struct spec *p, struct err *e)
{
	struct answer *r = runs_ask(c->runs, source_of(c, p), p->whole, e);
	if (!r)
		return false;
	struct table *t = r->table;
	if (c->req->redact && (p->face == FACE_FINDINGS || p->keep == keep_group))
		t = hide_hosts(t, c->req->d, &c->mem);
	add_table(c, p, t, &r->mem);
	r->drawn = r->drawn || p->face != FACE_TABLE;
	if (!r->drawn && !needed_later(c, p))
		runs_drop(c->runs, r);
	if (p->last)
		runs_drop_part(c->runs, p->last);
	return true;
}

static void add_gap_evidence(struct content *c, const struct gap *g)
{
	uint32_t launching = g->device == NONE_ID ? NONE_ID : gap_thread(c->req->d, g);
	add_own(c, "What the launching thread did in the gap", "self time, largest first",
		evidence_self(c, launching, g->start_ns, g->start_ns + g->dur_ns));
	add_own(c, "Threads that were busy in the gap", "the largest event of each", evidence_threads(c, g));
	add_own(c, "What stands at its edges", "", evidence_edges(c, g));
}

/* Where no kernels are, ops or threads tell the story. They know no filter. */
static void add_top(struct content *c)
{
	const struct window *w = &c->req->window;
	struct top_req r = {c->req->d, w->a_ns, w->b_ns, c->req->redact, track_label};
	if (c->req->filter || top_has_kernels(r.d))
		return;
	if (trace_devices(derived_trace(r.d))) {
		add_own(c, "Ops", "device work by its own time, largest first", top_ops(&r, &c->mem));
		return;
	}
	add_own(c, "Busiest threads", "time in which any of their events runs", top_threads(&r, &c->mem));
	add_own(c, "Longest events", "single host events, longest first", top_events(&r, &c->mem));
}

/* The first device that somebody launches for. */
static uint32_t launching_track(const struct derived *d)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		if (derived_launch_track(d, i) != NONE_ID)
			return derived_launch_track(d, i);
	return NONE_ID;
}

/* Made while the second thread makes the first answers. */
struct window_evidence {
	const struct table *longest, *self;
};

static struct window_evidence window_evidence(struct content *c)
{
	const struct window *w = &c->req->window;
	uint32_t track = launching_track(c->req->d);
	return (struct window_evidence){evidence_longest(c, w->a_ns, w->b_ns),
					track == NONE_ID ? NULL : evidence_self(c, track, w->a_ns, w->b_ns)};
}

static void add_window_evidence(struct content *c, const struct window_evidence *e)
{
	add_top(c);
	add_own(c, "Longest device events", "single events, longest first", e->longest);
	if (e->self)
		add_own(c, "What the launching thread did", "self time, largest first", e->self);
}

/* How many answers a spec takes. */
static uint32_t answers_of(const struct content *c, const struct spec *p)
{
	return 1 + (p->drawn && extent_of(c->req->format) != FULL);
}

/* Those of the specs that this report carries, as answers to make ahead. */
void sections_plan(struct content *c)
{
	size_t most = 2 * sizeof specs / sizeof *specs;
	struct planned *plan = arena_alloc(&c->mem, most * sizeof *plan);
	uint32_t n = 0;
	for (const struct spec *p = specs; p < specs + sizeof specs / sizeof *specs; p++) {
		if (!is_told(c, p))
			continue;
		plan[n++] = (struct planned){source_of(c, p), p->whole};
		if (answers_of(c, p) > 1)
			plan[n++] = (struct planned){p->drawn, false};
	}
	runs_plan(c->runs, plan, n);
}

bool sections_fill(struct content *c, struct err *e)
{
	bool gap = c->req->window.kind == WINDOW_GAP;
	struct window_evidence evidence = {0};
	uint32_t passed = 0;
	if (gap)
		add_gap_evidence(c, c->req->window.gap);
	else
		evidence = window_evidence(c);
	for (const struct spec *p = specs; p < specs + sizeof specs / sizeof *specs; p++) {
		if (p->table == &notes_desc && !gap)
			add_window_evidence(c, &evidence);
		if (!is_told(c, p))
			continue;
		TRY(run_spec(c, p, e));
		runs_passed(c->runs, passed += answers_of(c, p));
	}
	return true;
}
