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
