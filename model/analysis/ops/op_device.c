/* Device ops: one pass over every stream. */
#include "op_parts.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>
#include <string.h>

enum { EAGER = 1, KNOWN = 2, COUNTS = 4 }; /* launched op by op; whether the trace tells; op_row_counts() */
struct open_work {
	uint32_t cell; /* op_cell() */
	uint32_t is;   /* of these bits; one word as in op_host.c */
};
struct device_reader {
	struct op_pass *p;
	struct innermost m;
	bool one_by_one; /* what the stream under way does: each has all of its time to itself */
	struct open_work *open, next;
	uint32_t cap;
	struct run_count {
		uint32_t cell, n;
	} * first, *counts; /* of each name in its first cell, by string id; elsewhere, see `runs` */
	struct idmap runs;  /* (cell, name of the work) -> place in counts */
	uint32_t texts, n_counts, cap_counts;
	uint8_t *launched_by; /* one bit per event: an op that was counted */
	struct extent {
		int64_t a_ns, b_ns, self_ns;
	} extent; /* xprof: of the device under way */
};

/* ---- how often ------------------------------------------------------------------------------------------------------ */

/* True for an op that has not been met before. */
static bool first_time(struct device_reader *v, row_id by)
{
	if (!v->launched_by) {
		size_t bytes = derived_columns(v->p->d)->n / 8 + 1;
		v->launched_by = must(malloc(bytes));
		memset(v->launched_by, 0, bytes);
	}
	uint8_t bit = (uint8_t)(1u << (by & 7));
	bool fresh = !(v->launched_by[by >> 3] & bit);
	v->launched_by[by >> 3] |= bit;
	return fresh;
}

/* What ran: the kernel by its name; for the reference tool the instruction of a program, whatever kernels it takes. */
static uint32_t runner(const struct device_reader *v, row_id r)
{
	enum { INSTRUCTION = 1u << 31 };
	const struct hlo_info *h = v->p->index.xprof ? trace_hlo(derived_trace(v->p->d), r) : NULL;
	return h && h->known ? INSTRUCTION | trace_hlo_row(derived_trace(v->p->d), r)
			     : derived_columns(v->p->d)->name[r];
}

/* Most names run in one cell alone; NULL: in another one before, or it is an instruction. */
static struct run_count *in_first_cell(struct device_reader *v, uint32_t cell, uint32_t runner)
{
	if (runner >= v->texts)
		return NULL;
	if (!v->first)
		v->first = touched_zeroed(v->texts, sizeof *v->first);
	struct run_count *x = &v->first[runner];
	if (!x->n)
		x->cell = cell;
	return x->cell == cell ? x : NULL;
}

static void count_run(struct device_reader *v, uint32_t cell, row_id r)
{
	uint32_t what = runner(v, r);
	struct run_count *first = in_first_cell(v, cell, what);
	if (first) {
		first->n++;
		return;
	}
	uint32_t i = *idmap_put(&v->runs, (uint64_t)cell << 32 | what, v->n_counts);
	if (i == v->n_counts) {
		GROW_ARRAY(v->counts, v->n_counts, v->cap_counts);
		v->counts[v->n_counts++] = (struct run_count){cell, 0};
	}
	v->counts[i].n++;
}

static void take_most(int64_t *most, const struct run_count *counts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (counts[i].n > most[counts[i].cell])
			most[counts[i].cell] = counts[i].n;
}

