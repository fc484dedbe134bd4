#include "iteration_products.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/ops/op_calls.h"
#include "model/store/base/grow.h"
#include <math.h>
#include <stdlib.h>

/* Kernels of one call of an op. */
struct product {
	struct op_call call;
	int64_t ns;
	enum precision precision; /* as names of kernels tell it */
};
struct products {
	const struct derived *d;
	struct product *at;
	uint32_t n, cap;
};

/* The op that launches, where it is a matrix product. */
static row_id product_around(const struct derived *d, row_id launch, int *rule)
{
	const struct columns *c = derived_columns(d);
	row_id r = parent_of(d, launch);
	while (r != NONE_ID && c->kind[r] != KIND_OP)
		r = parent_of(d, r);
	if (r == NONE_ID)
		return NONE_ID;
	struct span name = strings_get(trace_strings(derived_trace(d)), c->name[r]);
	*rule = op_cost_rule_torch(name.p, name.n);
	return *rule != COST_NONE && op_cost_is_matrix_product(*rule) ? r : NONE_ID;
}

static void add_kernel(struct products *p, row_id op, int rule, row_id kernel)
{
	const struct columns *c = derived_columns(p->d);
	if (!p->n || p->at[p->n - 1].call.row != op) {
		GROW_ARRAY(p->at, p->n, p->cap);
		p->at[p->n++] = (struct product){.call = {.row = op, .rule = (int16_t)rule}};
	}
	struct product *x = &p->at[p->n - 1];
	enum precision told = (enum precision)derived_kernel_facts(p->d, c->name[kernel])->precision;
	x->ns += c->dur_ns[kernel];
	x->precision = told == PREC_UNKNOWN ? x->precision : told;
}

static void add_launch(struct products *p, row_id launch, const struct iteration *x, const struct family_memo *families,
		       struct iteration_products *out)
{
	const struct columns *c = derived_columns(p->d);
	const row_id *work;
	uint32_t n = trace_launched(derived_trace(p->d), launch, &work);
	int rule = COST_NONE;
	row_id op = n == 1 ? product_around(p->d, launch, &rule) : NONE_ID;
	for (uint32_t i = 0; i < n; i++) {
		bool here = trace_track(derived_trace(p->d), c->track[work[i]])->device == x->device;
		if (!here || c->kind[work[i]] != KIND_KERNEL ||
		    (op == NONE_ID && family_memo_of(families, c->name[work[i]], 0) != FAMILY_GEMM))
			continue;
		out->all_ns += c->dur_ns[work[i]];
		if (op != NONE_ID)
			add_kernel(p, op, rule, work[i]);
	}
}

/* A product of 16 bit or less is held to run on matrix units. */
static double peak_of(const struct peaks *peaks, const struct product *x)
{
	enum precision p = x->precision == PREC_UNKNOWN ? (enum precision)x->call.precision : x->precision;
	return peaks_flops(peaks, p, precision_is_narrow(p));
}

static void add_up(struct products *p, const struct peaks *peaks, struct iteration_products *out)
{
	struct op_call *calls = must(malloc((p->n + 1u) * sizeof *calls));
	for (uint32_t i = 0; i < p->n; i++)
		calls[i] = p->at[i].call;
	op_calls_read(p->d, calls, p->n);
	for (uint32_t i = 0; i < p->n; i++) {
		p->at[i].call = calls[i];
		if (isnan(calls[i].cost.flops))
			continue;
		out->flops += calls[i].cost.flops;
		out->peak_ns += calls[i].cost.flops * 1e9 / peak_of(peaks, &p->at[i]);
		out->told_ns += p->at[i].ns;
	}
	free(calls);
}

struct iteration_products iteration_products_of(const struct derived *d, const struct iteration *x,
						const struct family_memo *families, const struct peaks *peaks)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), x->track);
	struct iteration_products out = {0};
	struct products p = {.d = d};
	if (!op_calls_known(d))
		return out;
	for (row_id r = first_row_from(c, k, x->start_ns); r < k->first + k->n; r++) {
		if (x->next_ns != UNKNOWN_I64 && c->start_ns[r] >= x->next_ns)
			break;
		if (c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID)
			add_launch(&p, r, x, families, &out);
	}
	if (p.n)
		add_up(&p, peaks, &out);
	free(p.at);
	return out;
}
