#include "thread_shares.h"
#include "judge.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

void cause_share_main(struct cause_share *s, row_id row, int64_t ns)
{
	if (ns <= s->row_ns)
		return;
	s->row = row;
	s->row_ns = ns;
}

void cause_share_add(struct cause_share *s, row_id owner, int64_t ns, int trust)
{
	s->ns += ns;
	s->trusted += (__int128)ns * trust;
	s->run_ns = owner == s->run_owner ? s->run_ns + ns : ns;
	s->run_owner = owner;
	if (s->run_ns > s->owner_ns) {
		s->owner = owner;
		s->owner_ns = s->run_ns;
	}
}

void cause_share_add_alone(struct cause_share *s, row_id row, int64_t ns, int trust)
{
	cause_share_add(s, row, ns, trust);
	cause_share_main(s, row, ns);
}

void gap_evidence_empty(struct gap_evidence *out, int64_t start_ns)
{
#define NO_SHARE                                 \
	{                                        \
		.row = NONE_ID, .owner = NONE_ID \
	}
	static const struct gap_evidence nothing = {.own = {[0 ... CAUSE_COUNT - 1] = NO_SHARE},
						    .others = {[0 ... CAUSE_COUNT - 1] = NO_SHARE},
						    .largest = NO_SHARE,
						    .busy = {.row = NONE_ID},
						    .drained = NONE_ID,
						    .asks_overflow = NONE_ID,
						    .collective = NO_SHARE,
						    .profiler = NO_SHARE};
#undef NO_SHARE
	*out = nothing;
	out->hole_a_ns = out->hole_b_ns = start_ns;
}

/* ---- event by event --------------------------------------------------------------------------------------------------- */

#define NOTHING_YET INT64_MIN

struct sweep {
	struct thread_owners *owners; /* NULL: none are kept */
	struct gap_evidence *out;
	struct cause_share *shares;
	bool launching;
	/* of the launching thread: start of what was recorded first, end of what was recorded last; NOTHING_YET: nothing, and no hole ends there */
	int64_t first_ns, last_ns;
};

static void note_hole(struct sweep *s, int64_t until_ns)
{
	if (s->last_ns == NOTHING_YET || until_ns - s->last_ns <= s->out->hole_b_ns - s->out->hole_a_ns)
		return;
	s->out->hole_a_ns = s->last_ns;
	s->out->hole_b_ns = until_ns;
}

static void piece(void *arg, const struct thread_piece *p)
{
	struct sweep *s = arg;
	if (s->launching) {
		note_hole(s, p->a_ns);
		s->first_ns = s->first_ns == NOTHING_YET ? p->a_ns : s->first_ns;
		s->last_ns = p->b_ns;
		s->out->recorded_ns += p->b_ns - p->a_ns;
	}
	if (p->cause != CAUSE_UNKNOWN)
		cause_share_add(&s->shares[p->cause], p->owner, p->b_ns - p->a_ns, p->trust);
}

static void own(void *arg, row_id row, enum cause cause, int64_t own_ns)
{
	struct sweep *s = arg;
	if (cause != CAUSE_UNKNOWN)
		cause_share_main(&s->shares[cause], row, own_ns);
}

static void done(void *arg, row_id row, int64_t self_ns)
{
	struct sweep *s = arg;
	if (s->launching && self_ns > s->out->largest.ns)
		s->out->largest = (struct cause_share){.ns = self_ns, .row = row, .row_ns = self_ns, .owner = row};
}

/* How many events that were. */
static uint64_t go_through(struct sweep *s, struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns)
{
	uint64_t n = 0;
	j->spare = thread_sweep_new(j->spare, j->d, track, a_ns, b_ns, s->launching,
				    &(struct thread_causes){piece, own, done, s, s->owners});
	while (thread_sweep_next(j->spare))
		n++;
	return n;
}

void thread_shares_beside(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, struct gap_evidence *out)
{
	struct sweep s = {NULL, out, out->others, false, NOTHING_YET, a_ns};
	go_through(&s, j, track, a_ns, b_ns);
}

/* ---- in blocks -------------------------------------------------------------------------------------------------------- */

/* What a thread did from one moment at which nothing but markers is open to the next such block. No event of it has a part elsewhere, so
 * that sums of blocks are those of their events. */
