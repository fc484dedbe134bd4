#include "lane.h"
#include "model/store/base/spans.h"
#include "tui/text/words.h"
#include <stdlib.h>

enum { NAME_COLS = 100, PAINT_NONE = PAINT_COUNT };

/* One row while it grows. A run collects neighbours narrower than a column until a wide event or an empty column. */
struct row {
	struct box *at;
	uint32_t n;
	bool open;
	struct box run;
	row_id longest;
	int64_t longest_ns;
};
struct builder {
	const struct lane_view *v;
	const struct columns *c;
	struct row rows[LANE_ROWS];
	int64_t ends[256]; /* of the enclosing events */
	uint32_t depth, deepest, max_rows;
	int64_t col_ns;
};

static enum paint paint_of_copy(enum copy_kind k)
{
	return k == COPY_H2D ? PAINT_H2D : k == COPY_D2H ? PAINT_D2H : k == COPY_MEMSET ? PAINT_MEMSET : PAINT_COPY;
}

static const uint8_t paints[KIND_COUNT] = {
#define PAINT_OF(id, word, work, ink, inks, fill, paint) PAINT_##paint,
	EVENT_KINDS(PAINT_OF)
#undef PAINT_OF
};

static enum paint paint_of(const struct derived *d, row_id r)
{
	uint8_t kind = trace_columns(derived_trace(d))->kind[r];
	enum paint p = kind < KIND_COUNT ? (enum paint)paints[kind] : PAINT_OTHER;
	if (p == PAINT_COMPUTE && derived_is_collective(d, r))
		return PAINT_COLLECTIVE;
	return p == PAINT_COPY ? paint_of_copy(derived_copy_kind(d, r)) : p;
}

/* Kinds that the picture shows. */
static uint32_t kinds_shown(void)
{
	uint32_t kinds = 0;
	for (int k = 0; k < KIND_COUNT; k++)
		kinds |= paints[k] == PAINT_NONE ? 0 : KIND_BIT(k);
	return kinds;
}

static uint8_t shade_of(const char *name)
{
	return (uint8_t)(span_hash(span_of(name)) >> 13 & 3);
}

static struct box *row_push(struct row *r, struct arena *mem)
{
	r->at = arena_next_row(mem, r->at, r->n, sizeof *r->at);
	return &r->at[r->n++];
}

static struct box event_box(const struct builder *b, row_id r, int64_t start, int64_t end)
{
	const char *name = words_end(b->v->mem, trace_str(derived_trace(b->v->d), b->c->name[r]), NAME_COLS);
	return (struct box){.a_ns = start,
			    .b_ns = end,
			    .name = name,
			    .dur_ns = b->c->dur_ns[r],
			    .count = 1,
			    .paint = (uint8_t)paint_of(b->v->d, r),
			    .shade = shade_of(name),
			    .level = 4};
}

static void close_run(const struct builder *b, struct row *r)
{
	if (!r->open)
		return;
	r->open = false;
	int64_t covered = r->run.dur_ns, wide = r->run.b_ns - r->run.a_ns;
	/* a run is named after its longest event */
	struct box box = event_box(b, r->longest, r->run.a_ns, r->run.b_ns);
	box.count = r->run.count;
	if (box.count > 1) {
		box.dur_ns = covered;
		box.level = (uint8_t)(1 + (wide > 0 ? (covered * 4 - 1) / wide : 3));
		box.level = box.level > 4 ? 4 : box.level < 1 ? 1 : box.level;
	}
	*row_push(r, b->v->mem) = box;
}

/* Quarters of a run are judged over 8 columns, so that a busy and a quiet part do not blur into one. */
enum { RUN_COLS = 8 };

static void add_narrow(const struct builder *b, struct row *r, row_id id, int64_t start, int64_t end)
{
	if (r->open && (start - r->run.b_ns > b->col_ns || end - r->run.a_ns > RUN_COLS * b->col_ns))
		close_run(b, r);
	if (!r->open) {
		r->open = true;
		r->run = (struct box){.a_ns = start, .b_ns = end};
		r->longest_ns = -1;
	}
	r->run.b_ns = end > r->run.b_ns ? end : r->run.b_ns;
	r->run.dur_ns += end - start;
	r->run.count++;
	if (end - start > r->longest_ns) {
		r->longest = id;
		r->longest_ns = end - start;
	}
}

static void add_event(struct builder *b, uint32_t row, row_id id)
{
	int64_t start = b->c->start_ns[id], end = start + b->c->dur_ns[id];
	start = start < b->v->a_ns ? b->v->a_ns : start;
	end = end > b->v->b_ns ? b->v->b_ns : end;
	struct row *r = &b->rows[row];
	if (end - start < b->col_ns) {
		add_narrow(b, r, id, start, end);
		return;
	}
	close_run(b, r);
	*row_push(r, b->v->mem) = event_box(b, id, start, end);
}

