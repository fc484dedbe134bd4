/* One screen: how much of the step is device work, how busy the devices are, the biggest gaps, the top kernels. */
#include "overview_parts.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/gaps/verdict.h"
#include "model/analysis/steps/idle.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/recorded/steps_source.h"
#include "model/analysis/steps/step_parts_table.h"
#include <math.h>
#include <string.h>

TABLE_DECL(overview);
TABLE_DECL(step_parts);

enum { TOP_GAPS = 3 };

/* ---- devices ---------------------------------------------------------------------------------------------------- */

struct busy {
	int64_t busy_ns, span_ns;
	int64_t a_ns, b_ns;
};

/* The span is the chosen window, or without one what lies between the device's first start and last end. */
static bool device_busy(const struct derived *d, const struct query *q, uint32_t device, struct busy *out)
{
	const struct intervals *v = derived_busy_device(d, device);
	if (!v || !v->n)
		return false;
	out->a_ns = v->at[0].a_ns;
	out->b_ns = v->at[v->n - 1].b_ns;
	if (q->windowed)
		query_bounds(q, derived_trace(d), &out->a_ns, &out->b_ns);
	out->span_ns = derived_watched_ns(d, device, out->a_ns, out->b_ns);
	out->busy_ns = intervals_within(v, out->a_ns, out->b_ns);
	return true;
}

static void add_device(struct table *t, const struct trace *trace, uint32_t device, const struct busy *b)
{
	char label[128];
	trace_device_label(trace, device, label, sizeof label);
	keyed_real(t, arena_printf(t->mem, "device_busy_pct:%s", label), UNIT_PERCENT,
		   keyed_pct((double)b->busy_ns, (double)b->span_ns),
		   "Share of its span in which the device does any work.");
	table_evidence(t, b->a_ns, b->b_ns, NULL, 0);
}

static void add_busy(struct table *t, const struct derived *d, const struct query *q)
{
	const struct trace *trace = derived_trace(d);
	struct busy all = {0}, one;
	uint32_t devices = trace_devices(trace), working = 0;
	for (uint32_t i = 0; i < devices; i++)
		if (device_busy(d, q, i, &one)) {
			all.busy_ns += one.busy_ns;
			all.span_ns += one.span_ns;
			working++;
		}
	keyed_real(t, "duty_cycle_pct", UNIT_PERCENT, keyed_pct((double)all.busy_ns, (double)all.span_ns),
		   "Share of their span in which the devices do any work.");
	keyed_int(t, "busy_ns", UNIT_NS, working ? all.busy_ns : UNKNOWN_I64,
		  "Time in which a device does any work, overlaps counted once, summed over the devices.");
	keyed_int(t, "idle_ns", UNIT_NS, working ? all.span_ns - all.busy_ns : UNKNOWN_I64,
		  "Time of their span in which the devices are idle, summed.");
	keyed_real(t, "idle_pct", UNIT_PERCENT, keyed_pct((double)(all.span_ns - all.busy_ns), (double)all.span_ns),
		   "Share of their span in which the devices are idle.");
	keyed_int(t, "span_ns", UNIT_NS, working ? all.span_ns : UNKNOWN_I64,
		  "Spans of the devices, first start to last end or the window, summed.");
	for (uint32_t i = 0; i < devices; i++)
		if (device_busy(d, q, i, &one))
			add_device(t, trace, i, &one);
}

/* ---- gaps ------------------------------------------------------------------------------------------------------- */

static const char *gap_text(const struct derived *d, const struct gap *g, struct arena *mem)
{
	char where[128] = "the host";
	if (g->device != NONE_ID)
		trace_device_label(derived_trace(d), g->device, where, sizeof where);
	const char *place = gap_place_text(d, g, mem);
	return arena_printf(mem, "idle %s%son %s", place, *place ? ", " : "", where);
}

static void add_gap_row(struct table *t, const struct gap *g, row_id main_event)
{
	row_id rows[3];
	uint32_t n = 0;
	if (main_event != NONE_ID)
		rows[n++] = main_event;
	if (g->before != NONE_ID)
		rows[n++] = g->before;
	if (g->after != NONE_ID)
		rows[n++] = g->after;
	table_evidence(t, g->start_ns, g->start_ns + g->dur_ns, rows, n);
}

static void add_verdict(struct table *t, const struct derived *d, const struct gap *g, uint32_t rank,
			const struct gap_verdict *v)
{
	struct arena *mem = t->mem;
	bool known = v->cause != CAUSE_UNKNOWN, named = v->row != NONE_ID;
	const char *event = named ? trace_str(derived_trace(d), derived_columns(d)->name[v->row]) : NULL;
	keyed_text(t, arena_printf(mem, "gap_%u_cause", rank), cause_word(v->cause),
		   "Class of what the device waited for, as in the table 'verdicts'.");
	add_gap_row(t, g, v->row);
	keyed_int(t, arena_printf(mem, "gap_%u_cause_ns", rank), UNIT_NS, v->cause_ns,
		  "Time of the gap in events of that class.");
	add_gap_row(t, g, v->row);
	keyed_real(t, arena_printf(mem, "gap_%u_confidence", rank), UNIT_CONFIDENCE, known ? v->confidence : NAN,
		   "How certain the cause is, 0 to 1.");
	add_gap_row(t, g, v->row);
	keyed_text(t, arena_printf(mem, "gap_%u_main_event", rank), event,
		   "The event of that class with the most self time in the gap; where the cause is unknown, of the "
		   "launching thread.");
	add_gap_row(t, g, v->row);
	keyed_int(t, arena_printf(mem, "gap_%u_main_event_ns", rank), UNIT_NS, named ? v->row_ns : UNKNOWN_I64,
		  "Self time that this event has inside the gap.");
	add_gap_row(t, g, v->row);
}

