/* What paint.h sends makes a terminal show the surface, whatever stood there before: random screens and changes through libvterm,
 * every cell compared with what the surface and the theme say. Shifts must be worth their bytes. */
#include "tui/screen/paint.h"
#include "tui/text/utf8.h"
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>
#include <cmocka.h>

enum { ROWS = 24, COLS = 80, ROUNDS = 400 };

static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint32_t any(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 33) % below;
}

struct terminal {
	VTerm *vt;
	VTermScreen *screen;
};

static struct terminal terminal_new(int rows, int cols)
{
	struct terminal t = {.vt = vterm_new(rows, cols)};
	vterm_set_utf8(t.vt, 1);
	t.screen = vterm_obtain_screen(t.vt);
	vterm_screen_reset(t.screen, 1);
	return t;
}

/* ---- what the terminal must show ---------------------------------------------------------------------------------- */

static int32_t color_of(const VTermColor *c, bool plain)
{
	if (plain)
		return COLOR_DEFAULT;
	if (VTERM_COLOR_IS_INDEXED(c))
		return c->indexed.idx;
	return COLOR_RGB | c->rgb.red << 16 | c->rgb.green << 8 | c->rgb.blue;
}

static struct style seen_style(const VTermScreenCell *c)
{
	return (struct style){color_of(&c->fg, VTERM_COLOR_IS_DEFAULT_FG(&c->fg)),
			      color_of(&c->bg, VTERM_COLOR_IS_DEFAULT_BG(&c->bg)),
			      (c->attrs.bold ? PEN_BOLD : 0) | (c->attrs.underline ? PEN_UNDERLINE : 0) |
				      (c->attrs.reverse ? PEN_REVERSE : 0)};
}

/* The colour as the terminal is to get it, said anew: not by what paint.c does. */
static int32_t told_color(enum term_depth depth, int32_t color, bool *bold)
{
	if (depth == DEPTH_MONO || color < 0)
		return COLOR_DEFAULT;
	if (depth == DEPTH_8 && color >= 8) {
		*bold = true;
		return color - 8;
	}
	if (depth == DEPTH_RGB && color >= 16)
		return COLOR_RGB | color_to_rgb(color);
	return color_to_256(color);
}

static struct style told_style(const struct theme *t, enum term_depth depth, const struct surface_cell *c)
{
	struct style st = theme_cell(depth >= DEPTH_256 ? t->rich : t->basic, c->ink, c->pen);
	bool bold = st.pen & PEN_BOLD, ignored;
	struct style out = {told_color(depth, st.fg, &bold), told_color(depth, st.bg, &ignored), st.pen};
	out.pen = bold ? out.pen | PEN_BOLD : out.pen;
	return out;
}

static void expect_cell(const struct terminal *t, const struct surface *s, const struct theme *theme,
			enum term_depth depth, int y, int x)
{
	VTermScreenCell seen;
	char want[CELL_TEXT_BUF], got[64] = "";
	const struct surface_cell *c = surface_at(s, y, x);
	size_t n = 0;
	vterm_screen_get_cell(t->screen, (VTermPos){.row = y, .col = x}, &seen);
	if (!c->cp)
		return; /* came with its left half */
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && seen.chars[i]; i++)
		n += utf8_encode(seen.chars[i], got + n);
	cell_utf8(c->cp, c->marks, want);
	if (strcmp(n ? got : " ", want) != 0)
		fail_msg("row %d column %d shows '%s', not '%s'", y, x, got, want);
	struct style told = told_style(theme, depth, c), style = seen_style(&seen);
	bool blank = c->cp == ' ' && !((told.pen | style.pen) & (PEN_REVERSE | PEN_UNDERLINE));
	if (style.bg != told.bg || (!blank && (style.fg != told.fg || style.pen != told.pen)))
		fail_msg("row %d column %d '%s': style %x %x %d, not %x %x %d", y, x, want, (unsigned)style.fg,
			 (unsigned)style.bg, style.pen, (unsigned)told.fg, (unsigned)told.bg, told.pen);
}

static void expect_shown(const struct terminal *t, const struct surface *s, const struct theme *theme,
			 enum term_depth depth)
{
	for (int y = 0; y < s->rows; y++)
		for (int x = 0; x < s->cols; x++)
			expect_cell(t, s, theme, depth, y, x);
}

/* ---- random screens ----------------------------------------------------------------------------------------------- */

static int some_ink(void)
{
	return (int)any(INK_COUNT);
}

static void some_text(struct surface *s)
{
	static const char *const texts[] = {"volta_sgemm_128x64_nn",
					    "\xe2\x96\x88\xe2\x96\x87\xe2\x96\x85\xe2\x96\x81",
					    "e\xcc\x81t\xcc\xa3\xcc\x82\x61",
					    "\xe6\xb1\x89\xe5\xad\x97 wide",
					    "671 ms",
					    "        x        y"};
	surface_text(s, (int)any(ROWS), (int)any(COLS), 1 + (int)any(40), some_ink(), (int)any(16),
		     texts[any(sizeof texts / sizeof *texts)]);
}

