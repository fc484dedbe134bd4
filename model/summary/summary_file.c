/* model/summary/summary_file.c - summaries as SQLite, and what is read of lines of JSON. A file may be made to harm: it is opened read-only, its
 * schema is not trusted, only plain tables of the columns expected are read, and each value is checked for its type. Lines end before
 * LINE_MOST and are taken apart by SQLite's own functions; their values pass the same check. */
#include "summary.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "model/store/base/memory.h"
#include "model/store/files/output.h"
#include "model/store/files/text_stream.h"

enum {
	APPLICATION_ID = 0x73747370,
	TEXT_MOST = 1 << 16,
	STEPS_PER_LOOK = 10000,
	LOOKS_MOST = 2000000,
	LINE_MOST = 1 << 20,
	BY_ONE_THREAD = SQLITE_OPEN_NOMUTEX /* at a time, as all of a summary */
};
struct summary_file {
	sqlite3 *db;                          /* in memory until it is saved */
	sqlite3_stmt *to[SUMMARY_PART_COUNT]; /* take one row each */
};

/* {"schema":"stepscope.summary/1"}, with blanks wherever JSON may have them; -1: it is no such line. */
static int schema_version(const char *line)
{
	int version = -1, end = 0;
	return sscanf(line, " { \"schema\" : \"stepscope.summary/%6d\" }%n", &version, &end) == 1 && end ? version : -1;
}

/* A database of summaries knows itself: other programs' are traces that may be read one day. */
enum file_kind { NO_SUMMARY, AS_SQLITE, AS_LINES };
static enum file_kind file_kind(const char *path)
{
	enum { ID_AT = 68, HEAD = ID_AT + 4 };
	static const char magic[] = "SQLite format 3";
	static const unsigned char id[] = {APPLICATION_ID >> 24, APPLICATION_ID >> 16 & 0xff,
					   APPLICATION_ID >> 8 & 0xff, APPLICATION_ID & 0xff};
	char head[HEAD + 1] = "";
	gzFile f = strcmp(path, "-") != 0 ? gzopen(path, "rbe") : NULL; /* lines may be packed */
	int n = f ? gzread(f, head, HEAD) : 0;
	if (f)
		gzclose(f);
	if (n == HEAD && memcmp(head, magic, sizeof magic) == 0 && memcmp(head + ID_AT, id, sizeof id) == 0)
		return AS_SQLITE;
	return schema_version(head) >= 0 ? AS_LINES : NO_SUMMARY;
}

bool summary_is(const char *path)
{
	return file_kind(path) != NO_SUMMARY;
}

static const char *sql_type(enum cell_type t)
{
	return t == CELL_TEXT ? "TEXT" : "INTEGER";
}

/* ---- statements, made of the lists of columns ------------------------------------------------------------------------- */

static void put_columns(FILE *out, const struct summary_part_info *p, uint32_t n, bool types, const char *mark)
{
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%s%s%s%s", i ? "," : "", mark ? mark : p->cols[i].name, types ? " " : "",
			types ? sql_type(p->cols[i].type) : "");
}

/* Columns of a later version are unknown to an earlier one. */
static uint32_t columns_of(const struct summary_part_info *p, int version)
{
	return version == 1 ? p->n_first : p->n_cols;
}

static void put_unknown(FILE *out, const struct summary_part_info *p, int version)
{
	for (uint32_t i = columns_of(p, version); i < p->n_cols; i++)
		fputs(",NULL", out);
}

/* Of a line ?1 that is an object of this part and has as many keys as it should: what is not there, and what is neither a whole number nor
 * a text, is a blob, which no column takes. */
static void put_line_columns(FILE *out, const struct summary_part_info *p, int version)
{
	for (uint32_t i = 0; i < columns_of(p, version); i++)
		fprintf(out,
			"%sCASE json_type(?1,'$.%s') WHEN 'null' THEN NULL WHEN 'integer' THEN json_extract(?1,'$.%s') "
			"WHEN 'text' THEN json_extract(?1,'$.%s') ELSE x'' END",
			i ? "," : "", p->cols[i].name, p->cols[i].name, p->cols[i].name);
	put_unknown(out, p, version);
	fprintf(out, " WHERE json_extract(?1,'$.part')='%s' AND (SELECT count(*) FROM json_each(?1))=%u", p->name,
		columns_of(p, version) + 1);
}

