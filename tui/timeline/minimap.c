#include "minimap.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/findings/findings_columns.h"
#include "model/columns.h"
#include "model/finding.h"
#include "tui/screen/bars.h"
#include "model/store/base/memory.h"
#include <string.h>
#include <stdlib.h>

enum { MAX_COLS = TIMELINE_MAX_COLS };

struct map {
	const struct state *st;
	struct surface *s;
	int y, x;
	struct viewport whole;
};

static void mark(const struct map *m, int64_t at_ns, uint32_t cp, int ink)
{
	surface_put(m->s, m->y, m->x + (int)viewport_col_of(&m->whole, at_ns), cp, ink, 0);
}

/* ---- how busy ----------------------------------------------------------------------------------------------------- */

static bool is_off(const struct state *st, int64_t a, int64_t b)
{
	for (uint32_t d = 0; d < trace_devices(st->t); d++)
		if (derived_off(st->d, d)->n && derived_watched_ns(st->d, d, a, b) == 0)
			return true;
	return false;
}

/* Busy time of all devices in [a, b), and what it could be at most. */
static int64_t devices_busy(const struct state *st, int64_t a, int64_t b, int64_t *most)
{
	int64_t busy = 0;
	*most = 0;
	for (uint32_t d = 0; d < trace_devices(st->t); d++) {
		const struct intervals *v = derived_busy_device(st->d, d);
		if (v->n == 0)
			continue;
		busy += intervals_within(v, a, b);
		*most += b - a;
	}
	return busy;
}

/* Traces without device work: the first host thread stands for the whole. */
static void draw_host_map(const struct state *st, struct surface *s, int y, int x, const struct viewport *whole)
{
	uint32_t at = lanes_step(&st->lanes, UINT32_MAX, 1);
	if (at >= st->lanes.n)
		return;
	const struct lane *l = &st->lanes.at[at];
	struct bin *bins = must(malloc(whole->cols * sizeof *bins));
	trace_bins(st->t, l->track, l->disp, whole->from_ns, whole->span_ns, whole->cols, bins);
	for (uint32_t c = 0; c < whole->cols; c++) {
		int64_t width = viewport_col_start(whole, c + 1) - viewport_col_start(whole, c);
		if (bins[c].longest != NONE_ID)
			surface_put(s, y, x + (int)c, bars_level(bins[c].busy_ns, width), INK_BUSY, PEN_SHAPE);
	}
	free(bins);
}

/* Between the first and the last work of the devices; false where there is none. */
static bool work_span(const struct state *st, int64_t *a_ns, int64_t *b_ns)
{
	*a_ns = INT64_MAX;
	*b_ns = INT64_MIN;
	for (uint32_t d = 0; d < trace_devices(st->t); d++) {
		const struct intervals *v = derived_busy_device(st->d, d);
		if (v->n == 0)
			continue;
		*a_ns = v->at[0].a_ns < *a_ns ? v->at[0].a_ns : *a_ns;
		*b_ns = v->at[v->n - 1].b_ns > *b_ns ? v->at[v->n - 1].b_ns : *b_ns;
	}
	return *a_ns < *b_ns;
}

static void draw_devices(const struct map *m)
{
	int64_t most = 0, first, last;
	bool any = work_span(m->st, &first, &last);
	for (uint32_t c = 0; any && c < m->whole.cols; c++) {
		int64_t a = viewport_col_start(&m->whole, c), b = viewport_col_start(&m->whole, c + 1);
		int64_t busy = devices_busy(m->st, a, b, &most);
		bool idle = !busy && a >= first && b <= last && !is_off(m->st, a, b);
		surface_put(m->s, m->y, m->x + (int)c, idle ? MAP_GAP : bars_level(busy, most),
			    idle ? INK_GAP : INK_BUSY, idle ? 0 : PEN_SHAPE);
	}
	if (!any)
		draw_host_map(m->st, m->s, m->y, m->x, &m->whole);
}

/* ---- marks -------------------------------------------------------------------------------------------------------- */

static void mark_gap(const struct map *m)
{
	const struct gap *g = m->st->view.gap;
	if (!g || g->dur_ns <= 0)
		return;
	int a = m->x + (int)viewport_col_of(&m->whole, g->start_ns);
	int b = m->x + (int)viewport_col_of(&m->whole, g->start_ns + g->dur_ns - 1);
	surface_paint(m->s, (struct rect){m->y, a, 1, b - a + 1}, INK_GAP_CHOSEN, 0);
}

/* Where its evidence begins, unless that is most of the trace. */
static void mark_finding(const struct map *m, const struct evidence *e, int ink)
{
	if (e->a_ns < e->b_ns && (e->b_ns - e->a_ns) < m->whole.total_ns / 2)
		mark(m, e->a_ns, MAP_FINDING, ink);
	else if (e->n)
		mark(m, trace_columns(m->st->t)->start_ns[e->rows[0]], MAP_FINDING, ink);
}

/* Those that fail or warn, as soon as another pane has asked for them. */
static void mark_findings(const struct map *m)
{
	const struct table *t = tables_raw(m->st->tables, analysis_index("findings"), true);
	for (uint32_t i = 0; t && i < t->n_rows; i++) {
		const struct cell *severity = column_cell(t, i, COL_FINDINGS_SEVERITY);
		bool fail = !severity->null && strcmp(severity->s, finding_state_name(FINDING_FAIL)) == 0;
		if (fail || (!severity->null && strcmp(severity->s, finding_state_name(FINDING_WARN)) == 0))
			mark_finding(m, table_evidence_of(t, i), fail ? INK_BAD : INK_WARN);
	}
}

static void mark_hits(const struct map *m)
{
	const struct hits *h = m->st->search ? search_shown(m->st->search) : NULL;
	for (uint32_t c = 0; h && c < m->whole.cols; c++) {
		int64_t a = viewport_col_start(&m->whole, c), b = viewport_col_start(&m->whole, c + 1);
		if (hits_begin_in(h, a, b))
			surface_put(m->s, m->y, m->x + (int)c, MAP_HIT, INK_MATCH, 0);
	}
}

static void mark_view(const struct map *m)
{
	const struct viewport *p = &m->st->view.port;
	if (p->span_ns == p->total_ns)
		return;
	int from = m->x + (int)viewport_col_of(&m->whole, p->from_ns);
	int to = m->x + (int)viewport_col_of(&m->whole, p->from_ns + p->span_ns - 1);
	surface_put(m->s, m->y, from, '[', INK_RANGE, 0);
	surface_put(m->s, m->y, to > from ? to : from + 1, ']', INK_RANGE, 0);
}

void minimap_draw(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	struct map m = {st, s, l->y_map, l->x, viewport_whole(st->view.port.total_ns, (uint32_t)l->cols)};
	surface_text_right(s, l->y_map, 0, l->gutter - 1, INK_QUIET, 0, "whole trace");
	draw_devices(&m);
	mark_gap(&m);
	mark_findings(&m);
	mark_hits(&m);
	mark_view(&m);
}
