/* A space and its planes: what stays as it is, and which metadata goes with the events that leave. */
#include "cut_private.h"
#include "importers/importer.h"
#include "importers/xspace/xplane_meta.pb-c.h"
#include "model/store/base/memory.h"
#include "model/store/facts/slice_marks.h"

/* ---- metadata --------------------------------------------------------------------------------------------------------------- */

static bool varints(const unsigned char *p, size_t n, bool (*take)(struct cut_plane *c, int64_t id),
		    struct cut_plane *c)
{
	struct wire w = {p, p + n};
	uint64_t v;
	bool fresh = false;
	while (w.p < w.end && wire_varint(&w, &v) == WIRE_OK)
		fresh |= take(c, (int64_t)v);
	return fresh;
}

static bool use_event(struct cut_plane *c, int64_t id)
{
	bool fresh = idmap_get(&c->events, (uint64_t)id) == UINT32_MAX;
	idmap_put(&c->events, (uint64_t)id, CUT_USED);
	return fresh;
}

/* The key of a map entry, and its value. */
static int64_t entry_key(const unsigned char *p, size_t n, struct wire *value)
{
	struct wire w = {p, p + n};
	struct wire_field f;
	int64_t key = 0;
	*value = (struct wire){p, p};
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
		if (f.number == 1 && f.type == WIRE_VARINT)
			key = (int64_t)f.value;
		if (f.number == 2 && f.type == WIRE_BYTES)
			*value = (struct wire){f.data, f.data + f.size};
	}
	return key;
}

/* What an entry of the event map refers to, where an event refers to it. True when there is another entry to look at. */
static bool use_entry(struct cut_plane *c, const unsigned char *p, size_t n)
{
	struct wire value;
	struct wire_field f;
	uint64_t key = (uint64_t)entry_key(p, n, &value);
	bool fresh = false;
	if (idmap_get(&c->events, key) != CUT_USED)
		return false;
	*idmap_put(&c->events, key, CUT_DONE) = CUT_DONE;
	/* XEventMetadata: stats 5, child_id 6 */
	while (value.p < value.end && wire_next(&value, &f) == WIRE_OK) {
		if (f.number == 5 && f.type == WIRE_BYTES)
			cut_use_stat(c, f.data, f.size);
		if (f.number == 6 && f.type == WIRE_VARINT)
			fresh |= use_event(c, (int64_t)f.value);
		if (f.number == 6 && f.type == WIRE_BYTES)
			fresh |= varints(f.data, f.size, use_event, c);
	}
	return fresh;
}

static void use_metadata(struct cut_plane *c, const unsigned char *p, size_t n)
{
	struct wire_field f;
	for (bool more = true; more;) {
		struct wire w = {p, p + n};
		more = false;
		while (w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
			if (f.number == 4 && f.type == WIRE_BYTES)
				more |= use_entry(c, f.data, f.size);
			if (f.number == 6 && f.type == WIRE_BYTES)
				cut_use_stat(c, f.data, f.size);
		}
	}
}

/* ---- a plane ---------------------------------------------------------------------------------------------------------------- */

/* XPlane: id 1, name 2, lines 3, event_metadata 4, stat_metadata 5, stats 6. False where it is damaged. */
static bool read_plane(struct cut_plane *c, const unsigned char *p, size_t n, bool *has_lines)
{
	struct wire w = {p, p + n};
	struct wire_field f;
	struct wire value;
	while (w.p < w.end) {
		TRY(wire_next(&w, &f) == WIRE_OK);
		bool bytes = f.type == WIRE_BYTES;
		if (f.number == 2 && bytes)
			c->name = (struct span){(const char *)f.data, f.size};
		*has_lines |= f.number == 3 && bytes;
		if (f.number == 4 && bytes)
			meta_add_event(&c->meta, c->strings, f.data, f.size);
		if (f.number == 5 && bytes) {
			int64_t key = entry_key(f.data, f.size, &value);
			c->mark_id = key >= c->mark_id && key < INT64_MAX ? key + 1 : c->mark_id;
		}
	}
	return true;
}

static bool cut_lines(struct cut_plane *c, const unsigned char *p, size_t n)
{
	struct wire w = {p, p + n};
	struct wire_field f;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK)
		if (f.number == 3 && f.type == WIRE_BYTES)
			TRY(cut_line(c, f.data, f.size));
	return true;
}

static bool is_used(const struct idmap *m, const struct wire_field *f)
{
	struct wire value;
	return idmap_get(m, (uint64_t)entry_key(f->data, f->size, &value)) != UINT32_MAX;
}

static void put_mark_name(struct cut_plane *c, struct wire_out *out)
{
	unsigned char packed[64];
	XplaneMeta__StatMetadata m = XPLANE_META__STAT_METADATA__INIT;
	XplaneMeta__StatEntry e = XPLANE_META__STAT_ENTRY__INIT;
	m.id = e.key = c->mark_id;
	m.name = (ProtobufCBinaryData){sizeof SLICE_MARK_KEY - 1, (unsigned char[]){SLICE_MARK_KEY}};
	e.value = &m;
	wire_put_block(out, 5, packed, xplane_meta__stat_entry__pack(&e, packed));
}

