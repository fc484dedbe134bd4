#include "collectives.h"
#include "clocks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "collective_match.h"
#include "model/analysis/costs/op_args.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/group_kind.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/spans.h"

struct finder {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	struct arena *mem;
	str_id dims, types;    /* keys of what an op was given; 0: the trace does not have it */
	struct collective *at; /* as they are found */
	uint32_t cap;
	struct collectives *out;
	struct progress_loop loop;
	struct idmap texts; /* -> place in `said` */
	struct text_says *said;
	uint32_t n_said, cap_said;
};
/* What a text says, whatever it is the text of: looked for once in each. */
struct text_says {
	struct collective_name kernel; /* as the name of a kernel, */
	enum collective_op op;         /* of what was recorded, */
	const char *dtype;             /* of an element type, */
	int dtype_bytes;
	bool library;      /* of a call of the library, */
	uint32_t purposes; /* and of what stands around it: bits of those whose part it holds */
};

/* ---- what is told ------------------------------------------------------------------------------------------------------ */

static const char *text_or_null(const struct finder *f, str_id id)
{
	const char *s = trace_str(f->t, id);
	return *s ? s : NULL;
}

/* What the annotations around the launch are part of, of one op. */
static const struct {
	const char *part;
	enum collective_op op;
	const char *purpose;
} purposes[] = {
	{"FSDP", COLLECTIVE_ALL_GATHER, "FSDP gather"},
	{"FullyShardedDataParallel", COLLECTIVE_ALL_GATHER, "FSDP gather"},
	{"FSDP", COLLECTIVE_REDUCE_SCATTER, "FSDP scatter"},
	{"FullyShardedDataParallel", COLLECTIVE_REDUCE_SCATTER, "FSDP scatter"},
	{"AccumulateGrad", COLLECTIVE_ALL_REDUCE, "DDP bucket"},
	{"DistributedDataParallel", COLLECTIVE_ALL_REDUCE, "DDP bucket"},
};

static struct text_says read_text(const char *text)
{
	static const char *const begins[] = {"nccl", "c10d::", "record_param_comms", "gloo:"};
	struct text_says x = {.kernel = collective_of_kernel(text),
			      .op = collective_of_record(text),
			      .dtype = collective_dtype(text),
			      .dtype_bytes = collective_dtype_bytes(text),
			      .library = TEXT_STARTS_WITH_ONE_OF(text, begins)};
	for (uint32_t i = 0; i < sizeof purposes / sizeof *purposes; i++)
		x.purposes |= (uint32_t)(strstr(text, purposes[i].part) != NULL) << i;
	return x;
}

/* Valid until the next call. */
static const struct text_says *text_says(struct finder *f, str_id text)
{
	uint32_t i = *idmap_put(&f->texts, text, f->n_said);
	if (i == f->n_said) {
		GROW_ARRAY(f->said, f->n_said, f->cap_said);
		f->said[f->n_said++] = read_text(trace_str(f->t, text));
	}
	return &f->said[i];
}

/* Of "[3, 5]" 5/8; NaN of an empty list. */
static double largest_share(const char *list)
{
	double most = 0, sum = 0;
	for (const char *p = list; (p = strpbrk(p, "0123456789"));) {
		char *end;
		double part = (double)strtoull(p, &end, 10);
		p = end;
		sum += part;
		most = part > most ? part : most;
	}
	return sum > 0 ? most / sum : NAN;
}

/* The job's number of the rank that stands at a place of the group: "[0, 4]". Where that is no place of it, it is the number itself. */
static int32_t rank_in_group(const struct finder *f, const struct collective_info *x, int64_t place)
{
	const char *p = trace_str(f->t, x->group_ranks);
	for (int64_t i = 0; (p = strpbrk(p, "0123456789")); i++) {
		char *end;
		long rank = strtol(p, &end, 10);
		if (i == place && rank < INT32_MAX)
			return (int32_t)rank;
		p = end;
	}
	return place >= 0 && place < INT32_MAX ? (int32_t)place : -1;
}

/* Of a group of two, which it lists, the other one; -1: it has not two, or the own rank is none of them. */
static int32_t other_of_two(const struct finder *f, const struct collective *c, const struct collective_info *x)
{
	const char *list = trace_str(f->t, x->group_ranks);
	char *end = (char *)list;
	long ranks[3];
	int n = 0;
	for (const char *p = list; n < 3 && (p = strpbrk(p, "0123456789")); p = end)
		ranks[n++] = strtol(p, &end, 10);
	int32_t own = trace_host(f->t, c->host)->rank;
	if (n != 2 || own < 0 || ranks[0] == ranks[1] || (ranks[0] != own && ranks[1] != own))
		return -1;
	return (int32_t)(ranks[0] == own ? ranks[1] : ranks[0]);
}

