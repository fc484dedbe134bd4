/* Rules about what moves between devices other than by collectives of all, from the tables 'device_pairs', 'pipeline_stages', 'comm_groups',
 * 'all_to_all' and 'input': detours through the host, bubbles of pipelines, ranks that are missing, uneven exchange, input for all. */
#include "finding_ctx.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/steps/step_part.h"
#include "model/analysis/traffic/comm_groups_columns.h"
#include "model/analysis/traffic/device_pairs_columns.h"
#include "model/analysis/traffic/exchange_columns.h"
#include "model/analysis/traffic/pipeline_columns.h"
#include "model/store/base/units.h"
#include <math.h>
#include <string.h>

enum { WARN_PCT = 3 };

/* ---- through the host ------------------------------------------------------------------------------------------------------- */

static const char detours[] = "path=through the host";

static const char *const peer_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Copy from device to device: enable peer access, or use NCCL's send and receive.",
	[FRAMEWORK_TENSORFLOW] =
		"Keep the tensor on devices: no op placed on the host between the two, no .numpy(); copies "
		"between GPUs are then made from device to device.",
	[FRAMEWORK_JAX] = "Move arrays with jax.device_put(x, other_device) or by shardings, not through numpy.",
	[FRAMEWORK_PYTORCH] =
		"Use tensor.to('cuda:N') on the GPU tensor, or torch.distributed's send and recv with NCCL, without "
		".cpu() between; check torch.cuda.can_device_access_peer.",
};

static uint32_t longest_detour(const struct table *t)
{
	uint32_t most = NONE_ID;
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (row_meets(t, row, detours) && (most == NONE_ID || row_number(t, row, COL_DEVICE_PAIRS_NS) >
									      row_number(t, most, COL_DEVICE_PAIRS_NS)))
			most = row;
	return most;
}

/* "GPU 0 to GPU 1", of several hosts "hostA GPU 0 to hostA GPU 1". */
static const char *pair_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	enum { HOST = COL_DEVICE_PAIRS_HOST, RANK = COL_DEVICE_PAIRS_RANK };
	double rank;
	from_cell(c, "from_device", t, row, COL_DEVICE_PAIRS_FROM);
	from_cell(c, "to_device", t, row, COL_DEVICE_PAIRS_TO);
	if (row_real(t, row, RANK, &rank))
		from_cell(c, "rank", t, row, RANK);
	else if (several_hosts(t, HOST))
		from_text(c, "host", t, row, HOST);
	return arena_printf(c->mem, "%s to %s",
			    device_name(c, t, row, (struct device_columns){HOST, RANK, COL_DEVICE_PAIRS_FROM}),
			    device_name(c, t, row, (struct device_columns){HOST, RANK, COL_DEVICE_PAIRS_TO}));
}

void finding_through_host(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "device_pairs");
	char bytes[UNITS_BUF];
	double pct;
	double transfers = from_rows(c, "transfers", t, COL_DEVICE_PAIRS_TRANSFERS, detours);
	if (transfers <= 0) {
		say_nothing(c, "nothing is copied to the host and from there to another device");
		return;
	}
	uint32_t row = longest_detour(t);
	double moved = from_rows(c, "transfer_bytes", t, COL_DEVICE_PAIRS_BYTES, detours);
	double ns = from_rows(c, "transfers_ns", t, COL_DEVICE_PAIRS_NS, detours);
	const char *pair = pair_words(c, t, row);
	const char *lost = device_time_text(c, "transfers_ns", ns, &pct);
	struct finding *x = say(c, pct >= WARN_PCT ? FINDING_WARN : FINDING_INFO,
				"%s transfer%s (%s) between GPUs go%s through the host, most from %s, in %s.",
				count_text(c, transfers), transfers == 1 ? "" : "s", fmt_bytes(bytes, llround(moved)),
				transfers == 1 ? "es" : "", pair, lost);
	show_row(c, x, t, row);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->formula = "copies to the host followed at once by a copy of the same size to another device, from the start "
		     "of the first to the end of the second / first to last work of the devices; warning from 3 %";
	x->advice = peer_advice[c->framework];
}

/* ---- pipelines --------------------------------------------------------------------------------------------------------------- */

