#include "seek.h"
#include "pane.h"
#include "worker.h"
#include "model/store/base/units.h"
#include "model/analysis/kernels/filter_said.h"
#include "model/analysis/query/windowed.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* One question. The worker owns it until it is done, but for `progress`. */
struct seek {
	struct state *st;
	struct search *search;
	enum pane_id pane; /* where it was asked */
	uint32_t analysis;
	int64_t steps; /* to go: n adds one, N takes one away */
	struct progress progress;
	bool fine;
	struct err err;
	struct search_place place; /* events */
	struct search_found found;
	uint32_t row; /* rows: where to start, then the one that was found, NONE_ID = none */
	int sort_col; /* rows: the order in which they are looked at */
	bool sort_desc, moved;
};
struct trial {
	struct state *st;
	struct filter *filter;
	struct hits *hits; /* what passes it */
	bool carried, fine;
	struct progress progress;
	struct err err;
};
struct seeker {
	struct state *st;
	struct worker *worker;
	pthread_mutex_t tables; /* held while the state's tables are read */
	_Atomic bool wanted;    /* the user interface waits for it */
	struct seek *seek;      /* under way, NULL = none */
	struct trial *trial;
	int64_t owed;  /* steps asked for since it began */
	char *refused; /* filter carried from an earlier trace that cannot be had on this one, NULL = none */
	struct err why;
};

/* ---- life --------------------------------------------------------------------------------------------------------- */

struct seeker *seeker_new(struct state *st, int wake_fd, bool inline_jobs)
{
	struct seeker *k = must(calloc(1, sizeof *k));
	pthread_mutexattr_t again;
	pthread_mutexattr_init(&again);
	pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE); /* inline jobs find it held by themselves */
	pthread_mutex_init(&k->tables, &again);
	pthread_mutexattr_destroy(&again);
	k->st = st;
	k->worker = worker_new(wake_fd, inline_jobs);
	seek_hold(k);
	return k;
}

void seeker_free(struct seeker *k)
{
	if (!k)
		return;
	seek_stop(k->st);
	seek_let(k);
	worker_free(k->worker);
	pthread_mutex_destroy(&k->tables);
	free(k->refused);
	free(k);
}

void seek_let(struct seeker *k)
{
	pthread_mutex_unlock(&k->tables);
}

void seek_hold(struct seeker *k)
{
	atomic_store(&k->wanted, true);
	pthread_mutex_lock(&k->tables);
	atomic_store(&k->wanted, false);
}

/* The worker's side: the user interface goes first. */
static void borrow(struct seeker *k)
{
	while (atomic_load(&k->wanted))
		sched_yield();
	pthread_mutex_lock(&k->tables);
}

/* ---- searches ----------------------------------------------------------------------------------------------------- */

static void begin(struct seek *s, const char *what, void (*work)(void *ctx), void (*done)(void *ctx))
{
	struct seeker *k = s->st->seeker;
	k->seek = s;
	if (worker_run(k->worker, what, work, done, s))
		return;
	k->seek = NULL;
	state_say(s->st, INK_BAD, "too many jobs at once; try again in a moment");
	search_free(s->search);
	free(s);
}

/* NULL: there is nothing to search for, or a search under way takes the step along. */
static struct seek *asked(struct state *st, int64_t steps)
{
	struct seeker *k = st->seeker;
	const struct seek *now = k->seek;
	if (!st->search) {
		state_say(st, INK_STATUS, "nothing searched for yet: type / and a pattern");
		return NULL;
	}
	if (now && now->search == st->search && now->pane == st->view.pane && now->analysis == st->view.analysis) {
		k->owed += steps;
		return NULL;
	}
	if (now)
		atomic_store(&k->seek->progress.cancel, true);
	k->owed = 0;
	struct seek *s = must(calloc(1, sizeof *s));
	s->st = st;
	s->search = search_keep(st->search);
	s->pane = st->view.pane;
	s->analysis = st->view.analysis;
	s->steps = steps;
	s->err.at = -1;
	return s;
}

/* Whether the answer is still wanted, where it was asked for. *owed: what to do next. */
static bool arrived(struct seek *s, int64_t *owed)
{
	struct state *st = s->st;
	struct seeker *k = st->seeker;
	bool wanted = k->seek == s && st->view.pane == s->pane && st->view.analysis == s->analysis;
	*owed = wanted ? k->owed : 0;
	if (k->seek == s) {
		k->seek = NULL;
		k->owed = 0;
	}
	if (wanted && !s->fine)
		state_say_err(st, &s->err);
	return wanted && s->fine;
}

