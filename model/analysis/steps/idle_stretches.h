/* model/analysis/steps/idle_stretches.h - idle time of a device's steps and of what is between them, added up in one walk over its idle times.
 * Life:  zeroed -> idle_stretches_open -> for each device idle_stretches_of, idle_stretches_add of each idle time in order of time,
 *        idle_stretches_settle -> idle_stretches_free.
 * Cost:  of the stretches that begin, and of each idle time in each stretch that it meets. */
#ifndef STEPSCOPE_IDLE_STRETCHES_H
#define STEPSCOPE_IDLE_STRETCHES_H
#include "idle.h"
#include "model/analysis/maths/moments.h"

struct open_stretch;
struct cause_until;
/* The time of a step on the device, or between it and the next one, cut to the window. */
struct stretch {
	int64_t a_ns, b_ns;
	uint32_t place; /* of its sums */
};
struct idle_stretches {
	const struct derived *d;
	const struct query *q;
	struct idles *idles;
	struct idle_room room;           /* of what is kept */
	const struct step_device *parts; /* all steps' parts, */
	uint32_t n_parts;
	const struct idle_kept **sums; /* of their times, then of what is between them, by place in `parts` */
	struct idle_main_kept *mains;  /* of what is between them, */
	struct idle_own *own;          /* NULL: it is told of none */
	uint32_t device;
	const struct intervals *busy;      /* of the device */
	struct stretches {                 /* some that come by their start: */
		const struct moment *at;   /* with the places of their sums; NULL: these follow each other, */
		uint32_t place, next, end; /* `place` that of number 0 */
		struct stretch ahead;      /* the first that has not begun; from INT64_MAX on: there is none */
	} steps, others;                   /* others: what is between steps */
	struct moment *mixed;      /* room for all of them where steps do not begin in order; NULL: not needed yet */
	int64_t first_ns, last_ns; /* of the device's work */
	struct cause_until *until; /* of what was drawn (causes/cause_sums.h); NULL: nothing was yet */
	struct open_stretch *open; /* those that the walk is in */
	uint32_t n_open, cap_open;
	struct idle_between { /* the one between steps that the walk is in: they follow each other */
		uint32_t place, used;
		row_id next;                        /* the work that ends it */
		bool whole, wider;                  /* whole: all of it is known */
		struct idle_part part[CAUSE_COUNT]; /* what is not used holds anything */
	} between;
	bool in_between; /* the idle time added last meets one of these */
};
/* After d, q, idles, room.mem, sums, mains and own are set. */
void idle_stretches_open(struct idle_stretches *s);
void idle_stretches_free(struct idle_stretches *s);
/* Those that lie between the device's first work and its last: of the steps parts[from .. to), and what is between them. */
void idle_stretches_of(struct idle_stretches *s, uint32_t device, uint32_t from, uint32_t to);
void idle_stretches_add(struct idle_stretches *s, const struct idle_time *t);
/* The device's last idle time was added; of steps parts[from .. to) that reach out of its first work and last idle times are asked for. */
void idle_stretches_settle(struct idle_stretches *s);
void idle_stretches_rest(struct idle_stretches *s, uint32_t from, uint32_t to);
/* The trust of all of it may need more than 64 bits. */
static inline bool idle_is_too_long(int64_t a_ns, int64_t b_ns)
{
	return b_ns - a_ns >= INT64_MAX / 200;
}
#endif
