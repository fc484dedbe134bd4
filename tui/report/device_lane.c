/* A device as one row: how busy it is, where its steps begin, and where collectives take most of its time. */
#include "lane.h"
#include "model/analysis/derived/rows.h"
#include "tui/text/words.h"

enum { NAME_COLS = 100, QUARTERS = 4 };
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

static uint8_t paint_of(const struct column_sum *x)
{
	return x->collective_ns * 2 >= x->busy_ns && x->collective_ns ? PAINT_COLLECTIVE : PAINT_COMPUTE;
}

static struct box *push(struct device_row *d, uint32_t col)
{
	d->out.at = arena_next_row(d->v->mem, d->out.at, d->out.n, sizeof *d->out.at);
	struct box *b = &d->out.at[d->out.n++];
	*b = (struct box){.a_ns = column_begin(d, col), .b_ns = column_begin(d, col + 1)};
	return b;
}

/* Where a step begins, on top of what runs there: two columns, to be seen. The first column behind it. */
static uint32_t add_step(struct device_row *d, uint32_t col)
{
	const struct step *s = derived_step(d->v->d, d->cols[col].step);
	struct box *b = push(d, col);
	bool room = col + 1 < d->v->cols && d->cols[col + 1].step == NONE_ID;
	b->b_ns = column_begin(d, col + 1 + room);
	b->name = arena_printf(d->v->mem, "step %s begins", words_end(d->v->mem, s->label, 24));
	b->dur_ns = s->end_ns - s->start_ns;
	b->count = 1;
	b->paint = PAINT_STEP;
	b->level = QUARTERS;
	return col + 1 + room;
}

/* Columns alike from `col` on, as one box; the first behind them. */
static uint32_t add_run(struct device_row *d, uint32_t col)
{
	const struct column_sum *first = &d->cols[col];
	const uint8_t level = level_of(d, first), paint = paint_of(first);
	uint32_t end = col;
	int64_t busy_ns = 0;
	row_id longest = NONE_ID;
	for (; end < d->v->cols && (end == col || d->cols[end].step == NONE_ID); end++) {
		const struct column_sum *x = &d->cols[end];
		if (level_of(d, x) != level || paint_of(x) != paint)
			break;
		busy_ns += x->busy_ns;
		if (x->longest != NONE_ID && (longest == NONE_ID || d->c->dur_ns[x->longest] > d->c->dur_ns[longest]))
			longest = x->longest;
	}
	if (!level)
		return end;
	struct box *b = push(d, col);
	b->b_ns = column_begin(d, end);
	b->name = longest == NONE_ID
			  ? "what began before"
			  : words_end(d->v->mem, trace_str(derived_trace(d->v->d), d->c->name[longest]), NAME_COLS);
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
	d.cols = arena_alloc(v->mem, v->cols * sizeof *d.cols);
	sum_columns(&d, device);
	for (uint32_t col = 0; col < v->cols;) {
		bool begins = d.cols[col].step != NONE_ID;
		col = begins ? add_step(&d, col) : add_run(&d, col);
	}
	out->n_rows = d.out.n > 0;
	out->rows[0] = d.out;
}
