/* model/analysis/findings/finding_ctx.h - what a rule reads: tables, made once for all rules, and their cells by the ids of their columns.
 * A table that does not exist, a key that is not there and a null are all "unknown": false or NULL. */
#ifndef STEPSCOPE_FINDING_CTX_H
#define STEPSCOPE_FINDING_CTX_H
#include "findings.h"
#include "model/analysis/gaps/idle_advice.h"
#include "model/analysis/names/record_advice.h"
#include "model/analysis/overview/answers.h"
#include "model/store/base/idmap.h"

struct finding_ctx {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct findings *out;
	const struct finding_rule *rule; /* the one that runs */
	struct finding_input *inputs;    /* what it handed over since its last finding */
	struct idmap input_places;       /* of their names */
	uint32_t n_inputs;
	enum framework framework;
	struct answers answers;
	const struct table *overview;
	uint32_t *idle_devices;       /* by row of the table of idle causes; NULL: not found yet */
	struct idle_sum *idle_sums;   /* by cause, likewise */
	double idle_watched_ns;       /* of all devices; 0: not added up yet */
	double gap_input_ns;          /* lost in gaps that wait for input; NAN: not added up yet */
	bool work_known, work_missed; /* of steps_miss_their_work */
	bool one_step;                /* the job has one step alone */
	bool steady_only;             /* steady steps alone carry means */
	bool host_alone;              /* neither devices nor steps nor a framework is recorded */
	bool warm_up_only;            /* the trace holds little but first calls: nothing is judged as steady */
};

const struct table *ctx_table(struct finding_ctx *c, const char *name);
/* Of a key/value table; handed over, as from_key does. */
bool ctx_real(struct finding_ctx *c, const char *table, const char *key, double *v);
/* What shares of steps are of, in sentences: "the step time"; STEP_TIME_IN_WINDOW where no step lies in the window as a whole. */
const char *step_time_words(struct finding_ctx *c);
const char *ctx_text(struct finding_ctx *c, const char *table, const char *key);
const struct evidence *ctx_evidence(struct finding_ctx *c, const char *table, const char *key); /* NULL: none */
/* Of a table of rows: */
bool row_real(const struct table *t, uint32_t row, uint32_t column, double *v);
double row_number(const struct table *t, uint32_t row, uint32_t column); /* 0 where it is unknown */
uint32_t row_of_most(const struct table *t, uint32_t column);            /* the first of equals; 0: no rows */
double column_sum(const struct table *t, uint32_t column);               /* of what is known; t may be NULL */
const char *row_text(const struct table *t, uint32_t row, uint32_t column);
bool row_true(const struct table *t, uint32_t row, uint32_t column);

/* ---- handing over: what a rule judges by and says goes with its next finding, with the place where it stands (finding.h). Of two
 * of one name the first counts. `rows` as in finding.h; texts are kept, not copied. */
/* A cell: 0 where it is unknown. */
double from_cell(struct finding_ctx *c, const char *name, const struct table *t, uint32_t row, uint32_t column);
/* NULL: unknown, and not handed over. */
const char *from_text(struct finding_ctx *c, const char *name, const struct table *t, uint32_t row, uint32_t column);
void from_key(struct finding_ctx *c, const struct table *t,
	      const char *key); /* of a key/value table, named as its key */
/* The rows of a table of steps that means are taken over, for the two below. */
#define ROWS_COUNTED "counted=true"
/* The sum of a column over the rows that meet the conditions; NULL: over all rows. t may be NULL: 0. */
double from_rows(struct finding_ctx *c, const char *name, const struct table *t, uint32_t column, const char *rows);
/* The same where the rule has the sum already. */
double from_known(struct finding_ctx *c, const char *name, double value, const struct table *t, uint32_t column,
		  const char *rows);
uint32_t from_count(struct finding_ctx *c, const char *name, const struct table *t, const char *rows);
/* The same where the rule has counted them. */
void from_counted(struct finding_ctx *c, const char *name, uint32_t n, const struct table *t, const char *rows);
/* What was read elsewhere and stands in the table that it names. */
void from_table(struct finding_ctx *c, struct finding_input input);
/* Made of inputs before it, as `formula` says with their names; gives `value`. */
double made_of(struct finding_ctx *c, const char *name, double value, enum unit unit, const char *formula);
struct finding_inputs inputs_taken(struct finding_ctx *c); /* those since the last finding */
struct job_steps;
void from_job_steps(struct finding_ctx *c, const struct job_steps *job); /* steps, step_ranks */
/* What the steps are: "step", or "iteration" where their markers are labels of a server. */
const char *step_word(struct finding_ctx *c);
/* The trace holds one iteration: what its first batch waits for later ones may not. A warning becomes a remark then, and these words
 * end its sentence; else "". */
