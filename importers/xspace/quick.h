/* importers/xspace/quick.h - stats as nearly all of them are written: the id, one value, nothing else, and metadata for it.
 * They are decoded, coded as attributes and gathered as facts in one go; an event with any other one is left to event_read. */
#ifndef STEPSCOPE_XSPACE_QUICK_H
#define STEPSCOPE_XSPACE_QUICK_H
#include "piece.h"
#include "meta.h"
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

/* Where usual stats go. */
struct quick {
	const struct meta *meta;
	unsigned char *to; /* attributes */
	struct fact *fact; /* those of a role; one more may be touched */
};

static inline void quick_fact(struct quick *q, const struct stat_meta *m, enum stat_type type, uint64_t u, size_t n)
{
	*q->fact = (struct fact){u, (uint32_t)n, m->role, (uint8_t)type};
	q->fact += m->has_role;
}

static inline bool quick_int(struct quick *q, const struct stat_meta *m, uint64_t v)
{
	quick_fact(q, m, STAT_INT, v, 0);
	q->to = attr_put_signed(stat_put_key(q->to, m, ATTR_INT), (int64_t)v);
	return true;
}

static inline bool quick_uint(struct quick *q, const struct stat_meta *m, uint64_t v)
{
	quick_fact(q, m, STAT_UINT, v, 0);
	q->to = attr_put_varint(stat_put_key(q->to, m, ATTR_UINT), v);
	return true;
}

static inline bool quick_ref(struct quick *q, const struct stat_meta *m, const struct stat_meta *text)
{
	if (!text)
		return false;
	quick_fact(q, m, STAT_TEXT, text->name, 0);
	q->to = stat_put_ref(stat_put_key(q->to, m, ATTR_REF), text);
	return true;
}

static inline bool quick_real(struct quick *q, const struct stat_meta *m, const unsigned char *p)
{
	uint64_t bits;
	memcpy(&bits, p, sizeof bits);
	quick_fact(q, m, STAT_DOUBLE, bits, 0);
	unsigned char *to = stat_put_key(q->to, m, ATTR_DOUBLE);
	memcpy(to, p, sizeof bits);
	q->to = to + sizeof bits;
	return true;
}

/* Length and text reach from p to end. */
static inline bool quick_text(struct quick *q, const struct stat_meta *m, const unsigned char *p,
			      const unsigned char *end)
{
	uint64_t n;
	p = wire_quick(p, &n);
	if (!p || p > end || n != (uint64_t)(end - p))
		return false;
	q->to = attr_put_text(stat_put_key(q->to, m, ATTR_STR), p, (size_t)n);
	quick_fact(q, m, STAT_STR, (uint64_t)(uintptr_t)(q->to - n), (size_t)n);
	return true;
}

/* The value, of the field `tag`, from p to end. */
static inline __attribute__((always_inline)) bool quick_value(struct quick *q, const struct stat_meta *m,
							      unsigned char tag, const unsigned char *p,
							      const unsigned char *end)
{
	uint64_t v = 0; /* set by wire_quick before it is read, which gcc 11 does not see */
	if (!m)
		return false;
	if (tag == WIRE_TAG(5, WIRE_BYTES))
		return quick_text(q, m, p, end);
	if (tag == WIRE_TAG(2, WIRE_FIXED64))
		return end - p == sizeof(double) && quick_real(q, m, p);
	if (wire_quick(p, &v) != end)
		return false;
	if (tag == WIRE_TAG(4, WIRE_VARINT))
		return quick_int(q, m, v);
	if (tag == WIRE_TAG(7, WIRE_VARINT))
		return quick_ref(q, m, meta_stat(q->meta, (int64_t)v));
	return tag == WIRE_TAG(3, WIRE_VARINT) && quick_uint(q, m, v);
}

/* The XStat from p to end; false when it has another form. WIRE_PAD bytes must be readable from p on. */
static inline bool quick_stat(struct quick *q, const unsigned char *p, const unsigned char *end)
{
	uint64_t id = 0;
	if (*p != WIRE_TAG(1, WIRE_VARINT) || !(p = wire_quick(p + 1, &id)))
		return false;
	return quick_value(q, meta_stat(q->meta, (int64_t)id), *p, p + 1, end);
}

/* Stats as they stand in an event, one after the other, each with a length and an id of one byte. Returns what follows the last one of
 * them, NULL when it has another form than quick_stat takes. */
static inline const unsigned char *quick_stats(struct quick *to, const unsigned char *p, const unsigned char *end)
{
	enum { BYTES_BEFORE_TAG = 4 };
	/* the tag of the stat, its length, the tag of its id, the id; a bit that says "more" in neither number */
	const uint64_t form = WIRE_TAG(4, WIRE_BYTES) | WIRE_TAG(1, WIRE_VARINT) << 16, known = 0x80ff80ff;
	struct quick q = *to; /* whose address nobody has */
	for (uint64_t w; p < end && ((w = load_word(p)) & known) == form;) {
		const unsigned char *next = p + 2 + (w >> 8 & 0x7f);
		const struct stat_meta *m = meta_stat(q.meta, (int64_t)(w >> 24 & 0x7f));
		if (next > end || !quick_value(&q, m, (unsigned char)(w >> 32), p + BYTES_BEFORE_TAG + 1, next))
			return NULL;
		p = next;
	}
	*to = q;
	return p;
}
#endif
