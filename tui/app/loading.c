#include "loading.h"
#include "model/store/base/units.h"
#include "tui/explorer/feed.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include "tui/screen/bars.h"
#include "tui/screen/theme.h"
#include "tui/screen/wrap.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <string.h>

static const char *phase_word(enum progress_phase p)
{
	static const char *const words[] = {"reading", "sorting", "finding steps", "ready", "exporting with nsys"};
	return (size_t)p < sizeof words / sizeof *words ? words[p] : "";
}

static void draw_title(const struct app_opts *o, struct surface *s)
{
	const char *path = o->n_paths ? o->paths[0] : "";
	if (strcmp(path, "-") == 0)
		path = "standard input";
	surface_fill(s, (struct rect){0, 0, 1, s->cols}, ' ', INK_TITLE, 0);
	surface_printf(s, 0, 1, s->cols - 2, INK_TITLE, 0, "%s  loading", words_base(path));
}

/* Bytes, events, events per second, time to go: what is unknown stays away. */
static void progress_text(const struct load_picture *p, char *buf, size_t size)
{
	char done[UNITS_BUF], total[UNITS_BUF], events[UNITS_BUF], rate[UNITS_BUF], left[UNITS_BUF];
	size_t n = (size_t)snprintf(buf, size, "%s  %s", phase_word(p->phase), fmt_bytes(done, p->bytes_done));
	if (p->bytes_total > 0 && n < size)
		n += (size_t)snprintf(buf + n, size - n, " of %s", fmt_bytes(total, p->bytes_total));
	if (n < size)
		n += (size_t)snprintf(buf + n, size - n, "  %s events", fmt_count(events, p->events));
	/* a rate over a shorter time jumps about */
	if (p->seconds > 0.2 && n < size)
		n += (size_t)snprintf(buf + n, size - n, "  %s/s",
				      fmt_count(rate, (int64_t)((double)p->events / p->seconds)));
	if (p->phase == PHASE_READ && p->bytes_total > 0 && p->bytes_done > 0 && p->seconds > 0.5 && n < size) {
		double rest = p->seconds * (double)(p->bytes_total - p->bytes_done) / (double)p->bytes_done;
		snprintf(buf + n, size - n, "  %s to go", fmt_ns_fixed(left, (int64_t)(rest * 1e9), 100000000));
	}
}

static void draw_bar(const struct load_picture *p, struct surface *s)
{
	int w = s->cols - 2;
	surface_fill(s, (struct rect){3, 1, 1, w}, 0x2591, INK_QUIET, 0);
	if (p->bytes_total <= 0)
		return;
	int64_t done = p->bytes_done < p->bytes_total ? p->bytes_done : p->bytes_total;
	int full = (int)((__int128)done * w / p->bytes_total);
	surface_fill(s, (struct rect){3, 1, 1, full}, 0x2588, INK_BUSY, PEN_SHAPE);
}

/* Busy share of the bins under each column. */
static void draw_track(const struct coverage_track *t, struct surface *s, int y, int x, int w)
{
	for (int c = 0; c < w; c++) {
		int from = c * COVERAGE_BINS / w, to = (c + 1) * COVERAGE_BINS / w;
		double sum = 0;
		to = to > from ? to : from + 1; /* wider than there are bins: columns repeat them */
		for (int b = from; b < to; b++)
			sum += (double)t->busy[b];
		surface_put(s, y, x + c, bars_level((int64_t)(sum * 1000), (to - from) * 1000), INK_BUSY, PEN_SHAPE);
	}
}

void loading_draw(const struct load_picture *p, const struct app_opts *o, struct surface *s)
{
	char text[320];
	/* names of tracks take a fifth of the screen, 12 to 30 columns */
	int gutter = s->cols / 5 < 12 ? 12 : s->cols / 5 > 30 ? 30 : s->cols / 5;
	surface_clear(s);
	draw_title(o, s);
	progress_text(p, text, sizeof text);
	surface_text(s, 2, 1, s->cols - 2, INK_TEXT, 0, text);
	draw_bar(p, s);
	for (uint32_t i = 0; i < p->n_tracks && 5 + (int)i < s->rows - 2; i++) {
		surface_text(s, 5 + (int)i, 1, gutter - 2, INK_TEXT, 0, p->tracks[i].name);
		draw_track(&p->tracks[i], s, 5 + (int)i, gutter, s->cols - gutter);
	}
	surface_text(s, s->rows - 1, 0, s->cols, INK_KEY, 0, "q");
	surface_text(s, s->rows - 1, 2, s->cols - 2, INK_FOOTER, 0, "cancel");
}

static void draw_keys(const struct feed_source *f, bool output, struct surface *s)
{
	int y = s->rows - 1, x = 2;
	surface_text(s, y, 0, s->cols, INK_KEY, 0, "q");
	x += surface_text(s, y, x, s->cols - x, INK_FOOTER, 0, "leave") + 2;
	if (!f->output)
		return;
	surface_text(s, y, x, s->cols - x, INK_KEY, 0, "O");
	surface_text(s, y, x + 2, s->cols - x - 2, INK_FOOTER, 0, output ? "without the output" : "output");
}

void waiting_draw(const struct app_opts *o, bool output, struct surface *s)
{
	static const int inks[] = {[FEED_FINE] = INK_TEXT, [FEED_WARNS] = INK_WARN, [FEED_BAD] = INK_BAD};
	const struct feed_source *f = feed_source(o->feed);
	struct feed_status told;
	char line[320];
	int y = 2;
	surface_clear(s);
	surface_fill(s, (struct rect){0, 0, 1, s->cols}, ' ', INK_TITLE, 0);
	surface_printf(s, 0, 1, s->cols - 2, INK_TITLE, 0, "%s  waiting", f->title);
	for (unsigned i = 0; y < s->rows - 3 && f->waiting(f->ctx, i, line, sizeof line); i++)
		y += wrap_text(s, (struct rect){y, 1, 0, s->cols - 2}, INK_TEXT, line, 1, s->rows - 2);
	feed_tell(o->feed, &told);
	y += 1 + wrap_text(s, (struct rect){y + 1, 1, 0, s->cols - 2}, inks[told.mood], told.text, 1, s->rows - 2);
	if (output && f->output)
		output_draw(f->output, s, (struct rect){y + 1, 1, s->rows - 2 - y, s->cols - 2});
	draw_keys(f, output, s);
}
