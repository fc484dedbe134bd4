/* The step time and where it goes, from the table of steps. */
#include "overview_parts.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/gaps/verdict.h"
#include "model/analysis/names/kernel_name.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/overview/slow_steps.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/steps/steps_columns.h"
#include "model/analysis/steps/steps_summary.h"
#include "model/store/base/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
/*        column of the steps table, key of the overview, help */
static const struct { uint8_t column; const char *key, *help; } parts[] = {
	{COL_STEPS_COMPUTE_NS,     "device_compute_pct",   "Share of the step time in which kernels compute: the larger, the better."},
	{COL_STEPS_D2D_NS,         "device_to_device_pct", "Share of step time in which only copies on and between devices run."},
	{COL_STEPS_COLLECTIVES_NS, "collectives_pct",      "Share of step time in which only communication (collectives) runs."},
	{COL_STEPS_HOST_NS,        "host_compute_pct",     "Share of step time in which devices wait for other work of the host."},
	{COL_STEPS_LAUNCH_NS,      "kernel_launch_pct",    "Share of step time in which only launch calls run."},
	{COL_STEPS_INPUT_NS,       "input_pct",            "Share of step time spent waiting for input or for copies to devices."},
	{COL_STEPS_OUTPUT_NS,      "output_pct",           "Share of step time in which results are copied to the host."},
	{COL_STEPS_COMPILE_NS,     "compilation_pct",      "Share of step time in which the host compiles."},
	{COL_STEPS_OTHER_NS,       "other_pct",            "Share of step time that is none of the above, idle time included."},
};
enum { PARTS = sizeof parts / sizeof *parts };
/* clang-format on */

/* ---- lengths, and what is left out of them ------------------------------------------------------------------------ */

static void add_lengths(struct table *t, const struct steps_summary *s)
{
	keyed_int(t, "steps", UNIT_COUNT, s->n, "Whole steps of the window, the steady ones where there are any.");
	keyed_int(
		t, "step_ranks", UNIT_COUNT, s->n ? s->ranks : UNKNOWN_I64,
		"Ranks that such a step runs on: one step number on several ranks is one step, as long as their mean.");
	keyed_real(t, "step_mean_ns", UNIT_NS, s->mean_ns,
		   "Mean of the whole steps, each as long as on its slowest device.");
	keyed_real(t, "step_sd_ns", UNIT_NS, s->sd_ns,
		   "Standard deviation of the steps' lengths (of a sample, n - 1).");
	keyed_real(t, "step_median_ns", UNIT_NS, s->median_ns, "Median of these.");
	keyed_real(t, "step_min_ns", UNIT_NS, s->min_ns, "The shortest.");
	keyed_real(t, "step_max_ns", UNIT_NS, s->max_ns, "The longest.");
	keyed_text(t, "step_lengths",
		   !s->n          ? NULL
		   : s->irregular ? "irregular"
				  : "regular",
		   "Irregular: the longest steady step takes more than twice the shortest; then no mean.");
	keyed_real(t, "steps_total_ns", UNIT_NS, s->n ? s->sum_ns : NAN, "Their lengths over all ranks.");
}

/* What a step that is left out spends most of its time on. */
struct cost {
	const char *name; /* NULL = not known */
	int64_t ns;
	str_id id; /* of that name */
	uint32_t thread;
};

static struct cost cost_named(const struct derived *d, str_id id, uint32_t thread, int64_t ns)
{
	return (struct cost){trace_str(derived_trace(d), id), ns, id, thread};
}

/* The main event of the longest idle time of a device inside the step. */
static struct cost cost_of_gap(const struct derived *d, const struct step *s)
{
	enum { MOST = 8 };
	struct cost none = {0};
	for (uint32_t k = 0; k < MOST; k++) {
		const struct gap *g = derived_gap_ranked(d, k, s->start_ns, s->time_end_ns);
		if (!g)
			return none;
		if (g->device == NONE_ID || g->start_ns < s->start_ns || g->start_ns + g->dur_ns > s->time_end_ns)
			continue;
		struct gap_verdict v;
		gap_verdict_of(d, g, &v);
		return v.cause == CAUSE_UNKNOWN || v.row == NONE_ID
			       ? none
			       : cost_named(d, derived_columns(d)->name[v.row], derived_columns(d)->track[v.row],
					    v.row_ns);
	}
	return none;
}

