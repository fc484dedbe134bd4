#include "gap_groups.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/derived.h"
#include "model/store/base/idmap.h"
#include "model/analysis/steps/idle.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/names/kernel_name.h"
#include "model/query.h"
#include <ctype.h>
#include <stdlib.h>

enum { MOST_IDLE = 20000, MOST_GROUPS = 300, MEMBERS_JUDGED = 12 };

/* What the judged members of a group come to. */
struct judged {
	struct gap_verdict *best[CAUSE_COUNT]; /* of the longest member of each verdict, */
	struct gap longest[CAUSE_COUNT];       /* which is this one; */
	bool in_part[CAUSE_COUNT];             /* the verdict has nothing but gap_judge_owner's */
	int64_t lost_ns[CAUSE_COUNT], cause_ns[CAUSE_COUNT], ns;
	double confidence[CAUSE_COUNT];
	uint32_t of[CAUSE_COUNT], n;
};
/* A group while its members come in, the longest ones first: there may be far more of them than are told of. */
struct forming {
	struct gap longest;
	int64_t total_ns;
	uint32_t count;
	uint32_t n_members;
	uint32_t members[MEMBERS_JUDGED]; /* ids that will be judged */
	struct judged *judged;            /* of gaps between steps, all of one cause; NULL: none yet */
};
struct grouping {
	const struct derived *d;
	const struct query *q;
	struct idmap index;
	struct forming **at;
	uint32_t n, cap;
	struct arena *work;
	struct gap_judge *judge;          /* of the gaps between steps, which come in order of time */
	const struct idle_extents *known; /* NULL: nothing is */
};

/* ---- what makes a group ----------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x)
{
	return (h ^ x) * 0x100000001b3u + (h >> 29);
}

static uint64_t name_key(const struct derived *d, row_id r)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (const char *p = r != NONE_ID ? trace_str(derived_trace(d), derived_columns(d)->name[r]) : ""; *p; p++)
		if (!isdigit((unsigned char)*p))
			h = mix(h, (unsigned char)*p);
	return h;
}

static uint64_t idle_key(const struct derived *d, const struct gap *g)
{
	return mix(mix(mix(1, g->device), derived_columns(d)->name[g->before]), derived_columns(d)->name[g->after]);
}

static uint64_t step_key(const struct derived *d, const struct gap *g, const struct gap_verdict *v)
{
	uint32_t owner = g->device != NONE_ID
				 ? g->device
				 : trace_track(derived_trace(d), derived_columns(d)->track[g->after])->process;
	uint64_t key = mix(mix(mix(2, g->device == NONE_ID), owner), v->cause);
	return v->cause == CAUSE_UNKNOWN ? key : mix(key, name_key(d, v->owner));
}

static struct forming *forming_of(struct grouping *s, uint64_t key, const struct gap *g)
{
	uint32_t *place = idmap_put(&s->index, key, s->n);
	if (*place == s->n) {
		GROW_ARRAY(s->at, s->n, s->cap);
		s->at[s->n] = arena_alloc(s->work, sizeof **s->at);
		s->at[s->n++]->longest = *g;
	}
	return s->at[*place];
}

static void count_in(struct forming *f, const struct gap *g)
{
	f->count++;
	f->total_ns += g->dur_ns;
	if (g->dur_ns > f->longest.dur_ns)
		f->longest = *g;
}

static void judge(struct judged *j, const struct gap *g, const struct gap_verdict *v, bool in_part, struct arena *mem)
{
	enum cause c = v->cause;
	if (!j->best[c])
		j->best[c] = arena_alloc(mem, sizeof *j->best[c]);
	if (!j->of[c] || g->dur_ns > j->longest[c].dur_ns) {
		*j->best[c] = *v;
		j->longest[c] = *g;
		j->in_part[c] = in_part;
	}
	j->of[c]++;
	j->n++;
	j->ns += g->dur_ns;
	j->confidence[c] += v->confidence;
	j->lost_ns[c] += v->lost_ns != UNKNOWN_I64 ? v->lost_ns : 0;
	j->cause_ns[c] += v->cause_ns != UNKNOWN_I64 ? v->cause_ns : 0;
}

static void add_gap(struct grouping *s, uint32_t id)
{
	struct gap g;
	struct gap_verdict v;
	derived_gap_at(s->d, id, &g);
	if (g.scope == GAP_STEP) {
		bool in_part = gap_judge_owner(s->judge, &g, &v);
		if (!in_part)
			gap_judge_verdict(s->judge, &g, &v);
		struct forming *f = forming_of(s, step_key(s->d, &g, &v), &g);
		count_in(f, &g);
		if (!f->judged)
			f->judged = arena_alloc(s->work, sizeof *f->judged);
		judge(f->judged, &g, &v, in_part, s->work);
		return;
	}
	struct forming *f = forming_of(s, idle_key(s->d, &g), &g);
	count_in(f, &g);
	if (f->n_members < MEMBERS_JUDGED)
		f->members[f->n_members++] = id;
}

/* ---- what a group amounts to ------------------------------------------------------------------------------------------- */

