/* model/store/base/op_text.h - how TensorFlow's profiler recognises ops by their text. The patterns are those of its sources, as
 * full matches. Importers use it for what they read, analyses for texts that no importer has split. */
#ifndef STEPSCOPE_OP_TEXT_H
#define STEPSCOPE_OP_TEXT_H
#include "strings.h"

enum op_category { OP_UNKNOWN, OP_TENSORFLOW, OP_JAX, OP_DATASET, OP_COPY };
struct op_name {
	struct span name, type; /* type is empty when the category is unknown */
	enum op_category category;
};
/* "model/dense/MatMul:MatMul", split at the first colon: TensorFlow ops, JAX ops (type cut at '['), tf.data iterators (the
 * whole text, type "Dataset") and copies. The spans lie in the text or live for ever. */
struct op_name op_name_parse(struct span text);
/* Of a type that such a split has given; never OP_UNKNOWN. */
enum op_category op_category_of(struct span type);
#endif
