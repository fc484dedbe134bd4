/* tui/panes/pane_input.c - is the program input-bound, by which stage, and how fast would it be without: the verdict, what the host
 * did for input, the best case, the iterator tree and the input ops. */
#include "pane_list.h"
#include "pane_registry.h"
#include "model/store/base/units.h"
#include "tui/explorer/reader.h"
#include "tui/tables/column_head.h"
#include "tui/screen/bars.h"
#include "tui/screen/wrap.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include "model/analysis/input/input_ops_columns.h"
#include "model/analysis/input/iterators_columns.h"
#include "model/analysis/steps/step_part.h"
#include <math.h>
#include <string.h>

enum { NS_COLS = 10, BAR_COLS = 16, TREE_GAP = 2, MAX_LINES = 400 };

/* ---- lines: rows of the iterators, then of the input ops ----------------------------------------------------------- */

enum list_kind { LINE_PIPELINE, LINE_ITERATOR, LINE_HEAD, LINE_OP };
struct list_line {
	enum list_kind kind;
	uint32_t row;
};
struct list {
	struct list_line at[MAX_LINES];
	uint32_t n;
};

static void add_line(struct list *l, enum list_kind kind, uint32_t row)
{
	if (l->n < MAX_LINES)
		l->at[l->n++] = (struct list_line){kind, row};
}

static bool other_pipeline(const struct table *t, uint32_t row)
{
	const char *here = column_text(t, row, COL_ITERATORS_PIPELINE),
		   *before = row ? column_text(t, row - 1, COL_ITERATORS_PIPELINE) : NULL;
	return row == 0 || !here || !before || strcmp(here, before) != 0;
}

static void make_list(const struct state *st, struct list *l)
{
	const struct table *iterators = pane_table_named(st, "iterators"), *ops = pane_table_named(st, "input_ops");
	l->n = 0;
	for (uint32_t row = 0; iterators && row < iterators->n_rows; row++) {
		if (other_pipeline(iterators, row))
			add_line(l, LINE_PIPELINE, row);
		add_line(l, LINE_ITERATOR, row);
	}
	if (ops && ops->n_rows)
		add_line(l, LINE_HEAD, 0);
	for (uint32_t row = 0; ops && row < ops->n_rows; row++)
		add_line(l, LINE_OP, row);
}

static uint32_t items(const struct state *st)
{
	struct list l;
	make_list(st, &l);
	return l.n;
}

/* ---- what stands above the list ------------------------------------------------------------------------------------ */

struct fact {
	const char *label, *key;
};
static const struct fact host_parts[] = {{"enqueue to devices", "enqueue_ns"}, {"read on demand", "demanded_read_ns"},
					 {"read ahead", "advanced_read_ns"},   {"preprocessing", "preprocessing_ns"},
					 {"unclassified", "unclassified_ns"},  {"not recorded", "not_recorded_ns"}};
enum { HOST_PARTS = sizeof host_parts / sizeof *host_parts };

static bool ready(const struct state *st)
{
	return pane_table_named(st, "input") != NULL;
}

static double real_of(const struct cell *c)
{
	return c->null ? (double)NAN : c->type == CELL_REAL ? c->r : (double)c->i;
}

static void draw_verdict(const struct state *st, struct surface *s, int y, int w)
{
	const struct table *t = pane_table_named(st, "input");
	char pct[96], wait[96], copy[96], buf[96];
	double share = real_of(key_cell(t, "input_pct")), copied = real_of(key_cell(t, "input_copy_pct"));
	if (isnan(share)) {
		surface_text(s, y, 1, w - 2, INK_WARN, 0, "cannot tell whether this program is input-bound");
		return;
	}
	const char *verdict = key_words(t, "verdict", buf, sizeof buf);
	bool waits = !strncmp(verdict, "waiting", 7); /* for copies that are no input */
	int ink = share >= 20 ? INK_BAD : share >= 5 ? INK_WARN : INK_GOOD;
	/* where there is no room for it the numbers after tell what it is */
	const char *is = w < 100 ? "input" : input_words(input_holds(share, copied));
	int x = 1 + surface_printf(s, y, 1, w - 2, ink, PEN_BOLD, "%s of the step%s is %s%s%s",
				   key_words(t, "input_pct", pct, sizeof pct), w < 100 ? "" : " time", waits ? "" : is,
				   waits ? "" : ": ", verdict);
	surface_printf(s, y, x + 2, w - x - 3, INK_QUIET, 0, "wait %s + copy %s",
		       key_words(t, "input_wait_pct", wait, sizeof wait),
		       key_words(t, "input_copy_pct", copy, sizeof copy));
	surface_text(s, y + 1, 1, w - 2, INK_QUIET, 0,
		     w < 100 ? "highly from 20 %, moderately from 5 %, potentially if 3 % is unexplained"
			     : "highly input-bound from 20 %, moderately from 5 %; potentially below that, where 3 % "
			       "or more of the step time is unexplained");
}

