#include "svg.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "model/store/files/text_stream.h"
#include "tui/text/put.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, PLOT_X = 210, PLOT_W = 980, ROW_H = 17, ROW_STEP = 18, LANE_GAP = 7, GROUP_H = 20, AXIS_H = 22 };
enum { MARK_H = 36, LINE_H = 19, HEAD_COLS = 170, PAD = 14, VERDICT_LINE = 1 };

struct canvas {
	FILE *f;
	const struct picture *p;
	struct arena *mem;
	int y;
	double thin; /* width of the narrowest box */
	bool page;   /* inside one, whose script moves boxes by their exact times */
};

static const char style[] =
	".ss-bg{fill:#fff}.ss{font:11px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
	".ss text{fill:#1d2733}.ss .mu{fill:#5c6977}.ss .gr{stroke:#e4e9ef}.ss .st{fill:#7d8ea3;fill-opacity:.09}.ss "
	".bd{font-weight:600}"
	".ss .w{fill:#fff;font-size:10px;pointer-events:none}.ss .q1{fill-opacity:.35}.ss .q2{fill-opacity:.55}"
	".ss .q3{fill-opacity:.75}.ss .gp{fill:#d6203a;fill-opacity:.1}.ss .ge{stroke:#d6203a;stroke-dasharray:4 3}"
	".ss .gl{stroke:#d6203a;stroke-width:1.5;fill:none}.ss .gt{fill:#b81830;font-weight:600;font-size:12px}"
	"@media(prefers-color-scheme:dark){.ss-bg{fill:#14181e}.ss text{fill:#dbe2ea}.ss .mu{fill:#95a2b0}"
	".ss .gr{stroke:#2a323c}.ss .w{fill:#fff}.ss .q1{fill-opacity:.6}.ss .q2{fill-opacity:.75}.ss "
	".q3{fill-opacity:.88}.ss .gp{fill:#ff5468;fill-opacity:.14}"
	".ss .ge,.ss .gl{stroke:#ff6b7d}.ss .gt{fill:#ff8795}}";

static unsigned shaded(unsigned channel, unsigned shade)
{
	static const unsigned pct[] = {100, 86, 112, 94};
	unsigned v = channel * pct[shade] / 100;
	return v > 255 ? 255 : v;
}

static void put_style(const struct canvas *c)
{
	fprintf(c->f, "<style>%s", style);
	for (int i = 0; i < PAINT_COUNT; i++) {
		const struct paint_info *p = paint_info((enum paint)i);
		for (unsigned s = 0; c->p->paints[i] && s < 4; s++)
			fprintf(c->f, ".ss .%s%u{fill:#%02x%02x%02x}", p->css, s, shaded(p->colour >> 16, s),
				shaded(p->colour >> 8 & 255, s), shaded(p->colour & 255, s));
	}
	fputs("</style>\n", c->f);
}

static double x_of(const struct canvas *c, int64_t ns)
{
	return PLOT_X + (double)(ns - c->p->a_ns) / (double)(c->p->b_ns - c->p->a_ns) * PLOT_W;
}

static void put_text(const struct canvas *c, double x, double y, const char *attributes, const char *text)
{
	fprintf(c->f, "<text x=\"%.1f\" y=\"%.1f\"%s%s>", x, y, *attributes ? " " : "", attributes);
	put_html(c->f, text);
	fputs("</text>", c->f);
}

/* 1, 2 or 5 times a power of ten, so that 5 to 12 ticks fit. */
static int64_t tick_step(int64_t span)
{
	static const int factors[] = {1, 2, 5};
	int64_t power = 1;
	for (;;) {
		for (int i = 0; i < 3; i++)
			if (span / (power * factors[i]) < 10 || power > INT64_MAX / 50)
				return power * factors[i];
		power *= 10;
	}
}

/* The middle of a text, so that it ends within the picture. */
static double label_x(double x, const char *text)
{
	double most = WIDTH - 1 - utf8_width(text) * 3.6;
	return x > most ? most : x;
}

static void put_axis(struct canvas *c, int height)
{
	int64_t step = tick_step(c->p->b_ns - c->p->a_ns);
	int64_t first = (c->p->a_ns + step - 1) / step * step;
	char label[UNITS_BUF];
	fputs("<g class=\"ax\">", c->f);
	for (int64_t at = first; at <= c->p->b_ns; at += step) {
		double x = x_of(c, at);
		fprintf(c->f, "<line class=\"gr\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x,
			c->y + AXIS_H - 5, c->y + height);
		fmt_ns_fixed(label, at, step);
		put_text(c, label_x(x, label), c->y + 12, "class=\"mu\" text-anchor=\"middle\"", label);
	}
	fputs("</g>\n", c->f);
	c->y += AXIS_H;
}

