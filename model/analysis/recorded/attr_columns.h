/* model/analysis/recorded/attr_columns.h - the attributes of some events as columns of a table, one per key.
 * Types:  a key whose values are all whole numbers (real numbers, booleans) gives such a column; anything mixed, repeated
 *         within one event or longer than 64 bit is text, as the producer wrote it.
 * Use:    attr_columns_learn for every event, attr_columns_add after the table's own columns, attr_columns_fill per row. */
#ifndef STEPSCOPE_ATTR_COLUMNS_H
#define STEPSCOPE_ATTR_COLUMNS_H
#include "model/table.h"

struct attr_columns;
struct attr_columns *attr_columns_new(const struct trace *t);
void attr_columns_free(struct attr_columns *a);
void attr_columns_learn(struct attr_columns *a, row_id r);
/* `own` columns and then the learned ones, sorted by name ("args.KEY"), in arena memory. */
const struct column *attr_columns_add(struct attr_columns *a, struct arena *mem, const struct column *own,
				      uint32_t n_own, uint32_t *n_all);
void attr_columns_fill(struct attr_columns *a, row_id r, struct cell *row, struct arena *mem);
#endif
