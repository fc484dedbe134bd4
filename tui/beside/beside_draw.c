/* The picture of two runs beside each other. */
#include "beside_private.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/timeline_layout.h"
#include "tui/screen/ruler.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <math.h>
#include <string.h>

enum { FULL = 0x2588, DOT = 0x00B7, WIDE = 110, WORD_COLS = 14, NUMBER_COLS = 12, PCT_COLS = 10, NAME_LEAST = 18 };

/* ---- above ------------------------------------------------------------------------------------------------------------------ */

static void draw_title(const struct beside *b, struct surface *s)
{
	struct arena mem = {0};
	int half = (b->cols - 24) / 2;
	surface_fill(s, (struct rect){0, 0, 1, b->cols}, ' ', INK_TITLE, 0);
	surface_printf(s, 0, 1, b->cols - 14, INK_TITLE, 0, "A %s   B %s", words_middle(&mem, b->run[0].label, half),
		       words_middle(&mem, b->run[1].label, half));
	surface_text_right(s, 0, 0, b->cols - 1, INK_TITLE, 0, "[Compare]");
	arena_free(&mem);
}

/* What else is to be known before the numbers are read. */
static const char *second_line(const struct beside *b, struct arena *mem)
{
	const char *text = "",
		   *more[] = {diff_waits(&b->diff, mem), diff_noise(&b->diff, mem), diff_scaling(&b->diff, mem),
			      diff_lost(&b->diff, mem), diff_per_sample(&b->diff, mem)};
	for (uint32_t i = 0; i < b->diff.work.n; i++)
		text = arena_printf(mem, "%s %s %s -> %s",
				    *text ? arena_printf(mem, "%s,", text) : "not the same work:",
				    b->diff.work.at[i].what, b->diff.work.at[i].a, b->diff.work.at[i].b);
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (more[i])
			text = *text ? arena_printf(mem, "%s; %s", text, more[i]) : more[i];
	return text;
}

static void draw_verdict(const struct beside *b, struct surface *s)
{
	struct arena mem = {0};
	char why[640];
	if (b->failed) {
		surface_text(s, 1, 1, b->cols - 2, INK_BAD, 0, err_text(&b->err, why, sizeof why));
	} else if (!b->ready) {
		surface_text(s, 1, 1, b->cols - 2, INK_STATUS, 0, "comparing ...");
	} else {
		surface_text(s, 1, 1, b->cols - 2, INK_HEAD, PEN_BOLD,
			     diff_arrows(diff_verdict(&b->diff, b->cols - 2, &mem), &mem));
		surface_text(s, 2, 1, b->cols - 2, INK_WARN, 0, diff_arrows(second_line(b, &mem), &mem));
	}
	arena_free(&mem);
}

/* ---- lists ------------------------------------------------------------------------------------------------------------------- */

/* Sentences rather than numbers. */
static bool is_told(const struct beside *b)
{
	return b->list == LIST_FINDINGS || b->list == LIST_ADVICE;
}

/* Where the columns of a list stand; w 0: there is no such column. */
struct columns_of_list {
	int name_w, word_x, word_w, bar_x, bar_w, a_x, b_x, change_x, pct_x;
};

static struct columns_of_list columns_of(const struct beside *b)
{
	struct columns_of_list c = {0};
	bool wide = b->cols >= WIDE, words = b->list != LIST_STEP && wide;
	int end = b->cols - 1;
	if (is_told(b)) {
		c.name_w = end - 1 - WORD_COLS;
		return c;
	}
	c.pct_x = end - PCT_COLS;
	c.change_x = c.pct_x - NUMBER_COLS;
	c.b_x = c.change_x - NUMBER_COLS;
	c.a_x = c.b_x - NUMBER_COLS;
	c.word_w = words ? WORD_COLS : 0;
	c.word_x = c.a_x - c.word_w;
	int room = c.word_x - 2;
	c.bar_w = b->list == LIST_STEP ? room - NAME_LEAST - 2 : wide ? room / 4 : 0;
	c.bar_x = c.word_x - c.bar_w - 1;
	c.name_w = c.bar_x - 3;
	return c;
}

static int list_text(const struct beside *b, uint32_t i, char *buf, size_t size)
{
	if (!b->lists[i].n && i != b->list)
		return 0;
	snprintf(buf, size, i == b->list ? "[%s %u]" : " %s ", b->lists[i].name, b->lists[i].n);
	return utf8_width(buf);
}

