/* Shapes as XLA writes them: "bf16[8,128]{1,0:T(8,128)(2,1)}". */
#include "hlo.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { ELEMENT_TYPE = 2, DIMENSIONS = 3, PARTS = 4, LAYOUT = 5, TUPLE = 13, POINTER_BYTES = 8, DEEPEST = 8 };
enum { MINOR_TO_MAJOR = 1, TILES = 6, ELEMENT_BITS = 7, MEMORY_SPACE = 8 };

/* Names and bits of elements by their type's number in the format. */
static const struct {
	char name[16];
	uint8_t bits;
} types[] = {{"", 0},           {"pred", 8},  {"s8", 8},       {"s16", 16},          {"s32", 32},
	     {"s64", 64},       {"u8", 8},    {"u16", 16},     {"u32", 32},          {"u64", 64},
	     {"f16", 16},       {"f32", 32},  {"f64", 64},     {"tuple", 0},         {"opaque", 0},
	     {"c64", 64},       {"bf16", 16}, {"token", 0},    {"c128", 128},        {"f8e5m2", 8},
	     {"f8e4m3fn", 8},   {"s4", 4},    {"u4", 4},       {"f8e4m3b11fnuz", 8}, {"f8e5m2fnuz", 8},
	     {"f8e4m3fnuz", 8}, {"s2", 2},    {"u2", 2},       {"f8e4m3", 8},        {"f8e3m4", 8},
	     {"s1", 1},         {"u1", 1},    {"f4e2m1fn", 4}, {"f8e8m0fnu", 8}};

int64_t hlo_type_bits(uint64_t type)
{
	return type < sizeof types / sizeof *types ? types[type].bits : 0;
}

struct writer {
	char *text;
	size_t size, n;
};

static void say(struct writer *o, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(o->text + o->n, o->size - o->n, format, args);
	va_end(args);
	o->n += n < 0 ? 0 : (size_t)n;
	o->n = o->n < o->size ? o->n : o->size - 1;
}

static struct wire payload(const struct wire_field *f)
{
	return (struct wire){f->data, f->data + f->size};
}

/* All numbers of a field of lists, packed or one by one: written with commas, and multiplied. */
static int64_t say_numbers(struct writer *o, struct wire w, uint32_t field)
{
	struct wire_field f;
	int64_t product = 1;
	bool any = false;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
		struct wire list = payload(&f);
		uint64_t v = f.value;
		if (f.number != field || (f.type != WIRE_VARINT && f.type != WIRE_BYTES))
			continue;
		for (bool one = f.type == WIRE_VARINT; one || (list.p < list.end && wire_varint(&list, &v) == WIRE_OK);
		     one = false, any = true) {
			say(o, "%s%" PRId64, any ? "," : "", (int64_t)v);
			if ((int64_t)v < 0 || __builtin_mul_overflow(product, (int64_t)v, &product))
				product = 0;
		}
	}
	return product;
}

static void say_layout(struct writer *o, struct wire layout)
{
	struct wire_field f;
	const char *mark = ":";
	say(o, "{");
	say_numbers(o, layout, MINOR_TO_MAJOR);
	for (struct wire w = layout; w.p < w.end && wire_next(&w, &f) == WIRE_OK;) {
		if (f.number == TILES && f.type == WIRE_BYTES) {
			say(o, *mark ? ":T(" : "(");
			say_numbers(o, payload(&f), 1);
			say(o, ")");
		} else if (f.number == ELEMENT_BITS && f.type == WIRE_VARINT && f.value) {
			say(o, "%sE(%" PRIu64 ")", mark, f.value);
		} else if (f.number == MEMORY_SPACE && f.type == WIRE_VARINT && f.value) {
			say(o, "%sS(%" PRIu64 ")", mark, f.value);
		} else {
			continue;
		}
		mark = "";
	}
	say(o, "}");
}

/* The last field of that number; false where there is none. */
static bool last_field(struct wire w, uint32_t number, struct wire_field *out)
{
	struct wire_field f;
	bool found = false;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK)
		if (f.number == number) {
			*out = f;
			found = true;
		}
	return found;
}

static int64_t say_array(struct writer *o, struct wire w, uint64_t type)
{
	struct wire_field layout;
	int64_t bits = hlo_type_bits(type), elements;
	say(o, "%s[", type < sizeof types / sizeof *types ? types[type].name : "?");
	size_t before = o->n;
	elements = say_numbers(o, w, DIMENSIONS);
	bool scalar = o->n == before;
	say(o, "]");
	if (!scalar && last_field(w, LAYOUT, &layout) && layout.type == WIRE_BYTES)
		say_layout(o, payload(&layout));
	if (!bits || __builtin_mul_overflow(bits, elements, &bits))
		return -1;
	return bits / 8 + (bits % 8 != 0);
}

static int64_t say_shape(struct writer *o, struct wire w, int depth)
{
	struct wire_field f = {0};
	uint64_t type = last_field(w, ELEMENT_TYPE, &f) ? f.value : 0;
	int64_t parts = 0;
	if (type != TUPLE)
		return say_array(o, w, type);
	say(o, "(");
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK)
		if (f.number == PARTS && f.type == WIRE_BYTES) {
			say(o, parts++ ? ", " : "");
			if (depth < DEEPEST)
				say_shape(o, payload(&f), depth + 1);
		}
	say(o, ")");
	return parts * POINTER_BYTES;
}

/* The part of a tuple; the shape itself where there is none. */
static struct wire part(struct wire shape, int64_t index)
{
	struct wire_field f;
	for (struct wire w = shape; w.p < w.end && wire_next(&w, &f) == WIRE_OK;)
		if (f.number == PARTS && f.type == WIRE_BYTES && index-- == 0)
			return payload(&f);
	return shape;
}

int64_t hlo_shape_text(struct wire shape, const int64_t *index, size_t n, char *text, size_t size)
{
	struct writer o = {text, size, 0};
	*text = 0;
	for (size_t i = 0; i < n; i++)
		shape = part(shape, index[i]);
	return say_shape(&o, shape, 0);
}