/* The thread that launches the step's work, else the marker's. */
static uint32_t thread_of(const struct derived *d, uint32_t step)
{
	uint32_t n, all;
	const uint32_t *order = derived_parts_of_step(d, step, &n);
	uint32_t launching = n ? derived_launch_track(d, derived_step_devices(d, &all)[order[0]].device) : NONE_ID;
	return launching != NONE_ID ? launching : derived_step_thread(d, step);
}

/* The events of the thread with the most time of their own, those of one name together. */
static struct cost cost_of_host(const struct derived *d, uint32_t thread, const struct step *s)
{
	enum { MOST = 2 };
	struct self_time most[MOST];
	const struct columns *c = derived_columns(d);
	uint32_t n = thread == NONE_ID ? 0 : derived_self_times(d, thread, s->start_ns, s->time_end_ns, MOST, most);
	for (uint32_t i = 0; i < n; i++)
		if (s->marker == NONE_ID || most[i].name != c->name[s->marker])
			return cost_named(d, most[i].name, thread, most[i].self_ns);
	return (struct cost){0};
}

/* Of the steady steps like it the nearest; NULL: there is none. */
static const struct step *steady_beside(const struct derived *d, uint32_t step)
{
	const struct step *s = derived_step(d, step), *nearest = NULL;
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		const struct step *other = derived_step(d, i);
		if (other->host == s->host && !strcmp(derived_step_name(d, other), derived_step_name(d, s)) &&
		    derived_step_phase(d, i) == PHASE_STEADY &&
		    (!nearest || llabs(other->start_ns - s->start_ns) < llabs(nearest->start_ns - s->start_ns)))
			nearest = other;
	}
	return nearest;
}

/* What events of that name take of their own in the step, where they are among those with most. */
static int64_t own_ns(const struct derived *d, uint32_t thread, const struct step *s, str_id name)
{
	enum { MOST = 16 };
	struct self_time most[MOST];
	uint32_t n = s ? derived_self_times(d, thread, s->start_ns, s->time_end_ns, MOST, most) : 0;
	for (uint32_t i = 0; i < n; i++)
		if (most[i].name == name)
			return most[i].self_ns;
	return 0;
}

/* Below a tenth of the step that is not what it is about; nor is it what a steady step takes as long for. */
static bool tells(const struct derived *d, uint32_t step, const struct cost *cost)
{
	enum { TELLS_PCT = 10 };
	const struct step *s = derived_step(d, step);
	int64_t least_ns = (s->time_end_ns - s->start_ns) / 100 * TELLS_PCT;
	return cost->name && cost->ns >= least_ns &&
	       cost->ns - own_ns(d, cost->thread, steady_beside(d, step), cost->id) >= least_ns;
}

static struct cost cost_of(const struct derived *d, uint32_t step)
{
	struct cost gap = cost_of_gap(d, derived_step(d, step));
	if (tells(d, step, &gap))
		return gap;
	struct cost host = cost_of_host(d, thread_of(d, step), derived_step(d, step));
	return tells(d, step, &host) ? host : (struct cost){0};
}

static const char *time_text(struct arena *mem, double ns)
{
	return fmt_ns(arena_alloc(mem, UNITS_BUF), llround(ns));
}