void finding_pipeline_bubble(struct finding_ctx *c)
{
	enum { MODERATE_PCT = 10, HIGH_PCT = 30 };
	const struct table *t = ctx_table(c, "pipeline_stages");
	uint32_t stages = from_count(c, "stages", t, NULL);
	if (stages < 2) {
		say_nothing(c, "no two devices hand tensors on by sends and receives that are both recorded");
		return;
	}
	uint32_t most = row_of_most(t, COL_PIPELINE_PCT);
	double bubble_ns = from_rows(c, "bubble_ns", t, COL_PIPELINE_BUBBLE, NULL),
	       steps_ns = from_rows(c, "stage_steps_ns", t, COL_PIPELINE_STEPS_NS, NULL);
	double pct = made_of(c, "bubble_of_all_pct", 100 * bubble_ns / steps_ns, UNIT_PERCENT,
			     "100 * bubble_ns / stage_steps_ns");
	double stage = from_cell(c, "stage", t, most, COL_PIPELINE_STAGE),
	       most_pct = from_cell(c, "bubble_pct", t, most, COL_PIPELINE_PCT);
	enum finding_state state = pct >= HIGH_PCT ? FINDING_FAIL : pct >= MODERATE_PCT ? FINDING_WARN : FINDING_PASS;
	struct finding *x = say(c, state,
				"The %u stages of the pipeline are idle or wait for each other for %s of their steps, "
				"stage %.0f the most: %s.",
				stages, pct_text(c, pct), stage, pct_text(c, most_pct));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = MODERATE_PCT;
	x->lost_ns = llround(bubble_ns);
	x->formula = "time in which a stage is idle or only waits in a send, a receive or a collective / step time, "
		     "over all stages; moderate from 10 %, high from 30 %";
	x->advice = state == FINDING_PASS
			    ? NULL
			    : "Cut the batch into more micro-batches, use a schedule that interleaves stages (1F1B, "
			      "interleaved, zero bubble), and give stages equal work.";
}

/* ---- what is not recorded ------------------------------------------------------------------------------------------------------ */

static const char all_ranks[] = "Open the traces of all ranks together: their folder, or several files.";

/* The group with most ranks that are not recorded; NONE_ID: no group lacks one. */
static uint32_t most_missing(const struct table *t)
{
	uint32_t most = NONE_ID;
	double lacks = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		double size;
		if (row_real(t, row, COL_COMM_GROUPS_SIZE, &size) &&
		    size - row_number(t, row, COL_COMM_GROUPS_RECORDED) > lacks) {
			lacks = size - row_number(t, row, COL_COMM_GROUPS_RECORDED);
			most = row;
		}
	}
	return most;
}

const char *ranks_missing(struct finding_ctx *c, double *recorded)
{
	const struct table *t = ctx_table(c, "comm_groups");
	uint32_t row = t ? most_missing(t) : NONE_ID;
	if (row == NONE_ID)
		return NULL;
	double size = from_cell(c, "group_ranks", t, row, COL_COMM_GROUPS_SIZE);
	*recorded = from_cell(c, "recorded_ranks", t, row, COL_COMM_GROUPS_RECORDED);
	const char *missing = from_text(c, "missing_ranks", t, row, COL_COMM_GROUPS_MISSING);
	return arena_printf(c->mem, "%s of the %s ranks of a process group %s recorded%s%s", count_text(c, *recorded),
			    count_text(c, size), *recorded == 1 ? "is" : "are", missing ? "; not recorded: " : "",
			    missing ? missing : "");
}

void finding_missing_ranks(struct finding_ctx *c)
{
	enum { TELL_PCT = 5 };
	const struct table *t = ctx_table(c, "comm_groups");
	double recorded;
	const char *reason = ranks_missing(c, &recorded);
	if (reason && recorded < 2) {
		say_untold(c, "who waits for whom, and how much of communication is waiting", reason, all_ranks);
		return;
	}
	if (reason) {
		say(c, FINDING_INFO, "%s: cannot tell whether they are late.", reason)->advice = all_ranks;
		return;
	}
	double calls = from_rows(c, "group_calls", t, COL_COMM_GROUPS_CALLS, "group_ranks!=null"),
	       alone = from_rows(c, "lone_calls", t, COL_COMM_GROUPS_ALONE, "group_ranks!=null");
	if (alone * 100 < calls * TELL_PCT || alone <= 0) {
		say_nothing(c,
			    "the calls of process groups are recorded on all of their ranks, or no group is recorded");
		return;
	}
	struct finding *x = say(c, FINDING_INFO,
				"%s of %s calls of process groups have no counterpart on every rank of their group.",
				count_text(c, alone), count_text(c, calls));
	x->value = alone;
	x->unit = UNIT_COUNT;
	x->formula = "calls that are not found on every rank of their group; reported from 5 % of all calls";
	x->advice = "Record the same steps on all ranks; what only one recording holds is not compared.";
}

/* ---- all-to-alls -------------------------------------------------------------------------------------------------------------- */

