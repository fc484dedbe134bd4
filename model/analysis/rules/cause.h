/* model/analysis/rules/cause.h - why a device may idle: every cause once, with its name in columns, the word in tables, what the gap
 * loses to it, and advice. */
#ifndef STEPSCOPE_CAUSE_H
#define STEPSCOPE_CAUSE_H

/* What such a cause costs: nothing that is known, the time of its own events, or the whole gap. */
enum cause_loses { LOSES_NOTHING, LOSES_CAUSE, LOSES_GAP };

/* clang-format off */
/*    id, name, word, loses, what it is,
 *      advice where the framework is not known (gaps/idle_advice.c has that of each),
 *      "lost ...", "the device idles ..." */
#define CAUSES(_) \
	_(UNKNOWN,        "not_recorded",     "not recorded",                 LOSES_NOTHING, "unknown: the launching thread recorded nothing, or the launch of the next work is not recorded", \
	  "Record more of the host: all threads, Python frames, annotations (TensorFlow: host_tracer_level=2; PyTorch: ProfilerActivity.CPU and with_stack=True; JAX: host_tracer_level=2 and python_tracer_level=1).", \
	  "to reasons that were not recorded", "") \
	_(INPUT,          "input_wait",       "input wait",                   LOSES_CAUSE, "the launching thread waits for input, or loads it itself", \
	  "Prepare input ahead of time on other threads or processes, or on the device, and copy it from pinned memory.", \
	  "to input wait", "while the next batch is not ready") \
	_(HOST_WORK,      "host_work",        "host work outside the graph",  LOSES_GAP, "callbacks, metrics, summaries, logging; whatever the launching thread does outside every step marker", \
	  "Run it every k steps, not in each: Keras steps_per_execution (older: experimental_steps_per_execution) or a tf.while_loop over several steps; try without callbacks and metrics; PyTorch and JAX: log and fetch values every k steps.", \
	  "to host work outside the graph", "while the host does something that is not part of a step") \
	_(LOSS_SCALING,   "loss_scaling",     "loss scaling",                 LOSES_CAUSE, "dynamic loss scaling: its ops, and the call that asks whether a gradient overflowed", \
	  "A static scale needs no check on the device, but the right one must be known: too small a scale loses gradients, too large a one overflows. bfloat16 needs none.", \
	  "to loss scaling", "while gradients are scaled and checked for overflow") \
	_(CONTENTION,     "thread_contention", "thread contention",            LOSES_CAUSE, "the launching thread records nothing while many threads keep the cores busy", \
	  "Give the launching threads their own cores: TF_GPU_THREAD_MODE=gpu_private (TF_GPU_THREAD_COUNT), a smaller private_threadpool_size of tf.data; PyTorch: fewer worker processes, OMP_NUM_THREADS.", \
	  "to thread contention", "while other threads keep the launching one from its core") \
	_(SYNC,           "synchronisation",  "synchronisation",              LOSES_CAUSE, "in a call that waits for the device; up to a millisecond of what follows one that left the device without work; the next work waits while another device works", \
	  "Let the host run ahead: no item(), print or numpy of device values, no synchronize inside the step; fetch them later, all at once, or non-blocking into pinned memory.", \
	  "to synchronisation", "while calls or events wait for devices") \
	_(COMPILE,        "compilation",      "compilation",                  LOSES_CAUSE, "tracing, compiling, loading of code, graph capture, first calls of ops and of the runtime", \
	  "Keep shapes and arguments the same after the warm-up: pad or bucket batches, drop the last partial one; tf.function input_signature, torch.compile(dynamic=True), static arguments of JAX; profile after the warm-up.", \
	  "to compilation", "while code is traced, compiled, loaded or called for the first time") \
	_(ALLOCATOR,      "allocator",        "allocator",                    LOSES_CAUSE, "memory allocated or freed by the driver", \
	  "Allocate once and keep the memory: no empty_cache in the loop, PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, TF_FORCE_GPU_ALLOW_GROWTH off, pinned host buffers used again.", \
	  "to the allocator", "while the driver allocates or frees memory") \
	_(COMMUNICATION,  "communication_wait",    "communication wait",           LOSES_CAUSE, "waiting for other ranks on the host", \
	  "Overlap communication with compute, and find the slowest rank.", \
	  "to communication wait", "while the host waits for other ranks") \
	_(HOST_WAIT,      "host_wait",        "host wait",                    LOSES_CAUSE, "the launching thread sits in a Python call that waits: for a lock, a queue, a socket, another process or a timer", \
	  "Look at what ends the wait: the thread that holds the lock or fills the queue, the process at the other end, the timer. A server without requests is idle through no fault of its own.", \
	  "to waits of the host", "while the launching thread waits for another thread, for requests or for a timer") \
	_(LAUNCH,         "launch_latency",   "launch latency",               LOSES_CAUSE, "work is being launched: ops called one by one (each within a millisecond), launch calls, and up to 20 us after the call that launches the next work", \
	  "Launch less often: larger batches, fused work, CUDA graphs or compiled steps; the device waits for each launch because nothing is queued ahead of it.", \
	  "to launch latency", "while work is launched piece by piece") \
	_(HOST_COMPUTE,   "host_compute",     "host compute",                 LOSES_CAUSE, "other work of the launching thread", \
	  "Move this work off the thread that launches: to the device, to other threads or processes, or ahead of time; let the host run ahead of the device.", \
	  "to host compute", "while the launching thread does other work") \
	_(COPIES,         "copies",           "copies",                       LOSES_CAUSE, "in a call that copies memory", \
	  "Copy ahead of time and asynchronously from pinned memory, keep data on the device, and copy less.", \
	  "to copies", "while the host sits in calls that copy") \
	_(PYTHON,         "python_overhead",  "Python overhead",              LOSES_CAUSE, "the interpreter: Python frames outside ops (each within a millisecond), garbage collection", \
	  "Launch more work per call: tf.function, torch.compile or CUDA graphs, jax.jit around the whole step, foreach or fused optimizers; gc.freeze() or gc.disable() in the loop.", \
	  "to Python overhead", "while the interpreter runs between ops") \
	_(PROFILER,       "profiler",         "profiler overhead",            LOSES_CAUSE, "the profiler's own cost on any thread", \
	  "It does not occur without the profiler, so look at the next longest gap. To have less of it, profile fewer steps, without stacks, shapes and memory, and leave out the first and last step.", \
	  "to the profiler", "while the profiler itself works") \
	_(HELD,           "held_back",        "held back",                    LOSES_NOTHING, "the next work was launched a millisecond or more before and did not begin: what held it back is not in the file, and a call that waits meanwhile is not the reason", \
	  "Start recording earlier, and record all processes that use the device: what ran or was waited for meanwhile is missing here, so it is not known whether the device was idle at all.", \
	  "to work that was held back", "while launched work does not begin") \
	_(LOST,           "records_lost",     "records lost",                 LOSES_NOTHING, "records of this time were lost", \
	  "Says nothing about the program: record again with a larger ring (STEPSCOPE_RING_MB), fewer kinds (--kinds kernel,copy,memset), or a shorter time.", \
	  "to stretches whose records were lost", "")
/* clang-format on */
enum cause {
#define CAUSE_ENUM(id, ...) CAUSE_##id,
	CAUSES(CAUSE_ENUM)
#undef CAUSE_ENUM
		CAUSE_COUNT
};
/* The columns of CAUSES: word in tables, advice, what the gap loses, and two clauses of sentences: time is lost "to the allocator";
 * a device idles "while the driver allocates or frees memory", "" where nothing tells. */
const char *cause_word(enum cause c);
const char *cause_advice(enum cause c);
const char *cause_lost_to(enum cause c);
const char *cause_while(enum cause c);
static inline enum cause_loses cause_loses(enum cause c)
{
#define CAUSE_LOSES(id, name, word, loses, ...) loses,
	static const unsigned char all[CAUSE_COUNT] = {CAUSES(CAUSE_LOSES)};
#undef CAUSE_LOSES
	return (enum cause_loses)all[c];
}
#endif
