/* One plane from the stream: its lines are passed over, the maps are decoded. See xspace.h. */
#include "xspace.h"
#include "model/store/base/grow.h"
#include <inttypes.h>
#include <stdio.h>

uint64_t xspace_left(const struct xspace *x, int64_t end)
{
	return (uint64_t)(end - source_at(x->src));
}

enum wire_result xspace_peek(struct xspace *x, int64_t end, struct wire_field *f, size_t *head)
{
	size_t have;
	uint64_t left = xspace_left(x, end);
	const unsigned char *p = source_need(x->src, WIRE_HEAD_MAX, &have);
	struct wire w = {p, p + (have < left ? have : left)};
	enum wire_result r = wire_head(&w, f);
	*head = (size_t)(w.p - p);
	if (r == WIRE_SHORT && have >= left)
		return WIRE_BAD; /* the message ends inside a field */
	return r;
}

void xspace_pass(struct xspace *x, uint64_t n)
{
	while (n) {
		size_t have;
		source_need(x->src, 1, &have);
		if (!have) {
			xspace_cut(x);
			return;
		}
		size_t step = have < n ? have : (size_t)n;
		source_skip(x->src, step);
		n -= step;
	}
}

/* n bytes at the source's position, or NULL with a note when the stream ends before. */
static const unsigned char *take(struct xspace *x, uint64_t n)
{
	size_t have;
	const unsigned char *p = source_need(x->src, (size_t)n, &have);
	if (have >= n)
		return p;
	xspace_cut(x);
	return NULL;
}

void xspace_out_of_memory(struct xspace *x)
{
	x->failed = x->ended = true;
	err_set(x->err, source_name(x->src), source_at(x->src),
		"no memory or disk space to hold the events of a plane");
}

/* ---- the plane's other fields ------------------------------------------------------------------------------------- */
/* The name inside an entry too large to unpack: entry > value (2) > name (2). */
static void giant_meta(struct xspace *x, uint64_t size)
{
	size_t have;
	const unsigned char *p = source_need(x->src, MAX_TEXT_BYTES, &have);
	struct wire w = {p, p + (have < size ? have : size)};
	struct wire_field f;
	struct span name = {"", 0};
	while (wire_head(&w, &f) == WIRE_OK) {
		if (f.type == WIRE_VARINT || (f.number == 2 && f.size > MAX_TEXT_BYTES))
			continue; /* key and id are passed over, the value is stepped into */
		if (f.number == 2 && f.size <= (uint64_t)(w.end - w.p))
			name = (struct span){(const char *)w.p, (size_t)f.size};
		break;
	}
	char key[160], value[32];
	snprintf(key, sizeof key, "large_metadata: %.*s", (int)(name.n < 120 ? name.n : 120), name.p);
	snprintf(value, sizeof value, "%" PRIu64 " bytes", size);
	ingest_fact(x->in, key, value);
	xspace_pass(x, size);
}

/* The plane whose "event metadata" are serialised HLO modules. */
static bool holds_programs(const struct xspace *x)
{
	return span_is(strings_get(x->strings, x->plane.name), "/host:metadata");
}

static void read_map_entry(struct xspace *x, const struct wire_field *f)
{
	int64_t at = source_at(x->src);
	if (f->number == 4 && holds_programs(x)) {
		hlo_read_entry(x, at + (int64_t)f->size);
		return;
	}
	if (f->size > MAX_META_BYTES) {
		giant_meta(x, f->size);
		return;
	}
	const unsigned char *p = take(x, f->size);
	if (!p)
		return;
	bool ok = f->number == 4 ? meta_add_event(&x->plane.meta, x->strings, p, (size_t)f->size)
				 : meta_add_stat(&x->plane.meta, x->strings, p, (size_t)f->size);
	source_skip(x->src, (size_t)f->size);
	if (!ok)
		xspace_damaged(x, at);
}

