/* iterations: what a server does over and over, one row for each turn. */
#include "graphs.h"
#include "iteration_products.h"
#include "iterations_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/rules/peaks.h"
#include "model/query.h"
#include <math.h>

TABLE_DECL(iterations);

static const struct column columns[] = {ITERATIONS_COLUMNS(COLUMN_ROW)};

/* What rows are filled with. */
struct filling {
	const struct derived *d;
	const struct peak_table *peaks;
	struct family_memo families;
	uint32_t calls_of; /* process of which call_ns is known; NONE_ID: of none */
	int64_t call_ns;   /* what a call that launches one kernel takes there */
};

static void label_cells(struct cell *row, const struct iteration *x)
{
	const struct iteration_label *l = &x->label;
	cell_int(&row[COL_ITERATIONS_ITERATION], l->number == UNKNOWN_I64 ? x->index : l->number);
	cell_text(&row[COL_ITERATIONS_KIND], iteration_kind_name(l->kind));
	cell_int(&row[COL_ITERATIONS_REQUESTS], l->requests);
	cell_int(&row[COL_ITERATIONS_TOKENS], l->tokens);
	cell_int(&row[COL_ITERATIONS_PREFILL], l->prefill_tokens);
	cell_int(&row[COL_ITERATIONS_DECODE], l->decode_tokens);
	cell_int(&row[COL_ITERATIONS_CONTEXT], l->context_tokens);
	cell_text(&row[COL_ITERATIONS_SERVER], l->server);
}

/* Of tokens that it looks back at some part is unknown where the label does not tell them: so is the floor, if they cost bytes. */
static double floor_ns(const struct derived *d, const struct peaks *peaks, const struct iteration *x)
{
	const struct derived_opts *o = derived_options(d);
	bool looks_back = o->kv_bytes_per_token > 0;
	if (!(o->parameter_bytes > 0) || (looks_back && x->label.context_tokens == UNKNOWN_I64))
		return NAN;
	double cache = looks_back ? o->kv_bytes_per_token * (double)x->label.context_tokens : 0;
	return (o->parameter_bytes + cache) / peaks->memory_bytes_per_s * 1e9;
}

static void floor_cells(struct cell *row, const struct filling *f, const struct peaks *peaks, const struct iteration *x)
{
	double ns = floor_ns(f->d, peaks, x);
	if (!isfinite(ns))
		return;
	cell_int(&row[COL_ITERATIONS_FLOOR], llround(ns));
	if (x->dur_ns > 0)
		cell_real(&row[COL_ITERATIONS_FLOOR_PCT], 100 * ns / (double)x->dur_ns);
}

static void product_cells(struct cell *row, const struct filling *f, const struct peaks *peaks,
			  const struct iteration *x)
{
	struct iteration_products p = iteration_products_of(f->d, x, &f->families, peaks);
	if (!(p.flops > 0))
		return;
	cell_real(&row[COL_ITERATIONS_GEMM], p.flops);
	cell_pct(&row[COL_ITERATIONS_GEMM_KNOWN], p.told_ns, p.all_ns);
	if (!isfinite(p.peak_ns))
		return;
	cell_int(&row[COL_ITERATIONS_GEMM_PEAK], llround(p.peak_ns));
	if (p.told_ns > 0)
		cell_real(&row[COL_ITERATIONS_GEMM_PCT], 100 * p.peak_ns / (double)p.told_ns);
}