static void leave(struct seek *s)
{
	search_free(s->search);
	free(s);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

static void find_event(void *ctx)
{
	struct seek *s = ctx;
	s->fine = search_events(s->search, s->st->d, &s->place, &s->progress, &s->found, &s->err);
}

static void seek_event_by(struct state *st, int64_t steps);

static void tell_place(struct state *st, const struct search *s, uint64_t place)
{
	char at[UNITS_BUF], all[UNITS_BUF];
	state_say(st, INK_STATUS, "%s of %s for /%s/", fmt_count(at, (int64_t)place),
		  fmt_count(all, (int64_t)hits_count(search_shown(s))), search_text(s));
}

void seek_tell(struct state *st)
{
	const struct hits *h = search_shown(st->search);
	if (h && hits_has(h, st->view.event))
		tell_place(st, st->search, hits_place(h, st->view.event));
}

static void found_event(void *ctx)
{
	struct seek *s = ctx;
	struct state *st = s->st;
	int64_t owed;
	if (arrived(s, &owed)) {
		if (s->found.row == NONE_ID) {
			state_say(st, INK_WARN, "no event matches /%s/", search_text(s->search));
		} else {
			nav_event(st, s->found.row);
			tell_place(st, s->search, s->found.place);
		}
		if (owed && s->found.row != NONE_ID)
			seek_event_by(st, owed);
	}
	leave(s);
}

static void seek_event_by(struct state *st, int64_t steps)
{
	struct seek *s = asked(st, steps);
	if (!s)
		return;
	s->place = (struct search_place){st->view.event, st->view.cursor_ns, steps};
	begin(s, "search in events", find_event, found_event);
}

void seek_event(struct state *st, int direction)
{
	seek_event_by(st, direction);
}

/* ---- rows of a table ---------------------------------------------------------------------------------------------- */

struct texts {
	char *at;
	size_t n, cap;
	uint32_t count;
};

static void add_text(struct texts *x, const char *text)
{
	size_t n = strlen(text) + 1;
	GROW_ARRAY(x->at, x->n + n - 1, x->cap);
	memcpy(x->at + x->n, text, n);
	x->n += n;
	x->count++;
}

/* Texts of the row, which lies `ahead` rows behind (or, backwards, before) where the search began. False: it is no longer the
 * table that the search is about. *n: its rows. */
static bool read_row(struct seek *s, uint32_t ahead, struct texts *x, uint32_t *row, uint32_t *n)
{
	char buf[192];
	struct seeker *k = s->st->seeker;
	borrow(k);
	const struct table *t =
		s->st->view.pane == s->pane && s->st->view.analysis == s->analysis ? pane_shown(s->st) : NULL;
	bool same = t && t->sort_col == s->sort_col && t->sort_desc == s->sort_desc && s->row < t->n_rows;
	*n = same ? t->n_rows : 0;
	if (same) {
		int64_t at = s->steps > 0 ? (int64_t)s->row + ahead : (int64_t)s->row - ahead;
		*row = (uint32_t)((at + (int64_t)*n * 2) % *n);
		x->n = x->count = 0;
		for (uint32_t c = 0; c < t->n_cols; c++)
			add_text(x, cell_format(t, *row, c, buf, sizeof buf));
	}
	pthread_mutex_unlock(&k->tables);
	return same;
}

static bool row_hit(struct search *s, const struct texts *x)
{
	const char *text = x->at;
	for (uint32_t i = 0; i < x->count; i++, text += strlen(text) + 1)
		if (search_hits(s, text))
			return true;
	return false;
}

static bool goes_on(const struct seek *s)
{
	return !s->moved && !progress_cancelled((struct progress *)&s->progress) && search_sound(s->search, NULL);
}

static void find_row(void *ctx)
{
	struct seek *s = ctx;
	struct texts x = {0};
	uint32_t row, n = 1, found = NONE_ID;
	int64_t left = llabs(s->steps), hits = 0;
	search_open(s->search, &s->progress);
	for (uint32_t ahead = 1; left && goes_on(s); ahead++) {
		if (ahead > n) { /* once round: the rest is less than that */
			left = hits ? left % hits : 0;
			hits = ahead = 0;
			continue;
		}
		s->moved = !read_row(s, ahead, &x, &row, &n);
		if (s->moved || !row_hit(s->search, &x))
			continue;
		found = row;
		hits++;
		left--;
	}
	free(x.at);
	s->row = found;
	s->fine = search_sound(s->search, &s->err);
}

static void seek_row_by(struct state *st, int64_t steps);

static void found_row(void *ctx)
{
	struct seek *s = ctx;
	struct state *st = s->st;
	int64_t owed;
	if (arrived(s, &owed)) {
		if (!s->moved && s->row == NONE_ID)
			state_say(st, INK_WARN, "no row matches /%s/", search_text(s->search));
		else if (!s->moved)
			pane_of(st)->select(st, s->row);
		if (s->moved || (owed && s->row != NONE_ID)) /* sorted meanwhile: once more */
			seek_row_by(st, s->moved ? s->steps + owed : owed);
	}
	leave(s);
}

static void seek_row_by(struct state *st, int64_t steps)
{
	const struct table *t = pane_shown(st);
	if (st->search && search_is_filter(st->search)) {
		state_say(st, INK_WARN, "fields belong to events: search for them on the timeline (2)");
		return;
	}
	if (!t || !t->n_rows) {
		state_say(st, INK_STATUS, "this table has no rows to search");
		return;
	}
	struct seek *s = asked(st, steps);
	if (!s)
		return;
	s->row = st->view.place.row;
	s->sort_col = t->sort_col;
	s->sort_desc = t->sort_desc;
	begin(s, "search in rows", find_row, found_row);
}

void seek_row(struct state *st, int direction)
{
	seek_row_by(st, direction);
}

/* ---- filters ------------------------------------------------------------------------------------------------------ */

static bool passes(void *ctx, row_id r)
{
	const struct trial *x = ctx;
	return filter_match(x->filter, r, windowed_step(x->st->d, r));
}

static void try_filter(void *ctx)
{
	struct trial *x = ctx;
	x->fine = filter_bind_derived(x->filter, x->st->d, &x->progress, &x->err);
	x->hits = x->fine ? hits_new(x->st->t, passes, x, &x->progress) : NULL;
	x->fine = x->hits != NULL;
}

static void hold_filter(struct state *st, struct filter *f, struct hits *h)
{
	filter_free(st->filter);
	hits_free(st->hits);
	st->filter = f;
	st->hits = h;
}

static void refuse(struct seeker *k, const struct trial *x)
{
	state_say_err(k->st, &x->err);
	if (!x->carried)
		return;
	free(k->refused);
	k->refused = must(strdup(filter_text(x->filter)));
	k->why = x->err;
}

static void tell_filter(struct state *st)
{
	uint64_t n = hits_count(st->hits);
	char count[UNITS_BUF], clear[ACTION_NAME_BUF], filter[ACTION_NAME_BUF];
	if (!n)
		state_say(st, INK_WARN, "no event passes %s; %s clears the filter", filter_text(st->filter),
			  action_key(ACT_CLEAR_FILTER, clear));
	else
		state_say(st, INK_STATUS, "%s event%s pass%s %s; %s clears the filter, %s& %s the others",
			  fmt_count(count, (int64_t)n), n == 1 ? "" : "s", n == 1 ? "es" : "", filter_text(st->filter),
			  action_key(ACT_CLEAR_FILTER, clear), action_key(ACT_FILTER, filter),
			  st->filter_hides ? "dims" : "hides");
}

static void tried_filter(void *ctx)
{
	struct trial *x = ctx;
	struct state *st = x->st;
	bool wanted = st->seeker->trial == x;
	if (wanted)
		st->seeker->trial = NULL;
	if (wanted && x->fine) {
		hold_filter(st, x->filter, x->hits);
		x->filter = NULL;
		x->hits = NULL;
	}
	if (wanted && !x->fine)
		refuse(st->seeker, x);
	else if (wanted && !x->carried)
		tell_filter(st);
	if (wanted && x->fine != x->carried)
		state_question(st);
	filter_free(x->filter);
	hits_free(x->hits);
	free(x);
}

static void drop_trial(struct seeker *k)
{
	if (k->trial)
		atomic_store(&k->trial->progress.cancel, true);
	k->trial = NULL;
}

static bool start_trial(struct state *st, struct filter *f, bool carried, struct err *e)
{
	struct trial *x = must(calloc(1, sizeof *x));
	*x = (struct trial){.st = st, .filter = f, .carried = carried, .err.at = -1};
	st->seeker->trial = x;
	if (worker_run(st->seeker->worker, "filter", try_filter, tried_filter, x))
		return true;
	st->seeker->trial = NULL;
	filter_free(f);
	free(x);
	return err_usage(e, "too many jobs at once; try again in a moment");
}

bool seek_filter(struct state *st, const char *text, struct err *e)
{
	struct filter *f = *text ? filter_new(text, e) : NULL;
	if (*text && !f)
		return false;
	drop_trial(st->seeker);
	if (!f) {
		hold_filter(st, NULL, NULL);
		return true;
	}
	return start_trial(st, f, false, e);
}

void seek_transfer_filter(struct state *st, const char *text)
{
	struct seeker *k = st->seeker;
	const char *now = k->trial ? filter_text(k->trial->filter) : st->filter ? filter_text(st->filter) : "";
	if (!strcmp(now, text))
		return;
	if (k->refused && !strcmp(k->refused, text)) {
		state_say_err(st, &k->why);
		return;
	}
	drop_trial(k);
	hold_filter(st, NULL, NULL);
	struct filter *f = *text ? filter_new(text, NULL) : NULL;
	if (f)
		start_trial(st, f, true, NULL);
}

/* ---- the user interface's side ------------------------------------------------------------------------------------ */

bool seek_stop(struct state *st)
{
	struct seeker *k = st->seeker;
	bool any = k->seek || k->trial;
	if (k->seek)
		atomic_store(&k->seek->progress.cancel, true);
	k->seek = NULL;
	k->owed = 0;
	drop_trial(k);
	return any;
}

bool seek_tells(const struct seeker *k, char *buf, size_t size)
{
	if (k->trial)
		snprintf(buf, size, "looking for events that pass %s ... (Esc stops)", filter_text(k->trial->filter));
	else if (k->seek)
		snprintf(buf, size, "searching /%s/ ... (Esc stops)", search_text(k->seek->search));
	return k->trial || k->seek;
}

bool seek_busy(struct seeker *k)
{
	return worker_busy(k->worker);
}

bool seek_collect(struct seeker *k)
{
	return worker_collect(k->worker);
}
