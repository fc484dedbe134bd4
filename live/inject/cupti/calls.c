#include "calls.h"

static bool has_start(const char *name, const char *const starts[])
{
	for (; *starts; starts++)
		if (!strncmp(name, *starts, strlen(*starts)))
			return true;
	return false;
}

/* Runtime: everything but questions that neither wait nor change anything. */
static const char *const runtime_unwanted[] = {
	"cudaGetDevice",
	"cudaSetDevice",
	"cudaGetLastError",
	"cudaPeekAtLastError",
	"cudaDeviceGet",
	"cudaFuncGetAttributes",
	"cudaFuncSetAttribute",
	"cudaOccupancy",
	"cudaStreamIsCapturing",
	"cudaStreamGet",
	"cudaThreadExchangeStreamCaptureMode",
	"cudaPointerGetAttributes",
	"cudaDriverGetVersion",
	"cudaRuntimeGetVersion",
	"cudaGetDriverEntryPoint",
	"cudaKernelSetAttribute",
	"cudaGetFuncBySymbol",
	NULL,
};

/* Driver: what launches, copies, waits, allocates, loads. JAX, XLA and Triton call it directly. */
static const char *const driver_wanted[] = {
	"cuLaunch",
	"cuGraphLaunch",
	"cuGraphInstantiate",
	"cuMemcpy",
	"cuMemset",
	"cuMemPrefetch",
	"cuStreamSynchronize",
	"cuCtxSynchronize",
	"cuEventSynchronize",
	"cuStreamWaitEvent",
	"cuStreamWaitValue",
	"cuMemAlloc",
	"cuMemFree",
	"cuMemHostAlloc",
	"cuMemCreate",
	"cuMemRelease",
	"cuModuleLoad",
	"cuLibraryLoad",
	NULL,
};

bool call_is_wanted(int domain, const char *name)
{
	return domain == CUPTI_DOMAIN_RUNTIME ? !has_start(name, runtime_unwanted) : has_start(name, driver_wanted);
}

size_t call_name_bytes(const char *name)
{
	size_t n = strlen(name), digits = n;
	while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	/* _v7000 marks the version of the toolkit; the _v2 of the driver's names belongs to the name */
	return digits > 2 && n - digits >= 4 && name[digits - 1] == 'v' && name[digits - 2] == '_' ? digits - 2 : n;
}

typedef cupti_result switch_call(uint32_t cbid, uint8_t on);

/* One call that cannot be switched is no reason to do without the others: the first refusal, unless one worked. */
static cupti_result switch_some(const struct cupti *c, int domain, bool wanted, switch_call *call, uint8_t on)
{
	cupti_result first = CUPTI_OK;
	bool worked = false;
	for (uint32_t cbid = 1; cbid < CALLS_MAX_CBID; cbid++) {
		const char *name = NULL;
		if (c->callback_name(domain, cbid, &name) || !name || call_is_wanted(domain, name) != wanted)
			continue;
		cupti_result r = call(cbid, on);
		worked = worked || !r;
		first = first ? first : r;
	}
	return worked ? CUPTI_OK : first;
}

cupti_result calls_enable(const struct cupti *c, int domain)
{
	if (domain == CUPTI_DOMAIN_DRIVER && c->enable_driver_api)
		return switch_some(c, domain, true, c->enable_driver_api, 1);
	cupti_result r = c->enable(domain == CUPTI_DOMAIN_DRIVER ? CUPTI_KIND_DRIVER : CUPTI_KIND_RUNTIME);
	if (!r && domain == CUPTI_DOMAIN_RUNTIME && c->enable_runtime_api)
		switch_some(c, domain, false, c->enable_runtime_api, 0); /* a failure costs time only */
	return r;
}

void calls_disable(const struct cupti *c, int domain)
{
	if (domain == CUPTI_DOMAIN_DRIVER && c->enable_driver_api)
		switch_some(c, domain, true, c->enable_driver_api, 0);
	else
		c->disable(domain == CUPTI_DOMAIN_DRIVER ? CUPTI_KIND_DRIVER : CUPTI_KIND_RUNTIME);
}