/* In `mem`, which nothing else is kept in. */
static const struct judged *judge_members(const struct grouping *s, const struct forming *f, struct arena *mem)
{
	struct judged *j = arena_alloc(mem, sizeof *j);
	for (uint32_t i = 0; i < f->n_members; i++) {
		struct gap g;
		struct gap_verdict v;
		derived_gap_at(s->d, f->members[i], &g);
		gap_verdict_knowing(s->d, s->known, &g, &v);
		judge(j, &g, &v, false, mem);
	}
	return j;
}

/* What speaks for a verdict: what it costs, of one that costs nothing that is known the time it fills. */
static int64_t standing(const struct judged *j, int cause)
{
	return cause_loses((enum cause)cause) == LOSES_NOTHING ? j->cause_ns[cause] : j->lost_ns[cause];
}

/* The verdict that costs the most; what it costs the judged members holds for all. */
static struct gap_group settle(const struct grouping *s, const struct forming *f, const struct judged *j)
{
	int c = CAUSE_UNKNOWN;
	for (int i = 1; i < CAUSE_COUNT; i++)
		if (standing(j, i) > (c ? standing(j, c) : 0))
			c = i;
	struct gap_group g = {
		.longest = f->longest, .count = f->count, .total_ns = f->total_ns, .lost_ns = UNKNOWN_I64};
	if (j->of[c]) {
		g.longest = j->longest[c];
		if (j->in_part[c])
			gap_judge_verdict(s->judge, &g.longest, &g.verdict);
		else
			g.verdict = *j->best[c];
		g.confidence = j->confidence[c] / j->n;
	}
	if (j->lost_ns[c] > 0 && j->ns > 0)
		g.lost_ns = (int64_t)((__int128)j->lost_ns[c] * g.total_ns / j->ns);
	return g;
}

/* Steps inside the window, transitions from one to the next, and how long the steps take from start to start: all, and those that
 * carry means. */
struct tally {
	uint32_t steps, transitions, periods, steady;
	int64_t periods_ns, steady_ns;
};
/* A step with its extent. */
struct tallied {
	struct interval at;
	bool counts;
};

static bool meets(const struct query *q, int64_t a_ns, int64_t b_ns)
{
	return (a_ns < b_ns ? a_ns : b_ns) < q->b_ns && (a_ns < b_ns ? b_ns : a_ns) > q->a_ns;
}

static void count_transition(struct tally *v, const struct query *q, const struct tallied *before,
			     const struct interval *next)
{
	int64_t period_ns = next->a_ns - before->at.a_ns;
	v->transitions += meets(q, before->at.b_ns, next->a_ns);
	if (!meets(q, before->at.a_ns, next->a_ns))
		return;
	v->periods++;
	v->periods_ns += period_ns;
	v->steady += before->counts;
	v->steady_ns += before->counts ? period_ns : 0;
}

static void count_step(struct tally *v, const struct query *q, struct tallied *before, bool first, struct tallied step)
{
	v->steps += meets(q, step.at.a_ns, step.at.b_ns);
	if (!first)
		count_transition(v, q, before, &step.at);
	*before = step;
}

static struct tally tally_device(const struct derived *d, const struct query *q, uint32_t device)
{
	struct tally v = {0};
	struct tallied before;
	struct counted_steps carry = counted_steps(d, q);
	bool first = true;
	uint32_t n;
	const struct step_device *parts = derived_step_devices(d, &n);
	for (uint32_t i = derived_parts_of_device(d, device); i < n && parts[i].device == device; i++) {
		count_step(&v, q, &before, first,
			   (struct tallied){{parts[i].first_ns, parts[i].last_ns}, step_counts(&carry, parts[i].step)});
		first = false;
	}
	return v;
}

static struct tally tally_host(const struct derived *d, const struct query *q, uint32_t process)
{
	struct tally v = {0};
	struct tallied before;
	struct counted_steps carry = counted_steps(d, q);
	bool first = true;
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		if (derived_step(d, i)->process != process)
			continue;
		count_step(&v, q, &before, first,
			   (struct tallied){{derived_step(d, i)->start_ns, derived_step(d, i)->end_ns},
					    step_counts(&carry, i)});
		first = false;
	}
	return v;
}

/* Between steps of those that carry means; what happens inside of steps is told of all. */
static int64_t period_of(const struct tally *v, bool between)
{
	if (between && v->steady)
		return v->steady_ns / v->steady;
	return v->periods ? v->periods_ns / v->periods : UNKNOWN_I64;
}

