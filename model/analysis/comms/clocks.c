#include "clocks.h"
#include "comms.h"
#include "model/analysis/derived/pauses.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YEAR_2000_NS (INT64_C(946684800) * 1000000000)
enum { FACT_BYTES = 160 };

const char *clock_method_word(enum clock_method m)
{
	static const char *const words[] = {[CLOCK_RECORDED] = "recorded times",
					    [CLOCK_COLLECTIVES] = "collectives",
					    [CLOCK_HAND] = "by hand",
					    [CLOCK_OWN_AXIS] = "own axis"};
	return words[m];
}

/* ---- what was done, as facts ------------------------------------------------------------------------------------------------ */

/* Hosts may have one name: the number tells them apart. */
static void fact_key(const struct trace *t, uint32_t host, char *buf, size_t size)
{
	snprintf(buf, size, "clock of host %" PRIu32 ", %.80s", host, trace_str(t, trace_host(t, host)->name));
}

static void tell(struct trace *t, uint32_t host, enum clock_method method, const struct host_move *m)
{
	char key[FACT_BYTES], value[FACT_BYTES];
	fact_key(t, host, key, sizeof key);
	snprintf(value, sizeof value, "%s: %" PRId64 " ns taken off, %.6f ppm", clock_method_word(method), m->off_ns,
		 m->drift * 1e6);
	trace_set_fact(t, key, value);
}

static bool read_fact(const char *value, struct host_clock *out)
{
	for (int i = CLOCK_COLLECTIVES; i <= CLOCK_OWN_AXIS; i++) {
		const char *word = clock_method_word((enum clock_method)i);
		size_t n = strlen(word);
		if (strncmp(value, word, n) != 0 ||
		    sscanf(value + n, ": %" SCNd64 " ns taken off, %lf ppm", &out->off_ns, &out->drift_ppm) != 2)
			continue;
		out->method = (enum clock_method)i;
		return true;
	}
	return false;
}

struct host_clock host_clock(const struct trace *t, uint32_t host)
{
	char wanted[FACT_BYTES];
	const char *key, *value;
	struct host_clock out = {CLOCK_RECORDED, 0, 0};
	fact_key(t, host, wanted, sizeof wanted);
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		trace_fact(t, i, &key, &value);
		if (!strcmp(key, wanted) && read_fact(value, &out))
			return out;
	}
	return (struct host_clock){CLOCK_RECORDED, 0, 0};
}

uint32_t clocks_moved(const struct trace *t, enum clock_method *method)
{
	uint32_t n = 0;
	*method = CLOCK_RECORDED;
	for (uint32_t i = 0; i < trace_hosts(t); i++) {
		struct host_clock c = host_clock(t, i);
		*method = c.method != CLOCK_RECORDED ? c.method : *method;
		n += c.off_ns != 0 || c.drift_ppm < 0 || c.drift_ppm > 0;
	}
	return n;
}

bool clocks_by_hand(const struct trace *t)
{
	enum clock_method m;
	clocks_moved(t, &m);
	return m == CLOCK_HAND;
}

/* ---- by hand ---------------------------------------------------------------------------------------------------------------- */

/* "3=+3ms" and what is after it; false at the end (*text empty) and where it cannot be read. */
static bool next_shift(const char **text, int64_t *rank, int64_t *ns)
{
	char *end;
	const char *time;
	if (**text < '0' || **text > '9')
		return false;
	*rank = strtoll(*text, &end, 10);
	if (*end != '=')
		return false;
	time = end + 1;
	bool minus = *time == '-';
	time += minus || *time == '+';
	if (*time < '0' || *time > '9' || !parse_ns_with_unit(time, text, ns) || *ns > HOST_MOVE_MOST_NS)
		return false;
	*ns = minus ? -*ns : *ns;
	bool more = **text == ',' && (*text)[1];
	*text += more;
	return more || !**text;
}

bool clocks_shift_valid(const char *text, struct err *e)
{
	const char *at = text;
	int64_t rank, ns;
	bool ok = *text;
	while (ok && *at)
		ok = next_shift(&at, &rank, &ns);
	if (ok)
		return true;
	return err_usage(e, "\"%.60s\" is not a clock shift: write RANK=+TIME, like 3=+3ms or 3=+3ms,5=-20us", text);
}

