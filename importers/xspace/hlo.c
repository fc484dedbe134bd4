/* From the instructions that device work names to what the programs say of them. */
#include "hlo.h"
#include "xspace.h"
#include "importers/detail_texts.h"
#include "model/store/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- while events are read ---------------------------------------------------------------------------------------- */

struct span hlo_innermost(struct span t)
{
	for (size_t i = t.n; i > 2; i--)
		if (t.p[i - 2] == ':' && t.p[i - 3] == ':')
			return (struct span){t.p + i - 1, t.n - (i - 1)};
	return t;
}

uint32_t hlo_of_event(struct xspace *x)
{
	if (!gathered_says(&x->facts, ROLE_HLO_OP))
		return 0;
	struct hlo_slot want = {.program = gathered_or_unknown(&x->facts, ROLE_PROGRAM_ID),
				.module = gathered_text(&x->facts, ROLE_HLO_MODULE, x->strings),
				.stack = gathered_text(&x->facts, ROLE_HLO_OP, x->strings)};
	uint64_t mix = ((uint64_t)want.program << 32 ^ (uint64_t)want.module << 20 ^ want.stack) * 0x9e3779b97f4a7c15u;
	struct hlo_slot *s = &x->hlo_slots[mix >> 40 & (HLO_CACHE - 1)];
	if (!s->row || s->program != want.program || s->module != want.module || s->stack != want.stack) {
		struct span name = hlo_innermost(strings_get(x->strings, want.stack));
		*s = want;
		s->row = ingest_hlo(x->in, want.program, want.module, strings_add(x->strings, name.p, name.n));
	}
	return s->row;
}

/* ---- when everything is read -------------------------------------------------------------------------------------- */

enum { SEVERAL = INT32_MAX };
struct finder {
	struct xspace *x;
	const struct hlo *h;
	struct metamap by_id;     /* program id -> row */
	struct metamap by_module; /* name -> row, SEVERAL */
	struct metamap by_name;   /* program row and name -> instruction */
};

static int64_t name_key(size_t program, str_id name)
{
	return (int64_t)((uint64_t)program << 32 | name);
}

/* By the id, else by the name of the module, when only one program has it. */
static int64_t program_of(const struct finder *f, const struct hlo_info *want)
{
	if (want->program != UNKNOWN_I64)
		return metamap_get(&f->by_id, want->program);
	struct span module = strings_get(f->x->strings, want->module);
	str_id text = module.n ? strings_find(f->h->texts, module.p, module.n) : 0;
	int64_t found = text ? metamap_get(&f->by_module, text) : -1;
	return found == SEVERAL ? -1 : found;
}

static const struct hlo_instruction *find(const struct finder *f, const struct hlo_info *want, int64_t *program)
{
	struct span name = strings_get(f->x->strings, want->name);
	str_id text = strings_find(f->h->texts, name.p, name.n);
	*program = text ? program_of(f, want) : -1;
	int64_t row = *program < 0 ? -1 : metamap_get(&f->by_name, name_key((size_t)*program, text));
	return row < 0 ? NULL : &f->h->instructions[row];
}

/* Computations under their program, instructions under their computation, which lies behind all programs. */
static void index_computation(struct finder *f, struct hlo *h, size_t program, size_t c)
{
	const struct hlo_computation *in = &h->computations[c];
	metamap_set(&h->by_id, hlo_id_key(program, in->id), (uint32_t)c);
	for (size_t i = in->first; i < in->first + in->n; i++) {
		metamap_set(&f->by_name, name_key(program, h->instructions[i].name), (uint32_t)i);
		metamap_set(&h->by_id, hlo_id_key(h->n_programs + c, h->instructions[i].id), (uint32_t)i);
	}
}

static void index_programs(struct finder *f, struct hlo *h)
{
	for (size_t p = 0; p < h->n_programs; p++) {
		bool again = metamap_get(&f->by_module, h->programs[p].module) >= 0;
		metamap_set(&f->by_id, h->programs[p].id, (uint32_t)p);
		metamap_set(&f->by_module, h->programs[p].module, again ? SEVERAL : (uint32_t)p);
		for (size_t c = h->programs[p].first; c < h->programs[p].first + h->programs[p].n; c++)
			index_computation(f, h, p, c);
	}
}

