/* Rules about memory, from the table 'memory': how full it gets, what the allocator makes of it, what steps leave behind, calls of the
 * driver, and room for a larger batch. Thresholds: SEMANTICS.md, 17. */
#include "finding_ctx.h"
#include "model/analysis/memory/memory_columns.h"
#include "model/store/base/units.h"
#include <math.h>
#include <string.h>

static const struct table *memory(struct finding_ctx *c)
{
	return ctx_table(c, "memory");
}

static bool recorded(const struct table *t, uint32_t row)
{
	double v;
	return row_real(t, row, COL_MEMORY_PEAK, &v);
}

/* The row with the most (or the least) of a column among those that have it; NONE_ID: none has. */
static uint32_t row_of(const struct table *t, uint32_t column, bool least)
{
	uint32_t best = NONE_ID;
	double at_best = 0, v;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (row_real(t, row, column, &v) && (best == NONE_ID || (least ? v < at_best : v > at_best))) {
			best = row;
			at_best = v;
		}
	return best;
}

/* Says that the rule cannot tell `what`, or that it has nothing to ask, where no allocation is recorded. */
static bool untold(struct finding_ctx *c, const char *what)
{
	const struct table *t = memory(c);
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (recorded(t, row))
			return false;
	/* said once, of the whole trace: a window of it lacks no more */
	bool asked = c->framework != FRAMEWORK_UNKNOWN && !c->q->windowed && steps_meet_window(c);
	if (asked)
		say_untold(c, what, "no allocation is recorded", how_to_record(c, RECORD_MEMORY));
	else
		say_nothing(c, "no allocation is recorded");
	return true;
}

/* "GPU 0", "rank 3 GPU 0", of the host's memory its allocator. */
static const char *whose(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	static const struct device_columns in = {COL_MEMORY_HOST, COL_MEMORY_RANK, COL_MEMORY_DEVICE};
	double device, rank;
	if (!row_real(t, row, COL_MEMORY_DEVICE, &device)) {
		const char *name = from_text(c, "allocator", t, row, COL_MEMORY_ALLOCATOR);
		return arena_printf(c->mem, "the host (%s)", name ? name : "unknown");
	}
	from_cell(c, "gpu", t, row, COL_MEMORY_DEVICE);
	if (row_real(t, row, COL_MEMORY_RANK, &rank))
		from_cell(c, "rank", t, row, COL_MEMORY_RANK);
	return device_name(c, t, row, in);
}

static const char *bytes_text(struct finding_ctx *c, double bytes)
{
	return fmt_bytes(arena_alloc(c->mem, UNITS_BUF), llround(bytes));
}

/* ---- how full -------------------------------------------------------------------------------------------------------------- */

static const char *peak_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	const char *op = from_text(c, "peak_op", t, row, COL_MEMORY_PEAK_OP);
	const char *phase = from_text(c, "peak_phase", t, row, COL_MEMORY_PEAK_PHASE);
	return arena_printf(c->mem, "%s%s%s%s%s", phase || op ? ", reached" : "", phase ? " in " : "",
			    phase ? phase : "", op ? " by " : "", op ? op : "");
}

