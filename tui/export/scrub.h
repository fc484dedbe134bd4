/* tui/export/scrub.h - names as they may leave: as recorded, or, redacted, as a salted hash that is the same for the same name in one
 * file. What is technical - kernels, calls of the driver, ops of frameworks - says nothing of its user and stays. */
#ifndef STEPSCOPE_EXPORT_SCRUB_H
#define STEPSCOPE_EXPORT_SCRUB_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

const char *scrub_process(bool redact, const struct trace *t, uint32_t process, struct arena *mem);
const char *scrub_device(bool redact, const struct trace *t, uint32_t device, struct arena *mem);
const char *scrub_track(bool redact, const struct trace *t, uint32_t track, struct arena *mem); /* "" = none */
const char *scrub_event(bool redact, const struct derived *d, row_id r, struct arena *mem);
const char *scrub_text(bool redact, const char *kind, const char *text, struct arena *mem);
/* A copy of the table whose texts name neither hosts nor threads, and hold no path. */
struct table *scrub_table(const struct table *t, const struct derived *d, struct arena *mem);
#endif
