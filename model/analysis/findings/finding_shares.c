/* Rules about shares of the step time. Thresholds: SEMANTICS.md, X8.5, unless said otherwise. */
#include "finding_ctx.h"
#include "findings_columns.h"
#include "model/analysis/comms/collective_steps_columns.h"
#include "model/analysis/names/collective_name.h"
#include "model/analysis/steps/step_part.h"
#include <math.h>
#include <string.h>

#define UNEXPLAINED "explained by no recorded event"
enum { OTHER_WARN_PCT = 3 };
struct share {
	const char *key;   /* of the table 'overview' */
	double warn, fail; /* per cent */
	const char *what;  /* "... of the step time goes to WHAT"; "... is WHAT" where `is` */
	const char *formula, *advice[FRAMEWORKS];
	enum cause evidence; /* devices must be idle for it, too; CAUSE_UNKNOWN: not asked */
	const char *more;    /* ends the sentence, where it is no pass; NULL */
	const char *untold;  /* what cannot be told of it, in a list of such; NULL: `what` */
	bool is;
};

static double step_total_ns(struct finding_ctx *c)
{
	double total;
	return ctx_real(c, "overview", "steps_total_ns", &total) ? total : NAN;
}

static const char *advice_for(const struct finding_ctx *c, const char *const *advice)
{
	return advice[c->framework] ? advice[c->framework] : advice[FRAMEWORK_UNKNOWN];
}

/* True when it was said that nothing can be told about `what`. */
static bool said_steps_end_early(struct finding_ctx *c, const char *what)
{
	if (!steps_miss_their_work(c))
		return false;
	say_untold(c, what, "most device work of the steps runs after the last of them has ended",
		   "Record more steps, or wait for the device at the end of each marked step.");
	return true;
}

/* Calls beside a copy are no wait: where devices are hardly ever idle for this cause, the share is a measurement. */
static enum finding_state held_back(struct finding_ctx *c, const struct share *s, enum finding_state state)
{
	enum { IDLE_PCT = 5, WARN_IDLE_PCT = 8 };
	if (!ctx_table(c, "idle_causes")->n_rows || state == FINDING_PASS)
		return state;
	double pct = share_of_time_pct(c, lost_to_cause_ns(c, s->evidence));
	return pct >= WARN_IDLE_PCT ? state : pct >= IDLE_PCT ? FINDING_INFO : FINDING_PASS;
}

static void rate(struct finding_ctx *c, const struct share *s)
{
	double pct;
	const char *untold =
		arena_printf(c->mem, "how much of the step time goes to %s", s->untold ? s->untold : s->what);
	if (said_steps_end_early(c, untold))
		return;
	if (!ctx_real(c, "overview", s->key, &pct)) {
		say_missing(c, untold, "step", "there are no steps",
			    "Mark the steps, or name them with --steps-by REGEX.");
		return;
	}
	enum finding_state state = pct >= s->fail ? FINDING_FAIL : pct >= s->warn ? FINDING_WARN : FINDING_PASS;
	const char *why = NULL;
	if (s->evidence != CAUSE_UNKNOWN && state != held_back(c, s, state)) {
		state = held_back(c, s, state);
		why = "the share alone is not a loss: devices idle for this cause for less than 8 % of the time (below "
		      "5 % it is only a measurement)";
	}
	const char *rated = pct >= s->fail ? "high" : pct >= s->warn ? "moderate" : "low";
	double total = step_total_ns(c);
	if (!isnan(total))
		made_of(c, "lost_all_ns", total * pct / 100, UNIT_NS,
			arena_printf(c->mem, "steps_total_ns * %s / 100", s->key));
	struct finding *x =
		say(c, state, "%s of %s %s %s: %s%s.", pct_text(c, pct), step_time_words(c), s->is ? "is" : "goes to",
		    s->what, rated, s->more && state != FINDING_PASS ? s->more : "");
	x->why = why;
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = s->warn;
	x->lost_ns = isnan(total) ? UNKNOWN_I64 : llround(total * pct / 100);
	x->formula = s->formula;
	x->advice = state == FINDING_PASS ? NULL : advice_for(c, s->advice);
}

