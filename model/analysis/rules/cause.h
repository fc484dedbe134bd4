/* model/analysis/rules/cause.h - why a device may idle: every cause once, with the word in tables, what the gap loses to it, and advice. */
#ifndef STEPSCOPE_CAUSE_H
#define STEPSCOPE_CAUSE_H

/* What such a cause costs: nothing that is known, the time of its own events, or the whole gap. */
enum cause_loses { LOSES_NOTHING, LOSES_CAUSE, LOSES_GAP };

/* clang-format off */
/*    id             word                            loses             advice */
#define CAUSES(_) \
	_(UNKNOWN,       "unknown",                      LOSES_NOTHING,   "record host events too (TensorFlow: host_tracer_level=2; PyTorch: ProfilerActivity.CPU and with_stack=True; JAX: host_tracer_level=2 and python_tracer_level=1)") \
	_(INPUT,         "input wait",                   LOSES_CAUSE,     "make input faster or earlier: tf.data prefetch and num_parallel_calls=AUTOTUNE; PyTorch DataLoader num_workers, pin_memory=True, persistent_workers, prefetch_factor; JAX: load and device_put the next batch ahead") \
	_(HOST_WORK,     "host work outside the graph",  LOSES_GAP,       "run it every k steps: Keras steps_per_execution (older: experimental_steps_per_execution) or a tf.while_loop over several steps; try without callbacks and metrics; PyTorch and JAX: log and fetch values every k steps, not in each") \
	_(LOSS_SCALING,  "loss scaling",                 LOSES_CAUSE,     "use a static scale, or bfloat16, which needs none; PyTorch: GradScaler asks the device in every step whether a gradient overflowed") \
	_(CONTENTION,    "thread contention",            LOSES_CAUSE,     "give the launching threads cores of their own: TF_GPU_THREAD_MODE=gpu_private (TF_GPU_THREAD_COUNT), a smaller private_threadpool_size of tf.data; PyTorch: fewer DataLoader workers and OMP_NUM_THREADS") \
	_(SYNC,          "synchronisation",              LOSES_CAUSE,     "let the host run ahead: no item(), print or numpy of device values, no synchronize inside the step; fetch them later, all at once, or non-blocking from pinned memory") \
	_(COMPILE,       "compilation",                  LOSES_CAUSE,     "keep shapes and Python arguments the same after warm-up: pad or bucket batches, drop the last partial one; tf.function input_signature, torch.compile dynamic=True, jax static arguments; profile after warm-up") \
	_(ALLOCATOR,     "allocator",                    LOSES_CAUSE,     "allocate once: no empty_cache in the loop, PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, TF_FORCE_GPU_ALLOW_GROWTH off, reuse pinned host buffers") \
	_(COMMUNICATION, "communication wait",           LOSES_CAUSE,     "overlap communication with compute: larger or earlier gradient buckets, a stream of its own, and find the slowest rank") \
	_(PYTHON,        "Python overhead",              LOSES_CAUSE,     "hand over more work per call: tf.function, torch.compile or CUDA graphs, jax.jit around the whole step, foreach or fused optimizers; gc.freeze() or gc.disable() in the loop") \
	_(PROFILER,      "profiler overhead",            LOSES_CAUSE,     "not there without the profiler: profile fewer steps, without stacks, shapes and memory, and leave the first and last step out") \
	_(LOST,          "records lost",                 LOSES_NOTHING,   "says nothing about the program: records of this time are missing; record again with a larger ring (STEPSCOPE_RING_MB), fewer kinds (--kinds kernel,copy,memset), or a shorter time")
/* clang-format on */
enum cause {
#define CAUSE_ENUM(id, word, loses, advice) CAUSE_##id,
	CAUSES(CAUSE_ENUM)
#undef CAUSE_ENUM
		CAUSE_COUNT
};
/* The columns of CAUSES: word in tables, advice, and what the gap loses. */
const char *cause_word(enum cause c);
const char *cause_advice(enum cause c);
enum cause_loses cause_loses(enum cause c);
#endif
