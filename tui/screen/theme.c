#include "theme.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include "model/store/files/spill.h"
#include "model/store/files/trusted.h"
#include "tui/text/config.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

EMBED(theme_dark, "themes/dark.theme");
EMBED(theme_light, "themes/light.theme");
EMBED(theme_mono, "themes/mono.theme");
EMBED(theme_contrast, "themes/high-contrast.theme");
EMBED(theme_colorblind, "themes/colorblind.theme");

static const struct {
	const char *name, *text;
} built_in[] = {{"dark", theme_dark},
		{"light", theme_light},
		{"mono", theme_mono},
		{"high-contrast", theme_contrast},
		{"colorblind", theme_colorblind}};

static const char *const ink_words[INK_COUNT] = {
#define INK_WORD(id, word, use) word,
	INKS(INK_WORD)
#undef INK_WORD
};

static const char *const color_names[16] = {
	"black",       "red",          "green",      "yellow",       "blue",          "magenta",     "cyan",
	"white",       "bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta",
	"bright-cyan", "bright-white",
};

static bool parse_color(const char *word, int32_t *out)
{
	if (strcmp(word, "default") == 0)
		return *out = COLOR_DEFAULT, true;
	for (int i = 0; i < 16; i++)
		if (strcmp(word, color_names[i]) == 0)
			return *out = i, true;
	char *end;
	/* #rrggbb, or a number of the palette of 256 */
	if (word[0] == '#' && strlen(word) == 7) {
		*out = COLOR_RGB | (int32_t)strtol(word + 1, &end, 16);
		return *end == 0;
	}
	long n = strtol(word, &end, 10);
	*out = (int32_t)n;
	return end != word && *end == 0 && n >= 0 && n <= 255;
}

static bool parse_pen(const char *word, int *pen)
{
	if (strcmp(word, "bold") == 0)
		return *pen |= PEN_BOLD, true;
	if (strcmp(word, "underline") == 0)
		return *pen |= PEN_UNDERLINE, true;
	if (strcmp(word, "reverse") == 0)
		return *pen |= PEN_REVERSE, true;
	return false;
}

/* "FG BG attributes": cut in place. */
static bool parse_style(char *text, struct style *out)
{
	struct style st = {COLOR_DEFAULT, COLOR_DEFAULT, 0};
	char *save = NULL;
	int at = 0;
	for (char *w = strtok_r(text, " \t", &save); w; w = strtok_r(NULL, " \t", &save), at++) {
		bool ok = at == 0 ? parse_color(w, &st.fg) : at == 1 ? parse_color(w, &st.bg) : parse_pen(w, &st.pen);
		if (!ok)
			return false;
	}
	*out = st;
	return at >= 2;
}

static int find_ink(const char *word)
{
	for (int i = 0; i < INK_COUNT; i++)
		if (strcmp(ink_words[i], word) == 0)
			return i;
	return -1;
}

static char *trim(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	char *end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = 0;
	return s;
}

static bool parse_line(struct theme *t, char *line, const char **why)
{
	char *eq = strchr(line, '=');
	*why = "expected \"ink = foreground background\"";
	if (!eq)
		return false;
	*eq = 0;
	int ink = find_ink(trim(line));
	*why = "no such ink";
	if (ink < 0)
		return false;
	*why = "expected \"foreground background [bold] [underline] [reverse]\"";
	/* after a slash: for terminals of 8 and 16 colours */
	char *slash = strchr(eq + 1, '/');
	if (slash)
		*slash = 0;
	return parse_style(eq + 1, &t->rich[ink]) && (!slash || parse_style(slash + 1, &t->basic[ink]));
}

bool theme_parse(struct theme *t, const char *text, const char *file, struct err *e)
{
	char line[256];
	for (int n = 1; *text; n++) {
		size_t len = strcspn(text, "\n");
		if (len >= sizeof line)
			return err_usage(e, "%s:%d: line too long", file, n);
		memcpy(line, text, len);
		line[len] = 0;
		text += len + (text[len] == '\n');
		char *body = trim(line);
		const char *why;
		if (*body && !(*body == '#') && !parse_line(t, body, &why))
			return err_usage(e, "%s:%d: %s", file, n, why);
	}
	return true;
}

