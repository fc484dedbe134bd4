#include "legend.h"
#include "iteration_look.h"
#include "ranks.h"
#include "tui/text/utf8.h"

/* Neighbouring inks that mean one thing; sample: how its bars are filled. */
static const struct {
	uint8_t first, last;
	uint32_t sample;
	const char *word;
} categories[] = {
	{INK_BUSY, INK_BUSY, 0x2586, "busy"},
	{INK_KERNEL_0, INK_KERNEL_5, 0x2588, "kernel"},
	{INK_COLLECTIVE, INK_COLLECTIVE, 0x2588, "collective"},
	{INK_COLLECTIVE, INK_COLLECTIVE, RANKS_WAIT, "waits for others"},
	{INK_COPY, INK_COPY, 0x2593, "copy"},
	{INK_MEMSET, INK_MEMSET, 0x2592, "memset"},
	{INK_GAP, INK_GAP_CHOSEN, 0x00B7, "gap"},
	{INK_LANE, INK_LANE, 0x2588, "device range"},
	{INK_OP_0, INK_OP_3, 0x2588, "op"},
	{INK_ANNOTATION, INK_ANNOTATION, 0x2588, "annotation"},
	{INK_RUNTIME, INK_RUNTIME, 0x2588, "runtime call"},
	{INK_PYTHON, INK_PYTHON, 0x2588, "python"},
	{INK_OTHER, INK_OTHER, 0x2588, "other"},
	{INK_FILTERED, INK_FILTERED, 0x2591, "left out by the filter"},
	{INK_EVENT_CHOSEN, INK_EVENT_CHOSEN, 0x2588, "selected"},
};
enum { CATEGORIES = sizeof categories / sizeof *categories };

/* The one category that is told by its glyph: waiting in a collective. */
static uint32_t wait_category(void)
{
	uint32_t i = 0;
	while (categories[i].sample != RANKS_WAIT)
		i++;
	return i;
}

static bool is_collective(const struct surface_cell *c, uint32_t glyph)
{
	return c->ink == INK_COLLECTIVE && c->pen & PEN_SHAPE &&
	       (c->cp == glyph || c->cp == (uint32_t)(unsigned char)utf8_ascii(glyph));
}

/* Lanes of ranks have a glyph of their own for collectives where there are no colours. */
static bool has_pattern(const struct surface *s, const struct timeline_layout *l)
{
	for (int y = l->y_lanes; y < l->y_lanes + l->h_lanes; y++)
		for (int x = l->x; x < l->x + l->cols; x++) {
			const struct surface_cell *c = surface_at(s, y, x);
			if (c && is_collective(c, RANKS_CALL))
				return true;
		}
	return false;
}

/* Bit i: category i is in view. */
static uint32_t in_view(const struct surface *s, const struct timeline_layout *l, uint64_t inks)
{
	uint32_t found = 0, waits = 0;
	for (int y = l->y_lanes; y < l->y_lanes + l->h_lanes; y++)
		for (int x = l->x; x < l->x + l->cols; x++) {
			const struct surface_cell *c = surface_at(s, y, x);
			if (c && is_collective(c, RANKS_WAIT))
				waits = 1u << wait_category();
			else
				inks |= c && c->cp != ' ' && c->ink < 64 ? UINT64_C(1) << c->ink : 0;
		}
	for (uint32_t i = 0; i < CATEGORIES; i++)
		for (int ink = categories[i].first; ink <= categories[i].last; ink++)
			found |= inks >> ink & 1 && i != wait_category() ? 1u << i : 0;
	return found | waits;
}

/* Kinds of iterations in the row of steps, each with the letter that stands there; gives the column after them. */
static int iteration_kinds(struct surface *s, const struct timeline_layout *l, int at, int end)
{
	for (int kind = ITERATION_UNKNOWN + 1; kind < ITERATION_KIND_COUNT; kind++) {
		const struct iteration_look *look = iteration_look((enum iteration_kind)kind);
		const char *word = iteration_kind_name((enum iteration_kind)kind);
		int width = utf8_width(word) + 2, x = l->x;
		while (x < end && surface_at(s, l->y_steps, x)->ink != look->ink)
			x++;
		if (x == end || at + width > end)
			continue;
		surface_put(s, l->y_legend, at, (uint32_t)(unsigned char)look->letter, look->ink, 0);
		surface_text(s, l->y_legend, at + 2, end - at - 2, INK_QUIET, 0, word);
		at += width + 2;
	}
	return at;
}

void legend_draw(struct surface *s, const struct timeline_layout *l)
{
	if (!l->y_legend)
		return;
	uint32_t found = in_view(s, l, 0);
	int end = l->x + l->cols, x = iteration_kinds(s, l, l->x, end);
	bool pattern = has_pattern(s, l);
	for (uint32_t i = 0; i < CATEGORIES; i++) {
		int width = utf8_width(categories[i].word) + 2;
		if (!(found >> i & 1) || x + width > end)
			continue;
		bool gap = categories[i].first == INK_GAP;
		bool collective = categories[i].first == INK_COLLECTIVE && i != wait_category();
		surface_put(s, l->y_legend, x, pattern && collective ? RANKS_CALL : categories[i].sample,
			    categories[i].first, gap ? 0 : PEN_SHAPE);
		surface_text(s, l->y_legend, x + 2, end - x - 2, INK_QUIET, 0, categories[i].word);
		x += width + 2;
	}
}
