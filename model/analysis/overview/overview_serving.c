/* Iterations of servers: how long one takes, how much of it the device works, how many tokens that makes. */
#include "overview_parts.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/serving/iterations.h"
#include "model/store/base/units.h"
#include <math.h>

static double per(const struct iteration_group *g, int64_t sum)
{
	return sum == UNKNOWN_I64 ? NAN : (double)sum / g->n;
}

static double tokens_per_s(const struct iteration_group *g)
{
	bool known = g->tokens != UNKNOWN_I64 && g->dur_ns > 0;
	return known ? (double)g->tokens * 1e9 / (double)g->dur_ns : NAN;
}

/* "32 x decode, 32 requests" */
static const char *kind_text(const struct iteration_group *g, struct arena *mem)
{
	char count[UNITS_BUF];
	const char *requests = g->requests == UNKNOWN_I64
				       ? ""
				       : arena_printf(mem, ", %s request%s", fmt_count(count, g->requests),
						      g->requests == 1 ? "" : "s");
	return arena_printf(mem, "%u x %s%s", g->n, iteration_kind_name(g->kind), requests);
}

/* "32 x decode, 32 requests: 9.773 ms of 10.200 ms on the device, 3,140 tokens/s" */
static const char *group_text(const struct iteration_group *g, struct arena *mem)
{
	char dur[UNITS_BUF], device[UNITS_BUF], count[UNITS_BUF];
	const char *rate = isnan(tokens_per_s(g))
				   ? ""
				   : arena_printf(mem, ", %s tokens/s", fmt_count(count, llround(tokens_per_s(g))));
	return arena_printf(mem, "%s: %s of %s on the device%s", kind_text(g, mem),
			    fmt_ns(device, llround(per(g, g->device_ns))), fmt_ns(dur, llround(per(g, g->dur_ns))),
			    rate);
}

static void evidence(struct table *t, const struct iteration *x)
{
	table_evidence(t, x->first_ns, x->first_ns + x->dur_ns, &x->marker, 1);
}

static void add_group(struct table *t, const struct iterations *v, const struct iteration_group *g)
{
	const struct iteration *longest = &v->at[g->longest];
	keyed_text(t, "iterations_text", group_text(g, t->mem),
		   "The kind and size that take most time; means of one iteration.");
	evidence(t, longest);
	keyed_text(t, "iterations_of", kind_text(g, t->mem), "These iterations: how many, their kind and requests.");
	evidence(t, longest);
	keyed_real(t, "iteration_mean_ns", UNIT_NS, per(g, g->dur_ns),
		   "Mean time from the first device work of such an iteration to that of the next one; of the last of "
		   "a thread to the end of its work, counted where there is no other.");
	evidence(t, longest);
	keyed_real(t, "iteration_device_pct", UNIT_PERCENT, keyed_pct((double)g->device_ns, (double)g->dur_ns),
		   "Share of that time in which the device works.");
	evidence(t, longest);
	keyed_real(t, "iteration_tokens_per_s", UNIT_NONE, tokens_per_s(g),
		   "Tokens that these iterations compute / their time.");
	evidence(t, longest);
}

/* Of iterations whose graphs tell for how many tokens they were captured. */
static void add_padding(struct table *t, const struct iterations *v, const struct query *q)
{
	int64_t tokens = 0, captured = 0;
	for (uint32_t i = 0; i < v->n; i++) {
		const struct iteration *x = &v->at[i];
		if (x->captured_by == CAPTURED_UNKNOWN || !query_holds(q, x->first_ns))
			continue;
		tokens += x->label.tokens;
		captured += x->captured_tokens;
	}
	if (captured)
		keyed_real(
			t, "padding_pct", UNIT_PERCENT, keyed_pct((double)(captured - tokens), (double)captured),
			"Share of the tokens that the graphs of iterations were captured for that are none of theirs.");
}

void overview_iterations(struct table *t, const struct derived *d, const struct query *q)
{
	uint32_t n, all = 0;
	const struct iterations *v = iterations_of(d, NULL, NULL);
	if (!v || !v->n)
		return;
	struct iteration_group *groups = iteration_groups(v, q->a_ns, q->b_ns, t->mem, &n);
	for (uint32_t i = 0; i < n; i++)
		all += groups[i].all;
	keyed_int(
		t, "iterations", UNIT_COUNT, all,
		"Iterations of a server whose device work begins inside the window; the table of iterations has all.");
	if (n)
		add_group(t, v, &groups[0]);
	add_padding(t, v, q);
}
