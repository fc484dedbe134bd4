/* model/analysis/ops/tf_functions.h - calls of tf.function: which of them were traced anew or run eagerly, and at what cost.
 * Calls carry tf_function_call (SEMANTICS.md, X6). Self = without the calls nested in them on a thread.
 * Expensive are "traced-..." and "eager". */
#ifndef STEPSCOPE_TF_FUNCTIONS_H
#define STEPSCOPE_TF_FUNCTIONS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

struct tf_function {
	str_id name;
	int64_t calls, self_ns, expensive_calls, expensive_ns, tracings; /* tracings: the largest tracing_count */
	row_id longest;
};
struct tf_functions {
	struct tf_function *at; /* most expensive time first */
	uint32_t n;
	int64_t self_ns, expensive_ns;
};
/* Fills *out with the functions called in the query's window; texts and rows lie in `mem`. */
void tf_functions_read(const struct derived *d, const struct query *q, struct arena *mem, struct tf_functions *out);
#endif
