/* model/store/trace/rows.c - display rows: per (track, disp) the events in time order, a pyramid of the longest one and running
 * sums, so that a screen column costs a few steps whatever the trace holds. */
#include "trace_private.h"
#include "model/store/base/both.h"
#include <stdlib.h>

enum { AHEAD = 48 }; /* entries whose duration is fetched while others are added up */

/* The latest end of rows [first, end). */
static int64_t latest_end(const struct trace *t, uint64_t first, uint64_t end)
{
	int64_t latest = INT64_MIN;
	for (uint64_t r = first; r < end; r++) {
		int64_t at = row_reach(t, (row_id)r);
		latest = at > latest ? at : latest;
	}
	return latest;
}

static int64_t latest_of(const int64_t *below, uint64_t first, uint64_t end)
{
	int64_t latest = INT64_MIN;
	for (uint64_t i = first; i < end; i++)
		latest = below[i] > latest ? below[i] : latest;
	return latest;
}

/* What of a track's rows lies before the end of each block, whole blocks of it by what is known of them. */
static void reach_before(struct trace *t, const struct track_info *k)
{
	int64_t latest = INT64_MIN;
	for (uint64_t r = k->first, end = k->first + k->n, b; ((b = (r >> SKIP_SHIFT) + 1) << SKIP_SHIFT) < end;
	     r = b << SKIP_SHIFT) {
		bool whole = (r & (((uint64_t)1 << SKIP_SHIFT) - 1)) == 0;
		int64_t of_block = whole ? t->skip[0][b - 1] : latest_end(t, r, b << SKIP_SHIFT);
		latest = of_block > latest ? of_block : latest;
		t->reached[b] = latest;
	}
}

static bool seal_reached(struct trace *t)
{
	t->reached = large_alloc(((t->c.n >> SKIP_SHIFT) + 1) * sizeof *t->reached);
	for (uint32_t i = 0; t->reached && i < t->n_tracks; i++)
		reach_before(t, &t->tracks[i].info);
	return t->reached != NULL;
}

bool seal_skip(struct trace *t)
{
	uint64_t below = t->c.n;
	for (int level = 0; level < SKIP_LEVELS; level++) {
		uint64_t n = (below >> SKIP_SHIFT) + 1;
		int64_t *out = large_alloc(n * sizeof *out);
		if (!out)
			return false;
		for (uint64_t i = 0; i < n; i++) {
			uint64_t first = i << SKIP_SHIFT, end = (i + 1) << SKIP_SHIFT;
			end = end < below ? end : below;
			out[i] = level ? latest_of(t->skip[level - 1], first, end) : latest_end(t, first, end);
		}
		t->skip[level] = out;
		below = n;
	}
	return seal_reached(t);
}

/* Lists the rows of a track by display row. */
static void list_rows(const struct trace *t, const struct trace_track *x, struct disp_row *of_track)
{
	uint64_t end = x->info.first + x->info.n, at = x->info.first;
	if (x->info.n_rows == 1) {
		of_track[0] = (struct disp_row){(uint32_t)at, (uint32_t)x->info.n};
		for (uint64_t r = at; r < end; r++)
			t->by_disp[r] = (row_id)r;
		return;
	}
	for (uint64_t r = at; r < end; r++)
		of_track[t->disp[r]].n++;
	for (uint32_t d = 0; d < x->info.n_rows; d++) {
		of_track[d].first = at;
		at += of_track[d].n;
		of_track[d].n = 0;
	}
	for (uint64_t r = x->info.first; r < end; r++) {
		struct disp_row *d = &of_track[t->disp[r]];
		t->by_disp[d->first + d->n++] = (row_id)r;
	}
}

/* What the threads that index share. */
struct indexing {
	struct trace *t;
	const struct helpers *helpers;
	_Atomic uint32_t next; /* track that nobody lists yet */
	uint32_t at_a_time;    /* tracks: of very many some together */
	uint64_t blocks;       /* of FAN entries */
	uint64_t sum_ns[2];    /* of all entries of each half of them */
};

/* Tracks that nobody else lists, one after the other. */
static bool list_tracks(void *ctx)
{
	struct indexing *x = ctx;
	struct trace *t = x->t;
	for (uint32_t from; (from = atomic_fetch_add(&x->next, x->at_a_time)) < t->n_tracks;)
		for (uint32_t i = from; i < t->n_tracks && i < from + x->at_a_time; i++)
			list_rows(t, &t->tracks[i], &t->disp_rows[t->tracks[i].first_disp]);
	return true;
}

