/* model/summary/summary_calls.c - the tables of a summary that tell of calls and clocks: collectives and hosts. */
#include "summary_reader.h"
#include <math.h>
#include <stdlib.h>
#include "model/analysis/comms/clocks.h"
#include "model/analysis/comms/collectives_columns.h"
#include "model/analysis/comms/hosts_columns.h"
#include "model/analysis/comms/lateness.h"
#include "model/analysis/names/group_kind.h"

/* ---- collectives ---------------------------------------------------------------------------------------------------------- */

static void match_cells(const struct reader *r, const struct collective *c, struct cell *row)
{
	int64_t wait_ns = collective_wait_ns(&r->x, c);
	if (c->match == NONE_ID)
		return;
	const struct collective_match *m = &r->x.matches[c->match];
	const struct table *recordings = part(r, SUMMARY_RECORDING);
	uint32_t last = r->x.at[m->last].device;
	int64_t by_ns = collective_last_by_ns(&r->x, m), rank = number(recordings, last, REC_RANK);
	cell_int(&row[COL_COLLECTIVES_MATCH], c->match);
	cell_int(&row[COL_COLLECTIVES_DEVICES], m->n);
	cell_int(&row[COL_COLLECTIVES_WAIT], wait_ns);
	cell_int(&row[COL_COLLECTIVES_TRANSFER], number(part(r, SUMMARY_CALL), c->row, CALL_DUR) - wait_ns);
	cell_int(&row[COL_COLLECTIVES_LAST_BY], by_ns);
	if (by_ns <= 0)
		return;
	cell_int(&row[COL_COLLECTIVES_LAST], rank == UNKNOWN_I64 ? number(recordings, last, REC_DEVICE) : rank);
	cell_text(&row[COL_COLLECTIVES_LAST_HOST], text(recordings, last, REC_HOST));
}

static void rate_cells(const struct reader *r, const struct collective *c, struct cell *row)
{
	int64_t wait_ns = collective_wait_ns(&r->x, c), dur_ns = number(part(r, SUMMARY_CALL), c->row, CALL_DUR);
	double ns = (double)(dur_ns - (wait_ns == UNKNOWN_I64 ? 0 : wait_ns));
	if (c->bytes == UNKNOWN_I64)
		return;
	double rate = ns > 0 ? (double)c->bytes / ns * 1e9 : NAN;
	cell_int(&row[COL_COLLECTIVES_MESSAGE], c->bytes);
	cell_real(&row[COL_COLLECTIVES_BYTES_PER_S], rate);
	int64_t n = c->group_size > 0 ? c->group_size : c->match == NONE_ID ? 0 : r->x.matches[c->match].n;
	cell_real(&row[COL_COLLECTIVES_BUS], n ? rate * collective_bus_factor(c->is.op, n) : NAN);
}

/* Where the producer counts steps; what was inferred may begin anywhere in the program's loop. */
static int64_t place_in_step(const struct reader *r, uint32_t i)
{
	int64_t place = 0;
	if (r->x.at[i].step_number == UNKNOWN_I64)
		return UNKNOWN_I64;
	while ((i = summary_before_in_step(r, i)) != NONE_ID)
		place++;
	return place;
}

static void call_row(const struct reader *r, const struct collective *c, struct table *out)
{
	const struct table *t = part(r, SUMMARY_CALL);
	const char *group = text(t, c->row, CALL_GROUP);
	int64_t dur_ns = number(t, c->row, CALL_DUR), exposed_ns = number(t, c->row, CALL_EXPOSED);
	struct cell *row = table_row(out);
	cell_int(&row[COL_COLLECTIVES_RANK], number(part(r, SUMMARY_RECORDING), c->device, REC_RANK));
	cell_text(&row[COL_COLLECTIVES_HOST], text(part(r, SUMMARY_RECORDING), c->device, REC_HOST));
	cell_int(&row[COL_COLLECTIVES_DEVICE], number(part(r, SUMMARY_RECORDING), c->device, REC_DEVICE));
	if (c->step < part(r, SUMMARY_STEP)->n_rows)
		cell_text(&row[COL_COLLECTIVES_STEP], summary_step_label(r, c->step));
	cell_text(&row[COL_COLLECTIVES_OP], collective_op_word(c->is.op));
	cell_int(&row[COL_COLLECTIVES_PLACE], place_in_step(r, (uint32_t)(c - r->x.at)));
	cell_text(&row[COL_COLLECTIVES_ALGORITHM], c->is.algorithm);
	cell_text(&row[COL_COLLECTIVES_PROTOCOL], c->is.protocol);
	cell_text(&row[COL_COLLECTIVES_DTYPE], c->is.dtype);
	cell_text(&row[COL_COLLECTIVES_PURPOSE], c->purpose);
	cell_text(&row[COL_COLLECTIVES_GROUP], group);
	cell_text(&row[COL_COLLECTIVES_GROUP_KIND], group ? group_kind(group) : NULL);
	cell_int(&row[COL_COLLECTIVES_START], c->start_ns - r->begin_ns);
	cell_int(&row[COL_COLLECTIVES_DUR], dur_ns);
	cell_int(&row[COL_COLLECTIVES_EXPOSED], exposed_ns);
	cell_int(&row[COL_COLLECTIVES_HIDDEN], exposed_ns == UNKNOWN_I64 ? UNKNOWN_I64 : dur_ns - exposed_ns);
	const struct exposure *exposed = &r->exposed[c - r->x.at];
	if (exposed->ns[EXPOSED_RANK] != UNKNOWN_I64)
		cell_text(&row[COL_COLLECTIVES_EXPOSED_BY], exposed_word(exposed_most(exposed)));
	match_cells(r, c, row);
	rate_cells(r, c, row);
}

