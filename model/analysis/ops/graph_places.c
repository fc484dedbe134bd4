#include "graph_places.h"
#include "model/analysis/names/launch_names.h"
#include "model/analysis/rules/family_rules.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A sequence of kernels that some launch replays: what one launch taught holds for all that replay the same. */
struct graph {
	const row_id *work;
	uint32_t n;
	int32_t *layer;
};
struct graph_places {
	const struct derived *d;
	struct arena *mem;
	struct family_rules *rules;
	struct family_memo families;
	struct idmap known; /* hash of the names, place + 1 in `at` */
	struct graph *at;
	uint32_t n;
	/* the launch asked about last */
	row_id launch;
	const row_id *work;
	uint32_t n_work, next, graph;
};

struct graph_places *graph_places_new(const struct derived *d, struct arena *mem)
{
	struct graph_places *g = must(calloc(1, sizeof *g));
	g->d = d;
	g->mem = mem;
	g->launch = NONE_ID;
	g->rules = family_rules_own_or_builtin(derived_options(d)->own_families);
	g->families = derived_families(d, g->rules);
	return g;
}

void graph_places_free(struct graph_places *g)
{
	if (!g)
		return;
	family_rules_free(g->rules);
	idmap_free(&g->known);
	free(g);
}

/* ---- the graph of a launch ------------------------------------------------------------------------------------------- */

static bool same_names(const struct graph_places *g, const struct graph *x, const row_id *work, uint32_t n)
{
	const str_id *name = derived_columns(g->d)->name;
	for (uint32_t i = 0; i < n && x->n == n; i++)
		if (name[x->work[i]] != name[work[i]])
			return false;
	return x->n == n;
}

static uint64_t names_hash(const struct graph_places *g, const row_id *work, uint32_t n)
{
	uint64_t h = n;
	for (uint32_t i = 0; i < n; i++)
		h = idmap_hash(&derived_columns(g->d)->name[work[i]], sizeof(str_id), h);
	return h;
}

static void learn_layers(struct graph_places *g, struct graph *x)
{
	struct idmap numbers = {0};
	uint32_t *names = must(malloc((x->n + (size_t)1) * sizeof *names)), n_names = 0;
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t name = derived_columns(g->d)->name[x->work[i]];
		names[i] = *idmap_put(&numbers, name, n_names);
		n_names += names[i] == n_names;
	}
	layers_find(names, x->n, n_names, x->layer);
	free(names);
	idmap_free(&numbers);
}

static uint32_t graph_of(struct graph_places *g, const row_id *work, uint32_t n)
{
	for (uint64_t h = names_hash(g, work, n);; h++) {
		uint32_t fresh = g->n, i = *idmap_put(&g->known, h, fresh);
		if (i == fresh)
			break;
		if (same_names(g, &g->at[i], work, n))
			return i;
	}
	g->at = arena_next_row(g->mem, g->at, g->n, sizeof *g->at);
	g->at[g->n] =
		(struct graph){.work = work, .n = n, .layer = arena_alloc(g->mem, (n + (size_t)1) * sizeof(int32_t))};
	learn_layers(g, &g->at[g->n]);
	return g->n++;
}

/* ---- the place of one event ------------------------------------------------------------------------------------------ */

/* Its number among the launch's work: rows are mostly asked about in their order. */
static uint32_t place_of(struct graph_places *g, row_id r)
{
	for (uint32_t i = 0; i < g->n_work; i++) {
		uint32_t at = (g->next + i) % g->n_work;
		if (g->work[at] == r) {
			g->next = at + 1;
			return at;
		}
	}
	return NONE_ID;
}

/* What the work is; the words of kinds follow those of families. */
static struct graph_place what_at(struct graph_places *g, row_id r)
{
	const struct columns *c = derived_columns(g->d);
	enum event_kind kind = (enum event_kind)c->kind[r];
	if (kind != KIND_KERNEL)
		return (struct graph_place){.what = FAMILY_COUNT + kind, .family = kind_name(kind)};
	enum kernel_family family = family_memo_of(&g->families, c->name[r], 0);
	return (struct graph_place){.what = family, .family = kernel_family_word(family)};
}

struct graph_place graph_place_of(struct graph_places *g, row_id r)
{
	row_id launch = derived_columns(g->d)->link[r];
	if (launch != g->launch) {
		g->launch = launch;
		g->n_work = trace_launched(derived_trace(g->d), launch, &g->work);
		g->next = 0;
		g->graph = graph_of(g, g->work, g->n_work);
	}
	struct graph_place place = what_at(g, r);
	uint32_t at = place_of(g, r);
	place.graph = g->graph;
	place.at = at;
	place.layer = at == NONE_ID ? LAYERS_NONE : g->at[g->graph].layer[at];
	return place;
}

const char *graph_place_name(struct graph_place place, struct arena *mem)
{
	int n = (int)strcspn(place.family, "/"); /* "copy/cast": a slash parts scopes */
	if (place.layer >= 0)
		return arena_printf(mem, "graph/layer %" PRId32 "/%.*s", place.layer, n, place.family);
	const char *part = place.layer == LAYERS_BEGIN ? "begin/" : place.layer == LAYERS_END ? "end/" : "";
	return arena_printf(mem, "graph/%s%.*s", part, n, place.family);
}

/* The number at a name's end tells nothing. */
static uint8_t is_graph_call(struct span name)
{
	return launch_is_graph(name.p);
}

uint8_t *graph_call_names(const struct derived *d)
{
	return derived_ask_names(d, is_graph_call);
}
