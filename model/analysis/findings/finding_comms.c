/* Rules about several devices, from the tables 'replicas' and 'collective_steps': whether all do the same work at the same time, and what
 * communication costs beside what it should. Who waits for whom: finding_waits.c. Thresholds: SEMANTICS.md, 16. */
#include "finding_ctx.h"
#include "model/analysis/comms/collective_steps_columns.h"
#include "model/analysis/comms/comms.h"
#include "model/analysis/comms/exposed_by.h"
#include "model/analysis/comms/lateness.h"
#include "model/analysis/comms/pace.h"
#include "model/analysis/comms/replicas_columns.h"
#include "model/store/base/units.h"
#include <math.h>
#include <string.h>

enum { WARN_PCT = 3 };

/* Rows of devices that were recorded at the same time as another one. */
static const char together[] = "overlap_pct!=null";

/* The same where nobody knows for how long they work at the same time, as of a summary. */
static const char *compared(const struct table *t)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (row_meets(t, row, together))
			return together;
	return "compute_to_mean!=null";
}

/* ---- the same work ----------------------------------------------------------------------------------------------------------- */

static const char *work_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	uint32_t other = row ? 0 : 1;
	double kernels = from_cell(c, "own_kernels_per_step", t, row, COL_REPLICAS_KERNELS),
	       others = from_cell(c, "others_kernels_per_step", t, other, COL_REPLICAS_KERNELS);
	if (fabs(kernels - others) < 0.5)
		return "";
	return arena_printf(c->mem, "; it runs %s kernels per step, another one %s", count_text(c, kernels),
			    count_text(c, others));
}

/* The same kernels each take longer there: it has no more to do than the others. */
static bool is_slower(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	struct pace pace = {NAN, NAN, NAN};
	bool told = row_real(t, row, COL_REPLICAS_PACE, &pace.ratio) &&
		    row_real(t, row, COL_REPLICAS_EVEN, &pace.even_pct) && pace_is_slow(&pace);
	if (told) {
		from_cell(c, "kernel_pace", t, row, COL_REPLICAS_PACE);
		from_cell(c, "even_pace_pct", t, row, COL_REPLICAS_EVEN);
	}
	return told;
}

/* How far the most computing device is above the mean, as a share of its step: what is even in vain is no loss. */
static double excess_pct(struct finding_ctx *c, const struct table *t, uint32_t row, double compute_ns, double ratio)
{
	double step_ns = from_cell(c, "step_time_ns", t, row, COL_REPLICAS_STEP);
	return made_of(c, "excess_pct", 100 * compute_ns * (1 - 1 / ratio) / step_ns, UNIT_PERCENT,
		       "100 * compute_per_step_ns * (1 - 1 / compute_to_mean) / step_time_ns");
}

static const char even_replicas_advice[] =
	"Give all replicas the same share of the batch, and move what only one of them does (losses, metrics, "
	"embeddings) to all.";
static const char even_stages_advice[] = "Give the stages of the pipeline equal work: move layers from the one that "
					 "computes longest to the others.";

static const char *even_advice(struct finding_ctx *c)
{
	const char *experts = experts_advice(c);
	return pipelined(c) ? even_stages_advice : experts ? experts : even_replicas_advice;
}

