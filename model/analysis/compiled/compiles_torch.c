#include "compiles_torch.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/spans.h"
#include <string.h>

enum { NESTED_MOST = 64 };

/* clang-format off */
/* A part of the name of what lies inside a compilation; the first that fits counts. What none fits belongs to the range around it. */
static const struct { const char *part; enum compile_part is; } parts[] = {
	{"benchmark", COMPILE_TUNES}, {"coordinate_descent", COMPILE_TUNES}, {"do_bench", COMPILE_TUNES}, {"autotune_", COMPILE_TUNES},
	{"async_compile.", COMPILE_BUILDS}, {"PyCodeCache.", COMPILE_BUILDS}, {"compile_file", COMPILE_BUILDS}, {"AotCodeCompiler.", COMPILE_BUILDS},
	{"triton_compile", COMPILE_BUILDS}, {"precompile", COMPILE_BUILDS}, {"TritonBundler.", COMPILE_BUILDS}, {"CppCodeCache", COMPILE_BUILDS},
	{"bytecode_tracing", COMPILE_TRACES}, {"build_guards", COMPILE_TRACES},
	{"backend_compile", COMPILE_LOWERS}, {"call_user_compiler", COMPILE_LOWERS}, {"inductor_compile", COMPILE_LOWERS}, {"compile_fx", COMPILE_LOWERS},
	{"GraphLowering.", COMPILE_LOWERS}, {"Scheduler.", COMPILE_LOWERS}, {"create_aot_dispatcher", COMPILE_LOWERS},
	{"_backward_impl", COMPILE_LOWERS},
};
/* clang-format on */

/* COMPILE_PARTS: none fits. */
static enum compile_part part_of(const char *name)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(name, parts[i].part))
			return parts[i].is;
	return COMPILE_PARTS;
}

static bool inside(const struct columns *c, const struct track_info *k, row_id r, row_id whole)
{
	return r < k->first + k->n && c->start_ns[r] < row_end(c, whole);
}

/* ---- what its time goes to --------------------------------------------------------------------------------------------- */

struct part_walk {
	struct compile *x;
	int64_t at_ns, end_ns[NESTED_MOST];
	enum compile_part part[NESTED_MOST];
	uint32_t n;
};

/* Time until ts_ns is that of the innermost part. */
static void walk_to(struct part_walk *w, int64_t ts_ns)
{
	while (w->n > 1 && w->end_ns[w->n - 1] <= ts_ns) {
		w->x->part_ns[w->part[w->n - 1]] += w->end_ns[w->n - 1] - w->at_ns;
		w->at_ns = w->end_ns[--w->n];
	}
	w->x->part_ns[w->part[w->n - 1]] += ts_ns - w->at_ns;
	w->at_ns = ts_ns;
}

static void enter(struct part_walk *w, int64_t end_ns, enum compile_part part)
{
	int64_t around_ns = w->end_ns[w->n - 1];
	if (w->n == NESTED_MOST)
		return;
	w->part[w->n] = part;
	w->end_ns[w->n++] = end_ns < around_ns ? end_ns : around_ns;
}

static void divide(const struct derived *d, struct compile *x)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[x->row]);
	enum compile_part own = part_of(trace_str(derived_trace(d), c->name[x->row]));
	struct part_walk w = {.x = x, .at_ns = c->start_ns[x->row], .n = 1};
	w.end_ns[0] = row_end(c, x->row);
	w.part[0] = own == COMPILE_PARTS ? COMPILE_TRACES : own;
	for (row_id r = x->row + 1; inside(c, k, r, x->row); r++) {
		enum compile_part part = part_of(trace_str(derived_trace(d), c->name[r]));
		if (part == COMPILE_PARTS || !c->dur_ns[r])
			continue;
		walk_to(&w, c->start_ns[r]);
		enter(&w, row_end(c, r), part);
	}
	walk_to(&w, row_end(c, x->row));
	x->parts_told = true;
}

/* ---- of which frame ------------------------------------------------------------------------------------------------------ */

