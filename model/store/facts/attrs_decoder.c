#include "attrs_coder_private.h"
#include "attrs_encode.h"

/* Of a block that is being decoded. */
struct decoding {
	struct attrs_coder *k;
	const unsigned char *from, *from_end;
	unsigned char *begin, *to, *end; /* of the block's bytes */
	bool bad;
};

/* Reading may run over the end by CODED_SLACK before this is asked. */
static bool overrun(struct decoding *d)
{
	d->bad |= d->from > d->from_end;
	return d->bad;
}

static uint64_t get_varint(struct decoding *d)
{
	unsigned size;
	if (overrun(d))
		return 0;
	uint64_t v = coded_varint(d->from, &size);
	d->bad |= size == 0;
	d->from += size;
	return v;
}

static void copy(struct decoding *d, size_t n)
{
	d->bad |= overrun(d) || (size_t)(d->from_end - d->from) < n || (size_t)(d->end - d->to) < n;
	if (d->bad)
		return;
	memcpy(d->to, d->from, n);
	d->to += n;
	d->from += n;
}

static void get_shape(struct decoding *d)
{
	uint64_t n = get_varint(d);
	if (d->bad || n > CODED_MEMBERS || d->k->n_shapes == CODED_SHAPES) {
		d->bad = true;
		return;
	}
	struct shape *s = &d->k->shape[d->k->n_shapes++];
	memset(s, 0, sizeof *s);
	s->n = (unsigned)n;
	for (unsigned i = 0; i < n && !overrun(d); i++) {
		d->bad |= !coded_head(&s->member[i].head, d->from);
		d->from += s->member[i].head.size;
	}
}

/* Which shape, and which of its numbers come. */
static struct token get_token(struct decoding *d, unsigned byte)
{
	struct attrs_coder *k = d->k;
	if (byte != CODED_TOKEN) {
		d->bad |= byte >= k->n_tokens;
		return !d->bad ? k->token[byte] : (struct token){0};
	}
	uint64_t shape = get_varint(d);
	if (!d->bad && shape == k->n_shapes)
		get_shape(d);
	uint64_t mask = get_varint(d);
	d->bad |= shape >= k->n_shapes || mask > UINT32_MAX;
	struct token t = {(uint32_t)shape, (uint32_t)mask};
	if (!d->bad && k->n_tokens < CODED_TOKENS)
		k->token[k->n_tokens++] = t;
	return t;
}

static void put_text(struct decoding *d, uint64_t number)
{
	struct attrs_coder *k = d->k;
	bool new = number == k->n_texts;
	if (number > k->n_texts) {
		d->bad = true;
		return;
	}
	uint64_t n = new ? get_varint(d) : k->text[number].n;
	/* room for the length was asked for with that for the head */
	if (d->bad || n > (uint64_t)(d->end - d->to)) {
		d->bad = true;
		return;
	}
	d->to = attr_put_varint(d->to, n);
	uint32_t at = (uint32_t)(d->to - d->begin);
	if (new) {
		copy(d, (size_t)n);
		if (!d->bad && k->n_texts < CODED_TEXTS)
			k->text[k->n_texts++] = (struct known_text){at, (uint32_t)n};
		return;
	}
	d->bad |= (size_t)(d->end - d->to) < n;
	if (d->bad)
		return;
	memcpy(d->to, d->begin + k->text[number].at, (size_t)n);
	d->to += n;
}

static void put_value(struct decoding *d, struct member *m, bool comes)
{
	unsigned class = m->head.class;
	uint64_t v = m->last + m->step;
	if (class == VALUE_REAL && comes) {
		v = load_word(d->from);
		d->from += sizeof v;
	} else if (comes) {
		uint64_t step = get_varint(d);
		v = m->last + (step >> 1 ^ (0 - (step & 1)));
	}
	coded_step(m, v);
	if (class == VALUE_TEXT)
		put_text(d, v);
	else if (class == VALUE_REAL)
		attr_store8(d->to, v), d->to += sizeof v;
	else if (class != VALUE_NONE)
		d->to = class == VALUE_SIGNED ? attr_put_signed(d->to, (int64_t)v) : attr_put_varint(d->to, v);
}

static void put_record(struct decoding *d, struct token t)
{
	struct shape *s = &d->k->shape[t.shape];
	for (unsigned i = 0; i < s->n && !overrun(d); i++) {
		struct member *m = &s->member[i];
		d->bad |= d->end - d->to < CODED_SLACK;
		if (d->bad)
			return;
		attr_store8(d->to, m->head.word);
		d->to += m->head.size;
		put_value(d, m, t.mask >> i & 1);
	}
	d->bad |= d->end - d->to < CODED_SLACK;
	if (!d->bad)
		*d->to++ = 0;
}

bool attrs_decode(struct attrs_coder *k, const unsigned char *from, size_t bytes, unsigned char *to, size_t n)
{
	struct decoding d = {.k = k, .from = from, .from_end = from + bytes, .begin = to, .to = to, .end = to + n};
	k->n_shapes = k->n_tokens = k->n_texts = 0;
	copy(&d, (size_t)get_varint(&d));
	while (!d.bad && d.from < d.from_end) {
		unsigned byte = *d.from++;
		if (byte == CODED_END) {
			copy(&d, (size_t)(d.from_end - d.from));
			return !d.bad && d.to == d.end;
		}
		struct token t = get_token(&d, byte);
		if (!d.bad)
			put_record(&d, t);
	}
	return false;
}
