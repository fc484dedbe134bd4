/* model/analysis/steps/step_part.h - the parts of a step as people read them: their order on screens, their columns, their words. */
#ifndef STEPSCOPE_STEP_PART_H
#define STEPSCOPE_STEP_PART_H
#include <stdint.h>

/* clang-format off */
/*   id           column of steps  words */
#define STEP_PARTS_LIST(_) \
	_(COMPUTE,    COMPUTE_NS,     "device compute") \
	_(D2D,        D2D_NS,         "device copies") \
	_(COLLECTIVE, COLLECTIVES_NS, "collectives") \
	_(OUTPUT,     OUTPUT_NS,      "output") \
	_(INPUT,      INPUT_NS,       "input") \
	_(LAUNCH,     LAUNCH_NS,      "kernel launch") \
	_(HOST,       HOST_NS,        "host compute") \
	_(COMPILE,    COMPILE_NS,     "compilation") \
	_(OTHER,      OTHER_NS,       "other")
/* clang-format on */
enum step_part_id {
#define STEP_PART_ENUM(id, column, words) STEP_PART_##id,
	STEP_PARTS_LIST(STEP_PART_ENUM)
#undef STEP_PART_ENUM
		STEP_PARTS
};
struct step_part {
	uint8_t column; /* of the table steps */
	const char *words;
};
extern const struct step_part step_parts[STEP_PARTS];
#endif
