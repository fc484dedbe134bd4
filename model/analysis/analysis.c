#include "analysis.h"
#include <string.h>

static const struct analysis analyses[] = {
#define ANALYSIS_ROW(id, title, help) {#id, title, help, analysis_##id},
	ANALYSES(ANALYSIS_ROW)
#undef ANALYSIS_ROW
};

const struct analysis *analysis_list(uint32_t *n)
{
	*n = sizeof analyses / sizeof *analyses;
	return analyses;
}

const struct analysis *analysis_find(const char *name)
{
	for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++)
		if (!strcmp(analyses[i].name, name))
			return &analyses[i];
	return NULL;
}

uint32_t analysis_index(const char *name)
{
	const struct analysis *a = analysis_find(name);
	return a ? (uint32_t)(a - analyses) : NONE_ID;
}

uint32_t analysis_names(const char **names, uint32_t room)
{
	uint32_t n = 0;
	for (; n < sizeof analyses / sizeof *analyses && n < room; n++)
		names[n] = analyses[n].name;
	return n;
}
