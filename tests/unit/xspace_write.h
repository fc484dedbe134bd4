/* tests/unit/xspace_write.h - small XSpaces written by hand, and loaded: what the tests of the importer say.
 * A message is a `struct bytes`; an inner message is finished first and then added to the outer one. */
#ifndef STEPSCOPE_XSPACE_WRITE_H
#define STEPSCOPE_XSPACE_WRITE_H
#include "unit.h"
#include "importers/importer.h"
#include "model/store/trace/trace.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	size_t n;
	unsigned char p[6000];
};

static inline void add_varint(struct bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		b->p[b->n++] = (unsigned char)(v | 0x80);
	b->p[b->n++] = (unsigned char)v;
	assert_true(b->n < sizeof b->p - 16);
}

static inline void add_number(struct bytes *b, unsigned field, int64_t v)
{
	add_varint(b, field << 3);
	add_varint(b, (uint64_t)v);
}

static inline void add_bytes(struct bytes *b, unsigned field, const void *p, size_t n)
{
	add_varint(b, field << 3 | 2);
	add_varint(b, n);
	assert_true(b->n + n < sizeof b->p - 16);
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

static inline void add_text(struct bytes *b, unsigned field, const char *z)
{
	add_bytes(b, field, z, strlen(z));
}

static inline void add_block(struct bytes *b, unsigned field, const struct bytes *inner)
{
	add_bytes(b, field, inner->p, inner->n);
}

/* ---- stats: of an event (field 4), of event metadata (5), of a plane (6) -------------------------------------------- */
static inline void add_stat(struct bytes *b, unsigned field, int64_t key, unsigned form, int64_t v)
{
	struct bytes s = {0};
	add_number(&s, 1, key);
	add_number(&s, form, v);
	add_block(b, field, &s);
}

static inline void stat_uint(struct bytes *event, int64_t key, uint64_t v)
{
	add_stat(event, 4, key, 3, (int64_t)v);
}

static inline void stat_int(struct bytes *event, int64_t key, int64_t v)
{
	add_stat(event, 4, key, 4, v);
}

static inline void stat_ref(struct bytes *event, int64_t key, int64_t to)
{
	add_stat(event, 4, key, 7, to);
}

static inline void add_stat_text(struct bytes *b, unsigned field, int64_t key, const char *z)
{
	struct bytes s = {0};
	add_number(&s, 1, key);
	add_text(&s, 5, z);
	add_block(b, field, &s);
}

static inline void stat_text(struct bytes *event, int64_t key, const char *z)
{
	add_stat_text(event, 4, key, z);
}

static inline void stat_double(struct bytes *event, int64_t key, double v)
{
	struct bytes s = {0};
	add_number(&s, 1, key);
	add_varint(&s, 2 << 3 | 1);
	memcpy(s.p + s.n, &v, 8);
	s.n += 8;
	add_block(event, 4, &s);
}

/* ---- messages ----------------------------------------------------------------------------------------------------- */
static inline struct bytes event_of(int64_t name, int64_t offset_ps, int64_t dur_ps)
{
	struct bytes e = {0};
	add_number(&e, 1, name);
	add_number(&e, 2, offset_ps);
	add_number(&e, 3, dur_ps);
	return e;
}

static inline struct bytes line_of(int64_t id, const char *name, int64_t timestamp_ns)
{
	struct bytes l = {0};
	add_number(&l, 1, id);
	add_text(&l, 2, name);
	add_number(&l, 3, timestamp_ns);
	return l;
}

static inline void line_event(struct bytes *line, const struct bytes *event)
{
	add_block(line, 4, event);
}

static inline struct bytes plane_of(const char *name)
{
	struct bytes p = {0};
	add_text(&p, 2, name);
	return p;
}

static inline void plane_line(struct bytes *plane, const struct bytes *line)
{
	add_block(plane, 3, line);
}

static inline void add_entry(struct bytes *plane, unsigned map, int64_t key, const struct bytes *value)
{
	struct bytes e = {0};
	add_number(&e, 1, key);
	add_block(&e, 2, value);
	add_block(plane, map, &e);
}

static inline void name_event(struct bytes *plane, int64_t key, const char *name)
{
	struct bytes m = {0};
	add_number(&m, 1, key);
	add_text(&m, 2, name);
	add_entry(plane, 4, key, &m);
}

static inline void name_stat(struct bytes *plane, int64_t key, const char *name)
{
	struct bytes m = {0};
	add_number(&m, 1, key);
	add_text(&m, 2, name);
	add_entry(plane, 5, key, &m);
}

/* ---- loading ------------------------------------------------------------------------------------------------------ */
struct loaded {
	struct trace *trace; /* NULL: refused, see err */
	struct err err;
	struct arena mem;
};

/* Reads in small steps, so that every field crosses a window's edge somewhere. */
static inline struct loaded load_bytes(const void *p, size_t n)
{
	struct loaded l = {0};
	struct source *src = source_memory(p, n, "runs/worker-7.xplane.pb");
	struct ingest *in = ingest_new();
	assert_non_null(src);
	assert_non_null(in);
	source_set_window(src, 32);
	ingest_source(in, "runs/worker-7.xplane.pb", "xspace");
	if (importer_xspace.load(src, in, NULL, &l.err))
		l.trace = ingest_seal(in, &l.err);
	else
		ingest_free(in);
	source_close(src);
	if (l.trace)
		assert_true(notes_balance(trace_notes(l.trace)));
	return l;
}

static inline struct loaded load_space(const struct bytes *space)
{
	return load_bytes(space->p, space->n);
}

static inline struct loaded load_plane(const struct bytes *plane)
{
	struct bytes space = {0};
	add_block(&space, 1, plane);
	return load_space(&space);
}

static inline void unload(struct loaded *l)
{
	trace_free(l->trace);
	arena_free(&l->mem);
}

/* ---- looking ------------------------------------------------------------------------------------------------------ */
static inline uint64_t count_of(const struct loaded *l, enum note_id id)
{
	return trace_notes(l->trace)->at[id].count;
}

static inline row_id row_named(const struct loaded *l, const char *name)
{
	const struct columns *c = trace_columns(l->trace);
	for (row_id r = 0; r < c->n; r++)
		if (!strcmp(trace_str(l->trace, c->name[r]), name))
			return r;
	fail_msg("no event is named %s", name);
	return NONE_ID;
}

static inline int64_t start_of(const struct loaded *l, row_id r)
{
	return trace_base_ns(l->trace) + trace_columns(l->trace)->start_ns[r];
}

static inline int64_t dur_of(const struct loaded *l, row_id r)
{
	return trace_columns(l->trace)->dur_ns[r];
}

static inline const char *kind_of_row(const struct loaded *l, row_id r)
{
	return kind_name(trace_columns(l->trace)->kind[r]);
}

static inline const struct track_info *track_of(const struct loaded *l, row_id r)
{
	return trace_track(l->trace, trace_columns(l->trace)->track[r]);
}

/* "key=value" pairs separated by blanks, as the details pane would list them. */
static inline const char *attributes_of(struct loaded *l, row_id r)
{
	struct attr *a;
	size_t n;
	const char *all = "";
	if (!attrs_read(trace_attrs(l->trace), number_at(trace_columns(l->trace)->attrs, r), &l->mem, &a, &n))
		return all;
	for (size_t i = 0; i < n; i++)
		all = arena_printf(&l->mem, "%s%s%s=%s", all, i ? " " : "", trace_str(l->trace, a[i].key),
				   attr_text(&a[i], trace_strings(l->trace), &l->mem));
	return all;
}

static inline const char *fact_of(const struct loaded *l, const char *key)
{
	const char *k, *v;
	for (uint32_t i = 0; i < trace_facts(l->trace); i++) {
		trace_fact(l->trace, i, &k, &v);
		if (!strcmp(k, key))
			return v;
	}
	return "";
}
#endif