struct block {
	int64_t a_ns;
	int64_t first_ns, last_ns; /* NOTHING_YET: nothing was recorded in it */
	int64_t recorded_ns;
	int64_t hole_a_ns, hole_b_ns; /* the longest one between two of its events */
	row_id largest;
	int64_t largest_ns;
	uint32_t from, n; /* of `shares` */
};
struct block_share {
	struct cause_share share;
	enum cause cause;
};
/* Of a level above the first each block is made of FAN blocks below; what they leave over is in none. */
enum { FAN = 8, LEVELS = 5 };
struct blocks {
	uint64_t gone_through; /* events, before blocks were made, */
	uint32_t asked;        /* for so many questions */
	bool too_long;         /* blocks would be: most questions hold none */
	struct block *at;      /* of the first level; a last one marks the end */
	struct block *above[LEVELS - 1];
	struct block_share *shares;
	uint32_t n, cap, n_shares, cap_shares;
};
struct thread_blocks {
	struct idmap places; /* track -> place in `threads` */
	struct blocks *threads;
	uint32_t n, cap;
	uint64_t events;
};

static struct blocks *blocks_of(struct gap_judge *j, uint32_t track)
{
	struct thread_blocks *x = j->blocks ? j->blocks : (j->blocks = must(calloc(1, sizeof *x)));
	uint32_t place = *idmap_put(&x->places, track, x->n);
	if (place == x->n) {
		GROW_ARRAY(x->threads, x->n, x->cap);
		x->threads[x->n++] = (struct blocks){0};
	}
	return &x->threads[place];
}

uint64_t thread_shares_events(const struct gap_judge *j)
{
	return j->blocks ? j->blocks->events : 0;
}

void thread_blocks_free(struct thread_blocks *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; i < x->n; i++) {
		free(x->threads[i].at);
		free(x->threads[i].shares);
		for (uint32_t k = 0; k + 1 < LEVELS; k++)
			free(x->threads[i].above[k]);
	}
	free(x->threads);
	idmap_free(&x->places);
	free(x);
}

static void keep_shares(struct blocks *x, const struct gap_evidence *e)
{
	for (int i = 0; i < CAUSE_COUNT; i++) {
		if (!e->own[i].ns)
			continue;
		GROW_ARRAY(x->shares, x->n_shares, x->cap_shares);
		x->shares[x->n_shares++] = (struct block_share){e->own[i], (enum cause)i};
	}
}

static void take_share(struct cause_share *sum, const struct cause_share *s)
{
	sum->ns += s->ns;
	sum->trusted += s->trusted;
	cause_share_main(sum, s->row, s->row_ns);
	sum->run_owner = s->run_owner;
	sum->run_ns = s->run_ns;
	if (s->owner_ns > sum->owner_ns) {
		sum->owner = s->owner;
		sum->owner_ns = s->owner_ns;
	}
}

static void take_block(struct sweep *s, const struct blocks *x, const struct block *b)
{
	if (b->first_ns == NOTHING_YET)
		return;
	note_hole(s, b->first_ns);
	s->first_ns = s->first_ns == NOTHING_YET ? b->first_ns : s->first_ns;
	if (b->hole_b_ns - b->hole_a_ns > s->out->hole_b_ns - s->out->hole_a_ns) {
		s->out->hole_a_ns = b->hole_a_ns;
		s->out->hole_b_ns = b->hole_b_ns;
	}
	s->last_ns = b->last_ns;
	s->out->recorded_ns += b->recorded_ns;
	done(s, b->largest, b->largest_ns);
	for (uint32_t i = b->from; i < b->from + b->n; i++)
		take_share(&s->shares[x->shares[i].cause], &x->shares[i].share);
}

/* An empty sweep of what begins there, whose evidence is `e`. */
static struct sweep sweep_of_block(struct gap_evidence *e)
{
	gap_evidence_empty(e, 0);
	return (struct sweep){NULL, e, e->own, true, NOTHING_YET, NOTHING_YET};
}

static struct block block_of(struct blocks *x, const struct sweep *s, int64_t a_ns)
{
	const struct gap_evidence *e = s->out;
	struct block b = {.a_ns = a_ns,
			  .first_ns = s->first_ns,
			  .last_ns = s->last_ns,
			  .recorded_ns = e->recorded_ns,
			  .hole_a_ns = e->hole_a_ns,
			  .hole_b_ns = e->hole_b_ns,
			  .largest = e->largest.row,
			  .largest_ns = e->largest.ns,
			  .from = x->n_shares};
	keep_shares(x, e);
	b.n = x->n_shares - b.from;
	return b;
}

static void add_block(struct blocks *x, struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns)
{
	struct gap_evidence e;
	struct sweep s = sweep_of_block(&e);
	go_through(&s, j, track, a_ns, b_ns);
	GROW_ARRAY(x->at, x->n, x->cap);
	x->at[x->n++] = block_of(x, &s, a_ns);
}

