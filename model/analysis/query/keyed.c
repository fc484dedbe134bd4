#include "keyed.h"
#include <math.h>

/* clang-format off */
static const struct column columns[] = {
	{"key",   CELL_TEXT, UNIT_NONE, "what the row is about"},
	{"value", CELL_TEXT, UNIT_NONE, "number or text, by the row's unit; null = unknown"},
	{"unit",  CELL_TEXT, UNIT_NONE, "unit of the value"},
	{"help",  CELL_TEXT, UNIT_NONE, "meaning and rule"},
};
/* clang-format on */
enum { COL_KEY, COL_VALUE, COL_UNIT, COL_HELP, N_COLUMNS };

struct table *keyed_new(struct arena *mem, const char *name, const char *title)
{
	return table_new(mem, name, title, columns, N_COLUMNS);
}

static struct cell *add(struct table *t, const char *key, enum unit u, const char *help)
{
	struct cell *row = table_row(t);
	cell_text(&row[COL_KEY], key);
	cell_text(&row[COL_UNIT], unit_name(u));
	cell_text(&row[COL_HELP], help);
	cell_unit(&row[COL_VALUE], u);
	return &row[COL_VALUE];
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
