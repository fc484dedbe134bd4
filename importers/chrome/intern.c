#include "intern.h"
#include <string.h>

void intern_init(struct intern *c, struct strings *s, uint8_t (*tag_of)(const char *p, size_t n))
{
	memset(c, 0, sizeof *c);
	c->strings = s;
	c->tag_of = tag_of;
}

/* Both ends and the length tell texts of traces apart well enough; equality is checked anyway. */
static uint32_t hash(const char *p, size_t n)
{
	uint64_t a = 0, b = 0;
	if (n >= 8) {
		memcpy(&a, p, 8);
		memcpy(&b, p + n - 8, 8);
	} else if (n >= 4) {
		uint32_t x, y;
		memcpy(&x, p, 4);
		memcpy(&y, p + n - 4, 4);
		a = x;
		b = y;
	} else if (n > 0) {
		a = (unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8 |
		    (uint64_t)(unsigned char)p[n - 1] << 16;
	}
	uint64_t h = (a ^ (uint64_t)n << 56) * 0x9fb21c651e98df25u;
	h = (h ^ (h >> 29) ^ b) * 0xd6e8feb86659fd93u;
	return (uint32_t)(h >> 32);
}

static const struct interned *fill(struct intern *c, struct interned *x, const char *p, size_t n)
{
	x->id = strings_add(c->strings, p, n);
	struct span s = strings_get(c->strings, x->id);
	x->p = s.p;
	x->n = (uint32_t)s.n;
	x->tag = c->tag_of ? c->tag_of(s.p, s.n) : 0;
	return x;
}

const struct interned *intern_get(struct intern *c, const char *p, size_t n)
{
	struct interned *x = &c->slot[hash(p, n) % INTERN_SLOTS];
	if (x->p && x->n == n && memcmp(x->p, p, n) == 0)
		return x;
	return fill(c, x, p, n);
}

bool intern_repeated(struct intern *c, const char *p, size_t n, str_id *id)
{
	uint32_t h = hash(p, n) | 1;
	struct interned *x = &c->slot[h % INTERN_SLOTS];
	if (x->p && x->n == n && memcmp(x->p, p, n) == 0) {
		*id = x->id;
		return true;
	}
	if (c->once[h % INTERN_SLOTS] != h) {
		c->once[h % INTERN_SLOTS] = h;
		return false;
	}
	*id = fill(c, x, p, n)->id;
	return true;
}
