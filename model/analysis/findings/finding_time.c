/* What findings about devices compare lost time with. */
#include "finding_ctx.h"
#include "model/analysis/derived/device_steps.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/recorded/devices_columns.h"
#include "model/analysis/steps/idle_columns.h"
#include "model/analysis/steps/step_phase.h"
#include <math.h>

bool steps_meet_window(const struct finding_ctx *c)
{
	uint32_t parts;
	const struct step_device *p = derived_step_devices(c->d, &parts);
	for (uint32_t i = 0; i < parts; i++)
		if (p[i].first_ns < c->q->b_ns && p[i].last_ns > c->q->a_ns)
			return true;
	return false;
}

/* By host the start of its first step that meets the window, and the end of the last one. */
static const struct interval *step_hulls(const struct finding_ctx *c, struct arena *mem)
{
	uint32_t hosts = trace_hosts(derived_trace(c->d));
	struct interval *hull = arena_alloc(mem, (hosts + (size_t)1) * sizeof *hull);
	for (uint32_t i = 0; i < hosts; i++)
		hull[i] = (struct interval){INT64_MAX, INT64_MIN};
	for (uint32_t i = 0; i < derived_steps(c->d); i++) {
		const struct step *s = derived_step(c->d, i);
		struct interval *h = &hull[s->host];
		if (s->start_ns >= c->q->b_ns || s->time_end_ns <= c->q->a_ns)
			continue;
		h->a_ns = earlier(h->a_ns, s->start_ns);
		h->b_ns = later(h->b_ns, s->time_end_ns);
	}
	return hull;
}

/* Busy time of a device that belongs to its steps: all of it, and what comes when the last step has ended. */
static void late_work(const struct finding_ctx *c, uint32_t device, struct interval hull, double *all_ns,
		      double *late_ns)
{
	struct device_steps steps = device_steps_find(c->d, device, c->q->a_ns, c->q->b_ns);
	const struct intervals *busy = derived_busy_device(c->d, device);
	int64_t last_ns = INT64_MIN;
	for (uint32_t i = 0; i < steps.n; i++)
		last_ns = steps.parts[i].last_ns > last_ns ? steps.parts[i].last_ns : last_ns;
	if (last_ns <= hull.a_ns || hull.a_ns >= hull.b_ns)
		return;
	*all_ns += (double)intervals_within(busy, hull.a_ns, last_ns);
	*late_ns += last_ns > hull.b_ns ? (double)intervals_within(busy, hull.b_ns, last_ns) : 0;
}

bool steps_miss_their_work(struct finding_ctx *c)
{
	const struct trace *t = derived_trace(c->d);
	struct arena mem = {0};
	double all_ns = 0, late_ns = 0;
	if (c->work_known) /* several rules ask */
		return c->work_missed;
	const struct interval *hulls = step_hulls(c, &mem);
	for (uint32_t i = 0; i < trace_devices(t); i++)
		late_work(c, i, hulls[trace_device(t, i)->host], &all_ns, &late_ns);
	arena_free(&mem);
	c->work_known = true;
	return c->work_missed = late_ns > all_ns / 2;
}

double watched_ns(struct finding_ctx *c)
{
	return from_rows(c, "span_ns", ctx_table(c, "devices"), COL_DEVICES_SPAN_NS, NULL);
}

/* It has no row among the causes of idle time, as in a window that its work fills. */
static bool a_device_never_idles(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "devices");
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (row_number(t, row, COL_DEVICES_SPAN_NS) > 0 && row_number(t, row, COL_DEVICES_IDLE_NS) <= 0)
			return true;
	return false;
}

double share_of_time_pct(struct finding_ctx *c, double ns)
{
	double all_ns = a_device_never_idles(c) ? 0 : idle_watched_ns(c);
	if (all_ns <= 0)
		all_ns = made_of(c, "watched_ns", watched_ns(c), UNIT_NS, "span_ns");
	return all_ns > 0 ? 100 * ns / all_ns : 0;
}

const char *device_time_text(struct finding_ctx *c, const char *lost, double lost_ns, double *pct)
{
	double sum_ns = watched_ns(c);
	*pct = sum_ns > 0 ? 100 * lost_ns / sum_ns : NAN;
	made_of(c, "lost_pct", *pct, UNIT_PERCENT, arena_printf(c->mem, "100 * %s / span_ns", lost));
	return arena_printf(c->mem, "%s (%s of the time on devices)", ns_text(c, lost_ns), pct_text(c, *pct));
}

const char *step_time_text(struct finding_ctx *c, const char *lost, double lost_ns, double *pct)
{
	static const char rows[] = "work_span!=null";
	const struct table *t = ctx_table(c, "idle");
	uint32_t n = from_count(c, "steps_on_devices", t, rows);
	if (!n)
		return device_time_text(c, lost, lost_ns, pct);
	double whole_ns = from_rows(c, "steps_span_ns", t, COL_IDLE_WORK_SPAN, rows);
	*pct = whole_ns > 0 ? 100 * lost_ns / whole_ns : NAN;
	made_of(c, "lost_pct", *pct, UNIT_PERCENT, arena_printf(c->mem, "100 * %s / steps_span_ns", lost));
	made_of(c, "lost_per_step_ns", lost_ns / n, UNIT_NS, arena_printf(c->mem, "%s / steps_on_devices", lost));
	made_of(c, "step_span_ns", whole_ns / n, UNIT_NS, "steps_span_ns / steps_on_devices");
	const char *also = counted_steps(c->d, c->q).steady_only ? ", warm-up and outliers included" : "";
	return arena_printf(c->mem, "%s per step (%s of %s from first to last work%s), %s in all",
			    ns_text(c, lost_ns / n), pct_text(c, *pct), ns_text(c, whole_ns / n), also,
			    ns_text(c, lost_ns));
}
