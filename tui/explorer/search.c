#include "search.h"
#include "model/pattern.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct search {
	unsigned owners;
	struct pattern *pattern;
	struct pattern_budget budget;
	char *text;
	const struct trace *trace; /* names below belong to it */
	unsigned char *names;      /* per str_id: UNSEEN, HIT, MISS */
	uint64_t count;
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
	free(s->text);
	free(s->names);
	free(s);
}

const char *search_text(const struct search *s)
{
	return s->text;
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

void search_open(struct search *s, struct progress *p)
{
	pattern_budget_open(&s->budget, p);
}

bool search_hits(struct search *s, const char *text)
{
	return pattern_matches(s->pattern, text, strlen(text));
}

bool search_sound(const struct search *s, struct err *e)
{
	return pattern_budget_sound(&s->budget, e);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

/* Every distinct name is matched once; events then only look their name up. */
static bool match_names(struct search *s, const struct trace *t, struct progress *p, struct err *e)
{
	if (s->trace == t)
		return true;
	const struct strings *strings = trace_strings(t);
	const struct columns *c = trace_columns(t);
	free(s->names);
	s->names = must(calloc(strings_count(strings) + 1u, 1));
	s->count = 0;
	search_open(s, p);
	for (uint64_t r = 0; r < c->n && !s->budget.stopped && !progress_cancelled(p); r++) {
		unsigned char *name = &s->names[c->name[r]];
		if (*name == UNSEEN) {
			struct span text = strings_get(strings, c->name[r]);
			*name = pattern_matches(s->pattern, text.p, text.n) ? HIT : MISS;
		}
		s->count += *name == HIT;
	}
	TRY(search_sound(s, e));
	if (progress_cancelled(p))
		return err_usage(e, "cancelled");
	s->trace = t;
	return true;
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
		if (s->names[c->name[r]] != HIT)
			continue;
		struct place p = {c->start_ns[r], (row_id)r};
		bool ahead = direction > 0 ? before(here, p) : before(p, here);
		struct place *keep = ahead ? &best : &wrap;
		if (keep->row == NONE_ID || (direction > 0 ? before(p, *keep) : before(*keep, p)))
			*keep = p;
	}
	return best.row != NONE_ID ? best : wrap;
}

bool search_events(struct search *s, const struct trace *t, const struct search_place *at, struct progress *p,
		   struct search_found *out, struct err *e)
{
	*out = (struct search_found){.row = NONE_ID};
	TRY(match_names(s, t, p, e));
	const struct columns *c = trace_columns(t);
	struct progress_loop loop = {.progress = p};
	struct place here = {at->ts_ns, 0};
	if (at->from != NONE_ID)
		here = (struct place){c->start_ns[at->from], at->from};
	out->count = s->count;
	for (int64_t i = 0; i < llabs(at->steps) && s->count && !loop.cancelled; i++)
		here = nearest(s, c, here, at->steps > 0 ? 1 : -1, &loop);
	if (loop.cancelled)
		return err_usage(e, "cancelled");
	if (s->count)
		out->row = here.row;
	return true;
}
