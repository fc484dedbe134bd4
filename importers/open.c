#include "open.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "archive_choice.h"
#include "cache.h"
#include "environment.h"
#include "importer.h"
#include "paths.h"
#include "report_export.h"
#include "model/store/base/clock.h"
#include "model/store/saved/save.h"

enum { SNIFF_BYTES = 64 << 10, DATABASE_HEAD_BYTES = 1 << 20, SURE = 50 };

enum { MOST_THREADS = 4, LEAST_WINDOW_BYTES = 7, MOST_WINDOW_BYTES = 4 << 20 };

static unsigned thread_count(const struct open_opts *o)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t usual = environment_number("STEPSCOPE_THREADS", 1, MOST_THREADS, cores > 0 ? cores : 1);
	unsigned n = o->threads ? o->threads : (unsigned)usual;
	return n < MOST_THREADS ? n : MOST_THREADS;
}

/* 0 = the source's own choice */
static size_t window_bytes(const struct open_opts *o)
{
	int64_t usual = environment_number("STEPSCOPE_WINDOW_BYTES", LEAST_WINDOW_BYTES, MOST_WINDOW_BYTES, 0);
	return o->window_bytes ? o->window_bytes : (size_t)usual;
}

static struct source *open_source(const char *path, const struct open_opts *o, struct err *e)
{
	struct source *s = source_open(path, o->progress, e);
	if (s && window_bytes(o))
		source_set_window(s, window_bytes(o));
	if (s)
		source_set_threads(s, thread_count(o));
	return s;
}

/* The importer for what the source begins with, or NULL and why there is none. */
static const struct importer *recognise(struct source *s, int *score, struct err *e)
{
	size_t n;
	const unsigned char *head = source_need(s, SNIFF_BYTES, &n);
	if (n > 16 && memcmp(head, "SQLite format 3", 16) == 0) /* its list of tables takes more */
		head = source_need(s, DATABASE_HEAD_BYTES, &n);
	const char *refusal = trace_is_saved(head, n) ? "a saved stepscope file: open it alone, by its name, unpacked"
						      : importer_refusal(head, n);
	if (source_io_error(s, e))
		return NULL;
	if (n == 0 && source_damage(s)) {
		err_set(e, source_name(s), 0, "%s", source_damage(s));
		return NULL;
	}
	const struct importer *i = refusal ? NULL : importer_for(head, n, score);
	if (!i)
		err_set(e, source_name(s), 0, "%s", refusal ? refusal : "not a trace in a format that stepscope knows");
	return i;
}

/* The file was truncated or written to while it was read. */
static void note_changes(const struct source *s, struct notes *n, uint64_t cut_before)
{
	int64_t cut_at = source_cut_at(s);
	if (cut_at >= 0 && n->at[NOTE_TRUNCATED].count == cut_before)
		notes_add(n, NOTE_TRUNCATED, cut_at, 1);
	if (source_changed(s))
		notes_add(n, NOTE_CHANGED, -1, 1);
}

/* path: what the source is called. */
static bool load_source(struct ingest *in, struct source *s, const char *path, const struct open_opts *o, struct err *e)
{
	int score;
	const struct importer *i = recognise(s, &score, e);
	if (!i)
		return false;
	ingest_source(in, path, i->name);
	ingest_promise(in, i->traits, i->producer);
	ingest_expect(in, source_file_bytes(s));
	uint64_t cut_before = ingest_notes(in)->at[NOTE_TRUNCATED].count;
	bool ok = i->load(s, in, o->progress, e);
	note_changes(s, ingest_notes(in), cut_before);
	return ok;
}

/* ---- archives --------------------------------------------------------------------------------------------------------- */

static bool skip_unreadable(struct ingest *in, const char *path)
{
	ingest_source(in, path, "unreadable");
	notes_add(ingest_notes(in), NOTE_FILE_SKIPPED, -1, 1);
	return true;
}

/* One file of an archive; one of several may be left out. *left: bytes that may still be unpacked. */
static bool load_member(struct ingest *in, struct members *m, const char *path, bool alone, int64_t *left,
			const struct open_opts *o, struct err *e)
{
	struct source *s = source_stream(members_read, m, path, NULL);
	if (!s)
		return err_memory(e, path);
	if (window_bytes(o))
		source_set_window(s, window_bytes(o));
	source_set_threads(s, thread_count(o));
	source_bound(s, *left);
	bool ok = load_source(in, s, path, o, e);
	*left -= source_at(s);
	source_close(s);
	return ok || (!alone && !(e && e->memory) && !progress_cancelled(o->progress) && skip_unreadable(in, path));
}

