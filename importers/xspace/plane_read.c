/* One plane from the stream: lines go to the hold as they are, the maps are decoded. See xspace.h. */
#include "xspace.h"
#include "model/store/base/grow.h"
#include <inttypes.h>
#include <stdio.h>

/* `end` is the offset after the message being read; INT64_MAX when its length is beyond what a file can have. */
static uint64_t left_of(struct xspace *x, int64_t end)
{
	return (uint64_t)(end - source_at(x->src));
}

enum wire_result xspace_peek(struct xspace *x, int64_t end, struct wire_field *f, size_t *head)
{
	size_t have;
	uint64_t left = left_of(x, end);
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

/* ---- a line ----------------------------------------------------------------------------------------------------- */
void xspace_out_of_memory(struct xspace *x)
{
	x->failed = x->ended = true;
	err_set(x->err, source_name(x->src), source_at(x->src),
		"no memory or disk space to hold the events of a plane");
}

/* Takes a field of an XLine. False when no such field exists in this form: the bytes are no line. */
static bool line_field(struct xspace *x, struct line *l, const struct wire_field *f)
{
	/* XLine: id 1, name 2, timestamp_ns 3, events 4, duration_ps 9, display_id 10, display_name 11 */
	bool text = f->number == 2 || f->number == 4 || f->number == 11;
	bool number = f->number == 1 || f->number == 3 || f->number == 9 || f->number == 10;
	if ((text && f->type != WIRE_BYTES) || (number && f->type != WIRE_VARINT))
		return false;
	size_t n = f->size < MAX_TEXT_BYTES ? (size_t)f->size : MAX_TEXT_BYTES;
	if (f->number == 1)
		l->id = (int64_t)f->value;
	else if (f->number == 2)
		l->name = strings_add(x->strings, (const char *)f->data, n);
	else if (f->number == 3)
		l->timestamp_ns = (int64_t)f->value;
	else if (f->number == 10)
		l->display_id = (int64_t)f->value;
	else if (f->number == 11)
		l->display_name = strings_add(x->strings, (const char *)f->data, n);
	else if (!text && !number)
		notes_add(x->notes, NOTE_WIRE_UNKNOWN, source_at(x->src), 1);
	return true;
}

/* Where bytes added to the hold now can be viewed later. */
static uint64_t hold_here(struct xspace *x)
{
	return x->plane.hold.borrowed ? (uint64_t)source_at(x->src) : hold_size(&x->plane.hold);
}

/* Passes over whole events, as most fields are, that begin before `limit`. The bytes lie in the source's window, which is padded. */
static const unsigned char *pass_events(const unsigned char *p, const unsigned char *limit, const unsigned char *end)
{
	uint64_t n;
	while (p < limit && *p == WIRE_TAG(4, WIRE_BYTES)) {
		const unsigned char *q = wire_quick(p + 1, &n);
		if (!q || q > end || n > (uint64_t)(end - q))
			break;
		p = q + n;
	}
	return p;
}

/* n more bytes of the line that is being read, from `at` in the hold on: they go on a part, or are one in this stretch or the next. */
static void add_part(struct xspace *x, uint64_t at, size_t n)
{
	struct plane *p = &x->plane;
	struct part *last = p->n_parts ? &p->parts[p->n_parts - 1] : NULL;
	bool fits = last && at + n - p->parts[p->stretches[p->n_stretches - 1]].at <= x->stretch_bytes;
	if (fits && last->line == p->n_lines && last->at + last->n == at) {
		last->n += n;
		return;
	}
	if (!fits) {
		GROW_ARRAY(p->stretches, p->n_stretches, p->stretches_cap);
		p->stretches[p->n_stretches++] = p->n_parts;
	}
	GROW_ARRAY(p->parts, p->n_parts, p->parts_cap);
	p->parts[p->n_parts++] = (struct part){at, p->n_lines, n};
}

/* Holds the whole fields at hand, as many as make a stretch. SHORT: a field goes on after them; BAD: what follows is no field of a line. */
static enum wire_result hold_fields(struct xspace *x, struct line *l, struct wire w)
{
	const unsigned char *from = w.p, *sound;
	const unsigned char *limit = (size_t)(w.end - from) > x->stretch_bytes ? from + x->stretch_bytes : w.end;
	enum wire_result r = WIRE_OK;
	struct wire_field f;
	while ((sound = w.p = pass_events(w.p, limit, w.end)) < limit && (r = wire_next(&w, &f)) == WIRE_OK) {
		bool event = f.number == 4 && f.type == WIRE_BYTES;
		if (!event && !line_field(x, l, &f)) {
			r = WIRE_BAD;
			break;
		}
	}
	size_t n = (size_t)(sound - from);
	if (n)
		add_part(x, l->hold_at + l->hold_n, n);
	if (!hold_add(&x->plane.hold, from, n))
		xspace_out_of_memory(x);
	l->hold_n += n;
	source_skip(x->src, n);
	return r;
}

static void add_line(struct xspace *x, const struct line *l)
{
	struct plane *p = &x->plane;
	if (!l->hold_n)
		add_part(x, l->hold_at, 0);
	GROW_ARRAY(p->lines, p->n_lines, p->lines_cap);
	p->lines[p->n_lines++] = *l;
}

/* A field that is too large to hold leaves a gap between held and file offsets; the line goes on as a second one. */
static void next_piece(struct xspace *x, struct line *l)
{
	add_line(x, l);
	l->hold_at = hold_here(x);
	l->hold_n = 0;
	l->file_at = source_at(x->src);
}

static void pass_giant(struct xspace *x, struct line *l, const struct wire_field *f, uint64_t size)
{
	x->notes->entries += f->number == 4;
	notes_add(x->notes, f->number == 4 ? NOTE_BAD_RECORD : NOTE_DAMAGED_REGION, source_at(x->src), 1);
	xspace_pass(x, size);
	next_piece(x, l);
}

/* The next field is not wholly at hand. Gets it there, or passes over it; false when the line ends here. */
static bool line_continue(struct xspace *x, struct line *l, int64_t end)
{
	struct wire_field f;
	size_t head, have;
	enum wire_result r = xspace_peek(x, end, &f, &head);
	if (r == WIRE_SHORT)
		xspace_cut(x);
	if (r != WIRE_OK || f.size > left_of(x, end) - head)
		return false;
	if (f.size > MAX_EVENT_BYTES) {
		pass_giant(x, l, &f, head + f.size);
		return !x->ended;
	}
	source_need(x->src, head + (size_t)f.size, &have);
	if (have >= head + f.size)
		return true;
	xspace_cut(x);
	return false;
}

static void walk_line(struct xspace *x, struct line *l, int64_t end)
{
	while (left_of(x, end) && !x->ended && !xspace_cancelled(x)) {
		size_t have;
		const unsigned char *p = source_need(x->src, 1, &have);
		uint64_t left = left_of(x, end);
		enum wire_result r = hold_fields(x, l, (struct wire){p, p + (have < left ? have : left)});
		if (r == WIRE_BAD || (left_of(x, end) && !line_continue(x, l, end)))
			break;
	}
}

/* The payload of a line. When its length ran over the plane's end it is not to be trusted: bytes that are no line's field
 * are then left for the plane to read. */
static void read_line(struct xspace *x, int64_t end, bool overrun)
{
	struct line l = {.hold_at = hold_here(x), .file_at = source_at(x->src)};
	walk_line(x, &l, end);
	if (!x->failed)
		add_line(x, &l);
	/* all was read, or what is left is for the plane to read; else it is damage inside of the line */
	if (!left_of(x, end) || x->ended || overrun)
		return;
	xspace_damaged(x, source_at(x->src));
	if (!x->ended)
		xspace_pass(x, left_of(x, end));
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
		xspace_pass(x, left_of(x, end));
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
		read_line(x, end, overrun);
	else if (overrun)
		xspace_pass(x, left_of(x, end));
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
	while (left_of(x, end) && !x->ended && !xspace_cancelled(x)) {
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
			bool overrun = f.size > left_of(x, end);
			sound = plane_field(x, &f, overrun ? end : source_at(x->src) + (int64_t)f.size, overrun);
		}
		if (!sound) {
			plane_broken(x, end);
			return;
		}
	}
}
