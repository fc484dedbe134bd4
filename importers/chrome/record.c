#include "record.h"
#include "number.h"
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
	return (v->type == VALUE_NUM || v->type == VALUE_STR) && number_int(v->p, v->n, i);
}

bool value_real(const struct value *v, double *x)
{
	return (v->type == VALUE_NUM || v->type == VALUE_STR) && number_real(v->p, v->n, x);
}

bool value_is(const struct value *v, const char *text)
{
	return v->type == VALUE_STR && v->n == strlen(text) && memcmp(v->p, text, v->n) == 0;
}

static void attr_text_value(struct reader *d, str_id key, const struct value *v)
{
	struct span s = reader_text(d, v);
	str_id id;
	if (s.n > 0 && s.n <= SHORT_TEXT && intern_repeated(&d->texts, s.p, s.n, &id))
		attrs_put_ref(d->attrs, key, id);
	else
		attrs_put_str(d->attrs, key, s.p, s.n);
}

static void attr_number(struct reader *d, str_id key, const struct value *v)
{
	struct attr a = {.key = key, .type = ATTR_NUMBER, .p = v->p, .n = v->n};
	if ((v->flags & NUMBER_INTEGER) && number_canonical(v->p, v->n)) {
		if (number_int(v->p, v->n, &a.i))
			a.type = ATTR_INT;
		else if (number_uint(v->p, v->n, &a.u))
			a.type = ATTR_UINT;
	}
	attrs_put(d->attrs, &a);
}

void record_attr(struct reader *d, str_id key, const struct value *v)
{
	struct span s;
	switch (v->type) {
	case VALUE_STR:
		attr_text_value(d, key, v);
		break;
	case VALUE_NUM:
		attr_number(d, key, v);
		break;
	case VALUE_TRUE:
	case VALUE_FALSE:
		attrs_put(d->attrs, &(struct attr){.key = key, .type = ATTR_BOOL, .u = v->type == VALUE_TRUE});
		break;
	case VALUE_NULL:
		attrs_put(d->attrs, &(struct attr){.key = key, .type = ATTR_NULL});
		break;
	case VALUE_OBJ:
	case VALUE_ARR:
		s = v->flags & NESTED_LINES ? text_compact(&d->text, v) : (struct span){v->p, v->n};
		attrs_put(d->attrs, &(struct attr){.key = key, .type = ATTR_JSON, .p = s.p, .n = s.n});
		break;
	default: /* NaN, inf: not JSON, but written by real exporters */
		d->faults.not_json++;
		attrs_put(d->attrs, &(struct attr){.key = key, .type = ATTR_NUMBER, .p = v->p, .n = v->n});
	}
}

/* ---- members ------------------------------------------------------------------------------------------------------ */

static const char *fail(const char *p, const char *end, enum fault *why)
{
	*why = p >= end ? FAULT_MORE : FAULT_BAD;
	return NULL;
}

/* Behind a key's closing quote: the start of its value. */
static const char *behind_colon(const char *p, const char *end, enum fault *why)
{
	p = scan_blanks(p);
	return *p == ':' ? scan_blanks(p + 1) : fail(p, end, why);
}

