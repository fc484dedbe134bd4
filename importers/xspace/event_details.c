/* The typed facts of an event. Thousands of events say the same, so a row is remembered by the texts it was made from. */
#include "../details.h"
#include "xspace.h"
#include <math.h>

/* ---- ops ---------------------------------------------------------------------------------------------------------- */
struct op_texts {
	str_id tf_op, level_0, annotation, hlo_op;
};

static struct op_texts op_texts(struct xspace *x)
{
	return (struct op_texts){gathered_text(&x->facts, ROLE_TF_OP, x->strings),
				 gathered_text(&x->facts, ROLE_LEVEL_0, x->strings),
				 gathered_text(&x->facts, ROLE_ANNOTATION, x->strings),
				 gathered_text(&x->facts, ROLE_HLO_OP, x->strings)};
}

/* The innermost component of "fusion.1::add.2". */
static str_id innermost(struct strings *s, str_id stack)
{
	struct span t = strings_get(s, stack);
	size_t from = 0;
	for (size_t i = 0; i + 1 < t.n; i++)
		if (t.p[i] == ':' && t.p[i + 1] == ':' && i + 2 < t.n)
			from = i + 2;
	return strings_add(s, t.p + from, t.n - from);
}

/* "model/MatMul:MatMul#shape=(float[2])#::#edge=x#" without what follows the op. */
static struct span without_notes(struct span t)
{
	const char *hash = t.n ? memchr(t.p, '#', t.n) : NULL;
	if (hash)
		t.n = (size_t)(hash - t.p);
	return t;
}

static bool module_label(struct span t)
{
	return t.n >= 9 && !memcmp(t.p, "XlaModule", 9);
}

/* tf_op names the op, except on launches of XLA programs, where it is a label of the whole module. Before tf_op there was
 * the annotation stack: its outermost level is the op. */
static void op_of(struct xspace *x, const struct op_texts *t, str_id *op, str_id *type)
{
	str_id source = t->tf_op ? t->tf_op : t->level_0 ? t->level_0 : t->annotation;
	struct span text = strings_get(x->strings, source);
	if (t->hlo_op && (!source || module_label(text))) {
		*op = innermost(x->strings, t->hlo_op);
		return;
	}
	if (!source)
		return;
	text = without_notes(text);
	details_tf_op(x->strings, text.p, text.n, op, type);
}

