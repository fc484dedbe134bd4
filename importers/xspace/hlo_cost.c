/* What one run of an instruction costs, from its shapes. */
#include "hlo.h"
#include <string.h>

static const struct hlo_instruction *operand(const struct hlo *h, const struct hlo_computation *c,
					     const struct hlo_instruction *i, uint32_t n)
{
	if (n >= i->operands.n)
		return NULL;
	int64_t id = h->numbers[i->operands.first + n];
	size_t owner = h->n_programs + (size_t)(c - h->computations);
	int64_t row = metamap_get(&h->by_id, hlo_id_key(owner, id));
	if (row >= 0 && (size_t)row >= c->first && (size_t)row < c->first + c->n && h->instructions[row].id == id)
		return &h->instructions[row];
	for (size_t k = c->first; row >= 0 && k < c->first + c->n; k++) /* another one had the key */
		if (h->instructions[k].id == id)
			return &h->instructions[k];
	return NULL;
}

static int64_t dim(const struct hlo *h, const struct hlo_list *list, int64_t n)
{
	return n >= 0 && n < list->n ? h->numbers[list->first + (uint32_t)n] : -1;
}

/* The product, UNKNOWN_I64 when one is unknown or it does not fit. */
static int64_t times(int64_t a, int64_t b)
{
	int64_t out;
	return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &out) ? UNKNOWN_I64 : out;
}

static int64_t plus(int64_t a, int64_t b)
{
	int64_t out;
	return a < 0 || b < 0 || __builtin_add_overflow(a, b, &out) ? UNKNOWN_I64 : out;
}

static int64_t elements(const struct hlo *h, const struct hlo_shape *s)
{
	int64_t n = s->bytes < 0 ? UNKNOWN_I64 : 1;
	for (uint32_t i = 0; i < s->dims.n; i++)
		n = times(n, h->numbers[s->dims.first + i]);
	return n;
}

static bool is_product(const struct hlo *h, const struct hlo_instruction *i)
{
	const char *target = strings_z(h->texts, i->target);
	return hlo_is(h, i->opcode, "dot") || (!strncmp(target, "__cublas$", 9) && i->math);
}

static bool is_convolution(const struct hlo *h, const struct hlo_instruction *i)
{
	return hlo_is(h, i->opcode, "convolution") || !strncmp(strings_z(h->texts, i->target), "__cudnn$conv", 12);
}

/* ---- flops -------------------------------------------------------------------------------------------------------- */

static int64_t flops_of_product(const struct hlo *h, const struct hlo_instruction *left,
				const struct hlo_instruction *i)
{
	const struct hlo_math *m = i->math ? &h->math[i->math - 1] : NULL;
	int64_t n = left && m ? times(2, elements(h, &i->shape)) : UNKNOWN_I64;
	for (uint32_t k = 0; n >= 0 && k < m->contracted.n; k++)
		n = times(n, dim(h, &left->shape.dims, h->numbers[m->contracted.first + k]));
	return n;
}

/* Pairs of an output place and a kernel place that meet a place of the input: padding and dilation meet none. */
static int64_t meetings(const struct hlo_window *w, int64_t in, int64_t out)
{
	int64_t n = 0, reach = in > 0 ? (in - 1) * w->base + 1 : 0;
	if (in < 0 || out < 0 || (w->base != 1 && out > 1 << 20) || w->size < 0 || w->size > 1 << 16 ||
	    w->stride <= 0 || w->base <= 0)
		return UNKNOWN_I64;
	for (int64_t k = 0; k < w->size; k++) {
		/* places o with 0 <= o * stride + k * dilation - low < reach */
		int64_t at = k * w->dilation - w->low;
		int64_t from = at >= 0 ? 0 : (-at + w->stride - 1) / w->stride;
		int64_t to = reach - at > 0 ? (reach - at - 1) / w->stride + 1 : 0;
		to = to < out ? to : out;
		if (w->base == 1)
			n += to > from ? to - from : 0;
		else
			for (int64_t o = from; o < to; o++)
				n += (o * w->stride + at) % w->base == 0;
	}
	return n;
}

/* Which of operands and result is what: libraries compute gradients by the numbers of the forward pass. */
struct convolution {
	const struct hlo_shape *in, *kernel, *out;
};

static struct convolution roles(const struct hlo *h, const struct hlo_instruction *i, const struct hlo_shape *a,
				const struct hlo_shape *b)
{
	const char *target = strings_z(h->texts, i->target);
	if (!strcmp(target, "__cudnn$convBackwardInput"))
		return (struct convolution){&i->shape, b, a};
	if (!strcmp(target, "__cudnn$convBackwardFilter"))
		return (struct convolution){a, &i->shape, b};
	return (struct convolution){a, b, &i->shape};
}

