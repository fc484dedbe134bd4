/* Which Python frame most of the time of steps without a class lies in, where no device works: its causes are told nowhere else. */
#include "overview_parts.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/store/base/idmap.h"
#include <stdlib.h>

struct frame {
	str_id name;
	row_id row; /* its longest event */
	int64_t ns, longest_ns;
};
struct frames {
	const struct derived *d;
	struct idmap places; /* name -> place in at */
	struct frame *at;
	uint32_t n, cap, steps;
	int64_t steps_ns;
};

/* Around it stands an op or a range of the program, which has a class of its own. */
static bool in_a_class(const struct derived *d, row_id r)
{
	for (; r != NONE_ID; r = parent_of(d, r))
		if (derived_columns(d)->kind[r] != KIND_PYTHON && !row_is_marker(d, r) &&
		    !thread_event_holds_step(d, r))
			return true;
	return false;
}

static void add_own(void *arg, uint32_t row, int64_t self_ns)
{
	struct frames *f = arg;
	const struct columns *c = derived_columns(f->d);
	if (self_ns <= 0 || c->kind[row] != KIND_PYTHON || in_a_class(f->d, row))
		return;
	uint32_t *place = idmap_put(&f->places, c->name[row], f->n);
	if (*place == f->n) {
		GROW_ARRAY(f->at, f->n, f->cap);
		f->at[f->n++] = (struct frame){.name = c->name[row], .longest_ns = -1};
	}
	struct frame *x = &f->at[*place];
	x->ns += self_ns;
	if (self_ns > x->longest_ns) {
		x->longest_ns = self_ns;
		x->row = row;
	}
}

static void add_step(struct frames *f, uint32_t thread, int64_t a_ns, int64_t b_ns)
{
	struct innermost m = {.done = add_own, .arg = f};
	struct event_iter it = event_iter(derived_trace(f->d), thread, a_ns, b_ns, KINDS_ALL);
	const struct columns *c = derived_columns(f->d);
	while (event_next(&it)) {
		int64_t start_ns = c->start_ns[it.row], end_ns = row_end(c, it.row);
		innermost_open(&m, it.row, start_ns > a_ns ? start_ns : a_ns, end_ns < b_ns ? end_ns : b_ns);
	}
	innermost_close_all(&m);
	f->steps++;
	f->steps_ns += b_ns - a_ns;
}

static void add_steps(struct frames *f, const struct query *q)
{
	struct counted_steps counted = counted_steps(f->d, q);
	for (uint32_t i = 0; i < derived_steps(f->d); i++) {
		const struct step *s = derived_step(f->d, i);
		uint32_t thread = derived_step_thread(f->d, i);
		if (thread != NONE_ID && step_counts(&counted, i) && s->start_ns >= q->a_ns &&
		    s->time_end_ns <= q->b_ns)
			add_step(f, thread, s->start_ns, s->time_end_ns);
	}
}

static void put_frame(struct table *t, const struct frames *f, const struct frame *x)
{
	const struct columns *c = derived_columns(f->d);
	keyed_text(t, "top_frame", trace_str(derived_trace(f->d), x->name),
		   "The Python frame outside of ops and ranges with most self time on the threads of steps, over the "
		   "steps that carry means; nothing where a device works.");
	table_evidence(t, c->start_ns[x->row], row_end(c, x->row), &x->row, 1);
	keyed_real(t, "top_frame_ns", UNIT_NS, (double)x->ns / f->steps,
		   "That time per step: without what is nested in it.");
	keyed_real(t, "top_frame_pct", UNIT_PERCENT, keyed_pct((double)x->ns, (double)f->steps_ns),
		   "Its share of the time of these steps.");
}

void overview_frames(struct table *t, const struct derived *d, const struct query *q)
{
	struct frames f = {.d = d};
	uint32_t most = 0;
	if (trace_devices(derived_trace(d)) > 0)
		return;
	add_steps(&f, q);
	for (uint32_t i = 1; i < f.n; i++)
		most = f.at[i].ns > f.at[most].ns ? i : most;
	if (f.n)
		put_frame(t, &f, &f.at[most]);
	free(f.at);
	idmap_free(&f.places);
}
