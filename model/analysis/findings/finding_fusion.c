/* The rule about fusing: what runs of element-wise kernels could save at most. */
#include "finding_ctx.h"
#include "model/analysis/kernels/fusion_where.h"
#include <math.h>

enum { WARN_PCT = 10, INFO_PCT = 3 };

static const char *const advice[FRAMEWORKS] = {
	"Let a compiler fuse element-wise work, or record it into a CUDA graph.",
	"Use tf.function(jit_compile=True), or auto-clustering with TF_XLA_FLAGS=--tf_xla_auto_jit=2.",
	"Put the whole step into one jax.jit: ops that are called one by one are not fused.",
	("Use torch.compile on the model or the optimizer's step, fused=True for optimizers, and CUDA graphs to close "
	 "the pauses."),
};

struct fusion_sum {
	int64_t runs, kernels, saved_ns;
};

/* Where there are steps, what runs outside of them is set-up. */
static struct fusion_sum sum_of(const struct fusion_stats *s, bool in_steps)
{
	struct fusion_sum sum = {0};
	for (uint32_t i = 0; i < s->n; i++) {
		const struct fusion_group *g = &s->at[i];
		sum.runs += in_steps ? g->in_steps : g->count;
		sum.kernels += in_steps ? g->all_kernels_in_steps : g->all_kernels;
		sum.saved_ns += fusion_ns(s, g, in_steps ? FUSION_KERNELS_SAVED_IN_STEPS_NS : FUSION_KERNELS_SAVED_NS);
	}
	return sum;
}

/* From the table fusion, which has a column of the input's name. */
static void from_fusion(struct finding_ctx *c, struct finding_input x)
{
	x.table = "fusion";
	x.column = x.column ? x.column : x.name;
	from_table(c, x);
}

static void from_sums(struct finding_ctx *c, const struct fusion_sum *sum, bool in_steps)
{
	from_fusion(c, (struct finding_input){.name = "runs",
					      .value = (double)sum->runs,
					      .unit = UNIT_COUNT,
					      .column = in_steps ? "repeats_in_steps" : "repeats"});
	from_fusion(c, (struct finding_input){.name = "kernels",
					      .value = (double)sum->kernels,
					      .unit = UNIT_COUNT,
					      .column = in_steps ? "all_run_kernels_in_steps" : "all_run_kernels"});
	from_fusion(c, (struct finding_input){.name = "saved_ns",
					      .value = (double)sum->saved_ns,
					      .unit = UNIT_NS,
					      .column = in_steps ? "kernels_saved_in_steps_ns" : "kernels_saved_ns"});
}

/* "; most in mul, add x3 of nn.Module: RMSNorm_0" */
static const char *most_text(struct finding_ctx *c, const struct fusion_group *g)
{
	const char *ops = fusion_ops(c->d, g->first, g->kernels, c->mem);
	const char *scope = fusion_scope(c->d, g->first, g->kernels, c->mem);
	if (ops)
		from_fusion(c, (struct finding_input){.name = "op_list", .value = NAN, .text = ops, .rows = "row 1"});
	if (scope)
		from_fusion(
			c, (struct finding_input){.name = "enclosed_by", .value = NAN, .text = scope, .rows = "row 1"});
	if (!ops && !scope)
		return "";
	return arena_printf(c->mem, "; most in %s%s%s", ops ? ops : "kernels", scope ? " of " : "", scope ? scope : "");
}

void finding_fusion(struct finding_ctx *c)
{
	const struct fusion_stats *s = c->answers.fusion;
	bool in_steps = steps_meet_window(c);
	struct fusion_sum sum = sum_of(s, in_steps);
	double pct;
	from_sums(c, &sum, in_steps);
	if (s->kernels_ns <= 0)
		return;
	if (!sum.runs) {
		say(c, FINDING_PASS, "No unfused element-wise kernels follow each other.");
		return;
	}
	const char *saved = step_time_text(c, "saved_ns", (double)sum.saved_ns, &pct);
	enum finding_state state = pct >= WARN_PCT ? FINDING_WARN : pct >= INFO_PCT ? FINDING_INFO : FINDING_PASS;
	const struct fusion_group *most = &s->at[0];
	const struct columns *columns = trace_columns(derived_trace(c->d));
	int64_t a_ns = columns->start_ns[most->first];
	const char *most_in = most_text(c, most);
	struct finding *x = say(c, state,
				"Fusing %s run%s of %s element-wise kernels would save at most %s, if each run "
				"became one kernel%s.",
				count_text(c, (double)sum.runs), sum.runs == 1 ? "" : "s",
				count_text(c, (double)sum.kernels), saved, most_in);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->lost_ns = sum.saved_ns;
	x->confidence = 0.5; /* an upper bound; compilers may reach less */
	x->formula = "for each run of element-wise kernels on a stream: time of all its kernels except the longest of "
		     "each chain, in which each kernel reads as many values as the one before it wrote (without "
		     "shapes: except those of the name that takes most); an upper bound; the pauses between them count "
		     "as idle time / first to last device work of the steps; suggested from 10 %";
	x->advice = state == FINDING_PASS ? NULL : advice[c->framework];
	finding_evidence(c->out, x, a_ns, a_ns + fusion_ns(s, most, FUSION_LONGEST_NS), &most->first, 1);
}
