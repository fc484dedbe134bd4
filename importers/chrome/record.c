#include "record.h"
#include "../../model/store/attrs_encode.h"
#include <string.h>

/* Texts longer than this are never worth a place in the string table. */
enum { SHORT_TEXT = 24 };

static uint8_t known_arg_of(const char *p, size_t n)
{
	static const char *const names[ARG_COUNT] = {
#define ARG_NAME(id, key) [ARG_##id] = key,
		KNOWN_ARGS(ARG_NAME)
#undef ARG_NAME
	};
	for (uint8_t i = 1; i < ARG_COUNT; i++)
		if (strlen(names[i]) == n && memcmp(names[i], p, n) == 0)
			return i;
	/* 2020's capitalisation of two of them */
	if (n == 11 && memcmp(p, "external id", n) == 0)
		return ARG_EXTERNAL_ID;
	if (n == 14 && memcmp(p, "memset_details", n) == 0)
		return ARG_MEMSET_DETAILS;
	return ARG_OTHER;
}

void reader_init(struct reader *d, struct ingest *in)
{
	memset(d, 0, sizeof *d);
	d->in = in;
	d->notes = ingest_notes(in);
	d->attrs = ingest_attrs(in);
	intern_init(&d->keys, ingest_strings(in), known_arg_of);
	intern_init(&d->texts, ingest_strings(in), NULL);
}

struct span reader_text(struct reader *d, const struct value *v)
{
	return v->flags ? text_of(&d->text, v, &d->faults) : (struct span){v->p, v->n};
}

void reader_note_faults(struct reader *d, int64_t at)
{
	struct text_faults *f = &d->faults;
	if (f->escapes | f->utf8 | f->not_json) {
		notes_add(d->notes, NOTE_BAD_ESCAPE, at, f->escapes);
		notes_add(d->notes, NOTE_BAD_UTF8, at, f->utf8);
		notes_add(d->notes, NOTE_NOT_STRICT_JSON, at, f->not_json);
	}
	*f = (struct text_faults){0};
}

