/* What memory a program needs: its buffer assignment, from the stream to ingest. Field numbers are facts of the format. */
#include "hlo_reading.h"
#include "model/store/base/grow.h"
#include "model/store/facts/side_tables.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHAPE_TEXT = 512, NAME_TEXT = 512 };

/* Rows of all programs of a file, each of a buffer or of a step of a heap: the rest is counted as left out. */
static bool room(struct reading *r)
{
	const struct hlo_buffers *b = &r->buffers;
	bool fits = r->h->n_buffers + b->n_values + b->n_places + b->n_steps + b->n_allocations < MAX_HLO_INSTRUCTIONS;
	r->h->left_out += !fits;
	return fits;
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

static void push_index(struct hlo_buffers *b, struct hlo_list *list, int64_t v)
{
	if (b->n_numbers >= MAX_HLO_NUMBERS)
		return;
	GROW_ARRAY(b->numbers, b->n_numbers, b->numbers_cap);
	if (!list->n)
		list->first = (uint32_t)b->n_numbers;
	b->numbers[b->n_numbers++] = v;
	list->n++;
}

static void location_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_value *v = &r->buffers.values[r->buffers.n_values - 1];
	(void)end;
	if (f->number == 2)
		v->name = hlo_text(r, r->h->texts, f);
	else if (f->number == 4)
		v->instruction = (int64_t)f->value;
	if (f->number != 3)
		return;
	struct wire w = hlo_payload(r, f);
	uint64_t number;
	while (w.p < w.end && wire_varint(&w, &number) == WIRE_OK)
		push_index(&r->buffers, &v->index, (int64_t)number);
}

static void value_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_value *v = &r->buffers.values[r->buffers.n_values - 1];
	if (f->number == 1)
		v->id = (int64_t)f->value;
	else if (f->number == 2)
		v->bytes = (int64_t)f->value;
	else if (f->number == 3 && f->type == WIRE_BYTES)
		hlo_each_field(r, end, location_field);
	else if (f->number == 4)
		v->space = (int64_t)f->value;
}

/* ---- allocations ------------------------------------------------------------------------------------------------------ */

static void place_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_place *p = &r->buffers.places[r->buffers.n_places - 1];
	(void)end;
	if (f->number == 1)
		p->value = (int64_t)f->value;
	else if (f->number == 2)
		p->offset_bytes = (int64_t)f->value;
}

static void read_place(struct reading *r, struct hlo_list *assigned, int64_t end)
{
	struct hlo_buffers *b = &r->buffers;
	if (!room(r))
		return;
	GROW_ARRAY(b->places, b->n_places, b->places_cap);
	if (!assigned->n++)
		assigned->first = (uint32_t)b->n_places;
	b->places[b->n_places++] = (struct hlo_place){0};
	hlo_each_field(r, end, place_field);
}

static void allocation_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_allocation *a = &r->buffers.allocations[r->buffers.n_allocations - 1];
	int64_t *const numbers[] = {[1] = &a->number, [2] = &a->bytes, [8] = &a->space};
	uint8_t *const flags[] = {
		[3] = &a->is_thread_local, [5] = &a->is_argument, [7] = &a->is_output, [12] = &a->is_constant};
	if (f->number == 9 && f->type == WIRE_BYTES)
		read_place(r, &a->assigned, end);
	else if (f->number < sizeof numbers / sizeof *numbers && numbers[f->number])
		*numbers[f->number] = (int64_t)f->value;
	else if (f->number < sizeof flags / sizeof *flags && flags[f->number])
		*flags[f->number] = f->value != 0;
}

/* ---- heaps ------------------------------------------------------------------------------------------------------------- */

static void step_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_heap_step *s = &r->buffers.steps[r->buffers.n_steps - 1];
	(void)end;
	if (f->number == 1)
		s->kind = (uint32_t)f->value;
	else if (f->number == 2)
		s->value = (int64_t)f->value;
	else if (f->number == 4)
		s->instruction = hlo_text(r, r->h->texts, f);
	else if (f->number == 5)
		s->shared = (int64_t)f->value;
}

