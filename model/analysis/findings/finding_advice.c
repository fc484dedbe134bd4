/* What to do about idle time, as far as the trace holds evidence for it: no DataLoader's settings without a DataLoader, no
 * threads of their own where the launching threads have them. */
#include "finding_ctx.h"
#include "model/analysis/names/device_vendor.h"
#include <ctype.h>
#include <string.h>

bool trace_names(const struct finding_ctx *c, const char *word)
{
	const struct strings *s = trace_strings(derived_trace(c->d));
	for (str_id id = 0; id < strings_count(s); id++)
		if (strstr(strings_get(s, id).p, word))
			return true;
	return false;
}

static bool is_amd(const struct finding_ctx *c)
{
	const struct trace *t = derived_trace(c->d);
	for (uint32_t i = 0; i < trace_devices(t); i++)
		if (device_is_amd(t, trace_device(t, i)))
			return true;
	return trace_names(c, "hipLaunchKernel") || trace_names(c, "hipMalloc");
}

static const char *input_advice(const struct finding_ctx *c)
{
	if (trace_names(c, "DataLoader"))
		return trace_names(c, "_MultiProcessingDataLoaderIter")
			       ? "The DataLoader's workers are too slow: raise num_workers and prefetch_factor, do "
				 "less per "
				 "sample, set persistent_workers=True; copy from pinned memory with non_blocking=True."
			       : "The training thread loads the batches itself: give the DataLoader num_workers > 0, "
				 "pin_memory=True and persistent_workers=True, or prepare input on other threads.";
	if (c->framework == FRAMEWORK_TENSORFLOW)
		return "See the table 'iterators': parallelise the bottleneck (num_parallel_calls=tf.data.AUTOTUNE), "
		       "end the pipeline with prefetch(tf.data.AUTOTUNE).";
	if (c->framework == FRAMEWORK_JAX)
		return "Load and shard the next batch on another thread while the device works; jax.device_put it "
		       "ahead "
		       "of time.";
	return "Prepare input ahead of time on other threads or processes, or on the device, and copy it from pinned "
	       "memory.";
}

static const char *allocator_advice(const struct finding_ctx *c)
{
	if (c->framework == FRAMEWORK_TENSORFLOW)
		return "Let TensorFlow take the memory once: TF_FORCE_GPU_ALLOW_GROWTH off, "
		       "TF_GPU_ALLOCATOR=cuda_malloc_async, "
		       "no allocation of its own in the loop.";
	if (c->framework == FRAMEWORK_JAX)
		return "Keep the preallocated pool: XLA_PYTHON_CLIENT_PREALLOCATE=true, XLA_PYTHON_CLIENT_ALLOCATOR "
		       "not "
		       "'platform'; donate buffers that are not needed any more.";
	if (is_amd(c))
		return "Keep the caching allocator on (PYTORCH_NO_HIP_MEMORY_CACHING and "
		       "PYTORCH_NO_CUDA_MEMORY_CACHING unset), no "
		       "torch.cuda.empty_cache() in the loop; against fragmentation "
		       "PYTORCH_HIP_ALLOC_CONF=expandable_segments:True.";
	return "Keep the caching allocator on (PYTORCH_NO_CUDA_MEMORY_CACHING unset), no torch.cuda.empty_cache() in "
	       "the loop; "
	       "against fragmentation PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.";
}

static const char *contention_advice(const struct finding_ctx *c)
{
	if (c->framework == FRAMEWORK_PYTORCH || trace_names(c, "gpu_private"))
		return "Leave a core to the launching thread: fewer workers, a smaller private_threadpool_size of "
		       "tf.data, "
		       "OMP_NUM_THREADS.";
	return NULL;
}

static const char *sentence_case(struct finding_ctx *c, const char *text)
{
	char *out = arena_strdup(c->mem, text);
	out[0] = (char)toupper((unsigned char)out[0]);
	return arena_printf(c->mem, "%s.", out);
}

const char *idle_advice(struct finding_ctx *c, enum cause cause)
{
	const char *own = cause == CAUSE_INPUT        ? input_advice(c)
			  : cause == CAUSE_ALLOCATOR  ? allocator_advice(c)
			  : cause == CAUSE_CONTENTION ? contention_advice(c)
						      : NULL;
	return own ? own : sentence_case(c, cause_advice(cause));
}
