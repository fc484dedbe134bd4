#include "attrs_coder_private.h"
#include "attrs_encode.h"
#include <stdlib.h>

struct attrs_coder *attrs_coder_new(void)
{
	return calloc(1, sizeof(struct attrs_coder));
}

void attrs_coder_free(struct attrs_coder *k)
{
	free(k);
}

/* Forgets the block before. */
static void coded_begin(struct attrs_coder *k)
{
	k->n_shapes = k->n_tokens = k->n_texts = 0;
	k->n_nodes = 1;
	k->node[0] = (struct head_node){.bits = UINT64_MAX};
	memset(k->token_at, 0, sizeof k->token_at);
	memset(k->text_at, 0, sizeof k->text_at);
}

/* The class of a type's value; -1 when there is no such type. */
static int coded_class(unsigned type)
{
	static const uint8_t classes[ATTR_TYPES] = {
		[ATTR_STR] = VALUE_TEXT,    [ATTR_REF] = VALUE_NUMBER,  [ATTR_INT] = VALUE_SIGNED,
		[ATTR_UINT] = VALUE_NUMBER, [ATTR_DOUBLE] = VALUE_REAL, [ATTR_NUMBER] = VALUE_TEXT,
		[ATTR_BOOL] = VALUE_NUMBER, [ATTR_NULL] = VALUE_NONE,   [ATTR_JSON] = VALUE_TEXT,
		[ATTR_BYTES] = VALUE_TEXT,
	};
	return type < ATTR_TYPES ? classes[type] : -1;
}

uint64_t coded_long_varint(const unsigned char *from, unsigned *size)
{
	uint64_t v = 0;
	unsigned i = 0;
	for (; i < ATTR_NUMBER_MAX - 1 && from[i] & 0x80; i++)
		v |= (uint64_t)(from[i] & 0x7f) << 7 * i;
	/* the tenth byte has one bit of the number */
	bool sound = from[i] && from[i] <= (i == ATTR_NUMBER_MAX - 1 ? 1 : 0x7f);
	*size = sound ? i + 1 : 0;
	return v | (uint64_t)from[i] << 7 * i;
}

bool coded_head(struct head *h, const unsigned char *from)
{
	uint64_t w = load_word(from), stop = ~w & 0x8080808080;
	if (!stop)
		return false;
	h->size = (uint8_t)(__builtin_ctzll(stop) / 8 + 2);
	h->word = w & ~UINT64_C(0) >> (64 - 8 * h->size);
	int class = coded_class((unsigned)(h->word >> 8 * (h->size - 1)));
	h->class = (uint8_t) class;
	return class >= 0;
}

/* ---- a record taken apart ------------------------------------------------------------------------------------------- */

/* Of a block that is being coded. */
struct coding {
	struct attrs_coder *k;
	const unsigned char *begin, *from, *end; /* of the block's bytes, and what is not coded yet */
	unsigned char *to, *to_end;
	/* the record at hand */
	unsigned n;
	struct head_node *last; /* of its heads */
	uint64_t value[CODED_MEMBERS], step[CODED_MEMBERS];
	uint32_t fresh; /* bit i: the text of member i is written out */
	struct known_text text[CODED_MEMBERS];
	size_t text_bytes; /* of these */
};

static uint64_t text_hash(const unsigned char *p, size_t n)
{
	const uint64_t by = 0x9fb21c651e98df25;
	uint64_t h = n * by;
	for (; n > 8; n -= 8, p += 8) {
		h = (h ^ load_word(p)) * by;
		h ^= h >> 32;
	}
	/* what lies behind the text does not count */
	h = (h ^ (n ? load_word(p) << (64 - 8 * n) : 0)) * by;
	return h ^ h >> 29;
}

/* The number of a text; a new one gets the next, or none when there are too many. */
static uint64_t number_text(struct coding *c, const unsigned char *p, size_t n, unsigned member)
{
	struct attrs_coder *k = c->k;
	size_t at = text_hash(p, n) % TEXT_SLOTS;
	for (; k->text_at[at]; at = (at + 1) % TEXT_SLOTS) {
		const struct known_text *x = &k->text[k->text_at[at] - 1];
		if (x->n == n && memcmp(c->begin + x->at, p, n) == 0)
			return (uint64_t)(x - k->text);
	}
	c->fresh |= UINT32_C(1) << member;
	c->text[member] = (struct known_text){(uint32_t)(p - c->begin), (uint32_t)n};
	c->text_bytes += n;
	if (k->n_texts == CODED_TEXTS)
		return CODED_TEXTS;
	k->text_at[at] = (uint16_t)(k->n_texts + 1);
	k->text[k->n_texts] = c->text[member];
	return k->n_texts++;
}

