/* Matrix products, einsum, attention, element-wise ops. */
#include "op_cost_private.h"
#include <string.h>

/* ---- matrix products ------------------------------------------------------------------------------------------------------ */

/* Matrices in front of the last two dimensions; those of the operand that has more of them. NaN when they do not fit. */
static double batches(const struct tensor *a, const struct tensor *b)
{
	const struct tensor *more = a->rank >= b->rank ? a : b, *less = more == a ? b : a;
	double n = 1;
	for (int i = 0; i < more->rank - 2; i++) {
		int j = i - (more->rank - less->rank);
		double x = more->dims[i], y = j >= 0 ? less->dims[j] : 1;
		if (x != y && x != 1 && y != 1)
			return NAN;
		n *= x > y ? x : y;
	}
	return n;
}

static struct op_cost product_cost(double count, double m, double n, double k, const struct tensor *a,
				   const struct tensor *b, const struct tensor *extra)
{
	struct tensor out = {.rank = 3, .item_bytes = a->item_bytes, .dims = {count, m, n}};
	double bytes = tensor_bytes(a) + tensor_bytes(b) + tensor_bytes(&out);
	if (extra && extra->rank)
		bytes += tensor_bytes(extra);
	return (struct op_cost){2 * count * m * n * k, bytes};
}

struct op_cost cost_product(const struct tensor *a, const struct tensor *b, const struct tensor *extra)
{
	if (a->rank < 1 || b->rank < 1 || (a->rank == 1 && b->rank > 2) || (b->rank == 1 && a->rank > 2))
		return cost_unknown();
	double m = a->rank > 1 ? a->dims[a->rank - 2] : 1, k = a->dims[a->rank - 1];
	double n = b->rank > 1 ? b->dims[b->rank - 1] : 1, rows = b->dims[b->rank > 1 ? b->rank - 2 : 0];
	if (k != rows)
		return cost_unknown();
	return product_cost(batches(a, b), m, n, k, a, b, extra);
}

struct op_cost cost_linear(const struct tensor *x, const struct tensor *w)
{
	if (x->rank < 1 || w->rank != 2 || x->dims[x->rank - 1] != w->dims[1])
		return cost_unknown();
	return product_cost(1, tensor_items(x) / w->dims[1], w->dims[0], w->dims[1], x, w, NULL);
}

struct op_cost cost_product_any_way(const struct tensor *a, const struct tensor *b)
{
	if (a->rank < 2 || b->rank < 2)
		return cost_unknown();
	const double *x = a->dims + a->rank - 2, *y = b->dims + b->rank - 2;
	struct {
		bool fits;
		double m, n, k;
	} ways[] = {
		{x[1] == y[0], x[0], y[1], x[1]}, {x[1] == y[1], x[0], y[0], x[1]}, {x[0] == y[0], x[1], y[1], x[0]}};
	int found = -1;
	for (int i = 0; i < 3; i++) {
		if (!ways[i].fits)
			continue;
		if (found >= 0 && ways[i].k != ways[found].k)
			return cost_unknown();
		found = i;
	}
	if (found < 0)
		return cost_unknown();
	return product_cost(batches(a, b), ways[found].m, ways[found].n, ways[found].k, a, b, NULL);
}

/* ---- einsum --------------------------------------------------------------------------------------------------------------- */

/* Size of each letter of one operand; false when letters and dimensions do not fit. */
static bool read_letters(const char *p, size_t n, const struct tensor *t, double size[128])
{
	if ((int)n != t->rank)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned char letter = (unsigned char)p[i];
		bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
		if (!is_letter || (size[letter] > 0 && size[letter] != t->dims[i]))
			return false;
		size[letter] = t->dims[i];
	}
	return true;
}

