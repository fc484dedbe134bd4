/* idle as HolisticTraceAnalysis shows it: per rank where the time went, per stream what it waited for. */
#include "idle_hta_table.h"
#include "hta.h"
#include "model/analysis/query/cells.h"

/* clang-format off */
static const struct column columns[] = {
	{"step", CELL_TEXT, UNIT_NONE, "all: with two or more ProfilerSteps the last one is left out"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"stream", CELL_INT, UNIT_ID, "number of the stream; empty: all streams of the rank together"},
	{"dur_ns", CELL_INT, UNIT_NS, "rank: first start to last end of device work, events shrunk to whole us"},
	{"idle_ns", CELL_INT, UNIT_NS, "rank: dur_ns less the union of all device work; stream: sum of the gaps between neighbours"},
	{"compute_ns", CELL_INT, UNIT_NS, "union of kernels that are neither communication (^nccl ^hip ^hccl ncclKernel) nor memory (Memcpy Memset dma)"},
	{"non_compute_ns", CELL_INT, UNIT_NS, "the rest of dur_ns: communication and memory that compute does not hide"},
	{"idle_pct", CELL_REAL, UNIT_PERCENT, "idle_ns / dur_ns"},
	{"compute_pct", CELL_REAL, UNIT_PERCENT, "compute_ns / dur_ns"},
	{"non_compute_pct", CELL_REAL, UNIT_PERCENT, "non_compute_ns / dur_ns"},
	{"host_wait_ns", CELL_INT, UNIT_NS, "gaps of the stream whose next event was launched after the event before had ended"},
	{"kernel_wait_ns", CELL_INT, UNIT_NS, "other gaps shorter than 30 us"},
	{"other_ns", CELL_INT, UNIT_NS, "all other gaps"},
	{"host", CELL_TEXT, UNIT_NONE, "host of the rank"},
};
/* clang-format on */
enum {
	STEP,
	RANK,
	STREAM,
	DUR_NS,
	IDLE_NS,
	COMPUTE_NS,
	NON_COMPUTE_NS,
	IDLE_PCT,
	COMPUTE_PCT,
	NON_COMPUTE_PCT,
	HOST_WAIT_NS,
	KERNEL_WAIT_NS,
	OTHER_NS,
	HOST
};
enum { NS_PER_US = 1000 };

static struct cell *row_of(struct table *out, const struct trace *t, uint32_t host)
{
	struct cell *row = table_row(out);
	cell_text(&row[STEP], "all");
	cell_rank(&row[RANK], t, host);
	cell_host(&row[HOST], t, host);
	return row;
}

static void rank_row(struct table *out, const struct trace *t, const struct hta_rank *r)
{
	struct cell *row = row_of(out, t, r->host);
	int64_t dur_us = r->last_us - r->first_us, idle_us = dur_us - r->busy_us, rest_us = r->busy_us - r->compute_us;
	cell_int(&row[DUR_NS], dur_us * NS_PER_US);
	cell_int(&row[IDLE_NS], idle_us * NS_PER_US);
	cell_int(&row[COMPUTE_NS], r->compute_us * NS_PER_US);
	cell_int(&row[NON_COMPUTE_NS], rest_us * NS_PER_US);
	cell_pct(&row[IDLE_PCT], idle_us, dur_us);
	cell_pct(&row[COMPUTE_PCT], r->compute_us, dur_us);
	cell_pct(&row[NON_COMPUTE_PCT], rest_us, dur_us);
}

static void stream_row(struct table *out, const struct trace *t, const struct hta_stream *s)
{
	struct cell *row = row_of(out, t, s->host);
	cell_int(&row[STREAM], s->stream);
	cell_int(&row[IDLE_NS], (s->host_wait_us + s->kernel_wait_us + s->other_us) * NS_PER_US);
	cell_int(&row[HOST_WAIT_NS], s->host_wait_us * NS_PER_US);
	cell_int(&row[KERNEL_WAIT_NS], s->kernel_wait_us * NS_PER_US);
	cell_int(&row[OTHER_NS], s->other_us * NS_PER_US);
}

struct table *idle_hta_table(const struct derived *d, const struct query *q, const struct table_desc *as,
			     struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	struct table *out = table_with(mem, as, columns, sizeof columns / sizeof *columns);
	struct hta h = hta_read(d);
	query_bounds(q, t, &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < h.n_ranks; i++)
		rank_row(out, t, &h.ranks[i]);
	for (uint32_t i = 0; i < h.n_streams; i++)
		stream_row(out, t, &h.streams[i]);
	hta_free(&h);
	return out;
}
