/* Which call of an iterator lies in which other one, on the same thread or across threads. */
#include "iterators_private.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"
#include "model/analysis/names/op_names.h"
#include "model/store/base/grow.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum name_class { NAME_OTHER, NAME_ITERATOR, NAME_PRODUCE, NAME_CONSUME };
enum { CROWD = 64 }; /* a key that so many share on both sides joins nothing in particular */

struct hand { /* one end of a handover: element `element` of iterator `iterator_id` */
	int64_t iterator_id, element;
	uint32_t node;
};
struct hands {
	struct hand *at;
	uint32_t n, cap;
};
struct open_event {
	int64_t start_ns, end_ns;
	uint32_t node;       /* NONE_ID: no iterator */
	int64_t element;     /* of a Produce that waits for its first iterator */
	bool produce, taken; /* taken: it has met that iterator */
};
struct reader {
	struct iterator_graph *g;
	const struct derived *d;
	const uint8_t *names;
	struct iterators *v;
	struct arena *mem, scratch;
	struct idmap by_id;
	struct hands produced, consumed;
	struct open_event *stack;
	uint32_t n_stack, cap_stack;
};
struct ids {
	int64_t id, parent_id, element;
	bool has_id, has_parent, has_element;
	struct attr *attrs;
	size_t n;
};

/* ---- names ------------------------------------------------------------------------------------------------------ */

static uint8_t class_of(struct span s)
{
	static const char *const handing[] = {"Prefetch",    "ParallelInterleave", "ParallelMap",
					      "MapAndBatch", "ParseExample",       "ParallelBatch"};
	if (span_starts(s, "Iterator::"))
		return NAME_ITERATOR;
	for (size_t i = 0; i < sizeof handing / sizeof *handing; i++) {
		if (!span_starts(s, handing[i]))
			continue;
		struct span rest = {s.p + strlen(handing[i]), s.n - strlen(handing[i])};
		if (span_is(rest, "Produce") || span_is(rest, "Consume"))
			return rest.p[0] == 'P' ? NAME_PRODUCE : NAME_CONSUME;
	}
	return NAME_OTHER;
}

uint8_t *iterator_names(const struct derived *d)
{
	uint8_t *names = derived_ask_names(d, class_of);
	if (names && memchr(names, NAME_ITERATOR, strings_count(trace_strings(derived_trace(d)))))
		return names;
	free(names);
	return NULL;
}

bool iterator_is_root(const struct iterator *it)
{
	return it->depth == 0;
}

static uint32_t depth_of(struct span s)
{
	uint32_t parts = 0;
	for (size_t i = 0; i + 1 < s.n; i++)
		if (s.p[i] == ':' && s.p[i + 1] == ':')
			parts++, i++;
	return parts ? parts - 1 : 0;
}

static bool is_async_name(struct span s)
{
	static const char *const names[] = {
		"Prefetch",    "ParallelInterleave", "ParallelMap",   "ParseExample",
		"MapAndBatch", "DataService",        "ParallelBatch", "LegacyParallelInterleave"};
	while (s.n > 2 && s.p[s.n - 1] >= '0' && s.p[s.n - 1] <= '9')
		s.n--;
	if (s.n > 1 && s.p[s.n - 1] == 'V') /* ParallelMapV2 */
		s.n--;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_is(s, names[i]))
			return true;
	return false;
}

/* ---- attributes --------------------------------------------------------------------------------------------------- */

/* A number, or its text: traces in JSON carry all of them as texts. Ids beyond 2^63 wrap, as their writers do. */
static bool attr_number(const struct reader *r, const struct attr *a, int64_t *out)
{
	struct span s = {a->p, a->n};
	if (a->type == ATTR_INT)
		return *out = a->i, true;
	if (a->type == ATTR_UINT)
		return *out = (int64_t)a->u, true;
	if (a->type == ATTR_REF)
		s = strings_get(trace_strings(derived_trace(r->d)), (str_id)a->u);
	else if (a->type != ATTR_STR && a->type != ATTR_NUMBER)
		return false;
	char text[24], *end;
	if (!s.n || s.n >= sizeof text)
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	errno = 0;
	*out = text[0] == '-' ? strtoll(text, &end, 10) : (int64_t)strtoull(text, &end, 10);
	return end != text && !*end && !errno;
}

/* Attributes lie in scratch memory until the next call. */
static struct ids read_ids(struct reader *r, row_id row)
{
	enum { SCRATCH_BYTES = 1 << 20 };
	struct ids out = {0};
	attr_at at = number_at(derived_columns(r->d)->attrs, row);
	if (r->scratch.bytes > SCRATCH_BYTES)
		arena_free(&r->scratch);
	if (!at || !attrs_read(trace_attrs(derived_trace(r->d)), at, &r->scratch, &out.attrs, &out.n))
		return out;
	for (size_t i = 0; i < out.n; i++) {
		struct span key = strings_get(trace_strings(derived_trace(r->d)), out.attrs[i].key);
		if (span_is(key, "id"))
			out.has_id = attr_number(r, &out.attrs[i], &out.id);
		else if (span_is(key, "parent_id"))
			out.has_parent = attr_number(r, &out.attrs[i], &out.parent_id);
		else if (span_is(key, "element_id"))
			out.has_element = attr_number(r, &out.attrs[i], &out.element);
	}
	return out;
}

