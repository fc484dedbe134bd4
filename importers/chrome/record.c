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

/* What stands before the next value, read the long way and remembered. first: p is at an opening bracket, else behind a
 * value. Returns the value's start, or what follows the closing bracket. */
static const char *scan_step(struct reader *d, const char *p, const char *end, bool first, bool args, struct step **at,
			     enum fault *why)
{
	const char *from = p;
	struct value key;
	struct step found = {.place = PLACE_END};
	struct text_faults before = d->faults;
	p = first ? scan_blanks(p + 1) : next_member(d, p, end, why);
	if (!p)
		return NULL;
	if (*p == '}') {
		p++;
	} else {
		if (!(p = read_key(p, end, &key, why)))
			return NULL;
		const struct interned *k = key_of(d, &key);
		found.key = k->id;
		found.tag = args ? k->tag : 0;
		found.place = args ? PLACE_OTHER : place_of(&key);
	}
	bool sound = memcmp(&before, &d->faults, sizeof before) == 0 && (found.place == PLACE_END || !key.flags);
	struct step *next = sound ? shape_learn(&d->shape, *at, from, (size_t)(p - from), &found) : &d->shape.lost;
	if (next == &d->shape.lost) {
		next->key = found.key;
		next->tag = found.tag;
		next->place = found.place;
	}
	*at = next;
	return p;
}

static inline const char *next_step(struct reader *d, const char *p, const char *end, bool first, bool args,
				    struct step **at, enum fault *why)
{
	struct step *known = shape_follow(*at, p);
	if (!known)
		return scan_step(d, p, end, first, args, at, why);
	*at = known;
	p += known->n;
	return (unsigned char)*p > ' ' || known->place == PLACE_END ? p : scan_blanks(p);
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
	bool keep = wants_attrs(r);
	for (bool first = true;; first = false) {
		struct value other;
		if (!(p = next_step(d, p, end, first, true, at, why)))
			return NULL;
		if ((*at)->place == PLACE_END)
			break;
		uint8_t tag = (*at)->tag;
		struct value *v = tag ? &r->known[tag] : &other;
		if (!(p = scan_usual(p, end, v, why)))
			return NULL;
		r->seen |= (uint64_t)(tag != 0) << tag;
		if (keep)
			record_attr(d, (*at)->key, v);
	}
	r->args = (struct value){.p = from, .n = (size_t)(p - from), .type = VALUE_OBJ};
	return p;
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

/* What follows in an entry depends on its category: kernels have args of their own. */
static void take_category(struct reader *d, struct record *r, struct step **at, const struct value *v)
{
	r->cat = *v;
	r->category = 0;
	if (v->type == VALUE_STR && v->n && !v->flags) {
		r->category = intern_get(&d->texts, v->p, v->n)->id;
		if (wants_attrs(r))
			code_number(d, (*at)->key, ATTR_REF, r->category);
		*at = shape_branch(&d->shape, *at, r->category);
	} else if (wants_attrs(r)) {
		record_attr(d, (*at)->key, v);
	}
}

static void take_member(struct reader *d, struct record *r, struct step **at, const struct value *v)
{
	switch ((*at)->place) {
	case PLACE_TS:
		r->ts = *v;
		return;
	case PLACE_DUR:
		r->dur = *v;
		return;
	case PLACE_PID:
		r->pid = *v;
		return;
	case PLACE_TID:
		r->tid = *v;
		return;
	case PLACE_NAME:
		r->name = *v;
		return;
	case PLACE_CAT:
		take_category(d, r, at, v);
		return;
	case PLACE_ID:
		r->id = *v;
		break;
	default:
		if (small_member(r, (*at)->place, v))
			return;
	}
	if (wants_attrs(r))
		record_attr(d, (*at)->key, v);
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
	for (;; r->members++) {
		struct value v;
		if (!(p = next_step(d, p, end, r->members == 0, false, &step, why)))
			return NULL;
		if (step->place == PLACE_END)
			break;
		if (step->place == PLACE_ARGS && *p == '{') {
			if (!(p = read_args(d, p, end, r, &step, why)))
				return NULL;
			continue;
		}
		if (!(p = scan_usual(p, end, &v, why)))
			return NULL;
		bool args = step->place == PLACE_ARGS;
		take_member(d, r, &step, &v);
		if (args)
			step = &d->shape.lost;
	}
	r->attrs = reader_attrs_end(d);
	return p;
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
