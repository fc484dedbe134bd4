#include "comm_steps.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "lateness.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/next_work.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/phases.h"
#include "model/store/base/both.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"

struct finder {
	const struct derived *d;
	const struct query *q;
	struct progress *progress;
	struct arena *mem, step_mem; /* of the parts that others share; of the steps */
	struct err *err;
	bool twice;
	const struct phase_stats *stats; /* this and `phases`: NULL unless `twice` */
	const struct columns *c;
	const struct comms *comms;
	const struct collectives *x;
	struct phases *phases;
	struct idmap places; /* (step, device) -> place in out->at */
	struct idmap taken;  /* rows that count as joining or splitting */
	const struct next_work *beside;
	struct comm_steps *out;
};

enum { PLACE_NEW = UINT32_MAX - 1, PLACE_OUTSIDE = UINT32_MAX - 2 };

static uint64_t place_key(uint32_t step, uint32_t device)
{
	return (uint64_t)step << 32 | device;
}

/* ---- joining and splitting -------------------------------------------------------------------------------------------- */

/* Types of ops in TensorFlow and last parts of names in PyTorch. */
static const char *const joins[] = {"ConcatV2",
				    "Concat",
				    "Pack",
				    "cat",
				    "_cat",
				    "stack",
				    "flatten_dense_tensors",
				    "_chunk_cat",
				    "chunk_cat",
				    "all_gather_copy_in"};
static const char *const splits[] = {
	"SplitV", "Split", "Unpack", "split", "split_with_sizes", "split_with_sizes_copy", "unflatten_dense_tensors"};

static const char *last_part(const char *name)
{
	const char *colon = strrchr(name, ':');
	return colon ? colon + 1 : name;
}

static bool is_op_of(const struct finder *f, row_id r, const char *const *list, size_t n)
{
	const struct kernel_info *k = trace_kernel_with_op(derived_trace(f->d), r);
	if (k && k->op_type && text_is_one_of(trace_str(derived_trace(f->d), k->op_type), list, n))
		return true;
	return text_is_one_of(last_part(derived_op(f->d, r)), list, n);
}

/* Whether the work takes twice the time at twice the batch. */
static bool doubles(const struct finder *f, row_id r)
{
	enum work_phase phase = f->twice ? phase_of_work(f->phases, r).phase : WORK_OTHER;
	return phase == WORK_FORWARD || phase == WORK_BACKWARD;
}

/* Time of the work in a row beside a collective that joins or splits; each counts once. */
static int64_t beside_ns(struct finder *f, const struct collective *c, bool forward, double *doubling_ns)
{
	enum { ROW_MOST = 64 };
	int64_t sum_ns = 0, at_ns = forward ? row_end(f->c, c->row) : f->c->start_ns[c->row];
	for (int i = 0; i < ROW_MOST; i++) {
		row_id r = (forward ? next_work_after : next_work_before)(f->beside, c->device, at_ns);
		if (r == NONE_ID || f->c->kind[r] != KIND_KERNEL || derived_step_of(f->d, r) != c->step ||
		    !(forward ? is_op_of(f, r, splits, sizeof splits / sizeof *splits)
			      : is_op_of(f, r, joins, sizeof joins / sizeof *joins)))
			break;
		if (idmap_get(&f->taken, r) == UINT32_MAX) {
			*idmap_put(&f->taken, r, 1) = 1;
			sum_ns += f->c->dur_ns[r];
			if (doubles(f, r))
				*doubling_ns -= (double)f->c->dur_ns[r];
		}
		at_ns = forward ? row_end(f->c, r) : f->c->start_ns[r];
	}
	return sum_ns;
}

/* ---- the steps ---------------------------------------------------------------------------------------------------------- */

static struct comm_step *step_of_call(struct finder *f, const struct collective *c)
{
	int64_t a_ns, b_ns;
	if (c->step == NONE_ID)
		return NULL;
	uint32_t *place = idmap_put(&f->places, place_key(c->step, c->device), PLACE_NEW);
	if (*place != PLACE_NEW)
		return *place == PLACE_OUTSIDE ? NULL : &f->out->at[*place];
	step_time(f->d, c->step, c->device, &a_ns, &b_ns);
	if (a_ns < f->q->a_ns || b_ns > f->q->b_ns || b_ns <= a_ns) {
		*place = PLACE_OUTSIDE;
		return NULL;
	}
	*place = f->out->n;
	f->out->at = arena_next_row(&f->step_mem, f->out->at, f->out->n, sizeof *f->out->at);
	f->out->at[f->out->n] = (struct comm_step){.step = c->step,
						   .device = c->device,
						   .start_ns = a_ns,
						   .dur_ns = b_ns - a_ns,
						   .smallest_bytes = INT64_MAX,
						   .doubling_ns = 0};
	return &f->out->at[f->out->n++];
}

