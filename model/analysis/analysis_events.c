/* Every event of the window, one row each. */
#include "analysis.h"
#include "attr_columns.h"
#include "windowed.h"
#include <stdlib.h>

/* clang-format off */
static const struct column columns[] = {
	{"id",         CELL_INT,  UNIT_ID,    "number of the event in this trace; other tables name events by it"},
	{"track",      CELL_INT,  UNIT_ID,    "number of its track (table tracks)"},
	{"start_ns",   CELL_INT,  UNIT_NS,    "start, from the first event of the trace"},
	{"dur_ns",     CELL_INT,  UNIT_NS,    "whole duration; instants have 0"},
	{"depth",      CELL_INT,  UNIT_NONE,  "events of the track that enclose it"},
	{"kind",       CELL_TEXT, UNIT_NONE,  "what its producer says that it is"},
	{"name",       CELL_TEXT, UNIT_NONE,  "name"},
	{"corr",       CELL_INT,  UNIT_ID,    "correlation id of launch and device work"},
	{"step",       CELL_TEXT, UNIT_NONE,  "step it belongs to"},
	{"cut",        CELL_BOOL, UNIT_NONE,  "reaches over an edge of the window"},
	{"track_name", CELL_TEXT, UNIT_NONE,  "label of its track"},
};
/* clang-format on */
enum {
	COL_ID,
	COL_TRACK,
	COL_START,
	COL_DUR,
	COL_DEPTH,
	COL_KIND,
	COL_NAME,
	COL_CORR,
	COL_STEP,
	COL_CUT,
	COL_TRACK_NAME,
	N_COLUMNS
};

struct listing {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	const struct query *q;
	row_id *rows; /* those that pass, by id; arena memory: evidence points into it */
	uint32_t n, cap;
	const char **labels; /* per track, made on first use */
};

/* The rows first, so that the table is made in one piece: it has a dozen cells per event. */
static bool collect(struct listing *l, struct arena *mem, struct progress *p, struct err *e)
{
	struct windowed w = windowed_open(l->d, l->q, p);
	for (uint32_t track = 0; track < trace_tracks(l->t); track++) {
		windowed_track(&w, track, KINDS_ALL);
		while (windowed_next(&w)) {
			if (l->n == l->cap) {
				uint32_t cap = l->cap ? l->cap * 2 : 1024;
				l->rows = arena_grow(mem, l->rows, l->cap * sizeof *l->rows, cap * sizeof *l->rows);
				l->cap = cap;
			}
			l->rows[l->n++] = w.row;
		}
	}
	return windowed_done(&w, e);
}

static const char *track_label(struct listing *l, uint32_t track, struct arena *mem)
{
	char buf[256];
	if (!l->labels[track])
		l->labels[track] = arena_strdup(mem, trace_track_label(l->t, track, buf, sizeof buf));
	return l->labels[track];
}

static bool is_cut(const struct listing *l, row_id r)
{
	int64_t start = l->c->start_ns[r];
	return start < l->q->a_ns || start + l->c->dur_ns[r] > l->q->b_ns;
}

static void fill_event(struct listing *l, row_id r, struct cell *row, struct arena *mem)
{
	cell_int(&row[COL_ID], r);
	cell_int(&row[COL_TRACK], l->c->track[r]);
	cell_int(&row[COL_START], l->c->start_ns[r]);
	cell_int(&row[COL_DUR], l->c->dur_ns[r]);
	cell_int(&row[COL_DEPTH], l->c->depth[r]);
	cell_text(&row[COL_KIND], kind_name((enum event_kind)l->c->kind[r]));
	cell_text(&row[COL_NAME], trace_str(l->t, l->c->name[r]));
	cell_text(&row[COL_STEP], windowed_step(l->d, r));
	cell_bool(&row[COL_CUT], is_cut(l, r));
	cell_text(&row[COL_TRACK_NAME], track_label(l, l->c->track[r], mem));
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

static void add_event(struct listing *l, struct table *t, uint32_t i, struct attr_columns *attrs)
{
	row_id r = l->rows[i];
	struct cell *row = table_row(t);
	fill_event(l, r, row, t->mem);
	fill_corr(&row[COL_CORR], l->c->corr[r], t->mem);
	if (attrs)
		attr_columns_fill(attrs, r, row, t->mem);
	int64_t start = l->c->start_ns[r];
	t->evidence[t->n_rows - 1] = (struct evidence){start, start + l->c->dur_ns[r], &l->rows[i], 1};
}

static struct table *make_table(struct listing *l, struct arena *mem, struct attr_columns *attrs)
{
	const struct column *all = columns;
	uint32_t n_columns = N_COLUMNS;
	if (attrs) {
		for (uint32_t i = 0; i < l->n; i++)
			attr_columns_learn(attrs, l->rows[i]);
		all = attr_columns_add(attrs, mem, columns, N_COLUMNS, &n_columns);
	}
	struct table *t = table_new(mem, "events", "Events", all, n_columns);
	query_bounds(l->q, l->t, &t->window_a_ns, &t->window_b_ns);
	table_reserve(t, l->n);
	for (uint32_t i = 0; i < l->n; i++)
		add_event(l, t, i, attrs);
	return t;
}

struct table *analysis_events(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct listing l = {.d = d, .t = t, .c = trace_columns(t), .q = q};
	if (!collect(&l, mem, p, e))
		return NULL;
	l.labels = arena_alloc(mem, (trace_tracks(t) + 1) * sizeof *l.labels);
	struct attr_columns *attrs = q->all_columns ? attr_columns_new(t) : NULL;
	struct table *table = make_table(&l, mem, attrs);
	if (attrs)
		attr_columns_free(attrs);
	return table;
}
