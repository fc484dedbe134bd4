/* M, N and K of a matrix product, and whether Tensor Cores like them. */
#include "tensor_cores.h"
#include "model/analysis/costs/op_cost.h"
#include "model/analysis/costs/shapes.h"
#include <string.h>
#include <strings.h>

enum { FACTOR_16BIT = 8, FACTOR_8BIT = 16 };

bool tc_op_is_convolution(const char *op)
{
	return strcasestr(op, "conv") != NULL && !strcasestr(op, "convert");
}

/* PyTorch's ops take anything as their first arguments, activations and routing weights as well: only those known to
 * multiply their two matrices tell M, N and K. Other frameworks tell the op by a path, and shapes of products only. */
static bool may_multiply(const char *op)
{
	if (!strstr(op, "::"))
		return !tc_op_is_convolution(op);
	int rule = op_cost_rule_torch(op, strlen(op));
	return rule != COST_NONE && op_cost_is_matrix_product(rule);
}

/* What stands before the two factors: addmm(self, a, b). */
static uint32_t first_factor(const char *op)
{
	static const char *const with_sum[] = {"addmm", "baddbmm", "addbmm"};
	for (size_t i = 0; i < sizeof with_sum / sizeof *with_sum; i++)
		if (strstr(op, with_sum[i]))
			return 1;
	return 0;
}

/* The last two dimensions, or strides, of an input. */
static bool last_two(const struct op_args *a, uint32_t input, int64_t v[2])
{
	const double limit = 9e15;
	if ((int64_t)input >= a->n || a->tensors[input].rank < 2)
		return false;
	for (int i = 0; i < 2; i++) {
		double x = a->tensors[input].dims[a->tensors[input].rank - 2 + i];
		if (!(x >= 0 && x < limit))
			return false;
		v[i] = (int64_t)x;
	}
	return true;
}

/* Of A[a0,a1] and B[b0,b1], each as it stands or transposed: the side they share is K. linear(x, W) has W[N,K]. */
static bool multiply(const int64_t a[2], const int64_t b[2], bool second_transposed, struct tc_dims *out)
{
	if (!second_transposed && a[1] == b[0])
		*out = (struct tc_dims){.m = a[0], .k = a[1], .n = b[1]};
	else if (a[1] == b[1])
		*out = (struct tc_dims){.m = a[0], .k = a[1], .n = b[0]};
	else if (a[0] == b[0])
		*out = (struct tc_dims){.m = a[1], .k = a[0], .n = b[1]};
	else if (a[0] == b[1])
		*out = (struct tc_dims){.m = a[1], .k = a[0], .n = b[0]};
	else
		return false;
	return true;
}

static uint32_t factor_of(enum precision p)
{
	switch (p) {
	case PREC_FP16:
	case PREC_BF16:
	case PREC_SIXTEEN:
		return FACTOR_16BIT;
	case PREC_FP8:
	case PREC_INT8:
		return FACTOR_8BIT;
	default:
		return 0; /* the rule speaks of 16 and 8 bit */
	}
}

/* Rows of an operand begin at multiples of its larger stride. */
static bool rows_apart(const struct shapes *s, uint32_t input, uint32_t factor, uint32_t *rest)
{
	int64_t dim[2], stride[2];
	if (!last_two(&s->args, input, dim) || !last_two(&s->strides, input, stride) || dim[0] < 2 || dim[1] < 2)
		return false;
	int64_t row = stride[0] > stride[1] ? stride[0] : stride[1];
	*rest = (uint32_t)(row % factor);
	return row > 0 && (*rest != 0 || (stride[0] != 1 && stride[1] != 1));
}

static bool find_wrong(struct tc_dims *d, char which, int64_t v)
{
	if (v % d->factor == 0)
		return false;
	d->wrong = which;
	d->rest = (uint32_t)(v % d->factor);
	return true;
}

struct tc_dims tc_dims_of(const char *op, const struct shapes *s, enum precision p)
{
	struct tc_dims out = {.m = UNKNOWN_I64, .n = UNKNOWN_I64, .k = UNKNOWN_I64};
	uint32_t first = first_factor(op);
	int64_t a[2], b[2];
	if (!s || !may_multiply(op) || !last_two(&s->args, first, a) || !last_two(&s->args, first + 1, b))
		return out;
	if (!multiply(a, b, strstr(op, "linear") != NULL, &out))
		return (struct tc_dims){.m = UNKNOWN_I64, .n = UNKNOWN_I64, .k = UNKNOWN_I64};
	out.factor = factor_of(p);
	if (!out.factor || find_wrong(&out, 'n', out.n) || find_wrong(&out, 'k', out.k))
		return out;
	if (rows_apart(s, first, out.factor, &out.rest) || rows_apart(s, first + 1, out.factor, &out.rest))
		out.wrong = 's';
	return out;
}

void tc_dims_blame_m(struct tc_dims *d)
{
	if (d->m != UNKNOWN_I64 && d->factor && !d->wrong)
		find_wrong(d, 'm', d->m);
}

bool tc_channels_apart(const struct shapes *s)
{
	enum { CHANNELS = 1, IMAGE_RANK = 4 };
	if (!s || !s->args.n || !s->strides.n || s->args.tensors[0].rank < IMAGE_RANK ||
	    s->strides.tensors[0].rank != s->args.tensors[0].rank)
		return false;
	return s->args.tensors[0].dims[CHANNELS] > 1 && s->strides.tensors[0].dims[CHANNELS] != 1;
}
