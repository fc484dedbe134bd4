/* tui/text/guide.h - findings as people read them: a mark, the subject, the sentence, what to do. One wording for the command
 * line, the Guide pane and the reports; the numbers are those of the table 'findings'. */
#ifndef STEPSCOPE_GUIDE_H
#define STEPSCOPE_GUIDE_H
#include "tone.h"
#include "model/finding.h"
#include <stdio.h>

/* One row of the table 'findings'. Texts lie in the table. */
struct guide_item {
	enum finding_state state;
	const char *rule, *title, *about, *sentence, *advice, *formula; /* NULL: none */
	int64_t lost_ns;                                                /* UNKNOWN_I64: none */
	double confidence;                                              /* NaN: none */
};
struct guide_item guide_item(const struct table *findings, uint32_t row);
const char *guide_mark(enum finding_state s, bool ascii); /* one column wide: never colour alone */
enum tone guide_tone(enum finding_state s);
/* "2 failed, 1 warning, 3 cannot be told, 9 fine" */
const char *guide_summary(const struct table *findings, char *buf, size_t size);
/* The whole list, wrapped at 80 columns: what stands in full, what is fine as one line each. */
void guide_write(const struct table *findings, FILE *out, bool ascii);
#endif
