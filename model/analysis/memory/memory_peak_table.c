/* memory_peak: what is in use when most is, group by group. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "block.h"
#include "memory_peak_columns.h"
#include "memory_use.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/windowed.h"
#include "model/analysis/steps/phases.h"
#include "model/store/base/strings.h"

TABLE_DECL(memory_peak);

static const struct column columns[] = {MEMORY_PEAK_COLUMNS(COLUMN_ROW)};

enum by { BY_OP, BY_SIZE, BY_STEP, BY_LIFE, BY_TYPE, BY_PHASE, BY_REGION, WAYS };
static const char *const ways[WAYS] = {"op", "size", "step", "life", "type", "phase", "region"};

struct group {
	const char *name;
	uint32_t blocks; /* 0: no block of the trace */
	int64_t bytes, largest_bytes;
	uint32_t largest, oldest; /* places */
};
struct finder {
	const struct derived *d;
	const struct query *q;
	const struct replay *x;
	const struct replay_pool *p;
	struct memory_peak peak;
	struct arena *mem;
	struct phases *phases;
	enum by by;
	struct strings *names; /* of groups: their number is that of the name - 1 */
	struct group *groups;
	uint32_t n;
	struct progress_loop loop;
};

static enum by by_of(const struct query *q)
{
	for (enum by i = 0; q->by && i < WAYS; i++)
		if (!strcmp(q->by, ways[i]))
			return i;
	return BY_OP;
}

static const char *by_word(unsigned i)
{
	return i < WAYS ? ways[i] : NULL;
}

static const char *life_of(const struct finder *f, uint32_t place)
{
	uint32_t born = derived_step_of(f->d, replay_event(f->x, place));
	uint32_t now = f->peak.place == NONE_ID ? NONE_ID : derived_step_of(f->d, replay_event(f->x, f->peak.place));
	if (born == NONE_ID)
		return "outside steps";
	return born == now ? "this step" : "earlier steps";
}

static const char *group_of(const struct finder *f, uint32_t place)
{
	const struct allocator_state *s = replay_state(f->x, place);
	switch (f->by) {
	case BY_SIZE:
		return size_class_words(size_class(replay_at(f->x, place)->bytes), f->mem);
	case BY_STEP:
		return windowed_step(f->d, replay_event(f->x, place));
	case BY_LIFE:
		return life_of(f, place);
	case BY_TYPE:
		return block_type(f->x, place);
	case BY_PHASE:
		return work_phase_name(phase_of_host(f->phases, replay_event(f->x, place)).phase);
	case BY_REGION:
		return s && s->region ? trace_str(f->x->t, s->region) : NULL;
	default:
		return block_op(f->d, f->x, place);
	}
}

static struct group *group(struct finder *f, const char *name)
{
	name = name && *name ? name : "unknown";
	str_id id = strings_addz(f->names, name);
	if (id > f->n) {
		f->groups = arena_next_row(f->mem, f->groups, f->n, sizeof *f->groups);
		f->groups[f->n++] =
			(struct group){.name = arena_strdup(f->mem, name), .largest = NONE_ID, .oldest = NONE_ID};
	}
	return &f->groups[id - 1];
}

static void add_block(struct finder *f, uint32_t place)
{
	int64_t bytes = replay_at(f->x, place)->bytes;
	struct group *g = group(f, group_of(f, place));
	g->blocks++;
	g->bytes += bytes;
	g->oldest = g->oldest == NONE_ID ? place : g->oldest;
	if (bytes > g->largest_bytes) {
		g->largest_bytes = bytes;
		g->largest = place;
	}
}

/* Bytes in use at the peak that no block of the trace accounts for. */
static void add_rest(struct finder *f, const char *name, int64_t bytes)
{
	if (bytes > 0)
		group(f, name)->bytes += bytes;
}

static void find_groups(struct finder *f)
{
	uint32_t end = f->peak.place == NONE_ID ? f->peak.from : f->peak.place + 1;
	int64_t known = 0, stack = 0;
	for (uint32_t i = f->p->first; i < end && !progress_loop_cancelled(&f->loop); i++) {
		/* an allocation's end lies behind it, a free's beginning before it: most are distinguished here */
		if (f->x->other[i] < end || replay_is_free(f->x, i))
			continue;
		known += replay_at(f->x, i)->bytes;
		add_block(f, i);
	}
	const struct allocator_state *s = end > f->p->first ? replay_state(f->x, end - 1) : NULL;
	if (s && s->stack_bytes > 0)
		stack = s->stack_bytes;
	add_rest(f, "stack of programs", stack);
	add_rest(f, "allocated before the trace", f->peak.bytes - known - stack);
}

