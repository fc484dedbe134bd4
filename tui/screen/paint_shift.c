/* tui/screen/paint_shift.c - has a part of the screen only moved? Asked only when much has changed; costs a millisecond at most. */
#include "paint.h"
#include <string.h>

enum { MOST_ROWS = 512, SAMPLES = 12, WORTH_CELLS = 60, MUCH_PART = 4 };

static const struct painted *shown_row(const struct paint *p, int y)
{
	return p->shown + y * p->cols;
}

static const struct painted *wanted_row(const struct paint *p, int y)
{
	return p->wanted + y * p->cols;
}

/* Cells of two rows that are the same. */
static int alike(const struct paint *p, const struct painted *a, const struct painted *b)
{
	int n = 0;
	for (int x = 0; x < p->cols; x++)
		n += painted_same(&a[x], &b[x]);
	return n;
}

/* How many cells of each row stay; returns in how many rows much changes. */
static int staying(const struct paint *p, int stay[static MOST_ROWS])
{
	int changed = 0;
	for (int y = 0; y < p->rows; y++) {
		stay[y] = alike(p, shown_row(p, y), wanted_row(p, y));
		changed += p->cols - stay[y] > p->cols / MUCH_PART;
	}
	return changed;
}

/* The lines that gain most when all move by d: the part of them with the largest sum. */
static int best_part(const struct paint *p, const int stay[static MOST_ROWS], int d, struct row_shift *best, int most)
{
	int sum = 0, from = 0, n = d > 0 ? d : -d;
	for (int y = d < 0 ? -d : 0; y < p->rows && y + d < p->rows; y++) {
		if (sum <= 0) {
			sum = 0;
			from = y;
		}
		sum += alike(p, shown_row(p, y + d), wanted_row(p, y)) - stay[y];
		if (sum <= most)
			continue;
		most = sum;
		*best = (struct row_shift){d > 0 ? from : from - n, y - from + 1 + n, d};
	}
	return most;
}

struct row_shift paint_row_shift(const struct paint *p)
{
	int stay[MOST_ROWS], most = WORTH_CELLS;
	struct row_shift best = {-1, 0, 0};
	if (p->rows > MOST_ROWS || staying(p, stay) < 3)
		return best;
	for (int d = 1; d < p->rows / 2; d++) {
		most = best_part(p, stay, d, &best, most);
		most = best_part(p, stay, -d, &best, most);
	}
	return best;
}

/* ---- columns ------------------------------------------------------------------------------------------------------ */

/* Rows in which much changes, SAMPLES of them, spread over the screen. */
static int changed_rows(const struct paint *p, int rows[static SAMPLES])
{
	int stay[MOST_ROWS];
	int changed = staying(p, stay), n = 0, seen = 0, every = changed / SAMPLES + 1;
	for (int y = 0; y < p->rows && n < SAMPLES; y++)
		if (p->cols - stay[y] > p->cols / MUCH_PART && seen++ % every == 0)
			rows[n++] = y;
	return n;
}

/* Cells of a row that would be right if it moved by d and are not as it stands. */
static int gained(const struct painted *old, const struct painted *row, int cols, int d)
{
	int n = 0;
	for (int x = d < 0 ? -d : 0; x < cols && x + d < cols; x++)
		n += !painted_same(&old[x], &row[x]) && painted_same(&old[x + d], &row[x]);
	return n;
}

int paint_column_shift(const struct paint *p)
{
	int rows[SAMPLES], best = 0, most = WORTH_CELLS / 2;
	int n = p->rows > MOST_ROWS ? 0 : changed_rows(p, rows);
	for (int d = 1 - p->cols * 2 / 3; n && d < p->cols * 2 / 3; d++) {
		int sum = 0;
		for (int i = 0; d && i < n; i++)
			sum += gained(shown_row(p, rows[i]), wanted_row(p, rows[i]), p->cols, d);
		if (sum > most) {
			most = sum;
			best = d;
		}
	}
	return best;
}
