/* tui/explorer/lane_label.c - what stands in front of each lane. */
#include "lanes.h"
#include "model/analysis/derived/rows.h"
#include <inttypes.h>
#include <stdio.h>
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
	if (row->kind == LANE_LOWER) {
		buf[0] = 0;
		return buf;
	}
	return row_label(l, at, buf, size);
}
