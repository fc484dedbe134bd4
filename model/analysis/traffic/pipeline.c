#include "pipeline.h"
#include <stdlib.h>
#include <string.h>
#include "model/analysis/derived/rows.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/step_phase.h"
#include "model/store/base/idmap.h"

struct finder {
	const struct derived *d;
	const struct query *q;
	const struct comms *comms;
	struct counted_steps counted;
	struct stage *of;    /* by device */
	struct idmap places; /* row of a call with a match -> place in comms->x.at */
	struct progress_loop loop;
	struct ends {
		uint32_t to, from; /* the only device it sends to, receives from; NONE_ID: none */
		bool several;
	} * ends;
};

static bool counts(const struct finder *f, uint32_t step, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	step_time(f->d, step, device, a_ns, b_ns);
	return *a_ns >= f->q->a_ns && *b_ns <= f->q->b_ns && *b_ns > *a_ns && step_counts(&f->counted, step);
}

/* ---- what a device does ---------------------------------------------------------------------------------------------------- */

/* A call works from when the last end of it has started. */
static int64_t working_from(const struct finder *f, row_id r)
{
	const struct collectives *x = &f->comms->x;
	uint32_t place = idmap_get(&f->places, r);
	int64_t wait_ns = place < x->n ? collective_wait_ns(x, &x->at[place]) : 0;
	return derived_columns(f->d)->start_ns[r] + (wait_ns > 0 ? wait_ns : 0);
}

static void add_stream(struct finder *f, uint32_t track, struct interval_list *out)
{
	const struct columns *c = derived_columns(f->d);
	const struct track_info *k = trace_track(derived_trace(f->d), track);
	int64_t before_ns = INT64_MIN;
	for (row_id r = (row_id)k->first; r < k->first + k->n && !progress_loop_cancelled(&f->loop); r++) {
		if (!row_is_work(c, r))
			continue;
		/* what starts while another one waits on its stream lies in order all the same */
		int64_t from_ns = working_from(f, r);
		before_ns = from_ns = from_ns > before_ns ? from_ns : before_ns;
		if (row_end(c, r) > from_ns)
			interval_add(out, from_ns, row_end(c, r));
	}
}

static struct intervals doing(struct finder *f, uint32_t device)
{
	uint32_t n;
	struct interval_sum sum = {0};
	const uint32_t *streams = device_streams(f->d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct interval_list one = {0};
		add_stream(f, streams[i], &one);
		interval_sum_add(&sum, &one);
	}
	struct interval_list all = interval_sum_end(&sum);
	return intervals_seal(&all);
}

static void find_calls(struct finder *f)
{
	const struct collectives *x = &f->comms->x;
	for (uint32_t i = 0; i < x->n; i++) {
		const struct collective *c = &x->at[i];
		if (c->match == NONE_ID)
			continue;
		*idmap_put(&f->places, c->row, i) = i;
		if (collective_in_pairs(c))
			f->of[c->device].device = c->device;
	}
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------- */

static void add_step(struct finder *f, const struct step_device *part, const struct step_compute *compute,
		     const struct intervals *doing)
{
	int64_t a_ns, b_ns;
	if (!counts(f, part->step, part->device, &a_ns, &b_ns))
		return;
	struct stage *s = &f->of[part->device];
	s->steps++;
	s->steps_ns += b_ns - a_ns;
	s->compute_ns += compute->compute_ns;
	s->bubble_ns += b_ns - a_ns - intervals_within(doing, a_ns, b_ns);
	s->lead_ns += compute->lead_ns;
}

/* Parts are in the order of their devices. */
static void add_steps(struct finder *f)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(f->d, &n);
	for (uint32_t from = 0, to; from < n; from = to) {
		uint32_t device = parts[from].device;
		for (to = from + 1; to < n && parts[to].device == device;)
			to++;
		if (f->of[device].device == NONE_ID)
			continue;
		struct intervals all = doing(f, device);
		for (uint32_t i = from; i < to; i++)
			add_step(f, &parts[i], &f->comms->steps[i], &all);
		intervals_free(&all);
	}
}

