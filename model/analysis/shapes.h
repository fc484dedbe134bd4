/* model/analysis/shapes.h - shapes, element types and strides of an op's inputs, as its producer wrote them.
 * PyTorch: "Input Dims" [[64,512],[512,1024],[]], "Input type" ["c10::Half",..], "Input Strides", on the host op's event.
 * XSpace:  "(half[64,512];half[512,1024])", on the kernel (kernel_info.shape) or the op.
 * Absent and unsound texts give false; an input that is no tensor has n_dims = SHAPE_NONE and keeps its place. */
#ifndef STEPSCOPE_SHAPES_H
#define STEPSCOPE_SHAPES_H
#include "derived.h"
#include "kernel_rules.h"

enum { SHAPE_DIMS = 8, SHAPE_INPUTS = 12, SHAPE_NONE = 255 };

struct shape {
	uint8_t n_dims;      /* 0 = a scalar tensor; SHAPE_NONE = no tensor, a list of tensors, too many dimensions */
	enum precision type; /* PREC_OTHER: whole numbers and the like; PREC_UNKNOWN: not told */
	bool strided;        /* stride holds */
	int64_t dim[SHAPE_DIMS];
	int64_t stride[SHAPE_DIMS]; /* in elements */
};
struct shapes {
	uint32_t n; /* inputs beyond SHAPE_INPUTS are left out */
	struct shape at[SHAPE_INPUTS];
};

/* "c10::BFloat16", "half", "f32", "float" */
enum precision type_precision(const char *p, size_t n);
/* Lists of whole numbers as JSON; false when it is none. types and strides may be NULL. */
bool shapes_from_lists(const char *dims, const char *types, const char *strides, struct shapes *out);
bool shapes_from_text(const char *text, struct shapes *out); /* "(half[64,512];..)" */

/* Reads them from events; the last answer is kept, as neighbours share their op. One thread at a time. */
struct shape_reader;
struct shape_reader *shape_reader_new(const struct derived *d);
void shape_reader_free(struct shape_reader *s);
/* Of device work: its own text, else what the op that launched it says. NULL = not told. Valid until the next call. */
const struct shapes *shapes_of_work(struct shape_reader *s, row_id work);
const struct shapes *shapes_of_event(struct shape_reader *s, row_id op); /* of that event alone */
#endif
