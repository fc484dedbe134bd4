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
	shape_init(&d->shape);
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

bool value_is(const struct value *v, const char *text)
{
	return v->type == VALUE_STR && v->n == strlen(text) && memcmp(v->p, text, v->n) == 0;
}

/* Where the next attribute is coded: room for its head, a number and `text` bytes. NULL: memory is out, told at seal. */
static unsigned char *coded_room(struct reader *d, size_t text)
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
static void code_number(struct reader *d, str_id key, enum attr_type type, uint64_t payload)
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

static const char *fail(const char *p, const char *end, enum fault *why)
{
	*why = p >= end ? FAULT_MORE : FAULT_BAD;
	return NULL;
}

/* At a member's opening quote: reads the key, returns the start of its value. */
static const char *read_key(const char *p, const char *end, struct value *key, enum fault *why)
{
	if (*p != '"')
		return fail(p, end, why);
	p = scan_usual(p, end, key, why);
	if (!p)
		return NULL;
	p = scan_blanks(p);
	if (*p != ':')
		return fail(p, end, why);
	return scan_blanks(p + 1);
}

/* Behind a value: the next member's start, or the closing bracket. A comma before the bracket is passed over. */
static const char *next_member(struct reader *d, const char *p, const char *end, enum fault *why)
{
	p = scan_blanks(p);
	if (*p == '}')
		return p;
	if (*p != ',')
		return fail(p, end, why);
	p = scan_blanks(p + 1);
	d->faults.not_json += *p == '}';
	return p;
}

static const struct interned *key_of(struct reader *d, const struct value *key)
{
	struct span s = {key->p, key->n};
	if (key->flags)
		s = text_of(&d->key_text, key, &d->faults);
	return intern_get(&d->keys, s.p, s.n);
}

/* Where a member of the record itself goes. */
enum place {
	PLACE_OTHER,
	PLACE_PHASE,
	PLACE_SCOPE,
	PLACE_BINDING,
	PLACE_TS,
	PLACE_DUR,
	PLACE_PID,
	PLACE_TID,
	PLACE_ID,
	PLACE_CAT,
	PLACE_NAME,
	PLACE_ARGS,
	PLACE_END, /* no key: the closing bracket */
};

static uint8_t place_of(const struct value *key)
{
	static const struct {
		char key[5];
		uint8_t place;
	} table[] = {{"ph", PLACE_PHASE}, {"s", PLACE_SCOPE}, {"bp", PLACE_BINDING}, {"ts", PLACE_TS},
		     {"dur", PLACE_DUR},  {"pid", PLACE_PID}, {"tid", PLACE_TID},    {"id", PLACE_ID},
		     {"id2", PLACE_ID},   {"cat", PLACE_CAT}, {"name", PLACE_NAME},  {"args", PLACE_ARGS}};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (value_is(key, table[i].key))
			return table[i].place;
	return PLACE_OTHER;
}

/* One key, or the closing bracket, the long way. first: p is at an opening bracket, else behind a value. Returns the value's
 * start, or what follows the bracket. */
static const char *scan_member(struct reader *d, const char *p, const char *end, bool first, bool args,
			       struct step *found, enum fault *why)
{
	struct value key;
	p = first ? scan_blanks(p + 1) : next_member(d, p, end, why);
	found->place = PLACE_END;
	if (!p || *p == '}')
		return p ? p + 1 : NULL;
	if (!(p = read_key(p, end, &key, why)))
		return NULL;
	const struct interned *k = key_of(d, &key);
	found->key = k->id;
	found->tag = args ? k->tag : 0;
	found->place = args ? PLACE_OTHER : place_of(&key);
	return p;
}

/* May this member's value be part of a learned text? Only values that seldom change, and are plain. */
static bool may_be_fixed(const struct step *from, uint8_t place, const struct value *v)
{
	if (place == PLACE_PID || place == PLACE_TID)
		return shape_takes_numbers(from) && v->type == VALUE_NUM && (v->flags & NUMBER_READ) && !v->places;
	if (!shape_takes_texts(from) || v->type != VALUE_STR || v->flags || !v->n)
		return false;
	return (place == PLACE_PHASE && v->n == 1) || place == PLACE_CAT || place == PLACE_SCOPE ||
	       place == PLACE_BINDING;
}

/* Takes the member just found into the step, when it fits and its value stays the same. Returns what follows the value. */
static const char *fix_member(struct reader *d, const struct step *from, const char *text, const char *p,
			      const char *end, struct step *found)
{
	struct fixed *f = &found->fixed[found->n_fixed];
	enum fault why;
	const char *behind =
		found->n_fixed < STEP_FIXED && p - text < STEP_TEXT ? scan_usual(p, end, &f->v, &why) : NULL;
	if (!behind || behind - text >= STEP_TEXT || !may_be_fixed(from, found->place, &f->v))
		return NULL;
	f->key = found->key;
	f->place = found->place;
	f->value_at = (uint8_t)(f->v.p - text);
	f->id = f->place == PLACE_CAT ? intern_get(&d->texts, f->v.p, f->v.n)->id : 0;
	found->n_fixed++;
	return behind;
}

/* The last member fixed becomes the one whose value comes next: what stands behind it was too much for one text. */
static void unfix_last(struct step *found)
{
	const struct fixed *f = &found->fixed[--found->n_fixed];
	found->key = f->key;
	found->tag = 0;
	found->place = f->place;
	found->n = f->value_at - (f->v.type == VALUE_STR); /* from its quote on */
}

