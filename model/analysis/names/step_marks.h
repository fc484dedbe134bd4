/* model/analysis/names/step_marks.h - names by which training and serving frameworks mark a step, as one table.
 * A family is one row of that table; a trace uses the first family of the table that occurs often enough in it. */
#ifndef STEPSCOPE_STEP_MARKS_H
#define STEPSCOPE_STEP_MARKS_H
#include "model/store/facts/facts.h"

/* What a text means: bit 7 set = it ends the step that a marker of the same family began. 0 = no mark. MARK_OPTIMIZER, which no text of a
 * family has: the optimizer is at work, which ends a step of whatever family that does not hold it. */
enum { MARK_NONE = 0, MARK_OPTIMIZER = 0x7f, MARK_ENDS = 0x80 };
uint8_t step_mark(const char *name, enum event_kind kind);
uint32_t step_mark_families(void);
const char *step_mark_framework(uint8_t family); /* "PyTorch Lightning" */
uint32_t step_mark_least(uint8_t family);        /* so many markers make it believable */
/* Name for the steps of a family ("run_training_batch", "iteration") in buf, and the number the text carries,
 * UNKNOWN_I64 = none. */
const char *step_mark_name(uint8_t family, const char *text, char *buf, size_t size, int64_t *number);
/* Its names differ in more than the number: steps are those of one name only. */
bool step_mark_has_phrase(uint8_t family);
#endif
