/* importers/chrome/record.h - one scanned entry as a record: the members every event has, the args that mean something to us,
 * and everything else as attributes, coded straight into the store's log.
 * Attributes: in file order, duplicates kept. Members beside args (cat, id, tts, s, ...) are kept under their own name;
 *             ph, name, ts, dur, pid, tid live in the model itself.
 * Memory:     all texts point into the source's window: valid until its next call. */
#ifndef STEPSCOPE_CHROME_RECORD_H
#define STEPSCOPE_CHROME_RECORD_H
#include "entry.h"
#include "intern.h"
#include "importers/number.h"
#include "text.h"
#include "model/store/ingest/ingest.h"

/* The args that are more than text to us. */
/* clang-format off */
#define KNOWN_ARGS(_)                                           \
	/* Kineto */                                            \
	_(DEVICE, "device")                                     \
	_(STREAM, "stream")                                     \
	_(CORRELATION, "correlation")                           \
	_(EXTERNAL_ID, "External id")                           \
	_(CBID, "cbid")                                         \
	_(BYTES, "bytes")                                       \
	_(FROM_DEVICE, "fromDevice")                            \
	_(TO_DEVICE, "toDevice")                                \
	_(GRID, "grid")                                         \
	_(BLOCK, "block")                                       \
	_(REGISTERS, "registers per thread")                    \
	_(SHARED_MEMORY, "shared memory")                       \
	_(BLOCKS_PER_SM, "blocks per SM")                       \
	_(OCCUPANCY, "est. achieved occupancy %")               \
	_(OP_COUNT, "Op count")                                 \
	_(COLLECTIVE, "Collective name")                        \
	_(DTYPE, "dtype")                                       \
	_(IN_ELEMENTS, "In msg nelems")                         \
	_(OUT_ELEMENTS, "Out msg nelems")                       \
	_(IN_SPLIT, "In split size")                            \
	_(OUT_SPLIT, "Out split size")                          \
	_(GROUP_SIZE, "Group size")                             \
	_(GROUP, "Process Group Name")                          \
	_(GROUP_DESC, "Process Group Description")              \
	_(GROUP_RANKS, "Process Group Ranks")                   \
	_(SEQ, "Seq")                                           \
	_(SRC_RANK, "Src Rank")                                 \
	_(DST_RANK, "Dst Rank")                                 \
	_(ADDR, "Addr")                                         \
	_(ALLOCATION_BYTES, "Bytes")                            \
	_(DEVICE_TYPE, "Device Type")                           \
	_(ALLOCATION_DEVICE, "Device Id")                       \
	_(TOTAL_ALLOCATED, "Total Allocated")                   \
	_(TOTAL_RESERVED, "Total Reserved")                     \
	/* TensorFlow, JAX: all of them texts */                \
	_(KERNEL_DETAILS, "kernel_details")                     \
	_(MEMCPY_DETAILS, "memcpy_details")                     \
	_(MEMSET_DETAILS, "Memset_details")                     \
	_(CORRELATION_ID, "correlation_id")                     \
	_(GROUP_ID, "group_id")                                 \
	_(TF_OP, "tf_op")                                       \
	_(LONG_NAME, "long_name")                               \
	_(HLO_MODULE, "hlo_module")                             \
	_(EQUATION, "equation")                                 \
	_(SHAPE, "shape")                                       \
	_(OCCUPANCY_PCT, "theoretical_occupancy_pct")           \
	_(STEP_NUM, "step_num")                                 \
	_(ITER_NUM, "iter_num")                                 \
	_(STEP_ID, "id")                                        \
	_(ROOT, "_r")                                           \
	_(ASYNC, "_a")                                          \
	_(PRODUCER_TYPE, "_pt")                                 \
	_(PRODUCER_ID, "_p")                                    \
	_(CONSUMER_TYPE, "_ct")                                 \
	_(CONSUMER_ID, "_c")                                    \
	_(DEVICE_ID, "device_id")                               \
	_(IS_FUNC, "is_func")                                   \
	_(STEP_NAME, "step_name")                               \
	_(GRAPH_TYPE, "graph_type")                             \
	/* metadata entries, TensorFlow 1 timelines */          \
	_(NAME, "name")                                         \
	_(OP, "op")                                             \
	_(LABELS, "labels")                                     \
	_(SORT_INDEX, "sort_index")                             \
	_(NUMBER, "number")
