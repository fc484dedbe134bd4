#include "timeline_jobs.h"
#include "timeline_layout.h"
#include "model/analysis/memory/replay.h"
#include "model/store/base/clock.h"
#include "model/store/base/memory.h"
#include <string.h>
#include "worker.h"

/* What the statistics are asked of. */
struct stats_question {
	struct window window;
	char filter[256];
	bool all_steps;
};
struct stats_kept {
	struct arena mem;
	struct stats stats;
	uint32_t asked; /* number of the question, 0 = nothing kept */
	int64_t took_ms, span_ns;
};
/* One part for one question; the worker owns it until it is done. */
struct stats_job {
	struct timeline_jobs *owner;
	struct stats_question question;
	enum stats_part part;
	uint32_t asked;
	struct progress progress;
	struct arena mem;
	struct stats stats;
	int64_t took_ms;
	bool fine;
};
struct timeline_jobs {
	const struct derived *d;
	struct worker *worker;
	struct progress progress;               /* cancelled at the end only */
	bool links_wanted, ends;                /* ends: no job follows another */
	struct event_links *links, *links_made; /* made: the worker's until it is done */
	bool ranks_wanted, ranks_told;
	struct rank_marks *ranks, *ranks_made; /* as links */
	struct stats_question question;
	uint32_t asked; /* the question's number, one more for each */
	struct stats_job *running;
	struct stats_kept parts[STATS_PARTS];
};

struct timeline_jobs *timeline_jobs_new(const struct derived *d, int wake_fd, bool inline_jobs)
{
	struct timeline_jobs *j = must(calloc(1, sizeof *j));
	j->d = d;
	j->worker = worker_new(wake_fd, inline_jobs);
	return j;
}

void timeline_jobs_free(struct timeline_jobs *j)
{
	if (!j)
		return;
	atomic_store(&j->progress.cancel, true);
	if (j->running)
		atomic_store(&j->running->progress.cancel, true);
	j->ends = true;
	worker_free(j->worker);
	event_links_free(j->links);
	rank_marks_free(j->ranks ? j->ranks : j->ranks_made);
	for (int i = 0; i < STATS_PARTS; i++)
		arena_free(&j->parts[i].mem);
	free(j);
}

/* ---- what is tied to events --------------------------------------------------------------------------------------- */

static void find_links(void *ctx)
{
	struct timeline_jobs *j = ctx;
	j->links_made = event_links_new(derived_trace(j->d), &j->progress);
	replay_of(j->d); /* kept: timeline_block_end only looks up */
}

static void keep_links(void *ctx)
{
	struct timeline_jobs *j = ctx;
	j->links = j->links_made;
}

const struct event_links *timeline_links(const struct timeline_jobs *j)
{
	return j->links;
}

row_id timeline_block_end(const struct timeline_jobs *j, row_id r)
{
	return j->links ? replay_other_event(replay_of(j->d), r) : NONE_ID;
}

/* ---- who waits for whom ------------------------------------------------------------------------------------------- */

static void find_ranks(void *ctx)
{
	struct timeline_jobs *j = ctx;
	j->ranks_made = rank_marks_new(j->d, &j->progress);
}

static void keep_ranks(void *ctx)
{
	struct timeline_jobs *j = ctx;
	j->ranks = j->ranks_made;
}

const struct rank_marks *timeline_ranks(const struct timeline_jobs *j)
{
	return j->ranks;
}

/* Once they are found, rows can be in order of lateness. */
static void follow_ranks(struct state *st)
{
	struct timeline_jobs *j = st->jobs;
	if (st->lanes.groups.on && !j->ranks_wanted)
		j->ranks_wanted = worker_run(j->worker, "collectives on the timeline", find_ranks, keep_ranks, j);
	if (!j->ranks || j->ranks_told)
		return;
	struct view v = nav_remember(st);
	j->ranks_told = true;
	lane_groups_lateness(&st->lanes.groups, j->ranks->waited_for_ns);
	lanes_build(&st->lanes);
	nav_restore(st, &v);
}

/* ---- statistics of the visible window ----------------------------------------------------------------------------- */

static void make_stats(void *ctx)
{
	struct stats_job *r = ctx;
	struct err e = {.at = -1};
	const struct derived *d = r->owner->d;
	int64_t begun_ms = now_ms();
	struct filter *f = *r->question.filter ? filter_new(r->question.filter, &e) : NULL;
	if (!*r->question.filter || (f && filter_bind(f, derived_trace(d), &r->progress, &e))) {
		struct query q = window_query(&r->question.window, f);
		q.all_steps = r->question.all_steps;
		r->fine = window_stats_make(d, &q, r->part, &r->mem, &r->progress, &r->stats, &e);
	}
	filter_free(f);
	r->took_ms = now_ms() - begun_ms;
}