const char *softened_by_one_iteration(struct finding_ctx *c, enum finding_state *state);
bool row_meets(const struct table *t, uint32_t row, const char *rows);
const char *how_to_record(const struct finding_ctx *c, enum record_what what); /* advice */
/* The rule has no finding, and that is why. */
void say_nothing(struct finding_ctx *c, const char *why);

bool cell_number(const struct cell *v, double *out); /* false: a text, or unknown */
/* The next finding of the rule that runs. */
struct finding *say(struct finding_ctx *c, enum finding_state s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
const char *ns_text(struct finding_ctx *c, double ns);   /* "62.339 ms" */
const char *count_text(struct finding_ctx *c, double n); /* "1,692" */
const char *pct_text(struct finding_ctx *c, double pct);

/* Abstains: "Cannot tell WHAT: REASON."; of several with one advice the first says all (finding_order.c). Texts are kept. */
struct finding *say_untold(struct finding_ctx *c, const char *what, const char *reason, const char *advice);
/* The last word on all findings: repeats are folded, what waits for an earlier one says so. */
void findings_in_order(struct finding_ctx *c);

/* Evidence: that of a row of a table. */
void show_row(struct finding_ctx *c, struct finding *x, const struct table *t, uint32_t row);
/* What to do about what kernels that only move values do most: change layouts, types, put tensors together, copy. NULL: there are none. */
const char *copying_advice(struct finding_ctx *c);
/* "aten::convolution_backward", or without ops the kernel's name as far as it is a name. */
struct kernel_kind;
const char *kernel_kind_words(struct finding_ctx *c, const struct kernel_kind *k);
/* Evidence: the longest kernel of the group (kind and launch shape) with most time among the kinds that are marked, a byte per kind
 * of answers.kernels; one is. */
void show_longest_kernel(struct finding_ctx *c, const uint8_t *marked, struct finding *x);

bool steps_meet_window(const struct finding_ctx *c); /* there is device work that belongs to a step */
/* Abstains: "Cannot tell WHAT: WHY." In a window that holds no THING what is missing there need not be missing in the trace:
 * "Cannot tell WHAT: no THING between 100.000 ms and 120.000 ms.", with the advice to look at more. */
struct finding *say_missing(struct finding_ctx *c, const char *what, const char *thing, const char *why,
			    const char *advice);
/* Time of [start, start + dur) inside the window. */
double inside_window_ns(const struct finding_ctx *c, double start_ns, double dur_ns);
/* Most device work of the steps runs when the last of them has ended, as where one call is marked and not waited for: what the
 * device does inside the steps tells nothing about it. */
bool steps_miss_their_work(struct finding_ctx *c);
/* The time in which devices were watched, first work to last, of all of them. */
double watched_ns(struct finding_ctx *c);
/* What `ns` of work on devices are of the time watched, steps before the first and after the last work included. */
double share_of_time_pct(struct finding_ctx *c, double ns);
/* "20.000 ms (20.4 % of the time on devices)"; *pct: the share of the time from each device's first work to its last. lost: the
 * name under which the time was handed over. */
const char *device_time_text(struct finding_ctx *c, const char *lost, double lost_ns, double *pct);
/* "20.000 ms per step (20.4 % of 98.100 ms from first to last work), 100.000 ms in all", over all steps, and it says so where means are of the
 * steady ones; *pct: the share of the time from the first device work of
 * each step to its last. Without steps as device_time_text. */
const char *step_time_text(struct finding_ctx *c, const char *lost, double lost_ns, double *pct);

/* The columns of a table that say together which device a row is about. */
struct device_columns {
	uint32_t host, rank, device;
};
/* "GPU 0", "rank 3 TPU 1": as every other face calls the device of a row that has one. */
const char *device_name(struct finding_ctx *c, const struct table *t, uint32_t row, struct device_columns in);
/* The device of a row of the table of idle causes; NONE_ID = none. */
uint32_t device_of_row(struct finding_ctx *c, const struct table *t, uint32_t row);
/* The time watched on all devices, steps before the first and after the last work included, start-up left out. */
double idle_watched_ns(struct finding_ctx *c);
/* What idle time of this cause costs on all devices, start-up left out. */
double lost_to_cause_ns(struct finding_ctx *c, enum cause cause);
/* Idle time of this cause on all devices, start-up included. */
double idle_of_cause_ns(struct finding_ctx *c, enum cause cause);
/* What to do about the time between iterations, and about waiting for each to end; NULL: the trace has no two iterations. */
const char *next_iteration_advice(struct finding_ctx *c);
/* The longest idle time of the device that has most of it in which work was held back, and its stream; false: there is none. Handed
 * over. */
struct held_back {
	double ns;
	const char *stream;
};
bool idle_held_back(struct finding_ctx *c, struct held_back *out);
/* What to do about idle time of this cause, by what most of it is; where there is none, what is generally done. */
const char *idle_cause_advice(struct finding_ctx *c, enum cause cause);
void finding_held_back(struct finding *x, struct held_back held); /* the finding is about it */
/* The cause that most idle time has, and its share of all of it, NaN: nothing is idle. watched: of the time watched, steps before the
 * first and after the last work included, start-up left out; else first work to last. */
enum cause dominant_cause(struct finding_ctx *c, bool watched, double *pct);

/* Between which steps `between_ns` of idle time of this cause lies, on the only device that has it: "steps 8 and 9". What recurs tells its
 * time per step, and work of the host that could run less often what that would win. "steps" where the gaps do not tell. */
const char *between_which_steps(struct finding_ctx *c, enum cause cause, uint32_t device, double between_ns);

/* Input read between the markers is no part of any step: the rule about gaps warns of it. */
bool gaps_wait_for_input(struct finding_ctx *c);
/* The steps' share of input is copies to the device, and most of their exposed time is copies in excess: neither the input pipeline
 * nor synthetic data has to do with it. */
bool copies_are_no_input(struct finding_ctx *c);
extern const char *const copies_advice; /* what to do about such copies */
/* What is copied to the host while devices do not compute, by the table 'copies': most of it values; tensors of 1 MiB or more; such
 * tensors, and half as much or more comes back between kernels. */
enum host_copies { HOST_COPIES_VALUES, HOST_COPIES_LARGE, HOST_COPIES_OFFLOADED };
/* Of large ones: what to do where the kind that exposes most is made while a checkpoint is saved; NULL: it is not. */
const char *saved_copies_advice(struct finding_ctx *c);
enum host_copies copies_to_host(struct finding_ctx *c);

/* "20.061 ms of each step in $time sleep": the Python frame that holds half or more of what is in no class of a step, where no device works;
 * NULL: none does. Handed over. */
const char *most_in_frame(struct finding_ctx *c);

/* Why collectives are exposed most; its numbers are handed over. */
struct exposed_because {
	const char *words;  /* "; 96.6 % of their exposed time while they wait for other ranks"; NULL: no step tells */
	const char *advice; /* what to do about that; NULL: what is generally done */
	const char *
		about; /* "waiting for rank 3", "waiting for other ranks": that makes half of it or more; "exposed collectives":
			     * nobody knows whether they wait; NULL */
	bool told; /* waiting is told from transfer in most of it */
};
struct exposed_because exposed_because(struct finding_ctx *c);
/* What to do about a rank that computes more than others; NULL: neither a process group nor a kernel is one of experts. */
const char *experts_advice(struct finding_ctx *c);
/* DistributedDataParallel reduces gradients after each of several micro-batches of a step, of the first host with steps; the names of its
 * host's events tell. */
bool micro_batches_reduce(const struct derived *d);
/* The same of collectives that run on the host, rank by rank: told where two ranks or more are recorded; no words where none is in them
 * for half as long as the others, or less. */
struct exposed_because host_comms_because(struct finding_ctx *c);
/* "3 of the 8 ranks of a process group are recorded; not recorded: 1-2, 4, 6-7", of the group that lacks most; NULL: none lacks one. Handed
 * over. *recorded: how many are. */
const char *ranks_missing(struct finding_ctx *c, double *recorded);
/* Rows are of two hosts or more. host: its column. */
bool several_hosts(const struct table *t, uint32_t host);
/* "Rank 7" where ranks are told, "hostA GPU 0" where several hosts have none, else "GPU 0"; handed over. */
const char *worker_words(struct finding_ctx *c, const struct table *t, uint32_t row, struct device_columns in);
const char *replica_words(struct finding_ctx *c, const struct table *t, uint32_t row); /* of the table of replicas */
/* "rank 3", "GPU 0": half of what all wait for each other or more is for that one alone. NULL: for no single one, or for the end of a
 * pipeline, of which the rule about its bubble speaks. */
const char *awaited_rank(struct finding_ctx *c);
/* Two devices or more are stages that hand tensors on. */
bool pipelined(struct finding_ctx *c);
/* Devices that were recorded together hardly ever work at the same time. */
bool devices_take_turns(struct finding_ctx *c);

#define FINDING_DECL(id, word, question, title, help) void finding_##id(struct finding_ctx *c);
FINDING_RULES(FINDING_DECL)
#undef FINDING_DECL
#endif
