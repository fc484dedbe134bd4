/* Repetition in a sequence of names; the method stands in period.h. */
#include "period.h"
#include "median.h"
#include "order.h"
#include "period_parts.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 24, FEW_TOKENS = 6 };

/* A number of steps that names vote for. */
struct candidate {
	uint32_t count, votes;
	uint32_t anchor; /* the name to cut at: by sign, else the first to come */
	struct parts_quality q;
};
struct search {
	struct sequence s;
	uint8_t *even;         /* per name: comes back at even distances */
	struct candidate *all; /* by count */
	uint32_t n;
};

/* ---- who votes for how many steps ---------------------------------------------------------------------------------------- */

/* Three quarters of the distances within an eighth (or two tokens) of their median. `room`: for count - 1 distances. */
static bool comes_evenly(const struct sequence *s, uint32_t name, uint32_t *room)
{
	const uint32_t *at = s->pos + s->from[name];
	uint32_t count = s->from[name + 1] - s->from[name], n = 0, near = 0;
	if (count < 2)
		return false;
	for (uint32_t i = 1; i < count; i++)
		room[n++] = at[i] - at[i - 1];
	qsort(room, n, sizeof *room, u32_order);
	/* median of the distances: a step that is missing or twice as long changes little */
	uint32_t median = room[n / 2], slack = median / 8 > 2 ? median / 8 : 2;
	for (uint32_t i = 0; i < n; i++)
		near += room[i] + slack >= median && room[i] <= median + slack;
	return median > 1 && near * 4 >= n * 3;
}

static uint8_t sign_of(const struct sequence *s, uint32_t name)
{
	return s->sign[s->pos[s->from[name]]];
}

static bool better_anchor(const struct sequence *s, uint32_t name, uint32_t than)
{
	uint8_t a = sign_of(s, name), b = sign_of(s, than);
	bool strong_a = a >= SIGN_BEGIN, strong_b = b >= SIGN_BEGIN;
	if (strong_a != strong_b)
		return strong_a;
	if (strong_a && a != b)
		return a == SIGN_BEGIN;
	return s->pos[s->from[name]] < s->pos[s->from[than]];
}

static struct candidate *candidate_of(struct search *f, uint32_t count)
{
	uint32_t lo = 0, hi = f->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (f->all[mid].count < count)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &f->all[lo];
}

/* One candidate per number of occurrences that an even name has. */
static void list_counts(struct search *f, const uint32_t *counts, uint32_t n)
{
	f->all = must(calloc(n + 1u, sizeof *f->all));
	for (uint32_t i = 0; i < n; i++)
		if (!i || counts[i] != counts[i - 1])
			f->all[f->n++] = (struct candidate){.count = counts[i], .anchor = UINT32_MAX};
}

static void count_votes(struct search *f)
{
	const struct sequence *s = &f->s;
	uint32_t n = 0, *counts = malloc((s->n_names + 1u) * sizeof *counts);
	uint32_t *room = malloc((s->n + 1u) * sizeof *room);
	f->even = calloc(s->n_names + 1u, 1);
	if (!counts || !room || !f->even)
		memory_exhausted();
	for (uint32_t i = 0; i < s->n_names; i++)
		if ((f->even[i] = comes_evenly(s, i, room)))
			counts[n++] = s->from[i + 1] - s->from[i];
	qsort(counts, n, sizeof *counts, u32_order);
	list_counts(f, counts, n);
	for (uint32_t i = 0; i < s->n_names; i++) {
		struct candidate *c = f->even[i] ? candidate_of(f, s->from[i + 1] - s->from[i]) : NULL;
		if (!c)
			continue;
		c->votes++;
		if (c->anchor == UINT32_MAX || better_anchor(s, i, c->anchor))
			c->anchor = i;
	}
	free(counts);
	free(room);
}

static int by_votes(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	return a->votes != b->votes ? (a->votes > b->votes ? -1 : 1) : (a->count > b->count) - (a->count < b->count);
}

/* ---- the one that holds ------------------------------------------------------------------------------------------------- */

static uint8_t strong_sign(const struct search *f, const struct candidate *c)
{
	uint8_t sign = sign_of(&f->s, c->anchor);
	return sign >= SIGN_BEGIN ? sign : SIGN_NONE;
}

static void check(struct search *f)
{
	qsort(f->all, f->n, sizeof *f->all, by_votes);
	for (uint32_t i = 0; i < f->n; i++)
		if (i < MAX_CANDIDATES || strong_sign(f, &f->all[i]))
			f->all[i].q = parts_check(&f->s, f->all[i].anchor);
}

/* Signs that say "step" by themselves: the data loader's batches, then the optimizer. */
static const struct candidate *by_strong_sign(const struct search *f, uint8_t sign)
{
	const struct candidate *best = NULL;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct candidate *c = &f->all[i];
		if (strong_sign(f, c) == sign && c->q.alike && (!best || c->q.regularity > best->q.regularity))
			best = c;
	}
	return best;
}

/* Work alone must be more alike than work between signs that say "step". */
static bool eligible(const struct candidate *c, bool with_signs)
{
	if (!c->q.alike || c->q.regularity < 0.8 || (with_signs && !c->q.signs))
		return false;
	/* two parts may be alike by accident */
	return with_signs || (!c->q.strange_edges && (c->count > 2 || c->q.regularity > 0.95));
}

