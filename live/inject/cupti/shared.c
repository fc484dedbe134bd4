#include "shared.h"
#include "live/inject/base/process.h"
#include <stdlib.h>

enum { THREAD_IDS_SYSTEM = 1, LOOKS = 5, APART_MS = 4, PACE_TOLERANCE = 50 };
static const int64_t same_ns = 1000000; /* a clock that is no further away is the same one */

void shared_take(struct shared *s, const struct cupti *c)
{
	int before = 0;
	if (s->is_changed)
		return;
	bool known = c->get_thread_id_type && !c->get_thread_id_type(&before);
	s->has_thread_ids = c->thread_id_type && !c->thread_id_type(THREAD_IDS_SYSTEM);
	s->thread_ids_before = before;
	s->is_changed = s->has_thread_ids && known && before != THREAD_IDS_SYSTEM;
}

void shared_give_back(struct shared *s, const struct cupti *c)
{
	if (s->is_changed)
		c->thread_id_type(s->thread_ids_before);
	s->is_changed = false;
}

void shared_promise_zeros(const struct cupti *c, bool on)
{
	uint8_t value = on;
	size_t size = sizeof value;
	c->set_attribute(CUPTI_ATTR_ZEROED_BUFFERS, &size, &value);
}

struct look {
	int64_t wall_ns, cupti_ns;
};

/* The look during which least time went by. */
static bool look(const struct cupti *c, struct look *best)
{
	int64_t least_ns = INT64_MAX;
	for (int i = 0; i < LOOKS; i++) {
		uint64_t cupti_ns = 0, from_ns = clock_ns(CLOCK_REALTIME);
		if (c->timestamp(&cupti_ns) || !cupti_ns)
			return false;
		int64_t took_ns = (int64_t)(clock_ns(CLOCK_REALTIME) - from_ns);
		if (took_ns < least_ns && took_ns >= 0) {
			least_ns = took_ns;
			*best = (struct look){(int64_t)from_ns + took_ns / 2, (int64_t)cupti_ns};
		}
	}
	return least_ns != INT64_MAX;
}

static int64_t behind(struct look at)
{
	int64_t ns = (int64_t)((uint64_t)at.wall_ns - (uint64_t)at.cupti_ns);
	return ns > -same_ns && ns < same_ns ? 0 : ns;
}

enum shared_clock shared_clock(struct shared *s, const struct cupti *c)
{
	struct look first, second;
	struct timespec pause = {0, APART_MS * 1000000};
	s->behind_ns = 0;
	if (!look(c, &first) || !behind(first)) /* one that does not tell is believed */
		return SHARED_CLOCK_WALL;
	nanosleep(&pause, NULL);
	if (!look(c, &second))
		return SHARED_CLOCK_WALL;
	int64_t went_ns = second.wall_ns - first.wall_ns, off_ns = second.cupti_ns - first.cupti_ns - went_ns;
	if (llabs(off_ns) > went_ns / PACE_TOLERANCE)
		return SHARED_CLOCK_NO_NS;
	s->behind_ns = behind(second);
	return SHARED_CLOCK_OTHER;
}

bool shared_follow_clock(struct shared *s, const struct cupti *c)
{
	struct look now;
	if (!look(c, &now))
		return false;
	int64_t before_ns = s->behind_ns;
	s->behind_ns = behind(now);
	return llabs(s->behind_ns - before_ns) > same_ns;
}
