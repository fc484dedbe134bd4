#include "op_calls.h"
#include "model/analysis/derived/derived.h"
#include "model/store/base/thread.h"
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 4, WORTH_A_THREAD = 4096 /* calls */ };

struct call_reader {
	const struct derived *d;
	struct attrs *attrs;
	str_id dims[2], types, values, strides;
	str_id expands[3], to; /* names of the ops that make broadcast views; of aten::to */
	struct op_call *at;
	uint32_t n;
	struct arena scratch;
	pthread_t thread;
	bool beside;
};

static struct call_reader reader_of(const struct derived *d)
{
	static const char *const words[] = {"Input Dims",      "Input dims",         "Input type",
					    "Concrete Inputs", "Input Strides",      "aten::expand",
					    "aten::expand_as", "aten::broadcast_to", "aten::to"};
	struct call_reader c = {.d = d};
	str_id *const ids[] = {&c.dims[0],    &c.dims[1],    &c.types,      &c.values, &c.strides,
			       &c.expands[0], &c.expands[1], &c.expands[2], &c.to};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		*ids[i] = strings_find(trace_strings(derived_trace(d)), words[i], strlen(words[i]));
	return c;
}

bool op_calls_known(const struct derived *d)
{
	struct call_reader c = reader_of(d);
	return c.dims[0] || c.dims[1];
}

static struct arg_text text_of(struct call_reader *c, const struct attr *a)
{
	const char *text = attr_text(a, trace_strings(derived_trace(c->d)), &c->scratch);
	return (struct arg_text){text, a->type == ATTR_JSON || a->type == ATTR_STR ? a->n : strlen(text)};
}

static bool read_args(struct call_reader *c, row_id call, struct op_args *out)
{
	struct arg_text dims = {"", 0}, types = dims, values = dims, strides = dims;
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(derived_columns(c->d)->attrs, call);
	if (c->scratch.bytes > 1 << 20)
		arena_free(&c->scratch);
	if (!at || !attrs_read(c->attrs, at, &c->scratch, &attrs, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (attrs[i].key == c->dims[0] || attrs[i].key == c->dims[1])
			dims = text_of(c, &attrs[i]);
		else if (attrs[i].key == c->types)
			types = text_of(c, &attrs[i]);
		else if (attrs[i].key == c->values)
			values = text_of(c, &attrs[i]);
		else if (attrs[i].key == c->strides)
			strides = text_of(c, &attrs[i]);
	}
	op_args_torch(out, dims, types, values);
	op_args_strides(out, strides);
	return dims.n > 0;
}

static bool expands(const struct call_reader *c, row_id r)
{
	str_id name = derived_columns(c->d)->name[r];
	return name && (name == c->expands[0] || name == c->expands[1] || name == c->expands[2]);
}

/* The op that expanded what the call was given: one before it on its level, or on that of a call of the same name around it, with
 * nothing but aten::to between, which copies nothing there. NONE_ID = none. */
static row_id expanded_by(const struct call_reader *c, row_id call)
{
	enum { NEAR = 16 };
	const struct columns *k = derived_columns(c->d);
	uint32_t level = k->depth[call];
	for (row_id i = 1; i <= NEAR && i <= call && k->track[call - i] == k->track[call]; i++) {
		row_id r = call - i;
		if (k->depth[r] > level || k->kind[r] != KIND_OP)
			continue;
		if (expands(c, r))
			return k->depth[r] == level ? r : NONE_ID;
		if (k->depth[r] < level ? k->name[r] != k->name[call] : k->name[r] != c->to)
			return NONE_ID;
		level = k->depth[r];
	}
	return NONE_ID;
}

/* Older traces tell no strides: an input that has just been expanded is a broadcast view, if the shapes fit. The gradient of a mean is
 * expanded and then divided. */
static void mark_expanded(struct call_reader *c, row_id call, struct op_args *args)
{
	row_id by = c->strides ? NONE_ID : expanded_by(c, call);
	struct op_args source;
	if (by != NONE_ID && read_args(c, by, &source))
		tensor_expanded_from(&args->tensors[0], &source.tensors[0]);
}

enum precision op_args_precision(const struct op_args *a)
{
	static const uint8_t by_bytes[] = {PREC_UNKNOWN, PREC_FP8,     PREC_FP16,    PREC_UNKNOWN, PREC_FP32,
					   PREC_UNKNOWN, PREC_UNKNOWN, PREC_UNKNOWN, PREC_FP64};
	for (int i = 0; i < a->n; i++)
		if (a->tensors[i].rank && a->tensors[i].item_bytes && a->tensors[i].item_bytes <= 8)
			return by_bytes[a->tensors[i].item_bytes];
	return PREC_UNKNOWN;
}

static void read_call(struct call_reader *c, struct op_call *call)
{
	struct op_args args;
	call->cost = (struct op_cost){NAN, NAN};
	call->product = op_cost_is_product(call->rule);
	if (!read_args(c, call->row, &args))
		return;
	if (!call->product)
		mark_expanded(c, call->row, &args);
	call->cost = op_cost_torch(call->rule, &args);
	call->precision = (uint8_t)op_args_precision(&args);
}

static void *run(void *arg)
{
	struct call_reader *c = arg;
	for (uint32_t i = 0; i < c->n; i++)
		read_call(c, &c->at[i]);
	arena_free(&c->scratch);
	return NULL;
}

static uint32_t threads_for(uint32_t n)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t most = cores < 1              ? 1
			: cores < MOST_THREADS ? (uint32_t)cores
					       : MOST_THREADS,
		 worth = n / WORTH_A_THREAD;
	return worth < 1 ? 1 : worth < most ? worth : most;
}

/* The caller's thread takes the last part, with the log's own cache. */
void op_calls_read(const struct derived *d, struct op_call *at, uint32_t n)
{
	struct call_reader parts[MOST_THREADS];
	uint32_t threads = threads_for(n), from = 0;
	for (uint32_t i = 0; i < threads; i++) {
		uint32_t to = (uint32_t)((uint64_t)n * (i + 1) / threads);
		struct call_reader *c = &parts[i];
		*c = reader_of(d);
		c->at = at + from;
		c->n = to - from;
		from = to;
		struct attrs *view = i + 1 < threads ? attrs_view_new(trace_attrs(derived_trace(d))) : NULL;
		c->attrs = view ? view : trace_attrs(derived_trace(d));
		c->beside = view && thread_start(&c->thread, run, c);
	}
	for (uint32_t i = 0; i < threads; i++)
		if (!parts[i].beside)
			run(&parts[i]);
	for (uint32_t i = 0; i < threads; i++) {
		if (parts[i].beside)
			pthread_join(parts[i].thread, NULL);
		if (parts[i].attrs != trace_attrs(derived_trace(d)))
			attrs_view_free(parts[i].attrs);
	}
}
