/* model/analysis/findings/findings.h - what the rules say about a trace: every rule once, in the order of the guide.
 * A rule is a pure function of the tables that the panes and the command line show, so all of them tell the same numbers.
 * It adds one finding (or one per device, verdict, ...), or nothing when it does not apply to this kind of trace; when the
 * trace lacks what it needs, it adds one that abstains and names what is missing. */
#ifndef STEPSCOPE_FINDINGS_H
#define STEPSCOPE_FINDINGS_H
#include "model/analysis/derived/derived.h"
#include "model/finding.h"
#include "model/query.h"

enum { FINDING_TITLE_MAX = 19 }; /* columns of a title: lists set sentences beside it */

/* clang-format off */
/*   function,        word,               question, title,                     what it looks at */
#define FINDING_RULES(_) \
	_(read_whole,     "read-whole",       "",       "The file",                "whether the whole file was read") \
	_(step_markers,   "step-markers",     "Q1",     "Step markers",            "whether steps are marked, inferred or missing") \
	_(few_steps,      "few-steps",        "Q1",     "Steps recorded",          "whether there are enough steps to tell which are steady") \
	_(step_phases,    "step-phases",      "Q1",     "Steady steps",            "warm-up steps and outliers among the steps") \
	_(slow_steps,     "slow-steps",       "Q1",     "Slow steps",              "steps that again and again take much longer than the others, and where") \
	_(step_change,    "step-change",      "Q1",     "Change of step time",     "a step from which on steps take longer, or less time") \
	_(busy,           "device-busy",      "Q5",     "Device busy",             "share of its span in which a device works") \
	_(warm_up,        "warm-up",          "Q1",     "Start-up",                "recordings that show little but first calls") \
	_(idle_causes,    "idle",             "Q13",    "Idle time",               "why devices are idle, by cause") \
	_(input_bound,    "input-bound",      "Q10",    "Input pipeline",          "share of the step time spent waiting for input") \
	_(input_stage,    "input-bottleneck", "Q11",    "Input bottleneck",        "the slowest stage of the input pipeline") \
	_(synthetic,      "input-best-case",  "Q12",    "Without input",          "step time if input cost nothing") \
	_(gap_causes,     "step-gap",         "Q13",    "Gaps between steps",      "time lost between steps, by cause") \
	_(host_work,      "host-work",        "Q13",    "Host work",               "callbacks, metrics, saving and logging inside steps, where no device is recorded") \
	_(iterations,     "iterations",       "",       "Iterations",              "time between a server's iterations in which the device is idle or the host does other work") \
	_(launch_share,   "kernel-launch",    "Q4",     "Kernel launch",           "share of the step time in which nothing runs but launch calls") \
	_(small_kernels,  "small-kernels",    "Q14",    "Small kernels",           "kernels that take less time than it takes to launch them") \
	_(launch_queue,   "launch-queue",     "Q4",     "Launch queues",           "how long work waits for its launch, and full queues") \
	_(sync_calls,     "synchronisation",  "Q14",    "Synchronisation",         "calls that wait for a device and leave it without work") \
	_(output_share,   "output",           "Q1",     "Copies to the host",      "share of the step time spent copying results") \
	_(comms_share,    "collectives",      "Q22",    "Collectives",             "share of the step time in collectives that nothing hides") \
	_(comms_speed,    "collective-speed", "Q23",    "Speed of links",          "time of collectives compared with what the link should need for their bytes") \
	_(small_collectives, "collective-sizes", "Q24", "Collectives' sizes",      "how many collectives a step has, and how large they are") \
	_(waits_for,      "waits-for-rank",   "Q26",    "Waiting for ranks",       "time that ranks wait in collectives for the last of them, and why it is late") \
	_(replicas,       "replicas",         "Q26",    "Replicas",                "whether all devices do the same work") \
	_(serial_devices, "serial-devices",   "Q27",    "Devices in turn",         "devices that work one after another") \
	_(missing_ranks,  "missing-ranks",    "Q26",    "Ranks not recorded",      "ranks of process groups that are not recorded, and calls without counterparts") \
	_(uneven_exchange, "uneven-exchange", "Q24",    "All-to-alls",             "ranks that get more than others in all-to-alls") \
	_(experts,        "experts",          "Q24",    "Experts",                 "whether the trace records how evenly tokens are spread over experts") \
	_(input_replicas, "input-replicas",   "Q30",    "Input per device",    "whether input keeps up with several devices, all together and each") \
	_(pipeline_bubble, "pipeline-bubble", "Q27",    "Pipeline",                "how much of their steps the stages of a pipeline are idle or wait for each other") \
	_(launch_order,   "launch-order",     "Q28",    "Launch order",            "devices that are idle until the host has launched for another one") \
	_(other_share,    "other",            "Q1",     "Unexplained time",        "share of the step time that nothing explains") \
	_(excess_copies,  "excess-copies",    "Q16",    "Excess copies",           "copies between host and devices that steps could do without") \
	_(pageable_copies, "pageable-copies", "Q16",    "Pageable memory",         "time that kernels wait for copies from or to pageable memory") \
	_(device_copies,  "device-copies",    "Q25",    "Copies on devices",       "time that kernels wait for copies on and between devices") \
	_(through_host,   "through-host",     "Q25",    "Through the host",        "transfers between devices that go through the host") \
	_(transfer_waits, "transfer-waits",   "Q16",    "Copies waited for",       "time that devices wait for asynchronous copies although they look busy") \
	_(memory_bound,   "memory-bound",     "Q17",    "Memory-bound ops",        "share of the kernel time in kernels that move bytes rather than compute") \
	_(copying,        "copying-kernels",  "Q16",    "Copies by kernels",       "time of kernels that only move values: layouts, conversions, concatenations, copies") \
	_(fusion,         "fusion",           "Q19",    "Fusion",                  "what fusing runs of element-wise kernels would save at most") \
	_(compiles,       "recompilation",    "Q21",    "Recompilation",           "compilation after the warm-up") \
	_(graph_breaks,   "graph-breaks",     "Q35",    "Graph breaks",            "what runs op by op between the parts of a compiled function") \
	_(small_graphs,   "small-graphs",     "Q35",    "Small graphs",            "compiled graphs that take less time than it takes to call them") \
	_(memory_full,    "memory-full",      "Q29",    "Memory",                  "how full the devices' memory gets") \
	_(memory_fragmented, "memory-fragmented", "Q29", "Fragmentation",          "free memory that is fragmented, or that the allocator holds unused") \
	_(memory_leak,    "memory-leak",      "Q29",    "Memory growth",           "what steps leave behind in memory") \
	_(memory_churn,   "memory-churn",     "Q29",    "Driver allocations",      "calls in steady steps that ask the driver for memory") \
	_(batch_headroom, "batch-headroom",   "Q29",    "Room for the batch",      "how much larger a batch would fit into memory") \
	_(op_share,       "op-share",         "Q2",     "Ops on devices",          "share of the ops and of their time that runs on devices") \
	_(op_placement,   "op-placement",     "Q15",    "Ops on the host",         "heavy ops that run on the host, and those that only the host has") \
	_(eager,          "eager",            "Q35",    "Eager execution",         "share of op time that runs outside of graphs") \
	_(precision,      "precision-16bit",  "Q3",     "16-bit compute",          "share of kernel time in 16 bit") \
	_(tensor_cores,   "tensor-cores",     "Q17",    "Tensor Cores",            "products that could use Tensor Cores and do not") \
	_(dimensions,     "tensor-core-dims", "Q18",    "16-bit products",         "16-bit and 8-bit products held back by their dimensions") \
	_(half_bytes,     "half-bytes",       "Q18",    "32-bit traffic",          "memory-bound fp32 kernels that 16 bit would halve") \
	_(softmax,        "softmax-16bit",    "Q36",    "Softmax",                 "softmax kernels that compute in 16 bit") \
	_(worth_it,       "worth-the-device", "Q34",    "Overhead",                "compute compared with copies, launches and idle time") \
	_(compute_bound,  "compute-bound",    "Q5",     "Compute-bound",           "devices busy with matrix products, and nothing to warn of")
/* clang-format on */
struct finding_rule {
	const char *word, *question, *title, *help;
};

const struct finding_rule *finding_rules(uint32_t *n); /* in the order of the list */
/* All rules over the query's window; unsorted: in the order of the guide. False with `e` on failure or cancel. */
bool findings_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct findings *out, struct err *e);
/* What the rules about several ranks say of tables alone, as of a summary. */
struct rank_tables {
	const struct table *replicas, *collective_steps;
	bool one_step, steady_only; /* the job has one step alone; steady steps alone carry means */
};
/* d: its hosts and devices, by which they are named; it needs no events. */
void findings_of_ranks(const struct derived *d, const struct rank_tables *t, struct arena *mem, struct findings *out);
/* Sorts them, worst first, into rows of the table of that name. */
void findings_rows(const struct derived *d, struct findings *found, struct table *out);
#endif
