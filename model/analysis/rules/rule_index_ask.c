/* Asking an index. Kernels' names are long and much alike: instances of one template differ in a few letters. So of some texts that
 * were asked it is kept what had been read at places MARK_BYTES apart; of a text that begins and ends like one of these only what
 * lies between is read. */
#include "rule_index_private.h"
#include "model/store/base/word.h"
#include <string.h>

enum { MARK_BYTES = 16, MOST_KEPT_BYTES = 4096, KEPT_TEXTS = 64, HASHED_BYTES = 16 /* at both ends */ };
enum { PARTS = 4, LONGEST_WORD = UINT8_MAX /* as `letters` of a state can tell */ };

/* At one place in a text. */
struct mark {
	uint16_t state;
	uint64_t before[RULE_INDEX_CELLS], behind[RULE_INDEX_CELLS]; /* of which rules words end in these parts of it */
};

/* Mark i lies at n % MARK_BYTES + i * MARK_BYTES: of texts of different lengths, too, they are as far from the end. */
struct kept_text {
	char *text;
	size_t n;           /* 0: none is kept here */
	struct mark *marks; /* n / MARK_BYTES of them */
	size_t room;        /* bytes that `text` and `marks` suffice for */
	uint64_t may[RULE_INDEX_CELLS];
};

static void add(const struct rule_index *x, uint64_t *to, const uint64_t *more)
{
	for (uint32_t k = 0; k < x->cells; k++)
		to[k] |= more[k];
}

static bool stands_behind(const struct word_edge *e, const char *text, size_t n, size_t at)
{
	if (at == n)
		return e->end;
	return word_edge_allows(e, text[at]) || (e->newline && at + 1 == n && text[at] == '\n') ||
	       (e->end && at >= RULE_PATTERN_BYTES);
}

/* The word and what stands beside it are in the text before `end`. */
static bool stands(const struct exact *e, const char *text, size_t n, size_t end)
{
	size_t begin = end - e->n;
	return (!e->text || !memcmp(text + begin, e->text, e->n)) &&
	       (!e->before || (begin ? word_edge_allows(e->before, text[begin - 1]) : e->before->end)) &&
	       (!e->behind || stands_behind(e->behind, text, n, end));
}

/* After text[end - 1]: the words that were read there. */
static void hear(const struct rule_index *x, uint32_t state, const char *text, size_t n, size_t end, uint64_t *may)
{
	if (x->seen[state])
		add(x, may, x->rules[x->seen[state]]);
	for (uint32_t s = x->with_exact[state]; s; s = x->with_exact[x->fallback[s]])
		for (uint32_t i = x->first_exact[s]; i; i = x->exact[i].next) {
			const struct exact *e = &x->exact[i];
			if (!(may[e->rule / 64] >> e->rule % 64 & 1) && stands(e, text, n, end))
				rule_index_set(may, e->rule);
		}
}

/* The state after text[end - 1], from that before text[from]; n: of the whole text. */
static uint32_t read_on(const struct rule_index *x, uint32_t state, const char *text, size_t n, size_t from, size_t end,
			uint64_t *may)
{
	const uint16_t *next = x->next;
	const uint8_t *letter = x->letter;
	const uint32_t shift = x->shift;
	uint32_t to = state;
	for (size_t i = from; i < end; i++) {
		to = next[((to & STATE) << shift) + letter[(unsigned char)text[i]]];
		if (to & ADDS)
			hear(x, to & STATE, text, n, i + 1, may);
	}
	return to & STATE;
}

/* Of a long text several parts at once: what is read of a letter waits for the one before, and while it does others can be read. Each
 * part goes on into the next one as far as a word that it has begun may. */
static void read_long(const struct rule_index *x, const char *text, size_t n, uint64_t *may)
{
	const uint16_t *next = x->next;
	const uint32_t shift = x->shift;
	const size_t part = (n - LONGEST_WORD) / PARTS, bytes = part + LONGEST_WORD;
	uint32_t to[PARTS] = {ROOT};
	for (size_t i = 0; i < bytes; i++)
#pragma GCC unroll 4
		for (size_t k = 0; k < PARTS; k++) {
			size_t at = k * part + i;
			to[k] = next[((to[k] & STATE) << shift) + x->letter[(unsigned char)text[at]]];
			if (to[k] & ADDS)
				hear(x, to[k] & STATE, text, n, at + 1, may);
		}
	read_on(x, to[PARTS - 1] & STATE, text, n, (PARTS - 1) * part + bytes, n, may);
}

/* ---- texts that are alike ------------------------------------------------------------------------------------------- */