static double host_sum(const struct table *t)
{
	double sum = 0, ns;
	for (int i = 0; i < HOST_PARTS; i++)
		if (!isnan(ns = real_of(key_cell(t, host_parts[i].key))))
			sum += ns;
	return sum;
}

static void draw_host(const struct state *st, struct surface *s, struct rect r)
{
	const struct table *t = pane_table_named(st, "input");
	char buf[96];
	double sum = host_sum(t);
	surface_text(s, r.y, r.x, r.w, INK_HEAD, 0, "Host time for input, all threads");
	for (int i = 0; i < HOST_PARTS; i++) {
		int y = r.y + 1 + i, x = r.x + 19;
		surface_text(s, y, r.x, 18, INK_TEXT, 0, host_parts[i].label);
		surface_text_right(s, y, x, NS_COLS, INK_STRONG, 0, key_words(t, host_parts[i].key, buf, sizeof buf));
		int room = r.x + r.w - x - NS_COLS - 1;
		if (sum > 0 && room >= 4)
			bars_share(s, y, x + NS_COLS + 1, room < BAR_COLS ? room : BAR_COLS,
				   real_of(key_cell(t, host_parts[i].key)) / sum);
	}
}

/* What the step would take, and how much less that is. */
static void draw_case(const struct table *t, struct surface *s, struct rect r, const struct fact *f, bool compare)
{
	char buf[96], pct[UNITS_BUF];
	double mean = real_of(key_cell(t, "step_mean_ns")), ns = real_of(key_cell(t, f->key));
	surface_text(s, r.y, r.x, 18, INK_TEXT, 0, f->label);
	surface_text_right(s, r.y, r.x + 18, NS_COLS, INK_STRONG, 0, key_words(t, f->key, buf, sizeof buf));
	if (compare && mean > 0 && !isnan(ns))
		surface_text_right(s, r.y, r.x + 18 + NS_COLS, 9, INK_QUIET, 0, fmt_pct(pct, (ns - mean) / mean * 100));
}

static void draw_best(const struct state *st, struct surface *s, struct rect r)
{
	static const struct fact cases[] = {{"measured", "step_mean_ns"},
					    {"without the wait", "best_step_no_wait_ns"},
					    {"copy ahead, too", "best_step_prefetched_ns"}};
	const struct table *t = pane_table_named(st, "input");
	char buf[256], name[NAMES_BUF], ns[96];
	const struct cell *steps = key_cell(t, "steps");
	bool irregular = key_cell(t, "step_mean_ns")->null && !steps->null && steps->i > 0;
	surface_text(s, r.y, r.x, r.w, INK_HEAD, 0, irregular ? "Step time: irregular, so no mean" : "Step time");
	for (int i = 0; i < 3; i++)
		draw_case(t, s, (struct rect){r.y + 1 + i, r.x, 1, r.w}, &cases[i], i > 0);
	const char *stage = key_words(t, "bottleneck", buf, sizeof buf);
	surface_text(s, r.y + 4, r.x, r.w, INK_HEAD, 0,
		     key_cell(t, "pipeline")->null ? "Bottleneck" : "Bottleneck, in the slowest call");
	int x = r.x + surface_text(s, r.y + 5, r.x, r.w - 12, strcmp(stage, "-") == 0 ? INK_QUIET : INK_WARN, 0,
				   strcmp(stage, "-") == 0 ? "none found" : name_fit(stage, r.w - 13, name));
	if (strcmp(stage, "-") != 0)
		surface_printf(s, r.y + 5, x + 1, r.x + r.w - x - 1, INK_STRONG, 0, "%s",
			       key_words(t, "bottleneck_self_ns", ns, sizeof ns));
}

