/* Rules about launches, from the tables launch_totals, tiny_ops and syncs: kernels that are too small for their launch, full
 * queues, calls that empty the queue. */
#include "finding_ctx.h"
#include "findings_columns.h"
#include "model/analysis/names/kernel_name.h"
#include "model/store/base/units.h"
#include "model/analysis/launches/launch_totals_columns.h"
#include "model/analysis/launches/syncs_columns.h"
#include "model/analysis/launches/tiny_ops_columns.h"
#include <math.h>
#include <string.h>

enum { WARN_PCT = 3, SMALL_INFO_PCT = 5, SMALL_WARN_PCT = 10, SYNC_WARN_PCT = 5 };

static const char *times_text(struct finding_ctx *c, double n)
{
	return n == 1 ? "once" : arena_printf(c->mem, "%s times", count_text(c, n));
}

static void set_numbers(struct finding *x, double pct, double warn, double lost_ns)
{
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = warn;
	x->lost_ns = llround(lost_ns);
}

/* ---- small kernels ------------------------------------------------------------------------------------------------------ */

static const char *const small_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Do more per kernel: concatenate, vectorise, larger batches; then launch whole graphs.",
	[FRAMEWORK_TENSORFLOW] =
		"Do more per op: concatenate inputs, vectorise loops (tf.vectorized_map), larger batches; then "
		"tf.function instead of eager; then jit_compile=True or XLA auto-clustering.",
	[FRAMEWORK_JAX] =
		"Do more per op: vectorise with jax.vmap, larger batches; put loops into jax.lax.scan inside jax.jit.",
	[FRAMEWORK_PYTORCH] =
		"Do more per op: batch small tensors, foreach=True or fused=True optimizers, larger batches; then "
		"torch.compile; then CUDA graphs (mode='reduce-overhead').",
};

static const char *small_name(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	const char *type = from_text(c, "type", t, row, COL_TINY_OPS_TYPE),
		   *kernel = from_text(c, "kernel", t, row, COL_TINY_OPS_KERNEL);
	const char *shown = kernel ? kernel_name_short(c->mem, kernel) : NULL;
	if (shown && !type)
		from_table(c, (struct finding_input){"kernel_shortened", NAN, shown, UNIT_NONE, NULL, NULL, NULL,
						     "kernel"});
	return type ? type : shown ? shown : "(unknown)";
}

static const char *other_kinds(struct finding_ctx *c, uint32_t n)
{
	return n > 1 ? arena_printf(c->mem, " and %s other kind%s of small ops", count_text(c, n - 1),
				    n == 2 ? "" : "s")
		     : "";
}

static const char small_formula[] =
	"idle time of the cause launch latency that ends with kernels of ops that take less than 40 us of kernel time "
	"per run (a launch takes 20-40 us), without kernels replayed by graphs / time from first to last device work; "
	"reported from 5 %, a warning from 10 %";

/* "; 842 kernels of replayed graphs, which are not launched one by one, are left out" */
static const char *replayed_words(struct finding_ctx *c)
{
	double all, outside;
	if (row_of_key(ctx_table(c, "overview"), "outside_graph_kernels") == NONE_ID) /* nothing is replayed */
		return "";
	if (!ctx_real(c, "overview", "kernels", &all) || !ctx_real(c, "overview", "outside_graph_kernels", &outside))
		return "";
	double n = made_of(c, "replayed_kernels", all - outside, UNIT_COUNT, "kernels - outside_graph_kernels");
	if (n <= 0)
		return "";
	return n == 1 ? "; 1 kernel of a replayed graph, which is not launched on its own, is left out"
		      : arena_printf(c->mem,
				     "; %s kernels of replayed graphs, which are not launched one by one, are left out",
				     count_text(c, n));
}