/* A value that is no integer, as a number; NULL when the block does not have it whole, else what is after it. */
static const unsigned char *take_other(struct coding *c, const unsigned char *p, unsigned class, unsigned member)
{
	unsigned size;
	c->value[member] = class == VALUE_REAL ? load_word(p) : 0;
	if (class != VALUE_TEXT)
		return p + (class == VALUE_REAL ? sizeof(uint64_t) : 0);
	uint64_t n = coded_varint(p, &size);
	p += size;
	if (!size || n > (uint64_t)(c->end - p))
		return NULL;
	c->value[member] = number_text(c, p, (size_t)n, member);
	return p + n;
}

/* The node of a head that no shape has there yet, after `depth` others; NULL when there is no room, or it is none. */
static struct head_node *add_node(struct attrs_coder *k, struct head_node *parent, const unsigned char *p,
				  unsigned depth)
{
	struct head_node *new = &k->node[k->n_nodes];
	if (k->n_nodes == HEAD_NODES || depth == CODED_MEMBERS || !coded_head(&new->head, p))
		return NULL;
	new->bits = ~UINT64_C(0) >> (64 - 8 * new->head.size);
	new->child = new->shape = 0;
	new->parent = (uint16_t)(parent - k->node);
	new->sibling = parent->child;
	parent->child = (uint16_t)k->n_nodes++;
	return new;
}

static inline bool is_head(const struct head_node *x, uint64_t word)
{
	return !((word ^ x->head.word) & x->bits);
}

/* The node of a head that is not that of the first child. It becomes the first. */
static struct head_node *other_node(struct attrs_coder *k, struct head_node *parent, const unsigned char *p,
				    unsigned depth)
{
	uint16_t *link = &k->node[parent->child].sibling, at;
	if (!parent->child)
		return add_node(k, parent, p, depth);
	for (; (at = *link); link = &k->node[at].sibling) {
		struct head_node *x = &k->node[at];
		if (!is_head(x, load_word(p)))
			continue;
		*link = x->sibling;
		x->sibling = parent->child;
		parent->child = at;
		return x;
	}
	return add_node(k, parent, p, depth);
}

/* Each member has CODED_SLACK bytes of the block after its beginning, and so has the end of the record: whatever is nearer to the
 * block's end stays as it is. */
static const unsigned char *take_record(struct coding *c)
{
	struct attrs_coder *k = c->k;
	struct head_node *node = k->node, *x;
	const unsigned char *p = c->from, *last = c->end - CODED_SLACK;
	unsigned n = 0, size;
	c->fresh = 0;
	c->text_bytes = 0;
	for (uint64_t word; p <= last && (word = load_word(p)) & 0xff; n++) {
		x = &k->node[node->child];
		node = is_head(x, word) ? x : other_node(k, node, p, n);
		if (!node)
			return NULL;
		p += node->head.size;
		if (node->head.class <= VALUE_SIGNED) {
			uint64_t v = coded_varint(p, &size), is_signed = node->head.class;
			if (!size)
				return NULL;
			/* zigzag, without a branch: both kinds come mixed */
			c->value[n] = v >> is_signed ^ (0 - (v & is_signed));
			p += size;
		} else if (!(p = take_other(c, p, node->head.class, n))) {
			return NULL;
		}
	}
	c->n = n;
	c->last = node;
	return p <= last ? p + 1 : NULL;
}

/* ---- a record written ------------------------------------------------------------------------------------------------ */

/* The shape of the record; *new: it is the first one of it. NULL when there are too many. */
static struct shape *find_shape(struct coding *c, bool *new)
{
	struct attrs_coder *k = c->k;
	struct head_node *x = c->last;
	*new = !x->shape;
	if (x->shape)
		return &k->shape[x->shape - 1];
	if (k->n_shapes == CODED_SHAPES)
		return NULL;
	struct shape *s = &k->shape[k->n_shapes++];
	x->shape = (uint8_t)k->n_shapes;
	s->n = c->n;
	s->token = 0;
	for (unsigned i = c->n; i-- > 0; x = &k->node[x->parent])
		s->member[i] = (struct member){.head = x->head};
	return s;
}

