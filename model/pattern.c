#include "pattern.h"
#include "store/memory.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

/* Effort for one subject: real patterns need thousands of steps on the longest names, runaway ones millions. */
enum { MATCH_LIMIT = 2000000, DEPTH_LIMIT = 100000, HEAP_LIMIT_KIB = 20000 };

struct pattern {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
};

static uint32_t options(int flags)
{
	uint32_t o = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
	if (flags & PATTERN_CASELESS)
		o |= PCRE2_CASELESS;
	if (flags & PATTERN_LITERAL) /* PCRE2_NEVER_BACKSLASH_C means nothing then and is refused */
		o = (o & ~PCRE2_NEVER_BACKSLASH_C) | PCRE2_LITERAL;
	return o;
}

static void explain(int code, size_t offset, char why[PATTERN_WHY], size_t *at)
{
	if (why)
		pcre2_get_error_message(code, (PCRE2_UCHAR *)why, PATTERN_WHY);
	if (at)
		*at = offset;
}

struct pattern *pattern_new(const char *text, size_t n, int flags, char why[PATTERN_WHY], size_t *at)
{
	int error;
	PCRE2_SIZE offset;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, n, options(flags), &error, &offset, NULL);
	if (!code && error == PCRE2_ERROR_HEAP_FAILED)
		memory_exhausted();
	if (!code) {
		explain(error, offset, why, at);
		return NULL;
	}
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it matching is slower, nothing else */
	struct pattern *p = must(calloc(1, sizeof *p));
	p->code = code;
	p->match = pcre2_match_data_create(1, NULL);
	p->limits = pcre2_match_context_create(NULL);
	if (!p->match || !p->limits)
		memory_exhausted();
	pcre2_set_match_limit(p->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(p->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(p->limits, HEAP_LIMIT_KIB);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->limits);
	pcre2_match_data_free(p->match);
	pcre2_code_free(p->code);
	free(p);
}

bool pattern_matches(struct pattern *p, const char *subject, size_t n)
{
	int found = pcre2_match(p->code, (PCRE2_SPTR)subject, n, 0, 0, p->match, p->limits);
	if (found == PCRE2_ERROR_NOMEMORY)
		memory_exhausted();
	return found >= 0;
}
