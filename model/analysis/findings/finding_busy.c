/* The rule about how busy devices are. Where steps are known, what a device does not do before its first and after its last work of
 * them counts, and start-up does not: between its works a device may be 99 % busy and stand still for half of each iteration. */
#include "finding_ctx.h"
#include "model/analysis/gaps/idle_causes_columns.h"
#include "model/analysis/recorded/devices_columns.h"
#include <math.h>
#include <string.h>

enum { ENOUGH_PCT = 50 }; /* below it the Kineto plugin recommends to look into it */

struct device_busy {
	uint32_t row;                  /* of the table devices: the device's number */
	uint32_t idle_row;             /* of the table of idle causes; NONE_ID: it is never idle */
	double span_pct, span_idle_ns; /* first work to last */
	double pct, idle_ns;           /* of what was watched */
	bool steps; /* which is not the same: steps begin earlier or end later, or start-up is left out */
	bool steady;
	double known_ns, steps_ns; /* of what was watched: its work and idle time of known cause; all */
	enum cause cause;          /* of most of its idle time */
	double cause_pct;          /* NaN: hardly any time is idle */
	bool is_held;
	struct held_back held;
};

/* By device its first row in the table of idle causes, which are alike in what is told here; NONE_ID: it is never idle. */
static const uint32_t *idle_rows(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "idle_causes");
	uint32_t n = trace_devices(derived_trace(c->d));
	uint32_t *rows = arena_alloc(c->mem, (n + (size_t)1) * sizeof *rows);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = NONE_ID;
	for (uint32_t row = t ? t->n_rows : 0; row-- > 0;) {
		uint32_t device = device_of_row(c, t, row);
		if (device < n)
			rows[device] = row;
	}
	return rows;
}

static void look_at_steps(struct finding_ctx *c, struct device_busy *b)
{
	const struct table *t = ctx_table(c, "idle_causes");
	double pct, startup;
	if (b->idle_row == NONE_ID || !row_real(t, b->idle_row, COL_IDLE_CAUSES_WATCHED_BUSY_PCT, &pct))
		return;
	b->steps = fabs(pct - b->span_pct) >= 1;
	b->steady = row_real(t, b->idle_row, COL_IDLE_CAUSES_STARTUP_NS, &startup);
	if (!b->steps)
		return;
	b->pct = pct;
	b->idle_ns = row_number(t, b->idle_row, COL_IDLE_CAUSES_WATCHED_IDLE_NS);
	b->steps_ns = row_number(t, b->idle_row, COL_IDLE_CAUSES_WATCHED_NS);
	b->known_ns = pct < 100 ? b->idle_ns * 100 / (100 - pct) : b->steps_ns;
}

/* Of the least part of a time its share says nothing about the whole. */
static bool hardly_known(const struct device_busy *b)
{
	return b->steps && b->known_ns < b->steps_ns / 2;
}

/* Devices with work. */
struct busyness {
	uint32_t n, low; /* how many, how many of them too idle from first work to last */
	struct device_busy least;
};

static struct busyness look_at_devices(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "devices");
	const uint32_t *idle = idle_rows(c);
	struct busyness all = {.least = {.pct = INFINITY}};
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		struct device_busy b = {.row = row, .idle_row = idle[row]};
		if (!row_real(t, row, COL_DEVICES_BUSY_PCT, &b.span_pct) ||
		    !row_real(t, row, COL_DEVICES_IDLE_NS, &b.span_idle_ns))
			continue;
		b.pct = b.span_pct;
		b.idle_ns = b.span_idle_ns;
		look_at_steps(c, &b);
		all.n++;
		all.low += b.span_pct < ENOUGH_PCT;
		if (b.pct < all.least.pct)
			all.least = b;
	}
	return all;
}

