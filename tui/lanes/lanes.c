#include "lanes_private.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include "tui/text/config.h"
#include <stdlib.h>
#include <string.h>

enum { FOLDED_STREAM = 4, FOLDED_THREAD = 6, FOLDED_OTHER = 2 };

static inline __attribute__((always_inline)) struct lane *add(struct lanes *l, enum lane_kind kind, uint32_t owner)
{
	GROW_ARRAY(l->at, l->n, l->cap);
	l->at[l->n] = (struct lane){.kind = kind, .owner = owner, .track = NONE_ID};
	return &l->at[l->n++];
}

/* Lanes that a folded track has at most. */
static uint32_t limit_of(const struct lanes *l, const struct track_info *info)
{
	uint32_t limit = info->kind == TRACK_STREAM   ? FOLDED_STREAM
			 : info->kind == TRACK_THREAD ? FOLDED_THREAD
						      : FOLDED_OTHER;
	/* lanes_build raises this while the screen has rows left */
	return limit + l->deeper;
}

/* How many lanes the track could have, and into l->shown all of them; more than `most` only where a row is asked for. */
static uint32_t all_rows(struct lanes *l, uint32_t track, const struct track_info *info, uint32_t most)
{
	const struct track_rows *rows = lane_rows_of(&l->rows, track);
	uint32_t n = 0;
	if (!l->unfolded[track] && rows->n)
		return l->ask.track == track && l->ask.disp != NONE_ID
			       ? lane_rows_asked(rows, l->ask.disp, l->shown)
			       : lane_rows_shown(rows, l->apart ? 0 : l->col_ns,
						 l->ask.track == track ? UINT32_MAX : most, l->shown);
	for (; n < info->n_rows; n++)
		l->shown[n] = (struct shown_row){n, 1, ROW_PLAIN};
	return n;
}

/* The first lane that a folded track shows: 0, or one above the row that is asked for. */
static uint32_t first_shown(const struct lanes *l, uint32_t track, uint32_t n, uint32_t limit)
{
	uint32_t at = 0;
	while (l->ask.track == track && at + 1 < n && l->shown[at].disp < l->ask.disp)
		at++;
	if (at + 1 < limit || n <= limit)
		return 0;
	return at - 1 < n - limit ? at - 1 : n - limit;
}

static void add_row(struct lanes *l, uint32_t track, uint32_t owner, bool under, const struct shown_row *from)
{
	struct lane *row = add(l, LANE_ROW, owner);
	row->track = track;
	row->disp = from->disp;
	row->count = from->count;
	row->look = from->look;
	row->under = under;
}

/* Hidden, or shown above all others. */
static bool is_away(const struct lanes *l, uint32_t track)
{
	return l->shut[track] || (l->n_pins && lanes_pinned(l, track));
}

/* A counter has no display rows, but a lane. Most tracks of very many have one row. */
static void add_rows(struct lanes *l, uint32_t track, uint32_t owner, bool under)
{
	static const struct shown_row only = {.count = 1};
	const struct track_info *info = trace_track(derived_trace(l->d), track);
	if (info->kind == TRACK_COUNTER || (info->n_rows == 1 && info->n)) {
		add_row(l, track, owner, under, &only);
		return;
	}
	uint32_t limit = limit_of(l, info), n = info->n ? all_rows(l, track, info, limit + 1) : 0;
	limit = l->unfolded[track] ? n : limit;
	uint32_t first = first_shown(l, track, n, limit), end = n - first < limit ? n : first + limit;
	for (uint32_t i = first; i < end; i++) {
		add_row(l, track, owner, under, &l->shown[i]);
		l->at[l->n - 1].above = i == first + 1 ? (uint16_t)l->shown[first].disp : 0;
		l->at[l->n - 1].hidden = i + 1 == end && end < n ? (uint16_t)(info->n_rows - l->shown[end].disp) : 0;
	}
}

static void add_track(struct lanes *l, uint32_t track, uint32_t owner, bool under)
{
	if (!is_away(l, track))
		add_rows(l, track, owner, under);
}

