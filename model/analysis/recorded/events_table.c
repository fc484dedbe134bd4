/* Every event of the window, one row each: selected at once, formatted when it is read. */
#include "events_columns.h"
#include "attr_columns.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/windowed.h"
#include <stdlib.h>
#include <string.h>

TABLE_DECL(events);

static const struct column columns[] = {EVENTS_COLUMNS(COLUMN_ROW)};

/* What rows are made from when they are read. */
struct listing {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	int64_t a_ns, b_ns;
	row_id *rows; /* those that pass, by id; NULL: all of the trace */
	uint32_t n;
	const char **labels; /* per track */
	struct table *table;
};

struct row_list {
	row_id *at;
	uint32_t n, cap;
};

static void add_row(struct row_list *v, row_id r)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = r;
}

static bool collect(struct listing *l, const struct query *q, struct arena *mem, struct progress *p, struct err *e)
{
	struct row_list v = {0};
	struct windowed w = windowed_open(l->d, q, p);
	for (uint32_t track = 0; track < trace_tracks(l->t); track++) {
		windowed_track(&w, track, KINDS_ALL);
		while (windowed_next(&w))
			add_row(&v, w.row);
	}
	l->n = v.n;
	l->rows = arena_alloc(mem, (v.n + 1) * sizeof *l->rows);
	if (v.n)
		memcpy(l->rows, v.at, v.n * sizeof *l->rows);
	free(v.at);
	return windowed_done(&w, e);
}

static bool is_whole(const struct query *q, const struct trace *t)
{
	return !q->filter && q->a_ns <= 0 && q->b_ns > trace_span_ns(t);
}

static void make_labels(struct listing *l, struct arena *mem)
{
	char buf[256];
	l->labels = arena_alloc(mem, (trace_tracks(l->t) + 1) * sizeof *l->labels);
	for (uint32_t track = 0; track < trace_tracks(l->t); track++)
		l->labels[track] = arena_strdup(mem, trace_track_label(l->t, track, buf, sizeof buf));
}

static row_id row_at(const struct listing *l, uint32_t i)
{
	return l->rows ? l->rows[i] : i;
}

static bool is_cut(const struct listing *l, row_id r)
{
	int64_t start = l->c->start_ns[r];
	return start < l->a_ns || start + l->c->dur_ns[r] > l->b_ns;
}

/* Ids above 63 bit exist; they are names, not amounts, and stay whole as text. */
static void fill_corr(struct cell *c, uint64_t corr, struct arena *mem)
{
	if (!corr || corr == UINT64_MAX)
		return;
	if (corr <= INT64_MAX)
		cell_int(c, (int64_t)corr);
	else
		cell_text(c, arena_printf(mem, "%llu", (unsigned long long)corr));
}

static void fill_event(const struct listing *l, row_id r, struct cell *row)
{
	cell_int(&row[COL_EVENTS_ID], r);
	cell_int(&row[COL_EVENTS_TRACK], l->c->track[r]);
	cell_int(&row[COL_EVENTS_START], l->c->start_ns[r]);
	cell_int(&row[COL_EVENTS_DUR], l->c->dur_ns[r]);
	cell_int(&row[COL_EVENTS_DEPTH], l->c->depth[r]);
	cell_text(&row[COL_EVENTS_KIND], kind_name((enum event_kind)l->c->kind[r]));
	cell_text(&row[COL_EVENTS_NAME], trace_str(l->t, l->c->name[r]));
	fill_corr(&row[COL_EVENTS_CORR], number_at(l->c->corr, r), l->table->mem);
	cell_text(&row[COL_EVENTS_STEP], windowed_step(l->d, r));
	cell_bool(&row[COL_EVENTS_CUT], is_cut(l, r));
	cell_text(&row[COL_EVENTS_TRACK_NAME], l->labels[l->c->track[r]]);
}

static void make_event(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	row_id r = out->events[0] = row_at(l, i);
	int64_t start = l->c->start_ns[r];
	fill_event(l, r, out->cells);
	out->evidence = (struct evidence){start, start + l->c->dur_ns[r], out->events, 1, NULL};
}

/* With every attribute as a column a row takes long to make: these are made once and kept. */
static struct table *with_attributes(struct listing *l, struct arena *mem)
{
	struct attr_columns *attrs = attr_columns_new(l->t);
	uint32_t n_columns;
	for (uint32_t i = 0; i < l->n; i++)
		attr_columns_learn(attrs, row_at(l, i));
	const struct column *all = attr_columns_add(attrs, mem, columns, sizeof columns / sizeof *columns, &n_columns);
	struct table *t = l->table = table_with(mem, &events_desc, all, n_columns);
	table_reserve(t, l->n);
	for (uint32_t i = 0; i < l->n; i++) {
		row_id r = row_at(l, i);
		struct cell *row = table_row(t);
		fill_event(l, r, row);
		attr_columns_fill(attrs, r, row, mem);
		table_evidence(t, l->c->start_ns[r], l->c->start_ns[r] + l->c->dur_ns[r], &r, 1);
	}
	attr_columns_free(attrs);
	return t;
}

static struct table *made_on_demand(struct listing *l, struct arena *mem)
{
	l->table = table_new(mem, &events_desc);
	table_made(l->table, l->n, make_event, l);
	return l->table;
}

static struct table *run_events(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct listing *l = arena_alloc(mem, sizeof *l);
	*l = (struct listing){.d = d, .t = t, .c = trace_columns(t), .a_ns = q->a_ns, .b_ns = q->b_ns};
	l->n = (uint32_t)l->c->n;
	if (progress_cancelled(p)) {
		err_usage(e, "cancelled");
		return NULL;
	}
	if (!is_whole(q, t) && !collect(l, q, mem, p, e))
		return NULL;
	make_labels(l, mem);
	struct table *table = q->all_columns ? with_attributes(l, mem) : made_on_demand(l, mem);
	query_bounds(q, t, &table->window_a_ns, &table->window_b_ns);
	return table;
}

const struct table_desc events_desc = {
	.name = "events",
	.title = "Events",
	.help = "every event in the window",
	TABLE_COLUMNS(columns),
	.run = run_events,
	.vs = {.why_not = "single events have none: kernels, ops and copies have their sums"},
};
