/* importers/chrome/fast_path.h - what the entries of one shape come to: worked out at the first one, done at once for the next.
 * Why:   the last step of an entry tells the way to it, so all entries that end in it have the same members in the same order,
 *        and the same phase, category and args. Which token is the name, which track and kind follow: no need to ask again.
 * Exact: a recipe does what record.c and event.c do, for the entries that these treat most simply; it looks at the values it
 *        depends on first, and when one is unusual it has done nothing and they take the entry.
 * Life:  part of the step; written and read by the taker of batches alone. */
#ifndef STEPSCOPE_FAST_PATH_H
#define STEPSCOPE_FAST_PATH_H
#include "model/store/facts/attrs_encode.h"

enum fast_path_kind {
	FAST_PATH_NEW,  /* no entry of this shape was taken yet */
	FAST_PATH_NONE, /* the long way each time */
	FAST_PATH_HOST,
	FAST_PATH_DEVICE,
	FAST_PATH_FLOW
};
enum { NO_TOKEN = 255 };
struct fast_path {
	uint8_t kind, class, event_kind;
	char phase;
	bool encloses, to_device;
	/* tokens of the entry, NO_TOKEN = none; corr: the value that joins a call and its work */
	uint8_t name, ts, dur, id, pid, tid, corr;
	uint8_t arg_from, args; /* the members of "args" */
	uint32_t ident;         /* NONE_ID: look pid and tid up */
	str_id category;
	uint64_t seen; /* as in struct record */
	uint8_t coded_n;
	unsigned char coded[ATTR_SLACK]; /* the category as an attribute */
};

struct chrome;
struct batch;
struct item;
struct record;

/* Makes the entry's event or flow point. False: nothing was done. */
bool fast_path_take(struct chrome *c, const struct batch *b, const struct item *i, const struct fast_path *m);
/* Looks at an entry whose record the long way has taken, and leaves in *m what its like will come to. */
void fast_path_learn(struct chrome *c, const struct batch *b, const struct item *i, const struct record *r,
		     struct fast_path *m);
#endif
