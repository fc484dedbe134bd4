#include "idle_advice.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/analysis/names/device_vendor.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

/* ---- evidence ------------------------------------------------------------------------------------------------------------ */

static bool any_amd(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_devices(t); i++)
		if (device_is_amd(t, trace_device(t, i)))
			return true;
	return false;
}

/* What device work is called tells nothing of the host. */
static void read_texts(const struct derived *d, struct idle_facts *f)
{
	const struct {
		const char *begins, *word; /* anywhere after that */
		bool *there;
	} words[] = {{"", "enumerate(DataLoader)#", &f->loader},
		     {"", "_SingleProcessDataLoaderIter", &f->loader},
		     {"", "_MultiProcessingDataLoaderIter", &f->loader},
		     {"", "_MultiProcessingDataLoaderIter", &f->loader_processes},
		     {"execute_", "_generation_", &f->serves},
		     {"step[DECODE", "", &f->serves},
		     {"step[EXTEND", "", &f->serves},
		     {"[Executor] _forward_step", "", &f->serves},
		     {"", "FullyShardedDataParallel", &f->shards},
		     {"", "FSDP::", &f->shards},
		     {"", "DistributedDataParallel", &f->replicates},
		     {"", "hipLaunchKernel", &f->amd},
		     {"", "hipMalloc", &f->amd},
		     {"", "gpu_private", &f->private_threads}};
	const struct strings *s = trace_strings(derived_trace(d));
	const struct name_list *names = derived_names_apart(d);
	for (uint32_t k = 0; k < names->n; k++) {
		const char *name = strings_z(s, names->at[k].name);
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (!*words[i].there && text_starts(name, words[i].begins) && strstr(name, words[i].word))
				*words[i].there = true;
	}
}

static void *make_facts(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	struct idle_facts *f = must(malloc(sizeof *f));
	*f = (struct idle_facts){
		.framework = framework_of(t), .amd = any_amd(t), .outside = trace_traits(t) & SOURCE_OUTSIDE};
	read_texts(d, f);
	f->ops = memchr(derived_columns(d)->kind, KIND_OP, derived_columns(d)->n) != NULL;
	f->frames = memchr(derived_columns(d)->kind, KIND_PYTHON, derived_columns(d)->n) != NULL;
	return f;
}

const struct idle_facts *idle_facts(const struct derived *d)
{
	return derived_facts(d, make_facts);
}

/* ---- advice -------------------------------------------------------------------------------------------------------------- */

