#include "row_maker.h"
#include <string.h>

enum { SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS };

struct slot {
	uint32_t row; /* + 1; 0 = empty */
	bool whole;   /* the rest is made, too */
	struct made_row made;
};
struct row_maker {
	make_row *make, *rest; /* rest: NULL = nothing is late */
	uint64_t late;
	const void *ctx;
	uint32_t *order; /* after sorting: what the maker calls row i; NULL = i */
	struct slot *slots;
};

void table_made_late(struct table *t, uint32_t n, make_row *make, make_row *rest, uint64_t late, const void *ctx)
{
	t->maker = arena_alloc(t->mem, sizeof *t->maker);
	*t->maker = (struct row_maker){.make = make, .rest = rest, .late = late, .ctx = ctx};
	t->n_rows = n;
}

void table_made(struct table *t, uint32_t n, make_row *make, const void *ctx)
{
	table_made_late(t, n, make, NULL, 0, ctx);
}

uint64_t table_late(const struct table *t)
{
	return t->maker ? t->maker->late : 0;
}

bool row_maker_is_late(const struct table *t, uint32_t col)
{
	return col < LATE_COLUMNS && (t->maker->late >> col & 1);
}

static struct slot *slots_new(const struct table *t)
{
	struct slot *slots = t->maker->slots = arena_alloc(t->mem, SLOTS * sizeof *slots);
	struct cell *cells = arena_alloc(t->mem, SLOTS * t->n_cols * sizeof *cells);
	for (uint32_t i = 0; i < SLOTS; i++)
		slots[i].made.cells = cells + (size_t)i * t->n_cols;
	return slots;
}

static void begin_row(const struct table *t, struct slot *s, uint32_t row)
{
	const struct row_maker *m = t->maker;
	for (uint32_t c = 0; c < t->n_cols; c++)
		s->made.cells[c] = (struct cell){.null = true, .type = t->cols[c].type};
	s->made.evidence = (struct evidence){0};
	m->make(m->ctx, row_maker_source(t, row), &s->made);
	s->row = row + 1;
	s->whole = !m->rest;
}

const struct made_row *row_maker_row(const struct table *t, uint32_t row, bool late)
{
	const struct row_maker *m = t->maker;
	struct slot *slots = m->slots ? m->slots : slots_new(t);
	struct slot *s = &slots[row * 0x9E3779B1u >> (32 - SLOT_BITS)]; /* rows any step apart spread over the slots */
	if (s->row != row + 1)
		begin_row(t, s, row);
	if (late && !s->whole)
		m->rest(m->ctx, row_maker_source(t, row), &s->made);
	s->whole = s->whole || late;
	return &s->made;
}

uint32_t row_maker_source(const struct table *t, uint32_t row)
{
	return t->maker && t->maker->order ? t->maker->order[row] : row;
}

void row_maker_permute(struct table *t, const uint32_t *from)
{
	struct row_maker *m = t->maker;
	uint32_t *order = arena_alloc(t->mem, t->n_rows * sizeof *order);
	for (uint32_t i = 0; i < t->n_rows; i++)
		order[i] = m->order ? m->order[from[i]] : from[i];
	m->order = order;
	for (uint32_t i = 0; m->slots && i < SLOTS; i++)
		m->slots[i].row = 0;
}
