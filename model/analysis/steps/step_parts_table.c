/* step_parts: what a step spends its time on, on average: mean, deviation and share of each part of the tables of steps and
 * of idle time. A sample is a step on a device; steps that the window cuts are no samples. */
#include "step_parts_table.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include <math.h>
#include <string.h>

TABLE_DECL(steps);
TABLE_DECL(idle);
TABLE_DECL(step_parts);

/* clang-format off */
static const struct column columns[] = {
	{"part", CELL_TEXT, UNIT_NONE, "step: the whole step time; idle: time of it in which the device did nothing; else a part of one of the two"},
	{"label", CELL_TEXT, UNIT_NONE, "the part in words"},
	{"of", CELL_TEXT, UNIT_NONE, "what the part belongs to: step or idle; the parts of each add up to it"},
	{"mean_ns", CELL_REAL, UNIT_NS, "mean over the samples: every step on every device, but those that the window cuts"},
	{"sd_ns", CELL_REAL, UNIT_NS, "standard deviation of a sample (n - 1)"},
	{"min_ns", CELL_INT, UNIT_NS, "the smallest sample"},
	{"max_ns", CELL_INT, UNIT_NS, "the largest sample"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "mean of the part / mean of what it belongs to, in tenths: the parts of a step add up to 100.0, and so do those of idle time"},
	{"samples", CELL_INT, UNIT_COUNT, "steps, once per device"},
	{"formula", CELL_TEXT, UNIT_NONE, "what counts as this part"},
};

/* Columns of the tables whose name does not say it in words. */
static const struct { const char *part, *label; } labels[] = {
	{"device_compute",   "Device compute"},   {"device_to_device", "Device to device"},
	{"collectives",      "Device collective communication"},
	{"host_compute",     "Host compute"},     {"kernel_launch",    "Kernel launch"},
	{"input",            "Input"},            {"output",           "Output"},
	{"compilation",      "Compilation"},      {"other",            "All others"},
	{"kernel",           "Kernel"},           {"memcpy",           "Memcpy"},
	{"memset",           "Memset"},           {"communication",    "Communication"},
	{"runtime",          "Runtime"},          {"dataloader",       "DataLoader"},
	{"cpu_exec",         "CPU Exec"},         {"host_bound",       "Idle: host-bound"},
	{"launch_latency",   "Idle: launch latency"},
	{"sync_wait",        "Idle: sync wait"},  {"input_wait",       "Idle: input wait"},
	{"copy_wait",        "Idle: copy wait"},  {"unknown",          "Idle: unknown"},
	{"idle",             "Idle"},             {"step",             "Step time"},
};
/* clang-format on */
enum { PART, LABEL, OF, MEAN_NS, SD_NS, MIN_NS, MAX_NS, SHARE_PCT, SAMPLES, FORMULA };

struct parts_run {
	struct table *out, *from;
	const char *of;
	bool zero_sd;   /* the reference tool calls the deviation of one sample 0 */
	uint32_t *rows; /* samples */
	uint32_t n_rows;
};
struct moments {
	double mean, sd;
	int64_t min_ns, max_ns;
};

static const char *label_of(const char *part)
{
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (!strcmp(labels[i].part, part))
			return labels[i].label;
	return part;
}

static struct moments moments_of(const struct parts_run *r, uint32_t col)
{
	struct moments m = {.min_ns = INT64_MAX, .max_ns = INT64_MIN};
	double squares = 0;
	for (uint32_t i = 0; i < r->n_rows; i++) {
		int64_t v = table_cell(r->from, r->rows[i], col)->i;
		m.mean += (double)v / r->n_rows;
		m.min_ns = v < m.min_ns ? v : m.min_ns;
		m.max_ns = v > m.max_ns ? v : m.max_ns;
	}
	for (uint32_t i = 0; i < r->n_rows; i++) {
		double off = (double)table_cell(r->from, r->rows[i], col)->i - m.mean;
		squares += off * off;
	}
	m.sd = r->n_rows > 1 ? sqrt(squares / (r->n_rows - 1)) : r->zero_sd ? 0 : NAN;
	return m;
}

