#include "replay.h"
#include <stdlib.h>
#include <string.h>
#include "model/store/base/column.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"

/* The replay as it is made: one block of memory, so that one call frees it. */
struct making {
	struct replay pub; /* first */
	struct replay_pool *pools;
	uint32_t *row, *other;
	int64_t *used_bytes, *run_max;
	uint32_t *pool_of;       /* by row, while the order is made; NULL: all are of the only pool */
	bool in_order;           /* rows stand in order of time */
	uint32_t *below;         /* by place: the open allocation of the same size before it; only without addresses */
	const struct columns *c; /* of the trace */
};

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

/* More than any memory, so that sums of a few such numbers would leave their range. */
static bool absurd(int64_t bytes)
{
	const int64_t most = INT64_C(1) << 56;
	return bytes != UNKNOWN_I64 && (bytes > most || bytes < -most);
}

/* What is in use after the event as its record says; its allocator tells totals. */
static int64_t recorded_total(const struct replay *x, uint32_t place)
{
	const struct allocation *a = replay_at(x, place);
	const struct allocator_state *s = a->state ? replay_state(x, place) : NULL;
	bool stack = s && s->stack_bytes != UNKNOWN_I64 && !absurd(s->stack_bytes);
	return a->allocated_bytes + (stack ? s->stack_bytes : 0);
}