/* A row that is there already stays, but for what an earlier version did not know: which of both comes first makes no difference. */
static void put_filling(FILE *out, const struct summary_part_info *p)
{
	fputs(p->n_first < p->n_cols ? "UPDATE SET " : "NOTHING", out);
	for (uint32_t i = p->n_first; i < p->n_cols; i++)
		fprintf(out, "%s%s=coalesce(%s,excluded.%s)", i > p->n_first ? "," : "", p->cols[i].name,
			p->cols[i].name, p->cols[i].name);
}

/* Texts that are made of the lists above: short, and never of a file. */
static const char *statement(struct arena *mem, const struct summary_part_info *p, char what, int version)
{
	struct text_stream s;
	FILE *out = must(text_stream_open(&s));
	if (what == 'c') {
		fprintf(out, "CREATE TABLE %s(", p->name);
		put_columns(out, p, p->n_cols, true, NULL);
		fputs(",PRIMARY KEY(", out);
		put_columns(out, p, p->n_key, false, NULL);
		fputs(")) WITHOUT ROWID", out);
	} else if (what == 'i') {
		fprintf(out, "INSERT INTO %s VALUES(", p->name);
		put_columns(out, p, p->n_cols, false, "?");
		fputs(") ON CONFLICT DO ", out);
		put_filling(out, p);
	} else if (what == 'l') {
		fputs("SELECT ", out);
		put_line_columns(out, p, version);
	} else {
		fputs("SELECT ", out);
		put_columns(out, p, columns_of(p, version), false, NULL);
		put_unknown(out, p, version);
		fprintf(out, " FROM main.%s ORDER BY ", p->name);
		put_columns(out, p, p->n_key, false, NULL);
	}
	char *text = must(text_stream_close(&s, NULL));
	const char *kept = arena_printf(mem, "%s", text);
	free(text);
	return kept;
}

static bool failed(sqlite3 *db, const char *path, struct err *e)
{
	if (db && sqlite3_errcode(db) == SQLITE_NOMEM)
		return err_memory(e, path);
	if (db && sqlite3_errcode(db) == SQLITE_INTERRUPT)
		return err_set(e, path, -1, "reading takes longer than any summary should: it is none of ours");
	return err_set(e, path, -1, "not a summary that can be read: %.100s", db ? sqlite3_errmsg(db) : "no memory");
}

static bool run(sqlite3 *db, const char *sql, const char *path, struct err *e)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(db, path, e);
}

static bool prepare_of(sqlite3 *db, const struct summary_part_info *p, char what, int version, const char *path,
		       sqlite3_stmt **out, struct err *e)
{
	struct arena mem = {0};
	bool ok = sqlite3_prepare_v2(db, statement(&mem, p, what, version), -1, out, NULL) == SQLITE_OK ||
		  failed(db, path, e);
	arena_free(&mem);
	return ok;
}

static bool prepare(sqlite3 *db, const struct summary_part_info *p, char what, const char *path, sqlite3_stmt **out,
		    struct err *e)
{
	return prepare_of(db, p, what, SUMMARY_VERSION, path, out, e);
}

struct summary_file *summary_file_new(struct err *e)
{
	struct arena mem = {0};
	struct summary_file *f = must(calloc(1, sizeof *f));
	char sql[96];
	snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d; PRAGMA temp_store=MEMORY; BEGIN",
		 APPLICATION_ID, SUMMARY_VERSION);
	bool ok = sqlite3_open_v2(":memory:", &f->db, BY_ONE_THREAD | SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
		  run(f->db, sql, "summary", e);
	for (int i = 0; ok && i < SUMMARY_PART_COUNT; i++) {
		const struct summary_part_info *p = summary_part_info((enum summary_part)i);
		ok = run(f->db, statement(&mem, p, 'c', SUMMARY_VERSION), "summary", e) &&
		     prepare(f->db, p, 'i', "summary", &f->to[i], e);
	}
	arena_free(&mem);
	if (ok)
		return f;
	summary_file_free(f);
	return NULL;
}

void summary_file_free(struct summary_file *f)
{
	if (!f)
		return;
	for (int i = 0; i < SUMMARY_PART_COUNT; i++)
		sqlite3_finalize(f->to[i]);
	sqlite3_close(f->db);
	free(f);
}

/* ---- rows in ------------------------------------------------------------------------------------------------------------ */

