#include "op_costs.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/derived.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one byte tells of a launching op. */
enum { TOLD_FLOPS = 1, TOLD_BYTES = 2, TOLD_PRODUCT = 4, TOLD_PRECISION = 8 /* the fields above it */ };
enum { NOT_LOOKED_AT, NO_RULE };

/* Runs of one shape or instruction of an op: as many as its most frequent kernel has. */
struct cost_unit {
	uint32_t cell, most;
	struct op_cost cost;
	bool product;
	enum precision precision;
};

bool op_costs_init(struct op_costs *c, const struct derived *d, struct err *e)
{
	size_t texts = strings_count(trace_strings(derived_trace(d))) + 1u;
	*c = (struct op_costs){.d = d, .table = peaks_builtin(e)};
	if (!c->table)
		return false;
	c->has_shapes = op_calls_known(d);
	c->rule_of_name = must(malloc(texts * sizeof *c->rule_of_name));
	memset(c->rule_of_name, 0, texts * sizeof *c->rule_of_name);
	c->peaks = must(malloc((trace_devices(derived_trace(d)) + 1u) * sizeof *c->peaks));
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		c->peaks[i] = peaks_of(c->table, derived_trace(d), i);
	return true;
}

void op_costs_free(struct op_costs *c)
{
	peaks_free(c->table);
	free(c->peaks);
	free(c->rule_of_name);
	free(c->told);
	free(c->units);
	idmap_free(&c->unit_of);
	idmap_free(&c->runs);
	free(c->pieces);
	free(c->calls);
}

/* ---- what ops cost ------------------------------------------------------------------------------------------------------ */

static int rule_of(struct op_costs *c, str_id name, int (*find)(const char *, size_t))
{
	if (c->rule_of_name[name] == NOT_LOOKED_AT) {
		struct span s = strings_get(trace_strings(derived_trace(c->d)), name);
		int rule = find(s.p, s.n);
		c->rule_of_name[name] = (int16_t)(rule == COST_NONE ? NO_RULE : rule + 2);
	}
	return c->rule_of_name[name] == NO_RULE ? COST_NONE : c->rule_of_name[name] - 2;
}

static uint8_t told_of(const struct op_call *x)
{
	return (uint8_t)((isnan(x->cost.flops) ? 0 : TOLD_FLOPS) | (isnan(x->cost.bytes) ? 0 : TOLD_BYTES) |
			 (x->product ? TOLD_PRODUCT : 0) | TOLD_PRECISION * x->precision);
}

static void add_cost(struct op_work *to, struct op_cost cost, double runs)
{
	to->flops += isnan(cost.flops) ? 0 : cost.flops * runs;
	to->bytes += isnan(cost.bytes) ? 0 : cost.bytes * runs;
}

/* ---- kernels that name their op themselves -------------------------------------------------------------------------------- */

static struct op_cost cost_of_shape(struct op_costs *c, const struct kernel_info *k, struct cost_unit *u)
{
	const struct trace *t = derived_trace(c->d);
	struct span shape = strings_get(trace_strings(t), k->shape);
	struct op_args args;
	int rule = rule_of(c, k->op_type, op_cost_rule_tensorflow);
	if (rule == COST_NONE)
		return (struct op_cost){NAN, NAN};
	op_args_tensorflow(&args, (struct arg_text){shape.p, shape.n});
	u->product = op_cost_is_product(rule);
	u->precision = op_args_precision(&args);
	return op_cost_tensorflow(rule, trace_str(t, k->equation), &args);
}

static struct cost_unit make_unit(struct op_costs *c, uint32_t cell, const struct hlo_info *h,
				  const struct kernel_info *k)
{
	struct cost_unit u = {.cell = cell};
	if (h && h->known)
		u.cost = (struct op_cost){h->flops < 0 ? NAN : (double)h->flops, h->bytes < 0 ? NAN : (double)h->bytes};
	else
		u.cost = cost_of_shape(c, k, &u);
	return u;
}

/* NULL: nothing tells what it costs. */
static struct cost_unit *unit_of(struct op_costs *c, uint32_t cell, row_id r)
{
	enum { INSTRUCTION = 1u << 31 };
	const struct hlo_info *h = trace_hlo(derived_trace(c->d), r);
	const struct kernel_info *k = h && h->known ? NULL : trace_kernel_with_texts(derived_trace(c->d), r);
	if (!(h && h->known) && !(k && k->shape && k->op_type))
		return NULL;
	uint32_t which = h && h->known ? INSTRUCTION | trace_hlo_row(derived_trace(c->d), r) : k->shape;
	uint32_t i = *idmap_put(&c->unit_of, (uint64_t)cell << 32 | which, c->n_units);
	if (i == c->n_units) {
		GROW_ARRAY(c->units, c->n_units, c->cap_units);
		c->units[c->n_units++] = make_unit(c, cell, h, k);
	}
	return &c->units[i];
}

