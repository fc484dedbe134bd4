/* model/summary/summary_tables.c - tables of several ranks, worked out of a summary as they are of traces: the same columns, where a summary
 * tells them; the others are null. */
#include "summary_reader.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/analysis/analysis.h"
#include "model/analysis/comms/collective_match.h"
#include "model/analysis/comms/collective_steps_columns.h"
#include "model/analysis/comms/lateness.h"
#include "model/analysis/comms/replicas.h"
#include "model/analysis/comms/replicas_columns.h"
#include "model/analysis/findings/findings.h"
#include "model/columns.h"

static uint32_t recording_of(const struct reader *r, const struct table *t, uint32_t row)
{
	return idmap_get(&r->recordings, summary_key(text(t, row, 0), 0));
}

static void number_rows(struct reader *r)
{
	const struct table *recordings = part(r, SUMMARY_RECORDING), *steps = part(r, SUMMARY_STEP);
	for (uint32_t i = 0; i < recordings->n_rows; i++)
		*idmap_put(&r->recordings, summary_key(text(recordings, i, REC_ID), 0), i) = i;
	for (uint32_t i = 0; i < steps->n_rows; i++)
		*idmap_put(&r->steps, summary_key(text(steps, i, STEP_REC), number(steps, i, STEP_START)), i) = i;
	r->of = arena_alloc(r->mem, (recordings->n_rows + 1) * sizeof *r->of);
	r->of_step = arena_alloc(r->mem, (steps->n_rows + 1) * sizeof *r->of_step);
}

/* ---- calls ------------------------------------------------------------------------------------------------------------- */

static enum collective_op op_of(const char *word)
{
	for (int op = 0; word && op < COLLECTIVE_OP_COUNT; op++) {
		const char *known = collective_op_word((enum collective_op)op);
		if (known && !strcmp(known, word))
			return (enum collective_op)op;
	}
	return COLLECTIVE_UNKNOWN;
}

/* Devices of one host and rank have one clock. */
static uint32_t host_of(struct reader *r, struct idmap *hosts, uint32_t recording)
{
	const struct table *t = part(r, SUMMARY_RECORDING);
	const char *name = text(t, recording, REC_HOST);
	uint32_t *host = idmap_put(hosts, summary_key(name ? name : "", number(t, recording, REC_RANK)), r->hosts);
	r->hosts += *host == r->hosts;
	return *host;
}

static uint64_t peer_of(const struct reader *r, uint32_t recording)
{
	const struct table *t = part(r, SUMMARY_RECORDING);
	int64_t rank = number(t, recording, REC_RANK), device = number(t, recording, REC_DEVICE);
	return rank == UNKNOWN_I64 ? recording : UINT64_C(1) << 63 | (uint64_t)rank << 32 | (uint32_t)device;
}

/* -1: not recorded. */
static int32_t rank_in(const struct table *t, uint32_t row, uint32_t c)
{
	int64_t v = number(t, row, c);
	return v < 0 || v > INT32_MAX ? -1 : (int32_t)v;
}

static void read_call(struct reader *r, uint32_t row)
{
	const struct table *t = part(r, SUMMARY_CALL);
	uint32_t recording = recording_of(r, t, row);
	int64_t start_ns = number(t, row, CALL_START), dur_ns = number(t, row, CALL_DUR), end_ns;
	if (recording == UINT32_MAX || start_ns == UNKNOWN_I64 || dur_ns < 0 ||
	    __builtin_add_overflow(start_ns, dur_ns, &end_ns))
		return;
	int64_t step_ns = number(t, row, CALL_STEP);
	const char *key = text(t, row, CALL_KEY);
	r->x.at[r->x.n++] = (struct collective){
		.row = row,
		.device = recording,
		.host = r->host_of_recording[recording],
		.step = step_ns == UNKNOWN_I64 ? NONE_ID
					       : idmap_get(&r->steps, summary_key(text(t, row, CALL_REC), step_ns)),
		.peer = peer_of(r, recording),
		.step_number = number(t, row, CALL_NUMBER),
		.start_ns = start_ns,
		.end_ns = end_ns,
		.is = {op_of(text(t, row, CALL_OP)), text(t, row, CALL_ALGORITHM), text(t, row, CALL_PROTOCOL),
		       text(t, row, CALL_DTYPE)},
		.purpose = text(t, row, CALL_PURPOSE),
		.bytes = number(t, row, CALL_BYTES),
		.key = summary_key(key ? key : "", 0),
		.keyed = number(t, row, CALL_KEYED) == 1,
		.to_one = NAN,
		.sent = UNKNOWN_I64,
		.received = UNKNOWN_I64,
		.from = rank_in(t, row, CALL_FROM),
		.to = rank_in(t, row, CALL_TO),
		.group_size = number(t, row, CALL_SIZE),
		.seq = number(t, row, CALL_SEQ),
		.match = NONE_ID};
}

