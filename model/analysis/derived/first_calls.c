#include "first_calls.h"
#include "derived_data.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/bits.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { TIMES = 10, FEWEST = 4, FEW = 10 };

struct capture {
	uint32_t track;
	row_id begin, end; /* the calls around it */
	int64_t a_ns, b_ns;
};
struct first_calls {
	struct capture *captures;
	uint32_t n_captures, cap, n;
	row_id *rows; /* sorted; found by the first who asks for one that may be among them */
	atomic_bool rows_found;
};

/* ---- first calls of ops ---------------------------------------------------------------------------------------------- */

/* Per name: its first op, how many there are, and how many take more than a tenth of that one's time. Where these are few, they
 * are first calls, too: of other shapes. */
struct calls {
	row_id first;
	uint32_t count, slow;
	bool may_be; /* often enough, and the first one long enough */
};

static bool is_op(const struct columns *c, row_id r)
{
	return c->kind[r] == KIND_OP;
}

static bool is_slow(const struct columns *c, const struct calls *k, row_id r)
{
	return c->dur_ns[r] > c->dur_ns[k->first] / TIMES;
}

static bool is_first(const struct columns *c, const struct calls *k, row_id r)
{
	if (!k->may_be || k->slow * 2 > k->count)
		return false;
	return r == k->first || (k->slow <= k->count / FEW && is_slow(c, k, r));
}

static bool may_have_first(const struct columns *c, const struct name_use *use)
{
	return use->ops >= FEWEST && c->dur_ns[use->first_op] >= FIRST_CALL_NS;
}

static const struct name_use *use_of(const struct derived *d, str_id name)
{
	static const struct name_use none;
	return name < d->n_name_uses ? &d->name_uses[name] : &none;
}

static void choose_names(const struct derived *d, struct calls *names)
{
	const struct name_use *uses = d->name_uses;
	for (uint32_t i = 0; i < d->n_name_uses; i++) {
		if (!uses[i].ops) /* most names: nothing is written there */
			continue;
		names[i].first = uses[i].first_op;
		names[i].count = uses[i].ops;
		names[i].may_be = may_have_first(d->pub.c, &uses[i]);
	}
}

/* The first row at or after `r` of `rows`, a bit per row; NULL: of all. */
static uint64_t next_row(const struct columns *c, const uint64_t *rows, uint64_t r)
{
	return rows ? bits_next(rows, r, c->n) : r;
}

static void count_slow(const struct columns *c, const uint64_t *rows, struct calls *names)
{
	for (uint64_t r = next_row(c, rows, 0); r < c->n; r = next_row(c, rows, r + 1))
		if (c->dur_ns[r] > FIRST_CALL_NS / TIMES && is_op(c, (row_id)r) && names[c->name[r]].may_be)
			names[c->name[r]].slow += is_slow(c, &names[c->name[r]], (row_id)r);
}

/* Those long enough are kept at first, and looked through again once all slow ones are counted. */
static void keep_first_calls(struct first_calls *f, const struct columns *c, struct calls *names)
{
	uint32_t cap = 0, n = 0;
	for (row_id r = 0; r < c->n; r++) {
		if (c->dur_ns[r] <= FIRST_CALL_NS / TIMES || !is_op(c, r) || !names[c->name[r]].may_be)
			continue;
		names[c->name[r]].slow += is_slow(c, &names[c->name[r]], r);
		if (c->dur_ns[r] < FIRST_CALL_NS)
			continue;
		GROW_ARRAY(f->rows, n, cap);
		f->rows[n++] = r;
	}
	for (uint32_t i = 0; i < n; i++)
		if (is_first(c, &names[c->name[f->rows[i]]], f->rows[i]))
			f->rows[f->n++] = f->rows[i];
}

static void find_first_calls(struct first_calls *f, const struct derived *d)
{
	uint32_t n_names = strings_count(trace_strings(d->pub.t)) + 1;
	struct calls *names = must(calloc(n_names, sizeof *names));
	choose_names(d, names);
	keep_first_calls(f, d->pub.c, names);
	free(names);
}

/* ---- what tells the same of a part of the trace ---------------------------------------------------------------------- */

struct proofs {
	const struct columns *c;
	struct calls *whole, *held; /* of all rows, once something differs; of those kept; by name */
	bool *differ;               /* by name: of a long op kept these say different things */
};

static void count_held(const struct columns *c, const uint64_t *kept, struct calls *held)
{
	for (uint64_t r = next_row(c, kept, 0); r < c->n; r = next_row(c, kept, r + 1)) {
		struct calls *k = &held[c->name[r]];
		if (is_op(c, (row_id)r) && (!k->count++ || c->start_ns[r] < c->start_ns[k->first]))
			k->first = (row_id)r;
	}
	for (uint64_t r = next_row(c, kept, 0); r < c->n; r = next_row(c, kept, r + 1)) {
		struct calls *k = &held[c->name[r]];
		k->may_be = k->count >= FEWEST && c->dur_ns[k->first] >= FIRST_CALL_NS;
	}
	count_slow(c, kept, held);
}

