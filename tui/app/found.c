#include "found.h"
#include "remember.h"
#include "importers/importer.h"
#include "model/store/base/clock.h"
#include "model/store/base/units.h"
#include "tui/text/put.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A folder that is still to be looked into. */
struct folder {
	const char *path;
	int depth;
	bool run; /* of plugins/profile: what lies in it is one trace */
};
struct search {
	struct found_list *l;
	struct folder *folders;
	size_t n_folders, next;
	unsigned entries;
	int64_t until_ms;
};

static bool ends_in(const char *text, const char *ending)
{
	size_t n = strlen(text), k = strlen(ending);
	return n >= k && strcmp(text + n - k, ending) == 0;
}

static bool is_trace_name(const char *name)
{
	static const char *const endings[] = {".stepscope", ".pt.trace.json", ".pt.trace.json.gz",
					      ".pt.trace.json.zst"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ends_in(name, endings[i]))
			return true;
	return importer_is_run_name(name);
}

static struct found *add(struct found_list *l, const char *path, const struct stat *st)
{
	l->at = arena_next_row(&l->mem, l->at, l->n, sizeof *l->at);
	l->at[l->n] = (struct found){.path = path, .bytes = st->st_size, .changed_s = st->st_mtim.tv_sec};
	return &l->at[l->n++];
}

/* ---- below a folder ----------------------------------------------------------------------------------------------- */

static void add_folder(struct search *s, const char *path, int depth, bool run)
{
	s->folders = arena_next_row(&s->l->mem, s->folders, s->n_folders, sizeof *s->folders);
	s->folders[s->n_folders++] = (struct folder){path, depth, run};
}

static void add_file(struct search *s, struct found **run, const struct folder *in, const char *path,
		     const struct stat *st)
{
	if (!in->run) {
		add(s->l, path, st);
	} else if (!*run) {
		*run = add(s->l, in->path, st);
	} else {
		(*run)->bytes += st->st_size;
		(*run)->changed_s = st->st_mtim.tv_sec > (*run)->changed_s ? st->st_mtim.tv_sec : (*run)->changed_s;
	}
}

/* The clock is asked now and then: a small tree is looked through whole, however slow the machine is. */
static bool spent(struct search *s)
{
	enum { LOOKS_PER_CLOCK = 256 };
	bool late = ++s->entries % LOOKS_PER_CLOCK == 0 && now_ms() > s->until_ms;
	return s->l->cut = s->l->cut || late || s->entries > FOUND_ENTRIES;
}

static void look_at(struct search *s, const struct folder *in, struct found **run, int dir_fd, const char *name)
{
	struct stat st;
	bool trace = is_trace_name(name);
	if (fstatat(dir_fd, name, &st, trace ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
		return;
	const char *path = strcmp(in->path, ".") == 0 ? arena_strdup(&s->l->mem, name)
						      : arena_printf(&s->l->mem, "%s/%s", in->path, name);
	if (S_ISDIR(st.st_mode) && in->depth < FOUND_DEPTH && !in->run)
		add_folder(s, path, in->depth + 1, ends_in(in->path, "plugins/profile"));
	else if (S_ISREG(st.st_mode) && trace)
		add_file(s, run, in, path, &st);
}

/* Folders are passed over by name alone: most of a tree is neither a folder nor a trace, and needs no look of its own. */
static bool worth_a_look(const struct dirent *entry)
{
	bool unknown = entry->d_type == DT_UNKNOWN || entry->d_type == DT_DIR;
	return entry->d_name[0] != '.' && (unknown || is_trace_name(entry->d_name));
}

static void look_into(struct search *s, struct folder in)
{
	struct found *run = NULL;
	DIR *d = opendir(in.path);
	for (struct dirent *entry; d && !spent(s) && (entry = readdir(d));)
		if (worth_a_look(entry))
			look_at(s, &in, &run, dirfd(d), entry->d_name);
	if (d)
		closedir(d);
}

static int by_age(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	if (x->changed_s != y->changed_s)
		return x->changed_s < y->changed_s ? 1 : -1;
	return strcmp(x->path, y->path);
}

/* ---- both --------------------------------------------------------------------------------------------------------- */

static void add_recent(struct found_list *l)
{
	const char *const *paths;
	struct stat st;
	size_t n = remember_recent(&paths, &l->mem);
	for (size_t i = 0; i < n; i++)
		if (stat(paths[i], &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
			add(l, paths[i], &st)->opened = true;
}

void found_traces(struct found_list *l, const char *folder)
{
	*l = (struct found_list){0};
	add_recent(l);
	size_t n_recent = l->n;
	struct search s = {.l = l, .until_ms = now_ms() + FOUND_MS};
	add_folder(&s, folder, 0, false);
	while (s.next < s.n_folders && !l->cut)
		look_into(&s, s.folders[s.next++]);
	if (l->n > n_recent)
		qsort(l->at + n_recent, l->n - n_recent, sizeof *l->at, by_age);
	l->cut |= l->n - n_recent > FOUND_MOST;
	l->n = l->n - n_recent > FOUND_MOST ? n_recent + FOUND_MOST : l->n;
}

void found_free(struct found_list *l)
{
	arena_free(&l->mem);
	*l = (struct found_list){0};
}

/* ---- as text ------------------------------------------------------------------------------------------------------ */

const char *found_age(int64_t changed_s, int64_t now_s, char *buf, size_t size)
{
	static const struct {
		int64_t seconds, until;
		const char *unit;
	} units[] = {{60, 120, "min"}, {3600, 48, "hours"}, {86400, 60, "days"}, {30 * 86400, 24, "months"}};
	int64_t age = now_s - changed_s;
	if (age < 60) {
		snprintf(buf, size, "now");
		return buf;
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (age / units[i].seconds < units[i].until) {
			snprintf(buf, size, "%" PRId64 " %s", age / units[i].seconds, units[i].unit);
			return buf;
		}
	snprintf(buf, size, "%" PRId64 " years", age / (365 * 86400));
	return buf;
}

void found_print(const struct found_list *l, FILE *f)
{
	int64_t now_s = time(NULL);
	for (size_t i = 0; i < l->n; i++) {
		char size[UNITS_BUF], age[UNITS_BUF];
		const struct found *t = &l->at[i];
		if (i == 0 || l->at[i - 1].opened != t->opened)
			fprintf(f, "%s%s\n", i ? "\n" : "", t->opened ? "Opened before" : "Below this folder");
		fprintf(f, "  %10s  %9s  ", fmt_bytes(size, t->bytes), found_age(t->changed_s, now_s, age, sizeof age));
		put_plain(f, t->path);
		fputc('\n', f);
	}
	if (l->cut)
		fputs("There may be more; look in a folder nearer to them.\n", f);
}
