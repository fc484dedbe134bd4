/* devices: how busy each device is. */
#include "devices_columns.h"
#include "work.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/rows.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(devices);

static const struct column columns[] = {DEVICES_COLUMNS(COLUMN_ROW)};

static uint32_t streams_with_work(const struct derived *d, uint32_t device)
{
	uint32_t n, busy = 0;
	const uint32_t *streams = device_streams(d, device, &n);
	for (uint32_t i = 0; i < n; i++)
		busy += derived_busy_track(d, streams[i])->n > 0;
	return busy;
}

static void device_row(const struct derived *d, const struct query *q, struct table *out, uint32_t device, bool again)
{
	const struct trace *t = derived_trace(d);
	const struct device *info = trace_device(t, device);
	struct work w = work_of_device(d, q, device);
	int64_t span_ns = w.last_ns >= w.first_ns ? derived_watched_ns(d, device, w.first_ns, w.last_ns) : 0;
	struct cell *row = table_row(out);
	cell_host(&row[COL_DEVICES_HOST], t, info->host);
	cell_rank(&row[COL_DEVICES_RANK], t, info->host);
	cell_device(&row[COL_DEVICES_DEVICE], t, device);
	cell_text(&row[COL_DEVICES_NAME], info->name ? trace_str(t, info->name) : NULL);
	cell_int(&row[COL_DEVICES_KERNELS], w.kernels);
	cell_int(&row[COL_DEVICES_KERNEL_NS], w.kernel_ns);
	cell_int(&row[COL_DEVICES_BUSY_NS], w.busy_ns);
	cell_int(&row[COL_DEVICES_IDLE_NS], span_ns - w.busy_ns);
	cell_int(&row[COL_DEVICES_SPAN_NS], span_ns);
	cell_pct(&row[COL_DEVICES_BUSY_PCT], w.busy_ns, span_ns);
	cell_int(&row[COL_DEVICES_COPIES], w.copies);
	cell_int(&row[COL_DEVICES_MEMSETS], w.memsets);
	cell_int(&row[COL_DEVICES_STREAMS], streams_with_work(d, device));
	if (again)
		cell_int(&row[COL_DEVICES_RECORDING], trace_recording(t, device));
	if (span_ns)
		table_evidence(out, w.first_ns, w.last_ns, NULL, 0);
}

static struct table *run_devices(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	struct table *out = table_new(mem, &devices_desc);
	table_reserve(out, trace_devices(derived_trace(d)));
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	char text[96];
	bool again = trace_recorded_again(derived_trace(d), text, sizeof text);
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++) {
		if (progress_cancelled(p)) {
			err_usage(e, "cancelled");
			return NULL;
		}
		device_row(d, q, out, i, again);
	}
	return out;
}

const struct table_desc devices_desc = {
	.name = "devices",
	.title = "Devices",
	.help = "kernels, busy and idle time per device",
	TABLE_COLUMNS(columns),
	.run = run_devices,
	.report = {.brief =
			   COLUMN_LIST(COL_DEVICES_DEVICE, COL_DEVICES_NAME, COL_DEVICES_KERNELS, COL_DEVICES_KERNEL_NS,
				       COL_DEVICES_BUSY_NS, COL_DEVICES_IDLE_NS, COL_DEVICES_SPAN_NS),
		   .wide = COLUMN_LIST(COL_DEVICES_RANK, COL_DEVICES_DEVICE, COL_DEVICES_NAME, COL_DEVICES_KERNELS,
				       COL_DEVICES_KERNEL_NS, COL_DEVICES_BUSY_NS, COL_DEVICES_IDLE_NS,
				       COL_DEVICES_SPAN_NS)},
	.vs = {.key = COLUMN_LIST(COL_DEVICES_RANK, COL_DEVICES_DEVICE),
	       .sums = COLUMN_LIST(COL_DEVICES_BUSY_NS, COL_DEVICES_IDLE_NS, COL_DEVICES_KERNEL_NS, COL_DEVICES_KERNELS,
				   COL_DEVICES_COPIES)},
};
