/* gpu_metrics: how much of each device its kernels use. */
#include "gpu_metrics.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/shared_columns.h"
#include <math.h>

TABLE_DECL(gpu_metrics);

/* clang-format off */
static const struct column columns[] = {
	COLUMN_ROW(HOST, SHARED_HOST)
	COLUMN_ROW(RANK, SHARED_RANK)
	COLUMN_ROW(DEVICE, SHARED_DEVICE)
	{COLUMN_NAME, CELL_TEXT, UNIT_NONE, "model of the device"},
	{"utilization_pct", CELL_REAL, UNIT_PERCENT, "time with a kernel (union) / range"},
	{"sm_efficiency_pct", CELL_REAL, UNIT_PERCENT, "mean over the range of the share of multiprocessors that have a block: min(blocks per SM, 1), kernels that overlap add up to at most 1, idle counts 0; null unless kernels of 99 % of the kernel time tell their blocks or grid"},
	{"mean_occupancy_pct", CELL_REAL, UNIT_PERCENT, "occupancy of the kernels that tell theirs, weighted by their time; idle does not count"},
	{"start_ns", CELL_INT, UNIT_NS, "start of the range: first work of the device; kineto: start of the first step"},
	{"range_ns", CELL_INT, UNIT_NS, "until the end of the last work; kineto: of the last step"},
	{"kernel_busy_ns", CELL_INT, UNIT_NS, "time with a kernel inside the range (union)"},
	{"range_kernels", CELL_INT, UNIT_COUNT, "kernels that touch the range"},
	{"blocks_known", CELL_INT, UNIT_COUNT, "of those the ones that tell their blocks per SM, or a grid on a device whose multiprocessors are known"},
	{"occupancy_known", CELL_INT, UNIT_COUNT, "of those the ones that tell their occupancy; 0 % counts where the grid is that small, else the recorder could not tell (kineto: it counts)"},
};
/* clang-format on */
enum {
	HOST,
	RANK,
	DEVICE,
	NAME,
	UTILIZATION,
	SM_EFFICIENCY,
	OCCUPANCY,
	START_NS,
	RANGE_NS,
	KERNEL_NS,
	KERNELS,
	BLOCKS_KNOWN,
	OCCUPANCY_KNOWN
};
enum { TOLD_PCT = 99 };

static double sm_efficiency_pct(const struct gpu_metrics *m, bool kineto)
{
	bool told =
		kineto ? m->blocks_known > 0 : m->work_ns > 0 && m->blocks_known_ns >= m->work_ns / 100.0 * TOLD_PCT;
	return told ? 100 * m->sm_ns / (double)(m->to_ns - m->from_ns) : NAN;
}

static void metrics_row(const struct derived *d, uint32_t device, const struct gpu_metrics *m, struct table *out)
{
	const struct trace *t = derived_trace(d);
	const struct device *v = trace_device(t, device);
	int64_t range_ns = m->to_ns - m->from_ns;
	struct cell *row = table_row(out);
	cell_host(&row[HOST], t, v->host);
	cell_rank(&row[RANK], t, v->host);
	cell_device(&row[DEVICE], t, device);
	cell_text(&row[NAME], v->name ? trace_str(t, v->name) : NULL);
	if (!range_ns)
		return;
	cell_pct(&row[UTILIZATION], m->kernel_ns, range_ns);
	cell_real(&row[SM_EFFICIENCY], sm_efficiency_pct(m, derived_options(d)->semantics == SEM_KINETO));
	cell_real(&row[OCCUPANCY], m->occupancy_known_ns ? m->occupancy_ns / (double)m->occupancy_known_ns : NAN);
	cell_int(&row[START_NS], m->from_ns);
	cell_int(&row[RANGE_NS], range_ns);
	cell_int(&row[KERNEL_NS], m->kernel_ns);
	cell_int(&row[KERNELS], (int64_t)m->kernels);
	cell_int(&row[BLOCKS_KNOWN], (int64_t)m->blocks_known);
	cell_int(&row[OCCUPANCY_KNOWN], (int64_t)m->occupancy_known);
	table_evidence(out, m->from_ns, m->to_ns, NULL, 0);
}

static struct table *run_gpu_metrics(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, &gpu_metrics_desc);
	struct gpu_metrics *metrics;
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!gpu_metrics_make(d, q, mem, p, &metrics, e))
		return NULL;
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		metrics_row(d, i, &metrics[i], out);
	return out;
}

const struct table_desc gpu_metrics_desc = {
	.name = "gpu_metrics",
	.title = "GPU metrics",
	.help = "how much of each device its kernels use: time, multiprocessors, occupancy",
	TABLE_COLUMNS(columns),
	.run = run_gpu_metrics,
	.first = COLUMN_LIST(DEVICE, UTILIZATION, SM_EFFICIENCY, OCCUPANCY, KERNEL_NS, KERNELS, NAME),
	.lead = 2,
	.report = {.intro = "by kernels: of the time, of the multiprocessors, of their warps",
		   .brief = COLUMN_LIST(DEVICE, UTILIZATION, SM_EFFICIENCY, OCCUPANCY, RANGE_NS, KERNEL_NS, KERNELS)},
	.vs = {.key = COLUMN_LIST(RANK, DEVICE),
	       .sums = COLUMN_LIST(UTILIZATION, SM_EFFICIENCY, OCCUPANCY, KERNEL_NS),
	       .whole = true},
};
