/* collectives: every call on every device, with what is waiting and what is transfer. */
#include "comms.h"
#include <math.h>
#include "collectives_columns.h"
#include "lateness.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"

TABLE_DECL(collectives);

static const struct column columns[] = {COLLECTIVES_COLUMNS(COLUMN_ROW)};

struct rows {
	const struct derived *d;
	const struct query *q;
	const struct collectives *x;
	const struct comms *comms;
	struct table *out;
};

static void match_cells(const struct rows *w, const struct collective *c, struct cell *row)
{
	int64_t wait_ns = collective_wait_ns(w->x, c);
	if (c->match == NONE_ID)
		return;
	const struct collective_match *m = &w->x->matches[c->match];
	cell_int(&row[COL_COLLECTIVES_MATCH], c->match);
	cell_int(&row[COL_COLLECTIVES_DEVICES], m->n);
	cell_int(&row[COL_COLLECTIVES_WAIT], wait_ns);
	cell_int(&row[COL_COLLECTIVES_TRANSFER], derived_columns(w->d)->dur_ns[c->row] - wait_ns);
	cell_int(&row[COL_COLLECTIVES_LAST_BY], collective_last_by_ns(w->x, m));
	if (collective_last_by_ns(w->x, m) <= 0)
		return;
	cell_int(&row[COL_COLLECTIVES_LAST], collective_rank(derived_trace(w->d), &w->x->at[m->last]));
	cell_host(&row[COL_COLLECTIVES_LAST_HOST], derived_trace(w->d), w->x->at[m->last].host);
}

static int64_t devices_of(const struct rows *w, const struct collective *c)
{
	if (c->group_size > 0)
		return c->group_size;
	return c->match == NONE_ID ? 0 : w->x->matches[c->match].n;
}

static void rate_cells(const struct rows *w, const struct collective *c, struct cell *row)
{
	int64_t wait_ns = collective_wait_ns(w->x, c);
	double ns = (double)(derived_columns(w->d)->dur_ns[c->row] - (wait_ns == UNKNOWN_I64 ? 0 : wait_ns));
	if (c->bytes == UNKNOWN_I64)
		return;
	double rate = ns > 0 ? (double)c->bytes / ns * 1e9 : NAN;
	int64_t n = devices_of(w, c);
	cell_int(&row[COL_COLLECTIVES_MESSAGE], c->bytes);
	cell_real(&row[COL_COLLECTIVES_BYTES_PER_S], rate);
	cell_real(&row[COL_COLLECTIVES_BUS], n ? rate * collective_bus_factor(c->is.op, n) : NAN);
	double link = derived_options(w->d)->link_bytes_per_s;
	if (link > 0)
		cell_int(&row[COL_COLLECTIVES_EXPECTED], llround((double)c->bytes / link * 1e9));
}

static void add_row(struct rows *w, const struct collective *c, int64_t place)
{
	const struct trace *t = derived_trace(w->d);
	const struct columns *e = derived_columns(w->d);
	int64_t start_ns = e->start_ns[c->row], end_ns = row_end(e, c->row);
	const struct exposure *exposed = &w->comms->exposed[c - w->x->at];
	struct cell *row = table_row(w->out);
	cell_rank(&row[COL_COLLECTIVES_RANK], t, c->host);
	cell_host(&row[COL_COLLECTIVES_HOST], t, c->host);
	cell_device(&row[COL_COLLECTIVES_DEVICE], t, c->device);
	cell_text(&row[COL_COLLECTIVES_STEP], c->step == NONE_ID ? NULL : derived_step(w->d, c->step)->label);
	cell_int(&row[COL_COLLECTIVES_PLACE], place);
	cell_text(&row[COL_COLLECTIVES_OP], collective_op_word(c->is.op));
	cell_text(&row[COL_COLLECTIVES_ALGORITHM], c->is.algorithm);
	cell_text(&row[COL_COLLECTIVES_PROTOCOL], c->is.protocol);
	cell_text(&row[COL_COLLECTIVES_DTYPE], c->is.dtype);
	cell_text(&row[COL_COLLECTIVES_GROUP], c->group);
	cell_text(&row[COL_COLLECTIVES_GROUP_KIND], c->kind);
	cell_text(&row[COL_COLLECTIVES_PURPOSE], c->purpose);
	cell_int(&row[COL_COLLECTIVES_START], start_ns);
	cell_int(&row[COL_COLLECTIVES_DUR], end_ns - start_ns);
	cell_int(&row[COL_COLLECTIVES_EXPOSED], exposed->exposed_ns);
	cell_int(&row[COL_COLLECTIVES_HIDDEN], end_ns - start_ns - exposed->exposed_ns);
	cell_text(&row[COL_COLLECTIVES_EXPOSED_BY], exposed_word(exposed_most(exposed)));
	cell_int(&row[COL_COLLECTIVES_EVENT], c->row);
	match_cells(w, c, row);
	rate_cells(w, c, row);
	table_evidence(w->out, start_ns, end_ns, &c->row, 1);
}