/* ---- the cache ---------------------------------------------------------------------------------------------------- */
/* The slot for a key; `*hit` when it already holds that key's row. key[0] tells kernels (1) from copies (2) and memsets (3). */
static struct detail_slot *slot_for(struct xspace *x, const uint32_t key[DETAIL_KEY], bool *hit)
{
	uint64_t h = 0;
	for (int i = 0; i < DETAIL_KEY; i++)
		h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
	struct detail_slot *s = &x->details[(h >> 40) % DETAIL_CACHE];
	*hit = !memcmp(s->key, key, sizeof s->key);
	memcpy(s->key, key, sizeof s->key);
	return s;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------ */
/* 0 is what recorders write when they could not tell; no kernel runs at that occupancy. */
static float known_occupancy(double pct)
{
	return pct > 0 ? (float)pct : NAN;
}

static bool kernel_text(struct xspace *x, str_id details, struct kernel_info *k)
{
	struct span text = strings_get(x->strings, details);
	details_kernel(text.p, text.n, k);
	return details_kernel_absurd(text.p, text.n);
}

static uint32_t build_kernel(struct xspace *x, const struct op_texts *t, str_id details, bool *absurd)
{
	struct kernel_info k;
	kernel_info_init(&k);
	*absurd = details && kernel_text(x, details, &k);
	float told = known_occupancy(gathered_double(&x->facts, ROLE_OCCUPANCY));
	k.occupancy_pct = isnan(told) ? known_occupancy(k.occupancy_pct) : told;
	op_of(x, t, &k.op, &k.op_type);
	k.module = gathered_text(&x->facts, ROLE_HLO_MODULE, x->strings);
	k.equation = gathered_text(&x->facts, ROLE_EQUATION, x->strings);
	k.shape = gathered_text(&x->facts, ROLE_SHAPE, x->strings);
	return ingest_kernel(x->in, &k);
}

uint32_t detail_kernel(struct xspace *x, int64_t at)
{
	struct op_texts t = op_texts(x);
	str_id details = gathered_text(&x->facts, ROLE_KERNEL_DETAILS, x->strings);
	str_id op = t.tf_op ? t.tf_op : t.level_0 ? t.level_0 : t.annotation;
	float occupancy = (float)gathered_double(&x->facts, ROLE_OCCUPANCY);
	uint32_t bits, key[DETAIL_KEY] = {1, details, op, t.hlo_op};
	memcpy(&bits, &occupancy, sizeof bits);
	key[4] = gathered_text(&x->facts, ROLE_HLO_MODULE, x->strings);
	key[5] = gathered_text(&x->facts, ROLE_EQUATION, x->strings);
	key[6] = gathered_text(&x->facts, ROLE_SHAPE, x->strings);
	key[7] = isnan(occupancy) ? 0 : bits;
	if (!(key[1] | key[2] | key[3] | key[4] | key[5] | key[6] | key[7]))
		return 0;
	bool hit;
	struct detail_slot *s = slot_for(x, key, &hit);
	if (!hit)
		s->row = build_kernel(x, &t, details, &s->absurd);
	if (s->absurd)
		notes_add(x->notes, NOTE_VALUE_ABSURD, at, 1);
	return s->row;
}

/* ---- copies ------------------------------------------------------------------------------------------------------- */
/* Details know the memories, but not that two devices are different ones: the name does. */
static void direction(struct copy_info *c, const struct copy_info *named)
{
	if (c->kind == COPY_UNKNOWN || (c->kind == COPY_D2D && named->kind == COPY_P2P))
		c->kind = named->kind;
	if (c->src == MEM_UNKNOWN && c->dst == MEM_UNKNOWN)
		c->src = named->src, c->dst = named->dst;
}

static uint32_t build_copy(struct xspace *x, const struct op_texts *t, str_id details, str_id name, bool is_memset)
{
	struct copy_info c, named;
	copy_info_init(&c);
	copy_info_init(&named);
	struct span text = strings_get(x->strings, details), n = strings_get(x->strings, name);
	details_copy(text.p, text.n, &c);
	details_copy_name(n.p, n.n, &named);
	direction(&c, &named);
	if (is_memset)
		c.kind = COPY_MEMSET;
	op_of(x, t, &c.op, &c.op_type);
	return ingest_copy(x->in, &c);
}

uint32_t detail_copy(struct xspace *x, str_id name, bool is_memset)
{
	struct op_texts t = op_texts(x);
	str_id details = gathered_text(&x->facts, is_memset ? ROLE_MEMSET_DETAILS : ROLE_MEMCPY_DETAILS, x->strings);
	str_id op = t.tf_op ? t.tf_op : t.level_0 ? t.level_0 : t.annotation;
	uint32_t key[DETAIL_KEY] = {is_memset ? 3 : 2, details, op, t.hlo_op, name};
	bool hit;
	struct detail_slot *s = slot_for(x, key, &hit);
	if (!hit)
		s->row = build_copy(x, &t, details, name, is_memset);
	return s->row;
}

/* ---- host events -------------------------------------------------------------------------------------------------- */
static const uint64_t step_roles = ROLE_BIT(ROLE_STEP_NUM) | ROLE_BIT(ROLE_ITER_NUM) | ROLE_BIT(ROLE_ROOT) |
				   ROLE_BIT(ROLE_PRODUCER_TYPE) | ROLE_BIT(ROLE_PRODUCER_ID) |
				   ROLE_BIT(ROLE_CONSUMER_TYPE) | ROLE_BIT(ROLE_CONSUMER_ID) |
				   ROLE_BIT(ROLE_STEP_NAME) | ROLE_BIT(ROLE_IS_FUNC) | ROLE_BIT(ROLE_GRAPH_TYPE) |
				   ROLE_BIT(ROLE_ASYNC) | ROLE_BIT(ROLE_TF_OP) | ROLE_BIT(ROLE_DEVICE_ID);

/* An allocator event has an `id` too, but it is no step's. */
static bool worth_a_row(const struct xspace *x, uint8_t kind)
{
	if (kind == KIND_OP || x->facts.present & step_roles)
		return true;
	return kind != KIND_MEMORY && has(&x->facts, ROLE_ID);
}

static void fill_steps(struct xspace *x, struct host_info *h)
{
	const struct gathered *g = &x->facts;
	int64_t v;
	h->step_num = gathered_or_unknown(g, ROLE_STEP_NUM);
	h->iter_num = gathered_or_unknown(g, ROLE_ITER_NUM);
	h->step_id = gathered_or_unknown(g, ROLE_ID);
	h->root_level = gathered_or_unknown(g, ROLE_ROOT);
	h->producer_type = gathered_or_unknown(g, ROLE_PRODUCER_TYPE);
	h->consumer_type = gathered_or_unknown(g, ROLE_CONSUMER_TYPE);
	h->producer_id = gathered_int(g, ROLE_PRODUCER_ID, &v) ? (uint64_t)v : 0;
	h->consumer_id = gathered_int(g, ROLE_CONSUMER_ID, &v) ? (uint64_t)v : 0;
	h->device_ordinal = gathered_or_unknown(g, ROLE_DEVICE_ID);
	h->is_func = gathered_or_unknown(g, ROLE_IS_FUNC);
	h->is_async = gathered_int(g, ROLE_ASYNC, &v) && v;
	h->step_name = gathered_text(g, ROLE_STEP_NAME, x->strings);
	h->graph_type = gathered_text(g, ROLE_GRAPH_TYPE, x->strings);
}

static void fill_op(struct xspace *x, const struct event_meta *m, struct host_info *h)
{
	str_id tf_op = gathered_text(&x->facts, ROLE_TF_OP, x->strings);
	struct span text = strings_get(x->strings, tf_op);
	if (tf_op)
		details_tf_op(x->strings, text.p, text.n, &h->op, &h->op_type);
	else if (m && m->op_type)
		h->op = m->op, h->op_type = m->op_type;
}

uint32_t detail_host(struct xspace *x, const struct event_meta *m, uint8_t kind)
{
	struct host_info h;
	if (!worth_a_row(x, kind))
		return 0;
	host_info_init(&h);
	fill_steps(x, &h);
	fill_op(x, m, &h);
	uint64_t mix =
		(uint64_t)h.step_id ^ (uint64_t)h.iter_num << 7 ^ h.consumer_id << 13 ^ h.producer_id << 23 ^ h.op;
	struct host_slot *s = &x->hosts[(mix * 0x9e3779b97f4a7c15u >> 40) % HOST_CACHE];
	if (!s->row || memcmp(&s->info, &h, sizeof h)) {
		s->info = h;
		s->row = ingest_host_detail(x->in, &h);
	}
	return s->row;
}
