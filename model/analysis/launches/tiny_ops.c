#include "tiny_ops.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/analysis/ops/graph_places.h"
#include "model/analysis/ops/op_index.h"
#include "model/analysis/steps/idle.h"
#include "model/store/base/spans.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* By op or by kernel, in the order met. */
struct sums {
	struct tiny_op *at;
	uint32_t n, cap;
	struct text_numbers of_kernel; /* by the kernel's name: + 1 */
	struct small_sums ns;
};
struct maker {
	READER_APART const struct derived *d;
	const struct columns *c;
	struct arena mem; /* of what is kept until the ops of both halves are known */
	struct op_index index;
	uint32_t *group_of_op; /* by number, + 1; 0 = none */
	uint32_t cap_ops;
	_Atomic(uint8_t) *counted;  /* one bit per event: a run that was counted; of both halves */
	uint8_t *graphs;            /* which names are those of calls that launch graphs; NULL: none */
	struct sums ops, unknown;   /* id: of the half's ops; of kernels without one */
	int64_t kernels, kernel_ns; /* of all */
	const struct idle_extents *extents;
	struct idles *idles; /* for what the extents do not tell */
};

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

static uint32_t new_op(struct sums *s, uint32_t id)
{
	s->ns.each = TINY_NS_COUNT;
	GROW_ARRAY(s->at, s->n, s->cap);
	s->at[s->n] = (struct tiny_op){.id = id, .longest = NONE_ID};
	return s->n++;
}

static void add_ns(struct sums *s, struct tiny_op *o, enum tiny_ns which, int64_t ns)
{
	small_sums_add(&s->ns, o->ns, which, ns);
}

static uint32_t group_of_op(struct maker *m, uint32_t op)
{
	if (op >= m->cap_ops) {
		uint32_t known = m->cap_ops;
		GROW_ARRAY(m->group_of_op, op, m->cap_ops);
		memset(m->group_of_op + known, 0, (m->cap_ops - known) * sizeof *m->group_of_op);
	}
	if (!m->group_of_op[op])
		m->group_of_op[op] = new_op(&m->ops, op) + 1;
	return m->group_of_op[op] - 1;
}

