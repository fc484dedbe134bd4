#define PCRE2_CODE_UNIT_WIDTH 8
#include "search.h"
#include "../model/store/memory.h"
#include <ctype.h>
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

struct search {
	pcre2_code *code;
	pcre2_match_data *match;
	char *text;
	const struct trace *trace; /* names below belong to it */
	unsigned char *names;      /* per str_id: 1 = hit */
	uint64_t count;
};

static bool has_capital(const char *s)
{
	for (; *s; s++)
		if (isupper((unsigned char)*s))
			return true;
	return false;
}

struct search *search_new(const char *pattern, struct err *e)
{
	int code;
	size_t at;
	/* MATCH_INVALID_UTF: names come from the trace as they are. */
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | (has_capital(pattern) ? 0 : PCRE2_CASELESS);
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
	if (!compiled) {
		PCRE2_UCHAR why[128];
		pcre2_get_error_message(code, why, sizeof why);
		err_usage(e, "pattern: %s at character %zu", (const char *)why, at + 1);
		return NULL;
	}
	struct search *s = must(calloc(1, sizeof *s));
	s->code = compiled;
	s->match = pcre2_match_data_create_from_pattern(compiled, NULL);
	s->text = strdup(pattern);
	return s;
}

void search_free(struct search *s)
{
	if (!s)
		return;
	pcre2_code_free(s->code);
	pcre2_match_data_free(s->match);
	free(s->text);
	free(s->names);
	free(s);
}

const char *search_text(const struct search *s)
{
	return s->text;
}

static bool hits(struct search *s, const char *p, size_t n)
{
	return pcre2_match(s->code, (PCRE2_SPTR)p, n, 0, 0, s->match, NULL) >= 0;
}

bool search_hits(struct search *s, const char *text)
{
	return hits(s, text, strlen(text));
}

/* Every distinct name is matched once; events then only look their name up. */
static void match_names(struct search *s, const struct trace *t)
{
	if (s->trace == t)
		return;
	const struct strings *strings = trace_strings(t);
	const struct columns *c = trace_columns(t);
	uint32_t n = strings_count(strings);
	free(s->names);
	s->names = must(calloc(n ? n : 1, 1));
	enum { UNSEEN, HIT, MISS };
	s->count = 0;
	for (uint64_t r = 0; r < c->n; r++) {
		unsigned char *name = &s->names[c->name[r]];
		if (*name == UNSEEN) {
			struct span text = strings_get(strings, c->name[r]);
			*name = hits(s, text.p, text.n) ? HIT : MISS;
		}
		s->count += *name == HIT;
	}
	s->trace = t;
}

struct place {
	int64_t ns;
	row_id row;
};

static bool before(struct place a, struct place b)
{
	return a.ns != b.ns ? a.ns < b.ns : a.row < b.row;
}

/* Nearest hit on one side of `from`; the far end of the other side when there is none. */
row_id search_event(struct search *s, const struct trace *t, row_id from, int64_t ts_ns, int direction)
{
	match_names(s, t);
	const struct columns *c = trace_columns(t);
	struct place here = {ts_ns, 0}, best = {0, NONE_ID}, wrap = {0, NONE_ID};
	if (from != NONE_ID)
		here = (struct place){c->start_ns[from], from};
	for (uint64_t r = 0; r < c->n; r++) {
		if (s->names[c->name[r]] != 1)
			continue;
		struct place p = {c->start_ns[r], (row_id)r};
		bool ahead = direction > 0 ? before(here, p) : before(p, here);
		struct place *keep = ahead ? &best : &wrap;
		if (keep->row == NONE_ID || (direction > 0 ? before(p, *keep) : before(*keep, p)))
			*keep = p;
	}
	return best.row != NONE_ID ? best.row : wrap.row;
}

uint64_t search_count(const struct search *s)
{
	return s->count;
}
