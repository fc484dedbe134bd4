#include "lane.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include "tui/text/words.h"
#include <stdlib.h>

enum { NAME_COLS = 100, STEP_COLS = 24, PAINT_NONE = PAINT_COUNT };

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

static const char *name_of(const struct lane_view *v, row_id r)
{
	return scrub_event(v->scrub, derived_trace(v->d), r, v->mem);
}

static const char *label_of(const struct lane_view *v, const struct step *s)
{
	return scrub_sentence(v->scrub, s->label, v->mem);
}

static struct box event_box(const struct builder *b, row_id r, int64_t start, int64_t end)
{
	const char *name = words_end(b->v->mem, name_of(b->v, r), NAME_COLS);
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
	const char *name = arena_printf(b->v->mem, STEP_WORD "%s", words_end(b->v->mem, label_of(b->v, s), STEP_COLS));
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

/* ---- a device as one row: how busy it is, where its steps begin, where collectives take most of its time ---------- */

enum { QUARTERS = 4 };
/* One column of the row. */
struct column_sum {
	int64_t busy_ns, collective_ns;
	uint32_t step;  /* that begins in it; NONE_ID = none */
	row_id longest; /* of the work that begins in it */
};
struct device_row {
	const struct lane_view *v;
	const struct columns *c;
	struct column_sum *cols;
	int64_t col_ns;
	struct boxes out;
};

static int64_t column_begin(const struct device_row *d, uint32_t col)
{
	return col == d->v->cols ? d->v->b_ns : d->v->a_ns + d->col_ns * col;
}

static uint32_t column_at(const struct device_row *d, int64_t ns)
{
	int64_t col = (ns - d->v->a_ns) / d->col_ns;
	return col < 0 ? 0 : col >= d->v->cols ? d->v->cols - 1 : (uint32_t)col;
}

static void add_collective(struct device_row *d, int64_t a_ns, int64_t b_ns)
{
	a_ns = a_ns < d->v->a_ns ? d->v->a_ns : a_ns;
	b_ns = b_ns > d->v->b_ns ? d->v->b_ns : b_ns;
	for (uint32_t col = column_at(d, a_ns); a_ns < b_ns; col++) {
		int64_t end_ns = col + 1 < d->v->cols ? column_begin(d, col + 1) : d->v->b_ns;
		end_ns = end_ns < b_ns ? end_ns : b_ns;
		d->cols[col].collective_ns += end_ns - a_ns;
		a_ns = end_ns;
	}
}

static void add_work(struct device_row *d, row_id r)
{
	int64_t start_ns = d->c->start_ns[r];
	struct column_sum *x = &d->cols[column_at(d, start_ns)];
	if (x->longest == NONE_ID || d->c->dur_ns[r] > d->c->dur_ns[x->longest])
		x->longest = r;
	if (derived_is_collective(d->v->d, r))
		add_collective(d, start_ns, row_end(d->c, r));
}

static void sum_columns(struct device_row *d, uint32_t device)
{
	uint32_t n, parts;
	const struct intervals *busy = derived_busy_device(d->v->d, device);
	const uint32_t *streams = device_streams(d->v->d, device, &n);
	const struct step_device *steps = derived_step_devices(d->v->d, &parts);
	for (uint32_t i = 0; i < d->v->cols; i++)
		d->cols[i] = (struct column_sum){
			.busy_ns = intervals_within(busy, column_begin(d, i), column_begin(d, i + 1)),
			.step = NONE_ID,
			.longest = NONE_ID};
	for (uint32_t i = 0; i < n; i++)
		for (struct event_iter it =
			     event_iter(derived_trace(d->v->d), streams[i], d->v->a_ns, d->v->b_ns, KINDS_WORK);
		     event_next(&it);)
			add_work(d, it.row);
	for (uint32_t i = 0; i < parts; i++)
		if (steps[i].device == device && steps[i].first_ns >= d->v->a_ns && steps[i].first_ns < d->v->b_ns)
			d->cols[column_at(d, steps[i].first_ns)].step = steps[i].step;
}

/* Quarters of the column that are busy, rounded up. */
static uint8_t level_of(const struct device_row *d, const struct column_sum *x)
{
	int64_t level = (x->busy_ns * QUARTERS + d->col_ns - 1) / d->col_ns;
	return (uint8_t)(level > QUARTERS ? QUARTERS : level);
}

static uint8_t column_paint(const struct column_sum *x)
{
	return x->collective_ns * 2 >= x->busy_ns && x->collective_ns ? PAINT_COLLECTIVE : PAINT_COMPUTE;
}

static struct box *device_box(struct device_row *d, uint32_t col)
{
	d->out.at = arena_next_row(d->v->mem, d->out.at, d->out.n, sizeof *d->out.at);
	struct box *b = &d->out.at[d->out.n++];
	*b = (struct box){.a_ns = column_begin(d, col), .b_ns = column_begin(d, col + 1)};
	return b;
}

/* Where a step begins, on top of what runs there: two columns, to be seen. The first column after it. */
static uint32_t add_step_begin(struct device_row *d, uint32_t col)
{
	const struct step *s = derived_step(d->v->d, d->cols[col].step);
	struct box *b = device_box(d, col);
	bool room = col + 1 < d->v->cols && d->cols[col + 1].step == NONE_ID;
	b->b_ns = column_begin(d, col + 1 + room);
	b->name = arena_printf(d->v->mem, STEP_WORD "%s begins", words_end(d->v->mem, label_of(d->v, s), STEP_COLS));
	b->dur_ns = s->end_ns - s->start_ns;
	b->count = 1;
	b->paint = PAINT_STEP;
	b->level = QUARTERS;
	return col + 1 + room;
}

/* Columns alike from `col` on, as one box; the first after them. */
static uint32_t add_stretch(struct device_row *d, uint32_t col)
{
	const struct column_sum *first = &d->cols[col];
	const uint8_t level = level_of(d, first), paint = column_paint(first);
	uint32_t end = col;
	int64_t busy_ns = 0;
	row_id longest = NONE_ID;
	for (; end < d->v->cols && (end == col || d->cols[end].step == NONE_ID); end++) {
		const struct column_sum *x = &d->cols[end];
		if (level_of(d, x) != level || column_paint(x) != paint)
			break;
		busy_ns += x->busy_ns;
		if (x->longest != NONE_ID && (longest == NONE_ID || d->c->dur_ns[x->longest] > d->c->dur_ns[longest]))
			longest = x->longest;
	}
	if (!level)
		return end;
	struct box *b = device_box(d, col);
	b->b_ns = column_begin(d, end);
	b->name = longest == NONE_ID ? "what began before" : words_end(d->v->mem, name_of(d->v, longest), NAME_COLS);
	b->dur_ns = busy_ns;
	b->count = 0;
	b->paint = paint;
	b->level = level;
	return end;
}

void lane_of_device(const struct lane_view *v, uint32_t device, struct lane *out)
{
	int64_t col_ns = (v->b_ns - v->a_ns) / v->cols;
	struct device_row d = {.v = v, .c = derived_columns(v->d), .col_ns = col_ns > 0 ? col_ns : 1};
	d.cols = must(calloc(v->cols, sizeof *d.cols)); /* not in v->mem: there may be hundreds of devices */
	sum_columns(&d, device);
	for (uint32_t col = 0; col < v->cols;) {
		bool begins = d.cols[col].step != NONE_ID;
		col = begins ? add_step_begin(&d, col) : add_stretch(&d, col);
	}
	out->n_rows = d.out.n > 0;
	out->rows[0] = d.out;
	free(d.cols);
}

uint32_t lane_boxes(const struct lane *l)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n_rows; i++)
		n += l->rows[i].n;
	return n;
}
