#include "shown_trace.h"
#include "view_transfer.h"
#include "tui/explorer/seek.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

struct shown_trace *shown_trace_new(const struct app_opts *o, struct derived *d, int wake_fd)
{
	struct shown_trace *s = must(calloc(1, sizeof *s));
	s->d = d;
	s->opts = *o;
	if (o->feed) {
		s->path[0] = trace_sources(derived_trace(d)) ? trace_source(derived_trace(d), 0).path : "";
		s->opts.paths = s->path;
		s->opts.n_paths = 1;
		s->opts.start_window = NULL;
	}
	s->st = state_new(&s->opts, d, wake_fd, false);
	s->st->feed = o->feed;
	return s;
}

static void shown_trace_free(struct shown_trace *s)
{
	if (!s)
		return;
	state_free(s->st);
	derived_free(s->d);
	free(s);
}

void shown_traces_free(struct shown_traces *s)
{
	shown_trace_free(s->next);
	shown_trace_free(s->now);
	*s = (struct shown_traces){0};
}

void shown_traces_let(const struct shown_traces *s)
{
	if (s->now)
		seek_let(s->now->st->seeker);
	if (s->next)
		seek_let(s->next->st->seeker);
}

void shown_traces_hold(const struct shown_traces *s)
{
	if (s->now)
		seek_hold(s->now->st->seeker);
	if (s->next)
		seek_hold(s->next->st->seeker);
}

static void transfer(const struct shown_traces *s, const struct app_opts *o)
{
	if (feed_source(o->feed)->grows)
		view_transfer(s->next->st, s->now->st);
	else
		view_transfer_settings(s->next->st, s->now->st);
}

static bool is_frozen(const struct shown_traces *s)
{
	return s->now && s->now->st->frozen;
}

static void take_next(struct shown_traces *s, const struct app_opts *o, int wake_fd)
{
	struct derived *d = s->next || is_frozen(s) ? NULL : feed_take(o->feed);
	if (!d)
		return;
	s->next = shown_trace_new(o, d, wake_fd);
	if (s->now)
		transfer(s, o);
}

/* An export in the old one's hands keeps it; so does a table that is still being made for it. */
static bool may_change(const struct shown_traces *s)
{
	return !state_busy(s->next->st) && (!s->now || !state_busy(s->now->st)) && !is_frozen(s);
}

static bool change(struct shown_traces *s, const struct app_opts *o)
{
	if (s->now) {
		bool same = state_same_question(s->next->st, s->now->st);
		transfer(s, o); /* the user has moved on meanwhile */
		if (seek_busy(s->next->st->seeker) || (!same && tables_busy(s->next->st->tables)))
			return false;
		view_transfer_mode(s->next->st, s->now->st);
	}
	shown_trace_free(s->now);
	s->now = s->next;
	s->next = NULL;
	return true;
}

bool shown_traces_update(struct shown_traces *s, const struct app_opts *o, int wake_fd)
{
	take_next(s, o, wake_fd);
	if (!s->next)
		return false;
	state_collect(s->next->st); /* it may want another table now */
	return may_change(s) && change(s, o);
}
