/* What the host does in steps that is no part of the program's graph, as callbacks, where no device works: its idle time, which would tell,
 * is recorded nowhere. */
#include "overview_parts.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

/* A step that carries means, of one host. */
struct step_span {
	uint32_t host;
	int64_t a_ns, b_ns;
};
/* What of an event lies in such a step. */
struct aside {
	str_id name;
	row_id row;
	int64_t a_ns, b_ns;
};
struct asides {
	const struct derived *d;
	struct step_span *steps; /* by host, then by start; of one host they do not overlap */
	struct aside *at;
	uint32_t n_steps, n, cap;
	int64_t steps_ns;
};

static int by_host(const void *x, const void *y)
{
	const struct step_span *a = x, *b = y;
	return a->host != b->host ? (a->host > b->host) - (a->host < b->host)
				  : (a->a_ns > b->a_ns) - (a->a_ns < b->a_ns);
}

static void read_steps(struct asides *s, const struct query *q, struct arena *mem)
{
	struct counted_steps counted = counted_steps(s->d, q);
	s->steps = arena_alloc(mem, (derived_steps(s->d) + (size_t)1) * sizeof *s->steps);
	for (uint32_t i = 0; i < derived_steps(s->d); i++) {
		const struct step *x = derived_step(s->d, i);
		if (!step_counts(&counted, i) || x->start_ns < q->a_ns || x->time_end_ns > q->b_ns)
			continue;
		s->steps[s->n_steps++] = (struct step_span){x->host, x->start_ns, x->time_end_ns};
		s->steps_ns += x->time_end_ns - x->start_ns;
	}
	if (s->n_steps)
		qsort(s->steps, s->n_steps, sizeof *s->steps, by_host);
}

/* The last step of the host that begins at ts or earlier; NULL: none does. */
static const struct step_span *step_at(const struct asides *s, uint32_t host, int64_t ts_ns)
{
	uint32_t low = 0, high = s->n_steps;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct step_span *x = &s->steps[mid];
		if (x->host < host || (x->host == host && x->a_ns <= ts_ns))
			low = mid + 1;
		else
			high = mid;
	}
	return low && s->steps[low - 1].host == host ? &s->steps[low - 1] : NULL;
}

static bool is_aside(const struct derived *d, row_id r)
{
	return cause_of_name(d, derived_columns(d)->name[r]).section == CAUSE_HOST_WORK && !row_is_marker(d, r) &&
	       !thread_event_holds_step(d, r);
}

/* The outermost ones. */
static void read_thread(struct asides *s, uint32_t track)
{
	const struct trace *t = derived_trace(s->d);
	const struct columns *c = derived_columns(s->d);
	struct event_iter it = event_iter(t, track, INT64_MIN, INT64_MAX, KINDS_ALL);
	int64_t end_ns = INT64_MIN;
	while (event_next(&it)) {
		row_id r = it.row;
		if (c->start_ns[r] < end_ns || !is_aside(s->d, r))
			continue;
		end_ns = row_end(c, r);
		const struct step_span *step = step_at(s, trace_track(t, track)->host, c->start_ns[r]);
		if (!step || c->start_ns[r] >= step->b_ns)
			continue;
		GROW_ARRAY(s->at, s->n, s->cap);
		s->at[s->n++] =
			(struct aside){c->name[r], r, c->start_ns[r], end_ns < step->b_ns ? end_ns : step->b_ns};
	}
}

static int by_name(const void *x, const void *y)
{
	const struct aside *a = x, *b = y;
	return a->name != b->name ? (a->name > b->name) - (a->name < b->name)
				  : (a->a_ns > b->a_ns) - (a->a_ns < b->a_ns);
}

/* What those of one name cover together, and the longest of them. */
struct named {
	row_id longest;
	int64_t ns, longest_ns;
};

static struct named take_name(const struct asides *s, uint32_t *i)
{
	struct named x = {.longest_ns = -1};
	str_id name = s->at[*i].name;
	for (int64_t end_ns = INT64_MIN; *i < s->n && s->at[*i].name == name; ++*i) {
		const struct aside *e = &s->at[*i];
		int64_t a_ns = e->a_ns > end_ns ? e->a_ns : end_ns, ns = e->b_ns - e->a_ns;
		x.ns += e->b_ns > a_ns ? e->b_ns - a_ns : 0;
		end_ns = e->b_ns > end_ns ? e->b_ns : end_ns;
		if (ns > x.longest_ns) {
			x.longest_ns = ns;
			x.longest = e->row;
		}
	}
	return x;
}

static void put_most(struct table *t, const struct asides *s, const struct named *x)
{
	const struct columns *c = derived_columns(s->d);
	keyed_text(t, "step_aside", trace_str(derived_trace(s->d), c->name[x->longest]),
		   "What most of the host work outside the graph is that runs in the steps that carry means; nothing "
		   "where a device works.");
	table_evidence(t, c->start_ns[x->longest], row_end(c, x->longest), &x->longest, 1);
	keyed_real(t, "step_aside_ns", UNIT_NS, (double)x->ns / s->n_steps,
		   "Its time per step, with what is nested in it; overlaps of threads count once.");
	keyed_real(t, "step_aside_pct", UNIT_PERCENT, keyed_pct((double)x->ns, (double)s->steps_ns),
		   "Its share of the time of these steps.");
}

void overview_aside(struct table *t, const struct derived *d, const struct query *q)
{
	struct asides s = {.d = d};
	struct named most = {.ns = 0};
	if (trace_devices(derived_trace(d)) > 0)
		return;
	read_steps(&s, q, t->mem);
	for (uint32_t i = 0; s.n_steps && i < trace_tracks(derived_trace(d)); i++)
		if (trace_track(derived_trace(d), i)->kind == TRACK_THREAD)
			read_thread(&s, i);
	if (s.n)
		qsort(s.at, s.n, sizeof *s.at, by_name);
	for (uint32_t i = 0; i < s.n;) {
		struct named x = take_name(&s, &i);
		most = x.ns > most.ns ? x : most;
	}
	if (most.ns)
		put_most(t, &s, &most);
	free(s.at);
}