/* Tables count from the first moment, as those of traces do. */
static void find_begin(struct reader *r)
{
	static const struct {
		enum summary_part part;
		uint32_t column;
	} starts[] = {{SUMMARY_RECORDING, REC_START}, {SUMMARY_STEP, STEP_START}, {SUMMARY_CALL, CALL_START}};
	r->begin_ns = INT64_MAX;
	for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
		for (uint32_t i = 0; i < part(r, starts[k].part)->n_rows; i++) {
			int64_t at_ns = number(part(r, starts[k].part), i, starts[k].column);
			r->begin_ns = at_ns != UNKNOWN_I64 && at_ns < r->begin_ns ? at_ns : r->begin_ns;
		}
}

static void read_calls(struct reader *r)
{
	struct idmap hosts = {0};
	uint32_t n = part(r, SUMMARY_RECORDING)->n_rows, *host = arena_alloc(r->mem, (n + 1) * sizeof *host);
	const uint32_t *order = summary_order(r);
	for (uint32_t i = 0; i < n; i++)
		host[order[i]] = host_of(r, &hosts, order[i]);
	r->host_of_recording = host;
	idmap_free(&hosts);
	r->x.at = arena_alloc(r->mem, (part(r, SUMMARY_CALL)->n_rows + 1) * sizeof *r->x.at);
	for (uint32_t i = 0; i < part(r, SUMMARY_CALL)->n_rows; i++)
		read_call(r, i);
	r->x.axis.n_hosts = r->hosts;
	r->x.axis.hosts = arena_alloc(r->mem, (r->hosts + 1) * sizeof *r->x.axis.hosts);
	collectives_put_together(&r->x, r->mem);
}

/* ---- labels ------------------------------------------------------------------------------------------------------------- */

/* Two hosts have a step of one number. */
static void find_ranked(struct reader *r)
{
	const struct table *t = part(r, SUMMARY_STEP);
	struct idmap first = {0};
	for (uint32_t i = 0; i < t->n_rows && !r->ranked; i++) {
		uint32_t recording = recording_of(r, t, i);
		const char *label = text(t, i, STEP_LABEL);
		if (recording == UINT32_MAX || !label)
			continue;
		uint32_t host = r->host_of_recording[recording];
		r->ranked = *idmap_put(&first, summary_key(label, 0), host) != host;
	}
	idmap_free(&first);
}