/* The type that gradients have: of the longest reduction, since short ones carry flags and sums of losses. What only gathers is named by
 * the type that its kernel moves, not by that of its elements. */
static void take_dtype(const struct finder *f, const struct collective *c, struct comm_step *s)
{
	int64_t dur_ns = f->c->dur_ns[c->row];
	bool told = c->bytes != UNKNOWN_I64 && !c->by_parameters;
	if (told || !(derived_options(f->d)->parameters > 0) || dur_ns <= s->reduce_ns ||
	    (c->is.op != COLLECTIVE_ALL_REDUCE && c->is.op != COLLECTIVE_REDUCE_SCATTER))
		return;
	s->reduce_ns = dur_ns;
	s->dtype = c->is.dtype && collective_dtype_bytes(c->is.dtype) != 4 ? c->is.dtype : NULL;
}

static void add_call(struct finder *f, const struct collective *c, struct comm_step *s)
{
	const struct exposure *exposed = &f->comms->exposed[c - f->x->at];
	int64_t dur_ns = f->c->dur_ns[c->row], wait_ns = collective_wait_ns(f->x, c);
	s->calls++;
	s->sum_ns += dur_ns;
	s->exposed.exposed_ns += exposed->exposed_ns;
	if (exposed->exposed_ns > (s->most ? f->comms->exposed[s->most - f->x->at].exposed_ns : 0))
		s->most = c;
	for (int i = 0; i < EXPOSED_COUNT; i++)
		s->exposed.ns[i] += exposed->ns[i];
	take_dtype(f, c, s);
	collective_add(&s->bytes, c->bytes);
	s->smallest_bytes = c->bytes < s->smallest_bytes ? c->bytes : s->smallest_bytes;
	s->largest_bytes = c->bytes > s->largest_bytes ? c->bytes : s->largest_bytes;
	collective_add(&s->wait_ns, wait_ns);
	if (c->match != NONE_ID && !collective_in_pairs(c) && &f->x->at[f->x->matches[c->match].last] == c)
		s->late_ns += collective_last_by_ns(f->x, &f->x->matches[c->match]);
	collective_add(&s->transfer_ns, wait_ns == UNKNOWN_I64 ? UNKNOWN_I64 : dur_ns - wait_ns);
	if (doubles(f, c->row))
		s->doubling_ns -= (double)dur_ns;
	s->joining_ns += beside_ns(f, c, false, &s->doubling_ns);
	s->splitting_ns += beside_ns(f, c, true, &s->doubling_ns);
}

/* Forward and backward of each step, without what communicates. */
static void add_phases(struct finder *f)
{
	for (uint32_t i = 0; f->stats && i < f->stats->n; i++) {
		const struct phase_sums *sums = &f->stats->at[i];
		uint32_t place =
			sums->step == NONE_ID ? UINT32_MAX : idmap_get(&f->places, place_key(sums->step, sums->device));
		if (place < f->out->n)
			f->out->at[place].doubling_ns += (double)(sums->ns[WORK_FORWARD] + sums->ns[WORK_BACKWARD]);
	}
	for (uint32_t i = 0; i < f->out->n; i++)
		if (!(f->out->at[i].doubling_ns > 0))
			f->out->at[i].doubling_ns = NAN;
}

static void settle(const struct derived *d, struct comm_step *s)
{
	const struct derived_opts *o = derived_options(d);
	double bytes = s->bytes == UNKNOWN_I64 ? o->parameters * 4 : (double)s->bytes;
	if (s->bytes == UNKNOWN_I64)
		s->smallest_bytes = s->largest_bytes = UNKNOWN_I64;
	s->expected_ns =
		o->link_bytes_per_s > 0 && bytes > 0 ? llround(bytes / o->link_bytes_per_s * 1e9) : UNKNOWN_I64;
}

