#include "step_panel.h"
#include "model/analysis/gaps/verdict.h"
#include "model/analysis/steps/idle.h"
#include "model/store/base/units.h"
#include "tui/explorer/reader.h"
#include "tui/screen/mix_ink.h"
#include "tui/screen/wrap.h"
#include "tui/text/utf8.h"
#include "model/analysis/steps/idle_columns.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <string.h>

enum { LABEL_COLS = 17, NS_COLS = 11, PCT_COLS = 8, MEAN_COLS = 25, TEXT_X = 15 };

/* ---- the gap before ----------------------------------------------------------------------------------------------- */

static bool on_device(const struct state *st, const struct step_gap *g, const char *device)
{
	char label[128];
	if (g->device == NONE_ID || !device)
		return g->device == NONE_ID && !device;
	return strcmp(trace_device_label(st->t, g->device, label, sizeof label), device) == 0;
}

bool step_gap_before(const struct state *st, const struct table *steps, uint32_t row, struct gap *out)
{
	const struct step_gaps gaps = derived_step_gaps(st->d);
	const char *label = column_text(steps, row, COL_STEPS_STEP),
		   *device = column_text(steps, row, COL_STEPS_DEVICE);
	for (uint32_t i = 0; label && i < gaps.n; i++) {
		const struct step_gap g = step_gap_of(&gaps, i);
		if (strcmp(derived_step(st->d, g.step_after)->label, label) == 0 && on_device(st, &g, device))
			return derived_gap_at(st->d, i, out);
	}
	return false;
}

/* "60.000 ms: input wait 55.000 ms (91.7 %), all in IteratorGetNext ..." */
static const char *gap_words(const struct state *st, const struct table *steps, struct arena *mem)
{
	struct gap g;
	struct gap_verdict v;
	char ns[UNITS_BUF];
	if (!step_gap_before(st, steps, st->view.place.row, &g))
		return "none recorded";
	gap_verdict_of(st->d, &g, &v);
	const char *sentence = gap_verdict_sentence(st->d, &g, &v, mem);
	return arena_printf(mem, "%s: %s", fmt_ns(ns, g.dur_ns), sentence);
}

/* ---- idle time ---------------------------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static uint32_t idle_row(const struct table *idle, const struct table *steps, uint32_t row)
{
	const char *step = column_text(steps, row, COL_STEPS_STEP), *device = column_text(steps, row, COL_STEPS_DEVICE);
	for (uint32_t i = 0; idle && i < idle->n_rows; i++)
		if (same_text(column_text(idle, i, COL_IDLE_STEP), step) &&
		    same_text(column_text(idle, i, COL_IDLE_DEVICE), device))
			return i;
	return NONE_ID;
}

/* The cause with most time of those that are not recorded yet; CAUSE_COUNT: all are. */
static int next_cause(const struct table *idle, uint32_t row, const bool *told)
{
	int best = CAUSE_COUNT;
	int64_t most_ns = 0;
	for (int i = 0; i < CAUSE_COUNT; i++) {
		int64_t ns = told[i] ? 0 : column_int(idle, row, COL_IDLE_PART_NS + (uint32_t)i);
		if (ns > most_ns) {
			most_ns = ns;
			best = i;
		}
	}
	return best;
}

/* The longest first. */
static const char *idle_parts(const struct table *idle, uint32_t row, struct arena *mem)
{
	static const char *const labels[] = {
#define IDLE_LABEL(id, name, word, loses, what, ...) word,
		CAUSES(IDLE_LABEL)
#undef IDLE_LABEL
	};
	bool told[CAUSE_COUNT] = {0};
	char ns[96], pct[96];
	const char *line = "", *joint = ": ";
	for (int i; (i = next_cause(idle, row, told)) < CAUSE_COUNT; told[i] = true) {
		line = arena_printf(mem, "%s%s%s %s (%s)", line, joint, labels[i],
				    column_words(idle, row, COL_IDLE_PART_NS + (uint32_t)i, ns, sizeof ns),
				    column_words(idle, row, COL_IDLE_PART_PCT + (uint32_t)i, pct, sizeof pct));
		joint = ", ";
	}
	return line;
}

/* NULL without the table: nothing is claimed. */
static const char *idle_words(const struct state *st, const struct table *steps, struct arena *mem)
{
	const struct table *idle = pane_table_named(st, "idle");
	uint32_t row = idle_row(idle, steps, st->view.place.row);
	char ns[96], pct[96];
	if (row == NONE_ID)
		return NULL;
	return arena_printf(mem, "%s, %s of the step%s", column_words(idle, row, COL_IDLE_IDLE_NS, ns, sizeof ns),
			    column_words(idle, row, COL_IDLE_IDLE_PCT, pct, sizeof pct), idle_parts(idle, row, mem));
}

/* ---- parts -------------------------------------------------------------------------------------------------------- */

static int parts_shown(const struct step_mix *m)
{
	int n = 0;
	for (int i = 0; i < MIX_PARTS; i++)
		n += m->occurs[i];
	return n;
}

/* As the screen has room for them: at 80 columns all but the most uncommon fit. */
static void draw_heads(const struct state *st, const struct table *steps, const struct step_mix *m, struct surface *s,
		       struct rect r)
{
	char label[128], n[UNITS_BUF], text[96];
	int x = r.x + 2 + LABEL_COLS + 1;
	surface_fill(s, (struct rect){r.y, r.x, 1, r.w}, 0x2500, INK_QUIET, 0);
	snprintf(text, sizeof text, " step %s ",
		 column_words(steps, st->view.place.row, COL_STEPS_STEP, label, sizeof label));
	surface_text(s, r.y, r.x + 1, LABEL_COLS + NS_COLS, INK_HEAD, 0, text);
	snprintf(text, sizeof text, " %s of %s%s ", m->n && isnan(m->row_mean_ns) ? "shares" : "mean",
		 fmt_count(n, m->n), trace_devices(st->t) > 1 ? " rows" : "");
	surface_text(s, r.y, x + NS_COLS + PCT_COLS + 4, MEAN_COLS, INK_HEAD, 0, text);
}

