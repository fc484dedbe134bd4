/* tests/screens/keys.h - keys in tmux send-keys notation, sent to the program behind a libvterm terminal. */
#ifndef STEPSCOPE_TEST_KEYS_H
#define STEPSCOPE_TEST_KEYS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vterm.h>

static const struct {
	const char *name;
	VTermKey key;
	uint32_t c; /* when key is NONE */
} key_names[] = {
	{"Enter", VTERM_KEY_ENTER, 0},
	{"Tab", VTERM_KEY_TAB, 0},
	{"BSpace", VTERM_KEY_BACKSPACE, 0},
	{"Escape", VTERM_KEY_ESCAPE, 0},
	{"Up", VTERM_KEY_UP, 0},
	{"Down", VTERM_KEY_DOWN, 0},
	{"Left", VTERM_KEY_LEFT, 0},
	{"Right", VTERM_KEY_RIGHT, 0},
	{"Home", VTERM_KEY_HOME, 0},
	{"End", VTERM_KEY_END, 0},
	{"PageUp", VTERM_KEY_PAGEUP, 0},
	{"PPage", VTERM_KEY_PAGEUP, 0},
	{"PgUp", VTERM_KEY_PAGEUP, 0},
	{"PageDown", VTERM_KEY_PAGEDOWN, 0},
	{"NPage", VTERM_KEY_PAGEDOWN, 0},
	{"PgDn", VTERM_KEY_PAGEDOWN, 0},
	{"IC", VTERM_KEY_INS, 0},
	{"DC", VTERM_KEY_DEL, 0},
	{"Space", VTERM_KEY_NONE, ' '},
};

static inline bool utf8_one(const char *s, uint32_t *c)
{
	unsigned char first = (unsigned char)s[0];
	int n = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	*c = n == 1 ? first : first & (0x7fu >> n);
	for (int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
		*c = *c << 6 | (s[i] & 0x3fu);
	}
	return first && s[n] == '\0';
}

static inline bool named_key(VTerm *vt, const char *name, VTermModifier mod)
{
	int f;

	for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++) {
		if (strcmp(key_names[i].name, name) != 0)
			continue;
		if (key_names[i].key == VTERM_KEY_NONE)
			vterm_keyboard_unichar(vt, key_names[i].c, mod);
		else
			vterm_keyboard_key(vt, key_names[i].key, mod);
		return true;
	}
	if (strcmp(name, "BTab") == 0) {
		vterm_keyboard_key(vt, VTERM_KEY_TAB, mod | VTERM_MOD_SHIFT);
		return true;
	}
	if (sscanf(name, "F%d", &f) != 1 || f < 1 || f > 12)
		return false;
	vterm_keyboard_key(vt, VTERM_KEY_FUNCTION(f), mod);
	return true;
}

/* "b", "Enter", "C-l", "M-x", "S-Left"; false when there is no such key. The terminal's output buffer holds the bytes. */
static inline bool key_press(VTerm *vt, const char *key)
{
	VTermModifier mod = VTERM_MOD_NONE;
	uint32_t c;

	for (; key[0] && key[1] == '-' && key[2] && strchr("CMS", key[0]); key += 2)
		mod |= key[0] == 'C' ? VTERM_MOD_CTRL : key[0] == 'M' ? VTERM_MOD_ALT : VTERM_MOD_SHIFT;
	if (!utf8_one(key, &c))
		return named_key(vt, key, mod);
	vterm_keyboard_unichar(vt, c, mod);
	return true;
}
#endif
