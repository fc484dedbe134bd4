#include "thread_quiet.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/names/thread_names.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/busy_threads.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

struct reader {
	const struct derived *d;
	int64_t a_ns, b_ns; /* the window */
	struct thread_uses *uses;
	struct interval_list *input; /* by host, in no order, per thread: one after another */
	struct interval_sum *quiet;  /* by host, where there is input */
	struct of_use {
		uint32_t from, n;
	} * own;               /* by use: its part of the host's input */
	struct intervals *all; /* by host: input, united */
	struct interval_list piece;
	struct idmap lanes; /* thread -> the lane of its times on CPUs */
	/* of the track that launches, what it recorded: the same one may launch for many devices, one after the other */
	uint32_t launching;
	struct interval_list recorded;
};

static int by_begin(const void *x, const void *y)
{
	const struct interval *a = x, *b = y;
	return (a->a_ns > b->a_ns) - (a->a_ns < b->a_ns);
}

/* Any order in, united out; the list is gone. */
static struct intervals unite(struct interval_list *l)
{
	struct interval_list out = {0};
	if (l->n)
		qsort(l->at, l->n, sizeof *l->at, by_begin);
	for (uint32_t i = 0; i < l->n; i++)
		interval_add(&out, l->at[i].a_ns, l->at[i].b_ns);
	interval_list_free(l);
	return intervals_seal(&out);
}

static void append_all(struct interval_list *to, const struct interval *at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		GROW_ARRAY(to->at, to->n, to->cap);
		to->at[to->n++] = at[i];
	}
}

static int64_t within(const struct interval *at, uint32_t n, const struct intervals *v)
{
	int64_t sum_ns = 0;
	for (uint32_t i = 0; i < n; i++)
		sum_ns += intervals_within(v, at[i].a_ns, at[i].b_ns);
	return sum_ns;
}

/* ---- threads ---------------------------------------------------------------------------------------------------------------- */

static void add_piece(void *arg, uint32_t id, int64_t a_ns, int64_t b_ns)
{
	struct reader *x = arg;
	a_ns = later(a_ns, x->a_ns);
	b_ns = earlier(b_ns, x->b_ns);
	if (a_ns < b_ns && thread_does(x->d, id) == DOES_INPUT)
		interval_add(&x->piece, a_ns, b_ns);
}

/* What a thread that launches nothing does for the input. */
static void read_input(struct reader *x, uint32_t use)
{
	static const struct innermost_calls calls = {.piece = add_piece};
	const struct columns *c = derived_columns(x->d);
	const struct track_info *k = trace_track(derived_trace(x->d), x->uses->at[use].track);
	struct interval_list *host = &x->input[k->host];
	struct innermost m = {.piece = add_piece, .arg = x};
	struct event_iter it = event_iter(derived_trace(x->d), x->uses->at[use].track, x->a_ns, x->b_ns, ~0u);
	while (event_next(&it))
		if (thread_does(x->d, it.row) != DOES_NOTHING)
			innermost_open_by(&m, &calls, it.row, c->start_ns[it.row], row_end(c, it.row));
	innermost_close_all(&m);
	x->own[use] = (struct of_use){host->n, x->piece.n};
	append_all(host, x->piece.at, x->piece.n);
	interval_list_free(&x->piece);
}

/* When a track that launches records what it does. Ranges that name no cause of idle time are work all the same, unlike in
 * thread_does. */
static const struct interval_list *read_launching(struct reader *x, uint32_t track)
{
	if (x->launching == track)
		return &x->recorded;
	const struct columns *c = derived_columns(x->d);
	struct event_iter it = event_iter(derived_trace(x->d), track, x->a_ns, x->b_ns,
					  ~(KIND_BIT(KIND_PYTHON) | KIND_BIT(KIND_PROFILE)));
	x->launching = track;
	x->recorded.n = 0;
	while (event_next(&it))
		if (!row_is_marker(x->d, it.row))
			interval_add(&x->recorded, c->start_ns[it.row], row_end(c, it.row));
	return &x->recorded;
}

/* ---- CPUs ------------------------------------------------------------------------------------------------------------------- */

static uint64_t thread_key(const struct track_info *k)
{
	return (uint64_t)k->process << 32 | (uint32_t)k->key;
}

static void find_lanes(struct reader *x)
{
	const struct trace *t = derived_trace(x->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->kind == TRACK_OTHER && derived_is_host_track(k) && k->process != NONE_ID &&
		    lane_name_on_cpu(trace_str(t, k->lane)))
			*idmap_put(&x->lanes, thread_key(k), i) = i;
	}
}

/* How long it is on a CPU while `quiet`; the CPUs of the window. */
static void read_cpus(const struct reader *x, struct thread_use *use, const struct interval_list *quiet)
{
	const struct columns *c = derived_columns(x->d);
	const struct track_info *thread = trace_track(derived_trace(x->d), use->track);
	uint32_t lane = thread->process != NONE_ID ? idmap_get(&x->lanes, thread_key(thread)) : NONE_ID;
	struct idmap cpus = {0};
	struct interval_list on = {0};
	if (lane == NONE_ID)
		return;
	const struct track_info *k = trace_track(derived_trace(x->d), lane);
	use->cpus = 0;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (row_end(c, r) <= x->a_ns || c->start_ns[r] >= x->b_ns)
			continue;
		use->cpus += *idmap_put(&cpus, c->name[r], (uint32_t)use->cpus) == (uint32_t)use->cpus;
		interval_add(&on, c->start_ns[r], row_end(c, r));
	}
	struct intervals v = intervals_seal(&on);
	if (use->device != NONE_ID)
		use->off_cpu_ns = interval_list_total(quiet) - within(quiet->at, quiet->n, &v);
	intervals_free(&v);
	idmap_free(&cpus);
}

