/* comm_groups: process groups, what they are for, which ranks are recorded, and what they cost. */
#include "comm_groups.h"
#include "comm_groups_columns.h"
#include "model/table.h"

TABLE_DECL(comm_groups);

static const struct column columns[] = {COMM_GROUPS_COLUMNS(COLUMN_ROW)};

static void put_group(struct table *out, const struct comm_group *g)
{
	struct cell *row = table_row(out);
	cell_text(&row[COL_COMM_GROUPS_GROUP], g->group);
	cell_text(&row[COL_COMM_GROUPS_KIND], g->kind);
	cell_int(&row[COL_COMM_GROUPS_SIZE], g->size);
	cell_int(&row[COL_COMM_GROUPS_RECORDED], g->recorded);
	cell_text(&row[COL_COMM_GROUPS_MISSING], g->missing);
	cell_int(&row[COL_COMM_GROUPS_CALLS], g->calls);
	cell_int(&row[COL_COMM_GROUPS_ALONE], g->alone);
	cell_int(&row[COL_COMM_GROUPS_BYTES], g->bytes);
	cell_int(&row[COL_COMM_GROUPS_NS], g->ns);
	cell_int(&row[COL_COMM_GROUPS_WAIT], g->wait_ns);
	cell_int(&row[COL_COMM_GROUPS_TRANSFER], g->transfer_ns);
	cell_int(&row[COL_COMM_GROUPS_EXPOSED], g->exposed_ns);
}

static struct table *run_comm_groups(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	struct comm_groups all;
	if (!comm_groups_find(d, q, mem, p, &all, e))
		return NULL;
	struct table *out = table_new(mem, &comm_groups_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_group(out, &all.at[i]);
	return out;
}

const struct table_desc comm_groups_desc = {
	.name = "comm_groups",
	.title = "Process groups",
	.help = "process groups: what they are for, which of their ranks are recorded, what they cost",
	TABLE_COLUMNS(columns),
	.run = run_comm_groups,
	.report = {.brief = COLUMN_LIST(COL_COMM_GROUPS_GROUP, COL_COMM_GROUPS_KIND, COL_COMM_GROUPS_SIZE,
					COL_COMM_GROUPS_RECORDED, COL_COMM_GROUPS_CALLS, COL_COMM_GROUPS_ALONE,
					COL_COMM_GROUPS_WAIT, COL_COMM_GROUPS_EXPOSED)},
	.vs = {.key = COLUMN_LIST(COL_COMM_GROUPS_KIND, COL_COMM_GROUPS_GROUP),
	       .sums = COLUMN_LIST(COL_COMM_GROUPS_NS, COL_COMM_GROUPS_WAIT, COL_COMM_GROUPS_TRANSFER,
				   COL_COMM_GROUPS_BYTES, COL_COMM_GROUPS_CALLS)},
};