const char *summary_step_label(const struct reader *r, uint32_t step)
{
	const struct table *recordings = part(r, SUMMARY_RECORDING);
	const char *label = text(part(r, SUMMARY_STEP), step, STEP_LABEL);
	uint32_t recording = recording_of(r, part(r, SUMMARY_STEP), step);
	if (!r->ranked || !label || recording == UINT32_MAX)
		return label;
	int64_t rank = number(recordings, recording, REC_RANK);
	const char *host = text(recordings, recording, REC_HOST);
	return rank != UNKNOWN_I64 ? arena_printf(r->mem, "r%" PRId64 ":%s", rank, label)
				   : arena_printf(r->mem, "%s:%s", host && *host ? host : "host", label);
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

static void add_exposed(struct exposure *sum, const struct exposure *one)
{
	collective_add(&sum->exposed_ns, one->exposed_ns);
	for (int i = 0; i < EXPOSED_COUNT; i++)
		collective_add(&sum->ns[i], one->ns[i]);
}

static void sum_call(struct reader *r, const struct collective *c)
{
	int64_t wait_ns = collective_wait_ns(&r->x, c), dur_ns = number(part(r, SUMMARY_CALL), c->row, CALL_DUR);
	const struct exposure *exposed = &r->exposed[c - r->x.at];
	if (c->step >= part(r, SUMMARY_STEP)->n_rows)
		return;
	struct comm_step *s = &r->of_step[c->step];
	if (!s->calls++)
		s->smallest_bytes = INT64_MAX;
	collective_add(&s->bytes, c->bytes);
	s->smallest_bytes = c->bytes < s->smallest_bytes ? c->bytes : s->smallest_bytes;
	s->largest_bytes = c->bytes > s->largest_bytes ? c->bytes : s->largest_bytes;
	s->sum_ns += dur_ns;
	if (exposed->exposed_ns > (s->most ? r->exposed[s->most - r->x.at].exposed_ns : 0))
		s->most = c;
	add_exposed(&s->exposed, exposed);
	collective_add(&s->wait_ns, wait_ns);
	collective_add(&s->transfer_ns, wait_ns == UNKNOWN_I64 ? UNKNOWN_I64 : dur_ns - wait_ns);
	bool pair = collective_in_pairs(c); /* one end waits for the other as the program wants it */
	if (c->match != NONE_ID && !pair && &r->x.at[r->x.matches[c->match].last] == c)
		s->late_ns += collective_last_by_ns(&r->x, &r->x.matches[c->match]);
	if (pair || !summary_counts(r, c->step))
		return;
	r->of[c->device].calls++;
	r->of[c->device].wait_ns += wait_ns == UNKNOWN_I64 ? 0 : (double)wait_ns;
	collective_add(&r->of[c->device].exposed_wait_ns, exposed->ns[EXPOSED_RANK]);
}

/* What is exposed because compute ran during the waiting, beside the other steps of the job. */
static void find_behind(struct reader *r)
{
	struct comm_steps all = {
		.at = arena_alloc(r->mem, (part(r, SUMMARY_STEP)->n_rows + (size_t)1) * sizeof *all.at)};
	for (uint32_t i = 0; i < part(r, SUMMARY_STEP)->n_rows; i++) {
		struct comm_step *s = &r->of_step[i];
		s->behind_ns = UNKNOWN_I64;
		if (!s->calls || r->steps_told.of[i] == NONE_ID || s->exposed.ns[EXPOSED_RANK] == UNKNOWN_I64)
			continue;
		all.at[all.n] = *s;
		all.at[all.n].device = i; /* where it came from */
		all.at[all.n++].step = r->steps_told.of[i];
	}
	comm_steps_behind(&all, r->steps_told.job);
	for (uint32_t i = 0; i < all.n; i++)
		r->of_step[all.at[i].device].behind_ns = all.at[i].behind_ns;
}

static void sum_steps(struct reader *r)
{
	const struct table *t = part(r, SUMMARY_STEP);
	for (uint32_t i = 0; i < t->n_rows; i++) {
		uint32_t recording = recording_of(r, t, i);
		r->of_step[i].step = i;
		bool told = number(t, i, STEP_DUR) != UNKNOWN_I64 && number(t, i, STEP_COMPUTE) != UNKNOWN_I64 &&
			    number(t, i, STEP_KERNELS) != UNKNOWN_I64;
		if (recording == UINT32_MAX || !told || !summary_counts(r, i))
			continue;
		struct recording_sums *s = &r->of[recording];
		s->steps++;
		s->step_ns += (double)number(t, i, STEP_DUR);
		s->compute_ns += (double)number(t, i, STEP_COMPUTE);
		s->kernels += (double)number(t, i, STEP_KERNELS);
	}
}

/* As replicas.c: at the same time for half of the shorter span at least; ranks that are matched are of one time, whatever their clocks. */
static bool beside(const struct reader *r, uint32_t a, uint32_t b)
{
	int64_t a1 = number(part(r, SUMMARY_RECORDING), a, REC_START),
		a2 = number(part(r, SUMMARY_RECORDING), a, REC_END),
		b1 = number(part(r, SUMMARY_RECORDING), b, REC_START),
		b2 = number(part(r, SUMMARY_RECORDING), b, REC_END);
	int64_t from = a1 > b1 ? a1 : b1, to = a2 < b2 ? a2 : b2, shorter = a2 - a1 < b2 - b1 ? a2 - a1 : b2 - b1;
	return to > from && (to - from) * 2 >= shorter;
}

static void find_together(struct reader *r)
{
	uint32_t n = part(r, SUMMARY_RECORDING)->n_rows;
	for (uint32_t i = 0; i < n; i++) {
		r->of[i].together = r->late[i].calls > 0;
		for (uint32_t k = 0; k < n && !r->of[i].together; k++)
			r->of[i].together = k != i && beside(r, i, k);
	}
}

/* ---- tables ---------------------------------------------------------------------------------------------------------------- */

static double mean_compute(const struct reader *r)
{
	double sum = 0;
	uint32_t n = 0;
	for (uint32_t i = 0; i < part(r, SUMMARY_RECORDING)->n_rows; i++)
		if (r->of[i].steps && r->of[i].together) {
			sum += r->of[i].compute_ns / r->of[i].steps;
			n++;
		}
	return n ? sum / n : NAN;
}

static void add_late_compute(const struct reader *r)
{
	uint32_t n = part(r, SUMMARY_RECORDING)->n_rows;
	struct late_work *work = arena_alloc(r->mem, (n + (size_t)1) * sizeof *work);
	for (uint32_t i = 0; i < n; i++) {
		const struct recording_sums *s = &r->of[i];
		bool compared = s->steps && s->together;
		work[i] = (struct late_work){compared ? s->compute_ns / s->steps : NAN,
					     compared ? s->kernels / s->steps : 0, LATE_UNASKED};
	}
	late_work_compare(work, n);
	for (uint32_t i = 0; i < n; i++)
		r->late[i].compute = work[i].compute;
}

static void replica_row(const struct reader *r, uint32_t i, double mean_ns, struct table *out)
{
	const struct recording_sums *s = &r->of[i];
	struct cell *row = table_row(out);
	double n = s->steps ? s->steps : NAN;
	cell_int(&row[COL_REPLICAS_RANK], number(part(r, SUMMARY_RECORDING), i, REC_RANK));
	cell_text(&row[COL_REPLICAS_HOST], text(part(r, SUMMARY_RECORDING), i, REC_HOST));
	cell_int(&row[COL_REPLICAS_DEVICE], number(part(r, SUMMARY_RECORDING), i, REC_DEVICE));
	cell_int(&row[COL_REPLICAS_STEPS], s->steps);
	cell_real(&row[COL_REPLICAS_STEP], s->step_ns / n);
	cell_real(&row[COL_REPLICAS_OWN], s->step_ns / n - s->wait_ns / n);
	cell_int(&row[COL_REPLICAS_STEPS_NS], llround(s->step_ns));
	cell_int(&row[COL_REPLICAS_STEPS_WAIT], llround(s->wait_ns));
	cell_int(&row[COL_REPLICAS_STEPS_EXPOSED], s->exposed_wait_ns);
	cell_real(&row[COL_REPLICAS_COMPUTE], s->compute_ns / n);
	cell_real(&row[COL_REPLICAS_TO_MEAN], s->together && mean_ns > 0 ? s->compute_ns / n / mean_ns : NAN);
	cell_real(&row[COL_REPLICAS_KERNELS], s->kernels / n);
	cell_real(&row[COL_REPLICAS_CALLS], s->calls / n);
	cell_int(&row[COL_REPLICAS_BUSY], number(part(r, SUMMARY_RECORDING), i, REC_BUSY));
	replica_late_cells(row, &r->late[i]);
	uint32_t main_event = r->late[i].calls ? lateness_because(&r->late[i]).main : NONE_ID;
	if (main_event != NONE_ID)
		cell_text(&row[COL_REPLICAS_BECAUSE_IN], r->names[main_event]);
}

static int cmp_number(const struct table *t, uint32_t x, uint32_t y, uint32_t c)
{
	int64_t p = number(t, x, c), q = number(t, y, c);
	return (p > q) - (p < q);
}

static int cmp_text(const struct table *t, uint32_t x, uint32_t y, uint32_t c)
{
	const char *p = text(t, x, c), *q = text(t, y, c);
	return strcmp(p ? p : "", q ? q : "");
}

/* Rank, host, device, then time: as traces have them; a GPU 0 of one host is not the other's. */
static int by_rank(const void *a, const void *b, void *ctx)
{
	const struct table *t = part(ctx, SUMMARY_RECORDING);
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = cmp_number(t, x, y, REC_RANK);
	c = c ? c : cmp_text(t, x, y, REC_HOST);
	c = c ? c : cmp_number(t, x, y, REC_DEVICE);
	c = c ? c : cmp_number(t, x, y, REC_START);
	return c ? c : (x > y) - (x < y);
}

const uint32_t *summary_order(const struct reader *r)
{
	uint32_t n = part(r, SUMMARY_RECORDING)->n_rows, *order = arena_alloc(r->mem, (n + 1) * sizeof *order);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_rank, (void *)r);
	return order;
}

