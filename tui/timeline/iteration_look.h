/* tui/timeline/iteration_look.h - how iterations of each kind look: colour and letter. */
#ifndef STEPSCOPE_ITERATION_LOOK_H
#define STEPSCOPE_ITERATION_LOOK_H
#include "model/analysis/rules/iteration_rules.h"

struct iteration_look {
	int ink; /* enum ink; no two kinds share one */
	char letter;
};
const struct iteration_look *iteration_look(enum iteration_kind kind);
#endif
