/* Programs from the stream. Field numbers are facts of the format (HloProto and what it holds). */
#include "hlo_reading.h"
#include "model/store/base/grow.h"
#include <inttypes.h>
#include <stdio.h>

enum { MODULE_FACTS = 64 }; /* programs named one by one; the rest is in the totals */

/* No event is lost with a program, only names: it is said where the program is named. */
static void damaged(struct reading *r)
{
	r->broken = true;
	if (r->x->mangled_at >= 0)
		xspace_damaged(r->x, source_at(r->x->src));
}

void hlo_each_field(struct reading *r, int64_t end, field_reader *take)
{
	struct xspace *x = r->x;
	while (source_at(x->src) < end && !x->ended && !r->h->failed && !xspace_cancelled(x)) {
		struct wire_field f;
		size_t head;
		enum wire_result sound = xspace_peek(x, end, &f, &head);
		if (sound != WIRE_OK || f.size > (uint64_t)(end - source_at(x->src)) - head) {
			damaged(r);
			break;
		}
		source_skip(x->src, head);
		int64_t next = source_at(x->src) + (int64_t)f.size;
		take(r, &f, next);
		if (!x->ended && source_at(x->src) < next)
			xspace_pass(x, (uint64_t)(next - source_at(x->src)));
	}
	if (!x->ended && source_at(x->src) < end)
		xspace_pass(x, (uint64_t)(end - source_at(x->src)));
}

str_id hlo_text(struct reading *r, struct strings *s, const struct wire_field *f)
{
	size_t have;
	if (f->type != WIRE_BYTES || f->size > MAX_HLO_TEXT_BYTES)
		return 0;
	const unsigned char *p = source_need(r->x->src, (size_t)f->size, &have);
	return have >= f->size ? strings_add(s, (const char *)p, (size_t)f->size) : 0;
}

/* ---- instructions ------------------------------------------------------------------------------------------------- */

static struct hlo_instruction *instruction(struct reading *r)
{
	return &r->h->instructions[r->h->n_instructions - 1];
}

static void op_metadata(struct reading *r, const struct wire_field *f, int64_t end)
{
	(void)end;
	struct hlo_instruction *i = instruction(r);
	if (f->number == 1)
		i->op_type = hlo_text(r, r->h->texts, f);
	else if (f->number == 2)
		i->op = hlo_text(r, r->h->texts, f);
	else if (f->number == 3)
		i->file = hlo_text(r, r->h->texts, f);
	else if (f->number == 4)
		i->line = (int64_t)f->value;
}

/* A list of numbers is packed as a rule; it may also be one field for each. */
static int64_t first_number(struct reading *r, const struct wire_field *f)
{
	size_t have, want = f->size < WIRE_HEAD_MAX ? (size_t)f->size : WIRE_HEAD_MAX;
	uint64_t v;
	if (f->type == WIRE_VARINT)
		return (int64_t)f->value;
	const unsigned char *p = source_need(r->x->src, want, &have);
	struct wire w = {p, p + (have < want ? have : want)};
	return wire_varint(&w, &v) == WIRE_OK ? (int64_t)v : UNKNOWN_I64;
}

/* Shape, window, convolution, dot, operands, the library's settings, groups. */
static bool numbers_field(uint32_t number)
{
	static const uint32_t fields[] = {3, 15, 16, 30, 36, 43, 50, 61};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i] == number)
			return true;
	return false;
}

struct wire hlo_payload(struct reading *r, const struct wire_field *f)
{
	static _Thread_local unsigned char number[10];
	size_t have, n = 0;
	if (f->type == WIRE_VARINT) {
		for (uint64_t v = f->value; n < sizeof number && (v || !n); v >>= 7)
			number[n++] = (unsigned char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		return (struct wire){number, number + n};
	}
	if (f->size > MAX_HLO_TEXT_BYTES)
		return (struct wire){NULL, NULL};
	const unsigned char *p = source_need(r->x->src, (size_t)f->size, &have);
	return have >= f->size ? (struct wire){p, p + f->size} : (struct wire){NULL, NULL};
}

static void take_numbers(struct reading *r, struct hlo_instruction *i, const struct wire_field *f)
{
	struct wire w = hlo_payload(r, f);
	hlo_take_numbers(r->h, i, f->number, w);
	if (f->number == HLO_SHAPE_FIELD && w.p && f->type == WIRE_BYTES)
		i->shape_as_written = strings_add(r->h->texts, (const char *)w.p, (size_t)(w.end - w.p));
}

static void instruction_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_instruction *i = instruction(r);
	if (f->number == 1)
		i->name = hlo_text(r, r->h->texts, f);
	else if (f->number == 2)
		i->opcode = hlo_text(r, r->h->texts, f);
	else if (f->number == 7 && f->type == WIRE_BYTES)
		hlo_each_field(r, end, op_metadata);
	else if (f->number == 11)
		i->fusion = hlo_text(r, r->h->texts, f);
	else if (f->number == 28)
		i->target = hlo_text(r, r->h->texts, f);
	else if (f->number == 35)
		i->id = (int64_t)f->value;
	else if (f->number == 38 && i->called_id == UNKNOWN_I64)
		i->called_id = first_number(r, f);
	else if (numbers_field(f->number))
		take_numbers(r, i, f);
}

