#include "loose_name.h"
#include "model/analysis/names/kernel_name.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_hex(char c)
{
	return isdigit((unsigned char)c) || (c >= 'a' && c <= 'f');
}

/* Length of a hash at the start of p, a word of eight hexadecimal digits or more with both digits and letters; else 0. */
static size_t hash_at(const char *p)
{
	enum { SHORTEST = 8 };
	size_t n = 0, digits = 0;
	for (; is_hex(p[n]); n++)
		digits += isdigit((unsigned char)p[n]) != 0;
	bool word_ends = !isalnum((unsigned char)p[n]);
	return n >= SHORTEST && digits > 0 && digits < n && word_ends ? n : 0;
}

/* After the bracket that closes the one at p; p + 1 where none does: "operator<". */
static const char *behind_arguments(const char *p)
{
	int depth = 0;
	for (const char *q = p; *q; q++) {
		depth += (*q == '<') - (*q == '>' && (q == p || q[-1] != '-'));
		if (!depth)
			return q + 1;
	}
	return p + 1;
}

const char *loose_name(struct arena *mem, const char *name)
{
	if (!name)
		return NULL;
	const char *p = kernel_name_bare(mem, name);
	char *out = arena_alloc(mem, strlen(p) + 1), *to = out;
	bool begins = true; /* a word */
	while (*p) {
		size_t hash = begins ? hash_at(p) : 0;
		if (*p == '<') {
			p = behind_arguments(p);
		} else if (hash || isdigit((unsigned char)*p)) {
			*to++ = '#';
			p += hash;
			while (!hash && isdigit((unsigned char)*p))
				p++;
			begins = false;
		} else {
			begins = !isalnum((unsigned char)*p);
			*to++ = *p++;
		}
	}
	return out;
}
