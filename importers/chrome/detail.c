/* importers/chrome/detail.c - the args that analyses need, as detail rows. What cannot be true becomes "unknown" here and a
 * note; the attribute keeps what the producer wrote. */
#include "chrome.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "importers/detail_texts.h"

/* Beyond any hardware: such numbers come from uninitialised memory of the recorder. */
enum { MAX_REGISTERS = 4096, MAX_SHARED_BYTES = 16 << 20, MAX_BLOCK = 1 << 16 };

static uint32_t small_fact(struct chrome *c, const struct record *r, enum known_arg a, int64_t max)
{
	int64_t i;
	double x;
	if (!record_has(r, a))
		return UNKNOWN_U32;
	if (!value_int(r->known[a], &i)) {
		if (!value_real(r->known[a], &x))
			return UNKNOWN_U32;
		/* a number with a fraction or an exponent; out of range it must stay out of range as an integer */
		i = x >= 0 && x <= (double)max ? (int64_t)x : max + 1;
	}
	if (i > max)
		notes_add(c->notes, NOTE_VALUE_ABSURD, r->at, 1);
	return i >= 0 && i <= max ? (uint32_t)i : UNKNOWN_U32;
}

static float real_fact(const struct record *r, enum known_arg a, double max)
{
	double x;
	return record_has(r, a) && value_real(r->known[a], &x) && x >= 0 && x <= max ? (float)x : NAN;
}

static bool one_digit(const char *p)
{
	return *p >= '0' && *p <= '9';
}

/* ", 2, 1]": nearly always the end of "[109, 2, 1]", and then none of its digits has to wait for those before it. */
static bool small_rest(const char *p)
{
	return p[0] == ',' && p[1] == ' ' && one_digit(p + 2) && p[3] == ',' && p[4] == ' ' && one_digit(p + 5) &&
	       p[6] == ']';
}

/* "[4, 2, 1]" as exporters write it: how many numbers it holds, of up to three. 0: anything else, however sound. */
static int plain_dimensions(const char *p, uint64_t part[3])
{
	int n = 0;
	do {
		p += p[1] == ' ' ? 2 : 1;
		unsigned digits = scan_digits(p, &part[n++]);
		p += digits;
		if (digits == 0)
			return 0;
		if (n == 1 && small_rest(p)) {
			part[1] = (uint64_t)(p[2] - '0');
			part[2] = (uint64_t)(p[5] - '0');
			return 3;
		}
	} while (*p == ',' && n < 3);
	return *p == ',' || *p == ']' ? n : 0;
}

static void odd_dimensions(const struct value *v, int64_t max, uint32_t out[3])
{
	const char *p = v->p;
	struct value part;
	int64_t i;
	for (int k = 0; k < 3 && array_next(&p, v->p + v->n, &part); k++)
		if (value_int(&part, &i) && i >= 0 && i <= max)
			out[k] = (uint32_t)i;
}

static void dimensions(const struct record *r, enum known_arg a, int64_t max, uint32_t out[3])
{
	uint64_t part[3];
	if (!record_has(r, a) || r->known[a]->type != VALUE_ARR)
		return;
	int n = plain_dimensions(r->known[a]->p, part);
	if (n == 0)
		odd_dimensions(r->known[a], max, out);
	for (int k = 0; k < n; k++)
		if ((int64_t)part[k] <= max)
			out[k] = (uint32_t)part[k];
}

static str_id text_fact(struct chrome *c, const struct record *r, enum known_arg a)
{
	if (!record_has(r, a) || r->known[a]->type != VALUE_STR)
		return 0;
	struct span s = reader_text(&c->reader, r->known[a]);
	return intern_get(&c->reader.names, s.p, s.n)->id;
}

/* The same of anything that stands there: numbers and lists as they are written. */
static str_id value_fact(struct chrome *c, const struct record *r, enum known_arg a)
{
	if (!record_has(r, a) || r->known[a]->type == VALUE_STR)
		return text_fact(c, r, a);
	return intern_get(&c->reader.names, r->known[a]->p, r->known[a]->n)->id;
}

