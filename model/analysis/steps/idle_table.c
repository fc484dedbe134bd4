/* idle: per device and step, what the device waited for while it did nothing. */
#include "breakdown.h"
#include "idle.h"
#include "idle_columns.h"
#include "step_phase.h"
#include "model/analysis/compat/idle_hta_table.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <string.h>

TABLE_DECL(idle);

/* clang-format off */
#define PART_NS(id, name, word, loses, what, ...) {name "_ns", CELL_INT, UNIT_NS, word ": " what},
#define PART_PCT(id, name, word, loses, what, ...) {name "_pct", CELL_REAL, UNIT_PERCENT, name "_ns / idle_ns; all of them add up to 100"},
/* clang-format on */
_Static_assert((int)CAUSE_COUNT <= (int)SHARES_MAX, "shares of all causes are worked out together");
_Static_assert(COL_IDLE_PART_PCT + CAUSE_COUNT <= PART_COLUMNS, "parts of rows name their columns");
static const struct column columns[] = {IDLE_COLUMNS(COLUMN_ROW) CAUSES(PART_NS) CAUSES(PART_PCT)
						IDLE_MORE_COLUMNS(COLUMN_ROW)};

/* A row: a step of a device, or all of it. */
struct idle_entry {
	uint32_t step, device; /* step: NONE_ID = all of the device's time */
	const struct idle_kept *sums;
};
struct idle_run {
	const struct derived *d;
	const struct query *q; /* until all rows are found */
	struct idles *idles;   /* likewise */
	struct counted_steps counted;
	struct query window;   /* of the question, nothing else */
	struct idle_room room; /* of what is kept */
	const struct idle_extents *extents;
	const struct step_device *parts;
	uint32_t n_parts;
	uint32_t *at; /* the part of a step whose sums `extents` has; of others the place in `asked` + n_parts */
	struct idle_entry *asked; /* for themselves */
	uint32_t n, n_asked;
	uint32_t causes; /* bits: those that some row has */
};

static struct idle_entry entry_of(const struct idle_run *run, uint32_t i)
{
	uint32_t at = run->at[i];
	if (at >= run->n_parts)
		return run->asked[at - run->n_parts];
	return (struct idle_entry){run->parts[at].step, run->parts[at].device, run->extents->steps[at]};
}

static const struct idle_kept *sums_of(const struct idle_run *run, uint32_t i)
{
	uint32_t at = run->at[i];
	return at < run->n_parts ? run->extents->steps[at] : run->asked[at - run->n_parts].sums;
}

/* ---- one row ---------------------------------------------------------------------------------------------------------- */

static void times_of(const struct idle_run *run, const struct idle_entry *x, int64_t *a_ns, int64_t *b_ns)
{
	if (x->step == NONE_ID)
		idle_extent(run->d, x->device, a_ns, b_ns);
	else
		step_time(run->d, x->step, x->device, a_ns, b_ns);
}

static void step_cells(const struct idle_run *run, const struct idle_entry *x, struct cell *row)
{
	const struct step *s = derived_step(run->d, x->step);
	const struct step_device *part = derived_step_device(run->d, x->step, x->device);
	int64_t a_ns = part->first_ns, b_ns = part->last_ns;
	cell_text(&row[COL_IDLE_STEP], s->label);
	cell_bool(&row[COL_IDLE_COUNTED], step_counts(&run->counted, x->step));
	if (s->cut)
		cell_bool(&row[COL_IDLE_CUT], true);
	query_clip(&run->window, &a_ns, &b_ns);
	cell_int(&row[COL_IDLE_WORK_SPAN], b_ns > a_ns ? b_ns - a_ns : 0);
}

/* Cut to the window; true when that cuts anything off. */
static bool cut_times(const struct idle_run *run, const struct idle_entry *x, int64_t *a_ns, int64_t *b_ns)
{
	times_of(run, x, a_ns, b_ns);
	bool cut = *a_ns < run->window.a_ns || *b_ns > run->window.b_ns;
	query_clip(&run->window, a_ns, b_ns);
	return cut;
}

static void make_place(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct idle_run *run = ctx;
	const struct idle_entry entry = entry_of(run, i), *x = &entry;
	const struct trace *t = derived_trace(run->d);
	struct cell *row = out->cells;
	int64_t a_ns, b_ns;
	cell_bool(&row[COL_IDLE_CUT], cut_times(run, x, &a_ns, &b_ns));
	cell_text(&row[COL_IDLE_STEP], "all");
	cell_rank(&row[COL_IDLE_RANK], t, trace_device(t, x->device)->host);
	cell_device(&row[COL_IDLE_DEVICE], t, x->device);
	cell_int(&row[COL_IDLE_START_NS], a_ns);
	cell_int(&row[COL_IDLE_DUR_NS], b_ns - a_ns);
	cell_pct(&row[COL_IDLE_IDLE_PCT], idle_kept_all_ns(x->sums), b_ns - a_ns);
	cell_host(&row[COL_IDLE_HOST], t, trace_device(t, x->device)->host);
	cell_bool(&row[COL_IDLE_COUNTED], false);
	if (x->step != NONE_ID)
		step_cells(run, x, row);
}