/* Row = how many of the drawn events enclose it. An event that only partly overlaps lands below, never on top. */
static uint32_t nest(struct builder *b, row_id id)
{
	int64_t start = b->c->start_ns[id];
	while (b->depth > 0 && b->ends[b->depth - 1] <= start)
		b->depth--;
	uint32_t row = b->depth;
	if (b->depth < 256)
		b->ends[b->depth++] = start + b->c->dur_ns[id];
	b->deepest = row + 1 > b->deepest ? row + 1 : b->deepest;
	return row;
}

static bool only_python(const struct lane_view *v, uint32_t track, uint32_t kinds)
{
	struct event_iter it = event_iter(derived_trace(v->d), track, v->a_ns, v->b_ns, kinds & ~KIND_BIT(KIND_PYTHON));
	return !event_next(&it);
}

static void finish_rows(struct builder *b, struct lane *out)
{
	out->n_rows = b->deepest < b->max_rows ? b->deepest : b->max_rows;
	out->hidden_rows = b->deepest - out->n_rows;
	for (uint32_t i = 0; i < out->n_rows; i++) {
		close_run(b, &b->rows[i]);
		out->rows[i] = (struct boxes){b->rows[i].at, b->rows[i].n};
	}
}

static struct builder builder_new(const struct lane_view *v, uint32_t max_rows)
{
	int64_t col = (v->b_ns - v->a_ns) / v->cols; /* narrower boxes would be drawn on top of each other */
	return (struct builder){.v = v,
				.c = trace_columns(derived_trace(v->d)),
				.max_rows = max_rows < LANE_ROWS ? max_rows : LANE_ROWS,
				.col_ns = col > 0 ? col : 1};
}

void lane_of_track(const struct lane_view *v, uint32_t track, uint32_t max_rows, struct lane *out)
{
	uint32_t kinds = kinds_shown();
	/* Python frames enclose everything and would push ops and calls out of the few rows; a thread with nothing else shows them */
	if (!only_python(v, track, kinds))
		kinds &= ~KIND_BIT(KIND_PYTHON);
	struct builder b = builder_new(v, max_rows);
	struct event_iter it = event_iter(derived_trace(v->d), track, v->a_ns, v->b_ns, kinds);
	while (event_next(&it)) {
		uint32_t row = nest(&b, it.row);
		if (row < b.max_rows)
			add_event(&b, row, it.row);
	}
	finish_rows(&b, out);
}

static void add_step(struct builder *b, uint32_t step, int64_t start, int64_t end)
{
	const struct step *s = derived_step(b->v->d, step);
	int64_t a = start < b->v->a_ns ? b->v->a_ns : start, z = end > b->v->b_ns ? b->v->b_ns : end;
	if (a >= z)
		return;
	struct row *r = &b->rows[0];
	struct box *last = r->n ? &r->at[r->n - 1] : NULL;
	b->deepest = 1;
	if (last && z - a < b->col_ns && a - last->b_ns < b->col_ns && last->b_ns - last->a_ns < RUN_COLS * b->col_ns) {
		last->b_ns = z > last->b_ns ? z : last->b_ns;
		last->dur_ns += z - a;
		last->count++;
		return;
	}
	const char *name = arena_printf(b->v->mem, "step %s", words_end(b->v->mem, s->label, 24));
	*row_push(r, b->v->mem) = (struct box){.a_ns = a,
					       .b_ns = z,
					       .name = name,
					       .dur_ns = end - start,
					       .count = 1,
					       .paint = PAINT_STEP,
					       .shade = (uint8_t)(step & 1), /* neighbours differ */
					       .level = 4};
}

void lane_of_markers(const struct lane_view *v, uint32_t host, struct lane *out)
{
	struct builder b = builder_new(v, 1);
	for (uint32_t i = 0; i < derived_steps(v->d); i++) {
		const struct step *s = derived_step(v->d, i);
		if (s->host == host)
			add_step(&b, i, s->start_ns, s->end_ns);
	}
	finish_rows(&b, out);
}

void lane_of_device_steps(const struct lane_view *v, uint32_t device, struct lane *out)
{
	struct builder b = builder_new(v, 1);
	uint32_t n;
	const struct step_device *sd = derived_step_devices(v->d, &n);
	for (uint32_t i = 0; i < n; i++)
		if (sd[i].device == device && sd[i].n_work > 0)
			add_step(&b, sd[i].step, sd[i].first_ns, sd[i].last_ns);
	finish_rows(&b, out);
}

uint32_t lane_boxes(const struct lane *l)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n_rows; i++)
		n += l->rows[i].n;
	return n;
}
