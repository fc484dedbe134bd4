/* memory_curve: memory in use over time, in as many points as a picture needs. */
#include "memory_curve_columns.h"
#include "memory_use.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/steps/phases.h"

TABLE_DECL(memory_curve);

static const struct column columns[] = {MEMORY_CURVE_COLUMNS(COLUMN_ROW)};

struct curve {
	const struct replay *x;
	const struct replay_pool *p;
	struct phases *phases;
	int64_t capacity_bytes;
	struct table *out;
};

/* The edge before point i. */
static int64_t edge_ns(const struct table *out, int i)
{
	__int128 span = (__int128)out->window_b_ns - out->window_a_ns;
	return out->window_a_ns + (int64_t)(span * i / CURVE_POINTS);
}

static void add_point(const struct curve *c, int64_t a_ns, int64_t b_ns, uint32_t from, uint32_t to)
{
	uint32_t most = replay_most(c->x, c->p, from, to), last = to > c->p->first ? to - 1 : c->p->first;
	int64_t used = replay_before(c->x, c->p, from);
	struct cell *row = table_row(c->out);
	if (most != NONE_ID && replay_after(c->x, most) > used)
		used = replay_after(c->x, most);
	cell_rank(&row[COL_MEMORY_CURVE_RANK], c->x->t, replay_host(c->x, c->p));
	cell_host(&row[COL_MEMORY_CURVE_HOST], c->x->t, replay_host(c->x, c->p));
	cell_int(&row[COL_MEMORY_CURVE_DEVICE], replay_ordinal(c->x, c->p));
	cell_text(&row[COL_MEMORY_CURVE_ALLOCATOR], trace_str(c->x->t, replay_pool_info(c->x, c->p)->allocator));
	cell_int(&row[COL_MEMORY_CURVE_START], a_ns);
	cell_int(&row[COL_MEMORY_CURVE_DUR], b_ns - a_ns);
	cell_int(&row[COL_MEMORY_CURVE_USED], used);
	cell_int(&row[COL_MEMORY_CURVE_RESERVED], replay_at(c->x, last)->reserved_bytes);
	enum work_phase phase = most == NONE_ID ? WORK_OTHER : phase_of_host(c->phases, replay_event(c->x, most)).phase;
	cell_text(&row[COL_MEMORY_CURVE_PHASE], phase == WORK_OTHER ? NULL : work_phase_name(phase));
	cell_int(&row[COL_MEMORY_CURVE_CAPACITY], c->capacity_bytes);
	table_evidence(c->out, a_ns, b_ns, NULL, 0);
}

/* What happens at the window's very end belongs to the last point, as it belongs to the trace. */
static void add_pool(const struct derived *d, const struct query *q, struct curve *c)
{
	struct memory_peak peak = memory_peak_of(d, c->x, c->p, q);
	uint32_t from = peak.from;
	c->capacity_bytes = replay_capacity(c->x, c->p, peak.place);
	for (int i = 0; i < CURVE_POINTS; i++) {
		int64_t a_ns = edge_ns(c->out, i), b_ns = edge_ns(c->out, i + 1);
		uint32_t to = i + 1 < CURVE_POINTS ? replay_from(c->x, c->p, b_ns) : peak.to;
		if (b_ns > a_ns)
			add_point(c, a_ns, b_ns, from, to);
		from = to;
	}
}

static struct table *run_memory_curve(const struct derived *d, const struct query *q, struct arena *mem,
				      struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, &memory_curve_desc);
	struct curve c = {.x = replay_of(d), .phases = phases_new(d, e), .out = out};
	struct progress_loop loop = {.progress = p};
	if (!c.phases)
		return NULL;
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < c.x->n_pools && !progress_loop_cancelled(&loop); i++) {
		c.p = &c.x->pools[i];
		add_pool(d, q, &c);
	}
	phases_free(c.phases);
	return !loop.cancelled || err_usage(e, "cancelled") ? out : NULL;
}

const struct table_desc memory_curve_desc = {
	.name = "memory_curve",
	.title = "Memory over time",
	.help = "memory in use over time, in 480 points per allocator, as drawn by the pane and the report",
	TABLE_COLUMNS(columns),
	.run = run_memory_curve,
	.first = COLUMN_LIST(COL_MEMORY_CURVE_DEVICE, COL_MEMORY_CURVE_ALLOCATOR, COL_MEMORY_CURVE_START,
			     COL_MEMORY_CURVE_USED, COL_MEMORY_CURVE_RESERVED, COL_MEMORY_CURVE_CAPACITY),
	.lead = 2,
	.vs = {.why_not = "points of a curve have none: memory has its peak"},
};