/* Everything else that its first event says of an iterator: what it was told to do. */
static const char *parameters_of(struct reader *r, const struct ids *ids)
{
	static const char *const others[] = {"id",    "parent_id", "element_id", "long_name", "name",     "shapes",
					     "types", "_pt",       "_p",         "_ct",       "_c",       "group_id",
					     "_r",    "_a",        "device_id",  "step_name", "iter_num", NULL};
	const char *out = NULL;
	for (size_t i = 0; i < ids->n; i++) {
		struct span key = strings_get(trace_strings(derived_trace(r->d)), ids->attrs[i].key);
		const char *const *other = others;
		while (*other && !span_is(key, *other))
			other++;
		if (*other)
			continue;
		const char *value = attr_text(&ids->attrs[i], trace_strings(derived_trace(r->d)), &r->scratch);
		out = arena_printf(&r->scratch, "%s%s%.*s=%s", out ? out : "", out ? ", " : "", (int)key.n, key.p,
				   value);
	}
	return arena_strdup(r->mem, out);
}

/* ---- nodes ---------------------------------------------------------------------------------------------------------- */

static uint32_t iterator_of(struct reader *r, row_id row, const struct ids *ids)
{
	struct iterators *v = r->v;
	if (!ids->has_id)
		return NONE_ID;
	uint32_t i = *idmap_put(&r->by_id, (uint64_t)ids->id, v->n);
	if (i < v->n)
		return i;
	struct span whole = op_name_of(derived_trace(r->d), row).name, last = op_last_part(whole);
	v->at = arena_next_row(r->mem, v->at, v->n, sizeof *v->at);
	v->at[v->n] = (struct iterator){.id = ids->id,
					.parent_id = ids->parent_id,
					.has_parent = ids->has_parent,
					.async = is_async_name(last),
					.name = arena_strndup(r->mem, last.p, last.n),
					.longname = arena_strndup(r->mem, whole.p, whole.n),
					.parameters = parameters_of(r, ids),
					.first = row,
					.depth = depth_of(whole)};
	return v->n++;
}

static void note_device_root(struct reader *r, row_id row, const struct ids *ids)
{
	struct iterator_graph *g = r->g;
	if (!ids->has_id || !ids->has_parent ||
	    !span_is(op_name_of(derived_trace(r->d), row).name, "Iterator::Prefetch::Generator"))
		return;
	for (uint32_t i = 0; i < g->n_device_ids; i++)
		if (g->device_ids[i] == ids->parent_id)
			return;
	g->device_ids = must(realloc(g->device_ids, (g->n_device_ids + 1u) * sizeof *g->device_ids));
	g->device_ids[g->n_device_ids++] = ids->parent_id;
}

static void add_edge(struct iterator_graph *g, uint32_t parent, uint32_t child)
{
	GROW_ARRAY(g->edges, g->n_edges, g->cap_edges);
	g->edges[g->n_edges] = (struct iterator_edge){child, g->nodes[parent].children};
	g->nodes[parent].children = g->n_edges++;
}

static void add_hand(struct hands *v, int64_t iterator_id, int64_t element, uint32_t node)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = (struct hand){iterator_id, element, node};
}

static uint32_t add_iterator(struct reader *r, row_id row, const struct ids *ids, struct open_event *parent)
{
	struct iterator_graph *g = r->g;
	GROW_ARRAY(g->nodes, g->n_nodes, g->cap_nodes);
	g->nodes[g->n_nodes] = (struct iterator_node){row, iterator_of(r, row, ids), NONE_ID};
	if (parent && parent->node != NONE_ID)
		add_edge(g, parent->node, g->n_nodes);
	if (parent && parent->produce && !parent->taken) {
		parent->taken = true;
		if (ids->has_parent)
			add_hand(&r->produced, ids->parent_id, parent->element, g->n_nodes);
	}
	note_device_root(r, row, ids);
	return g->n_nodes++;
}

static struct open_event *enclosing(struct reader *r, int64_t a_ns, int64_t b_ns)
{
	while (r->n_stack) {
		struct open_event *top = &r->stack[r->n_stack - 1];
		if (top->start_ns <= a_ns && b_ns <= top->end_ns)
			return top;
		r->n_stack--;
	}
	return NULL;
}

static void take_consume(struct reader *r, const struct open_event *parent, const struct ids *ids)
{
	if (!parent || parent->node == NONE_ID || !ids->has_element)
		return;
	uint32_t iterator = r->g->nodes[parent->node].iterator;
	if (iterator != NONE_ID)
		add_hand(&r->consumed, r->v->at[iterator].id, ids->element, parent->node);
}

