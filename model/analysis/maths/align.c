#include "align.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };
struct piece {
	uint32_t a, n, b, m; /* a[a .. a + n) and b[b .. b + m) */
};
struct aligning {
	const uint32_t *a, *b;
	uint32_t *with;
	uint32_t *row[2]; /* of m + 1 numbers each */
};

static void align_piece(struct aligning *x, struct piece p);

/* ---- small pieces: Hirschberg ------------------------------------------------------------------------------------------------ */

/* row[j]: the longest common subsequence of all of a's part and j elements of b's, from the left or from the right. */
static void lengths(const struct aligning *x, struct piece p, bool from_right, uint32_t *row)
{
	memset(row, 0, (p.m + (size_t)1) * sizeof *row);
	for (uint32_t i = 0; i < p.n; i++) {
		uint32_t e = x->a[from_right ? p.a + p.n - 1 - i : p.a + i], diagonal = 0;
		for (uint32_t j = 1; j <= p.m; j++) {
			uint32_t above = row[j], other = x->b[from_right ? p.b + p.m - j : p.b + j - 1];
			row[j] = e == other ? diagonal + 1 : above > row[j - 1] ? above : row[j - 1];
			diagonal = above;
		}
	}
}

static void find_one(struct aligning *x, struct piece p)
{
	for (uint32_t j = 0; j < p.m; j++)
		if (x->a[p.a] == x->b[p.b + j]) {
			x->with[p.a] = p.b + j;
			return;
		}
}

/* Cut in the middle of a, and of b where both halves together have most in common. */
static void align_exactly(struct aligning *x, struct piece p)
{
	if (p.n <= 1 || !p.m) {
		if (p.n)
			find_one(x, p);
		return;
	}
	uint32_t half = p.n / 2, best = 0, at = 0;
	lengths(x, (struct piece){p.a, half, p.b, p.m}, false, x->row[0]);
	lengths(x, (struct piece){p.a + half, p.n - half, p.b, p.m}, true, x->row[1]);
	for (uint32_t j = 0; j <= p.m; j++) {
		uint32_t both = x->row[0][j] + x->row[1][p.m - j];
		if (both > best) {
			best = both;
			at = j;
		}
	}
	align_piece(x, (struct piece){p.a, half, p.b, at});
	align_piece(x, (struct piece){p.a + half, p.n - half, p.b + at, p.m - at});
}

/* ---- long pieces: anchors ---------------------------------------------------------------------------------------------------- */

struct anchor {
	uint32_t a, b;
	uint32_t before; /* in the rising order that ends here */
};

/* Where each element stands that occurs once, else NONE - 1. */
static void find_unique(const uint32_t *v, uint32_t from, uint32_t n, struct idmap *out)
{
	for (uint32_t i = from; i < from + n; i++) {
		uint32_t *at = idmap_put(out, (uint64_t)v[i] + 1, i);
		if (*at != i)
			*at = NONE - 1;
	}
}

static uint32_t find_anchors(const struct aligning *x, struct piece p, struct anchor *out)
{
	struct idmap in_a = {0}, in_b = {0};
	uint32_t n = 0;
	find_unique(x->a, p.a, p.n, &in_a);
	find_unique(x->b, p.b, p.m, &in_b);
	for (uint32_t i = p.a; i < p.a + p.n; i++) {
		uint32_t other = idmap_get(&in_b, (uint64_t)x->a[i] + 1);
		if (idmap_get(&in_a, (uint64_t)x->a[i] + 1) == i && other < NONE - 1)
			out[n++] = (struct anchor){i, other, NONE};
	}
	idmap_free(&in_a);
	idmap_free(&in_b);
	return n;
}

/* Keeps the longest rising ones, in their order (patience sorting). ends: of the orders of each length the one that ends lowest. */
static uint32_t keep_rising(struct anchor *v, uint32_t n, uint32_t *ends)
{
	uint32_t longest = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t low = 0, high = longest;
		while (low < high) {
			uint32_t mid = low + (high - low) / 2;
			if (v[ends[mid]].b < v[i].b)
				low = mid + 1;
			else
				high = mid;
		}
		v[i].before = low ? ends[low - 1] : NONE;
		ends[low] = i;
		longest += low == longest;
	}
	for (uint32_t k = longest, i = longest ? ends[longest - 1] : NONE; k-- > 0; i = v[i].before)
		ends[k] = i;
	for (uint32_t k = 0; k < longest; k++)
		v[k] = v[ends[k]]; /* never from a lower place than k */
	return longest;
}

static void align_between(struct aligning *x, struct piece p, const struct anchor *v, uint32_t n)
{
	for (uint32_t i = 0; i <= n; i++) {
		uint32_t a_end = i < n ? v[i].a : p.a + p.n, b_end = i < n ? v[i].b : p.b + p.m;
		struct piece gap = {p.a, a_end - p.a, p.b, b_end - p.b};
		align_piece(x, gap);
		if (i == n)
			return;
		x->with[v[i].a] = v[i].b;
		p = (struct piece){v[i].a + 1, p.a + p.n - v[i].a - 1, v[i].b + 1, p.b + p.m - v[i].b - 1};
	}
}

static void align_long(struct aligning *x, struct piece p)
{
	struct anchor *v = must(malloc((p.n + (size_t)1) * sizeof *v));
	uint32_t *ends = must(malloc((p.n + (size_t)1) * sizeof *ends));
	uint32_t n = keep_rising(v, find_anchors(x, p, v), ends);
	free(ends);
	if (n) {
		align_between(x, p, v, n);
	} else { /* nothing to hold on to */
		uint32_t half = p.n / 2, other = (uint32_t)((uint64_t)p.m * half / p.n);
		align_piece(x, (struct piece){p.a, half, p.b, other});
		align_piece(x, (struct piece){p.a + half, p.n - half, p.b + other, p.m - other});
	}
	free(v);
}

static void align_piece(struct aligning *x, struct piece p)
{
	for (; p.n && p.m && x->a[p.a] == x->b[p.b]; p.n--, p.m--)
		x->with[p.a++] = p.b++;
	for (; p.n && p.m && x->a[p.a + p.n - 1] == x->b[p.b + p.m - 1]; p.n--, p.m--)
		x->with[p.a + p.n - 1] = p.b + p.m - 1;
	if (!p.n || !p.m)
		return;
	if ((uint64_t)p.n * p.m <= ALIGN_CELLS || p.n == 1)
		align_exactly(x, p);
	else
		align_long(x, p);
}

void align_sequences(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t *with)
{
	struct aligning x = {a, b, with, {NULL, NULL}};
	memset(with, 0xff, n * sizeof *with);
	for (int i = 0; i < 2; i++)
		x.row[i] = must(malloc((m + (size_t)1) * sizeof *x.row[i]));
	align_piece(&x, (struct piece){0, n, 0, m});
	for (int i = 0; i < 2; i++)
		free(x.row[i]);
}
