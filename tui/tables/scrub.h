/* tui/tables/scrub.h - names as they may leave: as recorded, or, redacted, as a salted hash that is the same for the same name in one
 * run of the program and another one in the next. What is technical - kernels, calls of the driver, ops of frameworks, marks of steps -
 * says nothing of its user and stays; everything else is hashed, whatever it is.
 * Life: scrub_new -> read only -> scrub_free. NULL stands for "as recorded" everywhere. */
#ifndef STEPSCOPE_SCRUB_H
#define STEPSCOPE_SCRUB_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

struct scrub;
struct scrub *scrub_new(const struct derived *d);
void scrub_free(struct scrub *s);
/* Texts live in the trace or in `mem`; "" = none. */
const char *scrub_process(const struct scrub *s, const struct trace *t, uint32_t process, struct arena *mem);
const char *scrub_device(const struct scrub *s, const struct trace *t, uint32_t device, struct arena *mem);
const char *scrub_track(const struct scrub *s, const struct trace *t, uint32_t track, struct arena *mem);
const char *scrub_event(const struct scrub *s, const struct trace *t, row_id r, struct arena *mem);
/* Of an event that is called so. */
const char *scrub_name(const struct scrub *s, const char *name, struct arena *mem);
const char *scrub_text(const struct scrub *s, const char *kind, const char *text, struct arena *mem);
/* A text of this program with recorded names in it: hashes stand for those that are not technical. */
const char *scrub_sentence(const struct scrub *s, const char *text, struct arena *mem);
/* The text of a cell that is not null. */
const char *scrub_cell(const struct scrub *s, const struct table *t, uint32_t r, uint32_t c, struct arena *mem);
/* The table itself, or a copy in which only columns of a list and technical names are told. */
const struct table *scrub_table(const struct scrub *s, const struct table *t, struct arena *mem);
#endif
