#include "pauses.h"
#include "derived_data.h"
#include "model/analysis/maths/shares.h"
#include "model/store/base/units.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SILENT_PCT = 50 }; /* of what lies between two spans or steps */

struct search {
	struct derived *d;
	uint32_t host;
	struct interval_list found;
};

/* ---- silence ----------------------------------------------------------------------------------------------------------- */

/* What one track records in [a, b). */
static struct interval_list told_by(const struct derived *d, uint32_t track, struct interval in)
{
	struct interval_list l = {0};
	struct event_iter it = event_iter(d->pub.t, track, in.a_ns, in.b_ns, KINDS_ALL & ~KIND_BIT(KIND_PROFILE));
	while (event_next(&it))
		interval_add(&l, d->pub.c->start_ns[it.row], row_end(d->pub.c, it.row));
	return l;
}

static struct interval longest_hole(const struct interval_list *told, struct interval in)
{
	struct interval best = {in.a_ns, in.a_ns};
	int64_t from_ns = in.a_ns;
	for (uint32_t i = 0; i <= told->n && from_ns < in.b_ns; i++) {
		int64_t to_ns = i < told->n && told->at[i].a_ns < in.b_ns ? told->at[i].a_ns : in.b_ns;
		if (to_ns - from_ns > best.b_ns - best.a_ns)
			best = (struct interval){from_ns, to_ns};
		from_ns = i < told->n && told->at[i].b_ns > from_ns ? told->at[i].b_ns : from_ns;
	}
	return best;
}

static void look_between(struct search *s, int64_t a_ns, int64_t b_ns)
{
	struct interval in = {a_ns, b_ns};
	struct interval_sum sum = {0};
	for (uint32_t i = 0; a_ns < b_ns && i < trace_tracks(s->d->pub.t); i++) {
		const struct track_info *k = trace_track(s->d->pub.t, i);
		if (k->host != s->host || k->kind == TRACK_COUNTER)
			continue;
		struct interval_list one = told_by(s->d, i, in);
		interval_sum_add(&sum, &one);
	}
	struct interval_list told = interval_sum_end(&sum);
	struct interval hole = longest_hole(&told, in);
	interval_list_free(&told);
	if (a_ns < b_ns && share_at_least(hole.b_ns - hole.a_ns, b_ns - a_ns, SILENT_PCT))
		interval_add(&s->found, hole.a_ns, hole.b_ns);
}

/* ---- where to look ----------------------------------------------------------------------------------------------------- */

static void between_spans(struct search *s)
{
	const struct columns *c = s->d->pub.c;
	for (uint32_t i = 0; i < trace_tracks(s->d->pub.t); i++) {
		const struct track_info *k = trace_track(s->d->pub.t, i);
		if (k->host != s->host || !k->n || c->kind[k->first] != KIND_PROFILE)
			continue;
		int64_t end_ns = row_end(c, (row_id)k->first);
		for (row_id r = (row_id)k->first + 1; r < k->first + k->n; r++) {
			look_between(s, end_ns, c->start_ns[r]);
			end_ns = row_end(c, r) > end_ns ? row_end(c, r) : end_ns;
		}
	}
}

/* A program may count its steps by tens: what was left out needs room for half a step. */
static bool has_room(const struct step *before, const struct step *x)
{
	int64_t left_ns = before->end_ns - before->start_ns, right_ns = x->end_ns - x->start_ns;
	return x->start_ns - before->end_ns >= (left_ns < right_ns ? left_ns : right_ns) / 2;
}

static void between_steps(struct search *s)
{
	const struct step *before = NULL;
	for (uint32_t i = 0; i < s->d->pub.n_steps; i++) {
		const struct step *x = &s->d->pub.steps[i];
		if (x->host != s->host || x->marker == NONE_ID)
			continue;
		bool again = before && before->name == x->name;
		if (!again && strcmp(derived_step_name(s->d, x), "ProfilerStep") != 0)
			continue;
		if (before && before->process == x->process && x->number > before->number + 1 && has_room(before, x))
			look_between(s, before->end_ns, x->start_ns);
		before = x;
	}
}

static int by_begin(const void *x, const void *y)
{
	const struct interval *a = x, *b = y;
	return (a->a_ns > b->a_ns) - (a->a_ns < b->a_ns);
}

/* Both may find the same one. */
static struct intervals sealed(struct interval_list *found)
{
	struct interval_list l = {0};
	if (found->n)
		qsort(found->at, found->n, sizeof *found->at, by_begin);
	for (uint32_t i = 0; i < found->n; i++)
		interval_add(&l, found->at[i].a_ns, found->at[i].b_ns);
	interval_list_free(found);
	return intervals_seal(&l);
}

void pauses_alloc(struct derived *d)
{
	d->pauses = arena_alloc(&d->mem, (trace_hosts(d->pub.t) + 1) * sizeof *d->pauses);
	d->off = arena_alloc(&d->mem, (trace_devices(d->pub.t) + 1) * sizeof *d->off);
}

