/* tui/report/runs.h - answers of analyses, each made once and kept until no section needs it any more.
 * Life:    runs_new -> ask and drop, runs_plan once -> runs_free, which waits for what is being made.
 * Threads: one asks; a second one, of runs.c, makes ahead what is planned. The result does not depend on it. */
#ifndef STEPSCOPE_REPORT_RUNS_H
#define STEPSCOPE_REPORT_RUNS_H
#include "model/store/base/err.h"
#include "model/table.h"

struct content;
struct runs;
struct shared_part;
struct answer {
	struct arena mem;    /* for what is made of it, goes with it */
	struct table *table; /* small ones are but their rows; what several answers are made of is kept until the end */
	bool drawn;          /* a section reads it when the report is written: not dropped before; the caller's */
};
struct planned {
	const struct table_desc *table;
	bool whole;
};
/* Of the report's trace, window and options, which must stay. */
struct runs *runs_new(const struct content *c);
void runs_free(struct runs *x);
/* whole: over the whole trace, else over the report's window. It stays until it is dropped. NULL with `e` on failure. */
struct answer *runs_ask(struct runs *x, const struct table_desc *a, bool whole, struct err *e);
void runs_drop(struct runs *x, struct answer *gone);
/* What answers about the window are made of; no answer that reads it is there or being made any more. */
void runs_drop_part(struct runs *x, const struct shared_part *part);
/* What will be asked for, in this order; stays. What has been begun once is not made ahead again, dropped or not. */
void runs_plan(struct runs *x, const struct planned *plan, uint32_t n);
void runs_passed(struct runs *x, uint32_t passed); /* the first `passed` of the plan have been asked for and used */
#endif
