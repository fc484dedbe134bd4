#include "cause_lines.h"
#include "cause_sums.h"
#include "thread_causes.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/host_threads.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include <stdlib.h>
#include <string.h>

static const struct cause_at hole = {.row = NONE_ID, .hole = true};

/* The line of one thread while it is drawn: as far as questions went, and on to where the cause changes. */
struct drawing {
	struct cause_line line;
	struct thread_sweep *sweep; /* NULL: drawn to its end */
	int64_t end_ns;             /* of the last piece */
	int64_t row_ns;             /* the longest event of the last cause */
	bool named;                 /* only what rules know */
};
/* Lines of tracks, of processes, and two of hosts. */
enum line_kind { LINE_THREAD, LINE_BESIDE, LINE_HOST, LINE_PROFILER, LINE_KINDS };
struct made_line {
	enum line_kind kind;
	uint32_t of;
	struct interval drawn;
	int64_t ahead_ns;       /* of one thread: how far beyond the question it was drawn */
	uint32_t *own_tracks;   /* of all processes: the list of */
	const uint32_t *tracks; /* those whose line it is, */
	uint32_t n;
	bool found;              /* when they are; */
	struct drawing *threads; /* of those that record anything then, in their order */
	uint32_t n_drawn;
	struct cause_line joined; /* several as one, */
	int64_t joined_ns;        /* until here */
	uint32_t host, process;   /* whose threads these are, */
	bool named;               /* of all processes, or only of this one and only what rules know */
	bool asked;
};
struct cause_lines {
	const struct derived *d;
	struct interval all;               /* that may be asked for */
	int64_t ahead_ns, ahead_joined_ns; /* how far to draw one thread, and several as one, beyond a question */
	bool at_once;                      /* that is all of the trace; */
	const struct query *q;             /* its launching threads are drawn for all who ask this */
	const struct cause_drawn *drawn;   /* NULL: not yet */
	const struct drawn_line *last_drawn;
	struct arena mem;
	uint32_t questions;         /* about launching threads */
	struct thread_sweep *spare; /* of a drawing that has ended; NULL: none */
	struct idmap places; /* (kind, number) -> place in `lines`; only those asked for: there may be a million */
	struct made_line **lines, **dropped; /* dropped: of threads that were given up, whose memory serves again */
	uint32_t n_lines, cap_lines, n_dropped, cap_dropped;
	struct {
		struct made_line *line;
		uint32_t of;
	} last[LINE_KINDS];
};

/* More than so many threads are drawn at once, one after the other, and not so far ahead; lines of fewer pieces are short. */
enum { TRACKS_FREE = 64, FEW_PIECES = 1 << 14 };

static struct interval widened(struct interval v, int64_t ahead_ns)
{
	if (v.a_ns > INT64_MIN + CAUSE_LINES_BEYOND_NS)
		v.a_ns -= CAUSE_LINES_BEYOND_NS;
	v.b_ns = v.b_ns < INT64_MAX - CAUSE_LINES_BEYOND_NS - ahead_ns ? v.b_ns + CAUSE_LINES_BEYOND_NS + ahead_ns
								       : INT64_MAX;
	return v;
}

struct interval cause_lines_reach(struct interval about)
{
	return widened(about, 0);
}

/* ---- one line -------------------------------------------------------------------------------------------------------- */

/* Most pieces tell what the one before them told: then the line only reaches further. */
static bool draws_on(struct drawing *x, const struct thread_piece *p)
{
	struct cause_at *last = &x->line.at[x->line.n - 1];
	if (p->a_ns > x->end_ns || last->hole || last->cause != p->cause || last->trust != p->trust ||
	    last->frame != p->frame)
		return false;
	last->mixed |= last->row != p->owner;
	if (p->b_ns - p->a_ns > x->row_ns) {
		last->row = p->owner;
		x->row_ns = p->b_ns - p->a_ns;
	}
	x->end_ns = p->b_ns;
	return true;
}

/* A hole that goes on is no new piece. */
static void begin_hole(struct cause_line *l, int64_t at_ns)
{
	if (!l->at[l->n - 1].hole)
		cause_line_put(l, (struct cause_at){.at_ns = at_ns, .row = NONE_ID, .hole = true});
}

