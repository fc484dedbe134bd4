/* tests/live/nvtx.h - as much of NVTX as a test program needs, without NVIDIA's header: at the first range the library named by
 * NVTX_INJECTION64_PATH is loaded and given the table of functions to fill in, as NVTX version 3 does. */
#ifndef TEST_NVTX_H
#define TEST_NVTX_H
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { NVTX_TABLE_CALLBACKS = 1, NVTX_MODULE_CORE = 1, NVTX_RANGE_PUSH = 9, NVTX_RANGE_POP = 11, NVTX_FUNCTIONS = 16 };
typedef void nvtx_any(void);
static nvtx_any *nvtx_core[NVTX_FUNCTIONS];

static inline int nvtx_module(int module, nvtx_any ****table, unsigned *n)
{
	static nvtx_any **slots[NVTX_FUNCTIONS + 1];
	for (int i = 0; i < NVTX_FUNCTIONS; i++)
		slots[i] = &nvtx_core[i];
	if (module != NVTX_MODULE_CORE)
		return 0;
	*table = slots;
	*n = NVTX_FUNCTIONS;
	return 1;
}

static inline const void *nvtx_export(uint32_t id)
{
	static const struct {
		size_t bytes;
		int (*module)(int module, nvtx_any ****table, unsigned *n);
	} callbacks = {sizeof callbacks, nvtx_module};
	return id == NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

/* A tool that answers 0 ("false") has failed: every call becomes nothing, whatever it filled in (nvtxInit.h of NVTX 3). */
static inline void nvtx_start(void)
{
	static bool asked;
	const char *path = getenv("NVTX_INJECTION64_PATH");
	int (*initialise)(const void *(*)(uint32_t)) = NULL;
	void *library = !asked && path ? dlopen(path, RTLD_LAZY) : NULL;
	if (library)
		*(void **)&initialise = dlsym(library, "InitializeInjectionNvtx2");
	bool taken = asked || (initialise && initialise(nvtx_export));
	for (int i = 0; !taken && i < NVTX_FUNCTIONS; i++)
		nvtx_core[i] = NULL;
	asked = true;
}

/* A range is somebody's, not nothing. */
static inline bool nvtx_is_heard(void)
{
	nvtx_start();
	return nvtx_core[NVTX_RANGE_PUSH] != NULL;
}

static inline void nvtx_push(const char *text)
{
	nvtx_start();
	if (nvtx_core[NVTX_RANGE_PUSH])
		((int (*)(const char *))(void *)nvtx_core[NVTX_RANGE_PUSH])(text);
}

static inline void nvtx_pop(void)
{
	if (nvtx_core[NVTX_RANGE_POP])
		((int (*)(void))(void *)nvtx_core[NVTX_RANGE_POP])();
}
#endif
