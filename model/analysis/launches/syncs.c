#include "syncs.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/ops/op_index.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>
#include <string.h>

/* The lead that the last call of the thread took from its host. */
struct lead {
	uint32_t group, device; /* NONE_ID: there is none */
	uint32_t busy;          /* the idle time before this busy time is the next to count */
	int64_t left_ns;
};

struct reader {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct op_index index;
	uint8_t *is_sync;       /* per text: + 1, 0 = not asked */
	uint8_t **idle_met;     /* per device: one bit per busy time: the idle time before it has its call */
	uint32_t *first_device; /* per host: the first that worked */
	struct lead lead;       /* of the thread that is read */
	bool calls_told;        /* the trace holds runtime calls: ops wait in one of them or not at all */
	struct idmap groups;
	struct syncs *out;
};

/* ---- which device ----------------------------------------------------------------------------------------------------- */

static uint32_t *first_devices(const struct derived *d)
{
	uint32_t *of_host = must(malloc((trace_hosts(derived_trace(d)) + (size_t)1) * sizeof *of_host));
	for (uint32_t i = 0; i < trace_hosts(derived_trace(d)); i++)
		of_host[i] = NONE_ID;
	for (uint32_t i = trace_devices(derived_trace(d)); i-- > 0;)
		if (derived_busy_device(d, i)->n)
			of_host[trace_device(derived_trace(d), i)->host] = i;
	return of_host;
}

static uint32_t launched_on(const struct derived *d, row_id r)
{
	row_id work = derived_columns(d)->link[r];
	return work == NONE_ID ? NONE_ID : trace_track(derived_trace(d), derived_columns(d)->track[work])->device;
}

/* ---- one call --------------------------------------------------------------------------------------------------------- */

static struct sync_group *group_of(struct reader *x, row_id r, uint32_t device)
{
	uint32_t fresh = x->out->n;
	row_id around = op_index_around(&x->index, parent_of(x->d, r));
	uint32_t op = around == NONE_ID ? NO_OP : op_index_host(&x->index, around);
	bool overflow = asks_for_overflow(x->d, r, derived_columns(x->d)->start_ns[r]);
	uint64_t key = (uint64_t)derived_columns(x->d)->name[r] << 32 ^ (uint64_t)(op + 1) * 0x9E3779B97F4A7C15u ^
		       (uint64_t)device << 52 ^ (uint64_t)overflow << 31;
	uint32_t i = *idmap_put(&x->groups, key, fresh);
	if (i < fresh)
		return &x->out->at[i];
	x->out->at = arena_next_row(x->mem, x->out->at, fresh, sizeof *x->out->at);
	x->out->at[fresh] = (struct sync_group){
		.name = derived_columns(x->d)->name[r], .overflow = overflow, .device = device, .worst = NONE_ID};
	if (op != NO_OP)
		x->out->at[fresh].op = x->index.at[op].name;
	x->out->n++;
	return &x->out->at[fresh];
}

static uint8_t *idle_bits(struct reader *x, uint32_t device)
{
	if (!x->idle_met[device]) {
		size_t bytes = derived_busy_device(x->d, device)->n / 8 + (size_t)1;
		x->idle_met[device] = must(malloc(bytes));
		memset(x->idle_met[device], 0, bytes);
	}
	return x->idle_met[device];
}

/* The idle time in which the call ends, clipped; -1 when the device works then. */
static int64_t idle_around(struct reader *x, uint32_t device, int64_t end_ns)
{
	const struct intervals *busy = derived_busy_device(x->d, device);
	uint32_t i = intervals_after(busy, end_ns);
	if (i < busy->n && busy->at[i].a_ns <= end_ns)
		return -1;
	if (i == 0 || i == busy->n)
		return 0;
	uint8_t *met = &idle_bits(x, device)[i >> 3], bit = (uint8_t)(1u << (i & 7));
	if (*met & bit)
		return 0;
	*met |= bit;
	return query_clipped_ns(x->q, busy->at[i - 1].b_ns, busy->at[i].a_ns);
}

/* Idle times that begin before until_ns use the lead up; of a window those that lie in it count. */
static void charge_lead(struct reader *x, int64_t until_ns)
{
	struct lead *l = &x->lead;
	if (l->device == NONE_ID)
		return;
	const struct intervals *busy = derived_busy_device(x->d, l->device);
	for (uint32_t i = l->busy; l->left_ns > 0 && i < busy->n && busy->at[i - 1].b_ns < until_ns; i++) {
		int64_t a_ns = busy->at[i - 1].b_ns, b_ns = busy->at[i].a_ns,
			ns = earlier(earlier(b_ns - a_ns, SYNC_GAP_NS), l->left_ns);
		l->left_ns -= ns;
		x->out->at[l->group].lead_ns += query_clipped_ns(x->q, b_ns - ns, b_ns);
	}
	l->device = NONE_ID;
}

/* The device does nothing when the call ends: as long as it worked meanwhile the host would have been ahead. */
static void begin_lead(struct reader *x, uint32_t group, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	const struct intervals *busy = derived_busy_device(x->d, device);
	x->lead = (struct lead){group, device, intervals_after(busy, b_ns), intervals_within(busy, a_ns, b_ns)};
	if (!x->lead.busy)
		x->lead.device = NONE_ID;
}

