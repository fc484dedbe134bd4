#include "op_bars.h"
#include "model/analysis/ops/op_types_columns.h"
#include "model/analysis/ops/ops_columns.h"
#include <stdio.h>
#include <string.h>

struct chart {
	const char *title;
	bool types; /* of the table 'op_types', else 'ops' */
	const char *side;
	uint8_t side_column, name, share;
};
static const struct chart charts[OP_CHARTS] = {
	{"Devices, by type", true, "Device", COL_OP_TYPES_SIDE, COL_OP_TYPES_TYPE, COL_OP_TYPES_SELF_PCT},
	{"Devices, by op", false, "Device", COL_OPS_SIDE, COL_OPS_OPERATION, COL_OPS_SELF_PCT},
	{"Host, by type", true, "Host", COL_OP_TYPES_SIDE, COL_OP_TYPES_TYPE, COL_OP_TYPES_SELF_PCT},
	{"Host, by op", false, "Host", COL_OPS_SIDE, COL_OPS_OPERATION, COL_OPS_SELF_PCT},
};

/* The largest so far, largest first; equal ones in the order of the table. */
static void take_bar(struct op_chart *c, const char *name, double pct)
{
	int at = c->n;
	while (at > 0 && c->bars[at - 1].pct < pct)
		at--;
	c->more |= c->n == OP_BARS;
	if (at == OP_BARS)
		return;
	int behind = (c->n < OP_BARS ? c->n : OP_BARS - 1) - at;
	memmove(&c->bars[at + 1], &c->bars[at], (size_t)behind * sizeof *c->bars);
	c->bars[at].pct = pct;
	snprintf(c->bars[at].name, sizeof c->bars[at].name, "%s", name);
	c->n += c->n < OP_BARS;
}

/* The table may be sorted in any way. */
static void collect(const struct table *t, const struct chart *from, struct op_chart *out)
{
	int side = t ? table_place(t, from->side_column) : -1, name = t ? table_place(t, from->name) : -1;
	int share = t ? table_place(t, from->share) : -1;
	*out = (struct op_chart){.title = from->title, .ready = t != NULL};
	if (side < 0 || name < 0 || share < 0)
		return;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const struct cell *pct = table_cell(t, row, (uint32_t)share),
				  *text = table_cell(t, row, (uint32_t)name);
		if (!pct->null && strcmp(table_cell(t, row, (uint32_t)side)->s, from->side) == 0)
			take_bar(out, text->null ? "(no type)" : text->s, pct->r);
	}
}

void op_bars_collect(const struct table *ops, const struct table *types, struct op_chart out[OP_CHARTS])
{
	for (int i = 0; i < OP_CHARTS; i++)
		collect(charts[i].types ? types : ops, &charts[i], &out[i]);
}

int op_bars_shown(const struct op_chart *c, int lines, double *rest_pct)
{
	int n = c->n < lines ? c->n : lines;
	*rest_pct = 0;
	if (n < c->n || c->more)
		*rest_pct = 100;
	for (int i = 0; i<n && * rest_pct> 0; i++)
		*rest_pct -= c->bars[i].pct;
	return n;
}
