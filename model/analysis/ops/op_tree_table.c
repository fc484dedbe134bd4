/* op_tree: which op calls which, with the time on the host and the device work that each starts. */
#include "op_tree_columns.h"
#include "op_index.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/halves.h"
#include <stdlib.h>
#include <string.h>

TABLE_DECL(op_tree);

static const struct column columns[] = {OP_TREE_COLUMNS(COLUMN_ROW)};

enum { DEEPEST = 200 }; /* ops that lie deeper count with the one there */

struct node {
	uint32_t op, parent, depth, first_child, sibling;
	int64_t calls, host_ns, inner_ns, device_ns, device_self_ns, works;
	row_id longest;
};
struct open_call {
	int64_t end_ns;
	uint32_t node;
};
struct tree {
	const struct derived *d;
	const struct query *q;
	struct progress *progress;
	struct op_index index;
	struct node *at; /* at[0] is above all */
	uint32_t n, cap;
	struct idmap by_call; /* (parent, op) -> node */
	struct open_call stack[DEEPEST];
	uint32_t n_open;
	bool cancelled;
};

static uint32_t node_of(struct tree *t, uint32_t parent, uint32_t op)
{
	uint32_t i = *idmap_put(&t->by_call, (uint64_t)parent << 32 | op, t->n);
	if (i < t->n)
		return i;
	GROW_ARRAY(t->at, t->n, t->cap);
	t->at[t->n] = (struct node){
		.op = op, .parent = parent, .depth = t->n ? t->at[parent].depth + 1 : 0, .longest = NONE_ID};
	return t->n++;
}

/* ---- one thread ------------------------------------------------------------------------------------------------------- */

static uint32_t innermost_call(struct tree *t, int64_t start_ns)
{
	while (t->n_open && t->stack[t->n_open - 1].end_ns <= start_ns)
		t->n_open--;
	return t->n_open ? t->stack[t->n_open - 1].node : 0;
}

static void take_call(struct tree *t, row_id r, uint32_t op)
{
	const struct columns *c = derived_columns(t->d);
	int64_t a_ns = c->start_ns[r], b_ns = row_end(c, r);
	uint32_t parent = innermost_call(t, a_ns);
	if (t->n_open == DEEPEST)
		return;
	uint32_t i = node_of(t, parent, op);
	struct node *x = &t->at[i];
	x->calls += a_ns >= t->q->a_ns;
	if (x->longest == NONE_ID || c->dur_ns[r] > c->dur_ns[x->longest])
		x->longest = r;
	int64_t from_ns = a_ns > t->q->a_ns ? a_ns : t->q->a_ns, to_ns = b_ns < t->q->b_ns ? b_ns : t->q->b_ns;
	/* what partly overlaps the call around it lies in it only as far as that goes */
	int64_t limit_ns = t->n_open && t->stack[t->n_open - 1].end_ns < to_ns ? t->stack[t->n_open - 1].end_ns : to_ns;
	x->host_ns += to_ns - from_ns;
	if (parent && limit_ns > from_ns)
		t->at[parent].inner_ns += limit_ns - from_ns;
	t->stack[t->n_open++] = (struct open_call){b_ns, i};
}

static void take_launch(struct tree *t, row_id r)
{
	const struct columns *c = derived_columns(t->d);
	const row_id *work;
	uint32_t n = c->start_ns[r] >= t->q->a_ns ? trace_launched(derived_trace(t->d), r, &work) : 0,
		 i = innermost_call(t, c->start_ns[r]);
	for (uint32_t k = 0; k < n; k++) {
		if (!event_wanted(t->d, t->q, work[k]))
			continue;
		t->at[i].device_self_ns += c->dur_ns[work[k]];
		t->at[i].works++;
	}
}

static void read_thread(struct tree *t, uint32_t track)
{
	const struct columns *c = derived_columns(t->d);
	struct event_iter it = event_iter(derived_trace(t->d), track, t->q->a_ns, t->q->b_ns, KINDS_ALL);
	t->n_open = 0;
	while (event_next(&it)) {
		if ((it.row & 0xffff) == 0 && progress_cancelled(t->progress))
			t->cancelled = true;
		if (c->kind[it.row] == KIND_RUNTIME && c->link[it.row] != NONE_ID) {
			take_launch(t, it.row);
			continue;
		}
		uint32_t op = op_index_host(&t->index, it.row);
		if (op != NO_OP)
			take_call(t, it.row, op);
	}
}

