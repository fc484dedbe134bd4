#include "compiles.h"
#include "model/store/base/memory.h"
#include "step_phase.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/letter_pairs.h"
#include "model/store/base/idmap.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
/* A part of the name, compared without case; the first that fits counts. No kind: not a compilation though it looks so. */
static const struct { const char *part, *kind; } rules[] = {
	{"cache lookup", NULL}, {"is_compiling", NULL}, {"is_compiled", NULL}, {"is_torchdynamo", NULL}, {"compilation.py", NULL},
	{"get_arg_specialization", NULL}, {"Torch-Compiled Region", NULL}, {"CompiledFxGraph", NULL}, {"CompiledFunction", NULL},
	{"_inductor/runtime", NULL}, {"_inductor/cudagraph", NULL}, {"_inductor/output_code", NULL}, {"triton/backends/compiler.py", NULL},
	{"nvrtcCompile", "nvrtc"}, {"hiprtcCompile", "nvrtc"}, {"cuModuleLoad", "nvrtc"}, {"hipModuleLoad", "nvrtc"},
	{"cuLibraryLoad", "nvrtc"}, {"cuLinkComplete", "nvrtc"},
	{"triton_compile", "triton"}, {"triton/compiler/compiler.py(", "triton"}, {"async_compile.", "triton"},
	{"inductor_codegen", "inductor"}, {"inductor_compile", "inductor"}, {"_inductor/compile_fx", "inductor"},
	{"compile_fx", "inductor"}, {"entire_frame_compile", "inductor"}, {"compile_inner", "inductor"},
	{"dynamo_timed", "inductor"}, {"GraphLowering.", "inductor"}, {"torch/_dynamo/convert_frame", "inductor"},
	{"trace_to_jaxpr", "jax_trace"}, {"jaxpr_to_mlir", "jax_trace"}, {"lower_jaxpr", "jax_trace"},
	{"lower_sharding_computation", "jax_trace"}, {"pjit_lower", "jax_trace"},
	{"XlaCompil", "xla"}, {"xla compil", "xla"}, {"xla_compil", "xla"}, {"backend_compile", "xla"}, {"jit_compile", "xla"},
	{"PjRtClient::Compile", "xla"}, {"Client::Compile", "xla"}, {"::CompileAndLoad", "xla"}, {"Compiler::Compile", "xla"},
	{"RunHloPasses", "xla"}, {"RunBackend", "xla"}, {"HloPassPipeline", "xla"},
};
/* What records the shapes of the arguments, the most telling first. */
static const char *const shape_keys[] = {"shape", "shapes", "arg_shapes", "input_shapes", "Input Dims", "Input dims"};
/* clang-format on */

enum { NAME_OTHER = 1 }; /* text classes: 0 = not looked at, 1 = no compilation, i + 2 = rules[i] */

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem, scratch;
	uint8_t *names;
	str_id call_key; /* tf_function_call, 0 = not in the trace */
	struct compiles *out;
};

/* "path/file.py(12): function" -> "function"; NULL = no frame of Python. */
static const char *function_of_frame(const char *name)
{
	const char *file = strstr(name, ".py("), *function = file ? strstr(file, "): ") : NULL;
	return function ? function + strlen("): ") : NULL;
}

/* A compiler's files hold what runs a compiled thing, too (launch_metadata, run, __getattribute__): where only the path fits, the
 * function must say that it compiles. */
static bool frame_compiles(const char *function, const char *part)
{
	static const char *const verbs[] = {"compile", "codegen", "lower", "build"};
	bool says = strcasestr(function, part) != NULL || !strcmp(part, "async_compile.");
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs && !says; i++)
		says = strcasestr(function, verbs[i]) != NULL;
	return says;
}