void finding_replicas(struct finding_ctx *c)
{
	static const double warn = 1.1, fail = 1.3;
	const struct table *t = ctx_table(c, "replicas");
	uint32_t row = t && t->n_rows ? row_of_most(t, COL_REPLICAS_TO_MEAN) : 0;
	if (!t || t->n_rows < 2 || row_number(t, row, COL_REPLICAS_TO_MEAN) <= 0) {
		say_nothing(c, "fewer than two devices work in steps");
		return;
	}
	double ratio = from_cell(c, "compute_to_mean", t, row, COL_REPLICAS_TO_MEAN);
	double compute_ns = from_cell(c, "compute_per_step_ns", t, row, COL_REPLICAS_COMPUTE);
	bool counts = excess_pct(c, t, row, compute_ns, ratio) >= WARN_PCT;
	bool slower = ratio >= warn && is_slower(c, t, row);
	enum finding_state state = ratio < warn    ? FINDING_PASS
				   : !counts       ? FINDING_INFO
				   : ratio >= fail ? FINDING_FAIL
						   : FINDING_WARN;
	struct finding *x =
		state == FINDING_PASS
			? say(c, state,
			      "All %u devices compute about equally long: at most %s per step, %.2f times the mean.",
			      from_count(c, "devices", t, compared(t)), ns_text(c, compute_ns), ratio)
			: say(c, state, "%s computes %s per step, %.2f times the mean of the %u devices%s.",
			      replica_words(c, t, row), ns_text(c, compute_ns), ratio,
			      from_count(c, "devices", t, compared(t)),
			      slower ? "; the same kernels each take longer on it" : work_words(c, t, row));
	x->value = ratio;
	x->threshold = warn;
	x->formula = "largest compute_per_step_ns / its mean over the devices; uneven from 1.1, badly from 1.3; a "
		     "remark where it is less than 3 % of the step";
	x->advice = !finding_stands(state) ? NULL : slower ? lateness_slow_advice : even_advice(c);
}

/* ---- at the same time ----------------------------------------------------------------------------------------------------------- */

enum { TURNS_PCT = 5, PART_PCT = 20 };

/* Why nothing tells whether devices take turns; NULL: it can be told. Devices that hardly work, and few steps, tell nothing. */
static const char *turns_untold(const struct table *t)
{
	double busy_ns = 0, known = 0;
	uint32_t n = 0, at_work = 0;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (row_meets(t, row, together)) {
			n++;
			busy_ns += row_number(t, row, COL_REPLICAS_BUSY);
			known += row_number(t, row, COL_REPLICAS_STEPS) > 1;
		}
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		at_work += row_meets(t, row, together) &&
			   row_number(t, row, COL_REPLICAS_BUSY) * n * 100 >= busy_ns * PART_PCT;
	return at_work < 2 ? "fewer than two devices do even a fifth of an equal share of the work"
	       : known < 2 ? "fewer than two devices work in two steps or more"
			   : NULL;
}

bool devices_take_turns(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "replicas");
	return !turns_untold(t) &&
	       row_number(t, row_of_most(t, COL_REPLICAS_OVERLAP), COL_REPLICAS_OVERLAP) < TURNS_PCT;
}

void finding_serial_devices(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "replicas");
	const char *why = turns_untold(t);
	if (why) {
		say_nothing(c, why);
		return;
	}
	uint32_t row = row_of_most(t, COL_REPLICAS_OVERLAP);
	double pct = from_cell(c, "overlap_pct", t, row, COL_REPLICAS_OVERLAP);
	if (!devices_take_turns(c)) {
		say_nothing(c, "devices work at the same time");
		return;
	}
	struct finding *x =
		say(c, FINDING_WARN,
		    "The %u devices take turns: for at most %s of the time in which one works, another works too.",
		    from_count(c, "devices", t, together), pct_text(c, pct));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = TURNS_PCT;
	x->formula = "largest overlap_pct; devices take turns below 5 %";
	x->advice = "Look for dependencies from device to device: control dependencies, a lock or one launching thread "
		    "for all, layers placed on "
		    "different devices without a pipeline. Attach the timeline to a bug report.";
}

/* ---- as fast as the link ---------------------------------------------------------------------------------------------------------- */

/* "; but that counts 4 bytes per parameter, and 12 of 12 reduce bf16, which has 2 bytes"; "": its 4 bytes hold. */
static const char *other_dtype_words(struct finding_ctx *c, const struct table *t, double known)
{
	uint32_t other = from_count(c, "rows_of_other_dtype", t, "parameters_dtype!=null"), row = 0;
	if (!other)
		return "";
	while (!row_text(t, row, COL_COLLECTIVE_STEPS_DTYPE))
		row++;
	const char *dtype = from_text(c, "parameters_dtype", t, row, COL_COLLECTIVE_STEPS_DTYPE);
	int each = collective_dtype_bytes(dtype);
	return arena_printf(c->mem,
			    "; but that assumes 4 bytes per parameter, and %s of %s reduce %s, which has %d byte%s",
			    count_text(c, other), count_text(c, known), dtype, each, each == 1 ? "" : "s");
}