/* ---- sends and receives ---------------------------------------------------------------------------------------------------- */

static void note_end(uint32_t *end, uint32_t other, bool *several)
{
	*several = *several || (*end != NONE_ID && *end != other);
	*end = other;
}

static void add_call(struct finder *f, const struct collective *c)
{
	const struct collective_match *m = &f->comms->x.matches[c->match];
	uint32_t other = f->comms->x.at[m->members[0]].device;
	struct stage *s = &f->of[c->device];
	struct ends *ends = &f->ends[c->device];
	bool sends = trace_host(derived_trace(f->d), c->host)->rank == c->from;
	other = other == c->device ? f->comms->x.at[m->members[m->n - 1]].device : other;
	s->receives += !sends;
	s->sends += sends;
	note_end(sends ? &ends->to : &ends->from, other, &ends->several);
	if (sends)
		s->sent_bytes = s->sent_bytes == UNKNOWN_I64 || c->bytes == UNKNOWN_I64 ? UNKNOWN_I64
											: s->sent_bytes + c->bytes;
}

static void add_calls(struct finder *f)
{
	const struct collectives *x = &f->comms->x;
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t a_ns, b_ns;
		const struct collective *c = &x->at[i];
		bool context = c->kind && !strcmp(c->kind, "CP");
		if (collective_in_pairs(c) && !context && c->match != NONE_ID && c->step != NONE_ID &&
		    counts(f, c->step, c->device, &a_ns, &b_ns))
			add_call(f, c);
	}
}

/* From the device along its only receiver and so on, back to itself over three or more. */
static bool in_ring(const struct finder *f, uint32_t device, uint32_t devices)
{
	uint32_t at = device;
	for (uint32_t n = 1; n <= devices; n++) {
		const struct ends *e = &f->ends[at];
		if (e->several || e->to == NONE_ID || e->from == NONE_ID || e->to == e->from)
			return false;
		at = e->to;
		if (at == device)
			return n > 2;
	}
	return false;
}

/* ---- the list ------------------------------------------------------------------------------------------------------------- */

static int by_begin(const void *a, const void *b)
{
	const struct stage *x = a, *y = b;
	double first = (double)x->lead_ns / x->steps, second = (double)y->lead_ns / y->steps;
	if (first < second || first > second)
		return first < second ? -1 : 1;
	return (x->device > y->device) - (x->device < y->device);
}

bool stages_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		 struct stages *out, struct err *e)
{
	uint32_t devices = trace_devices(derived_trace(d));
	struct finder f = {.d = d, .q = q, .counted = counted_steps(d, q)};
	*out = (struct stages){0};
	if (!(f.comms = comms_of(d, p, e)))
		return false;
	f.of = arena_alloc(mem, (devices + 1) * sizeof *f.of);
	f.ends = arena_alloc(mem, (devices + 1) * sizeof *f.ends);
	out->at = arena_alloc(mem, (devices + 1) * sizeof *out->at);
	for (uint32_t i = 0; i < devices; i++) {
		f.of[i].device = NONE_ID; /* none of its sends and receives has a match */
		f.ends[i] = (struct ends){NONE_ID, NONE_ID, false};
	}
	f.loop.progress = p;
	find_calls(&f);
	add_steps(&f);
	add_calls(&f);
	idmap_free(&f.places);
	if (f.loop.cancelled)
		return err_usage(e, "cancelled");
	for (uint32_t i = 0; i < devices; i++) {
		const struct stage *s = &f.of[i];
		if (s->steps && s->sends + s->receives >= s->steps && !in_ring(&f, i, devices))
			out->at[out->n++] = *s;
	}
	if (out->n > 1)
		qsort(out->at, out->n, sizeof *out->at, by_begin);
	return true;
}
