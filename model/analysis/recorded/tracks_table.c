/* Every lane of the timeline and how many events it holds. */
#include "tracks_columns.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/rows.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/windowed.h"

TABLE_DECL(tracks);

static const struct column columns[] = {TRACKS_COLUMNS(COLUMN_ROW)};

static int64_t count_events(struct windowed *w, uint32_t track)
{
	const struct track_info *info = trace_track(derived_trace(w->d), track);
	int64_t n = 0;
	if (!w->q->windowed && !w->q->filter)
		return (int64_t)info->n;
	windowed_track(w, track, KINDS_ALL);
	while (windowed_next(w))
		n += windowed_starts(w);
	return n;
}

static int64_t count_samples(const struct trace *t, uint32_t track, const struct query *q)
{
	const struct sample *samples;
	uint64_t n = trace_samples(t, track, &samples);
	int64_t inside = 0;
	for (uint64_t i = 0; i < n; i++)
		inside += query_holds(q, samples[i].ts_ns);
	return inside;
}

static const char *group_of(const struct trace *t, const struct track_info *info, struct arena *mem)
{
	char label[128];
	if (info->device != NONE_ID)
		return arena_strdup(mem, trace_device_label(t, info->device, label, sizeof label));
	if (info->process == NONE_ID)
		return NULL;
	const struct process *p = trace_process(t, info->process);
	const char *name = trace_str(t, p->name);
	/* numbers made for processes that the file names by text say nothing */
	if (p->pid < 0 || p->pid > UINT32_MAX)
		return *name ? name : "other";
	return *name ? arena_printf(mem, "%s %lld", name, (long long)p->pid)
		     : arena_printf(mem, "process %lld", (long long)p->pid);
}

static void fill_where(struct cell *row, const struct trace *t, uint32_t track, struct arena *mem)
{
	char label[256];
	const struct track_info *info = trace_track(t, track);
	const struct host *host = trace_host(t, info->host);
	cell_int(&row[COL_TRACKS_TRACK], track);
	cell_text(&row[COL_TRACKS_KIND], track_kind_name(info->kind));
	cell_text(&row[COL_TRACKS_GROUP], group_of(t, info, mem));
	cell_text(&row[COL_TRACKS_NAME], arena_strdup(mem, trace_track_label(t, track, label, sizeof label)));
	cell_text(&row[COL_TRACKS_HOST], host->name ? trace_str(t, host->name) : NULL);
	cell_int(&row[COL_TRACKS_RANK], host->rank < 0 ? UNKNOWN_I64 : host->rank);
}

static void add_track(struct table *table, struct windowed *w, uint32_t track)
{
	const struct trace *t = derived_trace(w->d);
	const struct track_info *info = trace_track(t, track);
	struct cell *row = table_row(table);
	fill_where(row, t, track, table->mem);
	cell_int(&row[COL_TRACKS_EVENTS], count_events(w, track));
	if (info->kind == TRACK_COUNTER)
		cell_int(&row[COL_TRACKS_SAMPLES], count_samples(t, track, w->q));
	if (info->kind == TRACK_THREAD)
		cell_bool(&row[COL_TRACKS_IS_THREAD], derived_is_thread(t, info));
	cell_int(&row[COL_TRACKS_ROWS], info->n_rows);
	cell_int(&row[COL_TRACKS_OVERLAPS], info->overlaps);
	cell_bool(&row[COL_TRACKS_BY_PRODUCER], info->derived_by_producer);
}

static struct table *run_tracks(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct table *table = table_new(mem, &tracks_desc);
	struct windowed w = windowed_open(d, q, p);
	query_bounds(q, t, &table->window_a_ns, &table->window_b_ns);
	for (uint32_t track = 0; track < trace_tracks(t); track++)
		add_track(table, &w, track);
	return windowed_done(&w, e) ? table : NULL;
}

const struct table_desc tracks_desc = {
	.name = "tracks",
	.title = "Tracks",
	.help = "every lane of the timeline and how many events it holds",
	TABLE_COLUMNS(columns),
	.run = run_tracks,
	.vs = {.key = COLUMN_LIST(COL_TRACKS_KIND, COL_TRACKS_NAME), .sums = COLUMN_LIST(COL_TRACKS_EVENTS)},
};
