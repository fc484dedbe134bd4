/* pipelines: the input pipelines of tf.data, how long their calls take, and what makes the slowest call slow. */
#include "iterators.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/shared_columns.h"

TABLE_DECL(pipelines);

/* clang-format off */
static const struct column columns[] = {
	COLUMN_ROW(PIPELINE, SHARED_PIPELINE)
	{"pipeline_kind", CELL_TEXT, UNIT_NONE, "host, or device (its root is the parent of an Iterator::Prefetch::Generator; no bottleneck is looked for there)"},
	{"root_calls", CELL_INT, UNIT_COUNT, "calls of the root iterator that start inside the window"},
	{"avg_ns", CELL_REAL, UNIT_NS, "mean length of such a call"},
	{"min_ns", CELL_INT, UNIT_NS, "shortest call"},
	{"max_ns", CELL_INT, UNIT_NS, "longest call"},
	{"slow_calls", CELL_INT, UNIT_COUNT, "calls longer than 50 us"},
	{"bottleneck", CELL_TEXT, UNIT_NONE, "in the longest call: the iterator that the root waited for with the most self time"},
	{"bottleneck_self_ns", CELL_INT, UNIT_NS, "that time: the iterator without its overlap with those it calls"},
	COLUMN_ROW(ADVICE, SHARED_ADVICE)
	{"bottleneck_long_name", CELL_TEXT, UNIT_NONE, "full name of the bottleneck: its callers up to the root"},
	COLUMN_ROW(HOST, SHARED_HOST)
	COLUMN_ROW(RANK, SHARED_RANK)
};
/* clang-format on */
enum { PIPELINE, KIND, CALLS, AVG_NS, MIN_NS, MAX_NS, SLOW_CALLS, BOTTLENECK, SELF_NS, ADVICE, ITERATOR, HOST, RANK };

static void pipeline_row(const struct derived *d, struct table *out, const struct iterators *v,
			 const struct pipeline *p)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = trace_columns(t);
	struct cell *row = table_row(out);
	cell_text(&row[PIPELINE], p->name);
	cell_text(&row[KIND], p->device ? "device" : "host");
	cell_int(&row[CALLS], p->calls);
	cell_real(&row[AVG_NS], (double)p->sum_ns / p->calls);
	cell_int(&row[MIN_NS], p->min_ns);
	cell_int(&row[MAX_NS], p->max_ns);
	cell_int(&row[SLOW_CALLS], p->slow_calls);
	cell_host(&row[HOST], t, p->host);
	cell_rank(&row[RANK], t, p->host);
	if (!p->device && p->bottleneck != NONE_ID) {
		const struct iterator *it = &v->at[p->bottleneck];
		cell_text(&row[BOTTLENECK], it->name);
		cell_int(&row[SELF_NS], p->bottleneck_self_ns);
		cell_text(&row[ITERATOR], it->longname);
		if (p->max_ns > SLOW_CALL_NS)
			cell_text(&row[ADVICE], iterator_advice(it->name, derived_options(d)->semantics == SEM_XPROF));
	}
	table_evidence(out, c->start_ns[p->slowest], c->start_ns[p->slowest] + c->dur_ns[p->slowest], &p->slowest, 1);
}

static struct table *run_pipelines(const struct derived *d, const struct query *q, struct arena *mem,
				   struct progress *p, struct err *e)
{
	struct iterators v;
	struct table *out = table_new(mem, &pipelines_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!iterators_read(d, q, mem, p, &v, e))
		return NULL;
	for (uint32_t i = 0; i < v.n_pipelines; i++)
		pipeline_row(d, out, &v, &v.pipelines[i]);
	return out;
}

const struct table_desc pipelines_desc = {
	.name = "pipelines",
	.title = "Pipelines",
	.help = "input pipelines of tf.data: how long their calls take and what makes them slow",
	TABLE_COLUMNS(columns),
	.run = run_pipelines,
	.vs = {.key = COLUMN_LIST(RANK, KIND, PIPELINE), .sums = COLUMN_LIST(AVG_NS, MAX_NS, CALLS), .whole = true},
};