static void make_above(struct blocks *x)
{
	const struct block *below = x->at;
	uint32_t n = x->n;
	for (uint32_t level = 0; level + 1 < LEVELS; level++, below = x->above[level - 1]) {
		n /= FAN;
		x->above[level] = must(malloc((n + (size_t)1) * sizeof **x->above));
		for (uint32_t i = 0; i < n; i++) {
			struct gap_evidence e;
			struct sweep s = sweep_of_block(&e);
			for (uint32_t k = 0; k < FAN; k++)
				take_block(&s, x, &below[i * FAN + k]);
			x->above[level][i] = block_of(x, &s, below[i * FAN].a_ns);
		}
	}
}

/* The row that begins the block after the one that `from` begins; `end` if none does. *open_ns: until when what began before is open. */
static row_id block_end(const struct derived *d, const struct track_info *k, row_id from, int64_t *open_ns)
{
	enum { LEAST = 4, MOST = 1 << 16 }; /* events of a block, and blocks of a thread */
	const struct columns *c = derived_columns(d);
	row_id end = (row_id)(k->first + k->n), least = LEAST + (row_id)(k->n / MOST);
	for (row_id r = from; r < end; r++) {
		if (r - from >= least && c->start_ns[r] > c->start_ns[r - 1] && c->start_ns[r] >= *open_ns)
			return r;
		if (c->kind[r] != KIND_PROFILE && !row_is_marker(d, r))
			*open_ns = later(*open_ns, row_end(c, r));
	}
	return end;
}

/* A block has more events than questions went through. */
static bool would_be_too_long(const struct derived *d, const struct track_info *k, const struct blocks *x)
{
	row_id end = (row_id)(k->first + k->n);
	int64_t open_ns = INT64_MIN;
	uint32_t n = 1;
	for (row_id r = (row_id)k->first; (r = block_end(d, k, r, &open_ns)) < end;)
		n++;
	return k->n / n > x->gone_through / x->asked;
}

static void make_blocks(struct blocks *x, struct gap_judge *j, uint32_t track)
{
	const struct columns *c = derived_columns(j->d);
	const struct track_info *k = trace_track(derived_trace(j->d), track);
	row_id end = (row_id)(k->first + k->n), from = (row_id)k->first;
	int64_t open_ns = INT64_MIN;
	for (row_id next; (next = block_end(j->d, k, from, &open_ns)) < end; from = next)
		add_block(x, j, track, c->start_ns[from], c->start_ns[next]);
	GROW_ARRAY(x->at, x->n, x->cap);
	x->at[x->n] = (struct block){.a_ns = from < end ? c->start_ns[from] : INT64_MAX};
	make_above(x);
}

