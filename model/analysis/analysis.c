#include "analysis.h"
#include <string.h>

static const struct table_desc *const tables[] = {
#define TABLE_ROW(id) &id##_desc,
	TABLES(TABLE_ROW)
#undef TABLE_ROW
};

const struct table_desc *const *analysis_list(uint32_t *n)
{
	*n = TABLE_COUNT;
	return tables;
}

const struct table_desc *analysis_at(uint32_t i)
{
	return tables[i];
}

uint32_t analysis_index(const char *name)
{
	for (uint32_t i = 0; i < TABLE_COUNT; i++)
		if (!strcmp(tables[i]->name, name))
			return i;
	return NONE_ID;
}

const struct table_desc *analysis_find(const char *name)
{
	uint32_t i = analysis_index(name);
	return i == NONE_ID ? NULL : tables[i];
}

uint32_t analysis_names(const char **names, uint32_t room)
{
	uint32_t n = 0;
	for (; n < TABLE_COUNT && n < room; n++)
		names[n] = tables[n]->name;
	return n;
}

const char *analysis_by(const char *table, unsigned i)
{
	const struct table_desc *d = analysis_find(table);
	return d && d->by ? d->by(i) : NULL;
}
