#include "lanes_of.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* Numbers made here begin above those of processes and streams, and fit in the 32 bits that viewers keep. */
static const int64_t first_made = INT64_C(1) << 30;

static bool is_kept(int64_t number)
{
	return number >= 0 && number < first_made;
}

static bool pid_taken(const struct lanes_of *l, int64_t pid, uint32_t processes, uint32_t devices)
{
	for (uint32_t i = 0; i < processes; i++)
		if (l->process[i] == pid)
			return true;
	for (uint32_t i = 0; i < devices; i++)
		if (l->device[i] == pid)
			return true;
	return false;
}

/* As recorded, but for numbers that viewers cut; of several hosts two may have one number. */
static void number_owners(struct lanes_of *l)
{
	uint32_t processes = trace_processes(l->t), devices = trace_devices(l->t);
	for (uint32_t i = 0; i < processes; i++) {
		int64_t pid = trace_process(l->t, i)->pid;
		l->process[i] = !is_kept(pid) || pid_taken(l, pid, i, 0) ? l->next++ : pid;
	}
	for (uint32_t i = 0; i < devices; i++) {
		int64_t pid = trace_device(l->t, i)->ordinal;
		l->device[i] = !is_kept(pid) || pid_taken(l, pid, processes, i) ? l->next++ : pid;
	}
}

static int64_t owner_pid(const struct lanes_of *l, const struct track_info *x)
{
	return x->process != NONE_ID ? l->process[x->process] : x->device != NONE_ID ? l->device[x->device] : 0;
}

/* Streams and threads stand before what shares their numbers. */
static bool tid_taken(const struct lanes_of *l, uint32_t track, int64_t pid, int64_t tid)
{
	for (uint32_t i = 0; i < trace_tracks(l->t); i++) {
		const struct track_info *x = trace_track(l->t, i);
		bool first = x->kind == TRACK_STREAM || x->kind == TRACK_THREAD || i < track;
		if (i != track && first && owner_pid(l, x) == pid && x->key == tid)
			return true;
	}
	return false;
}

bool lanes_of_own_number(const struct lanes_of *l, uint32_t track)
{
	const struct track_info *x = trace_track(l->t, track);
	return x->kind == TRACK_THREAD || x->kind == TRACK_STREAM ||
	       (x->kind == TRACK_STREAM_LANE && !tid_taken(l, track, owner_pid(l, x), x->key));
}

/* Perfetto takes thread 0 for the one whose number is the process's. */
static bool must_renumber(const struct lanes_of *l, uint32_t track, int64_t pid)
{
	const struct track_info *x = trace_track(l->t, track);
	bool beside = x->kind == TRACK_STREAM_LANE || x->kind == TRACK_OTHER;
	return !is_kept(x->key) || (beside && tid_taken(l, track, pid, x->key)) ||
	       (!x->key && pid && tid_taken(l, track, pid, pid));
}

static void number_tracks(struct lanes_of *l)
{
	for (uint32_t i = 0; i < trace_tracks(l->t); i++) {
		const struct track_info *x = trace_track(l->t, i);
		int64_t pid = owner_pid(l, x);
		l->track[i] = (struct thread_number){pid, must_renumber(l, i, pid) ? l->next++ : x->key};
	}
}

static uint32_t lane_row(const struct trace *t, row_id r)
{
	const struct columns *c = trace_columns(t);
	return c->disp[r] > c->depth[r] ? (uint32_t)(c->disp[r] - c->depth[r]) : 0;
}

static struct extra_lane *find_extra(const struct lanes_of *l, uint32_t track, uint32_t row)
{
	for (uint32_t i = l->n_extra; i-- > 0 && l->extra[i].track >= track;)
		if (l->extra[i].track == track && l->extra[i].row == row)
			return &l->extra[i];
	return NULL;
}

static void number_overlaps(struct lanes_of *l)
{
	for (uint32_t i = 0; i < trace_tracks(l->t); i++) {
		const struct track_info *x = trace_track(l->t, i);
		for (uint64_t r = x->first; x->overlaps && x->kind != TRACK_ASYNC && r < x->first + x->n; r++) {
			uint32_t row = lane_row(l->t, (row_id)r);
			if (!row || find_extra(l, i, row))
				continue;
			GROW_ARRAY(l->extra, l->n_extra, l->cap_extra);
			l->extra[l->n_extra++] = (struct extra_lane){i, row, l->next++};
		}
	}
}

void lanes_of_new(struct lanes_of *l, const struct trace *t)
{
	*l = (struct lanes_of){.t = t, .next = first_made};
	l->track = must(calloc((size_t)trace_tracks(t) + 1, sizeof *l->track));
	l->process = must(calloc((size_t)trace_processes(t) + 1, sizeof *l->process));
	l->device = must(calloc((size_t)trace_devices(t) + 1, sizeof *l->device));
	number_owners(l);
	number_tracks(l);
	number_overlaps(l);
}

void lanes_of_free(struct lanes_of *l)
{
	free(l->track);
	free(l->process);
	free(l->device);
	free(l->extra);
	*l = (struct lanes_of){0};
}

struct thread_number lanes_of_event(const struct lanes_of *l, row_id r)
{
	uint32_t track = trace_columns(l->t)->track[r];
	struct thread_number n = l->track[track];
	uint32_t row = trace_track(l->t, track)->overlaps ? lane_row(l->t, r) : 0;
	const struct extra_lane *x = row ? find_extra(l, track, row) : NULL;
	if (x)
		n.tid = x->tid;
	return n;
}
