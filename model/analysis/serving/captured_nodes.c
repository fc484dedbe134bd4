/* Graphs whose trace tells, beside the work, which call made each of their nodes: the same file holds capture and replay. */
#include "captured_private.h"
#include "model/analysis/names/launch_names.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { COPIES_MOST = 8 }; /* a graph made from a graph made from one that was captured */

struct nodes {
	struct trace *t;
	str_id node_key, original_key;
	struct idmap made;     /* node id -> row of the event that made it */
	struct idmap original; /* node id -> place in `ids` of the one that it is a copy of */
	uint64_t *ids;
	uint32_t n;
	struct arena mem, scratch;
};

/* False: the event tells none. */
static bool number_of(struct nodes *v, row_id r, str_id key, uint64_t *id)
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(trace_columns(v->t)->attrs, r);
	if (!key || !at || !attrs_read(trace_attrs(v->t), at, &v->scratch, &attrs, &n))
		return false;
	bool found = false;
	for (size_t i = 0; i < n && !found; i++) {
		found = attrs[i].key == key;
		*id = found ? strtoull(attr_text(&attrs[i], trace_strings(v->t), &v->scratch), NULL, 10) : 0;
	}
	if (v->scratch.bytes > 1 << 20)
		arena_free(&v->scratch);
	return found && *id;
}

static void look_at_maker(struct nodes *v, row_id r)
{
	uint64_t id, original;
	if (!number_of(v, r, v->node_key, &id))
		return;
	*idmap_put(&v->made, id, r) = r;
	if (!number_of(v, r, v->original_key, &original) || original == id)
		return;
	v->ids = arena_next_row(&v->mem, v->ids, v->n, sizeof *v->ids);
	v->ids[v->n] = original;
	*idmap_put(&v->original, id, v->n) = v->n;
	v->n++;
}

static void find_makers(struct nodes *v)
{
	const struct columns *c = trace_columns(v->t);
	for (uint32_t i = 0; i < trace_tracks(v->t); i++) {
		const struct track_info *k = trace_track(v->t, i);
		for (uint64_t r = k->first; k->kind == TRACK_THREAD && r < k->first + k->n; r++)
			if (c->kind[r] == KIND_OTHER)
				look_at_maker(v, (row_id)r);
	}
}

/* The event that made the node which this one is a copy of, in the end; NONE_ID: not in the trace. */
static row_id maker_of(const struct nodes *v, uint64_t id)
{
	for (int i = 0; i < COPIES_MOST; i++) {
		uint32_t from = idmap_get(&v->original, id);
		if (from == UINT32_MAX)
			break;
		id = v->ids[from];
	}
	return idmap_get(&v->made, id);
}

static int by_row(const void *a, const void *b)
{
	const struct replayed_name *x = a, *y = b;
	return x->row < y->row ? -1 : x->row > y->row;
}

static struct replayed_name name_of(struct nodes *v, row_id work)
{
	uint64_t id;
	row_id maker = number_of(v, work, v->node_key, &id) ? maker_of(v, id) : NONE_ID;
	struct replayed_name name = {.op = "", .op_type = "", .module = "", .stack = ""};
	if (maker != NONE_ID) {
		name = captured_around(v->t, maker, true, &v->mem);
		name.match = REPLAY_BY_NODE;
	}
	name.row = work;
	return name;
}

static void name_launches(struct nodes *v)
{
	const struct columns *c = trace_columns(v->t);
	struct replayed_name *names = NULL;
	uint32_t n = 0;
	for (uint64_t r = 0; r < c->n; r++) {
		const row_id *work;
		bool graph = c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID &&
			     launch_is_graph(trace_str(v->t, c->name[r]));
		uint32_t n_work = graph ? trace_launched(v->t, (row_id)r, &work) : 0;
		for (uint32_t i = 0; i < n_work; i++) {
			names = arena_next_row(&v->mem, names, n, sizeof *names);
			names[n++] = name_of(v, work[i]);
		}
	}
	if (!n)
		return;
	qsort(names, n, sizeof *names, by_row);
	trace_name_replayed(v->t, names, n);
}

static const char node_word[] = "graph node id", original_word[] = "original graph node id";

static bool replays(const struct trace *t)
{
	const struct columns *c = trace_columns(t);
	for (uint64_t r = 0; r < c->n; r++)
		if (c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID && launch_is_graph(trace_str(t, c->name[r])))
			return true;
	return false;
}

bool captured_tells_nodes(const struct trace *t)
{
	return strings_find(trace_strings(t), node_word, sizeof node_word - 1) &&
	       strings_find(trace_strings(t), original_word, sizeof original_word - 1) && replays(t);
}

void captured_name_by_nodes(struct trace *t)
{
	struct nodes v = {.t = t};
	v.node_key = strings_find(trace_strings(t), node_word, sizeof node_word - 1);
	v.original_key = strings_find(trace_strings(t), original_word, sizeof original_word - 1);
	find_makers(&v);
	if (v.made.n)
		name_launches(&v);
	idmap_free(&v.made);
	idmap_free(&v.original);
	arena_free(&v.scratch);
	arena_free(&v.mem);
}