static int by_bytes(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_row(const struct finder *f, const struct group *g, struct table *out)
{
	const struct memory_pool *info = replay_pool_info(f->x, f->p);
	struct cell *row = table_row(out);
	cell_rank(&row[COL_MEMORY_PEAK_RANK], f->x->t, replay_host(f->x, f->p));
	cell_host(&row[COL_MEMORY_PEAK_HOST], f->x->t, replay_host(f->x, f->p));
	cell_int(&row[COL_MEMORY_PEAK_DEVICE], replay_ordinal(f->x, f->p));
	cell_text(&row[COL_MEMORY_PEAK_ALLOCATOR], trace_str(f->x->t, info->allocator));
	cell_text(&row[COL_MEMORY_PEAK_GROUP], g->name);
	cell_int(&row[COL_MEMORY_PEAK_BYTES], g->bytes);
	cell_pct(&row[COL_MEMORY_PEAK_SHARE], g->bytes, f->peak.bytes);
	cell_int(&row[COL_MEMORY_PEAK_WHEN], f->peak.at_ns);
	if (!g->blocks) {
		table_evidence(out, out->window_a_ns, out->window_b_ns, NULL, 0);
		return;
	}
	cell_int(&row[COL_MEMORY_PEAK_BLOCKS], g->blocks);
	cell_int(&row[COL_MEMORY_PEAK_LARGEST], g->largest_bytes);
	cell_int(&row[COL_MEMORY_PEAK_AGE], f->peak.at_ns - replay_ns(f->x, g->oldest));
	row_id rows[2] = {replay_event(f->x, g->largest), replay_event(f->x, g->oldest)};
	table_evidence(out, replay_ns(f->x, g->oldest), f->peak.at_ns + 1, rows, 2);
}

static void add_pool(struct finder *f, const struct replay_pool *p, struct table *out)
{
	f->p = p;
	f->peak = memory_peak_of(f->d, f->x, p, f->q);
	f->groups = NULL;
	f->n = 0;
	f->names = strings_new();
	find_groups(f);
	if (f->n > 1)
		qsort(f->groups, f->n, sizeof *f->groups, by_bytes);
	for (uint32_t i = 0; i < f->n; i++)
		add_row(f, &f->groups[i], out);
	strings_free(f->names);
}

static struct table *run_memory_peak(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, &memory_peak_desc);
	struct finder f = {.d = d, .q = q, .x = replay_of(d), .mem = mem, .by = by_of(q), .loop = {.progress = p}};
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	f.phases = f.by == BY_PHASE ? phases_new(d, e) : NULL;
	if (f.by == BY_PHASE && !f.phases)
		return NULL;
	for (uint32_t i = 0; i < f.x->n_pools; i++)
		add_pool(&f, &f.x->pools[i], out);
	phases_free(f.phases);
	return !f.loop.cancelled || err_usage(e, "cancelled") ? out : NULL;
}

const struct table_desc memory_peak_desc = {
	.name = "memory_peak",
	.title = "Memory at the peak",
	.help = "what is in use at the peak: blocks by op, size, step, life, type, phase or region",
	.by = by_word,
	TABLE_COLUMNS(columns),
	.run = run_memory_peak,
	.first = COLUMN_LIST(COL_MEMORY_PEAK_DEVICE, COL_MEMORY_PEAK_ALLOCATOR, COL_MEMORY_PEAK_GROUP,
			     COL_MEMORY_PEAK_BYTES, COL_MEMORY_PEAK_SHARE, COL_MEMORY_PEAK_BLOCKS,
			     COL_MEMORY_PEAK_LARGEST, COL_MEMORY_PEAK_AGE),
	.lead = 3,
	.report = {.brief = COLUMN_LIST(COL_MEMORY_PEAK_DEVICE, COL_MEMORY_PEAK_ALLOCATOR, COL_MEMORY_PEAK_GROUP,
					COL_MEMORY_PEAK_BYTES, COL_MEMORY_PEAK_SHARE, COL_MEMORY_PEAK_BLOCKS,
					COL_MEMORY_PEAK_LARGEST, COL_MEMORY_PEAK_AGE),
		   .sort = COLUMN_LIST(COL_MEMORY_PEAK_BYTES)},
	.vs = {.key = COLUMN_LIST(COL_MEMORY_PEAK_RANK, COL_MEMORY_PEAK_DEVICE, COL_MEMORY_PEAK_ALLOCATOR,
				  COL_MEMORY_PEAK_GROUP),
	       .sums = COLUMN_LIST(COL_MEMORY_PEAK_BYTES, COL_MEMORY_PEAK_BLOCKS),
	       .whole = true},
};
