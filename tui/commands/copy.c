/* tui/commands/copy.c - what `y` puts into the clipboard: the name, value or row of what is selected, or the command of its window. */
#include "model/analysis/analysis.h"
#include "model/analysis/findings/findings_columns.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/analysis/ops/ops_columns.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "model/analysis/kernels/kernel_names.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <string.h>

/* ---- rows of tables ------------------------------------------------------------------------------------------------------ */

/* Which column names a row, where it is not the first text. */
static const struct {
	const struct table_desc *table;
	uint32_t column;
} names[] = {
	{&kernels_desc, COL_KERNELS_NAME},
	{&kernel_names_desc, KERNEL_NAMES_NAME},
	{&ops_desc, COL_OPS_OPERATION},
	{&findings_desc, COL_FINDINGS_SENTENCE},
};

static uint32_t name_column(const struct table *t)
{
	int at = -1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (t->desc == names[i].table)
			at = table_place(t, names[i].column);
	for (uint32_t c = 0; at < 0 && c < t->n_cols; c++)
		if (t->cols[c].type == CELL_TEXT)
			at = (int)c;
	return at < 0 ? 0 : (uint32_t)at;
}

static const char *cell(const struct table *t, uint32_t row, uint32_t column, struct arena *mem)
{
	char buf[192];
	const struct cell *c = table_cell(t, row, column);
	return arena_strdup(mem, !c->null && t->cols[column].type == CELL_TEXT
					 ? c->s
					 : cell_format(t, row, column, buf, sizeof buf));
}

static const char *cells(const struct table *t, uint32_t row, struct arena *mem)
{
	const char *out = "";
	for (uint32_t c = 0; c < t->n_cols; c++)
		out = arena_printf(mem, "%s%s%s", out, c ? "\t" : "", cell(t, row, c, mem));
	return out;
}

static const char *of_row(const struct state *st, const struct table *t, enum action a, struct arena *mem)
{
	uint32_t row = st->view.place.row, value = t->sort_col < 0 ? 0 : (uint32_t)t->sort_col;
	if (row >= t->n_rows)
		return NULL;
	if (a == ACT_COPY_ROW)
		return cells(t, row, mem);
	return cell(t, row, a == ACT_COPY_NAME ? name_column(t) : value, mem);
}

/* ---- the timeline -------------------------------------------------------------------------------------------------------- */

static const char *of_event(const struct state *st, row_id r, enum action a, struct arena *mem)
{
	const struct columns *c = trace_columns(st->t);
	char start[UNITS_BUF], dur[UNITS_BUF];
	const char *name = trace_str(st->t, c->name[r]);
	if (a == ACT_COPY_NAME)
		return name;
	fmt_ns(dur, c->dur_ns[r]);
	return a == ACT_COPY_VALUE ? arena_strdup(mem, dur)
				   : arena_printf(mem, "%s\t%s\t%s", name, fmt_ns(start, c->start_ns[r]), dur);
}

static const char *of_lane(const struct state *st, struct arena *mem)
{
	char label[256];
	const struct view *v = &st->view;
	if (v->lane >= st->lanes.n || st->lanes.at[v->lane].track == NONE_ID)
		return NULL;
	return arena_strdup(mem, trace_track_label(st->t, st->lanes.at[v->lane].track, label, sizeof label));
}

static const char *of_window(const struct state *st, enum action a, struct arena *mem)
{
	struct window w = nav_export_window(st);
	char length[UNITS_BUF];
	if (a == ACT_COPY_VALUE)
		return arena_strdup(mem, fmt_ns(length, w.b_ns - w.a_ns));
	return arena_printf(mem, a == ACT_COPY_ROW ? "%s\t%s" : "%s", w.text, fmt_ns(length, w.b_ns - w.a_ns));
}

static const char *command(const struct state *st, struct arena *mem)
{
	const struct app_opts *o = st->opts;
	const char *out = arena_printf(mem, "%s report", o->program ? words_quote(mem, o->program) : "stepscope");
	for (int i = 0; i < o->n_paths; i++)
		out = arena_printf(mem, "%s %s", out, words_quote(mem, o->paths[i]));
	out = arena_printf(mem, "%s --window %s", out, words_quote(mem, nav_export_window(st).text));
	return st->filter ? arena_printf(mem, "%s --filter %s", out, words_quote(mem, filter_text(st->filter))) : out;
}

static const char *chosen(const struct state *st, enum action a, struct arena *mem)
{
	const struct view *v = &st->view;
	const struct table *t = pane_shown(st);
	if (a == ACT_COPY_COMMAND)
		return command(st, mem);
	if (t)
		return of_row(st, t, a, mem);
	if (v->pane != PANE_TIMELINE)
		return NULL;
	if (v->event != NONE_ID)
		return of_event(st, v->event, a, mem);
	if (v->gap || v->step != NONE_ID || v->range)
		return of_window(st, a, mem);
	return a == ACT_COPY_NAME ? of_lane(st, mem) : NULL;
}

static void copy_as(struct state *st, enum action a)
{
	struct arena mem = {0};
	const char *text = chosen(st, a, &mem);
	if (text) {
		free(st->clip);
		st->clip = must(strdup(text));
		state_say(st, INK_GOOD, "copied: %s", text);
	} else {
		state_say(st, INK_STATUS, "nothing is selected that has this");
	}
	arena_free(&mem);
}

void copy_key(struct state *st, int key)
{
	enum action a = keymap_find(SCOPE_COPY, false, key);
	st->mode = MODE_PANE;
	if (a != ACT_NONE && a != ACT_COPY_NONE)
		copy_as(st, a);
}
