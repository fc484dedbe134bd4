/* tui/explorer/tabs.c - what the digits open, and pictures that are a key away from their table, once: the title line, the dispatch and the way between picture and table read it. */
#include "pane.h"
#include <string.h>

/* clang-format off */
static const struct tab tabs[] = {
	{ACT_PANE_OVERVIEW, '1', "Overview", PANE_OVERVIEW, "overview"},
	{ACT_PANE_TIMELINE, '2', "Timeline", PANE_TIMELINE, NULL},
	{ACT_PANE_STEPS,    '3', "Steps",    PANE_STEPS,    "steps"},
	{ACT_PANE_OPS,      '4', "Ops",      PANE_TABLE,    "ops"},
	{ACT_PANE_KERNELS,  '5', "Kernels",  PANE_TABLE,    "kernels"},
	{ACT_PANE_INPUT,    '6', "Input",    PANE_INPUT,    "input"},
	{ACT_PANE_GUIDE,    '9', "Guide",    PANE_GUIDE,    "findings"},
	{ACT_NONE,          0,   "Launches", PANE_LAUNCHES, "launches"},
};
/* clang-format on */

static bool exists(const struct tab *t)
{
	return !t->table || analysis_find(t->table);
}

const struct tab *tab_at(size_t i)
{
	for (size_t k = 0; k < sizeof tabs / sizeof *tabs; k++)
		if (exists(&tabs[k]) && i-- == 0)
			return &tabs[k];
	return NULL;
}

const struct tab *tab_of(const struct state *st)
{
	const struct view *v = &st->view;
	const struct tab *t;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (v->pane == PANE_TABLE ? t->table && analysis_index(t->table) == v->analysis : t->pane == v->pane)
			return t;
	return NULL;
}

void open_table_named(struct state *st, const char *name)
{
	uint32_t at = analysis_index(name);
	if (at == NONE_ID || (st->view.pane == PANE_TABLE && st->view.analysis == at))
		return;
	nav_push(st);
	nav_pane(st, PANE_TABLE, at);
}

void tab_open(struct state *st, const struct tab *t)
{
	if (t->pane == PANE_TABLE) {
		open_table_named(st, t->table);
		return;
	}
	if (st->view.pane == t->pane)
		return;
	nav_push(st);
	nav_pane(st, t->pane, 0);
}

bool tab_turns(const struct state *st)
{
	const struct tab *t = tab_of(st);
	return t && t->table && t->pane != PANE_TABLE;
}

void tab_turn(struct state *st)
{
	const struct tab *t = tab_of(st);
	if (!tab_turns(st))
		state_say(st, INK_STATUS, "this table has no picture");
	else if (st->view.pane == PANE_TABLE)
		tab_open(st, t);
	else
		open_table_named(st, t->table);
}

struct table *pane_table_named(const struct state *st, const char *name)
{
	uint32_t at = analysis_index(name);
	return at == NONE_ID ? NULL : tables_get(st->tables, at, false);
}

void pane_want(struct state *st, const char *name)
{
	uint32_t at = analysis_index(name);
	if (at != NONE_ID)
		tables_want(st->tables, at, false);
}
