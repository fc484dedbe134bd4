#include "database.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "bytes.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"

enum {
	TEXT_MOST = 16 << 20,
	TABLES_MOST = 4096,
	TICKS = 10000 /* of the machine that runs statements, between two looks */
};

struct database {
	struct bytes bytes;
	sqlite3 *db;
	struct progress *progress;
	char **tables;
	uint32_t n_tables;
};

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

static int is_cancelled(void *progress)
{
	return progress_cancelled(progress);
}

/* Reading columns is all that is ever asked for: a schema that wants more is none of ours. */
static int may(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)ctx, (void)a, (void)b, (void)c, (void)d;
	return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static void distrust(struct database *d)
{
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, TEXT_MOST);
	sqlite3_limit(d->db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(d->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(d->db, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_limit(d->db, SQLITE_LIMIT_EXPR_DEPTH, 20);
	sqlite3_set_authorizer(d->db, may, NULL);
	sqlite3_progress_handler(d->db, TICKS, is_cancelled, d->progress);
}

static bool is_ordinary(const char *sql)
{
	return sql && strncasecmp(sql, "CREATE TABLE ", 13) == 0;
}

static bool list_tables(struct database *d)
{
	sqlite3_stmt *s = NULL;
	bool ok = sqlite3_prepare_v2(d->db, "SELECT type,name,sql FROM sqlite_master", -1, &s, NULL) == SQLITE_OK;
	d->tables = must(calloc(TABLES_MOST + 1, sizeof *d->tables));
	while (ok && d->n_tables < TABLES_MOST && sqlite3_step(s) == SQLITE_ROW) {
		const char *type = (const char *)sqlite3_column_text(s, 0),
			   *name = (const char *)sqlite3_column_text(s, 1);
		if (type && name && strcmp(type, "table") == 0 && is_ordinary((const char *)sqlite3_column_text(s, 2)))
			d->tables[d->n_tables++] = must(strdup(name));
	}
	sqlite3_finalize(s);
	return ok;
}

struct database *database_open(struct source *src, struct progress *p, struct err *e)
{
	struct database *d = must(calloc(1, sizeof *d));
	d->progress = p;
	d->bytes.fd = -1;
	if (!bytes_open(&d->bytes, src, p, e)) {
		database_close(d);
		return NULL;
	}
	d->db = bytes_connect(&d->bytes);
	if (d->db)
		distrust(d);
	if (!d->db || !list_tables(d)) {
		err_set(e, source_name(src), 0,
			"an SQLite database that is damaged: its list of tables cannot be read");
		database_close(d);
		return NULL;
	}
	return d;
}

void database_close(struct database *d)
{
	if (!d)
		return;
	sqlite3_close(d->db);
	bytes_close(&d->bytes);
	for (uint32_t i = 0; i < d->n_tables; i++)
		free(d->tables[i]);
	free(d->tables);
	free(d);
}

bool database_cut(const struct database *d)
{
	return d->bytes.cut || d->bytes.failed;
}

bool database_cancelled(const struct database *d)
{
	return progress_cancelled(d->progress);
}

int64_t database_bytes(const struct database *d)
{
	return d->bytes.size;
}

const char *database_table(const struct database *d, uint32_t i)
{
	return i < d->n_tables ? d->tables[i] : NULL;
}

bool database_has(const struct database *d, const char *table)
{
	for (uint32_t i = 0; i < d->n_tables; i++)
		if (strcasecmp(d->tables[i], table) == 0)
			return true;
	return false;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

static sqlite3_stmt *prepared(struct database *d, char *sql)
{
	sqlite3_stmt *s = NULL;
	if (!sql || sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) != SQLITE_OK)
		s = NULL;
	sqlite3_free(sql);
	return s;
}

static bool has_column(sqlite3_stmt *all, const char *name)
{
	for (int i = 0; i < sqlite3_column_count(all); i++)
		if (strcasecmp(sqlite3_column_name(all, i), name) == 0)
			return true;
	return false;
}

bool rows_begin(struct rows *r, struct database *d, const char *table, const char *const *columns, int n,
		const char *only)
{
	*r = (struct rows){.of = d};
	if (!database_has(d, table))
		return false;
	sqlite3_stmt *all = prepared(d, sqlite3_mprintf("SELECT * FROM \"%w\"", table));
	char *list = all ? sqlite3_mprintf("SELECT ") : NULL;
	for (int i = 0; list && i < n; i++) {
		bool has = has_column(all, columns[i]);
		r->has |= has && i < 32 ? UINT32_C(1) << i : 0;
		char *longer = has ? sqlite3_mprintf("%s%s\"%w\"", list, i ? "," : "", columns[i])
				   : sqlite3_mprintf("%s%sNULL", list, i ? "," : "");
		sqlite3_free(list);
		list = longer;
	}
	sqlite3_finalize(all);
	if (list && only)
		r->statement = prepared(d, sqlite3_mprintf("%s FROM \"%w\" WHERE %s", list, table, only));
	if (list && !r->statement)
		r->statement = prepared(d, sqlite3_mprintf("%s FROM \"%w\"", list, table));
	sqlite3_free(list);
	r->damaged = !r->statement;
	return r->statement != NULL;
}

/* SQLite says that memory is out of damaged rows, too: it is only where none can be had. */
static bool memory_is_out(void)
{
	enum { SPARE_BYTES = 1 << 20 };
	void *volatile spare = malloc(SPARE_BYTES);
	bool out = !spare;
	free(spare);
	return out;
}

/* A row takes four bytes at least: where more come, pages of the table lead back to each other. */
static bool go_round(const struct database *d, uint64_t n)
{
	return n > (uint64_t)d->bytes.size / 4;
}

bool rows_next(struct rows *r)
{
	int rc = r->statement ? sqlite3_step(r->statement) : SQLITE_DONE;
	if (rc == SQLITE_NOMEM && memory_is_out())
		memory_exhausted();
	bool round = rc == SQLITE_ROW && go_round(r->of, ++r->n);
	r->damaged |= round || (rc != SQLITE_ROW && rc != SQLITE_DONE);
	return rc == SQLITE_ROW && !round;
}

bool rows_end(struct rows *r)
{
	sqlite3_finalize(r->statement);
	r->statement = NULL;
	return !r->damaged;
}

bool rows_int(const struct rows *r, int column, int64_t *out)
{
	if (sqlite3_column_type(r->statement, column) != SQLITE_INTEGER)
		return false;
	*out = sqlite3_column_int64(r->statement, column);
	return *out != INT64_MIN;
}

int64_t rows_int_or(const struct rows *r, int column, int64_t otherwise)
{
	int64_t v;
	return rows_int(r, column, &v) ? v : otherwise;
}

bool rows_real(const struct rows *r, int column, double *out)
{
	int type = sqlite3_column_type(r->statement, column);
	*out = sqlite3_column_double(r->statement, column);
	return (type == SQLITE_INTEGER || type == SQLITE_FLOAT) && isfinite(*out);
}

static struct span text_of(sqlite3_stmt *s, int column)
{
	if (sqlite3_column_type(s, column) != SQLITE_TEXT)
		return (struct span){NULL, 0};
	const char *p = (const char *)sqlite3_column_text(s, column);
	return (struct span){p, p ? (size_t)sqlite3_column_bytes(s, column) : 0};
}

struct span rows_text(const struct rows *r, int column)
{
	return text_of(r->statement, column);
}

struct span rows_blob(const struct rows *r, int column)
{
	if (sqlite3_column_type(r->statement, column) != SQLITE_BLOB)
		return (struct span){NULL, 0};
	const char *p = sqlite3_column_blob(r->statement, column);
	return (struct span){p, p ? (size_t)sqlite3_column_bytes(r->statement, column) : 0};
}

/* ---- lookups ---------------------------------------------------------------------------------------------------------- */

struct lookup {
	sqlite3_stmt *by_row;
	struct idmap row_of; /* filled only where a key is not its row's number */
	bool mapped;
	uint64_t n;
};

/* Keys are nearly always the rows' own numbers: then nothing is kept. */
static void map_keys(const struct database *d, struct lookup *l, sqlite3_stmt *all)
{
	uint64_t again = 0;
	for (; sqlite3_step(all) == SQLITE_ROW && !go_round(d, l->n); l->n++)
		l->mapped |= sqlite3_column_type(all, 0) != SQLITE_INTEGER ||
			     sqlite3_column_int64(all, 0) != sqlite3_column_int64(all, 1);
	sqlite3_reset(all);
	while (l->mapped && again++ < l->n && sqlite3_step(all) == SQLITE_ROW) {
		int64_t row = sqlite3_column_int64(all, 1);
		if (sqlite3_column_type(all, 0) == SQLITE_INTEGER && row >= 0 && row < UINT32_MAX)
			*idmap_put(&l->row_of, (uint64_t)sqlite3_column_int64(all, 0), (uint32_t)row) = (uint32_t)row;
	}
}

struct lookup *lookup_new(struct database *d, const char *table, const char *key, const char *value)
{
	if (!database_has(d, table))
		return NULL;
	sqlite3_stmt *all = prepared(d, sqlite3_mprintf("SELECT \"%w\",rowid FROM \"%w\"", key, table));
	sqlite3_stmt *one = prepared(d, sqlite3_mprintf("SELECT \"%w\" FROM \"%w\" WHERE rowid=?1", value, table));
	struct lookup *l = NULL;
	if (all && one) {
		l = must(calloc(1, sizeof *l));
		l->by_row = one;
		map_keys(d, l, all);
	} else {
		sqlite3_finalize(one);
	}
	sqlite3_finalize(all);
	return l;
}

void lookup_free(struct lookup *l)
{
	if (!l)
		return;
	sqlite3_finalize(l->by_row);
	idmap_free(&l->row_of);
	free(l);
}

uint64_t lookup_rows(const struct lookup *l)
{
	return l->n;
}

static bool find(struct lookup *l, int64_t key)
{
	uint32_t row = l->mapped ? idmap_get(&l->row_of, (uint64_t)key) : 0;
	if (l->mapped && row == UINT32_MAX)
		return false;
	sqlite3_reset(l->by_row);
	sqlite3_bind_int64(l->by_row, 1, l->mapped ? row : key);
	return sqlite3_step(l->by_row) == SQLITE_ROW;
}

struct span lookup_text(struct lookup *l, int64_t key)
{
	return find(l, key) ? text_of(l->by_row, 0) : (struct span){NULL, 0};
}

bool lookup_int(struct lookup *l, int64_t key, int64_t *out)
{
	bool found = find(l, key) && sqlite3_column_type(l->by_row, 0) == SQLITE_INTEGER;
	if (found)
		*out = sqlite3_column_int64(l->by_row, 0);
	return found;
}