static int64_t flops_of_convolution(const struct hlo *h, const struct hlo_instruction *a,
				    const struct hlo_instruction *b, const struct hlo_instruction *i)
{
	const struct hlo_math *m = i->math ? &h->math[i->math - 1] : NULL;
	if (!a || !b || !m || m->n_window > HLO_SPATIAL || m->groups <= 0 || m->batch_groups <= 0 ||
	    m->in_spatial.n != m->n_window || m->out_spatial.n != m->n_window)
		return UNKNOWN_I64;
	struct convolution c = roles(h, i, &a->shape, &b->shape);
	int64_t n = times(2, times(dim(h, &c.in->dims, m->batch) / m->batch_groups,
				   times(dim(h, &c.in->dims, m->in_feature) / m->groups,
					 dim(h, &c.kernel->dims, m->out_feature))));
	for (uint32_t k = 0; k < m->n_window; k++)
		n = times(n, meetings(&m->window[k], dim(h, &c.in->dims, h->numbers[m->in_spatial.first + k]),
				      dim(h, &c.out->dims, h->numbers[m->out_spatial.first + k])));
	return n;
}

/* clang-format off */
static const char *const arithmetic[] = {
	"abs", "add", "atan2", "cbrt", "ceil", "cosine", "divide", "erf", "exponential", "exponential-minus-one", "floor", "log", "log-plus-one",
	"logistic", "maximum", "minimum", "multiply", "negate", "power", "remainder", "round-nearest-afz", "round-nearest-even", "rsqrt", "sign",
	"sine", "sqrt", "subtract", "tan", "tanh",
};
/* clang-format on */

static bool is_arithmetic(const struct hlo *h, str_id opcode)
{
	for (size_t k = 0; k < sizeof arithmetic / sizeof *arithmetic; k++)
		if (hlo_is(h, opcode, arithmetic[k]))
			return true;
	return false;
}

/* Of an instruction that is no fusion. What calls into a library that says nothing is unknown. */
static int64_t flops_of_one(const struct hlo *h, const struct hlo_computation *c, const struct hlo_instruction *i)
{
	if (is_product(h, i))
		return flops_of_product(h, operand(h, c, i, 0), i);
	if (is_convolution(h, i))
		return flops_of_convolution(h, operand(h, c, i, 0), operand(h, c, i, 1), i);
	if (hlo_is(h, i->opcode, "reduce")) {
		const struct hlo_instruction *from = operand(h, c, i, 0);
		int64_t in = from ? elements(h, &from->shape) : UNKNOWN_I64, out = elements(h, &i->shape);
		return in < 0 || out < 0 ? UNKNOWN_I64 : in > out ? in - out : 0;
	}
	if (is_arithmetic(h, i->opcode))
		return elements(h, &i->shape);
	return hlo_is(h, i->opcode, "custom-call") || hlo_is(h, i->opcode, "while") || hlo_is(h, i->opcode, "call") ||
			       hlo_is(h, i->opcode, "conditional")
		       ? UNKNOWN_I64
		       : 0;
}

/* Of what a fusion holds; counted once however often it is called. A fusion inside is a block of the one around it and moves
 * data. */
static int64_t flops_of_computation(struct hlo *h, const struct hlo_computation *in)
{
	struct hlo_computation *c = &h->computations[in - h->computations];
	for (size_t k = 0; !c->counted && k < c->n; k++)
		if (!hlo_is(h, h->instructions[c->first + k].opcode, "fusion"))
			c->flops = plus(c->flops, flops_of_one(h, c, &h->instructions[c->first + k]));
	c->counted = true;
	return c->flops;
}

static int64_t flops_of(struct hlo *h, const struct hlo_program *p, const struct hlo_computation *c,
			const struct hlo_instruction *i)
{
	if (!hlo_is(h, i->opcode, "fusion"))
		return flops_of_one(h, c, i);
	const struct hlo_computation *in = hlo_called(h, p, i->called_id);
	return in ? flops_of_computation(h, in) : UNKNOWN_I64;
}

/* ---- bytes -------------------------------------------------------------------------------------------------------- */

static int64_t bytes_of(const struct hlo *h, const struct hlo_computation *c, const struct hlo_instruction *i)
{
	bool library = is_product(h, i) || is_convolution(h, i);
	int64_t n = library ? i->shape.bytes : i->shape.all_bytes;
	for (uint32_t k = 0; k < i->operands.n; k++) {
		const struct hlo_instruction *from = operand(h, c, i, k);
		n = from ? plus(n, from->shape.all_bytes) : UNKNOWN_I64;
	}
	return n < 0 ? UNKNOWN_I64 : n;
}

struct hlo_cost hlo_cost(struct hlo *h, const struct hlo_program *p, const struct hlo_computation *c,
			 const struct hlo_instruction *i)
{
	int64_t flops = flops_of(h, p, c, i);
	return (struct hlo_cost){flops < 0 ? UNKNOWN_I64 : flops, bytes_of(h, c, i)};
}
