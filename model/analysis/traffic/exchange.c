#include "exchange.h"
#include <math.h>
#include "model/analysis/derived/rows.h"

bool exchanges_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		    struct exchanges *out, struct err *e)
{
	uint32_t devices = trace_devices(derived_trace(d));
	const struct comms *comms = comms_of(d, p, e);
	*out = (struct exchanges){.received_mean = NAN};
	if (!comms)
		return false;
	struct exchange *of = arena_alloc(mem, (devices + 1) * sizeof *of);
	for (uint32_t i = 0; i < comms->x.n; i++) {
		const struct collective *c = &comms->x.at[i];
		if (c->is.op != COLLECTIVE_ALL_TO_ALL || c->sent == UNKNOWN_I64 || c->received == UNKNOWN_I64 ||
		    !query_holds(q, derived_columns(d)->start_ns[c->row]))
			continue;
		struct exchange *x = &of[c->device];
		x->calls++;
		x->sent += c->sent;
		x->received += c->received;
		if (!isnan(c->to_one)) {
			x->split += (double)c->sent;
			x->to_one += (double)c->sent * c->to_one;
		}
		x->ns += derived_columns(d)->dur_ns[c->row];
		x->exposed_ns += comms->exposed[i].exposed_ns;
	}
	double sum = 0;
	out->at = arena_alloc(mem, (devices + 1) * sizeof *out->at);
	for (uint32_t i = 0; i < devices; i++) {
		if (!of[i].calls)
			continue;
		of[i].device = i;
		sum += (double)of[i].received;
		out->at[out->n++] = of[i];
	}
	out->received_mean = out->n ? sum / out->n : NAN;
	return true;
}
