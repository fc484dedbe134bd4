/* step_parts: what a step spends its time on, on average: mean, deviation and share of each part of the tables of steps and
 * of idle time. A sample is a step on a device; steps that the window cuts are no samples. */
#include "idle_columns.h"
#include "step_parts_columns.h"
#include "step_parts_table.h"
#include "step_part.h"
#include "steps_columns.h"
#include "steps_summary.h"
#include "model/analysis/rules/cause.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/query/shared.h"
#include "model/query.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include "model/table.h"
#include <math.h>
#include <string.h>

TABLE_DECL(steps);
TABLE_DECL(idle);
TABLE_DECL(step_parts);

/* clang-format off */
/* As other tools call them: the parts of a step under --semantics xprof and kineto; the whole. */
static const struct { const char *part, *label; } labels[] = {
	{"device_compute",   "Device compute"},   {"device_to_device", "Device to device"},
	{"collectives",      "Device collective communication"},
	{"host_compute",     "Host compute"},     {"kernel_launch",    "Kernel launch"},
	{"input",            "Input"},            {"output",           "Output"},
	{"compilation",      "Compilation"},      {"other",            "All others"},
	{"kernel",           "Kernel"},           {"memcpy",           "Memcpy"},
	{"memset",           "Memset"},           {"communication",    "Communication"},
	{"runtime",          "Runtime"},          {"dataloader",       "DataLoader"},
	{"cpu_exec",         "CPU Exec"},         {"idle",             "Idle"},
	{"step",             "Step time"},
};
static const struct { const char *part, *label; } idle_labels[] = {
#define IDLE_LABEL(id, name, word, loses, what, ...) {name, "Idle: " word},
	CAUSES(IDLE_LABEL)
#undef IDLE_LABEL
};
/* clang-format on */
static const struct column columns[] = {STEP_PARTS_COLUMNS(COLUMN_ROW)};

struct parts_run {
	struct table *out;
	const struct table *from;
	const char *of;
	enum step_parts_depth depth;
	bool irregular;  /* no mean says anything */
	bool xprof;      /* that tool's words, and its deviation of one sample, which is 0 */
	uint32_t *rows;  /* samples */
	int64_t *values; /* room for theirs, where more than means is asked */
	uint32_t n_rows;
	size_t room;       /* for so many */
	struct arena work; /* of these */
};
struct moments {
	double mean, sd;
	int64_t median_ns, min_ns, max_ns;
};

/* "Device copies": the words of all other faces; NULL: it is none of these parts. */
static const char *own_words(const struct parts_run *r, uint32_t col)
{
	for (int i = 0; i < STEP_PARTS; i++)
		if (strcmp(r->from->cols[col].name, steps_desc.cols[step_parts[i].column].name) == 0)
			return arena_capital(r->out->mem, step_part_words(r->from, (enum step_part_id)i));
	return NULL;
}

static const char *label_of(const struct parts_run *r, const char *part, uint32_t col)
{
	const char *of = r->of, *own = r->xprof ? NULL : own_words(r, col);
	if (own)
		return own;
	for (size_t i = 0; of && !strcmp(of, "idle") && i < sizeof idle_labels / sizeof *idle_labels; i++)
		if (!strcmp(idle_labels[i].part, part))
			return idle_labels[i].label;
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (!strcmp(labels[i].part, part))
			return labels[i].label;
	return part;
}

/* Into `values` the column's, all of them; false: they are all 0, as most parts of most traces are, and none is written. */
static bool read_values(const struct parts_run *r, uint32_t col)
{
	int64_t block[BLOCK_ROWS];
	bool zero = table_is_zero(r->from, col);
	for (uint32_t from = 0, n; !zero && from < r->n_rows; from += n) {
		int64_t any = 0;
		n = r->n_rows - from < BLOCK_ROWS ? r->n_rows - from : BLOCK_ROWS;
		table_numbers(r->from, col, r->rows + from, n, block);
		for (uint32_t i = 0; i < n; i++)
			any |= block[i];
		if (!any)
			continue;
		memset(r->values, 0, from * sizeof *r->values);
		table_numbers(r->from, col, r->rows + from, r->n_rows - from, r->values + from);
		return true;
	}
	return false;
}

