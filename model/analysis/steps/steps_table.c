/* steps: one row per step and device, and where its time went. */
#include "steps_columns.h"
#include "breakdown_kept.h"
#include "step_phase.h"
#include "model/analysis/compat/steps_kineto_table.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/memory.h"
#include <string.h>

TABLE_DECL(steps);

static const struct column columns[] = {STEPS_COLUMNS(COLUMN_ROW)};

/* A row: the step on a device; NONE_ID: without one. */
struct steps_entry {
	uint32_t step, device;
	const struct breakdown_narrow *time;
};
struct steps_run {
	const struct derived *d;
	const struct query *q;         /* until all rows are found */
	struct breakdowns *breakdowns; /* likewise; NULL: others had made all that was asked for */
	struct breakdown_kept *kept;
	const struct step_device *parts;
	uint32_t n_parts;
	const breakdown_slot *slots; /* breakdowns by place, */
	uint32_t *at, n;             /* and the place of each row: breakdown_place */
	uint32_t classes;            /* bits: those that some row has */
	bool cut;                    /* some row is */
	bool pooled;                 /* one row per step for all devices of its host, as the reference tool has it */
	struct counted_steps counted;
};

static uint32_t step_at(const struct steps_run *run, uint32_t i)
{
	uint32_t place = run->at[i];
	return place < run->n_parts ? run->parts[place].step : place - run->n_parts;
}

static uint32_t device_at(const struct steps_run *run, uint32_t i)
{
	return run->at[i] < run->n_parts ? run->parts[run->at[i]].device : NONE_ID;
}

static const struct breakdown_narrow *time_at(const struct steps_run *run, uint32_t i)
{
	return breakdown_in_slot(&run->slots[run->at[i]]);
}

static struct steps_entry entry_at(const struct steps_run *run, uint32_t i)
{
	return (struct steps_entry){step_at(run, i), device_at(run, i), time_at(run, i)};
}

/* ---- cells ----------------------------------------------------------------------------------------------------------- */

/* Device work of the step on all devices. */
static uint32_t work_anywhere(const struct derived *d, uint32_t i)
{
	uint32_t all, n, sum = 0;
	const struct step_device *parts = derived_step_devices(d, &all);
	const uint32_t *of = derived_parts_of_step(d, i, &n);
	for (uint32_t k = 0; k < n; k++)
		sum += parts[of[k]].n_work;
	return sum;
}

static int64_t work_of(const struct steps_run *run, const struct steps_entry *x)
{
	const struct step_device *part = derived_step_device(run->d, x->step, x->device);
	return part ? part->n_work : run->pooled ? work_anywhere(run->d, x->step) : 0;
}

static int64_t counted_of(const struct steps_run *run, const struct steps_entry *x)
{
	return derived_options(run->d)->semantics == SEM_STEPSCOPE ? step_counts(&run->counted, x->step) : UNKNOWN_I64;
}

/* Columns that are one class of the breakdown each. */
static const uint8_t class_of[] = {
	[COL_STEPS_COMPUTE_NS] = TIME_COMPUTE,         [COL_STEPS_D2D_NS] = TIME_D2D,
	[COL_STEPS_COLLECTIVES_NS] = TIME_COLLECTIVES, [COL_STEPS_HOST_NS] = TIME_HOST,
	[COL_STEPS_LAUNCH_NS] = TIME_LAUNCH,           [COL_STEPS_INPUT_COPY_NS] = TIME_INPUT_COPY,
	[COL_STEPS_OUTPUT_NS] = TIME_OUTPUT,           [COL_STEPS_COMPILE_NS] = TIME_COMPILE,
};

