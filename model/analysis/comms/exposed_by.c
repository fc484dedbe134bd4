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

int64_t exposed_without_compute_ns(const struct derived *d, const struct intervals *computing,
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

struct exposure exposure_split(const struct exposed_facts *f)
{
	struct exposure out = {.exposed_ns = f->exposed_ns};
	out.ns[EXPOSED_RANK] = f->wait_exposed_ns;
	int64_t rest_ns = f->exposed_ns - f->wait_exposed_ns;
	out.ns[EXPOSED_LINK] = f->too_long_ns < rest_ns ? f->too_long_ns : rest_ns;
	rest_ns -= out.ns[EXPOSED_LINK];
	bool late = f->without_ns >= LAUNCH_NS && f->without_ns * PART >= rest_ns;
	out.ns[f->on_compute_stream ? EXPOSED_STREAM
	       : !f->matched        ? EXPOSED_UNTOLD
	       : late               ? EXPOSED_LATE
				    : EXPOSED_COMPUTE] = rest_ns;
	return out;
}

struct exposure exposure_of(const struct derived *d, const struct collectives *x, const struct computing *computing,
			    const struct collective *c)
{
	const struct columns *e = derived_columns(d);
	const struct intervals *busy = &computing->devices[c->device];
	int64_t a_ns = e->start_ns[c->row], b_ns = row_end(e, c->row), wait_ns = collective_wait_ns(x, c);
	bool matched = wait_ns != UNKNOWN_I64;
	struct exposed_facts f = {.exposed_ns = b_ns - a_ns - intervals_within(busy, a_ns, b_ns),
				  .wait_exposed_ns =
					  matched ? wait_ns - intervals_within(busy, a_ns, a_ns + wait_ns) : 0,
				  .too_long_ns = matched ? too_long_ns(d, c, b_ns - a_ns - wait_ns) : 0,
				  .without_ns = exposed_without_compute_ns(d, busy, c),
				  .matched = matched,
				  .on_compute_stream = computing->streams[e->track[c->row]]};
	return exposure_split(&f);
}

enum exposed_reason exposed_most(const struct exposure *x)
{
	int most = 0;
	for (int i = 1; i < EXPOSED_COUNT; i++)
		if (x->ns[i] > x->ns[most])
			most = i;
	return x->ns[most] > 0 ? (enum exposed_reason)most : EXPOSED_COUNT;
}
