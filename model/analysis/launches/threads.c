#include "threads.h"
#include "first_launches.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* The first launch of a thread for a device in a step. */
struct first {
	uint32_t use, step;
	int64_t at_ns;
	uint32_t earliest; /* the place of that of any thread in `earliest` */
};
struct counting {
	const struct derived *d;
	struct thread_uses *out;
	struct idmap uses, firsts; /* (track, device) -> place in out->at; (use, step) -> place in first */
	struct first *first;
	uint32_t n_first, cap_first, cap_uses;
	struct first_launches earliest; /* of any thread */
	struct of_step {
		int64_t first_ns; /* for any device */
		uint32_t devices; /* that it has */
	} * of_step;              /* by step, once all launches are known */
	/* neighbours are alike: what was asked for last, and its places */
	struct {
		uint32_t track, device, step, use, first;
	} last;
};

static uint64_t key_of(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static uint32_t use_of(struct counting *c, uint32_t track, uint32_t device)
{
	struct thread_uses *v = c->out;
	uint32_t i = *idmap_put(&c->uses, key_of(track, device), v->n);
	if (i < v->n)
		return i;
	GROW_ARRAY(v->at, v->n, c->cap_uses);
	v->at[v->n] = (struct thread_use){track,   device,      0,           UNKNOWN_I64, UNKNOWN_I64,
					  NONE_ID, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64};
	return v->n++;
}

static uint32_t first_of(struct counting *c, uint32_t use, uint32_t step)
{
	uint32_t i = *idmap_put(&c->firsts, key_of(use, step), c->n_first);
	if (i == c->n_first) {
		GROW_ARRAY(c->first, c->n_first, c->cap_first);
		c->first[c->n_first++] = (struct first){use, step, INT64_MAX, NONE_ID};
	}
	return i;
}

static void look_up(struct counting *c, uint32_t track, uint32_t device, uint32_t step)
{
	c->last.track = track;
	c->last.device = device;
	c->last.step = step;
	c->last.use = use_of(c, track, device);
	if (step != NONE_ID)
		c->last.first = first_of(c, c->last.use, step);
}

static void count_launch(void *arg, row_id launch, uint32_t device)
{
	struct counting *c = arg;
	const struct columns *cols = derived_columns(c->d);
	int64_t at_ns = cols->start_ns[launch];
	uint32_t track = cols->track[launch], step = derived_step_of(c->d, launch);
	if (track != c->last.track || device != c->last.device || step != c->last.step)
		look_up(c, track, device, step);
	struct thread_use *x = &c->out->at[c->last.use];
	x->launches++;
	if (x->first == NONE_ID || at_ns < cols->start_ns[x->first])
		x->first = launch;
	if (step == NONE_ID)
		return;
	struct first *first = &c->first[c->last.first];
	first->at_ns = at_ns < first->at_ns ? at_ns : first->at_ns;
	first->earliest = first_launches_add(&c->earliest, launch, device, step);
}

/* ---- medians ------------------------------------------------------------------------------------------------------------ */

static void look_at_steps(struct counting *c)
{
	c->of_step = must(calloc(derived_steps(c->d) + (size_t)1, sizeof *c->of_step));
	for (uint32_t i = 0; i < c->earliest.n; i++) {
		const struct device_launch *x = &c->earliest.at[i];
		struct of_step *s = &c->of_step[x->step];
		int64_t at_ns = first_launch_ns(&c->earliest, x);
		if (!s->devices++ || at_ns < s->first_ns)
			s->first_ns = at_ns;
	}
}

static int by_use(const void *x, const void *y)
{
	const struct first *a = x, *b = y;
	return a->use != b->use ? (a->use < b->use ? -1 : 1) : (a->step > b->step) - (a->step < b->step);
}

static void take_medians(struct counting *c, const struct first *at, uint32_t n, int64_t *first_ns, int64_t *skew_ns)
{
	struct thread_use *x = &c->out->at[at->use];
	uint32_t several = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct of_step *s = &c->of_step[at[i].step];
		first_ns[i] = at[i].at_ns - derived_step(c->d, at[i].step)->start_ns;
		if (s->devices > 1)
			skew_ns[several++] =
				first_launch_ns(&c->earliest, &c->earliest.at[at[i].earliest]) - s->first_ns;
	}
	x->first_ns = upper_median(first_ns, n);
	x->skew_ns = several ? upper_median(skew_ns, several) : UNKNOWN_I64;
}

static void settle(struct counting *c)
{
	int64_t *first_ns = must(malloc((c->n_first + 1u) * sizeof *first_ns)),
		*skew_ns = must(malloc((c->n_first + 1u) * sizeof *skew_ns));
	look_at_steps(c);
	if (c->n_first)
		qsort(c->first, c->n_first, sizeof *c->first, by_use);
	for (uint32_t from = 0, to; from < c->n_first; from = to) {
		for (to = from + 1; to < c->n_first && c->first[to].use == c->first[from].use;)
			to++;
		take_medians(c, &c->first[from], to - from, first_ns, skew_ns);
	}
	free(first_ns);
	free(skew_ns);
}

/* ---- the list ----------------------------------------------------------------------------------------------------------- */

static void add_idle_threads(struct counting *c)
{
	const struct trace *t = derived_trace(c->d);
	bool *launches = must(calloc(trace_tracks(t) + 1u, 1));
	for (uint32_t i = 0; i < c->out->n; i++)
		launches[c->out->at[i].track] = true;
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->kind == TRACK_THREAD && derived_is_host_track(k) && k->n && !launches[i])
			use_of(c, i, NONE_ID);
	}
	free(launches);
}

static int by_device(const void *x, const void *y)
{
	const struct thread_use *a = x, *b = y;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->launches != b->launches ? (a->launches < b->launches ? 1 : -1)
					  : (a->track > b->track) - (a->track < b->track);
}

bool thread_uses_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct thread_uses *out, struct err *e)
{
	struct counting c = {.d = d, .out = out, .earliest.d = d, .last.track = NONE_ID};
	*out = (struct thread_uses){0};
	bool whole = each_launch(d, q, p, count_launch, &c, e);
	settle(&c);
	add_idle_threads(&c);
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_device);
	out->at = arena_own(mem, out->at, out->n * sizeof *out->at);
	idmap_free(&c.uses);
	idmap_free(&c.firsts);
	first_launches_free(&c.earliest);
	free(c.first);
	free(c.of_step);
	return whole;
}
