#include "idle_advice.h"
#include "model/analysis/names/device_vendor.h"
#include <ctype.h>
#include <string.h>

static bool any_amd(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_devices(t); i++)
		if (device_is_amd(t, trace_device(t, i)))
			return true;
	return false;
}

struct idle_facts idle_facts_of(const struct trace *t)
{
	struct idle_facts f = {.framework = framework_of(t), .amd = any_amd(t)};
	const struct {
		const char *word;
		bool *there;
	} words[] = {{"DataLoader", &f.loader},
		     {"_MultiProcessingDataLoaderIter", &f.loader_processes},
		     {"hipLaunchKernel", &f.amd},
		     {"hipMalloc", &f.amd},
		     {"gpu_private", &f.private_threads}};
	const struct strings *s = trace_strings(t);
	for (str_id id = 0; id < strings_count(s); id++)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (!*words[i].there && strstr(strings_get(s, id).p, words[i].word))
				*words[i].there = true;
	return f;
}

static const char *input_advice(const struct idle_facts *f)
{
	if (f->loader)
		return f->loader_processes
			       ? "The DataLoader's workers are too slow: raise num_workers and prefetch_factor, do "
				 "less per "
				 "sample, set persistent_workers=True; copy from pinned memory with non_blocking=True."
			       : "The training thread loads the batches itself: give the DataLoader num_workers > 0, "
				 "pin_memory=True and persistent_workers=True, or prepare input on other threads.";
	if (f->framework == FRAMEWORK_TENSORFLOW)
		return "See the table 'iterators': parallelise the bottleneck (num_parallel_calls=tf.data.AUTOTUNE), "
		       "end the pipeline with prefetch(tf.data.AUTOTUNE).";
	if (f->framework == FRAMEWORK_JAX)
		return "Load and shard the next batch on another thread while the device works; jax.device_put it "
		       "ahead "
		       "of time.";
	return "Prepare input ahead of time on other threads or processes, or on the device, and copy it from pinned "
	       "memory.";
}

static const char *allocator_advice(const struct idle_facts *f)
{
	if (f->framework == FRAMEWORK_TENSORFLOW)
		return "Let TensorFlow take the memory once: TF_FORCE_GPU_ALLOW_GROWTH off, "
		       "TF_GPU_ALLOCATOR=cuda_malloc_async, "
		       "no allocation of its own in the loop.";
	if (f->framework == FRAMEWORK_JAX)
		return "Keep the preallocated pool: XLA_PYTHON_CLIENT_PREALLOCATE=true, XLA_PYTHON_CLIENT_ALLOCATOR "
		       "not "
		       "'platform'; donate buffers that are not needed any more.";
	if (f->amd)
		return "Keep the caching allocator on (PYTORCH_NO_HIP_MEMORY_CACHING and "
		       "PYTORCH_NO_CUDA_MEMORY_CACHING unset), no "
		       "torch.cuda.empty_cache() in the loop; against fragmentation "
		       "PYTORCH_HIP_ALLOC_CONF=expandable_segments:True.";
	return "Keep the caching allocator on (PYTORCH_NO_CUDA_MEMORY_CACHING unset), no torch.cuda.empty_cache() in "
	       "the loop; "
	       "against fragmentation PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.";
}

static const char *contention_advice(const struct idle_facts *f)
{
	if (f->framework == FRAMEWORK_PYTORCH || f->private_threads)
		return "Leave a core to the launching thread: fewer workers, a smaller private_threadpool_size of "
		       "tf.data, "
		       "OMP_NUM_THREADS.";
	return NULL;
}

static const char *sentence(const char *text, struct arena *mem)
{
	char *out = arena_printf(mem, "%s.", text);
	out[0] = (char)toupper((unsigned char)out[0]);
	return out;
}

const char *idle_advice(const struct idle_facts *f, enum cause cause, struct arena *mem)
{
	const char *own = cause == CAUSE_INPUT        ? input_advice(f)
			  : cause == CAUSE_ALLOCATOR  ? allocator_advice(f)
			  : cause == CAUSE_CONTENTION ? contention_advice(f)
						      : NULL;
	return own ? own : sentence(cause_advice(cause), mem);
}
