/* model/analysis/names/op_names.h - what the text of a host event says about it as a framework op: the one home of such rules.
 * Parse:  the split of op_text.h (SEMANTICS.md, X6). Texts stay where they are.
 * Stages: which ops belong to an input pipeline and what part of it they are (X9, then PyTorch's DataLoader). */
#ifndef STEPSCOPE_OP_NAMES_H
#define STEPSCOPE_OP_NAMES_H
#include "model/store/base/op_text.h"
#include "model/store/base/spans.h"
#include "model/store/trace/trace.h"

/* The whole name of an event, also where a shorter one is shown: recorded ops give "name:Type" in two parts, other events
 * their name. Kernels and copies have none: OP_UNKNOWN. */
struct op_name op_name_of(const struct trace *t, row_id r);
/* Last part of "Iterator::Root::Prefetch"; the text itself without "::". */
struct span op_last_part(struct span name);
/* PyTorch's ops that compute nothing: they make views, allocate, or ask for numbers, and no device would do it. */
bool op_only_describes(struct span name);

/*   id, what the tables say, what it is */
#define INPUT_CLASSES(_)                                                                               \
	_(ENQUEUE, "Enqueue", "hands data to the device")                                              \
	_(DEMANDED, "Demanded file read", "reads files when they are asked for")                       \
	_(ADVANCED, "Advanced file read", "reads files ahead of time, interleaved or in memory")       \
	_(PREPROCESSING, "Preprocessing", "decodes, transforms, shuffles and batches")                 \
	_(UNKNOWN, "Unclassified", "belongs to the input pipeline, but which part is not known")       \
	_(UNRECORDED, "Not recorded", "a data loader at work of which no op and no frame is recorded") \
	_(WAIT, "Wait", "waits for a slow pipeline rather than causing it")

enum input_class {
#define INPUT_ENUM(id, text, help) INPUT_##id,
	INPUT_CLASSES(INPUT_ENUM)
#undef INPUT_ENUM
		INPUT_CLASS_COUNT,
	INPUT_NONE = INPUT_CLASS_COUNT
};
const char *input_class_text(enum input_class c); /* "Demanded file read" */
/* As the reference tool classes ops: infeed, copies named MemcpyHToD, tf.data. INPUT_NONE for all others. */
enum input_class input_class_of_op(const struct op_name *op);
/* By its category's text ("read", any case), as Grain writes it; INPUT_NONE for other texts. */
enum input_class input_class_of_stage(struct span category);
/* PyTorch's input stages, and waits of all frameworks, by an event's name. INPUT_NONE for all others. */
enum input_class input_class_of_name(const char *name);
/* A Python frame that waits for a file or a socket, by its name: what it returns is work for others. */
bool input_name_reads(const char *name);
/* An event of PyTorch that loads a batch: the ops inside it belong to the input pipeline. */
bool input_name_loads(const char *name);
#endif