static bool list_behind(void *ctx)
{
	struct indexing *x = ctx;
	return (!x->helpers->beside || x->helpers->beside(x->helpers->ctx)) && list_tracks(x);
}

static bool build_by_disp(struct indexing *x)
{
	struct trace *t = x->t;
	uint64_t rows = 0;
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		t->tracks[i].first_disp = rows;
		rows += t->tracks[i].info.n_rows;
	}
	t->n_disp_rows = rows;
	t->disp_rows = calloc(rows + 1, sizeof *t->disp_rows);
	if (!t->by_disp) /* else the caller had memory to spare */
		t->by_disp = large_alloc((t->c.n + 1) * sizeof *t->by_disp);
	if (!t->disp_rows || !t->by_disp)
		return false;
	ahead_middle(x->helpers->ahead, t->by_disp, t->c.n * sizeof *t->by_disp);
	return both(x->helpers->threads, list_behind, list_tracks, x);
}

static int64_t dur_at(const struct trace *t, uint64_t entry)
{
	return t->dur_ns[t->by_disp[entry]];
}

/* The bottom of the pyramid and the sums that run from block `first` on, in one walk over the entries of [first, end). Returns
 * the sum of all. */
static uint64_t fill_bottom(struct trace *t, uint64_t first, uint64_t end_block)
{
	uint64_t n = t->c.n, sum = 0;
	for (uint64_t i = first; i < end_block; i++) {
		uint64_t best = i * FAN, end = best + FAN < n ? best + FAN : n;
		int64_t best_ns = dur_at(t, best);
		t->sum_before[i] = (int64_t)sum;
		sum += (uint64_t)best_ns;
		for (uint64_t k = best + 1; k < end; k++) {
			__builtin_prefetch(&t->dur_ns[t->by_disp[k + AHEAD < n ? k + AHEAD : k]]);
			int64_t dur_ns = dur_at(t, k);
			sum += (uint64_t)dur_ns;
			best = dur_ns > best_ns ? k : best;
			best_ns = dur_ns > best_ns ? dur_ns : best_ns;
		}
		if (t->longest[0])
			t->longest[0][i] = (uint32_t)best;
	}
	return sum;
}

static bool fill_first_half(void *ctx)
{
	struct indexing *x = ctx;
	x->sum_ns[0] = fill_bottom(x->t, 0, x->blocks / 2);
	return true;
}

static bool fill_second_half(void *ctx)
{
	struct indexing *x = ctx;
	x->sum_ns[1] = fill_bottom(x->t, x->blocks / 2, x->blocks);
	return true;
}

static bool build_bottom(struct indexing *x)
{
	struct trace *t = x->t;
	uint64_t n = t->c.n, blocks = x->blocks = (n + FAN - 1) / FAN;
	t->sum_before = large_alloc((n / FAN + 1) * sizeof *t->sum_before);
	t->longest[0] = n > FAN ? large_alloc(blocks * sizeof **t->longest) : NULL;
	if (!t->sum_before || (n > FAN && !t->longest[0]) ||
	    !both(x->helpers->threads, fill_first_half, fill_second_half, x))
		return false;
	for (uint64_t i = blocks / 2; i < blocks; i++)
		t->sum_before[i] += (int64_t)x->sum_ns[0];
	/* a sum up to the very end is asked for, too */
	if (n % FAN == 0)
		t->sum_before[blocks] = (int64_t)(x->sum_ns[0] + x->sum_ns[1]);
	return true;
}

static bool build_pyramid(struct trace *t)
{
	uint64_t below = (t->c.n + FAN - 1) / FAN;
	for (int level = 1; level < MAX_LEVELS && below > FAN; level++) {
		uint64_t n = (below + FAN - 1) / FAN;
		const uint32_t *in = t->longest[level - 1];
		uint32_t *out = large_alloc(n * sizeof *out);
		if (!out)
			return false;
		for (uint64_t i = 0; i < n; i++) {
			out[i] = in[i * FAN];
			for (uint64_t k = i * FAN + 1; k < (i + 1) * FAN && k < below; k++)
				if (dur_at(t, in[k]) > dur_at(t, out[i]))
					out[i] = in[k];
		}
		t->longest[level] = out;
		below = n;
	}
	return true;
}

bool seal_display(struct trace *t, const struct helpers *h)
{
	enum { SHARES = 1024 };
	struct indexing x = {.t = t, .helpers = h, .at_a_time = t->n_tracks / SHARES + 1};
	return build_by_disp(&x) && build_bottom(&x) && build_pyramid(t);
}

/* ---- queries -------------------------------------------------------------------------------------------------- */

