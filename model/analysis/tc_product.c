/* M, N and K of a matrix product, and whether Tensor Cores like them. */
#include "shapes.h"
#include "tensor_cores.h"
#include <string.h>
#include <strings.h>

enum { FACTOR_16BIT = 8, FACTOR_8BIT = 16 };

bool tc_op_is_convolution(const char *op)
{
	return strcasestr(op, "conv") != NULL && !strcasestr(op, "convert");
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

static bool is_matrix(const struct shape *x)
{
	return x->n_dims != SHAPE_NONE && x->n_dims >= 2;
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
		return FACTOR_16BIT;
	case PREC_FP8:
	case PREC_INT8:
		return FACTOR_8BIT;
	default:
		return 0; /* the rule speaks of 16 and 8 bit */
	}
}

/* Rows of an operand begin at multiples of its larger stride. */
static bool rows_apart(const struct shape *x, uint32_t factor, uint32_t *rest)
{
	if (!x->strided)
		return false;
	int64_t outer = x->stride[x->n_dims - 2], inner = x->stride[x->n_dims - 1];
	int64_t row = outer > inner ? outer : inner;
	if (row <= 0 || x->dim[x->n_dims - 2] < 2 || x->dim[x->n_dims - 1] < 2)
		return false;
	*rest = (uint32_t)(row % factor);
	return *rest != 0 || (outer != 1 && inner != 1);
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
	if (!s || tc_op_is_convolution(op) || s->n < first + 2 || !is_matrix(&s->at[first]) ||
	    !is_matrix(&s->at[first + 1]))
		return out;
	const struct shape *a = &s->at[first], *b = &s->at[first + 1];
	if (!multiply(&a->dim[a->n_dims - 2], &b->dim[b->n_dims - 2], strstr(op, "linear") != NULL, &out))
		return (struct tc_dims){.m = UNKNOWN_I64, .n = UNKNOWN_I64, .k = UNKNOWN_I64};
	out.factor = factor_of(p);
	if (!out.factor || find_wrong(&out, 'n', out.n) || find_wrong(&out, 'k', out.k))
		return out;
	if (rows_apart(a, out.factor, &out.rest) || rows_apart(b, out.factor, &out.rest))
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
	if (!s || !s->n || s->at[0].n_dims < 4 || s->at[0].n_dims == SHAPE_NONE || !s->at[0].strided)
		return false;
	return s->at[0].dim[1] > 1 && s->at[0].stride[1] != 1;
}
