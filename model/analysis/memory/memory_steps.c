#include "memory_steps.h"
#include "model/analysis/query/marks.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/step_phase.h"
#include "model/store/base/arena.h"

struct finder {
	const struct derived *d;
	const struct query *q;
	const struct replay *x;
	struct arena *mem;
	struct memory_steps *out;
	struct counted_steps counted;
	uint32_t near; /* the first step of the last pool: marks_step_from's hint */
	struct progress_loop loop;
};

/* The process of the pool marks it, or nobody does and it is a step of the host. */
static bool of_pool(const struct finder *f, const struct step *s, const struct replay_pool *p)
{
	return s->inferred || s->process == NONE_ID ? s->host == replay_host(f->x, p) : s->process == p->process;
}

static bool in_window(const struct finder *f, const struct step *s)
{
	return s->start_ns >= f->q->a_ns && s->time_end_ns <= f->q->b_ns;
}

static void count(struct finder *f, const struct replay_pool *p, struct memory_step *s)
{
	for (uint32_t i = s->from; i < s->to && !progress_loop_cancelled(&f->loop); i++) {
		int64_t bytes = replay_bytes(f->x, p, i);
		uint32_t other = f->x->other[i];
		if (bytes >= 0 && !replay_is_free(f->x, i)) {
			s->allocations++;
			s->allocated_bytes += bytes;
			continue;
		}
		s->frees++;
		s->freed_bytes -= bytes;
		if (other == NONE_ID || other < s->from)
			s->constant_bytes += bytes;
	}
}

static void add_step(struct finder *f, uint32_t pool, uint32_t step)
{
	const struct replay_pool *p = &f->x->pools[pool];
	const struct step *k = derived_step(f->d, step);
	f->out->at = arena_next_row(f->mem, f->out->at, f->out->n, sizeof *f->out->at);
	struct memory_step *s = &f->out->at[f->out->n++];
	*s = (struct memory_step){.pool = pool,
				  .step = step,
				  .start_ns = k->start_ns,
				  .end_ns = k->time_end_ns,
				  .from = replay_from(f->x, p, k->start_ns),
				  .to = replay_from(f->x, p, k->time_end_ns),
				  .kept_bytes = UNKNOWN_I64,
				  .largest_kept = NONE_ID,
				  .counted = step_counts(&f->counted, step)};
	uint32_t most = replay_most(f->x, p, s->from, s->to);
	s->start_bytes = s->constant_bytes = replay_before(f->x, p, s->from);
	s->end_bytes = replay_before(f->x, p, s->to);
	bool higher = most != NONE_ID && replay_after(f->x, most) >= s->start_bytes;
	s->peak_bytes = higher ? replay_after(f->x, most) : s->start_bytes;
	s->peak_ns = higher ? replay_ns(f->x, most) : s->start_ns;
	count(f, p, s);
}

/* The step's blocks that nothing ends before that place. */
static void find_kept(struct finder *f, struct memory_step *s, uint32_t until)
{
	int64_t largest = 0;
	s->kept_bytes = 0;
	for (uint32_t i = s->from; i < s->to && !progress_loop_cancelled(&f->loop); i++) {
		int64_t bytes = replay_at(f->x, i)->bytes;
		if (bytes < 0 || (f->x->other[i] != NONE_ID && f->x->other[i] < until))
			continue;
		s->kept_bytes += bytes;
		if (bytes > largest) {
			largest = bytes;
			s->largest_kept = i;
		}
	}
}

static void add_pool(struct finder *f, uint32_t pool)
{
	const struct replay_pool *p = &f->x->pools[pool];
	uint32_t first = f->out->n, host = replay_host(f->x, p);
	for (uint32_t i = marks_step_from(f->d, host, f->q->a_ns, &f->near); i < derived_steps(f->d); i++) {
		const struct step *s = derived_step(f->d, i);
		if (s->host != host)
			break;
		if (of_pool(f, s, p) && in_window(f, s))
			add_step(f, pool, i);
	}
	for (uint32_t i = first; i + KEPT_STEPS < f->out->n; i++)
		find_kept(f, &f->out->at[i], f->out->at[i + KEPT_STEPS].to);
}

bool memory_steps_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct memory_steps *out, struct err *e)
{
	struct finder f = {.d = d,
			   .q = q,
			   .x = replay_of(d),
			   .mem = mem,
			   .out = out,
			   .counted = counted_steps(d, q),
			   .loop = {.progress = p}};
	*out = (struct memory_steps){0};
	for (uint32_t i = 0; i < f.x->n_pools; i++)
		add_pool(&f, i);
	return !f.loop.cancelled || err_usage(e, "cancelled");
}