/* The first block that begins at ts or later; the number of blocks if none does. */
static uint32_t block_from(const struct blocks *x, int64_t ts_ns)
{
	uint32_t lo = 0, hi = x->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (x->at[mid].a_ns < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of the first level [*from, to) the next ones, as many as one block holds. */
static const struct block *next_block(const struct blocks *x, uint32_t *from, uint32_t to)
{
	uint32_t level = 0, each = 1, i = *from;
	while (level + 1 < LEVELS && i % (each * FAN) == 0 && each * FAN <= to - i) {
		each *= FAN;
		level++;
	}
	*from += each;
	return level ? &x->above[level - 1][i / each] : &x->at[i];
}

static void take_blocks(struct sweep *s, const struct blocks *x, uint32_t from, uint32_t to)
{
	while (from < to)
		take_block(s, x, next_block(x, &from, to));
}

/* Those that lie in [a, b): [*from, *to) of the first level, none if *to is not after *from. */
static void blocks_within(const struct blocks *x, int64_t a_ns, int64_t b_ns, uint32_t *from, uint32_t *to)
{
	*from = *to = block_from(x, a_ns);
	if (*from < x->n && x->at[*from + 1].a_ns <= b_ns)
		*to = x->at[x->n].a_ns <= b_ns ? x->n : block_from(x, b_ns + 1) - 1;
}

/* ---- asking ----------------------------------------------------------------------------------------------------------- */

/* NULL: it is not asked about often enough, or its events do not only nest. */
static struct blocks *blocks_worth_it(struct gap_judge *j, uint32_t track)
{
	enum { SHORT = 1024 };
	const struct track_info *k = trace_track(derived_trace(j->d), track);
	if (!j->idles || k->overlaps || k->n < SHORT)
		return NULL;
	struct blocks *x = blocks_of(j, track);
	if (x->at || x->too_long || x->gone_through <= k->n)
		return x;
	x->too_long = would_be_too_long(j->d, k, x);
	if (!x->too_long)
		make_blocks(x, j, track);
	return x;
}

void thread_shares_launching(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, struct gap_evidence *out)
{
	j->owners = j->owners ? j->owners : thread_owners_new();
	struct sweep s = {j->owners, out, out->own, true, NOTHING_YET, a_ns};
	struct blocks *x = blocks_worth_it(j, track);
	uint32_t from = 0, to = 0;
	uint64_t n = 0;
	if (x && x->at)
		blocks_within(x, a_ns, b_ns, &from, &to);
	if (to > from) {
		n = go_through(&s, j, track, a_ns, x->at[from].a_ns);
		take_blocks(&s, x, from, to);
		a_ns = x->at[to].a_ns;
	}
	n += go_through(&s, j, track, a_ns, b_ns);
	note_hole(&s, b_ns);
	if (x) {
		x->gone_through += n;
		x->asked++;
		j->blocks->events += n;
	}
}

/* ---- one cause of few events ------------------------------------------------------------------------------------------- */

struct one_cause {
	enum cause cause;
	struct cause_share share;
};

static void add_if_of(void *arg, const struct thread_piece *p)
{
	struct one_cause *x = arg;
	if (p->cause == x->cause)
		cause_share_add(&x->share, p->owner, p->b_ns - p->a_ns, p->trust);
}

/* Its time and owner alone. *events: how many that were. */
static struct cause_share share_of_cause(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns,
					 enum cause cause, uint64_t *events)
{
	struct one_cause x = {cause, {.owner = NONE_ID}};
	*events = 0;
	j->owners = j->owners ? j->owners : thread_owners_new();
	j->spare = thread_sweep_new(j->spare, j->d, track, a_ns, b_ns, true,
				    &(struct thread_causes){.piece = add_if_of, .arg = &x, .owners = j->owners});
	while (thread_sweep_next(j->spare))
		++*events;
	return x.share;
}

bool thread_shares_owner_of_few(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, enum cause cause,
				row_id *owner)
{
	enum { FEW = 64 };
	const struct columns *c = derived_columns(j->d);
	const struct track_info *k = trace_track(derived_trace(j->d), track);
	row_id first = first_row_from(c, k, a_ns);
	uint64_t events;
	if (k->first + k->n - first > FEW && c->start_ns[first + FEW] < b_ns)
		return false;
	*owner = share_of_cause(j, track, a_ns, b_ns, cause, &events).owner;
	return true;
}

/* ---- who has most of a cause ------------------------------------------------------------------------------------------- */

/* Of the cause in a block; NULL: it has nothing of it. */
static const struct cause_share *share_in(const struct blocks *x, const struct block *b, enum cause cause)
{
	for (uint32_t i = b->from; i < b->from + b->n; i++)
		if (x->shares[i].cause == cause)
			return &x->shares[i].share;
	return NULL;
}

static int64_t most_at_a_stretch_ns(const struct blocks *x, uint32_t i, enum cause cause)
{
	const struct cause_share *s = share_in(x, &x->at[i], cause);
	return s ? s->owner_ns : 0;
}

/* What is asked about begins in block from - 1 and ends in block `to`, and of neither matters how long its events are: none is longer than
 * what a part of it may change its cause by. */
static bool ends_in_short_ones(const struct blocks *x, uint32_t from, uint32_t to)
{
	enum { SHORT_NS = 1000000 };
	return from && to < x->n && x->at[from].a_ns - x->at[from - 1].a_ns <= SHORT_NS &&
	       x->at[to + 1].a_ns - x->at[to].a_ns <= SHORT_NS;
}

row_id thread_shares_owner(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, enum cause cause)
{
	struct blocks *x = blocks_worth_it(j, track);
	uint32_t from, to;
	if (!x || !x->at)
		return NONE_ID;
	blocks_within(x, a_ns, b_ns, &from, &to);
	if (to <= from || !ends_in_short_ones(x, from, to))
		return NONE_ID;
	struct cause_share most = {.owner = NONE_ID};
	for (uint32_t i = from; i < to;) {
		const struct cause_share *s = share_in(x, next_block(x, &i, to), cause);
		if (s && s->owner_ns > most.owner_ns)
			most = *s;
	}
	if (most_at_a_stretch_ns(x, to, cause) > most.owner_ns)
		return NONE_ID;
	if (most_at_a_stretch_ns(x, from - 1, cause) < most.owner_ns)
		return most.owner;
	uint64_t events;
	struct cause_share before = share_of_cause(j, track, a_ns, x->at[from].a_ns, cause, &events);
	j->blocks->events += events;
	return before.owner_ns >= most.owner_ns ? before.owner : most.owner;
}
