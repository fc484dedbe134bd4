/* importers/chrome/slice_path.h - the shortcut of fast_path.h for all other events: any members in any order, complete events,
 * begins and ends, instants and async points, placed by the names of their process and thread.
 * Exact: has the effect of record.c and event.c: attributes and texts are taken in file order, and times, ids and a category
 *        that are unusual leave the entry to them before anything is done.
 * Life:  as that of struct fast_path. */
#ifndef STEPSCOPE_SLICE_PATH_H
#define STEPSCOPE_SLICE_PATH_H
#include "model/store/base/strings.h"
#include <stdbool.h>

enum { SLICE_ATTRS = 24, NO_FIXED = 255 };
/* A member of an entry: the value of one of its tokens, or one that is part of that token's text. */
struct member_ref {
	uint8_t token, fixed; /* token: NO_TOKEN = the entry has none; fixed: NO_FIXED = the token's own */
};
struct slice_path {
	char phase;
	uint8_t class;
	bool plain;      /* neither its category nor its args tell anything */
	str_id category; /* of a fixed one */
	uint8_t n_attrs;
	struct member_ref phase_at, name, ts, dur, id, pid, tid, cat, scope;
	struct member_ref attr[SLICE_ATTRS]; /* in file order */
	uint32_t ident;                      /* NONE_ID: look pid and tid up */
	uint64_t seen;                       /* as in struct record */
};

struct chrome;
struct batch;
struct item;
struct record;

/* Plans *m from an entry that record.c and event.c have just taken. False: its like must go there, too. */
bool slice_path_learn(struct chrome *c, const struct batch *b, const struct item *i, const struct record *r,
		      struct slice_path *m);
/* Makes the entry's event or point. False: nothing was done. */
bool slice_path_take(struct chrome *c, const struct batch *b, const struct item *i, const struct slice_path *m);
#endif