static void add_pins(struct lanes *l)
{
	for (uint32_t i = 0; i < l->n_pins; i++) {
		const struct track_info *info = trace_track(derived_trace(l->d), l->pins[i]);
		if (!l->shut[l->pins[i]])
			add_rows(l, l->pins[i], info->device != NONE_ID ? info->device : info->process, false);
	}
}

/* Streams are what is looked at most. */
static void add_stream(struct lanes *l, uint32_t track, uint32_t device)
{
	uint32_t first = l->n;
	add_track(l, track, device, false);
	if (!l->tall || l->n != first + 1)
		return;
	l->at[first].tall = true;
	struct lane *lower = add(l, LANE_LOWER, device);
	lower->track = track;
}

/* A device and the thread that is asked for are brought together. */
static bool is_near(const struct lanes *l)
{
	return l->ask.track != NONE_ID && l->ask.device != NONE_ID;
}

static void add_op_lane(struct lanes *l, uint32_t device, uint32_t track, uint32_t level)
{
	struct lane *lane = add(l, LANE_OP, device);
	lane->track = track;
	lane->disp = level;
}

/* What the stream's kernels say of their ops: one lane as a rule, none where lanes are few, the scopes' where there is room.
 * Phases of training have theirs after the op's. */
static void add_op_lanes(struct lanes *l, uint32_t device, uint32_t track)
{
	const struct op_lanes *ops = lanes_ops(l, track);
	uint32_t named = ops->levels, most = named + (ops->modules ? 1 : 0),
		 shown = l->room < ROOM_FOR_OPS ? 0 : 1 + l->deeper;
	if (is_away(l, track))
		return;
	shown = l->unfolded[track] || shown > most ? most : shown;
	bool phases = ops->phases && (l->room >= ROOM_FOR_OPS || l->unfolded[track]);
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
static void add_stream_lanes(struct lanes *l, uint32_t device, uint32_t stream)
{
	const struct trace *t = derived_trace(l->d);
	int64_t key = trace_track(t, stream)->key;
	for (uint32_t i = stream + 1; i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		if (info->device != device || info->key != key)
			return;
		if (info->kind == TRACK_STREAM_LANE)
			add_track(l, i, device, true);
	}
}

/* The stream that a lane belongs to stands before it. */
static bool has_stream(const struct trace *t, uint32_t lane)
{
	const struct track_info *its = trace_track(t, lane);
	for (uint32_t i = lane; i-- > 0;) {
		const struct track_info *info = trace_track(t, i);
		if (info->device != its->device || info->key != its->key)
			return false;
		if (info->kind == TRACK_STREAM)
			return true;
	}
	return false;
}

/* Its streams [from, to), counted from 0. */
static void add_streams(struct lanes *l, uint32_t device, uint32_t from, uint32_t to)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t end = trace_tracks(t);
	for (uint32_t at = l->first_of_device[device], n = 0; at < end && trace_track(t, at)->device == device; at++) {
		uint32_t i = l->order[at];
		if (trace_track(t, i)->kind != TRACK_STREAM)
			continue;
		bool asked = n >= from && n < to;
		n++;
		if (!asked)
			continue;
		add_stream(l, i, device);
		/* what explains a stream gives way where the gap and what filled it would not fit on the screen otherwise */
		if (is_near(l) && device == l->ask.device && !l->unfolded[i])
			continue;
		add_op_lanes(l, device, i);
		add_stream_lanes(l, device, i);
	}
}