static bool load_members(struct ingest *in, struct source *outer, struct archive_choice *chosen,
			 const struct open_opts *o, struct err *e)
{
	struct members *m = members_open(outer, o->progress, e);
	const char *name;
	bool ok = m;
	for (size_t i = 0; ok && (name = members_next(m)); i++) {
		char *path = i < chosen->n && chosen->wanted[i] ? path_join(source_name(outer), name) : NULL;
		if (path)
			ok = load_member(in, m, path, chosen->traces == 1, &chosen->most_bytes, o, e);
		free(path);
	}
	if (ok && members_damage(m))
		notes_add(ingest_notes(in), NOTE_TRUNCATED, -1, 1);
	members_close(m);
	return ok;
}

/* The archive is read twice: for what it holds, then for what is meant. */
static bool load_archive(struct ingest *in, struct source *s, const struct open_opts *o, struct err *e)
{
	struct archive_choice chosen;
	int64_t done = o->progress ? atomic_load(&o->progress->bytes_done) : 0;
	if (!archive_choose(&chosen, s, source_bytes_now(s), o->progress, e)) {
		archive_choice_free(&chosen);
		return false;
	}
	if (o->progress)
		atomic_store(&o->progress->bytes_done, done);
	struct source *again = open_source(source_name(s), o, e);
	bool ok = again && load_members(in, again, &chosen, o, e);
	if (ok && source_changed(s))
		notes_add(ingest_notes(in), NOTE_CHANGED, -1, 1);
	source_close(again);
	archive_choice_free(&chosen);
	return ok;
}

/* ---- reports of Nsight Systems ---------------------------------------------------------------------------------------- */

