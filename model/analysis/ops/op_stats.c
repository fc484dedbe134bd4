#include "op_stats.h"
#include "op_parts.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/query/halves.h"
#include "model/store/base/both.h"
#include "model/store/base/spans.h"
#include <stdlib.h>

void op_sides_grow(struct op_pass *p, uint32_t i)
{
	struct op_stats *s = p->out;
	if (i >= s->n) {
		uint32_t n = i + 1 > s->n * 2 ? i + 64 : s->n * 2;
		s->at = arena_grow(p->mem, s->at, s->n * sizeof *s->at, n * sizeof *s->at);
		for (; s->n < n; s->n++)
			s->at[s->n].side[OP_HOST].longest = s->at[s->n].side[OP_DEVICE].longest = NONE_ID;
	}
}

uint32_t op_cell_of_event(struct op_pass *p, uint32_t op, row_id by, row_id work)
{
	uint32_t key = work == NONE_ID ? NO_KEY : op_key_of_work(&p->keys, work);
	if (key == NO_KEY)
		key = op_key_of_event(&p->keys, by);
	uint32_t cell = *idmap_put(&p->cells, (uint64_t)op << 32 | key, p->cells.n);
	op_sides_grow(p, cell);
	p->out->at[cell].op = op;
	p->out->at[cell].key = key;
	return cell;
}

static void nothing_runs_here(struct op_side *x)
{
	x->placed = x->leaf_ns = x->counted = x->counted_ns = 0;
}

/* An op that has run on a device by name runs there, although the host has an event for it, too. */
static void settle_placement(struct op_pass *p, struct op_stat *s)
{
	s->side[OP_DEVICE].placed = s->side[OP_DEVICE].occurrences;
	if (p->index.xprof) {
		s->side[OP_HOST].placed = s->side[OP_HOST].occurrences;
		s->side[OP_HOST].leaf_ns = s->side[OP_HOST].self_ns;
	} else if (p->index.torch ? op_only_describes(s->name) : s->side[OP_DEVICE].pieces > 0) {
		nothing_runs_here(&s->side[OP_HOST]);
	}
}

static void settle(struct op_pass *p)
{
	struct op_stats *out = p->out;
	uint32_t n = p->split ? p->cells.n : p->index.n;
	if (n)
		op_sides_grow(p, n - 1);
	out->n = n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t op = p->split ? out->at[i].op : i;
		out->at[i].op = op;
		out->at[i].name = p->index.at[op].name;
		out->at[i].type = p->index.at[op].type;
		out->at[i].lack = p->index.at[op].lack;
		settle_placement(p, &out->at[i]);
		if (!p->index.xprof)
			out->self_ns[OP_HOST] += out->at[i].side[OP_HOST].self_ns;
	}
}

/* ---- the threads, read by two where there are many rows ---------------------------------------------------------- */

/* What the second one meets it numbers itself, adds up and keeps on its own. */
struct second_pass {
	READER_APART struct op_pass p;
	struct op_stats out;
	struct arena mem;
};
struct host_passes {
	struct halves h;
	struct op_pass *first;
	struct second_pass *second;
};

static void pass_begin(struct op_pass *p, enum op_by by)
{
	*p->out = (struct op_stats){0};
	op_index_init(&p->index, p->d, p->mem);
	op_eager_init(&p->eager, p->d, p->index.torch);
	p->steps = counted_steps(p->d, p->q);
	p->last_step = NONE_ID;
	op_keys_init(&p->keys, p->d, by, p->mem);
	p->split = !op_by_is_of_op(by, p->index.torch);
}

static void pass_end(struct op_pass *p)
{
	op_eager_free(&p->eager);
	op_index_free(&p->index);
	op_keys_free(&p->keys);
	idmap_free(&p->cells);
}

/* What the device's pass reads of kernels may have to be unpacked first, which the host's can do without. A window needs little of it. */
static bool fetch_kernels(void *pass)
{
	const struct op_pass *p = pass;
	const void *rows;
	if (!p->q->windowed && trace_kernels_may_tell_texts(derived_trace(p->d)))
		trace_side_rows(derived_trace(p->d), SIDE_KERNELS, &rows);
	return true;
}

static bool read_first(void *ctx)
{
	const struct host_passes *x = ctx;
	op_host_pass(x->first, 0, x->h.middle);
	return true;
}

static bool read_second(void *ctx)
{
	const struct host_passes *x = ctx;
	fetch_kernels(x->first);
	if (halves_two(&x->h))
		op_host_pass(&x->second->p, x->h.middle, x->h.end);
	return true;
}

static void add_side(struct op_side *to, const struct op_side *from)
{
	to->occurrences += from->occurrences;
	to->total_ns += from->total_ns;
	to->self_ns += from->self_ns;
	to->eager_ns += from->eager_ns;
	to->known_ns += from->known_ns;
	to->placed += from->placed;
	to->leaf_ns += from->leaf_ns;
	to->counted += from->counted;
	to->counted_ns += from->counted_ns;
	to->pieces += from->pieces;
	to->eager |= from->eager;
	if (from->longest != NONE_ID && (to->longest == NONE_ID || from->longest_ns > to->longest_ns)) {
		to->longest = from->longest;
		to->longest_ns = from->longest_ns;
	}
}