static void read_plane_stat(struct xspace *x, const struct wire_field *f)
{
	struct plane *pl = &x->plane;
	struct stat s;
	if (f->size > MAX_META_BYTES) {
		xspace_pass(x, f->size);
		return;
	}
	const unsigned char *p = take(x, f->size);
	if (!p)
		return;
	if (stat_decode(p, (size_t)f->size, &s)) {
		GROW_ARRAY(pl->stats, pl->n_stats, pl->stats_cap);
		if (s.type == STAT_STR || s.type == STAT_BYTES)
			s.text.p = arena_strndup(&pl->meta.texts, s.text.p, s.text.n);
		pl->stats[pl->n_stats++] = s;
	} else {
		xspace_damaged(x, source_at(x->src));
	}
	source_skip(x->src, (size_t)f->size);
}

static bool is_name(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < 0x20)
			return false;
	return true;
}

/* False when the bytes are no name: then this is no plane. */
static bool read_plane_name(struct xspace *x, const struct wire_field *f)
{
	if (f->size > MAX_TEXT_BYTES)
		return false;
	const unsigned char *p = take(x, f->size);
	if (!p)
		return true;
	if (!is_name(p, (size_t)f->size))
		return false;
	x->plane.name = strings_add(x->strings, (const char *)p, (size_t)f->size);
	source_skip(x->src, (size_t)f->size);
	return true;
}

static void pass_unknown(struct xspace *x, const struct wire_field *f)
{
	notes_add(x->notes, NOTE_WIRE_UNKNOWN, source_at(x->src), 1);
	xspace_pass(x, f->size);
}

/* XPlane: id 1 is a number, name 2, lines 3, event and stat metadata 4 and 5, stats 6 are messages or texts. */
static bool plane_form(const struct wire_field *f)
{
	return f->number == 1 ? f->type == WIRE_VARINT : f->number > 6 || f->type == WIRE_BYTES;
}

/* Bytes that are no field of a plane. If another plane begins here, this one's length was wrong: the space reads on. */
static void plane_broken(struct xspace *x, int64_t end)
{
	size_t have;
	const unsigned char *p = source_need(x->src, MAX_TEXT_BYTES, &have);
	bool next_plane = xspace_plane_head(p, have);
	xspace_damaged(x, source_at(x->src));
	if (!next_plane && !x->ended)
		xspace_pass(x, xspace_left(x, end));
}

/* A field whose head has been passed and whose payload reaches to `end`. False when the plane cannot go on after it. */
static bool plane_field(struct xspace *x, const struct wire_field *f, int64_t end, bool overrun)
{
	if (overrun)
		xspace_damaged(x, source_at(x->src));
	if (x->ended)
		return false;
	if (f->number == 1)
		x->plane.id = (int64_t)f->value;
	else if (f->number == 3)
		line_read(x, end, overrun);
	else if (overrun)
		xspace_pass(x, xspace_left(x, end));
	else if (f->number == 2)
		return read_plane_name(x, f);
	else if (f->number == 4 || f->number == 5)
		read_map_entry(x, f);
	else if (f->number == 6)
		read_plane_stat(x, f);
	else
		pass_unknown(x, f);
	return true;
}

void plane_read(struct xspace *x, int64_t end)
{
	while (xspace_left(x, end) && !x->ended && !xspace_cancelled(x)) {
		struct wire_field f;
		size_t head;
		enum wire_result r = xspace_peek(x, end, &f, &head);
		if (r == WIRE_SHORT) {
			xspace_cut(x);
			return;
		}
		bool sound = r == WIRE_OK && plane_form(&f);
		if (sound) {
			source_skip(x->src, head);
			bool overrun = f.size > xspace_left(x, end);
			if (f.number == 3 && !overrun && lines_run(x, f.size, end))
				continue;
			sound = plane_field(x, &f, overrun ? end : source_at(x->src) + (int64_t)f.size, overrun);
		}
		if (!sound) {
			plane_broken(x, end);
			return;
		}
	}
}
