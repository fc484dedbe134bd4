#include "private_words.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "tui/text/words.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	CUT_LEAST = 8,
	CUT_MOST = 512
}; /* bytes of a cut name that tell which one it is; names are shown shorter than that */

struct word {
	const char *name, *kind;
	uint32_t n;
	uint32_t order;  /* in which it was added */
	uint32_t within; /* the longest other one that it begins with, + 1; 0 = none */
};
struct private_words {
	struct word *at; /* in the order of their bytes once sealed */
	uint32_t n, cap;
};

struct private_words *private_words_new(void)
{
	return must(calloc(1, sizeof(struct private_words)));
}

void private_words_free(struct private_words *w)
{
	if (!w)
		return;
	free(w->at);
	free(w);
}

void private_words_add(struct private_words *w, const char *name, const char *kind)
{
	GROW_ARRAY(w->at, w->n, w->cap);
	w->at[w->n] = (struct word){name, kind, (uint32_t)strlen(name), w->n, 0};
	w->n++;
}

static int by_bytes(const void *x, const void *y)
{
	const struct word *a = x, *b = y;
	int order = strcmp(a->name, b->name);
	return order ? order : a->order < b->order ? -1 : 1;
}

static bool begins(const char *text, const struct word *with)
{
	return strncmp(text, with->name, with->n) == 0;
}

void private_words_seal(struct private_words *w)
{
	uint32_t kept = 0;
	if (w->n)
		qsort(w->at, w->n, sizeof *w->at, by_bytes);
	for (uint32_t i = 0; i < w->n; i++) {
		if (kept && !strcmp(w->at[kept - 1].name, w->at[i].name))
			continue;
		uint32_t within = kept;
		while (within && !begins(w->at[i].name, &w->at[within - 1]))
			within = w->at[within - 1].within;
		w->at[kept] = w->at[i];
		w->at[kept++].within = within;
	}
	w->n = kept;
}

/* How many names come before the text, or are the text. */
static uint32_t up_to(const struct private_words *w, const char *text)
{
	uint32_t low = 0, high = w->n;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (strcmp(w->at[mid].name, text) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const char *private_words_kind(const struct private_words *w, const char *name)
{
	uint32_t i = up_to(w, name);
	return i && !strcmp(w->at[i - 1].name, name) ? w->at[i - 1].kind : NULL;
}

/* ---- in a text ------------------------------------------------------------------------------------------------------- */

static bool is_inside(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Nothing of a longer word stands after it. */
static bool ends_there(const char *at, size_t n)
{
	return !is_inside(at[n - 1]) || !is_inside(at[n]);
}

/* The longest name that stands at `at`. */
static const struct word *whole_name(const struct private_words *w, const char *at)
{
	for (uint32_t i = up_to(w, at); i; i = w->at[i - 1].within) {
		const struct word *x = &w->at[i - 1];
		if (x->n && begins(at, x) && ends_there(at, x->n))
			return x;
	}
	return NULL;
}

/* Bytes of the end of a name that stand at `at`. */
static size_t tail_length(const char *at, const struct word *x, size_t most)
{
	size_t n = strnlen(at, most);
	while (n && (strncmp(x->name + x->n - n, at, n) != 0 || !ends_there(at, n)))
		n--;
	return n;
}

/* A name of which "..." stands for the rest or the middle; *n: how long it is in the text. */
static const struct word *cut_name(const struct private_words *w, const char *at, size_t *n)
{
	char begin[CUT_MOST + 1];
	const char *dots = memmem(at, strnlen(at, CUT_MOST + 3), "...", 3);
	size_t head = dots ? (size_t)(dots - at) : 0;
	if (head < CUT_LEAST || head > CUT_MOST)
		return NULL;
	memcpy(begin, at, head);
	begin[head] = 0;
	uint32_t i = up_to(w, begin);
	if (i == w->n || strncmp(w->at[i].name, begin, head) != 0)
		return NULL;
	*n = head + 3;
	*n += tail_length(dots + 3, &w->at[i], w->at[i].n - head);
	return &w->at[i];
}

static const struct word *name_at(const struct private_words *w, const char *text, const char *at, size_t *n)
{
	if (at > text && is_inside(at[-1]) && is_inside(*at))
		return NULL;
	const struct word *x = whole_name(w, at);
	if (!x)
		return cut_name(w, at, n);
	*n = x->n;
	return x;
}

struct hit {
	size_t at, n; /* bytes of the text */
	const char *hash;
};

/* Where names stand. */
static struct hit *find_hits(const struct private_words *w, const char *text, uint32_t *n_hits, struct arena *mem)
{
	struct hit *hits = NULL;
	for (const char *at = text; *at;) {
		size_t n = 1;
		const struct word *x = name_at(w, text, at, &n);
		if (x) {
			hits = arena_next_row(mem, hits, *n_hits, sizeof *hits);
			hits[(*n_hits)++] = (struct hit){(size_t)(at - text), n, words_hash(mem, x->kind, x->name)};
		}
		at += n;
	}
	return hits;
}

const char *private_words_hide(const struct private_words *w, const char *text, struct arena *mem)
{
	uint32_t n_hits = 0;
	const struct hit *hits = find_hits(w, text, &n_hits, mem);
	size_t length = strlen(text), from = 0;
	for (uint32_t i = 0; i < n_hits; i++)
		length += strlen(hits[i].hash);
	char *out = n_hits ? arena_alloc(mem, length + 1) : NULL, *to = out;
	for (uint32_t i = 0; i < n_hits; from = hits[i].at + hits[i].n, i++)
		to = stpcpy(mempcpy(to, text + from, hits[i].at - from), hits[i].hash);
	if (!out)
		return text;
	strcpy(to, text + from);
	return out;
}
