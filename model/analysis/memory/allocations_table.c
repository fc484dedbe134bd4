/* allocations: every block of memory, from the event that gives it out to the one that takes it back. */
#include "allocations_columns.h"
#include "block.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/windowed.h"
#include "model/query.h"
#include "replay.h"

TABLE_DECL(allocations);

static const struct column columns[] = {ALLOCATIONS_COLUMNS(COLUMN_ROW)};

struct lister {
	const struct derived *d;
	const struct replay *x;
	uint32_t *places; /* of each row: the allocation, else the free */
	uint32_t *pools;  /* first row of each pool, and the end */
	uint32_t n;
};

static const struct replay_pool *pool_of_row(const struct lister *l, uint32_t row)
{
	uint32_t lo = 0, hi = l->x->n_pools;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		*(l->pools[mid] <= row ? &lo : &hi) = mid;
	}
	return &l->x->pools[lo];
}

/* Frees of known blocks stand in the rows of these. */
static bool is_row(const struct replay *x, uint32_t place)
{
	return !replay_is_free(x, place) || x->other[place] == NONE_ID;
}

static void time_cells(const struct lister *l, uint32_t place, struct made_row *out)
{
	const struct replay *x = l->x;
	bool known = !replay_is_free(x, place);
	uint32_t end = known ? x->other[place] : place;
	int64_t given_ns = known ? replay_ns(x, place) : UNKNOWN_I64,
		taken_ns = end != NONE_ID ? replay_ns(x, end) : UNKNOWN_I64;
	uint32_t *n = &out->evidence.n;
	if (known)
		out->events[(*n)++] = replay_event(x, place);
	if (end != NONE_ID)
		out->events[(*n)++] = replay_event(x, end);
	out->evidence.rows = out->events;
	out->evidence.a_ns = known ? given_ns : taken_ns;
	out->evidence.b_ns = end != NONE_ID ? taken_ns + 1 : trace_span_ns(x->t);
	cell_int(&out->cells[COL_ALLOCATIONS_GIVEN], given_ns);
	cell_int(&out->cells[COL_ALLOCATIONS_TAKEN], taken_ns);
	if (!known || end == NONE_ID)
		return;
	cell_int(&out->cells[COL_ALLOCATIONS_LIFE], taken_ns - given_ns);
}

static void state_cells(const struct lister *l, uint32_t place, struct cell *row)
{
	const struct allocator_state *s = replay_state(l->x, place);
	if (!s)
		return;
	cell_text(&row[COL_ALLOCATIONS_SHAPE], s->shape ? trace_str(l->x->t, s->shape) : NULL);
	cell_text(&row[COL_ALLOCATIONS_TYPE], block_type(l->x, place));
	cell_text(&row[COL_ALLOCATIONS_REGION], s->region ? trace_str(l->x->t, s->region) : NULL);
	cell_int(&row[COL_ALLOCATIONS_REQUESTED], s->requested_bytes);
}

static void who_cells(const struct lister *l, const struct replay_pool *p, uint32_t place, struct cell *row)
{
	const struct memory_pool *info = replay_pool_info(l->x, p);
	row_id event = replay_event(l->x, place);
	const char *op = block_op(l->d, l->x, place);
	const struct track_info *k = trace_track(l->x->t, trace_columns(l->x->t)->track[event]);
	cell_rank(&row[COL_ALLOCATIONS_RANK], l->x->t, replay_host(l->x, p));
	cell_host(&row[COL_ALLOCATIONS_HOST], l->x->t, replay_host(l->x, p));
	cell_int(&row[COL_ALLOCATIONS_DEVICE], replay_ordinal(l->x, p));
	cell_text(&row[COL_ALLOCATIONS_ALLOCATOR], trace_str(l->x->t, info->allocator));
	cell_text(&row[COL_ALLOCATIONS_STEP], windowed_step(l->d, event));
	cell_text(&row[COL_ALLOCATIONS_OP], *op ? op : NULL);
	cell_text(&row[COL_ALLOCATIONS_THREAD], k->name ? trace_str(l->x->t, k->name) : NULL);
}

