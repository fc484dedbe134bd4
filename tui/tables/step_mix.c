#include "step_mix.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/steps/steps_columns.h"
#include "model/analysis/steps/steps_summary.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>

static const struct mix_info infos[] = {
#define MIX_INFO(id, letter, ink, colour) [MIX_##id] = {letter, colour},
	MIX_PARTS_LIST(MIX_INFO)
#undef MIX_INFO
};

const struct mix_info *mix_info(enum mix_part p)
{
	return &infos[p];
}

const char *mix_help(const struct table *steps, enum mix_part p)
{
	int col = table_place(steps, step_parts[p].column);
	return col < 0 ? "" : steps->cols[col].help;
}

static void parts_pct(const double *parts, double *pct)
{
	shares_pct(parts, MIX_PARTS, pct);
}

/* Where the table has what. */
struct places {
	int part[MIX_PARTS], dur;
};

static struct places places_of(const struct table *steps)
{
	struct places p = {.dur = table_place(steps, COL_STEPS_DUR_NS)};
	for (int i = 0; i < MIX_PARTS; i++)
		p.part[i] = table_place(steps, step_parts[i].column);
	return p;
}

static int64_t ns_at(const struct table *t, uint32_t row, int col)
{
	const struct cell *c = col < 0 ? NULL : table_cell(t, row, (uint32_t)col);
	return !c || c->null ? UNKNOWN_I64 : c->i;
}

static struct mix_row lengths_at(const struct table *steps, uint32_t row, const struct places *p)
{
	struct mix_row r = {.dur_ns = ns_at(steps, row, p->dur)};
	for (int i = 0; i < MIX_PARTS; i++) {
		int64_t ns = ns_at(steps, row, p->part[i]);
		r.ns[i] = ns == UNKNOWN_I64 || ns < 0 ? 0 : ns;
	}
	return r;
}

struct mix_row mix_row(const struct table *steps, uint32_t row)
{
	struct places p = places_of(steps);
	struct mix_row r = lengths_at(steps, row, &p);
	double parts[MIX_PARTS];
	for (int i = 0; i < MIX_PARTS; i++)
		parts[i] = (double)r.ns[i];
	parts_pct(parts, r.pct);
	return r;
}

/* ---- all rows ----------------------------------------------------------------------------------------------------- */

/* The columns of some rows; a table for people says "part" of what is cut, and other tools' tables do not say what carries means. */
enum { ROWS_AT_ONCE = 256 };
struct mix_data {
	int64_t dur_ns[ROWS_AT_ONCE], cut[ROWS_AT_ONCE], counted[ROWS_AT_ONCE], part_ns[MIX_PARTS][ROWS_AT_ONCE];
};

static void read_column(const struct table *t, uint32_t id, const uint32_t *rows, uint32_t n, int64_t *out)
{
	int col = table_place(t, id);
	for (uint32_t i = 0; col < 0 && i < n; i++)
		out[i] = UNKNOWN_I64;
	if (col >= 0)
		table_numbers(t, (uint32_t)col, rows, n, out);
}

/* How many rows from that one on. */
static uint32_t read_rows(const struct table *steps, uint32_t from, struct mix_data *c)
{
	uint32_t rows[ROWS_AT_ONCE], n = steps->n_rows - from < ROWS_AT_ONCE ? steps->n_rows - from : ROWS_AT_ONCE;
	for (uint32_t i = 0; i < n; i++)
		rows[i] = from + i;
	read_column(steps, COL_STEPS_DUR_NS, rows, n, c->dur_ns);
	read_column(steps, COL_STEPS_CUT, rows, n, c->cut);
	read_column(steps, COL_STEPS_COUNTED, rows, n, c->counted);
	for (int i = 0; i < MIX_PARTS; i++)
		read_column(steps, step_parts[i].column, rows, n, c->part_ns[i]);
	return n;
}

static bool carries_means(const struct mix_data *c, uint32_t row)
{
	bool cut = c->cut[row] != UNKNOWN_I64 && c->cut[row];
	return !cut && c->counted[row] != 0;
}

/* A step of the warm-up can be a hundred times as long as the others; it must not make those unreadable. */
static int64_t scale_of(int64_t *lengths, uint32_t n)
{
	if (n == 0)
		return 1;
	int64_t median = upper_median(lengths, n), longest = median;
	for (uint32_t i = n / 2 + 1; i < n; i++) /* those above it */
		longest = lengths[i] > longest ? lengths[i] : longest;
	int64_t scale = median > 0 && longest / 2 > median ? median * 2 : longest;
	return scale > 0 ? scale : 1;
}

/* Welford: equal steps spread by exactly 0. The last entry is the rows themselves. */
struct sums {
	double sum[MIX_PARTS + 1], mean[MIX_PARTS + 1], squares[MIX_PARTS + 1];
};

/* Of some rows one value each, the i-th in row rows[i] of the column; entry `at` of the sums. n_before: rows that were added before. Zeros
 * before all else change nothing, as of parts that most traces do not have. */
