#include "record.h"
#include "model/store/facts/attrs_encode.h"
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
	/* 2020's capitalisation of two of them; PaddlePaddle's spelling of two others */
	if (n == 11 && memcmp(p, "external id", n) == 0)
		return ARG_EXTERNAL_ID;
	if (n == 14 && memcmp(p, "memset_details", n) == 0)
		return ARG_MEMSET_DETAILS;
	if (n == 14 && memcmp(p, "correlation id", n) == 0)
		return ARG_CORRELATION;
	if (n == 32 && memcmp(p, "theoretical achieved occupancy %", n) == 0)
		return ARG_OCCUPANCY;
	return ARG_OTHER;
}

void reader_init(struct reader *d, struct ingest *in)
{
	memset(d, 0, sizeof *d);
	d->in = in;
	d->notes = ingest_notes(in);
	d->attrs = ingest_attrs(in);
	intern_init(&d->keys, ingest_strings(in), known_arg_of);
	intern_init(&d->names, ingest_strings(in), NULL);
	intern_init(&d->values, ingest_strings(in), NULL);
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
	static const uint32_t power[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
	if ((v->flags & NUMBER_READ) && v->whole < 10000000) { /* both parts are exact: one division rounds correctly */
		uint32_t fraction = v->places ? v->fraction : 0;
		*x = (double)(v->whole * power[v->places] + fraction) / power[v->places];
		return true;
	}
	return (v->type == VALUE_NUM || v->type == VALUE_STR) && number_real(v->p, v->n, x);
}

/* Room for a text of n bytes beside what is reserved. False: memory is out, told at seal. */
static bool reserve_text(struct reader *d, size_t n)
{
	if ((size_t)(d->limit - d->to) >= n + d->reserved)
		return true;
	/* reserving again may move what was coded so far: positions, not pointers, are kept */
	size_t done = (size_t)(d->to - d->coded), room = (done + n + d->reserved) * 2;
	unsigned char *p = attrs_reserve(d->attrs, room);
	if (!p)
		return false;
	d->coded = p;
	d->to = p + done;
	d->limit = p + room;
	return true;
}

static void code_text(struct reader *d, struct attr_head head, enum attr_type type, struct span s)
{
	if (reserve_text(d, s.n))
		d->to = attr_put_text(attr_put_head(d->to, head, type), s.p, s.n);
}

/* type: one whose payload is a varint */
static inline void code_number(struct reader *d, struct attr_head head, enum attr_type type, uint64_t payload)
{
	d->to = attr_put_varint(attr_put_head(d->to, head, type), payload);
}

static void code_text_value(struct reader *d, struct attr_head head, const struct value *v)
{
	struct span s = reader_text(d, v);
	str_id id;
	if (s.n > 0 && s.n <= SHORT_TEXT && intern_repeated(&d->values, s.p, s.n, &id))
		code_number(d, head, ATTR_REF, id);
	else
		code_text(d, head, ATTR_STR, s);
}

static void code_odd_number(struct reader *d, struct attr_head head, const struct value *v)
{
	int64_t i;
	uint64_t u;
	bool integer = (v->flags & NUMBER_INTEGER) && number_canonical(v->p, v->n);
	if (integer && value_int(v, &i))
		/* zigzag, as attrs_encode.h codes signed numbers */
		code_number(d, head, ATTR_INT, (uint64_t)i << 1 ^ (uint64_t)(i >> 63));
	else if (integer && number_uint(v->p, v->n, &u))
		code_number(d, head, ATTR_UINT, u);
	else
		code_text(d, head, ATTR_NUMBER, (struct span){v->p, v->n});
}

static bool is_not_finite(struct span word)
{
	size_t sign = word.n && *word.p == '-';
	return word.n - sign >= 3 && (!strncasecmp(word.p + sign, "nan", 3) || !strncasecmp(word.p + sign, "inf", 3));
}

static void code_other(struct reader *d, struct attr_head head, const struct value *v)
{
	struct span s = {v->p, v->n};
	switch (v->type) {
	case VALUE_NUM:
		code_odd_number(d, head, v);
		break;
	case VALUE_TRUE:
	case VALUE_FALSE:
		code_number(d, head, ATTR_BOOL, v->type == VALUE_TRUE);
		break;
	case VALUE_NULL:
		d->to = attr_put_head(d->to, head, ATTR_NULL);
		break;
	case VALUE_OBJ:
	case VALUE_ARR:
		code_text(d, head, ATTR_JSON, v->flags & NESTED_LINES ? text_compact(&d->text, v) : s);
		break;
	default: /* not JSON, but written by real exporters: NaN, inf; 0x7f01, (nil), ncclFloat32 */
		d->faults.not_json++;
		code_text(d, head, is_not_finite(s) ? ATTR_NUMBER : ATTR_STR, s);
	}
}

static inline void code_value(struct reader *d, struct attr_head head, const struct value *v)
{
	if (v->flags & NUMBER_USUAL)
		code_number(d, head, ATTR_INT, v->whole << 1);
	else if (v->type == VALUE_STR)
		code_text_value(d, head, v);
	else
		code_other(d, head, v);
}

void record_attr(struct reader *d, str_id key, const struct value *v)
{
	if (d->coded && reserve_text(d, ATTR_KEY_MAX + ATTR_NUMBER_MAX))
		code_value(d, attr_head(key), v);
}

void reader_attrs_begin(struct reader *d, size_t members)
{
	enum { USUAL_TEXT = 256 };
	/* numbers fit in this for certain, so that only texts have to ask for room */
	d->reserved = members * (ATTR_KEY_MAX + ATTR_NUMBER_MAX);
	size_t room = d->reserved + USUAL_TEXT;
	d->coded = d->to = attrs_reserve(d->attrs, room);
	d->limit = d->coded ? d->coded + room : NULL;
}

attr_at reader_attrs_end(struct reader *d)
{
	return attrs_advance(d->attrs, (size_t)(d->to - d->coded));
}

/* ---- members ------------------------------------------------------------------------------------------------------ */

static const struct interned *key_of(struct reader *d, const struct value *key)
{
	struct span s = {key->p, key->n};
	if (key->flags)
		s = text_of(&d->key_text, key, &d->faults);
	return intern_get(&d->keys, s.p, s.n);
}

/* Where a category is kept: apart from other texts, whose coding must not depend on how entries are laid out. */
static struct interned *category_slot(struct reader *d, const struct value *v, struct text_ends e)
{
	return &d->categories[text_hash(e, v->p, v->n) % (sizeof d->categories / sizeof d->categories[0])];
}

str_id record_category(struct reader *d, const struct value *v)
{
	if (v->type != VALUE_STR || !v->n || v->flags)
		return 0;
	struct text_ends e = text_ends(v->p, v->n);
	struct interned *x = category_slot(d, v, e);
	if (interned_is(x, e, v->p, v->n))
		return x->id;
	str_id known = strings_find(ingest_strings(d->in), v->p, v->n);
	return known ? intern_fill(&d->names, x, v->p, v->n)->id : 0;
}

/* A category's id; 0: not a plain text, it must be read. */
static str_id category_id(struct reader *d, const struct value *v)
{
	if (v->type != VALUE_STR || !v->n || v->flags)
		return 0;
	struct text_ends e = text_ends(v->p, v->n);
	struct interned *x = category_slot(d, v, e);
	return interned_is(x, e, v->p, v->n) ? x->id : intern_fill(&d->names, x, v->p, v->n)->id;
}

static void name_key(struct reader *d, struct step_key *k, const char *text)
{
	struct value key = {.p = text + k->at, .n = k->n, .type = VALUE_STR, .flags = k->flags};
	if (k->place == PLACE_END || k->place == PLACE_ARGS)
		return;
	const struct interned *known = key_of(d, &key);
	k->tag = known->tag;
	k->head = attr_head(known->id);
}

static void plan_member(struct reader *d, struct plan *p, struct fixed *f)
{
	uint8_t id;
	switch (f->key.place) {
	case PLACE_PHASE:
		p->usual &= !p->has_phase;
		p->has_phase = true;
		p->phase = f->v.p[0];
		break;
	case PLACE_CAT:
		p->usual &= !p->has_category;
		p->has_category = true;
		p->category_first = !p->has_phase;
		p->category = category_id(d, &f->v);
		p->usual &= p->category != 0;
		p->coded_n = (uint8_t)(attr_put_varint(attr_put_head(p->coded, f->key.head, ATTR_REF), p->category) -
				       p->coded);
		break;
	case PLACE_PID:
	case PLACE_TID:
		id = f->key.place == PLACE_PID ? PLAN_PID : PLAN_TID;
		p->usual &= !(p->ids & id);
		p->ids |= id;
		break;
	default:
		p->usual = false;
	}
}

/* What a step means to the trace: asked once for a learned one. */
static void name_step(struct reader *d, struct layout_step *s, const char *text)
{
	struct plan *p = &s->plan;
	const char *own = s->odd ? text : s->text;
	*p = (struct plan){.usual = true, .ident = NONE_ID};
	for (unsigned i = 0; i < s->n_fixed; i++) {
		struct fixed *f = &s->fixed[i];
		f->v.p = own + f->value_at;
		name_key(d, &f->key, text);
		plan_member(d, p, f);
	}
	name_key(d, &s->key, text);
	s->named = true;
}

/* Events of the other phases never have attributes. */
static bool wants_attrs(char ph)
{
	return ph != 'M' && ph != 'C' && ph != 's' && ph != 't' && ph != 'f';
}

static void take_phase(struct reader *d, struct record *r, char ph)
{
	r->ph = ph;
	d->keep = d->coded && wants_attrs(ph);
}

static void take_category(struct reader *d, struct record *r, const struct step_key *k, const struct value *v)
{
	r->category = category_id(d, v);
	if (!d->keep)
		return;
	if (r->category)
		code_number(d, k->head, ATTR_REF, r->category);
	else
		code_value(d, k->head, v);
}

/* The members that are a single letter's worth. True when the value needs no other place. */
static bool small_member(struct reader *d, struct record *r, uint8_t place, const struct value *v)
{
	if (v->type != VALUE_STR)
		return false;
	if (place == PLACE_PHASE)
		take_phase(d, r, v->n == 1 ? v->p[0] : '?');
	else if (place == PLACE_SCOPE && v->n)
		r->scope = v->p[0];
	else if (place == PLACE_BINDING)
		r->encloses = v->n == 1 && v->p[0] == 'e';
	return place == PLACE_PHASE;
}

static inline void take_member(struct reader *d, struct record *r, const struct step_key *k, const struct value *v)
{
	r->member[k->place] = v;
	switch (k->place) {
	case PLACE_NAME:
	case PLACE_TS:
	case PLACE_DUR:
		break;
	case PLACE_PID:
	case PLACE_TID:
		r->ident = NULL;
		break;
	case PLACE_CAT:
		take_category(d, r, k, v);
		break;
	default:
		if (!small_member(d, r, k->place, v) && d->keep)
			code_value(d, k->head, v);
	}
}

/* What a step's text holds, as planned. */
static void take_planned(struct reader *d, struct record *r, struct plan *p)
{
	bool keep = d->keep;
	if (p->has_phase)
		take_phase(d, r, p->phase);
	if (p->ids)
		r->ident = p->ids == (PLAN_PID | PLAN_TID) ? &p->ident : NULL;
	if (!p->has_category)
		return;
	r->category = p->category;
	/* before the phase every member is kept: which phase comes is not known there */
	if ((p->category_first ? keep : d->keep) && reserve_text(d, sizeof p->coded)) {
		memcpy(d->to, p->coded, sizeof p->coded);
		d->to += p->coded_n;
	}
}

/* The members that are part of the step's text. */
static void take_fixed(struct reader *d, struct record *r, struct layout_step *s)
{
	if (s->plan.usual) {
		for (unsigned i = 0; i < s->n_fixed; i++)
			r->member[s->fixed[i].key.place] = &s->fixed[i].v;
		take_planned(d, r, &s->plan);
		return;
	}
	if (!reserve_text(d, STEP_FIXED * (ATTR_KEY_MAX + ATTR_NUMBER_MAX)))
		d->keep = false;
	for (unsigned i = 0; i < s->n_fixed; i++)
		take_member(d, r, &s->fixed[i].key, &s->fixed[i].v);
}

static inline void take_arg(struct reader *d, struct record *r, const struct step_key *k, const struct value *v)
{
	r->known[k->tag] = v;
	r->seen |= UINT64_C(1) << k->tag;
	if (d->keep)
		code_value(d, k->head, v);
}

/* The start of an object, else an attribute like others. Only then is the key worth a place in the string table, however the
 * texts around it were learned. */
static void take_args(struct reader *d, struct record *r, const struct value *v)
{
	if (v->type == VALUE_NONE) {
		r->args = (struct value){.p = v->p, .type = VALUE_OBJ};
		return;
	}
	struct attr_head head = attr_head(intern_get(&d->keys, "args", 4)->id);
	if (d->keep)
		code_value(d, head, v);
}

/* What a step says beside the key of the next value. */
static void take_more(struct reader *d, struct record *r, const struct token *t)
{
	struct layout_step *s = t->step;
	if (!s->named) {
		name_step(d, s, t->text);
		s->more = s->n_fixed || s->opens_args || s->closes_args;
	}
	if (s->n_fixed)
		take_fixed(d, r, s);
	if (s->opens_args)
		r->args = (struct value){.p = t->text + s->args_at, .type = VALUE_OBJ};
	if (s->closes_args && r->args.p)
		r->args.n = (size_t)(t->text + s->args_end - r->args.p);
}

static void record_clear(struct record *r, const struct item *i)
{
	static const struct value none;
	static const struct value *const nothing[PLACE_COUNT] = {[0 ... PLACE_COUNT - 1] = &none};
	r->at = i->at;
	r->ph = r->scope = 0;
	r->encloses = false;
	r->category = 0;
	r->ident = NULL;
	memcpy(r->member, nothing, sizeof nothing);
	r->args.p = NULL;
	r->args.type = VALUE_NONE;
	r->seen = 0;
}

void record_take(struct reader *d, const struct batch *b, const struct item *i, struct record *r)
{
	const struct token *t = b->token + i->first, *end = t + i->n;
	record_clear(r, i);
	r->empty = i->n == 1 && t->step->n_fixed == 0;
	d->faults = (struct text_faults){.not_json = i->not_json};
	reader_attrs_begin(d, i->n);
	d->keep = d->coded != NULL;
	for (; t != end; t++) {
		const struct layout_step *s = t->step;
		if (s->more)
			take_more(d, r, t);
		if (s->key.place == PLACE_ARG)
			take_arg(d, r, &s->key, &t->v);
		else if (s->key.place == PLACE_ARGS)
			take_args(d, r, &t->v);
		else if (s->key.place != PLACE_END)
			take_member(d, r, &s->key, &t->v);
	}
	/* args that mean nothing to us share one place */
	r->seen &= ~(UINT64_C(1) << ARG_OTHER);
	r->attrs = reader_attrs_end(d);
}

attr_at record_take_args(struct reader *d, const struct token *from, size_t n, const unsigned char *coded,
			 size_t coded_n, struct record *r)
{
	reader_attrs_begin(d, n + 1);
	bool room = d->coded != NULL;
	if (room) {
		memcpy(d->to, coded, ATTR_SLACK);
		d->to += coded_n;
	}
	for (const struct token *t = from; t != from + n; t++) {
		const struct step_key *k = &t->step->key;
		r->known[k->tag] = &t->v;
		if (room)
			code_value(d, k->head, &t->v);
	}
	return reader_attrs_end(d);
}

attr_at record_take_members(struct reader *d, const struct token *t, const struct member_ref *m, size_t n,
			    struct record *r, str_id category)
{
	reader_attrs_begin(d, n + 1);
	d->keep = d->coded != NULL;
	for (size_t i = 0; i < n; i++) {
		const struct token *at = &t[m[i].token];
		const struct fixed *f = m[i].fixed == NO_FIXED ? NULL : &at->step->fixed[m[i].fixed];
		const struct step_key *k = f ? &f->key : &at->step->key;
		const struct value *v = f ? &f->v : &at->v;
		if (k->place == PLACE_CAT) {
			if (d->keep)
				code_number(d, k->head, ATTR_REF, category);
			continue;
		}
		if (k->place == PLACE_ARG)
			r->known[k->tag] = v;
		if (d->keep)
			code_value(d, k->head, v);
	}
	return reader_attrs_end(d);
}
