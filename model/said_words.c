#include "said_words.h"
#include <stddef.h>

static const char *const tc[] = {
#define WORD(id, word) word,
	TC_WORDS(WORD)};
static const char *const precisions[] = {PRECISIONS(WORD)};
static const char *const phases[] = {WORK_PHASES_LIST(WORD)
#undef WORD
};
static const char *const families[] = {
#define FAMILY(id, word, help) word,
	KERNEL_FAMILIES(FAMILY)
#undef FAMILY
};
#define LIST(words)                                 \
	{                                           \
		words, sizeof words / sizeof *words \
	}
static const struct {
	const char *const *words;
	uint32_t n;
} lists[SAID_LISTS] = {
	[SAID_TC] = LIST(tc),
	[SAID_PRECISION] = LIST(precisions),
	[SAID_FAMILY] = LIST(families),
	[SAID_PHASE] = LIST(phases),
};

const char *said_word(enum said_list list, uint32_t number)
{
	return number < lists[list].n ? lists[list].words[number] : NULL;
}
