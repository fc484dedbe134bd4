/* NVTX: ranges and marks of threads and processes, with their domains, categories and payloads. PyTorch's emit_nvtx writes its
 * ops this way, NCCL its calls. */
#include "nsys.h"
#include <stdlib.h>
#include <string.h>
#include "importers/flat_json.h"

/* Types of events: ENUM_NSYS_EVENT_TYPE. */
enum {
	NVTX_CATEGORY = 33,
	NVTX_MARK = 34,
	NVTX_PUSH_POP = 59,
	NVTX_START_END = 60,
	NVTXT_MARK = 65,
	NVTXT_PUSH_POP = 70,
	NVTXT_START_END = 71,
	NVTX_DOMAIN = 75
};
enum { START, END, TYPE, TEXT, TEXT_ID, TID, DOMAIN, CATEGORY, JSON, JSON_ID, PAYLOAD };

static uint64_t category_key(const struct rows *r)
{
	return idmap_hash(&(int64_t[]){rows_int_or(r, DOMAIN, 0), rows_int_or(r, CATEGORY, 0)}, 2 * sizeof(int64_t), 3);
}

static str_id text_of(struct nsys *n, const struct rows *r)
{
	str_id text = nsys_text_at(n, r, TEXT);
	return text ? text : nsys_text_at(n, r, TEXT_ID);
}

/* ---- names: a walk of their own, before the events that use them ---------------------------------------------------------- */

static bool is_name(const struct rows *r)
{
	int64_t type = rows_int_or(r, TYPE, NVTX_PUSH_POP);
	return type == NVTX_DOMAIN || type == NVTX_CATEGORY;
}

static void take_name(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	if (!is_name(r))
		return;
	str_id text = text_of(n, r);
	bool domain = rows_int_or(r, TYPE, 0) == NVTX_DOMAIN;
	uint64_t key = domain ? (uint64_t)rows_int_or(r, DOMAIN, 0) : category_key(r);
	if (text)
		*idmap_put(domain ? &n->domains : &n->categories, key, text) = text;
}

/* ---- ops ------------------------------------------------------------------------------------------------------------------ */

/* Parts that may follow the name of an op, each ", word = ". */
static const char *const op_parts[] = {"seq", "op_id", "sizes", "input_op_ids"};
static const enum nsys_word op_keys[] = {WORD_SEQUENCE, WORD_OP_ID, WORD_INPUT_DIMS, WORD_INPUT_OPS};

/* Which part begins at p, or -1; *value is where its value begins. */
static int part_at(const char *p, const char *end, const char **value)
{
	for (int i = 0; i < 4; i++) {
		size_t k = strlen(op_parts[i]);
		if ((size_t)(end - p) > k + 5 && !memcmp(p, ", ", 2) && !memcmp(p + 2, op_parts[i], k) &&
		    !memcmp(p + 2 + k, " = ", 3)) {
			*value = p + k + 5;
			return i;
		}
	}
	return -1;
}

static const char *next_part(const char *p, const char *end, int *part, const char **value)
{
	for (; (p = memchr(p, ',', (size_t)(end - p))); p++)
		if ((*part = part_at(p, end, value)) >= 0)
			return p;
	return end;
}

size_t nsys_op_name(struct span text)
{
	int part = -1;
	const char *value, *at = text.p ? next_part(text.p, text.p + text.n, &part, &value) : NULL;
	return part >= 0 ? (size_t)(at - text.p) : 0;
}

static bool is_number(const char *p, size_t n)
{
	return n > 0 && n < 19 && strspn(p, "0123456789") >= n;
}

/* "[[2, 3], []]": lists of lists of numbers, sound as JSON. */
static bool is_lists(const char *p, size_t n)
{
	enum { DEPTH_MOST = 4 };
	int depth = 0;
	bool value_may_come = true, after_comma = false;
	for (size_t i = 0; i < n; i++) {
		size_t digits = strspn(p + i, "0123456789");
		if (p[i] == ' ')
			continue;
		if (digits > 0    ? !value_may_come || (digits > 1 && p[i] == '0')
		    : p[i] == '[' ? !value_may_come || ++depth > DEPTH_MOST
		    : p[i] == ']' ? after_comma || --depth < 0
				  : p[i] != ',' || value_may_come || depth == 0)
			return false;
		value_may_come = p[i] == '[' || p[i] == ',';
		after_comma = p[i] == ',';
		i += digits ? digits - 1 : 0;
	}
	return depth == 0 && !value_may_come;
}

/* The text outlives the call and has a byte behind it that is no digit: a comma, or SQLite's NUL. */
static void put_op_parts(struct nsys *n, struct span text)
{
	const char *end = text.p + text.n, *value = NULL, *next_value = NULL;
	int part = -1, next = -1;
	const char *at = next_part(text.p, end, &part, &value);
	while (at < end) {
		const char *stop = next_part(value, end, &next, &next_value);
		struct attr a = {
			.key = n->words[op_keys[part]], .type = ATTR_STR, .p = value, .n = (size_t)(stop - value)};
		if (is_number(value, a.n))
			attrs_put_uint(n->attrs, a.key, strtoull(value, NULL, 10));
		else if (part == 2 && is_lists(value, a.n))
			attrs_put(n->attrs, &(struct attr){.key = a.key, .type = ATTR_JSON, .p = a.p, .n = a.n});
		else
			attrs_put(n->attrs, &a);
		at = stop;
		part = next;
		value = next_value;
	}
}

