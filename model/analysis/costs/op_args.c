#include "op_args.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* Names of element types in PyTorch (with and without c10::), TensorFlow and XLA. */
static const struct {
	const char *name;
	int bytes;
} types[] = {
	{"float", 4}, {"double", 8}, {"half", 2}, {"bfloat16", 2}, {"int", 4}, {"long int", 8}, {"long", 8}, {"short int", 2},
	{"short", 2}, {"signed char", 1}, {"unsigned char", 1}, {"bool", 1}, {"char", 1},
	{"c10::Half", 2}, {"c10::BFloat16", 2}, {"c10::Float8_e4m3fn", 1}, {"c10::Float8_e5m2", 1}, {"c10::Float8_e4m3fnuz", 1},
	{"c10::Float8_e5m2fnuz", 1}, {"c10::Float8_e8m0fnu", 1}, {"c10::complex<float>", 8}, {"c10::complex<double>", 16},
	{"unsigned int", 4}, {"unsigned long", 8}, {"unsigned short", 2},
	{"float32", 4}, {"float64", 8}, {"float16", 2}, {"int8", 1}, {"uint8", 1}, {"int16", 2}, {"uint16", 2}, {"int32", 4},
	{"uint32", 4}, {"int64", 8}, {"uint64", 8}, {"complex64", 8}, {"complex128", 16},
};
/* clang-format on */

static int item_bytes_of(const char *type, size_t n)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].name) == n && !memcmp(types[i].name, type, n))
			return types[i].bytes;
	return 0;
}

/* ---- JSON lists --------------------------------------------------------------------------------------------------------- */

struct cursor {
	const char *p, *end;
};

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r' || *c->p == ','))
		c->p++;
}

static bool take(struct cursor *c, char what)
{
	skip_blanks(c);
	if (c->p == c->end || *c->p != what)
		return false;
	c->p++;
	return true;
}

/* Most are short and whole. */
static bool take_digits(struct cursor *c, double *out)
{
	enum { EXACT_DIGITS = 15 };
	int64_t value = 0;
	const char *p = c->p;
	while (p < c->end && *p >= '0' && *p <= '9' && p - c->p < EXACT_DIGITS)
		value = value * 10 + (*p++ - '0');
	if (p == c->p || (p < c->end && strchr("+-.0123456789eE", *p)))
		return false;
	*out = (double)value;
	c->p = p;
	return true;
}

static bool take_number(struct cursor *c, double *out)
{
	char buf[32], *end;
	size_t n = 0;
	skip_blanks(c);
	if (take_digits(c, out))
		return true;
	while (c->p + n < c->end && n + 1 < sizeof buf && strchr("-+.0123456789eE", c->p[n]))
		n++;
	memcpy(buf, c->p, n);
	buf[n] = '\0';
	*out = strtod(buf, &end);
	c->p += n;
	return n && !*end && isfinite(*out);
}

/* A text without escapes; those of types and values have none. */
static bool take_text(struct cursor *c, struct arg_value *out)
{
	if (!take(c, '"'))
		return false;
	const char *quote = memchr(c->p, '"', (size_t)(c->end - c->p));
	if (!quote)
		return false;
	*out = (struct arg_value){c->p, (size_t)(quote - c->p)};
	c->p = quote + 1;
	return true;
}

/* After the list that has just been opened. */
static bool skip_list(struct cursor *c)
{
	for (int depth = 1; c->p < c->end; c->p++) {
		depth += *c->p == '[' ? 1 : *c->p == ']' ? -1 : 0;
		if (depth == 0) {
			c->p++;
			return true;
		}
	}
	return false;
}

/* Dimensions up to the closing bracket; a list of lists is a list of tensors. */
static bool read_dims(struct cursor *c, struct tensor *t, bool *list)
{
	double d;
	while (!take(c, ']')) {
		if (take(c, '[')) {
			*list = true;
			t->rank = 0;
			return skip_list(c) && skip_list(c);
		}
		if (!take_number(c, &d))
			return false;
		if (t->rank >= 0)
			t->rank = t->rank < DIMS_MOST && d >= 0 ? t->rank + 1 : -1;
		if (t->rank > 0)
			t->dims[t->rank - 1] = d;
	}
	t->rank = t->rank < 0 ? 0 : t->rank;
	return true;
}

