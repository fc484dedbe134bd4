#include "op_index.h"
#include "model/analysis/names/launch_names.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

enum { NOT_AN_OP = UINT32_MAX };

static const char *fact(const struct trace *t, const char *key)
{
	const char *k, *v;
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		trace_fact(t, i, &k, &v);
		if (!strcmp(k, key))
			return v;
	}
	return "";
}

bool ops_are_torch(const struct derived *d)
{
	const struct trace *t = derived_trace(d);
	return !(trace_traits(t) & SOURCE_OP_PATHS) && !strstr(fact(t, "producer"), "TensorFlow");
}

/* The reference tool takes calls of the driver for ops when they carry an op's name. */
static uint32_t kinds_of_ops(bool torch, bool xprof)
{
	const uint32_t never = KINDS_WORK | KIND_BIT(KIND_PROFILE) | KIND_BIT(KIND_OVERHEAD) | KIND_BIT(KIND_PYTHON),
		       calls = KIND_BIT(KIND_RUNTIME) | KIND_BIT(KIND_MEMORY);
	return torch ? KIND_BIT(KIND_OP) : ~(never | (xprof ? 0 : calls));
}

void op_index_init(struct op_index *x, const struct derived *d, struct arena *mem)
{
	*x = (struct op_index){.d = d, .mem = mem, .torch = ops_are_torch(d)};
	x->xprof = derived_options(d)->semantics == SEM_XPROF;
	x->kinds = kinds_of_ops(x->torch, x->xprof);
	op_said_init(&x->said, d);
}

