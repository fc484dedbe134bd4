/* One line from the stream, at the first look: what it says of itself, and where its events stand. They are decoded when the plane's
 * metadata are known, which stand behind all of its lines, and what the line is called stands behind its events: until then every byte
 * is passed over. */
#include "xspace.h"
#include "model/store/base/grow.h"

bool line_knows(const struct wire_field *f)
{
	return (f->number >= 1 && f->number <= 4) || (f->number >= 9 && f->number <= 11);
}

bool line_form(const struct wire_field *f)
{
	bool text = f->number == 2 || f->number == 4 || f->number == 11;
	return !line_knows(f) || f->type == (text ? WIRE_BYTES : WIRE_VARINT);
}

void line_number(struct line *l, const struct wire_field *f)
{
	if (f->number == 1)
		l->id = (int64_t)f->value;
	else if (f->number == 3)
		l->timestamp_ns = (int64_t)f->value;
	else if (f->number == 10)
		l->display_id = (int64_t)f->value;
}

/* `at`: where it begins. False when no such field exists in this form: the bytes are no line. */
static bool line_field(struct xspace *x, struct line *l, const struct wire_field *f, int64_t at)
{
	if (!line_form(f))
		return false;
	size_t n = f->size < MAX_TEXT_BYTES ? (size_t)f->size : MAX_TEXT_BYTES;
	line_number(l, f);
	if (f->number == 2)
		l->name = strings_add(x->strings, (const char *)f->data, n);
	else if (f->number == 11)
		l->display_name = strings_add(x->strings, (const char *)f->data, n);
	else if (!line_knows(f))
		notes_add(x->notes, NOTE_WIRE_UNKNOWN, at, 1);
	return true;
}

/* Where bytes added to the hold now can be viewed later. */
static uint64_t hold_here(struct xspace *x)
{
	return x->plane.hold.borrowed ? (uint64_t)source_at(x->src) : hold_size(&x->plane.hold);
}

const unsigned char *line_pass_events(const unsigned char *p, const unsigned char *limit, const unsigned char *end)
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

/* They go on a part, or are one in this stretch or the next. */
void line_add_part(struct xspace *x, uint64_t at, size_t n)
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
	while ((sound = w.p = line_pass_events(w.p, limit, w.end)) < limit && (r = wire_next(&w, &f)) == WIRE_OK) {
		bool event = f.number == 4 && f.type == WIRE_BYTES;
		if (!event && !line_field(x, l, &f, source_at(x->src) + (sound - from))) {
			r = WIRE_BAD;
			break;
		}
	}
	size_t n = (size_t)(sound - from);
	if (n)
		line_add_part(x, l->hold_at + l->hold_n, n);
	if (!hold_add(&x->plane.hold, from, n))
		xspace_out_of_memory(x);
	l->hold_n += n;
	source_skip(x->src, n);
	return r;
}

void line_add(struct xspace *x, const struct line *l)
{
	struct plane *p = &x->plane;
	if (!l->hold_n)
		line_add_part(x, l->hold_at, 0);
	GROW_ARRAY(p->lines, p->n_lines, p->lines_cap);
	p->lines[p->n_lines++] = *l;
}

/* A field that is too large to hold leaves a gap between held and file offsets; the line goes on as a second one. */
static void next_piece(struct xspace *x, struct line *l)
{
	line_add(x, l);
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
	if (r != WIRE_OK || f.size > xspace_left(x, end) - head)
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
	while (xspace_left(x, end) && !x->ended && !xspace_cancelled(x)) {
		size_t have;
		const unsigned char *p = source_need(x->src, 1, &have);
		uint64_t left = xspace_left(x, end);
		enum wire_result r = hold_fields(x, l, (struct wire){p, p + (have < left ? have : left)});
		if (r == WIRE_BAD || (xspace_left(x, end) && !line_continue(x, l, end)))
			break;
	}
}

void line_read(struct xspace *x, int64_t end, bool overrun)
{
	struct line l = {.hold_at = hold_here(x), .file_at = source_at(x->src)};
	walk_line(x, &l, end);
	if (!x->failed)
		line_add(x, &l);
	/* all was read, or what is left is for the plane to read; else it is damage inside of the line */
	if (!xspace_left(x, end) || x->ended || overrun)
		return;
	xspace_damaged(x, source_at(x->src));
	if (!x->ended)
		xspace_pass(x, xspace_left(x, end));
}