static void replicas_rows(struct reader *r, struct table *out)
{
	const uint32_t *order = summary_order(r);
	double mean_ns = mean_compute(r);
	add_late_compute(r);
	for (uint32_t i = 0; i < part(r, SUMMARY_RECORDING)->n_rows; i++)
		replica_row(r, order[i], mean_ns, out);
}

static void exposed_cells(const struct comm_step *s, struct cell *row)
{
	cell_int(&row[COL_COLLECTIVE_STEPS_EXPOSED], s->exposed.exposed_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_HIDDEN],
		 s->exposed.exposed_ns == UNKNOWN_I64 ? UNKNOWN_I64 : s->sum_ns - s->exposed.exposed_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_BEHIND], s->behind_ns);
	for (int i = 0; i < EXPOSED_COUNT; i++)
		cell_int(&row[COL_COLLECTIVE_STEPS_BY_RANK + i], s->exposed.ns[i]);
	if (s->exposed.ns[EXPOSED_RANK] != UNKNOWN_I64)
		cell_text(&row[COL_COLLECTIVE_STEPS_EXPOSED_BY], exposed_word(exposed_most(&s->exposed)));
	if (!s->most || s->exposed.ns[EXPOSED_RANK] == UNKNOWN_I64)
		return;
	cell_text(&row[COL_COLLECTIVE_STEPS_MOST],
		  s->most->purpose ? s->most->purpose : collective_op_word(s->most->is.op));
	cell_text(&row[COL_COLLECTIVE_STEPS_MOST_DTYPE], s->most->is.dtype);
}

