/* importers/xspace/hlo_reading.h - a program on its way, for the files that read its parts from the stream. */
#ifndef STEPSCOPE_XSPACE_HLO_READING_H
#define STEPSCOPE_XSPACE_HLO_READING_H
#include "xspace.h"

/* What the program's buffer assignment says, until the program ends: instructions may come after. Rows are freed with the entry. */
struct hlo_value {
	int64_t id, bytes, space, instruction; /* instruction: its id, UNKNOWN_I64 = told by its name */
	str_id name;
	struct hlo_list index; /* in `numbers`: which part of the instruction's shape */
	uint32_t row;          /* of ingest, 0 = in no allocation */
};
struct hlo_allocation {
	int64_t number, bytes, space;
	uint8_t is_argument, is_output, is_thread_local, is_constant;
	struct hlo_list assigned; /* in `places` */
};
struct hlo_place {
	int64_t value, offset_bytes;
};
struct hlo_heap_step {
	int64_t value, shared;
	uint32_t kind, trace;
	str_id instruction;
};
struct hlo_buffers {
	struct hlo_value *values;
	struct hlo_allocation *allocations;
	struct hlo_place *places;
	struct hlo_heap_step *steps;
	int64_t *numbers;
	size_t n_values, n_allocations, n_places, n_steps, n_numbers, n_traces;
	size_t values_cap, allocations_cap, places_cap, steps_cap, numbers_cap;
};
/* What is under construction is the last row of its array. */
struct reading {
	struct xspace *x;
	struct hlo *h;
	str_id name;    /* of the entry, in ingest's texts */
	uint64_t bytes; /* of the program */
	size_t from;    /* instructions there were before it */
	bool broken;
	struct hlo_buffers buffers;
};
/* Takes one field, whose payload ends at `end` and may be left unread. */
typedef void field_reader(struct reading *r, const struct wire_field *f, int64_t end);

/* Calls `take` for each field of the message that ends at `end`; what it leaves of a payload is passed over. */
void hlo_each_field(struct reading *r, int64_t end, field_reader *take);
str_id hlo_text(struct reading *r, struct strings *s, const struct wire_field *f); /* of `s`; 0: none, or too long */
/* At hand while nothing else is read; a plain number counts as the bytes it was written in. Empty when it is too large. */
struct wire hlo_payload(struct reading *r, const struct wire_field *f);
/* hlo_buffers.c: the message BufferAssignmentProto; what it says goes to ingest when the program is read. */
void hlo_read_buffers(struct reading *r, int64_t end);
void hlo_tell_buffers(struct reading *r);
void hlo_buffers_free(struct hlo_buffers *b);
#endif
