#include "framework.h"
#include <string.h>

static const struct {
	const char *prefix;
	enum framework framework;
} signs[] = {
	{"aten::", FRAMEWORK_PYTORCH},
	{"ProfilerStep#", FRAMEWORK_PYTORCH},
	{"PyTorch Profiler", FRAMEWORK_PYTORCH}, /* what Kineto calls its own recording */
	{"void at::native::", FRAMEWORK_PYTORCH},
	{"PjitFunction", FRAMEWORK_JAX},
	{"PyTpuExecute", FRAMEWORK_JAX},
	{"jit_", FRAMEWORK_JAX},
	{"ExecutorState::", FRAMEWORK_TENSORFLOW},
	{"Iterator::", FRAMEWORK_TENSORFLOW},
	{"IteratorGetNext", FRAMEWORK_TENSORFLOW},
	{"EagerExecute", FRAMEWORK_TENSORFLOW},
	{"EagerLocalExecute", FRAMEWORK_TENSORFLOW},
};

/* JAX programs use tf.data, too: its own sign wins over TensorFlow's. PyTorch's wins over all. */
enum framework framework_of(const struct trace *t)
{
	const struct strings *s = trace_strings(t);
	bool seen[FRAMEWORKS] = {false};
	for (str_id id = 0; id < strings_count(s) && !seen[FRAMEWORK_PYTORCH]; id++) {
		struct span text = strings_get(s, id);
		for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
			if (*text.p == *signs[i].prefix && !strncmp(text.p, signs[i].prefix, strlen(signs[i].prefix)))
				seen[signs[i].framework] = true;
	}
	return seen[FRAMEWORK_PYTORCH]      ? FRAMEWORK_PYTORCH
	       : seen[FRAMEWORK_JAX]        ? FRAMEWORK_JAX
	       : seen[FRAMEWORK_TENSORFLOW] ? FRAMEWORK_TENSORFLOW
					    : FRAMEWORK_UNKNOWN;
}

const char *framework_name(enum framework f)
{
	static const char *const names[FRAMEWORKS] = {NULL, "TensorFlow", "JAX", "PyTorch"};
	return f < FRAMEWORKS ? names[f] : NULL;
}
