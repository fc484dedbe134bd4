/* Rules about the input pipeline and compilation, from the tables 'input' and 'compiles'. */
#include "finding_ctx.h"
#include "model/analysis/copies/copies_columns.h"
#include "model/analysis/names/op_names.h"
#include "model/analysis/compiled/compiles_columns.h"
#include "model/analysis/steps/step_part.h"
#include <math.h>
#include <string.h>

enum { MODERATELY_PCT = 5, HIGHLY_PCT = 20 };
static const double NOTHING_PCT = 0.05; /* shown as 0.0 % */

/* Of copies that are no input the share tells, as of input. */
static enum finding_state state_of(const char *verdict, double pct)
{
	if (!strncmp(verdict, "waiting", 7))
		return pct >= HIGHLY_PCT ? FINDING_FAIL : FINDING_WARN;
	return !strncmp(verdict, "highly", 6)         ? FINDING_FAIL
	       : !strncmp(verdict, "moderately", 10)  ? FINDING_WARN
	       : !strncmp(verdict, "potentially", 11) ? FINDING_INFO
	       : !strncmp(verdict, "not", 3)          ? FINDING_PASS
						      : FINDING_UNKNOWN;
}

static void cannot_tell(struct finding_ctx *c)
{
	const char *missing = ctx_text(c, "input", "missing");
	from_key(c, ctx_table(c, "input"), "missing");
	bool no_steps = !missing || !strncmp(missing, "no steps", 8);
	bool unmarked = missing && !strncmp(missing, "no steps: ", 10); /* the advice says how to mark them */
	const char *others = unmarked ? strchr(missing, ';') : NULL;
	const char *why = unmarked  ? arena_printf(c->mem, "there are no steps%s", others ? others : "")
			  : missing ? missing
				    : "no step has a length";
	say_missing(c, "whether the program waits for input", no_steps ? "step" : "host event", why,
		    no_steps ? "Mark the steps, or name them with --steps-by REGEX."
			     : "Record again with what is missing.");
}

/* ---- copies that are no input ------------------------------------------------------------------------------------ */

static const char input_copies[] = "direction=H2D and expected=true",
		  other_copies[] = "direction=H2D and expected=false";

bool copies_are_no_input(struct finding_ctx *c)
{
	const char *verdict = ctx_text(c, "input", "verdict");
	return verdict && !strncmp(verdict, "waiting for copies", 18);
}

const char *const copies_advice = "Keep what every step needs on the device, or copy it before it is needed on a "
				  "stream of its own while kernels run; offload less.";

static struct finding *say_copies(struct finding_ctx *c, enum finding_state state, double pct, const char *but)
{
	const struct table *t = ctx_table(c, "copies");
	double other = from_rows(c, "other_copies_exposed_ns", t, COL_COPIES_EXPOSED, other_copies),
	       input = from_rows(c, "input_copies_exposed_ns", t, COL_COPIES_EXPOSED, input_copies);
	double wait = NAN,
	       share = made_of(c, "other_copies_pct", 100 * other / (other + input), UNIT_PERCENT,
			       "other_copies_exposed_ns / (other_copies_exposed_ns + input_copies_exposed_ns) * 100");
	const char *waits = ctx_real(c, "input", "input_wait_pct", &wait) && wait >= MODERATELY_PCT
				    ? arena_printf(c->mem, "; another %s waits for input", pct_text(c, wait))
				    : "";
	struct finding *x = say(c, state,
				"Copies to the device take %s of %s, and %s of that is not input but copies "
				"made between kernels, as when parameters are offloaded%s%s.",
				pct_text(c, pct), step_time_words(c), pct_text(c, share), waits, but);
	x->advice = copies_advice;
	return x;
}

/* Why "potentially": ", and 4.5 % of it has no known cause". */
static const char *unexplained_text(struct finding_ctx *c, const char *verdict)
{
	double pct;
	if (strncmp(verdict, "potentially", 11) || !ctx_real(c, "input", "other_pct", &pct))
		return "";
	const char *frame = most_in_frame(c);
	return arena_printf(c->mem, ", and %s has no known cause%s%s%s", pct_text(c, pct), frame ? " (" : "",
			    frame ? frame : "", frame ? ")" : "");
}

/* Nothing of the time is input: who knows what the rest is, where much of it is not recorded? */
static const char *none_as_far(struct finding_ctx *c)
{
	enum { MUCH_PCT = 3 };
	double pct;
	return ctx_real(c, "input", "other_pct", &pct) && pct >= MUCH_PCT ? " as far as recorded" : "";
}

