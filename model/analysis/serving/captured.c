#include "captured_private.h"
#include "model/analysis/maths/align.h"
#include "model/analysis/names/launch_names.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_NAME = UINT32_MAX - 1 };

/* One launch of a graph, and the work it replays. */
struct replay {
	const row_id *work;
	uint32_t n;
	uint32_t *
		with; /* of each piece of work the captured launch, UINT32_MAX = none; shared by launches that replay the same */
	uint8_t *match; /* enum replay_match */
};
struct matching {
	struct trace *t;
	const struct trace *capture;
	struct captured_launches captured;
	uint32_t *tokens; /* of each captured launch: its name as a text of t, or its kind */
	struct replay *at;
	uint32_t n;
	struct idmap known;           /* hash of what is replayed, place + 1 in `at` */
	struct replayed_name *around; /* of each captured launch; op NULL: not asked yet */
	struct arena mem;
};

/* ---- tokens ----------------------------------------------------------------------------------------------------------- */

/* Names are texts of t; copies and memsets are called differently by the runtime and the device. */
static uint32_t token_of_kind(enum event_kind kind)
{
	return NO_NAME - 1 - (uint32_t)kind;
}

static uint32_t token_of_work(const struct matching *m, row_id r)
{
	const struct columns *c = trace_columns(m->t);
	return c->kind[r] == KIND_KERNEL ? c->name[r] : token_of_kind((enum event_kind)c->kind[r]);
}

static void make_tokens(struct matching *m)
{
	const struct captured_launches *v = &m->captured;
	m->tokens = arena_alloc(&m->mem, (v->n + (size_t)1) * sizeof *m->tokens);
	for (uint32_t i = 0; i < v->n; i++) {
		const char *name = v->at[i].kernel;
		str_id id = name ? strings_find(trace_strings(m->t), name, strlen(name)) : 0;
		m->tokens[i] = v->at[i].kind != KIND_KERNEL ? token_of_kind(v->at[i].kind) : id ? id : NO_NAME;
	}
}

static bool capture_names_kernels(const struct matching *m)
{
	for (uint32_t i = 0; i < m->captured.n; i++)
		if (m->captured.at[i].kernel)
			return true;
	return false;
}

/* ---- the piece that a graph was captured as ---------------------------------------------------------------------------- */

/* How many of the graph's tokens the piece has, each as often as both have it. */
static uint32_t in_common(const struct matching *m, const struct replay *x, const struct captured_piece *p)
{
	struct idmap left = {0};
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->n; i++)
		++*idmap_put(&left, m->tokens[p->first + i], 0);
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t token = token_of_work(m, x->work[i]), have = idmap_get(&left, token);
		if (have == UINT32_MAX || !have)
			continue;
		--*idmap_put(&left, token, 0);
		n++;
	}
	idmap_free(&left);
	return n;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* Most in common; of those the one whose length is nearest. */
static const struct captured_piece *best_piece(const struct matching *m, const struct replay *x)
{
	const struct captured_piece *best = NULL;
	uint32_t most = 0;
	for (uint32_t i = 0; i < m->captured.n_pieces; i++) {
		const struct captured_piece *p = &m->captured.pieces[i];
		uint32_t n = in_common(m, x, p);
		if (n > most || (n && n == most && apart(p->n, x->n) < apart(best->n, x->n))) {
			most = n;
			best = p;
		}
	}
	return best;
}

static bool same_kinds(const struct matching *m, const struct replay *x, const struct captured_piece *p)
{
	for (uint32_t i = 0; i < x->n && p->n == x->n; i++)
		if (m->captured.at[p->first + i].kind != (enum event_kind)trace_columns(m->t)->kind[x->work[i]])
			return false;
	return p->n == x->n;
}

/* The only piece with launches of the same sorts in the same order; NULL where none or several are. */
static const struct captured_piece *piece_alike(const struct matching *m, const struct replay *x)
{
	const struct captured_piece *found = NULL;
	for (uint32_t i = 0; i < m->captured.n_pieces; i++) {
		if (!same_kinds(m, x, &m->captured.pieces[i]))
			continue;
		if (found)
			return NULL;
		found = &m->captured.pieces[i];
	}
	return found;
}

