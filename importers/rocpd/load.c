/* importers/rocpd/load.c - a database of rocprofv3 (`rocprofv3 --output-format rocpd`), set by set of its tables. */
#include "rocpd.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "importers/file_names.h"
#include "importers/importer.h"
#include "model/store/base/spans.h"

static int sniff(const unsigned char *head, size_t n)
{
	if (n < 16 || memcmp(head, "SQLite format 3", 16))
		return 0;
	return memmem(head, n, "rocpd_", 6) ? 100 : 0;
}

static bool walk(struct rocpd *x, const struct row_table *t)
{
	char name[256];
	snprintf(name, sizeof name, "%s%s", t->name, x->suffix);
	return walk_table(x->db, t, name, x, x->notes);
}

/* What explains other tables, or can be made of them. */
static bool is_background(const char *name)
{
	static const char *const begins[] = {"rocpd_info_", "rocpd_metadata", "rocpd_string",
					     "rocpd_event", "rocpd_track",    "sqlite_"};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (text_starts(name, begins[i]))
			return true;
	for (const struct row_table *t = rocpd_tables; t->name; t++)
		if (text_starts(name, t->name))
			return true;
	return false;
}

static void note_unread(struct rocpd *x)
{
	const char *name;
	for (uint32_t i = 0; (name = database_table(x->db, i)); i++)
		if (!is_background(name) && table_has_rows(x->db, name))
			notes_add(x->notes, NOTE_TABLE_UNREAD, -1, 1);
}

/* The tables of one set are called alike but for their suffix; this one is in every set. */
static const char *const in_every_set = "rocpd_info_process";

static uint32_t count_sets(const struct rocpd *x)
{
	uint32_t n = 0;
	const char *name;
	for (uint32_t i = 0; (name = database_table(x->db, i)); i++)
		n += strncmp(name, in_every_set, strlen(in_every_set)) == 0;
	return n;
}

static bool walk_set(struct rocpd *x, const char *host)
{
	bool any = false;
	x->host = ingest_host(x->in, host, rank_in_name(host));
	rocpd_set_begin(x);
	for (const struct row_table *t = rocpd_info_tables; t->name; t++)
		walk(x, t);
	for (const struct row_table *t = rocpd_tables; t->name && !progress_cancelled(x->progress); t++)
		any |= walk(x, t);
	rocpd_set_end(x);
	return any;
}

static bool walk_sets(struct rocpd *x, const char *path)
{
	char stem[256], host[300];
	const char *name;
	bool any = false;
	uint32_t sets = count_sets(x), at = 0;
	host_in_name(path, stem, sizeof stem);
	for (uint32_t i = 0; (name = database_table(x->db, i)); i++) {
		if (strncmp(name, in_every_set, strlen(in_every_set)) != 0)
			continue;
		x->suffix = name + strlen(in_every_set);
		snprintf(host, sizeof host, sets > 1 ? "%s:%u" : "%s", stem, at++);
		any |= walk_set(x, host);
	}
	note_unread(x);
	if (database_cut(x->db))
		notes_add(x->notes, NOTE_TRUNCATED, database_bytes(x->db), 1);
	return any;
}

static bool load(struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	struct rocpd x = {.in = in,
			  .notes = ingest_notes(in),
			  .strings = ingest_strings(in),
			  .attrs = ingest_attrs(in),
			  .progress = p,
			  .db = database_open(src, p, e)};
	if (!x.db)
		return false;
	x.memory_lane = strings_addz(x.strings, "memory");
	x.hip = strings_addz(x.strings, "hip");
	ingest_fact(in, "producer", "rocprofv3");
	bool ok = walk_sets(&x, source_name(src));
	if (progress_cancelled(p))
		ok = err_usage(e, "cancelled");
	else if (!ok)
		err_set(e, source_name(src), -1, "a database of rocprofv3 without a kernel, a copy or a call");
	database_close(x.db);
	return ok;
}

static const char *const endings[] = {".db", NULL};
const struct importer importer_rocpd = {.name = "rocpd",
					.what = "a database of rocprofv3 (.db)",
					.endings = endings,
					.sniff = sniff,
					.load = load,
					.traits = SOURCE_PROFILER,
					.producer = "rocprofv3"};
