#include "job_rank.h"
#include "model/store/trace/part.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool has_ranks(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		if (trace_host(t, i)->rank >= 0)
			return true;
	return false;
}

/* The i-th one that may be meant; false after the last. */
static bool candidate(const struct trace *t, uint32_t i, struct job_rank *out)
{
	if (has_ranks(t)) {
		if (i >= trace_hosts(t))
			return false;
		*out = (struct job_rank){trace_host(t, i)->rank, i, NONE_ID};
		return true;
	}
	if (i >= trace_devices(t))
		return false;
	*out = (struct job_rank){trace_device(t, i)->ordinal, trace_device(t, i)->host, i};
	return true;
}

static bool refuse(const struct trace *t, const char *text, uint32_t found, struct err *e)
{
	enum { NAMED = 16 };
	char list[256] = "";
	size_t used = 0;
	uint32_t n = 0;
	struct job_rank x;
	for (uint32_t i = 0; candidate(t, i, &x); i++, n++)
		if (i < NAMED)
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%" PRId64, i ? ", " : "", x.rank);
	if (found > 1)
		return err_usage(e, "rank %.20s is there %u times: open one recording of it", text, (unsigned)found);
	return n ? err_usage(e, "there is no rank '%.20s'; the trace has: %s%s", text, list, n > NAMED ? ", ..." : "")
		 : err_usage(e, "the trace has neither ranks nor devices");
}

bool job_rank_find(const struct trace *t, const char *text, struct job_rank *out, struct err *e)
{
	char *end;
	struct job_rank x;
	uint32_t found = 0;
	errno = 0;
	long long rank = strtoll(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno)
		return refuse(t, text, 0, e);
	for (uint32_t i = 0; candidate(t, i, &x); i++)
		if (x.rank == rank) {
			*out = x;
			found++;
		}
	return found == 1 || refuse(t, text, found, e);
}

struct derived *job_rank_derive(const struct derived *whole, const struct job_rank *r, struct progress *p,
				struct err *e)
{
	struct derived_opts o = *derived_options(whole);
	struct trace *part = trace_part(derived_trace(whole), r->host, r->device, e);
	o.shift = NULL; /* the whole's times are moved already */
	struct derived *d = part ? derived_new(part, &o, p, e) : NULL;
	trace_free(part); /* the overlay holds its own reference */
	return d;
}
