/* streams: what each stream of a device is for and how much it does. */
#include "work.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/shared_columns.h"

TABLE_DECL(streams);

/* clang-format off */
static const struct column columns[] = {
	COLUMN_ROW(HOST, SHARED_HOST)
	COLUMN_ROW(RANK, SHARED_RANK)
	COLUMN_ROW(DEVICE, SHARED_DEVICE)
	COLUMN_ROW(STREAM, SHARED_STREAM)
	{COLUMN_NAME, CELL_TEXT, UNIT_NONE, "name of the lane"},
	{"role", CELL_TEXT, UNIT_NONE, "kinds of work that make up at least 1 % of the stream's events or time, over the whole trace"},
	COLUMN_ROW(WORK, SHARED_WORK)
	COLUMN_ROW(KERNELS, SHARED_KERNELS)
	COLUMN_ROW(KERNEL_NS, SHARED_KERNEL_NS)
	COLUMN_ROW(COPIES, SHARED_COPIES)
	COLUMN_ROW(COPY_BYTES, SHARED_COPY_BYTES)
	COLUMN_ROW(MEMSETS, SHARED_MEMSETS)
	COLUMN_ROW(BUSY_NS, SHARED_BUSY_NS)
	{"compute_pct", CELL_REAL, UNIT_PERCENT, "share of the stream's work time: kernels other than collectives"},
	{"h2d_pct", CELL_REAL, UNIT_PERCENT, "share: copies to the device"},
	{"d2h_pct", CELL_REAL, UNIT_PERCENT, "share: copies to the host"},
	{"d2d_pct", CELL_REAL, UNIT_PERCENT, "share: copies inside or between devices"},
	{"collective_pct", CELL_REAL, UNIT_PERCENT, "share: collective communication"},
	{"memset_pct", CELL_REAL, UNIT_PERCENT, "share: memsets"},
};
/* clang-format on */
enum {
	HOST,
	RANK,
	DEVICE,
	STREAM,
	NAME,
	ROLE,
	EVENTS,
	KERNELS,
	KERNEL_NS,
	COPIES,
	COPY_BYTES,
	MEMSETS,
	BUSY_NS,
	COMPUTE_PCT, /* one per class of work, in the order of their bits */
	H2D_PCT,
	D2H_PCT,
	D2D_PCT,
	COLLECTIVE_PCT,
	MEMSET_PCT
};

static void stream_row(const struct derived *d, const struct query *q, struct table *out, uint32_t track)
{
	const struct trace *t = derived_trace(d);
	const struct track_info *k = trace_track(t, track);
	struct work w = work_of_track(d, q, track);
	char text[128];
	struct cell *row = table_row(out);
	cell_host(&row[HOST], t, k->host);
	cell_rank(&row[RANK], t, k->host);
	cell_device(&row[DEVICE], t, k->device);
	cell_int(&row[STREAM], k->key);
	cell_text(&row[NAME], arena_strdup(out->mem, trace_track_label(t, track, text, sizeof text)));
	uint32_t role = derived_role(d, track);
	cell_text(&row[ROLE], role ? arena_strdup(out->mem, role_text(role, text, sizeof text)) : NULL);
	cell_int(&row[EVENTS], w.events);
	cell_int(&row[KERNELS], w.kernels);
	cell_int(&row[KERNEL_NS], w.kernel_ns);
	cell_int(&row[COPIES], w.copies);
	cell_int(&row[COPY_BYTES], w.copy_bytes);
	cell_int(&row[MEMSETS], w.memsets);
	cell_int(&row[BUSY_NS], w.busy_ns);
	for (int i = 0; i < WORK_CLASSES; i++)
		cell_pct(&row[COMPUTE_PCT + i], w.class_ns[i], w.work_ns);
	if (w.work_ns)
		table_evidence(out, w.first_ns, w.last_ns, NULL, 0);
}

static struct table *run_streams(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct table *out = table_new(mem, &streams_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		if (progress_cancelled(p)) {
			err_usage(e, "cancelled");
			return NULL;
		}
		if (trace_track(t, i)->kind == TRACK_STREAM && !trace_track(t, i)->derived_by_producer)
			stream_row(d, q, out, i);
	}
	return out;
}

const struct table_desc streams_desc = {
	.name = "streams",
	.title = "Streams",
	.help = "role, work and busy time per device stream",
	TABLE_COLUMNS(columns),
	.run = run_streams,
	.first = COLUMN_LIST(DEVICE, STREAM, ROLE, BUSY_NS, COMPUTE_PCT, H2D_PCT, D2H_PCT, D2D_PCT, COLLECTIVE_PCT,
			     MEMSET_PCT, KERNELS, COPIES),
	.lead = 3,
	.report = {.brief = COLUMN_LIST(DEVICE, STREAM, ROLE, EVENTS, KERNEL_NS, COPIES, COPY_BYTES, BUSY_NS),
		   .wide = COLUMN_LIST(RANK, DEVICE, STREAM, NAME, ROLE, EVENTS, KERNELS, KERNEL_NS, COPIES, COPY_BYTES,
				       MEMSETS, BUSY_NS, COMPUTE_PCT, H2D_PCT, D2H_PCT, D2D_PCT, COLLECTIVE_PCT),
		   .sort = COLUMN_LIST(BUSY_NS)},
	.vs = {.key = COLUMN_LIST(RANK, DEVICE, ROLE, NAME), .sums = COLUMN_LIST(BUSY_NS, KERNEL_NS, KERNELS, COPIES)},
};
