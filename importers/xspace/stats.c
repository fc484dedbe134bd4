#include "stats.h"
#include <math.h>

static bool fixed64(struct wire *w, uint64_t *out)
{
	if (w->end - w->p < 8)
		return false;
	memcpy(out, w->p, 8);
	w->p += 8;
	return true;
}

static bool number(struct wire *w, struct stat *s, enum stat_type type)
{
	s->type = (uint8_t)type;
	return wire_varint(w, &s->u) == WIRE_OK;
}

static bool text(struct wire *w, struct stat *s, enum stat_type type)
{
	const unsigned char *data = NULL;
	s->type = (uint8_t)type;
	bool ok = wire_bytes(w, &data, &s->text.n);
	s->text.p = (const char *)data;
	return ok;
}

static bool real(struct wire *w, struct stat *s)
{
	s->type = STAT_DOUBLE;
	return fixed64(w, &s->u);
}

/* One field of an XStat: metadata_id (1) and the value, which is one of double (2), uint64 (3), int64 (4), str (5), bytes (6),
 * ref (7). All their tags are one byte. */
static bool stat_field(struct wire *w, struct stat *s)
{
	uint64_t id;
	switch (*w->p++) {
	case WIRE_TAG(1, WIRE_VARINT):
		if (wire_varint(w, &id) != WIRE_OK)
			return false;
		s->id = (int64_t)id;
		return true;
	case WIRE_TAG(2, WIRE_FIXED64):
		return real(w, s);
	case WIRE_TAG(3, WIRE_VARINT):
		return number(w, s, STAT_UINT);
	case WIRE_TAG(4, WIRE_VARINT):
		return number(w, s, STAT_INT);
	case WIRE_TAG(5, WIRE_BYTES):
		return text(w, s, STAT_STR);
	case WIRE_TAG(6, WIRE_BYTES):
		return text(w, s, STAT_BYTES);
	case WIRE_TAG(7, WIRE_VARINT):
		return number(w, s, STAT_REF);
	default:
		/* back to the tag: wire_pass reads a field from its beginning */
		w->p--;
		return wire_pass(w, 7);
	}
}

bool stat_decode(const unsigned char *p, size_t n, struct stat *out)
{
	struct wire w = {p, p + n};
	out->id = 0;
	out->type = STAT_NONE;
	while (w.p < w.end)
		if (!stat_field(&w, out))
			return false;
	return true;
}

enum stat_role stat_role(struct span name)
{
	static const struct {
		const char *name;
		size_t n;
	} names[] = {
#define ROLE_NAME(id, text) {text, sizeof text - 1},
		/* in the order of enum stat_role, whose 0 is "none" */
		STAT_ROLES(ROLE_NAME)
#undef ROLE_NAME
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (name.n == names[i].n && !memcmp(name.p, names[i].name, name.n))
			return (enum stat_role)(i + 1);
	return ROLE_NONE;
}

int64_t gathered_or_unknown(const struct gathered *g, enum stat_role r)
{
	int64_t v;
	return gathered_int(g, r, &v) ? v : UNKNOWN_I64;
}

double gathered_double(const struct gathered *g, enum stat_role r)
{
	int64_t v;
	double d;
	if (has(g, r) && g->at[r].type == STAT_DOUBLE) {
		memcpy(&d, &g->at[r].u, sizeof d);
		return d;
	}
	return gathered_int(g, r, &v) ? (double)v : NAN;
}

bool gathered_says(const struct gathered *g, enum stat_role r)
{
	return has(g, r) && ((g->at[r].type == STAT_TEXT && g->at[r].u) || (g->at[r].type == STAT_STR && g->at[r].n));
}

str_id gathered_text(const struct gathered *g, enum stat_role r, struct strings *s)
{
	if (!has(g, r))
		return 0;
	if (g->at[r].type == STAT_TEXT)
		return (str_id)g->at[r].u;
	return g->at[r].type == STAT_STR ? strings_add(s, (const char *)(uintptr_t)g->at[r].u, g->at[r].n) : 0;
}
