/* syncs: calls in which the host waits for a device, and the idle time around those that find it with nothing left to do. */
#include "syncs.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(syncs);

/* clang-format off */
#define SYNC_COLUMNS(_) \
	_(NAME,    "name",      TEXT, NONE,  "the call; of calls within calls the innermost") \
	_(OP,      "op",        TEXT, NONE,  "innermost framework op around it; null = none") \
	_(RANK,    "rank",      INT,  NONE,  "rank of the host") \
	_(DEVICE,  "device",    INT,  NONE,  "device of the last launch of its thread") \
	_(COUNT,   "count",     INT,  COUNT, "calls that begin inside the window") \
	_(TOTAL,   "total_ns",  INT,  NS,    "time of the calls, clipped to the window") \
	_(AVG,     "avg_ns",    REAL, NS,    "mean length") \
	_(MAX,     "max_ns",    INT,  NS,    "longest one") \
	_(WAITED,  "waited_ns", INT,  NS,    "of total_ns: the device worked") \
	_(DRAINED, "drained",   INT,  COUNT, "calls at whose end the device had nothing to do: the queue was empty") \
	_(IDLE,    "idle_ns",   INT,  NS,    "idle time of the device in which such calls end: from its last work to its next; each idle time counts once")
/* clang-format on */
enum {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	SYNC_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	SYNC_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

static void put_group(struct table *t, const struct derived *d, const struct sync_group *g)
{
	const struct trace *trace = derived_trace(d);
	struct cell *row = table_row(t);
	cell_text(&row[COL_NAME], trace_str(trace, g->name));
	if (g->op.n)
		cell_text(&row[COL_OP], arena_strndup(t->mem, g->op.p, g->op.n));
	if (g->device != NONE_ID) {
		cell_rank(&row[COL_RANK], trace, trace_device(trace, g->device)->host);
		cell_device(&row[COL_DEVICE], trace, g->device);
		cell_int(&row[COL_WAITED], g->waited_ns);
		cell_int(&row[COL_DRAINED], g->drained);
		cell_int(&row[COL_IDLE], g->idle_ns);
	}
	cell_int(&row[COL_COUNT], g->count);
	cell_int(&row[COL_TOTAL], g->total_ns);
	if (g->count) {
		cell_real(&row[COL_AVG], (double)g->whole_ns / (double)g->count);
		cell_int(&row[COL_MAX], g->max_ns);
	}
	table_evidence(t, 0, 0, &g->worst, 1);
}

static struct table *run_syncs(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	struct syncs all;
	if (!syncs_make(d, q, mem, p, &all, e))
		return NULL;
	struct table *t = table_new(mem, &syncs_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_group(t, d, &all.at[i]);
	t->sort_col = COL_IDLE;
	t->sort_desc = true;
	return t;
}

const struct table_desc syncs_desc = {
	.name = "syncs",
	.title = "Synchronisation",
	.help = "calls in which the host waits for a device, and the idle time they leave behind",
	TABLE_COLUMNS(columns),
	.run = run_syncs,
	.first = COLUMN_LIST(COL_NAME, COL_OP, COL_DEVICE, COL_IDLE, COL_COUNT, COL_TOTAL, COL_DRAINED, COL_WAITED),
	.report = {.intro = "calls in which the host waits for a device",
		   .brief = COLUMN_LIST(COL_NAME, COL_OP, COL_DEVICE, COL_COUNT, COL_TOTAL, COL_DRAINED, COL_IDLE)},
};