void pauses_find(struct derived *d)
{
	if (d->opts.semantics != SEM_STEPSCOPE)
		return;
	for (uint32_t i = 0; i < trace_hosts(d->pub.t); i++) {
		struct search s = {.d = d, .host = i};
		between_spans(&s);
		between_steps(&s);
		d->pauses[i] = sealed(&s.found);
	}
}

void pauses_of_devices(struct derived *d)
{
	for (uint32_t dev = 0; dev < trace_devices(d->pub.t); dev++) {
		const struct intervals *pauses = &d->pauses[trace_device(d->pub.t, dev)->host],
				       *busy = &d->busy_device[dev];
		struct interval_list l = {0};
		for (uint32_t i = 0; i < pauses->n; i++) {
			uint32_t next = intervals_from(busy->at, 0, busy->n, pauses->at[i].b_ns);
			if (next && next < busy->n)
				interval_add(&l, busy->at[next - 1].b_ns, busy->at[next].a_ns);
		}
		d->off[dev] = intervals_seal(&l);
	}
}

void pauses_free(struct derived *d)
{
	for (uint32_t i = 0; d->pauses && i < trace_hosts(d->pub.t); i++)
		intervals_free(&d->pauses[i]);
	for (uint32_t i = 0; d->off && i < trace_devices(d->pub.t); i++)
		intervals_free(&d->off[i]);
}

/* ---- questions --------------------------------------------------------------------------------------------------------- */

const struct intervals *derived_pauses(const struct derived *d, uint32_t host)
{
	return &d->pauses[host];
}

const struct intervals *derived_off(const struct derived *d, uint32_t device)
{
	return &d->off[device];
}

int64_t derived_watched_ns(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	return b_ns - a_ns - (d->off[device].n ? intervals_within(&d->off[device], a_ns, b_ns) : 0);
}

bool derived_pause_in(const struct derived *d, uint32_t host, int64_t a_ns, int64_t b_ns, struct interval *out)
{
	const struct intervals *v = &d->pauses[host];
	uint32_t i = v->n ? intervals_after(v, a_ns) : 0;
	if (i >= v->n || v->at[i].a_ns < a_ns || v->at[i].b_ns > b_ns)
		return false;
	*out = v->at[i];
	return true;
}

struct pause_sum derived_pause_sum(const struct derived *d)
{
	struct pause_sum most = {0};
	for (uint32_t i = 0; i < trace_hosts(d->pub.t); i++)
		if (intervals_total(&d->pauses[i]) > most.ns)
			most = (struct pause_sum){d->pauses[i].n, intervals_total(&d->pauses[i])};
	return most;
}

const char *derived_pauses_say(const struct derived *d, char *buf, size_t size)
{
	char ns[UNITS_BUF];
	struct pause_sum p = derived_pause_sum(d);
	*buf = 0;
	if (p.n == 1)
		snprintf(buf, size, "the profiler was off for %s, which is left out", fmt_ns(ns, p.ns));
	else if (p.n)
		snprintf(buf, size, "the profiler was off %u times, for %s in all, which is left out", p.n,
			 fmt_ns(ns, p.ns));
	return buf;
}

/* ---- lost records ------------------------------------------------------------------------------------------------------ */

enum { LOST_PCT = 10 };

#define LANE "lost records"

static bool is_lane(const struct trace *t, uint32_t track, uint32_t device, str_id lane)
{
	const struct track_info *i = trace_track(t, track);
	return i->kind == TRACK_STREAM_LANE && i->device == device && i->lane == lane;
}

/* Stretches come in order of time and may overlap: each ns counts once. */
static row_id longest_lost(const struct trace *t, uint32_t track, int64_t a_ns, int64_t b_ns, int64_t *ns)
{
	const struct columns *c = trace_columns(t);
	struct event_iter it = event_iter(t, track, a_ns, b_ns, KINDS_ALL);
	row_id found = NONE_ID;
	int64_t most_ns = 0, seen_ns = a_ns;
	while (event_next(&it)) {
		int64_t from_ns = c->start_ns[it.row], to_ns = from_ns + c->dur_ns[it.row];
		from_ns = from_ns > seen_ns ? from_ns : seen_ns;
		to_ns = to_ns < b_ns ? to_ns : b_ns;
		if (to_ns <= from_ns)
			continue;
		*ns += to_ns - from_ns;
		seen_ns = to_ns;
		if (to_ns - from_ns > most_ns) {
			most_ns = to_ns - from_ns;
			found = it.row;
		}
	}
	return found;
}

bool any_lost_records(const struct derived *d)
{
	return trace_notes(derived_trace(d))->at[NOTE_PRODUCER_DROPPED].count > 0;
}

row_id lost_records(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns, int64_t *ns)
{
	const struct trace *t = derived_trace(d);
	row_id found = NONE_ID;
	*ns = 0;
	if (device == NONE_ID || !any_lost_records(d))
		return NONE_ID;
	str_id lane = strings_find(trace_strings(t), LANE, strlen(LANE));
	for (uint32_t i = 0; lane && found == NONE_ID && i < trace_device_tracks(t); i++)
		if (is_lane(t, i, device, lane))
			found = longest_lost(t, i, a_ns, b_ns, ns);
	return share_at_least(*ns, b_ns - a_ns, LOST_PCT) ? found : NONE_ID;
}
