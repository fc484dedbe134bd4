/* One side of a comparison: its steady stretch, and how long its steps take. */
#include "compare.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/steps/step_phase.h"

/* A step of the job: when it runs on all its ranks, and whether all of it counts. */
struct stretch_step {
	int64_t a_ns, b_ns;
	bool seen, counts;
};

static bool wanted(const struct compare_side *s, uint32_t step)
{
	const struct step *x = derived_step(s->d, step);
	bool chosen = !s->q.by_step || (step >= s->q.step_first && step <= s->q.step_last);
	return chosen && x->start_ns >= s->q.a_ns && (x->time_end_ns <= s->q.b_ns || s->q.by_step);
}

static struct stretch_step *steps_of_job(const struct compare_side *s, const struct job_steps *job, struct arena *mem)
{
	struct counted_steps counted = counted_steps(s->d, &s->q);
	struct stretch_step *out = arena_alloc(mem, (job->n + (size_t)1) * sizeof *out);
	for (uint32_t i = 0; i < derived_steps(s->d); i++) {
		const struct step *x = derived_step(s->d, i);
		struct stretch_step *o = &out[job->of[i]];
		bool counts = wanted(s, i) && step_counts(&counted, i);
		o->counts = counts && (o->counts || !o->seen);
		o->a_ns = o->seen && o->a_ns < x->start_ns ? o->a_ns : x->start_ns;
		o->b_ns = o->seen && o->b_ns > x->time_end_ns ? o->b_ns : x->time_end_ns;
		o->seen = true;
	}
	return out;
}

/* The most of them in a row. */
static uint32_t longest_run(const struct stretch_step *v, uint32_t n, uint32_t *first)
{
	uint32_t most = 0, run = 0;
	for (uint32_t i = 0; i < n; i++) {
		run = v[i].seen && v[i].counts ? run + 1 : 0;
		if (run <= most)
			continue;
		most = run;
		*first = i + 1 - run;
	}
	return most;
}

static uint32_t working_devices(const struct derived *d, const struct query *q)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		n += intervals_within(derived_busy_device(d, i), q->a_ns, q->b_ns) > 0;
	return n ? n : 1;
}

static void find_stretch(struct compare_side *s, struct arena *mem)
{
	struct job_steps job = derived_job_steps(s->d, mem);
	struct stretch_step *v = steps_of_job(s, &job, mem);
	uint32_t first = 0;
	s->stretch = s->q;
	s->stretch_steps = longest_run(v, job.n, &first);
	if (s->stretch_steps) {
		s->shown_ns = v[first + s->stretch_steps / 2].a_ns;
		s->stretch.a_ns = v[first].a_ns;
		s->stretch.b_ns = v[first].b_ns;
		for (uint32_t i = first; i < first + s->stretch_steps; i++)
			s->stretch.b_ns = v[i].b_ns > s->stretch.b_ns ? v[i].b_ns : s->stretch.b_ns;
		s->stretch.windowed = true;
		s->stretch.by_step = false;
	}
	s->devices = working_devices(s->d, &s->stretch);
}

void compare_side_share(struct compare_side *s)
{
	s->q.shared = shared_new(&s->q);
	s->stretch.shared = shared_new(&s->stretch);
}

bool compare_side_of(const struct derived *d, const struct query *q, const char *label, struct arena *mem,
		     struct progress *p, struct compare_side *out, struct err *e)
{
	*out = (struct compare_side){.d = d, .q = *q, .label = label};
	find_stretch(out, mem);
	compare_side_share(out);
	TRY(step_average_of(d, q, false, mem, p, &out->step, e));
	out->steps_spread = spread_of(out->step.lengths_ns, out->step.n);
	return true;
}

void compare_side_done(struct compare_side *s, struct arena *mem)
{
	if (s->q.shared)
		shared_adopt(s->q.shared, mem);
	if (s->stretch.shared)
		shared_adopt(s->stretch.shared, mem);
	s->q.shared = s->stretch.shared = NULL;
}
