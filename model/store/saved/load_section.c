/* model/store/saved/load_section.c - one section of a saved file: found, read, checked, unpacked. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool read_at(int fd, void *to, uint64_t n, uint64_t at)
{
	for (char *p = to; n > 0;) {
		ssize_t got = pread(fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		at += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return true;
}

bool damaged(struct lane *l, uint64_t at, const char *what)
{
	return err_set(&l->e, l->r->path, (int64_t)at, "damaged stepscope file: %s", what);
}

bool out_of_memory(struct lane *l)
{
	l->no_memory = true;
	return err_memory(&l->e, l->r->path);
}

const struct save_section *find_section(const struct reader *r, const char *name)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (strncmp(r->table[i].name, name, sizeof r->table[i].name) == 0)
			return &r->table[i];
	return NULL;
}

bool section_inside(const struct reader *r, const struct save_section *s)
{
	return s->offset <= r->size && s->stored <= r->size - s->offset;
}

void load_reader_free(struct reader *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->kept && i < r->n; i++)
		free(r->kept[i]);
	free(r->kept);
	free(r->table);
	free(r);
}

static bool read_checked(const struct reader *r, const struct save_section *s, void *to)
{
	return read_at(r->fd, to, s->stored, s->offset) && codec_hash(to, s->stored, 0) == s->hash;
}

/* The section's stored bytes, checked, until the lane reads another one; NULL with a reason in l->e. */
static const unsigned char *stored_bytes(struct lane *l, const struct save_section *s)
{
	const unsigned char *kept = l->r->kept[s - l->r->table];
	if (kept)
		return kept;
	l->packed.size = 1;
	/* place and length come from the file: inside of it before memory is taken for them */
	if (section_inside(l->r, s) && !column_grow(&l->packed, s->stored + 1)) {
		out_of_memory(l);
		return NULL;
	}
	if (section_inside(l->r, s) && read_checked(l->r, s, l->packed.p))
		return l->packed.p;
	damaged(l, s->offset, s->name);
	return NULL;
}

static void *unpack(struct lane *l, const struct save_section *s, const uint8_t *kinds)
{
	const unsigned char *packed = stored_bytes(l, s);
	void *values =
		packed ? large_alloc((s->count + 1) * s->size) : NULL; /* bounded: codec_fits, save_least_bytes */
	if (!packed)
		return NULL;
	if (!values) {
		out_of_memory(l);
		return NULL;
	}
	if (codec_unpack(l->scratch, (enum codec)s->codec, packed, s->stored, values, s->count, s->size, kinds))
		return values;
	free(values);
	damaged(l, s->offset, s->name);
	return NULL;
}

/* The section, when it can be what this version expects. */
static const struct save_section *expect(struct lane *l, const char *name, size_t size)
{
	const struct save_section *s = find_section(l->r, name);
	if (s && s->size == size && s->codec < CODECS && codec_fits((enum codec)s->codec, s->stored, s->count, size))
		return s;
	damaged(l, s ? s->offset : 0, name);
	return NULL;
}

void *take(struct lane *l, const char *name, size_t size, uint64_t *n)
{
	const struct save_section *s = expect(l, name, size);
	void *values = s ? unpack(l, s, NULL) : NULL;
	*n = values ? s->count : 0;
	return values;
}

void *take_rows(struct lane *l, const char *name, size_t size, const uint8_t *kinds, uint64_t n_kinds)
{
	const struct save_section *s = expect(l, name, size);
	if (s && s->count == n_kinds)
		return unpack(l, s, kinds);
	if (s)
		damaged(l, s->offset, name);
	return NULL;
}

bool section_bytes_open(struct section_bytes *in, struct lane *l, const char *name)
{
	const struct save_section *s = expect(l, name, 1);
	*in = (struct section_bytes){.l = l, .section = s, .room.size = 1};
	if (!s)
		return false;
	if (s->codec != CODEC_ZSTD)
		return damaged(l, s->offset, name);
	in->packed = (struct codec_rest){stored_bytes(l, s), s->stored};
	in->left = s->count;
	return in->packed.p != NULL;
}

/* What was not handed out yet stays, at the front. */
static bool next_piece(struct section_bytes *in)
{
	size_t piece = in->left < CODEC_PIECE ? (size_t)in->left : CODEC_PIECE, kept = in->room.n - in->at;
	size_t room = in->room.cap;
	if (!column_grow(&in->room, kept + piece))
		return out_of_memory(in->l);
	if (in->room.cap > room)
		pages_take(in->room.p, kept + piece);
	if (in->at)
		memmove(in->room.p, (char *)in->room.p + in->at, kept);
	if (!codec_unpack_piece(in->l->scratch, &in->packed, (char *)in->room.p + kept, piece))
		return damaged(in->l, in->section->offset, in->section->name);
	in->at = 0;
	in->room.n = kept + piece;
	in->left -= piece;
	return true;
}

const char *section_bytes_next(struct section_bytes *in, size_t n)
{
	if (n > in->left + (in->room.n - in->at))
		in->failed = !damaged(in->l, in->section->offset, in->section->name);
	while (!in->failed && in->room.n - in->at < n)
		in->failed = !next_piece(in);
	if (in->failed)
		return NULL;
	const char *p = in->room.p ? (char *)in->room.p + in->at : "";
	in->at += n;
	return p;
}

bool section_bytes_close(struct section_bytes *in)
{
	bool all = in->left == 0 && in->packed.n == 0 && in->at == in->room.n;
	column_free(&in->room);
	return all;
}

bool keep_section(struct lane *l, const char *name, size_t size, uint64_t count)
{
	const struct save_section *s = expect(l, name, size);
	if (!s)
		return false;
	if ((count != UINT64_MAX && s->count != count) || !section_inside(l->r, s))
		return damaged(l, s->offset, name);
	unsigned char *bytes = malloc(s->stored + 1);
	if (!bytes)
		return out_of_memory(l);
	l->r->kept[s - l->r->table] = bytes;
	/* checked now, so that only a file made wrong on purpose can fail when it is unpacked */
	return read_checked(l->r, s, bytes) ? true : damaged(l, s->offset, name);
}
