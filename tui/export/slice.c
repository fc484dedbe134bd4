#include "slice.h"
#include "model/analysis/comms/collectives.h"
#include "model/analysis/derived/first_calls.h"
#include "model/analysis/derived/gaps.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/store/base/bits.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static bool meets(const struct slice *s, row_id r)
{
	const struct columns *c = derived_columns(s->d);
	int64_t from = c->start_ns[r], to = from + c->dur_ns[r];
	return from < s->b_ns && (to > s->a_ns || from >= s->a_ns);
}

static void keep(struct slice *s, row_id r)
{
	uint64_t bit = UINT64_C(1) << r % 64;
	if (s->kept[r / 64] & bit)
		return;
	s->kept[r / 64] |= bit;
	s->n++;
}

/* The event and what encloses it, up to what is kept already. */
static void keep_with_parents(struct slice *s, row_id r)
{
	for (; r != NONE_ID && !slice_has(s, r); r = trace_parent(derived_trace(s->d), r))
		keep(s, r);
}

static void keep_launched_by(struct slice *s, row_id launch)
{
	const row_id *work;
	uint32_t n = s->replay == launch ? 0 : trace_launched(derived_trace(s->d), launch, &work);
	s->replay = launch;
	for (uint32_t i = 0; i < n; i++)
		keep(s, work[i]);
}

/* Launch of device work, and what else it launched: which layer of a graph a kernel is tells the order of them all. */
static void keep_links(struct slice *s, row_id r)
{
	const struct columns *c = derived_columns(s->d);
	if (c->link[r] == NONE_ID)
		return;
	bool work = kind_is_work((enum event_kind)c->kind[r]);
	if (work)
		keep_with_parents(s, c->link[r]);
	keep_launched_by(s, work ? c->link[r] : r);
}

static void keep_window(struct slice *s)
{
	const struct trace *t = derived_trace(s->d);
	for (uint32_t track = 0; track < trace_tracks(t); track++)
		for (struct event_iter it = event_iter(t, track, s->a_ns, s->b_ns, KINDS_ALL); event_next(&it);)
			keep(s, it.row);
}

/* The first launched work of a kind that lacks launches in the window: that launches are recorded at all is told by it. */
static void keep_launched(struct slice *s, uint32_t kinds)
{
	const struct trace *t = derived_trace(s->d);
	const struct columns *c = derived_columns(s->d);
	kinds &= ~s->kinds_asked; /* of any device: whatever was found for another one tells it */
	s->kinds_asked |= kinds;
	for (uint32_t track = 0; kinds && track < trace_tracks(t); track++) {
		const struct track_info *x = trace_track(t, track);
		for (uint64_t r = x->first; x->kind == TRACK_STREAM && kinds && r < x->first + x->n; r++) {
			if (!(kinds & KIND_BIT(c->kind[r])) || c->link[r] == NONE_ID)
				continue;
			keep(s, (row_id)r);
			keep_links(s, (row_id)r);
			kinds &= ~KIND_BIT(c->kind[r]);
		}
	}
}

/* What explains an event: what launched it or what it launched, and the mark of its step. */
static void keep_around(struct slice *s, row_id r)
{
	uint32_t step = derived_step_of(s->d, r);
	keep_links(s, r);
	if (step != NONE_ID)
		keep_with_parents(s, derived_step(s->d, step)->marker);
}

/* The last work before the window and the first after it: idle time at its edges lies between these and what is in it. */
static void keep_neighbours(struct slice *s, uint32_t track)
{
	const struct trace *t = derived_trace(s->d);
	for (uint32_t row = 0; row < trace_track(t, track)->n_rows; row++) {
		const row_id near[] = {trace_prev_on_row(t, track, row, s->a_ns),
				       trace_next_on_row(t, track, row, s->b_ns - 1)};
		for (size_t i = 0; i < sizeof near / sizeof *near; i++)
			if (near[i] != NONE_ID) {
				keep(s, near[i]);
				keep_around(s, near[i]);
			}
	}
}

/* Work without a launch belongs to the step that began last on its device, as the first work of steps there tells: that of the step
 * before the window, of those in it, or, where none began so far, of the first one. */
