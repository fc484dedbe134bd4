/* The rule about steps that take much longer than the others, again and again: what they save, evaluate or print is part of the
 * program, though means leave them out. */
#include "finding_ctx.h"
#include "model/analysis/compiled/compiles_columns.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/overview/slow_steps.h"
#include <math.h>
#include <string.h>

enum { SLOW_FAIL_PCT = 25 };

struct slow {
	double n, of, every, mean_ns, usual_ns, extra_ns, pct, event_ns; /* every: NaN at no even distance */
	const char *labels, *event;                                      /* event: NULL where none tells */
	row_id row;                                                      /* of it */
	bool usual; /* steady steps have as many of these events, which take less time there */
};

static bool read_slow(struct finding_ctx *c, struct slow *s)
{
	static const char table[] = "overview";
	if (!ctx_real(c, table, "slow_steps", &s->n))
		return false;
	ctx_real(c, table, "slow_steps_of", &s->of);
	ctx_real(c, table, "slow_steps_mean_ns", &s->mean_ns);
	ctx_real(c, table, "usual_step_ns", &s->usual_ns);
	ctx_real(c, table, "slow_steps_extra_ns", &s->extra_ns);
	ctx_real(c, table, "slow_steps_extra_pct", &s->pct);
	if (!ctx_real(c, table, "slow_steps_every", &s->every))
		s->every = NAN;
	s->labels = ctx_text(c, table, "slow_steps_text");
	from_key(c, ctx_table(c, table), "slow_steps_text");
	s->event = ctx_text(c, table, "slow_steps_event");
	const struct evidence *e = ctx_evidence(c, table, "slow_steps_event_ns");
	s->row = e && e->n ? e->rows[0] : NONE_ID;
	if (s->event && ctx_real(c, table, "slow_steps_event_ns", &s->event_ns))
		from_key(c, ctx_table(c, table), "slow_steps_event");
	double calls, usual;
	s->usual = s->event && ctx_real(c, table, "slow_steps_event_calls", &calls) &&
		   ctx_real(c, table, "usual_event_calls", &usual) && usual >= 1 && calls <= 1.2 * usual;
	return true;
}

/* "Every 4th step", "3 of 12 steps" */
static const char *which(struct finding_ctx *c, const struct slow *s)
{
	static const char *const ends[] = {"th", "st", "nd", "rd"};
	if (isnan(s->every))
		return arena_printf(c->mem, "%s of %s steps (%s) take", count_text(c, s->n), count_text(c, s->of),
				    s->labels);
	uint32_t k = (uint32_t)s->every, last = k % 10;
	bool teen = k / 10 % 10 == 1;
	return arena_printf(c->mem, "Every %s%s step (%s) takes", count_text(c, s->every),
			    ends[last < 4 && !teen ? last : 0], s->labels);
}

static bool has_frames(const struct derived *d)
{
	return memchr(derived_columns(d)->kind, KIND_PYTHON, derived_columns(d)->n) != NULL;
}

static bool gathers(const struct slow *s)
{
	return s->event && !strncmp(s->event, "Optimizer.step#", 15);
}

/* They do what steady ones do, or nothing tells what else, at no even distance, and take a few milliseconds longer: an operating
 * system that gives the core to another program makes such steps. */
static bool may_be_noise(const struct slow *s)
{
	static const double slice_ns = 10e6;
	return (!s->event || s->usual) && isnan(s->every) && s->mean_ns - s->usual_ns < slice_ns;
}

/* What most of it goes to, or that nothing tells. */
static const char *where(struct finding_ctx *c, const struct slow *s)
{
	if (gathers(s))
		return "not every step runs the optimizer, which makes these longer: the others accumulate gradients "
		       "for "
		       "it";
	return s->event ? arena_printf(c->mem, "%s of each in %.80s%s", ns_text(c, s->event_ns), s->event,
				       s->usual ? ", which runs as often in a steady one" : "")
			: "no recorded event explains half of it in each";
}

