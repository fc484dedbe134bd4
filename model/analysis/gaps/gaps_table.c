/* gaps: idle time between steps, then per device and per stream, the longest first, each with its main event and cause.
 * There may be millions: they are listed and ranked at once, the cells of a row are computed when it is read. */
#include "gap_causes.h"
#include "gaps_columns.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/steps/idle.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <string.h>

TABLE_DECL(gaps);

static const struct column columns[] = {GAPS_COLUMNS(COLUMN_ROW)};

enum { AHEAD = 24 }; /* rows: what those to come need is fetched */
/* What a row is made from when it is read. */
struct listing {
	const struct derived *d;
	const struct query *q; /* while the list is made */
	const struct table *table;
	int64_t a_ns, b_ns;
	unsigned kind;                  /* enum gap_kind, GAP_KIND_COUNT = all */
	bool once, any;                 /* once: gaps_once; any: there is idle time of others than streams */
	const char **inside, **between; /* places in words: per step, per gap between steps */
	const char **marked;            /* the same of steps before and after their work, made when asked for */
	struct rank *at;
	uint32_t n;
	struct scope {
		uint32_t first, n, sorted;
	} scopes[GAP_SCOPES]; /* of `at`; those after the first `sorted` of one are sorted when they are asked for */
	struct gap_causes *causes; /* when the first row is judged */
	const struct idle_extents *known;
	struct gap_span span; /* of row `last` - 1, the one that was read last */
	uint32_t last;
};

/* Idle time in a step gap is that gap once more. */
static bool of_kind(const struct listing *l, const struct gap_span *span)
{
	if (l->kind == GAP_KIND_COUNT)
		return !l->once || span->scope != GAP_DEVICE || derived_gap_place(l->d, span).kind != GAP_BETWEEN;
	bool once = span->scope == GAP_STEP || (span->scope == GAP_DEVICE && l->kind != GAP_BETWEEN);
	return once && derived_gap_place(l->d, span).kind == l->kind;
}

static bool passes(const struct listing *l, const struct gap_span *span)
{
	struct gap g;
	if (span->dur_ns < l->q->min_gap_ns)
		return false;
	if (!l->q->filter || !derived_gap_at(l->d, span->id, &g))
		return true;
	return event_wanted(l->d, l->q, g.before) || event_wanted(l->d, l->q, g.after);
}

static bool listed(struct listing *l, const struct gap_span *span)
{
	if (l->kind != GAP_KIND_COUNT && !of_kind(l, span))
		return false;
	if (!passes(l, span))
		return false;
	l->any |= span->scope != GAP_STREAM;
	return l->kind != GAP_KIND_COUNT || of_kind(l, span);
}