static size_t common_beginning(const char *a, const char *b, size_t n)
{
	size_t i = 0;
	while (i + 8 <= n && load_word((const unsigned char *)a + i) == load_word((const unsigned char *)b + i))
		i += 8;
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* Of the n bytes before both. */
static size_t common_end(const char *a, const char *b, size_t n)
{
	size_t i = 0;
	while (i + 8 <= n && load_word((const unsigned char *)a - i - 8) == load_word((const unsigned char *)b - i - 8))
		i += 8;
	while (i < n && a[-1 - (ptrdiff_t)i] == b[-1 - (ptrdiff_t)i])
		i++;
	return i;
}

/* The place where a text like this one may be kept. */
static struct kept_text *place_for(const struct rule_index *x, const char *text, size_t n)
{
	const unsigned char *begin = (const unsigned char *)text, *end = begin + n - HASHED_BYTES;
	uint64_t hash = 0;
	for (size_t i = 0; i < HASHED_BYTES; i += 8)
		hash = ((hash ^ load_word(begin + i)) * UINT64_C(0x9e3779b97f4a7c15) ^ load_word(end + i)) *
		       UINT64_C(0xd6e8feb86659fd93);
	return &x->kept[(hash >> 32) % KEPT_TEXTS];
}

static void make_room(const struct rule_index *x, struct kept_text *k, size_t n)
{
	if (n <= k->room)
		return;
	k->room = 2 * n < MOST_KEPT_BYTES ? 2 * n : MOST_KEPT_BYTES;
	k->text = arena_alloc(x->mem, k->room);
	k->marks = arena_alloc(x->mem, k->room / MARK_BYTES * sizeof *k->marks);
}

/* Reads all of the text and keeps it in place of the one before. */
static void read_and_keep(const struct rule_index *x, struct kept_text *k, const char *text, size_t n)
{
	size_t at = n % MARK_BYTES, marks = n / MARK_BYTES;
	uint64_t heard[RULE_INDEX_CELLS] = {0};
	make_room(x, k, n);
	memcpy(k->text, text, n);
	k->n = n;
	uint32_t state = read_on(x, ROOT, text, n, 0, at, heard);
	for (size_t i = 0; i < marks; i++, at += MARK_BYTES) {
		struct mark *m = &k->marks[i];
		*m = (struct mark){.state = (uint16_t)state};
		add(x, m->before, heard);
		state = read_on(x, state, text, n, at, at + MARK_BYTES, m->behind);
		add(x, heard, m->behind);
	}
	for (size_t i = marks; i-- > 1;)
		add(x, k->marks[i - 1].behind, k->marks[i].behind);
	memcpy(k->may, heard, sizeof heard);
}

/* The last mark before the end of the first bytes, as what stands behind a word belongs to it; marks: there is none. */
static size_t last_mark_in(const struct kept_text *k, size_t bytes)
{
	size_t first = k->n % MARK_BYTES, marks = k->n / MARK_BYTES, i;
	if (bytes <= first)
		return marks;
	i = (bytes - first - 1) / MARK_BYTES;
	return i < marks ? i : marks - 1;
}

/* Of a text that begins and ends with so many bytes of the kept one. Where it is in the state that the other was in, and no word that
 * it has begun to read, nor what stands before it, goes back to where they differ, the rest says the same. */
static void read_between(const struct rule_index *x, const struct kept_text *k, const char *text, size_t n,
			 size_t begin, size_t end, uint64_t *may)
{
	size_t marks = k->n / MARK_BYTES, from = last_mark_in(k, begin), at = 0, i = marks - end / MARK_BYTES;
	uint32_t state = ROOT;
	if (from < marks) {
		at = k->n % MARK_BYTES + from * MARK_BYTES;
		state = k->marks[from].state;
		add(x, may, k->marks[from].before);
	}
	for (; i < marks; i++) {
		const struct mark *m = &k->marks[i];
		size_t left = (marks - i) * MARK_BYTES;
		if (n - left < at)
			continue;
		state = read_on(x, state, text, n, at, n - left, may);
		at = n - left;
		if (state == m->state && x->letters[state] + left < end) {
			add(x, may, m->behind);
			return;
		}
	}
	read_on(x, state, text, n, at, n, may);
}

static void ask_alike(struct rule_index *x, const char *text, size_t n, uint64_t *may)
{
	if (!x->kept)
		x->kept = arena_alloc(x->mem, KEPT_TEXTS * sizeof *x->kept);
	struct kept_text *k = place_for(x, text, n);
	size_t shared = k->n < n ? k->n : n, begin = shared ? common_beginning(k->text, text, shared) : 0;
	bool same = begin == n && k->n == n;
	size_t end = shared && !same ? common_end(k->text + k->n, text + n, shared) : begin;
	bool alike = same || begin + end > n / 2;
	if (!alike)
		read_and_keep(x, k, text, n);
	if (!alike || same)
		add(x, may, k->may);
	else
		read_between(x, k, text, n, begin, end, may);
}

void rule_index_ask(struct rule_index *x, const char *text, size_t n, uint64_t may[RULE_INDEX_CELLS])
{
	if (!x->made)
		rule_index_make(x);
	memcpy(may, x->always, sizeof x->always);
	if (!x->next)
		return;
	if (n > MOST_KEPT_BYTES)
		read_long(x, text, n, may);
	else if (n < MARK_BYTES)
		read_on(x, ROOT, text, n, 0, n, may);
	else
		ask_alike(x, text, n, may);
}
