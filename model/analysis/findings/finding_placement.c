/* Rules about where ops run: the share that runs on devices, and heavy ops that stay on the host. */
#include "finding_ctx.h"
#include "model/columns.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/names/op_names.h"
#include "model/analysis/ops/op_placed.h"
#include "model/analysis/steps/step_phase.h"
#include <math.h>
#include <string.h>

/* Types of ops of less time than this share of all op time are not worth a word each. */
enum { WORTH_PCT = 1, MOST_OPS = 5 };

static const char *const placement_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] = "Place the op on the device; tf.debugging.set_log_device_placement(True) shows where "
			      "TensorFlow places its ops.",
	[FRAMEWORK_TENSORFLOW] =
		"See where ops are placed with tf.debugging.set_log_device_placement(True); put the model under "
		"tf.device or a OneDeviceStrategy, and look for types and shapes without a GPU kernel.",
	[FRAMEWORK_JAX] =
		"Check jax.default_backend() and jax.device_put: committed host arrays keep an op on the host.",
	[FRAMEWORK_PYTORCH] =
		"Move its tensors with .to('cuda'); torch.set_default_device('cuda') makes new ones there.",
};

/* Work that cannot be placed anywhere: nothing was recorded on one of the sides. */
static bool cannot_tell(struct finding_ctx *c, const char *what)
{
	double ops;
	if (!trace_devices(derived_trace(c->d)))
		return true; /* without a device there is nothing to place ops on */
	if (ctx_real(c, "overview", "device_ops", &ops) && ctx_real(c, "overview", "host_ops_time_pct", &ops))
		return false;
	const struct columns *events = derived_columns(c->d);
	if (memchr(events->kind, KIND_OP, events->n))
		say_missing(c, what, "op", "no device work is linked to the launch calls inside the ops",
			    "Keep the correlation ids of launch calls and kernels in the file.");
	else
		say_missing(c, what, "op", "the trace has no ops", how_to_record(c, RECORD_OPS));
	return true;
}

/* ---- shares --------------------------------------------------------------------------------------------------------------- */

/* Work that belongs to no op is in no share of the ops. */
enum { LACK_WORTH_PCT = 1, LACK_MUCH_PCT = 5 };

static const char *const lack_advice[OP_LACK_COUNT] = {
	[OP_LACKS_LAUNCH] = "Start recording when the device has nothing left to do (PyTorch: "
			    "torch.cuda.synchronize()), and look at the notes for lost records.",
	[OP_LACKS_PLACED] = "The ops of a replayed graph are those of its capture: record that as well.",
	[OP_LACKS_AROUND] = "Record the ops around these launches; the table 'launches' shows which calls they are.",
};

static void from_lacking(struct finding_ctx *c, const struct op_stat *op, double pct)
{
	const char *type = arena_strndup(c->mem, op->type.p, op->type.n),
		   *name = arena_strndup(c->mem, op->name.p, op->name.n);
	const char *rows = arena_printf(c->mem, "host_or_device=Device and type=%s and operation=%s", type, name);
	from_table(c, (struct finding_input){arena_printf(c->mem, "no_op_%u_pct", op->lack), pct, NULL, UNIT_PERCENT,
					     "ops", "device_total_self_time_percent", rows, NULL});
	from_table(c, (struct finding_input){arena_printf(c->mem, "no_op_%u", op->lack),
					     (double)op->side[OP_DEVICE].pieces, NULL, UNIT_COUNT, "ops", "pieces",
					     rows, NULL});
}

/* " 30.1 % of the device time belongs to no op: launch not recorded 30.1 % (509 kernels and copies)."; the advice is for the
 * reason with most time. */
