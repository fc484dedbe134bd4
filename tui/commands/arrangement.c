/* tui/commands/arrangement.c - how the lanes of a trace were arranged and which marks were set, kept from run to run.
 * File:    "arranged" of tui/text/state_file.h: for each trace a line "trace FINGERPRINT" and what belongs to it below, the one that was
 *          changed last first; at most MOST_TRACES of them and MOST_BYTES in all. A line that is not understood is passed over.
 * Tracks:  NUMBER:CHECK. Where the check, made of the label, does not fit, the line is passed over: another version of the program
 *          may have numbered them in another way. */
#include "commands.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include "tui/explorer/pane.h"
#include "tui/text/state_file.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ARRANGED "arranged"
enum { MOST_TRACES = 64, MOST_LINES = 200, MOST_BYTES = 256 << 10, MOST_READ = MOST_TRACES * (MOST_LINES + 1) };

static bool may_remember(const struct state *st)
{
	return st->opts->remember && !st->feed;
}

/* ---- which trace, which track ------------------------------------------------------------------------------------------- */

/* Of what it holds, looked at in many places: the same for a copy, and for the file saved from it. */
static void fingerprint(const struct trace *t, char text[static 24])
{
	enum { LOOKS = 4096 };
	const struct columns *c = trace_columns(t);
	int64_t all[] = {(int64_t)c->n, trace_tracks(t), trace_span_ns(t), trace_base_ns(t)};
	uint64_t h = idmap_hash(all, sizeof all, 0);
	for (row_id r = 0; r < c->n; r += (row_id)(c->n / LOOKS + 1)) {
		int64_t one[] = {c->start_ns[r], c->dur_ns[r]};
		const char *name = trace_str(t, c->name[r]);
		h = idmap_hash(name, strlen(name), idmap_hash(one, sizeof one, h));
	}
	snprintf(text, 24, "%016" PRIx64, h);
}

static uint32_t check_of(const struct trace *t, uint32_t track)
{
	char label[256];
	trace_track_label(t, track, label, sizeof label);
	return (uint32_t)idmap_hash(label, strlen(label), (uint64_t)trace_track(t, track)->key);
}

static const char *track_text(const struct trace *t, uint32_t track, char buf[static 24])
{
	snprintf(buf, 24, track == NONE_ID ? "-" : "%u:%08x", track, track == NONE_ID ? 0 : check_of(t, track));
	return buf;
}

static bool take_number(const char **at, int64_t min, int64_t max, int64_t *out)
{
	char *end;
	errno = 0;
	long long n = strtoll(*at, &end, 10);
	if (end == *at || errno || n < min || n > max)
		return false;
	*at = end;
	*out = n;
	return true;
}

