#include "sequence.h"
#include "loose_name.h"
#include "model/analysis/maths/align.h"
#include "model/analysis/names/kernel_name.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernels of a step ----------------------------------------------------------------------------------------------------- */

struct step_kernel {
	row_id row;
	int64_t start_ns, stream_ns; /* of all its stream's */
	uint32_t track;
};
struct kernels {
	struct step_kernel *at;
	uint32_t *word; /* equal ones are equal kernels */
	uint32_t n, cap;
	uint64_t all; /* one number for all of them in their order */
};

/* Of the step that is shown. */
static bool in_step(const struct compare_side *s, row_id r)
{
	uint32_t step = derived_step_of(s->d, r);
	if (!s->stretch_steps)
		return true;
	if (step == NONE_ID)
		return false;
	const struct step *x = derived_step(s->d, step);
	return s->shown_ns >= x->start_ns && s->shown_ns < x->time_end_ns;
}

/* Device work is done after its step on the host has begun, and may be done after that has ended. */
static void window_of(const struct compare_side *s, int64_t *a_ns, int64_t *b_ns)
{
	*a_ns = s->stretch_steps ? INT64_MAX : s->stretch.a_ns;
	*b_ns = s->stretch_steps ? INT64_MIN : s->stretch.b_ns;
	for (uint32_t i = 0; s->stretch_steps && i < derived_steps(s->d); i++) {
		const struct step *x = derived_step(s->d, i);
		if (s->shown_ns < x->start_ns || s->shown_ns >= x->time_end_ns)
			continue;
		int64_t end_ns = x->members_end_ns > x->time_end_ns ? x->members_end_ns : x->time_end_ns;
		*a_ns = x->start_ns < *a_ns ? x->start_ns : *a_ns;
		*b_ns = end_ns > *b_ns ? end_ns : *b_ns;
	}
}

static void add_track(struct kernels *k, const struct compare_side *s, uint32_t track)
{
	const struct trace *t = derived_trace(s->d);
	const struct columns *c = trace_columns(t);
	int64_t a_ns, b_ns, sum_ns = 0;
	uint32_t first = k->n;
	window_of(s, &a_ns, &b_ns);
	struct event_iter it = event_iter(t, track, a_ns, b_ns, KIND_BIT(KIND_KERNEL));
	while (event_next(&it)) {
		if (!in_step(s, it.row) || (!s->stretch_steps && c->start_ns[it.row] < a_ns))
			continue;
		GROW_ARRAY(k->at, k->n, k->cap);
		k->at[k->n++] = (struct step_kernel){it.row, c->start_ns[it.row], 0, track};
		sum_ns += c->dur_ns[it.row];
	}
	for (uint32_t i = first; i < k->n; i++)
		k->at[i].stream_ns = sum_ns;
}

static int by_stream(const void *a, const void *b)
{
	const struct step_kernel *x = a, *y = b;
	if (x->stream_ns != y->stream_ns)
		return x->stream_ns < y->stream_ns ? 1 : -1;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return x->start_ns != y->start_ns ? (x->start_ns < y->start_ns ? -1 : 1)
					  : (x->row > y->row) - (x->row < y->row);
}

/* Of the first device that has any. */
static struct kernels kernels_of(const struct compare_side *s)
{
	const struct trace *t = derived_trace(s->d);
	struct kernels k = {0};
	for (uint32_t device = 0; device < trace_devices(t) && !k.n; device++)
		for (uint32_t i = 0; i < trace_tracks(t); i++)
			if (trace_track(t, i)->kind == TRACK_STREAM && trace_track(t, i)->device == device)
				add_track(&k, s, i);
	if (k.n > SEQUENCE_MOST)
		k.n = 0;
	if (k.n)
		qsort(k.at, k.n, sizeof *k.at, by_stream);
	return k;
}

static const char *name_of(const struct compare_side *s, row_id r)
{
	const struct trace *t = derived_trace(s->d);
	return trace_str(t, trace_columns(t)->name[r]);
}