static void heap_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_buffers *b = &r->buffers;
	if (f->number != 1 || f->type != WIRE_BYTES || !room(r))
		return;
	GROW_ARRAY(b->steps, b->n_steps, b->steps_cap);
	b->steps[b->n_steps++] = (struct hlo_heap_step){.trace = (uint32_t)b->n_traces - 1, .value = -1, .shared = -1};
	hlo_each_field(r, end, step_field);
}

static void assignment_field(struct reading *r, const struct wire_field *f, int64_t end)
{
	struct hlo_buffers *b = &r->buffers;
	if (f->type != WIRE_BYTES || !room(r))
		return;
	if (f->number == 1) {
		GROW_ARRAY(b->values, b->n_values, b->values_cap);
		b->values[b->n_values++] = (struct hlo_value){.instruction = UNKNOWN_I64};
		hlo_each_field(r, end, value_field);
	} else if (f->number == 3) {
		GROW_ARRAY(b->allocations, b->n_allocations, b->allocations_cap);
		b->allocations[b->n_allocations++] = (struct hlo_allocation){0};
		hlo_each_field(r, end, allocation_field);
	} else if (f->number == 4) {
		b->n_traces++;
		hlo_each_field(r, end, heap_field);
	}
}

void hlo_read_buffers(struct reading *r, int64_t end)
{
	hlo_each_field(r, end, assignment_field);
}

void hlo_buffers_free(struct hlo_buffers *b)
{
	free(b->values);
	free(b->allocations);
	free(b->places);
	free(b->steps);
	free(b->numbers);
}

/* ---- to ingest, when the program is read ------------------------------------------------------------------------------- */

struct telling {
	struct reading *r;
	struct hlo_buffers *b;
	struct metamap instruction, by_name, value; /* id, text, id -> row */
	uint32_t program;
};

static void index_all(struct telling *t)
{
	const struct hlo *h = t->r->h;
	const struct hlo_program *p = &h->programs[h->n_programs - 1];
	for (size_t i = p->n ? h->computations[p->first].first : h->n_instructions; i < h->n_instructions; i++) {
		metamap_set(&t->instruction, h->instructions[i].id, (uint32_t)i);
		metamap_set(&t->by_name, h->instructions[i].name, (uint32_t)i);
	}
	for (size_t i = 0; i < t->b->n_values; i++)
		metamap_set(&t->value, t->b->values[i].id, (uint32_t)i);
}

static str_id across(const struct telling *t, str_id id)
{
	struct span s = strings_get(t->r->h->texts, id);
	return id ? strings_add(t->r->x->strings, s.p, s.n) : 0;
}

static const struct hlo_instruction *made_by(const struct telling *t, const struct hlo_value *v)
{
	int64_t row = v->instruction != UNKNOWN_I64 ? metamap_get(&t->instruction, v->instruction)
		      : v->name                     ? metamap_get(&t->by_name, v->name)
						    : -1;
	return row < 0 ? NULL : &t->r->h->instructions[row];
}

