/* model/analysis/rules/cause.h - why a device may idle: every cause once, with its name in columns, the word in tables, what the gap
 * loses to it, and advice. */
#ifndef STEPSCOPE_CAUSE_H
#define STEPSCOPE_CAUSE_H

/* What such a cause costs: nothing that is known, the time of its own events, or the whole gap. */
enum cause_loses { LOSES_NOTHING, LOSES_CAUSE, LOSES_GAP };

/* clang-format off */
/*    id, name, word, loses, what it is,
 *      advice */
#define CAUSES(_) \
	_(UNKNOWN,       "not_recorded",     "not recorded",                 LOSES_NOTHING, "nothing tells: the thread that launches recorded nothing, or the launch of the next work is not recorded", \
	  "record host events too (TensorFlow: host_tracer_level=2; PyTorch: ProfilerActivity.CPU and with_stack=True; JAX: host_tracer_level=2 and python_tracer_level=1)") \
	_(INPUT,          "input_wait",       "input wait",                   LOSES_CAUSE, "the launching thread waits for input, or loads it itself", \
	  "make input faster or earlier: tf.data prefetch and num_parallel_calls=AUTOTUNE; PyTorch DataLoader num_workers, pin_memory=True, persistent_workers, prefetch_factor; JAX: load and device_put the next batch ahead") \
	_(HOST_WORK,      "host_work",        "host work outside the graph",  LOSES_GAP, "callbacks, metrics, summaries, logging; whatever the launching thread does outside of every step marker", \
	  "run it every k steps: Keras steps_per_execution (older: experimental_steps_per_execution) or a tf.while_loop over several steps; try without callbacks and metrics; PyTorch and JAX: log and fetch values every k steps, not in each") \
	_(LOSS_SCALING,   "loss_scaling",     "loss scaling",                 LOSES_CAUSE, "dynamic loss scaling: its ops, and the call that asks whether a gradient overflowed", \
	  "use a static scale, or bfloat16, which needs none; PyTorch: GradScaler asks the device in every step whether a gradient overflowed") \
	_(CONTENTION,     "thread_contention", "thread contention",            LOSES_CAUSE, "the launching thread records nothing while many threads keep the cores busy", \
	  "give the launching threads cores of their own: TF_GPU_THREAD_MODE=gpu_private (TF_GPU_THREAD_COUNT), a smaller private_threadpool_size of tf.data; PyTorch: fewer DataLoader workers and OMP_NUM_THREADS") \
	_(SYNC,           "synchronisation",  "synchronisation",              LOSES_CAUSE, "in a call that waits for the device; up to a millisecond of what follows one that left the device without work; work held back by an event or another device", \
	  "let the host run ahead: no item(), print or numpy of device values, no synchronize inside the step; fetch them later, all at once, or non-blocking from pinned memory") \
	_(COMPILE,        "compilation",      "compilation",                  LOSES_CAUSE, "tracing, compiling, loading of code, graph capture, first calls of ops and of the runtime", \
	  "keep shapes and Python arguments the same after warm-up: pad or bucket batches, drop the last partial one; tf.function input_signature, torch.compile dynamic=True, jax static arguments; profile after warm-up") \
	_(ALLOCATOR,      "allocator",        "allocator",                    LOSES_CAUSE, "memory allocated or freed by the driver", \
	  "allocate once: no empty_cache in the loop, PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, TF_FORCE_GPU_ALLOW_GROWTH off, reuse pinned host buffers") \
	_(COMMUNICATION,  "communication_wait",    "communication wait",           LOSES_CAUSE, "waiting for other ranks on the host", \
	  "overlap communication with compute: larger or earlier gradient buckets, a stream of its own, and find the slowest rank") \
	_(LAUNCH,         "launch_latency",   "launch latency",               LOSES_CAUSE, "work is handed over: ops called one by one (each within a millisecond), calls that launch, and until 20 us after the call that launches the next work", \
	  "launch less often: larger batches, fused work, CUDA graphs or compiled steps; the device waits for each launch because nothing is queued ahead of it") \
	_(HOST_COMPUTE,   "host_compute",     "host compute",                 LOSES_CAUSE, "other work of the launching thread", \
	  "move this work off the thread that launches: to the device, to other threads or processes, or ahead of time; let the host run ahead of the device") \
	_(COPIES,         "copies",           "copies",                       LOSES_CAUSE, "in a call that copies memory", \
	  "copy ahead of time and asynchronously from pinned memory, keep data on the device, and copy less") \
	_(PYTHON,         "python_overhead",  "Python overhead",              LOSES_CAUSE, "the interpreter: Python frames that are in no op, garbage collection", \
	  "hand over more work per call: tf.function, torch.compile or CUDA graphs, jax.jit around the whole step, foreach or fused optimizers; gc.freeze() or gc.disable() in the loop") \
	_(PROFILER,       "profiler",         "profiler overhead",            LOSES_CAUSE, "the profiler's own cost on any thread", \
	  "not there without the profiler: profile fewer steps, without stacks, shapes and memory, and leave the first and last step out") \
	_(LOST,           "records_lost",     "records lost",                 LOSES_NOTHING, "records of this time were lost", \
	  "says nothing about the program: records of this time are missing; record again with a larger ring (STEPSCOPE_RING_MB), fewer kinds (--kinds kernel,copy,memset), or a shorter time")
/* clang-format on */
enum cause {
#define CAUSE_ENUM(id, name, word, loses, what, advice) CAUSE_##id,
	CAUSES(CAUSE_ENUM)
#undef CAUSE_ENUM
		CAUSE_COUNT
};
/* The columns of CAUSES: word in tables, advice, and what the gap loses. */
const char *cause_word(enum cause c);
const char *cause_advice(enum cause c);
enum cause_loses cause_loses(enum cause c);
#endif
