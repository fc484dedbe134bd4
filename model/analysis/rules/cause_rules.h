/* model/analysis/rules/cause_rules.h - what a name tells about the cause of idle time: the rules of rules/causes.rules.
 * Life: cause_rules_read -> cause_rules_ask -> cause_rules_free. Read only in between: any number of threads. */
#ifndef STEPSCOPE_CAUSE_RULES_H
#define STEPSCOPE_CAUSE_RULES_H
#include "cause.h"
#include "model/store/base/err.h"
#include <stddef.h>

/* Sections that are no verdicts. */
enum {
	SAYS_NOTHING = CAUSE_COUNT,
	CAUSE_INPUT_WORKER,
	CAUSE_COMM_CALL,
	CAUSE_WAITING,
	CAUSE_INPUT_THREAD,
	CAUSE_SECTIONS
};

struct name_cause {
	uint8_t section; /* enum cause or one of the above; CAUSE_UNKNOWN = no rule */
	uint8_t trust;   /* 0-100 */
};
struct cause_rules;
struct cause_rules *cause_rules_builtin(struct err *e);
struct cause_rules *cause_rules_read(const char *text, size_t n, struct err *e); /* NULL with the line that is wrong */
/* Thread names are asked with threads = true: only [input thread] answers then, and never otherwise. */
struct name_cause cause_rules_ask(const struct cause_rules *r, const char *name, bool threads);
void cause_rules_free(struct cause_rules *r);
#endif