#define TF    FRAMEWORK_TENSORFLOW
#define JAX   FRAMEWORK_JAX
#define TORCH FRAMEWORK_PYTORCH
/* What a framework has of its own; else the cause's general advice. */
static const char *const own_advice[CAUSE_COUNT][FRAMEWORKS] = {
	[CAUSE_UNKNOWN] = {[TF] = "Record more of the host: host_tracer_level=2 or 3, python_tracer_level=1.",
			   [JAX] = "Record more of the host: host_tracer_level=2, python_tracer_level=1.",
			   [TORCH] = "Record more of the host: ProfilerActivity.CPU and with_stack=True."},
	[CAUSE_INPUT] = {[TF] = ("See the table 'iterators': parallelise the bottleneck "
				 "(num_parallel_calls=tf.data.AUTOTUNE), end the pipeline with "
				 "prefetch(tf.data.AUTOTUNE)."),
			 [JAX] = ("Load and shard the next batch on another thread while the device works; "
				  "jax.device_put it ahead of time.")},
	[CAUSE_HOST_WORK] = {[TF] = ("Run it every k steps: Keras steps_per_execution (older: "
				     "experimental_steps_per_execution) or a tf.while_loop over several steps; try "
				     "without callbacks and metrics."),
			     [JAX] = ("Log and fetch values every k steps, not in each; run several steps per call "
				      "with jax.lax.scan."),
			     [TORCH] = ("Log and fetch values every k steps, not in each; do checkpoints and "
					"metrics on another thread or process.")},
	[CAUSE_LOSS_SCALING] =
		{[TF] = ("A static scale (LossScaleOptimizer with dynamic=False) asks nothing of the "
			 "device, but the right one must be known: too small a scale loses "
			 "gradients, too large a one overflows. bfloat16 needs none."),
		 [TORCH] = ("In every step GradScaler asks the device whether a gradient overflowed, and "
			    "waits for the answer. A fused optimizer (fused=True) reads it on the device "
			    "instead; bfloat16 needs no scaling at all. A static scale asks nothing either, "
			    "but too small a one loses gradients, and too large a one overflows.")},
	[CAUSE_CONTENTION] = {[TF] = ("Give the launching threads their own cores: TF_GPU_THREAD_MODE=gpu_private "
				      "(TF_GPU_THREAD_COUNT), a smaller private_threadpool_size of tf.data."),
			      [JAX] = "Leave a core to the launching thread: fewer worker threads and processes.",
			      [TORCH] = ("Leave a core to the launching thread: torch.set_num_threads, "
					 "OMP_NUM_THREADS, fewer worker processes.")},
	[CAUSE_SYNC] = {[TF] = ("Let the host run ahead: no .numpy() and no print of device values inside the step; "
				"fetch metrics every k steps, all at once."),
			[JAX] = ("Let the host run ahead: no block_until_ready, float() or np.asarray of device "
				 "values inside the step; fetch them every k steps, all at once."),
			[TORCH] = ("Let the host run ahead: no .item(), .cpu(), print of device values or "
				   "torch.cuda.synchronize() inside the step; fetch values later, all at once, "
				   "non-blocking into pinned memory.")},
	[CAUSE_COMPILE] = {[TF] = ("Keep shapes and Python arguments the same after the warm-up: pad or bucket "
				   "batches, drop the last partial one (drop_remainder=True), give tf.function an "
				   "input_signature; profile after the warm-up."),
			   [JAX] = ("Keep shapes and static arguments the same after the warm-up: pad to a few "
				    "sizes; profile after the warm-up."),
			   [TORCH] = ("Keep shapes the same after the warm-up: pad or bucket batches, drop the "
				      "last partial one, torch.compile(dynamic=True); profile after the "
				      "warm-up.")},
	[CAUSE_ALLOCATOR] = {[TF] = ("Let TensorFlow take the memory once: TF_FORCE_GPU_ALLOW_GROWTH off, "
				     "TF_GPU_ALLOCATOR=cuda_malloc_async, no allocation of its own in the "
				     "loop."),
			     [JAX] = ("Keep the preallocated pool: XLA_PYTHON_CLIENT_PREALLOCATE=true, "
				      "XLA_PYTHON_CLIENT_ALLOCATOR not 'platform'; donate buffers that are not "
				      "needed any more."),
			     [TORCH] = ("Keep the caching allocator on (PYTORCH_NO_CUDA_MEMORY_CACHING unset), no "
					"torch.cuda.empty_cache() in the loop; if memory fragments, "
					"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.")},
	[CAUSE_COMMUNICATION] = {[TORCH] = ("Overlap communication with compute: larger or earlier gradient buckets "
					    "(bucket_cap_mb of DistributedDataParallel), and find the slowest "
					    "rank.")},
	[CAUSE_LAUNCH] = {[TF] = ("Run more steps per call (steps_per_execution) and compile with jit_compile=True, "
				  "or let XLA cluster ops (TF_XLA_FLAGS=--tf_xla_auto_jit=2; 1 where little memory "
				  "is left); larger batches."),
			  [JAX] = ("Compile larger functions with jax.jit, run several steps per call with "
				   "jax.lax.scan; larger batches."),
			  [TORCH] = ("Launch less often: torch.compile(mode='reduce-overhead') or CUDA graphs, "
				     "fused optimizers, larger batches.")},
	[CAUSE_COPIES] = {[TORCH] = ("Copy ahead of time from pinned memory with non_blocking=True, keep data on the "
				     "device, and copy less.")},
	[CAUSE_PYTHON] = {[TF] = "Put the whole step into one tf.function; run more steps per call.",
			  [JAX] = "Put jax.jit around the whole step; run several steps per call with jax.lax.scan.",
			  [TORCH] = ("Launch more work per call: torch.compile or CUDA graphs, foreach or fused "
				     "optimizers; gc.freeze() or gc.disable() in the loop.")},
};
#undef TF
#undef JAX
#undef TORCH

static const char *loader_advice(const struct idle_facts *f)
{
	return f->loader_processes
		       ? "The DataLoader's workers are too slow: raise num_workers and prefetch_factor, do less per "
			 "sample, set persistent_workers=True; copy from pinned memory with non_blocking=True."
		       : "The training thread loads the batches itself: give the DataLoader num_workers > 0, "
			 "pin_memory=True and persistent_workers=True, or prepare input on other threads.";
}

