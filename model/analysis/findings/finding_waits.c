/* Who waits for whom: which rank is late, why, and what the others wait for it, from the tables 'replicas' and 'collective_steps'.
 * Thresholds: SEMANTICS.md, 16. */
#include "finding_ctx.h"
#include "model/analysis/comms/collective_steps_columns.h"
#include "model/analysis/comms/lateness.h"
#include "model/analysis/comms/replicas_columns.h"
#include "model/analysis/traffic/comm_groups_columns.h"
#include <math.h>
#include <string.h>

enum { WAIT_PCT = 1, WARN_PCT = 3, FAIL_PCT = 15, ALONE_PART = 10 };

static const struct table *replicas(struct finding_ctx *c)
{
	return ctx_table(c, "replicas");
}

bool several_hosts(const struct table *t, uint32_t host)
{
	for (uint32_t row = 1; row < t->n_rows; row++) {
		const char *first = row_text(t, 0, host), *other = row_text(t, row, host);
		if (first && other && strcmp(first, other))
			return true;
	}
	return false;
}

const char *worker_words(struct finding_ctx *c, const struct table *t, uint32_t row, struct device_columns in)
{
	double rank;
	if (row_real(t, row, in.rank, &rank))
		return arena_printf(c->mem, "Rank %.0f", from_cell(c, "rank", t, row, in.rank));
	from_cell(c, "gpu", t, row, in.device);
	if (several_hosts(t, in.host))
		from_text(c, "host", t, row, in.host);
	return device_name(c, t, row, in);
}

const char *replica_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	static const struct device_columns in = {COL_REPLICAS_HOST, COL_REPLICAS_RANK, COL_REPLICAS_DEVICE};
	return worker_words(c, t, row, in);
}

/* ---- for which one ---------------------------------------------------------------------------------------------------------- */

bool pipelined(struct finding_ctx *c)
{
	const struct table *stages = ctx_table(c, "pipeline_stages");
	return stages && stages->n_rows > 1;
}

/* Half of what all wait for each other or more is for this one. */
static bool is_awaited(const struct table *t, uint32_t row)
{
	double ns = row_number(t, row, COL_REPLICAS_WAITED_FOR);
	return ns > 0 && 2 * ns >= column_sum(t, COL_REPLICAS_WAIT);
}

/* Another one is so nearly as late that hardly any waiting would go if this one came with it. */
static bool is_one_of_several(const struct table *t, uint32_t row)
{
	return ALONE_PART * row_number(t, row, COL_REPLICAS_ALONE) < row_number(t, row, COL_REPLICAS_WAITED_FOR);
}

const char *awaited_rank(struct finding_ctx *c)
{
	const struct table *t = replicas(c);
	uint32_t row = t && t->n_rows ? row_of_most(t, COL_REPLICAS_WAITED_FOR) : 0;
	if (!t || !t->n_rows || pipelined(c) || !is_awaited(t, row) || is_one_of_several(t, row))
		return NULL;
	double rank;
	return row_real(t, row, COL_REPLICAS_RANK, &rank) ? arena_printf(c->mem, "rank %.0f", rank)
							  : replica_words(c, t, row);
}

/* ---- how much --------------------------------------------------------------------------------------------------------------- */

/* What devices wait for each other in collectives: all of it, and what no compute hides. */
struct waiting {
	bool told;                                         /* what no compute hides is known of every device */
	double all_ns, steps_pct, exposed_ns, exposed_pct; /* of the window; of the steps that count */
	double behind_ns,
		behind_pct; /* transfers exposed because compute ran during the waiting, of the steps that count */
	double outlier_pct,
		most_pct; /* of long or short steps, 0: there are none; exposed, with those, where that is more */
};

/* Steps that differ from the steady ones may do so for what they wait for. */
static void add_outliers(struct finding_ctx *c, double steps_ns, double steps_exposed_ns, struct waiting *w)
{
	static const char outliers[] = "phase=outlier";
	const struct table *t = ctx_table(c, "collective_steps");
	double dur_ns = from_rows(c, "outliers_ns", t, COL_COLLECTIVE_STEPS_DUR, outliers);
	w->most_pct = w->exposed_pct;
	w->outlier_pct = 0;
	if (dur_ns <= 0 || !c->steady_only)
		return;
	double wait_ns = from_rows(c, "outliers_wait_ns", t, COL_COLLECTIVE_STEPS_WAIT, outliers),
	       exposed_ns = from_rows(c, "outliers_exposed_ns", t, COL_COLLECTIVE_STEPS_BY_RANK, outliers);
	double pct =
		made_of(c, "exposed_with_outliers_pct", 100 * (steps_exposed_ns + exposed_ns) / (steps_ns + dur_ns),
			UNIT_PERCENT,
			"100 * (replica_steps_exposed_ns + outliers_exposed_ns) / (replica_steps_ns + outliers_ns)");
	w->most_pct = pct > w->exposed_pct ? pct : w->exposed_pct;
	w->outlier_pct = made_of(c, "outliers_waiting_pct", 100 * wait_ns / dur_ns, UNIT_PERCENT,
				 "100 * outliers_wait_ns / outliers_ns");
}

