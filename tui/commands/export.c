/* tui/commands/export.c - the selected window as a file beside where the user stands. Written by the worker; the screen stays alive. */
#include "tui/explorer/pane.h"
#include "model/analysis/kernels/filter_said.h"
#include "model/store/base/memory.h"
#include "model/store/saved/save.h"
#include "tui/export/export.h"
#include "tui/report/report.h"
#include "tui/screen/shot.h"
#include "tui/tables/human_table.h"
#include "tui/tables/table_write.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct export_job {
	struct state *st;
	struct report_req req;
	struct filter *filter; /* its own: a filter belongs to one thread */
	char path[512];
	unsigned flags;        /* of output.h */
	enum export_format as; /* of what is no report */
	bool ok;
	struct err err;
};

/* "gap:3" -> "gap-3", "12.5ms..20ms" -> "12.5ms-20ms": nothing a shell or another system would stumble over. */
static void file_word(const char *text, char *buf, size_t size)
{
	size_t n = 0;
	for (; *text && n + 1 < size; text++) {
		bool plain =
			isalnum((unsigned char)*text) || (*text == '.' && text[1] != '.' && n && buf[n - 1] != '-');
		if (plain)
			buf[n++] = *text;
		else if (n && buf[n - 1] != '-')
			buf[n++] = '-';
	}
	buf[n] = 0;
}

/* The first name that is still free: stepscope-gap-3.html, stepscope-gap-3-2.html, ... */
static void free_name(const char *word, const char *ending, unsigned flags, char *buf, size_t size)
{
	char plain[128], name[256];
	file_word(word, plain, sizeof plain);
	snprintf(name, sizeof name, "stepscope-%s.%s", plain, ending);
	if (flags & OUTPUT_FORCE || !output_free_name(name, buf, size))
		snprintf(buf, size, "%s", name);
}

static unsigned output_flags(const struct state *st)
{
	return OUTPUT_ON_SCREEN | OUTPUT_CHECKED | (st->opts->force ? OUTPUT_FORCE : 0);
}

static bool is_file(const char *path, const struct stat *file)
{
	struct stat s;
	return stat(path, &s) == 0 && s.st_dev == file->st_dev && s.st_ino == file->st_ino;
}

/* No file that the trace came from, by whatever name; ctx: the struct state. */
static bool spares_trace(const void *ctx, const char *path, struct err *e)
{
	const struct state *st = ctx;
	struct stat out;
	if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
		return true;
	bool read = false;
	for (uint32_t i = 0; i < trace_sources(st->t) && !read; i++)
		read = is_file(trace_source(st->t, i).path, &out);
	for (int i = 0; i < st->opts->n_paths && !read; i++)
		read = is_file(st->opts->paths[i], &out);
	return !read || err_unwritten(e, "%.200s is the trace that is open here; write to another file", path);
}

static bool may_write(const struct state *st, const char *path, unsigned more, struct err *e)
{
	return output_check(path, output_flags(st) | more, e) && spares_trace(st, path, e);
}

static void write_report(void *ctx)
{
	struct export_job *j = ctx;
	/* memory that runs out here is an output that cannot be written, not a trace that cannot be read */
	memory_use(MEMORY_WRITES);
	j->ok = (!j->filter || filter_bind_derived(j->filter, j->req.d, NULL, &j->err)) &&
		report_save(&j->req, j->path, j->flags, &j->err);
	memory_use(MEMORY_READS);
}

static void tell(void *ctx)
{
	struct export_job *j = ctx;
	if (j->ok)
		state_say(j->st, INK_GOOD, "wrote %s (%s)", j->path, j->req.window.text);
	else
		state_say_err(j->st, &j->err);
	filter_free(j->filter);
	free(j);
}

