/*
 * tables - runs every analysis on a trace, whole and on one per cent of it, and tells how long each takes.
 * Usage:  tables FILE...
 */
#include "../../importers/open.h"
#include "../../model/analysis/analysis.h"
#include "clock.h"
#include <stdlib.h>

static double run_once(const struct analysis *a, const struct derived *d, const struct query *q)
{
	struct arena mem = {0};
	struct err e = {.at = -1};
	double begun = now_s();
	struct table *t = a->run(d, q, &mem, NULL, &e);
	double took = now_s() - begun;
	arena_free(&mem);
	return t ? took : -1;
}

/* One per cent of the time, in the middle. */
static struct query one_percent(const struct trace *t)
{
	struct query q = query_all();
	int64_t span_ns = trace_span_ns(t);
	q.a_ns = span_ns / 200 * 100;
	q.b_ns = q.a_ns + span_ns / 100;
	q.windowed = true;
	return q;
}

static int fail(const struct err *e)
{
	char text[640];
	fprintf(stderr, "tables: %s\n", err_text(e, text, sizeof text));
	return 1;
}

int main(int argc, char **argv)
{
	struct err e = {.at = -1};
	struct trace *t = open_trace((const char *const *)argv + 1, argc - 1, NULL, &e);
	struct derived *d = t ? derived_new(t, &(struct derived_opts){.tc_rules = "stepscope"}, NULL, &e) : NULL;
	if (!d)
		return fail(&e);
	uint32_t n;
	const struct analysis *list = analysis_list(&n);
	struct query whole = query_all(), part = one_percent(t);
	printf("{\"n_events\": %llu", (unsigned long long)trace_columns(t)->n);
	for (uint32_t i = 0; i < n; i++)
		printf(", \"%s\": [%.5f, %.5f]", list[i].name, run_once(&list[i], d, &whole),
		       run_once(&list[i], d, &part));
	puts("}");
	fflush(stdout);
	_Exit(0);
}