static void put_box_title(const struct canvas *c, const struct box *b)
{
	char dur[UNITS_BUF], from[UNITS_BUF], count[UNITS_BUF];
	fputs("<title>", c->f);
	if (b->count == 0)
		fprintf(c->f, "busy %s of %s, longest: ", fmt_ns(dur, b->dur_ns), fmt_ns(from, b->b_ns - b->a_ns));
	if (b->count > 1)
		fprintf(c->f, "%s events, %s in all, longest: ", fmt_count(count, b->count), fmt_ns(dur, b->dur_ns));
	put_html(c->f, b->name);
	if (b->count == 1)
		fprintf(c->f, "\n%s from %s", fmt_ns(dur, b->dur_ns), fmt_ns(from, b->a_ns));
	fputs("</title>", c->f);
}

/* The name in so many letters, of a step the number alone where no more fits; NULL: what is left of it would tell nothing. */
static const char *name_in_box(const struct canvas *c, const struct box *b, int cols)
{
	enum { LEAST_CUT = 6 };
	char name[NAMES_BUF];
	const char *text = name_reduce(b->name, cols, name);
	if (utf8_width(text) > cols && !strncmp(text, STEP_WORD, strlen(STEP_WORD)))
		text += strlen(STEP_WORD);
	return cols >= LEAST_CUT || utf8_width(text) <= cols ? words_end(c->mem, text, cols) : NULL;
}

static void put_box(const struct canvas *c, const struct box *b)
{
	double x = x_of(c, b->a_ns), w = x_of(c, b->b_ns) - x;
	w = w > 3 ? w - 0.5 : w < c->thin ? c->thin : w; /* neighbours stay apart, the shortest one visible */
	const char *css = paint_info((enum paint)b->paint)->css;
	fprintf(c->f, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" class=\"%s%u", x, c->y, w, ROW_H, css,
		b->shade);
	if (b->count != 1 && b->level < 4)
		fprintf(c->f, " q%u", b->level);
	fputc('"', c->f);
	if (c->page)
		fprintf(c->f, " data-t=\"%" PRId64 " %" PRId64 "\"", b->a_ns - c->p->a_ns, b->b_ns - b->a_ns);
	fputc('>', c->f);
	put_box_title(c, b);
	fputs("</rect>", c->f);
	int cols = (int)((w - 5) / 5.6);
	const char *name = cols > 0 && b->count == 1 ? name_in_box(c, b, cols) : NULL;
	if (name)
		put_text(c, x + 3, c->y + 12, "class=\"w\"", name);
}

static int lane_height(const struct lane *l)
{
	return (l->group ? GROUP_H : 0) + (int)l->n_rows * ROW_STEP + LANE_GAP;
}

static void put_lane(struct canvas *c, const struct lane *l)
{
	fprintf(c->f, "<g class=\"ln\" data-h=\"%d\">", lane_height(l));
	if (l->group) {
		put_text(c, PAD, c->y + 13, "class=\"bd\"", l->group);
		c->y += GROUP_H;
	}
	fprintf(c->f, "<rect class=\"st\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", PLOT_X, c->y - 1, PLOT_W,
		(int)l->n_rows * ROW_STEP + 1);
	put_text(c, PLOT_X - 8, c->y + 12, "class=\"mu\" text-anchor=\"end\"", words_middle(c->mem, l->label, 32));
	fputc('\n', c->f);
	for (uint32_t i = 0; i < l->n_rows; i++, c->y += ROW_STEP) {
		for (uint32_t k = 0; k < l->rows[i].n; k++)
			put_box(c, &l->rows[i].at[k]);
		fputc('\n', c->f);
	}
	fputs("</g>\n", c->f);
	c->y += LANE_GAP;
}

/* Centre for a text about [a, b) that keeps it inside the plot. */
static double centre_for(double a, double b, const char *text)
{
	double half = utf8_width(text) * 3.9, x = (a + b) / 2; /* bold: wide in every font */
	if (x + half > PLOT_X + PLOT_W)
		x = PLOT_X + PLOT_W - half;
	return x - half < PLOT_X ? PLOT_X + half : x;
}

/* The marked part stands after the boxes, so that it does not change their colours ... */
static void put_mark_ground(const struct canvas *c, int top, int height)
{
	if (!c->p->marked)
		return;
	double a = x_of(c, c->p->mark_a_ns), b = x_of(c, c->p->mark_b_ns);
	fprintf(c->f, "<rect class=\"gp\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", a, top + MARK_H - 3,
		b - a < 1 ? 1 : b - a, height - MARK_H + 3);
}

