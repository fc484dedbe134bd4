#include "idle_calls.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include <stdlib.h>
#include <string.h>

/* Sorted intervals, and the place where the last question was answered. */
struct cursor {
	struct interval_list list;
	uint32_t at;
	int64_t asked_ns;
};
/* upto[k]: calls of the kinds 0..k together. */
struct thread_calls {
	struct cursor upto[CALL_KINDS];
	bool made;
};
struct idle_calls {
	const struct derived *d;
	const struct query *q;
	struct thread_calls *threads; /* per track */
	struct cursor *copies;        /* per device: of the other devices of its host */
	bool *copies_made;
	uint8_t *names; /* per text: kind + 1; 0 = not asked yet */
};

/* ---- names ----------------------------------------------------------------------------------------------------------- */

static const char *const copy_calls[] = {"cudaMemcpy", "cuMemcpy", "hipMemcpy", "MemcpyH2D", "MemcpyHToD"};

static uint8_t kind_of(const struct derived *d, str_id name)
{
	uint8_t section = cause_of_name(d, name).section;
	if (section == CAUSE_INPUT)
		return CALL_INPUT;
	if (section == CAUSE_SYNC)
		return CALL_SYNC;
	const char *text = trace_str(derived_trace(d), name);
	for (size_t i = 0; i < sizeof copy_calls / sizeof *copy_calls; i++)
		if (!strncmp(text, copy_calls[i], strlen(copy_calls[i])))
			return CALL_COPY;
	return CALL_KINDS;
}

static uint8_t call_kind(struct idle_calls *x, str_id name)
{
	if (!x->names[name])
		x->names[name] = (uint8_t)(kind_of(x->d, name) + 1);
	return (uint8_t)(x->names[name] - 1);
}

/* ---- intervals ------------------------------------------------------------------------------------------------------- */

static void seek(struct cursor *c, int64_t a_ns)
{
	if (a_ns < c->asked_ns) { /* backwards: search again */
		struct intervals v = {.at = c->list.at, .n = c->list.n};
		c->at = intervals_after(&v, a_ns);
	}
	c->asked_ns = a_ns;
	while (c->at < c->list.n && c->list.at[c->at].b_ns <= a_ns)
		c->at++;
}

static int64_t within(struct cursor *c, int64_t a_ns, int64_t b_ns)
{
	int64_t sum_ns = 0;
	if (!c->list.n)
		return 0;
	seek(c, a_ns);
	for (uint32_t i = c->at; i < c->list.n && c->list.at[i].a_ns < b_ns; i++) {
		int64_t from_ns = c->list.at[i].a_ns, to_ns = c->list.at[i].b_ns;
		sum_ns += (to_ns < b_ns ? to_ns : b_ns) - (from_ns > a_ns ? from_ns : a_ns);
	}
	return sum_ns;
}

/* Joins `more` into the list, which it empties. */
static void join(struct interval_list *list, struct interval_list *more)
{
	struct interval_list both = {0};
	intervals_unite(&both, list, more);
	interval_list_free(list);
	*list = both;
	more->n = 0;
}

/* ---- threads --------------------------------------------------------------------------------------------------------- */

static void read_thread(struct idle_calls *x, uint32_t thread, struct interval_list kinds[CALL_KINDS])
{
	const struct derived *d = x->d;
	struct event_iter it = event_iter(derived_trace(d), thread, x->q->a_ns, x->q->b_ns, KINDS_ALL);
	while (event_next(&it)) {
		uint8_t kind = call_kind(x, derived_columns(d)->name[it.row]);
		if (kind < CALL_KINDS && derived_columns(d)->dur_ns[it.row] && !row_is_marker(d, it.row))
			interval_add(&kinds[kind], derived_columns(d)->start_ns[it.row],
				     row_end(derived_columns(d), it.row));
	}
}

static struct thread_calls *calls_of(struct idle_calls *x, uint32_t thread)
{
	struct thread_calls *t = &x->threads[thread];
	if (t->made)
		return t;
	t->made = true;
	struct interval_list kinds[CALL_KINDS] = {{0}};
	read_thread(x, thread, kinds);
	for (int k = 0; k < CALL_KINDS; k++) {
		if (k)
			intervals_unite(&t->upto[k].list, &t->upto[k - 1].list, &kinds[k]);
		else
			join(&t->upto[k].list, &kinds[k]);
		interval_list_free(&kinds[k]);
	}
	return t;
}

void idle_calls_within(struct idle_calls *x, uint32_t thread, int64_t a_ns, int64_t b_ns, int64_t ns[CALL_KINDS])
{
	struct thread_calls *t = calls_of(x, thread);
	int64_t before_ns = 0;
	for (int k = 0; k < CALL_KINDS; k++) {
		int64_t upto_ns = within(&t->upto[k], a_ns, b_ns);
		ns[k] = upto_ns - before_ns;
		before_ns = upto_ns;
	}
}

/* ---- other devices --------------------------------------------------------------------------------------------------- */

static void add_copies(struct idle_calls *x, uint32_t device, struct interval_list *out)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(x->d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct interval_list of_track = {0};
		struct event_iter it =
			event_iter(derived_trace(x->d), tracks[i], x->q->a_ns, x->q->b_ns, KIND_BIT(KIND_COPY));
		while (event_next(&it))
			interval_add(&of_track, derived_columns(x->d)->start_ns[it.row],
				     row_end(derived_columns(x->d), it.row));
		join(out, &of_track);
		interval_list_free(&of_track);
	}
}

int64_t idle_copies_elsewhere(struct idle_calls *x, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	const struct trace *t = derived_trace(x->d);
	if (!x->copies_made[device]) {
		x->copies_made[device] = true;
		for (uint32_t i = 0; i < trace_devices(t); i++)
			if (i != device && trace_device(t, i)->host == trace_device(t, device)->host)
				add_copies(x, i, &x->copies[device].list);
	}
	return within(&x->copies[device], a_ns, b_ns);
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static void *zeroes(size_t n, size_t size)
{
	void *p = must(malloc((n + 1) * size));
	return memset(p, 0, (n + 1) * size);
}

struct idle_calls *idle_calls_new(const struct derived *d, const struct query *q)
{
	struct idle_calls *x = zeroes(1, sizeof *x);
	x->d = d;
	x->q = q;
	x->threads = zeroes(trace_tracks(derived_trace(d)), sizeof *x->threads);
	x->copies = zeroes(trace_devices(derived_trace(d)), sizeof *x->copies);
	x->copies_made = zeroes(trace_devices(derived_trace(d)), sizeof *x->copies_made);
	x->names = zeroes(strings_count(trace_strings(derived_trace(d))) + (size_t)1, 1);
	return x;
}

void idle_calls_free(struct idle_calls *x)
{
	for (uint32_t i = 0; i < trace_tracks(derived_trace(x->d)); i++)
		for (int k = 0; k < CALL_KINDS; k++)
			interval_list_free(&x->threads[i].upto[k].list);
	for (uint32_t i = 0; i < trace_devices(derived_trace(x->d)); i++)
		interval_list_free(&x->copies[i].list);
	free(x->threads);
	free(x->copies);
	free(x->copies_made);
	free(x->names);
	free(x);
}
