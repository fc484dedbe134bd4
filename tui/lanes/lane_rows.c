#include "lane_rows.h"
#include "model/analysis/maths/quantile.h"
#include "model/store/base/grow.h"
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

/* The only event of the row; NONE_ID: there are more of them, or none. */
static row_id only_event(const struct trace *t, uint32_t track, uint32_t disp)
{
	row_id first = trace_next_on_row(t, track, disp, INT64_MIN);
	return first == trace_prev_on_row(t, track, disp, INT64_MAX) ? first : NONE_ID;
}

/* LOOKS looks at the row, evenly spread over the trace: each sees the longest event there. */
static struct row_facts facts_of(struct reader *x, uint32_t track, uint32_t disp)
{
	const struct trace *t = derived_trace(x->d);
	struct bin bins[LOOKS];
	int64_t lengths[LOOKS], busy = 0, wrapped = 0;
	uint32_t n = 0;
	row_id only = only_event(t, track, disp);
	if (only != NONE_ID) {
		int64_t ns = trace_columns(t)->dur_ns[only];
		return (struct row_facts){.speck_ns = ns, .wrapper = ns > 0 && is_wrapper(x, only)};
	}
	trace_bins(t, track, disp, 0, trace_span_ns(t), LOOKS, bins);
	for (uint32_t i = 0; i < LOOKS; i++) {
		if (bins[i].longest == NONE_ID)
			continue;
		lengths[n++] = trace_columns(t)->dur_ns[bins[i].longest];
		busy += bins[i].busy_ns;
		wrapped += is_wrapper(x, bins[i].longest) ? bins[i].busy_ns : 0;
	}
	return (struct row_facts){.speck_ns = n ? select_rank(lengths, n, (n - 1) * LONG_PCT / 100) : 0,
				  .wrapper = busy > 0 && wrapped >= busy / 100 * WRAPPER_PCT};
}

/* Of several wrappers the first one has a lane for all. */
static bool has_lane(const struct track_rows *r, uint32_t disp)
{
	return !r->at[disp].wrapper || r->wrappers < 2 || disp == r->wrapper;
}

static void find_lanes(struct track_rows *r)
{
	int64_t speck_ns = 0;
	uint32_t lane = 0;
	for (uint32_t d = r->n; d-- > 0;) {
		r->wrappers += r->at[d].wrapper;
		r->wrapper = r->at[d].wrapper ? d : r->wrapper;
	}
	for (uint32_t d = 0; d < r->n; d++) {
		r->at[d].lane = lane;
		lane += has_lane(r, d);
	}
	for (uint32_t d = r->n; d-- > 0;) {
		if (has_lane(r, d) && r->at[d].speck_ns > speck_ns)
			speck_ns = r->at[d].speck_ns;
		r->at[d].speck_ns = speck_ns;
	}
}

static struct track_rows read_track(struct reader *x, uint32_t track, uint32_t n)
{
	struct track_rows rows = {.at = must(calloc(n, sizeof *rows.at)), .n = n};
	for (uint32_t disp = 0; disp < n; disp++)
		rows.at[disp] = facts_of(x, track, disp);
	find_lanes(&rows);
	return rows;
}

struct lane_rows lane_rows_new(const struct derived *d, const struct frame_rules *rules)
{
	const struct trace *t = derived_trace(d);
	struct lane_rows of = {0};
	uint32_t cap = 0, tracks_cap = 0;
	struct reader x = {.d = d, .rules = rules};
	x.names = must(calloc(strings_count(trace_strings(t)) + 1u, 1));
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		if (info->kind != TRACK_THREAD || info->n_rows < 2)
			continue;
		GROW_ARRAY(of.at, of.n, cap);
		GROW_ARRAY(of.tracks, of.n, tracks_cap);
		of.at[of.n] = read_track(&x, i, info->n_rows);
		of.tracks[of.n++] = i;
	}
	free(x.names);
	return of;
}

void lane_rows_free(struct lane_rows *x)
{
	for (uint32_t i = 0; i < x->n; i++)
		free(x->at[i].at);
	free(x->at);
	free(x->tracks);
	*x = (struct lane_rows){0};
}

const struct track_rows *lane_rows_of(const struct lane_rows *x, uint32_t track)
{
	static const struct track_rows none;
	uint32_t lo = 0, hi = x->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (x->tracks[mid] < track)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < x->n && x->tracks[lo] == track ? &x->at[lo] : &none;
}

/* ---- what is shown ------------------------------------------------------------------------------------------------ */

/* The first row with a lane from which on no event could be read; r->n = there is none. */
static uint32_t first_dense(const struct track_rows *r, int64_t col_ns)
{
	uint32_t lo = 0, hi = r->n;
	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;
		if (r->at[middle].speck_ns < READABLE_COLS * col_ns)
			hi = middle;
		else
			lo = middle + 1;
	}
	while (lo < r->n && !has_lane(r, lo))
		lo++;
	return lo;
}

static struct shown_row lane_of(const struct track_rows *r, uint32_t disp, uint32_t wrappers)
{
	bool many = r->at[disp].wrapper && wrappers > 1;
	return (struct shown_row){disp, many ? wrappers : 1, many ? ROW_WRAPPERS : ROW_PLAIN};
}

static uint32_t all_lanes(const struct track_rows *r)
{
	return r->wrappers > 1 ? r->n - r->wrappers + 1 : r->n;
}

/* The row from which on one lane stands for all; r->n = no two of them would be summed up. */
static uint32_t summed_from(const struct track_rows *r, int64_t col_ns)
{
	uint32_t dense = first_dense(r, col_ns);
	return dense < r->n && all_lanes(r) - r->at[dense].lane >= 2 ? dense : r->n;
}

bool lane_rows_alike(const struct track_rows *r, int64_t col_ns, int64_t other_col_ns)
{
	return summed_from(r, col_ns) == summed_from(r, other_col_ns);
}

uint32_t lane_rows_shown(const struct track_rows *r, int64_t col_ns, uint32_t most, struct shown_row *out)
{
	uint32_t dense = summed_from(r, col_ns), n = 0;
	bool any_dense = dense < r->n;
	uint32_t shown = any_dense ? r->at[dense].lane + 1 : all_lanes(r);
	for (uint32_t d = 0; n < shown && n < most; d++)
		if (has_lane(r, d))
			out[n++] = lane_of(r, d, r->wrappers);
	if (any_dense && n == shown)
		out[n - 1] = (struct shown_row){dense, r->n - dense, ROW_DENSE};
	return shown;
}

uint32_t lane_rows_asked(const struct track_rows *r, uint32_t asked, struct shown_row *out)
{
	uint32_t wrappers = r->wrappers - (asked < r->n && r->at[asked].wrapper), n = 0;
	bool folded = false;
	for (uint32_t d = 0; d < r->n; d++) {
		bool wrapper = r->at[d].wrapper && d != asked && wrappers > 1;
		if (!wrapper || !folded)
			out[n++] = lane_of(r, d, d == asked ? 1 : wrappers);
		folded = folded || wrapper;
	}
	return n;
}
