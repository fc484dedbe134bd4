/* tui/explorer/reader.c - text over the panes: scrolling, and the help made from the key table and the list of commands. */
#include "reader.h"
#include "pane.h"
#include "tui/screen/wrap.h"
#include "tui/tables/column_head.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reader_clear(struct reader *r, const char *title)
{
	arena_free(&r->mem);
	*r = (struct reader){.title = title, .hit = NONE_ID};
}

void reader_add(struct reader *r, int ink, const char *key, const char *text)
{
	r->lines = arena_next_row(&r->mem, r->lines, r->n, sizeof *r->lines);
	r->lines[r->n++] = (struct reader_line){ink, arena_strdup(&r->mem, key), arena_strdup(&r->mem, text)};
}

void reader_addf(struct reader *r, const char *key, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	size_t size = n > 0 ? (size_t)n + 1 : 1;
	char *text = arena_alloc(&r->mem, size);
	va_start(ap, fmt);
	vsnprintf(text, size, fmt, ap);
	va_end(ap);
	reader_add(r, INK_TEXT, key, text);
}

void reader_named(struct reader *r, const char *head, const char *name, const char *help)
{
	if (strcmp(head, name) == 0)
		reader_add(r, INK_TEXT, head, help);
	else
		reader_addf(r, head, "%s: %s", name, help);
}

void reader_columns(struct reader *r, const struct table *t)
{
	char head[HEAD_BUF];
	for (uint32_t c = 0; c < t->n_cols; c++)
		reader_named(r, column_head(t, c, head), t->cols[c].name, t->cols[c].help);
}

static void add_scope(const struct state *st, struct reader *r, enum scope scope)
{
	size_t n;
	const struct key_binding *b = keymap(&n);
	reader_add(r, INK_HEAD, NULL, scope_title(scope));
	for (size_t i = 0; i < n; i++)
		if (b[i].scope == scope && *b[i].help)
			reader_add(r, INK_TEXT, b[i].keys, tab_key_help(st, &b[i]));
	reader_add(r, INK_TEXT, NULL, "");
}

static void add_command(void *ctx, const char *left, const char *right)
{
	reader_add(ctx, INK_TEXT, left, right);
}

void reader_help(struct state *st, enum scope here)
{
	struct reader *r = &st->reader;
	reader_clear(r, "Help");
	add_scope(st, r, here);
	add_scope(st, r, SCOPE_GLOBAL);
	reader_add(r, INK_HEAD, NULL, "commands");
	command_help(&r->mem, add_command, r);
	reader_add(r, INK_TEXT, NULL, "");
	reader_add(r, INK_HEAD, NULL, "settings");
	settings_help(&r->mem, add_command, r);
	reader_add(r, INK_TEXT, NULL, "");
	for (int s = 0; s < SCOPE_COUNT; s++)
		if (s != (int)here && s != SCOPE_GLOBAL)
			add_scope(st, r, (enum scope)s);
}

/* ---- lines on the screen: long texts are broken, so scrolling counts screen rows ------------------------------------ */

enum { KEY_COLS = 26 };

static int key_cols(const struct rect *body)
{
	return body->w / 3 < KEY_COLS ? body->w / 3 : KEY_COLS;
}

/* Rows that the lines take on the screen; s = NULL: only counts them. */
static int draw_lines(const struct reader *r, struct surface *s, struct rect body)
{
	int keys = key_cols(&body), y = body.y - (int)r->top, bottom = body.y + body.h;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct reader_line *l = &r->lines[i];
		int x = body.x + 1 + (l->key ? keys : 0), w = body.w - 2 - (l->key ? keys : 0);
		if (s && l->key && y >= body.y && y < bottom)
			surface_text(s, y, body.x + 2, keys - 2, i == r->hit ? INK_MATCH : INK_KEY, 0, l->key);
		y += wrap_text(s, (struct rect){y, x, 0, w}, i == r->hit ? INK_MATCH : l->ink, l->text, body.y, bottom);
	}
	return y - (body.y - (int)r->top);
}

void reader_draw(const struct state *st, struct surface *s, struct rect body)
{
	draw_lines(&st->reader, s, body);
}

/* Rows of the screen that the lines before this one take. */
static int rows_before(const struct reader *r, uint32_t line, struct rect body)
{
	struct reader part = *r;
	part.n = line;
	return draw_lines(&part, NULL, body);
}

static void show_line(struct state *st, uint32_t line)
{
	struct rect body = pane_body(st);
	struct reader *r = &st->reader;
	int at = rows_before(r, line, body), last = draw_lines(r, NULL, body) - body.h;
	if (at < (int)r->top || at >= (int)r->top + body.h) {
		int top = at - body.h / 3;
		top = top > last ? last : top;
		r->top = (uint32_t)(top > 0 ? top : 0);
	}
}

static bool line_hit(struct search *s, const struct reader_line *l)
{
	return search_hits(s, l->text) || (l->key && search_hits(s, l->key));
}

void reader_seek(struct state *st, int direction, bool again)
{
	struct reader *r = &st->reader;
	if (!st->reader_search || !r->n) {
		state_say(st, INK_STATUS, "nothing searched for yet: type / and a word");
		return;
	}
	uint32_t from = again || r->hit == NONE_ID ? r->hit_from : r->hit, hits = 0, place = 0;
	search_open(st->reader_search, NULL);
	r->hit = NONE_ID;
	for (uint32_t i = 0; i < r->n && r->hit == NONE_ID; i++) {
		int64_t at = (int64_t)from + (again ? (int64_t)i : direction * (int64_t)(i + 1));
		uint32_t line = (uint32_t)((at + 2 * (int64_t)r->n) % r->n);
		if (line_hit(st->reader_search, &r->lines[line]))
			r->hit = line;
	}
	for (uint32_t i = 0; i < r->n; i++) {
		hits += line_hit(st->reader_search, &r->lines[i]);
		place = i == r->hit ? hits : place;
	}
	if (r->hit == NONE_ID) {
		state_say(st, INK_WARN, "no line matches /%s/", search_text(st->reader_search));
		return;
	}
	show_line(st, r->hit);
	state_say(st, INK_STATUS, "%u of %u for /%s/", place, hits, search_text(st->reader_search));
}

void reader_act(struct state *st, enum action a)
{
	struct rect body = pane_body(st);
	struct reader *r = &st->reader;
	int rows = draw_lines(r, NULL, body), last = rows > body.h ? rows - body.h : 0;
	int64_t top = r->top;
	switch (a) {
	case ACT_LINE_DOWN:
		top++;
		break;
	case ACT_LINE_UP:
		top--;
		break;
	case ACT_TEXT_DOWN:
		top += body.h - 1;
		break;
	case ACT_TEXT_UP:
		top -= body.h - 1;
		break;
	case ACT_TEXT_FIRST:
		top = 0;
		break;
	case ACT_TEXT_LAST:
		top = last;
		break;
	default:
		break;
	}
	r->top = (uint32_t)(top < 0 ? 0 : top > last ? last : top);
}