/* ---- which launch each kernel was -------------------------------------------------------------------------------------- */

/* Work [a, b) lies between two that were found, or the graph's ends: as many launches of the same sorts lie between theirs. */
static void match_between(const struct matching *m, struct replay *x, const struct captured_piece *p, uint32_t a,
			  uint32_t b)
{
	uint32_t from = a ? x->with[a - 1] + 1 : p->first, to = b < x->n ? x->with[b] : p->first + p->n;
	if (to - from != b - a)
		return;
	for (uint32_t i = a; i < b; i++)
		if (m->captured.at[from + i - a].kind != (enum event_kind)trace_columns(m->t)->kind[x->work[i]])
			return;
	for (uint32_t i = a; i < b; i++) {
		x->with[i] = from + i - a;
		x->match[i] = REPLAY_BY_PLACE;
	}
}

static void match_names(const struct matching *m, struct replay *x, const struct captured_piece *p)
{
	uint32_t *names = must(malloc((x->n + (size_t)1) * sizeof *names));
	for (uint32_t i = 0; i < x->n; i++)
		names[i] = token_of_work(m, x->work[i]);
	align_sequences(names, x->n, m->tokens + p->first, p->n, x->with);
	free(names);
	for (uint32_t i = 0; i < x->n; i++) {
		x->match[i] = x->with[i] == UINT32_MAX ? REPLAY_UNMATCHED : REPLAY_BY_NAME;
		x->with[i] += x->match[i] ? p->first : 0;
	}
	for (uint32_t i = 0, next; i < x->n; i = next + 1) {
		for (next = i; next < x->n && x->match[next] == REPLAY_UNMATCHED;)
			next++;
		if (next > i)
			match_between(m, x, p, i, next);
	}
}

static void match_replay(const struct matching *m, struct replay *x)
{
	bool named = capture_names_kernels(m);
	const struct captured_piece *p = named ? best_piece(m, x) : piece_alike(m, x);
	for (uint32_t i = 0; i < x->n; i++)
		x->with[i] = UINT32_MAX;
	if (p && named)
		match_names(m, x, p);
	else if (p)
		match_between(m, x, p, 0, x->n);
}

/* ---- all launches of graphs -------------------------------------------------------------------------------------------- */

static bool replays_the_same(const struct matching *m, const struct replay *a, const row_id *work, uint32_t n)
{
	for (uint32_t i = 0; i < n && a->n == n; i++)
		if (token_of_work(m, a->work[i]) != token_of_work(m, work[i]))
			return false;
	return a->n == n;
}

static uint64_t hash_of(const struct matching *m, const row_id *work, uint32_t n)
{
	uint64_t h = n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t token = token_of_work(m, work[i]);
		h = idmap_hash(&token, sizeof token, h);
	}
	return h;
}

/* What one launch taught holds for all that replay the same. */
static void add_launch(struct matching *m, row_id launch)
{
	struct replay x = {0};
	x.n = trace_launched(m->t, launch, &x.work);
	m->at = arena_next_row(&m->mem, m->at, m->n, sizeof *m->at);
	for (uint64_t h = hash_of(m, x.work, x.n);; h++) {
		uint32_t i = *idmap_put(&m->known, h, m->n);
		if (i == m->n)
			break;
		if (!replays_the_same(m, &m->at[i], x.work, x.n))
			continue;
		x.with = m->at[i].with;
		x.match = m->at[i].match;
		m->at[m->n++] = x;
		return;
	}
	x.with = arena_alloc(&m->mem, (x.n + (size_t)1) * sizeof *x.with);
	x.match = arena_alloc(&m->mem, x.n + (size_t)1);
	match_replay(m, &x);
	m->at[m->n++] = x;
}

static void find_replays(struct matching *m)
{
	const struct columns *c = trace_columns(m->t);
	for (uint64_t r = 0; r < c->n; r++)
		if (c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID && launch_is_graph(trace_str(m->t, c->name[r])))
			add_launch(m, (row_id)r);
}

/* ---- names ------------------------------------------------------------------------------------------------------------- */

static int by_row(const void *a, const void *b)
{
	const struct replayed_name *x = a, *y = b;
	return x->row < y->row ? -1 : x->row > y->row;
}