static bool take_track(const struct trace *t, const char **at, uint32_t *track)
{
	int64_t n;
	char *end;
	*at += strspn(*at, " ");
	if (**at == '-') {
		++*at;
		*track = NONE_ID;
		return true;
	}
	if (!take_number(at, 0, (int64_t)trace_tracks(t) - 1, &n) || **at != ':')
		return false;
	*track = (uint32_t)n;
	unsigned long check = strtoul(*at + 1, &end, 16);
	*at = end;
	return check == check_of(t, *track);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

struct block {
	struct arena *mem;
	const char **lines;
	size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct block *b, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	if (b->n >= MOST_LINES)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	b->lines[b->n++] = arena_strdup(b->mem, line);
}

static const char *pane_word(const struct view *v)
{
	const struct tab *t;
	if (v->pane == PANE_TABLE)
		return analysis_at(v->analysis)->name;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (t->pane == v->pane)
			return t->name;
	return "Overview";
}

/* Rows of a table that was sorted or turned into another form are others the next time. */
static uint32_t lasting_row(const struct table_place *p)
{
	return p->sort_col < 0 && p->form == FORM_NAMES && !p->by ? p->row : 0;
}

static void put_marks(struct block *b, const struct state *st)
{
	char track[24];
	for (int i = 0; i < MARKS; i++) {
		const struct view *v = &st->marks[i];
		if (st->marked[i] && !v->gone)
			put(b, "mark %c %s %" PRId64 " %" PRId64 " %" PRId64 " %s %u %d %u %s", 'a' + i, pane_word(v),
			    v->port.from_ns, v->port.span_ns, v->cursor_ns, track_text(st->t, v->lane_track, track),
			    v->lane_disp, v->event != NONE_ID, lasting_row(&v->place), st->mark_names[i]);
	}
}

static void put_order(struct block *b, const struct state *st)
{
	const struct lanes *l = &st->lanes;
	struct lanes anew = {.d = st->d};
	char track[24];
	lanes_sort_anew(&anew);
	for (uint32_t i = 0; i < trace_devices(st->t); i++)
		if (l->devices[i] != anew.devices[i])
			put(b, "device %u %u", l->devices[i], i);
	for (uint32_t i = 0; i < trace_processes(st->t); i++)
		if (l->processes[i] != anew.processes[i])
			put(b, "process %u %u", l->processes[i], i);
	for (uint32_t i = 0; i < trace_tracks(st->t); i++)
		if (l->order[i] != anew.order[i])
			put(b, "lane %s %u", track_text(st->t, l->order[i], track), i);
	free(anew.order);
	free(anew.devices);
	free(anew.processes);
}

static void put_groups(struct block *b, const struct state *st)
{
	const struct lane_groups *g = &st->lanes.groups;
	for (uint32_t i = 0; g->on && i < trace_devices(st->t); i++)
		if (g->open[i] || g->pinned[i] || g->moved)
			put(b, "group %u %d %u %u", i, g->open[i], g->pinned[i], g->rank[i]);
	if (g->by != LANES_BY_NUMBER || g->moved)
		put(b, "groups %d %d", (int)g->by, g->moved);
}

static void put_lanes(struct block *b, const struct state *st)
{
	const struct lanes *l = &st->lanes;
	char track[24];
	for (uint32_t i = 0; i < l->n_pins; i++)
		put(b, "pin %s", track_text(st->t, l->pins[i], track));
	for (uint32_t i = 0; i < trace_tracks(st->t); i++) {
		if (l->shut[i])
			put(b, "hide %s", track_text(st->t, i, track));
		if (l->unfolded[i])
			put(b, "open %s", track_text(st->t, i, track));
	}
	put_groups(b, st);
	if (l->moved)
		put_order(b, st);
}

static bool is_head(const char *line, const char *print)
{
	return strncmp(line, "trace ", 6) == 0 && (!print || strcmp(line + 6, print) == 0);
}

/* The block of one trace first, when it says anything, then those of the others. */
static void write_all(const char *print, const struct block *b, struct arena *mem)
{
	const char **old = arena_alloc(mem, MOST_READ * sizeof *old),
		   **lines = arena_alloc(mem, MOST_READ * sizeof *lines);
	size_t n_old = state_file_read(ARRANGED, MOST_BYTES, old, MOST_READ, mem), n = 0, traces = b->n > 0, bytes = 0;
	if (b->n)
		lines[n++] = arena_printf(mem, "trace %s", print);
	for (size_t i = 0; i < b->n; i++) {
		lines[n++] = b->lines[i];
		bytes += strlen(b->lines[i]) + 1;
	}
	bool keep = false;
	for (size_t i = 0; i < n_old && n < MOST_READ && bytes < MOST_BYTES - PROMPT_SIZE; i++) {
		if (is_head(old[i], NULL))
			keep = !is_head(old[i], print) && traces++ < MOST_TRACES;
		if (keep)
			lines[n++] = old[i];
		bytes += strlen(old[i]) + 1;
	}
	state_file_write(ARRANGED, lines, n);
}

void arrangement_keep(struct state *st)
{
	char print[24];
	struct arena mem = {0};
	struct block b = {.mem = &mem};
	st->arranged = false;
	if (!may_remember(st))
		return;
	b.lines = arena_alloc(&mem, MOST_LINES * sizeof *b.lines);
	fingerprint(st->t, print);
	put_marks(&b, st);
	put_lanes(&b, st);
	write_all(print, &b, &mem);
	arena_free(&mem);
}

void arrangement_forget(struct state *st, bool all)
{
	char print[24];
	struct arena mem = {0};
	struct view v = nav_remember(st);
	lanes_forget(&st->lanes);
	memset(st->marked, 0, sizeof st->marked);
	nav_restore(st, &v);
	if (may_remember(st) && all) {
		state_file_write(ARRANGED, NULL, 0);
	} else if (may_remember(st)) {
		fingerprint(st->t, print);
		write_all(print, &(struct block){.mem = &mem}, &mem);
	}
	st->arranged = false;
	arena_free(&mem);
	state_say(st, INK_STATUS,
		  all ? "lanes and marks are reset, here and for every other trace"
		      : "lanes and marks of this trace are reset");
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

struct taking {
	struct state *st;
	uint32_t *tracks, *devices, *processes; /* ranks */
};

static bool find_pane(const char *word, struct view *v)
{
	const struct tab *t;
	v->analysis = analysis_index(word);
	v->pane = PANE_TABLE;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (t->pane != PANE_TABLE && strcmp(t->name, word) == 0) {
			v->pane = t->pane;
			v->analysis = 0;
		}
	return v->pane != PANE_TABLE || v->analysis != NONE_ID;
}

/* Where a mark was on the timeline; numbers that do not fit into the trace are no place in it. */
static bool take_place(const struct state *st, const char **at, struct view *v)
{
	int64_t total = trace_span_ns(st->t), from, span, cursor, disp, selected, row;
	if (!take_number(at, 0, total, &from) || !take_number(at, 1, INT64_MAX - total, &span) ||
	    !take_number(at, 0, total, &cursor) || !take_track(st->t, at, &v->lane_track) ||
	    !take_number(at, 0, UINT32_MAX, &disp) || !take_number(at, 0, 1, &selected) ||
	    !take_number(at, 0, UINT32_MAX - 1, &row))
		return false;
	viewport_show(&v->port, from, from + span, 0);
	v->cursor_ns = cursor;
	v->place.row = (uint32_t)row;
	v->lane_disp = (uint32_t)disp;
	if (selected && v->lane_track != NONE_ID && disp < trace_track(st->t, v->lane_track)->n_rows)
		v->event = trace_at_on_row(st->t, v->lane_track, v->lane_disp, cursor);
	return true;
}

static void take_mark(const struct taking *x, const char *at)
{
	struct state *st = x->st;
	struct view v = nav_remember(st);
	char word[64];
	int i = *at - 'a';
	if (i < 0 || i >= MARKS || at[1] != ' ')
		return;
	at += 2;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
	at += strcspn(at, " ");
	if (!find_pane(word, &v) || !take_place(st, &at, &v))
		return;
	st->marks[i] = v;
	st->marked[i] = true;
	snprintf(st->mark_names[i], sizeof st->mark_names[i], "%s", at + (*at == ' '));
}

static void take_pin(const struct taking *x, const char *at)
{
	uint32_t track;
	if (take_track(x->st->t, &at, &track) && track != NONE_ID && !lanes_pinned(&x->st->lanes, track))
		lanes_pin(&x->st->lanes, track);
}

static void take_hide(const struct taking *x, const char *at)
{
	uint32_t track;
	if (take_track(x->st->t, &at, &track) && track != NONE_ID)
		lanes_hide(&x->st->lanes, track, false);
}

static void take_open(const struct taking *x, const char *at)
{
	uint32_t track;
	if (take_track(x->st->t, &at, &track) && track != NONE_ID)
		x->st->lanes.unfolded[track] = true;
}

static void take_lane(const struct taking *x, const char *at)
{
	uint32_t track;
	int64_t place;
	if (take_track(x->st->t, &at, &track) && track != NONE_ID && take_number(&at, 0, UINT32_MAX, &place)) {
		x->tracks[track] = (uint32_t)place;
		x->st->lanes.moved = true;
	}
}

static void take_rank(const struct taking *x, uint32_t *ranks, uint32_t n, const char *at)
{
	int64_t which, place;
	if (take_number(&at, 0, (int64_t)n - 1, &which) && take_number(&at, 0, UINT32_MAX, &place)) {
		ranks[which] = (uint32_t)place;
		x->st->lanes.moved = true;
	}
}

static void take_device(const struct taking *x, const char *at)
{
	take_rank(x, x->devices, trace_devices(x->st->t), at);
}

static void take_process(const struct taking *x, const char *at)
{
	take_rank(x, x->processes, trace_processes(x->st->t), at);
}

static void take_group(const struct taking *x, const char *at)
{
	struct lane_groups *g = &x->st->lanes.groups;
	int64_t device, open, pinned, rank, most = trace_devices(x->st->t);
	if (!take_number(&at, 0, most - 1, &device) || !take_number(&at, 0, 1, &open) ||
	    !take_number(&at, 0, INT32_MAX, &pinned) || !take_number(&at, 0, most, &rank))
		return;
	g->open[device] = open == 1;
	g->pinned[device] = (uint32_t)pinned;
	g->rank[device] = (uint32_t)rank;
	g->pins = g->pins < (uint32_t)pinned ? (uint32_t)pinned : g->pins;
}

static void take_groups(const struct taking *x, const char *at)
{
	int64_t by, moved;
	if (!take_number(&at, 0, LANE_ORDER_COUNT - 1, &by) || !take_number(&at, 0, 1, &moved))
		return;
	x->st->lanes.groups.by = (enum lane_order)by;
	x->st->lanes.groups.moved = moved == 1;
}

static void take_line(const struct taking *x, const char *line)
{
	static const struct {
		const char *word;
		void (*take)(const struct taking *x, const char *rest);
	} words[] = {{"mark ", take_mark},       {"pin ", take_pin},     {"hide ", take_hide},
		     {"open ", take_open},       {"lane ", take_lane},   {"device ", take_device},
		     {"process ", take_process}, {"group ", take_group}, {"groups ", take_groups}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(line, words[i].word, strlen(words[i].word)) == 0)
			words[i].take(x, line + strlen(words[i].word));
}

/* Where each stands now, so that those of which the file says nothing keep their places. */
static uint32_t *places(const uint32_t *order, uint32_t n, struct arena *mem)
{
	uint32_t *at = arena_alloc(mem, (n + (size_t)1) * sizeof *at);
	for (uint32_t i = 0; i < n; i++)
		at[order[i]] = i;
	return at;
}

void arrangement_take(struct state *st)
{
	char print[24];
	struct arena mem = {0};
	const struct lanes *l = &st->lanes;
	if (!may_remember(st))
		return;
	const char **lines = arena_alloc(&mem, MOST_READ * sizeof *lines);
	size_t n = state_file_read(ARRANGED, MOST_BYTES, lines, MOST_READ, &mem), i = 0;
	fingerprint(st->t, print);
	while (i < n && !is_head(lines[i], print))
		i++;
	struct taking x = {st, places(l->order, trace_tracks(st->t), &mem),
			   places(l->devices, trace_devices(st->t), &mem),
			   places(l->processes, trace_processes(st->t), &mem)};
	bool known = i < n;
	for (i++; i < n && !is_head(lines[i], NULL); i++)
		take_line(&x, lines[i]);
	if (known) {
		lanes_sort(&st->lanes, x.tracks, x.devices, x.processes);
		lane_groups_arranged(&st->lanes.groups);
		lanes_build(&st->lanes);
		st->view.top = 0;
		st->view.lane = lanes_step(&st->lanes, UINT32_MAX, 1);
	}
	if (known && !*st->message)
		state_say(st, INK_STATUS, "lanes and marks are as you left them; :forget resets them");
	arena_free(&mem);
}
