#include "pattern.h"
#include "model/store/base/memory.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Per starting point: real patterns need thousands of steps on the longest names, runaway ones millions. Compiled to machine
 * code PCRE2 counts fewer steps than interpreted, one per repeat or group entered, and knows neither depth nor heap. */
enum { MOST_STEPS = 250000, MOST_DEPTH = 100000, MOST_HEAP_KIB = 20000 };
/* A level of parentheses takes PCRE2 640 bytes of stack beside 24 KiB: both must go into small ones (ulimit -s 128). */
enum { MOST_NESTING = 60 };
/* Long subjects are matched from some starting points at a time, so that the clock is looked at in between: STARTS of them,
 * fewer where each of them could look at more than LOOKS / STARTS bytes (a[^b]*c takes one step however far it looks). */
enum { STARTS = 512, LEAST_STARTS = 16, LOOKS = 1 << 26 };
enum { EXCERPT = 48 };

struct pattern {
	pcre2_code *code; /* NULL: it is made from `text` when it is first asked */
	pcre2_match_data *match;
	pcre2_match_context *limits;
	const char *text;
	size_t n;
	int flags;
	struct pattern_budget *budget;
	const char *whose;
	bool literal; /* takes time in proportion to the subject: no clock is needed */
	bool asked; /* before: many patterns never are, and making machine code takes as long as a hundred questions */
	char excerpt[EXCERPT + 4];
};

/* ---- the budget ------------------------------------------------------------------------------------------------- */

static const int64_t most_ns = PATTERN_MOST_SECONDS * INT64_C(1000000000);

void pattern_budget_open(struct pattern_budget *b, struct progress *progress)
{
	*b = (struct pattern_budget){.progress = progress, .left_ns = most_ns};
}

void pattern_budget_open_each(struct pattern_budget *b)
{
	*b = (struct pattern_budget){.left_ns = most_ns, .each_text = true};
}

bool pattern_budget_sound(const struct pattern_budget *b, struct err *e)
{
	return !b->stopped || err_usage(e, "%s", b->why);
}

static const char *what_was_hit(int code, char *buf, size_t size)
{
	switch (code) {
	case PCRE2_ERROR_MATCHLIMIT:
		snprintf(buf, size, "is too costly: more than %d steps for one text", MOST_STEPS);
		break;
	case PCRE2_ERROR_DEPTHLIMIT:
		snprintf(buf, size, "is too costly: nested more than %d deep for one text", MOST_DEPTH);
		break;
	case PCRE2_ERROR_HEAPLIMIT:
		snprintf(buf, size, "is too costly: more than %d KiB of memory for one text", MOST_HEAP_KIB);
		break;
	default:
		snprintf(buf, size, "cannot be matched (PCRE2 error %d)", code);
	}
	return buf;
}

static void stop(struct pattern *p, const char *limit)
{
	struct pattern_budget *b = p->budget;
	if (b->stopped)
		return;
	b->stopped = true;
	snprintf(b->why, sizeof b->why,
		 "%s: the pattern '%s' %s; avoid a repeat inside a repeat such as (a+)+, anchor it, or use plain text",
		 p->whose, p->excerpt, limit);
}

/* Ticks a few times per 10 ms: over many matches the parts that are lost and won even out. */
static int64_t coarse_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

static uint32_t options(int flags)
{
	uint32_t o = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	if (flags & PATTERN_CASELESS)
		o |= PCRE2_CASELESS;
	if (flags & PATTERN_LITERAL)
		return o | PCRE2_LITERAL; /* those below mean nothing then and are refused */
	if (flags & PATTERN_SHORT)
		o |= PCRE2_UNGREEDY;
	return o | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
}

static void explain(int code, size_t offset, char why[PATTERN_WHY], size_t *at)
{
	if (why)
		pcre2_get_error_message(code, (PCRE2_UCHAR *)why, PATTERN_WHY);
	if (at)
		*at = offset;
}

static pcre2_code *compile(const char *text, size_t n, int flags, char why[PATTERN_WHY], size_t *at)
{
	int error;
	PCRE2_SIZE offset;
	pcre2_compile_context *bounds = must(pcre2_compile_context_create(NULL));
	pcre2_set_max_pattern_length(bounds, PATTERN_MOST_BYTES);
	pcre2_set_parens_nest_limit(bounds, MOST_NESTING);
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, n, options(flags), &error, &offset, bounds);
	pcre2_compile_context_free(bounds);
	if (!code && error == PCRE2_ERROR_HEAP_FAILED)
		memory_exhausted();
	if (!code)
		explain(error, offset, why, at);
	return code;
}

static pcre2_match_context *limits_new(void)
{
	pcre2_match_context *limits = must(pcre2_match_context_create(NULL));
	pcre2_set_match_limit(limits, MOST_STEPS);
	pcre2_set_depth_limit(limits, MOST_DEPTH);
	pcre2_set_heap_limit(limits, MOST_HEAP_KIB);
	return limits;
}

