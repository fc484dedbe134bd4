#include "slow_steps.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* ---- which ------------------------------------------------------------------------------------------------------------- */

struct group {
	const struct derived *d;
	const struct query *q;
	uint32_t *steps, n; /* of one host and name, judged, after the warm-up, in order of time */
};

static bool belongs(const struct group *g, uint32_t i, uint32_t first)
{
	const struct step *s = derived_step(g->d, i), *f = derived_step(g->d, first);
	enum step_phase phase = derived_step_phase(g->d, i);
	return s->host == f->host && !strcmp(derived_step_name(g->d, s), derived_step_name(g->d, f)) &&
	       phase != PHASE_UNKNOWN && phase != PHASE_WARMUP && s->start_ns >= g->q->a_ns &&
	       s->time_end_ns <= g->q->b_ns;
}

/* The distance in steps between all of them, three or more. */
static uint32_t even_distance(const uint32_t *place, uint32_t n)
{
	for (uint32_t i = 2; i < n; i++)
		if (place[i] - place[i - 1] != place[1] - place[0])
			return 0;
	return n > 2 && place[1] - place[0] > 1 ? place[1] - place[0] : 0;
}

/* From one step on nearly all are slow, or up to one: the program changes its pace, once. Half of the steps or more are what is usual. */
static bool are_usual(const uint32_t *place, uint32_t n, uint32_t of)
{
	enum { RUN = 4 };
	uint32_t span = n ? place[n - 1] - place[0] + 1 : 0;
	bool at_edge = n && (place[0] == 0 || place[n - 1] == of - 1);
	return 2 * n > of || (n >= RUN && at_edge && 10 * (span - n) <= n);
}

/* Median of the steady ones; the longest of all. */
static int64_t usual_ns(const struct group *g, int64_t *most_ns)
{
	int64_t *steady = must(malloc((g->n + 1u) * sizeof *steady));
	uint32_t n = 0;
	*most_ns = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		int64_t ns = step_length_ns(g->d, g->steps[i]);
		*most_ns = ns > *most_ns ? ns : *most_ns;
		if (derived_step_phase(g->d, g->steps[i]) == PHASE_STEADY)
			steady[n++] = ns;
	}
	int64_t median_ns = n ? median_of(steady, n) : *most_ns;
	free(steady);
	return median_ns;
}

/* Beside steps that take ten times as long one that is a little late is another matter. */
static bool is_slow(const struct group *g, uint32_t step, int64_t usual, int64_t most_ns)
{
	return derived_step_phase(g->d, step) == PHASE_LONG &&
	       4 * (step_length_ns(g->d, step) - usual) >= most_ns - usual;
}

/* Of work that repeats, and nothing else, the slow ones may be where so many of them end a step: nothing is told of these. */
static struct slow_steps look_at(const struct group *g)
{
	struct slow_steps v = {.of = g->n, .event = NONE_ID, .host = derived_step(g->d, g->steps[0])->host};
	uint32_t *place = must(malloc(g->n * sizeof *place));
	int64_t most_ns, sum_ns = 0;
	v.usual_ns = usual_ns(g, &most_ns);
	for (uint32_t i = 0; i < g->n; i++) {
		v.all_ns += step_length_ns(g->d, g->steps[i]);
		if (!is_slow(g, g->steps[i], v.usual_ns, most_ns))
			continue;
		if (v.n < SLOW_STEPS_NAMED)
			v.steps[v.n] = g->steps[i];
		place[v.n++] = i;
		sum_ns += step_length_ns(g->d, g->steps[i]);
	}
	if (v.n < 2 || are_usual(place, v.n, g->n))
		v.n = 0;
	v.every = even_distance(place, v.n);
	if (v.every && derived_step(g->d, g->steps[0])->inferred && !derived_inference(g->d, v.host)->told)
		v.n = 0;
	v.mean_ns = v.n ? sum_ns / v.n : 0;
	v.extra_ns = v.n ? sum_ns - v.n * v.usual_ns : 0;
	free(place);
	return v;
}

