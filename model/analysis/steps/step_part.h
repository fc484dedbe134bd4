/* model/analysis/steps/step_part.h - the parts of a step as people read them: their order on screens, their columns, their words.
 * The columns have the names of XProf; the words tell what is meant, apart from words that stand for causes of idle time. */
#ifndef STEPSCOPE_STEP_PART_H
#define STEPSCOPE_STEP_PART_H
#include "model/table.h"
#include <stdint.h>

/* clang-format off */
/*   id           column of steps  words */
#define STEP_PARTS_LIST(_) \
	_(COMPUTE,    COMPUTE_NS,     "device compute") \
	_(D2D,        D2D_NS,         "copies on device") \
	_(COLLECTIVE, COLLECTIVES_NS, "collectives") \
	_(OUTPUT,     OUTPUT_NS,      "output") \
	_(INPUT,      INPUT_NS,       "input") \
	_(LAUNCH,     LAUNCH_NS,      "kernel launch") \
	_(HOST,       HOST_NS,        "other host work") \
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

/* What the part `input` holds: waits of the host for its input, copies to the device, or both, however little: the number is of both. */
enum input_holds { INPUT_HOLDS_NOTHING, INPUT_HOLDS_WAITS, INPUT_HOLDS_COPIES, INPUT_HOLDS_BOTH };
/* Times, or shares of one whole. NaN: nothing. */
enum input_holds input_holds(double input, double copies);
/* "input wait"; "input" where it holds nothing. */
const char *input_words(enum input_holds holds);
/* Of the rows of the table steps that carry means, else of all; NULL and tables of other tools: nothing. */
enum input_holds steps_input_holds(const struct table *steps);
/* What to call the part: its words, of the part `input` by what it holds there. Static text. */
const char *step_part_words(const struct table *steps, enum step_part_id part);
#endif