/* A theme file is small; what is after the first 16 KiB is ignored. The text is the caller's to free; NULL: there is none. */
static char *read_user_theme(const char *name, char *path, size_t path_size)
{
	enum { MOST_BYTES = 16 << 10 };
	char dir[4096];
	/* a name leads to no other folder */
	if (strchr(name, '/') || !config_path("themes", dir, sizeof dir))
		return NULL;
	snprintf(path, path_size, "%s/%s.theme", dir, name);
	const char *why;
	int fd = trusted_file(path, &why);
	if (fd < 0)
		return NULL;
	char *text = must(malloc(MOST_BYTES));
	text[spill_read(fd, text, MOST_BYTES - 1, 0)] = 0;
	close(fd);
	return text;
}

bool theme_load(struct theme *t, const char *name, struct err *e)
{
	char path[4400];
	struct theme made = {0};
	TRY(theme_parse(&made, theme_dark, "dark", e)); /* a file need not name every ink */
	snprintf(made.name, sizeof made.name, "%s", name);
	char *text = read_user_theme(name, path, sizeof path);
	if (text) {
		bool ok = theme_parse(&made, text, path, e);
		*t = ok ? made : *t; /* a broken file leaves the colours as they are */
		free(text);
		return ok;
	}
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
		if (strcmp(built_in[i].name, name) != 0)
			continue;
		TRY(theme_parse(&made, built_in[i].text, name, e));
		*t = made;
		return true;
	}
	char known[128];
	size_t n = 0;
	for (size_t i = 0; theme_built_in(i); i++)
		n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", theme_built_in(i));
	return err_usage(e, "no theme \"%s\": %s or a file in $XDG_CONFIG_HOME/stepscope/themes", name, known);
}

static size_t user_names(const char **names, size_t n, size_t max, char *buf, size_t size)
{
	char dir[4096];
	DIR *d = config_path("themes", dir, sizeof dir) ? opendir(dir) : NULL;
	if (!d)
		return n;
	for (struct dirent *f; n + 1 < max && (f = readdir(d));) {
		char *dot = strrchr(f->d_name, '.');
		size_t len = dot ? (size_t)(dot - f->d_name) : 0;
		if (!len || strcmp(dot, ".theme") != 0 || len + 1 > size)
			continue;
		memcpy(buf, f->d_name, len);
		buf[len] = 0;
		names[n++] = buf;
		buf += len + 1;
		size -= len + 1;
	}
	closedir(d);
	return n;
}

const char *theme_built_in(size_t i)
{
	return i < sizeof built_in / sizeof *built_in ? built_in[i].name : NULL;
}

size_t theme_names(const char **names, size_t max, char *buf, size_t size)
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in && n + 1 < max; i++)
		names[n++] = built_in[i].name;
	n = user_names(names, n, max, buf, size);
	names[n] = NULL;
	return n;
}

struct style theme_cell(const struct style *inks, int ink, int pen)
{
	struct style st = inks[ink];
	const struct style *ground = &inks[INK_TEXT];
	if (pen & PEN_SHAPE)
		st = (struct style){st.bg >= 0 ? st.bg : st.fg, COLOR_DEFAULT, 0};
	st.fg = st.fg < 0 ? ground->fg : st.fg;
	st.bg = st.bg < 0 ? ground->bg : st.bg;
	st.pen |= pen & ~PEN_SHAPE;
	if (st.fg == 0) /* terminals that show bold as bright make it dark grey */
		st.pen &= ~PEN_BOLD;
	return st;
}

/* The nearest of the six levels of the palette's colour cube: 0, 95, 135, 175, 215, 255. */
static int cube_level(int v)
{
	return v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40;
}

int color_to_256(int32_t color)
{
	if (color < COLOR_RGB)
		return color;
	int r = color >> 16 & 0xFF, g = color >> 8 & 0xFF, b = color & 0xFF;
	return 16 + 36 * cube_level(r) + 6 * cube_level(g) + cube_level(b);
}

int32_t color_to_rgb(int32_t c)
{
	static const int level[6] = {0, 95, 135, 175, 215, 255};
	if (c >= COLOR_RGB)
		return c & 0xFFFFFF;
	/* the user's own 16 colours stay what they are, whatever that is */
	if (c < 16)
		return c;
	/* 24 greys after the cube */
	if (c >= 232)
		return (8 + 10 * (c - 232)) * 0x010101;
	c -= 16;
	return level[c / 36] << 16 | level[c / 6 % 6] << 8 | level[c % 6];
}
