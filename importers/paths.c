#include "paths.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "importers/file_names.h"
#include "importers/importer.h"
#include "model/store/base/memory.h"

static void add(struct path_list *l, const char *path, bool by_name)
{
	l->path = must(realloc(l->path, (l->n + 1) * sizeof *l->path));
	l->by_name = must(realloc(l->by_name, (l->n + 1) * sizeof *l->by_name));
	l->path[l->n] = must(strdup(path));
	l->by_name[l->n++] = by_name;
}

void paths_free(struct path_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->path[i]);
	free(l->path);
	free(l->by_name);
	*l = (struct path_list){0};
}

char *path_join(const char *dir, const char *name)
{
	char *p = NULL;
	const char *slash = *dir && dir[strlen(dir) - 1] == '/' ? "" : "/";
	return must(asprintf(&p, "%s%s%s", dir, slash, name) < 0 ? NULL : p);
}

static bool is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Visits the entries of a directory in order of name, numbers by value (rank2 before rank10), until `visit` says stop (false). */
static bool each_entry(const char *dir, bool (*visit)(void *ctx, const char *path, const char *name), void *ctx)
{
	struct dirent **all;
	bool go_on = true;
	int n = scandir(dir, &all, not_hidden, versionsort);
	if (n < 0 && errno == ENOMEM)
		memory_exhausted(); /* not: a folder without traces */
	if (n < 0)
		return true;
	for (int i = 0; i < n; i++) {
		char *path = go_on ? path_join(dir, all[i]->d_name) : NULL;
		if (path)
			go_on = visit(ctx, path, all[i]->d_name);
		free(path);
		free(all[i]);
	}
	free(all);
	return go_on;
}

/* ---- folders of runs --------------------------------------------------------------------------------------------- */

static bool not_of_run(void *ctx, const char *path, const char *name)
{
	(void)ctx;
	return !importer_is_run_name(name) || is_dir(path);
}

static bool is_run(const char *dir)
{
	return is_dir(dir) && !each_entry(dir, not_of_run, NULL);
}

struct newest {
	char *path;
	char name[256];
	time_t changed;
};

/* Runs are named by their time (2024_05_31_12_00_00); copying changes file times, not names. */
static bool newer(const struct newest *n, const char *name, time_t changed)
{
	if (!n->path)
		return true;
	if (isdigit((unsigned char)name[0]) && isdigit((unsigned char)n->name[0]))
		return strcmp(name, n->name) > 0;
	return changed > n->changed;
}

static bool visit_run(void *ctx, const char *path, const char *name)
{
	struct newest *n = ctx;
	struct stat st;
	if (!is_run(path) || stat(path, &st) || !newer(n, name, st.st_mtime))
		return true;
	free(n->path);
	n->path = must(strdup(path));
	n->changed = st.st_mtime;
	snprintf(n->name, sizeof n->name, "%s", name);
	return true;
}

static void runs_below(const char *dir, const char *below, struct newest *n)
{
	char *path = path_join(dir, below);
	each_entry(path, visit_run, n);
	free(path);
}

static bool visit_logdir(void *ctx, const char *path, const char *name)
{
	(void)name;
	if (is_dir(path))
		runs_below(path, "plugins/profile", ctx);
	return true;
}

/* The newest run of a log folder: below plugins/profile, directly below, or in the folders of a job ("train"). */
static char *newest_run(const char *dir)
{
	struct newest n = {0};
	runs_below(dir, "plugins/profile", &n);
	runs_below(dir, "profile", &n);
	each_entry(dir, visit_run, &n);
	if (!n.path)
		each_entry(dir, visit_logdir, &n);
	return n.path;
}

/* ---- what a folder gives ------------------------------------------------------------------------------------------- */

static bool take_of_run(void *ctx, const char *path, const char *name)
{
	if (importer_is_run_name(name) && !is_dir(path))
		add(ctx, path, false);
	return true;
}

/* Databases of other programs, and summaries of ours, lie among traces under the same ending. */
static bool is_other_database(const char *path)
{
	enum { HEAD_BYTES = 64 << 10, SURE = 50 };
	static const char magic[] = "SQLite format 3";
	unsigned char *head = must(malloc(HEAD_BYTES));
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(head, 1, HEAD_BYTES, f) : 0;
	int score = 0;
	bool database = n > sizeof magic && memcmp(head, magic, sizeof magic) == 0;
	if (database)
		importer_for(head, n, &score);
	if (f)
		fclose(f);
	free(head);
	return database && score < SURE;
}

static bool take_trace(void *ctx, const char *path, const char *name)
{
	if (importer_is_name(name) && !is_dir(path) && !is_other_database(path))
		add(ctx, path, false);
	return true;
}

/* ---- folders of ranks ---------------------------------------------------------------------------------------------- */

static bool visit_rank(void *ctx, const char *path, const char *name)
{
	if (is_dir(path) && rank_in_name(name) >= 0)
		each_entry(path, take_trace, ctx);
	return true;
}

static bool visit_node(void *ctx, const char *path, const char *name)
{
	if (is_dir(path) && rank_in_name(name) < 0)
		each_entry(path, visit_rank, ctx);
	return true;
}

/* "rank_0/trace.json", "rank_1/trace.json", or these in a folder for each node: one run. */
static void take_ranks(struct path_list *l, const char *dir)
{
	each_entry(dir, visit_rank, l);
	each_entry(dir, visit_node, l);
}

static bool has_traces(void *ctx, const char *path, const char *name)
{
	struct path_list l = {0};
	char **first = ctx;
	if (is_dir(path))
		each_entry(path, take_trace, &l);
	if (l.n)
		*first = must(strdup(name));
	paths_free(&l);
	return !*first;
}

static bool no_trace(const char *dir, struct err *e)
{
	char *below = NULL;
	each_entry(dir, has_traces, &below);
	if (below)
		err_set(e, dir, -1,
			"no trace in this folder itself, but in folders below it, as %.80s: open one of them, or name "
			"the files of one run",
			below);
	else
		err_set(e, dir, -1,
			"no trace in this folder: no *.xplane.pb, no profiler run, no JSON trace, no *.sqlite");
	free(below);
	return false;
}

static bool is_parquet(const char *dir)
{
	static const char ending[] = ".parquetdir";
	size_t n = strlen(dir), k = sizeof ending - 1;
	while (n && dir[n - 1] == '/')
		n--;
	return n >= k && memcmp(dir + n - k, ending, k) == 0;
}

static bool expand_dir(struct path_list *l, const char *dir, struct err *e)
{
	size_t before = l->n;
	if (access(dir, R_OK | X_OK) != 0)
		return err_set(e, dir, -1, "%s", strerror(errno));
	if (is_parquet(dir))
		return err_set(
			e, dir, -1,
			"Parquet tables of Nsight Systems, which are not read: export the report with `nsys export "
			"--type sqlite REPORT.nsys-rep`");
	if (is_run(dir)) {
		each_entry(dir, take_of_run, l);
		return true;
	}
	char *run = newest_run(dir);
	if (run)
		each_entry(run, take_of_run, l);
	else
		each_entry(dir, take_trace, l);
	free(run);
	if (l->n == before)
		take_ranks(l, dir);
	return l->n > before || no_trace(dir, e);
}

bool paths_expand(struct path_list *l, const char *path, struct err *e)
{
	if (strcmp(path, "-") != 0 && is_dir(path))
		return expand_dir(l, path, e);
	add(l, path, true);
	return true;
}