static const char *lacking(struct finding_ctx *c, double pct, const char **advice)
{
	const struct op_stats *s = c->answers.ops;
	const char *text = arena_printf(c->mem, " %s of the device time belongs to no op:", pct_text(c, pct));
	uint32_t n, *order = op_stats_order(s, OP_DEVICE, c->mem, &n);
	*advice = NULL;
	for (uint32_t i = 0; i < n; i++) {
		const struct op_stat *op = &s->at[order[i]];
		const struct op_side *x = &op->side[OP_DEVICE];
		if (!op->lack || op->lack == OP_LACKS_PLACED)
			continue;
		from_lacking(c, op, 100 * (double)x->self_ns / (double)s->self_ns[OP_DEVICE]);
		text = arena_printf(c->mem, "%s%s %s %s (%s %s)", text, *advice ? "," : "", op_lack_words(op->lack),
				    pct_text(c, 100 * (double)x->self_ns / (double)s->self_ns[OP_DEVICE]),
				    count_text(c, (double)x->pieces),
				    x->pieces == 1 ? "kernel or copy" : "kernels and copies");
		*advice = *advice ? *advice : lack_advice[op->lack];
	}
	return arena_printf(c->mem, "%s.", text);
}

void finding_op_share(struct finding_ctx *c)
{
	double count, time, lack, placed, host_count, host_time;
	const char *without = "", *by_place = "", *advice = NULL;
	if (cannot_tell(c, "which share of the ops runs on devices") ||
	    !ctx_real(c, "overview", "device_ops_count_pct", &count) ||
	    !ctx_real(c, "overview", "device_ops_time_pct", &time) ||
	    !ctx_real(c, "overview", "host_ops_count_pct", &host_count) ||
	    !ctx_real(c, "overview", "host_ops_time_pct", &host_time))
		return;
	enum { FINE_PCT = 95 };
	if (!ctx_real(c, "overview", "no_op_time_pct", &lack))
		lack = 0;
	if (lack >= LACK_WORTH_PCT)
		without = lacking(c, lack, &advice);
	bool places = row_of_key(c->overview, "graph_place_time_pct") != NONE_ID;
	if (places && ctx_real(c, "overview", "graph_place_time_pct", &placed) && placed >= LACK_WORTH_PCT)
		by_place = arena_printf(c->mem, " %s of the device time is named by its place in replayed graphs.",
					pct_text(c, placed));
	bool fine = time >= FINE_PCT && lack < LACK_MUCH_PCT && !*by_place;
	struct finding *x =
		say(c, fine ? FINDING_PASS : FINDING_INFO,
		    "%s of the ops and %s of their time run on devices, %s and %s on the host.%s%s", pct_text(c, count),
		    pct_text(c, time), pct_text(c, host_count), pct_text(c, host_time), without, by_place);
	x->advice = lack >= LACK_MUCH_PCT ? advice : *by_place ? lack_advice[OP_LACKS_PLACED] : NULL;
	x->value = time;
	x->unit = UNIT_PERCENT;
	x->threshold = FINE_PCT;
	x->formula = "self time of device ops / self time of device ops and of host ops that neither call ops nor "
		     "launch work";
}

/* ---- heavy ops on the host ------------------------------------------------------------------------------------------------ */

/* "30 ops of type Unique run", "model/Unique runs". */
static const char *who_runs(struct finding_ctx *c, const struct op_placed *x)
{
	enum { LONGEST = 200 };
	struct span name = x->ops == 1 ? x->name : x->type;
	int n = (int)(name.n < LONGEST ? name.n : LONGEST);
	return x->ops == 1 ? arena_printf(c->mem, "%.*s runs", n, name.p)
			   : arena_printf(c->mem, "%s ops of type %.*s run", count_text(c, x->ops), n, name.p);
}

static const char placement_formula[] =
	"self time of the calls of a type of op that call no other op and start no device work / self time of all ops "
	"on devices and on the host; in steady steps, where there are any, outside input pipelines; reported from 1 %";

