/* What findings about devices compare lost time with. */
#include "finding_ctx.h"
#include <math.h>

/* First to last device work of the steps that meet the window, of all devices; *n of them. */
static double step_time_ns(const struct finding_ctx *c, uint32_t *n)
{
	uint32_t parts;
	const struct step_device *p = derived_step_devices(c->d, &parts);
	double sum_ns = 0;
	*n = 0;
	for (uint32_t i = 0; i < parts; i++)
		if (p[i].first_ns < c->q->b_ns && p[i].last_ns > c->q->a_ns) {
			sum_ns += (double)(p[i].last_ns - p[i].first_ns);
			++*n;
		}
	return sum_ns;
}

bool steps_meet_window(const struct finding_ctx *c)
{
	uint32_t n;
	step_time_ns(c, &n);
	return n > 0;
}

const char *device_time_text(struct finding_ctx *c, double lost_ns, double *pct)
{
	const struct table *t = ctx_table(c, "devices");
	double sum_ns = 0, ns;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		sum_ns += row_real(t, row, "span_ns", &ns) ? ns : 0;
	*pct = sum_ns > 0 ? 100 * lost_ns / sum_ns : NAN;
	return arena_printf(c->mem, "%s (%s of the time on devices)", ns_text(c, lost_ns), pct_text(c, *pct));
}

const char *step_time_text(struct finding_ctx *c, double lost_ns, double *pct)
{
	uint32_t n;
	double whole_ns = step_time_ns(c, &n);
	if (!n)
		return device_time_text(c, lost_ns, pct);
	*pct = whole_ns > 0 ? 100 * lost_ns / whole_ns : NAN;
	return arena_printf(c->mem, "%s per step (%s of %s), %s in all", ns_text(c, lost_ns / n), pct_text(c, *pct),
			    ns_text(c, whole_ns / n), ns_text(c, lost_ns));
}
