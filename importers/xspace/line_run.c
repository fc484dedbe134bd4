/* The same look at a run of long lines of a plain file, by two threads, a line each: the lengths of lines tell where the next one begins.
 * Only a line that is sound from its first byte to its last is taken from there; any other is read by line_read, in its place, as if it
 * stood alone: what is told of damage does not depend on threads. */
#include "xspace.h"
#include "model/store/base/both.h"
#include "model/store/base/grow.h"
#include "model/store/files/spill.h"
#include <stdlib.h>

/* A run has more than one line and is at least WORTH windows long, begins with a line longer than a window, and goes on while its
 * lines are 1/SHORTEST of one on average: to look for the next one costs a call of the kernel. */
enum { WORTH = 4, SHORTEST = 16 };
/* What is read at once, of a window: it is passed over while the nearest cache holds it. */
enum { AT_ONCE = 4 };

/* A name: bytes of the file. */
struct place {
	uint64_t at;
	size_t n;
};
/* One line of a run, and what one thread has found in it. */
struct passed {
	uint64_t from, end; /* its payload in the file */
	bool sound;         /* all of it are whole fields that are known */
	struct line line;   /* its numbers */
	struct place name, display_name;
	uint64_t *parts; /* where each ends */
	size_t n_parts, parts_cap;
};
struct run {
	struct xspace *x;
	struct passed *line;
	size_t n, cap;
	uint64_t bytes;
	_Atomic size_t next; /* that nobody has begun */
};

/* ---- where its lines stand ---------------------------------------------------------------------------------------------- */

static void add_passed(struct run *r, uint64_t from, uint64_t size)
{
	GROW_ARRAY(r->line, r->n, r->cap);
	r->line[r->n++] = (struct passed){.from = from, .end = from + size};
	r->bytes += size;
}

/* Adds the line whose head stands at `at`, where one does that ends before `end`. */
static bool add_next(struct run *r, uint64_t at, uint64_t end)
{
	unsigned char bytes[WIRE_HEAD_MAX];
	uint64_t want = end - at < sizeof bytes ? end - at : sizeof bytes;
	size_t have = spill_read(source_file(r->x->src), bytes, want, (int64_t)at);
	struct wire w = {bytes, bytes + have};
	struct wire_field f;
	if (wire_head(&w, &f) != WIRE_OK || f.number != 3 || f.type != WIRE_BYTES)
		return false;
	uint64_t from = at + (uint64_t)(w.p - bytes);
	if (f.size > end - from)
		return false;
	add_passed(r, from, f.size);
	return true;
}

static void find_lines(struct run *r, uint64_t size, uint64_t end)
{
	uint64_t shortest = r->x->stretch_bytes / SHORTEST;
	add_passed(r, (uint64_t)source_at(r->x->src), size);
	while (r->bytes / r->n >= shortest && add_next(r, r->line[r->n - 1].end, end))
		;
}

/* ---- passing over them, by both threads --------------------------------------------------------------------------------- */

/* A field that is no event. False: line_read has more to say about it. */
static bool pass_field(struct passed *l, const struct wire_field *f, uint64_t at)
{
	if (!line_form(f) || !line_knows(f))
		return false;
	struct place here = {at, f->size < MAX_TEXT_BYTES ? (size_t)f->size : MAX_TEXT_BYTES};
	line_number(&l->line, f);
	if (f->number == 2 && (l->name.at || l->display_name.at))
		return false; /* the strings of the trace are in the order of the file */
	if (f->number == 11 && l->display_name.at)
		return false;
	if (f->number == 2)
		l->name = here;
	if (f->number == 11)
		l->display_name = here;
	return true;
}

/* Passes over the whole fields among n bytes of the file from `at` on. Returns how many bytes they have; 0: not sound. */
static size_t pass_fields(struct passed *l, uint64_t at, const unsigned char *bytes, size_t n)
{
	struct wire w = {bytes, bytes + n};
	struct wire_field f;
	while ((w.p = line_pass_events(w.p, w.end, w.end)) < w.end) {
		enum wire_result r = wire_next(&w, &f);
		if (r == WIRE_SHORT)
			break;
		if (r == WIRE_BAD || !pass_field(l, &f, at + (uint64_t)(f.data - bytes)))
			return 0;
	}
	return (size_t)(w.p - bytes);
}

