/* tui/commands/settings.c - what `:set` knows: one list with name, values and help; completion, `?` and the manual come from it. */
#include "commands.h"
#include "model/store/base/nearest.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include <string.h>

enum { VALUE_BUF = 64, MOST_THEMES = 32 };
#define ON_OFF "on off"

static bool is_on(const char *value)
{
	return strcmp(value, "on") == 0;
}

static const char *on_off(bool on)
{
	return on ? "on" : "off";
}

/* ---- one by one: what it is, and what setting it does. A value of the list has been looked up before ------------------------ */

static const char *get_all_steps(const struct state *st, char *buf)
{
	(void)buf;
	return on_off(st->all_steps);
}

static bool set_all_steps(struct state *st, const char *value, struct err *e)
{
	(void)e;
	st->all_steps = is_on(value);
	state_question(st);
	return true;
}

static const char *get_ascii(const struct state *st, char *buf)
{
	(void)buf;
	return on_off(st->ascii);
}

static bool set_ascii(struct state *st, const char *value, struct err *e)
{
	struct theme now = st->theme;
	if (!is_on(value) && st->only_ascii)
		return err_usage(e, "this terminal takes ASCII only: LANG or LC_ALL does not name UTF-8");
	state_look(st, &now, is_on(value), st->mono);
	return true;
}

static const char *get_density(const struct state *st, char *buf)
{
	(void)buf;
	return on_off(!st->lanes.apart);
}

static bool set_density(struct state *st, const char *value, struct err *e)
{
	struct view v = nav_remember(st);
	(void)e;
	st->lanes.apart = !is_on(value);
	lanes_build(&st->lanes);
	nav_restore(st, &v);
	return true;
}

static const char *get_filter(const struct state *st, char *buf)
{
	(void)buf;
	return st->filter_hides ? "hide" : "dim";
}

static bool set_filter(struct state *st, const char *value, struct err *e)
{
	(void)e;
	st->filter_hides = strcmp(value, "hide") == 0;
	return true;
}

static const char *get_idle(const struct state *st, char *buf)
{
	return fmt_ns(buf, st->least_idle_ns);
}

static bool set_idle(struct state *st, const char *value, struct err *e)
{
	const char *end;
	char now[UNITS_BUF];
	int64_t ns;
	if (!parse_ns(value, &end, &ns) || *end || ns < 0)
		return err_usage(e, "\"%s\" is not a time; write :set idle 50us", value);
	st->least_idle_ns = ns;
	state_say(st, INK_STATUS, "i and I skip idle times shorter than %s", fmt_ns(now, ns));
	return true;
}

static const char *get_mouse(const struct state *st, char *buf)
{
	(void)buf;
	return on_off(st->mouse);
}

static bool set_mouse(struct state *st, const char *value, struct err *e)
{
	(void)e;
	st->mouse = is_on(value);
	st->mouse_changed = true;
	return true;
}

static const char *get_order(const struct state *st, char *buf)
{
	(void)buf;
	return st->lanes.groups.moved ? "your own" : lane_order_word(st->lanes.groups.by);
}

static bool set_order(struct state *st, const char *value, struct err *e)
{
	if (!st->lanes.groups.on)
		return err_usage(e, "GPUs have one row each, and an order, where more than %d of them work",
				 MOST_APART);
	for (int by = 0; by < LANE_ORDER_COUNT; by++)
		if (strcmp(value, lane_order_word((enum lane_order)by)) == 0)
			nav_order(st, (enum lane_order)by);
	return true;
}

static const char *get_side(const struct state *st, char *buf)
{
	(void)buf;
	return on_off(!st->no_side);
}

static bool set_side(struct state *st, const char *value, struct err *e)
{
	(void)e;
	st->no_side = !is_on(value);
	state_resize(st, st->rows, st->cols);
	return true;
}

static const char *get_theme(const struct state *st, char *buf)
{
	snprintf(buf, VALUE_BUF, "%s", st->theme.name);
	return buf;
}

static bool set_theme(struct state *st, const char *value, struct err *e)
{
	if (st->mono)
		return err_usage(e, "this terminal shows no colours (or NO_COLOR is set)");
	struct theme t;
	TRY(theme_load(&t, value, e));
	state_theme(st, &t);
	return true;
}

/* ---- the list ------------------------------------------------------------------------------------------------------------- */

#define ORDER_WORD(id, word, help) word " "
/* values: words with blanks between them; NULL: those of themes; "": `written` says what is typed. */
/* clang-format off */
/*    field      name          values                  written      help */
#define SETTINGS(_) \
	_(all_steps, "all-steps",  ON_OFF,                 "on|off",    "means over all steps, warm-up and outliers included; off: over the steady ones") \
	_(ascii,     "ascii",      ON_OFF,                 "on|off",    "draw with ASCII characters only") \
	_(density,   "density",    ON_OFF,                 "on|off",    "rows of a thread whose events are too short to be seen are summed up as one that shows how busy they are") \
	_(filter,    "filter",     "dim hide",             "dim|hide",  "what a filter does with events that do not match; && switches it") \
	_(idle,      "idle",       "",                     "TIME",      "i and I on the timeline skip idle times that are shorter") \
	_(mouse,     "mouse",      ON_OFF,                 "on|off",    "off leaves the mouse to the terminal, for copying") \
	_(order,     "order",      LANE_ORDERS(ORDER_WORD), "WORD",     "more than two GPUs on the timeline by number, lateness or host") \
	_(side,      "side-panel", ON_OFF,                 "on|off",    "statistics of the visible window next to the lanes, from 160 columns on") \
	_(theme,     "theme",      NULL,                   "NAME",      "dark, light, mono, high-contrast, colorblind or your own")
/* clang-format on */