/* Of a device: where it is in its step. */
struct in_step {
	uint32_t step;
	int64_t calls;
};

/* Calls come in the order of time. Where steps are inferred they may begin anywhere in the program's loop, elsewhere on another rank: places
 * tell nothing there. */
static int64_t place_in_step(const struct derived *d, struct in_step *at, uint32_t step)
{
	if (step == NONE_ID || derived_step(d, step)->inferred)
		return UNKNOWN_I64;
	if (at->step != step)
		*at = (struct in_step){step, 0};
	return at->calls++;
}

static struct table *run_collectives(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	const struct comms *comms = comms_of(d, p, e);
	if (!comms)
		return NULL;
	struct table *out = table_new(mem, &collectives_desc);
	struct rows w = {d, q, &comms->x, comms, out};
	struct in_step *in_step = arena_alloc(mem, (trace_devices(derived_trace(d)) + (size_t)1) * sizeof *in_step);
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		in_step[i].step = NONE_ID;
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < comms->x.n; i++) {
		const struct collective *c = &comms->x.at[i];
		int64_t place = place_in_step(d, &in_step[c->device], c->step);
		if (query_holds(q, derived_columns(d)->start_ns[c->row]) && event_wanted(d, q, c->row))
			add_row(&w, c, place);
	}
	return out;
}

const struct table_desc collectives_desc = {
	.name = "collectives",
	.title = "Collectives",
	.help = "communication between devices: who waited for whom, what was transferred at what rate, and how much "
		"compute hid",
	TABLE_COLUMNS(columns),
	.run = run_collectives,
	.first = COLUMN_LIST(COL_COLLECTIVES_RANK, COL_COLLECTIVES_DEVICE, COL_COLLECTIVES_OP, COL_COLLECTIVES_DUR,
			     COL_COLLECTIVES_WAIT, COL_COLLECTIVES_TRANSFER, COL_COLLECTIVES_LAST,
			     COL_COLLECTIVES_EXPOSED, COL_COLLECTIVES_EXPOSED_BY, COL_COLLECTIVES_MESSAGE,
			     COL_COLLECTIVES_BYTES_PER_S, COL_COLLECTIVES_STEP),
	.report = {.brief = COLUMN_LIST(COL_COLLECTIVES_RANK, COL_COLLECTIVES_DEVICE, COL_COLLECTIVES_OP,
					COL_COLLECTIVES_DUR, COL_COLLECTIVES_WAIT, COL_COLLECTIVES_TRANSFER,
					COL_COLLECTIVES_LAST, COL_COLLECTIVES_EXPOSED, COL_COLLECTIVES_EXPOSED_BY),
		   .sort = COLUMN_LIST(COL_COLLECTIVES_DUR)},
	.vs = {.key = COLUMN_LIST(COL_COLLECTIVES_DEVICE, COL_COLLECTIVES_PLACE, COL_COLLECTIVES_OP),
	       .sums = COLUMN_LIST(COL_COLLECTIVES_DUR, COL_COLLECTIVES_WAIT, COL_COLLECTIVES_TRANSFER,
				   COL_COLLECTIVES_EXPOSED, COL_COLLECTIVES_MESSAGE),
	       .of_job = true},
};
