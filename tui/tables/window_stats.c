#include "window_stats.h"
#include "model/analysis/analysis.h"
#include "model/analysis/copies/copies_columns.h"
#include "model/analysis/gaps/idle_causes_columns.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/analysis/ops/ops_columns.h"
#include "model/analysis/recorded/devices_columns.h"
#include "model/columns.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { NO_COLUMN = 255 };
static const struct recipe {
	const char *table, *title;
	uint8_t name, ns, count, bytes;
	uint8_t side; /* only rows that say the same here as the first one: ops of devices where there are any */
	bool devices; /* one line each, in their order, called by their labels */
} recipes[STATS_PARTS] = {
	[STATS_BUSY] = {"devices", "busy", COL_DEVICES_DEVICE, COL_DEVICES_BUSY_NS, COL_DEVICES_KERNELS, NO_COLUMN,
			NO_COLUMN, true},
	[STATS_IDLE] = {"idle_causes", "idle by class", COL_IDLE_CAUSES_CAUSE, COL_IDLE_CAUSES_IDLE_NS, NO_COLUMN,
			NO_COLUMN, NO_COLUMN, false},
	[STATS_COPIES] = {"copies", "copies", COL_COPIES_DIRECTION, COL_COPIES_TOTAL, COL_COPIES_COUNT,
			  COL_COPIES_BYTES, NO_COLUMN, false},
	[STATS_OPS] = {"ops", "top ops (self)", COL_OPS_OPERATION, COL_OPS_SELF, COL_OPS_OCCURRENCES, NO_COLUMN,
		       COL_OPS_SIDE, false},
	[STATS_KERNELS] = {"kernels", "top kernels", COL_KERNELS_NAME, COL_KERNELS_TOTAL, COL_KERNELS_COUNT, NO_COLUMN,
			   NO_COLUMN, false},
};

const char *stats_table(enum stats_part part)
{
	return recipes[part].table;
}

const char *stats_title(enum stats_part part)
{
	return recipes[part].title;
}

/* ---- rows of the table -------------------------------------------------------------------------------------------- */

static const char *text_at(const struct table *t, uint32_t row, uint8_t column)
{
	const struct cell *c = column == NO_COLUMN ? NULL : column_cell(t, row, column);
	return c && !c->null && c->s ? c->s : "";
}

static int64_t number_of(const struct table *t, uint32_t row, uint8_t column)
{
	const struct cell *c = column == NO_COLUMN ? NULL : column_cell(t, row, column);
	return c && !c->null ? cell_whole(c) : UNKNOWN_I64;
}

/* The device of the row: rows are devices by their number only while no filter takes some away. */
static uint32_t device_of(const struct trace *t, const struct table *devices, uint32_t row)
{
	int64_t rank = number_of(devices, row, COL_DEVICES_RANK);
	for (uint32_t i = 0; devices->n_rows != trace_devices(t) && i < trace_devices(t); i++)
		if (trace_device(t, i)->ordinal == number_of(devices, row, COL_DEVICES_DEVICE) &&
		    (rank == UNKNOWN_I64 || trace_host(t, trace_device(t, i)->host)->rank == rank))
			return i;
	return row;
}

static const char *device_name(const struct derived *d, uint32_t device, struct arena *mem)
{
	char label[96];
	return arena_strdup(mem, trace_device_label(derived_trace(d), device, label, sizeof label));
}

/* Devices that work anywhere in the trace are told, idle as they may be here; of other things what is there. */
static bool is_told(const struct derived *d, const struct table *t, const struct recipe *how, uint32_t row)
{
	int64_t ns = number_of(t, row, how->ns);
	if (ns == UNKNOWN_I64 || strcmp(text_at(t, row, how->side), text_at(t, 0, how->side)) != 0)
		return false;
	if (how->devices)
		return derived_busy_device(d, device_of(derived_trace(d), t, row))->n > 0;
	return ns > 0 || number_of(t, row, how->count) > 0;
}

/* Every row that counts, as it stands. */
static uint32_t read_rows(const struct derived *d, const struct table *t, const struct recipe *how, struct arena *mem,
			  struct stats_row *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->n_rows; i++)
		if (is_told(d, t, how, i))
			out[n++] = (struct stats_row){
				how->devices ? device_name(d, device_of(derived_trace(d), t, i), mem)
					     : text_at(t, i, how->name),
				number_of(t, i, how->ns), number_of(t, i, how->count), number_of(t, i, how->bytes)};
	return n;
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct stats_row *)x)->name, ((const struct stats_row *)y)->name);
}

static int by_time(const void *x, const void *y)
{
	const struct stats_row *a = x, *b = y;
	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : strcmp(a->name, b->name);
}

static int64_t sum(int64_t a, int64_t b)
{
	return a == UNKNOWN_I64 ? b : b == UNKNOWN_I64 ? a : a + b;
}

/* One row for each name; gives how many. */
static uint32_t sum_up(struct stats_row *rows, uint32_t n)
{
	uint32_t names = 0;
	qsort(rows, n, sizeof *rows, by_name);
	for (uint32_t i = 0; i < n; i++) {
		if (!names || strcmp(rows[names - 1].name, rows[i].name) != 0) {
			rows[names++] = rows[i];
			continue;
		}
		struct stats_row *into = &rows[names - 1];
		into->ns += rows[i].ns;
		into->count = sum(into->count, rows[i].count);
		into->bytes = sum(into->bytes, rows[i].bytes);
	}
	qsort(rows, names, sizeof *rows, by_time);
	return names;
}

static void keep(struct stats *out, const struct stats_row *rows, uint32_t n, struct arena *mem)
{
	*out = (struct stats){.n_all = n, .n = n < STATS_ROWS ? n : STATS_ROWS};
	for (uint32_t i = 0; i < n; i++)
		out->total_ns += rows[i].ns;
	for (uint32_t i = 0; i < out->n; i++) {
		out->rows[i] = rows[i];
		out->rows[i].name = arena_strdup(mem, rows[i].name);
	}
}

bool window_stats_make(const struct derived *d, const struct query *q, enum stats_part part, struct arena *mem,
		       struct progress *p, struct stats *out, struct err *e)
{
	const struct recipe *how = &recipes[part];
	struct arena made = {0};
	struct table *t = analysis_find(how->table)->run(d, q, &made, p, e);
	if (t) {
		struct stats_row *rows = must(malloc((t->n_rows + 1u) * sizeof *rows));
		uint32_t n = read_rows(d, t, how, &made, rows);
		keep(out, rows, how->devices || !n ? n : sum_up(rows, n), mem);
		free(rows);
	}
	arena_free(&made);
	return t != NULL;
}
