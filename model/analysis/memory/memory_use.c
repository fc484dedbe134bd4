#include "memory_use.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/store/base/arena.h"
#include "model/store/base/idmap.h"

struct finder {
	const struct derived *d;
	const struct trace *t;
	const struct query *q;
	const struct replay *x;
	struct arena *mem;
	struct memory_uses *out;
	struct memory_steps steps;
	uint32_t next_step; /* of those: the first of the next pool */
	struct idmap uses;  /* process and device -> the first row of them */
	struct churn *churn;
	uint32_t *only_device; /* by host, from only_devices; NULL: not asked for yet */
	struct progress_loop loop;
};

/* ---- the peak -------------------------------------------------------------------------------------------------------------- */

struct memory_peak memory_peak_of(const struct derived *d, const struct replay *x, const struct replay_pool *p,
				  const struct query *q)
{
	int64_t a_ns, b_ns;
	query_bounds(q, derived_trace(d), &a_ns, &b_ns);
	struct memory_peak peak = {.from = replay_from(x, p, q->a_ns), .to = replay_from(x, p, q->b_ns), .at_ns = a_ns};
	uint32_t most = replay_most(x, p, peak.from, peak.to);
	peak.place = NONE_ID;
	peak.bytes = replay_before(x, p, peak.from);
	if (most != NONE_ID && replay_after(x, most) >= peak.bytes) {
		peak.place = most;
		peak.bytes = replay_after(x, most);
		peak.at_ns = replay_ns(x, most);
	}
	return peak;
}

/* What its allocator says where the peak is: at the place itself, at the window's begin before its first one. */
static uint32_t place_of_peak(const struct memory_use *u)
{
	if (u->peak != NONE_ID)
		return u->peak;
	return u->from > u->pool->first ? u->from - 1 : u->pool->n ? u->pool->first : NONE_ID;
}

static void take_state(const struct replay *x, struct memory_use *u)
{
	uint32_t place = place_of_peak(u);
	const struct allocator_state *s = place == NONE_ID ? NULL : replay_state(x, place);
	u->capacity_bytes = replay_capacity(x, u->pool, place);
	if (place != NONE_ID)
		u->reserved_bytes = replay_at(x, place)->reserved_bytes;
	if (!s || s->fragmentation == UNKNOWN_I64)
		return;
	u->fragmentation_pct = (double)s->fragmentation / 1e4;
	if (s->available_bytes >= 0)
		u->largest_free_bytes = llround((double)s->available_bytes * (1 - (double)s->fragmentation / 1e6));
}

static void count_events(struct finder *f, struct memory_use *u)
{
	if (u->to - u->from == u->pool->n) {
		u->counts = u->pool->counts;
		return;
	}
	for (uint32_t i = u->from; i < u->to && !progress_loop_cancelled(&f->loop); i++)
		memory_counts_add(&u->counts, replay_at(f->x, i));
}

/* ---- from step to step ----------------------------------------------------------------------------------------------------- */

static double growth(const struct memory_step *from, const struct memory_step *to, uint32_t steps)
{
	return steps ? (double)(to->end_bytes - from->end_bytes) / steps : NAN;
}

/* The n-th of a pool's steps that count, where `from` is the pool's first. */
static const struct memory_step *nth(const struct finder *f, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < f->steps.n; i++)
		if (f->steps.at[i].counted && !n--)
			return &f->steps.at[i];
	return NULL;
}

static void grow(const struct finder *f, uint32_t from, struct memory_use *u)
{
	uint32_t last = u->steps ? u->steps - 1 : 0, middle = last / 2;
	if (!u->steps)
		return;
	u->growth_bytes = growth(nth(f, from, 0), nth(f, from, last), last);
	u->late_growth_bytes = growth(nth(f, from, middle), nth(f, from, last), last - middle);
}

static void take_kept(const struct finder *f, const struct memory_step *s, struct memory_use *u)
{
	if (s->kept_bytes == UNKNOWN_I64)
		return;
	u->telling++;
	u->growing += s->kept_bytes > 0;
	bool larger = s->largest_kept != NONE_ID &&
		      (u->growth_place == NONE_ID ||
		       replay_at(f->x, s->largest_kept)->bytes > replay_at(f->x, u->growth_place)->bytes);
	u->growth_place = larger ? s->largest_kept : u->growth_place;
}

/* How often the part of a step that grows with its batch fits beside the part that does not. */
static void find_headroom(struct memory_use *u)
{
	bool told = u->pool->has_totals && u->capacity_bytes > 0 && u->constant_bytes >= 0 && u->per_batch_bytes > 0;
	if (told && u->capacity_bytes > u->constant_bytes)
		u->headroom = (double)(u->capacity_bytes - u->constant_bytes) / (double)u->per_batch_bytes;
}