static uint8_t class_of_name(const char *name)
{
	const struct letter_pairs pairs = letter_pairs_of(name);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		if (!letter_pairs_may_hold(&pairs, rules[i].part) || !strcasestr(name, rules[i].part))
			continue;
		const char *function = function_of_frame(name);
		bool compiles = rules[i].kind && (!function || frame_compiles(function, rules[i].part));
		return (uint8_t)(compiles ? i + 2 : NAME_OTHER);
	}
	return NAME_OTHER;
}

bool name_compiles(const char *name)
{
	return class_of_name(name) > NAME_OTHER;
}

static const char *attr_named(struct finder *f, row_id r, const char *key)
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(derived_columns(f->d)->attrs, r);
	if (!at || !attrs_read(trace_attrs(derived_trace(f->d)), at, &f->scratch, &attrs, &n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(trace_str(derived_trace(f->d), attrs[i].key), key))
			return arena_strdup(f->mem,
					    attr_text(&attrs[i], trace_strings(derived_trace(f->d)), &f->scratch));
	return NULL;
}

/* "traced-nonXla": this call of a tf.function traced it. "notTraced-..." did not. */
static bool traced_function(struct finder *f, row_id r)
{
	if (!f->call_key)
		return false;
	const char *call = attr_named(f, r, "tf_function_call");
	return call && !strncmp(call, "traced", 6);
}

static const char *kind_of(struct finder *f, row_id r)
{
	uint8_t *class = &f->names[derived_columns(f->d)->name[r]];
	if (!*class)
		*class = class_of_name(trace_str(derived_trace(f->d), derived_columns(f->d)->name[r]));
	if (*class > NAME_OTHER)
		return rules[*class - 2].kind;
	return traced_function(f, r) ? "tf_function" : NULL;
}

static void add(struct finder *f, row_id r, const char *kind)
{
	struct compiles *v = f->out;
	v->at = arena_next_row(f->mem, v->at, v->n, sizeof *v->at);
	struct compile *x = &v->at[v->n++];
	*x = (struct compile){.kind = kind, .row = r, .step = derived_step_of(f->d, r)};
	for (size_t i = 0; i < sizeof shape_keys / sizeof *shape_keys && !x->shape; i++)
		x->shape = attr_named(f, r, shape_keys[i]);
}

#define LOOKED_AT (KINDS_ALL & ~(KINDS_WORK | KIND_BIT(KIND_PROFILE) | KIND_BIT(KIND_MEMORY)))

/* The outermost ones: what lies inside a compilation is a part of it. */
static void read_track(struct finder *f, uint32_t track)
{
	struct event_iter it = event_iter(derived_trace(f->d), track, f->q->a_ns, f->q->b_ns, LOOKED_AT);
	int64_t until_ns = INT64_MIN;
	while (event_next(&it)) {
		if (f->scratch.bytes > 1 << 20)
			arena_free(&f->scratch);
		if (derived_columns(f->d)->start_ns[it.row] < until_ns || row_is_marker(f->d, it.row))
			continue;
		const char *kind = kind_of(f, it.row);
		if (!kind || !event_wanted(f->d, f->q, it.row))
			continue;
		until_ns = row_end(derived_columns(f->d), it.row);
		add(f, it.row, kind);
	}
}

static int earlier(const void *x, const void *y, void *arg)
{
	const struct compile *a = x, *b = y;
	const int64_t *start_ns = ((const struct columns *)arg)->start_ns;
	if (start_ns[a->row] != start_ns[b->row])
		return start_ns[a->row] < start_ns[b->row] ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Per host when the warm-up ends: with the last step of that phase; where steps are too few to tell phases, with the second
 * step. INT64_MIN: the host has no steps. */
static int64_t warmup_end(const struct derived *d, uint32_t host)
{
	uint32_t met = 0;
	int64_t end_ns = INT64_MIN, second_ns = INT64_MAX;
	bool phases = false;
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		const struct step *s = derived_step(d, i);
		if (s->host != host)
			continue;
		enum step_phase phase = derived_step_phase(d, i);
		phases |= phase != PHASE_UNKNOWN;
		if (!met || phase == PHASE_WARMUP)
			end_ns = phase == PHASE_WARMUP ? s->end_ns : s->start_ns;
		if (++met == 2)
			second_ns = s->end_ns;
	}
	return !met || phases ? end_ns : second_ns;
}

