/* tui/explorer/of_summary.c - a summary has a few tables and no timeline: panes of anything else say so in one sentence. */
#include "pane.h"
#include "model/summary/summary.h"
#include "tui/screen/wrap.h"

static bool has_pane(const struct state *st)
{
	return !st->opts->summary || st->view.pane == PANE_COMMS ||
	       (st->view.pane == PANE_TABLE && summary_holds(analysis_at(st->view.analysis)->name));
}

static void act(struct state *st, enum action a)
{
	(void)a;
	state_say(st, INK_STATUS, "a summary has no timeline");
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	(void)st;
	(void)what;
	(void)y;
	(void)x;
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	(void)st;
	wrap_text(s, (struct rect){body.y, 1, 0, body.w - 2}, INK_TEXT,
		  "A summary has no timeline, only the pane Comms and the tables " SUMMARY_TABLES
		  ". For everything else open the traces themselves.",
		  body.y, body.y + body.h);
}

static void status(const struct state *st, char *buf, size_t size)
{
	(void)st;
	(void)size;
	buf[0] = 0;
}

static const struct pane_ops lacking = {
	.title = "No timeline", .scope = SCOPE_LIST, .act = act, .mouse = mouse, .draw = draw, .status = status};

const struct pane_ops *pane_of(const struct state *st)
{
	return has_pane(st) ? pane_list[st->view.pane] : &lacking;
}