/* More of input's share are copies to the device than waits of the host: faster loading would win less than faster copying. */
static bool mostly_copied(struct finding_ctx *c)
{
	double wait_pct, copy_pct;
	return ctx_real(c, "input", "input_wait_pct", &wait_pct) && ctx_real(c, "input", "input_copy_pct", &copy_pct) &&
	       copy_pct > wait_pct;
}

static const char *const input_copies_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Copy the next input while the device computes, from pinned memory on a stream of its "
			      "own; copy a smaller type and convert it on the device.",
	[FRAMEWORK_TENSORFLOW] = "Copy the next batch while this one is computed (tf.data prefetch_to_device); copy a "
				 "smaller type (uint8) and cast it on the device.",
	[FRAMEWORK_JAX] = "Copy the next batch while this one is computed: jax.device_put it ahead of time; copy a "
			  "smaller type (uint8) and cast it on the device.",
	[FRAMEWORK_PYTORCH] =
		"Copy the next batch while this one is computed: from pinned memory with non_blocking=True, on a "
		"stream of its own; copy a smaller type (uint8) and cast it on the device.",
};

/* ---- the input pipeline ------------------------------------------------------------------------------------------ */

/* "57.9 % of the step time waits for input" */
static const char *spent_text(struct finding_ctx *c, double pct)
{
	double wait = NAN, copy = NAN;
	const char *all = arena_printf(c->mem, "%s of %s", pct_text(c, pct), step_time_words(c));
	ctx_real(c, "input", "input_wait_pct", &wait);
	ctx_real(c, "input", "input_copy_pct", &copy);
	switch (input_holds(pct, copy)) {
	case INPUT_HOLDS_NOTHING:
		break;
	case INPUT_HOLDS_WAITS:
		return arena_printf(c->mem, "%s waits for input", all);
	case INPUT_HOLDS_COPIES:
		return arena_printf(c->mem, "%s goes to copies to the device", all);
	case INPUT_HOLDS_BOTH:
		if (copy < NOTHING_PCT)
			return arena_printf(c->mem, "%s waits for input", all);
		return arena_printf(c->mem,
				    copy > wait ? "%s goes to copies to the device (%s) or waits for "
						  "input (%s)"
						: "%s waits for input (%s) or goes to copies to the "
						  "device (%s)",
				    all, pct_text(c, copy > wait ? copy : wait),
				    pct_text(c, copy > wait ? wait : copy));
	}
	return arena_printf(c->mem, "%s waits for input or goes to copies to the device", all);
}

/* What the verdict line tells it by: NULL: waits. */
static const char *input_about(struct finding_ctx *c, double pct)
{
	static const char *const about[] = {
		[INPUT_HOLDS_COPIES] = "copies of input", [INPUT_HOLDS_BOTH] = "input and its copies"};
	double copy = NAN;
	ctx_real(c, "input", "input_copy_pct", &copy);
	return about[input_holds(pct, copy)];
}

void finding_input_bound(struct finding_ctx *c)
{
	double pct, total, lost = NAN;
	const char *verdict = ctx_text(c, "input", "verdict");
	if (!verdict || !ctx_real(c, "input", "input_pct", &pct) || state_of(verdict, pct) == FINDING_UNKNOWN) {
		cannot_tell(c);
		return;
	}
	bool none = pct < NOTHING_PCT;
	from_key(c, ctx_table(c, "input"), "verdict");
	bool copies = copies_are_no_input(c);
	const char *part = copies ? "input_copy_pct" : "input_pct";
	ctx_real(c, "input", part, &pct);
	if (ctx_real(c, "overview", "steps_total_ns", &total))
		lost = made_of(c, "lost_ns", total * pct / 100, UNIT_NS,
			       arena_printf(c->mem, "steps_total_ns * %s / 100", part));
	enum finding_state state = none ? FINDING_PASS : state_of(verdict, pct);
	const char *but = state == FINDING_PASS && gaps_wait_for_input(c)
				  ? " inside the steps, but the gaps between them wait for it"
				  : softened_by_one_iteration(c, &state);
	if (none && !*but)
		but = none_as_far(c);
	bool stands = finding_stands(state), copied = stands && mostly_copied(c),
	     frame = !strncmp(verdict, "potentially", 11) && most_in_frame(c);
	struct finding *x =
		copies ? say_copies(c, state, pct, but)
		       : say(c, state, "%s%s: %s%s.", spent_text(c, none ? 0 : pct),
			     unexplained_text(c, none ? "" : verdict), none ? "not input-bound" : verdict, but);
	x->about = copies ? "copies that are no input" : stands ? input_about(c, pct) : NULL;
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = MODERATELY_PCT;
	x->lost_ns = isnan(lost) ? UNKNOWN_I64 : llround(lost);
	x->formula = "time in which the host waits for input or copies it to the device and nothing more important "
		     "runs / step time; moderately input-bound from 5 %, highly from 20 %; potentially: less than 5 % "
		     "but not 0.0 %, with 3 % or more unexplained; no warning where a single iteration is recorded";
	if (!copies)
		x->advice = state == FINDING_PASS                 ? NULL
			    : copied                              ? input_copies_advice[c->framework]
			    : frame                               ? "See whether that frame waits for input."
			    : strncmp(verdict, "potentially", 11) ? idle_cause_advice(c, CAUSE_INPUT)
								  : idle_advice(c->d, CAUSE_UNKNOWN, NONE_ID);
}

