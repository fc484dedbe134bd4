/* model/analysis/rules/phase_rules.h - which part of a training step a name belongs to, by rules/phases.rules.
 * Threads: one at a time asks a set of rules. */
#ifndef STEPSCOPE_PHASE_RULES_H
#define STEPSCOPE_PHASE_RULES_H
#include "model/said_words.h"
#include "model/store/base/err.h"
#include <stddef.h>

/* The phase as tables name it. */
const char *work_phase_name(enum work_phase p);

struct phase_rules;
struct phase_rules *phase_rules_builtin(struct err *e);
struct phase_rules *phase_rules_read(const char *text, size_t n, struct err *e); /* NULL with the line that is wrong */
void phase_rules_free(struct phase_rules *r);
enum work_phase phase_rules_ask(const struct phase_rules *r, const char *name); /* WORK_OTHER: it tells nothing */
#endif