static void measure(const struct derived *d, const struct query *q, struct gap_group *g)
{
	const struct gap *x = &g->longest;
	struct tally v = x->device != NONE_ID ? tally_device(d, q, x->device)
					      : tally_host(d, q, derived_step(d, x->step_after)->process);
	g->of = x->scope == GAP_STEP ? v.transitions : v.steps;
	g->period_ns = period_of(&v, x->scope == GAP_STEP);
}

uint32_t gap_transitions(const struct derived *d, const struct query *q, uint32_t device, int64_t *period_ns)
{
	struct tally v = tally_device(d, q, device);
	*period_ns = period_of(&v, true);
	return v.transitions;
}

static int64_t weight(const struct gap_group *g)
{
	return g->lost_ns != UNKNOWN_I64 ? g->lost_ns : g->total_ns;
}

static int by_total(const void *x, const void *y)
{
	const struct forming *a = *(struct forming *const *)x, *b = *(struct forming *const *)y;
	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return (a->longest.id > b->longest.id) - (a->longest.id < b->longest.id);
}

static int by_loss(const void *x, const void *y)
{
	const struct gap_group *a = x, *b = y;
	if (weight(a) != weight(b))
		return weight(a) < weight(b) ? 1 : -1;
	return (a->longest.id > b->longest.id) - (a->longest.id < b->longest.id);
}

static struct gap_groups finish(struct grouping *s, struct arena *mem)
{
	if (s->n)
		qsort(s->at, s->n, sizeof *s->at, by_total);
	struct gap_groups out = {.n = s->n < MOST_GROUPS ? s->n : MOST_GROUPS};
	out.at = arena_alloc(mem, (out.n + (size_t)1) * sizeof *out.at);
	for (uint32_t i = 0; i < out.n; i++) {
		const struct forming *f = s->at[i];
		struct arena work = {0};
		out.at[i] = settle(s, f, f->judged ? f->judged : judge_members(s, f, &work));
		arena_free(&work);
		measure(s->d, s->q, &out.at[i]);
	}
	if (out.n)
		qsort(out.at, out.n, sizeof *out.at, by_loss);
	return out;
}

struct gap_groups gap_groups_find(const struct derived *d, const struct query *q, struct arena *mem)
{
	struct arena work = {0};
	struct gap_pick pick = gap_pick(d, q, MOST_IDLE, &work);
	struct grouping s = {.d = d, .q = q, .work = &work, .judge = gap_judge_new(d, pick.a_ns, pick.b_ns)};
	if (shared_fits(q) && !q->filter)
		s.known = shared_part(&idle_extents_part, d, q, mem, NULL, NULL);
	gap_judge_knows(s.judge, s.known);
	for (uint32_t i = 0; i < pick.n; i++)
		add_gap(&s, pick.ids[i]);
	struct gap_groups out = finish(&s, mem);
	struct gap last;
	if (pick.left_out && derived_gap_at(d, pick.ids[pick.n - 1], &last))
		out.least_ns = last.dur_ns;
	gap_judge_free(s.judge);
	idmap_free(&s.index);
	free(s.at);
	arena_free(&work);
	return out;
}

int64_t gap_group_per_step_ns(const struct gap_group *g)
{
	return g->lost_ns == UNKNOWN_I64 || !g->of ? UNKNOWN_I64 : g->lost_ns / g->of;
}

int64_t period_every_ns(int64_t period_ns, int64_t per_step_ns, uint32_t k)
{
	return period_ns - per_step_ns + per_step_ns / k;
}

int64_t gap_group_period_every_ns(const struct gap_group *g, uint32_t k)
{
	int64_t lost_ns = gap_group_per_step_ns(g);
	if (lost_ns == UNKNOWN_I64 || g->period_ns == UNKNOWN_I64 || !k)
		return UNKNOWN_I64;
	/* what is lost around the warm-up is not lost in a steady step */
	return lost_ns > g->period_ns ? UNKNOWN_I64 : period_every_ns(g->period_ns, lost_ns, k);
}

const char *gap_group_place(const struct derived *d, const struct gap_group *g, struct arena *mem)
{
	if (g->longest.scope != GAP_STEP)
		return arena_printf(mem, "after %s, before %s",
				    kernel_name_short(mem, trace_str(derived_trace(d),
								     derived_columns(d)->name[g->longest.before])),
				    kernel_name_short(mem, trace_str(derived_trace(d),
								     derived_columns(d)->name[g->longest.after])));
	if (g->count == g->of)
		return "before every step";
	return arena_printf(mem, "before %u of %u steps", g->count, g->of);
}
