#include "cause_sums.h"
#include "launcher_walk.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

static int64_t length_of(const struct cause_line *l, uint32_t piece)
{
	return l->at[piece + 1].at_ns - l->at[piece].at_ns;
}

/* Of equal ones x, which comes first; UINT32_MAX = none. */
static inline uint32_t longer(const struct cause_line *l, uint32_t x, uint32_t y)
{
	if (x == y || x == UINT32_MAX || y == UINT32_MAX)
		return x == UINT32_MAX ? y : x;
	return length_of(l, y) > length_of(l, x) ? y : x;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static void find_causes(const struct cause_line *l, struct cause_sums *x)
{
	bool any[CAUSE_COUNT] = {false};
	for (uint32_t i = 0; i < l->n; i++)
		any[l->at[i].cause] = true;
	for (int i = 0; i < CAUSE_COUNT; i++) {
		x->place[i] = (uint8_t)x->n_causes;
		if (any[i])
			x->causes[x->n_causes++] = (uint8_t)i;
		x->any |= (uint32_t)any[i] << i;
	}
}

/* About three years. */
static bool adds_up(const struct cause_line *l)
{
	return l->n > 1 && (uint64_t)l->at[l->n - 1].at_ns - (uint64_t)l->at[1].at_ns < INT64_MAX / 100;
}

static inline void note_longer(uint32_t *longest, int64_t *longest_ns, uint32_t piece, int64_t ns)
{
	if (ns <= *longest_ns)
		return;
	*longest = piece;
	*longest_ns = ns;
}

/* The pieces of a block: into the sums before the next one, and the longest ones of this, whose lengths go into longest_ns. */
static void add_block(const struct cause_line *l, uint32_t block, struct cause_sums *x, int64_t *longest_ns)
{
	struct cause_before *before = x->before + (size_t)block * x->n_causes, *next = before + x->n_causes;
	uint32_t *longest = x->longest[0] + (size_t)block * (x->n_causes + 1);
	for (uint32_t i = 0; i < x->n_causes; i++)
		next[i] = before[i];
	for (uint32_t i = 0; i <= x->n_causes; i++) {
		longest[i] = UINT32_MAX;
		longest_ns[i] = -1;
	}
	uint32_t mixed = x->mixed[block], end = (block + 1) * CAUSE_BLOCK;
	/* the line's first piece has no begin */
	for (uint32_t i = block ? end - CAUSE_BLOCK : 1; i < end; i++) {
		const struct cause_at *p = &l->at[i];
		uint32_t place = x->place[p->cause];
		int64_t ns = p[1].at_ns - p->at_ns;
		next[place].ns += ns;
		if (l->joined)
			mixed += p->mixed;
		if (p->row != NONE_ID)
			note_longer(&longest[place], &longest_ns[place], i, ns);
		if (p->hole)
			note_longer(&longest[x->n_causes], &longest_ns[x->n_causes], i, ns);
		next[place].trusted += ns * p->trust;
	}
	x->mixed[block + 1] = mixed;
}

/* A hole that goes on in the next block makes that one no good after the first. One thread's own line has no two holes one after the other. */
static void find_uneven(const struct cause_line *l, struct cause_sums *x)
{
	uint32_t next = x->n;
	for (uint32_t i = x->n; i-- > 0;) {
		const struct cause_at *p = &l->at[i * CAUSE_BLOCK];
		bool uneven = p->at_ns == INT64_MIN || (i && p[-1].hole && p->hole);
		for (uint32_t k = 0; l->joined && k + 1 < CAUSE_BLOCK; k++)
			uneven |= p[k].hole && p[k + 1].hole;
		x->uneven[i] = next = uneven ? i : next;
	}
}

/* ns: how long those of single blocks are; overwritten. */
static void find_longest(struct arena *mem, struct cause_sums *x, int64_t *ns)
{
	uint32_t each = x->n_causes + 1;
	for (x->powers = 1; 1u << x->powers <= x->n; x->powers++) {
		size_t half = (size_t)1 << (x->powers - 1), n = x->n - 2 * half + 1;
		const uint32_t *of = x->longest[x->powers - 1];
		uint32_t *at = x->longest[x->powers] = arena_room(mem, n * each * sizeof *at);
		for (size_t i = 0, k = half * each; i < n * each; i++, k++) {
			bool later_one = ns[k] > ns[i];
			at[i] = later_one ? of[k] : of[i];
			ns[i] = later_one ? ns[k] : ns[i];
		}
	}
}

static void find_places(const struct cause_line *l, struct arena *mem, struct cause_sums *x)
{
	enum { PIECES = 2 };
	int64_t from_ns = l->at[1].at_ns;
	while ((l->at[l->n - 1].at_ns - from_ns) >> x->shift > l->n / PIECES)
		x->shift++;
	x->n_places = (uint32_t)((l->at[l->n - 1].at_ns - from_ns) >> x->shift) + 1;
	x->places = arena_room(mem, x->n_places * sizeof *x->places);
	const struct cause_at *at = l->at;
	for (uint32_t i = 0, piece = 1, last = l->n - 1; i < x->n_places; i++) {
		int64_t begin_ns = from_ns + ((int64_t)i << x->shift);
		while (piece < last && at[piece + 1].at_ns <= begin_ns)
			piece++;
		x->places[i] = piece;
	}
}

bool cause_sums_make(const struct cause_line *l, struct arena *mem, struct cause_sums *out)
{
	*out = (struct cause_sums){.line = l};
	if (!adds_up(l))
		return false;
	find_causes(l, out);
	out->n = (l->n - 1) / CAUSE_BLOCK;
	out->before = arena_room(mem, (out->n + (size_t)1) * out->n_causes * sizeof *out->before);
	out->longest[0] = arena_room(mem, (out->n + (size_t)1) * (out->n_causes + 1) * sizeof **out->longest);
	out->mixed = arena_room(mem, (out->n + (size_t)1) * sizeof *out->mixed);
	out->uneven = arena_room(mem, (out->n + (size_t)1) * sizeof *out->uneven);
	for (uint32_t i = 0; i < out->n_causes; i++)
		out->before[i] = (struct cause_before){0};
	out->mixed[0] = 0;
	int64_t *longest_ns = must(malloc((out->n + (size_t)1) * (out->n_causes + 1) * sizeof *longest_ns));
	for (uint32_t i = 0; i < out->n; i++)
		add_block(l, i, out, longest_ns + (size_t)i * (out->n_causes + 1));
	find_uneven(l, out);
	find_longest(mem, out, longest_ns);
	find_places(l, mem, out);
	free(longest_ns);
	return true;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static void note_hole(struct interval *hole, int64_t a_ns, int64_t b_ns)
{
	if (hole->b_ns == a_ns && hole->a_ns < a_ns)
		hole->b_ns = b_ns;
	else if (b_ns - a_ns > hole->b_ns - hole->a_ns)
		*hole = (struct interval){a_ns, b_ns};
}

static void note_row(struct cause_sum *s, row_id row, int64_t ns)
{
	if (ns <= s->row_ns)
		return;
	s->row = row;
	s->row_ns = ns;
}

static bool any_mixed(const struct cause_at *p, const struct cause_at *end)
{
	while (p < end && !p->mixed)
		p++;
	return p < end;
}

static void add_pieces(const struct cause_sums *x, uint32_t from, uint32_t to, struct cause_range *out)
{
	const struct cause_at *at = x->line->at + from, *end = x->line->at + to;
	int64_t a_ns = at->at_ns;
	for (const struct cause_at *p = at; p < end; p++) {
		struct cause_sum *s = &out->at[x->place[p->cause]];
		int64_t b_ns = p[1].at_ns, ns = b_ns - a_ns;
		s->ns += ns;
		if (ns > s->row_ns && p->row != NONE_ID) {
			s->row = p->row;
			s->row_ns = ns;
		}
		if (p->hole)
			note_hole(&out->hole, a_ns, b_ns);
		s->trusted += ns * p->trust;
		a_ns = b_ns;
	}
	out->mixed |= x->line->joined && any_mixed(at, end);
}

static void add_blocks(const struct cause_sums *x, uint32_t block, uint32_t n, struct cause_range *out)
{
	const struct cause_line *l = x->line;
	const struct cause_before *a = x->before + (size_t)block * x->n_causes, *b = a + (size_t)n * x->n_causes;
	/* the longest of the first 2^power blocks, and of the last as many: all of them */
	uint32_t power = 31 - (uint32_t)__builtin_clz(n), each = x->n_causes + 1;
	const uint32_t *first = x->longest[power] + (size_t)block * each,
		       *last = first + (size_t)(n - (1u << power)) * each;
	for (uint32_t i = 0; i < x->n_causes; i++) {
		uint32_t piece = a[i].ns == b[i].ns ? UINT32_MAX : longer(l, first[i], last[i]);
		out->at[i].ns += b[i].ns - a[i].ns;
		out->at[i].trusted += b[i].trusted - a[i].trusted;
		if (piece != UINT32_MAX)
			note_row(&out->at[i], l->at[piece].row, length_of(l, piece));
	}
	uint32_t hole = longer(l, first[x->n_causes], last[x->n_causes]);
	if (hole != UINT32_MAX)
		note_hole(&out->hole, l->at[hole].at_ns, l->at[hole + 1].at_ns);
	out->mixed |= l->joined && x->mixed[block + n] > x->mixed[block];
}

/* How many blocks that begin with piece i and end by piece `to` are good in sums. */
static uint32_t good_blocks(const struct cause_sums *x, uint32_t i, uint32_t to, const struct interval *hole)
{
	uint32_t block = i / CAUSE_BLOCK, end = to / CAUSE_BLOCK;
	if (i % CAUSE_BLOCK || end <= block || (x->line->at[i].hole && x->line->at[i].at_ns == hole->b_ns))
		return 0;
	end = end < x->n ? end : x->n;
	return block >= end ? 0 : (x->uneven[block] < end ? x->uneven[block] : end) - block;
}

void cause_sums_of(const struct cause_sums *x, uint32_t from, uint32_t to, struct interval hole,
		   struct cause_range *out)
{
	for (uint32_t i = 0; i < x->n_causes; i++)
		out->at[i] = (struct cause_sum){.row = NONE_ID};
	out->hole = hole;
	out->mixed = false;
	for (uint32_t i = from, n; i < to;) {
		n = good_blocks(x, i, to, &out->hole);
		if (n)
			add_blocks(x, i / CAUSE_BLOCK, n, out);
		i += n * CAUSE_BLOCK;
		uint32_t next = n ? i : i / CAUSE_BLOCK * CAUSE_BLOCK + CAUSE_BLOCK;
		next = next < to ? next : to;
		add_pieces(x, i, next, out);
		i = next;
	}
}

uint32_t cause_sums_at(const struct cause_sums *x, int64_t ts_ns)
{
	const struct cause_at *at = x->line->at;
	if (ts_ns < at[1].at_ns)
		return 0;
	uint64_t place = (uint64_t)(ts_ns - at[1].at_ns) >> x->shift;
	uint32_t lo = x->places[place < x->n_places ? place : x->n_places - 1],
		 hi = place + 1 < x->n_places ? x->places[place + 1] + 1 : x->line->n;
	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (at[mid].at_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* The block whose begin lies nearest to the piece: of what lies between the pieces are added one by one. */
static uint32_t nearest_block(const struct cause_sums *x, uint32_t piece)
{
	uint32_t block = (piece + CAUSE_BLOCK / 2) / CAUSE_BLOCK;
	return block < x->n ? block : x->n;
}

/* Of pieces [from, to), the first of all left out, which has no begin. */
static void add_lengths(const struct cause_sums *x, uint32_t from, uint32_t to, int sign, int64_t ns[CAUSE_COUNT])
{
	for (uint32_t i = from ? from : 1; i < to; i++)
		ns[x->place[x->line->at[i].cause]] += sign * length_of(x->line, i);
}

/* Of the blocks before, of the pieces that this is off by, and of the one that holds then. */
void cause_sums_find_until(const struct cause_sums *x, uint32_t near, int64_t ts_ns, struct cause_until *out)
{
	const struct cause_at *pieces = x->line->at;
	uint32_t piece = cause_sums_near(x, near, ts_ns), block = nearest_block(x, piece), at = block * CAUSE_BLOCK;
	const struct cause_before *before = x->before + (size_t)block * x->n_causes;
	out->of = x;
	out->ts_ns = ts_ns;
	for (uint32_t i = 0; i < x->n_causes; i++)
		out->ns[i] = before[i].ns;
	if (at <= piece)
		add_lengths(x, at, piece, 1, out->ns);
	else
		add_lengths(x, piece, at, -1, out->ns);
	out->ns[x->place[pieces[piece].cause]] += ts_ns - pieces[piece].at_ns;
}

/* The same of one cause, up to the piece. */
static struct cause_before before_piece(const struct cause_sums *x, enum cause cause, uint32_t piece)
{
	uint32_t block = nearest_block(x, piece), at = block * CAUSE_BLOCK;
	struct cause_before sum = x->before[(size_t)block * x->n_causes + x->place[cause]];
	int sign = at <= piece ? 1 : -1;
	uint32_t from = at <= piece ? at : piece, to = at <= piece ? piece : at;
	for (uint32_t i = from ? from : 1; i < to; i++) {
		if (x->line->at[i].cause != cause)
			continue;
		int64_t ns = sign * length_of(x->line, i);
		sum.ns += ns;
		sum.trusted += ns * x->line->at[i].trust;
	}
	return sum;
}

struct cause_before cause_sums_within(const struct cause_sums *x, enum cause cause, uint32_t from, uint32_t to)
{
	struct cause_before a = before_piece(x, cause, from), b = before_piece(x, cause, to);
	return (struct cause_before){b.ns - a.ns, b.trusted - a.trusted};
}

/* ---- what may be asked ------------------------------------------------------------------------------------------------ */

struct interval idle_times_cut(const struct derived *d, const struct query *q, uint32_t device)
{
	struct interval v = {q->a_ns, q->b_ns};
	uint32_t from = device == NONE_ID ? 0 : device,
		 to = device == NONE_ID ? trace_devices(derived_trace(d)) : device + 1;
	for (uint32_t i = from; i < to; i++) {
		const struct intervals *busy = derived_busy_device(d, i);
		uint32_t first = q->a_ns == INT64_MIN ? 0 : intervals_after(busy, q->a_ns);
		uint32_t end = q->b_ns == INT64_MAX ? busy->n : intervals_after(busy, q->b_ns);
		if (first && first < busy->n)
			v.a_ns = earlier(v.a_ns, busy->at[first - 1].b_ns);
		if (end && end < busy->n)
			v.b_ns = later(v.b_ns, busy->at[end].a_ns);
	}
	return v;
}

/* ---- drawn once ------------------------------------------------------------------------------------------------------ */

/* How many works of devices each track launches. */
static uint32_t *count_launches(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = derived_columns(d);
	uint32_t *n = must(calloc(trace_tracks(t) + (size_t)1, sizeof *n));
	for (uint32_t i = 0; c->link && i < trace_device_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		for (row_id r = (row_id)k->first; k->device != NONE_ID && r < k->first + k->n; r++)
			if (c->link[r] != NONE_ID)
				n[c->track[c->link[r]]]++;
	}
	return n;
}

static bool any_frame(const struct cause_line *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].frame)
			return true;
	return false;
}

/* Whether its events do what questions about it look for. */
static void look_at_events(const struct derived *d, struct drawn_line *x)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), x->track);
	x->scales = x->syncs = false;
	for (row_id r = (row_id)k->first; r < k->first + k->n && !(x->scales && x->syncs); r++) {
		uint8_t section = cause_of_name(d, c->name[r]).section;
		x->scales |= c->kind[r] == KIND_OP && section == CAUSE_LOSS_SCALING;
		x->syncs |= section == CAUSE_SYNC;
	}
}