#define BITS(a, b, c, d) \
	(PART_BIT(COL_STEPS_##a) | PART_BIT(COL_STEPS_##b) | PART_BIT(COL_STEPS_##c) | PART_BIT(COL_STEPS_##d))
#define CLASSES \
	(BITS(COMPUTE_NS, D2D_NS, COLLECTIVES_NS, HOST_NS) | BITS(LAUNCH_NS, INPUT_COPY_NS, OUTPUT_NS, COMPILE_NS))

static int64_t number_of(const struct steps_run *run, const struct steps_entry *x, uint32_t column)
{
	const struct breakdown_narrow *b = x->time;
	switch (column) {
	case COL_STEPS_RANK:
		return rank_known(derived_trace(run->d), derived_step(run->d, x->step)->host);
	case COL_STEPS_DEVICE:
		return device_known(derived_trace(run->d), x->device);
	case COL_STEPS_START_NS:
		return breakdown_a_ns(b, derived_step(run->d, x->step));
	case COL_STEPS_DUR_NS:
		return breakdown_dur_ns(b);
	case COL_STEPS_INPUT_NS:
		return breakdown_class_ns(b, TIME_INPUT_WAIT) + breakdown_class_ns(b, TIME_INPUT_COPY);
	case COL_STEPS_OTHER_NS:
		return breakdown_other_ns(b);
	case COL_STEPS_WORK:
		return work_of(run, x);
	case COL_STEPS_CUT:
		return b->cut;
	case COL_STEPS_COUNTED:
		return counted_of(run, x);
	default:
		return breakdown_class_ns(b, (enum time_class)class_of[column]);
	}
}

/* Adds the class's time in each of the rows. */
static void add_class(const struct steps_run *run, const uint32_t *rows, uint32_t n, enum time_class class,
		      int64_t *out)
{
	struct narrow_place place = {0};
	for (uint32_t i = 0; run->classes >> class & 1 && i < n; i++) {
		const struct breakdown_narrow *time = time_at(run, rows[i]);
		out[i] += narrow_get_again(time->kept, time->times, BREAKDOWN_CLASSES + (unsigned)class, &place);
	}
}

/* Steps on one device mostly follow those of the same device. */
static void devices_in(const struct steps_run *run, const uint32_t *rows, uint32_t n, int64_t *out)
{
	uint32_t last = NONE_ID;
	int64_t known = device_known(derived_trace(run->d), last);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t device = device_at(run, rows[i]);
		if (device != last)
			known = device_known(derived_trace(run->d), last = device);
		out[i] = known;
	}
}

static void ranks_in(const struct steps_run *run, const uint32_t *rows, uint32_t n, int64_t *out)
{
	uint32_t last = NONE_ID;
	int64_t known = rank_known(derived_trace(run->d), last);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t host = derived_step(run->d, step_at(run, rows[i]))->host;
		if (host != last)
			known = rank_known(derived_trace(run->d), last = host);
		out[i] = known;
	}
}

static void counted_in(const struct steps_run *run, const uint32_t *rows, uint32_t n, int64_t *out)
{
	bool all = derived_options(run->d)->semantics == SEM_STEPSCOPE;
	for (uint32_t i = 0; i < n; i++)
		out[i] = all ? step_counts(&run->counted, step_at(run, rows[i])) : UNKNOWN_I64;
}

/* What most readers ask, without a look at what else there is. */
static void numbers_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	const struct steps_run *run = ctx;
	bool input = column == COL_STEPS_INPUT_NS;
	if (input || CLASSES >> column & 1) {
		memset(out, 0, n * sizeof *out);
		add_class(run, rows, n, input ? TIME_INPUT_WAIT : (enum time_class)class_of[column], out);
		if (input)
			add_class(run, rows, n, TIME_INPUT_COPY, out);
	} else if (column == COL_STEPS_DEVICE) {
		devices_in(run, rows, n, out);
	} else if (column == COL_STEPS_RANK) {
		ranks_in(run, rows, n, out);
	} else if (column == COL_STEPS_COUNTED) {
		counted_in(run, rows, n, out);
	} else {
		for (uint32_t i = 0; column == COL_STEPS_DUR_NS && i < n; i++)
			out[i] = breakdown_dur_ns(time_at(run, rows[i]));
		for (uint32_t i = 0; column == COL_STEPS_OTHER_NS && i < n; i++)
			out[i] = breakdown_other_ns(time_at(run, rows[i]));
		for (uint32_t i = 0; column == COL_STEPS_CUT && i < n; i++)
			out[i] = time_at(run, rows[i])->cut;
		bool read = column == COL_STEPS_DUR_NS || column == COL_STEPS_OTHER_NS || column == COL_STEPS_CUT;
		for (uint32_t i = 0; !read && i < n; i++) {
			const struct steps_entry x = entry_at(run, rows[i]);
			out[i] = number_of(run, &x, column);
		}
	}
}

