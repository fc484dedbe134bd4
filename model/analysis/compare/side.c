/* One side of a comparison: its steady stretch, and how long its steps take. */
#include "compare.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/steps/step_phase.h"
#include <math.h>

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
		struct stretch_step *o = &out[job_step_of(job, i)];
		bool counts = wanted(s, i) && step_counts(&counted, i);
		o->counts = counts && (o->counts || !o->seen);
		o->a_ns = o->seen && o->a_ns < x->start_ns ? o->a_ns : x->start_ns;
		o->b_ns = o->seen && o->b_ns > x->time_end_ns ? o->b_ns : x->time_end_ns;
		o->seen = true;
	}
	return out;
}

struct run {
	uint32_t first, n, counted; /* steps, and those of them that count */
};

/* The longest run of which nine steps of ten count: the longest stretch of prefix sums (1 for a step that counts, -9 for another) that
 * does not end lower than it began. lowest: places at which the sums are lower than ever before. */
static struct run longest_run(const struct stretch_step *v, uint32_t n, struct arena *mem)
{
	enum { OTHER = -9 };
	int64_t *sum = arena_alloc(mem, (n + (size_t)1) * sizeof *sum);
	uint32_t *lowest = arena_alloc(mem, (n + (size_t)1) * sizeof *lowest), n_lowest = 1;
	struct run best = {0};
	for (uint32_t i = 0; i < n; i++) {
		sum[i + 1] = sum[i] + (v[i].counts ? 1 : OTHER);
		if (sum[i + 1] < sum[lowest[n_lowest - 1]])
			lowest[n_lowest++] = i + 1;
	}
	for (uint32_t end = n; end > 0; end--)
		while (n_lowest > 0 && sum[end] >= sum[lowest[n_lowest - 1]]) {
			uint32_t first = lowest[--n_lowest];
			if (end > first && end - first > best.n)
				best = (struct run){first, end - first, 0};
		}
	return best;
}

static void trim(const struct stretch_step *v, struct run *r)
{
	while (r->n && !v[r->first].counts) {
		r->first++;
		r->n--;
	}
	while (r->n && !v[r->first + r->n - 1].counts)
		r->n--;
	for (uint32_t i = r->first; i < r->first + r->n; i++)
		r->counted += v[i].counts;
}

/* Where such a run holds less than half of the steps that count: from the first of these to the last. */
static struct run find_run(const struct stretch_step *v, uint32_t n, struct arena *mem)
{
	struct run best = longest_run(v, n, mem), whole = {0, n, 0};
	trim(v, &best);
	trim(v, &whole);
	return 2 * best.counted < whole.counted ? whole : best;
}

/* The step in the middle, or the next one of those that count. */
static uint32_t middle_of(const struct stretch_step *v, const struct run *r)
{
	uint32_t at = r->first + r->n / 2;
	while (at + 1 < r->first + r->n && !v[at].counts)
		at++;
	return at;
}

static uint32_t working_devices(const struct derived *d, const struct query *q)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		n += intervals_within(derived_busy_device(d, i), q->a_ns, q->b_ns) > 0;
	return n ? n : 1;
}

/* The steps of the stretch on one rank. */
struct own_stretch {
	int64_t a_ns, b_ns;
	bool seen;
};

static struct own_stretch *own_stretches(const struct compare_side *s, const struct job_steps *job, const struct run *r,
					 uint32_t n, struct arena *mem)
{
	struct own_stretch *own = arena_alloc(mem, (n + (size_t)1) * sizeof *own);
	for (uint32_t i = 0; i < derived_steps(s->d); i++) {
		const struct step *x = derived_step(s->d, i);
		struct own_stretch *o = &own[x->process < n ? x->process : n];
		if (job_step_of(job, i) < r->first || job_step_of(job, i) >= r->first + r->n)
			continue;
		o->a_ns = !o->seen || x->start_ns < o->a_ns ? x->start_ns : o->a_ns;
		o->b_ns = !o->seen || x->time_end_ns > o->b_ns ? x->time_end_ns : o->b_ns;
		o->seen = true;
	}
	return own;
}

/* Where ranks begin at different times, the time from the first begin to the last end holds more of each rank than its steps. Then the
 * stretch is what all ranks have in common, cut to a whole number of mean steps: that is as much work of each, wherever its steps begin. */
static void cut_to_common(struct compare_side *s, const struct job_steps *job, const struct run *r, struct arena *mem)
{
	enum { APART = 10 }; /* begins are apart by more than a tenth of a step */
	uint32_t processes = trace_processes(derived_trace(s->d)), ranks = 0;
	const struct own_stretch *own = own_stretches(s, job, r, processes, mem);
	int64_t a_ns = INT64_MIN, b_ns = INT64_MAX;
	double sum_ns = 0;
	for (uint32_t i = 0; i <= processes; i++) {
		if (!own[i].seen)
			continue;
		ranks++;
		sum_ns += (double)(own[i].b_ns - own[i].a_ns) / r->n;
		a_ns = own[i].a_ns > a_ns ? own[i].a_ns : a_ns;
		b_ns = own[i].b_ns < b_ns ? own[i].b_ns : b_ns;
	}
	if (ranks < 2 || (double)(a_ns - s->stretch.a_ns) * APART * ranks <= sum_ns)
		return;
	double step_ns = sum_ns / ranks, n = floor((double)(b_ns - a_ns) / step_ns);
	if (n < 1)
		return;
	s->stretch.a_ns = a_ns;
	s->stretch.b_ns = a_ns + llround(n * step_ns);
	s->stretch_steps = (uint32_t)n;
}

static void find_stretch(struct compare_side *s, struct arena *mem)
{
	const struct job_steps *job = derived_job_steps(s->d);
	struct stretch_step *v = steps_of_job(s, job, mem);
	struct run run = find_run(v, job->n, mem);
	s->stretch = s->q;
	s->stretch_steps = run.n;
	s->unsteady_steps = run.n - run.counted;
	if (run.n) {
		s->shown_ns = v[middle_of(v, &run)].a_ns;
		s->stretch.a_ns = v[run.first].a_ns;
		s->stretch.b_ns = v[run.first].b_ns;
		for (uint32_t i = run.first; i < run.first + run.n; i++)
			s->stretch.b_ns = v[i].b_ns > s->stretch.b_ns ? v[i].b_ns : s->stretch.b_ns;
		s->stretch.windowed = true;
		s->stretch.by_step = false;
		cut_to_common(s, job, &run, mem);
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
	TRY(step_average_of(d, &out->q, false, mem, p, &out->step, e));
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
