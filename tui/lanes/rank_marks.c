#include "rank_marks.h"
#include "model/analysis/comms/comms.h"
#include "model/query.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include <string.h>
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int by_row(const void *a, const void *b, void *ctx)
{
	const struct collective *at = ctx;
	row_id x = at[*(const uint32_t *)a].row, y = at[*(const uint32_t *)b].row;
	return x < y ? -1 : x > y;
}

static void number_rows(struct rank_marks *m)
{
	uint32_t *places = arena_alloc(&m->mem, (m->all->n + 1) * sizeof *places);
	for (uint32_t i = 0; i < m->all->n; i++)
		places[i] = i;
	qsort_r(places, m->all->n, sizeof *places, by_row, m->all->at);
	m->by_row = places;
}

static void find_times(struct rank_marks *m, const struct columns *c)
{
	struct interval_list *calls = must(calloc(m->devices + (size_t)1, sizeof *calls)),
			     *waits = must(calloc(m->devices + (size_t)1, sizeof *waits));
	m->calls = must(calloc(m->devices + (size_t)1, sizeof *m->calls));
	m->waits = must(calloc(m->devices + (size_t)1, sizeof *m->waits));
	for (uint32_t i = 0; i < m->all->n; i++) { /* in order of time on each device */
		const struct collective *x = &m->all->at[i];
		int64_t a_ns = c->start_ns[x->row], wait_ns = collective_wait_ns(m->all, x);
		interval_add(&calls[x->device], a_ns, a_ns + c->dur_ns[x->row]);
		if (wait_ns > 0)
			interval_add(&waits[x->device], a_ns, a_ns + wait_ns);
	}
	for (uint32_t i = 0; i < m->devices; i++) {
		m->calls[i] = intervals_seal(&calls[i]);
		m->waits[i] = intervals_seal(&waits[i]);
	}
	free(calls);
	free(waits);
}

static void find_latest(struct rank_marks *m)
{
	int64_t *waited_ns = arena_alloc(&m->mem, (m->devices + 1) * sizeof *waited_ns);
	m->waited_for_ns = waited_ns;
	m->latest = NONE_ID;
	m->n_calls = m->all->n_matches;
	for (uint32_t i = 0; i < m->devices; i++) {
		waited_ns[i] = m->late[i].waited_for_ns;
		m->wait_ns += m->late[i].wait_ns;
		if (waited_ns[i] > (m->latest == NONE_ID ? 0 : waited_ns[m->latest]))
			m->latest = i;
	}
}

struct rank_marks *rank_marks_new(const struct derived *d, struct progress *p)
{
	struct rank_marks *m = must(calloc(1, sizeof *m));
	struct query q = query_all();
	struct err e = {.at = -1};
	struct lateness *late = NULL;
	m->devices = trace_devices(derived_trace(d));
	const struct comms *comms = comms_of(d, p, &e);
	m->all = comms ? &comms->x : NULL;
	if (!comms || !lateness_find(d, &q, comms, &m->mem, p, &late, &e)) {
		rank_marks_free(m);
		return NULL;
	}
	m->late = late;
	number_rows(m);
	find_times(m, derived_columns(d));
	find_latest(m);
	return m;
}

void rank_marks_free(struct rank_marks *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->devices && m->calls; i++) {
		intervals_free(&m->calls[i]);
		intervals_free(&m->waits[i]);
	}
	free(m->calls);
	free(m->waits);
	arena_free(&m->mem);
	free(m);
}

const struct collective *rank_marks_call(const struct rank_marks *m, row_id r)
{
	uint32_t lo = 0, hi = m ? m->all->n : 0;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct collective *x = &m->all->at[m->by_row[mid]];
		if (x->row == r)
			return x;
		if (x->row < r)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const char *rank_marks_say(const struct rank_marks *m, const struct derived *d, char *buf, size_t size)
{
	char waited[UNITS_BUF], label[96];
	*buf = 0;
	if (!m || m->latest == NONE_ID)
		return buf;
	const struct trace *t = derived_trace(d);
	const struct host *h = trace_host(t, trace_device(t, m->latest)->host);
	if (trace_hosts(t) > 1 && h->rank >= 0)
		snprintf(label, sizeof label, "rank %" PRId32, h->rank);
	else
		trace_device_label(t, m->latest, label, sizeof label);
	snprintf(buf, size, "%s is last at %u of %u collectives; the others wait %s for it", label,
		 m->late[m->latest].last, m->late[m->latest].calls, fmt_ns(waited, m->waited_for_ns[m->latest]));
	return buf;
}

const char *rank_marks_say_device(const struct rank_marks *m, uint32_t device, char *buf, size_t size)
{
	char wait[UNITS_BUF], waited[UNITS_BUF], more[UNITS_BUF];
	*buf = 0;
	if (!m || !m->late[device].calls)
		return buf;
	const struct lateness *l = &m->late[device];
	struct late_reason because = lateness_because(l);
	if (!l->last)
		snprintf(buf, size, "waits %s for others, never last at %u collectives", fmt_ns(wait, l->wait_ns),
			 l->calls);
	else
		snprintf(buf, size, "waits %s, last at %u of %u; others wait %s%s%s", fmt_ns(wait, l->wait_ns), l->last,
			 l->calls, fmt_ns(waited, l->waited_for_ns), because.words ? ": " : "",
			 because.words ? because.words : "");
	size_t n = strlen(buf);
	if (l->last && because.words && l->judged)
		snprintf(buf + n, size - n, " (%s more)", fmt_ns(more, llround(because.ns / l->judged)));
	return buf;
}