/* ---- sums and order ----------------------------------------------------------------------------------------------------- */

/* Nodes come after the ones around them. */
static void roll_up(struct tree *t)
{
	for (uint32_t i = t->n; i-- > 0;) {
		struct node *x = &t->at[i];
		x->device_ns += x->device_self_ns;
		if (i) {
			t->at[x->parent].device_ns += x->device_ns;
			t->at[x->parent].works += x->works;
		}
	}
}

static int larger(const void *a, const void *b, void *arg)
{
	const struct node *at = arg, *x = &at[*(const uint32_t *)a], *y = &at[*(const uint32_t *)b];
	if (x->device_ns != y->device_ns)
		return x->device_ns < y->device_ns ? 1 : -1;
	if (x->host_ns != y->host_ns)
		return x->host_ns < y->host_ns ? 1 : -1;
	return x < y ? -1 : x > y;
}

/* Links the children of every node, largest first. */
static void link_children(struct tree *t)
{
	uint32_t *order = must(malloc((t->n + 1u) * sizeof *order)), n = 0;
	for (uint32_t i = 1; i < t->n; i++)
		order[n++] = i;
	qsort_r(order, n, sizeof *order, larger, t->at);
	while (n--) {
		struct node *x = &t->at[order[n]], *parent = &t->at[x->parent];
		x->sibling = parent->first_child;
		parent->first_child = order[n];
	}
	free(order);
}

/* ---- rows ----------------------------------------------------------------------------------------------------------------- */

/* Dots, because blanks at the beginning do not survive in Markdown and HTML. */
static const char *moved_in(struct arena *mem, uint32_t depth, struct span name)
{
	char *text = arena_alloc(mem, depth * 2 + name.n + 1);
	for (uint32_t i = 0; i < depth; i++)
		memcpy(text + i * 2, ". ", 2);
	memcpy(text + depth * 2, name.n ? name.p : "", name.n);
	return text;
}

static void put_node(struct table *out, const struct tree *t, uint32_t i)
{
	const struct node *x = &t->at[i];
	struct span name = t->index.at[x->op].name;
	struct cell *row = table_row(out);
	cell_int(&row[COL_OP_TREE_NODE], i);
	if (x->parent)
		cell_int(&row[COL_OP_TREE_PARENT], x->parent);
	cell_int(&row[COL_OP_TREE_DEPTH], x->depth - 1);
	cell_text(&row[COL_OP_TREE_TREE], moved_in(out->mem, x->depth - 1, name));
	cell_int(&row[COL_OP_TREE_CALLS], x->calls);
	cell_int(&row[COL_OP_TREE_DEVICE_TOTAL], x->device_ns);
	cell_int(&row[COL_OP_TREE_DEVICE_SELF], x->device_self_ns);
	cell_pct(&row[COL_OP_TREE_DEVICE_PCT], x->device_ns, t->at[0].device_ns - t->at[0].device_self_ns);
	cell_int(&row[COL_OP_TREE_HOST_TOTAL], x->host_ns);
	cell_int(&row[COL_OP_TREE_HOST_SELF], x->host_ns - x->inner_ns);
	cell_int(&row[COL_OP_TREE_LAUNCHES], x->works);
	cell_text(&row[COL_OP_TREE_OP], arena_strndup(out->mem, name.p, name.n));
	const struct columns *c = derived_columns(t->d);
	table_evidence(out, c->start_ns[x->longest], row_end(c, x->longest), &x->longest, 1);
}

/* Down first, then along; back up by the parents. */
static void put_nodes(struct table *out, const struct tree *t)
{
	uint32_t i = t->n ? t->at[0].first_child : 0;
	while (i) {
		put_node(out, t, i);
		if (t->at[i].first_child) {
			i = t->at[i].first_child;
			continue;
		}
		while (i && !t->at[i].sibling)
			i = t->at[i].parent;
		i = i ? t->at[i].sibling : 0;
	}
}

/* ---- threads, read by two where there are many rows --------------------------------------------------------------- */

static void tree_begin(struct tree *t, const struct derived *d, const struct query *q, struct arena *mem,
		       struct progress *p)
{
	t->d = d;
	t->q = q;
	t->progress = p;
	op_index_init(&t->index, d, mem);
	node_of(t, 0, NO_OP);
}

