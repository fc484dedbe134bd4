#include "pane_registry.h"

const struct pane_ops *const pane_list[PANE_IDS] = {
#define PANE_ROW(_, id, pane, key, name, table, help) [PANE_##id] = &pane_##pane,
	TABS(, PANE_ROW, TAB_NOTHING)
#undef PANE_ROW
		[PANE_TABLE] = &pane_table,
};