static const char *text_of(const struct steps_run *run, uint32_t step, uint32_t column)
{
	const struct step *s = derived_step(run->d, step);
	switch (column) {
	case COL_STEPS_STEP:
		return s->label;
	case COL_STEPS_NAME:
		return s->name ? derived_step_name(run->d, s) : NULL;
	case COL_STEPS_SOURCE:
		return s->inferred ? "inferred" : s->marker == NONE_ID ? "group" : "marker";
	case COL_STEPS_HOST:
		return host_known(derived_trace(run->d), s->host);
	default:
		return step_phase_name(derived_step_phase(run->d, step));
	}
}

static void labels_in(const struct steps_run *run, const uint32_t *rows, uint32_t n, const char **out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = derived_step(run->d, step_at(run, rows[i]))->label;
}

/* Hosts follow each other, too. */
static void hosts_in(const struct steps_run *run, const uint32_t *rows, uint32_t n, const char **out)
{
	uint32_t last = NONE_ID;
	const char *known = NULL;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t host = derived_step(run->d, step_at(run, rows[i]))->host;
		if (host != last)
			known = host_known(derived_trace(run->d), last = host);
		out[i] = known;
	}
}

static void phases_in(const struct steps_run *run, const uint32_t *rows, uint32_t n, const char **out)
{
	const uint8_t *phases = derived_step_phases(run->d);
	for (uint32_t i = 0; i < n; i++)
		out[i] = step_phase_name((enum step_phase)phases[step_at(run, rows[i])]);
}

static void texts_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	const struct steps_run *run = ctx;
	if (column == COL_STEPS_STEP)
		labels_in(run, rows, n, out);
	else if (column == COL_STEPS_PHASE)
		phases_in(run, rows, n, out);
	else if (column == COL_STEPS_HOST)
		hosts_in(run, rows, n, out);
	else
		for (uint32_t i = 0; i < n; i++)
			out[i] = text_of(run, step_at(run, rows[i]), column);
}

#define TEXTS   (BITS(STEP, NAME, SOURCE, HOST) | PART_BIT(COL_STEPS_PHASE))
#define FLAGS   (PART_BIT(COL_STEPS_CUT) | PART_BIT(COL_STEPS_COUNTED))
#define NUMBERS (~TEXTS & ~PART_BIT(COL_STEPS_IDLE_PCT) & (PART_BIT(COL_STEPS_COUNTED + 1) - 1))

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

static void make_cells(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct steps_run *run = ctx;
	const struct steps_entry entry = entry_at(run, i), *x = &entry;
	for (uint32_t c = 0; c < sizeof columns / sizeof *columns; c++) {
		int64_t number = NUMBERS >> c & 1 ? number_of(run, x, c) : UNKNOWN_I64;
		if (TEXTS >> c & 1)
			cell_text(&out->cells[c], text_of(run, x->step, c));
		else if (FLAGS >> c & 1 && number != UNKNOWN_I64)
			cell_bool(&out->cells[c], number);
		else if (!(FLAGS >> c & 1) && number != UNKNOWN_I64)
			cell_int(&out->cells[c], number);
	}
}