/* Its heading and streams [from, to), and what is the device's as a whole after the last one. */
static void add_device(struct lanes *l, uint32_t device, uint32_t from, uint32_t to)
{
	const struct trace *t = derived_trace(l->d);
	/* the heading is taken back when nothing follows it */
	uint32_t head = l->n;
	add(l, LANE_DEVICE, device);
	if (!from && l->groups.on) /* the first one of a group can be selected */
		l->at[head].track = l->groups.track[device];
	add_streams(l, device, from, to);
	if (to == UINT32_MAX && l->room >= ROOM_FOR_OPS && l->memory[device])
		add(l, LANE_MEMORY, device);
	uint32_t n = to == UINT32_MAX ? trace_tracks(t) : 0;
	for (uint32_t at = l->first_of_device[device]; at < n && trace_track(t, at)->device == device; at++) {
		uint32_t i = l->order[at];
		const struct track_info *info = trace_track(t, i);
		bool placed = info->kind == TRACK_STREAM || (info->kind == TRACK_STREAM_LANE && has_stream(t, i));
		if (!placed)
			add_track(l, i, device, false); /* lanes of the device as a whole */
	}
	if (l->n == head + 1)
		l->n = head; /* a device without anything to show */
}

/* The threads that feed devices stand first, where the user has not moved them. */
static void add_host_tracks(struct lanes *l, uint32_t process)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t at = *lanes_first_of_process(l, process), n = trace_tracks(t); at < n; at++) {
		const struct track_info *info = trace_track(t, at);
		bool own = info->device == NONE_ID && info->process == process;
		if (!own && process != NONE_ID)
			return;
		uint32_t i = l->order[at];
		bool placed = (is_near(l) && i == l->ask.track) || l->recorders[i];
		if (own && !placed)
			add_track(l, i, process, false);
	}
}

static void add_process(struct lanes *l, uint32_t process)
{
	uint32_t head = l->n;
	add(l, LANE_PROCESS, process);
	if (is_near(l) && trace_track(derived_trace(l->d), l->ask.track)->process == process)
		add_track(l, l->ask.track, process, false);
	add_host_tracks(l, process);
	if (process != NONE_ID && l->n > head + 1 && l->room >= ROOM_FOR_OPS && l->host_memory[process])
		add(l, LANE_HOST_MEMORY, process);
	if (l->n == head + 1)
		l->n = head;
}

/* The device and the process of what is asked for, with as many streams between them as leave room for its thread. */
static void add_near(struct lanes *l, uint32_t process)
{
	enum { NEAR_ROWS = FOLDED_THREAD + 2 }; /* a thread and two headings */
	uint32_t streams = l->room > NEAR_ROWS ? l->room - NEAR_ROWS : 1;
	add_device(l, l->ask.device, 0, streams);
	add_process(l, process);
	add_device(l, l->ask.device, streams, UINT32_MAX);
}

/* ---- groups --------------------------------------------------------------------------------------------------------- */

/* The device that a process stands below; NONE_ID: it stands for itself. */
static uint32_t place_of(const struct lanes *l, uint32_t process)
{
	if (is_near(l) && trace_track(derived_trace(l->d), l->ask.track)->process == process)
		return l->ask.device;
	return l->groups.on ? l->groups.under[process] : NONE_ID;
}

static bool any_shown(const struct lanes *l, uint32_t device)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = l->first_of_device[device]; i < trace_tracks(t) && trace_track(t, i)->device == device; i++)
		if (!l->shut[i])
			return true;
	return false;
}

/* One row for the device; unfolded, its streams and the threads of its process after it. */
static void add_group(struct lanes *l, uint32_t device)
{
	const struct trace *t = derived_trace(l->d);
	bool near = is_near(l) && device == l->ask.device;
	uint32_t asked = near ? trace_track(t, l->ask.track)->process : NONE_ID;
	if (!any_shown(l, device))
		return;
	if (!l->groups.open[device]) {
		add(l, LANE_DEVICE, device)->track = l->groups.track[device];
		return;
	}
	if (near)
		add_near(l, asked);
	else
		add_device(l, device, 0, UINT32_MAX);
	for (uint32_t i = 0; i < trace_processes(t); i++) {
		uint32_t process = l->processes[i];
		if (place_of(l, process) == device && (!near || process != asked))
			add_process(l, process);
	}
}

