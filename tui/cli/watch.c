#include "watch.h"
#include "importers/importer.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include "model/store/base/paths.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct seen {
	char *path;
	struct timespec changed;
	int64_t size_bytes;
	unsigned look; /* the last one that met it */
	bool settled;  /* unchanged since the last scan: complete */
	bool told;
};
struct watch {
	char *dir;
	struct seen *at;
	size_t n, cap;
	unsigned look;
	char *told; /* what watch_look gave last */
};

struct watch *watch_new(const char *dir, struct err *e)
{
	struct stat st;
	bool there = stat(dir, &st) == 0;
	if (!there || (S_ISDIR(st.st_mode) && access(dir, R_OK | X_OK) != 0)) {
		if (there || errno != ENOENT)
			err_set(e, dir, -1, "%s", strerror(errno));
		else
			err_set(e, dir, -1,
				"there is no such folder; name the one that the profiles are written to, or make it "
				"first: mkdir -p %.200s",
				dir);
		return NULL;
	}
	if (!S_ISDIR(st.st_mode)) {
		err_usage(e, "'%.200s' is not a folder; 'stepscope %.80s' opens a file", dir, dir);
		return NULL;
	}
	struct watch *w = calloc(1, sizeof *w);
	if (!w || !(w->dir = strdup(dir))) {
		free(w);
		err_memory(e, NULL);
		return NULL;
	}
	const char *none;
	watch_look(w, &none);
	for (size_t i = 0; i < w->n; i++) /* what stands there already is not new */
		w->at[i].told = true;
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n; i++)
		free(w->at[i].path);
	free(w->at);
	free(w->dir);
	free(w->told);
	free(w);
}

/* ---- one file ----------------------------------------------------------------------------------------------------- */

static struct seen *find(struct watch *w, const char *path)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->at[i].path, path) == 0)
			return &w->at[i];
	return NULL;
}

static struct seen *add(struct watch *w, const char *path)
{
	if (!TRY_GROW_ARRAY(w->at, w->n, w->cap))
		return NULL;
	struct seen s = {.path = strdup(path), .size_bytes = -1};
	if (!s.path)
		return NULL;
	w->at[w->n] = s;
	return &w->at[w->n++];
}

static void look_at(struct watch *w, const char *path, const struct stat *st)
{
	struct seen *s = find(w, path);
	if (!s && !(s = add(w, path)))
		return;
	bool same = s->size_bytes == st->st_size && s->changed.tv_sec == st->st_mtim.tv_sec &&
		    s->changed.tv_nsec == st->st_mtim.tv_nsec;
	/* written again since it was told: that is another trace */
	if (!same && s->told && s->size_bytes >= 0)
		s->told = false;
	s->size_bytes = st->st_size;
	s->changed = st->st_mtim;
	s->look = w->look;
	/* two looks with nothing changed between them, and not empty: its writer has finished */
	if (!same || !s->settled)
		s->settled = same && st->st_size > 0;
}

/* A file that was settled and could not be read whole: its writer had only paused. Young ones get another chance. */
bool watch_doubt(struct watch *w, const char *path)
{
	struct timespec now;
	bool young = false;
	size_t n = strlen(path);
	clock_gettime(CLOCK_REALTIME, &now);
	for (size_t i = 0; i < w->n; i++) {
		struct seen *s = &w->at[i];
		if (strncmp(s->path, path, n) != 0 || now.tv_sec - s->changed.tv_sec > WATCH_YOUNG_S)
			continue;
		s->told = s->settled = false;
		s->size_bytes = -1;
		young = true;
	}
	return young;
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

static void look_into(struct watch *w, const char *dir, int depth)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	/* hidden ones are of programs that are still writing; links are not followed, so there is no circle */
	while (d && (entry = readdir(d))) {
		char *path = NULL;
		struct stat st;
		if (entry->d_name[0] == '.' || asprintf(&path, "%s/%s", dir, entry->d_name) < 0)
			continue;
		bool there = fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0;
		if (there && S_ISDIR(st.st_mode) && depth < WATCH_MAX_DEPTH)
			look_into(w, path, depth + 1);
		else if (there && S_ISREG(st.st_mode) && importer_is_name(entry->d_name))
			look_at(w, path, &st);
		free(path);
	}
	if (d)
		closedir(d);
}

static void forget_gone(struct watch *w)
{
	size_t kept = 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->at[i].look == w->look)
			w->at[kept++] = w->at[i];
		else
			free(w->at[i].path);
	w->n = kept;
}

static bool earlier(const struct seen *a, const struct seen *b)
{
	if (a->changed.tv_sec != b->changed.tv_sec)
		return a->changed.tv_sec < b->changed.tv_sec;
	return a->changed.tv_nsec < b->changed.tv_nsec;
}

/* Everything in a run folder belongs to one profile: all of it must be finished. */
static bool run_settled(const struct watch *w, const struct seen *s)
{
	for (size_t i = 0; i < w->n; i++)
		if (path_same_folder(w->at[i].path, s->path) && !w->at[i].settled)
			return false;
	return true;
}

static bool in_run(const struct watch *w, const struct seen *s)
{
	for (size_t i = 0; i < w->n; i++)
		if (importer_is_run_name(w->at[i].path) && path_same_folder(w->at[i].path, s->path))
			return true;
	return false;
}

static bool tell(struct watch *w, struct seen *s, const char **path)
{
	bool run = in_run(w, s);
	free(w->told);
	w->told = must(run ? strndup(s->path, path_folder_bytes(s->path)) : strdup(s->path));
	for (size_t i = 0; run && i < w->n; i++)
		if (path_same_folder(w->at[i].path, s->path))
			w->at[i].told = true;
	s->told = true;
	*path = w->told;
	return w->told != NULL;
}

bool watch_look(struct watch *w, const char **path)
{
	struct seen *oldest = NULL;
	w->look++;
	look_into(w, w->dir, 0);
	forget_gone(w);
	for (size_t i = 0; i < w->n; i++) {
		struct seen *s = &w->at[i];
		bool ready = !s->told && s->settled && (!in_run(w, s) || run_settled(w, s));
		if (ready && (!oldest || earlier(s, oldest)))
			oldest = s;
	}
	return oldest && tell(w, oldest, path);
}

void watch_counts(const struct watch *w, unsigned *known, unsigned *growing)
{
	*known = (unsigned)w->n;
	*growing = 0;
	for (size_t i = 0; i < w->n; i++)
		*growing += !w->at[i].settled;
}
