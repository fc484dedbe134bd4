#include "side_tables.h"

#define COLUMN(T, member, limit)                                                                         \
	{.name = #member,                                                                                \
	 .at = offsetof(T, member),                                                                      \
	 .bytes = sizeof(((T *)NULL)->member),                                                           \
	 .is_signed = (__typeof__(((T *)NULL)->member))-1 < 1, /* not < 0: that is never true of some */ \
	 .below = (limit)},
#define COLUMNS(ID, rows, type, section, columns, whose, saved) \
	static const struct side_column columns_of_##rows[] = {columns(COLUMN, type)};
SIDE_TABLES(COLUMNS)

#define TABLE(ID, rows, type, section, columns, whose, saved)                                                 \
	[SIDE_##ID] = {section,      columns_of_##rows, sizeof columns_of_##rows / sizeof *columns_of_##rows, \
		       sizeof(type), SIDE_##whose,      SIDE_##saved},
const struct side_table_info side_tables[SIDE_TABLE_COUNT] = {SIDE_TABLES(TABLE)};

#define CHECK_NAME(ID, rows, type, section, ...) \
	_Static_assert(sizeof section <= 24, "a section's name ends with a 0 in the file");
SIDE_TABLES(CHECK_NAME)

/* One loop for each kind of member, so that a column of a million rows takes no decision per row. `each` sees the member as *v. Without rows
 * there may be no memory, in which nothing has an address. */
#define LOOP(type, each)                                       \
	for (uint64_t i = 0; i < n; i++, at += x->row_bytes) { \
		type *v = (type *)at;                          \
		each;                                          \
	}                                                      \
	break
#define FOR_EACH_VALUE(each)                    \
	switch (c->bytes << 1 | c->is_signed) { \
	case 1 << 1 | 0:                        \
		LOOP(uint8_t, each);            \
	case 1 << 1 | 1:                        \
		LOOP(int8_t, each);             \
	case 2 << 1 | 0:                        \
		LOOP(uint16_t, each);           \
	case 2 << 1 | 1:                        \
		LOOP(int16_t, each);            \
	case 4 << 1 | 0:                        \
		LOOP(uint32_t, each);           \
	case 4 << 1 | 1:                        \
		LOOP(int32_t, each);            \
	case 8 << 1 | 0:                        \
		LOOP(uint64_t, each);           \
	default:                                \
		LOOP(int64_t, each);            \
	}

void side_column_get(const struct side_table_info *x, const struct side_column *c, const void *rows, uint64_t n,
		     int64_t *to)
{
	const char *at = n ? (const char *)rows + c->at : NULL;
	FOR_EACH_VALUE(to[i] = (int64_t)*v)
}

void side_column_set(const struct side_table_info *x, const struct side_column *c, void *rows, uint64_t n,
		     const int64_t *from)
{
	char *at = n ? (char *)rows + c->at : NULL;
	FOR_EACH_VALUE(*v = (__typeof__(*v))from[i])
}

bool side_column_below(const struct side_table_info *x, const struct side_column *c, const void *rows, uint64_t n,
		       uint64_t below)
{
	const char *at = n ? (const char *)rows + c->at : NULL;
	bool ok = true;
	FOR_EACH_VALUE(ok &= (uint64_t)*v < below)
	return ok;
}
