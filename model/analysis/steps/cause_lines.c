#include "cause_lines.h"
#include "thread_causes.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

static const struct cause_at hole = {.row = NONE_ID, .hole = true};

struct made_line {
	struct cause_line line;
	struct interval drawn;
};
struct cause_lines {
	const struct derived *d;
	struct interval all;                /* that may be asked for */
	int64_t ahead_ns, ahead_joined_ns;  /* how far to draw one thread, and several as one, beyond a question */
	struct made_line *threads, *beside; /* per track; beside: of the process, at its first track */
	struct made_line *hosts, *profiler; /* per host */
};

/* Further than pieces are long whose length matters (thread_causes.h). */
enum { BEYOND_NS = 2000000 };

static struct interval widened(struct interval v, int64_t ahead_ns)
{
	if (v.a_ns > INT64_MIN + BEYOND_NS)
		v.a_ns -= BEYOND_NS;
	v.b_ns = v.b_ns < INT64_MAX - BEYOND_NS - ahead_ns ? v.b_ns + BEYOND_NS + ahead_ns : INT64_MAX;
	return v;
}

/* ---- one line -------------------------------------------------------------------------------------------------------- */

static bool goes_on(const struct cause_at *x, const struct cause_at *y)
{
	return x->cause == y->cause && x->trust == y->trust && x->frame == y->frame && x->hole == y->hole;
}

static void append(struct cause_line *l, struct cause_at what, int64_t at_ns)
{
	if (l->n && goes_on(&l->at[l->n - 1], &what))
		return;
	GROW_ARRAY(l->at, l->n, l->cap);
	l->at[l->n] = what;
	l->at[l->n++].at_ns = at_ns;
}

struct drawing {
	struct cause_line *line;
	int64_t end_ns;
	int64_t row_ns; /* the longest event of the last cause */
	bool named;     /* only what rules know */
};

static void draw(void *arg, const struct thread_piece *p)
{
	struct drawing *x = arg;
	if (x->named && (p->cause == CAUSE_UNKNOWN || p->frame))
		return;
	if (p->a_ns > x->end_ns)
		append(x->line, hole, x->end_ns);
	uint32_t n = x->line->n;
	append(x->line, (struct cause_at){0, p->owner, (uint8_t)p->cause, p->trust, p->frame, false}, p->a_ns);
	if (x->line->n > n || p->b_ns - p->a_ns > x->row_ns) {
		x->line->at[x->line->n - 1].row = p->owner;
		x->row_ns = p->b_ns - p->a_ns;
	}
	x->end_ns = p->b_ns;
}

static void draw_thread(const struct cause_lines *x, struct interval about, uint32_t track, bool launching, bool named,
			struct cause_line *out)
{
	struct drawing at = {out, INT64_MIN, 0, named};
	append(out, hole, INT64_MIN);
	thread_causes_sweep(x->d, track, about.a_ns, about.b_ns, launching,
			    &(struct thread_causes){.piece = draw, .arg = &at});
	append(out, hole, at.end_ns);
}

struct cause_walk cause_walk_at(const struct cause_line *line, int64_t ts_ns)
{
	uint32_t lo = 0, hi = line->n;
	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (line->at[mid].at_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return (struct cause_walk){line, lo};
}

struct cause_at cause_walk_to(struct cause_walk *w, int64_t ts_ns, int64_t *until_ns)
{
	const struct cause_line *l = w->line;
	while (w->i + 1 < l->n && l->at[w->i + 1].at_ns <= ts_ns)
		w->i++;
	if (w->i + 1 < l->n)
		*until_ns = earlier(*until_ns, l->at[w->i + 1].at_ns);
	return l->n ? l->at[w->i] : hole;
}

/* ---- several threads as one ------------------------------------------------------------------------------------------ */

/* The more trusted of two at every moment; empties both. */
static void strongest(struct cause_line *x, struct cause_line *y)
{
	struct cause_line out = {0};
	struct cause_walk a = {x, 0}, b = {y, 0};
	for (int64_t at_ns = INT64_MIN, until_ns; at_ns < INT64_MAX; at_ns = until_ns) {
		until_ns = INT64_MAX;
		struct cause_at p = cause_walk_to(&a, at_ns, &until_ns), q = cause_walk_to(&b, at_ns, &until_ns);
		append(&out, q.trust > p.trust ? q : p, at_ns);
	}
	free(x->at);
	free(y->at);
	*x = out;
	*y = (struct cause_line){0};
}

static bool is_thread(const struct derived *d, uint32_t track, uint32_t host)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	return k->host == host && k->kind == TRACK_THREAD && derived_is_host_track(k) && k->n > 0;
}