static void make_sums(const void *ctx, uint32_t i, struct made_row *out)
{
	struct idle_sums s = idle_sums_kept(sums_of(ctx, i));
	for (int c = 0; c < CAUSE_COUNT; c++)
		cell_int(&out->cells[COL_IDLE_PART_NS + c], s.ns[c]);
	cell_int(&out->cells[COL_IDLE_IDLE_NS], s.idle_ns);
	cell_int(&out->cells[COL_IDLE_INTERVALS], s.n);
	cell_int(&out->cells[COL_IDLE_LONGEST_NS], s.longest_ns);
}

#define CAUSES_FROM(column) (((UINT64_C(1) << CAUSE_COUNT) - 1) << (column))
#define SUMS_BUT_CAUSES     (PART_BIT(COL_IDLE_IDLE_NS) | PART_BIT(COL_IDLE_INTERVALS) | PART_BIT(COL_IDLE_LONGEST_NS))
#define SUMS                (CAUSES_FROM(COL_IDLE_PART_NS) | SUMS_BUT_CAUSES)

/* As make_place has it. */
static bool is_counted(const struct idle_run *run, const struct idle_entry *x)
{
	return x->step != NONE_ID && step_counts(&run->counted, x->step);
}

/* A window that holds all of the trace cuts nothing. */
static bool is_cut(const struct idle_run *run, const struct idle_entry *x)
{
	int64_t a_ns, b_ns;
	bool all = run->window.a_ns == INT64_MIN && run->window.b_ns == INT64_MAX;
	return (!all && cut_times(run, x, &a_ns, &b_ns)) || (x->step != NONE_ID && derived_step(run->d, x->step)->cut);
}

static int64_t sum_of(const struct idle_kept *s, uint32_t column)
{
	return column == COL_IDLE_IDLE_NS      ? idle_kept_all_ns(s)
	       : column == COL_IDLE_LONGEST_NS ? idle_kept_longest_ns(s)
					       : idle_kept_n(s);
}

/* Columns of make_sums, and the flags of make_place. */
static void numbers_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	const struct idle_run *run = ctx;
	bool cause = column >= COL_IDLE_PART_NS && column < COL_IDLE_PART_NS + CAUSE_COUNT;
	if (cause && !(run->causes >> (column - COL_IDLE_PART_NS) & 1)) {
		memset(out, 0, n * sizeof *out);
		return;
	}
	for (uint32_t i = 0; cause && i < n; i++)
		out[i] = idle_kept_ns(sums_of(run, rows[i]), (enum cause)(column - COL_IDLE_PART_NS));
	for (uint32_t i = 0; (column == COL_IDLE_COUNTED || column == COL_IDLE_CUT) && i < n; i++) {
		const struct idle_entry x = entry_of(run, rows[i]);
		out[i] = column == COL_IDLE_COUNTED ? is_counted(run, &x) : is_cut(run, &x);
	}
	for (uint32_t i = 0; SUMS_BUT_CAUSES >> column & 1 && i < n; i++)
		out[i] = sum_of(sums_of(run, rows[i]), column);
}

/* As make_place has them. */
static void steps_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	const struct idle_run *run = ctx;
	(void)column;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t step = entry_of(run, rows[i]).step;
		out[i] = step == NONE_ID ? "all" : derived_step(run->d, step)->label;
	}
}

static void make_shares(const void *ctx, uint32_t i, struct made_row *out)
{
	struct idle_sums s = idle_sums_kept(sums_of(ctx, i));
	double parts[CAUSE_COUNT], pct[CAUSE_COUNT];
	for (int c = 0; c < CAUSE_COUNT; c++)
		parts[c] = (double)s.ns[c];
	shares_pct(parts, CAUSE_COUNT, pct);
	for (int c = 0; c < CAUSE_COUNT; c++)
		cell_real(&out->cells[COL_IDLE_PART_PCT + c], pct[c]);
}

static void make_evidence(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct idle_run *run = ctx;
	const struct idle_entry entry = entry_of(run, i), *x = &entry;
	int64_t a_ns, b_ns;
	cut_times(run, x, &a_ns, &b_ns);
	out->events[0] = x->sums->longest_row;
	out->evidence = (struct evidence){a_ns, b_ns, out->events, x->sums->longest_row != NONE_ID, NULL};
}

static const struct row_part row_parts[] = {
	{make_place, ~(SUMS | CAUSES_FROM(COL_IDLE_PART_PCT)), false},
	{make_sums, SUMS, false},
	{make_shares, CAUSES_FROM(COL_IDLE_PART_PCT), false},
	{make_evidence, 0, false},
};

/* ---- all of them ------------------------------------------------------------------------------------------------------- */

