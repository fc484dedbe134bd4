/* tests/unit/derive_trace.h - from a little trace to its overlay and tables, failing the test when something is wrong. */
#ifndef DERIVE_TRACE_H
#define DERIVE_TRACE_H
#include "build_trace.h"
#include "model/analysis/analysis.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static inline struct derived *derive_as(struct build *b, const struct derived_opts *o)
{
	struct err e = {0};
	struct trace *t = build_seal(b);
	assert_non_null(t);
	struct derived *d = derived_new(t, o, NULL, &e);
	if (!d)
		fail_msg("%s", e.msg);
	trace_free(t);
	return d;
}
static inline struct derived *derive(struct build *b)
{
	return derive_as(b, NULL);
}
static inline struct derived *derive_by(struct build *b, const char *regex)
{
	return derive_as(b, &(struct derived_opts){.steps_by = regex});
}
static inline uint32_t stream_track(const struct derived *d, int64_t stream)
{
	const struct trace *t = derived_trace(d);
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == TRACK_STREAM && trace_track(t, i)->key == stream)
			return i;
	fail_msg("no stream %d", (int)stream);
	return NONE_ID;
}
/* Label of the step that the first event of that name belongs to; "-" = none. */
static inline const char *step_of(const struct derived *d, const char *name)
{
	row_id r = row_named(derived_trace(d), name);
	if (r == NONE_ID)
		fail_msg("no event %s", name);
	uint32_t s = derived_step_of(d, r);
	return s == NONE_ID ? "-" : derived_step(d, s)->label;
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

static inline const struct cell *cell_of(const struct table *t, uint32_t row, const char *column)
{
	int col = table_column(t, column);
	if (col < 0)
		fail_msg("no column %s", column);
	assert_in_range(row, 0, t->n_rows - 1);
	return table_cell(t, row, (uint32_t)col);
}
static inline int64_t int_of(const struct table *t, uint32_t row, const char *column)
{
	assert_false(cell_of(t, row, column)->null);
	return cell_of(t, row, column)->i;
}
static inline const char *text_of(const struct table *t, uint32_t row, const char *column)
{
	return cell_of(t, row, column)->null ? "-" : cell_of(t, row, column)->s;
}
/* What a person reads: unit applied. */
static inline const char *shown(const struct table *t, uint32_t row, const char *column)
{
	static char buf[8][256];
	static int next;
	next = (next + 1) % 8;
	return cell_format(t, row, (uint32_t)table_column(t, column), buf[next], sizeof buf[next]);
}
static inline int64_t sum_of(const struct table *t, const char *column)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < t->n_rows; i++)
		sum += int_of(t, i, column);
	return sum;
}
#endif
