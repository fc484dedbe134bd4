#include "shot.h"
#include <string.h>

static const struct {
	const char *ending;
	enum shot_form form;
} forms[] = {{".svg", SHOT_SVG}, {".ans", SHOT_ANS}, {".txt", SHOT_TEXT}};

bool shot_form_parse(const char *file, enum shot_form *out, struct err *e)
{
	size_t n = strlen(file);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t ending = strlen(forms[i].ending);
		if (n > ending && strcmp(file + n - ending, forms[i].ending) == 0) {
			*out = forms[i].form;
			return true;
		}
	}
	return err_usage(e, "a screenshot is a .svg, .ans or .txt file, not '%.80s'", file);
}

/* Where a row's last cell that shows something ends. */
static int row_end(const struct surface *s, int y, bool colored)
{
	int end = s->cols;
	while (end > 0) {
		const struct surface_cell *c = surface_at(s, y, end - 1);
		if (c->cp != ' ' || (colored && c->ink != INK_TEXT))
			break;
		end--;
	}
	return end;
}

static void put_cell(FILE *f, const struct surface_cell *c)
{
	char text[CELL_TEXT_BUF];
	cell_utf8(c->cp, c->marks, text);
	fputs(text, f);
}

static void put_text_row(FILE *f, const struct surface *s, int y)
{
	int end = row_end(s, y, false);
	for (int x = 0; x < end; x++)
		put_cell(f, surface_at(s, y, x));
	fputc('\n', f);
}

/* ---- coloured text ------------------------------------------------------------------------------------------------ */

static void put_color(FILE *f, int32_t color, int palette)
{
	if (color >= COLOR_RGB)
		fprintf(f, ";%d;2;%d;%d;%d", palette, color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF);
	else if (color >= 0)
		fprintf(f, ";%d;5;%d", palette, color);
}

static void put_style(FILE *f, struct style st)
{
	fputs("\033[0", f);
	if (st.pen & PEN_BOLD)
		fputs(";1", f);
	if (st.pen & PEN_UNDERLINE)
		fputs(";4", f);
	if (st.pen & PEN_REVERSE)
		fputs(";7", f);
	put_color(f, st.fg, 38);
	put_color(f, st.bg, 48);
	fputc('m', f);
}

static void put_ans_row(FILE *f, const struct surface *s, const struct theme *t, int y)
{
	const struct surface_cell *before = NULL;
	int end = row_end(s, y, true);
	for (int x = 0; x < end; x++) {
		const struct surface_cell *c = surface_at(s, y, x);
		if (!before || before->ink != c->ink || before->pen != c->pen)
			put_style(f, theme_cell(t->rich, c->ink, c->pen));
		put_cell(f, c);
		before = c;
	}
	fputs(before ? "\033[0m\n" : "\n", f);
}

void shot_write(FILE *f, const struct surface *s, const struct theme *t, enum shot_form form, const char *label)
{
	if (form == SHOT_SVG) {
		shot_svg(f, s, t, label);
		return;
	}
	for (int y = 0; y < s->rows; y++)
		if (form == SHOT_ANS)
			put_ans_row(f, s, t, y);
		else
			put_text_row(f, s, y);
}