static const struct idle_kept *kept_split(struct idle_run *run, const struct idle_split *s)
{
	struct idle_sums sums = idle_sums_of(s);
	return idle_sums_keep(&sums, ~0u, &run->room);
}

static uint32_t keep_asked(struct idle_run *run, const struct idle_entry *x)
{
	run->asked = arena_next_row(run->room.mem, run->asked, run->n_asked, sizeof *run->asked);
	run->asked[run->n_asked] = *x;
	return run->n_parts + run->n_asked++;
}

/* The row, unless the window leaves nothing of it. part: what tells its sums; NONE_ID, or x.sums NULL: nothing does. */
static void add_row(struct idle_run *run, struct idle_entry x, uint32_t part)
{
	int64_t a_ns, b_ns;
	bool known = x.sums && part != NONE_ID;
	times_of(run, &x, &a_ns, &b_ns);
	query_clip(run->q, &a_ns, &b_ns);
	if (a_ns >= b_ns)
		return;
	if (!x.sums) {
		struct idle_split split;
		idle_between(run->idles, x.device, a_ns, b_ns, &split);
		x.sums = kept_split(run, &split);
	}
	if (run->q->filter && !idle_kept_n(x.sums))
		return;
	run->causes |= idle_kept_causes(x.sums);
	run->at[run->n++] = known ? part : keep_asked(run, &x);
}

static void all_rows(struct idle_run *run)
{
	int64_t a_ns, b_ns;
	for (uint32_t device = 0; device < trace_devices(derived_trace(run->d)); device++)
		if (idle_extent(run->d, device, &a_ns, &b_ns))
			add_row(run, (struct idle_entry){NONE_ID, device, kept_split(run, &run->extents->of[device])},
				NONE_ID);
}

static void step_rows(struct idle_run *run, uint32_t step)
{
	uint32_t of_step;
	const uint32_t *order = derived_parts_of_step(run->d, step, &of_step);
	if (run->q->by_step && (step < run->q->step_first || step > run->q->step_last))
		return;
	for (uint32_t i = 0; i < of_step; i++)
		add_row(run, (struct idle_entry){step, run->parts[order[i]].device, run->extents->steps[order[i]]},
			order[i]);
}

static struct table *run_idle(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct err *e)
{
	if (derived_options(d)->semantics == SEM_HTA)
		return idle_hta_table(d, q, &idle_desc, mem);
	const struct idle_extents *extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!extents)
		return NULL;
	struct idle_run *run = arena_alloc(mem, sizeof *run);
	*run = (struct idle_run){.d = d,
				 .q = q,
				 .idles = idles_new(d, q, NONE_ID),
				 .counted = counted_steps(d, q),
				 .window = query_all(),
				 .room = {.mem = mem},
				 .extents = extents};
	run->parts = derived_step_devices(d, &run->n_parts);
	run->at = arena_room(mem, (run->n_parts + (size_t)trace_devices(derived_trace(d)) + 1) * sizeof *run->at);
	run->window.a_ns = q->a_ns;
	run->window.b_ns = q->b_ns;
	struct table *out = table_new(mem, &idle_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	all_rows(run);
	bool cancelled = progress_cancelled(p);
	for (uint32_t i = 0; i < derived_steps(d) && !cancelled; i++) {
		step_rows(run, i);
		cancelled = progress_cancelled(p);
	}
	idles_free(run->idles);
	table_made_parts(out, run->n, row_parts, sizeof row_parts / sizeof *row_parts, run);
	table_made_numbers(out, numbers_in, SUMS | PART_BIT(COL_IDLE_COUNTED) | PART_BIT(COL_IDLE_CUT));
	table_made_texts(out, steps_in, PART_BIT(COL_IDLE_STEP));
	table_made_zeros(out, CAUSES_FROM(COL_IDLE_PART_NS) & ~((uint64_t)run->causes << COL_IDLE_PART_NS));
	if (!cancelled)
		return out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc idle_desc = {
	.name = "idle",
	.title = "Idle time",
	.help = "what each device waited for while idle: every nanosecond has one cause",
	TABLE_COLUMNS(columns),
	.run = run_idle,
	.first = COLUMN_LIST(COL_IDLE_STEP, COL_IDLE_DEVICE, COL_IDLE_DUR_NS, COL_IDLE_IDLE_NS, COL_IDLE_IDLE_PCT,
			     COL_IDLE_PART_PCT + CAUSE_INPUT, COL_IDLE_PART_PCT + CAUSE_PYTHON,
			     COL_IDLE_PART_PCT + CAUSE_LAUNCH, COL_IDLE_PART_PCT + CAUSE_HOST_COMPUTE,
			     COL_IDLE_PART_PCT + CAUSE_SYNC, COL_IDLE_PART_PCT + CAUSE_ALLOCATOR,
			     COL_IDLE_PART_PCT + CAUSE_COMPILE, COL_IDLE_PART_PCT + CAUSE_UNKNOWN),
	.lead = 4,
	.vs = {.why_not = "single idle times have none: idle_causes has their sums"},
};
