/* tui/report/sections.c - the sections of a report, made one after the other. */
#include "content.h"
#include "cut.h"
#include "section_list.h"
#include "model/analysis/analysis.h"
#include "model/analysis/gaps/gaps_columns.h"
#include "model/analysis/kernels/kernel_stats.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/serving/iterations.h"
#include "tui/tables/human_table.h"
#include "model/analysis/kernels/kernel_names.h"
#include "tui/text/labels.h"
#include <string.h>

enum { NAME_COLS = 56 };

/* Idle times of devices are the story, without them those of the streams, which stand after them. */
static const char *story(const struct table *t)
{
	return t->n_rows && !strcmp(column_text(t, 0, COL_GAPS_SCOPE), "stream") ? "stream" : "device";
}

static struct section *section_named(struct content *c, const char *title, const char *intro)
{
	if (c->n_sections == SECTIONS_MAX)
		return NULL;
	struct section *s = &c->sections[c->n_sections++];
	*s = (struct section){.title = title, .intro = intro};
	return s;
}

static struct section *next_section(struct content *c, const struct section_spec *p)
{
	const char *intro = p->intro ? p->intro : p->table->report.intro;
	const struct derived *d = c->req->d;
	bool served = p->served && iterations_stand_for_steps(d);
	const char *title = served ? p->served : p->title ? p->title : p->table->title;
	return section_named(c, title, intro ? intro : "");
}

enum extent extent_of(enum report_format f)
{
	return f == REPORT_HTML ? WIDE : f == REPORT_JSON ? FULL : BRIEF;
}

/* What is shown of gaps are the rows of a table of its own; machines get all of them. */
static bool is_once(const struct content *c, const struct section_spec *p)
{
	return p->keep == keep_gap && extent_of(c->req->format) != FULL;
}

static struct cut_choice rows_of(const struct content *c, const struct section_spec *p, const struct table *t)
{
	struct cut_choice all = {.sort = p->table->report.sort};
	if (is_once(c, p))
		return all;
	all.keep = p->keep;
	all.word = p->keep == keep_gap ? story(t) : c->req->redact ? SECTION_REDACTING : "";
	return all;
}

static const struct step_mix *mix_of(const struct table *steps, struct arena *mem)
{
	struct step_mix *m = arena_alloc(mem, sizeof *m);
	*m = step_mix(steps);
	return m;
}

