#include <stdlib.h>
#include <string.h>
#include "model/store/base/column.h"
#include "model/store/base/memory.h"
#include "replay_making.h"

/* ---- pools --------------------------------------------------------------------------------------------------------------- */

static uint64_t pool_key(const struct making *m, uint32_t row)
{
	const struct allocation *a = &m->pub.rows[row];
	return (uint64_t)trace_track(m->pub.t, m->c->track[a->event])->process << 32 | a->pool;
}

/* A file from elsewhere may say anything. */
static bool counts(const struct allocation *a, uint64_t key)
{
	return key >> 32 != NONE_ID && a->bytes != 0 && !replay_absurd(a->bytes) && !replay_absurd(a->allocated_bytes);
}

/* Which pool has that key; NONE_ID: it is new. Rows of one pool follow each other. */
static uint32_t find_pool(struct found_pools *v, uint64_t key)
{
	if (v->last != NONE_ID && v->last_key == key)
		return v->last;
	v->last_key = key;
	return v->last = idmap_get(&v->by, key);
}

static uint32_t add_pool(struct found_pools *v, uint64_t key)
{
	v->at = must(realloc(v->at, (v->n + 1) * sizeof *v->at));
	v->at[v->n] = (struct replay_pool){.process = (uint32_t)(key >> 32),
					   .row = (uint32_t)key,
					   .has_totals = true,
					   .has_addresses = true,
					   .counts.reserved_peak_bytes = UNKNOWN_I64};
	*idmap_put(&v->by, key, 0) = v->n;
	return v->last = v->n++;
}

static void survey_row(struct making *m, uint32_t row)
{
	struct found_pools *v = &m->found;
	const struct allocation *a = &m->pub.rows[row];
	uint64_t key = pool_key(m, row);
	if (!counts(a, key)) {
		v->left_out = true;
		return;
	}
	uint32_t which = find_pool(v, key);
	which = which == NONE_ID ? add_pool(v, key) : which;
	struct replay_pool *p = &v->at[which];
	p->n++;
	memory_counts_add(&p->counts, a);
	p->has_totals &= a->allocated_bytes != UNKNOWN_I64;
	p->has_addresses &= a->addr != 0;
}

static int64_t row_ns(const struct making *m, uint32_t row)
{
	return m->c->start_ns[m->pub.rows[row].event];
}

void replay_survey(struct making *m, uint32_t n)
{
	struct found_pools *v = &m->found;
	for (uint32_t end = m->surveyed + n; m->surveyed < end; m->surveyed++) {
		int64_t ns = row_ns(m, m->surveyed);
		v->in_order &= ns >= v->last_ns;
		v->last_ns = ns;
		survey_row(m, m->surveyed);
	}
}

bool replay_guess_holds(const struct found_pools *v)
{
	return v->n == 1 && v->in_order && !v->left_out && v->at[0].has_totals && v->at[0].has_addresses;
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

/* Devices first. */
static void sort_pools(struct making *m)
{
	struct found_pools *v = &m->found;
	for (uint32_t i = 0; i < v->n; i++)
		v->at[i].first = i;
	if (v->n > 1)
		qsort_r(v->at, v->n, sizeof *v->at, by_memory, &m->pub);
	idmap_clear(&v->by);
	v->last = NONE_ID;
	for (uint32_t i = 0; i < v->n; i++)
		*idmap_put(&v->by, (uint64_t)v->at[i].process << 32 | v->at[i].row, 0) = i;
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

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
	if (!m->found.in_order) {
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

static void place_rows(struct making *m)
{
	uint32_t *order = time_order(m);
	m->row = must(large_alloc(m->pub.n * sizeof *m->row));
	for (uint32_t i = 0; i < m->found.n; i++)
		m->found.at[i].n = 0;
	for (uint32_t i = 0; i < m->pub.n; i++) {
		uint64_t key = pool_key(m, order[i]);
		if (!counts(&m->pub.rows[order[i]], key))
			continue;
		struct replay_pool *p = &m->found.at[find_pool(&m->found, key)];
		m->row[p->first + p->n++] = order[i];
	}
	free(order);
}

void replay_place(struct making *m)
{
	struct found_pools *v = &m->found;
	uint32_t at = 0, runs = 0;
	sort_pools(m);
	for (uint32_t i = 0; i < v->n; i++) {
		v->at[i].first = at;
		v->at[i].first_run = runs;
		at += v->at[i].n;
		runs += replay_runs(&v->at[i]);
	}
	if (!v->in_order || v->left_out || v->n > 1)
		place_rows(m);
	m->pub.row = m->row;
}
