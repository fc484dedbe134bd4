#include "keymap.h"
#include <stdio.h>
#include <string.h>

static const struct key_binding bindings[] = {
#define KEY_ROW(scope, id, keys, word, help) {SCOPE_##scope, ACT_##id, keys, word, help},
	KEYS(KEY_ROW)
#undef KEY_ROW
};

enum { N_BINDINGS = sizeof bindings / sizeof *bindings };
static const struct key_binding *in_use = bindings;

/* Names as the list has them: ZOOM_IN. */
static const char *const names[ACT_COUNT] = {
#define ACTION_NAME(scope, id, keys, word, help) [ACT_##id] = #id,
	KEYS(ACTION_NAME)
#undef ACTION_NAME
};

static const char *const titles[SCOPE_COUNT] = {
#define SCOPE_TITLE(id, title) title,
	SCOPES(SCOPE_TITLE)
#undef SCOPE_TITLE
};

static const struct {
	const char *word;
	int key;
} words[] = {
	{"Tab", K_TAB},         {"Enter", K_ENTER},   {"Esc", K_ESC},   {"Backspace", K_BACKSPACE},
	{"Up", K_UP},           {"Down", K_DOWN},     {"Left", K_LEFT}, {"Right", K_RIGHT},
	{"PgUp", K_PGUP},       {"PgDn", K_PGDN},     {"Home", K_HOME}, {"End", K_END},
	{"S-Tab", K_SHIFT_TAB}, {"Delete", K_DELETE}, {"F1", K_F1},     {"Space", ' '},
};

const char *scope_title(enum scope s)
{
	return s < SCOPE_COUNT ? titles[s] : "";
}

const struct key_binding *keymap(size_t *n)
{
	*n = N_BINDINGS;
	return in_use;
}

void keymap_use(const struct key_binding *rows)
{
	in_use = rows ? rows : bindings;
}

static char name_letter(char c)
{
	return c == '_' ? '-' : (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

const char *action_name(enum action a, char buf[static ACTION_NAME_BUF])
{
	const char *name = a < ACT_COUNT && names[a] ? names[a] : "";
	size_t n = 0;
	for (; name[n] && n + 1 < ACTION_NAME_BUF; n++)
		buf[n] = name_letter(name[n]);
	buf[n] = 0;
	return buf;
}

enum action action_find(const char *name, size_t n)
{
	char buf[ACTION_NAME_BUF];
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (strlen(action_name((enum action)a, buf)) == n && !memcmp(buf, name, n))
			return (enum action)a;
	return ACT_NONE;
}

const char *action_key(enum action a, char buf[static ACTION_NAME_BUF])
{
	size_t i = 0;
	while (i + 1 < N_BINDINGS && in_use[i].action != a)
		i++;
	if (*in_use[i].keys) {
		snprintf(buf, ACTION_NAME_BUF, "%.*s", (int)strcspn(in_use[i].keys, " "), in_use[i].keys);
		return buf;
	}
	char name[ACTION_NAME_BUF];
	snprintf(buf, ACTION_NAME_BUF, ":%.*s", ACTION_NAME_BUF - 2, action_name(a, name));
	return buf;
}

bool scope_falls_back(enum scope s)
{
	return s == SCOPE_TIMELINE || s == SCOPE_OVERVIEW || s == SCOPE_LIST || s == SCOPE_TABLE || s == SCOPE_READER;
}

int key_parse(const char *word, size_t n)
{
	if (n == 1)
		return (unsigned char)word[0];
	if (n == 6 && strncmp(word, "Ctrl-", 5) == 0 && word[5] >= 'a' && word[5] <= 'z')
		return word[5] - 'a' + 1; /* as terminals send it */
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].word) == n && strncmp(words[i].word, word, n) == 0)
			return words[i].key;
	return K_NONE;
}

const char *key_name(int key, char buf[static KEY_NAME_BUF])
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].key == key)
			return strcpy(buf, words[i].word);
	if (key > ' ' && key < 0x7f)
		snprintf(buf, KEY_NAME_BUF, "%c", key);
	else if (key > 0 && key < ' ')
		snprintf(buf, KEY_NAME_BUF, "Ctrl-%c", key + 'a' - 1);
	else
		snprintf(buf, KEY_NAME_BUF, "U+%04X", (unsigned)key);
	return buf;
}

static bool binds(const struct key_binding *b, int key)
{
	for (const char *p = b->keys; *p;) {
		size_t n = strcspn(p, " ");
		if (n && key_parse(p, n) == key)
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

static enum action find_in(enum scope s, int key)
{
	for (size_t i = 0; i < N_BINDINGS; i++)
		if (in_use[i].scope == s && binds(&in_use[i], key))
			return in_use[i].action;
	return ACT_NONE;
}

/* A key of the pane's own hides the one that works everywhere. */
enum action keymap_find(enum scope s, bool global, int key)
{
	enum action a = key == K_NONE ? ACT_NONE : find_in(s, key);
	return a == ACT_NONE && global && key != K_NONE ? find_in(SCOPE_GLOBAL, key) : a;
}
