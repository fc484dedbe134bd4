#include "event_links.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* A flow by the event that it leads to. */
struct arrival {
	row_id to, from;
};
/* One side of a producer and its consumers: joined by type and id. */
struct side {
	int64_t type;
	uint64_t id;
	row_id row;
};
struct sides {
	struct side *at;
	uint32_t n, cap;
};
struct event_links {
	struct arrival *arrivals;
	uint64_t n_arrivals;
	struct sides producers, consumers;
};

const char *link_kind_name(enum link_kind kind)
{
	static const char *const names[] = {"launch", "work", "flow from", "flow to", "producer", "consumer"};
	return names[kind];
}

bool link_kind_leads_in(enum link_kind kind)
{
	return kind == LINK_LAUNCH || kind == LINK_FLOW_FROM || kind == LINK_PRODUCER;
}

/* ---- the index ---------------------------------------------------------------------------------------------------- */

static int arrival_order(const void *x, const void *y)
{
	const struct arrival *a = x, *b = y;
	return a->to != b->to ? u32_order(&a->to, &b->to) : u32_order(&a->from, &b->from);
}

static int side_key(const struct side *a, const struct side *b)
{
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int side_order(const void *x, const void *y)
{
	const struct side *a = x, *b = y;
	int key = side_key(a, b);
	return key ? key : u32_order(&a->row, &b->row);
}

static void find_arrivals(struct event_links *x, const struct trace *t)
{
	const struct flow *flows;
	x->n_arrivals = trace_flows(t, &flows);
	x->arrivals = must(malloc((x->n_arrivals + 1) * sizeof *x->arrivals));
	for (uint64_t i = 0; i < x->n_arrivals; i++)
		x->arrivals[i] = (struct arrival){flows[i].to, flows[i].from};
	qsort(x->arrivals, x->n_arrivals, sizeof *x->arrivals, arrival_order);
}

static void add_side(struct sides *s, int64_t type, uint64_t id, row_id row)
{
	if (type == UNKNOWN_I64)
		return;
	GROW_ARRAY(s->at, s->n, s->cap);
	s->at[s->n++] = (struct side){type, id, row};
}

static void sort_sides(struct sides *s)
{
	if (s->n)
		qsort(s->at, s->n, sizeof *s->at, side_order);
}

static bool find_sides(struct event_links *x, const struct trace *t, struct progress *p)
{
	const struct columns *c = trace_columns(t);
	struct progress_loop loop = {.progress = p};
	const void *rows;
	uint64_t events = trace_side_rows(t, SIDE_HOST_DETAILS, &rows) > 1 ? c->n : 0; /* row 0 is "none" */
	for (row_id r = 0; r < events && !progress_loop_cancelled(&loop); r++) {
		const struct host_info *h = c->detail[r] ? trace_host_detail(t, r) : NULL;
		if (!h)
			continue;
		add_side(&x->producers, h->producer_type, h->producer_id, r);
		add_side(&x->consumers, h->consumer_type, h->consumer_id, r);
	}
	sort_sides(&x->producers);
	sort_sides(&x->consumers);
	return !loop.cancelled;
}

struct event_links *event_links_new(const struct trace *t, struct progress *p)
{
	struct event_links *x = must(calloc(1, sizeof *x));
	if (!progress_cancelled(p)) {
		find_arrivals(x, t);
		if (find_sides(x, t, p))
			return x;
	}
	event_links_free(x);
	return NULL;
}

void event_links_free(struct event_links *x)
{
	if (!x)
		return;
	free(x->arrivals);
	free(x->producers.at);
	free(x->consumers.at);
	free(x);
}

/* ---- asking ------------------------------------------------------------------------------------------------------- */

struct found {
	struct event_link *out;
	uint32_t room, n, most; /* most: then no more are counted */
	row_id of;
};

static void add(struct found *f, enum link_kind kind, row_id row)
{
	if (row == NONE_ID || row == f->of)
		return;
	for (uint32_t i = 0; i < f->n && i < f->room; i++)
		if (f->out[i].row == row)
			return;
	if (f->n < f->room)
		f->out[f->n] = (struct event_link){kind, row};
	f->n++;
}

static void add_launches(struct found *f, const struct trace *t)
{
	const struct columns *c = trace_columns(t);
	if (kind_is_work(c->kind[f->of])) {
		add(f, LINK_LAUNCH, c->link[f->of]);
		return;
	}
	const row_id *rows;
	uint32_t n = trace_launched(t, f->of, &rows);
	for (uint32_t i = 0; i < n && i < f->room; i++)
		add(f, LINK_WORK, rows[i]);
	f->n += n > f->room ? n - f->room : 0;
}

static void add_flows(struct found *f, const struct event_links *x, const struct trace *t)
{
	const struct flow *flows;
	uint64_t n = trace_flows(t, &flows), low = 0, high = n;
	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		if (flows[mid].from < f->of)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < n && flows[low].from == f->of && f->n < f->most; low++)
		add(f, LINK_FLOW_TO, flows[low].to);
	low = 0;
	high = x->n_arrivals;
	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		if (x->arrivals[mid].to < f->of)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < x->n_arrivals && x->arrivals[low].to == f->of && f->n < f->most; low++)
		add(f, LINK_FLOW_FROM, x->arrivals[low].from);
}

static void add_other_side(struct found *f, enum link_kind kind, const struct sides *s, int64_t type, uint64_t id)
{
	const struct side key = {type, id, 0};
	uint32_t low = 0, high = s->n;
	if (type == UNKNOWN_I64)
		return;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (side_key(&s->at[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < s->n && side_key(&s->at[low], &key) == 0 && f->n < f->most; low++)
		add(f, kind, s->at[low].row);
}

uint32_t event_links_of(const struct event_links *x, const struct trace *t, row_id r, struct event_link *out,
			uint32_t room)
{
	struct found f = {out, room, 0, 0, r};
	add_launches(&f, t);
	f.most = f.n + LINKS_COUNTED;
	if (!x)
		return f.n;
	add_flows(&f, x, t);
	const struct host_info *h = trace_columns(t)->detail[r] ? trace_host_detail(t, r) : NULL;
	if (!h)
		return f.n;
	add_other_side(&f, LINK_PRODUCER, &x->producers, h->consumer_type, h->consumer_id);
	add_other_side(&f, LINK_CONSUMER, &x->consumers, h->producer_type, h->producer_id);
	return f.n;
}