static bool start(struct state *st, enum report_format format, const char *path, struct err *e)
{
	struct export_job *j = calloc(1, sizeof *j);
	if (!j)
		return err_memory(e, NULL);
	const struct app_opts *o = st->opts;
	j->st = st;
	j->flags = output_flags(st);
	j->err.at = -1;
	j->filter = st->filter ? filter_new(filter_text(st->filter), NULL) : NULL;
	j->req = (struct report_req){.d = st->d,
				     .window = nav_export_window(st),
				     .filter = j->filter,
				     .format = format,
				     .paths = o->paths,
				     .n_paths = o->n_paths,
				     .program = o->program,
				     .redact = o->redact,
				     .all_steps = st->all_steps};
	if (path)
		snprintf(j->path, sizeof j->path, "%s", path);
	else
		free_name(j->req.window.text, report_format_ending(format), j->flags, j->path, sizeof j->path);
	/* now, while the user looks: the worker writes seconds later */
	bool sound = may_write(st, j->path, 0, e);
	if (sound) {
		state_say(st, INK_STATUS, "writing %s ...", j->path);
		sound = tables_run(st->tables, "report", write_report, tell, j) ||
			err_usage(e, "too many jobs at once; try again in a moment");
	}
	if (!sound) {
		filter_free(j->filter);
		free(j);
	}
	return sound;
}

static uint32_t analysis_of_pane(const struct state *st)
{
	const struct tab *t = tab_of(st);
	if (st->view.pane == PANE_TABLE)
		return st->view.analysis;
	return t && t->table ? analysis_index(tab_shown(st, t)->table) : NONE_ID;
}

static const struct table *table_of_pane(const struct state *st, uint32_t analysis)
{
	if (pane_of(st)->shown)
		return pane_of(st)->shown(st);
	return analysis == NONE_ID ? NULL : tables_get(st->tables, analysis, false);
}

/* The table of this pane, at once: it is in memory. */
static bool export_csv(struct state *st, struct err *e)
{
	uint32_t analysis = analysis_of_pane(st);
	const struct table *t = table_of_pane(st, analysis);
	char path[512], word[128];
	if (!t)
		return err_usage(e, "CSV is the table of a pane: open one with 3, 4, 5, 6, 9 or :table NAME");
	if (st->window.kind == WINDOW_ALL)
		snprintf(word, sizeof word, "%s", t->name);
	else
		snprintf(word, sizeof word, "%.30s-%.90s", t->name, st->window.text);
	free_name(word, "csv", output_flags(st), path, sizeof path);
	TRY(spares_trace(st, path, e));
	struct output *o = output_open(path, output_flags(st), e);
	TRY(o != NULL);
	struct arena mem = {0};
	bool turned = t == tables_get(st->tables, analysis, false);
	if (turned) /* programs want the numbers */
		t = machine_table(t, tables_raw(st->tables, analysis, false), &mem);
	enum table_format form = st->opts->spreadsheet ? TABLE_SPREADSHEET : TABLE_CSV;
	table_write(t, form, output_stream(o), st->opts->paths, st->opts->n_paths, 0);
	arena_free(&mem);
	TRY(output_close(o, e) == OUTPUT_DONE);
	state_say(st, INK_GOOD, "wrote %s", path);
	return true;
}

/* ---- for other programs --------------------------------------------------------------------------------------------- */

static void write_export(void *ctx)
{
	struct export_job *j = ctx;
	const struct export_req r = {.d = j->req.d,
				     .tables = TABLE_CSV,
				     .window = j->req.window,
				     .paths = j->req.paths,
				     .n_paths = j->req.n_paths,
				     .redact = j->req.redact,
				     .all_steps = j->req.all_steps};
	memory_use(MEMORY_WRITES);
	j->ok = export_save(&r, j->as, j->path, j->flags, &j->err);
	memory_use(MEMORY_READS);
}

/* path: NULL = a name of its own, with that ending. */
static bool start_export(struct state *st, enum export_format as, const char *path, const char *ending, struct err *e)
{
	struct window w = nav_export_window(st);
	const struct app_opts *o = st->opts;
	char name[512];
	if (path)
		snprintf(name, sizeof name, "%s", path);
	else
		free_name(w.text, ending, output_flags(st), name, sizeof name);
	TRY(export_check(as, name, w.kind != WINDOW_ALL, o->redact, output_flags(st), e) && spares_trace(st, name, e));
	TRY(as != EXPORT_FOLDER || export_folder_check(name, TABLE_CSV, output_flags(st), spares_trace, st, e));
	struct export_job *j = calloc(1, sizeof *j);
	if (!j)
		return err_memory(e, NULL);
	*j = (struct export_job){.st = st, .flags = output_flags(st), .as = as, .err.at = -1};
	j->req = (struct report_req){.d = st->d,
				     .window = w,
				     .paths = o->paths,
				     .n_paths = o->n_paths,
				     .redact = o->redact,
				     .all_steps = st->all_steps};
	snprintf(j->path, sizeof j->path, "%s", name);
	state_say(st, INK_STATUS, "writing %s ...", j->path);
	if (tables_run(st->tables, "export", write_export, tell, j))
		return true;
	free(j);
	return err_usage(e, "too many jobs at once; try again in a moment");
}