/* Had nobody been late, compute would have hidden these transfers. */
static void add_behind(struct finding_ctx *c, struct waiting *w)
{
	const struct table *t = ctx_table(c, "collective_steps");
	double dur_ns = from_rows(c, "counted_steps_ns", t, COL_COLLECTIVE_STEPS_DUR, ROWS_COUNTED);
	w->behind_ns = from_rows(c, "exposed_behind_ns", t, COL_COLLECTIVE_STEPS_BEHIND, ROWS_COUNTED);
	w->behind_pct = dur_ns > 0 ? made_of(c, "behind_pct", 100 * w->behind_ns / dur_ns, UNIT_PERCENT,
					     "100 * exposed_behind_ns / counted_steps_ns")
				   : 0;
}

/* Summaries of version 1 do not hold it. */
static bool exposed_is_told(const struct table *t)
{
	double ns;
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (row_number(t, row, COL_REPLICAS_MATCHED) > 0 && !row_real(t, row, COL_REPLICAS_EXPOSED, &ns))
			return false;
	return true;
}

static struct waiting waiting_of(struct finding_ctx *c, const struct table *t, double steps_ns)
{
	struct waiting w = {.told = exposed_is_told(t)};
	w.all_ns = from_rows(c, "collective_wait_ns", t, COL_REPLICAS_WAIT, NULL);
	from_known(c, "replica_steps_ns", steps_ns, t, COL_REPLICAS_STEPS_NS, NULL);
	double waits_ns = from_rows(c, "replica_steps_wait_ns", t, COL_REPLICAS_STEPS_WAIT, NULL),
	       exposed_ns = from_rows(c, "replica_steps_exposed_ns", t, COL_REPLICAS_STEPS_EXPOSED, NULL);
	w.exposed_ns = from_rows(c, "exposed_wait_ns", t, COL_REPLICAS_EXPOSED, NULL);
	w.steps_pct = made_of(c, "waiting_pct", 100 * waits_ns / steps_ns, UNIT_PERCENT,
			      "100 * replica_steps_wait_ns / replica_steps_ns");
	w.exposed_pct = made_of(c, "exposed_waiting_pct", 100 * exposed_ns / steps_ns, UNIT_PERCENT,
				"100 * replica_steps_exposed_ns / replica_steps_ns");
	add_outliers(c, steps_ns, exposed_ns, &w);
	add_behind(c, &w);
	return w;
}

/* "4.1 % of steady steps, 0.1 % exposed": where compute hides a part worth telling. Steps that are not steady are in the sums before it, and
 * are told where they alone wait. */
static const char *share_words(struct finding_ctx *c, const struct waiting *w)
{
	const char *all =
		arena_printf(c->mem, "%s of %s steps", pct_text(c, w->steps_pct), c->steady_only ? "steady" : "their");
	if (!w->told)
		return all;
	if (w->exposed_pct < 0.95 * w->steps_pct)
		all = arena_printf(c->mem, "%s, %s exposed", all, pct_text(c, w->exposed_pct));
	if (w->behind_pct >= WAIT_PCT)
		all = arena_printf(c->mem, "%s; %s more in transfers that it leaves without compute beside them", all,
				   pct_text(c, w->behind_pct));
	return w->steps_pct >= WAIT_PCT || w->most_pct < WARN_PCT
		       ? all
		       : arena_printf(c->mem, "%s, %s of outliers", all, pct_text(c, w->outlier_pct));
}

/* ---- the sentence ----------------------------------------------------------------------------------------------------------- */

/* ", by 12.0 % in all": where that is why; else "". */
static const char *pace_words(struct finding_ctx *c, const struct table *t, uint32_t row, const char *because)
{
	if (lateness_advice(because) != lateness_slow_advice)
		return "";
	double pace = from_cell(c, "kernel_pace", t, row, COL_REPLICAS_PACE);
	return arena_printf(
		c->mem, ", by %s in all",
		pct_text(c, made_of(c, "slower_pct", 100 * pace - 100, UNIT_PERCENT, "100 * kernel_pace - 100")));
}

