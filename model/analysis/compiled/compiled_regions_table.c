/* compiled_regions: what torch.compile compiled, one row for each compilation of a frame and each place that calls it. */
#include "regions.h"
#include "regions_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include <string.h>

TABLE_DECL(compiled_regions);

static const struct column columns[] = {COMPILED_REGIONS_COLUMNS(COLUMN_ROW)};

struct region_sum {
	str_id name, caller; /* of the regions' events; 0 = no caller */
	uint32_t host, calls, breaks;
	struct part_sum graphs, eager;
	int64_t ns, compile_ns;
	row_id longest, longest_eager;
};

static void add_sum(struct part_sum *to, const struct part_sum *x)
{
	to->n += x->n;
	to->ns += x->ns;
	to->work += x->work;
	to->device_ns += x->device_ns;
}

static void take_longer(const struct derived *d, row_id *longest, row_id r)
{
	const int64_t *dur_ns = derived_columns(d)->dur_ns;
	if (r != NONE_ID && (*longest == NONE_ID || dur_ns[r] > dur_ns[*longest]))
		*longest = r;
}

static void add(struct region_sum *s, const struct derived *d, const struct region *x)
{
	s->calls++;
	s->breaks += x->nested;
	s->ns += derived_columns(d)->dur_ns[x->row];
	s->compile_ns += x->compile_ns;
	add_sum(&s->graphs, &x->graphs);
	add_sum(&s->eager, &x->eager);
	take_longer(d, &s->longest, x->row);
	take_longer(d, &s->longest_eager, x->longest_eager);
}

static struct region_sum *sum_of(struct region_sum **sums, uint32_t *n, struct arena *mem, const struct region_sum *key)
{
	for (uint32_t i = 0; i < *n; i++)
		if ((*sums)[i].name == key->name && (*sums)[i].caller == key->caller && (*sums)[i].host == key->host)
			return &(*sums)[i];
	*sums = arena_next_row(mem, *sums, *n, sizeof **sums);
	(*sums)[*n] = *key;
	return &(*sums)[(*n)++];
}

/* "model.py(35): forward": frames of PyTorch stand around every function. */
static const char *function_in(const struct derived *d, row_id region)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[region]);
	for (row_id r = region + 1; r < k->first + k->n && c->start_ns[r] < row_end(c, region); r++) {
		const char *name = trace_str(derived_trace(d), c->name[r]);
		if (c->kind[r] == KIND_PYTHON && strstr(name, ".py(") && !strstr(name, "torch/"))
			return name;
	}
	return NULL;
}

static const char *id_of(const struct derived *d, str_id name)
{
	const char *text = trace_str(derived_trace(d), name), *id = strstr(text, ": ");
	return name && id ? id + 2 : NULL;
}

/* Unknown where the trace does not mark calls of compiled graphs. */
static void part_cells(struct cell *row, const struct derived *d, const struct region_sum *s)
{
	cell_int(&row[COL_COMPILED_REGIONS_GRAPHS], s->graphs.n);
	cell_int(&row[COL_COMPILED_REGIONS_GRAPH_NS], s->graphs.ns);
	cell_int(&row[COL_COMPILED_REGIONS_OPS], s->eager.n);
	cell_int(&row[COL_COMPILED_REGIONS_EAGER_NS], s->eager.ns);
	if (s->longest_eager != NONE_ID)
		cell_text(&row[COL_COMPILED_REGIONS_EAGER],
			  trace_str(derived_trace(d), derived_columns(d)->name[s->longest_eager]));
	cell_int(&row[COL_COMPILED_REGIONS_WORK], s->graphs.work);
	cell_int(&row[COL_COMPILED_REGIONS_DEVICE], s->graphs.device_ns);
	cell_int(&row[COL_COMPILED_REGIONS_EAGER_DEVICE], s->eager.device_ns);
}