/* As if the first one had read on: what is new gets the numbers that it would have had. */
static void join(struct op_pass *p, struct second_pass *more)
{
	struct op_stats *to = p->out;
	const uint32_t *here = op_index_join(&p->index, &more->p.index);
	for (uint32_t i = 0; i < more->p.index.n && i < more->out.n; i++)
		add_side(op_side_of(p, here[i], OP_HOST), &more->out.at[i].side[OP_HOST]);
	to->total_ns[OP_HOST] += more->out.total_ns[OP_HOST];
	to->self_ns[OP_HOST] += more->out.self_ns[OP_HOST];
	to->idle_ns[OP_HOST] += more->out.idle_ns[OP_HOST];
	to->tracks[OP_HOST] |= more->out.tracks[OP_HOST];
	p->cancelled |= more->p.cancelled;
}

/* Groups that events decide are numbered as they are met, with texts of their own: one thread makes them. */
static void read_threads(struct op_pass *p, enum op_by by)
{
	uint32_t tracks = trace_tracks(derived_trace(p->d));
	struct second_pass second = {.p = {.d = p->d, .q = p->q, .progress = p->progress}};
	struct host_passes x = {p->split ? (struct halves){tracks, tracks} : halves_of_threads(p->d), p, &second};
	second.p.out = &second.out;
	second.p.mem = &second.mem;
	if (halves_two(&x.h))
		pass_begin(&second.p, by);
	both(2, read_first, read_second, &x);
	if (!halves_two(&x.h))
		return;
	join(p, &second);
	pass_end(&second.p);
	arena_adopt(p->mem, &second.mem);
}

static bool make_stats(struct op_pass p, enum op_by by, struct err *e)
{
	pass_begin(&p, by);
	read_threads(&p, by);
	op_device_pass(&p);
	settle(&p);
	pass_end(&p);
	p.out->keys = p.keys;
	return !p.cancelled || err_usage(e, "cancelled");
}

/* False with `e` on cancel. */
static bool op_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *progress,
			  struct op_stats *out, struct err *e)
{
	return make_stats((struct op_pass){.d = d, .q = q, .progress = progress, .mem = mem, .out = out}, OP_BY_OP, e);
}

/* The same with `work`, and every op split up by where its calls stand, as far as `by` asks for that. */
static bool op_stats_make_by(const struct derived *d, const struct query *q, enum op_by by, struct arena *mem,
			     struct progress *progress, struct op_stats *out, struct err *e)
{
	struct op_costs costs;
	struct op_pass p = {.d = d, .q = q, .progress = progress, .mem = mem, .out = out, .costs = &costs};
	bool sound = op_costs_init(&costs, d, e) && make_stats(p, by, e);
	op_costs_free(&costs);
	return sound;
}

static bool make_part_by(const struct derived *d, const struct query *q, void *out, struct arena *mem,
			 struct progress *p, struct err *e)
{
	enum op_by by;
	return op_by_parse(q->by, &by, e) && op_stats_make_by(d, q, by, mem, p, out, e);
}

const struct shared_part op_stats_by_part = {sizeof(struct op_stats), make_part_by};

/* Where answers are kept and grouped by op, the other part says all of this: its work costs next to nothing beside a second pass. */
static bool make_part(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	if (q->by || !shared_fits(q))
		return op_stats_make(d, q, mem, p, out, e);
	const struct op_stats *more = shared_part(&op_stats_by_part, d, q, mem, p, e);
	if (more)
		*(struct op_stats *)out = *more;
	return more != NULL;
}

const struct shared_part op_stats_part = {sizeof(struct op_stats), make_part};

/* ---- order ---------------------------------------------------------------------------------------------------------- */

struct ranking {
	const struct op_stats *s;
	enum op_place place;
};

static int more_self(const void *x, const void *y, void *arg)
{
	const struct ranking *k = arg;
	const struct op_stat *a = &k->s->at[*(const uint32_t *)x], *b = &k->s->at[*(const uint32_t *)y];
	int64_t self_a = a->side[k->place].self_ns, self_b = b->side[k->place].self_ns;
	int by_name = span_order(a->name, b->name);
	return self_a != self_b ? (self_a < self_b ? 1 : -1) : by_name ? by_name : span_order(a->type, b->type);
}

uint32_t *op_stats_order(const struct op_stats *s, enum op_place place, struct arena *mem, uint32_t *n)
{
	struct ranking k = {s, place};
	uint32_t *order = arena_alloc(mem, (s->n + 1u) * sizeof *order);
	*n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i].side[place].pieces || s->at[i].side[place].total_ns)
			order[(*n)++] = i;
	qsort_r(order, *n, sizeof *order, more_self, &k);
	return order;
}