static int64_t int_fact(const struct record *r, enum known_arg a)
{
	int64_t i;
	return record_has(r, a) && value_int(r->known[a], &i) ? i : UNKNOWN_I64;
}

/* 0 and -1 mean "none". */
static uint64_t correlation(const struct record *r, enum known_arg a)
{
	const struct value *v = r->known[a];
	uint64_t u;
	int64_t i;
	if (!record_has(r, a) || (v->type != VALUE_NUM && v->type != VALUE_STR))
		return 0;
	/* read while it was scanned */
	if (v->flags & NUMBER_USUAL)
		return v->whole;
	if (number_int(v->p, v->n, &i))
		return i > 0 ? (uint64_t)i : 0;
	return number_uint(v->p, v->n, &u) && u != UINT64_MAX ? u : 0;
}

/* PyTorch says static and dynamic in one number; our own exports of other sources say both, as a list. */
static void shared_memory(struct chrome *c, const struct record *r, struct kernel_info *k)
{
	uint64_t part[3];
	if (record_has(r, ARG_SHARED_MEMORY) && r->known[ARG_SHARED_MEMORY]->type == VALUE_ARR &&
	    plain_dimensions(r->known[ARG_SHARED_MEMORY]->p, part) == 2 && part[0] <= MAX_SHARED_BYTES &&
	    part[1] <= MAX_SHARED_BYTES) {
		k->static_smem_bytes = (uint32_t)part[0];
		k->dynamic_smem_bytes = (uint32_t)part[1];
	} else {
		k->static_smem_bytes = small_fact(c, r, ARG_SHARED_MEMORY, MAX_SHARED_BYTES);
	}
}

static void kineto_kernel(struct chrome *c, const struct record *r, struct pending *q)
{
	struct kernel_info *k = &c->kernel;
	kernel_info_init(k);
	k->registers = small_fact(c, r, ARG_REGISTERS, MAX_REGISTERS);
	shared_memory(c, r, k);
	dimensions(r, ARG_GRID, INT32_MAX, k->grid);
	dimensions(r, ARG_BLOCK, MAX_BLOCK, k->block);
	k->occupancy_pct = real_fact(r, ARG_OCCUPANCY, 100);
	k->blocks_per_sm = real_fact(r, ARG_BLOCKS_PER_SM, 1e9);
	q->e.kernel = k;
	q->detail = DETAIL_KERNEL;
}

/* A device's number, -1 = none. */
static int16_t device_fact(const struct record *r, enum known_arg a)
{
	int64_t v = int_fact(r, a);
	return v >= 0 && v <= INT16_MAX ? (int16_t)v : -1;
}

/* What the name of a copy says: there are few of them, so the last ones are kept. */
static const struct copy_info *named_copy(struct chrome *c, str_id name)
{
	struct named_copy *x = &c->copies[name % (sizeof c->copies / sizeof c->copies[0])];
	if (x->name != name || !x->known) {
		struct span s = strings_get(c->strings, name);
		copy_info_init(&x->is);
		details_copy_name(s.p, s.n, &x->is);
		x->name = name;
		x->known = true;
	}
	return &x->is;
}

static void kineto_copy(struct chrome *c, const struct record *r, struct pending *q)
{
	struct copy_info k = *named_copy(c, q->e.name);
	if (q->class == CLASS_MEMSET)
		k.kind = COPY_MEMSET;
	int64_t bytes = int_fact(r, ARG_BYTES);
	k.bytes = bytes >= 0 ? bytes : UNKNOWN_I64;
	k.from_device = device_fact(r, ARG_FROM_DEVICE);
	k.to_device = device_fact(r, ARG_TO_DEVICE);
	q->e.detail = ingest_copy(c->in, &k);
	q->detail = q->class == CLASS_MEMSET ? DETAIL_MEMSET : DETAIL_COPY;
}

