/* model/analysis/ops/graph_places.h - names for what a replayed graph runs: its own order tells the layer, the kernel's name the work.
 * A graph's kernels carry no op: their launches were captured once. Where the kernels of a launch repeat, as layers do, each is named
 * by its place, "graph/layer 12/attention"; before the first and after the last layer "graph/begin/...", "graph/end/..."; where
 * nothing repeats "graph/gemm". Layers count from 0. SEMANTICS.md, 19.
 * Life:    graph_places_new -> graph_place_of... -> graph_places_free. One thread. */
#ifndef STEPSCOPE_GRAPH_PLACES_H
#define STEPSCOPE_GRAPH_PLACES_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/arena.h"

/* Which texts name calls that launch graphs, one byte for each, to be freed; NULL: none does. */
uint8_t *graph_call_names(const struct derived *d);

struct graph_places;
struct graph_places *graph_places_new(const struct derived *d, struct arena *mem);
void graph_places_free(struct graph_places *g);
/* Of work that a graph launched. */
struct graph_place {
	uint32_t graph,
		at; /* which sequence of work, counted as they are asked about, and its place there; at NONE_ID: not found */
	int32_t layer;      /* from 0, or one of LAYERS_ */
	uint32_t what;      /* small number, one for each word */
	const char *family; /* of the kernel; "copy", "memset" */
};
struct graph_place graph_place_of(struct graph_places *g, row_id r);
/* "graph/layer 12/attention", in `mem`. */
const char *graph_place_name(struct graph_place place, struct arena *mem);

/* Which layer each token of a sequence belongs to, and what lies around them. */
enum { LAYERS_NONE = -1, LAYERS_BEGIN = -2, LAYERS_END = -3 };
/* names: small numbers, equal ones are equal names. False: nothing repeats; layer[] is LAYERS_NONE then. */
bool layers_find(const uint32_t *names, uint32_t n, uint32_t n_names, int32_t *layer);
#endif