static void tell_warmup(const struct finder *f)
{
	const struct trace *t = derived_trace(f->d);
	int64_t *ends_ns = must(malloc((trace_hosts(t) + 1u) * sizeof *ends_ns));
	for (uint32_t host = 0; host < trace_hosts(t); host++)
		ends_ns[host] = f->out->n ? warmup_end(f->d, host) : INT64_MIN;
	for (uint32_t i = 0; i < f->out->n; i++) {
		struct compile *x = &f->out->at[i];
		int64_t end_ns = ends_ns[trace_track(t, derived_columns(f->d)->track[x->row])->host];
		x->warm_known = end_ns != INT64_MIN;
		x->after_warmup = x->warm_known && derived_columns(f->d)->start_ns[x->row] >= end_ns;
	}
	free(ends_ns);
}

/* What another thread does wholly inside a compilation of its process is a part of it: the compiler's own threads. */
static void drop_parts(struct finder *f)
{
	struct compiles *v = f->out;
	uint32_t kept = 0, *whole = must(malloc((trace_processes(derived_trace(f->d)) + 1u) * sizeof *whole));
	memset(whole, 0xff, (trace_processes(derived_trace(f->d)) + 1u) * sizeof *whole); /* NONE_ID */
	for (uint32_t i = 0; i < v->n; i++) {
		row_id r = v->at[i].row;
		uint32_t process = trace_track(derived_trace(f->d), derived_columns(f->d)->track[r])->process;
		if (process >= trace_processes(derived_trace(f->d)))
			process = trace_processes(derived_trace(f->d));
		if (whole[process] != NONE_ID &&
		    row_end(derived_columns(f->d), r) <= row_end(derived_columns(f->d), whole[process]))
			continue;
		whole[process] = r;
		v->at[kept++] = v->at[i];
	}
	v->n = kept;
	free(whole);
}

/* The shape compiled before under the same name: another one tells why this one was needed. */
static void tell_previous(const struct finder *f)
{
	struct idmap latest = {0}; /* name -> the last one that told its shape */
	for (uint32_t i = 0; i < f->out->n; i++) {
		struct compile *x = &f->out->at[i];
		if (!x->shape)
			continue;
		uint32_t *before = idmap_put(&latest, derived_columns(f->d)->name[x->row], i);
		x->previous = *before < i ? f->out->at[*before].shape : NULL;
		*before = i;
	}
	idmap_free(&latest);
}

bool compiles_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct compiles *out, struct err *e)
{
	const struct strings *s = trace_strings(derived_trace(d));
	struct finder f = {.d = d, .q = q, .mem = mem, .out = out};
	*out = (struct compiles){0};
	f.names = must(malloc(strings_count(s) + 1u));
	memset(f.names, 0, strings_count(s) + 1u);
	f.call_key = strings_find(s, "tf_function_call", strlen("tf_function_call"));
	bool any = f.call_key || name_fits_any(d, LOOKED_AT, name_compiles);
	for (uint32_t i = 0; any && i < trace_tracks(derived_trace(d)) && !progress_cancelled(p); i++)
		if (trace_track(derived_trace(d), i)->kind == TRACK_THREAD &&
		    derived_is_host_track(trace_track(derived_trace(d), i)))
			read_track(&f, i);
	if (out->n)
		qsort_r(out->at, out->n, sizeof *out->at, earlier, (void *)derived_columns(d));
	drop_parts(&f);
	tell_warmup(&f);
	tell_previous(&f);
	free(f.names);
	arena_free(&f.scratch);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}