static void add_row(struct table *out, const struct derived *d, const struct region_sum *s, bool graphs_told)
{
	const struct columns *c = derived_columns(d);
	struct cell *row = table_row(out);
	cell_text(&row[COL_COMPILED_REGIONS_REGION], id_of(d, s->name));
	cell_text(&row[COL_COMPILED_REGIONS_CALLER], id_of(d, s->caller));
	cell_text(&row[COL_COMPILED_REGIONS_FUNCTION], function_in(d, s->longest));
	cell_rank(&row[COL_COMPILED_REGIONS_RANK], derived_trace(d), s->host);
	cell_int(&row[COL_COMPILED_REGIONS_CALLS], s->calls);
	cell_int(&row[COL_COMPILED_REGIONS_TIME], s->ns);
	cell_int(&row[COL_COMPILED_REGIONS_BREAKS], s->breaks);
	cell_int(&row[COL_COMPILED_REGIONS_COMPILE], s->compile_ns);
	if (graphs_told)
		part_cells(row, d, s);
	row_id rows[] = {s->longest, s->longest_eager};
	table_evidence(out, c->start_ns[s->longest], row_end(c, s->longest), rows, s->longest_eager == NONE_ID ? 1 : 2);
}

static struct table *run_compiled_regions(const struct derived *d, const struct query *q, struct arena *mem,
					  struct progress *p, struct err *e)
{
	struct regions v;
	struct region_sum *sums = NULL;
	uint32_t n = 0;
	struct table *out = table_new(mem, &compiled_regions_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!regions_read(d, q, &v, mem, p, e))
		return NULL;
	for (uint32_t i = 0; i < v.n; i++) {
		const struct columns *c = derived_columns(d);
		uint32_t around = v.at[i].around;
		struct region_sum key = {.name = c->name[v.at[i].row],
					 .caller = around == NONE_ID ? 0 : c->name[v.at[around].row],
					 .host = trace_track(derived_trace(d), c->track[v.at[i].row])->host,
					 .longest = NONE_ID,
					 .longest_eager = NONE_ID};
		add(sum_of(&sums, &n, mem, &key), d, &v.at[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		add_row(out, d, &sums[i], v.graphs_told);
	return out;
}

const struct table_desc compiled_regions_desc = {
	.name = "compiled_regions",
	.title = "Compiled regions",
	.help = "what torch.compile compiled: calls, graph breaks, and what still runs op by op between them",
	TABLE_COLUMNS(columns),
	.run = run_compiled_regions,
	.first = COLUMN_LIST(COL_COMPILED_REGIONS_REGION, COL_COMPILED_REGIONS_CALLS, COL_COMPILED_REGIONS_TIME,
			     COL_COMPILED_REGIONS_BREAKS, COL_COMPILED_REGIONS_GRAPH_NS, COL_COMPILED_REGIONS_EAGER_NS,
			     COL_COMPILED_REGIONS_EAGER, COL_COMPILED_REGIONS_CALLER, COL_COMPILED_REGIONS_FUNCTION),
	.report = {.intro = "what torch.compile compiled, and what of it runs op by op",
		   .brief = COLUMN_LIST(COL_COMPILED_REGIONS_REGION, COL_COMPILED_REGIONS_CALLS,
					COL_COMPILED_REGIONS_TIME, COL_COMPILED_REGIONS_BREAKS,
					COL_COMPILED_REGIONS_GRAPH_NS, COL_COMPILED_REGIONS_EAGER_NS),
		   .sort = COLUMN_LIST(COL_COMPILED_REGIONS_TIME)},
	.vs = {.key = COLUMN_LIST(COL_COMPILED_REGIONS_FUNCTION, COL_COMPILED_REGIONS_REGION),
	       .sums = COLUMN_LIST(COL_COMPILED_REGIONS_TIME, COL_COMPILED_REGIONS_GRAPH_NS,
				   COL_COMPILED_REGIONS_EAGER_NS, COL_COMPILED_REGIONS_BREAKS,
				   COL_COMPILED_REGIONS_CALLS)},
};
