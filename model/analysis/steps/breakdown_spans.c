#include "breakdown_spans.h"
#include "breakdown.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include <stdlib.h>

bool row_in_group(const struct derived *d, row_id r)
{
	uint32_t step = derived_step_of(d, r);
	if (step == NONE_ID || !derived_step_is_group(d, step))
		return step != NONE_ID;
	return step_group_at(derived_columns(d)->group, r) >= 0;
}

/* Starts alike: the longer one first, as where one event encloses another. */
static int by_start(const void *x, const void *y, void *arg)
{
	const struct columns *c = arg;
	row_id a = *(const row_id *)x, b = *(const row_id *)y;
	if (c->start_ns[a] != c->start_ns[b])
		return c->start_ns[a] < c->start_ns[b] ? -1 : 1;
	if (c->dur_ns[a] != c->dur_ns[b])
		return c->dur_ns[a] > c->dur_ns[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* The device's work that belongs to steps, in order of its start; to be freed. */
static row_id *work_of_steps(const struct derived *d, uint32_t device, size_t *n)
{
	uint32_t n_tracks;
	const uint32_t *tracks = device_streams(d, device, &n_tracks);
	size_t room = 0;
	for (uint32_t i = 0; i < n_tracks; i++)
		room += trace_track(derived_trace(d), tracks[i])->n;
	row_id *rows = must(malloc(room * sizeof *rows));
	*n = 0;
	for (uint32_t i = 0; i < n_tracks; i++) {
		const struct track_info *k = trace_track(derived_trace(d), tracks[i]);
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
			if (row_is_work(derived_columns(d), r) && derived_step_of(d, r) != NONE_ID &&
			    row_in_group(d, r))
				rows[(*n)++] = r;
	}
	if (n_tracks > 1)
		qsort_r(rows, *n, sizeof *rows, by_start, (void *)derived_columns(d));
	return rows;
}

static void keep_longest(struct interval *kept, int64_t a_ns, int64_t b_ns)
{
	if (kept->a_ns > kept->b_ns || b_ns - a_ns > kept->b_ns - kept->a_ns)
		*kept = (struct interval){a_ns, b_ns};
}

/* Neighbours of one step in the device's order make a span. When steps interleave, a step has several: the longest counts. */
static void spans_of_device(const struct derived *d, uint32_t device, struct interval *spans)
{
	size_t n;
	row_id *rows = work_of_steps(d, device, &n);
	for (size_t i = 0, next; i < n; i = next) {
		uint32_t step = derived_step_of(d, rows[i]);
		int64_t end_ns = row_end(derived_columns(d), rows[i]);
		for (next = i + 1; next < n && derived_step_of(d, rows[next]) == step; next++)
			if (row_end(derived_columns(d), rows[next]) > end_ns)
				end_ns = row_end(derived_columns(d), rows[next]);
		keep_longest(&spans[step], derived_columns(d)->start_ns[rows[i]], end_ns);
	}
	free(rows);
}

struct interval *longest_spans(const struct derived *d)
{
	struct interval *spans = must(malloc(derived_steps(d) * sizeof *spans));
	for (uint32_t i = 0; i < derived_steps(d); i++)
		spans[i] = (struct interval){1, 0};
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		spans_of_device(d, i, spans);
	return spans;
}

/* The reference tool's (X8.2): a marker that does not contain the work of its group is none. */
static bool marker_counts_xprof(const struct derived *d, uint32_t step, const struct step_device *part)
{
	const struct step *s = derived_step(d, step);
	return derived_step_holds_by_time(d, step) || (s->start_ns <= part->first_ns && part->last_ns <= s->end_ns);
}

void step_time_by_work(const struct derived *d, uint32_t step, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct step *s = derived_step(d, step);
	const struct step_device *part = derived_step_device(d, step, device);
	bool marked = s->marker != NONE_ID || s->inferred,
	     by_marker = marked && part && marker_counts_xprof(d, step, part);
	*a_ns = part && !by_marker ? part->first_ns : s->start_ns;
	*b_ns = part && !by_marker ? part->last_ns : s->time_end_ns;
}

bool host_has_work(const struct derived *d, uint32_t host)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		if (trace_device(derived_trace(d), i)->host == host && derived_busy_device(d, i)->n)
			return true;
	return false;
}