static uint32_t group_of_kernel(struct sums *s, str_id name)
{
	if (!text_number_of(&s->of_kernel, name))
		text_number_set(&s->of_kernel, name, new_op(s, name) + 1);
	return text_number_of(&s->of_kernel, name) - 1;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static bool first_time(struct maker *m, row_id by)
{
	uint8_t bit = (uint8_t)(1u << (by & 7));
	_Atomic(uint8_t) *byte = &m->counted[by >> 3];
	if (atomic_load_explicit(byte, memory_order_relaxed) & bit)
		return false;
	return !(atomic_fetch_or_explicit(byte, bit, memory_order_relaxed) & bit);
}

static void count_kernel(struct maker *m, struct sums *s, struct tiny_op *o, const struct launched *x, row_id by)
{
	int64_t dur_ns = m->c->dur_ns[x->work];
	o->kernels++;
	o->short_kernels += dur_ns < TINY_LOW_NS;
	add_ns(s, o, TINY_WHOLE_NS, dur_ns);
	o->runs += by == NONE_ID || first_time(m, by);
	if (o->longest == NONE_ID || dur_ns > m->c->dur_ns[o->longest])
		o->longest = x->work;
}

/* Of the idle time that ends with the work, what the launches cause; nothing where a clock in microseconds gives the work no length. */
static int64_t launch_idle_ns(struct maker *m, const struct launched *x)
{
	if (x->launch_bound_ns + x->not_launched_ns <= 0 || x->busy == 0)
		return 0;
	const struct interval *busy = &derived_busy_device(m->d, x->device)->at[x->busy];
	if (busy->b_ns <= busy->a_ns)
		return 0;
	const struct idle_launches *known = &m->extents->launches[x->device];
	uint32_t at = x->busy - known->from;
	if (x->busy >= known->from && at < known->n && known->ns[at] != IDLE_NOT_TOLD)
		return known->ns[at];
	return idle_before(m->idles, x->device, x->busy, CAUSE_LAUNCH);
}

static bool replayed(const struct maker *m, row_id launch)
{
	return m->graphs && launch != NONE_ID && m->graphs[m->c->name[launch]];
}

static void take(void *arg, const struct launched *x)
{
	struct maker *m = arg;
	row_id by;
	if (m->c->kind[x->work] != KIND_KERNEL)
		return;
	m->kernel_ns += x->work_ns;
	m->kernels += x->starts;
	if (replayed(m, x->launch))
		return;
	uint32_t op = op_index_work(&m->index, x->work, &by);
	struct sums *s = op == NO_OP ? &m->unknown : &m->ops;
	uint32_t group = op == NO_OP ? group_of_kernel(s, m->c->name[x->work]) : group_of_op(m, op);
	struct tiny_op *o = &s->at[group];
	add_ns(s, o, TINY_TOTAL_NS, x->work_ns);
	add_ns(s, o, TINY_CALL_NS, x->call_ns);
	add_ns(s, o, TINY_LAUNCH_BOUND_NS, x->launch_bound_ns);
	add_ns(s, o, TINY_NOT_LAUNCHED_NS, x->not_launched_ns);
	add_ns(s, o, TINY_LAUNCH_IDLE_NS, launch_idle_ns(m, x));
	if (x->starts)
		count_kernel(m, s, o, x, by);
}

/* ---- groups of both halves --------------------------------------------------------------------------------------------- */

struct merging {
	bool by_op;
	struct sums groups;          /* of ops; id: their place here */
	struct tiny_name *names;     /* of the groups */
	struct idmap of_op, of_type; /* of the name's hash, of the type's */
	struct op_group {
		struct span name;
		uint32_t group;
	} * ops; /* in the order met: an op's type is that of the first one */
	uint32_t n_ops, cap_ops, cap_names;
};

static uint32_t new_group(struct merging *m, struct span type)
{
	GROW_ARRAY(m->names, m->groups.n, m->cap_names);
	m->names[m->groups.n] = (struct tiny_name){.type = type};
	return new_op(&m->groups, m->groups.n);
}

/* The group of all ops of one type. */
static uint32_t group_of_type(struct merging *m, struct span type)
{
	for (uint64_t h = idmap_hash(type.p, type.n, 0);; h++) {
		uint32_t fresh = m->groups.n, i = *idmap_put(&m->of_type, h, fresh);
		if (i == fresh)
			return new_group(m, type);
		if (span_same(m->names[i].type, type))
			return i;
	}
}

/* Its first op is the group's name, a second one leaves it without. */
static uint32_t new_op_in_group(struct merging *m, const struct op_entry *x)
{
	uint32_t group = m->by_op ? new_group(m, x->type) : group_of_type(m, x->type);
	m->names[group].op = m->names[group].n_ops++ ? (struct span){"", 0} : x->name;
	GROW_ARRAY(m->ops, m->n_ops, m->cap_ops);
	m->ops[m->n_ops++] = (struct op_group){x->name, group};
	return group;
}

static uint32_t group_for_op(struct merging *m, const struct op_entry *x)
{
	for (uint64_t h = idmap_hash(x->name.p, x->name.n, 0);; h++) {
		uint32_t fresh = m->n_ops, i = *idmap_put(&m->of_op, h, fresh);
		if (i == fresh)
			return new_op_in_group(m, x);
		if (span_same(m->ops[i].name, x->name))
			return m->ops[i].group;
	}
}

/* The longer of two, of equal ones the one that the walk over devices and their streams met first. */
static bool comes_first(const struct derived *d, row_id x, row_id than)
{
	const struct columns *c = derived_columns(d);
	if (x == NONE_ID || than == NONE_ID)
		return than == NONE_ID;
	if (c->dur_ns[x] != c->dur_ns[than])
		return c->dur_ns[x] > c->dur_ns[than];
	uint32_t device = trace_track(derived_trace(d), c->track[x])->device,
		 other = trace_track(derived_trace(d), c->track[than])->device;
	return device != other ? device < other : x < than;
}

static void add_to(const struct derived *d, struct sums *into, uint32_t group, const struct sums *from, uint32_t i)
{
	struct tiny_op *o = &into->at[group];
	const struct tiny_op *x = &from->at[i];
	o->runs += x->runs;
	o->kernels += x->kernels;
	o->short_kernels += x->short_kernels;
	for (uint32_t k = 0; k < TINY_NS_COUNT; k++)
		add_ns(into, o, k, small_sums_get(&from->ns, x->ns, k));
	if (comes_first(d, x->longest, o->longest))
		o->longest = x->longest;
}

static void merge_ops(struct merging *m, const struct maker *half)
{
	for (uint32_t i = 0; i < half->ops.n; i++) {
		uint32_t group = group_for_op(m, &half->index.at[half->ops.at[i].id]);
		add_to(half->d, &m->groups, group, &half->ops, i);
	}
}

static void merge_unknown(struct maker *m, const struct maker *more)
{
	for (uint32_t i = 0; i < more->unknown.n; i++)
		add_to(m->d, &m->unknown, group_of_kernel(&m->unknown, more->unknown.at[i].id), &more->unknown, i);
}

/* ---- which of them are tiny ------------------------------------------------------------------------------------------- */

static int64_t idle_ns(const struct tiny_ops *all, const struct tiny_op *o)
{
	return tiny_op_ns(all, o, TINY_LAUNCH_BOUND_NS) + tiny_op_ns(all, o, TINY_NOT_LAUNCHED_NS);
}

static int compare(const void *p, const void *q, void *arg)
{
	const struct tiny_ops *all = arg;
	const struct tiny_op *a = &all->at[((const struct rank *)p)->id], *b = &all->at[((const struct rank *)q)->id];
	int64_t a_ns = idle_ns(all, a), b_ns = idle_ns(all, b);
	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	if (a->kernels != b->kernels)
		return a->kernels > b->kernels ? -1 : 1;
	return (a->longest > b->longest) - (a->longest < b->longest);
}

static void rank_tiny(struct tiny_ops *out, struct arena *mem)
{
	struct rank *order = must(malloc((out->n + (size_t)1) * sizeof *order));
	for (uint32_t i = 0; i < out->n; i++)
		order[i] = (struct rank){rank_size(idle_ns(out, &out->at[i])), i};
	rank_sort(order, out->n);
	rank_ties(order, out->n, 0, compare, out);
	out->order = rank_ids(order, out->n, mem);
}

static uint32_t keep_tiny(struct sums *s)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		int64_t whole_ns = small_sums_get(&s->ns, s->at[i].ns, TINY_WHOLE_NS);
		if (s->at[i].runs && whole_ns < (int64_t)s->at[i].runs * TINY_UP_NS)
			s->at[kept++] = s->at[i];
	}
	return s->n = kept;
}