/* ---- transfers that fall behind -------------------------------------------------------------------------------------------- */

static bool may_fall_behind(const struct comm_step *s)
{
	return s->wait_ns != UNKNOWN_I64;
}

/* Of the steps of a job the least that is exposed with no compute left, over devices with a like number of calls. */
void comm_steps_behind(struct comm_steps *all, const struct job_steps *job)
{
	struct least {
		int64_t ns;
		uint32_t calls;
	} *least = all->n ? must(calloc(job->n + (size_t)1, sizeof *least)) : NULL;
	for (uint32_t i = 0; i < all->n; i++) {
		const struct comm_step *s = &all->at[i];
		struct least *l = &least[job_step_of(job, s->step)];
		int64_t ns = s->exposed.ns[EXPOSED_COMPUTE];
		if (may_fall_behind(s) && (!l->calls || ns < l->ns))
			*l = (struct least){ns, s->calls};
	}
	for (uint32_t i = 0; i < all->n; i++) {
		struct comm_step *s = &all->at[i];
		const struct least *l = &least[job_step_of(job, s->step)];
		int64_t more_ns = s->exposed.ns[EXPOSED_COMPUTE] - l->ns,
			hidden_ns = s->wait_ns - s->exposed.ns[EXPOSED_RANK];
		s->behind_ns = !may_fall_behind(s)    ? UNKNOWN_I64
			       : s->calls != l->calls ? 0
			       : more_ns < hidden_ns  ? more_ns
						      : hidden_ns;
	}
	free(least);
}

static int by_step(const void *a, const void *b)
{
	const struct comm_step *x = a, *y = b;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return (x->device > y->device) - (x->device < y->device);
}

/* Two threads: the calls of each step, and the phases of all work; each has its own memory. */
static bool add_calls(void *ctx)
{
	struct finder *f = ctx;
	for (uint32_t i = 0; i < f->x->n && !progress_cancelled(f->progress); i++) {
		struct comm_step *s = step_of_call(f, &f->x->at[i]);
		if (s)
			add_call(f, &f->x->at[i], s);
	}
	return !progress_cancelled(f->progress);
}

static bool find_phases(void *ctx)
{
	struct finder *f = ctx;
	f->stats = shared_part(&phase_stats_part, f->d, f->q, f->mem, f->progress, f->err);
	return f->stats;
}

static bool find(struct finder *f)
{
	if (!(f->comms = comms_of(f->d, f->progress, f->err)) || (f->twice && !(f->phases = phases_new(f->d, f->err))))
		return false;
	f->x = &f->comms->x;
	bool whole = f->twice ? both(2, find_phases, add_calls, f) : add_calls(f);
	arena_adopt(f->mem, &f->step_mem);
	if (!whole)
		return f->stats || !f->twice ? err_usage(f->err, "cancelled") : false;
	add_phases(f);
	for (uint32_t i = 0; i < f->out->n; i++)
		settle(f->d, &f->out->at[i]);
	comm_steps_behind(f->out, derived_job_steps(f->d));
	if (f->out->n > 1)
		qsort(f->out->at, f->out->n, sizeof *f->out->at, by_step);
	return true;
}

bool comm_steps_find(const struct derived *d, const struct query *q, bool twice, struct arena *mem, struct progress *p,
		     struct comm_steps *out, struct err *e)
{
	struct finder f = {.d = d,
			   .q = q,
			   .progress = p,
			   .mem = mem,
			   .err = e,
			   .twice = twice,
			   .c = derived_columns(d),
			   .beside = next_work_of(d),
			   .out = out};
	*out = (struct comm_steps){0};
	bool whole = find(&f);
	if (f.phases)
		phases_free(f.phases);
	idmap_free(&f.places);
	idmap_free(&f.taken);
	return whole;
}

static int64_t comm_step_overhead_ns(const struct comm_step *s)
{
	return s->joining_ns + s->exposed.exposed_ns + s->splitting_ns;
}

double comm_step_overhead_pct(const struct comm_step *s, int batch)
{
	double step_ns = (double)s->dur_ns + (batch > 1 ? (batch - 1) * s->doubling_ns : 0);
	return step_ns > 0 ? 100 * (double)comm_step_overhead_ns(s) / step_ns : NAN;
}
