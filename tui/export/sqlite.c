/* tui/export/sqlite.c - every table of a window as a table of a database: README.md tells the schema. */
#include "formats.h"
#include "model/analysis/analysis.h"
#include "model/analysis/query/shared.h"
#include "tui/tables/scrub.h"
#include <math.h>
#include <sqlite3.h>
#include <string.h>

enum { APPLICATION_ID = 0x73746578, SCHEMA_VERSION = 1 };
struct database {
	const struct export_req *req;
	struct scrub *scrub; /* NULL: as recorded */
	sqlite3 *db;
	sqlite3_stmt *evidence, *column;
	struct arena mem; /* of the table at hand */
};

static bool failed(const struct database *x, struct err *e)
{
	if (!x->db || sqlite3_errcode(x->db) == SQLITE_NOMEM)
		return err_memory(e, NULL);
	return err_unwritten(e, "the database cannot be made: %.120s", sqlite3_errmsg(x->db));
}

static bool run(struct database *x, const char *sql, struct err *e)
{
	return sqlite3_exec(x->db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(x, e);
}

static bool prepare(struct database *x, const char *sql, sqlite3_stmt **out, struct err *e)
{
	return sqlite3_prepare_v2(x->db, sql, -1, out, NULL) == SQLITE_OK || failed(x, e);
}

static bool step(struct database *x, sqlite3_stmt *s, struct err *e)
{
	bool ok = sqlite3_step(s) == SQLITE_DONE || failed(x, e);
	sqlite3_reset(s);
	return ok;
}

/* ---- tables ----------------------------------------------------------------------------------------------------------------- */

static const char *sql_type(const struct table *t, const struct column *c)
{
	static const char *const words[] = {
		[CELL_INT] = "INTEGER", [CELL_REAL] = "REAL", [CELL_TEXT] = "TEXT", [CELL_BOOL] = "INTEGER"};
	/* of a table of keys each value has a type of its own */
	return table_is_keys(t) && !strcmp(c->name, "value") ? "" : words[c->type];
}

static const char *create_statement(struct database *x, const struct table *t)
{
	const char *sql = arena_printf(&x->mem, "CREATE TABLE \"%s\"(", t->name);
	for (uint32_t c = 0; c < t->n_cols; c++)
		sql = arena_printf(&x->mem, "%s%s\"%s\" %s", sql, c ? "," : "", t->cols[c].name,
				   sql_type(t, &t->cols[c]));
	return arena_printf(&x->mem, "%s)", sql);
}

static const char *insert_statement(struct database *x, const struct table *t)
{
	const char *sql = arena_printf(&x->mem, "INSERT INTO \"%s\" VALUES(?", t->name);
	for (uint32_t c = 1; c < t->n_cols; c++)
		sql = arena_printf(&x->mem, "%s,?", sql);
	return arena_printf(&x->mem, "%s)", sql);
}

static void bind_cell(sqlite3_stmt *s, int at, const struct cell *c)
{
	if (c->null || (c->type == CELL_REAL && !isfinite(c->r)))
		sqlite3_bind_null(s, at);
	else if (c->type == CELL_INT)
		sqlite3_bind_int64(s, at, c->i);
	else if (c->type == CELL_REAL)
		sqlite3_bind_double(s, at, c->r);
	else if (c->type == CELL_BOOL)
		sqlite3_bind_int(s, at, c->b);
	else
		sqlite3_bind_text(s, at, c->s, -1, SQLITE_STATIC);
}

static bool add_rows(struct database *x, const struct table *t, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool ok = prepare(x, insert_statement(x, t), &s, e);
	for (uint32_t r = 0; ok && r < t->n_rows; r++) {
		const struct cell *row = table_cells(t, r);
		for (uint32_t c = 0; c < t->n_cols; c++)
			bind_cell(s, (int)c + 1, &row[c]);
		ok = step(x, s, e);
	}
	sqlite3_finalize(s);
	return ok;
}

static bool add_columns(struct database *x, const struct table *t, struct err *e)
{
	bool ok = true;
	for (uint32_t c = 0; ok && c < t->n_cols; c++) {
		sqlite3_bind_text(x->column, 1, t->name, -1, SQLITE_STATIC);
		sqlite3_bind_text(x->column, 2, t->cols[c].name, -1, SQLITE_STATIC);
		sqlite3_bind_text(x->column, 3, unit_name(t->cols[c].unit), -1, SQLITE_STATIC);
		sqlite3_bind_text(x->column, 4, t->cols[c].help ? t->cols[c].help : "", -1, SQLITE_STATIC);
		ok = step(x, x->column, e);
	}
	return ok;
}

/* A row for each event that stands after a row, or one for its window alone. */
static bool add_evidence(struct database *x, const struct table *t, uint32_t r, struct err *e)
{
	const struct evidence *v = table_evidence_of(t, r);
	bool ok = true, windowed = v->a_ns != v->b_ns;
	for (uint32_t i = 0; ok && (i < v->n || (!v->n && windowed && !i)); i++) {
		sqlite3_bind_text(x->evidence, 1, t->name, -1, SQLITE_STATIC);
		sqlite3_bind_int64(x->evidence, 2, (int64_t)r + 1);
		for (int at = 3; at <= 5; at++)
			sqlite3_bind_null(x->evidence, at);
		if (windowed) {
			sqlite3_bind_int64(x->evidence, 3, v->a_ns);
			sqlite3_bind_int64(x->evidence, 4, v->b_ns);
		}
		if (v->n)
			sqlite3_bind_int64(x->evidence, 5, v->rows[i]);
		ok = step(x, x->evidence, e);
	}
	return ok;
}

static bool add_table(struct database *x, const struct table_desc *a, const struct query *q, struct err *e)
{
	struct table *made = a->run(x->req->d, q, &x->mem, x->req->progress, e);
	const struct table *t = made ? scrub_table(x->scrub, made, &x->mem) : NULL;
	bool ok = t && run(x, create_statement(x, t), e) && add_columns(x, t, e) && add_rows(x, t, e);
	bool events = !strcmp(a->name, "events"); /* each is its own evidence */
	for (uint32_t r = 0; ok && !events && r < t->n_rows; r++)
		ok = add_evidence(x, t, r, e);
	arena_free(&x->mem);
	return ok;
}

/* ---- the database ----------------------------------------------------------------------------------------------------------- */

static bool add_about(struct database *x, const struct query *q, struct err *e)
{
	const struct trace *t = derived_trace(x->req->d);
	sqlite3_stmt *s = NULL;
	int64_t a_ns, b_ns;
	query_bounds(q, t, &a_ns, &b_ns);
	bool ok = prepare(x,
			  "INSERT INTO about VALUES('schema','stepscope.database/1'),('program','stepscope " VERSION
			  "'),('window',?),('window_begin_ns',?),('window_end_ns',?),('begin_on_the_clock_ns',?)",
			  &s, e);
	if (!ok)
		return false;
	sqlite3_bind_text(s, 1, x->req->window.text, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 2, a_ns);
	sqlite3_bind_int64(s, 3, b_ns);
	sqlite3_bind_int64(s, 4, trace_base_ns(t));
	ok = step(x, s, e);
	sqlite3_finalize(s);
	return ok;
}

static bool begin(struct database *x, struct err *e)
{
	char sql[512];
	snprintf(
		sql, sizeof sql,
		"PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN; CREATE TABLE about(\"key\" TEXT PRIMARY KEY, "
		"value);"
		"CREATE TABLE table_columns(table_name TEXT, column_name TEXT, unit TEXT, help TEXT);"
		"CREATE TABLE evidence(table_name TEXT, row_number INTEGER, a_ns INTEGER, b_ns INTEGER, event INTEGER)",
		APPLICATION_ID, SCHEMA_VERSION);
	return sqlite3_open(":memory:", &x->db) == SQLITE_OK && run(x, sql, e) &&
	       prepare(x, "INSERT INTO evidence VALUES(?,?,?,?,?)", &x->evidence, e) &&
	       prepare(x, "INSERT INTO table_columns VALUES(?,?,?,?)", &x->column, e);
}

static bool add_tables(struct database *x, struct query *q, struct err *e)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	bool ok = true;
	for (uint32_t i = 0; ok && i < n; i++) {
		q->all_columns = x->req->all_args && !strcmp(list[i]->name, "events");
		ok = add_table(x, list[i], q, e);
		progress_written(x->req->progress, i + 1, n);
	}
	return ok;
}

