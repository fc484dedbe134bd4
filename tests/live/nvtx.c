/* tests/live/nvtx.c - a program that uses NVTX and nothing else, built with NVIDIA's header by those tests that find it. Tells
 * which library takes its ranges: NVTX turns them into nothing unless the injected library says that it did its part. */
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <string.h>

static const char *who_takes_ranges(void)
{
	void *function;
	Dl_info info;
	memcpy(&function, &NVTX_VERSIONED_IDENTIFIER(nvtxGlobals).nvtxRangePushA_impl_fnptr, sizeof function);
	if (!function || !dladdr(function, &info) || !info.dli_fname)
		return "nobody";
	const char *slash = strrchr(info.dli_fname, '/');
	return slash ? slash + 1 : info.dli_fname;
}

int main(void)
{
	for (int i = 0; i < 1000; i++) {
		nvtxRangePushA("step");
		nvtxMarkA("point");
		nvtxRangePop();
	}
	printf("1000 steps for %s\n", who_takes_ranges());
	return 3;
}
