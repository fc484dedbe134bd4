/* iterators: the tree of iterators below each pipeline's root, callers first, with the time each spends itself. */
#include "iterators_columns.h"
#include "iterators.h"
#include "model/store/base/idmap.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(iterators);

static const struct column columns[] = {ITERATORS_COLUMNS(COLUMN_ROW)};

struct tree {
	const struct trace *t;
	struct table *out;
	const struct iterators *v;
	const struct pipeline *p;
	struct idmap ids; /* iterator's id -> place in p->all */
	uint32_t *slow;   /* per place: place + 1 in p->slow, 0 = not in the slowest call */
	uint32_t *child, *sibling;
	bool *written;
};

static void iterator_row(const struct tree *x, uint32_t place, const struct iterator *parent)
{
	const struct iterator_time *s = &x->p->all[place],
				   *slow = x->slow[place] ? &x->p->slow[x->slow[place] - 1] : NULL;
	const struct iterator *it = &x->v->at[s->iterator];
	const struct columns *c = trace_columns(x->t);
	struct cell *row = table_row(x->out);
	cell_text(&row[COL_ITERATORS_PIPELINE], x->p->name);
	cell_text(&row[COL_ITERATORS_ITERATOR], it->name);
	cell_text(&row[COL_ITERATORS_PARENT], parent ? parent->name : NULL);
	cell_int(&row[COL_ITERATORS_DEPTH], it->depth);
	cell_int(&row[COL_ITERATORS_CALLS], s->calls);
	cell_int(&row[COL_ITERATORS_TOTAL_NS], s->total_ns);
	cell_int(&row[COL_ITERATORS_SELF_NS], s->self_ns);
	cell_bool(&row[COL_ITERATORS_BLOCKING], s->blocking);
	cell_bool(&row[COL_ITERATORS_IS_BOTTLENECK], !x->p->device && x->p->bottleneck == s->iterator);
	cell_text(&row[COL_ITERATORS_PARAMETERS], it->parameters);
	cell_int(&row[COL_ITERATORS_SLOWEST_NS], slow ? slow->total_ns : UNKNOWN_I64);
	cell_int(&row[COL_ITERATORS_SLOWEST_SELF_NS], slow ? slow->self_ns : UNKNOWN_I64);
	cell_bool(&row[COL_ITERATORS_ASYNC], it->async);
	cell_text(&row[COL_ITERATORS_LONG_NAME], it->longname);
	table_evidence(x->out, c->start_ns[it->first], c->start_ns[it->first] + c->dur_ns[it->first], &it->first, 1);
}

static void link_up(struct tree *x)
{
	for (uint32_t i = 0; i < x->p->n_all; i++)
		*idmap_put(&x->ids, (uint64_t)x->v->at[x->p->all[i].iterator].id, i) = i;
	for (uint32_t i = x->p->n_all; i-- > 0;) {
		const struct iterator *it = &x->v->at[x->p->all[i].iterator];
		uint32_t above = it->has_parent ? idmap_get(&x->ids, (uint64_t)it->parent_id) : NONE_ID;
		if (above == NONE_ID || above == i)
			continue;
		x->sibling[i] = x->child[above];
		x->child[above] = i;
	}
	for (uint32_t i = 0; i < x->p->n_slow; i++) {
		uint32_t at = idmap_get(&x->ids, (uint64_t)x->v->at[x->p->slow[i].iterator].id);
		x->slow[at] = i + 1;
	}
}

/* Depth first from `from`, without recursion: climbing goes by the stack of places. */
static void write_below(struct tree *x, uint32_t from, uint32_t *stack)
{
	uint32_t n = 0;
	stack[n++] = from;
	while (n) {
		uint32_t at = stack[--n], from_n = n;
		if (x->written[at])
			continue;
		x->written[at] = true;
		const struct iterator *it = &x->v->at[x->p->all[at].iterator];
		uint32_t above = it->has_parent ? idmap_get(&x->ids, (uint64_t)it->parent_id) : NONE_ID;
		iterator_row(x, at, above == NONE_ID || above == at ? NULL : &x->v->at[x->p->all[above].iterator]);
		for (uint32_t i = x->child[at]; i != NONE_ID; i = x->sibling[i])
			stack[n++] = i;
		for (uint32_t a = from_n, b = n; a + 1 < b; a++) { /* the first child comes off first */
			uint32_t swap = stack[a];
			stack[a] = stack[--b];
			stack[b] = swap;
		}
	}
}