void finding_launch_share(struct finding_ctx *c)
{
	static const struct share s = {"kernel_launch_pct",
				       3,
				       15,
				       "nothing but launch calls",
				       "time of the step in which nothing more important than launch calls is active / "
				       "step time; moderate from 3 %, high from 15 %; the time that devices idle while "
				       "work is launched is another figure: launch latency",
				       {NULL},
				       CAUSE_LAUNCH,
				       NULL,
				       "launch calls",
				       false};
	if (trace_devices(derived_trace(c->d)) > 0)
		rate(c, &s);
	struct finding *x = c->out->n ? &c->out->at[c->out->n - 1] : NULL;
	if (!x || x->rule != c->rule->word || (!finding_stands(x->state) && x->state != FINDING_INFO))
		return;
	x->advice = idle_advice(c->d, CAUSE_LAUNCH, NONE_ID);
	if (c->framework == FRAMEWORK_TENSORFLOW && !idle_facts(c->d)->private_threads)
		x->advice = arena_printf(c->mem, "Set TF_GPU_THREAD_MODE=gpu_private. %s", x->advice);
}

/* What such copies are, at the end of the sentence, and what to do about them; of values the framework's own advice. */
static const struct {
	const char *more, *advice;
} host_copies_words[] = {
	[HOST_COPIES_LARGE] =
		{"; most of it in copies of 1 MiB or more",
		 "Copy large results into pinned memory on a stream of its own while kernels run, or copy "
		 "less: in 16 bit, or what the device has already made of them."},
	[HOST_COPIES_OFFLOADED] = {"; most of it in copies of 1 MiB or more whose data comes back, as when parameters "
				   "are offloaded",
				   "Keep what every step needs on the device, or copy it on a stream of its own while "
				   "kernels run; offload less."},
};

void finding_output_share(struct finding_ctx *c)
{
	struct share s = {
		"output_pct",
		5,
		20,
		"copies from the device to the host",
		"copies to the host during which the device does not compute / step time; moderate from 5 %, high from "
		"20 %",
		{"Fetch results less often, or asynchronously: each copy waits for the device.",
		 "Fetch metrics every k steps; keep them on the device in between.",
		 "Keep results as device arrays; call block_until_ready and np.asarray every k steps only.",
		 "Call .item(), .cpu() and print(loss) every k steps only; copy with non_blocking=True."},
		CAUSE_UNKNOWN,
		NULL,
		NULL,
		false};
	if (trace_devices(derived_trace(c->d)) == 0)
		return;
	enum host_copies of = copies_to_host(c);
	s.more = host_copies_words[of].more;
	if (of != HOST_COPIES_VALUES)
		s.advice[c->framework] = host_copies_words[of].advice;
	const char *saving = of == HOST_COPIES_LARGE ? saved_copies_advice(c) : NULL;
	if (saving) {
		s.more = "; most of it in copies of 1 MiB or more, made while a checkpoint is saved";
		s.advice[c->framework] = saving;
	}
	rate(c, &s);
	struct finding *x = c->out->n ? &c->out->at[c->out->n - 1] : NULL;
	if (saving && x && x->rule == c->rule->word && finding_stands(x->state))
		x->about = "saving of checkpoints";
}

static const char fsdp_advice[] =
	"Gather the next layer's parameters while this one computes: forward_prefetch=True and "
	"BackwardPrefetch.BACKWARD_PRE (fully_shard: set_modules_to_forward_prefetch); wrap larger units; shard within "
	"a node only (HYBRID_SHARD).";