static double deviation_of(const struct parts_run *r, double mean)
{
	double squares = 0;
	for (uint32_t i = 0; i < r->n_rows; i++) {
		double off = (double)r->values[i] - mean;
		squares += off * off;
	}
	return sqrt(squares / (r->n_rows - 1));
}

/* The values are in any order afterwards. */
static void find_ends(const struct parts_run *r, struct moments *m)
{
	m->min_ns = INT64_MAX;
	m->max_ns = INT64_MIN;
	for (uint32_t i = 0; i < r->n_rows; i++) {
		int64_t v = r->values[i];
		m->min_ns = v < m->min_ns ? v : m->min_ns;
		m->max_ns = v > m->max_ns ? v : m->max_ns;
	}
	m->median_ns = median_of(r->values, r->n_rows);
}

static struct moments moments_of(const struct parts_run *r, uint32_t col)
{
	struct moments m = {.sd = r->n_rows > 1 || r->xprof ? 0 : NAN};
	if (!read_values(r, col))
		return m;
	for (uint32_t i = 0; i < r->n_rows; i++)
		m.mean += (double)r->values[i] / r->n_rows;
	if (r->n_rows > 1)
		m.sd = deviation_of(r, m.mean);
	if (r->depth == STEP_PARTS_ALL)
		find_ends(r, &m);
	return m;
}

/* The means alone: no more than a block of values is kept at a time. Zeros add nothing. */
static void read_means(const struct parts_run *r, const uint32_t *cols, uint32_t n_cols, struct moments *m)
{
	int64_t block[BLOCK_ROWS];
	for (uint32_t k = 0; k < n_cols; k++)
		m[k] = (struct moments){0};
	for (uint32_t from = 0, n; from < r->n_rows; from += n) {
		n = r->n_rows - from < BLOCK_ROWS ? r->n_rows - from : BLOCK_ROWS;
		for (uint32_t k = 0; k < n_cols; k++) {
			if (table_is_zero(r->from, cols[k]))
				continue;
			table_numbers(r->from, cols[k], r->rows + from, n, block);
			for (uint32_t i = 0; i < n; i++)
				m[k].mean += (double)block[i] / r->n_rows;
		}
	}
}

static void read_moments(const struct parts_run *r, const uint32_t *cols, uint32_t n_cols, struct moments *m)
{
	if (r->depth == STEP_PARTS_MEANS)
		read_means(r, cols, n_cols, m);
	for (uint32_t k = 0; r->depth != STEP_PARTS_MEANS && k < n_cols; k++)
		m[k] = moments_of(r, cols[k]);
}

static void part_row(struct parts_run *r, const char *part, uint32_t col, struct moments m, double share_pct)
{
	struct cell *row = table_row(r->out);
	cell_text(&row[COL_STEP_PARTS_PART], part);
	cell_text(&row[COL_STEP_PARTS_LABEL], label_of(r, part, col));
	cell_text(&row[COL_STEP_PARTS_OF], r->of);
	cell_real(&row[COL_STEP_PARTS_AVG_NS], r->irregular ? NAN : m.mean);
	cell_real(&row[COL_STEP_PARTS_SD_NS], r->irregular || r->depth < STEP_PARTS_DEVIATIONS ? NAN : m.sd);
	if (r->depth == STEP_PARTS_ALL) {
		cell_int(&row[COL_STEP_PARTS_MEDIAN_NS], m.median_ns);
		cell_int(&row[COL_STEP_PARTS_MIN_NS], m.min_ns);
		cell_int(&row[COL_STEP_PARTS_MAX_NS], m.max_ns);
	}
	cell_real(&row[COL_STEP_PARTS_PART_PCT], share_pct);
	cell_int(&row[COL_STEP_PARTS_SAMPLES], r->n_rows);
	cell_text(&row[COL_STEP_PARTS_FORMULA], r->from->cols[col].help);
}