static void draw(void *arg, const struct thread_piece *p)
{
	struct drawing *x = arg;
	if ((x->named && p->cause == CAUSE_UNKNOWN) || draws_on(x, p))
		return;
	if (p->a_ns > x->end_ns)
		begin_hole(&x->line, x->end_ns);
	cause_line_put(&x->line,
		       (struct cause_at){p->a_ns, p->owner, (uint8_t)p->cause, p->trust, p->frame, false, false});
	x->row_ns = p->b_ns - p->a_ns;
	x->end_ns = p->b_ns;
}

static void drawing_begin(struct cause_lines *x, struct interval about, uint32_t track, bool launching, bool named,
			  struct drawing *out)
{
	struct thread_sweep *used = out->sweep ? out->sweep : x->spare;
	x->spare = out->sweep ? x->spare : NULL;
	out->line.n = 0;
	out->end_ns = INT64_MIN;
	out->row_ns = 0;
	out->named = named;
	cause_line_append(&out->line, hole, INT64_MIN);
	out->sweep = thread_sweep_new(used, x->d, track, about.a_ns, about.b_ns, launching,
				      &(struct thread_causes){.piece = draw, .arg = out});
}

/* What holds until then is known when the last cause cannot go on, or began later. */
static bool drawn_until(struct drawing *x, int64_t until_ns)
{
	int64_t told_ns = thread_sweep_told_ns(x->sweep);
	if (told_ns <= until_ns)
		return false;
	if (told_ns > x->end_ns)
		begin_hole(&x->line, x->end_ns);
	return told_ns > x->end_ns || x->line.at[x->line.n - 1].at_ns > until_ns;
}

static void drawing_end(struct cause_lines *x, struct drawing *one)
{
	cause_line_append(&one->line, hole, one->end_ns);
	thread_sweep_free(x->spare);
	x->spare = one->sweep;
	one->sweep = NULL;
}

/* Questions mostly go on: a line is drawn a little further than one asks, so that not each of many goes on by a few events. */
static int64_t a_little_further(const struct cause_line *l, int64_t until_ns)
{
	enum { PARTS = 32 };
	int64_t from_ns = l->n > 1 ? l->at[1].at_ns : until_ns, ahead_ns = (until_ns / 2 - from_ns / 2) / (PARTS / 2);
	return ahead_ns > 0 && until_ns < INT64_MAX - ahead_ns ? until_ns + ahead_ns : until_ns;
}

static void drawing_go_on(struct cause_lines *x, struct drawing *one, int64_t until_ns)
{
	while (one->sweep && !drawn_until(one, until_ns))
		if (!thread_sweep_until(one->sweep, a_little_further(&one->line, until_ns)))
			drawing_end(x, one);
}

static void drawing_free(struct drawing *x)
{
	thread_sweep_free(x->sweep);
	free(x->line.at);
	*x = (struct drawing){0};
}

/* ---- several threads as one ------------------------------------------------------------------------------------------ */

/* Of more threads their pieces are joined in one walk: not each one with what was joined before. */
enum { VERY_MANY = 1024 };

static void find_threads(const struct cause_lines *x, struct made_line *m)
{
	m->found = true;
	if (m->named) {
		m->n = host_threads_of_process(x->d, m->process, &m->tracks);
		return;
	}
	const uint32_t *all;
	uint32_t n = host_threads(x->d, m->host, &all);
	m->tracks = m->own_tracks = must(malloc((n + (size_t)1) * sizeof *all));
	for (uint32_t i = 0; i < n; i++)
		if (!cause_input_thread(x->d, all[i]))
			m->own_tracks[m->n++] = all[i];
}

static void drawings_free(struct made_line *m)
{
	for (uint32_t i = 0; i < m->n_drawn; i++)
		drawing_free(&m->threads[i]);
	m->n_drawn = 0;
}

/* Of the threads those that may tell something, the caller's to free: few of very many record anything then, and where only what rules know counts,
 * nothing else does. */
static uint32_t *tracks_to_draw(const struct cause_lines *x, const struct made_line *m, uint32_t *n)
{
	uint32_t *tracks = must(malloc((m->n + (size_t)1) * sizeof *tracks));
	*n = m->n;
	if (m->named)
		*n = host_threads_meeting(x->d, m->tracks, m->n, m->drawn.a_ns, m->drawn.b_ns, tracks);
	else if (m->n)
		memcpy(tracks, m->tracks, m->n * sizeof *tracks);
	return tracks;
}