static unsigned char *announce(unsigned char *to, const struct shape *s, unsigned index, bool new, uint32_t mask)
{
	*to++ = CODED_TOKEN;
	to = attr_put_varint(to, index);
	if (new) {
		to = attr_put_varint(to, s->n);
		for (unsigned i = 0; i < s->n; to += s->member[i++].head.size)
			attr_store8(to, s->member[i].head.word);
	}
	return attr_put_varint(to, mask);
}

/* The byte that stands for shape and mask; -1: none yet. */
static int seek_token(struct attrs_coder *k, const struct shape *s, uint32_t mask)
{
	unsigned index = (unsigned)(s - k->shape);
	uint64_t hash = ((uint64_t)index << 32 | mask) * 0x9fb21c651e98df25;
	size_t at = (hash >> 32) % TOKEN_SLOTS;
	for (; k->token_at[at]; at = (at + 1) % TOKEN_SLOTS) {
		const struct token *t = &k->token[k->token_at[at] - 1];
		if (t->shape == index && t->mask == mask)
			return k->token_at[at] - 1;
	}
	if (k->n_tokens < CODED_TOKENS) {
		k->token[k->n_tokens++] = (struct token){index, mask};
		k->token_at[at] = (uint8_t)k->n_tokens;
	}
	return -1;
}

/* The same; mostly it is the one that the shape had last. */
static inline int find_token(struct attrs_coder *k, struct shape *s, uint32_t mask)
{
	if (s->token && s->mask == mask)
		return (int)s->token - 1;
	int token = seek_token(k, s, mask);
	s->token = (unsigned)(token + 1);
	s->mask = mask;
	return token;
}

/* Which numbers are not as expected. */
static uint32_t unexpected(struct coding *c, struct shape *s)
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < s->n; i++) {
		uint64_t expected = s->member[i].step;
		c->step[i] = coded_step(&s->member[i], c->value[i]);
		mask |= (uint32_t)(c->step[i] != expected) << i;
	}
	return mask;
}

static unsigned char *put_values(const struct coding *c, unsigned char *to, const struct shape *s, uint32_t mask)
{
	for (uint32_t left = mask | c->fresh; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);
		if (s->member[i].head.class == VALUE_REAL) {
			attr_store8(to, c->value[i]);
			to += sizeof(uint64_t);
			continue;
		}
		if (mask >> i & 1)
			to = attr_put_signed(to, (int64_t)c->step[i]);
		if (c->fresh >> i & 1)
			to = attr_put_text(to, c->begin + c->text[i].at, c->text[i].n);
	}
	return to;
}

/* False when it cannot be coded: the rest of the block stays as it is. */
static bool code_record(struct coding *c)
{
	enum { MOST = CODED_MEMBERS * (6 + 2 * ATTR_NUMBER_MAX) + 32 }; /* heads, numbers, lengths; the token */
	const unsigned char *next = take_record(c);
	bool new;
	if (!next || (size_t)(c->to_end - c->to) < MOST + c->text_bytes)
		return false;
	struct shape *s = find_shape(c, &new);
	if (!s)
		return false;
	uint32_t mask = unexpected(c, s);
	int token = find_token(c->k, s, mask);
	if (token >= 0)
		*c->to++ = (unsigned char)token;
	else
		c->to = announce(c->to, s, (unsigned)(s - c->k->shape), new, mask);
	c->to = put_values(c, c->to, s, mask);
	c->from = next;
	return true;
}

size_t attrs_code(struct attrs_coder *k, const unsigned char *from, size_t n, size_t first, unsigned char *to,
		  size_t room)
{
	struct coding c = {.k = k, .begin = from, .from = from + first, .end = from + n, .to_end = to + room};
	if (first >= n || room < first + ATTR_NUMBER_MAX)
		return 0;
	coded_begin(k);
	c.to = attr_put_varint(to, first);
	memcpy(c.to, from, first);
	c.to += first;
	while (code_record(&c))
		;
	size_t left = (size_t)(c.end - c.from);
	if ((size_t)(c.to_end - c.to) < left + 1)
		return 0;
	*c.to++ = CODED_END;
	memcpy(c.to, c.from, left);
	return (size_t)(c.to + left - to);
}
