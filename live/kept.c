#include "kept.h"
#include "model/store/files/spill.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void kept_init(struct kept *k, uint64_t keep_bytes, int64_t keep_ns)
{
	*k = (struct kept){.keep_bytes = keep_bytes, .keep_ns = keep_ns, .spill_fd = -1};
}

bool kept_spill(struct kept *k)
{
	k->spill_fd = spill_open();
	return k->spill_fd >= 0;
}

static void unref(struct segment *s)
{
	if (atomic_fetch_sub(&s->refs, 1) != 1)
		return;
	free(s->bytes);
	free(s);
}

void segments_free(struct segment **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		unref(s[i]);
	free(s);
}

void kept_free(struct kept *k)
{
	for (size_t i = 0; i < k->n; i++)
		unref(k->sealed[i]);
	for (uint32_t i = 0; i < k->n_open; i++)
		if (k->open[i])
			unref(k->open[i]);
	free(k->sealed);
	free(k->open);
	if (k->spill_fd >= 0)
		close(k->spill_fd);
}

/* ---- sealing ------------------------------------------------------------------------------------------------------ */

/* A full disk leaves the segment in memory: nothing is lost for it. */
static void spill(struct kept *k, struct segment *s)
{
	if (k->spill_fd < 0 || !spill_write(k->spill_fd, s->bytes, s->used, k->spilled))
		return;
	s->fd = k->spill_fd;
	s->spilled_at = k->spilled;
	k->spilled += s->used;
	free(s->bytes);
	s->bytes = NULL;
}

static void let_go(struct kept *k, size_t i)
{
	struct segment *s = k->sealed[i];
	k->bytes -= s->used;
	k->records -= s->records;
	k->evicted += s->records;
	k->evicted_to_ns = s->last_ns > k->evicted_to_ns ? s->last_ns : k->evicted_to_ns;
	unref(s);
	memmove(k->sealed + i, k->sealed + i + 1, (--k->n - i) * sizeof *k->sealed);
}

static bool is_old(const struct kept *k, const struct segment *s)
{
	return k->keep_ns && s->last_ns && s->last_ns < k->last_ns && k->last_ns - s->last_ns > k->keep_ns;
}

static void bound(struct kept *k)
{
	while (k->n > 0 && ((k->keep_bytes && k->bytes > k->keep_bytes) || is_old(k, k->sealed[0])))
		let_go(k, 0);
}

static void seal(struct kept *k, uint32_t target)
{
	struct segment *s = target < k->n_open ? k->open[target] : NULL;
	if (!s)
		return;
	if (!TRY_GROW_ARRAY(k->sealed, k->n, k->cap)) {
		k->refused += s->records;
		k->records -= s->records;
		k->bytes -= s->used;
		unref(s);
		k->open[target] = NULL;
		return;
	}
	unsigned char *tight = realloc(s->bytes, s->used);
	if (tight)
		s->bytes = tight;
	k->sealed[k->n++] = s;
	k->open[target] = NULL;
	spill(k, s);
	bound(k);
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

static bool begin(struct kept *k, uint32_t target)
{
	uint32_t had = k->n_open;
	if (!TRY_GROW_ARRAY(k->open, target, k->n_open))
		return false;
	while (had < k->n_open)
		k->open[had++] = NULL;
	struct segment *s = calloc(1, sizeof *s);
	unsigned char *bytes = malloc(SEGMENT_BYTES);
	if (!s || !bytes) {
		free(s);
		free(bytes);
		return false;
	}
	*s = (struct segment){.target = target, .bytes = bytes, .fd = -1};
	atomic_store(&s->refs, 1);
	k->open[target] = s;
	return true;
}

void kept_add(struct kept *k, uint32_t target, const struct wire_frame *f, int64_t end_ns)
{
	struct segment *s = target < k->n_open ? k->open[target] : NULL;
	if (s && SEGMENT_BYTES - s->used < f->bytes) {
		seal(k, target);
		s = NULL;
	}
	if (!s && !begin(k, target)) {
		k->refused += f->type >= WIRE_RECORD;
		return;
	}
	s = k->open[target];
	memcpy(s->bytes + s->used, f, f->bytes);
	s->used += f->bytes;
	k->bytes += f->bytes;
	if (f->type >= WIRE_RECORD) {
		s->records++;
		k->records++;
	}
	s->last_ns = end_ns > s->last_ns ? end_ns : s->last_ns;
	k->last_ns = end_ns > k->last_ns ? end_ns : k->last_ns;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

struct segment **kept_all(struct kept *k, size_t *n)
{
	for (uint32_t i = 0; i < k->n_open; i++)
		seal(k, i);
	bound(k);
	struct segment **all = calloc(k->n + 1, sizeof(struct segment *));
	*n = all ? k->n : 0;
	for (size_t i = 0; i < *n; i++) {
		all[i] = k->sealed[i];
		atomic_fetch_add(&all[i]->refs, 1);
	}
	return all;
}

static void walk(const struct segment *s, const unsigned char *bytes, bool (*frame)(void *, const struct wire_frame *),
		 void *ctx)
{
	for (uint32_t at = 0; at < s->used;) {
		const struct wire_frame *f = (const struct wire_frame *)(const void *)(bytes + at);
		if (!frame(ctx, f))
			return;
		at += f->bytes;
	}
}

bool segment_each(const struct segment *s, bool (*frame)(void *ctx, const struct wire_frame *f), void *ctx)
{
	if (s->bytes) {
		walk(s, s->bytes, frame, ctx);
		return true;
	}
	unsigned char *bytes = malloc(s->used);
	bool ok = bytes && spill_read(s->fd, bytes, s->used, s->spilled_at) == s->used;
	if (ok)
		walk(s, bytes, frame, ctx);
	free(bytes);
	return ok;
}