static void from_placed(struct finding_ctx *c, const struct op_placed *x, double pct)
{
	const char *type = arena_strndup(c->mem, x->type.p, x->type.n),
		   *name = arena_strndup(c->mem, x->name.p, x->name.n);
	const char *rows = arena_printf(c->mem, "host_or_device=Host and type=%s", type);
	const struct finding_input inputs[] = {
		{"type", NAN, type, UNIT_NONE, "op_types", "type", rows, NULL},
		{"op", NAN, name, UNIT_NONE, "ops", "operation",
		 arena_printf(c->mem, "host_or_device=Host and operation=%s", name), NULL},
		{"placed_ops", x->ops, NULL, UNIT_COUNT, "op_types", "placed_ops", rows, NULL},
		{"placed_runs", (double)x->runs, NULL, UNIT_COUNT, "op_types", "placed_runs", rows, NULL},
		{"placed_self_ns", (double)x->self_ns, NULL, UNIT_NS, "op_types", "placed_self_ns", rows, NULL},
		{"placed_pct", pct, NULL, UNIT_PERCENT, "op_types", "placed_pct", rows, NULL},
	};
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		from_table(c, inputs[i]);
}

static void tell(struct finding_ctx *c, const struct op_placed *x, int64_t whole_ns)
{
	const struct columns *cols = trace_columns(derived_trace(c->d));
	double pct = (double)x->self_ns / (double)whole_ns * 100;
	bool heavy = x->sort == OP_COMPUTE, steady = counted_steps(c->d, c->q).steady_only;
	const char *although = !heavy        ? " by implementation"
			       : x->ops == 1 ? ", although it is compute-intensive"
					     : ", although they are compute-intensive";
	from_placed(c, x, pct);
	struct finding *f =
		say(c, heavy ? FINDING_WARN : FINDING_INFO, "%s on the host%s: %s %s, %s, %s of all op time%s.",
		    who_runs(c, x), although, count_text(c, (double)x->runs), x->runs == 1 ? "time" : "times",
		    ns_text(c, (double)x->self_ns), pct_text(c, pct), steady ? " in steady steps" : "");
	f->value = pct;
	f->unit = UNIT_PERCENT;
	f->threshold = WORTH_PCT;
	f->lost_ns = heavy ? x->self_ns : UNKNOWN_I64;
	f->advice = !heavy ? "No device has a kernel for it: keep it out of the step, or move it to the input pipeline."
		    : placement_advice[c->framework] ? placement_advice[c->framework]
						     : placement_advice[FRAMEWORK_UNKNOWN];
	f->formula = placement_formula;
	if (x->longest != NONE_ID)
		finding_evidence(c->out, f, cols->start_ns[x->longest],
				 cols->start_ns[x->longest] + cols->dur_ns[x->longest], &x->longest, 1);
}

/* Most time first; how many were told. */
static uint32_t tell_sort(struct finding_ctx *c, const struct op_placed *at, uint32_t n, int64_t whole_ns,
			  enum op_sort sort)
{
	uint32_t told = 0;
	for (uint32_t i = 0; i < n && told < MOST_OPS; i++)
		if (at[i].sort == sort && share_at_least(at[i].self_ns, whole_ns, WORTH_PCT)) {
			tell(c, &at[i], whole_ns);
			told++;
		}
	return told;
}

void finding_op_placement(struct finding_ctx *c)
{
	if (cannot_tell(c, "which ops run on the host that should run on a device"))
		return;
	struct op_rules *rules = op_rules_builtin(NULL);
	if (!rules)
		return;
	uint32_t n;
	int64_t whole_ns;
	const struct op_placed *at = op_placed_make(c->answers.ops, rules, c->mem, &n, &whole_ns);
	if (!tell_sort(c, at, n, whole_ns, OP_COMPUTE))
		say(c, FINDING_PASS, "No compute-intensive type of op takes %d %% of the op time on the host.",
		    WORTH_PCT)
			->formula = placement_formula;
	tell_sort(c, at, n, whole_ns, OP_HOST_ONLY);
	op_rules_free(rules);
}
