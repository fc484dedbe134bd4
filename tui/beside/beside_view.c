/* Both timelines on one axis, which counts from where a step begins in each run. */
#include "beside_private.h"
#include "model/analysis/maths/intervals.h"
#include "tui/explorer/timeline_layout.h"
#include "tui/explorer/pane.h"

enum { ROWS_AROUND = 8, MARGIN_PCT = 2, ROWS_LEAST = 3, ROWS_MOST = 16 };

struct beside_layout beside_layout(const struct beside *b)
{
	/* title, two lines of verdict, names of lists, ruler, status, footer, and the steps of both */
	struct beside_layout l = {.y_lists = 3, .y_rows = 4};
	int room = b->rows - 9, most = room / 3 > ROWS_MOST ? ROWS_MOST : room / 3, longest = 0;
	for (uint32_t i = 0; i < LISTS; i++)
		longest = b->lists[i].n > (uint32_t)longest
				  ? (int)(b->lists[i].n < ROWS_MOST ? b->lists[i].n : ROWS_MOST)
				  : longest;
	l.h_rows = longest < most ? longest : most;
	l.h_rows = l.h_rows < ROWS_LEAST ? ROWS_LEAST : l.h_rows;
	int lanes = room - l.h_rows > 2 ? room - l.h_rows : 2;
	l.y_ruler = l.y_rows + l.h_rows;
	l.h_lanes[SIDE_A] = lanes - lanes / 2;
	l.h_lanes[SIDE_B] = lanes / 2;
	l.y_side[SIDE_A] = l.y_ruler + 1;
	l.y_side[SIDE_B] = l.y_side[SIDE_A] + 1 + l.h_lanes[SIDE_A];
	return l;
}

/* ---- the states of both runs --------------------------------------------------------------------------------------------- */

/* As many rows as it takes for so many lanes. */
static void size_side(struct state *st, int lanes, int cols)
{
	st->no_side = true;
	state_resize(st, lanes + ROWS_AROUND, cols);
	for (int more = 1; timeline_layout(st).h_lanes < lanes && more < 2 * ROWS_AROUND; more++)
		state_resize(st, lanes + ROWS_AROUND + more, cols);
}

void beside_size_sides(struct beside *b)
{
	struct beside_layout l = beside_layout(b);
	for (int i = 0; i < 2; i++)
		if (b->where != i)
			size_side(b->side[i], l.h_lanes[i], b->cols);
	viewport_resize(&b->port, b->side[b->where == SIDE_A]->view.port.cols);
	beside_apply(b);
}

static void apply_side(struct beside *b, int side)
{
	struct state *st = b->side[side];
	struct viewport *p = &st->view.port;
	int64_t shift_ns = b->origin_ns[side] - b->zero_ns;
	p->from_ns = b->port.from_ns + shift_ns;
	p->span_ns = b->port.span_ns;
	p->den = 0; /* a ladder of zooms of its own would begin elsewhere */
	st->view.cursor_ns = b->origin_ns[side] + b->cursor_ns;
	nav_lanes(st);
	nav_steps_row(st);
}

void beside_apply(struct beside *b)
{
	for (int i = 0; i < 2; i++)
		if (b->where != i)
			apply_side(b, i);
}

/* ---- alignment ----------------------------------------------------------------------------------------------------------- */

/* Where the step that holds the moment begins, and how long it takes; false: none does. */
static bool step_around(const struct derived *d, int64_t at_ns, int64_t *begin_ns, int64_t *length_ns)
{
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		const struct step *x = derived_step(d, i);
		if (at_ns < x->start_ns || at_ns >= x->time_end_ns)
			continue;
		*begin_ns = x->start_ns;
		*length_ns = x->time_end_ns - x->start_ns;
		return true;
	}
	return false;
}

/* Of a run without steps: its first device work in the window. */
static int64_t first_work(const struct beside *b, int side)
{
	const struct diff_run *r = &b->run[side];
	int64_t first = INT64_MAX;
	for (uint32_t i = 0; i < trace_devices(derived_trace(r->d)); i++) {
		const struct intervals *busy = derived_busy_device(r->d, i);
		uint32_t at = intervals_after(busy, r->q.a_ns);
		int64_t begin = at < busy->n ? busy->at[at].a_ns : INT64_MAX;
		first = begin < first ? begin : first;
	}
	return first == INT64_MAX || first < r->q.a_ns ? r->q.a_ns : first;
}

/* The view stays where it is behind the origins; what both traces hold lies on the axis. */
static void set_axis(struct beside *b)
{
	int64_t view_ns = b->port.from_ns - b->zero_ns, after_ns = 1;
	b->zero_ns = b->origin_ns[0] > b->origin_ns[1] ? b->origin_ns[0] : b->origin_ns[1];
	for (int i = 0; i < 2; i++) {
		int64_t rest = trace_span_ns(b->side[i]->t) - b->origin_ns[i];
		after_ns = rest > after_ns ? rest : after_ns;
	}
	b->port.total_ns = b->zero_ns + after_ns;
	b->port.from_ns = view_ns + b->zero_ns;
	b->port.den = 0;
}

static void align(struct beside *b, const int64_t *at_ns)
{
	int64_t length[2] = {0};
	for (int i = 0; i < 2; i++)
		if (!step_around(b->side[i]->d, at_ns[i], &b->origin_ns[i], &length[i]))
			b->origin_ns[i] = at_ns[i];
	b->length_ns = length[0] > length[1] ? length[0] : length[1];
	if (!length[0] || !length[1])
		b->length_ns = b->diff.step.a_ns > b->diff.step.b_ns ? b->diff.step.a_ns : b->diff.step.b_ns;
	set_axis(b);
}