static void add_devices(struct lanes *l)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(l->d)); i++) {
		uint32_t device = l->devices[i];
		bool placed = l->groups.on ? l->groups.track[device] != NONE_ID : is_near(l) && device == l->ask.device;
		if (!placed)
			add_device(l, device, 0, UINT32_MAX);
	}
}

/* Devices, then processes, those that feed devices first: a gap and its cause stand near each other. */
static void add_all(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	bool near = is_near(l);
	uint32_t process = near ? trace_track(t, l->ask.track)->process : NONE_ID;
	for (uint32_t i = 0; l->groups.on && i < l->groups.n; i++)
		add_group(l, l->groups.order[i]);
	if (near && !l->groups.on)
		add_near(l, process);
	add_devices(l);
	for (uint32_t i = 0; i < trace_processes(t); i++)
		if (place_of(l, l->processes[i]) == NONE_ID)
			add_process(l, l->processes[i]);
	if (!near || process != NONE_ID)
		add_process(l, NONE_ID);
}

bool lanes_recorders_open(const struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = 0; trace_has_tracks(t, TRACK_OTHER) && i < trace_tracks(t); i++)
		if (l->recorders[i] && l->unfolded[i])
			return true;
	return false;
}

/* One lane for all, or each by itself when they are unfolded and where there is nothing else. */
static void add_recorders(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	bool each = lanes_recorders_open(l) || l->n == 0;
	struct lane *all = NULL;
	for (uint32_t i = 0; trace_has_tracks(t, TRACK_OTHER) && i < trace_tracks(t); i++) {
		if (!l->recorders[i])
			continue;
		if (all && !each) {
			all->gathered++;
			continue;
		}
		add_row(l, i, NONE_ID, false, &(struct shown_row){.count = 1});
		all = &l->at[l->n - 1];
		all->gathered = each ? 0 : 1;
	}
}

static void build(struct lanes *l, uint32_t deeper)
{
	l->n = 0;
	l->left_out = false;
	l->deeper = deeper;
	add_pins(l);
	add_all(l);
	add_recorders(l);
}

static bool hides_rows(const struct lanes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].hidden || l->at[i].above)
			return true;
	return l->left_out;
}

/* Streams are as low as other lanes again: what a build without tall ones makes. */
static void lower_streams(struct lanes *l)
{
	uint32_t n = 0, from = 0;
	for (uint32_t i = 0; i <= l->n; i++) {
		if (i < l->n && l->at[i].kind != LANE_LOWER)
			continue;
		memmove(&l->at[n], &l->at[from], (i - from) * sizeof *l->at);
		n += i - from;
		if (i < l->n) /* the lower cell of the lane before it */
			l->at[n - 1].tall = false;
		from = i + 1;
	}
	l->n = n;
	l->tall = false;
}

/* Streams first, then one row more of everything that is folded, until the screen is full; the last round may be one too
 * many. */
void lanes_build(struct lanes *l)
{
	l->built = l->ask;
	l->tall = true;
	build(l, 0);
	if (l->n > l->room)
		lower_streams(l);
	while (l->n < l->room && hides_rows(l))
		build(l, l->deeper + 1);
	if (l->n > l->room && l->deeper)
		build(l, l->deeper - 1);
}

static bool built_for_ask(const struct lanes *l)
{
	const struct lane_ask *a = &l->ask, *b = &l->built;
	return a->track == b->track && a->disp == b->disp && a->device == b->device;
}

/* Columns of another length sum up the same rows. */
static bool sums_alike(const struct lanes *l, int64_t col_ns)
{
	for (uint32_t i = 0; col_ns != l->col_ns && !l->apart && i < l->rows.n; i++)
		if (!lane_rows_alike(&l->rows.at[i], l->col_ns, col_ns))
			return false;
	return true;
}

bool lanes_look(struct lanes *l, int64_t col_ns, struct lane_ask ask)
{
	bool same_cols = sums_alike(l, col_ns);
	l->ask = ask;
	l->col_ns = col_ns;
	if (same_cols && built_for_ask(l))
		return false;
	lanes_build(l);
	return true;
}