struct op_cost cost_einsum(const char *equation, const struct tensor *a, const struct tensor *b)
{
	const char *comma = strchr(equation, ','), *arrow = strstr(equation, "->");
	double size[128] = {0}, all = 1, result = 1;
	if (!comma || !arrow || comma > arrow || !read_letters(equation, (size_t)(comma - equation), a, size) ||
	    !read_letters(comma + 1, (size_t)(arrow - comma - 1), b, size))
		return cost_unknown();
	for (int i = 0; i < 128; i++)
		all *= size[i] > 0 ? size[i] : 1;
	for (const char *p = arrow + 2; *p; p++) {
		if ((unsigned char)*p >= 128 || !(size[(unsigned char)*p] > 0))
			return cost_unknown();
		result *= size[(unsigned char)*p];
	}
	return (struct op_cost){2 * all,
				tensor_bytes(a) + tensor_bytes(b) + result * (a->item_bytes ? a->item_bytes : NAN)};
}

/* ---- attention ------------------------------------------------------------------------------------------------------------ */

/* Pairs of query and key that are computed; NaN when the mask is not recorded. */
static double pairs_of(const struct op_args *a, const struct attention_places *at, double queries, double keys)
{
	int causal = arg_true(a, at->causal);
	if (causal < 0 || (causal && queries != keys))
		return NAN;
	return causal ? queries * (queries + 1) / 2 : queries * keys;
}

struct op_cost cost_attention(const struct op_args *a, const struct attention_places *at)
{
	enum { FORWARD_BYTES = 1, BACKWARD_PRODUCTS = 5 };
	const struct tensor *q = &a->tensors[at->q], *k = q + 1, *v = q + 2;
	int length = at->heads_first ? 2 : 1, heads = at->heads_first ? 1 : 2;
	if (q->rank != 4 || k->rank != 4 || v->rank != 4 || (at->lengths >= 0 && a->tensors[at->lengths].rank))
		return cost_unknown();
	double pairs = q->dims[0] * q->dims[heads] * pairs_of(a, at, q->dims[length], k->dims[length]);
	double through_keys = 2 * pairs * q->dims[3], through_values = 2 * pairs * v->dims[3];
	struct tensor out = *q;
	out.dims[3] = v->dims[3];
	double inputs = tensor_bytes(q) + tensor_bytes(k) + tensor_bytes(v);
	if (!at->backward)
		return (struct op_cost){through_keys + through_values, inputs + tensor_bytes(&out)};
	/* scores again, gradients of scores, values, queries, keys */
	return (struct op_cost){3 * through_keys + 2 * through_values, 2 * inputs + 2 * tensor_bytes(&out)};
}

/* ---- element-wise ops ----------------------------------------------------------------------------------------------------- */

/* Takes in one operand's dimensions, aligned at the last one. False when they do not fit. */
static bool broadcast(struct tensor *out, const struct tensor *t)
{
	struct tensor wide = *(t->rank > out->rank ? t : out);
	const struct tensor *less = t->rank > out->rank ? out : t;
	for (int i = 0; i < less->rank; i++) {
		double *to = &wide.dims[wide.rank - less->rank + i], d = less->dims[i];
		if (*to != d && *to != 1 && d != 1)
			return false;
		*to = *to == 1 ? d : *to;
	}
	wide.item_bytes = t->item_bytes > out->item_bytes ? t->item_bytes : out->item_bytes;
	*out = wide;
	return true;
}

struct op_cost cost_elementwise(const struct op_args *a, int inputs, enum result_of result, int each)
{
	struct tensor out = {0};
	double read = 0;
	for (int i = 0; i < a->n && i < inputs; i++) {
		const struct tensor *t = &a->tensors[i];
		if (!t->rank)
			continue;
		if (!broadcast(&out, t))
			return cost_unknown();
		read += tensor_stored_bytes(t);
	}
	if (a->lists || !out.rank)
		return cost_unknown();
	double items = tensor_items(&out), written = tensor_bytes(result == RESULT_COPIED ? &a->tensors[0] : &out);
	if (result == RESULT_BOOL)
		written = items;
	if (result == RESULT_ONLY)
		read = 0;
	if (result == RESULT_COPIED)
		read = tensor_stored_bytes(&a->tensors[1]);
	return (struct op_cost){items * each, read + written};
}