void finding_uneven_exchange(struct finding_ctx *c)
{
	static const double warn = 1.3;
	const struct table *t = ctx_table(c, "all_to_all");
	uint32_t devices = from_count(c, "devices", t, "received_to_mean!=null");
	if (devices < 2) {
		say_nothing(c, "no bytes of all-to-alls are recorded on two devices or more");
		return;
	}
	uint32_t row = row_of_most(t, COL_EXCHANGE_TO_MEAN);
	char bytes[UNITS_BUF];
	static const struct device_columns in = {COL_EXCHANGE_HOST, COL_EXCHANGE_RANK, COL_EXCHANGE_DEVICE};
	double ratio = from_cell(c, "received_to_mean", t, row, COL_EXCHANGE_TO_MEAN),
	       got = from_cell(c, "received_bytes", t, row, COL_EXCHANGE_RECEIVED);
	struct finding *x =
		ratio < warn
			? say(c, FINDING_PASS,
			      "All-to-alls are spread evenly over %u devices: at most %.2f times the mean.", devices,
			      ratio)
			: say(c, FINDING_WARN, "%s receives %s in all-to-alls, %.2f times the mean of the %u devices.",
			      worker_words(c, t, row, in), fmt_bytes(bytes, llround(got)), ratio, devices);
	x->value = ratio;
	x->threshold = warn;
	x->formula = "largest received_bytes / its mean over the devices; uneven from 1.3";
	x->advice = ratio < warn ? NULL
				 : "Spread its load: balance experts (auxiliary loss, capacity factor, more replicas "
				   "of hot experts) or embedding tables over the ranks.";
}

/* ---- input for all ---------------------------------------------------------------------------------------------------------- */

/* What the share called input is. */
static const char *waited_for(struct finding_ctx *c, double pct)
{
	static const char *const words[] = {[INPUT_HOLDS_NOTHING] = "input",
					    [INPUT_HOLDS_WAITS] = "input",
					    [INPUT_HOLDS_COPIES] = "copies of input",
					    [INPUT_HOLDS_BOTH] = "input and its copies"};
	double copy = NAN;
	ctx_real(c, "input", "input_copy_pct", &copy);
	return words[input_holds(pct, copy)];
}

void finding_input_replicas(struct finding_ctx *c)
{
	enum { WARN_PCT_INPUT = 5, UNEVEN = 2 };
	double n, pct, most, rank, device;
	uint32_t together = from_count(c, "together", ctx_table(c, "replicas"), "overlap_pct!=null");
	if (together < 2 || derived_job_steps(c->d)->n < 2) {
		say_nothing(c, together < 2 ? "no two devices were recorded at the same time"
					    : "one iteration says nothing about later ones");
		return;
	}
	if (!ctx_real(c, "input", "replicas", &n) || n < 2 || !ctx_real(c, "input", "input_pct", &pct) ||
	    !ctx_real(c, "input", "input_pct_most", &most)) {
		say_nothing(c, "fewer than two devices get input in steps, or nothing recorded shows what input costs");
		return;
	}
	if (copies_are_no_input(c)) {
		say_nothing(c, "most of what the steps copy is not input");
		return;
	}
	bool ranked = ctx_real(c, "input", "input_rank_most", &rank);
	ctx_real(c, "input", "input_device_most", &device);
	const char *host = ranked ? NULL : ctx_text(c, "input", "input_host_most");
	const char *who = arena_printf(c->mem, "%s%s%s %.0f", host ? host : "", host ? " " : "",
				       ranked ? "rank" : "GPU", ranked ? rank : device);
	bool uneven = most >= UNEVEN * pct && most - pct >= WARN_PCT_INPUT;
	enum finding_state state = most < WARN_PCT_INPUT ? FINDING_PASS : uneven ? FINDING_WARN : FINDING_INFO;
	struct finding *x =
		state == FINDING_PASS
			? say(c, state, "Input keeps up with all %.0f devices: %s of their steps, %s most: %s.", n,
			      pct_text(c, pct), who, pct_text(c, most))
		: uneven ? say(c, state,
			       "Input does not keep up on one of %.0f devices: %s of the steps of %s, %s over all.", n,
			       pct_text(c, most), who, pct_text(c, pct))
			 : say(c, state, "All %.0f devices wait for %s: %s of their steps, %s most: %s.", n,
			       waited_for(c, pct), pct_text(c, pct), who, pct_text(c, most));
	x->value = most;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT_INPUT;
	x->formula = "largest share of one device's steps that is input; reported from 5 %, a warning where it is "
		     "twice that of all devices";
	x->advice = state == FINDING_PASS ? NULL
		    : uneven ? "Look at that rank's host: its shard of the data, its workers and cores, its disk and "
			       "network."
			     : "Input for N devices must deliver N times as much as for one: more workers per device, "
			       "enough cores for all of them, data sharded before it is read.";
}