static void tell_small(struct finding_ctx *c, const struct table *t, bool launches)
{
	char avg[UNITS_BUF];
	double idle = from_rows(c, "idle_ns", t, COL_TINY_OPS_LAUNCH_IDLE, NULL), watched = watched_ns(c),
	       pct = made_of(c, "idle_pct", watched > 0 ? 100 * idle / watched : 0, UNIT_PERCENT,
			     "100 * idle_ns / span_ns");
	made_of(c, "other_kinds", from_count(c, "kinds", t, NULL) - 1., UNIT_COUNT, "kinds - 1");
	bool below = !strcmp(row_text(t, 0, COL_TINY_OPS_LAUNCH_RANGE), "below");
	const char *most = arena_printf(
		c->mem, "%s ran %s in %s, %s on average, %s the 20-40 us of a launch", small_name(c, t, 0),
		times_text(c, from_cell(c, "runs", t, 0, COL_TINY_OPS_RUNS)),
		ns_text(c, from_cell(c, "total_ns", t, 0, COL_TINY_OPS_TOTAL)),
		fmt_ns(avg, llround(from_cell(c, "avg_ns", t, 0, COL_TINY_OPS_AVG))), below ? "below" : "within");
	struct finding *x;
	if (launches)
		x = say(c,
			pct >= SMALL_WARN_PCT   ? FINDING_WARN
			: pct >= SMALL_INFO_PCT ? FINDING_INFO
						: FINDING_PASS,
			"%s; before it%s the device idled %s (%s of the time) for launches%s.", most,
			other_kinds(c, t->n_rows), ns_text(c, idle), pct_text(c, pct), replayed_words(c));
	else
		x = say(c, FINDING_UNKNOWN, "Cannot tell what small kernels cost, as no launch is recorded: %s%s.",
			most, replayed_words(c));
	x->formula = small_formula;
	x->advice = x->state == FINDING_PASS ? NULL
		    : launches               ? small_advice[c->framework]
					     : "Record the host's calls, too.";
	if (launches)
		set_numbers(x, pct, SMALL_WARN_PCT, idle);
	show_row(c, x, t, 0);
}

static bool launches_known(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "launch_totals");
	return from_rows(c, "work", t, COL_LAUNCH_TOTALS_COUNT, NULL) >
	       from_rows(c, "no_launch", t, COL_LAUNCH_TOTALS_UNKNOWN, NULL);
}

void finding_small_kernels(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "tiny_ops");
	double kernels;
	if (!t || !ctx_real(c, "overview", "kernels", &kernels) || kernels <= 0)
		return;
	if (t->n_rows)
		tell_small(c, t, launches_known(c));
	else
		say(c, FINDING_PASS, "No op's kernels are shorter than the 20-40 us of a launch%s.", replayed_words(c))
			->formula = small_formula;
}

/* ---- queues ----------------------------------------------------------------------------------------------------------- */

static void tell_queue(struct finding_ctx *c, const struct table *t)
{
	uint32_t row = row_of_most(t, COL_LAUNCH_TOTALS_QUEUE);
	double blocked = from_rows(c, "blocked_ns", t, COL_LAUNCH_TOTALS_BLOCKED, NULL) +
			 from_cell(c, "buffer_full_ns", t, row, COL_LAUNCH_TOTALS_BUFFER),
	       watched = watched_ns(c);
	made_of(c, "waited_ns", blocked, UNIT_NS, "blocked_ns + buffer_full_ns");
	double pct = made_of(c, "waited_pct", watched > 0 ? 100 * blocked / watched : 0, UNIT_PERCENT,
			     "100 * waited_ns / span_ns");
	const char *depth = count_text(c, from_cell(c, "queue", t, row, COL_LAUNCH_TOTALS_QUEUE));
	struct finding *x =
		blocked > 0
			? say(c, FINDING_PASS,
			      "Launch calls waited %s for room in a full queue (%s of the time): the host is "
			      "ahead of a busy device; the longest queue held %s.",
			      ns_text(c, blocked), pct_text(c, pct), depth)
			: say(c, FINDING_PASS,
			      "Work starts %s after its launch call (median; 99th percentile %s); the longest queue "
			      "held %s, and none was full.",
			      ns_text(c, from_cell(c, "latency_p50_ns", t, row, COL_LAUNCH_TOTALS_LATENCY50)),
			      ns_text(c, from_cell(c, "latency_p99_ns", t, row, COL_LAUNCH_TOTALS_LATENCY99)), depth);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->formula = "time of launch calls that begin with 992 or more launches waiting in their stream, and recorded "
		     "waits for a full command buffer / time from first to last device work; only a measurement, since "
		     "the device works meanwhile";
	show_row(c, x, t, row);
}

void finding_launch_queue(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "launch_totals");
	if (!t || !t->n_rows)
		return;
	if (launches_known(c)) {
		tell_queue(c, t);
		return;
	}
	say_missing(c, "how long work waits for its launch", "launch call", "no launch call is recorded",
		    how_to_record(c, RECORD_CALLS));
}

