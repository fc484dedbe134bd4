/* model/analysis/compiled/fused_name.h - what the name of a kernel that Inductor wrote says: "triton_red_fused_add_mean_mul_0". */
#ifndef STEPSCOPE_FUSED_NAME_H
#define STEPSCOPE_FUSED_NAME_H
#include "model/store/base/arena.h"
#include <stdbool.h>

struct fused_name {
	const char *backend; /* "triton", "cpp" */
	const char *sort;    /* "pointwise", "reduction", ...; NULL: the name does not tell */
	const char *
		ops; /* "add, mean, mul", in `mem`: the ops that it stands for, as Inductor lists them, by the alphabet; "" = its name tells none */
};
/* False: no such name. */
bool fused_name_parse(const char *name, struct fused_name *out, struct arena *mem);
#endif