/* Advice, and what the trace lacks. Returns the rows used. */
static int put_words(const struct state *st, struct surface *s, int y, int w, int bottom)
{
	static const struct fact words[] = {{"advice", "advice"}, {"missing", "missing"}};
	const struct table *t = pane_table_named(st, "input");
	int used = 0;
	for (int i = 0; i < 2; i++) {
		const struct cell *c = key_cell(t, words[i].key);
		if (c->null || c->type != CELL_TEXT || !*c->s)
			continue;
		if (s && y + used < bottom)
			surface_text(s, y + used, 1, 8, i ? INK_WARN : INK_QUIET, 0, words[i].label);
		used += wrap_text(s, (struct rect){y + used, 10, 0, w - 11}, INK_TEXT, c->s, 0, bottom);
	}
	return used;
}

enum { TOP_ROWS = 3 + 1 + HOST_PARTS + 1 };

/* Where the list begins: the picture, the mouse and the scrolling must agree on it. */
static int list_y(const struct state *st, struct rect body)
{
	int words = ready(st) ? put_words(st, NULL, 0, body.w, 0) : 0;
	return body.y + TOP_ROWS + (words ? words + 1 : 0);
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static void enter(struct state *st)
{
	static const char *const wanted[] = {"input", "iterators", "input_ops", "pipelines"};
	struct list l;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		pane_want(st, wanted[i]);
	make_list(st, &l);
	if (st->view.place.row == 0 && l.n > 1) /* a head */
		st->view.place.row = 1;
	list_clamp(st, l.n, list_height(pane_body(st), list_y(st, pane_body(st))));
	/* the heading above the first row scrolls back into sight with it */
	if (st->view.place.row == 1)
		st->view.place.top = 0;
}

static void open_line(struct state *st, const struct list_line *l)
{
	const char *name = l->kind == LINE_OP || l->kind == LINE_HEAD ? "input_ops" : "iterators";
	const struct table *t = pane_table_named(st, name);
	if (t && l->row < t->n_rows)
		nav_evidence(st, table_evidence_of(t, l->row));
}

static void formulas(struct state *st)
{
	const struct table *t = pane_table_named(st, "input");
	char head[HEAD_BUF];
	reader_clear(&st->reader, "Input");
	reader_add(&st->reader, INK_HEAD, NULL, "what the numbers of this pane mean");
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		const char *key = column_text(t, row, KEYED_KEY), *help = column_text(t, row, KEYED_HELP);
		reader_named(&st->reader, key_head(key, head), key, help ? help : "");
	}
	st->mode = MODE_READER;
}

static void act(struct state *st, enum action a)
{
	struct list l;
	make_list(st, &l);
	if (list_act(st, a))
		return;
	if (a == ACT_ITEM_OPEN && st->view.place.row < l.n)
		open_line(st, &l.at[st->view.place.row]);
	else if (a == ACT_FORMULAS)
		formulas(st);
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	(void)x;
	list_mouse(st, what, y - list_y(st, pane_body(st)));
	enter(st);
}

/* ---- the list ------------------------------------------------------------------------------------------------------ */

struct list_columns {
	int name_w, self, total, calls, bar, bar_w, note;
};

static struct list_columns lay_list(int w)
{
	struct list_columns c = {.name_w = w < 100 ? 32 : w < 150 ? 44 : 70};
	c.self = 1 + c.name_w + 1;
	c.total = c.self + NS_COLS + 1;
	c.calls = c.total + NS_COLS + 1;
	c.bar = c.calls + 8 + 1;
	c.bar_w = w - c.bar - 1 < BAR_COLS ? w - c.bar - 1 : BAR_COLS;
	c.note = c.bar + c.bar_w + 1;
	return c;
}