/* ---- synchronisation -------------------------------------------------------------------------------------------------- */

static const char *const sync_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Wait for the device less often, or later: keep results on it.",
	[FRAMEWORK_TENSORFLOW] = "Fetch results every k steps; keep metrics on the device in between.",
	[FRAMEWORK_JAX] = "Call block_until_ready, float() and np.asarray every k steps only.",
	[FRAMEWORK_PYTORCH] = "Avoid .item(), .cpu(), nonzero and masks by bool tensors in the loop; copy with "
			      "non_blocking=True from pinned memory; print losses every k steps.",
};

struct sync_cost {
	double around_ns, lead_ns, ns, pct;
	uint32_t most; /* row */
	bool lead;     /* what the host lost of its lead is more than the idle time in which the calls end */
};

static struct sync_cost sync_cost(struct finding_ctx *c, const struct table *t)
{
	double idle = idle_of_cause_ns(c, CAUSE_SYNC), watched = watched_ns(c);
	struct sync_cost s = {.around_ns = from_rows(c, "drained_idle_ns", t, COL_SYNCS_DRAINED_IDLE, NULL),
			      .lead_ns = from_rows(c, "lost_lead_ns", t, COL_SYNCS_LEAD, NULL)};
	idle = made_of(c, "around_ns", idle < s.around_ns ? idle : s.around_ns, UNIT_NS,
		       "min(idle_ns, drained_idle_ns)");
	s.lead = s.lead_ns > idle;
	s.most = s.lead ? row_of_most(t, COL_SYNCS_LEAD) : 0;
	s.ns = made_of(c, "cost_ns", s.lead ? s.lead_ns : idle, UNIT_NS, "max(around_ns, lost_lead_ns)");
	s.pct = made_of(c, "cost_pct", watched > 0 ? 100 * s.ns / watched : 0, UNIT_PERCENT, "100 * cost_ns / span_ns");
	return s;
}

/* "cudaStreamSynchronize in aten::_local_scalar_dense, the overflow check of loss scaling" */
static const char *sync_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	const char *name = from_text(c, "call", t, row, COL_SYNCS_NAME), *op = from_text(c, "op", t, row, COL_SYNCS_OP),
		   *asks = from_text(c, "asks", t, row, COL_SYNCS_ASKS);
	return arena_printf(c->mem, "%s%s%s%s%s%s", name, op ? " in " : "", op ? op : "", asks ? ", the " : "",
			    asks ? asks : "", asks ? " of loss scaling" : "");
}

void finding_sync_calls(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "syncs");
	double drained = from_rows(c, "drained", t, COL_SYNCS_DRAINED, NULL);
	if (drained <= 0) {
		say_nothing(c, "no call that waits for a device left it without work");
		return;
	}
	struct sync_cost s = sync_cost(c, t);
	double pct = s.pct, idle = s.ns;
	bool asks = row_text(t, s.most, COL_SYNCS_ASKS);
	const char *times = times_text(c, drained), *call = sync_words(c, t, s.most);
	enum finding_state state = pct >= SYNC_WARN_PCT ? FINDING_WARN : FINDING_PASS;
	struct finding *x =
		s.lead ? say(c, state,
			     "Calls that wait for a device left it without work %s. They " COST_THE_LEAD ": "
			     "without them there would be up to %s less idle time (%s of the time), most of it after "
			     "%s.",
			     times, ns_text(c, idle), pct_text(c, pct), call)
		       : say(c, state,
			     "Calls that wait for a device left it without work %s and cost %s of idle time (%s of the "
			     "time), most around %s.",
			     times, ns_text(c, idle), pct_text(c, pct), call);
	set_numbers(x, pct, SYNC_WARN_PCT, idle);
	x->formula =
		"idle time of the cause synchronisation, at most the idle time in which such calls end; or, where that "
		"is more, the idle time after them, at most as long as they waited while the device worked / time "
		"from first to last device work; warning from 5 %";
	x->confidence = 0.5; /* the host may have been late for other reasons */
	x->about = asks ? "overflow check of loss scaling" : NULL;
	const char *next = asks ? idle_advice(c->d, CAUSE_LOSS_SCALING, NONE_ID) : next_iteration_advice(c);
	x->advice = state == FINDING_PASS ? NULL : next ? next : sync_advice[c->framework];
	show_row(c, x, t, s.most);
}
