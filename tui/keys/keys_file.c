#include "keys_file.h"
#include "model/store/base/nearest.h"
#include "tui/text/config.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 65536, MOST_KEYS = 120 };

struct reading {
	const char *name;
	struct arena *mem;
	struct key_binding *rows;
	uint32_t *lines; /* per row: line that gave it its keys, 0 = none */
	size_t n;
	struct err *e;
	uint32_t wrong; /* lines that were left out */
};

/* The first complaint stays; the others are counted. */
static void complain(struct reading *in, uint32_t line, const char *what)
{
	if (!in->wrong++)
		err_usage(in->e, "%s:%u: %s; this line is left out", in->name, line, what);
}

static void tell_others(struct reading *in)
{
	size_t n = in->e && in->wrong > 1 ? strlen(in->e->msg) : 0;
	if (n)
		snprintf(in->e->msg + n, sizeof in->e->msg - n, ", and so %s %u more", in->wrong > 2 ? "are" : "is",
			 in->wrong - 1);
}

static size_t word_of(const char **at)
{
	*at += strspn(*at, " \t\r");
	return strcspn(*at, " \t\r");
}

static const char *near_action(const char *word)
{
	static char bufs[ACT_COUNT][ACTION_NAME_BUF];
	const char *all[ACT_COUNT];
	for (int a = 0; a < ACT_COUNT; a++)
		all[a] = action_name((enum action)a, bufs[a]);
	return nearest_word(word, all, ACT_COUNT);
}

static struct key_binding *row_of(struct reading *in, const char *word, size_t n, uint32_t line)
{
	char name[64], what[160];
	enum action a = action_find(word, n);
	for (size_t i = 0; a != ACT_NONE && i < in->n; i++)
		if (in->rows[i].action == a)
			return &in->rows[i];
	snprintf(name, sizeof name, "%.*s", (int)(n < 40 ? n : 40), word);
	const char *near = near_action(name);
	snprintf(what, sizeof what, "there is no action '%s'%s%s%s", name, near ? ", did you mean " : "",
		 near ? near : "", near ? "?" : "");
	complain(in, line, what);
	return NULL;
}

/* The words of the rest of a line with one blank between them; NULL when one is no key. */
static const char *keys_of(struct reading *in, const char *rest, uint32_t line)
{
	char keys[MOST_KEYS] = "", what[160];
	size_t used = 0, n;
	for (; (n = word_of(&rest)) > 0; rest += n) {
		if (n == 4 && !memcmp(rest, "none", 4))
			return "";
		if (key_parse(rest, n) == K_NONE || used + n + 2 > sizeof keys) {
			snprintf(what, sizeof what,
				 "'%.*s' is not a key; keys are letters, Ctrl-a, Tab, Up, PgDn, F1 and the like",
				 (int)(n < 40 ? n : 40), rest);
			complain(in, line, what);
			return NULL;
		}
		used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%.*s", used ? " " : "", (int)n, rest);
	}
	if (!used)
		complain(in, line, "no key follows the action; write none to take its keys away");
	return used ? arena_strdup(in->mem, keys) : NULL;
}

static void read_line(struct reading *in, const char *text, uint32_t line)
{
	size_t n = word_of(&text);
	if (!n || *text == '#')
		return;
	struct key_binding *row = row_of(in, text, n, line);
	const char *keys = row ? keys_of(in, text + n, line) : NULL;
	if (!keys)
		return;
	row->keys = keys;
	in->lines[row - in->rows] = line;
}

/* ---- conflicts ------------------------------------------------------------------------------------------------------ */

static bool meet(enum scope a, enum scope b)
{
	return a == b || (a == SCOPE_GLOBAL && scope_falls_back(b)) || (b == SCOPE_GLOBAL && scope_falls_back(a));
}

/* The row that another one shares a key with; *key is that key's word. */
static const struct key_binding *shares(const struct reading *in, const struct key_binding *row, const char **key,
					size_t *n)
{
	for (const char *p = row->keys; (*n = word_of(&p)) > 0; p += *n)
		for (size_t i = 0; i < in->n; i++) {
			const struct key_binding *other = &in->rows[i];
			if (other == row || !meet(row->scope, other->scope))
				continue;
			for (const char *q = other->keys, *end = q + strlen(q); q < end; q += strcspn(q, " ") + 1)
				if (key_parse(q, strcspn(q, " ")) == key_parse(p, *n)) {
					*key = p;
					return other;
				}
		}
	return NULL;
}

/* Rows of the program's own are sound among themselves: with each conflict one line of the file goes, so this ends. */
static void settle(struct reading *in, const struct key_binding *before)
{
	for (size_t i = 0; i < in->n; i++) {
		const char *key = NULL;
		size_t n;
		const struct key_binding *other = in->lines[i] ? shares(in, &in->rows[i], &key, &n) : NULL;
		if (!other)
			continue;
		char what[200], name[ACTION_NAME_BUF];
		snprintf(what, sizeof what, "'%.*s' is the key of %s (%s) already: give that another one, or none",
			 (int)n, key, action_name(other->action, name), scope_title(other->scope));
		complain(in, in->lines[i], what);
		in->rows[i].keys = before[i].keys;
		in->lines[i] = 0;
		i = (size_t)-1; /* what it had before may be another line's now */
	}
}

/* A line that is left out gives its action the old keys back; where another line has taken those, the action keeps none. */
static void drop_taken(struct reading *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const char *key;
		size_t n;
		if (!in->lines[i] && shares(in, &in->rows[i], &key, &n))
			in->rows[i].keys = "";
	}
}

bool keys_file_read(const char *text, size_t n, const char *name, struct arena *mem, const struct key_binding **rows,
		    struct err *e)
{
	struct reading in = {.name = name, .mem = mem, .e = e};
	keymap_use(NULL);
	const struct key_binding *before = keymap(&in.n);
	in.rows = arena_alloc(mem, in.n * sizeof *in.rows);
	memcpy(in.rows, before, in.n * sizeof *in.rows);
	in.lines = arena_alloc(mem, in.n * sizeof *in.lines);
	memset(in.lines, 0, in.n * sizeof *in.lines);
	const char *end = text + n;
	for (uint32_t line = 1; text < end; line++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		char *copy = arena_alloc(mem, len + 1);
		memcpy(copy, text, len);
		copy[len] = 0;
		read_line(&in, copy, line);
		text += len + 1;
	}
	settle(&in, before);
	drop_taken(&in);
	tell_others(&in);
	*rows = in.rows;
	return !in.wrong;
}

bool keys_file_load(struct arena *mem, struct err *e)
{
	char path[PATH_MAX];
	FILE *f = config_file("keys", path, sizeof path) ? fopen(path, "re") : NULL;
	if (!f)
		return true;
	char *text = arena_alloc(mem, MOST_BYTES);
	size_t n = fread(text, 1, MOST_BYTES, f);
	fclose(f);
	const struct key_binding *rows;
	bool fine = keys_file_read(text, n, path, mem, &rows, e);
	keymap_use(rows);
	return fine;
}
