#include "lane_rows.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum { LOOKS = 128, WRAPPER_PCT = 95, LONG_PCT = 90, READABLE_COLS = 3 };
enum { NAME_UNKNOWN, NAME_OTHER, NAME_WRAPPER };

struct reader {
	const struct derived *d;
	const struct frame_rules *rules;
	uint8_t *names; /* by the text's number */
};

static bool is_wrapper(struct reader *x, row_id r)
{
	const struct trace *t = derived_trace(x->d);
	const struct columns *c = trace_columns(t);
	if (!x->rules || c->kind[r] != KIND_PYTHON)
		return false;
	uint8_t *known = &x->names[c->name[r]];
	if (*known == NAME_UNKNOWN)
		*known = frame_is_wrapper(x->rules, trace_str(t, c->name[r])) ? NAME_WRAPPER : NAME_OTHER;
	return *known == NAME_WRAPPER;
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* LOOKS looks at the row, evenly spread over the trace: each sees the longest event there. */
static struct row_facts facts_of(struct reader *x, uint32_t track, uint32_t disp)
{
	const struct trace *t = derived_trace(x->d);
	struct bin bins[LOOKS];
	int64_t lengths[LOOKS], busy = 0, wrapped = 0;
	uint32_t n = 0;
	trace_bins(t, track, disp, 0, trace_span_ns(t), LOOKS, bins);
	for (uint32_t i = 0; i < LOOKS; i++) {
		if (bins[i].longest == NONE_ID)
			continue;
		lengths[n++] = trace_columns(t)->dur_ns[bins[i].longest];
		busy += bins[i].busy_ns;
		wrapped += is_wrapper(x, bins[i].longest) ? bins[i].busy_ns : 0;
	}
	qsort(lengths, n, sizeof *lengths, by_length);
	return (struct row_facts){.speck_ns = n ? lengths[(n - 1) * LONG_PCT / 100] : 0,
				  .wrapper = busy > 0 && wrapped >= busy / 100 * WRAPPER_PCT};
}

static void read_track(struct reader *x, uint32_t track, struct track_rows *out)
{
	const struct track_info *info = trace_track(derived_trace(x->d), track);
	if (info->kind != TRACK_THREAD || info->n_rows < 2)
		return;
	out->at = must(calloc(info->n_rows, sizeof *out->at));
	out->n = info->n_rows;
	for (uint32_t disp = 0; disp < info->n_rows; disp++)
		out->at[disp] = facts_of(x, track, disp);
}

struct track_rows *lane_rows_new(const struct derived *d, const struct frame_rules *rules)
{
	const struct trace *t = derived_trace(d);
	struct track_rows *of = must(calloc(trace_tracks(t) + 1, sizeof *of));
	struct reader x = {.d = d, .rules = rules};
	x.names = must(calloc(strings_count(trace_strings(t)) + 1u, 1));
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		read_track(&x, i, &of[i]);
	free(x.names);
	return of;
}

void lane_rows_free(struct track_rows *of, uint32_t tracks)
{
	for (uint32_t i = 0; of && i < tracks; i++)
		free(of[i].at);
	free(of);
}

/* ---- what is shown ------------------------------------------------------------------------------------------------ */

static uint32_t wrappers_of(const struct track_rows *r, uint32_t asked)
{
	uint32_t n = 0;
	for (uint32_t d = 0; d < r->n; d++)
		n += r->at[d].wrapper && d != asked;
	return n;
}

/* The first lane from which on no event could be read; n = there is none. */
static uint32_t first_dense(const struct track_rows *r, int64_t col_ns, const struct shown_row *rows, uint32_t n)
{
	uint32_t i = n;
	while (i && r->at[rows[i - 1].disp].speck_ns < READABLE_COLS * col_ns)
		i--;
	return i;
}

uint32_t lane_rows_shown(const struct track_rows *r, int64_t col_ns, uint32_t asked, struct shown_row *out)
{
	uint32_t wrappers = wrappers_of(r, asked), n = 0;
	bool folded = false;
	for (uint32_t d = 0; d < r->n; d++) {
		bool wrapper = r->at[d].wrapper && d != asked && wrappers > 1;
		if (!wrapper)
			out[n++] = (struct shown_row){d, 1, ROW_PLAIN};
		else if (!folded)
			out[n++] = (struct shown_row){d, wrappers, ROW_WRAPPERS};
		folded = folded || wrapper;
	}
	uint32_t dense = asked == NONE_ID ? first_dense(r, col_ns, out, n) : n;
	if (n - dense < 2)
		return n;
	out[dense] = (struct shown_row){out[dense].disp, r->n - out[dense].disp, ROW_DENSE};
	return dense + 1;
}
