#include "lanes.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDED_STREAM = 4, FOLDED_THREAD = 6, FOLDED_OTHER = 2, ROOM_FOR_OPS = 8 };

static struct lane *add(struct lanes *l, enum lane_kind kind, uint32_t owner)
{
	GROW_ARRAY(l->at, l->n, l->cap);
	l->at[l->n] = (struct lane){.kind = kind, .owner = owner, .track = NONE_ID};
	return &l->at[l->n++];
}

static uint32_t rows_shown(const struct lanes *l, uint32_t track, const struct track_info *info)
{
	uint32_t limit = info->kind == TRACK_STREAM   ? FOLDED_STREAM
			 : info->kind == TRACK_THREAD ? FOLDED_THREAD
						      : FOLDED_OTHER;
	/* lanes_build raises this while the screen has rows left */
	limit += l->deeper;
	return l->unfolded[track] || info->n_rows < limit ? info->n_rows : limit;
}

static void add_track(struct lanes *l, uint32_t track, uint32_t owner, bool under)
{
	const struct track_info *info = trace_track(derived_trace(l->d), track);
	bool counter = info->kind == TRACK_COUNTER;
	if (!info->n && !counter)
		return;
	uint32_t shown = counter ? 1 : rows_shown(l, track, info);
	for (uint32_t disp = 0; disp < shown; disp++) {
		struct lane *row = add(l, LANE_ROW, owner);
		row->track = track;
		row->disp = disp;
		row->under = under;
		row->hidden = disp + 1 == shown && info->n_rows > shown ? info->n_rows - shown : 0;
	}
}

static void add_op_lane(struct lanes *l, uint32_t device, uint32_t track, uint32_t level)
{
	struct lane *lane = add(l, LANE_OP, device);
	lane->track = track;
	lane->disp = level;
}

/* What the stream's kernels say of their ops: one lane as a rule, none where lanes are few, the scopes' where there is room.
 * Phases of training have theirs behind the op's. */
static void add_op_lanes(struct lanes *l, uint32_t device, uint32_t track)
{
	uint32_t named = l->ops[track].levels, most = named + (l->ops[track].modules ? 1 : 0),
		 shown = l->room < ROOM_FOR_OPS ? 0 : 1 + l->deeper;
	shown = l->unfolded[track] || shown > most ? most : shown;
	bool phases = l->ops[track].phases && (l->room >= ROOM_FOR_OPS || l->unfolded[track]);
	for (uint32_t level = 0; level < shown; level++) {
		add_op_lane(l, device, track, level < named ? level : OP_LANE_MODULE);
		if (phases && !level)
			add_op_lane(l, device, track, OP_LANE_PHASE);
	}
	if (phases && !shown)
		add_op_lane(l, device, track, OP_LANE_PHASE);
	l->left_out |= l->room >= ROOM_FOR_OPS && most > shown; /* else more room would show none either */
}

/* Op and annotation lanes of one stream stand directly under it. */
static void add_stream_lanes(struct lanes *l, uint32_t device, int64_t key)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		if (info->kind == TRACK_STREAM_LANE && info->device == device && info->key == key)
			add_track(l, i, device, true);
	}
}

static bool has_stream(const struct trace *t, uint32_t device, int64_t key)
{
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		if (info->kind == TRACK_STREAM && info->device == device && info->key == key)
			return true;
	}
	return false;
}

static void add_device(struct lanes *l, uint32_t device)
{
	const struct trace *t = derived_trace(l->d);
	/* the heading is taken back when nothing follows it */
	uint32_t head = l->n;
	add(l, LANE_DEVICE, device);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		if (info->device != device || info->kind != TRACK_STREAM)
			continue;
		add_track(l, i, device, false);
		add_op_lanes(l, device, i);
		add_stream_lanes(l, device, info->key);
	}
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		bool placed = info->kind == TRACK_STREAM ||
			      (info->kind == TRACK_STREAM_LANE && has_stream(t, device, info->key));
		if (info->device == device && !placed)
			add_track(l, i, device, false); /* lanes of the device as a whole */
	}
	if (l->n == head + 1)
		l->n = head; /* a device without anything to show */
}

