/* Which events of a line leave, and how they are marked. */
#include "cut_private.h"
#include "xspace.h"
#include "importers/xspace/xplane_meta.pb-c.h"
#include "model/store/base/grow.h"

/* The sample of a series that holds when the window begins. */
struct held {
	int64_t id, start_ns;
	const unsigned char *at;
};
struct cut_line {
	struct cut_plane *plane;
	int64_t timestamp_ns;
	struct span name;
	bool counter;
	struct held *held;
	size_t n_held, held_cap;
	struct wire_out out, event;
};

bool cut_use_stat(void *plane, const unsigned char *p, size_t n)
{
	struct cut_plane *c = plane;
	struct stat s = {0};
	if (!stat_decode(p, n, &s))
		return false;
	idmap_put(&c->stats, (uint64_t)s.id, CUT_USED);
	if (s.type == STAT_REF)
		idmap_put(&c->stats, s.u, CUT_USED);
	return true;
}

static bool any_stat(void *ctx, const unsigned char *p, size_t n)
{
	struct stat s = {0};
	(void)ctx;
	return stat_decode(p, n, &s);
}

/* ---- samples ---------------------------------------------------------------------------------------------------------------- */

static struct held *held_of(struct cut_line *l, int64_t id)
{
	for (size_t i = 0; i < l->n_held; i++)
		if (l->held[i].id == id)
			return &l->held[i];
	GROW_ARRAY(l->held, l->n_held, l->held_cap);
	l->held[l->n_held] = (struct held){id, INT64_MIN, NULL};
	return &l->held[l->n_held++];
}

static void hold_sample(struct cut_line *l, const struct wire_field *f)
{
	struct xevent e;
	int64_t start_ns, dur_ns;
	if (!xevent_walk(f->data, f->data + f->size, &e, any_stat, NULL) ||
	    !xevent_place(l->timestamp_ns, &e, &start_ns, &dur_ns) || start_ns > l->plane->cut->a_ns)
		return;
	struct held *h = held_of(l, e.id);
	if (start_ns >= h->start_ns)
		*h = (struct held){e.id, start_ns, f->data};
}

static const char *choose_sample(struct cut_line *l, const struct xevent *e, int64_t start_ns, const unsigned char *at)
{
	const struct xspace_slice *c = l->plane->cut;
	bool leaves = held_of(l, e->id)->at == at || (start_ns >= c->a_ns && start_ns < c->b_ns);
	return leaves ? "" : NULL;
}

/* ---- events ----------------------------------------------------------------------------------------------------------------- */

static const char *choose(struct cut_line *l, const struct wire_field *f, struct xevent *e)
{
	struct cut_plane *c = l->plane;
	int64_t start_ns, dur_ns;
	if (!xevent_walk(f->data, f->data + f->size, e, any_stat, NULL) || e->aggregated ||
	    !xevent_place(l->timestamp_ns, e, &start_ns, &dur_ns))
		return NULL;
	if (l->counter)
		return choose_sample(l, e, start_ns, f->data);
	const struct event_meta *m = meta_event(&c->meta, e->id);
	return c->cut->choose(c->cut->ctx, start_ns, dur_ns, strings_get(c->strings, m ? m->shown : 0));
}

static void put_mark(struct cut_line *l, const char *text)
{
	unsigned char packed[256];
	XplaneMeta__Stat s = XPLANE_META__STAT__INIT;
	s.metadata_id = l->plane->mark_id;
	s.value_case = XPLANE_META__STAT__VALUE_STR_VALUE;
	s.str_value = (ProtobufCBinaryData){strlen(text), (unsigned char *)(uintptr_t)text};
	if (xplane_meta__stat__get_packed_size(&s) > sizeof packed)
		return;
	wire_put_block(&l->event, 4, packed, xplane_meta__stat__pack(&s, packed));
	l->plane->marked = true;
}

static void put_event(struct cut_line *l, const struct wire_field *f, const struct xevent *e, const char *mark)
{
	struct cut_plane *c = l->plane;
	struct xevent again;
	l->event.n = 0;
	wire_put(&l->event, f->data, f->size);
	if (*mark)
		put_mark(l, mark);
	wire_put_block(&l->out, 4, l->event.p, l->event.n);
	idmap_put(&c->events, (uint64_t)e->id, CUT_USED);
	xevent_walk(f->data, f->data + f->size, &again, cut_use_stat, c);
	c->cut->n_events += !l->counter;
	c->cut->n_samples += l->counter;
}

/* ---- the line --------------------------------------------------------------------------------------------------------------- */

/* What stands before and after the events, and of counters the samples that go on. */
static bool read_head(struct cut_line *l, struct wire w)
{
	struct wire_field f;
	struct wire all = w;
	while (w.p < w.end) {
		TRY(wire_next(&w, &f) == WIRE_OK);
		if (f.number == 2 && f.type == WIRE_BYTES)
			l->name = (struct span){(const char *)f.data, f.size};
		if (f.number == 3 && f.type == WIRE_VARINT)
			l->timestamp_ns = (int64_t)f.value;
	}
	l->counter = plane_is_device(l->plane->name) && line_is_counter(l->name);
	while (l->counter && all.p < all.end && wire_next(&all, &f) == WIRE_OK)
		if (f.number == 4 && f.type == WIRE_BYTES)
			hold_sample(l, &f);
	return true;
}

static void put_fields(struct cut_line *l, struct wire w)
{
	struct wire_field f;
	const unsigned char *from = w.p;
	for (; w.p < w.end && wire_next(&w, &f) == WIRE_OK; from = w.p) {
		struct xevent e;
		const char *mark;
		if (f.number != 4 || f.type != WIRE_BYTES)
			wire_put(&l->out, from, (size_t)(w.p - from));
		else if ((mark = choose(l, &f, &e)))
			put_event(l, &f, &e, mark);
	}
}

bool cut_line(struct cut_plane *c, const unsigned char *p, size_t n)
{
	struct cut_line l = {.plane = c};
	bool sound = read_head(&l, (struct wire){p, p + n});
	if (sound) {
		put_fields(&l, (struct wire){p, p + n});
		wire_put_block(&c->lines, 3, l.out.p, l.out.n);
	}
	wire_out_free(&l.out);
	wire_out_free(&l.event);
	free(l.held);
	return sound;
}