/* At a member's opening quote: reads the key, returns the start of its value. */
static const char *read_key(const char *p, const char *end, struct value *key, enum fault *why)
{
	if (*p != '"')
		return fail(p, end, why);
	p = scan_key(p, end, key, why);
	return p ? behind_colon(p, end, why) : NULL;
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

static struct interned *key_of(struct reader *d, const struct value *key)
{
	struct span s = {key->p, key->n};
	if (key->flags)
		s = text_of(&d->key_text, key, &d->faults);
	return intern_get(&d->keys, s.p, s.n);
}

/* These phases never become an event with attributes. */
static bool wants_attrs(const struct record *r)
{
	return r->ph != 'M' && r->ph != 'C' && r->ph != 's' && r->ph != 't' && r->ph != 'f';
}

static const char *scan_usual(const char *p, const char *end, struct value *v, enum fault *why)
{
	if (*p >= '0' && *p <= '9')
		return scan_number(p, end, v, why);
	return *p == '"' ? scan_string(p + 1, end, v, why) : scan_value(p, end, v, why);
}

/* Does the member at p begin with this key? Then what follows the key's closing quote, else NULL. */
static const char *begins_with(const char *p, const char *end, const struct interned *k)
{
	if (!k || !k->plain || (size_t)(end - p) < (size_t)k->n + 2)
		return NULL;
	return p[0] == '"' && p[k->n + 1] == '"' && memcmp(p + 1, k->p, k->n) == 0 ? p + k->n + 2 : NULL;
}

/* As read_key, for args: the keys of one kind of event come in one order, so what followed `before` last time is tried
 * first. */
static const char *read_arg_key(struct reader *d, const char *p, const char *end, struct interned **before,
				enum fault *why)
{
	const char *behind = begins_with(p, end, (*before)->after);
	if (behind) {
		*before = (*before)->after;
		return behind_colon(behind, end, why);
	}
	struct value key;
	if (!(p = read_key(p, end, &key, why)))
		return NULL;
	struct interned *k = key_of(d, &key);
	(*before)->after = k;
	*before = k;
	return p;
}

static const char *read_args(struct reader *d, const char *p, const char *end, struct record *r, enum fault *why)
{
	struct value other;
	struct interned *k = &d->first_arg;
	const char *from = p;
	bool keep = wants_attrs(r);
	p = scan_blanks(p + 1);
	while (*p != '}') {
		if (!(p = read_arg_key(d, p, end, &k, why)))
			return NULL;
		/* read in place: a copy would wait for the parts just written */
		struct value *v = k->tag ? &r->known[k->tag] : &other;
		if (!(p = scan_usual(p, end, v, why)))
			return NULL;
		if (k->tag)
			r->seen |= UINT64_C(1) << k->tag;
		if (keep)
			record_attr(d, k->id, v);
		if (!(p = next_member(d, p, end, why)))
			return NULL;
	}
	r->args = (struct value){.p = from, .n = (size_t)(p + 1 - from), .type = VALUE_OBJ};
	return p + 1;
}

/* Where a member of the record itself goes; NULL: it becomes an attribute only. */
static struct value *place_of(struct record *r, const struct value *key)
{
	const char *k = key->p;
	switch (key->n) {
	case 2:
		return memcmp(k, "ts", 2) == 0 ? &r->ts : memcmp(k, "id", 2) == 0 ? &r->id : NULL;
	case 3:
		switch (k[0]) {
		case 'c':
			return memcmp(k, "cat", 3) == 0 ? &r->cat : NULL;
		case 'd':
			return memcmp(k, "dur", 3) == 0 ? &r->dur : NULL;
		case 'p':
			return memcmp(k, "pid", 3) == 0 ? &r->pid : NULL;
		case 't':
			return memcmp(k, "tid", 3) == 0 ? &r->tid : NULL;
		case 'i':
			return memcmp(k, "id2", 3) == 0 ? &r->id : NULL;
		}
		return NULL;
	case 4:
		return memcmp(k, "name", 4) == 0 ? &r->name : NULL;
	}
	return NULL;
}

/* The members that are a single letter's worth. True when the value needs no other place. */
static bool small_member(struct record *r, const struct value *key, const struct value *v)
{
	if (key->n > 2 || v->type != VALUE_STR)
		return false;
	if (key->n == 2 && memcmp(key->p, "ph", 2) == 0) {
		r->ph = v->n == 1 ? v->p[0] : '?';
		return true;
	}
	if (key->n == 1 && key->p[0] == 's' && v->n)
		r->scope = v->p[0];
	if (key->n == 2 && memcmp(key->p, "bp", 2) == 0)
		r->encloses = v->n == 1 && v->p[0] == 'e';
	return false;
}

static void keep_category(struct reader *d, const struct record *r)
{
	if (!wants_attrs(r))
		return;
	if (!d->cat_key)
		d->cat_key = intern_get(&d->keys, "cat", 3)->id;
	record_attr(d, d->cat_key, &r->cat);
}

/* cat and id are told to analyses and kept as attributes. */
static void keep_member(struct reader *d, const struct record *r, const struct value *key, const struct value *place,
			const struct value *v)
{
	if (place == &r->cat)
		keep_category(d, r);
	else if ((!place || place == &r->id) && wants_attrs(r))
		record_attr(d, key_of(d, key)->id, v);
}

/* "ph": "X" and its like, in one look. NULL: not written that way. */
static const char *read_phase(const char *p, struct record *r)
{
	unsigned char ph = (unsigned char)p[1];
	if (p[0] != '"' || p[2] != '"' || ph <= ' ' || ph >= 0x7f || ph == '"' || ph == '\\')
		return NULL;
	r->ph = (char)ph;
	return p + 3;
}

static inline uint32_t four_bytes(const char *p)
{
	return (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8 |
	       (uint32_t)(unsigned char)p[2] << 16 | (uint32_t)(unsigned char)p[3] << 24;
}
#define FOUR(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* The members that nearly every event has, told by the first four bytes behind the quote. *n: length of the key. */
static struct value *usual_place(struct record *r, const char *p, size_t *n)
{
	switch (four_bytes(p)) {
	case FOUR('t', 's', '"', ':'):
		*n = 2;
		return &r->ts;
	case FOUR('c', 'a', 't', '"'):
		*n = 3;
		return &r->cat;
	case FOUR('d', 'u', 'r', '"'):
		*n = 3;
		return &r->dur;
	case FOUR('p', 'i', 'd', '"'):
		*n = 3;
		return &r->pid;
	case FOUR('t', 'i', 'd', '"'):
		*n = 3;
		return &r->tid;
	case FOUR('n', 'a', 'm', 'e'):
		*n = 4;
		return p[4] == '"' ? &r->name : NULL;
	case FOUR('a', 'r', 'g', 's'):
		*n = 4;
		return p[4] == '"' ? &r->args : NULL;
	}
	return NULL;
}

static const char *read_unusual(struct reader *d, const char *p, const char *end, struct record *r, enum fault *why)
{
	struct value key, other;
	if (!(p = read_key(p, end, &key, why)))
		return NULL;
	r->members++;
	if (*p == '{' && key.n == 4 && memcmp(key.p, "args", 4) == 0)
		return read_args(d, p, end, r, why);
	struct value *place = place_of(r, &key), *v = place ? place : &other;
	if (!(p = scan_value(p, end, v, why)))
		return NULL;
	if (!small_member(r, &key, v))
		keep_member(d, r, &key, place, v);
	return p;
}

static const char *read_member(struct reader *d, const char *p, const char *end, struct record *r, enum fault *why)
{
	size_t n;
	if (*p != '"')
		return fail(p, end, why);
	if (memcmp(p, "\"ph\":", 5) == 0) {
		const char *behind = read_phase(scan_blanks(p + 5), r);
		r->members += behind != NULL;
		return behind ? behind : read_unusual(d, p, end, r, why);
	}
	struct value *place = usual_place(r, p + 1, &n);
	const char *at = place ? behind_colon(p + n + 2, end, why) : NULL;
	if (!place || (at && place == &r->args && *at != '{'))
		return read_unusual(d, p, end, r, why);
	r->members++;
	if (at && place == &r->args)
		return read_args(d, at, end, r, why);
	at = at ? scan_usual(at, end, place, why) : NULL;
	if (at && place == &r->cat)
		keep_category(d, r);
	return at;
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
	record_clear(r, at);
	d->faults = (struct text_faults){0};
	attrs_begin(d->attrs);
	p = scan_blanks(p + 1);
	while (*p != '}') {
		if (!(p = read_member(d, p, end, r, why)) || !(p = next_member(d, p, end, why)))
			return NULL;
	}
	r->attrs = attrs_end(d->attrs);
	return p + 1;
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