struct setting {
	const char *name, *values, *written, *help;
	const char *(*get)(const struct state *st, char *buf);
	bool (*set)(struct state *st, const char *value, struct err *e);
};
static const struct setting settings[] = {
#define SETTING_ROW(field, name, values, written, help) {name, values, written, help, get_##field, set_##field},
	SETTINGS(SETTING_ROW)
#undef SETTING_ROW
};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

static bool is_switch(const struct setting *s)
{
	return s->values && strcmp(s->values, ON_OFF) == 0;
}

static const struct setting *find(const char *name, size_t n, struct err *e)
{
	const char *names[N_SETTINGS];
	char word[64];
	for (size_t i = 0; i < N_SETTINGS; i++) {
		names[i] = settings[i].name;
		if (strlen(names[i]) == n && !memcmp(names[i], name, n))
			return &settings[i];
	}
	snprintf(word, sizeof word, "%.*s", (int)(n < 40 ? n : 40), name);
	const char *near = nearest_word(word, names, N_SETTINGS);
	err_usage(e, "there is no setting \"%s\"%s%s%s :set alone lists them", word, near ? ", did you mean " : "",
		  near ? near : "", near ? "?" : ";");
	return NULL;
}

/* Whether it is one of those that the list names. */
static bool is_value(const struct setting *s, const char *value)
{
	if (!s->values || !*s->values)
		return true;
	size_t n = strlen(value), len;
	for (const char *p = s->values; *p; p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		if (len == n && !memcmp(p, value, n))
			return true;
	}
	return false;
}

/* "number, lateness or host" */
static const char *values_told(const struct setting *s, char buf[static 128])
{
	size_t n = 0, len;
	for (const char *p = s->values; *p && n < 100; p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		const char *before = !n ? "" : p[len] && p[len + 1] ? ", " : " or ";
		n += (size_t)snprintf(buf + n, 128 - n, "%s%.*s", before, (int)len, p);
	}
	return buf;
}

static void list(struct state *st)
{
	struct reader *r = &st->reader;
	char value[VALUE_BUF];
	reader_clear(r, "Settings");
	for (size_t i = 0; i < N_SETTINGS; i++) {
		const struct setting *s = &settings[i];
		reader_addf(r, arena_printf(&r->mem, "%s %s", s->name, s->get(st, value)), "%s", s->help);
	}
	reader_add(r, INK_TEXT, NULL, "");
	reader_add(r, INK_QUIET, NULL,
		   ":set NAME VALUE changes one; of a switch, :set NAME and :set no-NAME are enough");
	st->mode = MODE_READER;
}

bool settings_set(struct state *st, const char *line, struct err *e)
{
	char now[VALUE_BUF], values[128];
	if (!*line) {
		list(st);
		return true;
	}
	bool no = strncmp(line, "no-", 3) == 0;
	line += no ? 3 : 0;
	size_t n = strcspn(line, " =");
	const struct setting *s = find(line, n, e);
	if (!s)
		return false;
	const char *value = line + n + strspn(line + n, " =");
	if (no && (!is_switch(s) || *value))
		return err_usage(e, "%s is not a switch: write :set %s %s", s->name, s->name, s->written);
	if (!*value && is_switch(s))
		value = no ? "off" : "on";
	if (*value) {
		if (!is_value(s, value))
			return err_usage(e, "\"%s\" is not a value of %s, which is %s", value, s->name,
					 values_told(s, values));
		state_quiet(st);
		TRY(s->set(st, value, e));
		if (*st->message)
			return true; /* it has its own words */
	}
	state_say(st, INK_STATUS, "%s %s", s->name, s->get(st, now));
	return true;
}

void settings_help(struct arena *mem, void (*line)(void *ctx, const char *left, const char *right), void *ctx)
{
	for (size_t i = 0; i < N_SETTINGS; i++)
		line(ctx, arena_printf(mem, ":set %s %s", settings[i].name, settings[i].written), settings[i].help);
}

/* ---- completion ----------------------------------------------------------------------------------------------------------- */

struct found {
	const char **out;
	size_t n, max;
	struct arena *mem;
};

static void offer(struct found *f, const char *typed, const char *head, const char *word, size_t len,
		  const char *behind)
{
	const char *line = arena_printf(f->mem, "%s%.*s%s", head, (int)len, word, behind);
	if (f->n < f->max && strncmp(line, typed, strlen(typed)) == 0)
		f->out[f->n++] = line;
}

static void offer_values(struct found *f, const char *typed, const struct setting *s)
{
	const char *names[MOST_THEMES], *head = arena_printf(f->mem, "%s ", s->name);
	char buf[2048];
	size_t len, n = s->values ? 0 : theme_names(names, MOST_THEMES, buf, sizeof buf);
	for (size_t i = 0; i < n; i++)
		offer(f, typed, head, names[i], strlen(names[i]), "");
	for (const char *p = s->values ? s->values : ""; *p; p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		offer(f, typed, head, p, len, "");
	}
}

size_t settings_candidates(const char *typed, const char **out, size_t max, struct arena *mem)
{
	struct found f = {out, 0, max, mem};
	const char *blank = strchr(typed, ' ');
	for (size_t i = 0; i < N_SETTINGS; i++) {
		const struct setting *s = &settings[i];
		size_t n = strlen(s->name);
		if (blank && (size_t)(blank - typed) == n && !memcmp(typed, s->name, n))
			offer_values(&f, typed, s);
		else if (!blank)
			offer(&f, typed, "", s->name, n, " ");
	}
	for (size_t i = 0; i < N_SETTINGS; i++)
		if (!blank && is_switch(&settings[i]))
			offer(&f, typed, "no-", settings[i].name, strlen(settings[i].name), "");
	return f.n;
}
