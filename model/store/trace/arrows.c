#include "arrows.h"
#include "model/store/base/both.h"
#include <stdlib.h>
#include <string.h>

/* Rows whose arrows are sorted together: 64; points that are sorted without calling for help. */
enum { BLOCK_SHIFT = 6, FEW = 16 };

struct bound {
	int64_t ts_ns;
	row_id row;
	uint32_t point; /* index: file order */
	char phase;
	bool used;
};

/* The flows that begin in [first, end) of the points: their arrows, and what is to be said of points. */
struct half {
	const struct flow_chains *x;
	size_t first, end;
	struct flow *at;
	uint64_t n, merged;
	struct note unbound, unmatched;
	uint64_t blocks;    /* of rows in the trace */
	uint32_t *by_block; /* how many arrows start in it; then where the next one of it goes */
};
struct arrows {
	struct half half[2];
	unsigned threads;
	struct flow *sorted;
};

/* ---- chains --------------------------------------------------------------------------------------------------------- */

static void arrow(struct half *h, struct bound *from, struct bound *to)
{
	const struct flow_point *p = &h->x->points[from->point];
	from->used = to->used = true;
	h->at[h->n++] = (struct flow){from->row, to->row, p->category, p->id};
}

/* A start begins a chain; a graph launch has one start and hundreds of finishes, so a finish does not end it. Exactly one
 * start and one finish belong together even when a skewed clock puts the finish first. */
static void chain(struct half *h, struct bound *b, size_t n)
{
	if (n == 2 && b[0].phase == 'f' && b[1].phase == 's' && b[0].row != NONE_ID && b[1].row != NONE_ID) {
		arrow(h, &b[1], &b[0]);
		return;
	}
	struct bound *last = NULL;
	for (size_t i = 0; i < n; i++) {
		if (b[i].row == NONE_ID)
			continue;
		if (b[i].phase != 's' && last)
			arrow(h, last, &b[i]);
		if (b[i].phase != 'f')
			last = &b[i];
	}
}

/* The note tells of the earliest point in the files. */
static void note_more(struct note *x, uint64_t count, uint32_t source, int64_t at)
{
	bool earlier = source != x->first_source ? source < x->first_source : at < x->first_at;
	if (x->count == 0 || earlier) {
		x->first_at = at;
		x->first_source = source;
	}
	x->count += count;
}

static void account(struct half *h, const struct bound *b, size_t n)
{
	const int64_t unknown = (INT64_C(1) << FLOW_AT_BITS) - 1;
	for (size_t i = 0; i < n; i++) {
		const struct flow_point *point = &h->x->points[b[i].point];
		int64_t at = point->of_event || (int64_t)point->at == unknown ? -1 : (int64_t)point->at;
		if (b[i].used)
			h->merged += !point->of_event;
		else
			note_more(point->of_event ? &h->unmatched : &h->unbound, 1, point->source, at);
	}
}

/* Earlier first; points of one time in file order. */
static int cmp_bound(const void *a, const void *b)
{
	const struct bound *x = a, *y = b;
	if (x->ts_ns != y->ts_ns)
		return x->ts_ns < y->ts_ns ? -1 : 1;
	return x->point < y->point ? -1 : x->point > y->point;
}

/* Most flows have two points. */
static void sort_bound(struct bound *b, size_t n)
{
	if (n > FEW) {
		qsort(b, n, sizeof *b, cmp_bound);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct bound x = b[i];
		size_t to = i;
		for (; to && cmp_bound(&b[to - 1], &x) > 0; to--)
			b[to] = b[to - 1];
		b[to] = x;
	}
}

/* The points of the flow that begins with point i, in order of time, in `room`. 0 when memory is out. */
static size_t take_flow(const struct flow_chains *x, size_t i, struct column *room)
{
	const struct flow_point *p = x->points;
	bool in_order = true;
	room->n = 0;
	for (uint32_t at = (uint32_t)i + 1, last = at; at; last = at, at = x->next[at - 1]) {
		struct bound *b = column_push(room);
		if (!b)
			return 0;
		*b = (struct bound){p[at - 1].ts_ns, p[at - 1].row, at - 1, (char)p[at - 1].phase, false};
		in_order &= p[at - 1].ts_ns >= p[last - 1].ts_ns;
	}
	if (!in_order)
		sort_bound(room->p, room->n);
	return room->n;
}

static void count_blocks(struct half *h)
{
	for (uint64_t i = 0; i < h->n; i++)
		h->by_block[h->at[i].from >> BLOCK_SHIFT]++;
}

