#include "iterators.h"
#include "model/store/base/memory.h"
#include "iterators_private.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"
#include "model/analysis/names/op_names.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 100, VISITS_PER_EDGE = 16 };

struct walker {
	const struct derived *d;
	const struct iterator_graph *g;
	struct iterators *v;
	struct arena *mem;
	struct iterator_time *call; /* of the call under way, by iterator */
	uint32_t *met, n_met;       /* iterators that it met, in order */
	uint32_t *place;            /* of an iterator among its pipeline's */
	uint64_t visits;            /* left for this host: hostile files could ask for exponential time */
};

/* ---- one call ---------------------------------------------------------------------------------------------------- */

static int64_t overlap_ns(const struct columns *c, row_id x, row_id y)
{
	int64_t a = c->start_ns[x] > c->start_ns[y] ? c->start_ns[x] : c->start_ns[y];
	int64_t b = row_end(c, x) < row_end(c, y) ? row_end(c, x) : row_end(c, y);
	return b > a ? b - a : 0;
}

static void count_call(struct walker *w, uint32_t iterator, int64_t dur_ns, int64_t self_ns, bool blocking)
{
	struct iterator_time *s = &w->call[iterator];
	if (!s->calls)
		w->met[w->n_met++] = iterator;
	s->iterator = iterator;
	s->calls++;
	s->total_ns += dur_ns;
	s->self_ns += self_ns;
	s->blocking |= blocking;
}

static void walk(struct walker *w, uint32_t node, bool blocking, uint32_t level)
{
	const struct iterator_node *n = &w->g->nodes[node];
	int64_t self_ns = derived_columns(w->d)->dur_ns[n->row];
	if (level > LEVELS || n->iterator == NONE_ID)
		return;
	if (!w->visits) {
		w->v->cut = true;
		return;
	}
	w->visits--;
	for (uint32_t e = n->children; e != NONE_ID; e = w->g->edges[e].next) {
		uint32_t child = w->g->edges[e].child;
		int64_t shared_ns = overlap_ns(derived_columns(w->d), n->row, w->g->nodes[child].row);
		walk(w, child, blocking && shared_ns > 0, level + 1);
		self_ns -= shared_ns;
	}
	count_call(w, n->iterator, derived_columns(w->d)->dur_ns[n->row], self_ns, blocking);
}

/* ---- pipelines ---------------------------------------------------------------------------------------------------- */

static struct iterator_time *time_in(struct walker *w, struct pipeline *p, uint32_t iterator)
{
	uint32_t at = w->place[iterator]; /* where it was last: nearly always in this pipeline */
	if (at >= p->n_all || p->all[at].iterator != iterator)
		for (at = 0; at < p->n_all && p->all[at].iterator != iterator;)
			at++;
	if (at == p->n_all) {
		p->all = arena_next_row(w->mem, p->all, at, sizeof *p->all);
		p->all[p->n_all++] = (struct iterator_time){.iterator = iterator};
	}
	w->place[iterator] = at;
	return &p->all[at];
}

/* Keeps the call's times: it is the slowest so far. */
static void keep_slowest(struct walker *w, struct pipeline *p, row_id row)
{
	p->slowest = row;
	p->slow = arena_alloc(w->mem, (w->n_met + 1u) * sizeof *p->slow);
	p->n_slow = w->n_met;
	p->bottleneck = NONE_ID;
	p->bottleneck_self_ns = 0;
	for (uint32_t i = 0; i < w->n_met; i++) {
		p->slow[i] = w->call[w->met[i]];
		if (!p->slow[i].blocking || p->slow[i].self_ns <= p->bottleneck_self_ns)
			continue;
		p->bottleneck = p->slow[i].iterator;
		p->bottleneck_self_ns = p->slow[i].self_ns;
	}
}