/* Servers have no optimizers and no metrics. NULL: what holds for all programs holds for them. */
static const char *const server_advice[CAUSE_COUNT] = {
	[CAUSE_PYTHON] = "Launch more work per call: CUDA graphs for the batch sizes that occur (vLLM: without "
			 "--enforce-eager), torch.compile; gc.freeze() after loading.",
	[CAUSE_LAUNCH] =
		"Launch less often: CUDA graphs for the batch sizes that occur, fused kernels, larger batches.",
	[CAUSE_SYNC] = "Let the host run ahead: sample on the device, and fetch the tokens of the iteration before, "
		       "non-blocking into pinned memory.",
	[CAUSE_HOST_WORK] = "Schedule, tokenise and detokenise while the device works, or in another process.",
	[CAUSE_HOST_WAIT] = "See whether requests wait meanwhile: a server without requests is idle through no fault "
			    "of its own. Otherwise look at the thread or process that fills the queue.",
	[CAUSE_COMPILE] =
		"Warm up with every batch size and prompt length that is compiled or captured, before requests come.",
	[CAUSE_INPUT] = "Prepare the inputs of the next iteration while this one runs.",
};

/* Who records from outside has other options than a framework's profiler. */
static const char *const outside_advice[CAUSE_COUNT] = {
	[CAUSE_PROFILER] = "It does not occur without the profiler, so look at the next longest gap. To have less of "
			   "it, record less at a time: --trace=cuda,nvtx, --sample=none, no --cuda-memory-usage, a "
			   "shorter --duration.",
	[CAUSE_UNKNOWN] = "Put NVTX ranges around what the program does there, or record its Python frames "
			  "(--python-sampling=true) and what its threads wait for (--trace=cuda,nvtx,osrt).",
};

/* What else is known of the program says it better; NULL = nothing is. */
static const char *special_advice(const struct idle_facts *f, enum cause cause)
{
	if (f->outside && outside_advice[cause])
		return outside_advice[cause];
	if (f->serves && server_advice[cause])
		return server_advice[cause];
	if (cause == CAUSE_INPUT && f->loader)
		return loader_advice(f);
	if (cause == CAUSE_COMMUNICATION && !f->replicates)
		return cause_advice(cause);
	if (cause == CAUSE_ALLOCATOR && f->amd && f->framework == FRAMEWORK_PYTORCH)
		return "Keep the caching allocator on (PYTORCH_NO_HIP_MEMORY_CACHING and "
		       "PYTORCH_NO_CUDA_MEMORY_CACHING unset), no torch.cuda.empty_cache() in the loop; if memory "
		       "fragments, PYTORCH_HIP_ALLOC_CONF=expandable_segments:True.";
	if (cause == CAUSE_UNKNOWN && f->ops && f->framework == FRAMEWORK_PYTORCH)
		return f->frames ? "Put torch.profiler.record_function around what the program does there; see whether "
				   "other processes take the cores meanwhile."
				 : "Record the Python frames, too: with_stack=True.";
	if (cause == CAUSE_CONTENTION && f->private_threads)
		return "The GPUs have their own launching threads already: leave these a core, with a smaller "
		       "private_threadpool_size of tf.data and fewer worker threads.";
	return NULL;
}

