/* model/filter.h - which events: a PCRE2 pattern on the name and/or field conditions.
 * Language: conditions joined by blanks (and). `name=/regex/i`, `name=text` (substring, smart case), `kind=kernel`,
 *           `kind=memcpy,gemm`, `tc=could`, `precision=fp16,bf16`, `track=/regex/`, `stream=7`, `device=0`, `step=5`, `dur>1ms`,
 *           `dur<=20us`, `corr=123`, `op=/regex/`, `!` before a condition negates it, `!=` too; a bare word or /regex/ means name. "..." quotes blanks.
 *           Addresses are `addr=4096` or `addr=0x1000`. Numbers and times take `=7`, `=7..9`, `<` `<=` `>` `>=`. filter_fields() lists all fields. What an event does
 *           not have (a host event has no stream) fails the condition and so passes the negated one.
 * Said:     what a kernel does, computes in and the like is said by analyses that the filter does not know: filter_bind_said.
 * Life:     filter_new -> filter_bind (the trace it is about) -> filter_match... -> filter_free. Binding asks the patterns
 *           about every text of the trace, within the limits of pattern.h: matching afterwards only looks up and cannot fail.
 * Threads:  once bound, any number of threads. */
#ifndef STEPSCOPE_FILTER_H
#define STEPSCOPE_FILTER_H
#include "said_words.h"
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include "model/store/trace/trace.h"

struct filter;
struct filter *filter_new(const char *text, struct err *e); /* NULL and a usage error naming the place otherwise */
void filter_free(struct filter *f);
/* False when a pattern runs into a limit (a usage error that says which and what to do) or p says cancel ("cancelled"); the
 * filter is of no use then, but may be bound again. p may be NULL. The trace outlives what is asked of the filter. */
bool filter_bind(struct filter *f, const struct trace *t, struct progress *p, struct err *e);
/* What analyses say of an event: the number of its word in the list, -1 = nothing. Asked while the filter is bound, about device
 * work only; false of `sound` with the reason in e: what was said is of no use. */
struct filter_sayer {
	void *ctx;
	int (*says)(void *ctx, enum said_list list, row_id r);
	bool (*sound)(void *ctx, struct err *e);
};
/* The lists that the filter's conditions ask, as bits 1 << enum said_list. */
uint32_t filter_asks(const struct filter *f);
/* The same as filter_bind, which binds without a sayer: conditions on what analyses say then match nothing. */
bool filter_bind_said(struct filter *f, const struct trace *t, const struct filter_sayer *s, struct progress *p,
		      struct err *e);
/* Whether some condition of the text names a field: what else looks like a regular expression may be one. */
bool filter_names_field(const char *text);
const char *filter_text(const struct filter *f);
/* An event of the trace it is bound to. step_label: of the event, for `step=` (may be NULL: such conditions then match
 * nothing). */
bool filter_match(const struct filter *f, row_id r, const char *step_label);

struct filter_field {
	const char *name, *values, *help; /* "dur", "> 1ms", "duration" */
};
const struct filter_field *filter_fields(uint32_t *n);
/* The words that a field may be equal to, one after the other, for completion and messages: NULL after the last one, and at
 * once for a field of free text or of numbers. */
const char *filter_value(uint32_t field, uint32_t i);
/* A condition on `step` exists: callers that find step labels costly may pass NULL otherwise. */
bool filter_needs_step(const struct filter *f);
#endif
