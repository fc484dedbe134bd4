/* device_pairs: bytes, time and rate from each device to each other one of its host, and by which way. */
#include "device_pairs.h"
#include <math.h>
#include "device_pairs_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/table.h"

TABLE_DECL(device_pairs);

static const struct column columns[] = {DEVICE_PAIRS_COLUMNS(COLUMN_ROW)};

static void put_pair(struct table *out, const struct derived *d, const struct device_pair *x)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = derived_columns(d);
	struct cell *row = table_row(out);
	cell_rank(&row[COL_DEVICE_PAIRS_RANK], t, x->host);
	cell_host(&row[COL_DEVICE_PAIRS_HOST], t, x->host);
	cell_int(&row[COL_DEVICE_PAIRS_FROM], x->from);
	cell_int(&row[COL_DEVICE_PAIRS_TO], x->to < 0 ? UNKNOWN_I64 : x->to);
	cell_text(&row[COL_DEVICE_PAIRS_PATH], pair_path_word(x->path));
	cell_int(&row[COL_DEVICE_PAIRS_TRANSFERS], x->transfers);
	cell_int(&row[COL_DEVICE_PAIRS_BYTES], x->rated_ns ? x->bytes : UNKNOWN_I64);
	cell_int(&row[COL_DEVICE_PAIRS_NS], x->ns);
	cell_real(&row[COL_DEVICE_PAIRS_RATE], x->rated_ns > 0 ? (double)x->bytes / (double)x->rated_ns * 1e9 : NAN);
	cell_real(&row[COL_DEVICE_PAIRS_FASTEST], x->fastest > 0 ? x->fastest : NAN);
	row_id last = x->longest[1] == NONE_ID ? x->longest[0] : x->longest[1];
	table_evidence(out, c->start_ns[x->longest[0]], row_end(c, last), x->longest, x->longest[1] == NONE_ID ? 1 : 2);
}

static struct table *run_device_pairs(const struct derived *d, const struct query *q, struct arena *mem,
				      struct progress *p, struct err *e)
{
	struct device_pairs all;
	if (!device_pairs_find(d, q, mem, p, &all, e))
		return NULL;
	struct table *out = table_new(mem, &device_pairs_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_pair(out, d, &all.at[i]);
	return out;
}

const struct table_desc device_pairs_desc = {
	.name = "device_pairs",
	.title = "Between devices",
	.help = "bytes, time and rate from each GPU to every other one of its host: peer to peer, over a direct link, "
		"or through the host",
	TABLE_COLUMNS(columns),
	.run = run_device_pairs,
	.first = COLUMN_LIST(COL_DEVICE_PAIRS_RANK, COL_DEVICE_PAIRS_FROM, COL_DEVICE_PAIRS_TO, COL_DEVICE_PAIRS_PATH,
			     COL_DEVICE_PAIRS_TRANSFERS, COL_DEVICE_PAIRS_BYTES, COL_DEVICE_PAIRS_NS,
			     COL_DEVICE_PAIRS_RATE),
	.report = {.brief = COLUMN_LIST(COL_DEVICE_PAIRS_FROM, COL_DEVICE_PAIRS_TO, COL_DEVICE_PAIRS_PATH,
					COL_DEVICE_PAIRS_TRANSFERS, COL_DEVICE_PAIRS_BYTES, COL_DEVICE_PAIRS_NS,
					COL_DEVICE_PAIRS_RATE)},
	.vs = {.key = COLUMN_LIST(COL_DEVICE_PAIRS_RANK, COL_DEVICE_PAIRS_FROM, COL_DEVICE_PAIRS_TO,
				  COL_DEVICE_PAIRS_PATH),
	       .sums = COLUMN_LIST(COL_DEVICE_PAIRS_NS, COL_DEVICE_PAIRS_BYTES, COL_DEVICE_PAIRS_TRANSFERS)},
};