/* Few voters beside many are an accident, like a report every ten steps. */
static const struct candidate *by_votes_of(const struct search *f, bool with_signs)
{
	const struct candidate *best = NULL;
	uint32_t most = 0;
	for (uint32_t i = 0; i < f->n; i++)
		if (eligible(&f->all[i], with_signs) && f->all[i].votes > most)
			most = f->all[i].votes;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct candidate *c = &f->all[i];
		if (!eligible(c, with_signs) || c->votes * 4 < most)
			continue;
		/* layers repeat inside of a step: of work alone the coarsest repetition is taken; with signs in every part the finest, which
		 * is no part of a step any more */
		if (!best || (with_signs ? c->count > best->count : c->count < best->count))
			best = c;
	}
	return best;
}

/* ---- where a step begins ------------------------------------------------------------------------------------------------ */

/* Median of the time before the name's tokens. */
static int64_t pause_before(const struct sequence *s, uint32_t name, int64_t *room)
{
	uint32_t n = 0;
	for (uint32_t i = s->from[name]; i < s->from[name + 1]; i++)
		if (s->pos[i])
			room[n++] = s->at_ns[s->pos[i]] - s->at_ns[s->pos[i] - 1];
	if (!n)
		return 0;
	return upper_median(room, n);
}

/* The trace is made of whole steps that begin with this name. */
static bool begins_the_trace(const struct sequence *s, uint32_t name)
{
	uint32_t first = s->pos[s->from[name]], last = s->pos[s->from[name + 1] - 1];
	uint32_t count = s->from[name + 1] - s->from[name], length = (last - first) / (count - 1);
	uint32_t tail = s->n - last, slack = length / 10;
	return first <= length / 50 && tail + slack >= length && tail <= length + slack;
}

/* As often, but for one at an edge, and as evenly. */
static bool cuts_as_well(const struct search *f, const struct candidate *c, uint32_t name)
{
	if (name >= f->s.n_names || !f->even[name])
		return false;
	uint32_t count = f->s.from[name + 1] - f->s.from[name];
	return count + 1 >= c->count && count <= c->count + 1 && parts_check(&f->s, name).alike;
}

static uint32_t cut_name(const struct search *f, const struct candidate *c, uint32_t like)
{
	const struct sequence *s = &f->s;
	if (cuts_as_well(f, c, like))
		return like;
	if (strong_sign(f, c) || begins_the_trace(s, c->anchor))
		return c->anchor;
	uint32_t best = c->anchor;
	int64_t longest_ns = -1, *room = must(malloc((c->count + 1u) * sizeof *room));
	for (uint32_t i = 0; i < s->n_names; i++) {
		if (!f->even[i] || s->from[i + 1] - s->from[i] != c->count)
			continue;
		int64_t pause_ns = pause_before(s, i, room);
		if (pause_ns > longest_ns && parts_check(s, i).alike) {
			longest_ns = pause_ns;
			best = i;
		}
	}
	free(room);
	return best;
}

/* How often the sign comes at its most frequent name: batches that the optimizer waits for are parts of a step. */
static uint32_t most_of_sign(const struct sequence *s, uint8_t sign)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < s->n_names; i++) {
		uint32_t count = s->from[i + 1] - s->from[i];
		if (count > most && sign_of(s, i) == sign)
			most = count;
	}
	return most;
}

/* Gradients are gathered over batches: the optimizer follows two of them or more each time. */
static bool gathers(const struct search *f, const struct candidate *batches, const struct candidate *optimizer)
{
	return optimizer && optimizer->count > 1 && most_of_sign(&f->s, SIGN_END) == optimizer->count &&
	       optimizer->count * 2 <= batches->count + 1;
}

static const struct candidate *choose(const struct search *f, const char **why)
{
	const struct candidate *batches = by_strong_sign(f, SIGN_BEGIN), *optimizer = by_strong_sign(f, SIGN_END), *c;
	*why = "the data loader's batches";
	if (batches && !gathers(f, batches, optimizer))
		return batches;
	*why = "the optimizer's steps";
	if (optimizer)
		return optimizer;
	*why = "repeating work with copies or graph launches in it";
	if ((c = by_votes_of(f, true)))
		return c;
	*why = "repeating work";
	if ((c = by_votes_of(f, false)))
		return c;
	*why = "no sequence of work repeats over the whole trace";
	return NULL;
}

bool period_find(const struct token *tokens, uint32_t n, uint32_t n_names, uint32_t like, struct period *out)
{
	*out = (struct period){.why = "too little work to see a repetition", .too_few = n < FEW_TOKENS};
	if (out->too_few)
		return false;
	struct search f = {0};
	sequence_make(&f.s, tokens, n, n_names);
	count_votes(&f);
	check(&f);
	const struct candidate *c = choose(&f, &out->why);
	if (c) {
		out->name = cut_name(&f, c, like);
		out->told = strong_sign(&f, c) != SIGN_NONE;
		parts_cut(&f.s, out->name, out);
	}
	sequence_free(&f.s);
	free(f.even);
	free(f.all);
	return c != NULL;
}