/* Self time of all stages of the pipeline that this row belongs to. */
static double pipeline_self(const struct table *t, uint32_t row)
{
	double sum = 0;
	uint32_t first = row;
	/* rows of one pipeline stand together */
	while (first && !other_pipeline(t, first))
		first--;
	for (uint32_t i = first; i < t->n_rows && (i == first || !other_pipeline(t, i)); i++)
		sum += (double)column_int(t, i, COL_ITERATORS_SELF_NS);
	return sum;
}

/* Where a table of the list keeps its numbers. */
struct number_columns {
	uint8_t self_ns, total_ns, calls;
};

static void draw_numbers(const struct table *t, uint32_t row, const struct number_columns *of,
			 const struct list_columns *c, struct surface *s, int y, int ink)
{
	char buf[96];
	surface_text_right(s, y, c->self, NS_COLS, ink, 0, column_words(t, row, of->self_ns, buf, sizeof buf));
	surface_text_right(s, y, c->total, NS_COLS, ink, 0, column_words(t, row, of->total_ns, buf, sizeof buf));
	surface_text_right(s, y, c->calls, 7, ink, 0, column_words(t, row, of->calls, buf, sizeof buf));
}

static bool is_true(const struct table *t, uint32_t row, uint32_t column)
{
	const struct cell *c = column_cell(t, row, column);
	return !c->null && c->b;
}

static void draw_iterator(const struct table *t, uint32_t row, const struct list_columns *c, struct surface *s, int y,
			  int ink)
{
	int64_t depth = column_int(t, row, COL_ITERATORS_DEPTH);
	int indent = depth == UNKNOWN_I64 || depth < 0 ? 0 : (int)(depth > 12 ? 12 : depth) * TREE_GAP;
	bool slow = is_true(t, row, COL_ITERATORS_IS_BOTTLENECK), chosen = ink == INK_SELECTED;
	char name[NAMES_BUF];
	const char *text = column_text(t, row, COL_ITERATORS_ITERATOR),
		   *more = column_text(t, row, COL_ITERATORS_PARAMETERS);
	int room = c->name_w - indent - 2;
	int pen = slow ? PEN_BOLD : 0;
	surface_text(s, y, 1, 1, chosen ? ink : INK_WARN, PEN_BOLD, slow ? "!" : " ");
	surface_text(s, y, 3 + indent, room, slow && !chosen ? INK_WARN : ink, pen,
		     name_fit(text ? text : "", room, name));
	static const struct number_columns numbers = {COL_ITERATORS_SELF_NS, COL_ITERATORS_TOTAL_NS,
						      COL_ITERATORS_CALLS};
	draw_numbers(t, row, &numbers, c, s, y, ink);
	bars_share(s, y, c->bar, c->bar_w, (double)column_int(t, row, COL_ITERATORS_SELF_NS) / pipeline_self(t, row));
	if (s->cols - c->note > 12)
		surface_printf(s, y, c->note, s->cols - c->note - 1, slow ? INK_WARN : INK_QUIET, 0, "%s%s",
			       slow ? "bottleneck  " : "", more ? more : "");
}

static void draw_op(const struct table *t, uint32_t row, const struct list_columns *c, struct surface *s, int y,
		    int ink)
{
	char name[NAMES_BUF], buf[96];
	const char *op = column_text(t, row, COL_INPUT_OPS_OP);
	surface_text(s, y, 3, c->name_w - 2, ink, 0, name_fit(op ? op : "", c->name_w - 2, name));
	static const struct number_columns numbers = {COL_INPUT_OPS_SELF_NS, COL_INPUT_OPS_TOTAL_NS,
						      COL_INPUT_OPS_COUNT};
	draw_numbers(t, row, &numbers, c, s, y, ink);
	surface_text(s, y, c->bar, s->cols - c->bar - 1, ink == INK_SELECTED ? ink : INK_QUIET, 0,
		     column_words(t, row, COL_INPUT_OPS_CATEGORY, buf, sizeof buf));
}

