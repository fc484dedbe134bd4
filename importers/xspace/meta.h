/* importers/xspace/meta.h - the two metadata maps of one plane: what ids stand for.
 * Keys:    the map's key counts, not the id inside the entry; the last entry of a key wins.
 * Life:    zero-initialise -> add* -> look up -> clear (for the next plane) -> free. Texts are interned; bytes stats are
 *          copied, only the size of large ones is kept. */
#ifndef STEPSCOPE_XSPACE_META_H
#define STEPSCOPE_XSPACE_META_H
#include "metamap.h"
#include "stats.h"
#include "model/store/base/arena.h"

struct event_meta {
	str_id name, shown; /* shown: the display name where there is one */
	uint32_t first_stat, n_stats;
	bool says_more; /* than its shown name: stats, or another name */
	/* What the name alone says of a host event, worked out when the first one is met. */
	bool named; /* the three below are known */
	uint8_t kind;
	str_id op, op_type;
	uint32_t op_row; /* of ingest's host details, 0 = not made yet */
	/* What every event of this name says, as the beginning of its attributes' record; made with the first one. */
	const unsigned char *record;
	uint32_t record_bytes;
};
struct stat_meta {
	str_id name;
	uint8_t role, has_role; /* enum stat_role; 0 or 1 */
	/* The name in a record, as a key and as a value: varints as words. */
	uint8_t key_bytes, ref_bytes;
	uint64_t key, ref;
};
struct meta {
	struct metamap event_ids, stat_ids;
	struct event_meta *events;
	struct stat_meta *stats;
	struct stat *event_stats;
	size_t n_events, n_stats, n_event_stats;
	size_t events_cap, stats_cap, event_stats_cap;
	struct arena texts;
};

/* One map entry, as the payload of the plane's field 4 or 5. False when it is not sound. */
bool meta_add_event(struct meta *m, struct strings *s, const unsigned char *p, size_t n);
bool meta_add_stat(struct meta *m, struct strings *s, const unsigned char *p, size_t n);
void meta_clear(struct meta *m);
void meta_free(struct meta *m);

static inline struct event_meta *meta_event(const struct meta *m, int64_t id)
{
	int64_t row = metamap_get(&m->event_ids, id);
	return row < 0 ? NULL : &m->events[row];
}

static inline const struct stat_meta *meta_stat(const struct meta *m, int64_t id)
{
	int64_t row = metamap_get(&m->stat_ids, id);
	return row < 0 ? NULL : &m->stats[row];
}
#endif
