#include "fit_names.h"
#include "short_names.h"
#include "utf8.h"
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 4, WORD_MOST = 12 };

/* Names that are cut to one and the same text. */
struct alike {
	const char *const *names;
	const char **out;
	size_t *member, n;
	int cols;
	struct arena *mem;
};

static bool inside_char(const char *s)
{
	return ((unsigned char)*s & 0xC0) == 0x80;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* ---- what they have in common ------------------------------------------------------------------------------------- */

static size_t common_begin(const char *const *texts, size_t n)
{
	size_t same = strlen(texts[0]);
	for (size_t i = 1; i < n; i++) {
		size_t k = 0;
		while (k < same && texts[0][k] == texts[i][k])
			k++;
		same = k;
	}
	while (same && inside_char(texts[0] + same))
		same--;
	return same;
}

/* After the first `begin` bytes of each. */
static size_t common_end(const char *const *texts, size_t n, size_t begin)
{
	const char *end = texts[0] + strlen(texts[0]);
	size_t same = strlen(texts[0]) - begin;
	for (size_t i = 1; i < n; i++) {
		size_t room = strlen(texts[i]) - begin, k = 0;
		const char *other = texts[i] + begin + room;
		while (k < same && k < room && *(end - 1 - k) == *(other - 1 - k))
			k++;
		same = k;
	}
	while (same && inside_char(end - same))
		same--;
	return same;
}

/* ---- cutting ------------------------------------------------------------------------------------------------------ */

/* "64" of "128x64_nn" is read as a whole word: "128x64". */
static void widen(const char *text, size_t *a, size_t *b)
{
	size_t from = *a, to = *b, n = strlen(text);
	while (from && is_word(text[from - 1]))
		from--;
	while (to < n && is_word(text[to]))
		to++;
	if (*a - from <= WORD_MOST)
		*a = from;
	if (to - *b <= WORD_MOST)
		*b = to;
}

static const char *part(struct arena *mem, const char *text, size_t n, int cols)
{
	char buf[NAMES_BUF];
	return cols <= 0 ? "" : arena_strdup(mem, utf8_cut(arena_strndup(mem, text, n), cols, buf, sizeof buf));
}

/* Begin and end of the text share the room that [a, b) leaves; the shorter one takes what it needs. */
static const char *keep_middle(struct arena *mem, const char *text, size_t a, size_t b, int cols)
{
	size_t tail = strlen(text + b);
	int head_cols = utf8_width(arena_strndup(mem, text, a)), tail_cols = utf8_width(text + b);
	int middle = utf8_width(arena_strndup(mem, text + a, b - a)), least = cols / 4;
	int rest = cols - middle > least ? cols - middle : least, half = (rest + 1) / 2;
	int head = head_cols <= half ? head_cols : tail_cols <= rest - half ? rest - tail_cols : half;
	head = head < head_cols ? head : head_cols;
	middle = middle < cols - head ? middle : cols - head;
	return arena_printf(mem, "%s%s%s", part(mem, text, a, head), part(mem, text + a, b - a, middle),
			    part(mem, text + b, tail, cols - head - middle));
}

static bool differ(const char *const *texts, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(texts[0], texts[i]) != 0)
			return true;
	return false;
}

/* Reduced names are read most easily; what tells the names apart may be what went. */
static void readable(const struct alike *x, const char **texts)
{
	char buf[NAMES_BUF];
	for (size_t i = 0; i < x->n; i++)
		texts[i] = arena_strdup(x->mem, name_reduce(x->names[x->member[i]], x->cols, buf));
	for (size_t i = 0; i < x->n && !differ(texts, x->n); i++)
		texts[i] = x->names[x->member[i]];
}

static void tell_apart(const struct alike *x)
{
	const char **texts = arena_alloc(x->mem, x->n * sizeof *texts);
	readable(x, texts);
	size_t begin = common_begin(texts, x->n), end = common_end(texts, x->n, begin);
	for (size_t i = 0; i < x->n; i++) {
		size_t a = begin, b = strlen(texts[i]) - end;
		widen(texts[i], &a, &b);
		x->out[x->member[i]] =
			utf8_width(texts[i]) <= x->cols ? texts[i] : keep_middle(x->mem, texts[i], a, b, x->cols);
	}
}

/* All whose text is that of name `i`, from `i` on; true where two of them are different names. */
static bool find_alike(struct alike *x, size_t i, size_t n)
{
	bool several = false;
	x->n = 0;
	for (size_t k = i; k < n; k++) {
		if (strcmp(x->out[k], x->out[i]) != 0)
			continue;
		x->member[x->n++] = k;
		several = several || strcmp(x->names[k], x->names[i]) != 0;
	}
	return several;
}

void names_fit(const char *const *names, size_t n, int cols, const char **out, struct arena *mem)
{
	char buf[NAMES_BUF];
	struct alike x = {.names = names, .out = out, .cols = cols, .mem = mem};
	x.member = arena_alloc(mem, (n + 1) * sizeof *x.member);
	for (size_t i = 0; i < n; i++) {
		const char *text = name_fit(names[i], cols, buf);
		out[i] = text == buf ? arena_strdup(mem, text) : text;
	}
	/* cut anew, some of them may still be alike: those have more in common */
	bool again = true;
	for (int round = 0; again && round < ROUNDS; round++) {
		again = false;
		for (size_t i = 0; i < n; i++)
			if (find_alike(&x, i, n)) {
				tell_apart(&x);
				again = true;
			}
	}
}
