/* tui/text/cause_text.h - why a device idled, on one line of a screen or report. */
#ifndef STEPSCOPE_CAUSE_TEXT_H
#define STEPSCOPE_CAUSE_TEXT_H
#include "model/analysis/gaps/why.h"

/* The words of gap_cause_words, the main event's name shortened until they fit into `cols`; it is left out where
 * too little of it would stay. What is missing in the trace when nothing can be told. Clean text in `mem`. */
const char *cause_text(struct arena *mem, const struct gap *g, const struct why *why, int cols);
#endif