/* What the event itself is, or one around it, says more than its cause. */
static const struct {
	enum cause cause;
	const char *word; /* in its name */
	const char *advice;
} event_advice[] = {
#define COLLECTS_GARBAGE                                                                                             \
	"Collect garbage outside of the loop: gc.freeze() after the set-up, gc.disable(), and gc.collect() every k " \
	"steps, where the device is not waiting."
	{CAUSE_PYTHON, "<built-in function collect>", COLLECTS_GARBAGE},
	{CAUSE_PYTHON, "gc.collect", COLLECTS_GARBAGE},
	{CAUSE_HOST_WORK, "<built-in function collect>", COLLECTS_GARBAGE},
	{CAUSE_HOST_WORK, "gc.collect", COLLECTS_GARBAGE},
#undef COLLECTS_GARBAGE
#define CALLS_BACK                                                                                            \
	"The compiled program waits while Python runs one of its callbacks (jax.pure_callback, io_callback, " \
	"jax.debug): compute it on the device, or call it every k steps."
	{CAUSE_HOST_WORK, "_wrapped_callback", CALLS_BACK},
	{CAUSE_HOST_WORK, "pure_callback", CALLS_BACK},
	{CAUSE_HOST_WORK, "io_callback", CALLS_BACK},
	{CAUSE_HOST_WORK, "debug_callback", CALLS_BACK},
#undef CALLS_BACK
#define TOKENIZES                                                                                                    \
	"The thread that launches makes tokens of text: tokenize the data set once, ahead of time (map), or in the " \
	"workers of a loader (collate_fn)."
	{CAUSE_INPUT, "encode_plus", TOKENIZES},
	{CAUSE_INPUT, "encode_batch", TOKENIZES},
	{CAUSE_INPUT, "): tokenize", TOKENIZES},
#undef TOKENIZES
	{CAUSE_INPUT, "): _get_iterator",
	 "The DataLoader starts its workers anew: persistent_workers=True keeps them from one epoch to the next; make "
	 "the iterator outside the loop over steps."},
};

/* Names that causes.rules knows as host work between steps, and that write a checkpoint: none that reads one. */
static bool saves(const struct derived *d, str_id id)
{
	static const char *const words[] = {"checkpoint", "torch/serialization.py", "save_model", "save_pretrained",
					    "savev2"};
	const char *name = trace_str(derived_trace(d), id);
	if (cause_of_name(d, id).section != CAUSE_HOST_WORK || strcasestr(name, "load") || strcasestr(name, "restor"))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasestr(name, words[i]))
			return true;
	return false;
}

/* Whatever class of time it is: copies to the host and waiting for them are a part of saving. */
static const char *const save_advice[FRAMEWORKS] = {
	[FRAMEWORK_UNKNOWN] =
		"Save checkpoints less often, or asynchronously: copy to pinned memory and write on another "
		"thread or process; of several ranks let each write its own part.",
	[FRAMEWORK_TENSORFLOW] =
		"Save checkpoints less often, or asynchronously: "
		"CheckpointOptions(experimental_enable_async_checkpoint="
		"True), ModelCheckpoint with a larger save_freq; of several hosts let each write its own part.",
	[FRAMEWORK_JAX] =
		"Save checkpoints less often, or asynchronously: Orbax's AsyncCheckpointer copies to the host "
		"and writes beside the steps, of several hosts each its own part.",
	[FRAMEWORK_PYTORCH] =
		"Save checkpoints less often, or asynchronously: torch.distributed.checkpoint.async_save "
		"copies to pinned memory and writes beside the steps, of several ranks each its own part.",
};

static const char *advice_named(const struct derived *d, enum cause cause, str_id id)
{
	const char *name = trace_str(derived_trace(d), id);
	for (size_t i = 0; i < sizeof event_advice / sizeof *event_advice; i++)
		if (event_advice[i].cause == cause && strstr(name, event_advice[i].word))
			return event_advice[i].advice;
	return saves(d, id) ? save_advice[idle_facts(d)->framework] : NULL;
}

const char *idle_advice_of_event(const struct derived *d, enum cause cause, row_id main)
{
	const struct columns *c = derived_columns(d);
	bool host = main != NONE_ID && derived_is_host_track(trace_track(derived_trace(d), c->track[main]));
	for (row_id r = host ? main : NONE_ID; r != NONE_ID && !thread_event_holds_step(d, r); r = parent_of(d, r)) {
		const char *advice = row_is_marker(d, r) ? NULL : advice_named(d, cause, c->name[r]);
		if (advice)
			return advice;
	}
	return NULL;
}

const char *idle_advice_of_saving(const struct derived *d, row_id r)
{
	for (; r != NONE_ID && !thread_event_holds_step(d, r); r = parent_of(d, r))
		if (!row_is_marker(d, r) && saves(d, derived_columns(d)->name[r]))
			return save_advice[idle_facts(d)->framework];
	return NULL;
}

const char *idle_advice(const struct derived *d, enum cause cause, row_id main)
{
	const char *of_event = idle_advice_of_event(d, cause, main);
	if (of_event)
		return of_event;
	const struct idle_facts *f = idle_facts(d);
	const char *special = special_advice(f, cause), *own = own_advice[cause][f->framework];
	return special ? special : own ? own : cause_advice(cause);
}
