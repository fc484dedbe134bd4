/* tui/panes/pane_registry.h - every pane; each is defined in the file of its name. */
#ifndef STEPSCOPE_PANE_REGISTRY_H
#define STEPSCOPE_PANE_REGISTRY_H
#include "tui/explorer/pane.h"

extern const struct pane_ops pane_overview, pane_timeline, pane_table, pane_steps, pane_input, pane_guide,
	pane_launches;
#endif
