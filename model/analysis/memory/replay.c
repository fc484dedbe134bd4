#include "replay.h"
#include "replay_making.h"

/* ---- what rows say ----------------------------------------------------------------------------------------------------- */

const struct memory_pool *replay_pool_info(const struct replay *x, const struct replay_pool *p)
{
	static const struct memory_pool none = {0, -1};
	const void *rows;
	uint64_t n = trace_side_rows(x->t, SIDE_MEMORY_POOLS, &rows);
	return p->row < n ? (const struct memory_pool *)rows + p->row : &none;
}

const struct allocator_state *replay_state(const struct replay *x, uint32_t place)
{
	const void *rows;
	uint32_t row = replay_at(x, place)->state;
	uint64_t n = row ? trace_side_rows(x->t, SIDE_ALLOCATOR_STATES, &rows) : 0;
	return row < n ? (const struct allocator_state *)rows + row : NULL;
}

int64_t replay_recorded_total(const struct replay *x, uint32_t place)
{
	const struct allocation *a = replay_at(x, place);
	const struct allocator_state *s = a->state ? replay_state(x, place) : NULL;
	bool stack = s && s->stack_bytes != UNKNOWN_I64 && !replay_absurd(s->stack_bytes);
	return a->allocated_bytes + (stack ? s->stack_bytes : 0);
}

int64_t replay_after(const struct replay *x, uint32_t place)
{
	return x->used_bytes ? x->used_bytes[place] : replay_recorded_total(x, place);
}

int64_t replay_bytes(const struct replay *x, const struct replay_pool *p, uint32_t place)
{
	const struct allocation *a = replay_at(x, place);
	if (a->bytes != UNKNOWN_I64)
		return a->bytes;
	if (x->other[place] != NONE_ID)
		return -replay_at(x, x->other[place])->bytes;
	return p->has_totals ? replay_after(x, place) - replay_before(x, p, place) : 0;
}

uint32_t replay_host(const struct replay *x, const struct replay_pool *p)
{
	return trace_process(x->t, p->process)->host;
}

int64_t replay_ordinal(const struct replay *x, const struct replay_pool *p)
{
	uint32_t device = p->device;
	int32_t ordinal = replay_pool_info(x, p)->device;
	if (device != NONE_ID)
		return trace_device(x->t, device)->ordinal;
	return ordinal >= 0 ? ordinal : UNKNOWN_I64;
}

int64_t replay_capacity(const struct replay *x, const struct replay_pool *p, uint32_t place)
{
	const struct allocator_state *s = place == NONE_ID ? NULL : replay_state(x, place);
	int64_t bytes;
	if (s && s->available_bytes >= 0 && !__builtin_add_overflow(replay_after(x, place), s->available_bytes, &bytes))
		return bytes;
	uint32_t device = p->device;
	return device == NONE_ID ? UNKNOWN_I64 : trace_device(x->t, device)->memory_bytes;
}

/* ---- asking ---------------------------------------------------------------------------------------------------------------- */

const struct replay *replay_of(const struct derived *d)
{
	static const struct kept_maker maker = {replay_make, replay_free};
	return derived_kept(d, &maker, NULL, NULL);
}

uint32_t replay_from(const struct replay *x, const struct replay_pool *p, int64_t ts_ns)
{
	uint32_t lo = p->first, hi = p->first + p->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (replay_ns(x, mid) < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint32_t later_of(const struct replay *x, uint32_t best, uint32_t place)
{
	return best == NONE_ID || replay_after(x, place) >= replay_after(x, best) ? place : best;
}

uint32_t replay_most(const struct replay *x, const struct replay_pool *p, uint32_t from, uint32_t to)
{
	uint32_t best = NONE_ID;
	for (uint32_t i = from; i < to;) {
		uint32_t at = i - p->first, run = p->first_run + at / REPLAY_RUN;
		bool whole = at % REPLAY_RUN == 0 && i + REPLAY_RUN <= to;
		if (whole && best != NONE_ID && x->run_max[run] < replay_after(x, best)) {
			i += REPLAY_RUN;
			continue;
		}
		best = later_of(x, best, i++);
	}
	return best;
}

static const struct replay_pool *pool_of_event(const struct replay *x, const struct allocation *a)
{
	uint32_t process = trace_track(x->t, trace_columns(x->t)->track[a->event])->process;
	for (uint32_t i = 0; i < x->n_pools; i++)
		if (x->pools[i].process == process && x->pools[i].row == a->pool)
			return &x->pools[i];
	return NULL;
}

row_id replay_other_event(const struct replay *x, row_id r)
{
	const struct allocation *a = trace_side(x->t, SIDE_ALLOCATIONS, r);
	const struct replay_pool *p = a ? pool_of_event(x, a) : NULL;
	int64_t at_ns = trace_columns(x->t)->start_ns[r];
	uint32_t end = p ? p->first + p->n : 0;
	for (uint32_t place = p ? replay_from(x, p, at_ns) : 0; place < end && replay_ns(x, place) == at_ns; place++)
		if (replay_event(x, place) == r)
			return x->other[place] == NONE_ID ? NONE_ID : replay_event(x, x->other[place]);
	return NONE_ID;
}