void op_index_free(struct op_index *x)
{
	idmap_free(&x->by_hash);
	climb_free(&x->ops);
	op_said_free(&x->said);
	graph_places_free(x->places);
	idmap_free(&x->by_place);
	text_numbers_free(&x->of_text);
	text_numbers_free(&x->of_name);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

static uint32_t add(struct op_index *x, struct span name, struct span type)
{
	x->at = arena_next_row(x->mem, x->at, x->n, sizeof *x->at);
	x->at[x->n] = (struct op_entry){name, type, OP_LACKS_NOTHING};
	return x->n++;
}

/* By the name alone, as the reference tool does: the type is that of the first one met. */
uint32_t op_index_span(struct op_index *x, struct span name, struct span type)
{
	for (uint64_t h = idmap_hash(name.p, name.n, 0);; h++) {
		uint32_t fresh = x->n, i = *idmap_put(&x->by_hash, h, fresh);
		if (i == fresh)
			return add(x, name, type);
		if (span_same(x->at[i].name, name))
			return i;
	}
}

uint32_t *op_index_join(struct op_index *x, const struct op_index *more)
{
	uint32_t *here = arena_alloc(x->mem, (more->n + 1u) * sizeof *here);
	for (uint32_t i = 0; i < more->n; i++)
		here[i] = op_index_span(x, more->at[i].name, more->at[i].type);
	return here;
}

static uint32_t of_text(struct op_index *x, str_id op, str_id type)
{
	const struct strings *s = trace_strings(derived_trace(x->d));
	if (!text_number_of(&x->of_text, op))
		text_number_set(&x->of_text, op, op_index_span(x, strings_get(s, op), strings_get(s, type)) + 1);
	return text_number_of(&x->of_text, op) - 1;
}

/* ---- names of host events ----------------------------------------------------------------------------------------- */

static struct span rest_of(struct span s, size_t n)
{
	return (struct span){s.p + n, s.n - n};
}

/* "EagerLocalExecute: MatMul": TensorFlow runs the op at once. What it calls by name is a function of many ops. */
static bool eager_call(struct span name, struct span *op)
{
	static const char prefix[] = "EagerLocalExecute: ";
	if (!span_starts(name, prefix))
		return false;
	*op = rest_of(name, sizeof prefix - 1);
	return !span_starts(*op, "__inference_") && !span_has(*op, "PartitionedCall");
}

static uint32_t parse(struct op_index *x, str_id text, bool op_kind)
{
	struct span name = strings_get(trace_strings(derived_trace(x->d)), text), eager;
	if (x->torch)
		return op_kind ? op_index_span(x, name, op_last_part(name)) : NO_OP;
	if (!x->xprof && eager_call(name, &eager))
		return op_index_span(x, eager, eager);
	struct op_name op = op_name_parse(name);
	return op.category == OP_UNKNOWN ? NO_OP : op_index_span(x, op.name, op.type);
}

/* Of a name that is met for the first time. */
static uint32_t name_parsed(struct op_index *x, str_id text, bool op_kind)
{
	uint32_t i = parse(x, text, op_kind);
	text_number_set(&x->of_name, text, i == NO_OP ? NOT_AN_OP : i + 1);
	return i;
}

/* Of an event that is no marker. */
static uint32_t by_details(struct op_index *x, row_id r)
{
	const struct columns *c = derived_columns(x->d);
	const struct host_info *h = trace_host_detail(derived_trace(x->d), r);
	if (h && h->op && (x->xprof || h->op_type))
		return of_text(x, h->op, h->op_type);
	uint32_t known = text_number_of(&x->of_name, c->name[r]);
	if (!known)
		return name_parsed(x, c->name[r], c->kind[r] == KIND_OP);
	return known == NOT_AN_OP ? NO_OP : known - 1;
}

/* Mostly a few looks at columns tell. */
static inline uint32_t op_of_host_row(struct op_index *x, row_id r)
{
	const struct columns *c = derived_columns(x->d);
	if (!op_index_may_be(x, c->kind[r]) || (!x->xprof && row_is_marker(x->d, r)))
		return NO_OP;
	uint32_t known = text_number_of(&x->of_name, c->name[r]);
	if (c->detail[r] || !known)
		return by_details(x, r);
	return known == NOT_AN_OP ? NO_OP : known - 1;
}

uint32_t op_index_host(struct op_index *x, row_id r)
{
	return op_of_host_row(x, r);
}

static bool is_op(void *arg, row_id r)
{
	return op_of_host_row(arg, r) != NO_OP;
}

row_id op_index_around(struct op_index *x, row_id r)
{
	return climb_find(&x->ops, x->d, r, is_op, x);
}

/* ---- device work -------------------------------------------------------------------------------------------------- */

/* XLA names ops without their types: "jit(f)/dot_general", "copy.1". The reference tool knows only the former's. */
static struct span type_of(const struct op_index *x, struct span name)
{
	const char *slash = name.n ? memrchr(name.p, '/', name.n) : NULL;
	if (!slash && x->xprof)
		return (struct span){"Unknown", 7};
	if (slash)
		name = rest_of(name, (size_t)(slash + 1 - name.p));
	size_t n = name.n;
	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	if (n > 1 && n < name.n && (name.p[n - 1] == '.' || name.p[n - 1] == '_'))
		name.n = n - 1;
	return name;
}

static uint32_t of_work_text(struct op_index *x, str_id op, str_id type)
{
	const struct strings *s = trace_strings(derived_trace(x->d));
	if (!type && !text_number_of(&x->of_text, op))
		text_number_set(&x->of_text, op,
				op_index_span(x, strings_get(s, op), type_of(x, strings_get(s, op))) + 1);
	return of_text(x, op, type);
}

/* The instruction of a program that the trace holds. One without an op goes by its own name. */
static uint32_t of_program(struct op_index *x, const struct hlo_info *h)
{
	if (h->op)
		return of_text(x, h->op, h->op_type);
	return op_index_span(x, strings_get(trace_strings(derived_trace(x->d)), h->name), (struct span){"Unknown", 7});
}

/* An event of a device that is no kernel and no copy is an op itself. */
static uint32_t of_details(struct op_index *x, row_id r)
{
	const struct hlo_info *h = x->xprof ? trace_hlo(derived_trace(x->d), r) : NULL;
	if (h && h->known)
		return of_program(x, h);
	const struct kernel_info *k = trace_kernel_with_op(derived_trace(x->d), r);
	bool kernel = derived_columns(x->d)->kind[r] == KIND_KERNEL;
	const struct copy_info *copy = kernel ? NULL : trace_copy(derived_trace(x->d), r);
	str_id op = k ? k->op : copy ? copy->op : 0, type = k ? k->op_type : copy ? copy->op_type : 0;
	if (op)
		return !x->xprof || op_said(&x->said, r) ? of_work_text(x, op, type) : NO_OP;
	return derived_columns(x->d)->kind[r] == KIND_DEVICE_OTHER && !x->torch
		       ? of_work_text(x, derived_columns(x->d)->name[r], 0)
		       : NO_OP;
}

uint32_t op_index_work(struct op_index *x, row_id r, row_id *by)
{
	uint32_t op = of_details(x, r);
	*by = NONE_ID;
	if (x->xprof)
		return op;
	if (op != NO_OP)
		return op;
	*by = op_index_around(x, derived_columns(x->d)->link[r]);
	return *by == NONE_ID ? NO_OP : op_of_host_row(x, *by);
}

/* ---- work without an op ------------------------------------------------------------------------------------------- */

static const struct {
	const char *type, *words;
} lacks[] = {[OP_LACKS_NOTHING] = {"", ""},
#define OP_LACK_ROW(id, type, words) [OP_LACKS_##id] = {type, words},
	     OP_LACKS(OP_LACK_ROW)
#undef OP_LACK_ROW
};

const char *op_lack_words(enum op_lack lack)
{
	return lacks[lack].words;
}

static enum op_lack lack_of(const struct op_index *x, row_id r)
{
	row_id launch = derived_columns(x->d)->link[r];
	if (launch == NONE_ID)
		return OP_LACKS_LAUNCH;
	const char *call = trace_str(derived_trace(x->d), derived_columns(x->d)->name[launch]);
	return launch_is_graph(call) ? OP_LACKS_GRAPH : OP_LACKS_AROUND;
}

/* Each place of all graphs is one op, whichever launch replays it. */
static uint32_t of_place(struct op_index *x, row_id r)
{
	if (!x->places)
		x->places = graph_places_new(x->d, x->mem);
	struct graph_place place = graph_place_of(x->places, r);
	uint64_t key = (uint64_t)(uint32_t)place.layer << 32 | place.what;
	uint32_t fresh = x->n, i = *idmap_put(&x->by_place, key, fresh);
	if (i != fresh)
		return i;
	add(x, span_of(graph_place_name(place, x->mem)), span_of(place.family));
	x->at[i].lack = OP_LACKS_PLACED;
	return i;
}

uint32_t op_index_lacking(struct op_index *x, row_id r)
{
	static const struct span nobody = {"(no op)", 7};
	enum op_lack lack = lack_of(x, r);
	if (lack == OP_LACKS_GRAPH && !x->xprof)
		return of_place(x, r);
	if (!x->lacking[lack]) {
		x->lacking[lack] = add(x, nobody, span_of(lacks[lack].type)) + 1;
		x->at[x->n - 1].lack = lack;
	}
	return x->lacking[lack] - 1;
}
