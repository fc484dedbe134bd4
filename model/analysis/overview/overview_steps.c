/* The step time and where it goes, from the table of steps. */
#include "overview_parts.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <stdlib.h>
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

static bool is_cut(const struct table *steps, uint32_t row)
{
	const struct cell *cut = column_cell(steps, row, COL_STEPS_CUT);
	return !cut->null && cut->b;
}

/* ---- mean and deviation ----------------------------------------------------------------------------------------- */

static int compare_text(const struct cell *a, const struct cell *b)
{
	return a->null || b->null ? a->null - b->null : strcmp(a->s, b->s);
}

static int compare_steps(const void *pa, const void *pb, void *arg)
{
	const struct table *steps = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int order = compare_text(column_cell(steps, a, COL_STEPS_STEP), column_cell(steps, b, COL_STEPS_STEP));
	return order ? order : (a > b) - (a < b);
}

/* Lengths of the whole steps: a step that ran on several devices counts once, with the longest of its rows. */
static uint32_t step_lengths(const struct table *steps, struct arena *mem, double **out)
{
	uint32_t n = 0, kept = 0;
	uint32_t *order = arena_alloc(mem, (steps->n_rows + 1) * sizeof *order);
	double *lengths = *out = arena_alloc(mem, (steps->n_rows + 1) * sizeof *lengths);
	for (uint32_t row = 0; row < steps->n_rows; row++)
		if (!is_cut(steps, row) && !column_cell(steps, row, COL_STEPS_DUR_NS)->null)
			order[n++] = row;
	qsort_r(order, n, sizeof *order, compare_steps, (void *)steps);
	for (uint32_t i = 0; i < n; i++) {
		double length = (double)column_cell(steps, order[i], COL_STEPS_DUR_NS)->i;
		bool same = i && !compare_text(column_cell(steps, order[i - 1], COL_STEPS_STEP),
					       column_cell(steps, order[i], COL_STEPS_STEP));
		if (!same)
			lengths[kept++] = length;
		else if (length > lengths[kept - 1])
			lengths[kept - 1] = length;
	}
	return kept;
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

static void add_lengths(struct table *t, const struct table *steps)
{
	double *lengths;
	uint32_t n = step_lengths(steps, t->mem, &lengths);
	double mean = mean_of(lengths, n);
	keyed_int(t, "steps", UNIT_COUNT, n, "Steps that lie inside the window as a whole.");
	keyed_real(t, "step_mean_ns", UNIT_NS, mean, "Mean length of the whole steps.");
	keyed_real(t, "step_sd_ns", UNIT_NS, deviation_of(lengths, n, mean),
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
		if (v->null || dur->null)
			continue;
		part += (double)v->i;
		whole += (double)dur->i;
	}
	return keyed_pct(part, whole);
}

void overview_steps(struct table *t, const struct table *steps)
{
	add_lengths(t, steps);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		keyed_real(t, parts[i].key, UNIT_PERCENT, part_pct(steps, parts[i].column), parts[i].help);
}