/* ... its edges in front; its length and cause are text above the lanes. */
static void put_mark(const struct canvas *c, int top, int height)
{
	if (!c->p->marked)
		return;
	double a = x_of(c, c->p->mark_a_ns), b = x_of(c, c->p->mark_b_ns);
	int y = top + MARK_H - 3;
	fprintf(c->f, "<g class=\"mk\" data-t=\"%" PRId64 " %" PRId64 "\">", c->p->mark_a_ns - c->p->a_ns,
		c->p->mark_b_ns - c->p->mark_a_ns);
	fprintf(c->f, "<path class=\"ge\" d=\"M%.1f %dV%dM%.1f %dV%d\"/>", a, y, top + height, b, y, top + height);
	fprintf(c->f, "<path class=\"gl\" d=\"M%.1f %dv6m0 -3H%.1fm0 -3v6\"/>", a, y - 3, b);
	for (int i = 0; i < 2; i++)
		if (c->p->mark[i])
			put_text(c, centre_for(a, b, c->p->mark[i]), top + 12 + 15 * i,
				 "class=\"gt\" text-anchor=\"middle\"", c->p->mark[i]);
	fputs("</g>\n", c->f);
}

static void put_legend(struct canvas *c)
{
	double x = PLOT_X;
	fputs("<g class=\"lg\">", c->f);
	for (int i = 0; i < PAINT_COUNT; i++) {
		const struct paint_info *p = paint_info((enum paint)i);
		if (!c->p->paints[i] || i == PAINT_STEP)
			continue;
		double w = 34 + (double)strlen(p->legend) * 7.2;
		if (x + w > WIDTH) {
			x = PLOT_X;
			c->y += 17;
		}
		fprintf(c->f, "<rect x=\"%.1f\" y=\"%d\" width=\"11\" height=\"11\" class=\"%s0\"/>", x, c->y + 3,
			p->css);
		put_text(c, x + 16, c->y + 12, "class=\"mu\"", p->legend);
		x += w;
	}
	c->y += 18;
	if (*c->p->left_out) {
		put_text(c, PLOT_X, c->y + 12, "class=\"mu\"", c->p->left_out);
		c->y += 18;
	}
	fputs("</g>\n", c->f);
}

static int lanes_height(const struct picture *p)
{
	int h = 0;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		h += lane_height(&p->lanes[i]);
	return h;
}

/* Long sentences go over two lines, broken at a blank. */
static void put_lines(struct canvas *c, const char *const *head, int bold)
{
	for (int i = 0; head && head[i]; i++) {
		const char *rest = head[i], *attributes = i == bold ? "class=\"bd\" font-size=\"14\"" : "class=\"mu\"";
		int cols = i == bold ? HEAD_COLS * 3 / 4 : HEAD_COLS;
		while (*rest) {
			size_t n = strlen(rest);
			if (n > (size_t)cols) {
				for (n = (size_t)cols; n > (size_t)cols / 2 && (rest[n] != ' ' || words_stay(rest, n));)
					n--;
				n = rest[n] == ' ' ? n : strlen(rest);
			}
			put_text(c, PAD, c->y + 14, attributes, arena_strndup(c->mem, rest, n));
			c->y += LINE_H;
			rest += n + (rest[n] == ' ');
		}
	}
	fputc('\n', c->f);
}

static void put_body(struct canvas *c)
{
	int top = c->y, height = (c->p->marked ? MARK_H : 0) + AXIS_H + lanes_height(c->p);
	put_mark_ground(c, top, height);
	c->y += c->p->marked ? MARK_H : 0;
	put_axis(c, height - (c->p->marked ? MARK_H : 0));
	for (uint32_t i = 0; i < c->p->n_lanes; i++)
		put_lane(c, &c->p->lanes[i]);
	put_mark(c, top, height);
	put_legend(c);
}

/* The body is written to memory first: its height stands in front of it. */
void svg_write(FILE *f, const struct picture *p, const char *title, const char *const *head, const char *const *foot,
	       struct arena *mem)
{
	struct text_stream s;
	size_t size;
	FILE *m = must(text_stream_open(&s));
	double thin = p->cols > PICTURE_COLS ? 0.7 * PICTURE_COLS / p->cols : 0.7;
	struct canvas c = {m, p, mem, head ? PAD / 2 : 2, thin, !head};
	put_lines(&c, head, VERDICT_LINE);
	c.y += head ? PAD / 2 : 0;
	put_body(&c);
	put_lines(&c, foot, -1);
	char *body = must(text_stream_close(&s, &size));
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
		"role=\"img\"",
		WIDTH, c.y + 4, WIDTH, c.y + 4);
	if (c.page)
		fprintf(f,
			" class=\"lanes\" data-plot=\"%d %d\" data-from=\"%" PRId64 "\" data-span=\"%" PRId64
			"\" data-thin=\"%.2f\"",
			PLOT_X, PLOT_W, p->a_ns, p->b_ns - p->a_ns, thin);
	fputs(">\n", f);
	fputs("<title>", f);
	put_html(f, title);
	fputs("</title>\n", f);
	c.f = f;
	put_style(&c);
	fprintf(f, "<rect class=\"ss-bg\" width=\"%d\" height=\"%d\"/>\n<g class=\"ss\">\n", WIDTH, c.y + 4);
	fwrite(body, 1, size, f);
	fputs("</g>\n</svg>\n", f);
	free(body);
}