/* Sections that are more than a table. True when this was one. */
static bool add_picture(struct content *c, const struct section_spec *p, struct table *t)
{
	bool guide = p->face == FACE_FINDINGS;
	if (p->face == FACE_TABLE)
		return false;
	const struct table *shown = guide ? t : human_table(t, c->req->d, c->req->redact, &c->mem),
			   *told = scrub_table(c->scrub, shown, &c->mem);
	const struct step_mix *mix = guide ? NULL : mix_of(told, &c->mem);
	const struct table *numbers = guide ? told : bars_parts(told, mix, &c->mem);
	struct section *s = numbers->n_rows ? next_section(c, p) : NULL;
	if (!s)
		return true;
	bool parts = !guide && extent_of(c->req->format) == FULL;
	struct answer *all = parts ? runs_ask(c->runs, &step_parts_desc, false, NULL) : NULL;
	s->look = guide ? LOOK_GUIDE : LOOK_BARS;
	s->source = told;
	s->mix = mix;
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
static void draw_above(struct content *c, const struct section_spec *p, struct section *s, const struct table *t)
{
	struct answer *r = runs_ask(c->runs, p->drawn, false, NULL);
	if (p->table == &ops_desc) {
		add_charts(c, s, scrub_table(c->scrub, t, &c->mem), r);
		return;
	}
	if (!r || !r->table->n_rows)
		return;
	bool curves = p->table == &memory_desc;
	const struct table *drawn = curves ? human_table(r->table, c->req->d, c->req->redact, &c->mem) : r->table;
	s->source = scrub_table(c->scrub, drawn, &c->mem);
	s->look = curves ? LOOK_MEMORY : LOOK_HISTOGRAMS;
}

/* Rows of all columns, for machines. What is private is left out there, too. */
static void cut_full(struct content *c, const struct section_spec *p, struct section *s, const struct table *t)
{
	bool private = p->keep == keep_fact || (c->req->redact && p->keep == keep_headline);
	struct cut_choice all = {.sort = t->desc->report.sort,
				 .max = ROWS_FULL,
				 .keep = private ? p->keep : NULL,
				 .word = rows_of(c, p, t).word,
				 .all_columns = true};
	struct cut cut = {.scrub = c->scrub};
	const struct cut_rows *rows = cut_rows(t, &all, &c->mem);
	s->table = cut_table(t, rows, &cut, &c->mem);
	s->total = cut_total(rows);
}

/* Rows for people. */
static void cut_shown(struct content *c, const struct section_spec *p, struct section *s, const struct table *t,
		      const struct cut_choice *kept)
{
	bool wide = extent_of(c->req->format) == WIDE, all_rows = p->table->report.all_rows && !wide;
	struct column_list columns = wide ? p->table->report.wide : p->table->report.brief;
	struct cut_choice choice = *kept;
	choice.max = all_rows ? 0 : wide ? ROWS_WIDE : ROWS_BRIEF;
	choice.columns = columns;
	struct cut cut = {columns, 0, wide || all_rows ? 0 : NAME_COLS, c->scrub, true};
	const struct cut_rows *rows = cut_rows(t, &choice, &c->mem);
	s->table = cut_table(t, rows, &cut, &c->mem);
	s->total = cut_total(rows);
	s->unknown = wide ? cut_unknown(rows, columns, &c->mem) : "";
}

/* `t` lives in `mem`, and what it is turned into as well. */
static void add_table(struct content *c, const struct section_spec *p, struct table *t, struct arena *mem)
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

/* A table of our own: already small. */
static void add_own(struct content *c, const char *title, const char *intro, const struct table *t)
{
	bool chosen = t->n_rows && section_chosen(c->req->sections, t->name);
	struct section *s = chosen ? section_named(c, title, intro) : NULL;
	if (!s)
		return;
	bool brief = extent_of(c->req->format) == BRIEF;
	struct cut cut = {.rows = brief ? ROWS_BRIEF : 0,
			  .text_cols = brief ? NAME_COLS : 0,
			  .drop_unknown = true,
			  .scrub = c->scrub};
	const struct cut_rows *rows = cut_rows(t, &(struct cut_choice){0}, &c->mem);
	s->unknown = cut_unknown(rows, (struct column_list){0}, &c->mem);
	s->table = extent_of(c->req->format) == FULL ? scrub_table(c->scrub, t, &c->mem)
						     : cut_table(t, rows, &cut, &c->mem);
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
static const struct table_desc *source_of(const struct content *c, const struct section_spec *p)
{
	return p->table == &kernel_names_desc ? &kernels_desc : is_once(c, p) ? &gaps_once_desc : p->table;
}

static bool is_told(const struct content *c, const struct section_spec *p)
{
	return p->kinds & 1u << c->req->window.kind && section_chosen(c->req->sections, p->table->name);
}

static bool needed_later(const struct content *c, const struct section_spec *p)
{
	uint32_t n;
	const struct section_spec *end = section_specs(&n);
	end += n;
	for (const struct section_spec *x = p + 1; x < end; x++)
		if (is_told(c, x) && source_of(c, x) == source_of(c, p) && x->whole == p->whole)
			return true;
	return false;
}

static bool run_spec(struct content *c, const struct section_spec *p, struct err *e)
{
	struct answer *r = runs_ask(c->runs, source_of(c, p), p->whole, e);
	if (!r)
		return false;
	struct table *t = r->table;
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
	add_own(c, "Work before and after the gap", "", evidence_edges(c, g));
}

/* Where no kernels are, ops or threads tell the story. They know no filter. */
static void add_top(struct content *c)
{
	const struct window *w = &c->req->window;
	struct top_req r = {
		.d = c->req->d, .a_ns = w->a_ns, .b_ns = w->b_ns, .redact = c->req->redact, .label = track_label};
	if (c->req->filter || top_has_kernels(r.d))
		return;
	if (trace_devices(derived_trace(r.d))) {
		add_own(c, "Ops", "device work by its self time, largest first", top_ops(&r, &c->mem));
		return;
	}
	add_own(c, "Busiest threads", "time in which any of their events runs", top_threads(&r, &c->mem));
	add_own(c, "Longest events", "single host events, longest first", top_events(&r, &c->mem));
}

/* The thread that launches for the first device that somebody launches for, and what tells it from those of others. */
static uint32_t launching_track(struct content *c, const char **title)
{
	const struct derived *d = c->req->d;
	uint32_t found = NONE_ID;
	*title = "What the launching thread did";
	for (uint32_t i = 0, of = 0; i < trace_devices(derived_trace(d)); i++) {
		uint32_t track = derived_launch_track(d, i);
		if (found == NONE_ID) {
			found = track;
			of = i;
		} else if (track != NONE_ID && track != found) {
			*title = arena_printf(&c->mem, "What the launching thread of %s did",
					      device_label(d, of, c->req->redact, &c->mem));
			break;
		}
	}
	return found;
}

/* Made while the second thread makes the first answers. */
struct window_evidence {
	const struct table *longest, *self;
	const char *self_title;
};

static struct window_evidence window_evidence(struct content *c)
{
	const struct window *w = &c->req->window;
	struct window_evidence e = {.longest = evidence_longest(c, w->a_ns, w->b_ns)};
	uint32_t track = launching_track(c, &e.self_title);
	e.self = track == NONE_ID ? NULL : evidence_self(c, track, w->a_ns, w->b_ns);
	return e;
}

static void add_window_evidence(struct content *c, const struct window_evidence *e)
{
	add_top(c);
	add_own(c, "Longest device events", "single events, longest first", e->longest);
	if (e->self)
		add_own(c, e->self_title, "self time, largest first", e->self);
}

/* How many answers a spec takes. */
static uint32_t answers_of(const struct content *c, const struct section_spec *p)
{
	return 1 + (p->drawn && extent_of(c->req->format) != FULL);
}

/* Those of the specs that this report carries, as answers to make ahead. */
void sections_plan(struct content *c)
{
	uint32_t n_specs, n = 0;
	const struct section_spec *specs = section_specs(&n_specs);
	struct planned *plan = arena_alloc(&c->mem, 2 * n_specs * sizeof *plan);
	for (const struct section_spec *p = specs; p < specs + n_specs; p++) {
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
	uint32_t passed = 0, n;
	const struct section_spec *specs = section_specs(&n);
	if (gap)
		add_gap_evidence(c, c->req->window.gap);
	else
		evidence = window_evidence(c);
	for (const struct section_spec *p = specs; p < specs + n; p++) {
		if (p->table == &notes_desc && !gap)
			add_window_evidence(c, &evidence);
		if (!is_told(c, p))
			continue;
		TRY(run_spec(c, p, e));
		runs_passed(c->runs, passed += answers_of(c, p));
	}
	return true;
}