static bool move_by_hand(struct trace *t, const char *text, struct err *e)
{
	struct host_move *moves = must(calloc(trace_hosts(t) + (size_t)1, sizeof *moves));
	bool ok = clocks_shift_valid(text, e);
	int64_t rank = 0, ns = 0;
	for (const char *at = text; ok && *at && next_shift(&at, &rank, &ns);) {
		bool known = false;
		for (uint32_t i = 0; i < trace_hosts(t); i++) {
			bool named = trace_host(t, i)->rank == rank ||
				     (trace_hosts(t) == 1 && trace_host(t, i)->rank < 0 && !rank);
			if (named) /* its times become later by what was asked for */
				moves[i].off_ns = -ns;
			known |= named;
		}
		if (!known)
			ok = err_usage(e,
				       "--shift names rank %" PRId64
				       ", which the trace does not have: stepscope table hosts",
				       rank);
	}
	ok = ok && trace_move_hosts(t, moves, e);
	for (uint32_t i = 0; ok && i < trace_hosts(t); i++)
		if (moves[i].off_ns)
			tell(t, i, CLOCK_HAND, &moves[i]);
	free(moves);
	return ok;
}

/* ---- by collectives, or each by itself -------------------------------------------------------------------------------------- */

struct spans {
	int64_t *first_ns,
		*last_ns; /* per host; the last one only where there are several, as it takes a look at every event */
	uint64_t *rows;
};

static struct spans spans_of(const struct trace *t, struct arena *mem)
{
	const struct columns *c = trace_columns(t);
	uint32_t n = trace_hosts(t);
	struct spans s = {arena_alloc(mem, (n + 1) * sizeof *s.first_ns), arena_alloc(mem, (n + 1) * sizeof *s.last_ns),
			  arena_alloc(mem, (n + 1) * sizeof *s.rows)};
	for (uint32_t i = 0; i < n; i++)
		s.first_ns[i] = INT64_MAX;
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		int64_t *first = &s.first_ns[k->host], *last = &s.last_ns[k->host];
		s.rows[k->host] += k->n;
		if (k->n && c->start_ns[k->first] < *first) /* rows of a track are in order of their start */
			*first = c->start_ns[k->first];
		for (uint64_t r = k->first; n > 1 && r < k->first + k->n; r++) {
			int64_t end_ns = c->start_ns[r] + c->dur_ns[r];
			*last = end_ns > *last ? end_ns : *last;
		}
	}
	return s;
}

static bool ranks_differ(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		for (uint32_t k = 0; k <= i; k++)
			if (trace_host(t, i)->rank < 0 || (k < i && trace_host(t, i)->rank == trace_host(t, k)->rank))
				return false;
	return true;
}

static bool no_wall_clock(const struct trace *t, const struct spans *s)
{
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		if (s->rows[i] && trace_base_ns(t) + s->first_ns[i] < YEAR_2000_NS)
			return true;
	return false;
}

static enum clock_method by_collectives(const struct rank_axis *x, struct host_move *moves)
{
	for (uint32_t i = 0; i < x->n_hosts; i++)
		if (x->hosts[i].pairs)
			moves[i] = (struct host_move){x->hosts[i].from_ns, x->hosts[i].off_ns, x->hosts[i].drift};
	return CLOCK_COLLECTIVES;
}

static enum clock_method by_themselves(const struct trace *t, struct arena *mem, struct host_move *moves)
{
	struct spans s = spans_of(t, mem);
	if (!ranks_differ(t) || recordings_find(t, mem).n_runs < 2 || !no_wall_clock(t, &s))
		return CLOCK_RECORDED;
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		moves[i].off_ns = s.rows[i] ? s.first_ns[i] : 0;
	return CLOCK_OWN_AXIS;
}

/* What is found for it is kept with d: where nothing is moved, tables have it at once. */
static enum clock_method find_moves(const struct derived *d, struct arena *mem, struct progress *p,
				    struct host_move *moves)
{
	struct err e = {.at = -1};
	const struct comms *comms = comms_of(d, p, &e);
	bool paired = false;
	if (!comms)
		return CLOCK_RECORDED;
	const struct rank_axis *axis = &comms->x.axis;
	if (axis->fitted)
		return by_collectives(axis, moves);
	for (uint32_t i = 0; i < axis->n_hosts; i++)
		paired |= axis->hosts[i].pairs > 0;
	return paired ? CLOCK_RECORDED : by_themselves(derived_trace(d), mem, moves);
}

static bool already_moved(const struct trace *t)
{
	enum clock_method m;
	clocks_moved(t, &m);
	return m != CLOCK_RECORDED;
}

static void note_recordings(struct trace *t)
{
	char text[512];
	if (*recordings_say(t, text, sizeof text))
		trace_note(t, NOTE_RUNS_APART);
}

/* d, or what is derived of the trace after its hosts were moved. */
static struct derived *on_one_axis(struct trace *t, struct derived *d, const struct derived_opts *o,
				   void (*settle)(void), struct progress *p, struct err *e)
{
	struct arena mem = {0};
	struct host_move *moves = arena_alloc(&mem, (trace_hosts(t) + 1) * sizeof *moves);
	enum clock_method method = find_moves(d, &mem, p, moves);
	if (method != CLOCK_RECORDED) {
		derived_free(d);
		settle();
		d = NULL;
		bool ok = trace_move_hosts(t, moves, e);
		for (uint32_t i = 0; ok && i < trace_hosts(t); i++)
			tell(t, i, method, &moves[i]);
		d = ok ? derived_new(t, o, p, e) : NULL;
	}
	arena_free(&mem);
	return d;
}

