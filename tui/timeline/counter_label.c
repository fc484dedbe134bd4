#include "counter_label.h"
#include "model/store/base/units.h"
#include "tui/text/utf8.h"
#include <math.h>
#include <string.h>

uint64_t counter_samples_before(const struct sample *at, uint64_t n, int64_t ts_ns)
{
	uint64_t low = 0;
	while (low < n) {
		uint64_t mid = low + (n - low) / 2;
		if (at[mid].ts_ns < ts_ns)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* The unit in brackets at the end of a name: "power (W)", "clock [MHz]"; NULL = none. *n: its length. */
static const char *unit_in_brackets(const char *name, size_t *n)
{
	enum { LONGEST = 8 };
	size_t end = strlen(name);
	char close = end ? name[end - 1] : 0, open = close == ')' ? '(' : close == ']' ? '[' : 0;
	const char *from = open ? strrchr(name, open) : NULL;
	*n = from ? (size_t)(name + end - 1 - from) - 1 : 0;
	return *n && *n <= LONGEST ? from + 1 : NULL;
}

static bool counts_bytes(const char *name, const char *unit, size_t n)
{
	return unit ? (n == 1 && *unit == 'B') || (n == 5 && !strncasecmp(unit, "bytes", 5))
		    : strcasestr(name, "bytes") != NULL;
}

const char *counter_value(const char *name, double value, char *buf, size_t size)
{
	char number[UNITS_BUF];
	size_t n;
	const char *unit = unit_in_brackets(name, &n);
	if (counts_bytes(name, unit, n) && value >= 0 && value < 9e18)
		snprintf(buf, size, "%s", fmt_bytes(number, (int64_t)llround(value)));
	else if ((value == nearbyint(value) || fabs(value) >= 1000) && fabs(value) < 1e15)
		snprintf(buf, size, "%s%s%.*s", fmt_count(number, (int64_t)llround(value)), unit ? " " : "", (int)n,
			 unit ? unit : "");
	else
		snprintf(buf, size, "%.4g%s%.*s", value, unit ? " " : "", (int)n, unit ? unit : "");
	return buf;
}

/* ---- the row ------------------------------------------------------------------------------------------------------ */

void counter_words_draw(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			const char *text)
{
	int width = utf8_width(text), cursor = (int)viewport_col_of(&st->view.port, st->view.cursor_ns);
	if (width > l->cols / 2)
		return;
	int x = cursor >= l->cols - width - 1 ? l->x : l->x + l->cols - width;
	surface_text(s, y, x, width, INK_TEXT, 0, text);
}

void counter_label_draw(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			uint32_t track)
{
	const struct sample *at;
	const struct viewport *p = &st->view.port;
	char value[64] = "", most[64], text[160];
	uint64_t n = trace_samples(st->t, track, &at), i = counter_samples_before(at, n, st->view.cursor_ns + 1);
	const char *name = trace_str(st->t, trace_track(st->t, track)->name);
	if (i && viewport_shows(p, st->view.cursor_ns))
		counter_value(name, at[i - 1].value, value, sizeof value);
	snprintf(text, sizeof text, " %s%sscale 0..%s ", value, *value ? ", " : "",
		 counter_value(name, st->lanes.sample_max[track], most, sizeof most));
	counter_words_draw(st, s, l, y, text);
}
