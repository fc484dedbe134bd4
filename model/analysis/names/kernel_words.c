#include "kernel_words.h"
#include <string.h>

#define KERNEL_WORDS_TEXTS(id, find, help, ...) static const char *const words_##id[] = {__VA_ARGS__};
KERNEL_WORDS(KERNEL_WORDS_TEXTS)
#undef KERNEL_WORDS_TEXTS

static const struct {
	const char *const *words;
	size_t n;
	char *(*find)(const char *text, const char *word);
} lists[KERNEL_WORD_LISTS] = {
#define KERNEL_WORDS_LIST(id, find, help, ...) {words_##id, sizeof words_##id / sizeof *words_##id, find},
	KERNEL_WORDS(KERNEL_WORDS_LIST)
#undef KERNEL_WORDS_LIST
};

const char *const *kernel_words(enum kernel_words list, size_t *n)
{
	*n = lists[list].n;
	return lists[list].words;
}

bool kernel_words_any_case(enum kernel_words list)
{
	return lists[list].find == strcasestr;
}

bool kernel_words_in(enum kernel_words list, const char *name)
{
	for (size_t i = 0; i < lists[list].n; i++)
		if (lists[list].find(name, lists[list].words[i]))
			return true;
	return false;
}