static int longer(const void *x, const void *y, void *arg)
{
	const struct listing *l = arg;
	const struct rank *a = x, *b = y;
	struct gap ga, gb;
	derived_gap_at(l->d, a->id, &ga);
	derived_gap_at(l->d, b->id, &gb);
	if (ga.dur_ns != gb.dur_ns)
		return ga.dur_ns < gb.dur_ns ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static void sort_part(const struct listing *l, uint32_t first, uint32_t n)
{
	rank_sort(l->at + first, n);
	rank_ties(l->at + first, n, RANK_LARGE, longer, (void *)l);
}

/* The gaps of one scope come together, the longest first. Mostly none but these are read. */
static void begin_sorting(struct listing *l, enum gap_scope scope, uint32_t first)
{
	enum { LONGEST = 4096 };
	struct scope *s = &l->scopes[scope];
	*s = (struct scope){first, l->n - first, 0};
	s->sorted = rank_largest(l->at + first, s->n, LONGEST);
	sort_part(l, first, s->sorted);
}

static void sort_rest(const struct listing *l, struct scope *s)
{
	sort_part(l, s->first + s->sorted, s->n - s->sorted);
	s->sorted = s->n;
}

static void sort_all(const struct listing *l)
{
	struct listing *w = (struct listing *)l;
	for (int i = 0; i < GAP_SCOPES; i++)
		sort_rest(l, &w->scopes[i]);
}

/* Read by one thread at a time, like the table. */
static uint32_t id_at(const struct listing *l, uint32_t i)
{
	struct listing *w = (struct listing *)l;
	for (struct scope *s = w->scopes; s < w->scopes + GAP_SCOPES; s++)
		if (i - s->first < s->n && i - s->first >= s->sorted)
			sort_rest(l, s);
	return l->at[i].id;
}

static void list_gaps(struct listing *l, struct arena *mem)
{
	struct gap_iter it = gap_iter(l->d, l->a_ns, l->b_ns);
	struct gap_span g;
	enum gap_scope scope = GAP_STEP;
	uint32_t first = 0;
	l->at = arena_alloc(mem, (it.left + 1) * sizeof *l->at);
	while (gap_next(&it, &g) && !(l->once && l->any && g.scope == GAP_STREAM)) {
		if (!listed(l, &g))
			continue;
		if (g.scope != scope) {
			begin_sorting(l, scope, first);
			first = l->n;
			scope = g.scope;
		}
		l->at[l->n++] = (struct rank){rank_size(g.dur_ns), g.id};
	}
	begin_sorting(l, scope, first);
}

/* Each is made once, when it is first read: rows are made again whenever they are read. */
static void keep_places(struct listing *l, struct arena *mem)
{
	uint32_t steps = derived_steps(l->d), gaps = derived_step_gap_count(l->d);
	l->inside = arena_alloc(mem, (steps + (size_t)1) * sizeof *l->inside);
	l->between = arena_alloc(mem, (gaps + (size_t)1) * sizeof *l->between);
	l->marked = arena_alloc(mem, (2 * (size_t)steps + 1) * sizeof *l->marked);
}

/* ---- parts of a row, from what is known at once to what takes a look at the host's events ------------------------------- */

/* What the sweep over all causes kept of the row's gap; NULL: there was none. */
static const struct gap_cause *kept(const struct listing *l, uint32_t i)
{
	return l->causes ? gap_causes_kept(l->causes, i) : NULL;
}

/* The longest first means anywhere in the trace: what rows to come need is fetched ahead when they are read one by one. */
static struct gap_span span_at(const struct listing *l, uint32_t i)
{
	struct listing *w = (struct listing *)l;
	const struct gap_cause *known = kept(l, i);
	if (known)
		return (struct gap_span){l->at[i].id, known->scope, known->start_ns, known->dur_ns};
	if (l->last == i + 1)
		return l->span;
	if (i == l->last && i + AHEAD < l->n)
		derived_gap_ahead(l->d, l->at[i + AHEAD].id, l->at[i + AHEAD / 2].id);
	w->last = i + 1;
	return w->span = derived_gap_span(l->d, id_at(l, i));
}

static void make_scope(const void *ctx, uint32_t i, struct made_row *out)
{
	static const char *const scopes[] = {"step", "device", "stream"};
	const struct listing *l = ctx;
	struct gap_span g = span_at(l, i);
	cell_int(&out->cells[COL_GAPS_GAP], g.id);
	cell_text(&out->cells[COL_GAPS_SCOPE], scopes[g.scope]);
}

/* Of no step, in a gap between steps. */
static int64_t work_inside(const struct derived *d, const struct gap_span *g, int64_t a_ns, int64_t b_ns)
{
	struct gap step;
	if (g->scope != GAP_STEP || !derived_gap_at(d, g->id, &step) || step.device == NONE_ID)
		return 0;
	return intervals_within(derived_busy_device(d, step.device), a_ns, b_ns);
}

/* What of it lies in the window. */
static struct interval inside_window(const struct listing *l, const struct gap_span *g)
{
	return (struct interval){later(g->start_ns, l->a_ns), earlier(g->start_ns + g->dur_ns, l->b_ns)};
}

static void make_times(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct gap_span g = span_at(l, i);
	struct interval in = inside_window(l, &g);
	cell_int(&out->cells[COL_GAPS_START_NS], in.a_ns);
	cell_int(&out->cells[COL_GAPS_DUR_NS], in.b_ns - in.a_ns);
	cell_int(&out->cells[COL_GAPS_IDLE_NS], in.b_ns - in.a_ns - work_inside(l->d, &g, in.a_ns, in.b_ns));
}

/* A place as rows tell it; among: as in struct gap_cause. */
struct row_place {
	enum gap_kind kind;
	uint32_t step, among;
};

static struct row_place place_at(const struct listing *l, uint32_t i)
{
	const struct gap_cause *known = kept(l, i);
	if (known)
		return (struct row_place){known->kind, known->step, known->among};
	struct gap_span span = span_at(l, i);
	struct gap_place p = derived_gap_place(l->d, &span);
	return (struct row_place){p.kind, p.step, p.kind == GAP_BETWEEN ? p.step_gap : p.marked};
}

static const char *place_words(const struct listing *l, const struct row_place *p)
{
	if (p->kind != GAP_BETWEEN && p->kind != GAP_INSIDE && p->among == NONE_ID)
		return gap_kind_word(p->kind);
	const char **words = p->kind == GAP_BETWEEN  ? &l->between[p->among]
			     : p->kind == GAP_INSIDE ? &l->inside[p->step]
						     : &l->marked[2 * (size_t)p->among + (p->kind == GAP_AFTER)];
	if (*words)
		return *words;
	struct gap g;
	if (p->kind == GAP_BETWEEN && derived_gap_at(l->d, p->among, &g))
		return *words = gap_place_text(l->d, &g, l->table->mem);
	struct gap_place place = {p->kind, p->step, NONE_ID, NONE_ID, p->among};
	return *words = gap_place_words(l->d, &place, l->table->mem);
}

static void make_place(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct row_place p = place_at(l, i);
	struct cell *row = out->cells;
	cell_text(&row[COL_GAPS_KIND], gap_kind_word(p.kind));
	uint32_t step = p.step != NONE_ID || p.kind == GAP_BETWEEN ? p.step : p.among;
	if (step != NONE_ID)
		cell_text(&row[COL_GAPS_STEP], derived_step(l->d, step)->label);
	if (derived_steps(l->d))
		cell_text(&row[COL_GAPS_PLACE], place_words(l, &p));
}

static int64_t stream_known(const struct trace *t, const struct gap_lane *lane)
{
	return lane->track != NONE_ID ? trace_track(t, lane->track)->key : UNKNOWN_I64;
}

static void make_lane(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct trace *t = derived_trace(l->d);
	struct gap_lane lane = derived_gap_lane(l->d, id_at(l, i));
	struct cell *row = out->cells;
	cell_host(&row[COL_GAPS_HOST], t, lane.host);
	cell_rank(&row[COL_GAPS_RANK], t, lane.host);
	cell_device(&row[COL_GAPS_DEVICE], t, lane.device);
	cell_int(&row[COL_GAPS_STREAM], stream_known(t, &lane));
}

static int64_t time_at(const struct listing *l, uint32_t i, uint32_t column)
{
	struct gap_span g = span_at(l, i);
	struct interval in = inside_window(l, &g);
	return column == COL_GAPS_START_NS ? in.a_ns : in.b_ns - in.a_ns;
}

static int64_t lane_at(const struct listing *l, uint32_t i, uint32_t column)
{
	const struct trace *t = derived_trace(l->d);
	struct gap_lane lane = derived_gap_lane(l->d, id_at(l, i));
	return column == COL_GAPS_DEVICE ? device_known(t, lane.device)
	       : column == COL_GAPS_RANK ? rank_known(t, lane.host)
					 : stream_known(t, &lane);
}

/* What is asked of all rows: by what they are ranked, and which columns have anything. */
static void numbers_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	bool times = column == COL_GAPS_START_NS || column == COL_GAPS_DUR_NS;
	for (uint32_t i = 0; i < n; i++)
		out[i] = times ? time_at(ctx, rows[i], column) : lane_at(ctx, rows[i], column);
}

