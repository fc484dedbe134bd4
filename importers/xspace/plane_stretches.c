#include "plane_stretches.h"
#include "xspace.h"
#include "importers/turns.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"

/* LEAST_STRETCHES: of a plane for which a thread is started. */
enum { WORKERS = 2, LEAST_STRETCHES = 4 };

/* A thread and the stretch that it works on. */
struct worker {
	struct plane_stretches *all;
	struct hold_view view;
	struct piece *piece; /* the first n_pieces are decoded and not taken */
	size_t n_pieces, cap_pieces, n_made;
};
struct plane_stretches {
	struct xspace *x;
	unsigned threads;
	bool alone; /* one thread takes each piece at once: what it decoded is in the nearest cache */
	struct worker worker[WORKERS];
	struct turns turns; /* by number of the stretch */
	/* of who has the turn */
	struct lane_info lane;
	const struct line *lost; /* of which nothing more can be read */
};

struct plane_stretches *plane_stretches_new(struct xspace *x, unsigned threads)
{
	struct plane_stretches *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->x = x;
	s->threads = threads;
	turns_init(&s->turns);
	for (int i = 0; i < WORKERS; i++)
		s->worker[i].all = s;
	return s;
}

void plane_stretches_free(struct plane_stretches *s)
{
	if (!s)
		return;
	for (int i = 0; i < WORKERS; i++) {
		struct worker *w = &s->worker[i];
		for (size_t k = 0; k < w->n_made; k++)
			piece_free(&w->piece[k]);
		free(w->piece);
		hold_view_free(&w->view);
	}
	turns_free(&s->turns);
	free(s);
}

/* ---- taking, one after the other ------------------------------------------------------------------------------------- */

/* When the file has changed since its lines were passed over, the rest of this line is lost. */
static void unreadable(struct xspace *x, const struct line *l, int64_t at)
{
	if (x->plane.hold.borrowed && source_changed(x->src)) {
		bool cut = source_bytes_now(x->src) < l->file_at + (int64_t)l->hold_n;
		notes_add(x->notes, cut ? NOTE_TRUNCATED : NOTE_DAMAGED_REGION, at, 1);
		return;
	}
	x->failed = x->ended = true;
	err_set(x->err, source_name(x->src), at, "the events of a plane could not be read again: the disk has failed");
}

static void take_piece(struct plane_stretches *s, const struct piece *p)
{
	if (p->line == s->lost)
		return;
	if (p->begins)
		s->lane = lane_of(s->x, p->line);
	events_take(s->x, &s->lane, p);
	if (p->breaks_off) {
		s->lost = p->line;
		unreadable(s->x, p->line, p->at + (int64_t)p->n);
	}
}

/* False: nothing more is to be taken. */
static bool take(struct worker *w)
{
	struct plane_stretches *s = w->all;
	for (size_t i = 0; i < w->n_pieces && !s->x->failed; i++)
		take_piece(s, &w->piece[i]);
	w->n_pieces = 0;
	return !xspace_cancelled(s->x);
}

/* ---- reading and decoding, which touch nothing but the worker -------------------------------------------------------- */

static struct piece *next_piece(struct worker *w)
{
	GROW_ARRAY(w->piece, w->n_pieces, w->cap_pieces);
	if (w->n_pieces == w->n_made)
		w->piece[w->n_made++] = (struct piece){0};
	return &w->piece[w->n_pieces++];
}

/* How much of the bytes a piece has place for: at least one whole field. 0: they do not begin with one. */
static size_t reach_of_piece(const unsigned char *p, size_t n)
{
	struct wire w = {p, p + n};
	struct wire_field f;
	if (wire_next(&w, &f) != WIRE_OK)
		return 0;
	size_t first = (size_t)(w.p - p), most = first > PIECE_BYTES ? first : PIECE_BYTES;
	return most < n ? most : n;
}

/* Up to n bytes of a part, from `at` in the hold on. Returns how many were passed. */
static size_t decode_piece(struct worker *w, const struct line *l, uint64_t at, const unsigned char *bytes, size_t n)
{
	struct plane_stretches *s = w->all;
	struct piece *p = next_piece(w);
	piece_fill(p, l->file_at + (int64_t)(at - l->hold_at), bytes, reach_of_piece(bytes, n));
	p->line = l;
	p->timestamp_ns = l->timestamp_ns;
	p->begins = at == l->hold_at;
	size_t passed = piece_decode(p, l->counter ? NULL : &s->x->plane.meta);
	p->breaks_off = !passed && l->hold_n;
	if (s->alone)
		take(w);
	return passed;
}

/* A part of which n bytes are at hand. One of a line without events is decoded, too: the line's track is told then. */
static void decode_part(struct worker *w, const struct part *part, const unsigned char *bytes, size_t n)
{
	const struct line *l = &w->all->x->plane.lines[part->line];
	size_t at = 0, passed;
	do {
		passed = decode_piece(w, l, part->at + at, bytes + at, n - at);
		at += passed;
	} while (at < part->n && passed);
}

static void prepare(struct worker *w, uint64_t number)
{
	const struct plane *p = &w->all->x->plane;
	size_t first = p->stretches[number], end = number + 1 < p->n_stretches ? p->stretches[number + 1] : p->n_parts;
	uint64_t from = p->parts[first].at, to = p->parts[end - 1].at + p->parts[end - 1].n;
	size_t have;
	const unsigned char *bytes = hold_view(&p->hold, &w->view, from, (size_t)(to - from), &have);
	for (size_t i = first; i < end; i++) {
		size_t at = (size_t)(p->parts[i].at - from), left = have > at ? have - at : 0;
		decode_part(w, &p->parts[i], left ? bytes + at : (const unsigned char *)"",
			    left < p->parts[i].n ? left : p->parts[i].n);
	}
}

static void *work(void *worker)
{
	struct worker *w = worker;
	struct plane_stretches *s = w->all;
	uint64_t number;
	for (bool more = true; more && (number = turns_next(&s->turns)) < s->x->plane.n_stretches;) {
		prepare(w, number);
		turns_wait(&s->turns, number);
		more = take(w);
		turns_pass(&s->turns, number);
		if (!s->alone)
			attrs_help(s->x->attrs);
	}
	return NULL;
}

void plane_stretches_take(struct plane_stretches *s)
{
	struct plane *p = &s->x->plane;
	pthread_t other;
	s->lost = NULL;
	turns_begin(&s->turns);
	if (!hold_settle(&p->hold))
		unreadable(s->x, p->lines, p->lines->file_at);
	s->alone = s->threads < 2 || p->n_stretches < LEAST_STRETCHES;
	attrs_helped(s->x->attrs, !s->alone);
	bool two = !s->alone && thread_start(&other, work, &s->worker[1]);
	work(&s->worker[0]);
	if (two)
		pthread_join(other, NULL);
	attrs_helped(s->x->attrs, false);
}
