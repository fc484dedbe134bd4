/* model/analysis/rules/iteration_rules.h - what the label of a server's iteration tells, by rules/iterations.rules.
 * Threads: one at a time may ask (patterns). */
#ifndef STEPSCOPE_ITERATION_RULES_H
#define STEPSCOPE_ITERATION_RULES_H
#include "model/store/base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*   id, word in tables and sections of the file */
#define ITERATION_KINDS(_)    \
	_(UNKNOWN, "unknown") \
	_(PREFILL, "prefill") \
	_(DECODE, "decode")   \
	_(MIXED, "mixed")     \
	_(VERIFY, "verify")   \
	_(DRAFT, "draft")     \
	_(DIFFUSION, "diffusion")
enum iteration_kind {
#define ITERATION_KIND_ENUM(id, word) ITERATION_##id,
	ITERATION_KINDS(ITERATION_KIND_ENUM)
#undef ITERATION_KIND_ENUM
		ITERATION_KIND_COUNT
};
/* The kind as tables name it. */
const char *iteration_kind_name(enum iteration_kind kind);

/* What is not told is UNKNOWN_I64, of texts NULL. */
struct iteration_label {
	enum iteration_kind kind;
	const char *server; /* who writes such labels; lives as long as the rules */
	int64_t number;
	int64_t requests, prefill_requests, decode_requests;
	int64_t tokens, prefill_tokens, decode_tokens; /* that it computes */
	int64_t context_tokens;                        /* that these look at */
};

struct iteration_rules;
struct iteration_rules *iteration_rules_builtin(struct err *e);
struct iteration_rules *iteration_rules_read(const char *text, size_t n,
					     struct err *e); /* NULL with the line that is wrong */
void iteration_rules_free(struct iteration_rules *r);
/* False: no label of an iteration. Whether all was asked: iteration_rules_sound, before the answers are used. */
bool iteration_rules_ask(struct iteration_rules *r, const char *name, struct iteration_label *out);
bool iteration_rules_sound(const struct iteration_rules *r, struct err *e);
#endif