static void step_row(const struct reader *r, const struct comm_step *s, struct table *out)
{
	const struct table *t = part(r, SUMMARY_STEP), *recordings = part(r, SUMMARY_RECORDING);
	uint32_t recording = recording_of(r, t, s->step);
	struct cell *row = table_row(out);
	bool told = s->bytes != UNKNOWN_I64;
	cell_text(&row[COL_COLLECTIVE_STEPS_STEP], summary_step_label(r, s->step));
	cell_int(&row[COL_COLLECTIVE_STEPS_RANK], number(recordings, recording, REC_RANK));
	cell_text(&row[COL_COLLECTIVE_STEPS_HOST], text(recordings, recording, REC_HOST));
	cell_int(&row[COL_COLLECTIVE_STEPS_DEVICE], number(recordings, recording, REC_DEVICE));
	cell_int(&row[COL_COLLECTIVE_STEPS_START],
		 rank_axis_time(&r->x.axis, r->host_of_recording[recording], number(t, s->step, STEP_START)) -
			 r->begin_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_DUR], number(t, s->step, STEP_DUR));
	cell_int(&row[COL_COLLECTIVE_STEPS_CALLS], s->calls);
	cell_int(&row[COL_COLLECTIVE_STEPS_BYTES], s->bytes);
	cell_int(&row[COL_COLLECTIVE_STEPS_SMALLEST], told ? s->smallest_bytes : UNKNOWN_I64);
	cell_int(&row[COL_COLLECTIVE_STEPS_LARGEST], told ? s->largest_bytes : UNKNOWN_I64);
	cell_int(&row[COL_COLLECTIVE_STEPS_SUM], s->sum_ns);
	exposed_cells(s, row);
	cell_int(&row[COL_COLLECTIVE_STEPS_WAIT], s->wait_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_TRANSFER], s->transfer_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_LATE], s->late_ns);
	cell_text(&row[COL_COLLECTIVE_STEPS_PHASE], step_phase_name(summary_phase(r, s->step)));
	if (number(t, s->step, STEP_COUNTED) != UNKNOWN_I64)
		cell_bool(&row[COL_COLLECTIVE_STEPS_COUNTED], summary_counts(r, s->step));
}