struct derived *clocks_derive(struct trace *t, const struct derived_opts *o, void (*settle)(void), struct progress *p,
			      struct err *e)
{
	bool hand = o->shift && *o->shift;
	if (hand)
		settle();
	if (hand && !move_by_hand(t, o->shift, e))
		return NULL;
	struct derived *d = derived_new(t, o, p, e);
	if (d && !hand && trace_hosts(t) > 1 && !already_moved(t))
		d = on_one_axis(t, d, o, settle, p, e);
	if (d && trace_hosts(t) > 1)
		note_recordings(t);
	if (d && derived_pause_sum(d).n)
		trace_note(t, NOTE_PROFILER_OFF);
	return d;
}

/* ---- what is no one run ----------------------------------------------------------------------------------------------------- */

static int by_first(const void *a, const void *b, void *ctx)
{
	const struct spans *s = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (s->first_ns[x] != s->first_ns[y])
		return s->first_ns[x] < s->first_ns[y] ? -1 : 1;
	return (x > y) - (x < y);
}

/* The next track of a host that has rows; NULL at the end. */
static const struct track_info *next_track(const struct trace *t, uint32_t host, uint32_t *at)
{
	while (*at < trace_tracks(t)) {
		const struct track_info *k = trace_track(t, (*at)++);
		if (k->host == host && k->n)
			return k;
	}
	return NULL;
}

static bool same_rows(const struct columns *c, const struct track_info *a, const struct track_info *b)
{
	return a->n == b->n && !memcmp(c->name + a->first, c->name + b->first, a->n * sizeof *c->name) &&
	       !memcmp(c->start_ns + a->first, c->start_ns + b->first, a->n * sizeof *c->start_ns) &&
	       !memcmp(c->dur_ns + a->first, c->dur_ns + b->first, a->n * sizeof *c->dur_ns);
}

static bool same_events(const struct trace *t, uint32_t a, uint32_t b)
{
	uint32_t i = 0, k = 0;
	const struct track_info *x, *y;
	do {
		x = next_track(t, a, &i);
		y = next_track(t, b, &k);
	} while (x && y && same_rows(trace_columns(t), x, y));
	return !x && !y;
}

/* The same events at the same times, of the same rank: two recordings agree to the ns by no chance, but files made by a script may
 * start and end alike. */
static bool is_same(const struct trace *t, const struct spans *s, uint32_t a, uint32_t b)
{
	return s->rows[a] > 1 && s->rows[a] == s->rows[b] && s->first_ns[a] == s->first_ns[b] &&
	       s->last_ns[a] == s->last_ns[b] && trace_host(t, a)->rank == trace_host(t, b)->rank &&
	       same_events(t, a, b);
}

struct recordings recordings_find(const struct trace *t, struct arena *mem)
{
	uint32_t n = trace_hosts(t), *order = arena_alloc(mem, (n + 1) * sizeof *order),
		 *run = arena_alloc(mem, (n + 1) * sizeof *run), *repeats = arena_alloc(mem, (n + 1) * sizeof *repeats);
	struct spans s = spans_of(t, mem);
	struct recordings out = {.run = run, .repeats = repeats};
	int64_t until_ns = INT64_MIN;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_first, &s);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t host = order[i];
		if (s.rows[host] && (!out.n_runs || s.first_ns[host] > until_ns))
			out.n_runs++;
		run[host] = out.n_runs ? out.n_runs - 1 : 0;
		until_ns = s.rows[host] && s.last_ns[host] > until_ns ? s.last_ns[host] : until_ns;
	}
	for (uint32_t i = 0; i < n; i++) {
		repeats[i] = NONE_ID;
		for (uint32_t k = 0; k < i && repeats[i] == NONE_ID; k++)
			repeats[i] = repeats[k] == NONE_ID && is_same(t, &s, i, k) ? k : NONE_ID;
		out.n_repeats += repeats[i] != NONE_ID;
	}
	return out;
}

const char *recordings_say(const struct trace *t, char *buf, size_t size)
{
	struct arena mem = {0};
	struct recordings r = recordings_find(t, &mem);
	*buf = 0;
	if (r.n_repeats)
		snprintf(buf, size,
			 "%u of %u recordings %s open twice, and all sums count both: leave out one of the files "
			 "(stepscope table hosts)",
			 r.n_repeats, trace_hosts(t), r.n_repeats == 1 ? "is" : "are");
	else if (r.n_runs > 1)
		snprintf(buf, size,
			 "%u runs that do not overlap in time are open together, and means cover all of them: open one "
			 "at a time (stepscope table hosts)",
			 r.n_runs);
	arena_free(&mem);
	return buf;
}
