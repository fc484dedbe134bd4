#include "row_maker.h"
#include <string.h>

enum { FEWEST_SLOT_BITS = 3, MOST_SLOT_BITS = 10, PARTS_MAX = 32 };

struct slot {
	uint32_t row;   /* + 1; 0 = empty */
	uint32_t parts; /* bits: those that are made */
	struct made_row made;
};
struct row_maker {
	const struct row_part *parts; /* each makes some of the columns; the last one makes the evidence, too */
	uint32_t n_parts;
	const uint32_t *part_of;                /* by column */
	const uint32_t *columns, *columns_from; /* of each part: columns[columns_from[i] .. columns_from[i + 1]) */
	const void *ctx;
	made_numbers *numbers_of; /* of the columns in `numbers`, */
	made_texts *texts_of;     /* and of those in `texts`; */
	made_numbers *ranks_of;   /* the order of texts in `ranks` */
	uint64_t numbers, texts, ranks;
	uint64_t zeros;     /* columns that are 0 in every row */
	uint32_t *order;    /* after sorting: what the maker calls row i; NULL = i */
	struct slot *slots; /* rows read lately: 1 << slot_bits of them */
	uint32_t slot_bits;
	/* The last one that was read as a whole: a long table goes through the same few lines of cache. */
	struct cell *whole;
	const struct cell *nulls; /* a row of them */
	const struct table *base; /* table_over: what is not made is read there, */
	const uint32_t *from;     /* by column: which one, NONE_ID = made here */
	const struct table *like; /* rows stand as in this one; NULL: as they stand here */
};

/* ---- making a table --------------------------------------------------------------------------------------------- */

static uint32_t part_of(const struct row_part *parts, uint32_t n_parts, uint32_t column)
{
	uint32_t part = 0;
	while (part + 1 < n_parts && !(column < PART_COLUMNS && (parts[part].columns >> column & 1)))
		part++;
	return part;
}

static void sort_columns(const struct table *t, struct row_maker *m)
{
	uint32_t *by_column = arena_alloc(t->mem, (t->n_cols + (size_t)1) * sizeof *by_column);
	uint32_t *columns = arena_alloc(t->mem, (t->n_cols + (size_t)1) * sizeof *columns);
	uint32_t *from = arena_alloc(t->mem, (m->n_parts + (size_t)1) * sizeof *from), n = 0;
	for (uint32_t c = 0; c < t->n_cols; c++)
		by_column[c] = part_of(m->parts, m->n_parts, c);
	for (uint32_t part = 0; part < m->n_parts; from[++part] = n)
		for (uint32_t c = 0; c < t->n_cols; c++)
			if (by_column[c] == part)
				columns[n++] = c;
	m->part_of = by_column;
	m->columns = columns;
	m->columns_from = from;
}

void table_made_parts(struct table *t, uint32_t n, const struct row_part *parts, uint32_t n_parts, const void *ctx)
{
	t->maker = arena_alloc(t->mem, sizeof *t->maker);
	*t->maker = (struct row_maker){.parts = parts, .n_parts = n_parts, .ctx = ctx};
	sort_columns(t, t->maker);
	t->n_rows = n;
}

void table_made(struct table *t, uint32_t n, make_row *make, const void *ctx)
{
	struct row_part *one = arena_alloc(t->mem, sizeof *one);
	*one = (struct row_part){.make = make};
	table_made_parts(t, n, one, 1, ctx);
}

void table_made_numbers(struct table *t, made_numbers *numbers, uint64_t columns)
{
	t->maker->numbers_of = numbers;
	t->maker->numbers = columns;
}

void table_made_texts(struct table *t, made_texts *texts, uint64_t columns)
{
	t->maker->texts_of = texts;
	t->maker->texts = columns;
}

void table_made_zeros(struct table *t, uint64_t columns)
{
	t->maker->zeros = columns;
}

void table_made_ranks(struct table *t, made_numbers *ranks, uint64_t columns)
{
	t->maker->ranks_of = ranks;
	t->maker->ranks = columns;
}

uint32_t *table_same_columns(const struct table *base, struct arena *mem)
{
	uint32_t *from = arena_alloc(mem, ((size_t)base->n_cols + 1) * sizeof *from);
	for (uint32_t c = 0; c < base->n_cols; c++)
		from[c] = c;
	return from;
}

void table_over(struct table *t, const struct table *base, const uint32_t *from, make_row *make, const void *ctx)
{
	table_made(t, base->n_rows, make, ctx);
	t->maker->base = base;
	t->maker->from = from;
}

