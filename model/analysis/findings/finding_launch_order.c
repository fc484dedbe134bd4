/* The rule about which device is launched first, from the table 'launch_order': a device that idles while another one is fed. */
#include "finding_ctx.h"
#include "model/analysis/launches/launch_order_columns.h"
#include <math.h>
#include <string.h>

enum { WARN_PCT = 3, FAIL_PCT = 15 };

static const char *const own_threads[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Launch for each GPU from its own thread or process, so that none waits until the host "
			      "is done with another.",
	[FRAMEWORK_TENSORFLOW] = "Give each GPU launching threads of its own: TF_GPU_THREAD_MODE=gpu_private; "
				 "TF_GPU_THREAD_COUNT says how many, 2 by default.",
	[FRAMEWORK_JAX] =
		"Dispatch to all GPUs before waiting for one: one jit over a mesh, or a process for each GPU.",
	[FRAMEWORK_PYTORCH] =
		"Run a process for each GPU (DistributedDataParallel instead of DataParallel), so that none "
		"waits until the host is done with another.",
};
static const char more_threads[] = "The launching threads are private to their GPUs (gpu_private): give each more with "
				   "TF_GPU_THREAD_COUNT, and leave cores free for them.";

/* A table that is kept has texts of its own in each row. */
static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && !strcmp(x, y));
}

/* The row of the device that is launched first when this one is late. */
static uint32_t row_ahead(const struct table *t, uint32_t late)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (row_number(t, row, COL_LAUNCH_ORDER_DEVICE) == row_number(t, late, COL_LAUNCH_ORDER_BEHIND) &&
		    row_number(t, row, COL_LAUNCH_ORDER_RANK) == row_number(t, late, COL_LAUNCH_ORDER_RANK) &&
		    same_text(row_text(t, row, COL_LAUNCH_ORDER_HOST), row_text(t, late, COL_LAUNCH_ORDER_HOST)))
			return row;
	return late;
}

static const char *threads_words(struct finding_ctx *c, const struct table *t, uint32_t late, uint32_t ahead)
{
	double own = from_cell(c, "threads", t, late, COL_LAUNCH_ORDER_THREADS),
	       other = from_cell(c, "threads_of_first", t, ahead, COL_LAUNCH_ORDER_THREADS);
	bool shared = row_true(t, late, COL_LAUNCH_ORDER_SHARED);
	if (own == 1 && shared)
		return ", one thread launches for both";
	return arena_printf(c->mem, "; %.0f thread%s launch%s for it, %.0f for the other", own, own == 1 ? "" : "s",
			    own == 1 ? "es" : "", other);
}

/* " of rank 3", " of worker-b"; "": there is one host. */
static const char *host_words(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	double rank;
	if (!several_hosts(t, COL_LAUNCH_ORDER_HOST))
		return "";
	if (row_real(t, row, COL_LAUNCH_ORDER_RANK, &rank))
		return arena_printf(c->mem, " of rank %.0f", from_cell(c, "rank", t, row, COL_LAUNCH_ORDER_RANK));
	return arena_printf(c->mem, " of %s", from_text(c, "host", t, row, COL_LAUNCH_ORDER_HOST));
}

/* What its launching thread does that more threads or processes would do as well; CAUSE_COUNT: it launches for others, or waits for them. */
static enum cause other_cause(const struct table *t, uint32_t row)
{
	static const enum cause others[] = {CAUSE_INPUT,     CAUSE_COMPILE,    CAUSE_ALLOCATOR,
					    CAUSE_HOST_WORK, CAUSE_CONTENTION, CAUSE_COPIES};
	const char *word = row_text(t, row, COL_LAUNCH_ORDER_CAUSE);
	for (size_t i = 0; word && i < sizeof others / sizeof *others; i++)
		if (!strcmp(word, cause_word(others[i])))
			return others[i];
	return CAUSE_COUNT;
}

/* ", most of it lost to input wait where it waits longest" */
static const char *cause_words(struct finding_ctx *c, const struct table *t, uint32_t row, enum cause cause)
{
	if (cause == CAUSE_COUNT)
		return "";
	from_text(c, "unfed_cause", t, row, COL_LAUNCH_ORDER_CAUSE);
	return arena_printf(c->mem, ", most of it lost %s where it waits longest", cause_lost_to(cause));
}

