#include "archive_choice.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "model/store/base/paths.h"

/* DEFLATE saves at most 1032 to 1. */
enum { HEAD_BYTES = 64 << 10, SURE = 50, MEMBERS_MOST = 1 << 16, PACKED_MOST = 1100, SMALL_BYTES = 1 << 20 };

struct found {
	const struct importer *kind; /* NULL = no trace */
	char *name;
	bool sure;
};
struct list {
	struct found *at;
	size_t n, cap;
};

static void list_free(struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->at[i].name);
	free(l->at);
}

/* Reads its first bytes: how many were unpacked for that is taken from *left. */
static bool look_at(struct found *f, struct members *m, int64_t *left)
{
	int score = 0;
	size_t have;
	struct source *s = source_stream(members_read, m, f->name, NULL);
	if (!s)
		return false;
	source_set_window(s, HEAD_BYTES);
	source_bound(s, *left);
	const unsigned char *head = source_need(s, HEAD_BYTES, &have);
	bool hidden = *path_last(f->name) == '.'; /* "._trace.json", as macOS adds */
	f->kind = hidden || importer_refusal(head, have) ? NULL : importer_for(head, have, &score);
	f->sure = score >= SURE;
	*left -= (int64_t)have;
	source_close(s);
	return true;
}

static bool look_at_all(struct list *l, struct members *m, int64_t left, struct err *e)
{
	const char *name;
	while ((name = members_next(m))) {
		if (l->n == MEMBERS_MOST)
			return err_usage(e, "an archive of more than %d files: unpack it and name the files to open",
					 MEMBERS_MOST);
		GROW_ARRAY(l->at, l->n, l->cap);
		l->at[l->n] = (struct found){.name = must(strdup(name))};
		if (!look_at(&l->at[l->n++], m, &left))
			return err_memory(e, name);
	}
	return true;
}

/* A file that may be a trace, and is called like one, where no file is one for sure. */
static bool likely(const struct found *f, bool any_sure)
{
	return any_sure ? f->sure : f->kind && importer_is_name(path_last(f->name));
}

static bool one_kind(const struct list *l, bool any_sure, const struct importer **kind)
{
	*kind = NULL;
	for (size_t i = 0; i < l->n; i++) {
		if (!likely(&l->at[i], any_sure))
			continue;
		if (*kind && *kind != l->at[i].kind)
			return false;
		*kind = l->at[i].kind;
	}
	return true;
}

/* The folder that a file lies in: its own name and what stands before it. */
struct folder {
	const char *path, *name;
	size_t path_n, name_n;
};

static struct folder folder_of(const char *path)
{
	size_t n = (size_t)(path_last(path) - path), at;
	n -= n > 0;
	for (at = n; at > 0 && path[at - 1] != '/';)
		at--;
	return (struct folder){path, path + at, n, n - at};
}

static bool same_folder(struct folder a, struct folder b)
{
	return a.path_n == b.path_n && memcmp(a.path, b.path, a.path_n) == 0;
}

/* Runs are named by their time (2024_05_31_12_00_00); other names tell nothing. */
static bool newer(struct folder a, struct folder b)
{
	size_t n = a.name_n < b.name_n ? a.name_n : b.name_n;
	bool both = n && isdigit((unsigned char)*a.name) && isdigit((unsigned char)*b.name);
	int order = both ? memcmp(a.name, b.name, n) : 0;
	return order ? order > 0 : both && a.name_n > b.name_n;
}

static void want(struct archive_choice *out, const struct list *l, bool any_sure, const struct importer *kind)
{
	struct folder newest = {0};
	for (size_t i = 0; i < l->n; i++) {
		struct folder f = folder_of(l->at[i].name);
		if (likely(&l->at[i], any_sure) && (!newest.path || newer(f, newest)))
			newest = f;
	}
	out->wanted = must(calloc(l->n + 1, sizeof *out->wanted));
	out->n = l->n;
	for (size_t i = 0; i < l->n; i++) {
		bool run = kind && kind->run_ending;
		out->wanted[i] = likely(&l->at[i], any_sure) && (!run || same_folder(folder_of(l->at[i].name), newest));
		out->traces += out->wanted[i];
	}
}

static bool choose(struct archive_choice *out, const struct list *l, const char *archive, const char *damage,
		   struct err *e)
{
	const struct importer *kind;
	bool any_sure = false;
	for (size_t i = 0; i < l->n; i++)
		any_sure |= l->at[i].sure;
	if (!one_kind(l, any_sure, &kind))
		return err_set(e, archive, -1,
			       "this archive holds traces of several formats: unpack it and name the files to open");
	want(out, l, any_sure, kind);
	return out->traces || err_set(e, archive, -1, "%s",
				      damage ? damage : "nothing in this archive is a trace that stepscope reads");
}

bool archive_choose(struct archive_choice *out, struct source *outer, int64_t packed_bytes, struct progress *p,
		    struct err *e)
{
	struct list l = {0};
	*out = (struct archive_choice){0};
	if (__builtin_mul_overflow(packed_bytes, PACKED_MOST, &out->most_bytes) || out->most_bytes > INT64_MAX / 2)
		out->most_bytes = INT64_MAX / 2;
	out->most_bytes += SMALL_BYTES;
	struct members *m = members_open(outer, p, e);
	bool ok = m && look_at_all(&l, m, out->most_bytes, e) && !progress_cancelled(p) &&
		  choose(out, &l, source_name(outer), members_damage(m), e);
	members_close(m);
	list_free(&l);
	return ok;
}

void archive_choice_free(struct archive_choice *c)
{
	free(c->wanted);
	*c = (struct archive_choice){0};
}
