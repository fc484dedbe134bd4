/* Convolutions, forward and backward. */
#include "op_cost_private.h"
#include <string.h>

static double product(const double *x, int n)
{
	double p = 1;
	for (int i = 0; i < n; i++)
		p *= x[i];
	return p;
}

/* The i-th of a list that may have one number for all dimensions; NaN = not recorded. */
static double setting(const double *x, int n, int i)
{
	return n == 0 ? NAN : x[i < n ? i : n - 1];
}

/* Positions of the result in each dimension, multiplied. */
static double positions(const struct op_args *a, const struct conv_places *at, const struct tensor *in,
			const struct tensor *w)
{
	double stride[DIMS_MOST], pad[DIMS_MOST], dilation[DIMS_MOST], all = 1;
	int ns = arg_numbers(a, at->stride, stride), np = arg_numbers(a, at->padding, pad), nd = 1;
	dilation[0] = 1;
	if (at->dilation >= 0)
		nd = arg_numbers(a, at->dilation, dilation);
	for (int i = 0; i < in->rank - 2; i++) {
		double reach = setting(dilation, nd, i) * (w->dims[i + 2] - 1) + 1;
		all *= floor((in->dims[i + 2] + 2 * setting(pad, np, i) - reach) / setting(stride, ns, i)) + 1;
	}
	return all >= 0 ? all : NAN;
}

static bool fits(const struct tensor *in, const struct tensor *w)
{
	return in->rank >= 3 && in->rank == w->rank;
}

/* Transposed: every input element meets a whole filter. The number of results needs settings that vary by op: unknown. */
static struct op_cost transposed(const struct tensor *in, const struct tensor *w)
{
	return (struct op_cost){2 * tensor_items(in) * w->dims[1] * product(w->dims + 2, w->rank - 2), NAN};
}

struct op_cost cost_conv(const struct op_args *a, const struct conv_places *at)
{
	const struct tensor *in = &a->tensors[0], *w = &a->tensors[1];
	int turned = at->always_transposed ? 1 : at->transposed < 0 ? 0 : arg_true(a, at->transposed);
	if (!fits(in, w) || turned < 0)
		return cost_unknown();
	if (turned)
		return transposed(in, w);
	double results = in->dims[0] * positions(a, at, in, w);
	struct tensor out = {.rank = 2, .item_bytes = in->item_bytes, .dims = {results, w->dims[0]}};
	return (struct op_cost){2 * results * tensor_items(w), tensor_bytes(in) + tensor_bytes(w) + tensor_bytes(&out)};
}

/* "[True, True, False]": which of the gradients of input, weight and bias. */
static int products_asked(const struct op_args *a, int mask, bool *of_input, bool *of_weight)
{
	const struct arg_value *v = &a->values[mask];
	if (v->n < 2 || v->p[0] != '[')
		return 0;
	const char *end = v->p + v->n, *second = memchr(v->p, ',', v->n);
	if (!second)
		return 0;
	while (second < end && (*second == ',' || *second == ' '))
		second++;
	*of_input = v->p[1] == 'T';
	*of_weight = second < end && *second == 'T';
	return *of_input + *of_weight;
}

struct op_cost cost_conv_backward(const struct op_args *a, int turned, int mask)
{
	const struct tensor *grad = &a->tensors[0], *in = &a->tensors[1], *w = &a->tensors[2];
	bool of_input = false, of_weight = false;
	int n = products_asked(a, mask, &of_input, &of_weight), how = arg_true(a, turned);
	if (!n || how < 0 || !fits(in, w) || grad->rank != in->rank)
		return cost_unknown();
	double forward = how ? transposed(in, w).flops
			     : 2 * grad->dims[0] * product(grad->dims + 2, grad->rank - 2) * tensor_items(w);
	double bytes = tensor_bytes(grad);
	bytes += of_weight ? tensor_bytes(in) + tensor_bytes(w) : 0; /* reads the one, writes the other */
	bytes += of_input ? tensor_bytes(in) + tensor_bytes(w) : 0;
	return (struct op_cost){n * forward, bytes};
}
