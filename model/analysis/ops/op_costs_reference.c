/* Costs as the reference tool adds them up: each kernel counts its whole instruction, library products count nothing, sums of
 * bytes are kept in 32-bit floats. Its arithmetic is in clocks of a table of its own, except for products and convolutions:
 * the rest is unknown here. Ops outside of compiled programs have no costs there. */
#include "op_costs.h"
#include "model/analysis/derived/derived.h"
#include <math.h>
#include <string.h>

static bool is(const struct derived *d, str_id id, const char *z)
{
	return !strcmp(trace_str(derived_trace(d), id), z);
}

static bool library_product(const struct derived *d, const struct hlo_info *h)
{
	return is(d, h->opcode, "custom-call") && !strncmp(trace_str(derived_trace(d), h->target), "__cublas$", 9);
}

static double flops_of(const struct derived *d, const struct hlo_info *h)
{
	bool product = is(d, h->opcode, "dot") || is(d, h->opcode, "convolution") || is(d, h->opcode, "custom-call") ||
		       is(d, h->category, "custom fusion");
	return product && h->flops >= 0 ? (double)h->flops : NAN;
}

void op_costs_take_reference(struct op_costs *c, const struct cost_piece *x, struct op_work *to)
{
	const struct hlo_info *h = trace_hlo(derived_trace(c->d), x->row);
	const struct peaks *p = &c->peaks[x->device];
	int64_t dur_ns = derived_columns(c->d)->dur_ns[x->row];
	to->all_ns += dur_ns;
	if (!h || !h->known)
		return;
	bool library = library_product(c->d, h);
	to->flops += library ? 0 : flops_of(c->d, h);
	to->bytes += library || h->bytes < 0 ? 0 : (double)(float)h->bytes;
	to->flops_ns += dur_ns;
	to->bytes_ns += dur_ns;
	to->roof_flops += (double)dur_ns * peaks_highest(p);
	to->roof_bytes += (double)dur_ns * p->memory_bytes_per_s;
}