static void take_code(struct pattern *p, pcre2_code *code)
{
	p->code = code;
	p->match = must(pcre2_match_data_create_from_pattern(code, NULL));
	p->limits = limits_new();
}

struct pattern *pattern_new(const char *whose, const char *text, size_t n, int flags, struct pattern_budget *b,
			    char why[PATTERN_WHY], size_t *at)
{
	bool later = flags & PATTERN_LATER;
	pcre2_code *code = later ? NULL : compile(text, n, flags, why, at);
	if (!code && !later)
		return NULL;
	struct pattern *p = must(calloc(1, sizeof *p));
	if (code)
		take_code(p, code);
	else
		*p = (struct pattern){.text = text, .n = n, .flags = flags};
	p->budget = b;
	p->whose = whose;
	p->literal = flags & PATTERN_LITERAL;
	snprintf(p->excerpt, sizeof p->excerpt, "%.*s%s", (int)(n < EXCERPT ? n : EXCERPT), text,
		 n > EXCERPT ? "..." : "");
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

int pattern_smart_case(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] >= 'A' && text[i] <= 'Z')
			return 0;
	return PATTERN_CASELESS;
}

/* ---- matching --------------------------------------------------------------------------------------------------- */

/* Machine code has a small stack of its own; what does not fit there is interpreted, under the same limits. */
static int match_from(struct pattern *p, const char *subject, size_t n, size_t from)
{
	int got = pcre2_match(p->code, (PCRE2_SPTR)subject, n, from, 0, p->match, p->limits);
	if (got == PCRE2_ERROR_JIT_STACKLIMIT)
		got = pcre2_match(p->code, (PCRE2_SPTR)subject, n, from, PCRE2_NO_JIT, p->match, p->limits);
	return got;
}

/* Before its first subject. False: it is no pattern, though it was said to be one. */
static bool get_ready(struct pattern *p)
{
	if (!p->code) {
		pcre2_code *code = compile(p->text, p->n, p->flags, NULL, NULL);
		if (!code) {
			stop(p, "is wrong");
			return false;
		}
		take_code(p, code);
	}
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* without it matching is slower, nothing else */
	p->asked = true;
	return true;
}

static bool settle(struct pattern *p, int got)
{
	char limit[96];
	if (got == PCRE2_ERROR_NOMEMORY)
		memory_exhausted();
	if (got < 0 && got != PCRE2_ERROR_NOMATCH)
		stop(p, what_was_hit(got, limit, sizeof limit));
	return got >= 0;
}

static bool match_timed(struct pattern *p, const char *subject, size_t n, size_t from)
{
	char limit[96];
	int64_t begun_ns = coarse_ns();
	bool hit = settle(p, match_from(p, subject, n, from));
	p->budget->left_ns -= coarse_ns() - begun_ns;
	if (p->budget->left_ns >= 0)
		return hit;
	snprintf(limit, sizeof limit, "is too costly: more than %d s for %s", PATTERN_MOST_SECONDS,
		 p->budget->each_text ? "one text" : "all texts");
	stop(p, limit);
	return false;
}

/* The first byte of a character at or after `at`. */
static size_t character_from(const char *subject, size_t n, size_t at)
{
	while (at < n && ((unsigned char)subject[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static bool match_long(struct pattern *p, const char *subject, size_t n)
{
	size_t starts = LOOKS / n > STARTS ? STARTS : LOOKS / n > LEAST_STARTS ? LOOKS / n : LEAST_STARTS;
	bool hit = false;
	const struct pattern_budget *b = p->budget;
	for (size_t from = 0, next; from <= n && !hit && !b->stopped && !progress_cancelled(b->progress); from = next) {
		next = character_from(subject, n, from + starts);
		pcre2_set_offset_limit(p->limits, next - 1);
		hit = match_timed(p, subject, n, from);
	}
	pcre2_set_offset_limit(p->limits, PCRE2_UNSET);
	return hit;
}

bool pattern_matches(struct pattern *p, const char *subject, size_t n)
{
	if (p->budget->stopped || (!p->asked && !get_ready(p)))
		return false;
	if (p->budget->each_text)
		p->budget->left_ns = most_ns;
	if (p->literal)
		return settle(p, match_from(p, subject, n, 0));
	return n > STARTS ? match_long(p, subject, n) : match_timed(p, subject, n, 0);
}

bool pattern_number(const struct pattern *p, const char *subject, const char *group, int64_t *out)
{
	enum { MOST_DIGITS = 18 };
	int i = pcre2_substring_number_from_name(p->code, (PCRE2_SPTR)group);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->match);
	if (i < 0 || (uint32_t)i >= pcre2_get_ovector_count(p->match) || at[2 * i] == PCRE2_UNSET)
		return false;
	size_t n = at[2 * i + 1] - at[2 * i];
	if (!n || n > MOST_DIGITS)
		return false;
	int64_t v = 0;
	for (const char *c = subject + at[2 * i], *end = c + n; c < end; c++) {
		if (*c < '0' || *c > '9')
			return false;
		v = 10 * v + (*c - '0');
	}
	*out = v;
	return true;
}
