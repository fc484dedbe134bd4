#include "lanes.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include "tui/text/config.h"
#include <stdlib.h>
#include <string.h>

enum { FOLDED_STREAM = 4, FOLDED_THREAD = 6, FOLDED_OTHER = 2, ROOM_FOR_OPS = 8 };

static struct lane *add(struct lanes *l, enum lane_kind kind, uint32_t owner)
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

/* All lanes the track could have, into l->shown. */
static uint32_t all_rows(struct lanes *l, uint32_t track, const struct track_info *info)
{
	uint32_t n = 0, asked = l->ask.track == track ? l->ask.disp : NONE_ID;
	if (!l->unfolded[track] && l->rows[track].n)
		return lane_rows_shown(&l->rows[track], l->col_ns, asked, l->shown);
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
	return l->shut[track] || lanes_pinned(l, track);
}

/* A counter has no display rows, but a lane. */
static void add_rows(struct lanes *l, uint32_t track, uint32_t owner, bool under)
{
	static const struct shown_row counter = {.count = 1};
	const struct track_info *info = trace_track(derived_trace(l->d), track);
	if (info->kind == TRACK_COUNTER) {
		add_row(l, track, owner, under, &counter);
		return;
	}
	uint32_t n = info->n ? all_rows(l, track, info) : 0, limit = l->unfolded[track] ? n : limit_of(l, info);
	uint32_t first = first_shown(l, track, n, limit), end = n - first < limit ? n : first + limit;
	for (uint32_t i = first; i < end; i++) {
		add_row(l, track, owner, under, &l->shown[i]);
		l->at[l->n - 1].above = i == first + 1 ? l->shown[first].disp : 0;
		l->at[l->n - 1].hidden = i + 1 == end && end < n ? info->n_rows - l->shown[end].disp : 0;
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
 * Phases of training have theirs behind the op's. */
static void add_op_lanes(struct lanes *l, uint32_t device, uint32_t track)
{
	uint32_t named = l->ops[track].levels, most = named + (l->ops[track].modules ? 1 : 0),
		 shown = l->room < ROOM_FOR_OPS ? 0 : 1 + l->deeper;
	if (is_away(l, track))
		return;
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

static uint32_t *first_of_process(const struct lanes *l, uint32_t process)
{
	uint32_t n = trace_processes(derived_trace(l->d));
	return &l->first_of_process[process == NONE_ID ? n : process];
}

/* Tracks of one device and those of one process stand together. */
static void find_first(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t n = trace_tracks(t);
	l->first_of_device = must(malloc((trace_devices(t) + (size_t)1) * sizeof *l->first_of_device));
	l->first_of_process = must(malloc((trace_processes(t) + (size_t)1) * sizeof *l->first_of_process));
	for (uint32_t i = 0; i < trace_devices(t); i++)
		l->first_of_device[i] = n;
	for (uint32_t i = 0; i <= trace_processes(t); i++)
		l->first_of_process[i] = n;
	for (uint32_t i = n; i-- > 0;)
		if (trace_track(t, i)->device == NONE_ID)
			*first_of_process(l, trace_track(t, i)->process) = i;
		else
			l->first_of_device[trace_track(t, i)->device] = i;
}

/* Its streams [from, to), counted from 0. */
static void add_streams(struct lanes *l, uint32_t device, uint32_t from, uint32_t to)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t end = trace_tracks(t);
	for (uint32_t i = l->first_of_device[device], n = 0; i < end && trace_track(t, i)->device == device; i++) {
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

/* Its heading and streams [from, to), and what is the device's as a whole behind the last one. */
static void add_device(struct lanes *l, uint32_t device, uint32_t from, uint32_t to)
{
	const struct trace *t = derived_trace(l->d);
	/* the heading is taken back when nothing follows it */
	uint32_t head = l->n;
	add(l, LANE_DEVICE, device);
	add_streams(l, device, from, to);
	uint32_t n = to == UINT32_MAX ? trace_tracks(t) : 0;
	for (uint32_t i = l->first_of_device[device]; i < n && trace_track(t, i)->device == device; i++) {
		const struct track_info *info = trace_track(t, i);
		bool placed = info->kind == TRACK_STREAM || (info->kind == TRACK_STREAM_LANE && has_stream(t, i));
		if (!placed)
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
	for (uint32_t i = *first_of_process(l, process); i < trace_tracks(t); i++) {
		const struct track_info *info = trace_track(t, i);
		bool own = info->device == NONE_ID && info->process == process;
		if (!own && process != NONE_ID)
			return;
		bool placed = is_near(l) && i == l->ask.track;
		placed |= l->recorders[i];
		if (own && launches(l, i) == first && !placed)
			add_track(l, i, process, false);
	}
}

static void add_process(struct lanes *l, uint32_t process)
{
	uint32_t head = l->n;
	add(l, LANE_PROCESS, process);
	if (is_near(l) && trace_track(derived_trace(l->d), l->ask.track)->process == process)
		add_track(l, l->ask.track, process, false);
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

static bool read_frames(struct lanes *l, struct err *e)
{
	char path[4096];
	bool own = config_file("frames.rules", path, sizeof path);
	l->frames = frame_rules_load(own ? path : NULL, e);
	if (l->frames)
		return true;
	l->frames = frame_rules_load(NULL, NULL);
	return false;
}

static uint32_t most_rows(const struct trace *t)
{
	uint32_t most = 1;
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		most = trace_track(t, i)->n_rows > most ? trace_track(t, i)->n_rows : most;
	return most;
}

/* What tells of the recording itself: nothing that the traced program did. */
static bool is_recorders(const struct trace *t, uint32_t track)
{
	enum { LOOKED_AT = 64 };
	const struct track_info *info = trace_track(t, track);
	const struct columns *c = trace_columns(t);
	bool all = info->kind == TRACK_OTHER && info->device == NONE_ID && !info->derived_by_producer && info->n > 0;
	for (uint64_t i = 0; all && i < info->n && i < LOOKED_AT; i++)
		all = c->kind[info->first + i] == KIND_PROFILE || c->kind[info->first + i] == KIND_INSTANT;
	return all;
}

bool lanes_init(struct lanes *l, const struct derived *d, struct err *e)
{
	uint32_t n = trace_tracks(derived_trace(d)) + 1;
	*l = (struct lanes){.d = d, .unfolded = calloc(n, sizeof(bool)), .sample_max = calloc(n, sizeof(double))};
	l->ops = calloc(n, sizeof *l->ops);
	l->shown = calloc(most_rows(derived_trace(d)), sizeof *l->shown);
	l->recorders = calloc(n, sizeof *l->recorders);
	l->shut = calloc(n, sizeof *l->shut);
	l->pins = calloc(n, sizeof *l->pins);
	if (!l->unfolded || !l->sample_max || !l->ops || !l->shown || !l->shut || !l->pins || !l->recorders)
		memory_exhausted();
	for (uint32_t i = 0; i + 1 < n; i++)
		l->recorders[i] = is_recorders(derived_trace(d), i);
	l->ask = (struct lane_ask){NONE_ID, 0, NONE_ID};
	bool sound = read_frames(l, e);
	l->rows = lane_rows_new(d, l->frames);
	find_first(l);
	find_ops(l);
	l->phases = trace_devices(derived_trace(d)) ? phases_new(d, NULL) : NULL;
	for (uint32_t i = 0; l->phases && i + 1 < n; i++)
		op_lanes_phases(&l->ops[i], d, i, l->phases);
	find_highest(l);
	lanes_build(l);
	return sound;
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

/* The device and the process of what is asked for, with as many streams between them as leave room for its thread. */
static void add_near(struct lanes *l, uint32_t process)
{
	enum { NEAR_ROWS = FOLDED_THREAD + 2 }; /* a thread and two headings */
	uint32_t streams = l->room > NEAR_ROWS ? l->room - NEAR_ROWS : 1;
	add_device(l, l->ask.device, 0, streams);
	add_process(l, process);
	add_device(l, l->ask.device, streams, UINT32_MAX);
}

/* Devices, then the processes that feed them, then the others: a gap and its cause stand near each other. */
static void add_all(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	bool near = is_near(l);
	uint32_t device = near ? l->ask.device : NONE_ID,
		 process = near ? trace_track(t, l->ask.track)->process : NONE_ID;
	if (near)
		add_near(l, process);
	for (uint32_t i = 0; i < trace_devices(t); i++)
		if (!near || i != device)
			add_device(l, i, 0, UINT32_MAX);
	for (int first = 1; first >= 0; first--)
		for (uint32_t i = 0; i < trace_processes(t); i++)
			if ((!near || i != process) && feeds(l, i) == (first == 1))
				add_process(l, i);
	if (!near || process != NONE_ID)
		add_process(l, NONE_ID);
}

bool lanes_recorders_open(const struct lanes *l)
{
	for (uint32_t i = 0; i < trace_tracks(derived_trace(l->d)); i++)
		if (l->recorders[i] && l->unfolded[i])
			return true;
	return false;
}

/* One lane for all, or each by itself when they are unfolded and where there is nothing else. */
static void add_recorders(struct lanes *l)
{
	bool each = lanes_recorders_open(l) || l->n == 0;
	struct lane *all = NULL;
	for (uint32_t i = 0; i < trace_tracks(derived_trace(l->d)); i++) {
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

/* Streams first, then one row more of everything that is folded, until the screen is full; the last round may be one too
 * many. */
void lanes_build(struct lanes *l)
{
	l->tall = true;
	build(l, 0);
	if (l->n > l->room) {
		l->tall = false;
		build(l, 0);
	}
	while (l->n < l->room && hides_rows(l))
		build(l, l->deeper + 1);
	if (l->n > l->room && l->deeper)
		build(l, l->deeper - 1);
}

bool lanes_look(struct lanes *l, int64_t col_ns, struct lane_ask ask)
{
	bool same_ask = ask.track == l->ask.track && ask.disp == l->ask.disp && ask.device == l->ask.device;
	if (same_ask && col_ns == l->col_ns)
		return false;
	l->ask = ask;
	l->col_ns = col_ns;
	lanes_build(l);
	return true;
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
	free(l->recorders);
	free(l->shut);
	free(l->pins);
	free(l->sample_max);
	free(l->ops);
	free(l->shown);
	lane_rows_free(l->rows, l->d ? trace_tracks(derived_trace(l->d)) : 0);
	frame_rules_free(l->frames);
	free(l->first_of_device);
	free(l->first_of_process);
	phases_free(l->phases);
	*l = (struct lanes){0};
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
	if (at != NONE_ID || track >= trace_tracks(derived_trace(l->d)))
		return at;
	if (l->shut[track]) {
		l->shut[track] = false;
		lanes_build(l);
	}
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
	bool wrapper = disp < l->rows[track].n && l->rows[track].at[disp].wrapper;
	uint32_t at = NONE_ID;
	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *x = &l->at[i];
		if (x->kind != LANE_ROW || x->track != track)
			continue;
		if (x->disp == disp || (wrapper && x->look == ROW_WRAPPERS))
			return i;
		at = at == NONE_ID || x->disp <= disp ? i : at;
	}
	return at;
}

uint32_t lanes_step(const struct lanes *l, uint32_t at, int direction)
{
	for (uint32_t i = at + (uint32_t)direction; i < l->n; i += (uint32_t)direction)
		if (l->at[i].kind == LANE_ROW)
			return i;
	return at;
}
