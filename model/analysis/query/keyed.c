#include "keyed.h"
#include <math.h>

/* clang-format off */
const struct column keyed_columns[KEYED_COLUMNS] = {
	{COLUMN_KEY, CELL_TEXT, UNIT_NONE, "what the row is about"},
	{"value", CELL_TEXT, UNIT_NONE, "number or text, in the row's unit; null = unknown"},
	{"unit",  CELL_TEXT, UNIT_NONE, "unit of the value, and of a threshold"},
	{COLUMN_HELP, CELL_TEXT, UNIT_NONE, "meaning and rule"},
};
/* clang-format on */

static struct cell *add(struct table *t, const char *key, enum unit u, const char *help)
{
	struct cell *row = table_row(t);
	cell_text(&row[KEYED_KEY], key);
	cell_text(&row[KEYED_UNIT], unit_name(u));
	cell_text(&row[KEYED_HELP], help);
	cell_unit(&row[KEYED_VALUE], u);
	return &row[KEYED_VALUE];
}

void keyed_int(struct table *t, const char *key, enum unit u, int64_t v, const char *help)
{
	cell_int(add(t, key, u, help), v);
}

void keyed_real(struct table *t, const char *key, enum unit u, double v, const char *help)
{
	cell_real(add(t, key, u, help), v);
}

void keyed_text(struct table *t, const char *key, const char *v, const char *help)
{
	cell_text(add(t, key, UNIT_NONE, help), v);
}

double keyed_pct(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : NAN;
}
