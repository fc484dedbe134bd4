/* importers/xspace/hlo.h - the compiled XLA programs that a profile carries: which framework op each instruction is.
 * Shape:   one entry of plane /host:metadata per program: entry > value > stat > program > computations > instructions.
 * Reading: straight from the stream, field by field; never more than a name is held at once, however large the program or
 *          the constants in it. Of each instruction a row is kept until the file ends.
 * Order:   device work may come before the programs: it is told what they say of it when everything is read.
 * Damage:  bytes that are no field end the message they stand in; what was read before stays. */
#ifndef STEPSCOPE_XSPACE_HLO_H
#define STEPSCOPE_XSPACE_HLO_H
#include "metamap.h"
#include "protobuf_wire.h"
#include "model/store/ingest/ingest.h"

enum {
	MAX_HLO_TEXT_BYTES = 64 << 10, /* a longer name counts as none */
	MAX_HLO_INSTRUCTIONS =
		1 << 19, /* of all programs of a file, as many computations, and programs; the rest is counted only */
	MAX_HLO_NUMBERS = 1 << 22, /* dimensions and operands of those; without them costs are unknown */
};

/* A list in hlo.numbers. */
struct hlo_list {
	uint32_t first, n;
};
/* Of a tuple: its first part, and the bytes of all. bytes < 0: unknown. */
struct hlo_shape {
	struct hlo_list dims;
	int64_t bytes, all_bytes;
};
enum { HLO_SPATIAL = 4 };
struct hlo_window {
	int64_t size, stride, low, high, dilation, base;
};
/* What a matrix product or a convolution does to its operands; made for those that tell. */
struct hlo_math {
	struct hlo_list contracted; /* dimensions of the left operand */
	struct hlo_window window[HLO_SPATIAL];
	uint32_t n_window;
	int64_t batch, in_feature, out_feature; /* dimensions of the input and of the kernel */
	struct hlo_list in_spatial, out_spatial;
	int64_t groups, batch_groups;
};
/* Texts are of hlo.texts. */
struct hlo_instruction {
	int64_t id, called_id;               /* called_id: the first computation it calls, UNKNOWN_I64 = none */
	str_id name, op, op_type;            /* op: "jit(f)/dot_general" */
	str_id opcode, fusion, file, target; /* fusion: "kLoop" */
	int64_t line;
	struct hlo_shape shape;
	str_id shape_as_written;  /* its message, byte by byte */
	struct hlo_list operands; /* ids */
	uint32_t math;            /* row of hlo.math + 1, 0 = none */
};
struct hlo_computation {
	int64_t id, root_id;
	size_t first, n; /* instructions */
	int64_t flops;   /* of all of them, once it is counted */
	bool counted;
};
struct hlo_program {
	int64_t id;
	str_id module;
	size_t first, n; /* computations */
};
struct hlo {
	struct strings *texts; /* made with the first program */
	struct hlo_program *programs;
	struct hlo_computation *computations;
	struct hlo_instruction *instructions;
	struct hlo_math *math;
	int64_t *numbers;
	size_t n_programs, n_computations, n_instructions, n_math, n_numbers;
	size_t programs_cap, computations_cap, instructions_cap, math_cap, numbers_cap;
	struct metamap by_id;     /* hlo_id_key -> row of instruction or computation; made by hlo_resolve */
	uint64_t bytes, left_out; /* of all programs; instructions above the limit */
	size_t n_buffers;         /* told to ingest, with the steps of heaps */
	bool failed;              /* memory is out */
};
struct xspace;
/* hlo_read.c: an entry of the plane's event metadata, whose payload reaches to `end`. */
void hlo_read_entry(struct xspace *x, int64_t end);
struct span hlo_innermost(struct span stack); /* "fusion.1::add.2" -> "add.2" */
/* The row of ingest for the instruction that the event at hand says it belongs to, 0 = none. */
uint32_t hlo_of_event(struct xspace *x);
/* hlo_shapes.c: the numbers of an instruction, from the payload of a field: its shape, its operands, what it computes. */
enum { HLO_SHAPE_FIELD = 3 };
void hlo_take_numbers(struct hlo *h, struct hlo_instruction *i, uint32_t field, struct wire w);
/* hlo_shape_text.c: of the part of a written shape that `index` leads to: as XLA writes it, with its layout, and the bytes of its
 * elements without padding (of a tuple: of its table), -1 = unknown. `size` is at least 64; a longer text is cut. */
int64_t hlo_shape_text(struct wire shape, const int64_t *index, size_t n, char *text, size_t size);
int64_t hlo_type_bits(uint64_t type); /* of an element, by its type's number in the format; 0 = none, or unknown */
/* hlo_cost.c: what one run costs, UNKNOWN_I64 where the program does not tell.
 * flops:   2 for each multiplication that a product or a convolution adds up (padding left out), 1 for each element that an
 *          arithmetic instruction makes or a reduction takes in; those inside a fusion together. Nothing for conversions, choices, copies.
 * bytes:   of all operands and of the result, as if each were read or written once; without the work space of libraries. */
struct hlo_cost {
	int64_t flops, bytes;
};
/* Ids are of 64 bits and unique in their owner only: a key may be that of another, so that what is found must be compared. */
static inline int64_t hlo_id_key(size_t owner, int64_t id)
{
	uint64_t h = (uint64_t)id * 0x9e3779b97f4a7c15u ^ (uint64_t)(owner + 1) * 0xd6e8feb86659fd93u;
	return (int64_t)((h ^ h >> 32) | UINT64_C(1) << 63); /* never a small number */
}
const struct hlo_computation *hlo_called(const struct hlo *h, const struct hlo_program *p, int64_t id);
bool hlo_is(const struct hlo *h, str_id id, const char *z); /* the text is `z` */
struct hlo_cost hlo_cost(struct hlo *h, const struct hlo_program *p, const struct hlo_computation *c,
			 const struct hlo_instruction *i);
/* Tells the instructions that device work named from row `first_row` on, and the work, what the programs say. */
void hlo_resolve(struct xspace *x, uint32_t first_row);
void hlo_free(struct hlo *h);
#endif
