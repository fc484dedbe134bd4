/* input: is the program input-bound, by which stage, and how fast would it be without. */
#include "input_ops.h"
#include "input_steps.h"
#include "iterators.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/names/record_advice.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/maths/shares.h"
#include "model/store/base/both.h"
#include <math.h>
#include <string.h>
#include <strings.h>

TABLE_DECL(input);

static const double SHOWN_PCT = 0.05; /* below it 0.0 % is shown */

struct input {
	const struct derived *d;
	struct table *out;
	struct input_steps steps;
	struct input_ops ops;
	struct iterators iterators;
	bool other_copies; /* what the steps wait for is copied, and no input */
};
/* Time of the host's input ops by what they do, estimated or measured. */
struct host_side {
	double enqueue, demanded, advanced, preprocessing, unclassified, unrecorded;
};

/* ---- what could not be known -------------------------------------------------------------------------------------- */

static bool has_work(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_device_tracks(t); i++)
		if (trace_track(t, i)->kind == TRACK_STREAM && trace_track(t, i)->n)
			return true;
	return false;
}

/* PyTorch's loader hides what it does: in a process of its own, or in Python of which no frame was recorded. */
static const char *missing_of_loader(const struct input *x)
{
	bool outside = trace_traits(derived_trace(x->d)) & SOURCE_OUTSIDE;
	const char *frames = outside ? "--python-sampling=true" : "with_stack=True";
	int64_t all_ns = 0;
	for (int i = 0; i < INPUT_CLASS_COUNT; i++)
		all_ns += i == INPUT_WAIT ? 0 : x->ops.self_ns[i];
	for (uint32_t i = 0; i < x->ops.n; i++)
		if (x->ops.at[i].loader && x->ops.at[i].class == INPUT_WAIT)
			return arena_printf(x->out->mem,
					    "no work of the DataLoader's worker processes: record a few steps with "
					    "num_workers=0 and %s; ",
					    frames);
	return all_ns && !x->ops.frames && share_at_least(x->ops.self_ns[INPUT_UNRECORDED], all_ns, 10)
		       ? arena_printf(x->out->mem,
				      "no Python frames inside the DataLoader, which tell reading files from decoding: "
				      "record with %s; ",
				      frames)
		       : "";
}

/* "no steps: call `prof.step()` once per step; ": what is not there, and how to record it. */
static const char *lacking(const struct input *x, const char *what, enum record_what advice)
{
	const struct trace *t = derived_trace(x->d);
	const char *how = arena_small(x->out->mem, record_advice(t, framework_of(t), advice));
	return arena_printf(x->out->mem, "%s: %.*s; ", what, (int)strlen(how) - 1, how);
}

static const char *missing(const struct input *x)
{
	static const char cut[] = "no steps as a whole: the window that was exported cuts them; ";
	static const char device[] = "no device work: copies to a device and what they hide cannot be seen; ";
	const char *no_steps = x->steps.all.step_ns          ? ""
			       : derived_steps_all_cut(x->d) ? cut
							     : lacking(x, "no steps", RECORD_STEPS);
	const char *no_ops = x->ops.host_ops ? "" : lacking(x, "no host events but calls of the driver", RECORD_OPS);
	char *all = arena_printf(x->out->mem, "%s%s%s%s", no_steps, no_ops, has_work(derived_trace(x->d)) ? "" : device,
				 missing_of_loader(x));
	size_t n = strlen(all);
	if (n < 2)
		return NULL;
	all[n - 2] = '\0';
	return all;
}

/* Copies alone may make a program input-bound; that nothing waits cannot be said when the host was not recorded. */
static const char *verdict_of(const struct input *x)
{
	const char *verdict = x->other_copies ? input_of_copies : input_verdict(&x->steps.all);
	bool xprof = derived_options(x->d)->semantics == SEM_XPROF, blind = !x->ops.host_ops && !xprof;
	/* unexplained time beside no input at all points at no input */
	if (!xprof && !strncmp(verdict, "potentially", 11) && input_share_pct(&x->steps.all) < SHOWN_PCT)
		verdict = "not input-bound";
	return blind && !x->other_copies && strncmp(verdict, "highly", 6) && strncmp(verdict, "moderately", 10)
		       ? "unknown"
		       : verdict;
}

/* ---- shares and best case ----------------------------------------------------------------------------------------- */