static void add_values(struct sums *s, int at, const int64_t *column, const uint16_t *rows, uint32_t n,
		       uint32_t n_before)
{
	for (uint32_t i = 0; i < n; i++) {
		double ns = (double)column[rows[i]], off = ns - s->mean[at];
		if (off == 0 && ns == 0)
			continue;
		s->sum[at] += ns;
		s->mean[at] += off / (n_before + i + 1);
		s->squares[at] += off * (ns - s->mean[at]);
	}
}

static double spread(double squares, uint32_t n)
{
	return n > 1 ? sqrt(squares / (n - 1)) : NAN;
}

static void finish(struct step_mix *m, const struct sums *s, bool irregular)
{
	for (int i = 0; i < MIX_PARTS; i++) {
		m->mean_ns[i] = m->n && !irregular ? s->sum[i] / m->n : NAN;
		m->sd_ns[i] = irregular ? NAN : spread(s->squares[i], m->n);
	}
	m->row_mean_ns = m->n && !irregular ? s->sum[MIX_PARTS] / m->n : NAN;
	m->row_sd_ns = irregular ? NAN : spread(s->squares[MIX_PARTS], m->n);
	parts_pct(s->sum, m->pct);
}

static bool any_above_0(const int64_t *column, const uint16_t *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (column[rows[i]] > 0)
			return true;
	return false;
}

/* lengths: of the rows that have one, `n` of them so far. */
static uint32_t add_rows(struct step_mix *m, struct sums *s, struct mix_data *c, uint32_t rows, int64_t *lengths,
			 uint32_t n)
{
	uint16_t long_ones[ROWS_AT_ONCE], carrying[ROWS_AT_ONCE];
	uint32_t n_long = 0, n_carrying = 0;
	for (uint32_t row = 0; row < rows; row++) {
		if (c->dur_ns[row] == UNKNOWN_I64)
			continue;
		lengths[n++] = c->dur_ns[row];
		long_ones[n_long++] = (uint16_t)row;
		if (carries_means(c, row))
			carrying[n_carrying++] = (uint16_t)row;
	}
	for (int i = 0; i < MIX_PARTS; i++) {
		int64_t *part_ns = c->part_ns[i];
		if (!any_above_0(part_ns, long_ones, n_long) && s->mean[i] == 0)
			continue;
		m->occurs[i] = true;
		for (uint32_t row = 0; row < rows; row++)
			part_ns[row] = later(0, part_ns[row]); /* UNKNOWN_I64 is below 0 */
		add_values(s, i, part_ns, carrying, n_carrying, m->n);
	}
	add_values(s, MIX_PARTS, c->dur_ns, carrying, n_carrying, m->n);
	m->n += n_carrying;
	return n;
}

struct step_mix step_mix(const struct table *steps)
{
	struct step_mix m = {0};
	struct sums s = {0};
	struct arena mem = {0};
	struct mix_data c;
	uint32_t n = 0;
	int64_t *lengths = arena_alloc(&mem, (steps->n_rows + (size_t)1) * sizeof *lengths);
	pages_take(lengths, steps->n_rows * sizeof *lengths);
	for (uint32_t row = 0, rows; row < steps->n_rows; row += rows) {
		rows = read_rows(steps, row, &c);
		n = add_rows(&m, &s, &c, rows, lengths, n);
	}
	m.scale_ns = scale_of(lengths, n);
	arena_free(&mem);
	for (int i = 0; i < MIX_PARTS; i++)
		m.words[i] = step_part_words(steps, (enum step_part_id)i);
	finish(&m, &s, step_rows_irregular(steps));
	return m;
}

/* ---- bars --------------------------------------------------------------------------------------------------------- */

static int widest(const int cols[MIX_PARTS])
{
	int best = 0;
	for (int i = 1; i < MIX_PARTS; i++)
		if (cols[i] > cols[best])
			best = i;
	return best;
}

enum { LEAST_SHARE = 2000 }; /* 0.05 %: what is less reads 0.0 % beside the bar */

int mix_columns(const struct mix_row *r, int64_t scale_ns, int width, int cols[MIX_PARTS])
{
	int whole = (int)llround((double)r->dur_ns / (double)scale_ns * width), sum = 0;
	whole = whole > width ? width : whole < 1 ? 1 : whole;
	for (int i = 0; i < MIX_PARTS; i++) {
		cols[i] = r->dur_ns > 0 ? (int)llround((double)r->ns[i] / (double)r->dur_ns * whole) : 0;
		if (cols[i] == 0 && r->ns[i] >= r->dur_ns / LEAST_SHARE && r->ns[i] > 0)
			cols[i] = 1;
		sum += cols[i];
	}
	for (; sum > whole; sum--)
		cols[widest(cols)]--;
	for (; sum && sum < whole; sum++)
		cols[widest(cols)]++;
	return sum;
}

/* mix_columns divides times; shares do as well, as fine as a share that reads 0.0 % or 0.1 % wants. */
int mix_columns_of_all(const struct step_mix *m, int width, int cols[MIX_PARTS])
{
	struct mix_row shares = {0};
	for (int i = 0; i < MIX_PARTS; i++)
		shares.dur_ns += shares.ns[i] = m->n && !isnan(m->pct[i]) ? llround(m->pct[i] * 1e9) : 0;
	return mix_columns(&shares, shares.dur_ns, width, cols);
}
