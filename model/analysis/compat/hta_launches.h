/* model/analysis/compat/hta_launches.h - launches and queues as HolisticTraceAnalysis counts them, per rank and per stream, in whole
 * us. Which events count and how they are rounded: hta.h.
 * Launches: calls named cudaLaunchKernel, cudaLaunchKernelExC, cudaMemcpyAsync and cudaMemsetAsync; delay = start of the work -
 *           end of the call, not below 0.
 * Queue:    one more at the start of a call (those above, the driver's and HIP's), one less at the start of its work. Mean and
 *           median are of the lengths after each change, whatever time lies between. Where a call begins in the very us in
 *           which work starts the reference's order depends on its sorting routine; here calls come first. mean_low is the
 *           mean with the work first, so the reference's lies in [mean_low, mean].
 * Life:     hta_launches_read -> hta_launches_free. */
#ifndef STEPSCOPE_HTA_LAUNCHES_H
#define STEPSCOPE_HTA_LAUNCHES_H
#include "model/analysis/derived/derived.h"

struct hta_call {
	uint32_t host;
	row_id launch, work;
	int64_t call_us, work_us, delay_us;
};
struct hta_queue {
	uint32_t host;
	int64_t stream;
	int64_t changes, min, max;
	double mean, mean_low, median;
};
struct hta_launches {
	struct hta_call *calls; /* by host */
	struct hta_queue *queues;
	uint32_t n_calls, n_queues;
};
struct hta_launches hta_launches_read(const struct derived *d);
void hta_launches_free(struct hta_launches *x);
#endif