/* ---- devices ---------------------------------------------------------------------------------------------------------------- */

/* The holes of `v` between the device's first and last work, inside the window. */
static struct interval_list holes(const struct reader *x, const struct intervals *v, const struct intervals *busy)
{
	struct interval_list out = {0};
	int64_t a_ns = later(busy->at[0].a_ns, x->a_ns), end_ns = earlier(busy->at[busy->n - 1].b_ns, x->b_ns);
	for (uint32_t i = intervals_after(v, a_ns); i < v->n && a_ns < end_ns; a_ns = v->at[i++].b_ns)
		if (v->at[i].a_ns > a_ns)
			interval_add(&out, a_ns, earlier(v->at[i].a_ns, end_ns));
	return out;
}

/* When the device works, or a thread that launches for it records what it does: the uses at[from .. to). */
static struct intervals told_by(struct reader *x, uint32_t from, uint32_t to, const struct intervals *busy)
{
	struct interval_list told = {.at = (struct interval *)busy->at, .n = busy->n};
	for (uint32_t i = from; i < to; i++) {
		struct interval_list more = {0};
		intervals_unite(&more, &told, read_launching(x, x->uses->at[i].track));
		if (i > from)
			interval_list_free(&told);
		told = more;
	}
	return intervals_seal(&told);
}

/* The uses at[from .. to) are those of one device. */
static void fill_device(struct reader *x, uint32_t from, uint32_t to)
{
	uint32_t device = x->uses->at[from].device, host = trace_device(derived_trace(x->d), device)->host;
	const struct intervals *busy = derived_busy_device(x->d, device);
	struct intervals v = told_by(x, from, to, busy);
	struct interval_list quiet = holes(x, &v, busy);
	for (uint32_t i = from; i < to; i++) {
		struct thread_use *use = &x->uses->at[i];
		if (!derived_is_thread(derived_trace(x->d), trace_track(derived_trace(x->d), use->track)))
			continue;
		use->quiet_ns = interval_list_total(&quiet);
		if (x->all[host].n)
			use->input_ns = within(quiet.at, quiet.n, &x->all[host]);
		read_cpus(x, use, &quiet);
	}
	if (x->input[host].n)
		interval_sum_add(&x->quiet[host], &quiet);
	interval_list_free(&quiet);
	intervals_free(&v);
}

/* ---- all -------------------------------------------------------------------------------------------------------------------- */

static bool read_threads(struct reader *x, struct progress *p)
{
	const struct trace *t = derived_trace(x->d);
	for (uint32_t i = 0; i < x->uses->n; i++) {
		if (progress_cancelled(p))
			return false;
		struct thread_use *use = &x->uses->at[i];
		if (use->device != NONE_ID || !derived_is_thread(t, trace_track(t, use->track)))
			continue;
		read_cpus(x, use, NULL);
		if (!thread_launches_most(x->d, use->track))
			read_input(x, i);
	}
	for (uint32_t i = 0; i < trace_hosts(t); i++) {
		struct interval_list copy = {0};
		append_all(&copy, x->input[i].at, x->input[i].n);
		x->all[i] = unite(&copy);
	}
	return true;
}

static bool read_devices(struct reader *x, struct progress *p)
{
	const struct thread_uses *v = x->uses;
	for (uint32_t from = 0, to; from < v->n && v->at[from].device != NONE_ID; from = to) {
		for (to = from + 1; to < v->n && v->at[to].device == v->at[from].device;)
			to++;
		if (progress_cancelled(p))
			return false;
		fill_device(x, from, to);
	}
	return true;
}

static struct intervals sealed_sum(struct interval_sum *s)
{
	struct interval_list all = interval_sum_end(s);
	return intervals_seal(&all);
}

static void fill_threads(struct reader *x)
{
	const struct trace *t = derived_trace(x->d);
	struct intervals *quiet = must(calloc(trace_hosts(t) + (size_t)1, sizeof *quiet));
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		quiet[i] = sealed_sum(&x->quiet[i]);
	for (uint32_t i = 0; i < x->uses->n; i++) {
		uint32_t host = trace_track(t, x->uses->at[i].track)->host;
		if (x->own[i].n)
			x->uses->at[i].input_ns = within(x->input[host].at + x->own[i].from, x->own[i].n, &quiet[host]);
	}
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		intervals_free(&quiet[i]);
	free(quiet);
}

bool thread_quiet_fill(const struct derived *d, const struct query *q, struct thread_uses *uses, struct progress *p,
		       struct err *e)
{
	size_t hosts = trace_hosts(derived_trace(d));
	struct reader x = {
		.d = d, .uses = uses, .launching = NONE_ID, .own = must(calloc(uses->n + (size_t)1, sizeof *x.own))};
	query_bounds(q, derived_trace(d), &x.a_ns, &x.b_ns);
	x.input = must(calloc(hosts + 1, sizeof *x.input));
	x.quiet = must(calloc(hosts + 1, sizeof *x.quiet));
	x.all = must(calloc(hosts + 1, sizeof *x.all));
	find_lanes(&x);
	bool whole = read_threads(&x, p) && read_devices(&x, p);
	if (whole)
		fill_threads(&x);
	for (size_t i = 0; i < hosts; i++) {
		interval_list_free(&x.input[i]);
		struct interval_list quiet = interval_sum_end(&x.quiet[i]);
		interval_list_free(&quiet);
		intervals_free(&x.all[i]);
	}
	idmap_free(&x.lanes);
	interval_list_free(&x.recorded);
	free(x.input);
	free(x.quiet);
	free(x.all);
	free(x.own);
	return whole || err_usage(e, "cancelled");
}