/* A send says where it goes and comes from here; a receive the other way round. */
static void take_ends(const struct finder *f, struct collective *c, int32_t from, int32_t to)
{
	int32_t own = trace_host(f->t, c->host)->rank;
	c->from = c->is.op == COLLECTIVE_SEND ? own : from;
	c->to = c->is.op == COLLECTIVE_RECV ? own : to;
}

/* "nccl:send 0->1", "nccl:recv 1<-0" of PyTorch. */
static void take_arrow(struct finder *f, struct collective *c, const char *name)
{
	const char *arrow = strpbrk(name, "<-"), *number = arrow;
	if (!arrow || (strncmp(arrow, "->", 2) != 0 && strncmp(arrow, "<-", 2) != 0))
		return;
	while (number > name && number[-1] >= '0' && number[-1] <= '9')
		number--;
	if (number == arrow || arrow[2] < '0' || arrow[2] > '9')
		return;
	c->is.op = arrow[0] == '-' ? COLLECTIVE_SEND : COLLECTIVE_RECV;
	int32_t other = (int32_t)strtol(arrow + 2, NULL, 10);
	take_ends(f, c, other, other);
}

/* The record's own bytes: the larger of what goes in and what comes out, which is the whole message of gathers and scatters. */
static void take_record(struct finder *f, struct collective *c, const struct collective_info *x)
{
	enum collective_op op = text_says(f, x->op)->op;
	const struct text_says *dtype = text_says(f, x->dtype);
	const char *desc = trace_str(f->t, x->group_desc);
	int64_t items = x->in_elements > x->out_elements ? x->in_elements : x->out_elements;
	int each = dtype->dtype_bytes;
	if (op != COLLECTIVE_UNKNOWN)
		c->is.op = op;
	if (dtype->dtype)
		c->is.dtype = dtype->dtype;
	if (items >= 0 && each && items <= INT64_MAX / each) {
		c->bytes = items * each;
		c->sent = x->in_elements >= 0 ? x->in_elements * each : UNKNOWN_I64;
		c->received = x->out_elements >= 0 ? x->out_elements * each : UNKNOWN_I64;
	}
	c->to_one = largest_share(trace_str(f->t, x->in_split));
	if (collective_in_pairs(c)) {
		int32_t other = other_of_two(f, c, x), from = rank_in_group(f, x, x->src_rank),
			to = rank_in_group(f, x, x->dst_rank);
		take_ends(f, c, from < 0 ? other : from, to < 0 ? other : to);
	}
	c->group = *desc && strcmp(desc, "undefined") != 0 ? desc : text_or_null(f, x->group);
	c->group_size = x->group_size;
	c->seq = x->seq;
	if (!x->group && !x->group_ranks)
		return;
	c->keyed = true;
	c->kind = group_kind(desc);
	c->ranks = text_or_null(f, x->group_ranks);
	c->group_key = c->key = idmap_hash(&(str_id[]){x->group, x->group_ranks}, 2 * sizeof(str_id), 1);
	c->group_id = x->group;
}

