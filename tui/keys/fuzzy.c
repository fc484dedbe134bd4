#include "fuzzy.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LETTER = 4, IN_A_ROW = 8, WORD_BEGINS = 10, TEXT_BEGINS = 6, WHOLE_PIECE = 20, MOST_LENGTH = 40, FARTHEST = 5 };

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool begins_word(const char *text, const char *at)
{
	return at == text || !isalnum((unsigned char)at[-1]);
}

/* The letters in one piece, at the beginning of a word where there is one. */
static const char *piece(const char *word, size_t n, const char *text)
{
	const char *found = NULL;
	for (const char *p = text; *p; p++) {
		if (strncasecmp(p, word, n) != 0)
			continue;
		if (begins_word(text, p))
			return p;
		found = found ? found : p;
	}
	return found;
}

static int scattered(const char *word, size_t n, const char *text)
{
	int score = 0;
	size_t good = 0; /* letters that begin a word or go on from the one before */
	const char *first = NULL, *last = NULL, *p = text;
	for (size_t i = 0; i < n; i++, p++) {
		while (*p && !same(*p, word[i]))
			p++;
		if (!*p)
			return -1;
		good += (last && p == last + 1) || begins_word(text, p);
		score += LETTER + (last && p == last + 1 ? IN_A_ROW : 0) + (begins_word(text, p) ? WORD_BEGINS : 0);
		last = p;
		first = first ? first : p;
	}
	/* letters from all over a long name stand for nothing */
	bool far = first && (size_t)(last - first) > FARTHEST * n;
	return far || good * 4 < n * 3 ? -1 : score;
}

static int score_word(const char *word, size_t n, const char *text)
{
	const char *at = piece(word, n, text);
	if (!at)
		return scattered(word, n, text);
	return (int)n * (LETTER + IN_A_ROW) + WHOLE_PIECE + (begins_word(text, at) ? WORD_BEGINS : 0) +
	       (at == text ? TEXT_BEGINS : 0);
}

int fuzzy_score(const char *typed, const char *text)
{
	int sum = 0;
	size_t length = strlen(text);
	for (const char *p = typed + strspn(typed, " "); *p;) {
		size_t n = strcspn(p, " ");
		int score = score_word(p, n, text);
		if (score < 0)
			return -1;
		sum += score;
		p += n;
		p += strspn(p, " ");
	}
	return sum * 4 + (length < MOST_LENGTH ? MOST_LENGTH - (int)length : 0);
}
