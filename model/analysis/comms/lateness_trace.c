/* model/analysis/comms/lateness_trace.c - what of a trace tells why devices are late (lateness.h). */
#include "lateness.h"
#include <stdlib.h>
#include "model/analysis/derived/rows.h"
#include "model/query.h"
#include "model/store/base/memory.h"

struct asked {
	struct late_source from; /* whose context this is */
	const struct derived *d;
	const struct query *q;
	const struct comms *comms;
	struct query all;
	struct breakdowns *times; /* NULL: nobody has asked yet */
	struct idles *idles;      /* likewise */
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

static void split_between(struct asked *a, const struct collective *c, int64_t from_ns, int64_t to_ns,
			  bool device_alone, double ns[LATE_OTHER + 1])
{
	struct breakdown part;
	a->times = a->times ? a->times : breakdown_new(a->d, &a->all);
	(device_alone ? breakdown_device_around : breakdown_around)(a->times, c->step, c->device, from_ns, to_ns,
								    &part);
	double rest = (double)(to_ns - from_ns);
	for (int k = 0; k < TIME_COUNT; k++)
		rest -= ns[k] = (double)part.ns[k];
	ns[LATE_OTHER] = rest;
}

static void idle_until(struct asked *a, const struct collective *c, int64_t from_ns, int64_t to_ns,
		       struct idle_split *out)
{
	a->idles = a->idles ? a->idles : idles_new(a->d, &a->all, NONE_ID);
	idle_between(a->idles, c->device, from_ns, to_ns, out);
}

static int64_t start_of(const struct asked *a, const struct collective *c)
{
	return derived_columns(a->d)->start_ns[c->row];
}

static bool split(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, bool device_alone,
		  double ns[LATE_OTHER + 1])
{
	struct asked *a = ctx;
	const struct collective *c = &a->comms->x.at[i];
	(void)since;
	split_between(a, c, from_ns, start_of(a, c), device_alone, ns);
	return true;
}

static void idle(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, struct idle_split *out)
{
	struct asked *a = ctx;
	const struct collective *c = &a->comms->x.at[i];
	(void)since;
	idle_until(a, c, from_ns, start_of(a, c), out);
}

void late_trace_between(const struct late_source *s, const struct collective *c, int64_t from_ns, int64_t to_ns,
			double ns[LATE_OTHER + 1], struct idle_split *out)
{
	split_between(s->ctx, c, from_ns, to_ns, false, ns);
	idle_until(s->ctx, c, from_ns, to_ns, out);
}

struct late_source *late_trace_new(const struct derived *d, const struct query *q, const struct comms *comms)
{
	struct asked *a = must(malloc(sizeof *a));
	*a = (struct asked){.d = d, .q = q, .comms = comms, .all = query_all()};
	a->from = (struct late_source){&comms->x, trace_devices(derived_trace(d)), 0, a, call, split, idle, false};
	return &a->from;
}

void late_trace_free(struct late_source *s)
{
	struct asked *a = s->ctx;
	breakdown_free(a->times);
	if (a->idles)
		idles_free(a->idles);
	free(a);
}

bool lateness_find(const struct derived *d, const struct query *q, const struct comms *comms, struct arena *mem,
		   struct progress *p, struct lateness **out, struct err *e)
{
	struct late_source *from = late_trace_new(d, q, comms);
	*out = lateness_of(from, mem, p);
	late_trace_free(from);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}