static void hosts_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	const struct listing *l = ctx;
	(void)column;
	for (uint32_t i = 0; i < n; i++)
		out[i] = host_known(derived_trace(l->d), derived_gap_lane(l->d, id_at(l, rows[i])).host);
}

static void make_neighbours(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct trace *t = derived_trace(l->d);
	const str_id *names = trace_columns(t)->name;
	const struct gap_cause *known = kept(l, i);
	struct gap g;
	if (known && known->scope != GAP_STEP) {
		cell_text(&out->cells[COL_GAPS_BEFORE], trace_str(t, names[known->before]));
		cell_text(&out->cells[COL_GAPS_AFTER], trace_str(t, names[known->after]));
		return;
	}
	derived_gap_at(l->d, id_at(l, i), &g);
	bool steps = g.scope == GAP_STEP;
	cell_text(&out->cells[COL_GAPS_BEFORE],
		  steps ? derived_step(l->d, g.step_before)->label : trace_str(t, names[g.before]));
	cell_text(&out->cells[COL_GAPS_AFTER],
		  steps ? derived_step(l->d, g.step_after)->label : trace_str(t, names[g.after]));
}

static void make_period(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct gap g;
	if (span_at(l, i).scope != GAP_STEP || !derived_gap_at(l->d, id_at(l, i), &g))
		return;
	cell_int(&out->cells[COL_GAPS_MARKER_GAP_NS], g.marker_gap_ns);
	cell_int(&out->cells[COL_GAPS_PERIOD_NS], g.period_ns);
	cell_pct(&out->cells[COL_GAPS_PERIOD_PCT], g.dur_ns, g.period_ns);
}