static bool kernel_text(struct chrome *c, const struct record *r, struct kernel_info *k)
{
	struct span s = {"", 0};
	if (record_has(r, ARG_KERNEL_DETAILS) && r->known[ARG_KERNEL_DETAILS]->type == VALUE_STR)
		s = reader_text(&c->reader, r->known[ARG_KERNEL_DETAILS]);
	if (s.n == 0)
		return false;
	details_kernel(s.p, s.n, k);
	if (details_kernel_absurd(s.p, s.n))
		notes_add(c->notes, NOTE_VALUE_ABSURD, r->at, 1);
	return true;
}

static void tf_kernel(struct chrome *c, const struct record *r, struct pending *q, struct kernel_info *k)
{
	float occupancy = real_fact(r, ARG_OCCUPANCY_PCT, 100);
	if (!isnan(occupancy))
		k->occupancy_pct = occupancy;
	if (k->occupancy_pct <= 0) /* not told: no kernel runs at that */
		k->occupancy_pct = NAN;
	if (record_has(r, ARG_TF_OP)) {
		struct span s = reader_text(&c->reader, r->known[ARG_TF_OP]);
		details_tf_op(c->strings, s.p, s.n, &k->op, &k->op_type);
	}
	k->module = text_fact(c, r, ARG_HLO_MODULE);
	k->equation = text_fact(c, r, ARG_EQUATION);
	k->shape = text_fact(c, r, ARG_SHAPE);
	q->e.detail = ingest_kernel(c->in, k);
	q->detail = DETAIL_KERNEL;
}

static bool tf_copy(struct chrome *c, const struct record *r, struct pending *q)
{
	bool memset = record_has(r, ARG_MEMSET_DETAILS);
	const struct value *v = r->known[memset ? ARG_MEMSET_DETAILS : ARG_MEMCPY_DETAILS];
	if ((!memset && !record_has(r, ARG_MEMCPY_DETAILS)) || v->type != VALUE_STR || v->n == 0)
		return false;
	struct copy_info k;
	copy_info_init(&k);
	struct span name = strings_get(c->strings, q->e.name), s = reader_text(&c->reader, v);
	details_copy_name(name.p, name.n, &k);
	details_copy(s.p, s.n, &k);
	if (memset)
		k.kind = COPY_MEMSET;
	if (record_has(r, ARG_TF_OP)) {
		s = reader_text(&c->reader, r->known[ARG_TF_OP]);
		details_tf_op(c->strings, s.p, s.n, &k.op, &k.op_type);
	}
	q->e.detail = ingest_copy(c->in, &k);
	q->detail = memset ? DETAIL_MEMSET : DETAIL_COPY;
	return true;
}

static void typed_id(const struct record *r, enum known_arg type, enum known_arg id, int64_t *type_out,
		     uint64_t *id_out)
{
	int64_t i;
	*type_out = int_fact(r, type);
	if (!record_has(r, id) || number_uint(r->known[id]->p, r->known[id]->n, id_out))
		return;
	if (value_int(r->known[id], &i))
		*id_out = (uint64_t)i;
}

