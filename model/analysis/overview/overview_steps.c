/* The step time and where it goes, from the table of steps. */
#include "overview_parts.h"
#include "model/analysis/derived/job_steps.h"
#include "model/store/base/idmap.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <string.h>

/* clang-format off */
/*        column of the steps table, key of the overview, help */
static const struct { uint8_t column; const char *key, *help; } parts[] = {
	{COL_STEPS_COMPUTE_NS,     "device_compute_pct",   "Share of the step time in which kernels compute: the larger, the better."},
	{COL_STEPS_D2D_NS,         "device_to_device_pct", "Share of the step time in which nothing computes and data is copied inside or between devices."},
	{COL_STEPS_COLLECTIVES_NS, "collectives_pct",      "Share of the step time in which devices communicate (collectives) and nothing computes."},
	{COL_STEPS_HOST_NS,        "host_compute_pct",     "Share of the step time in which the devices wait for other work of the host."},
	{COL_STEPS_LAUNCH_NS,      "kernel_launch_pct",    "Share of the step time in which the devices wait for launch calls."},
	{COL_STEPS_INPUT_NS,       "input_pct",            "Share of the step time in which the devices wait for input or for copies to them."},
	{COL_STEPS_OUTPUT_NS,      "output_pct",           "Share of the step time in which results are copied to the host."},
	{COL_STEPS_COMPILE_NS,     "compilation_pct",      "Share of the step time in which the host compiles."},
	{COL_STEPS_OTHER_NS,       "other_pct",            "Share of the step time that is none of the above, idle time included."},
};
/* clang-format on */

static bool counts(const struct table *steps, uint32_t row)
{
	const struct cell *counted = column_cell(steps, row, COL_STEPS_COUNTED);
	return counted->null || counted->b;
}

static bool is_cut(const struct table *steps, uint32_t row)
{
	const struct cell *cut = column_cell(steps, row, COL_STEPS_CUT);
	return !cut->null && cut->b;
}

/* ---- mean and deviation ----------------------------------------------------------------------------------------- */

/* Steps by their label. */
static struct idmap steps_by_label(const struct derived *d)
{
	struct idmap map = {0};
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		const char *label = derived_step(d, i)->label;
		idmap_put(&map, idmap_hash(label, strlen(label), 0), i);
	}
	return map;
}

/* The longest of the whole rows of each step, which has one per device; 0 = it has none. */
static double *longest_rows(const struct derived *d, const struct table *steps, struct arena *mem)
{
	double *lengths = arena_alloc(mem, (derived_steps(d) + (size_t)1) * sizeof *lengths);
	struct idmap map = steps_by_label(d);
	for (uint32_t row = 0; row < steps->n_rows; row++) {
		const struct cell *dur = column_cell(steps, row, COL_STEPS_DUR_NS);
		const char *label = column_text(steps, row, COL_STEPS_STEP);
		uint32_t step = label ? idmap_get(&map, idmap_hash(label, strlen(label), 0)) : NONE_ID;
		if (step < derived_steps(d) && !dur->null && !is_cut(steps, row) && counts(steps, row) &&
		    (double)dur->i > lengths[step])
			lengths[step] = (double)dur->i;
	}
	idmap_free(&map);
	return lengths;
}

/* Whole steps of the job. */
struct lengths {
	double *at; /* the mean over its ranks of each */
	uint32_t n, ranks;
};

static struct lengths step_lengths(const struct derived *d, const struct table *steps, struct arena *mem)
{
	struct job_steps job = derived_job_steps(d, mem);
	double *longest = longest_rows(d, steps, mem);
	double *sums = arena_alloc(mem, (job.n + (size_t)1) * sizeof *sums);
	uint32_t *ranks = arena_alloc(mem, (job.n + (size_t)1) * sizeof *ranks);
	struct lengths out = {.at = sums};
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		sums[job.of[i]] += longest[i];
		ranks[job.of[i]] += longest[i] > 0;
	}
	for (uint32_t i = 0; i < job.n; i++) {
		if (!ranks[i])
			continue;
		out.at[out.n++] = sums[i] / ranks[i];
		out.ranks = ranks[i] > out.ranks ? ranks[i] : out.ranks;
	}
	return out;
}

static double mean_of(const double *v, uint32_t n)
{
	double sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / n : NAN;
}

static double deviation_of(const double *v, uint32_t n, double mean)
{
	double sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return n > 1 ? sqrt(sum / (n - 1)) : NAN;
}

static void add_lengths(struct table *t, const struct derived *d, const struct table *steps)
{
	struct lengths all = step_lengths(d, steps, t->mem);
	double mean = mean_of(all.at, all.n);
	keyed_int(t, "steps", UNIT_COUNT, all.n,
		  "Steps that lie inside the window as a whole, the steady ones where there are any; one number on "
		  "several ranks is one step.");
	keyed_int(t, "step_ranks", UNIT_COUNT, all.n ? all.ranks : UNKNOWN_I64, "Ranks that such a step runs on.");
	keyed_real(t, "step_mean_ns", UNIT_NS, mean,
		   "Mean length of the whole steps, each the longest of its devices, then the mean of its ranks.");
	keyed_real(t, "step_sd_ns", UNIT_NS, deviation_of(all.at, all.n, mean),
		   "Standard deviation of the steps' lengths (of a sample, n - 1).");
}

/* ---- breakdown -------------------------------------------------------------------------------------------------- */

/* Sum of the column over the rows that know it, as a share of those rows' step time. */
static double part_pct(const struct table *steps, uint32_t column)
{
	double part = 0, whole = 0;
	for (uint32_t row = 0; row < steps->n_rows; row++) {
		const struct cell *v = column_cell(steps, row, column),
				  *dur = column_cell(steps, row, COL_STEPS_DUR_NS);
		if (v->null || dur->null || !counts(steps, row))
			continue;
		part += (double)v->i;
		whole += (double)dur->i;
	}
	return keyed_pct(part, whole);
}

void overview_steps(struct table *t, const struct derived *d, const struct table *steps)
{
	add_lengths(t, d, steps);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		keyed_real(t, parts[i].key, UNIT_PERCENT, part_pct(steps, parts[i].column), parts[i].help);
}