static void read_instruction(struct reading *r, int64_t end)
{
	struct hlo *h = r->h;
	if (h->n_instructions >= MAX_HLO_INSTRUCTIONS) {
		h->left_out++;
		return;
	}
	GROW_ARRAY(h->instructions, h->n_instructions, h->instructions_cap);
	h->instructions[h->n_instructions++] = (struct hlo_instruction){
		.id = UNKNOWN_I64, .called_id = UNKNOWN_I64, .shape = {.bytes = -1, .all_bytes = -1}};
	h->computations[h->n_computations - 1].n++;
	hlo_each_field(r, end, instruction_field);
}

/* ---- computations, programs --------------------------------------------------------------------------------------- */

static void computation_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_computation *c = &r->h->computations[r->h->n_computations - 1];
	if (f->number == 2 && f->type == WIRE_BYTES)
		read_instruction(r, end);
	else if (f->number == 5)
		c->id = (int64_t)f->value;
	else if (f->number == 6)
		c->root_id = (int64_t)f->value;
}

static void read_computation(struct reading *r, int64_t end)
{
	struct hlo *h = r->h;
	if (h->n_computations >= MAX_HLO_INSTRUCTIONS) {
		h->left_out++;
		return;
	}
	GROW_ARRAY(h->computations, h->n_computations, h->computations_cap);
	h->computations[h->n_computations++] =
		(struct hlo_computation){.id = UNKNOWN_I64, .root_id = UNKNOWN_I64, .first = h->n_instructions};
	h->programs[h->n_programs - 1].n++;
	hlo_each_field(r, end, computation_field);
}

static void module_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_program *p = &r->h->programs[r->h->n_programs - 1];
	if (f->number == 1)
		p->module = hlo_text(r, r->h->texts, f);
	else if (f->number == 3 && f->type == WIRE_BYTES)
		read_computation(r, end);
	else if (f->number == 5)
		p->id = (int64_t)f->value;
}

static void program_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	if (f->number == 1 && f->type == WIRE_BYTES)
		hlo_each_field(r, end, module_field);
	else if (f->number == 3 && f->type == WIRE_BYTES)
		hlo_read_buffers(r, end);
}

static void read_program(struct reading *r, int64_t end)
{
	struct hlo *h = r->h;
	r->bytes = (uint64_t)(end - source_at(r->x->src));
	if (h->n_programs >= MAX_HLO_INSTRUCTIONS)
		return;
	if (!h->texts)
		h->texts = strings_new();
	if (!h->texts) {
		h->failed = true;
		return;
	}
	GROW_ARRAY(h->programs, h->n_programs, h->programs_cap);
	h->bytes += r->bytes;
	h->programs[h->n_programs++] = (struct hlo_program){.id = UNKNOWN_I64, .first = h->n_computations};
	hlo_each_field(r, end, program_field);
	hlo_tell_buffers(r);
}

/* ---- entries ------------------------------------------------------------------------------------------------------ */

/* The plane's stat names come after: any stat of bytes is a program here. */
static void stat_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	if (f->number == 6 && f->type == WIRE_BYTES)
		read_program(r, end);
}

static void value_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	if (f->number == 2)
		r->name = hlo_text(r, r->x->strings, f);
	else if (f->number == 5 && f->type == WIRE_BYTES)
		hlo_each_field(r, end, stat_field);
}

static void entry_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	if (f->number == 2 && f->type == WIRE_BYTES)
		hlo_each_field(r, end, value_field);
}

static void program_fact(struct reading *r)
{
	char key[256], value[96];
	if (!r->bytes || r->h->n_programs > MODULE_FACTS)
		return;
	snprintf(key, sizeof key, "hlo_module: %s", strings_z(r->x->strings, r->name));
	snprintf(value, sizeof value, "%" PRIu64 " bytes of HLO, %zu instructions%s", r->bytes,
		 r->h->n_instructions - r->from, r->broken ? ", damaged" : "");
	ingest_fact(r->x->in, key, value);
}

void hlo_read_entry(struct xspace *x, int64_t end)
{
	struct reading r = {.x = x, .h = &x->hlo, .from = x->hlo.n_instructions};
	hlo_each_field(&r, end, entry_field);
	hlo_buffers_free(&r.buffers);
	program_fact(&r);
	if (x->hlo.failed && !x->failed) {
		x->failed = x->ended = true;
		err_set(x->err, source_name(x->src), source_at(x->src), "no memory for the instructions of a program");
	}
}