static const struct compare_side *side_of(const struct beside *b, int side)
{
	return side == SIDE_A ? &b->diff.a : &b->diff.b;
}

static void begins_of(const struct beside *b, int64_t *at_ns)
{
	for (int i = 0; i < 2; i++)
		at_ns[i] = side_of(b, i)->stretch_steps ? side_of(b, i)->shown_ns : first_work(b, i);
}

void beside_begin(struct beside *b)
{
	int64_t at_ns[2];
	begins_of(b, at_ns);
	align(b, at_ns);
	b->cursor_ns = 0;
	beside_fit_step(b);
}

/* Nothing is selected; the lanes begin at the top again. */
static void select_nothing(struct state *st)
{
	st->view.event = NONE_ID;
	st->view.top = 0;
}

/* An event of that step is itself; of another one, the longest of its name on its track in the step that stands for the run, else itself. */
static row_id same_in_step(const struct derived *d, row_id r, int64_t at_ns)
{
	const struct columns *c = trace_columns(derived_trace(d));
	row_id found = NONE_ID;
	int64_t begin_ns, length_ns;
	if (!step_around(d, at_ns, &begin_ns, &length_ns) ||
	    (c->start_ns[r] >= begin_ns && c->start_ns[r] < begin_ns + length_ns))
		return r;
	struct event_iter it = event_iter(derived_trace(d), c->track[r], begin_ns, begin_ns + length_ns, KINDS_ALL);
	while (event_next(&it))
		if (c->name[it.row] == c->name[r] && (found == NONE_ID || c->dur_ns[it.row] > c->dur_ns[found]))
			found = it.row;
	return found == NONE_ID ? r : found;
}

static struct compare_place place_of(const struct beside *b, const int64_t *at_ns)
{
	const struct beside_row *row = beside_chosen(b);
	struct compare_place p = {{NONE_ID, NONE_ID}, {UNKNOWN_I64, UNKNOWN_I64}};
	if (row)
		p = row->place;
	for (int i = 0; i < 2; i++) {
		if (p.event[i] == NONE_ID)
			continue;
		p.event[i] = same_in_step(b->side[i]->d, p.event[i], at_ns[i]);
		p.at_ns[i] = trace_columns(b->side[i]->t)->start_ns[p.event[i]];
	}
	return p;
}

void beside_show_chosen(struct beside *b)
{
	int64_t at_ns[2];
	begins_of(b, at_ns);
	const struct compare_place place = place_of(b, at_ns);
	for (int i = 0; i < 2; i++)
		if (place.at_ns[i] != UNKNOWN_I64)
			at_ns[i] = place.at_ns[i];
	align(b, at_ns);
	b->cursor_ns = place.at_ns[1] != UNKNOWN_I64   ? place.at_ns[1] - b->origin_ns[1]
		       : place.at_ns[0] != UNKNOWN_I64 ? place.at_ns[0] - b->origin_ns[0]
						       : 0;
	beside_fit_step(b);
	for (int i = 0; i < 2; i++)
		if (place.event[i] != NONE_ID)
			nav_event(b->side[i], place.event[i]);
		else
			select_nothing(b->side[i]);
	beside_size_sides(b);
}

/* ---- moving about -------------------------------------------------------------------------------------------------------- */

static void show(struct beside *b, int64_t from_ns, int64_t to_ns)
{
	viewport_show(&b->port, b->zero_ns + from_ns, b->zero_ns + (to_ns > from_ns ? to_ns : from_ns + 1), MARGIN_PCT);
	beside_apply(b);
}

void beside_fit_step(struct beside *b)
{
	show(b, 0, b->length_ns);
}

/* What is selected on both. */
void beside_fit_event(struct beside *b)
{
	int64_t from = INT64_MAX, to = INT64_MIN;
	for (int i = 0; i < 2; i++) {
		const struct columns *c = trace_columns(b->side[i]->t);
		row_id r = b->side[i]->view.event;
		if (r == NONE_ID)
			continue;
		int64_t a = c->start_ns[r] - b->origin_ns[i], e = a + c->dur_ns[r];
		from = a < from ? a : from;
		to = e > to ? e : to;
	}
	if (from < to)
		show(b, from, to);
	else
		beside_fit_step(b);
}

static int beside_cursor_col(const struct beside *b)
{
	return viewport_shows(&b->port, b->zero_ns + b->cursor_ns)
		       ? (int)viewport_col_of(&b->port, b->zero_ns + b->cursor_ns)
		       : (int)b->port.cols / 2;
}

void beside_zoom(struct beside *b, int64_t num, int64_t den)
{
	viewport_zoom(&b->port, (uint32_t)beside_cursor_col(b), num, den);
	beside_apply(b);
}

void beside_pan(struct beside *b, int tenths)
{
	viewport_pan(&b->port, (int64_t)b->port.cols * tenths / 10);
	beside_apply(b);
}

void beside_cursor_to(struct beside *b, int col)
{
	int last = (int)b->port.cols - 1;
	col = col < 0 ? 0 : col > last ? last : col;
	b->cursor_ns = viewport_col_start(&b->port, (uint32_t)col) - b->zero_ns;
	beside_apply(b);
}

void beside_move_cursor(struct beside *b, int cols)
{
	beside_cursor_to(b, beside_cursor_col(b) + cols);
}
