/* What a step spends its time on, in ns, and what its idle time waits for, from the table of parts of a step. */
#include "overview_parts.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/step_parts_columns.h"
#include <math.h>
#include <string.h>

struct part {
	const char *name, *of;
	double mean_ns, sd_ns;
};

static double real_of(const struct table *t, uint32_t row, uint32_t column)
{
	const struct cell *c = column_cell(t, row, column);
	return c->null ? NAN : c->r;
}

static struct part part_at(const struct table *t, uint32_t row)
{
	const struct cell *of = column_cell(t, row, COL_STEP_PARTS_OF);
	return (struct part){column_cell(t, row, COL_STEP_PARTS_PART)->s, of->null ? NULL : of->s,
			     real_of(t, row, COL_STEP_PARTS_AVG_NS), real_of(t, row, COL_STEP_PARTS_SD_NS)};
}

static double mean_of(const struct table *t, const char *part)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (!strcmp(column_cell(t, row, COL_STEP_PARTS_PART)->s, part))
			return real_of(t, row, COL_STEP_PARTS_AVG_NS);
	return NAN;
}

/* What mean and deviation are of is said with the first part. */
static void add_part(struct table *t, const struct part *p, bool first)
{
	keyed_real(t, arena_printf(t->mem, "%s_mean_ns", p->name), UNIT_NS, p->mean_ns,
		   first ? "Mean over the whole steps on every device." : NULL);
	keyed_real(t, arena_printf(t->mem, "%s_sd_ns", p->name), UNIT_NS, p->sd_ns,
		   first ? "Standard deviation over the same steps (of a sample, n - 1)." : NULL);
}

static void add_wait(struct table *t, const struct part *p, double step_ns)
{
	keyed_real(t, arena_printf(t->mem, "idle_%s_pct", p->name), UNIT_PERCENT, keyed_pct(p->mean_ns, step_ns),
		   "Share of the step time that a device is idle for this.");
}

/* Is the device worth it: what a step pays for using it, beside what it gets computed. */
static void add_worth(struct table *t, const struct table *parts)
{
	double step = mean_of(parts, "step"), compute = mean_of(parts, "device_compute");
	bool computes = compute > 0;
	keyed_real(t, "overhead_mean_ns", UNIT_NS, computes ? step - compute : NAN,
		   "Step time without device compute: transfers, launches, waiting and idle time.");
	keyed_real(t, "overhead_per_compute", UNIT_NONE, computes ? (step - compute) / compute : NAN,
		   "That time / device compute: above 1 a step pays more for the device than it computes on it.");
}

void overview_means(struct table *t, const struct table *parts)
{
	double step_ns = mean_of(parts, "step");
	bool first = true;
	for (uint32_t row = 0; row < parts->n_rows; row++) {
		struct part p = part_at(parts, row);
		if (p.of && !strcmp(p.of, "step"))
			add_part(t, &p, first);
		else if (p.of)
			add_wait(t, &p, step_ns);
		first &= !p.of;
	}
	add_worth(t, parts);
}
