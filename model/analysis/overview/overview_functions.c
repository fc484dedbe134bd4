/* tf.function: how much of its calls' time goes to tracing and eager execution, and whose. */
#include "overview_parts.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/ops/tf_functions.h"
#include "model/analysis/query/keyed.h"
#include "model/store/base/units.h"
#include <math.h>

enum { WORST = 3 };

static void add_function(struct table *t, const struct derived *d, const struct tf_function *f, unsigned rank)
{
	char bad[UNITS_BUF], all[UNITS_BUF], times[UNITS_BUF];
	int64_t a_ns = derived_columns(d)->start_ns[f->longest], b_ns = row_end(derived_columns(d), f->longest);
	keyed_text(t, arena_printf(t->mem, "tf_function_%u", rank), trace_str(derived_trace(d), f->name),
		   arena_printf(t->mem, "%s of %s calls were traced anew or eager; traced %s times so far",
				fmt_count(bad, f->expensive_calls), fmt_count(all, f->calls),
				fmt_count(times, f->tracings)));
	table_evidence(t, a_ns, b_ns, &f->longest, 1);
	keyed_real(t, arena_printf(t->mem, "tf_function_%u_expensive_pct", rank), UNIT_PERCENT,
		   keyed_pct((double)f->expensive_ns, (double)f->self_ns),
		   "Share of this function's self time in calls that were traced anew or run eagerly.");
	table_evidence(t, a_ns, b_ns, &f->longest, 1);
}

void overview_functions(struct table *t, const struct derived *d, const struct query *q)
{
	struct tf_functions v;
	tf_functions_read(d, q, t->mem, &v);
	if (!v.n)
		return;
	keyed_real(t, "tf_function_expensive_pct", UNIT_PERCENT, keyed_pct((double)v.expensive_ns, (double)v.self_ns),
		   "Share of the time of all calls of tf.function in those that were traced anew or run eagerly.");
	for (uint32_t i = 0; i < v.n && i < WORST && v.at[i].expensive_ns; i++)
		add_function(t, d, &v.at[i], i + 1);
}
