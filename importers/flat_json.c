#include "flat_json.h"
#include <stdlib.h>
#include <string.h>
#include "model/store/facts/facts.h"

/* After "key" in its quotes, or NULL. */
static const char *behind_key(struct span json, const char *key)
{
	size_t k = strlen(key);
	const char *end = json.p + json.n;
	for (const char *p = json.p; p && (p = memmem(p, (size_t)(end - p), key, k)); p += k)
		if (p > json.p && p[-1] == '"' && p + k < end && p[k] == '"')
			return p + k + 1;
	return NULL;
}

struct span flat_json_text(struct span json, const char *key)
{
	const char *p = json.p ? behind_key(json, key) : NULL, *end = p ? json.p + json.n : NULL;
	p = p ? memchr(p, ':', (size_t)(end - p)) : NULL;
	if (!p)
		return (struct span){NULL, 0};
	for (p++; p < end && *p == ' '; p++)
		;
	bool quoted = p < end && *p == '"';
	p += quoted;
	const char *stop = p;
	while (stop < end && (quoted ? *stop != '"' : *stop != ',' && *stop != '}'))
		stop++;
	return (struct span){p, (size_t)(stop - p)};
}

int64_t flat_json_int(struct span json, const char *key)
{
	char text[24], *end;
	struct span v = flat_json_text(json, key);
	if (!v.p || v.n == 0 || v.n >= sizeof text)
		return UNKNOWN_I64;
	memcpy(text, v.p, v.n);
	text[v.n] = 0;
	long long i = strtoll(text, &end, 10);
	return *end || i < 0 ? UNKNOWN_I64 : i;
}