static void device_cells(struct cell *row, const struct iteration *x)
{
	if (x->device == NONE_ID)
		return;
	cell_int(&row[COL_ITERATIONS_FIRST], x->first_ns);
	cell_int(&row[COL_ITERATIONS_DUR], x->dur_ns);
	cell_int(&row[COL_ITERATIONS_DEVICE_NS], x->device_ns);
	cell_pct(&row[COL_ITERATIONS_IDLE_PCT], x->dur_ns - x->device_ns, x->dur_ns);
	cell_int(&row[COL_ITERATIONS_BETWEEN], x->between_ns);
	cell_int(&row[COL_ITERATIONS_WORK], x->work);
	cell_pct(&row[COL_ITERATIONS_GRAPH], x->graph_ns, x->work_ns);
	cell_pct(&row[COL_ITERATIONS_ATTENTION], x->attention_ns, x->kernel_ns);
	if (x->dur_ns > 0 && x->label.tokens != UNKNOWN_I64)
		cell_real(&row[COL_ITERATIONS_RATE], (double)x->label.tokens * 1e9 / (double)x->dur_ns);
}

static void graph_cells(struct cell *row, struct filling *f, const struct iteration *x)
{
	uint32_t process = trace_track(derived_trace(f->d), x->track)->process;
	if (!x->graph_calls)
		return;
	if (f->calls_of != process)
		f->call_ns = kernel_call_ns(f->d, process);
	f->calls_of = process;
	cell_int(&row[COL_ITERATIONS_GRAPHS], x->graph_calls);
	cell_int(&row[COL_ITERATIONS_OUTSIDE], x->outside_kernels);
	cell_int(&row[COL_ITERATIONS_OUTSIDE_NS], x->outside_ns);
	cell_int(&row[COL_ITERATIONS_SAVED], graph_calls_saved(f->call_ns, x->graph_work, x->graph_calls_ns));
}

static void padding_cells(struct cell *row, const struct iteration *x)
{
	if (x->captured_by == CAPTURED_UNKNOWN)
		return;
	cell_int(&row[COL_ITERATIONS_CAPTURED], x->captured_tokens);
	cell_text(&row[COL_ITERATIONS_CAPTURED_BY], x->captured_by == CAPTURED_BY_GRID ? "grid" : "replays");
	cell_pct(&row[COL_ITERATIONS_PADDING], x->captured_tokens - x->label.tokens, x->captured_tokens);
}

/* The longest event of the thread between the label and the next one: what an outer function does is told by its name. */
static row_id longest_between(const struct derived *d, const struct iteration *x)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), x->track);
	row_id longest = NONE_ID;
	for (row_id r = first_row_from(c, k, x->end_ns); r < k->first + k->n && c->start_ns[r] < x->next_ns; r++)
		if (row_end(c, r) <= x->next_ns && (longest == NONE_ID || c->dur_ns[r] > c->dur_ns[longest]))
			longest = r;
	return longest;
}

static void host_cells(struct cell *row, const struct derived *d, const struct iteration *x, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	char text[128];
	cell_int(&row[COL_ITERATIONS_START], x->start_ns);
	cell_int(&row[COL_ITERATIONS_LABEL_NS], x->end_ns - x->start_ns);
	cell_int(&row[COL_ITERATIONS_BEFORE], x->host_before_ns);
	cell_int(&row[COL_ITERATIONS_HOST], x->host_between_ns);
	cell_text(&row[COL_ITERATIONS_THREAD], arena_strdup(mem, trace_track_label(t, x->track, text, sizeof text)));
	row_id longest = x->next_ns == UNKNOWN_I64 ? NONE_ID : longest_between(d, x);
	if (longest == NONE_ID)
		return;
	cell_text(&row[COL_ITERATIONS_EVENT], trace_str(t, derived_columns(d)->name[longest]));
	cell_int(&row[COL_ITERATIONS_EVENT_NS], derived_columns(d)->dur_ns[longest]);
}

