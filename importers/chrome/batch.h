/* importers/chrome/batch.h - entries as they come out of the scanner, on their way to the trace.
 * Why:    scanning touches nothing but the window and what it has learned; interning, coding attributes and ingest touch
 *         nothing but the trace. What goes from one to the other is a list, so both can run at once, and the trace is made in
 *         file order by one thread at a time whatever their number: same calls, same order, same result.
 * Life:   filled by the scanner, taken as a whole, cleared, filled again. Pointers go into the source's window: a batch is
 *         taken before its window is overwritten. */
#ifndef STEPSCOPE_CHROME_BATCH_H
#define STEPSCOPE_CHROME_BATCH_H
#include "scan.h"

struct layout_step;

/* What `step` says stands at `text`; then the value of the member it opens. An object under "args" has no value here: its
 * members follow, up to the step that closes it. */
struct token {
	struct layout_step *step;
	const char *text;
	struct value v; /* VALUE_NONE: an object whose members follow, or a closing bracket */
};

enum item_kind { ITEM_ENTRY, ITEM_BAD_ENTRY, ITEM_NOTE };
struct item {
	int64_t at; /* byte offset in the file */
	uint32_t first, n;
	uint32_t not_json; /* deviations from JSON that viewers accept: trailing commas and the like */
	uint8_t kind;
	uint8_t note;
};
/* The name of an entry as it stands in the window, and its strings_hash; p is NULL where it is told twice, escaped or none. */
struct hashed_name {
	const char *p;
	uint32_t hash;
};
enum { BATCH_ITEMS = 256, BATCH_TOKENS = 8 * BATCH_ITEMS };
struct batch {
	struct item item[BATCH_ITEMS];
	uint32_t n_items, n_tokens, cap_tokens;
	bool names_hashed;
	struct hashed_name name[BATCH_ITEMS]; /* of each item, once they are hashed */
	struct token *token;
	void **retired; /* memory that only the tokens of this batch point to: freed with them */
	uint32_t n_retired, cap_retired;
};
void batch_grow(struct batch *b);                /* room for more tokens */
void batch_retire(struct batch *b, void *block); /* takes the block over */
/* For files where nearly every name is another one: hashing them is the scanner's work then, which has less to do. */
void batch_hash_names(struct batch *b);
void batch_clear(struct batch *b);
void batch_free(void *b); /* a struct batch */
static inline bool batch_full(const struct batch *b)
{
	return b->n_items == BATCH_ITEMS || b->n_tokens >= BATCH_TOKENS;
}
#endif