/* "fusion.3{1}": the part of a result that is a tuple. */
static str_id value_name(const struct telling *t, const struct hlo_value *v, const struct hlo_instruction *i)
{
	char text[NAME_TEXT];
	struct span name = strings_get(t->r->h->texts, i->name);
	int n = snprintf(text, sizeof text, "%.*s", (int)(name.n < NAME_TEXT / 2 ? name.n : NAME_TEXT / 2), name.p);
	for (uint32_t k = 0; k < v->index.n && n < NAME_TEXT - 32; k++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%" PRId64, k ? "," : "{",
			      t->b->numbers[v->index.first + k]);
	n += snprintf(text + n, sizeof text - (size_t)n, v->index.n ? "}" : "");
	return strings_add(t->r->x->strings, text, (size_t)n);
}

static void describe(const struct telling *t, const struct hlo_value *v, struct xla_buffer *to)
{
	char text[SHAPE_TEXT];
	const struct hlo_instruction *i = made_by(t, v);
	if (!i)
		return;
	struct span shape = strings_get(t->r->h->texts, i->shape_as_written);
	struct wire w = {(const unsigned char *)shape.p, (const unsigned char *)shape.p + shape.n};
	to->name = value_name(t, v, i);
	to->opcode = across(t, i->opcode);
	to->op = across(t, i->op);
	int64_t bytes = i->shape_as_written ? hlo_shape_text(w, t->b->numbers ? t->b->numbers + v->index.first : NULL,
							     v->index.n, text, sizeof text)
					    : -1;
	if (i->shape_as_written)
		to->shape = strings_addz(t->r->x->strings, text);
	to->unpadded_bytes = bytes < 0 ? UNKNOWN_I64 : bytes;
}

static uint32_t kind_of(const struct hlo_allocation *a)
{
	return a->is_argument       ? XLA_ARGUMENT
	       : a->is_output       ? XLA_OUTPUT
	       : a->is_thread_local ? XLA_THREAD_LOCAL
	       : a->is_constant     ? XLA_CONSTANT
				    : XLA_TEMPORARY;
}

static uint32_t tell_buffer(struct telling *t, const struct xla_buffer *row)
{
	t->r->h->n_buffers++;
	return ingest_numbered(t->r->x->in, SIDE_XLA_BUFFERS, row);
}

static void tell_allocation(struct telling *t, const struct hlo_allocation *a)
{
	const struct xla_buffer none = {.allocation = a->number,
					.allocation_bytes = a->bytes,
					.space = a->space,
					.id = UNKNOWN_I64,
					.bytes = UNKNOWN_I64,
					.offset_bytes = UNKNOWN_I64,
					.unpadded_bytes = UNKNOWN_I64,
					.program = t->program,
					.kind = kind_of(a),
					.also_output = a->is_argument && a->is_output};
	uint32_t told = 0;
	for (uint32_t k = 0; k < a->assigned.n; k++) {
		const struct hlo_place *p = &t->b->places[a->assigned.first + k];
		int64_t at = metamap_get(&t->value, p->value);
		struct hlo_value *v = at < 0 ? NULL : &t->b->values[at];
		struct xla_buffer row = none;
		if (!v)
			continue;
		row.id = v->id;
		row.bytes = v->bytes;
		row.offset_bytes = p->offset_bytes;
		describe(t, v, &row);
		v->row = tell_buffer(t, &row);
		told++;
	}
	if (!told)
		tell_buffer(t, &none);
}

static uint32_t row_of(const struct telling *t, int64_t value)
{
	int64_t at = metamap_get(&t->value, value);
	return at < 0 ? 0 : t->b->values[at].row;
}

static void tell_heaps(struct telling *t)
{
	for (size_t i = 0; i < t->b->n_steps; i++) {
		const struct hlo_heap_step *s = &t->b->steps[i];
		struct xla_heap_event row = {t->program,
					     s->trace,
					     s->kind,
					     row_of(t, s->value),
					     row_of(t, s->shared),
					     across(t, s->instruction)};
		ingest_numbered(t->r->x->in, SIDE_XLA_HEAP, &row);
	}
	t->r->h->n_buffers += t->b->n_steps;
}

static void tell_program(struct reading *r)
{
	struct telling t = {.r = r, .b = &r->buffers};
	const struct hlo_program *p = &r->h->programs[r->h->n_programs - 1];
	index_all(&t);
	struct xla_program row = {p->id, r->name, across(&t, p->module), r->x->host};
	t.program = ingest_numbered(r->x->in, SIDE_XLA_PROGRAMS, &row);
	for (size_t i = 0; i < t.b->n_allocations; i++)
		tell_allocation(&t, &t.b->allocations[i]);
	tell_heaps(&t);
	metamap_free(&t.instruction);
	metamap_free(&t.by_name);
	metamap_free(&t.value);
}

void hlo_tell_buffers(struct reading *r)
{
	struct hlo_buffers *b = &r->buffers;
	if (b->n_allocations && !r->h->failed && !r->x->failed)
		tell_program(r);
	b->n_values = b->n_allocations = b->n_places = b->n_steps = b->n_numbers = b->n_traces = 0;
}