/* By what is exposed longest. Of the host only the names around it tell. */
static const char *torch_comms_advice(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "collective_steps");
	bool devices = t && t->n_rows;
	uint32_t row = devices ? row_of_most(t, COL_COLLECTIVE_STEPS_EXPOSED) : 0;
	const char *what = devices ? row_text(t, row, COL_COLLECTIVE_STEPS_MOST) : NULL,
		   *dtype = devices ? row_text(t, row, COL_COLLECTIVE_STEPS_MOST_DTYPE) : NULL;
	if (devices ? what && !strncmp(what, "FSDP", 4) : idle_facts(c->d)->shards)
		return fsdp_advice;
	if (micro_batches_reduce(c->d))
		return "Gradients are reduced after each micro-batch of a step: reduce them once, with model.no_sync() "
		       "around "
		       "all micro-batches but the last one.";
	if (devices ? !what || (strcmp(what, "DDP bucket") != 0 && strcmp(what, "AllReduce") != 0)
		    : !idle_facts(c->d)->replicates)
		return NULL;
	return dtype && collective_dtype_bytes(dtype) <= 2
		       ? "Check bucket sizes of DistributedDataParallel (bucket_cap_mb) and gradient_as_bucket_view."
		       : "Check bucket sizes of DistributedDataParallel and gradient_as_bucket_view; send 16-bit "
			 "gradients.";
}

/* What keeps waiting from being told from transfer, in front of what to do; "": nothing does. */
static const char *untold_waiting(struct finding_ctx *c, const struct exposed_because *because)
{
	double recorded;
	if (ranks_missing(c, &recorded) && recorded > 1)
		return "Not all ranks are recorded: what these wait for may be one that is not. ";
	if (because->told)
		return "";
	return trace_hosts(derived_trace(c->d)) > 1 || trace_devices(derived_trace(c->d)) > 1
		       ? "No call is known on two ranks, so waiting for others cannot be separated from transfer. "
		       : "One rank alone cannot tell waiting for others from transfer: record all ranks. ";
}

void finding_comms_share(struct finding_ctx *c)
{
	enum { WARN_PCT = 3, FAIL_PCT = 15 };
	double pct;
	struct share s = {
		"collectives_pct",
		WARN_PCT,
		FAIL_PCT,
		"collectives that nothing hides",
		"time of the step in which collectives run, on the device or on the host, while there is neither "
		"compute nor a copy from or on the device nor a wait for input / step time; moderate from 3 %, high "
		"from 15 %; exposed time, in which no kernel computes, is another figure: exposed_comms_ns",
		{"Overlap communication with the backward pass, or send fewer bytes.", NULL, NULL, NULL},
		CAUSE_UNKNOWN,
		NULL,
		NULL,
		false};
	struct exposed_because because = {0};
	bool devices = trace_devices(derived_trace(c->d)) > 0, any = ctx_real(c, "overview", s.key, &pct) && pct > 0;
	if (!devices && !any)
		return;
	if (any && pct >= WARN_PCT)
		because = devices ? exposed_because(c) : host_comms_because(c);
	s.more = because.words;
	if (c->framework == FRAMEWORK_PYTORCH)
		s.advice[FRAMEWORK_PYTORCH] = torch_comms_advice(c);
	rate(c, &s);
	struct finding *x = &c->out->at[c->out->n - 1];
	if (!x->advice || !finding_stands(x->state))
		return;
	x->about = because.about;
	x->advice = because.advice ? because.advice : x->advice;
	x->advice = arena_printf(c->mem, "%s%s", untold_waiting(c, &because), x->advice);
}

static bool has_frames(const struct derived *d)
{
	const struct columns *c = derived_columns(d);
	return memchr(c->kind, KIND_PYTHON, c->n) != NULL;
}

