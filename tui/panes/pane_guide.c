/* tui/panes/pane_guide.c - what the rules of the guide say, worst first; the selected finding opens with what to do about it. */
#include "pane_list.h"
#include "pane_registry.h"
#include "model/store/base/units.h"
#include "tui/explorer/reader.h"
#include "tui/screen/wrap.h"
#include "tui/text/guide.h"
#include "tui/text/utf8.h"
#include <math.h>

enum { TITLE_COLS = 22, MARK_COLS = 2, LABEL_COLS = 12 };

static struct table *findings(const struct state *st)
{
	return pane_table_named(st, "findings");
}

static int state_ink(enum finding_state s)
{
	static const int inks[FINDING_STATES] = {
		[FINDING_PASS] = INK_GOOD, [FINDING_INFO] = INK_HEAD,    [FINDING_WARN] = INK_WARN,
		[FINDING_FAIL] = INK_BAD,  [FINDING_UNKNOWN] = INK_WARN,
	};
	return inks[s];
}

/* ---- one finding -------------------------------------------------------------------------------------------------- */

struct spot {
	struct surface *s; /* NULL: only measured */
	struct rect r;     /* y: the next row; h is not looked at */
	int top, bottom;
};

static void put_line(struct spot *p, const char *label, int ink, const char *text)
{
	int x = p->r.x + MARK_COLS;
	if (!text || !*text)
		return;
	if (p->s && p->r.y >= p->top && p->r.y < p->bottom)
		surface_text(p->s, p->r.y, x, LABEL_COLS - 1, INK_QUIET, 0, label);
	struct rect r = {p->r.y, x + LABEL_COLS, 0, p->r.w - MARK_COLS - LABEL_COLS};
	p->r.y += wrap_text(p->s, r, ink, text, p->top, p->bottom);
}

static void put_more(struct spot *p, const struct guide_item *x)
{
	char ns[UNITS_BUF], sure[32];
	put_line(p, "what to do", INK_TEXT, x->advice);
	if (x->lost_ns != UNKNOWN_I64 && x->lost_ns > 0)
		put_line(p, "at stake", INK_STRONG, fmt_ns(ns, x->lost_ns));
	snprintf(sure, sizeof sure, "%.2f", x->confidence);
	put_line(p, "confidence", INK_TEXT, isnan(x->confidence) ? NULL : sure);
	put_line(p, "formula", INK_TEXT, x->formula);
	p->r.y++;
}

static void put_item(const struct state *st, struct spot *p, const struct guide_item *x, bool chosen)
{
	int y = p->r.y, text = MARK_COLS + TITLE_COLS;
	struct rect r = {y, p->r.x + text, 0, p->r.w - text};
	int ink = chosen ? INK_SELECTED : INK_TEXT,
	    rows = wrap_text(NULL, r, ink, x->sentence ? x->sentence : "", 0, 0);
	if (p->s && chosen)
		for (int i = 0; i < rows; i++)
			if (y + i >= p->top && y + i < p->bottom)
				surface_fill(p->s, (struct rect){y + i, p->r.x, 1, p->r.w}, ' ', INK_SELECTED, 0);
	if (p->s && y >= p->top && y < p->bottom) {
		surface_text(p->s, y, p->r.x, 1, chosen ? INK_SELECTED : state_ink(x->state), PEN_BOLD,
			     guide_mark(x->state, st->ascii));
		surface_text(p->s, y, p->r.x + MARK_COLS, TITLE_COLS - 1, chosen ? INK_SELECTED : INK_GROUP, 0,
			     x->title ? x->title : "");
	}
	wrap_text(p->s, r, ink, x->sentence ? x->sentence : "", p->top, p->bottom);
	p->r.y += rows;
	if (chosen)
		put_more(p, x);
}

/* ---- the list ----------------------------------------------------------------------------------------------------- */

