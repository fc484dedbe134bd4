/* Reading a line of causes. */
#include "cause_lines.h"
#include "model/analysis/maths/order.h"

/* The last of at[lo .. hi) that begins at ts or sooner; lo if none does. */
static struct cause_walk walk_between(const struct cause_line *line, uint32_t lo, uint32_t hi, int64_t ts_ns)
{
	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (line->at[mid].at_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return (struct cause_walk){line, lo};
}

struct cause_walk cause_walk_from(const struct cause_line *line, uint32_t hint, int64_t ts_ns)
{
	uint32_t lo = hint, step = 1;
	if (hint >= line->n || line->at[hint].at_ns > ts_ns)
		return cause_walk_at(line, ts_ns);
	for (; step < line->n - lo && line->at[lo + step].at_ns <= ts_ns; step *= 2)
		lo += step;
	return walk_between(line, lo, step < line->n - lo ? lo + step : line->n, ts_ns);
}

struct cause_walk cause_walk_at(const struct cause_line *line, int64_t ts_ns)
{
	return walk_between(line, 0, line->n, ts_ns);
}

struct cause_at cause_walk_to(struct cause_walk *w, int64_t ts_ns, int64_t *until_ns)
{
	const struct cause_line *l = w->line;
	while (w->i + 1 < l->n && l->at[w->i + 1].at_ns <= ts_ns)
		w->i++;
	if (w->i + 1 < l->n)
		*until_ns = earlier(*until_ns, l->at[w->i + 1].at_ns);
	return l->n ? l->at[w->i] : (struct cause_at){.row = NONE_ID, .hole = true};
}

bool cause_walk_reaches_out(const struct cause_walk *w, int64_t a_ns, int64_t b_ns)
{
	const struct cause_line *l = w->line;
	if (w->i >= l->n || !l->at[w->i].mixed)
		return false;
	return l->joined || l->at[w->i].at_ns < a_ns || w->i + 1 == l->n || l->at[w->i + 1].at_ns > b_ns;
}