static void tree_free(struct tree *t)
{
	op_index_free(&t->index);
	idmap_free(&t->by_call);
	free(t->at);
}

static bool read_threads(void *reader, uint32_t from, uint32_t to)
{
	struct tree *t = reader;
	for (uint32_t i = from; i < to && !t->cancelled; i++) {
		const struct track_info *k = trace_track(derived_trace(t->d), i);
		if (k->kind == TRACK_THREAD && derived_is_host_track(k))
			read_thread(t, i);
	}
	return !t->cancelled;
}

static void add_node(struct node *to, const struct node *from, const int64_t *dur_ns)
{
	to->calls += from->calls;
	to->host_ns += from->host_ns;
	to->inner_ns += from->inner_ns;
	to->device_ns += from->device_ns;
	to->device_self_ns += from->device_self_ns;
	to->works += from->works;
	if (from->longest != NONE_ID && (to->longest == NONE_ID || dur_ns[from->longest] > dur_ns[to->longest]))
		to->longest = from->longest;
}

/* As if the first one had read on: nodes come after the ones around them, and what is new in the order met. */
static void join(struct tree *t, const struct tree *more)
{
	const uint32_t *op = op_index_join(&t->index, &more->index);
	uint32_t *here = must(calloc(more->n + 1u, sizeof *here));
	for (uint32_t i = 0; i < more->n; i++) {
		const struct node *x = &more->at[i];
		here[i] = i ? node_of(t, here[x->parent], op[x->op]) : 0;
		add_node(&t->at[here[i]], x, derived_columns(t->d)->dur_ns);
	}
	free(here);
}

static struct table *run_op_tree(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	struct {
		READER_APART struct tree tree;
	} of[2] = {0};
	struct tree *t = &of[0].tree, *more = &of[1].tree;
	struct halves h = halves_of_threads(d);
	struct arena apart = {0};
	struct table *out = table_new(mem, &op_tree_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	tree_begin(t, d, q, mem, p);
	if (halves_two(&h))
		tree_begin(more, d, q, &apart, p);
	bool whole = halves_read(&h, read_threads, t, more);
	if (halves_two(&h))
		join(t, more);
	roll_up(t);
	link_children(t);
	put_nodes(out, t);
	tree_free(t);
	if (halves_two(&h))
		tree_free(more);
	arena_free(&apart); /* what is shown was copied */
	return whole ? out : (err_usage(e, "cancelled"), NULL);
}

const struct table_desc op_tree_desc = {
	.name = "op_tree",
	.title = "Op tree",
	.help = "which op calls which, with its time on the host and the device work that it starts",
	TABLE_COLUMNS(columns),
	.run = run_op_tree,
	.first = COLUMN_LIST(COL_OP_TREE_TREE, COL_OP_TREE_DEVICE_PCT, COL_OP_TREE_DEVICE_TOTAL,
			     COL_OP_TREE_DEVICE_SELF, COL_OP_TREE_HOST_TOTAL, COL_OP_TREE_HOST_SELF, COL_OP_TREE_CALLS),
	.lead = 2,
	.report = {.intro = "which op calls which; device time: of what it and the ops in it launch",
		   .brief = COLUMN_LIST(COL_OP_TREE_TREE, COL_OP_TREE_CALLS, COL_OP_TREE_DEVICE_TOTAL,
					COL_OP_TREE_DEVICE_PCT, COL_OP_TREE_HOST_TOTAL, COL_OP_TREE_HOST_SELF),
		   .wide = COLUMN_LIST(COL_OP_TREE_TREE, COL_OP_TREE_CALLS, COL_OP_TREE_LAUNCHES,
				       COL_OP_TREE_DEVICE_TOTAL, COL_OP_TREE_DEVICE_SELF, COL_OP_TREE_DEVICE_PCT,
				       COL_OP_TREE_HOST_TOTAL, COL_OP_TREE_HOST_SELF)},
	.vs = {.key = COLUMN_LIST(COL_OP_TREE_DEPTH, COL_OP_TREE_OP),
	       .sums = COLUMN_LIST(COL_OP_TREE_HOST_SELF, COL_OP_TREE_DEVICE_SELF, COL_OP_TREE_CALLS)},
};