void table_over_in_order(struct table *t, const struct table *base, const uint32_t *from, const struct table *like)
{
	table_over(t, base, from, NULL, NULL);
	t->maker->like = like;
	t->n_rows = like->n_rows;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static struct slot *slots_new(const struct table *t, uint32_t n)
{
	struct slot *slots = arena_alloc(t->mem, n * sizeof *slots);
	struct cell *cells = arena_alloc(t->mem, (size_t)n * t->n_cols * sizeof *cells);
	for (uint32_t i = 0; i < n; i++)
		slots[i].made.cells = cells + (size_t)i * t->n_cols;
	return slots;
}

/* Of a table with few rows about half of the slots stay free. */
static uint32_t slot_bits_for(uint32_t n_rows)
{
	uint32_t bits = FEWEST_SLOT_BITS;
	while (bits < MOST_SLOT_BITS && UINT32_C(1) << bits < 2 * (uint64_t)n_rows)
		bits++;
	return bits;
}

static void empty(const struct table *t, struct cell *cells, uint32_t c)
{
	cells[c] = (struct cell){.null = true, .type = t->cols[c].type};
}

static const struct cell *nulls_of(const struct table *t)
{
	struct row_maker *m = t->maker;
	if (m->nulls)
		return m->nulls;
	struct cell *nulls = arena_alloc(t->mem, t->n_cols * sizeof *nulls);
	for (uint32_t c = 0; c < t->n_cols; c++)
		empty(t, nulls, c);
	return m->nulls = nulls;
}

/* All that it needs is made now: its arena may be moved while it lives. */
const struct table *table_view(const struct table *t, struct arena *mem)
{
	if (!t->maker)
		return table_copy(t, mem);
	struct table *view = arena_alloc(mem, sizeof *view);
	struct row_maker *m = arena_alloc(mem, sizeof *m);
	*view = *t;
	*m = *t->maker; /* its order stays: a table that is sorted gets a new one */
	view->mem = mem;
	view->maker = m;
	m->slot_bits = slot_bits_for(t->n_rows);
	m->slots = slots_new(view, UINT32_C(1) << m->slot_bits);
	m->whole = arena_alloc(mem, t->n_cols * sizeof *m->whole);
	m->nulls = NULL;
	m->nulls = nulls_of(view);
	return view;
}

static void begin_row(struct slot *s, uint32_t row)
{
	s->made.evidence = (struct evidence){0};
	s->row = row + 1;
	s->parts = 0;
}

static void make_part(const struct table *t, struct slot *s, uint32_t part)
{
	const struct row_maker *m = t->maker;
	for (uint32_t i = m->columns_from[part]; i < m->columns_from[part + 1]; i++)
		empty(t, s->made.cells, m->columns[i]);
	m->parts[part].make(m->ctx, row_maker_source(t, s->row - 1), &s->made);
	s->parts |= 1u << part;
}

static const struct made_row *with_part(const struct table *t, struct slot *s, uint32_t part)
{
	if (!(s->parts >> part & 1))
		make_part(t, s, part);
	return &s->made;
}

static const struct made_row *row_with(const struct table *t, uint32_t row, uint32_t part)
{
	struct row_maker *m = t->maker;
	if (!m->slots) {
		m->slot_bits = slot_bits_for(t->n_rows);
		m->slots = slots_new(t, UINT32_C(1) << m->slot_bits);
	}
	struct slot *s =
		&m->slots[row * 0x9E3779B1u >> (32 - m->slot_bits)]; /* rows any step apart spread over the slots */
	if (s->row != row + 1)
		begin_row(s, row);
	return with_part(t, s, part);
}

static uint32_t base_row(const struct table *t, uint32_t row)
{
	return row_maker_source(t->maker->like ? t->maker->like : t, row);
}

const struct cell *row_maker_cell(const struct table *t, uint32_t row, uint32_t col)
{
	const struct row_maker *m = t->maker;
	if (m->base && m->from[col] != NONE_ID)
		return table_cell(m->base, base_row(t, row), m->from[col]);
	return &row_with(t, row, m->part_of[col])->cells[col];
}

enum { ROWS_AT_ONCE = 256 };

/* What the maker calls these rows; in `room` where they stand in another order. */
static const uint32_t *sources_of(const struct row_maker *m, const uint32_t *rows, uint32_t n, uint32_t *room)
{
	if (!m->order)
		return rows;
	for (uint32_t i = 0; i < n; i++)
		room[i] = m->order[rows[i]];
	return room;
}

static bool is_apart(uint64_t columns, uint32_t col)
{
	return col < PART_COLUMNS && (columns >> col & 1);
}

/* The column's cells are those of the table below. */
static bool is_of_base(const struct row_maker *m, uint32_t col)
{
	return m->base && m->from[col] != NONE_ID;
}

static void base_rows(const struct table *t, const uint32_t *rows, uint32_t n, uint32_t *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = base_row(t, rows[i]);
}

/* Where the cells of a column go: one of the two. */
struct cells_out {
	int64_t *numbers;
	const char **texts;
};

static struct cells_out cells_from(struct cells_out out, uint32_t i)
{
	if (out.numbers)
		out.numbers += i;
	else
		out.texts += i;
	return out;
}

static void read_each(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, struct cells_out out)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cell *c = row_maker_cell(t, rows[i], col);
		if (out.numbers)
			out.numbers[i] = cell_int_known(c);
		else
			out.texts[i] = cell_text_known(c);
	}
}