void finding_comms_speed(struct finding_ctx *c)
{
	static const double warn = 1.5, fail = 3;
	const struct table *t = ctx_table(c, "collective_steps");
	static const char rows[] = "to_expected!=null";
	double known = from_count(c, "rows", t, rows);
	if (known <= 0) {
		say_nothing(c, t && t->n_rows
				       ? "--link-bandwidth is not given, or the size of the messages is not recorded"
				       : "no step has a collective");
		return;
	}
	double sum = from_rows(c, "to_expected", t, COL_COLLECTIVE_STEPS_TIMES, rows);
	double times = made_of(c, "times", sum / known, UNIT_NONE, "to_expected / rows");
	uint32_t row = row_of_most(t, COL_COLLECTIVE_STEPS_TIMES);
	double expected_ns = from_cell(c, "expected_ns", t, row, COL_COLLECTIVE_STEPS_EXPECTED);
	const char *other = other_dtype_words(c, t, known);
	enum finding_state state = *other          ? FINDING_WARN
				   : times >= fail ? FINDING_FAIL
				   : times >= warn ? FINDING_WARN
						   : FINDING_PASS;
	struct finding *x =
		say(c, state,
		    "Communication takes %.2f times what the link should need for its bytes, %s in the slowest step%s.",
		    times, ns_text(c, expected_ns), other);
	x->value = times;
	x->threshold = warn;
	x->formula = "mean of (communication without waiting) / (bytes / --link-bandwidth) over steps and devices; "
		     "slow from 1.5, very slow from 3";
	x->advice = *other ? "Give --parameters as elements of 4 bytes: half the number for 2 bytes each, twice the "
			     "number for 8."
		    : state == FINDING_PASS ? NULL
					    : "Check which link the collectives take (NCCL_DEBUG=INFO), and whether "
					      "messages are large enough to fill it.";
}

/* ---- why they are exposed ------------------------------------------------------------------------------------------------ */

static const char *const exposed_advice[EXPOSED_COUNT] = {
	[EXPOSED_LINK] =
		"Check which link they take (NCCL_DEBUG=INFO), and whether messages are large enough to fill it.",
	[EXPOSED_STREAM] = "Put collectives on a stream of their own and start them as soon as their data is ready, so "
			   "that compute runs at the same time; or send fewer bytes.",
	[EXPOSED_LATE] = "Launch them earlier: by the time the host reaches them, the device has nothing left to "
			 "compute. See what the host does before that.",
};

/* What hides collectives that are launched in time, by what their process group is for; of gradients their op tells (finding_shares.c). */
static const struct {
	const char *kind, *advice;
} hiding[] = {
	{"FSDP",
	 "Gather parameters before they are needed: forward_prefetch=True and backward_prefetch=BACKWARD_PRE (FSDP2: "
	 "set_modules_to_forward_prefetch); wrap larger blocks; keep shards inside of one node (HSDP)."},
	{"TP", "Split the matrix products so that a part runs while another one is sent (async tensor parallelism, "
	       "--tp-comm-overlap), or use a smaller tensor parallel group, inside of one node."},
	{"PP", "Send while the next micro-batch computes, and let stages work on more micro-batches."},
	{"EP", "Run shared experts or another micro-batch beside the all-to-alls; keep experts of one token inside of "
	       "one node; send "
	       "in 8 or 16 bit."},
	{"CP", "Send the next block of keys and values while attention runs on this one."},
};

