/* tests/unit/importers/xspace_event.h - a plane with one line and one event, of the host or of a GPU. */
#ifndef XSPACE_EVENT_H
#define XSPACE_EVENT_H
#include "tests/unit/xspace_write.h"

/* Ids of names; any numbers would do. */
enum { THE_EVENT = 1, OTHER_EVENT = 2 };

/* One host thread with one event of that name. */
static inline struct bytes host_with(const char *name, const struct bytes *event)
{
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 1000);
	line_event(&l, event);
	plane_line(&p, &l);
	name_event(&p, THE_EVENT, name);
	return p;
}

/* One stream of GPU 0 with one event of that name. */
static inline struct bytes stream_with(const char *name, const struct bytes *event)
{
	struct bytes p = plane_of("/device:GPU:0"), l = line_of(14, "Stream #14(Compute)", 1000);
	line_event(&l, event);
	plane_line(&p, &l);
	name_event(&p, THE_EVENT, name);
	return p;
}
#endif
