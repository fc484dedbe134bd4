/* importers/chrome/identities.h - the processes and threads of one file, and the tracks their events go to.
 * Why:  (pid, tid) names a host thread for some events and a device stream for others, sometimes with the same numbers;
 *       names arrive in metadata entries anywhere in the file. So an identity holds both tracks, made when first needed,
 *       and names are applied at the end. */
#ifndef STEPSCOPE_IDENTITIES_H
#define STEPSCOPE_IDENTITIES_H
#include "category.h"
#include "scan.h"
#include "model/store/base/row_index.h"
#include "model/store/ingest/ingest.h"

struct proc {
	int64_t id;  /* as in the file; comes first: the index looks for it there */
	int64_t pid; /* as shown */
	str_id text; /* a pid that is a text ("Spans") */
	str_id name, labels;
	struct process_name parsed;
	uint32_t process; /* ingest's id, NONE_ID until a host track needs it */
	uint32_t host;    /* ingest's id */
};
/* Which device of which host the events of a file of several hosts mean by a number. */
struct device_number {
	int64_t number, ordinal;
	uint32_t host;
};
struct identity_key {
	int64_t pid, tid;
};
struct identity {
	struct identity_key id; /* comes first: the index looks for it there */
	uint32_t proc;
	str_id text; /* a tid that is a text */
	str_id name; /* thread_name */
	int64_t sort;
	int64_t stream; /* from the tid's text or the thread's name, UNKNOWN_I64 = none */
	bool is_stream, compute;
	uint32_t same_as; /* what is said of this one is said of that one; NONE_ID = itself */
	str_id lane;      /* its events are no thread's but of a lane beside them, called so; 0: a thread's */
	bool lane_derived;
	uint32_t host_track, stream_track; /* NONE_ID = not met */
	uint32_t lane_track;               /* the last one beside a stream; NONE_ID = not met */
	/* the last stream looked up for this identity */
	int64_t last_device, last_stream;
	uint32_t last_track;
};
struct identities {
	struct ingest *in;
	uint32_t host;
	struct proc *procs;
	struct identity *idents;
	uint32_t n_procs, n_idents, cap_procs, cap_idents;
	struct row_index index, proc_index; /* of idents, of procs */
	uint32_t last;                      /* ident of the last look-up */
	int64_t *devices;                   /* ordinals met */
	uint32_t n_devices, cap_devices;
	struct device_number *numbers;
	uint32_t n_numbers, cap_numbers;
	bool host_told;           /* one of several hosts has taken the place of the file's own */
	struct strings *text_ids; /* ids that are texts, counted from 1 in order of first use */
};
/* in must outlive w; host: ingest's id of the host that the processes run on. */
void identities_init(struct identities *w, struct ingest *in, uint32_t host);
void identities_free(struct identities *w);

/* Finds or makes. Absent ids count as 0. */
uint32_t identities_find(struct identities *w, const struct value *pid, const struct value *tid);
/* The one found last, if these whole numbers name it again, as they mostly do; else NONE_ID. */
static inline uint32_t identities_again(const struct identities *w, const struct value *pid, const struct value *tid)
{
	if (w->last == NONE_ID || !(pid->flags & tid->flags & NUMBER_READ) || pid->places || tid->places)
		return NONE_ID;
	const struct identity_key *last = &w->idents[w->last].id;
	return last->pid == (int64_t)pid->whole && last->tid == (int64_t)tid->whole ? w->last : NONE_ID;
}
static inline struct identity *identity_at(const struct identities *w, uint32_t ident)
{
	return &w->idents[ident];
}
static inline struct proc *identity_proc(const struct identities *w, uint32_t ident)
{
	return &w->procs[w->idents[ident].proc];
}

/* ascend.c: the process whose calls a layer of that number holds. */
int64_t ascend_process_of_calls(int64_t pid);

uint32_t identity_host_track(struct identities *w, uint32_t ident);
uint32_t identity_stream_track(struct identities *w, uint32_t ident, int64_t device, int64_t stream);
/* A lane beside a stream or device: never holds device work. */
uint32_t identities_lane(struct identities *w, int64_t device, int64_t key, const char *lane, bool derived);
uint32_t identity_side_track(struct identities *w, uint32_t ident, enum track_kind kind, int64_t key, str_id lane);

void identity_set_thread_name(struct identities *w, uint32_t ident, struct span name);
/* A thread that a viewer was given for events that overlap: all of it belongs to thread `tid` of the same process. */
void identity_set_same_as(struct identities *w, uint32_t ident, int64_t tid);
/* The process runs on that host; a negative ordinal: it is one, else it stands for that device, whose number its pid is. */
void identity_set_host(struct identities *w, uint32_t ident, struct span host, int32_t rank, int64_t ordinal);
uint32_t identities_device(const struct identities *w, int64_t number); /* ingest's id */
/* The process has no number of its own: the one in the file was made. */
void identity_hide_pid(struct identities *w, uint32_t ident);
/* Its number is that one, which viewers do not keep. */
void identity_set_pid(struct identities *w, uint32_t ident, int64_t pid);
void identity_set_process_name(struct identities *w, uint32_t ident, struct span name);
bool identities_have_device(const struct identities *w, int64_t ordinal); /* a track of this file is on it */
void identities_apply_names(struct identities *w);                        /* at the end of the file */
#endif
