#include "pane_registry.h"

const struct pane_ops *const pane_list[PANE_IDS] = {
	[PANE_OVERVIEW] = &pane_overview, [PANE_TIMELINE] = &pane_timeline, [PANE_TABLE] = &pane_table,
	[PANE_STEPS] = &pane_steps,       [PANE_INPUT] = &pane_input,       [PANE_GUIDE] = &pane_guide,
	[PANE_LAUNCHES] = &pane_launches,
};