/* ---- what an instruction is ---------------------------------------------------------------------------------------- */

bool hlo_is(const struct hlo *h, str_id id, const char *z)
{
	return span_is(strings_get(h->texts, id), z);
}

/* clang-format off */
static const char *const elementwise[] = {
	"abs", "add", "and", "atan2", "bitcast-convert", "cbrt", "ceil", "clamp", "compare", "complex", "convert", "cosine", "count-leading-zeros",
	"divide", "erf", "exponential", "exponential-minus-one", "floor", "imag", "is-finite", "log", "log-plus-one", "logistic", "map",
	"maximum", "minimum", "multiply", "negate", "not", "or", "popcnt", "power", "real", "reduce-precision", "remainder",
	"round-nearest-afz", "round-nearest-even", "rsqrt", "select", "shift-left", "shift-right-arithmetic", "shift-right-logical",
	"sign", "sine", "sqrt", "stochastic-convert", "subtract", "tan", "tanh", "xor",
};
static const char *const moving[] = {"copy", "dynamic-reshape", "reshape", "transpose"};
static const struct { const char *kind, *category; } fusions[] = {
	{"kLoop", "loop fusion"}, {"kInput", "input fusion"}, {"kOutput", "output fusion"}, {"kCustom", "custom fusion"},
};
/* clang-format on */

/* What sort of instruction it is, in the words of XLA's own profiles. */
static const char *category_of(const struct hlo *h, const struct hlo_instruction *i)
{
	for (size_t k = 0; i->fusion && k < sizeof fusions / sizeof *fusions; k++)
		if (hlo_is(h, i->fusion, fusions[k].kind))
			return fusions[k].category;
	for (size_t k = 0; k < sizeof moving / sizeof *moving; k++)
		if (hlo_is(h, i->opcode, moving[k]))
			return "data formatting";
	for (size_t k = 0; k < sizeof elementwise / sizeof *elementwise; k++)
		if (hlo_is(h, i->opcode, elementwise[k]))
			return "non-fusion elementwise";
	return strings_z(h->texts, i->opcode);
}

const struct hlo_computation *hlo_called(const struct hlo *h, const struct hlo_program *p, int64_t id)
{
	int64_t row = metamap_get(&h->by_id, hlo_id_key((size_t)(p - h->programs), id));
	if (row >= 0 && (size_t)row < h->n_computations && h->computations[row].id == id && (size_t)row >= p->first &&
	    (size_t)row < p->first + p->n)
		return &h->computations[row];
	for (size_t c = p->first; row >= 0 && c < p->first + p->n; c++) /* another one had the key */
		if (h->computations[c].id == id)
			return &h->computations[c];
	return NULL;
}

enum { WITHIN_LAST = 64 }; /* instructions of a fusion that are looked at for an op */

/* A fusion without an op of its own is shown by what its result comes from: the last instruction in it that has one. */
static str_id op_within(const struct hlo *h, const struct hlo_program *p, const struct hlo_instruction *i)
{
	const struct hlo_computation *c = i->called_id == UNKNOWN_I64 ? NULL : hlo_called(h, p, i->called_id);
	size_t most = c && c->n > WITHIN_LAST ? c->n - WITHIN_LAST : 0;
	for (size_t k = c ? c->n : 0; k > most; k--)
		if (h->instructions[c->first + k - 1].op &&
		    !hlo_is(h, h->instructions[c->first + k - 1].opcode, "parameter"))
			return h->instructions[c->first + k - 1].op;
	return 0;
}

static str_id across(struct finder *f, str_id id)
{
	struct span s = strings_get(f->h->texts, id);
	return strings_add(f->x->strings, s.p, s.n);
}

/* "name:type", as a launch's annotation would have it; the type follows from the name where the program tells none. */
static void split_op(struct finder *f, str_id op, str_id type, str_id *name, str_id *kind)
{
	struct span a = strings_get(f->h->texts, op), b = strings_get(f->h->texts, type);
	*name = *kind = 0;
	if (!a.n)
		return;
	char *all = must(malloc(a.n + b.n + 1));
	memcpy(all, a.p, a.n);
	all[a.n] = ':';
	memcpy(all + a.n + 1, b.p, b.n);
	details_tf_op(f->x->strings, all, a.n + b.n + 1, name, kind);
	free(all);
}

