#include "column_head.h"
#include <stdio.h>
#include <string.h>

/* Names that scripts know from XProf's tables, or that are distinguished by their table alone, have the word that all other tables
 * have for the same thing. table: NULL = any. */
static const struct spoken {
	const char *table, *column, *head;
} spoken[] = {
	{NULL, "operation", "op"},
	{NULL, "occurrences", "count"},
	{NULL, "total_time", "total"},
	{NULL, "avg_time", "avg"},
	{NULL, "total_self_time", "self"},
	{NULL, "avg_self_time", "avg self"},
	{NULL, "self_share_pct", "share"},
	{NULL, "device_total_self_time_percent", "device share"},
	{NULL, "device_cumulative_total_self_time_percent", "device share so far"},
	{NULL, "host_total_self_time_percent", "host share"},
	{NULL, "Host_cumulative_total_self_time_percent", "host share so far"},
	{NULL, "gpu_tensorcore_utilization", "tc share"},
	{NULL, "uses_tc", "tc"},
	{"kernels", "kernel_time_pct", "share"},
	{"kernels", "kernels", "count"},
};

/* In the order in which columns that differ in nothing else go without a word; the first one is no unit. */
static const struct unit_word {
	const char *suffix, *word;
} units[] = {{"", ""}, {"_ns", " time"}, {"_bytes", " bytes"}, {"_pct", " %"}};
enum { UNITS = sizeof units / sizeof *units, IS_TIME = 1 };

/* A name's unit, its place above; *n: how much of the name is none. */
static int unit_of(const char *name, size_t *n)
{
	*n = strlen(name);
	for (int i = 1; i < UNITS; i++) {
		size_t u = strlen(units[i].suffix);
		if (*n > u && strcmp(name + *n - u, units[i].suffix) == 0) {
			*n -= u;
			return i;
		}
	}
	return 0;
}

static const char *written(const char *name, size_t n, const char *word, char *buf)
{
	snprintf(buf, HEAD_BUF, "%.*s%s", (int)n, name, word);
	for (char *p = buf; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	return buf;
}

static const char *spoken_head(const struct table *t, const char *column)
{
	for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++)
		if (strcmp(spoken[i].column, column) == 0 &&
		    (!spoken[i].table || strcmp(spoken[i].table, t->name) == 0))
			return spoken[i].head;
	return NULL;
}

const char *column_head(const struct table *t, uint32_t col, char buf[static HEAD_BUF])
{
	const char *name = t->cols[col].name, *head = spoken_head(t, name);
	size_t n, other;
	int unit = unit_of(name, &n);
	bool twin = false;
	if (head)
		return written(head, strlen(head), "", buf);
	for (uint32_t i = 0; i < t->n_cols && unit; i++)
		twin = twin || (unit_of(t->cols[i].name, &other) < unit && other == n &&
				strncmp(t->cols[i].name, name, n) == 0);
	return written(name, n, twin ? units[unit].word : "", buf);
}

const char *key_head(const char *key, char buf[static HEAD_BUF])
{
	size_t n;
	int unit = unit_of(key, &n);
	return written(key, n, unit == IS_TIME ? "" : units[unit].word, buf);
}
