/* For how many tokens the graphs were captured that an iteration replays: SEMANTICS.md, 19. Iterations replay one graph when names and
 * grids of all its kernels are the same; a trace without grids tells nothing. */
#include "graphs.h"
#include "iterations_private.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* Kernels of one name with one number of blocks. */
struct sort {
	str_id name;
	int64_t blocks;
	uint32_t n;
	bool norm, product; /* matrix products and attention are cut into blocks in other ways */
};
/* What some iterations replay alike. */
struct replayed {
	int64_t blocks;      /* one for each token, by its kernels; UNKNOWN_I64: they do not tell */
	int64_t least, most; /* tokens of these iterations */
};
struct replays {
	struct replayed *at;
	uint32_t n, cap;
	struct idmap prints; /* of which each is */
};
/* The walk over one iteration's graphs. */
struct walk {
	const struct derived *d;
	const struct family_memo *families;
	const uint8_t *graph_calls; /* per name */
	struct sort *sorts;
	uint32_t n, cap;
	uint64_t print; /* of names and grids */
	bool any, told; /* kernels in graphs; all of them with a grid */
};
typedef void visit(struct walk *w, row_id kernel, const struct kernel_info *k);

/* ---- kernels of the graphs that one iteration launches ------------------------------------------------------------------ */

static void visit_launch(struct walk *w, const struct iteration *x, row_id launch, visit *each)
{
	const struct trace *t = derived_trace(w->d);
	const struct columns *c = derived_columns(w->d);
	const row_id *work;
	uint32_t n = trace_launched(t, launch, &work);
	for (uint32_t i = 0; i < n; i++)
		if (c->kind[work[i]] == KIND_KERNEL && trace_track(t, c->track[work[i]])->device == x->device)
			each(w, work[i], trace_kernel(t, work[i]));
}

static void visit_graphs(struct walk *w, const struct iteration *x, visit *each)
{
	const struct columns *c = derived_columns(w->d);
	const struct track_info *k = trace_track(derived_trace(w->d), x->track);
	for (row_id r = first_row_from(c, k, x->start_ns); r < k->first + k->n; r++) {
		if (x->next_ns != UNKNOWN_I64 && c->start_ns[r] >= x->next_ns)
			return;
		if (c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID && w->graph_calls[c->name[r]])
			visit_launch(w, x, r, each);
	}
}

static bool has_grid(const struct kernel_info *k)
{
	return k && k->grid[0] != UNKNOWN_U32 && k->grid[0];
}

static void take_print(struct walk *w, row_id kernel, const struct kernel_info *k)
{
	uint32_t parts[4] = {derived_columns(w->d)->name[kernel]};
	w->any = true;
	w->told &= has_grid(k);
	for (int i = 0; i < 3 && has_grid(k); i++)
		parts[i + 1] = k->grid[i];
	w->print = idmap_hash(parts, sizeof parts, w->print);
}

static void take_sort(struct walk *w, row_id kernel, const struct kernel_info *k)
{
	str_id name = derived_columns(w->d)->name[kernel];
	int64_t blocks = (int64_t)k->grid[0] * k->grid[1] * k->grid[2];
	for (uint32_t i = 0; i < w->n; i++)
		if (w->sorts[i].name == name && w->sorts[i].blocks == blocks) {
			w->sorts[i].n++;
			return;
		}
	GROW_ARRAY(w->sorts, w->n, w->cap);
	enum kernel_family family = family_memo_of(w->families, name, 0);
	w->sorts[w->n++] = (struct sort){name, blocks, 1, family == FAMILY_NORM,
					 family == FAMILY_GEMM || family == FAMILY_ATTENTION};
}

/* ---- a block for each token ----------------------------------------------------------------------------------------------- */

static uint32_t kernels_with(const struct walk *w, int64_t blocks, bool norm)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->n; i++)
		if (w->sorts[i].blocks == blocks && w->sorts[i].norm == norm && !w->sorts[i].product)
			n += w->sorts[i].n;
	return n;
}

/* Most normalisations have so many blocks (of equally many the least: those of queries and keys have one for each head, too), and
 * half as many other kernels or more have them, too. One for each multiprocessor of the device tells of no tokens. */
static int64_t blocks_for_tokens(const struct walk *w, uint32_t device)
{
	int64_t sms = trace_device(derived_trace(w->d), device)->sms;
	int64_t best = UNKNOWN_I64;
	uint32_t most = 0;
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t n = w->sorts[i].norm ? kernels_with(w, w->sorts[i].blocks, true) : 0;
		if (n > most || (n && n == most && w->sorts[i].blocks < best)) {
			most = n;
			best = w->sorts[i].blocks;
		}
	}
	bool told = most > 1 && best != sms && 2 * kernels_with(w, best, false) >= most;
	return told ? best : UNKNOWN_I64;
}

/* ---- all iterations ------------------------------------------------------------------------------------------------------- */

static uint32_t place_of(struct replays *s, struct walk *w, const struct iteration *x)
{
	uint32_t *at = idmap_put(&s->prints, w->print, s->n);
	if (*at < s->n)
		return *at;
	w->n = 0;
	visit_graphs(w, x, take_sort);
	GROW_ARRAY(s->at, s->n, s->cap);
	s->at[s->n] = (struct replayed){blocks_for_tokens(w, x->device), INT64_MAX, 0};
	return s->n++;
}

/* The place of what it replays; NONE_ID: nothing, or nothing that tells. */
static uint32_t add(struct replays *s, struct walk *w, const struct iteration *x)
{
	int64_t tokens = x->label.tokens;
	if (tokens == UNKNOWN_I64 || tokens <= 0 || !x->graph_calls || x->device == NONE_ID)
		return NONE_ID;
	w->any = false;
	w->told = true;
	w->print = 0;
	visit_graphs(w, x, take_print);
	if (!w->any || !w->told)
		return NONE_ID;
	uint32_t at = place_of(s, w, x);
	struct replayed *r = &s->at[at];
	r->least = tokens < r->least ? tokens : r->least;
	r->most = tokens > r->most ? tokens : r->most;
	return at;
}

/* Fewer blocks than tokens: one of them has several. */
static void tell(struct iteration *x, const struct replayed *r)
{
	bool grid = r->blocks != UNKNOWN_I64 && r->blocks >= r->most;
	if (!grid && r->most == r->least)
		return;
	x->captured_tokens = grid ? r->blocks : r->most;
	x->captured_by = grid ? CAPTURED_BY_GRID : CAPTURED_BY_REPLAYS;
}

void iterations_set_captured(const struct derived *d, struct iteration_list *v, const struct family_memo *families)
{
	struct replays s = {0};
	uint8_t *calls = graph_call_names(d);
	struct walk w = {.d = d, .families = families, .graph_calls = calls};
	uint32_t *of = must(malloc((v->n + (size_t)1) * sizeof *of));
	for (uint32_t i = 0; calls && i < v->n; i++)
		of[i] = add(&s, &w, &v->at[i]);
	for (uint32_t i = 0; calls && i < v->n; i++)
		if (of[i] != NONE_ID)
			tell(&v->at[i], &s.at[of[i]]);
	idmap_free(&s.prints);
	free(s.at);
	free(of);
	free(w.sorts);
	free(calls);
}