static str_id source_of(struct finder *f, const struct hlo_instruction *i)
{
	char text[4096 + 32];
	const char *file = strings_z(f->h->texts, i->file);
	if (!i->file)
		return 0;
	int n = snprintf(text, sizeof text, i->line > 0 ? "%.4096s:%" PRId64 : "%.4096s", file, i->line);
	return strings_add(f->x->strings, text, (size_t)n);
}

/* The one whose instructions reach over it. */
static const struct hlo_computation *computation_of(const struct hlo *h, const struct hlo_instruction *i)
{
	size_t at = (size_t)(i - h->instructions), low = 0, high = h->n_computations;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		*(h->computations[mid].first <= at ? &low : &high) = mid;
	}
	return &h->computations[low];
}

struct shown_op {
	str_id op, type;
};

static void fill(struct finder *f, struct hlo_info *to, const struct hlo_instruction *i, int64_t program,
		 struct shown_op *shown)
{
	to->known = 1;
	split_op(f, i->op, i->op_type, &to->op, &to->op_type);
	to->opcode = across(f, i->opcode);
	to->target = across(f, i->target);
	to->category = strings_addz(f->x->strings, category_of(f->h, i));
	to->source = source_of(f, i);
	struct hlo_cost cost = hlo_cost(&f->x->hlo, &f->h->programs[program], computation_of(f->h, i), i);
	to->flops = cost.flops;
	to->bytes = cost.bytes;
	*shown = (struct shown_op){to->op, to->op_type};
	if (!to->op)
		split_op(f, op_within(f->h, &f->h->programs[program], i), 0, &shown->op, &shown->type);
}

/* Work that only knew the instruction's name gets the op's. */
static void rename_work(str_id name, const struct hlo_info *h, const struct shown_op *shown, str_id *op, str_id *type)
{
	if (h->op || (shown->op && *op == name)) {
		*op = shown->op;
		*type = shown->type;
	}
}

static void tell_work(struct xspace *x, uint32_t first_row, const struct shown_op *shown)
{
	for (uint32_t i = 1; i < ingest_kernels(x->in); i++) {
		struct kernel_info *k = ingest_kernel_info(x->in, i);
		if (k->hlo >= first_row) {
			const struct hlo_info *h = ingest_hlo_info(x->in, k->hlo);
			rename_work(h->name, h, &shown[k->hlo - first_row], &k->op, &k->op_type);
		}
	}
	for (uint32_t i = 1; i < ingest_copies(x->in); i++) {
		struct copy_info *c = ingest_copy_info(x->in, i);
		if (c->hlo >= first_row) {
			const struct hlo_info *h = ingest_hlo_info(x->in, c->hlo);
			rename_work(h->name, h, &shown[c->hlo - first_row], &c->op, &c->op_type);
		}
	}
}

void hlo_resolve(struct xspace *x, uint32_t first_row)
{
	struct finder f = {.x = x, .h = &x->hlo};
	uint32_t n = ingest_hlos(x->in);
	if (!x->hlo.n_programs || first_row >= n)
		return;
	struct shown_op *shown = must(calloc(n - first_row, sizeof *shown));
	index_programs(&f, &x->hlo);
	for (uint32_t row = first_row; row < n; row++) {
		int64_t program;
		const struct hlo_instruction *i = find(&f, ingest_hlo_info(x->in, row), &program);
		if (i)
			fill(&f, ingest_hlo_info(x->in, row), i, program, &shown[row - first_row]);
	}
	tell_work(x, first_row, shown);
	metamap_free(&f.by_id);
	metamap_free(&f.by_module);
	metamap_free(&f.by_name);
	free(shown);
}

void hlo_free(struct hlo *h)
{
	strings_free(h->texts);
	free(h->programs);
	free(h->computations);
	free(h->instructions);
	free(h->math);
	free(h->numbers);
	metamap_free(&h->by_id);
	*h = (struct hlo){0};
}