/* ---- what fills them --------------------------------------------------------------------------------------------------- */

/* What the events of one name hold in steps of either sort. */
struct held {
	int64_t slow_ns, steady_ns, end_ns, longest_ns;
	uint32_t slow_calls, steady_calls;
	uint32_t step; /* the slow one under way, with its time; and the most that one of them has */
	int64_t step_ns, most_ns;
	row_id longest;
};

/* Two thirds of what slow steps take longer say more than half of it, and what no steady step has says most. */
enum tells { TELLS_NOTHING, TELLS_HALF, TELLS_MOST, TELLS_ALONE };

struct search {
	const struct derived *d;
	const enum step_phase *phases; /* per step; PHASE_UNKNOWN: of another host or name, or not in the window */
	struct held *names;            /* per text */
	str_id *met;                   /* those of the thread under way */
	uint32_t n_met, n_steady;
	int64_t wanted_ns; /* per slow step */
	bool others,
		told; /* the thread under way is not that of the steps, where what waits tells nothing; that one tells */
	struct slow_steps *out;
	enum tells tells;     /* how well what was found does */
	row_id *optimizer;    /* per step: the first one in it; NONE_ID: none */
	int64_t optimizer_ns; /* what all of them take, of the host or of devices */
};

static bool waits(const struct derived *d, str_id name)
{
	uint8_t section = cause_of_name(d, name).section;
	return section == CAUSE_HOST_WAIT || section == CAUSE_WAITING;
}

static void add_to_step(struct held *h, uint32_t step, int64_t ns)
{
	h->step_ns = h->step == step ? h->step_ns + ns : ns;
	h->step = step;
	h->most_ns = h->step_ns > h->most_ns ? h->step_ns : h->most_ns;
}

/* The longer of its own time and that of the work launched in it. */
static int64_t time_with_work(const struct derived *d, row_id r)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[r]);
	int64_t work_ns = 0;
	for (row_id i = r + 1; i < k->first + k->n && c->start_ns[i] < row_end(c, r); i++)
		if (c->link[i] != NONE_ID)
			work_ns += c->dur_ns[c->link[i]];
	return work_ns > c->dur_ns[r] ? work_ns : c->dur_ns[r];
}

/* Ranges of the program hold what is launched in them: the host hands it over, and waits for it elsewhere. */
static int64_t time_of(const struct derived *d, row_id r)
{
	enum { DEEPEST = 8 };
	const struct columns *c = derived_columns(d);
	return c->kind[r] == KIND_ANNOTATION && c->depth[r] < DEEPEST ? time_with_work(d, r) : c->dur_ns[r];
}

static void add_event(struct search *f, row_id r, uint32_t step)
{
	const struct columns *c = derived_columns(f->d);
	bool slow = f->phases[step] == PHASE_LONG;
	if (f->others && waits(f->d, c->name[r]))
		return;
	struct held *h = &f->names[c->name[r]];
	if (!h->end_ns) {
		*h = (struct held){.end_ns = INT64_MIN, .longest = NONE_ID, .step = NONE_ID};
		f->met[f->n_met++] = c->name[r];
	}
	if (c->start_ns[r] < h->end_ns)
		return;
	h->end_ns = row_end(c, r);
	int64_t dur_ns = time_of(f->d, r);
	*(slow ? &h->slow_ns : &h->steady_ns) += dur_ns;
	++*(slow ? &h->slow_calls : &h->steady_calls);
	if (slow)
		add_to_step(h, step, dur_ns);
	if (slow && dur_ns > h->longest_ns) {
		h->longest_ns = dur_ns;
		h->longest = r;
	}
}