static struct span kept_text(struct arena *mem, struct span s)
{
	return s.n ? (struct span){arena_strndup(mem, s.p, s.n), s.n} : s;
}

/* The row of an op among those of kernels. */
static struct tiny_op as_one_of(struct sums *kernels, const struct sums *ops, uint32_t op)
{
	struct tiny_op o = ops->at[op];
	memset(o.ns, 0, sizeof o.ns);
	for (uint32_t k = 0; k < TINY_NS_COUNT; k++)
		add_ns(kernels, &o, k, small_sums_get(&ops->ns, ops->at[op].ns, k));
	o.id = op;
	return o;
}

/* Those that are tiny, with nothing but what is told of them: the ops before the kernels. */
static void list_tiny(struct merging *m, struct sums *unknown, struct arena *mem, struct tiny_ops *out)
{
	uint32_t ops = keep_tiny(&m->groups), kernels = keep_tiny(unknown), n = ops + kernels;
	unknown->ns.each = TINY_NS_COUNT;
	if (ops)
		GROW_ARRAY(unknown->at, n, unknown->cap);
	if (ops && kernels)
		memmove(unknown->at + ops, unknown->at, kernels * sizeof *unknown->at);
	struct tiny_name *names = arena_alloc(mem, (ops + (size_t)1) * sizeof *names);
	for (uint32_t i = 0; i < ops; i++) {
		const struct tiny_name *x = &m->names[m->groups.at[i].id];
		names[i] = (struct tiny_name){kept_text(mem, x->type), kept_text(mem, x->op), x->n_ops};
		unknown->at[i] = as_one_of(unknown, &m->groups, i);
	}
	out->n = n;
	out->n_named = ops;
	out->at = arena_own(mem, unknown->at, n * sizeof *out->at);
	unknown->at = NULL;
	small_sums_own(&unknown->ns, mem);
	out->sums = unknown->ns;
	unknown->ns = (struct small_sums){0};
	out->names = names;
}