static void keep_begins(struct slice *s, uint32_t device)
{
	uint32_t n, from = 0, to;
	const struct step_device *x = derived_step_devices(s->d, &n);
	while (from < n && x[from].device != device)
		from++;
	for (to = from; to < n && x[to].device == device && (to == from || x[to].first_ns < s->b_ns); to++) {
		bool last_before = to + 1 == n || x[to + 1].device != device || x[to + 1].first_ns > s->a_ns;
		if (x[to].first_ns < s->a_ns && !last_before)
			continue;
		keep(s, x[to].first_row);
		keep_around(s, x[to].first_row);
	}
}

/* Kinds of work on a device that lack launches in the window. */
static uint32_t kinds_unlaunched(const struct slice *s, uint32_t device)
{
	const struct columns *c = derived_columns(s->d);
	uint32_t n, kinds = 0;
	const uint32_t *streams = device_streams(s->d, device, &n);
	for (uint32_t i = 0; i < n; i++)
		for (struct event_iter it = event_iter(derived_trace(s->d), streams[i], s->a_ns, s->b_ns, KINDS_WORK);
		     event_next(&it);)
			kinds |= c->link[it.row] == NONE_ID ? KIND_BIT(c->kind[it.row]) : 0;
	return kinds;
}

static void keep_for_unlaunched(struct slice *s)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(s->d)); i++) {
		uint32_t kinds = kinds_unlaunched(s, i);
		if (!kinds)
			continue;
		keep_begins(s, i);
		keep_launched(s, kinds);
	}
}

/* What the host did in [a, b). */
static void keep_host(struct slice *s, uint32_t host, int64_t a_ns, int64_t b_ns)
{
	const struct trace *t = derived_trace(s->d);
	for (uint32_t track = 0; a_ns < b_ns && track < trace_tracks(t); track++) {
		const struct track_info *x = trace_track(t, track);
		if (x->process == NONE_ID || trace_process(t, x->process)->host != host)
			continue;
		for (struct event_iter it = event_iter(t, track, a_ns, b_ns, KINDS_ALL); event_next(&it);)
			keep(s, it.row);
	}
}

/* Why a device idles at the window's edges is told by what its host did in the whole of that idle time. */
static void keep_idle_edges(struct slice *s)
{
	struct gap_span g;
	for (struct gap_iter it = gap_iter(s->d, s->a_ns, s->b_ns); gap_next(&it, &g);) {
		if (g.scope == GAP_STREAM)
			continue;
		uint32_t host = derived_gap_lane(s->d, g.id).host;
		keep_host(s, host, g.start_ns, s->a_ns);
		keep_host(s, host, s->b_ns, g.start_ns + g.dur_ns);
	}
}

static void keep_context(struct slice *s)
{
	const struct trace *t = derived_trace(s->d);
	keep_idle_edges(s);
	keep_for_unlaunched(s);
	for (uint32_t track = 0; track < trace_tracks(t); track++) {
		for (struct event_iter it = event_iter(t, track, s->a_ns, s->b_ns, KINDS_ALL); event_next(&it);)
			keep_around(s, it.row);
		if (trace_track(t, track)->kind == TRACK_STREAM)
			keep_neighbours(s, track);
	}
}

/* How long a part of a collective waits is told by its parts on other devices, wherever they lie. */
static void keep_partners(struct slice *s)
{
	struct arena mem = {0};
	struct collectives x;
	bool found = trace_devices(derived_trace(s->d)) > 1 && collectives_find(s->d, &mem, NULL, &x, NULL);
	for (uint32_t i = 0; found && i < x.n_matches; i++) {
		const struct collective_match *m = &x.matches[i];
		bool in = false;
		for (uint32_t k = 0; k < m->n; k++)
			in = in || meets(s, x.at[m->members[k]].row);
		for (uint32_t k = 0; in && k < m->n; k++) {
			keep(s, x.at[m->members[k]].row);
			keep_around(s, x.at[m->members[k]].row);
		}
	}
	arena_free(&mem);
}

static bool is_op(const struct slice *s, row_id r)
{
	const struct columns *c = derived_columns(s->d);
	return c->kind[r] == KIND_OP && derived_is_host_track(trace_track(derived_trace(s->d), c->track[r]));
}

