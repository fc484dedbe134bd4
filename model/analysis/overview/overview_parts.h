/* model/analysis/overview/overview_parts.h - rows of the overview that are computed from another answer. */
#ifndef STEPSCOPE_OVERVIEW_PARTS_H
#define STEPSCOPE_OVERVIEW_PARTS_H
#include "answers.h"
#include "model/table.h"

/* Mean, deviation and breakdown from the table of steps; true where that is irregular (step_rows_irregular). */
bool overview_steps(struct table *t, const struct derived *d, const struct query *q, const struct table *steps);
/* Mean and deviation of each part of a step and of its idle time, from the table of parts of a step. */
void overview_means(struct table *t, const struct table *step_parts);
/* Counts and shares of kernel time by precision and Tensor Core use. */
void overview_kernels(struct table *t, const struct derived *d, const struct kernel_stats *k);
/* The names with most kernel time, their time and the longest kernel of each. Reads every kernel of the window once. */
void overview_top_kernels(struct table *t, const struct kernel_stats *s);
/* Share of the compute time of steps with 16-bit kernels, by the reference tool's rule; --semantics xprof. */
void overview_precision(struct table *t, const struct derived *d);
/* Placement, eager shares and the largest ops. */
void overview_ops(struct table *t, const struct derived *d, const struct op_stats *s);
/* The names of host events with most time of their own; nothing where a framework's profiler wrote the trace, and devices or ops of steps
 * are in it. After overview_ops. Where there are steps, of what neither marks them nor waits. */
void overview_host(struct table *t, const struct derived *d);
/* The Python frame with most time of its own in steps; nothing where a device works, or no frame is recorded. */
void overview_frames(struct table *t, const struct derived *d, const struct query *q);
/* The host work outside the graph that takes most of the time of steps; nothing where a device works, or there is none. */
void overview_aside(struct table *t, const struct derived *d, const struct query *q);
/* Calls of tf.function that trace or run eagerly, and the worst functions. Nothing where the trace has none. */
void overview_functions(struct table *t, const struct derived *d, const struct query *q);
/* Iterations of servers; nothing where the trace has none. */
void overview_iterations(struct table *t, const struct derived *d, const struct query *q);
/* Kernels in replayed graphs and outside, calls saved; nothing where no graph is launched. */
void overview_graphs(struct table *t, const struct derived *d, const struct kernel_stats *k, const struct query *q);
/* All of the overview, from answers of OVERVIEW_NEEDS. (overview_table.c) */
struct table *overview_from(const struct answers *a, struct arena *mem);
/* Hosts, tasks, devices, replicas and the framework. */
void overview_environment(struct table *t, const struct derived *d);
#endif
