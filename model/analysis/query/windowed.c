#include "windowed.h"

struct windowed windowed_open(const struct derived *d, const struct query *q, struct progress *p)
{
	return (struct windowed){.d = d, .q = q, .c = trace_columns(derived_trace(d)), .loop = {.progress = p}};
}

void windowed_track(struct windowed *w, uint32_t track, uint32_t kinds)
{
	w->it = event_iter(derived_trace(w->d), track, w->q->a_ns, w->q->b_ns, kinds);
}

const char *windowed_step(const struct derived *d, row_id r)
{
	uint32_t step = derived_step_of(d, r);
	return step == NONE_ID ? NULL : derived_step(d, step)->label;
}

static bool passes(const struct windowed *w)
{
	const struct filter *f = w->q->filter;
	if (!f)
		return true;
	const char *step = filter_needs_step(f) ? windowed_step(w->d, w->row) : NULL;
	return filter_match(f, w->row, step);
}

bool windowed_next(struct windowed *w)
{
	while (!w->loop.cancelled && event_next(&w->it)) {
		w->row = w->it.row;
		if (!progress_loop_cancelled(&w->loop) && passes(w))
			return true;
	}
	return false;
}

bool windowed_done(const struct windowed *w, struct err *e)
{
	return !w->loop.cancelled || err_usage(e, "cancelled");
}
