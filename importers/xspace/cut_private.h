/* importers/xspace/cut_private.h - inside cut.c (space, plane, metadata) and cut_line.c (lines, events). */
#ifndef STEPSCOPE_XSPACE_CUT_PRIVATE_H
#define STEPSCOPE_XSPACE_CUT_PRIVATE_H
#include "cut.h"
#include "meta.h"
#include "piece.h"
#include "wire_write.h"

struct cut_plane {
	struct xspace_slice *cut;
	struct strings *strings;
	struct meta meta;
	struct span name;
	struct wire_out lines; /* one after the other */
	struct idmap events,
		stats;   /* metadata that is referred to: USED, and DONE once what it refers to is in here, too */
	int64_t mark_id; /* of the stat "window", which the plane gets where an event has it */
	bool marked;
};
enum { CUT_USED = 1, CUT_DONE = 2 };

/* A stat's own name, and the one its value may be. False: the bytes are no stat. */
bool cut_use_stat(void *plane, const unsigned char *p, size_t n);
/* Appends the line with the events that leave. False where its bytes are damaged. WIRE_PAD bytes are readable after them. */
bool cut_line(struct cut_plane *c, const unsigned char *p, size_t n);
#endif