static void add_call(struct walker *w, struct pipeline *p, uint32_t node)
{
	row_id row = w->g->nodes[node].row;
	int64_t dur_ns = derived_columns(w->d)->dur_ns[row];
	w->n_met = 0;
	walk(w, node, true, 0);
	p->calls++;
	p->slow_calls += dur_ns > SLOW_CALL_NS;
	p->sum_ns += dur_ns;
	p->min_ns = p->calls == 1 || dur_ns < p->min_ns ? dur_ns : p->min_ns;
	if (p->calls == 1 || dur_ns > p->max_ns) {
		p->max_ns = dur_ns;
		keep_slowest(w, p, row);
	}
	for (uint32_t i = 0; i < w->n_met; i++) {
		struct iterator_time *call = &w->call[w->met[i]], *sum = time_in(w, p, w->met[i]);
		sum->calls += call->calls;
		sum->total_ns += call->total_ns;
		sum->self_ns += call->self_ns;
		sum->blocking |= call->blocking;
		*call = (struct iterator_time){0};
	}
}

static bool is_device_root(const struct iterator_graph *g, int64_t id)
{
	for (uint32_t i = 0; i < g->n_device_ids; i++)
		if (g->device_ids[i] == id)
			return true;
	return false;
}

static struct pipeline *pipeline_of(struct walker *w, struct idmap *known, uint32_t host, uint32_t iterator,
				    uint32_t names[2])
{
	struct iterators *v = w->v;
	uint32_t i = *idmap_put(known, iterator, v->n_pipelines);
	if (i < v->n_pipelines)
		return &v->pipelines[i];
	int64_t id = v->at[iterator].id;
	bool device = is_device_root(w->g, id);
	v->pipelines = arena_next_row(w->mem, v->pipelines, i, sizeof *v->pipelines);
	struct pipeline *p = &v->pipelines[v->n_pipelines++];
	*p = (struct pipeline){.host = host, .id = id, .device = device, .bottleneck = NONE_ID, .slowest = NONE_ID};
	p->name = arena_printf(w->mem, "%s:%u", device ? "Device" : "Host", names[device]++);
	return p;
}

/* A root is told by the name of the event itself; the pipeline is that of its iterator. */
static bool is_root_call(const struct derived *d, const struct query *q, const struct iterators *v,
			 const struct iterator_node *n)
{
	int64_t start_ns = derived_columns(d)->start_ns[n->row];
	if (n->iterator == NONE_ID || !iterator_is_root(&v->at[n->iterator]))
		return false;
	return query_holds(q, start_ns) && event_wanted(d, q, n->row);
}

static void read_host(struct walker *w, const struct query *q, uint32_t host, const uint8_t *names)
{
	struct iterator_graph g = {0};
	struct idmap known = {0};
	uint32_t counts[2] = {0, 0};
	iterator_graph_read(&g, w->d, host, names, w->v, w->mem);
	w->g = &g;
	w->call = must(malloc((w->v->n + 1u) * sizeof *w->call));
	memset(w->call, 0, (w->v->n + 1u) * sizeof *w->call);
	w->met = must(malloc((w->v->n + 1u) * sizeof *w->met));
	w->place = must(malloc((w->v->n + 1u) * sizeof *w->place));
	memset(w->place, 0, (w->v->n + 1u) * sizeof *w->place);
	w->visits = (uint64_t)VISITS_PER_EDGE * (g.n_edges + g.n_nodes + 64u);
	for (uint32_t i = 0; i < g.n_nodes; i++)
		if (is_root_call(w->d, q, w->v, &g.nodes[i]))
			add_call(w, pipeline_of(w, &known, host, g.nodes[i].iterator, counts), i);
	idmap_free(&known);
	free(w->call);
	free(w->met);
	free(w->place);
	iterator_graph_free(&g);
	w->g = NULL;
}

static int slower(const void *x, const void *y)
{
	const struct pipeline *a = x, *b = y;
	if (a->device != b->device)
		return a->device - b->device;
	if (a->max_ns != b->max_ns)
		return a->max_ns < b->max_ns ? 1 : -1;
	return (a->slowest > b->slowest) - (a->slowest < b->slowest);
}