static struct replayed_name name_of(struct matching *m, const struct replay *x, uint32_t i)
{
	struct replayed_name name = {.op = "", .op_type = "", .module = "", .stack = ""};
	if (x->with[i] != UINT32_MAX) {
		struct replayed_name *known = &m->around[x->with[i]];
		if (!known->op)
			*known = captured_around(m->capture, m->captured.at[x->with[i]].row, false, &m->mem);
		name = *known;
	}
	name.row = x->work[i];
	name.match = (enum replay_match)x->match[i];
	return name;
}

static void count(struct captured_counts *out, enum replay_match match)
{
	out->work++;
	out->by_name += match == REPLAY_BY_NAME;
	out->by_place += match == REPLAY_BY_PLACE;
	out->unmatched += match == REPLAY_UNMATCHED;
}

static void give_names(struct matching *m, struct captured_counts *out)
{
	uint32_t n = 0, all = 0;
	for (uint32_t i = 0; i < m->n; i++)
		all += m->at[i].n;
	struct replayed_name *names = must(malloc((all + (size_t)1) * sizeof *names));
	m->around = arena_alloc(&m->mem, (m->captured.n + (size_t)1) * sizeof *m->around);
	for (uint32_t i = 0; i < m->n; i++)
		for (uint32_t k = 0; k < m->at[i].n; k++) {
			count(out, (enum replay_match)m->at[i].match[k]);
			names[n++] = name_of(m, &m->at[i], k);
		}
	qsort(names, n, sizeof *names, by_row);
	trace_name_replayed(m->t, names, n);
	free(names);
}

bool captured_name(struct trace *t, const struct trace *capture, struct captured_counts *out, struct err *e)
{
	struct matching m = {.t = t, .capture = capture};
	captured_launches_find(capture, &m.captured, &m.mem);
	make_tokens(&m);
	if (m.captured.n)
		find_replays(&m);
	*out = (struct captured_counts){.graphs = m.n};
	if (m.n)
		give_names(&m, out);
	bool found = m.captured.n && m.n, launches = m.captured.n != 0;
	idmap_free(&m.known);
	arena_free(&m.mem);
	return found ||
	       err_usage(e, launches ? "the trace launches no graph that a capture could name"
				     : "the capture holds no launch that was captured: each of its launches ran");
}

/* ---- a pair among open files -------------------------------------------------------------------------------------------- */

enum { CAPTURE_LEAST = 16 };

struct source_use {
	uint32_t captured, ran, graphs;
};

static void look_at_source(const struct trace *t, row_id r, struct source_use *x)
{
	const char *call = trace_str(t, trace_columns(t)->name[r]);
	bool ran = trace_columns(t)->link[r] != NONE_ID;
	if (launch_is_graph(call))
		x->graphs += ran;
	else if (launch_starts(call) == LAUNCHES_KERNEL)
		*(ran ? &x->ran : &x->captured) += 1;
}

/* Nearly all kernels that one launches were captured, and it replays nothing; the other replays. */
static bool choose(const struct source_use *use, uint32_t n, struct captured_pair *out)
{
	*out = (struct captured_pair){NONE_ID, NONE_ID};
	for (uint32_t i = 0; i < n; i++) {
		bool captures = use[i].captured >= CAPTURE_LEAST && use[i].captured > 8 * use[i].ran && !use[i].graphs;
		uint32_t *place = captures ? &out->capture : use[i].graphs ? &out->execution : NULL;
		if (place && *place != NONE_ID)
			return false;
		if (place)
			*place = i;
	}
	return out->capture != NONE_ID && out->execution != NONE_ID;
}

bool captured_pair_find(const struct trace *t, struct captured_pair *out)
{
	uint32_t n = trace_sources(t);
	if (n != 2)
		return false;
	struct source_use use[2] = {{0}};
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		uint32_t source = trace_host(t, k->host)->source;
		for (uint64_t r = k->first; k->kind == TRACK_THREAD && source < n && r < k->first + k->n; r++)
			if (trace_columns(t)->kind[r] == KIND_RUNTIME)
				look_at_source(t, (row_id)r, &use[source]);
	}
	return choose(use, n, out);
}
