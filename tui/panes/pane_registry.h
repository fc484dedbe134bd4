/* tui/panes/pane_registry.h - every pane; each is defined in the file of its name. */
#ifndef STEPSCOPE_PANE_REGISTRY_H
#define STEPSCOPE_PANE_REGISTRY_H
#include "tui/explorer/pane.h"

#define PANE_EXTERN(_, id, pane, key, name, table, help) extern const struct pane_ops pane_##pane;
TABS(, PANE_EXTERN, TAB_NOTHING)
#undef PANE_EXTERN
extern const struct pane_ops pane_table;
#endif
