#include "cells.h"
#include "model/query.h"
#include <math.h>

const char *host_known(const struct trace *t, uint32_t host)
{
	const char *name = host < trace_hosts(t) ? trace_str(t, trace_host(t, host)->name) : "";
	return *name ? name : NULL;
}

int64_t rank_known(const struct trace *t, uint32_t host)
{
	int32_t rank = host < trace_hosts(t) ? trace_host(t, host)->rank : -1;
	return rank < 0 ? UNKNOWN_I64 : rank;
}

int64_t device_known(const struct trace *t, uint32_t device)
{
	return device < trace_devices(t) ? trace_device(t, device)->ordinal : UNKNOWN_I64;
}

void cell_host(struct cell *c, const struct trace *t, uint32_t host)
{
	cell_text(c, host_known(t, host));
}

void cell_rank(struct cell *c, const struct trace *t, uint32_t host)
{
	cell_int(c, rank_known(t, host));
}

void cell_device(struct cell *c, const struct trace *t, uint32_t device)
{
	cell_int(c, device_known(t, device));
}

void cell_pct(struct cell *c, int64_t part, int64_t whole)
{
	cell_real(c, whole > 0 ? 100.0 * (double)part / (double)whole : NAN);
}

bool event_wanted(const struct derived *d, const struct query *q, row_id r)
{
	if (!q->filter)
		return true;
	uint32_t step = derived_step_of(d, r);
	return filter_match(q->filter, r, step == NONE_ID ? NULL : derived_step(d, step)->label);
}
