/* model/analysis/ops/op_keys.h - what ops are grouped by, as small numbers: every text once.
 * By type and by scope of a name like "model/dense/MatMul" the op alone decides; else the event does: where its call stands.
 * Life:    op_keys_init -> op_key_of_op, op_key_of_event... -> op_keys_free. Texts lie in the arena. */
#ifndef STEPSCOPE_OP_KEYS_H
#define STEPSCOPE_OP_KEYS_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/idmap.h"

/* clang-format off */
/*   id, word, the group of what has none, what it groups by */
#define OP_BYS(_) \
	_(OP,     "op",     "",             "the op's name") \
	_(TYPE,   "type",   "(no type)",    "kind of op") \
	_(SCOPE,  "scope",  "(no scope)",   "name scope: what stands before the op in its name; PyTorch: the annotations around its call") \
	_(MODULE, "module", "(no module)",  "XLA module; PyTorch: the nn.Module frames around its call") \
	_(SHAPE,  "shape",  "(no shapes)",  "op and the shapes of its inputs") \
	_(STACK,  "stack",  "(no stack)",   "Python frames around its call, innermost first; XLA: the line of the program it comes from")
/* clang-format on */
enum op_by {
#define OP_BY_ENUM(id, word, none, help) OP_BY_##id,
	OP_BYS(OP_BY_ENUM)
#undef OP_BY_ENUM
		OP_BY_COUNT
};
/* NULL gives OP_BY_OP. False with a usage error that lists the words. */
bool op_by_parse(const char *word, enum op_by *by, struct err *e);
const char *op_by_none(enum op_by by); /* "(no scope)" */
const char *op_by_word(enum op_by by);
const char *op_by_at(unsigned i); /* the same for any number; NULL after the last */
/* The op alone decides its group. */
bool op_by_is_of_op(enum op_by by, bool torch);

enum { NO_KEY = 0 }; /* the event has none: no scope around it, no shapes recorded */
struct op_keys {
	const struct derived *d;
	struct arena *mem;
	enum op_by by;
	struct idmap by_hash, of_row; /* text -> place; row of a frame -> place */
	struct op_key {
		struct span text; /* of a frame: its own name */
		uint32_t around;  /* the frame around it; NO_KEY = none */
	} * at;                   /* at[NO_KEY] is none */
	uint32_t n;
	str_id shape_words[4];
	struct arena scratch;
};
void op_keys_init(struct op_keys *k, const struct derived *d, enum op_by by, struct arena *mem);
void op_keys_free(struct op_keys *k);
/* Of the host event `r` (the op itself, or what launched device work) ... */
uint32_t op_key_of_event(struct op_keys *k, row_id r);
/* ... and of device work whose details tell: module, shapes. */
uint32_t op_key_of_work(struct op_keys *k, row_id r);
struct span op_key_text(const struct op_keys *k, uint32_t key);
/* "model/dense" of "model/dense/MatMul"; empty for a name without scope. */
struct span op_scope(struct span name);
#endif
