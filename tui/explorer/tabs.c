/* tui/explorer/tabs.c - moving between tabs: by their keys, and between a picture and its table. */
#include "pane.h"
#include "model/analysis/derived/rows.h"
#include <string.h>

static const struct tab tabs[] = {
#define PICTURE_ROW(_, id, pane, key, name, table, help) {ACT_PANE_##id, key, name, PANE_##id, table, help},
#define TABLE_ROW(_, id, pane, key, name, table, help)   {ACT_PANE_##id, key, name, PANE_TABLE, table, help},
	TABS(, PICTURE_ROW, TABLE_ROW)
#undef PICTURE_ROW
#undef TABLE_ROW
};
static const struct tab instead[] = {
#define INSTEAD_ROW(id, key, name, table, help) {ACT_PANE_##id, key, name, PANE_##id, table, help},
	TABS_INSTEAD(INSTEAD_ROW)
#undef INSTEAD_ROW
};

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

/* A device that does nothing waits for nobody. */
static bool several_devices_work(const struct state *st)
{
	uint32_t working = 0, streams;
	for (uint32_t i = 0; i < trace_devices(st->t) && working < 2; i++) {
		device_streams(st->d, i, &streams);
		working += streams > 0;
	}
	return working > 1;
}

bool tab_named(const struct state *st, const struct tab *t)
{
	if (t->pane == PANE_COMMS)
		return several_devices_work(st) || st->opts->summary;
	if (t->pane == PANE_MEMORY)
		return trace_side_rows(st->t, SIDE_ALLOCATIONS, NULL) > 0 ||
		       trace_side_rows(st->t, SIDE_XLA_PROGRAMS, NULL) > 1;
	return *t->key != 0;
}

const struct tab *tab_shown(const struct state *st, const struct tab *t)
{
	for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
		if (instead[i].pane == t->pane && nav_iterations_shown(st))
			return &instead[i];
	return t;
}

const char *tab_key_help(const struct state *st, const struct key_binding *b)
{
	const struct tab *t;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (t->action == b->action)
			return tab_shown(st, t)->help;
	return b->help;
}

const char *tab_view_name(const struct state *st, const struct view *v)
{
	const struct tab *t;
	if (v->pane == PANE_TABLE)
		return analysis_at(v->analysis)->title;
	if (v == &st->view && pane_of(st) != pane_list[v->pane]) /* a summary has none of that name */
		return pane_of(st)->title;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (t->pane == v->pane)
			return tab_shown(st, t)->name;
	return pane_list[v->pane]->title;
}

static bool shows(const struct state *st, const struct tab *t)
{
	const struct view *v = &st->view;
	if (v->pane != PANE_TABLE)
		return t->pane == v->pane;
	return t->table &&
	       (analysis_index(t->table) == v->analysis || analysis_index(tab_shown(st, t)->table) == v->analysis);
}

const struct tab *tab_of(const struct state *st)
{
	const struct tab *t;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (shows(st, t))
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
	st->view.from_list = false; /* tabs stand beside each other */
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
		open_table_named(st, tab_shown(st, t)->table);
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

void pane_look(struct state *st)
{
	if (!st->feed) /* of what still grows they would be found again and again */
		pane_want(st, "iterations");
	if (pane_of(st)->enter)
		pane_of(st)->enter(st);
}
