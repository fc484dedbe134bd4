#include "analysis.h"
#include "model/analysis/launches/launch_groups.h"
#include "model/analysis/ops/op_keys.h"
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

static const char *op_word(unsigned i)
{
	return i < OP_BY_COUNT ? op_by_word((enum op_by)i) : NULL;
}

static const char *tiny_word(unsigned i)
{
	static const char *const words[] = {"type", "op"};
	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

const char *analysis_by(const char *table, unsigned i)
{
	static const struct {
		const char *table;
		const char *(*word)(unsigned i);
	} grouped[] = {{"ops", op_word}, {"roofline", op_word}, {"launches", launch_by_word}, {"tiny_ops", tiny_word}};
	for (size_t k = 0; k < sizeof grouped / sizeof *grouped; k++)
		if (!strcmp(grouped[k].table, table))
			return grouped[k].word(i);
	return NULL;
}