static void next_part(struct timeline_jobs *j);

static void keep_stats(void *ctx)
{
	struct stats_job *r = ctx;
	struct timeline_jobs *j = r->owner;
	struct stats_kept *kept = &j->parts[r->part];
	j->running = NULL;
	bool given_up = !r->fine && r->asked != j->asked;
	if (given_up) {
		arena_free(&r->mem);
	} else { /* what cannot be made is empty, and not tried again */
		arena_free(&kept->mem);
		*kept = (struct stats_kept){r->mem, r->stats, r->asked, r->took_ms,
					    r->question.window.b_ns - r->question.window.a_ns};
	}
	free(r);
	if (!j->ends)
		next_part(j);
}

static void next_part(struct timeline_jobs *j)
{
	int part = 0;
	while (part < STATS_PARTS && j->parts[part].asked == j->asked)
		part++;
	if (part == STATS_PARTS || j->running)
		return;
	struct stats_job *r = must(calloc(1, sizeof *r));
	char what[48];
	*r = (struct stats_job){.owner = j, .question = j->question, .part = (enum stats_part)part, .asked = j->asked};
	snprintf(what, sizeof what, "window statistics, %s", stats_table(r->part));
	j->running = r;
	if (worker_run(j->worker, what, make_stats, keep_stats, r))
		return;
	j->running = NULL;
	free(r);
}

/* A job for a view that is gone is left to end when it is known to end at once, so that figures follow while the view moves. */
static void drop_slow(struct timeline_jobs *j)
{
	enum { SOON_MS = 100 };
	if (!j->running)
		return;
	const struct stats_kept *before = &j->parts[j->running->part];
	const struct window *w = &j->running->question.window;
	double wider = before->span_ns > 0 ? (double)(w->b_ns - w->a_ns) / (double)before->span_ns : 1;
	if (!before->asked || (double)before->took_ms * (wider > 1 ? wider : 1) > SOON_MS)
		atomic_store(&j->running->progress.cancel, true);
}

static bool asks_for(const struct stats_question *q, const struct state *st)
{
	const struct viewport *p = &st->view.port;
	bool whole = p->span_ns >= p->total_ns;
	if (whole != (q->window.kind == WINDOW_ALL) || q->all_steps != st->all_steps ||
	    strcmp(q->filter, st->filter ? filter_text(st->filter) : "") != 0)
		return false;
	return whole || (q->window.a_ns == p->from_ns && q->window.b_ns == p->from_ns + p->span_ns);
}

static void ask_stats(struct state *st)
{
	struct timeline_jobs *j = st->jobs;
	const struct viewport *p = &st->view.port;
	if (j->asked && asks_for(&j->question, st))
		return;
	j->question = (struct stats_question){.all_steps = st->all_steps};
	j->question.window = p->span_ns >= p->total_ns ? window_all(j->d)
						       : window_of_time(j->d, p->from_ns, p->from_ns + p->span_ns);
	snprintf(j->question.filter, sizeof j->question.filter, "%s", st->filter ? filter_text(st->filter) : "");
	j->asked++;
	drop_slow(j);
	next_part(j);
}

const struct stats *timeline_stats(const struct state *st, enum stats_part part, bool *fresh)
{
	const struct timeline_jobs *j = st->jobs;
	const struct stats_kept *kept = &j->parts[part];
	*fresh = kept->asked && kept->asked == j->asked && asks_for(&j->question, st);
	return kept->asked ? &kept->stats : NULL;
}

/* ---- the user interface's side ------------------------------------------------------------------------------------ */

void timeline_jobs_follow(struct state *st)
{
	struct timeline_jobs *j = st->jobs;
	if (st->view.event != NONE_ID && !j->links_wanted)
		j->links_wanted = worker_run(j->worker, "links of events", find_links, keep_links, j);
	follow_ranks(st);
	if (timeline_layout(st).w_side)
		ask_stats(st);
}

bool timeline_jobs_busy(struct timeline_jobs *j)
{
	return worker_busy(j->worker);
}

bool timeline_jobs_collect(struct timeline_jobs *j)
{
	return worker_collect(j->worker);
}