/* "step 0 took 4.490 s: cudaLaunchKernel 1.565 s"; NULL: none is left out. */
static const char *left_out_text(const struct derived *d, const struct steps_summary *s, const struct cost *cost,
				 struct arena *mem)
{
	if (s->worst == NONE_ID)
		return NULL;
	const char *why = !cost->name ? ""
				      : arena_printf(mem, ": %.60s %s", kernel_name_full(mem, cost->name),
						     time_text(mem, (double)cost->ns));
	return arena_printf(mem, "step %s took %s%s", derived_step(d, s->worst)->label, time_text(mem, s->worst_ns),
			    why);
}

static void add_left_out(struct table *t, const struct derived *d, const struct steps_summary *s)
{
	bool any = s->worst != NONE_ID;
	struct cost cost = any ? cost_of(d, s->worst) : (struct cost){0};
	const char *steps = s->all ? steps_summary_words(s, t->mem) : NULL, *left = left_out_text(d, s, &cost, t->mem);
	keyed_text(t, "steps_text", steps && left ? arena_printf(t->mem, "%s; %s", steps, left) : steps,
		   "Which steps these numbers cover, and what the longest one left out cost.");
	keyed_text(t, "left_out_text", left, "The second half of that, by itself.");
	keyed_int(t, "steps_left_out", UNIT_COUNT, s->all - s->n,
		  "Warm-up steps and outliers, left out of means and shares (--all-steps counts them).");
	keyed_text(t, "left_out_step", any ? derived_step(d, s->worst)->label : NULL, "The longest of these.");
	keyed_real(t, "left_out_ns", UNIT_NS, any ? s->worst_ns : NAN, "Its length.");
	keyed_text(t, "left_out_event", cost.name,
		   "The main event of the longest idle time of its device; where that is less than a tenth of the "
		   "step, what its launching thread spends most self time in; a tenth of the step or more beyond what "
		   "the nearest steady step spends on it.");
	keyed_int(t, "left_out_event_ns", UNIT_NS, cost.name ? cost.ns : UNKNOWN_I64, "Self time that it has there.");
}

/* "4, 9, 14, 19", "4, 9, 14, 19, ..." */
static const char *slow_labels(const struct derived *d, const struct slow_steps *v, struct arena *mem)
{
	const char *text = "";
	for (uint32_t i = 0; i < v->n && i < SLOW_STEPS_NAMED; i++)
		text = arena_printf(mem, "%s%s%s", text, i ? ", " : "", derived_step(d, v->steps[i])->label);
	return v->n > SLOW_STEPS_NAMED ? arena_printf(mem, "%s, ...", text) : text;
}

/* Nothing where there are none. */
static void add_slow(struct table *t, const struct derived *d, const struct query *q)
{
	struct slow_steps v = slow_steps_find(d, q);
	bool event = v.event != NONE_ID;
	if (!v.n)
		return;
	keyed_int(t, "slow_steps", UNIT_COUNT, v.n,
		  "Outliers that take much longer, of the host on which they cost most; none: these rows are missing.");
	table_evidence(t, derived_step(d, v.steps[0])->start_ns, derived_step(d, v.steps[0])->time_end_ns, NULL, 0);
	keyed_int(t, "slow_steps_of", UNIT_COUNT, v.of, "Steps of that host and name, without the warm-up.");
	keyed_text(t, "slow_steps_text", slow_labels(d, &v, t->mem), "Which these are.");
	keyed_int(t, "slow_steps_every", UNIT_COUNT, v.every ? v.every : UNKNOWN_I64,
		  "They come each so many steps, three times or more.");
	keyed_int(t, "slow_steps_mean_ns", UNIT_NS, v.mean_ns, "Their mean length.");
	keyed_int(t, "usual_step_ns", UNIT_NS, v.usual_ns, "Median of the steady steps beside them.");
	keyed_int(t, "slow_steps_extra_ns", UNIT_NS, v.extra_ns, "What they all take beyond that.");
	keyed_real(t, "slow_steps_extra_pct", UNIT_PERCENT, keyed_pct((double)v.extra_ns, (double)v.all_ns),
		   "Share of that in the time of all these steps.");
	keyed_text(t, "slow_steps_event", event ? trace_str(derived_trace(d), derived_columns(d)->name[v.event]) : NULL,
		   "The innermost name whose events hold two thirds of that more in them than in steady steps, "
		   "else the one "
		   "that holds most, half of it or more.");
	keyed_int(t, "slow_steps_event_ns", UNIT_NS, event ? v.event_ns : UNKNOWN_I64,
		  "What its events hold in each of them beyond what they hold in a steady one.");
	if (event)
		table_evidence(t, derived_columns(d)->start_ns[v.event], row_end(derived_columns(d), v.event), &v.event,
			       1);
	keyed_real(t, "slow_steps_event_calls", UNIT_NONE, event && v.event_calls > 0 ? v.event_calls : NAN,
		   "How many of them are in each of them; nested ones of that name do not count.");
	keyed_real(t, "usual_event_calls", UNIT_NONE, event && v.event_calls > 0 ? v.usual_calls : NAN,
		   "How many are in a steady step.");
}