static void pipeline_rows(struct tree *x, struct arena *mem)
{
	uint32_t n = x->p->n_all;
	uint32_t *stack = arena_alloc(mem, (n + 1u) * sizeof *stack);
	x->slow = arena_alloc(mem, (n + 1u) * sizeof *x->slow);
	x->child = arena_alloc(mem, (n + 1u) * sizeof *x->child);
	x->sibling = arena_alloc(mem, (n + 1u) * sizeof *x->sibling);
	x->written = arena_alloc(mem, (n + 1u) * sizeof *x->written);
	for (uint32_t i = 0; i < n; i++)
		x->child[i] = x->sibling[i] = NONE_ID;
	link_up(x);
	for (uint32_t i = 0; i < n; i++)
		if (x->v->at[x->p->all[i].iterator].id == x->p->id)
			write_below(x, i, stack);
	for (uint32_t i = 0; i < n; i++) /* those whose caller was not met */
		write_below(x, i, stack);
	idmap_free(&x->ids);
}

static struct table *run_iterators(const struct derived *d, const struct query *q, struct arena *mem,
				   struct progress *p, struct err *e)
{
	struct iterators v;
	struct table *out = table_new(mem, &iterators_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!iterators_read(d, q, mem, p, &v, e))
		return NULL;
	for (uint32_t i = 0; i < v.n_pipelines; i++) {
		struct tree x = {.t = derived_trace(d), .out = out, .v = &v, .p = &v.pipelines[i]};
		pipeline_rows(&x, mem);
	}
	return out;
}

const struct table_desc iterators_desc = {
	.name = "iterators",
	.title = "Iterators",
	.help = "iterators of tf.data with their self time, callers first",
	TABLE_COLUMNS(columns),
	.run = run_iterators,
	.first = COLUMN_LIST(COL_ITERATORS_ITERATOR, COL_ITERATORS_SELF_NS, COL_ITERATORS_TOTAL_NS, COL_ITERATORS_CALLS,
			     COL_ITERATORS_IS_BOTTLENECK, COL_ITERATORS_PARENT, COL_ITERATORS_BLOCKING,
			     COL_ITERATORS_ASYNC, COL_ITERATORS_PIPELINE),
	.lead = 2,
	.report = {.intro = "tf.data, callers first",
		   .brief = COLUMN_LIST(COL_ITERATORS_PIPELINE, COL_ITERATORS_ITERATOR, COL_ITERATORS_PARENT,
					COL_ITERATORS_CALLS, COL_ITERATORS_TOTAL_NS, COL_ITERATORS_SELF_NS,
					COL_ITERATORS_IS_BOTTLENECK),
		   .wide = COLUMN_LIST(COL_ITERATORS_PIPELINE, COL_ITERATORS_DEPTH, COL_ITERATORS_ITERATOR,
				       COL_ITERATORS_PARENT, COL_ITERATORS_CALLS, COL_ITERATORS_TOTAL_NS,
				       COL_ITERATORS_SELF_NS, COL_ITERATORS_BLOCKING, COL_ITERATORS_IS_BOTTLENECK,
				       COL_ITERATORS_PARAMETERS)},
	.vs = {.key = COLUMN_LIST(COL_ITERATORS_PARENT, COL_ITERATORS_ITERATOR),
	       .sums = COLUMN_LIST(COL_ITERATORS_SELF_NS, COL_ITERATORS_TOTAL_NS, COL_ITERATORS_CALLS)},
};
