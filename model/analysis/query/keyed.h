/* model/analysis/query/keyed.h - tables of key, value, unit, help: one row per fact, each value with a type and unit of its own.
 * The calls append a row; evidence may follow. Unknown values give a row with null. */
#ifndef STEPSCOPE_KEYED_H
#define STEPSCOPE_KEYED_H
#include "model/columns.h"

extern const struct column keyed_columns[KEYED_COLUMNS];
/* In the descriptor of such a table. */
#define KEYED_TABLE .cols = keyed_columns, .n_cols = KEYED_COLUMNS
/* help: what the key means; NULL for none. Keys and texts are kept, not copied. */
void keyed_int(struct table *t, const char *key, enum unit u, int64_t v, const char *help);
void keyed_real(struct table *t, const char *key, enum unit u, double v, const char *help);
void keyed_text(struct table *t, const char *key, const char *v, const char *help);
double keyed_pct(double part, double whole); /* NaN when whole is not positive */
#endif