static void export_as(struct state *st, enum action a)
{
	static const struct {
		enum action action;
		enum report_format format;
	} formats[] = {{ACT_AS_HTML, REPORT_HTML},
		       {ACT_AS_MD, REPORT_MD},
		       {ACT_AS_SVG, REPORT_SVG},
		       {ACT_AS_JSON, REPORT_JSON},
		       {ACT_AS_TEXT, REPORT_TEXT}};
	struct err e = {.at = -1};
	bool ok = true;
	if (a == ACT_AS_CSV)
		ok = export_csv(st, &e);
	if (a == ACT_AS_PERFETTO)
		ok = start_export(st, EXPORT_CHROME_GZ, NULL, "json.gz", &e);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].action == a)
			ok = start(st, formats[i].format, NULL, &e);
	if (!ok)
		state_say_err(st, &e);
}

void export_key(struct state *st, int key)
{
	enum action a = keymap_find(SCOPE_EXPORT, false, key);
	st->mode = MODE_PANE;
	if (a != ACT_NONE && a != ACT_AS_NONE)
		export_as(st, a);
}

bool export_named(struct state *st, const char *word, struct err *e)
{
	enum report_format format;
	if (strcmp(word, "csv") == 0)
		return export_csv(st, e);
	enum export_format as;
	if (strcmp(word, "perfetto") == 0)
		return start_export(st, EXPORT_CHROME_GZ, NULL, "json.gz", e);
	if (strpbrk(word, "./") && !report_format_parse(word, &format) && export_format_of(word, &as, NULL))
		return start_export(st, as, word, NULL, e);
	if (!report_format_parse(word, &format))
		return err_usage(
			e,
			"\"%s\" is neither a format (md html svg json text csv perfetto) nor a file name with such an "
			"ending (or .json.gz, .xplane.pb, .sqlite, .folded, .stepscope, or a folder as out/)",
			word);
	return start(st, format, strpbrk(word, "./") ? word : NULL, e);
}

/* ---- the trace itself --------------------------------------------------------------------------------------------- */

static void write_trace(void *ctx)
{
	struct export_job *j = ctx;
	memory_use(MEMORY_WRITES);
	j->ok = trace_save(derived_trace(j->req.d), j->path, j->flags, &j->err);
	memory_use(MEMORY_READS);
}

static void tell_saved(void *ctx)
{
	struct export_job *j = ctx;
	if (j->ok)
		state_say(j->st, INK_GOOD, "wrote %s", j->path);
	else
		state_say_err(j->st, &j->err);
	free(j);
}

bool export_trace(struct state *st, const char *path, struct err *e)
{
	TRY(may_write(st, path, OUTPUT_BINARY, e));
	struct export_job *j = calloc(1, sizeof *j);
	if (!j)
		return err_memory(e, NULL);
	j->st = st;
	j->flags = output_flags(st);
	j->err.at = -1;
	j->req.d = st->d;
	snprintf(j->path, sizeof j->path, "%s", path);
	state_say(st, INK_STATUS, "writing %s ...", j->path);
	if (tables_run(st->tables, "saved trace", write_trace, tell_saved, j))
		return true;
	free(j);
	return err_usage(e, "too many jobs at once; try again in a moment");
}

/* ---- the screen --------------------------------------------------------------------------------------------------- */

bool export_screen(const struct state *st, const char *path, struct err *e)
{
	enum shot_form form;
	struct surface s = {0};
	TRY(shot_form_parse(path, &form, e) && may_write(st, path, 0, e));
	struct output *o = output_open(path, output_flags(st), e);
	TRY(o != NULL);
	surface_resize(&s, st->rows, st->cols);
	s.ascii = st->ascii;
	state_draw(st, &s);
	shot_write(output_stream(o), &s, &st->theme, form, "a screen of stepscope");
	surface_free(&s);
	return output_close(o, e) == OUTPUT_DONE;
}
