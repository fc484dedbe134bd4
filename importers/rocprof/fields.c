#include "fields.h"
#include "importers/number.h"
#include <string.h>

/* The text after an opening quote, its doubled quotes made single; NULL, or after the quote that closes it. */
static char *unquote(char *p, const char *end, struct span *s)
{
	char *to = p;
	s->p = p;
	while (p < end) {
		bool quote = *p == '"';
		if (quote && (p + 1 == end || p[1] == ',')) {
			s->n = (size_t)(to - s->p);
			return p + 1;
		}
		if (quote && p[1] == '"')
			p++;
		*to++ = *p++;
	}
	return NULL;
}

static char *plain(char *p, const char *end, struct span *s)
{
	char *comma = memchr(p, ',', (size_t)(end - p)), *stop = comma ? comma : p + (end - p);
	*s = (struct span){p, (size_t)(stop - p)};
	while (s->n && s->p[s->n - 1] == ' ')
		s->n--;
	return stop;
}

bool fields_cut(char *line, size_t n, struct fields *f)
{
	char *p = line;
	const char *end = line + n;
	for (f->n = 0;; p++) {
		struct span s;
		while (p < end && *p == ' ')
			p++;
		p = p < end && *p == '"' ? unquote(p + 1, end, &s) : plain(p, end, &s);
		if (!p)
			return false;
		if (f->n < MOST_FIELDS)
			f->at[f->n] = s;
		f->n++;
		if (p == end)
			return true;
	}
}

bool fields_int(struct span s, int64_t *v)
{
	return number_canonical(s.p, s.n) && number_int(s.p, s.n, v);
}