/* ---- NCCL ------------------------------------------------------------------------------------------------------------------ */

/* What NCCL says of a call; a size in bytes, without the type of the elements. */
static void collective(struct nsys *n, struct span json, struct event_in *e)
{
	struct span call = strings_get(n->strings, e->name), group = flat_json_text(json, "NCCL communicator ID");
	int64_t bytes = flat_json_int(json, "Message size [bytes]"), peer = flat_json_int(json, "Peer rank");
	if (call.n < 5 || memcmp(call.p, "nccl", 4) || bytes == UNKNOWN_I64)
		return;
	struct collective_info x = {.op = e->name,
				    .dtype = n->words[WORD_BYTES],
				    .group = group.p ? strings_add(n->strings, group.p, group.n) : 0,
				    .in_elements = bytes,
				    .out_elements = UNKNOWN_I64,
				    .group_size = UNKNOWN_I64,
				    .seq = UNKNOWN_I64,
				    .src_rank = peer,
				    .dst_rank = peer};
	e->side = ingest_side(n->in, SIDE_COLLECTIVES, &x);
}

/* ---- events ----------------------------------------------------------------------------------------------------------------- */

static void put_extras(struct nsys *n, const struct rows *r, struct span json)
{
	uint32_t domain = idmap_get(&n->domains, (uint64_t)rows_int_or(r, DOMAIN, 0));
	int64_t category = rows_int_or(r, CATEGORY, 0);
	double payload;
	if (domain != UINT32_MAX)
		attrs_put_ref(n->attrs, n->words[WORD_DOMAIN], domain);
	if (category) {
		uint32_t name = idmap_get(&n->categories, category_key(r));
		if (name != UINT32_MAX)
			attrs_put_ref(n->attrs, n->words[WORD_CATEGORY], name);
		else
			attrs_put_int(n->attrs, n->words[WORD_CATEGORY], category);
	}
	for (int c = PAYLOAD; c < PAYLOAD + 6; c++) {
		int64_t i;
		if (rows_int(r, c, &i))
			attrs_put_int(n->attrs, n->words[WORD_PAYLOAD], i);
		else if (rows_real(r, c, &payload))
			attrs_put_double(n->attrs, n->words[WORD_PAYLOAD], payload);
	}
	if (json.p)
		attrs_put(n->attrs,
			  &(struct attr){.key = n->words[WORD_PAYLOAD], .type = ATTR_STR, .p = json.p, .n = json.n});
}

static struct span json_of(struct nsys *n, const struct rows *r)
{
	int64_t id;
	struct span json = rows_text(r, JSON);
	return json.p || !rows_int(r, JSON_ID, &id) ? json : strings_get(n->strings, nsys_text(n, id));
}

/* An op's own name, or the whole text. */
static void name_event(struct nsys *n, const struct rows *r, struct event_in *e)
{
	struct span text = rows_text(r, TEXT);
	size_t op = nsys_op_name(text);
	e->kind = op ? KIND_OP : KIND_ANNOTATION;
	e->name = op ? strings_add(n->strings, text.p, op) : text_of(n, r);
	if (op)
		put_op_parts(n, text);
}

static bool is_mark(int64_t type)
{
	return type == NVTX_MARK || type == NVTXT_MARK;
}

static bool spans_threads(int64_t type)
{
	return type == NVTX_START_END || type == NVTXT_START_END;
}

static void take_event(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	struct event_in e;
	int64_t type = rows_int_or(r, TYPE, NVTX_PUSH_POP), tid = rows_int_or(r, TID, 0), end_ns;
	if (!is_mark(type) && !spans_threads(type) && type != NVTX_PUSH_POP && type != NVTXT_PUSH_POP) {
		n->notes->merged++; /* names and other things without a time on a lane */
		return;
	}
	if (!nsys_times(n, r, START, END, &e))
		return;
	struct span json = json_of(n, r);
	attrs_begin(n->attrs);
	name_event(n, r, &e);
	put_extras(n, r, json);
	e.attrs = attrs_end(n->attrs);
	if (json.p)
		collective(n, json, &e);
	e.track = spans_threads(type) ? nsys_process_lane(n, tid, TRACK_ASYNC, WORD_NVTX_LANE) : nsys_thread(n, tid);
	if (is_mark(type)) {
		e.kind = KIND_INSTANT;
		e.dur_ns = 0;
	}
	if (is_mark(type) || rows_int(r, END, &end_ns))
		ingest_event(n->in, &e);
	else
		ingest_begin(n->in, &e); /* it still went on when the capture ended */
}

static const char *const nvtx_columns[] = {"start",       "end",         "eventType",   "text",
					   "textId",      "globalTid",   "domainId",    "category",
					   "jsonText",    "jsonTextId",  "uint64Value", "int64Value",
					   "doubleValue", "uint32Value", "int32Value",  "floatValue"};
const struct row_table nsys_nvtx_tables[] = {
	ROW_TABLE("NVTX_EVENTS", nvtx_columns, take_name), ROW_TABLE("NVTX_EVENTS", nvtx_columns, take_event), {0}};