/* One number for each name, read loosely. */
static void number_names(struct kernels *k, const struct compare_side *s, struct arena *mem)
{
	const struct columns *c = trace_columns(derived_trace(s->d));
	struct idmap seen = {0};
	k->word = must(malloc((k->n + (size_t)1) * sizeof *k->word));
	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t *word = idmap_put(&seen, c->name[k->at[i].row], NONE_ID);
		if (*word == NONE_ID) {
			const char *loose = loose_name(mem, name_of(s, k->at[i].row));
			uint64_t hash = idmap_hash(loose, strlen(loose), 0);
			*word = (uint32_t)(hash ^ hash >> 32) & INT32_MAX;
		}
		k->word[i] = *word;
	}
	k->all = idmap_hash(k->word, k->n * sizeof *k->word, 0);
	idmap_free(&seen);
}

/* The same one way as the other: always from the same one of the two. */
static void align_kernels(const struct kernels *a, const struct kernels *b, uint32_t *with, uint32_t *from)
{
	bool turned = a->all > b->all;
	memset(turned ? with : from, 0xff, (turned ? a->n : b->n) * sizeof *with);
	if (turned)
		align_sequences(b->word, b->n, a->word, a->n, from);
	else
		align_sequences(a->word, a->n, b->word, b->n, with);
	for (uint32_t i = 0; i < (turned ? b->n : a->n); i++) {
		if (turned && from[i] != NONE_ID)
			with[from[i]] = i;
		else if (!turned && with[i] != NONE_ID)
			from[with[i]] = i;
	}
}

/* ---- what changed between equal ones -------------------------------------------------------------------------------------------- */

/* Changes that are alike. */
struct row {
	enum sequence_change change;
	uint32_t a, a_n, b, b_n; /* kernels of the first one */
	uint32_t count;
	int64_t a_ns, b_ns;
};
struct comparing {
	const struct compare_side *a, *b;
	struct kernels ka, kb;
	uint32_t *with, *from; /* of A's kernels those of B, and the other way round */
	struct row *rows;
	uint32_t n, cap, same;
	struct idmap known;
};

static int64_t sum_of(const struct compare_side *s, const struct kernels *k, uint32_t from, uint32_t n)
{
	const struct columns *c = trace_columns(derived_trace(s->d));
	int64_t ns = 0;
	for (uint32_t i = from; i < from + n; i++)
		ns += c->dur_ns[k->at[i].row];
	return ns;
}

static enum sequence_change change_of(uint32_t n, uint32_t m)
{
	return !m                 ? SEQUENCE_REMOVED
	       : !n               ? SEQUENCE_INSERTED
	       : n == 1 && m == 1 ? SEQUENCE_REPLACED
	       : m == 1           ? SEQUENCE_FUSED
	       : n == 1           ? SEQUENCE_SPLIT
				  : SEQUENCE_REWRITTEN;
}

static void add(struct comparing *x, uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
	uint64_t key = idmap_hash(x->ka.word + a, n * sizeof *x->ka.word, n);
	key = idmap_hash(x->kb.word + b, m * sizeof *x->kb.word, key);
	uint32_t *at = idmap_put(&x->known, key, x->n);
	if (*at == x->n) {
		GROW_ARRAY(x->rows, x->n, x->cap);
		x->rows[x->n++] = (struct row){change_of(n, m), a, n, b, m, 0, 0, 0};
	}
	struct row *row = &x->rows[*at];
	row->count++;
	row->a_ns += sum_of(x->a, &x->ka, a, n);
	row->b_ns += sum_of(x->b, &x->kb, b, m);
}

/* As many on both sides: each for the one in its place. */
static void add_block(struct comparing *x, uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
	if (n == m)
		for (uint32_t i = 0; i < n; i++)
			add(x, a + i, 1, b + i, 1);
	else if (!n || !m)
		for (uint32_t i = 0; i < n + m; i++)
			add(x, a + (n ? i : 0), n ? 1 : 0, b + (m ? i : 0), m ? 1 : 0);
	else
		add(x, a, n, b, m);
}

