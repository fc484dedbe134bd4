/* Rules about what moves between devices other than by collectives of all, from the tables 'device_pairs' and 'pipeline_stages': detours
 * through the host, bubbles of pipelines. */
#include "finding_ctx.h"
#include "model/analysis/comms/device_pairs_columns.h"
#include "model/analysis/comms/pipeline_columns.h"
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
	double from = from_cell(c, "from_device", t, row, COL_DEVICE_PAIRS_FROM),
	       to = from_cell(c, "to_device", t, row, COL_DEVICE_PAIRS_TO);
	const char *lost = device_time_text(c, "transfers_ns", ns, &pct);
	struct finding *x =
		say(c, pct >= WARN_PCT ? FINDING_WARN : FINDING_INFO,
		    "%.0f transfer%s (%s) between GPUs go%s through the host, most from GPU %.0f to GPU %.0f, in %s.",
		    transfers, transfers == 1 ? "" : "s", fmt_bytes(bytes, llround(moved)), transfers == 1 ? "es" : "",
		    from, to, lost);
	const struct evidence *e = table_evidence_of(t, row);
	finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->formula = "copies to the host with a copy of the same bytes to another device right behind, from the begin "
		     "of the "
		     "first to the end of the second / first to last work of the devices; warns from 3 %";
	x->advice = peer_advice[c->framework];
}

/* ---- pipelines --------------------------------------------------------------------------------------------------------------- */

void finding_pipeline_bubble(struct finding_ctx *c)
{
	enum { MODERATE_PCT = 10, HIGH_PCT = 30 };
	const struct table *t = ctx_table(c, "pipeline_stages");
	uint32_t stages = from_count(c, "stages", t, NULL), most = 0;
	if (stages < 2) {
		say_nothing(c, "no two devices hand tensors on by sends and receives that are both recorded");
		return;
	}
	for (uint32_t row = 1; row < stages; row++)
		if (row_number(t, row, COL_PIPELINE_PCT) > row_number(t, most, COL_PIPELINE_PCT))
			most = row;
	double bubble_ns = from_rows(c, "bubble_ns", t, COL_PIPELINE_BUBBLE, NULL),
	       steps_ns = from_rows(c, "stage_steps_ns", t, COL_PIPELINE_STEPS_NS, NULL);
	double pct = made_of(c, "bubble_of_all_pct", 100 * bubble_ns / steps_ns, UNIT_PERCENT,
			     "100 * bubble_ns / stage_steps_ns");
	double stage = from_cell(c, "stage", t, most, COL_PIPELINE_STAGE),
	       most_pct = from_cell(c, "bubble_pct", t, most, COL_PIPELINE_PCT);
	enum finding_state state = pct >= HIGH_PCT ? FINDING_FAIL : pct >= MODERATE_PCT ? FINDING_WARN : FINDING_PASS;
	struct finding *x =
		say(c, state,
		    "The %u stages of the pipeline stand idle or wait for each other for %s of their steps, stage "
		    "%.0f most: %s.",
		    stages, pct_text(c, pct), stage, pct_text(c, most_pct));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = MODERATE_PCT;
	x->lost_ns = llround(bubble_ns / stages);
	x->formula = "time in which a stage does nothing or only waits in a send, a receive or a collective / step "
		     "time, over all stages; "
		     "moderate from 10 %, high from 30 %";
	x->advice = state == FINDING_PASS
			    ? NULL
			    : "Cut the batch into more micro-batches, use a schedule that interleaves stages (1F1B, "
			      "interleaved, zero bubble), and give stages equal work.";
}
