/* tui/cli/explain.h - `findings --explain RULE`: why a rule says what it says, or says nothing: its inputs with the places where they
 * stand, the numbers made of them, its thresholds, and the events of its evidence. */
#ifndef STEPSCOPE_EXPLAIN_H
#define STEPSCOPE_EXPLAIN_H
#include "model/finding.h"
#include <stdio.h>

/* "all" stands for every rule. False with a usage error that says where the rules are listed. */
bool explain_known(const char *rule, struct err *e);
void explain_text(const struct findings *found, const char *rule, FILE *out, bool ascii);
/* One object, "stepscope.explain/1"; window: of all findings. */
void explain_json(const struct findings *found, const char *rule, const int64_t window_ns[2],
		  const char *const *sources, int n_sources, FILE *out);
#endif