/* What stands before the next value, the long way, and remembered. */
static struct step *scan_step(struct reader *d, const char *text, const char *end, bool first, bool args,
			      struct step *from, enum fault *why)
{
	struct step found = {.place = PLACE_END};
	struct text_faults before = d->faults;
	for (const char *p = text;; first = false) {
		const char *value = scan_member(d, p, end, first, args, &found, why);
		if (!value)
			return NULL;
		found.n = (uint32_t)(value - text);
		bool sound = memcmp(&before, &d->faults, sizeof before) == 0 && !memchr(text, '\\', found.n);
		if (sound && found.place != PLACE_END && (p = fix_member(d, from, text, value, end, &found)))
			continue;
		if (found.n > STEP_TEXT && found.n_fixed)
			unfix_last(&found);
		return shape_learn(&d->shape, sound ? from : &d->shape.lost, text, &found);
	}
}

static inline struct step *next_step(struct reader *d, const char *p, const char *end, bool first, bool args,
				     struct step *from, enum fault *why)
{
	struct step *known = shape_follow(from, p);
	return known ? known : scan_step(d, p, end, first, args, from, why);
}

/* Where the value behind a step begins: the blanks before it may be more than those learned. */
static inline const char *value_behind(const struct step *s, const char *p)
{
	return (unsigned char)p[s->n] > ' ' ? p + s->n : scan_blanks(p + s->n);
}

/* These phases never become an event with attributes. */
static bool wants_attrs(const struct record *r)
{
	return r->ph != 'M' && r->ph != 'C' && r->ph != 's' && r->ph != 't' && r->ph != 'f';
}

static const char *read_args(struct reader *d, const char *p, const char *end, struct record *r, struct step **at,
			     enum fault *why)
{
	const char *from = p;
	struct step *step = *at;
	bool keep = wants_attrs(r);
	for (bool first = true;; first = false) {
		struct value other;
		if (!(step = next_step(d, p, end, first, true, step, why)))
			return NULL;
		if (step->place == PLACE_END)
			break;
		struct value *v = step->tag ? &r->known[step->tag] : &other;
		if (!(p = scan_usual(value_behind(step, p), end, v, why)))
			return NULL;
		r->seen |= (uint64_t)(step->tag != 0) << step->tag;
		if (keep)
			record_attr(d, step->key, v);
	}
	*at = step;
	p += step->n;
	r->args = (struct value){.p = from, .n = (size_t)(p - from), .type = VALUE_OBJ};
	return p;
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

/* A member that is more than a place to put it. */
static void take_member(struct reader *d, struct record *r, const struct step *s, const struct value *v)
{
	if (s->place == PLACE_CAT) {
		take_category(d, r, s->key, 0, v);
		return;
	}
	if (small_member(r, s->place, v))
		return;
	if (s->place == PLACE_ID)
		r->id = *v;
	if (wants_attrs(r))
		record_attr(d, s->key, v);
}

/* The members that are part of the text at p. */
static void take_fixed(struct reader *d, struct record *r, const struct step *s, const char *p)
{
	r->members += s->n_fixed;
	for (unsigned i = 0; i < s->n_fixed; i++) {
		const struct fixed *f = &s->fixed[i];
		struct value v = f->v, *room = room_for(r, f->place);
		v.p = p + f->value_at;
		if (room)
			*room = v;
		else if (f->place == PLACE_CAT)
			take_category(d, r, f->key, f->id, &v);
		else if (!small_member(r, f->place, &v) && wants_attrs(r))
			record_attr(d, f->key, &v);
	}
}

/* The value of the member that `step` opened. Returns what follows it. */
static const char *read_value(struct reader *d, const char *p, const char *end, struct record *r, struct step **step,
			      enum fault *why)
{
	struct value other, *room = room_for(r, (*step)->place);
	if ((*step)->place == PLACE_ARGS && *p == '{')
		return read_args(d, p, end, r, step, why);
	if (!(p = scan_usual(p, end, room ? room : &other, why)) || room)
		return p;
	take_member(d, r, *step, &other);
	if ((*step)->place == PLACE_ARGS) /* what was learned behind it begins with a bracket */
		*step = &d->shape.lost;
	return p;
}

static void record_clear(struct record *r, int64_t at)
{
	/* `known` is guarded by `seen` and need not be cleared */
	memset(r, 0, offsetof(struct record, known));
	r->attrs = 0;
	r->at = at;
}

const char *record_read(struct reader *d, const char *p, const char *end, int64_t at, struct record *r, enum fault *why)
{
	struct step *step = &d->shape.root;
	record_clear(r, at);
	d->faults = (struct text_faults){0};
	reader_attrs_begin(d);
	for (bool first = true;; first = false) {
		if (!(step = next_step(d, p, end, first, false, step, why)))
			return NULL;
		take_fixed(d, r, step, p);
		if (step->place == PLACE_END)
			break;
		r->members++;
		if (!(p = read_value(d, value_behind(step, p), end, r, &step, why)))
			return NULL;
	}
	r->attrs = reader_attrs_end(d);
	return p + step->n;
}

bool object_next(const char **p, const char *end, struct value *key, struct value *v)
{
	enum fault why;
	const char *q = scan_blanks(*p);
	if (*q != '{' && *q != ',')
		return false;
	q = scan_blanks(q + 1);
	if (q >= end || !(q = read_key(q, end, key, &why)) || !(q = scan_value(q, end, v, &why)))
		return false;
	*p = q;
	return true;
}

bool array_next(const char **p, const char *end, struct value *v)
{
	enum fault why;
	const char *q = scan_blanks(*p);
	if (*q != '[' && *q != ',')
		return false;
	q = scan_blanks(q + 1);
	if (q >= end || *q == ']' || !(q = scan_value(q, end, v, &why)))
		return false;
	*p = q;
	return true;
}