void summary_collectives_rows(struct reader *r, struct table *out)
{
	for (uint32_t i = 0; i < r->x.n; i++)
		call_row(r, &r->x.at[i], out);
}

/* ---- hosts ------------------------------------------------------------------------------------------------------------------ */

struct host_span {
	int64_t first_ns, last_ns; /* on the common axis; last before first: nothing is told */
	uint32_t host, recording, devices, run;
};

static void widen(const struct reader *r, struct host_span *of, uint32_t recording)
{
	const struct table *t = part(r, SUMMARY_RECORDING);
	int64_t a_ns = number(t, recording, REC_START), b_ns = number(t, recording, REC_END);
	if (!of->devices++)
		of->recording = recording;
	if (a_ns == UNKNOWN_I64 || b_ns == UNKNOWN_I64)
		return;
	a_ns = rank_axis_time(&r->x.axis, of->host, a_ns);
	b_ns = rank_axis_time(&r->x.axis, of->host, b_ns);
	of->first_ns = a_ns < of->first_ns ? a_ns : of->first_ns;
	of->last_ns = b_ns > of->last_ns ? b_ns : of->last_ns;
}

static int by_first(const void *a, const void *b)
{
	const struct host_span *x = a, *y = b;
	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

static int by_host(const void *a, const void *b)
{
	const struct host_span *x = a, *y = b;
	return (x->host > y->host) - (x->host < y->host);
}

/* What overlaps in time is one run: clocks.h. */
static void number_runs(struct host_span *at, uint32_t n)
{
	uint32_t run = 0;
	int64_t until_ns = INT64_MIN;
	qsort(at, n, sizeof *at, by_first);
	for (uint32_t i = 0; i < n; i++) {
		run += !i || at[i].first_ns > until_ns;
		at[i].run = run;
		until_ns = at[i].last_ns > until_ns ? at[i].last_ns : until_ns;
	}
	qsort(at, n, sizeof *at, by_host);
}

static void host_row(const struct reader *r, const struct host_span *x, struct table *out)
{
	const struct host_shift *h = &r->x.axis.hosts[x->host];
	bool moved = r->x.axis.fitted && h->pairs;
	struct cell *row = table_row(out);
	cell_text(&row[COL_HOSTS_HOST], text(part(r, SUMMARY_RECORDING), x->recording, REC_HOST));
	cell_int(&row[COL_HOSTS_RANK], number(part(r, SUMMARY_RECORDING), x->recording, REC_RANK));
	cell_int(&row[COL_HOSTS_DEVICES], x->devices);
	cell_text(&row[COL_HOSTS_AXIS], clock_method_word(moved ? CLOCK_COLLECTIVES : CLOCK_RECORDED));
	cell_int(&row[COL_HOSTS_PAIRS], h->pairs);
	cell_int(&row[COL_HOSTS_RESIDUAL], h->residual_ns);
	cell_int(&row[COL_HOSTS_SHIFT], moved ? h->off_ns : 0);
	cell_real(&row[COL_HOSTS_DRIFT], moved ? h->drift * 1e6 : 0);
	cell_int(&row[COL_HOSTS_RUN], x->run);
}

void summary_hosts_rows(struct reader *r, struct table *out)
{
	struct host_span *at = arena_alloc(r->mem, (r->hosts + 1) * sizeof *at);
	for (uint32_t i = 0; i < r->hosts; i++)
		at[i] = (struct host_span){.first_ns = INT64_MAX, .last_ns = INT64_MIN, .host = i};
	for (uint32_t i = 0; i < part(r, SUMMARY_RECORDING)->n_rows; i++)
		widen(r, &at[r->host_of_recording[i]], i);
	if (r->hosts)
		number_runs(at, r->hosts);
	for (uint32_t i = 0; i < r->hosts; i++)
		host_row(r, &at[i], out);
}