/* Of what is in no class known causes of idle time make most: what the host does outside of ops. */
static bool idle_tells(struct finding_ctx *c)
{
	static const char *const causes[] = {"idle_python_overhead_pct", "idle_host_compute_pct", "idle_host_work_pct",
					     "idle_host_wait_pct", "idle_synchronisation_pct"};
	enum { MOST_PCT = 90 };
	double known = 0, rest, recorded, v;
	if (!ctx_real(c, "overview", "other_pct", &rest))
		return false;
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		known += ctx_real(c, "overview", causes[i], &v) ? v : 0;
	recorded = ctx_real(c, "overview", "host_compute_pct", &recorded) ? recorded : 0;
	return 100 * (known - recorded) >= MOST_PCT * rest;
}

const char *most_in_frame(struct finding_ctx *c)
{
	double other, frame, ns;
	const char *name = ctx_text(c, "overview", "top_frame");
	if (!name || !ctx_real(c, "overview", "top_frame_ns", &ns) ||
	    !ctx_real(c, "overview", "top_frame_pct", &frame) || !ctx_real(c, "overview", "other_pct", &other) ||
	    2 * frame < other)
		return NULL;
	from_key(c, ctx_table(c, "overview"), "top_frame");
	return arena_printf(c->mem, "%s of each step in %.80s", ns_text(c, ns), name);
}

/* What devices wait for in that time their idle time tells; frames of Python, which say where a program is, belong to no class of a
 * step (SEMANTICS.md, 5). */
static const char *told_elsewhere(struct finding_ctx *c, bool *no_input)
{
	*no_input = false;
	static const double nothing_pct = 0.05; /* shown as 0.0 % */
	const char *verdict = ctx_text(c, "input", "verdict");
	double input, other;
	from_key(c, ctx_table(c, "input"), "verdict");
	if (verdict && !strncmp(verdict, "potentially", 11) && !most_in_frame(c))
		return "the input may be what is not explained: see the rule about input";
	*no_input = ctx_real(c, "input", "input_pct", &input) && input < nothing_pct;
	bool much = ctx_real(c, "overview", "other_pct", &other) && other >= OTHER_WARN_PCT;
	if (much && ctx_table(c, "idle_causes")->n_rows && (*no_input || idle_tells(c)))
		return "there is device work: the rule about idle time says what devices wait for";
	return NULL;
}

/* A tenth or more of what is in no class are waits for the device or in calls of Python. */
static bool waits_in(struct finding_ctx *c)
{
	double rest, device, others;
	return ctx_real(c, "overview", "other_pct", &rest) &&
	       ctx_real(c, "overview", "idle_synchronisation_pct", &device) &&
	       ctx_real(c, "overview", "idle_host_wait_pct", &others) && 10 * (device + others) >= rest;
}

/* Where the input is potentially the reason, that rule speaks and this one is silent (X8.5). */
/* What the frame that holds most of it is known for; NULL: nothing. */
static const char *frame_advice(struct finding_ctx *c)
{
	const struct evidence *e = ctx_evidence(c, "overview", "top_frame");
	return e && e->n ? idle_advice_of_event(c->d, CAUSE_PYTHON, e->rows[0]) : NULL;
}

/* No device works, and ops of the host fill the steps: what little they leave is not what the steps are about. */
static bool hosts_work(struct finding_ctx *c)
{
	enum { LITTLE_PCT = 15 };
	double other, host;
	return !trace_devices(derived_trace(c->d)) && ctx_text(c, "overview", "top_op_1") &&
	       ctx_real(c, "overview", "other_pct", &other) && ctx_real(c, "overview", "host_compute_pct", &host) &&
	       other < LITTLE_PCT && host > 50;
}