static bool any_name(const char *name)
{
	(void)name;
	return true;
}

/* That the host's ops are recorded at all is told by one of them. */
static void keep_an_op(struct slice *s)
{
	const struct columns *c = derived_columns(s->d);
	uint64_t r = slice_next(s, 0);
	while (r < c->n && !is_op(s, (row_id)r))
		r = slice_next(s, r + 1);
	if (r < c->n || !s->n || !name_fits_any(s->d, KIND_BIT(KIND_OP), any_name))
		return;
	for (r = 0; r < c->n && !is_op(s, (row_id)r); r++)
		;
	if (r < c->n)
		keep_with_parents(s, (row_id)r);
}

static void keep_proof(void *s, row_id r)
{
	keep(s, r);
}

/* That a long call loads no code is told by work of that name before it; that a long op is a first call, by others of that name. */
static void keep_proofs(struct slice *s)
{
	const struct columns *c = derived_columns(s->d);
	for (uint64_t r = slice_next(s, 0); r < c->n; r = slice_next(s, r + 1)) {
		if (c->kind[r] != KIND_RUNTIME)
			continue;
		row_id before = thread_call_ran_before(s->d, (row_id)r);
		if (before == NONE_ID)
			continue;
		keep(s, before);
		keep_around(s, before);
	}
	first_call_proofs(s->d, s->kept, keep_proof, s);
	graph_capture_calls(s->d, s->a_ns, s->b_ns, keep_proof, s);
	keep_partners(s);
	keep_an_op(s);
}

static void count_cut(struct slice *s)
{
	const struct trace *t = derived_trace(s->d);
	for (uint32_t track = 0; track < trace_tracks(t); track++)
		for (struct event_iter it = event_iter(t, track, s->a_ns, s->b_ns, KINDS_ALL); event_next(&it);)
			s->cut += slice_place(s, it.row) != SLICE_INSIDE;
}

void slice_make(struct slice *s, const struct derived *d, const struct query *q)
{
	const struct trace *t = derived_trace(d);
	*s = (struct slice){.d = d, .whole = !q->windowed, .n = derived_columns(d)->n, .replay = NONE_ID};
	query_bounds(q, t, &s->a_ns, &s->b_ns);
	if (s->whole)
		return;
	s->b_ns += q->b_ns > s->b_ns;
	s->kept = must(calloc(derived_columns(d)->n / 64 + 1, sizeof *s->kept));
	s->n = 0;
	keep_window(s);
	uint64_t inside = s->n;
	keep_context(s);
	keep_proofs(s);
	s->context = s->n - inside;
	count_cut(s);
}

void slice_free(struct slice *s)
{
	free(s->kept);
	*s = (struct slice){0};
}

uint64_t slice_next(const struct slice *s, uint64_t r)
{
	return s->whole ? r : bits_next(s->kept, r, derived_columns(s->d)->n);
}

enum slice_place slice_place(const struct slice *s, row_id r)
{
	const struct columns *c = derived_columns(s->d);
	if (s->whole)
		return SLICE_INSIDE;
	if (!meets(s, r))
		return SLICE_CONTEXT;
	bool begin = c->start_ns[r]<s->a_ns, end = c->start_ns[r] + c->dur_ns[r]> s->b_ns;
	return begin && end ? SLICE_CUT_BOTH : begin ? SLICE_CUT_BEGIN : end ? SLICE_CUT_END : SLICE_INSIDE;
}

const char *slice_word(enum slice_place p)
{
	static const char *const words[] = {
#define SLICE_WORD(id, text) text,
		SLICE_MARKS(SLICE_WORD)
#undef SLICE_WORD
	};
	return words[p];
}

uint64_t slice_samples(const struct slice *s, uint32_t track, const struct sample **out)
{
	uint64_t n = trace_samples(derived_trace(s->d), track, out), first = 0, end = n;
	if (s->whole)
		return n;
	while (first + 1 < n && (*out)[first + 1].ts_ns <= s->a_ns)
		first++;
	while (end > first && (*out)[end - 1].ts_ns >= s->b_ns)
		end--;
	*out += first;
	return end - first;
}