static void point_at(struct finding_ctx *c, struct finding *x, const struct table *t, uint32_t row)
{
	const struct evidence *e = table_evidence_of(t, row);
	if (e)
		finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

/* Without totals nobody knows what was in use before: the table tells no difference then. */
static bool totals_told(const struct table *t, uint32_t row)
{
	double v;
	return row_real(t, row, COL_MEMORY_DIFFERENCES, &v);
}

static bool without_totals(struct finding_ctx *c, const struct table *t, uint32_t row, const char *what)
{
	if (totals_told(t, row))
		return false;
	say_untold(c, what, "what was in use before the trace is not recorded",
		   "Record with PyTorch 1.10 or newer and profile_memory=True.");
	return true;
}

void finding_memory_full(struct finding_ctx *c)
{
	static const double info = 90, warn = 95;
	const struct table *t = memory(c);
	uint32_t row = row_of(t, COL_MEMORY_PEAK_PCT, false);
	if (untold(c, "how full memory gets"))
		return;
	if (row == NONE_ID) {
		say_nothing(c, "the size of the memory is not recorded");
		return;
	}
	if (without_totals(c, t, row, "how full memory gets"))
		return;
	double pct = from_cell(c, "peak_pct", t, row, COL_MEMORY_PEAK_PCT),
	       peak = from_cell(c, "peak_bytes", t, row, COL_MEMORY_PEAK),
	       capacity = from_cell(c, "capacity_bytes", t, row, COL_MEMORY_CAPACITY);
	enum finding_state state = pct >= warn ? FINDING_WARN : pct >= info ? FINDING_INFO : FINDING_PASS;
	struct finding *x = say(c, state, "Memory of %s: at most %s of %s are in use (%s)%s.", whose(c, t, row),
				bytes_text(c, peak), bytes_text(c, capacity), pct_text(c, pct), peak_words(c, t, row));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = warn;
	x->formula = "largest peak_bytes / capacity_bytes; reported from 90 %, nearly full from 95 %";
	x->advice = state == FINDING_WARN ? "See the table 'memory_peak' for what is in use then: recompute "
					    "activations, use a smaller batch, or keep optimizer state elsewhere. An "
					    "inference server that fills memory on purpose needs no change."
					  : NULL;
	point_at(c, x, t, row);
}

/* ---- what the allocator makes of it ------------------------------------------------------------------------------------------ */

enum { FRAGMENTED_PCT = 50, UNUSED_PCT = 25, TIGHT_PCT = 80 };

/* How much of the device the allocator holds. */
static double held_pct(const struct table *t, uint32_t row)
{
	double capacity = row_number(t, row, COL_MEMORY_CAPACITY);
	return capacity > 0 ? 100 * row_number(t, row, COL_MEMORY_RESERVED) / capacity : 0;
}

static bool fragmented(const struct table *t, uint32_t row)
{
	return (row_number(t, row, COL_MEMORY_FRAGMENTATION) >= FRAGMENTED_PCT &&
		row_number(t, row, COL_MEMORY_PEAK_PCT) >= TIGHT_PCT) ||
	       (row_number(t, row, COL_MEMORY_UNUSED) >= UNUSED_PCT && held_pct(t, row) >= TIGHT_PCT);
}

static void say_fragmented(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	static const char *const advice[FRAMEWORKS] = {
		[FRAMEWORK_PYTORCH] = "Try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, and batches of fewer "
				      "different shapes.",
		[FRAMEWORK_TENSORFLOW] =
			"Try TF_GPU_ALLOCATOR=cuda_malloc_async, and batches of fewer different shapes.",
		[FRAMEWORK_JAX] = "Try XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async, and batches of fewer different shapes."};
	bool by_blocks = row_number(t, row, COL_MEMORY_FRAGMENTATION) >= FRAGMENTED_PCT;
	uint32_t column = by_blocks ? COL_MEMORY_FRAGMENTATION : COL_MEMORY_UNUSED;
	double pct = from_cell(c, by_blocks ? "fragmentation_pct" : "reserved_unused_pct", t, row, column);
	struct finding *x =
		by_blocks ? say(c, FINDING_WARN,
				"Free memory of %s is fragmented: %s at the peak, when the largest free block has %s.",
				whose(c, t, row), pct_text(c, pct),
				bytes_text(c, from_cell(c, "largest_free_bytes", t, row, COL_MEMORY_LARGEST_FREE)))
			  : say(c, FINDING_WARN,
				"The allocator of %s holds up to %s, of which %s are unused at the peak.",
				whose(c, t, row),
				bytes_text(c, from_cell(c, "reserved_peak_bytes", t, row, COL_MEMORY_RESERVED)),
				pct_text(c, pct));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = by_blocks ? FRAGMENTED_PCT : UNUSED_PCT;
	x->formula =
		"fragmentation at the peak from 50 % where 80 % of the memory is in use, or reserved and unused from "
		"25 % where 80 % is reserved";
	x->advice = advice[c->framework];
	point_at(c, x, t, row);
}

void finding_memory_fragmented(struct finding_ctx *c)
{
	const struct table *t = memory(c);
	if (untold(c, "whether it is fragmented"))
		return;
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (fragmented(t, row)) {
			say_fragmented(c, t, row);
			return;
		}
	say_nothing(c, "memory is not tight, or free memory is not fragmented, or neither is recorded");
}

/* ---- what steps leave behind --------------------------------------------------------------------------------------------------- */

enum { LEAST_STEPS = 3 };

/* Every step that tells keeps something, and there is more and more: what fills up at first, as a queue does, stays then. */
static bool leaks(const struct table *t, uint32_t row)
{
	double telling = row_number(t, row, COL_MEMORY_TELLING), growth = row_number(t, row, COL_MEMORY_GROWTH);
	return telling >= LEAST_STEPS && row_number(t, row, COL_MEMORY_KEEPING) == telling && growth > 0 &&
	       row_number(t, row, COL_MEMORY_LATE_GROWTH) * 2 >= growth;
}

static void say_leak(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	static const double warn = 0.1, fail = 1;
	double growth = from_cell(c, "growth_bytes_per_step", t, row, COL_MEMORY_GROWTH),
	       peak = from_cell(c, "peak_bytes", t, row, COL_MEMORY_PEAK),
	       keeping = from_cell(c, "keeping_steps", t, row, COL_MEMORY_KEEPING),
	       telling = from_cell(c, "telling_steps", t, row, COL_MEMORY_TELLING);
	double pct =
		made_of(c, "growth_pct", 100 * growth / peak, UNIT_PERCENT, "100 * growth_bytes_per_step / peak_bytes");
	const char *op = from_text(c, "growth_op", t, row, COL_MEMORY_GROWTH_OP);
	enum finding_state state = pct >= fail ? FINDING_FAIL : pct >= warn ? FINDING_WARN : FINDING_INFO;
	struct finding *x = say(
		c, state, "Memory of %s grows by %s per step (%s of its peak): %s of %s steps leave blocks behind%s%s.",
		whose(c, t, row), bytes_text(c, growth), pct_text(c, pct), count_text(c, keeping),
		count_text(c, telling), op ? ", the largest one by " : "", op ? op : "");
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = warn;
	x->formula = "(memory in use at the end of the last step - at the end of the first) / steps between; where "
		     "each of three or more steps keeps blocks for two steps, and the second half grows as well; "
		     "warning from 0.1 % of the peak, fail from 1 %";
	x->advice = c->framework == FRAMEWORK_PYTORCH
			    ? "Look for tensors that outlive their step: losses or outputs kept in lists without "
			      ".detach() or .item(), caches, hooks. The table 'allocations' lists them."
			    : "Look for results that outlive their step. The table 'allocations' lists them.";
	point_at(c, x, t, row);
}

void finding_memory_leak(struct finding_ctx *c)
{
	const struct table *t = memory(c);
	uint32_t row = row_of(t, COL_MEMORY_TELLING, false), worst = NONE_ID;
	if (untold(c, "whether it grows from step to step"))
		return;
	for (uint32_t i = 0; i < t->n_rows; i++)
		if (leaks(t, i) &&
		    (worst == NONE_ID || row_number(t, i, COL_MEMORY_GROWTH) > row_number(t, worst, COL_MEMORY_GROWTH)))
			worst = i;
	if (worst != NONE_ID)
		say_leak(c, t, worst);
	else if (row == NONE_ID || row_number(t, row, COL_MEMORY_TELLING) < LEAST_STEPS)
		say_nothing(c, "fewer than five steps count: a block must outlive two steps to be kept, and three "
			       "steps must show it");
	else
		say_nothing(c, "steps leave nothing behind, or not every one does");
}

/* ---- calls of the driver --------------------------------------------------------------------------------------------------------- */

void finding_memory_churn(struct finding_ctx *c)
{
	enum { WARN_PCT = 3, FAIL_PCT = 15 };
	const struct table *t = memory(c);
	uint32_t row = row_of(t, COL_MEMORY_STEADY_CHURN, false);
	if (row == NONE_ID || row_number(t, row, COL_MEMORY_STEADY_CALLS) <= 0) {
		say_nothing(c, "no call in steady steps asks the driver for memory");
		return;
	}
	double ns = from_cell(c, "steady_churn_ns", t, row, COL_MEMORY_STEADY_CHURN),
	       calls = from_cell(c, "steady_churn_calls", t, row, COL_MEMORY_STEADY_CALLS);
	double pct = share_of_time_pct(c, ns);
	if (pct < 1) {
		say_nothing(c, "calls in steady steps that ask the driver for memory take less than 1 % of the time");
		return;
	}
	double idle_ns = lost_to_cause_ns(c, CAUSE_ALLOCATOR);
	bool hidden = share_of_time_pct(c, idle_ns) < WARN_PCT && idle_ns < ns / 2;
	enum finding_state state = hidden || pct < WARN_PCT ? FINDING_INFO
				   : pct >= FAIL_PCT        ? FINDING_FAIL
							    : FINDING_WARN;
	struct finding *x =
		say(c, state, "In steady steps %s calls ask the driver for memory or give it back, for %s in all%s.",
		    count_text(c, calls), ns_text(c, ns),
		    hidden ? arena_printf(c->mem, ", of which devices idle for %s: they have enough queued",
					  ns_text(c, idle_ns))
			   : "");
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->formula =
		"time of cudaMalloc, cudaFree and their like in steps that count / time watched; moderate from 3 %, "
		"high from 15 %; a remark where devices idle for them for less than 3 % and for less than half of it";
	x->advice = state == FINDING_INFO
			    ? NULL
			    : "A caching allocator asks the driver only while it warms up: see whether it is switched "
			      "off (PYTORCH_NO_CUDA_MEMORY_CACHING), emptied (empty_cache()) or out of room.";
	point_at(c, x, t, row);
}

/* ---- room ------------------------------------------------------------------------------------------------------------------------ */

static void say_headroom(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	/* what lies beyond `far` is not foretold from one size of the batch */
	static const double room = 1.5, far = 10;
	double times = from_cell(c, "headroom_batch", t, row, COL_MEMORY_HEADROOM),
	       constant = from_cell(c, "constant_bytes", t, row, COL_MEMORY_CONSTANT),
	       own = from_cell(c, "per_batch_bytes", t, row, COL_MEMORY_PER_BATCH),
	       capacity = from_cell(c, "capacity_bytes", t, row, COL_MEMORY_CAPACITY);
	const char *held = times < far ? arena_printf(c->mem, "%.2f times", times) : "more than ten times";
	struct finding *x =
		say(c, times >= room ? FINDING_INFO : FINDING_PASS,
		    "Memory of %s would hold %s the batch: %s are kept from step to step and %s are assumed to grow "
		    "with the batch, of %s.",
		    whose(c, t, row), held, bytes_text(c, constant), bytes_text(c, own), bytes_text(c, capacity));
	x->value = times;
	x->threshold = room;
	x->formula = "(capacity_bytes - constant_bytes) / per_batch_bytes, assuming that everything not constant grows "
		     "with the batch; what the driver and other processes hold is not known";
	x->advice = times >= room ? "A larger batch uses the device better. It can hurt convergence: adjust the "
				    "learning rate, and check the result. Leave a few percent free."
				  : NULL;
	point_at(c, x, t, row);
}

void finding_batch_headroom(struct finding_ctx *c)
{
	static const char what[] = "room for a larger batch";
	const struct table *t = memory(c);
	uint32_t row = row_of(t, COL_MEMORY_HEADROOM, true), full = row_of(t, COL_MEMORY_PEAK_PCT, false);
	if (untold(c, what))
		return;
	if (row != NONE_ID)
		say_headroom(c, t, row);
	else if (full == NONE_ID)
		say_nothing(c, "the size of the memory is not recorded");
	else if (!without_totals(c, t, full, what))
		say_missing(c, what, "step", "there is no step that uses memory",
			    "Mark the steps, or name them with --steps-by REGEX.");
}
