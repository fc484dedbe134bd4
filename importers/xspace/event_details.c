/* The typed facts of an event. Thousands of events say the same, so a row is remembered by the texts it was made from. */
#include "xspace.h"
#include "importers/detail_texts.h"
#include <math.h>

static size_t slot_index(uint64_t key, size_t slots)
{
	return (size_t)(key * 0x9e3779b97f4a7c15u >> 40) % slots;
}

/* ---- ops ---------------------------------------------------------------------------------------------------------- */
static bool module_label(struct span t)
{
	return span_starts(t, "XlaModule");
}

/* What the op of a launch is read from: tf_op, or before that existed the outermost level of the annotations. For an XLA
 * program that is a label of the whole module; there ROCm's recorder puts the framework op into a stat called "name". */
static str_id op_source(struct xspace *x)
{
	static const enum stat_role roles[] = {ROLE_TF_OP, ROLE_LEVEL_0, ROLE_ANNOTATION};
	str_id source = 0;
	for (size_t i = 0; !source && i < sizeof roles / sizeof *roles; i++)
		if (gathered_says(&x->facts, roles[i]))
			source = gathered_text(&x->facts, roles[i], x->strings);
	bool xla = gathered_says(&x->facts, ROLE_HLO_OP) && (!source || module_label(strings_get(x->strings, source)));
	str_id named =
		xla && gathered_says(&x->facts, ROLE_OP_NAME) ? gathered_text(&x->facts, ROLE_OP_NAME, x->strings) : 0;
	return named ? named : source;
}

/* "model/MatMul:MatMul#shape=(float[2])#::#edge=x#" without what follows the op. */
static struct span without_notes(struct span t)
{
	const char *hash = t.n ? memchr(t.p, '#', t.n) : NULL;
	if (hash)
		t.n = (size_t)(hash - t.p);
	return t;
}

/* tf_op names the op, except on launches of XLA programs, where it is a label of the whole module. */
static void read_op(struct xspace *x, struct op_slot *o)
{
	struct span text = strings_get(x->strings, o->source);
	o->op = o->type = 0;
	if (o->hlo_op && (!o->source || module_label(text))) {
		text = hlo_innermost(strings_get(x->strings, o->hlo_op));
		o->op = strings_add(x->strings, text.p, text.n);
	} else if (o->source) {
		text = without_notes(text);
		details_tf_op(x->strings, text.p, text.n, &o->op, &o->type);
	}
}

static const struct op_slot *op_of(struct xspace *x, str_id source, str_id hlo_op)
{
	struct op_slot *o = &x->ops[slot_index((uint64_t)source << 32 | hlo_op, OP_CACHE)];
	if (o->source != source || o->hlo_op != hlo_op) {
		o->source = source;
		o->hlo_op = hlo_op;
		read_op(x, o);
	}
	return o;
}

/* ---- the cache of rows -------------------------------------------------------------------------------------------- */
/* Most keys that are compared are the same: no number is worth a branch. */
static inline bool same_key(const uint32_t a[DETAIL_KEY], const uint32_t b[DETAIL_KEY])
{
	uint32_t differs = 0;
	for (int i = 0; i < DETAIL_KEY; i++)
		differs |= a[i] ^ b[i];
	return !differs;
}

/* The slot for a key; `*hit` when it already holds that key's facts. key[0] tells kernels (1) from copies (2) and memsets
 * (3), 0 is an empty slot. A slot filled anew gets a new serial number, so that what was made from its former key is not
 * taken for its own. */
