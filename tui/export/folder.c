/* tui/export/folder.c - every table as a file of its own. */
#include "formats.h"
#include "model/analysis/analysis.h"
#include "model/analysis/query/shared.h"
#include "model/store/files/output.h"
#include "tui/tables/scrub.h"
#include "tui/tables/human_table.h"
#include "tui/tables/named_table.h"
#include "tui/tables/table_write.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char *const endings[] = {[TABLE_TEXT] = "txt", [TABLE_CSV] = "csv",     [TABLE_JSON] = "json",
				      [TABLE_MD] = "md",    [TABLE_JSONL] = "jsonl", [TABLE_SPREADSHEET] = "csv"};

static const char *file_of(const char *folder, const struct table_desc *a, enum table_format format, struct arena *mem)
{
	size_t n = strlen(folder);
	return arena_printf(mem, "%s%s%s.%s", folder, n && folder[n - 1] == '/' ? "" : "/", a->name, endings[format]);
}

bool export_folder_check(const char *path, enum table_format format, unsigned flags, export_spares *spares,
			 const void *ctx, struct err *e)
{
	struct arena mem = {0};
	struct stat st;
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	bool ok = true;
	if (stat(path, &st) == 0)
		for (uint32_t i = 0; ok && i < n; i++) {
			const char *file = file_of(path, list[i], format, &mem);
			ok = output_check(file, flags & ~(unsigned)OUTPUT_CHECKED, e) &&
			     (!spares || spares(ctx, file, e));
		}
	arena_free(&mem);
	return ok;
}

static bool write_one(const struct export_req *r, const struct table *t, const char *path, unsigned flags,
		      struct err *e)
{
	struct output *o = output_open(path, flags, e);
	TRY(o != NULL);
	table_write(t, r->tables, output_stream(o), r->paths, r->tables == TABLE_JSON ? r->n_paths : 0, 0);
	return output_close(o, e) == OUTPUT_DONE;
}

/* As `stepscope table` gives it in that format. */
static const struct table *as_asked(const struct export_req *r, const struct scrub *scrub, struct table *t,
				    struct arena *mem, struct err *e)
{
	if (scrub)
		return scrub_table(scrub, t, mem);
	if (r->tables != TABLE_TEXT && r->tables != TABLE_MD)
		return t;
	t = named_table(t, r->d, NAMES_SHORT, mem, e);
	return t ? human_table(t, r->d, false, mem) : NULL;
}

static bool export_table(const struct export_req *r, const struct scrub *scrub, const struct table_desc *a,
			 struct query *q, const char *folder, unsigned flags, struct err *e)
{
	struct arena mem = {0};
	struct table *made = analysis_run(a, r->d, q, &mem, r->progress, e);
	const struct table *t = made ? as_asked(r, scrub, made, &mem, e) : NULL;
	bool ok = t && write_one(r, t, file_of(folder, a, r->tables, &mem), flags, e);
	arena_free(&mem);
	return ok;
}

bool export_folder(const struct export_req *r, const char *path, unsigned flags, struct err *e)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	struct query q = window_query(&r->window, NULL);
	q.all_steps = r->all_steps;
	TRY(export_folder_check(path, r->tables, flags, NULL, NULL, e));
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return err_unwritten(e, "cannot make the folder %.200s: %s", path, strerror(errno));
	q.shared = shared_new(&q);
	struct scrub *scrub = r->redact ? scrub_new(r->d) : NULL;
	bool ok = true;
	for (uint32_t i = 0; ok && i < n; i++) {
		q.all_columns = r->all_args && !strcmp(list[i]->name, "events");
		ok = export_table(r, scrub, list[i], &q, path, flags, e);
		progress_written(r->progress, i + 1, n);
	}
	shared_free(q.shared);
	scrub_free(scrub);
	return ok;
}
