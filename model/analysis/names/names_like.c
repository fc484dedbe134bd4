#include "names_like.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 18, STEM_BITS = 6 };
struct stem {
	const char *p;
	size_t n; /* 0: none yet */
	str_id first;
};

/* Without the number at the end; 0: it ends in none, or is one. */
static size_t stem_of(struct span name)
{
	size_t n = name.n;
	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	return n < name.n && name.n - n <= DIGITS_MOST ? n : 0;
}

static struct stem *slot_of(struct stem *stems, const char *p, size_t n)
{
	uint32_t ends = (uint32_t)(unsigned char)p[0] << 24 | (uint32_t)(unsigned char)p[n - 1] << 8;
	uint32_t key = ((uint32_t)n ^ ends ^ (uint32_t)(unsigned char)p[n / 2] << 16) * 0x9E3779B1u;
	return &stems[key >> (32 - STEM_BITS)];
}

str_id *names_like(const struct strings *s)
{
	struct stem stems[1 << STEM_BITS] = {{0}};
	uint32_t count = strings_count(s);
	str_id *like = must(malloc((count + (size_t)1) * sizeof *like));
	for (str_id id = 0; id < count; id++) {
		struct span name = strings_get(s, id);
		size_t n = stem_of(name);
		like[id] = id;
		if (!n)
			continue;
		struct stem *known = slot_of(stems, name.p, n);
		if (known->n == n && !memcmp(known->p, name.p, n))
			like[id] = known->first;
		else
			*known = (struct stem){name.p, n, id};
	}
	return like;
}