/* The tensors that an annotation of c10d says it sends: of one in a list, its bytes. */
static void take_shapes(struct finder *f, struct collective *c, row_id r)
{
	struct attr *attrs;
	size_t n;
	struct arg_text dims = {"", 0}, types = {"", 0}, none = {"", 0};
	attr_at at = f->dims ? number_at(f->c->attrs, r) : 0;
	if (!at || !attrs_read(trace_attrs(f->t), at, f->mem, &attrs, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		const char *text = attrs[i].key == f->dims || (f->types && attrs[i].key == f->types)
					   ? attr_text(&attrs[i], trace_strings(f->t), f->mem)
					   : NULL;
		if (text)
			*(attrs[i].key == f->dims ? &dims : &types) = (struct arg_text){text, strlen(text)};
	}
	struct op_args a;
	op_args_torch(&a, dims, types, none);
	double bytes = a.n == 1 && a.tensors[0].rank ? tensor_bytes(&a.tensors[0]) : -1;
	if (c->bytes == UNKNOWN_I64 && bytes >= 0 && bytes < 9e18)
		c->bytes = (int64_t)bytes;
}

/* The host events around the launch that belong to the library: the innermost one that tells something wins. */
static void take_launch(struct finder *f, struct collective *c)
{
	enum { LEVELS = 12 };
	row_id at = f->c->link[c->row];
	for (int i = 0; at != NONE_ID && i < LEVELS; i++, at = parent_of(f->d, at)) {
		if (!text_says(f, f->c->name[at])->library)
			continue;
		const struct collective_info *x = trace_side(f->t, SIDE_COLLECTIVES, at);
		if (x && !c->keyed)
			take_record(f, c, x);
		enum collective_op op = text_says(f, f->c->name[at])->op;
		if (op != COLLECTIVE_UNKNOWN && (c->is.op == COLLECTIVE_UNKNOWN || c->is.op == COLLECTIVE_SEND_RECV))
			c->is.op = op;
		if (collective_in_pairs(c) && (c->from < 0 || c->to < 0))
			take_arrow(f, c, trace_str(f->t, f->c->name[at]));
		if (c->bytes == UNKNOWN_I64)
			take_shapes(f, c, at);
	}
}

static const char *purpose_of(struct finder *f, const struct collective *c)
{
	enum { LEVELS = 24 };
	row_id at = f->c->link[c->row];
	for (int i = 0; at != NONE_ID && i < LEVELS; i++, at = parent_of(f->d, at))
		for (uint32_t bits = text_says(f, f->c->name[at])->purposes; bits; bits &= bits - 1)
			if (purposes[__builtin_ctz(bits)].op == c->is.op)
				return purposes[__builtin_ctz(bits)].purpose;
	return NULL;
}

static int64_t step_number(const struct derived *d, uint32_t step)
{
	return step == NONE_ID || derived_step(d, step)->inferred ? UNKNOWN_I64 : derived_step(d, step)->number;
}

static uint64_t peer_of(const struct trace *t, uint32_t device)
{
	const struct device *x = trace_device(t, device);
	int32_t rank = trace_host(t, x->host)->rank;
	return rank < 0 ? device : UINT64_C(1) << 63 | (uint64_t)rank << 32 | (uint32_t)x->ordinal;
}

static void take(struct finder *f, row_id r, uint32_t track, const struct collective_info *x)
{
	struct collectives *out = f->out;
	const struct track_info *k = trace_track(f->t, track);
	GROW_ARRAY(f->at, out->n, f->cap);
	struct collective *c = &f->at[out->n++];
	*c = (struct collective){.row = r,
				 .device = k->device,
				 .host = k->host,
				 .step = derived_step_of(f->d, r),
				 .peer = peer_of(f->t, k->device),
				 .step_number = step_number(f->d, derived_step_of(f->d, r)),
				 .start_ns = f->c->start_ns[r],
				 .end_ns = row_end(f->c, r),
				 .is = text_says(f, f->c->name[r])->kernel,
				 .bytes = UNKNOWN_I64,
				 .group_size = UNKNOWN_I64,
				 .seq = UNKNOWN_I64,
				 .sent = UNKNOWN_I64,
				 .received = UNKNOWN_I64,
				 .to_one = NAN,
				 .from = -1,
				 .to = -1,
				 .match = NONE_ID};
	if (x)
		take_record(f, c, x);
	if (!x || c->bytes == UNKNOWN_I64 || (collective_in_pairs(c) && (c->from < 0 || c->to < 0)))
		take_launch(f, c);
	if (collective_in_pairs(c) && c->from >= 0 && c->to >= 0) {
		c->key = idmap_hash(&(uint64_t[]){c->keyed ? c->key : 0, (uint64_t)c->from << 32 | (uint32_t)c->to},
				    2 * sizeof(uint64_t), 3);
		c->keyed = true;
	}
	c->purpose = purpose_of(f, c);
	/* of one name and kind; what sends and receives in pairs says no more than that */
	if (!c->keyed)
		c->key = idmap_hash(&(uint32_t[]){f->c->name[r], c->is.op}, 2 * sizeof(uint32_t), 2);
}

static bool take_track(struct finder *f, uint32_t track)
{
	const struct track_info *k = trace_track(f->t, track);
	if (k->kind != TRACK_STREAM || k->derived_by_producer || k->device == NONE_ID)
		return true;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (progress_loop_cancelled(&f->loop))
			return false;
		if (!row_is_work(f->c, r))
			continue;
		bool known = derived_is_collective(f->d, r);
		const struct collective_info *x = known ? trace_side(f->t, SIDE_COLLECTIVES, r) : NULL;
		if (known)
			take(f, r, track, x);
	}
	return true;
}

