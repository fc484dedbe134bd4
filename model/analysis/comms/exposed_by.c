#include "exposed_by.h"
#include <math.h>
#include "model/analysis/derived/rows.h"

enum { LAUNCH_NS = 20000, PART = 10 };

static const struct {
	const char *word, *clause;
} words[] = {
#define EXPOSED_ROW(id, word, clause) {word, clause},
	EXPOSED_REASONS(EXPOSED_ROW)
#undef EXPOSED_ROW
};

const char *exposed_word(enum exposed_reason r)
{
	return r == EXPOSED_COUNT ? NULL : words[r].word;
}

const char *exposed_clause(enum exposed_reason r)
{
	return r == EXPOSED_COUNT ? NULL : words[r].clause;
}

/* How long the device had had no compute when the launch call of the collective began, at most until the collective began; below 0: it
 * still had some; UNKNOWN_I64: no call is recorded, or there was no compute before. */
static int64_t without_compute_ns(const struct derived *d, const struct intervals *computing,
				  const struct collective *c)
{
	const struct columns *e = derived_columns(d);
	row_id launch = e->link[c->row];
	int64_t start_ns = e->start_ns[c->row];
	uint32_t next = intervals_after(computing, start_ns); /* computes at that time or later */
	if (launch == NONE_ID || (next == 0 && (!computing->n || computing->at[0].a_ns >= start_ns)))
		return UNKNOWN_I64;
	if (next < computing->n && computing->at[next].a_ns < start_ns)
		return -1; /* it begins under compute */
	return (e->start_ns[launch] < start_ns ? e->start_ns[launch] : start_ns) - computing->at[next - 1].b_ns;
}

/* What the transfer takes longer than it should; 0: no such thing is known. */
static int64_t too_long_ns(const struct derived *d, const struct collective *c, int64_t transfer_ns)
{
	double link = derived_options(d)->link_bytes_per_s;
	if (!(link > 0) || c->bytes == UNKNOWN_I64)
		return 0;
	int64_t expected_ns = llround((double)c->bytes / link * 1e9);
	return transfer_ns * 2 >= expected_ns * 3 ? transfer_ns - expected_ns : 0;
}

struct exposure exposure_of(const struct derived *d, const struct collectives *x, const struct computing *computing,
			    const struct collective *c)
{
	struct exposure out = {0};
	const struct columns *e = derived_columns(d);
	const struct intervals *busy = &computing->devices[c->device];
	int64_t a_ns = e->start_ns[c->row], b_ns = row_end(e, c->row), wait_ns = collective_wait_ns(x, c);
	bool matched = wait_ns != UNKNOWN_I64;
	out.exposed_ns = b_ns - a_ns - intervals_within(busy, a_ns, b_ns);
	out.ns[EXPOSED_RANK] = matched ? wait_ns - intervals_within(busy, a_ns, a_ns + wait_ns) : 0;
	int64_t rest_ns = out.exposed_ns - out.ns[EXPOSED_RANK];
	int64_t long_ns = matched ? too_long_ns(d, c, b_ns - a_ns - wait_ns) : 0;
	out.ns[EXPOSED_LINK] = long_ns < rest_ns ? long_ns : rest_ns;
	rest_ns -= out.ns[EXPOSED_LINK];
	int64_t without_ns = without_compute_ns(d, busy, c);
	bool late = without_ns >= LAUNCH_NS && without_ns * PART >= rest_ns;
	out.ns[computing->streams[e->track[c->row]] ? EXPOSED_STREAM
	       : !matched                           ? EXPOSED_UNTOLD
	       : late                               ? EXPOSED_LATE
						    : EXPOSED_COMPUTE] = rest_ns;
	return out;
}

enum exposed_reason exposed_most(const struct exposure *x)
{
	int most = 0;
	for (int i = 1; i < EXPOSED_COUNT; i++)
		if (x->ns[i] > x->ns[most])
			most = i;
	return x->ns[most] > 0 ? (enum exposed_reason)most : EXPOSED_COUNT;
}