static bool insert(sqlite3 *db, sqlite3_stmt *to, const char *path, struct err *e)
{
	bool ok = sqlite3_step(to) == SQLITE_DONE || failed(db, path, e);
	sqlite3_reset(to);
	return ok;
}

static void bind_cell(sqlite3_stmt *to, uint32_t c, const struct cell *cell, enum cell_type type)
{
	int at = (int)c + 1;
	if (cell->null)
		sqlite3_bind_null(to, at);
	else if (type == CELL_TEXT)
		sqlite3_bind_text(to, at, cell->s, -1, SQLITE_STATIC);
	else
		sqlite3_bind_int64(to, at, cell->i);
}

static bool add_part(struct summary_file *f, enum summary_part part, const struct table *rows, struct err *e)
{
	const struct summary_part_info *p = summary_part_info(part);
	bool ok = true;
	for (uint32_t r = 0; ok && r < rows->n_rows; r++) {
		for (uint32_t c = 0; c < p->n_cols; c++)
			bind_cell(f->to[part], c, table_cell(rows, r, c), p->cols[c].type);
		ok = insert(f->db, f->to[part], "summary", e);
	}
	return ok;
}

bool summary_file_add(struct summary_file *f, const struct summary *s, struct err *e)
{
	bool ok = true;
	for (int i = 0; ok && i < SUMMARY_PART_COUNT; i++)
		ok = add_part(f, (enum summary_part)i, s->parts[i], e);
	return ok;
}

/* ---- somebody's file ---------------------------------------------------------------------------------------------------- */

static int too_long(void *looks)
{
	return ++*(int *)looks > LOOKS_MOST;
}

static bool one_number(sqlite3 *db, const char *sql, int64_t *out)
{
	sqlite3_stmt *s = NULL;
	bool ok = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
	*out = ok ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_finalize(s);
	return ok;
}

static bool check_version(int version, const char *path, struct err *e)
{
	return (version >= 1 && version <= SUMMARY_VERSION) ||
	       err_set(e, path, -1, "a summary of version %d; this program reads versions 1 to %d", version,
		       SUMMARY_VERSION);
}

/* Tables, and nothing else: a view or a trigger is none of ours. */
static bool check_schema(sqlite3 *db, const char *path, struct err *e)
{
	int64_t id, version, other, parts;
	if (!one_number(db, "PRAGMA application_id", &id) || !one_number(db, "PRAGMA user_version", &version))
		return failed(db, path, e);
	if (id != APPLICATION_ID)
		return err_set(e, path, -1, "a database, but no summary: stepscope summarize makes them");
	TRY(check_version((int)version, path, e));
	if (!one_number(db, "SELECT count(*) FROM main.sqlite_schema WHERE type NOT IN ('table','index')", &other) ||
	    !one_number(db,
			"SELECT count(*) FROM main.sqlite_schema WHERE type='table' AND sql LIKE 'CREATE TABLE %' AND "
			"name IN ('recordings','steps','calls')",
			&parts))
		return failed(db, path, e);
	return (!other && parts == SUMMARY_PART_COUNT) ||
	       err_set(e, path, -1, "a summary whose tables are not those that stepscope writes");
}