/* Of its idle time, where there is more than hardly any. */
static void look_at_cause(struct finding_ctx *c, struct device_busy *b)
{
	enum { HARDLY_PCT = 99 };
	b->cause_pct = NAN;
	if (b->pct >= HARDLY_PCT)
		return;
	b->cause = dominant_cause(c, b->steps, &b->cause_pct);
	b->is_held = !isnan(b->cause_pct) && b->cause == CAUSE_HELD && idle_held_back(c, &b->held);
}

/* ", 73.3 % of it lost to compilation", of steps ", most of it lost to compilation"; nothing where hardly any time is idle. whose: "it",
 * "their idle time". */
static const char *most_words(struct finding_ctx *c, const struct device_busy *b, const char *whose)
{
	enum { MOST_PCT = 50 };
	if (isnan(b->cause_pct))
		return "";
	const char *part = !b->steps                 ? pct_text(c, b->cause_pct)
			   : b->cause_pct > MOST_PCT ? "most"
						     : "the largest part";
	if (b->is_held)
		return arena_printf(c->mem, ", %s of %s held back: what held %s back is not in the file", part, whose,
				    b->held.stream);
	return arena_printf(c->mem, ", %s of %s lost %s", part, whose, cause_lost_to(b->cause));
}

/* "works 40.0 % of the time of its steps (100.0 % from its first work to its last)" */
static const char *works_words(struct finding_ctx *c, const struct device_busy *b)
{
	return !b->steps ? arena_printf(c->mem, "%s of its span", pct_text(c, b->pct))
			 : arena_printf(c->mem, "%s of the time of its %ssteps (%s from its first work to its last)",
					pct_text(c, b->pct), b->steady ? "steady " : "", pct_text(c, b->span_pct));
}

static void hand_over(struct finding_ctx *c, const struct device_busy *b)
{
	const struct table *t = ctx_table(c, "devices"), *idle = ctx_table(c, "idle_causes");
	from_count(c, "devices", t, "busy_pct!=null");
	from_count(c, "devices_below", t, "busy_pct<50");
	from_cell(c, "busy_pct", t, b->row, COL_DEVICES_BUSY_PCT);
	from_cell(c, "idle_ns", t, b->row, COL_DEVICES_IDLE_NS);
	if (b->idle_row == NONE_ID)
		return;
	from_cell(c, "watched_busy_pct", idle, b->idle_row, COL_IDLE_CAUSES_WATCHED_BUSY_PCT);
	from_cell(c, "watched_idle_ns", idle, b->idle_row, COL_IDLE_CAUSES_WATCHED_IDLE_NS);
}

static struct finding *say_busy(struct finding_ctx *c, const struct busyness *all)
{
	const struct device_busy *b = &all->least;
	enum finding_state state = b->pct < ENOUGH_PCT ? FINDING_WARN : FINDING_PASS;
	const char *works = works_words(c, b);
	const struct trace *t = derived_trace(c->d);
	char label[96], devices[128];
	trace_device_label(t, b->row, label, sizeof label);
	trace_devices_text(t, all->n, devices, sizeof devices);
	if (all->n == 1)
		return say(c, state, "%s is busy %s and idle %sfor %s%s.", label, works, b->steps ? "there " : "",
			   ns_text(c, b->idle_ns), most_words(c, b, "it"));
	if (b->steps)
		return say(c, state, "Of %s, %s is the least busy: %s%s.", devices, label, works,
			   most_words(c, b, "their idle time"));
	if (state == FINDING_PASS)
		return say(c, state, "All %s are busy for more than half of their span, %s the least: %s.", devices,
			   label, pct_text(c, b->pct));
	return say(c, state, "%u of %s are busy for less than half of their span, %s the least: %s%s.", all->low,
		   devices, label, pct_text(c, b->pct), most_words(c, b, "their idle time"));
}

static bool trace_names(const struct trace *t, const char *word)
{
	const struct strings *s = trace_strings(t);
	for (str_id id = 0; id < strings_count(s); id++)
		if (strstr(strings_get(s, id).p, word))
			return true;
	return false;
}