static void some_bar(struct surface *s)
{
	struct rect r = {(int)any(ROWS), (int)any(COLS), 1 + (int)any(3), 1 + (int)any(60)};
	surface_fill(s, r, any(2) ? ' ' : 0x2588, some_ink(), any(3) ? 0 : (int)any(16));
}

static void move_cells(struct surface *s, int rows, int cols, struct rect r)
{
	struct surface_cell *was = malloc((size_t)ROWS * COLS * sizeof *was);
	memcpy(was, s->cells, (size_t)ROWS * COLS * sizeof *was);
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			int from_y = y + rows, from_x = x + cols;
			bool inside = from_y >= r.y && from_y < r.y + r.h && from_x >= r.x && from_x < r.x + r.w;
			if (inside)
				s->cells[y * COLS + x] = was[from_y * COLS + from_x];
		}
	free(was);
}

/* Moving may leave halves of wide characters; a surface made by its functions has none. */
static void mend_halves(struct surface *s)
{
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < COLS; x++) {
			struct surface_cell *c = &s->cells[y * COLS + x];
			bool wide = utf8_cols(c->cp) == 2 && c->cp, right = x + 1 < COLS && !c[1].cp;
			if ((wide && !right) || (!c->cp && (x == 0 || utf8_cols(c[-1].cp) != 2)))
				surface_put(s, y, x, ' ', c->ink, 0);
		}
}

static void change(struct surface *s)
{
	uint32_t what = any(8);
	if (what == 0)
		surface_clear(s);
	else if (what == 1)
		move_cells(s, (int)any(11) - 5, 0, (struct rect){(int)any(8), 0, 10 + (int)any(6), COLS});
	else if (what == 2)
		move_cells(s, 0, (int)any(41) - 20, (struct rect){2, (int)any(30), 15, 40 + (int)any(10)});
	for (uint32_t n = any(what < 3 ? 3 : 30); n > 0; n--)
		any(2) ? some_text(s) : some_bar(s);
	mend_halves(s);
}

static struct paint_caps some_caps(void)
{
	return (struct paint_caps){.depth = (enum term_depth)any(DEPTH_RGB + 1),
				   .erases_colored = any(2),
				   .erase_cells = any(2),
				   .shift_cells = any(3) > 0,
				   .shift_lines = any(3) > 0,
				   .sync = any(2)};
}

static void random_changes_are_shown(void **state)
{
	(void)state;
	static const char *const themes[] = {"dark", "light", "mono"};
	for (int run = 0; run < 24; run++) {
		struct terminal t = terminal_new(ROWS, COLS);
		struct paint p = {0};
		struct surface s = {0};
		struct theme theme;
		struct paint_caps caps = some_caps();
		assert_true(theme_load(&theme, themes[run % 3], NULL));
		surface_resize(&s, ROWS, COLS);
		paint_start(&p, caps);
		for (int i = 0; i < ROUNDS / 10; i++) {
			change(&s);
			paint_frame(&p, &s, &theme);
			vterm_input_write(t.vt, p.out, p.n);
			expect_shown(&t, &s, &theme, caps.depth);
		}
		paint_free(&p);
		surface_free(&s);
		vterm_free(t.vt);
	}
}

/* ---- bytes -------------------------------------------------------------------------------------------------------- */

static struct paint_caps all_caps = {DEPTH_256, true, true, true, true, false, false};

static struct theme dark;

/* A screen like the timeline's: names on the left, bars of many colours, no two columns the same. */
static void noise(struct surface *s, int rows, int cols)
{
	surface_resize(s, rows, cols);
	for (int y = 0; y < rows; y++) {
		surface_printf(s, y, 0, 20, INK_TEXT, 0, "lane %d", y);
		for (int x = 20; x < cols; x++)
			surface_put(s, y, x, 0x2581 + any(8), INK_KERNEL_0 + (int)any(6), PEN_SHAPE);
	}
}

static size_t bytes_of(struct paint *p, const struct surface *s)
{
	paint_frame(p, s, &dark);
	return p->n;
}

/* Bytes of the change from one screen to the other with these abilities; both are shown right. */
static size_t bytes_between(const struct surface *a, const struct surface *b, struct paint_caps caps)
{
	struct terminal t = terminal_new(a->rows, a->cols);
	struct paint p = {0};
	paint_start(&p, caps);
	bytes_of(&p, a);
	vterm_input_write(t.vt, p.out, p.n);
	size_t n = bytes_of(&p, b);
	vterm_input_write(t.vt, p.out, p.n);
	expect_shown(&t, b, &dark, caps.depth);
	paint_free(&p);
	vterm_free(t.vt);
	return n;
}

static void copy(struct surface *to, const struct surface *from)
{
	surface_resize(to, from->rows, from->cols);
	memcpy(to->cells, from->cells, (size_t)from->rows * (size_t)from->cols * sizeof *from->cells);
}

