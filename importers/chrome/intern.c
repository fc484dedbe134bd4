#include "intern.h"

void intern_init(struct intern *c, struct strings *s, uint8_t (*tag_of)(const char *p, size_t n))
{
	memset(c, 0, sizeof *c);
	c->strings = s;
	c->tag_of = tag_of;
	for (size_t i = 0; i < INTERN_SLOTS; i++)
		c->slot[i].n = INTERN_FREE;
}

const struct interned *intern_fill(struct intern *c, struct interned *x, const char *p, size_t n)
{
	c->missed++;
	x->id = strings_add(c->strings, p, n);
	struct span s = strings_get(c->strings, x->id);
	x->p = s.p;
	x->n = s.n < INTERN_FREE ? (uint32_t)s.n : INTERN_FREE;
	x->ends = text_ends(s.p, s.n);
	x->tag = c->tag_of ? c->tag_of(s.p, s.n) : 0;
	return x;
}

bool intern_repeated(struct intern *c, const char *p, size_t n, str_id *id)
{
	struct text_ends e = text_ends(p, n);
	uint32_t h = text_hash(e, p, n) | 1;
	struct interned *x = &c->slot[h % INTERN_SLOTS];
	if (interned_is(x, e, p, n)) {
		*id = x->id;
		return true;
	}
	if (c->once[h % INTERN_SLOTS] != h) {
		c->once[h % INTERN_SLOTS] = h;
		return false;
	}
	*id = intern_fill(c, x, p, n)->id;
	return true;
}