void reader_free(struct reader *d)
{
	text_free(&d->key_text);
	text_free(&d->text);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

bool value_int(const struct value *v, int64_t *i)
{
	if (v->type == VALUE_NUM && (v->flags & NUMBER_READ)) {
		*i = (int64_t)v->whole;
		return v->places == 0;
	}
	return (v->type == VALUE_NUM || v->type == VALUE_STR) && number_int(v->p, v->n, i);
}

enum number_fault value_us(const struct value *v, struct fine_time *t)
{
	static const uint32_t scale[7] = {1000000, 100000, 10000, 1000, 100, 10, 1};
	if (v->type != VALUE_NUM && v->type != VALUE_STR)
		return NUMBER_NONE;
	if (v->type == VALUE_STR || !(v->flags & NUMBER_READ) || v->places > 6 || v->whole > INT64_MAX / 2000)
		return number_us(v->p, v->n, t);
	uint32_t ps = v->places ? v->fraction * scale[v->places] : 0;
	*t = (struct fine_time){(int64_t)v->whole * 1000 + ps / 1000, (int32_t)(ps % 1000)};
	return NUMBER_OK;
}

bool value_real(const struct value *v, double *x)
{
	return (v->type == VALUE_NUM || v->type == VALUE_STR) && number_real(v->p, v->n, x);
}

/* Where the next attribute is coded: room for its head, a number and `text` bytes. NULL: memory is out, told at seal. */
static inline unsigned char *coded_room(struct reader *d, size_t text)
{
	size_t want = d->coded_n + ATTR_KEY_MAX + ATTR_NUMBER_MAX + text;
	if (want > d->coded_room) {
		d->coded_room = want * 2;
		d->coded = attrs_room(d->attrs, d->coded_room);
	}
	return d->coded ? d->coded + d->coded_n : NULL;
}

static void code_text(struct reader *d, str_id key, enum attr_type type, struct span s)
{
	unsigned char *p = coded_room(d, s.n);
	if (p)
		d->coded_n = (size_t)(attr_put_text(attr_put_key(p, key, type), s.p, s.n) - d->coded);
}

/* type: one whose payload is a varint or nothing */
static inline void code_number(struct reader *d, str_id key, enum attr_type type, uint64_t payload)
{
	unsigned char *p = coded_room(d, 0);
	if (!p)
		return;
	p = attr_put_key(p, key, type);
	p = type == ATTR_NULL ? p : attr_put_varint(p, payload);
	d->coded_n = (size_t)(p - d->coded);
}

static void attr_text_value(struct reader *d, str_id key, const struct value *v)
{
	struct span s = reader_text(d, v);
	str_id id;
	if (s.n > 0 && s.n <= SHORT_TEXT && intern_repeated(&d->texts, s.p, s.n, &id))
		code_number(d, key, ATTR_REF, id);
	else
		code_text(d, key, ATTR_STR, s);
}

static void attr_number(struct reader *d, str_id key, const struct value *v)
{
	int64_t i;
	uint64_t u;
	if ((v->flags & NUMBER_READ) && v->places == 0 && (*v->p != '0' || v->n == 1)) {
		code_number(d, key, ATTR_INT, v->whole << 1);
		return;
	}
	bool integer = (v->flags & NUMBER_INTEGER) && number_canonical(v->p, v->n);
	if (integer && value_int(v, &i))
		code_number(d, key, ATTR_INT, (uint64_t)i << 1 ^ (uint64_t)(i >> 63));
	else if (integer && number_uint(v->p, v->n, &u))
		code_number(d, key, ATTR_UINT, u);
	else
		code_text(d, key, ATTR_NUMBER, (struct span){v->p, v->n});
}

void record_attr(struct reader *d, str_id key, const struct value *v)
{
	struct span s = {v->p, v->n};
	switch (v->type) {
	case VALUE_STR:
		attr_text_value(d, key, v);
		break;
	case VALUE_NUM:
		attr_number(d, key, v);
		break;
	case VALUE_TRUE:
	case VALUE_FALSE:
		code_number(d, key, ATTR_BOOL, v->type == VALUE_TRUE);
		break;
	case VALUE_NULL:
		code_number(d, key, ATTR_NULL, 0);
		break;
	case VALUE_OBJ:
	case VALUE_ARR:
		code_text(d, key, ATTR_JSON, v->flags & NESTED_LINES ? text_compact(&d->text, v) : s);
		break;
	default: /* NaN, inf: not JSON, but written by real exporters */
		d->faults.not_json++;
		code_text(d, key, ATTR_NUMBER, s);
	}
}

void reader_attrs_begin(struct reader *d)
{
	enum { USUAL_BYTES = 512 };
	d->coded_n = 0;
	d->coded_room = USUAL_BYTES;
	d->coded = attrs_room(d->attrs, d->coded_room);
}

attr_at reader_attrs_end(struct reader *d)
{
	return attrs_advance(d->attrs, d->coded ? d->coded_n : 0);
}

/* ---- members ------------------------------------------------------------------------------------------------------ */

static const struct interned *key_of(struct reader *d, const struct value *key)
{
	struct span s = {key->p, key->n};
	if (key->flags)
		s = text_of(&d->key_text, key, &d->faults);
	return intern_get(&d->keys, s.p, s.n);
}

/* What the keys of a step mean to the trace: asked once for a learned one. */
static void name_step(struct reader *d, struct step *s, const char *text)
{
	for (unsigned i = 0; i <= s->n_fixed; i++) {
		struct step_key *k = i < s->n_fixed ? &s->fixed[i].key : &s->key;
		struct value key = {.p = text + k->at, .n = k->n, .type = VALUE_STR, .flags = k->flags};
		if (k->place == PLACE_END)
			continue;
		const struct interned *known = key_of(d, &key);
		k->id = known->id;
		k->tag = known->tag;
		if (i < s->n_fixed && k->place == PLACE_CAT)
			s->fixed[i].id = intern_get(&d->texts, text + s->fixed[i].value_at, s->fixed[i].v.n)->id;
	}
	s->named = true;
}

/* These phases never become an event with attributes. */
static bool wants_attrs(const struct record *r)
{
	return r->ph != 'M' && r->ph != 'C' && r->ph != 's' && r->ph != 't' && r->ph != 'f';
}

/* id: of a plain text, 0 = not known yet. */
static void take_category(struct reader *d, struct record *r, str_id key, str_id id, const struct value *v)
{
	r->cat = *v;
	if (!id && v->type == VALUE_STR && v->n && !v->flags)
		id = intern_get(&d->texts, v->p, v->n)->id;
	r->category = id;
	if (id && wants_attrs(r))
		code_number(d, key, ATTR_REF, id);
	else if (wants_attrs(r))
		record_attr(d, key, v);
}

/* The members that are a single letter's worth. True when the value needs no other place. */
static bool small_member(struct record *r, uint8_t place, const struct value *v)
{
	if (v->type != VALUE_STR)
		return false;
	if (place == PLACE_PHASE)
		r->ph = v->n == 1 ? v->p[0] : '?';
	else if (place == PLACE_SCOPE && v->n)
		r->scope = v->p[0];
	else if (place == PLACE_BINDING)
		r->encloses = v->n == 1 && v->p[0] == 'e';
	return place == PLACE_PHASE;
}

/* The members that events have, and where they are put; the others are attributes only. */
static struct value *room_for(struct record *r, uint8_t place)
{
	static const size_t at[] = {
		[PLACE_TS] = offsetof(struct record, ts),     [PLACE_DUR] = offsetof(struct record, dur),
		[PLACE_PID] = offsetof(struct record, pid),   [PLACE_TID] = offsetof(struct record, tid),
		[PLACE_NAME] = offsetof(struct record, name), [PLACE_END] = 0,
	};
	return at[place] ? (struct value *)((char *)r + at[place]) : NULL;
}

/* The members that are part of the step's text. */
static void take_fixed(struct reader *d, struct record *r, const struct token *t)
{
	r->members += t->step->n_fixed;
	for (unsigned i = 0; i < t->step->n_fixed; i++) {
		const struct fixed *f = &t->step->fixed[i];
		struct value v = f->v, *room = room_for(r, f->key.place);
		v.p = t->text + f->value_at;
		if (room)
			*room = v;
		else if (f->key.place == PLACE_CAT)
			take_category(d, r, f->key.id, f->id, &v);
		else if (!small_member(r, f->key.place, &v) && wants_attrs(r))
			record_attr(d, f->key.id, &v);
	}
}

/* The member that the step opens. */
static void take_member(struct reader *d, struct record *r, const struct token *t)
{
	const struct step_key *k = &t->step->key;
	struct value *room = room_for(r, k->place);
	if (room) {
		*room = t->v;
	} else if (k->place == PLACE_CAT) {
		take_category(d, r, k->id, 0, &t->v);
	} else if (!small_member(r, k->place, &t->v)) {
		if (k->place == PLACE_ID)
			r->id = t->v;
		if (wants_attrs(r))
			record_attr(d, k->id, &t->v);
	}
}

/* t: the member "args". Returns the token of its closing bracket. */
static const struct token *take_args(struct reader *d, struct record *r, const struct token *t)
{
	const char *from = t->v.p;
	bool keep = wants_attrs(r);
	for (;;) {
		struct step *s = (++t)->step;
		if (s->key.place == PLACE_END)
			break;
		if (!s->named)
			name_step(d, s, t->text);
		if (s->key.tag) {
			r->known[s->key.tag] = t->v;
			r->seen |= UINT64_C(1) << s->key.tag;
		}
		if (keep)
			record_attr(d, s->key.id, &t->v);
	}
	r->args = (struct value){.p = from, .n = (size_t)(t->text + t->step->n - from), .type = VALUE_OBJ};
	return t;
}

static void record_clear(struct record *r, int64_t at)
{
	/* `known` is guarded by `seen` and need not be cleared */
	memset(r, 0, offsetof(struct record, known));
	r->attrs = 0;
	r->at = at;
}

void record_take(struct reader *d, const struct batch *b, const struct item *i, struct record *r)
{
	const struct token *end = b->token + i->first + i->n;
	record_clear(r, i->at);
	d->faults = (struct text_faults){.not_json = i->not_json};
	reader_attrs_begin(d);
	for (const struct token *t = b->token + i->first; t < end; t++) {
		if (!t->step->named)
			name_step(d, t->step, t->text);
		take_fixed(d, r, t);
		if (t->step->key.place == PLACE_END)
			break;
		r->members++;
		if (t->step->key.place == PLACE_ARGS && t->v.type == VALUE_NONE)
			t = take_args(d, r, t);
		else
			take_member(d, r, t);
	}
	r->attrs = reader_attrs_end(d);
}
