#include "tables.h"
#include "worker.h"
#include "model/analysis/kernels/filter_said.h"
#include "model/store/base/memory.h"
#include "model/summary/summary.h"
#include "tui/tables/human_table.h"
#include "model/analysis/kernels/kernel_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One answer. The worker owns it while state is TABLE_RUNNING, the user interface otherwise. */
struct slot {
	enum table_state state;
	struct arena mem;
	struct table *table, *raw; /* raw: what the table is made from, or the same */
	struct table *by_name;     /* kernels */
	struct err err;
};
struct tables {
	const struct derived *d;
	const struct summary *summary; /* NULL = tables are made of d */
	uint32_t n;
	struct slot *slots; /* [analysis * 2 + whole], then the grouped one */
	struct grouped {
		uint32_t analysis;
		const char *by;
		bool idle;
	} grouped;
	struct window window;
	char filter[256];
	bool all_steps;
	struct progress progress;
	struct worker *worker;
	bool any_failed; /* since tables_failed was called */
	struct err failed;
};

/* ---- life --------------------------------------------------------------------------------------------------------- */

struct tables *tables_new(const struct derived *d, int wake_fd, bool inline_jobs)
{
	struct tables *ts = must(calloc(1, sizeof *ts));
	analysis_list(&ts->n);
	ts->slots = must(calloc((size_t)ts->n * 2 + 1, sizeof *ts->slots));
	ts->d = d;
	ts->worker = worker_new(wake_fd, inline_jobs);
	ts->window = window_all(d);
	return ts;
}

void tables_free(struct tables *ts)
{
	if (!ts)
		return;
	atomic_store(&ts->progress.cancel, true);
	worker_free(ts->worker);
	for (uint32_t i = 0; i < ts->n * 2 + 1; i++)
		arena_free(&ts->slots[i].mem);
	free(ts->slots);
	free(ts);
}

/* ---- tables ------------------------------------------------------------------------------------------------------- */

void tables_of_summary(struct tables *ts, const struct summary *s)
{
	ts->summary = s;
}

/* A request carries its own copy of the question: the question may change while it runs. */
struct request {
	struct tables *ts;
	uint32_t slot, analysis;
	struct window window;
	char filter[256];
	bool all_steps;
	struct grouped how; /* of the grouped slot */
	struct slot made;
};

static void make_table(void *ctx)
{
	struct request *r = ctx;
	const struct table_desc *a = analysis_at(r->analysis);
	struct filter *f = *r->filter ? filter_new(r->filter, &r->made.err) : NULL;
	if (*r->filter && (!f || !filter_bind_derived(f, r->ts->d, &r->ts->progress, &r->made.err))) {
		filter_free(f);
		return;
	}
	struct query q = window_query(&r->window, f);
	q.by = r->how.by;
	q.idle = r->how.idle;
	q.all_steps = r->all_steps;
	if (!r->ts->summary)
		r->made.raw = analysis_run(a, r->ts->d, &q, &r->made.mem, &r->ts->progress, &r->made.err);
	else if (summary_holds(a->name))
		r->made.raw = summary_table(r->ts->summary, a->name, &r->made.mem, &r->made.err);
	else
		r->made.raw = table_new(&r->made.mem, a);
	if (r->made.raw)
		r->made.table = human_table(r->made.raw, r->ts->d, false, &r->made.mem);
	filter_free(f);
	if (r->made.raw && strcmp(a->name, "kernels") == 0)
		r->made.by_name = kernels_by_name(r->made.raw, &r->made.mem);
}

static bool same_grouping(const struct grouped *a, const struct grouped *b)
{
	return a->analysis == b->analysis && a->by == b->by && a->idle == b->idle;
}

static bool same_question(const struct request *r)
{
	bool whole = r->slot & 1, grouped = r->slot == r->ts->n * 2;
	if ((grouped && !same_grouping(&r->how, &r->ts->grouped)) || r->all_steps != r->ts->all_steps)
		return false;
	return whole || (strcmp(r->window.text, r->ts->window.text) == 0 && strcmp(r->filter, r->ts->filter) == 0);
}

