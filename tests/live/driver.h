/* tests/live/driver.h - the few functions of the CUDA driver API that our test programs use, bound at run time: the programs
 * need no CUDA to build and run on the stand-in and on the real driver alike. */
#ifndef DRIVER_H
#define DRIVER_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *handle;
/* clang-format off */
#define DRIVER_FUNCTIONS(_)                                                                                  \
	_(cuInit, (unsigned))                                                                                \
	_(cuDeviceGet, (int *, int))                                                                         \
	_(cuDeviceGetName, (char *, int, int))                                                               \
	_(cuDevicePrimaryCtxRetain, (handle *, int))                                                         \
	_(cuCtxSetCurrent, (handle))                                                                         \
	_(cuCtxSynchronize, (void))                                                                          \
	_(cuModuleLoadData, (handle *, const void *))                                                        \
	_(cuModuleGetFunction, (handle *, handle, const char *))                                             \
	_(cuStreamCreate, (handle *, unsigned))                                                              \
	_(cuStreamSynchronize, (handle))                                                                     \
	_(cuStreamWaitEvent, (handle, handle, unsigned))                                                     \
	_(cuEventCreate, (handle *, unsigned))                                                               \
	_(cuEventRecord, (handle, handle))                                                                   \
	_(cuEventSynchronize, (handle))                                                                      \
	_(cuEventElapsedTime, (float *, handle, handle))                                                     \
	_(cuMemAlloc_v2, (uint64_t *, size_t))                                                               \
	_(cuMemFree_v2, (uint64_t))                                                                          \
	_(cuMemAllocAsync, (uint64_t *, size_t, handle))                                                     \
	_(cuMemFreeAsync, (uint64_t, handle))                                                                \
	_(cuMemHostAlloc, (void **, size_t, unsigned))                                                       \
	_(cuMemFreeHost, (void *))                                                                           \
	_(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, handle))                                    \
	_(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, handle))                                          \
	_(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, handle))                                        \
	_(cuMemsetD8Async, (uint64_t, unsigned char, size_t, handle))                                        \
	_(cuLaunchKernel, (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **)) \
	_(cuStreamBeginCapture_v2, (handle, int))                                                            \
	_(cuStreamEndCapture, (handle, handle *))                                                            \
	_(cuGraphInstantiateWithFlags, (handle *, handle, unsigned long long))                               \
	_(cuGraphLaunch, (handle, handle))
/* clang-format on */
#define DRIVER_POINTER_(name, parameters) static int(*name) parameters;
DRIVER_FUNCTIONS(DRIVER_POINTER_)

/* Kernels for the real driver to compile: k_add(buffer, n) adds 1 to n floats, k_spin(ns) runs so long. */
static const char driver_ptx[] =
	".version 7.0\n.target sm_75\n.address_size 64\n"
	".extern .shared .align 4 .b8 scratch[];\n"
	".visible .entry k_add(.param .u64 p, .param .u32 n) {\n"
	".reg .pred %q; .reg .b32 %r<6>; .reg .f32 %f<2>; .reg .b64 %d<4>;\n"
	"ld.param.u64 %d0, [p]; ld.param.u32 %r0, [n];\n"
	"mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"
	"setp.ge.u32 %q, %r4, %r0; @%q bra done;\n"
	"cvta.to.global.u64 %d1, %d0; mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
	"ld.global.f32 %f0, [%d3]; add.f32 %f1, %f0, 0f3F800000; st.global.f32 [%d3], %f1;\n"
	"done: ret;\n}\n"
	".visible .entry k_spin(.param .u64 ns) {\n"
	".reg .pred %q; .reg .b64 %d<5>;\n"
	"ld.param.u64 %d0, [ns]; mov.u64 %d1, %globaltimer; add.s64 %d2, %d1, %d0;\n"
	"loop: mov.u64 %d3, %globaltimer; setp.lt.u64 %q, %d3, %d2; @%q bra loop;\n"
	"ret;\n}\n";

static inline void driver_check(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "%s: CUDA error %d\n", what, result);
	exit(99);
}
#define CHECK(call) driver_check((call), #call)

static inline int driver_bind(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	if (!library)
		return 0;
#define DRIVER_BIND_(name, parameters)                  \
	if (!(*(void **)&name = dlsym(library, #name))) \
		return 0;
	DRIVER_FUNCTIONS(DRIVER_BIND_)
	return 1;
}

struct driver {
	handle context, module, k_add, k_spin;
};
static inline struct driver driver_start(void)
{
	struct driver d;
	int device;
	if (!driver_bind()) {
		fprintf(stderr, "no CUDA driver: %s\n", dlerror());
		exit(98);
	}
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&d.context, device));
	CHECK(cuCtxSetCurrent(d.context));
	CHECK(cuModuleLoadData(&d.module, driver_ptx));
	CHECK(cuModuleGetFunction(&d.k_add, d.module, "k_add"));
	CHECK(cuModuleGetFunction(&d.k_spin, d.module, "k_spin"));
	return d;
}
#endif
