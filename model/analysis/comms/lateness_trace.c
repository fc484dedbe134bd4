/* model/analysis/comms/lateness_trace.c - what of a trace tells why devices are late (lateness.h). */
#include "lateness.h"
#include "model/analysis/derived/rows.h"
#include "model/query.h"

struct asked {
	const struct derived *d;
	const struct query *q;
	const struct comms *comms;
	struct query all;
	struct breakdowns *times;
	struct idles *idles; /* NULL: nobody has asked yet */
};

/* A match lies in the window when the last of it starts there. */
static struct late_call call(void *ctx, uint32_t i)
{
	const struct asked *a = ctx;
	const struct collective *c = &a->comms->x.at[i];
	const struct columns *e = derived_columns(a->d);
	struct late_call out = {.start_ns = e->start_ns[c->row],
				.end_ns = row_end(e, c->row),
				.step_ns = UNKNOWN_I64,
				.exposed_ns = a->comms->exposed[i].exposed_ns,
				.exposed_wait_ns = a->comms->exposed[i].ns[EXPOSED_RANK]};
	int64_t end_ns;
	out.asked = query_holds(a->q, out.start_ns);
	if (c->step != NONE_ID)
		step_time(a->d, c->step, c->device, &out.step_ns, &end_ns);
	return out;
}

static bool split(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, double ns[LATE_OTHER + 1])
{
	const struct asked *a = ctx;
	const struct collective *c = &a->comms->x.at[i];
	int64_t start_ns = derived_columns(a->d)->start_ns[c->row];
	struct breakdown part;
	(void)since;
	breakdown_around(a->times, c->step, c->device, from_ns, start_ns, &part);
	double rest = (double)(start_ns - from_ns);
	for (int k = 0; k < TIME_COUNT; k++)
		rest -= ns[k] = (double)part.ns[k];
	ns[LATE_OTHER] = rest;
	return true;
}

static void idle(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, struct idle_split *out)
{
	struct asked *a = ctx;
	const struct collective *c = &a->comms->x.at[i];
	(void)since;
	a->idles = a->idles ? a->idles : idles_new(a->d, &a->all, NONE_ID);
	idle_between(a->idles, c->device, from_ns, derived_columns(a->d)->start_ns[c->row], out);
}

/* `all` belongs to what is asked with it, and must not move. */
static struct late_source source_of(struct asked *a)
{
	a->all = query_all();
	a->times = breakdown_new(a->d, &a->all);
	return (struct late_source){&a->comms->x, trace_devices(derived_trace(a->d)), a, call, split, idle};
}

static void asked_free(struct asked *a)
{
	breakdown_free(a->times);
	if (a->idles)
		idles_free(a->idles);
}

bool lateness_find(const struct derived *d, const struct query *q, const struct comms *comms, struct arena *mem,
		   struct progress *p, struct lateness **out, struct err *e)
{
	struct asked a = {.d = d, .q = q, .comms = comms};
	struct late_source from = source_of(&a);
	*out = lateness_of(&from, mem, p);
	asked_free(&a);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}
