/* NVTX: ranges and marks of threads and processes, with their domains, categories and payloads. PyTorch's emit_nvtx writes its
 * ops this way, NCCL its calls. */
#include "nsys.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "importers/flat_json.h"
#include "model/store/base/spans.h"

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
enum { START, END, TYPE, TEXT, TEXT_ID, TID, DOMAIN, CATEGORY, JSON, JSON_ID, BINARY, PAYLOAD };

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

/* NCCL tells it when a communicator is made. */
static void take_group_size(struct nsys *n, struct span payload)
{
	uint64_t group, ranks;
	if (nsys_payload_number(n, payload, WORD_RANKS, &ranks) && ranks <= INT32_MAX &&
	    nsys_payload_number(n, payload, WORD_COMMUNICATOR, &group))
		*idmap_put(&n->group_sizes, group, (uint32_t)ranks) = (uint32_t)ranks;
}

static void take_name(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	if (!is_name(r)) {
		take_group_size(n, rows_blob(r, BINARY));
		return;
	}
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

/* A text of PyTorch's emit_nvtx, "aten::mul, seq = 3, op_id = 1, sizes = [[2]]": how much of it is the op's name; 0: none. */
static size_t nsys_op_name(struct span text)
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

/* The text outlives the call and has a byte after it that is no digit: a comma, or SQLite's NUL. */
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

/* What a call says of itself, as JSON or in binary. */
struct nccl_call {
	str_id group;
	int64_t bytes, peer, ranks; /* UNKNOWN_I64 */
};

static struct nccl_call call_in_json(struct nsys *n, struct span json)
{
	struct span group = flat_json_text(json, "NCCL communicator ID");
	return (struct nccl_call){.group = group.p ? strings_add(n->strings, group.p, group.n) : 0,
				  .bytes = flat_json_int(json, "Message size [bytes]"),
				  .peer = flat_json_int(json, "Peer rank"),
				  .ranks = UNKNOWN_I64};
}

static int64_t count_in(const struct nsys *n, struct span payload, enum nsys_word field)
{
	uint64_t v;
	return nsys_payload_number(n, payload, field, &v) && v <= INT64_MAX ? (int64_t)v : UNKNOWN_I64;
}

static struct nccl_call call_in_payload(struct nsys *n, struct span payload)
{
	char text[24];
	uint64_t group;
	struct nccl_call c = {.bytes = count_in(n, payload, WORD_MESSAGE),
			      .peer = count_in(n, payload, WORD_PEER),
			      .ranks = UNKNOWN_I64};
	if (!nsys_payload_number(n, payload, WORD_COMMUNICATOR, &group))
		return c;
	snprintf(text, sizeof text, "%llu", (unsigned long long)group);
	c.group = strings_addz(n->strings, text);
	uint32_t ranks = idmap_get(&n->group_sizes, group);
	c.ranks = ranks == UINT32_MAX ? UNKNOWN_I64 : (int64_t)ranks;
	return c;
}

/* NCCL tells the size of one rank's part where every rank has another: the whole is as many of it as the communicator has ranks. */
static const struct {
	const char *call;
	bool sends_all, gets_all;
} in_parts[] = {{"ncclAllGather", false, true}, {"ncclReduceScatter", true, false}, {"ncclAlltoAll", true, true},
		{"ncclAllToAll", true, true},   {"ncclGather", false, true},        {"ncclScatter", true, false}};

static int64_t all_of(const struct nccl_call *c)
{
	int64_t all;
	return c->ranks == UNKNOWN_I64 || __builtin_mul_overflow(c->bytes, c->ranks, &all) ? UNKNOWN_I64 : all;
}

static void set_sizes(struct collective_info *x, struct span call, const struct nccl_call *c)
{
	x->in_elements = c->bytes;
	for (size_t i = 0; i < sizeof in_parts / sizeof *in_parts; i++)
		if (span_is(call, in_parts[i].call)) {
			x->in_elements = in_parts[i].sends_all     ? all_of(c)
					 : c->ranks == UNKNOWN_I64 ? UNKNOWN_I64
								   : c->bytes;
			x->out_elements = in_parts[i].gets_all ? all_of(c) : UNKNOWN_I64;
		}
}

/* A size in bytes, without the type of the elements. */
static void collective(struct nsys *n, const struct nccl_call *c, struct event_in *e)
{
	struct span call = strings_get(n->strings, e->name);
	if (call.n < 5 || memcmp(call.p, "nccl", 4) || c->bytes == UNKNOWN_I64)
		return;
	struct collective_info x = {.op = e->name,
				    .dtype = n->words[WORD_BYTES],
				    .group = c->group,
				    .out_elements = UNKNOWN_I64,
				    .group_size = c->ranks,
				    .seq = UNKNOWN_I64,
				    .src_rank = c->peer,
				    .dst_rank = c->peer};
	set_sizes(&x, call, c);
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
	struct span json = json_of(n, r), payload = rows_blob(r, BINARY);
	attrs_begin(n->attrs);
	name_event(n, r, &e);
	put_extras(n, r, json);
	bool known = nsys_payload_put(n, payload);
	e.attrs = attrs_end(n->attrs);
	if (json.p || known) {
		struct nccl_call c = json.p ? call_in_json(n, json) : call_in_payload(n, payload);
		collective(n, &c, &e);
	}
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

static const char *const nvtx_columns[] = {"start",      "end",         "eventType",  "text",        "textId",
					   "globalTid",  "domainId",    "category",   "jsonText",    "jsonTextId",
					   "binaryData", "uint64Value", "int64Value", "doubleValue", "uint32Value",
					   "int32Value", "floatValue"};
/* NVTX_DOMAIN, NVTX_CATEGORY, and what may tell how many ranks a communicator has: few of many rows, which SQLite picks out quicker. */
static const char names_only[] = "eventType IN (33, 75) OR binaryData IS NOT NULL";
const struct row_table nsys_nvtx_tables[] = {ROW_TABLE_ONLY("NVTX_EVENTS", nvtx_columns, take_name, names_only),
					     ROW_TABLE("NVTX_EVENTS", nvtx_columns, take_event),
					     {0}};
