/* importers/chrome/fast_path.h - a shortcut for entries laid out like an earlier one: planned once, then applied to all.
 * Why:   the last step of an entry in the layout tree identifies the whole path, so all entries that end there have the same
 *        members in the same order, and the same phase, category and args. Which token is the name, which track and which
 *        kind are therefore decided once.
 * Exact: a fast path has the effect of record.c and event.c on their simplest entries. It checks all values it depends on
 *        first; when one is unusual it changes nothing and leaves the entry to them.
 * Life:  part of the layout step; written and read only by the consumer of batches. */
#ifndef STEPSCOPE_FAST_PATH_H
#define STEPSCOPE_FAST_PATH_H
#include "model/store/facts/attrs_encode.h"
#include "slice_path.h"

enum fast_path_kind {
	FAST_PATH_NEW,  /* no entry of this layout was seen yet */
	FAST_PATH_NONE, /* does not apply: record.c and event.c take each entry */
	FAST_PATH_HOST,
	FAST_PATH_DEVICE,
	FAST_PATH_FLOW,
	FAST_PATH_SLICE /* slice_path.h */
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
	struct slice_path slice;
};

struct chrome;
struct batch;
struct item;
struct record;

/* Makes the entry's event or flow point. False: nothing was done. */
bool fast_path_take(struct chrome *c, const struct batch *b, const struct item *i, const struct fast_path *m);
/* Plans *m from an entry that record.c and event.c have just taken, for the next entries of the same layout. */
void fast_path_learn(struct chrome *c, const struct batch *b, const struct item *i, const struct record *r,
		     struct fast_path *m);
#endif