static void tf_host(struct chrome *c, const struct record *r, struct pending *q)
{
	/* most host events have none of these and get no row */
	const uint64_t any = UINT64_C(1) << ARG_STEP_NUM | UINT64_C(1) << ARG_ITER_NUM | UINT64_C(1) << ARG_STEP_ID |
			     UINT64_C(1) << ARG_ROOT | UINT64_C(1) << ARG_PRODUCER_TYPE |
			     UINT64_C(1) << ARG_CONSUMER_TYPE | UINT64_C(1) << ARG_DEVICE_ID |
			     UINT64_C(1) << ARG_IS_FUNC | UINT64_C(1) << ARG_STEP_NAME | UINT64_C(1) << ARG_GRAPH_TYPE |
			     UINT64_C(1) << ARG_TF_OP | UINT64_C(1) << ARG_LONG_NAME;
	struct host_info h;
	if (!(r->seen & any))
		return;
	host_info_init(&h);
	h.step_num = int_fact(r, ARG_STEP_NUM);
	h.iter_num = int_fact(r, ARG_ITER_NUM);
	h.step_id = int_fact(r, ARG_STEP_ID);
	h.root_level = int_fact(r, ARG_ROOT);
	h.device_ordinal = int_fact(r, ARG_DEVICE_ID);
	h.is_func = int_fact(r, ARG_IS_FUNC);
	h.is_async = int_fact(r, ARG_ASYNC) > 0;
	h.step_name = text_fact(c, r, ARG_STEP_NAME);
	h.graph_type = text_fact(c, r, ARG_GRAPH_TYPE);
	typed_id(r, ARG_PRODUCER_TYPE, ARG_PRODUCER_ID, &h.producer_type, &h.producer_id);
	typed_id(r, ARG_CONSUMER_TYPE, ARG_CONSUMER_ID, &h.consumer_type, &h.consumer_id);
	enum known_arg full = record_has(r, ARG_TF_OP) ? ARG_TF_OP : ARG_LONG_NAME;
	if (record_has(r, full)) {
		struct span s = reader_text(&c->reader, r->known[full]);
		details_tf_op(c->strings, s.p, s.n, &h.op, &h.op_type);
		q->says_op = h.op_type != 0;
	}
	q->e.detail = ingest_host_detail(c->in, &h);
	q->detail = DETAIL_HOST;
}

/* TensorFlow 1's timeline: the node's name and type, nothing about the kernel. */
static void tf_node(struct chrome *c, const struct record *r, struct pending *q)
{
	struct kernel_info k;
	kernel_info_init(&k);
	k.op = text_fact(c, r, ARG_NAME);
	k.op_type = text_fact(c, r, ARG_OP);
	q->e.detail = ingest_kernel(c->in, &k);
	q->detail = DETAIL_KERNEL;
}

static void plain_or_tf(struct chrome *c, const struct record *r, struct pending *q)
{
	struct kernel_info k;
	kernel_info_init(&k);
	int64_t group = int_fact(r, ARG_GROUP_ID);
	q->e.group = group >= 0 && group <= INT32_MAX ? (int32_t)group : -1;
	q->e.corr = correlation(r, ARG_CORRELATION_ID);
	q->has_call_id = q->e.corr != 0;
	if (kernel_text(c, r, &k))
		tf_kernel(c, r, q, &k);
	else if (!tf_copy(c, r, q))
		tf_host(c, r, q);
}

/* PyTorch tells it of the device work (from 2.3 on) and of the op "record_param_comms" that starts it. */
static void collective(struct chrome *c, const struct record *r, struct pending *q)
{
	struct collective_info x = {.op = text_fact(c, r, ARG_COLLECTIVE),
				    .dtype = text_fact(c, r, ARG_DTYPE),
				    .group = value_fact(c, r, ARG_GROUP),
				    .group_desc = text_fact(c, r, ARG_GROUP_DESC),
				    .group_ranks = value_fact(c, r, ARG_GROUP_RANKS),
				    .in_split = value_fact(c, r, ARG_IN_SPLIT),
				    .out_split = value_fact(c, r, ARG_OUT_SPLIT),
				    .in_elements = int_fact(r, ARG_IN_ELEMENTS),
				    .out_elements = int_fact(r, ARG_OUT_ELEMENTS),
				    .group_size = int_fact(r, ARG_GROUP_SIZE),
				    .seq = int_fact(r, ARG_SEQ),
				    .src_rank = int_fact(r, ARG_SRC_RANK),
				    .dst_rank = int_fact(r, ARG_DST_RANK)};
	q->e.side = ingest_side(c->in, SIDE_COLLECTIVES, &x);
}