static void make_allocation(const void *ctx, uint32_t row, struct made_row *out)
{
	const struct lister *l = ctx;
	const struct replay_pool *p = pool_of_row(l, row);
	uint32_t place = l->places[row], free = replay_is_free(l->x, place) ? place : l->x->other[place];
	const struct allocation *a = replay_at(l->x, place);
	int64_t bytes = replay_bytes(l->x, p, place);
	if (!replay_is_free(l->x, place))
		cell_int(&out->cells[COL_ALLOCATIONS_EVENT], replay_event(l->x, place));
	if (free != NONE_ID && replay_is_free(l->x, free))
		cell_int(&out->cells[COL_ALLOCATIONS_FREE], replay_event(l->x, free));
	cell_int(&out->cells[COL_ALLOCATIONS_BYTES], bytes < 0 ? -bytes : bytes);
	cell_int(&out->cells[COL_ALLOCATIONS_ADDR], a->addr && a->addr <= INT64_MAX ? (int64_t)a->addr : UNKNOWN_I64);
	cell_int(&out->cells[COL_ALLOCATIONS_USED], replay_after(l->x, place));
	cell_int(&out->cells[COL_ALLOCATIONS_RESERVED], a->reserved_bytes);
	who_cells(l, p, place, out->cells);
	state_cells(l, place, out->cells);
	time_cells(l, place, out);
}

/* In use at some time of the window. */
static bool wanted(const struct lister *l, const struct query *q, uint32_t place)
{
	bool known = !replay_is_free(l->x, place);
	uint32_t end = known ? l->x->other[place] : place;
	if (known && replay_ns(l->x, place) >= q->b_ns)
		return false;
	if (end != NONE_ID && replay_ns(l->x, end) < q->a_ns)
		return false;
	return event_wanted(l->d, q, replay_event(l->x, place));
}

static struct table *run_allocations(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, &allocations_desc);
	struct lister *l = arena_alloc(mem, sizeof *l);
	struct progress_loop loop = {.progress = p};
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	*l = (struct lister){.d = d, .x = replay_of(d)};
	l->places = arena_alloc(mem, ((size_t)l->x->n + 1) * sizeof *l->places);
	l->pools = arena_alloc(mem, ((size_t)l->x->n_pools + 1) * sizeof *l->pools);
	for (uint32_t i = 0; i < l->x->n_pools; i++) {
		const struct replay_pool *pool = &l->x->pools[i];
		l->pools[i] = l->n;
		for (uint32_t k = pool->first; k < pool->first + pool->n && !progress_loop_cancelled(&loop); k++)
			if (is_row(l->x, k) && wanted(l, q, k))
				l->places[l->n++] = k;
	}
	table_made(out, l->n, make_allocation, l);
	return !loop.cancelled || err_usage(e, "cancelled") ? out : NULL;
}

const struct table_desc allocations_desc = {
	.name = "allocations",
	.title = "Allocations",
	.help = "every block of memory: when it was allocated and freed, how large it is and what it is for",
	TABLE_COLUMNS(columns),
	.run = run_allocations,
	.first = COLUMN_LIST(COL_ALLOCATIONS_EVENT, COL_ALLOCATIONS_DEVICE, COL_ALLOCATIONS_ALLOCATOR,
			     COL_ALLOCATIONS_GIVEN, COL_ALLOCATIONS_LIFE, COL_ALLOCATIONS_BYTES, COL_ALLOCATIONS_OP,
			     COL_ALLOCATIONS_STEP, COL_ALLOCATIONS_USED),
	.report = {.brief = COLUMN_LIST(COL_ALLOCATIONS_EVENT, COL_ALLOCATIONS_DEVICE, COL_ALLOCATIONS_ALLOCATOR,
					COL_ALLOCATIONS_GIVEN, COL_ALLOCATIONS_LIFE, COL_ALLOCATIONS_BYTES,
					COL_ALLOCATIONS_OP),
		   .sort = COLUMN_LIST(COL_ALLOCATIONS_BYTES)},
	.vs = {.why_not = "single blocks have none: memory_peak has what is in use at the peak"},
};
