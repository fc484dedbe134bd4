#include "iterations_private.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/arena.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

struct kept {
	struct iterations pub;         /* first: iterations_of gives it out */
	struct iteration_rules *rules; /* own the servers' names */
	struct iteration_list list;
};

struct iteration *iteration_add(const struct derived *d, struct iteration_list *v, row_id marker, int64_t end_ns)
{
	const struct columns *c = derived_columns(d);
	GROW_ARRAY(v->at, v->n, v->cap);
	struct iteration *x = &v->at[v->n++];
	*x = (struct iteration){.marker = marker,
				.track = c->track[marker],
				.host = trace_track(derived_trace(d), c->track[marker])->host,
				.start_ns = c->start_ns[marker],
				.end_ns = end_ns,
				.next_ns = UNKNOWN_I64,
				.first_launch_ns = UNKNOWN_I64,
				.device = NONE_ID,
				.between_ns = UNKNOWN_I64,
				.captured_tokens = UNKNOWN_I64,
				.host_before_ns = UNKNOWN_I64,
				.host_between_ns = UNKNOWN_I64,
				.label = {.number = UNKNOWN_I64,
					  .requests = UNKNOWN_I64,
					  .prefill_requests = UNKNOWN_I64,
					  .decode_requests = UNKNOWN_I64,
					  .tokens = UNKNOWN_I64,
					  .prefill_tokens = UNKNOWN_I64,
					  .decode_tokens = UNKNOWN_I64,
					  .context_tokens = UNKNOWN_I64}};
	return x;
}

/* Labels that anybody may write count only where they are what the device works for. */
static bool named_server(const struct iteration_list *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (v->at[i].label.server)
			return true;
	return false;
}

static bool find(const struct derived *d, struct kept *k, struct progress *p, struct err *e)
{
	struct iteration_list *v = &k->list;
	TRY(iterations_by_label(d, k->rules, v, p, e) && iterations_measure(d, v, p, e));
	if (v->n && (named_server(v) || iterations_have_most(d, v))) {
		k->pub.labelled = true;
		return true;
	}
	v->n = 0;
	TRY(iterations_by_graph(d, v, p, e) && iterations_measure(d, v, p, e));
	if (!iterations_have_most(d, v))
		v->n = 0;
	return true;
}

/* The last one of that thread that begins by then; NONE_ID: none does. */
static uint32_t last_before(const struct iterations *v, uint32_t track, int64_t at_ns)
{
	uint32_t a = 0, b = v->n;
	while (a < b) {
		uint32_t mid = a + (b - a) / 2;
		const struct iteration *x = &v->at[mid];
		if (x->track < track || (x->track == track && x->start_ns <= at_ns))
			a = mid + 1;
		else
			b = mid;
	}
	return a && v->at[a - 1].track == track ? a - 1 : NONE_ID;
}

static bool mark_steps(const struct derived *d, const struct iterations *v)
{
	const struct columns *c = derived_columns(d);
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		row_id marker = derived_step(d, i)->marker;
		uint32_t at = marker == NONE_ID ? NONE_ID : last_before(v, c->track[marker], c->start_ns[marker]);
		if (at != NONE_ID && row_end(c, marker) <= v->at[at].end_ns)
			return true;
	}
	return false;
}

static void free_kept(void *made)
{
	struct kept *k = made;
	iteration_rules_free(k->rules);
	free(k->list.at);
	free(k);
}

static void *make(const struct derived *d, struct progress *p, struct err *e)
{
	struct kept *k = must(calloc(1, sizeof *k));
	k->rules = iteration_rules_builtin(e);
	if (!k->rules || !find(d, k, p, e)) {
		free_kept(k);
		return NULL;
	}
	k->pub.at = k->list.at;
	k->pub.n = k->list.n;
	k->pub.are_steps = mark_steps(d, &k->pub);
	return k;
}

const struct iterations *iterations_of(const struct derived *d, struct progress *p, struct err *e)
{
	static const struct kept_maker maker = {make, free_kept};
	const struct kept *k = derived_kept(d, &maker, p, e);
	return k ? &k->pub : NULL;
}

bool iterations_are_steps(const struct derived *d)
{
	const struct iterations *v = iterations_of(d, NULL, NULL);
	return v && v->are_steps;
}

bool iterations_stand_for_steps(const struct derived *d)
{
	const struct iterations *v = iterations_of(d, NULL, NULL);
	if (!v || !v->n)
		return false;
	return !derived_steps(d) || derived_step(d, 0)->inferred || v->are_steps;
}

/* ---- groups ---------------------------------------------------------------------------------------------------------- */

static struct iteration_group *group_of(struct iteration_group *groups, uint32_t *n, const struct iteration *x)
{
	for (uint32_t i = 0; i < *n; i++)
		if (groups[i].kind == x->label.kind && groups[i].requests == x->label.requests &&
		    groups[i].device == x->device)
			return &groups[i];
	groups[*n] = (struct iteration_group){
		.kind = x->label.kind, .requests = x->label.requests, .device = x->device, .longest = NONE_ID};
	return &groups[(*n)++];
}

/* The first whole one pushes those out that are not. */
static void count_in(struct iteration_group *g, const struct iterations *v, uint32_t i)
{
	const struct iteration *x = &v->at[i];
	g->all++;
	if (x->whole && !g->whole)
		*g = (struct iteration_group){.kind = g->kind,
					      .requests = g->requests,
					      .device = g->device,
					      .all = g->all,
					      .whole = true,
					      .longest = NONE_ID};
	if (x->whole != g->whole)
		return;
	g->n++;
	g->dur_ns += x->dur_ns;
	g->device_ns += x->device_ns;
	g->between_ns += x->whole ? x->between_ns : 0;
	g->tokens =
		x->label.tokens == UNKNOWN_I64 || g->tokens == UNKNOWN_I64 ? UNKNOWN_I64 : g->tokens + x->label.tokens;
	if (g->longest == NONE_ID || x->dur_ns > v->at[g->longest].dur_ns)
		g->longest = i;
}

static int by_time(const void *x, const void *y)
{
	const struct iteration_group *a = x, *b = y;
	return (a->dur_ns < b->dur_ns) - (a->dur_ns > b->dur_ns);
}

struct iteration_group *iteration_groups(const struct iterations *v, int64_t a_ns, int64_t b_ns, struct arena *mem,
					 uint32_t *n)
{
	struct iteration_group *groups = arena_alloc(mem, ((size_t)v->n + 1) * sizeof *groups);
	*n = 0;
	for (uint32_t i = 0; i < v->n; i++)
		if (v->at[i].device != NONE_ID && v->at[i].first_ns >= a_ns && v->at[i].first_ns < b_ns)
			count_in(group_of(groups, n, &v->at[i]), v, i);
	qsort(groups, *n, sizeof *groups, by_time);
	return groups;
}