static void join(struct made_line *m, const struct cause_line *line, struct cause_joining *many)
{
	if (line->n > 1 && m->n > VERY_MANY)
		cause_joining_add(many, line);
	else if (line->n > 1)
		cause_line_join(&m->joined, line);
}

/* All there is of them, one after the other. */
static void join_at_once(struct cause_lines *x, struct made_line *m, struct cause_joining *many)
{
	uint32_t n, *tracks = tracks_to_draw(x, m, &n);
	struct drawing one = {0};
	drawings_free(m);
	for (uint32_t i = 0; i < n; i++) {
		drawing_begin(x, m->drawn, tracks[i], !m->named, m->named, &one);
		drawing_go_on(x, &one, INT64_MAX);
		join(m, &one.line, many);
	}
	drawing_free(&one);
	free(tracks);
}

static void drawings_begin(struct cause_lines *x, struct made_line *m)
{
	uint32_t n, *tracks = tracks_to_draw(x, m, &n);
	drawings_free(m);
	if (!m->threads) /* sweeps point to them: they stay where they are */
		m->threads = must(malloc((m->n + (size_t)1) * sizeof *m->threads));
	for (uint32_t i = 0; i < n; i++) {
		struct drawing *one = &m->threads[m->n_drawn++];
		*one = (struct drawing){0};
		drawing_begin(x, m->drawn, tracks[i], !m->named, m->named, one);
	}
	free(tracks);
}