/* Durations of entries 0 .. entry-1. */
static uint64_t sum_to(const struct trace *t, uint64_t entry)
{
	uint64_t sum = (uint64_t)t->sum_before[entry / FAN];
	for (uint64_t i = entry / FAN * FAN; i < entry; i++)
		sum += (uint64_t)dur_at(t, i);
	return sum;
}

static uint32_t better(const struct trace *t, uint32_t best, uint32_t x)
{
	return best == NONE_ID || dur_at(t, x) > dur_at(t, best) ? x : best;
}

/* Entry of the longest event among [a, b), NONE_ID when empty. */
static uint32_t longest_in(const struct trace *t, uint64_t a, uint64_t b)
{
	uint32_t best = NONE_ID;
	for (int level = -1; a < b; level++, a /= FAN, b /= FAN) {
		const uint32_t *x = level < 0 ? NULL : t->longest[level];
		/* entries up to the next multiple of FAN one by one, then a level up, where one stands for FAN of them */
		bool top = level + 1 >= MAX_LEVELS || !t->longest[level + 1];
		while (a < b && (top || a % FAN)) {
			best = better(t, best, x ? x[a] : (uint32_t)a);
			a++;
		}
		while (a < b && (top || b % FAN)) {
			b--;
			best = better(t, best, x ? x[b] : (uint32_t)b);
		}
	}
	return best;
}

/* First entry in [lo, hi) whose event reaches past ts (past = true) or starts at or after ts. Gallops from lo, with a first
 * step of the distance that is expected. */
static uint64_t first_entry_near(const struct trace *t, uint64_t lo, uint64_t hi, int64_t ts, bool past, uint64_t step)
{
#define BEHIND(e) (past ? row_reach(t, t->by_disp[e]) > ts : t->start_ns[t->by_disp[e]] >= ts)
	while (lo < hi) {
		uint64_t probe = lo + step - 1 < hi ? lo + step - 1 : hi - 1;
		if (BEHIND(probe)) {
			hi = probe;
			break;
		}
		lo = probe + 1;
		step *= 2;
	}
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		if (BEHIND(mid))
			hi = mid;
		else
			lo = mid + 1;
	}
#undef BEHIND
	return lo;
}

static uint64_t first_entry(const struct trace *t, uint64_t lo, uint64_t hi, int64_t ts, bool past)
{
	return first_entry_near(t, lo, hi, ts, past, 1);
}

static int64_t covered(const struct trace *t, uint64_t entry, int64_t a, int64_t b)
{
	row_id r = t->by_disp[entry];
	int64_t from = t->start_ns[r] > a ? t->start_ns[r] : a, to = row_end(t, r) < b ? row_end(t, r) : b;
	return to > from ? to - from : 0;
}

static void fill_bin(const struct trace *t, uint64_t lo, uint64_t hi, int64_t a, int64_t b, struct bin *out)
{
	*out = (struct bin){.count = (uint32_t)(hi - lo), .longest = NONE_ID};
	if (lo == hi)
		return;
	int64_t left = covered(t, lo, a, b), right = hi - lo > 1 ? covered(t, hi - 1, a, b) : 0;
	out->busy_ns = left + right;
	uint64_t best = left >= right ? lo : hi - 1;
	int64_t best_ns = left >= right ? left : right;
	/* the events at both ends may reach out of the bin; those between lie in it whole, so sums and the pyramid apply */
	if (hi - lo > 2) {
		out->busy_ns += (int64_t)(sum_to(t, hi - 1) - sum_to(t, lo + 1));
		uint32_t inner = longest_in(t, lo + 1, hi - 1);
		if (inner != NONE_ID && dur_at(t, inner) > best_ns)
			best = inner;
	}
	out->longest = t->by_disp[best];
}

static const struct disp_row *disp_row(const struct trace *t, uint32_t track, uint32_t disp)
{
	static const struct disp_row none;
	if (track >= t->n_tracks || disp >= t->tracks[track].info.n_rows)
		return &none;
	return &t->disp_rows[t->tracks[track].first_disp + disp];
}

/* Most bins of a deep nest hold nothing, or one event: no search. lo: the first entry that reaches past a. */
static bool fill_plain(const struct trace *t, uint64_t lo, uint64_t end, int64_t a, int64_t b, struct bin *out)
{
	row_id r = lo < end ? t->by_disp[lo] : NONE_ID;
	if (r == NONE_ID || t->start_ns[r] >= b) {
		*out = (struct bin){.longest = NONE_ID};
		return true;
	}
	*out = (struct bin){.busy_ns = covered(t, lo, a, b), .count = 1, .longest = r};
	return lo + 1 == end || t->start_ns[t->by_disp[lo + 1]] >= b;
}

