/* importers/chrome/text.h - the text of a JSON string: escapes resolved, damage repaired and counted. */
#ifndef STEPSCOPE_CHROME_TEXT_H
#define STEPSCOPE_CHROME_TEXT_H
#include "scan.h"
#include "model/store/base/strings.h"

/* Holds the decoded text until the next call. Zero-initialise, text_free at the end. */
struct text_buffer {
	char *p;
	size_t cap;
};

/* What had to be repaired or let pass, as counts of texts. The caller makes notes of it once the record has been read. */
struct text_faults {
	unsigned escapes, utf8, not_json;
};

/* The text of a string value. Without escapes it is the value's own bytes. An escape that is none is kept as it stands, half
 * a surrogate pair becomes U+FFFD, raw control characters stay: all three count as `escapes`. Bytes that are no UTF-8 stay
 * and count as `utf8`. Memory out: the text as it stands. */
struct span text_of(struct text_buffer *b, const struct value *v, struct text_faults *faults);
/* JSON text without the blanks between its tokens: pretty-printed arrays in one line. */
struct span text_compact(struct text_buffer *b, const struct value *v);
void text_free(struct text_buffer *b);
#endif
