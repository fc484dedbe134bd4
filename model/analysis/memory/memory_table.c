/* memory: how full each allocator's memory gets, and what of it a step needs. */
#include "memory_use.h"
#include "block.h"
#include "memory_columns.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/windowed.h"
#include "model/analysis/steps/phases.h"

TABLE_DECL(memory);

static const struct column columns[] = {MEMORY_COLUMNS(COLUMN_ROW)};

static void peak_cells(const struct derived *d, struct phases *phases, const struct memory_use *u, struct cell *row)
{
	const struct replay *x = replay_of(d);
	cell_int(&row[COL_MEMORY_PEAK], u->peak_bytes);
	cell_int(&row[COL_MEMORY_PEAK_AT], u->peak_ns);
	cell_int(&row[COL_MEMORY_CAPACITY], u->capacity_bytes);
	if (u->peak_bytes != UNKNOWN_I64 && u->capacity_bytes != UNKNOWN_I64)
		cell_pct(&row[COL_MEMORY_PEAK_PCT], u->peak_bytes, u->capacity_bytes);
	cell_int(&row[COL_MEMORY_RESERVED], u->counts.reserved_peak_bytes);
	if (u->reserved_bytes > 0)
		cell_pct(&row[COL_MEMORY_UNUSED], u->reserved_bytes - u->peak_bytes, u->reserved_bytes);
	cell_real(&row[COL_MEMORY_FRAGMENTATION], u->fragmentation_pct);
	cell_int(&row[COL_MEMORY_LARGEST_FREE], u->largest_free_bytes);
	if (u->peak == NONE_ID)
		return;
	enum work_phase phase = phase_of_host(phases, replay_event(x, u->peak)).phase;
	const char *op = block_op(d, x, u->peak);
	cell_text(&row[COL_MEMORY_PEAK_STEP], windowed_step(d, replay_event(x, u->peak)));
	cell_text(&row[COL_MEMORY_PEAK_PHASE], phase == WORK_OTHER ? NULL : work_phase_name(phase));
	cell_text(&row[COL_MEMORY_PEAK_OP], *op ? op : NULL);
}

static void churn_cells(const struct memory_use *u, struct cell *row)
{
	cell_int(&row[COL_MEMORY_CHURN_CALLS], u->churn.calls);
	cell_int(&row[COL_MEMORY_CHURN], u->churn.ns);
	cell_int(&row[COL_MEMORY_STEADY_CALLS], u->churn.steady_calls);
	cell_int(&row[COL_MEMORY_STEADY_CHURN], u->churn.steady_ns);
}

static void step_cells(const struct derived *d, const struct memory_use *u, struct cell *row)
{
	const struct replay *x = replay_of(d);
	const char *op = u->growth_place == NONE_ID ? "" : block_op(d, x, u->growth_place);
	cell_int(&row[COL_MEMORY_STEPS], u->steps);
	cell_real(&row[COL_MEMORY_GROWTH], u->growth_bytes);
	cell_real(&row[COL_MEMORY_LATE_GROWTH], u->late_growth_bytes);
	cell_int(&row[COL_MEMORY_KEEPING], u->growing);
	cell_int(&row[COL_MEMORY_TELLING], u->telling);
	cell_text(&row[COL_MEMORY_GROWTH_OP], *op ? op : NULL);
	cell_int(&row[COL_MEMORY_CONSTANT], u->constant_bytes);
	cell_int(&row[COL_MEMORY_PER_BATCH], u->per_batch_bytes);
	cell_real(&row[COL_MEMORY_HEADROOM], u->headroom);
}

static void event_cells(const struct memory_use *u, struct cell *row)
{
	cell_int(&row[COL_MEMORY_START], u->start_bytes);
	cell_int(&row[COL_MEMORY_END], u->end_bytes);
	cell_int(&row[COL_MEMORY_COUNT], u->counts.allocations);
	cell_int(&row[COL_MEMORY_FREES], u->counts.frees);
	cell_int(&row[COL_MEMORY_ALLOCATED], u->counts.allocated_bytes);
	cell_int(&row[COL_MEMORY_UNKNOWN], u->pool->unknown);
	cell_int(&row[COL_MEMORY_AGAIN], u->pool->given_again);
	if (u->pool->has_totals)
		cell_int(&row[COL_MEMORY_DIFFERENCES], u->pool->differences);
	cell_text(&row[COL_MEMORY_MATCHED], u->pool->has_addresses ? "address" : "size");
}