/* Kinds of devices as PyTorch numbers them (c10::DeviceType): whose allocator it is. */
static str_id allocator_name(struct chrome *c, int64_t type)
{
	static const char *const names[] = {"cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
					    "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
					    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
	bool known = type >= 0 && type < (int64_t)(sizeof names / sizeof *names);
	return strings_addz(c->strings, known ? names[type] : "unknown");
}

static uint64_t address_fact(const struct record *r)
{
	uint64_t u;
	int64_t i = int_fact(r, ARG_ADDR);
	if (i != UNKNOWN_I64)
		return (uint64_t)i;
	return record_has(r, ARG_ADDR) && number_uint(r->known[ARG_ADDR]->p, r->known[ARG_ADDR]->n, &u) ? u : 0;
}

static uint32_t memory_pool(struct chrome *c, const struct record *r)
{
	int64_t type = int_fact(r, ARG_DEVICE_TYPE), device = int_fact(r, ARG_ALLOCATION_DEVICE);
	struct memory_of *x = &c->memory;
	if (!x->pool || x->type != type || x->device != device)
		*x = (struct memory_of){type, device,
					ingest_memory_pool(c->in, allocator_name(c, type),
							   device >= 0 && device <= INT16_MAX ? (int32_t)device : -1)};
	return x->pool;
}

/* The totals hold what there is after the event; PyTorch before 1.10 tells neither them nor the address. */
static void allocation(struct chrome *c, const struct record *r, struct pending *q)
{
	struct allocation x = {.addr = address_fact(r),
			       .bytes = int_fact(r, ARG_ALLOCATION_BYTES),
			       .allocated_bytes = int_fact(r, ARG_TOTAL_ALLOCATED),
			       .reserved_bytes = int_fact(r, ARG_TOTAL_RESERVED)};
	if (x.bytes == 0 || x.bytes == UNKNOWN_I64)
		return;
	x.pool = memory_pool(c, r);
	q->e.side = ingest_side(c->in, SIDE_ALLOCATIONS, &x);
}

/* Device, stream and correlation stand in what Kineto writes of device work, whatever its category is called. */
static void unknown_category(struct chrome *c, const struct record *r, const struct pending *q)
{
	struct span name = strings_get(c->strings, q->category);
	char *list = c->unknown_categories;
	size_t n = strlen(list);
	if (!name.n || !record_has(r, ARG_DEVICE) || !record_has(r, ARG_STREAM) || !record_has(r, ARG_CORRELATION))
		return;
	notes_add(c->notes, NOTE_CATEGORY_UNKNOWN, r->at, 1);
	if (!memmem(list, n, name.p, name.n) && n + name.n + 3 < sizeof c->unknown_categories)
		snprintf(list + n, sizeof c->unknown_categories - n, "%s%.*s", n ? ", " : "", (int)name.n, name.p);
}

void detail_take(struct chrome *c, const struct record *r, struct pending *q)
{
	switch (q->class) {
	case CLASS_KERNEL:
		kineto_kernel(c, r, q);
		break;
	case CLASS_COPY:
	case CLASS_MEMSET:
		kineto_copy(c, r, q);
		break;
	case CLASS_TF_NODE:
		tf_node(c, r, q);
		break;
	case CLASS_NONE:
		if (r->seen) {
			unknown_category(c, r, q);
			plain_or_tf(c, r, q);
		}
		if (q->is_ascend)
			ascend_facts(c, r, q);
		break;
	default:
		break;
	}
	if (record_has(r, ARG_COLLECTIVE))
		collective(c, r, q);
	if (record_has(r, ARG_ALLOCATION_BYTES) && place_is_allocation(c, q))
		allocation(c, r, q);
	if (q->class == CLASS_RUNTIME || (q->class >= CLASS_FIRST_ON_DEVICE && q->class != CLASS_DEVICE_ANNOTATION))
		q->e.corr = correlation(r, ARG_CORRELATION);
}

uint32_t detail_copy_by_name(struct chrome *c, str_id name)
{
	struct copy_info k;
	copy_info_init(&k);
	struct span s = strings_get(c->strings, name);
	return details_copy_name(s.p, s.n, &k) ? ingest_copy(c->in, &k) : 0;
}