static bool put_bytes(struct database *x, FILE *out, struct err *e)
{
	sqlite3_int64 size = 0;
	TRY(run(x,
		"CREATE INDEX events_by_time ON events(track, start_ns); CREATE INDEX events_by_name ON events(name);"
		"CREATE INDEX evidence_of ON evidence(table_name, row_number); COMMIT",
		e));
	unsigned char *bytes = sqlite3_serialize(x->db, "main", &size, SQLITE_SERIALIZE_NOCOPY);
	bool own = !bytes;
	if (own)
		bytes = sqlite3_serialize(x->db, "main", &size, 0);
	if (!bytes)
		return err_unwritten(e, "the database does not fit in memory; export a smaller window");
	fwrite(bytes, 1, (size_t)size, out);
	if (own)
		sqlite3_free(bytes);
	return true;
}

bool export_sqlite(const struct export_req *r, FILE *out, struct err *e)
{
	struct database x = {.req = r};
	struct query q = window_query(&r->window, NULL);
	q.all_steps = r->all_steps;
	q.shared = shared_new(&q);
	x.scrub = r->redact ? scrub_new(r->d) : NULL;
	bool ok = (begin(&x, e) || (!x.db && failed(&x, e))) && add_about(&x, &q, e) && add_tables(&x, &q, e);
	sqlite3_finalize(x.evidence);
	sqlite3_finalize(x.column);
	ok = ok && put_bytes(&x, out, e);
	sqlite3_close(x.db);
	shared_free(q.shared);
	scrub_free(x.scrub);
	arena_free(&x.mem);
	return ok;
}