void finding_other_share(struct finding_ctx *c)
{
	struct share s = {"other_pct",
			  OTHER_WARN_PCT,
			  15,
			  UNEXPLAINED,
			  "step time of no class / step time; moderate from 3 %, high from 15 %",
			  {how_to_record(c, RECORD_FRAMES)},
			  CAUSE_UNKNOWN,
			  NULL,
			  "what is not recorded",
			  true};
	bool no_input;
	const char *silent = told_elsewhere(c, &no_input);
	if (silent) {
		say_nothing(c, silent);
		return;
	}
	bool frames = has_frames(c->d);
	if (waits_in(c))
		s.what = frames ? "Python outside ops, waiting of the host, or " UNEXPLAINED
				: "waiting of the host, or " UNEXPLAINED;
	else if (frames)
		s.what = "Python outside ops, or " UNEXPLAINED;
	if (frames)
		s.advice[FRAMEWORK_UNKNOWN] =
			"See which frames run there: on the timeline of such a step, or in a flame graph "
			"(`stepscope export TRACE -o out.folded`).";
	const char *frame = most_in_frame(c), *advice = frame ? frame_advice(c) : NULL;
	s.more = frame ? arena_printf(c->mem, "; %s", frame) : NULL;
	rate(c, &s);
	/* what is not recorded is no fault of a program that does not wait for input, either */
	struct finding *x = &c->out->at[c->out->n - 1];
	if (no_input && finding_stands(x->state))
		x->state = hosts_work(c) ? FINDING_INFO : FINDING_UNKNOWN;
	x->advice = advice && x->advice ? advice : x->advice;
	x->about = frames ? "Python outside ops" : NULL;
}

/* ---- eager execution -------------------------------------------------------------------------------------------- */

static void eager_on(struct finding_ctx *c, const char *key, const char *where)
{
	double pct;
	if (!ctx_real(c, "overview", key, &pct)) {
		say_untold(c, arena_printf(c->mem, "how much %s op time is eager", where), "the trace does not say",
			   "Record an XSpace with TensorFlow 2, which distinguishes eager from graph execution.");
		return;
	}
	struct finding *x = say(c, pct > 10 ? FINDING_WARN : FINDING_PASS, "%s of the %s op time runs eagerly.",
				pct_text(c, pct), where);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = 10;
	x->formula = "self time of eager ops / self time of all ops; warning above 10 %";
	x->advice = pct > 10 ? "Put the step into a tf.function." : NULL;
}

/* PyTorch is eager by design, and JAX compiles what it runs: only TensorFlow knows both. */
void finding_eager(struct finding_ctx *c)
{
	if (c->framework != FRAMEWORK_TENSORFLOW)
		return;
	if (trace_devices(derived_trace(c->d)) > 0)
		eager_on(c, "eager_device_pct", "device");
	eager_on(c, "eager_host_pct", "host");
}

/* ---- is it worth the device ------------------------------------------------------------------------------------- */

/* What of a step is in no class, where the causes of idle time tell most of it. */
struct rest {
	double held_pct; /* launched work was held back: by what is not in the file, so no overhead of the program; 0: not most of it */
	const char *word;
};
static struct rest rest_of(struct finding_ctx *c)
{
	double rest, held, python, work, compute, recorded;
	bool told = ctx_real(c, "overview", "other_pct", &rest);
	if (told && ctx_real(c, "overview", "idle_held_back_pct", &held) && 2 * held >= rest)
		return (struct rest){fmin(held, rest), "other unexplained time"};
	if (!told || !has_frames(c->d))
		return (struct rest){0, "unexplained time"};
	python = ctx_real(c, "overview", "idle_python_overhead_pct", &python) ? python : 0;
	/* frames that a rule calls work outside of the graph, as those that save; what ops and ranges hold of it is no part of the rest */
	work = ctx_real(c, "overview", "idle_host_work_pct", &work) ? work : 0;
	compute = ctx_real(c, "overview", "idle_host_compute_pct", &compute) ? compute : 0;
	recorded = ctx_real(c, "overview", "host_compute_pct", &recorded) ? recorded : 0;
	bool frames = 2 * (python + fmax(work + compute - recorded, 0)) >= rest;
	return (struct rest){0, frames ? "Python outside ops" : "unexplained time"};
}

