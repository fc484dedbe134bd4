/* tui/explorer/tables.h - the analyses' tables as panes need them: asked for by name, made on a worker, kept until the question
 * changes. The worker also runs other long jobs (exports).
 * Life:    tables_init -> tables_want / tables_ready any number of times -> tables_free (cancels and waits).
 * Threads: the user interface calls everything; the worker writes only what is not yet ready. With `inline_jobs`
 *          everything happens in tables_want: tests see finished pictures. */
#ifndef STEPSCOPE_TABLES_H
#define STEPSCOPE_TABLES_H
#include "model/analysis/analysis.h"
#include "tui/text/window.h"

enum table_state { TABLE_NONE, TABLE_RUNNING, TABLE_READY, TABLE_FAILED };
struct tables;
/* d must outlive the result; wake_fd gets a byte when a table is ready (-1 = none). */
struct tables *tables_new(const struct derived *d, int wake_fd, bool inline_jobs);
void tables_free(struct tables *ts);

/* Tables come from there instead of from the trace, which is empty; those that it does not hold are empty. NULL = from the trace. */
struct summary;
void tables_of_summary(struct tables *ts, const struct summary *s);

/* The question all tables answer from now on; tables of another question are forgotten. filter: "" = all. */
void tables_question(struct tables *ts, const struct window *w, const char *filter);
/* Whether means are of all steps from now on; all tables are forgotten when that is new. */
void tables_all_steps(struct tables *ts, bool on);
/* Asks for a table of the current question, or of the whole trace; returns how far it is. */
enum table_state tables_want(struct tables *ts, uint32_t analysis, bool whole);
/* The finished table (the caller may sort it), NULL while it is not ready. */
struct table *tables_get(const struct tables *ts, uint32_t analysis, bool whole);
/* Its numbers as the analysis gave them, for machine_table. */
const struct table *tables_raw(const struct tables *ts, uint32_t analysis, bool whole);
/* The kernels by name; NULL for other tables and while it is not ready. */
struct table *tables_by_name(const struct tables *ts, uint32_t analysis, bool whole);
/* A table grouped in another way than its own (query.by), or with rows for idle time: one at a time, asking for another one
 * forgets it. by: static text, NULL = the table's own way. */
enum table_state tables_want_grouped(struct tables *ts, uint32_t analysis, const char *by, bool idle);
struct table *tables_grouped(const struct tables *ts, uint32_t analysis, const char *by, bool idle);
const struct err *tables_error(const struct tables *ts, uint32_t analysis, bool whole);
/* Why a table could not be made; false when there was none since the last call. */
bool tables_failed(struct tables *ts, struct err *out);
bool tables_busy(struct tables *ts);
/* Takes over what the worker finished; true when something new is ready. Call after a wake-up. */
bool tables_collect(struct tables *ts);

/* Any other long job, in turn with the tables. done() is called from tables_collect, or from tables_free for a job that
 * never ran. False when it cannot be taken (nothing is called then). */
bool tables_run(struct tables *ts, const char *what, void (*work)(void *ctx), void (*done)(void *ctx), void *ctx);
#endif