static void draw_part(const struct step_mix *m, const struct mix_row *row, enum mix_part p, struct surface *s, int y,
		      struct rect r)
{
	const struct mix_info *info = mix_info(p);
	char ns[UNITS_BUF], pct[UNITS_BUF], sd[UNITS_BUF];
	int x = r.x + 1;
	surface_put(s, y, x, (uint32_t)(unsigned char)info->letter, mix_ink(p), 0);
	surface_text(s, y, x + 2, LABEL_COLS - 1, INK_TEXT, 0, m->words[p]);
	x += 1 + LABEL_COLS;
	surface_text_right(s, y, x, NS_COLS, INK_STRONG, 0, fmt_ns(ns, row->ns[p]));
	surface_text_right(s, y, x + NS_COLS, PCT_COLS, INK_STRONG, 0, fmt_pct(pct, row->pct[p]));
	x += NS_COLS + PCT_COLS + 4;
	if (m->n == 0)
		return;
	surface_text_right(s, y, x, PCT_COLS - 1, INK_TEXT, 0, fmt_pct(pct, m->pct[p]));
	if (isnan(m->mean_ns[p]))
		return;
	surface_text_right(s, y, x + PCT_COLS, NS_COLS, INK_TEXT, 0, fmt_ns(ns, llround(m->mean_ns[p])));
	if (m->n > 1)
		surface_printf(s, y, x + PCT_COLS + NS_COLS + 1, r.x + r.w - x - PCT_COLS - NS_COLS - 1, INK_QUIET, 0,
			       "%s %s", s->ascii ? "+-" : "\xc2\xb1", fmt_ns(sd, llround(m->sd_ns[p])));
}

static int put_text(struct surface *s, int y, struct rect r, const char *label, const char *text)
{
	struct rect at = {y, r.x + TEXT_X, 0, r.w - TEXT_X - 1};
	if (s && y < r.y + r.h)
		surface_text(s, y, r.x + 1, TEXT_X - 2, INK_QUIET, 0, label);
	return wrap_text(s, at, INK_TEXT, text, r.y, r.y + r.h);
}

static int words_rows(const struct state *st, const struct table *steps, struct surface *s, int y, struct rect r)
{
	struct arena mem = {0};
	int used = 0;
	const char *idle = idle_words(st, steps, &mem);
	if (idle)
		used += put_text(s, y, r, "device idle", idle);
	used += put_text(s, y + used, r, "gap before", gap_words(st, steps, &mem));
	arena_free(&mem);
	return used;
}

int step_panel_rows(const struct state *st, const struct table *steps, int w)
{
	if (!steps->n_rows)
		return 0;
	struct step_mix m = step_mix(steps);
	return 1 + parts_shown(&m) + words_rows(st, steps, NULL, 0, (struct rect){0, 0, 0, w});
}

void step_panel(const struct state *st, const struct table *steps, const struct step_mix *m, struct surface *s,
		struct rect r)
{
	struct mix_row row = mix_row(steps, st->view.place.row);
	int y = r.y + 1;
	if (r.h < 2)
		return;
	draw_heads(st, steps, m, s, r);
	for (int i = 0; i < MIX_PARTS && y < r.y + r.h; i++)
		if (m->occurs[i])
			draw_part(m, &row, (enum mix_part)i, s, y++, r);
	words_rows(st, steps, s, y, r);
}

/* ---- formulas ----------------------------------------------------------------------------------------------------- */

void step_formulas(struct state *st, const struct table *steps)
{
	static const struct {
		const char *label, *formula;
	} idle[] = {
#define IDLE_FORMULA(id, name, word, loses, what, ...) {word, what},
		CAUSES(IDLE_FORMULA)
#undef IDLE_FORMULA
	};
	struct reader *r = &st->reader;
	char key[64];
	reader_clear(r, "Steps");
	reader_add(r, INK_HEAD, NULL,
		   "where step time goes: each moment counts for one part, the most important one active");
	for (int i = 0; i < MIX_PARTS; i++) {
		snprintf(key, sizeof key, "%c %s", mix_info((enum mix_part)i)->letter,
			 step_part_words(steps, (enum step_part_id)i));
		reader_add(r, INK_TEXT, key, mix_help(steps, (enum mix_part)i));
	}
	reader_add(r, INK_TEXT, NULL, "");
	reader_add(r, INK_HEAD, NULL, "what an idle device waited for: shares of its idle time");
	reader_add(r, INK_TEXT, NULL,
		   "This is not the division above. Launch latency also counts ops between the launch calls, but only "
		   "while no stream works; kernel launch counts only the calls, even while a short copy runs. Host "
		   "compute is idle time in which the launching thread works; other host work is a part of the step, "
		   "idle or not.");
	for (int i = 0; i < CAUSE_COUNT; i++)
		reader_add(r, INK_TEXT, idle[i].label, idle[i].formula);
	reader_add(r, INK_TEXT, NULL, "");
	reader_add(r, INK_TEXT, NULL,
		   "Percentages add up to 100, except for rounding to tenths. Means are over the rows that the window "
		   "does not cut.");
	st->mode = MODE_READER;
}
