#include "steps_kineto.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/spans.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

/* A trailing step with less than 4/5 of the device work of the step before is taken for one that was cut. */
enum { KEPT_NUM = 4, KEPT_DEN = 5 };
#define STEP_PREFIX "ProfilerStep#"

struct reader {
	const struct derived *d;
	uint32_t host;
	struct interval_list role[KINETO_COUNT];
	int64_t first_ns, last_ns; /* of ops */
	row_id *calls;             /* runtime calls, in order of their start */
	size_t n_calls;
	struct kineto_steps *out;
	uint32_t first_step; /* of this host */
	bool copied;         /* the track under way holds annotations that the recorder copied to a device */
};

static const char *name_of(const struct derived *d, row_id r)
{
	return trace_str(derived_trace(d), derived_columns(d)->name[r]);
}

/* ---- roles ----------------------------------------------------------------------------------------------------------- */

static bool is_loader(const char *name)
{
	static const char next[] = ".__next__";
	size_t n = strlen(name);
	if (text_starts(name, "enumerate(DataPipe)#"))
		return true;
	return text_starts(name, "enumerate(DataLoader)#") && n >= sizeof next &&
	       !strcmp(name + n + 1 - sizeof next, next);
}

static bool is_communication(const char *name)
{
	static const char *const ops[] = {"nccl:broadcast", "nccl:reduce", "nccl:all_reduce", "nccl:all_gather",
					  "nccl:reduce_scatter"};
	return TEXT_IS_ONE_OF(name, ops);
}

/* Driver calls share the kind with the runtime's but are no role: cuLaunchKernel, not cudaLaunchKernel. */
static bool is_runtime(const struct derived *d, row_id r)
{
	const char *name = name_of(d, r);
	return derived_columns(d)->kind[r] == KIND_RUNTIME && (!text_starts(name, "cu") || text_starts(name, "cuda"));
}

static enum kineto_role role_of_op(const struct derived *d, row_id r)
{
	if (is_communication(name_of(d, r)))
		return KINETO_COMMUNICATION;
	return is_loader(name_of(d, r)) ? KINETO_DATALOADER : KINETO_CPU_OP;
}

static enum kineto_role role_of(const struct derived *d, row_id r)
{
	switch (derived_columns(d)->kind[r]) {
	case KIND_KERNEL:
		return is_communication(derived_op(d, r)) ? KINETO_COMMUNICATION : KINETO_KERNEL;
	case KIND_COPY:
		return KINETO_MEMCPY;
	case KIND_MEMSET:
		return KINETO_MEMSET;
	case KIND_RUNTIME:
		return is_runtime(d, r) ? KINETO_RUNTIME : KINETO_NONE;
	case KIND_OP:
	case KIND_ANNOTATION:
		return role_of_op(d, r);
	default:
		return KINETO_NONE;
	}
}

static void unite_into(struct interval_list *list, struct interval_list *more)
{
	struct interval_list both = {0};
	if (!more->n)
		return;
	intervals_unite(&both, list, more);
	interval_list_free(list);
	*list = both;
	more->n = 0;
}

/* ---- reading a host -------------------------------------------------------------------------------------------------- */

static void add_step(struct reader *x, const char *label, row_id marker, int64_t a_ns, int64_t b_ns)
{
	struct kineto_steps *s = x->out;
	GROW_ARRAY(s->at, s->n, s->cap);
	uint32_t process = marker == NONE_ID
				   ? NONE_ID
				   : trace_track(derived_trace(x->d), derived_columns(x->d)->track[marker])->process;
	s->at[s->n++] = (struct kineto_step){
		.label = label, .marker = marker, .host = x->host, .process = process, .a_ns = a_ns, .b_ns = b_ns};
}

/* A step that was copied to a device is a step of its own, called by its number as the other one is. */
static const char *label_of(const struct reader *x, row_id r)
{
	uint32_t step = derived_step_of(x->d, r);
	bool own = step != NONE_ID && derived_step(x->d, step)->marker == r;
	return own ? derived_step(x->d, step)->label : name_of(x->d, r) + (x->copied ? sizeof STEP_PREFIX - 1 : 0);
}