/* Joined anew when a question goes further than the first one and half as far again, then to the end: there are more to come. */
static void join_until(struct cause_lines *x, struct made_line *m, int64_t until_ns)
{
	bool begun = m->joined.n > 0;
	until_ns = earlier(until_ns, m->drawn.b_ns);
	if (begun && until_ns <= m->joined_ns)
		return;
	int64_t further_ns = until_ns / 2 - m->drawn.a_ns / 2; /* what is drawn may begin before all times */
	bool last = begun || m->n > TRACKS_FREE || until_ns > m->drawn.b_ns - further_ns;
	m->joined_ns = last ? m->drawn.b_ns : until_ns + further_ns;
	m->joined.n = 0;
	cause_line_append(&m->joined, hole, INT64_MIN);
	struct cause_joining many = {0};
	if (!begun && last)
		join_at_once(x, m, &many);
	else if (!begun)
		drawings_begin(x, m);
	for (uint32_t i = 0; i < m->n_drawn; i++) {
		drawing_go_on(x, &m->threads[i], last ? INT64_MAX : m->joined_ns);
		join(m, &m->threads[i].line, &many);
	}
	if (last)
		drawings_free(m);
	if (m->n > VERY_MANY)
		cause_joining_end(&many, &m->joined);
	cause_line_trim(&m->joined);
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

/* What of the question may be asked is drawn, or will be when the drawing goes on. */
static bool covers(const struct cause_lines *x, const struct made_line *m, struct interval about)
{
	return m->asked && m->drawn.a_ns <= later(about.a_ns, x->all.a_ns) &&
	       m->drawn.b_ns >= earlier(about.b_ns, x->all.b_ns);
}

static void draw_for(const struct cause_lines *x, struct made_line *m, struct interval about, int64_t ahead_ns)
{
	m->drawn = widened(about, ahead_ns);
	m->drawn.a_ns = later(x->all.a_ns, m->drawn.a_ns);
	m->drawn.b_ns = earlier(x->all.b_ns, m->drawn.b_ns);
	m->joined.n = 0;
	m->asked = true;
}

static struct made_line *new_line(struct cause_lines *x, enum line_kind kind, uint32_t of)
{
	bool again = kind == LINE_THREAD && x->n_dropped; /* in the memory of one that was dropped, with its drawing */
	struct made_line *m = again ? x->dropped[--x->n_dropped] : must(calloc(1, sizeof *m));
	*m = (struct made_line){.kind = kind, .of = of, .threads = m->threads, .n_drawn = again};
	GROW_ARRAY(x->lines, x->n_lines, x->cap_lines);
	return x->lines[x->n_lines++] = m;
}

static uint64_t line_key(enum line_kind kind, uint32_t of)
{
	return (uint64_t)kind << 32 | of;
}

static __attribute__((noinline)) struct made_line *find_line(struct cause_lines *x, enum line_kind kind, uint32_t of)
{
	uint32_t place = *idmap_put(&x->places, line_key(kind, of), x->n_lines);
	x->last[kind].of = of;
	return x->last[kind].line = place == x->n_lines ? new_line(x, kind, of) : x->lines[place];
}

/* Mostly the one asked for before. */
static inline struct made_line *line_at(struct cause_lines *x, enum line_kind kind, uint32_t of)
{
	return x->last[kind].line && x->last[kind].of == of ? x->last[kind].line : find_line(x, kind, of);
}

/* Where a line ends its thread is gone into anew, through all that is open there: while pieces are few, ever less often. */
static int64_t further(const struct cause_lines *x, const struct made_line *m)
{
	bool again = m->threads->line.n < FEW_PIECES && m->ahead_ns < trace_span_ns(derived_trace(x->d));
	return m->ahead_ns && again ? 2 * m->ahead_ns : later(x->ahead_ns, m->ahead_ns);
}

const struct cause_line *cause_line_of(struct cause_lines *x, uint32_t track, struct interval about)
{
	struct made_line *m = line_at(x, LINE_THREAD, track);
	if (!m->threads)
		m->threads = must(calloc(m->n_drawn = 1, sizeof *m->threads));
	if (!covers(x, m, about)) {
		m->ahead_ns = further(x, m);
		draw_for(x, m, about, m->ahead_ns);
		drawing_begin(x, m->drawn, track, true, false, m->threads);
	}
	struct cause_line *line = &m->threads->line;
	if (line->at[line->n - 1].at_ns > about.b_ns) /* as drawn_until, mostly */
		return line;
	drawing_go_on(x, m->threads, about.b_ns);
	if (!m->threads->sweep)
		cause_line_trim(line);
	return line;
}

struct cause_line cause_line_take(struct cause_lines *x, uint32_t track)
{
	struct made_line *m = line_at(x, LINE_THREAD, track);
	struct cause_line line = m->threads->line;
	m->threads->line = (struct cause_line){0};
	m->asked = false;
	return line;
}

static const struct cause_line *joined_line(struct cause_lines *x, struct made_line *m, struct interval about)
{
	if (!m->found)
		find_threads(x, m);
	if (!covers(x, m, about))
		draw_for(x, m, about, x->ahead_joined_ns);
	join_until(x, m, about.b_ns);
	return &m->joined;
}

const struct cause_line *cause_line_beside(struct cause_lines *x, uint32_t track, struct interval about)
{
	const struct track_info *k = trace_track(derived_trace(x->d), track);
	struct made_line *m = line_at(x, LINE_BESIDE, k->process);
	m->host = k->host;
	m->process = k->process;
	m->named = true;
	return joined_line(x, m, about);
}

const struct cause_line *cause_line_host(struct cause_lines *x, uint32_t host, struct interval about)
{
	struct made_line *m = line_at(x, LINE_HOST, host);
	m->host = host;
	return joined_line(x, m, about);
}

static void draw_profiler(const struct cause_lines *x, uint32_t host, struct cause_line *out)
{
	const struct columns *c = derived_columns(x->d);
	uint32_t n;
	const row_id *rows = cause_overheads(x->d, &n);
	int64_t seen_ns = x->all.a_ns;
	cause_line_append(out, hole, INT64_MIN);
	for (uint32_t i = 0; i < n && c->start_ns[rows[i]] < x->all.b_ns; i++) {
		int64_t a_ns = later(seen_ns, c->start_ns[rows[i]]), b_ns = row_end(c, rows[i]);
		if (b_ns <= a_ns || trace_track(derived_trace(x->d), c->track[rows[i]])->host != host ||
		    !cause_overhead(x->d, rows[i]))
			continue;
		if (a_ns > seen_ns)
			cause_line_append(out, hole, seen_ns);
		cause_line_append(out, (struct cause_at){0, rows[i], CAUSE_PROFILER, 95, false, false, false}, a_ns);
		seen_ns = b_ns;
	}
	cause_line_append(out, hole, seen_ns);
}

const struct cause_line *cause_line_profiler(struct cause_lines *x, uint32_t host)
{
	struct made_line *m = line_at(x, LINE_PROFILER, host);
	if (!m->joined.n)
		draw_profiler(x, host, &m->joined);
	return &m->joined;
}

const struct drawn_line *cause_line_drawn(struct cause_lines *x, uint32_t track)
{
	if (x->drawn && (!x->last_drawn || x->last_drawn->track != track))
		x->last_drawn = cause_drawn_of(x->drawn, track);
	return x->last_drawn;
}

const struct drawn_line *cause_line_launcher(struct cause_lines *x, uint32_t track)
{
	if (!x->at_once || (!x->drawn && ++x->questions < CAUSE_LINES_OFTEN))
		return NULL;
	if (!x->drawn)
		x->drawn = shared_part(&cause_drawn_part, x->d, x->q, &x->mem, NULL, NULL);
	return cause_line_drawn(x, track);
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static void line_free(struct made_line *m)
{
	drawings_free(m);
	free(m->threads);
	free(m->own_tracks);
	free(m->joined.at);
	free(m);
}

static void line_drop(struct cause_lines *x, struct made_line *m)
{
	if (m->kind == LINE_THREAD && m->threads) {
		thread_sweep_free(m->threads->sweep);
		m->threads->sweep = NULL;
		GROW_ARRAY(x->dropped, x->n_dropped, x->cap_dropped);
		x->dropped[x->n_dropped++] = m;
	} else {
		line_free(m);
	}
}

/* The lines of hosts stay, and those of processes of many threads: they are few, and made of many threads. */
void cause_lines_drop_many(struct cause_lines *x)
{
	enum { MANY = 4096 };
	if (x->n_lines <= MANY)
		return;
	uint32_t n = 0;
	idmap_clear(&x->places);
	for (uint32_t i = 0; i < x->n_lines; i++) {
		struct made_line *m = x->lines[i];
		bool stays = m->kind == LINE_HOST || m->kind == LINE_PROFILER || m->n > TRACKS_FREE;
		if (stays)
			x->lines[*idmap_put(&x->places, line_key(m->kind, m->of), n)] = m;
		else
			line_drop(x, m);
		n += stays;
	}
	x->n_lines = n;
	memset(x->last, 0, sizeof x->last);
}

/* Devices that the thread launches for which launches for the device before, too: its line is asked for once more for each. */
static uint32_t devices_that_share(const struct derived *d)
{
	uint32_t n = 0;
	for (uint32_t i = 1; i < trace_devices(derived_trace(d)); i++) {
		uint32_t thread = derived_launch_track(d, i);
		n += thread != NONE_ID && thread == derived_launch_track(d, i - 1);
	}
	return n;
}

/* Each device asks for all of the time: where there are many, small traces are drawn so, and large ones where a thread would be gone
 * through for each of many devices. */
bool cause_lines_at_once(const struct derived *d)
{
	enum { MANY_DEVICES = 16, SMALL = 1 << 20, LARGE = 1 << 24 };
	const struct trace *t = derived_trace(d);
	uint32_t n = trace_columns(t)->n;
	return trace_devices(t) > MANY_DEVICES && (n < SMALL || (n < LARGE && devices_that_share(d) > MANY_DEVICES));
}

struct cause_lines *cause_lines_new(const struct derived *d, const struct query *q, int64_t a_ns, int64_t b_ns)
{
	/* The number of drawings is bounded, however many idle times there are. */
	enum { PARTS = 8192, AHEAD_NS = 8000000 };
	const struct trace *t = derived_trace(d);
	bool at_once = cause_lines_at_once(d);
	int64_t least_ns = at_once ? trace_span_ns(t) : AHEAD_NS;
	struct cause_lines *x = must(malloc(sizeof *x));
	*x = (struct cause_lines){
		.d = d,
		.q = q,
		.at_once = at_once && q,
		.all = widened((struct interval){a_ns, b_ns}, 0),
		.ahead_ns = later(least_ns, trace_span_ns(t) / PARTS),
		.ahead_joined_ns = later(least_ns, trace_span_ns(t) / PARTS * (1 + trace_tracks(t) / TRACKS_FREE))};
	return x;
}

void cause_lines_free(struct cause_lines *x)
{
	for (uint32_t i = 0; i < x->n_lines; i++)
		line_free(x->lines[i]);
	for (uint32_t i = 0; i < x->n_dropped; i++)
		line_free(x->dropped[i]);
	free(x->lines);
	free(x->dropped);
	idmap_free(&x->places);
	thread_sweep_free(x->spare);
	arena_free(&x->mem);
	free(x);
}