static void take_call(struct reader *x, row_id r, uint32_t device)
{
	const struct columns *c = derived_columns(x->d);
	int64_t a_ns = c->start_ns[r], b_ns = row_end(c, r),
		idle_ns = device == NONE_ID ? -1 : idle_around(x, device, b_ns);
	int64_t from_ns = a_ns, to_ns = b_ns;
	query_clip(x->q, &from_ns, &to_ns);
	charge_lead(x, a_ns);
	struct sync_group *g = group_of(x, r, device);
	if (idle_ns >= 0)
		begin_lead(x, (uint32_t)(g - x->out->at), device, a_ns, b_ns);
	g->total_ns += to_ns > from_ns ? to_ns - from_ns : 0;
	if (device != NONE_ID && to_ns > from_ns)
		g->waited_ns += intervals_within(derived_busy_device(x->d, device), from_ns, to_ns);
	g->idle_ns += idle_ns > 0 ? idle_ns : 0;
	if (g->worst == NONE_ID || idle_ns > g->worst_idle_ns) {
		g->worst = r;
		g->worst_idle_ns = idle_ns;
	}
	if (!query_holds(x->q, a_ns))
		return;
	g->count++;
	g->drained += idle_ns >= 0;
	g->whole_ns += b_ns - a_ns;
	g->max_ns = b_ns - a_ns > g->max_ns ? b_ns - a_ns : g->max_ns;
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

/* aten::item of a value on the host waits for nothing: where runtime calls are recorded, an op without one of its own that
 * waits does not wait either. */
static inline bool waits(struct reader *x, row_id r)
{
	str_id name = derived_columns(x->d)->name[r];
	if (x->calls_told && derived_columns(x->d)->kind[r] == KIND_OP)
		return false;
	if (!x->is_sync[name])
		x->is_sync[name] = (uint8_t)(1 + (cause_of_name(x->d, name).section == CAUSE_SYNC));
	return x->is_sync[name] == 2;
}

/* Each event is looked at for the last call before it only. */
static bool encloses_call(struct reader *x, row_id r, row_id end)
{
	const struct columns *c = derived_columns(x->d);
	for (row_id i = r + 1; i < end && c->start_ns[i] < row_end(c, r); i++)
		if (waits(x, i))
			return true;
	return false;
}

/* Of the last launch before the window, if that is not far away. */
static uint32_t device_before(const struct reader *x, const struct track_info *k)
{
	enum { FAR = 4096 };
	row_id at = first_row_from(derived_columns(x->d), k, x->q->a_ns);
	uint32_t device = NONE_ID;
	for (int i = 0; i < FAR && at > k->first && device == NONE_ID; i++)
		device = launched_on(x->d, --at);
	return device == NONE_ID ? x->first_device[k->host] : device;
}

static void read_thread(struct reader *x, uint32_t track)
{
	const struct track_info *k = trace_track(derived_trace(x->d), track);
	struct event_iter it;
	struct event_rows rows = event_rows_open(&it, derived_trace(x->d), track, x->q->a_ns, x->q->b_ns);
	uint32_t device = device_before(x, k);
	x->lead.device = NONE_ID;
	for (row_id r; event_next_row(&it, &rows, &r);) {
		/* markers first: each may have a name of its own, about which nothing else need ask */
		uint32_t launched = launched_on(x->d, r);
		device = launched == NONE_ID ? device : launched;
		if (!row_is_marker(x->d, r) && waits(x, r) && event_wanted(x->d, x->q, r) &&
		    !encloses_call(x, r, (row_id)(k->first + k->n)))
			take_call(x, r, device);
	}
	charge_lead(x, INT64_MAX);
}

static int compare(const void *p, const void *q)
{
	const struct sync_group *a = p, *b = q;
	if (a->idle_ns != b->idle_ns)
		return a->idle_ns > b->idle_ns ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->worst > b->worst) - (a->worst < b->worst);
}

static void reader_free(struct reader *x)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(x->d)); i++)
		free(x->idle_met[i]);
	free(x->idle_met);
	free(x->first_device);
	free(x->is_sync);
	idmap_free(&x->groups);
	op_index_free(&x->index);
}

bool syncs_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		struct syncs *out, struct err *e)
{
	struct reader x = {.d = d, .q = q, .mem = mem, .out = out};
	size_t texts = strings_count(trace_strings(derived_trace(d))) + (size_t)1,
	       devices = trace_devices(derived_trace(d)) + (size_t)1;
	bool cancelled = false;
	*out = (struct syncs){0};
	x.is_sync = memset(must(malloc(texts)), 0, texts);
	x.idle_met = memset(must(malloc(devices * sizeof *x.idle_met)), 0, devices * sizeof *x.idle_met);
	x.first_device = first_devices(d);
	x.calls_told = derived_columns(d)->n && memchr(derived_columns(d)->kind, KIND_RUNTIME, derived_columns(d)->n);
	op_index_init(&x.index, d, mem);
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)) && !cancelled; i++) {
		cancelled = progress_cancelled(p);
		if (derived_is_host_track(trace_track(derived_trace(d), i)))
			read_thread(&x, i);
	}
	reader_free(&x);
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, compare);
	return !cancelled || err_usage(e, "cancelled");
}