static struct detail_slot *slot_for(struct xspace *x, const uint32_t key[DETAIL_KEY], bool *hit)
{
	uint64_t h = 0;
	for (int i = 0; i < DETAIL_KEY; i++)
		h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
	struct detail_slot *first = &x->details[slot_index(h, DETAIL_CACHE)], *s = first;
	while (s < first + DETAIL_WAYS && s->key[0] && !same_key(s->key, key))
		s++;
	*hit = s < first + DETAIL_WAYS && s->key[0];
	if (*hit)
		return s;
	if (s == first + DETAIL_WAYS)
		s = first;
	events_settle(x); /* what is due may be of the key that goes */
	memcpy(s->key, key, sizeof s->key);
	s->serial = ++x->n_serials;
	return s;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------ */
enum { KEY_SORT, KEY_DETAILS, KEY_OP, KEY_HLO, KEY_MODULE, KEY_EQUATION, KEY_OCCUPANCY, KEY_INSTRUCTION };
static const uint64_t kernel_roles = ROLE_BIT(ROLE_KERNEL_DETAILS) | ROLE_BIT(ROLE_TF_OP) | ROLE_BIT(ROLE_LEVEL_0) |
				     ROLE_BIT(ROLE_ANNOTATION) | ROLE_BIT(ROLE_HLO_OP) | ROLE_BIT(ROLE_OP_NAME) |
				     ROLE_BIT(ROLE_HLO_MODULE) | ROLE_BIT(ROLE_EQUATION) | ROLE_BIT(ROLE_SHAPE) |
				     ROLE_BIT(ROLE_OCCUPANCY);

/* 0 is what recorders write when they could not tell; no kernel runs at that occupancy. */
static float known_occupancy(double pct)
{
	return pct > 0 ? (float)pct : NAN;
}

static const struct kernel_slot *kernel_text(struct xspace *x, str_id details)
{
	struct kernel_slot *k = &x->kernels[slot_index(details, KERNEL_CACHE)];
	if (k->details == details && details)
		return k;
	struct span text = strings_get(x->strings, details);
	kernel_info_init(&k->info);
	details_kernel(text.p, text.n, &k->info);
	k->info.occupancy_pct = known_occupancy(k->info.occupancy_pct);
	k->absurd = details_kernel_absurd(text.p, text.n);
	k->details = details;
	return k;
}

/* All but the shape. */
static void build_kernel(struct xspace *x, struct detail_slot *s, float occupancy)
{
	const struct kernel_slot *text = kernel_text(x, s->key[KEY_DETAILS]);
	const struct op_slot *op = op_of(x, s->key[KEY_OP], s->key[KEY_HLO]);
	s->kernel = text->info;
	if (!isnan(occupancy))
		s->kernel.occupancy_pct = occupancy;
	s->kernel.op = op->op;
	s->kernel.op_type = op->type;
	s->kernel.module = s->key[KEY_MODULE];
	s->kernel.equation = s->key[KEY_EQUATION];
	s->kernel.hlo = s->key[KEY_INSTRUCTION];
	s->absurd = text->absurd;
}

/* Shapes vary where the rest does not: they have a cache of their own, of small slots. */
static struct kernel_due kernel_due(struct xspace *x, const struct detail_slot *s, str_id shape)
{
	struct shape_slot *at = &x->shapes[slot_index((uint64_t)s->serial << 32 | shape, SHAPE_CACHE)];
	__builtin_prefetch(at);
	return (struct kernel_due){s, at, shape};
}

uint32_t detail_kernel_row(struct xspace *x, const struct kernel_due *due)
{
	struct shape_slot *row = due->at;
	if (row->serial != due->of->serial || row->shape != due->shape) {
		struct kernel_info k = due->of->kernel;
		k.shape = due->shape;
		*row = (struct shape_slot){due->of->serial, due->shape, ingest_kernel(x->in, &k)};
	}
	return row->row;
}

void detail_kernel(struct xspace *x, int64_t at, struct kernel_due *k)
{
	if (!(x->facts.present & kernel_roles))
		return;
	float occupancy = known_occupancy(gathered_double(&x->facts, ROLE_OCCUPANCY));
	str_id shape = gathered_text(&x->facts, ROLE_SHAPE, x->strings);
	uint32_t any = shape, key[DETAIL_KEY] = {
				      [KEY_DETAILS] = gathered_text(&x->facts, ROLE_KERNEL_DETAILS, x->strings),
				      [KEY_OP] = op_source(x),
				      [KEY_HLO] = gathered_text(&x->facts, ROLE_HLO_OP, x->strings),
				      [KEY_MODULE] = gathered_text(&x->facts, ROLE_HLO_MODULE, x->strings),
				      [KEY_EQUATION] = gathered_text(&x->facts, ROLE_EQUATION, x->strings),
				      [KEY_INSTRUCTION] = hlo_of_event(x),
			      };
	if (!isnan(occupancy))
		memcpy(&key[KEY_OCCUPANCY], &occupancy, sizeof occupancy);
	for (int i = 0; i < DETAIL_KEY; i++)
		any |= key[i];
	if (!any)
		return;
	bool hit;
	key[KEY_SORT] = 1;
	struct detail_slot *s = slot_for(x, key, &hit);
	if (!hit)
		build_kernel(x, s, occupancy);
	if (s->absurd)
		notes_add(x->notes, NOTE_VALUE_ABSURD, at, 1);
	*k = kernel_due(x, s, shape);
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

enum { COPY_INSTRUCTION = 5 };

static uint32_t build_copy(struct xspace *x, const uint32_t key[DETAIL_KEY], str_id name, bool is_memset)
{
	struct copy_info c, named;
	copy_info_init(&c);
	copy_info_init(&named);
	struct span text = strings_get(x->strings, key[KEY_DETAILS]), n = strings_get(x->strings, name);
	details_copy(text.p, text.n, &c);
	details_copy_name(n.p, n.n, &named);
	direction(&c, &named);
	if (is_memset)
		c.kind = COPY_MEMSET;
	const struct op_slot *op = op_of(x, key[KEY_OP], key[KEY_HLO]);
	c.op = op->op;
	c.op_type = op->type;
	c.hlo = key[COPY_INSTRUCTION];
	return ingest_copy(x->in, &c);
}

uint32_t detail_copy(struct xspace *x, str_id name, bool is_memset)
{
	enum stat_role role = is_memset ? ROLE_MEMSET_DETAILS : ROLE_MEMCPY_DETAILS;
	uint32_t key[DETAIL_KEY] = {is_memset ? 3 : 2,
				    gathered_text(&x->facts, role, x->strings),
				    op_source(x),
				    gathered_text(&x->facts, ROLE_HLO_OP, x->strings),
				    name,
				    hlo_of_event(x)};
	bool hit;
	struct detail_slot *s = slot_for(x, key, &hit);
	if (!hit) {
		s->absurd = false;
		s->row = build_copy(x, key, name, is_memset);
	}
	return s->row;
}

/* ---- host events -------------------------------------------------------------------------------------------------- */
/* What makes an event part of a step; beside it an `id` tells which one. */
static const uint64_t step_roles =
	ROLE_BIT(ROLE_STEP_NUM) | ROLE_BIT(ROLE_ITER_NUM) | ROLE_BIT(ROLE_ROOT) | ROLE_BIT(ROLE_PRODUCER_TYPE) |
	ROLE_BIT(ROLE_PRODUCER_ID) | ROLE_BIT(ROLE_CONSUMER_TYPE) | ROLE_BIT(ROLE_CONSUMER_ID) |
	ROLE_BIT(ROLE_STEP_NAME) | ROLE_BIT(ROLE_IS_FUNC) | ROLE_BIT(ROLE_GRAPH_TYPE) | ROLE_BIT(ROLE_ASYNC);
static const uint64_t other_host_roles = ROLE_BIT(ROLE_TF_OP) | ROLE_BIT(ROLE_DEVICE_ID);

/* Ops and allocations carry the `id` of whatever ran them; alone it makes no step, and a row for each would be large. It
 * stays among the attributes. */
static bool id_counts(const struct xspace *x, uint8_t kind)
{
	return has(&x->facts, ROLE_ID) && ((kind != KIND_OP && kind != KIND_MEMORY) || x->facts.present & step_roles);
}

static void fill_steps(struct xspace *x, struct host_info *h)
{
	const struct gathered *g = &x->facts;
	int64_t v;
	h->step_num = gathered_or_unknown(g, ROLE_STEP_NUM);
	h->iter_num = gathered_or_unknown(g, ROLE_ITER_NUM);
	h->root_level = gathered_or_unknown(g, ROLE_ROOT);
	h->producer_type = gathered_or_unknown(g, ROLE_PRODUCER_TYPE);
	h->consumer_type = gathered_or_unknown(g, ROLE_CONSUMER_TYPE);
	h->producer_id = gathered_int(g, ROLE_PRODUCER_ID, &v) ? (uint64_t)v : 0;
	h->consumer_id = gathered_int(g, ROLE_CONSUMER_ID, &v) ? (uint64_t)v : 0;
	h->is_func = gathered_or_unknown(g, ROLE_IS_FUNC);
	h->is_async = gathered_int(g, ROLE_ASYNC, &v) && v;
	h->step_name = gathered_text(g, ROLE_STEP_NAME, x->strings);
	h->graph_type = gathered_text(g, ROLE_GRAPH_TYPE, x->strings);
}

/* The op named by a host event's tf_op: nothing is cut off there. Kept beside the launches' ops, under a program of no
 * possible name. */
static const struct op_slot *host_op_of(struct xspace *x, str_id tf_op)
{
	struct op_slot *o = &x->ops[slot_index((uint64_t)tf_op << 32 | NONE_ID, OP_CACHE)];
	if (o->source != tf_op || o->hlo_op != NONE_ID) {
		struct span text = strings_get(x->strings, tf_op);
		*o = (struct op_slot){.source = tf_op, .hlo_op = NONE_ID};
		details_tf_op(x->strings, text.p, text.n, &o->op, &o->type);
	}
	return o;
}

static void fill_op(struct xspace *x, const struct event_meta *m, struct host_info *h)
{
	str_id tf_op = gathered_text(&x->facts, ROLE_TF_OP, x->strings);
	const struct op_slot *o = tf_op ? host_op_of(x, tf_op) : NULL;
	if (o)
		h->op = o->op, h->op_type = o->type;
	else if (m && m->op_type)
		h->op = m->op, h->op_type = m->op_type;
}

static uint32_t host_row(struct xspace *x, const struct host_info *h)
{
	uint64_t mix =
		(uint64_t)h->step_id ^ (uint64_t)h->iter_num << 7 ^ h->consumer_id << 13 ^ h->producer_id << 23 ^ h->op;
	struct host_slot *s = &x->hosts[slot_index(mix, HOST_CACHE)];
	if (!s->row || memcmp(&s->info, h, sizeof *h)) {
		s->info = *h;
		s->row = ingest_host_detail(x->in, h);
	}
	return s->row;
}

/* The row of an op that says nothing beyond its name. */
static uint32_t op_row(struct xspace *x, struct event_meta *m)
{
	struct host_info h;
	if (!m || !m->op_type)
		return 0;
	if (!m->op_row) {
		host_info_init(&h);
		h.op = m->op;
		h.op_type = m->op_type;
		m->op_row = ingest_host_detail(x->in, &h);
	}
	return m->op_row;
}

uint32_t detail_host(struct xspace *x, struct event_meta *m, uint8_t kind)
{
	struct host_info h;
	bool id = id_counts(x, kind);
	if (!id && !(x->facts.present & (step_roles | other_host_roles)))
		return kind == KIND_OP ? op_row(x, m) : 0;
	host_info_init(&h);
	fill_steps(x, &h);
	if (id)
		h.step_id = gathered_or_unknown(&x->facts, ROLE_ID);
	h.device_ordinal = gathered_or_unknown(&x->facts, ROLE_DEVICE_ID);
	fill_op(x, m, &h);
	return host_row(x, &h);
}