static void verdict_rows(const struct input *x)
{
	const struct input_sums *s = &x->steps.all;
	struct table *t = x->out;
	keyed_real(t, "input_pct", UNIT_PERCENT, input_share_pct(s),
		   "Share of the step time in which the devices wait for input or for copies to them, over all steps "
		   "and devices.");
	keyed_text(
		t, "verdict", verdict_of(x),
		"highly input-bound from 20 %, moderately from 5 %; potentially when below, but not 0.0 %, and 3 % or "
		"more of the step time has no known cause. Waiting for copies: they are 5 % or more, and more than the "
		"waits, and most of their exposed time is of those between kernels, as of offloaded parameters.");
	keyed_real(t, "input_wait_pct", UNIT_PERCENT, keyed_pct((double)s->wait_ns, (double)s->step_ns),
		   "Share of the step time in which the host waits for its input pipeline and nothing more important "
		   "runs.");
	keyed_real(t, "input_copy_pct", UNIT_PERCENT, keyed_pct((double)s->copy_ns, (double)s->step_ns),
		   "Share of the step time in which data is copied to the device and nothing more important runs.");
	keyed_real(t, "other_pct", UNIT_PERCENT, keyed_pct((double)s->other_ns, (double)s->step_ns),
		   "Share of the step time with no known cause.");
}

static void best_rows(const struct input *x)
{
	const struct input_steps *s = &x->steps;
	struct table *t = x->out;
	keyed_int(t, "steps", UNIT_COUNT, s->n,
		  "Steps that are wholly inside the window; one number on several ranks is one step.");
	keyed_real(t, "step_mean_ns", UNIT_NS, s->mean_ns,
		   "Mean length of these steps, on the slowest device of each.");
	keyed_real(t, "best_step_no_wait_ns", UNIT_NS, s->no_wait_ns,
		   "The same without the host's wait for input, the copy to the device kept: what synthetic data would "
		   "give.");
	keyed_real(t, "best_step_prefetched_ns", UNIT_NS, s->prefetched_ns,
		   "The same without the copies to the device too: synthetic data that is already there.");
	keyed_real(t, "step_wait_ns", UNIT_NS, s->wait_mean_ns, "Mean part of the step that waits for input.");
	keyed_real(t, "step_copy_ns", UNIT_NS, s->copy_mean_ns, "Mean part of the step that copies to the device.");
	keyed_int(t, "replicas", UNIT_COUNT, s->n_devices, "Devices that take part in the steps and so need input.");
	bool several = s->n_devices > 1;
	keyed_real(t, "input_pct_most", UNIT_PERCENT, several ? input_share_pct(&s->devices[s->most]) : NAN,
		   "Of several devices, the largest share of one device's steps that is input.");
	keyed_int(t, "input_device_most", UNIT_ID,
		  several ? trace_device(derived_trace(x->d), s->most)->ordinal : UNKNOWN_I64, "That device.");
	const struct trace *trace = derived_trace(x->d);
	int32_t rank = several ? trace_host(trace, trace_device(trace, s->most)->host)->rank : -1;
	keyed_int(t, "input_rank_most", UNIT_ID, rank < 0 ? UNKNOWN_I64 : rank, "Its rank in the distributed job.");
	bool named = several && rank < 0 && trace_hosts(trace) > 1;
	keyed_text(t, "input_host_most",
		   named ? trace_str(trace, trace_host(trace, trace_device(trace, s->most)->host)->name) : NULL,
		   "Its host, where several have no rank.");
}

/* ---- bottleneck ----------------------------------------------------------------------------------------------------- */

/* Where there is no tf.data: the op with the most time of its own, handing over aside. Of waits those of PyTorch's loader
 * count: its workers are other processes, which traces do not show. */
static const struct input_op *slowest_op(const struct input_ops *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		const struct input_op *op = &v->at[i];
		bool stage = op->class != INPUT_WAIT && op->class != INPUT_ENQUEUE;
		if ((stage || input_name_loads(op->name)) && op->self_ns > 0)
			return op;
	}
	return NULL;
}

static const char *op_advice(const struct input_op *op)
{
	if (!op->loader && !strstr(op->name, "torch/utils/data/"))
		return NULL;
	if (op->class == INPUT_WAIT)
		return "The DataLoader's worker processes are too slow: raise num_workers and prefetch_factor, do less "
		       "per sample, check the storage. What they do is not in the trace: profile a few steps with "
		       "num_workers=0 and with_stack=True.";
	return op->class == INPUT_UNRECORDED
		       ? "Batches are loaded on the training thread: give the DataLoader num_workers > 0, "
			 "pin_memory=True, persistent_workers=True; with_stack=True records what it reads and decodes."
		       : "Batches are loaded on the training thread: give the DataLoader num_workers > 0, "
			 "pin_memory=True, persistent_workers=True.";
}