static void read_row(struct reader *x, row_id r, struct interval_list of_track[KINETO_COUNT])
{
	const struct columns *c = derived_columns(x->d);
	bool annotation = c->kind[r] == KIND_OP || c->kind[r] == KIND_ANNOTATION || x->copied;
	if (annotation && text_starts(name_of(x->d, r), STEP_PREFIX)) {
		add_step(x, label_of(x, r), r, c->start_ns[r], row_end(c, r));
		return;
	}
	enum kineto_role role = x->copied ? role_of_op(x->d, r) : role_of(x->d, r);
	if (role == KINETO_NONE)
		return;
	interval_add(&of_track[role], c->start_ns[r], row_end(c, r));
	if (c->kind[r] == KIND_OP) {
		x->first_ns = c->start_ns[r] < x->first_ns ? c->start_ns[r] : x->first_ns;
		x->last_ns = row_end(c, r) > x->last_ns ? row_end(c, r) : x->last_ns;
	}
	if (role == KINETO_RUNTIME)
		x->calls[x->n_calls++] = r;
}

static void read_tracks(struct reader *x)
{
	const struct trace *t = derived_trace(x->d);
	struct interval_list of_track[KINETO_COUNT] = {{0}};
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->host != x->host || k->derived_by_producer)
			continue;
		x->copied = k->kind == TRACK_STREAM_LANE && !strcmp(trace_str(t, k->lane), "annotations");
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
			read_row(x, r, of_track);
		for (int role = 0; role < KINETO_COUNT; role++)
			unite_into(&x->role[role], &of_track[role]);
	}
	for (int role = 0; role < KINETO_COUNT; role++)
		interval_list_free(&of_track[role]);
}

static int by_begin(const void *p, const void *q)
{
	const struct kineto_step *a = p, *b = q;
	return (a->a_ns > b->a_ns) - (a->a_ns < b->a_ns);
}

/* ---- what steps launched --------------------------------------------------------------------------------------------- */

struct launched {
	int64_t first_ns, last_ns;
};

static void add_launched(const struct derived *d, row_id call, struct launched *l, uint32_t *count)
{
	const row_id *rows;
	uint32_t n = trace_launched(derived_trace(d), call, &rows);
	for (uint32_t i = 0; i < n; i++) {
		l->first_ns = derived_columns(d)->start_ns[rows[i]] < l->first_ns
				      ? derived_columns(d)->start_ns[rows[i]]
				      : l->first_ns;
		l->last_ns = row_end(derived_columns(d), rows[i]) > l->last_ns ? row_end(derived_columns(d), rows[i])
									       : l->last_ns;
	}
	*count += n;
}

/* Device work of the calls that lie inside each step. */
static struct launched *work_of_steps(struct reader *x)
{
	struct kineto_step *steps = x->out->at + x->first_step;
	uint32_t n = x->out->n - x->first_step, step = 0;
	struct launched *work = must(malloc(n * sizeof *work));
	for (uint32_t i = 0; i < n; i++)
		work[i] = (struct launched){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < x->n_calls; i++) {
		int64_t a_ns = derived_columns(x->d)->start_ns[x->calls[i]],
			b_ns = row_end(derived_columns(x->d), x->calls[i]);
		while (step < n && a_ns >= steps[step].b_ns)
			step++;
		if (step == n)
			break;
		if (a_ns >= steps[step].a_ns && b_ns <= steps[step].b_ns)
			add_launched(x->d, x->calls[i], &work[step], &steps[step].work);
	}
	return work;
}

/* The end of the last device work that ends before the first step's begins; what lies there no step launched. */
static int64_t busy_before(const struct reader *x, int64_t first_ns)
{
	const struct trace *t = derived_trace(x->d);
	int64_t last_ns = INT64_MIN;
	for (uint32_t i = 0; first_ns != INT64_MAX && i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->host != x->host || k->device == NONE_ID || k->derived_by_producer)
			continue;
		for (row_id r = (row_id)k->first; r < k->first + k->n && derived_columns(x->d)->start_ns[r] < first_ns;
		     r++)
			if (row_is_work(derived_columns(x->d), r) && row_end(derived_columns(x->d), r) < first_ns)
				last_ns = later(last_ns, row_end(derived_columns(x->d), r));
	}
	return last_ns;
}