/* Piece by piece as a reader is told. */
static struct cause_line read_all(struct launcher_walk *w)
{
	struct cause_line out = {.joined = true};
	for (int64_t at_ns = INT64_MIN, until_ns; at_ns < INT64_MAX; at_ns = until_ns) {
		until_ns = INT64_MAX;
		struct cause_at p = *launcher_walk_to(w, at_ns, &until_ns);
		GROW_ARRAY(out.at, out.n, out.cap);
		p.at_ns = at_ns;
		p.mixed = w->beside_mixed;
		out.at[out.n++] = p;
	}
	return out;
}

/* A thread that is alone in its process tells all by itself, but where it has nothing but frames. */
static bool draw(const struct derived *d, struct cause_lines *lines, uint32_t track, struct interval all,
		 struct arena *mem, struct drawn_line *out)
{
	struct launcher_walk w = {0};
	launcher_walk_at(&w, lines, d, track, all, INT64_MIN);
	out->track = track;
	look_at_events(d, out);
	bool itself = w.alone && !w.overheads && !any_frame(w.own.line);
	out->line = itself ? cause_line_take(lines, track) : read_all(&w);
	out->line.at = arena_own(mem, out->line.at, out->line.n * sizeof *out->line.at);
	return cause_sums_make(&out->line, mem, &out->sums);
}