/* Ops and launches are what a step is made of, whatever is more of them in a slow one. */
static bool tells_what_to_do(uint8_t section)
{
	static const enum cause causes[] = {CAUSE_INPUT, CAUSE_COMPILE, CAUSE_ALLOCATOR, CAUSE_COMMUNICATION,
					    CAUSE_LOSS_SCALING};
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (section == causes[i])
			return true;
	return false;
}

/* What the profiler does is not there without it. */
static bool is_profilers(const struct finding_ctx *c, const struct slow *s)
{
	return s->row != NONE_ID && derived_columns(c->d)->kind[s->row] == KIND_OVERHEAD;
}

static const char *what_to_do(struct finding_ctx *c, const struct slow *s)
{
	if (!s->event && !has_frames(c->d))
		return idle_advice(c->d, CAUSE_UNKNOWN, NONE_ID);
	if (gathers(s))
		return "Nothing is wrong: each of these and the ones before it make up one step of the optimizer. Mark "
		       "whole ones for the profiler: call prof.step() after optimizer.step().";
	if (is_profilers(c, s))
		return idle_advice(c->d, CAUSE_PROFILER, NONE_ID);
	if (s->event) {
		struct name_cause told = cause_of_name(c->d, derived_columns(c->d)->name[s->row]);
		if (tells_what_to_do(told.section))
			return idle_advice(c->d, (enum cause)told.section, s->row);
		const char *own = idle_advice(c->d, CAUSE_HOST_WORK, s->row);
		if (own != idle_advice(c->d, CAUSE_HOST_WORK, NONE_ID))
			return own;
	}
	if (s->usual)
		return "They do what steady steps do, and take longer for it: see whether their inputs are larger, and "
		       "what else runs on the same cores and devices then.";
	return "See what such a step does that the one before does not (`--step N`): do it less often, or outside the "
	       "steps.";
}

/* Compilation has a rule of its own, which says for which shape. */
static bool compiles_instead(struct finding_ctx *c, double extra_ns)
{
	double ns = 0;
	const struct table *t = ctx_table(c, "compiles");
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (row_true(t, row, COL_COMPILES_AFTER_WARMUP))
			ns += row_number(t, row, COL_COMPILES_DUR_NS);
	return 2 * ns >= extra_ns;
}

void finding_slow_steps(struct finding_ctx *c)
{
	struct slow s = {0};
	if (!read_slow(c, &s)) {
		say_nothing(c, "fewer than two steps are unusually long");
		return;
	}
	if (s.pct < SLOW_STEPS_TELL_PCT) {
		say_nothing(c,
			    "what unusually long steps take beyond steady ones is less than 10 % of the time of all");
		return;
	}
	if (compiles_instead(c, s.extra_ns)) {
		say_nothing(c, "at least half of what unusually long steps take is compilation: see the rule about "
			       "recompilation");
		return;
	}
	/* why devices are idle in them the causes of idle time tell, of all steps */
	bool much = s.pct >= SLOW_FAIL_PCT && !trace_devices(derived_trace(c->d));
	bool remark = is_profilers(c, &s) || gathers(&s) || may_be_noise(&s);
	enum finding_state state = remark ? FINDING_INFO : much ? FINDING_FAIL : FINDING_WARN;
	struct finding *x =
		say(c, state, "%s %s on average, a steady one %s: %s more in all, %s of the time of %s steps; %s.",
		    which(c, &s), ns_text(c, s.mean_ns), ns_text(c, s.usual_ns), ns_text(c, s.extra_ns),
		    pct_text(c, s.pct), count_text(c, s.of), where(c, &s));
	x->value = s.pct;
	x->unit = UNIT_PERCENT;
	x->threshold = SLOW_STEPS_TELL_PCT;
	x->lost_ns = llround(s.extra_ns);
	x->formula = "what unusually long steps take beyond the median of steady ones / time of all steps after the "
		     "warm-up; warning from 10 %, fail from 25 % where no device is recorded; a remark where nothing "
		     "sets them apart, they come at no even distance and take less than 10 ms longer";
	x->advice = what_to_do(c, &s);
	const struct evidence *e = ctx_evidence(c, "overview", s.event ? "slow_steps_event_ns" : "slow_steps");
	if (e)
		finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}
