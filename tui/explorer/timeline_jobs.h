/* tui/explorer/timeline_jobs.h - what the timeline shows and cannot find out within a frame: made on a worker of its own, so that
 * neither tables nor searches wait for it.
 * Life:    timeline_jobs_new -> timeline_jobs_follow after every key ... -> timeline_jobs_free (cancels and waits).
 * Threads: the user interface calls everything; the worker reads the trace, which does not change. With `inline_jobs`
 *          everything happens in timeline_jobs_follow: tests see finished pictures. */
#ifndef STEPSCOPE_TIMELINE_JOBS_H
#define STEPSCOPE_TIMELINE_JOBS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/recorded/event_links.h"
#include "tui/lanes/rank_marks.h"
#include "tui/tables/window_stats.h"

struct state;
struct timeline_jobs;
/* d must outlive the result; wake_fd gets a byte when something is ready (-1 = none). */
struct timeline_jobs *timeline_jobs_new(const struct derived *d, int wake_fd, bool inline_jobs);
void timeline_jobs_free(struct timeline_jobs *j);
/* Asks for what the view needs now. */
void timeline_jobs_follow(struct state *st);
/* What is tied to events; NULL until an event was selected and all flows are looked through. */
const struct event_links *timeline_links(const struct timeline_jobs *j);
/* What ends the block of memory that event r gives out, or gave out the one that it takes back; NONE_ID: nothing, or not known yet. */
row_id timeline_block_end(const struct timeline_jobs *j, row_id r);
/* Collectives on the rows of devices; NULL where devices have none of their own, and until they are found. */
const struct rank_marks *timeline_ranks(const struct timeline_jobs *j);
/* A part of the statistics of the visible window; NULL while there is none yet. *fresh: of the window that is visible now, not of
 * one before it. */
const struct stats *timeline_stats(const struct state *st, enum stats_part part, bool *fresh);
bool timeline_jobs_busy(struct timeline_jobs *j);
bool timeline_jobs_collect(struct timeline_jobs *j); /* takes over what is ready; true when there was something */
#endif
