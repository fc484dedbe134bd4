/* The rule about servers, from the table 'iterations': what lies between two iterations. */
#include "finding_ctx.h"
#include "model/analysis/serving/iterations_columns.h"
#include <math.h>
#include <string.h>

enum { WARN_PCT = 10, FAIL_PCT = 30 };

static const char overlap[] =
	"Take the host's work off the path: schedule the next iteration while this one runs (vLLM --async-scheduling, "
	"SGLang's overlap schedule, TensorRT-LLM's overlap scheduler), sample on the device, detokenise in another "
	"process.";

static const char fetch_later[] =
	"Launch the next graph before the results of this one are fetched, and fetch them without blocking "
	"into pinned memory.";

/* Graphs without labels may be anybody's. */
static const char *advice_of(const struct table *t)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (strcmp(row_text(t, row, COL_ITERATIONS_KIND), "unknown") != 0)
			return overlap;
	return fetch_later;
}

const char *next_iteration_advice(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "iterations");
	return t && t->n_rows > 1 ? advice_of(t) : NULL;
}

/* What followed the iteration with the longest pause. */
static const char *most_in(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	const char *event = from_text(c, "between_event", t, row, COL_ITERATIONS_EVENT);
	if (!event)
		return "";
	double ns = from_cell(c, "between_event_ns", t, row, COL_ITERATIONS_EVENT_NS);
	return arena_printf(c->mem, "; in the longest pause, most of it in %s, %s", event, ns_text(c, ns));
}

static void finish(struct finding_ctx *c, struct finding *x, const struct table *t, uint32_t row, double pct,
		   double lost_ns, const char *formula)
{
	show_row(c, x, t, row);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->lost_ns = llround(lost_ns);
	x->formula = formula;
	x->advice = x->state == FINDING_PASS ? NULL : advice_of(t);
}

static enum finding_state state_of(double pct)
{
	return pct >= FAIL_PCT ? FINDING_FAIL : pct >= WARN_PCT ? FINDING_WARN : FINDING_PASS;
}

/* "; 1.050 s of it in waits of the host": half of it or more; "": less. */
static const char *waits_words(struct finding_ctx *c, double between_ns, bool *waits)
{
	double ns = idle_of_cause_ns(c, CAUSE_HOST_WAIT);
	*waits = ns > 0 && 2 * ns >= between_ns;
	return *waits ? arena_printf(c->mem, "; %s of it in waits of the host, for requests or for another thread",
				     ns_text(c, ns))
		      : "";
}

static void say_device(struct finding_ctx *c, const struct table *t)
{
	bool waits;
	static const char whole[] = "between_work_ns!=null";
	uint32_t row = row_of_most(t, COL_ITERATIONS_BETWEEN), n = from_count(c, "whole_iterations", t, whole);
	double between_ns = from_rows(c, "between_ns", t, COL_ITERATIONS_BETWEEN, whole),
	       all_ns = from_rows(c, "whole_iterations_ns", t, COL_ITERATIONS_DUR, whole);
	double pct = made_of(c, "between_pct", all_ns > 0 ? 100 * between_ns / all_ns : 0, UNIT_PERCENT,
			     "100 * between_ns / whole_iterations_ns"),
	       each_ns = made_of(c, "between_each_ns", between_ns / n, UNIT_NS, "between_ns / whole_iterations"),
	       mean_ns = made_of(c, "iteration_ns", all_ns / n, UNIT_NS, "whole_iterations_ns / whole_iterations");
	const char *why = waits_words(c, between_ns, &waits), *most = pct >= WARN_PCT ? most_in(c, t, row) : "";
	enum finding_state state = state_of(pct);
	struct finding *x =
		say(c, waits && state == FINDING_FAIL ? FINDING_WARN : state,
		    "Between iterations the device is idle for %s of %s (%s), mean of %s%s%s.", ns_text(c, each_ns),
		    ns_text(c, mean_ns), pct_text(c, pct), count_text(c, n), why, most);
	finish(c, x, t, row, pct, between_ns,
	       "idle time from the end of an iteration's work to the start of the next one's / time from start to "
	       "start; moderate from 10 %, high from 30 %; no failure where the host waits for half of it or more");
	if (waits && x->advice)
		x->advice = idle_advice(c->d, CAUSE_HOST_WAIT, NONE_ID);
}

/* No device work is recorded: the host's labels tell what lies between them. */
static void say_host(struct finding_ctx *c, const struct table *t)
{
	static const char followed[] = "host_between_ns!=null";
	uint32_t row = row_of_most(t, COL_ITERATIONS_HOST), n = from_count(c, "followed_iterations", t, followed);
	double between_ns = from_rows(c, "host_between_ns", t, COL_ITERATIONS_HOST, followed),
	       label_ns = from_rows(c, "label_ns", t, COL_ITERATIONS_LABEL_NS, followed);
	double all_ns = made_of(c, "all_ns", between_ns + label_ns, UNIT_NS, "host_between_ns + label_ns");
	double pct = made_of(c, "between_pct", all_ns > 0 ? 100 * between_ns / all_ns : 0, UNIT_PERCENT,
			     "100 * host_between_ns / all_ns"),
	       each_ns =
		       made_of(c, "between_each_ns", between_ns / n, UNIT_NS, "host_between_ns / followed_iterations"),
	       mean_ns = made_of(c, "iteration_ns", all_ns / n, UNIT_NS, "all_ns / followed_iterations");
	const char *most = pct >= WARN_PCT ? most_in(c, t, row) : "";
	struct finding *x =
		say(c, state_of(pct), "Between iterations the host does other work for %s of %s (%s), mean of %s%s.",
		    ns_text(c, each_ns), ns_text(c, mean_ns), pct_text(c, pct), count_text(c, n), most);
	finish(c, x, t, row, pct, between_ns,
	       "time from the end of an iteration's label to the next one on its thread / time from start to start; "
	       "moderate from 10 %, high from 30 %");
}

void finding_iterations(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "iterations");
	if (!t || !t->n_rows) {
		say_nothing(c, "no iterations of a server are recorded");
		return;
	}
	bool works = false, followed = false, whole = false;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		works |= !column_cell(t, row, COL_ITERATIONS_DUR)->null;
		whole |= !column_cell(t, row, COL_ITERATIONS_BETWEEN)->null;
		followed |= !column_cell(t, row, COL_ITERATIONS_HOST)->null;
	}
	if (whole)
		say_device(c, t);
	else if (!works && followed)
		say_host(c, t);
	else
		say_missing(c, "what happens between a server's iterations", "second iteration", "only one is recorded",
			    "Record ten iterations or more after the warm-up.");
}
