/* model/analysis/names/names_like.h - of all names of a trace those that differ only by the number at their end ("ProfilerStep#1",
 * "ProfilerStep#2", ...), found once for all who look for words in every name. A trace may have one for each of its steps.
 * Words: whoever looks for words that end in no digit finds in such a name what it finds in the first one of them. */
#ifndef STEPSCOPE_NAMES_LIKE_H
#define STEPSCOPE_NAMES_LIKE_H
#include "model/store/base/strings.h"

/* Per text the first one that it is like, itself where there is none before it; to be freed. Few stems are remembered at a time: of names whose
 * stems come and go some count as new ones. */
str_id *names_like(const struct strings *s);
#endif