static void add_gap(struct table *t, const struct derived *d, const struct idle_extents *known, const struct gap *g,
		    uint32_t rank)
{
	struct gap_verdict v;
	struct arena *mem = t->mem;
	gap_verdict_knowing(d, known, g, &v);
	keyed_int(t, arena_printf(mem, "gap_%u_ns", rank), UNIT_NS, g->dur_ns, gap_text(d, g, mem));
	add_gap_row(t, g, v.row);
	if (g->period_ns != UNKNOWN_I64) {
		keyed_real(t, arena_printf(mem, "gap_%u_share_pct", rank), UNIT_PERCENT,
			   keyed_pct((double)g->dur_ns, (double)g->period_ns),
			   "Share of the gap in the time from the start of one step to the start of the next.");
		add_gap_row(t, g, v.row);
	}
	struct gap_span span = {g->id, g->scope, g->start_ns, g->dur_ns};
	keyed_text(t, arena_printf(mem, "gap_%u_kind", rank), gap_kind_word(derived_gap_place(d, &span).kind),
		   "Where it is among the device work of the steps.");
	add_gap_row(t, g, v.row);
	add_verdict(t, d, g, rank, &v);
}

static void add_gaps(struct table *t, const struct derived *d, const struct query *q)
{
	const struct idle_extents *known =
		shared_fits(q) && !q->filter ? shared_part(&idle_extents_part, d, q, NULL, NULL, NULL) : NULL;
	for (uint32_t k = 0; k < TOP_GAPS; k++) {
		const struct gap *g = derived_gap_ranked(d, k, q->a_ns, q->b_ns);
		if (g)
			add_gap(t, d, known, g, k + 1);
	}
}

/* ---- the ledger  ------------------------------------------------------------------------- */

static void add_notes(struct table *t, const struct trace *trace)
{
	const struct notes *n = trace_notes(trace);
	keyed_int(t, "notes_lost", UNIT_COUNT, (int64_t)notes_of(n, NOTE_LOST),
		  "Records of the file that could not be read: something may be missing.");
	keyed_int(t, "notes_warn", UNIT_COUNT, (int64_t)notes_of(n, NOTE_WARN),
		  "Records that the import warns about; the table of notes names them.");
	keyed_int(t, "notes_info", UNIT_COUNT, (int64_t)notes_of(n, NOTE_INFO),
		  "Records that the import handled specially, as is normal for the format.");
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static const struct table *parts_of(const struct answers *a, bool irregular, struct arena *mem)
{
	const struct table *known =
		shared_fits(a->q) ? shared_table(&step_parts_desc, a->d, a->q, mem, a->progress, NULL) : NULL;
	return known ? known
		     : step_parts_of(a->d, a->steps, a->idle, irregular,
				     a->for_reader ? STEP_PARTS_DEVIATIONS : STEP_PARTS_MEANS, mem);
}

struct table *overview_from(const struct answers *a, struct arena *mem)
{
	const struct derived *d = a->d;
	struct table *t = table_new(mem, &overview_desc);
	query_bounds(a->q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	bool irregular = overview_steps(t, a->d, a->q, a->steps);
	overview_iterations(t, d, a->q);
	add_busy(t, d, a->q);
	add_gaps(t, d, a->q);
	overview_kernels(t, d, a->kernels);
	overview_graphs(t, d, a->kernels, a->q);
	if (a->for_reader)
		overview_top_kernels(t, a->kernels);
	overview_ops(t, d, a->ops);
	overview_host(t, d);
	overview_frames(t, d, a->q);
	overview_aside(t, d, a->q);
	overview_functions(t, d, a->q);
	overview_means(t, parts_of(a, irregular, mem));
	steps_source_rows(t, d);
	overview_environment(t, d);
	if (derived_options(d)->semantics == SEM_XPROF)
		overview_precision(t, d);
	add_notes(t, derived_trace(d));
	return t;
}

static struct table *run_overview(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct answers a = {.d = d, .q = q, .progress = p, .for_reader = true};
	return answers_make(&a, OVERVIEW_NEEDS, mem, e) ? overview_from(&a, mem) : NULL;
}

const struct table_desc overview_desc = {
	.name = "overview",
	.title = "Overview",
	.help = "key numbers: busy share, step time, biggest gaps, top kernels",
	KEYED_TABLE,
	.run = run_overview,
	.report = {.brief = COLUMN_LIST(KEYED_KEY, KEYED_VALUE, KEYED_HELP),
		   .wide = COLUMN_LIST(KEYED_KEY, KEYED_VALUE, KEYED_HELP),
		   .all_rows = true},
};
