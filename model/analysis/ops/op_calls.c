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
	str_id dims[2], types, values;
	struct op_call *at;
	uint32_t n;
	struct arena scratch;
	pthread_t thread;
	bool beside;
};

static struct call_reader reader_of(const struct derived *d)
{
	static const char *const words[] = {"Input Dims", "Input dims", "Input type", "Concrete Inputs"};
	struct call_reader c = {.d = d};
	str_id *const ids[] = {&c.dims[0], &c.dims[1], &c.types, &c.values};
	for (int i = 0; i < 4; i++)
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
	struct arg_text dims = {"", 0}, types = dims, values = dims;
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
	}
	op_args_torch(out, dims, types, values);
	return dims.n > 0;
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