static bool load_report(struct ingest *in, const char *path, const struct open_opts *o, struct err *e)
{
	struct report_export x;
	bool ok = report_export(&x, path, o->cache, o->progress, e);
	struct source *s = ok ? open_source(x.file, o, e) : NULL;
	ok = s && load_source(in, s, path, o, e);
	source_close(s);
	report_export_remove(&x);
	return ok;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

/* begun: the file, where it was opened ahead; else NULL. */
static bool load_file(struct ingest *in, const char *path, bool by_name, struct source *begun,
		      const struct open_opts *o, struct err *e)
{
	size_t n;
	struct source *s = begun ? begun : open_source(path, o, e);
	const unsigned char *head = s ? source_need(s, SNIFF_BYTES, &n) : NULL;
	bool file = s && by_name && source_bytes_now(s) >= 0 && strcmp(path, "-") != 0;
	bool ok = false;
	if (file && archive_is(head, n))
		ok = load_archive(in, s, o, e);
	else if (file && source_file(s) >= 0 && report_is(head, n))
		ok = load_report(in, path, o, e);
	else
		ok = s && load_source(in, s, path, o, e);
	source_close(s);
	return ok;
}

/* What kind of trace a file of a folder is; NULL when it is none for sure. */
static const struct importer *kind_of(const char *path, const struct open_opts *o)
{
	int score = 0;
	/* without the caller's progress: a look at the beginning is no reading, and takes no more than that */
	struct open_opts quiet = {.threads = 1, .window_bytes = o->window_bytes ? o->window_bytes : SNIFF_BYTES};
	struct source *s = open_source(path, &quiet, NULL);
	const struct importer *i = s ? recognise(s, &score, NULL) : NULL;
	source_close(s);
	return score >= SURE ? i : NULL;
}

/* A folder must hold one kind of trace: which one is meant cannot be guessed. */
static bool one_kind(const struct path_list *l, const struct open_opts *o, struct err *e)
{
	const struct importer *kind = NULL;
	for (size_t i = 0; i < l->n; i++) {
		const struct importer *k = l->by_name[i] ? NULL : kind_of(l->path[i], o);
		if (k && kind && k != kind)
			return err_set(e, l->path[i], -1,
				       "this folder holds traces of several formats: name the files to open");
		kind = k ? k : kind;
	}
	return true;
}

static void announce_size(const struct path_list *l, struct progress *p)
{
	int64_t total = 0;
	struct stat st;
	if (!p)
		return;
	for (size_t i = 0; i < l->n; i++)
		total += strcmp(l->path[i], "-") != 0 && stat(l->path[i], &st) == 0 ? st.st_size : 0;
	atomic_store(&p->bytes_total, total);
	atomic_store(&p->bytes_done, 0);
	atomic_store(&p->phase, PHASE_READ);
}

/* The beginning of a packed file is unpacked while the one before it is still read: what either core would wait for at the border of two
 * files is there. NULL: it is opened when its turn comes, and what is wrong with it is told then. */
static struct source *begin_file(const char *path, const struct open_opts *o)
{
	struct stat st;
	bool file = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	struct source *s = file && thread_count(o) > 1 ? open_source(path, o, NULL) : NULL;
	if (s && source_begin(s))
		return s;
	source_close(s);
	return NULL;
}

static bool load_all(struct ingest *in, const struct path_list *l, const struct open_opts *o, struct err *e)
{
	size_t loaded = 0;
	struct source *next = NULL;
	for (size_t i = 0; i < l->n; i++) {
		struct source *begun = next;
		next = i + 1 < l->n ? begin_file(l->path[i + 1], o) : NULL;
		if (load_file(in, l->path[i], l->by_name[i], begun, o, e)) {
			loaded++;
			continue;
		}
		/* a file that a folder brought along may be left out; one that the user named must be read */
		if (l->by_name[i] || (e && e->memory) || progress_cancelled(o->progress)) {
			source_close(next);
			return false;
		}
		skip_unreadable(in, l->path[i]);
	}
	return loaded > 0; /* else `e` tells about the last one */
}

static struct trace *import(const struct path_list *l, const struct open_opts *o, struct err *e)
{
	struct ingest *in = ingest_new();
	if (!in) {
		err_memory(e, NULL);
		return NULL;
	}
	ingest_progress(in, o->progress);
	ingest_threads(in, thread_count(o));
	if (o->on_ingest)
		o->on_ingest(o->ctx, in);
	bool ok = load_all(in, l, o, e);
	if (o->on_ingest)
		o->on_ingest(o->ctx, NULL);
	if (ok)
		return ingest_seal(in, e);
	ingest_free(in);
	return NULL;
}

/* ---- what need not be imported -------------------------------------------------------------------------------------- */

/* Looks at files only: bytes taken from a pipe would be gone. */
static bool is_saved(const char *path)
{
	unsigned char head[16];
	struct stat st;
	bool file = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	int fd = file ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd >= 0 ? read(fd, head, sizeof head) : 0;
	if (fd >= 0)
		close(fd);
	return n > 0 && trace_is_saved(head, (size_t)n);
}

static bool key_of(struct cache_key *k, const struct path_list *l)
{
	return cache_key(k, (const char *const *)l->path, l->n);
}

/* A source that changed while it was read is not kept: the key of its new self would find its old one. */
static struct trace *import_cached(const struct path_list *l, const struct open_opts *o, struct err *e)
{
	struct cache_key before, after;
	bool known = key_of(&before, l);
	struct trace *t = known ? cache_load(&before, thread_count(o), o->progress) : NULL;
	if (t)
		return t;
	int64_t begun_ms = now_ms();
	t = import(l, o, e);
	if (t && known && cache_worth(now_ms() - begun_ms) && key_of(&after, l) && after.high == before.high &&
	    after.low == before.low)
		cache_begin(&before, t);
	return t;
}

bool open_cache_refused(char *dir, size_t size)
{
	return cache_refused(dir, size);
}

void open_finish(bool wait)
{
	cache_end(wait);
}

void open_settle(void)
{
	cache_end(true);
}

static struct trace *open_list(const struct path_list *l, const struct open_opts *o, struct err *e)
{
	if (l->n == 1 && is_saved(l->path[0]))
		return trace_load(l->path[0], thread_count(o), o->progress, e);
	return o->cache ? import_cached(l, o, e) : import(l, o, e);
}

struct trace *open_trace(const char *const *paths, int n_paths, const struct open_opts *o, struct err *e)
{
	static const struct open_opts none;
	struct path_list l = {0};
	struct trace *t = NULL;
	bool ok = n_paths > 0 || err_usage(e, "no trace to open");
	for (int i = 0; ok && i < n_paths; i++)
		ok = paths_expand(&l, paths[i], e);
	o = o ? o : &none;
	if (ok && one_kind(&l, o, e)) {
		announce_size(&l, o->progress);
		t = open_list(&l, o, e);
	}
	paths_free(&l);
	return t;
}