static void evidence_row(struct table *t, const struct derived *d, row_id r)
{
	const struct columns *c = trace_columns(derived_trace(d));
	table_evidence(t, c->start_ns[r], c->start_ns[r] + c->dur_ns[r], &r, 1);
}

static void bottleneck_rows(const struct input *x)
{
	static const char what[] = "Stage that makes the input slow: of tf.data, the iterator waited for with the most "
				   "self time in the slowest call; else the input op with the most.";
	static const char time[] = "Its self time: of tf.data in the pipeline's slowest call, else in all.";
	bool xprof = derived_options(x->d)->semantics == SEM_XPROF;
	const struct pipeline *p = iterators_slowest(&x->iterators);
	bool found = p && p->bottleneck != NONE_ID;
	const struct input_op *op = !x->iterators.n_pipelines && !xprof ? slowest_op(&x->ops) : NULL;
	const char *name = found ? x->iterators.at[p->bottleneck].name : op ? op->name : NULL;
	keyed_text(x->out, "bottleneck", name, what);
	if (found)
		evidence_row(x->out, x->d, p->slowest);
	else if (op)
		evidence_row(x->out, x->d, op->longest);
	keyed_int(x->out, "bottleneck_self_ns", UNIT_NS,
		  found ? p->bottleneck_self_ns
		  : op  ? op->self_ns
			: UNKNOWN_I64,
		  time);
	keyed_text(x->out, "bottleneck_part", op ? input_class_text(op->class) : NULL,
		   "What part of the input pipeline it is, outside tf.data. Not recorded: a data loader at work with "
		   "no op and no Python frame.");
	keyed_text(x->out, "advice",
		   found && p->max_ns > SLOW_CALL_NS ? iterator_advice(name, xprof)
		   : op                              ? op_advice(op)
						     : NULL,
		   "What to try first with the bottleneck.");
	keyed_text(x->out, "pipeline", p ? p->name : NULL, "tf.data pipeline with the slowest call.");
	keyed_int(x->out, "pipeline_max_ns", UNIT_NS, p ? p->max_ns : UNKNOWN_I64, "Length of that call.");
	keyed_text(
		x->out, "tf_data",
		!p                         ? "none"
		: p->max_ns > SLOW_CALL_NS ? "slow"
		: p->max_ns > 0            ? "fast"
					   : "none",
		"slow: a call of a tf.data pipeline took longer than 50 us; none: no tf.data activity was recorded.");
}

/* ---- the host's side --------------------------------------------------------------------------------------------------- */

/* The reference tool knows copies to a device by this spelling only; CUPTI's "MemcpyH2D" is none of them. */
static bool known_copies(const struct trace *t)
{
	for (uint32_t i = 0; i < strings_count(trace_strings(t)); i++)
		if (!strncasecmp(trace_str(t, i), "MemcpyHToD", strlen("MemcpyHToD")))
			return true;
	return false;
}

/* The reference tool's estimate: time not spent enqueuing is as long as the share of the copies in the steps implies. */
static struct host_side estimated(const struct input *x)
{
	const int64_t *self = x->ops.self_ns;
	double e = (double)self[INPUT_ENQUEUE], d = (double)self[INPUT_DEMANDED], a = (double)self[INPUT_ADVANCED],
	       p = (double)self[INPUT_PREPROCESSING], t = d + a + p, ratio = 0;
	if (x->ops.infeed_apart_ns > 0)
		ratio = (double)x->ops.infeed_ns / (double)x->ops.infeed_apart_ns;
	else if (x->steps.all.step_ns > 0 && known_copies(derived_trace(x->d)))
		ratio = (double)x->steps.all.copy_ns / (double)x->steps.all.step_ns;
	ratio = ratio > 1 ? 1 : ratio;
	double n = ratio > 0 ? e * (1 - ratio) / ratio : t;
	struct host_side h = {.enqueue = e};
	if (t > 0)
		h = (struct host_side){e, n * d / t, n * a / t, n * p / t, 0, 0};
	double rest = n - h.demanded - h.advanced - h.preprocessing;
	h.unclassified = rest > 0 ? rest : 0;
	return h;
}