static const char *order_advice(struct finding_ctx *c, const struct table *t, uint32_t row, enum cause cause)
{
	const struct evidence *e = table_evidence_of(t, row);
	if (cause != CAUSE_COUNT)
		return idle_advice(c->d, cause, e->n > 1 ? e->rows[1] : NONE_ID);
	return c->framework == FRAMEWORK_TENSORFLOW && idle_facts(c->d)->private_threads ? more_threads
											 : own_threads[c->framework];
}

static void say_late(struct finding_ctx *c, const struct table *t, uint32_t row, double pct)
{
	uint32_t ahead = row_ahead(t, row);
	enum finding_state state = pct >= FAIL_PCT ? FINDING_FAIL : pct >= WARN_PCT ? FINDING_WARN : FINDING_INFO;
	const char *lone = softened_by_one_iteration(c, &state);
	double gpu = from_cell(c, "gpu", t, row, COL_LAUNCH_ORDER_DEVICE),
	       first = from_cell(c, "first_gpu", t, row, COL_LAUNCH_ORDER_BEHIND),
	       late = from_cell(c, "late_steps", t, row, COL_LAUNCH_ORDER_LATE),
	       steps = from_cell(c, "order_steps", t, row, COL_LAUNCH_ORDER_STEPS),
	       by_ns = from_cell(c, "behind_by_ns", t, row, COL_LAUNCH_ORDER_LATE_BY);
	const char *threads = threads_words(c, t, row, ahead);
	enum cause cause = other_cause(t, row);
	const char *lost = cause_words(c, t, row, cause);
	struct finding *x =
		say(c, state,
		    "GPU %.0f%s idles until its first launch, %s after that of GPU %.0f, in %.0f of %.0f steps (%s of "
		    "their time)%s%s%s.",
		    gpu, host_words(c, t, row), ns_text(c, by_ns), first, late, steps, pct_text(c, pct), lost, threads,
		    lone);
	show_row(c, x, t, row);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->lost_ns = llround(row_number(t, row, COL_LAUNCH_ORDER_WAITING));
	x->formula = "time that the device is idle between the first launch for any device of the host and its own "
		     "first launch / step time; moderate from 3 %, high from 15 %";
	x->advice = order_advice(c, t, row, cause);
}

/* Devices that are launched in steps beside another one of their host. */
static const char beside[] = "late_steps!=null";

/* Several devices of one host work in steps, and nothing tells what launched their work. */
static bool untold(struct finding_ctx *c, const struct table *t)
{
	uint32_t devices = 0;
	for (uint32_t i = 0; i < derived_steps(c->d) && devices < 2; i++)
		derived_parts_of_step(c->d, i, &devices);
	return devices > 1 && (!t || !t->n_rows);
}

void finding_launch_order(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "launch_order");
	if (untold(c, t)) {
		say_missing(c, "which device is launched first", "launch call", "no launch call is recorded",
			    "Record the host's calls: CUDA runtime and driver events.");
		return;
	}
	uint32_t devices = from_count(c, "devices", t, beside);
	if (devices < 2) {
		say_nothing(c, "no host launches for two devices in one step");
		return;
	}
	if (devices_take_turns(c)) {
		say_nothing(c, "devices take turns: see the rule about that");
		return;
	}
	uint32_t row = row_of_most(t, COL_LAUNCH_ORDER_WAITING);
	double waiting_ns = from_cell(c, "unfed_ns", t, row, COL_LAUNCH_ORDER_WAITING),
	       steps_ns = from_cell(c, "order_steps_ns", t, row, COL_LAUNCH_ORDER_STEPS_NS);
	double pct = made_of(c, "unfed_pct", steps_ns > 0 ? 100 * waiting_ns / steps_ns : 0, UNIT_PERCENT,
			     "100 * unfed_ns / order_steps_ns");
	if (pct >= 1) {
		say_late(c, t, row, pct);
		return;
	}
	struct finding *x = say(c, FINDING_PASS,
				"None of the %u devices idles until another one of its host was launched.", devices);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
}