/* ", mostly because its kernels take longer (5.000 ms more than the others' mean)"; "": nothing makes half of it. */
static const char *because_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	const char *because = from_text(c, "late_because", t, row, COL_REPLICAS_BECAUSE),
		   *in = from_text(c, "late_because_in", t, row, COL_REPLICAS_BECAUSE_IN);
	if (!because)
		return "";
	const char *each = pace_words(c, t, row, because);
	double more_ns = from_cell(c, "late_because_ns", t, row, COL_REPLICAS_BECAUSE_NS) /
			 from_cell(c, "judged_calls", t, row, COL_REPLICAS_JUDGED);
	more_ns = made_of(c, "late_because_mean_ns", more_ns, UNIT_NS, "late_because_ns / judged_calls");
	return arena_printf(c->mem, ", mostly because %s%s (%s more than the others' mean%s%s)", because, each,
			    ns_text(c, more_ns), in ? ", most in " : "", in ? in : "");
}

/* ", all but 1.406 ms of it for another one as well": of several that are late together one is last. */
static const char *several_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	double alone_ns = from_cell(c, "late_alone_ns", t, row, COL_REPLICAS_ALONE);
	return is_one_of_several(t, row)
		       ? arena_printf(c->mem, ", all but %s of it for another one as well", ns_text(c, alone_ns))
		       : "";
}

static struct finding *say_last(struct finding_ctx *c, enum finding_state state, const struct table *t, uint32_t row,
				const struct waiting *w)
{
	double last = from_cell(c, "last_at", t, row, COL_REPLICAS_LAST),
	       calls = from_cell(c, "matched_calls", t, row, COL_REPLICAS_MATCHED),
	       waited_ns = from_cell(c, "waited_for_ns", t, row, COL_REPLICAS_WAITED_FOR);
	bool lone = c->one_step;
	const char *who = replica_words(c, t, row);
	if (!is_awaited(t, row))
		return say(c, state,
			   "Ranks wait %s for each other in collectives (%s), for no single one: longest for %c%s, %s, "
			   "last at %s of its %s%s.",
			   ns_text(c, w->all_ns), share_words(c, w), who[0] == 'R' ? 'r' : who[0], who + 1,
			   ns_text(c, waited_ns), count_text(c, last), count_text(c, calls),
			   lone ? "; from a single iteration, before which nothing is recorded" : "");
	double by_ns = made_of(c, "late_by_mean_ns", from_cell(c, "late_by_ns", t, row, COL_REPLICAS_LATE_BY) / last,
			       UNIT_NS, "late_by_ns / last_at");
	return say(
		c, state,
		"%s is last at %s of %s collectives, by %s on average; the others wait %s for it%s, of %s of waiting "
		"in all (%s)%s%s.",
		who, count_text(c, last), count_text(c, calls), ns_text(c, by_ns), ns_text(c, waited_ns),
		several_words(c, t, row), ns_text(c, w->all_ns), share_words(c, w), because_words(c, t, row),
		lone ? "; from a single iteration, before which nothing is recorded" : "");
}

static const char *late_advice(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	if (!is_awaited(t, row))
		return "Another one is late each time: give all ranks steps of one length (batches of like size, "
		       "evaluation, logging and checkpoints on all alike), and let hosts run ahead of their devices.";
	if (is_one_of_several(t, row))
		return "Several ranks are late together: see in the table 'replicas' which, and what they share: a "
		       "host, "
		       "a part of the batch, a slower clock.";
	const char *because = row_text(t, row, COL_REPLICAS_BECAUSE),
		   *experts = because && lateness_is_of_compute(because) ? experts_advice(c) : NULL,
		   *advice = experts   ? experts
			     : because ? lateness_advice(because)
				       : NULL;
	enum cause cause = because ? lateness_cause(because) : CAUSE_COUNT;
	const struct evidence *in = table_evidence_of(t, row);
	if (!advice && cause != CAUSE_COUNT && cause != CAUSE_HOST_COMPUTE)
		advice = idle_advice(c->d, cause, in->n ? in->rows[0] : NONE_ID);
	return advice ? advice
		      : "Look at that rank's time before its collectives: balance the work, feed it earlier, or find "
			"out what its host does.";
}

/* Of one iteration nobody knows what the last rank did before it: that may be the recording's own start. The last reduction of a step
 * comes where the pipeline ends: the rule about its bubble speaks of that. */
