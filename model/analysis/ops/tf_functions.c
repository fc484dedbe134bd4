#include "tf_functions.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>
#include <string.h>

enum { NAME_UNSEEN, NAME_CALL, NAME_OTHER };

struct call {
	uint32_t function;
	bool expensive;
};
struct reader {
	const struct derived *d;
	const struct query *q;
	struct arena *mem, scratch;
	struct tf_functions *out;
	str_id call_key, count_key;
	uint8_t *names;      /* per text: whether events of that name are calls, by the first one met */
	uint32_t *functions; /* per text: place in out->at + 1 */
	struct innermost m;
	struct call *open, next;
	uint32_t cap;
};

static uint32_t function_of(struct reader *r, str_id name)
{
	struct tf_functions *v = r->out;
	if (r->functions[name])
		return r->functions[name] - 1;
	v->at = arena_next_row(r->mem, v->at, v->n, sizeof *v->at);
	v->at[v->n] = (struct tf_function){.name = name, .longest = NONE_ID};
	r->functions[name] = ++v->n;
	return v->n - 1;
}

static bool is_expensive(const char *mode)
{
	return !strncmp(mode, "traced-", 7) || !strcmp(mode, "eager");
}

/* Fills what the event's attributes say; false when it is no call. */
static bool read_call(struct reader *r, row_id row, bool *expensive, int64_t *tracings)
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(derived_columns(r->d)->attrs, row);
	bool call = false;
	if (r->scratch.bytes > 1 << 20)
		arena_free(&r->scratch);
	if (!at || !attrs_read(trace_attrs(derived_trace(r->d)), at, &r->scratch, &attrs, &n))
		return false;
	*tracings = 0;
	for (size_t i = 0; i < n; i++) {
		const char *text = attr_text(&attrs[i], trace_strings(derived_trace(r->d)), &r->scratch);
		if (attrs[i].key == r->count_key)
			*tracings = strtoll(text, NULL, 10);
		if (attrs[i].key != r->call_key)
			continue;
		*expensive = is_expensive(text);
		call = true;
	}
	return call;
}

static void opened(void *arg, uint32_t id, uint32_t at)
{
	struct reader *r = arg;
	(void)id;
	GROW_ARRAY(r->open, at, r->cap);
	r->open[at] = r->next;
}

static void done(void *arg, uint32_t id, int64_t self_ns)
{
	struct reader *r = arg;
	struct call c = r->open[r->m.n];
	struct tf_function *f = &r->out->at[c.function];
	(void)id;
	f->self_ns += self_ns;
	f->expensive_ns += c.expensive ? self_ns : 0;
	r->out->self_ns += self_ns;
	r->out->expensive_ns += c.expensive ? self_ns : 0;
}

static void take(struct reader *r, row_id row)
{
	const struct columns *c = derived_columns(r->d);
	str_id name = c->name[row];
	bool expensive = false;
	int64_t tracings, a_ns = c->start_ns[row], b_ns = row_end(c, row);
	if (r->names[name] == NAME_OTHER || !event_wanted(r->d, r->q, row))
		return;
	bool call = read_call(r, row, &expensive, &tracings);
	if (r->names[name] == NAME_UNSEEN)
		r->names[name] = call ? NAME_CALL : NAME_OTHER;
	if (!call)
		return;
	r->next = (struct call){function_of(r, name), expensive};
	struct tf_function *f = &r->out->at[r->next.function];
	f->calls += a_ns >= r->q->a_ns;
	f->expensive_calls += a_ns >= r->q->a_ns && expensive;
	f->tracings = tracings > f->tracings ? tracings : f->tracings;
	if (f->longest == NONE_ID || c->dur_ns[row] > c->dur_ns[f->longest])
		f->longest = row;
	innermost_open(&r->m, row, a_ns > r->q->a_ns ? a_ns : r->q->a_ns, b_ns < r->q->b_ns ? b_ns : r->q->b_ns);
}

static void read_thread(struct reader *r, uint32_t track)
{
	const uint32_t kinds = KIND_BIT(KIND_OTHER) | KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION);
	struct event_iter it = event_iter(derived_trace(r->d), track, r->q->a_ns, r->q->b_ns, kinds);
	r->m = (struct innermost){.opened = opened, .done = done, .arg = r};
	while (event_next(&it))
		take(r, it.row);
	innermost_close_all(&r->m);
}

static int more_expensive(const void *x, const void *y)
{
	const struct tf_function *a = x, *b = y;
	if (a->expensive_ns != b->expensive_ns)
		return a->expensive_ns < b->expensive_ns ? 1 : -1;
	return (a->name > b->name) - (a->name < b->name);
}

void tf_functions_read(const struct derived *d, const struct query *q, struct arena *mem, struct tf_functions *out)
{
	const struct strings *s = trace_strings(derived_trace(d));
	struct reader r = {.d = d, .q = q, .mem = mem, .out = out};
	*out = (struct tf_functions){0};
	r.call_key = strings_find(s, "tf_function_call", strlen("tf_function_call"));
	r.count_key = strings_find(s, "tracing_count", strlen("tracing_count"));
	if (!r.call_key)
		return;
	size_t texts = strings_count(s) + 1u;
	struct arena own = {0};
	r.names = arena_alloc(&own, texts);
	r.functions = arena_alloc(&own, texts * sizeof *r.functions);
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)); i++)
		if (trace_track(derived_trace(d), i)->kind == TRACK_THREAD &&
		    derived_is_host_track(trace_track(derived_trace(d), i)))
			read_thread(&r, i);
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, more_expensive);
	arena_free(&r.scratch);
	arena_free(&own);
	free(r.open);
}