static void pass_line(struct run *r, struct passed *l, struct hold_view *view)
{
	const struct xspace *x = r->x;
	size_t most = x->stretch_bytes / AT_ONCE;
	uint64_t at = l->from;
	while (at < l->end && !progress_cancelled(x->progress)) {
		size_t want = l->end - at < most ? (size_t)(l->end - at) : most, have;
		const unsigned char *bytes = hold_view(&x->plane.hold, view, at, want, &have);
		size_t n = have == want ? pass_fields(l, at, bytes, have) : 0;
		if (!n)
			return;
		at += n;
		GROW_ARRAY(l->parts, l->n_parts, l->parts_cap);
		l->parts[l->n_parts++] = at;
	}
	l->sound = at == l->end;
}

static bool pass_lines(void *run)
{
	struct run *r = run;
	struct hold_view view = {0};
	for (size_t i; (i = atomic_fetch_add(&r->next, 1)) < r->n;)
		pass_line(r, &r->line[i], &view);
	hold_view_free(&view);
	return true;
}

/* ---- telling of them, in their order ------------------------------------------------------------------------------------ */

/* The source goes on there. */
static void go_to(struct xspace *x, uint64_t at)
{
	int64_t passed = (int64_t)at - source_at(x->src);
	source_go_on_at(x->src, (int64_t)at);
	if (x->progress)
		atomic_fetch_add_explicit(&x->progress->bytes_done, passed, memory_order_relaxed);
}

/* False: the bytes cannot be read any more. */
static bool take_name(struct xspace *x, const struct place *p, str_id *to)
{
	char *text = p->at ? malloc(p->n + 1) : NULL;
	bool ok = !p->at || (text && spill_read(source_file(x->src), text, p->n, (int64_t)p->at) == p->n);
	if (text && ok)
		*to = strings_add(x->strings, text, p->n);
	free(text);
	return ok;
}

static bool take_line(struct xspace *x, struct passed *l)
{
	if (!l->sound || !take_name(x, &l->name, &l->line.name) ||
	    !take_name(x, &l->display_name, &l->line.display_name))
		return false;
	l->line.hold_at = l->from;
	l->line.file_at = (int64_t)l->from;
	l->line.hold_n = l->end - l->from;
	for (size_t i = 0; i < l->n_parts; i++) {
		uint64_t from = i ? l->parts[i - 1] : l->from;
		line_add_part(x, from, (size_t)(l->parts[i] - from));
	}
	line_add(x, &l->line);
	return true;
}

static void take_lines(struct run *r)
{
	struct xspace *x = r->x;
	for (size_t i = 0; i < r->n && !x->ended && !xspace_cancelled(x); i++) {
		struct passed *l = &r->line[i];
		if (take_line(x, l))
			continue;
		go_to(x, l->from);
		line_read(x, (int64_t)l->end, false);
	}
	if (!x->ended)
		go_to(x, r->line[r->n - 1].end);
}

/* ---- the run ------------------------------------------------------------------------------------------------------------ */

static void run_free(struct run *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->line[i].parts);
	free(r->line);
}

bool lines_run(struct xspace *x, uint64_t size, int64_t end)
{
	struct run r = {.x = x};
	int64_t file_end = source_file_bytes(x->src);
	end = end < file_end ? end : file_end;
	if (source_threads(x->src) < 2 || !x->plane.hold.borrowed || size <= x->stretch_bytes ||
	    end < source_at(x->src) || size > xspace_left(x, end))
		return false;
	find_lines(&r, size, (uint64_t)end);
	bool worth = r.n > 1 && r.bytes >= WORTH * (uint64_t)x->stretch_bytes;
	if (worth) {
		both(2, pass_lines, pass_lines, &r);
		take_lines(&r);
	}
	run_free(&r);
	return worth;
}