/* Ranges of hardware counters: the profiler replays each kernel in them, and no kernel is an event of its own. */
static bool counters_only(struct finding_ctx *c)
{
	if (!trace_names(derived_trace(c->d), "cuda_profiler_range"))
		return false;
	struct finding *x =
		say(c, FINDING_INFO,
		    "Not recorded: the file holds hardware counters by range and no device work; its times are those "
		    "of the profiler's replays and tell nothing about how busy a GPU is.");
	x->advice =
		"Read the counters per range (`stepscope table events --all-columns`); record a timeline without them.";
	return true;
}

static void say_hardly_known(struct finding_ctx *c, const struct device_busy *b)
{
	char label[96];
	trace_device_label(derived_trace(c->d), b->row, label, sizeof label);
	say_missing(c, "how busy a GPU is", "device work",
		    arena_printf(c->mem,
				 "of %s of steps, only %s are work of %s or idle time with a known cause; the rest is "
				 "before its first and after its last work, where work may run that is not in the file",
				 ns_text(c, b->steps_ns), ns_text(c, b->known_ns), label),
		    "Record whole steps with device tracing on.");
}

/* Nobody who measures devices wrote the trace: where its threads spend their time is all there is. */
static void say_host_alone(struct finding_ctx *c)
{
	double ns, pct;
	const char *name = ctx_text(c, "overview", "top_event_1");
	if (!name || !ctx_real(c, "overview", "top_event_1_ns", &ns) ||
	    !ctx_real(c, "overview", "top_event_1_pct", &pct)) {
		say_missing(c, "where the time goes", "event on a thread",
			    trace_columns(derived_trace(c->d))->n ? "no event on a thread lasts"
								  : "the file holds no event",
			    NULL);
		return;
	}
	struct finding *x =
		say(c, FINDING_UNKNOWN,
		    "No device%s is recorded; %s (%s) of the time of all threads goes to %.200s itself.",
		    c->host_alone ? ", step or framework" : " and no step", pct_text(c, pct), ns_text(c, ns), name);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->formula = "self time of all events of that name / time of all events on threads";
	x->advice = "See the timeline, or a flame graph (`stepscope export TRACE -o out.folded`); --steps-by REGEX "
		    "makes steps of events.";
	const struct evidence *e = ctx_evidence(c, "overview", "top_event_1");
	finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

/* What the host does in steps that have no device: its ops; where no op is recorded, the events of its threads. */
static const struct host_work {
	const char *name, *ns, *pct, *next, *next_pct, *of, *formula, *see;
} host_works[] = {
	{"top_op_1", "top_op_1_ns", "top_op_1_pct", "top_op_2", "top_op_2_pct", "ops",
	 "self time of the op on the host / self time of all ops there", "See the table 'ops'."},
	{"top_event_1", "top_event_1_ns", "top_event_1_pct", "top_event_2", "top_event_2_pct", "events on threads",
	 "self time of all events of that name / time of all events on threads that neither mark steps nor wait",
	 "See the timeline, or a flame graph (`stepscope export TRACE -o out.folded`)."},
};

/* Steps that run on the host alone: the op that takes most of them, and the next one. False: none is recorded, or ops take less than half
 * of the steps. */
static bool say_host_work(struct finding_ctx *c, const struct host_work *w)
{
	double ns, pct, next_pct, steps_ns;
	const char *name = ctx_text(c, "overview", w->name), *next = ctx_text(c, "overview", w->next);
	if (!name || !ctx_real(c, "overview", w->ns, &ns) || !ctx_real(c, "overview", w->pct, &pct) ||
	    !ctx_real(c, "overview", "steps_total_ns", &steps_ns) || 200 * ns < pct * steps_ns)
		return false;
	bool two = next && ctx_real(c, "overview", w->next_pct, &next_pct);
	struct finding *x = say(c, FINDING_UNKNOWN,
				"On the host %s of the time of %s (%s) goes to %.100s%s; no device work is recorded, "
				"so how busy a GPU is cannot be told.",
				pct_text(c, pct), w->of, ns_text(c, ns), name,
				two ? arena_printf(c->mem, ", %s to %.100s", pct_text(c, next_pct), next) : "");
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->about = arena_printf(c->mem, "%.100s on the host", name);
	x->formula = w->formula;
	x->advice = arena_printf(c->mem,
				 "%s If the program uses a GPU, record with device tracing on, on a machine where the "
				 "profiler may use CUPTI or ROCm.",
				 w->see);
	return true;
}

static void say_no_device(struct finding_ctx *c)
{
	if (c->host_alone)
		say_host_alone(c);
	else if (counters_only(c))
		return;
	else if (!derived_steps(c->d) && ctx_text(c, "overview", "top_event_1"))
		say_host_alone(c);
	else if (c->q->windowed || !(say_host_work(c, &host_works[0]) || say_host_work(c, &host_works[1])))
		say_missing(c, "how busy a GPU is", "device work", "no device work is recorded",
			    "If the program uses one, record with device tracing on, on a machine where the profiler "
			    "may use CUPTI or ROCm.");
}

/* ---- what steps of the host do beside ------------------------------------------------------------------------------------ */

/* Where devices work their idle time tells (finding_idle.c). */
void finding_host_work(struct finding_ctx *c)
{
	enum { WARN_PCT = 5, FAIL_PCT = 20 };
	double pct, ns, steps;
	const char *name = ctx_text(c, "overview", "step_aside");
	if (!name || !ctx_real(c, "overview", "step_aside_pct", &pct) ||
	    !ctx_real(c, "overview", "step_aside_ns", &ns) || !ctx_real(c, "overview", "steps", &steps) || pct < 1)
		return;
	from_key(c, ctx_table(c, "overview"), "step_aside");
	const struct evidence *e = ctx_evidence(c, "overview", "step_aside");
	struct finding *x = say(c,
				pct >= FAIL_PCT   ? FINDING_FAIL
				: pct >= WARN_PCT ? FINDING_WARN
						  : FINDING_INFO,
				"%s of %s goes to %.100s, %s per step: host work outside the graph.", pct_text(c, pct),
				step_time_words(c), name, ns_text(c, ns));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->cause = CAUSE_HOST_WORK;
	x->about = arena_printf(c->mem, "%.100s", name);
	x->lost_ns = llround(made_of(c, "lost_ns", ns * steps, UNIT_NS, "step_aside_ns * steps"));
	x->formula = "time in which events of that name run, which are callbacks, metrics, saving or logging by their "
		     "name / step time; warning from 5 %, fail from 20 %";
	x->advice = idle_advice(c->d, CAUSE_HOST_WORK, e && e->n ? e->rows[0] : NONE_ID);
	if (e)
		finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

void finding_busy(struct finding_ctx *c)
{
	struct busyness all = look_at_devices(c);
	if (all.n == 0) {
		say_no_device(c);
		return;
	}
	if (hardly_known(&all.least)) {
		say_hardly_known(c, &all.least);
		return;
	}
	hand_over(c, &all.least);
	look_at_cause(c, &all.least);
	struct finding *x = say_busy(c, &all);
	x->device = all.least.row;
	if (all.least.is_held && x->state != FINDING_PASS)
		finding_held_back(x, all.least.held);
	x->value = all.least.pct;
	x->unit = UNIT_PERCENT;
	x->threshold = ENOUGH_PCT;
	x->formula =
		"union of all device work / (that and idle time) of the least busy device, from the start of its first "
		"steady step (without steady steps: of its first step or work) to the end of its last; without steps, "
		"or where that differs by less than a point, from its first work to its last. Idle time of unknown "
		"cause before the first and after the last work does not count; warning below 50 %";
	x->advice = all.least.pct < ENOUGH_PCT ? "See the table 'idle_causes', then the gaps, biggest first: key `b`."
					       : NULL;
	const struct evidence *e = table_evidence_of(ctx_table(c, "devices"), all.least.row);
	finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}
