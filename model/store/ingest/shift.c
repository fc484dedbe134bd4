/* model/store/ingest/shift.c - sources that state their clock base after the events: shifts all times. */
#include "ingest_private.h"

/* Twice the distance that events may have from the reference: no sum below overflows. */
static const int64_t margin_ns = INT64_C(1) << 62;

static bool in_range(const struct ingest *in, int64_t shift_ns)
{
	int64_t moved, edge;
	return !__builtin_add_overflow(in->reference_ns, shift_ns, &moved) &&
	       !__builtin_add_overflow(moved, shift_ns < 0 ? -margin_ns : margin_ns, &edge);
}

bool ingest_shift_source(struct ingest *in, int64_t shift_ns)
{
	if (in->has_reference && !in_range(in, shift_ns))
		return false;
	int64_t *start = in->raw.start_ns.p;
	struct pair_point *pair = in->pairs.p;
	struct flow_point *flow = in->flows.p;
	struct sample_in *sample = in->samples.p;
	for (size_t i = in->source_from.raw; i < in->raw.n; i++)
		start[i] += shift_ns;
	for (size_t i = in->source_from.pairs; i < in->pairs.n; i++)
		pair[i].start_ns += shift_ns;
	for (size_t i = in->source_from.flows; i < in->flows.n; i++)
		flow[i].ts_ns += shift_ns;
	for (size_t i = in->source_from.samples; i < in->samples.n; i++)
		sample[i].ts_ns += shift_ns;
	if (in->source_from.raw + in->source_from.pairs + in->source_from.flows + in->source_from.samples == 0)
		in->reference_ns += shift_ns;
	return true;
}