/* Kernels that are gone here and new there have changed places only: they stand for each other, without being in order. */
static void find_moved(struct comparing *x)
{
	struct idmap left = {0}; /* the next one of a word that is left in B */
	uint32_t *next = must(malloc((x->kb.n + (size_t)1) * sizeof *next));
	for (uint32_t j = x->kb.n; j-- > 0;) {
		if (x->from[j] != NONE_ID)
			continue;
		uint32_t *head = idmap_put(&left, x->kb.word[j], NONE_ID);
		next[j] = *head;
		*head = j;
	}
	for (uint32_t i = 0; i < x->ka.n; i++) {
		uint32_t *head = x->with[i] == NONE_ID ? idmap_put(&left, x->ka.word[i], NONE_ID) : NULL;
		if (!head || *head == NONE_ID)
			continue;
		x->from[*head] = i;
		x->with[i] = *head;
		*head = next[*head];
	}
	idmap_free(&left);
	free(next);
}

/* Blocks between kernels that are in order; those that moved are in none. */
static void find_changes(struct comparing *x, const uint32_t *in_order)
{
	uint32_t i = 0, j = 0;
	while (i < x->ka.n || j < x->kb.n) {
		uint32_t a = i, b = j;
		while (i < x->ka.n && x->with[i] == NONE_ID)
			i++;
		while (j < x->kb.n && x->from[j] == NONE_ID)
			j++;
		if (i > a || j > b)
			add_block(x, a, i - a, b, j - b);
		if (i < x->ka.n && in_order[i] == NONE_ID) { /* moved away from here */
			i++;
		} else if (j < x->kb.n && (i == x->ka.n || in_order[i] != j)) { /* moved to here */
			j++;
		} else if (i < x->ka.n) {
			i++;
			j++;
		}
	}
}

static void compare_kernels(struct comparing *x, struct arena *mem)
{
	number_names(&x->ka, x->a, mem);
	number_names(&x->kb, x->b, mem);
	x->with = must(malloc((x->ka.n + (size_t)1) * sizeof *x->with));
	x->from = must(malloc((x->kb.n + (size_t)1) * sizeof *x->from));
	align_kernels(&x->ka, &x->kb, x->with, x->from);
	uint32_t *in_order = must(malloc((x->ka.n + (size_t)1) * sizeof *in_order));
	memcpy(in_order, x->with, x->ka.n * sizeof *in_order);
	find_moved(x);
	for (uint32_t i = 0; i < x->ka.n; i++)
		x->same += x->with[i] != NONE_ID;
	find_changes(x, in_order);
	free(in_order);
}

/* ---- the table ------------------------------------------------------------------------------------------------------------------- */

static const char *names_of(const struct compare_side *s, const struct kernels *k, uint32_t from, uint32_t n,
			    struct arena *mem)
{
	enum { NAMES_MOST = 12 };
	const char *text = NULL;
	for (uint32_t i = 0; i < n && i < NAMES_MOST; i++) {
		const char *name = kernel_name_short(mem, name_of(s, k->at[from + i].row));
		text = text ? arena_printf(mem, "%s + %s", text, name) : name;
	}
	return n > NAMES_MOST ? arena_printf(mem, "%s + %u more", text, (unsigned)(n - NAMES_MOST)) : text;
}

static void place(struct compare_place *to, int side, const struct kernels *k, uint32_t at, uint32_t n)
{
	to->event[side] = n ? k->at[at].row : NONE_ID;
	to->at_ns[side] = n ? k->at[at].start_ns : UNKNOWN_I64;
}

static int by_change(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int64_t cx = llabs(x->b_ns - x->a_ns), cy = llabs(y->b_ns - y->a_ns);
	if (cx != cy)
		return cx < cy ? 1 : -1;
	return x->a != y->a ? (x->a > y->a ? 1 : -1) : (x->b > y->b) - (x->b < y->b);
}

