/* Payloads of NVTX in binary, after the schemas that the program registered: NCCL tells the communicator, the bytes and the peer of its
 * calls this way. Fields become attributes by their names. */
#include "nsys.h"
#include <stdio.h>
#include <string.h>
#include "model/store/base/grow.h"

/* A payload begins with its domain, its schema, its size and where it stands: 64 bits each. */
enum { DOMAIN_AT = 0, SCHEMA_AT = 8, SIZE_AT = 16, HEADER_BYTES = 32, FIELDS_MOST = 64 };

/* NVTX_PAYLOAD_ENTRY_TYPE_CHAR is 1, and so on; 64-bit programs. What is not here has no width of its own, or is no number. */
static const struct {
	uint8_t bytes;
	char kind; /* i, u, f */
} types[] = {[1] = {1, 'i'},  [2] = {1, 'u'},  [3] = {2, 'i'},  [4] = {2, 'u'},  [5] = {4, 'i'},  [6] = {4, 'u'},
	     [7] = {8, 'i'},  [8] = {8, 'u'},  [9] = {8, 'i'},  [10] = {8, 'u'}, [11] = {1, 'i'}, [12] = {1, 'u'},
	     [13] = {2, 'i'}, [14] = {2, 'u'}, [15] = {4, 'i'}, [16] = {4, 'u'}, [17] = {8, 'i'}, [18] = {8, 'u'},
	     [19] = {4, 'f'}, [20] = {8, 'f'}, [22] = {8, 'u'}, [23] = {8, 'u'}};
enum { TYPES = sizeof types / sizeof *types };

/* ---- schemas ----------------------------------------------------------------------------------------------------------- */

static uint64_t pair(int64_t a, int64_t b)
{
	return idmap_hash(&(int64_t[]){a, b}, 2 * sizeof(int64_t), 5);
}

/* Where the next field of a schema is linked; NULL: it is known already (each process registers its own), or has too many. */
static uint32_t *place_of(struct nsys *n, const struct nsys_field *f, uint64_t schema)
{
	uint32_t *at = idmap_put(&n->schemas, schema, NONE_ID);
	for (int i = 0; i < FIELDS_MOST; i++) {
		if (*at == NONE_ID)
			return at;
		struct nsys_field *known = &n->fields[*at];
		if (known->name == f->name && known->offset == f->offset)
			return NULL;
		at = &known->next;
	}
	return NULL;
}

static void take_field(void *reader, const struct rows *r)
{
	enum { DOMAIN, SCHEMA, FLAGS, TYPE, NAME, OFFSET };
	struct nsys *n = reader;
	struct nsys_field f = {.type = rows_int_or(r, TYPE, 0), .name = nsys_text_at(n, r, NAME), .next = NONE_ID};
	int64_t offset = rows_int_or(r, OFFSET, 0);
	n->notes->merged++;
	/* flags are of arrays and pointers */
	if (!f.name || rows_int_or(r, FLAGS, 0) || offset < 0 || offset > UINT16_MAX)
		return;
	f.offset = (uint32_t)offset;
	uint32_t *at = place_of(n, &f, pair(rows_int_or(r, DOMAIN, 0), rows_int_or(r, SCHEMA, 0)));
	if (!at)
		return;
	*at = n->n_fields;
	GROW_ARRAY(n->fields, n->n_fields, n->cap_fields);
	n->fields[n->n_fields++] = f;
}

static void take_enum_value(void *reader, const struct rows *r)
{
	enum { SCHEMA, VALUE, NAME };
	struct nsys *n = reader;
	str_id name = nsys_text_at(n, r, NAME);
	n->notes->merged++;
	if (name)
		*idmap_put(&n->enum_values, pair(rows_int_or(r, SCHEMA, 0), rows_int_or(r, VALUE, 0)), name) = name;
}

/* ---- payloads ------------------------------------------------------------------------------------------------------------ */

static uint64_t little_endian(const char *p, unsigned bytes)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)(unsigned char)p[i] << (8 * i);
	return v;
}

static int64_t with_sign(uint64_t v, unsigned bytes)
{
	unsigned unused = 64 - 8 * bytes;
	return (int64_t)(v << unused) >> unused;
}

/* The first field of a payload's schema, or NONE_ID; *payload is what follows the header. */
static uint32_t fields_of(const struct nsys *n, struct span blob, struct span *payload)
{
	if (!blob.p || blob.n < HEADER_BYTES)
		return NONE_ID;
	uint64_t size = little_endian(blob.p + SIZE_AT, 8);
	if (size > blob.n - HEADER_BYTES)
		return NONE_ID;
	*payload = (struct span){blob.p + HEADER_BYTES, (size_t)size};
	return idmap_get(&n->schemas, pair((int64_t)little_endian(blob.p + DOMAIN_AT, 4),
					   (int64_t)little_endian(blob.p + SCHEMA_AT, 4)));
}

/* The bits of a field whose type is a number; of an enumeration, which NCCL has as int, its value. */
static bool bits_of(const struct nsys_field *f, struct span payload, uint64_t *bits)
{
	unsigned bytes = f->type > 0 && f->type < TYPES ? types[f->type].bytes : 4;
	if (!bytes || f->offset > payload.n || payload.n - f->offset < bytes)
		return false;
	*bits = little_endian(payload.p + f->offset, bytes);
	return true;
}

static void put_field(struct nsys *n, const struct nsys_field *f, uint64_t bits)
{
	float narrow;
	double wide;
	if (f->type <= 0 || f->type >= TYPES) {
		uint32_t name = idmap_get(&n->enum_values, pair(f->type, with_sign(bits, 4)));
		if (name != UINT32_MAX)
			attrs_put_ref(n->attrs, f->name, name);
		return;
	}
	switch (types[f->type].kind) {
	case 'i':
		attrs_put_int(n->attrs, f->name, with_sign(bits, types[f->type].bytes));
		break;
	case 'u':
		attrs_put_uint(n->attrs, f->name, bits);
		break;
	default:
		memcpy(&narrow, &(uint32_t){(uint32_t)bits}, sizeof narrow);
		memcpy(&wide, &bits, sizeof wide);
		attrs_put_double(n->attrs, f->name, types[f->type].bytes == 4 ? (double)narrow : wide);
	}
}

bool nsys_payload_number(const struct nsys *n, struct span blob, enum nsys_word field, uint64_t *out)
{
	struct span payload = {NULL, 0};
	for (uint32_t at = fields_of(n, blob, &payload); at != NONE_ID; at = n->fields[at].next)
		if (n->fields[at].name == n->words[field])
			return bits_of(&n->fields[at], payload, out);
	return false;
}

bool nsys_payload_put(struct nsys *n, struct span blob)
{
	struct span payload = {NULL, 0};
	uint64_t bits;
	uint32_t at = fields_of(n, blob, &payload);
	bool any = at != NONE_ID;
	for (; at != NONE_ID; at = n->fields[at].next)
		if (bits_of(&n->fields[at], payload, &bits))
			put_field(n, &n->fields[at], bits);
	return any;
}

static const char *const field_columns[] = {"domainId", "schemaId", "flags", "type", "name", "offset"};
static const char *const enum_columns[] = {"schemaId", "value", "name"};
const struct row_table nsys_payload_tables[] = {ROW_TABLE("NVTX_PAYLOAD_SCHEMA_ENTRIES", field_columns, take_field),
						ROW_TABLE("NVTX_PAYLOAD_ENUM_ENTRIES", enum_columns, take_enum_value),
						{0}};