static void join_threads(const struct cause_lines *x, struct interval about, uint32_t host, uint32_t process,
			 bool named, struct cause_line *out)
{
	append(out, hole, INT64_MIN);
	for (uint32_t i = 0; i < trace_tracks(derived_trace(x->d)); i++) {
		struct cause_line one = {0};
		if (!is_thread(x->d, i, host) || cause_input_thread(x->d, i) ||
		    (named && trace_track(derived_trace(x->d), i)->process != process))
			continue;
		draw_thread(x, about, i, !named, named, &one);
		if (one.n > 1)
			strongest(out, &one);
		free(one.at);
	}
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

/* True when the line has to be drawn, emptied, for m->drawn. */
static bool must_draw(const struct cause_lines *x, struct made_line *m, struct interval about, int64_t ahead_ns)
{
	if (m->line.n && m->drawn.a_ns <= later(about.a_ns, x->all.a_ns) &&
	    m->drawn.b_ns >= earlier(about.b_ns, x->all.b_ns))
		return false;
	m->drawn = widened(about, ahead_ns);
	m->drawn.a_ns = later(x->all.a_ns, m->drawn.a_ns);
	m->drawn.b_ns = earlier(x->all.b_ns, m->drawn.b_ns);
	m->line.n = 0;
	return true;
}

const struct cause_line *cause_line_of(struct cause_lines *x, uint32_t track, struct interval about)
{
	struct made_line *m = &x->threads[track];
	if (must_draw(x, m, about, x->ahead_ns))
		draw_thread(x, m->drawn, track, true, false, &m->line);
	return &m->line;
}

const struct cause_line *cause_line_beside(struct cause_lines *x, uint32_t track, struct interval about)
{
	const struct track_info *k = trace_track(derived_trace(x->d), track);
	uint32_t first = 0;
	while (trace_track(derived_trace(x->d), first)->process != k->process)
		first++;
	struct made_line *m = &x->beside[first];
	if (must_draw(x, m, about, x->ahead_joined_ns))
		join_threads(x, m->drawn, k->host, k->process, true, &m->line);
	return &m->line;
}

const struct cause_line *cause_line_host(struct cause_lines *x, uint32_t host, struct interval about)
{
	struct made_line *m = &x->hosts[host];
	if (must_draw(x, m, about, x->ahead_joined_ns))
		join_threads(x, m->drawn, host, NONE_ID, false, &m->line);
	return &m->line;
}

static void draw_profiler(const struct cause_lines *x, uint32_t host, struct cause_line *out)
{
	const struct columns *c = derived_columns(x->d);
	uint32_t n;
	const row_id *rows = cause_overheads(x->d, &n);
	int64_t seen_ns = x->all.a_ns;
	append(out, hole, INT64_MIN);
	for (uint32_t i = 0; i < n && c->start_ns[rows[i]] < x->all.b_ns; i++) {
		int64_t a_ns = later(seen_ns, c->start_ns[rows[i]]), b_ns = row_end(c, rows[i]);
		if (b_ns <= a_ns || trace_track(derived_trace(x->d), c->track[rows[i]])->host != host ||
		    !cause_overhead(x->d, rows[i]))
			continue;
		if (a_ns > seen_ns)
			append(out, hole, seen_ns);
		append(out, (struct cause_at){0, rows[i], CAUSE_PROFILER, 95, false, false}, a_ns);
		seen_ns = b_ns;
	}
	append(out, hole, seen_ns);
}

const struct cause_line *cause_line_profiler(struct cause_lines *x, uint32_t host)
{
	struct made_line *m = &x->profiler[host];
	if (!m->line.n)
		draw_profiler(x, host, &m->line);
	return &m->line;
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static struct made_line *lines_new(size_t n)
{
	struct made_line *p = must(malloc((n + 1) * sizeof *p));
	return memset(p, 0, (n + 1) * sizeof *p);
}

static void lines_free(struct made_line *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(at[i].line.at);
	free(at);
}

struct cause_lines *cause_lines_new(const struct derived *d, int64_t a_ns, int64_t b_ns)
{
	/* The number of drawings is bounded, however many idle times there are. */
	enum { PARTS = 8192, TRACKS_FREE = 64, AHEAD_NS = 8000000 };
	const struct trace *t = derived_trace(d);
	struct cause_lines *x = must(malloc(sizeof *x));
	*x = (struct cause_lines){
		.d = d,
		.all = widened((struct interval){a_ns, b_ns}, 0),
		.ahead_ns = later(AHEAD_NS, trace_span_ns(t) / PARTS),
		.ahead_joined_ns = later(AHEAD_NS, trace_span_ns(t) / PARTS * (1 + trace_tracks(t) / TRACKS_FREE)),
		.threads = lines_new(trace_tracks(t)),
		.beside = lines_new(trace_tracks(t)),
		.hosts = lines_new(trace_hosts(t)),
		.profiler = lines_new(trace_hosts(t))};
	return x;
}

void cause_lines_free(struct cause_lines *x)
{
	const struct trace *t = derived_trace(x->d);
	lines_free(x->threads, trace_tracks(t));
	lines_free(x->beside, trace_tracks(t));
	lines_free(x->hosts, trace_hosts(t));
	lines_free(x->profiler, trace_hosts(t));
	free(x);
}