static void take(struct search *f, const struct held *h)
{
	int64_t usual_ns = h->steady_ns / f->n_steady, more_ns = h->slow_ns / f->out->n - usual_ns;
	int64_t others_ns = (h->slow_ns - h->most_ns) / (f->out->n - 1) - usual_ns; /* without the step that has most */
	enum tells tells = more_ns * 3 < f->wanted_ns * 2 ? TELLS_HALF : h->steady_calls ? TELLS_MOST : TELLS_ALONE;
	if (more_ns * 2 < f->wanted_ns || others_ns * 4 < f->wanted_ns || tells < f->tells)
		return;
	if (tells == f->tells && (tells > TELLS_HALF ? more_ns > f->out->event_ns : more_ns <= f->out->event_ns))
		return;
	f->tells = tells;
	f->out->event = h->longest;
	f->out->event_ns = more_ns;
	f->out->event_calls = (double)h->slow_calls / f->out->n;
	f->out->usual_calls = (double)h->steady_calls / f->n_steady;
}

static void note_optimizer(struct search *f, row_id r, uint32_t step)
{
	const char *name = trace_str(derived_trace(f->d), derived_columns(f->d)->name[r]);
	if (strncmp(name, "Optimizer.step#", 15) != 0)
		return;
	f->optimizer_ns += time_with_work(f->d, r);
	if (f->optimizer[step] == NONE_ID)
		f->optimizer[step] = r;
}

static void read_thread(struct search *f, const struct track_info *k)
{
	const struct columns *c = derived_columns(f->d);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		uint32_t step = derived_step_of(f->d, r);
		enum step_phase phase = step == NONE_ID ? PHASE_UNKNOWN : f->phases[step];
		if (step == NONE_ID || !c->dur_ns[r] || derived_step(f->d, step)->marker == r)
			continue;
		note_optimizer(f, r, step);
		if (phase == PHASE_LONG || phase == PHASE_STEADY)
			add_event(f, r, step);
	}
	for (uint32_t i = 0; i < f->n_met; i++) {
		if (f->names[f->met[i]].longest != NONE_ID && !f->told)
			take(f, &f->names[f->met[i]]);
		f->names[f->met[i]].end_ns = 0;
	}
	f->n_met = 0;
}

/* The optimizer of a slow step, where two or more steps have one, half of all at the most, each slow step has it or comes right
 * behind (work that is not waited for makes the next step longer), and they take half of the time or more that the slow ones take
 * beyond the usual. NONE_ID: something else makes them slow. */
static row_id gathered_for(const struct group *g, const struct search *f)
{
	uint32_t n = 0;
	row_id found = NONE_ID;
	for (uint32_t i = 0; i < g->n; i++) {
		row_id own = f->optimizer[g->steps[i]], before = i ? f->optimizer[g->steps[i - 1]] : NONE_ID;
		n += own != NONE_ID;
		if (f->phases[g->steps[i]] != PHASE_LONG)
			continue;
		if (own == NONE_ID && before == NONE_ID)
			return NONE_ID;
		found = own != NONE_ID ? own : found;
	}
	return n > 1 && 2 * n <= g->n && 2 * f->optimizer_ns >= f->out->extra_ns ? found : NONE_ID;
}

/* The thread of the steps first: what others do beside it matters where that one tells nothing. */
static void read_threads(struct search *f, uint32_t own)
{
	const struct trace *t = derived_trace(f->d);
	if (own != NONE_ID)
		read_thread(f, trace_track(t, own));
	f->others = true;
	f->told = f->out->event != NONE_ID;
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (i != own && trace_track(t, i)->host == f->out->host && derived_is_host_track(trace_track(t, i)))
			read_thread(f, trace_track(t, i));
}