/* "dynamo_data: compile_id=0/1, ..." stands inside. */
static const char *id_inside(const struct derived *d, row_id whole, struct arena *mem)
{
	static const char key[] = "compile_id=";
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[whole]);
	for (row_id r = whole; inside(c, k, r, whole); r++) {
		const char *id = strstr(trace_str(derived_trace(d), c->name[r]), key);
		if (id)
			return arena_strndup(mem, id + sizeof key - 1, strcspn(id + sizeof key - 1, ", "));
	}
	return NULL;
}

/* ---- for which sizes ------------------------------------------------------------------------------------------------------ */

static const char region[] = "Torch-Compiled Region: ";

/* What the producer calls the region, NULL: it is none. */
static const char *region_of(const struct derived *d, row_id r)
{
	const char *name = trace_str(derived_trace(d), derived_columns(d)->name[r]);
	return strncmp(name, region, sizeof region - 1) ? NULL : name + sizeof region - 1;
}

/* The first call of that compilation after it. */
static row_id first_call(const struct derived *d, const struct compile *x)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[x->row]);
	for (row_id r = x->row + 1; r < k->first + k->n; r++) {
		const char *id = region_of(d, r);
		if (id && !strcmp(id, x->region) && c->start_ns[r] >= row_end(c, x->row))
			return r;
	}
	return NONE_ID;
}

/* The last call before it of the same frame, whichever compilation. */
static row_id last_call(const struct derived *d, const struct compile *x)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[x->row]);
	size_t frame = strcspn(x->region, "/") + 1;
	for (row_id r = x->row; r-- > k->first;) {
		const char *id = region_of(d, r);
		if (id && !strncmp(id, x->region, frame))
			return r;
	}
	return NONE_ID;
}

static const char *text_attr(const struct derived *d, row_id r, const char *key, struct arena *mem)
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(derived_columns(d)->attrs, r);
	if (!at || !attrs_read(trace_attrs(derived_trace(d)), at, mem, &attrs, &n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(trace_str(derived_trace(d), attrs[i].key), key))
			return attr_text(&attrs[i], trace_strings(derived_trace(d)), mem);
	return NULL;
}

/* "[[1024, 256], [64, 256]]": of the graph that the region calls. */
static const char *sizes_of(const struct derived *d, row_id call, struct arena *mem)
{
	const struct columns *c = derived_columns(d);
	if (call == NONE_ID)
		return NULL;
	const struct track_info *k = trace_track(derived_trace(d), c->track[call]);
	for (row_id r = call + 1; inside(c, k, r, call); r++)
		if (!strncmp(trace_str(derived_trace(d), c->name[r]), "CompiledFunction", 16))
			return text_attr(d, r, "Input Dims", mem);
	return NULL;
}

/* The next element of the list at *at: "[64, 256]". */
static struct span next_sizes(const char **at)
{
	const char *open = strchr(*at, '['), *close = open ? strchr(open, ']') : NULL;
	*at = close ? close + 1 : "";
	return close ? (struct span){open, (size_t)(close + 1 - open)} : (struct span){"", 0};
}

/* The first argument of another size. */
static void tell_sizes(const struct derived *d, struct compile *x, struct arena *mem)
{
	const char *now = sizes_of(d, first_call(d, x), mem), *before = sizes_of(d, last_call(d, x), mem);
	if (!now || !before || *now != '[' || *before != '[')
		return;
	for (now++, before++; *now && *before;) {
		struct span a = next_sizes(&now), b = next_sizes(&before);
		if (!a.n || !b.n || (a.n == b.n && !memcmp(a.p, b.p, a.n)))
			continue;
		x->shape = arena_strndup(mem, a.p, a.n);
		x->previous = arena_strndup(mem, b.p, b.n);
		return;
	}
}

void compile_tell_torch(const struct derived *d, struct compile *x, struct arena *mem)
{
	if (strcmp(x->kind, "inductor") != 0 && strcmp(x->kind, "triton") != 0)
		return;
	divide(d, x);
	x->region = id_inside(d, x->row, mem);
	if (x->region && !x->shape)
		tell_sizes(d, x, mem);
}