/* More lanes than fit into either of the two rooms are the same ones in both. */
static bool full_in(const struct lanes *l, uint32_t room)
{
	return l->n > l->room && l->n > room && !l->tall && !l->deeper && !is_near(l) && built_for_ask(l) &&
	       (l->room < ROOM_FOR_OPS) == (room < ROOM_FOR_OPS);
}

void lanes_fill(struct lanes *l, uint32_t room)
{
	bool same = full_in(l, room);
	l->room = room;
	if (!same)
		lanes_build(l);
}

/* ---- finding -------------------------------------------------------------------------------------------------------- */

static uint32_t find_group(const struct lanes *l, uint32_t device)
{
	for (uint32_t i = 0; device != NONE_ID && i < l->n; i++)
		if (l->at[i].kind == LANE_DEVICE && l->at[i].owner == device && lane_selects(&l->at[i]))
			return i;
	return NONE_ID;
}

/* The row of the device that the track is folded under; NONE_ID: it is not, or another display row of it is asked for than those
 * whose events are picked there. */
static uint32_t find_folded(const struct lanes *l, uint32_t track, uint32_t disp, bool any)
{
	uint32_t device = lane_groups_device(&l->groups, track);
	if (device == NONE_ID || lanes_pinned(l, track) || (l->groups.open[device] && disp != DISP_GROUP))
		return NONE_ID;
	bool picked = disp == DISP_GROUP || (track == l->groups.track[device] && !disp);
	return any || picked ? find_group(l, device) : NONE_ID;
}

static uint32_t find(const struct lanes *l, uint32_t track, uint32_t disp)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].kind == LANE_ROW && l->at[i].track == track && l->at[i].disp == disp)
			return i;
	return find_folded(l, track, disp, false);
}

bool lanes_open_group(struct lanes *l, uint32_t track)
{
	uint32_t device = lane_groups_device(&l->groups, track);
	if (device == NONE_ID || l->groups.open[device])
		return false;
	l->groups.open[device] = true;
	lanes_build(l);
	return true;
}

uint32_t lanes_find(struct lanes *l, uint32_t track, uint32_t disp)
{
	uint32_t at = find(l, track, disp);
	if (at != NONE_ID || track >= trace_tracks(derived_trace(l->d)))
		return at;
	if (l->shut[track]) {
		l->shut[track] = false;
		lanes_build(l);
	}
	if (!lanes_pinned(l, track))
		lanes_open_group(l, track);
	/* it lies in a part that is folded away: what is asked for is shown */
	lanes_look(l, l->col_ns, (struct lane_ask){track, disp, NONE_ID});
	at = find(l, track, disp);
	if (at != NONE_ID || l->unfolded[track])
		return at;
	lanes_toggle(l, track);
	return find(l, track, disp);
}

uint32_t lanes_cover(const struct lanes *l, uint32_t track, uint32_t disp)
{
	const struct track_rows *rows = lane_rows_of(&l->rows, track);
	bool wrapper = disp < rows->n && rows->at[disp].wrapper;
	uint32_t at = find_folded(l, track, disp, true);
	for (uint32_t i = 0; i < l->n && disp != DISP_GROUP; i++) {
		const struct lane *x = &l->at[i];
		if (x->kind != LANE_ROW || x->track != track)
			continue;
		if (x->disp == disp || (wrapper && x->look == ROW_WRAPPERS))
			return i;
		at = at == NONE_ID || x->disp <= disp ? i : at;
	}
	return at;
}

uint32_t lanes_disp(const struct lanes *l, uint32_t at)
{
	return l->at[at].kind == LANE_DEVICE ? DISP_GROUP : l->at[at].disp;
}

uint32_t lanes_step(const struct lanes *l, uint32_t at, int direction)
{
	for (uint32_t i = at + (uint32_t)direction; i < l->n; i += (uint32_t)direction)
		if (lane_selects(&l->at[i]))
			return i;
	return at;
}