static int height(const struct state *st, const struct table *t, uint32_t row, int w)
{
	struct spot p = {NULL, {0, 0, 0, w}, 0, 0};
	struct guide_item x = guide_item(t, row);
	put_item(st, &p, &x, row == st->view.place.row);
	return p.r.y;
}

static struct rect list_rect(struct rect body)
{
	return (struct rect){body.y + 2, 1, body.h - 2, body.w - 2};
}

/* The selected one is seen as a whole; what stands above it as far as there is room. */
static void scroll(struct state *st)
{
	struct table_place *p = &st->view.place;
	const struct table *t = findings(st);
	struct rect r = list_rect(pane_body(st));
	if (!t || !t->n_rows)
		return;
	p->row = p->row < t->n_rows ? p->row : t->n_rows - 1;
	if (p->top > p->row)
		p->top = p->row;
	int used = 0;
	for (uint32_t i = p->top; i <= p->row; i++)
		used += height(st, t, i, r.w);
	for (; used > r.h + 1 && p->top < p->row; p->top++)
		used -= height(st, t, p->top, r.w);
}

static void enter(struct state *st)
{
	pane_want(st, "findings");
	scroll(st);
}

static void formulas(struct state *st, const struct table *t)
{
	reader_clear(&st->reader, "Guide");
	reader_add(&st->reader, INK_HEAD, NULL, "how each number is made");
	for (uint32_t row = 0; row < t->n_rows; row++) {
		struct guide_item x = guide_item(t, row);
		if (x.formula)
			reader_add(&st->reader, INK_TEXT, x.title ? x.title : x.rule, x.formula);
	}
	st->mode = MODE_READER;
}

static uint32_t items(const struct state *st)
{
	const struct table *t = findings(st);
	return t ? t->n_rows : 0;
}

static void act(struct state *st, enum action a)
{
	const struct table *t = findings(st);
	if (list_move(st, a))
		scroll(st);
	else if (list_act(st, a))
		return;
	else if (a == ACT_ITEM_OPEN && st->view.place.row < items(st))
		nav_evidence(st, table_evidence_of(t, st->view.place.row));
	else if (a == ACT_FORMULAS && t)
		formulas(st, t);
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	const struct table *t = findings(st);
	struct rect r = list_rect(pane_body(st));
	(void)x;
	if (what != BUTTON_CLICK) {
		act(st, what == BUTTON_WHEEL_UP ? ACT_ITEM_PREV : ACT_ITEM_NEXT);
		return;
	}
	int at = r.y;
	for (uint32_t i = st->view.place.top; t && i < t->n_rows; i++) {
		int h = height(st, t, i, r.w);
		if (y >= at && y < at + h) {
			st->view.place.row = i;
			st->hit_row = true;
			break;
		}
		at += h;
	}
	scroll(st);
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = findings(st);
	char text[192];
	struct rect r = list_rect(body);
	if (!t) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "working out what the rules say ...");
		return;
	}
	surface_text(s, body.y, 1, body.w - 2, INK_HEAD, 0, guide_summary(t, text, sizeof text));
	struct spot p = {s, r, r.y, r.y + r.h};
	for (uint32_t i = st->view.place.top; i < t->n_rows && p.r.y < p.bottom; i++) {
		struct guide_item x = guide_item(t, i);
		put_item(st, &p, &x, i == st->view.place.row);
	}
}

static void status(const struct state *st, char *buf, size_t size)
{
	const struct table *t = findings(st);
	uint32_t row = st->view.place.row;
	buf[0] = 0;
	if (!t || row >= t->n_rows)
		return;
	struct guide_item x = guide_item(t, row);
	snprintf(buf, size, "%u of %u   rule %s: %s", row + 1, t->n_rows, x.rule ? x.rule : "",
		 finding_state_name(x.state));
}

const struct pane_ops pane_guide = {.title = "Guide",
				    .scope = SCOPE_LIST,
				    .enter = enter,
				    .act = act,
				    .mouse = mouse,
				    .draw = draw,
				    .status = status,
				    .items = items};
