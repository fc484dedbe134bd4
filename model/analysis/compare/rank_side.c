/* What a side that is one rank of a trace knows only together with the others: its part of each collective, and how long it waits. */
#include "rank_side.h"
#include "model/analysis/comms/replicas.h"
#include "model/columns.h"
#include <math.h>
#include <string.h>

bool rank_side_asks_whole(const struct table_desc *desc, const struct compare_side *s)
{
	return s->whole && desc->vs.of_job;
}

static bool is_its(const struct compare_side *s, uint32_t device)
{
	const struct trace *t = derived_trace(s->whole);
	return trace_device(t, device)->host == s->rank.host && (s->rank.device == NONE_ID || s->rank.device == device);
}

/* The same stretch of time on the axis of the whole. */
static struct query in_whole(const struct compare_side *s)
{
	struct query q = s->stretch;
	int64_t later_ns = trace_base_ns(derived_trace(s->d)) - trace_base_ns(derived_trace(s->whole));
	q.a_ns = q.a_ns == INT64_MIN ? later_ns : q.a_ns + later_ns;
	q.b_ns = (q.b_ns == INT64_MAX ? trace_span_ns(derived_trace(s->d)) : q.b_ns) + later_ns;
	q.windowed = true;
	q.by_step = false;
	q.filter = NULL;
	q.shared = NULL;
	return q;
}

struct table *rank_side_table(const struct table_desc *desc, const struct compare_side *s, struct arena *mem,
			      struct progress *p, struct err *e)
{
	struct query q = in_whole(s);
	const struct table *all = desc->run(s->whole, &q, mem, p, e);
	/* as job_rank.h calls a rank */
	int of = all ? table_column(all, s->rank.device == NONE_ID ? COLUMN_RANK : COLUMN_DEVICE) : -1;
	struct table *out = all ? table_new(mem, desc) : NULL;
	for (uint32_t row = 0; out && row < all->n_rows; row++) {
		const struct cell *rank = table_cell(all, row, (uint32_t)of);
		if (!rank->null && rank->i == s->rank.rank)
			memcpy(table_row(out), table_cells(all, row), all->n_cols * sizeof *all->cells);
	}
	return out;
}

bool rank_side_waits(const struct compare_side *s, struct arena *mem, struct progress *p, struct rank_waits *out,
		     struct err *e)
{
	struct replicas r;
	*out = (struct rank_waits){NAN, NAN, 0, 0};
	if (!s->whole)
		return true;
	struct query q = in_whole(s);
	TRY(replicas_find(s->whole, &q, mem, p, &r, e));
	for (uint32_t i = 0; i < r.n; i++) {
		const struct replica *x = &r.at[i];
		if (!is_its(s, x->device) || isnan(x->step_ns) || x->step_ns < out->step_ns)
			continue; /* the device whose steps are longest */
		*out = (struct rank_waits){x->step_ns, x->wait_ns, x->late.calls, x->late.last};
	}
	return true;
}

bool compare_devices_apart(const struct compare_side *s, struct arena *mem, struct progress *p,
			   struct devices_apart *out, struct err *e)
{
	struct replicas r;
	uint32_t n = 0;
	*out = (struct devices_apart){0, NAN};
	TRY(replicas_find(s->d, &s->stretch, mem, p, &r, e));
	for (uint32_t i = 0; i < r.n; i++) {
		const struct replica *x = &r.at[i];
		double ratio = x->together && r.compute_mean_ns > 0 ? x->compute_ns / r.compute_mean_ns : NAN;
		if (!isnan(ratio) && !(ratio <= out->compute_to_mean))
			out->compute_to_mean = ratio;
		if (isnan(x->wait_ns))
			continue;
		out->wait_ns += x->wait_ns;
		n++;
	}
	out->wait_ns = n ? out->wait_ns / n : 0;
	return true;
}