/* False: no step has device work, and they stay as they are. */
static bool move_steps(struct kineto_step *steps, uint32_t n, const struct launched *work, int64_t before_ns)
{
	bool any = false;
	for (uint32_t i = 0; i < n; i++)
		any |= steps[i].work > 0;
	int64_t end_ns = steps[0].work ? later(steps[0].a_ns, before_ns) : steps[0].a_ns;
	for (uint32_t i = 0; any && i < n; i++) {
		steps[i].a_ns = later(end_ns, steps[i].a_ns);
		steps[i].b_ns = later(later(steps[i].b_ns, work[i].last_ns), steps[i].a_ns);
		end_ns = steps[i].b_ns;
	}
	return any;
}

static uint32_t without_tail(const struct kineto_step *steps, uint32_t n)
{
	uint32_t last = n - 1;
	while (!steps[last].work)
		last--;
	bool cut = last && (uint64_t)steps[last - 1].work * KEPT_NUM > (uint64_t)steps[last].work * KEPT_DEN;
	return cut ? last : last + 1;
}

static void settle_steps(struct reader *x)
{
	if (x->out->n == x->first_step && x->first_ns <= x->last_ns)
		add_step(x, "0", NONE_ID, x->first_ns, x->last_ns);
	struct kineto_step *steps = x->out->at + x->first_step;
	uint32_t n = x->out->n - x->first_step;
	if (!n)
		return;
	qsort(steps, n, sizeof *steps, by_begin);
	struct launched *work = work_of_steps(x);
	if (move_steps(steps, n, work, busy_before(x, work[0].first_ns)))
		x->out->n = x->first_step + without_tail(steps, n);
	free(work);
}

/* ---- parts ----------------------------------------------------------------------------------------------------------- */

static void add_part(struct reader *x, const struct intervals *upto, enum kineto_role role, bool last)
{
	for (uint32_t i = x->first_step; i < x->out->n; i++) {
		struct kineto_step *s = &x->out->at[i];
		int64_t covered_ns = intervals_within(upto, s->a_ns, s->b_ns);
		for (int before = 0; before < (int)role; before++)
			covered_ns -= s->ns[before];
		s->ns[role] = covered_ns;
		for (int known = 0; last && known <= (int)role; known++)
			s->other_ns -= s->ns[known];
		s->other_ns += last ? s->b_ns - s->a_ns : 0;
	}
}

static void split_steps(struct reader *x)
{
	struct interval_list upto = {0};
	for (int role = 0; role < KINETO_COUNT; role++) {
		struct interval_list copy = {0}, none = {0};
		unite_into(&upto, &x->role[role]);
		intervals_unite(&copy, &upto, &none);
		struct intervals sealed = intervals_seal(&copy);
		add_part(x, &sealed, (enum kineto_role)role, role == KINETO_COUNT - 1);
		intervals_free(&sealed);
		interval_list_free(&x->role[role]);
	}
	interval_list_free(&upto);
}

struct kineto_steps kineto_steps(const struct derived *d)
{
	struct kineto_steps out = {0};
	struct reader x = {.d = d, .out = &out, .calls = must(malloc(derived_columns(d)->n * sizeof *x.calls))};
	for (x.host = 0; x.host < trace_hosts(derived_trace(d)); x.host++) {
		x.first_ns = INT64_MAX;
		x.last_ns = INT64_MIN;
		x.n_calls = 0;
		x.first_step = out.n;
		read_tracks(&x);
		qsort_r(x.calls, x.n_calls, sizeof *x.calls, row_order, (void *)derived_columns(d));
		settle_steps(&x);
		split_steps(&x);
	}
	free(x.calls);
	return out;
}

void kineto_free(struct kineto_steps *s)
{
	free(s->at);
	*s = (struct kineto_steps){0};
}
