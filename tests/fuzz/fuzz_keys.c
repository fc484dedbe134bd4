/* tests/fuzz/fuzz_keys.c - any bytes as the user's file of keys: what is wrong is told with its line and left out, and what comes of it is
 * a list of keys in which none means two things in one place. */
#include "tui/keys/keys_file.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4096, KEYS = 128 };

static bool meet(enum scope a, enum scope b)
{
	return a == b || (a == SCOPE_GLOBAL && scope_falls_back(b)) || (b == SCOPE_GLOBAL && scope_falls_back(a));
}

/* The actions that a key begins, each seen by itself. */
static bool has_key(const struct key_binding *b, const char *word, size_t n)
{
	int key = key_parse(word, n);
	for (const char *p = b->keys; *p;) {
		size_t len = strcspn(p, " ");
		if (len && key_parse(p, len) == key)
			return true;
		p += len + (p[len] == ' ');
	}
	return false;
}

static void check_row(const struct key_binding *rows, size_t n, size_t at)
{
	for (const char *p = rows[at].keys; *p;) {
		size_t len = strcspn(p, " ");
		if (!len || key_parse(p, len) == K_NONE)
			abort(); /* each word is a key */
		for (size_t i = 0; i < n; i++)
			if (i != at && meet(rows[i].scope, rows[at].scope) && has_key(&rows[i], p, len))
				abort(); /* two meanings */
		p += len + (p[len] == ' ');
	}
}

static void check(const struct key_binding *rows)
{
	size_t n;
	keymap_use(NULL);
	const struct key_binding *own = keymap(&n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].action != own[i].action || rows[i].scope != own[i].scope)
			abort();
		check_row(rows, n, i);
	}
	keymap_use(rows);
	for (int key = 0; key < KEYS; key++)
		for (int s = 0; s < SCOPE_COUNT; s++)
			if ((int)keymap_find((enum scope)s, true, key) >= ACT_COUNT)
				abort();
	keymap_use(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena mem = {0};
	struct err e = {.at = -1};
	const struct key_binding *rows;
	if (size > MOST_BYTES)
		return 0;
	bool fine = keys_file_read((const char *)data, size, "keys", &mem, &rows, &e);
	if (!fine && (strncmp(e.msg, "keys:", 5) != 0 || !strstr(e.msg, "left out")))
		abort(); /* the line, and what becomes of it */
	check(rows);
	arena_free(&mem);
	return 0;
}