/* ---- which columns and rows ------------------------------------------------------------------------------------------ */

/* Columns of the table that the parts come from: the whole, the step, what makes a row a sample, and those in ns that are no parts. */
struct part_source {
	uint8_t whole, step, cut, counted, no_parts[4];
};
static const struct part_source of_steps = {
	COL_STEPS_DUR_NS,
	COL_STEPS_STEP,
	COL_STEPS_CUT,
	COL_STEPS_COUNTED,
	{COL_STEPS_START_NS, COL_STEPS_DUR_NS, COL_STEPS_INPUT_COPY_NS, COL_STEPS_INPUT_COPY_NS}};
static const struct part_source of_idle = {
	COL_IDLE_IDLE_NS,
	COL_IDLE_STEP,
	COL_IDLE_CUT,
	COL_IDLE_COUNTED,
	{COL_IDLE_START_NS, COL_IDLE_DUR_NS, COL_IDLE_LONGEST_NS, COL_IDLE_WORK_SPAN}};

static bool is_part(const struct table *t, const struct part_source *s, uint32_t col)
{
	bool part = t->cols[col].unit == UNIT_NS && (int)col != table_place(t, s->whole);
	for (size_t i = 0; i < sizeof s->no_parts; i++)
		part = part && (int)col != table_place(t, s->no_parts[i]);
	return part;
}

/* The columns in ns that are parts of the whole, in the table's order. Where means are enough only those of idle time are asked for. */
static uint32_t part_columns(const struct parts_run *r, const struct part_source *s, uint32_t cols[SHARES_MAX])
{
	uint32_t n = 0, end = r->depth == STEP_PARTS_MEANS && s == &of_steps ? 0 : r->from->n_cols;
	for (uint32_t c = 0; c < end && n < SHARES_MAX; c++)
		if (is_part(r->from, s, c))
			cols[n++] = c;
	return n;
}

/* Tables that tell which rows count tell so of sums over steps, too; those of other tools name them. */
static void leave_out_sums(const struct part_source *s, const struct row_block *b, int64_t counted[BLOCK_ROWS])
{
	const char *step[BLOCK_ROWS];
	bool known = true;
	for (uint32_t i = 0; i < b->n; i++)
		known &= counted[i] != UNKNOWN_I64;
	if (known)
		return;
	row_block_texts(b, s->step, step);
	for (uint32_t i = 0; i < b->n; i++)
		if (counted[i] == UNKNOWN_I64 && step[i] && !strcmp(step[i], "all"))
			counted[i] = 0;
}

static void add_samples(struct parts_run *r, const struct part_source *s, const struct row_block *b)
{
	int64_t whole[BLOCK_ROWS], cut[BLOCK_ROWS], counted[BLOCK_ROWS];
	row_block_numbers(b, s->whole, whole);
	row_block_numbers(b, s->cut, cut);
	row_block_numbers(b, s->counted, counted);
	leave_out_sums(s, b, counted);
	for (uint32_t i = 0; i < b->n; i++)
		if (whole[i] != UNKNOWN_I64 && cut[i] != 1 && counted[i] != 0)
			r->rows[r->n_rows++] = b->from + i;
}

static void find_samples(struct parts_run *r, const struct part_source *s)
{
	if (r->from->n_rows > r->room) {
		arena_free(&r->work);
		r->room = r->from->n_rows;
		r->rows = arena_room(&r->work, r->room * sizeof *r->rows);
		if (r->depth > STEP_PARTS_MEANS) {
			r->values = arena_room(&r->work, r->room * sizeof *r->values);
			pages_take(r->values, r->room * sizeof *r->values);
		}
	}
	r->n_rows = 0;
	for (struct row_block b = {.t = r->from}; row_block_next(&b);)
		add_samples(r, s, &b);
}

/* "device_compute_ns" -> "device_compute" */
static const char *part_name(struct arena *mem, const char *column)
{
	return arena_strndup(mem, column, strlen(column) - strlen("_ns"));
}

