#include "tiny_ops.h"
#include "model/store/base/memory.h"
#include "launch_walk.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/analysis/ops/graph_places.h"
#include "model/analysis/ops/op_index.h"
#include "model/analysis/steps/idle.h"
#include "model/store/base/spans.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	READER_APART const struct derived *d;
	const struct columns *c;
	struct arena mem; /* of what is kept until the ops of both halves are known */
	struct op_index index;
	uint32_t *group_of_op; /* by number, + 1; 0 = none */
	uint32_t cap_ops;
	struct idmap of_kernel;
	_Atomic(uint8_t) *counted; /* one bit per event: a run that was counted; of both halves */
	uint8_t *graphs;           /* which names are those of calls that launch graphs; NULL: none */
	struct tiny_ops sums;      /* by op or kernel, in the order met */
	const struct idle_extents *extents;
	struct idles *idles; /* for what the extents do not tell */
};

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

/* mem NULL: there is room for it. */
static uint32_t new_op(struct arena *mem, struct tiny_ops *out)
{
	if (mem)
		out->at = arena_next_row(mem, out->at, out->n, sizeof *out->at);
	out->at[out->n] = (struct tiny_op){.longest = NONE_ID};
	return out->n++;
}

static uint32_t group_of_op(struct maker *m, uint32_t op)
{
	if (op >= m->cap_ops) {
		uint32_t known = m->cap_ops;
		GROW_ARRAY(m->group_of_op, op, m->cap_ops);
		memset(m->group_of_op + known, 0, (m->cap_ops - known) * sizeof *m->group_of_op);
	}
	if (!m->group_of_op[op]) {
		uint32_t group = new_op(&m->mem, &m->sums);
		m->sums.at[group].name = m->index.at[op].name;
		m->sums.at[group].type = m->index.at[op].type;
		m->sums.at[group].n_ops = 1;
		m->group_of_op[op] = group + 1;
	}
	return m->group_of_op[op] - 1;
}

