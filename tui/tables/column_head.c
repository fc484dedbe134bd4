#include "column_head.h"
#include <stdio.h>
#include <string.h>

static const struct unit_word {
	const char *suffix, *word;
} units[] = {{"_ns", "time"}, {"_pct", "%"}, {"_bytes", "bytes"}};

/* How much of it is no unit. unit: NULL where it has none. */
static size_t without_unit(const char *name, const struct unit_word **unit)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t u = strlen(units[i].suffix);
		*unit = &units[i];
		if (n > u && strcmp(name + n - u, units[i].suffix) == 0)
			return n - u;
	}
	*unit = NULL;
	return n;
}

static const char *written(const char *name, size_t n, const char *word, char *buf)
{
	snprintf(buf, HEAD_BUF, "%.*s%s%s", (int)n, name, word ? " " : "", word ? word : "");
	for (char *p = buf; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	return buf;
}

const char *column_head(const struct table *t, uint32_t col, char buf[static HEAD_BUF])
{
	const struct unit_word *unit, *other;
	const char *name = t->cols[col].name;
	size_t n = without_unit(name, &unit);
	bool twin = false;
	for (uint32_t i = 0; i < t->n_cols && unit; i++)
		twin = twin || (i != col && without_unit(t->cols[i].name, &other) == n &&
				strncmp(t->cols[i].name, name, n) == 0);
	return written(name, n, twin ? unit->word : NULL, buf);
}

const char *key_head(const char *key, char buf[static HEAD_BUF])
{
	const struct unit_word *unit;
	size_t n = without_unit(key, &unit);
	return written(key, n, unit ? unit->word : NULL, buf);
}
