/* model/analysis/rules/frame_rules.h - which Python frames only call what they were given, by rules/frames.rules.
 * Life: frame_rules_load -> frame_is_wrapper -> frame_rules_free. Read only in between: any number of threads. */
#ifndef STEPSCOPE_FRAME_RULES_H
#define STEPSCOPE_FRAME_RULES_H
#include "model/store/base/err.h"
#include <stdbool.h>

struct frame_rules;
/* The user's own rules (a path, or NULL) and then the built-in ones; NULL with the file and line that is wrong. */
struct frame_rules *frame_rules_load(const char *own_path, struct err *e);
void frame_rules_free(struct frame_rules *r);
bool frame_is_wrapper(const struct frame_rules *r, const char *name);
#endif