static bool find_differing(struct proofs *p, const struct derived *d, const uint64_t *kept)
{
	bool any = false;
	for (uint64_t r = next_row(p->c, kept, 0); r < p->c->n; r = next_row(p->c, kept, r + 1)) {
		str_id name = p->c->name[r];
		if (p->c->dur_ns[r] < FIRST_CALL_NS || !is_op(p->c, (row_id)r) ||
		    first_call(d, (row_id)r) == is_first(p->c, &p->held[name], (row_id)r))
			continue;
		any = p->differ[name] = true;
	}
	return any;
}

/* 0: no call is a first one, 1: the first is, 2: all slow ones are. */
static int standing(const struct calls *k)
{
	bool none = k->count < FEWEST || k->slow * 2 > k->count;
	return none ? 0 : k->slow > k->count / FEW ? 1 : 2;
}

/* Slow ones are counted against the true first call from here on, which is kept. */
static void keep_firsts(struct proofs *p, const uint64_t *kept, uint32_t n_names, void (*keep)(void *, row_id),
			void *arg)
{
	for (uint32_t i = 0; i < n_names; i++) {
		if (!p->differ[i])
			continue;
		p->held[i] = (struct calls){.first = p->whole[i].first, .may_be = p->whole[i].may_be};
		keep(arg, p->whole[i].first);
	}
	for (uint64_t r = next_row(p->c, kept, 0); r < p->c->n; r = next_row(p->c, kept, r + 1)) {
		struct calls *k = &p->held[p->c->name[r]];
		if (!is_op(p->c, (row_id)r) || !p->differ[p->c->name[r]])
			continue;
		k->count++;
		k->slow += is_slow(p->c, k, (row_id)r);
	}
}

/* Until the standing is that of the whole; `any`: whatever there is, else only what moves it there. */
static void keep_others(struct proofs *p, const uint64_t *kept, bool any, void (*keep)(void *, row_id), void *arg)
{
	for (row_id r = 0; r < p->c->n; r++) {
		str_id name = p->c->name[r];
		if (!is_op(p->c, r) || !p->differ[name] || !p->whole[name].may_be || (kept[r / 64] >> r % 64 & 1))
			continue;
		struct calls *k = &p->held[name];
		int have = standing(k), want = standing(&p->whole[name]);
		bool slow = is_slow(p->c, k, r);
		if (have == want || (!any && slow != (have > want)))
			continue;
		k->count++;
		k->slow += slow;
		keep(arg, r);
	}
}

static void keep_proofs(struct proofs *p, const struct derived *d, const uint64_t *kept, uint32_t n,
			void (*keep)(void *arg, row_id r), void *arg)
{
	choose_names(d, p->whole);
	count_slow(p->c, NULL, p->whole);
	keep_firsts(p, kept, n, keep, arg);
	keep_others(p, kept, false, keep, arg);
	keep_others(p, kept, true, keep, arg);
}

void first_call_proofs(const struct derived *d, const uint64_t *kept, void (*keep)(void *arg, row_id r), void *arg)
{
	uint32_t n = strings_count(trace_strings(d->pub.t)) + 1;
	struct proofs p = {.c = d->pub.c,
			   .whole = must(calloc(n, sizeof *p.whole)),
			   .held = must(calloc(n, sizeof *p.held)),
			   .differ = must(calloc(n, sizeof *p.differ))};
	count_held(p.c, kept, p.held);
	if (find_differing(&p, d, kept))
		keep_proofs(&p, d, kept, n, keep, arg);
	free(p.whole);
	free(p.held);
	free(p.differ);
}

/* ---- graph capture --------------------------------------------------------------------------------------------------- */

static bool begins_capture(const char *name)
{
	return strstr(name, "StreamBeginCapture") != NULL;
}

static bool ends_capture(const char *name)
{
	return strstr(name, "StreamEndCapture") != NULL;
}

static void add_capture(struct first_calls *f, const struct columns *c, row_id begin, row_id end)
{
	GROW_ARRAY(f->captures, f->n_captures, f->cap);
	f->captures[f->n_captures++] =
		(struct capture){c->track[begin], begin, end, c->start_ns[begin], c->start_ns[end] + c->dur_ns[end]};
}

/* Calls of a name: unlooked at, none, begin, end. */
enum { NOT_LOOKED_AT, NEITHER, BEGINS, ENDS };

