/* tui/export/folded.c - stacks with their own time, one per line, as flame graph programs read them: the threads of hosts with what
 * their events enclose, and devices with the ops that launched their work. */
#include "formats.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "tui/tables/scrub.h"
#include "slice.h"
#include "tui/tables/block.h"
#include <inttypes.h>
#include <string.h>

struct stack_node {
	uint32_t parent; /* NONE_ID: a thread or device */
	const char *name;
	int64_t own_ns;
};
struct stacks {
	const struct export_req *req;
	const struct trace *t;
	const struct columns *c;
	struct query q;
	struct scrub *scrub; /* NULL: as recorded */
	struct arena mem;
	struct stack_node *at;
	uint32_t n, cap;
	struct idmap by_name; /* (parent, name) -> node */
	struct block out;
};

static uint32_t add_node(struct stacks *s, uint32_t parent, const char *name)
{
	GROW_ARRAY(s->at, s->n, s->cap);
	s->at[s->n] = (struct stack_node){parent, name, 0};
	return s->n++;
}

static uint32_t child(struct stacks *s, uint32_t parent, row_id r)
{
	uint32_t *found = idmap_put(&s->by_name, (uint64_t)parent << 32 | s->c->name[r], NONE_ID);
	if (*found != NONE_ID)
		return *found;
	uint32_t made = add_node(s, parent, scrub_event(s->scrub, s->t, r, &s->mem));
	*idmap_put(&s->by_name, (uint64_t)parent << 32 | s->c->name[r], NONE_ID) = made;
	return made;
}

static int64_t clipped(const struct stacks *s, row_id r)
{
	return query_clipped_ns(&s->q, s->c->start_ns[r], s->c->start_ns[r] + s->c->dur_ns[r]);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------------- */

static void take_thread(struct stacks *s, uint32_t track)
{
	const struct track_info *x = trace_track(s->t, track);
	uint32_t *node = must(calloc(x->n + 1, sizeof *node)), root = NONE_ID; /* by row; 0: not in the window */
	for (struct event_iter it = event_iter(s->t, track, s->q.a_ns, s->q.b_ns, KINDS_ALL); event_next(&it);) {
		row_id r = it.row, above = trace_parent(s->t, r);
		if (root == NONE_ID)
			root = add_node(s, NONE_ID, scrub_track(s->scrub, s->t, track, &s->mem));
		uint32_t parent = above == NONE_ID || !node[above - x->first] ? root : node[above - x->first] - 1;
		uint32_t own = child(s, parent, r);
		node[r - x->first] = own + 1;
		s->at[own].own_ns += clipped(s, r);
		if (parent != root)
			s->at[parent].own_ns -= clipped(s, r);
	}
	free(node);
}

/* ---- devices ---------------------------------------------------------------------------------------------------------------- */

/* The ops around the launch, the outermost first. */
static uint32_t ops_around(struct stacks *s, uint32_t root, row_id launch)
{
	enum { DEPTH_MOST = 64 };
	row_id ops[DEPTH_MOST];
	uint32_t n = 0;
	for (row_id r = launch; r != NONE_ID && n < DEPTH_MOST; r = trace_parent(s->t, r))
		if (s->c->kind[r] == KIND_OP)
			ops[n++] = r;
	while (n > 0)
		root = child(s, root, ops[--n]);
	return root;
}

static void take_stream(struct stacks *s, uint32_t track, uint32_t root)
{
	for (struct event_iter it = event_iter(s->t, track, s->q.a_ns, s->q.b_ns, KINDS_WORK); event_next(&it);) {
		uint32_t own = child(s, ops_around(s, root, s->c->link[it.row]), it.row);
		s->at[own].own_ns += clipped(s, it.row);
	}
}

static void take_device(struct stacks *s, uint32_t device)
{
	uint32_t root = add_node(s, NONE_ID, scrub_device(s->scrub, s->t, device, &s->mem));
	for (uint32_t i = 0; i < trace_tracks(s->t); i++)
		if (trace_track(s->t, i)->kind == TRACK_STREAM && trace_track(s->t, i)->device == device)
			take_stream(s, i, root);
}

/* ---- lines ------------------------------------------------------------------------------------------------------------------ */

/* ";" stands between names, the last blank before the number. */
static void put_name(struct stacks *s, const char *name)
{
	for (; *name; name++)
		block_char(&s->out, *name == ';' ? ',' : (unsigned char)*name < ' ' ? ' ' : *name);
}

static void put_stack(struct stacks *s, uint32_t node)
{
	if (s->at[node].parent != NONE_ID) {
		put_stack(s, s->at[node].parent);
		block_char(&s->out, ';');
	}
	put_name(s, *s->at[node].name ? s->at[node].name : "(no name)");
}

static void put_all(struct stacks *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->at[i].own_ns <= 0)
			continue;
		put_stack(s, i);
		block_char(&s->out, ' ');
		block_i64(&s->out, s->at[i].own_ns);
		block_char(&s->out, '\n');
	}
	block_flush(&s->out);
}

bool export_folded(const struct export_req *r, FILE *out, struct err *e)
{
	struct stacks s = {.req = r,
			   .t = derived_trace(r->d),
			   .c = derived_columns(r->d),
			   .q = window_query(&r->window, NULL),
			   .out.out = out};
	s.scrub = r->redact ? scrub_new(r->d) : NULL;
	bool ok = true;
	for (uint32_t i = 0; ok && i < trace_tracks(s.t); i++) {
		if (trace_track(s.t, i)->kind == TRACK_THREAD)
			take_thread(&s, i);
		ok = !progress_cancelled(r->progress) || err_usage(e, "cancelled");
	}
	for (uint32_t i = 0; ok && i < trace_devices(s.t); i++)
		take_device(&s, i);
	put_all(&s);
	idmap_free(&s.by_name);
	free(s.at);
	scrub_free(s.scrub);
	arena_free(&s.mem);
	return ok;
}
