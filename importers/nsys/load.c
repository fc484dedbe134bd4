/* importers/nsys/load.c - an export of Nsight Systems (`nsys export --type sqlite`), table by table. Tables and columns are
 * found by name: exporters make only those that have rows, and newer ones have more. */
#include "nsys.h"
#include <stdlib.h>
#include <string.h>
#include "importers/file_names.h"
#include "importers/importer.h"

static int sniff(const unsigned char *head, size_t n)
{
	static const char *const words[] = {"CUPTI_ACTIVITY_KIND", "NVTX_EVENTS", "META_DATA_EXPORT", "StringIds",
					    "ENUM_NSYS"};
	if (n < 16 || memcmp(head, "SQLite format 3", 16))
		return 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (memmem(head, n, words[i], strlen(words[i])))
			return 100;
	return 40; /* its list of tables may lie after what is seen here */
}

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

static bool walk_all(struct nsys *n, const struct row_table *t)
{
	bool any = false;
	for (; t->name && !progress_cancelled(n->progress); t++)
		any |= walk_table(n->db, t, t->name, n, n->notes);
	return any;
}

static bool walk_nvtx(struct nsys *n)
{
	walk_all(n, nsys_payload_tables);
	walk_table(n->db, &nsys_nvtx_tables[0], nsys_nvtx_tables[0].name, n, NULL);
	return walk_all(n, &nsys_nvtx_tables[1]);
}

static bool in_list(const struct row_table *t, const char *name)
{
	for (; t->name; t++)
		if (strcasecmp(t->name, name) == 0)
			return true;
	return false;
}

/* What explains other tables, or speaks of the capture: not events. */
static bool is_background(const char *name)
{
	static const char *const begins[] = {
		"ENUM_",           "META_DATA_",     "TARGET_INFO_", "ANALYSIS_", "NVTX_PAYLOAD_",
		"sqlite_",         "ProcessStreams", "StringIds",    "EXPORT_",   "SAMPLING_CALLCHAINS",
		"CUDA_CALLCHAINS", "OSRT_CALLCHAINS"};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncasecmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static void note_unread(struct nsys *n)
{
	const char *name;
	for (uint32_t i = 0; (name = database_table(n->db, i)); i++) {
		bool read = in_list(nsys_first_tables, name) || in_list(nsys_device_tables, name) ||
			    in_list(nsys_host_tables, name) || in_list(nsys_nvtx_tables, name) ||
			    in_list(nsys_payload_tables, name) || in_list(nsys_system_tables, name);
		if (!read && !is_background(name) && table_has_rows(n->db, name))
			notes_add(n->notes, NOTE_TABLE_UNREAD, -1, 1);
	}
}

/* ---- the file ------------------------------------------------------------------------------------------------------------- */

static void begin(struct nsys *n)
{
	static const char *const words[] = {
#define NSYS_WORD_TEXT(id, text) text,
		NSYS_WORDS(NSYS_WORD_TEXT)
#undef NSYS_WORD_TEXT
	};
	for (int i = 0; i < WORD_COUNT; i++)
		n->words[i] = strings_addz(n->strings, words[i]);
	n->string_ids = lookup_new(n->db, "StringIds", "id", "value");
	if (n->string_ids) {
		n->notes->entries += lookup_rows(n->string_ids);
		n->notes->merged += lookup_rows(n->string_ids);
	}
	n->base_ns = n->epoch_ns = UNKNOWN_I64;
}

/* The wall clock of time 0: events count from the system's own clock, of older versions from the start of the capture. */
static void tell_epoch(struct nsys *n)
{
	int64_t epoch = n->epoch_ns;
	if (epoch != UNKNOWN_I64 && !__builtin_sub_overflow(epoch, n->base_ns == UNKNOWN_I64 ? 0 : n->base_ns, &epoch))
		ingest_epoch(n->in, epoch);
}

static bool walk_file(struct nsys *n)
{
	begin(n);
	walk_all(n, nsys_first_tables);
	tell_epoch(n);
	bool any = walk_all(n, nsys_device_tables);
	nsys_settle_hosts(n);
	any |= walk_all(n, nsys_host_tables);
	any |= walk_nvtx(n);
	any |= walk_all(n, nsys_system_tables);
	note_unread(n);
	if (database_cut(n->db))
		notes_add(n->notes, NOTE_TRUNCATED, database_bytes(n->db), 1);
	return any;
}

static bool verdict(const struct nsys *n, const char *name, bool any, struct err *e)
{
	if (progress_cancelled(n->progress))
		return err_usage(e, "cancelled");
	if (any)
		return true;
	return err_set(
		e, name, -1,
		"an SQLite database, but no table of events of Nsight Systems or rocprofv3 in it has a row: export the "
		"report with `nsys export --type sqlite REPORT.nsys-rep`");
}

/* What `stepscope export -o NAME.sqlite` wrote has tables of answers, some of which are called as tables of other programs are. */
static bool no_own_export(const struct nsys *n, const char *name, struct err *e)
{
	if (!database_has(n->db, "about") || !database_has(n->db, "table_columns") || !database_has(n->db, "evidence"))
		return true;
	return err_set(e, name, -1,
		       "a database that stepscope exported: it holds tables for SQL (sqlite3 FILE), no timeline; to "
		       "open a window "
		       "again, export it as .stepscope or .json");
}

static bool load(struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	struct nsys *n = calloc(1, sizeof *n);
	if (!n)
		return err_memory(e, source_name(src));
	*n = (struct nsys){.in = in,
			   .notes = ingest_notes(in),
			   .strings = ingest_strings(in),
			   .attrs = ingest_attrs(in),
			   .progress = p,
			   .rank = rank_in_name(source_name(src)),
			   .db = database_open(src, p, e)};
	bool ok = n->db != NULL && no_own_export(n, source_name(src), e);
	if (ok) {
		host_in_name(source_name(src), n->stem, sizeof n->stem);
		ingest_fact(in, "producer", PRODUCER_NSYS);
		ok = verdict(n, source_name(src), walk_file(n), e);
	}
	lookup_free(n->string_ids);
	database_close(n->db);
	nsys_places_free(n);
	free(n);
	return ok;
}

static const char *const endings[] = {".sqlite", NULL};
const struct importer importer_nsys = {.name = "nsys",
				       .what = "an export of Nsight Systems (.sqlite)",
				       .endings = endings,
				       .sniff = sniff,
				       .load = load,
				       .traits = SOURCE_PROFILER | SOURCE_OUTSIDE,
				       .producer = PRODUCER_NSYS};