/* The first name that is shown, so that the chosen one has room. */
static uint32_t first_name(const struct beside *b, int room)
{
	char text[48];
	uint32_t first = b->list;
	for (int w = list_text(b, first, text, sizeof text); first > 0; first--) {
		w += list_text(b, first - 1, text, sizeof text);
		if (w > room)
			break;
	}
	return first;
}

static void draw_list_names(const struct beside *b, struct surface *s, int y)
{
	struct columns_of_list c = columns_of(b);
	int x = 1, end = is_told(b) ? b->cols - 1 : c.a_x;
	surface_fill(s, (struct rect){y, 0, 1, b->cols}, ' ', INK_GROUP, 0);
	for (uint32_t i = first_name(b, end - x); i < LISTS; i++) {
		char text[48];
		int w = list_text(b, i, text, sizeof text);
		if (x + w > end)
			break;
		if (w)
			x += surface_text(s, y, x, w, INK_GROUP, i == b->list ? PEN_BOLD : 0, text);
	}
	if (is_told(b))
		return;
	surface_text_right(s, y, c.a_x, NUMBER_COLS, INK_GROUP, 0, "A");
	surface_text_right(s, y, c.b_x, NUMBER_COLS, INK_GROUP, 0, "B");
	surface_text_right(s, y, c.change_x, NUMBER_COLS, INK_GROUP, 0, "change");
	surface_text_right(s, y, c.pct_x, PCT_COLS, INK_GROUP, 0, b->list == LIST_STEP ? "of step" : "change");
}

/* From A over the parts to B: each bar begins where the one before ended. */
static void draw_waterfall(const struct beside *b, struct surface *s, int y, const struct columns_of_list *c,
			   const struct beside_row *row)
{
	const struct beside_list *l = &b->lists[LIST_STEP];
	int64_t most = b->diff.step.a_ns;
	for (uint32_t i = 0; i < l->n; i++)
		most = l->rows[i].to_ns > most ? l->rows[i].to_ns : most;
	int64_t low = row->from_ns < row->to_ns ? row->from_ns : row->to_ns,
		high = row->from_ns < row->to_ns ? row->to_ns : row->from_ns;
	if (most <= 0 || low == high)
		return;
	int from = (int)llround((double)low / (double)most * c->bar_w),
	    to = (int)llround((double)high / (double)most * c->bar_w);
	to = to > from ? to : from + 1;
	surface_fill(s, (struct rect){y, c->bar_x, 1, from}, DOT, INK_QUIET, 0);
	surface_fill(s, (struct rect){y, c->bar_x + from, 1, to - from}, FULL,
		     row->to_ns > row->from_ns ? INK_BAD : INK_GOOD, 0);
}

static void draw_bar(struct surface *s, int y, const struct columns_of_list *c, double share)
{
	int w = (int)llround(fabs(share) * c->bar_w);
	w = w || share == 0 ? w : 1;
	surface_fill(s, (struct rect){y, c->bar_x, 1, w}, FULL, share > 0 ? INK_BAD : INK_GOOD, 0);
}

static void draw_number(struct surface *s, int y, int x, int w, int ink, const char *text)
{
	surface_text_right(s, y, x, w, ink, 0, text ? text : "-");
}

static void draw_row(const struct beside *b, struct surface *s, int y, const struct columns_of_list *c,
		     const struct beside_row *row, bool chosen)
{
	int ink = chosen ? INK_SELECTED : INK_TEXT;
	if (chosen)
		surface_fill(s, (struct rect){y, 0, 1, b->cols}, ' ', INK_SELECTED, 0);
	if (is_told(b)) {
		surface_text(s, y, 1, WORD_COLS - 2, ink, PEN_BOLD, row->word);
		surface_text(s, y, 1 + WORD_COLS, c->name_w, ink, 0, row->name);
		return;
	}
	surface_text(s, y, 1, c->name_w, ink, 0, row->name);
	if (c->word_w && row->word)
		surface_text(s, y, c->word_x, c->word_w, ink, 0, row->word);
	draw_number(s, y, c->a_x, NUMBER_COLS, ink, row->a);
	draw_number(s, y, c->b_x, NUMBER_COLS, ink, row->b);
	draw_number(s, y, c->change_x, NUMBER_COLS, ink, row->change);
	draw_number(s, y, c->pct_x, PCT_COLS, ink, row->pct);
	if (b->list == LIST_STEP)
		draw_waterfall(b, s, y, c, row);
	else
		draw_bar(s, y, c, row->share);
}

