/* Rules about what moves between devices other than by collectives of all, from the table 'device_pairs': detours through the host. */
#include "finding_ctx.h"
#include "model/analysis/comms/device_pairs_columns.h"
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
