#include "takeover.h"
#include "live/wire.h"

static const uint64_t quiet_ns = 3000000000u, window_ns = 500000000u;
enum { DOUBTS_MAX = 2 }; /* a launch at the edge of one window may have left its record after the look at it */

static uint64_t callbacks_of(const struct pool *p)
{
	return atomic_load(&p->taken) + atomic_load(&p->pushed);
}

void takeover_begin(struct takeover *t, const struct pool *p, uint64_t now_ns)
{
	t->quiet_since_ns = now_ns;
	t->callbacks_then = callbacks_of(p);
	t->doubts = 0;
}

bool takeover_is_over(const struct takeover *t, const struct pool *p)
{
	return callbacks_of(p) != t->callbacks_then;
}

/* Launches that leave a record in any case: a graph need not contain a kernel, but its launch is a call of the driver. */
static bool leaves_record(uint32_t kinds, bool is_graph)
{
	return kinds & 1u << WIRE_DRIVER || kinds & 1u << (is_graph ? WIRE_GRAPH : WIRE_KERNEL);
}

static void count_launches(const struct cupti *c, void *subscriber, uint32_t kinds, bool on)
{
	static const struct {
		uint32_t cbid;
		bool is_graph;
	} calls[] = {{307, false}, {442, false}, {514, true}, {515, true}, {652, false}, {653, false}};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (!on || leaves_record(kinds, calls[i].is_graph))
			c->enable_callback(on, subscriber, CUPTI_DOMAIN_DRIVER, calls[i].cbid);
}

void takeover_end(struct takeover *t, const struct cupti *c, void *subscriber)
{
	if (t->watching)
		count_launches(c, subscriber, 0, false);
	t->watching = false;
}

static void open_window(struct takeover *t, const struct pool *p, const _Atomic uint64_t *launches, uint64_t now_ns)
{
	t->window_since_ns = now_ns;
	t->launches_then = atomic_load(launches);
	t->content_then = pool_content(p);
}

bool takeover_look(struct takeover *t, const struct cupti *c, void *subscriber, const struct pool *p, uint32_t kinds,
		   const _Atomic uint64_t *launches, uint64_t now_ns)
{
	bool is_quiet = callbacks_of(p) == t->callbacks_then;
	if (is_quiet && (now_ns - t->quiet_since_ns < quiet_ns || !leaves_record(kinds, false)))
		return false;
	if (is_quiet && !t->watching) {
		count_launches(c, subscriber, kinds, true);
		t->watching = true;
		open_window(t, p, launches, now_ns);
		return false;
	}
	if (is_quiet && now_ns - t->window_since_ns < window_ns)
		return false;
	if (is_quiet && atomic_load(launches) != t->launches_then && pool_content(p) == t->content_then) {
		open_window(t, p, launches, now_ns);
		return ++t->doubts == DOUBTS_MAX;
	}
	takeover_end(t, c, subscriber);
	takeover_begin(t, p, now_ns);
	return false;
}
