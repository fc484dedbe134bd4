/* importers/xspace/hlo.h - the compiled XLA programs that a profile carries: which framework op each instruction is.
 * Shape:   one entry of plane /host:metadata per program: entry > value > stat > program > computations > instructions.
 * Reading: straight from the stream, field by field; never more than a name is held at once, however large the program or
 *          the constants in it. Of each instruction a row is kept until the file ends.
 * Order:   device work may come before the programs: it is told what they say of it when everything is read.
 * Damage:  bytes that are no field end the message they stand in; what was read before stays. */
#ifndef STEPSCOPE_XSPACE_HLO_H
#define STEPSCOPE_XSPACE_HLO_H
#include "../../model/store/ingest.h"
#include "wire.h"

enum {
	MAX_HLO_TEXT_BYTES = 64 << 10,  /* a longer name counts as none */
	MAX_HLO_INSTRUCTIONS = 1 << 21, /* of all programs of a file; the rest is counted only */
};

/* Texts are of hlo.texts. */
struct hlo_instruction {
	int64_t id, called_id;       /* called_id: the first computation it calls, UNKNOWN_I64 = none */
	str_id name, op, op_type;    /* op: "jit(f)/dot_general" */
	str_id opcode, fusion, file; /* fusion: "kLoop" */
	int64_t line;
};
struct hlo_computation {
	int64_t id, root_id;
	size_t first, n; /* instructions */
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
	size_t n_programs, n_computations, n_instructions, programs_room, computations_room, instructions_room;
	uint64_t bytes, left_out; /* of all programs; instructions above the limit */
	bool failed;              /* memory is out */
};
struct xspace;
/* hlo_read.c: an entry of the plane's event metadata, whose payload reaches to `end`. */
void hlo_read_entry(struct xspace *x, int64_t end);
struct span hlo_innermost(struct span stack); /* "fusion.1::add.2" -> "add.2" */
/* The row of ingest for the instruction that the event at hand says it belongs to, 0 = none. */
uint32_t hlo_of_event(struct xspace *x);
/* Tells the instructions that device work named from row `first_row` on, and the work, what the programs say. */
void hlo_resolve(struct xspace *x, uint32_t first_row);
void hlo_free(struct hlo *h);
#endif
