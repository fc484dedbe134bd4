#include "record_advice.h"

/* Recorded from outside of the framework, by Nsight Systems. */
enum { OUTSIDE = FRAMEWORKS, RECORDERS };

static const char *const words[RECORD_WHATS][RECORDERS] = {
	[RECORD_STEPS] =
		{"Mark the steps in the program, or name the events that begin one with --steps-by REGEX.",
		 ("Put `with tf.profiler.experimental.Trace('train', step_num=n, _r=1):` around each step, or profile "
		  "through the Keras TensorBoard callback."),
		 "Put `with jax.profiler.StepTraceAnnotation('train', step_num=n):` around each step.",
		 "Call `prof.step()` once per step of torch.profiler.profile.",
		 ("Put an NVTX range around each step: `with torch.cuda.nvtx.range(f'step {n}'):`, or nvtxRangePush, "
		  "or name the events that begin one with --steps-by REGEX.")},
	[RECORD_OPS] = {"Record the host's ops (PyTorch: ProfilerActivity.CPU; TensorFlow: host_tracer_level=2).",
			"Record the host's ops: host_tracer_level=2.", "Record the host's ops: host_tracer_level=2.",
			"Record the host's ops: ProfilerActivity.CPU.",
			("Record the ops as NVTX ranges (--trace=cuda,nvtx; PyTorch: `with "
			 "torch.autograd.profiler.emit_nvtx():`).")},
	[RECORD_FRAMES] = {"Record more of the host: Python frames, all threads.",
			   "Profile with host_tracer_level=3 and python_tracer_level=1 to see what the host did.",
			   "Profile with python_tracer_level=1 to see what the host did.",
			   "Record with with_stack=True to see what Python did.",
			   ("Record Python frames (--python-sampling=true) and what threads wait for "
			    "(--trace=cuda,nvtx,osrt) to see what the host did.")},
	[RECORD_CALLS] = {("Record the host's calls, too: CPU activities in PyTorch's profiler, host_tracer_level >= 1 "
			   "in TensorFlow's and JAX's."),
			  "Record the host's calls, too: host_tracer_level=1 or more.",
			  "Record the host's calls, too: host_tracer_level=1 or more.",
			  "Record the host's calls, too: ProfilerActivity.CPU.",
			  "Record the host's calls, too: --trace=cuda."},
	[RECORD_MEMORY] = {("Record the allocators' events (PyTorch: profile(profile_memory=True); TensorFlow and JAX: "
			    "host_tracer_level=2 or 3)."),
			   "Record the memory profile: host_tracer_level=2 or 3 keeps the allocators' events.",
			   "Record the allocators' events: host_tracer_level=2 or 3.",
			   "Record memory: profile(profile_memory=True).",
			   "Record memory: nsys profile --cuda-memory-usage=true."},
	[RECORD_DEVICE] = {("Record with device tracing on (TensorFlow: device_tracer_level=1, PyTorch: "
			    "ProfilerActivity.CUDA)."),
			   "Record with device tracing on: device_tracer_level=1.",
			   "Record with device tracing on: device_tracer_level=1.",
			   "Record with device tracing on: ProfilerActivity.CUDA.",
			   "Record with device tracing on: --trace=cuda."},
	[RECORD_LATER] =
		{"Record later, after the program has run some steps.",
		 ("Record later steps: the TensorBoard callback's profile_batch='10,15', or "
		  "tf.profiler.experimental.start after ten steps."),
		 "Record later steps: run the compiled function a few times before jax.profiler.start_trace.",
		 ("Record later steps: torch.profiler.schedule(wait=5, warmup=2, active=3) and prof.step() once "
		  "per step."),
		 ("Record later steps: --delay, or --capture-range=cudaProfilerApi with "
		  "torch.cuda.profiler.start() after ten steps.")},
};

const char *record_advice(const struct trace *t, enum framework f, enum record_what what)
{
	return words[what][trace_traits(t) & SOURCE_OUTSIDE ? OUTSIDE : (int)f];
}
