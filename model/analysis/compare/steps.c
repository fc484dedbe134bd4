/* What a step's time went to, before and after: parts whose changes add up to the change of the whole. */
#include "compare.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/steps/step_part.h"
#include <math.h>
#include <stdlib.h>

/* label: NULL where the part is one of the parts of steps, which has its word. */
static const struct {
	const char *part, *label;
	enum step_part_id is;
} parts[CHANGE_PARTS] = {
	[TIME_COMPUTE] = {"device_compute", NULL, STEP_PART_COMPUTE},
	[TIME_OUTPUT] = {"output", NULL, STEP_PART_OUTPUT},
	[TIME_D2D] = {"device_to_device", NULL, STEP_PART_D2D},
	[TIME_INPUT_WAIT] = {"input_wait", "input wait", STEP_PART_INPUT},
	[TIME_COLLECTIVES] = {"collectives", NULL, STEP_PART_COLLECTIVE},
	[TIME_LAUNCH] = {"kernel_launch", NULL, STEP_PART_LAUNCH},
	[TIME_INPUT_COPY] = {"input_copies", "copies to device", STEP_PART_INPUT},
	[TIME_COMPILE] = {"compilation", NULL, STEP_PART_COMPILE},
	[TIME_HOST] = {"host_compute", NULL, STEP_PART_HOST},
	[TIME_COUNT] = {"other", NULL, STEP_PART_OTHER},
};

const char *change_part_label(enum time_class part)
{
	return parts[part].label ? parts[part].label : step_parts[parts[part].is].words;
}

/* Irregular steps on one side: medians on both. */
static bool as_median(const struct compare_side *s, struct arena *mem, struct progress *p, struct step_average *out,
		      struct err *e)
{
	*out = s->step;
	return out->stands == STEP_STANDS_MEDIAN || step_average_of(s->d, &s->q, true, mem, p, out, e);
}

static bool change_of_steps(const struct compare_side *a, const struct compare_side *b, struct arena *mem,
			    struct progress *p, struct step_change *out, struct err *e)
{
	bool medians = a->step.stands == STEP_STANDS_MEDIAN || b->step.stands == STEP_STANDS_MEDIAN;
	struct step_average before = a->step, after = b->step;
	if (medians)
		TRY(as_median(a, mem, p, &before, e) && as_median(b, mem, p, &after, e));
	out->of = medians ? CHANGE_OF_MEDIANS : CHANGE_OF_STEPS;
	out->a_ns = before.ns;
	out->b_ns = after.ns;
	out->n = CHANGE_PARTS;
	for (uint32_t i = 0; i < CHANGE_PARTS; i++)
		out->part[i] =
			(struct change_part){parts[i].part, change_part_label(i), before.part_ns[i], after.part_ns[i]};
	out->detects_pct = medians ? NAN : spread_detects_pct(&a->steps_spread, &b->steps_spread);
	return true;
}

/* The device that works longest: its span in the window, and what of it is work. */
static bool span_of(const struct compare_side *s, int64_t *span_ns, int64_t *busy_ns)
{
	*busy_ns = 0;
	for (uint32_t i = 0; i < trace_devices(derived_trace(s->d)); i++) {
		const struct intervals *busy = derived_busy_device(s->d, i);
		int64_t ns = intervals_within(busy, s->q.a_ns, s->q.b_ns);
		if (ns <= *busy_ns)
			continue;
		int64_t from_ns = busy->at[0].a_ns, to_ns = busy->at[busy->n - 1].b_ns;
		query_clip(&s->q, &from_ns, &to_ns);
		*busy_ns = ns;
		*span_ns = derived_watched_ns(s->d, i, from_ns, to_ns);
	}
	return *busy_ns > 0;
}

static void change_of_span(const struct compare_side *a, const struct compare_side *b, struct step_change *out)
{
	int64_t a_ns, b_ns, a_busy_ns, b_busy_ns;
	if (!span_of(a, &a_ns, &a_busy_ns) || !span_of(b, &b_ns, &b_busy_ns))
		return;
	out->a_ns = a_ns;
	out->b_ns = b_ns;
	out->of = CHANGE_OF_THE_SPAN;
	out->n = 2;
	out->part[0] = (struct change_part){"busy", "device busy", a_busy_ns, b_busy_ns};
	out->part[1] = (struct change_part){"idle", "device idle", out->a_ns - a_busy_ns, out->b_ns - b_busy_ns};
}

bool compare_steps(const struct compare_side *a, const struct compare_side *b, struct arena *mem, struct progress *p,
		   struct step_change *out, struct err *e)
{
	*out = (struct step_change){.detects_pct = NAN};
	if (a->step.stands != STEP_STANDS_NONE && b->step.stands != STEP_STANDS_NONE)
		return change_of_steps(a, b, mem, p, out, e);
	change_of_span(a, b, out);
	return true;
}

void change_ranked(const struct step_change *c, uint32_t *order)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t at = i;
		int64_t ns = llabs(c->part[i].b_ns - c->part[i].a_ns);
		for (; at > 0; at--) {
			const struct change_part *above = &c->part[order[at - 1]];
			if (llabs(above->b_ns - above->a_ns) >= ns)
				break;
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
}

bool compare_scaling(const struct compare_side *a, const struct compare_side *b, const struct step_change *c,
		     struct scaling *out)
{
	bool steps = c->of == CHANGE_OF_STEPS || c->of == CHANGE_OF_MEDIANS;
	if (a->devices == b->devices || !steps || c->a_ns <= 0 || c->b_ns <= 0)
		return false;
	double more = (double)b->devices / a->devices, before = (double)c->part[TIME_COMPUTE].a_ns,
	       after = (double)c->part[TIME_COMPUTE].b_ns;
	out->speed_up = more * (double)c->a_ns / (double)c->b_ns;
	out->of_linear_pct = 100 * out->speed_up / more;
	out->alike = before > 0 && fabs(after - before) <= before / 4;
	return true;
}