/* The runs of the kernel that ran most often, beside the ops that launched. */
static void add_runs(struct device_reader *v)
{
	int64_t *most = arena_alloc(v->p->mem, (v->p->out->n + 1u) * sizeof *most);
	take_most(most, v->first, v->first ? v->texts : 0);
	take_most(most, v->counts, v->n_counts);
	for (uint32_t i = 0; i < v->p->out->n; i++)
		v->p->out->at[i].side[OP_DEVICE].occurrences += most[i];
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static void count_self(struct device_reader *v, const struct open_work *o, int64_t self_ns)
{
	struct op_side *s = op_side_of(v->p, o->cell, OP_DEVICE);
	s->self_ns += self_ns;
	s->leaf_ns += self_ns;
	s->counted_ns += o->is & COUNTS ? self_ns : 0;
	s->eager |= (o->is & EAGER) != 0;
	s->eager_ns += o->is & EAGER ? self_ns : 0;
	s->known_ns += o->is & KNOWN ? self_ns : 0;
	v->extent.self_ns += self_ns;
}

static void opened(void *arg, uint32_t id, uint32_t at)
{
	struct device_reader *v = arg;
	(void)id;
	GROW_ARRAY(v->open, at, v->cap);
	v->open[at] = v->next;
}

static void done(void *arg, uint32_t id, int64_t self_ns)
{
	struct device_reader *v = arg;
	(void)id;
	count_self(v, &v->open[v->m.n], self_ns);
}

static const struct innermost_calls calls = {.done = done, .opened = opened};

static bool nests(const struct derived *d, row_id r)
{
	return derived_columns(d)->kind[r] == KIND_DEVICE_OTHER;
}

static void keep_shape(struct op_pass *p, uint32_t cell, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_texts(derived_trace(p->d), r);
	if (k && k->shape && !p->out->at[cell].shape)
		p->out->at[cell].shape = trace_str(derived_trace(p->d), k->shape);
}

static enum verdict uses_tc(struct device_reader *v, str_id name)
{
	return (enum verdict)derived_kernel_facts(v->p->d, name)->uses_tc;
}

static void count_kernel(struct device_reader *v, struct op_side *s, str_id name, int64_t clipped_ns)
{
	enum verdict tc = uses_tc(v, name);
	s->kernel_ns += tc == VERDICT_UNKNOWN ? 0 : clipped_ns;
	s->tc_ns += tc == VERDICT_YES ? clipped_ns : 0;
}

static void count_cost(struct device_reader *v, row_id r, row_id by, bool fresh)
{
	uint32_t device = trace_track(derived_trace(v->p->d), derived_columns(v->p->d)->track[r])->device;
	struct cost_piece x = {r,    by, v->next.cell, device, (uint8_t)uses_tc(v, derived_columns(v->p->d)->name[r]),
			       fresh};
	struct op_work *work = &op_side_of(v->p, v->next.cell, OP_DEVICE)->work;
	if (v->p->index.xprof)
		op_costs_take_reference(v->p->costs, &x, work);
	else
		op_costs_take(v->p->costs, &x, work);
}

static void count_begin(struct device_reader *v, row_id r, row_id by, int64_t clipped_ns, bool starts)
{
	const struct columns *c = derived_columns(v->p->d);
	uint32_t cell = v->next.cell;
	struct op_side *s = op_side_of(v->p, cell, OP_DEVICE);
	s->total_ns += clipped_ns;
	s->pieces += starts;
	bool fresh = starts && by != NONE_ID && first_time(v, by);
	s->occurrences += fresh;
	if (starts && by == NONE_ID)
		count_run(v, cell, r);
	if (starts && v->p->costs)
		count_cost(v, r, by, fresh);
	if (s->longest == NONE_ID || c->dur_ns[r] > s->longest_ns) {
		s->longest = r;
		s->longest_ns = c->dur_ns[r];
	}
	if (c->kind[r] == KIND_KERNEL)
		count_kernel(v, s, c->name[r], clipped_ns);
	keep_shape(v->p, cell, r);
}

static void take_work(struct device_reader *v, row_id r)
{
	struct op_pass *p = v->p;
	const struct columns *c = derived_columns(p->d);
	row_id by, launch = c->link[r];
	uint32_t op = op_index_work(&p->index, r, &by);
	int64_t a_ns = c->start_ns[r], b_ns = row_end(derived_columns(p->d), r);
	bool starts = query_holds(p->q, a_ns);
	query_clip(p->q, &a_ns, &b_ns);
	if (op == NO_OP && p->index.xprof)
		return;
	bool known = (launch != NONE_ID || p->eager.xprof) && op_eager_known(&p->eager);
	bool eager = launch != NONE_ID && op_eager_row(&p->eager, launch);
	uint32_t cell = op_cell(p, op == NO_OP ? op_index_lacking(&p->index, r) : op, by == NONE_ID ? launch : by, r);
	v->next.cell = cell;
	v->next.is = (eager ? EAGER : 0) | (known ? KNOWN : 0) | (op_row_counts(p, r) ? COUNTS : 0);
	count_begin(v, r, by, b_ns - a_ns, starts);
	if (v->one_by_one || (p->index.xprof && !nests(p->d, r)))
		count_self(v, &v->next, b_ns - a_ns);
	else
		innermost_open_by(&v->m, &calls, r, a_ns, b_ns);
}

/* ---- streams ---------------------------------------------------------------------------------------------------------- */

static void extend(struct extent *e, int64_t a_ns, int64_t b_ns)
{
	e->a_ns = a_ns < e->a_ns ? a_ns : e->a_ns;
	e->b_ns = b_ns > e->b_ns ? b_ns : e->b_ns;
}

static void read_stream(struct device_reader *v, uint32_t track)
{
	struct op_pass *p = v->p;
	struct event_iter it = event_iter(derived_trace(p->d), track, p->q->a_ns, p->q->b_ns, KINDS_ALL);
	const struct track_info *k = trace_track(derived_trace(p->d), track);
	v->one_by_one = k->n_rows == 1 && !k->overlaps;
	v->m = (struct innermost){.opened = opened, .done = done, .arg = v};
	while (event_next(&it)) {
		if ((it.row & 0xffff) == 0 && progress_cancelled(p->progress))
			p->cancelled = true;
		text_facts_ahead(p->d, it.row);
		extend(&v->extent, derived_columns(p->d)->start_ns[it.row], row_end(derived_columns(p->d), it.row));
		if (row_is_work(derived_columns(p->d), it.row) && event_wanted(p->d, p->q, it.row))
			take_work(v, it.row);
	}
	innermost_close_all(&v->m);
}

/* Streams that overlap leave more time without work than their sum says. */
static int64_t device_idle(const struct op_pass *p, uint32_t device)
{
	const struct intervals *busy = derived_busy_device(p->d, device);
	if (!busy->n)
		return 0;
	int64_t a_ns = busy->at[0].a_ns, b_ns = busy->at[busy->n - 1].b_ns;
	query_clip(p->q, &a_ns, &b_ns);
	return a_ns < b_ns ? derived_watched_ns(p->d, device, a_ns, b_ns) - intervals_within(busy, a_ns, b_ns) : 0;
}

static void read_device(struct device_reader *v, uint32_t device)
{
	struct op_pass *p = v->p;
	v->extent = (struct extent){INT64_MAX, INT64_MIN, 0};
	uint32_t n;
	const uint32_t *streams = device_streams(p->d, device, &n);
	for (uint32_t i = 0; i < n && !p->cancelled; i++)
		read_stream(v, streams[i]);
	int64_t span_ns = v->extent.b_ns > v->extent.a_ns ? v->extent.b_ns - v->extent.a_ns : 0;
	int64_t self_ns = v->extent.self_ns, total_ns = self_ns > span_ns ? self_ns : span_ns;
	p->out->total_ns[OP_DEVICE] += total_ns;
	p->out->self_ns[OP_DEVICE] += self_ns;
	p->out->idle_ns[OP_DEVICE] += p->index.xprof ? total_ns - self_ns : device_idle(p, device);
}

static struct op_work *work_of_cell(void *arg, uint32_t cell)
{
	return &op_side_of(arg, cell, OP_DEVICE)->work;
}

void op_device_pass(struct op_pass *p)
{
	struct device_reader v = {.p = p, .texts = strings_count(trace_strings(derived_trace(p->d))) + 1u};
	for (uint32_t i = 0; i < trace_devices(derived_trace(p->d)) && !p->cancelled; i++) {
		p->out->tracks[OP_DEVICE] = true;
		read_device(&v, i);
	}
	add_runs(&v);
	if (p->costs)
		op_costs_settle(p->costs, work_of_cell, p);
	idmap_free(&v.runs);
	free(v.first);
	free(v.counts);
	free(v.open);
	free(v.launched_by);
}