/* What most of the time is for that is exposed for this reason, as a kind of process group; NULL: it is not recorded. */
static const char *hiding_kind(struct finding_ctx *c, enum exposed_reason why, const char **advice)
{
	struct err e = {.at = -1};
	const struct comms *comms = comms_of(c->d, NULL, &e);
	enum { KINDS = sizeof hiding / sizeof *hiding };
	int64_t ns[KINDS] = {0}, all_ns = 0;
	size_t most = 0;
	for (uint32_t i = 0; comms && i < comms->x.n; i++) {
		const char *kind = comms->x.at[i].kind;
		all_ns += comms->exposed[i].ns[why];
		for (size_t k = 0; kind && k < KINDS; k++)
			if (!strcmp(hiding[k].kind, kind))
				ns[k] += comms->exposed[i].ns[why];
	}
	for (size_t k = 1; k < KINDS; k++)
		most = ns[k] > ns[most] ? k : most;
	*advice = hiding[most].advice;
	return 2 * ns[most] > all_ns ? hiding[most].kind : NULL;
}

/* A stream of its own hides nothing of tensor parallelism: the next kernel needs what the call brings. */
static const char *advice_against(struct finding_ctx *c, enum exposed_reason why)
{
	const char *advice, *kind = hiding_kind(c, why, &advice);
	if (why == EXPOSED_COMPUTE)
		return kind ? advice : NULL;
	return why == EXPOSED_STREAM && kind && !strcmp(kind, "TP") ? advice : exposed_advice[why];
}

static const char late_ranks_advice[] = "Most of it is waiting: find out why %s late before looking at the network.";

static const char behind_advice[] = "Without that waiting compute would hide most of them: find out why %s late before "
				    "looking at the network.";

static const char late_stages_advice[] = "Most of it is waiting for other stages of the pipeline: give them equal "
					 "work, and see the rule about its bubble.";

/* Of the steps whose shares are given: what is exposed, by reason; `behind`: of what has no compute left, what has fallen behind. */
struct exposed_sums {
	double all_ns, ns[EXPOSED_COUNT], behind_ns;
};

static struct exposed_sums exposed_sums(const struct table *t)
{
	struct exposed_sums sums = {0};
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		if (!row_true(t, row, COL_COLLECTIVE_STEPS_COUNTED))
			continue;
		sums.all_ns += row_number(t, row, COL_COLLECTIVE_STEPS_EXPOSED);
		sums.behind_ns += row_number(t, row, COL_COLLECTIVE_STEPS_BEHIND);
		for (uint32_t i = 0; i < EXPOSED_COUNT; i++)
			sums.ns[i] += row_number(t, row, COL_COLLECTIVE_STEPS_BY_RANK + i);
	}
	return sums;
}

static enum exposed_reason most_exposed(const struct exposed_sums *sums)
{
	enum exposed_reason most = EXPOSED_RANK;
	for (int i = 1; i < EXPOSED_COUNT; i++)
		if (sums->ns[i] > sums->ns[most])
			most = (enum exposed_reason)i;
	return most;
}

/* What ranks that are late cost makes half of it: waiting for them, and transfers that compute would have hidden. */
static bool ranks_are_late(const struct exposed_sums *sums)
{
	return 2 * (sums->ns[EXPOSED_RANK] + sums->behind_ns) >= sums->all_ns;
}

static void blame_ranks(struct finding_ctx *c, const struct exposed_sums *sums, struct exposed_because *because)
{
	const char *whom = awaited_rank(c);
	because->advice = pipelined(c) ? late_stages_advice
				       : arena_printf(c->mem,
						      sums->behind_ns > sums->ns[EXPOSED_RANK] ? behind_advice
											       : late_ranks_advice,
						      whom ? arena_printf(c->mem, "%s is", whom) : "ranks are");
	if (ranks_are_late(sums))
		because->about = arena_printf(c->mem, "waiting for %s", whom ? whom : "other ranks");
}

