#include "launch_shapes.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include "model/store/base/row_index.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The first part of a kernel's facts: numbers without holes between them, kept close together. */
struct shape {
	uint32_t registers, static_smem_bytes, dynamic_smem_bytes, grid[3], block[3];
};
_Static_assert(offsetof(struct kernel_info, occupancy_pct) == sizeof(struct shape),
	       "a shape is one piece of the facts");

/* The hashes of rows to come, and of the one that is asked for: each is needed three times. */
enum { HASHES = 16 };
struct row_hash {
	row_id row; /* NONE_ID: of none */
	uint32_t hash;
};

struct launch_shapes {
	const struct trace *t;
	uint32_t *of_detail; /* shape + 1, 0 = not looked at yet; what is not asked for is not touched */
	uint32_t n_details;
	struct shape *shapes; /* [0] is not used */
	uint32_t n, cap;
	struct row_index index;
	struct row_hash hashes[HASHES]; /* by row */
};

struct launch_shapes *launch_shapes_new(const struct trace *t)
{
	struct launch_shapes *s = must(calloc(1, sizeof *s));
	s->t = t;
	s->n = 1;
	s->n_details = (uint32_t)trace_side_rows(t, SIDE_KERNELS, NULL);
	s->of_detail = must(calloc(s->n_details + (size_t)1, sizeof *s->of_detail));
	for (int i = 0; i < HASHES; i++)
		s->hashes[i].row = NONE_ID;
	return s;
}

void launch_shapes_free(struct launch_shapes *s)
{
	if (!s)
		return;
	free(s->of_detail);
	free(s->shapes);
	row_index_free(&s->index);
	free(s);
}

/* Of a detail row that was looked at: its shape + 1, else 0. */
static uint32_t known_shape(const struct launch_shapes *s, uint32_t detail)
{
	return detail < s->n_details ? s->of_detail[detail] : 0;
}

static uint32_t hash_of(struct launch_shapes *s, row_id r, const struct kernel_info *k)
{
	struct row_hash *kept = &s->hashes[r % HASHES];
	if (kept->row != r)
		*kept = (struct row_hash){r, row_index_hash(k, sizeof(struct shape))};
	return kept->hash;
}

static bool hash_of_row(struct launch_shapes *s, row_id r, uint32_t *h)
{
	const struct columns *c = trace_columns(s->t);
	if (r >= c->n || known_shape(s, c->detail[r]))
		return false;
	const struct kernel_info *k = s->hashes[r % HASHES].row == r ? NULL : trace_kernel(s->t, r);
	if (!k && s->hashes[r % HASHES].row != r)
		return false;
	*h = hash_of(s, r, k);
	return true;
}

/* Facts of ranks beside each other lie anywhere among those of all; of those that were looked at before nothing more is read. */
static void facts_ahead_of(const struct launch_shapes *s, row_id r)
{
	const struct columns *c = trace_columns(s->t);
	const struct kernel_info *k = r < c->n && !known_shape(s, c->detail[r]) ? trace_kernel(s->t, r) : NULL;
	__builtin_prefetch(k);
	__builtin_prefetch(k ? (const char *)k + sizeof(struct shape) - 1 : NULL);
}

void launch_shapes_ahead(struct launch_shapes *s, row_id r)
{
	enum { MET_AHEAD = 32, FACTS_AHEAD = 16, SLOT_AHEAD = 8, SHAPE_AHEAD = 4 };
	uint32_t h;
	if (r + MET_AHEAD < trace_columns(s->t)->n)
		launch_shape_met_ahead(s, r + MET_AHEAD);
	facts_ahead_of(s, r + FACTS_AHEAD);
	if (hash_of_row(s, r + SLOT_AHEAD, &h))
		row_index_ahead(&s->index, h);
	if (hash_of_row(s, r + SHAPE_AHEAD, &h))
		row_index_ahead_row(&s->index, s->shapes, sizeof *s->shapes, h);
}

uint32_t launch_shape_hash(const struct trace *t, row_id r)
{
	const struct kernel_info *k = trace_kernel(t, r);
	return k ? row_index_hash(k, sizeof(struct shape)) : 0;
}

static uint32_t number_of(struct launch_shapes *s, row_id r, const struct kernel_info *k)
{
	uint32_t h = hash_of(s, r, k);
	uint32_t found = row_index_find(&s->index, s->shapes, sizeof *s->shapes, k, sizeof *s->shapes, h);
	if (found != ROW_INDEX_ABSENT)
		return found;
	if (!row_index_add(&s->index, h, s->n))
		memory_exhausted();
	GROW_ARRAY(s->shapes, s->n, s->cap);
	memcpy(&s->shapes[s->n], k, sizeof *s->shapes);
	return s->n++;
}

void launch_shape_met_ahead(const struct launch_shapes *s, row_id r)
{
	uint32_t detail = trace_columns(s->t)->detail[r];
	if (detail < s->n_details)
		__builtin_prefetch(&s->of_detail[detail]);
}

uint32_t launch_shape_met(const struct launch_shapes *s, row_id r)
{
	uint32_t known = known_shape(s, trace_columns(s->t)->detail[r]);
	return known ? known - 1 : NONE_ID;
}

uint32_t launch_shape_of(struct launch_shapes *s, row_id r)
{
	uint32_t detail = trace_columns(s->t)->detail[r], known = known_shape(s, detail);
	if (known)
		return known - 1;
	const struct kernel_info *k = trace_kernel(s->t, r);
	if (!k)
		return 0;
	s->of_detail[detail] = number_of(s, r, k) + 1;
	return s->of_detail[detail] - 1;
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_shapes(const struct shape *a, const struct shape *b)
{
	int order = 0;
	for (int i = 0; i < 3 && !order; i++)
		order = compare_u32(a->grid[i], b->grid[i]);
	for (int i = 0; i < 3 && !order; i++)
		order = compare_u32(a->block[i], b->block[i]);
	order = order ? order : compare_u32(a->registers, b->registers);
	order = order ? order : compare_u32(a->static_smem_bytes, b->static_smem_bytes);
	return order ? order : compare_u32(a->dynamic_smem_bytes, b->dynamic_smem_bytes);
}

static int by_shape(const void *x, const void *y, void *arg)
{
	const struct launch_shapes *s = arg;
	return compare_shapes(&s->shapes[*(const uint32_t *)x], &s->shapes[*(const uint32_t *)y]);
}

uint32_t launch_shapes_count(const struct launch_shapes *s)
{
	return s->n;
}

uint32_t *launch_shapes_ranks(const struct launch_shapes *s)
{
	uint32_t *order = must(malloc(s->n * sizeof *order)), *ranks = must(malloc(s->n * sizeof *ranks));
	for (uint32_t i = 0; i < s->n; i++)
		order[i] = i;
	if (s->n > 2)
		qsort_r(order + 1, s->n - 1, sizeof *order, by_shape, (void *)s);
	for (uint32_t i = 0; i < s->n; i++)
		ranks[order[i]] = i;
	free(order);
	return ranks;
}