static void what_moved_is_shifted(void **state)
{
	(void)state;
	struct surface a = {0}, b = {0};
	struct paint_caps none = {.depth = DEPTH_256, .erases_colored = true, .erase_cells = true};
	noise(&a, ROWS, COLS);
	copy(&b, &a);
	move_cells(&b, 3, 0, (struct rect){4, 0, 18, COLS});
	surface_fill(&b, (struct rect){19, 0, 3, COLS}, ' ', INK_TEXT, 0);
	assert_true(bytes_between(&a, &b, none) > 10000);
	assert_true(bytes_between(&a, &b, all_caps) < 100);
	copy(&b, &a);
	move_cells(&b, -2, 0, (struct rect){0, 0, ROWS, COLS});
	surface_fill(&b, (struct rect){0, 0, 2, COLS}, ' ', INK_TEXT, 0);
	assert_true(bytes_between(&a, &b, all_caps) < 100);
	copy(&b, &a); /* the names stay, and what stands to the right of column 70 */
	move_cells(&b, 0, 7, (struct rect){0, 20, ROWS, 50});
	assert_true(bytes_between(&a, &b, none) > 10000);
	assert_true(bytes_between(&a, &b, all_caps) < ROWS * (7 * 14 + 40));
	copy(&b, &a);
	move_cells(&b, 0, -7, (struct rect){0, 20, ROWS, 60});
	assert_true(bytes_between(&a, &b, all_caps) < ROWS * (7 * 14 + 40));
	surface_free(&a);
	surface_free(&b);
}

static void the_same_screen_takes_no_byte(void **state)
{
	(void)state;
	struct paint p = {0};
	struct surface s = {0};
	noise(&s, ROWS, COLS);
	paint_start(&p, all_caps);
	assert_true(bytes_of(&p, &s) > 0);
	assert_int_equal(bytes_of(&p, &s), 0);
	paint_forget(&p);
	assert_true(bytes_of(&p, &s) > 0);
	surface_resize(&s, ROWS - 1, COLS + 1);
	assert_true(bytes_of(&p, &s) > 0);
	paint_free(&p);
	surface_free(&s);
}

static void blanks_are_erased(void **state)
{
	(void)state;
	struct surface a = {0}, b = {0};
	surface_resize(&a, ROWS, COLS);
	surface_resize(&b, ROWS, COLS);
	surface_fill(&b, (struct rect){0, 0, ROWS, COLS - 5}, ' ', INK_KERNEL_1, 0);
	assert_true(bytes_between(&a, &b, all_caps) < ROWS * 20);
	surface_fill(&b, (struct rect){0, 0, ROWS, COLS}, ' ', INK_KERNEL_1, 0);
	assert_true(bytes_between(&a, &b, all_caps) < ROWS * 12);
	surface_free(&a);
	surface_free(&b);
}

static void a_frame_is_one_update_where_that_is_known(void **state)
{
	(void)state;
	struct paint p = {0};
	struct surface s = {0};
	struct paint_caps caps = all_caps;
	caps.sync = true;
	noise(&s, 2, 30);
	paint_start(&p, caps);
	size_t n = bytes_of(&p, &s);
	assert_memory_equal(p.out, "\033[?2026h", 8);
	assert_memory_equal(p.out + n - 8, "\033[?2026l", 8);
	paint_free(&p);
	surface_free(&s);
}

static void true_colours_are_sent(void **state)
{
	(void)state;
	struct paint p = {0};
	struct surface s = {0};
	struct theme t = dark;
	struct paint_caps caps = all_caps;
	caps.depth = DEPTH_RGB;
	t.rich[INK_WARN] = (struct style){COLOR_RGB | 0x010203, COLOR_RGB | 0xFEDCBA, 0};
	surface_resize(&s, 1, 4);
	surface_text(&s, 0, 0, 4, INK_WARN, 0, "warn");
	paint_start(&p, caps);
	paint_frame(&p, &s, &t);
	p.out[p.n - 1] = 0;
	assert_non_null(strstr(p.out, "38;2;1;2;3;48;2;254;220;186m"));
	paint_free(&p);
	surface_free(&s);
}

static void the_last_cell_is_left_out_where_it_would_scroll(void **state)
{
	(void)state;
	struct paint p = {0};
	struct surface s = {0};
	struct paint_caps caps = all_caps;
	caps.last_cell_wraps = true;
	surface_resize(&s, 2, 3);
	surface_text(&s, 1, 0, 3, INK_TEXT, 0, "abc");
	paint_start(&p, caps);
	size_t n = bytes_of(&p, &s);
	assert_non_null(memmem(p.out, n, "ab", 2));
	assert_null(memmem(p.out, n, "c", 1));
	paint_free(&p);
	surface_free(&s);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	if (!theme_load(&dark, "dark", NULL))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_changes_are_shown),
		cmocka_unit_test(what_moved_is_shifted),
		cmocka_unit_test(the_same_screen_takes_no_byte),
		cmocka_unit_test(blanks_are_erased),
		cmocka_unit_test(a_frame_is_one_update_where_that_is_known),
		cmocka_unit_test(true_colours_are_sent),
		cmocka_unit_test(the_last_cell_is_left_out_where_it_would_scroll),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
