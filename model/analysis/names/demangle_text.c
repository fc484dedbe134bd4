/* What is written of a name: texts, lists of them, and the room for both. */
#include "demangle_private.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 17, MORE_BYTES = 1 << 13 };

void dm_open(struct mangled *m, struct arena *mem, const char *name, struct dm_room *room)
{
	*m = (struct mangled){.at = name + 2, .mem = mem, .pack_item = NO_ITEM, .budget = MOST_BYTES};
	m->text = room->text;
	m->text_end = room->text + sizeof room->text;
	room->more = (struct arena){0};
	m->more = &room->more;
	m->piece = room->pieces;
	m->piece_end = room->pieces + sizeof room->pieces / sizeof *room->pieces;
}

void dm_close(struct mangled *m)
{
	free(m->more_text);
	arena_free(m->more);
}

struct piece dm_fail(struct mangled *m)
{
	m->failed = true;
	return (struct piece){0};
}

static bool may_write(struct mangled *m, size_t bytes)
{
	if (bytes > m->budget)
		m->failed = true;
	else
		m->budget -= bytes;
	return !m->failed;
}

/* Most long names need one more room, which is not cleared. */
static void next_room(struct mangled *m, size_t bytes)
{
	size_t n = bytes > MORE_BYTES ? 2 * bytes : MORE_BYTES;
	m->text = m->more_text ? arena_alloc(m->more, n) : (m->more_text = must(malloc(n)));
	m->text_end = m->text + n;
}

/* NULL: that is too much. */
static char *room_for(struct mangled *m, size_t bytes)
{
	if (!may_write(m, bytes))
		return NULL;
	if (bytes > (size_t)(m->text_end - m->text))
		next_room(m, bytes);
	char *to = m->text;
	m->text += bytes;
	return to;
}

/* Adds to what was written last where the first text is that, as the names of nested scopes are. */
struct span dm_join(struct mangled *m, const struct span *texts, size_t n)
{
	struct span first = {0};
	size_t bytes = 0, i = 0;
	while (i < n && !first.n)
		first = texts[i++];
	for (size_t k = i; k < n; k++)
		bytes += texts[k].n;
	if (!bytes || m->failed)
		return first;
	bool goes_on = first.p + first.n == m->text && bytes <= (size_t)(m->text_end - m->text);
	char *to = room_for(m, goes_on ? bytes : first.n + bytes);
	if (!to)
		return first;
	struct span out = {goes_on ? first.p : to, first.n + bytes};
	if (!goes_on)
		to = (char *)memcpy(to, first.p, first.n) + first.n;
	for (; i < n; to += texts[i++].n)
		if (texts[i].n)
			memcpy(to, texts[i].p, texts[i].n);
	return out;
}

struct span dm_whole(struct mangled *m, struct piece x)
{
	return x.right.n ? DM_JOIN(m, x.left, x.right) : x.left;
}

/* NULL: that is too much. */
static struct piece *pieces_for(struct mangled *m, uint32_t n)
{
	if (n > DM_MOST_PIECES || !may_write(m, n * sizeof(struct piece)))
		return NULL;
	if (n > (size_t)(m->piece_end - m->piece))
		return arena_alloc(m->more, n * sizeof(struct piece));
	struct piece *at = m->piece;
	m->piece += n;
	return at;
}

/* Not arena_next_row: what a hostile name may take is limited, in pieces and in bytes. */
void dm_add(struct mangled *m, struct pieces *v, struct piece x)
{
	if (v->n == v->cap) {
		uint32_t cap = v->cap ? v->cap * 2 : 8;
		struct piece *at = pieces_for(m, cap);
		if (!at) {
			m->failed = true;
			return;
		}
		if (v->n)
			memcpy(at, v->at, v->n * sizeof *at);
		v->at = at;
		v->cap = cap;
	}
	v->at[v->n++] = x;
}

struct span dm_list(struct mangled *m, const struct pieces *v)
{
	struct span text = {0};
	for (uint32_t i = 0; i < v->n; i++) {
		struct span one = dm_whole(m, v->at[i]);
		if (!(v->at[i].is_pack && !one.n))
			text = DM_JOIN(m, text, text.n ? DM_TEXT(", ") : DM_TEXT(""), one);
	}
	return text;
}

struct span dm_count(struct mangled *m, uint32_t n)
{
	char digits[12], *at = digits + sizeof digits;
	do
		*--at = (char)('0' + n % 10);
	while (n /= 10);
	size_t length = (size_t)(digits + sizeof digits - at);
	char *to = room_for(m, length);
	return to ? (struct span){memcpy(to, at, length), length} : DM_TEXT("");
}