static void make_idle_and_evidence(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct steps_run *run = ctx;
	const struct steps_entry entry = entry_at(run, i), *x = &entry;
	const struct step *s = derived_step(run->d, x->step);
	const struct step_device *part = derived_step_device(run->d, x->step, x->device);
	const struct breakdown_narrow *b = x->time;
	int64_t a_ns = breakdown_a_ns(b, s), length_ns = breakdown_dur_ns(b);
	out->evidence = (struct evidence){s->start_ns, s->members_end_ns, out->events, 0, NULL};
	if (s->marker != NONE_ID)
		out->events[out->evidence.n++] = s->marker;
	if (!part)
		return;
	out->events[out->evidence.n++] = part->first_row;
	cell_pct(&out->cells[COL_STEPS_IDLE_PCT],
		 length_ns - intervals_within(derived_busy_device(run->d, x->device), a_ns, a_ns + length_ns),
		 length_ns);
}

static const struct row_part row_parts[] = {
	{make_cells, TEXTS | NUMBERS, false},
	{make_idle_and_evidence, PART_BIT(COL_STEPS_IDLE_PCT), false},
};

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

/* A filter keeps the rows in which something matches: the marker or what the breakdown looks at. */
static bool passes(const struct steps_run *run, const struct step *s, const struct breakdown_narrow *b)
{
	return !run->q->filter || b->n_events || (s->marker != NONE_ID && event_wanted(run->d, run->q, s->marker));
}

static bool outside(const struct steps_run *run, const struct step *s, const struct breakdown_narrow *b)
{
	int64_t a_ns = breakdown_a_ns(b, s), length_ns = breakdown_dur_ns(b);
	return a_ns + length_ns <= run->q->a_ns || a_ns >= run->q->b_ns || (b->cut && length_ns <= 0);
}

/* NULL: the step is none. */
static const struct breakdown_narrow *made_time(struct steps_run *run, uint32_t step, uint32_t device, size_t place)
{
	struct breakdown b;
	if (breakdown_in_slot(&run->slots[place]))
		return breakdown_kept_in_place(run->kept, place);
	if (!run->breakdowns)
		run->breakdowns = breakdown_new(run->d, run->q);
	if (!breakdown_of_place(run->breakdowns, run->kept, place, step, device, &b))
		return NULL;
	return breakdown_kept_in_place(run->kept, place);
}

static void add_row(struct steps_run *run, uint32_t step, uint32_t device, size_t place)
{
	const struct breakdown_narrow *time = made_time(run, step, device, place);
	const struct step *s = derived_step(run->d, step);
	if (!time || outside(run, s, time) || !passes(run, s, time))
		return;
	run->classes |= breakdown_classes(time);
	run->cut |= time->cut;
	run->at[run->n++] = (uint32_t)place;
}

static void step_rows(struct steps_run *run, uint32_t i)
{
	uint32_t all, n;
	const struct step_device *parts = derived_step_devices(run->d, &all);
	const uint32_t *of = derived_parts_of_step(run->d, i, &n);
	if (run->q->by_step && (i < run->q->step_first || i > run->q->step_last))
		return;
	for (uint32_t k = 0; !run->pooled && k < n; k++)
		add_row(run, i, parts[of[k]].device, of[k]);
	if (run->pooled || !n)
		add_row(run, i, NONE_ID, breakdown_place(run->d, i, NONE_ID));
}

/* Of classes that no row has, and whether it is cut where none is. */
static uint64_t zero_columns(const struct steps_run *run)
{
	uint64_t zeros = run->cut ? 0 : PART_BIT(COL_STEPS_CUT);
	for (uint32_t c = 0; c < sizeof class_of / sizeof *class_of; c++)
		if (CLASSES >> c & 1 && !(run->classes >> class_of[c] & 1))
			zeros |= PART_BIT(c);
	if (!(run->classes & (1u << TIME_INPUT_WAIT | 1u << TIME_INPUT_COPY)))
		zeros |= PART_BIT(COL_STEPS_INPUT_NS);
	return zeros;
}

