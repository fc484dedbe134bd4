#include "cause.h"

static const struct {
	const char *word, *advice, *lost_to, *meanwhile;
} causes[CAUSE_COUNT] = {
#define CAUSE_ROW(id, name, word, loses, what, advice, lost_to, meanwhile) {word, advice, lost_to, meanwhile},
	CAUSES(CAUSE_ROW)
#undef CAUSE_ROW
};

const char *cause_word(enum cause c)
{
	return causes[c].word;
}

const char *cause_advice(enum cause c)
{
	return causes[c].advice;
}

const char *cause_lost_to(enum cause c)
{
	return causes[c].lost_to;
}

const char *cause_while(enum cause c)
{
	return causes[c].meanwhile;
}
