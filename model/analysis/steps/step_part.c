#include "step_part.h"
#include "steps_columns.h"

const struct step_part step_parts[STEP_PARTS] = {
#define STEP_PART(id, column, words) [STEP_PART_##id] = {COL_STEPS_##column, words},
	STEP_PARTS_LIST(STEP_PART)
#undef STEP_PART
};