/* Neither steps nor gaps nor idle times wait for it: to be faster would win nothing. */
static bool input_keeps_up(struct finding_ctx *c)
{
	enum { WAITS_PCT = 2 };
	const char *verdict = ctx_text(c, "input", "verdict");
	return verdict && (!strncmp(verdict, "not", 3) || mostly_copied(c)) && !gaps_wait_for_input(c) &&
	       100 * idle_of_cause_ns(c, CAUSE_INPUT) < WAITS_PCT * watched_ns(c);
}

void finding_input_stage(struct finding_ctx *c)
{
	double self;
	const char *name = ctx_text(c, "input", "bottleneck");
	if (!name || !ctx_real(c, "input", "bottleneck_self_ns", &self)) {
		say_nothing(c, "no stage of an input pipeline is recorded as slow");
		return;
	}
	from_key(c, ctx_table(c, "input"), "bottleneck");
	const char *part = ctx_text(c, "input", "bottleneck_part");
	bool untold = part && !strcmp(part, input_class_text(INPUT_UNRECORDED));
	bool fine = input_keeps_up(c);
	struct finding *x =
		say(c, fine ? FINDING_PASS : FINDING_INFO, "%s %s with %s of self time%s%s.",
		    fine ? "Devices hardly wait for the slowest input stage," : "The slowest input stage is", name,
		    ns_text(c, self), ctx_text(c, "input", "pipeline") ? " in the slowest call" : "",
		    untold ? ", in which neither ops nor Python are recorded" : "");
	x->value = self;
	x->unit = UNIT_NS;
	x->lost_ns = fine ? UNKNOWN_I64 : llround(self);
	x->formula = "blocking stage with the most self time in the slowest call of the pipeline";
	x->advice = fine ? NULL : ctx_text(c, "input", "advice");
	const struct evidence *e = ctx_evidence(c, "input", "bottleneck");
	if (e)
		finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

/* waits: without the wait a hundredth would be won; less is not worth a number. */
static struct finding *say_without_wait(struct finding_ctx *c, bool waits, double now, double kept, double ahead)
{
	if (!waits)
		return say(c, FINDING_INFO,
			   "If nothing else changed, a step whose input is copied ahead of time would take at least "
			   "%s instead of %s.",
			   ns_text(c, ahead), ns_text(c, now));
	if (kept - ahead < now / 1000)
		return say(c, FINDING_INFO,
			   "If nothing else changed, a step without the wait for input would take at least %s "
			   "instead of %s.",
			   ns_text(c, kept), ns_text(c, now));
	return say(c, FINDING_INFO,
		   "If nothing else changed, a step without the wait for input would take at least %s instead of %s, "
		   "with its copy prefetched too, %s.",
		   ns_text(c, kept), ns_text(c, now), ns_text(c, ahead));
}

void finding_synthetic(struct finding_ctx *c)
{
	double now, kept, ahead;
	if (copies_are_no_input(c)) {
		say_nothing(c, "most of what the steps copy is not input");
		return;
	}
	const char *lengths = ctx_text(c, "overview", "step_lengths");
	if (ctx_real(c, "input", "input_pct", &ahead) && ahead < NOTHING_PCT) {
		say_nothing(c, "no step waits for input or copies it to the device");
		return;
	}
	if (lengths && !strcmp(lengths, "irregular")) {
		say(c, FINDING_UNKNOWN, "Cannot tell a step time without the wait for input: the steps are irregular.")
			->advice = "Look at single steps: `--step N`.";
		return;
	}
	if (!ctx_real(c, "overview", "step_mean_ns", &now) || !ctx_real(c, "input", "best_step_no_wait_ns", &kept) ||
	    !ctx_real(c, "input", "best_step_prefetched_ns", &ahead))
		return;
	/* below a hundredth nothing worth saying is gained */
	if (now - ahead < now / 100) {
		say_nothing(c, "less than a hundredth of the step would be gained");
		return;
	}
	bool waits = now - kept >= now / 100;
	struct finding *x = say_without_wait(c, waits, now, kept, ahead);
	x->value = waits ? kept : ahead;
	x->unit = UNIT_NS;
	x->formula = "mean step less its part input wait; then also less its part copies to the device";
	x->advice = "Check it with a run on synthetic data.";
}

/* ---- compilation ------------------------------------------------------------------------------------------------ */

static const char *const compile_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Keep shapes constant from step to step.",
	[FRAMEWORK_TENSORFLOW] =
		("Keep shapes constant: pad the last batch or drop it (drop_remainder=True), give tf.function an "
		 "input_signature with None for what varies."),
	[FRAMEWORK_JAX] =
		"Keep shapes and static arguments constant: pad to a few sizes; mark changing Python values as arrays.",
	[FRAMEWORK_PYTORCH] =
		"Pad to a few sizes, or mark what varies: torch._dynamo.mark_dynamic, torch.compile(dynamic=True).",
};