static bool make_drawn(const struct derived *d, const struct query *q, void *value, struct arena *mem,
		       struct progress *p, struct err *e)
{
	struct cause_drawn *out = value;
	uint32_t *launches = count_launches(d), tracks = trace_tracks(derived_trace(d)), n = 0;
	struct interval all = idle_times_cut(d, q, NONE_ID);
	struct cause_lines *lines = cause_lines_new(d, NULL, all.a_ns, all.b_ns);
	for (uint32_t i = 0; i < tracks; i++)
		n += launches[i] >= CAUSE_LINES_OFTEN;
	struct drawn_line *at = arena_alloc(mem, (n + (size_t)1) * sizeof *at);
	all.b_ns = trace_span_ns(derived_trace(d));
	for (uint32_t i = 0; i < tracks && !progress_cancelled(p); i++) {
		if (launches[i] < CAUSE_LINES_OFTEN)
			continue;
		out->n += draw(d, lines, i, all, mem, &at[out->n]);
		cause_lines_drop_many(lines);
	}
	out->at = at;
	cause_lines_free(lines);
	free(launches);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}

const struct shared_part cause_drawn_part = {sizeof(struct cause_drawn), make_drawn};

const struct drawn_line *cause_drawn_of(const struct cause_drawn *x, uint32_t track)
{
	uint32_t lo = 0, hi = x->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (x->at[mid].track < track)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < x->n && x->at[lo].track == track ? &x->at[lo] : NULL;
}