static sqlite3 *open_untrusted(const char *path, int *looks, struct err *e)
{
	sqlite3 *db = NULL;
	*looks = 0;
	if (sqlite3_open_v2(path, &db,
			    BY_ONE_THREAD | SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW,
			    NULL) != SQLITE_OK &&
	    sqlite3_close(db) == SQLITE_OK &&
	    sqlite3_open_v2(path, &db, BY_ONE_THREAD | SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE, NULL) !=
		    SQLITE_OK) {
		failed(db, path, e);
		sqlite3_close(db);
		return NULL;
	}
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, TEXT_MOST * 4);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, TEXT_MOST);
	sqlite3_limit(db, SQLITE_LIMIT_COLUMN, SUMMARY_MOST_COLUMNS * 2);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 10000);
	sqlite3_progress_handler(db, STEPS_PER_LOOK, too_long, looks);
	if (run(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", path, e) && check_schema(db, path, e))
		return db;
	sqlite3_close(db);
	return NULL;
}

/* No sum or difference of what is let in overflows. */
static bool in_range(const struct column *c, int64_t v)
{
	int64_t most = INT64_C(1) << (c->unit == UNIT_COUNT ? 46 : c->unit == UNIT_NS ? 61 : 53);
	return v <= most && v >= (c->unit == UNIT_COUNT ? 0 : -most);
}

/* Binds what is of the type that the column has, or null where the key does not need it: as it lies in its row. */
static bool bind_checked(sqlite3_value *v, sqlite3_stmt *to, uint32_t c, const struct summary_part_info *p)
{
	int type = sqlite3_value_type(v), at = (int)c + 1;
	if (type == SQLITE_NULL)
		return c >= p->n_key && sqlite3_bind_null(to, at) == SQLITE_OK;
	if (p->cols[c].type != CELL_TEXT) {
		int64_t number = type == SQLITE_INTEGER ? sqlite3_value_int64(v) : INT64_MIN;
		return in_range(&p->cols[c], number) && sqlite3_bind_int64(to, at, number) == SQLITE_OK;
	}
	const char *text = type == SQLITE_TEXT ? (const char *)sqlite3_value_text(v) : NULL;
	int n = sqlite3_value_bytes(v);
	return text && n <= TEXT_MOST && strlen(text) == (size_t)n &&
	       sqlite3_bind_text(to, at, text, n, SQLITE_STATIC) == SQLITE_OK;
}

static bool take_checked(sqlite3 *db, sqlite3_stmt *from, sqlite3_stmt *to, const struct summary_part_info *p,
			 const char *path, struct err *e)
{
	for (uint32_t c = 0; c < p->n_cols; c++)
		if (!bind_checked(sqlite3_column_value(from, (int)c), to, c, p))
			return err_set(e, path, -1, "a value of %s.%s is not of its kind", p->name, p->cols[c].name);
	return insert(db, to, path, e);
}

static bool merge_part(struct summary_file *f, sqlite3 *db, int version, enum summary_part part, const char *path,
		       struct err *e)
{
	const struct summary_part_info *p = summary_part_info(part);
	sqlite3_stmt *from = NULL;
	bool ok = prepare_of(db, p, 's', version, path, &from, e);
	int got = SQLITE_ROW;
	while (ok && (got = sqlite3_step(from)) == SQLITE_ROW)
		ok = take_checked(f->db, from, f->to[part], p, path, e);
	if (ok && got != SQLITE_DONE)
		ok = failed(db, path, e);
	sqlite3_finalize(from);
	return ok;
}

static bool merge_sqlite(struct summary_file *f, const char *path, struct err *e)
{
	int looks;
	int64_t version;
	sqlite3 *db = open_untrusted(path, &looks, e);
	bool ok = db != NULL && (one_number(db, "PRAGMA user_version", &version) || failed(db, path, e));
	for (int i = 0; ok && i < SUMMARY_PART_COUNT; i++)
		ok = merge_part(f, db, (int)version, (enum summary_part)i, path, e);
	sqlite3_close(db);
	return ok;
}

/* ---- somebody's lines --------------------------------------------------------------------------------------------------- */

struct line_reader {
	struct summary_file *f;
	const char *path;
	sqlite3_stmt *from[SUMMARY_VERSION][SUMMARY_PART_COUNT];
};

/* SQLITE_ROW: it was one of this part and version, and is taken if *ok; else why it was none. */
static int take_line_as(const struct line_reader *r, int version, int part, const char *line, size_t n, bool *ok,
			struct err *e)
{
	sqlite3_stmt *from = r->from[version - 1][part];
	sqlite3_bind_text(from, 1, line, (int)n, SQLITE_STATIC);
	int got = sqlite3_step(from);
	*ok = got == SQLITE_ROW &&
	      take_checked(r->f->db, from, r->f->to[part], summary_part_info((enum summary_part)part), r->path, e);
	sqlite3_reset(from);
	return got;
}

/* As its part's row, of whatever version; the line that names the schema may come again, as where files were put after each other. */
static bool take_line(const struct line_reader *r, const char *line, size_t n, int64_t at, struct err *e)
{
	bool ok = false;
	int got = SQLITE_DONE;
	if (schema_version(line) >= 0)
		return check_version(schema_version(line), r->path, e);
	for (int version = SUMMARY_VERSION; version >= 1 && got == SQLITE_DONE; version--)
		for (int i = 0; i < SUMMARY_PART_COUNT && got == SQLITE_DONE; i++)
			got = take_line_as(r, version, i, line, n, &ok, e);
	if (got == SQLITE_NOMEM)
		return err_memory(e, r->path);
	return got == SQLITE_ROW ? ok : err_set(e, r->path, at, "a line that is no row of a summary");
}

static bool take_lines(const struct line_reader *r, gzFile in, struct err *e)
{
	char *line = must(malloc(LINE_MOST));
	int64_t at = 0;
	int wrong = Z_OK;
	bool ok = true;
	while (ok && gzgets(in, line, LINE_MOST)) {
		size_t n = strlen(line);
		bool whole = (n && line[n - 1] == '\n') || gzeof(in);
		/* SQLite's versions differ in what they make of a text that holds a zero */
		ok = (whole && !strstr(line, "\\u0000")) ||
		     err_set(e, r->path, at, "a line that is longer than any of a summary, or whose text holds a zero");
		ok = ok && take_line(r, line, n, at, e);
		at += (int64_t)n;
	}
	free(line);
	gzerror(in, &wrong);
	return ok && (wrong == Z_OK || err_set(e, r->path, at, "cannot be read further"));
}

static bool merge_lines(struct summary_file *f, const char *path, struct err *e)
{
	struct line_reader r = {.f = f, .path = path};
	gzFile in = gzopen(path, "rbe");
	bool ok = in || err_set(e, path, -1, "cannot be read");
	for (int i = 0; ok && i < SUMMARY_VERSION * SUMMARY_PART_COUNT; i++)
		ok = prepare_of(f->db, summary_part_info((enum summary_part)(i % SUMMARY_PART_COUNT)), 'l',
				i / SUMMARY_PART_COUNT + 1, path,
				&r.from[i / SUMMARY_PART_COUNT][i % SUMMARY_PART_COUNT], e);
	ok = ok && take_lines(&r, in, e);
	for (int i = 0; i < SUMMARY_PART_COUNT; i++)
		for (int version = 0; version < SUMMARY_VERSION; version++)
			sqlite3_finalize(r.from[version][i]);
	if (in)
		gzclose(in);
	return ok;
}

bool summary_file_merge(struct summary_file *f, const char *path, struct err *e)
{
	return file_kind(path) == AS_LINES ? merge_lines(f, path, e) : merge_sqlite(f, path, e);
}

/* ---- out ------------------------------------------------------------------------------------------------------------------ */

bool summary_file_save(struct summary_file *f, const char *path, unsigned output_flags, struct err *e)
{
	sqlite3_int64 size = 0;
	TRY(sqlite3_get_autocommit(f->db) || run(f->db, "COMMIT; VACUUM", "summary", e));
	unsigned char *bytes = sqlite3_serialize(f->db, "main", &size, 0);
	struct output *o = bytes ? output_open(path, output_flags | OUTPUT_BINARY, e) : NULL;
	bool ok = o != NULL;
	if (!bytes)
		err_memory(e, path);
	if (o) {
		fwrite(bytes, 1, (size_t)size, output_stream(o));
		ok = output_close(o, e) == OUTPUT_DONE;
	}
	sqlite3_free(bytes);
	return ok;
}

static void take_row(sqlite3_stmt *from, const struct summary_part_info *p, struct arena *mem, struct table *out)
{
	struct cell *row = table_row(out);
	for (uint32_t c = 0; c < p->n_cols; c++) {
		if (sqlite3_column_type(from, (int)c) == SQLITE_NULL)
			continue;
		if (p->cols[c].type == CELL_TEXT)
			cell_text(&row[c], arena_strdup(mem, (const char *)sqlite3_column_text(from, (int)c)));
		else
			cell_int(&row[c], sqlite3_column_int64(from, (int)c));
	}
}

bool summary_file_rows(struct summary_file *f, struct arena *mem, struct summary *out, struct err *e)
{
	bool ok = true;
	summary_new(out, mem);
	for (int i = 0; ok && i < SUMMARY_PART_COUNT; i++) {
		const struct summary_part_info *p = summary_part_info((enum summary_part)i);
		sqlite3_stmt *from = NULL;
		ok = prepare(f->db, p, 's', "summary", &from, e);
		while (ok && sqlite3_step(from) == SQLITE_ROW)
			take_row(from, p, mem, out->parts[i]);
		sqlite3_finalize(from);
	}
	return ok;
}