/* Read by one thread at a time, like the table. */
static struct gap_causes *causes_of(const struct listing *l)
{
	struct listing *w = (struct listing *)l;
	if (!w->causes)
		w->causes = gap_causes_new(l->d, l->at, l->n, l->known, l->table->mem);
	return w->causes;
}

static void main_event_cells(const struct listing *l, struct made_row *out, const struct gap_cause *c)
{
	if (c->row == NONE_ID)
		return;
	cell_text(&out->cells[COL_GAPS_MAIN_EVENT],
		  trace_str(derived_trace(l->d), derived_columns(l->d)->name[c->row]));
	cell_int(&out->cells[COL_GAPS_MAIN_EVENT_NS], c->row_ns);
	cell_int(&out->cells[COL_GAPS_MAIN_EVENT_ID], c->row);
	cell_pct(&out->cells[COL_GAPS_MAIN_EVENT_PCT], c->row_ns, c->dur_ns);
	out->events[out->evidence.n++] = c->row;
}

static void cause_cells(struct cell *row, const struct gap_cause *c)
{
	cell_text(&row[COL_GAPS_CAUSE], cause_word(c->cause));
	cell_int(&row[COL_GAPS_LOST_NS], gap_lost_ns(c->cause, c->cause_ns, c->dur_ns));
	cell_int(&row[COL_GAPS_CAUSE_NS], c->cause_ns);
	if (c->cause == CAUSE_UNKNOWN)
		return;
	cell_real(&row[COL_GAPS_CONFIDENCE], c->confidence);
	cell_pct(&row[COL_GAPS_CAUSE_PCT], c->cause_ns, c->dur_ns);
}

static void make_judged(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct gap_causes *causes = causes_of(l);
	if (gap_causes_sweeps(causes))
		sort_all(l);
	id_at(l, i);
	struct gap_cause c = gap_causes_at(causes, i);
	gap_causes_ahead(l->causes, i + AHEAD / 2);
	out->evidence = (struct evidence){c.start_ns, c.start_ns + c.dur_ns, out->events, 2, NULL};
	out->events[0] = c.before;
	out->events[1] = c.after;
	main_event_cells(l, out, &c);
	if (c.scope != GAP_STREAM)
		cause_cells(out->cells, &c);
}

#define BITS(a, b, c) (PART_BIT(a) | PART_BIT(b) | PART_BIT(c))
static const struct row_part row_parts[] = {
	{make_scope, PART_BIT(COL_GAPS_GAP) | PART_BIT(COL_GAPS_SCOPE), false},
	{make_times, BITS(COL_GAPS_START_NS, COL_GAPS_DUR_NS, COL_GAPS_IDLE_NS), false},
	{make_place, BITS(COL_GAPS_KIND, COL_GAPS_STEP, COL_GAPS_PLACE), false},
	{make_lane, BITS(COL_GAPS_HOST, COL_GAPS_RANK, COL_GAPS_DEVICE) | PART_BIT(COL_GAPS_STREAM), false},
	{make_neighbours, PART_BIT(COL_GAPS_BEFORE) | PART_BIT(COL_GAPS_AFTER), false},
	{make_period, BITS(COL_GAPS_MARKER_GAP_NS, COL_GAPS_PERIOD_NS, COL_GAPS_PERIOD_PCT), false},
	{make_judged, 0, true},
};