static bool launches(const struct lanes *l, uint32_t track)
{
	for (uint32_t d = 0; d < trace_devices(derived_trace(l->d)); d++)
		if (derived_launch_track(l->d, d) == track)
			return true;
	return false;
}

/* first: the threads that feed devices; then everything else of the process. */
static void add_host_tracks(struct lanes *l, uint32_t process, bool first)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		if (info->device == NONE_ID && info->process == process && launches(l, i) == first)
			add_track(l, i, process, false);
	}
}

static void add_process(struct lanes *l, uint32_t process)
{
	uint32_t head = l->n;
	add(l, LANE_PROCESS, process);
	add_host_tracks(l, process, true);
	add_host_tracks(l, process, false);
	if (l->n == head + 1)
		l->n = head;
}

/* Counters are drawn relative to their highest sample; found once, not per frame. */
static void find_highest(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct sample *at;
		uint64_t n = trace_track(t, i)->kind == TRACK_COUNTER ? trace_samples(t, i, &at) : 0;
		for (uint64_t k = 0; k < n; k++)
			l->sample_max[i] = at[k].value > l->sample_max[i] ? at[k].value : l->sample_max[i];
	}
}

static void find_ops(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	bool *recorded = must(calloc(trace_devices(t) + 1, sizeof *recorded));
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (op_lane_recorded(t, i))
			recorded[trace_track(t, i)->device] = true;
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		/* a device whose producer recorded lanes of ops needs none of ours */
		if (trace_track(t, i)->kind == TRACK_STREAM && !recorded[trace_track(t, i)->device])
			l->ops[i] = op_lanes_of(l->d, i);
	free(recorded);
}

void lanes_init(struct lanes *l, const struct derived *d)
{
	uint32_t n = trace_tracks(derived_trace(d)) + 1;
	*l = (struct lanes){.d = d, .unfolded = calloc(n, sizeof(bool)), .sample_max = calloc(n, sizeof(double))};
	l->ops = calloc(n, sizeof *l->ops);
	if (!l->unfolded || !l->sample_max || !l->ops)
		memory_exhausted();
	find_ops(l);
	l->phases = trace_devices(derived_trace(d)) ? phases_new(d, NULL) : NULL;
	for (uint32_t i = 0; l->phases && i + 1 < n; i++)
		op_lanes_phases(&l->ops[i], d, i, l->phases);
	find_highest(l);
	lanes_build(l);
}

static bool feeds(const struct lanes *l, uint32_t process)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t d = 0; d < trace_devices(t); d++) {
		uint32_t track = derived_launch_track(l->d, d);
		if (track != NONE_ID && trace_track(t, track)->process == process)
			return true;
	}
	return false;
}

static void build(struct lanes *l, uint32_t deeper)
{
	const struct trace *t = derived_trace(l->d);
	l->n = 0;
	l->left_out = false;
	l->deeper = deeper;
	for (uint32_t i = 0; i < trace_devices(t); i++)
		add_device(l, i);
	/* devices, then the processes that feed them, then the others: a gap and its cause stand near each other */
	for (int first = 1; first >= 0; first--)
		for (uint32_t i = 0; i < trace_processes(t); i++)
			if (feeds(l, i) == (first == 1))
				add_process(l, i);
	add_process(l, NONE_ID);
}

static bool hides_rows(const struct lanes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].hidden)
			return true;
	return l->left_out;
}

/* One row more of everything that is folded, until the screen is full; the last round may be one too many. */
void lanes_build(struct lanes *l)
{
	build(l, 0);
	while (l->n < l->room && hides_rows(l))
		build(l, l->deeper + 1);
	if (l->n > l->room && l->deeper)
		build(l, l->deeper - 1);
}

void lanes_fill(struct lanes *l, uint32_t room)
{
	l->room = room;
	lanes_build(l);
}

void lanes_free(struct lanes *l)
{
	free(l->at);
	free(l->unfolded);
	free(l->sample_max);
	free(l->ops);
	phases_free(l->phases);
	*l = (struct lanes){0};
}

void lanes_toggle(struct lanes *l, uint32_t track)
{
	l->unfolded[track] = !l->unfolded[track];
	lanes_build(l);
}

