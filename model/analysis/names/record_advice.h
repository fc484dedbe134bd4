/* model/analysis/names/record_advice.h - how to record what a trace lacks, in the words of who recorded it: Nsight Systems' options, those
 * of a framework's own profiler, or of each where none is known. */
#ifndef STEPSCOPE_RECORD_ADVICE_H
#define STEPSCOPE_RECORD_ADVICE_H
#include "framework.h"

enum record_what {
	RECORD_STEPS,  /* where one begins and ends */
	RECORD_OPS,    /* of the framework, on the host */
	RECORD_FRAMES, /* what Python does */
	RECORD_CALLS,  /* of the driver: launches */
	RECORD_MEMORY, /* allocations */
	RECORD_DEVICE, /* kernels and copies */
	RECORD_LATER,  /* after the first steps */
	RECORD_WHATS
};
/* A sentence that says what to do. */
const char *record_advice(const struct trace *t, enum framework f, enum record_what what);
#endif
