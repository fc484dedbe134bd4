/* live/inject/cupti/calls.h - which API calls are worth a record. Launch-bound programs call cudaGetDevice and similar queries
 * more often than they launch; recording those would cost more than it is worth. */
#ifndef STEPSCOPE_INJECT_CALLS_H
#define STEPSCOPE_INJECT_CALLS_H
#include "cupti.h"

enum { CALLS_MAX_CBID = 2048 };

/* name as CUPTI gives it (cudaLaunchKernel_v7000, cuMemAlloc_v2_ptsz). */
bool call_is_wanted(int domain, const char *name);
size_t call_name_bytes(const char *name); /* without the version of the runtime's names: cudaLaunchKernel */

/* Tells CUPTI to record the wanted calls of a domain and no others, as far as this version can; where it cannot, the
 * records are left out by the decoder. */
cupti_result calls_enable(const struct cupti *c, int domain);
void calls_disable(const struct cupti *c, int domain);
#endif
