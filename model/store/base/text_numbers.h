/* model/store/base/text_numbers.h - a number for some texts, 0 for all others; room up to the last one that has a number (grow.h).
 * Life: zero-initialise -> text_number_set, text_number_of -> text_numbers_free. */
#ifndef STEPSCOPE_TEXT_NUMBERS_H
#define STEPSCOPE_TEXT_NUMBERS_H
#include "grow.h"
#include "strings.h"

struct text_numbers {
	uint32_t *at, n; /* by text, of those before n */
};
/* 0: it was given none. */
static inline uint32_t text_number_of(const struct text_numbers *x, str_id text)
{
	return text < x->n ? x->at[text] : 0;
}
/* Memory out ends the program. */
static inline void text_number_set(struct text_numbers *x, str_id text, uint32_t number)
{
	GROW_ZEROED(x->at, text, x->n);
	x->at[text] = number;
}
/* All texts have none again. */
static inline void text_numbers_free(struct text_numbers *x)
{
	free(x->at);
	*x = (struct text_numbers){0};
}
#endif