static void steps_rows(struct reader *r, struct table *out)
{
	for (uint32_t i = 0; i < part(r, SUMMARY_STEP)->n_rows; i++)
		if (r->of_step[i].calls && recording_of(r, part(r, SUMMARY_STEP), i) != UINT32_MAX)
			step_row(r, &r->of_step[i], out);
}

/* What rules say of them; devices are named as those of traces. False with `e`: there is no memory for a trace. */
static bool findings_rows_of(struct reader *r, struct table *out, struct err *e)
{
	struct findings found;
	struct table *replicas = table_new(r->mem, analysis_find("replicas")),
		     *steps = table_new(r->mem, analysis_find("collective_steps"));
	struct derived *d = summary_devices(r->s, e);
	if (!d)
		return false;
	replicas_rows(r, replicas);
	steps_rows(r, steps);
	struct rank_tables tables = {replicas, steps, r->steps_told.job->n == 1, r->steps_told.steady_only};
	findings_of_ranks(d, &tables, r->mem, &found);
	findings_rows(d, &found, out);
	derived_free(d);
	return true;
}

static const struct {
	const char *name;
	void (*rows)(struct reader *r, struct table *out); /* NULL: findings */
} made[] = {{"replicas", replicas_rows},
	    {"collective_steps", steps_rows},
	    {"collectives", summary_collectives_rows},
	    {"hosts", summary_hosts_rows},
	    {"findings", NULL}};
enum { TABLES_MADE = sizeof made / sizeof *made };

static size_t which_made(const char *name)
{
	size_t which = 0;
	while (which < TABLES_MADE && strcmp(made[which].name, name) != 0)
		which++;
	return which;
}

bool summary_holds(const char *name)
{
	return which_made(name) < TABLES_MADE;
}

static void work_out(struct reader *r)
{
	summary_find_steps(r);
	summary_find_exposed(r);
	summary_find_late(r);
	sum_steps(r);
	for (uint32_t i = 0; i < r->x.n; i++)
		sum_call(r, &r->x.at[i]);
	find_behind(r);
	find_together(r);
}

struct table *summary_table(const struct summary *s, const char *name, struct arena *mem, struct err *e)
{
	struct reader r = {.s = s, .mem = mem};
	if (!summary_holds(name)) {
		err_usage(e, "a summary has no timeline and no table '%.40s'; it has: " SUMMARY_TABLES, name);
		return NULL;
	}
	struct table *out = table_new(mem, analysis_find(name));
	number_rows(&r);
	find_begin(&r);
	read_calls(&r);
	find_ranked(&r);
	work_out(&r);
	bool whole = true;
	if (made[which_made(name)].rows)
		made[which_made(name)].rows(&r, out);
	else
		whole = findings_rows_of(&r, out, e);
	summary_free_steps(&r);
	idmap_free(&r.recordings);
	idmap_free(&r.steps);
	return whole ? out : NULL;
}
