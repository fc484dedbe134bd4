/* importers/chrome/intern.h - a small cache in front of the string table: keys and short values repeat all the time.
 * Tags: a key's first look-up asks `tag_of` once; what it answers comes back with every later hit. */
#ifndef STEPSCOPE_CHROME_INTERN_H
#define STEPSCOPE_CHROME_INTERN_H
#include "../../model/store/strings.h"
#include <stdbool.h>

enum { INTERN_SLOTS = 4096 };
struct interned {
	const char *p; /* the table's own copy, NULL = free slot */
	uint32_t n;
	str_id id;
	uint8_t tag;
};
struct intern {
	struct strings *strings;
	uint8_t (*tag_of)(const char *p, size_t n); /* may be NULL */
	struct interned slot[INTERN_SLOTS];
	uint32_t once[INTERN_SLOTS]; /* hashes of texts met once, see intern_repeated */
};
void intern_init(struct intern *c, struct strings *s, uint8_t (*tag_of)(const char *p, size_t n));
const struct interned *intern_get(struct intern *c, const char *p,
				  size_t n); /* finds or adds; valid until the next call */

/* For values: only texts that come again are worth a place in the string table. True from the second time on. */
bool intern_repeated(struct intern *c, const char *p, size_t n, str_id *id);
#endif