static void read_below(const struct row_maker *m, uint32_t col, const uint32_t *rows, uint32_t n, struct cells_out out)
{
	if (out.numbers)
		table_numbers(m->base, m->from[col], rows, n, out.numbers);
	else
		table_texts(m->base, m->from[col], rows, n, out.texts);
}

static void read_apart(const struct row_maker *m, uint32_t col, const uint32_t *rows, uint32_t n, struct cells_out out)
{
	if (out.numbers)
		m->numbers_of(m->ctx, rows, n, col, out.numbers);
	else
		m->texts_of(m->ctx, rows, n, col, out.texts);
}

static void read_column(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, struct cells_out out)
{
	const struct row_maker *m = t->maker;
	bool below = is_of_base(m, col), apart = !below && is_apart(out.numbers ? m->numbers : m->texts, col);
	uint32_t room[ROWS_AT_ONCE];
	if (!below && !apart)
		read_each(t, col, rows, n, out);
	for (uint32_t i = 0, more; (below || apart) && i < n; i += more) {
		more = n - i < ROWS_AT_ONCE ? n - i : ROWS_AT_ONCE;
		if (below) {
			base_rows(t, rows + i, more, room);
			read_below(m, col, room, more, cells_from(out, i));
		} else {
			read_apart(m, col, sources_of(m, rows + i, more, room), more, cells_from(out, i));
		}
	}
}

bool row_maker_is_zero(const struct table *t, uint32_t col)
{
	const struct row_maker *m = t->maker;
	return is_of_base(m, col) ? table_is_zero(m->base, m->from[col]) : is_apart(m->zeros, col);
}

void row_maker_numbers(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out)
{
	if (row_maker_is_zero(t, col))
		memset(out, 0, n * sizeof *out);
	else
		read_column(t, col, rows, n, (struct cells_out){.numbers = out});
}

void row_maker_texts(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, const char **out)
{
	read_column(t, col, rows, n, (struct cells_out){.texts = out});
}

bool row_maker_ranks(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out)
{
	const struct row_maker *m = t->maker;
	uint32_t room[ROWS_AT_ONCE];
	if (!is_apart(m->ranks, col))
		return false;
	for (uint32_t i = 0, more; i < n; i += more) {
		more = n - i < ROWS_AT_ONCE ? n - i : ROWS_AT_ONCE;
		m->ranks_of(m->ctx, sources_of(m, rows + i, more, room), more, col, out + i);
	}
	return true;
}

static void read_base(const struct table *t, uint32_t row, struct cell *cells)
{
	const struct row_maker *m = t->maker;
	const struct cell *read = table_cells(m->base, base_row(t, row));
	for (uint32_t c = 0; c < t->n_cols; c++)
		if (m->from[c] != NONE_ID)
			cells[c] = read[m->from[c]];
}

void row_maker_read(const struct table *t, uint32_t row, struct cell *cells)
{
	const struct row_maker *m = t->maker;
	struct made_row made = {.cells = cells};
	memcpy(cells, nulls_of(t), t->n_cols * sizeof *cells);
	for (uint32_t i = 0; i < m->n_parts && m->parts[i].make; i++)
		m->parts[i].make(m->ctx, row_maker_source(t, row), &made);
	if (m->base)
		read_base(t, row, cells);
}

const struct cell *row_maker_cells(const struct table *t, uint32_t row)
{
	struct row_maker *m = t->maker;
	if (!m->whole)
		m->whole = arena_alloc(t->mem, t->n_cols * sizeof *m->whole);
	row_maker_read(t, row, m->whole);
	return m->whole;
}

const struct evidence *row_maker_evidence(const struct table *t, uint32_t row)
{
	const struct row_maker *m = t->maker;
	if (m->base)
		return table_evidence_of(m->base, base_row(t, row));
	return &row_with(t, row, m->n_parts - 1)->evidence;
}

bool row_maker_is_late(const struct table *t, uint32_t col)
{
	const struct row_maker *m = t->maker;
	if (m->base && m->from[col] != NONE_ID)
		return table_is_late(m->base, m->from[col]);
	return m->parts[m->part_of[col]].late;
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

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
	for (uint32_t i = 0; m->slots && i < UINT32_C(1) << m->slot_bits; i++)
		m->slots[i].row = 0;
}
