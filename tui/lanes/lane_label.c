/* tui/lanes/lane_label.c - what stands in front of each lane. */
#include "lanes.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/spans.h"
#include "tui/text/utf8.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Of all lanes of a track but the first. */
static const char *more_label(const struct lane *row, char *buf, size_t size)
{
	buf[0] = 0;
	if (row->look == ROW_DENSE)
		snprintf(buf, size, "  %" PRIu32 " rows: z", row->count);
	else if (row->hidden)
		snprintf(buf, size, "  +%" PRIu32 " rows: z", row->hidden);
	else if (row->above)
		snprintf(buf, size, "  +%" PRIu32 " above: z", row->above);
	return buf;
}

static bool is_first(const struct lanes *l, uint32_t at)
{
	return at == 0 || l->at[at - 1].kind != LANE_ROW || l->at[at - 1].track != l->at[at].track;
}

static const char *row_label(const struct lanes *l, uint32_t at, char *buf, size_t size)
{
	const struct trace *t = derived_trace(l->d);
	const struct lane *row = &l->at[at];
	const struct track_info *info = trace_track(t, row->track);
	char name[128], rows[32] = "";
	if (!is_first(l, at))
		return more_label(row, buf, size);
	if (row->look == ROW_DENSE)
		snprintf(rows, sizeof rows, " \xc3\x97%" PRIu32, row->count);
	track_name(t, row->track, name, sizeof name);
	if (row->gathered > 1) {
		snprintf(buf, size, "recorder \xc3\x97%" PRIu32 ": z", row->gathered);
		return buf;
	}
	if (info->kind == TRACK_STREAM)
		stream_label(l->d, row->track, name, buf, size);
	else
		snprintf(buf, size, "%s%s%s%s", row->under ? "\xe2\x94\x94 " : "", name, rows, what_it_is(t, info));
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
	if (row->kind == LANE_MEMORY || row->kind == LANE_HOST_MEMORY) {
		snprintf(buf, size, "memory (derived)");
		return buf;
	}
	if (row->kind == LANE_LOWER) {
		buf[0] = 0;
		return buf;
	}
	return row_label(l, at, buf, size);
}

/* ---- cut to fit --------------------------------------------------------------------------------------------------- */

/* How many columns both begin with. */
static int common_cols(const char *a, const char *b)
{
	int cols = 0;
	for (uint32_t cp; (cp = utf8_next(&a)) && cp == utf8_next(&b);)
		cols += utf8_cols(cp);
	return cols;
}

static bool is_beside(const struct lanes *l, uint32_t at, uint32_t i)
{
	const struct lane *a = &l->at[at], *b = &l->at[i];
	return a->kind == b->kind &&
	       (a->kind == LANE_PROCESS || (a->kind == LANE_ROW && a->track != b->track && is_first(l, i)));
}

/* Most columns of the label that another one of its kind begins with, too: of a process any near it, of a track those of its group. */
static int common_with(const struct lanes *l, uint32_t at, int direction, const char *label)
{
	enum { NEAR = 128 };
	char other[160];
	int most = 0;
	bool process = l->at[at].kind == LANE_PROCESS;
	for (uint32_t i = at + (uint32_t)direction, looked = 0; i < l->n && looked < NEAR;
	     i += (uint32_t)direction, looked++) {
		if (!process && (l->at[i].kind == LANE_DEVICE || l->at[i].kind == LANE_PROCESS))
			break;
		const char *name = is_beside(l, at, i) ? lane_label(l, i, other, sizeof other) : "";
		int cols = strcmp(name, label) != 0 ? common_cols(label, name) : 0; /* nothing tells equal ones apart */
		most = cols > most ? cols : most;
	}
	return most;
}

static const char *skip_cols(const char *s, int cols)
{
	while (cols > 0 && *s)
		cols -= utf8_cols(utf8_next(&s));
	return s;
}

/* "rank3", "rank_3": named after a file, which says what the label says. */
static bool is_rank_again(const char *name, int32_t rank)
{
	char *end;
	if (!text_starts(name, "rank"))
		return false;
	name += strlen("rank");
	name += strspn(name, " _-");
	return *name && strtol(name, &end, 10) == rank && !*end;
}

/* "work…mple GPU 1": of a host without a rank its name gives way, for its devices differ by number. NULL: there is no room for a part of it. */
static const char *device_of_host(const char *label, const char *host, int cols, char *buf, size_t size)
{
	enum { TOLD_HOST = 4 };
	char part[96];
	size_t n = strlen(host);
	int room = strncmp(label, host, n) != 0 ? 0 : cols - utf8_width(label + n);
	if (room < TOLD_HOST)
		return NULL;
	snprintf(buf, size, "%s%s", utf8_shorten(host, room, part, sizeof part), label + n);
	return buf;
}

/* The host of a rank after its label, where there is room for a part that tells something. */
static const char *group_label_fit(const struct lanes *l, uint32_t at, int cols, char *buf, size_t size)
{
	enum { TOLD_HOST = 6 };
	const struct trace *t = derived_trace(l->d);
	const struct host *h = trace_host(t, trace_device(t, l->at[at].owner)->host);
	char label[320], host[96];
	int left = cols - utf8_width(lane_label(l, at, label, sizeof label)) - 2;
	const char *of_host = trace_hosts(t) > 1 && h->rank < 0 && left < -2
				      ? device_of_host(label, trace_str(t, h->name), cols, buf, size)
				      : NULL;
	if (of_host)
		return of_host;
	if (trace_hosts(t) < 2 || h->rank < 0 || left < TOLD_HOST || is_rank_again(trace_str(t, h->name), h->rank))
		return utf8_cut(label, cols, buf, size);
	snprintf(buf, size, "%s  %s", label, utf8_cut(trace_str(t, h->name), left, host, sizeof host));
	return buf;
}

const char *lane_label_fit(const struct lanes *l, uint32_t at, int cols, char *buf, size_t size)
{
	enum { TOLD = 3 }; /* columns of what differs that are enough */
	char label[160], tail[160];
	if (l->at[at].kind == LANE_DEVICE && lane_selects(&l->at[at]))
		return group_label_fit(l, at, cols, buf, size);
	int width = utf8_width(lane_label(l, at, label, sizeof label));
	int before = common_with(l, at, -1, label), behind = common_with(l, at, 1, label),
	    apart = before > behind ? before : behind;
	if (width <= cols || apart + TOLD < cols || cols < 8)
		return utf8_cut(label, cols, buf, size);
	int head = cols / 3, room = cols - head - 1, from = width - apart <= room ? width - room : apart;
	snprintf(buf, size, "%.*s\xe2\x80\xa6%s", (int)(skip_cols(label, head) - label), label,
		 utf8_cut(skip_cols(label, from), room, tail, sizeof tail));
	return buf;
}
