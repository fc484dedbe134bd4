#include "human_table.h"
#include "tui/text/labels.h"
#include "model/columns.h"
#include <stdlib.h>
#include <string.h>

/* What the rows are made from. Columns that the table does not have are -1. */
struct source {
	const struct table *t;
	const struct trace *trace;
	const char **labels;  /* of the devices */
	uint32_t *by_ordinal; /* the devices, those of one number as they stand */
	int device, rank, host, cut;
};

static const char part_word[] = "part"; /* of what is cut */

static bool is_number(const struct table *t, int col)
{
	return col >= 0 && t->cols[col].type == CELL_INT;
}

static bool same_host(const struct source *s, uint32_t row, const struct host *h)
{
	if (s->rank >= 0) {
		const struct cell *rank = table_cell(s->t, row, (uint32_t)s->rank);
		if (rank->null ? h->rank >= 0 : rank->i != h->rank)
			return false;
	}
	if (s->host < 0)
		return true;
	const struct cell *host = table_cell(s->t, row, (uint32_t)s->host);
	return strcmp(host->null ? "" : host->s, trace_str(s->trace, h->name)) == 0;
}

/* The place in `by_ordinal` of the first device with that number, or a larger one. */
static uint32_t first_with(const struct source *s, int64_t ordinal)
{
	uint32_t lo = 0, hi = trace_devices(s->trace);
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (trace_device(s->trace, s->by_ordinal[mid])->ordinal < ordinal)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* A device is what its number, rank and host say together; where the row names no host, and those of several fit, no host is made up.
 * NULL when they fit none. */
static const char *label_of(const struct source *s, uint32_t row)
{
	int64_t ordinal = table_cell(s->t, row, (uint32_t)s->device)->i;
	const char *found = NULL;
	for (uint32_t k = first_with(s, ordinal); k < trace_devices(s->trace); k++) {
		uint32_t i = s->by_ordinal[k];
		const struct device *d = trace_device(s->trace, i);
		if (d->ordinal != ordinal)
			break;
		if (!same_host(s, row, trace_host(s->trace, d->host)))
			continue;
		if (s->host >= 0)
			return s->labels[i];
		if (found && strcmp(found, s->labels[i]))
			return device_label_own(found);
		found = s->labels[i];
	}
	return found;
}

static void make(const void *ctx, uint32_t row, struct made_row *out)
{
	const struct source *s = ctx;
	if (s->device >= 0 && !table_cell(s->t, row, (uint32_t)s->device)->null)
		cell_text(&out->cells[s->device], label_of(s, row));
	if (s->cut < 0)
		return;
	const struct cell *cut = table_cell(s->t, row, (uint32_t)s->cut);
	cell_text(&out->cells[s->cut], !cut->null && cut->b ? part_word : NULL);
}

/* ---- of many rows ------------------------------------------------------------------------------------------------------- */

enum { ROWS_AT_ONCE = 64 };

/* What names a device in rows that are read together; what the table does not have is the same in all of them. */
struct device_rows {
	int64_t device[ROWS_AT_ONCE], rank[ROWS_AT_ONCE];
	const char *host[ROWS_AT_ONCE];
};

static void read_rows(const struct source *s, const uint32_t *rows, uint32_t n, struct device_rows *out)
{
	table_numbers(s->t, (uint32_t)s->device, rows, n, out->device);
	if (s->rank >= 0)
		table_numbers(s->t, (uint32_t)s->rank, rows, n, out->rank);
	if (s->host >= 0)
		table_texts(s->t, (uint32_t)s->host, rows, n, out->host);
}

static bool one_device(const struct source *s, const struct device_rows *x, uint32_t i, uint32_t k)
{
	return x->device[i] == x->device[k] && (s->rank < 0 || x->rank[i] == x->rank[k]) &&
	       (s->host < 0 || x->host[i] == x->host[k]);
}

/* The device's label; mostly that of the row before. */
static void labels_in(const struct source *s, const uint32_t *rows, uint32_t n, const char **out)
{
	struct device_rows x;
	for (uint32_t at = 0, more; at < n; at += more) {
		more = n - at < ROWS_AT_ONCE ? n - at : ROWS_AT_ONCE;
		read_rows(s, rows + at, more, &x);
		for (uint32_t i = 0; i < more; i++)
			out[at + i] = x.device[i] == UNKNOWN_I64         ? NULL
				      : i && one_device(s, &x, i, i - 1) ? out[at + i - 1]
									 : label_of(s, rows[at + i]);
	}
}

/* A text counts as 1. */
static void cuts_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	const struct source *s = ctx;
	(void)column;
	table_numbers(s->t, (uint32_t)s->cut, rows, n, out);
	for (uint32_t i = 0; i < n; i++)
		out[i] = out[i] == 1 ? 1 : UNKNOWN_I64;
}