static uint8_t capture_kind(const struct derived *d, str_id name, uint8_t *kinds)
{
	const char *text = trace_str(d->pub.t, name);
	if (kinds[name] == NOT_LOOKED_AT)
		kinds[name] = begins_capture(text) ? BEGINS : ends_capture(text) ? ENDS : NEITHER;
	return kinds[name];
}

/* Rows of a track stand together, in order of time. */
static void keep_captures(struct first_calls *f, const struct derived *d, uint8_t *kinds)
{
	const struct columns *c = d->pub.c;
	row_id begun = NONE_ID;
	for (row_id r = 0; r < c->n; r++) {
		if (c->kind[r] != KIND_RUNTIME)
			continue;
		uint8_t kind = capture_kind(d, c->name[r], kinds);
		if (kind == ENDS && begun != NONE_ID && c->track[begun] == c->track[r])
			add_capture(f, c, begun, r);
		begun = kind == BEGINS ? r : kind == ENDS ? NONE_ID : begun;
	}
}

static void find_captures(struct first_calls *f, const struct derived *d)
{
	if (!name_fits_any(d, KIND_BIT(KIND_RUNTIME), begins_capture))
		return;
	uint8_t *kinds = must(calloc(strings_count(trace_strings(d->pub.t)) + (size_t)1, 1));
	keep_captures(f, d, kinds);
	free(kinds);
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static struct first_calls *calls_new(const struct derived *d)
{
	struct first_calls *f = must(calloc(1, sizeof *f));
	find_captures(f, d);
	return f;
}

static struct first_calls *calls_of(const struct derived *d)
{
	struct derived *w = (struct derived *)d;
	struct first_calls *f = atomic_load_explicit(&w->firsts, memory_order_acquire);
	if (f)
		return f;
	pthread_mutex_lock(&w->lazy_lock);
	f = atomic_load_explicit(&w->firsts, memory_order_relaxed);
	if (!f) {
		f = calls_new(d);
		atomic_store_explicit(&w->firsts, f, memory_order_release);
	}
	pthread_mutex_unlock(&w->lazy_lock);
	return f;
}

void first_calls_free(struct derived *d)
{
	struct first_calls *f = atomic_load(&d->firsts);
	if (!f)
		return;
	free(f->rows);
	free(f->captures);
	free(f);
}

static const struct first_calls *with_rows(const struct derived *d)
{
	struct first_calls *f = calls_of(d);
	if (atomic_load_explicit(&f->rows_found, memory_order_acquire))
		return f;
	struct derived *w = (struct derived *)d;
	pthread_mutex_lock(&w->lazy_lock);
	if (!atomic_load_explicit(&f->rows_found, memory_order_relaxed))
		find_first_calls(f, d);
	atomic_store_explicit(&f->rows_found, true, memory_order_release);
	pthread_mutex_unlock(&w->lazy_lock);
	return f;
}

bool first_call(const struct derived *d, row_id r)
{
	const struct columns *c = d->pub.c;
	/* most names have none, and for those nobody looks through all events */
	if (c->dur_ns[r] < FIRST_CALL_NS || !is_op(c, r) || !may_have_first(c, use_of(d, c->name[r])))
		return false;
	const struct first_calls *f = with_rows(d);
	return f->n && bsearch(&r, f->rows, f->n, sizeof r, u32_order) != NULL;
}

static row_id around_capture(const struct derived *d, const struct capture *x)
{
	for (row_id r = parent_of(d, x->begin); r != NONE_ID; r = parent_of(d, r))
		if (row_end(d->pub.c, r) >= x->b_ns)
			return r;
	return x->begin;
}

row_id graph_capture_at(const struct derived *d, uint32_t track, int64_t ts_ns)
{
	const struct first_calls *f = calls_of(d);
	for (uint32_t i = 0; i < f->n_captures; i++)
		if (f->captures[i].track == track && f->captures[i].a_ns <= ts_ns && ts_ns < f->captures[i].b_ns)
			return around_capture(d, &f->captures[i]);
	return NONE_ID;
}

bool graph_captures_on(const struct derived *d, uint32_t track)
{
	const struct first_calls *f = calls_of(d);
	uint32_t i = 0;
	while (i < f->n_captures && f->captures[i].track != track)
		i++;
	return i < f->n_captures;
}

void graph_capture_calls(const struct derived *d, int64_t a_ns, int64_t b_ns, void (*keep)(void *arg, row_id r),
			 void *arg)
{
	const struct first_calls *f = calls_of(d);
	for (uint32_t i = 0; i < f->n_captures; i++) {
		const struct capture *x = &f->captures[i];
		if (x->a_ns >= b_ns || x->b_ns <= a_ns)
			continue;
		keep(arg, x->begin);
		keep(arg, x->end);
	}
}

bool first_call_of_name(const struct derived *d, row_id r)
{
	return use_of(d, d->pub.c->name[r])->first_op == r;
}
