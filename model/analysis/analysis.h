/* model/analysis/analysis.h - every question once: name, title, help, the function that answers it (see analysis_type.h).
 * From this list come panes (`:table NAME`), report sections, `stepscope table NAME`, completion and the manual. */
#ifndef STEPSCOPE_ANALYSIS_H
#define STEPSCOPE_ANALYSIS_H
#include "model/analysis/query/analysis_type.h"

/* clang-format off */
#define ANALYSES(_) \
	_(overview, "Overview", "headline numbers: busy share, step time, biggest gaps, top kernels") \
	_(trace, "Trace", "what was recorded: format, producer, counts, ledger, span") \
	_(devices, "Devices", "kernels, busy and idle time per device") \
	_(streams, "Streams", "role, work and busy time per device stream") \
	_(tracks, "Tracks", "every lane of the timeline and how many events it holds") \
	_(steps, "Steps", "step time per step and device, with its breakdown") \
	_(step_parts, "Parts of a step", "what a step spends its time on: mean, deviation and share of each part") \
	_(phases, "Phases", "device time of forward, loss, backward and optimizer, all in all and per step") \
	_(idle, "Idle time", "what each device waited for while it did nothing: host, launch, synchronisation, input, copies") \
	_(gaps, "Gaps", "idle time between steps, per device and per stream, with its first cause") \
	_(verdicts, "Verdicts", "why devices idled, gap by gap, with evidence and confidence") \
	_(gap_groups, "Recurring gaps", "idle time that recurs, and the step time without it") \
	_(input, "Input", "is the program input-bound, by which stage, and how fast would it be without") \
	_(input_ops, "Input ops", "ops and stages of the host's input pipeline with their own time") \
	_(pipelines, "Pipelines", "input pipelines of tf.data: how long their calls take and what makes them slow") \
	_(iterators, "Iterators", "tf.data iterators with their own time, callers first") \
	_(compiles, "Compilations", "what the host compiled or traced, when and for which shapes") \
	_(ops, "Ops", "framework ops on devices and on the host: how often, how long, how much of it themselves") \
	_(op_types, "Op types", "the same by the type of op") \
	_(roofline, "Roofline", "device work by op against what the device can do at its operations per byte") \
	_(op_tree, "Op tree", "which op calls which, with its time on the host and the device work that it starts") \
	_(kernels, "Kernels", "kernel statistics with Tensor Core use and precision") \
	_(kernel_families, "Kernel families", "kernels summed up by what they do: gemm, conv, attention, norm, copies and so on") \
	_(gpu_metrics, "GPU metrics", "how much of each device its kernels use: time, multiprocessors, occupancy") \
	_(launches, "Launches", "launch calls: how long they take, how long work waits for them, and what the device idled for them") \
	_(fusion, "Fusion", "runs of element-wise kernels and what making one kernel of each would save at most") \
	_(copies, "Copies", "what is copied between host and devices: needed or not, at which rate, by which op, and what it blocks") \
	_(launch_totals, "Launches per device", "launches of each device as a whole: latency, launch-bound time, graph launches, full queues") \
	_(queue, "Launch queues", "how many launch calls of each stream wait for their work to start, over time") \
	_(latency_histogram, "Launch latencies", "how long launches wait, how long their calls and their work take, in growing buckets") \
	_(tiny_ops, "Tiny ops", "ops whose kernels are shorter than it takes to launch one") \
	_(syncs, "Synchronisation", "calls in which the host waits for a device, and the idle time they leave behind") \
	_(precisions, "Precisions", "kernels by precision: how many, how long, how much of it on Tensor Cores") \
	_(tensor_cores, "Tensor Cores", "products that could use Tensor Cores and do not, with reason and time at stake, and what 16 bit would save elsewhere") \
	_(findings, "Findings", "what the rules of the guide say, worst first: pass, info, warn, fail or cannot tell") \
	_(events, "Events", "every event in the window") \
	_(notes, "Notes", "the ledger: what the import met that it could not simply show")
/* clang-format on */

#define ANALYSIS_DECLARED(id, title, help) ANALYSIS_DECL(id);
ANALYSES(ANALYSIS_DECLARED)
#undef ANALYSIS_DECLARED

const struct analysis *analysis_list(uint32_t *n);
const struct analysis *analysis_find(const char *name); /* NULL when unknown */
uint32_t analysis_index(const char *name);              /* its place in the list; NONE_ID when unknown */
/* As many of their names as there is room for; gives how many. */
uint32_t analysis_names(const char **names, uint32_t room);
/* What query.by knows for this table, for i = 0, 1, ...; NULL behind the last, and for a table that is grouped in one way. */
const char *analysis_by(const char *table, unsigned i);
#endif
