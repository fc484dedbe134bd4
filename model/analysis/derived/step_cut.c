/* Which steps a slice has only a part of: exports mark what does not lie inside of their window (facts/slice_marks.h). A step with a
 * marker is whole where that lies inside: what it launched left with it. One without is whole where all of its calls do, and work
 * that nobody launched. */
#include "derived_data.h"
#include "model/store/facts/slice_marks.h"
#include <string.h>

struct marks {
	struct derived *d;
	struct attrs *attrs; /* a reader of its own: others may read meanwhile */
	str_id key;
	struct arena scratch;
};

static bool is_mark(const char *text)
{
#define SLICE_IS(id, word)                  \
	if (*(word) && !strcmp(text, word)) \
		return true;
	SLICE_MARKS(SLICE_IS)
#undef SLICE_IS
	return false;
}

/* The export says that the event does not lie inside. */
static bool reaches_out(struct marks *m, row_id r)
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(m->d->pub.c->attrs, r);
	if (m->scratch.bytes > 1 << 20)
		arena_free(&m->scratch);
	if (!at || !attrs_read(m->attrs, at, &m->scratch, &attrs, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (attrs[i].key == m->key && is_mark(attr_text(&attrs[i], trace_strings(m->d->pub.t), &m->scratch)))
			return true;
	return false;
}

static void cut_by_members(struct marks *m)
{
	const struct columns *c = m->d->pub.c;
	for (row_id r = 0; r < c->n; r++) {
		uint32_t step = m->d->pub.step_of[r];
		if (step == NONE_ID || m->d->pub.steps[step].marker != NONE_ID || m->d->pub.steps[step].cut)
			continue;
		row_id told = row_is_work(c, r) && c->link[r] != NONE_ID ? c->link[r] : r;
		m->d->pub.steps[step].cut = reaches_out(m, told);
	}
}

void steps_cut(struct derived *d)
{
	struct marks m = {.d = d,
			  .key = strings_find(trace_strings(d->pub.t), SLICE_MARK_KEY, sizeof SLICE_MARK_KEY - 1)};
	bool unmarked = false;
	if (!m.key || !d->pub.n_steps || d->opts.semantics != SEM_STEPSCOPE)
		return;
	m.attrs = attrs_view_new(trace_attrs(d->pub.t));
	for (uint32_t i = 0; m.attrs && i < d->pub.n_steps; i++) {
		struct step *s = &d->pub.steps[i];
		s->cut = s->marker != NONE_ID && reaches_out(&m, s->marker);
		unmarked |= s->marker == NONE_ID;
	}
	if (m.attrs && unmarked)
		cut_by_members(&m);
	attrs_view_free(m.attrs);
	arena_free(&m.scratch);
}

bool derived_steps_all_cut(const struct derived *d)
{
	for (uint32_t i = 0; i < derived_steps(d); i++)
		if (!derived_step(d, i)->cut)
			return false;
	return derived_steps(d) > 0;
}
