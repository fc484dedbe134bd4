#include "first_calls.h"
#include "derived_data.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { LONG_NS = 1000000, TIMES = 10, FEWEST = 4, FEW = 10 };

struct capture {
	uint32_t track;
	int64_t a_ns, b_ns;
};
struct first_calls {
	row_id *rows; /* sorted */
	struct capture *captures;
	uint32_t n, n_captures, cap;
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

static void count_op(const struct columns *c, row_id r, struct calls *k)
{
	if (!k->count++ || c->start_ns[r] < c->start_ns[k->first])
		k->first = r;
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

/* False where no name has first calls, as mostly. */
static bool choose_names(const struct columns *c, struct calls *names, uint32_t n)
{
	bool any = false;
	for (uint32_t i = 0; i < n; i++) {
		names[i].may_be = names[i].count >= FEWEST && c->dur_ns[names[i].first] >= LONG_NS;
		any |= names[i].may_be;
	}
	return any;
}

static void find_first_calls(struct first_calls *f, const struct columns *c, struct calls *names, uint32_t n_names)
{
	if (!choose_names(c, names, n_names))
		return;
	for (row_id r = 0; r < c->n; r++)
		if (is_op(c, r) && names[c->name[r]].may_be)
			names[c->name[r]].slow += is_slow(c, &names[c->name[r]], r);
	uint32_t cap = 0;
	for (row_id r = 0; r < c->n; r++) {
		if (c->dur_ns[r] < LONG_NS || !is_op(c, r) || !is_first(c, &names[c->name[r]], r))
			continue;
		GROW_ARRAY(f->rows, f->n, cap);
		f->rows[f->n++] = r;
	}
}

/* ---- graph capture --------------------------------------------------------------------------------------------------- */

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

static void add_capture(struct first_calls *f, const struct columns *c, row_id begin, row_id end)
{
	GROW_ARRAY(f->captures, f->n_captures, f->cap);
	f->captures[f->n_captures++] =
		(struct capture){c->track[begin], c->start_ns[begin], c->start_ns[end] + c->dur_ns[end]};
}

/* Calls of a name: unlooked at, none, begin, end. */
enum { NOT_LOOKED_AT, NEITHER, BEGINS, ENDS };

static uint8_t capture_kind(const struct derived *d, str_id name, uint8_t *kinds)
{
	const char *text = trace_str(d->pub.t, name);
	if (kinds[name] == NOT_LOOKED_AT)
		kinds[name] = has(text, "StreamBeginCapture") ? BEGINS : has(text, "StreamEndCapture") ? ENDS : NEITHER;
	return kinds[name];
}

/* Rows of a track stand together, in order of time. Counts the ops by the way. */
static void find_captures(struct first_calls *f, const struct derived *d, struct calls *names, uint8_t *kinds)
{
	const struct columns *c = d->pub.c;
	row_id begun = NONE_ID;
	for (row_id r = 0; r < c->n; r++) {
		if (is_op(c, r))
			count_op(c, r, &names[c->name[r]]);
		if (c->kind[r] != KIND_RUNTIME)
			continue;
		uint8_t kind = capture_kind(d, c->name[r], kinds);
		if (kind == ENDS && begun != NONE_ID && c->track[begun] == c->track[r])
			add_capture(f, c, begun, r);
		begun = kind == BEGINS ? r : kind == ENDS ? NONE_ID : begun;
	}
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static struct first_calls *calls_new(const struct derived *d)
{
	uint32_t n_names = strings_count(trace_strings(d->pub.t)) + 1;
	struct first_calls *f = must(calloc(1, sizeof *f));
	struct calls *names = must(calloc(n_names, sizeof *names));
	uint8_t *kinds = must(calloc(n_names, 1));
	find_captures(f, d, names, kinds);
	find_first_calls(f, d->pub.c, names, n_names);
	free(names);
	free(kinds);
	return f;
}

static const struct first_calls *calls_of(const struct derived *d)
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

bool first_call(const struct derived *d, row_id r)
{
	const struct first_calls *f = calls_of(d);
	return f->n && bsearch(&r, f->rows, f->n, sizeof r, u32_order) != NULL;
}

bool graph_capture_at(const struct derived *d, uint32_t track, int64_t ts_ns)
{
	const struct first_calls *f = calls_of(d);
	for (uint32_t i = 0; i < f->n_captures; i++)
		if (f->captures[i].track == track && f->captures[i].a_ns <= ts_ns && ts_ns < f->captures[i].b_ns)
			return true;
	return false;
}