/* One row for the whole, whose parts are columns of the table, and one for each of them. */
static void add_parts(struct parts_run *r, const struct part_source *s, const char *of)
{
	uint32_t cols[SHARES_MAX + 1], n = part_columns(r, s, cols);
	int whole = table_place(r->from, s->whole);
	struct moments parts[SHARES_MAX + 1];
	double means[SHARES_MAX], pct[SHARES_MAX];
	if (whole < 0 || table_place(r->from, s->cut) < 0 || table_place(r->from, s->step) < 0)
		return;
	find_samples(r, s);
	if (!r->n_rows)
		return;
	cols[n] = (uint32_t)whole;
	read_moments(r, cols, n + 1, parts);
	for (uint32_t i = 0; i < n; i++)
		means[i] = parts[i].mean;
	shares_pct(means, n, pct);
	r->of = NULL;
	part_row(r, of, cols[n], parts[n], NAN);
	r->of = of;
	for (uint32_t i = 0; i < n; i++)
		part_row(r, part_name(r->out->mem, r->from->cols[cols[i]].name), cols[i], parts[i], pct[i]);
}

struct table *step_parts_of(const struct derived *d, const struct table *steps, const struct table *idle,
			    bool irregular, enum step_parts_depth depth, struct arena *mem)
{
	struct parts_run r = {
		.xprof = derived_options(d)->semantics == SEM_XPROF, .irregular = irregular, .depth = depth};
	r.out = table_new(mem, &step_parts_desc);
	r.out->window_a_ns = steps->window_a_ns;
	r.out->window_b_ns = steps->window_b_ns;
	r.from = steps;
	add_parts(&r, &of_steps, "step");
	r.from = idle;
	add_parts(&r, &of_idle, "idle");
	arena_free(&r.work);
	return r.out;
}

/* Both tables at once: each thread has memory and an error of its own. */
struct making {
	const struct derived *d;
	const struct query *q;
	struct progress *progress;
	const struct table *steps, *idle;
	struct arena *mem, idle_mem;
	struct err *err, idle_err;
};

static bool make_steps(void *ctx)
{
	struct making *m = ctx;
	m->steps = shared_table(&steps_desc, m->d, m->q, m->mem, m->progress, m->err);
	return m->steps != NULL;
}

static bool make_idle(void *ctx)
{
	struct making *m = ctx;
	m->idle = shared_table(&idle_desc, m->d, m->q, &m->idle_mem, m->progress, &m->idle_err);
	return m->idle != NULL;
}

static struct table *run_step_parts(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	struct making m = {.d = d, .q = q, .progress = p, .mem = mem, .err = e, .idle_err = {.at = -1}};
	bool fine = both(2, make_steps, make_idle, &m);
	if (m.steps && !m.idle && e)
		*e = m.idle_err;
	/* rows are made when they are read, in the memory of their table: it is taken over when all have been */
	struct table *out =
		fine ? step_parts_of(d, m.steps, m.idle, step_rows_irregular(m.steps), STEP_PARTS_ALL, mem) : NULL;
	arena_adopt(mem, &m.idle_mem);
	return out;
}

const struct table_desc step_parts_desc = {
	.name = "step_parts",
	.title = "Parts of a step",
	.help = "what a step spends its time on: mean, deviation and share of each part",
	TABLE_COLUMNS(columns),
	.run = run_step_parts,
	.first = COLUMN_LIST(COL_STEP_PARTS_LABEL, COL_STEP_PARTS_PART_PCT, COL_STEP_PARTS_AVG_NS, COL_STEP_PARTS_SD_NS,
			     COL_STEP_PARTS_MEDIAN_NS, COL_STEP_PARTS_MIN_NS, COL_STEP_PARTS_MAX_NS,
			     COL_STEP_PARTS_SAMPLES, COL_STEP_PARTS_OF),
	.lead = 2,
	.vs = {.key = COLUMN_LIST(COL_STEP_PARTS_OF, COL_STEP_PARTS_PART),
	       .sums = COLUMN_LIST(COL_STEP_PARTS_AVG_NS, COL_STEP_PARTS_MEDIAN_NS),
	       .whole = true},
};
