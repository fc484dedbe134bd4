/* Host ops: a pass over threads. */
#include "op_paired.h"
#include "model/store/base/grow.h"
#include "op_parts.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>
#include <string.h>

/* Begins in the window; starts device work, calls ops in itself; runs op by op; op_row_counts(); tf.data, or inside of it. */
enum { STARTS = 1, LAUNCHES = 2, CALLS = 4, EAGER = 8, COUNTS = 16, PIPELINE = 32 };
struct open_op {
	uint32_t cell; /* op_cell() */
	uint32_t is;   /* of these bits: one word, for what is written as bytes cannot be read as a word at once */
};
struct host_reader {
	struct op_pass *p;
	struct innermost m;
	struct open_op *open, next; /* as deep as the stack of `m`; the one about to be opened */
	uint32_t cap;
	struct op_paired paired;            /* xprof's way */
	int64_t first_ns, last_ns, self_ns; /* of the ops of the thread */
	str_id stage_cat, stage_id;
	struct arena scratch;
};

/* ---- stages that Grain and similar libraries name in an attribute ---------------------------------------------------------- */

static struct span value_span(struct host_reader *h, const struct attr *a)
{
	if (a->type == ATTR_REF)
		return strings_get(trace_strings(derived_trace(h->p->d)), (str_id)a->u);
	return (struct span){a->type == ATTR_STR ? arena_strndup(h->p->mem, a->p, a->n) : "",
			     a->type == ATTR_STR ? a->n : 0};
}

static uint32_t stage_of(struct host_reader *h, row_id r)
{
	const struct derived *d = h->p->d;
	struct attr *attrs;
	size_t n;
	struct span category = {"", 0};
	bool id = false;
	attr_at at = number_at(derived_columns(d)->attrs, r);
	if (!at || !attrs_read(trace_attrs(derived_trace(d)), at, &h->scratch, &attrs, &n))
		return NO_OP;
	for (size_t i = 0; i < n; i++) {
		if (attrs[i].key == h->stage_cat)
			category = value_span(h, &attrs[i]);
		id |= attrs[i].key == h->stage_id;
	}
	if (h->scratch.bytes > 1 << 20)
		arena_free(&h->scratch);
	if (!id || !category.n)
		return NO_OP;
	return op_index_span(&h->p->index, strings_get(trace_strings(derived_trace(d)), derived_columns(d)->name[r]),
			     category);
}

/* ---- sums ----------------------------------------------------------------------------------------------------------- */

static void count_begin(struct op_pass *p, uint32_t cell, row_id r, bool starts, int64_t clipped_ns)
{
	struct op_side *s = op_side_of(p, cell, OP_HOST);
	s->occurrences += starts;
	s->pieces += starts;
	s->total_ns += clipped_ns;
	int64_t dur_ns = derived_columns(p->d)->dur_ns[r];
	if (s->longest == NONE_ID || dur_ns > s->longest_ns) {
		s->longest = r;
		s->longest_ns = dur_ns;
	}
}

static void count_self(struct op_pass *p, const struct open_op *o, int64_t self_ns)
{
	struct op_side *s = op_side_of(p, o->cell, OP_HOST);
	bool starts = o->is & STARTS, eager = o->is & EAGER, counts = (o->is & (COUNTS | PIPELINE)) == COUNTS;
	s->self_ns += self_ns;
	s->eager |= eager;
	s->eager_ns += eager ? self_ns : 0;
	s->known_ns += op_eager_known(&p->eager) ? self_ns : 0;
	if (!(o->is & (LAUNCHES | CALLS))) {
		s->placed += starts;
		s->leaf_ns += self_ns;
		s->counted += counts && starts;
		s->counted_ns += counts ? self_ns : 0;
	}
}

static void opened(void *arg, uint32_t id, uint32_t at)
{
	struct host_reader *h = arg;
	(void)id;
	GROW_ARRAY(h->open, at, h->cap);
	h->open[at] = h->next;
	if (at) {
		h->open[at - 1].is |= CALLS;
		h->open[at].is |= h->open[at - 1].is & PIPELINE;
	}
}

static void done(void *arg, uint32_t id, int64_t self_ns)
{
	struct host_reader *h = arg;
	(void)id;
	h->self_ns += self_ns;
	count_self(h->p, &h->open[h->m.n], self_ns);
}

static const struct innermost_calls calls = {.done = done, .opened = opened};

/* Work that was captured into a graph, or got lost, has been launched all the same. */
static bool is_launch(const struct derived *d, row_id r)
{
	const struct columns *c = derived_columns(d);
	if (c->kind[r] != KIND_RUNTIME)
		return false;
	return c->link[r] != NONE_ID || cause_of_name(d, c->name[r]).section == CAUSE_LAUNCH;
}

/* All ops that are open run on a device. Below one that is marked all of them are. */
static void mark_launch(struct host_reader *h, int64_t start_ns)
{
	for (uint32_t i = h->m.n; i-- > 0 && !(h->open[i].is & LAUNCHES);)
		if (h->m.stack[i].end_ns > start_ns)
			h->open[i].is |= LAUNCHES;
}

