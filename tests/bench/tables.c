/*
 * tables - runs every analysis on a trace, whole and on one per cent of it, and tells how long each takes: until its first
 * screen of rows is read, and for the whole trace how long reading all of its rows takes from there.
 * Usage:  tables [-n NAME]... FILE...
 *   -n   only this one, whole, in the order given: what several of them share is made for the first
 */
#include "clock.h"
#include "importers/open.h"
#include "model/analysis/analysis.h"
#include "model/analysis/comms/clocks.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SCREEN_ROWS = 100 };

struct took {
	double answer_s, read_s, cpu_s; /* cpu_s: of the answer */
};

static void read_rows(const struct table *t, uint32_t n)
{
	volatile int64_t sum = 0; /* so that the reading stays */
	for (uint32_t r = 0; r < n && r < t->n_rows; r++)
		for (uint32_t c = 0; c < t->n_cols; c++)
			sum = sum + table_cell(t, r, c)->i;
}

static double used_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct took run_once(const struct table_desc *a, const struct derived *d, const struct query *q, bool all)
{
	struct arena mem = {0};
	struct err e = {.at = -1};
	double begun = now_s(), used = used_s();
	struct table *t = a->run(d, q, &mem, NULL, &e);
	if (!t)
		return (struct took){-1, -1, -1};
	read_rows(t, SCREEN_ROWS);
	double answered = now_s(), cpu_s = used_s() - used;
	if (all)
		read_rows(t, t->n_rows);
	struct took took = {answered - begun, now_s() - answered, cpu_s};
	arena_free(&mem);
	return took;
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

static void tell_all(const struct derived *d)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	struct query whole = query_all(), part = one_percent(derived_trace(d));
	for (uint32_t i = 0; i < n; i++) {
		struct took cold = run_once(list[i], d, &part, false), all = run_once(list[i], d, &whole, true);
		printf(", \"%s\": [%.5f, %.5f, %.5f, %.5f]", list[i]->name, all.answer_s, cold.answer_s, all.read_s,
		       all.cpu_s);
	}
}

/* Of each: seconds, and seconds of processor time, which a busy machine disturbs less. */
static void tell_named(const struct derived *d, char *const *names, int n)
{
	struct query whole = query_all();
	for (int i = 0; i < n; i++) {
		const struct table_desc *a = analysis_find(names[i]);
		struct took took = a ? run_once(a, d, &whole, false) : (struct took){0};
		if (a)
			printf(", \"%s\": [%.5f, %.5f]", a->name, took.answer_s, took.cpu_s);
	}
}

int main(int argc, char **argv)
{
	memory_in_large_pages();
	enum { NAMES_MOST = 16 };
	char *names[NAMES_MOST];
	int opt, n = 0;
	while ((opt = getopt(argc, argv, "n:")) != -1)
		if (opt == 'n' && n < NAMES_MOST)
			names[n++] = optarg;
	struct err e = {.at = -1};
	struct trace *t = open_trace((const char *const *)argv + optind, argc - optind, NULL, &e);
	struct derived *d =
		t ? clocks_derive(t, &(struct derived_opts){.tc_rules = "stepscope"}, open_settle, NULL, &e) : NULL;
	if (!d)
		return fail(&e);
	printf("{\"n_events\": %llu", (unsigned long long)trace_columns(t)->n);
	if (n)
		tell_named(d, names, n);
	else
		tell_all(d);
	puts("}");
	fflush(stdout);
	_Exit(0);
}