static enum finding_state state_of(struct finding_ctx *c, double pct)
{
	enum finding_state state = pct >= FAIL_PCT ? FINDING_FAIL : pct >= WARN_PCT ? FINDING_WARN : FINDING_INFO;
	if (c->one_step && state != FINDING_INFO)
		state = state == FINDING_FAIL ? FINDING_WARN : FINDING_INFO;
	return pipelined(c) ? FINDING_INFO : state;
}

/* How much of it is lost, and whether that is much, nobody knows. */
static void say_waiting_untold(struct finding_ctx *c, const struct table *t, uint32_t row, const struct waiting *w)
{
	struct finding *x = say_last(c, FINDING_INFO, t, row, w);
	x->value = w->steps_pct;
	x->unit = UNIT_PERCENT;
	x->formula = "time that devices wait in collectives until the last of them has started / their step time";
	x->advice =
		"How much of it compute hides, and why ranks are late, is not in a summary of version 1: summarize the "
		"traces again.";
}

static void say_waiting(struct finding_ctx *c, const struct table *t, uint32_t row, const struct waiting *w)
{
	if (!w->told) {
		say_waiting_untold(c, t, row, w);
		return;
	}
	struct finding *x = say_last(c, state_of(c, w->most_pct + w->behind_pct), t, row, w);
	const char *whom = awaited_rank(c);
	x->about = whom           ? arena_printf(c->mem, "waiting for %s", whom)
		   : pipelined(c) ? NULL
				  : "waiting for other ranks";
	x->value = w->most_pct + w->behind_pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->lost_ns = llround(w->exposed_ns + w->behind_ns);
	x->formula = "exposed: time that devices wait in collectives until the last of them has started and compute "
		     "nothing meanwhile / their step time, outliers included where that is more; with transfers that "
		     "are exposed "
		     "because compute ran during the waiting; moderate from 3 %, high from 15 %";
	x->advice = w->most_pct + w->behind_pct >= WAIT_PCT ? late_advice(c, t, row) : NULL;
}

/* ---- the rule --------------------------------------------------------------------------------------------------------------- */

/* Calls of no process group on two devices or more, none of which is known to be one of another device. */
static bool calls_are_unmatched(struct finding_ctx *c)
{
	static const char several[] = "recorded_ranks!=1 and group_ranks=null";
	const struct table *t = ctx_table(c, "comm_groups");
	bool matched = column_sum(t, COL_COMM_GROUPS_WAIT) + column_sum(t, COL_COMM_GROUPS_TRANSFER) > 0;
	return !matched && from_rows(c, "group_calls", t, COL_COMM_GROUPS_CALLS, several) > 0;
}

static void say_unmatched(struct finding_ctx *c)
{
	if (calls_are_unmatched(c))
		say_untold(
			c, "who waits for whom",
			"nothing says which collectives of the devices are one call: neither a process group nor a "
			"name whose calls end together",
			"Record what the collectives are: PyTorch's profiler of 2.3 or later notes group and number of "
			"each; or kernels whose names tell (not a generic one for all).");
	else
		say_nothing(c, "no collective is recorded on two devices or more");
}

void finding_waits_for(struct finding_ctx *c)
{
	const struct table *t = replicas(c);
	double calls = t && t->n_rows ? row_number(t, row_of_most(t, COL_REPLICAS_MATCHED), COL_REPLICAS_MATCHED) : 0;
	if (calls <= 0) {
		say_unmatched(c);
		return;
	}
	double steps_ns = column_sum(t, COL_REPLICAS_STEPS_NS);
	if (steps_ns <= 0) {
		say_missing(c, "what waiting for other ranks costs", "step",
			    derived_steps(c->d) ? "no step holds work of a device" : "there are no steps",
			    "Mark the steps, or name them with --steps-by REGEX.");
		return;
	}
	struct waiting w = waiting_of(c, t, steps_ns);
	uint32_t row = row_of_most(t, COL_REPLICAS_WAITED_FOR);
	if ((w.steps_pct >= WAIT_PCT || w.most_pct + w.behind_pct >= WARN_PCT) &&
	    row_number(t, row, COL_REPLICAS_WAITED_FOR) > 0) {
		say_waiting(c, t, row, &w);
		return;
	}
	struct finding *x =
		say(c, FINDING_PASS, "Ranks hardly wait for each other in collectives: for %s of their steps.",
		    pct_text(c, w.steps_pct));
	x->value = w.exposed_pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
}
