/* importers/rocprof/load.c - tables of text: results.csv of rocprof and rocprofv2; of rocprofv3 the traces of kernels, copies, calls, allocations and scratch memory, and counters.
 * What one process gave lies in several files, "PID_kernel_trace.csv" beside "PID_hip_api_trace.csv": those in one folder are one host. */
#include "rocprof.h"
#include <stdlib.h>
#include <string.h>
#include "importers/file_names.h"
#include "importers/importer.h"
#include "model/store/base/memory.h"

/* ---- lines ------------------------------------------------------------------------------------------------------------------------- */

enum { FIRST_LINE_BYTES = 4096 };

static size_t line_length(const char *p, size_t have, bool *ended)
{
	size_t n = have < LONGEST_LINE_BYTES ? have : LONGEST_LINE_BYTES;
	const char *newline = memchr(p, '\n', n);
	*ended = newline != NULL;
	return newline ? (size_t)(newline - p) : n;
}

static size_t without_return(const char *p, size_t n)
{
	return n && p[n - 1] == '\r' ? n - 1 : n;
}

static size_t mark_bytes(const void *p, size_t n)
{
	return n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static int sniff(const unsigned char *head, size_t n)
{
	struct fields *f = must(malloc(sizeof *f));
	struct table t;
	bool ended;
	size_t mark = mark_bytes(head, n), length = line_length((const char *)head + mark, n - mark, &ended);
	char *line = must(malloc(length + 1));
	memcpy(line, head + mark, length);
	bool known = ended && fields_cut(line, without_return(line, length), f) && table_head(&t, f);
	free(line);
	free(f);
	return known ? 100 : 0;
}

/* Copies the next line and goes after it; `at` receives where it began. False: there is none. */
static bool next_line(struct reader *x, size_t *n, int64_t *at)
{
	size_t have, want = FIRST_LINE_BYTES;
	const char *p = (const char *)source_need(x->src, want, &have);
	bool ended;
	*n = line_length(p, have, &ended);
	while (!ended && have >= want && *n < LONGEST_LINE_BYTES) {
		p = (const char *)source_need(x->src, want *= 4, &have);
		*n = line_length(p, have, &ended);
	}
	*at = source_at(x->src);
	if (!have)
		return false;
	memcpy(x->line, p, *n);
	source_skip(x->src, *n + ended);
	*n = without_return(x->line, *n);
	return true;
}

static void take_line(struct reader *x, size_t n, int64_t at)
{
	x->notes->entries++;
	if (fields_cut(x->line, n, &x->fields))
		rocprof_row(x, at);
	else
		notes_add(x->notes, NOTE_BAD_RECORD, at, 1);
}

/* ---- the file ----------------------------------------------------------------------------------------------------------------------- */

static bool take_head(struct reader *x)
{
	size_t n;
	int64_t at;
	if (!next_line(x, &n, &at))
		return false;
	size_t mark = mark_bytes(x->line, n);
	if (!fields_cut(x->line + mark, n - mark, &x->fields) || !table_head(&x->table, &x->fields))
		return false;
	for (unsigned i = 0; i < x->table.fields && i < MOST_FIELDS; i++)
		x->keys[i] = strings_add(x->strings, x->fields.at[i].p, x->fields.at[i].n);
	return true;
}

static bool take_lines(struct reader *x, struct progress *p, struct err *e)
{
	size_t n;
	int64_t at;
	bool known = take_head(x);
	while (known && next_line(x, &n, &at)) {
		if (progress_cancelled(p))
			return err_usage(e, "cancelled");
		/* rocprofv2 leaves a line free after the first one */
		if (n)
			take_line(x, n, at);
	}
	rocprof_rows_end(x);
	return x->taken ||
	       err_set(e, source_name(x->src), -1, "a table of rocprof without a line that has a name and its times");
}

/* ---- which run ------------------------------------------------------------------------------------------------------------------------ */

/* Counters are of a run of their own, in which kernels wait for each other: their dispatches are not put beside those of a trace. */
static const char *const tables_of_a_run[] = {
	"kernel_trace",  "memory_copy_trace", "memory_allocation_trace", "scratch_memory_trace", "hip_api_trace",
	"hsa_api_trace", "marker_api_trace",  "rccl_api_trace",          "rocdecode_api_trace",  "rocjpeg_api_trace"};

/* "1234_kernel_trace" becomes "1234"; a name that says nothing else is left to the tool. False: no file of several. */
static bool cut_table(char *host)
{
	size_t n = strlen(host);
	for (size_t i = 0; i < sizeof tables_of_a_run / sizeof *tables_of_a_run; i++) {
		size_t k = strlen(tables_of_a_run[i]);
		if (n < k || strcmp(host + n - k, tables_of_a_run[i]) != 0 || (n > k && host[n - k - 1] != '_'))
			continue;
		if (n > k)
			host[n - k - 1] = 0;
		else
			strcpy(host, "rocprofv3"); /* shorter than any of them */
		return true;
	}
	return false;
}

static uint32_t host_of(struct ingest *in, const char *path)
{
	char host[256];
	host_in_name(path, host, sizeof host);
	return cut_table(host) ? ingest_host_of_run(in, host, rank_in_name(path))
			       : ingest_host(in, host, rank_in_name(path));
}

static bool load(struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	struct reader *x = must(calloc(1, sizeof *x));
	x->in = in;
	x->src = src;
	x->notes = ingest_notes(in);
	x->strings = ingest_strings(in);
	x->attrs = ingest_attrs(in);
	x->amd = strings_addz(x->strings, "AMD");
	x->host = host_of(in, source_name(src));
	ingest_fact(in, "producer", "rocprof");
	bool ok = take_lines(x, p, e);
	if (source_damage(src))
		notes_add(x->notes, NOTE_STREAM_DAMAGED, source_at(src), 1);
	idmap_free(&x->dispatches);
	idmap_free(&x->pools);
	free(x);
	return ok;
}

static const char *const endings[] = {"results.csv",
				      "kernel_trace.csv",
				      "memory_copy_trace.csv",
				      "memory_allocation_trace.csv",
				      "scratch_memory_trace.csv",
				      "api_trace.csv",
				      NULL};
const struct importer importer_rocprof = {
	.name = "rocprof",
	.what = "a table of rocprof (results.csv, kernel_trace.csv, memory_copy_trace.csv, hip_api_trace.csv)",
	.endings = endings,
	.sniff = sniff,
	.load = load,
	.traits = SOURCE_PROFILER,
	.producer = "rocprof"};
