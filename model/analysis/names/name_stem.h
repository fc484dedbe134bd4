/* model/analysis/names/name_stem.h - names that differ only by the number at their end ("ProfilerStep#1", "ProfilerStep#2", ...): a trace may
 * have one for each of its steps, and rules that look for words without digits say the same of all of them. */
#ifndef STEPSCOPE_NAME_STEM_H
#define STEPSCOPE_NAME_STEM_H
#include <stdbool.h>
#include <string.h>

struct name_stem {
	const char *name; /* NULL: none, or it does not end in a number of up to 18 digits */
	size_t n;         /* without the number */
};
/* Whether the name is like the one asked about before, {0} = there was none; both end in numbers then. Keeps `name`. */
static inline bool name_stem_again(struct name_stem *before, const char *name)
{
	enum { DIGITS_MOST = 18 };
	size_t length = strlen(name), n = length;
	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	bool numbered = n < length && length - n <= DIGITS_MOST;
	bool again = numbered && before->name && before->n == n && !memcmp(before->name, name, n);
	*before = (struct name_stem){numbered ? name : NULL, n};
	return again;
}
#endif
