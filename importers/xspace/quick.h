/* importers/xspace/quick.h - stats as nearly all of them are written: the id, one value, nothing else, and metadata for it.
 * They are decoded, kept as attributes and remembered in one go; every other form is left to stats_add. */
#ifndef STEPSCOPE_XSPACE_QUICK_H
#define STEPSCOPE_XSPACE_QUICK_H
#include "xspace.h"
#include "model/store/facts/attrs_encode.h"

static inline unsigned char *stat_put_key(unsigned char *to, const struct stat_meta *m, enum attr_type type)
{
	attr_store8(to, m->key);
	to += m->key_bytes;
	*to = (unsigned char)type;
	return to + 1;
}

/* The metadata's name as a value. */
static inline unsigned char *stat_put_ref(unsigned char *to, const struct stat_meta *text)
{
	attr_store8(to, text->ref);
	return to + text->ref_bytes;
}

static inline struct stat *quick_fact(struct gathered *g, uint8_t role, enum stat_type type)
{
	g->present |= ROLE_BIT(role);
	g->at[role].type = (uint8_t)type;
	return &g->at[role];
}

static inline unsigned char *quick_int(struct gathered *g, unsigned char *to, const struct stat_meta *m, uint64_t v)
{
	if (m->role)
		quick_fact(g, m->role, STAT_INT)->u = v;
	return attr_put_signed(stat_put_key(to, m, ATTR_INT), (int64_t)v);
}

static inline unsigned char *quick_uint(struct gathered *g, unsigned char *to, const struct stat_meta *m, uint64_t v)
{
	if (m->role)
		quick_fact(g, m->role, STAT_UINT)->u = v;
	return attr_put_varint(stat_put_key(to, m, ATTR_UINT), v);
}

static inline unsigned char *quick_ref(struct gathered *g, unsigned char *to, const struct stat_meta *m,
				       const struct stat_meta *text)
{
	if (!text)
		return NULL;
	if (m->role)
		quick_fact(g, m->role, STAT_TEXT)->ref = text->name;
	return stat_put_ref(stat_put_key(to, m, ATTR_REF), text);
}

static inline unsigned char *quick_real(struct gathered *g, unsigned char *to, const struct stat_meta *m,
					const unsigned char *p)
{
	to = stat_put_key(to, m, ATTR_DOUBLE);
	memcpy(to, p, sizeof(double));
	if (m->role)
		memcpy(&quick_fact(g, m->role, STAT_DOUBLE)->d, p, sizeof(double));
	return to + sizeof(double);
}

/* Length and text reach from p to end. */
static inline unsigned char *quick_text(struct gathered *g, unsigned char *to, const struct stat_meta *m,
					const unsigned char *p, const unsigned char *end)
{
	uint64_t n;
	p = wire_quick(p, &n);
	if (!p || p > end || n != (uint64_t)(end - p))
		return NULL;
	if (m->role)
		quick_fact(g, m->role, STAT_STR)->text = (struct span){(const char *)p, (size_t)n};
	return attr_put_text(stat_put_key(to, m, ATTR_STR), p, (size_t)n);
}

/* The XStat from p to end; NULL when it has another form. WIRE_PAD bytes must be readable from p on. */
static inline unsigned char *quick_stat(const struct meta *meta, struct gathered *g, unsigned char *to,
					const unsigned char *p, const unsigned char *end)
{
	uint64_t id = 0, v = 0; /* set by wire_quick before they are read, which gcc 11 does not see */
	if (*p != WIRE_TAG(1, WIRE_VARINT) || !(p = wire_quick(p + 1, &id)))
		return NULL;
	const struct stat_meta *m = meta_stat(meta, (int64_t)id);
	unsigned char tag = *p++;
	if (!m)
		return NULL;
	if (tag == WIRE_TAG(5, WIRE_BYTES))
		return quick_text(g, to, m, p, end);
	if (tag == WIRE_TAG(2, WIRE_FIXED64))
		return end - p == sizeof(double) ? quick_real(g, to, m, p) : NULL;
	if (wire_quick(p, &v) != end)
		return NULL;
	if (tag == WIRE_TAG(4, WIRE_VARINT))
		return quick_int(g, to, m, v);
	if (tag == WIRE_TAG(7, WIRE_VARINT))
		return quick_ref(g, to, m, meta_stat(meta, (int64_t)v));
	return tag == WIRE_TAG(3, WIRE_VARINT) ? quick_uint(g, to, m, v) : NULL;
}
#endif
