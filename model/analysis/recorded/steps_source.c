#include "steps_source.h"
#include "model/analysis/query/keyed.h"
#include <math.h>
#include <string.h>

void steps_source_rows(struct table *out, const struct derived *d)
{
	const char *source = NULL;
	const struct step_inference *found = NULL;
	for (uint32_t host = 0; host < trace_hosts(derived_trace(d)); host++) {
		if (!source || !strcmp(source, "none"))
			source = derived_steps_source(d, host);
		const struct step_inference *i = derived_inference(d, host);
		if (!found || (i->inferred && !found->inferred))
			found = i;
	}
	bool inferred = found && found->inferred;
	keyed_text(out, "steps_source", source,
		   "the rule that gave the steps; inferred: by what repeats, not by markers");
	keyed_text(out, "inferred_from", found ? found->why : NULL,
		   "what inferred steps follow, or why none are inferred");
	keyed_text(out, "inferred_by", inferred ? found->names : NULL, "whose names repeat from step to step");
	keyed_int(out, "inferred_period_ns", UNIT_NS, inferred ? found->period_ns : UNKNOWN_I64,
		  "median time from the start of one inferred step to the next");
	keyed_int(out, "inferred_kernels_per_step", UNIT_COUNT, inferred ? found->kernels_per_step : UNKNOWN_I64,
		  "device work (else ops) of the typical inferred step");
	keyed_real(out, "inferred_regularity_pct", UNIT_PERCENT, inferred ? found->regularity * 100 : NAN,
		   "how alike the inferred steps are: share of names in common with the typical step");
}
