#include "histogram.h"
#include "model/analysis/launches/latency_histogram_columns.h"
#include <stdio.h>
#include <string.h>

struct histogram_part histogram_find(const struct table *t, const char *measure)
{
	struct histogram_part out = {0, 0};
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const char *text = column_text(t, row, COL_LATENCY_HISTOGRAM_MEASURE);
		if (!text || strcmp(text, measure) != 0)
			continue;
		out.first = out.n ? out.first : row;
		out.n++;
	}
	return out;
}

struct histogram_bar histogram_bar(const struct table *t, uint32_t first, uint32_t n)
{
	struct histogram_bar b = {.from_ns = column_int(t, first, COL_LATENCY_HISTOGRAM_FROM),
				  .to_ns = column_int(t, first + n - 1, COL_LATENCY_HISTOGRAM_TO)};
	for (uint32_t row = first; row < first + n; row++) {
		const struct cell *share = column_cell(t, row, COL_LATENCY_HISTOGRAM_SHARE);
		b.count += column_int(t, row, COL_LATENCY_HISTOGRAM_COUNT);
		b.share_pct += share->null ? 0 : share->r;
	}
	return b;
}

const char *histogram_label(const struct histogram_bar *b, char *buf, size_t size)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t u = 0;
	while (u + 1 < sizeof units / sizeof *units && (double)b->to_ns >= units[u + 1].ns)
		u++;
	if (b->to_ns == INT64_MAX)
		snprintf(buf, size, ">= %g s", (double)b->from_ns / 1e9);
	else
		snprintf(buf, size, "%g-%g %s", (double)b->from_ns / units[u].ns, (double)b->to_ns / units[u].ns,
			 units[u].name);
	return buf;
}
