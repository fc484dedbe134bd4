#include "launcher_walk.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include <string.h>

/* Weight of other threads' events relative to the launching thread's, and the shortest frame beside which they count. */
enum { BESIDE_PCT = 70, BESIDE_LEAST_NS = 50000 };
/* A frame that hands work to a thread that records nothing for longer tells nothing: that one does something else. */
enum { HANDED_NS = 1000000 };

static void find_thread(struct launcher_walk *w, struct cause_lines *x, const struct derived *d, uint32_t track)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	uint32_t n;
	process_tracks(d, k->process, &n);
	w->lines = x;
	w->d = d;
	w->thread = track;
	w->alone = n == 1;
	w->profiler.line = cause_line_profiler(x, k->host);
	w->overheads = w->profiler.line->n > 1;
}

void launcher_walk_at(struct launcher_walk *w, struct cause_lines *x, const struct derived *d, uint32_t track,
		      struct interval about, int64_t at_ns)
{
	if (w->lines != x || w->thread != track)
		find_thread(w, x, d, track);
	w->own.line = cause_line_of(x, track, about);
	w->about = about;
	w->reach = cause_lines_reach(about);
	w->wider = false;
	launcher_walk_on(w, at_ns);
}

int64_t launcher_walk_since(const struct launcher_walk *w)
{
	int64_t own_ns = cause_walk_since(&w->own);
	return w->overheads ? later(own_ns, cause_walk_since(&w->profiler)) : own_ns;
}

/* Rows of a line were chosen from its whole stretch, of which another question may see less. */
static void note_wider(struct launcher_walk *w, const struct cause_walk *at)
{
	if (at->line->at[at->i].mixed && !w->wider)
		w->wider = cause_walk_reaches_out(at, w->reach.a_ns, w->reach.b_ns);
}

/* PyTorch's ops launch on the thread that runs them: one on a thread that never calls the runtime, like that of a data loader, hands
 * nothing over. */
static bool hands_over(const struct derived *d, row_id r)
{
	const struct columns *c = derived_columns(d);
	return strncmp(trace_str(derived_trace(d), c->name[r]), "aten::", 6) != 0 ||
	       cause_calling_thread(d, c->track[r]);
}

/* What others tell where the thread itself tells little: p. */
static const struct cause_at *told_beside(struct launcher_walk *w, const struct cause_at *p, int64_t ts_ns,
					  int64_t *until_ns)
{
	const struct cause_line *line = cause_line_beside(w->lines, w->thread, w->about);
	w->beside = cause_walk_from(line, w->beside.i, ts_ns);
	w->weaker = *cause_walk_to(&w->beside, ts_ns, until_ns);
	const struct cause_at *q = &w->weaker;
	w->beside_mixed = q->mixed;
	note_wider(w, &w->beside);
	if (q->cause == CAUSE_LAUNCH && q->row != NONE_ID && !hands_over(w->d, q->row))
		return p;
	if (q->cause == CAUSE_LAUNCH && q->frame && cause_walks_last(&w->own, &w->beside, HANDED_NS))
		return p;
	w->weaker.trust = (uint8_t)(q->trust * BESIDE_PCT / 100);
	return q->trust > p->trust ? q : p;
}

const struct cause_at *launcher_walk_ask(struct launcher_walk *w, int64_t ts_ns, int64_t *until_ns)
{
	const struct cause_at *p = cause_walk_to(&w->own, ts_ns, until_ns);
	note_wider(w, &w->own);
	w->beside_mixed = false;
	if (w->overheads) {
		const struct cause_at *q = cause_walk_to(&w->profiler, ts_ns, until_ns);
		note_wider(w, &w->profiler);
		if (!q->hole && p->trust <= CAUSE_TRUST_GUESS)
			return q;
	}
	bool enough = p->hole ? w->alone : !p->frame || *until_ns - ts_ns < BESIDE_LEAST_NS;
	return enough ? p : told_beside(w, p, ts_ns, until_ns); /* a thread that is alone: its hole is all there is */
}
