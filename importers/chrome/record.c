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

/* At a member's opening quote: reads the key, returns the start of its value. */
static const char *read_key(const char *p, const char *end, struct value *key, enum fault *why)
{
	if (*p != '"')
		return fail(p, end, why);
	p = scan_key(p, end, key, why);
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

/* These phases never become an event with attributes. */
static bool wants_attrs(const struct record *r)
{
	return r->ph != 'M' && r->ph != 'C' && r->ph != 's' && r->ph != 't' && r->ph != 'f';
}

static const char *read_args(struct reader *d, const char *p, const char *end, struct record *r, enum fault *why)
{
	struct value key, v;
	const char *from = p;
	bool keep = wants_attrs(r);
	p = scan_blanks(p + 1);
	while (*p != '}') {
		if (!(p = read_key(p, end, &key, why)) || !(p = scan_value(p, end, &v, why)))
			return NULL;
		const struct interned *k = key_of(d, &key);
		if (k->tag) {
			r->known[k->tag] = v;
			r->seen |= UINT64_C(1) << k->tag;
		}
		if (keep)
			record_attr(d, k->id, &v);
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

static void take_member(struct reader *d, struct record *r, const struct value *key, const struct value *v)
{
	if (small_member(r, key, v))
		return;
	struct value *place = place_of(r, key);
	if (place)
		*place = *v;
	if ((!place || place == &r->cat || place == &r->id) && wants_attrs(r))
		record_attr(d, key_of(d, key)->id, v);
}

static const char *read_member(struct reader *d, const char *p, const char *end, struct record *r, enum fault *why)
{
	struct value key, v;
	if (!(p = read_key(p, end, &key, why)))
		return NULL;
	r->members++;
	if (*p == '{' && key.n == 4 && memcmp(key.p, "args", 4) == 0)
		return read_args(d, p, end, r, why);
	if (!(p = scan_value(p, end, &v, why)))
		return NULL;
	take_member(d, r, &key, &v);
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
