/* Whether kernels compute in 16 bit, or should. Thresholds: SEMANTICS.md, X8.5. */
#include "finding_ctx.h"
#include "findings_columns.h"
#include "model/analysis/kernels/tensor_cores.h"

enum { WORTH_PCT = 10 }; /* kernels of so much of the time: below, the host is what holds the program up */
enum { SIXTEEN_BIT_PCT = 10 };

static const char *const precision_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Try mixed precision.",
	[FRAMEWORK_TENSORFLOW] = "Try tf.keras.mixed_precision.set_global_policy('mixed_float16').",
	[FRAMEWORK_JAX] = "Try bfloat16 activations and parameters.",
	[FRAMEWORK_PYTORCH] = "Try torch.autocast('cuda', dtype=torch.bfloat16).",
};

/* What keeps the rule from its answer; NULL = nothing. */
static const char *precision_untold(struct finding_ctx *c, double pct, enum tc_device device)
{
	double untold;
	if (pct >= SIXTEEN_BIT_PCT)
		return NULL;
	if (ctx_real(c, "overview", "kernels_unknown_precision_time_pct", &untold) && pct + untold >= SIXTEEN_BIT_PCT &&
	    untold >= PRECISION_UNTOLD_PCT)
		return arena_printf(c->mem, "; the names of kernels that take %s of the time do not say",
				    pct_text(c, untold));
	return device == TC_DEVICE_UNKNOWN
		       ? "; whether more would help depends on the compute capability, which is not recorded"
		       : NULL;
}

static const char *const hardly_matters = "kernels take less than 10 % of the step time: the host holds the program up";

static void no_name_tells_a_precision(struct finding_ctx *c, bool matters)
{
	if (matters)
		say(c, FINDING_UNKNOWN, "The names of the kernels do not tell whether they compute in 16 bit.");
	else
		say_nothing(c, hardly_matters);
}

void finding_precision(struct finding_ctx *c)
{
	double pct, kernels, n16, compute;
	if (!ctx_real(c, "overview", "kernels", &kernels) || kernels <= 0 ||
	    !ctx_real(c, "overview", "kernels_16bit", &n16))
		return;
	bool matters = !ctx_real(c, "overview", "device_compute_pct", &compute) || compute >= WORTH_PCT;
	if (!ctx_real(c, "overview", "kernels_16bit_time_pct", &pct)) {
		no_name_tells_a_precision(c, matters);
		return;
	}
	enum tc_device device = tc_device_of(c->d);
	const char *untold = precision_untold(c, pct, device);
	enum finding_state state = pct >= SIXTEEN_BIT_PCT || !matters ? FINDING_PASS
				   : untold                           ? FINDING_UNKNOWN
				   : device == TC_DEVICE_WITH         ? FINDING_WARN
								      : FINDING_INFO;
	struct finding *x = say(c, state, "%s of %s kernels (%s of kernel time) compute in 16 bit%s.",
				count_text(c, n16), count_text(c, kernels), pct_text(c, pct), untold ? untold : "");
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = SIXTEEN_BIT_PCT;
	x->formula = "time of fp16 and bf16 kernels / time of all kernels; suggested below 10 % on compute capability "
		     "7.0 and newer";
	if (!matters)
		x->why = hardly_matters;
	x->advice = state == FINDING_WARN ? precision_advice[c->framework] : NULL;
}