/* ---- what the user tells --------------------------------------------------------------------------------------------- */

/* The gradients of so many parameters, 4 bytes each, where the step's only AllReduce on its device can but be theirs. */
static void take_parameters(struct finder *f, double parameters)
{
	struct idmap seen = {0};
	if (!(parameters > 0 && parameters < 1e18))
		return;
	for (uint32_t i = 0; i < f->out->n; i++) {
		const struct collective *c = &f->out->at[i];
		if (c->is.op == COLLECTIVE_ALL_REDUCE && c->step != NONE_ID)
			++*idmap_put(&seen, (uint64_t)c->step << 32 | c->device, 0);
	}
	for (uint32_t i = 0; i < f->out->n; i++) {
		struct collective *c = &f->out->at[i];
		if (c->is.op == COLLECTIVE_ALL_REDUCE && c->step != NONE_ID && c->bytes == UNKNOWN_I64 &&
		    idmap_get(&seen, (uint64_t)c->step << 32 | c->device) == 1) {
			c->bytes = (int64_t)(parameters * 4);
			c->by_parameters = true;
		}
	}
	idmap_free(&seen);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct collective *x = a, *y = b;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void in_order(struct collectives *x)
{
	if (x->n > 1)
		qsort(x->at, x->n, sizeof *x->at, by_start);
}

static void on_common_times(struct collectives *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		struct collective *c = &x->at[i];
		c->start_ns = rank_axis_time(&x->axis, c->host, c->start_ns);
		c->end_ns = rank_axis_time(&x->axis, c->host, c->end_ns);
	}
	in_order(x);
}

static void fit_axis(struct collectives *x, struct arena *mem)
{
	struct axis_pair *pairs = arena_alloc(mem, (x->n + 1) * sizeof *pairs);
	uint32_t n = 0;
	for (uint32_t i = 0; i < x->n_matches; i++)
		n = collective_match_pairs(x, &x->matches[i], pairs, n, mem);
	rank_axis_fit(&x->axis, pairs, n, mem);
}

void collectives_put_together(struct collectives *x, struct arena *mem)
{
	in_order(x);
	collectives_match(x, mem);
	fit_axis(x, mem);
	if (!x->axis.fitted)
		return;
	on_common_times(x);
	collectives_match(x, mem);
}

bool collectives_find(const struct derived *d, struct arena *mem, struct progress *p, struct collectives *out,
		      struct err *e)
{
	const struct trace *t = derived_trace(d);
	const struct strings *texts = trace_strings(t);
	struct finder f = {.d = d, .t = t, .c = trace_columns(t), .mem = mem, .out = out, .loop = {.progress = p}};
	f.dims = strings_find(texts, "Input Dims", strlen("Input Dims"));
	f.types = strings_find(texts, "Input type", strlen("Input type"));
	*out = (struct collectives){.axis.n_hosts = trace_hosts(t), .axis.by_hand = clocks_by_hand(t)};
	out->axis.hosts = arena_alloc(mem, (trace_hosts(t) + 1) * sizeof *out->axis.hosts);
	bool whole = true;
	uint32_t tracks = derived_any_collective(d) ? trace_device_tracks(t) : 0;
	for (uint32_t i = 0; i < tracks && whole; i++)
		whole = take_track(&f, i);
	idmap_free(&f.texts);
	free(f.said);
	out->at = arena_alloc(mem, (out->n + (size_t)1) * sizeof *out->at); /* without what growing leaves behind */
	if (out->n)
		memcpy(out->at, f.at, out->n * sizeof *out->at);
	free(f.at);
	if (!whole)
		return err_usage(e, "cancelled");
	take_parameters(&f, derived_options(d)->parameters);
	collectives_put_together(out, mem);
	return true;
}

int64_t collective_wait_ns(const struct collectives *x, const struct collective *c)
{
	if (c->match == NONE_ID)
		return UNKNOWN_I64;
	int64_t until = x->matches[c->match].last_start_ns;
	until = until < c->end_ns ? until : c->end_ns;
	return until > c->start_ns ? until - c->start_ns : 0;
}

bool collective_in_pairs(const struct collective *c)
{
	return c->is.op == COLLECTIVE_SEND || c->is.op == COLLECTIVE_RECV || c->is.op == COLLECTIVE_SEND_RECV;
}

int64_t collective_rank(const struct trace *t, const struct collective *c)
{
	int32_t rank = trace_host(t, c->host)->rank;
	return rank >= 0 ? rank : trace_device(t, c->device)->ordinal;
}
