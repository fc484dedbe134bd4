/* Lines of causes: reading one, and several as one. */
#include "cause_lines.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/rank.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* The last of at[lo .. hi) that begins at ts or sooner; lo if none does. */
static struct cause_walk walk_between(const struct cause_line *line, uint32_t lo, uint32_t hi, int64_t ts_ns)
{
	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (line->at[mid].at_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return (struct cause_walk){line, lo};
}

struct cause_walk cause_walk_from_afar(const struct cause_line *line, uint32_t hint, int64_t ts_ns)
{
	enum { FEW = 4 }; /* pieces further at most, as mostly */
	uint32_t lo = hint, hi = hint, step = 1;
	if (hint >= line->n)
		return cause_walk_at(line, ts_ns);
	if (line->at[hint].at_ns <= ts_ns)
		for (uint32_t i = hint + 1; i <= hint + FEW; i++)
			if (i == line->n || line->at[i].at_ns > ts_ns)
				return (struct cause_walk){line, i - 1};
	if (line->at[hint].at_ns > ts_ns) {
		for (; step <= hi && line->at[hi - step].at_ns > ts_ns; step *= 2)
			hi -= step;
		return walk_between(line, step <= hi ? hi - step : 0, hi, ts_ns);
	}
	for (; step < line->n - lo && line->at[lo + step].at_ns <= ts_ns; step *= 2)
		lo += step;
	return walk_between(line, lo, step < line->n - lo ? lo + step : line->n, ts_ns);
}

struct cause_walk cause_walk_at(const struct cause_line *line, int64_t ts_ns)
{
	return walk_between(line, 0, line->n, ts_ns);
}

static int64_t walk_until(const struct cause_walk *w)
{
	return w->i + 1 < w->line->n ? w->line->at[w->i + 1].at_ns : INT64_MAX;
}

bool cause_walks_last(const struct cause_walk *x, const struct cause_walk *y, int64_t ns)
{
	int64_t since_ns = later(cause_walk_since(x), cause_walk_since(y));
	return earlier(walk_until(x), walk_until(y)) - ns > since_ns;
}

static const struct cause_at hole = {.row = NONE_ID, .hole = true};

/* ---- one line -------------------------------------------------------------------------------------------------------- */

static bool goes_on(const struct cause_at *x, const struct cause_at *y)
{
	return x->cause == y->cause && x->trust == y->trust && x->frame == y->frame && x->hole == y->hole;
}

void cause_line_grow(struct cause_line *l)
{
	enum { FEW = 8 }; /* of a million threads each has a line */
	if (!l->cap)
		l->at = must(malloc((l->cap = FEW) * sizeof *l->at));
	GROW_ARRAY(l->at, l->n, l->cap);
}

void cause_line_append(struct cause_line *l, struct cause_at what, int64_t at_ns)
{
	if (l->n && goes_on(&l->at[l->n - 1], &what)) {
		l->at[l->n - 1].mixed |= what.mixed || what.row != l->at[l->n - 1].row;
		return;
	}
	what.at_ns = at_ns;
	cause_line_put(l, what);
}

void cause_line_trim(struct cause_line *l)
{
	if (l->cap < 2 * l->n || l->cap <= 16)
		return;
	l->at = must(realloc(l->at, l->n * sizeof *l->at));
	l->cap = l->n;
}

/* ---- few ------------------------------------------------------------------------------------------------------------- */

/* The only one so far: what nobody trusts is as good as nothing. */
static void alone(struct cause_line *x, const struct cause_line *y)
{
	for (uint32_t i = 0; i < y->n; i++)
		cause_line_append(x, y->at[i].trust ? y->at[i] : hole, y->at[i].at_ns);
	x->joined = true;
}

void cause_line_join(struct cause_line *x, const struct cause_line *y)
{
	if (x->n == 1 && x->at->hole) {
		alone(x, y);
		return;
	}
	struct cause_line out = {.joined = true};
	struct cause_walk a = {x, 0}, b = {y, 0};
	for (int64_t at_ns = INT64_MIN, until_ns; at_ns < INT64_MAX; at_ns = until_ns) {
		until_ns = INT64_MAX;
		const struct cause_at *p = cause_walk_to(&a, at_ns, &until_ns),
				      *q = cause_walk_to(&b, at_ns, &until_ns);
		cause_line_append(&out, q->trust > p->trust ? *q : *p, at_ns);
	}
	free(x->at);
	*x = out;
}

/* ---- many ------------------------------------------------------------------------------------------------------------ */

struct joined_piece {
	struct cause_at what;
	int64_t end_ns;
	uint32_t thread;
};

void cause_joining_add(struct cause_joining *j, const struct cause_line *line)
{
	for (uint32_t i = 0; i < line->n; i++) {
		if (!line->at[i].trust)
			continue;
		GROW_ARRAY(j->at, j->n, j->cap);
		int64_t end_ns = i + 1 < line->n ? line->at[i + 1].at_ns : INT64_MAX;
		j->at[j->n++] = (struct joined_piece){line->at[i], end_ns, j->threads};
	}
	j->threads++;
}

/* Places of the pieces by their start: ranked by as much of it as 32 bits hold, then the few that stand close put right. */
static struct rank *by_begin(const struct cause_joining *j)
{
	struct rank *order = must(malloc((j->n + (size_t)1) * sizeof *order));
	int64_t from_ns = INT64_MAX, to_ns = INT64_MIN;
	int shift = 0;
	for (uint32_t i = 0; i < j->n; i++) {
		from_ns = earlier(from_ns, j->at[i].what.at_ns);
		to_ns = later(to_ns, j->at[i].what.at_ns);
	}
	while (j->n && ((uint64_t)to_ns - (uint64_t)from_ns) >> shift >= UINT32_MAX)
		shift++;
	for (uint32_t i = 0; i < j->n; i++)
		order[i] = (struct rank){(uint32_t)(((uint64_t)to_ns - (uint64_t)j->at[i].what.at_ns) >> shift), i};
	rank_sort(order, j->n);
	for (uint32_t i = 1; i < j->n; i++)
		for (uint32_t k = i; k && j->at[order[k - 1].id].what.at_ns > j->at[order[k].id].what.at_ns; k--) {
			struct rank later_one = order[k - 1];
			order[k - 1] = order[k];
			order[k] = later_one;
		}
	return order;
}

/* Those that have begun, the one that counts on top; what has ended goes when it comes there. */
struct begun {
	const struct joined_piece **heap;
	uint32_t n, cap;
};

static bool counts_before(const struct joined_piece *x, const struct joined_piece *y)
{
	return x->what.trust != y->what.trust ? x->what.trust > y->what.trust : x->thread < y->thread;
}

static void push(struct begun *b, const struct joined_piece *p)
{
	GROW_ARRAY(b->heap, b->n, b->cap);
	uint32_t i = b->n++;
	for (; i && counts_before(p, b->heap[(i - 1) / 2]); i = (i - 1) / 2)
		b->heap[i] = b->heap[(i - 1) / 2];
	b->heap[i] = p;
}

static void pop(struct begun *b)
{
	const struct joined_piece *last = b->heap[--b->n];
	uint32_t i = 0;
	for (uint32_t child; (child = 2 * i + 1) < b->n; i = child) {
		if (child + 1 < b->n && counts_before(b->heap[child + 1], b->heap[child]))
			child++;
		if (!counts_before(b->heap[child], last))
			break;
		b->heap[i] = b->heap[child];
	}
	b->heap[i] = last;
}

void cause_joining_end(struct cause_joining *j, struct cause_line *out)
{
	struct rank *order = by_begin(j);
	struct begun b = {0};
	for (uint32_t i = 0; i < j->n || b.n;) {
		int64_t at_ns = i < j->n ? j->at[order[i].id].what.at_ns : INT64_MAX;
		at_ns = b.n ? earlier(at_ns, b.heap[0]->end_ns) : at_ns;
		while (i < j->n && j->at[order[i].id].what.at_ns == at_ns)
			push(&b, &j->at[order[i++].id]);
		while (b.n && b.heap[0]->end_ns <= at_ns)
			pop(&b);
		if (at_ns < INT64_MAX)
			cause_line_append(out, b.n ? b.heap[0]->what : hole, at_ns);
	}
	out->joined = true;
	free(order);
	free(b.heap);
	free(j->at);
	*j = (struct cause_joining){0};
}
