#include "tiny_ops.h"
#include "model/store/base/memory.h"
#include "launch_walk.h"
#include "model/store/base/idmap.h"
#include "model/analysis/ops/graph_places.h"
#include "model/analysis/ops/op_index.h"
#include "model/analysis/steps/idle.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

struct maker {
	const struct derived *d;
	const struct columns *c;
	bool by_op;
	struct arena *mem;
	struct op_index index;
	struct idmap of_op, of_type, of_kernel;
	uint8_t *counted; /* one bit per event: a run that was counted */
	uint8_t *graphs;  /* which names are those of calls that launch graphs; NULL: none */
	struct tiny_ops *out;
	const struct idle_extents *extents;
	struct idles *idles; /* for what the extents do not tell */
};

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

static uint32_t new_op(struct maker *m)
{
	struct tiny_ops *out = m->out;
	out->at = arena_next_row(m->mem, out->at, out->n, sizeof *out->at);
	out->at[out->n] = (struct tiny_op){.longest = NONE_ID};
	return out->n++;
}

/* The group of all ops of one type. */
static uint32_t group_of_type(struct maker *m, struct span type)
{
	for (uint64_t h = idmap_hash(type.p, type.n, 0);; h++) {
		uint32_t fresh = m->out->n, i = *idmap_put(&m->of_type, h, fresh);
		if (i == fresh) {
			new_op(m);
			m->out->at[i].type = type;
			return i;
		}
		if (span_same(m->out->at[i].type, type))
			return i;
	}
}

static uint32_t group_of_op(struct maker *m, uint32_t op)
{
	uint32_t fresh = m->out->n, *i = idmap_put(&m->of_op, op, fresh);
	const struct op_entry *entry = &m->index.at[op];
	if (*i != fresh)
		return *i;
	uint32_t group = m->by_op ? new_op(m) : group_of_type(m, entry->type);
	*idmap_put(&m->of_op, op, fresh) = group;
	struct tiny_op *o = &m->out->at[group];
	o->type = entry->type;
	o->name = o->n_ops++ ? (struct span){"", 0} : entry->name;
	return group;
}

static uint32_t group_of_kernel(struct maker *m, str_id name)
{
	uint32_t fresh = m->out->n, i = *idmap_put(&m->of_kernel, name, fresh);
	if (i == fresh) {
		new_op(m);
		m->out->at[i].kernel = name;
	}
	return i;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static bool first_time(struct maker *m, row_id by)
{
	uint8_t bit = (uint8_t)(1u << (by & 7)), *byte = &m->counted[by >> 3];
	bool fresh = !(*byte & bit);
	*byte |= bit;
	return fresh;
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
	m->out->kernel_ns += x->work_ns;
	m->out->kernels += x->starts;
	if (replayed(m, x->launch))
		return;
	uint32_t op = op_index_work(&m->index, x->work, &by);
	uint32_t group = op == NO_OP ? group_of_kernel(m, m->c->name[x->work]) : group_of_op(m, op);
	struct tiny_op *o = &m->out->at[group];
	o->total_ns += x->work_ns;
	o->call_ns += x->call_ns;
	o->launch_bound_ns += x->launch_bound_ns;
	o->not_launched_ns += x->not_launched_ns;
	o->launch_idle_ns += launch_idle_ns(m, x);
	if (x->starts)
		count_kernel(m, o, x, by);
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

bool tiny_ops_make(const struct derived *d, const struct query *q, bool by_op, struct arena *mem, struct progress *p,
		   struct tiny_ops *out, struct err *e)
{
	struct maker m = {.d = d, .c = trace_columns(derived_trace(d)), .by_op = by_op, .mem = mem, .out = out};
	size_t bytes = m.c->n / 8 + 1;
	*out = (struct tiny_ops){0};
	m.extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!m.extents)
		return false;
	m.counted = must(malloc(bytes));
	memset(m.counted, 0, bytes);
	m.graphs = graph_call_names(d);
	op_index_init(&m.index, d, mem);
	m.idles = idles_new(d, q, NONE_ID);
	bool fine = launch_walk_no_queue(d, q, p, take, &m, e);
	if (fine)
		keep_tiny(out);
	idles_free(m.idles);
	op_index_free(&m.index);
	idmap_free(&m.of_op);
	idmap_free(&m.of_type);
	idmap_free(&m.of_kernel);
	free(m.counted);
	free(m.graphs);
	return fine;
}
