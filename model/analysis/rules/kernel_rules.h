/* model/analysis/rules/kernel_rules.h - Tensor Core use and precision of a kernel, from a rules data file.
 * Built-in sets: "stepscope" (the default), "xprof" (the reference tool's list and rules, SEMANTICS.md, X7),
 * "kineto" (Tensor Core list and eligible ops of PyTorch's plugin for TensorBoard, the rest as in "stepscope");
 * any other word is a path. A user's own rules stand before the default set: their matches, options and defaults win.
 * The files live in model/analysis/rules/ and are compiled in; format described there.
 * Verdicts: unknown is a verdict of its own and never "no". */
#ifndef STEPSCOPE_KERNEL_RULES_H
#define STEPSCOPE_KERNEL_RULES_H
#include "model/said_words.h"
#include "model/store/base/arena.h"
#include "model/store/base/err.h"
#include "model/store/facts/facts.h"

enum verdict { VERDICT_NO, VERDICT_YES, VERDICT_UNKNOWN };
const char *precision_name(enum precision p); /* "fp16"; NULL for PREC_UNKNOWN */
bool precision_is_16bit(enum precision p);
bool precision_is_narrow(enum precision p); /* 16 bit or 8 */

struct kernel_rules;
/* set NULL counts as "stepscope". own_path: a file of rules to read before that set, NULL = none; other sets stand alone.
 * Any number of threads may ask one set. */
struct kernel_rules *kernel_rules_load(const char *set_or_path, const char *own_path, struct err *e);
void kernel_rules_free(struct kernel_rules *r);
/* False with a usage error, file and line in it, once one of its regular expressions has run into a limit: what was answered
 * since then is of no use. To be asked after the questions, before their answers are used. */
bool kernel_rules_sound(const struct kernel_rules *r, struct err *e);
/* What a kernel's name alone tells: every rule that looks at it, asked in one go. */
struct kernel_facts {
	uint32_t uses_tc : 2;   /* enum verdict */
	uint32_t eligible : 2;  /* enum verdict: could such a kernel use Tensor Cores, whatever its op is? */
	uint32_t tc_trust : 7;  /* 1-100, how sure the rule is that said so; 0 when none did */
	uint32_t precision : 5; /* enum precision */
	bool collective : 1, helper : 1;
	bool known : 1;     /* true */
	uint32_t words : 8; /* bits of enum kernel_words: of these lists one word is in it */
	uint32_t tc_rule;   /* for kernel_facts_rule */
};
struct kernel_facts kernel_facts_ask(const struct kernel_rules *r, const char *kernel_name);
/* Which rule said so, NULL when none did: "stepscope: has 16816", "kernels.rules:5: has x". Facts of another set that was loaded from
 * the same files will do. The text lives as long as r. */
const char *kernel_facts_rule(const struct kernel_rules *r, const struct kernel_facts *k);
/* op: framework op name ("model/dense/MatMul", "aten::mm", ""); op_type may be ""; equation: einsum or ""; uses_tc: what counts as
 * the kernel's own use. */
enum verdict kernel_tc_eligible(const struct kernel_rules *r, const struct kernel_facts *k, const char *op,
				const char *op_type, const char *equation, enum verdict uses_tc);
const char *
kernel_rules_label(const struct kernel_rules *r); /* "mine 2 + stepscope 2026.11": name and edition, else version */
/* Occupancy of a row that stands for several kernels: true = the first one seen, false = mean weighted by duration. */
bool kernel_rules_first_occupancy(const struct kernel_rules *r);
#endif