static void add_row(const struct comparing *x, const struct row *r, struct arena *mem, struct sequence *out)
{
	static const char *const words[] = {
		[SEQUENCE_REMOVED] = "removed", [SEQUENCE_INSERTED] = "inserted", [SEQUENCE_REPLACED] = "replaced",
		[SEQUENCE_FUSED] = "fused",     [SEQUENCE_SPLIT] = "split",       [SEQUENCE_REWRITTEN] = "rewritten"};
	struct compare_place *to = &out->places[out->changes->n_rows];
	struct cell *row = table_row(out->changes);
	cell_text(&row[SEQUENCE_CHANGE], words[r->change]);
	cell_text(&row[SEQUENCE_KERNELS_A], names_of(x->a, &x->ka, r->a, r->a_n, mem));
	cell_text(&row[SEQUENCE_KERNELS_B], names_of(x->b, &x->kb, r->b, r->b_n, mem));
	cell_int(&row[SEQUENCE_COUNT], r->count);
	cell_int(&row[SEQUENCE_N_A], r->a_n);
	cell_int(&row[SEQUENCE_N_B], r->b_n);
	cell_int(&row[SEQUENCE_A_NS], r->a_ns);
	cell_int(&row[SEQUENCE_B_NS], r->b_ns);
	cell_int(&row[SEQUENCE_CHANGE_NS], r->b_ns - r->a_ns);
	place(to, 0, &x->ka, r->a, r->a_n);
	place(to, 1, &x->kb, r->b, r->b_n);
	if (r->change == SEQUENCE_REPLACED)
		out->replaced[out->n_replaced++] =
			(struct match_pair){name_of(x->a, x->ka.at[r->a].row), name_of(x->b, x->kb.at[r->b].row)};
}

static void make_table(struct comparing *x, struct arena *mem, struct sequence *out)
{
	static const struct column cols[SEQUENCE_COLUMNS] = {
		{"change", CELL_TEXT, UNIT_NONE,
		 "what happened to the kernels at this place of the step: removed, inserted, replaced (one by one), "
		 "fused (n to 1), split (1 to n), rewritten (n to m)"},
		{"kernels_a", CELL_TEXT, UNIT_NONE, "the kernels before, in their order"},
		{"kernels_b", CELL_TEXT, UNIT_NONE, "the kernels after, in their order"},
		{"count", CELL_INT, UNIT_COUNT, "how often that happens in the step"},
		{"n_a", CELL_INT, UNIT_COUNT, "kernels at each of these places, before"},
		{"n_b", CELL_INT, UNIT_COUNT, "the same, after"},
		{"total_a_ns", CELL_INT, UNIT_NS, "their time in that step, before"},
		{"total_b_ns", CELL_INT, UNIT_NS, "the same, after"},
		{"total_change_ns", CELL_INT, UNIT_NS, "after less before"}};
	out->changes = table_bare(mem, "kernel_sequence", "Kernels of one step in their order", cols, SEQUENCE_COLUMNS);
	out->places = arena_alloc(mem, (x->n + (size_t)1) * sizeof *out->places);
	out->replaced = arena_alloc(mem, (x->n + (size_t)1) * sizeof *out->replaced);
	if (x->n)
		qsort(x->rows, x->n, sizeof *x->rows, by_change);
	for (uint32_t i = 0; i < x->n; i++)
		add_row(x, &x->rows[i], mem, out);
	out->n_a = x->ka.n;
	out->n_b = x->kb.n;
	out->n_same = x->same;
}

bool compare_sequences(const struct compare_side *a, const struct compare_side *b, struct arena *mem,
		       struct progress *p, struct sequence *out, struct err *e)
{
	struct comparing x = {.a = a, .b = b};
	*out = (struct sequence){0};
	if (progress_cancelled(p))
		return err_usage(e, "cancelled");
	x.ka = kernels_of(a);
	x.kb = kernels_of(b);
	if (x.ka.n && x.kb.n)
		compare_kernels(&x, mem);
	make_table(&x, mem, out);
	free(x.ka.at);
	free(x.kb.at);
	free(x.ka.word);
	free(x.kb.word);
	free(x.with);
	free(x.from);
	free(x.rows);
	idmap_free(&x.known);
	return true;
}