/* A copy that an op makes beside its kernels is no run of it. */
static void count_run(struct op_costs *c, struct cost_unit *u, str_id name)
{
	uint32_t *n = idmap_put(&c->runs, (uint64_t)(u - c->units) << 32 | name, 0);
	if (++*n > u->most)
		u->most = *n;
}

/* ---- time ----------------------------------------------------------------------------------------------------------------- */

static enum precision precision_of_name(struct op_costs *c, const struct cost_piece *x, enum precision otherwise)
{
	str_id name = derived_columns(c->d)->name[x->row];
	enum precision p = (enum precision)derived_kernel_facts(c->d, name)->precision;
	return p == PREC_UNKNOWN ? otherwise : p;
}

/* The roof of the units it ran on. Where names do not tell, a product of 16 bit or less is held to run on matrix units. */
static void add_time(struct op_costs *c, const struct cost_piece *x, bool flops, bool bytes, bool product,
		     enum precision given, struct op_work *to)
{
	int64_t dur_ns = derived_columns(c->d)->dur_ns[x->row];
	const struct peaks *p = &c->peaks[x->device];
	enum precision precision = precision_of_name(c, x, given);
	bool matrix = x->tc == VERDICT_YES || (x->tc == VERDICT_UNKNOWN && product && precision_is_narrow(precision));
	to->flops_ns += flops ? dur_ns : 0;
	to->bytes_ns += bytes ? dur_ns : 0;
	to->roof_flops += flops ? (double)dur_ns * peaks_flops(p, precision, matrix) : 0;
	to->roof_bytes += bytes ? (double)dur_ns * p->memory_bytes_per_s : 0;
}

/* ---- calls: their work is put by until all of them are read ----------------------------------------------------------- */

/* A copy to or from another memory goes as fast as the link between them: no roof of this device holds for it.
 * Products that copy on the way are products all the same. */
static bool over_a_link(const struct op_costs *c, row_id r)
{
	enum copy_kind kind = derived_copy_kind(c->d, r);
	return kind == COPY_H2D || kind == COPY_D2H || kind == COPY_P2P;
}

static void put_by(struct op_costs *c, const struct cost_piece *x)
{
	int rule = c->has_shapes ? rule_of(c, derived_columns(c->d)->name[x->by], op_cost_rule_torch) : COST_NONE;
	if (rule == COST_NONE || (!op_cost_is_product(rule) && over_a_link(c, x->row)))
		return;
	GROW_ARRAY(c->pieces, c->n_pieces, c->cap_pieces);
	c->pieces[c->n_pieces++] = *x;
	if (!x->fresh)
		return;
	GROW_ARRAY(c->calls, c->n_calls, c->cap_calls);
	c->calls[c->n_calls++] = (struct op_call){.row = x->by, .rule = (int16_t)rule};
}

/* Pieces of a call may lie on several streams: what was found stands in a byte per event meanwhile. */
static void settle_calls(struct op_costs *c, struct op_work *(*of)(void *arg, uint32_t cell), void *arg)
{
	if (!c->n_calls)
		return;
	op_calls_read(c->d, c->calls, c->n_calls);
	c->told = large_zeroed(derived_columns(c->d)->n + 1, 1);
	for (uint32_t i = 0, call = 0; i < c->n_pieces; i++) {
		const struct cost_piece *x = &c->pieces[i];
		struct op_work *to = of(arg, x->cell);
		if (x->fresh) {
			c->told[x->by] = told_of(&c->calls[call]);
			add_cost(to, c->calls[call++].cost, 1);
		}
		uint8_t told = c->told[x->by];
		add_time(c, x, told & TOLD_FLOPS, told & TOLD_BYTES, told & TOLD_PRODUCT,
			 (enum precision)(told / TOLD_PRECISION), to);
	}
}

void op_costs_settle(struct op_costs *c, struct op_work *(*of)(void *arg, uint32_t cell), void *arg)
{
	for (uint32_t i = 0; i < c->n_units; i++)
		add_cost(of(arg, c->units[i].cell), c->units[i].cost, c->units[i].most);
	settle_calls(c, of, arg);
}

void op_costs_take(struct op_costs *c, const struct cost_piece *x, struct op_work *to)
{
	to->all_ns += derived_columns(c->d)->dur_ns[x->row];
	if (x->by != NONE_ID) {
		put_by(c, x);
		return;
	}
	struct cost_unit *u = unit_of(c, x->cell, x->row);
	if (!u)
		return;
	count_run(c, u, derived_columns(c->d)->name[x->row]);
	add_time(c, x, !isnan(u->cost.flops), !isnan(u->cost.bytes), u->product, u->precision, to);
}