static bool parse_kind(const char *by, unsigned *kind, struct err *e)
{
	for (*kind = 0; by && *kind < GAP_KIND_COUNT && strcmp(by, gap_kind_by(*kind)) != 0; ++*kind)
		;
	if (!by)
		*kind = GAP_KIND_COUNT;
	else if (*kind == GAP_KIND_COUNT)
		return err_usage(e, "gaps are listed --by between, inside, before, after or outside, not '%.40s'", by);
	return true;
}

static struct table *make_table(const struct derived *d, const struct query *q, bool once, struct arena *mem,
				struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, once ? &gaps_once_desc : &gaps_desc);
	struct listing *l = arena_alloc(mem, sizeof *l);
	*l = (struct listing){.d = d, .q = q, .table = out, .a_ns = q->a_ns, .b_ns = q->b_ns, .once = once};
	if (!parse_kind(once ? NULL : q->by, &l->kind, e))
		return NULL;
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (shared_fits(q) &&
	    !q->filter) /* others are made of it, too; a report looks at few gaps, and does without where none is */
		l->known = once ? shared_part_if_asked(&idle_extents_part, q)
				: shared_part(&idle_extents_part, d, q, mem, p, NULL);
	list_gaps(l, mem);
	keep_places(l, mem);
	l->q = NULL;
	table_made_parts(out, l->n, row_parts, sizeof row_parts / sizeof *row_parts, l);
	table_made_numbers(out, numbers_in,
			   BITS(COL_GAPS_START_NS, COL_GAPS_DUR_NS, COL_GAPS_DEVICE) | PART_BIT(COL_GAPS_RANK) |
				   PART_BIT(COL_GAPS_STREAM));
	table_made_texts(out, hosts_in, PART_BIT(COL_GAPS_HOST));
	if (!progress_cancelled(p))
		return out;
	err_usage(e, "cancelled");
	return NULL;
}

static struct table *run_gaps(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct err *e)
{
	return make_table(d, q, false, mem, p, e);
}

static struct table *run_once(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct err *e)
{
	return make_table(d, q, true, mem, p, e);
}

const struct table_desc gaps_once_desc = {
	.name = "gaps", .title = "Gaps", .help = "idle time, each only once", TABLE_COLUMNS(columns), .run = run_once};

const struct table_desc gaps_desc = {
	.name = "gaps",
	.title = "Gaps",
	.help = "idle time between steps, per device and per stream, with its main event and cause",
	TABLE_COLUMNS(columns),
	.run = run_gaps,
	.by = gap_kind_by,
	.first = COLUMN_LIST(COL_GAPS_GAP, COL_GAPS_SCOPE, COL_GAPS_KIND, COL_GAPS_DEVICE, COL_GAPS_STEP,
			     COL_GAPS_DUR_NS, COL_GAPS_PERIOD_PCT, COL_GAPS_CAUSE, COL_GAPS_CAUSE_NS,
			     COL_GAPS_CONFIDENCE, COL_GAPS_MAIN_EVENT, COL_GAPS_MAIN_EVENT_NS, COL_GAPS_BEFORE,
			     COL_GAPS_AFTER),
	.report = {.intro = "idle time, longest first",
		   .brief =
			   COLUMN_LIST(COL_GAPS_GAP, COL_GAPS_PLACE, COL_GAPS_DUR_NS, COL_GAPS_CAUSE, COL_GAPS_CAUSE_NS,
				       COL_GAPS_CONFIDENCE, COL_GAPS_MAIN_EVENT, COL_GAPS_MAIN_EVENT_NS),
		   .wide = COLUMN_LIST(COL_GAPS_GAP, COL_GAPS_DEVICE, COL_GAPS_STREAM, COL_GAPS_KIND, COL_GAPS_STEP,
				       COL_GAPS_BEFORE, COL_GAPS_AFTER, COL_GAPS_START_NS, COL_GAPS_DUR_NS,
				       COL_GAPS_PERIOD_PCT, COL_GAPS_MARKER_GAP_NS, COL_GAPS_CAUSE, COL_GAPS_CAUSE_NS,
				       COL_GAPS_CONFIDENCE, COL_GAPS_LOST_NS, COL_GAPS_MAIN_EVENT,
				       COL_GAPS_MAIN_EVENT_NS),
		   .sort = COLUMN_LIST(COL_GAPS_DUR_NS)},
	.vs = {.why_not = "single gaps have none: gap_groups has them by what comes before and after"},
};