static struct host_side measured(const struct input *x)
{
	const int64_t *self = x->ops.self_ns;
	return (struct host_side){
		(double)self[INPUT_ENQUEUE],  (double)self[INPUT_DEMANDED],
		(double)self[INPUT_ADVANCED], (double)self[INPUT_PREPROCESSING],
		(double)self[INPUT_UNKNOWN],  (double)(self[INPUT_UNRECORDED] + x->ops.wait_alone_ns)};
}

static void host_rows(const struct input *x)
{
	struct host_side h = derived_options(x->d)->semantics == SEM_XPROF ? estimated(x) : measured(x);
	struct table *t = x->out;
	bool none = !x->ops.host_ops;
	keyed_int(t, "input_wait_ns", UNIT_NS, none ? UNKNOWN_I64 : x->ops.wait_ns,
		  "Time in which some thread waits for input, inside and outside steps.");
	keyed_real(t, "enqueue_ns", UNIT_NS, none ? NAN : h.enqueue, "Host time that passes data to the devices.");
	keyed_real(t, "demanded_read_ns", UNIT_NS, none ? NAN : h.demanded,
		   "Host time that reads files when they are asked for. These four are self times over all threads; "
		   "under --semantics xprof scaled to the time the steps leave for them.");
	keyed_real(t, "advanced_read_ns", UNIT_NS, none ? NAN : h.advanced,
		   "Host time that reads files ahead of time, interleaved or in memory.");
	keyed_real(t, "preprocessing_ns", UNIT_NS, none ? NAN : h.preprocessing,
		   "Host time that decodes, transforms, shuffles and batches.");
	keyed_real(t, "unclassified_ns", UNIT_NS, none ? NAN : h.unclassified, "Input ops of no known part.");
	keyed_real(t, "not_recorded_ns", UNIT_NS, none ? NAN : h.unrecorded,
		   "Data loaders at work with no op and no Python frame recorded (reading files, decoding), and waits "
		   "for input while no input op is recorded as running.");
}

/* Steps and ops, side by side; each has its own memory. */
struct reading {
	struct input *to;
	const struct query *q;
	struct arena *mem, ops_mem;
	struct progress *progress;
	struct err *err, ops_err;
};

static bool read_steps(void *ctx)
{
	struct reading *r = ctx;
	return input_steps_read(r->to->d, r->q, r->mem, r->progress, &r->to->steps, r->err);
}

static bool read_ops(void *ctx)
{
	struct reading *r = ctx;
	return input_ops_read(r->to->d, r->q, &r->ops_mem, r->progress, &r->to->ops, &r->ops_err);
}

static bool read_both(struct input *x, const struct query *q, struct arena *mem, struct progress *p, struct err *e)
{
	struct reading r = {.to = x, .q = q, .mem = mem, .progress = p, .err = e, .ops_err = {.at = -1}};
	bool whole = both(2, read_steps, read_ops, &r);
	arena_adopt(mem, &r.ops_mem);
	return whole || err_usage(e, "cancelled"); /* nothing else stops them */
}

static struct table *run_input(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	struct input x = {.d = d, .out = table_new(mem, &input_desc)};
	query_bounds(q, derived_trace(d), &x.out->window_a_ns, &x.out->window_b_ns);
	if (!read_both(&x, q, mem, p, e) || !iterators_read(d, q, mem, p, &x.iterators, e))
		return NULL;
	bool ok = true;
	x.other_copies = input_is_other_copies(&x.steps.all, d, q, mem, p, &ok);
	if (!ok) {
		err_usage(e, "cancelled");
		return NULL;
	}
	verdict_rows(&x);
	bottleneck_rows(&x);
	best_rows(&x);
	host_rows(&x);
	keyed_text(x.out, "missing", missing(&x), "What the trace lacks to say more; empty: nothing.");
	return x.out;
}

const struct table_desc input_desc = {
	.name = "input",
	.title = "Input",
	.help = "whether the program is input-bound, by which stage, and how fast it would be without",
	KEYED_TABLE,
	.run = run_input,
	.report = {.brief = COLUMN_LIST(KEYED_KEY, KEYED_VALUE, KEYED_HELP),
		   .wide = COLUMN_LIST(KEYED_KEY, KEYED_VALUE, KEYED_HELP),
		   .all_rows = true},
};