/* Which of the bins before `cols` the event begins in; cols: in none of them. */
static uint32_t bin_of(const struct trace *t, row_id r, int64_t from, int64_t span, uint32_t cols)
{
	if (r == NONE_ID || t->start_ns[r] - from >= span)
		return cols;
	return (uint32_t)((((__int128)t->start_ns[r] - from + 1) * cols - 1) / span);
}

/* The bins after c, which is empty, until the one that is not; the last empty one. */
static uint32_t fill_empty(struct bin *out, uint32_t c, uint32_t filled)
{
	while (c + 1 < filled)
		out[++c] = (struct bin){.longest = NONE_ID};
	return c;
}

void trace_bins(const struct trace *t, uint32_t track, uint32_t disp, int64_t from, int64_t span, uint32_t cols,
		struct bin *out)
{
	const struct disp_row *d = disp_row(t, track, disp);
	if (cols == 0)
		return;
	uint64_t end = d->first + d->n, lo = first_entry(t, d->first, end, from, true), near = 1;
	/* whole ns per column, and the rest spread over the columns: no ns is lost or counted twice */
	int64_t a = from, width = span / (int64_t)cols, rest = span % (int64_t)cols, owed = 0, b;
	for (uint32_t c = 0; c < cols; c++, a = b) {
		owed += rest;
		b = a + width + (owed >= (int64_t)cols);
		owed -= owed >= (int64_t)cols ? (int64_t)cols : 0;
		if (fill_plain(t, lo, end, a, b, &out[c])) {
			row_id next = lo < end ? t->by_disp[lo] : NONE_ID;
			lo += out[c].count && row_reach(t, next) <= b;
			if (out[c].count || (next != NONE_ID && t->start_ns[next] - b <= width))
				continue;
			c = fill_empty(out, c, bin_of(t, next, from, span, cols));
			owed = rest * (c + 1);
			b = from + width * (c + 1) + owed / (int64_t)cols;
			owed %= (int64_t)cols;
			continue;
		}
		uint64_t hi = first_entry_near(t, lo, end, b, false, near);
		fill_bin(t, lo, hi, a, b, &out[c]);
		near = hi - lo + 1;
		lo = hi > lo && row_reach(t, t->by_disp[hi - 1]) > b ? hi - 1 : hi; /* events of a row do not overlap */
	}
}

row_id trace_next_on_row(const struct trace *t, uint32_t track, uint32_t disp, int64_t ts_ns)
{
	const struct disp_row *d = disp_row(t, track, disp);
	if (ts_ns == INT64_MAX)
		return NONE_ID;
	uint64_t e = first_entry(t, d->first, d->first + d->n, ts_ns + 1, false);
	return e < d->first + d->n ? t->by_disp[e] : NONE_ID;
}

row_id trace_prev_on_row(const struct trace *t, uint32_t track, uint32_t disp, int64_t ts_ns)
{
	const struct disp_row *d = disp_row(t, track, disp);
	uint64_t e = first_entry(t, d->first, d->first + d->n, ts_ns, false);
	while (e > d->first && row_end(t, t->by_disp[e - 1]) > ts_ns)
		e--;
	return e > d->first ? t->by_disp[e - 1] : NONE_ID;
}

row_id trace_at_on_row(const struct trace *t, uint32_t track, uint32_t disp, int64_t ts_ns)
{
	const struct disp_row *d = disp_row(t, track, disp);
	uint64_t e = first_entry(t, d->first, d->first + d->n, ts_ns, true);
	return e == d->first + d->n || t->start_ns[t->by_disp[e]] > ts_ns ? NONE_ID : t->by_disp[e];
}

row_id trace_parent(const struct trace *t, row_id r)
{
	if (t->depth[r] == 0 || t->disp[r] == 0)
		return NONE_ID;
	const struct disp_row *d = disp_row(t, t->track[r], t->disp[r] - 1u);
	uint64_t e = first_entry(t, d->first, d->first + d->n, t->start_ns[r] + 1, false);
	return e > d->first ? t->by_disp[e - 1] : NONE_ID;
}

/* In the main lane an event lies in the ones of all rows above, so none is left out by taking half of the rows at a time. */
row_id trace_innermost(const struct trace *t, uint32_t track, int64_t ts_ns)
{
	row_id found = NONE_ID;
	uint32_t lo = 0, hi = track < t->n_tracks ? t->tracks[track].lane0_rows : 0;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		row_id r = trace_at_on_row(t, track, mid, ts_ns);
		if (r == NONE_ID) {
			hi = mid;
		} else {
			found = r;
			lo = mid + 1;
		}
	}
	return found;
}
