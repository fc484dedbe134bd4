/* model/analysis/derived/derived_data.h - the inside of `struct derived`, for the files of this room.
 * Build order: names (roles.c) -> steps found (steps_find.c) -> host members -> device members (membership.c)
 *              -> labels (step_labels.c) -> parts on devices; busy time and roles beside the steps, on a thread of their own
 *              where there is a second core. Gaps come on first use. */
#ifndef STEPSCOPE_DERIVED_DATA_H
#define STEPSCOPE_DERIVED_DATA_H
#include "climb.h"
#include "derived.h"
#include "gaps.h"
#include "rows.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/store/base/arena.h"
#include "model/store/base/idmap.h"
#include <pthread.h>
#include <stdatomic.h>

/* How the events of a host find their step. */
enum step_style {
	STYLE_NONE,    /* no markers */
	STYLE_CONTAIN, /* a marker owns what starts inside it in its process */
	STYLE_GRAPH,   /* roots own what they reach: nesting, launches, producers and consumers */
	STYLE_GROUPS   /* the file says it per event */
};
/* Idle time between two events; everything else about the gap follows from them. */
struct gap_pair {
	row_id before, after;
};
/* The idle times of one device or stream: what lies between its busy times. */
struct gap_run {
	enum gap_scope scope;
	uint32_t device, track;      /* track: NONE_ID for a device */
	uint32_t first, n;           /* ids */
	const struct interval *busy; /* n + 1 of them */
};
struct kept_gap;
/* What lies around the idle times with ids [first, end), all of one scope; made when it pays. */
struct gap_pairs {
	_Atomic(struct gap_pair *) at;
	atomic_uint asked;
	uint32_t first, end;
};
/* Of the events of kind op that carry a name how many, the earliest, and the track of the last one. */
struct name_use {
	uint32_t ops;
	row_id first_op; /* with ops > 0 */
	uint32_t track;
};
struct gap_store {
	struct step_gaps steps;
	uint32_t *ids, *of_device; /* of each device those it has: ids[of_device[device] .. of_device[device + 1]) */
	struct gap_run *runs;      /* devices, then streams */
	struct gap_pairs pairs[GAP_SCOPES];
	uint32_t n_of_hosts, n_runs, n_idle;
	struct rank *ranked;      /* those that rank (steps, else devices), longest first; NULL: not needed yet */
	struct gap_span *longest; /* the first of these; NULL: not needed yet */
	uint32_t n_ranked, n_longest, n_candidates;
	struct kept_gap *kept; /* idle times that were handed out as pointers */
	atomic_bool built;
};
struct derived {
	struct derived_public pub; /* first: derived.h reads it without knowing the rest */
	struct derived_opts opts;
	struct kernel_rules *rules;
	struct arena mem; /* names and labels of steps, small arrays */

	atomic_bool names_known; /* both of these are there; lazy_lock is held while they are made */
	uint8_t *name_class;     /* per text: what device work of that name is, see roles.c */
	bool any_collective;     /* a name of device work is a collective's */
	struct kernel_facts
		*kernel_facts; /* by text, of those before n_kernel_facts; known of the names of device work */
	uint32_t n_kernel_facts;
	struct family_answers *families;   /* per text, filled by who asks */
	struct family_rules *family_rules; /* NULL: nobody asked yet */
	uint32_t cap_steps;
	uint32_t n_step_names, cap_step_names; /* the first is "" */
	struct idmap step_name_ids;            /* by hash of the name */
	uint8_t *style;                        /* per host: enum step_style */
	const char **source;                   /* per host: by which rule, in words */
	struct step_inference *inference;      /* per host */
	str_id step_begins;                    /* work at which inferred steps begin; 0: none were inferred yet */
	_Atomic(uint8_t *) phases;             /* per step, made when asked for */
	_Atomic(struct job_steps *) job_steps; /* likewise */
	_Atomic(str_id *) names_like;          /* per text, likewise */
	_Atomic(struct name_list *) apart;     /* likewise */
	_Atomic(void *) facts;                 /* the same, of the whole trace */
	struct kept_slot {
		const struct kept_maker *maker; /* NULL: free */
		void *made;
	} kept[KEPT_MOST];
	pthread_mutex_t kept_lock; /* held while one is made, which may ask for all that lazy_lock guards */

