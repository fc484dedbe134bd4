/* tests/screens/picture.h - what a terminal's screen shows: as text, and the runs of cells that are not plain. */
#ifndef STEPSCOPE_TESTS_PICTURE_H
#define STEPSCOPE_TESTS_PICTURE_H
#include "terminal.h"

static inline void put_utf8(FILE *out, uint32_t c)
{
	if (c < 0x80)
		fputc((int)c, out);
	else if (c < 0x800)
		fprintf(out, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 63)));
	else if (c < 0x10000)
		fprintf(out, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 63)), (int)(0x80 | (c & 63)));
	else
		fprintf(out, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 63)),
			(int)(0x80 | (c >> 6 & 63)), (int)(0x80 | (c & 63)));
}

static inline void put_cell(FILE *out, const VTermScreenCell *cell)
{
	if (cell->chars[0] == (uint32_t)-1)
		return; /* right half of a wide character */
	if (cell->chars[0] == 0)
		fputc(' ', out);
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		put_utf8(out, cell->chars[i]);
}

static inline void put_line(struct pty *p, FILE *out, int row)
{
	VTermScreenCell cell;

	for (int col = 0; col < p->cols; col++)
		if (vterm_screen_get_cell(p->screen, (VTermPos){.row = row, .col = col}, &cell))
			put_cell(out, &cell);
}

/* The caller frees the text: all lines, each with '\n' after it. */
static inline char *screen_text(struct pty *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int row = 0; row < p->rows; row++) {
		put_line(p, out, row);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static inline bool screen_shows(struct pty *p, const char *text)
{
	char *all = screen_text(p);
	bool found = strstr(all, text) != NULL;

	free(all);
	return found;
}

static inline void print_screen(struct pty *p)
{
	for (int row = 0; row < p->rows; row++) {
		putchar('|');
		put_line(p, stdout, row);
		puts("|");
	}
	puts(""); /* keeps two pictures in a row apart */
}

/* ---- attributes ---------------------------------------------------------------------------------------------------- */

static inline int colour_text(char *buf, size_t size, const char *what, const VTermColor *c, bool plain)
{
	if (plain)
		return 0;
	if (VTERM_COLOR_IS_INDEXED(c))
		return snprintf(buf, size, " %s=%d", what, c->indexed.idx);
	return snprintf(buf, size, " %s=#%02x%02x%02x", what, c->rgb.red, c->rgb.green, c->rgb.blue);
}

static inline void cell_attrs(const VTermScreenCell *cell, char buf[128])
{
	int n = snprintf(buf, 128, "%s%s%s%s%s", cell->attrs.bold ? " bold" : "",
			 cell->attrs.underline ? " underline" : "", cell->attrs.italic ? " italic" : "",
			 cell->attrs.blink ? " blink" : "", cell->attrs.reverse ? " reverse" : "");

	n += colour_text(buf + n, 128 - (size_t)n, "fg", &cell->fg, VTERM_COLOR_IS_DEFAULT_FG(&cell->fg));
	colour_text(buf + n, 128 - (size_t)n, "bg", &cell->bg, VTERM_COLOR_IS_DEFAULT_BG(&cell->bg));
}

static inline void print_attrs_row(struct pty *p, int row)
{
	char run[128] = "", here[128];
	int from = 0;
	VTermScreenCell cell;

	for (int col = 0; col <= p->cols; col++) {
		here[0] = '\0';
		if (col < p->cols && vterm_screen_get_cell(p->screen, (VTermPos){.row = row, .col = col}, &cell))
			cell_attrs(&cell, here);
		if (strcmp(run, here) == 0)
			continue;
		if (run[0])
			printf("%d: %d-%d%s\n", row, from, col - 1, run);
		from = col;
		memcpy(run, here, sizeof run);
	}
}

#endif