static void texts_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	const struct source *s = ctx;
	int64_t cuts[ROWS_AT_ONCE];
	if ((int)column == s->device) {
		labels_in(s, rows, n, out);
		return;
	}
	for (uint32_t at = 0, more; at < n; at += more) {
		more = n - at < ROWS_AT_ONCE ? n - at : ROWS_AT_ONCE;
		cuts_in(s, rows + at, more, column, cuts);
		for (uint32_t i = 0; i < more; i++)
			out[at + i] = cuts[i] == 1 ? part_word : NULL;
	}
}

static uint64_t bit_of(int col)
{
	return col >= 0 && col < PART_COLUMNS ? PART_BIT(col) : 0;
}

/* ---- the table ---------------------------------------------------------------------------------------------------------- */

static const char **labels_of(const struct derived *d, bool redact, struct arena *mem)
{
	uint32_t n = trace_devices(derived_trace(d));
	const char **labels = arena_alloc(mem, ((size_t)n + 1) * sizeof *labels);
	for (uint32_t i = 0; i < n; i++)
		labels[i] = device_label(d, i, redact, mem);
	return labels;
}

static int by_number(const void *x, const void *y, void *trace)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t i = trace_device(trace, a)->ordinal, k = trace_device(trace, b)->ordinal;
	return i != k ? (i > k) - (i < k) : (a > b) - (a < b);
}

static uint32_t *devices_by_ordinal(const struct trace *t, struct arena *mem)
{
	uint32_t n = trace_devices(t);
	uint32_t *order = arena_alloc(mem, ((size_t)n + 1) * sizeof *order);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_number, (void *)t);
	return order;
}

static const struct column *columns_of(const struct source *s, struct arena *mem)
{
	struct column *cols = arena_alloc(mem, s->t->n_cols * sizeof *cols);
	memcpy(cols, s->t->cols, s->t->n_cols * sizeof *cols);
	if (s->device >= 0)
		cols[s->device] = (struct column){COLUMN_DEVICE, CELL_TEXT, UNIT_NONE, cols[s->device].help};
	if (s->cut >= 0)
		cols[s->cut] = (struct column){COLUMN_CUT, CELL_TEXT, UNIT_NONE, cols[s->cut].help};
	return cols;
}

struct table *human_table(struct table *t, const struct derived *d, bool redact, struct arena *mem)
{
	int device = table_column(t, COLUMN_DEVICE), cut = table_column(t, COLUMN_CUT);
	device = is_number(t, device) ? device : -1;
	if (device < 0 && cut < 0)
		return t;
	struct source *s = arena_alloc(mem, sizeof *s);
	*s = (struct source){t,
			     derived_trace(d),
			     labels_of(d, redact, mem),
			     devices_by_ordinal(derived_trace(d), mem),
			     device,
			     table_column(t, COLUMN_RANK),
			     table_column(t, COLUMN_HOST),
			     cut};
	struct table *out = table_like(mem, t, columns_of(s, mem), t->n_cols);
	uint32_t *from = table_same_columns(t, mem);
	if (device >= 0)
		from[device] = NONE_ID;
	if (cut >= 0)
		from[cut] = NONE_ID;
	table_over(out, t, from, make, s);
	table_made_texts(out, texts_in, bit_of(device) | bit_of(cut));
	table_made_numbers(out, cuts_in, bit_of(cut));
	return out;
}

const struct table *machine_table(const struct table *human, const struct table *raw, struct arena *mem)
{
	if (human == raw)
		return raw;
	struct table *out = table_like(mem, raw, raw->cols, raw->n_cols);
	table_over_in_order(out, raw, table_same_columns(raw, mem), human);
	return out;
}
