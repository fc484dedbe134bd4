/* model/analysis/serving/iterations.h - the iterations of servers: SEMANTICS.md, 19.
 * An iteration is a label of a server on a host thread, with the device work that this thread launches until its next label; labels
 * inside a label of the same thread tell more of the same iteration. Without labels and markers of steps: from a launch of a graph to
 * the next one after a copy to the host.
 * Found by whoever asks first and kept with the overlay; read-only, any thread. */
#ifndef STEPSCOPE_ITERATIONS_H
#define STEPSCOPE_ITERATIONS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/iteration_rules.h"

enum captured_by {
	CAPTURED_UNKNOWN,
	CAPTURED_BY_GRID,   /* its normalisations and other kernels have a block for each token */
	CAPTURED_BY_REPLAYS /* another iteration replays it with more tokens: it holds these at least */
};
struct iteration {
	struct iteration_label label;
	bool labelled;
	row_id marker; /* the label, or the launch it begins with */
	uint32_t track, host;
	int64_t index;                    /* among those of its thread, from 0, by time */
	int64_t start_ns, end_ns;         /* of the label; without one first to last launch */
	int64_t next_ns;                  /* start of the thread's next iteration; UNKNOWN_I64: the last one */
	int64_t first_launch_ns;          /* UNKNOWN_I64: it launches nothing */
	uint32_t device;                  /* the one with most of its work; NONE_ID: none */
	uint32_t work;                    /* kernels, copies and memsets on that device */
	int64_t work_ns, graph_ns;        /* their time added up; of those that graphs launched */
	int64_t kernel_ns, attention_ns;  /* of kernels; of those in attention */
	uint32_t graph_calls, graph_work; /* launches of graphs, on any device; what they launched on this one */
	int64_t graph_calls_ns;           /* length of these calls */
	uint32_t outside_kernels;         /* kernels that calls launched one by one, no graph */
	int64_t outside_ns;               /* their time */
	int64_t captured_tokens;          /* for which its graphs were captured; UNKNOWN_I64 */
	enum captured_by captured_by;
	int64_t first_ns, last_ns; /* first begin, last end of its work on the stream that has most of it */
	/* first_ns to that of the thread's next iteration on this device; of the last one: to last_ns */
	int64_t dur_ns;
	bool whole;              /* another one follows: dur_ns is a period, not only the time of its work */
	int64_t device_ns;       /* of dur_ns, with anything on the device */
	int64_t between_ns;      /* of dur_ns, without work on the device after last_ns; UNKNOWN_I64: the last one */
	int64_t host_before_ns;  /* start to first launch; UNKNOWN_I64: it launches nothing */
	int64_t host_between_ns; /* end to the next begin on the thread; UNKNOWN_I64: the last one */
};
struct iterations {
	const struct iteration *at; /* by thread, then by time */
	uint32_t n;
	bool labelled;
	bool are_steps; /* the markers of steps are their labels, or labels inside them */
};
/* NULL with `e` when it was cancelled. */
const struct iterations *iterations_of(const struct derived *d, struct progress *p, struct err *e);

/* What counts as steps are the labels of a server's iterations (are_steps). */
bool iterations_are_steps(const struct derived *d);
/* There are iterations, and nothing but them marks steps: who shows what the trace repeats shows them. */
bool iterations_stand_for_steps(const struct derived *d);

/* Iterations of one kind with one number of requests on one device, whole ones alone where there are any. */
struct iteration_group {
	enum iteration_kind kind;
	int64_t requests;                 /* UNKNOWN_I64: not recorded, or differing */
	uint32_t device, n, all, longest; /* how many count, how many there are, the longest of them in `at` */
	bool whole;
	int64_t dur_ns, device_ns, between_ns, tokens; /* added up; tokens UNKNOWN_I64 where one is not told */
};
/* Sorted by time, the largest first, into `mem`. */
struct iteration_group *iteration_groups(const struct iterations *v, int64_t a_ns, int64_t b_ns, struct arena *mem,
					 uint32_t *n);
#endif