static void add_row(const struct derived *d, struct phases *phases, const struct memory_use *u, struct table *out)
{
	const struct replay *x = replay_of(d);
	struct cell *row = table_row(out);
	cell_rank(&row[COL_MEMORY_RANK], derived_trace(d), u->host);
	cell_host(&row[COL_MEMORY_HOST], derived_trace(d), u->host);
	cell_int(&row[COL_MEMORY_DEVICE], u->ordinal);
	cell_text(&row[COL_MEMORY_ALLOCATOR], u->allocator);
	peak_cells(d, phases, u, row);
	churn_cells(u, row);
	if (u->pool) {
		step_cells(d, u, row);
		event_cells(u, row);
	}
	row_id rows[2];
	uint32_t n = 0;
	if (u->peak != NONE_ID)
		rows[n++] = replay_event(x, u->peak);
	if (u->churn.longest != NONE_ID)
		rows[n++] = u->churn.longest;
	table_evidence(out, out->window_a_ns, out->window_b_ns, rows, n);
}

static struct table *run_memory(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	struct memory_uses uses;
	struct table *out = table_new(mem, &memory_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	struct phases *phases = phases_new(d, e);
	bool whole = phases && memory_uses_find(d, q, mem, p, &uses, e);
	for (uint32_t i = 0; whole && i < uses.n; i++)
		add_row(d, phases, &uses.at[i], out);
	phases_free(phases);
	return whole ? out : NULL;
}

const struct table_desc memory_desc = {
	.name = "memory",
	.title = "Memory",
	.help = "how full each device's memory gets and what fills it, what steps keep, and room for a larger batch",
	TABLE_COLUMNS(columns),
	.run = run_memory,
	.first = COLUMN_LIST(COL_MEMORY_RANK, COL_MEMORY_DEVICE, COL_MEMORY_ALLOCATOR, COL_MEMORY_PEAK,
			     COL_MEMORY_CAPACITY, COL_MEMORY_PEAK_PCT, COL_MEMORY_RESERVED, COL_MEMORY_PEAK_STEP,
			     COL_MEMORY_PEAK_OP, COL_MEMORY_GROWTH, COL_MEMORY_HEADROOM),
	.lead = 3,
	.report = {.brief = COLUMN_LIST(COL_MEMORY_RANK, COL_MEMORY_DEVICE, COL_MEMORY_ALLOCATOR, COL_MEMORY_PEAK,
					COL_MEMORY_CAPACITY, COL_MEMORY_PEAK_PCT, COL_MEMORY_RESERVED,
					COL_MEMORY_GROWTH, COL_MEMORY_HEADROOM),
		   .wide = COLUMN_LIST(COL_MEMORY_RANK, COL_MEMORY_DEVICE, COL_MEMORY_ALLOCATOR, COL_MEMORY_PEAK,
				       COL_MEMORY_PEAK_AT, COL_MEMORY_PEAK_STEP, COL_MEMORY_PEAK_PHASE,
				       COL_MEMORY_PEAK_OP, COL_MEMORY_CAPACITY, COL_MEMORY_PEAK_PCT,
				       COL_MEMORY_RESERVED, COL_MEMORY_UNUSED, COL_MEMORY_FRAGMENTATION,
				       COL_MEMORY_CHURN, COL_MEMORY_GROWTH, COL_MEMORY_GROWTH_OP, COL_MEMORY_CONSTANT,
				       COL_MEMORY_HEADROOM),
		   .all_rows = true},
	.vs = {.key = COLUMN_LIST(COL_MEMORY_RANK, COL_MEMORY_DEVICE, COL_MEMORY_ALLOCATOR),
	       .sums = COLUMN_LIST(COL_MEMORY_PEAK, COL_MEMORY_RESERVED, COL_MEMORY_CONSTANT, COL_MEMORY_PER_BATCH),
	       .whole = true},
};
