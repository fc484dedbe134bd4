/* model/analysis/ops/op_index.h - which op an event is, as a small number: every text is parsed once, equal names are one op.
 * Rules:   events of XSpace and TensorFlow's JSON are ops when their name says so; PyTorch's ops are those that the producer
 *          calls so, by their whole name. An op of device work is named by its details, else by what launched it.
 * Life:    op_index_init -> op_index_of... -> op_index_free. Numbers are places in `at`. */
#ifndef STEPSCOPE_OP_INDEX_H
#define STEPSCOPE_OP_INDEX_H
#include "graph_places.h"
#include "op_said.h"
#include "model/analysis/derived/climb.h"
#include "model/analysis/derived/derived.h"
#include "model/store/base/idmap.h"
#include "model/store/base/text_numbers.h"
#include "model/analysis/names/op_names.h"

enum { NO_OP = UINT32_MAX };
/* Why device work belongs to no op; it is counted under "(no op)", and this is its type. Work of replayed graphs goes by its
 * place in them instead (graph_places.h), with the kernel's family for a type; --semantics xprof knows no such names.
 *   id, type, in a sentence */
/* clang-format off */
#define OP_LACKS(_) \
	_(LAUNCH,  "(no launch)",    "launch not recorded") \
	_(GRAPH,   "(graph replay)", "graph replay") \
	_(AROUND,  "(outside ops)",  "launched outside any op") \
	_(PLACED,  "",               "named by its place in a replayed graph")
/* clang-format on */
enum op_lack {
	OP_LACKS_NOTHING,
#define OP_LACK_ENUM(id, type, words) OP_LACKS_##id,
	OP_LACKS(OP_LACK_ENUM)
#undef OP_LACK_ENUM
		OP_LACK_COUNT
};
const char *op_lack_words(enum op_lack lack); /* "launched outside any op" */
struct op_entry {
	struct span name, type;
	enum op_lack lack; /* OP_LACKS_NOTHING: an op */
};
struct op_index {
	const struct derived *d;
	struct arena *mem;
	bool torch, xprof;
	uint32_t kinds;                       /* of host events that may be ops, as bits */
	struct text_numbers of_text, of_name; /* number + 1; NOT_AN_OP in of_name */
	struct idmap by_hash;                 /* of the name */
	struct climb ops;                     /* for op_index_around */
	struct op_said said;                  /* xprof */
	struct op_entry *at;
	uint32_t n;
	struct graph_places *places;     /* NULL until a graph's work is asked about */
	struct idmap by_place;           /* number of the op of a place */
	uint32_t lacking[OP_LACK_COUNT]; /* number + 1 of "(no op)" for each reason */
};
void op_index_init(struct op_index *x, const struct derived *d, struct arena *mem);
void op_index_free(struct op_index *x);
/* The trace's ops are PyTorch's. */
bool ops_are_torch(const struct derived *d);
uint32_t op_index_span(struct op_index *x, struct span name, struct span type);
/* What another index of the same trace numbers gets numbers here, too: those that are new in its order. Returns them by its
 * number, in the arena; its texts must stay. */
uint32_t *op_index_join(struct op_index *x, const struct op_index *more);
/* The place in a graph, else "(no op)", for device work of which op_index_work() knows none. */
uint32_t op_index_lacking(struct op_index *x, row_id r);
static inline bool op_index_may_be(const struct op_index *x, uint8_t kind)
{
	return x->kinds >> kind & 1;
}
/* The op that a host event is, NO_OP for all others. */
uint32_t op_index_host(struct op_index *x, row_id r);
/* The innermost event that is an op, `r` or one around it; NONE_ID: none. */
row_id op_index_around(struct op_index *x, row_id r);
/* The op of device work. *by: host event that launched it as part of this op, NONE_ID when the details name the op. */
uint32_t op_index_work(struct op_index *x, row_id r, row_id *by);
#endif
