#include "term_caps.h"
#include <stdlib.h>
#include <string.h>

static bool env_set(const char *name)
{
	const char *v = getenv(name);
	return v && *v;
}

static const char *env_text(const char *name)
{
	const char *v = getenv(name);
	return v ? v : "";
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool has(const char *cap)
{
	return term_text(cap) != NULL;
}

/* COLORTERM comes through to programs inside GNU screen, which does not know such colours. */
static bool environment_says_rgb(const char *type)
{
	const char *says = env_text("COLORTERM");
	bool screen = begins(type, "screen") && !env_set("TMUX");
	return !screen && (strcmp(says, "truecolor") == 0 || strcmp(says, "24bit") == 0);
}

static enum term_depth pick_depth(enum color_mode color, const char *type)
{
	int colors = term_number("colors");
	const char *set = term_text("setaf");
	if (color == COLOR_NEVER || (color == COLOR_AUTO && env_set("NO_COLOR")) || colors < 8 || !set ||
	    !begins(set, "\033["))
		return DEPTH_MONO;
	bool rgb = color == COLOR_TRUECOLOR || colors > 256 || environment_says_rgb(type);
	enum term_depth has = rgb ? DEPTH_RGB : colors >= 256 ? DEPTH_256 : colors >= 16 ? DEPTH_16 : DEPTH_8;
	static const enum term_depth asked[] = {
		[COLOR_AUTO] = DEPTH_RGB, [COLOR_8] = DEPTH_8,           [COLOR_16] = DEPTH_16,
		[COLOR_256] = DEPTH_256,  [COLOR_TRUECOLOR] = DEPTH_RGB,
	};
	return has < asked[color] ? has : asked[color];
}

/* Terminals that show a frame at once between the two words of mode 2026, by TERM or TERM_PROGRAM; others say so in the database. */
static bool knows_sync(const char *type)
{
	static const char *const types[] = {"xterm-kitty", "kitty",   "xterm-ghostty", "ghostty",      "alacritty",
					    "foot",        "wezterm", "contour",       "xterm-contour"};
	static const char *const programs[] = {"WezTerm", "ghostty", "iTerm.app", "contour"};
	bool inside = env_set("TMUX") || env_set("STY"); /* the program is that of the terminal around it */
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (begins(type, types[i]))
			return true;
	for (size_t i = 0; !inside && i < sizeof programs / sizeof *programs; i++)
		if (strcmp(env_text("TERM_PROGRAM"), programs[i]) == 0)
			return true;
	return has("Sync");
}

struct paint_caps term_caps(enum color_mode color, const char *type)
{
	return (struct paint_caps){
		.depth = pick_depth(color, type),
		.erases_colored = term_flag("bce"),
		.erase_cells = has("ech"),
		.shift_cells = has("ich") && has("dch"),
		.shift_lines = has("csr") && has("il") && has("dl"),
		.sync = knows_sync(type),
		.last_cell_wraps = term_flag("am") && !term_flag("xenl"),
	};
}
