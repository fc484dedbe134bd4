#include "allocation_names.h"
#include "model/store/base/spans.h"
#include <stddef.h>
#include <string.h>

const char *allocation_call(unsigned i)
{
	static const char *const calls[] = {
		"cudaMalloc",    "cudaFree",     "cudaMallocManaged", "cudaMallocPitch", "cudaMallocHost",
		"cudaHostAlloc", "cudaFreeHost", "cuMemAlloc",        "cuMemAlloc_v2",   "cuMemFree",
		"cuMemFree_v2",  "cuMemCreate",  "cuMemMap",          "cuMemUnmap",      "cuMemRelease",
		"hipMalloc",     "hipFree",      "hipMallocManaged",  "hipHostMalloc",   "hipExtMallocWithFlags",
		"hipHostFree",   "hipMemCreate", "hipMemMap",         "hipMemUnmap",
	};
	return i < sizeof calls / sizeof *calls ? calls[i] : NULL;
}

bool op_only_allocates(const char *op)
{
	static const char *const begins[] = {"aten::empty", "aten::new_empty", "aten::resize",
					     "aten::zeros", "aten::ones",      "aten::full"};
	return TEXT_STARTS_WITH_ONE_OF(op, begins);
}