static void draw_list(const struct beside *b, struct surface *s, const struct beside_layout *l)
{
	const struct beside_list *list = &b->lists[b->list];
	struct columns_of_list c = columns_of(b);
	draw_list_names(b, s, l->y_lists);
	for (int i = 0; i < l->h_rows && list->top + (uint32_t)i < list->n; i++) {
		uint32_t row = list->top + (uint32_t)i;
		draw_row(b, s, l->y_rows + i, &c, &list->rows[row], row == list->chosen);
	}
	if (!list->n)
		surface_text(s, l->y_rows, 1, b->cols - 2, INK_QUIET, 0, "nothing has changed here");
}

/* ---- timelines --------------------------------------------------------------------------------------------------------------- */

static void draw_ruler(const struct beside *b, struct surface *s, int y)
{
	int x = timeline_layout(b->side[0]).x;
	struct viewport p = b->port;
	p.from_ns -= b->zero_ns;
	surface_text_right(s, y, 0, x - 1, INK_QUIET, 0, "of the step");
	ruler_draw(s, y, x, &p);
}

/* The rows of the side's own picture from its steps to its last lane. */
static void draw_side(const struct beside *b, struct surface *s, int side, int y, int lanes)
{
	const struct state *st = b->side[side];
	struct timeline_layout l = timeline_layout(st);
	surface_resize(b->half, st->rows, st->cols);
	b->half->ascii = s->ascii;
	pane_list[PANE_TIMELINE]->draw(st, b->half, pane_body(st));
	for (int i = 0; i <= lanes && y + i < s->rows; i++)
		memcpy(&s->cells[(size_t)(y + i) * (size_t)s->cols],
		       &b->half->cells[(size_t)(l.y_steps + i) * (size_t)b->half->cols],
		       (size_t)s->cols * sizeof *s->cells);
	surface_fill(s, (struct rect){y, 0, 1, l.gutter - 1}, ' ', INK_GROUP, 0);
	surface_printf(s, y, 0, l.gutter - 1, INK_GROUP, PEN_BOLD, "%c %s", side == SIDE_A ? 'A' : 'B',
		       b->run[side].label);
}

static void draw_timelines(const struct beside *b, struct surface *s, const struct beside_layout *l)
{
	draw_ruler(b, s, l->y_ruler);
	for (int i = 0; i < 2; i++)
		draw_side(b, s, i, l->y_side[i], l->h_lanes[i]);
}

/* ---- below ------------------------------------------------------------------------------------------------------------------- */

static void draw_status(const struct beside *b, struct surface *s)
{
	char at[UNITS_BUF], text[96];
	int y = b->rows - 2;
	const struct beside_list *l = &b->lists[b->list];
	const struct beside_row *row = beside_chosen(b);
	surface_fill(s, (struct rect){y, 0, 1, b->cols}, ' ', INK_STATUS, 0);
	if (!b->ready)
		return;
	snprintf(text, sizeof text, "cursor %s after the start", fmt_ns(at, b->cursor_ns));
	int right = utf8_width(text) + 2;
	surface_text_right(s, y, 0, b->cols - 1, INK_STATUS, 0, text);
	if (*b->message)
		surface_text(s, y, 1, b->cols - right - 2, INK_WARN, PEN_BOLD, b->message);
	else if (row)
		surface_printf(s, y, 1, b->cols - right - 2, INK_STATUS, 0, "%s %u of %u: %s", l->name, l->chosen + 1,
			       l->n, row->name);
}

void beside_draw(const struct beside *b, struct surface *s)
{
	enum { LEAST_ROWS = 16, LEAST_COLS = 60 };
	if (b->where != BOTH) {
		state_draw(b->side[b->where], s);
		return;
	}
	surface_clear(s);
	if (b->rows < LEAST_ROWS || b->cols < LEAST_COLS) {
		surface_text(s, 0, 0, b->cols, INK_WARN, 0, "too small");
		surface_printf(s, 1, 0, b->cols, INK_TEXT, 0, "need %dx%d", LEAST_COLS, LEAST_ROWS);
		surface_printf(s, 2, 0, b->cols, INK_TEXT, 0, "have %dx%d", b->cols, b->rows);
		return;
	}
	struct beside_layout l = beside_layout(b);
	draw_title(b, s);
	draw_verdict(b, s);
	if (b->ready) {
		draw_list(b, s, &l);
		draw_timelines(b, s, &l);
	}
	draw_status(b, s);
	surface_fill(s, (struct rect){b->rows - 1, 0, 1, b->cols}, ' ', INK_FOOTER, 0);
	frame_keys(NULL, s, SCOPE_BESIDE, 0, b->cols);
}
