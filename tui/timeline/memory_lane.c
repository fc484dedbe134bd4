#include "memory_lane.h"
#include "counter_label.h"
#include "model/analysis/memory/replay.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/screen/bars.h"

enum { ALLOCATIONS_AT_ONCE = 2000000 };

void memory_lane_want(struct state *st)
{
	uint64_t n = trace_side_rows(st->t, SIDE_ALLOCATIONS, NULL);
	if (n > 0 && n <= ALLOCATIONS_AT_ONCE)
		pane_want(st, "memory");
}

static int64_t highest(const struct replay *x, const struct replay_pool *p)
{
	int64_t most = p->before_bytes;
	for (uint32_t run = 0; run < (p->n + REPLAY_RUN - 1) / REPLAY_RUN; run++)
		most = x->run_max[p->first_run + run] > most ? x->run_max[p->first_run + run] : most;
	return most;
}

/* The lane's device, or its process and no device. */
static bool is_of(const struct replay *x, const struct replay_pool *p, const struct lane *lane)
{
	if (lane->kind == LANE_MEMORY)
		return p->device == lane->owner;
	return p->process == lane->owner && replay_pool_info(x, p)->device < 0;
}

/* Of several allocators the one that has most; NULL: none. */
static const struct replay_pool *largest(const struct replay *x, const struct lane *lane, int64_t *most)
{
	const struct replay_pool *found = NULL;
	*most = 0;
	for (uint32_t i = 0; i < x->n_pools; i++) {
		int64_t bytes = is_of(x, &x->pools[i], lane) ? highest(x, &x->pools[i]) : 0;
		if (bytes > *most) {
			*most = bytes;
			found = &x->pools[i];
		}
	}
	return found;
}

static void draw_curve(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
		       const struct replay *x, const struct replay_pool *p, int64_t scale)
{
	const struct viewport *v = &st->view.port;
	uint32_t from = replay_from(x, p, viewport_col_start(v, 0));
	for (uint32_t c = 0; c < v->cols; c++) {
		uint32_t to = replay_from(x, p, viewport_col_start(v, c + 1)), most = replay_most(x, p, from, to);
		int64_t used = replay_before(x, p, from);
		used = most != NONE_ID && replay_after(x, most) > used ? replay_after(x, most) : used;
		if (used > 0)
			surface_put(s, y, l->x + (int)c, bars_level(used, scale), INK_COPY, PEN_SHAPE);
		from = to;
	}
}

static void draw_words(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
		       const struct replay *x, const struct replay_pool *p, int64_t scale)
{
	char used[UNITS_BUF], held[UNITS_BUF], most[UNITS_BUF], value[160] = "", text[320];
	uint32_t at = replay_from(x, p, st->view.cursor_ns + 1);
	int64_t reserved = at > p->first ? replay_at(x, at - 1)->reserved_bytes : UNKNOWN_I64;
	if (viewport_shows(&st->view.port, st->view.cursor_ns))
		snprintf(value, sizeof value, "%s in use, %s%s", fmt_bytes(used, replay_before(x, p, at)),
			 reserved > 0 ? fmt_bytes(held, reserved) : "", reserved > 0 ? " held, " : "");
	snprintf(text, sizeof text, " %sscale 0..%s ", value, fmt_bytes(most, scale));
	counter_words_draw(st, s, l, y, text);
}

void memory_lane_draw(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
		      const struct lane *lane)
{
	if (!pane_table_named(st, "memory"))
		return; /* not replayed yet, or asked anew */
	const struct replay *x = replay_of(st->d);
	int64_t most,
		capacity = lane->kind == LANE_MEMORY ? trace_device(st->t, lane->owner)->memory_bytes : UNKNOWN_I64;
	const struct replay_pool *p = largest(x, lane, &most);
	if (!p)
		return;
	int64_t scale = capacity > most && capacity / 4 <= most ? capacity : most;
	draw_curve(st, s, l, y, x, p, scale);
	draw_words(st, s, l, y, x, p, scale);
}
