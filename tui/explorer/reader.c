/* tui/explorer/reader.c - text over the panes: scrolling, and the help made from the key table and the list of commands. */
#include "reader.h"
#include "pane.h"
#include "tui/screen/wrap.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reader_clear(struct reader *r, const char *title)
{
	arena_free(&r->mem);
	*r = (struct reader){.title = title};
}

void reader_add(struct reader *r, int ink, const char *key, const char *text)
{
	r->lines = arena_next_row(&r->mem, r->lines, r->n, sizeof *r->lines);
	r->lines[r->n++] = (struct reader_line){ink, arena_strdup(&r->mem, key), arena_strdup(&r->mem, text)};
}

void reader_addf(struct reader *r, const char *key, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	reader_add(r, INK_TEXT, key, text);
}

static void add_scope(struct reader *r, enum scope scope)
{
	size_t n;
	const struct key_binding *b = keymap(&n);
	reader_add(r, INK_HEAD, NULL, scope_title(scope));
	for (size_t i = 0; i < n; i++)
		if (b[i].scope == scope && *b[i].help)
			reader_add(r, INK_TEXT, b[i].keys, b[i].help);
	reader_add(r, INK_TEXT, NULL, "");
}

static void add_command(void *ctx, const char *left, const char *right)
{
	reader_add(ctx, INK_TEXT, left, right);
}

void reader_help(struct state *st)
{
	struct reader *r = &st->reader;
	enum scope here = pane_of(st)->scope;
	reader_clear(r, "Help");
	add_scope(r, here);
	add_scope(r, SCOPE_GLOBAL);
	reader_add(r, INK_HEAD, NULL, "commands");
	command_help(&r->mem, add_command, r);
	reader_add(r, INK_TEXT, NULL, "");
	for (int s = 0; s < SCOPE_COUNT; s++)
		if (s != (int)here && s != SCOPE_GLOBAL)
			add_scope(r, (enum scope)s);
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
			surface_text(s, y, body.x + 2, keys - 2, INK_KEY, 0, l->key);
		y += wrap_text(s, (struct rect){y, x, 0, w}, l->ink, l->text, body.y, bottom);
	}
	return y - (body.y - (int)r->top);
}

void reader_draw(const struct state *st, struct surface *s, struct rect body)
{
	draw_lines(&st->reader, s, body);
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