	struct track_index {
		uint32_t *tracks, *from;            /* of key i: tracks[from[i] .. from[i + 1]) */
	} streams, host_tracks;                     /* with work, by device; by process */
	struct intervals *busy_track, *busy_device; /* the former per track of devices */
	struct intervals *pauses, *off;             /* per host; per device */
	uint8_t *role;                              /* per track */
	uint32_t *launch_track;                     /* per device */

	pthread_mutex_t gap_lock,
		lazy_lock; /* while the gaps are made; while anything else is that waits for its first use */
	struct gap_store gaps;
	struct climb ops;                  /* for op_of_event */
	_Atomic(struct parents *) parents; /* parents.c */
	atomic_uint parents_asked;
	_Atomic(struct cause_names *) causes; /* what names tell about idle time, see cause_names.c */
	_Atomic(struct first_calls *) firsts; /* first_calls.c */
	struct name_use *name_uses;           /* by text, of those before n_name_uses, filled by steps_find, */
	uint32_t *name_kinds;                 /* and of what carries it, but for device work, bits of the kinds */
	uint32_t n_name_uses;
};

/* cause_names.c */
void causes_free(struct derived *d);
/* parents.c; NULL is fine */
void parents_free(struct parents *p);
/* first_calls.c */
void first_calls_free(struct derived *d);
/* roles.c */
void names_need(struct derived *d);  /* classifies the names of device work, unless another thread did or does */
void roles_alloc(struct derived *d); /* before roles_build, which takes nothing from the arena */
void roles_build(struct derived *d); /* needs the names only */
/* busy.c */
void tracks_index(struct derived *d);
void busy_alloc(struct derived *d); /* before busy_build, which takes nothing from the arena */
void busy_build(struct derived *d); /* needs the streams only */
void busy_free(struct derived *d);
/* pauses.c */
void pauses_alloc(struct derived *d); /* before pauses_find, which takes nothing from the arena */
void pauses_find(struct derived *d);  /* needs the steps settled */
void pauses_of_devices(struct derived *d);
void pauses_free(struct derived *d);
/* steps_find.c: fills steps (marker, number, name, owner; not yet sorted), style and step_of of host events.
 * False with a usage error when steps_by is no pattern. */
bool steps_find(struct derived *d, struct err *e);
/* Facts of the marker; not yet added; label: as step_name_from, where that is its number. */
struct step step_of_marker(struct derived *d, uint32_t host, row_id marker);
uint32_t steps_add(struct derived *d, const struct step *s);
/* The number of a step's name. */
uint32_t step_name_id(struct derived *d, const char *text, size_t n);
/* Splits "train 12" into name and number; label: the number's digits as they stand there, NULL where they begin with a zero. */
void step_name_from(struct derived *d, struct step *s, const char *text);
/* step_graph.c: roots[n] in the order in which they claim events; a root that claims itself becomes a step. */
void graph_group(struct derived *d, uint32_t host, const row_id *roots, uint32_t n);
/* step_marks.h's annotations, step_annotated.c: steps of the first family that occurs often enough; false = none does. */
bool marks_make(struct derived *d, uint32_t host, const row_id *rows, const uint8_t *marks, uint32_t n);
/* step_infer.c: steps from what repeats; says in d->inference what was found, or why nothing. */
void steps_infer(struct derived *d, uint32_t host);
/* step_groups.c */
void groups_read(struct derived *d, uint32_t host);
/* step_lanes.c: steps of the lane "Steps" of the host's devices; false = there is none, or no work below it. */
bool lanes_read(struct derived *d, uint32_t host);
/* membership.c */
void contain_members(struct derived *d, uint32_t host); /* host events that no step owns yet */
void device_members(struct derived *d);
void steps_settle(struct derived *d); /* drops steps that are none, sorts, renumbers, measures */
/* step_times.c */
void steps_time(struct derived *d); /* when all is settled and pauses are known: how long each step lasts */
void parts_build(struct derived *d);
void steps_cut(struct derived *d); /* step_cut.c: of which the file holds only a part; when all is settled */
/* step_labels.c */
void steps_label(struct derived *d);
/* gaps.c */
void gaps_free(struct derived *d);
struct gap_span gaps_span(const struct gap_store *s, uint32_t id);
bool gaps_get(const struct derived *d, uint32_t id, struct gap *out); /* false: no such id */
/* gap_in_step_gap, also while the store is built. */
uint32_t gaps_around(const struct derived *d, const struct gap_span *span);
uint32_t gaps_device(const struct gap_store *s, uint32_t id); /* of idle time */
#endif
