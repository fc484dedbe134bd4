#include "stats.h"
#include <math.h>

static bool stat_field(const struct wire_field *f, struct stat *s)
{
	/* clang-format off */
	static const struct { uint8_t wire, type; } forms[] = {
		[1] = {WIRE_VARINT, STAT_NONE}, [2] = {WIRE_FIXED64, STAT_DOUBLE}, [3] = {WIRE_VARINT, STAT_UINT},
		[4] = {WIRE_VARINT, STAT_INT},  [5] = {WIRE_BYTES, STAT_STR},      [6] = {WIRE_BYTES, STAT_BYTES},
		[7] = {WIRE_VARINT, STAT_REF},
	};
	/* clang-format on */
	if (f->number >= sizeof forms / sizeof *forms)
		return true;
	if (f->type != forms[f->number].wire)
		return false;
	if (f->number == 1) {
		s->id = (int64_t)f->value;
		return true;
	}
	s->type = forms[f->number].type;
	s->u = f->value;
	if (s->type == STAT_DOUBLE)
		memcpy(&s->d, &f->value, sizeof s->d);
	else if (f->type == WIRE_BYTES)
		s->text = (struct span){(const char *)f->data, f->size};
	return true;
}

bool stat_decode(const unsigned char *p, size_t n, struct stat *out)
{
	struct wire w = {p, p + n};
	struct wire_field f;
	*out = (struct stat){.type = STAT_NONE};
	while (w.p < w.end)
		if (wire_next(&w, &f) != WIRE_OK || !stat_field(&f, out))
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
		STAT_ROLES(ROLE_NAME)
#undef ROLE_NAME
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (name.n == names[i].n && !memcmp(name.p, names[i].name, name.n))
			return (enum stat_role)(i + 1);
	return ROLE_NONE;
}

bool gathered_int(const struct gathered *g, enum stat_role r, int64_t *out)
{
	if (!has(g, r) || (g->at[r]->type != STAT_INT && g->at[r]->type != STAT_UINT))
		return false;
	*out = (int64_t)g->at[r]->u;
	return true;
}

int64_t gathered_or_unknown(const struct gathered *g, enum stat_role r)
{
	int64_t v;
	return gathered_int(g, r, &v) ? v : UNKNOWN_I64;
}

double gathered_double(const struct gathered *g, enum stat_role r)
{
	int64_t v;
	if (has(g, r) && g->at[r]->type == STAT_DOUBLE)
		return g->at[r]->d;
	return gathered_int(g, r, &v) ? (double)v : NAN;
}

str_id gathered_text(const struct gathered *g, enum stat_role r, struct strings *s)
{
	if (!has(g, r))
		return 0;
	if (g->at[r]->type == STAT_TEXT)
		return g->at[r]->ref;
	return g->at[r]->type == STAT_STR ? strings_add(s, g->at[r]->text.p, g->at[r]->text.n) : 0;
}