/* "; 94.3 % of their exposed time with no compute left to hide them, 72.0 % because that ran while they waited for other ranks" */
static const char *exposed_words(struct finding_ctx *c, const struct exposed_sums *sums, enum exposed_reason most)
{
	const struct table *t = ctx_table(c, "collective_steps");
	uint32_t reason = COL_COLLECTIVE_STEPS_BY_RANK + most;
	const char *clause = exposed_clause(most), *share = "all";
	from_known(c, t->cols[reason].name, sums->ns[most], t, reason, ROWS_COUNTED);
	from_known(c, "exposed_comms_ns", sums->all_ns, t, COL_COLLECTIVE_STEPS_EXPOSED, ROWS_COUNTED);
	if (sums->ns[most] < sums->all_ns)
		share = pct_text(c, made_of(c, "exposed_most_pct", 100 * sums->ns[most] / sums->all_ns, UNIT_PERCENT,
					    arena_printf(c->mem, "100 * %s / exposed_comms_ns", t->cols[reason].name)));
	if (most != EXPOSED_COMPUTE || !ranks_are_late(sums))
		return arena_printf(c->mem, "; %s of their exposed time %s", share, clause);
	from_known(c, "exposed_behind_ns", sums->behind_ns, t, COL_COLLECTIVE_STEPS_BEHIND, ROWS_COUNTED);
	double behind = made_of(c, "exposed_behind_pct", 100 * sums->behind_ns / sums->all_ns, UNIT_PERCENT,
				"100 * exposed_behind_ns / exposed_comms_ns");
	return arena_printf(c->mem,
			    "; %s of their exposed time %s, %s because it ran while they waited for other ranks", share,
			    clause, pct_text(c, behind));
}

/* One stage of a pipeline hands tensors on, and no other one is recorded. */
static const char lone_stage_advice[] =
	"If it is waiting, give the stages equal work and the pipeline more micro-batches; if it is "
	"transfer, send while the next micro-batch computes.";

/* The calls that are exposed longest hand tensors to one other rank. */
static bool hands_on(struct finding_ctx *c)
{
	static const char *const ops[] = {"SendRecv", "Send", "Recv"};
	const struct table *t = ctx_table(c, "collective_steps");
	const char *op = row_text(t, row_of_most(t, COL_COLLECTIVE_STEPS_EXPOSED), COL_COLLECTIVE_STEPS_MOST);
	return op && TEXT_IS_ONE_OF(op, ops);
}

/* Nobody knows whether it is waiting: the calls are not blamed for it. */
static void blame_nobody(struct finding_ctx *c, struct exposed_because *because)
{
	bool on = hands_on(c);
	because->about = on ? "exposed sends and receives" : "exposed collectives";
	because->advice = on ? lone_stage_advice : because->advice;
}

struct exposed_because exposed_because(struct finding_ctx *c)
{
	struct exposed_sums sums = exposed_sums(ctx_table(c, "collective_steps"));
	enum exposed_reason most = most_exposed(&sums);
	if (sums.all_ns <= 0)
		return (struct exposed_because){0};
	double matched = column_sum(ctx_table(c, "replicas"), COL_REPLICAS_MATCHED);
	struct exposed_because because = {.advice = advice_against(c, most),
					  .told = most == EXPOSED_RANK || (most != EXPOSED_UNTOLD && matched > 0)};
	if (most == EXPOSED_RANK || (most == EXPOSED_COMPUTE && ranks_are_late(&sums)))
		blame_ranks(c, &sums, &because);
	else if (most == EXPOSED_UNTOLD)
		blame_nobody(c, &because);
	because.words = exposed_words(c, &sums, most);
	return because;
}

/* ---- how many ---------------------------------------------------------------------------------------------------------------------- */

static const char told_bytes[] = "step_message_bytes!=null";