static void part_row(struct parts_run *r, const char *part, uint32_t col, double share_pct)
{
	struct moments m = moments_of(r, col);
	struct cell *row = table_row(r->out);
	cell_text(&row[PART], part);
	cell_text(&row[LABEL], label_of(part));
	cell_text(&row[OF], r->of);
	cell_real(&row[MEAN_NS], m.mean);
	cell_real(&row[SD_NS], m.sd);
	cell_int(&row[MIN_NS], m.min_ns);
	cell_int(&row[MAX_NS], m.max_ns);
	cell_real(&row[SHARE_PCT], share_pct);
	cell_int(&row[SAMPLES], r->n_rows);
	cell_text(&row[FORMULA], r->from->cols[col].help);
}

/* ---- which columns and rows ------------------------------------------------------------------------------------------ */

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* The columns in ns that are parts of the whole, in the table's order. */
static uint32_t part_columns(const struct table *t, const char *whole, uint32_t cols[SHARES_MAX])
{
	const char *const no_parts[] = {"start_ns", "dur_ns", "longest_ns", whole, NULL};
	uint32_t n = 0;
	for (uint32_t c = 0; c < t->n_cols && n < SHARES_MAX; c++)
		if (t->cols[c].unit == UNIT_NS && !is_one_of(t->cols[c].name, no_parts))
			cols[n++] = c;
	return n;
}

static bool is_sample(const struct table *t, uint32_t row, uint32_t whole)
{
	const struct cell *step = table_cell(t, row, (uint32_t)table_column(t, "step"));
	bool all = !step->null && !strcmp(step->s, "all");
	return !all && !table_cell(t, row, whole)->null && !table_cell(t, row, (uint32_t)table_column(t, "cut"))->b;
}

static void find_samples(struct parts_run *r, uint32_t whole)
{
	r->rows = arena_alloc(r->out->mem, (r->from->n_rows + (size_t)1) * sizeof *r->rows);
	r->n_rows = 0;
	for (uint32_t row = 0; row < r->from->n_rows; row++)
		if (is_sample(r->from, row, whole))
			r->rows[r->n_rows++] = row;
}

/* "device_compute_ns" -> "device_compute" */
static const char *part_name(struct arena *mem, const char *column)
{
	return arena_strndup(mem, column, strlen(column) - strlen("_ns"));
}

/* One row for the whole, whose parts are columns of the table, and one for each of them. */
static void add_parts(struct parts_run *r, const char *whole_column, const char *of)
{
	uint32_t cols[SHARES_MAX], n = part_columns(r->from, whole_column, cols);
	int whole = table_column(r->from, whole_column);
	double means[SHARES_MAX], pct[SHARES_MAX];
	if (whole < 0 || table_column(r->from, "cut") < 0 || table_column(r->from, "step") < 0)
		return;
	find_samples(r, (uint32_t)whole);
	if (!r->n_rows)
		return;
	for (uint32_t i = 0; i < n; i++)
		means[i] = moments_of(r, cols[i]).mean;
	shares_pct(means, n, pct);
	r->of = NULL;
	part_row(r, of, (uint32_t)whole, NAN);
	r->of = of;
	for (uint32_t i = 0; i < n; i++)
		part_row(r, part_name(r->out->mem, r->from->cols[cols[i]].name), cols[i], pct[i]);
}

struct table *step_parts_of(const struct derived *d, struct table *steps, struct table *idle, struct arena *mem)
{
	struct parts_run r = {.zero_sd = derived_options(d)->semantics == SEM_XPROF};
	r.out = table_new(mem, &step_parts_desc);
	r.out->window_a_ns = steps->window_a_ns;
	r.out->window_b_ns = steps->window_b_ns;
	r.from = steps;
	add_parts(&r, "dur_ns", "step");
	r.from = idle;
	add_parts(&r, "idle_ns", "idle");
	return r.out;
}

static struct table *run_step_parts(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	struct table *steps = steps_desc.run(d, q, mem, p, e), *idle = steps ? idle_desc.run(d, q, mem, p, e) : NULL;
	return idle ? step_parts_of(d, steps, idle, mem) : NULL;
}

const struct table_desc step_parts_desc = {
	.name = "step_parts",
	.title = "Parts of a step",
	.help = "what a step spends its time on: mean, deviation and share of each part",
	TABLE_COLUMNS(columns),
	.run = run_step_parts,
	.first = COLUMN_LIST(LABEL, SHARE_PCT, MEAN_NS, SD_NS, MIN_NS, MAX_NS, SAMPLES, OF),
};
