/* devices: how busy each device is. */
#include "work.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(devices);

/* clang-format off */
static const struct column columns[] = {
	{"host", CELL_TEXT, UNIT_NONE, "host the device belongs to"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"device", CELL_INT, UNIT_ID, "GPU number as the producer counts"},
	{"name", CELL_TEXT, UNIT_NONE, "model of the device"},
	{"kernels", CELL_INT, UNIT_COUNT, "kernels that start inside the window"},
	{"kernel_ns", CELL_INT, UNIT_NS, "sum of kernel durations; overlapping kernels count twice"},
	{"busy_ns", CELL_INT, UNIT_NS, "time with at least one kernel, copy or memset on any stream (union)"},
	{"idle_ns", CELL_INT, UNIT_NS, "span_ns - busy_ns"},
	{"span_ns", CELL_INT, UNIT_NS, "first start to last end of device work, inside the window"},
	{"busy_pct", CELL_REAL, UNIT_PERCENT, "busy_ns / span_ns"},
	{"copies", CELL_INT, UNIT_COUNT, "copies that start inside the window"},
	{"memsets", CELL_INT, UNIT_COUNT, "memsets that start inside the window"},
	{"streams", CELL_INT, UNIT_COUNT, "streams that carry work"},
};
/* clang-format on */
enum { HOST, RANK, DEVICE, NAME, KERNELS, KERNEL_NS, BUSY_NS, IDLE_NS, SPAN_NS, BUSY_PCT, COPIES, MEMSETS, STREAMS };

static uint32_t streams_with_work(const struct derived *d, uint32_t device)
{
	const struct trace *t = derived_trace(d);
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		n += trace_track(t, i)->device == device && derived_busy_track(d, i)->n > 0;
	return n;
}

static void device_row(const struct derived *d, const struct query *q, struct table *out, uint32_t device)
{
	const struct trace *t = derived_trace(d);
	const struct device *info = trace_device(t, device);
	struct work w = work_of_device(d, q, device);
	int64_t span_ns = w.last_ns >= w.first_ns ? w.last_ns - w.first_ns : 0;
	struct cell *row = table_row(out);
	cell_host(&row[HOST], t, info->host);
	cell_rank(&row[RANK], t, info->host);
	cell_device(&row[DEVICE], t, device);
	cell_text(&row[NAME], info->name ? trace_str(t, info->name) : NULL);
	cell_int(&row[KERNELS], w.kernels);
	cell_int(&row[KERNEL_NS], w.kernel_ns);
	cell_int(&row[BUSY_NS], w.busy_ns);
	cell_int(&row[IDLE_NS], span_ns - w.busy_ns);
	cell_int(&row[SPAN_NS], span_ns);
	cell_pct(&row[BUSY_PCT], w.busy_ns, span_ns);
	cell_int(&row[COPIES], w.copies);
	cell_int(&row[MEMSETS], w.memsets);
	cell_int(&row[STREAMS], streams_with_work(d, device));
	if (span_ns)
		table_evidence(out, w.first_ns, w.last_ns, NULL, 0);
}

static struct table *run_devices(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	struct table *out = table_new(mem, &devices_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++) {
		if (progress_cancelled(p)) {
			err_usage(e, "cancelled");
			return NULL;
		}
		device_row(d, q, out, i);
	}
	return out;
}

const struct table_desc devices_desc = {
	.name = "devices",
	.title = "Devices",
	.help = "kernels, busy and idle time per device",
	TABLE_COLUMNS(columns),
	.run = run_devices,
	.report = {.brief = COLUMN_LIST(DEVICE, NAME, KERNELS, KERNEL_NS, BUSY_NS, IDLE_NS, SPAN_NS),
		   .wide = COLUMN_LIST(RANK, DEVICE, NAME, KERNELS, KERNEL_NS, BUSY_NS, IDLE_NS, SPAN_NS)},
};
