/* tui/timeline/counter_label.h - what a counter's row says in words: its value at the cursor, with its unit where its name tells one,
 * and how much the highest bar stands for. Cost: one search among the samples. */
#ifndef STEPSCOPE_COUNTER_LABEL_H
#define STEPSCOPE_COUNTER_LABEL_H
#include "tui/explorer/timeline_layout.h"

/* Over the row at y, at its right end; at its left one when the cursor is there. */
void counter_label_draw(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			uint32_t track);
/* Such words, which are left out where they would take more than half of the row. */
void counter_words_draw(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			const char *text);
/* Number of samples before ts. */
uint64_t counter_samples_before(const struct sample *at, uint64_t n, int64_t ts_ns);
/* "12.500 MiB", "214 W", "1,305": a value of a counter of that name. Gives buf. */
const char *counter_value(const char *name, double value, char *buf, size_t size);
#endif