/* The fields in the order of the recording. */
static void put_plane(struct cut_plane *c, const unsigned char *p, size_t n, struct wire_out *out)
{
	struct wire w = {p, p + n}, lines = {c->lines.p, c->lines.p + c->lines.n};
	struct wire_field f, line;
	for (const unsigned char *from = p; w.p < w.end && wire_next(&w, &f) == WIRE_OK; from = w.p) {
		bool bytes = f.type == WIRE_BYTES;
		if (f.number == 3 && bytes) {
			const unsigned char *at = lines.p;
			wire_next(&lines, &line);
			wire_put(out, at, (size_t)(lines.p - at));
		} else if (!bytes || (f.number != 4 && f.number != 5) ||
			   is_used(f.number == 4 ? &c->events : &c->stats, &f)) {
			wire_put(out, from, (size_t)(w.p - from));
		}
	}
	if (c->marked)
		put_mark_name(c, out);
}

static void free_plane(struct cut_plane *c)
{
	meta_free(&c->meta);
	strings_free(c->strings);
	wire_out_free(&c->lines);
	idmap_free(&c->events);
	idmap_free(&c->stats);
}

/* Planes without lines hold programs and facts: they stay as they are. */
static bool cut_plane(struct xspace_slice *cut, const unsigned char *p, size_t n, struct wire_out *out)
{
	struct cut_plane c = {.cut = cut, .strings = must(strings_new()), .mark_id = 1};
	bool has_lines = false, sound = read_plane(&c, p, n, &has_lines) && cut_lines(&c, p, n);
	if (sound && has_lines) {
		use_metadata(&c, p, n);
		put_plane(&c, p, n, out);
	} else if (sound) {
		wire_put(out, p, n);
	}
	free_plane(&c);
	return sound;
}

/* ---- the space -------------------------------------------------------------------------------------------------------------- */

bool xspace_is_source(struct source *s)
{
	enum { HEAD = 64 << 10 };
	size_t have;
	const unsigned char *head = source_need(s, HEAD, &have);
	return importer_for(head, have, NULL) == &importer_xspace;
}

static bool cancelled(struct source *from, struct progress *p, struct err *e)
{
	return progress_cancelled(p) && !err_set(e, source_name(from), -1, "cancelled");
}

static bool damaged(struct source *from, struct err *e)
{
	return source_io_error(from, e) ? false
					: err_set(e, source_name(from), source_at(from),
						  "the recording is damaged here, so no part can be cut out of it; "
						  "write the window as .json.gz");
}

/* The next field of the space, whole: *size bytes from its payload on, after `head` bytes. NULL with e where it is damaged. */
static const unsigned char *next_field(struct source *from, struct wire_field *f, size_t *head, struct err *e)
{
	size_t have;
	const unsigned char *p = source_need(from, WIRE_HEAD_MAX, &have);
	struct wire w = {p, p + have};
	if (wire_head(&w, f) == WIRE_OK && f->size <= SIZE_MAX / 2) {
		*head = (size_t)(w.p - p);
		p = source_need(from, *head + (size_t)f->size, &have);
		if (have >= *head + f->size)
			return p;
	}
	damaged(from, e);
	return NULL;
}

static bool put_field(struct xspace_slice *c, const struct wire_field *f, const unsigned char *p, size_t head,
		      FILE *out)
{
	unsigned char own[WIRE_HEAD_MAX];
	struct wire_out plane = {0};
	bool is_plane = f->number == 1 && f->type == WIRE_BYTES, ok = true;
	if (is_plane && (ok = cut_plane(c, p + head, (size_t)f->size, &plane))) {
		fwrite(own, 1, wire_head_at(own, 1, plane.n), out);
		if (plane.n)
			fwrite(plane.p, 1, plane.n, out);
	} else if (!is_plane) {
		fwrite(p, 1, head + (size_t)f->size, out);
	}
	wire_out_free(&plane);
	return ok;
}

bool xspace_slice(struct source *from, struct xspace_slice *c, struct progress *p, FILE *out, struct err *e)
{
	c->n_events = c->n_samples = 0;
	while (!source_ended(from)) {
		struct wire_field f;
		size_t head = 0;
		if (cancelled(from, p, e))
			return false;
		const unsigned char *at = next_field(from, &f, &head, e);
		TRY(at != NULL);
		if (!put_field(c, &f, at, head, out))
			return damaged(from, e);
		source_skip(from, head + (size_t)f.size);
	}
	return source_damage(from) ? damaged(from, e) : true;
}

bool xspace_copy(struct source *from, struct progress *p, FILE *out, struct err *e)
{
	while (!source_ended(from)) {
		size_t have;
		if (cancelled(from, p, e))
			return false;
		const unsigned char *at = source_need(from, 1, &have);
		fwrite(at, 1, have, out);
		source_skip(from, have);
	}
	return source_damage(from) ? damaged(from, e) : true;
}