/* Share that the calls take of the steps of all devices: without waiting where that is known of each (moving). */
static double calls_pct(struct finding_ctx *c, const struct table *t, bool *moving)
{
	double v;
	*moving = true; /* else nobody knows how much of it is waiting */
	for (uint32_t row = 0; row < t->n_rows && *moving; row++)
		*moving = row_real(t, row, COL_COLLECTIVE_STEPS_TRANSFER, &v);
	const char *name = *moving ? "transfer_ns" : "communication_ns";
	double steps_ns = from_rows(c, "dur_ns", t, COL_COLLECTIVE_STEPS_DUR, NULL),
	       time_ns =
		       from_rows(c, name, t, *moving ? COL_COLLECTIVE_STEPS_TRANSFER : COL_COLLECTIVE_STEPS_SUM, NULL);
	return made_of(c, "calls_pct", 100 * time_ns / steps_ns, UNIT_PERCENT,
		       arena_printf(c->mem, "100 * %s / dur_ns", name));
}

/* Share of the steps of all devices in which they move data and compute nothing meanwhile. */
static double exposed_moving_pct(struct finding_ctx *c, const struct table *t)
{
	double steps_ns = column_sum(t, COL_COLLECTIVE_STEPS_DUR);
	from_rows(c, "exposed_comms_ns", t, COL_COLLECTIVE_STEPS_EXPOSED, NULL);
	from_rows(c, "exposed_waiting_ns", t, COL_COLLECTIVE_STEPS_BY_RANK, NULL);
	double ns = column_sum(t, COL_COLLECTIVE_STEPS_EXPOSED) - column_sum(t, COL_COLLECTIVE_STEPS_BY_RANK);
	return made_of(c, "exposed_moving_pct", 100 * ns / steps_ns, UNIT_PERCENT,
		       "100 * (exposed_comms_ns - exposed_waiting_ns) / dur_ns");
}

/* Of the steps whose bytes are told, on all devices. */
static const char *sizes_words(struct finding_ctx *c, const struct table *t, bool *small)
{
	enum { SMALL_BYTES = 1 << 20 };
	char buf[UNITS_BUF];
	double calls = from_rows(c, "sized_calls", t, COL_COLLECTIVE_STEPS_CALLS, told_bytes);
	*small = false;
	if (calls <= 0)
		return "of sizes that are not recorded";
	double bytes = from_rows(c, "step_message_bytes", t, COL_COLLECTIVE_STEPS_BYTES, told_bytes);
	double mean = made_of(c, "mean_bytes", bytes / calls, UNIT_BYTES, "step_message_bytes / sized_calls");
	*small = mean < SMALL_BYTES;
	return arena_printf(c->mem, "%s each on average", fmt_bytes(buf, llround(mean)));
}

void finding_small_collectives(struct finding_ctx *c)
{
	enum { MANY = 4 };
	const struct table *t = ctx_table(c, "collective_steps");
	if (!t || !t->n_rows) {
		say_nothing(c, "no step has a collective");
		return;
	}
	bool small, moving;
	uint32_t row = row_of_most(t, COL_COLLECTIVE_STEPS_CALLS);
	double calls = from_cell(c, "collective_calls", t, row, COL_COLLECTIVE_STEPS_CALLS);
	double pct = calls_pct(c, t, &moving);
	const char *sizes = sizes_words(c, t, &small);
	bool costs = calls >= MANY && small && moving && exposed_moving_pct(c, t) >= WARN_PCT;
	enum finding_state state = calls <= 1 || pct < WARN_PCT ? FINDING_PASS : costs ? FINDING_WARN : FINDING_INFO;
	struct finding *x = calls <= 1 ? say(c, state, "One collective per step and device.")
				       : say(c, state,
					     "Up to %s collectives per step and device, %s; they take %s of the steps "
					     "%s.",
					     count_text(c, calls), sizes, pct_text(c, pct),
					     moving ? "without waiting" : "with waiting for other ranks");
	x->value = calls;
	x->unit = UNIT_COUNT;
	x->threshold = MANY;
	x->formula = "the most collectives that one device has in a step; many small ones: 4 or more of less than 1 "
		     "MiB on average that take 3 % of the steps of all devices and are exposed for as long";
	x->advice =
		state == FINDING_WARN
			? "Send fewer and larger messages: join gradients in buckets (bucket_cap_mb, gradient fusion)."
			: NULL;
}
