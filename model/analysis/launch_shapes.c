#include "launch_shapes.h"
#include <stdlib.h>
#include <string.h>

struct launch_shapes {
	const struct trace *t;
	uint32_t *of_detail; /* shape + 1, 0 = not looked at yet */
	uint32_t n_details;
	const struct kernel_info **shapes; /* one row that has the shape; [0] is not used */
	uint32_t n, cap;
	uint32_t *slots; /* open addressing over shapes, 0 = free */
	uint32_t n_slots;
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

struct launch_shapes *launch_shapes_new(const struct trace *t)
{
	struct launch_shapes *s = must(calloc(1, sizeof *s));
	s->t = t;
	s->n = 1;
	return s;
}

void launch_shapes_free(struct launch_shapes *s)
{
	if (!s)
		return;
	free(s->of_detail);
	free(s->shapes);
	free(s->slots);
	free(s);
}

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

int launch_shape_compare(const struct kernel_info *a, const struct kernel_info *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	int order = 0;
	for (int i = 0; i < 3 && !order; i++)
		order = compare_u32(a->grid[i], b->grid[i]);
	for (int i = 0; i < 3 && !order; i++)
		order = compare_u32(a->block[i], b->block[i]);
	order = order ? order : compare_u32(a->registers, b->registers);
	order = order ? order : compare_u32(a->static_smem_bytes, b->static_smem_bytes);
	return order ? order : compare_u32(a->dynamic_smem_bytes, b->dynamic_smem_bytes);
}

static uint32_t hash(const struct kernel_info *k)
{
	const uint32_t parts[] = {k->grid[0],  k->grid[1],   k->grid[2],           k->block[0],          k->block[1],
				  k->block[2], k->registers, k->static_smem_bytes, k->dynamic_smem_bytes};
	uint64_t h = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		h = (h ^ parts[i]) * 0x9E3779B97F4A7C15u, h ^= h >> 32;
	return (uint32_t)(h ^ h >> 29);
}

static uint32_t *find_slot(const struct launch_shapes *s, const struct kernel_info *k)
{
	uint32_t at = hash(k) & (s->n_slots - 1);
	while (s->slots[at] && launch_shape_compare(s->shapes[s->slots[at]], k))
		at = (at + 1) & (s->n_slots - 1);
	return &s->slots[at];
}

static void grow(struct launch_shapes *s)
{
	s->cap = s->cap ? s->cap * 2 : 256;
	s->shapes = must(realloc(s->shapes, s->cap * sizeof *s->shapes));
	free(s->slots);
	s->n_slots = s->cap * 2;
	s->slots = must(calloc(s->n_slots, sizeof *s->slots));
	for (uint32_t i = 1; i < s->n; i++)
		*find_slot(s, s->shapes[i]) = i;
}

static uint32_t number_of(struct launch_shapes *s, const struct kernel_info *k)
{
	if (s->n >= s->cap)
		grow(s);
	uint32_t *slot = find_slot(s, k);
	if (!*slot) {
		s->shapes[s->n] = k;
		*slot = s->n++;
	}
	return *slot;
}

static void reach(struct launch_shapes *s, uint32_t detail)
{
	if (detail < s->n_details)
		return;
	uint32_t n = s->n_details ? s->n_details : 1024;
	while (n <= detail)
		n *= 2;
	s->of_detail = must(realloc(s->of_detail, n * sizeof *s->of_detail));
	memset(s->of_detail + s->n_details, 0, (n - s->n_details) * sizeof *s->of_detail);
	s->n_details = n;
}

uint32_t launch_shape_of(struct launch_shapes *s, row_id r)
{
	const struct kernel_info *k = trace_kernel(s->t, r);
	if (!k)
		return 0;
	uint32_t detail = trace_columns(s->t)->detail[r];
	reach(s, detail);
	if (!s->of_detail[detail])
		s->of_detail[detail] = number_of(s, k) + 1;
	return s->of_detail[detail] - 1;
}
