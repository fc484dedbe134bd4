/* model/analysis/derived/derived.h - the overlay computed from facts + rules: steps, membership, roles, busy time. Never sealed.
 * Life:    derived_new(trace, options) -> read only -> derived_free. Other options: make another one; columns stay.
 * Threads: read-only after derived_new. Memory: about 5 bytes per event + intervals. */
#ifndef STEPSCOPE_DERIVED_H
#define STEPSCOPE_DERIVED_H
#include "model/analysis/maths/intervals.h"
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include "model/store/trace/trace.h"
#include <stdatomic.h>

enum semantics { SEM_STEPSCOPE, SEM_XPROF, SEM_HTA, SEM_KINETO };
struct derived_opts {
	enum semantics semantics;
	const char *tc_rules;  /* "stepscope", "xprof", "kineto", a file's path; NULL: what belongs to the semantics */
	const char *own_rules; /* the user's file of kernel rules, read before the set "stepscope"; NULL = none */
	const char *own_families;  /* the same for families.rules */
	double parameters;         /* of the model, as the user says; 0 = unknown */
	double link_bytes_per_s;   /* what a link between devices carries, as the user says; 0 = unknown */
	double parameter_bytes;    /* of the weights that an iteration reads, as the user says; 0 = unknown */
	double kv_bytes_per_token; /* of the key-value cache, all layers, as the user says; 0 = unknown */
	const char *shift;         /* "3=+3ms": clocks of ranks moved by hand (comms/clocks.h); NULL = none */
	const char *steps_by; /* PCRE2: host events whose name matches are markers; NULL = the producers' markers */
	/* Rows of the trace from which two threads share what goes device by device (query/halves.h); 0: where it pays. */
	uint32_t halves_from;
};

/* There may be as many as a trace has events: 64 bytes. */
struct step {
	const char *label; /* "8"; "train:5" or "r3:5" where numbers are not unique: step key for --step */
	int64_t number;
	uint32_t name; /* derived_step_name tells it; 0: it has none */
	row_id marker; /* NONE_ID for inferred steps */
	uint32_t process;
	uint32_t host : 30;
	bool inferred : 1;
	bool cut : 1;             /* the trace holds only a part of it: a window was exported that cuts it */
	int64_t start_ns, end_ns; /* of the marker */
	int64_t time_end_ns;      /* of its time, which begins with the marker: see step_times.c */
	int64_t members_end_ns;   /* later of end and the end of the last member: the window --step shows */
};
/* How the steps of a host were come by. Inferred ones: period from start to start (median), tokens of work per step, how much
 * the steps are alike (mean likeness with the typical step, 0..1), and what they follow; else why none were inferred. */
struct step_inference {
	bool inferred;
	bool by_device_time; /* steps are times of the device: its work belongs to them by its start, not its launch */
	bool told;           /* by the data loader or the optimizer: whole steps; of others several may make one */
	int64_t period_ns;
	double regularity;
	uint32_t kernels_per_step;
	uint32_t thread; /* no device worked: the track whose ops repeat; else NONE_ID */
	const char *why;
	bool too_few; /* none were inferred: there is too little that could repeat */
	const char
		*names; /* whose names repeat: "kernels and copies", "ops that launched the work", "ops of the host" */
};
/* The part of a step on one device. first/last are of device work that belongs to the step (by membership). */
struct step_device {
	uint32_t step, device;
	int64_t first_ns, last_ns;
	uint32_t n_work;
	row_id first_row, last_row;
};
enum stream_role { ROLE_COMPUTE = 1, ROLE_H2D = 2, ROLE_D2H = 4, ROLE_D2D = 8, ROLE_COLLECTIVE = 16, ROLE_MEMSET = 32 };

struct derived;
struct derived *derived_new(struct trace *t, const struct derived_opts *o, struct progress *p, struct err *e);
void derived_free(struct derived *d); /* also drops its reference to the trace */
/* What loops over events read, without a call. It opens struct derived, whose rest only its own room knows; read it through
 * the functions below. */
