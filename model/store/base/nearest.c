#include "nearest.h"
#include <stddef.h>
#include <string.h>

/* Letters that must change to turn one word into the other: for "did you mean". */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[32];
	size_t nb = strlen(b);
	if (nb >= sizeof row / sizeof *row)
		return 99;
	for (unsigned j = 0; j <= nb; j++)
		row[j] = j;
	for (unsigned i = 1; *a; a++, i++) {
		unsigned corner = row[0];
		row[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			unsigned up = row[j], swap = corner + (*a != b[j - 1]);
			unsigned step = (up < row[j - 1] ? up : row[j - 1]) + 1;
			row[j] = swap < step ? swap : step;
			corner = up;
		}
	}
	return row[nb];
}

const char *nearest_word(const char *word, const char *const *words, unsigned n)
{
	const char *best = NULL;
	unsigned best_distance = 3;
	for (unsigned i = 0; i < n; i++) {
		unsigned far = words[i] && *words[i] ? distance(word, words[i]) : best_distance;
		if (far < best_distance && far * 2 <= strlen(word)) {
			best_distance = far;
			best = words[i];
		}
	}
	return best;
}
