/* model/store/base/spans.h - pieces of text, compared as bytes. A span of length 0 may point anywhere. */
#ifndef STEPSCOPE_SPANS_H
#define STEPSCOPE_SPANS_H
#include "strings.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static inline struct span span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}
static inline bool span_starts(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.n >= n && !memcmp(s.p, prefix, n);
}
static inline bool span_starts_any_case(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.n >= n && !strncasecmp(s.p, prefix, n);
}
static inline bool span_is_any_case(struct span s, const char *text)
{
	return s.n == strlen(text) && span_starts_any_case(s, text);
}
static inline bool span_ends(struct span s, const char *suffix)
{
	size_t n = strlen(suffix);
	return s.n >= n && !memcmp(s.p + s.n - n, suffix, n);
}
static inline bool span_has(struct span s, const char *part)
{
	return s.n && memmem(s.p, s.n, part, strlen(part));
}
static inline bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && span_starts(s, text);
}
static inline bool span_same(struct span a, struct span b)
{
	return a.n == b.n && (!a.n || !memcmp(a.p, b.p, a.n));
}
/* <0, 0, >0 as strcmp */
static inline int span_order(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;
	return order ? order : (a.n > b.n) - (a.n < b.n);
}
/* FNV-1a: the same in every run. */
static inline uint32_t span_hash(struct span s)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 16777619u;
	return h;
}
/* Which of n colours, say. */
static inline uint32_t span_pick(struct span s, uint32_t n)
{
	uint32_t h = span_hash(s);
	return (h ^ h >> 15) % n;
}

/* Of texts that end with a 0. */
static inline bool text_starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}
/* Is it among the n of `list`? NULL is none of them. */
static inline bool text_is_one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; text && i < n; i++)
		if (!strcmp(text, list[i]))
			return true;
	return false;
}
/* Does it begin with one of them? */
static inline bool text_starts_with_one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_starts(text, list[i]))
			return true;
	return false;
}
/* list: an array. */
#define TEXT_IS_ONE_OF(text, list)          text_is_one_of(text, list, sizeof(list) / sizeof *(list))
#define TEXT_STARTS_WITH_ONE_OF(text, list) text_starts_with_one_of(text, list, sizeof(list) / sizeof *(list))
#endif