/* ---- breakdown -------------------------------------------------------------------------------------------------- */

/* Of each part its sum over the rows that know it, and the step time of those rows. Whole numbers add up sooner than others; steps of
 * several devices may be centuries long each. */
struct part_sums {
	__int128 part[PARTS], whole[PARTS];
};

/* The rows that count and whose step time is known, in front; other tools' tables do not tell which count. */
static uint32_t rows_that_count(const struct row_block *b, uint32_t rows[BLOCK_ROWS], int64_t dur_ns[BLOCK_ROWS])
{
	int64_t counted[BLOCK_ROWS];
	uint32_t n = 0;
	row_block_numbers(b, COL_STEPS_DUR_NS, dur_ns);
	row_block_numbers(b, COL_STEPS_COUNTED, counted);
	for (uint32_t i = 0; i < b->n; i++) {
		if (dur_ns[i] == UNKNOWN_I64 || counted[i] == 0)
			continue;
		rows[n] = b->from + i;
		dur_ns[n++] = dur_ns[i];
	}
	return n;
}

static void add_part_sums(struct part_sums *s, const struct row_block *b)
{
	uint32_t rows[BLOCK_ROWS];
	int64_t dur_ns[BLOCK_ROWS], ns[BLOCK_ROWS];
	uint32_t n = rows_that_count(b, rows, dur_ns);
	__int128 whole_ns = 0;
	for (uint32_t i = 0; i < n; i++)
		whole_ns += dur_ns[i];
	for (size_t k = 0; k < PARTS; k++) {
		int col = table_place(b->t, parts[k].column);
		if (col >= 0 && table_is_zero(b->t, (uint32_t)col)) {
			s->whole[k] += whole_ns;
			continue;
		}
		if (col >= 0)
			table_numbers(b->t, (uint32_t)col, rows, n, ns);
		__int128 part_ns = 0, unknown_ns = 0;
		for (uint32_t i = 0; col >= 0 && i < n; i++)
			if (ns[i] != UNKNOWN_I64)
				part_ns += ns[i];
			else
				unknown_ns += dur_ns[i];
		s->part[k] += part_ns;
		s->whole[k] += col >= 0 ? whole_ns - unknown_ns : 0;
	}
}

static void add_shares(struct table *t, const struct table *steps)
{
	struct part_sums s = {0};
	for (struct row_block b = {.t = steps}; row_block_next(&b);)
		add_part_sums(&s, &b);
	for (size_t k = 0; k < PARTS; k++)
		keyed_real(t, parts[k].key, UNIT_PERCENT, keyed_pct((double)s.part[k], (double)s.whole[k]),
			   parts[k].help);
}

bool overview_steps(struct table *t, const struct derived *d, const struct query *q, const struct table *steps)
{
	struct steps_summary summary = steps_summarise(d, steps);
	add_lengths(t, &summary);
	add_left_out(t, d, &summary);
	add_slow(t, d, q);
	add_shares(t, steps);
	return summary.irregular;
}
