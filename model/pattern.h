/* model/pattern.h - PCRE2 behind four calls: one compiled pattern, safe on any bytes.
 * Owner:   pattern_new -> pattern_free. Threads: one pattern, one thread at a time (it owns its match buffer).
 * Safety:  invalid UTF-8 in the subject never matches but is no error; matching effort is limited, and a pattern that
 *          runs into the limit does not match. */
#ifndef STEPSCOPE_PATTERN_H
#define STEPSCOPE_PATTERN_H
#include <stdbool.h>
#include <stddef.h>

enum { PATTERN_CASELESS = 1, PATTERN_LITERAL = 2 };
enum { PATTERN_WHY = 128 };

struct pattern;
/* NULL when the pattern is wrong: `why` tells the reason, *at the byte it was found at. why and at may be NULL. */
struct pattern *pattern_new(const char *text, size_t n, int flags, char why[PATTERN_WHY], size_t *at);
void pattern_free(struct pattern *p);
bool pattern_matches(struct pattern *p, const char *subject, size_t n);
#endif
