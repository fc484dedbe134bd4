#include "threads.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* The first launch of a thread for a device in a step. */
struct first {
	uint32_t use, step;
	int64_t at_ns;
};
struct counting {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct thread_uses *out;
	struct idmap uses, firsts; /* (track, device) -> place in out->at; (use, step) -> place in first */
	struct idmap steps;        /* (device, step) -> place in earliest */
	struct first *first;
	uint32_t n_first, cap_first;
	struct device_launch *earliest; /* first launch for a device in a step */
	uint32_t n_earliest, cap_earliest;
	struct of_step {
		int64_t first_ns; /* for any device */
		uint32_t devices; /* that it has */
	} * of_step;              /* by step, once all launches are known */
	/* neighbours are alike: what was asked for last, and its places */
	struct {
		uint32_t track, device, step, use, first, earliest;
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
	v->at = arena_next_row(c->mem, v->at, v->n, sizeof *v->at);
	v->at[v->n] = (struct thread_use){track,   device,      0,           UNKNOWN_I64, UNKNOWN_I64,
					  NONE_ID, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64};
	return v->n++;
}

static uint32_t first_of(struct counting *c, uint32_t use, uint32_t step)
{
	uint32_t i = *idmap_put(&c->firsts, key_of(use, step), c->n_first);
	if (i == c->n_first) {
		GROW_ARRAY(c->first, c->n_first, c->cap_first);
		c->first[c->n_first++] = (struct first){use, step, INT64_MAX};
	}
	return i;
}

static uint32_t earliest_of(struct counting *c, uint32_t device, uint32_t step)
{
	uint32_t i = *idmap_put(&c->steps, key_of(device, step), c->n_earliest);
	if (i == c->n_earliest) {
		GROW_ARRAY(c->earliest, c->n_earliest, c->cap_earliest);
		c->earliest[c->n_earliest++] = (struct device_launch){step, device, NONE_ID, INT64_MAX};
	}
	return i;
}

static void note_first(struct counting *c, row_id launch)
{
	int64_t at_ns = derived_columns(c->d)->start_ns[launch];
	struct first *first = &c->first[c->last.first];
	struct device_launch *earliest = &c->earliest[c->last.earliest];
	first->at_ns = at_ns < first->at_ns ? at_ns : first->at_ns;
	if (at_ns < earliest->at_ns) {
		earliest->at_ns = at_ns;
		earliest->launch = launch;
	}
}

static void look_up(struct counting *c, uint32_t track, uint32_t device, uint32_t step)
{
	c->last.track = track;
	c->last.device = device;
	c->last.step = step;
	c->last.use = use_of(c, track, device);
	if (step == NONE_ID)
		return;
	c->last.first = first_of(c, c->last.use, step);
	c->last.earliest = earliest_of(c, device, step);
}

static void count_launch(struct counting *c, row_id launch, uint32_t device)
{
	const struct columns *cols = derived_columns(c->d);
	int64_t at_ns = cols->start_ns[launch];
	uint32_t track = cols->track[launch], step = derived_step_of(c->d, launch);
	if (track != c->last.track || device != c->last.device || step != c->last.step)
		look_up(c, track, device, step);
	struct thread_use *x = &c->out->at[c->last.use];
	x->launches++;
	if (x->first == NONE_ID || at_ns < cols->start_ns[x->first])
		x->first = launch;
	if (step != NONE_ID)
		note_first(c, launch);
}

static bool read_stream(struct counting *c, const struct track_info *k, struct progress *p)
{
	const struct columns *cols = derived_columns(c->d);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		row_id launch = row_is_work(cols, r) ? cols->link[r] : NONE_ID;
		if ((r & 0xffff) == 0 && progress_cancelled(p))
			return false;
		/* a call counts with its first work */
		if (launch != NONE_ID && cols->link[launch] == r && query_holds(c->q, cols->start_ns[launch]) &&
		    event_wanted(c->d, c->q, launch))
			count_launch(c, launch, k->device);
	}
	return true;
}

/* ---- medians ------------------------------------------------------------------------------------------------------------ */

static void look_at_steps(struct counting *c)
{
	c->of_step = must(calloc(derived_steps(c->d) + (size_t)1, sizeof *c->of_step));
	for (uint32_t i = 0; i < c->n_earliest; i++) {
		struct of_step *s = &c->of_step[c->earliest[i].step];
		if (!s->devices++ || c->earliest[i].at_ns < s->first_ns)
			s->first_ns = c->earliest[i].at_ns;
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
				c->earliest[idmap_get(&c->steps, key_of(x->device, at[i].step))].at_ns - s->first_ns;
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

static int by_step(const void *x, const void *y)
{
	const struct device_launch *a = x, *b = y;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

static void keep_earliest(struct counting *c)
{
	c->out->n_earliest = c->n_earliest;
	c->out->earliest = arena_alloc(c->mem, (c->n_earliest + 1) * sizeof *c->out->earliest);
	if (!c->n_earliest)
		return;
	qsort(c->earliest, c->n_earliest, sizeof *c->earliest, by_step);
	memcpy(c->out->earliest, c->earliest, c->n_earliest * sizeof *c->earliest);
}

bool thread_uses_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct thread_uses *out, struct err *e)
{
	struct counting c = {.d = d, .q = q, .mem = mem, .out = out, .last.track = NONE_ID};
	bool whole = true;
	*out = (struct thread_uses){0};
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)) && whole; i++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, i, &n);
		for (uint32_t k = 0; k < n && whole; k++)
			whole = read_stream(&c, trace_track(derived_trace(d), tracks[k]), p);
	}
	settle(&c);
	keep_earliest(&c);
	add_idle_threads(&c);
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_device);
	idmap_free(&c.uses);
	idmap_free(&c.firsts);
	idmap_free(&c.steps);
	free(c.first);
	free(c.earliest);
	free(c.of_step);
	return whole || err_usage(e, "cancelled");
}