static void take_event(struct reader *r, row_id row)
{
	const struct columns *c = derived_columns(r->d);
	uint8_t class = r->names[c->name[row]];
	const struct host_info *h = c->detail[row] ? trace_host_detail(derived_trace(r->d), row) : NULL;
	if (h && h->is_async)
		return;
	struct open_event *parent = enclosing(r, c->start_ns[row], row_end(c, row));
	struct open_event self = {c->start_ns[row], row_end(c, row), NONE_ID, 0, false, false};
	struct ids ids = {0};
	if (class != NAME_OTHER)
		ids = read_ids(r, row);
	if (class == NAME_ITERATOR)
		self.node = add_iterator(r, row, &ids, parent);
	self.produce = class == NAME_PRODUCE && ids.has_element;
	self.element = ids.element;
	if (class == NAME_CONSUME)
		take_consume(r, parent, &ids);
	GROW_ARRAY(r->stack, r->n_stack, r->cap_stack);
	r->stack[r->n_stack++] = self;
}

/* Iterators that lie next to each other in the file and are equally long: an outer one is called by a shorter name, whichever
 * stands first. */
static row_id iterators_of_one_length(const struct reader *r, row_id row, row_id end)
{
	const struct columns *c = derived_columns(r->d);
	row_id at = row;
	while (at < end && r->names[c->name[at]] == NAME_ITERATOR && c->start_ns[at] == c->start_ns[row] &&
	       c->dur_ns[at] == c->dur_ns[row])
		at++;
	return at;
}

static uint32_t depth_of_row(const struct reader *r, row_id row)
{
	return depth_of(op_name_of(derived_trace(r->d), row).name);
}

/* Takes [row, end), the outermost first, and of one depth in the file's order. */
static void take_by_depth(struct reader *r, row_id row, row_id end)
{
	enum { MOST = 64 }; /* deeper pipelines are not written by people */
	row_id order[MOST];
	uint32_t n = 0;
	for (; row < end && n < MOST; row++, n++) {
		uint32_t depth = depth_of_row(r, row), at = n;
		for (; at > 0 && depth_of_row(r, order[at - 1]) > depth; at--)
			order[at] = order[at - 1];
		order[at] = row;
	}
	for (uint32_t i = 0; i < n; i++)
		take_event(r, order[i]);
	for (; row < end; row++)
		take_event(r, row);
}

static void take_track(struct reader *r, const struct track_info *k)
{
	row_id end = (row_id)(k->first + k->n);
	r->n_stack = 0;
	for (row_id row = (row_id)k->first; row < end;) {
		row_id next = iterators_of_one_length(r, row, end);
		if (next > row + 1) {
			take_by_depth(r, row, next);
			row = next;
		} else {
			take_event(r, row++);
		}
	}
}

/* ---- between threads -------------------------------------------------------------------------------------------------- */

static int compare_hands(const void *x, const void *y)
{
	const struct hand *a = x, *b = y;
	if (a->iterator_id != b->iterator_id)
		return a->iterator_id < b->iterator_id ? -1 : 1;
	if (a->element != b->element)
		return a->element < b->element ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static bool same_key(const struct hand *a, const struct hand *b)
{
	return a->iterator_id == b->iterator_id && a->element == b->element;
}

static uint32_t run_of(const struct hands *v, uint32_t from)
{
	uint32_t n = 1;
	while (from + n < v->n && same_key(&v->at[from], &v->at[from + n]))
		n++;
	return n;
}

static void join_hands(struct reader *r)
{
	struct hands *from = &r->produced, *to = &r->consumed;
	if (!from->n || !to->n)
		return;
	qsort(from->at, from->n, sizeof *from->at, compare_hands);
	qsort(to->at, to->n, sizeof *to->at, compare_hands);
	for (uint32_t f = 0, t = 0; f < from->n && t < to->n;) {
		uint32_t nf = run_of(from, f), nt = run_of(to, t);
		bool same = same_key(&from->at[f], &to->at[t]);
		bool first = !same && compare_hands(&from->at[f], &to->at[t]) < 0;
		for (uint32_t i = 0; same && (nf < CROWD || nt < CROWD) && i < nf * nt; i++)
			add_edge(r->g, to->at[t + i / nf].node, from->at[f + i % nf].node);
		f += same || first ? nf : 0;
		t += same || !first ? nt : 0;
	}
}

void iterator_graph_read(struct iterator_graph *g, const struct derived *d, uint32_t host, const uint8_t *names,
			 struct iterators *v, struct arena *mem)
{
	struct reader r = {.g = g, .d = d, .names = names, .v = v, .mem = mem};
	g->first_iterator = v->n;
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)); i++) {
		const struct track_info *k = trace_track(derived_trace(d), i);
		if (k->host == host && k->kind == TRACK_THREAD && derived_is_host_track(k))
			take_track(&r, k);
	}
	join_hands(&r);
	idmap_free(&r.by_id);
	arena_free(&r.scratch);
	free(r.produced.at);
	free(r.consumed.at);
	free(r.stack);
}

void iterator_graph_free(struct iterator_graph *g)
{
	free(g->nodes);
	free(g->edges);
	free(g->device_ids);
	*g = (struct iterator_graph){0};
}