/* Shares of the step that are no work of the program, and what each is. */
enum { OVERHEAD_LAUNCH, OVERHEAD_INPUT, OVERHEAD_OUTPUT, OVERHEAD_REST, OVERHEADS };
static const char *const overhead_keys[OVERHEADS] = {"kernel_launch_pct", "input_pct", "output_pct", "other_pct"};

/* Their sum; *largest: which one, and its share. */
static double sum_overheads(struct finding_ctx *c, const struct rest *rest, int *largest, double *most)
{
	double sum = 0, v;
	*largest = 0;
	*most = 0;
	for (int i = 0; i < OVERHEADS; i++) {
		if (!ctx_real(c, "overview", overhead_keys[i], &v))
			continue;
		v -= i == OVERHEAD_REST ? rest->held_pct : 0;
		sum += v;
		if (v <= *most)
			continue;
		*most = v;
		*largest = i;
	}
	return sum;
}

/* What the part of the step that XProf calls input is here. */
static const char *input_text(struct finding_ctx *c)
{
	static const char *const words[] = {
		[INPUT_HOLDS_NOTHING] = "input",
		[INPUT_HOLDS_WAITS] = "waits for input",
		[INPUT_HOLDS_COPIES] = "copies to the device",
		[INPUT_HOLDS_BOTH] = "waits for input and copies to the device",
	};
	double pct, copy;
	bool known = ctx_real(c, "input", "input_pct", &pct) && ctx_real(c, "input", "input_copy_pct", &copy);
	return words[known ? input_holds(pct, copy) : INPUT_HOLDS_NOTHING];
}

void finding_worth_it(struct finding_ctx *c)
{
	double compute, host, most, v;
	int largest;
	if (trace_devices(derived_trace(c->d)) == 0 || !ctx_real(c, "overview", "device_compute_pct", &compute) ||
	    said_steps_end_early(c, "whether the steps are worth the device"))
		return;
	struct rest rest = rest_of(c);
	const char *input = input_text(c);
	const char *const words[OVERHEADS] = {"launches", input, "copies to the host", rest.word};
	double overhead = sum_overheads(c, &rest, &largest, &most);
	host = ctx_real(c, "overview", "host_compute_pct", &v) ? v : 0;
	if (rest.held_pct > 0)
		made_of(c, "held_pct", rest.held_pct, UNIT_PERCENT, "min(idle_held_back_pct, other_pct)");
	made_of(c, "overhead_pct", overhead, UNIT_PERCENT,
		rest.held_pct > 0 ? "kernel_launch_pct + input_pct + output_pct + other_pct - held_pct"
				  : "kernel_launch_pct + input_pct + output_pct + other_pct");
	bool warn = overhead > compute;
	const char *alone = warn ? arena_printf(c->mem, " (%s alone %s)", words[largest], pct_text(c, most)) : "",
		   *held = rest.held_pct > 0 ? arena_printf(c->mem, "; for %s launched work is held back",
							    pct_text(c, rest.held_pct))
					     : "";
	bool part = !strcmp(step_time_words(c), STEP_TIME_IN_WINDOW);
	struct finding *x =
		say(c, warn ? FINDING_WARN : FINDING_PASS,
		    "%s, the device computes for %s; launches, %s, copies to the host and %s take %s%s, other "
		    "work of the host %s%s.",
		    part ? "Of " STEP_TIME_IN_WINDOW : "Per step", pct_text(c, compute), input, rest.word,
		    pct_text(c, overhead), alone, pct_text(c, host), held);
	x->value = overhead;
	x->unit = UNIT_PERCENT;
	x->threshold = compute;
	x->about = warn ? words[largest] : NULL;
	x->formula = "launch + input + output + time of no class, except while launched work is held back, as shares "
		     "of the step time, compared with device compute; warning when larger";
	x->advice = warn ? "Until this overhead shrinks, a faster device changes little: work on the largest of these "
			   "shares first."
			 : NULL;
}
