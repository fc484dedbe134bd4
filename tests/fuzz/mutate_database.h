/* tests/fuzz/mutate_database.h - changes an SQLite database by SQL: values, rows, columns. What SQLite cannot open, or one time in four, is
 * changed byte by byte. Included by the targets whose bytes are databases, once each. */
#ifndef MUTATE_DATABASE_H
#define MUTATE_DATABASE_H
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Values at the edges of what columns hold, as SQL writes them. */
static const char *const odd_values[] = {"NULL",
					 "0",
					 "1",
					 "-1",
					 "2",
					 "3",
					 "7",
					 "11",
					 "59",
					 "60",
					 "75",
					 "255",
					 "65536",
					 "4294967295",
					 "281474976710656",
					 "9223372036854775807",
					 "-9223372036854775807-1",
					 "1e300",
					 "-0.5",
					 "9e999",
					 "''",
					 "x'00ff80'",
					 "zeroblob(40)",
					 "char(27)||'[31m'",
					 "'soon'",
					 "'aten::mm, op_id = 3, sizes = [[2, 3], [3, 4]]'",
					 "'ProfilerStep#3'",
					 "'ncclAllReduce'",
					 "'{\"NCCL communicator ID\":\"7\",\"Message size [bytes]\":64}'",
					 "'{\"size\":64,\"address\":1}'",
					 "printf('%.*c',300,'x')"};

static unsigned roll(unsigned *state, unsigned n)
{
	*state = *state * 1664525u + 1013904223u;
	return n ? (*state >> 8) % n : 0;
}

/* The text of one row of a query, numbered from 0 and around; "" = none. */
static void pick(sqlite3 *db, unsigned *state, const char *count, const char *query, const char *table, char *out,
		 size_t size)
{
	sqlite3_stmt *s = NULL;
	char *sql = sqlite3_mprintf(count, table);
	int n = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW
			? sqlite3_column_int(s, 0)
			: 0;
	sqlite3_finalize(s);
	sqlite3_free(sql);
	s = NULL;
	sql = sqlite3_mprintf(query, table, (int)roll(state, n > 0 ? (unsigned)n : 0));
	bool row = n > 0 && sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
	const char *text = row ? (const char *)sqlite3_column_text(s, 0) : NULL;
	snprintf(out, size, "%s", text ? text : "");
	sqlite3_finalize(s);
	sqlite3_free(sql);
}

static void pick_table(sqlite3 *db, unsigned *state, char *out, size_t size)
{
	pick(db, state, "SELECT count(*) FROM sqlite_master WHERE type='table' AND %Q<>''",
	     "SELECT name FROM sqlite_master WHERE type='table' AND %Q<>'' LIMIT 1 OFFSET %d", "x", out, size);
}

static void pick_column(sqlite3 *db, unsigned *state, const char *table, char *out, size_t size)
{
	pick(db, state, "SELECT count(*) FROM pragma_table_info(%Q)",
	     "SELECT name FROM pragma_table_info(%Q) LIMIT 1 OFFSET %d", table, out, size);
}

static void change_by_sql(sqlite3 *db, unsigned *state)
{
	static const char *const changes[] = {"UPDATE \"%w\" SET \"%w\"=%s WHERE rowid%%7=%d",
					      "UPDATE \"%w\" SET \"%w\"=%s WHERE rowid=%d",
					      "UPDATE \"%w\" SET \"%w\"=%s WHERE %d>=0",
					      "UPDATE \"%w\" SET \"%w\"=\"%w\"+%s-%d",
					      "DELETE FROM \"%w\" WHERE \"%w\" IS %s OR rowid%%5=%d",
					      "ALTER TABLE \"%w\" RENAME COLUMN \"%w\" TO \"%w\"",
					      "ALTER TABLE \"%w\" DROP COLUMN \"%w\"",
					      "INSERT INTO \"%w\" SELECT * FROM \"%w\" LIMIT %d",
					      "ALTER TABLE \"%w\" RENAME TO \"%w%d\""};
	char table[80], column[80], other[80];
	unsigned which = roll(state, sizeof changes / sizeof *changes);
	const char *value = odd_values[roll(state, sizeof odd_values / sizeof *odd_values)];
	int n = (int)roll(state, 8);
	pick_table(db, state, table, sizeof table);
	pick_column(db, state, table, column, sizeof column);
	pick_column(db, state, table, other, sizeof other);
	char *sql = which == 3   ? sqlite3_mprintf(changes[3], table, column, other, value, n)
		    : which == 5 ? sqlite3_mprintf(changes[5], table, column, other)
		    : which == 7 ? sqlite3_mprintf(changes[7], table, table, n)
		    : which == 8 ? sqlite3_mprintf(changes[8], table, column, n)
				 : sqlite3_mprintf(changes[which], table, column, value, n);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

/* How many bytes the changed database has; 0: it could not be changed so. */
static size_t change_database(uint8_t *data, size_t size, size_t max_size, unsigned *state)
{
	sqlite3 *db = NULL;
	sqlite3_int64 n = 0;
	unsigned char *copy = sqlite3_malloc64(size + 1), *out = NULL;
	if (!copy || size < 512 || sqlite3_open(":memory:", &db) != SQLITE_OK) {
		sqlite3_free(copy);
		sqlite3_close(db);
		return 0;
	}
	memcpy(copy, data, size);
	if (sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
				SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK) {
		for (unsigned i = 0, changes = 1 + roll(state, 4); i < changes; i++)
			change_by_sql(db, state);
		out = sqlite3_serialize(db, "main", &n, 0);
	}
	bool fits = out && n > 0 && (size_t)n <= max_size;
	if (fits)
		memcpy(data, out, (size_t)n);
	sqlite3_free(out);
	sqlite3_close(db);
	return fits ? (size_t)n : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	unsigned state = seed;
	size_t changed = roll(&state, 4) ? change_database(data, size, max_size, &state) : 0;
	return changed ? changed : LLVMFuzzerMutate(data, size, max_size);
}
#endif