static bool chain_half(struct half *h)
{
	struct column room = {.size = sizeof(struct bound)};
	bool ok = true;
	for (size_t i = h->first; ok && i < h->end; i++) {
		if (!(h->x->begins[i / 64] >> i % 64 & 1))
			continue;
		size_t points = take_flow(h->x, i, &room);
		ok = points > 0;
		chain(h, room.p, points);
		account(h, room.p, points);
	}
	column_free(&room);
	if (ok)
		count_blocks(h);
	return ok;
}

static bool chain_first(void *arrows)
{
	return chain_half(&((struct arrows *)arrows)->half[0]);
}

static bool chain_second(void *arrows)
{
	return chain_half(&((struct arrows *)arrows)->half[1]);
}

/* A flow has fewer arrows than points, and none of the points before the one that it begins with. */
static bool half_open(struct half *h, const struct trace *t)
{
	h->blocks = (t->c.n >> BLOCK_SHIFT) + 1;
	h->by_block = calloc(h->blocks, sizeof *h->by_block);
	h->at = large_alloc((h->x->n - h->first + 1) * sizeof *h->at);
	return h->by_block && h->at;
}

static void half_close(struct half *h)
{
	free(h->at);
	free(h->by_block);
}

static void tell(struct trace *t, const struct half *h)
{
	if (h->unbound.count)
		note_more(&t->notes.at[NOTE_FLOW_UNBOUND], h->unbound.count, h->unbound.first_source,
			  h->unbound.first_at);
	if (h->unmatched.count)
		note_more(&t->notes.at[NOTE_ARROW_UNMATCHED], h->unmatched.count, h->unmatched.first_source,
			  h->unmatched.first_at);
	t->notes.merged += h->merged;
}

bool arrows_chain(struct arrows *a, struct trace *t, const struct flow_chains *x)
{
	size_t mid = x->n / 2;
	a->half[0] = (struct half){.x = x, .end = mid};
	a->half[1] = (struct half){.x = x, .first = mid, .end = x->n};
	if (!half_open(&a->half[0], t) || !half_open(&a->half[1], t) || !both(a->threads, chain_first, chain_second, a))
		return false;
	tell(t, &a->half[0]);
	tell(t, &a->half[1]);
	return true;
}

/* ---- order: by where they start, blocks of rows first, which their own order fills almost from left to right ---------- */

/* Of a block those of the first half go before those of the second one. */
static void give_places(struct arrows *a)
{
	uint32_t at = 0;
	for (uint64_t b = 0; b < a->half[0].blocks; b++)
		for (int i = 0; i < 2; i++) {
			uint32_t n = a->half[i].by_block[b];
			a->half[i].by_block[b] = at;
			at += n;
		}
}

static void spread(const struct half *h, struct flow *to)
{
	for (uint64_t i = 0; i < h->n; i++)
		to[h->by_block[h->at[i].from >> BLOCK_SHIFT]++] = h->at[i];
}

static bool spread_first(void *arrows)
{
	const struct arrows *a = arrows;
	spread(&a->half[0], a->sorted);
	return true;
}

static bool spread_second(void *arrows)
{
	const struct arrows *a = arrows;
	spread(&a->half[1], a->sorted);
	return true;
}

static int cmp_flow(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* The arrows of one block of rows: few, and mostly in order. */
static void sort_block(struct flow *f, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (cmp_flow(&f[i - 1], &f[i]) > 0) {
			qsort(f, n, sizeof *f, cmp_flow);
			return;
		}
}

/* The last place that the second half took in a block is where the block ends. */
static void sort_blocks(const struct arrows *a, uint64_t first, uint64_t end)
{
	const uint32_t *ends = a->half[1].by_block;
	for (uint64_t b = first; b < end; b++) {
		uint32_t from = b ? ends[b - 1] : 0;
		sort_block(a->sorted + from, ends[b] - from);
	}
}

static bool sort_first(void *arrows)
{
	const struct arrows *a = arrows;
	sort_blocks(a, 0, a->half[0].blocks / 2);
	return true;
}

static bool sort_second(void *arrows)
{
	const struct arrows *a = arrows;
	sort_blocks(a, a->half[0].blocks / 2, a->half[0].blocks);
	return true;
}

bool arrows_sort(struct arrows *a, struct trace *t, struct spare *spare)
{
	uint64_t n = a->half[0].n + a->half[1].n;
	a->sorted = spare_alloc(spare, (n + 1) * sizeof *a->sorted);
	if (!a->sorted)
		return false;
	give_places(a);
	both(a->threads, spread_first, spread_second, a);
	both(a->threads, sort_first, sort_second, a);
	t->flows = a->sorted;
	t->n_flows = n;
	return true;
}

struct arrows *arrows_new(unsigned threads)
{
	struct arrows *a = calloc(1, sizeof *a);
	if (a)
		a->threads = threads;
	return a;
}

void arrows_free(struct arrows *a)
{
	if (!a)
		return;
	half_close(&a->half[0]);
	half_close(&a->half[1]);
	free(a);
}