int64_t replay_after(const struct replay *x, uint32_t place)
{
	return x->used_bytes ? x->used_bytes[place] : recorded_total(x, place);
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

/* The process allocates on this device only. */
static bool only_pool(const struct replay *x, const struct replay_pool *p)
{
	for (uint32_t i = 0; i < x->n_pools; i++) {
		const struct replay_pool *other = &x->pools[i];
		int32_t device = replay_pool_info(x, other)->device;
		if (other->process == p->process && device >= 0 && device != replay_pool_info(x, p)->device)
			return false;
	}
	return true;
}

uint32_t replay_device(const struct replay *x, const struct replay_pool *p)
{
	int32_t ordinal = replay_pool_info(x, p)->device;
	uint32_t only = NONE_ID, n = 0;
	for (uint32_t i = 0; ordinal >= 0 && i < trace_devices(x->t); i++) {
		if (trace_device(x->t, i)->host != replay_host(x, p))
			continue;
		if (trace_device(x->t, i)->ordinal == ordinal)
			return i;
		only = i;
		n++;
	}
	return n == 1 && only_pool(x, p) ? only : NONE_ID;
}

int64_t replay_ordinal(const struct replay *x, const struct replay_pool *p)
{
	uint32_t device = replay_device(x, p);
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
	uint32_t device = replay_device(x, p);
	return device == NONE_ID ? UNKNOWN_I64 : trace_device(x->t, device)->memory_bytes;
}

static uint32_t runs_of(const struct replay_pool *p)
{
	return (p->n + REPLAY_RUN - 1) / REPLAY_RUN;
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

static int64_t row_ns(const struct making *m, uint32_t row)
{
	return m->c->start_ns[m->pub.rows[row].event];
}

/* Where the run that begins at `i` ends: rows of one thread stand in order of time. */
static uint32_t run_end(const struct making *m, const uint32_t *order, uint32_t i)
{
	int64_t last_ns = row_ns(m, order[i]);
	for (i++; i < m->pub.n; i++) {
		int64_t ns = row_ns(m, order[i]);
		if (ns < last_ns)
			break;
		last_ns = ns;
	}
	return i;
}

static void merge_runs(const struct making *m, const uint32_t *from, uint32_t a, uint32_t b, uint32_t end, uint32_t *to)
{
	uint32_t at = a, mid = b;
	while (a < mid && b < end)
		to[at++] = row_ns(m, from[b]) < row_ns(m, from[a]) ? from[b++] : from[a++];
	memcpy(to + at, from + a, (mid - a) * sizeof *to);
	at += mid - a;
	memcpy(to + at, from + b, (end - b) * sizeof *to);
}

/* Merges neighbouring runs; gives how many there are then. */
static uint32_t merge_all(const struct making *m, const uint32_t *from, uint32_t *to)
{
	uint32_t runs = 0;
	for (uint32_t a = 0; a < m->pub.n; runs++) {
		uint32_t b = run_end(m, from, a), end = b < m->pub.n ? run_end(m, from, b) : b;
		merge_runs(m, from, a, b, end, to);
		a = end;
	}
	return runs;
}

/* All rows in order of time; of equal times as they stand. */
static uint32_t *time_order(const struct making *m)
{
	uint32_t *a = must(malloc(m->pub.n * sizeof *a)), *b = NULL;
	for (uint32_t i = 0; i < m->pub.n; i++)
		a[i] = i;
	if (!m->in_order) {
		b = must(malloc(m->pub.n * sizeof *b));
		for (uint32_t runs = 2; runs > 1;) {
			runs = merge_all(m, a, b);
			uint32_t *other = a;
			a = b;
			b = other;
		}
	}
	free(b);
	return a;
}

static struct replay_pool *pool_of_row(const struct making *m, uint32_t row)
{
	uint32_t pool = m->pool_of ? m->pool_of[row] : 0;
	return pool == NONE_ID ? NULL : &m->pools[pool];
}

static void place_rows(struct making *m)
{
	uint32_t *order = time_order(m), at = 0;
	for (uint32_t i = 0; i < m->pub.n_pools; i++) {
		m->pools[i].first = at;
		at += m->pools[i].n;
		m->pools[i].n = 0;
	}
	for (uint32_t i = 0; i < m->pub.n; i++) {
		struct replay_pool *p = pool_of_row(m, order[i]);
		if (p)
			m->row[p->first + p->n++] = order[i];
	}
	free(order);
}

/* ---- allocations and what ends them -------------------------------------------------------------------------------------- */

static void end_block(struct making *m, uint32_t from, uint32_t to)
{
	m->other[from] = to;
}

/* Ends the block that is at the address now; gives it when an allocation takes over its address. */
static uint32_t match_address(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t place)
{
	const struct allocation *a = replay_at(&m->pub, place);
	if (a->bytes < 0) {
		uint32_t from = idmap_take(open, a->addr);
		if (from == NONE_ID)
			p->unknown++;
		else
			end_block(m, from, place);
		m->other[place] = from;
		return NONE_ID;
	}
	uint32_t *at = idmap_put(open, a->addr, NONE_ID), from = *at;
	*at = place;
	if (from != NONE_ID) {
		end_block(m, from, place);
		p->given_again++;
	}
	return from;
}

/* The latest open block of that size. */
static void match_size(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t place)
{
	int64_t bytes = replay_at(&m->pub, place)->bytes;
	if (bytes == UNKNOWN_I64) {
		p->unknown++;
		return;
	}
	uint32_t *top = idmap_put(open, (uint64_t)(bytes < 0 ? -bytes : bytes), NONE_ID);
	if (bytes > 0) {
		m->below[place] = *top;
		*top = place;
		return;
	}
	uint32_t from = *top;
	if (from == NONE_ID) {
		p->unknown++;
		return;
	}
	*top = m->below[from];
	end_block(m, from, place);
	m->other[place] = from;
}

/* ---- in use -------------------------------------------------------------------------------------------------------------- */

static int64_t added(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? b < 0 ? INT64_MIN / 4 : INT64_MAX / 4 : sum;
}

/* What the event changes: with its own block one whose address it takes over. */
static int64_t change(const struct making *m, const struct replay_pool *p, uint32_t place, uint32_t taken_over)
{
	int64_t bytes = replay_bytes(&m->pub, p, place);
	return taken_over == NONE_ID ? bytes : bytes - replay_at(&m->pub, taken_over)->bytes;
}

/* In use after the event, of which `used` was before. */
static int64_t use_after(struct making *m, struct replay_pool *p, uint32_t place, uint32_t taken_over, int64_t used)
{
	int64_t told = p->has_totals ? recorded_total(&m->pub, place) : UNKNOWN_I64;
	if (m->used_bytes)
		m->used_bytes[place] = told;
	int64_t by_bytes = added(used, change(m, p, place, taken_over));
	if (!p->has_totals)
		return m->used_bytes[place] = by_bytes;
	if (place == p->first)
		p->before_bytes = added(told, -by_bytes);
	else
		p->differences += told != by_bytes;
	return told;
}

static void note_most(struct making *m, const struct replay_pool *p, uint32_t place, int64_t used)
{
	uint32_t at = place - p->first;
	int64_t *most = &m->run_max[p->first_run + at / REPLAY_RUN];
	if (at % REPLAY_RUN == 0 || used > *most)
		*most = used;
}

/* Summed up from 0 on, the lowest point is below it. */
static void lift(struct making *m, struct replay_pool *p, int64_t bytes)
{
	p->before_bytes = bytes;
	for (uint32_t i = p->first; i < p->first + p->n; i++)
		m->used_bytes[i] = added(m->used_bytes[i], bytes);
	for (uint32_t i = 0; i < runs_of(p); i++)
		m->run_max[p->first_run + i] = added(m->run_max[p->first_run + i], bytes);
}

static void play_pool(struct making *m, struct replay_pool *p)
{
	struct idmap open = {0};
	int64_t used = 0, least = 0;
	for (uint32_t i = p->first; i < p->first + p->n; i++) {
		uint32_t taken_over = NONE_ID;
		m->other[i] = NONE_ID;
		if (p->has_addresses)
			taken_over = match_address(m, p, &open, i);
		else
			match_size(m, p, &open, i);
		used = use_after(m, p, i, taken_over, used);
		note_most(m, p, i, used);
		least = used < least ? used : least;
	}
	idmap_free(&open);
	if (!p->has_totals && least < 0)
		lift(m, p, -least);
}

/* ---- pools --------------------------------------------------------------------------------------------------------------- */

struct pools {
	struct idmap by; /* process and pool -> which */
	struct replay_pool *at;
	uint32_t n;
};

/* Says which pool the row is of; as long as all are of the first one nobody needs to be told. */
static void note_pool(struct making *m, uint32_t row, uint32_t pool)
{
	if (!m->pool_of && pool == 0)
		return;
	if (!m->pool_of)
		m->pool_of = must(calloc(m->pub.n, sizeof *m->pool_of));
	m->pool_of[row] = pool;
}

static void count_row(struct making *m, struct pools *v, uint32_t row)
{
	const struct allocation *a = &m->pub.rows[row];
	uint32_t process = trace_track(m->pub.t, m->c->track[a->event])->process;
	/* a file from elsewhere may say anything */
	if (process == NONE_ID || a->bytes == 0 || absurd(a->bytes) || absurd(a->allocated_bytes)) {
		note_pool(m, row, NONE_ID);
		return;
	}
	uint32_t *which = idmap_put(&v->by, (uint64_t)process << 32 | a->pool, NONE_ID);
	if (*which == NONE_ID) {
		*which = v->n;
		v->at = must(realloc(v->at, (v->n + 1) * sizeof *v->at));
		v->at[v->n++] = (struct replay_pool){.process = process,
						     .row = a->pool,
						     .has_totals = true,
						     .has_addresses = true,
						     .counts.reserved_peak_bytes = UNKNOWN_I64};
	}
	struct replay_pool *p = &v->at[*which];
	p->n++;
	memory_counts_add(&p->counts, a);
	p->has_totals &= a->allocated_bytes != UNKNOWN_I64;
	p->has_addresses &= a->addr != 0;
	note_pool(m, row, *which);
}

static void count_rows(struct making *m, struct pools *v)
{
	int64_t last_ns = INT64_MIN;
	m->in_order = true;
	for (uint32_t i = 0; i < m->pub.n; i++) {
		int64_t ns = row_ns(m, i);
		m->in_order &= ns >= last_ns;
		last_ns = ns;
		count_row(m, v, i);
	}
}

static int by_memory(const void *a, const void *b, void *arg)
{
	const struct replay_pool *x = a, *y = b;
	const struct replay *r = arg;
	int32_t p = replay_pool_info(r, x)->device, q = replay_pool_info(r, y)->device;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (p != q) /* the host's memory last */
		return p < 0 ? 1 : q < 0 ? -1 : p < q ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Devices first; the numbers that rows have follow. */
static void sort_pools(struct making *m, struct pools *v)
{
	uint32_t *to = must(malloc((v->n + 1) * sizeof *to));
	for (uint32_t i = 0; i < v->n; i++)
		v->at[i].first = i;
	if (v->n > 1)
		qsort_r(v->at, v->n, sizeof *v->at, by_memory, &m->pub);
	for (uint32_t i = 0; i < v->n; i++)
		to[v->at[i].first] = i;
	for (uint32_t i = 0; m->pool_of && i < m->pub.n; i++)
		m->pool_of[i] = m->pool_of[i] == NONE_ID ? NONE_ID : to[m->pool_of[i]];
	free(to);
}

static void *part(char **at, size_t bytes)
{
	void *p = *at;
	*at += (bytes + 15) / 16 * 16;
	return p;
}

/* The whole in one block. Rows that stand as the places do need no list of them, totals that are recorded no second one. */
static struct making *lay_out(const struct making *from, const struct pools *v)
{
	size_t n = from->pub.n, runs = 0;
	size_t row_bytes = from->in_order && !from->pool_of ? 0 : sizeof(uint32_t), used_bytes = 0;
	for (uint32_t i = 0; i < v->n; i++) {
		runs += runs_of(&v->at[i]);
		used_bytes = v->at[i].has_totals ? used_bytes : sizeof(int64_t);
	}
	size_t bytes = sizeof(struct making) + v->n * sizeof *v->at + n * (row_bytes + sizeof(uint32_t) + used_bytes) +
		       runs * sizeof(int64_t) + 6 * 16;
	struct making *m = must(large_alloc(bytes));
	char *at = (char *)m;
	part(&at, sizeof *m);
	*m = *from;
	m->pub.n_pools = v->n;
	m->pub.pools = m->pools = part(&at, v->n * sizeof *v->at);
	m->pub.used_bytes = m->used_bytes = used_bytes ? part(&at, n * used_bytes) : NULL;
	m->pub.run_max = m->run_max = part(&at, runs * sizeof(int64_t));
	m->pub.row = m->row = row_bytes ? part(&at, n * row_bytes) : NULL;
	m->pub.other = m->other = part(&at, n * sizeof(uint32_t));
	if (v->n)
		memcpy(m->pools, v->at, v->n * sizeof *v->at);
	return m;
}

static void play(struct making *m)
{
	bool sizes = false;
	uint32_t runs = 0;
	if (m->row)
		place_rows(m);
	else if (m->pub.n_pools)
		m->pools[0].first = 0;
	for (uint32_t i = 0; i < m->pub.n_pools; i++)
		sizes |= !m->pools[i].has_addresses;
	m->below = sizes ? must(malloc(m->pub.n * sizeof *m->below)) : NULL;
	for (uint32_t i = 0; i < m->pub.n_pools; i++) {
		m->pools[i].first_run = runs;
		runs += runs_of(&m->pools[i]);
		play_pool(m, &m->pools[i]);
	}
	free(m->below);
	m->below = NULL;
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

static void *make_replay(const struct derived *d, struct progress *progress, struct err *e)
{
	(void)progress;
	(void)e;
	const void *rows;
	struct making from = {.pub = {.t = derived_trace(d)}, .c = derived_columns(d)};
	uint64_t n = trace_side_rows(from.pub.t, SIDE_ALLOCATIONS, &rows);
	struct pools v = {0};
	from.pub.rows = rows;
	from.pub.n = (uint32_t)n;
	count_rows(&from, &v);
	sort_pools(&from, &v);
	struct making *m = lay_out(&from, &v);
	if (m->pub.n)
		play(m);
	idmap_free(&v.by);
	free(v.at);
	free(m->pool_of);
	m->pool_of = NULL;
	return m;
}

const struct replay *replay_of(const struct derived *d)
{
	static const struct kept_maker maker = {make_replay, free};
	return derived_kept(d, &maker, NULL, NULL);
}

/* ---- asking ---------------------------------------------------------------------------------------------------------------- */

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
