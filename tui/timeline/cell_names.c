#include "cell_names.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/units.h"
#include "tui/text/fit_names.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum { PARTS = 256, NAME_COLS = 30 };

struct name {
	str_id id;
	uint32_t count;
	int64_t ns;
};
struct names {
	struct name at[CELL_LOOKED];
	uint32_t n;
};
struct cell_place {
	const struct lane *lane;
	int64_t a_ns, b_ns;
};

static int by_id(const void *x, const void *y)
{
	return u32_order(&((const struct name *)x)->id, &((const struct name *)y)->id);
}

static int by_time(const void *x, const void *y)
{
	const struct name *a = x, *b = y;
	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : by_id(x, y);
}

/* All events of the cell; false when there are too many to look at. */
static bool read_events(const struct state *st, const struct cell_place *p, struct names *x)
{
	const struct columns *c = trace_columns(st->t);
	struct event_iter it = event_iter(st->t, p->lane->track, p->a_ns, p->b_ns, KINDS_ALL);
	for (uint32_t looked = 0; event_next(&it); looked++) {
		if (looked == CELL_LOOKED)
			return false;
		int64_t a = c->start_ns[it.row], b = a + c->dur_ns[it.row];
		if (c->disp[it.row] >= p->lane->disp && c->disp[it.row] < p->lane->disp + p->lane->count)
			x->at[x->n++] = (struct name){c->name[it.row], 1, earlier(b, p->b_ns) - later(a, p->a_ns)};
	}
	return true;
}

/* The longest event of each part of the cell; how many there are of a name is not known then. */
static void read_parts(const struct state *st, const struct cell_place *p, struct names *x)
{
	const struct columns *c = trace_columns(st->t);
	struct bin bins[PARTS];
	trace_bins(st->t, p->lane->track, p->lane->disp, p->a_ns, p->b_ns - p->a_ns, PARTS, bins);
	x->n = 0;
	for (int i = 0; i < PARTS; i++)
		if (bins[i].longest != NONE_ID)
			x->at[x->n++] = (struct name){c->name[bins[i].longest], 0, bins[i].busy_ns};
}

/* One for each name, those that take most first. */
static void sum_up(struct names *x)
{
	uint32_t n = 0;
	qsort(x->at, x->n, sizeof *x->at, by_id);
	for (uint32_t i = 0; i < x->n; i++) {
		if (!n || x->at[n - 1].id != x->at[i].id) {
			x->at[n++] = x->at[i];
			continue;
		}
		x->at[n - 1].ns += x->at[i].ns;
		x->at[n - 1].count += x->at[i].count;
	}
	x->n = n;
	qsort(x->at, n, sizeof *x->at, by_time);
}

/* The first ones, so that names that differ look different. */
static uint32_t fit_first(const struct state *st, const struct names *x, const char *out[CELL_NAMES], struct arena *mem)
{
	const char *names[CELL_NAMES];
	uint32_t n = x->n < CELL_NAMES ? x->n : CELL_NAMES;
	for (uint32_t i = 0; i < n; i++)
		names[i] = trace_str(st->t, x->at[i].id);
	names_fit(names, n, NAME_COLS, out, mem);
	return n;
}

static void print(const struct state *st, const struct names *x, uint32_t events, char *buf, size_t size)
{
	struct arena mem = {0};
	char count[UNITS_BUF];
	const char *names[CELL_NAMES];
	uint32_t shown = fit_first(st, x, names, &mem);
	size_t n =
		(size_t)snprintf(buf, size, "%s events%s", fmt_count(count, events), x->at[0].count ? "" : ", longest");
	for (uint32_t i = 0; i < shown && n < size; i++) {
		n += (size_t)snprintf(buf + n, size - n, "%s %s", i ? "," : ":", names[i]);
		if (x->at[i].count && n < size)
			n += (size_t)snprintf(buf + n, size - n, " %s x", fmt_count(count, x->at[i].count));
	}
	if (x->n > shown && n < size)
		snprintf(buf + n, size - n, ", and %s more name%s", fmt_count(count, x->n - shown),
			 x->n - shown == 1 ? "" : "s");
	arena_free(&mem);
}

/* On all display rows that the lane stands for. */
static uint32_t events_in(const struct state *st, const struct cell_place *p)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->lane->count; i++) {
		struct bin bin;
		trace_bins(st->t, p->lane->track, p->lane->disp + i, p->a_ns, p->b_ns - p->a_ns, 1, &bin);
		n += bin.longest == NONE_ID ? 0 : bin.count;
	}
	return n;
}

const char *cell_names(const struct state *st, char *buf, size_t size)
{
	const struct viewport *p = &st->view.port;
	if (st->view.lane >= st->lanes.n || st->lanes.at[st->view.lane].kind != LANE_ROW ||
	    !viewport_shows(p, st->view.cursor_ns))
		return NULL;
	uint32_t col = viewport_col_of(p, st->view.cursor_ns);
	struct cell_place at = {&st->lanes.at[st->view.lane], viewport_col_start(p, col),
				viewport_col_start(p, col + 1)};
	uint32_t events = events_in(st, &at);
	if (events < 2)
		return NULL;
	struct names *names = must(malloc(sizeof *names));
	names->n = 0;
	if (!read_events(st, &at, names))
		read_parts(st, &at, names);
	sum_up(names);
	print(st, names, events, buf, size);
	free(names);
	return buf;
}
