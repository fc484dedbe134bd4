/* model/analysis/rules/op_rules.h - which ops should run on a device, and which only the host can run, from rules/ops.rules.
 * Life: op_rules_builtin -> op_rules_ask... -> op_rules_free. Read only in between: any number of threads. */
#ifndef STEPSCOPE_OP_RULES_H
#define STEPSCOPE_OP_RULES_H
#include "model/store/base/err.h"
#include "model/store/base/strings.h"

enum op_sort {
	OP_ORDINARY,
	OP_COMPUTE,  /* heavy: worth a device */
	OP_HOST_ONLY /* no kernel for devices exists */
};
struct op_rules;
struct op_rules *op_rules_builtin(struct err *e);
struct op_rules *op_rules_read(const char *text, size_t n, struct err *e); /* NULL with the line that is wrong */
enum op_sort op_rules_ask(const struct op_rules *r, struct span name, struct span type);
void op_rules_free(struct op_rules *r);
#endif
