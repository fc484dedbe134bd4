/* tui/lanes/lane_groups.h - one row per device where more than MOST_APART of them work: in which order they stand, which are unfolded
 * to their streams and host threads, and which processes fold under them.
 * Under:   a process that launches for one device only, and one that launches nothing on a host with one device. Others stand
 *          for themselves.
 * Life:    lane_groups_init -> changed through the functions below -> lane_groups_free. */
#ifndef STEPSCOPE_LANE_GROUPS_H
#define STEPSCOPE_LANE_GROUPS_H
#include "model/analysis/derived/derived.h"

enum { MOST_APART = 2 };
/*    id        word        what stands first */
#define LANE_ORDERS(_)                                                     \
	_(NUMBER, "number", "the lowest rank")                             \
	_(LATENESS, "lateness", "the one that the others waited for most") \
	_(HOST, "host", "the first host by its name")
enum lane_order {
#define LANE_ORDER_ENUM(id, word, help) LANES_BY_##id,
	LANE_ORDERS(LANE_ORDER_ENUM)
#undef LANE_ORDER_ENUM
		LANE_ORDER_COUNT
};
struct lane_groups {
	const struct trace *t;
	bool on;         /* else every device stands with all its streams */
	uint32_t *order; /* devices that work, from top to bottom */
	uint32_t n;
	enum lane_order by;
	uint32_t *track;  /* per device: the stream that stands for it; NONE_ID: it does no work */
	uint32_t *under;  /* per process: the device under which it folds; NONE_ID: none */
	bool *open;       /* per device: its streams are shown */
	uint32_t *pinned; /* per device: its place among those that stand above all others, from 1 on; 0: none */
	uint32_t pins;
	bool moved;             /* the user has moved one: they stand by rank */
	uint32_t *rank;         /* per device */
	int64_t *waited_for_ns; /* per device: what the others waited for it; 0 until that is known */
};

void lane_groups_init(struct lane_groups *g, const struct derived *d);
void lane_groups_free(struct lane_groups *g);
/* The device whose row stands for the track: its own, or the one under which its process folds; NONE_ID: none, or they are not on. */
uint32_t lane_groups_device(const struct lane_groups *g, uint32_t track);
void lane_groups_sort(struct lane_groups *g, enum lane_order by); /* also where the user has moved them */
/* One takes the other's place, and the order is the user's own from then on. Both are pinned, or none is. */
void lane_groups_swap(struct lane_groups *g, uint32_t a, uint32_t b);
/* As others are arranged, of as many devices. */
void lane_groups_like(struct lane_groups *g, const struct lane_groups *other);
void lane_groups_arranged(struct lane_groups *g); /* after pinned or rank were written from outside */
void lane_groups_forget(struct lane_groups *g);   /* as at first */
/* What the others waited for each device, by device; the order follows where it is asked for. */
void lane_groups_lateness(struct lane_groups *g, const int64_t *waited_for_ns);
bool lane_groups_pin(struct lane_groups *g, uint32_t device); /* or takes it back; true: it is pinned now */
/* Unfolds all devices, or folds them where any is unfolded; true: they are unfolded now. */
bool lane_groups_toggle_all(struct lane_groups *g);
const char *lane_order_word(enum lane_order by);
#endif
