/* Stats to attributes: every one is kept as written, those with a meaning are remembered for the event at hand. */
#include "xspace.h"
#include <inttypes.h>
#include <stdio.h>

void stats_begin(struct xspace *x)
{
	x->facts.present = 0;
	attrs_begin(x->attrs);
}

attr_at stats_end(struct xspace *x)
{
	return attrs_end(x->attrs);
}

/* A stat without metadata keeps its number as a name. */
static str_id nameless_key(struct xspace *x, int64_t id)
{
	char text[32];
	int n = snprintf(text, sizeof text, "stat %" PRId64, id);
	return strings_add(x->strings, text, (size_t)n);
}

/* A reference is the name of another stat metadata entry. One that leads nowhere stays a number. */
static void resolve(struct xspace *x, struct stat *s)
{
	const struct stat_meta *to = meta_stat(&x->plane.meta, (int64_t)s->u);
	s->type = to ? STAT_TEXT : STAT_UINT;
	s->ref = to ? to->name : 0;
}

static void put_bytes(struct xspace *x, str_id key, struct span b)
{
	char text[48];
	struct attr a = {.key = key, .type = ATTR_BYTES, .p = b.p, .n = b.n};
	if (!b.p && b.n) {
		int n = snprintf(text, sizeof text, "(%zu bytes, not kept)", b.n);
		a = (struct attr){.key = key, .type = ATTR_STR, .p = text, .n = (size_t)n};
	}
	attrs_put(x->attrs, &a);
}

static void put(struct xspace *x, str_id key, const struct stat *s)
{
	switch (s->type) {
	case STAT_DOUBLE:
		attrs_put_double(x->attrs, key, s->d);
		break;
	case STAT_UINT:
		attrs_put_uint(x->attrs, key, s->u);
		break;
	case STAT_INT:
		attrs_put_int(x->attrs, key, (int64_t)s->u);
		break;
	case STAT_STR:
		attrs_put_str(x->attrs, key, s->text.p, s->text.n);
		break;
	case STAT_TEXT:
		attrs_put_ref(x->attrs, key, s->ref);
		break;
	case STAT_BYTES:
		put_bytes(x, key, s->text);
		break;
	default:
		attrs_put(x->attrs, &(struct attr){.key = key, .type = ATTR_NULL});
	}
}

void stats_take(struct xspace *x, struct stat *stats, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct stat *s = &stats[i];
		const struct stat_meta *m = meta_stat(&x->plane.meta, s->id);
		if (s->type == STAT_REF)
			resolve(x, s);
		put(x, m ? m->name : nameless_key(x, s->id), s);
		if (m && m->role) {
			x->facts.present |= ROLE_BIT(m->role);
			x->facts.at[m->role] = s;
		}
	}
}