static void keep_table(void *ctx)
{
	struct request *r = ctx;
	struct slot *s = &r->ts->slots[r->slot];
	if (same_question(r)) {
		*s = r->made;
		s->state = r->made.table ? TABLE_READY : TABLE_FAILED;
		if (!r->made.table) {
			r->ts->any_failed = true;
			r->ts->failed = s->err;
		}
		if (s->by_name)
			s->by_name->mem = &s->mem;
		if (s->table)
			s->table->mem = s->raw->mem = &s->mem; /* the arena moved along */
	} else {
		arena_free(&r->made.mem);
		s->state = TABLE_NONE;
	}
	free(r);
}

static enum table_state want(struct tables *ts, uint32_t at, uint32_t analysis, const struct grouped *how)
{
	struct slot *s = &ts->slots[at];
	bool whole = at & 1;
	if (s->state != TABLE_NONE)
		return s->state;
	struct request *r = must(calloc(1, sizeof *r));
	r->ts = ts;
	r->slot = at;
	r->analysis = analysis;
	r->how = *how;
	r->all_steps = ts->all_steps;
	r->window = whole ? window_all(ts->d) : ts->window;
	if (!whole)
		memcpy(r->filter, ts->filter, sizeof r->filter);
	s->state = TABLE_RUNNING;
	char what[48];
	snprintf(what, sizeof what, "table %s", analysis_at(analysis)->name);
	if (!worker_run(ts->worker, what, make_table, keep_table, r)) {
		s->state = TABLE_FAILED;
		free(r);
	}
	return s->state;
}

enum table_state tables_want(struct tables *ts, uint32_t analysis, bool whole)
{
	return want(ts, analysis * 2 + whole, analysis, &(struct grouped){0});
}

static void forget(struct slot *s)
{
	if (s->state == TABLE_RUNNING)
		return; /* dropped on arrival */
	arena_free(&s->mem);
	*s = (struct slot){0};
}

enum table_state tables_want_grouped(struct tables *ts, uint32_t analysis, const char *by, bool idle)
{
	struct grouped how = {analysis, by, idle};
	if (!same_grouping(&how, &ts->grouped))
		forget(&ts->slots[ts->n * 2]);
	ts->grouped = how;
	return want(ts, ts->n * 2, analysis, &how);
}

struct table *tables_grouped(const struct tables *ts, uint32_t analysis, const char *by, bool idle)
{
	const struct slot *s = &ts->slots[ts->n * 2];
	return s->state == TABLE_READY && same_grouping(&(struct grouped){analysis, by, idle}, &ts->grouped) ? s->table
													     : NULL;
}

struct table *tables_get(const struct tables *ts, uint32_t analysis, bool whole)
{
	const struct slot *s = &ts->slots[analysis * 2 + whole];
	return s->state == TABLE_READY ? s->table : NULL;
}

const struct table *tables_raw(const struct tables *ts, uint32_t analysis, bool whole)
{
	const struct slot *s = &ts->slots[analysis * 2 + whole];
	return s->state == TABLE_READY ? s->raw : NULL;
}

struct table *tables_by_name(const struct tables *ts, uint32_t analysis, bool whole)
{
	const struct slot *s = &ts->slots[analysis * 2 + whole];
	return s->state == TABLE_READY ? s->by_name : NULL;
}

const struct err *tables_error(const struct tables *ts, uint32_t analysis, bool whole)
{
	return &ts->slots[analysis * 2 + whole].err;
}

void tables_question(struct tables *ts, const struct window *w, const char *filter)
{
	if (strcmp(w->text, ts->window.text) == 0 && strcmp(filter, ts->filter) == 0)
		return;
	ts->window = *w;
	snprintf(ts->filter, sizeof ts->filter, "%s", filter);
	for (uint32_t i = 0; i <= ts->n * 2; i += 2)
		forget(&ts->slots[i]);
}

void tables_all_steps(struct tables *ts, bool on)
{
	for (uint32_t i = 0; on != ts->all_steps && i <= ts->n * 2; i++)
		forget(&ts->slots[i]);
	ts->all_steps = on;
}

bool tables_failed(struct tables *ts, struct err *out)
{
	bool any = ts->any_failed;
	if (any)
		*out = ts->failed;
	ts->any_failed = false;
	return any;
}

bool tables_busy(struct tables *ts)
{
	return worker_busy(ts->worker);
}

bool tables_collect(struct tables *ts)
{
	return worker_collect(ts->worker);
}

bool tables_run(struct tables *ts, const char *what, void (*work)(void *ctx), void (*done)(void *ctx), void *ctx)
{
	return worker_run(ts->worker, what, work, done, ctx);
}