static void draw_head(const char *title, const char *calls, const struct list_columns *c, struct surface *s, int y)
{
	surface_text(s, y, 1, c->name_w, INK_HEAD, 0, title);
	surface_text_right(s, y, c->self, NS_COLS, INK_HEAD, 0, "self");
	surface_text_right(s, y, c->total, NS_COLS, INK_HEAD, 0, "total");
	surface_text_right(s, y, c->calls, 7, INK_HEAD, 0, calls);
}

static void draw_line(const struct state *st, const struct list_line *l, const struct list_columns *c,
		      struct surface *s, int y, bool chosen)
{
	const struct table *iterators = pane_table_named(st, "iterators"), *ops = pane_table_named(st, "input_ops");
	char title[160], buf[96];
	int ink = chosen ? INK_SELECTED : INK_TEXT, end = l->kind == LINE_OP ? s->cols - 1 : c->bar;
	switch (l->kind) {
	case LINE_PIPELINE:
		snprintf(title, sizeof title, "Iterators of %s",
			 column_words(iterators, l->row, COL_ITERATORS_PIPELINE, buf, sizeof buf));
		draw_head(title, "calls", c, s, y);
		break;
	case LINE_HEAD:
		draw_head("Input ops", "count", c, s, y);
		break;
	case LINE_ITERATOR:
	case LINE_OP:
		if (chosen)
			surface_fill(s, (struct rect){y, 1, 1, end - 1}, ' ', INK_SELECTED, 0);
		if (l->kind == LINE_ITERATOR)
			draw_iterator(iterators, l->row, c, s, y, ink);
		else
			draw_op(ops, l->row, c, s, y, ink);
		break;
	}
	if (chosen && (l->kind == LINE_PIPELINE || l->kind == LINE_HEAD))
		surface_paint(s, (struct rect){y, 1, 1, c->bar - 1}, INK_SELECTED, 0);
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	struct list l;
	struct list_columns c = lay_list(body.w);
	if (!ready(st)) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "working out the input pipeline ...");
		return;
	}
	int half = body.w < 100 ? 39 : 50, y = list_y(st, body), h = list_height(body, y);
	draw_verdict(st, s, body.y, body.w);
	draw_best(st, s, (struct rect){body.y + 3, 1, HOST_PARTS + 1, half - 2});
	draw_host(st, s, (struct rect){body.y + 3, half + 1, HOST_PARTS + 1, body.w - half - 2});
	put_words(st, s, body.y + TOP_ROWS, body.w, body.y + body.h);
	make_list(st, &l);
	uint32_t top = st->view.place.top;
	for (int i = 0; i < h && top + (uint32_t)i < l.n; i++)
		draw_line(st, &l.at[top + (uint32_t)i], &c, s, y + i, top + (uint32_t)i == st->view.place.row);
	if (l.n == 0 && y < body.y + body.h)
		surface_text(s, y, 1, body.w - 2, INK_QUIET, 0,
			     "this trace has no input pipeline stages and no input ops");
}

static void status(const struct state *st, char *buf, size_t size)
{
	struct list l;
	make_list(st, &l);
	buf[0] = 0;
	if (st->view.place.row >= l.n)
		return;
	const struct list_line *at = &l.at[st->view.place.row];
	bool op = at->kind == LINE_OP || at->kind == LINE_HEAD;
	const char *name = op ? column_text(pane_table_named(st, "input_ops"), at->row, COL_INPUT_OPS_OP)
			      : column_text(pane_table_named(st, "iterators"), at->row, COL_ITERATORS_LONG_NAME);
	snprintf(buf, size, "%s", name ? name : "");
}

/* What stands above the list has a table and formulas without it. */
static bool knows(const struct state *st, enum action a)
{
	(void)st;
	return a == ACT_ITEM_TABLE || a == ACT_FORMULAS;
}

const struct pane_ops pane_input = {.title = "Input",
				    .scope = SCOPE_LIST,
				    .enter = enter,
				    .act = act,
				    .mouse = mouse,
				    .draw = draw,
				    .status = status,
				    .knows = knows,
				    .items = items};