static bool is_dataset(const struct op_entry *x)
{
	return span_is(x->type, "Dataset");
}

static void take_op(struct host_reader *h, row_id r, uint32_t op)
{
	struct op_pass *p = h->p;
	int64_t start_ns = derived_columns(p->d)->start_ns[r], a_ns = start_ns,
		b_ns = row_end(derived_columns(p->d), r);
	query_clip(p->q, &a_ns, &b_ns);
	bool pipeline = is_dataset(&p->index.at[op]);
	uint32_t cell = op_cell(p, op, r, NONE_ID);
	bool starts = start_ns == a_ns;
	h->next.cell = cell;
	h->next.is = (starts ? STARTS : 0) |
		     (pipeline                     ? PIPELINE
		      : op_eager_row(&p->eager, r) ? EAGER
						   : 0) |
		     (op_row_counts(p, r) ? COUNTS : 0);
	if (h->p->index.xprof) {
		op_paired_add(&h->paired, a_ns, b_ns, r, cell);
		return;
	}
	h->first_ns = a_ns < h->first_ns ? a_ns : h->first_ns;
	h->last_ns = b_ns > h->last_ns ? b_ns : h->last_ns;
	count_begin(p, cell, r, starts, b_ns - a_ns);
	innermost_open_by(&h->m, &calls, r, a_ns, b_ns);
}

/* ---- the reference tool's way ------------------------------------------------------------------------------------- */

static void take_pair(void *arg, const struct op_pair *x, int64_t self_ns)
{
	struct host_reader *h = arg;
	const struct derived *d = h->p->d;
	bool starts = derived_columns(d)->start_ns[x->row] == x->a_ns;
	struct open_op o = {.cell = x->op, .is = starts ? STARTS : 0};
	uint32_t op = h->p->split ? h->p->out->at[x->op].op : x->op;
	o.is |= !is_dataset(&h->p->index.at[op]) && op_eager_row(&h->p->eager, x->row) ? EAGER : 0;
	count_begin(h->p, x->op, x->row, starts, x->b_ns - x->a_ns);
	count_self(h->p, &o, self_ns);
}

static void close_thread(struct host_reader *h)
{
	struct op_paired *v = &h->paired;
	innermost_close_all(&h->m);
	if (h->last_ns > h->first_ns)
		h->p->out->idle_ns[OP_HOST] += h->last_ns - h->first_ns - h->self_ns;
	if (!v->n)
		return;
	int64_t self_ns = op_paired_sum(v, take_pair, h), span_ns = v->last_ns - v->first_ns;
	h->p->out->total_ns[OP_HOST] += self_ns > span_ns ? self_ns : span_ns;
	h->p->out->self_ns[OP_HOST] += self_ns;
	h->p->out->idle_ns[OP_HOST] += (self_ns > span_ns ? self_ns : span_ns) - self_ns;
}

/* ---- threads ------------------------------------------------------------------------------------------------------ */

static void read_thread(struct host_reader *h, uint32_t track)
{
	struct op_pass *p = h->p;
	const struct columns *c = derived_columns(p->d);
	struct event_iter it;
	struct event_rows rows = event_rows_open(&it, derived_trace(p->d), track, p->q->a_ns, p->q->b_ns);
	h->first_ns = INT64_MAX;
	h->last_ns = INT64_MIN;
	h->self_ns = 0;
	h->m = (struct innermost){.opened = opened, .done = done, .arg = h};
	for (row_id r; event_next_row(&it, &rows, &r);) {
		if ((r & 0xffff) == 0 && progress_cancelled(p->progress))
			p->cancelled = true;
		if (is_launch(p->d, r))
			mark_launch(h, c->start_ns[r]);
		uint32_t op = h->stage_cat ? stage_of(h, r) : NO_OP;
		if (op == NO_OP && op_index_may_be(&p->index, c->kind[r]))
			op = op_index_host(&p->index, r);
		if (op != NO_OP && (!p->q->filter || event_wanted(p->d, p->q, r)))
			take_op(h, r, op);
	}
	close_thread(h);
}

void op_host_pass(struct op_pass *p, uint32_t from, uint32_t to)
{
	struct host_reader h = {.p = p};
	const struct strings *s = trace_strings(derived_trace(p->d));
	h.stage_cat = strings_find(s, "_ipl_stage_cat", strlen("_ipl_stage_cat"));
	h.stage_id = strings_find(s, "_ipl_stage_id", strlen("_ipl_stage_id"));
	for (uint32_t i = from; i < to && !p->cancelled; i++) {
		const struct track_info *k = trace_track(derived_trace(p->d), i);
		if (k->kind != TRACK_THREAD || !derived_is_host_track(k))
			continue;
		p->out->tracks[OP_HOST] = true;
		read_thread(&h, i);
	}
	free(h.open);
	op_paired_free(&h.paired);
	arena_free(&h.scratch);
}
