#include "timeline_jobs.h"
#include "state.h"
#include "model/store/base/memory.h"
#include "worker.h"

struct timeline_jobs {
	const struct derived *d;
	struct worker *worker;
	struct progress progress; /* cancelled at the end only */
	bool links_wanted;
	struct event_links *links, *links_made; /* made: the worker's until it is done */
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
	worker_free(j->worker);
	event_links_free(j->links);
	free(j);
}

/* ---- what is tied to events --------------------------------------------------------------------------------------- */

static void find_links(void *ctx)
{
	struct timeline_jobs *j = ctx;
	j->links_made = event_links_new(derived_trace(j->d), &j->progress);
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

/* ---- the user interface's side ------------------------------------------------------------------------------------ */

void timeline_jobs_follow(struct state *st)
{
	struct timeline_jobs *j = st->jobs;
	if (st->view.event != NONE_ID && !j->links_wanted)
		j->links_wanted = worker_run(j->worker, "links of events", find_links, keep_links, j);
}

bool timeline_jobs_busy(struct timeline_jobs *j)
{
	return worker_busy(j->worker);
}

bool timeline_jobs_collect(struct timeline_jobs *j)
{
	return worker_collect(j->worker);
}
