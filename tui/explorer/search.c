#include "search.h"
#include "model/analysis/kernels/filter_said.h"
#include "model/analysis/query/windowed.h"
#include "model/pattern.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct search {
	unsigned owners;
	struct pattern *pattern;
	struct pattern_budget budget;
	char *text;
	struct filter *filter; /* conditions instead of a pattern */
	struct hits *hits;     /* of the trace that was asked about */
	_Atomic(struct hits *) shown;
};
enum { UNSEEN, HIT, MISS };

struct search *search_new(const char *text, struct err *e)
{
	char why[PATTERN_WHY];
	size_t at = 0, n = strlen(text);
	struct search *s = must(calloc(1, sizeof *s));
	s->owners = 1;
	s->text = must(strdup(text));
	search_open(s, NULL);
	if (filter_names_field(text)) {
		s->filter = filter_new(text, e);
		if (s->filter)
			return s;
		search_free(s);
		return NULL;
	}
	s->pattern = pattern_new("search", text, n, pattern_smart_case(text, n), &s->budget, why, &at);
	if (s->pattern)
		return s;
	err_usage(e, "pattern: %s at character %zu", why, at + 1);
	search_free(s);
	return NULL;
}

struct search *search_keep(struct search *s)
{
	s->owners++;
	return s;
}

void search_free(struct search *s)
{
	if (!s || --s->owners)
		return;
	pattern_free(s->pattern);
	filter_free(s->filter);
	hits_free(s->hits);
	free(s->text);
	free(s);
}

const char *search_text(const struct search *s)
{
	return s->text;
}

bool search_is_filter(const struct search *s)
{
	return s->filter != NULL;
}

const struct hits *search_shown(const struct search *s)
{
	return s ? atomic_load(&s->shown) : NULL;
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

void search_open(struct search *s, struct progress *p)
{
	pattern_budget_open(&s->budget, p);
}

bool search_hits(struct search *s, const char *text)
{
	return s->pattern && pattern_matches(s->pattern, text, strlen(text));
}

bool search_sound(const struct search *s, struct err *e)
{
	return pattern_budget_sound(&s->budget, e);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

struct asking {
	struct search *s;
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	unsigned char *names; /* per str_id: UNSEEN, HIT, MISS */
};

/* Every distinct name is matched once; events then only look their name up. */
static bool name_hit(void *ctx, row_id r)
{
	struct asking *a = ctx;
	unsigned char *name = &a->names[a->c->name[r]];
	if (*name == UNSEEN) {
		struct span text = strings_get(trace_strings(a->t), a->c->name[r]);
		*name = !a->s->budget.stopped && pattern_matches(a->s->pattern, text.p, text.n) ? HIT : MISS;
	}
	return *name == HIT;
}

static bool filter_hit(void *ctx, row_id r)
{
	struct asking *a = ctx;
	return filter_match(a->s->filter, r, windowed_step(a->d, r));
}

static bool find_all(struct search *s, const struct derived *d, struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct asking a = {s, d, t, trace_columns(t), NULL};
	if (s->hits)
		return true;
	search_open(s, p);
	if (s->filter)
		TRY(filter_bind_derived(s->filter, d, p, e));
	a.names = must(calloc(strings_count(trace_strings(t)) + 1u, 1));
	struct hits *h = hits_new(t, s->filter ? filter_hit : name_hit, &a, p);
	free(a.names);
	bool sound = search_sound(s, e);
	if (sound && h) {
		s->hits = h;
		atomic_store(&s->shown, h);
		return true;
	}
	hits_free(h);
	return sound ? err_usage(e, "cancelled") : false;
}

struct place {
	int64_t ns;
	row_id row;
};

static bool before(struct place a, struct place b)
{
	return a.ns != b.ns ? a.ns < b.ns : a.row < b.row;
}

/* Nearest hit on one side of `here`; the far end of the other side when there is none. */
static struct place nearest(const struct search *s, const struct columns *c, struct place here, int direction,
			    struct progress_loop *loop)
{
	struct place best = {0, NONE_ID}, wrap = {0, NONE_ID};
	for (uint64_t r = 0; r < c->n && !progress_loop_cancelled(loop); r++) {
		if (!hits_has(s->hits, (row_id)r))
			continue;
		struct place p = {c->start_ns[r], (row_id)r};
		bool ahead = direction > 0 ? before(here, p) : before(p, here);
		struct place *keep = ahead ? &best : &wrap;
		if (keep->row == NONE_ID || (direction > 0 ? before(p, *keep) : before(*keep, p)))
			*keep = p;
	}
	return best.row != NONE_ID ? best : wrap;
}

bool search_events(struct search *s, const struct derived *d, const struct search_place *at, struct progress *p,
		   struct search_found *out, struct err *e)
{
	*out = (struct search_found){.row = NONE_ID};
	TRY(find_all(s, d, p, e));
	const struct columns *c = trace_columns(derived_trace(d));
	struct progress_loop loop = {.progress = p};
	struct place here = {at->ts_ns, 0};
	if (at->from != NONE_ID)
		here = (struct place){c->start_ns[at->from], at->from};
	out->count = hits_count(s->hits);
	for (int64_t i = 0; i < llabs(at->steps) && out->count && !loop.cancelled; i++)
		here = nearest(s, c, here, at->steps > 0 ? 1 : -1, &loop);
	if (loop.cancelled)
		return err_usage(e, "cancelled");
	if (out->count) {
		out->row = here.row;
		out->place = hits_place(s->hits, here.row);
	}
	return true;
}