struct derived_public {
	struct trace *t;
	const struct columns *c;
	struct step *steps;
	const char **step_names;
	uint32_t *step_of; /* per row; NONE_ID = none */
	uint32_t n_steps;
	enum semantics semantics;  /* of the options */
	struct step_device *parts; /* sorted by (device, first_ns) */
	uint32_t n_parts;
	/* parts by (step, device): part_order[part_from[step] .. part_from[step + 1]) */
	uint32_t *part_order, *part_from;
	/* once they are made (parents.c): per event so many rows above it is its parent; 0: it has none; PARENT_FAR: it is told elsewhere */
	_Atomic(uint16_t *) up;
};
enum { PARENT_FAR = UINT16_MAX };
static inline const struct derived_public *derived_public(const struct derived *d)
{
	return (const struct derived_public *)d;
}
static inline const struct trace *derived_trace(const struct derived *d)
{
	return derived_public(d)->t;
}
/* Of the events: trace_columns(derived_trace(d)). */
static inline const struct columns *derived_columns(const struct derived *d)
{
	return derived_public(d)->c;
}
const struct derived_opts *derived_options(const struct derived *d);
const char *derived_rules_label(const struct derived *d); /* "stepscope 2026.11" */
const char *derived_default_rules(enum semantics s);      /* "stepscope"; "kineto" for SEM_KINETO */
struct kernel_rules;
const struct kernel_rules *derived_rules(const struct derived *d); /* its own */
/* Another set of the same kernel rules, whose limits are apart. The caller frees it. */
struct kernel_rules *derived_rules_load(const struct derived *d, struct err *e);
struct kernel_facts;
/* What these rules say about the name of a device's event; any number of threads ask. */
const struct kernel_facts *derived_kernel_facts(const struct derived *d, str_id name);
/* Per text the first one that differs from it only by the number at its end, itself where there is none (names/names_like.h). Found when it is
 * first asked for; any thread. */
const str_id *derived_names_like(const struct derived *d);
/* The texts that tell apart what events are called: of names that are alike (derived_names_like) the first, and none of those that only
 * work of a device has. In order of their numbers; found when first asked for; any thread. */
struct name_list {
	uint32_t n;
	struct name_apart {
		str_id name;
		uint32_t kinds; /* bits of those of its events, and of names like it, but for device work */
	} at[];
};
const struct name_list *derived_names_apart(const struct derived *d);
/* By string id what `ask` says of each name, to be freed: names that are alike are asked once, those of device work only are not, and
 * have 0. NULL: all have 0, as is usual of what one looks for. */
uint8_t *derived_ask_names(const struct derived *d, uint8_t (*ask)(struct span name));
struct family_rules;
struct family_memo;
/* Families of its names by `r`, which were loaded from the file of its options; what is found out is kept with `d` for all who ask. */
struct family_memo derived_families(const struct derived *d, const struct family_rules *r);
/* Rules of families with the user's own, read by who asks first; NULL with `e` where these are wrong. They live as long as d. */
const struct family_rules *derived_family_rules(const struct derived *d, struct err *e);

const char *derived_steps_source(const struct derived *d, uint32_t host); /* "ProfilerStep", "inferred", "none", ... */
const struct step_inference *derived_inference(const struct derived *d, uint32_t host);

static inline uint32_t derived_steps(const struct derived *d) /* how many; ordered by (host, start) */
{
	return derived_public(d)->n_steps;
}
static inline const struct step *derived_step(const struct derived *d, uint32_t i)
{
	return &derived_public(d)->steps[i];
}
/* The marker's name without the number: "ProfilerStep", "train"; "" where it has none. Steps of one name have one number for it. */
static inline const char *derived_step_name(const struct derived *d, const struct step *s)
{
	return derived_public(d)->step_names[s->name];
}
static inline uint32_t derived_step_of(const struct derived *d,
				       row_id r) /* index of the event's step, NONE_ID = none */
{
	return derived_public(d)->step_of[r];
}
/* There are steps, and the file has only parts of them: a window was exported that cuts each. */
bool derived_steps_all_cut(const struct derived *d);
static inline const struct step_device *derived_step_devices(const struct derived *d,
							     uint32_t *n) /* sorted by (device, first_ns) */
{
	*n = derived_public(d)->n_parts;
	return derived_public(d)->parts;
}
/* derived_step_device of a step with several parts. */
const struct step_device *derived_step_device_of_many(const struct derived *d, uint32_t step, uint32_t device);
static inline const struct step_device *derived_step_device(const struct derived *d, uint32_t step,
							    uint32_t device) /* or NULL */
{
	const struct derived_public *p = derived_public(d);
	if (step >= p->n_steps || p->part_from[step] == p->part_from[step + 1])
		return NULL;
	if (p->part_from[step + 1] - p->part_from[step] > 1)
		return derived_step_device_of_many(d, step, device);
	const struct step_device *part = &p->parts[p->part_order[p->part_from[step]]];
	return part->device == device ? part : NULL;
}
uint32_t derived_parts_of_device(const struct derived *d,
				 uint32_t device); /* where those of the device begin in that list */
