#include "side_panel.h"
#include "model/store/base/units.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include <string.h>

enum { TIME_COLS = 11, SHARE_COLS = 8, RULE = 0x2502 };

/* Parts in the order in which they are read, and how many rows each may have at most and keeps at least. */
static const struct {
	enum stats_part part;
	uint8_t most, least;
} order[STATS_PARTS] = {
	{STATS_BUSY, 8, 1}, {STATS_KERNELS, 12, 2}, {STATS_OPS, 12, 2}, {STATS_COPIES, 5, 1}, {STATS_IDLE, 8, 2},
};

struct panel {
	const struct state *st;
	struct surface *s;
	int y, x, w, end;
};

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* "H2D 2 x, 73.500 MiB" */
static const char *row_name(const struct stats_row *r, char *buf, size_t size)
{
	char count[UNITS_BUF], bytes[UNITS_BUF];
	if (r->bytes == UNKNOWN_I64)
		return r->name;
	snprintf(buf, size, "%s %s x, %s", r->name, fmt_count(count, r->count), fmt_bytes(bytes, r->bytes));
	return buf;
}

static void draw_row(struct panel *p, const struct stats_row *r, int64_t whole_ns, bool fresh)
{
	char buf[NAMES_BUF], name[NAMES_BUF], ns[UNITS_BUF], share[UNITS_BUF];
	bool shared = r->bytes == UNKNOWN_I64; /* of copies, their bytes say more than a share */
	int ink = fresh ? INK_TEXT : INK_QUIET, room = p->w - TIME_COLS - (shared ? SHARE_COLS : 0);
	surface_text(p->s, p->y, p->x, room, ink, 0, name_fit(row_name(r, buf, sizeof buf), room, name));
	surface_text_right(p->s, p->y, p->x + room, TIME_COLS, ink, 0, fmt_ns(ns, r->ns));
	if (whole_ns > 0 && shared)
		surface_text_right(p->s, p->y, p->x + room + TIME_COLS, SHARE_COLS, ink, 0,
				   fmt_pct(share, pct_of(r->ns, whole_ns)));
	p->y++;
}

static void draw_title(struct panel *p, enum stats_part part, const struct stats *x, bool fresh)
{
	char ns[UNITS_BUF];
	int used = surface_text(p->s, p->y, p->x, p->w, INK_HEAD, 0, stats_title(part));
	if (!fresh)
		used += surface_text(p->s, p->y, p->x + used, p->w - used, INK_WARN, 0, " (view before)");
	int end = p->w - (part == STATS_COPIES ? 0 : SHARE_COLS);
	if (part != STATS_BUSY && end - used > TIME_COLS)
		surface_text_right(p->s, p->y, p->x + end - TIME_COLS, TIME_COLS, fresh ? INK_STRONG : INK_QUIET, 0,
				   fmt_ns(ns, x->total_ns));
	p->y++;
}

/* A share of busy time is one of the visible window, any other one of the part's whole. */
static void draw_part(struct panel *p, enum stats_part part, uint32_t rows)
{
	bool fresh;
	const struct stats *x = timeline_stats(p->st, part, &fresh);
	if (!rows || p->y + 1 + (int)rows > p->end)
		return;
	draw_title(p, part, x, fresh);
	for (uint32_t i = 0; i < rows; i++)
		draw_row(p, &x->rows[i], part == STATS_BUSY ? p->st->view.port.span_ns : x->total_ns, fresh);
	p->y++;
}

/* ---- how many of them --------------------------------------------------------------------------------------------- */

static int height(const uint32_t *rows)
{
	int h = 0;
	for (int i = 0; i < STATS_PARTS; i++)
		h += rows[i] ? (int)rows[i] + 2 : 0;
	return h;
}

/* As many as there are, then fewer of the longest part until all parts fit. */
static void share_room(const struct panel *p, uint32_t *rows)
{
	bool fresh;
	for (int i = 0; i < STATS_PARTS; i++) {
		const struct stats *x = timeline_stats(p->st, order[i].part, &fresh);
		rows[i] = x ? x->n < order[i].most ? x->n : order[i].most : 0;
	}
	while (height(rows) > p->end - p->y + 1) {
		int longest = -1;
		for (int i = 0; i < STATS_PARTS; i++)
			if (rows[i] > order[i].least && (longest < 0 || rows[i] > rows[longest]))
				longest = i;
		if (longest < 0)
			return; /* parts at the end have no room */
		rows[longest]--;
	}
}

static void draw_head(struct panel *p)
{
	char a[UNITS_BUF], b[UNITS_BUF], span[UNITS_BUF];
	const struct viewport *v = &p->st->view.port;
	bool fresh = true, all = true;
	for (enum stats_part i = 0; i < STATS_PARTS; i++) {
		timeline_stats(p->st, i, &fresh);
		all &= fresh;
	}
	int used = surface_text(p->s, p->y, p->x, p->w, INK_HEAD, 0, "visible window");
	if (!all)
		surface_text_right(p->s, p->y, p->x + used, p->w - used, INK_WARN, 0, "computing ...");
	surface_printf(p->s, p->y + 1, p->x, p->w, INK_QUIET, 0, "%s, %s to %s", fmt_ns(span, v->span_ns),
		       fmt_ns(a, v->from_ns), fmt_ns(b, v->from_ns + v->span_ns));
	p->y += 3;
}

void side_panel_draw(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	struct panel p = {st, s, l->y_map, l->x_side + 2, l->w_side - 3, l->y_panel};
	uint32_t rows[STATS_PARTS];
	if (!l->w_side)
		return;
	for (int y = p.y; y < p.end; y++)
		surface_put(s, y, l->x_side, RULE, INK_QUIET, 0);
	draw_head(&p);
	share_room(&p, rows);
	for (int i = 0; i < STATS_PARTS; i++)
		draw_part(&p, order[i].part, rows[i]);
}
