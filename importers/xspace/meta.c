#include "meta.h"
#include "importers/xspace/xplane_meta.pb-c.h"
#include "model/store/base/memory.h"
#include "model/store/facts/attrs_encode.h"
#include "model/store/base/grow.h"

static str_id intern(struct strings *s, ProtobufCBinaryData text)
{
	return strings_add(s, (const char *)text.data, text.len);
}

/* Serialised modules and the like: what counts is how large they are. */
enum { LARGE_BYTES = 4096 };

static struct span keep_bytes(struct meta *m, ProtobufCBinaryData b)
{
	if (b.len > LARGE_BYTES)
		return (struct span){NULL, b.len};
	return (struct span){arena_strndup(&m->texts, (const char *)b.data, b.len), b.len};
}

/* The stats of event metadata apply to every event of that name: what they say is kept beyond the entry it was read from. */
static struct stat stat_of(struct meta *m, struct strings *s, const XplaneMeta__Stat *from)
{
	struct stat to = {.id = from->metadata_id};
	switch (from->value_case) {
	case XPLANE_META__STAT__VALUE_DOUBLE_VALUE:
		to.type = STAT_DOUBLE;
		to.d = from->double_value;
		break;
	case XPLANE_META__STAT__VALUE_UINT64_VALUE:
		to.type = STAT_UINT;
		to.u = from->uint64_value;
		break;
	case XPLANE_META__STAT__VALUE_INT64_VALUE:
		to.type = STAT_INT;
		to.u = (uint64_t)from->int64_value;
		break;
	case XPLANE_META__STAT__VALUE_STR_VALUE:
		to.type = STAT_TEXT; /* it applies to many events: interned once */
		to.ref = intern(s, from->str_value);
		break;
	case XPLANE_META__STAT__VALUE_BYTES_VALUE:
		to.type = STAT_BYTES;
		to.text = keep_bytes(m, from->bytes_value);
		break;
	case XPLANE_META__STAT__VALUE_REF_VALUE:
		to.type = STAT_REF;
		to.u = from->ref_value;
		break;
	default:
		to.type = STAT_NONE;
	}
	return to;
}

static void add_event_stats(struct meta *m, struct strings *s, struct event_meta *e,
			    const XplaneMeta__EventMetadata *from)
{
	e->first_stat = (uint32_t)m->n_event_stats;
	e->n_stats = (uint32_t)from->n_stats;
	for (size_t i = 0; i < from->n_stats; i++) {
		GROW_ARRAY(m->event_stats, m->n_event_stats, m->event_stats_cap);
		m->event_stats[m->n_event_stats++] = stat_of(m, s, from->stats[i]);
	}
}

static void add_event(struct meta *m, struct strings *s, const XplaneMeta__EventEntry *from)
{
	struct event_meta e = {0};
	const XplaneMeta__EventMetadata *v = from->value;
	if (v) {
		e.name = intern(s, v->name);
		e.shown = v->display_name.len ? intern(s, v->display_name) : e.name;
		add_event_stats(m, s, &e, v);
		e.says_more = e.n_stats || e.shown != e.name;
	}
	GROW_ARRAY(m->events, m->n_events, m->events_cap);
	/* ids may be any 64-bit numbers; of two entries with one id the later one counts */
	metamap_set(&m->event_ids, from->key, (uint32_t)m->n_events);
	m->events[m->n_events++] = e;
}

static void *take(void *ctx, size_t n)
{
	(void)ctx;
	return must(malloc(n)); /* else a sound entry and one that could not be kept look the same */
}

static void give(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

static ProtobufCAllocator allocator = {.alloc = take, .free = give};

bool meta_add_event(struct meta *m, struct strings *s, const unsigned char *p, size_t n)
{
	XplaneMeta__EventEntry *entry = xplane_meta__event_entry__unpack(&allocator, n, p);
	if (!entry)
		return false;
	add_event(m, s, entry);
	xplane_meta__event_entry__free_unpacked(entry, &allocator);
	return true;
}

/* Key and reference as attributes code them, made once: events copy the bytes. */
static void encode_name(struct stat_meta *e)
{
	unsigned n;
	e->key = attr_varint_word((uint64_t)e->name + 1, &n);
	e->key_bytes = (uint8_t)n;
	e->ref = attr_varint_word(e->name, &n);
	e->ref_bytes = (uint8_t)n;
}

bool meta_add_stat(struct meta *m, struct strings *s, const unsigned char *p, size_t n)
{
	XplaneMeta__StatEntry *entry = xplane_meta__stat_entry__unpack(&allocator, n, p);
	if (!entry)
		return false;
	struct stat_meta e = {0};
	if (entry->value) {
		ProtobufCBinaryData name = entry->value->name;
		e.name = intern(s, name);
		e.role = (uint8_t)stat_role((struct span){(const char *)name.data, name.len});
		e.has_role = e.role != ROLE_NONE;
	}
	encode_name(&e);
	GROW_ARRAY(m->stats, m->n_stats, m->stats_cap);
	metamap_set(&m->stat_ids, entry->key, (uint32_t)m->n_stats);
	m->stats[m->n_stats++] = e;
	xplane_meta__stat_entry__free_unpacked(entry, &allocator);
	return true;
}

void meta_clear(struct meta *m)
{
	metamap_clear(&m->event_ids);
	metamap_clear(&m->stat_ids);
	m->n_events = m->n_stats = m->n_event_stats = 0;
	arena_free(&m->texts);
}

void meta_free(struct meta *m)
{
	metamap_free(&m->event_ids);
	metamap_free(&m->stat_ids);
	free(m->events);
	free(m->stats);
	free(m->event_stats);
	arena_free(&m->texts);
	*m = (struct meta){0};
}
