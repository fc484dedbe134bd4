/* model/analysis/costs/op_args.h - what an op was given, as far as its producer wrote it down: shapes, element types, plain values.
 * PyTorch: JSON lists in the order of the arguments ("Input Dims", "Input type", "Concrete Inputs").
 * TensorFlow: one text, "(half[64,512];float[512])".
 * Texts that cannot be read, and arguments or dimensions beyond the room, leave the tensor unknown; nothing is guessed. */
#ifndef STEPSCOPE_OP_ARGS_H
#define STEPSCOPE_OP_ARGS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARGS_MOST = 24, DIMS_MOST = 8 };
struct tensor {
	double dims[DIMS_MOST];   /* whole numbers; products of hostile ones must not wrap */
	int rank;                 /* 0: no tensor, a scalar, or unknown */
	int item_bytes;           /* 0 = unknown */
	bool repeated[DIMS_MOST]; /* dimensions of a broadcast view: every index is the same element (stride 0) */
};
struct arg_value {
	const char *p; /* into the caller's text: "True", "[1, 1]" */
	size_t n;      /* 0: not recorded */
};
struct op_args {
	struct tensor tensors[ARGS_MOST];
	struct arg_value values[ARGS_MOST];
	int n;
	bool lists; /* an argument is a list of tensors: they are not kept */
};
struct arg_text {
	const char *p;
	size_t n;
};
/* Any of the three may be empty (n = 0). */
void op_args_torch(struct op_args *a, struct arg_text dims, struct arg_text types, struct arg_text values);
/* Marks the dimensions that "Input Strides" tells to be broadcast. */
void op_args_strides(struct op_args *a, struct arg_text strides);
/* `t` is a view of `source`, expanded: marks the dimensions that source lacks or has once. False, and nothing is marked, where the
 * shapes do not fit. */
bool tensor_expanded_from(struct tensor *t, const struct tensor *source);
void op_args_tensorflow(struct op_args *a, struct arg_text shape);

double tensor_items(const struct tensor *t);        /* product of its dimensions; NaN for rank 0 */
double tensor_stored_bytes(const struct tensor *t); /* of the elements that it has in memory: broadcast ones once */
double tensor_bytes(const struct tensor *t);        /* NaN when the type is unknown */
/* "True", "1" -> 1; "False", "0" -> 0; -1 = not recorded. */
int arg_true(const struct op_args *a, int i);
/* The numbers of "[1, 1]" or "1"; how many, 0 = not recorded. */
int arg_numbers(const struct op_args *a, int i, double out[DIMS_MOST]);
#endif
