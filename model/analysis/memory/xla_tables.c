/* xla_memory, xla_buffers, xla_heap: what compiled programs need, what they need it for, and when. */
#include "model/analysis/query/cells.h"
#include "model/query.h"
#include "xla_memory.h"
#include "xla_memory_columns.h"

TABLE_DECL(xla_memory);
TABLE_DECL(xla_buffers);
TABLE_DECL(xla_heap);

static const struct column memory_columns[] = {XLA_MEMORY_COLUMNS(COLUMN_ROW)};
static const struct column buffers_columns[] = {XLA_BUFFERS_COLUMNS(COLUMN_ROW)};
static const struct column heap_columns[] = {XLA_HEAP_COLUMNS(COLUMN_ROW)};

static const char *program_of(const struct xla_memory *x, uint32_t use)
{
	return xla_program_words(x, x->uses[use].program);
}

static const char *known_text(const struct trace *t, str_id id)
{
	return id ? trace_str(t, id) : NULL;
}

static struct table *table_of(const struct derived *d, const struct query *q, const struct table_desc *desc,
			      struct arena *mem)
{
	struct table *out = table_new(mem, desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	return out;
}

/* ---- programs --------------------------------------------------------------------------------------------------------- */

static void kind_cells(const struct xla_use *u, struct cell *row)
{
	static const uint8_t columns[] = {[XLA_ARGUMENT] = COL_XLA_MEMORY_ARGUMENTS,
					  [XLA_OUTPUT] = COL_XLA_MEMORY_OUTPUTS,
					  [XLA_THREAD_LOCAL] = COL_XLA_MEMORY_LOCAL,
					  [XLA_CONSTANT] = COL_XLA_MEMORY_CONSTANTS,
					  [XLA_TEMPORARY] = COL_XLA_MEMORY_TEMPORARY};
	for (int kind = 0; kind < XLA_BUFFER_KINDS; kind++)
		cell_int(&row[columns[kind]], u->kind_bytes[kind]);
}

static void add_program(const struct xla_memory *x, const struct xla_use *u, const char *name, struct table *out)
{
	struct cell *row = table_row(out);
	cell_rank(&row[COL_XLA_MEMORY_RANK], x->t, xla_program_host(x, u->program));
	cell_text(&row[COL_XLA_MEMORY_PROGRAM], name);
	cell_int(&row[COL_XLA_MEMORY_SPACE], u->space);
	cell_int(&row[COL_XLA_MEMORY_PEAK], u->peak_bytes);
	kind_cells(u, row);
	cell_int(&row[COL_XLA_MEMORY_ALIASED], u->aliased_bytes);
	cell_int(&row[COL_XLA_MEMORY_TOTAL], u->total_bytes);
	cell_int(&row[COL_XLA_MEMORY_PADDING], u->padding_bytes);
	cell_int(&row[COL_XLA_MEMORY_STEPS], u->heap_steps);
	cell_int(&row[COL_XLA_MEMORY_BUFFERS], u->buffers);
	if (u->peak_step == NONE_ID)
		return;
	cell_text(&row[COL_XLA_MEMORY_PEAK_AFTER], known_text(x->t, x->steps[u->peak_step].instruction));
	cell_int(&row[COL_XLA_MEMORY_PEAK_AT], x->place_of_step[u->peak_step]);
}

static struct table *run_xla_memory(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	(void)p;
	(void)e;
	const struct xla_memory *x = xla_memory_find(d, mem);
	struct table *out = table_of(d, q, &xla_memory_desc, mem);
	for (uint32_t i = 0; i < x->n_uses; i++)
		if (x->uses[x->by_peak[i]].total_bytes || x->uses[x->by_peak[i]].peak_bytes)
			add_program(x, &x->uses[x->by_peak[i]], program_of(x, x->by_peak[i]), out);
	return out;
}

/* ---- buffers ---------------------------------------------------------------------------------------------------------- */

static void add_buffer(const struct xla_memory *x, uint32_t i, const char *name, struct table *out)
{
	const struct xla_buffer *b = &x->buffers[i];
	const struct xla_life *l = &x->lives[i];
	struct cell *row = table_row(out);
	cell_rank(&row[COL_XLA_BUFFERS_RANK], x->t, xla_program_host(x, b->program));
	cell_text(&row[COL_XLA_BUFFERS_PROGRAM], name);
	cell_int(&row[COL_XLA_BUFFERS_SPACE], b->space);
	cell_text(&row[COL_XLA_BUFFERS_NAME], known_text(x->t, b->name));
	cell_text(&row[COL_XLA_BUFFERS_KIND], xla_kind_words(b->kind));
	cell_int(&row[COL_XLA_BUFFERS_BYTES], b->bytes);
	if (b->unpadded_bytes != UNKNOWN_I64 && b->bytes >= b->unpadded_bytes)
		cell_pct(&row[COL_XLA_BUFFERS_PADDING], b->bytes - b->unpadded_bytes, b->bytes);
	cell_text(&row[COL_XLA_BUFFERS_SHAPE], known_text(x->t, b->shape));
	cell_text(&row[COL_XLA_BUFFERS_OPCODE], known_text(x->t, b->opcode));
	cell_text(&row[COL_XLA_BUFFERS_OP], known_text(x->t, b->op));
	cell_bool(&row[COL_XLA_BUFFERS_AT_PEAK], l->at_peak);
	cell_int(&row[COL_XLA_BUFFERS_FROM], l->from_step == NONE_ID ? UNKNOWN_I64 : l->from_step);
	cell_int(&row[COL_XLA_BUFFERS_TO], l->to_step == NONE_ID ? UNKNOWN_I64 : l->to_step);
	cell_int(&row[COL_XLA_BUFFERS_ALLOCATION], b->allocation);
	cell_int(&row[COL_XLA_BUFFERS_ALLOCATION_BYTES], b->allocation_bytes);
	cell_int(&row[COL_XLA_BUFFERS_OFFSET], b->offset_bytes);
}

static struct table *run_xla_buffers(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	(void)p;
	(void)e;
	const struct xla_memory *x = xla_memory_find(d, mem);
	struct table *out = table_of(d, q, &xla_buffers_desc, mem);
	for (uint32_t i = 1; i < x->n_buffers; i++)
		if (x->buffers[i].id != UNKNOWN_I64 || x->buffers[i].allocation_bytes)
			add_buffer(x, i, program_of(x, x->lives[i].use), out);
	table_sort(out, COL_XLA_BUFFERS_BYTES, true);
	return out;
}

/* ---- heaps ------------------------------------------------------------------------------------------------------------- */

static void add_step(const struct xla_memory *x, uint32_t i, const char *name, struct table *out)
{
	static const char *const words[] = {"given out", "taken back", "shared"};
	const struct xla_heap_event *s = &x->steps[i];
	const struct xla_buffer *b = s->buffer < x->n_buffers ? &x->buffers[s->buffer] : &x->buffers[0];
	struct cell *row = table_row(out);
	cell_rank(&row[COL_XLA_HEAP_RANK], x->t, xla_program_host(x, s->program));
	cell_text(&row[COL_XLA_HEAP_PROGRAM], name);
	cell_int(&row[COL_XLA_HEAP_SPACE], x->uses[x->use_of_step[i]].space);
	cell_int(&row[COL_XLA_HEAP_POSITION], x->place_of_step[i]);
	cell_text(&row[COL_XLA_HEAP_AFTER], known_text(x->t, s->instruction));
	cell_text(&row[COL_XLA_HEAP_BUFFER], known_text(x->t, b->name));
	cell_text(&row[COL_XLA_HEAP_WHAT], s->kind < 3 ? words[s->kind] : NULL);
	cell_int(&row[COL_XLA_HEAP_BYTES], b->bytes);
	cell_int(&row[COL_XLA_HEAP_USED], x->heap_bytes[i]);
}

static struct table *run_xla_heap(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	(void)p;
	(void)e;
	const struct xla_memory *x = xla_memory_find(d, mem);
	struct table *out = table_of(d, q, &xla_heap_desc, mem);
	for (uint32_t i = 1; i < x->n_steps; i++)
		if (x->use_of_step[i] != NONE_ID)
			add_step(x, i, program_of(x, x->use_of_step[i]), out);
	return out;
}

/* clang-format off */
const struct table_desc xla_memory_desc = {
	.name = "xla_memory",
	.title = "Memory of XLA programs",
	.help = "what compiled programs need on each device, as the compiler planned it: peak, arguments, outputs, temporaries",
	TABLE_COLUMNS(memory_columns),
	.run = run_xla_memory,
	.first = COLUMN_LIST(COL_XLA_MEMORY_PROGRAM, COL_XLA_MEMORY_SPACE, COL_XLA_MEMORY_PEAK, COL_XLA_MEMORY_ARGUMENTS, COL_XLA_MEMORY_OUTPUTS,
			     COL_XLA_MEMORY_TEMPORARY, COL_XLA_MEMORY_PADDING, COL_XLA_MEMORY_PEAK_AFTER),
	.lead = 1,
	.report = {.brief = COLUMN_LIST(COL_XLA_MEMORY_PROGRAM, COL_XLA_MEMORY_SPACE, COL_XLA_MEMORY_PEAK, COL_XLA_MEMORY_ARGUMENTS,
					COL_XLA_MEMORY_OUTPUTS, COL_XLA_MEMORY_TEMPORARY, COL_XLA_MEMORY_PADDING, COL_XLA_MEMORY_PEAK_AFTER),
		   .sort = COLUMN_LIST(COL_XLA_MEMORY_PEAK)},
	.vs = {.key = COLUMN_LIST(COL_XLA_MEMORY_RANK, COL_XLA_MEMORY_SPACE, COL_XLA_MEMORY_PROGRAM), .sums = COLUMN_LIST(COL_XLA_MEMORY_PEAK, COL_XLA_MEMORY_ARGUMENTS, COL_XLA_MEMORY_OUTPUTS, COL_XLA_MEMORY_TEMPORARY, COL_XLA_MEMORY_PADDING), .whole = true},
};
const struct table_desc xla_buffers_desc = {
	.name = "xla_buffers",
	.title = "Largest buffers of XLA programs",
	.help = "what compiled programs keep in memory: buffer by buffer, with its op, its shape, its padding and when it lives",
	TABLE_COLUMNS(buffers_columns),
	.run = run_xla_buffers,
	.first = COLUMN_LIST(COL_XLA_BUFFERS_PROGRAM, COL_XLA_BUFFERS_NAME, COL_XLA_BUFFERS_KIND, COL_XLA_BUFFERS_BYTES, COL_XLA_BUFFERS_SHAPE,
			     COL_XLA_BUFFERS_PADDING, COL_XLA_BUFFERS_AT_PEAK, COL_XLA_BUFFERS_OP),
	.lead = 2,
	.report = {.brief = COLUMN_LIST(COL_XLA_BUFFERS_PROGRAM, COL_XLA_BUFFERS_NAME, COL_XLA_BUFFERS_KIND, COL_XLA_BUFFERS_BYTES,
					COL_XLA_BUFFERS_SHAPE, COL_XLA_BUFFERS_PADDING, COL_XLA_BUFFERS_AT_PEAK, COL_XLA_BUFFERS_OP),
		   .sort = COLUMN_LIST(COL_XLA_BUFFERS_BYTES)},
	.vs = {.key = COLUMN_LIST(COL_XLA_BUFFERS_RANK, COL_XLA_BUFFERS_SPACE, COL_XLA_BUFFERS_PROGRAM, COL_XLA_BUFFERS_KIND, COL_XLA_BUFFERS_NAME), .sums = COLUMN_LIST(COL_XLA_BUFFERS_BYTES), .whole = true},
};
const struct table_desc xla_heap_desc = {
	.name = "xla_heap",
	.title = "Heaps of XLA programs",
	.help = "memory of compiled programs in the order of the program: what each step gives out or takes back",
	TABLE_COLUMNS(heap_columns),
	.run = run_xla_heap,
	.first = COLUMN_LIST(COL_XLA_HEAP_PROGRAM, COL_XLA_HEAP_POSITION, COL_XLA_HEAP_AFTER, COL_XLA_HEAP_WHAT, COL_XLA_HEAP_BYTES,
			     COL_XLA_HEAP_USED),
	.lead = 2,
	.vs = {.why_not = "places of one program have none in another one: xla_memory has the peaks"},
};
/* clang-format on */