/* clang-format on */
enum known_arg {
	ARG_OTHER,
#define ARG_ENUM(id, key) ARG_##id,
	KNOWN_ARGS(ARG_ENUM)
#undef ARG_ENUM
		ARG_COUNT
};
_Static_assert(ARG_COUNT <= 64, "known args are bits of one word");

struct record {
	int64_t at;                              /* byte offset */
	char ph;                                 /* 0 = the entry has none */
	char scope;                              /* instants: 'g' 'p' 't', 0 = not said */
	bool encloses;                           /* flows: bp is "e" */
	bool empty;                              /* it has no member */
	str_id category;                         /* 0: look at member[PLACE_CAT] */
	uint32_t *ident;                         /* where the identity of its pid and tid is kept, NULL = nowhere */
	const struct value *member[PLACE_COUNT]; /* by enum place; what the entry lacks is a VALUE_NONE */
	struct value args;                       /* the whole object */
	uint64_t seen;                           /* bit per known_arg */
	attr_at attrs;                           /* 0 = none */
	const struct value *known[ARG_COUNT];    /* valid where `seen` says so */
};
static inline bool record_has(const struct record *r, enum known_arg a)
{
	return r->seen >> a & 1;
}

/* What reading records needs and keeps between them. */
struct reader {
	struct ingest *in;
	struct notes *notes;
	struct attrs *attrs;
	struct intern keys, names,
		values; /* values: which of them come again does not depend on names, nor on how these are sought */
	struct interned categories[64]; /* a file has a dozen */
	/* the attributes of the record being read, in the log's own room: [coded, to), and on to `limit`, of which the last
	 * `reserved` bytes are for what has no text */
	unsigned char *coded, *to, *limit;
	size_t reserved;
	bool keep; /* it may become an event with attributes */
	struct text_buffer key_text, text;
	struct text_faults faults; /* of the record being read */
};
/* The reader writes attributes and texts to `in`, which must outlive it. */
void reader_init(struct reader *d, struct ingest *in);
void reader_free(struct reader *d);

/* Makes a record of an item of the batch. */
void record_take(struct reader *d, const struct batch *b, const struct item *i, struct record *r);

/* The same for a fast path: members of "args" only, as r->known and attributes, after the attributes coded before. */
attr_at record_take_args(struct reader *d, const struct token *from, size_t n, const unsigned char *coded,
			 size_t coded_n, struct record *r);

/* The id of a category that was met before; 0: it was not, or is no plain text. */
str_id record_category(struct reader *d, const struct value *v);
/* The same as record_take_args for a slice path: any members, in file order; category: of the one among them. */
attr_at record_take_members(struct reader *d, const struct token *t, const struct member_ref *m, size_t n,
			    struct record *r, str_id category);

/* One value as an attribute of the record being written; attributes that stand for themselves are put between
 * reader_attrs_begin and reader_attrs_end, which returns their name.
 * members: how many attributes there are room for at once; record_attr makes more. */
void record_attr(struct reader *d, str_id key, const struct value *v);
void reader_attrs_begin(struct reader *d, size_t members);
attr_at reader_attrs_end(struct reader *d);
/* The text of a string value; its faults count for the record in work. */
struct span reader_text(struct reader *d, const struct value *v);
/* Turns the faults met since the last call into notes at `at`. */
void reader_note_faults(struct reader *d, int64_t at);

/* Values as facts; a text that holds a number counts as one. */
bool value_int(const struct value *v, int64_t *i);
bool value_real(const struct value *v, double *x);
enum number_fault value_us(const struct value *v, struct fine_time *t); /* decimal microseconds */

/* Whole nanoseconds, far from the ends of their range: nearly every time there is. */
static inline bool value_exact_ns(const struct value *v, int64_t *ns)
{
	static const uint32_t scale[4] = {0, 100, 10, 1};
	if (!(v->flags & NUMBER_READ) || v->places > 3 || v->whole > INT64_MAX / 4000)
		return false;
	*ns = (int64_t)v->whole * 1000 + (v->places ? v->fraction * scale[v->places] : 0);
	return true;
}
#endif