/* The step's parts: derived_step_devices' list[order[0 .. *n)], by device. */
static inline const uint32_t *derived_parts_of_step(const struct derived *d, uint32_t step, uint32_t *n)
{
	const struct derived_public *p = derived_public(d);
	*n = p->part_from[step + 1] - p->part_from[step];
	return p->part_order + p->part_from[step];
}
/* What decides which host events belong to a step: true when they start inside its marker. */
bool derived_step_holds_by_time(const struct derived *d, uint32_t step);
/* The track that the step's marker is on, or, of inferred steps without device work, that whose ops repeat; else NONE_ID. */
uint32_t derived_step_thread(const struct derived *d, uint32_t step);
/* True when the file itself names the events of the step, each with its group. */
bool derived_step_is_group(const struct derived *d, uint32_t step);
/* A byte per step for what a higher room finds out about steps: made by the first thread that asks, while others wait; freed
 * with `d`. Every call passes the same `make`, which returns memory from malloc. */
const uint8_t *derived_phases(const struct derived *d, uint8_t *(*make)(const struct derived *d));
/* What a higher room knows of the trace as a whole: made by the first thread that asks, while others wait; freed with `d`. Every
 * call passes the same `make`, which returns memory from malloc. */
const void *derived_facts(const struct derived *d, void *(*make)(const struct derived *d));
/* What takes long to find out about the whole trace and several analyses of a higher room need: made by the first thread that asks,
 * while others wait; kept and freed with `d`. At most KEPT_MOST makers. */
enum { KEPT_MOST = 8 };
struct kept_maker {
	void *(*make)(const struct derived *d, struct progress *p, struct err *e); /* NULL with `e`: cancelled */
	void (*free)(void *made);
};
/* NULL with `e` when it was cancelled: who asks next makes it again. */
const void *derived_kept(const struct derived *d, const struct kept_maker *maker, struct progress *p, struct err *e);
/* "8", "8..9", "train:5", "last", "slowest" -> indices of the first and last step; false with a usage error that lists what exists */
bool derived_find_steps(const struct derived *d, const char *text, uint32_t *first, uint32_t *last, struct err *e);

const struct intervals *derived_busy_device(const struct derived *d, uint32_t device); /* union of all device work */
const struct intervals *derived_busy_track(const struct derived *d, uint32_t track);   /* same for one stream */
uint32_t derived_role(const struct derived *d, uint32_t track); /* enum stream_role bits; 0 = unknown */
const char *role_text(uint32_t role, char *buf, size_t size);   /* "compute+D2D", "H2D" */
bool derived_is_collective(const struct derived *d, row_id r);  /* NCCL/RCCL/... by rule */
bool derived_any_collective(const struct derived *d);           /* false: no event is one */
/* Copy direction of a device event, from copy details or any spelling of its name; COPY_UNKNOWN when it is no copy. */
enum copy_kind derived_copy_kind(const struct derived *d, row_id r);

/* Framework op of device work: from its own details (tf_op), else the innermost op event that encloses its launch.
 * "" = unknown. */
const char *derived_op(const struct derived *d, row_id r);
uint32_t derived_launch_track(const struct derived *d, uint32_t device); /* thread with most launches for it, NONE_ID */

/* Time inside a window that host events of one track spend themselves (not in their children), largest first. */
struct self_time {
	row_id row; /* the longest single event of that name inside the window */
	str_id name;
	int64_t self_ns; /* clipped to the window */
	uint32_t count;
};
/* Writes the names with the most self time in [a_ns, b_ns) to out, at most max of them; returns how many. */
uint32_t derived_self_times(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, uint32_t max,
			    struct self_time *out);
#endif
