/* tui/keys/tab_list.h - what the digits open, and pictures that are a key away from their table: every one once. From this list come
 * the ids and the keys of panes, the title line, help, and the way between picture and table.
 * PICTURE: a pane of its own: `pane` is the struct pane_ops pane_PANE that its file in tui/panes defines.
 * TABLE:   the table as a table; `pane` says nothing new.
 * key:     "" means it is opened from its table. table: what it shows as a plain table, NULL = none. help: "" without a key. */
#ifndef STEPSCOPE_TAB_LIST_H
#define STEPSCOPE_TAB_LIST_H

/* clang-format off */
/*               id        pane      key  name        table       help */
#define TABS(_, PICTURE, TABLE) \
	PICTURE(_, OVERVIEW, overview, "1", "Overview", "overview", "pane: overview") \
	PICTURE(_, TIMELINE, timeline, "2", "Timeline", NULL,       "pane: timeline") \
	PICTURE(_, STEPS,    steps,    "3", "Steps",    "steps",    "pane: steps, and where their time goes") \
	TABLE(_,   OPS,      table,    "4", "Ops",      "ops",      "pane: ops") \
	TABLE(_,   KERNELS,  table,    "5", "Kernels",  "kernels",  "pane: kernels") \
	PICTURE(_, INPUT,    input,    "6", "Input",    "input",    "pane: input pipeline") \
	PICTURE(_, MEMORY,   memory,   "7", "Memory",   "memory",   "pane: memory in use over time, and by whom") \
	PICTURE(_, COMMS,    comms,    "8", "Comms",    "replicas", "pane: several devices, and who waits for whom") \
	PICTURE(_, GUIDE,    guide,    "9", "Guide",    "findings", "pane: findings and what to do about them") \
	PICTURE(_, LAUNCHES, launches, "",  "Launches", "launches", "")
/* What such a tab shows instead where tab_shown says so: the same pane and key under another name, with another table. */
#define TABS_INSTEAD(_) \
	_(STEPS, "3", "Iterations", "iterations", "pane: iterations of a server, and what lies between them")
/* clang-format on */

#define TAB_NOTHING(_, id, pane, key, name, table, help)
#define TAB_PANE_ENUM(_, id, pane, key, name, table, help) PANE_##id,
enum pane_id { TABS(, TAB_PANE_ENUM, TAB_NOTHING) PANE_TABLE, PANE_IDS };
#undef TAB_PANE_ENUM
#endif
