/* model/store/trace/nest.c - nesting depth and overflow rows. Lane 0 is the main lane; an event that partly overlaps what is
 * open there goes to the first lane where it nests, so nothing is ever hidden. */
#include "trace_private.h"
#include "model/store/base/both.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

enum { TRIED_LANES = 32, MAX_DISP = 65535 };

struct lane {
	int64_t *ends; /* of the open events, outermost first */
	uint32_t n, cap;
	uint32_t rows; /* deepest nesting seen */
	uint32_t base; /* display row of its outermost events */
};
struct nest {
	struct lane *lanes;
	uint32_t n, cap;
	uint32_t rotate; /* where the search among many lanes goes on */
	bool failed;
};

static bool lane_fits(struct lane *l, int64_t start_ns, int64_t end_ns)
{
	while (l->n && l->ends[l->n - 1] <= start_ns)
		l->n--;
	return l->n == 0 || end_ns <= l->ends[l->n - 1];
}

static bool lane_push(struct lane *l, int64_t end_ns)
{
	if (!TRY_GROW_ARRAY(l->ends, l->n, l->cap))
		return false;
	l->ends[l->n++] = end_ns;
	if (l->n > l->rows)
		l->rows = l->n;
	return true;
}

static uint32_t lane_new(struct nest *s)
{
	uint32_t made = s->cap;
	if (!TRY_GROW_ARRAY(s->lanes, s->n, s->cap)) {
		s->failed = true;
		return 0;
	}
	memset(s->lanes + made, 0, (s->cap - made) * sizeof *s->lanes);
	return s->n++;
}

/* First of the first lanes where the event nests. Beyond those a few are tried in turn, so that a hostile staircase of
 * overlaps costs a constant per event; lanes never run past what a display row number can hold. */
static uint32_t choose_lane(struct nest *s, int64_t start_ns, int64_t end_ns)
{
	uint32_t first = s->n < TRIED_LANES ? s->n : TRIED_LANES;
	for (uint32_t i = 0; i < first; i++)
		if (lane_fits(&s->lanes[i], start_ns, end_ns))
			return i;
	uint32_t rest = s->n - first;
	for (uint32_t k = 0; k < TRIED_LANES && k < rest; k++) {
		uint32_t i = first + (s->rotate + k) % rest;
		if (lane_fits(&s->lanes[i], start_ns, end_ns)) {
			s->rotate = i - first;
			return i;
		}
	}
	s->rotate += TRIED_LANES;
	return s->n < MAX_DISP ? lane_new(s) : s->n - 1;
}

static void place(struct trace *t, struct nest *s, row_id r, uint16_t *lane_of)
{
	int64_t start_ns = t->start_ns[r], end_ns = start_ns + t->dur_ns[r];
	uint32_t lane = s->n && lane_fits(&s->lanes[0], start_ns, end_ns) ? 0 : choose_lane(s, start_ns, end_ns);
	if (s->failed)
		return;
	struct lane *l = &s->lanes[lane];
	t->depth[r] = (uint16_t)(l->n < MAX_DISP ? l->n : MAX_DISP);
	if (lane)
		*lane_of = (uint16_t)lane;
	s->failed |= !lane_push(l, end_ns);
	if (end_ns == start_ns)
		l->n--; /* an instant holds nothing */
}

/* Display rows of events that share one lane are their depths. */
static void copy_depths(struct trace *t, const struct trace_track *x)
{
	for (uint64_t r = x->info.first; r < x->info.first + x->info.n; r++)
		t->disp[r] = t->depth[r] < MAX_DISP ? t->depth[r] : MAX_DISP - 1;
}

static void finish_track(struct trace *t, struct trace_track *x, struct nest *s, uint16_t *lane_of)
{
	/* the main lane comes first; overflow lanes follow below it, each with the rows it needs */
	uint32_t rows = 0, main_rows = s->n ? s->lanes[0].rows : 0;
	for (uint32_t i = 0; i < s->n; i++) {
		s->lanes[i].base = rows;
		rows += s->lanes[i].rows;
	}
	x->info.n_rows = rows < MAX_DISP ? rows : MAX_DISP;
	x->lane0_rows = main_rows < x->info.n_rows ? main_rows : x->info.n_rows;
	if (s->n <= 1)
		copy_depths(t, x);
	for (uint64_t i = 0; i < x->info.n && s->n > 1; i++) {
		uint64_t r = x->info.first + i;
		uint32_t disp = s->lanes[lane_of[i]].base + t->depth[r];
		t->disp[r] = (uint16_t)(disp < MAX_DISP ? disp : MAX_DISP - 1);
		x->info.overlaps += lane_of[i] > 0;
		/* clean for the next track */
		lane_of[i] = 0;
	}
}

/* What the threads that nest share. */
struct nesting {
	struct trace *t;
	const struct helpers *helpers;
	uint64_t longest;      /* rows of a track */
	_Atomic uint32_t next; /* track that nobody nests yet */
};

static void nest_track(struct trace *t, struct trace_track *x, struct nest *s, uint16_t *lane_of)
{
	for (uint32_t l = 0; l < s->n; l++)
		s->lanes[l].n = s->lanes[l].rows = 0;
	s->n = 0;
	s->rotate = 0;
	for (uint64_t k = 0; k < x->info.n && !s->failed; k++)
		place(t, s, (row_id)(x->info.first + k), &lane_of[k]);
	if (!s->failed)
		finish_track(t, x, s, lane_of);
}

/* Tracks that nobody else nests, one after the other. */
static bool nest_tracks(void *ctx)
{
	struct nesting *all = ctx;
	struct trace *t = all->t;
	uint16_t *lane_of = calloc(all->longest + 1, sizeof *lane_of); /* untouched where there is one lane only */
	struct nest s = {.failed = !lane_of};
	for (uint32_t i; !s.failed && (i = atomic_fetch_add(&all->next, 1)) < t->n_tracks;)
		nest_track(t, &t->tracks[i], &s, lane_of);
	for (uint32_t l = 0; l < s.cap; l++)
		free(s.lanes[l].ends);
	free(s.lanes);
	free(lane_of);
	return !s.failed;
}

static bool nest_behind(void *ctx)
{
	struct nesting *all = ctx;
	return (!all->helpers->beside || all->helpers->beside(all->helpers->ctx)) && nest_tracks(all);
}

bool seal_nest(struct trace *t, const struct helpers *h)
{
	struct nesting all = {.t = t, .helpers = h};
	for (uint32_t i = 0; i < t->n_tracks; i++)
		all.longest = t->tracks[i].info.n > all.longest ? t->tracks[i].info.n : all.longest;
	if (!both(h->threads, nest_behind, nest_tracks, &all))
		return false;
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		const struct track_info *x = &t->tracks[i].info;
		if (x->kind != TRACK_ASYNC)
			notes_add_of(&t->notes, NOTE_OVERLAP, trace_file_of(t, x->host), -1, x->overlaps);
	}
	return true;
}
