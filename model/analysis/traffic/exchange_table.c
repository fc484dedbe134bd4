/* all_to_all: what each rank gives and gets in all-to-alls. */
#include "exchange.h"
#include <math.h>
#include "exchange_columns.h"
#include "model/analysis/query/cells.h"
#include "model/table.h"

TABLE_DECL(all_to_all);

static const struct column columns[] = {EXCHANGE_COLUMNS(COLUMN_ROW)};

static void put_exchange(struct table *out, const struct trace *t, const struct exchanges *all,
			 const struct exchange *x)
{
	struct cell *row = table_row(out);
	cell_rank(&row[COL_EXCHANGE_RANK], t, trace_device(t, x->device)->host);
	cell_host(&row[COL_EXCHANGE_HOST], t, trace_device(t, x->device)->host);
	cell_device(&row[COL_EXCHANGE_DEVICE], t, x->device);
	cell_int(&row[COL_EXCHANGE_CALLS], x->calls);
	cell_int(&row[COL_EXCHANGE_SENT], x->sent);
	cell_int(&row[COL_EXCHANGE_RECEIVED], x->received);
	cell_real(&row[COL_EXCHANGE_TO_ONE], x->split > 0 ? 100 * x->to_one / x->split : NAN);
	cell_real(&row[COL_EXCHANGE_TO_MEAN],
		  all->n > 1 && all->received_mean > 0 ? (double)x->received / all->received_mean : NAN);
	cell_int(&row[COL_EXCHANGE_NS], x->ns);
	cell_int(&row[COL_EXCHANGE_EXPOSED], x->exposed_ns);
}

static struct table *run_all_to_all(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	struct exchanges all;
	if (!exchanges_find(d, q, mem, p, &all, e))
		return NULL;
	struct table *out = table_new(mem, &all_to_all_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_exchange(out, derived_trace(d), &all, &all.at[i]);
	return out;
}

const struct table_desc all_to_all_desc = {
	.name = "all_to_all",
	.title = "All-to-alls",
	.help = "what each rank sends and receives in all-to-alls: how evenly experts or embeddings are spread",
	TABLE_COLUMNS(columns),
	.run = run_all_to_all,
	.report = {.brief = COLUMN_LIST(COL_EXCHANGE_RANK, COL_EXCHANGE_DEVICE, COL_EXCHANGE_CALLS, COL_EXCHANGE_SENT,
					COL_EXCHANGE_RECEIVED, COL_EXCHANGE_TO_MEAN, COL_EXCHANGE_EXPOSED),
		   .all_rows = true},
	.vs = {.key = COLUMN_LIST(COL_EXCHANGE_RANK, COL_EXCHANGE_DEVICE),
	       .sums = COLUMN_LIST(COL_EXCHANGE_NS, COL_EXCHANGE_RECEIVED, COL_EXCHANGE_SENT),
	       .of_job = true},
};