static uint32_t find(const struct lanes *l, uint32_t track, uint32_t disp)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].kind == LANE_ROW && l->at[i].track == track && l->at[i].disp == disp)
			return i;
	return NONE_ID;
}

uint32_t lanes_find(struct lanes *l, uint32_t track, uint32_t disp)
{
	uint32_t at = find(l, track, disp);
	if (at != NONE_ID || track >= trace_tracks(derived_trace(l->d)) || l->unfolded[track])
		return at;
	/* it lies in a part that is folded away: what is asked for is shown */
	lanes_toggle(l, track);
	return find(l, track, disp);
}

uint32_t lanes_step(const struct lanes *l, uint32_t at, int direction)
{
	for (uint32_t i = at + (uint32_t)direction; i < l->n; i += (uint32_t)direction)
		if (l->at[i].kind == LANE_ROW)
			return i;
	return at;
}

/* ---- labels ------------------------------------------------------------------------------------------------------- */

static const char *process_label(const struct trace *t, uint32_t process, char *buf, size_t size)
{
	if (process == NONE_ID) {
		snprintf(buf, size, "other");
		return buf;
	}
	const struct process *p = trace_process(t, process);
	const char *name = trace_str(t, p->name);
	/* numbers made for processes that the file names by text say nothing */
	if (p->pid < 0 || p->pid > UINT32_MAX)
		snprintf(buf, size, "%s", *name ? name : "other");
	else
		snprintf(buf, size, "%s %" PRId64, *name ? name : "process", p->pid);
	return buf;
}

static void stream_label(const struct derived *d, uint32_t track, const char *name, char *buf, size_t size)
{
	char role[64];
	uint32_t bits = derived_role(d, track);
	const char *what = bits ? role_text(bits, role, sizeof role) : "";
	snprintf(buf, size, "%s%s%s", name, *what ? " " : "", what);
}

/* The name without the words that the group's head already says. */
static void track_name(const struct trace *t, uint32_t track, char *buf, size_t size)
{
	const struct track_info *info = trace_track(t, track);
	const char *name = trace_str(t, info->name), *lane = trace_str(t, info->lane);
	if (*name)
		snprintf(buf, size, "%s", name);
	else if (info->kind == TRACK_STREAM)
		snprintf(buf, size, "stream %" PRId64, info->key);
	else if (info->kind == TRACK_THREAD)
		snprintf(buf, size, "thread %" PRId64, info->key);
	else if (*lane)
		snprintf(buf, size, "%s", lane);
	else
		snprintf(buf, size, "%s %" PRId64, track_kind_name(info->kind), info->key);
}

/* What the name does not say. */
static const char *what_it_is(const struct trace *t, const struct track_info *info)
{
	if (info->derived_by_producer)
		return " (derived)";
	return info->kind == TRACK_THREAD && !derived_is_thread(t, info) ? " (no thread)" : "";
}

static const char *row_label(const struct lanes *l, const struct lane *row, char *buf, size_t size)
{
	const struct trace *t = derived_trace(l->d);
	const struct track_info *info = trace_track(t, row->track);
	char name[128];
	if (row->disp > 0) {
		buf[0] = 0;
		if (row->hidden)
			snprintf(buf, size, "  +%" PRIu32 " rows: z", row->hidden);
		return buf;
	}
	track_name(t, row->track, name, sizeof name);
	if (info->kind == TRACK_STREAM)
		stream_label(l->d, row->track, name, buf, size);
	else if (row->under)
		snprintf(buf, size, "\xe2\x94\x94 %s%s", name, what_it_is(t, info));
	else
		snprintf(buf, size, "%s%s", name, what_it_is(t, info));
	return buf;
}

const char *lane_label(const struct lanes *l, uint32_t at, char *buf, size_t size)
{
	const struct lane *row = &l->at[at];
	const struct trace *t = derived_trace(l->d);
	if (row->kind == LANE_DEVICE)
		return trace_device_label(t, row->owner, buf, size);
	if (row->kind == LANE_PROCESS)
		return process_label(t, row->owner, buf, size);
	if (row->kind == LANE_OP) {
		snprintf(buf, size, "\xe2\x94\x94 %s (derived)", op_lane_name(row->disp));
		return buf;
	}
	return row_label(l, row, buf, size);
}