/* One for each part, and for each step without one; pooled: for each step. */
static size_t most_rows(const struct steps_run *run)
{
	size_t rows = run->n_parts;
	uint32_t n;
	if (run->pooled)
		return derived_steps(run->d);
	for (uint32_t i = 0; i < derived_steps(run->d); i++)
		rows += (derived_parts_of_step(run->d, i, &n), !n);
	return rows;
}

static struct table *run_steps(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	if (derived_options(d)->semantics == SEM_KINETO)
		return steps_kineto_table(d, q, &steps_desc, mem);
	struct table *out = table_new(mem, &steps_desc);
	struct steps_run *run = arena_alloc(mem, sizeof *run);
	*run = (struct steps_run){.d = d,
				  .q = q,
				  .kept = breakdowns_made(d, q, NULL, mem, p),
				  .pooled = derived_options(d)->semantics == SEM_XPROF,
				  .counted = counted_steps(d, q)};
	if (!run->kept)
		run->kept = breakdown_kept_in(d, mem);
	run->slots = breakdown_slots(run->kept);
	run->parts = derived_step_devices(d, &run->n_parts);
	size_t rows = most_rows(run);
	run->at = arena_room(mem, (rows + 1) * sizeof *run->at);
	pages_take(run->at, rows * sizeof *run->at);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	bool cancelled = false;
	for (uint32_t i = 0; i < derived_steps(d) && !cancelled; i++) {
		step_rows(run, i);
		cancelled = progress_cancelled(p);
	}
	breakdown_free(run->breakdowns);
	table_made_parts(out, run->n, row_parts, sizeof row_parts / sizeof *row_parts, run);
	table_made_numbers(out, numbers_in, NUMBERS);
	table_made_texts(out, texts_in, TEXTS);
	table_made_zeros(out, zero_columns(run));
	if (!cancelled)
		return out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc steps_desc = {
	.name = "steps",
	.title = "Steps",
	.help = "step time per step and device, with its breakdown",
	TABLE_COLUMNS(columns),
	.run = run_steps,
	.first = COLUMN_LIST(COL_STEPS_STEP, COL_STEPS_CUT, COL_STEPS_DEVICE, COL_STEPS_DUR_NS, COL_STEPS_COMPUTE_NS,
			     COL_STEPS_INPUT_NS, COL_STEPS_LAUNCH_NS, COL_STEPS_HOST_NS, COL_STEPS_OTHER_NS),
	.lead = 4,
	.report = {.brief = COLUMN_LIST(COL_STEPS_STEP, COL_STEPS_CUT, COL_STEPS_DEVICE, COL_STEPS_DUR_NS,
					COL_STEPS_COMPUTE_NS, COL_STEPS_LAUNCH_NS, COL_STEPS_INPUT_NS,
					COL_STEPS_HOST_NS, COL_STEPS_OTHER_NS),
		   .wide = COLUMN_LIST(COL_STEPS_STEP, COL_STEPS_CUT, COL_STEPS_RANK, COL_STEPS_DEVICE,
				       COL_STEPS_START_NS, COL_STEPS_DUR_NS, COL_STEPS_COMPUTE_NS, COL_STEPS_D2D_NS,
				       COL_STEPS_COLLECTIVES_NS, COL_STEPS_HOST_NS, COL_STEPS_LAUNCH_NS,
				       COL_STEPS_INPUT_NS, COL_STEPS_OUTPUT_NS, COL_STEPS_COMPILE_NS,
				       COL_STEPS_OTHER_NS),
		   .sort = COLUMN_LIST(COL_STEPS_DUR_NS)},
	.vs = {.why_not = "single steps have none: step_parts has their means, and --step N --vs-step M compares two "
			  "steps"},
};
