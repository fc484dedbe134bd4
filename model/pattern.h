/* model/pattern.h - PCRE2 in one place: compile, match, and never for long. Nothing else includes pcre2.h.
 * Owner:   pattern_new -> pattern_free. Threads: one pattern, one thread at a time (it owns its match buffer); patterns that
 *          share a budget too.
 * Safety:  invalid UTF-8 in the subject never matches but is no error. Length and nesting of a pattern are limited, as are
 *          steps, depth and memory for one subject and the time that all patterns of one question take together.
 * Limits:  a limit that is hit stops the budget for good: from then on nothing matches, and pattern_budget_sound says why.
 *          Callers check it before they use an answer: "no match" may also mean "not tried". */
#ifndef STEPSCOPE_PATTERN_H
#define STEPSCOPE_PATTERN_H
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include <stddef.h>
#include <stdint.h>

/* PATTERN_LATER: the text is known to be a pattern, and outlives this one; it is compiled when it is first asked.
 * PATTERN_SHORT: repeats take as little as they can. Whether a text matches is the same, but for patterns with "(?" or possessive
 * repeats; what is found sooner is known sooner. */
enum { PATTERN_CASELESS = 1, PATTERN_LITERAL = 2, PATTERN_LATER = 4, PATTERN_SHORT = 8 };
enum { PATTERN_WHY = 128, PATTERN_MOST_BYTES = 4096, PATTERN_MOST_SECONDS = 10 };

/* What the patterns of one question may still take. pattern_budget_open before the first match, and again for the next
 * question; it lies where its owner does and outlives the patterns. */
struct pattern_budget {
	struct progress *progress;
	int64_t left_ns; /* of PATTERN_MOST_SECONDS */
	bool each_text;  /* so much for each text instead of for all of them */
	bool stopped;
	char why[256]; /* "filter: the pattern '(a+)+$' is too costly: ..." */
};
/* progress: once it says cancel, matching a very long text ends early, with any answer; NULL = never cancelled. */
void pattern_budget_open(struct pattern_budget *b, struct progress *progress);
/* The same for patterns that every name of a trace is asked, however many there are: the time limit is for one text. */
void pattern_budget_open_each(struct pattern_budget *b);
/* False with a usage error that names the pattern, the limit and what to do, once a limit was hit. */
bool pattern_budget_sound(const struct pattern_budget *b, struct err *e);

struct pattern;
/* whose: stands in front of what is said about it ("filter", "rules file x, line 7"); kept, not copied.
 * NULL when the pattern is wrong: `why` tells the reason, *at the byte it was found at. why and at may be NULL. */
struct pattern *pattern_new(const char *whose, const char *text, size_t n, int flags, struct pattern_budget *b,
			    char why[PATTERN_WHY], size_t *at);
void pattern_free(struct pattern *p);
/* False when it does not match, and whenever the budget has stopped. */
bool pattern_matches(struct pattern *p, const char *subject, size_t n);
/* The number that the named group of the last subject that matched stands for, in `subject` as it was given then. False: the
 * pattern has no such group, it took no part in the match, or it holds something else than up to 18 digits. */
bool pattern_number(const struct pattern *p, const char *subject, const char *group, int64_t *out);
/* Smart case: the flags for a text that people type; one without capitals matches any case. */
int pattern_smart_case(const char *text, size_t n);
#endif
