/* tests/fuzz/mutate_database.h - changes an SQLite database by SQL: values, rows, columns, rows of tables that the reader knows. What SQLite cannot open, or one time in four, is
 * changed byte by byte. Included by the targets whose bytes are databases, once each. */
#ifndef MUTATE_DATABASE_H
#define MUTATE_DATABASE_H
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "importers/database/walk.h"

/* Of the target: lists of the tables that its reader knows, up to NULL; each up to a table without a name. */
extern const struct row_table *const fuzz_known[];

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

/* ---- what the reader knows ---------------------------------------------------------------------------------------------- */

static const char *some_value(unsigned *state, char *room, size_t size)
{
	static const unsigned most[] = {3, 12, 100, 100000};
	if (roll(state, 3) == 0)
		return odd_values[roll(state, sizeof odd_values / sizeof *odd_values)];
	snprintf(room, size, "%u", roll(state, most[roll(state, 4)]));
	return room;
}

/* Some of the table's columns, or a value for each. */
static char *listed(const struct row_table *t, unsigned chosen, unsigned *values)
{
	char *list = sqlite3_mprintf(""), room[24];
	for (int i = 0; list && i < t->n_columns; i++)
		if (chosen >> (i % 32) & 1) {
			char *longer = values ? sqlite3_mprintf("%s%s%s", list, *list ? "," : "",
								some_value(values, room, sizeof room))
					      : sqlite3_mprintf("%s%s\"%w\"", list, *list ? "," : "", t->columns[i]);
			sqlite3_free(list);
			list = longer;
		}
	return list;
}

static void run_sql(sqlite3 *db, char *sql)
{
	if (sql)
		sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

/* A row in one of the tables that the target's reader asks for; the table and its columns are made where they are missing. */
static void add_known_row(sqlite3 *db, unsigned *state, const struct row_table *const *known)
{
	unsigned lists = 0, n = 0, chosen = roll(state, 4) ? ~0U : roll(state, 1U << 24);
	while (known[lists])
		lists++;
	const struct row_table *t = known[roll(state, lists)];
	while (t[n].name)
		n++;
	t += roll(state, n);
	char *columns = listed(t, chosen, NULL);
	run_sql(db, sqlite3_mprintf("CREATE TABLE IF NOT EXISTS \"%w\"(%s)", t->name, columns));
	if (roll(state, 4) == 0)
		run_sql(db, sqlite3_mprintf("ALTER TABLE \"%w\" ADD COLUMN \"%w\"", t->name,
					    t->columns[roll(state, (unsigned)t->n_columns)]));
	for (unsigned i = 0, rows = 1 + roll(state, 3); i < rows; i++) {
		char *values = listed(t, chosen, state);
		run_sql(db, sqlite3_mprintf("INSERT INTO \"%w\"(%s) VALUES(%s)", t->name, columns, values));
		sqlite3_free(values);
	}
	sqlite3_free(columns);
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
		for (unsigned i = 0, changes = 1 + roll(state, 4); i < changes; i++) {
			if (fuzz_known[0] && roll(state, 3) == 0)
				add_known_row(db, state, fuzz_known);
			else
				change_by_sql(db, state);
		}
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