static void sums_free(struct sums *s)
{
	free(s->at);
	text_numbers_free(&s->of_kernel);
	small_sums_free(&s->ns);
	*s = (struct sums){0};
}

static void merge_halves(struct maker of[2], bool by_op, struct arena *mem, struct tiny_ops *out)
{
	struct merging m = {.by_op = by_op};
	merge_ops(&m, &of[0]);
	merge_ops(&m, &of[1]);
	merge_unknown(&of[0], &of[1]);
	out->kernels = of[0].kernels + of[1].kernels;
	out->kernel_ns = of[0].kernel_ns + of[1].kernel_ns;
	list_tiny(&m, &of[0].unknown, mem, out);
	sums_free(&of[0].unknown);
	sums_free(&m.groups);
	idmap_free(&m.of_op);
	idmap_free(&m.of_type);
	free(m.ops);
	free(m.names);
	rank_tiny(out, mem);
}

static void maker_free(struct maker *m)
{
	if (m->idles)
		idles_free(m->idles);
	op_index_free(&m->index);
	free(m->group_of_op);
	sums_free(&m->ops);
	sums_free(&m->unknown);
	arena_free(&m->mem);
}

struct tiny_ops_reader {
	struct maker of[2];
};

struct tiny_ops_reader *tiny_ops_open(const struct derived *d, const struct query *q, const struct halves *h,
				      struct arena *mem, struct progress *p, struct err *e)
{
	const struct idle_extents *extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!extents)
		return NULL;
	struct tiny_ops_reader *x = must(aligned_alloc(_Alignof(struct tiny_ops_reader), sizeof *x));
	struct maker *of = x->of;
	of[0] = (struct maker){.d = d, .c = trace_columns(derived_trace(d)), .extents = extents};
	of[0].counted = must(calloc(of[0].c->n / 8 + 1, 1));
	of[0].graphs = graph_call_names(d);
	of[1] = of[0];
	for (int i = 0; i < 1 + halves_two(h); i++) {
		op_index_init(&of[i].index, d, &of[i].mem);
		of[i].idles = idles_new(d, q, NONE_ID);
	}
	return x;
}

struct launch_taker tiny_ops_taker(struct tiny_ops_reader *x)
{
	return (struct launch_taker){take, &x->of[0], &x->of[1]};
}

void tiny_ops_close(struct tiny_ops_reader *x, bool told, bool by_op, struct arena *mem, struct tiny_ops *out)
{
	*out = (struct tiny_ops){0};
	if (told)
		merge_halves(x->of, by_op, mem, out);
	maker_free(&x->of[0]);
	maker_free(&x->of[1]);
	free(x->of[0].counted);
	free(x->of[0].graphs);
	free(x);
}

bool tiny_ops_make(const struct derived *d, const struct query *q, bool by_op, struct arena *mem, struct progress *p,
		   struct tiny_ops *out, struct err *e)
{
	struct halves h = halves_of_devices(d);
	struct tiny_ops_reader *x = tiny_ops_open(d, q, &h, mem, p, e);
	if (!x)
		return false;
	struct launch_taker taker = tiny_ops_taker(x);
	bool told = launch_walk(d, q, &h, queue_rows, p, &taker, 1, e);
	tiny_ops_close(x, told, by_op, mem, out);
	return told;
}