/* The levels of automatic clustering: 2 takes most ops, 1 fewer, -1 none. */
static const char xla_advice[] = "Keep shapes constant: pad the last batch or drop it (drop_remainder=True), give "
				 "tf.function an input_signature. Where "
				 "they must vary, let XLA cluster less: TF_XLA_FLAGS=--tf_xla_auto_jit=1 instead of 2 "
				 "(also where little memory is "
				 "left), -1 for none.";

struct late_compiles {
	uint32_t rows, xla, first;
	double total_ns;
};

static struct late_compiles compiles_after_warmup(const struct table *t)
{
	struct late_compiles v = {0};
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const char *kind = row_text(t, row, COL_COMPILES_COMPILER);
		if (!row_true(t, row, COL_COMPILES_AFTER_WARMUP))
			continue;
		v.first = v.rows++ ? v.first : row;
		v.xla += kind && !strcmp(kind, "xla");
		v.total_ns += row_number(t, row, COL_COMPILES_DUR_NS);
	}
	return v;
}

/* XLA compiles what was traced and lowered just before: three rows, one compilation. */
void finding_compiles(struct finding_ctx *c)
{
	static const char late[] = "after_warmup=true";
	const struct table *t = ctx_table(c, "compiles");
	if (!t)
		return;
	struct late_compiles v = compiles_after_warmup(t);
	uint32_t n = v.xla ? v.xla : v.rows, first = v.first;
	from_count(c, "compilations", t, v.xla ? "after_warmup=true and compiler=xla" : late);
	from_known(c, "compile_ns", v.total_ns, t, COL_COMPILES_DUR_NS, late);
	if (n == 0) {
		say(c, FINDING_PASS, "Nothing is compiled after the warm-up.");
		return;
	}
	const char *shape = from_text(c, "shape", t, first, COL_COMPILES_SHAPE),
		   *before = from_text(c, "previous_shape", t, first, COL_COMPILES_PREVIOUS_SHAPE);
	bool tells = shape && before;
	const char *step = row_text(t, first, COL_COMPILES_STEP);
	struct finding *x =
		say(c, FINDING_WARN, "%s %s after the warm-up %s %s%s%s%s%s%s%s.", count_text(c, n),
		    n == 1 ? "compilation" : "compilations", n == 1 ? "takes" : "take", ns_text(c, v.total_ns),
		    step || tells ? "; the first" : "", step ? arena_printf(c->mem, " in step %s", step) : "",
		    tells ? " for the shape " : "", tells ? shape : "", tells ? " after " : "", tells ? before : "");
	x->value = n;
	x->unit = UNIT_COUNT;
	x->threshold = 0;
	x->lost_ns = llround(v.total_ns);
	x->formula = v.xla ? "rows of kind xla in the table 'compiles' that begin after the warm-up; the time is that "
			     "of all outermost compilation events since then, tracing and lowering included"
			   : "rows of the table 'compiles', its outermost compilation events, that begin after the "
			     "warm-up; the time is their sum";
	x->advice = v.xla && c->framework == FRAMEWORK_TENSORFLOW ? xla_advice : compile_advice[c->framework];
	show_row(c, x, t, first);
}