static void add_row(struct table *out, struct filling *f, const struct iteration *x)
{
	const struct derived *d = f->d;
	struct cell *row = table_row(out);
	bool works = x->device != NONE_ID;
	int64_t behind_ns = x->next_ns == UNKNOWN_I64 ? x->end_ns : x->next_ns;
	label_cells(row, x);
	cell_rank(&row[COL_ITERATIONS_RANK], derived_trace(d), x->host);
	cell_host(&row[COL_ITERATIONS_HOST_NAME], derived_trace(d), x->host);
	cell_device(&row[COL_ITERATIONS_DEVICE], derived_trace(d), x->device);
	device_cells(row, x);
	if (works) {
		struct peaks peaks = peaks_of(f->peaks, derived_trace(d), x->device);
		floor_cells(row, f, &peaks, x);
		product_cells(row, f, &peaks, x);
		graph_cells(row, f, x);
		padding_cells(row, x);
	}
	cell_bool(&row[COL_ITERATIONS_WHOLE], x->whole);
	host_cells(row, d, x, out->mem);
	table_evidence(out, works ? x->first_ns : x->start_ns, works ? x->first_ns + x->dur_ns : behind_ns, &x->marker,
		       1);
}

/* Those that begin inside the window on the device, else on the host, with whole times. */
static struct table *run_iterations(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	const struct iterations *v = iterations_of(d, p, e);
	struct peak_table *peaks = v ? peaks_builtin(e) : NULL;
	if (!peaks)
		return NULL;
	struct family_rules *rules = family_rules_own_or_builtin(derived_options(d)->own_families);
	struct filling f = {.d = d, .peaks = peaks, .calls_of = NONE_ID};
	f.families = derived_families(d, rules);
	struct table *out = table_new(mem, &iterations_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < v->n; i++)
		if (query_holds(q, v->at[i].device != NONE_ID ? v->at[i].first_ns : v->at[i].start_ns) &&
		    event_wanted(d, q, v->at[i].marker))
			add_row(out, &f, &v->at[i]);
	family_rules_free(rules);
	peaks_free(peaks);
	return out;
}

const struct table_desc iterations_desc = {
	.name = "iterations",
	.title = "Iterations",
	.help = "iterations of a server: requests and tokens, time on the device, and what the host does in between",
	TABLE_COLUMNS(columns),
	.run = run_iterations,
	.first = COLUMN_LIST(COL_ITERATIONS_ITERATION, COL_ITERATIONS_KIND, COL_ITERATIONS_REQUESTS, COL_ITERATIONS_DUR,
			     COL_ITERATIONS_DEVICE_NS, COL_ITERATIONS_IDLE_PCT, COL_ITERATIONS_BETWEEN,
			     COL_ITERATIONS_RATE, COL_ITERATIONS_FLOOR_PCT, COL_ITERATIONS_TOKENS, COL_ITERATIONS_GRAPH,
			     COL_ITERATIONS_OUTSIDE, COL_ITERATIONS_EVENT),
	.lead = 2,
	.report = {.intro = "what the server does over and over, turn by turn",
		   .brief = COLUMN_LIST(COL_ITERATIONS_ITERATION, COL_ITERATIONS_KIND, COL_ITERATIONS_REQUESTS,
					COL_ITERATIONS_DUR, COL_ITERATIONS_DEVICE_NS, COL_ITERATIONS_IDLE_PCT,
					COL_ITERATIONS_RATE),
		   .wide = COLUMN_LIST(COL_ITERATIONS_ITERATION, COL_ITERATIONS_KIND, COL_ITERATIONS_REQUESTS,
				       COL_ITERATIONS_TOKENS, COL_ITERATIONS_CONTEXT, COL_ITERATIONS_DEVICE,
				       COL_ITERATIONS_DUR, COL_ITERATIONS_DEVICE_NS, COL_ITERATIONS_IDLE_PCT,
				       COL_ITERATIONS_BETWEEN, COL_ITERATIONS_RATE, COL_ITERATIONS_GRAPH,
				       COL_ITERATIONS_OUTSIDE, COL_ITERATIONS_PADDING, COL_ITERATIONS_EVENT),
		   .sort = COLUMN_LIST(COL_ITERATIONS_DUR)},
	.vs = {.why_not = "single iterations have none: iteration_kinds has their means, and --window A --vs-window B "
			  "compares two stretches"},
};
