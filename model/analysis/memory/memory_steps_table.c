/* memory_steps: what each step does to each allocator's memory. */
#include "block.h"
#include "memory_steps.h"
#include "memory_steps_columns.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(memory_steps);

static const struct column columns[] = {MEMORY_STEPS_COLUMNS(COLUMN_ROW)};

static void add_row(const struct derived *d, const struct memory_step *s, struct table *out)
{
	const struct replay *x = replay_of(d);
	const struct replay_pool *p = &x->pools[s->pool];
	const struct memory_pool *info = replay_pool_info(x, p);
	struct cell *row = table_row(out);
	cell_text(&row[COL_MEMORY_STEPS_STEP], derived_step(d, s->step)->label);
	cell_rank(&row[COL_MEMORY_STEPS_RANK], x->t, replay_host(x, p));
	cell_host(&row[COL_MEMORY_STEPS_HOST], x->t, replay_host(x, p));
	cell_int(&row[COL_MEMORY_STEPS_DEVICE], replay_ordinal(x, p));
	cell_text(&row[COL_MEMORY_STEPS_ALLOCATOR], trace_str(x->t, info->allocator));
	cell_int(&row[COL_MEMORY_STEPS_PEAK], s->peak_bytes);
	cell_int(&row[COL_MEMORY_STEPS_PEAK_AT], s->peak_ns);
	cell_int(&row[COL_MEMORY_STEPS_START], s->start_bytes);
	cell_int(&row[COL_MEMORY_STEPS_END], s->end_bytes);
	cell_int(&row[COL_MEMORY_STEPS_GROWN], s->end_bytes - s->start_bytes);
	cell_int(&row[COL_MEMORY_STEPS_KEPT], s->kept_bytes);
	const char *op = s->largest_kept == NONE_ID ? "" : block_op(d, x, s->largest_kept);
	cell_text(&row[COL_MEMORY_STEPS_KEPT_OP], *op ? op : NULL);
	cell_int(&row[COL_MEMORY_STEPS_CONSTANT], s->constant_bytes);
	cell_int(&row[COL_MEMORY_STEPS_OWN], s->peak_bytes - s->constant_bytes);
	cell_int(&row[COL_MEMORY_STEPS_COUNT], s->allocations);
	cell_int(&row[COL_MEMORY_STEPS_FREES], s->frees);
	cell_int(&row[COL_MEMORY_STEPS_ALLOCATED], s->allocated_bytes);
	cell_int(&row[COL_MEMORY_STEPS_FREED], s->freed_bytes);
	cell_bool(&row[COL_MEMORY_STEPS_COUNTED], s->counted);
	row_id kept = s->largest_kept == NONE_ID ? NONE_ID : replay_event(x, s->largest_kept);
	table_evidence(out, s->start_ns, s->end_ns, &kept, kept != NONE_ID);
}

static struct table *run_memory_steps(const struct derived *d, const struct query *q, struct arena *mem,
				      struct progress *p, struct err *e)
{
	struct memory_steps steps;
	struct table *out = table_new(mem, &memory_steps_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!memory_steps_find(d, q, mem, p, &steps, e))
		return NULL;
	for (uint32_t i = 0; i < steps.n; i++)
		add_row(d, &steps.at[i], out);
	return out;
}

const struct table_desc memory_steps_desc = {
	.name = "memory_steps",
	.title = "Memory per step",
	.help = "memory per step: its peak, what it needs for itself, and what it leaves behind",
	TABLE_COLUMNS(columns),
	.run = run_memory_steps,
	.first = COLUMN_LIST(COL_MEMORY_STEPS_STEP, COL_MEMORY_STEPS_DEVICE, COL_MEMORY_STEPS_ALLOCATOR,
			     COL_MEMORY_STEPS_PEAK, COL_MEMORY_STEPS_END, COL_MEMORY_STEPS_GROWN, COL_MEMORY_STEPS_KEPT,
			     COL_MEMORY_STEPS_KEPT_OP, COL_MEMORY_STEPS_CONSTANT, COL_MEMORY_STEPS_OWN),
	.lead = 3,
	.report = {.brief = COLUMN_LIST(COL_MEMORY_STEPS_STEP, COL_MEMORY_STEPS_DEVICE, COL_MEMORY_STEPS_ALLOCATOR,
					COL_MEMORY_STEPS_PEAK, COL_MEMORY_STEPS_END, COL_MEMORY_STEPS_GROWN,
					COL_MEMORY_STEPS_KEPT, COL_MEMORY_STEPS_OWN),
		   .sort = COLUMN_LIST(COL_MEMORY_STEPS_PEAK)},
	.vs = {.why_not = "single steps have none: memory has the peaks"},
};
