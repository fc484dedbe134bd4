/* tui/export/folder.c - every table as a file of its own. */
#include "formats.h"
#include "model/analysis/analysis.h"
#include "model/analysis/query/shared.h"
#include "model/store/files/output.h"
#include "scrub.h"
#include "tui/tables/table_write.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool write_one(const struct export_req *r, const struct table *t, const char *path, unsigned flags,
		      struct err *e)
{
	struct output *o = output_open(path, flags, e);
	TRY(o != NULL);
	table_write(t, r->json_lines ? TABLE_JSONL : TABLE_CSV, output_stream(o), NULL, 0, 0);
	return output_close(o, e) == OUTPUT_DONE;
}

static bool export_table(const struct export_req *r, const struct scrub *scrub, const struct table_desc *a,
			 struct query *q, const char *folder, unsigned flags, struct err *e)
{
	struct arena mem = {0};
	struct table *t = a->run(r->d, q, &mem, r->progress, e);
	t = t ? scrub_table(scrub, t, &mem) : NULL;
	size_t n = strlen(folder);
	bool ok = t && write_one(r, t,
				 arena_printf(&mem, "%s%s%s.%s", folder, n && folder[n - 1] == '/' ? "" : "/", a->name,
					      r->json_lines ? "jsonl" : "csv"),
				 flags, e);
	arena_free(&mem);
	return ok;
}

bool export_folder(const struct export_req *r, const char *path, unsigned flags, struct err *e)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	struct query q = window_query(&r->window, NULL);
	q.all_steps = r->all_steps;
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return err_unwritten(e, "cannot make the folder %.200s: %s", path, strerror(errno));
	q.shared = shared_new(&q);
	struct scrub *scrub = r->redact ? scrub_new(r->d) : NULL;
	bool ok = true;
	for (uint32_t i = 0; ok && i < n; i++) {
		q.all_columns = r->all_args && !strcmp(list[i]->name, "events");
		ok = export_table(r, scrub, list[i], &q, path, flags, e);
	}
	shared_free(q.shared);
	scrub_free(scrub);
	return ok;
}