static void read_shapes(struct op_args *a, struct arg_text text)
{
	struct cursor c = {text.p, text.p + text.n};
	if (!take(&c, '['))
		return;
	for (a->n = 0; a->n < ARGS_MOST && take(&c, '['); a->n++)
		if (!read_dims(&c, &a->tensors[a->n], &a->lists)) {
			a->tensors[a->n].rank = 0;
			return;
		}
}

void op_args_torch(struct op_args *a, struct arg_text dims, struct arg_text type, struct arg_text values)
{
	struct cursor t = {type.p, type.p + type.n}, v = {values.p, values.p + values.n};
	struct arg_value x;
	*a = (struct op_args){0};
	read_shapes(a, dims);
	if (take(&t, '['))
		for (int i = 0; i < ARGS_MOST && take_text(&t, &x); i++)
			a->tensors[i].item_bytes = item_bytes_of(x.p, x.n);
	if (take(&v, '['))
		for (int i = 0; i < ARGS_MOST && take_text(&v, &x); i++)
			a->values[i] = x;
}

void op_args_strides(struct op_args *a, struct arg_text text)
{
	struct op_args strides = {0};
	if (!memmem(text.p, text.n, "[0", 2) && !memmem(text.p, text.n, " 0", 2) && !memmem(text.p, text.n, ",0", 2))
		return;
	read_shapes(&strides, text);
	for (int i = 0; i < a->n && i < strides.n; i++)
		for (int k = 0; k < a->tensors[i].rank && strides.tensors[i].rank == a->tensors[i].rank; k++)
			a->tensors[i].repeated[k] = strides.tensors[i].dims[k] == 0;
}

bool tensor_expanded_from(struct tensor *t, const struct tensor *source)
{
	int more = t->rank - source->rank;
	for (int k = 0; k < source->rank; k++)
		if (more < 0 || (source->dims[k] != 1 && source->dims[k] != t->dims[more + k]))
			return false;
	if (!source->rank)
		return false;
	for (int k = 0; k < t->rank; k++)
		t->repeated[k] = k < more || source->dims[k - more] != t->dims[k];
	return true;
}

/* ---- "(half[64,512];float[512])" ---------------------------------------------------------------------------------------- */

void op_args_tensorflow(struct op_args *a, struct arg_text shape)
{
	struct cursor c = {shape.p, shape.p + shape.n};
	*a = (struct op_args){0};
	take(&c, '(');
	while (a->n < ARGS_MOST && c.p < c.end && *c.p != ')') {
		const char *open = memchr(c.p, '[', (size_t)(c.end - c.p));
		struct tensor *t = &a->tensors[a->n];
		if (!open)
			return;
		t->item_bytes = item_bytes_of(c.p, (size_t)(open - c.p));
		c.p = open + 1;
		if (!read_dims(&c, t, &a->lists))
			return;
		a->n++;
		if (c.p < c.end && *c.p == ';')
			c.p++;
	}
}

/* ---- asking --------------------------------------------------------------------------------------------------------------- */

double tensor_items(const struct tensor *t)
{
	double n = t->rank ? 1 : NAN;
	for (int i = 0; i < t->rank; i++)
		n *= t->dims[i];
	return n;
}

double tensor_stored_bytes(const struct tensor *t)
{
	double bytes = tensor_bytes(t);
	for (int i = 0; i < t->rank; i++)
		bytes /= t->repeated[i] && t->dims[i] > 0 ? t->dims[i] : 1;
	return bytes;
}

double tensor_bytes(const struct tensor *t)
{
	return t->item_bytes ? tensor_items(t) * t->item_bytes : NAN;
}

static bool value_is(const struct arg_value *v, const char *word)
{
	return v->n == strlen(word) && !memcmp(v->p, word, v->n);
}

int arg_true(const struct op_args *a, int i)
{
	const struct arg_value *v = &a->values[i];
	if (value_is(v, "True") || value_is(v, "1"))
		return 1;
	return value_is(v, "False") || value_is(v, "0") ? 0 : -1;
}

int arg_numbers(const struct op_args *a, int i, double out[DIMS_MOST])
{
	struct cursor c = {a->values[i].p, a->values[i].p + a->values[i].n};
	int n = 0;
	if (!a->values[i].n)
		return 0;
	bool list = take(&c, '[');
	while (n < DIMS_MOST && take_number(&c, &out[n])) {
		n++;
		if (!list)
			return n;
	}
	return n;
}