static uint32_t group_of_kernel(struct idmap *of_kernel, struct arena *mem, struct tiny_ops *out, str_id name)
{
	uint32_t fresh = out->n, i = *idmap_put(of_kernel, name, fresh);
	if (i == fresh) {
		new_op(mem, out);
		out->at[i].kernel = name;
	}
	return i;
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

static void count_kernel(struct maker *m, struct tiny_op *o, const struct launched *x, row_id by)
{
	int64_t dur_ns = m->c->dur_ns[x->work];
	o->kernels++;
	o->short_kernels += dur_ns < TINY_LOW_NS;
	o->whole_ns += dur_ns;
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
	m->sums.kernel_ns += x->work_ns;
	m->sums.kernels += x->starts;
	if (replayed(m, x->launch))
		return;
	uint32_t op = op_index_work(&m->index, x->work, &by);
	uint32_t group = op == NO_OP ? group_of_kernel(&m->of_kernel, &m->mem, &m->sums, m->c->name[x->work])
				     : group_of_op(m, op);
	struct tiny_op *o = &m->sums.at[group];
	o->total_ns += x->work_ns;
	o->call_ns += x->call_ns;
	o->launch_bound_ns += x->launch_bound_ns;
	o->not_launched_ns += x->not_launched_ns;
	o->launch_idle_ns += launch_idle_ns(m, x);
	if (x->starts)
		count_kernel(m, o, x, by);
}

/* ---- groups of both halves --------------------------------------------------------------------------------------------- */

struct merging {
	struct tiny_ops *out;
	bool by_op;
	struct idmap of_op, of_type, of_kernel; /* of the name's hash, of the type's, of the kernel's name */
	struct op_types {
		struct span name, type;
		uint32_t group;
	} * ops; /* in the order met: an op's type is that of the first one */
	uint32_t n_ops, cap_ops;
};

/* The group of all ops of one type. */
static uint32_t group_of_type(struct merging *m, struct span type)
{
	for (uint64_t h = idmap_hash(type.p, type.n, 0);; h++) {
		uint32_t fresh = m->out->n, i = *idmap_put(&m->of_type, h, fresh);
		if (i == fresh) {
			new_op(NULL, m->out);
			m->out->at[i].type = type;
			return i;
		}
		if (span_same(m->out->at[i].type, type))
			return i;
	}
}

/* Its first op is the group's name, a second one leaves it without. */
static uint32_t new_op_in_group(struct merging *m, const struct tiny_op *x)
{
	uint32_t group = m->by_op ? new_op(NULL, m->out) : group_of_type(m, x->type);
	struct tiny_op *o = &m->out->at[group];
	o->type = x->type;
	o->name = o->n_ops++ ? (struct span){"", 0} : x->name;
	GROW_ARRAY(m->ops, m->n_ops, m->cap_ops);
	m->ops[m->n_ops++] = (struct op_types){x->name, x->type, group};
	return group;
}

static uint32_t group_for_op(struct merging *m, const struct tiny_op *x)
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

static void add_to(const struct derived *d, struct tiny_op *o, const struct tiny_op *x)
{
	o->runs += x->runs;
	o->kernels += x->kernels;
	o->short_kernels += x->short_kernels;
	o->total_ns += x->total_ns;
	o->whole_ns += x->whole_ns;
	o->call_ns += x->call_ns;
	o->launch_bound_ns += x->launch_bound_ns;
	o->not_launched_ns += x->not_launched_ns;
	o->launch_idle_ns += x->launch_idle_ns;
	if (comes_first(d, x->longest, o->longest))
		o->longest = x->longest;
}

static void merge(struct merging *m, const struct maker *half)
{
	for (uint32_t i = 0; i < half->sums.n; i++) {
		const struct tiny_op *x = &half->sums.at[i];
		uint32_t group =
			x->n_ops ? group_for_op(m, x) : group_of_kernel(&m->of_kernel, NULL, m->out, x->kernel);
		add_to(half->d, &m->out->at[group], x);
	}
	m->out->kernels += half->sums.kernels;
	m->out->kernel_ns += half->sums.kernel_ns;
}

/* ---- which of them are tiny ------------------------------------------------------------------------------------------- */

static int64_t idle_ns(const struct tiny_op *o)
{
	return o->launch_bound_ns + o->not_launched_ns;
}

static int compare(const void *p, const void *q)
{
	const struct tiny_op *a = p, *b = q;
	if (idle_ns(a) != idle_ns(b))
		return idle_ns(a) > idle_ns(b) ? -1 : 1;
	if (a->kernels != b->kernels)
		return a->kernels > b->kernels ? -1 : 1;
	return (a->longest > b->longest) - (a->longest < b->longest);
}

static void keep_tiny(struct tiny_ops *out)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < out->n; i++)
		if (out->at[i].runs && out->at[i].whole_ns < out->at[i].runs * TINY_UP_NS)
			out->at[kept++] = out->at[i];
	out->n = kept;
	if (kept)
		qsort(out->at, kept, sizeof *out->at, compare);
}

static void merge_halves(const struct maker of[2], bool by_op, struct arena *mem, struct tiny_ops *out)
{
	struct merging m = {.out = out, .by_op = by_op};
	out->at = arena_alloc(mem, ((size_t)of[0].sums.n + of[1].sums.n) * sizeof *out->at);
	merge(&m, &of[0]);
	merge(&m, &of[1]);
	idmap_free(&m.of_op);
	idmap_free(&m.of_type);
	idmap_free(&m.of_kernel);
	free(m.ops);
	keep_tiny(out);
}

static void maker_free(struct maker *m)
{
	if (m->idles)
		idles_free(m->idles);
	op_index_free(&m->index);
	free(m->group_of_op);
	idmap_free(&m->of_kernel);
	arena_free(&m->mem);
}

bool tiny_ops_make(const struct derived *d, const struct query *q, bool by_op, struct arena *mem, struct progress *p,
		   struct tiny_ops *out, struct err *e)
{
	struct halves halves = halves_of_devices(d);
	struct maker of[2] = {0};
	*out = (struct tiny_ops){0};
	of[0] = (struct maker){.d = d, .c = trace_columns(derived_trace(d))};
	of[0].extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!of[0].extents)
		return false;
	of[0].counted = must(calloc(of[0].c->n / 8 + 1, 1));
	of[0].graphs = graph_call_names(d);
	of[1] = of[0];
	for (int i = 0; i < 1 + halves_two(&halves); i++) {
		op_index_init(&of[i].index, d, &of[i].mem);
		of[i].idles = idles_new(d, q, NONE_ID);
	}
	bool fine = launch_walk(d, q, &halves, queue_rows, p, take, &of[0], &of[1], e);
	if (fine)
		merge_halves(of, by_op, mem, out);
	maker_free(&of[0]);
	maker_free(&of[1]);
	free(of[0].counted);
	free(of[0].graphs);
	return fine;
}
