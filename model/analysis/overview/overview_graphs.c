/* Replayed graphs: how many kernels they hold, how many are left outside, what their launches save. */
#include "overview_parts.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/serving/graphs.h"
#include "model/store/base/units.h"
#include <stdlib.h>

/* Kernels that no graph launched; times are clipped to the window. */
struct outside {
	uint64_t n;
	int64_t ns;
	row_id longest; /* NONE_ID: there is none */
};

static struct outside look_outside(const struct kernel_stats *k, const struct query *q, const uint8_t *names)
{
	const struct columns *c = derived_columns(k->d);
	struct outside out = {.longest = NONE_ID};
	for (size_t i = 0; i < k->n_kernels; i++) {
		row_id r = k->kernels[i].row;
		if (c->link[r] != NONE_ID && names[c->name[c->link[r]]])
			continue;
		out.n += query_holds(q, c->start_ns[r]);
		out.ns += query_clipped_ns(q, c->start_ns[r], row_end(c, r));
		if (out.longest == NONE_ID || c->dur_ns[r] > c->dur_ns[out.longest])
			out.longest = r;
	}
	return out;
}

/* Over all launches; UNKNOWN_I64 where in one process too few calls launch one kernel. */
static int64_t calls_saved(const struct derived *d, const struct graphs *g)
{
	uint32_t of = NONE_ID;
	int64_t sum_ns = 0, each_ns = UNKNOWN_I64;
	for (uint32_t i = 0; i < g->n; i++) {
		row_id call = g->at[i].launch;
		uint32_t process = trace_track(derived_trace(d), derived_columns(d)->track[call])->process;
		if (process != of)
			each_ns = kernel_call_ns(d, process);
		of = process;
		int64_t saved_ns = graph_calls_saved(each_ns, g->at[i].n, derived_columns(d)->dur_ns[call]);
		if (saved_ns == UNKNOWN_I64)
			return UNKNOWN_I64;
		sum_ns += saved_ns;
	}
	return sum_ns;
}

/* "2 launches replay 842 of 870 kernels; the 28 others take 3.1 % of the kernel time; calls saved: 2.131 ms at most" */
static const char *graphs_text(const struct kernel_stats *k, const struct outside *out, uint32_t launches,
			       int64_t saved_ns, struct arena *mem)
{
	char n[UNITS_BUF], all[UNITS_BUF], calls[UNITS_BUF], others[UNITS_BUF], pct[UNITS_BUF], ns[UNITS_BUF];
	const char *rest = !out->n ? ""
				   : arena_printf(mem, "; the %s other%s %s of the kernel time",
						  fmt_count(others, (int64_t)out->n), out->n == 1 ? " takes" : "s take",
						  fmt_pct(pct, keyed_pct((double)out->ns, (double)k->total_ns)));
	const char *saved =
		saved_ns == UNKNOWN_I64 ? "" : arena_printf(mem, "; calls saved: %s at most", fmt_ns(ns, saved_ns));
	return arena_printf(mem, "%s launch%s %s of %s kernels%s%s", fmt_count(calls, launches),
			    launches == 1 ? " replays" : "es replay", fmt_count(n, (int64_t)(k->count - out->n)),
			    fmt_count(all, (int64_t)k->count), rest, saved);
}

static void add_graphs(struct table *t, const struct kernel_stats *k, const struct outside *out, const struct graphs *g)
{
	int64_t saved_ns = calls_saved(k->d, g);
	const struct columns *c = derived_columns(k->d);
	keyed_text(t, "graphs_text", graphs_text(k, out, g->n, saved_ns, t->mem),
		   "What graph launches replay, what is left outside, and the host time that they save.");
	keyed_int(t, "graphs_launched", UNIT_COUNT, g->n,
		  "Launches of graphs whose first work starts inside the window.");
	keyed_real(t, "in_graphs_time_pct", UNIT_PERCENT,
		   keyed_pct((double)(k->total_ns - out->ns), (double)k->total_ns),
		   "Share of the kernel time in replayed graphs.");
	keyed_int(t, "outside_graph_kernels", UNIT_COUNT, (int64_t)out->n,
		  "Kernels that are launched one by one, outside replayed graphs.");
	if (out->longest != NONE_ID)
		table_evidence(t, c->start_ns[out->longest], row_end(c, out->longest), &out->longest, 1);
	keyed_int(t, "outside_graph_ns", UNIT_NS, out->ns, "Their time.");
	keyed_int(t, "graph_calls_saved_ns", UNIT_NS, saved_ns,
		  "Time of the host that launches of graphs save at most: work in them x median call that launches one "
		  "kernel, less their own calls.");
}

void overview_graphs(struct table *t, const struct derived *d, const struct kernel_stats *k, const struct query *q)
{
	struct graphs g;
	struct arena work = {0};
	uint8_t *names = graph_call_names(d);
	if (names && graphs_find(d, q, &g, &work, NULL, NULL)) {
		struct outside out = look_outside(k, q, names);
		if (g.n)
			add_graphs(t, k, &out, &g);
		graphs_free(&g);
	}
	arena_free(&work);
	free(names);
}
