/* Steps from the annotations of step_marks.h. */
#include "derived_data.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/names/step_marks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64 };

/* The first family of the table with enough markers; 0 = none. */
static uint8_t choose_family(const uint8_t *marks, uint32_t n)
{
	uint32_t count[MARK_ENDS] = {0};
	for (uint32_t i = 0; i < n; i++)
		if (!(marks[i] & MARK_ENDS) && marks[i] != MARK_OPTIMIZER)
			count[marks[i]]++;
	for (uint8_t family = 1; family <= step_mark_families(); family++)
		if (count[family] && count[family] >= step_mark_least(family))
			return family;
	return MARK_NONE;
}

static uint32_t add_marked(struct derived *d, uint32_t host, row_id r, uint8_t family)
{
	char name[256];
	struct step s = step_of_marker(d, host, r);
	s.label = NULL; /* the family may find another number */
	step_mark_name(family, trace_str(d->pub.t, d->pub.c->name[r]), name, sizeof name, &s.number);
	s.name = step_name_id(d, name, strlen(name));
	return steps_add(d, &s);
}

/* The name that marks most steps and begins first, for families whose markers have several: an epoch holds its batches, and training
 * alternates with evaluation. Texts of one family only are looked at. NULL: any name will do. */
static const char *choose_name(const struct derived *d, const row_id *rows, const uint8_t *marks, uint32_t n,
			       uint8_t family, char buf[NAME_BYTES])
{
	enum { NAMES = 16 };
	char names[NAMES][NAME_BYTES], name[NAME_BYTES];
	uint32_t count[NAMES] = {0}, known = 0, best = 0;
	int64_t number;
	if (!step_mark_has_phrase(family))
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (marks[i] != family)
			continue;
		uint32_t at = 0;
		step_mark_name(family, trace_str(d->pub.t, d->pub.c->name[rows[i]]), name, sizeof name, &number);
		while (at < known && strcmp(names[at], name))
			at++;
		if (at == NAMES)
			continue;
		known += at == known;
		memcpy(names[at], name, sizeof name);
		count[at]++;
		best = count[at] > count[best] ? at : best;
	}
	return known ? memcpy(buf, names[best], sizeof names[best]) : NULL;
}

static bool has_name(const struct derived *d, row_id r, uint8_t family, const char *wanted)
{
	char name[NAME_BYTES];
	int64_t number;
	return !wanted || !strcmp(wanted, step_mark_name(family, trace_str(d->pub.t, d->pub.c->name[r]), name,
							 sizeof name, &number));
}

/* Marks of a host: those of one family, and of one name if it has several, are markers. */
struct marked {
	const row_id *rows;
	const uint8_t *marks;
	uint32_t n;
	uint8_t family;
	const char *name;
};

static bool is_marker(const struct derived *d, const struct marked *m, uint32_t i)
{
	return m->marks[i] == m->family && has_name(d, m->rows[i], m->family, m->name);
}

/* A marker that begins a step and an event that ends it: the step reaches to the last such event of its thread before the
 * next marker. Rows come thread by thread in order of time, so only the step made last can be meant. */
static void extend(struct derived *d, uint32_t first, row_id ends)
{
	struct step *last = d->pub.n_steps > first ? &d->pub.steps[d->pub.n_steps - 1] : NULL;
	if (last && d->pub.c->track[last->marker] == d->pub.c->track[ends] && last->end_ns < row_end(d->pub.c, ends))
		last->end_ns = row_end(d->pub.c, ends);
}

/* Batches since the last optimizer, as markers of one thread. */
struct batches {
	row_id last; /* NONE_ID: none yet */
	uint32_t open, ended;
	uint32_t first, single; /* batches before the first optimizer; optimizers after one batch alone, later */
};

static void count_mark(struct batches *b, const struct derived *d, const struct marked *m, uint32_t i)
{
	const struct columns *c = d->pub.c;
	row_id r = m->rows[i];
	bool same = b->last != NONE_ID && c->track[b->last] == c->track[r];
	if (is_marker(d, m, i)) {
		b->open = same ? b->open + 1 : 1;
		b->last = r;
	} else if (m->marks[i] == MARK_OPTIMIZER && same && b->open) {
		b->single += b->open == 1 && b->ended;
		b->first = b->ended ? b->first : b->open;
		b->ended++;
		b->open = 0;
	}
}

/* The optimizer comes once for two markers or more each time, in the last one of them or after it: gradients are gathered over several
 * batches, which make one step. Of the first ones the recording may hold a part. */
static bool optimizer_ends_steps(const struct derived *d, const struct marked *m)
{
	struct batches b = {.last = NONE_ID};
	for (uint32_t i = 0; i < m->n; i++)
		count_mark(&b, d, m, i);
	return !b.single && b.ended > (b.first > 1 ? 1 : 2);
}

/* Of markers up to the optimizer the first one is the step. */
static void add_until_optimizer(struct derived *d, uint32_t host, const struct marked *m)
{
	const struct columns *c = d->pub.c;
	uint32_t first = d->pub.n_steps, marker = NONE_ID;
	for (uint32_t i = 0; i < m->n; i++) {
		row_id r = m->rows[i];
		if (is_marker(d, m, i)) {
			bool more = marker != NONE_ID && c->track[marker] == c->track[r];
			if (!more)
				d->pub.step_of[r] = add_marked(d, host, r, m->family);
			else
				extend(d, first, r);
			marker = r;
		} else if (m->marks[i] == MARK_OPTIMIZER) {
			extend(d, first, r);
			marker = NONE_ID;
		} else if (m->marks[i] == (m->family | MARK_ENDS)) {
			extend(d, first, r);
		}
	}
}

static void add_each(struct derived *d, uint32_t host, const struct marked *m)
{
	uint32_t first = d->pub.n_steps;
	for (uint32_t i = 0; i < m->n; i++) {
		if (is_marker(d, m, i))
			d->pub.step_of[m->rows[i]] = add_marked(d, host, m->rows[i], m->family);
		else if (m->marks[i] == (m->family | MARK_ENDS))
			extend(d, first, m->rows[i]);
	}
}

bool marks_make(struct derived *d, uint32_t host, const row_id *rows, const uint8_t *marks, uint32_t n)
{
	char buf[NAME_BYTES];
	struct marked m = {.rows = rows, .marks = marks, .n = n, .family = choose_family(marks, n)};
	if (!m.family)
		return false;
	m.name = choose_name(d, rows, marks, n, m.family, buf);
	bool whole = optimizer_ends_steps(d, &m);
	(whole ? add_until_optimizer : add_each)(d, host, &m);
	d->source[host] = arena_printf(&d->mem, "annotations: %s%s", step_mark_framework(m.family),
				       whole ? ", up to the optimizer" : "");
	d->style[host] = STYLE_CONTAIN;
	contain_members(d, host);
	return true;
}