/* Steps stand pool by pool, in the order of the pools. */
static void take_steps(struct finder *f, struct memory_use *u)
{
	uint32_t pool = (uint32_t)(u->pool - f->x->pools), from = f->next_step;
	for (; f->next_step < f->steps.n && f->steps.at[f->next_step].pool == pool; f->next_step++) {
		const struct memory_step *s = &f->steps.at[f->next_step];
		if (!s->counted)
			continue;
		u->steps++;
		u->constant_bytes = s->constant_bytes > u->constant_bytes ? s->constant_bytes : u->constant_bytes;
		int64_t own_bytes = s->peak_bytes - s->constant_bytes;
		u->per_batch_bytes = own_bytes > u->per_batch_bytes ? own_bytes : u->per_batch_bytes;
		take_kept(f, s, u);
	}
	grow(f, from, u);
	find_headroom(u);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

static struct memory_use *blank_use(struct finder *f, uint32_t process)
{
	f->out->at = arena_next_row(f->mem, f->out->at, f->out->n, sizeof *f->out->at);
	struct memory_use *u = &f->out->at[f->out->n++];
	*u = (struct memory_use){.host = trace_process(f->t, process)->host,
				 .process = process,
				 .device = NONE_ID,
				 .ordinal = UNKNOWN_I64,
				 .peak = NONE_ID,
				 .peak_bytes = UNKNOWN_I64,
				 .peak_ns = UNKNOWN_I64,
				 .start_bytes = UNKNOWN_I64,
				 .end_bytes = UNKNOWN_I64,
				 .counts.reserved_peak_bytes = UNKNOWN_I64,
				 .reserved_bytes = UNKNOWN_I64,
				 .capacity_bytes = UNKNOWN_I64,
				 .largest_free_bytes = UNKNOWN_I64,
				 .fragmentation_pct = NAN,
				 .growth_bytes = NAN,
				 .late_growth_bytes = NAN,
				 .growth_place = NONE_ID,
				 .constant_bytes = UNKNOWN_I64,
				 .per_batch_bytes = UNKNOWN_I64,
				 .headroom = NAN,
				 .churn.longest = NONE_ID};
	return u;
}

static uint64_t use_key(uint32_t process, uint32_t device)
{
	return (uint64_t)process << 32 | device;
}

static void add_pool(struct finder *f, const struct replay_pool *p)
{
	uint32_t place = f->out->n;
	struct memory_use *u = blank_use(f, p->process);
	const struct memory_pool *info = replay_pool_info(f->x, p);
	struct memory_peak peak = memory_peak_of(f->d, f->x, p, f->q);
	u->pool = p;
	u->device = p->device;
	u->ordinal = replay_ordinal(f->x, p);
	u->allocator = trace_str(f->t, info->allocator);
	u->from = peak.from;
	u->to = peak.to;
	u->peak = peak.place;
	u->peak_bytes = peak.bytes;
	u->peak_ns = peak.at_ns;
	u->start_bytes = replay_before(f->x, p, u->from);
	u->end_bytes = replay_before(f->x, p, u->to);
	take_state(f->x, u);
	count_events(f, u);
	take_steps(f, u);
	idmap_put(&f->uses, use_key(u->process, u->device), place);
}

/* Of each host the only device that does anything: the calls themselves name none. NONE_ID: there are several, or none. */
static uint32_t *only_devices(struct finder *f)
{
	uint32_t hosts = trace_hosts(f->t);
	uint32_t *only = arena_alloc(f->mem, (hosts + (size_t)1) * sizeof *only);
	uint32_t *busy = arena_alloc(f->mem, (hosts + (size_t)1) * sizeof *busy);
	for (uint32_t i = 0; i < trace_devices(f->t); i++)
		if (derived_busy_device(f->d, i)->n) {
			uint32_t host = trace_device(f->t, i)->host;
			busy[host]++;
			only[host] = i;
		}
	for (uint32_t i = 0; i < hosts; i++)
		only[i] = busy[i] == 1 ? only[i] : NONE_ID;
	return only;
}

static uint32_t only_device(struct finder *f, uint32_t process)
{
	if (!f->only_device)
		f->only_device = only_devices(f);
	return f->only_device[trace_process(f->t, process)->host];
}

static void add_churn(struct finder *f, uint32_t process)
{
	if (!f->churn || !f->churn[process].calls)
		return;
	uint32_t device = only_device(f, process), n = f->out->n;
	uint32_t *place = device == NONE_ID ? &n : idmap_put(&f->uses, use_key(process, device), n);
	if (*place == f->out->n) {
		struct memory_use *u = blank_use(f, process);
		u->device = device;
		u->ordinal = device == NONE_ID ? UNKNOWN_I64 : trace_device(f->t, device)->ordinal;
		u->capacity_bytes = device == NONE_ID ? UNKNOWN_I64 : trace_device(f->t, device)->memory_bytes;
	}
	f->out->at[*place].churn = f->churn[process];
}

static int by_place(const void *a, const void *b)
{
	const struct memory_use *x = a, *y = b;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	/* devices before the host's memory, of which nobody says how much there is */
	if (x->ordinal != y->ordinal)
		return x->ordinal == UNKNOWN_I64   ? 1
		       : y->ordinal == UNKNOWN_I64 ? -1
		       : x->ordinal < y->ordinal   ? -1
						   : 1;
	return strcmp(x->allocator ? x->allocator : "", y->allocator ? y->allocator : "");
}

bool memory_uses_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct memory_uses *out, struct err *e)
{
	struct finder f = {.d = d,
			   .t = derived_trace(d),
			   .q = q,
			   .x = replay_of(d),
			   .mem = mem,
			   .out = out,
			   .loop = {.progress = p}};
	*out = (struct memory_uses){0};
	if (!memory_steps_find(d, q, mem, p, &f.steps, e) || !churn_find(d, q, mem, p, &f.churn, e))
		return false;
	for (uint32_t i = 0; i < f.x->n_pools; i++)
		add_pool(&f, &f.x->pools[i]);
	for (uint32_t i = 0; i < trace_processes(f.t); i++)
		add_churn(&f, i);
	idmap_free(&f.uses);
	if (out->n > 1)
		qsort(out->at, out->n, sizeof *out->at, by_place);
	return !f.loop.cancelled || err_usage(e, "cancelled");
}
