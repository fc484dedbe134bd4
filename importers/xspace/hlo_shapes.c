/* The numbers of an instruction: shape, operands, dimensions of products and convolutions. A shape of 64-bit sizes that do not
 * fit counts as unknown. */
#include "hlo.h"
#include "model/store/base/grow.h"
#include <string.h>

enum {
	FIELD_WINDOW = 15,
	FIELD_CONVOLUTION = 16,
	FIELD_DOT = 30,
	FIELD_OPERANDS = 36,
	FIELD_SETTINGS = 43,
	FIELD_GROUPS = 50,
	FIELD_BATCH_GROUPS = 61
};
enum { TUPLE = 13, TUPLE_DEPTH = 8 };

static bool push(struct hlo *h, struct hlo_list *list, int64_t v)
{
	if (h->n_numbers >= MAX_HLO_NUMBERS)
		return false;
	GROW_ARRAY(h->numbers, h->n_numbers, h->numbers_cap);
	if (!list->n)
		list->first = (uint32_t)h->n_numbers;
	h->numbers[h->n_numbers++] = v;
	list->n++;
	return true;
}

/* A field of numbers: packed, or one of them. What lies between two such fields of one list must be no other list. */
static bool push_field(struct hlo *h, struct hlo_list *list, const struct wire_field *f)
{
	if (list->n && list->first + list->n != h->n_numbers)
		return false;
	if (f->type == WIRE_VARINT)
		return push(h, list, (int64_t)f->value);
	struct wire w = {f->data, f->data + f->size};
	uint64_t v;
	while (w.p < w.end)
		if (wire_varint(&w, &v) != WIRE_OK || !push(h, list, (int64_t)v))
			return false;
	return true;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

static int64_t bytes_of(const struct hlo *h, const struct hlo_list *dims, uint64_t type)
{
	int64_t bits = hlo_type_bits(type);
	for (uint32_t i = 0; i < dims->n; i++)
		if (h->numbers[dims->first + i] < 0 || __builtin_mul_overflow(bits, h->numbers[dims->first + i], &bits))
			return -1;
	return bits / 8 + (bits % 8 != 0);
}

static struct hlo_shape read_shape(struct hlo *h, struct wire w, int depth)
{
	static const struct hlo_shape unknown = {.bytes = -1, .all_bytes = -1};
	struct hlo_shape s = {0}, part;
	uint64_t type = 0;
	bool any = false;
	struct wire_field f;
	while (w.p < w.end) {
		if (wire_next(&w, &f) != WIRE_OK)
			return unknown;
		if (f.number == 2) {
			type = f.value;
		} else if (f.number == 3 && !push_field(h, &s.dims, &f)) {
			return unknown;
		} else if (f.number == 4 && f.type == WIRE_BYTES) {
			part = depth < TUPLE_DEPTH ? read_shape(h, (struct wire){f.data, f.data + f.size}, depth + 1)
						   : unknown;
			if (part.all_bytes < 0 ||
			    __builtin_add_overflow(part.all_bytes, any ? s.all_bytes : 0, &part.all_bytes))
				return unknown;
			s = any ? (struct hlo_shape){s.dims, s.bytes, part.all_bytes} : part;
			any = true;
		}
	}
	if (type != TUPLE)
		s.bytes = s.all_bytes = bytes_of(h, &s.dims, type);
	return s;
}

/* ---- products and convolutions ------------------------------------------------------------------------------------ */

static struct hlo_math *math_of(struct hlo *h, struct hlo_instruction *i)
{
	if (!i->math) {
		GROW_ARRAY(h->math, h->n_math, h->math_cap);
		h->math[h->n_math++] = (struct hlo_math){.groups = 1, .batch_groups = 1};
		i->math = (uint32_t)h->n_math;
	}
	return &h->math[i->math - 1];
}

static void read_dot(struct hlo *h, struct hlo_math *m, struct wire w)
{
	struct wire_field f;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK)
		if (f.number == 1)
			push_field(h, &m->contracted, &f);
}

static struct hlo_window read_dimension(struct wire w)
{
	struct hlo_window d = {.size = 1, .stride = 1, .dilation = 1, .base = 1};
	int64_t *const to[] = {NULL, &d.size, &d.stride, &d.low, &d.high, &d.dilation, &d.base};
	struct wire_field f;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK)
		if (f.number >= 1 && f.number <= 6 && f.type == WIRE_VARINT)
			*to[f.number] = (int64_t)f.value;
	return d;
}

static void read_window(struct hlo_math *m, struct wire w)
{
	struct wire_field f;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
		if (f.number != 1 || f.type != WIRE_BYTES)
			continue;
		if (m->n_window < HLO_SPATIAL)
			m->window[m->n_window] = read_dimension((struct wire){f.data, f.data + f.size});
		m->n_window++;
	}
}

static void read_convolution(struct hlo *h, struct hlo_math *m, struct wire w)
{
	struct wire_field f;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
		if (f.number == 4)
			m->out_feature = (int64_t)f.value;
		else if (f.number == 7)
			m->batch = (int64_t)f.value;
		else if (f.number == 8)
			m->in_feature = (int64_t)f.value;
		else if (f.number == 11)
			push_field(h, &m->in_spatial, &f);
		else if (f.number == 12)
			push_field(h, &m->out_spatial, &f);
	}
}

/* A library call tells its product in JSON: "lhs_contracting_dimensions":["1"]. */
static void read_settings(struct hlo *h, struct hlo_instruction *i, struct wire w)
{
	static const char key[] = "\"lhs_contracting_dimensions\":[";
	const unsigned char *p = w.p ? memmem(w.p, (size_t)(w.end - w.p), key, sizeof key - 1) : NULL;
	struct hlo_math *m = p ? math_of(h, i) : NULL;
	if (!m)
		return;
	for (p += sizeof key - 1; p < w.end && *p != ']'; p++) {
		int64_t v = 0;
		bool digits = false;
		for (; p < w.end && *p >= '0' && *p <= '9' && v < 1000; p++, digits = true)
			v = v * 10 + (*p - '0');
		if (digits)
			push(h, &m->contracted, v);
		if (p == w.end || *p == ']')
			break;
	}
}

/* Groups are told of calls of all sorts: they matter where a convolution has been met. */
static void read_math(struct hlo *h, struct hlo_instruction *i, uint32_t field, struct wire w)
{
	bool groups = field == FIELD_GROUPS || field == FIELD_BATCH_GROUPS;
	struct hlo_math *m = groups && !i->math ? NULL : math_of(h, i);
	uint64_t v;
	if (m && field == FIELD_DOT)
		read_dot(h, m, w);
	else if (m && field == FIELD_WINDOW)
		read_window(m, w);
	else if (m && field == FIELD_CONVOLUTION)
		read_convolution(h, m, w);
	else if (m && wire_varint(&w, &v) == WIRE_OK && v)
		*(field == FIELD_GROUPS ? &m->groups : &m->batch_groups) = (int64_t)v;
}

void hlo_take_numbers(struct hlo *h, struct hlo_instruction *i, uint32_t field, struct wire w)
{
	struct wire_field all = {.type = WIRE_BYTES, .data = w.p, .size = (uint64_t)(w.end - w.p)};
	if (!w.p)
		return;
	if (field == HLO_SHAPE_FIELD)
		i->shape = read_shape(h, w, 0);
	else if (field == FIELD_SETTINGS)
		read_settings(h, i, w);
	else if (field != FIELD_OPERANDS)
		read_math(h, i, field, w);
	else if (!push_field(h, &i->operands, &all))
		i->shape.bytes = i->shape.all_bytes = -1; /* not all of them: what it costs is unknown */
}
