/* importers/chrome/entry.h - scans entries of the event array into a batch, in one pass, touching nothing else. */
#ifndef STEPSCOPE_CHROME_ENTRY_H
#define STEPSCOPE_CHROME_ENTRY_H
#include "learned_layout.h"

struct scanner {
	struct layout layout;
	struct batch *batch; /* of the entry being scanned */
	uint32_t not_json;   /* of it, too */
	const char *until;   /* an entry that begins there or after it is left; NULL: none is */
};

/* Scans the object at p, whose byte offset is `at`, and those after it, each after a comma, until the batch is full; it must
 * not be full before. Returns what follows the last one scanned; NULL with *why when that is none: then nothing was added.
 * Which version runs is chosen by the processor, and by STEPSCOPE_VECTOR (see scan.h). */
extern const char *(*entry_scan)(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
				 enum fault *why);
#ifdef ENTRY_WIDE
/* The same loop compiled for 32-byte vectors; only for processors that scan_wide() allows. */
const char *entry_scan_wide(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
			    enum fault *why);
#endif

/* Does an entry start at this brace, as far as its first key, one that we know, tells? */
bool entry_starts(const char *p, const char *end);
/* Visits the members of a raw object; *p starts at its brace. False at its end or at damage. */
bool object_next(const char **p, const char *end, struct value *key, struct value *v);
/* The same for the elements of a raw array. */
bool array_next(const char **p, const char *end, struct value *v);
bool value_is(const struct value *v, const char *text); /* a text, and this one */
#endif