bool iterators_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		    struct iterators *out, struct err *e)
{
	struct walker w = {.d = d, .v = out, .mem = mem};
	*out = (struct iterators){0};
	uint8_t *names = iterator_names(d);
	for (uint32_t host = 0; names && host < trace_hosts(derived_trace(d)) && !progress_cancelled(p); host++)
		read_host(&w, q, host, names);
	free(names);
	if (out->n_pipelines)
		qsort(out->pipelines, out->n_pipelines, sizeof *out->pipelines, slower);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}

const struct pipeline *iterators_slowest(const struct iterators *v)
{
	return v->n_pipelines && !v->pipelines[0].device ? &v->pipelines[0] : NULL;
}

/* ---- advice --------------------------------------------------------------------------------------------------------- */

#define SLOW_SOURCE                                                                                      \
	"Slow source: check that the data is stored near the host, and read several files at once with " \
	"interleave(num_parallel_calls=tf.data.AUTOTUNE)."
#define SLOW_REMOTE "The data comes from another host: profile that host."
#define PARALLELISE "Set num_parallel_calls=tf.data.AUTOTUNE, and cache() after it when the result fits into memory."
#define SEQUENTIAL                                                                                                 \
	"It works element by element: process several shards in parallel around it, or cache() after it when the " \
	"result fits into memory."
#define GENERAL "See the tf.data performance guide: prefetch, parallelise, cache, vectorise."

/* clang-format off */
static const struct { const char *name, *advice; bool ours; } advices[] = {
	{"TFRecord", SLOW_SOURCE, false},       {"SSTable", SLOW_SOURCE, false},       {"RecordIO", SLOW_SOURCE, false},
	{"Spanner", SLOW_SOURCE, false},        {"TFColumn", SLOW_SOURCE, false},      {"TextLine", SLOW_SOURCE, false},
	{"LMDB", SLOW_SOURCE, false},           {"FixedLengthRecordV2", SLOW_SOURCE, false},
	{"FromTensor", SLOW_SOURCE, false},     {"TensorSlice", SLOW_SOURCE, false},   {"Generator", SLOW_SOURCE, false},
	{"DataService", "Profile the workers of the tf.data service: they deliver too slowly.", false},
	{"ReverbDataset", SLOW_REMOTE, false},  {"ReverbEpisodeDataset", SLOW_REMOTE, false},
	{"Map", PARALLELISE, false},            {"Interleave", PARALLELISE, false},
	{"Filter", SEQUENTIAL, false},          {"Batch", SEQUENTIAL, false},          {"Unbatch", SEQUENTIAL, false},
	{"FixedLengthRecord", SLOW_SOURCE, true}, {"ArrayRecord", SLOW_SOURCE, true},
	{"ParallelMap", "Its function is the bottleneck although it runs in parallel: raise num_parallel_calls (tf.data.AUTOTUNE), map over batches, do costly work once and offline, or cache() after it.", true},
	{"ParallelInterleave", "Raise cycle_length and num_parallel_calls (tf.data.AUTOTUNE), and check the storage's throughput.", true},
	{"Prefetch", "The consumer is faster than what fills the buffer: look at the iterators below; enlarge the buffer (tf.data.AUTOTUNE) only for uneven work.", true},
	{"Shuffle", "Filling the shuffle buffer takes long: make it smaller, or shuffle file names instead of elements.", true},
};
/* clang-format on */

/* "BatchV2" -> "Batch" */
static size_t without_version(const char *name)
{
	size_t n = strlen(name), digits = n;
	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	return digits < n && digits > 1 && name[digits - 1] == 'V' ? digits - 1 : n;
}

static const char *advice_for(const char *name, size_t n, bool xprof)
{
	for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
		if (strlen(advices[i].name) == n && !memcmp(advices[i].name, name, n) && !(xprof && advices[i].ours))
			return advices[i].advice;
	return NULL;
}

const char *iterator_advice(const char *name, bool xprof)
{
	const char *advice = advice_for(name, strlen(name), xprof);
	if (!advice && !xprof)
		advice = advice_for(name, without_version(name), xprof);
	return advice ? advice : GENERAL;
}