static void find_event(const struct group *g, struct slow_steps *v)
{
	uint32_t names = strings_count(trace_strings(derived_trace(g->d))) + 1;
	enum step_phase *phases = must(calloc(derived_steps(g->d), sizeof *phases));
	struct search f = {.d = g->d, .phases = phases, .out = v, .wanted_ns = v->extra_ns / v->n};
	int64_t most_ns;
	usual_ns(g, &most_ns);
	f.names = must(calloc(names, sizeof *f.names));
	f.met = must(malloc(names * sizeof *f.met));
	f.optimizer = must(malloc(derived_steps(g->d) * sizeof *f.optimizer));
	memset(f.optimizer, 0xff, derived_steps(g->d) * sizeof *f.optimizer);
	for (uint32_t i = 0; i < g->n; i++) {
		enum step_phase phase = derived_step_phase(g->d, g->steps[i]);
		bool slow = is_slow(g, g->steps[i], v->usual_ns, most_ns);
		phases[g->steps[i]] = slow ? PHASE_LONG : phase == PHASE_STEADY ? phase : PHASE_UNKNOWN;
		f.n_steady += phases[g->steps[i]] == PHASE_STEADY;
	}
	read_threads(&f, derived_step_thread(g->d, v->steps[0]));
	row_id optimizer = gathered_for(g, &f);
	if (optimizer != NONE_ID) {
		v->event = optimizer;
		v->event_ns = derived_columns(g->d)->dur_ns[optimizer];
		v->event_calls = 0;
	}
	free(f.optimizer);
	free(f.names);
	free(f.met);
	free(phases);
}

/* Steps lie in order of (host, start): those of one host together. */
static void gather(struct group *g, uint32_t first)
{
	const struct step *all = derived_step(g->d, 0);
	uint32_t i = first, host = all[first].host;
	while (i && all[i - 1].host == host)
		i--;
	for (g->n = 0; i < derived_steps(g->d) && all[i].host == host; i++)
		if (belongs(g, i, first))
			g->steps[g->n++] = i;
}

static bool in_communication(const struct derived *d, const struct slow_steps *v)
{
	uint8_t section =
		v->event == NONE_ID ? CAUSE_UNKNOWN : cause_of_name(d, derived_columns(d)->name[v->event]).section;
	return section == CAUSE_COMMUNICATION || section == CAUSE_COMM_CALL;
}

static void look_for_event(struct group *g, struct slow_steps *v)
{
	if (!v->n || v->extra_ns * 100 < v->all_ns * SLOW_STEPS_TELL_PCT)
		return;
	gather(g, v->steps[0]);
	find_event(g, v);
}

/* Of the hosts the one that loses most. A rank that loses it in communication waits for another one: of those that lose half as much or
 * more one that does something else then. */
static struct slow_steps choose(struct group *g, struct slow_steps *of, uint32_t n)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < n; i++)
		best = of[i].extra_ns > of[best].extra_ns ? i : best;
	look_for_event(g, &of[best]);
	if (!in_communication(g->d, &of[best]))
		return of[best];
	for (uint32_t i = 0; i < n; i++) {
		if (i == best || of[i].host == of[best].host || of[i].extra_ns * 2 < of[best].extra_ns)
			continue;
		look_for_event(g, &of[i]);
		if (!in_communication(g->d, &of[i]))
			return of[i];
	}
	return of[best];
}

struct slow_steps slow_steps_find(const struct derived *d, const struct query *q)
{
	struct slow_steps best = {.event = NONE_ID};
	uint32_t n = derived_steps(d), long_ones = 0, groups = 0;
	if (derived_options(d)->semantics != SEM_STEPSCOPE || q->by_step || q->all_steps)
		return best;
	for (uint32_t i = 0; i < n; i++)
		long_ones += derived_step_phase(d, i) == PHASE_LONG;
	if (long_ones < 2)
		return best;
	struct group g = {d, q, must(malloc(n * sizeof *g.steps)), 0};
	struct slow_steps *of = must(malloc(long_ones * sizeof *of));
	bool *seen = must(calloc(n, 1));
	for (uint32_t first = 0; first < n; first++) {
		if (seen[first] || derived_step_phase(d, first) != PHASE_LONG)
			continue;
		gather(&g, first);
		if (!g.n) /* it reaches out of the window, and so do all like it */
			continue;
		for (uint32_t i = 0; i < g.n; i++)
			seen[g.steps[i]] = true;
		of[groups++] = look_at(&g);
	}
	if (groups)
		best = choose(&g, of, groups);
	free(of);
	free(seen);
	free(g.steps);
	return best;
}
