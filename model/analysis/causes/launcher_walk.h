/* model/analysis/causes/launcher_walk.h - what a thread that launches did, piece by piece: the thread's own line, unless somebody else is trusted
 * more where it tells little.
 * Life: zeroed -> launcher_walk_at -> launcher_walk_to and launcher_walk_on with ever later times; again launcher_walk_at, where another question is
 *       begun or a line was asked for meanwhile: it goes on from where the reader stood, which costs least where questions go forwards. */
#ifndef STEPSCOPE_LAUNCHER_WALK_H
#define STEPSCOPE_LAUNCHER_WALK_H
#include "cause_lines.h"
#include "model/analysis/maths/intervals.h"

/* What is trusted no more gives way to the profiler's cost. */
enum { CAUSE_TRUST_GUESS = 60 };
struct launcher_walk {
	struct cause_lines *lines;
	const struct derived *d;
	uint32_t thread;
	struct interval about, reach; /* reach: and as far around it as lines are drawn */
	struct cause_walk own, profiler, beside;
	struct cause_at weaker; /* what others told last, trusted less than on their own threads */
	bool alone;             /* the thread is the only one of its process */
	bool overheads;         /* the profiler tells of any cost */
	bool wider;             /* some row was told that was chosen among events outside of `reach`, */
	bool beside_mixed;      /* or, where the reader stands, among those of several other threads */
};
/* It may be asked for times in `about` from at_ns on. */
void launcher_walk_at(struct launcher_walk *w, struct cause_lines *x, const struct derived *d, uint32_t track,
		      struct interval about, int64_t at_ns);
/* As cause_walk_to, where others may have to be asked. */
const struct cause_at *launcher_walk_ask(struct launcher_walk *w, int64_t ts_ns, int64_t *until_ns);
/* As cause_walk_to; mostly the thread tells it. */
static inline const struct cause_at *launcher_walk_to(struct launcher_walk *w, int64_t ts_ns, int64_t *until_ns)
{
	const struct cause_at *p = cause_walk_to(&w->own, ts_ns, until_ns);
	bool itself = !w->overheads && !p->mixed && (p->hole ? w->alone : !p->frame);
	if (!itself)
		return launcher_walk_ask(w, ts_ns, until_ns);
	w->beside_mixed = false;
	return p;
}
/* Nothing before ts_ns is asked for from now on. */
static inline void launcher_walk_on(struct launcher_walk *w, int64_t ts_ns)
{
	w->own = cause_walk_from(w->own.line, w->own.i, ts_ns);
	if (w->overheads)
		w->profiler = cause_walk_from(w->profiler.line, w->profiler.i, ts_ns);
}
/* Since when what the reader stands on holds, of what is read at any time. */
int64_t launcher_walk_since(const struct launcher_walk *w);
#endif
